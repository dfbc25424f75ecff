//! A run read back, for everything that works with its results: the review desk, gradebooks, statistics.
//!
//! ```no_run
//! use drillmark::cohort::Run;
//! let run = Run::open("results".as_ref())?;
//! for row in run.grades()? {
//!     let row = row?;
//!     println!("{}: {:?}", row.submission.id, row.score);
//! }
//! # Ok::<(), drillmark::cohort::Trouble>(())
//! ```

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cohort::collect::{Class, Layout, Rules};
use crate::cohort::review::Overlay;
use crate::cohort::roster::Matches;
use crate::cohort::run::Feedback;
use crate::cohort::{Trouble, name};
use crate::report::{Arrival, LeftOut, json};

/// The files of a run folder.
pub(crate) const RUN: &str = "run.json";
pub(crate) const GRADES: &str = "grades.jsonl";
pub(crate) const REVIEW: &str = "review.jsonl";
pub(crate) const GRADEBOOK: &str = "gradebook.csv";
pub(crate) const FEEDBACK: &str = "feedback";

/// `run.json`: what was graded by what, and how it went.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the layout of the folder and of its reports.
    pub format: u32,
    /// The program that graded.
    pub tool: Tool,
    /// The drill, where all submissions were for the same.
    pub drill: Option<Version>,
    /// Its rubric.
    pub rubric: Option<Version>,
    /// All the drills that a submission could be for, with their rubrics.
    pub drills: Vec<Versions>,
    /// What was asked for.
    pub options: RunOptions,
    /// The class, as it was named on the command line.
    pub input: String,
    /// How it was laid out.
    pub layout: Layout,
    /// Rows of `grades.jsonl`.
    pub submissions: usize,
    /// How many of them are errors.
    pub unreadable: usize,
    /// How it went.
    pub summary: Totals,
    /// Who is in the class and who is not, where a roster was given.
    #[serde(default)]
    pub roster: Option<Matches>,
    /// Files that belong to no student.
    #[serde(default)]
    pub strays: Vec<LeftOut>,
}

/// A program and its version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// `drillmark`.
    pub name: String,
    /// As `drillmark --version` says it.
    pub version: String,
}

/// A drill or a rubric: its id and the digest of its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// As in the file.
    pub id: String,
    /// In hexadecimal.
    pub sha256: String,
}

/// A drill with its rubric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// The drill.
    pub drill: Version,
    /// Its rubric.
    pub rubric: Version,
}

/// The options of a run that its results depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunOptions {
    /// `md`, `txt`, `html`, or `pdf` for HTML that is laid out for paper; none where no feedback files were asked for.
    pub feedback: Option<String>,
    /// `student` or `staff`: for whom the feedback files are.
    pub feedback_view: String,
    /// Whether reports say what each number was taken for.
    pub explain: bool,
    /// As it was given.
    pub deadline: Option<String>,
    /// The ending that stands for the format of answers whose names do not say it.
    pub kind: Option<String>,
    /// SHA-256 of the secret by which each student's variant is drawn; none where all answer the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variants: Option<String>,
}

/// How a run went, in numbers of submissions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// Graded.
    pub graded: usize,
    /// Could not be read or graded.
    pub unreadable: usize,
    /// Graded, and something is left to a person.
    pub pending: usize,
    /// Things left to a person, over all of them.
    pub review_items: usize,
    /// Graded, and nothing that is asked was found: perhaps the wrong file.
    pub nothing_found: usize,
    /// After the deadline.
    pub late: usize,
    /// Made of several files.
    pub joined: usize,
    /// With earlier attempts that do not count.
    pub resubmitted: usize,
    /// The mean of the points awarded so far, to the thousandth.
    pub mean_awarded: Option<f64>,
}

/// A row of `grades.jsonl`: the report on one submission, or why there is none.
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    /// The version of its layout.
    pub format: u32,
    /// A digest of everything that it follows from.
    #[serde(default)]
    pub inputs: String,
    /// By which drill; none on an error.
    pub drill: Option<Version>,
    /// By which rubric.
    pub rubric: Option<Version>,
    /// Whose it is and how it came.
    pub submission: Submitted,
    /// None on an error.
    pub score: Option<Score>,
    /// In the drill's order.
    #[serde(default)]
    pub quantities: Vec<Quantity>,
    /// In the drill's order.
    #[serde(default)]
    pub separate_terms: Vec<SeparateTerms>,
    /// In the rubric's order.
    #[serde(default)]
    pub criteria: Vec<Criterion>,
    /// What is left to a person.
    #[serde(default)]
    pub review: Vec<ReviewItem>,
    /// Digests of what stands under the parts whose words are weighed.
    #[serde(default)]
    pub passages: BTreeMap<String, String>,
    /// What else comes out otherwise when a person says which values are meant.
    #[serde(default)]
    pub consequences: Vec<Follows>,
    /// Why it could not be graded.
    pub error: Option<String>,
}

/// What comes out otherwise by one choice of values.
#[derive(Clone, Debug, Deserialize)]
pub struct Follows {
    /// The values that are meant.
    pub picks: Vec<Pick>,
    /// Other quantities, as they are judged then.
    #[serde(default)]
    pub quantities: Vec<Quantity>,
    /// Of quantities that wait still, what their candidates are worth then.
    #[serde(default)]
    pub weighed: Vec<Weighed>,
    /// Sums of whose terms more is shown.
    #[serde(default)]
    pub separate_terms: Vec<SeparateTerms>,
    /// Criteria, as they are decided then.
    #[serde(default)]
    pub criteria: Vec<Criterion>,
}

/// Which of its candidates an unclear quantity means.
#[derive(Clone, Debug, Deserialize)]
pub struct Pick {
    /// The ask's id.
    pub id: String,
    /// From 0.
    pub candidate: usize,
}

/// What the candidates of a quantity are worth.
#[derive(Clone, Debug, Deserialize)]
pub struct Weighed {
    /// The ask's id.
    pub id: String,
    /// In the order of the candidates.
    pub candidates: Vec<Worth>,
}

/// What a candidate is worth.
#[derive(Clone, Debug, Deserialize)]
pub struct Worth {
    /// What the verdict would be.
    pub verdict: String,
    /// The share of the points.
    pub share: f64,
}

/// A submission, as a row names it.
#[derive(Clone, Debug, Deserialize)]
pub struct Submitted {
    /// The name by which results are joined.
    pub id: String,
    /// As it was named to us.
    pub file: String,
    /// Of the bytes as handed in; none where there were none.
    pub sha256: Option<String>,
    /// How it came, and whose it is.
    #[serde(flatten)]
    pub arrival: Arrival,
}

/// The points of a submission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Earned so far.
    pub awarded: f64,
    /// What a perfect answer earns.
    pub possible: f64,
    /// Left to a person.
    pub pending: f64,
}

/// What was found about an asked quantity.
#[derive(Clone, Debug, Deserialize)]
pub struct Quantity {
    /// The ask's id.
    pub id: String,
    /// The part's id.
    pub part: String,
    /// Whether the drill requires it.
    pub required: bool,
    /// Its code in the contract.
    pub verdict: String,
    /// The value that was judged.
    pub read: Option<Reading>,
    /// The accepted reading by which it is right.
    pub reading: Option<String>,
    /// The mistake that explains it.
    pub mistake: Option<String>,
    /// The asks whose wrong values it follows from.
    #[serde(default)]
    pub carried_from: Vec<String>,
    /// Codes of what else is to be said.
    #[serde(default)]
    pub notes: Vec<String>,
    /// Earned.
    #[serde(default)]
    pub points: f64,
    /// What it is worth.
    #[serde(default)]
    pub possible: f64,
    /// Left to a person: of an unclear value, and of every value where nothing at all was found.
    #[serde(default)]
    pub pending: f64,
    /// The person who decided it, where one did.
    #[serde(default)]
    pub decided_by: Option<String>,
    /// What that person says about it to the student.
    #[serde(default)]
    pub comment: Option<String>,
}

/// A value as it was read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reading {
    /// What stands there.
    pub text: String,
    /// In SI base units; none where it overflows.
    pub value: Option<f64>,
    /// The upper end of a range.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// The unit's symbol.
    pub unit: Option<String>,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
}

/// Whether the terms of a sum were shown.
#[derive(Clone, Debug, Deserialize)]
pub struct SeparateTerms {
    /// The ask that is the sum.
    pub of: String,
    /// The asks that are its terms.
    pub terms: Vec<String>,
    /// Its code in the contract.
    pub found: String,
}

/// What was found about a criterion.
#[derive(Clone, Debug, Deserialize)]
pub struct Criterion {
    /// The criterion's id.
    pub id: String,
    /// The part's id.
    pub part: String,
    /// Its code in the contract.
    pub outcome: String,
    /// Earned.
    pub points: f64,
    /// What it is worth.
    pub possible: f64,
    /// Left to a person, also where it depends on something that waits; older runs do not say it.
    #[serde(default)]
    pub pending: Option<f64>,
    /// `rule` or `person`.
    pub decided_by: String,
    /// Whether it earns nothing because what it depends on does not hold.
    #[serde(default)]
    pub withheld: bool,
    /// The person who decided, where one did.
    #[serde(default)]
    pub by: Option<String>,
    /// What that person says about it to the student.
    #[serde(default)]
    pub comment: Option<String>,
    /// The words that decided.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
}

/// Words of a submission on which something rests.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// What stands there.
    pub text: String,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
}

/// Something that a person has to decide.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReviewItem {
    /// `quantity`, `criterion`, or `answer` for the whole of it.
    pub kind: String,
    /// The id of the ask or the criterion, or `answer`.
    pub id: String,
    /// Its code.
    pub why: String,
    /// The values to choose between.
    #[serde(default)]
    pub candidates: Vec<Candidate>,
    /// The digest of what a decision about it rests on.
    #[serde(default)]
    pub passage_sha256: Option<String>,
}

/// One of the values to choose between.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// The value.
    #[serde(flatten)]
    pub reading: Reading,
    /// What the verdict would be, were it the one that is meant.
    #[serde(default)]
    pub verdict: Option<String>,
    /// The share of the points that it would earn then.
    #[serde(default)]
    pub share: Option<f64>,
    /// How other quantities would be judged then, where that is otherwise than now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub then: Vec<Then>,
}

/// How a quantity would be judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Then {
    /// The ask's id.
    pub id: String,
    /// Its code in the contract.
    pub verdict: String,
}

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run {
    folder: PathBuf,
    /// What was graded by what, and how it went.
    pub manifest: Manifest,
}

impl Row {
    /// Whether nothing that is asked was found in it, and no person has looked at it yet.
    pub fn nothing_found(&self) -> bool {
        self.review.iter().any(|item| item.why == NOTHING_FOUND)
    }
}

/// Why a whole answer is left to a person.
pub(crate) const NOTHING_FOUND: &str = "nothing-found";

impl Run {
    /// Opens a run folder.
    ///
    /// # Errors
    ///
    /// When it is no run, is not finished, or was written by a version that writes another format.
    pub fn open(folder: &Path) -> Result<Run, Trouble> {
        let path = folder.join(RUN);
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound if folder.join(GRADES).exists() || folder.join(super::run::JOURNAL).exists() => {
                Trouble::unfit(folder, "is a run that did not end; `drillmark grade` with the same `--out` goes on with it")
            }
            std::io::ErrorKind::NotFound if folder.is_dir() => Trouble::unfit(folder, "is not the folder of a run: `run.json` is missing"),
            _ => Trouble::io(folder, error),
        })?;
        #[derive(Deserialize)]
        struct Versioned {
            format: u32,
        }
        let told = |error: serde_json::Error| Trouble::unfit(&path, format!("is not the list of a run: {error}"));
        let Versioned { format } = serde_json::from_str(&text).map_err(told)?;
        if format != json::FORMAT {
            return Err(Trouble::unfit(&path, format!("is of format {format}; this version reads format {}", json::FORMAT)));
        }
        let manifest = serde_json::from_str(&text).map_err(told)?;
        Ok(Run { folder: folder.to_owned(), manifest })
    }

    /// Where the run lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The rows with what people decided applied to them, one after the other, in the order of the ids.
    ///
    /// # Errors
    ///
    /// When the file of the rows cannot be opened, or the log of decisions is not as it was written; a row that cannot be
    /// read is an error of its own.
    pub fn grades(&self) -> Result<Rows, Trouble> {
        Ok(Rows { overlay: Overlay::open(&self.folder)?, ..self.raw_grades()? })
    }

    /// The rows as the rules left them, without what people decided.
    ///
    /// # Errors
    ///
    /// When the file of the rows cannot be opened; a row that cannot be read is an error of its own.
    pub fn raw_grades(&self) -> Result<Rows, Trouble> {
        let path = self.folder.join(GRADES);
        let lines = File::open(&path).map_err(|error| Trouble::io(&path, error))?;
        Ok(Rows { path, lines: BufReader::with_capacity(1 << 16, lines), line: String::new(), number: 0, overlay: None })
    }

    /// The feedback file of a submission, where there is one.
    pub fn feedback(&self, id: &str) -> Option<PathBuf> {
        let ending = Feedback::ending_of(self.manifest.options.feedback.as_deref()?);
        let paths =
            [name::of_file(id), name::of_file_beside_another(id)].map(|name| self.folder.join(FEEDBACK).join(format!("{name}.{ending}")));
        paths.into_iter().find(|path| path.is_file())
    }

    /// The class that was graded, collected again by the same rules, for reading the students' texts. A path in the run
    /// is as it was given: from another folder, name the class anew.
    ///
    /// # Errors
    ///
    /// When the class is no longer there, or cannot be collected.
    pub fn class(&self, input: Option<&Path>) -> Result<Class, Trouble> {
        let rules = Rules {
            deadline: self.manifest.options.deadline.as_deref().and_then(|text| text.parse().ok()),
            kind: self.manifest.options.kind.as_deref().and_then(|ending| crate::answer::Kind::of_name(&format!("answer.{ending}"))),
            ..Rules::default()
        };
        Class::collect(input.unwrap_or(Path::new(&self.manifest.input)), &rules)
    }
}

/// The rows of a run.
#[derive(Debug)]
pub struct Rows {
    path: PathBuf,
    lines: BufReader<File>,
    line: String,
    number: usize,
    overlay: Option<Overlay>,
}

impl Rows {
    /// The text of the row that was read last as it stands in the file, without its end: what a program that changes
    /// nothing passes on. What people decided is not in it.
    pub fn text(&self) -> &str {
        self.line.trim_end_matches('\n')
    }
}

impl Iterator for Rows {
    type Item = Result<Row, Trouble>;

    fn next(&mut self) -> Option<Result<Row, Trouble>> {
        self.line.clear();
        self.number += 1;
        match self.lines.read_line(&mut self.line) {
            Ok(0) => None,
            Ok(_) => {
                let row = serde_json::from_str(&self.line)
                    .map_err(|error| Trouble::unfit(&self.path, format!("line {} is not a report: {error}", self.number)));
                Some(row.map(|mut row| {
                    self.overlay.as_ref().map(|overlay| overlay.apply(&mut row));
                    row
                }))
            }
            Err(error) => Some(Err(Trouble::io(&self.path, error))),
        }
    }
}
