//! Answers that are written by the drill itself: every ask by its own name, with a value or without one.

use std::fmt::Write;

use crate::answer::{Answer, Kind};
use crate::drill::{Ask, AskKind, Drill, Part};
use crate::quantity::Number;

/// An answer in Markdown to the whole drill. `value` says what stands behind each ask; of `None` the line ends there.
pub(super) fn whole(drill: &Drill, value: &dyn Fn(usize) -> Option<String>) -> Answer {
    let mut text = format!("# {}\n", drill.title);
    for part in &drill.parts {
        write_part(&mut text, drill, part, value);
    }
    Answer::read("answer", text, Kind::Markdown)
}

/// An answer to one part alone.
pub(super) fn of_part(drill: &Drill, part: &Part, value: &dyn Fn(usize) -> Option<String>) -> Answer {
    let mut text = String::new();
    write_part(&mut text, drill, part, value);
    Answer::read("answer", text, Kind::Markdown)
}

fn write_part(text: &mut String, drill: &Drill, part: &Part, value: &dyn Fn(usize) -> Option<String>) {
    let _ = writeln!(text, "\n## ({}) {}\n", part.id, part.title);
    let lines = |text: &mut String, part: &Part| {
        for ask in &part.asks {
            let _ = writeln!(text, "* {}: {}", capitalized(&drill.asks[*ask].asks), value(*ask).unwrap_or_default());
        }
    };
    lines(text, part);
    for item in &part.items {
        let _ = writeln!(text, "\n### ({}) {}\n", item.id, item.title);
        lines(text, item);
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// A value as a student would write it for an ask: in its natural unit, to so many significant figures, without zeros at
/// the end.
pub(super) fn written(ask: &Ask, value: Number, digits: u32) -> String {
    in_unit(ask, value, &|number| trimmed(&figures(number, digits)))
}

/// The same with the zeros at the end.
pub(super) fn written_out(ask: &Ask, value: Number, digits: u32) -> String {
    in_unit(ask, value, &|number| figures(number, digits))
}

fn in_unit(ask: &Ask, value: Number, write: &dyn Fn(f64) -> String) -> String {
    let value = value.to_f64();
    match &ask.unit {
        None if matches!(ask.kind, AskKind::Count) && value.fract() == 0.0 => format!("{value:.0}"),
        None => write(value),
        Some(unit) if unit.symbol == "x" => format!("{}x", write(value)),
        Some(unit) => format!("{} {}", write(value / unit.factor.to_f64()), unit.symbol),
    }
}

/// A number to so many significant figures; with a power of ten where it has many digits.
fn figures(value: f64, digits: u32) -> String {
    let scientific = format!("{value:.*e}", digits.saturating_sub(1) as usize);
    let power: Option<i32> = scientific.split_once('e').and_then(|(_, power)| power.parse().ok());
    match power {
        Some(power) if (-6..=12).contains(&power) => {
            let rounded: f64 = scientific.parse().unwrap_or(value);
            format!("{rounded:.*}", (digits as i32 - 1 - power).max(0) as usize)
        }
        _ => scientific,
    }
}

/// A number without zeros at the end of its decimals.
fn trimmed(number: &str) -> String {
    let (digits, power) = number.find('e').map_or((number, ""), |at| number.split_at(at));
    let digits = if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    format!("{digits}{power}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_people_write_them() {
        for (value, digits, text) in [
            (202.74, 4, "202.7"),
            (0.001_24, 4, "0.00124"),
            (1.3e9, 4, "1300000000"),
            (2479.55, 2, "2500"),
            (3.24e-9, 3, "3.24e-9"),
            (6.02e23, 3, "6.02e23"),
            (-8.0, 4, "-8"),
            (0.0, 4, "0"),
        ] {
            assert_eq!(trimmed(&figures(value, digits)), text);
        }
    }
}
