//! JUnit XML: a suite a submission, a case an item, for whatever shows tests.
//!
//! Consumers keep only the first of two cases of one name, and some drop what is skipped; so names are unique, and what
//! waits for a person is also told by a case of its own that does not pass.

use std::fmt::Write;

use super::sheet::{Outcome, Sheet};
use super::{Job, Sink, Told};
use crate::cohort::Trouble;
use crate::report::{NOT_GRADED, inert};

/// Longer messages are cut by those who show them.
const LONGEST: usize = 20_000;

/// The case that says whether everything is decided.
const DECIDED: &str = "everything-decided";

/// How many cases a suite has of each sort.
#[derive(Default)]
struct Count {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
}

impl Count {
    fn add(&mut self, other: &Count) {
        self.tests += other.tests;
        self.failures += other.failures;
        self.errors += other.errors;
        self.skipped += other.skipped;
    }

    fn attributes(&self) -> String {
        let Count { tests, failures, errors, skipped } = self;
        format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"0\"")
    }
}

pub(super) fn export(job: &Job<'_>, sink: &mut dyn Sink, told: &mut Told) -> Result<(), Trouble> {
    let is_alone = job.run.manifest.submissions == 1;
    let (mut suites, mut total) = (String::new(), Count::default());
    for sheet in job.sheets()? {
        let sheet = sheet?;
        told.count(&sheet);
        let (cases, count) = cases(&sheet, is_alone);
        total.add(&count);
        let _ = write!(suites, "  <testsuite name=\"{}\" {}>\n{cases}  </testsuite>\n", xml(&sheet.submission.id), count.attributes());
    }
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
    let name = env!("CARGO_PKG_NAME");
    sink.document(format!("{head}\n<testsuites name=\"{name}\" {}>\n{suites}</testsuites>\n", total.attributes()).as_bytes())
}

fn cases(sheet: &Sheet, is_alone: bool) -> (String, Count) {
    let submission = &sheet.submission;
    // In a report on one submission names are those that weights may be attached to; among several they have to differ.
    let name = |id: &str| if is_alone { xml(id) } else { xml(&format!("{} {id}", submission.id)) };
    let file = xml(&submission.file);
    let (mut text, mut count) = (String::new(), Count::default());
    let mut case = |class: &str, id: &str, line: Option<usize>, child: &str| {
        let line = line.map(|line| format!(" line=\"{line}\"")).unwrap_or_default();
        let head = format!("    <testcase classname=\"{class}\" name=\"{}\" file=\"{file}\"{line} time=\"0\"", name(id));
        let _ = if child.is_empty() { writeln!(text, "{head}/>") } else { writeln!(text, "{head}>\n      {child}\n    </testcase>") };
    };
    match &sheet.outcome {
        Outcome::Unread(error) => {
            count = Count { tests: 1, errors: 1, ..Count::default() };
            let child = format!("<error message=\"{}\" type=\"unreadable\">{}</error>", xml(NOT_GRADED), xml(error));
            case(env!("CARGO_PKG_NAME"), "graded", None, &child);
        }
        Outcome::Graded(marks) => {
            let class = xml(&marks.drill.id);
            for item in &marks.items {
                count.tests += 1;
                let said = item.said();
                let child = match item.awarded {
                    None => {
                        count.skipped += 1;
                        format!("<skipped message=\"{}\"/>", xml(&said))
                    }
                    Some(points) if points == item.possible => String::new(),
                    Some(points) => {
                        count.failures += 1;
                        let title = if item.title.is_empty() { String::new() } else { format!("{}: ", item.title) };
                        let body = xml(&format!("{title}{points} of {} points", item.possible));
                        format!("<failure message=\"{}\" type=\"{}\">{body}</failure>", xml(&said), kind(item.standing))
                    }
                };
                case(&class, &item.id, item.place.map(|place| place.line), &child);
            }
            count.tests += 1;
            let waiting: Vec<&str> = marks.items.iter().filter(|item| item.awarded.is_none()).map(|item| item.id.as_str()).collect();
            let child = if waiting.is_empty() {
                String::new()
            } else {
                count.failures += 1;
                let what = format!("{} of {} points wait for a person: {}", marks.pending, marks.possible, waiting.join(", "));
                format!("<failure message=\"{}\" type=\"pending\"/>", xml(&what))
            };
            case(&class, DECIDED, None, &child);
        }
    }
    (text, count)
}

fn kind(standing: crate::report::Standing) -> &'static str {
    use crate::report::Standing;
    match standing {
        Standing::Right | Standing::Carried | Standing::Met => "right",
        Standing::Form => "form",
        Standing::Slip => "slip",
        Standing::Wrong => "wrong",
        Standing::Missing => "missing",
        Standing::Partly => "partly",
        Standing::NotMet => "not-met",
        Standing::Deducted => "deducted",
        Standing::Withheld => "withheld",
        Standing::Waits => "pending",
    }
}

/// Text and attributes of XML, also of its first version, which has no place for control characters.
fn xml(text: &str) -> String {
    let line = inert::terminal(text);
    inert::html(&line.chars().take(LONGEST).collect::<String>())
}
