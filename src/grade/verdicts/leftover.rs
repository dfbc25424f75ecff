//! Second looks, before an ask is called missing or its value wrong: a right value that stands in the ask's own place and
//! was taken for nothing, and one that the words fit as well as the one that was taken.
//!
//! Nothing here outweighs a label. What the words name for an ask is its answer, right or wrong; only where they leave it
//! open is a value taken for what it comes to, and where that may be chance, a person is asked.

use crate::grade::align::{Role, agree};
use crate::grade::evidence::{Evidence, Fit};
use crate::grade::finding::{ReviewWhy, Verdict};
use crate::grade::judge::Judged;
use crate::grade::scene::{Number, Spoken};
use crate::grade::verdicts::{Court, Heard, is_right};

/// From this share of the evidence on, a right value fits an ask as well as the wrong one that was taken for it.
const AS_WELL: f32 = 0.95;
/// From this share on, it may be meant as well.
const NEARLY_AS_WELL: f32 = 0.6;

impl Court<'_> {
    /// The asks for which another number should be heard than the one that was taken.
    pub(super) fn second_choices(&self) -> Vec<(usize, Heard)> {
        let mut found = Vec::new();
        for ask in 0..self.outcomes.len() {
            let Some(number) = self.wrong_number(ask) else { continue };
            let Some(known) = self.evidence(number, ask) else { continue };
            let rivals = (0..self.scene.numbers.len()).filter(|other| *other != number && self.may_be_meant_instead(ask, number, *other));
            let best = rivals.max_by(|a, b| self.named(*a, ask).total_cmp(&self.named(*b, ask)));
            let Some(rival) = best else { continue };
            let share = if known.named > 0.0 { self.named(rival, ask) / known.named } else { 1.0 };
            let elsewhere = self.is_elsewhere(number, ask) && !self.is_elsewhere(rival, ask);
            if share >= AS_WELL || elsewhere {
                found.push((ask, Heard::Judged(Box::new(self.judge_number(ask, rival)), Some(rival))));
            } else if share >= NEARLY_AS_WELL {
                let mut both = vec![number, rival];
                both.sort_unstable();
                found.push((ask, Heard::Open(both, ReviewWhy::TwoCandidates)));
            }
        }
        found
    }

    /// The number that was judged wrong for an ask, where words of the text named it and no label did.
    fn wrong_number(&self, ask: usize) -> Option<usize> {
        let Heard::Judged(judged, Some(number)) = &self.outcomes[ask] else { return None };
        let wrong = matches!(judged.verdict, Verdict::Wrong | Verdict::Slip);
        wrong.then_some(*number)
    }

    /// Whether a number is right for an ask that was given another one, and may as well be meant.
    fn may_be_meant_instead(&self, ask: usize, taken: usize, other: usize) -> bool {
        let here = &self.scene.numbers[other];
        let (Some(known), Some(found)) = (self.evidence(taken, ask), self.evidence(other, ask)) else { return false };
        if found.fit < known.fit || !self.states_something(here) || !is_right(&self.judge_number(ask, other)) {
            return false;
        }
        match self.alignment.taken[other].role {
            Role::Aside => true,
            // Two values may have changed places.
            Role::Answer(rival) => rival != ask && self.wrong_number(rival) == Some(other) && is_right(&self.judge_number(rival, taken)),
            _ => false,
        }
    }

    /// What stands in the place of an ask that nothing was taken for: a value that is right for it and was taken for nothing
    /// else.
    pub(super) fn left_over(&self, ask: usize) -> Option<Heard> {
        let right: Vec<(usize, Judged)> = (0..self.scene.numbers.len())
            .filter(|number| self.is_left_over(*number, ask))
            .map(|number| (number, self.judge_number(ask, number)))
            .filter(|(_, judged)| is_right(judged))
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
                && is_right(&self.judge_number(*other, *first))
        };
        if (0..asks.len()).any(|other| rival(&other)) {
            return asks[ask].required.then(|| Heard::Open(vec![*first], ReviewWhy::Unlabeled));
        }
        // A number that has no unit of its own may have one that was not seen.
        if judged.verdict == Verdict::Form && mention(*first).unit.is_none() {
            return Some(Heard::Open(vec![*first], ReviewWhy::Unlabeled));
        }
        Some(Heard::Judged(Box::new(self.with_work(ask, *first, judged.clone())), Some(*first)))
    }

    /// Whether a number stands where an ask is answered, has its unit, and answers nothing else.
    fn is_left_over(&self, number: usize, ask: usize) -> bool {
        let here = &self.scene.numbers[number];
        let asked = &self.grader.drill.asks[ask];
        let Some(found) = self.evidence(number, ask).filter(|_| self.states_something(here)) else { return false };
        if self.is_elsewhere(number, ask) || self.is_heard(number) || found.named < -1.5 {
            return false;
        }
        let mention = &here.mention;
        let figures = mention.readings.first().map_or(0, |reading| reading.written.figures.most);
        let told = match found.fit {
            Fit::Natural => mention.unit.is_some() || mention.noun.is_some() || here.multiple || figures > 1,
            // In a unit that others of the place are answered in, it is theirs unless the words say otherwise.
            Fit::Other => here.multiple || mention.unit.is_some() && found.named > 1.0,
            Fit::Bare => figures > 2,
            Fit::Odd | Fit::No => false,
        };
        let free = match self.alignment.taken[number].role {
            Role::Aside | Role::Candidate(_) => true,
            // What the work for something else is made of is not demanded for itself.
            Role::Step => !asked.required,
            Role::Reused(other) => self.grader.drill.asks[other].part != asked.part,
            _ => false,
        };
        told && free && !self.says_again(number, ask)
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
            Heard::Open(numbers, _) => numbers.contains(&number),
            Heard::Missing => false,
        })
    }

    /// Whether a number stands in another part than an ask, or in another item of it.
    fn is_elsewhere(&self, number: usize, ask: usize) -> bool {
        let spot = self.scene.numbers[number].spot;
        let asked = &self.grader.drill.asks[ask];
        let Some(part) = spot.part.map(|part| &self.grader.drill.parts[part]) else { return true };
        part.id != asked.part || asked.item != spot.item.map(|item| part.items[item].id.clone())
    }

    /// Whether a number may be a statement of the student's at all.
    fn states_something(&self, number: &Number) -> bool {
        !number.dead
            && !number.withdrawn
            && !number.past
            && !number.supposed
            && !number.doubted
            && !number.compared
            && !number.given
            && !number.foreign
            && !number.replaced
            && number.spoken == Spoken::No
    }

    fn evidence(&self, number: usize, ask: usize) -> Option<&Evidence> {
        self.alignment.evidence[number].iter().find(|one| one.ask == ask)
    }

    fn named(&self, number: usize, ask: usize) -> f32 {
        self.evidence(number, ask).map_or(0.0, |one| one.named)
    }
}
