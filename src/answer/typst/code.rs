//! Typst's code, behind a hash: what it shows where that is plain to see, and how far it reaches.

use crate::answer::Role;
use crate::answer::page::Page;
use crate::answer::tex::is_white;
use crate::answer::typst::lists::{Lists, Marker};
use crate::answer::typst::{Cells, MAX_DEPTH, Reader};
use crate::text::Span;

impl<'a> Reader<'a> {
    /// A name of code: letters, digits, hyphens and, where fields are reached, dots.
    pub(super) fn identifier(&mut self) -> &'a str {
        let rest = self.rest();
        let mut length = 0;
        loop {
            length += rest[length..].bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count();
            if length > 0 && rest[length..].starts_with('.') && rest[length + 1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
                length += 1;
            } else {
                break;
            }
        }
        self.at += length;
        &rest[..length]
    }

    /// Code in markup, behind a hash.
    pub(super) fn code(&mut self) {
        let from = self.at;
        self.at += 1;
        let name = self.identifier();
        match name {
            "" => match self.byte() {
                Some(b'(' | b'{') => self.skip_group(),
                Some(b'[') if self.depth < MAX_DEPTH => self.block(),
                Some(b'"') => self.string(),
                _ => self.page.push("#", from),
            },
            "let" => self.binding(),
            "set" => self.setting(),
            "show" | "import" | "include" | "if" | "for" | "while" | "return" | "context" => self.skip_expression(),
            _ => self.call(name, from),
        }
        if self.byte() == Some(b';') {
            self.at += 1;
        }
    }

    /// A variable, or a function with its arguments.
    pub(super) fn call(&mut self, name: &str, from: usize) {
        let opens = matches!(self.byte(), Some(b'(' | b'['));
        if !opens {
            self.show(name, from);
            return;
        }
        if self.apply(name, from) {
            return;
        }
        match name {
            "table" | "grid" => self.table(),
            "qty" | "num" | "unit" | "numrange" | "qtyrange" => self.quantity(name, from),
            "enum" | "list" => self.list_call(name == "enum"),
            "strike" => {
                self.page.struck(true);
                self.arguments();
                self.page.struck(false);
            }
            "strong" => {
                self.page.strong(true);
                self.arguments();
                self.page.strong(false);
            }
            "hide" | "metadata" | "label" | "bibliography" | "image" | "v" | "h" | "line" | "pagebreak" | "cite" | "ref" => {
                self.page.hidden += 1;
                self.arguments();
                self.page.hidden -= 1;
            }
            "quote" => {
                self.page.finish();
                self.page.quoted += 1;
                self.arguments();
                self.page.finish();
                self.page.quoted -= 1;
            }
            "heading" => {
                let level = self.named("level").and_then(|level| level.parse().ok()).unwrap_or(1);
                self.paragraph_end();
                self.page.begin(Role::Heading(level));
                self.arguments();
                self.paragraph_end();
            }
            "linebreak" | "parbreak" => {
                self.arguments();
                self.page.push_for("\n", Span::new(from, self.at));
            }
            "calc.round" => self.calculation(),
            _ => {
                let white = usize::from(name == "text" && self.named("fill").is_some_and(is_white));
                self.page.hidden += white;
                self.arguments();
                self.page.hidden -= white;
            }
        }
    }

    /// The value of a named argument of the call whose arguments begin here, if it is plain and near.
    fn named(&self, name: &str) -> Option<&'a str> {
        let rest = self.rest();
        if !rest.starts_with('(') {
            return None;
        }
        let value = |argument: &'a str| argument.trim_start().strip_prefix(name).and_then(|value| value.trim_start().strip_prefix(':'));
        let plain = |value: &'a str| value.trim().trim_matches('"');
        let (mut depth, mut string) = (0usize, false);
        let mut start = 1;
        for (at, byte) in rest.bytes().enumerate().take(400) {
            match byte {
                b'"' => string = !string,
                _ if string => {}
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' if depth > 1 => depth -= 1,
                b')' => return value(&rest[start..at]).map(plain),
                b',' if depth == 1 => {
                    if let Some(value) = value(&rest[start..at]) {
                        return Some(plain(value));
                    }
                    start = at + 1;
                }
                _ => {}
            }
        }
        None
    }

    /// The arguments of a call, in parentheses and in brackets; what content is among them is read.
    fn arguments(&mut self) {
        if self.byte() == Some(b'(') {
            self.at += 1;
            self.in_parentheses();
        }
        while self.byte() == Some(b'[') && self.depth < MAX_DEPTH {
            self.block();
        }
    }

    /// Code up to the closing parenthesis: content, strings and formulas that stand for themselves are read.
    fn in_parentheses(&mut self) {
        self.depth += 1;
        let mut named = false;
        while let Some(byte) = self.byte() {
            match byte {
                b')' => {
                    self.at += 1;
                    break;
                }
                _ if self.comment() => {}
                b'[' if self.depth < MAX_DEPTH => {
                    self.next_cell();
                    self.block();
                }
                b'$' => {
                    self.next_cell();
                    self.formula();
                }
                b'"' if !named && self.cells.is_some() => {
                    self.next_cell();
                    self.string();
                }
                b'"' => {
                    self.skip_string();
                }
                b'(' if self.depth < MAX_DEPTH => {
                    self.at += 1;
                    let cells = self.cells.take();
                    self.in_parentheses();
                    self.cells = cells;
                }
                b'{' => self.skip_group(),
                b',' => {
                    self.at += 1;
                    named = false;
                }
                b':' => {
                    self.at += 1;
                    named = true;
                }
                _ if byte.is_ascii_alphabetic() => {
                    let from = self.at;
                    let name = self.identifier();
                    self.at = self.at.max(from + 1);
                    if matches!(self.byte(), Some(b'(' | b'[')) && self.depth < MAX_DEPTH {
                        match name {
                            "table.header" | "table.footer" => self.header(name == "table.header"),
                            "table.hline" | "table.vline" => self.skip_group(),
                            "table.cell" | "grid.cell" => {
                                self.next_cell();
                                let cells = self.cells.take();
                                self.arguments();
                                self.cells = cells;
                            }
                            _ => self.call(name, from),
                        }
                    }
                }
                _ => self.step(),
            }
        }
        self.depth -= 1;
    }

    fn header(&mut self, header: bool) {
        if let Some(cells) = &mut self.cells {
            cells.header = header;
        }
        self.arguments();
        if let Some(cells) = &mut self.cells {
            cells.header = false;
        }
    }

    fn table(&mut self) {
        let columns = self.named("columns").map_or(1, columns);
        self.paragraph_end();
        let outer = self.cells.replace(Cells { table: self.page.next_table(), columns, count: 0, header: false });
        self.arguments();
        self.page.finish();
        self.cells = outer;
    }

    /// The next cell of the table that is being read, if one is.
    fn next_cell(&mut self) {
        if let Some(Cells { table, columns, count, header }) = &mut self.cells {
            let role = Role::Cell { table: *table, row: *count / *columns, column: *count % *columns, header: *header };
            *count += 1;
            self.page.begin(role);
        }
    }

    /// `#enum[one][two]`
    fn list_call(&mut self, numbered: bool) {
        let numbering = self.named("numbering").map(str::to_owned);
        let start = self.named("start").and_then(|start| start.parse().ok());
        if self.byte() == Some(b'(') {
            self.skip_group();
        }
        let outer = std::mem::take(&mut self.lists);
        let inherited = outer.numbering().to_owned();
        self.lists.set_numbering(numbering.as_deref().unwrap_or(&inherited));
        let mut first = start;
        while self.byte() == Some(b'[') && self.depth < MAX_DEPTH {
            let marker = match first.take() {
                _ if !numbered => Marker::Bullet,
                Some(number) => Marker::Number(number),
                None => Marker::Plus,
            };
            let label = self.lists.item(0, marker);
            self.paragraph_end();
            self.page.begin(Role::Item { marker: label, depth: outer.depth() + 1 });
            self.block();
            self.paragraph_end();
        }
        self.lists = outer;
    }

    /// `#qty("1.24", "ms")` and its like, of the packages for units.
    pub(super) fn quantity(&mut self, name: &str, from: usize) {
        let start = self.page.ink.len();
        let mut values = 0;
        if self.byte() == Some(b'(') {
            self.at += 1;
            while let Some(byte) = self.byte().filter(|&byte| byte != b')') {
                if byte == b'"' || byte.is_ascii_digit() || byte == b'[' || byte == b'-' {
                    if values > 0 {
                        let text = if name.ends_with("range") && values == 1 { "–" } else { " " };
                        self.page.push_for(text, Span::new(self.at, self.at));
                    }
                    values += 1;
                    if byte == b'"' {
                        self.string();
                    } else if byte == b'[' && self.depth < MAX_DEPTH {
                        self.block();
                    } else {
                        let at = self.at;
                        self.at += self
                            .rest()
                            .bytes()
                            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+'))
                            .count()
                            .max(1);
                        self.page.push(&self.text[at..self.at], at);
                    }
                } else {
                    self.step();
                }
            }
            self.at += usize::from(self.byte() == Some(b')'));
        }
        if self.page.hidden == 0 {
            let end = self.page.ink.len();
            self.page.ink.passage.group(start..end, Span::new(from, self.at));
        }
    }

    /// Writes what a variable shows, if that is known and the text has not been blown up with variables already.
    pub(super) fn show(&mut self, name: &str, from: usize) -> bool {
        let Some(value) = self.lets.get(name) else { return false };
        if value.len() > self.budget {
            return false;
        }
        self.budget -= value.len();
        self.page.push_for(value, Span::new(from, self.at));
        true
    }

    /// `#let name = value`: what the variable shows, if that is a number, a string, content, or a formula.
    fn binding(&mut self) {
        self.blanks();
        let name = self.identifier().to_owned();
        if self.own_function(&name) {
            return;
        }
        self.blanks();
        let from = self.at;
        if self.take("=") {
            self.blanks();
            let mut shown = Reader {
                page: Page::default(),
                lists: Lists::default(),
                lets: std::mem::take(&mut self.lets),
                functions: std::mem::take(&mut self.functions),
                cells: None,
                strong: false,
                ..*self
            };
            let plain = match shown.byte() {
                Some(b'"') => {
                    shown.string();
                    true
                }
                Some(b'[') if shown.depth < MAX_DEPTH => {
                    shown.block();
                    true
                }
                Some(b'$') => {
                    shown.formula();
                    true
                }
                Some(b'0'..=b'9' | b'-' | b'.') => {
                    let length =
                        shown.rest().bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'%')).count();
                    shown.page.push(&shown.rest()[..length], shown.at);
                    shown.at += length;
                    true
                }
                _ => false,
            };
            self.lets = std::mem::take(&mut shown.lets);
            self.functions = std::mem::take(&mut shown.functions);
            let at = shown.at;
            shown.blanks();
            let ends = shown.byte().is_none_or(|byte| matches!(byte, b'\n' | b';' | b'/' | b']'));
            let text = shown.page.into_blocks().iter().map(|block| block.passage.text().trim().to_owned()).collect::<Vec<_>>().join(" ");
            // Something long is shown where it stands often enough; it would only be written again and again.
            if plain && ends && text.len() <= 200 {
                self.lets.insert(name, text);
                self.at = at;
                return;
            }
        }
        self.at = from;
        self.skip_expression();
    }

    /// `#set enum(numbering: "(a)")`
    fn setting(&mut self) {
        self.blanks();
        let name = self.identifier();
        if name == "enum"
            && let Some(numbering) = self.named("numbering")
        {
            self.lists.set_numbering(numbering);
        }
        self.skip_group();
    }

    /// A string, as content.
    pub(super) fn string(&mut self) {
        let start = self.at + 1;
        let end = if self.skip_string() { self.at - 1 } else { self.at };
        let inner = &self.text[start..end];
        self.page.push(inner, start);
    }

    /// Passes over a string; false if it is not closed.
    pub(super) fn skip_string(&mut self) -> bool {
        let mut escaped = false;
        self.at += 1;
        while let Some(byte) = self.byte() {
            self.at += 1;
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => return true,
                _ => {}
            }
        }
        false
    }

    /// Passes over a group in parentheses, braces or brackets, if one opens here.
    pub(super) fn skip_group(&mut self) {
        let mut depth = 0usize;
        while let Some(byte) = self.byte() {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'"' => {
                    self.skip_string();
                    continue;
                }
                _ => {}
            }
            if depth == 0 && !matches!(byte, b')' | b']' | b'}') {
                return;
            }
            self.step();
            if depth == 0 {
                return;
            }
        }
    }

    /// Passes over an expression: to the end of the line, outside of all brackets.
    pub(super) fn skip_expression(&mut self) {
        while let Some(byte) = self.byte() {
            match byte {
                b'\n' | b';' | b']' => return,
                b'(' | b'[' | b'{' => self.skip_group(),
                b'"' => {
                    self.skip_string();
                }
                _ if self.comment() => {}
                _ => self.step(),
            }
        }
    }
}

/// How many columns `3`, `(auto, 1fr)` or `(1fr,) * 4` makes.
fn columns(value: &str) -> usize {
    let count = match value.trim().parse() {
        Ok(count) => count,
        Err(_) => value.trim_matches(['(', ')', ' ']).trim_end_matches(',').split(',').count(),
    };
    count.clamp(1, 100)
}
