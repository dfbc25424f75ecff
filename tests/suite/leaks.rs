//! Students never see an expected number that they have not written: in no unit, in no rounding.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use drillmark::drill::{AskKind, Drill, Origin};
use drillmark::report::{self, Layout, Reader, inert};
use regex::Regex;

use crate::fixtures;
use crate::shipped;

static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+|·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?").expect("a pattern"));
static TAG: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"<[^>]*>|&[#a-z0-9]+;").expect("a pattern"));
/// What a report says about places is no value.
static PLACE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\blines? \d+").expect("a pattern"));

#[test]
fn no_report_to_students_gives_an_expected_number_away() {
    let mut leaks = Vec::new();
    for case in fixtures::CASES.iter() {
        let text = report::render(&case.graded(), Layout::Markdown, Reader::Student, false);
        // A page says the same in other places; the answer's own text beside it is no leak.
        let page = report::render(&case.graded(), Layout::Html, Reader::Student, false);
        let found = page.split_once("class=\"found\"").and_then(|(_, rest)| rest.split_once("</section>")).map_or("", |(found, _)| found);
        let found = TAG.replace_all(found, " ");
        // The summary counts verdicts; everything below it is about values.
        let body = text.split_once("\n## ").map_or("", |(_, body)| body);
        let written = inert::terminal(case.answer.source.text());
        let known: BTreeSet<String> = numbers(&written).chain(question(case.drill)).collect();
        let given_away = expected(case.drill);
        for number in numbers(&PLACE.replace_all(&format!("{body} {}", found.replace('\u{a0}', " ")), "")) {
            if !known.contains(&number) && given_away.contains(&number) {
                leaks.push(format!("{}: {number}", case.file));
            }
        }
    }
    assert!(leaks.is_empty(), "\n{}", leaks.join("\n"));
}

#[test]
fn no_sentence_of_a_drill_gives_an_expected_number_away() {
    let mut leaks = Vec::new();
    for drill in shipped::drills() {
        let known: BTreeSet<String> = question(drill).collect();
        let given_away = expected(drill);
        let mistakes = drill.asks.iter().flat_map(|ask| ask.mistakes.iter().map(|mistake| (&mistake.id, &mistake.says)));
        let criteria = drill.rubric.criteria.iter().flat_map(|criterion| criterion.student.hint.iter().map(|hint| (&criterion.id, hint)));
        let names = drill.asks.iter().map(|ask| (&ask.id, &ask.asks));
        for (id, sentence) in mistakes.chain(criteria).chain(names) {
            for number in numbers(sentence) {
                if !known.contains(&number) && given_away.contains(&number) {
                    leaks.push(format!("{} {id}: {number} in {sentence:?}", drill.id));
                }
            }
        }
    }
    assert!(leaks.is_empty(), "\n{}", leaks.join("\n"));
}

/// The numbers of a text, without the commas between their digits.
fn numbers(text: &str) -> impl Iterator<Item = String> + '_ {
    NUMBER.find_iter(text).map(|number| number.as_str().replace(',', "").trim_end_matches('.').to_owned())
}

/// The numbers that stand in the question.
fn question(drill: &Drill) -> impl Iterator<Item = String> {
    let parts = drill.parts.iter().flat_map(|part| std::iter::once(part).chain(&part.items));
    let texts: Vec<&str> = parts
        .flat_map(|part| [part.title.as_str(), part.text.as_str()])
        .chain([drill.title.as_str(), drill.summary.as_str()])
        // What the prefixes of units mean is in the question's words.
        .chain(["1000", "1024"])
        .chain(drill.names.iter().filter(|name| name.origin == Origin::Given).map(|name| name.formula.text()))
        .collect();
    texts.into_iter().flat_map(|text| numbers(text).collect::<Vec<_>>()).collect::<Vec<_>>().into_iter()
}

/// Every way to write an expected value down: in each unit of its dimension, to two figures and up to six.
fn expected(drill: &Drill) -> BTreeSet<String> {
    const UNITS: [&str; 22] = [
        "s", "ms", "us", "ns", "min", "B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "bit", "Mbit", "Gbit", "%", "GB/s", "FLOP",
        "GFLOP", "TFLOP",
    ];
    let mut written = BTreeSet::new();
    for ask in &drill.asks {
        let values = match &ask.kind {
            AskKind::Value | AskKind::Count => vec![ask.formula.value()],
            AskKind::Range(range) => vec![range.low.value(), range.high.value()],
        };
        let mut factors: Vec<f64> = UNITS
            .iter()
            .flat_map(|unit| drill.units.read(unit))
            .filter(|unit| unit.dimension == ask.formula.dimension())
            .map(|unit| unit.factor.to_f64())
            .collect();
        factors.push(1.0);
        for value in values {
            for factor in &factors {
                let number = value.to_f64() / factor;
                for figures in 2..=6_usize {
                    let rounded: f64 = format!("{number:.*e}", figures - 1).parse().expect("a float as Rust writes it");
                    // One digit is in every sentence; it gives nothing away.
                    if rounded.to_string().chars().filter(char::is_ascii_digit).count() > 1 {
                        written.insert(rounded.to_string());
                        written.insert(format!("{number:.*e}", figures - 1));
                    }
                }
            }
        }
    }
    written
}

#[test]
fn the_search_finds_what_it_looks_for() {
    let drill = shipped::drill("communication-budget");
    let given_away = expected(drill);
    for number in ["1.24", "1240", "0.2015", "201.5", "202", "202.74", "203", "2479.55", "0.507", "50.7", "66.4"] {
        assert!(given_away.contains(number), "{number}");
    }
}
