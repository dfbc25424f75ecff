//! `drillmark test`: a course's fixtures, graded and held against what is declared and accepted.

mod accept;
mod find;
mod tell;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use drillmark::drill::{Drill, Library};
use drillmark::fixture::{self, Case, Difference, Expect, Open, Orphan, Unfit, snapshot};
use drillmark::grade;

use super::{Done, Shell, Trouble, shell, write_whole};
use accept::Accept;
use find::Found;

/// How differences are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For a person at a terminal
    Terminal,
    /// JUnit XML, for programs that run tests
    Junit,
    /// Annotations of GitHub's runner
    Github,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
A fixture is an answer `fixtures/DRILL/CASE.md` (or .txt, .tex, .typ, .ipynb, .toml) with the verdicts that a careful person
gives it in `CASE.expect.toml` and the feedback that was accepted for it in `CASE.snap`. Verdicts are written by hand and
never updated; feedback is accepted with --accept.")]
pub(crate) struct Args {
    /// The course: a folder with `fixtures/`, or one drill's folder of fixtures, or the file of one fixture
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,

    /// Accept changed feedback: `all`, or the named fixtures (`DRILL/CASE`); without a name, each is asked for at a terminal
    #[arg(long, value_name = "CASE", num_args = 0..)]
    accept: Option<Vec<String>>,

    /// How to print it
    #[arg(long, value_enum, default_value = "terminal")]
    format: Format,

    /// Write JUnit XML into this file as well
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// What came of a fixture.
struct Tested {
    /// `zero-memory/terse`.
    name: String,
    case: Case,
    /// Why it could not be tested; then the rest is empty.
    unfit: Option<Unfit>,
    /// Without the known ones.
    differences: Vec<Difference>,
    /// The feedback as it is now.
    feedback: String,
    /// The feedback as it was accepted.
    accepted: Option<String>,
}

impl Tested {
    fn feedback_differs(&self) -> bool {
        self.unfit.is_none() && self.accepted.as_ref() != Some(&self.feedback)
    }

    fn is_fine(&self) -> bool {
        self.unfit.is_none() && self.differences.is_empty() && !self.feedback_differs()
    }
}

/// What came of all of them.
struct Report {
    /// How many drills the fixtures are for.
    drills: usize,
    tested: Vec<Tested>,
    orphans: Vec<Orphan>,
    /// Lines of the list of known differences that are no longer true.
    right: Vec<String>,
    /// Where that list is.
    open: PathBuf,
    /// Differences that are on it.
    known: usize,
    /// Fixtures whose feedback was accepted just now.
    accepted: usize,
    /// Folders that belong to no drill and hold no fixtures.
    skipped: Vec<String>,
}

impl Report {
    fn is_fine(&self) -> bool {
        self.orphans.is_empty() && self.right.is_empty() && self.tested.iter().all(Tested::is_fine)
    }
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let mut found = Found::at(&args.path)?;
    let library = shell.library_of(&found.course)?;
    let skipped = found.drop_foreign(&library);
    if found.folders.is_empty() {
        return Err(Trouble::with(args.path.display(), "holds no fixtures: none of its folders is named after a drill"));
    }
    let open_path = found.list.clone();
    let mut open = Open::read(&open_path).map_err(|error| Trouble::io(&open_path, &error))?;
    let mut bench = Bench { library: &library, drills: BTreeMap::new() };
    let (mut tested, mut orphans) = (Vec::new(), Vec::new());
    for (name, folder) in &found.folders {
        for case in &folder.cases {
            if found.only.as_ref().is_none_or(|only| *only == case.name) {
                tested.push(bench.test(format!("{name}/{}", case.name), case, &mut open)?);
            }
        }
        if found.only.is_none() {
            orphans.extend(folder.orphans.iter().cloned());
        }
    }
    // A line may speak only for what was tested: with one folder, the other folders' lines are left alone.
    let is_tested = |line: &str| tested.iter().any(|tested| line == format!("{}/{}", folder_of(&tested.name), tested.case.file()));
    let stale = |line: &str| found.only.is_none() && !found.is_part && !line.is_empty();
    let right: Vec<&str> = open.right(|line| is_tested(line) || stale(line));
    let mut accepted = 0;
    let mut right_lines: Vec<String> = right.iter().map(|line| (*line).to_owned()).collect();
    if let Some(names) = &args.accept {
        let mut accept = Accept::new(names, &tested)?;
        for one in tested.iter_mut().filter(|tested| tested.feedback_differs()) {
            if accept.wants(one, shell)? {
                take(one)?;
                accepted += 1;
            }
        }
        if accept.is_all() && !right.is_empty() {
            write_whole(&open_path, open.without(&right).as_bytes())?;
            right_lines.clear();
        }
    }
    let drills = found.folders.len();
    let report = Report { drills, known: open.met(), right: right_lines, tested, orphans, open: open_path, accepted, skipped };
    if let Some(path) = &args.junit {
        write_whole(path, tell::junit(&report).as_bytes())?;
    }
    tell::print(&report, args.format, shell)?;
    Ok(if report.is_fine() { Done::Fine } else { Done::Problems })
}

/// Keeps the feedback of a fixture as accepted.
fn take(tested: &mut Tested) -> Result<(), Trouble> {
    let path = &tested.case.snapshot;
    let old = fs::read_to_string(path).ok();
    let text = snapshot::written(old.as_deref(), &tested.case.file(), &tested.feedback);
    write_whole(path, text.as_bytes())?;
    tested.accepted = Some(tested.feedback.clone());
    Ok(())
}

fn folder_of(name: &str) -> &str {
    name.split_once('/').map_or(name, |(folder, _)| folder)
}

/// Drills, loaded when the first fixture asks for them.
struct Bench<'a> {
    library: &'a Library,
    drills: BTreeMap<String, Drill>,
}

impl Bench<'_> {
    fn test(&mut self, name: String, case: &Case, open: &mut Open) -> Result<Tested, Trouble> {
        let accepted = snapshot::read(&case.snapshot).map_err(|error| Trouble::io(&case.snapshot, &error))?;
        let case = case.clone();
        Ok(match self.grade(&case, open)? {
            Ok((differences, feedback)) => Tested { name, case, unfit: None, differences, feedback, accepted },
            Err(unfit) => Tested { name, case, unfit: Some(unfit), differences: Vec::new(), feedback: String::new(), accepted },
        })
    }

    /// The differences that are not known, and the feedback; or what keeps the case from being tested.
    fn grade(&mut self, case: &Case, open: &mut Open) -> Result<Result<(Vec<Difference>, String), Unfit>, Trouble> {
        let (expect, answer) = match Expect::open(&case.expect).and_then(|expect| Ok((expect, case.read()?))) {
            Ok(both) => both,
            Err(unfit) => return Ok(Err(unfit)),
        };
        if !self.library.ids().any(|id| id == expect.drill) {
            let what = format!("speaks of the drill `{}`, which is not in the library", expect.drill);
            return Ok(Err(Unfit { path: case.expect.clone(), line: None, what }));
        }
        let drill = self.drill(&expect.drill)?;
        let grade = grade::grade(drill, &answer);
        let file = case.file();
        let new = expect.differences(&grade).into_iter().filter(|difference| !open.knows(&drill.id, &file, difference)).collect();
        let feedback = fixture::feedback(&case.name, &file, drill, &answer, &grade);
        Ok(Ok((new, snapshot::normal(&feedback))))
    }

    fn drill(&mut self, id: &str) -> Result<&Drill, Trouble> {
        if !self.drills.contains_key(id) {
            self.drills.insert(id.to_owned(), shell::load(self.library, id)?);
        }
        Ok(&self.drills[id])
    }
}

/// How a path is shown: relative to here where it can be, with `/` on every system.
fn shown(path: &Path) -> String {
    let path = path.strip_prefix(".").unwrap_or(path);
    path.display().to_string().replace('\\', "/")
}
