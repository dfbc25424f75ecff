//! Otter-Grader: `final_grades.csv`, whose first row says what each question is worth.
//!
//! Otter gives a submission that failed zeros. Here it has no points and the reason in `grading_status`: nothing that
//! nobody decided is a 0.

use csv::Terminator;

use super::prairielearn::share;
use super::sheet::{Outcome, Sheet};
use super::template::record;
use super::{Columns, Job, Sink, Told};
use crate::cohort::Trouble;
use crate::report::inert;

pub(super) fn export(job: &Job<'_>, sink: &mut dyn Sink, told: &mut Told) -> Result<(), Trouble> {
    let mut columns = job.columns()?;
    if columns.is_of_several {
        return Err(Trouble::unfit(
            job.run.folder(),
            "holds answers to several drills, and Otter's table is about one; grade with `--drill`",
        ));
    }
    columns.items.sort_by(|a, b| a.1.cmp(&b.1));
    let line = |cells: Vec<String>| record(b',', Terminator::Any(b'\n'), cells.into_iter());
    let mut header = vec!["file".to_owned()];
    header.extend(columns.heads().map(|head| inert::cell(&head)));
    header.extend(["total_points_earned", "percent_correct", "grading_status"].map(str::to_owned));
    let mut out = line(header);
    let mut worth = vec!["points-per-question".to_owned()];
    worth.extend(columns.items.iter().map(|(_, _, points)| float(points.number())));
    worth.extend([float(columns.possible.number()), "1.0".to_owned(), "--".to_owned()]);
    out.extend(line(worth));
    for sheet in job.sheets()? {
        let sheet = sheet?;
        told.count(&sheet);
        out.extend(line(row(&columns, &sheet)));
    }
    sink.document(&out)
}

fn row(columns: &Columns, sheet: &Sheet) -> Vec<String> {
    let mut cells = vec![inert::cell(&sheet.submission.file)];
    let marks = sheet.marks();
    cells.extend(columns.items.iter().map(|column| columns.points(column, sheet).map(|points| float(points.number())).unwrap_or_default()));
    let total = marks.and_then(|marks| marks.total().map(|total| (total, marks.possible)));
    cells.push(total.map(|(total, _)| float(total.number())).unwrap_or_default());
    cells.push(total.map(|(total, possible)| float((share(total, possible) * 1e4).round() / 1e4)).unwrap_or_default());
    cells.push(match &sheet.outcome {
        Outcome::Unread(error) => inert::cell(error),
        Outcome::Graded(marks) if marks.is_waiting() => format!("Pending: {}", marks.waiting.join(", ")),
        Outcome::Graded(_) => "Completed".to_owned(),
    });
    cells
}

/// A number as Python writes it: `2.0`.
fn float(number: f64) -> String {
    format!("{number:?}")
}
