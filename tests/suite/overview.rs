//! The report on a class, as a process: in every layout, whole and inert, the same every time, and at any size.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pulldown_cmark::{Event, Options, Parser, Tag};
use unicode_width::UnicodeWidthStr;

use crate::pages;

/// Ids and texts that mean something to somebody.
const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"onmouseover=\"alert(1)",
    "=HYPERLINK(\"https://evil.example\")",
    "\u{1b}[2J\u{202e}::error::x",
    "](javascript:alert(1)) | `x` **b**",
    "</style></script><!-- ]]> &amp;",
];

fn room(name: &str) -> PathBuf {
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join("overview").join(name);
    let _ = fs::remove_dir_all(&room);
    fs::create_dir_all(&room).expect("the tests' folder is writable");
    room
}

/// A class in which everything happens: right and wrong, carried, only totals, hostile, nothing at all, not readable.
fn class(room: &Path) -> PathBuf {
    let text = |at: usize| {
        let hostile = HOSTILE[at % HOSTILE.len()];
        match at % 4 {
            0 => format!("(a) S = 2.6 GB = 2479.6 MiB {hostile}\n\n(b) latency 1.24 ms, bandwidth 201.5 ms, total 202.7 ms\n"),
            1 => format!("(a) S = 5.2 GB = 4959 MiB\n\n(b) {hostile} latency 1.24 ms, bandwidth 403 ms, total 404.2 ms\n"),
            2 => format!("(a) S = 5.2 GB {hostile}\n\n(b) T = 202.7 ms\n\n(d) I agree: it hides behind the backward pass.\n"),
            _ => format!("{hostile}\n"),
        }
    };
    let mut lines = String::new();
    for at in 0..24 {
        let id = HOSTILE.get(at).map_or_else(|| format!("s{at:02}"), |&id| id.to_owned());
        lines += &(serde_json::json!({ "id": id, "text": text(at), "kind": "md" }).to_string() + "\n");
    }
    let path = room.join("class.jsonl");
    fs::write(&path, lines + "not JSON\n").expect("the room is writable");
    path
}

fn program(args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_drillmark"));
    program.args(args).env_remove("COLUMNS").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    program.output().expect("the program runs")
}

fn graded(room: &Path, more: &[&str]) -> (PathBuf, String) {
    let (input, out) = (class(room), room.join("run").display().to_string());
    let mut args = vec!["grade", input.to_str().expect("UTF-8"), "--out", &out, "--drill", "communication-budget"];
    args.extend(more);
    let output = program(&args);
    assert_eq!(output.status.code(), Some(2), "one line is no answer: {output:?}");
    (input, out)
}

fn said(output: Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).expect("the program writes UTF-8")
}

/// The page of a run, and what a parser finds in it.
fn page(run: &str, path: &Path, more: &[&str]) -> (String, pages::Page) {
    let mut args = vec!["report", run, "--html", path.to_str().expect("UTF-8")];
    args.extend(more);
    assert_eq!(said(program(&args)), "", "what goes to a file is not said as well");
    let page = fs::read_to_string(path).expect("the page is there");
    let found = pages::read(&page).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (page, found)
}

#[test]
fn a_hostile_class_is_shown_and_obeyed_nowhere() {
    let room = room("hostile");
    let (_, run) = graded(&room, &["--feedback", "html"]);
    let (text, found) = page(&run, &room.join("report.html"), &[]);
    for wanted in ["Could not be graded", "Nothing that is asked was found", "Only the total", "<script>alert(1)</script>"] {
        assert!(found.text.contains(wanted), "{wanted}");
    }
    assert!(text.contains("script-src 'sha256-") && text.contains("default-src 'none'"));
    assert!(text.chars().all(|c| c == '\n' || !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}')));
    for entry in fs::read_dir(Path::new(&run).join("feedback")).expect("there is feedback") {
        let path = entry.expect("it is readable").path();
        let page = fs::read_to_string(&path).expect("it is readable");
        pages::read(&page).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(page.contains("script-src 'none'"));
    }
    let terminal = said(program(&["report", &run]));
    assert!(terminal.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'), "no color where there is no terminal");
    let markdown = said(program(&["report", &run, "--md", "-"]));
    for event in Parser::new_ext(&markdown, Options::all()) {
        let is_ours = !matches!(
            event,
            Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_))
        );
        assert!(is_ours, "{event:?} in\n{markdown}");
    }
}

#[test]
fn the_page_is_the_same_every_time_and_leads_to_feedback_beside_it() {
    let room = room("same");
    let (_, run) = graded(&room, &["--feedback", "html", "--threads", "1"]);
    let (one, _) = page(&run, &room.join("one.html"), &[]);
    let (other, _) = page(&run, &room.join("other.html"), &[]);
    assert_eq!(one, other);
    assert!(!one.contains("feedback/s10.html"), "from elsewhere the files cannot be found");
    let (inside, _) = page(&run, &Path::new(&run).join("report.html"), &[]);
    assert!(inside.contains("href=\"feedback/s10.html\""));
}

#[test]
fn texts_that_are_gone_or_changed_are_told_and_not_shown() {
    let room = room("gone");
    let (input, run) = graded(&room, &[]);
    let text = fs::read_to_string(&input).expect("it is readable");
    fs::write(&input, text.replacen("S = 2.6 GB = 2479.6 MiB", "S = 2.6 GB = 2479.7 MiB", 3)).expect("it is writable");
    let (_, found) = page(&run, &room.join("changed.html"), &[]);
    assert!(found.text.contains("has changed since it was graded"), "{}", found.text);
    let moved = room.join("moved.jsonl");
    fs::write(&moved, text).expect("the room is writable");
    fs::remove_file(&input).expect("it was there");
    let (_, found) = page(&run, &room.join("gone.html"), &[]);
    assert!(found.text.contains("The answers themselves cannot be shown") && !found.elements.contains(&"pre".to_owned()));
    let (_, found) = page(&run, &room.join("moved.html"), &["--class", moved.to_str().expect("UTF-8")]);
    assert!(found.elements.iter().filter(|name| *name == "pre").count() > 15 && !found.text.contains("cannot be shown"));
}

#[test]
fn a_large_class_is_a_table_without_answers() {
    let room = room("large");
    let (_, run) = graded(&room, &[]);
    let grades = Path::new(&run).join("grades.jsonl");
    let rows = fs::read_to_string(&grades).expect("it is readable");
    let row = rows.lines().find(|row| row.contains("\"id\":\"s12\"")).expect("it is there");
    let rows: String = (0..1600).map(|at| row.replacen("\"id\":\"s12\"", &format!("\"id\":\"t{at:04}\""), 1) + "\n").collect();
    fs::write(&grades, rows).expect("it is writable");
    let (text, found) = page(&run, &room.join("large.html"), &[]);
    assert!(found.text.contains("With more than 1500 students the answers are not in this page"));
    assert!(found.text.contains("t1599") && !found.elements.contains(&"article".to_owned()));
    assert!(text.len() < 1_000_000, "{} bytes", text.len());
}

#[test]
fn the_summary_fits_the_terminal() {
    let room = room("narrow");
    let (_, run) = graded(&room, &[]);
    for columns in [40, 60, 100] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_drillmark"));
        let text = said(program.args(["report", &run]).env("COLUMNS", columns.to_string()).output().expect("the program runs"));
        assert!(text.contains("Most common mistakes") && text.contains("Waiting for a person"));
        for line in text.lines().filter(|line| !line.contains('│')) {
            assert!(line.width() <= columns || !line.trim().contains(' '), "{columns}: {line}");
        }
    }
}

#[test]
fn a_page_is_about_one_answer() {
    let answers = ["fixtures/communication-budget/perfect.md", "fixtures/communication-budget/fp32-carried.md"];
    for command in ["grade", "check"] {
        let output = program(&[command, answers[0], answers[1], "--format", "html"]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        for format in ["html", "print"] {
            let page = said(program(&[command, answers[1], "--format", format]));
            let found = pages::read(&page).unwrap_or_else(|error| panic!("{command} --format {format}: {error}"));
            assert_eq!(found.text.contains("The reference is"), command == "grade");
        }
    }
}
