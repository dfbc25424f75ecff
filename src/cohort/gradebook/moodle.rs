//! Moodle: the grading worksheet of an assignment filled in, or a table for its import of grades.
//!
//! Moodle compares the worksheet's headers as strings of the reader's language, so the header leaves byte for byte as
//! it came. It skips rows whose stored grade is newer than the worksheet; so does this, before anything is uploaded.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use crate::cohort::Trouble;
use crate::cohort::collect::Layout;
use crate::cohort::gradebook::canvas::who;
use crate::cohort::gradebook::locale::Locale;
use crate::cohort::gradebook::people::{Claims, Key, Match, People};
use crate::cohort::gradebook::points::Points;
use crate::cohort::gradebook::sheet::{Item, Marks, Sheet};
use crate::cohort::gradebook::template::{Record, Template, record};
use crate::cohort::gradebook::{Job, Sink, Told};
use crate::cohort::time::Moment;
use crate::report::{Arrival, inert};

/// Where what stands in a grading worksheet.
#[derive(Debug)]
struct Layed {
    identifier: usize,
    name: Option<usize>,
    email: Option<usize>,
    number: Option<usize>,
    group: Option<usize>,
    grade: usize,
    maximum: Option<usize>,
    may_change: Option<usize>,
    submitted: Option<usize>,
    graded: usize,
    feedback: Option<usize>,
}

pub(super) fn export(job: &Job<'_>, sink: &mut dyn Sink, told: &mut Told) -> Result<(), Trouble> {
    match job.order.template {
        Some((path, bytes)) => worksheet(job, &Template::read(path, bytes)?, sink, told),
        None => import(job, sink, told),
    }
}

// ---- The grading worksheet --------------------------------------------------------------------------------------------

fn worksheet(job: &Job<'_>, template: &Template<'_>, sink: &mut dyn Sink, told: &mut Told) -> Result<(), Trouble> {
    let layed = Layed::of(template, job.order.column)?;
    let locale = job.order.locale.unwrap_or_else(|| shown_by(template, &layed));
    let (people, groups) = people(template, &layed);
    let mut placed: Vec<(Sheet, Vec<usize>)> = Vec::new();
    let mut claims = Claims::default();
    for sheet in job.sheets()? {
        let sheet = sheet?;
        match find(job, &sheet, &people, &groups) {
            Match::Rows(rows) => {
                claims.claim(&rows, &sheet.submission.id);
                placed.push((sheet, rows));
            }
            Match::Nobody => told.refuse(&who(&sheet), "is in the run and not in the template"),
            Match::Unclear(why) => told.refuse(&who(&sheet), why),
        }
    }
    let mut changes = BTreeMap::new();
    for (sheet, rows) in placed {
        let id = &sheet.submission.id;
        let rivals = claims.rivals(&rows, id);
        if !rivals.is_empty() {
            told.refuse(
                &who(&sheet),
                format!("is not the only submission of its student: {}; which one counts is not clear", rivals.join(", ")),
            );
            continue;
        }
        let mut is_written = true;
        for &at in &rows {
            if let Some(why) = stale(job, &template.rows[at], &layed, &sheet)? {
                is_written = false;
                told.refuse(&who(&sheet), why);
                continue;
            }
            let Some((marks, points)) = sheet.marks().and_then(|marks| Some((marks, marks.total()?))) else { continue };
            let row = &template.rows[at];
            // What is unchanged stays as it is written there: `3,50` is no news.
            if Points::read(row.cell(layed.grade)) != Some(points) {
                changes.insert((at, layed.grade), points.with(locale.mark()));
            }
            if let Some(column) = layed.feedback.filter(|column| row.cell(*column).is_empty()) {
                changes.insert((at, column), inert::cell(&feedback(marks)));
            }
        }
        if is_written {
            told.count(&sheet);
        }
    }
    for (at, row) in template.rows.iter().enumerate() {
        if !claims.has(at) && !row.cell(layed.identifier).is_empty() {
            told.mention(&inert::terminal(&shown(row, &layed)), "is in the template and has no submission");
        }
    }
    sink.document(&template.filled(&changes))
}

impl Layed {
    /// By the headers of an English worksheet; in another language by the place of the column of the grade, which the
    /// operator names: the columns around it are always the same.
    fn of(template: &Template<'_>, column: Option<&str>) -> Result<Layed, Trouble> {
        let find = |name: &str| template.column(name);
        if let (Some(identifier), Some(grade), Some(graded)) = (find("Identifier"), find("Grade"), find("Last modified (grade)")) {
            return Ok(Layed {
                identifier,
                name: find("Full name"),
                email: find("Email address"),
                number: find("ID number"),
                group: find("Group"),
                grade,
                maximum: find("Maximum grade"),
                may_change: find("Grade can be changed"),
                submitted: find("Last modified (submission)"),
                graded,
                feedback: find("Feedback comments"),
            });
        }
        let Some(grade) = column.and_then(find) else {
            return Err(template.unfit(format!(
                "is no grading worksheet: the columns `Identifier`, `Grade` and `Last modified (grade)` are looked for, and it has {}; in \
                 another language, name the column of the grade with `--column`",
                template.headers()
            )));
        };
        let last = template.header.len() - 1;
        let is_number = |column: usize| template.rows.iter().all(|row| Points::read(row.cell(column)).is_some());
        if grade < 2 || grade + 4 > last || !is_number(grade + 1) {
            return Err(template.unfit(format!(
                "is no grading worksheet: behind the grade, its maximum and two dates are expected; it has {}",
                template.headers()
            )));
        }
        let email = (1..grade).find(|&column| template.rows.iter().any(|row| row.cell(column).contains('@')));
        Ok(Layed {
            identifier: 0,
            name: Some(1),
            email,
            number: None,
            group: None,
            grade,
            maximum: Some(grade + 1),
            may_change: None,
            submitted: Some(last - 2),
            graded: last - 1,
            feedback: Some(last),
        })
    }
}

/// The decimal mark that the worksheet itself shows.
fn shown_by(template: &Template<'_>, layed: &Layed) -> Locale {
    let columns = [layed.maximum, Some(layed.grade)];
    let cells = columns.into_iter().flatten().flat_map(|column| template.rows.iter().map(move |row| row.cell(column)));
    match cells.filter_map(|cell| cell.chars().rfind(|c| matches!(c, '.' | ','))).next() {
        Some(',') => Locale::Comma,
        _ => Locale::Point,
    }
}

/// The rows by their keys, and the rows of each group.
fn people(template: &Template<'_>, layed: &Layed) -> (People, BTreeMap<String, Vec<usize>>) {
    let (mut people, mut groups) = (People::default(), BTreeMap::<String, Vec<usize>>::new());
    for (at, row) in template.rows.iter().enumerate() {
        let cell = |column: Option<usize>| column.map_or("", |column| row.cell(column));
        // `Participant 1201`, in whatever language.
        let identifier = row.cell(layed.identifier);
        let digits = identifier.len() - identifier.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        people.know(at, Key::Platform, &identifier[identifier.len() - digits..]);
        people.know(at, Key::Sid, cell(layed.number));
        people.know(at, Key::Email, cell(layed.email));
        people.know(at, Key::Login, cell(layed.email));
        people.know(at, Key::Name, cell(layed.name));
        if !cell(layed.group).is_empty() {
            groups.entry(cell(layed.group).to_owned()).or_default().push(at);
        }
    }
    (people, groups)
}

/// The rows of a submission. In a download, the number of a group looks like that of a participant: the name decides.
fn find(job: &Job<'_>, sheet: &Sheet, people: &People, groups: &BTreeMap<String, Vec<usize>>) -> Match {
    let submission = &sheet.submission;
    let own = (job.run.manifest.layout == Layout::Moodle).then_some(submission.id.as_str());
    let name = submission.arrival.name.as_deref();
    if let (Some(_), Some(rows)) = (own, name.and_then(|name| groups.get(name))) {
        return Match::Rows(rows.clone());
    }
    let found = people.find(submission, own);
    match (&found, own, name) {
        (Match::Rows(rows), Some(_), Some(name))
            if submission.arrival.members.is_empty() && !rows.iter().all(|&row| people.is_called(row, name)) =>
        {
            Match::Unclear(format!("its number is that of somebody else than `{name}` in the template; is it a group's?"))
        }
        _ => found,
    }
}

/// Why a row is not to be filled in.
fn stale(job: &Job<'_>, row: &Record, layed: &Layed, sheet: &Sheet) -> Result<Option<String>, Trouble> {
    let Some(marks) = sheet.marks() else { return Ok(None) };
    let cell = |column: Option<usize>| column.map_or("", |column| row.cell(column));
    if let Some(maximum) = Points::read(cell(layed.maximum))
        && maximum != marks.possible
    {
        return Err(Trouble::unfit(
            job.order.template.map_or(job.run.folder(), |(path, _)| path),
            format!(
                "the assignment is worth {maximum} points there, and {} here; `--points {maximum}` counts in its points",
                marks.possible
            ),
        ));
    }
    let Some(points) = marks.total() else { return Ok(None) };
    let (stands, graded) = (row.cell(layed.grade), row.cell(layed.graded));
    if Points::read(stands) == Some(points) {
        return Ok(None);
    }
    if is_no(cell(layed.may_change)) {
        return Ok(Some("its grade cannot be changed in Moodle (it is locked or overridden)".to_owned()));
    }
    if let (Some(handed_in), Some(read)) =
        (moment(cell(layed.submitted)), sheet.submission.arrival.submitted.as_deref().and_then(|time| time.parse::<Moment>().ok()))
        && handed_in.is_more_than_a_minute_after(read)
    {
        return Ok(Some(format!("was handed in again on {}, after what was graded here", cell(layed.submitted))));
    }
    if !matches!(stands, "" | "-") && !job.order.overwrite {
        let when = if matches!(graded, "" | "-") { String::new() } else { format!(" of {graded}") };
        return Ok(Some(format!("has the grade {stands}{when} in Moodle, and {points} here; `--overwrite` replaces it")));
    }
    Ok(None)
}

fn is_no(cell: &str) -> bool {
    ["no", "nein", "non"].contains(&cell.to_lowercase().as_str())
}

/// `Tuesday, 1 September 2026, 10:00 AM`, as an English Moodle writes it.
fn moment(text: &str) -> Option<Moment> {
    static SHAPE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^\w+, (?<d>\d{1,2}) (?<m>[a-z]+) (?<y>\d{4}), (?<time>\d{1,2}:\d{2}(?: ?[ap]m)?)$")
            .expect("the pattern is a pattern")
    });
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let found = SHAPE.captures(text)?;
    let name = found["m"].to_lowercase();
    let month = MONTHS.iter().position(|month| name.starts_with(month))? + 1;
    format!("{}-{month}-{} {}", &found["y"], &found["d"], &found["time"]).parse().ok()
}

fn shown(row: &Record, layed: &Layed) -> String {
    let name = layed.name.map_or("", |column| row.cell(column));
    if name.is_empty() { row.cell(layed.identifier).to_owned() } else { format!("{name} ({})", row.cell(layed.identifier)) }
}

/// The comment for a student, in HTML, which is what Moodle takes it for: what was earned, and a line for each item
/// that did not earn all or has a comment. Nothing of the answer stands in it.
fn feedback(marks: &Marks) -> String {
    let total = format!("{} of {} points.", marks.awarded, marks.possible);
    let line = |item: &Item| {
        let points = item.awarded.map(|points| format!("{points} of {}", item.possible)).unwrap_or_default();
        let title = if item.title.is_empty() { String::new() } else { format!(" {}", item.title) };
        format!("({}){title}: {points}. {}", item.id, item.said())
    };
    let lines = marks.items.iter().filter(|item| item.awarded != Some(item.possible) || item.comment.is_some()).map(line);
    std::iter::once(total).chain(lines).map(|line| inert::html(&line)).collect::<Vec<_>>().join("<br>")
}

// ---- The import of grades ---------------------------------------------------------------------------------------------

/// Users are found by one column: an address, the university's number, or the login.
fn import(job: &Job<'_>, sink: &mut dyn Sink, told: &mut Told) -> Result<(), Trouble> {
    let Some(title) = job.order.column else {
        return Err(Trouble::unfit(
            job.run.folder(),
            "name the grading worksheet of the assignment with `--template`, or, for the import of grades, the grade item with `--column`",
        ));
    };
    type Of = fn(&Arrival) -> Option<&String>;
    let ways: [(&str, Of); 3] = [
        ("Email address", |arrival| arrival.email.as_ref()),
        ("ID number", |arrival| arrival.sid.as_ref()),
        ("Username", |arrival| arrival.login.as_ref()),
    ];
    let mut lacking = [0_usize; 3];
    let mut rows = 0;
    for sheet in job.sheets()? {
        let sheet = sheet?;
        rows += 1;
        for (count, (_, of)) in lacking.iter_mut().zip(&ways) {
            *count += usize::from(of(&sheet.submission.arrival).is_none());
        }
    }
    let best = (0..ways.len()).min_by_key(|&way| lacking[way]).unwrap_or(0);
    if lacking[best] == rows {
        return Err(Trouble::unfit(
            job.run.folder(),
            "Moodle finds students by address, ID number or username, and the run knows none; grade it with `--roster`",
        ));
    }
    let (heading, of) = ways[best];
    let locale = job.order.locale.unwrap_or(Locale::Point);
    let line = |cells: [String; 3]| record(locale.delimiter(), csv::Terminator::Any(b'\n'), cells.into_iter());
    let mut out = if job.order.mark { "\u{feff}".as_bytes().to_vec() } else { Vec::new() };
    out.extend(line([heading.to_owned(), inert::cell(title), inert::cell(&format!("{title} feedback"))]));
    for sheet in job.sheets()? {
        let sheet = sheet?;
        let Some(key) = of(&sheet.submission.arrival) else {
            told.refuse(&who(&sheet), format!("has no {}, by which Moodle finds students", heading.to_lowercase()));
            continue;
        };
        let members = &sheet.submission.arrival.members;
        if members.len() > 1 {
            told.refuse(&who(&sheet), format!("is of a group, and only one of them is in the table: {}", members.join(", ")));
        }
        told.count(&sheet);
        let whole = sheet.marks().filter(|marks| !marks.is_waiting());
        let points = whole.map(|marks| marks.awarded.with(locale.mark())).unwrap_or_default();
        out.extend(line([inert::cell(key), points, whole.map(|marks| inert::cell(&feedback(marks))).unwrap_or_default()]));
    }
    sink.document(&out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_an_english_moodle() {
        let at = |text: &str| moment(text).unwrap_or_else(|| panic!("{text}"));
        assert!(at("Tuesday, 1 September 2026, 10:01 PM").is_after(at("Tuesday, 1 September 2026, 10:00 AM")));
        assert!(!at("Wednesday, 2 September 2026, 10:00").is_more_than_a_minute_after(at("Wednesday, 2 September 2026, 09:59")));
        assert!(moment("-").is_none() && moment("Dienstag, 1. September 2026, 10:00").is_none());
    }
}
