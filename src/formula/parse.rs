//! A Pratt parser: one function a level of binding would say the same at five times the length.

use super::fault::Fault;
use super::lex::{self, Hand, Kind, Token};
use super::names::KnownNames;
use super::{Expr, ExprKind, Function, Operator};
use crate::diagnostic;
use crate::quantity::{Dimension, Number, Units};
use crate::text::Span;

/// How deep brackets, powers and signs may nest. The parser calls itself that often.
const DEEPEST: usize = 64;
/// How many operands a formula may have; everything that walks the tree calls itself at most that often.
const MOST_OPERANDS: usize = 256;

/// How tightly things bind.
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
/// `2P` without a space: `1/2P` divides by all of it.
const JUXTAPOSED: u8 = 3;
const SIGN: u8 = 4;
const POWER: u8 = 5;

/// Reads a formula as an author writes it: ASCII, every operator spelled out.
///
/// `names` says which words are names; a word right after a number is its unit, whatever names there are, and goes
/// on until a name stands in it.
pub fn parse(text: &str, units: &Units, names: &KnownNames) -> Result<Expr, Fault> {
    Parser::new(text, Hand::Author, units, names)?.whole()
}

/// Reads a formula as a student writes it: `2·(P−1)α`, `2(P-1)/P × S/B`, `log₂ 32`, `√2`, `⌈S/b⌉`, `1,300,000`.
///
/// What an author is told to spell out is understood here: a product without a sign, a function without brackets, names
/// written together (`PαB`) and names that are no words (`S*`).
pub fn parse_student(text: &str, units: &Units, names: &KnownNames) -> Result<Expr, Fault> {
    Parser::new(text, Hand::Student, units, names)?.whole()
}

struct Parser<'a> {
    text: &'a str,
    hand: Hand,
    units: &'a Units,
    names: &'a KnownNames,
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: usize,
    operands: usize,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, hand: Hand, units: &'a Units, names: &'a KnownNames) -> Result<Parser<'a>, Fault> {
        let tokens = lex::tokens(text, hand, names)?;
        Ok(Parser { text, hand, units, names, tokens, at: 0, depth: 0, operands: 0 })
    }

    fn whole(mut self) -> Result<Expr, Fault> {
        if self.tokens.is_empty() {
            return Err(Fault::new("formula-syntax", Span::new(0, self.text.len()), "an empty formula"));
        }
        let expr = self.expr(0)?;
        match self.tokens.get(self.at) {
            None => Ok(expr),
            Some(token) => Err(self.unexpected(token)),
        }
    }

    fn peek(&self) -> Option<&Token<'a>> {
        self.tokens.get(self.at)
    }

    fn shown(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// What stands where an operator or the end was due.
    fn unexpected(&self, token: &Token) -> Fault {
        let fault = |title: &str| Fault::new("formula-syntax", token.span, title);
        match token.kind {
            Kind::Close(_) => fault("this bracket was never opened"),
            Kind::Comma => fault("a comma stands between the arguments of a function only")
                .help("group digits with `_`, and write the decimal mark as `.`"),
            _ => {
                let title = format!("an operator is missing before `{}`", self.shown(token.span));
                let before = &self.tokens[self.at - 1];
                let help = format!("for a product, write `{}*{}`", self.shown(before.span), self.shown(token.span));
                Fault::new("formula-syntax", token.span, title).help(help)
            }
        }
    }

    fn nested<T>(&mut self, span: Span, read: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let fault = Fault::new("formula-too-large", span, format!("nested more than {DEEPEST} deep"));
            return Err(fault.help("name its pieces in `[let]`"));
        }
        let read = read(self);
        self.depth -= 1;
        read
    }

    fn expr(&mut self, least: u8) -> Result<Expr, Fault> {
        let mut left = self.operand()?;
        while let Some(token) = self.peek() {
            let span = token.span;
            match token.kind {
                Kind::Operator(operator) => {
                    let binds = match operator {
                        Operator::Add | Operator::Subtract => SUM,
                        Operator::Multiply | Operator::Divide => PRODUCT,
                        Operator::Power => POWER,
                    };
                    if binds <= least {
                        break;
                    }
                    self.at += 1;
                    // A power binds to the right: `2^3^2` is 2^9.
                    let right_least = if operator == Operator::Power { SIGN } else { binds };
                    let right = self.nested(span, |parser| parser.expr(right_least))?;
                    left = Expr::binary(operator, left, right);
                }
                Kind::Raised(power) => {
                    if POWER <= least {
                        break;
                    }
                    self.at += 1;
                    left = Expr::binary(Operator::Power, left, raised(power, span));
                }
                Kind::Number { .. } | Kind::Word(_) | Kind::Open(_) | Kind::Root if self.hand == Hand::Student => {
                    let together = !token.spaced && matches!(token.kind, Kind::Word(_));
                    let binds = if together { JUXTAPOSED } else { PRODUCT };
                    // Two numbers side by side are a damaged number, not a product.
                    if matches!(token.kind, Kind::Number { .. }) && matches!(left.kind, ExprKind::Number { .. }) {
                        return Err(self.unexpected(token));
                    }
                    if binds <= least {
                        break;
                    }
                    let right = self.nested(span, |parser| parser.expr(binds))?;
                    left = Expr::binary(Operator::Multiply, left, right);
                }
                _ => break,
            }
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expr, Fault> {
        self.operands += 1;
        let Some(token) = self.peek().copied() else {
            let end = self.tokens.last().map_or(0, |token| token.span.end);
            let fault = Fault::new("formula-syntax", Span::new(end, end), "the formula ends where a value is due");
            return Err(fault.labelled("a number, a name or `(`"));
        };
        if self.operands > MOST_OPERANDS {
            let fault = Fault::new("formula-too-large", token.span, format!("a formula of more than {MOST_OPERANDS} operands"));
            return Err(fault.help("name its pieces in `[let]`"));
        }
        self.at += 1;
        match token.kind {
            Kind::Number { value, written } => {
                let unit = self.unit(value);
                let span = Span::new(token.span.start, self.tokens[self.at - 1].span.end);
                Ok(Expr::new(ExprKind::Number { value, written: written.to_owned(), unit }, span))
            }
            Kind::Word(word) => self.word(word, token.span),
            Kind::Open(bracket) => {
                let inner = self.nested(token.span, |parser| parser.expr(0))?;
                let span = self.close(&token, bracket)?;
                Ok(match bracket {
                    Some(function) => Expr::new(ExprKind::Call(function, vec![inner]), token.span.join(span)),
                    None => Expr { span: token.span.join(span), ..inner },
                })
            }
            Kind::Operator(Operator::Subtract) => {
                let inner = self.nested(token.span, |parser| parser.expr(SIGN))?;
                let span = token.span.join(inner.span);
                Ok(Expr::new(ExprKind::Negate(Box::new(inner)), span))
            }
            Kind::Operator(Operator::Add) if self.hand == Hand::Student => self.nested(token.span, |parser| parser.expr(SIGN)),
            Kind::Root => {
                let inner = self.nested(token.span, |parser| parser.expr(SIGN))?;
                let span = token.span.join(inner.span);
                Ok(Expr::new(ExprKind::Call(Function::Sqrt, vec![inner]), span))
            }
            Kind::Close(_) | Kind::Comma | Kind::Operator(_) | Kind::Raised(_) => {
                let fault = Fault::new("formula-syntax", token.span, format!("a value is due before `{}`", self.shown(token.span)));
                Err(fault.labelled("a number, a name or `(`"))
            }
        }
    }

    /// The closing bracket of `open`, which has been read.
    fn close(&mut self, open: &Token, bracket: Option<Function>) -> Result<Span, Fault> {
        match self.peek() {
            Some(token) if token.kind == Kind::Close(bracket) => {
                let span = token.span;
                self.at += 1;
                Ok(span)
            }
            Some(token) if !matches!(token.kind, Kind::Close(_)) => {
                let fault = self.unexpected(token);
                Err(fault.also(open.span, "inside this bracket"))
            }
            Some(token) => {
                let fault = Fault::new("formula-syntax", token.span, "this bracket closes another kind than was opened");
                Err(fault.also(open.span, "opened here"))
            }
            None => Err(Fault::new("formula-syntax", open.span, "this bracket is never closed")),
        }
    }

    /// The unit that stands after a number, as it is spelled. A word that is a name is none.
    fn unit(&mut self, number: Number) -> Option<String> {
        let Some(&Token { kind: Kind::Word(word), span: Span { start, .. }, .. }) = self.peek() else { return None };
        // An author spells products out, so that what follows a number is its unit, as far as it goes. A student does not.
        let student = self.hand == Hand::Student;
        if Function::named(word).is_some() || student && self.names.contains(word) && !self.is_data(number, word) {
            return None;
        }
        // A compound unit ends where a name stands: with a given `s`, `2 GB/s` is 2 GB divided by it. It ends at a sign too,
        // though `GB-s` is a unit elsewhere.
        let found = self.units.scan(&self.text[start..]).map_or(0, |found| found.len);
        let mut power = false;
        let taken = self.tokens[self.at..].iter().take_while(|token| {
            let part = match &token.kind {
                Kind::Word(other) => token.span.start == start || !self.names.contains(other) && Function::named(other).is_none(),
                Kind::Number { .. } => power,
                Kind::Operator(Operator::Subtract) => power,
                Kind::Operator(operator) => *operator != Operator::Add,
                Kind::Raised(_) => true,
                Kind::Root | Kind::Open(_) | Kind::Close(_) | Kind::Comma => false,
            };
            power = matches!(token.kind, Kind::Operator(Operator::Power | Operator::Subtract));
            part && token.span.end <= start + found
        });
        let ends: Vec<usize> = taken.map(|token| token.span.end).collect();
        for (count, end) in ends.iter().enumerate().rev() {
            let spelling = &self.text[start..*end];
            // Only a word alone may be loose: whoever wrote it is told, or was sloppy.
            if self.units.senses(spelling).iter().any(|sense| count == 0 || sense.loose.is_none()) {
                self.at += count + 1;
                return Some(spelling.to_owned());
            }
        }
        // In a student's hand an unknown word after a number may be a factor; an author is told that it is no unit.
        if student && self.units.read(word).is_empty() {
            return None;
        }
        self.at += 1;
        Some(word.to_owned())
    }

    /// Whether a student's number before a name that is a unit of data too is that quantity: a name is multiplied by a
    /// small whole number, if any, so that `2.6e9 B` are bytes, whatever `B` may be called.
    fn is_data(&self, number: Number, word: &str) -> bool {
        let small = number == number.round() && number < Number::from(100);
        let strict = || self.units.senses(word).into_iter().find(|sense| sense.loose.is_none());
        !small && strict().is_some_and(|sense| sense.unit.dimension == Dimension::DATA)
    }

    fn word(&mut self, word: &str, span: Span) -> Result<Expr, Fault> {
        let called = self.peek().filter(|token| token.kind == Kind::Open(None)).copied();
        if !self.names.contains(word) {
            let function = Function::named(word).or_else(|| students_function(word).filter(|_| self.hand == Hand::Student));
            match (function, called) {
                (Some(function), Some(open)) => return self.call(function, span, &open),
                (Some(function), None) if self.hand == Hand::Student && self.at < self.tokens.len() && !function.takes_several() => {
                    let argument = self.nested(span, |parser| parser.expr(SIGN))?;
                    let span = span.join(argument.span);
                    return Ok(Expr::new(ExprKind::Call(function, vec![argument]), span));
                }
                (Some(_), None) => {
                    let fault = Fault::new("formula-syntax", span, format!("`{word}` is a function"));
                    return Err(fault.help(format!("write `{word}(…)`")));
                }
                (None, Some(_)) if self.hand == Hand::Author => return Err(unknown_function(word, span)),
                (None, _) => {}
            }
            if self.hand == Hand::Student
                && self.units.read(word).is_empty()
                && let Some(product) = self.written_together(word, span)
            {
                return Ok(product);
            }
        }
        Ok(Expr::new(ExprKind::Name(word.to_owned()), span))
    }

    fn call(&mut self, function: Function, span: Span, open: &Token) -> Result<Expr, Fault> {
        self.at += 1;
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.nested(span, |parser| parser.expr(0))?);
            self.operands += 1;
            match self.peek() {
                Some(Token { kind: Kind::Comma, .. }) if function.takes_several() => self.at += 1,
                Some(Token { kind: Kind::Comma, span: comma, .. }) => {
                    return Err(Fault::new("formula-syntax", *comma, format!("`{}` takes one value", function.name())));
                }
                _ => break,
            }
        }
        let end = self.close(open, None)?;
        Ok(Expr::new(ExprKind::Call(function, arguments), span.join(end)))
    }

    /// `PαB` as the product of the names it is written from, where it can be cut into names in one way or more.
    fn written_together(&self, word: &str, span: Span) -> Option<Expr> {
        // From the end: how the rest of the word from each byte on begins, by the longest name that leaves a rest of names.
        let mut cuts: Vec<Option<usize>> = vec![None; word.len() + 1];
        cuts[word.len()] = Some(0);
        for (start, _) in word.char_indices().rev() {
            let mut ends = word[start..].char_indices().map(|(at, c)| start + at + c.len_utf8());
            let best = ends.rfind(|&end| cuts[end].is_some() && self.names.contains(&word[start..end]));
            cuts[start] = best.map(|end| end - start);
        }
        let mut product: Option<Expr> = None;
        let mut start = 0;
        while start < word.len() {
            let end = start + cuts[start]?;
            let name = ExprKind::Name(word[start..end].to_owned());
            let name = Expr::new(name, Span::new(span.start + start, span.start + end));
            product = Some(match product {
                Some(product) => Expr::binary(Operator::Multiply, product, name),
                None => name,
            });
            start = end;
        }
        product
    }
}

fn raised(power: i32, span: Span) -> Expr {
    let number = Expr { span, ..Expr::whole(power.unsigned_abs()) };
    if power < 0 { Expr::new(ExprKind::Negate(Box::new(number)), span) } else { number }
}

fn students_function(word: &str) -> Option<Function> {
    match word {
        "log₂" | "log_2" | "lb" | "ld" | "lg2" => Some(Function::Log2),
        "log₁₀" | "log_10" | "lg" => Some(Function::Log10),
        "ceiling" | "roundup" => Some(Function::Ceil),
        _ => None,
    }
}

fn unknown_function(word: &str, span: Span) -> Fault {
    let fault = Fault::new("unknown-function", span, format!("no function is called `{word}`"));
    match diagnostic::nearest(word, Function::ALL.iter().map(|(name, _)| *name)) {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => {
            let all: Vec<&str> = Function::ALL.iter().map(|(name, _)| *name).collect();
            fault.help(format!("the functions are {}; for a product, write `{word}*(…)`", all.join(", ")))
        }
    }
}
