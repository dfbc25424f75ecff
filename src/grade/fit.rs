//! Which of several drills an answer is for, where its words do not say so: the one that finds its values in it.

use std::cmp::Reverse;

use super::{Grade, Grader, Verdict};
use crate::answer::Answer;
use crate::drill::Drill;

/// Fewer right values than this may be chance.
const RIGHT: usize = 2;

/// The grade by the one drill that finds more right values in the answer than any other; `None` where no drill stands
/// out. With only one drill to choose nothing has to stand out.
pub fn best<'a>(graders: &[&Grader<'a>], answer: &Answer) -> Option<(&'a Drill, Grade)> {
    let mut grades: Vec<(&'a Drill, Grade)> = graders.iter().map(|grader| (grader.drill, grader.grade(answer))).collect();
    if grades.len() > 1 {
        grades.sort_by_key(|(_, grade)| Reverse(right(grade)));
        let (first, second) = (right(&grades[0].1), right(&grades[1].1));
        if first < RIGHT || first == second {
            return None;
        }
    }
    grades.into_iter().next()
}

fn right(grade: &Grade) -> usize {
    let is_right = |verdict| matches!(verdict, Verdict::Correct | Verdict::CarriedForward | Verdict::Form);
    grade.quantities.iter().filter(|finding| is_right(finding.verdict)).count()
}
