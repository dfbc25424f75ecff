//! The shipped drills are clean, and each kind of bad content is caught where it stands.

use drillmark::diagnostic::Diagnostic;
use drillmark::drill::{Drill, Library};
use drillmark::text::Source;

/// A small drill without a mistake, to put one into.
const DRILL: &str = r#"
format = 1
id = "ring"
title = "A small ring"
summary = "Two terms and their sum."

[given]
P = { value = "8", noun = "GPUs", says = "the ranks" }
alpha = { value = "10 us", says = "the latency of one step" }
S = { value = "1 GB", says = "the message" }
B = { value = "50 GB/s", says = "the bandwidth" }

[let]
L = { value = "2*(P-1)*alpha", says = "the latency term" }
V = { value = "2*(P-1)/P * S/B", says = "the bandwidth term" }

[[part]]
id = "a"
title = "Terms"
topics = ["both terms"]
text = "Work out both terms."

[[part.ask]]
id = "a.latency"
asks = "the latency term"
value = "L"
unit = "us"
required = true
cues = ["latency"]
mistake = [{ id = "a_lat_2P", value = "2*P*alpha", says = "A ring has one hop fewer than ranks, each way." }]

[[part.ask]]
id = "a.bandwidth"
asks = "the bandwidth term"
value = "V"
unit = "ms"
required = true
cues = ["bandwidth"]

[[part.ask]]
id = "a.total"
asks = "the total"
value = "L + V"
unit = "ms"
required = true
cues = ["total"]
sum = ["a.latency", "a.bandwidth"]
"#;

/// What the small drill is worth.
const RUBRIC: &str = r#"
format = 1
id = "ring"
drill = "ring"
total = 5

[values]
"a.latency" = 1
"a.bandwidth" = 1
"a.total" = 1

[concept.overlap]
phrases = ["overlap*"]

[[criterion]]
id = "a.separate"
part = "a"
points = 1
kind = "separate"
says = "Shows both terms."
separate = { of = "a.total", terms = ["a.latency", "a.bandwidth"] }

[[criterion]]
id = "a.overlap"
part = "a"
points = 1
kind = "argument"
says = "Speaks of overlap."
met = "overlap"
sample = [{ text = "It overlaps.", outcome = "met" }]
"#;

fn load(drill: &str, rubric: &str) -> Result<Drill, Vec<Diagnostic>> {
    Drill::load(&Source::new("drills/ring.toml", drill), &Source::new("rubrics/ring.toml", rubric))
}

#[test]
fn every_shipped_drill_loads_clean() {
    let library = Library::built_in();
    let ids: Vec<&str> = library.ids().collect();
    assert!(ids.contains(&"communication-budget"), "{ids:?}");
    for id in ids {
        let drill = library.load(id).unwrap_or_else(|trouble| panic!("{id}: {trouble:#?}"));
        let values: f64 = drill.rubric.values.iter().sum();
        let criteria: f64 = drill.rubric.criteria.iter().map(|criterion| criterion.points).sum();
        assert!((values + criteria - drill.rubric.possible).abs() < 1e-9, "{id}: points add up");
    }
}

#[test]
fn the_small_drill_is_clean() {
    load(DRILL, RUBRIC).unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}"));
}

#[test]
fn each_kind_of_bad_drill_is_caught_where_it_stands() {
    let cases = [
        ("format = 1", "format = 2", "wrong-format", "2"),
        ("id = \"ring\"", "id = \"star\"", "id-and-file-differ", "\"star\""),
        ("title = ", "titel = ", "unknown-key", "titel"),
        ("[let]", "[let]\nX = true", "wrong-type", "true"),
        ("\"2*(P-1)*alpha\"", "\"2*(P-1)*alhpa\"", "unknown-name", "alhpa"),
        ("\"2*(P-1)*alpha\"", "\"2*(P-1)*V/L*alpha\"", "cycle", "L"),
        ("\"2*(P-1)*alpha\"", "\"2*(P-1*alpha\"", "formula-syntax", "("),
        ("\"L + V\"", "\"L + S\"", "dimension-mismatch", ""),
        ("unit = \"us\"", "unit = \"GB\"", "wrong-dimension", "\"GB\""),
        ("unit = \"us\"", "unit = \"usec/\"", "unknown-unit", "\"usec/\""),
        ("id = \"a.bandwidth\"", "id = \"a.latency\"", "duplicate-id", "\"a.latency\""),
        ("cues = [\"latency\"]", "cues = [\"(latency\"]", "bad-phrase", "("),
        ("sum = [\"a.latency\", \"a.bandwidth\"]", "sum = [\"a.latency\", \"a.width\"]", "unknown-ask", "\"a.width\""),
        ("sum = [\"a.latency\", \"a.bandwidth\"]", "sum = [\"a.latency\"]", "not-the-sum", ""),
        ("\"2*P*alpha\"", "\"2*P*S\"", "wrong-dimension", ""),
        ("value = \"8\"", "value = \"8", "toml-syntax", ""),
    ];
    let missed = cases.iter().filter_map(|(good, bad, code, place)| {
        assert!(DRILL.contains(good), "{good} stands in the small drill");
        missed(&DRILL.replacen(good, bad, 1), RUBRIC, code, place)
    });
    let missed: Vec<String> = missed.collect();
    assert!(missed.is_empty(), "\n{}", missed.join("\n"));
}

#[test]
fn each_kind_of_bad_rubric_is_caught_where_it_stands() {
    let cases = [
        ("drill = \"ring\"", "drill = \"star\"", "wrong-drill", "\"star\""),
        ("total = 5", "total = 6", "points-do-not-add-up", "6"),
        ("\"a.total\" = 1", "\"a.totals\" = 1", "unknown-ask", "\"a.totals\""),
        ("kind = \"argument\"", "kind = \"arguments\"", "unknown-kind", "\"arguments\""),
        ("met = \"overlap\"", "met = \"overlapp\"", "bad-rule", "overlapp"),
        ("met = \"overlap\"", "met = \"overlap &\"", "bad-rule", ""),
        ("phrases = [\"overlap*\"]", "phrases = [\"over [lap\"]", "bad-phrase", "["),
        ("outcome = \"met\"", "outcome = \"good\"", "unknown-outcome", "\"good\""),
        ("part = \"a\"\npoints = 1\nkind = \"argument\"", "part = \"z\"\npoints = 1\nkind = \"argument\"", "unknown-part", "\"z\""),
    ];
    let missed = cases.iter().filter_map(|(good, bad, code, place)| {
        assert!(RUBRIC.contains(good), "{good} stands in the small rubric");
        missed(DRILL, &RUBRIC.replacen(good, bad, 1), code, place)
    });
    let missed: Vec<String> = missed.collect();
    assert!(missed.is_empty(), "\n{}", missed.join("\n"));
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let drill = DRILL.replacen("unit = \"us\"", "unit = \"GB\"", 1).replacen("\"2*(P-1)/P * S/B\"", "\"2*(P-1)/Q * S/B\"", 1);
    let rubric = RUBRIC.replacen("total = 5", "total = 6", 1);
    let codes: Vec<&str> = load(&drill, &rubric).expect_err("three errors").iter().map(|diagnostic| diagnostic.code).collect();
    for code in ["wrong-dimension", "unknown-name", "points-do-not-add-up"] {
        assert!(codes.contains(&code), "{code} in {codes:?}");
    }
}

/// What is wrong with how a mistake is told; nothing when this code is told at this place.
fn missed(drill: &str, rubric: &str, code: &str, place: &str) -> Option<String> {
    let Err(told) = load(drill, rubric) else { return Some(format!("{code} is not caught")) };
    let Some(diagnostic) = told.iter().find(|diagnostic| diagnostic.code == code) else {
        let codes: Vec<_> = told.iter().map(|diagnostic| (diagnostic.code, &diagnostic.title)).collect();
        return Some(format!("{code} is not told, but {codes:?}"));
    };
    let Some(first) = diagnostic.labels.first() else { return Some(format!("{code} is told without a place")) };
    let text = if first.file.starts_with("drills") { drill } else { rubric };
    let found = &text[first.span.range()];
    if !found.contains(place) {
        return Some(format!("{code} is told at {found:?}, not at {place:?}"));
    }
    (diagnostic.title.is_empty() || diagnostic.title.ends_with('.')).then(|| format!("{code} is told as {:?}", diagnostic.title))
}
