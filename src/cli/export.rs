//! `drillmark export RUN --to PLATFORM`: a run for a gradebook, an autograder, or CI.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use drillmark::cohort::gradebook::{self, By, Classroom, Locale, Order, Points, Sink, Target, Told, Visibility};
use drillmark::cohort::{self, Run};
use drillmark::drill::Drill;
use drillmark::report::inert;

use super::{Done, Shell, Trouble, refuse_link, warn, write_whole};

/// A larger template is no gradebook.
const LARGEST: u64 = 100_000_000;

/// More than this of a kind are counted, not listed.
const LISTED: usize = 10;

/// The files of a run, which no export replaces.
const KEPT: [&str; 8] =
    ["run.json", "grades.jsonl", "review.jsonl", "decisions.jsonl", "marking.json", "gradebook.csv", "journal.jsonl", "lock"];

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder that `drillmark grade --out` wrote
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// For whom
    #[arg(long, value_enum, value_name = "PLATFORM")]
    to: To,

    /// The gradebook or worksheet that the platform gave, to be filled in
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,

    /// Which column of the template, by title or number; without a template, what to call it
    #[arg(long, value_name = "NAME")]
    column: Option<String>,

    /// The assignment: the same as `--column`; for Classroom 50 its short name
    #[arg(long, value_name = "NAME")]
    assignment: Option<String>,

    /// Where to write: a file, or for a file a submission a new folder; for Autolab's table a name that ends in `.csv`
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,

    /// The language whose decimal mark to write, where the template does not show it: `en`, `de`, `fr-CA`
    #[arg(long, value_name = "LANGUAGE")]
    locale: Option<Locale>,

    /// Count in so many points instead of the rubric's
    #[arg(long, value_name = "POINTS")]
    points: Option<Points>,

    /// What a line is about; left out, what the platform expects
    #[arg(long, value_enum, value_name = "WHAT")]
    by: Option<Lines>,

    /// When students see it, on Gradescope
    #[arg(long, value_enum, value_name = "WHEN", default_value = "visible")]
    visibility: Seen,

    /// The classroom's short name, for Classroom 50; left out, the variable CLASSROOM
    #[arg(long, value_name = "NAME")]
    classroom: Option<String>,

    /// The tag of a single submission, for Classroom 50; left out, the variable SUBMISSION_TAG
    #[arg(long, value_name = "TAG")]
    submission: Option<String>,

    /// Replace grades that stand in a Moodle worksheet
    #[arg(long)]
    overwrite: bool,

    /// Begin a table with a byte-order mark, by which some spreadsheets know UTF-8
    #[arg(long)]
    bom: bool,

    /// Append the summary of a GitHub step to this file; left out, the variable GITHUB_STEP_SUMMARY
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
}

/// The platforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum To {
    /// Canvas: its exported gradebook with one column filled in; needs `--template`
    Canvas,
    /// Moodle: a grading worksheet filled in, or, with `--column`, a table for the import of grades
    Moodle,
    /// Gradescope: a results.json a submission
    Gradescope,
    /// PrairieLearn: a results.json a submission
    #[value(name = "prairielearn")]
    PrairieLearn,
    /// Classroom 50: a result.json a submission
    Classroom50,
    /// Autolab: an autoresult a submission, or the table of its bulk upload
    Autolab,
    /// JUnit XML
    Junit,
    /// GitHub Actions: annotations and a summary
    #[value(name = "github")]
    GitHub,
    /// A table with everything
    Csv,
    /// Otter-Grader's final_grades.csv
    Otter,
}

/// What a line of a gradebook is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Lines {
    /// Each asked quantity and each criterion
    Item,
    /// Each part of the drill
    Part,
}

impl From<Lines> for By {
    fn from(lines: Lines) -> By {
        match lines {
            Lines::Item => By::Item,
            Lines::Part => By::Part,
        }
    }
}

/// When a student sees a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Seen {
    /// At once
    Visible,
    /// After the due date
    AfterDueDate,
    /// When grades are published
    AfterPublished,
    /// Never, and no total either
    Hidden,
}

impl From<Seen> for Visibility {
    fn from(seen: Seen) -> Visibility {
        match seen {
            Seen::Visible => Visibility::Visible,
            Seen::AfterDueDate => Visibility::AfterDueDate,
            Seen::AfterPublished => Visibility::AfterPublished,
            Seen::Hidden => Visibility::Hidden,
        }
    }
}

impl Args {
    fn target(&self) -> Target {
        let is_table = self.out.as_ref().is_some_and(|out| out.extension().is_some_and(|extension| extension == "csv"));
        match self.to {
            To::Canvas => Target::Canvas,
            To::Moodle => Target::Moodle,
            To::Gradescope => Target::Gradescope,
            To::PrairieLearn => Target::PrairieLearn,
            To::Classroom50 => Target::Classroom50,
            To::Autolab if is_table => Target::AutolabTable,
            To::Autolab => Target::Autolab,
            To::Junit => Target::Junit,
            To::GitHub => Target::GitHub,
            To::Csv => Target::Csv,
            To::Otter => Target::Otter,
        }
    }
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let run = Run::open(&args.run).map_err(told)?;
    let target = args.target();
    let template = match &args.template {
        Some(path) => Some((path.as_path(), shell.read(path, LARGEST)?)),
        None => None,
    };
    if let (Some((path, _)), Some(out)) = (&template, &args.out)
        && is_same(path, out)
    {
        return Err(Trouble::with(out.display(), "is the template, and stays as the platform gave it; write to another file"));
    }
    let mut out = Out::new(&args, target, &run)?;
    let drills = drills(shell, &run)?;
    let root = variable("GITHUB_WORKSPACE").map(PathBuf::from).or_else(|| std::env::current_dir().ok());
    let order = Order {
        target,
        template: template.as_ref().map(|(path, bytes)| (*path, bytes.as_slice())),
        column: args.column.as_deref().or(args.assignment.as_deref()),
        locale: args.locale,
        points: args.points,
        by: args.by.map(By::from),
        visibility: args.visibility.into(),
        classroom: classroom(&args),
        overwrite: args.overwrite,
        mark: args.bom,
        root: root.as_deref(),
    };
    let result = gradebook::export(&run, &drills, &order, &mut out).map_err(told)?;
    out.finish(shell)?;
    tell(&args, &result, shell)
}

fn classroom(args: &Args) -> Option<Classroom> {
    Some(Classroom {
        classroom: args.classroom.clone().or_else(|| variable("CLASSROOM"))?,
        assignment: args.assignment.clone().or_else(|| variable("ASSIGNMENT"))?,
        submission: args.submission.clone().or_else(|| variable("SUBMISSION_TAG")),
    })
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The drills of the run, for the names of the items; one that has changed since names nothing.
fn drills(shell: &Shell, run: &Run) -> Result<Vec<Drill>, Trouble> {
    let library = shell.library()?;
    let mut drills = Vec::new();
    for versions in &run.manifest.drills {
        match library.load(&versions.drill.id) {
            Ok(drill) if drill.sha256 == versions.drill.sha256 => drills.push(drill),
            _ => warn(&format!("{}: is not the drill by which was graded; its items go by their ids", versions.drill.id)),
        }
    }
    Ok(drills)
}

fn told(trouble: cohort::Trouble) -> Trouble {
    match trouble {
        cohort::Trouble::Io { path, error } => Trouble::io(&path, &error),
        other => Trouble::Operator(other.to_string()),
    }
}

/// Where an export goes.
struct Out {
    /// A file, a new folder, or standard output.
    path: Option<PathBuf>,
    /// Under another name until it is whole.
    part: Option<PathBuf>,
    document: Option<Vec<u8>>,
    /// The summary of a step, and where to append it.
    summary: Option<PathBuf>,
}

impl Out {
    fn new(args: &Args, target: Target, run: &Run) -> Result<Out, Trouble> {
        let summary = args.summary.clone().or_else(|| variable("GITHUB_STEP_SUMMARY").map(PathBuf::from));
        let mut out = Out { path: args.out.clone(), part: None, document: None, summary };
        let Some(path) = &args.out else {
            if target.file_of_each().is_some() && run.manifest.submissions > 1 {
                return Err(Trouble::Operator(
                    "the run holds several submissions, each with a file of its own: name a folder with `--out`".to_owned(),
                ));
            }
            return Ok(out);
        };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if KEPT.contains(&name.as_str()) && is_same(path.parent().unwrap_or(Path::new(".")), &args.run) {
            return Err(Trouble::with(path.display(), "is a file of the run itself"));
        }
        refuse_link(path)?;
        if target.file_of_each().is_some() {
            out.part = Some(part_of(path)?);
        }
        Ok(out)
    }

    /// Gives what was written its name.
    fn finish(&mut self, shell: &mut Shell) -> Result<(), Trouble> {
        if let (Some(part), Some(path)) = (self.part.take(), &self.path) {
            // An empty folder gives way to a whole one.
            let _ = fs::remove_dir(path);
            return fs::rename(&part, path).map_err(|error| {
                let _ = fs::remove_dir_all(&part);
                Trouble::io(path, &error)
            });
        }
        let Some(document) = self.document.take() else { return Ok(()) };
        match &self.path {
            Some(path) => write_whole(path, &document),
            None => {
                let mut out = shell.json()?;
                out.write_all(&document)?;
                Ok(out.flush()?)
            }
        }
    }
}

/// A new folder beside the one that is to be; that one is empty or not there.
fn part_of(path: &Path) -> Result<PathBuf, Trouble> {
    if path.exists() {
        let mut entries = fs::read_dir(path).map_err(|error| Trouble::io(path, &error))?;
        if entries.next().is_some() {
            return Err(Trouble::with(path.display(), "is not empty; name a new folder, so that nothing old is taken for new"));
        }
    }
    let mut name = path.file_name().ok_or_else(|| Trouble::with(path.display(), "is not the name of a folder"))?.to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    fs::create_dir(&part).map_err(|error| Trouble::io(&part, &error))?;
    Ok(part)
}

impl Drop for Out {
    fn drop(&mut self) {
        if let Some(part) = self.part.take() {
            // The trouble that brought us here is the one to tell.
            let _ = fs::remove_dir_all(part);
        }
    }
}

impl Sink for Out {
    fn document(&mut self, bytes: &[u8]) -> Result<(), cohort::Trouble> {
        self.document = Some(bytes.to_owned());
        Ok(())
    }

    fn file_of(&mut self, name: &str, file: &str, bytes: &[u8]) -> Result<(), cohort::Trouble> {
        let Some(part) = &self.part else {
            self.document = Some(bytes.to_owned());
            return Ok(());
        };
        let folder = part.join(name);
        let path = folder.join(file);
        let create = || OpenOptions::new().write(true).create_new(true).open(&path);
        let written = fs::create_dir(&folder).and_then(|()| create()).and_then(|mut file: File| file.write_all(bytes));
        written.map_err(|error| cohort::Trouble::Io { path, error })
    }

    fn summary(&mut self, text: &str) -> Result<(), cohort::Trouble> {
        let Some(path) = &self.summary else { return Ok(()) };
        let file = OpenOptions::new().append(true).create(true).open(path);
        file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| cohort::Trouble::Io { path: path.clone(), error })
    }
}

/// Whether two paths that exist are the same.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| if path.as_os_str().is_empty() { Path::new(".").canonicalize() } else { path.canonicalize() };
    matches!((real(one), real(other)), (Ok(one), Ok(other)) if one == other)
}

/// What somebody has to look after, on standard error, and the summary.
fn tell(args: &Args, result: &Told, shell: &mut Shell) -> Result<Done, Trouble> {
    // What is not written comes first, and of each kind no more than somebody reads.
    for (is_refusal, kind) in [(true, "not written"), (false, "to be looked at")] {
        let lines: Vec<&str> =
            result.remarks.iter().filter(|remark| remark.is_refusal == is_refusal).map(|remark| remark.line.as_str()).collect();
        lines.iter().take(LISTED).for_each(|line| warn(line));
        if lines.len() > LISTED {
            warn(&format!("and {} more {kind}", lines.len() - LISTED));
        }
    }
    let waiting = result.waiting.len();
    if waiting > 0 {
        let ids: Vec<&str> = result.waiting.iter().take(LISTED).map(String::as_str).collect();
        let more = if waiting > LISTED { format!(" and {} more", waiting - LISTED) } else { String::new() };
        warn(&format!("{waiting} with something that waits for a person, not written as a grade: {}{more}", ids.join(", ")));
    }
    if let Some(out) = &args.out {
        let grades = if result.grades == 1 { "1 grade".to_owned() } else { format!("{} grades", result.grades) };
        writeln!(shell.out(), "{grades}: {}", inert::terminal(&out.display().to_string()))?;
    }
    Ok(if result.is_whole() { Done::Fine } else { Done::Incomplete })
}
