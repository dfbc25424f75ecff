//! What students read gives no expected number away that they have not written: in no unit, in no rounding.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::answer::Answer;
use crate::drill::{AskKind, Drill, Origin};
use crate::grade::Grade;
use crate::lint::Bench;
use crate::lint::told::Thing;
use crate::quantity::Number;
use crate::report::{self, Graded, Layout, Reader, Submission};
use crate::text::Span;

/// A number as sentences write it: `1,240`, `2.6e9`, `6.02·10²³`.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+|·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?").expect("a pattern"));
/// What a report says about places is no value.
static PLACE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\blines? \d+").expect("a pattern"));

/// The numbers that a drill asks for, and those that its question gives.
pub(super) struct Secrets {
    /// The significant figures of every expected value in every unit of its dimension, to two figures and up to six.
    expected: BTreeSet<String>,
    known: BTreeSet<String>,
}

impl Secrets {
    pub(super) fn of(drill: &Drill) -> Secrets {
        let mut expected = BTreeSet::new();
        for ask in &drill.asks {
            let ends = match &ask.kind {
                AskKind::Value | AskKind::Count => vec![ask.formula.value()],
                AskKind::Range(range) => vec![range.low.value(), range.high.value()],
            };
            let unit = ask.unit.iter().map(|unit| unit.factor);
            let units = UNITS.iter().flat_map(|unit| drill.units.read(unit)).filter(|unit| unit.dimension == ask.formula.dimension());
            let factors: Vec<Number> = units.map(|unit| unit.factor).chain(unit).chain([Number::ONE]).collect();
            for value in ends {
                expected.extend(factors.iter().flat_map(|factor| spellings((value / *factor).to_f64())));
            }
        }
        let texts = drill.all_parts().flat_map(|part| [part.title.as_str(), part.text.as_str()]);
        let givens = drill.names.iter().filter(|name| name.origin == Origin::Given).map(|name| name.formula.text());
        // What the prefixes of units mean is in the question's words.
        let texts = texts.chain([drill.title.as_str(), drill.summary.as_str(), "1000 1024"]).chain(givens);
        Secrets { expected, known: texts.flat_map(numbers).map(|(_, number)| number).collect() }
    }

    /// The expected numbers in a text that its reader does not know, with their places.
    fn told(&self, text: &str, known: &BTreeSet<String>) -> Vec<(Span, String)> {
        numbers(text)
            .filter(|(_, number)| self.expected.contains(number) && !self.known.contains(number) && !known.contains(number))
            .collect()
    }
}

/// The units in which people write down what drills ask for.
const UNITS: &[&str] = &[
    "s", "ms", "us", "ns", "min", "h", "day", "B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "bit", "Mbit", "Gbit", "%", "GB/s",
    "MB/s", "Gbit/s", "FLOP", "GFLOP", "TFLOP", "PFLOP", "TFLOP/s", "PFLOP/s", "m", "cm", "km", "mm", "kg", "g", "N", "J", "kJ", "W", "kW",
    "V", "A", "Hz", "K",
];

/// A value to two and up to six significant figures. One digit is in every sentence; it gives nothing away.
fn spellings(value: f64) -> BTreeSet<String> {
    let rounded = (2..=6_usize).filter_map(|figures| format!("{:.*e}", figures - 1, value.abs()).parse::<f64>().ok());
    rounded.map(plain).filter(|text| text.chars().filter(char::is_ascii_digit).count() > 1).collect()
}

/// One spelling a value: how it was rounded, grouped or raised makes no difference.
fn plain(value: f64) -> String {
    if value != 0.0 && !(1e-5..1e9).contains(&value) { format!("{value:e}") } else { value.to_string() }
}

/// The numbers of a text with their places.
fn numbers(text: &str) -> impl Iterator<Item = (Span, String)> + '_ {
    // The digits of `bf16` and `H100` are letters of a name.
    let in_word = |at: usize| text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
    NUMBER.find_iter(text).filter(move |found| !in_word(found.start())).filter_map(|found| {
        let raised: String = found
            .as_str()
            .chars()
            .map(|c| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|sup| sup == c).map_or(c, |digit| char::from(b'0' + digit as u8)))
            .collect();
        let number = raised.replace(',', "").replace("·10", "e").replace('⁻', "-");
        let value: f64 = number.trim_end_matches('.').parse().ok()?;
        Some((Span::new(found.start(), found.end()), plain(value)))
    })
}

/// Looks at every sentence of the drill and of its rubric that students may read.
pub(super) fn check(bench: &Bench) {
    let drill = bench.drill;
    let look = |thing: Thing, key: &'static str, whose: &str, text: &str| {
        for (_, number) in bench.secrets.told(text, &BTreeSet::new()) {
            let title = format!("`{whose}` tells `{number}`, which is asked for");
            bench.told.tell("expected-number-told", thing, thing.at(key), title).about(number);
        }
    };
    // What a name is, stands in sentences about mistakes that need no listing.
    drill.names.iter().for_each(|name| look(bench.name(name), "says", &name.name, &name.says));
    for part in drill.all_parts() {
        let thing = bench.part(part);
        look(thing, "title", &part.id, &part.title);
    }
    for ask in &drill.asks {
        look(bench.ask(ask), "asks", &ask.id, &ask.asks);
        ask.mistakes.iter().for_each(|mistake| look(bench.mistake(ask, &mistake.id), "says", &mistake.id, &mistake.says));
        // What a reading is called is told to whoever has written its value.
        for reading in &ask.readings {
            let factors = ask.unit.iter().chain(&reading.unit).map(|unit| unit.factor).chain([Number::ONE]);
            let own: BTreeSet<String> = factors.flat_map(|factor| spellings((reading.formula.value() / factor).to_f64())).collect();
            let thing = bench.reading(ask, &reading.id);
            for (_, number) in bench.secrets.told(&reading.says, &own) {
                let title = format!("`{}` tells `{number}`, which is asked for", reading.id);
                bench.told.tell("expected-number-told", thing, thing.at("says"), title).about(number);
            }
        }
    }
    for criterion in &drill.rubric.criteria {
        let thing = bench.criterion(criterion);
        let words = &criterion.student;
        for (key, text) in [("met", &words.met), ("partly", &words.partly), ("not_met", &words.not_met), ("hint", &words.hint)] {
            let inside = thing.tree.get("student");
            for (_, number) in text.iter().flat_map(|text| bench.secrets.told(text, &BTreeSet::new())) {
                let title = format!("`{}` tells `{number}`, which is asked for", criterion.id);
                bench.told.tell("expected-number-told", thing, inside.get(key).span, title).about(number);
            }
        }
    }
}

/// Looks at what a student is shown about an answer; `about` says which answer it is.
pub(super) fn check_view(bench: &Bench, answer: &Answer, grade: &Grade, thing: Thing<'_>, about: &str) {
    let submission = Submission { id: "answer", file: "answer", sha256: "", arrival: None };
    let graded = Graded { submission, answer, drill: bench.drill, grade };
    let shown = report::render(&graded, Layout::Markdown, Reader::Student, false);
    // The summary counts verdicts; everything below it is about values.
    let shown = shown.split_once("\n## ").map_or("", |(_, body)| body);
    let shown = PLACE.replace_all(shown, "");
    let written: BTreeSet<String> = numbers(answer.source.text()).map(|(_, number)| number).collect();
    for (span, number) in bench.secrets.told(&shown, &written) {
        let title = format!("the feedback on {about} tells `{number}`, which is asked for");
        let line = shown[..span.start].rfind('\n').map_or(0, |at| at + 1);
        let line = shown[line..].lines().next().unwrap_or_default().trim().to_owned();
        bench.told.tell("expected-number-told", thing, thing.place(), title).says(line).about(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drill::Library;
    use crate::quantity::Units;

    #[test]
    fn units_are_known() {
        let units = Units::standard();
        let unknown: Vec<&&str> = UNITS.iter().filter(|unit| units.read(unit).is_empty()).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn the_search_finds_what_it_looks_for() {
        let drill = Library::built_in().load("communication-budget").expect("a shipped drill");
        let secrets = Secrets::of(&drill);
        for text in
            ["1.24", "1240", "0.2015", "201.5", "202", "202.74", "203", "2479.55", "2,479.55", "0.507", "50.7", "66.4", "2.0274·10²"]
        {
            assert_eq!(secrets.told(text, &BTreeSet::new()).len(), 1, "{text}");
        }
        for text in ["32", "400", "1.3e9", "1.3·10⁹", "7", "123.4", "bf16"] {
            assert_eq!(secrets.told(text, &BTreeSet::new()), [], "{text}");
        }
    }
}
