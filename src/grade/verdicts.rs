//! From what was aligned to verdicts: each ask is judged after those it depends on, so that a student's own values carry
//! forward.

mod claims;
mod leftover;
mod memory;

pub(super) use claims::{read_judged, read_number};
pub(super) use memory::Memory;

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use memory::{Bearing, Mark};
use smol_str::SmolStr;

use crate::answer::Answer;
use crate::drill::{Ask, AskKind};
use crate::grade::Grader;
use crate::grade::align::{Alignment, Choice, Role, Unnamed};
use crate::grade::carry::{self, Own};
use crate::grade::clues::{Hit, Tag};
use crate::grade::evidence::{By, Evidence, Fit, Named};
use crate::grade::finding::{General, Mistake, Note, Read, ReviewWhy, Verdict};
use crate::grade::judge::{self, Judged};
use crate::grade::scene::{Scene, Spot, Standing};
use crate::grade::shown::{Shown, first_false_link};
use crate::grade::strange;

/// Values with fewer words than this between them are a list.
const FEWEST_WORDS: usize = 3;
/// So many phrases on either side of a number are looked at for its name.
const NEAR_HITS: usize = 16;

/// How one ask turned out.
#[derive(Clone, Debug)]
pub(super) enum Heard {
    /// Nothing was stated.
    Missing,
    /// One value was judged; the number, where it is one.
    Judged(Rc<Judged>, Option<usize>),
    /// A person decides between these numbers.
    Open(Vec<usize>, ReviewWhy),
}

/// Which number is meant, by ask, where a person says so.
pub(super) type Picks = BTreeMap<usize, usize>;

/// Judges every ask of an answer, in the order in which they depend on each other.
pub(super) fn judge_all(
    grader: &Grader,
    answer: &Answer,
    scene: &Scene,
    alignment: &Alignment,
    memory: &Memory,
    picks: &Picks,
) -> Vec<Heard> {
    let asks = grader.drill.asks.len();
    let (own, marks, outcomes) = (Vec::with_capacity(asks), Vec::with_capacity(asks), vec![Heard::Missing; asks]);
    let mut court = Court { grader, answer, scene, alignment, memory, picks, own, marks, outcomes };
    court.hear_all(&[]);
    let second = court.second_choices();
    if !second.is_empty() {
        court.own.clear();
        court.marks.clear();
        court.hear_all(&second);
    }
    // What is demanded has the first choice of what is left.
    let mut left: Option<Vec<(Spot, usize)>> = None;
    for required in [true, false] {
        for ask in grader.order.iter().copied() {
            if grader.drill.asks[ask].required == required
                && matches!(court.outcomes[ask], Heard::Missing)
                && let Some(outcome) = court.left_over(ask, left.get_or_insert_with(|| court.left()))
            {
                court.settle(ask, outcome);
            }
        }
    }
    court.name_swapped();
    court.outcomes
}

/// What each of an ask's candidates would be worth, were it the one that is meant, for a person who decides between them.
pub(super) fn weigh_candidates(
    grader: &Grader,
    answer: &Answer,
    scene: &Scene,
    alignment: &Alignment,
    memory: &Memory,
    heard: &[Heard],
) -> Vec<(usize, Vec<(Verdict, f64)>)> {
    let is_open = |heard: &Heard| match heard {
        Heard::Open(..) => true,
        Heard::Judged(judged, _) => judged.verdict == Verdict::Unclear,
        Heard::Missing => false,
    };
    if !heard.iter().any(is_open) {
        return Vec::new();
    }
    let none = Picks::new();
    let (own, marks) = (Vec::with_capacity(heard.len()), Vec::with_capacity(heard.len()));
    let mut court = Court { grader, answer, scene, alignment, memory, picks: &none, own, marks, outcomes: Vec::new() };
    let bears = |ask: usize| (0..heard.len()).any(|open| is_open(&heard[open]) && grader.routes.bears(ask, open));
    for ask in grader.order.iter().copied().filter(|ask| bears(*ask)) {
        court.learn(ask, &heard[ask]);
    }
    let credit = &grader.drill.rubric.credit;
    let weigh = |judged: &Judged| (judged.verdict, if judged.verdict == Verdict::Unclear { 0.0 } else { judged.share(credit) });
    let asks = heard.iter().enumerate().filter(|(_, heard)| is_open(heard));
    asks.map(|(ask, heard)| match heard {
        Heard::Open(numbers, _) => (ask, numbers.iter().map(|number| weigh(&court.judge_number(ask, *number))).collect()),
        Heard::Judged(judged, _) => (ask, vec![weigh(judged)]),
        Heard::Missing => (ask, Vec::new()),
    })
    .collect()
}

/// The values of an answer, judged one after the other.
pub(super) struct Court<'a> {
    pub(super) grader: &'a Grader<'a>,
    answer: &'a Answer,
    scene: &'a Scene<'a>,
    pub(super) alignment: &'a Alignment,
    pub(super) memory: &'a Memory,
    picks: &'a Picks,
    /// What the student has for the asks judged so far.
    pub(super) own: Vec<(usize, Own)>,
    /// The asks of the same, and how the memory knows them.
    pub(super) marks: Vec<(usize, Mark)>,
    /// How the asks judged so far turned out.
    pub(super) outcomes: Vec<Heard>,
}

impl Court<'_> {
    /// Hears the asks one after the other, those before the others that they are worked out from.
    fn hear_all(&mut self, decided: &[(usize, Heard)]) {
        for (ask, heard) in decided {
            self.outcomes[*ask] = heard.clone();
        }
        for ask in self.grader.order.iter().copied() {
            if let Some(&number) = self.picks.get(&ask) {
                // Whom a person believes, nothing else in the answer contradicts.
                let outcome = Heard::Judged(self.judge_number(ask, number), Some(number));
                self.learn(ask, &outcome);
                self.outcomes[ask] = outcome;
                continue;
            }
            let outcome = decided.iter().find(|(other, _)| *other == ask).map(|(_, heard)| heard.clone());
            let outcome = outcome.unwrap_or_else(|| self.against_own(ask, self.hear(ask)));
            self.settle(ask, outcome);
        }
    }

    fn settle(&mut self, ask: usize, outcome: Heard) {
        self.learn(ask, &outcome);
        self.outcomes[ask] = outcome;
    }

    fn hear(&self, ask: usize) -> Heard {
        match &self.alignment.choices[ask] {
            Choice::Missing => self.in_wrong_unit(ask).unwrap_or(Heard::Missing),
            Choice::One(number) => self.one(ask, *number),
            Choice::Only(number) => self.only(ask, *number),
            Choice::Words(words) => {
                // Words are what they say, whatever else the student has.
                let judged = judge::judge(&self.grader.routes, ask, &self.claim_of_words(ask, words), &|| &[]);
                Heard::Judged(Rc::new(judged), None)
            }
            Choice::Several(numbers) => self.several(ask, numbers),
            Choice::Unnamed(unnamed) => self.unnamed(ask, unnamed),
        }
    }

    fn one(&self, ask: usize, number: usize) -> Heard {
        if self.gives_both_ends(ask, number) {
            return Heard::Open(vec![number], ReviewWhy::Unlabeled);
        }
        // In a form in which the ask is seldom answered, only a value that the drill knows is an answer.
        let taken = &self.alignment.taken[number];
        let by_words = taken.words.as_ref().is_none_or(|words| words.by == By::Words);
        let odd = taken.fit.is_some_and(|fit| match fit {
            Fit::Odd | Fit::Other => true,
            Fit::Bare => by_words && !self.grader.drill.asks[ask].required,
            // A single digit beside the words for what is not even demanded may be anything.
            Fit::Natural => {
                let mention = &self.scene.numbers[number].mention;
                let digit = mention.unit.is_none() && mention.noun.is_none() && mention.number.len() == 1;
                by_words && !self.grader.drill.asks[ask].required && digit
            }
            Fit::No => false,
        });
        // What is not demanded was hardly answered among the words for another item.
        let elsewhere =
            by_words && !self.grader.drill.asks[ask].required && self.grader.in_another_item(self.scene.numbers[number].spot, ask);
        // What something else is held against is hardly the value itself.
        let yardstick = by_words && self.scene.numbers[number].yardstick && !matches!(self.grader.drill.asks[ask].kind, AskKind::Range(_));
        if odd || elsewhere || yardstick || by_words && self.is_shared_name(ask, number) {
            return self.known(ask, number);
        }
        Heard::Judged(self.with_work(ask, number, self.judge_number(ask, number)), Some(number))
    }

    /// Whether the very words that name a number for what is not demanded name another ask as well, and as clearly: the `factor` of
    /// `a factor of 1.03`.
    fn is_shared_name(&self, ask: usize, number: usize) -> bool {
        let evidence = &self.alignment.evidence[number];
        let Some(own) = evidence.iter().find(|one| one.ask == ask) else { return false };
        let words = own.words.as_ref().map(|words| (words.block, &words.range));
        let same = |other: &&Evidence| {
            let there = other.words.as_ref().map(|words| (words.block, &words.range));
            other.ask != ask && there == words && other.named > 0.0 && other.named >= 0.9 * own.named
        };
        !self.grader.drill.asks[ask].required && words.is_some() && evidence.iter().any(|other| same(&other))
    }

    /// Whether a factor is asked for and only what it leads from and to is said: `from 32 to 256 micro-batches` grows by eight.
    /// Whether that is enough is for a person to say.
    fn gives_both_ends(&self, ask: usize, number: usize) -> bool {
        let asked = &self.grader.drill.asks[ask];
        let Some(from) = self.scene.numbers[number].changed_from.filter(|from| !from.is_zero()) else { return false };
        let mention = &self.scene.numbers[number].mention;
        let to = mention.readings.first().filter(|reading| reading.unit.is_none()).map(|reading| reading.value);
        let demanded = asked.required && self.grader.shapes[ask].is_factor();
        demanded && to.is_some_and(|to| asked.tolerance.around(asked.formula.value()).contains(to / from))
    }

    /// The verdict on a number with what the work that leads to it adds.
    fn with_work(&self, ask: usize, number: usize, judged: Rc<Judged>) -> Rc<Judged> {
        let drill = self.grader.drill;
        let mentions = |at: usize| self.scene.numbers.get(at).map(|number| &number.mention);
        let work = self.scene.numbers[number].chain.map(|chain| &self.scene.chains[chain]);
        let found = work.and_then(|work| {
            let text = self.scene.lines[work.line].text();
            let false_link = first_false_link(drill, &self.grader.ambiguous, &drill.asks[ask], &work.chain, text, &mentions, number)?;
            Some((work, false_link))
        });
        let Some((work, Shown { left, comes_to, right })) = found else { return judged };
        let passage = &self.scene.lines[work.line].source.passage;
        let read = |range: std::ops::Range<usize>| {
            let span = passage.span(range);
            let text = SmolStr::new(self.answer.source.slice(span));
            Read { span, text, value: comes_to.value, high: None, unit: None, unit_elsewhere: false, approximate: false, words: false }
        };
        let (routes, bearing) = (&self.grader.routes, self.bearing(ask));
        let ways = || bearing.ways(routes, ask, &self.own);
        Rc::new(judge::with_work(routes, ask, Judged::clone(&judged), comes_to, read(left), read(right), &ways))
    }

    /// The only value that may be meant is the answer to what the question demands. What it does not demand may not have
    /// been answered at all: there a value counts only that is right, or a mistake that the drill knows.
    fn only(&self, ask: usize, number: usize) -> Heard {
        let Some(number) = self.as_term(ask, number) else { return Heard::Missing };
        if self.grader.drill.asks[ask].required { self.one(ask, number) } else { self.known(ask, number) }
    }

    /// The number that is meant for a term of a sum whose terms nothing names: the one in its place, unless none of them is right
    /// there and the terms were added up in another order: `201.5 + 1.24 = 202.74 ms`. Any two numbers add up to something.
    fn as_term(&self, ask: usize, number: usize) -> Option<usize> {
        let numbers = &self.scene.numbers;
        let here = &numbers[number];
        let Some(chain) = here.chain.filter(|_| here.standing == Standing::Operand) else { return Some(number) };
        let terms = |sum: usize| self.grader.anatomy.terms(sum);
        let of_chain =
            |choice: &Choice| matches!(choice, Choice::One(of) | Choice::Only(of) if numbers[*of].chain == Some(chain) && *of != number);
        let sum = (0..self.outcomes.len()).find(|sum| of_chain(&self.alignment.choices[*sum]) && terms(*sum).contains(&ask));
        let Some(terms) = sum.map(terms) else { return Some(number) };
        let inside = |other: &usize| numbers[*other].chain == Some(chain) && numbers[*other].standing == Standing::Operand;
        let operands: Vec<usize> = self.scene.lines[here.line].numbers.clone().filter(inside).collect();
        let right = |(term, operand): (&usize, &usize)| self.is_right_for(*term, *operand);
        if operands.len() != terms.len() || terms.iter().zip(&operands).any(right) {
            return Some(number);
        }
        let other = operands.iter().copied().find(|operand| self.is_right_for(ask, *operand));
        other.or_else(|| matches!(self.judge_number(ask, number).mistake, Some(Mistake::Listed(_))).then_some(number))
    }

    /// A value that counts only where it is right, or a mistake that the drill knows, or for a person to decide.
    fn known(&self, ask: usize, number: usize) -> Heard {
        let judged = self.judge_number(ask, number);
        let known = is_right(&judged) || judged.verdict == Verdict::Unclear || matches!(judged.mistake, Some(Mistake::Listed(_)));
        if known { Heard::Judged(judged, Some(number)) } else { Heard::Missing }
    }

    /// Values that exclude each other count only where they all are right.
    fn several(&self, ask: usize, numbers: &[usize]) -> Heard {
        if numbers.iter().any(|number| self.scene.numbers[*number].foreign) {
            return Heard::Open(numbers.to_vec(), ReviewWhy::NotOwn);
        }
        let judged: Vec<Rc<Judged>> = numbers.iter().map(|number| self.judge_number(ask, *number)).collect();
        let undecided = numbers.iter().any(|number| self.scene.numbers[*number].doubted);
        if !undecided && let Some(right) = self.beside_readings(numbers, &judged) {
            return Heard::Judged(self.with_work(ask, numbers[right], Rc::clone(&judged[right])), Some(numbers[right]));
        }
        if !undecided && let Some(right) = self.apart_from_others(ask, numbers, &judged) {
            return Heard::Judged(self.with_work(ask, numbers[right], Rc::clone(&judged[right])), Some(numbers[right]));
        }
        if !undecided && judged.iter().all(|judged| is_right(judged)) {
            // The first is as good as any; the reference itself is better than another reading of it.
            let best = judged.iter().position(|judged| judged.reading.is_none());
            let full = || judged.iter().position(|judged| judged.verdict != Verdict::Form);
            let best = best.or_else(full).unwrap_or(0);
            let best = (numbers[best], judged[best].clone());
            return Heard::Judged(self.with_work(ask, best.0, best.1), Some(best.0));
        }
        Heard::Open(numbers.to_vec(), ReviewWhy::TwoCandidates)
    }

    /// The one right value where each of the others is right for another ask of the part that has none: `ZeRO-2 ratio 0.507; node
    /// ratio 0.0386`.
    fn apart_from_others(&self, ask: usize, numbers: &[usize], judged: &[Rc<Judged>]) -> Option<usize> {
        let asks = &self.grader.drill.asks;
        let right = judged.iter().position(|judged| is_right(judged))?;
        let explained = |at: usize| {
            let number = numbers[at];
            let here = |other: &usize| *other != ask && asks[*other].part == asks[ask].part && asks[*other].required;
            let named = |other: usize| self.alignment.evidence[number].iter().any(|one| one.ask == other && one.named > 0.0);
            let open = |other: &usize| matches!(self.outcomes[*other], Heard::Missing) && named(*other);
            !is_right(&judged[at]) && (0..asks.len()).filter(here).filter(open).any(|other| self.is_right_for(other, number))
        };
        let others = || (0..numbers.len()).filter(|at| *at != right);
        (numbers.len() <= 4 && !self.are_listed(numbers) && others().all(explained)).then_some(right)
    }

    /// The one right value where all others are alternatives to it that have words of their own behind them and are the value
    /// by another reading: `50.7 % of the compute, or 33.6 % of the step if nothing overlaps`.
    fn beside_readings(&self, numbers: &[usize], judged: &[Rc<Judged>]) -> Option<usize> {
        let right = judged.iter().position(|judged| judged.verdict == Verdict::Correct && judged.reading.is_none())?;
        let other = |at: usize| {
            let number = &self.scene.numbers[numbers[at]];
            let behind = |words: &Named| words.by == By::Words && words.range.start >= number.mention.range.end;
            let worded = self.alignment.taken[numbers[at]].words.as_ref().is_some_and(behind);
            let reading = judged[at].reading.is_some() || judged[at].review == Some(ReviewWhy::ReadingNotLabeled);
            worded && reading && number.alternative_to == Some(numbers[right])
        };
        (0..numbers.len()).filter(|at| *at != right).all(other).then_some(right)
    }

    /// A value that nothing names counts where it is right for this ask alone and nothing else could be meant.
    fn unnamed(&self, ask: usize, unnamed: &Unnamed) -> Heard {
        let asks = &self.grader.drill.asks;
        let right: Vec<usize> = unnamed.numbers.iter().copied().filter(|number| self.is_right_for(ask, *number)).collect();
        if unnamed.bare {
            let wanted = |number: &usize| {
                !asks[ask].required
                    && self
                        .group(unnamed.group)
                        .any(|(other, of)| asks[other].required && of.numbers.contains(number) && self.is_right_for(other, *number))
            };
            let right: Vec<usize> = right.into_iter().filter(|number| !wanted(number)).collect();
            return if right.is_empty() { Heard::Missing } else { Heard::Open(offered(unnamed, &right), ReviewWhy::Unlabeled) };
        }
        if let Some(number) = unnamed.in_order
            && (self.group(unnamed.group).all(|(other, of)| of.in_order.is_some_and(|number| self.is_right_for(other, number)))
                || self.is_explained(unnamed.group))
        {
            return self.one(ask, number);
        }
        match right.as_slice() {
            // What may be meant is never nothing, even where it is not right.
            [] => {
                let told = |number: &usize| {
                    let here = &self.scene.numbers[*number];
                    let natural = self.grader.shapes[ask].fit(&here.mention) == Fit::Natural;
                    natural && here.mention.unit.is_some() && !here.supposed && !here.compared && !here.led_on
                };
                let right_for_another = |number: &usize| {
                    let mut group = self.group(unnamed.group);
                    group.any(|(other, of)| other != ask && of.numbers.contains(number) && self.is_right_for(other, *number))
                };
                let may_be = unnamed.numbers.iter().copied().filter(told).filter(|number| !right_for_another(number));
                let may_be: Vec<usize> = may_be.collect();
                let open = asks[ask].required && !may_be.is_empty() && self.is_all_unnamed(ask);
                if open { Heard::Open(may_be, ReviewWhy::Unlabeled) } else { Heard::Missing }
            }
            [number] if unnamed.numbers.len() == 1 && self.only_right_for(ask, *number, unnamed.group) => self.one(ask, *number),
            // Each of the others is right for an ask of its own.
            [number]
                if self.only_right_for(ask, *number, unnamed.group)
                    && !self.are_listed(&unnamed.numbers)
                    && unnamed.numbers.iter().all(|other| other == number || self.is_right_for_another(ask, *other, unnamed.group)) =>
            {
                self.one(ask, *number)
            }
            [number, ..]
                if right.len() == unnamed.numbers.len()
                    && self.group(unnamed.group).count() == 1
                    && (self.are_alternatives(&right) || self.are_shares(ask, &right)) =>
            {
                self.one(ask, *number)
            }
            right => Heard::Open(offered(unnamed, right), ReviewWhy::Unlabeled),
        }
    }

    /// Whether nothing that the place of an ask demands is named there: its item, or its whole part.
    fn is_all_unnamed(&self, ask: usize) -> bool {
        let asks = &self.grader.drill.asks;
        let beside =
            |other: &Ask| other.required && other.part == asks[ask].part && (asks[ask].item.is_none() || other.item == asks[ask].item);
        let found = |other: usize| !matches!(self.alignment.choices[other], Choice::Missing | Choice::Unnamed(_));
        !(0..asks.len()).any(|other| beside(&asks[other]) && found(other))
    }

    /// Whether values without names, taken in the order of the question, are right or a known mistake each, with what follows
    /// from it: `0.62 ms, 100.75 ms, 101.37 ms`.
    fn is_explained(&self, group: usize) -> bool {
        let mut own = self.own.clone();
        let in_group = |ask: &usize| matches!(&self.alignment.choices[*ask], Choice::Unnamed(unnamed) if unnamed.group == group);
        self.grader.order.iter().copied().filter(in_group).all(|ask| {
            let Choice::Unnamed(Unnamed { in_order: Some(number), .. }) = self.alignment.choices[ask] else { return false };
            let ways = LazyCell::new(|| carry::ways(&self.grader.routes, ask, &own));
            let judged = judge::judge(&self.grader.routes, ask, &self.claim_of_number(ask, number), &|| &ways);
            if !own.iter().any(|(other, _)| *other == ask) {
                own.extend(self.own_value(ask, &judged).map(|own| (ask, own)));
            }
            is_right(&judged) || matches!(judged.mistake, Some(Mistake::Listed(_) | Mistake::General(General::PowerOfTen { .. })))
        })
    }

    /// The digits that are asked for, named for it in its part, with a unit of another dimension: `the latency is 1.24 GB`.
    fn in_wrong_unit(&self, ask: usize) -> Option<Heard> {
        let asked = &self.grader.drill.asks[ask];
        let dimension = asked.formula.dimension();
        if !asked.required || dimension.is_none() {
            return None;
        }
        let named = |number: usize| {
            let here = &self.scene.numbers[number];
            let line = &self.scene.lines[here.line];
            let place = |at: usize| (line.words.sentence_at(at), line.clause_at(at));
            let apart = here.mention.unit.is_some()
                && here.mention.readings.iter().all(|reading| reading.unit.as_ref().is_some_and(|unit| unit.dimension != dimension));
            let free = self.alignment.taken[number].role == Role::Aside && !here.withdrawn && !here.dead && !here.past && !here.foreign;
            let said = |hit: &Hit| hit.tag == Tag::Cue(ask) && place(hit.range.start) == place(here.mention.range.start);
            // The words that name it stand near.
            let next = line.hits.partition_point(|hit| hit.range.start < here.mention.range.start);
            let near = &line.hits[next.saturating_sub(NEAR_HITS)..(next + NEAR_HITS).min(line.hits.len())];
            apart && free && near.iter().any(said) && self.grader.in_place(line, here.spot, ask)
        };
        (0..self.scene.numbers.len()).filter(|number| named(*number)).find_map(|number| {
            let judged = self.judge_number(ask, number);
            let told = judged.notes.iter().any(|note| matches!(note, Note::WrongUnit { .. }));
            told.then_some(Heard::Judged(judged, Some(number)))
        })
    }

    /// Whether each number is an alternative to one of the others, in the student's words.
    fn are_alternatives(&self, numbers: &[usize]) -> bool {
        numbers.iter().skip(1).all(|number| self.scene.numbers[*number].alternative_to.is_some_and(|other| numbers.contains(&other)))
    }

    /// Whether numbers are several right answers by other readings of an ask: `1.24 ms (0.61 %), 201.5 ms (99.39 %)`.
    fn are_shares(&self, ask: usize, numbers: &[usize]) -> bool {
        numbers.iter().all(|number| self.judge_number(ask, *number).reading.is_some())
    }

    fn group(&self, group: usize) -> impl Iterator<Item = (usize, &Unnamed)> {
        self.alignment.choices.iter().enumerate().filter_map(move |(ask, choice)| match choice {
            Choice::Unnamed(unnamed) if unnamed.group == group => Some((ask, unnamed)),
            _ => None,
        })
    }

    fn only_right_for(&self, ask: usize, number: usize, group: usize) -> bool {
        self.group(group).all(|(other, of)| other == ask || !of.numbers.contains(&number) || !self.is_right_for(other, number))
    }

    /// Whether numbers follow each other with hardly a word between them: a list of values says nothing about which is which.
    fn are_listed(&self, numbers: &[usize]) -> bool {
        numbers.windows(2).any(|pair| {
            let (one, other) = (&self.scene.numbers[pair[0]], &self.scene.numbers[pair[1]]);
            let words = self.scene.lines[one.line].words.list();
            let first = words.partition_point(|word| word.range.start < one.mention.range.end);
            let between = words[first..].iter().take_while(|word| word.range.end <= other.anchor).filter(|word| word.is_word());
            one.line == other.line && between.count() < FEWEST_WORDS
        })
    }

    /// Whether a number is right for another ask that shares it, or was found to be the right value of one.
    fn is_right_for_another(&self, ask: usize, number: usize, group: usize) -> bool {
        let found = |heard: &Heard| matches!(heard, Heard::Judged(judged, Some(of)) if *of == number && is_right(judged));
        self.outcomes.iter().any(found)
            || self.group(group).any(|(other, of)| other != ask && of.numbers.contains(&number) && self.is_right_for(other, number))
    }

    /// The verdict on a number for an ask.
    pub(super) fn judge_number(&self, ask: usize, number: usize) -> Rc<Judged> {
        let bearing = self.bearing(ask);
        bearing.verdict(number, || self.judge_anew(ask, number, bearing))
    }

    /// Whether a number is right for an ask. Nearly none is, and most of them are not even judged for that.
    pub(super) fn is_right_for(&self, ask: usize, number: usize) -> bool {
        let (routes, bearing) = (&self.grader.routes, self.bearing(ask));
        let kind = self.scene.numbers[number].mention.kind;
        judge::may_be_right(routes, ask, &self.readings(ask, number), kind, &|| bearing.ways(routes, ask, &self.own))
            && is_right(&bearing.verdict(number, || self.judge_anew(ask, number, bearing)))
    }

    /// Which of the student's own values bear on an ask, as far as they are known.
    fn bearing(&self, ask: usize) -> &Bearing {
        let bearing = self.marks.iter().filter(|(from, _)| self.grader.routes.bears(*from, ask)).map(|(_, mark)| *mark);
        self.memory.bearing(ask, bearing)
    }

    fn judge_anew(&self, ask: usize, number: usize, bearing: &Bearing) -> Judged {
        let routes = &self.grader.routes;
        let judged = judge::judge(routes, ask, &self.claim_of_number(ask, number), &|| bearing.ways(routes, ask, &self.own));
        // Whatever a word behind a bare number means, it is neither right without its unit nor wrong in another.
        let measured = !self.grader.drill.asks[ask].formula.dimension().is_none();
        let bare = || self.scene.numbers[number].mention.readings.iter().all(|reading| reading.unit.is_none());
        if measured && bare() && strange::is_strange(self.grader, self.scene, &self.scene.numbers[number]) {
            let review = Some(ReviewWhy::UnknownUnit);
            return Judged { verdict: Verdict::Unclear, review, own: None, notes: Vec::new(), reading: None, mistake: None, ..judged };
        }
        // The two units of `202.7/1600` cancel, and nobody writes them.
        let only_bare = judged.verdict == Verdict::Form && judged.notes.iter().all(|note| matches!(note, Note::MissingUnit { .. }));
        if only_bare && self.divides_bare(number) {
            return Judged { verdict: Verdict::Correct, notes: Vec::new(), ..judged };
        }
        judged
    }

    /// Whether a bare number divides another one in the work shown.
    fn divides_bare(&self, number: usize) -> bool {
        let number = &self.scene.numbers[number];
        let text = self.scene.lines[number.line].text();
        let over = text[..number.mention.range.start].trim_end().strip_suffix(['/', '÷', '∕', ':']).map(str::trim_end);
        number.standing == Standing::Operand && over.is_some_and(|over| over.ends_with(|c: char| c.is_ascii_digit() || c == ')'))
    }
}

/// The values between which a person chooses where nothing names them: not only those that are right, which come first, but
/// all that may be meant, as far as anybody looks through them.
fn offered(unnamed: &Unnamed, right: &[usize]) -> Vec<usize> {
    const MOST: usize = 9;
    let others = unnamed.numbers.iter().filter(|number| !right.contains(number));
    right.iter().chain(others.take(MOST.saturating_sub(right.len()))).copied().collect()
}

pub(super) fn is_right(judged: &Judged) -> bool {
    matches!(judged.verdict, Verdict::Correct | Verdict::CarriedForward | Verdict::Form)
}
