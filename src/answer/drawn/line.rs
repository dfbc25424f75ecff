//! One line that may belong to a table: what it is cut at, and what its cells look like.

use std::ops::Range;

use memchr::memchr;

/// Bytes of a cell beyond which it is prose.
const LONGEST: usize = 60;

/// What parts the cells of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Bars.
    Bars,
    /// A sign between the cells, and no other space.
    Separated(char),
    /// Spaces.
    Aligned,
    /// Nothing: the line belongs to no table.
    Prose,
}

/// A line that is not blank.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    /// Where it starts in the text.
    pub(super) start: usize,
    pub(super) text: &'a str,
    pub(super) is_ruler: bool,
    /// How many cells bars or signs make of it.
    kind: Kind,
}

/// A run of characters in a line without two spaces in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// Its bytes in the text.
    pub(super) range: Range<usize>,
    /// The columns of characters that it takes.
    pub(super) place: Range<usize>,
}

impl<'a> Line<'a> {
    pub(super) fn of(start: usize, text: &'a str) -> Line<'a> {
        let is_ruler = is_ruler(text);
        Line { start, text, is_ruler, kind: if is_ruler { Kind::Prose } else { kind(text) } }
    }

    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether two spaces or a tab may part something in it. `false` is certain.
    pub(super) fn may_have_fields(&self) -> bool {
        has_wide_gap(self.text) || self.text.as_bytes().iter().any(|byte| matches!(byte, b'\t' | 0xa0))
    }

    /// What two spaces or a tab part in it.
    pub(super) fn fields(&self) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        let mut open: Option<Field> = None;
        let mut blanks = 0;
        for (place, (at, c)) in self.text.char_indices().enumerate() {
            if c == ' ' || c == '\t' || c == '\u{a0}' {
                blanks += if c == '\t' { 2 } else { 1 };
                if blanks > 1 {
                    fields.extend(open.take());
                }
                continue;
            }
            blanks = 0;
            let end = self.start + at + c.len_utf8();
            match &mut open {
                Some(field) => {
                    field.range.end = end;
                    field.place.end = place + 1;
                }
                None => open = Some(Field { range: self.start + at..end, place: place..place + 1 }),
            }
        }
        fields.extend(open);
        fields
    }
}

/// Whether two spaces stand side by side.
pub(super) fn has_wide_gap(text: &str) -> bool {
    const AT_ONCE: usize = 256;
    let bytes = text.as_bytes();
    // Asked of many bytes at once, without a branch for each.
    (0..bytes.len()).step_by(AT_ONCE).any(|start| {
        let part = &bytes[start..bytes.len().min(start + AT_ONCE + 1)];
        part.iter().zip(&part[1..]).fold(false, |any, (one, next)| any | (*one == b' ' && *next == b' '))
    })
}

fn kind(text: &str) -> Kind {
    let trimmed = text.trim();
    // Those that are drawn begin with one byte.
    let drawn = trimmed.bytes().any(|byte| matches!(byte, b'|' | 0xe2));
    let bars = if drawn { trimmed.chars().filter(|c| is_bar(*c)).count() } else { 0 };
    if bars > 0
        && (trimmed.starts_with(is_bar) && bars > 1 || trimmed.contains(" | ") || trimmed.contains(" │ ") || trimmed.contains(" ║ "))
    {
        return Kind::Bars;
    }
    if memchr(b'\t', trimmed.as_bytes()).is_some() {
        return Kind::Separated('\t');
    }
    let gaps = has_wide_gap(trimmed);
    for sign in [b';', b','].into_iter().filter(|sign| !gaps && memchr(*sign, trimmed.as_bytes()).is_some()).map(char::from) {
        // Commas and semicolons also stand in prose and in numbers: a table's cells are short, and no space follows.
        let cells = trimmed.split(sign);
        if sign == ',' && is_decimal_marks(trimmed) {
            continue;
        }
        if cells.clone().count() >= 3 && cells.clone().all(|cell| cell.len() <= 30 && !cell.trim().is_empty() && !cell.starts_with(' ')) {
            return Kind::Separated(sign);
        }
    }
    // A row may have a single space where the longest name meets its value.
    if (trimmed.contains(' ') || text.starts_with("  ")) && text.len() <= 6 * LONGEST { Kind::Aligned } else { Kind::Prose }
}

/// Whether the commas of a line are the decimal marks of a sentence or of work rather than what parts its cells: `Exposed:
/// 400/602,74 = 66,4 %`.
fn is_decimal_marks(line: &str) -> bool {
    let bytes = line.as_bytes();
    let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let between = |at: usize| digit(at.checked_sub(1)) && digit(Some(at + 1));
    line.contains([' ', '=', ':']) && line.match_indices(',').all(|(at, _)| between(at))
}

pub(super) fn is_bar(c: char) -> bool {
    matches!(c, '|' | '│' | '┃' | '║')
}

/// A line that only draws: `+----+----+`, `|---|---:|`, `=======`, `├──┼──┤`.
pub(crate) fn is_ruler(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3
        && line.chars().all(|c| matches!(c, '-' | '+' | '|' | '=' | ':' | ' ' | '\t' | '─'..='╿'))
        && line.contains(['-', '=', '─', '═', '━'])
}

/// Whether a cell begins with a number: `1.24 ms`, `~ 50 %`, `×8`, `$12`.
pub(super) fn is_value(cell: &str) -> bool {
    let signs = ['≈', '~', '<', '>', '≤', '≥', '±', '+', '-', '−', '×', 'x', '÷', '/', '$', '€', '(', '*', '`', '.', ' '];
    cell.len() <= LONGEST && cell.trim_start_matches(signs).starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a cell is short enough to be one, or says that there is nothing in it.
pub(super) fn is_short(cell: &str) -> bool {
    cell.len() <= LONGEST
}
