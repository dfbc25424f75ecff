//! A short answer: a text that is one quantity and nothing else, in a stated notation.
//!
//! The recognizer of passages finds quantities among words and keeps every fair reading; a box that asks for one number is
//! stricter. Here the whole text has to be a number, a fraction or plain arithmetic, with a unit or without, and groups of
//! digits are complete or the text is refused.

mod arithmetic;
mod compound;
mod notation;

pub use notation::Notation;

use crate::quantity::{Number, Sense, Units, Written};

/// A text that is one quantity.
#[derive(Clone, Debug)]
pub struct Short {
    /// The number, before any unit.
    pub number: Number,
    /// How the number was written, its last place before any unit; `None` for the result of arithmetic.
    pub written: Option<Written>,
    /// The form of the number.
    pub form: Form,
    /// What stands beside the number.
    pub unit: Beside,
}

/// The forms in which a number may be given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// `2.6`, `2.6e9`, `2.6×10^9`.
    Numeral,
    /// `1/3`, and whether it is in lowest terms.
    Fraction {
        /// No common divisor is left.
        lowest: bool,
    },
    /// `2*1024`, `1 3/4`.
    Arithmetic,
    /// `2.5-2.7`: the number is the lower end.
    Range {
        /// The upper end.
        high: Number,
    },
}

/// What stands beside a number.
#[derive(Clone, Debug, PartialEq)]
pub enum Beside {
    /// Nothing.
    Nothing,
    /// A unit, in its fair readings, likeliest first; never empty.
    Unit(Vec<Sense>),
    /// Words that are no unit.
    Unknown(String),
}

/// Why a text is not one quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// Nothing at all.
    Blank,
    /// No digit where a number belongs.
    NoNumber,
    /// A unit without a number.
    UnitAlone,
    /// Groups of digits that are not complete, or a mark that this notation does not have.
    Digits,
    /// A division by zero.
    DivisionByZero,
    /// A sum of quantities, or other text that is neither number nor unit.
    Trailing,
}

impl Short {
    /// Every fair reading of a whole text as a unit, likeliest first; empty when it is none.
    pub fn unit(text: &str, units: &Units) -> Vec<Sense> {
        compound::read(text, units)
    }

    /// Reads a whole text as one quantity.
    pub fn read(text: &str, notation: Notation, units: &Units) -> Result<Short, Unreadable> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Unreadable::Blank);
        }
        let (text, currency) = without_currency(text);
        let Some(parsed) = arithmetic::read(text, notation)? else {
            let alone = currency.is_none() && !compound::read(text, units).is_empty();
            return Err(if alone { Unreadable::UnitAlone } else { Unreadable::NoNumber });
        };
        let rest = text[parsed.end..].trim();
        let unit = match currency {
            Some(sign) if rest.is_empty() => beside(sign, units),
            Some(_) => return Err(Unreadable::Trailing),
            None => after(rest, units)?,
        };
        Ok(Short { number: parsed.value, written: parsed.written, form: parsed.form, unit })
    }
}

/// Takes a currency sign off the front, where it stands before or after the minus sign.
fn without_currency(text: &str) -> (&str, Option<&str>) {
    match text.chars().next() {
        Some(sign @ ('$' | '£' | '€' | '¥')) => (text[sign.len_utf8()..].trim_start(), Some(&text[..sign.len_utf8()])),
        _ => (text, None),
    }
}

/// What stands after a number: a unit, tied to it by a space, a multiplication sign or a division sign.
fn after(rest: &str, units: &Units) -> Result<Beside, Unreadable> {
    if rest.is_empty() {
        return Ok(Beside::Nothing);
    }
    let rest = rest.strip_prefix(['*', '·', '×', '⋅']).unwrap_or(rest).trim_start();
    let starts_like_a_unit = |c: char| c.is_alphabetic() || "/(°%‰$€£¥Ω′″'\"".contains(c) || c.is_ascii_digit();
    if !rest.starts_with(starts_like_a_unit) {
        let digit = rest.contains(|c: char| c.is_ascii_digit());
        return Err(if rest.starts_with([',', '.', '\'', '_']) && digit { Unreadable::Digits } else { Unreadable::Trailing });
    }
    if rest.starts_with(|c: char| c.is_ascii_digit()) && compound::read(rest, units).is_empty() {
        return Err(Unreadable::Digits);
    }
    Ok(match rest.strip_prefix('/') {
        Some(below) => beside(&format!("1/{}", below.trim_start()), units),
        None => beside(rest, units),
    })
}

fn beside(spelling: &str, units: &Units) -> Beside {
    let read = compound::read(spelling, units);
    if read.is_empty() { Beside::Unknown(spelling.to_owned()) } else { Beside::Unit(read) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, notation: &str) -> Result<f64, Unreadable> {
        let notation = Notation::named(notation).expect("a notation");
        Short::read(text, notation, &Units::standard()).map(|short| short.number.to_f64())
    }

    #[test]
    fn numbers_in_many_spellings() {
        for (text, value) in [
            ("3.25", 3.25),
            (".2", 0.2),
            ("-1.", -1.0),
            ("−420.690", -420.69),
            ("- 3", -3.0),
            ("3.142E-4", 3.142e-4),
            ("1.23 e 2", 123.0),
            ("3x10^8", 3e8),
            ("0.001×10**7", 1e4),
            ("10^-3", 1e-3),
            ("6·10⁹", 6e9),
            ("2^30", 1_073_741_824.0),
            ("2*1024", 2048.0),
            ("-1/-2", 0.5),
            ("(-9.81)", -9.81),
            ("1 3/4", 1.75),
            ("12 + 3 * 4/8", 13.5),
            ("12 345.678 901 2", 12345.6789012),
            ("16,500.00", 16500.0),
            ("1'234'567.89", 1_234_567.89),
            ("9.81 ± 0.01", 9.81),
        ] {
            assert_eq!(read(text, "en"), Ok(value), "{text}");
        }
    }

    #[test]
    fn notations_disagree_where_they_must() {
        assert_eq!(read("1.234", "eu"), Ok(1234.0));
        assert_eq!(read("1.234", "en"), Ok(1.234));
        assert_eq!(read("0,1", "eu"), Ok(0.1));
        assert_eq!(read("1,23,456.78", "in"), Ok(123_456.78));
        assert_eq!(read("0,111", "auto"), Ok(0.111));
        assert_eq!(read("1000,99", "auto"), Ok(1000.99));
        assert_eq!(read("16,000", "auto"), Ok(16000.0));
        assert_eq!(read("1234,56", "fr"), Ok(1234.56));
    }

    #[test]
    fn groups_are_complete_or_refused() {
        for (text, notation) in [("1,2,3", "en"), ("12,34", "en"), ("1 2 3", "si-en"), ("1.2.3", "eu"), ("1'2'3", "ch"), ("9.81", "si-fr")]
        {
            assert_eq!(read(text, notation), Err(Unreadable::Digits), "{text} in {notation}");
        }
    }

    #[test]
    fn what_is_no_number_is_told_why() {
        assert_eq!(read("", "en"), Err(Unreadable::Blank));
        assert_eq!(read(".", "en"), Err(Unreadable::NoNumber));
        assert_eq!(read(".e8", "en"), Err(Unreadable::NoNumber));
        assert_eq!(read("AZYUK2A", "en"), Err(Unreadable::NoNumber));
        assert_eq!(read("1/0", "en"), Err(Unreadable::DivisionByZero));
        assert_eq!(read("9.81+m", "en"), Err(Unreadable::Trailing));
        assert_eq!(read(&"(".repeat(100_000), "en"), Err(Unreadable::Trailing));
        assert_eq!(read(&"-".repeat(100_000), "en"), Err(Unreadable::Trailing));
    }

    #[test]
    fn written_figures_are_counted_as_shown() {
        let figures = |text: &str| {
            let short = Short::read(text, Notation::ENGLISH, &Units::standard()).expect("a number");
            let figures = short.written.expect("a numeral").figures;
            (figures.least, figures.most)
        };
        assert_eq!(figures("100"), (1, 3));
        assert_eq!(figures("100."), (3, 3));
        assert_eq!(figures("1.00e2"), (3, 3));
        assert_eq!(figures("0.0010"), (2, 2));
        assert_eq!(figures("0"), (1, 1));
        assert_eq!(figures("0.00"), (2, 2));
        assert_eq!(figures("001235e1"), (4, 4));
        assert_eq!(figures("25.00e1"), (4, 4));
        assert_eq!(figures("10^9"), (1, 1));
    }
}
