//! How a person writes an expected value down: in the natural unit, to a few figures.

use crate::drill::{Ask, AskKind};
use crate::formula::{self, Style};
use crate::quantity::{Number, Unit};

/// As many figures as answers are usually given to.
const FIGURES: usize = 4;

/// A value of an ask as a careful student writes it: `202.7 ms`, `162.5x`, `2480 buckets`, `1.212 × 10²⁰ FLOP`.
pub(super) fn of_ask(ask: &Ask, value: Number) -> String {
    match (&ask.unit, &ask.noun, &ask.kind) {
        (Some(unit), ..) => in_unit(value, Some(unit)),
        (None, Some(noun), AskKind::Count) => format!("{:.0} {noun}", value.to_f64()),
        (None, None, AskKind::Count) => format!("{:.0}", value.to_f64()),
        (None, Some(noun), _) => format!("{} {noun}", in_unit(value, None)),
        (None, None, _) => in_unit(value, None),
    }
}

/// A value in a unit, or a plain number.
pub(super) fn in_unit(value: Number, unit: Option<&Unit>) -> String {
    let number = rounded(value.to_f64() / unit.map_or(1.0, |unit| unit.factor.to_f64()));
    match unit.map(|unit| unit.symbol.as_str()) {
        None | Some("") => number,
        Some("x" | "×") => format!("{number}x"),
        Some(symbol) => format!("{number} {symbol}"),
    }
}

/// A value in the unit in which it has one to three digits before the point, for the common kinds; else as the formula
/// language writes it.
pub(super) fn natural(value: Number, units: &[Unit]) -> String {
    let fits = |unit: &&Unit| unit.factor.to_f64() <= value.to_f64().abs();
    match units.iter().rfind(fits).or(units.first()) {
        Some(unit) => in_unit(value, Some(unit)),
        None => formula::quantity(value, None, Style::Unicode),
    }
}

/// A number to four figures, without zeros at the end; a large or a small one as a power of ten.
fn rounded(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return format!("{number}");
    }
    let (digits, exponent) = split(number);
    // A whole number is no measurement: all of its digits are known.
    if number.fract() == 0.0 && exponent < 7 {
        return format!("{number}");
    }
    if (-4..=6).contains(&exponent) {
        let places = usize::try_from(FIGURES as i32 - 1 - exponent).unwrap_or(0);
        let rounded: f64 = format!("{digits}e{exponent}").parse().unwrap_or(number);
        let text = format!("{rounded:.places$}");
        return if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
    }
    let digits = if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { &digits };
    let power: String = exponent.to_string().chars().map(raised).collect();
    format!("{digits} × 10{power}")
}

/// The digits before and after the point, and the power of ten.
fn split(number: f64) -> (String, i32) {
    let text = format!("{number:.*e}", FIGURES - 1);
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (digits.to_owned(), exponent.parse().unwrap_or(0))
}

fn raised(c: char) -> char {
    match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => c.to_digit(10).and_then(|digit| char::from_u32(0x2070 + digit)).unwrap_or(c),
    }
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn numbers_look_as_people_write_them() {
        for (number, text) in [
            (202.74, "202.7"),
            (120.0, "120"),
            (1.875, "1.875"),
            (0.012_345_6, "0.01235"),
            (999_960.4, "1000000"),
            (524_288.0, "524288"),
            (2_929_687.5, "2930000"),
            (2_600_000.0, "2600000"),
            (1.212e20, "1.212 × 10²⁰"),
            (6.3e24, "6.3 × 10²⁴"),
            (1e10, "1 × 10¹⁰"),
            (0.0, "0"),
            (-3.5e-7, "-3.5 × 10⁻⁷"),
        ] {
            assert_eq!(rounded(number), text);
        }
    }
}
