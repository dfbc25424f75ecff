//! Plain text: paragraphs, lists, and tables drawn with characters.

use memchr::memchr;

use crate::answer::drawn::line::is_ruler;
use crate::answer::drawn::{Cell, Drawn};
use crate::answer::markup::{self, Around, Markup};
use crate::answer::page::Page;
use crate::answer::tex::Macros;
use crate::answer::{Block, Role, drawn, markdown};

/// Reads a plain text into blocks.
pub(crate) fn read(text: &str) -> Vec<Block> {
    if is_markdown(text) {
        return markdown::read(text);
    }
    let found = markup::scan(text, Around::Plain);
    let mut reader = Reader { text, found: &found, passed: 0, macros: Macros::new(0), page: Page::for_text(text.len()), done: 0 };
    let mut lines = Lines { text, at: if text.starts_with('\u{FEFF}') { 3 } else { 0 } };
    let mut tables = drawn::tables(text).into_iter().peekable();
    while let Some((start, line)) = lines.next() {
        if let Some(table) = tables.next_if(|table| table.span.start <= start) {
            reader.table(&table);
            lines.at = lines.after(table.span.end);
        } else {
            reader.line(start, line);
        }
    }
    reader.page.into_blocks()
}

/// Whether a text is Markdown in spite of its name: it has headings, fences, tables or labels that only Markdown has.
fn is_markdown(text: &str) -> bool {
    let sign = |line: &str| {
        let line = line.trim_start();
        let hashes = line.bytes().take_while(|&byte| byte == b'#').count();
        (1..=6).contains(&hashes) && line[hashes..].starts_with(' ')
            || line.starts_with("```")
            || line.starts_with("**") && line.len() > 4 && line[2..].contains("**")
            || line.starts_with('|') && line.contains("---") && is_ruler(line)
    };
    let lines = drawn::lines(text).map(|line| line.strip_suffix('\r').unwrap_or(line));
    lines.take(400).filter(|line| sign(line)).nth(1).is_some()
}

/// The lines of a text with their places, without their ends.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<(usize, &'a str)> {
        let start = self.at;
        self.at = self.after(start);
        let line = &self.text[start..self.at];
        (!line.is_empty()).then(|| (start, line.strip_suffix('\n').unwrap_or(line).trim_end_matches('\r')))
    }

    /// Where the line behind the one at a place starts.
    fn after(&self, at: usize) -> usize {
        memchr(b'\n', &self.text.as_bytes()[at..]).map_or(self.text.len(), |end| at + end + 1)
    }
}

struct Reader<'a> {
    text: &'a str,
    found: &'a Markup,
    /// How many formulas are behind.
    passed: usize,
    macros: Macros,
    page: Page,
    /// Up to where the text is written: a formula may reach across lines.
    done: usize,
}

impl Reader<'_> {
    fn line(&mut self, start: usize, line: &str) {
        if line.trim().is_empty() {
            self.page.finish();
            return;
        }
        if is_ruler(line) {
            // A line drawn under a line makes a heading of it.
            self.page.underline(if line.contains('=') { 1 } else { 2 });
            return;
        }
        let indent = line.len() - line.trim_start().len();
        if let Some(marker) = bullet(&line[indent..]) {
            self.page.begin(Role::Item { marker: line[indent..indent + marker].to_owned(), depth: 1 + indent / 2 });
            let skip = indent + marker;
            let skip = skip + (line[skip..].len() - line[skip..].trim_start().len());
            self.write(start + skip, start + line.len());
            return;
        }
        if start + line.len() <= self.done {
            return;
        }
        if self.page.is_open() && !self.page.is_blank() {
            if start > self.done {
                self.page.push("\n", start - 1);
            }
        } else if !self.page.is_open() {
            self.page.begin(Role::Paragraph);
        }
        self.write(start, start + line.len());
    }

    /// Writes a stretch of the text, with the formulas in it flattened.
    fn write(&mut self, start: usize, end: usize) {
        let mut at = start.max(self.done).min(end);
        for region in self.found.from(at, &mut self.passed) {
            if region.span.start >= end {
                break;
            }
            if region.span.start >= at {
                self.page.push(&self.text[at..region.span.start], at);
                markup::flatten(self.text, region, &self.macros, &mut self.page.ink);
                self.done = region.span.end;
            }
            at = region.span.end.clamp(at, end);
        }
        if at < end {
            self.page.push(&self.text[at..end], at);
            self.done = end;
        }
    }

    fn table(&mut self, drawn: &Drawn) {
        self.page.finish();
        if let Some(margin) = &drawn.margin {
            self.page.begin(Role::Paragraph);
            self.write(margin.start, margin.end);
        }
        let table = self.page.next_table();
        for Cell { row, column, header, range } in &drawn.cells {
            self.page.begin(Role::Cell { table, row: *row, column: *column, header: *header });
            self.write(range.start, range.end);
        }
        self.page.finish();
    }
}

/// The length of a list marker at the start of a line: a sign or a number, and a space behind it.
fn bullet(line: &str) -> Option<usize> {
    let length = match line.chars().next()? {
        sign @ ('-' | '*' | '•' | '–' | '·' | '◦' | '‣') => sign.len_utf8(),
        '0'..='9' => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            (digits <= 2 && line[digits..].starts_with(['.', ')'])).then_some(digits + 1)?
        }
        _ => return None,
    };
    (line[length..].starts_with([' ', '\t']) && !line[length..].trim().is_empty()).then_some(length)
}
