//! The macros that an author defined.

use std::cell::Cell;
use std::collections::BTreeMap;

use crate::answer::tex::{MAX_DEPTH, Mode, Tex, Until};
use crate::text::Span;

/// What a macro stands for, and how many arguments it takes.
#[derive(Debug)]
struct Macro {
    body: String,
    arguments: usize,
}

/// The macros that an author defined, and how much text they may still expand to.
#[derive(Debug, Default)]
pub(crate) struct Macros {
    bodies: BTreeMap<String, Macro>,
    /// Bytes left to expand to.
    budget: Cell<usize>,
}

impl Macros {
    /// No macros yet; they may expand to a few times `length` bytes in all.
    pub(crate) fn new(length: usize) -> Macros {
        Macros { bodies: BTreeMap::new(), budget: Cell::new(2 * length + (1 << 16)) }
    }

    /// Defines a macro; a later definition counts.
    pub(crate) fn define(&mut self, name: &str, arguments: usize, body: &str) {
        self.bodies.insert(name.to_owned(), Macro { body: body.to_owned(), arguments });
    }

    /// Whether a macro of this name is defined.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.bodies.contains_key(name)
    }

    /// What a macro without arguments stands for, while there is budget for it.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.bodies.get(name).filter(|found| found.arguments == 0 && self.pay(found.body.len())).map(|found| found.body.as_str())
    }

    /// Takes from the budget; false if it is used up.
    fn pay(&self, bytes: usize) -> bool {
        let left = self.budget.get().checked_sub(bytes + 1);
        self.budget.set(left.unwrap_or(0));
        left.is_some()
    }
}

/// The longest arguments, in bytes, that a macro is expanded with; longer ones are read where they stand.
const SHORT_ARGUMENTS: usize = 60;

impl Tex<'_> {
    /// Reads what a macro stands for, which all stands for the place where it is called. Arguments that are long are read
    /// where they stand instead: they are the text, and the macro is how it looks.
    pub(super) fn expand(&mut self, name: &str, mode: Mode, from: usize) {
        let macros = self.macros;
        let Some(Macro { body, arguments }) = macros.bodies.get(name) else { return };
        let mut text = body.as_str();
        let filled;
        if *arguments > 0 {
            let back = self.at;
            let given: Vec<Span> = (0..*arguments).map_while(|_| self.argument()).collect();
            if given.len() < *arguments || given.iter().map(|span| span.len()).sum::<usize>() > SHORT_ARGUMENTS {
                self.at = back;
                return;
            }
            filled = self.fill(body, &given);
            text = &filled;
        } else if self.text[self.at..self.end].starts_with("{}") {
            self.at += 2;
        }
        if self.depth >= MAX_DEPTH || !macros.pay(text.len()) {
            return;
        }
        let span = self.anchor.unwrap_or(Span::new(from, self.at));
        let (comments, depth) = (self.comments, self.depth + 1);
        Tex { text, at: 0, end: text.len(), ink: self.ink, macros, comments, anchor: Some(span), depth }.run(mode, Until::End);
    }

    /// A macro's body with its arguments filled in, up to what the budget allows.
    fn fill(&self, body: &str, given: &[Span]) -> String {
        let mut filled = String::new();
        let mut pieces = body.split('#');
        filled.push_str(pieces.next().unwrap_or(""));
        for piece in pieces {
            let number = piece.bytes().next().filter(u8::is_ascii_digit).map(|digit| usize::from(digit - b'0'));
            match number.and_then(|number| given.get(number.wrapping_sub(1))) {
                Some(span) => {
                    filled.push_str(&self.text[span.range()]);
                    filled.push_str(&piece[1..]);
                }
                None => filled.push_str(piece),
            }
        }
        filled
    }
}
