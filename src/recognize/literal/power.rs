//! Powers behind the digits of a number: `10^9`, `2**20`, ` × 10⁹`, `x 10 9`, `1 << 20`.

use crate::quantity::Number;

use super::{Digits, EXACT, Form, Gathered, Literal, digits, exponent};
use crate::recognize::words;

/// Whether a power that the number is raised to may follow its digits: told by a byte or two, as most often none does.
pub(super) fn may_be_raised(rest: &[u8]) -> bool {
    match rest {
        [b'^' | b'*' | b'<' | 0x80.., ..] => true,
        [b' ', next, ..] => matches!(next, b'^' | b'*' | b'<' | b't' | b' ' | 0x80..),
        _ => false,
    }
}

/// The same of a power that multiplies it.
pub(super) fn may_be_multiplied(rest: &[u8]) -> bool {
    match rest {
        [b'x' | b'X' | b'*' | 0x80.., ..] => true,
        [b' ', next, ..] => matches!(next, b'1' | b'x' | b'X' | b'*' | b't' | b' ' | 0x80..),
        _ => false,
    }
}

/// A power of ten or two that a number is multiplied by.
pub(super) struct Times {
    pub(super) len: usize,
    pub(super) base: u32,
    pub(super) exponent: i32,
    pub(super) damaged: bool,
    /// What it is if no raised digit was lost.
    pub(super) factor: Option<i32>,
}

/// ` × 10^9`, `x10⁹`, `*10**9`, ` times 10^9`, `· 1e9`, ` x 10 9`, `×(10^9)`.
pub(super) fn times_power(text: &str, product: bool) -> Option<Times> {
    let trimmed = skip_spaces(text);
    let mut chars = trimmed.chars();
    let sign = chars.next()?;
    let after = match sign {
        // `15 10^2`: the sign itself is lost.
        '1' if trimmed.len() < text.len() && trimmed.starts_with("10") => {
            let (len, exponent) = power(&trimmed[2..]).filter(|_| !trimmed[2..].starts_with(' '))?;
            return Some(Times { len: text.len() - trimmed.len() + 2 + len, base: 10, exponent, damaged: true, factor: None });
        }
        '×' | '·' | '⋅' | '∙' | '✕' | '•' => chars.as_str(),
        'x' | 'X' => chars.as_str(),
        '*' if !chars.as_str().starts_with('*') => chars.as_str(),
        't' => trimmed.strip_prefix("times ").filter(|_| trimmed.len() < text.len())?,
        _ => return None,
    };
    let spaced = skip_spaces(after);
    let body = spaced.strip_prefix('(').map_or(spaced, |inner| skip_spaces(inner));
    let parenthesis = body.len() < spaced.len();
    let bytes = body.as_bytes();
    let spelled = body.starts_with("ten to the ");
    let base_end = if spelled { "ten".len() } else { digits(bytes, 0) };
    let base: u32 = match &body[..base_end] {
        "10" | "ten" => 10,
        "2" => 2,
        "1" if !parenthesis => {
            let (len, value) = exponent(&bytes[1..])?;
            return Some(Times { len: text.len() - body.len() + 1 + len, base: 10, exponent: value, damaged: false, factor: None });
        }
        lost if !product && lost.len() == 3 && lost.starts_with("10") && !parenthesis && matches!(sign, 'x' | 'X' | '×') => {
            // 10⁹ pasted as 109.
            if bytes.get(3).is_some_and(|byte| matches!(byte, b'.' | b',' | b'^')) {
                return None;
            }
            let exponent = i32::from(bytes[2] - b'0');
            return Some(Times { len: text.len() - body.len() + 3, base: 10, exponent, damaged: true, factor: Some(100 + exponent) });
        }
        _ => return None,
    };
    let rest = &body[base_end..];
    let (mut len, exponent, damaged) = match power(rest).or_else(|| power_in_words(rest)) {
        Some((len, exponent)) => (len, exponent, false),
        // `x 10 9`: a lost superscript with a gap.
        None if base == 10 && !spelled && matches!(sign, 'x' | 'X' | '×') => {
            // `×10−5`: the superscript is lost, its sign is not.
            if let Some(negative) = rest.strip_prefix(['−', '-', '–']) {
                let digit = negative.bytes().take_while(u8::is_ascii_digit).count();
                let ends = negative[digit..].chars().next().is_none_or(|c| !c.is_alphanumeric());
                if !(1..=2).contains(&digit) || !ends {
                    return None;
                }
                let exponent: i32 = negative[..digit].parse().ok()?;
                let len = text.len() - negative.len() + digit;
                return Some(Times { len, base, exponent: -exponent, damaged: true, factor: None });
            }
            let digit = rest.strip_prefix(' ')?.bytes().take_while(u8::is_ascii_digit).count();
            if !(1..=2).contains(&digit) || rest[1 + digit..].starts_with(['.', ',', '^', '/']) {
                return None;
            }
            (1 + digit, rest[1..=digit].parse().ok()?, true)
        }
        None => return None,
    };
    if parenthesis {
        let close = skip_spaces(&rest[len..]).strip_prefix(')')?;
        len = rest.len() - close.len();
    }
    Some(Times { len: text.len() - rest.len() + len, base, exponent, damaged, factor: None })
}

fn skip_spaces(text: &str) -> &str {
    let mut rest = text;
    for _ in 0..3 {
        let width = match rest.as_bytes() {
            [b' ', ..] => 1,
            [0xc2, 0xa0, ..] => 2,
            [0xe2, 0x80, 0x89 | 0xaf, ..] => 3,
            _ => break,
        };
        rest = &rest[width..];
    }
    rest
}

/// `^9`, `^{-6}`, `^(9)`, `**9`, ` ^ 9`, `⁹`, `⁻⁶`.
fn power(text: &str) -> Option<(usize, i32)> {
    let mut value: i32 = 0;
    let mut count = 0;
    let sup = |c: char| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|known| known == c).and_then(|at| i32::try_from(at).ok());
    if text.starts_with(|c: char| !c.is_ascii()) && text.starts_with(['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁻', '⁺'])
    {
        let body = text.strip_prefix(['⁻', '⁺']).unwrap_or(text);
        let mut len = text.len() - body.len();
        for c in body.chars().take(5) {
            let Some(digit) = sup(c) else { break };
            value = value * 10 + digit;
            count += 1;
            len += c.len_utf8();
        }
        return (count > 0).then_some((len, if text.starts_with('⁻') { -value } else { value }));
    }
    let spaced = skip_spaces(text);
    let body = skip_spaces(spaced.strip_prefix('^').or_else(|| spaced.strip_prefix("**"))?);
    let inner = body.strip_prefix(['{', '(']).map_or(body, skip_spaces);
    let bracket = inner.len() < body.len();
    let unsigned = inner.strip_prefix(['-', '−', '–', '+']).unwrap_or(inner);
    let negative = unsigned.len() < inner.len() && !inner.starts_with('+');
    let mut rest = unsigned;
    while let Some(digit) = rest.bytes().next().filter(u8::is_ascii_digit) {
        if count == 5 {
            return None;
        }
        value = value * 10 + i32::from(digit - b'0');
        count += 1;
        rest = &rest[1..];
    }
    if count == 0 {
        return None;
    }
    if bracket {
        rest = skip_spaces(rest).strip_prefix(['}', ')'])?;
    }
    Some((text.len() - rest.len(), if negative { -value } else { value }))
}

/// `10^9`, `2**20`, `10⁻⁶`: a whole number to a whole power.
pub(super) fn raised(text: &str, at: usize, form: Form, gathered: &Gathered) -> Option<Literal> {
    if !matches!(form, Form::Whole(1..=4) | Form::Decimal) {
        return None;
    }
    if let Some(shifted) = shifted(text, at, gathered) {
        return Some(shifted);
    }
    let (len, exponent) = power(&text[at..]).or_else(|| power_in_words(&text[at..])).filter(|(_, exponent)| exponent.abs() <= 999)?;
    let value = gathered.number(0).0.powi(exponent);
    let digits =
        Digits { figures: EXACT, decimals: 0, exponent: if gathered.mantissa == 10 { exponent } else { 0 }, last_place: Number::ZERO };
    Some(Literal { len: at + len, value, other: None, digits, damaged: false, uncertainty: None, form: Form::Scientific })
}

/// `1 << 20`: a power of two, shifted.
fn shifted(text: &str, at: usize, gathered: &Gathered) -> Option<Literal> {
    let sign = skip_spaces(&text[at..]).strip_prefix("<<")?;
    let places = skip_spaces(sign);
    let size = digits(places.as_bytes(), 0);
    let by: i32 = places[..size].parse().ok().filter(|&by| by < 100 && size < 3)?;
    let ends = !places[size..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ','));
    let power = gathered.decimals == 0 && gathered.mantissa > 0 && gathered.mantissa & (gathered.mantissa - 1) == 0;
    let value = Number::from(gathered.mantissa) * Number::from(2).powi(by);
    let len = text.len() - places.len() + size;
    (ends && power).then(|| Literal { form: Form::Scientific, ..Literal::exact(value, len) })
}

/// ` to the 9`, ` to the power of -3`, ` to the 9th`, ` to the ninth`, ` to the minus three`.
fn power_in_words(text: &str) -> Option<(usize, i32)> {
    let body = text.strip_prefix(" to the ")?;
    let body = body.strip_prefix("power of ").or_else(|| body.strip_prefix("power ")).unwrap_or(body);
    let unsigned = body.strip_prefix(['-', '−']).or_else(|| body.strip_prefix("minus ")).unwrap_or(body);
    let size = unsigned.bytes().take(4).take_while(u8::is_ascii_digit).count();
    let (value, rest) = if size == 0 {
        let len = unsigned.bytes().take(12).take_while(u8::is_ascii_alphabetic).count();
        (words::exponent(&unsigned[..len])?, &unsigned[len..])
    } else {
        let rest = &unsigned[size..];
        let rest = rest.strip_prefix("th").or_else(|| rest.strip_prefix("rd")).or_else(|| rest.strip_prefix("nd")).unwrap_or(rest);
        (unsigned[..size].parse().ok()?, rest)
    };
    let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '%') && size > 0);
    (size < 4 && ends).then_some((text.len() - rest.len(), if unsigned.len() < body.len() { -value } else { value }))
}

/// The power of ten behind a number in words, and the bytes it takes: `two times ten to the sixth`; and that to which such a
/// number is raised, where it is ten: `ten to the ninth`.
pub(in crate::recognize) fn spoken(value: Number, text: &str) -> Option<(Number, usize)> {
    if value == Number::from(10)
        && let Some((len, exponent)) = power_in_words(text)
    {
        return Some((value.powi(exponent), len));
    }
    let times = times_power(text, false).filter(|times| times.base == 10 && !times.damaged)?;
    Some((value * Number::decimal(1, times.exponent), times.len))
}
