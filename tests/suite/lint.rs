//! The shipped drills are clean, and each kind of bad content is caught, where it stands, with a fix.

use std::path::Path;

use drillmark::answer::{Answer, Kind};
use drillmark::diagnostic::{CODES, Diagnostic, Severity, Stage};
use drillmark::drill::{Drill, Library, Seed};
use drillmark::lint::{self, Subject};
use drillmark::report::diagnostics;
use drillmark::text::Source;

/// A small drill of which nothing is to be said, to put something into.
const DRILL: &str = r#"
format = 1
id = "ring"
title = "A small ring"
summary = "Two terms and their sum."

[defaults]
tolerance = "1 %"
min_figures = 3

[given]
P = { value = "8", noun = "GPUs", says = "the ranks" }
alpha = { value = "10 us", says = "the latency of one step", symbols = ["α"] }
S = { value = "3 MB", says = "the message" }
B = { value = "10 GB/s", says = "the bandwidth" }

[let]
L = { value = "2*(P-1)*alpha", says = "the latency term" }
V = { value = "2*(P-1)/P * S/B", says = "the bandwidth term" }

[[part]]
id = "a"
title = "Terms"
topics = ["all terms"]
text = "A ring of 8 GPUs reduces 3 MB ({Size}). Work out every term."

[[part.ask]]
id = "a.latency"
asks = "the latency term"
value = "L"
unit = "us"
required = true
cues = ["latency"]
mistake = [
    { id = "a_lat_2P", value = "2*P*alpha", says = "A ring has one hop fewer than ranks, each way." },
    { id = "a_lat_once", value = "(P-1)*alpha", says = "An all-reduce goes around twice." },
]

[[part.ask]]
id = "a.bandwidth"
asks = "the bandwidth term"
value = "V"
unit = "us"
required = true
cues = ["bandwidth"]
not_cues = ["steps"]
reading = [{ id = "a_bw_all", value = "2*S/B", credit = "full", says = "without (P-1)/P" }]

[[part.ask]]
id = "a.total"
asks = "the total"
value = "L + V"
unit = "us"
required = true
cues = ["total"]
sum = ["a.latency", "a.bandwidth"]

[[part.ask]]
id = "a.count"
asks = "how many steps there are"
value = "2*(P-1)"
noun = "steps"
kind = "count"
required = true
cues = ["steps"]
"#;

/// What the small drill is worth.
const RUBRIC: &str = r#"
format = 1
id = "ring"
drill = "ring"

[values]
"a.latency" = 1
"a.bandwidth" = 1
"a.total" = 1
"a.count" = 1

[concept.overlap]
phrases = ["overlap*"]

[[criterion]]
id = "a.overlap"
part = "a"
points = 1
kind = "argument"
says = "Speaks of overlap."
met = "overlap"
sample = [{ text = "It overlaps.", outcome = "met" }]
because = { few-samples = "as small as a file can be" }
student = { met = "You speak of overlap.", hint = "What happens at the same time?" }
"#;

fn subject(drill: &str, rubric: &str) -> Subject {
    Subject {
        id: "ring".to_owned(),
        drill: Some(Source::new("drills/ring.toml", drill)),
        rubric: Some(Source::new("rubrics/ring.toml", rubric)),
        model: None,
        cases: Vec::new(),
    }
}

#[test]
fn every_shipped_drill_is_clean() {
    let subjects = lint::within(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("the repository is a course");
    assert!(subjects.len() >= 11 && subjects.iter().all(|subject| !subject.cases.is_empty()));
    let found: Vec<Diagnostic> = lint::check_all(&subjects, 5).into_iter().flatten().collect();
    let sources: Vec<&Source> = subjects.iter().flat_map(Subject::sources).collect();
    assert!(found.is_empty(), "\n{}", diagnostics::explained(&found, &sources));
}

#[test]
fn the_small_drill_is_clean() {
    let subject = subject(DRILL, RUBRIC);
    let found = lint::check(&subject, 5);
    let sources: Vec<&Source> = subject.sources().collect();
    assert!(found.is_empty(), "\n{}", diagnostics::explained(&found, &sources));
}

/// What is put into the drill, what it becomes, the code that is told, and what is underlined.
const BAD_DRILLS: &[(&str, &str, &str, &str)] = &[
    // R16: the key passes its own rule at every precision.
    (
        r#"unit = "us"
required = true
cues = ["latency"]"#,
        r#"unit = "us"
required = true
cues = ["lag"]
not_cues = ["latency term"]"#,
        "reference-fails-itself",
        "\"L\"",
    ),
    (r#"value = "2*P*alpha""#, r#"value = "2*(P-1)*alpha""#, "mistake-is-right", "\"2*(P-1)*alpha\""),
    (r#"value = "(P-1)*alpha""#, r#"value = "2*P*alpha*1.001""#, "mistakes-coincide", "\"2*P*alpha*1.001\""),
    (
        r#"says = "without (P-1)/P" }]"#,
        r#"says = "without (P-1)/P" }]
mistake = [{ id = "a_bw_limit", value = "2*S/B", says = "Not quite." }]"#,
        "mistake-is-reading",
        "\"2*S/B\"",
    ),
    (r#"value = "2*S/B", credit = "full""#, r#"value = "V*1.001", credit = "supporting""#, "reading-is-reference", "\"V*1.001\""),
    (r#"says = "without (P-1)/P" }]"#, r#"says = "without (P-1)/P", tolerance = "2 %" }]"#, "reading-more-lenient", "\"2 %\""),
    (
        r#"asks = "the bandwidth term""#,
        r#"tolerance = "8 %"
asks = "the bandwidth term""#,
        "tolerance-hides-prefix",
        "\"8 %\"",
    ),
    (
        r#"asks = "the total""#,
        r#"tolerance = "25 %"
asks = "the total""#,
        "tolerance-hides-term",
        "[\"a.latency\", \"a.bandwidth\"]",
    ),
    (
        r#"kind = "count""#,
        r#"kind = "count"
tolerance = "10 %""#,
        "count-by-tolerance",
        "\"count\"",
    ),
    (
        r#"value = "2*(P-1)"
noun"#,
        r#"value = "2*(P-1)/4"
noun"#,
        "count-not-whole",
        "\"2*(P-1)/4\"",
    ),
    // Units and dimensions are told while the files are read, by the same means.
    (r#"unit = "us""#, r#"unit = "GB""#, "wrong-dimension", "\"GB\""),
    (r#"value = "2*P*alpha""#, r#"value = "2*P*S""#, "wrong-dimension", "\"2*P*S\""),
    // Names and words.
    ("[let]", "Q = { value = \"3\", says = \"nothing\" }\n[let]", "unused-name", "Q"),
    (r#"symbols = ["α"]"#, r#"symbols = ["α", "L"]"#, "symbols-collide", "\"L\""),
    (r#"cues = ["bandwidth"]"#, r#"cues = ["latency"]"#, "cues-collide", "\"latency\""),
    (r#"cues = ["bandwidth"]"#, r#"cues = ["latency"]"#, "asks-not-told-apart", "\"a.bandwidth\""),
    (r#"not_cues = ["steps"]"#, r#"not_cues = ["bandwidth"]"#, "cue-denied", "\"bandwidth\""),
    (r#"says = "A ring has one hop fewer than ranks, each way.""#, r#"says = """#, "nothing-said", "\"\""),
    (r#"says = "An all-reduce goes around twice.""#, r#"says = "Twice.", words = ["work out"]"#, "phrase-in-question", "\"work out\""),
    // Leaks: in another unit, and rounded.
    (r#"says = "An all-reduce goes around twice.""#, r#"says = "It is 0.14 ms.""#, "expected-number-told", "\"It is 0.14 ms.\""),
    (r#"says = "An all-reduce goes around twice.""#, r#"says = "Together 665 µs.""#, "expected-number-told", "\"Together 665 µs.\""),
    // Mutants.
    (
        r#"value = "2*(P-1)"
noun"#,
        r#"tolerance = "20 %"
because = { count-by-tolerance = "so that something survives" }
value = "2*(P-1)"
noun"#,
        "mutant-survives",
        "\"2*(P-1)\"",
    ),
    // Answers without content.
    (r#"title = "Terms""#, r#"title = "525 us bandwidth""#, "empty-answer-judged", "\"the bandwidth term\""),
    // Variants.
    (r#"P = { value = "8","#, r#"P = { value = "8", from = ["2", "GB"],"#, "bad-variants", "\"GB\""),
    (r#"P = { value = "8","#, r#"P = { value = "8", range = ["9", "3"], step = "1","#, "bad-variants", ""),
    (r#"L = { value"#, r#"L = { from = ["1 s"], value"#, "bad-variants", "\"1 s\""),
    (r#"P = { value = "8","#, r#"P = { value = "8", from = ["512"],"#, "degenerate-variant", "[\"512\"]"),
    (r#"S = { value = "3 MB","#, r#"S = { value = "3 MB", from = ["4 MB"],"#, "fixed-number", "reduces 3 MB"),
    (r#"S = { value = "3 MB","#, r#"S = { value = "3 MB", from = ["4 MB"],"#, "unfilled-place", "{Size}"),
    // Reasons.
    (
        r#"cues = ["bandwidth"]"#,
        r#"because = { cues-colide = "no" }
cues = ["bandwidth"]"#,
        "unknown-code",
        "cues-colide",
    ),
    (
        r#"cues = ["bandwidth"]"#,
        r#"because = { cues-collide = "no longer" }
cues = ["bandwidth"]"#,
        "reason-without-finding",
        "cues-collide",
    ),
    (
        r#"cues = ["bandwidth"]"#,
        r#"because = { cues-collide = "" }
cues = ["bandwidth"]"#,
        "bad-reason",
        "\"\"",
    ),
];

/// The same for the rubric.
const BAD_RUBRICS: &[(&str, &str, &str, &str)] = &[
    ("\"a.total\" = 1", "\"a.total\" = 0", "no-points", "\"a.total\""),
    ("points = 1", "points = 0", "no-points", "0"),
    ("[[criterion]]", "[concept.idle]\nphrases = [\"idle\"]\n[[criterion]]", "unused-concept", "idle"),
    ("met = \"overlap\"", "not_met = \"overlap\"", "unreachable-points", "\"argument\""),
    ("outcome = \"met\"", "outcome = \"not_met\"", "sample-decided-wrongly", "\"It overlaps.\""),
    ("sample = [{ text = \"It overlaps.\", outcome = \"met\" }]", "", "rule-without-sample", "\"overlap\""),
    ("because = { few-samples = \"as small as a file can be\" }\n", "", "few-samples", "It overlaps."),
    (", hint = \"What happens at the same time?\"", "", "nothing-said", ""),
    ("hint = \"What happens at the same time?\"", "hint = \"Is it not 140 µs?\"", "expected-number-told", "\"Is it not 140 µs?\""),
    ("phrases = [\"overlap*\"]", "phrases = [\"every term\"]", "phrase-in-question", "\"overlap\""),
];

#[test]
fn each_kind_of_bad_content_is_caught_where_it_stands_with_a_fix() {
    let in_drill = BAD_DRILLS.iter().map(|(good, bad, code, place)| (DRILL, *good, *bad, *code, *place, true));
    let in_rubric = BAD_RUBRICS.iter().map(|(good, bad, code, place)| (RUBRIC, *good, *bad, *code, *place, false));
    let missed: Vec<String> = in_drill
        .chain(in_rubric)
        .filter_map(|(text, good, bad, code, place, in_drill)| {
            assert!(text.contains(good), "{good} stands in the small files");
            let changed = text.replacen(good, bad, 1);
            let (drill, rubric) = if in_drill { (changed.as_str(), RUBRIC) } else { (DRILL, changed.as_str()) };
            missed(drill, rubric, code, place)
        })
        .collect();
    assert!(missed.is_empty(), "\n{}", missed.join("\n"));
}

/// What is wrong with how something is told; nothing when this code is told at this place, with why and a fix.
fn missed(drill: &str, rubric: &str, code: &str, place: &str) -> Option<String> {
    let subject = subject(drill, rubric);
    let told = lint::check(&subject, 5);
    let at = |diagnostic: &Diagnostic| {
        let label = diagnostic.labels.first()?;
        let source = subject.sources().find(|source| source.name() == label.file)?;
        Some(source.slice(label.span).to_owned())
    };
    let Some(diagnostic) =
        told.iter().find(|diagnostic| diagnostic.code == code && at(diagnostic).is_some_and(|text| text.contains(place)))
    else {
        let told: Vec<_> = told.iter().map(|diagnostic| (diagnostic.code, &diagnostic.title, at(diagnostic))).collect();
        return Some(format!("{code} is not told at {place}, but {told:#?}"));
    };
    let sources: Vec<&Source> = subject.sources().collect();
    let list: serde_json::Value = serde_json::from_str(&diagnostics::json(std::slice::from_ref(diagnostic), &sources)).expect("JSON");
    let said = |key: &str| list[0][key].as_str().is_some_and(|text| !text.is_empty());
    let whole = said("title") && said("why") && said("fix") && !diagnostic.title.ends_with('.');
    (!whole).then(|| format!("{code} is told as {list:#}"))
}

#[test]
fn a_reason_answers_what_it_names_and_nothing_else() {
    let with = |because: &str| {
        let bad = format!("cues = [\"latency\", \"second\"]\n{because}");
        let drill = DRILL.replacen("cues = [\"bandwidth\"]", &bad, 1);
        let codes: Vec<&str> = lint::check(&subject(&drill, RUBRIC), 0).iter().map(|found| found.code).collect();
        codes
    };
    assert!(with("").contains(&"cues-collide"));
    assert!(!with("because = { cues-collide = \"both are\" }").contains(&"cues-collide"));
    assert!(!with("because = { cues-collide = { latency = \"both are\" } }").contains(&"cues-collide"));
    let other = with("because = { cues-collide = { lag = \"both are\" } }");
    assert!(other.contains(&"cues-collide") && other.contains(&"reason-without-finding"), "{other:?}");
    // Mutants are answered one by one, or by the place in the formula, never all at once.
    let wide = DRILL.replacen("kind = \"count\"", "kind = \"count\"\ntolerance = \"20 %\"", 1);
    let count = |because: &str| {
        let drill =
            wide.replacen("kind = \"count\"", &format!("kind = \"count\"\nbecause = {{ count-by-tolerance = \"\u{2026}\"{because} }}"), 1);
        lint::check(&subject(&drill, RUBRIC), 0).iter().filter(|found| found.code == "mutant-survives").count()
    };
    assert!(count("") > 0);
    assert_eq!(count(", mutant-survives = \"all of them\""), count(""));
    assert_eq!(count(", mutant-survives = { \"P-1\" = \"one GPU\" }"), 0);
}

#[test]
fn a_broken_file_is_told_by_the_same_means() {
    let drill = DRILL.replacen("\"2*(P-1)*alpha\"", "\"2*(P-1)*alhpa\"", 1).replacen("unit = \"us\"", "unit = \"usec/\"", 1);
    let codes: Vec<&str> = lint::check(&subject(&drill, RUBRIC), 0).iter().map(|found| found.code).collect();
    assert!(codes.contains(&"unknown-name") && codes.contains(&"unknown-unit"), "{codes:?}");
    let alone = Subject { rubric: None, ..subject(DRILL, RUBRIC) };
    assert_eq!(lint::check(&alone, 0)[0].code, "drill-without-rubric");
    let alone = Subject { drill: None, ..subject(DRILL, RUBRIC) };
    assert_eq!(lint::check(&alone, 0)[0].code, "rubric-without-drill");
}

#[test]
fn whatever_stands_in_the_files_is_told_and_never_a_panic() {
    let variants = |text: &str| -> Vec<String> {
        let lines: Vec<&str> = text.lines().collect();
        let without = (0..lines.len()).map(|at| [&lines[..at], &lines[at + 1..]].concat().join("\n"));
        let twice = (0..lines.len()).map(|at| [&lines[..=at], &lines[at..]].concat().join("\n"));
        let cut = (0..lines.len()).map(|at| lines[..at].join("\n"));
        without.chain(twice).chain(cut).collect()
    };
    // Every fifth is enough to touch each kind of line.
    for drill in variants(DRILL).iter().step_by(5) {
        lint::check(&subject(drill, RUBRIC), 1);
    }
    for rubric in variants(RUBRIC).iter().step_by(5) {
        lint::check(&subject(DRILL, rubric), 0);
    }
}

#[test]
fn a_model_answer_has_to_earn_full_marks() {
    let model = |text: &str| Subject { model: Some(Source::new("drills/ring.answer.md", text)), ..subject(DRILL, RUBRIC) };
    let good = "## (a) Terms\n\nIt overlaps. The latency is 140 µs, the bandwidth term 525 µs, the total 665 µs, in 14 steps.\n";
    assert_eq!(lint::check(&model(good), 0), []);
    let found = lint::check(&model(&good.replace("525 µs", "410 µs").replace("It overlaps. ", "")), 0);
    let codes: Vec<&str> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes, ["model-answer-loses-points", "model-answer-loses-points"], "{found:#?}");
    assert_eq!(found[0].labels[1].file, "drills/ring.answer.md");
}

#[test]
fn findings_are_drawn_with_why_and_fix() {
    let drill = DRILL
        .replacen("value = \"(P-1)*alpha\"", "value = \"2*P*alpha*1.001\"", 1)
        .replacen("cues = [\"bandwidth\"]", "cues = [\"bandwidth\", \"latency\"]", 1)
        .replacen("kind = \"count\"", "kind = \"count\"\ntolerance = \"15 %\"\nbecause = { count-by-tolerance = \"…\" }", 1);
    let subject = subject(&drill, &RUBRIC.replacen("outcome = \"met\"", "outcome = \"not_met\"", 1));
    let sources: Vec<&Source> = subject.sources().collect();
    let drawn = diagnostics::explained(&lint::check(&subject, 0), &sources);
    insta::assert_snapshot!("lint", anstream::adapter::strip_str(&drawn).to_string());
}

#[test]
fn the_same_seed_draws_the_same_variant_and_it_is_graded_by_its_own_values() {
    let drill = Library::built_in().load("kv-cache").expect("a shipped drill");
    let values = |drill: &Drill| -> Vec<String> { drill.names.iter().map(|name| name.formula.text().to_owned()).collect() };
    let one = lint::variant(&drill, &Seed::named("7"));
    assert_eq!(values(&one), values(&lint::variant(&drill, &Seed::named("7"))));
    let drawn: std::collections::BTreeSet<Vec<String>> =
        (0..50).map(|seed| values(&lint::variant(&drill, &Seed::named(&seed.to_string())))).collect();
    assert!(drawn.len() > 25, "{} of 50 variants differ", drawn.len());
    // A student's variant hangs on the secret.
    let of = |salt: &[u8]| values(&lint::variant(&drill, &Seed::of_student("s017", salt)));
    assert_eq!(of(b"a secret"), of(b"a secret"));
    assert!((0..9_u8).any(|salt| of(&[salt; 8]) != of(b"a secret")));
    // The question shows what the solver works with.
    let layers = one.name("L").map(|name| one.names[name.0].formula.text().to_owned()).expect("the layers");
    assert!(one.parts[0].text.contains(&format!("{layers} layers")), "{}", one.parts[0].text);
    assert!(drill.parts[0].text.contains("40 layers"), "{}", drill.parts[0].text);
    // The drill's own answer is right for the drill, and wrong for a variant with another cache.
    let other = (0..).map(|seed| lint::variant(&drill, &Seed::named(&seed.to_string()))).find(|other| {
        let ratio = (other.asks[0].formula.value() / drill.asks[0].formula.value()).to_f64();
        !(0.6..1.7).contains(&ratio)
    });
    let text = "## (a) One sequence\n\nThe cache of one sequence is 6.71 GB.\n";
    let answer = Answer::read("a.md", text, Kind::Markdown);
    assert_eq!(drillmark::grade::grade(&drill, &answer).quantities[0].verdict.code(), "correct");
    assert_ne!(drillmark::grade::grade(&other.expect("such a variant"), &answer).quantities[0].verdict.code(), "correct");
}

#[test]
fn no_variant_of_a_shipped_drill_is_degenerate() {
    let library = Library::built_in();
    let varied: Vec<Subject> =
        lint::subjects(&library).into_iter().filter(|subject| library.load(&subject.id).is_ok_and(|drill| drill.varies())).collect();
    assert!(!varied.is_empty());
    let found: Vec<Diagnostic> = lint::check_all(&varied, 25).into_iter().flatten().collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn every_code_in_the_program_is_in_the_table() {
    let mut unknown = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let quoted = regex::Regex::new(r#"(?:error|tell|Fault::new|fault|whole_file)\(\s*(?:source, [^"]*)?"([a-z]+(?:-[a-z]+)+)"|code(?:: | = |: &'static str = )"([a-z]+(?:-[a-z]+)*)""#)
        .expect("a pattern");
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).expect("src is readable").map(|entry| entry.expect("an entry is readable").path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source file is readable");
        let ours = ["drill", "formula", "lint"].iter().any(|module| path.to_string_lossy().contains(&format!("src/{module}")));
        for found in quoted.captures_iter(&text).filter(|_| ours) {
            let code = found.get(1).or(found.get(2)).map_or("", |code| code.as_str());
            if !CODES.iter().any(|known| known.code == code) {
                unknown.push(format!("{}: {code}", path.display()));
            }
        }
    }
    assert!(unknown.is_empty(), "\n{}", unknown.join("\n"));
    // What keeps a file from being read is an error.
    assert!(CODES.iter().all(|code| code.stage == Stage::Checking || code.severity == Severity::Error));
}
