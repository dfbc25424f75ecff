//! Whether the terms of a sum are shown separately: each in its own right, or added up in the work.

use crate::drill::{CriterionKind, Drill, Outcome, Separate};
use crate::grade::finding::{Found, QuantityFinding, ReviewWhy, SeparateFinding, Term, Verdict};
use crate::grade::verdicts::Heard;

/// What was found of every sum whose terms are asked for.
pub(super) fn find(drill: &Drill, outcomes: &[Heard], quantities: &[QuantityFinding]) -> Vec<SeparateFinding> {
    let sums = drill.rubric.criteria.iter().filter_map(|criterion| match &criterion.kind {
        CriterionKind::Separate(separate) => Some(separate),
        _ => None,
    });
    sums.map(|separate| one(separate, outcomes, quantities)).collect()
}

fn one(separate: &Separate, outcomes: &[Heard], quantities: &[QuantityFinding]) -> SeparateFinding {
    let terms: Vec<Term> = separate
        .terms
        .iter()
        .map(|ask| {
            let finding = &quantities[*ask];
            let read = is_shown(&outcomes[*ask]).then(|| finding.read.clone().or_else(|| finding.candidates.first().cloned())).flatten();
            Term { ask: finding.ask.clone(), read }
        })
        .collect();
    let shown = terms.iter().filter(|term| term.read.is_some()).count();
    let found = match shown {
        0 if is_shown(&outcomes[separate.of]) => Found::TotalOnly,
        0 => Found::None,
        _ if shown == terms.len() => Found::Both,
        _ => Found::One,
    };
    SeparateFinding { of: quantities[separate.of].ask.clone(), terms, found }
}

/// Whether the terms found may be more than they seem: a number waits for a person that may be one of them.
pub(super) fn is_open(separate: &Separate, outcomes: &[Heard]) -> bool {
    let shown = |ask: &usize| is_shown(&outcomes[*ask]);
    let waits = |ask: &usize| matches!(outcomes[*ask], Heard::Open(..)) && !shown(ask);
    separate.terms.iter().any(waits)
}

/// Whether a value is shown for what it is: a number that nothing names shows nothing.
fn is_shown(outcome: &Heard) -> bool {
    match outcome {
        Heard::Missing => false,
        Heard::Judged(judged, _) => judged.verdict != Verdict::Missing,
        Heard::Open(_, why) => *why != ReviewWhy::Unlabeled,
    }
}

/// What the terms found are worth as a criterion.
pub(super) fn outcome(found: Found) -> Outcome {
    match found {
        Found::Both => Outcome::Met,
        Found::One => Outcome::Partly,
        Found::TotalOnly | Found::None => Outcome::NotMet,
    }
}
