//! Weighs arguments: whether what a part says meets a criterion, by the rules of the rubric, and on which words that rests.
//!
//! A rule decides only where it is sure. What no rule decides, or more than one, is left to a person, and so is a text
//! that points elsewhere.

mod compare;
mod found;
mod prose;
mod samples;
mod small_words;
mod sought;

use std::cell::{Cell, OnceCell};
use std::ops::Range;

use smallvec::SmallVec;

use crate::drill::{Concepts, Direction, Manner, Outcome, Rules, Stretch};
use crate::grade::argue::compare::Comparison;
use crate::grade::argue::found::{Found, Mentioned};
use crate::grade::argue::small_words::{AFTER_BREAK, CONJUNCTION, DOWN, NEGATOR, PREDICATE, TAKES, UP};
use crate::grade::argue::sought::{Outcomes, Step};
use crate::grade::finding::ReviewWhy;
use crate::text::Span;

pub use prose::Said;
use prose::Token;
pub(super) use prose::{Piece, Prose};
pub use samples::{Sampled, outcome, samples};
pub(super) use sought::{Lookup, Sought};

/// How the asks turned out, for rules that ask.
pub trait Verdicts {
    /// Whether an ask was judged right, by its place in the drill.
    fn is_right(&self, ask: usize) -> bool;
    /// The student's own value for an ask, in SI base units.
    fn own(&self, ask: usize) -> Option<f64>;
    /// The right value of an ask, in SI base units.
    fn reference(&self, ask: usize) -> Option<f64>;
}

/// Nothing is known about any ask.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoVerdicts;

impl Verdicts for NoVerdicts {
    fn is_right(&self, _: usize) -> bool {
        false
    }

    fn own(&self, _: usize) -> Option<f64> {
        None
    }

    fn reference(&self, _: usize) -> Option<f64> {
        None
    }
}

/// What was decided about a text, and by which of its words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// How it turned out.
    pub outcome: Outcome,
    /// The words that decided, or that a person should look at first, in the order of the text.
    pub evidence: Vec<Span>,
    /// Why a person has to decide, where one has.
    pub doubt: Option<ReviewWhy>,
}

/// Weighs what is said under one criterion.
pub fn weigh(concepts: &Concepts, rules: &Rules, said: &[Said<'_>], verdicts: &dyn Verdicts) -> Decision {
    let sought = Sought::by([rules], concepts);
    Weigher::new(concepts, &sought, Lookup::of(concepts), said.iter().map(|said| Piece::of(*said)), verdicts, Prose::default()).decide(0)
}

/// A text, read and ready to be weighed under any number of criteria that look for the same concepts.
pub(super) struct Weigher<'a> {
    concepts: &'a Concepts,
    sought: &'a Sought,
    lookup: Lookup<'a>,
    prose: Prose<'a>,
    verdicts: &'a dyn Verdicts,
    hits: Mentioned,
    /// Whether each step may hold at all.
    possible: Vec<bool>,
    /// Whether each step holds for the text as a whole, by step and manner: many rules ask for the same ones.
    held: Memo,
    /// What the text compares; most criteria do not ask.
    comparisons: OnceCell<Vec<Comparison>>,
    /// How many words the text has that say something.
    length: usize,
    /// The first few words, headings and keys left out.
    opening: Range<usize>,
}

/// The words on which a rule that holds rests; none where it rests on something that is absent.
type Evidence = SmallVec<[Range<usize>; 16]>;

impl<'a> Weigher<'a> {
    /// Reads a text, into the room of one that nobody needs any more.
    pub(super) fn new(
        concepts: &'a Concepts,
        sought: &'a Sought,
        lookup: Lookup<'a>,
        pieces: impl IntoIterator<Item = Piece<'a>>,
        verdicts: &'a dyn Verdicts,
        room: Prose<'a>,
    ) -> Weigher<'a> {
        let prose = Prose::read(concepts, pieces, room);
        let hits = Mentioned::find(&prose, concepts, sought, &lookup, verdicts);
        let start = prose.tokens.iter().position(|token| !token.meant.named).unwrap_or(prose.tokens.len());
        let sentence_end = prose.tokens.get(start).map_or(start, |token| prose.sentences[token.sentence].end);
        let opening = start..sentence_end.min(start + OPENING);
        let length = prose.length();
        let possible = sought.possible(&hits);
        let held = Memo::of(sought.steps.len() * Manner::ALL);
        Weigher { concepts, sought, lookup, prose, verdicts, hits, possible, held, comparisons: OnceCell::new(), length, opening }
    }

    /// The same text, where it is no answer to the part of its own but what stands outside of all parts: how it opens and
    /// how short it is says nothing about the part then.
    pub(super) fn unplaced(self) -> Weigher<'a> {
        Weigher { opening: 0..0, length: usize::MAX, ..self }
    }

    /// What was read, when nobody needs it any more.
    pub(super) fn into_room(self) -> Prose<'a> {
        self.prose
    }

    /// Whether nobody said anything.
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Weighs it under one of the criteria that are sought for.
    pub(super) fn decide(&self, criterion: usize) -> Decision {
        let whole = 0..self.prose.tokens.len();
        if self.length == 0 && self.hits.are_none(&self.prose, self.concepts, &self.lookup, self.verdicts) {
            return Decision { outcome: Outcome::NotMet, evidence: Vec::new(), doubt: None };
        }
        let Outcomes { met, partly, not_met, review } = self.sought.criteria[criterion];
        let mut evidence = Evidence::new();
        let mut holds = |rule: Option<usize>| {
            rule.is_some_and(|rule| self.is_held(rule, &whole, Manner::Meant) && self.gathers(rule, &whole, Manner::Meant, &mut evidence))
        };
        let outcomes = [(Outcome::Met, met), (Outcome::Partly, partly), (Outcome::NotMet, not_met)];
        let mut decided = outcomes.into_iter().filter(|(_, rule)| holds(*rule)).map(|(outcome, _)| outcome);
        let first = decided.next();
        let others = decided.count();
        let contested = holds(review) || others > 0;
        let earning = first.is_some_and(|first| first != Outcome::NotMet);
        let upheld = || met.is_none_or(|rule| self.is_held(rule, &whole, Manner::Upheld));
        let sure = |outcome: Outcome| self.is_sure(outcome, &evidence) && (outcome != Outcome::Met || upheld());
        let may_earn = || [met, partly].into_iter().flatten().any(|rule| self.possible[rule]);
        let outcome = match first {
            Some(outcome) if !contested && sure(outcome) => outcome,
            None if !contested && self.prose.is_tabular() && !may_earn() => Outcome::NotMet,
            _ => Outcome::Review,
        };
        let untrue = if outcome == Outcome::Review && earning { self.untrue(&whole) } else { None };
        let doubt = (outcome == Outcome::Review).then(|| match () {
            () if self.prose.copied => ReviewWhy::CopiedText,
            () if untrue.is_some() => ReviewWhy::UntrueComparison,
            () => ReviewWhy::NoRuleDecides,
        });
        evidence.extend(untrue.cloned());
        // Many rules rest on the same words.
        evidence.sort_unstable_by_key(|tokens| (tokens.start, tokens.end));
        evidence.dedup();
        Decision { outcome, evidence: self.spans(&evidence), doubt }
    }

    /// Whether an outcome that earns something rests on what is said and meant.
    fn is_sure(&self, outcome: Outcome, evidence: &[Range<usize>]) -> bool {
        if outcome == Outcome::NotMet {
            // What is not found may be said in other words, or in somebody else's.
            let absent = evidence.is_empty() && (self.prose.says_much() || self.prose.is_foreign());
            return !self.prose.copied && !absent;
        }
        if self.prose.copied {
            return false;
        }
        // A condition the wrong way round is no better than a claim.
        if self.comparisons().iter().any(|comparison| comparison.own && comparison.holds == Some(false)) {
            return false;
        }
        let is_fragment = |tokens: &Range<usize>| self.prose.fragments[self.prose.tokens[tokens.start].sentence];
        outcome != Outcome::Met || evidence.is_empty() || !evidence.iter().all(is_fragment)
    }

    /// Whether a mention stands in what is supposed for the sake of what would follow: `if the batch were the problem, …`.
    fn is_counterfactual(&self, hit: &Found) -> bool {
        let token = &self.prose.tokens[hit.tokens.start];
        let sentence = &self.prose.sentences[token.sentence];
        let would = |token: &Token| matches!(self.prose.plain(token), "would" | "wouldnt" | "würde" | "wäre");
        token.meant.supposed && self.prose.tokens[sentence.clone()].iter().any(would)
    }

    /// Whether what is said of a thing right after it is denied: `convergence does not suffer`. A negation that is part of a
    /// phrase of its own says something else.
    fn is_subject_of_denial(&self, hit: &Found) -> bool {
        let sentence = &self.prose.sentences[self.prose.tokens[hit.tokens.start].sentence];
        let after = hit.tokens.end..(hit.tokens.end + 3).min(sentence.end);
        let goes_on = |at: &usize| !self.prose.tokens[*at].is(AFTER_BREAK | CONJUNCTION);
        let mut near = after.take_while(goes_on);
        let Some(at) = near.find(|at| self.prose.tokens[*at].is(NEGATOR)) else { return false };
        let verb = self.prose.tokens[hit.tokens.end..at].iter().all(|token| token.is(PREDICATE));
        verb && !self.hits.denying.iter().any(|tokens| tokens.contains(&at))
    }

    /// The comparisons of the text.
    fn comparisons(&self) -> &[Comparison] {
        self.comparisons.get_or_init(|| {
            let of = |concept: usize| {
                self.hits.of(concept).iter().filter(|hit| hit.value.is_none()).map(move |hit| (hit.tokens.clone(), concept))
            };
            let named: Vec<(Range<usize>, usize)> = self.sought.naming.iter().copied().flat_map(of).collect();
            compare::find(&self.prose, self.concepts, &named, &|ask| self.verdicts.own(ask))
        })
    }

    fn comparisons_in(&self, within: &Range<usize>) -> impl Iterator<Item = &Comparison> {
        let inside = move |comparison: &&Comparison| within.start <= comparison.tokens.start && comparison.tokens.end <= within.end;
        self.comparisons().iter().filter(inside)
    }

    /// The first comparison of a stretch that is the wrong way round.
    fn untrue(&self, within: &Range<usize>) -> Option<&Range<usize>> {
        let untrue = |comparison: &&Comparison| comparison.asserted && comparison.holds == Some(false);
        self.comparisons_in(within).find(untrue).map(|comparison| &comparison.tokens)
    }

    /// A true comparison of what one concept names with what another does, the first being the smaller.
    fn compares(&self, small: usize, large: usize, within: &Range<usize>) -> Option<&Range<usize>> {
        let names = |concept: usize, tokens: &Range<usize>| self.hits_in(concept, tokens).next().is_some();
        let here =
            |comparison: &&Comparison| comparison.holds == Some(true) && names(small, &comparison.small) && names(large, &comparison.large);
        self.comparisons_in(within).find(here).map(|comparison| &comparison.tokens)
    }

    /// Where the text says that there is more, or less, of what a concept names: `less overlap`, `the latency grows`.
    fn moves(&self, direction: Direction, concept: usize, within: &Range<usize>, manner: Manner) -> Option<Range<usize>> {
        let mark = if direction == Direction::Up { UP } else { DOWN };
        let bound = |hit: &Found| {
            let sentence = &self.prose.sentences[self.prose.tokens[hit.tokens.start].sentence];
            let from = hit.tokens.start.saturating_sub(3).max(sentence.start).max(within.start);
            let to = (hit.tokens.end + 4).min(sentence.end).min(within.end);
            let same = |at: usize| {
                !(at.min(hit.tokens.start) + 1..=at.max(hit.tokens.start)).any(|at| self.prose.tokens[at].is(CONJUNCTION | AFTER_BREAK))
            };
            // What stands right before it, then what comes after, then a verb of which it is the object.
            let passive = |at: usize| matches!(self.prose.plain(&self.prose.tokens[at - 1]), "is" | "are" | "be" | "gets" | "was" | "wird");
            let behind = (hit.tokens.end..to).filter(|at| !self.prose.tokens[*at].is(TAKES) || passive(*at));
            let near = (from..hit.tokens.start).rev().chain(behind);
            near.filter(|at| self.prose.tokens[*at].is(UP | DOWN)).find(|at| same(*at))
        };
        for hit in self.hits_in(concept, within) {
            let Some(at) = bound(hit) else { continue };
            let token = &self.prose.tokens[at];
            let mover = Found { tokens: at..at + 1, denied: token.meant.denied, value: None };
            let modal =
                (at.saturating_sub(2)..at).any(|at| matches!(self.prose.plain(&self.prose.tokens[at]), "can" | "could" | "may" | "might"));
            if token.is(mark) && !modal && self.counts(&mover, manner) {
                return Some(at.min(hit.tokens.start)..(at + 1).max(hit.tokens.end));
            }
        }
        None
    }

    /// The stretches that speak of one concept: from each mention of it to the next one of the other, or to the end of the
    /// sentence.
    fn sides<'w>(&'w self, one: usize, other: usize, within: &'w Range<usize>) -> impl Iterator<Item = Range<usize>> + 'w {
        let side = move |hit: &Found| {
            let sentence = &self.prose.sentences[self.prose.tokens[hit.tokens.start].sentence];
            let rest = hit.tokens.start..sentence.end.min(within.end);
            let after = hit.tokens.end..rest.end;
            let end = self.hits_in(other, &after).next().map_or(rest.end, |next| next.tokens.start);
            rest.start..end
        };
        self.hits_in(one, within).map(side)
    }

    /// Two verdicts of which nothing says how they go together: both said outright, in sentences without a condition.
    fn torn(&self, one: usize, other: usize, within: &Range<usize>) -> Option<[Range<usize>; 2]> {
        let outright = |concept: usize| {
            self.hits_in(concept, within).find(|hit| {
                let sentence = &self.prose.sentences[self.prose.tokens[hit.tokens.start].sentence];
                self.counts(hit, Manner::Firm) && !self.prose.is_conditional(sentence)
            })
        };
        let denied = |concept: usize| self.hits_in(concept, within).find(|hit| self.counts(hit, Manner::Denied));
        let pair = |a: Option<&Found>, b: Option<&Found>| {
            let (a, b) = (a?, b?);
            let apart = self.prose.tokens[a.tokens.start].sentence != self.prose.tokens[b.tokens.start].sentence;
            apart.then(|| [a.tokens.clone(), b.tokens.clone()])
        };
        let (yes, no) = (outright(one), outright(other));
        pair(yes, no).or_else(|| pair(yes, denied(one))).or_else(|| pair(no, denied(other)))
    }

    /// The value of an ask: the student's own, or what it is.
    fn value(&self, ask: usize) -> Option<f64> {
        self.verdicts.own(ask).or_else(|| self.verdicts.reference(ask))
    }

    /// The evidence as places of the submission, in order and without overlap.
    fn spans(&self, evidence: &[Range<usize>]) -> Vec<Span> {
        let mut spans = Vec::with_capacity(evidence.len());
        spans.extend(evidence.iter().filter_map(|tokens| self.prose.span(tokens)));
        spans.sort_unstable();
        spans.dedup_by(|span, last| {
            let together = last.overlaps(*span) || last == span;
            if together {
                *last = last.join(*span);
            }
            together
        });
        spans
    }

    /// Whether a rule holds in a stretch of the text: most do not, and that needs no evidence.
    #[inline]
    fn is_held(&self, rule: usize, within: &Range<usize>, manner: Manner) -> bool {
        if !self.possible[rule] {
            return false;
        }
        if *within != (0..self.prose.tokens.len()) {
            return self.find_out(rule, within, manner);
        }
        let question = rule * Manner::ALL + manner as usize;
        self.held.known(question).unwrap_or_else(|| {
            let answer = self.find_out(rule, within, manner);
            self.held.keep(question, answer);
            answer
        })
    }

    /// The same, worked out.
    fn find_out(&self, rule: usize, within: &Range<usize>, manner: Manner) -> bool {
        let holds = |rule: &usize| self.is_held(*rule, within, manner);
        match &self.sought.steps[rule] {
            Step::All(rules) => rules.iter().all(holds),
            Step::Some(wanted, rules) => rules.iter().filter(|rule| holds(rule)).take(*wanted).count() >= *wanted,
            Step::Not(rule) => !self.is_held(*rule, within, manner.to_deny()),
            Step::Says(concept, rule) => {
                self.hits_in(*concept, within).any(|hit| self.counts(hit, manner)) || rule.as_ref().is_some_and(holds)
            }
            Step::As(wanted, rule) => self.is_held(*rule, within, manner.then(*wanted)),
            Step::In(stretch, rule, demanded) => {
                self.stretches(*stretch, demanded, within).any(|stretch| self.is_held(*rule, &stretch, manner))
            }
            Step::Opens(rule) => {
                let opening = self.opening.start.max(within.start)..self.opening.end.min(within.end);
                opening.start < opening.end && self.is_held(*rule, &opening, manner)
            }
            Step::Side(one, other, rule) => self.sides(*one, *other, within).any(|side| self.is_held(*rule, &side, manner)),
            Step::Less(small, large) => self.less(*small, *large, within).is_some(),
            Step::Compares(small, large) => self.compares(*small, *large, within).is_some(),
            Step::Untrue => self.untrue(within).is_some(),
            Step::Moves(direction, concept) => self.moves(*direction, *concept, within, manner).is_some(),
            Step::Torn(one, other) => self.torn(*one, *other, within).is_some(),
            // It depends on where the words stand.
            Step::Before(..) => self.gathers(rule, within, manner, &mut Evidence::new()),
            Step::Greater(one, other) => self.value(*one).zip(self.value(*other)).is_some_and(|(one, other)| one > other),
            Step::Right(ask) => self.verdicts.is_right(*ask),
            Step::Answered(ask) => self.verdicts.own(*ask).is_some(),
            Step::Fewer(words) => self.length < *words,
            Step::Listed => self.prose.tokens[within.clone()].iter().any(|token| token.meant.listed),
        }
    }

    /// The mentions of a concept that lie within a stretch.
    fn hits_in<'w>(&'w self, concept: usize, within: &'w Range<usize>) -> impl Iterator<Item = &'w Found> {
        let hits = self.hits.of(concept);
        let from = hits.partition_point(|hit| hit.tokens.start < within.start);
        hits[from..].iter().take_while(|hit| hit.tokens.start < within.end).filter(|hit| hit.tokens.end <= within.end)
    }

    /// Whether a rule holds in a stretch of the text, and on which words that rests: it adds them to those of other rules. What it
    /// added for a rule that does not hold, it takes back.
    fn gathers(&self, rule: usize, within: &Range<usize>, manner: Manner, evidence: &mut Evidence) -> bool {
        // What was found out before need not be gathered to come to nothing.
        let known = || *within == (0..self.prose.tokens.len()) && self.held.known(rule * Manner::ALL + manner as usize) == Some(false);
        if !self.possible[rule] || known() {
            return false;
        }
        let before = evidence.len();
        let mut add = |found: Option<&Range<usize>>| found.map(|found| evidence.push(found.clone())).is_some();
        let holds = match &self.sought.steps[rule] {
            Step::All(rules) => rules.iter().all(|rule| self.gathers(*rule, within, manner, evidence)),
            Step::Some(wanted, rules) => {
                let held = |rule: &&usize| self.gathers(**rule, within, manner, evidence);
                rules.iter().filter(held).count() >= *wanted
            }
            Step::Says(concept, rule) => self.says(*concept, *rule, within, manner, evidence),
            Step::As(wanted, rule) => self.gathers(*rule, within, manner.then(*wanted), evidence),
            Step::In(stretch, rule, demanded) => {
                let here = self.stretches(*stretch, demanded, within).find(|stretch| self.is_held(*rule, stretch, manner));
                here.is_some_and(|here| self.gathers(*rule, &here, manner, evidence))
            }
            Step::Before(first, second) => {
                self.gathers(*first, within, manner, evidence) && {
                    let middle = evidence.len();
                    self.gathers(*second, within, manner, evidence) && {
                        let (first, second) = evidence[before..].split_at(middle - before);
                        let end = first.iter().map(|tokens| tokens.end).min();
                        let start = second.iter().map(|tokens| tokens.start).max();
                        end.zip(start).is_some_and(|(end, start)| end <= start)
                    }
                }
            }
            Step::Opens(rule) => {
                let opening = self.opening.start.max(within.start)..self.opening.end.min(within.end);
                opening.start < opening.end && self.gathers(*rule, &opening, manner, evidence)
            }
            Step::Less(small, large) => self.less(*small, *large, within).map(|found| evidence.extend(found)).is_some(),
            Step::Compares(small, large) => add(self.compares(*small, *large, within)),
            Step::Untrue => add(self.untrue(within)),
            Step::Moves(direction, concept) => add(self.moves(*direction, *concept, within, manner).as_ref()),
            Step::Side(one, other, rule) => {
                let side = self.sides(*one, *other, within).find(|side| self.is_held(*rule, side, manner));
                side.is_some_and(|side| self.gathers(*rule, &side, manner, evidence))
            }
            Step::Torn(one, other) => self.torn(*one, *other, within).map(|found| evidence.extend(found)).is_some(),
            Step::Not(_) | Step::Greater(..) | Step::Right(_) | Step::Answered(_) | Step::Fewer(_) | Step::Listed => {
                self.is_held(rule, within, manner)
            }
        };
        if !holds {
            evidence.truncate(before);
        }
        holds
    }

    fn says(&self, concept: usize, rule: Option<usize>, within: &Range<usize>, manner: Manner, evidence: &mut Evidence) -> bool {
        let before = evidence.len();
        evidence.extend(self.hits_in(concept, within).filter(|hit| self.counts(hit, manner)).map(|hit| hit.tokens.clone()));
        evidence.len() > before || rule.is_some_and(|rule| self.gathers(rule, within, manner, evidence))
    }

    /// Whether a hit counts in a manner.
    fn counts(&self, hit: &Found, manner: Manner) -> bool {
        let meant = &self.prose.tokens[hit.tokens.start].meant;
        if meant.listed {
            return false;
        }
        let own = !meant.named && !meant.reported;
        match manner {
            Manner::Any => true,
            Manner::Meant => own && !hit.denied,
            Manner::Upheld => own && !hit.denied && !self.is_counterfactual(hit) && !self.is_subject_of_denial(hit),
            Manner::Firm => own && !hit.denied && !meant.supposed && !meant.conceded,
            Manner::Denied => own && hit.denied,
            Manner::About => own,
            Manner::Supposed => own && meant.supposed,
        }
    }

    fn less(&self, small: usize, large: usize, within: &Range<usize>) -> Option<[Range<usize>; 2]> {
        let figures = |concept: usize| {
            self.hits.of(concept).iter().filter(|hit| within.contains(&hit.tokens.start)).filter_map(|hit| Some((hit, hit.value?)))
        };
        figures(small).find_map(|(small, low)| {
            // A time is no smaller than a share.
            let (large, _) = figures(large).find(|(_, high)| low.1 == high.1 && low.0 < high.0)?;
            Some([small.tokens.clone(), large.tokens.clone()])
        })
    }

    /// The stretches of a size that lie within another and mention a concept, where some are demanded: the one of those with
    /// the fewest mentions.
    fn stretches<'w>(&'w self, stretch: Stretch, demanded: &[usize], within: &'w Range<usize>) -> impl Iterator<Item = Range<usize>> + 'w {
        let (ranges, more) = match stretch {
            Stretch::Clause => (&self.prose.clauses, 0),
            Stretch::Sentences(more) => (&self.prose.sentences, more),
        };
        let place = move |hit: &Found| {
            let token = &self.prose.tokens[hit.tokens.start];
            if stretch == Stretch::Clause { token.clause } else { token.sentence }
        };
        let mut here = overlapping(ranges, within);
        let last = here.end.saturating_sub(1);
        let mut anchors = demanded.iter().map(|concept| self.hits.of(*concept)).min_by_key(|hits| hits.len());
        std::iter::from_fn(move || {
            loop {
                let at = here.next()?;
                let stretch = ranges[at].start.max(within.start)..ranges[(at + more).min(last)].end.min(within.end);
                let Some(hits) = &mut anchors else { return Some(stretch) };
                // Mentions and stretches both go on through the text.
                let passed = hits.iter().take_while(|hit| hit.tokens.start < stretch.start).count();
                *hits = &hits[passed..];
                if hits.iter().take_while(|hit| hit.tokens.start < stretch.end).any(|hit| hit.tokens.end <= stretch.end) {
                    return Some(stretch);
                }
                // What lies between here and the next mention mentions nothing.
                here.start = here.start.max(place(hits.first()?).saturating_sub(more));
            }
        })
    }
}

/// Questions that are answered once: two bits each, whether that was done and how it came out.
struct Memo(SmallVec<[Cell<u64>; 64]>);

impl Memo {
    fn of(questions: usize) -> Memo {
        Memo(SmallVec::from_elem(Cell::new(0), questions.div_ceil(32)))
    }

    #[inline]
    fn known(&self, question: usize) -> Option<bool> {
        let answer = self.0[question / 32].get() >> (question % 32 * 2);
        (answer & 1 != 0).then_some(answer & 2 != 0)
    }

    fn keep(&self, question: usize, answer: bool) {
        let bits = &self.0[question / 32];
        bits.set(bits.get() | (1 | u64::from(answer) << 1) << (question % 32 * 2));
    }
}

/// Which of some ranges, that follow each other without overlap, share a word with another.
fn overlapping(ranges: &[Range<usize>], within: &Range<usize>) -> Range<usize> {
    let start = ranges.partition_point(|range| range.end <= within.start);
    let end = ranges.partition_point(|range| range.start < within.end);
    start..end.max(start)
}

/// How many words an opening is.
const OPENING: usize = 6;

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::answer::Role;
    use crate::drill::{CriterionKind, Library};
    use crate::text::Passage;

    fn decide(criterion: &str, text: &str) -> Decision {
        let drill = Library::built_in().load("communication-budget").expect("the shipped drill");
        let criterion = drill.rubric.criteria.iter().find(|known| known.id == criterion).expect("a criterion of the rubric");
        let CriterionKind::Argument(rules) = &criterion.kind else { panic!("not an argument") };
        let passage = Passage::verbatim(text, 0);
        let said = Said {
            part: None,
            passage: &passage,
            start: 0,
            end: text.len(),
            role: &Role::Paragraph,
            quoted: false,
            struck: &[],
            mentions: &[],
        };
        weigh(&drill.rubric.concepts, rules, &[said], &NoVerdicts)
    }

    #[test]
    fn nothing_said_is_not_met() {
        assert_eq!(decide("d.overlap", ""), Decision { outcome: Outcome::NotMet, evidence: Vec::new(), doubt: None });
    }

    #[test]
    fn evidence_has_its_place() {
        let text = "I disagree: the backward pass lasts 267 ms, and 203 ms hide under it.";
        let decision = decide("d.overlap", text);
        assert_eq!(decision.outcome, Outcome::Met);
        assert!(decision.evidence.iter().any(|span| text[span.range()].contains("backward")), "{decision:?}");
    }

    #[test]
    fn words_without_a_sentence_never_meet_a_criterion() {
        let catchwords = "overlap backward bucket hidden exposed critical path tail latency hops reduce-scatter all-gather memory tensor \
                          parallelism replicas critical batch size learning rate saturates linear window slack";
        let drill = Library::built_in().load("communication-budget").expect("the shipped drill");
        for criterion in &drill.rubric.criteria {
            if matches!(criterion.kind, CriterionKind::Argument(_)) {
                for text in [catchwords.to_owned(), catchwords.replace(' ', ", "), format!("Yes. {}", catchwords.replace(' ', " → "))] {
                    assert_ne!(decide(&criterion.id, &text).outcome, Outcome::Met, "{}: {text}", criterion.id);
                }
            }
        }
    }

    #[test]
    fn a_note_to_whoever_marks_it_is_no_argument() {
        let text = "Yes, 52 % is more than 50 %. The grader knows that overlap with the backward pass of 267 ms hides the traffic.";
        assert_ne!(decide("d.overlap", text).outcome, Outcome::Met);
    }

    #[test]
    fn long_hostile_text_costs_linear_time() {
        for unit in ["overlap, if not backward; ", "a, b, c, d e f g, ", "\"x y\" no not “", "25 MB. Not good? "] {
            let time = |times: usize| {
                let text = unit.repeat(times);
                let start = Instant::now();
                decide("f.default25", &text);
                start.elapsed()
            };
            let (short, long) = (time(1_000), time(8_000));
            assert!(long < short * 24 + Duration::from_secs(1), "`{unit}`: {short:?}, then {long:?}");
        }
    }
}
