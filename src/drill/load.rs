//! Loading a drill with its rubric.

use sha2::{Digest, Sha256};
use toml::de::DeTable;

use super::fields::{Fields, Report, span};
use super::file::{self, DrillFile, RubricFile};
use super::{Drill, check, check_rubric};
use crate::diagnostic::Diagnostic;
use crate::text::Source;

impl Drill {
    /// Reads, checks and solves a drill with its rubric; everything that is wrong with either is told at once.
    ///
    /// A file is called after the id of what it holds: `drills/ID.toml` and `rubrics/ID.toml`.
    pub fn load(drill: &Source, rubric: &Source) -> Result<Drill, Vec<Diagnostic>> {
        let (report, rubric_report) = (Report::new(drill), Report::new(rubric));
        let (drill_table, errors) = DeTable::parse_recoverable(drill.text());
        file::syntax(&report, &errors);
        let (rubric_table, errors) = DeTable::parse_recoverable(rubric.text());
        file::syntax(&rubric_report, &errors);
        // What the parser had to skip would be missed again further on.
        if !report.is_clean() {
            return Err([report.finish(), rubric_report.finish()].concat());
        }
        let file = DrillFile::read(Fields::new(&report, drill_table.get_ref(), span(&drill_table)));
        let mut loaded = check::drill(&file, file_id(drill), sha256(drill.text()), &report);
        if rubric_report.is_clean() {
            let file = RubricFile::read(Fields::new(&rubric_report, rubric_table.get_ref(), span(&rubric_table)));
            loaded.rubric = check_rubric::rubric(&file, file_id(rubric), sha256(rubric.text()), &loaded, &rubric_report);
        }
        if report.is_clean() && rubric_report.is_clean() {
            return Ok(loaded);
        }
        Err([report.finish(), rubric_report.finish()].concat())
    }
}

/// The id that a file's name promises.
fn file_id(source: &Source) -> &str {
    let name = source.name().rsplit(['/', '\\']).next().unwrap_or_default();
    let name = name.strip_suffix(".toml").unwrap_or(name);
    name.strip_suffix(".rubric").unwrap_or(name)
}

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
