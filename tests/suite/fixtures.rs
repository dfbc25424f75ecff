//! `fixtures/<drill>/<case>.<ext>` is an answer as a student hands it in. `<case>.expect.toml` beside it is what a careful
//! human says of it, written by hand; `<case>.snap` is the whole feedback, accepted by whoever changes a sentence.
//! `fixtures/README.md` says what stands in an expectation.
//!
//! Two tests, so that a change that gives one point too many fails even when every snapshot is accepted blindly.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use drillmark::answer::Answer;
use drillmark::drill::{Drill, Library};
use drillmark::fixture::{self, Difference, Expect, Open};
use drillmark::grade::Grade;
use drillmark::report::{self, Graded, Layout, Reader, Submission};

use crate::shipped;

/// Where the program is known to differ from the careful person, a line each: `drill/case.ext what`. The list may only
/// shrink: a difference that is not on it fails, and so does a line that has come right. `OPEN_UPDATE=1` takes out
/// what has come right, and puts nothing in.
const OPEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/open.txt");

#[test]
fn verdicts_are_as_declared() {
    let mut open = Open::read(Path::new(OPEN)).expect("the list of open differences is readable");
    let mut new = String::new();
    for case in CASES.iter() {
        for difference in case.expect.differences(&case.grade) {
            if !open.knows(&case.drill.id, &case.file, &difference) {
                let Difference { what, declared, got, .. } = difference;
                let _ = writeln!(new, "{}/{} {what}: declared {declared}, got {got}", case.drill.id, case.file);
            }
        }
    }
    let right = open.right(|_| true);
    if std::env::var_os("OPEN_UPDATE").is_some() {
        fs::write(OPEN, open.without(&right)).expect("the list can be written");
    } else {
        assert!(right.is_empty(), "come right, take out of fixtures/open.txt:\n{}", right.join("\n"));
    }
    assert!(new.is_empty(), "\n{new}");
}

#[test]
fn feedback_is_as_accepted() {
    insta::glob!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"), "*/*.expect.toml", |expect| {
        let case = CASES.iter().find(|case| case.expect_file == expect).expect("the same files are listed");
        let feedback = fixture::feedback(&case.name, &case.file, case.drill, &case.answer, &case.grade);
        insta::with_settings!({
            snapshot_path => expect.parent().expect("a case has a folder"),
            snapshot_suffix => "",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(case.name.as_str(), feedback);
        });
    });
}

#[test]
fn nothing_lies_about_without_its_other_half() {
    let mut alone = Vec::new();
    for path in folders() {
        for fixture::Orphan { path, why } in folder(&path).orphans {
            alone.push(format!("{} {why}", path.display()));
        }
    }
    assert!(alone.is_empty(), "\n{}", alone.join("\n"));
}

/// One answer with what is declared of it and what it gets.
pub(crate) struct Case {
    name: String,
    /// The answer's file, without its folders.
    pub(crate) file: String,
    expect_file: PathBuf,
    expect: Expect,
    pub(crate) answer: Answer,
    pub(crate) drill: &'static Drill,
    grade: Grade,
}

/// Every case of every drill, graded once for all tests.
pub(crate) static CASES: LazyLock<Vec<Case>> =
    LazyLock::new(|| folders().iter().flat_map(|path| folder(path).cases).map(Case::graded_from).collect());

impl Case {
    fn graded_from(files: fixture::Case) -> Case {
        let expect = Expect::open(&files.expect).unwrap_or_else(|unfit| panic!("{unfit:?}"));
        let answer = files.read().unwrap_or_else(|unfit| panic!("{unfit:?}"));
        let drill = shipped::drill(&expect.drill);
        let grade = drillmark::grade::grade(drill, &answer);
        Case { file: files.file(), name: files.name, expect_file: files.expect, expect, answer, drill, grade }
    }

    /// What the layouts take.
    pub(crate) fn graded(&self) -> Graded<'_> {
        let submission = Submission { id: &self.name, file: &self.file, sha256: "", arrival: None };
        Graded { submission, answer: &self.answer, drill: self.drill, grade: &self.grade }
    }
}

/// The folders of `fixtures/` that belong to a drill.
fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut folders: Vec<PathBuf> =
        fs::read_dir(&root).map(|entries| entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect()).unwrap_or_default();
    folders.retain(|path| path.is_dir() && shipped::has(&path.file_name().unwrap_or_default().to_string_lossy()));
    folders.sort();
    folders
}

fn folder(path: &Path) -> fixture::Folder {
    fixture::Folder::open(path).expect("a listed folder is readable")
}

#[test]
fn sentences_are_whole() {
    let mut odd = Vec::new();
    for case in CASES.iter() {
        for reader in [Reader::Staff, Reader::Student] {
            let text = report::render(&case.graded(), Layout::Markdown, reader, true);
            // What the student wrote may look like anything.
            for line in text.lines().filter(|line| !line.trim_start().starts_with('>')) {
                let mut ours = String::new();
                for (at, piece) in line.split('`').enumerate() {
                    ours.push_str(if at % 2 == 1 { "`x`" } else { piece });
                }
                let seams = ["  ", " ,", " .", "..", ",,", " )", "( ", "()", ";.", ",.", ":.", "in ,", "is ."];
                if let Some(seam) = seams.iter().find(|seam| ours.trim_start().contains(*seam) && !ours.contains("…")) {
                    odd.push(format!("{}: {seam:?} in {line}", case.name));
                }
                let is_entry = line.starts_with("- ");
                if is_entry && !ours.trim_end().ends_with(['.', '?', ')']) {
                    odd.push(format!("{}: no end of a sentence in {line}", case.name));
                }
            }
        }
    }
    assert!(odd.is_empty(), "\n{}", odd.join("\n"));
}

#[test]
fn the_drill_is_found_from_the_answer() {
    let library = Library::built_in();
    let finder = library.finder();
    let ids: Vec<&str> = library.ids().collect();
    let mut lost = Vec::new();
    let mut sure = 0;
    for case in CASES.iter() {
        let candidates: Vec<&str> = finder.candidates(&case.answer).into_iter().map(|at| ids[at]).collect();
        sure += usize::from(candidates.len() == 1);
        if !candidates.contains(&case.drill.id.as_str()) {
            lost.push(format!("{} of {}: {candidates:?}", case.file, case.drill.id));
        }
    }
    assert!(lost.is_empty(), "\n{}", lost.join("\n"));
    assert!(sure * 3 > CASES.len(), "words alone decide {sure} of {}", CASES.len());
}
