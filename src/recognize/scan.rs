//! The walk over a passage: from left to right, once, taking numbers and leaving names.

mod word;

use std::ops::Range;

use smallvec::smallvec;

use crate::formula::KnownNames;
use crate::quantity::{Loose, Number, Sense, Unit, Units, Written};

use super::literal::{self, Digits, Form, Literal, Manner};
use super::marks::Marks;
use super::skip;
use super::tail::{self, Head, Scaled, Senses, Tail};
use super::{Context, Kind, Reading, Readings};

/// A number with what belongs to it, before its neighbours are looked at.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) range: Range<usize>,
    pub(super) number: Range<usize>,
    pub(super) unit: Option<Range<usize>>,
    pub(super) noun: Option<Range<usize>>,
    pub(super) readings: Readings,
    /// The number without its scale and unit.
    pub(super) plain: Number,
    /// The scale word or letter of the first reading.
    pub(super) scale: Number,
    pub(super) digits: Digits,
    pub(super) kind: Kind,
    pub(super) approximate: bool,
    /// Whether it was written in words.
    pub(super) spoken: bool,
    /// Whether a sign stands before it.
    pub(super) signed: bool,
    /// The size of the smallest unit of a compound.
    pub(super) smallest: Option<Number>,
    /// Where the unit stands that it shares with a later number.
    pub(super) shared: Option<Range<usize>>,
}

impl Atom {
    /// Whether neither unit nor noun nor scale stands with it.
    pub(super) fn is_bare(&self) -> bool {
        self.unit.is_none() && self.noun.is_none() && self.scale == Number::ONE
    }

    /// The year that it may be.
    pub(super) fn may_be_year(&self, text: &str) -> bool {
        self.is_bare() && skip::is_year(&text[self.number.clone()])
    }
}

pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    units: &'a Units,
    symbols: &'a KnownNames,
    decimal_comma: bool,
    atoms: &'a mut Vec<Atom>,
}

/// Every number of a passage that may be an answer, into a list that is empty.
pub(super) fn atoms(text: &str, context: &Context, marks: Marks, atoms: &mut Vec<Atom>) {
    let decimal_comma = marks.decimal_comma();
    Scanner { text, units: context.units, symbols: context.symbols, decimal_comma, atoms }.run();
}

impl Scanner<'_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mut at = self.line_start(0);
        while at < bytes.len() {
            let byte = bytes[at];
            at = match byte {
                b'0'..=b'9' => self.number(at),
                b'a'..=b'z' => self.prose(at),
                b'A'..=b'Z' | b'_' => self.word(at),
                b'\n' => self.line_start(at + 1),
                b'.' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => self.leading_point(at),
                b'[' => self.bracket(at),
                b'(' => self.parenthesis(at),
                b'$' => self.currency(at, at + 1),
                b'#' if bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => skip::name_end(self.text, at + 1),
                b'+' => self.telephone(at).unwrap_or(at + 1),
                b'^' => self.exponent(at),
                0x80.. => self.beyond_ascii(at),
                // A terminal's escape codes are colors, whatever digits they hold.
                0x1b if bytes.get(at + 1) == Some(&b'[') => {
                    let codes = bytes[at + 2..].iter().take(16).take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
                    at + 2 + codes + usize::from(bytes.get(at + 2 + codes).is_some_and(u8::is_ascii_alphabetic))
                }
                _ => at + 1,
            };
        }
    }

    /// Skips the marker of a line and what stands before it.
    fn line_start(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut start = at;
        // A sign directly before a digit is no marker of a heading but of a name: `#42`.
        while matches!(bytes.get(start), Some(b' ' | b'\t' | b'>' | b'#' | b'*' | b'|'))
            && !(bytes[start] == b'#' && bytes.get(start + 1).is_some_and(u8::is_ascii_digit))
        {
            start += 1;
        }
        {
            let is_unit = |word: &str| tail::scale_word(word).is_some() || !self.units.read(word).is_empty();
            skip::line_marker(self.text, start, is_unit).unwrap_or(start)
        }
    }

    fn leading_point(&mut self, at: usize) -> usize {
        let before = self.text.as_bytes()[..at].last();
        // The dots of a leader and of `3..5` are no decimal points.
        if before.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'.' || *byte == b')') {
            return at + 1;
        }
        self.number(at)
    }

    fn number(&mut self, at: usize) -> usize {
        if let Some(end) = skip::digits_that_are_none(self.text, at) {
            return skip::word_end(self.text, end);
        }
        // Most numbers are neither of these; the byte behind their digits tells.
        let digits = self.text.as_bytes()[at..].iter().take(8).take_while(|byte| byte.is_ascii_digit()).count();
        let other = match self.text.as_bytes().get(at + digits) {
            Some(b':') => self.ratio(at),
            Some(b'-') => self.ratio_in_words(at),
            Some(b' ') if self.text[at..].starts_with("1 : ") => self.one_to(at),
            Some(b' ' | b's' | b'n' | b'r' | b't') if digits <= 2 => self.day_of_month(at),
            _ => None,
        };
        if let Some(end) = other {
            return end;
        }
        let listed = at >= 2 && self.text.as_bytes()[at - 1] == b',' && self.text.as_bytes()[at - 2].is_ascii_digit();
        let mut manner = Manner { listed, decimal_comma: self.decimal_comma, product: false };
        let Some(mut literal) = literal::read(&self.text[at..], manner) else { return at + 1 };
        if literal.damaged && self.result_is_of_product(at + literal.len, &literal) {
            manner.product = true;
            literal = literal::read(&self.text[at..], manner).unwrap_or(literal);
        }
        // `8×H100`, `4×A100-80GB`: how many of what is a name with digits of its own.
        if let Some(end) = skip::counted_model(self.text, at + literal.len) {
            return end;
        }
        self.add_uncertainty(at, &mut literal);
        let start = at - self.sign_before(at);
        let mut end = at + literal.len;
        // `O(100) ms` is a size, `O(1)` a class.
        let order = at > 1 && self.text.as_bytes()[at - 2..at] == *b"O(" && self.text[end..].starts_with(')');
        end += usize::from(order);
        if let Some(next) = self.factor_of_symbol(end) {
            self.push(start, at..end, &literal, Tail::bare(end), start < at && self.text[start..at] != *"+");
            return next;
        }
        let Some(tail) = tail::read(self.units, self.text, end, Head::of(&literal)) else {
            return skip::name_end(self.text, end);
        };
        let next = tail.end;
        if order && tail.senses.unit().is_none() && literal.value == Number::ONE {
            return next;
        }
        if tail.senses.unit().is_none() && tail.noun.is_none() && skip::is_year(&self.text[at..end]) && skip::says_year(self.before(at, 24))
        {
            return next;
        }
        let negative = start < at && self.text[start..at] != *"+";
        let times = if start == at && tail.senses.unit().is_none() { self.times_before(at) } else { 0 };
        self.push(start, at..at + literal.len, &literal, tail, negative);
        if times > 0 {
            self.make_multiple(at - times);
        }
        // `2x16 GB`: on behind the sign, lest the rest be taken for a name.
        let behind = self.text[next..].strip_prefix(['x', 'X']).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        behind.map_or(next, |rest| self.text.len() - rest.len())
    }

    /// `12(3) ms`: how far the last places of a whole number may be off. Without a unit behind it, it may be a factor.
    fn add_uncertainty(&self, at: usize, literal: &mut Literal) {
        let end = at + literal.len;
        if self.text.as_bytes().get(end) != Some(&b'(') || !matches!(literal.form, Form::Whole(2..)) {
            return;
        }
        let Some((len, places)) = literal::places_in_parentheses(&self.text[end..]) else { return };
        if tail::read(self.units, self.text, end + len, Head::of(literal)).is_some_and(|tail| tail.unit.is_some()) {
            literal.uncertainty = Some(literal.digits.last_place * Number::from(places));
            literal.len += len;
        }
    }

    /// `16:1`, and the parts of `1:30:00` as one time.
    fn ratio(&mut self, at: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let number = |from: usize| {
            let size = bytes[from..].iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
            (1..5).contains(&size).then(|| (from + size, self.text[from..from + size].parse::<i128>().unwrap_or(0)))
        };
        let (first, left) = number(at)?;
        if bytes.get(first) != Some(&b':') {
            return None;
        }
        let (second, right) = number(first + 1)?;
        if bytes.get(second) == Some(&b':') {
            let (third, seconds) = number(second + 1)?;
            if third - second != 3 || second - first != 3 || right > 59 || seconds > 59 {
                return None;
            }
            let value = Number::from(left * 3600 + right * 60 + seconds);
            self.exact(at..third, value, "s", Kind::Compound);
            return Some(third);
        }
        let glued = bytes.get(second).is_some_and(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b',') && bytes.get(second + 1).is_some_and(u8::is_ascii_digit)
        });
        if right == 0 || glued {
            return None;
        }
        self.exact(at..second, Number::from(left) / Number::from(right), "x", Kind::Exact);
        Some(second)
    }

    /// `1 : 162` with room around its sign; at the start of a line the first is the number of an item.
    fn one_to(&mut self, at: usize) -> Option<usize> {
        let digits = &self.text[at + 4..];
        let size = digits.bytes().take(5).take_while(u8::is_ascii_digit).count();
        let behind = &digits[size..];
        let ends = behind.is_empty()
            || behind.starts_with(['\n', ')', ';'])
            || behind.starts_with(['.', ',']) && !behind[1..].starts_with(|c: char| c.is_ascii_digit());
        let begins = self.text[..at].trim_end_matches([' ', '\t']).ends_with(['\n', '|', '-', '*']) || self.text[..at].trim().is_empty();
        let right: i128 = digits[..size].parse().ok().filter(|right| *right > 1)?;
        if !ends || begins {
            return None;
        }
        let end = at + 4 + size;
        self.exact(at..end, Number::ONE / Number::from(right), "x", Kind::Exact);
        Some(end)
    }

    /// Whether the number behind an equals sign is what the two factors of `2 × 104 ms = 208 ms` make, and not what `2·10⁴`
    /// would be. A prefix may part it by thousands.
    fn result_is_of_product(&self, end: usize, literal: &Literal) -> bool {
        let Some((product, _)) = literal.other else { return false };
        let bytes = &self.text.as_bytes()[end..];
        let Some(sign) = bytes.iter().take(24).position(|byte| matches!(byte, b'=' | 0x89 | b'\n')) else { return false };
        let skip = sign + 1 + bytes[sign + 1..].iter().take(3).take_while(|byte| !byte.is_ascii_digit()).count();
        if !bytes.get(skip).is_some_and(u8::is_ascii_digit) {
            return false;
        }
        let Some(result) = literal::read(&self.text[end + skip..], Manner::default()) else { return false };
        let fits = |value: Number| {
            let ratio = (result.value / value).to_f64();
            [1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9].iter().any(|power| (ratio / power - 1.0).abs() < 0.02)
        };
        fits(product) && !fits(literal.value)
    }

    /// `2N = …`, `4d²`: where a symbol of the drill stands directly behind a number and the formula goes on, the number
    /// multiplies it, even if the letter is a unit too. Says where the symbol ends.
    fn factor_of_symbol(&self, end: usize) -> Option<usize> {
        if self.symbols.is_empty() {
            return None;
        }
        let letter = self.text[end..].chars().next().filter(|c| c.is_alphabetic())?;
        let next = end + letter.len_utf8();
        let rest = self.text[next..].trim_start_matches(' ');
        let goes_on = rest.starts_with(['=', '·', '×', '²', '³', '(', '+', '≈', '⋅']);
        // `3Ψ`: a Greek capital is in no unit but the ohm; `2Ψ bytes` multiplies it.
        let ends = || !self.text[next..].starts_with(char::is_alphanumeric) && self.units.scan(rest).is_none();
        let multiple = ('Α'..='Ψ').contains(&letter) && ends();
        ((goes_on || multiple) && self.symbols.contains(&self.text[end..next])).then_some(next)
    }

    /// `16-to-1`.
    fn ratio_in_words(&mut self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        let size = rest.bytes().take(6).take_while(u8::is_ascii_digit).count();
        let behind = rest[size..].strip_prefix("-to-")?;
        let below = behind.bytes().take(6).take_while(u8::is_ascii_digit).count();
        let (left, right) = (rest[..size].parse::<i128>().ok()?, behind[..below].parse::<i128>().ok()?);
        let end = self.text.len() - behind.len() + below;
        if right == 0 || self.text[end..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '.')) {
            return None;
        }
        self.exact(at..end, Number::from(left) / Number::from(right), "x", Kind::Exact);
        Some(end)
    }

    /// `5 May`, `1st of May`.
    fn day_of_month(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        let size = rest.bytes().take(3).take_while(u8::is_ascii_digit).count();
        if !(1..=2).contains(&size) {
            return None;
        }
        let rest = &rest[size..];
        let ordinal =
            if matches!(rest.as_bytes(), [b's', b't', ..] | [b'n', b'd', ..] | [b'r', b'd', ..] | [b't', b'h', ..]) { 2 } else { 0 };
        let month = rest[ordinal..].strip_prefix(' ').filter(|month| month.starts_with(|c: char| c.is_ascii_uppercase() || c == 'o'))?;
        let month = month.strip_prefix("of ").unwrap_or(month);
        let len = skip::word_end(month, 0);
        if !skip::is_month(&month[..len]) {
            return None;
        }
        let end = self.text.len() - month.len() + len;
        let year = self.text[end..].strip_prefix(' ').and_then(|year| year.get(..4)).is_some_and(skip::is_year);
        Some(if year { end + 5 } else { end })
    }

    fn exact(&mut self, range: Range<usize>, value: Number, unit: &str, kind: Kind) {
        let digits = literal::exact_digits();
        let sense = self.units.senses(unit).into_iter().next();
        let reading = reading(value, &digits, Scaled { scale: Number::ONE, unit: sense, loose: None }, None);
        self.atoms.push(Atom {
            number: range.clone(),
            unit: Some(range.clone()),
            range,
            noun: None,
            readings: smallvec![reading],
            plain: value,
            scale: Number::ONE,
            digits,
            kind,
            approximate: false,
            spoken: false,
            signed: false,
            smallest: None,
            shared: None,
        });
    }

    /// The bytes of the sign before a number: a minus that is no hyphen, dash or operator.
    fn sign_before(&self, at: usize) -> usize {
        // The last bytes of the signs, and of the space that may part one from its number.
        if !matches!(self.text.as_bytes()[..at].last(), Some(b'-' | b'+' | b' ' | 0x92 | 0x93)) {
            return 0;
        }
        let before = &self.text[..at];
        let Some(sign) = before.chars().next_back().filter(|c| matches!(c, '-' | '−' | '–' | '+')) else { return self.minus_apart(at) };
        let ahead = &before[..before.len() - sign.len_utf8()];
        let close = ahead.chars().next_back();
        let spaced = close.is_none_or(char::is_whitespace);
        let operand = ahead.trim_end_matches(' ').chars().next_back();
        let ok = match operand {
            None | Some('\n') => sign != '–' || close.is_none(),
            Some('=' | '≈' | '<' | '>' | '≤' | '≥' | '~' | '∼' | '×' | '*' | '/' | '·' | '^' | '→') => true,
            Some('(' | '[' | ',' | ':' | ';' | '|' | '{') => true,
            Some(c) if c.is_alphabetic() => spaced && sign != '–' && !self.expression_before(ahead),
            _ => false,
        };
        if ok { sign.len_utf8() } else { 0 }
    }

    /// Whether what stands before a sign is an operand: a unit behind a number, a single letter.
    fn expression_before(&self, ahead: &str) -> bool {
        let trimmed = ahead.trim_end_matches(' ');
        let in_quantity = self.atoms.last().is_some_and(|atom| atom.range.end == trimmed.len());
        let word = trimmed.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').count();
        in_quantity || word == 1
    }

    /// The text before a place, no further back than its line and `most` bytes.
    fn before(&self, at: usize, most: usize) -> &str {
        let mut from = at.saturating_sub(most);
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        let window = &self.text[from..at];
        window.bytes().rposition(|byte| byte == b'\n').map_or(window, |line| &window[line + 1..])
    }

    fn push(&mut self, start: usize, number: Range<usize>, literal: &Literal, tail: Tail, negative: bool) {
        let sign = |value: Number| if negative { -value } else { value };
        let damaged = literal.damaged.then_some(Loose::Damaged);
        let value = sign(literal.value);
        let scale = tail.senses.scale();
        let other = if literal.damaged { Loose::Damaged } else { Loose::Comma };
        let swapped = literal.other.as_ref().map(|(value, digits)| reading(sign(*value), digits, tail.senses.get(0), Some(other)));
        let mut readings = Readings::new();
        match &tail.senses {
            Senses::Units(scale, senses) => {
                for Sense { unit, loose } in senses.iter() {
                    readings.push(reading_in(value, &literal.digits, *scale, Some(unit.clone()), damaged.or(*loose)));
                }
            }
            senses => readings.extend(senses.iter().map(|scaled| reading(value, &literal.digits, scaled, damaged))),
        }
        if let Some(plus) = tail.plus {
            for reading in &mut readings {
                let unit = reading.unit.as_ref().map_or(Number::ONE, |unit| unit.factor);
                reading.value = reading.value + sign(plus * unit);
            }
        }
        readings.extend(swapped);
        let uncertain = readings[0].unit.as_ref().map_or(scale, |unit| scale * unit.factor);
        self.atoms.push(Atom {
            range: start..tail.end,
            number: start..number.end,
            unit: tail.unit,
            noun: tail.noun,
            readings,
            plain: value,
            scale,
            digits: literal.digits,
            kind: match literal.uncertainty {
                Some(half) => Kind::PlusMinus(half * uncertain),
                None if tail.at_least => Kind::AtLeast,
                None => Kind::Exact,
            },
            approximate: tail.approximate,
            spoken: false,
            signed: start < number.start,
            smallest: None,
            shared: None,
        });
    }

    /// The bytes of a `×` before a number that multiplies nothing written: `batch ×8`, and where nothing but a mark stands
    /// before it `10.2 ms, × 8.2` and `x 8.2`.
    fn times_before(&self, at: usize) -> usize {
        let before = &self.text[..at];
        let head = before.trim_end_matches([' ', '\u{a0}', '\u{2009}', '\u{202f}']);
        let apart = head.len() < before.len();
        let Some(sign) = head.chars().next_back().filter(|sign| *sign == '×' || apart && *sign == 'x') else { return 0 };
        let ahead = &head[..head.len() - sign.len_utf8()];
        let operand = ahead.trim_end_matches(' ');
        let opens = operand.is_empty() || operand.ends_with(['(', '[', '\n', ',', ':', ';', '|', '→']);
        let spaced = if apart { opens } else { operand.len() < ahead.len() || opens };
        let factor =
            operand.ends_with(|c: char| c.is_ascii_digit() || matches!(c, ')' | ']' | '%' | '²' | '³')) || self.expression_before(ahead);
        if spaced && !factor { at - ahead.len() } else { 0 }
    }

    /// Takes the last number for how many times.
    fn make_multiple(&mut self, start: usize) {
        let unit = self.units.senses("x").into_iter().next();
        let Some(atom) = self.atoms.last_mut().filter(|atom| atom.noun.is_none()) else { return };
        atom.readings = smallvec![reading(atom.plain, &atom.digits, Scaled { scale: atom.scale, unit, loose: None }, None)];
        atom.unit = Some(start..atom.number.start);
        atom.range.start = start;
    }

    /// The bytes of a minus at the start of a passage or behind an equals sign that a space parts from its number.
    fn minus_apart(&self, at: usize) -> usize {
        let Some(ahead) = self.text[..at].strip_suffix("− ") else { return 0 };
        let alone = matches!(ahead.trim_end_matches(' ').chars().next_back(), None | Some('\n' | '=' | '('));
        if alone { "− ".len() } else { 0 }
    }

    fn bracket(&mut self, at: usize) -> usize {
        match skip::citation(self.text, at) {
            // An interval has a unit behind it.
            Some(end) => {
                let tail = tail::read(self.units, self.text, end, Head::spoken());
                if tail.is_some_and(|tail| tail.unit.is_some()) { at + 1 } else { end }
            }
            None => at + 1,
        }
    }

    /// `(2)/(3)`: what a written fraction becomes in plain text.
    fn parenthesis(&mut self, at: usize) -> usize {
        let inside = |from: usize| {
            let rest = self.text[from..].strip_prefix('(')?;
            let size = rest.bytes().take(6).take_while(u8::is_ascii_digit).count();
            let value = rest[..size].parse::<i128>().ok()?;
            rest[size..].starts_with(')').then_some((from + size + 2, value))
        };
        let fraction = || {
            let (slash, above) = inside(at)?;
            let start = slash + usize::from(self.text[slash..].starts_with('/'));
            let (end, below) = inside(start).filter(|_| start > slash)?;
            (below > 0).then(|| (end, Number::from(above) / Number::from(below), above < below))
        };
        let Some((end, mut value, proper)) = fraction() else { return self.power_in_parentheses(at) };
        let mut start = at;
        // A mixed number: `2(1)/(2)`.
        if let Some(atom) = self.atoms.pop_if(|atom| proper && atom.range.end == at && atom.is_bare() && !atom.signed) {
            value = value + atom.plain;
            start = atom.range.start;
        }
        let Some(tail) = tail::read(self.units, self.text, end, Head::spoken()) else { return end };
        let next = tail.end;
        let literal = Literal::exact(value, end - start);
        self.push(start, start..end, &literal, tail, false);
        next
    }

    /// `(2^20) B`: a power in brackets is what stands before the unit behind them.
    fn power_in_parentheses(&mut self, at: usize) -> usize {
        let inside = &self.text.as_bytes()[at + 1..];
        if !matches!(inside, [b'0'..=b'9', b'^' | b'*' | 0x80.., ..] | [b'0'..=b'9', b'0'..=b'9', b'^' | b'*' | 0x80.., ..]) {
            return at + 1;
        }
        let literal = literal::read(&self.text[at + 1..], Manner::default()).filter(|literal| literal.form == Form::Scientific);
        let Some(mut literal) = literal else { return at + 1 };
        let end = at + literal.len + 2;
        if self.text.as_bytes().get(end - 1) != Some(&b')') {
            return at + 1;
        }
        match tail::read(self.units, self.text, end, Head::of(&literal)).filter(|tail| tail.unit.is_some()) {
            Some(tail) => {
                literal.len += 2;
                let next = tail.end;
                self.push(at, at..end, &literal, tail, false);
                next
            }
            None => at + 1,
        }
    }

    /// A currency before its amount: `$12`, `US$12k`, `USD 12`, `€2.5 million`. `end` is where the sign ends.
    fn currency(&mut self, at: usize, end: usize) -> usize {
        let bytes = self.text.as_bytes();
        let number = end + usize::from(bytes.get(end) == Some(&b' '));
        if !bytes.get(number).is_some_and(u8::is_ascii_digit) {
            return end;
        }
        let sign = self.sign_before(at);
        let minus = !self.text[..at].ends_with('+');
        let count = self.atoms.len();
        let next = self.number(number);
        let Some(sense) = self.units.senses(&self.text[at..end]).into_iter().next() else { return next };
        let Some(atom) = self.atoms.get_mut(count) else { return next };
        // What was read as a rate of nothing said is a rate of money: `$2.50/h`.
        if atom.readings[0].unit.as_ref().is_some_and(|unit| unit.symbol.starts_with("1/")) {
            atom.range.end = atom.number.end;
        } else if atom.readings[0].unit.is_some() {
            return next;
        }
        let spelled = self.units.go_on(sense, &self.text[atom.range.end..]);
        atom.unit = Some(at..end);
        atom.range = at..atom.range.end + spelled.len;
        let unit = spelled.senses.first().cloned();
        // `-$14,200`
        if sign > 0 && !atom.signed {
            atom.range.start -= sign;
            atom.signed = true;
            if minus {
                atom.plain = -atom.plain;
            }
        }
        atom.readings = smallvec![reading(atom.plain, &atom.digits, Scaled { scale: atom.scale, unit, loose: None }, None)];
        atom.range.end.max(next)
    }

    /// The end of the exponent of a symbol or a bracket: `n^2`, `(1+r)^10`. That of a number is part of it.
    fn exponent(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let base = bytes[..at].last().is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b')' | b']'));
        let digits = bytes[at + 1..].iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        let ends = !bytes.get(at + 1 + digits).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'^'));
        if base && (1..=3).contains(&digits) && ends { at + 1 + digits } else { at + 1 }
    }

    /// `+1 555 0100`: a telephone number.
    fn telephone(&self, at: usize) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let mut end = at + 1;
        let mut groups = 0;
        let mut count = 0;
        let mut thousands = true;
        while groups < 6 {
            let size = bytes[end..].iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
            if size == 0 || size > 8 {
                break;
            }
            groups += 1;
            count += size;
            end += size;
            thousands &= groups == 1 || size == 3;
            // Only the last group of a number is long.
            if size > 4 {
                break;
            }
            if !matches!(bytes.get(end), Some(b' ' | b'-' | b'/' | b'.')) || !bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
                break;
            }
            end += 1;
        }
        (groups >= 3 && count >= 7 && !thousands && bytes.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric())).then_some(end)
    }

    fn beyond_ascii(&mut self, at: usize) -> usize {
        let Some(c) = self.text[at..].chars().next() else { return at + 1 };
        let end = at + c.len_utf8();
        if matches!(c, '€' | '£' | '¥' | '₹') {
            return self.currency(at, end);
        }
        if let Some((len, value)) = literal::vulgar(&self.text[at..]) {
            let Some(tail) = tail::read(self.units, self.text, at + len, Head::spoken()) else { return end };
            let next = tail.end;
            let literal = Literal::exact(value, len);
            self.push(at, at..at + len, &literal, tail, false);
            return next;
        }
        if c.is_alphabetic() { skip::name_end(self.text, at).max(end) } else { end }
    }
}

/// A reading of a number with a scale and unit.
pub(super) fn reading(value: Number, digits: &Digits, scaled: Scaled, loose: Option<Loose>) -> Reading {
    reading_in(value, digits, scaled.scale, scaled.unit.map(|sense| sense.unit), loose.or(scaled.loose))
}

fn reading_in(value: Number, digits: &Digits, scale: Number, unit: Option<Unit>, loose: Option<Loose>) -> Reading {
    let factor = match &unit {
        None => scale,
        Some(unit) if scale == Number::ONE => unit.factor,
        Some(unit) => scale * unit.factor,
    };
    let (value, last_place) = if factor == Number::ONE { (value, digits.last_place) } else { (value * factor, digits.last_place * factor) };
    let written = Written { figures: digits.figures, decimals: digits.decimals, exponent: digits.exponent, last_place };
    Reading { value, high: None, unit, written, loose }
}
