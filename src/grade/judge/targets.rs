//! What an ask comes to, and its readings and mistakes, as targets that a statement is compared with.

use crate::drill::{AskKind, NameSet};
use crate::formula::Formula;
use crate::grade::carry::Way;
use crate::grade::judge::Judge;
use crate::grade::standing::Target;
use crate::quantity::{Number, Unit};

/// What a formula is worked out with.
#[derive(Clone, Copy)]
pub(super) enum With<'w> {
    /// The true values.
    Truth,
    /// The student's own.
    Own(&'w Way),
}

/// A formula, and the names that it is worked out from.
#[derive(Clone, Copy)]
pub(super) struct Worked<'a> {
    pub(super) formula: &'a Formula,
    pub(super) from: &'a NameSet,
}

impl<'a> Judge<'a> {
    /// What a formula comes to.
    pub(super) fn value(&self, with: With, of: Worked) -> Number {
        match with {
            With::Own(way) if way.changes(of.from) => of.formula.eval(way.values(self.routes).slots()),
            With::Truth | With::Own(_) => of.formula.value(),
        }
    }

    /// What the ask comes to, or an end of its range.
    pub(super) fn asked(&self, formula: &'a Formula) -> Worked<'a> {
        Worked { formula, from: self.routes.names_of_ask(self.at) }
    }

    /// What a reading comes to.
    pub(super) fn reading(&self, at: usize) -> Worked<'a> {
        Worked { formula: &self.ask.readings[at].formula, from: self.routes.names_of_reading(self.at, at) }
    }

    /// What a mistake comes to.
    pub(super) fn mistake(&self, at: usize) -> Worked<'a> {
        Worked { formula: &self.ask.mistakes[at].formula, from: self.routes.names_of_mistake(self.at, at) }
    }

    /// The reference as a target, worked out with these values.
    pub(super) fn reference(&self, with: With) -> Target<'a> {
        let target = self.target(self.asked(&self.ask.formula), with);
        match &self.ask.kind {
            AskKind::Range(interval) => {
                target.between(self.value(with, self.asked(&interval.low)), self.value(with, self.asked(&interval.high)))
            }
            AskKind::Value | AskKind::Count => target,
        }
    }

    /// The reference as a target, worked out with the student's own values and whatever they were before they were rounded.
    pub(super) fn target_with(&self, way: &Way) -> Target<'a> {
        let target = self.reference(With::Own(way));
        match self.ask.kind {
            // A whole range needs no more leeway.
            AskKind::Range(_) => target,
            AskKind::Value | AskKind::Count => {
                let [low, high] = way.ends(self.routes);
                target.between(low, high)
            }
        }
    }

    /// The unit that is asked for, where a formula comes to something that it measures.
    pub(super) fn unit_of(&self, formula: &Formula) -> Option<&'a Unit> {
        self.ask.unit.as_ref().filter(|unit| unit.dimension == formula.dimension())
    }

    pub(super) fn target(&self, of: Worked, with: With) -> Target<'a> {
        let value = self.value(with, of);
        Target {
            low: value,
            high: value,
            dimension: of.formula.dimension(),
            unit: self.unit_of(of.formula),
            in_unit: self.ask.in_unit,
            tolerance: &self.ask.tolerance,
            min_figures: self.ask.min_figures,
        }
    }

    pub(super) fn reading_target(&self, reading: usize, with: With) -> Target<'a> {
        let accepted = &self.ask.readings[reading];
        let target = self.target(self.reading(reading), with);
        let in_unit = self.ask.in_unit && accepted.unit.is_none();
        let min_figures = accepted.min_figures.unwrap_or(target.min_figures);
        Target { unit: accepted.unit.as_ref().or(target.unit), in_unit, tolerance: &accepted.tolerance, min_figures, ..target }
    }
}
