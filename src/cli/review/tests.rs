//! The screen by its words, and keys by what they do.

use drillmark::cohort::review::{Act, Case, Desk, Entry, Kind, Marking, Member, Mode};

use super::app::{App, Effect, Key, Over};
use super::screen;

const MARKING: &str = r#"{"format":1,"drills":[{
  "drill":{"id":"ring","sha256":"0"},"rubric":{"id":"ring","sha256":"0"},"title":"Ring",
  "credit":{"partial_reading":0.5,"form":0.8,"missing_unit":0.5,"carried":1.0,"slip":0.0,"arithmetic_slip":0.5},
  "asks":[],
  "criteria":[{"id":"d.overlap","part":"d","says":"Argues from what the traffic can hide behind.","note":"A number alone is no reason.",
    "student":{"met":"You say what it hides behind.","partly":null,"not_met":null,"hint":null},
    "samples":[{"text":"It hides behind the backward pass.","outcome":"met"}],
    "levels":[{"share":0.75,"says":"nearly"}],"sha256":"c"}],
  "scheme":{"worths":[{"points":4.0,"partly":0.5}]}}]}"#;

fn case(submission: &str, text: &str) -> Case {
    Case {
        drill: "ring".to_owned(),
        kind: Kind::Criterion,
        id: "d.overlap".to_owned(),
        criterion: "c".to_owned(),
        passage: submission.repeat(20),
        members: vec![Member { submission: submission.to_owned(), answer: String::new() }],
        why: "no-rule-decides".to_owned(),
        marks: text.find("backward pass").map(|start| (start, start + 13)).into_iter().collect(),
        text: text.to_owned(),
        candidates: Vec::new(),
        rule: None,
    }
}

fn app() -> App {
    let marking: Marking = serde_json::from_str(MARKING).expect("a marking");
    let long = "word ".repeat(600);
    let cases = vec![
        case("s1", "It can hide behind the backward pass.\u{1b}[2J\u{202e}"),
        case("s2", &long),
        case("s3", &format!("Beginning. {}backward pass {}", "漢字 ".repeat(400), "漢字 ".repeat(400))),
    ];
    App::new(Desk::new(marking, Mode::Review, "ada", cases, &[]), String::new())
}

/// The words on the screen.
fn shown(app: &mut App, columns: usize, rows: usize) -> String {
    screen::draw(app, columns, rows).iter().map(|line| line.text() + "\n").collect()
}

/// Presses keys, and writes what they write.
fn press(app: &mut App, keys: &str, written: &mut Vec<Entry>) {
    for c in keys.chars() {
        let key = match c {
            '\n' => Key::Enter,
            '\u{8}' => Key::Backspace,
            c => Key::Char(c),
        };
        if let Effect::Write(act) = app.press(key, 4) {
            let n = written.len() as u64 + 1;
            let entry = Entry { n, time: "2026-09-02T23:59:00Z".to_owned(), by: "ada".to_owned(), act: *act, prev: String::new() };
            app.written(&entry);
            written.push(entry);
        }
    }
}

fn outcomes(written: &[Entry]) -> Vec<String> {
    let told = |entry: &Entry| match &entry.act {
        Act::Decide(decision) => {
            format!("{} {} {}", decision.submission, decision.outcome, decision.comment.as_deref().unwrap_or("-"))
        }
        Act::Undo { of } => format!("undo {of}"),
    };
    written.iter().map(told).collect()
}

#[test]
fn the_screen_fits_and_holds_what_is_needed() {
    let mut app = app();
    let screen = shown(&mut app, 80, 24);
    for part in [
        "d.overlap  criterion 1 of 1 · 1 of 3, 0 decided",
        "0 of 3 decided",
        "Argues from what the traffic can hide behind. (4 points)",
        "Note: A number alone is no reason.",
        "1 75 %: nearly",
        "s1 · no rule is sure",
        "It can hide behind the backward pass.",
        "✓ met",
        "sample: It hides behind the backward pass.",
        "Proposed: ✓ met  (Enter takes it)",
        "m met  p partly  n not met",
    ] {
        assert!(screen.contains(part), "{part}\n{screen}");
    }
    assert!(screen.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'), "{screen:?}");
}

#[test]
fn any_window_is_filled_and_never_overrun() {
    let mut app = app();
    let mut written = Vec::new();
    for keys in ["", "j", "j", "?", "x", "e", "x", "c", "abc", "\n", "m", "r", "1", "\n", "u"] {
        press(&mut app, keys, &mut written);
        for (columns, rows) in [(80, 24), (40, 14), (41, 15), (200, 60), (100, 14), (10, 4), (2, 1), (1, 1), (0, 0)] {
            for _ in 0..2 {
                let lines = screen::draw(&mut app, columns, rows);
                assert!(lines.len() <= rows.max(1), "{columns}×{rows}: {} lines", lines.len());
                assert!(lines.iter().all(|line| line.columns() <= columns.max(2)), "{columns}×{rows}");
                app.press(Key::Down, 0);
            }
        }
    }
}

#[test]
fn a_long_text_scrolls_and_stops_at_its_end() {
    let mut app = app();
    press(&mut app, "j", &mut Vec::new());
    assert!(shown(&mut app, 80, 24).contains(" of 38 lines"), "{}", shown(&mut app, 80, 24));
    for _ in 0..90 {
        app.press(Key::PageDown, 0);
    }
    assert!(shown(&mut app, 80, 24).contains("–38 of 38 lines"), "{}", shown(&mut app, 80, 24));
    app.press(Key::Up, 0);
    assert!(shown(&mut app, 80, 24).contains("–37 of 38 lines"));
}

#[test]
fn the_words_in_question_are_in_view() {
    let mut app = app();
    press(&mut app, "jj", &mut Vec::new());
    let screen = shown(&mut app, 80, 24);
    assert!(screen.contains("backward") && !screen.contains("Beginning"), "{screen}");
    for _ in 0..90 {
        app.press(Key::PageUp, 0);
    }
    assert!(shown(&mut app, 80, 24).contains("Beginning"));
}

#[test]
fn keys_decide_comment_and_take_back() {
    let (mut app, mut written) = (app(), Vec::new());
    press(&mut app, "cWell pux\u{8}t.\nm", &mut written);
    press(&mut app, "r1\nn", &mut written);
    assert_eq!(outcomes(&written), ["s1 met Well put.", "s2 not_met Well put."]);
    assert!(app.message.contains("`u` takes it back"), "{}", app.message);
    press(&mut app, "1", &mut written);
    assert!(app.message.starts_with("Everything here is decided"), "{}", app.message);
    press(&mut app, "uu", &mut written);
    assert_eq!(outcomes(&written)[2..], ["s3 partly -", "undo 3", "undo 2"]);
    assert_eq!(app.draft.as_deref(), Some("Well put."), "the comment is not lost");
    press(&mut app, "u u", &mut written);
    assert_eq!(app.message, "there is nothing to undo");
    // Letters inside a comment decide nothing, and what is pasted outside of one is nothing.
    let before = written.len();
    app.draft = None;
    press(&mut app, "cmnpuq", &mut written);
    app.paste("many\nlines m n");
    assert_eq!(app.over, Over::Comment("mnpuqmany lines m n".to_owned()));
    app.press(Key::Escape, 0);
    app.paste("mmm");
    assert_eq!((written.len(), app.over.clone()), (before, Over::Nothing));
    assert_eq!(app.press(Key::Char('q'), 0), Effect::Quit);
    assert_eq!(app.press(Key::Interrupt, 0), Effect::Quit);
}

#[test]
fn enter_takes_what_is_proposed_and_nothing_else() {
    let (mut app, mut written) = (app(), Vec::new());
    press(&mut app, "\n\n\n", &mut written);
    assert_eq!(outcomes(&written), ["s1 met -"]);
    assert_eq!(app.message, "nothing is proposed here");
}

#[test]
fn the_first_line_says_where_we_are_also_when_there_is_an_estimate() {
    let marking: Marking = serde_json::from_str(MARKING).expect("a marking");
    let cases: Vec<Case> = (0..400).map(|at| case(&format!("s{at:03}"), &format!("text {at}"))).collect();
    let mut app = App::new(Desk::new(marking, Mode::Review, "ada", cases, &[]), String::new());
    let mut written = Vec::new();
    press(&mut app, &"m".repeat(12), &mut written);
    let first = |app: &mut App, columns: usize| shown(app, columns, 24).lines().next().unwrap_or_default().to_owned();
    let wide = "d.overlap  criterion 1 of 1 · 13 of 400, 12 decided";
    assert!(first(&mut app, 120).starts_with(wide) && first(&mut app, 120).ends_with("12 of 400 decided · about 26 min left"));
    for columns in [80, 64, 50] {
        let line = first(&mut app, columns);
        assert!(line.contains("1/1 · 13/400") || line.contains("1 of 1 · 13 of 400"), "{columns}: {line}");
        assert_eq!(line.trim_end().chars().count(), columns.min(line.chars().count()), "{line}");
    }
    assert!(first(&mut app, 80).contains("about 26 min"), "{}", first(&mut app, 80));
    assert!(first(&mut app, 40).starts_with("d.overlap") && first(&mut app, 40).trim_end().ends_with("12/400"), "{}", first(&mut app, 40));
}
