//! What some criteria look for, compiled once for any number of texts: their rules, step by step, and the phrases of the concepts
//! that these name.
//!
//! Rules of one part ask the same things many times over, `any(threshold)` in nearly each of them. As a step each of these
//! exists once, and what is found out about it serves all.

use rustc_hash::FxHashMap;

use crate::drill::{Concepts, Direction, Manner, Rule, Rules, Stretch};
use crate::grade::argue::found::Mentioned;
use crate::phrase::{Groups, Phrases, Words};

/// The rules of some criteria, and which concepts of their rubric they look for: those that their rules name, directly or through
/// others, and those that stand for quantities, because of comparisons.
#[derive(Clone, Debug, Default)]
pub(in crate::grade) struct Sought {
    /// The steps of all rules, each behind those that it rests on.
    pub(super) steps: Vec<Step>,
    /// The rules of each criterion.
    pub(super) criteria: Vec<Outcomes>,
    /// By concept.
    pub(super) is_sought: Vec<bool>,
    /// Those of them that have figures.
    pub(super) figured: Vec<usize>,
    /// Those of them that stand for quantities.
    pub(super) naming: Vec<usize>,
}

/// Where the phrases of a rubric's concepts are looked for: in a matcher that may have others too.
#[derive(Clone, Copy, Debug)]
pub(in crate::grade) struct Lookup<'p> {
    /// The matcher.
    pub(in crate::grade) phrases: &'p Phrases,
    /// The place among its phrases of the first that is a concept's.
    pub(in crate::grade) first: usize,
    /// The groups of the phrases that are sought.
    pub(in crate::grade) sought: Groups,
    /// The group of those of any concept.
    pub(in crate::grade) any: Groups,
}

impl Lookup<'_> {
    /// In a matcher of the concepts alone.
    pub(super) fn of(concepts: &Concepts) -> Lookup<'_> {
        Lookup { phrases: concepts.matcher(), first: 0, sought: Groups::ALL, any: Groups::ALL }
    }

    /// Whether a text mentions any of the concepts in words.
    pub(super) fn is_any_in(&self, words: &Words) -> bool {
        self.phrases.find_among(words, self.any).iter().any(|hit| hit.phrase >= self.first)
    }
}

/// The last steps of a criterion's rules.
#[derive(Clone, Debug)]
pub(super) struct Outcomes {
    pub(super) met: Option<usize>,
    pub(super) partly: Option<usize>,
    pub(super) not_met: Option<usize>,
    pub(super) review: Option<usize>,
}

/// A [`Rule`] of which the parts are steps of their own, by their places.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    All(Vec<usize>),
    Some(usize, Vec<usize>),
    Not(usize),
    /// A concept is said, by phrases and figures, or by the rule that combines others.
    Says(usize, Option<usize>),
    As(Manner, usize),
    /// With the concepts of which each has to be mentioned where it holds.
    In(Stretch, usize, Vec<usize>),
    Before(usize, usize),
    Opens(usize),
    Less(usize, usize),
    Compares(usize, usize),
    Untrue,
    Moves(Direction, usize),
    Side(usize, usize, usize),
    Torn(usize, usize),
    Right(usize),
    Greater(usize, usize),
    Answered(usize),
    Fewer(usize),
    Listed,
}

impl Sought {
    /// What these rules look for.
    pub(in crate::grade) fn by<'r>(rules: impl IntoIterator<Item = &'r Rules>, concepts: &Concepts) -> Sought {
        let list = concepts.list();
        let naming: Vec<usize> = (0..list.len()).filter(|concept| !list[*concept].means.is_empty()).collect();
        let mut is_sought = vec![false; list.len()];
        let mut open = naming.clone();
        let mut compiler = Compiler { concepts, steps: Vec::new(), known: FxHashMap::default(), said: vec![None; list.len()] };
        let mut compile = |rule: &Option<Rule>| {
            let rule = rule.as_ref()?;
            open.extend(rule.concepts());
            Some(compiler.step(rule))
        };
        let criteria = rules.into_iter().map(|rules| Outcomes {
            met: compile(&rules.met),
            partly: compile(&rules.partly),
            not_met: compile(&rules.not_met),
            review: compile(&rules.review),
        });
        let criteria = criteria.collect();
        while let Some(concept) = open.pop() {
            if !std::mem::replace(&mut is_sought[concept], true) {
                open.extend(list[concept].rule.iter().flat_map(|rule| rule.concepts()));
            }
        }
        let figured = (0..list.len()).filter(|concept| is_sought[*concept] && !list[*concept].figures.is_empty()).collect();
        Sought { steps: compiler.steps, criteria, is_sought, figured, naming }
    }

    /// Whether a phrase of a concept is looked for: also one with negations of its own, be its concept sought or not, for those
    /// deny nothing.
    pub(in crate::grade) fn has(&self, concept: usize, negations: &[String]) -> bool {
        self.is_sought[concept] || !negations.is_empty()
    }

    /// By step, whether it may hold anywhere in a text, by what is mentioned at all: most concepts are not.
    pub(super) fn possible(&self, mentioned: &Mentioned) -> Vec<bool> {
        let mut possible: Vec<bool> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let may_hold = match step {
                Step::All(steps) => steps.iter().all(|step| possible[*step]),
                Step::Some(wanted, steps) => steps.iter().filter(|step| possible[**step]).count() >= *wanted,
                Step::Says(concept, rule) => mentioned.has(*concept) || rule.is_some_and(|rule| possible[rule]),
                Step::As(_, step) | Step::In(_, step, _) | Step::Opens(step) => possible[*step],
                Step::Before(first, second) => possible[*first] && possible[*second],
                Step::Less(one, other) | Step::Compares(one, other) => mentioned.has(*one) && mentioned.has(*other),
                Step::Moves(_, concept) => mentioned.has(*concept),
                Step::Side(one, _, step) => mentioned.has(*one) && possible[*step],
                Step::Torn(one, other) => mentioned.has(*one) || mentioned.has(*other),
                Step::Not(_) | Step::Right(_) | Step::Answered(_) | Step::Greater(..) | Step::Fewer(_) | Step::Listed | Step::Untrue => {
                    true
                }
            };
            possible.push(may_hold);
        }
        possible
    }
}

/// Makes steps of rules.
struct Compiler<'c> {
    concepts: &'c Concepts,
    steps: Vec<Step>,
    known: FxHashMap<Step, usize>,
    /// The step of each concept that combines others, once there is one.
    said: Vec<Option<usize>>,
}

impl Compiler<'_> {
    fn step(&mut self, rule: &Rule) -> usize {
        let step = match rule {
            Rule::All(rules) => Step::All(self.steps(rules)),
            Rule::Some(wanted, rules) => Step::Some(*wanted, self.steps(rules)),
            Rule::Not(rule) => Step::Not(self.step(rule)),
            Rule::Says(concept) => Step::Says(*concept, self.combined(*concept)),
            Rule::As(manner, rule) => Step::As(*manner, self.step(rule)),
            Rule::In(stretch, rule) => {
                let step = self.step(rule);
                let mut demanded = Vec::new();
                self.demand(step, &mut demanded);
                Step::In(*stretch, step, demanded)
            }
            Rule::Before(first, second) => Step::Before(self.step(first), self.step(second)),
            Rule::Opens(rule) => Step::Opens(self.step(rule)),
            Rule::Less(one, other) => Step::Less(*one, *other),
            Rule::Compares(one, other) => Step::Compares(*one, *other),
            Rule::Untrue => Step::Untrue,
            Rule::Moves(direction, concept) => Step::Moves(*direction, *concept),
            Rule::Side(one, other, rule) => Step::Side(*one, *other, self.step(rule)),
            Rule::Torn(one, other) => Step::Torn(*one, *other),
            Rule::Right(ask) => Step::Right(*ask),
            Rule::Greater(one, other) => Step::Greater(*one, *other),
            Rule::Answered(ask) => Step::Answered(*ask),
            Rule::Fewer(words) => Step::Fewer(*words),
            Rule::Listed => Step::Listed,
        };
        *self.known.entry(step).or_insert_with_key(|step| {
            self.steps.push(step.clone());
            self.steps.len() - 1
        })
    }

    fn steps(&mut self, rules: &[Rule]) -> Vec<usize> {
        rules.iter().map(|rule| self.step(rule)).collect()
    }

    /// The rule of a concept that combines others. In a checked rubric none of them comes back to itself.
    fn combined(&mut self, concept: usize) -> Option<usize> {
        let concepts = self.concepts;
        let rule = concepts.list()[concept].rule.as_ref()?;
        let step = match self.said[concept] {
            Some(step) => step,
            None => self.step(rule),
        };
        self.said[concept] = Some(step);
        Some(step)
    }

    /// Adds the concepts of which each has to be mentioned by words of its own where a step holds.
    fn demand(&self, step: usize, concepts: &mut Vec<usize>) {
        match &self.steps[step] {
            Step::Says(concept, None) => concepts.push(*concept),
            Step::As(_, step) => self.demand(*step, concepts),
            Step::All(steps) => steps.iter().for_each(|step| self.demand(*step, concepts)),
            _ => {}
        }
    }
}
