//! Loading a drill with its rubric.

use std::panic::resume_unwind;
use std::thread;

use toml::de::DeTable;

use super::fields::{Fields, Report, span};
use super::file::{self, DrillFile, RubricFile};
use super::{Drill, check, check_rubric};
use crate::diagnostic::Diagnostic;
use crate::text::{Source, sha256};

impl Drill {
    /// Reads, checks and solves a drill with its rubric; everything that is wrong with either is told at once.
    ///
    /// A file is called after the id of what it holds: `drills/ID.toml` and `rubrics/ID.toml`.
    pub fn load(drill: &Source, rubric: &Source) -> Result<Drill, Vec<Diagnostic>> {
        Drill::load_short(drill, rubric, rubric)
    }

    /// The same where a shorter form of the rubric is read, but known by the digest of the whole.
    ///
    /// The two files are read side by side: for a single answer this is most of the time that grading takes.
    pub(super) fn load_short(drill: &Source, whole: &Source, rubric: &Source) -> Result<Drill, Vec<Diagnostic>> {
        thread::scope(|scope| {
            let rubric_read = scope.spawn(|| (read_rubric(rubric), sha256(whole.text().as_bytes())));
            let report = Report::new(drill);
            let (drill_table, errors) = DeTable::parse_recoverable(drill.text());
            file::syntax(&report, &errors);
            // What the parser had to skip would be missed again further on.
            let loaded = report.is_clean().then(|| {
                let file = DrillFile::read(Fields::new(&report, drill_table.get_ref(), span(&drill_table)));
                check::drill(&file, file_id(drill), sha256(drill.text().as_bytes()), &report)
            });
            let ((rubric_report, rubric_file), rubric_digest) = rubric_read.join().unwrap_or_else(|panic| resume_unwind(panic));
            let Some(mut loaded) = loaded else {
                let rubric_found = if rubric_file.is_none() { rubric_report.finish() } else { Vec::new() };
                return Err([report.finish(), rubric_found].concat());
            };
            if let Some(file) = rubric_file {
                loaded.rubric = check_rubric::rubric(&file, file_id(rubric), rubric_digest, &loaded, &rubric_report);
            }
            if report.is_clean() && rubric_report.is_clean() {
                return Ok(loaded);
            }
            Err([report.finish(), rubric_report.finish()].concat())
        })
    }
}

/// What a rubric says, unless its syntax is broken.
fn read_rubric(rubric: &Source) -> (Report<'_>, Option<RubricFile>) {
    let report = Report::new(rubric);
    let (table, errors) = DeTable::parse_recoverable(rubric.text());
    file::syntax(&report, &errors);
    let file = report.is_clean().then(|| RubricFile::read(Fields::new(&report, table.get_ref(), span(&table))));
    (report, file)
}

/// The id that a file's name promises.
fn file_id(source: &Source) -> &str {
    let name = source.name().rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.strip_suffix(".toml").unwrap_or(name);
    name.strip_suffix(".rubric").unwrap_or(name)
}
