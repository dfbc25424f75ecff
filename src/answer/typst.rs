//! Typst documents, as they look when compiled: headings, lists with the labels they get, tables, formulas, simple
//! variables; not comments, settings, or what is hidden.

mod code;
mod functions;
mod lists;
mod math;

use std::collections::BTreeMap;

use crate::answer::page::Page;
use crate::answer::{Block, Role};
use crate::text::Span;

use functions::Function;
use lists::{Lists, Marker};

/// How deep content may nest; deeper brackets are read as text.
const MAX_DEPTH: usize = 40;

/// Reads a Typst text into blocks.
pub(crate) fn read(text: &str) -> Vec<Block> {
    let at = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let mut reader = Reader {
        text,
        at,
        page: Page::for_text(text.len()),
        lets: BTreeMap::new(),
        functions: BTreeMap::new(),
        budget: 2 * text.len() + (1 << 16),
        lists: Lists::default(),
        depth: 0,
        strong: false,
        cells: None,
    };
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
    /// The document's own functions.
    functions: BTreeMap<String, Function>,
    /// How many bytes variables may still show.
    budget: usize,
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
        let is_heading = (1..=6).contains(&level) && line[level..].starts_with([' ', '\t']) && self.depth < MAX_DEPTH;
        if is_heading && self.cells.is_none() {
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
