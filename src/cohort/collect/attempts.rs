//! Of several attempts, the one that counts.

use std::ops::Range;

use super::Submission;
use crate::cohort::time::Moment;

/// One submission an id, in the order of the ids.
///
/// Of several, the last counts: by their times where all are known, in the order in which they came otherwise. With a
/// deadline, the last that was in time counts; where none was, the last of all, marked late.
pub(super) fn settle(mut submissions: Vec<Submission>, deadline: Option<Moment>) -> Vec<Submission> {
    // In place throughout: a class may be large.
    submissions.sort_by(|a, b| a.id.cmp(&b.id));
    if let Some(deadline) = deadline {
        for submission in &mut submissions {
            submission.arrival.late |= time(submission).is_some_and(|time| time.is_after(deadline));
        }
    }
    let mut counts = vec![true; submissions.len()];
    let mut start = 0;
    while start < submissions.len() {
        let end = start + submissions[start..].iter().take_while(|other| other.id == submissions[start].id).count();
        if end - start > 1 {
            let best = last(&submissions, start..end, deadline.is_some());
            let others = (start..end).filter(|&at| at != best);
            let replaced: Vec<String> = others.clone().map(|at| described(&submissions[at])).collect();
            let arrival = &mut submissions[best].arrival;
            arrival.attempt.get_or_insert(best - start + 1);
            arrival.replaced.extend(replaced);
            others.for_each(|at| counts[at] = false);
        }
        start = end;
    }
    let mut counts = counts.into_iter();
    submissions.retain(|_| counts.next().unwrap_or(true));
    submissions
}

fn time(submission: &Submission) -> Option<Moment> {
    submission.arrival.submitted.as_deref().and_then(|text| text.parse().ok())
}

/// The place of the attempt that counts.
fn last(submissions: &[Submission], attempts: Range<usize>, has_deadline: bool) -> usize {
    let times: Option<Vec<Moment>> = submissions[attempts.clone()].iter().map(time).collect();
    let mut best = attempts.start;
    for at in attempts.start + 1..attempts.end {
        let is_later = times.as_ref().is_none_or(|times| !times[best - attempts.start].is_after(times[at - attempts.start]));
        let is_late = |at: usize| has_deadline && submissions[at].arrival.late;
        // A later attempt takes the place of an earlier one, unless it is late and the earlier was not.
        let takes = match (is_late(best), is_late(at)) {
            (false, true) => false,
            (true, false) => true,
            _ => is_later,
        };
        if takes {
            best = at;
        }
    }
    best
}

/// An attempt that does not count, in the words of a list.
fn described(attempt: &Submission) -> String {
    let source = &attempt.arrival.source;
    let place = match source.line {
        Some(line) => format!("line {line}"),
        None => attempt.file.clone(),
    };
    match &attempt.arrival.submitted {
        Some(time) => format!("{place}, of {time}"),
        None => place,
    }
}
