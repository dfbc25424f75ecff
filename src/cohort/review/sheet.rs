//! Decisions through a spreadsheet: everything that waits as a table, and the filled-in table back.
//!
//! A table is written with the decisions of the moment in `old_outcome` and `outcome`; whoever fills it in changes
//! `outcome` and `comment`. What is not changed is not read. Where somebody decided otherwise in the meantime, nothing is
//! guessed: the row is told.

use std::collections::BTreeMap;

use csv::{ReaderBuilder, StringRecord, WriterBuilder};

use super::cases::Case;
use super::desk::{Choice, Mode, decision};
use super::log::{Act, Decision, Entry, Kind};
use super::marking::Marking;
use super::rulings::Rulings;
use crate::drill::Outcome;
use crate::grade::Verdict;
use crate::report::inert;

/// The columns, in their order.
const COLUMNS: [&str; 12] =
    ["key", "id", "kind", "submission", "others", "why", "passage", "choices", "old_outcome", "old_comment", "outcome", "comment"];

/// What came of a table.
#[derive(Debug, Default)]
pub struct Imported {
    /// Decisions for the log.
    pub acts: Vec<Act>,
    /// Rows that changed nothing.
    pub unchanged: usize,
    /// What is wrong with rows: the line of the table, and a sentence without its stop.
    pub problems: Vec<(u64, String)>,
}

/// The cases as a table. It begins with the mark by which spreadsheets know UTF-8.
pub fn export(marking: &Marking, cases: &[Case], entries: &[Entry]) -> Vec<u8> {
    let rulings = Rulings::of(entries);
    let mut writer = WriterBuilder::new().from_writer("\u{feff}".as_bytes().to_vec());
    let mut write = |cells: &[String]| writer.write_record(cells).expect("a vector takes everything");
    write(&COLUMNS.map(str::to_owned));
    for case in cases {
        let (outcome, comment) = now(marking, case, &rulings);
        let first = case.members.first().map_or("", |member| member.submission.as_str());
        let cells = [
            case.key(),
            case.id.clone(),
            case.kind.code().to_owned(),
            first.to_owned(),
            case.members.len().saturating_sub(1).to_string(),
            case.why.clone(),
            case.text.clone(),
            choices(marking, case),
            outcome.clone(),
            comment.clone(),
            outcome,
            comment,
        ];
        write(&cells.map(|cell| inert::cell(&cell)));
    }
    writer.into_inner().expect("a vector takes everything")
}

/// What may be written into `outcome`.
fn choices(marking: &Marking, case: &Case) -> String {
    match case.kind {
        Kind::Answer => "not_met: nothing in it counts | met: an answer without values".to_owned(),
        Kind::Criterion => {
            let levels = case.sheet(marking).map(|sheet| sheet.levels.as_slice()).unwrap_or_default();
            let levels = levels.iter().enumerate().map(|(at, level)| format!("level {}: {}", at + 1, level.says));
            ["met", "partly", "not_met"].map(str::to_owned).into_iter().chain(levels).collect::<Vec<_>>().join(" | ")
        }
        Kind::Quantity => {
            let values = case.candidates.iter().enumerate();
            let values =
                values.map(|(at, candidate)| format!("value {}: {} (line {})", at + 1, candidate.reading.text, candidate.reading.line));
            values.chain(["correct", "form", "wrong", "missing"].map(str::to_owned)).collect::<Vec<_>>().join(" | ")
        }
    }
}

/// The decision of the moment, as a table says it.
fn now(marking: &Marking, case: &Case, rulings: &Rulings) -> (String, String) {
    let Some(ruling) = rulings.find(&case.about()) else { return (String::new(), String::new()) };
    let Decision { outcome, share, candidate, comment, .. } = &ruling.decision;
    let level = share.and_then(|share| {
        let levels = &case.sheet(marking)?.levels;
        levels.iter().position(|level| (level.share - share).abs() < 1e-9).map(|at| format!("level {}", at + 1))
    });
    let value = candidate.as_ref().and_then(|text| {
        let at = case.candidates.iter().position(|candidate| candidate.reading.text == *text)?;
        Some(format!("value {}", at + 1))
    });
    (level.or(value).unwrap_or_else(|| outcome.clone()), comment.clone().unwrap_or_default())
}

/// Reads a filled-in table.
///
/// # Errors
///
/// When it is no such table at all.
pub fn import(marking: &Marking, cases: &[Case], entries: &[Entry], bytes: &[u8]) -> Result<Imported, String> {
    // Spreadsheets write the encoding of their system, and the separator of their country.
    let (text, ..) = if std::str::from_utf8(bytes).is_ok() { encoding_rs::UTF_8 } else { encoding_rs::WINDOWS_1252 }.decode(bytes);
    let head = text.lines().next().unwrap_or_default();
    let separator = [b',', b';', b'\t'].into_iter().max_by_key(|&separator| head.matches(char::from(separator)).count()).unwrap_or(b',');
    let mut reader = ReaderBuilder::new().delimiter(separator).flexible(true).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    let column = |name: &str| header.iter().position(|head| head.trim().eq_ignore_ascii_case(name));
    let column = |name: &str| column(name).ok_or_else(|| format!("has no column `{name}`; it is not a table that `--export` wrote"));
    let columns = [column("key")?, column("old_outcome")?, column("old_comment")?, column("outcome")?, column("comment")?];
    let rulings = Rulings::of(entries);
    let by_key: BTreeMap<String, &Case> = cases.iter().map(|case| (case.key(), case)).collect();
    let mut imported = Imported::default();
    let mut seen: BTreeMap<String, (u64, String, String)> = BTreeMap::new();
    for row in reader.records() {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                imported.problems.push((line, "cannot be read as a row of a table".to_owned()));
                continue;
            }
        };
        let line = row.position().map_or(0, csv::Position::line);
        if row.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        let [key, old_outcome, old_comment, outcome, comment] = columns.map(|column| text_of(&row, column));
        let case = by_key.get(&key).copied();
        match changed(marking, case, &rulings, &key, [&old_outcome, &old_comment, &outcome, &comment]) {
            Ok(None) => imported.unchanged += 1,
            Err(what) => imported.problems.push((line, what)),
            Ok(Some(decided)) => match seen.get(&key) {
                Some((first, one, other)) if (one, other) != (&outcome, &comment) => {
                    let what = format!("`{key}` is decided otherwise on line {first}; neither is taken for the other, the first counts");
                    imported.problems.push((line, what));
                }
                Some(_) => imported.unchanged += 1,
                None => {
                    seen.insert(key, (line, outcome, comment));
                    imported.acts.push(Act::Decide(decided));
                }
            },
        }
    }
    Ok(imported)
}

/// The decision of a row, where there is a new one.
fn changed(marking: &Marking, case: Option<&Case>, rulings: &Rulings, key: &str, row: [&String; 4]) -> Result<Option<Decision>, String> {
    let [old_outcome, old_comment, outcome, comment] = row;
    let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    if same(outcome, old_outcome) && comment == old_comment {
        return Ok(None);
    }
    let Some(case) = case else { return Err(format!("nothing in this run has the key `{key}`")) };
    if outcome.is_empty() {
        return Err(match old_outcome.is_empty() {
            true => "a comment without an outcome decides nothing".to_owned(),
            false => "the outcome was removed; to take a decision back, undo it at the desk".to_owned(),
        });
    }
    let (now_outcome, now_comment) = now(marking, case, rulings);
    let now_comment = plain(&inert::cell(&now_comment));
    if same(&now_outcome, outcome) && now_comment == *comment {
        return Ok(None);
    }
    if same(&now_outcome, old_outcome) && now_comment != *old_comment {
        return Err(format!("somebody changed the comment on `{key}` after the table was written; this one is not taken"));
    }
    if !same(&now_outcome, old_outcome) {
        let now = if now_outcome.is_empty() { "open".to_owned() } else { format!("`{now_outcome}`") };
        let was = if old_outcome.is_empty() { "open".to_owned() } else { format!("`{old_outcome}`") };
        return Err(format!("`{key}` was {was} when the table was written and is {now} now; `{outcome}` is not taken"));
    }
    let choice = choice(case.kind, outcome).ok_or_else(|| format!("`{outcome}` is no choice here: {}", choices(marking, case)))?;
    match decision(case, marking, Mode::Review, choice, Some(comment), None) {
        Ok(decided) => Ok(Some(decided)),
        Err(why) => Err(format!("`{outcome}`: {why}")),
    }
}

/// A choice as a table says it.
fn choice(kind: Kind, text: &str) -> Option<Choice> {
    let text = text.trim().to_ascii_lowercase().replace([' ', '-'], "_");
    let number = |word: &str| text.strip_prefix(word)?.trim_start_matches('_').parse::<usize>().ok()?.checked_sub(1);
    let outcome = |code: &str| super::overlay::outcome(code).map(Choice::Outcome);
    match kind {
        Kind::Answer => outcome(text.split(':').next().unwrap_or_default()),
        Kind::Criterion => outcome(&text).or_else(|| number("level").map(Choice::Level)).or(match text.as_str() {
            "partly_met" => Some(Choice::Outcome(Outcome::Partly)),
            _ => None,
        }),
        Kind::Quantity => number("value")
            .map(Choice::Candidate)
            .or_else(|| super::overlay::verdict(&text).filter(|verdict| *verdict != Verdict::Unclear).map(Choice::Verdict)),
    }
}

/// The text of a cell without the apostrophe by which it is no formula.
fn text_of(row: &StringRecord, column: usize) -> String {
    plain(row.get(column).unwrap_or_default().trim())
}

fn plain(cell: &str) -> String {
    match cell.strip_prefix('\'') {
        Some(rest) if inert::cell(rest).len() > rest.len() => rest.to_owned(),
        _ => cell.to_owned(),
    }
}

#[cfg(test)]
mod tests;
