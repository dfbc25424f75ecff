//! Every known mistake of a drill, written as a student would into an otherwise perfect answer, is caught and named.
//!
//! `tests/holes/<drill>/` holds answers with a hole `{ask}` for each value.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use drillmark::answer::{Answer, Kind};
use drillmark::drill::{Ask, AskKind, Drill};
use drillmark::formula::Formula;
use drillmark::grade::{Grader, Mistake, Verdict};

use crate::shipped;

/// An answer with a hole for each value.
struct Holes {
    name: String,
    text: String,
    kind: Kind,
}

#[test]
fn the_reference_in_every_hole_is_perfect() {
    let mut wrong = String::new();
    for drill in shipped::drills() {
        let grader = Grader::new(drill);
        for holes in Holes::of(&drill.id) {
            let grade = grader.grade(&holes.filled(&references(drill)));
            for finding in grade.quantities.iter().filter(|finding| finding.verdict != Verdict::Correct) {
                let _ = writeln!(wrong, "{}: {} is {}", holes.name, finding.ask, finding.verdict.code());
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Each mistake in one of the answers, in turn: all in all would take a minute.
#[test]
fn each_mistake_in_a_perfect_answer_is_named() {
    let mut wrong = String::new();
    for drill in shipped::drills() {
        let grader = Grader::new(drill);
        let answers = Holes::of(&drill.id);
        let mistakes = drill.asks.iter().flat_map(|ask| ask.mistakes.iter().map(move |mistake| (ask, mistake)));
        for ((ask, mistake), holes) in mistakes.zip(answers.iter().cycle()) {
            let mut values = references(drill);
            values.insert(&ask.id, written(ask, &mistake.formula));
            let grade = grader.grade(&holes.filled(&values));
            for finding in &grade.quantities {
                let named = match &finding.mistake {
                    Some(Mistake::Listed(id)) => id,
                    _ => "nothing listed",
                };
                let fine = match finding.ask == ask.id {
                    true => finding.verdict == Verdict::Slip && named == mistake.id,
                    false => finding.verdict == Verdict::Correct,
                };
                if !fine {
                    let (found, verdict, value) = (&finding.ask, finding.verdict.code(), &values[ask.id.as_str()]);
                    let _ = writeln!(wrong, "{}: {} = {value} ({}), but {found} is {verdict} ({named})", holes.name, ask.id, mistake.id);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// What a perfect answer writes for each ask.
fn references(drill: &Drill) -> BTreeMap<&str, String> {
    drill.asks.iter().map(|ask| (ask.id.as_str(), written(ask, &ask.formula))).collect()
}

/// A value as a student would write it: in the ask's natural unit, with four significant figures.
fn written(ask: &Ask, formula: &Formula) -> String {
    let value = formula.value().to_f64();
    let Some(unit) = &ask.unit else {
        return match ask.kind {
            AskKind::Count => format!("{value:.0}"),
            _ => figures(value),
        };
    };
    let number = figures(value / unit.factor.to_f64());
    match unit.symbol.as_str() {
        "x" => format!("{number}x"),
        symbol => format!("{number} {symbol}"),
    }
}

/// Four significant figures, without a power of ten and without zeros at the end.
fn figures(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let places = (3 - value.abs().log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

impl Holes {
    fn of(drill: &str) -> Vec<Holes> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/holes").join(drill);
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
        paths.sort();
        let read = |path: PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("a listed file is readable");
            Holes { kind: Kind::of_name(&name).expect("its name says what it is"), name, text }
        };
        paths.into_iter().map(read).collect()
    }

    fn filled(&self, values: &BTreeMap<&str, String>) -> Answer {
        let mut text = self.text.clone();
        for (ask, value) in values {
            text = text.replace(&format!("{{{ask}}}"), value);
        }
        Answer::read(self.name.as_str(), text, self.kind)
    }
}
