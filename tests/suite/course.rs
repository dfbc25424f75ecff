//! `drillmark test`, and the course repository that is shipped as an example.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use drillmark::cohort::Run;
use drillmark::cohort::review::{Act, Decision, Kind, Log, Marking};

const COURSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/course");

fn drillmark(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_drillmark")).args(args).output().expect("the program starts")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A copy of the example course, to break something in.
fn copy(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    let from = Path::new(COURSE);
    for part in ["drills", "rubrics", "fixtures/stopping-distance"] {
        fs::create_dir_all(folder.join(part)).expect("a folder for the test");
        for entry in fs::read_dir(from.join(part)).expect("the example is there") {
            let path = entry.expect("a readable entry").path();
            if path.is_file() {
                fs::copy(&path, folder.join(part).join(path.file_name().expect("a listed file"))).expect("a copy");
            }
        }
    }
    folder
}

/// Replaces words in a file of a course.
fn edit(course: &Path, file: &str, from: &str, to: &str) {
    let path = course.join(file);
    let text = fs::read_to_string(&path).expect("a file of the course");
    assert!(text.contains(from), "{from} stands in {file}");
    fs::write(path, text.replacen(from, to, 1)).expect("a file of the course");
}

const FIXTURES: &str = "fixtures/stopping-distance";

#[test]
fn the_example_course_is_as_declared_and_accepted() {
    let output = drillmark(&["test", COURSE]);
    assert_eq!((output.status.code(), out(&output).as_str()), (Some(0), "✓ 6 fixtures of 1 drill: all as declared and accepted\n"));
}

/// The snapshots that the tests of this project write and those that `drillmark test` reads are the same files.
#[test]
fn our_own_fixtures_are_a_course_too() {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/zero-memory");
    let output = drillmark(&["test", fixtures]);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
}

#[test]
fn a_file_of_a_case_means_that_case() {
    for file in ["right.md", "right.expect.toml", "right.snap"] {
        let output = drillmark(&["test", &format!("{COURSE}/{FIXTURES}/{file}")]);
        assert_eq!(out(&output), "✓ 1 fixture of 1 drill: all as declared and accepted\n");
    }
}

#[test]
fn another_verdict_fails_even_when_all_feedback_is_accepted() {
    let course = copy("another-verdict");
    edit(&course, &format!("{FIXTURES}/slips.expect.toml"), "mistake = \"b_no_two\"", "mistake = \"b_no_friction\"");
    edit(&course, &format!("{FIXTURES}/right.expect.toml"), "\"c.half\" = \"correct\"", "\"c.half\" = \"form\"");
    let output = drillmark(&["test", course.to_str().expect("UTF-8"), "--accept", "all"]);
    assert_eq!(output.status.code(), Some(1));
    let text = out(&output);
    for told in [
        "slips.expect.toml:9: b.braking mistake: declared b_no_friction, got b_no_two",
        "right.expect.toml:11: c.half: declared form, got correct, reading \"16.4 m\"",
        "2 with other verdicts than declared",
    ] {
        assert!(text.contains(told), "`{told}` is not in\n{text}");
    }
}

#[test]
fn changed_feedback_is_shown_and_accepted_by_name() {
    let course = copy("changed-feedback");
    let at = course.to_str().expect("UTF-8");
    edit(&course, "rubrics/stopping-distance.toml", "Says that the braking distance stays the same", "Says that nothing changes");
    let output = drillmark(&["test", at]);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for told in ["2 with other feedback than accepted", "\n    - - `✗` `d.reason`", "\n    + - `✗` `d.reason`"] {
        assert!(text.contains(told), "`{told}` is not in\n{text}");
    }
    let output = drillmark(&["test", at, "--accept", "right"]);
    assert_eq!(output.status.code(), Some(1), "only the named one is accepted, and it has not changed");
    let output = drillmark(&["test", at, "--accept", "stopping-distance/slips", "table"]);
    assert_eq!(output.status.code(), Some(0), "{}", out(&output));
    assert!(out(&output).contains("feedback of 2 accepted"), "{}", out(&output));
    assert_eq!(drillmark(&["test", at]).status.code(), Some(0));
    let accepted = fs::read_to_string(course.join(FIXTURES).join("slips.snap")).expect("the snapshot");
    assert!(accepted.starts_with("---\nsource: slips.md\n---\n# `slips.md`"), "{accepted}");
}

#[test]
fn without_a_terminal_nobody_is_asked() {
    let course = copy("nobody-asked");
    let output = drillmark(&["test", course.to_str().expect("UTF-8"), "--accept"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("say `--accept all`"), "{told}");
    let output = drillmark(&["test", course.to_str().expect("UTF-8"), "--accept", "wrong"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no fixture of this name"));
}

#[test]
fn what_lies_about_alone_is_told() {
    let course = copy("orphans");
    fs::remove_file(course.join(FIXTURES).join("right.md")).expect("a fixture");
    fs::write(course.join(FIXTURES).join("new.md"), "(a) 540 kJ").expect("an answer");
    let output = drillmark(&["test", course.to_str().expect("UTF-8")]);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(1));
    for told in [
        "new.md is an answer without declared verdicts: its `.expect.toml` is missing",
        "right.expect.toml declares the verdicts of an answer that is not there",
        "right.snap is the feedback for an answer that is not there",
        "3 files without their other half",
    ] {
        assert!(text.contains(told), "`{told}` is not in\n{text}");
    }
}

#[test]
fn programs_get_junit_and_annotations() {
    let course = copy("formats");
    let at = course.to_str().expect("UTF-8");
    edit(&course, &format!("{FIXTURES}/right.expect.toml"), "\"a.energy\" = \"correct\"", "\"a.energy\" = \"wrong\"");
    let junit = course.join("junit.xml");
    let output = drillmark(&["test", at, "--format", "github", "--junit", junit.to_str().expect("UTF-8")]);
    let text = out(&output);
    assert!(text.starts_with("::error file="), "{text}");
    assert!(
        text.contains("right.expect.toml,line=7,title=stopping-distance/right verdicts::a.energy: declared wrong, got correct"),
        "{text}"
    );
    let junit = fs::read_to_string(junit).expect("the file is written");
    assert!(junit.contains("<testsuites name=\"drillmark\" tests=\"12\" failures=\"1\" errors=\"0\" skipped=\"0\">"), "{junit}");
    assert!(junit.contains("<failure message=\"a.energy: declared wrong, got correct"), "{junit}");
    assert_eq!(out(&drillmark(&["test", at, "--format", "junit"])), junit);
}

#[test]
fn what_cannot_be_tested_is_told() {
    let course = copy("unfit");
    edit(&course, &format!("{FIXTURES}/right.expect.toml"), "drill = \"stopping-distance\"", "drill = \"stopping\"");
    edit(&course, &format!("{FIXTURES}/slips.expect.toml"), "[separate]", "[separated]");
    let output = drillmark(&["test", course.to_str().expect("UTF-8")]);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(1));
    for told in ["right.expect.toml: speaks of the drill `stopping`", "slips.expect.toml:13: unknown field `separated`"] {
        assert!(text.contains(told), "`{told}` is not in\n{text}");
    }
    for (path, told) in [("/nowhere", "no such file or folder"), (concat!(env!("CARGO_MANIFEST_DIR"), "/src"), "holds no fixtures")] {
        let output = drillmark(&["test", path]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(told));
    }
}

#[test]
fn a_new_drill_is_sound_and_tested() {
    let course = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("new-drill");
    let _ = fs::remove_dir_all(&course);
    let at = course.to_str().expect("UTF-8");
    let output = drillmark(&["new", "drill", "my-first-drill", "--dir", at]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for file in ["drills/my-first-drill.toml", "rubrics/my-first-drill.toml", "drills/my-first-drill.answer.md"] {
        let text = fs::read_to_string(course.join(file)).expect("the file is written");
        assert!(!text.contains("TITLE") && !text.contains("ID"), "{text}");
    }
    let output = drillmark(&["test", at]);
    assert_eq!(out(&output), "✓ 1 fixture of 1 drill: all as declared and accepted\n");
    // Whoever hands in the model answer has the values right; whether the argument is his own is for a person.
    let graded = drillmark(&["grade", &format!("{at}/fixtures/my-first-drill/model.md"), "--library", at]);
    assert!(out(&graded).contains("2 are right") && out(&graded).contains("b.reason: it is copied"), "{}", out(&graded));
    for args in [["new", "drill", "my-first-drill", "--dir", at], ["new", "drill", "My Drill", "--dir", at]] {
        let output = drillmark(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
    let text = fs::read_to_string(course.join("drills/my-first-drill.toml")).expect("it is still there");
    assert!(text.contains("My first drill"), "{text}");
}

#[test]
fn a_flat_course_stays_flat() {
    let course = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("new-flat");
    let _ = fs::remove_dir_all(&course);
    fs::create_dir_all(&course).expect("a folder");
    fs::write(course.join("old.rubric.toml"), "").expect("a file");
    let output = drillmark(&["new", "drill", "fall", "--dir", course.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(0));
    assert!(course.join("fall.toml").is_file() && course.join("fall.rubric.toml").is_file() && course.join("fall.answer.md").is_file());
}

#[test]
fn answer_templates_come_in_every_format_and_overwrite_nothing() {
    for (format, part) in [
        ("md", "## (b) Until it stands\n\n- the distance during the reaction time:\n"),
        ("tex", "\\section*{(b) Until it stands}\n\\begin{itemize}\n  \\item the distance during the reaction time:\n"),
        ("typ", "== (b) Until it stands\n\n- the distance during the reaction time:\n"),
        ("ipynb", "\"nbformat\": 4"),
        ("toml", "\"the distance during the reaction time\" = \"\"\n"),
    ] {
        let output = drillmark(&["new", "answer", "stopping-distance", "--library", COURSE, "--format", format]);
        assert_eq!(output.status.code(), Some(0));
        assert!(out(&output).contains(part), "{}", out(&output));
    }
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("template.md");
    let _ = fs::remove_file(&file);
    let args = ["new", "answer", "kv-cache", "--out", file.to_str().expect("UTF-8")];
    assert_eq!(drillmark(&args).status.code(), Some(0));
    let text = fs::read_to_string(&file).expect("it is written");
    assert!(text.starts_with("# The key-value cache\n"), "{text}");
    let again = drillmark(&args);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("is there already, and nothing is overwritten"));
}

/// The example's rubric with other points for showing both terms.
fn stricter(course: &Path) -> PathBuf {
    let path = course.join("stricter.toml");
    let rubric = fs::read_to_string(course.join("rubrics/stopping-distance.toml")).expect("the rubric");
    let rubric = rubric.replace("points = 1\nkind = \"separate\"", "points = 2\nkind = \"separate\"").replace("total = 10", "total = 11");
    fs::write(&path, rubric).expect("a file");
    path
}

#[test]
fn regrading_says_who_changes_and_through_what() {
    let course = copy("regrade");
    let (old, new) = (course.join("rubrics/stopping-distance.toml"), stricter(&course));
    let answers = format!("{COURSE}/submissions");
    let args = ["regrade", old.to_str().expect("UTF-8"), new.to_str().expect("UTF-8"), "--answers", &answers];
    let before = fs::read_dir(&course).expect("readable").count();
    let text = out(&drillmark(&args));
    assert!(text.starts_with("3 submissions: 3 would change\n"), "{text}");
    assert!(text.contains("through the criterion b.separate: 2 submissions, 2 gained"), "{text}");
    assert!(text.contains("b.separate: met, 1 → met, 2 (+1)"), "{text}");
    assert!(text.contains("    - ") && text.contains("    + "), "the feedback is shown as a difference:\n{text}");
    let json = drillmark(&[args.as_slice(), &["--format", "json"]].concat());
    let book: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(book["changed"][0]["id"], "anna");
    assert_eq!(book["changed"][0]["items"][0]["by"], 1.0);
    let csv = out(&drillmark(&[args.as_slice(), &["--format", "csv"]].concat()));
    assert!(csv.contains("anna,,criterion,b.separate,met,met,1,2,1\n"), "{csv}");
    assert_eq!(fs::read_dir(&course).expect("readable").count(), before, "nothing is written");
    let same = ["regrade", args[1], args[1], "--answers", &answers];
    assert_eq!(out(&drillmark(&same)), "3 submissions: 0 would change\n");
}

#[test]
fn two_drills_and_two_runs_are_compared_too() {
    let course = copy("regrade-runs");
    let at = course.to_str().expect("UTF-8");
    let answers = format!("{COURSE}/submissions");
    let run = |library: &str, out: &str| {
        let out = course.join(out);
        let _ = fs::remove_dir_all(&out);
        let path = out.to_str().expect("UTF-8").to_owned();
        let output = drillmark(&["grade", &answers, "--library", library, "--out", &path, "--feedback", "md", "--feedback-view", "staff"]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        path
    };
    let old_run = run(at, "old-run");
    // Whoever squares the speed in the wrong unit has now seen it explained another way.
    let other = copy("regrade-other");
    edit(&other, "drills/stopping-distance.toml", "value = \"s_b/4\"", "value = \"s_b/2\"");
    edit(&other, "drills/stopping-distance.toml", "{ id = \"c_linear\", value = \"s_b/2\"", "{ id = \"c_linear\", value = \"s_b/4\"");
    let new_run = run(other.to_str().expect("UTF-8"), "new-run");
    let runs = out(&drillmark(&["regrade", &old_run, &new_run]));
    let drills = ["drills/stopping-distance.toml"; 2];
    let (old, new) = (course.join(drills[0]), other.join(drills[1]));
    let args = ["regrade", old.to_str().expect("UTF-8"), new.to_str().expect("UTF-8"), "--answers", &answers];
    let by_drills = out(&drillmark(&args));
    for text in [&runs, &by_drills] {
        assert!(text.contains("c.half: correct, 1 → slip (c_linear), 0 (−1)"), "{text}");
        assert!(text.contains("c.half: slip (c_linear), 0 → correct, 1 (+1)"), "{text}");
    }
    let written = course.join("written");
    let _ = fs::remove_dir_all(&written);
    let output = drillmark(&[args.as_slice(), &["--write", written.to_str().expect("UTF-8")]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(written.join("grades.jsonl").is_file());
    for (args, told) in [
        (vec!["regrade", &old_run, args[1]], "a run can be compared with a run only"),
        (vec!["regrade", args[1], args[2]], "say whose answers to grade by both: `--answers CLASS`"),
        (vec!["regrade", args[1], "/nowhere.toml"], "no such file or folder"),
    ] {
        let output = drillmark(&args);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(told), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// What a person decided stays decided, unless it is another question now.
#[test]
fn regrading_keeps_what_people_decided() {
    let course = copy("regrade-decided");
    let (at, answers) = (course.to_str().expect("UTF-8"), format!("{COURSE}/submissions"));
    let folder = course.join("run");
    let _ = fs::remove_dir_all(&folder);
    let out_folder = folder.to_str().expect("UTF-8");
    assert_eq!(drillmark(&["grade", &answers, "--library", at, "--out", out_folder]).status.code(), Some(0));

    let run = Run::open(&folder).expect("a run");
    let row = run.grades().expect("readable").map(|row| row.expect("a row")).find(|row| row.submission.id == "ben").expect("Ben");
    let sheet = Marking::open(&folder).expect("what the desk needs");
    let sheet = sheet.drill("stopping-distance").and_then(|drill| drill.criterion("d.reason")).expect("the criterion");
    let decision = Decision {
        drill: "stopping-distance".to_owned(),
        kind: Kind::Criterion,
        id: "d.reason".to_owned(),
        submission: "ben".to_owned(),
        answer: row.submission.sha256.clone().expect("it was read"),
        passage: row.passages["d"].clone(),
        criterion: sheet.sha256.clone(),
        outcome: "met".to_owned(),
        share: None,
        candidate: None,
        comment: None,
        rule: None,
        second: false,
        settles: false,
        seconds: None,
    };
    let mut log = Log::open(&folder, "ada").expect("nobody else has it");
    log.append("2026-09-02T23:59:00Z".to_owned(), "ada", Act::Decide(decision)).expect("writable");
    drop(log);

    let (old, new) = (course.join("rubrics/stopping-distance.toml"), stricter(&course));
    let regrade = |new: &Path| {
        let (old, new) = (old.to_str().expect("UTF-8"), new.to_str().expect("UTF-8"));
        out(&drillmark(&["regrade", old, new, "--answers", &answers, "--decisions", out_folder]))
    };
    let kept = regrade(&new);
    assert!(kept.contains("ben  8 of 10 → 9 of 11 (+1)"), "{kept}");
    let other = course.join("other.toml");
    let text = fs::read_to_string(&old).expect("the rubric").replace("says = \"Says that the braking", "says = \"Argues that the braking");
    fs::write(
        &other,
        text.replace("points = 3\nkind = \"argument\"", "points = 2\nkind = \"argument\"").replace("total = 10", "total = 9"),
    )
    .expect("a file");
    let again = regrade(&other);
    assert!(again.contains("to be decided again: d.reason of ben"), "{again}");
    assert!(again.contains("ada had said met, it is review now"), "{again}");
}

#[test]
fn the_example_course_and_a_new_drill_have_nothing_to_report() {
    let course = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("new-lint");
    let _ = fs::remove_dir_all(&course);
    let new = course.to_str().expect("UTF-8");
    assert_eq!(drillmark(&["new", "drill", "fall", "--dir", new]).status.code(), Some(0));
    for course in [COURSE, new] {
        let output = drillmark(&["lint", course, "--deny", "warnings"]);
        assert_eq!((output.status.code(), out(&output).as_str()), (Some(0), "1 drill: nothing to report\n"), "{course}");
    }
}
