//! How values, points and counts look in a sentence.

use crate::quantity::{Number, Unit};

/// Figures by which a reference value is shown: more than any answer needs, fewer than tire the eye.
const FIGURES: usize = 5;

/// A space at which no line may break; layouts turn it into a plain one when lines are broken.
pub(crate) const TIE: char = '\u{a0}';

/// A value in a unit: `202.74 ms`, `50.685 %`, `2480 buckets`, `162.5×`. Values that are not finite say so.
pub(crate) fn value(value: Number, unit: Option<&Unit>, noun: Option<&str>) -> String {
    let (factor, symbol) = match unit {
        Some(unit) => (unit.factor.to_f64(), unit.symbol.as_str()),
        None => (1.0, noun.unwrap_or("")),
    };
    let is_money = unit.is_some_and(|unit| unit.currency().is_some_and(|code| symbol.starts_with(code)));
    let number = value.to_f64() / factor;
    let number = if is_money { money(number) } else { self::number(number) };
    match symbol {
        "" => number,
        "x" | "×" => format!("{number}×"),
        symbol => format!("{number}{TIE}{symbol}"),
    }
}

/// A number to five figures, trailing zeros cut off; large and small ones as a power of ten.
pub(crate) fn number(number: f64) -> String {
    if !number.is_finite() {
        return "a number too large to show".to_owned();
    }
    // Rounding comes first: 999999.6 has one digit more once it is rounded.
    let rounded = format!("{number:.*e}", FIGURES - 1);
    let (digits, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    match exponent {
        -4..=8 => plain(number, exponent),
        _ => format!("{}·10{}", trimmed.replace('-', "−"), superscript(exponent)),
    }
}

/// An amount of money: whole, or to the cent; what is less than that to five figures.
fn money(amount: f64) -> String {
    const LARGEST: f64 = 1e12;
    let cents = (amount * 100.0).round();
    let to_the_cent = amount.abs() >= 1.0 || (amount * 100.0 - cents).abs() < 1e-6;
    if !amount.is_finite() || amount.abs() >= LARGEST || !to_the_cent {
        return number(amount);
    }
    let text = if cents % 100.0 == 0.0 { format!("{:.0}", cents.abs() / 100.0) } else { format!("{:.2}", cents.abs() / 100.0) };
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let whole = if whole.len() > 4 { grouped(whole) } else { whole.to_owned() };
    format!("{}{whole}{rest}", if cents < 0.0 { "−" } else { "" })
}

fn plain(number: f64, exponent: i32) -> String {
    let power = 10_f64.powi(exponent - (FIGURES as i32 - 1));
    let (decimals, number) = if exponent >= FIGURES as i32 {
        (0, (number / power).round() * power)
    } else {
        (usize::try_from(FIGURES as i32 - 1 - exponent).unwrap_or(0), number)
    };
    let text = format!("{number:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |rest| (if rest == "0" { "" } else { "−" }, rest));
    let (whole, rest) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let whole = if whole.len() > 4 { grouped(whole) } else { whole.to_owned() };
    match rest {
        Some(rest) => format!("{sign}{whole}.{rest}"),
        None => format!("{sign}{whole}"),
    }
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn superscript(exponent: i32) -> String {
    exponent
        .to_string()
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            c => char::from_u32(0x2070 + (u32::from(c) - u32::from('0'))).unwrap_or(c),
        })
        .collect()
}

/// How far a value is from the reference, as people say it: `12 % too large`, `40 times too small`. Nothing where a
/// ratio says nothing: about zero, across a sign, or where the two are as good as equal.
pub(crate) fn distance(value: Number, reference: Number) -> Option<String> {
    let ratio = value.to_f64() / reference.to_f64();
    if !ratio.is_finite() || ratio <= 0.0 || (ratio - 1.0).abs() < 1e-6 {
        return None;
    }
    let (times, direction) = if ratio > 1.0 { (ratio, "large") } else { (1.0 / ratio, "small") };
    Some(if times < 2.0 {
        let percent = (ratio - 1.0).abs() * 100.0;
        format!("{}{TIE}% too {direction}", short(percent))
    } else {
        format!("{} times too {direction}", short(times))
    })
}

/// To two figures: enough to say how far off something is.
fn short(number: f64) -> String {
    let exponent = number.abs().log10().floor() as i32;
    let power = 10_f64.powi(exponent - 1);
    self::number((number / power).round() * power)
}

/// Points: `3`, `2.5`, `0.67`.
pub(crate) fn points(points: f64) -> String {
    let text = format!("{points:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// `1 point`, `2.5 points`.
pub(crate) fn points_in_words(count: f64) -> String {
    let text = points(count);
    if text == "1" { "1 point".to_owned() } else { format!("{text} points") }
}

/// `one value`, `three values`, `17 values`.
pub(crate) fn count(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", in_words(count), if count == 1 { one } else { many })
}

/// `one`, `three`, `17`.
pub(crate) fn in_words(count: usize) -> String {
    const WORDS: [&str; 11] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// `a`, `a and b`, `a, b, and c`.
pub(crate) fn list(things: &[String], last: &str) -> String {
    match things {
        [] => String::new(),
        [only] => only.clone(),
        [one, other] => format!("{one} {last} {other}"),
        [start @ .., end] => format!("{}, {last} {end}", start.join(", ")),
    }
}

/// The sentence with its first letter in upper case; symbols such as `α` stay what they are.
pub(crate) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| std::iter::once(first.to_ascii_uppercase()).chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_people_write_them() {
        for (value, shown) in [
            (202.74, "202.74"),
            (1.24, "1.24"),
            (2479.553, "2479.6"),
            (16_000_000.0, "16,000,000"),
            (123_456_789.0, "123,460,000"),
            (2.6e9, "2.6·10⁹"),
            (999_999_999.9, "1·10⁹"),
            (0.0, "0"),
            (-3.5, "−3.5"),
            (0.00124, "0.00124"),
            (1.5e-7, "1.5·10⁻⁷"),
            (100.0, "100"),
            (99_999.96, "100,000"),
            (f64::INFINITY, "a number too large to show"),
        ] {
            assert_eq!(number(value), shown, "{value}");
        }
    }

    #[test]
    fn money_is_shown_to_the_cent() {
        for (value, shown) in [
            (14_600.0, "14,600"),
            (14_601.57, "14,601.57"),
            (12.5, "12.50"),
            (0.5, "0.50"),
            (0.0123, "0.0123"),
            (-3.456, "−3.46"),
            (1_234_567.891, "1,234,567.89"),
        ] {
            assert_eq!(money(value), shown, "{value}");
        }
    }

    #[test]
    fn a_distance_is_a_share_or_a_factor() {
        let p = |value: f64, reference: f64| distance(Number::inexact(value), Number::inexact(reference)).unwrap_or_default();
        assert_eq!(p(1.12, 1.0), "12\u{a0}% too large");
        assert_eq!(p(0.9, 1.0), "10\u{a0}% too small");
        assert_eq!(p(40.0, 1.0), "40 times too large");
        assert_eq!(p(0.001, 1.0), "1000 times too small");
        assert_eq!(p(-1.0, 1.0), "");
        assert_eq!(p(1.0, 0.0), "");
    }

    #[test]
    fn counts_and_lists_read_well() {
        assert_eq!(count(1, "value", "values"), "one value");
        assert_eq!(count(0, "value", "values"), "no values");
        assert_eq!(count(17, "value", "values"), "17 values");
        assert_eq!(points_in_words(1.0), "1 point");
        assert_eq!(points_in_words(0.5), "0.5 points");
        assert_eq!(points_in_words(40.0), "40 points");
        let things = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(list(&things, "and"), "a, b, and c");
        assert_eq!(list(&things[..2], "or"), "a or b");
        assert_eq!(sentence("the end"), "The end");
        assert_eq!(sentence("µ is small"), "µ is small");
    }
}
