//! Gradescope: `results.json`, for the submissions of a run, and for the one that an autograder is just looking at.
//!
//! A test that is hidden takes the total away from the student, so nothing is ever put into a hidden test; and what
//! goes into `extra_data` is stored, not secret, so no expected value is ever put there.

use std::fs::File;
use std::io::Read;

use serde::{Deserialize, Serialize};

use super::sheet::{Item, Outcome, Sheet};
use super::{Job, Points, Sink, Told, Visibility, document};
use crate::cohort::Trouble;
use crate::cohort::time::Moment;
use crate::report::{NOT_GRADED, inert};

/// More than this of a feedback file is not read.
const LONGEST: u64 = 1_000_000;

/// What Gradescope reads. Formats are `text` throughout: no HTML, no Markdown, no escape codes.
#[derive(Debug, Serialize)]
struct Results<'a> {
    score: Points,
    output: String,
    output_format: &'static str,
    test_output_format: &'static str,
    test_name_format: &'static str,
    visibility: Visibility,
    /// What the program prints is for staff.
    stdout_visibility: &'static str,
    tests: Vec<Test<'a>>,
    extra_data: Extra<'a>,
}

/// One item, as a line of the student's page.
#[derive(Debug, Serialize)]
struct Test<'a> {
    /// What Gradescope shows before the name: the item's own id.
    number: &'a str,
    name: String,
    score: Points,
    max_score: Points,
    status: &'static str,
    output: String,
    tags: [&'a str; 1],
    visibility: Visibility,
    extra_data: Check<'a>,
}

#[derive(Debug, Serialize)]
struct Check<'a> {
    check: &'a str,
    is_pending: bool,
}

#[derive(Debug, Serialize)]
struct Extra<'a> {
    drillmark: Kept<'a>,
}

/// What comes back with the next submission, and what a script may look for.
#[derive(Debug, Serialize)]
struct Kept<'a> {
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    drill: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drill_sha256: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rubric_sha256: Option<&'a str>,
    pending_points: Points,
    pending: Vec<&'a str>,
    late: bool,
    is_graded: bool,
}

pub(super) fn export(job: &Job<'_>, sink: &mut dyn Sink, told: &mut Told) -> Result<(), Trouble> {
    if job.order.visibility == Visibility::Hidden {
        told.mention("--visibility hidden", "where a test is hidden, Gradescope shows the student no total either");
    }
    job.write_each(sink, told, |sheet, _| Ok(Some(results(sheet, feedback(job, &sheet.submission.id).as_deref(), job.order.visibility))))
}

/// The feedback file of a submission, where the run wrote it for students and in plain text.
fn feedback(job: &Job<'_>, id: &str) -> Option<String> {
    let options = &job.run.manifest.options;
    if options.feedback_view != "student" || options.feedback.as_deref() != Some("txt") {
        return None;
    }
    let mut text = String::new();
    File::open(job.run.feedback(id)?).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The document on one submission. `feedback` is for its student, in plain text.
pub(super) fn results(sheet: &Sheet, feedback: Option<&str>, visibility: Visibility) -> Vec<u8> {
    let kept = |is_graded| Kept {
        version: env!("CARGO_PKG_VERSION"),
        drill: None,
        drill_sha256: None,
        rubric_sha256: None,
        pending_points: Points::ZERO,
        pending: Vec::new(),
        late: sheet.submission.arrival.late,
        is_graded,
    };
    let (score, output, tests, kept) = match &sheet.outcome {
        Outcome::Unread(error) => (Points::ZERO, format!("{NOT_GRADED}\n\nWhy: {}", inert::terminal(error)), Vec::new(), kept(false)),
        Outcome::Graded(marks) => {
            let mut output = String::new();
            if marks.is_waiting() {
                output =
                    format!("{} of {} points wait for a person to read them and are not counted yet.\n\n", marks.pending, marks.possible);
            }
            if let Some(feedback) = feedback {
                output.extend(feedback.lines().flat_map(|line| [inert::terminal(line), "\n".to_owned()]));
            }
            let pending = marks.items.iter().filter(|item| item.awarded.is_none()).map(|item| item.id.as_str()).collect();
            let tests = marks.items.iter().map(|item| test(item, visibility)).collect();
            let kept = Kept {
                drill: Some(&marks.drill.id),
                drill_sha256: Some(&marks.drill.sha256),
                rubric_sha256: Some(&marks.rubric.sha256),
                pending_points: marks.pending,
                pending,
                ..kept(true)
            };
            (marks.awarded, output, tests, kept)
        }
    };
    document(&Results {
        score,
        output: output.trim_end().to_owned(),
        output_format: "text",
        test_output_format: "text",
        test_name_format: "text",
        visibility,
        stdout_visibility: "hidden",
        tests,
        extra_data: Extra { drillmark: kept },
    })
}

fn test(item: &Item, visibility: Visibility) -> Test<'_> {
    Test {
        number: &item.id,
        name: if item.title.is_empty() { item.id.clone() } else { item.title.clone() },
        // Gradescope has no blank: the words say that it is not counted yet.
        score: item.awarded.unwrap_or(Points::ZERO),
        max_score: item.possible,
        status: if item.awarded == Some(item.possible) { "passed" } else { "failed" },
        output: item.said(),
        tags: [&item.part],
        visibility,
        extra_data: Check { check: &item.id, is_pending: item.awarded.is_none() },
    }
}

/// What Gradescope says of a submission. Its documentation reserves changes, so whatever is missing or of another shape
/// is simply not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Whether it came after the due date: by when it was handed in, never by the clock, as a regrade happens later.
    pub late: bool,
    /// When it was handed in.
    pub submitted: Option<String>,
    /// Who handed it in.
    pub members: Vec<String>,
    /// How many attempts there were before.
    pub earlier: usize,
    /// What the assignment is worth.
    pub total_points: Option<Points>,
}

impl Metadata {
    /// Reads `submission_metadata.json`.
    pub fn read(bytes: &[u8]) -> Metadata {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Told {
            created_at: serde_json::Value,
            assignment: Assignment,
            users: Vec<User>,
            previous_submissions: Vec<serde::de::IgnoredAny>,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Assignment {
            due_date: serde_json::Value,
            total_points: serde_json::Value,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct User {
            name: serde_json::Value,
        }
        let Ok(told) = serde_json::from_slice::<Told>(bytes) else { return Metadata::default() };
        let time = |value: &serde_json::Value| value.as_str().and_then(|text| text.parse::<Moment>().ok());
        let late = matches!((time(&told.created_at), time(&told.assignment.due_date)), (Some(at), Some(due)) if at.is_after(due));
        let total = match &told.assignment.total_points {
            serde_json::Value::String(text) => text.parse().ok(),
            number => number.as_f64().map(Points::of),
        };
        Metadata {
            late,
            submitted: told.created_at.as_str().map(str::to_owned),
            members: told.users.iter().filter_map(|user| user.name.as_str()).map(str::to_owned).collect(),
            earlier: told.previous_submissions.len(),
            total_points: total.filter(|points| *points > Points::ZERO),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_is_read_as_far_as_it_is_what_it_was() {
        let text = r#"{"id": 41, "created_at": "2026-09-03T10:00:00.000000-07:00",
            "assignment": {"id": 7, "total_points": "6.0", "due_date": "2026-09-02T23:59:00.000000-07:00", "late_due_date": null, "group_size": null},
            "submission_method": "upload", "users": [{"id": 9, "name": "Ada Example", "email": "ada@example.org"}],
            "previous_submissions": [{"submission_time": "2026-09-01T10:00:00.000000-07:00", "score": "0.0", "autograder_error": false, "results": {}}]}"#;
        let known = Metadata::read(text.as_bytes());
        assert_eq!((known.late, known.earlier, known.total_points), (true, 1, Some(Points::of(6.0))));
        assert_eq!(known.members, ["Ada Example"]);
        for text in ["", "not JSON", "[]", "{\"users\": 3}", "{\"assignment\": {\"total_points\": []}, \"created_at\": 7}"] {
            assert_eq!(Metadata::read(text.as_bytes()), Metadata::default(), "{text}");
        }
    }
}
