//! A run that is stopped, torn, changed or crowded comes out as if nothing had happened.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::cohort::collect::Rules;
use crate::cohort::read::Run;
use crate::drill::{Library, Seed};
use crate::lint::Variants;

const ANSWERS: usize = 9;

/// A class of a few answers, and room for runs beside it.
fn class(name: &str) -> (PathBuf, PathBuf) {
    class_of(ANSWERS, name)
}

fn class_of(answers: usize, name: &str) -> (PathBuf, PathBuf) {
    let root = std::env::temp_dir().join(format!("drillmark-run-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    let folder = root.join("class");
    fs::create_dir_all(&folder).expect("the system has a folder for such files");
    for at in 0..answers {
        write(&folder, at, "1.24 ms");
    }
    fs::write(folder.join("picture.md"), b"\x89PNG\r\n\x1a\n\0").expect("it is writable");
    (root.join("run"), folder)
}

fn write(folder: &Path, at: usize, latency: &str) {
    let text = format!("## (a)\n\nS = 2.6 GB, number {at}\n\n## (b)\n\nlatency {latency}, bandwidth 201.5 ms\n\n## (d)\n\nIt depends.\n");
    fs::write(folder.join(format!("s{at}.md")), text).expect("it is writable");
}

fn drills() -> &'static [Drill] {
    static DRILLS: LazyLock<Vec<Drill>> =
        LazyLock::new(|| vec![Library::built_in().load("communication-budget").expect("the built-in drill is whole")]);
    &DRILLS
}

fn options(threads: usize) -> Options {
    Options {
        feedback: Some(Feedback::Markdown),
        reader: Reader::Student,
        explain: false,
        deadline: None,
        kind: None,
        threads: NonZero::new(threads),
        salt: None,
    }
}

/// Asks the run to stop after so many results.
struct StopAfter<'a>(usize, &'a AtomicBool);

impl Progress for StopAfter<'_> {
    fn at(&self, done: usize, _of: usize) {
        if done >= self.0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
}

fn run(folder: &Path, out: &Path, threads: usize, stop_after: usize) -> Result<Summary, Trouble> {
    let class = Class::collect(folder, &Rules::default()).expect("the class can be collected");
    let stop = AtomicBool::new(false);
    grade(&class, drills(), None, out, &options(threads), &StopAfter(stop_after, &stop), &stop)
}

/// Every file of a run and its bytes.
fn files(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for folder in [out.to_owned(), out.join("feedback")] {
        for entry in fs::read_dir(&folder).expect("the run is there") {
            let path = entry.expect("it is readable").path();
            if path.is_file() {
                files.insert(path.strip_prefix(out).expect("below").display().to_string(), fs::read(&path).expect("it is readable"));
            }
        }
    }
    files
}

#[test]
fn the_bytes_are_the_same_whatever_the_threads() {
    let (out, folder) = class("threads");
    let summary = run(&folder, &out, 1, usize::MAX).expect("it runs");
    assert_eq!((summary.totals.graded, summary.totals.unreadable), (ANSWERS, 1));
    let alone = files(&out);
    assert_eq!(alone.len(), 6 + ANSWERS + 1, "{:?}", alone.keys());
    fs::remove_dir_all(&out).expect("it is ours");
    run(&folder, &out, 5, usize::MAX).expect("it runs");
    assert!(files(&out) == alone);
}

#[test]
fn a_stopped_run_goes_on_where_it_was() {
    // A fast thread may have so many results ready when the stop comes.
    let answers = 7 + AHEAD + ANSWERS;
    let (out, folder) = class_of(answers, "stopped");
    run(&folder, &out, 2, usize::MAX).expect("it runs");
    let undisturbed = files(&out);
    for (stop_after, torn) in [(1, 0), (4, 1), (4, 700), (7, 20_000)] {
        fs::remove_dir_all(&out).expect("it is ours");
        let summary = run(&folder, &out, 1, stop_after).expect("it runs");
        assert!(summary.is_stopped() && summary.done >= stop_after, "{summary:?}");
        assert!(Run::open(&out).expect_err("it did not end").to_string().contains("goes on"));
        // As if the process had been killed in the middle of a line.
        let journal = out.join(JOURNAL);
        let bytes = fs::read(&journal).expect("it is there");
        fs::write(&journal, &bytes[..bytes.len().saturating_sub(torn)]).expect("it is ours");
        fs::write(out.join("grades.jsonl.part"), "half a row").expect("it is ours");
        fs::write(out.join("feedback/s1.md.part"), "half a word").expect("it is ours");
        let again = run(&folder, &out, 2, usize::MAX).expect("it runs");
        assert!(again.reused < answers && (torn > 10_000 || again.reused > 0), "{again:?}");
        assert!(files(&out) == undisturbed, "stopped after {stop_after}, torn by {torn}");
    }
}

#[test]
fn only_what_changed_is_graded_again() {
    let (out, folder) = class("changed");
    run(&folder, &out, 2, usize::MAX).expect("it runs");
    let before = files(&out);
    assert_eq!(run(&folder, &out, 2, usize::MAX).expect("it runs").reused, ANSWERS + 1);
    assert!(files(&out) == before);
    write(&folder, 3, "1.28 ms");
    fs::remove_file(folder.join("s5.md")).expect("it is ours");
    fs::remove_file(out.join("feedback/s2.md")).expect("it is ours");
    assert_eq!(run(&folder, &out, 2, usize::MAX).expect("it runs").reused, ANSWERS - 2);
    let after = files(&out);
    assert!(!after.contains_key("feedback/s5.md") && after["feedback/s2.md"] == before["feedback/s2.md"]);
    assert!(after["feedback/s3.md"] != before["feedback/s3.md"]);
    let rows = Run::open(&out).expect("it ended").grades().expect("there are rows");
    let ids: Vec<String> = rows.map(|row| row.expect("it is a row").submission.id).collect();
    assert_eq!(ids, ["picture", "s0", "s1", "s2", "s3", "s4", "s6", "s7", "s8"]);
}

#[test]
fn a_run_read_back_leads_to_the_texts() {
    let (out, folder) = class("back");
    run(&folder, &out, 2, usize::MAX).expect("it runs");
    let run = Run::open(&out).expect("it ended");
    assert_eq!((run.manifest.submissions, run.manifest.unreadable), (ANSWERS + 1, 1));
    let class = run.class(None).expect("the class is still there");
    for row in run.grades().expect("there are rows") {
        let row = row.expect("it is a row");
        let submission = class.submission(&row.submission.id).expect("it is in the class");
        let text = class.text(submission).expect("it is readable");
        assert_eq!(row.submission.sha256.as_deref(), Some(crate::text::sha256(&text.bytes).as_str()));
        assert_eq!(row.error.is_some(), row.submission.id == "picture");
        assert_eq!(row.score.is_some(), row.error.is_none());
        assert!(run.feedback(&row.submission.id).is_some());
    }
}

#[test]
fn a_mistake_of_ours_in_one_answer_is_one_row() {
    let (out, folder) = class("panic");
    let mut class = Class::collect(&folder, &Rules::default()).expect("the class can be collected");
    // No folder holds such a place, and the store says so with a panic.
    class.submissions[4].pieces = vec![crate::cohort::tree::Place::Slice { start: 0, len: 1 }];
    let id = class.submissions[4].id.clone();
    let stop = AtomicBool::new(false);
    let summary = grade(&class, drills(), None, &out, &options(2), &StopAfter(usize::MAX, &stop), &stop).expect("the others go on");
    assert_eq!((summary.totals.graded, summary.totals.unreadable), (ANSWERS - 1, 2));
    let rows = Run::open(&out).expect("it ended").grades().expect("there are rows");
    let row = rows.map(|row| row.expect("it is a row")).find(|row| row.submission.id == id).expect("it has its row");
    assert!(row.score.is_none() && row.error.is_some_and(|error| error.contains("drillmark's mistake")));
}

#[test]
fn nobody_elses_folder_is_written_into() {
    let (out, folder) = class("folder");
    let refused = |out: &Path| run(&folder, out, 1, usize::MAX).expect_err("it is refused").to_string();
    fs::create_dir_all(&out).expect("it is ours");
    let held = Folder::open(&out, &folder).expect("it is free");
    assert!(refused(&out).contains("another run"));
    drop(held);
    assert!(refused(&folder.join("run")).contains("inside the class"));
    let other = out.with_file_name("other");
    fs::create_dir_all(&other).expect("it is ours");
    fs::write(other.join("thesis.tex"), "x").expect("it is ours");
    assert!(refused(&other).contains("not the folder of a run"));
    #[cfg(unix)]
    for name in ["grades.jsonl", "feedback", "lock", "run.json"] {
        let out = out.with_file_name(format!("linked-{name}"));
        fs::create_dir_all(&out).expect("it is ours");
        std::os::unix::fs::symlink(other.join("target"), out.join(name)).expect("links can be made");
        fs::write(out.join(JOURNAL), "").expect("it is ours");
        assert!(refused(&out).contains("link"), "{name}");
        assert!(!other.join("target").exists());
    }
    #[cfg(unix)]
    {
        let link = out.with_file_name("link");
        std::os::unix::fs::symlink(&other, &link).expect("links can be made");
        assert!(refused(&link).contains("link"));
    }
}

#[test]
fn a_table_is_read_by_a_program_that_obeys_formulas() {
    let (out, folder) = class("cells");
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    for id in ["=1+1", "+x", "-x", "@x", "a,b \"c\""] {
        fs::write(folder.join(format!("{id}.md")), format!("S = 2.6 GB {}", COUNT.fetch_add(1, Ordering::Relaxed)))
            .expect("it is writable");
    }
    run(&folder, &out, 2, usize::MAX).expect("it runs");
    let mut book = csv::Reader::from_path(out.join("gradebook.csv")).expect("it is a table");
    let ids: Vec<String> = book.records().map(|row| row.expect("it is a row")[0].to_owned()).collect();
    for id in ["'=1+1", "'+x", "'-x", "'@x", "a,b \"c\""] {
        assert!(ids.iter().any(|other| other == id), "{id} in {ids:?}");
    }
}

#[test]
fn each_student_is_graded_by_a_variant_of_their_own() {
    let (out, folder) = class("variants");
    fs::remove_dir_all(&folder).and_then(|()| fs::create_dir_all(&folder)).expect("it is ours");
    let drills = vec![Library::built_in().load("kv-cache").expect("the built-in drill is whole")];
    let salt = b"a secret of the course".to_vec();
    for at in 0..ANSWERS {
        let id = format!("s{at}");
        let own = Variants::of(&drills[0]).draw(&Seed::of_student(&id, &salt));
        let text = format!("# The key-value cache\n\n(a) One sequence: the cache is {}.\n", own.value_of(0));
        fs::write(folder.join(format!("{id}.md")), text).expect("it is writable");
    }
    let verdicts = |out: &Path, salt: Option<Vec<u8>>| -> Vec<String> {
        let class = Class::collect(&folder, &Rules::default()).expect("the class can be collected");
        let stop = AtomicBool::new(false);
        let options = Options { salt, ..options(2) };
        grade(&class, &drills, None, out, &options, &StopAfter(usize::MAX, &stop), &stop).expect("it runs");
        let grades = fs::read_to_string(out.join("grades.jsonl")).expect("it is written");
        let first = |line: &str| {
            let report: serde_json::Value = serde_json::from_str(line).expect("JSON");
            report["quantities"][0]["verdict"].as_str().expect("a verdict").to_owned()
        };
        grades.lines().map(first).collect()
    };
    assert_eq!(verdicts(&out, Some(salt.clone())), vec!["correct"; ANSWERS]);
    let manifest = fs::read_to_string(out.join("run.json")).expect("it is written");
    assert!(manifest.contains(&crate::text::sha256(&salt)) && !manifest.contains("a secret of"), "{manifest}");
    // Without the secret, and with another one, they are other questions; nothing of the last time is taken over.
    assert!(verdicts(&out, None).iter().any(|verdict| verdict != "correct"));
    assert!(verdicts(&out, Some(b"another secret".to_vec())).iter().any(|verdict| verdict != "correct"));
}

#[test]
fn a_class_says_what_its_answers_are_to() {
    let (out, folder) = class("ballot");
    fs::remove_file(folder.join("picture.md")).expect("it is there");
    let library = Library::built_in();
    let drills: Vec<Drill> = ["chinchilla", "communication-budget", "kv-cache"].map(|id| library.load(id).expect("it is whole")).into();
    for at in 0..4 {
        let text = format!(
            "# The communication budget\n\n## (a) Message size\n\nS = 2.6 GB, {at}\n\n## (b) Ring all-reduce time\n\nlatency 1.24 ms\n"
        );
        fs::write(folder.join(format!("t{at}.md")), text).expect("it is writable");
    }
    let another = "# The key-value cache\n\n## (a) Cache per token\n\n## (b) Cache of a sequence\n";
    fs::write(folder.join("another.md"), another).expect("it is writable");
    fs::write(folder.join("vague.md"), "I had no time.").expect("it is writable");
    let go = |folder: &Path, out: &Path| {
        let class = Class::collect(folder, &Rules::default()).expect("the class can be collected");
        let stop = AtomicBool::new(false);
        grade(&class, &drills, None, out, &options(2), &StopAfter(usize::MAX, &stop), &stop).expect("it is graded")
    };
    let summary = go(&folder, &out);
    assert_eq!(summary.usual.as_deref(), Some("communication-budget"), "{:?}", summary.votes);
    let rows: Vec<_> = Run::open(&out).expect("a run").grades().expect("it has rows").map(|row| row.expect("a row")).collect();
    let drill = |id: &str| rows.iter().find(|row| row.submission.id == id).and_then(|row| row.drill.clone()).map(|drill| drill.id);
    assert_eq!(drill("vague").as_deref(), Some("communication-budget"), "what does not say it is to what the others are to");
    assert_eq!(drill("another").as_deref(), Some("kv-cache"), "and what says it is not");
    let book = fs::read_to_string(out.join("gradebook.csv")).expect("it is written");
    let head = book.lines().next().unwrap_or_default();
    assert!(head.contains(",communication-budget: b.latency,") && head.contains(",kv-cache: a.cache"), "{head}");
    assert!(!head.contains("chinchilla"), "a drill that nobody answered has no columns: {head}");
    fs::remove_file(folder.join("another.md")).expect("it is there");
    go(&folder, &out);
    let book = fs::read_to_string(out.join("gradebook.csv")).expect("it is written");
    assert!(book.lines().next().is_some_and(|head| head.contains(",b.latency,") && !head.contains("kv-cache")), "{book}");
    assert!(!out.join("gradebook.wide").exists() && !out.join("gradebook.wide.part").exists());
    // Where nothing tells the drills from each other, nobody reads a list of them.
    for entry in fs::read_dir(&folder).expect("it is there") {
        let path = entry.expect("it is readable").path();
        fs::write(path, "I had no time.").expect("it is writable");
    }
    go(&folder, &out);
    let rows = Run::open(&out).expect("a run").grades().expect("it has rows");
    let errors: Vec<String> = rows.filter_map(|row| row.expect("a row").error).collect();
    assert!(
        errors.len() > 9 && errors.iter().all(|error| error == "which drill it answers is not clear; name it with `--drill`"),
        "{errors:?}"
    );
}
