//! Plain text: paragraphs, lists, and tables drawn with characters.

use crate::answer::columns::Aligned;
use crate::answer::markup::{self, Around, Markup};
use crate::answer::page::Page;
use crate::answer::tex::Macros;
use crate::answer::{Block, Role, markdown};

/// Reads a plain text into blocks.
pub(crate) fn read(text: &str) -> Vec<Block> {
    if is_markdown(text) {
        return markdown::read(text);
    }
    let found = markup::scan(text, Around::Plain);
    let mut reader = Reader { text, found: &found, passed: 0, macros: Macros::new(0), page: Page::for_text(text.len()), done: 0 };
    let mut lines = Lines { text, at: if text.starts_with('\u{FEFF}') { 3 } else { 0 } };
    while let Some((start, line)) = lines.next() {
        if let Some(aligned) = Aligned::at(text, start) {
            lines.at = aligned.end;
            reader.aligned(aligned);
        } else if let Some(columns) = Columns::of(line)
            && lines.peek().is_some_and(|next| Columns::of(next) == Some(columns) || is_ruler(next))
        {
            reader.table(columns, start, line, &mut lines);
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
    text.lines().take(400).filter(|line| sign(line)).nth(1).is_some()
}

/// The lines of a text with their places, without their ends.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<(usize, &'a str)> {
        let start = self.at;
        let line = self.peek()?;
        self.at = self.text[start..].find('\n').map_or(self.text.len(), |end| start + end + 1);
        Some((start, line))
    }

    fn peek(&self) -> Option<&'a str> {
        let rest = &self.text[self.at..];
        (!rest.is_empty()).then(|| rest[..rest.find('\n').unwrap_or(rest.len())].trim_end_matches('\r'))
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

    fn table(&mut self, columns: Columns, start: usize, line: &str, lines: &mut Lines<'_>) {
        self.page.finish();
        let table = self.page.next_table();
        let mut row = 0;
        let header = lines.peek().is_some_and(is_ruler);
        self.row(columns, table, row, header, start, line);
        while let Some(next) = lines.peek() {
            if is_ruler(next) {
                lines.next();
            } else if Columns::of(next).is_some_and(|next| next.sign == columns.sign) {
                row += 1;
                if let Some((start, line)) = lines.next() {
                    self.row(columns, table, row, false, start, line);
                }
            } else {
                break;
            }
        }
        self.page.finish();
    }

    /// A table whose columns only stand below each other.
    fn aligned(&mut self, found: Aligned) {
        if let Some(label) = found.label {
            // A letter is a label because of the gap behind it.
            let end = found.rows[0][0].end;
            self.line(label.start, &self.text[label.start..end]);
        }
        self.page.finish();
        let table = self.page.next_table();
        for (row, fields) in found.rows.into_iter().enumerate() {
            for (column, field) in fields.into_iter().enumerate() {
                self.page.begin(Role::Cell { table, row, column, header: row == 0 });
                self.write(field.start, field.end);
                self.page.finish();
            }
        }
        self.done = self.done.max(found.end);
    }

    fn row(&mut self, columns: Columns, table: usize, row: usize, header: bool, start: usize, line: &str) {
        let mut at = 0;
        let mut column = 0;
        for cell in line.split(columns.sign) {
            let inner = cell.trim();
            let lead = cell.len() - cell.trim_start().len();
            // The bars at the margins enclose no cell.
            if !(columns.sign == '|' && inner.is_empty() && (at == 0 || at + cell.len() == line.len())) {
                self.page.begin(Role::Cell { table, row, column, header });
                self.write(start + at + lead, start + at + lead + inner.len());
                self.page.finish();
                column += 1;
            }
            at += cell.len() + columns.sign.len_utf8();
        }
    }
}

/// How a line of a table is cut into cells.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Columns {
    sign: char,
    count: usize,
}

impl Columns {
    /// The columns of a line that may belong to a table.
    fn of(line: &str) -> Option<Columns> {
        let line = line.trim();
        for (sign, least) in [('\t', 2), ('|', 2), (';', 3), (',', 3)] {
            let cells = line.trim_matches('|').split(sign);
            let count = cells.clone().count();
            // Commas and semicolons also stand in prose and in numbers: there a table's cells are short, and no digit
            // group follows.
            let fits = match sign {
                '\t' => true,
                '|' => line.starts_with('|') || line.contains(" | "),
                _ => cells.clone().all(|cell| cell.len() <= 30 && !cell.trim().is_empty() && !cell.starts_with(' ')),
            };
            if count >= least && fits {
                return Some(Columns { sign, count });
            }
        }
        None
    }
}

/// A line that only draws: `+----+----+`, `|---|---:|`, `=======`.
fn is_ruler(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3
        && line.chars().all(|c| matches!(c, '-' | '+' | '|' | '=' | ':' | ' ' | '─' | '┼' | '│'))
        && line.contains(['-', '=', '─'])
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
