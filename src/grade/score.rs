//! Adds up: what was earned, what is lost, and what a person still has to decide.

use crate::grade::Grader;
use crate::grade::finding::{CriterionFinding, Points, QuantityFinding, Verdict};
use crate::grade::judge::Judged;

/// The points of one ask.
pub(super) fn of_ask(grader: &Grader, ask: usize, verdict: Verdict, judged: Option<&Judged>) -> Points {
    let possible = grader.drill.rubric.values[ask];
    if verdict == Verdict::Unclear {
        return Points { awarded: 0.0, possible, pending: possible };
    }
    let share = judged.map_or(0.0, |judged| judged.share(&grader.drill.rubric.credit));
    Points { awarded: possible * share, possible, pending: 0.0 }
}

/// The sum of all.
pub(super) fn total(quantities: &[QuantityFinding], criteria: &[CriterionFinding]) -> Points {
    let all = quantities.iter().map(|finding| finding.points).chain(criteria.iter().map(|finding| finding.points));
    all.fold(Points::default(), |sum, points| Points {
        awarded: sum.awarded + points.awarded,
        possible: sum.possible + points.possible,
        pending: sum.pending + points.pending,
    })
}
