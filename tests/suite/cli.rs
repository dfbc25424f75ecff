//! The program as a process: standard output, standard error, exit code.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run left behind.
#[derive(Debug, PartialEq, Eq)]
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

/// Runs the program in the repository's root.
fn run(args: &[&str]) -> Ran {
    run_on(args, "")
}

/// Runs the program with this on standard input.
fn run_on(args: &[&str], input: &str) -> Ran {
    let mut child =
        program().args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // A program that does not read its input closes the pipe: not our business.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_drillmark"));
    program.current_dir(env!("CARGO_MANIFEST_DIR"));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
        program.env_remove(name);
    }
    program
}

/// A file of these bytes in a folder of the tests' own.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("the tests' folder is writable");
    path
}

const ANSWER: &str = "fixtures/communication-budget/perfect.md";

#[test]
fn lint_tells_authors_in_every_format_and_by_its_exit_code() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lint-course");
    for kind in ["drills", "rubrics"] {
        fs::create_dir_all(folder.join(kind)).expect("the tests' folder is writable");
    }
    let copy = |kind: &str, from: &str, to: &str| {
        let path = format!("{kind}/two-billion.toml");
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path)).expect("a shipped file");
        assert!(text.contains(from), "{from} stands in {path}");
        fs::write(folder.join(&path), text.replacen(from, to, 1)).expect("the tests' folder is writable");
    };
    let path = folder.to_string_lossy().into_owned();
    let at = format!("{path}/drills/two-billion.toml");
    copy("rubrics", "id = ", "id = ");
    copy("drills", "id = ", "id = ");
    assert_eq!(
        run(&["lint", &path, "--deny", "warnings"]),
        Ran { code: Some(0), out: "1 drill: nothing to report\n".into(), err: String::new() }
    );
    // A warning counts only where it is denied.
    copy("drills", ", because = { unused-name = \"students restate it; no formula needs it\" }", "");
    let ran = run(&["lint", &at]);
    assert_eq!((ran.code, ran.out.contains("warning[unused-name]"), ran.out.contains("^^^^^")), (Some(0), true, true), "{ran:?}");
    assert_eq!(run(&["lint", &path, "--deny", "warnings"]).code, Some(1));
    let line = run(&["lint", &path, "--format", "github"]).out;
    assert!(
        line.starts_with(&format!("::warning file={at},line=23,endLine=23,col=1,endColumn=6,title=unused-name::`nodes` is given")),
        "{line}"
    );
    // A file that cannot be read at all is told by the same means.
    copy("drills", "value = \"2*N*b\"", "value = \"2*N*bb\"");
    let ran = run(&["lint", &path, "--format", "json"]);
    let list: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, &list[0]["code"], &list[0]["text"]), (Some(1), &"unknown-name".into(), &"bb".into()), "{ran:?}");
    let log: serde_json::Value = serde_json::from_str(&run(&["lint", &path, "--format", "sarif"]).out).expect("JSON");
    let result = &log["runs"][0]["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"unknown-name".into(), &"error".into()));
    // What is not there is the operator's trouble.
    for nothing in ["no-such-folder", "docs", "README.md"] {
        let ran = run(&["lint", nothing]);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    }
}

#[test]
fn a_variant_is_solved_checked_and_graded_by_the_same_flags() {
    let salt = file("salt.txt", b"a secret of the course\n");
    let salt = salt.to_string_lossy().into_owned();
    let flags = ["--student", "s017", "--salt-file", &salt];
    let solved: serde_json::Value =
        serde_json::from_str(&run(&[&["solve", "kv-cache", "--format", "json"], &flags[..]].concat()).out).expect("JSON");
    let bytes = solved["asks"][0]["value"].as_f64().expect("the cache of one sequence");
    let answer = file("variant.md", format!("# The key-value cache\n\n(a) One sequence: the cache is {} GB.\n", bytes / 1e9).as_bytes());
    let answer = answer.to_string_lossy().into_owned();
    let verdict = |more: &[&str]| {
        let ran = run(&[&["grade", &answer, "--drill", "kv-cache", "--format", "json"], more].concat());
        let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
        report["quantities"][0]["verdict"].as_str().map(str::to_owned)
    };
    assert_eq!(verdict(&flags).as_deref(), Some("correct"));
    assert_ne!(verdict(&[]).as_deref(), Some("correct"), "the variant of this student differs from the drill's own values");
    let checked = run(&[&["check", &answer, "--drill", "kv-cache"], &flags[..]].concat());
    assert!(checked.out.contains("✓ the cache of one sequence"), "{checked:?}");
    // A drill without variants has none to give.
    let ran = run(&["solve", "roofline", "--variant", "7"]);
    assert_eq!((ran.code, ran.err.contains("has no variants")), (Some(2), true), "{ran:?}");
}

#[test]
fn what_cannot_be_graded_is_told_in_a_line_each() {
    let large = file("large.md", b"");
    fs::File::options().write(true).open(&large).and_then(|file| file.set_len(1 << 30)).expect("a sparse file takes no room");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("folder.md");
    fs::create_dir_all(&folder).expect("the tests' folder is writable");
    for (path, told) in [
        (PathBuf::from("no-such-file.md"), "no such file or folder"),
        (folder, "is a folder, not a file"),
        (file("empty.md", b""), "the file is empty"),
        (file("blank.md", b"\xef\xbb\xbf \r\n\t\n"), "the file is empty"),
        (file("picture.md", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "not text"),
        (large, "is larger than 10 MB"),
    ] {
        for command in ["grade", "check"] {
            let ran = run(&[command, path.to_str().expect("UTF-8"), "--drill", "communication-budget"]);
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
            assert!(ran.err.starts_with("drillmark: ") && ran.err.contains(told) && ran.err.lines().count() == 1, "{ran:?}");
        }
    }
}

#[test]
fn a_file_that_cannot_be_graded_does_not_stop_the_others() {
    let ran = run(&["grade", "no-such-file.md", ANSWER, "--format", "jsonl"]);
    assert_eq!(ran.code, Some(2));
    let rows: Vec<serde_json::Value> = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows[0], serde_json::json!({ "id": "no-such-file", "error": "no-such-file.md: no such file or folder" }));
    assert_eq!(rows[1]["submission"]["file"], ANSWER);
    assert_eq!(ran.err, "drillmark: no-such-file.md: no such file or folder\n");
}

#[test]
fn an_answer_to_something_else_is_never_a_silent_zero() {
    let path = file("letter.md", b"Dear course staff,\n\nmy dog ate it.\n");
    let ran = run(&["grade", path.to_str().expect("UTF-8"), "--drill", "communication-budget"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains("is it the right file?") && ran.out.contains("right file?"), "{ran:?}");
}

#[test]
fn one_report_is_an_object_and_several_are_an_array() {
    let one: serde_json::Value = serde_json::from_str(&run(&["grade", ANSWER, "--format", "json"]).out).expect("JSON");
    let two: serde_json::Value = serde_json::from_str(&run(&["grade", ANSWER, ANSWER, "--format", "json"]).out).expect("JSON");
    assert_eq!(two, serde_json::json!([one, one]));
    for key in ["format", "tool", "drill", "rubric", "submission", "score", "quantities", "separate_terms", "criteria", "review"] {
        assert!(!one[key].is_null(), "{key} is in the contract");
    }
    assert_eq!(one["submission"]["id"], "perfect");
    assert_eq!(one["submission"]["sha256"].as_str().map(str::len), Some(64));
}

#[test]
fn a_stream_answers_line_by_line() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(ANSWER)).expect("the fixture is readable");
    let lines = [
        serde_json::json!({ "id": "s1", "text": text, "kind": "md" }).to_string(),
        "not JSON".to_owned(),
        serde_json::json!({ "id": "s3", "text": "", "kind": "md" }).to_string(),
        serde_json::json!({ "id": 4, "text": text, "kind": "docx" }).to_string(),
    ];
    let ran = run_on(&["grade", "--input", "jsonl", "--format", "jsonl", "--drill", "communication-budget"], &lines.join("\n"));
    let rows: Vec<serde_json::Value> = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[0]["submission"]["id"], "s1");
    for (row, id, told) in [(1, "line 2", "not an answer"), (2, "s3", "empty"), (3, "4", "unknown kind `docx`")] {
        assert_eq!(rows[row]["id"], id);
        assert!(rows[row]["error"].as_str().is_some_and(|error| error.contains(told)), "{}", rows[row]);
    }
}

#[test]
fn whoever_sends_one_line_gets_its_answer_before_the_next() {
    for threads in [1, 3] {
        let mut child = program()
            .args(["grade", "--input", "jsonl", "--format", "jsonl", "--drill", "communication-budget", "--threads", &threads.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut input = child.stdin.take().expect("it is piped");
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        for id in ["s1", "s2", "s3"] {
            writeln!(input, "{}", serde_json::json!({ "id": id, "text": "(a) 2.6 GB" })).expect("it reads");
            let mut line = String::new();
            output.read_line(&mut line).expect("it writes");
            let row: serde_json::Value = serde_json::from_str(&line).expect("JSON");
            assert_eq!(row["submission"]["id"], id);
        }
        if cfg!(target_os = "linux") {
            let tasks = fs::read_dir(format!("/proc/{}/task", child.id())).expect("it still runs");
            assert_eq!(tasks.count(), 1 + threads, "one that writes and those that grade");
        }
        drop(input);
        assert!(child.wait().expect("it ends").success());
    }
}

#[test]
fn a_file_of_lines_is_a_stream_by_its_name() {
    let folder = std::env::temp_dir().join(format!("drillmark-stream-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("class.jsonl");
    fs::write(&file, "{\"id\": \"s1\", \"text\": \"(a) 2.6 GB\"}\n{\"id\": \"s2\", \"text\": \"(a) 2.5 GB\"}\n").expect("it is written");
    let named = file.display().to_string();
    let graded = |arguments: &[&str]| {
        let ran = run(&[&["grade", named.as_str(), "--format", "jsonl", "--drill", "communication-budget"], arguments].concat());
        let rows = ran.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        rows.map(|row| row["submission"]["id"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(graded(&[]), ["s1", "s2"]);
    assert_eq!(graded(&["--input", "jsonl"]), ["s1", "s2"]);
    assert_eq!(graded(&["--input", "files"]), ["class"]);
    fs::remove_dir_all(folder).expect("it is removed");
}

#[test]
fn standard_input_is_a_file_like_any_other() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(ANSWER)).expect("the fixture is readable");
    let ran = run_on(&["check", "-"], &text);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.contains("quantities are asked for"), "{}", ran.out);
}

#[test]
fn a_mark_below_what_was_asked_for_is_exit_code_1() {
    for (least, code) in [("0", 0), ("50%", 0), ("1e6", 1)] {
        let ran = run(&["grade", ANSWER, "--format", "jsonl", "--fail-under", least]);
        assert_eq!(ran.code, Some(code), "--fail-under {least}");
    }
    let ran = run(&["grade", ANSWER, "--fail-under", "most"]);
    assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
}

#[test]
fn color_is_for_terminals_or_on_demand() {
    assert!(!run(&["check", ANSWER]).out.contains('\u{1b}'));
    assert!(run(&["check", ANSWER, "--color", "always"]).out.contains("\u{1b}["));
    let output = program().args(["check", ANSWER, "--color", "never"]).env("CLICOLOR_FORCE", "1").output().expect("the program runs");
    assert!(!output.stdout.contains(&0x1b));
}

#[test]
fn the_same_answer_gives_the_same_bytes() {
    for format in ["terminal", "markdown", "json", "jsonl"] {
        let args = ["grade", ANSWER, "--explain", "--format", format];
        assert_eq!(run(&args), run(&args));
    }
}

#[test]
fn file_names_are_inert_too() {
    let path = file("a\u{1b}[31m\u{202e}b.md", b"");
    let ran = run(&["grade", path.to_str().expect("UTF-8"), "--drill", "communication-budget"]);
    assert!(!ran.err.contains(['\u{1b}', '\u{202e}']), "{ran:?}");
}

#[test]
fn the_sessions_of_the_readme_are_true() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("there is a README");
    let mut sessions = 0;
    for block in readme.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()) {
        let mut lines = block.lines().peekable();
        while let Some(command) = lines.next() {
            let command = command.strip_prefix("$ drillmark ").expect("a block starts with a command, and each is ours");
            let mut said = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                said.push(line);
            }
            let ran = run(&command.split_whitespace().collect::<Vec<_>>());
            assert!(
                matches(&said, &ran.out.lines().collect::<Vec<_>>()),
                "`drillmark {command}` prints\n{}\nnot\n{}",
                ran.out,
                said.join("\n")
            );
            sessions += 1;
        }
    }
    assert!(sessions > 0, "the README shows the program at work");
}

/// Whether the lines are these, where a line `…` stands for any number of them.
fn matches(said: &[&str], lines: &[&str]) -> bool {
    match said {
        [] => lines.is_empty(),
        ["…", rest @ ..] => (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..])),
        [line, rest @ ..] => lines.first() == Some(line) && matches(rest, &lines[1..]),
    }
}
