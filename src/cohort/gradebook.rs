//! A run for the gradebooks of learning platforms, for autograders and for CI: a file a platform, behind one function.
//!
//! | file | what it knows |
//! |---|---|
//! | `sheet`, `points` | the one model that all are served from: items that are decided or waiting, in exact hundredths |
//! | `template`, `people` | a table as a platform gave it, and whose row is whose |
//! | `canvas`, `moodle`, `table`, `otter` | tables for people and for import |
//! | `gradescope`, `prairielearn`, `classroom50`, `autolab` | a file a submission, as an autograder leaves it |
//! | `autograder` | the one submission that an autograder is just looking at |
//! | `junit`, `github` | what CI shows |
//!
//! Three rules hold everywhere. What a person still has to decide is blank (or, where a platform has no blank, marked as
//! waiting), never a silent 0. Nobody is dropped: whoever has no place in a template, and whoever in it handed nothing
//! in, is told. And what a student wrote, or is called, is obeyed by no reader of the file.

mod autograder;
mod autolab;
mod canvas;
mod classroom50;
mod github;
pub mod gradescope;
mod junit;
mod locale;
mod moodle;
mod otter;
mod people;
mod points;
mod prairielearn;
mod sheet;
mod table;
mod template;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cohort::read::Run;
use crate::cohort::{Trouble, name};
use crate::drill::Drill;
use crate::report::json;

pub use autograder::{Autograder, Outgrade, failed};
pub use locale::Locale;
pub use points::Points;
pub use sheet::By;

use sheet::{Outcome, Reckoning, Sheet};

/// For whom a run is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Canvas: the gradebook that it exported, with the column of one assignment filled in.
    Canvas,
    /// Moodle: the grading worksheet of an assignment filled in; without one, a table for the import of grades.
    Moodle,
    /// Gradescope: a `results.json` a submission.
    Gradescope,
    /// PrairieLearn: a `results.json` a submission.
    PrairieLearn,
    /// Classroom 50: a `result.json` a submission.
    Classroom50,
    /// Autolab: the autoresult, which is the last line of an autograder's output, a submission.
    Autolab,
    /// Autolab: a table for its bulk upload.
    AutolabTable,
    /// JUnit XML.
    Junit,
    /// GitHub Actions: annotations, and a summary of the step in Markdown.
    GitHub,
    /// A table with everything.
    Csv,
    /// Otter-Grader's `final_grades.csv`.
    Otter,
}

impl Target {
    /// The name of the file of each submission; `None` where all of them go into one document.
    pub fn file_of_each(self) -> Option<&'static str> {
        match self {
            Target::Gradescope | Target::PrairieLearn => Some("results.json"),
            Target::Classroom50 => Some("result.json"),
            Target::Autolab => Some("autoresult.txt"),
            Target::Canvas | Target::Moodle | Target::AutolabTable | Target::Junit | Target::GitHub | Target::Csv | Target::Otter => None,
        }
    }
}

/// When a student sees a result, as Gradescope knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// At once.
    #[default]
    Visible,
    /// After the last moment for handing in.
    AfterDueDate,
    /// When grades are published.
    AfterPublished,
    /// Never; then no total is shown either.
    Hidden,
}

/// What Classroom 50 wants to hear again.
#[derive(Clone, Debug, Default)]
pub struct Classroom {
    /// The short name of the classroom.
    pub classroom: String,
    /// The short name of the assignment.
    pub assignment: String,
    /// The tag of the submission, where there is just one: `submit/20260901T100000Z-abc1234`.
    pub submission: Option<String>,
}

/// What is to be written, and how.
#[derive(Clone, Debug)]
pub struct Order<'a> {
    /// For whom.
    pub target: Target,
    /// The table that the platform gave, and its bytes.
    pub template: Option<(&'a Path, &'a [u8])>,
    /// Which column of it, or what to call a new one.
    pub column: Option<&'a str>,
    /// The decimal mark, where the template does not show it.
    pub locale: Option<Locale>,
    /// What a perfect answer is to earn, where it is not what the rubric says.
    pub points: Option<Points>,
    /// What a line is about; by itself, what the platform expects.
    pub by: Option<By>,
    /// When students see it.
    pub visibility: Visibility,
    /// For Classroom 50.
    pub classroom: Option<Classroom>,
    /// Whether a grade that stands in the template may be replaced by another.
    pub overwrite: bool,
    /// Whether a table begins with a byte-order mark, by which some spreadsheets know UTF-8.
    pub mark: bool,
    /// The folder that the paths of answers are told from, where the reader has a root.
    pub root: Option<&'a Path>,
}

/// Takes what is written.
pub trait Sink {
    /// The document, for targets of one document.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn document(&mut self, bytes: &[u8]) -> Result<(), Trouble>;

    /// The file of one submission, for targets of many: the name of its folder, which is a safe one, and of the file.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn file_of(&mut self, folder: &str, file: &str, bytes: &[u8]) -> Result<(), Trouble>;

    /// What goes with the document for another reader: the summary of a CI step.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    fn summary(&mut self, text: &str) -> Result<(), Trouble>;
}

/// How an export went.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Grades written: whole ones, of submissions for which nothing waits.
    pub grades: usize,
    /// Submissions for which something waits, blank or marked so.
    pub waiting: Vec<String>,
    /// Everything that somebody should know, in order.
    pub remarks: Vec<Remark>,
}

/// A line about one submission, one student, or the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Whether something that was to be written is not: somebody has to look after it.
    pub is_refusal: bool,
    /// One line: `s017: is not in the template`.
    pub line: String,
}

impl Told {
    fn refuse(&mut self, who: &str, what: impl AsRef<str>) {
        self.remarks.push(Remark { is_refusal: true, line: format!("{who}: {}", what.as_ref()) });
    }

    fn mention(&mut self, who: &str, what: impl AsRef<str>) {
        self.remarks.push(Remark { is_refusal: false, line: format!("{who}: {}", what.as_ref()) });
    }

    /// Takes down what becomes of a submission that has its place.
    fn count(&mut self, sheet: &Sheet) {
        let id = &sheet.submission.id;
        match &sheet.outcome {
            Outcome::Graded(marks) if marks.is_waiting() => self.waiting.push(id.clone()),
            Outcome::Graded(_) => self.grades += 1,
            Outcome::Unread(error) => self.refuse(id, format!("has no grade: {error}")),
        }
    }

    /// Whether all that was to be written is.
    pub fn is_whole(&self) -> bool {
        !self.remarks.iter().any(|remark| remark.is_refusal)
    }
}

/// Writes a run out for a platform. `drills` gives the items their names.
///
/// # Errors
///
/// When the run, the template or the place to write to cannot be used; then nothing of a document is written.
pub fn export(run: &Run, drills: &[Drill], order: &Order<'_>, sink: &mut dyn Sink) -> Result<Told, Trouble> {
    let by = order.by.unwrap_or(match order.target {
        Target::Autolab | Target::AutolabTable => By::Part,
        _ => By::Item,
    });
    // An assignment is about one drill: full marks on another are none here. Who counts all in the same points means them all.
    let is_of_one = !matches!(order.target, Target::Csv | Target::Junit | Target::GitHub) && order.points.is_none();
    let only = if is_of_one { usual(run)? } else { None };
    let job = Job { run, order, reckoning: Reckoning { drills, by, points: order.points, only: only.as_deref() } };
    let mut told = Told::default();
    match order.target {
        Target::Canvas => canvas::export(&job, sink, &mut told)?,
        Target::Moodle => moodle::export(&job, sink, &mut told)?,
        Target::Gradescope => gradescope::export(&job, sink, &mut told)?,
        Target::PrairieLearn => prairielearn::export(&job, sink, &mut told)?,
        Target::Classroom50 => classroom50::export(&job, sink, &mut told)?,
        Target::Autolab => autolab::export(&job, sink, &mut told)?,
        Target::AutolabTable => autolab::table(&job, sink, &mut told)?,
        Target::Junit => junit::export(&job, sink, &mut told)?,
        Target::GitHub => github::export(&job, sink, &mut told)?,
        Target::Csv => table::export(&job, sink, &mut told)?,
        Target::Otter => otter::export(&job, sink, &mut told)?,
    }
    Ok(told)
}

/// The drill that most answers of a run are to, where they are to several.
fn usual(run: &Run) -> Result<Option<String>, Trouble> {
    if run.manifest.drills.len() < 2 {
        return Ok(None);
    }
    let mut answers: BTreeMap<String, usize> = BTreeMap::new();
    for row in run.raw_grades()? {
        if let Some(drill) = row?.drill {
            *answers.entry(drill.id).or_default() += 1;
        }
    }
    let most = answers.values().copied().max().unwrap_or(0);
    let mut usual = answers.iter().filter(|(_, count)| **count == most).map(|(id, _)| id.clone());
    Ok(usual.next().filter(|_| usual.next().is_none() && answers.len() > 1))
}

/// What every platform's file is given.
struct Job<'a> {
    run: &'a Run,
    order: &'a Order<'a>,
    reckoning: Reckoning<'a>,
}

/// The columns of a table: an item each, in the order of the drills.
struct Columns {
    /// The drill, the item, and what it is worth.
    items: Vec<(String, String, Points)>,
    /// What a perfect answer earns: of alternatives, only one.
    possible: Points,
    is_of_several: bool,
}

impl<'a> Job<'a> {
    fn sheets(&self) -> Result<impl Iterator<Item = Result<Sheet, Trouble>> + use<'_, 'a>, Trouble> {
        self.reckoning.sheets(self.run)
    }

    /// What the items of the run are: known after all rows have been seen once.
    fn columns(&self) -> Result<Columns, Trouble> {
        let (mut drills, mut possible) = (Vec::<(String, Vec<(String, Points)>)>::new(), Points::ZERO);
        for sheet in self.sheets()? {
            let sheet = sheet?;
            let Some(marks) = sheet.marks() else { continue };
            possible = possible.max(marks.possible);
            let at = drills.iter().position(|(id, _)| *id == marks.drill.id).unwrap_or_else(|| {
                drills.push((marks.drill.id.clone(), Vec::new()));
                drills.len() - 1
            });
            let known = &mut drills[at].1;
            // Not every answer shows every item: a deduction is there only where it is made.
            let mut next = 0;
            for item in &marks.items {
                match known.iter().position(|(id, _)| *id == item.id) {
                    Some(at) => {
                        known[at].1 = known[at].1.max(item.possible);
                        next = at + 1;
                    }
                    None => {
                        known.insert(next, (item.id.clone(), item.possible));
                        next += 1;
                    }
                }
            }
        }
        drills.sort_by(|a, b| a.0.cmp(&b.0));
        let is_of_several = drills.len() > 1;
        let items = drills.into_iter().flat_map(|(drill, items)| items.into_iter().map(move |(id, points)| (drill.clone(), id, points)));
        Ok(Columns { items: items.collect(), possible, is_of_several })
    }

    /// Every submission's file, one after the other, by a function that gives its bytes.
    fn write_each(
        &self,
        sink: &mut dyn Sink,
        told: &mut Told,
        mut bytes: impl FnMut(&Sheet, &mut Told) -> Result<Option<Vec<u8>>, Trouble>,
    ) -> Result<(), Trouble> {
        let mut ids = Vec::new();
        for sheet in self.sheets()? {
            ids.push(sheet?.submission.id);
        }
        let mut names = name::of_files(ids.iter().map(String::as_str)).into_iter();
        for sheet in self.sheets()? {
            let sheet = sheet?;
            let name = names.next().unwrap_or_default();
            if let Some(bytes) = bytes(&sheet, told)? {
                told.count(&sheet);
                sink.file_of(&name, self.order.target.file_of_each().unwrap_or_default(), &bytes)?;
            }
        }
        Ok(())
    }
}

impl Columns {
    /// What heads the columns.
    fn heads(&self) -> impl Iterator<Item = String> {
        self.items.iter().map(|(drill, id, _)| if self.is_of_several { format!("{drill}: {id}") } else { id.clone() })
    }

    /// The points of a submission for one of the columns; `None` where they wait, and where the item is another drill's.
    fn points(&self, column: &(String, String, Points), sheet: &Sheet) -> Option<Points> {
        let marks = sheet.marks().filter(|marks| marks.drill.id == column.0)?;
        match marks.items.iter().find(|item| item.id == column.1) {
            Some(item) => item.awarded,
            None => Some(Points::ZERO),
        }
    }

    /// The points of a submission, a cell each.
    fn cells<'a>(&'a self, sheet: &'a Sheet, mark: char) -> impl Iterator<Item = String> + 'a {
        self.items.iter().map(move |column| self.points(column, sheet).map(|points| points.with(mark)).unwrap_or_default())
    }
}

/// A JSON document, with every character that a terminal might obey written as an escape.
fn document(value: &impl Serialize) -> Vec<u8> {
    (json::pretty(value) + "\n").into_bytes()
}

#[cfg(test)]
mod tests;
