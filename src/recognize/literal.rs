//! A number as digits: `1,234.5`, `1.5 × 10⁹`, `2^20`, `0x400`, `2 1/2`, `½`.
//!
//! Reads forward only. What it looks at and does not take is bounded, so that a text of nothing but separators or exponents
//! costs no more than any other.

mod power;

use crate::quantity::{Figures, Number};

pub(super) use power::spoken;
use power::{may_be_multiplied, may_be_raised, raised, times_power};

/// Digits kept exactly; beyond them a number is a float.
const EXACT_DIGITS: u32 = 36;
/// Figures of what is exact by its form: a fraction, a power.
const EXACT: Figures = Figures { least: 1, most: 30 };

/// A number read from the start of a text.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    /// The bytes it takes.
    pub(super) len: usize,
    pub(super) value: Number,
    /// What it would be with the comma taken the other way, or if no raised digit was lost.
    pub(super) other: Option<(Number, Digits)>,
    pub(super) digits: Digits,
    /// Whether it is a damaged spelling that had to be mended.
    pub(super) damaged: bool,
    /// The uncertainty in its last places: `9.99(9)`.
    pub(super) uncertainty: Option<Number>,
    pub(super) form: Form,
}

impl Literal {
    /// A whole number that takes `len` bytes.
    pub(super) fn whole(value: i128, len: usize) -> Literal {
        Literal {
            len,
            value: Number::from(value),
            other: None,
            digits: whole_digits(value),
            damaged: false,
            uncertainty: None,
            form: Form::Decimal,
        }
    }

    /// A number that is exact by its form.
    pub(super) fn exact(value: Number, len: usize) -> Literal {
        Literal { len, value, other: None, digits: exact_digits(), damaged: false, uncertainty: None, form: Form::Fraction }
    }
}

/// What its digits show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digits {
    pub(super) figures: Figures,
    pub(super) decimals: u32,
    pub(super) exponent: i32,
    /// One unit in the last place.
    pub(super) last_place: Number,
}

/// The shape of a literal, for what may follow it and for what it may be instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `42`: with its count of digits.
    Whole(u32),
    /// `1,234`.
    Grouped,
    /// `3.35`.
    Decimal,
    /// `1.5e9`, `10^9`.
    Scientific,
    /// `7/8`.
    Fraction,
    /// `0x400`.
    Hex,
}

/// The digits of a number as they are gathered.
#[derive(Clone, Copy, Default)]
struct Gathered {
    mantissa: i128,
    /// Digits in the mantissa, leading zeros left out.
    figures: u32,
    /// Digits that no longer fit the mantissa.
    lost: i64,
    trailing_zeros: u32,
    decimals: u32,
    count: u32,
}

impl Gathered {
    fn push(&mut self, digits: &[u8]) {
        for &digit in digits {
            let digit = digit - b'0';
            self.count += 1;
            if self.figures < EXACT_DIGITS {
                self.mantissa = self.mantissa * 10 + i128::from(digit);
                self.figures += u32::from(self.mantissa != 0);
            } else {
                self.lost += 1;
                self.figures += 1;
            }
            self.trailing_zeros = if digit == 0 { self.trailing_zeros + 1 } else { 0 };
        }
    }

    fn number(&self, exponent: i32) -> (Number, Digits) {
        let shift = i64::from(exponent) - i64::from(self.decimals) + self.lost;
        let clamp = |value: i64| i32::try_from(value.clamp(-100_000, 100_000)).expect("clamped");
        let last = clamp(i64::from(exponent) - i64::from(self.decimals));
        let value = Number::decimal(self.mantissa, clamp(shift));
        let whole = self.decimals == 0 && exponent == 0;
        let most = self.figures.max(1);
        let least = if whole { most.saturating_sub(self.trailing_zeros).max(1) } else { most };
        let digits = Digits { figures: Figures { least, most }, decimals: self.decimals, exponent, last_place: Number::decimal(1, last) };
        (value, digits)
    }
}

/// What is known about a number before it is read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Manner {
    /// It follows another number and a comma, so that no comma of its own is part of it.
    pub(super) listed: bool,
    /// The text around writes its decimals with a comma.
    pub(super) decimal_comma: bool,
    /// What stands behind it shows that `× 104` is a factor, and not a power of ten that lost its raised digit.
    pub(super) product: bool,
}

/// The number at the start of `text`, which begins with a digit, or a point and a digit.
pub(super) fn read(text: &str, manner: Manner) -> Option<Literal> {
    let Manner { listed, decimal_comma: european, product } = manner;
    let bytes = text.as_bytes();
    if bytes[0] == b'0'
        && let Some(literal) = other_base(bytes)
    {
        return Some(literal);
    }
    let mut gathered = Gathered::default();
    let mut at = digits(bytes, 0);
    gathered.push(&bytes[..at]);
    let first = at;
    let mut form = Form::Whole(u32::try_from(first).unwrap_or(u32::MAX));
    let mut other = None;
    if first > 0
        && !(listed && bytes.get(first) == Some(&b','))
        && let Some(end) = groups(text, first, european)
    {
        let separator = text[first..].chars().next()?;
        for &byte in &bytes[first..end] {
            if byte.is_ascii_digit() {
                gathered.push(&[byte]);
            }
        }
        let either = separator == ',' || separator == '.' && european;
        if either && end == first + 4 && bytes[0] != b'0' {
            other = Some(Gathered { decimals: 3, ..gathered }.number(0));
        }
        form = Form::Grouped;
        at = end;
    }
    // The decimal mark: a point, or a comma where no thousands comma can be.
    let decimal_comma =
        form == Form::Whole(u32::try_from(first).unwrap_or(u32::MAX)) && first > 0 && !listed && comma_is_decimal(bytes, at, european);
    // Behind groups that no comma parts, a comma is a decimal mark: `1 234 567,89`.
    let decimal_comma =
        decimal_comma || form == Form::Grouped && !matches!(bytes[first], b',' | b'.') && comma_is_decimal(bytes, at, false);
    let dots = form == Form::Grouped && bytes[first] == b'.';
    let behind_dots = dots && bytes.get(at) == Some(&b',');
    let point = bytes.get(at) == Some(&b'.') && !dots;
    if (point || decimal_comma || behind_dots) && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
        let end = digits(bytes, at + 1);
        gathered.push(&bytes[at + 1..end]);
        // Three digits behind a comma are thousands elsewhere.
        let thousands = decimal_comma && end - at == 4 && first <= 3 && bytes[0] != b'0';
        other = thousands.then(|| gathered.number(0));
        gathered.decimals = u32::try_from(end - at - 1).unwrap_or(u32::MAX);
        let end = fraction_groups(text, end, end - at - 1, &mut gathered);
        at = end;
        form = Form::Decimal;
    } else if point && first > 0 && matches!(bytes.get(at + 1), Some(b'e' | b'E')) && exponent(&bytes[at + 1..]).is_some() {
        at += 1;
        form = Form::Decimal;
    }
    if at == 0 {
        return None;
    }
    // A point ends a decimal: its zeros count.
    let mut power = 0;
    let mut damaged = false;
    if let Some((len, value)) = exponent(&bytes[at..]).or_else(|| spaced_exponent(&bytes[at..])) {
        (at, power, form) = (at + len, value, Form::Scientific);
    }
    if form != Form::Scientific {
        if may_be_fraction(&bytes[at..])
            && let Some(fraction) = fraction(text, at, form, &gathered)
        {
            return Some(fraction);
        }
        if may_be_raised(&bytes[at..])
            && let Some(raised) = raised(text, at, form, &gathered)
        {
            return Some(raised);
        }
    }
    if let Some(times) = Some(&text[at..]).filter(|rest| may_be_multiplied(rest.as_bytes())).and_then(|rest| times_power(rest, product)) {
        damaged = times.damaged;
        at += times.len;
        let (value, shown) = gathered.number(power);
        let factor = times.factor.map(|factor| (value * Number::from(factor), shown));
        if times.base == 10 {
            let (value, shown) = gathered.number(power.saturating_add(times.exponent));
            return Some(Literal { len: at, value, other: factor, digits: shown, damaged, uncertainty: None, form: Form::Scientific });
        }
        let factor = Number::from(i128::from(times.base)).powi(times.exponent);
        let shown = Digits { last_place: shown.last_place * factor, ..shown };
        return Some(Literal {
            len: at,
            value: value * factor,
            other: None,
            digits: shown,
            damaged,
            uncertainty: None,
            form: Form::Scientific,
        });
    }
    let (value, shown) = gathered.number(power);
    let mut uncertainty = None;
    if let Some((len, places)) = places_in_parentheses(&text[at..]).filter(|_| form == Form::Decimal) {
        uncertainty = Some(shown.last_place * Number::from(places));
        at += len;
    }
    Some(Literal { len: at, value, other, digits: shown, damaged, uncertainty, form })
}

/// Whether a fraction may follow the digits of a number: told by a byte or two, as most often none does.
fn may_be_fraction(rest: &[u8]) -> bool {
    match rest {
        [b'/' | b'-' | 0x80.., ..] => true,
        [b' ', next, ..] => matches!(next, b'0'..=b'9' | b' ' | 0x80..),
        _ => false,
    }
}

/// `(9)` and `(12)` directly behind a decimal: how far its last places may be off.
pub(super) fn places_in_parentheses(text: &str) -> Option<(usize, i32)> {
    let inner = text.strip_prefix('(')?;
    let size = inner.bytes().take(3).take_while(u8::is_ascii_digit).count();
    let closed = (1..=2).contains(&size) && inner[size..].starts_with(')');
    closed.then(|| inner[..size].parse().ok().map(|places| (size + 2, places))).flatten()
}

/// The end of a run of digits.
fn digits(bytes: &[u8], from: usize) -> usize {
    from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// `0x400`, `0b1010`, `0o17`.
fn other_base(bytes: &[u8]) -> Option<Literal> {
    let base = match bytes.get(1)? {
        b'x' | b'X' => 16,
        b'b' => 2,
        b'o' => 8,
        _ => return None,
    };
    let len = bytes[2..].iter().take(40).take_while(|byte| char::from(**byte).is_digit(base) || **byte == b'_').count();
    if len == 0 || bytes.get(2 + len).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
        return None;
    }
    let value = bytes[2..2 + len]
        .iter()
        .filter(|byte| **byte != b'_')
        .try_fold(0_i128, |value, byte| value.checked_mul(i128::from(base))?.checked_add(i128::from(char::from(*byte).to_digit(base)?)))?;
    let digits = Digits { figures: EXACT, decimals: 0, exponent: 0, last_place: Number::ZERO };
    Some(Literal { len: 2 + len, value: Number::from(value), other: None, digits, damaged: false, uncertainty: None, form: Form::Hex })
}

/// The end of the thousands groups behind the first `first` digits, if there are any.
fn groups(text: &str, first: usize, european: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let separator = text[first..].chars().next()?;
    if first > 3 && separator != '\u{ad}'
        || !matches!(separator, ',' | '.' | ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' | '\u{2006}' | '\'' | '’' | '_' | '\u{ad}')
    {
        return None;
    }
    if separator == '\u{ad}' {
        // A soft hyphen only says where a line may break.
        let end = digits(bytes, first + 2);
        return (end > first + 2).then_some(end);
    }
    let width = separator.len_utf8();
    let group = |at: usize| text[at..].starts_with(separator).then(|| digits(bytes, at + width)).map(|end| (end, end - at - width));
    if bytes[0] == b'0' {
        return None;
    }
    let (mut end, size) = group(first)?;
    if size == 2 && separator == ',' && first <= 2 {
        // Indian: twos, then a three.
        for _ in 0..6 {
            match group(end)? {
                (next, 2) => end = next,
                (next, 3) if group(next).is_none_or(|(_, size)| size == 0) => return Some(next),
                _ => return None,
            }
        }
        return None;
    }
    if size != 3 {
        return None;
    }
    let mut count = 1;
    while let Some((next, 3)) = group(end) {
        end = next;
        count += 1;
    }
    match separator {
        // One point is a decimal point; two of them group, unless a part that is no group follows.
        '.' if count == 1 => {
            // Unless a decimal comma says that the point did not: `1.971,13`, or those of the text around.
            let decimals = text[end..].strip_prefix(',').map_or(0, |rest| digits(rest.as_bytes(), 0));
            (european || matches!(decimals, 1 | 2)).then_some(end)
        }
        // Where a comma is the decimal mark, it groups only where a second one follows.
        ',' if european && count == 1 => None,
        '.' => group(end).is_none_or(|(_, size)| size == 0).then_some(end),
        // A plain space groups; but a number may also stand beside another.
        ' ' if count == 1 => (group(end).is_none_or(|(_, size)| size == 0) && bytes.get(end) != Some(&b'/')).then_some(end),
        _ => Some(end),
    }
}

/// Whether the comma at `at` is a decimal mark: digits follow that are no thousands group, and no further comma.
fn comma_is_decimal(bytes: &[u8], at: usize, european: bool) -> bool {
    if bytes.get(at) != Some(&b',') || !bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let size = bytes[at + 1..].iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    let end = at + 1 + size;
    let goes_on = size < 5 && bytes.get(end) == Some(&b',') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
    let zero = bytes[..at] == *b"0";
    // The first group of thousands has three digits at most: `2479,553`.
    let long = at > 3 && bytes[..at].iter().all(u8::is_ascii_digit);
    !goes_on && (zero || long || european || size != 3)
}

/// `3.141 592 653`: groups of three behind the point, where the first is one.
fn fraction_groups(text: &str, mut end: usize, first: usize, gathered: &mut Gathered) -> usize {
    if first != 3 {
        return end;
    }
    let bytes = text.as_bytes();
    while let Some(separator) = text[end..].chars().next().filter(|c| matches!(c, ' ' | '_' | '\u{a0}' | '\u{2009}' | '\u{202f}')) {
        let from = end + separator.len_utf8();
        let next = digits(bytes, from);
        if next - from != 3 || bytes.get(next) == Some(&b'.') {
            break;
        }
        gathered.push(&bytes[from..next]);
        gathered.decimals += 3;
        end = next;
    }
    end
}

/// `e9`, `E+09`, `e−6`.
fn exponent(bytes: &[u8]) -> Option<(usize, i32)> {
    if !matches!(bytes.first()?, b'e' | b'E') {
        return None;
    }
    let (sign, at) = match bytes.get(1)? {
        b'-' => (-1, 2),
        b'+' => (1, 2),
        0xe2 if bytes.get(2..4) == Some(&[0x88, 0x92]) => (-1, 4),
        _ => (1, 1),
    };
    let end = digits(bytes, at);
    if end == at {
        return None;
    }
    let value = bytes[at..end].iter().take(7).fold(0_i32, |value, byte| value * 10 + i32::from(byte - b'0'));
    Some((end, sign * value.min(99_999)))
}

/// `1.5 e9`: only where nothing else hangs on it.
fn spaced_exponent(bytes: &[u8]) -> Option<(usize, i32)> {
    if bytes.first() != Some(&b' ') {
        return None;
    }
    let (len, value) = exponent(&bytes[1..])?;
    let ends = bytes.get(1 + len).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    (ends && len <= 5).then_some((1 + len, value))
}

/// `7/8`, `2 1/2`, `2½`; the slash of a date, a rate or a division of large numbers is none.
fn fraction(text: &str, at: usize, form: Form, gathered: &Gathered) -> Option<Literal> {
    let bytes = text.as_bytes();
    let Form::Whole(count) = form else { return None };
    let rest = &text[at..];
    let exact = |len: usize, value: Number| {
        let digits = Digits { figures: EXACT, decimals: 0, exponent: 0, last_place: Number::ZERO };
        Some(Literal { len, value, other: None, digits, damaged: false, uncertainty: None, form: Form::Fraction })
    };
    let whole = Number::from(gathered.mantissa);
    if let Some((len, value)) = vulgar(rest.strip_prefix(' ').unwrap_or(rest)) {
        let gap = usize::from(rest.starts_with(' '));
        return exact(at + gap + len, whole + value);
    }
    if count > 6 {
        return None;
    }
    let small = |from: usize| {
        let end = digits(bytes, from);
        let size = end - from;
        (1..=6).contains(&size).then(|| (end, bytes[from..end].iter().fold(0_i128, |value, byte| value * 10 + i128::from(byte - b'0'))))
    };
    let ends = |end: usize| {
        let next = bytes.get(end);
        let after = bytes.get(end + 1);
        !(next.is_some_and(|byte| matches!(byte, b'/' | b'^'))
            || next.is_some_and(|byte| matches!(byte, b'.' | b',')) && after.is_some_and(u8::is_ascii_digit))
    };
    if let Some(below) = rest.strip_prefix(['/', '⁄', '∕']) {
        let from = text.len() - below.len();
        let (end, below) = small(from)?;
        // A quotient of small numbers is one value; a leading zero is a date's.
        let dated = (bytes[0] == b'0' && count > 1) || bytes[from] == b'0';
        let end = end + ["ths", "th"].iter().find(|part| text[end..].starts_with(**part)).map_or(0, |part| part.len());
        return (ends(end) && below > 0 && !dated).then(|| exact(end, whole / Number::from(below))).flatten();
    }
    let mut gap = rest.len() - rest.strip_prefix([' ', '\u{a0}', '-'])?.len();
    gap += usize::from(rest[gap..].starts_with(' '));
    let (slash, above) = small(at + gap)?;
    if bytes.get(slash) != Some(&b'/') {
        return None;
    }
    let (end, below) = small(slash + 1)?;
    (ends(end) && above < below && below <= 64).then(|| exact(end, whole + Number::from(above) / Number::from(below))).flatten()
}

/// `½` and its like.
pub(super) fn vulgar(text: &str) -> Option<(usize, Number)> {
    let c = text.chars().next()?;
    let (above, below) = match c {
        '½' => (1, 2),
        '⅓' => (1, 3),
        '⅔' => (2, 3),
        '¼' => (1, 4),
        '¾' => (3, 4),
        '⅕' => (1, 5),
        '⅖' => (2, 5),
        '⅗' => (3, 5),
        '⅘' => (4, 5),
        '⅙' => (1, 6),
        '⅚' => (5, 6),
        '⅐' => (1, 7),
        '⅛' => (1, 8),
        '⅜' => (3, 8),
        '⅝' => (5, 8),
        '⅞' => (7, 8),
        '⅑' => (1, 9),
        '⅒' => (1, 10),
        _ => return None,
    };
    Some((c.len_utf8(), Number::from(above) / Number::from(below)))
}

/// What the digits of an exact form show.
pub(super) fn exact_digits() -> Digits {
    Digits { figures: EXACT, decimals: 0, exponent: 0, last_place: Number::ZERO }
}

/// What the digits of a whole number in words show.
pub(super) fn whole_digits(value: i128) -> Digits {
    let mut written = [0; 40];
    let mut at = written.len();
    let mut left = value.unsigned_abs();
    loop {
        at -= 1;
        written[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    let mut gathered = Gathered::default();
    gathered.push(&written[at..]);
    gathered.number(0).1
}
