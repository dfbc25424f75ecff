//! Cuts a formula into tokens. Authors write ASCII; students write what their keyboard or a formula editor gives them, so
//! the same lexer knows `·×÷−²√⌈⌉` and grouped digits when it reads an answer.

use super::fault::Fault;
use super::names::KnownNames;
use super::{Function, Operator};
use crate::quantity::Number;
use crate::text::Span;

/// Whose formula it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hand {
    Author,
    Student,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind<'t> {
    Number {
        value: Number,
        written: &'t str,
    },
    Word(&'t str),
    Operator(Operator),
    /// A whole power in raised digits: `²`.
    Raised(i32),
    /// `√`, which takes the next operand.
    Root,
    /// `(`, or a bracket that stands for a function: `⌈` is `Some(Ceil)`.
    Open(Option<Function>),
    Close(Option<Function>),
    Comma,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) span: Span,
    /// Whether white space stands before it.
    pub(super) spaced: bool,
}

/// The longest formula that is read at all, in bytes; an answer's line of work is shorter.
pub(super) const LONGEST: usize = 4_096;

pub(super) fn tokens<'t>(text: &'t str, hand: Hand, names: &'t KnownNames) -> Result<Vec<Token<'t>>, Fault> {
    if text.len() > LONGEST {
        return Err(Fault::new("formula-too-large", Span::new(0, 0), format!("a formula of more than {LONGEST} bytes"))
            .help("name its pieces in `[let]`"));
    }
    let mut lexer = Lexer { text, at: 0, hand, names };
    let mut tokens = Vec::with_capacity(text.len() / 3 + 1);
    loop {
        let before = lexer.at;
        lexer.skip_space();
        let spaced = lexer.at > before;
        let start = lexer.at;
        let Some(c) = lexer.peek() else { return Ok(tokens) };
        let kind = lexer.token(c)?;
        tokens.push(Token { kind, span: Span::new(start, lexer.at), spaced });
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    hand: Hand,
    names: &'t KnownNames,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{2062}').len();
    }

    /// Takes what `wanted` accepts.
    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let start = self.at;
        self.at += self.rest().find(|c| !wanted(c)).unwrap_or(self.text.len() - start);
        &self.text[start..self.at]
    }

    fn token(&mut self, c: char) -> Result<Kind<'t>, Fault> {
        let starts_number = c.is_ascii_digit() || c == '.' && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit());
        if starts_number {
            return self.number();
        }
        if let Some(name) = self.odd_name() {
            self.at += name.len();
            return Ok(Kind::Word(name));
        }
        if is_word_start(c) {
            let start = self.at;
            self.at += c.len_utf8();
            self.take_while(is_word);
            return Ok(Kind::Word(&self.text[start..self.at]));
        }
        if raised(c).is_some() {
            return self.raised();
        }
        let start = self.at;
        self.at += c.len_utf8();
        let kind = match c {
            '+' => Kind::Operator(Operator::Add),
            '-' => Kind::Operator(Operator::Subtract),
            '*' if self.rest().starts_with('*') => {
                self.at += 1;
                Kind::Operator(Operator::Power)
            }
            '*' => Kind::Operator(Operator::Multiply),
            '/' => Kind::Operator(Operator::Divide),
            '^' => Kind::Operator(Operator::Power),
            '(' => Kind::Open(None),
            ')' => Kind::Close(None),
            ',' => Kind::Comma,
            '%' | '‰' => Kind::Word(&self.text[start..self.at]),
            '·' | '×' | '⋅' | '∙' | '∗' | '•' => Kind::Operator(Operator::Multiply),
            '−' => Kind::Operator(Operator::Subtract),
            '÷' | '∕' | '⁄' => Kind::Operator(Operator::Divide),
            '√' => Kind::Root,
            '⌈' => Kind::Open(Some(Function::Ceil)),
            '⌉' => Kind::Close(Some(Function::Ceil)),
            '⌊' => Kind::Open(Some(Function::Floor)),
            '⌋' => Kind::Close(Some(Function::Floor)),
            '–' if self.hand == Hand::Student => Kind::Operator(Operator::Subtract),
            '[' | '{' if self.hand == Hand::Student => Kind::Open(None),
            ']' | '}' if self.hand == Hand::Student => Kind::Close(None),
            _ => {
                let shown = if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
                let fault = Fault::new("formula-syntax", Span::new(start, self.at), format!("`{shown}` has no meaning in a formula"));
                return Err(match c {
                    '[' | '{' | ']' | '}' => fault.help("group with round brackets"),
                    '=' | '<' | '>' => fault.help("a formula is what stands right of the equals sign"),
                    '–' => fault.help("write a minus as `-`"),
                    _ => fault,
                });
            }
        };
        Ok(kind)
    }

    /// The longest name here that is no word. One that ends with a sign is meant only where no operand follows: `S*` in
    /// `S*/b`, but not in `S*b`.
    fn odd_name(&self) -> Option<&'t str> {
        let rest = self.rest();
        let ends = |name: &str| {
            let after = &rest[name.len()..];
            match name.chars().next_back() {
                Some(last) if is_word(last) => !after.starts_with(is_word),
                _ => !after.trim_start().starts_with(|c: char| is_word(c) || matches!(c, '(' | '.' | '√' | '⌈' | '⌊')),
            }
        };
        let here = self.names.odd_at(rest).filter(|name| self.hand == Hand::Student && ends(name));
        here.max_by_key(|name| name.len())
    }

    fn number(&mut self) -> Result<Kind<'t>, Fault> {
        let start = self.at;
        let mut digits = Digits { mantissa: Some(0), count: 0 };
        let mut fraction = 0_i32;
        self.digits(&mut digits);
        if self.rest().starts_with('.') {
            self.at += 1;
            let whole = digits.count;
            self.digits(&mut digits);
            fraction = (digits.count - whole) as i32;
        }
        let behind = self.at;
        let mut exponent = 0_i32;
        if self.rest().starts_with(['e', 'E']) {
            let after = &self.rest()[1..];
            let sign = after.len() - after.strip_prefix(['+', '-', '−']).map_or(after.len(), str::len);
            let power = after[sign..].find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len() - sign);
            // `2e` is two of something called e; `2e3` is a number, whatever names there are.
            if power > 0 && !after[sign + power..].starts_with(is_word) {
                exponent = after[sign..sign + power].parse().unwrap_or(i32::MAX);
                if sign > 0 && !after.starts_with('+') {
                    exponent = -exponent;
                }
                self.at += 1 + sign + power;
            }
        }
        let span = Span::new(start, self.at);
        let written = &self.text[span.range()];
        let power = exponent.saturating_sub(fraction);
        let value = match digits.mantissa {
            Some(0) => Number::ZERO,
            Some(mantissa) => Number::decimal(mantissa, power),
            None => {
                let digits: String = self.text[start..behind].chars().filter(char::is_ascii_digit).collect();
                Number::inexact(format!("{digits}e{power}").parse().unwrap_or(f64::INFINITY))
            }
        };
        if !value.is_finite() {
            return Err(Fault::new("formula-syntax", span, format!("`{written}` is too large for a number")));
        }
        Ok(Kind::Number { value, written })
    }

    /// Takes a run of digits: `_` may group them, and in an answer `,`, `'` or a thin space between full threes.
    fn digits(&mut self, into: &mut Digits) {
        loop {
            self.take_while(|c| c.is_ascii_digit()).bytes().for_each(|digit| into.push(digit));
            let mut after = self.rest().chars();
            let groups = match after.next() {
                Some('_') => true,
                Some(',' | '\'' | '’' | '\u{202f}' | '\u{2009}') => self.hand == Hand::Student && is_three(after.as_str()),
                _ => false,
            };
            if !groups || !after.as_str().starts_with(|c: char| c.is_ascii_digit()) {
                return;
            }
            self.at = self.text.len() - after.as_str().len();
        }
    }

    fn raised(&mut self) -> Result<Kind<'t>, Fault> {
        let start = self.at;
        let negative = self.rest().starts_with('⁻');
        if negative || self.rest().starts_with('⁺') {
            self.at += '⁻'.len_utf8();
        }
        let mut power = 0_i32;
        while let Some(digit) = self.peek().and_then(raised).filter(|digit| *digit < 10) {
            power = power.saturating_mul(10).saturating_add(digit as i32);
            self.at += self.peek().map_or(0, char::len_utf8);
        }
        let last = self.text[..self.at].chars().next_back();
        if last.and_then(raised).is_none_or(|digit| digit > 9) {
            return Err(Fault::new("formula-syntax", Span::new(start, self.at), "a raised sign without a raised digit"));
        }
        Ok(Kind::Raised(if negative { -power } else { power }))
    }
}

/// The digits of a number as they are gathered.
struct Digits {
    /// What they make together, as long as it fits.
    mantissa: Option<i128>,
    count: usize,
}

impl Digits {
    fn push(&mut self, digit: u8) {
        self.mantissa = self.mantissa.and_then(|mantissa| mantissa.checked_mul(10)?.checked_add(i128::from(digit - b'0')));
        self.count += 1;
    }
}

/// Exactly three digits, then no fourth.
fn is_three(text: &str) -> bool {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    digits == 3
}

fn is_word_start(c: char) -> bool {
    (c.is_alphabetic() || matches!(c, '_' | '°' | '$' | '€' | '£')) && raised(c).is_none()
}

pub(super) fn is_word(c: char) -> bool {
    (c.is_alphanumeric() || matches!(c, '_' | '′' | '\'' | '°' | '₀'..='₉')) && raised(c).is_none()
}

/// A raised digit, or 10 and 11 for the raised signs.
fn raised(c: char) -> Option<u32> {
    match c {
        '⁰' => Some(0),
        '¹' => Some(1),
        '²' => Some(2),
        '³' => Some(3),
        '⁴'..='⁹' => Some(c as u32 - '⁰' as u32),
        '⁻' => Some(10),
        '⁺' => Some(11),
        _ => None,
    }
}

/// Whether a text can be a name in a formula: a letter, then letters, digits and `_`.
pub fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| (c.is_alphabetic() || c == '_') && raised(c).is_none()) && chars.all(|c| is_word(c) && c != '\'')
}
