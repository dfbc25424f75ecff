//! Second looks, before an ask is called missing or its value wrong: a right value that stands in the ask's own place and
//! was taken for nothing, and one that the words fit as well as the one that was taken.
//!
//! Nothing here outweighs a label. What the words name for an ask is its answer, right or wrong; only where they leave it
//! open is a value taken for what it comes to, and where that may be chance, a person is asked.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::grade::align::{Role, agree};
use crate::grade::evidence::{Evidence, Fit};
use crate::grade::finding::{ReviewWhy, Verdict};
use crate::grade::judge::Judged;
use crate::grade::scene::{Depth, Number, Spoken, Spot, Standing};
use crate::grade::verdicts::{Court, Heard};

/// From this share of the evidence on, a right value fits an ask as well as the wrong one that was taken for it.
const AS_WELL: f32 = 0.95;
/// Of more numbers than this that nothing names, none is an answer.
const MOST: usize = 64;
/// So many words may stand between a value and its growth.
const WORDS_BETWEEN: usize = 5;
/// From this share on, it may be meant as well.
const NEARLY_AS_WELL: f32 = 0.6;

/// The asks that were answered wrongly, with the numbers that were taken for them.
type Wrong = SmallVec<[(usize, usize); 16]>;

impl Court<'_> {
    /// The asks for which another number should be heard than the one that was taken.
    pub(super) fn second_choices(&self) -> Vec<(usize, Heard)> {
        let mut found = Vec::new();
        let wrong: Wrong = (0..self.outcomes.len()).filter_map(|ask| Some((ask, self.wrong_number(ask)?))).collect();
        if wrong.is_empty() {
            return found;
        }
        // What is free, for each of the asks that its words may name: each number is looked at once, not once for each ask.
        let free = (0..self.scene.numbers.len()).filter(|number| self.is_free(*number, &wrong));
        let free: Vec<(usize, &Evidence)> = free
            .flat_map(|number| self.alignment.evidence[number].iter().map(move |one| (number, one)))
            .filter(|(_, one)| wrong.iter().any(|(ask, _)| *ask == one.ask))
            .collect();
        for (ask, number) in wrong.iter().copied() {
            let Some(known) = self.evidence(number, ask) else { continue };
            if found.iter().any(|(other, _)| *other == ask) {
                continue;
            }
            let here = free.iter().filter(|(other, one)| one.ask == ask && *other != number);
            let rivals = here.filter(|(other, one)| self.may_be_meant_instead(ask, number, known, *other, one)).map(|(other, _)| *other);
            let rivals: Vec<usize> = rivals.take(MOST + 1).collect();
            if rivals.len() > MOST {
                continue;
            }
            let best = rivals
                .into_iter()
                .filter(|rival| self.is_right_for(ask, *rival))
                .max_by(|a, b| self.named(*a, ask).total_cmp(&self.named(*b, ask)));
            let Some(rival) = best else { continue };
            let share = if known.named > 0.0 { self.named(rival, ask) / known.named } else { 1.0 };
            // In the place of the ask rather than in another one, a value of its own rather than that of a given, with a unit
            // rather than without one.
            let unit = |number: usize| self.scene.numbers[number].mention.unit.is_some();
            let better = self.is_elsewhere(number, ask) && !self.is_elsewhere(rival, ask)
                || !self.is_elsewhere(rival, ask) && (self.scene.numbers[number].given || unit(rival) && !unit(number));
            if share >= AS_WELL || better {
                found.push((ask, Heard::Judged(self.judge_number(ask, rival), Some(rival))));
                if let Role::Answer(other) = self.alignment.taken[rival].role {
                    found.push((other, Heard::Judged(self.judge_number(other, number), Some(number))));
                }
            } else if share >= NEARLY_AS_WELL {
                let mut both = vec![number, rival];
                both.sort_unstable();
                found.push((ask, Heard::Open(both, ReviewWhy::TwoCandidates)));
            }
        }
        let moved = self.moved(&wrong);
        found.extend(moved.into_iter().filter(|(ask, _)| !found.iter().any(|(other, _)| other == ask)).collect::<Vec<_>>());
        found
    }

    /// Numbers that the words name as well for another ask, for which they are right and which has none: one `efficiency` where
    /// two are asked for.
    fn moved(&self, wrong: &[(usize, usize)]) -> Vec<(usize, Heard)> {
        let asks = &self.grader.drill.asks;
        let mut found = Vec::new();
        for (ask, number) in wrong.iter().copied() {
            let as_well = |other: &usize| {
                asks[*other].part == asks[ask].part
                    && matches!(self.outcomes[*other], Heard::Missing)
                    && self.named(number, *other) > 0.0
                    && self.are_the_same_words(number, ask, *other)
                    && self.is_right_for(*other, number)
            };
            if let Some(other) = (0..asks.len()).find(as_well) {
                found.push((other, Heard::Judged(self.judge_number(other, number), Some(number))));
                found.push((ask, Heard::Missing));
            }
        }
        found
    }

    /// Whether the same words name a number for two asks.
    fn are_the_same_words(&self, number: usize, one: usize, other: usize) -> bool {
        let words = |ask: usize| self.evidence(number, ask).and_then(|one| one.words.as_ref());
        words(one).zip(words(other)).is_some_and(|(a, b)| a.block == b.block && a.range == b.range)
    }

    /// The number that was judged wrong for an ask, where words of the text named it and no label did.
    fn wrong_number(&self, ask: usize) -> Option<usize> {
        let Heard::Judged(judged, Some(number)) = &self.outcomes[ask] else { return None };
        let wrong = matches!(judged.verdict, Verdict::Wrong | Verdict::Slip);
        // `more than half on top` is no value where one is stated as well.
        let bound = judged.review == Some(ReviewWhy::BoundOrRange) && self.scene.numbers[*number].yardstick;
        (wrong || bound).then_some(*number)
    }

    /// Whether a number may be meant for another ask than it was taken for, if for any.
    fn is_free(&self, number: usize, wrong: &[(usize, usize)]) -> bool {
        let here = &self.scene.numbers[number];
        match self.alignment.taken[number].role {
            Role::Aside => self.states_something(here) && !here.supposed && !here.change && !here.yardstick,
            // Two values may have changed places.
            Role::Answer(rival) => wrong.contains(&(rival, number)),
            _ => false,
        }
    }

    /// Whether a free number may as well be meant for an ask that was given another one, by what speaks for either.
    fn may_be_meant_instead(&self, ask: usize, taken: usize, known: &Evidence, other: usize, found: &Evidence) -> bool {
        let role = self.alignment.taken[other].role;
        if role == Role::Answer(ask) {
            return false;
        }
        // What its place says first was not chosen for its value, and is not given up for that.
        if self.alignment.stated_first.contains(&ask) && found.named <= known.named.max(0.0) {
            return false;
        }
        let changed_places = || match role {
            Role::Answer(rival) => self.is_right_for(rival, taken),
            _ => true,
        };
        found.fit >= known.fit && changed_places()
    }

    /// The numbers that state something and were not judged for any ask, with the place where each stands.
    pub(super) fn left(&self) -> Vec<(Spot, usize)> {
        let mut heard = vec![false; self.scene.numbers.len()];
        for outcome in &self.outcomes {
            match outcome {
                Heard::Judged(_, number) => number.iter().for_each(|number| heard[*number] = true),
                Heard::Open(numbers, _) => numbers.iter().for_each(|number| heard[*number] = true),
                Heard::Missing => {}
            }
        }
        let numbers = self.scene.numbers.iter().enumerate();
        let left = numbers.filter(|(at, number)| !heard[*at] && self.states_something(number));
        left.map(|(at, number)| (number.spot, at)).collect()
    }

    /// What stands in the place of an ask that nothing was taken for: a value that is right for it and was taken for nothing
    /// else. `left` are the numbers that were [left](Court::left) some asks ago.
    pub(super) fn left_over(&self, ask: usize, left: &[(Spot, usize)]) -> Option<Heard> {
        let home = self.grader.home[ask];
        let left = left.iter().filter(|(spot, number)| *spot == home && self.is_left_over(*number, ask)).map(|(_, number)| *number);
        let left: SmallVec<[usize; 8]> = left.take(MOST + 1).collect();
        if left.len() > MOST {
            return None;
        }
        let right: SmallVec<[(usize, Rc<Judged>); 2]> = left
            .into_iter()
            .filter(|number| self.is_right_for(ask, *number))
            .map(|number| (number, self.judge_number(ask, number)))
            .collect();
        let (first, judged) = right.first()?;
        let mention = |number: usize| &self.scene.numbers[number].mention;
        if right.iter().any(|(other, _)| !agree(mention(*first), mention(*other))) {
            return Some(Heard::Open(right.iter().map(|(number, _)| *number).collect(), ReviewWhy::Unlabeled));
        }
        // What else it may be for is open as well.
        let asks = &self.grader.drill.asks;
        let rival = |other: &usize| {
            *other != ask
                && (asks[*other].required || !asks[ask].required)
                && matches!(self.outcomes[*other], Heard::Missing)
                && self.is_left_over(*first, *other)
                && self.is_right_for(*other, *first)
        };
        if (0..asks.len()).any(|other| rival(&other)) {
            return asks[ask].required.then(|| Heard::Open(vec![*first], ReviewWhy::Unlabeled));
        }
        // A number that has no unit of its own may have one that was not seen.
        if judged.verdict == Verdict::Form && mention(*first).unit.is_none() {
            return Some(Heard::Open(vec![*first], ReviewWhy::Unlabeled));
        }
        Some(Heard::Judged(self.with_work(ask, *first, Rc::clone(judged)), Some(*first)))
    }

    /// Whether a number stands where an ask is answered, has its unit, and answers nothing else.
    fn is_left_over(&self, number: usize, ask: usize) -> bool {
        let here = &self.scene.numbers[number];
        let asked = &self.grader.drill.asks[ask];
        if self.is_elsewhere(number, ask) || !self.states_something(here) || self.is_heard(number) {
            return false;
        }
        if self.is_term_of_what_is_heard(number, ask) {
            return true;
        }
        // What the work for something else is made of is not demanded for itself.
        let line = &self.scene.lines[here.line];
        let operand = here.standing == Standing::Operand;
        if operand && (asked.required || self.grader.shapes[ask].is_factor() || line.numbers.len() > MOST) {
            return false;
        }
        // Words name what stands on its own; an operand is told by its unit alone.
        let (fit, named) = match self.evidence(number, ask) {
            Some(found) => (found.fit, found.named),
            None if operand => (self.grader.shapes[ask].fit(&here.mention), 0.0),
            None => return false,
        };
        if named < -1.5 {
            return false;
        }
        let mention = &here.mention;
        let figures = mention.readings.first().map_or(0, |reading| reading.written.figures.most);
        let told = match fit {
            Fit::Natural => mention.unit.is_some() || mention.noun.is_some() || here.multiple || figures > 1,
            // In a unit that others of the place are answered in, it is theirs unless the words say otherwise.
            Fit::Other => here.multiple || mention.unit.is_some() && named > 1.0,
            _ if operand => false,
            // What the work comes to needs no sign to be a factor.
            Fit::Bare => figures > 2 || figures > 1 && here.standing == Standing::End && self.grader.shapes[ask].is_factor(),
            Fit::Odd | Fit::No => false,
        };
        if fit > Fit::No && (told || mention.unit.is_some()) && self.is_growth_of_what_stands_before(number, ask) {
            return true;
        }
        let free = match self.alignment.taken[number].role {
            Role::Aside | Role::Candidate(_) => true,
            // What the work for something else is made of is not demanded for itself.
            Role::Step => !asked.required,
            Role::Reused(other) => self.grader.drill.asks[other].part != asked.part,
            _ => false,
        };
        told && free && !self.says_again(number, ask)
    }

    /// Whether a number stands in the work for the sum of which an ask is a term: `1.24 ms + 201.5 ms = 202.7 ms`.
    fn is_term_of_what_is_heard(&self, number: usize, ask: usize) -> bool {
        let numbers = &self.scene.numbers;
        numbers[number].chain.is_some()
            && self.outcomes.iter().enumerate().any(|(sum, heard)| {
                let Heard::Judged(_, Some(result)) = heard else { return false };
                numbers[*result].chain == numbers[number].chain && self.grader.drill.asks[sum].sum.contains(&ask)
            })
    }

    /// Whether a factor stands right behind the value that it is the growth of: `10.2 ms, eight times as much`.
    fn is_growth_of_what_stands_before(&self, number: usize, ask: usize) -> bool {
        let Some((new, _)) = self.grader.anatomy.quotient(ask).filter(|_| self.grader.shapes[ask].is_factor()) else { return false };
        let here = &self.scene.numbers[number];
        let line = &self.scene.lines[here.line];
        let Heard::Judged(_, Some(before)) = self.outcomes[new] else { return false };
        let near = line.numbers.contains(&before) && before < number && number - before <= WORDS_BETWEEN;
        if !near || (before + 1..number).any(|other| self.scene.numbers[other].standing != Standing::Operand) {
            return false;
        }
        let gap = self.scene.numbers[before].mention.range.end..here.anchor;
        let words = line.words.list();
        let first = words.partition_point(|word| word.range.start < gap.start);
        let words = words[first..].iter().take_while(|word| word.range.end <= gap.end).count();
        let cut = line.breaks.iter().any(|found| gap.contains(&found.at) && found.depth >= Depth::Sentence);
        gap.start <= gap.end && words <= WORDS_BETWEEN && !cut
    }

    /// Whether a number is the value of another ask of the same place once more.
    fn says_again(&self, number: usize, ask: usize) -> bool {
        let asks = &self.grader.drill.asks;
        let mention = |number: usize| &self.scene.numbers[number].mention;
        self.outcomes.iter().enumerate().any(|(other, heard)| match heard {
            Heard::Judged(_, Some(of)) => {
                asks[other].part == asks[ask].part && asks[other].item == asks[ask].item && agree(mention(number), mention(*of))
            }
            _ => false,
        })
    }

    /// Whether a number was judged for some ask.
    fn is_heard(&self, number: usize) -> bool {
        self.outcomes.iter().any(|heard| match heard {
            Heard::Judged(_, of) => *of == Some(number),
            Heard::Open(numbers, _) => numbers.binary_search(&number).is_ok(),
            Heard::Missing => false,
        })
    }

    /// Whether a number stands in another part than an ask, or in another item of it.
    fn is_elsewhere(&self, number: usize, ask: usize) -> bool {
        self.scene.numbers[number].spot != self.grader.home[ask]
    }

    /// Whether a number may be a statement of the student's at all.
    fn states_something(&self, number: &Number) -> bool {
        !number.dead
            && !number.withdrawn
            && !number.past
            && !number.foreign
            && !number.replaced
            && !number.doubted
            && !number.compared
            && !number.given
            && number.spoken == Spoken::No
    }

    fn evidence(&self, number: usize, ask: usize) -> Option<&Evidence> {
        self.alignment.evidence[number].iter().find(|one| one.ask == ask)
    }

    fn named(&self, number: usize, ask: usize) -> f32 {
        self.evidence(number, ask).map_or(0.0, |one| one.named)
    }
}
