//! `fixtures/<drill>/<case>.<ext>` is an answer as a student hands it in. `<case>.expect.toml` beside it is what a careful
//! human says of it, written by hand; `<case>.snap` is the whole feedback, accepted by whoever changes a sentence.
//! `fixtures/README.md` says what stands in an expectation.
//!
//! Two tests, so that a change that gives one point too many fails even when every snapshot is accepted blindly.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use drillmark::answer::Answer;
use drillmark::drill::{Drill, Library};
use drillmark::grade::{Grade, Mistake, Verdict};
use drillmark::report::{self, Graded, Layout, Reader, Submission};
use serde::Deserialize;

use crate::shipped;

/// What a careful human says of an answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expect {
    drill: String,
    /// Why the case is here.
    #[expect(dead_code, reason = "read by people")]
    why: String,
    awarded: Option<f64>,
    #[serde(default)]
    quantities: BTreeMap<String, toml::Value>,
    #[serde(default)]
    separate: BTreeMap<String, toml::Value>,
    #[serde(default)]
    criteria: BTreeMap<String, toml::Value>,
}

/// What is declared of a quantity: `"correct"`, several fair verdicts, or a table with more than the verdict.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Want {
    verdict: Option<toml::Value>,
    mistake: Option<String>,
    reading: Option<String>,
    /// The asks it is carried forward from.
    from: Option<Vec<String>>,
    /// Codes of notes that have to be there.
    #[serde(default)]
    notes: Vec<String>,
    /// The text that is taken for the value.
    text: Option<String>,
    /// Why, for people.
    #[expect(dead_code, reason = "read by people")]
    why: Option<String>,
}

/// Where the program is known to differ from the careful person, a line each: `drill/case.ext what`. The list may only
/// shrink: a difference that is not on it fails, and so does a line that has come right. `OPEN_UPDATE=1` takes out
/// what has come right, and puts nothing in.
const OPEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/open.txt");

#[test]
fn verdicts_are_as_declared() {
    let text = fs::read_to_string(OPEN).expect("the list of open differences is readable");
    let open: BTreeSet<&str> = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let (mut new, mut still) = (String::new(), BTreeSet::new());
    for case in CASES.iter() {
        for (what, difference) in differences(&case.expect, &case.grade) {
            let line = format!("{}/{} {what}", case.drill.id, case.file);
            if !open.contains(line.as_str()) {
                let _ = writeln!(new, "{line}: {difference}");
            }
            still.insert(line);
        }
    }
    let right: Vec<&str> = open.into_iter().filter(|line| !still.contains(*line)).collect();
    if std::env::var_os("OPEN_UPDATE").is_some() {
        let kept: String = text.lines().filter(|line| !right.contains(line)).map(|line| format!("{line}\n")).collect();
        fs::write(OPEN, kept).expect("the list can be written");
    } else {
        assert!(right.is_empty(), "come right, take out of fixtures/open.txt:\n{}", right.join("\n"));
    }
    assert!(new.is_empty(), "\n{new}");
}

#[test]
fn feedback_is_as_accepted() {
    insta::glob!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"), "*/*.expect.toml", |expect| {
        let case = CASES.iter().find(|case| case.expect_file == expect).expect("the same files are listed");
        insta::with_settings!({
            snapshot_path => expect.parent().expect("a case has a folder"),
            snapshot_suffix => "",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(case.name.as_str(), report::render(&case.graded(), Layout::Markdown, Reader::Staff, false));
        });
    });
}

#[test]
fn nothing_lies_about_without_its_other_half() {
    let mut alone = Vec::new();
    for folder in folders() {
        let names: Vec<String> =
            files(&folder).iter().map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned()).collect();
        for name in &names {
            let (case, has) = match name.rsplit_once('.') {
                Some((case, "snap" | "new")) => (case.trim_end_matches(".snap"), "an answer"),
                Some((case, "toml")) if case.ends_with(".expect") => (case.trim_end_matches(".expect"), "an answer"),
                Some((case, _)) => (case, "an expectation"),
                None => (name.as_str(), "a kind"),
            };
            let is_answer = |other: &&String| {
                other.strip_prefix(case).is_some_and(|rest| rest.starts_with('.') && rest != ".snap" && rest != ".expect.toml")
            };
            let fine = match has {
                "an answer" => names.iter().filter(is_answer).count() == 1,
                "an expectation" => names.contains(&format!("{case}.expect.toml")),
                _ => false,
            };
            if !fine {
                alone.push(format!("{}: `{name}` without {has}", folder.display()));
            }
        }
    }
    assert!(alone.is_empty(), "\n{}", alone.join("\n"));
}

/// Where the grade differs from what is declared: what it is about, and how it differs.
fn differences(expect: &Expect, grade: &Grade) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut check = |what: String, wanted: String, got: String| {
        if wanted != got {
            found.push((what, format!("declared {wanted}, got {got}")));
        }
    };
    for got in &grade.quantities {
        if !expect.quantities.contains_key(&got.ask) && got.verdict != Verdict::Missing {
            let read = got.read.as_ref().map_or("nothing", |read| &read.text);
            check(got.ask.clone(), "missing".to_owned(), format!("{}, reading {read:?}", got.verdict.code()));
        }
    }
    for (id, value) in &expect.quantities {
        let Some(got) = grade.quantities.iter().find(|finding| finding.ask == *id) else {
            check(id.clone(), "an ask of the drill".to_owned(), "none of this name".to_owned());
            continue;
        };
        let want = match value {
            toml::Value::Table(_) => value.clone().try_into().unwrap_or_else(|error| panic!("{id}: {error}")),
            _ => Want { verdict: Some(value.clone()), ..Want::default() },
        };
        let read = got.read.as_ref().map_or("nothing", |read| &read.text);
        if let Some(verdicts) = &want.verdict {
            let fair = several(verdicts);
            if !fair.iter().any(|fair| fair == got.verdict.code()) {
                let mistake = got.mistake.as_ref().map_or(String::new(), |mistake| format!(" ({})", mistake.code()));
                check(id.clone(), fair.join(" or "), format!("{}{mistake}, reading {read:?}", got.verdict.code()));
                continue;
            }
        }
        if let Some(mistake) = want.mistake.filter(|_| got.verdict == Verdict::Slip) {
            check(format!("{id} mistake"), mistake, got.mistake.as_ref().map_or("none", Mistake::code).to_owned());
        }
        if let Some(reading) = want.reading.filter(|_| got.verdict == Verdict::Correct) {
            check(format!("{id} reading"), reading, got.reading.clone().unwrap_or_else(|| "none".to_owned()));
        }
        if let Some(from) = want.from {
            check(format!("{id} carried from"), from.join(", "), got.carried_from.join(", "));
        }
        if let Some(text) = want.text {
            check(format!("{id} text"), text, read.to_owned());
        }
        for note in want.notes {
            let codes: Vec<_> = got.notes.iter().map(|note| note.code()).collect();
            if !codes.contains(&note.as_str()) {
                check(format!("{id} note"), note, codes.join(", "));
            }
        }
    }
    for (id, value) in &expect.separate {
        let got = grade.separate.iter().find(|finding| finding.of == *id).map_or("no such sum", |finding| finding.found.code());
        let fair = several(value);
        if !fair.iter().any(|fair| fair == got) {
            check(format!("{id} separate terms"), fair.join(" or "), got.to_owned());
        }
    }
    for (id, value) in &expect.criteria {
        let got = grade.criteria.iter().find(|finding| finding.id == *id).map_or("no such criterion", |finding| finding.outcome.code());
        let fair = several(value);
        // What is left to a person is never wrong.
        if got != "review" && !fair.iter().any(|fair| fair == got) {
            check(format!("criterion {id}"), fair.join(" or "), got.to_owned());
        }
    }
    let score = grade.score;
    if let Some(awarded) = expect.awarded
        && !(score.awarded - 1e-6..=score.awarded + score.pending + 1e-6).contains(&awarded)
    {
        let got = format!("{} and {} left to a person", score.awarded, score.pending);
        check("points".to_owned(), awarded.to_string(), got);
    }
    if (score.awarded + score.lost() + score.pending - score.possible).abs() > 1e-9 || score.lost() < -1e-9 {
        check("points".to_owned(), "awarded + lost + pending = possible".to_owned(), format!("{score:?}"));
    }
    found
}

/// One fair outcome, or a list of them.
fn several(value: &toml::Value) -> Vec<String> {
    match value {
        toml::Value::String(one) => vec![one.clone()],
        toml::Value::Array(many) => many.iter().filter_map(|one| one.as_str()).map(str::to_owned).collect(),
        other => panic!("expected a word or a list of words, but found {other}"),
    }
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
pub(crate) static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let expectations =
        folders().into_iter().flat_map(|folder| files(&folder)).filter(|path| path.to_string_lossy().ends_with(".expect.toml"));
    expectations.map(Case::beside).collect()
});

impl Case {
    fn beside(expect_file: PathBuf) -> Case {
        let name = expect_file.file_name().unwrap_or_default().to_string_lossy().trim_end_matches(".expect.toml").to_owned();
        let path = files(expect_file.parent().expect("a case has a folder")).into_iter().find(|path| {
            let other = path.file_name().unwrap_or_default().to_string_lossy();
            other.strip_prefix(&name).is_some_and(|rest| rest.starts_with('.') && !rest.contains(".snap") && rest != ".expect.toml")
        });
        let path = path.unwrap_or_else(|| panic!("no answer beside {}", expect_file.display()));
        let text = fs::read_to_string(&expect_file).expect("a listed file is readable");
        let expect: Expect = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", expect_file.display()));
        let answer = shipped::answer(&path);
        let drill = shipped::drill(&expect.drill);
        let grade = drillmark::grade::grade(drill, &answer);
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Case { name, file, expect_file, expect, answer, drill, grade }
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

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("a listed folder is readable").filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.sort();
    files
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
    let mut lost = Vec::new();
    let mut sure = 0;
    for case in CASES.iter() {
        let candidates = library.candidates(&case.answer);
        sure += usize::from(candidates.len() == 1);
        if !candidates.contains(&case.drill.id.as_str()) {
            lost.push(format!("{} of {}: {candidates:?}", case.file, case.drill.id));
        }
    }
    assert!(lost.is_empty(), "\n{}", lost.join("\n"));
    assert!(sure * 3 > CASES.len(), "words alone decide {sure} of {}", CASES.len());
}
