//! Whether what an answer states agrees with itself: two values that changed places, two values of one quantity, and right
//! values that the student's own values do not give.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::formula::Formula;
use crate::grade::align::Choice;
use crate::grade::carry::{self, Own};
use crate::grade::finding::{General, Mistake, Note, ReviewWhy, Verdict};
use crate::grade::judge::{self, Judged};
use crate::grade::verdicts::{Court, Heard};
use crate::quantity::Number;

/// As near as this a right value is no coincidence, whatever the student's own values give.
const EXACT: (i128, i32) = (2, -3);
/// As near as this a wrong value is the right one of another ask.
const ALIKE: (i128, i32) = (5, -3);

impl Court<'_> {
    /// Takes what an ask turned out to be for what later ones are worked out with.
    pub(super) fn learn(&mut self, ask: usize, outcome: &Heard) {
        let Heard::Judged(judged, _) = outcome else { return };
        let Some(own) = self.own_value(ask, judged) else { return };
        let in_doubt = !own.right && self.is_said_otherwise(ask, &own);
        let own = Own { in_doubt, ..own };
        self.marks.push((ask, self.memory.mark(ask, &own)));
        self.own.push((ask, own));
    }

    /// What later asks are worked out with: a wrong value, or the right one, past which nothing wrong is carried.
    pub(super) fn own_value(&self, ask: usize, judged: &Judged) -> Option<Own> {
        let right = judged.verdict == Verdict::Correct && judged.reading.is_none() && !judged.taken.words;
        let value = self.grader.drill.asks[ask].formula.value();
        judged.own.filter(|own| !self.is_mistaken_for(ask, own)).or(right.then(|| Own::right(value)))
    }

    /// Whether a wrong value is the right one of another ask of its part: two names were swapped, and nobody works on with that.
    fn is_mistaken_for(&self, ask: usize, own: &Own) -> bool {
        let asks = &self.grader.drill.asks;
        let value = own.value.to_f64();
        let close = |formula: &Formula| {
            // By floats first: nearly no two values are that near.
            if (value - formula.float()).abs() > 1e-2 * formula.float().abs() {
                return false;
            }
            let truth = formula.value();
            let off = (own.value - truth).abs();
            off <= own.half_place.abs() && off <= truth.abs() * Number::decimal(ALIKE.0, ALIKE.1)
        };
        !own.coarse && self.grader.routes.rivals(ask).iter().any(|rival| close(&asks[*rival].formula))
    }

    /// Whether the same quantity was given before with another value that is not right either: `2.7 GB = 2384 MiB`.
    fn is_said_otherwise(&self, ask: usize, own: &Own) -> bool {
        let asks = &self.grader.drill.asks;
        let same = |other: usize| asks[other].states.is_some() && asks[other].states == asks[ask].states;
        self.own.iter().any(|(other, before)| {
            let apart =
                || (own.value - before.value).abs() > before.value.abs() * Number::decimal(1, -2) + own.half_place + before.half_place;
            same(*other) && !before.right && !before.coarse && apart()
        })
    }

    /// A right value beside values of the student's own that do not give it is noted where it is the very value, and otherwise
    /// for a person to look at: `latency 1.24 ms, bandwidth 300 ms, total 201.5 ms`.
    pub(super) fn against_own(&self, ask: usize, outcome: Heard) -> Heard {
        let Heard::Judged(judged, number) = outcome else { return outcome };
        if !matches!(judged.verdict, Verdict::Correct | Verdict::Form) || judged.taken.high.is_some() {
            return Heard::Judged(judged, number);
        }
        // Mostly there is nothing that it could contradict.
        if self.own.iter().all(|(_, own)| own.right || own.coarse) {
            return Heard::Judged(judged, number);
        }
        let asks = &self.grader.drill.asks;
        let mut operands: SmallVec<[usize; 8]> = self.grader.anatomy.operands(ask).iter().copied().collect();
        let same =
            |other: &usize| asks[*other].states.is_some() && asks[*other].states == asks[ask].states && asks[*other].part == asks[ask].part;
        operands.extend((0..ask).filter(same));
        let Some(way) = carry::with_operands(&self.grader.routes, ask, &operands, &self.own) else {
            return Heard::Judged(judged, number);
        };
        let claim = match (&self.alignment.choices[ask], number) {
            (Choice::Words(words), None) => Some(self.claim_of_words(ask, words)),
            (_, number) => number.map(|number| self.claim_of_number(ask, number)),
        };
        let Some(claim) = claim else { return Heard::Judged(judged, number) };
        if judge::agrees(&self.grader.routes, ask, &claim, &way) {
            return Heard::Judged(judged, number);
        }
        let truth = asks[ask].formula.value();
        let close = (judged.taken.value - truth).abs() <= truth.abs() * Number::decimal(EXACT.0, EXACT.1);
        let exact = judged.verdict == Verdict::Correct && judged.reading.is_none() && close;
        // What stands in another part, or is not even demanded, may be a slip of the pen.
        let beside = way.from.iter().all(|from| asks[*from].part == asks[ask].part && asks[*from].required);
        if !exact && !beside {
            return Heard::Judged(judged, number);
        }
        let mut judged = Judged::clone(&judged);
        judged.notes.push(Note::ContradictsOwn { from: way.from.iter().map(|from| asks[*from].id.clone()).collect() });
        if !exact {
            judged = Judged { verdict: Verdict::Unclear, review: Some(ReviewWhy::Contradiction), own: None, ..judged };
        }
        Heard::Judged(Rc::new(judged), number)
    }

    /// Names the pairs of values that changed places.
    pub(super) fn name_swapped(&mut self) {
        let asks = &self.grader.drill.asks;
        let off = |ask: usize| match &self.outcomes[ask] {
            Heard::Judged(judged, Some(number)) if matches!(judged.verdict, Verdict::Wrong | Verdict::Slip) => Some(*number),
            _ => None,
        };
        let is = |ask: usize, number: usize| {
            if !self.is_right_for(ask, number) {
                return false;
            }
            let judged = self.judge_number(ask, number);
            judged.verdict == Verdict::Correct && judged.reading.is_none()
        };
        let wrong: Vec<(usize, usize)> = (0..asks.len()).filter_map(|ask| Some((ask, off(ask)?))).collect();
        let mut swapped: Vec<(usize, usize)> = Vec::new();
        for (place, &(one, first)) in wrong.iter().enumerate() {
            for &(other, second) in &wrong[place + 1..] {
                let alike = asks[one].part == asks[other].part && asks[one].formula.dimension() == asks[other].formula.dimension();
                if alike && is(one, second) && is(other, first) {
                    swapped.extend([(one, other), (other, one)]);
                }
            }
        }
        for (ask, with) in swapped {
            let with = self.grader.drill.asks[with].id.clone();
            // What the drill lists says more about the one than that it is the other.
            if let Heard::Judged(judged, _) = &mut self.outcomes[ask]
                && !matches!(judged.mistake, Some(Mistake::Listed(_)))
            {
                let judged = Rc::make_mut(judged);
                judged.verdict = Verdict::Slip;
                judged.mistake = Some(Mistake::General(General::Swapped { with }));
                judged.carried_from.clear();
            }
        }
    }
}
