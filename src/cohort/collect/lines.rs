//! A stream of JSON objects, one a line: `{"id": "s017", "text": "…", "kind": "md"}`.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;

use super::{Class, Form, Layout, Rules, Submission, attempts, named};
use crate::answer::Kind;
use crate::cohort::Trouble;
use crate::cohort::tree::{Place, Store};
use crate::report::{Arrival, Origin};

/// What may stand in a line beside the text.
#[derive(Deserialize)]
struct Head {
    id: serde_json::Value,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    email: Option<String>,
    #[serde(default)]
    submitted: Option<String>,
}

#[derive(Deserialize)]
struct Body {
    text: String,
    kind: Option<String>,
}

pub(super) fn collect(input: &Path, rules: &Rules) -> Result<Class, Trouble> {
    let told = |error| Trouble::io(input, error);
    let mut lines = BufReader::new(File::open(input).map_err(told)?);
    let (mut submissions, mut start, mut number) = (Vec::new(), 0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        // Enough to see whose a line is that is too long to be graded.
        let len = read_line(&mut lines, &mut line, rules.limits.size).map_err(told)?;
        if len == 0 {
            break;
        }
        number += 1;
        if number > rules.limits.entries {
            return Err(Trouble::unfit(input, format!("holds more than {} lines", rules.limits.entries)));
        }
        if !line.trim_ascii().is_empty() {
            submissions.push(submission(input, &line, number, Place::Slice { start, len }));
        }
        start += len;
    }
    let store = Store::slices(input, rules.limits)?;
    let submissions = attempts::settle(submissions, rules.deadline);
    Ok(Class {
        input: named(input),
        layout: Layout::Lines,
        submissions,
        strays: Vec::new(),
        store,
        form: Form::Lines,
        fallback: rules.kind,
    })
}

/// Reads a line whole and keeps at most `limit` bytes of it; its full length.
fn read_line(lines: &mut impl BufRead, line: &mut Vec<u8>, limit: u64) -> std::io::Result<u64> {
    let mut len = 0;
    loop {
        let buffer = lines.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(buffer.len(), |end| end + 1);
        let room = usize::try_from(limit).unwrap_or(usize::MAX).saturating_sub(line.len());
        line.extend_from_slice(&buffer[..taken.min(room)]);
        lines.consume(taken);
        len += taken as u64;
        if end.is_some() || taken == 0 {
            return Ok(len);
        }
    }
}

fn submission(input: &Path, line: &[u8], number: usize, place: Place) -> Submission {
    let source = Origin { path: named(input), entry: None, line: Some(number) };
    let (id, arrival, trouble) = match serde_json::from_slice::<Head>(line) {
        Ok(head) => {
            let id = match head.id {
                serde_json::Value::String(id) => id,
                other => other.to_string(),
            };
            let arrival = Arrival { name: head.name, email: head.email, submitted: head.submitted, source, ..Arrival::default() };
            (id, arrival, None)
        }
        Err(error) => {
            (format!("line {number}"), Arrival { source, ..Arrival::default() }, Some(format!("the line is not an answer: {error}")))
        }
    };
    let known_as = [arrival.email.clone(), arrival.name.clone()].into_iter().flatten().collect();
    Submission { file: id.clone(), id, arrival: Box::new(arrival), known_as, pieces: vec![place], kind: None, trouble }
}

/// The text of a line, and its format.
pub(super) fn text(line: &[u8], kind: Option<Kind>) -> Result<(Vec<u8>, Option<Kind>), String> {
    let body: Body = serde_json::from_slice(line).map_err(|error| format!("the line is not an answer: {error}"))?;
    let kind = match body.kind {
        Some(name) => Some(Kind::of_name(&format!("answer.{name}")).ok_or_else(|| format!("unknown kind `{name}`"))?),
        None => kind,
    };
    Ok((body.text.into_bytes(), kind))
}
