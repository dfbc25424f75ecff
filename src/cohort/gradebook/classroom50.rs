//! Classroom 50: a `result.json` a submission, with whole numbers of points.
//!
//! Half points would be lost in whole numbers, so a point becomes as many as the finest share of the run needs; the
//! operator is told how many.

use serde::Serialize;

use super::sheet::{Item, Outcome};
use super::{Classroom, Job, Points, Sink, Told, document};
use crate::cohort::Trouble;
use crate::cohort::time::Moment;

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Result50<'a> {
    schema: &'static str,
    classroom: &'a str,
    assignment: &'a str,
    submission: &'a str,
    datetime: String,
    score: i64,
    max_score: i64,
    tests: Vec<Test<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Test<'a> {
    test_name: &'a str,
    passed: bool,
    score: i64,
    max_score: i64,
    /// Beyond the schema, which keeps what it does not know: not counted yet.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pending: bool,
}

pub(super) fn export(job: &Job<'_>, sink: &mut dyn Sink, told: &mut Told) -> Result<(), Trouble> {
    let Some(classroom) = &job.order.classroom else {
        return Err(Trouble::unfit(job.run.folder(), "Classroom 50 wants its own names again: give `--classroom` and `--assignment`"));
    };
    let is_alone = job.run.manifest.submissions == 1;
    if classroom.submission.is_some() && !is_alone {
        return Err(Trouble::unfit(
            job.run.folder(),
            "holds several submissions, and `--submission` is the tag of one; without it each goes by its own id and time",
        ));
    }
    let mut times = job.sheets()?.filter_map(Result::ok).filter(|sheet| sheet.marks().is_some());
    if times.by_ref().all(|sheet| datetime(classroom, sheet.submission.arrival.submitted.as_deref()).is_none()) {
        let what = if is_alone {
            "has no time, which Classroom 50 wants; `--submission` with the tag of the submission gives it"
        } else {
            "has no times, which Classroom 50 wants; each submission by itself takes its time from the tag (`--submission`)"
        };
        return Err(Trouble::unfit(job.run.folder(), what));
    }
    let parts = parts_of_a_point(job)?;
    if parts > 1 {
        told.mention("Classroom 50", format!("takes whole numbers only: each point is written as {parts}"));
    }
    job.write_each(sink, told, |sheet, told| {
        let id = &sheet.submission.id;
        let Outcome::Graded(marks) = &sheet.outcome else {
            // Nothing was graded, and a file with 0 would say that something was.
            told.count(sheet);
            return Ok(None);
        };
        let Some(datetime) = datetime(classroom, sheet.submission.arrival.submitted.as_deref()) else {
            told.refuse(id, "has no time, which Classroom 50 wants; a run of this submission alone takes it from the tag");
            return Ok(None);
        };
        let whole = |points: Points| points.hundredths() * parts / 100;
        let test = |item: &Item| (item.awarded.unwrap_or(Points::ZERO), item.possible, item.awarded.is_none());
        let tests = marks.items.iter().map(|item| {
            let (score, possible, pending) = test(item);
            Test { test_name: &item.id, passed: !pending && score == possible, score: whole(score), max_score: whole(possible), pending }
        });
        Ok(Some(document(&Result50 {
            schema: "classroom50/result/v1",
            classroom: &classroom.classroom,
            assignment: &classroom.assignment,
            submission: classroom.submission.as_deref().unwrap_or(id),
            datetime,
            score: whole(marks.awarded),
            max_score: whole(marks.possible),
            tests: tests.collect(),
        })))
    })
}

/// The smallest number of parts of a point by which all points of the run are whole.
fn parts_of_a_point(job: &Job<'_>) -> Result<i64, Trouble> {
    let mut step = 100;
    for sheet in job.sheets()? {
        let sheet = sheet?;
        for item in sheet.marks().iter().flat_map(|marks| &marks.items) {
            for points in [Some(item.possible), item.awarded].into_iter().flatten() {
                step = gcd(step, points.hundredths());
            }
        }
    }
    Ok(100 / step.max(1))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The moment of the submission, in the tag or as the export knows it: never the clock, as a regrade does not change it.
fn datetime(classroom: &Classroom, submitted: Option<&str>) -> Option<String> {
    let stamp = classroom.submission.as_deref().and_then(|tag| {
        let stamp = tag.rsplit('/').next()?.split('-').next()?;
        let digits: Vec<char> = stamp.chars().collect();
        let is_digits = |range: std::ops::Range<usize>| digits.get(range).is_some_and(|part| part.iter().all(char::is_ascii_digit));
        let is_stamp = digits.len() == 16 && is_digits(0..8) && digits[8] == 'T' && is_digits(9..15) && digits[15] == 'Z';
        let part = |range: std::ops::Range<usize>| digits[range].iter().collect::<String>();
        is_stamp.then(|| format!("{}-{}-{}T{}:{}:{}Z", part(0..4), part(4..6), part(6..8), part(9..11), part(11..13), part(13..15)))
    });
    stamp.or_else(|| submitted?.parse::<Moment>().ok()?.in_greenwich())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moment_is_that_of_the_submission() {
        let of = |tag: Option<&str>, submitted: Option<&str>| {
            datetime(&Classroom { submission: tag.map(str::to_owned), ..Classroom::default() }, submitted)
        };
        assert_eq!(of(Some("submit/20260901T100000Z-abc1234"), None).as_deref(), Some("2026-09-01T10:00:00Z"));
        assert_eq!(of(Some("v1"), Some("2026-09-01 23:30:00 -07:00")).as_deref(), Some("2026-09-02T06:30:00Z"));
        assert_eq!(of(None, Some("2026-02-28T23:00:00Z")).as_deref(), Some("2026-02-28T23:00:00Z"));
        assert_eq!(of(None, Some("2026-09-01 10:00")), None, "whose clock?");
        assert_eq!(of(Some("submit/2026090/T100000Z"), None), None);
    }
}
