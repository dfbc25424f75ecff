//! GitHub Actions: annotations for the log of a step, and its summary in Markdown.
//!
//! The runner takes lines of the log for commands, so nothing of a student stands in them but the name of the file, and
//! that escaped. It shows ten annotations of a kind and cuts their messages: the worst come first, and a line says how
//! many are left to the summary.

use std::fmt::Write;
use std::path::Path;

use super::sheet::{Item, Marks, Outcome, Sheet};
use super::{Job, Sink, Told};
use crate::cohort::Trouble;
use crate::report::{NOT_GRADED, Standing, inert};

/// Annotations of a kind that the runner shows for a step.
const SHOWN: usize = 10;
/// Characters of a message that the runner shows.
const LONGEST: usize = 4096;
/// Bytes of a summary; a larger one is not shown at all.
const LARGEST: usize = 1024 * 1024;
/// What is kept free in it for the last line.
const SPARE: usize = 4096;

/// How much an annotation matters, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Error,
    Warning,
    Notice,
}

impl Weight {
    fn command(self) -> &'static str {
        match self {
            Weight::Error => "error",
            Weight::Warning => "warning",
            Weight::Notice => "notice",
        }
    }
}

pub(super) fn export(job: &Job<'_>, sink: &mut dyn Sink, told: &mut Told) -> Result<(), Trouble> {
    let mut all: [Vec<String>; 3] = Default::default();
    let mut left = 0;
    let mut take = |weight: Weight, line: String| {
        let kept = &mut all[weight as usize];
        // One place is kept for the line that tells of the rest.
        let shown = if weight == Weight::Notice { SHOWN - 1 } else { SHOWN };
        if kept.len() < shown { kept.push(line) } else { left += 1 }
    };
    let is_alone = job.run.manifest.submissions == 1;
    let mut summary = Summary::new(is_alone);
    for sheet in job.sheets()? {
        let sheet = sheet?;
        told.count(&sheet);
        let file = path(job, &sheet);
        let who = if is_alone { String::new() } else { format!("{}: ", sheet.submission.id) };
        match &sheet.outcome {
            Outcome::Unread(error) => {
                take(Weight::Error, line(Weight::Error, file.as_deref(), None, "not graded", &format!("{who}{NOT_GRADED} Why: {error}")));
            }
            Outcome::Graded(marks) => {
                for item in marks.items.iter().filter(|item| item.awarded != Some(item.possible)) {
                    let weight = if item.standing == Standing::Waits { Weight::Notice } else { Weight::Warning };
                    take(weight, annotation(weight, file.as_deref(), &who, item));
                }
            }
        }
        summary.add(&sheet);
    }
    let mut log = String::new();
    for annotation in all.iter().flatten() {
        log.push_str(annotation);
        log.push('\n');
    }
    if left > 0 {
        log.push_str(&line(Weight::Notice, None, None, "drillmark", &format!("{left} more; see the summary of the step")));
        log.push('\n');
    }
    sink.document(log.as_bytes())?;
    sink.summary(&summary.finish())
}

fn annotation(weight: Weight, file: Option<&str>, who: &str, item: &Item) -> String {
    let points = match item.awarded {
        Some(points) => format!("{points} of {} points", item.possible),
        None => format!("{} points", item.possible),
    };
    let title = if item.title.is_empty() { item.id.clone() } else { item.title.clone() };
    let place = item.place.map(|place| match place.end_column {
        // The runner drops columns of a place that runs over several lines.
        Some(end) if end >= place.column => format!("line={},endLine={},col={},endColumn={end}", place.line, place.line, place.column),
        _ => format!("line={}", place.line),
    });
    line(weight, file, place.as_deref(), &item.id, &format!("{who}{title}: {} ({points})", item.said()))
}

/// One command of the runner.
fn line(weight: Weight, file: Option<&str>, place: Option<&str>, title: &str, message: &str) -> String {
    let mut properties = Vec::new();
    if let Some(file) = file {
        properties.push(format!("file={}", property(file)));
        properties.extend(place.map(str::to_owned));
    }
    properties.push(format!("title={}", property(title)));
    let message: String = inert::terminal(message).chars().take(LONGEST).collect();
    format!("::{} {}::{}", weight.command(), properties.join(","), escaped(&message))
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(&inert::terminal(text)).replace(':', "%3A").replace(',', "%2C")
}

/// The answer's file from the root of the repository; none where it is no file of its own, or lies elsewhere.
fn path(job: &Job<'_>, sheet: &Sheet) -> Option<String> {
    let source = &sheet.submission.arrival.source;
    if source.entry.is_some() || source.line.is_some() || !sheet.submission.arrival.joined.is_empty() || source.path.is_empty() {
        return None;
    }
    let path = Path::new(&source.path);
    let path = match job.order.root {
        Some(root) if path.is_absolute() => path.strip_prefix(root).ok()?,
        _ => path,
    };
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            std::path::Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            std::path::Component::CurDir => {}
            _ => return None,
        }
    }
    Some(parts.join("/"))
}

/// The Markdown of a step: a line an item for one submission, a line a submission for several.
struct Summary {
    text: String,
    is_alone: bool,
    left: usize,
}

impl Summary {
    fn new(is_alone: bool) -> Summary {
        let head = if is_alone {
            "| | item | points | |\n|---|---|---:|---|\n"
        } else {
            "| submission | points | waiting | |\n|---|---:|---:|---|\n"
        };
        Summary { text: format!("## drillmark\n\n{head}"), is_alone, left: 0 }
    }

    fn add(&mut self, sheet: &Sheet) {
        let id = code(&sheet.submission.id);
        match &sheet.outcome {
            Outcome::Unread(error) if self.is_alone => {
                self.row(&format!("| ✗ | {id} | | {} |", inert::markdown(error)));
            }
            Outcome::Unread(error) => self.row(&format!("| {id} | | | not graded: {} |", inert::markdown(error))),
            Outcome::Graded(marks) if self.is_alone => self.items(marks),
            Outcome::Graded(marks) => {
                let waiting = if marks.is_waiting() { marks.pending.to_string() } else { String::new() };
                self.row(&format!("| {id} | {} of {} | {waiting} | |", marks.awarded, marks.possible));
            }
        }
    }

    fn items(&mut self, marks: &Marks) {
        for item in &marks.items {
            let (sign, points) = match item.awarded {
                Some(points) if points == item.possible => ("✓", format!("{points} of {}", item.possible)),
                Some(points) if points == super::Points::ZERO => ("✗", format!("{points} of {}", item.possible)),
                Some(points) => ("~", format!("{points} of {}", item.possible)),
                None => ("?", format!("of {}", item.possible)),
            };
            let title = inert::markdown(&item.title);
            self.row(&format!("| {} | {} {title} | {points} | {} |", inert::markdown(sign), code(&item.id), inert::markdown(&item.said())));
        }
        self.row(&format!("| | **total** | {} of {} | |", marks.awarded, marks.possible));
        if marks.is_waiting() {
            self.row(&format!("| ? | **waiting for a person** | {} | |", marks.pending));
        }
    }

    fn row(&mut self, row: &str) {
        if self.text.len() + row.len() + SPARE > LARGEST {
            self.left += 1;
        } else {
            self.text.push_str(row);
            self.text.push('\n');
        }
    }

    fn finish(mut self) -> String {
        if self.left > 0 {
            let _ = writeln!(self.text, "\n{} more rows do not fit into the summary of a step.", self.left);
        }
        self.text
    }
}

/// A name as code inside a cell of a table; a bar would end the cell even there.
fn code(name: &str) -> String {
    let name = inert::terminal(name);
    if name.contains(['`', '|', '\\']) { inert::markdown(&name) } else { format!("`{name}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_escaped_as_the_runner_reads_them() {
        let line = line(Weight::Warning, Some("a,b:c%.md"), Some("line=3"), "b.latency", "100 % wrong\n::error::x ##[error]y");
        assert_eq!(line, "::warning file=a%2Cb%3Ac%25.md,line=3,title=b.latency::100 %25 wrong ::error::x ## [error]y");
    }
}
