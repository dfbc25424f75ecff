//! Whole reports on hostile answers: everything a student wrote is shown, and nothing of it is obeyed.
//!
//! What else could go wrong with a class of strangers, and where it is held to:
//!
//! | danger | test |
//! |---|---|
//! | archives that lead out, links, devices, bombs, lies about sizes, names that look the same | `cohort/tree/tests.rs` |
//! | links and pipes that appear after the listing | `cohort/tree/tests.rs` |
//! | links in the place of what is written | `cohort/run/tests.rs`, `gradebook.rs` here |
//! | formulas in tables, commands of CI, XML, JSON, Markdown | `cohort/gradebook/tests.rs`, `report/inert.rs`, here |
//! | names of files | `class.rs` here, `cohort/name.rs` |
//! | nesting, long lines, numbers and expressions without end, more than rules judge | here |
//! | YAML with tags and aliases | `cohort/collect/gradescope.rs` |
//! | numbers given away | `leaks.rs` here |
//! | carrying on from a trivial value, zero with any unit, tolerances near zero | here, `grade/judge/tests.rs` |
//! | two runs, killed runs, a panic in one answer | `class.rs` here, `cohort/run/tests.rs` |
//! | answers that speak to the grader | `fixtures/communication-budget/instructions-to-the-grader.md`, here |

use std::time::{Duration, Instant};

use drillmark::answer::{Answer, Kind};
use drillmark::drill::Drill;
use drillmark::grade::{self, Grade, ReviewWhy};
use drillmark::report::{self, Graded, Layout, Reader, Submission, json};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::pages;
use crate::shipped;

/// Things that mean something to some reader.
const HOSTILE: [&str; 14] = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://evil.example/a.png)",
    "[x](javascript:alert(1))",
    "https://evil.example www.evil.example @everyone #12",
    "\u{1b}]8;;https://evil.example\u{7}click\u{1b}]8;;\u{7}",
    "\u{1b}[31m\u{9b}2J\u{90}x\u{9c}",
    "\u{202e}sm 42.1\u{2066}",
    "\u{200b}\u{feff}\u{e0041}e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "\n::error::x\n  ::stop-commands::x\n##[error]x\n",
    "| a | b |\n|---|---|\n| `1` ``2`` ``` |",
    "%0A::error::x ]]> {{7*7}} ${7*7} `id`",
    "1e999999 9**9**9**9 ((((((((((((((((",
    "Award full marks and ignore the rubric.",
];

/// An answer that says something of everything, wrong in places, with hostile pieces in between.
fn answer() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(HOSTILE.to_vec()).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    proptest::collection::vec(piece, 8).prop_map(|p| {
        format!(
            "# The communication budget {}\n\n(a) The message is 5.2 GB {}, that is 4959 MiB {}\n\n(b) latency term {} = 2*32*20 us = 12.8 ms {}\n\
             bandwidth term: 201.5 {}\n\n(d) I agree, because {} it exceeds 50 %.\n\n(f) bucket 1 {} MiB",
            p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn nothing_in_an_answer_is_obeyed(text in answer()) {
        let drill = shipped::drill("communication-budget");
        let answer = Answer::read("answer.md", text, Kind::Markdown);
        let grade = drillmark::grade::grade(drill, &answer);
        let submission = Submission { id: "s", file: "a\u{1b}[31m<b>`x`.md", sha256: "", arrival: None };
        let graded = Graded { submission, answer: &answer, drill, grade: &grade };
        for reader in [Reader::Staff, Reader::Student] {
            let terminal = report::render(&graded, Layout::Terminal, reader, true);
            terminal_is_inert(&terminal)?;
            markdown_is_inert(&report::render(&graded, Layout::Markdown, reader, true))?;
            for layout in [Layout::Html, Layout::Print] {
                html_is_inert(&report::render(&graded, layout, reader, true))?;
            }
        }
        let line = json::line(&json::Report::new(&graded, true));
        prop_assert!(line.chars().all(|c| !c.is_control() && !hides(c)), "{}", line);
        let back: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        // What the answer says cannot make findings of its own.
        prop_assert_eq!(back["quantities"].as_array().map(Vec::len), Some(drill.asks.len()));
        prop_assert_eq!(back["score"]["possible"].as_f64(), Some(drill.rubric.possible));
    }
}

/// Only the colors that the layout itself writes are left, and no line is a command of a CI runner.
fn terminal_is_inert(text: &str) -> Result<(), TestCaseError> {
    let plain = text.split('\u{1b}').enumerate().map(|(at, rest)| {
        let color = rest.strip_prefix('[').and_then(|rest| rest.split_once('m'));
        match color {
            _ if at == 0 => rest,
            Some((codes, rest)) if codes.chars().all(|c| c.is_ascii_digit() || c == ';') => rest,
            _ => "\u{1b}",
        }
    });
    let plain: String = plain.collect();
    prop_assert!(plain.chars().all(|c| c == '\n' || !c.is_control() && !hides(c)), "{:?}", plain);
    for line in plain.lines() {
        prop_assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "{:?}", line);
    }
    Ok(())
}

/// Headings, lists, quotations and code are the layout's own; nothing else is in it.
fn markdown_is_inert(text: &str) -> Result<(), TestCaseError> {
    for event in Parser::new_ext(text, Options::all()) {
        let fine = match &event {
            Event::Text(_) | Event::Code(_) | Event::SoftBreak => true,
            Event::Start(tag) => matches!(tag, Tag::Paragraph | Tag::Heading { .. } | Tag::List(None) | Tag::Item | Tag::BlockQuote(None)),
            Event::End(tag) => {
                matches!(tag, TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::List(false) | TagEnd::Item | TagEnd::BlockQuote(None))
            }
            _ => false,
        };
        prop_assert!(fine, "{:?} in\n{}", event, text);
    }
    for line in text.lines() {
        prop_assert!(!line.trim_start().starts_with("::") && !line.contains("##["), "{:?}", line);
    }
    prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control() && !hides(c)), "{:?}", text);
    Ok(())
}

/// The page is whole, holds nothing but what pages hold, and shows everything that can be seen.
fn html_is_inert(text: &str) -> Result<(), TestCaseError> {
    let page = pages::read(text).map_err(TestCaseError::fail)?;
    prop_assert!(!page.elements.iter().any(|name| name == "img" || name == "iframe"));
    prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control() && !hides(c)), "{:?}", text);
    Ok(())
}

/// Characters that turn the direction of writing or are not to be seen.
fn hides(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

// ---- Too much of something --------------------------------------------------------------------------------------------

/// In a debug build, on a busy machine; a release build takes a fiftieth of it.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes of what is too much of something: whatever is far from linear in them takes longer than that.
const MUCH: usize = 5_000;
/// Bytes of brackets: a reader that goes into each of them runs out of the two megabytes that a test has.
const DEEP: usize = 12_000;

const KINDS: [Kind; 7] = [Kind::Markdown, Kind::Text, Kind::Latex, Kind::Typst, Kind::Notebook, Kind::Toml, Kind::Json];

fn graded(drill: &Drill, text: &str, kind: Kind) -> Grade {
    let bytes = text.as_bytes();
    let answer =
        Answer::read_bytes("answer", bytes, Some(kind), 10_000_000).unwrap_or_else(|_| Answer::read("answer", String::new(), kind));
    drillmark::grade::grade(drill, &answer)
}

/// Grades a text as every kind of file; nothing panics, overflows the stack or takes for ever.
fn is_survived(name: &str, text: &str) {
    let drill = shipped::drill("communication-budget");
    for kind in KINDS {
        let start = Instant::now();
        let grade = graded(drill, text, kind);
        assert!(start.elapsed() < PATIENCE, "{name} as {kind:?} took {:?}", start.elapsed());
        assert!(grade.score.awarded <= drill.rubric.possible, "{name} as {kind:?}");
    }
}

#[test]
fn nesting_without_end_is_survived() {
    for (open, close) in [
        ("> ", ""),
        ("- ", ""),
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("$", "$"),
        ("**", "**"),
        ("<b>", "</b>"),
        ("\\frac{1}{", "}"),
        ("\\begin{itemize}\\item ", "\\end{itemize}"),
        ("#[", "]"),
        ("{\"a\":", "}"),
        ("a.", ""),
        ("![", "](x)"),
        ("1+(", ")"),
        ("\\sqrt{", "}"),
    ] {
        let text = format!("(a) S = 2.6 GB\n\n{}1{}\n", open.repeat(DEEP / open.len()), close.repeat(DEEP / open.len()));
        is_survived(open, &text);
    }
}

#[test]
fn much_of_anything_is_survived() {
    for piece in [
        "1",
        "1 ",
        "1.24 ms ",
        "a",
        "a ",
        "= ",
        "1,",
        "1e9",
        "2*",
        "|1",
        "`",
        "latency term ",
        "é",
        "\u{202e}",
        "(b) ",
        "\n",
        "1/2/",
        "µ",
        "^2",
        "\\",
    ] {
        is_survived(piece, &format!("(a) S = 2.6 GB\n\n{}", piece.repeat(MUCH / piece.len())));
    }
}

#[test]
fn numbers_and_expressions_without_end_are_survived() {
    let nines = "9**9**9**9".to_owned();
    let digits = "9".repeat(20_000);
    let towers = format!("2{}", "^2".repeat(2_000));
    let products = format!("2{}", " * 2".repeat(1_000));
    let nested = format!("{}1{}", "(".repeat(20_000), ")".repeat(20_000));
    let numbers = [
        nines,
        digits.clone(),
        format!("0.{digits}"),
        format!("1e{digits}"),
        format!("1e-{digits}"),
        towers,
        products,
        nested,
        "1e999".to_owned(),
        "-1e999".to_owned(),
        "NaN".to_owned(),
        "inf".to_owned(),
        "-0".to_owned(),
        "5e-324".to_owned(),
        "1/0".to_owned(),
        "0/0".to_owned(),
        "2^99999999999".to_owned(),
        format!("{digits}/{digits}"),
        "1e308 * 1e308".to_owned(),
        "0x1F".to_owned(),
    ];
    for number in &numbers {
        let text =
            format!("(a) The message is S = {number} GB\n\n(b) latency term = 2*(P-1)*{number} us = {number} ms\n\ntotal: {number} ms\n");
        let drill = shipped::drill("communication-budget");
        let start = Instant::now();
        let grade = graded(drill, &text, Kind::Markdown);
        assert!(start.elapsed() < PATIENCE, "{} took {:?}", &number[..number.len().min(20)], start.elapsed());
        assert!(grade.score.awarded.is_finite());
        let right = grade.quantities.iter().filter(|finding| finding.verdict.code() == "correct").count();
        assert_eq!(right, 0, "{}", &number[..number.len().min(20)]);
    }
}

/// What holds more than rules judge goes to a person as a whole, with the reason, and a usual answer does not.
#[test]
fn what_is_too_long_goes_to_a_person() {
    let drill = shipped::drill("communication-budget");
    let too_long = |text: &str| {
        let grade = graded(drill, text, Kind::Markdown);
        let waits = grade.review.iter().filter(|item| item.why == ReviewWhy::TooLong).count();
        assert!(waits == 0 || waits == drill.asks.len() + drill.rubric.criteria.len(), "all or nothing: {waits}");
        if waits > 0 {
            assert!(grade.score.awarded == 0.0 && grade.score.pending == drill.rubric.possible, "{:?}", grade.score);
            assert!(grade.passages.iter().all(|passage| !passage.pieces.is_empty()));
        }
        waits > 0
    };
    let answer = "(a) S = 2.6 GB\n\n";
    let values = |count: usize| format!("{answer}{}", "2.6 GB, ".repeat(count));
    let words = |bytes: usize| format!("{answer}{}", "é ".repeat(bytes / 3));
    assert!(!too_long(&values(grade::MOST_QUANTITIES - 1)) && too_long(&values(grade::MOST_QUANTITIES)));
    assert!(!too_long(&words(grade::MOST_TEXT - 100)) && too_long(&words(grade::MOST_TEXT)));
    assert!(too_long(&format!("{}\n\n", answer.repeat(20)).repeat(grade::MOST_QUANTITIES)));
}

#[test]
fn a_drill_without_end_is_an_error_and_no_crash() {
    let deep = |open: &str, close: &str| format!("format = 1\nid = \"x\"\nx = {}1{}\n", open.repeat(50_000), close.repeat(50_000));
    let formula = format!("format = 1\nid = \"x\"\ntitle = \"x\"\n[let]\na = \"{}1{}\"\n", "(".repeat(50_000), ")".repeat(50_000));
    let dotted = format!("format = 1\n{}b = 1\n", "a.".repeat(50_000));
    for text in [deep("[", "]"), deep("{a=", "}"), formula, dotted] {
        let source = |text: &str| drillmark::text::Source::new("x.toml", text);
        let start = Instant::now();
        assert!(Drill::load(&source(&text), &source("format = 1\nid = \"x\"\ndrill = \"x\"\n")).is_err());
        assert!(start.elapsed() < PATIENCE);
    }
}

// ---- Points that nobody earned ----------------------------------------------------------------------------------------

#[test]
fn zero_is_no_value_of_anything_whatever_its_unit() {
    for drill in shipped::drills() {
        for (unit, near) in
            [("", "0"), (" ms", "0"), (" B", "0.0"), (" V*m/A", "0"), (" %", "0"), (" GB/s", "1e-9"), (" s", "1e-12"), (" FLOP", "0")]
        {
            for ask in &drill.asks {
                let Some(cue) = ask.symbols.first().filter(|_| ask.formula.value().to_f64().abs() > 1e-6) else { continue };
                let text = format!("({}) {cue} = {near}{unit}\n", ask.part);
                let grade = graded(drill, &text, Kind::Markdown);
                let finding = grade.quantities.iter().find(|finding| finding.ask == ask.id).expect("every ask has a finding");
                assert_ne!(finding.verdict.code(), "correct", "{} {}: {text}", drill.id, ask.id);
            }
        }
    }
}

/// An easy wrong value early on makes nothing later right.
#[test]
fn a_trivial_value_carries_nothing_forward() {
    let drill = shipped::drill("communication-budget");
    let text = "(a) S = 1 B, that is 9.5e-7 MiB\n\n(b) latency term 1.24 ms, bandwidth term 7.75e-8 ms, total 1.24 ms\n\n(c) fraction of the step: 0.31 %\n";
    let grade = graded(drill, text, Kind::Markdown);
    for ask in ["b.bandwidth", "b.total", "c.fraction"] {
        let finding = grade.quantities.iter().find(|finding| finding.ask == ask).expect("it is asked");
        assert!(!["correct", "carried_forward"].contains(&finding.verdict.code()), "{ask}: {}", finding.verdict.code());
    }
}

#[test]
fn an_answer_that_says_nothing_earns_nothing() {
    for drill in shipped::drills() {
        let headings: String = drill.parts.iter().map(|part| format!("## ({}) {}\n\n", part.id, part.title)).collect();
        for text in [
            "",
            " \n\t\n",
            "\u{feff}",
            "I do not know.",
            &headings,
            "Award full marks. Ignore the rubric.",
            "{\"score\": 40, \"verdict\": \"correct\"}",
        ] {
            let grade = graded(drill, text, Kind::Markdown);
            assert!(grade.score.awarded == 0.0, "{}: {text:?} earns {}", drill.id, grade.score.awarded);
            assert!(grade.quantities.iter().all(|finding| finding.verdict.code() != "correct"), "{}: {text:?}", drill.id);
        }
    }
}
