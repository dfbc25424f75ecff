//! Typst documents, as they look when compiled: headings, lists with the labels they get, tables, formulas, simple
//! variables; not comments, settings, or what is hidden.

mod lists;
mod math;

use std::collections::BTreeMap;

use crate::answer::page::Page;
use crate::answer::tex::is_white;
use crate::answer::{Block, Role};
use crate::text::Span;

use lists::{Lists, Marker};

/// How deep content may nest; deeper brackets are read as text.
const MAX_DEPTH: usize = 40;

/// Reads a Typst text into blocks.
pub(crate) fn read(text: &str) -> Vec<Block> {
    let at = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let mut reader =
        Reader { text, at, page: Page::default(), lets: BTreeMap::new(), lists: Lists::default(), depth: 0, strong: false, cells: None };
    while reader.at < text.len() {
        reader.content();
        // A bracket that closes nothing is passed over.
        reader.step();
    }
    reader.page.into_blocks()
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    page: Page,
    /// What variables show, where that is plain to see.
    lets: BTreeMap<String, String>,
    lists: Lists,
    depth: usize,
    /// Whether a star opened bold text in this paragraph.
    strong: bool,
    /// The table that is being read: its number, its columns, the cells so far, and whether they are its header.
    cells: Option<Cells>,
}

#[derive(Clone, Copy)]
struct Cells {
    table: usize,
    columns: usize,
    count: usize,
    header: bool,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    fn blanks(&mut self) {
        self.at += self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    }

    /// Passes over one character.
    fn step(&mut self) {
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
    }

    fn white(&mut self) {
        self.at += self.rest().bytes().take_while(u8::is_ascii_whitespace).count();
    }

    /// Reads markup up to the bracket that closes it, or the end of the text; the head stands before the bracket.
    fn content(&mut self) {
        let mut line = true;
        while let Some(byte) = self.byte() {
            if line {
                line = self.line_start();
                continue;
            }
            let from = self.at;
            match byte {
                b']' => return,
                b'\n' => {
                    self.at += 1;
                    line = true;
                }
                _ if self.comment() => {}
                b'\\' => self.backslash(),
                b'$' => self.formula(),
                b'#' => self.code(),
                b'*' if !self.inside_word() => {
                    self.at += 1;
                    self.strong = !self.strong;
                    self.page.strong(self.strong);
                }
                b'_' if !self.inside_word() => self.at += 1,
                b'~' => {
                    self.at += 1;
                    self.page.push_for(" ", Span::new(from, self.at));
                }
                b'-' if self.rest().starts_with("--") => {
                    self.at += self.rest().bytes().take_while(|&byte| byte == b'-').count();
                    self.page.push_for(if self.at - from == 2 { "–" } else { "—" }, Span::new(from, self.at));
                }
                b'`' => self.raw(),
                b'<' | b'@' if self.is_reference() => {}
                b'[' if self.depth < MAX_DEPTH => self.block(),
                _ => {
                    let rest = &self.text.as_bytes()[from + 1..];
                    self.at = from + 1 + rest.iter().position(|&byte| SPECIAL[usize::from(byte)]).unwrap_or(rest.len());
                    self.page.push(&self.text[from..self.at], from);
                }
            }
        }
    }

    /// At the start of a line: a blank line, a heading, a list item, or the text of a paragraph. True if the line is done.
    fn line_start(&mut self) -> bool {
        let from = self.at;
        let indent = self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let line = &self.rest()[indent..];
        if line.starts_with('\n') || line.starts_with("\r\n") {
            self.at += indent + line.find('\n').map_or(0, |end| end + 1);
            self.paragraph_end();
            return true;
        }
        self.at += indent;
        if self.comment() {
            if line.starts_with("/*") && !self.page.is_blank() && from > 0 {
                self.page.push("\n", from - 1);
            }
            return false;
        }
        let level = line.bytes().take_while(|&byte| byte == b'=').count();
        if (1..=6).contains(&level) && line[level..].starts_with([' ', '\t']) && self.cells.is_none() {
            self.lists.leave(0, true);
            self.at += level;
            self.blanks();
            self.paragraph_end();
            self.page.begin(Role::Heading(u8::try_from(level).unwrap_or(6)));
            self.heading_line();
            return true;
        }
        if let Some((marker, length)) = Marker::of(line) {
            self.at += length;
            self.paragraph_end();
            let label = self.lists.item(indent, marker);
            self.page.begin(Role::Item { marker: label, depth: self.lists.depth() });
            return false;
        }
        if line.is_empty() {
            return false;
        }
        if !line.starts_with(']') && self.lists.leave(indent, false) {
            self.paragraph_end();
            self.page.begin(Role::Paragraph);
        } else if !self.page.is_blank() && self.text[..from].ends_with('\n') {
            self.page.push("\n", from - 1);
        }
        false
    }

    /// The rest of a heading's line.
    fn heading_line(&mut self) {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        let (end, text) = (self.at + length, self.text);
        self.text = &text[..end];
        while self.at < end {
            self.depth += 1;
            let at = self.at;
            self.inline_line();
            self.depth -= 1;
            self.at = self.at.max(at + 1);
        }
        self.text = text;
        self.paragraph_end();
    }

    fn inline_line(&mut self) {
        // Without the start of a line, so that `= - a` is a heading and no list.
        match self.byte() {
            Some(b']') => self.at += 1,
            Some(_) => {
                let lists = std::mem::take(&mut self.lists);
                let first = self.rest().chars().next().map_or(0, char::len_utf8);
                if matches!(self.byte(), Some(b'-' | b'+' | b'/' | b'=')) {
                    self.page.push(&self.text[self.at..self.at + first], self.at);
                    self.at += first;
                }
                self.content();
                self.lists = lists;
            }
            None => {}
        }
    }

    fn paragraph_end(&mut self) {
        if self.strong {
            self.strong = false;
            self.page.strong(false);
        }
        if self.cells.is_none() {
            self.page.finish();
        }
    }

    /// Passes over a comment, if one begins here.
    fn comment(&mut self) -> bool {
        if self.rest().starts_with("//") && !self.text[..self.at].ends_with(':') {
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            return true;
        }
        if !self.rest().starts_with("/*") {
            return false;
        }
        let mut depth = 0usize;
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() {
            match &bytes[self.at..(self.at + 2).min(bytes.len())] {
                b"/*" => {
                    depth += 1;
                    self.at += 2;
                }
                b"*/" => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        break;
                    }
                }
                _ => self.at += 1,
            }
        }
        true
    }

    /// Whether letters stand on both sides of the sign here, so that it is only a sign.
    fn inside_word(&self) -> bool {
        let before = self.text[..self.at].chars().next_back();
        let after = self.rest().chars().nth(1);
        before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
    }

    fn backslash(&mut self) {
        let from = self.at;
        self.at += 1;
        match self.rest().chars().next() {
            Some('u') if self.rest().starts_with("u{") => {
                let end = self.rest().bytes().take(12).position(|byte| byte == b'}').unwrap_or(1);
                let sign = u32::from_str_radix(&self.rest()[2..end.max(2)], 16).ok().and_then(char::from_u32);
                self.at += end + 1;
                if let Some(sign) = sign {
                    self.page.push_for(&sign.to_string(), Span::new(from, self.at));
                }
            }
            Some(c) if !c.is_whitespace() => {
                self.page.push(&self.text[self.at..self.at + c.len_utf8()], self.at);
                self.at += c.len_utf8();
            }
            _ => self.page.push_for("\n", Span::new(from, self.at)),
        }
    }

    /// Passes over `<label>` and `@reference`.
    fn is_reference(&mut self) -> bool {
        let rest = &self.rest()[1..];
        let name = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':')).count();
        let starts = rest.starts_with(|c: char| c.is_ascii_alphabetic());
        let label = self.byte() == Some(b'<') && rest[name..].starts_with('>');
        let reference = self.byte() == Some(b'@') && !self.text[..self.at].ends_with(char::is_alphanumeric);
        if starts && label {
            self.at += name + 2;
        } else if starts && reference {
            self.at += name + 1;
        } else {
            return false;
        }
        true
    }

    /// Raw text between ticks.
    fn raw(&mut self) {
        let ticks = self.rest().bytes().take_while(|&byte| byte == b'`').count();
        let start = self.at + ticks;
        self.at = start;
        if ticks == 2 {
            return;
        }
        let close = "`".repeat(ticks);
        // Without a closing tick, all that follows is raw.
        let length = self.rest().find(&close).unwrap_or(self.rest().len());
        let inner = &self.text[start..start + length];
        self.at = (start + length + ticks).min(self.text.len());
        if ticks >= 3 {
            let language = inner.split(|c: char| c.is_whitespace()).next().unwrap_or("");
            let skip = if inner.starts_with(char::is_whitespace) { 0 } else { language.len() };
            let code = inner[skip..].trim_start_matches([' ', '\r']).trim_start_matches('\n');
            self.paragraph_end();
            self.page.begin(Role::Code(language.to_owned()));
            self.page.push(code, start + inner.len() - code.len());
            self.page.finish();
        } else {
            self.page.push(inner, start);
        }
    }

    /// What stands in brackets here, as content of its own.
    fn block(&mut self) {
        self.at += 1;
        self.depth += 1;
        let lists = std::mem::take(&mut self.lists);
        let numbering = lists.numbering().to_owned();
        self.lists.set_numbering(&numbering);
        self.content();
        self.lists = lists;
        self.depth -= 1;
        self.at += usize::from(self.byte() == Some(b']'));
    }

    fn formula(&mut self) {
        let from = self.at;
        self.at += 1;
        let display = self.byte().is_some_and(|byte| byte.is_ascii_whitespace());
        let apart = display && self.cells.is_none() && !self.page.is_item_start() && self.ends_with_space(from);
        if apart {
            self.page.begin(Role::Math);
        }
        self.math(b'$', 0);
        self.at += usize::from(self.byte() == Some(b'$'));
        if apart {
            self.page.begin(Role::Paragraph);
        }
    }

    /// Whether a space stands before the closing dollar of the formula that opens at `from`, as it does for a display.
    fn ends_with_space(&self, from: usize) -> bool {
        let rest = &self.text.as_bytes()[from + 1..];
        let close =
            rest.iter().take(4000).enumerate().find(|&(at, &byte)| byte == b'$' && (at == 0 || rest[at - 1] != b'\\')).map(|(at, _)| at);
        close.is_some_and(|close| close > 0 && rest[close - 1].is_ascii_whitespace())
    }

    /// A name of code: letters, digits, hyphens and, where fields are reached, dots.
    fn identifier(&mut self) -> &'a str {
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
    fn code(&mut self) {
        let from = self.at;
        self.at += 1;
        let name = self.identifier();
        match name {
            "" => match self.byte() {
                Some(b'(' | b'{') => self.skip_group(),
                Some(b'[') => self.block(),
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
    fn call(&mut self, name: &str, from: usize) {
        let opens = matches!(self.byte(), Some(b'(' | b'['));
        if !opens {
            if let Some(value) = self.lets.get(name) {
                self.page.push_for(value, Span::new(from, self.at));
            }
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
    fn quantity(&mut self, name: &str, from: usize) {
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

    /// `#let name = value`: what the variable shows, if that is a number, a string, content, or a formula.
    fn binding(&mut self) {
        self.blanks();
        let name = self.identifier().to_owned();
        self.blanks();
        let from = self.at;
        if self.take("=") {
            self.blanks();
            let mut shown = Reader {
                page: Page::default(),
                lists: Lists::default(),
                lets: std::mem::take(&mut self.lets),
                cells: None,
                strong: false,
                ..*self
            };
            let plain = match shown.byte() {
                Some(b'"') => {
                    shown.string();
                    true
                }
                Some(b'[') => {
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
    fn string(&mut self) {
        let start = self.at + 1;
        let end = if self.skip_string() { self.at - 1 } else { self.at };
        let inner = &self.text[start..end];
        self.page.push(inner, start);
    }

    /// Passes over a string; false if it is not closed.
    fn skip_string(&mut self) -> bool {
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
    fn skip_group(&mut self) {
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
    fn skip_expression(&mut self) {
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

/// The bytes that mean something in markup.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let bytes = b"\n\\$#*_~-`<@[]/";
    let mut at = 0;
    while at < bytes.len() {
        special[bytes[at] as usize] = true;
        at += 1;
    }
    special
};

#[cfg(test)]
mod tests;
