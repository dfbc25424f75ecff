//! Looks at the floats, before anything is worked out exactly: nearly every number is far from nearly every value that it is
//! held against.

use crate::drill::{AskKind, Reading as Accepted, ReadingCredit};
use crate::grade::carry::{Routes, Way};
use crate::grade::claim::{Claim, Said};
use crate::grade::judge::Judge;
use crate::grade::judge::targets::{With, Worked};
use crate::grade::standing::Statement;
use crate::quantity::{Fit, Unit};
use crate::recognize::{Kind, Reading};

/// Whether a number may be right for an ask, with the true values or the student's own: a look at the floats, which clears nearly
/// every number that is wrong.
pub(crate) fn may_be_right<'w>(routes: &Routes, at: usize, readings: &[Reading], kind: Kind, ways: &dyn Fn() -> &'w [Way]) -> bool {
    let Some(first) = readings.first() else { return false };
    // By its ends each for itself.
    if first.high.is_some() {
        return true;
    }
    let said = Said::Number { readings: readings.into(), kind, lower: true };
    let claim = Claim { said, value: first.value, high: None, labeled: Vec::new(), suspected: Vec::new() };
    let judge = Judge::new(routes, at, &claim);
    judge.may_be_right(&Statement::new(readings, kind, true, judge.ask), ways)
}

impl Judge<'_> {
    /// Whether a statement may be right, or nearly, by the reference or a reading of it, with the true values or the student's own.
    fn may_be_right<'w>(&self, statement: &Statement, ways: &dyn Fn() -> &'w [Way]) -> bool {
        let (asked, tolerance, min_figures) = (&self.ask.formula, &self.ask.tolerance, self.ask.min_figures);
        let ends = match &self.ask.kind {
            AskKind::Range(interval) => in_order([interval.low.float(), interval.high.float()]),
            AskKind::Value | AskKind::Count => [asked.float(), asked.float()],
        };
        let reading = |accepted: &Accepted, value: f64| {
            if accepted.credit == ReadingCredit::Supporting {
                return false;
            }
            let dimension = accepted.formula.dimension();
            if accepted.unit.is_none() && dimension == asked.dimension() {
                let min_figures = accepted.min_figures.unwrap_or(min_figures);
                return statement.may_fit([value, value], &accepted.tolerance, min_figures, Fit::is_near);
            }
            let unit = accepted.unit.as_ref().or_else(|| self.unit_of(&accepted.formula));
            statement.may_lie([value, value], dimension, unit, &accepted.tolerance)
        };
        let carried = |way: &Way| {
            let reading = |at: usize| {
                let (of, accepted) = (self.reading(at), &self.ask.readings[at]);
                way.changes(of.from) && way.rough(self.routes, of.formula).is_none_or(|value| reading(accepted, value))
            };
            self.rough_ends(way).is_none_or(|ends| statement.may_fit(ends, tolerance, min_figures, Fit::is_near))
                || (0..self.ask.readings.len()).any(reading)
        };
        statement.may_fit(ends, tolerance, min_figures, Fit::is_near)
            || self.ask.readings.iter().any(|accepted| reading(accepted, accepted.formula.float()))
            || ways().iter().filter(|way| way.reaches).any(carried)
    }

    /// About what the ask comes to at least and at most with the student's own values; `None` where floats do not tell.
    fn rough_ends(&self, way: &Way) -> Option<[f64; 2]> {
        let ends = match &self.ask.kind {
            AskKind::Range(interval) => {
                way.rough(self.routes, &interval.low).zip(way.rough(self.routes, &interval.high)).map(|(one, other)| [one, other])
            }
            AskKind::Value | AskKind::Count => Some(way.rough_ends(self.routes)),
        };
        ends.map(in_order)
    }

    /// Whether a statement may be the reference with the student's own values.
    pub(super) fn may_be_with(&self, statement: &Statement, way: &Way) -> bool {
        self.rough_ends(way).is_none_or(|ends| statement.may_be_asked(ends, &self.ask.tolerance))
    }

    /// Whether a statement may be what a formula comes to, in a unit or in the ask's own.
    pub(super) fn may_be(&self, statement: &Statement, of: Worked, unit: Option<&Unit>, with: With) -> bool {
        let rough = match with {
            With::Own(way) if way.changes(of.from) => way.rough(self.routes, of.formula),
            With::Truth | With::Own(_) => Some(of.formula.float()),
        };
        rough.is_none_or(|value| {
            let dimension = of.formula.dimension();
            if unit.is_none() && dimension == self.ask.formula.dimension() {
                return statement.may_be_asked([value, value], &self.ask.tolerance);
            }
            let unit = unit.or_else(|| self.unit_of(of.formula));
            statement.may_lie([value, value], dimension, unit, &self.ask.tolerance)
        })
    }
}

/// The smaller value first.
fn in_order([one, other]: [f64; 2]) -> [f64; 2] {
    [one.min(other), one.max(other)]
}
