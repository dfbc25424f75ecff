//! Numbers as a short answer gives them: numerals, powers of ten, fractions, and arithmetic of plain numbers.
//!
//! ```text
//! 1.23 e 2     3x10^8     10⁹     -1/-2     2*1024     (8650)     1 3/4
//! ```

use crate::quantity::{Number, Written};

use super::notation::{Digits, Notation};
use super::{Form, Unreadable};

/// Deep enough for anything that a person types into a box.
const MOST_DEPTH: usize = 32;

/// A number at the start of a text.
pub(super) struct Parsed {
    pub(super) value: Number,
    pub(super) written: Option<Written>,
    pub(super) form: Form,
    /// Bytes taken.
    pub(super) end: usize,
}

/// Reads as much arithmetic as there is at the start of `text`; `None` where no number starts there.
pub(super) fn read(text: &str, notation: Notation) -> Result<Option<Parsed>, Unreadable> {
    let mut reader = Reader { text, at: 0, notation, depth: 0 };
    if let Some((low, high)) = reader.range()? {
        return Ok(Some(Parsed { value: low.number, written: low.written, form: Form::Range { high: high.number }, end: reader.at }));
    }
    let Some(value) = reader.sum()? else { return Ok(None) };
    if !value.number.is_finite() {
        return Err(Unreadable::DivisionByZero);
    }
    // `12.3 ± 0.2` says 12.3; how sure the writer is of it is another matter.
    if value.written.is_some() {
        reader.after(&["±", "+/-", "+-"], Reader::signed)?;
    }
    let form = match (value.written.is_some(), value.fraction) {
        (true, _) => Form::Numeral,
        (false, Some(lowest)) => Form::Fraction { lowest },
        (false, None) => Form::Arithmetic,
    };
    Ok(Some(Parsed { value: value.number, written: value.written, form, end: reader.at }))
}

#[derive(Clone, Copy)]
struct Value {
    number: Number,
    /// While it is still a numeral, with a sign or brackets at most.
    written: Option<Written>,
    /// Whether it is a fraction of whole numbers, and in lowest terms.
    fraction: Option<bool>,
}

impl Value {
    fn computed(number: Number) -> Value {
        Value { number, written: None, fraction: None }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    notation: Notation,
    depth: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Takes one of the spellings, longest listed first, with spaces before it.
    fn take(&mut self, spellings: &[&str]) -> bool {
        let rest = self.rest().trim_start();
        let Some(found) = spellings.iter().find(|spelling| rest.starts_with(**spelling)) else { return false };
        self.at = self.text.len() - rest.len() + found.len();
        true
    }

    /// A sign, and then what `of` reads; without it, nothing is taken.
    fn after(&mut self, spellings: &[&str], of: fn(&mut Self) -> Result<Option<Value>, Unreadable>) -> Result<Option<Value>, Unreadable> {
        let before = self.at;
        if !self.take(spellings) {
            return Ok(None);
        }
        let value = of(self)?;
        if value.is_none() {
            self.at = before;
        }
        Ok(value)
    }

    /// Two numerals with a dash between, the smaller first: `2.5-2.7`. As a difference nobody would write them.
    fn range(&mut self) -> Result<Option<(Value, Value)>, Unreadable> {
        let before = self.at;
        if let Some(low) = self.signed()?
            && let Some(high) = self.after(&["-", "–", "—", "−", "to ", "..", "…"], Self::signed)?
            && low.written.is_some()
            && high.written.is_some()
            && !low.number.is_negative()
            && low.number < high.number
        {
            return Ok(Some((low, high)));
        }
        self.at = before;
        Ok(None)
    }

    fn sum(&mut self) -> Result<Option<Value>, Unreadable> {
        let Some(mut value) = self.product()? else { return Ok(None) };
        loop {
            if let Some(other) = self.after(&["+"], Self::product)? {
                value = Value::computed(value.number + other.number);
            } else if let Some(other) = self.after(&["-", "−"], Self::product)? {
                value = Value::computed(value.number - other.number);
            } else {
                return Ok(Some(value));
            }
        }
    }

    fn product(&mut self) -> Result<Option<Value>, Unreadable> {
        let Some(mut value) = self.signed()? else { return Ok(None) };
        loop {
            if let Some(other) = self.after(&["*", "×", "·", "⋅", "x", "X"], Self::signed)? {
                value = Value::computed(value.number * other.number);
            } else if let Some(other) = self.after(&["/", "÷", "⁄"], Self::signed)? {
                if other.number.is_zero() {
                    return Err(Unreadable::DivisionByZero);
                }
                let lowest = lowest_terms(value, other);
                value = Value { number: value.number / other.number, written: None, fraction: lowest };
            } else {
                return Ok(Some(value));
            }
        }
    }

    fn signed(&mut self) -> Result<Option<Value>, Unreadable> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(Unreadable::Trailing);
        }
        let negative = self.after(&["-", "−", "–"], Self::signed)?;
        let value = match negative {
            Some(value) => Some(Value { number: -value.number, ..value }),
            None => match self.after(&["+"], Self::signed)? {
                Some(value) => Some(value),
                None => self.power()?,
            },
        };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> Result<Option<Value>, Unreadable> {
        let Some(base) = self.atom()? else { return Ok(None) };
        match self.exponent()? {
            // A power of ten alone is a numeral of one figure.
            Some(exponent) if base.written.is_some() && base.number == Number::from(10) => {
                let (number, written) = Digits::one().with_exponent(Some(exponent));
                Ok(Some(Value { number, written: Some(written), fraction: None }))
            }
            Some(exponent) => Ok(Some(Value::computed(base.number.powi(exponent)))),
            None => Ok(Some(base)),
        }
    }

    fn atom(&mut self) -> Result<Option<Value>, Unreadable> {
        self.skip_spaces();
        if self.rest().starts_with('(') {
            return self.bracket();
        }
        let read = self.notation.digits(self.rest()).map_err(|_| Unreadable::Digits)?;
        let Some(digits) = read else { return Ok(None) };
        self.at += digits.end;
        if digits.is_whole()
            && let Some(part) = self.mixed()?
        {
            return Ok(Some(Value::computed(digits.with_exponent(None).0 + part)));
        }
        let exponent = self.scientific()?;
        let (number, written) = digits.with_exponent(exponent);
        Ok(Some(Value { number, written: Some(written), fraction: None }))
    }

    fn bracket(&mut self) -> Result<Option<Value>, Unreadable> {
        let before = self.at;
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(Unreadable::Trailing);
        }
        self.at += 1;
        let inner = self.sum()?;
        self.depth -= 1;
        if inner.is_none() || !self.take(&[")"]) {
            self.at = before;
            return Ok(None);
        }
        Ok(inner)
    }

    /// The fraction of a mixed number: ` 3/4` after `1`.
    fn mixed(&mut self) -> Result<Option<Number>, Unreadable> {
        let rest = self.rest().trim_start();
        if rest.len() == self.rest().len() {
            return Ok(None);
        }
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let above = digits(rest);
        let Some(under) = rest[above..].strip_prefix('/') else { return Ok(None) };
        let below = digits(under);
        let (Ok(above), Ok(below), end) =
            (rest[..above].parse::<u32>(), under[..below].parse::<u32>(), self.text.len() - under.len() + below)
        else {
            return Ok(None);
        };
        if below == 0 {
            return Err(Unreadable::DivisionByZero);
        }
        self.at = end;
        Ok(Some(Number::from(i128::from(above)) / Number::from(i128::from(below))))
    }

    /// `e9`, `E+09`, ` e 9`, `x10^9`, ` × 10⁹`, `*10**9`: what makes a numeral scientific.
    fn scientific(&mut self) -> Result<Option<i32>, Unreadable> {
        let before = self.at;
        let rest = self.rest().trim_start();
        if let Some(after) = rest.strip_prefix(['e', 'E'])
            && let Some((exponent, length)) = whole(after)
        {
            self.at = self.text.len() - after.len() + length;
            return Ok(Some(exponent));
        }
        if self.take(&["*", "×", "·", "⋅", "x", "X"])
            && self.take(&["10"])
            && let Some(exponent) = self.exponent()?
        {
            return Ok(Some(exponent));
        }
        self.at = before;
        Ok(None)
    }

    /// `^9`, `**-9`, `^(9)`, `^{9}`, `⁻⁹`.
    fn exponent(&mut self) -> Result<Option<i32>, Unreadable> {
        let before = self.at;
        if self.take(&["^", "**"]) {
            let bracket = self.take(&["(", "{"]);
            if let Some((exponent, length)) = whole(self.rest()) {
                self.at += length;
                if !bracket || self.take(&[")", "}"]) {
                    return Ok(Some(exponent));
                }
            }
            self.at = before;
            return Ok(None);
        }
        let raised: String = self.rest().chars().map_while(superscript).collect();
        let Ok(exponent) = raised.parse() else { return Ok(None) };
        self.at += self.rest().chars().take(raised.chars().count()).map(char::len_utf8).sum::<usize>();
        Ok(Some(exponent))
    }
}

/// A whole number with a sign, spaces allowed before and after the sign, and the bytes it takes.
fn whole(text: &str) -> Option<(i32, usize)> {
    let start = text.trim_start();
    let (negative, digits) = match start.strip_prefix(['-', '−']) {
        Some(digits) => (true, digits),
        None => (false, start.strip_prefix('+').unwrap_or(start)),
    };
    let digits = digits.trim_start();
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    if length == 0 {
        return None;
    }
    let size: i32 = digits[..length].parse().unwrap_or(i32::MAX);
    Some((if negative { -size } else { size }, text.len() - digits.len() + length))
}

/// The digit or sign that a superscript stands for.
pub(super) fn superscript(c: char) -> Option<char> {
    Some(match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴' => '4',
        '⁵' => '5',
        '⁶' => '6',
        '⁷' => '7',
        '⁸' => '8',
        '⁹' => '9',
        '⁻' => '-',
        '⁺' => '+',
        _ => return None,
    })
}

/// Of a fraction of two whole numbers, whether it is in lowest terms.
fn lowest_terms(above: Value, below: Value) -> Option<bool> {
    let whole = |value: Value| {
        let written = value.written?;
        let ratio = value.number.to_ratio().filter(|ratio| ratio.is_integer())?;
        (written.decimals == 0).then_some(ratio.to_integer())
    };
    let (above, below) = (whole(above)?, whole(below)?);
    let reduced = num_rational::Ratio::new(above, below);
    Some(reduced.denom().unsigned_abs() == below.unsigned_abs())
}
