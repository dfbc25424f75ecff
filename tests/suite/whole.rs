//! Whole answers to every drill: what never changes a verdict, and what never lowers a score.
//!
//! The values come from the solver, so that nothing here was tuned; every third one is made wrong, so that errors and what
//! follows from them are in it too.

use std::collections::BTreeMap;
use std::fmt::Write;

use drillmark::answer::{Answer, Kind};
use drillmark::drill::{Ask, AskKind, Drill};
use drillmark::grade::{Grade, Grader, Points, ReviewWhy};

use crate::holes::{Holes, references, written};
use crate::shipped;

/// What a value is multiplied by to be wrong, far from every known mistake.
const WRONG: f64 = 1.37;

/// A value in its natural unit, before it is written.
#[derive(Clone, Copy)]
struct Value<'a> {
    ask: &'a Ask,
    number: f64,
}

impl<'a> Value<'a> {
    fn of(ask: &'a Ask) -> Value<'a> {
        let size = ask.unit.as_ref().map_or(1.0, |unit| unit.factor.to_f64());
        Value { ask, number: ask.formula.value().to_f64() / size }
    }

    fn times(self, factor: f64) -> Value<'a> {
        let number = self.number * factor;
        Value { number: if self.counts() { number.round() } else { number }, ..self }
    }

    fn counts(self) -> bool {
        matches!(self.ask.kind, AskKind::Count)
    }

    fn unit(self) -> &'a str {
        self.ask.unit.as_ref().map_or("", |unit| unit.symbol.as_str())
    }

    /// With so many significant figures, as decimal digits.
    fn digits(self, figures: i32) -> String {
        if self.number == 0.0 {
            return "0".to_owned();
        }
        if self.counts() && figures >= 4 {
            return format!("{:.0}", self.number);
        }
        let power = self.number.abs().log10().floor() as i32;
        let size = 10_f64.powi(power + 1 - figures);
        let places = usize::try_from(figures - 1 - power).unwrap_or(0);
        format!("{:.places$}", (self.number / size).round() * size)
    }

    fn with_unit(self, digits: &str) -> String {
        match self.unit() {
            "" => digits.to_owned(),
            "x" => format!("{digits}x"),
            unit => format!("{digits} {unit}"),
        }
    }

    fn plain(self) -> String {
        self.with_unit(&self.digits(4))
    }
}

/// Every value right; and every third one wrong.
fn settings(drill: &Drill) -> Vec<Vec<Value<'_>>> {
    let right: Vec<Value> = drill.asks.iter().map(Value::of).collect();
    let mut wrong = right.clone();
    wrong.iter_mut().step_by(3).for_each(|value| *value = value.times(WRONG));
    vec![wrong, right]
}

fn fill<'a>(values: &[Value<'a>], write: impl Fn(Value<'a>) -> String) -> BTreeMap<&'a str, String> {
    values.iter().map(|value| (value.ask.id.as_str(), write(*value))).collect()
}

/// The verdicts of a grade, by ask.
fn verdicts(grade: &Grade) -> Vec<(&str, &'static str)> {
    grade.quantities.iter().map(|finding| (finding.ask.as_str(), finding.verdict.code())).collect()
}

/// How the verdicts of two grades differ, in words.
fn differences(before: &Grade, after: &Grade) -> String {
    let pairs = verdicts(before).into_iter().zip(verdicts(after)).filter(|(before, after)| before != after);
    pairs.map(|((ask, before), (_, after))| format!(" {ask} was {before} and is {after};")).collect()
}

/// A way to write a value, with its name; `None` where it does not apply.
type Way = (&'static str, fn(Value) -> Option<String>);

/// Asserts that a way to write the values leaves every verdict as it is with plain ones.
fn changes_nothing(ways: &[Way], only: Option<Kind>) {
    let mut changed = String::new();
    for drill in shipped::drills() {
        let grader = Grader::new(drill);
        for holes in Holes::of(&drill.id).into_iter().filter(|holes| only.is_none_or(|kind| holes.kind == kind)) {
            for values in settings(drill) {
                let plain = grader.grade(&holes.filled(&fill(&values, Value::plain)));
                for (way, write) in ways {
                    let answer = holes.filled(&fill(&values, |value| write(value).unwrap_or_else(|| value.plain())));
                    let differ = differences(&plain, &grader.grade(&answer));
                    if !differ.is_empty() {
                        let _ = writeln!(changed, "{}/{} {way}:{differ}", drill.id, holes.name);
                    }
                }
            }
        }
    }
    assert!(changed.is_empty(), "\n{changed}");
}

#[test]
fn markup_changes_no_verdict() {
    changes_nothing(
        &[
            ("bold", |value| Some(format!("**{}**", value.plain()))),
            ("code", |value| Some(format!("`{}`", value.plain()))),
            ("math", |value| {
                let unit = match value.unit() {
                    "" => String::new(),
                    "x" => "\\times".to_owned(),
                    "%" => "\\,\\%".to_owned(),
                    unit => format!("\\,\\mathrm{{{unit}}}"),
                };
                Some(format!("${}{unit}$", value.digits(4)))
            }),
        ],
        Some(Kind::Markdown),
    );
}

#[test]
fn the_format_of_a_number_changes_no_verdict() {
    changes_nothing(
        &[
            ("glued", |value| Some(value.plain().replace(' ', ""))),
            ("about", |value| (!value.counts()).then(|| format!("about {}", value.plain()))),
            ("sign", |value| (!value.counts()).then(|| format!("≈ {}", value.plain()))),
            ("scientific", |value| {
                let power = value.number.abs().log10().floor() as i32;
                let scaled = Value { number: value.number / 10_f64.powi(power), ..value };
                (!value.counts() && !(-1..=1).contains(&power)).then(|| value.with_unit(&format!("{} × 10^{power}", scaled.digits(4))))
            }),
            // Three digits behind a comma could be a thousand; nobody who writes commas would write points beside them.
            ("comma", |value| {
                let places = |digits: &str| digits.split_once('.').map_or(0, |(_, places)| places.len());
                let digits = Some(value.digits(4)).filter(|digits| places(digits) != 3).unwrap_or_else(|| value.digits(5));
                (!(value.unit() == "x" && places(&digits) == 0)).then(|| value.with_unit(&digits.replace('.', ",")))
            }),
            ("more figures", |value| Some(value.with_unit(&value.digits(6)))),
        ],
        None,
    );
}

#[test]
fn the_spelling_of_a_unit_changes_no_verdict() {
    changes_nothing(
        &[("words", |value| {
            let word = match value.unit() {
                "ms" => "milliseconds",
                "s" => "seconds",
                "µs" => "microseconds",
                "d" => "days",
                "GB" => "gigabytes",
                "MB" => "megabytes",
                "MiB" => "mebibytes",
                "KiB" => "kibibytes",
                "GiB" => "gibibytes",
                "%" => "percent",
                "x" => "times",
                _ => return None,
            };
            Some(format!("{} {word}", value.digits(4)))
        })],
        None,
    );
}

/// The blocks of a text that begin with the label of a part, and what stands before the first.
fn blocks(text: &str) -> (String, Vec<String>) {
    let labels = |line: &str| {
        let line = line.trim_start_matches(['#', '*', ' ']);
        let name = line.trim_start_matches('(');
        let rest = name.strip_prefix(|c: char| c.is_ascii_lowercase());
        rest.is_some_and(|rest| rest.starts_with(')'))
    };
    let (mut head, mut blocks) = (String::new(), Vec::<String>::new());
    for line in text.lines() {
        let text = format!("{line}\n");
        match blocks.last_mut() {
            _ if labels(line) => blocks.push(text),
            Some(block) => block.push_str(&text),
            None => head.push_str(&text),
        }
    }
    (head, blocks)
}

#[test]
fn the_order_of_the_parts_changes_no_verdict() {
    let mut changed = String::new();
    for drill in shipped::drills() {
        let grader = Grader::new(drill);
        for holes in Holes::of(&drill.id) {
            let (head, mut parts) = blocks(&holes.text);
            for values in settings(drill) {
                let values = fill(&values, Value::plain);
                let plain = grader.grade(&holes.filled(&values));
                for way in ["turned round", "begun at the third"] {
                    if way == "turned round" {
                        parts.reverse();
                    } else {
                        let third = 2.min(parts.len());
                        parts.rotate_left(third);
                    }
                    let moved: Vec<&str> = parts.iter().map(|part| part.trim_end()).collect();
                    let text = format!("{head}\n{}\n", moved.join("\n\n"));
                    let moved = Holes { name: holes.name.clone(), text, kind: holes.kind };
                    let differ = differences(&plain, &grader.grade(&moved.filled(&values)));
                    if !differ.is_empty() {
                        let _ = writeln!(changed, "{}/{} {way}:{differ}", drill.id, holes.name);
                    }
                }
            }
        }
    }
    assert!(changed.is_empty(), "\n{changed}");
}

/// Asserts that the awarded points never fall along a row of answers, each better than the one before.
///
/// What is left to a person may still be earned.
fn never_falls(name: &str, row: &[(String, Points)], fallen: &mut String) {
    for pair in row.windows(2) {
        let (before, after) = (pair[0].1.awarded, pair[1].1.awarded + pair[1].1.pending);
        if after < before - 1e-9 {
            let _ = writeln!(fallen, "{name}: `{}` earns {before}, and `{}` only {after}", pair[0].0, pair[1].0);
        }
    }
}

#[test]
fn a_more_accurate_value_earns_no_less() {
    let mut fallen = String::new();
    for drill in shipped::drills() {
        let grader = Grader::new(drill);
        let references = references(drill);
        for holes in Holes::of(&drill.id).into_iter().take(1) {
            for ask in drill.asks.iter().filter(|ask| matches!(ask.kind, AskKind::Value)) {
                let right = Value::of(ask);
                let off = [WRONG, 1.13, 1.04, 1.008, 1.0].map(|factor| right.times(factor).plain());
                let figures = [2, 3, 4, 6].map(|figures| right.with_unit(&right.digits(figures)));
                let earned = |value: &String| {
                    let mut values = references.clone();
                    values.insert(&ask.id, value.clone());
                    grader.grade(&holes.filled(&values)).score
                };
                for row in [off.as_slice(), figures.as_slice()] {
                    let row: Vec<(String, Points)> = row.iter().map(|value| (value.clone(), earned(value))).collect();
                    never_falls(&format!("{}/{} {}", drill.id, holes.name, ask.id), &row, &mut fallen);
                }
            }
        }
    }
    assert!(fallen.is_empty(), "\n{fallen}");
}

#[test]
fn a_better_unit_earns_no_less() {
    let mut fallen = String::new();
    for drill in shipped::drills() {
        let grader = Grader::new(drill);
        let references = references(drill);
        for holes in Holes::of(&drill.id) {
            for ask in drill.asks.iter().filter(|ask| ask.unit.as_ref().is_some_and(|unit| !unit.dimension.is_none())) {
                let digits = Value::of(ask).digits(4);
                let other = if Value::of(ask).unit().ends_with('s') { "GB" } else { "ms" };
                let units = [format!("{digits} {other}"), digits.clone(), written(ask, &ask.formula)];
                let earned = |value: &String| {
                    let mut values = references.clone();
                    values.insert(&ask.id, value.clone());
                    grader.grade(&holes.filled(&values)).score
                };
                let row: Vec<(String, Points)> = units.iter().map(|value| (value.clone(), earned(value))).collect();
                never_falls(&format!("{}/{} {}", drill.id, holes.name, ask.id), &row, &mut fallen);
            }
        }
    }
    assert!(fallen.is_empty(), "\n{fallen}");
}

#[test]
fn one_more_right_value_earns_no_less() {
    let mut fallen = String::new();
    for drill in shipped::drills() {
        let grader = Grader::new(drill);
        for holes in Holes::of(&drill.id) {
            for values in settings(drill) {
                let right: Vec<&Value> = values.iter().filter(|value| (Value::of(value.ask).number - value.number).abs() < 1e-9).collect();
                let whole = fill(&values, Value::plain);
                let with = grader.grade(&holes.filled(&whole)).score;
                for value in right {
                    let mut less = whole.clone();
                    less.insert(&value.ask.id, "(left out)".to_owned());
                    let without = grader.grade(&holes.filled(&less)).score;
                    let row = [("nothing".to_owned(), without), (value.plain(), with)];
                    never_falls(&format!("{}/{} {}", drill.id, holes.name, value.ask.id), &row, &mut fallen);
                }
            }
        }
    }
    assert!(fallen.is_empty(), "\n{fallen}");
}

#[test]
fn an_answer_that_says_nothing_earns_nothing() {
    for drill in shipped::drills() {
        let grade = Grader::new(drill).grade(&Answer::read("nothing.md", "", Kind::Markdown));
        // That it says nothing is for a person to see: it may be the wrong file.
        assert!(grade.score.awarded == 0.0 && grade.review.iter().any(|item| item.why == ReviewWhy::NothingFound), "{}", drill.id);
    }
}
