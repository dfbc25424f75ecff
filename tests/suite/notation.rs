//! Every way to write a quantity in `fixtures/notation` is read as a careful person reads it.

use std::collections::BTreeSet;
use std::path::Path;

use drillmark::answer::{Answer, Kind};
use drillmark::formula::KnownNames;
use drillmark::quantity::{Dimension, Units};
use drillmark::recognize::{self, Reading};
use serde::Deserialize;

/// Cases that we read otherwise on purpose.
const OTHERWISE: &[(&str, &str)] = &[
    ("n293", "a meter apart from a second is no millisecond; nobody means either"),
    ("n394", "an article counts one only inside a duration"),
];

#[derive(Deserialize)]
struct Case {
    id: String,
    text: String,
    quantities: Vec<Wanted>,
    #[serde(default)]
    flags: Vec<String>,
    #[serde(default = "yes")]
    complete: bool,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
struct Wanted {
    value: f64,
    unit: String,
    #[serde(default)]
    unit_or: Vec<String>,
    span: (usize, usize),
    #[serde(default)]
    span_or: Vec<(usize, usize)>,
    value_hi: Option<f64>,
    #[serde(default)]
    approx: bool,
    #[serde(default)]
    negated: bool,
}

/// A quantity as it was read, with its place in the text.
struct Found {
    span: (usize, usize),
    noun_end: usize,
    readings: Vec<Reading>,
    approximate: bool,
    withdrawn: bool,
}

fn found(text: &str) -> Vec<Found> {
    let answer = Answer::read("case", text, Kind::Markdown);
    let read = recognize::read(&answer, &Units::standard(), &KnownNames::default());
    let mut all = Vec::new();
    for (block, read) in answer.blocks.iter().zip(read) {
        for mention in read.mentions {
            let span = block.passage.span(mention.range.clone());
            let noun_end = mention.noun.map_or(span.end, |noun| block.passage.span(noun).end);
            all.push(Found {
                span: (span.start, span.end),
                noun_end,
                readings: mention.readings.into_vec(),
                approximate: mention.approximate,
                withdrawn: mention.withdrawn,
            });
        }
    }
    all
}

fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
}

/// Whether a reading says what is wanted: value and unit, whatever the unit's spelling.
fn says(reading: &Reading, wanted: &Wanted) -> bool {
    let units = Units::standard();
    std::iter::once(&wanted.unit).chain(&wanted.unit_or).any(|spelling| {
        let unit = units.read(spelling).into_iter().next();
        assert!(unit.is_some() || spelling.is_empty(), "the table does not know {spelling}");
        let factor = unit.as_ref().map_or(1.0, |unit| unit.factor.to_f64());
        let dimension = |unit: Option<&drillmark::quantity::Unit>| unit.map_or(Dimension::NONE, |unit| unit.dimension);
        let high = wanted.value_hi.is_none_or(|wanted| reading.high.is_some_and(|high| close(high.to_f64(), wanted * factor)));
        dimension(unit.as_ref()) == dimension(reading.unit.as_ref()) && close(reading.value.to_f64(), wanted.value * factor) && high
    })
}

/// What is wrong with how a case is read; empty when nothing is.
fn faults(case: &Case) -> Vec<String> {
    let read = found(&case.text);
    let ambiguous = case.flags.iter().any(|flag| flag == "ambiguous");
    let mut used = BTreeSet::new();
    let mut faults = Vec::new();
    for wanted in &case.quantities {
        let spans: Vec<(usize, usize)> = std::iter::once(wanted.span).chain(wanted.span_or.iter().copied()).collect();
        let overlaps = |found: &Found| found.span.0 < wanted.span.1 && wanted.span.0 < found.span.1;
        let hit = read.iter().enumerate().find(|(at, found)| !used.contains(at) && overlaps(found));
        let Some((at, hit)) = hit else {
            if !wanted.negated {
                faults.push(format!("{} {} is not read", wanted.value, wanted.unit));
            }
            continue;
        };
        used.insert(at);
        let likely = if ambiguous { hit.readings.len() } else { 1 };
        if !hit.readings.iter().take(likely).any(|reading| says(reading, wanted)) {
            let unit = hit.readings[0].unit.as_ref().map_or("", |unit| &unit.symbol);
            faults.push(format!("{} {} is read as {} in SI, unit {unit:?}", wanted.value, wanted.unit, hit.readings[0].value.to_f64()));
        }
        let exact = spans.iter().any(|span| span.0 == hit.span.0 && (span.1 == hit.span.1 || span.1 == hit.noun_end));
        if !exact && !ambiguous {
            faults.push(format!("{} {} is read at {:?}", wanted.value, wanted.unit, hit.span));
        }
        if wanted.approx && !hit.approximate {
            faults.push(format!("{} {} is marked as approximate", wanted.value, wanted.unit));
        }
        if wanted.negated && !hit.withdrawn {
            faults.push(format!("{} {} is taken back", wanted.value, wanted.unit));
        }
    }
    if case.complete && !ambiguous {
        for (_, found) in read.iter().enumerate().filter(|(at, _)| !used.contains(at)) {
            faults.push(format!("a quantity is read at {:?}: {:?}", found.span, &case.text[found.span.0..found.span.1]));
        }
    }
    faults
}

#[test]
fn every_notation_is_read_as_a_person_reads_it() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/notation/cases.jsonl");
    let text = std::fs::read_to_string(path).expect("the fixture is there");
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in text.lines() {
        let case: Case = serde_json::from_str(line).expect("a case a line");
        if case.flags.iter().any(|flag| flag == "expression") {
            continue;
        }
        count += 1;
        let faults = faults(&case);
        let excused = OTHERWISE.iter().any(|(id, _)| *id == case.id);
        if faults.is_empty() == excused {
            let said = if excused { "is read as listed now: take it off OTHERWISE".to_owned() } else { faults.join("; ") };
            wrong.push(format!("{} {:?}: {said}", case.id, case.text));
        }
    }
    assert!(count > 400, "only {count} cases");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A line of `forms.txt` as a text and what is read in it.
fn form(line: &str) -> Option<(String, &str)> {
    let (text, wanted) = line.rsplit_once(" => ")?;
    let mut parts = text.split("⟨U+");
    let mut text = parts.next()?.to_owned();
    for part in parts {
        let (code, rest) = part.split_once('⟩')?;
        text.push(char::from_u32(u32::from_str_radix(code, 16).ok()?)?);
        text.push_str(rest);
    }
    Some((text.replace('⏎', "\n").replace('⇥', "\t"), wanted))
}

/// Whether a quantity is read as `value unit` or `low..high unit` says.
fn is_as_wanted(found: &Found, wanted: &str) -> bool {
    let (value, unit) = wanted.split_once(' ').unwrap_or((wanted, ""));
    let unit = Units::standard().read(unit).into_iter().next();
    let factor = unit.as_ref().map_or(1.0, |unit| unit.factor.to_f64());
    let number = |text: &str| {
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        above.parse::<f64>().expect("a number") / below.parse::<f64>().expect("a number") * factor
    };
    let reading = &found.readings[0];
    let (low, high) = value.split_once("..").map_or((value, None), |(low, high)| (low, Some(high)));
    let ends = match (high, reading.high) {
        (Some(wanted), Some(read)) => close(number(wanted), read.to_f64()),
        (None, None) => true,
        _ => false,
    };
    let dimension = reading.unit.as_ref().map(|unit| unit.dimension);
    ends && close(number(low), reading.value.to_f64()) && dimension == unit.map(|unit| unit.dimension)
}

#[test]
fn every_form_is_read_as_it_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/notation/forms.txt");
    let lines = std::fs::read_to_string(path).expect("the fixture is there");
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in lines.lines().filter(|line| line.contains(" => ")) {
        count += 1;
        let (text, wanted) = form(line).expect("a text and what is read");
        let read: Vec<Found> = found(&text).into_iter().filter(|found| !found.withdrawn).collect();
        let wanted: Vec<&str> = wanted.split("; ").filter(|wanted| *wanted != "none").collect();
        let same = read.len() == wanted.len() && read.iter().zip(&wanted).all(|(found, wanted)| is_as_wanted(found, wanted));
        if !same {
            let read: Vec<String> = read.iter().map(|found| format!("{:?} {}", found.span, found.readings[0].value.to_f64())).collect();
            wrong.push(format!("{line}: {}", read.join(", ")));
        }
    }
    assert!(count > 500, "only {count} forms");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
