//! What follows a number: its scale, its unit, its noun; or a sign that it is no number at all.

mod scale;
mod senses;

use std::ops::Range;
use std::rc::Rc;

use crate::quantity::{Dimension, Number, Sense, Spelled, Unit, Units, is_noun};

use super::combine::before;
use super::literal::{Form, Literal};
use super::words;

use scale::{a_part, accept, after_scale, mebi_or_million, scale_letter};

pub(super) use scale::scale_word;
pub(super) use senses::{Scaled, Senses};

/// Bytes that may part a number from its unit.
const WIDEST_GAP: usize = 8;

/// What follows a number.
#[derive(Debug)]
pub(super) struct Tail {
    /// One past the last byte that belongs to the quantity.
    pub(super) end: usize,
    /// The unit's bytes.
    pub(super) unit: Option<Range<usize>>,
    /// The noun of a count, or a word that may be an unknown unit.
    pub(super) noun: Option<Range<usize>>,
    /// Every fair way to take scale and unit.
    pub(super) senses: Senses,
    /// `80+`.
    pub(super) at_least: bool,
    /// `1.24ish`.
    pub(super) approximate: bool,
    /// What is added to the scaled number, in its unit: the half of `3 hours and a half`.
    pub(super) plus: Option<Number>,
}

/// What may be known about a number before its tail is read.
#[derive(Clone, Copy)]
pub(super) struct Head {
    pub(super) form: Form,
    /// Whether its value is a power of two from 16 up, as sizes are.
    pub(super) size_like: bool,
    /// Whether it was written in words.
    pub(super) spoken: bool,
    /// Whether it may be the hour that `pm` follows: `6`, `2.13`.
    pub(super) hour: bool,
}

impl Head {
    pub(super) fn of(literal: &Literal) -> Head {
        let whole = literal.value.to_ratio().filter(num_rational::Ratio::is_integer).map(|ratio| ratio.to_integer());
        let size_like = whole.is_some_and(|value| value >= 16 && value & (value - 1) == 0);
        let value = literal.value.to_f64();
        let minutes = ((value - value.floor()) * 100.0).round();
        let hour = match literal.form {
            Form::Whole(1..=2) => value <= 12.0,
            Form::Decimal => value < 13.0 && literal.digits.decimals == 2 && minutes < 60.0,
            _ => false,
        };
        Head { form: literal.form, size_like, spoken: false, hour }
    }

    /// A number in words, or one whose digits say nothing about what follows.
    pub(super) fn spoken() -> Head {
        Head { form: Form::Decimal, size_like: false, spoken: true, hour: true }
    }

    /// A fraction in words, which an article may follow: `half an hour`.
    pub(super) fn part() -> Head {
        Head { form: Form::Fraction, ..Head::spoken() }
    }
}

/// Reads what follows the number that ends at `end`. `None`: the number is part of a name or an ordinal.
pub(super) fn read(units: &Units, text: &str, end: usize, head: Head) -> Option<Tail> {
    let mut tail = Tail::bare(end);
    let mut rest = &text[end..];
    if nothing_follows(rest.as_bytes()) {
        return Some(tail);
    }
    if matches!(rest.as_bytes(), [b'i', b's', b'h', ..]) && !rest[3..].starts_with(|c: char| c.is_alphanumeric()) {
        tail.approximate = true;
        tail.end += 3;
        rest = &rest[3..];
    }
    if rest.starts_with('+') && plus_is_a_bound(units, &rest[1..]) {
        tail.at_least = true;
        tail.end += 1;
        rest = &rest[1..];
    }
    // `5 and a half minutes`
    if let Some((len, part)) = behind_and(rest).and_then(a_part).filter(|(len, _)| !rest[5 + len..].starts_with(" of")) {
        tail.plus = Some(part);
        tail.end += 5 + len;
        rest = &rest[5 + len..];
    }
    let gap = gap(rest)?;
    let after = &rest[gap.len..];
    // `0.664 w/o overlap`
    if matches!(after.as_bytes(), [b'w', b'/', b' ', ..] | [b'w', b'/', b'o', b' ', ..]) {
        return Some(tail);
    }
    // `P=8 B=300`: the next letter is the next name.
    if gap.len > 0 && sets_a_letter(after) {
        let head = before(text, end, 24).trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | 'e' | '-'));
        if head.ends_with('=') {
            return Some(tail);
        }
    }
    // A dollar behind a space closes a formula that another has opened.
    if gap.len > 0 && after.starts_with('$') && before(text, end, 64).contains('$') {
        return Some(tail);
    }
    if gap.len == 0 {
        glued(units, after, head, &mut tail)?;
    } else if gap.hyphen {
        // `5-shot` names a way to ask.
        if matches!(word_and_run(after), ("shot", 4)) {
            return None;
        }
        behind_hyphen(units, after, gap.len, &mut tail);
    } else {
        if head.hour && is_half_of_the_day(after) {
            return None;
        }
        spaced(units, after, &gap, head, &mut tail);
    }
    if tail.senses.is_none() {
        rate(units, text, &mut tail);
    }
    // `3 hours and a half`
    if let Some(body) =
        behind_and(&text[tail.end..]).filter(|_| tail.unit.is_some() && tail.plus.is_none() && !text[end..].starts_with('%'))
        && let Some((len, part)) = a_part(body).filter(|(len, _)| !body[*len..].starts_with(" of"))
    {
        tail.plus = Some(part);
        tail.end += 5 + len;
    }
    Some(tail)
}

/// Whether a single capital letter is given a value, without room around its sign.
fn sets_a_letter(text: &str) -> bool {
    matches!(text.as_bytes(), [name, b'=', value, ..] if name.is_ascii_uppercase() && value.is_ascii_digit())
}

/// What stands behind ` and `, where that comes next.
fn behind_and(rest: &str) -> Option<&str> {
    matches!(rest.as_bytes(), [b' ', b'a', b'n', b'd', b' ', ..]).then(|| &rest[5..])
}

/// `1/s`, `100 per second`: a rate of what is not said.
fn rate(units: &Units, text: &str, tail: &mut Tail) {
    let rest = &text[tail.end..];
    if tail.noun.is_some() || !matches!(rest.as_bytes(), [b'/', ..] | [b' ', b'p', b'e', b'r', b' ', ..]) {
        return;
    }
    let found = units.go_on(Sense { unit: Unit::one(), loose: None }, rest);
    if found.len > 0 && found.senses[0].unit.dimension == Dimension::PER_TIME && ends_word(rest, found.len) {
        accept_unit(tail, 0, found.len, found.senses);
    }
}

/// Whether what stands behind a number shows at once that nothing of it is there.
fn nothing_follows(rest: &[u8]) -> bool {
    match rest {
        [] | [b')' | b']' | b'=' | b';' | b':' | b'^' | b'!' | b'?' | b'}' | b'"' | b'`', ..] => true,
        [b'.' | b',', next, ..] => matches!(next, b'\n') || *next == b' ' && !matches!(rest, [b'.', _, b'a'..=b'z' | 0x80.., ..]),
        [b' ', b'=' | b'+' | b'-' | b'*' | b'/' | b')' | b'<' | b'>' | b';' | b'0'..=b'9', ..] => true,
        _ => false,
    }
}

impl Tail {
    /// No tail.
    pub(super) fn bare(end: usize) -> Tail {
        Tail { end, unit: None, noun: None, senses: Senses::None, at_least: false, approximate: false, plus: None }
    }

    /// A tail that is a unit and nothing else.
    pub(super) fn unit(end: usize, unit: Range<usize>, sense: Sense) -> Tail {
        Tail { unit: Some(unit), senses: Senses::Units(Number::ONE, Rc::new([sense])), ..Tail::bare(end) }
    }
}

/// `pm` and `a.m.`, which make a number a time of the day.
fn is_half_of_the_day(after: &str) -> bool {
    let half = after.get(..4).filter(|half| matches!(*half, "a.m." | "p.m." | "A.M." | "P.M.")).is_some();
    half || matches!(word_and_run(after), ("am" | "pm" | "AM" | "PM", 2)) && !after[2..].starts_with('/')
}

struct Gap {
    len: usize,
    hyphen: bool,
    line: bool,
}

/// What parts a number from what follows; nothing, spaces, one line end, or a hyphen.
fn gap(rest: &str) -> Option<Gap> {
    let mut gap = Gap { len: 0, hyphen: false, line: false };
    match rest.as_bytes() {
        [b' ', b'!'..=b'~', ..] => return Some(Gap { len: 1, ..gap }),
        // A tie parts a number from its unit in LaTeX: `1.24~ms`.
        [b'~', b'A'..=b'Z' | b'a'..=b'z' | b'\\' | 0xc2 | 0xce, ..] => return Some(Gap { len: 1, ..gap }),
        [b'!'..=b',' | b'.'..=b'~', ..] => return Some(gap),
        _ => {}
    }
    if rest.starts_with('-') && rest[1..].starts_with(|c: char| c.is_alphabetic()) {
        return Some(Gap { len: 1, hyphen: true, line: false });
    }
    for c in rest.chars() {
        match c {
            ' ' | '\u{3000}' | '\u{a0}' | '\u{2009}' | '\u{202f}' | '\u{200b}' | '\u{2060}' | '\u{ad}' | '\t' | '\u{2006}' | '\u{2005}'
            | '\u{200a}' | '\u{2002}' | '\u{2003}' => {}
            '\n' if !gap.line => gap.line = true,
            '\r' => {}
            _ => break,
        }
        gap.len += c.len_utf8();
        if gap.len > WIDEST_GAP {
            gap.len = 0;
            break;
        }
    }
    Some(gap)
}

fn plus_is_a_bound(units: &Units, rest: &str) -> bool {
    let trimmed = rest.trim_start_matches(' ');
    match trimmed.chars().next() {
        None => true,
        Some(c) if c.is_alphabetic() || c == '%' => rest.len() > trimmed.len() && trimmed.len() > 1 || units.scan(trimmed).is_some(),
        Some(c) => matches!(c, ')' | '.' | ',' | ';' | '\n' | '|'),
    }
}

/// A word's letters, and the whole run of letters, digits and underscores that it starts.
fn word_and_run(text: &str) -> (&str, usize) {
    let bytes = text.as_bytes();
    let letters = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    // Most words are over where their letters of ASCII are.
    if bytes.get(letters).is_none_or(|byte| byte.is_ascii() && !byte.is_ascii_digit() && *byte != b'_') {
        return (&text[..letters], letters);
    }
    let letters = text.char_indices().find(|(_, c)| !c.is_alphabetic()).map_or(text.len(), |(at, _)| at);
    let run = text.char_indices().take(64).find(|(_, c)| !(c.is_alphanumeric() || *c == '_')).map_or(text.len().min(64), |(at, _)| at);
    (&text[..letters], run.max(letters))
}

/// Whether the unit that ends at `len` ends a word.
fn ends_word(text: &str, len: usize) -> bool {
    let last = text[..len].chars().next_back().is_some_and(char::is_alphanumeric);
    !(last && text[len..].starts_with(|c: char| (c.is_alphanumeric() && !matches!(c, '²' | '³' | '¹')) || c == '_'))
}

fn glued(units: &Units, after: &str, head: Head, tail: &mut Tail) -> Option<()> {
    let Some(first) = after.chars().next() else { return Some(()) };
    if matches!(first, 'x' | 'X' | '×') {
        return glued_times(units, after, tail);
    }
    let sign = matches!(first, '%' | '‰' | '‱' | '°' | 'º' | '$' | '€' | '£' | '¥' | '¢' | '₹');
    if first == '(' || first == '[' {
        bracketed(units, after, tail.end, tail);
        return Some(());
    }
    if first == ',' && comma_unit(units, after, tail) {
        return Some(());
    }
    if first == '.' {
        dotted_unit(units, after, tail);
        return Some(());
    }
    if !(first.is_alphabetic() || sign || first == '_') {
        return Some(());
    }
    let (word, run) = word_and_run(after);
    if matches!(word, "st" | "nd" | "rd" | "th") && run == word.len() && !head.spoken {
        return None;
    }
    if head.hour && is_half_of_the_day(after) {
        return None;
    }
    if run == word.len()
        && let Some((senses, more)) = scale_letter(units, word, &after[word.len()..], true, head)
    {
        accept(tail, 0, word.len(), senses, more);
        return Some(());
    }
    // `1m30s`
    if run > 1 && word == "m" && minutes_before_seconds(&after[1..]) {
        if let Some(found) = units.scan("min") {
            accept_unit(tail, 0, 1, found.senses);
        }
        return Some(());
    }
    // `1e-3f` and `1e-3L` are numbers of a program.
    if head.form == Form::Scientific && run == 1 && matches!(word, "f" | "F" | "L") {
        tail.end += 1;
        return Some(());
    }
    let found = units.scan(after).filter(|found| ends_word(after, found.len) || is_time_before_digits(after, found));
    // A scale says just this where a unit would be taken freely: `1.5mn` are millions, and no millinewtons.
    if run == word.len()
        && found.as_ref().is_none_or(|found| found.senses[0].loose.is_some())
        && let Some(factor) = scale_word(word)
    {
        tail.end += word.len();
        after_scale(units, &after[word.len()..], Number::from(factor), tail);
        return Some(());
    }
    if let Some(found) = found {
        accept_unit(tail, 0, found.len, found.senses);
        return Some(());
    }
    let suffix = &after[..run];
    let is_suffix = match head.form {
        Form::Scientific | Form::Decimal => matches!(suffix, "f" | "F" | "d" | "L"),
        Form::Whole(_) | Form::Hex => matches!(suffix, "u" | "U" | "L" | "UL" | "ul" | "LL" | "ULL" | "f" | "n"),
        _ => false,
    };
    if is_suffix {
        tail.end += suffix.len();
        return Some(());
    }
    // A scale and a unit or noun without a space between: `2.4Tparams`, `300kGPUs` are no words; `12GPUs` is a count.
    let noun = run == word.len() && word.chars().count() >= 3 && (word.chars().skip(1).any(char::is_lowercase));
    if noun {
        tail.noun = Some(tail.end..tail.end + word.len());
        return Some(());
    }
    None
}

/// Whether `30s` or `30sec` stands there.
fn minutes_before_seconds(rest: &str) -> bool {
    let digits = rest.bytes().take(3).take_while(u8::is_ascii_digit).count();
    (1..=2).contains(&digits)
        && matches!(word_and_run(&rest[digits..]), ("s" | "sec" | "secs", run) if run == word_and_run(&rest[digits..]).0.len())
}

/// `1h30` and `1min3sec`: a part of a duration, with the next directly behind.
fn is_time_before_digits(after: &str, found: &Spelled) -> bool {
    let digits = after[found.len..].bytes().take(3).take_while(u8::is_ascii_digit).count();
    let rest = &after[found.len + digits..];
    let ends = word_and_run(rest).1 == 0 || ["m", "min", "mins", "s", "sec", "secs", "ms"].contains(&&rest[..word_and_run(rest).1]);
    found.senses[0].unit.dimension == Dimension::TIME && (1..=2).contains(&digits) && ends
}

/// `16x`, `16×`, but no `3840x2160` and no product.
fn glued_times(units: &Units, after: &str, tail: &mut Tail) -> Option<()> {
    let sign = after.chars().next()?;
    let behind = &after[sign.len_utf8()..];
    let next = behind.trim_start_matches(' ');
    if sign != '×' && behind.starts_with(|c: char| c.is_alphanumeric()) {
        // `2x16 GB` is a product; `8x7B` and `3840x2160` are names.
        let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
        let unit = digits > 0 && {
            let rest = &behind[digits..];
            let gap = usize::from(rest.starts_with(' '));
            let found = units.scan(&rest[gap..]).filter(|found| ends_word(&rest[gap..], found.len));
            found.is_some_and(|found| gap > 0 || found.len > 1)
        };
        return unit.then_some(());
    }
    if next.starts_with(|c: char| c.is_ascii_digit()) || sign == '×' && goes_on_as_product(behind) {
        return Some(());
    }
    accept_unit(tail, 0, sign.len_utf8(), times(units));
    Some(())
}

/// Whether a factor follows a `×`: a number, a bracket, a symbol; a word of the sentence is none.
fn goes_on_as_product(behind: &str) -> bool {
    let next = behind.trim_start();
    let (word, run) = word_and_run(next);
    let sentence = behind.len() > next.len() && run == word.len() && word.chars().count() > 2 && word.chars().all(char::is_lowercase);
    !sentence && next.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '.' | '√' | '⌈' | '[' | '-' | '−'))
}

/// `16,GB`: a unit in the next field of a line of comma-separated values.
fn comma_unit(units: &Units, after: &str, tail: &mut Tail) -> bool {
    let field = &after[1..];
    let Some(found) = units.scan(field) else { return false };
    let ends = field[found.len..].chars().next().is_none_or(|c| matches!(c, ',' | '\n' | '\r'));
    let strict = found.senses[0].loose.is_none();
    if ends && strict {
        accept_unit(tail, 1, found.len, found.senses);
    }
    ends && strict
}

/// `5. seconds`: a decimal point with nothing behind it.
fn dotted_unit(units: &Units, after: &str, tail: &mut Tail) {
    let Some(word) = after.strip_prefix(". ") else { return };
    if !word.starts_with(|c: char| c.is_lowercase()) {
        return;
    }
    if let Some(found) = units.scan(word).filter(|found| found.senses[0].loose.is_none() && ends_word(word, found.len)) {
        accept_unit(tail, 2, found.len, found.senses);
    }
}

fn behind_hyphen(units: &Units, after: &str, gap: usize, tail: &mut Tail) {
    let (word, run) = word_and_run(after);
    if word == "to" {
        return;
    }
    if let Some(exponent) = scale_word(word) {
        tail.end += gap + word.len();
        after_scale(units, &after[word.len()..], Number::from(exponent), tail);
        return;
    }
    // `8-fold`, `8-mal`, `das 8-Fache`
    if matches!(word, "fold" | "mal" | "fach" | "fache" | "faches" | "fachen" | "Fache" | "Faches" | "Fachen") {
        accept_unit(tail, gap, word.len(), times(units));
        return;
    }
    // `a thirty-second part of the message`
    if tail_is_ordinal(word, &after[run..]) {
        return;
    }
    if let Some(found) = units.scan(after).filter(|found| ends_word(after, found.len))
        && (found.len > 1 || !after[found.len..].starts_with('-'))
    {
        accept_unit(tail, gap, found.len, found.senses);
        return;
    }
    if run == word.len() && is_noun(word) && !is_set(after) {
        tail.noun = Some(tail.end + gap..tail.end + gap + word.len());
    }
}

/// Whether `second` is an ordinal and no unit: `a thirty-second part`, `thirty-seconds of it`.
fn tail_is_ordinal(word: &str, after: &str) -> bool {
    let next = after.trim_start_matches(' ').split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    matches!(word, "second" | "seconds") && matches!(next, "part" | "parts" | "of" | "share" | "piece" | "slice" | "th")
}

/// Words behind a number of times.
const COMPARED: &[&str] = &[
    "faster", "slower", "larger", "smaller", "bigger", "higher", "lower", "longer", "shorter", "more", "less", "fewer", "as", "the",
    "speedup",
];

fn spaced(units: &Units, after: &str, gap: &Gap, head: Head, tail: &mut Tail) {
    let Some(first) = after.chars().next() else { return };
    if first == '(' || first == '[' {
        if !gap.line {
            bracketed(units, after, tail.end + gap.len, tail);
        }
        return;
    }
    if first == '×' {
        // `1.8 × faster`, `8 ×,`
        let behind = &after[first.len_utf8()..];
        let compared = COMPARED.contains(&word_and_run(behind.trim_start_matches(' ')).0);
        if compared || !gap.line && behind.trim_start().is_empty() || behind.starts_with([',', ';', ')']) {
            accept_unit(tail, gap.len, first.len_utf8(), times(units));
        }
        return;
    }
    // A remark at the end of a line of a program: `lat = 1.24e-3  # s`.
    let remark = if matches!(first, '#' | '/') { after.strip_prefix("# ").or_else(|| after.strip_prefix("// ")) } else { None };
    if let Some(remark) = remark.filter(|_| !gap.line) {
        let found = units.scan(remark).filter(|found| found.senses[0].loose.is_none());
        if let Some(found) = found.filter(|found| remark[found.len..].trim_start_matches(' ').chars().next().is_none_or(|c| c == '\n')) {
            let skipped = after.len() - remark.len();
            tail.unit = Some(tail.end + gap.len + skipped..tail.end + gap.len + skipped + found.len);
            tail.senses = Senses::Units(Number::ONE, found.senses);
        }
        return;
    }
    // The next cell of a row that is drawn on a line: `16 | GB |`.
    if let Some(cell) = Some(after).filter(|_| first == '|' && !gap.line).and_then(|after| after.strip_prefix("| ")) {
        if let Some(found) =
            units.scan(cell).filter(|found| found.senses[0].loose.is_none() && cell[found.len..].trim_start().starts_with('|'))
        {
            accept_unit(tail, gap.len + 2, found.len, found.senses);
        }
        return;
    }
    let (word, run) = word_and_run(after);
    if matches!(first, 'x' | 'X') && run == 1 {
        let behind = after[1..].trim_start_matches(' ');
        let product = behind.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '(' | '.' | '=' | '-' | '√'))
            || word_and_run(behind).1 == 1 && behind.starts_with(char::is_alphabetic);
        if !product && !gap.line {
            accept_unit(tail, gap.len, 1, times(units));
        }
        return;
    }
    if run == word.len() && !gap.line {
        if let Some(senses) = Some(word).filter(|word| *word == "Mio").and_then(|_| mebi_or_million(units, &after[word.len()..])) {
            accept(tail, gap.len, word.len(), senses, None);
            return;
        }
        let per = word == "Mio" && after[word.len()..].starts_with('/');
        if let Some(factor) =
            scale_word(word).filter(|_| !per).filter(|_| !matches!(word, "kilo" | "mega" | "giga" | "tera") || units.scan(after).is_none())
        {
            tail.end += gap.len + word.len();
            after_scale(units, &after[word.len()..], Number::from(factor), tail);
            return;
        }
        if let Some(parts) = words::parts(word) {
            tail.end += gap.len + word.len();
            tail.senses = Senses::Scale(Number::ONE / Number::from(parts));
            return;
        }
        // `9.81 m s^-2`, `3 m per second` go on as a unit.
        let longer = word == "m" && after[1..].starts_with(' ') && units.scan(after).is_some_and(|found| found.len > 1);
        if let Some((senses, more)) = scale_letter(units, word, &after[word.len()..], false, head).filter(|_| !longer) {
            accept(tail, gap.len, word.len(), senses, more);
            return;
        }
        if matches!(word, "times" | "mal") && !words_product(&after[word.len()..]) {
            accept_unit(tail, gap.len, word.len(), times(units));
            return;
        }
        if matches!(word, "a" | "an") && head.spoken && head.form == Form::Fraction {
            let unit = &after[word.len()..];
            let named =
                unit.strip_prefix(' ').and_then(|unit| units.scan(unit)).filter(|found| found.len > 3 && ends_word(&unit[1..], found.len));
            if let Some(found) = named {
                accept_unit(tail, gap.len + word.len() + 1, found.len, found.senses);
            }
            return;
        }
        if word == "of" {
            of_a_unit(units, after, gap.len, tail);
            return;
        }
    }
    if let Some(found) = units.scan(after).filter(|found| ends_word(after, found.len)) {
        let behind = after[found.len..].trim_start_matches(' ');
        let strict = found.senses[0].loose.is_none();
        // What a number or a sign follows in the next line is a label of that line.
        let label =
            behind.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '=' | ':' | '|' | '-' | '−' | '~' | '≈' | '(' | '<' | '>'));
        let other_line = gap.line && (!strict || found.len < 2 || label);
        let freedom = after[..found.len].starts_with("degree") && behind.starts_with("of ");
        // `two MW races`: behind a number in words a short symbol is the start of a name.
        let (next, run) = word_and_run(behind);
        let name = head.spoken
            && head.form == Form::Decimal
            && found.len <= 3
            && run == next.len()
            && is_noun(next)
            && word.chars().all(char::is_uppercase);
        if !other_line && !freedom && !name {
            accept_unit(tail, gap.len, found.len, found.senses);
            return;
        }
    }
    if !gap.line && run == word.len() && is_noun(word) && !is_set(after) {
        tail.noun = Some(tail.end + gap.len..tail.end + gap.len + word.len());
    }
}

/// Whether `times` is followed by another factor.
fn words_product(rest: &str) -> bool {
    let rest = rest.trim_start_matches(' ');
    rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '(' | '$'))
}

/// ` of a millisecond`.
fn of_a_unit(units: &Units, after: &str, gap: usize, tail: &mut Tail) {
    let Some(unit) = after.strip_prefix("of a ").or_else(|| after.strip_prefix("of an ")) else { return };
    let skipped = after.len() - unit.len();
    let found = units.scan(unit).filter(|found| found.senses[0].loose.is_none() && found.len > 3 && ends_word(unit, found.len));
    if let Some(found) = found {
        accept_unit(tail, gap + skipped, found.len, found.senses);
        return;
    }
    let (word, _) = word_and_run(unit);
    if let Some(factor) = words::scale(word) {
        tail.end += gap + skipped + word.len();
        tail.senses = Senses::Scale(Number::from(factor));
    }
}

/// ` (GB/s)`, ` [GB/s]`: a bracket that holds a unit and nothing else.
fn bracketed(units: &Units, after: &str, at: usize, tail: &mut Tail) {
    let close = if after.starts_with('(') { ')' } else { ']' };
    let inner = after[1..].trim_start_matches(' ');
    let skipped = after.len() - inner.len();
    let Some(found) = units.scan(inner) else { return };
    let rest = inner[found.len..].trim_start_matches(' ');
    if !rest.starts_with(close) || found.senses[0].loose.is_some() && found.len < 2 {
        return;
    }
    let end = at + after.len() - rest.len() + 1;
    tail.unit = Some(at + skipped..at + skipped + found.len);
    tail.end = end;
    tail.senses = Senses::Units(Number::ONE, found.senses);
}

/// The unit of how many times.
fn times(units: &Units) -> Rc<[Sense]> {
    let one = || -> Rc<[Sense]> { Rc::new([Sense { unit: Unit::one(), loose: None }]) };
    units.scan("x").map_or_else(one, |found| found.senses)
}

fn accept_unit(tail: &mut Tail, gap: usize, len: usize, senses: Rc<[Sense]>) {
    let start = tail.end + gap;
    tail.unit = Some(start..start + len);
    tail.end = start + len;
    tail.senses = Senses::Units(Number::ONE, senses);
}

/// Whether what stands behind a number is the next name that is given a value, as programs print them: `lat=0.5 total=2.7`.
fn is_set(behind: &str) -> bool {
    let name =
        behind.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '/' | '+' | '-' | '*' | '(' | ')'))).unwrap_or(behind.len());
    behind[name..].starts_with('=') && behind[name + 1..].starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.'))
}
