//! Every platform's file, read back by a program that is not ours; and whatever a student may be called or may have
//! written, obeyed by none of them.

mod autograders;
mod canvas;
mod ci;
mod hostile;
mod moodle;
mod tables;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use lazycsv::{Csv, CsvIterItem};
use serde_json::{Value, json};

use super::*;

/// Keeps what is written.
#[derive(Default)]
struct Kept {
    document: Option<String>,
    files: Vec<(String, String)>,
    summary: String,
}

impl Sink for Kept {
    fn document(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        self.document = Some(String::from_utf8(bytes.to_owned()).expect("UTF-8"));
        Ok(())
    }

    fn file_of(&mut self, folder: &str, _file: &str, bytes: &[u8]) -> Result<(), Trouble> {
        self.files.push((folder.to_owned(), String::from_utf8(bytes.to_owned()).expect("UTF-8")));
        Ok(())
    }

    fn summary(&mut self, text: &str) -> Result<(), Trouble> {
        self.summary.push_str(text);
        Ok(())
    }
}

/// A run of these rows, as `grade` would have left it.
fn run(layout: &str, rows: &[Value]) -> Run {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let folder: PathBuf =
        std::env::temp_dir().join(format!("drillmark-gradebook-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    fs::create_dir_all(&folder).expect("the system has a folder for such files");
    let manifest = json!({
        "format": 1, "tool": {"name": "drillmark", "version": "0"}, "drill": null, "rubric": null, "drills": [], "options": {},
        "input": "class", "layout": layout, "submissions": rows.len(), "unreadable": 0, "summary": {},
    });
    fs::write(folder.join("run.json"), manifest.to_string()).expect("it is writable");
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    fs::write(folder.join("grades.jsonl"), lines).expect("it is writable");
    Run::open(&folder).expect("it is a run")
}

/// A graded row: `b.total` is worth 2, `c.why` 4 points.
fn row(id: &str, arrival: Value, total: f64, why: Option<f64>) -> Value {
    let mut submission =
        json!({"id": id, "file": format!("{id}.md"), "sha256": "00", "source": {"path": format!("class/{id}.md"), "entry": null}});
    submission.as_object_mut().expect("an object").extend(arrival.as_object().expect("an object").clone());
    json!({
        "format": 1,
        "drill": {"id": "budget", "sha256": "d"},
        "rubric": {"id": "budget", "sha256": "r"},
        "submission": submission,
        "score": {"awarded": total + why.unwrap_or(0.0), "possible": 6.0, "pending": if why.is_none() { 4.0 } else { 0.0 }},
        "quantities": [
            {"id": "b.total", "part": "b", "required": true, "verdict": if total == 2.0 { "correct" } else { "form" }, "points": total, "possible": 2.0,
             "read": {"text": "202.7 ms", "value": 0.2027, "unit": "ms", "start": 0, "end": 8, "line": 3, "column": 5}},
            {"id": "b.aside", "part": "b", "required": false, "verdict": "missing", "points": 0.0, "possible": 0.0},
        ],
        "criteria": [{"id": "c.why", "part": "c", "outcome": if why.is_none() { "review" } else { "partly" }, "points": why.unwrap_or(0.0),
                      "possible": 4.0, "decided_by": "person", "evidence": []}],
        "review": if why.is_none() { json!([{"kind": "criterion", "id": "c.why", "why": "by-hand"}]) } else { json!([]) },
    })
}

fn unread(id: &str, error: &str) -> Value {
    json!({"format": 1, "submission": {"id": id, "file": id, "sha256": null, "source": {"path": "class", "entry": null}}, "error": error})
}

fn class() -> Run {
    run(
        "plain",
        &[
            row(
                "ada",
                json!({"name": "Example, Ada", "email": "ada@example.org", "sid": "0042", "login": "ada", "submitted": "2026-09-01 10:00:00 -07:00"}),
                2.0,
                Some(2.5),
            ),
            row("bo", json!({"name": "Example, Bo", "email": "bo@example.org", "sid": "0043", "login": "bo"}), 1.6, None),
            unread("cy", "there is no file"),
            row("eve", json!({"name": "Example, Eve", "email": "eve@example.org"}), 0.0, Some(0.0)),
        ],
    )
}

fn order(target: Target) -> Order<'static> {
    Order {
        target,
        template: None,
        column: None,
        locale: None,
        points: None,
        by: None,
        visibility: Visibility::Visible,
        classroom: Some(Classroom { classroom: "c1".to_owned(), assignment: "drill2".to_owned(), submission: None }),
        overwrite: false,
        mark: false,
        root: None,
    }
}

fn exported(run: &Run, order: &Order<'_>) -> (Kept, Told) {
    let mut kept = Kept::default();
    let told = export(run, &[], order, &mut kept).unwrap_or_else(|trouble| panic!("{trouble}"));
    (kept, told)
}

fn filled(run: &Run, order: &Order<'_>, template: &str) -> Result<(String, Told), String> {
    let mut kept = Kept::default();
    let order = Order { template: Some((Path::new("template.csv"), template.as_bytes())), ..order.clone() };
    let told = export(run, &[], &order, &mut kept).map_err(|trouble| trouble.to_string())?;
    Ok((kept.document.expect("there is a document"), told))
}

/// A table by a parser of another author.
fn cells(text: &str, separator: u8) -> Vec<Vec<String>> {
    let mut rows = vec![Vec::new()];
    for item in Csv::with_separator(text.trim_start_matches('\u{feff}').as_bytes(), separator) {
        match item {
            CsvIterItem::Cell(cell) => rows.last_mut().expect("there is one").push(cell.try_as_str().expect("UTF-8").into_owned()),
            CsvIterItem::LineEnd => rows.push(Vec::new()),
        }
    }
    rows.retain(|row| !row.is_empty());
    rows
}

fn lines(told: &Told) -> String {
    told.remarks.iter().map(|remark| format!("{}{}\n", if remark.is_refusal { "! " } else { "" }, remark.line)).collect()
}

/// What Autolab makes of the last line: quotes around words before a colon, and then JSON.
fn as_autolab_reads(line: &str) -> Value {
    let quoted = regex::Regex::new("([a-zA-Z0-9]+):").expect("a pattern").replace_all(line, "\"$1\":");
    serde_json::from_str(&quoted).unwrap_or_else(|error| panic!("{error}: {quoted}"))
}

/// A command of the log, as the runner takes it apart.
fn commands(log: &str) -> Vec<(String, String, String)> {
    let mut commands = Vec::new();
    for line in log.lines() {
        assert!(!line.contains("##["), "the old form of a command: {line}");
        let Some(rest) = line.trim_start().strip_prefix("::") else { panic!("not a command of ours: {line:?}") };
        let (head, message) = rest.split_once("::").expect("a command has an end");
        let (kind, properties) = head.split_once(' ').unwrap_or((head, ""));
        assert!(["error", "warning", "notice"].contains(&kind), "{line}");
        commands.push((kind.to_owned(), properties.to_owned(), message.to_owned()));
    }
    commands
}

/// A gradebook as Canvas exports it.
const CANVAS: &str = "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Drill 2 (5512),Other (77),Current Score\n    Points Possible,,,,,,6,10,(read only)\n\"Example, Ada\",1201,0042,ada,S1,x,,1,20\n\"Example, Bo\",1202,0043,bo,S1,,,2,10\n\"Example, Di\",1204,0045,di,S1,,EX,,\n\"Student, Test\",1299,,77abc,S1,,,,\n";
