//! Autolab: the autoresult of a submission, and the table of its bulk upload.
//!
//! Autolab reads the last line of what an autograder prints, and before that puts quotes around every word that stands
//! before a colon, inside strings as well. So no letter and no digit may stand right before a colon anywhere but after a
//! key. A problem that waits for a person is left out, and keeps the score that it has.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::sheet::{Item, Outcome, Sheet};
use super::template::record;
use super::{Job, Sink, Told};
use crate::cohort::Trouble;
use crate::report::inert;

pub(super) fn export(job: &Job<'_>, sink: &mut dyn Sink, told: &mut Told) -> Result<(), Trouble> {
    check_names(job)?;
    job.write_each(sink, told, |sheet, _| {
        // Without a score, Autolab keeps what it has; a line that is no autoresult would be an error of the autograder.
        Ok(sheet.marks().map(|_| autoresult(sheet).into_bytes()))
    })?;
    for sheet in job.sheets()? {
        let sheet = sheet?;
        if let Outcome::Unread(error) = &sheet.outcome {
            told.refuse(&sheet.submission.id, format!("has no grade: {error}"));
        }
    }
    Ok(())
}

/// The two lines of one submission.
fn autoresult(sheet: &Sheet) -> String {
    let (mut stage, mut scores) = (Map::new(), Map::new());
    let mut total = None;
    if let Some(marks) = sheet.marks() {
        for item in &marks.items {
            stage.insert(item.id.clone(), hint(item));
            if let Some(points) = item.awarded {
                scores.insert(item.id.clone(), json!(points));
            }
        }
        total = Some(marks.awarded);
    }
    let feedback = json!({ "_presentation": "semantic", "stages": ["drill"], "drill": stage });
    let result = json!({ "scores": scores, "scoreboard": total.into_iter().collect::<Vec<_>>() });
    format!("{feedback}\n{result}\n")
}

fn hint(item: &Item) -> Value {
    if item.awarded == Some(item.possible) {
        json!({ "passed": true })
    } else {
        json!({ "passed": false, "hint": without_colons(&item.said()) })
    }
}

/// A text in which nothing looks like a key to Autolab.
fn without_colons(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in inert::terminal(text).chars() {
        if c == ':' && safe.ends_with(|c: char| c.is_ascii_alphanumeric()) {
            safe.push(' ');
        }
        safe.push(c);
    }
    safe
}

/// Names have to be those of the assignment's problems, to the letter: one that Autolab would break is refused.
fn check_names(job: &Job<'_>) -> Result<(), Trouble> {
    for (_, id, _) in job.columns()?.items {
        if without_colons(&id) != id {
            return Err(Trouble::unfit(
                job.run.folder(),
                format!("Autolab cannot read a problem called `{id}`: nothing may stand right before a colon"),
            ));
        }
    }
    Ok(())
}

/// A row a student: the address, then a cell a problem, in the order of the problems; no header.
pub(super) fn table(job: &Job<'_>, sink: &mut dyn Sink, told: &mut Told) -> Result<(), Trouble> {
    let columns = job.columns()?;
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let mut out = Vec::new();
    for sheet in job.sheets()? {
        let sheet = sheet?;
        let id = &sheet.submission.id;
        let email = sheet.submission.arrival.email.clone().or_else(|| id.contains('@').then(|| id.clone()));
        let Some(email) = email else {
            told.refuse(id, "has no address, by which Autolab finds students; grade it with `--roster`");
            continue;
        };
        if let Some(other) = seen.insert(email.to_lowercase(), id.clone()) {
            told.refuse(id, format!("has the same address as {other}, whose row stands in the table"));
            continue;
        }
        told.count(&sheet);
        let cells = std::iter::once(inert::cell(&email)).chain(columns.cells(&sheet, '.'));
        out.extend(record(b',', csv::Terminator::Any(b'\n'), cells));
    }
    sink.document(&out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_looks_like_a_key() {
        for (text, safe) in
            [("Part A: energy", "Part A : energy"), ("2(P−1): x", "2(P−1): x"), ("a:b::c", "a :b ::c"), ("\u{1b}[1m", "␛[1m")]
        {
            assert_eq!(without_colons(text), safe);
        }
    }
}
