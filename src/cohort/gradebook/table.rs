//! A table with everything: whose, how many points, and a column an item.

use csv::Terminator;

use super::sheet::{Outcome, Sheet};
use super::template::record;
use super::{Job, Locale, Sink, Told};
use crate::cohort::Trouble;
use crate::report::inert;

const FIXED: [&str; 9] = ["id", "name", "sid", "login", "email", "total", "possible", "pending", "remark"];

pub(super) fn export(job: &Job<'_>, sink: &mut dyn Sink, told: &mut Told) -> Result<(), Trouble> {
    let columns = job.columns()?;
    let locale = job.order.locale.unwrap_or(Locale::Point);
    let line = |cells: Vec<String>| record(locale.delimiter(), Terminator::CRLF, cells.into_iter());
    let mut out = if job.order.mark { "\u{feff}".as_bytes().to_vec() } else { Vec::new() };
    out.extend(line(FIXED.iter().map(|&head| head.to_owned()).chain(columns.heads().map(|head| inert::cell(&head))).collect()));
    for sheet in job.sheets()? {
        let sheet = sheet?;
        told.count(&sheet);
        out.extend(line(fixed(&sheet, locale).into_iter().chain(columns.cells(&sheet, locale.mark())).collect()));
    }
    // Whom the roster names and who handed nothing in has a row as well.
    for person in job.run.manifest.roster.iter().flat_map(|matches| &matches.absent) {
        let text = |text: &Option<String>| inert::cell(text.as_deref().unwrap_or_default());
        let id = person.login.as_ref().or(person.sid.as_ref()).or(person.email.as_ref()).cloned();
        let mut cells = vec![text(&id), inert::cell(&person.name), text(&person.sid), text(&person.login), text(&person.email)];
        cells.extend([String::new(), String::new(), String::new(), "no submission".to_owned()]);
        cells.resize(FIXED.len() + columns.items.len(), String::new());
        told.mention(&person.name, "has no submission");
        out.extend(line(cells));
    }
    sink.document(&out)
}

fn fixed(sheet: &Sheet, locale: Locale) -> [String; 9] {
    let arrival = &sheet.submission.arrival;
    let text = |text: &Option<String>| inert::cell(text.as_deref().unwrap_or_default());
    let [total, possible, pending] = match &sheet.outcome {
        Outcome::Graded(marks) => [marks.total(), Some(marks.possible), Some(marks.pending)],
        Outcome::Unread(_) => [None; 3],
    }
    .map(|points| points.map(|points| points.with(locale.mark())).unwrap_or_default());
    let remark = match &sheet.outcome {
        Outcome::Unread(error) => format!("not graded: {error}"),
        Outcome::Graded(marks) => {
            let waiting = marks.is_waiting().then(|| format!("waits for a person: {}", marks.waiting.join(", ")));
            [arrival.late.then(|| "late".to_owned()), waiting].into_iter().flatten().collect::<Vec<_>>().join("; ")
        }
    };
    [
        inert::cell(&sheet.submission.id),
        text(&arrival.name),
        text(&arrival.sid),
        text(&arrival.login),
        text(&arrival.email),
        total,
        possible,
        pending,
        inert::cell(&remark),
    ]
}
