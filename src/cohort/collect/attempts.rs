//! Of several attempts, the one that counts.

use std::collections::BTreeMap;

use super::Submission;
use crate::cohort::time::Moment;

/// One submission an id, in the order of the ids.
///
/// Of several, the last counts: by their times where all are known, in the order in which they came otherwise. With a
/// deadline, the last that was in time counts; where none was, the last of all, marked late.
pub(super) fn settle(submissions: Vec<Submission>, deadline: Option<Moment>) -> Vec<Submission> {
    let mut by_id: BTreeMap<String, Vec<Submission>> = BTreeMap::new();
    for submission in submissions {
        by_id.entry(submission.id.clone()).or_default().push(submission);
    }
    by_id.into_values().filter_map(|attempts| last(attempts, deadline)).collect()
}

fn last(mut attempts: Vec<Submission>, deadline: Option<Moment>) -> Option<Submission> {
    let time = |submission: &Submission| submission.arrival.submitted.as_deref().and_then(|text| text.parse::<Moment>().ok());
    let times: Option<Vec<Moment>> = attempts.iter().map(time).collect();
    if let Some(deadline) = deadline {
        for attempt in &mut attempts {
            attempt.arrival.late |= time(attempt).is_some_and(|time| time.is_after(deadline));
        }
    }
    // A later attempt takes the place of an earlier one, unless it is late and the earlier was not.
    let mut best = 0;
    for at in 1..attempts.len() {
        let is_later = times.as_ref().is_none_or(|times| !times[best].is_after(times[at]));
        let is_late = |at: usize| deadline.is_some() && attempts[at].arrival.late;
        let takes = match (is_late(best), is_late(at)) {
            (false, true) => false,
            (true, false) => true,
            _ => is_later,
        };
        if takes {
            best = at;
        }
    }
    if attempts.len() <= 1 {
        return attempts.pop();
    }
    let mut chosen = attempts.remove(best);
    chosen.arrival.attempt.get_or_insert(best + 1);
    chosen.arrival.replaced.extend(attempts.into_iter().map(|attempt| {
        let source = attempt.arrival.source;
        match (source.line, attempt.arrival.submitted) {
            (Some(line), Some(time)) => format!("line {line}, of {time}"),
            (Some(line), None) => format!("line {line}"),
            (None, Some(time)) => format!("{}, of {time}", source.entry.unwrap_or(source.path)),
            (None, None) => source.entry.unwrap_or(source.path),
        }
    }));
    Some(chosen)
}
