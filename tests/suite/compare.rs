//! `drillmark compare` against the verdicts that other graders' own test suites state, and its manners as a stream.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// Runs a stream of lines through `drillmark compare`.
fn stream(lines: &str) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_drillmark"))
        .args(["compare", "--input", "jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("standard input is piped");
    let lines = lines.to_owned();
    // A pipe holds less than the cases: writing and reading go on at the same time.
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()).expect("the program reads its input"));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("all lines are written");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("output is UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// What the published suite says, and an answer without any digit refused where the suite calls it wrong.
fn agrees(case: &Value, verdict: &str) -> bool {
    let unreadable = case["rule"]["mode"] != "unit_only" && !text(case, "student").contains(|c: char| c.is_ascii_digit());
    verdict == text(case, "expect") || unreadable && text(case, "expect") == "incorrect" && verdict == "invalid"
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_default()
}

#[test]
fn verdicts_are_those_of_the_published_suites() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/numeric");
    let cases = std::fs::read_to_string(folder.join("cases.jsonl")).expect("the cases are there");
    let exceptions = std::fs::read_to_string(folder.join("exceptions.toml")).expect("the exceptions are there");
    let exceptions: toml::Table = exceptions.parse().expect("the exceptions are TOML");
    let exceptions = exceptions["exception"].as_array().expect("a list of exceptions");
    let excepted = |case: &Value| {
        exceptions.iter().any(|exception| {
            text(case, "source").starts_with(exception["source"].as_str().expect("a source"))
                && exception["student"].as_str() == Some(text(case, "student"))
        })
    };

    let cases: Vec<Value> = cases.lines().map(|line| serde_json::from_str(line).expect("a case")).collect();
    let portable: Vec<&Value> = cases.iter().filter(|case| case["portable"] == true).collect();
    assert!(portable.len() > 900, "the cases are all there");
    let lines: String = portable.iter().map(|case| format!("{case}\n")).collect();
    let answers = stream(&lines);
    assert_eq!(answers.len(), portable.len());
    let mut wrong = Vec::new();
    for (case, answer) in portable.iter().zip(&answers) {
        if agrees(case, text(answer, "verdict")) == excepted(case) {
            wrong.push(format!("{case}\n  got {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{} verdicts are not as the suites and the exceptions say:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_broken_line_is_answered_and_the_stream_goes_on() {
    let good = json!({ "student": "2479.6 MiB", "teacher": "2.6 GB", "rule": { "kind": "units", "mode": "convert", "value": { "kind": "rel", "tol": 0.01 } } });
    let unsupported = json!({ "student": "1", "teacher": "1", "rule": { "kind": "rel", "tol": 0.01, "moon_phase": "full" } });
    let broken_teacher = json!({ "student": "1", "teacher": "a word", "rule": { "kind": "rel", "tol": 0.01 } });
    let lines = format!("{good}\nnot json\n[1, 2]\n\n{unsupported}\n{broken_teacher}\n\u{1}\n{good}\n");
    let answers = stream(&lines);
    let verdicts: Vec<_> = answers.iter().map(|answer| answer["verdict"].as_str()).collect();
    assert_eq!(verdicts, [Some("correct"), None, None, None, None, None, Some("correct")]);
    assert!(answers[1..6].iter().all(|answer| answer["error"].is_string()));
    assert_eq!(answers[0], json!({ "verdict": "correct", "credit": 1.0, "diagnosis": null }));
}

#[test]
fn hostile_answers_are_refused_quickly() {
    let rule = json!({ "kind": "rel", "tol": 0.01, "prose": true });
    let texts =
        ["1e".repeat(100_000), "(".repeat(200_000), "1 * ".repeat(50_000), "$".repeat(200_000), "-".repeat(200_000), "9".repeat(200_000)];
    let lines: String = texts.iter().map(|student| format!("{}\n", json!({ "student": student, "teacher": "1", "rule": rule }))).collect();
    let start = std::time::Instant::now();
    assert_eq!(stream(&lines).len(), texts.len());
    assert!(start.elapsed().as_secs() < 30, "took {:?}", start.elapsed());
}

#[test]
fn a_reference_is_written_plainly_whatever_notation_the_student_has_to_keep() {
    let line = |student: &str, teacher: &str| {
        let rule = json!({ "kind": "abs", "tol": 0, "inclusive": true, "notation": "eu" });
        format!("{}\n", json!({ "student": student, "teacher": teacher, "rule": rule }))
    };
    let lines = line("5.678", "5.678") + &line("5.678", "5678") + &line("5,678", "5.678") + &line("5,5", "5,5");
    let verdicts: Vec<String> = stream(&lines).iter().map(|answer| text(answer, "verdict").to_owned()).collect();
    assert_eq!(verdicts, ["incorrect", "correct", "correct", "correct"]);
}
