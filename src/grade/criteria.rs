//! The criteria of a rubric: arguments by its rules, terms by whether they are shown.

use crate::answer::Answer;
use crate::drill::{Criterion, CriterionKind, Rules};
use crate::grade::Grader;
use crate::grade::argue::{self, Said, Verdicts};
use crate::grade::finding::{Basis, CriterionFinding, DecidedBy, Outcome, Points, SeparateFinding};
use crate::grade::scene::{Line, Scene};
use crate::grade::separate;
use crate::grade::verdicts::{self, Heard};
use crate::recognize::Recognized;
use crate::text::Span;

/// The findings on all criteria.
pub(super) fn find(
    grader: &Grader,
    answer: &Answer,
    scene: &Scene,
    recognized: &[Recognized],
    heard: &[Heard],
    terms: &[SeparateFinding],
) -> Vec<CriterionFinding> {
    let turned_out = TurnedOut(heard);
    let argued = |criterion: &Criterion, rules: &Rules| {
        // What stands outside of all parts may be the answer only where the part has no place of its own.
        let named = |at: &usize| {
            let part = &grader.drill.parts[*at];
            part.id == criterion.part || part.items.iter().any(|item| item.id == criterion.part)
        };
        let has_place = scene.labeled.iter().any(named);
        let said: Vec<Said> = scene
            .lines
            .iter()
            .filter(|line| is_about(grader, line, &criterion.part) && !(has_place && line.parts.is_empty()))
            .map(|line| said(line, recognized, criterion))
            .collect();
        let decision = argue::weigh(&grader.drill.rubric.concepts, rules, &said, &turned_out);
        (decision.outcome, decision.evidence, rules.partly_share)
    };
    grader
        .drill
        .rubric
        .criteria
        .iter()
        .map(|criterion| {
            let (outcome, evidence, partly) = match &criterion.kind {
                CriterionKind::Separate(sum) => {
                    let of = &grader.drill.asks[sum.of].id;
                    let found = terms.iter().find(|found| found.of == *of);
                    let evidence =
                        found.into_iter().flat_map(|found| &found.terms).filter_map(|term| term.read.as_ref()).map(|read| read.span);
                    (found.map_or(Outcome::Review, |found| separate::outcome(found.found)), evidence.collect(), sum.partly)
                }
                CriterionKind::Argument(rules) | CriterionKind::Form(rules) => argued(criterion, rules),
                CriterionKind::Hand => (Outcome::Review, Vec::new(), 0.0),
            };
            finding(criterion, outcome, partly, &evidence, answer)
        })
        .collect()
}

fn finding(criterion: &Criterion, outcome: Outcome, partly: f64, evidence: &[Span], answer: &Answer) -> CriterionFinding {
    let possible = criterion.points;
    let (awarded, pending) = match outcome {
        Outcome::Met => (possible, 0.0),
        Outcome::Partly => (possible * partly, 0.0),
        Outcome::NotMet => (0.0, 0.0),
        Outcome::Review => (0.0, possible),
    };
    CriterionFinding {
        id: criterion.id.clone(),
        part: criterion.part.clone(),
        outcome,
        decided_by: if outcome == Outcome::Review { DecidedBy::Person } else { DecidedBy::Rule },
        evidence: evidence.iter().map(|span| Basis { span: *span, text: answer.source.slice(*span).to_owned() }).collect(),
        points: Points { awarded, possible, pending },
    }
}

/// Whether a line stands in the part or item that a criterion is about, or may stand there.
fn is_about(grader: &Grader, line: &Line, part: &str) -> bool {
    if line.summary {
        return false;
    }
    if line.parts.is_empty() {
        return true;
    }
    line.parts.iter().any(|at| {
        let here = &grader.drill.parts[*at];
        let item = here.items.iter().position(|item| item.id == part);
        here.id == part || item.is_some() && (line.spot.item.is_none() || line.spot.item == item)
    })
}

fn said<'a>(line: &'a Line, recognized: &'a [Recognized], criterion: &'a Criterion) -> Said<'a> {
    Said {
        part: Some(&criterion.part),
        passage: &line.source.passage,
        start: line.range.start,
        end: line.range.end,
        role: &line.source.role,
        quoted: line.dead,
        struck: &line.source.struck,
        mentions: &recognized[line.block].mentions,
    }
}

/// How the asks turned out, for rules that ask.
struct TurnedOut<'a>(&'a [Heard]);

impl Verdicts for TurnedOut<'_> {
    fn is_right(&self, ask: usize) -> bool {
        matches!(&self.0[ask], Heard::Judged(judged, _) if verdicts::is_right(judged))
    }

    fn own(&self, ask: usize) -> Option<f64> {
        match &self.0[ask] {
            Heard::Judged(judged, _) => Some(judged.read.value.to_f64()),
            _ => None,
        }
    }
}
