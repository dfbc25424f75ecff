//! The responses to a form: a CSV with a row a student, whose answer columns become sections with headings.

use std::path::Path;

use csv::{ByteRecord, ReaderBuilder};

use super::{Class, Form, Layout, Rules, Submission, attempts, named};
use crate::answer::Kind;
use crate::cohort::Trouble;
use crate::cohort::tree::{Place, Store};
use crate::report::{Arrival, Origin};

/// Headers of the column that says whose a row is, the surest first.
const WHO: &[&str] = &[
    "id",
    "student id",
    "sid",
    "student number",
    "matriculation number",
    "matrikelnummer",
    "university id",
    "netid",
    "username",
    "user name",
    "login",
    "github username",
    "github",
    "email",
    "email address",
    "e mail",
    "e mail address",
    "e mail adresse",
    "name",
    "full name",
    "your name",
    "student",
];
const WHEN: &[&str] = &[
    "timestamp",
    "submitted",
    "submitted at",
    "submission time",
    "completion time",
    "date submitted",
    "submit date",
    "zeitstempel",
    "time",
];
const NAME: &[&str] = &["name", "full name", "your name", "student name", "student"];
const EMAIL: &[&str] = &["email", "email address", "e mail", "e mail address", "e mail adresse"];
/// What else forms and platforms write, and nobody answered.
const ASIDE: &[&str] = &[
    "start time",
    "last modified time",
    "score",
    "total score",
    "points",
    "grade",
    "first name",
    "last name",
    "surname",
    "section",
    "sections",
    "group",
    "language",
    "ip address",
    "duration",
];
/// Headers under which the whole answer stands.
const WHOLE: &[&str] = &["text", "answer", "answers", "response", "submission", "solution", "your answer"];

/// What the columns of a table are for.
#[derive(Debug)]
pub(super) struct Columns {
    delimiter: u8,
    who: usize,
    when: Option<usize>,
    name: Option<usize>,
    email: Option<usize>,
    /// Columns with answers and the headings over them.
    answers: Vec<(usize, Option<String>)>,
}

pub(super) fn collect(input: &Path, rules: &Rules) -> Result<Class, Trouble> {
    let told = |error: csv::Error| Trouble::unfit(input, format!("is not a table: {error}"));
    let delimiter = delimiter(input).map_err(|error| Trouble::io(input, error))?;
    let mut reader = ReaderBuilder::new().delimiter(delimiter).flexible(true).from_path(input).map_err(told)?;
    let headers = cells(reader.byte_headers().map_err(told)?);
    let columns = Columns::of(&headers, delimiter).ok_or_else(|| {
        Trouble::unfit(input, "has no column that says whose answers they are: expected a header such as `id`, `email` or `username`")
    })?;
    if columns.answers.is_empty() {
        return Err(Trouble::unfit(input, "has no column with answers"));
    }
    let mut submissions = Vec::new();
    let mut record = ByteRecord::new();
    loop {
        let (start, line) = (reader.position().byte(), reader.position().line());
        if !reader.read_byte_record(&mut record).map_err(told)? {
            break;
        }
        if submissions.len() >= rules.limits.entries {
            return Err(Trouble::unfit(input, format!("holds more than {} rows", rules.limits.entries)));
        }
        let place = Place::Slice { start, len: reader.position().byte() - start };
        let line = usize::try_from(line).unwrap_or(usize::MAX);
        submissions.push(columns.submission(input, &cells(&record), line, place));
    }
    let store = Store::slices(input, rules.limits)?;
    let submissions = attempts::settle(submissions, rules.deadline);
    let form = Form::Table(columns);
    Ok(Class { input: named(input), layout: Layout::Table, submissions, strays: Vec::new(), store, form, fallback: rules.kind })
}

/// What stands between the cells: the mark that the first line has most of.
pub(crate) fn delimiter(input: &Path) -> std::io::Result<u8> {
    use std::io::{BufRead, BufReader, Read};
    let mut line = Vec::new();
    BufReader::new(std::fs::File::open(input)?.take(1 << 16)).read_until(b'\n', &mut line)?;
    let count = |mark: u8| line.iter().filter(|&&byte| byte == mark).count();
    Ok([b',', b';', b'\t'].into_iter().rev().max_by_key(|&mark| count(mark)).unwrap_or(b','))
}

/// The cells of a row as text.
pub(crate) fn cells(record: &ByteRecord) -> Vec<String> {
    record.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect()
}

/// A header in small letters, with single spaces for everything that is neither letter nor digit.
pub(crate) fn plain(header: &str) -> String {
    header.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

impl Columns {
    fn of(headers: &[String], delimiter: u8) -> Option<Columns> {
        let plain: Vec<String> = headers.iter().map(|header| plain(header)).collect();
        let find = |names: &[&str]| names.iter().find_map(|name| plain.iter().position(|header| header == name));
        let who = find(WHO)?;
        let (when, name, email) = (find(WHEN), find(NAME), find(EMAIL));
        let is_aside = |at: usize| {
            [WHO, WHEN, NAME, EMAIL, ASIDE].iter().any(|names| names.contains(&plain[at].as_str()))
                || plain[at].is_empty() && headers[at].is_empty()
        };
        let answered: Vec<usize> = (0..headers.len()).filter(|&at| !is_aside(at)).collect();
        let is_whole = |at: usize| answered.len() == 1 && WHOLE.contains(&plain[at].as_str());
        let answers = answered
            .iter()
            .map(|&at| (at, (!is_whole(at)).then(|| headers[at].split_whitespace().collect::<Vec<_>>().join(" "))))
            .collect();
        Some(Columns { delimiter, who, when, name, email, answers })
    }

    fn submission(&self, input: &Path, row: &[String], line: usize, place: Place) -> Submission {
        let cell = |at: Option<usize>| at.and_then(|at| row.get(at)).filter(|cell| !cell.is_empty()).cloned();
        let arrival = Arrival {
            name: cell(self.name),
            email: cell(self.email),
            submitted: cell(self.when),
            source: Origin { path: named(input), entry: None, line: Some(line) },
            ..Arrival::default()
        };
        let who = cell(Some(self.who));
        let id = who.clone().unwrap_or_else(|| format!("line {line}"));
        Submission {
            file: id.clone(),
            id,
            known_as: arrival.email.clone().into_iter().chain(arrival.name.clone()).collect(),
            arrival: Box::new(arrival),
            pieces: vec![place],
            kind: Some(Kind::Markdown),
            trouble: who.is_none().then(|| "the row does not say whose it is".to_owned()),
        }
    }

    /// The answers of a row under their headings.
    pub(super) fn text(&self, row: &[u8]) -> Result<Vec<u8>, String> {
        let mut reader = ReaderBuilder::new().delimiter(self.delimiter).flexible(true).has_headers(false).from_reader(row);
        let mut record = ByteRecord::new();
        if !reader.read_byte_record(&mut record).map_err(|error| format!("the row cannot be read: {error}"))? {
            return Err("the row is gone".to_owned());
        }
        let cells = cells(&record);
        let mut text = String::new();
        for (at, heading) in &self.answers {
            let Some(cell) = cells.get(*at).filter(|cell| !cell.is_empty()) else { continue };
            if let Some(heading) = heading {
                text.push_str("## ");
                text.push_str(heading);
                text.push_str("\n\n");
            }
            text.push_str(cell);
            text.push_str("\n\n");
        }
        Ok(text.into_bytes())
    }
}
