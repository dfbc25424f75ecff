//! Functions that a document defines for itself, `#let ms(x) = [#x ms]`: what a call of one shows.

use std::ops::Range;

use crate::answer::typst::{MAX_DEPTH, Reader};
use crate::text::Span;

/// A function of the document's own.
#[derive(Clone, Debug)]
pub(super) struct Function {
    parameters: Vec<String>,
    /// Its body, as bytes of the text.
    body: Range<usize>,
}

/// What a call shows may be this long; longer content is no unit or label put to a number.
const LONGEST: usize = 400;
/// More parameters than this no function has that only writes a value.
const MOST: usize = 8;

impl Reader<'_> {
    /// `(x, unit) = [#x #unit]` behind the name of a binding: keeps the function. False if this defines none; then nothing
    /// was read.
    pub(super) fn own_function(&mut self, name: &str) -> bool {
        let Some(inner) = self.rest().strip_prefix('(') else { return false };
        let Some(length) = inner.bytes().take(200).position(|byte| matches!(byte, b')' | b'(' | b'\n')) else { return false };
        // `..rest` and defaults of named parameters bind nothing that could be told here.
        let parameters: Vec<String> = inner[..length]
            .split(',')
            .map(|parameter| parameter.split(':').next().unwrap_or_default().trim().to_owned())
            .filter(|parameter| !parameter.is_empty())
            .collect();
        let after = inner[length..].strip_prefix(')').map(str::trim_start).and_then(|after| after.strip_prefix('='));
        let Some(body) = after.map(|after| after.trim_start_matches([' ', '\t'])).filter(|_| parameters.len() <= MOST) else {
            return false;
        };
        let start = self.text.len() - body.len();
        self.at = start;
        self.skip_expression();
        self.functions.insert(name.to_owned(), Function { parameters, body: start..self.at });
        true
    }

    /// What a call of one of the document's own functions shows; the head stands before the arguments. False if there is no
    /// such function; then nothing was read.
    pub(super) fn apply(&mut self, name: &str, from: usize) -> bool {
        let Some(function) = self.functions.get(name).cloned() else { return false };
        if self.depth >= MAX_DEPTH || function.body.len() + 1 > self.budget {
            return false;
        }
        self.budget -= function.body.len() + 1;
        let values = self.values();
        let at = self.at;
        let mut hidden: Vec<(String, Option<String>)> = Vec::new();
        for (parameter, value) in function.parameters.into_iter().zip(values) {
            let before = self.lets.insert(parameter.clone(), value);
            hidden.push((parameter, before));
        }
        let shown = self.aside(function.body.start, |reader| reader.sum());
        self.at = at;
        for (parameter, before) in hidden.into_iter().rev() {
            match before {
                Some(before) => self.lets.insert(parameter, before),
                None => self.lets.remove(&parameter),
            };
        }
        if shown.len() <= LONGEST.min(self.budget) {
            self.budget -= shown.len();
            self.page.push_for(&shown, Span::new(from, self.at));
        }
        true
    }

    /// The number that `calc.round(2479.55, digits: 1)` rounds, as it is written.
    pub(super) fn calculation(&mut self) {
        let from = self.at + 1;
        let number = self.text.get(from..).map_or("", |inner| {
            let length = inner.bytes().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'e')).count();
            if inner[length..].trim_start().starts_with([',', ')']) { &inner[..length] } else { "" }
        });
        self.skip_group();
        self.page.push(number, from);
    }

    /// The values of the arguments of a call, in parentheses and in brackets, as they look.
    fn values(&mut self) -> Vec<String> {
        let mut values = Vec::new();
        if self.byte() == Some(b'(') {
            self.at += 1;
            while let Some(byte) = self.byte() {
                match byte {
                    b')' => {
                        self.at += 1;
                        break;
                    }
                    b',' | b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                    _ => {
                        let at = self.at;
                        let value = self.aside(at, Reader::sum);
                        // What could not be made out is passed over, up to the next argument.
                        self.skip_argument();
                        if values.len() < MOST {
                            values.push(value);
                        }
                    }
                }
            }
        }
        while self.byte() == Some(b'[') && self.depth < MAX_DEPTH {
            let at = self.at;
            values.push(self.aside(at, Reader::sum));
        }
        values
    }

    fn skip_argument(&mut self) {
        while let Some(byte) = self.byte().filter(|byte| !matches!(byte, b',' | b')')) {
            match byte {
                b'(' | b'[' | b'{' => self.skip_group(),
                b'"' => {
                    self.skip_string();
                }
                _ => self.step(),
            }
        }
    }

    /// What is read from a place on, on a page of its own.
    fn aside(&mut self, at: usize, read: impl FnOnce(&mut Self)) -> String {
        let (page, lists, cells) = (std::mem::take(&mut self.page), std::mem::take(&mut self.lists), self.cells.take());
        let (depth, strong) = (self.depth, std::mem::take(&mut self.strong));
        self.depth += 1;
        self.at = at;
        read(self);
        let shown = std::mem::replace(&mut self.page, page).into_blocks();
        self.lists = lists;
        self.cells = cells;
        self.depth = depth;
        self.strong = strong;
        let texts: Vec<&str> = shown.iter().map(|block| block.passage.text().trim()).collect();
        texts.join(" ")
    }

    /// An expression that shows something: content, strings, numbers and variables, joined by `+`.
    fn sum(&mut self) {
        loop {
            self.blanks();
            let from = self.at;
            match self.byte() {
                Some(b'[') if self.depth < MAX_DEPTH => self.block(),
                Some(b'"') => self.string(),
                Some(b'$') => self.formula(),
                Some(b'0'..=b'9' | b'-' | b'.') => {
                    let sign = usize::from(self.byte() == Some(b'-'));
                    let length = self.rest()[sign..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'%'));
                    self.at += sign + length.count().max(1 - sign);
                    self.page.push(&self.text[from..self.at], from);
                }
                Some(byte) if byte.is_ascii_alphabetic() => {
                    let name = self.identifier();
                    match self.byte() {
                        Some(b'(') if name == "str" || name == "repr" => {
                            self.at += 1;
                            if self.depth < MAX_DEPTH {
                                self.depth += 1;
                                self.sum();
                                self.depth -= 1;
                            }
                            self.skip_argument();
                            self.at += usize::from(self.byte() == Some(b')'));
                        }
                        Some(b'(' | b'[') if self.depth < MAX_DEPTH => self.call(name, from),
                        _ => {
                            self.show(name, from);
                        }
                    }
                }
                _ => return,
            }
            self.blanks();
            if !self.take("+") {
                return;
            }
        }
    }
}
