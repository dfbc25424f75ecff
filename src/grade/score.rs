//! Adds up: what was earned, what is lost, and what a person still has to decide.

use crate::drill::{Credit, Drill, Standing};
use crate::grade::Grader;
use crate::grade::finding::{CriterionFinding, Grade, Outcome, Points, QuantityFinding, Verdict};
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

/// The share of an ask's points that a verdict is worth by itself, where nobody says which reading or mistake it is.
pub fn share(credit: &Credit, verdict: Verdict) -> f64 {
    match verdict {
        Verdict::Correct => 1.0,
        Verdict::CarriedForward => credit.carried,
        Verdict::Form => credit.form,
        Verdict::Slip => credit.slip,
        Verdict::Wrong | Verdict::Missing | Verdict::Unclear => 0.0,
    }
}

/// Counts a grade anew: the points of its criteria by what they depend on, and the sum of all. `level` is the share that a
/// person chose for a criterion, by its place in the rubric.
pub fn settle(drill: &Drill, grade: &mut Grade, level: &dyn Fn(usize) -> Option<f64>) {
    criteria(drill, &grade.quantities, &mut grade.criteria, level);
    grade.score = total(&grade.quantities, &grade.criteria);
}

/// Gives the criteria their points.
pub(super) fn criteria(
    drill: &Drill,
    quantities: &[QuantityFinding],
    criteria: &mut [CriterionFinding],
    level: &dyn Fn(usize) -> Option<f64>,
) {
    let standings: Vec<Standing> =
        criteria.iter().enumerate().map(|(at, finding)| Standing { outcome: finding.outcome, share: level(at) }).collect();
    let values = quantities.iter().map(|finding| finding.points.awarded).sum();
    let right = |ask: &str| {
        let verdict = quantities.iter().find(|finding| finding.ask == ask)?.verdict;
        (verdict != Verdict::Unclear).then_some(matches!(verdict, Verdict::Correct | Verdict::CarriedForward | Verdict::Form))
    };
    let settled = drill.rubric.scheme.settle(&standings, values, &right);
    for (finding, earned) in criteria.iter_mut().zip(settled) {
        finding.points = Points { awarded: earned.awarded, possible: earned.possible, pending: earned.pending };
        finding.withheld = earned.withheld && finding.outcome != Outcome::NotMet;
    }
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
