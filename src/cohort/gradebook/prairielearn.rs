//! PrairieLearn: the `results.json` of an external grader.
//!
//! The recorded mark is `score` alone, a fraction; a string there fails the job. What waits for a person has no points
//! and no maximum, which PrairieLearn shows without judging; in the score it counts as not earned yet, since an answer
//! that nobody has read is not full marks.

use serde::Serialize;

use super::sheet::{Item, Outcome};
use super::{Job, Points, Sink, Told, document, sheet::Sheet};
use crate::cohort::Trouble;
use crate::report::{NOT_GRADED, inert};

#[derive(Debug, Serialize)]
struct Results<'a> {
    gradable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    format_errors: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tests: Vec<Test<'a>>,
}

#[derive(Debug, Serialize)]
struct Test<'a> {
    name: &'a str,
    description: &'a str,
    points: Points,
    max_points: Points,
    message: String,
}

pub(super) fn export(job: &Job<'_>, sink: &mut dyn Sink, told: &mut Told) -> Result<(), Trouble> {
    job.write_each(sink, told, |sheet, _| Ok(Some(results(sheet))))
}

fn results(sheet: &Sheet) -> Vec<u8> {
    let results = match &sheet.outcome {
        Outcome::Unread(error) => Results {
            gradable: false,
            score: None,
            format_errors: vec![NOT_GRADED.to_owned(), inert::terminal(error)],
            message: String::new(),
            tests: Vec::new(),
        },
        // An attempt is not used up by what nobody has looked at.
        Outcome::Graded(marks) if marks.is_unseen => {
            Results { gradable: false, score: None, format_errors: vec![UNSEEN.to_owned()], message: String::new(), tests: Vec::new() }
        }
        Outcome::Graded(marks) => Results {
            gradable: true,
            score: Some(share(marks.awarded, marks.possible)),
            format_errors: Vec::new(),
            message: if marks.is_waiting() {
                format!("{} of {} points wait for a person to read them and are not counted yet.", marks.pending, marks.possible)
            } else {
                String::new()
            },
            tests: marks.items.iter().map(test).collect(),
        },
    };
    document(&results)
}

fn test(item: &Item) -> Test<'_> {
    Test {
        name: &item.id,
        description: &item.title,
        points: item.awarded.unwrap_or(Points::ZERO),
        max_points: if item.awarded.is_some() { item.possible } else { Points::ZERO },
        message: item.said(),
    }
}

/// What a student is told in whose answer nothing that is asked was found.
const UNSEEN: &str = "Nothing that is asked was found in this submission: is it the right file? Nothing is decided by that.";

/// From 0 to 1, to the millionth.
pub(super) fn share(awarded: Points, possible: Points) -> f64 {
    if possible == Points::ZERO {
        return 0.0;
    }
    ((awarded.number() / possible.number()).clamp(0.0, 1.0) * 1e6).round() / 1e6
}
