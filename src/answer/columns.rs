//! Tables as people set them without saying which row is their head: which row that is, and tables of plain text whose
//! columns only stand below each other.

use std::ops::Range;

use crate::answer::{Block, Role};

/// Names the head of each table that has none: the first row, where it holds the names of columns and no values.
pub(crate) fn find_heads(blocks: &mut [Block]) {
    let mut at = 0;
    while at < blocks.len() {
        let Role::Cell { table, .. } = blocks[at].role else {
            at += 1;
            continue;
        };
        let length =
            blocks[at..].iter().take_while(|block| matches!(block.role, Role::Cell { table: other, .. } if other == table)).count();
        let cells = &mut blocks[at..at + length];
        if is_headless(cells) {
            for cell in cells {
                if let Role::Cell { row: 0, header, .. } = &mut cell.role {
                    *header = true;
                }
            }
        }
        at += length;
    }
}

/// Whether no cell of a table is called one of its head, though the first row looks like one.
fn is_headless(cells: &[Block]) -> bool {
    let place = |block: &Block| match block.role {
        Role::Cell { row, column, header, .. } => (row, column, header),
        _ => (0, 0, false),
    };
    if cells.iter().any(|cell| place(cell).2) {
        return false;
    }
    let first: Vec<(usize, &str)> =
        cells.iter().filter(|cell| place(cell).0 == 0).map(|cell| (place(cell).1, cell.passage.text().trim())).collect();
    let named = first.iter().filter(|(column, _)| *column > 0).count();
    // A row of two cells is as often a name and what it is in words.
    if named < 2 || first.iter().any(|(column, text)| *column > 0 && is_value(text)) {
        return false;
    }
    // Counts alone head the columns of a table only where nothing stands before them, or words beside them.
    let corner = first.iter().all(|(column, text)| *column > 0 || text.is_empty());
    let wordy = |text: &str| text.chars().filter(|c| c.is_alphabetic()).nth(2).is_some();
    let words = first.iter().any(|(column, text)| *column > 0 && wordy(text));
    let values = cells.iter().any(|cell| place(cell).0 > 0 && place(cell).1 > 0 && is_value(cell.passage.text().trim()));
    values && (words || corner || first.iter().all(|(_, text)| !starts_with_digit(text)))
}

/// Whether a cell holds a value rather than the name of a column: `10.2 ms`, `1240`, `x8`, but not `32` or `256 GPUs`.
fn is_value(text: &str) -> bool {
    let text = text.trim_start_matches(['~', '≈', '×', 'x', '<', '>', '−', '-', '$', ' ']);
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return false;
    }
    let rest = text[digits..].trim();
    let word = rest.chars().take_while(|c| c.is_alphabetic()).count();
    let named = rest.is_empty() && digits <= 4 || word > 2 && rest.chars().all(|c| c.is_alphanumeric() || c == ' ');
    !named
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// A table of plain text whose columns stand below each other, parted by two blanks and more.
#[derive(Debug)]
pub(crate) struct Aligned {
    /// What stands before its head, in the same line: the label of a part.
    pub(crate) label: Option<Range<usize>>,
    /// The fields of its rows, the head first, as bytes of the text.
    pub(crate) rows: Vec<Vec<Range<usize>>>,
    /// Where it ends.
    pub(crate) end: usize,
}

/// The longest field of a row that a person sets below others.
const WIDEST: usize = 48;
/// The longest label before a head.
const LABEL: usize = 4;

impl Aligned {
    /// The table whose head is the line that begins at `start`, if one does: names, and below each of them a value, a line
    /// a row.
    pub(crate) fn at(text: &str, start: usize) -> Option<Aligned> {
        let line = line_at(text, start);
        let mut head = fields(text, line.clone());
        if head.len() < 2 || head.iter().any(|field| field.len() > WIDEST) {
            return None;
        }
        let mut next = (line.end + 1).min(text.len());
        // A line may be drawn between.
        if is_drawn(&text[line_at(text, next)]) {
            next = (line_at(text, next).end + 1).min(text.len());
        }
        let row = |at: usize| Some(fields(text, line_at(text, at))).filter(|fields| fields.len() > 1 && at < text.len());
        let first = row(next)?;
        let mut label = None;
        if head.len() == first.len() + 1 && head[0].len() <= LABEL {
            label = Some(head.remove(0));
        }
        let names = |field: &Range<usize>| {
            let field = &text[field.clone()];
            !is_value(field) && !field.starts_with(['=', '+']) && !field.ends_with([':', '='])
        };
        if head.len() < 2
            || head.len() == 2 && !stand_below(text, &head, &first)
            || !head.iter().all(names)
            || head.iter().all(|field| starts_with_digit(&text[field.clone()]))
        {
            return None;
        }
        let mut rows = vec![head];
        let mut end = next;
        while let Some(mut fields) = row(end) {
            let line = line_at(text, end);
            // A row whose first field is left empty.
            if fields.len() + 1 == rows[0].len() && fields[0].start >= rows[0][0].end {
                fields.insert(0, line.start..line.start);
            }
            if fields.len() != rows[0].len()
                || !fields[1..].iter().any(|field| is_figure(&text[field.clone()]))
                || fields.iter().any(|field| field.len() > WIDEST)
            {
                break;
            }
            rows.push(fields);
            end = (line.end + 1).min(text.len());
            if is_drawn(&text[line_at(text, end)]) {
                end = (line_at(text, end).end + 1).min(text.len());
            }
        }
        (rows.len() > 1).then_some(Aligned { label, rows, end })
    }
}

/// Whether the fields of a row stand below those of the head, and not only beside each other.
fn stand_below(text: &str, head: &[Range<usize>], row: &[Range<usize>]) -> bool {
    let column = |field: &Range<usize>| {
        let line = text[..field.start].rfind('\n').map_or(0, |at| at + 1);
        text[line..field.start].chars().count()..text[line..field.end].chars().count()
    };
    head.len() == row.len()
        && head.iter().zip(row).all(|(name, value)| {
            let (name, value) = (column(name), column(value));
            name.start < value.end && value.start < name.end
        })
}

/// Whether a field begins with a figure.
fn is_figure(field: &str) -> bool {
    starts_with_digit(field.trim_start_matches(['~', '≈', '×', 'x', '<', '>', '−', '-', '+', '.']))
}

/// The line that begins at a place, without its end.
fn line_at(text: &str, start: usize) -> Range<usize> {
    let end = text[start..].find('\n').map_or(text.len(), |end| start + end);
    let line = text[start..end].trim_end_matches('\r');
    start..start + line.len()
}

/// The fields of a line that two blanks and more, or tabs, keep apart.
fn fields(text: &str, line: Range<usize>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut blank = 2;
    for (offset, c) in text[line.clone()].char_indices() {
        let at = line.start + offset;
        match c {
            ' ' | '\u{a0}' => blank += 1,
            '\t' => blank += 2,
            _ => {
                match found.last_mut() {
                    Some(field) if blank < 2 => field.end = at + c.len_utf8(),
                    _ => found.push(at..at + c.len_utf8()),
                }
                blank = 0;
            }
        }
    }
    found
}

/// Whether a line only draws.
fn is_drawn(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2 && line.chars().all(|c| matches!(c, '-' | '=' | '─' | '━' | ' ' | '+' | '|' | '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Option<Vec<String>> {
        let found = Aligned::at(text, 0)?;
        let label = found.label.iter().map(|label| format!("<{}>", &text[label.clone()]));
        let rows = found.rows.iter().map(|row| row.iter().map(|field| &text[field.clone()]).collect::<Vec<_>>().join("|"));
        Some(label.chain(rows).collect())
    }

    #[test]
    fn columns_that_stand_below_each_other() {
        assert_eq!(
            table("  size/MB    n   time/ms\n      4     650   1007.9\n     64      41   252.3\n\nso"),
            Some(vec!["size/MB|n|time/ms".to_owned(), "4|650|1007.9".to_owned(), "64|41|252.3".to_owned()])
        );
        assert_eq!(
            table("e   change        ratio/%   compute/ms\n    four steps    25,3      800\n    inside        7,6       400\nDone."),
            Some(vec![
                "<e>".to_owned(),
                "change|ratio/%|compute/ms".to_owned(),
                "four steps|25,3|800".to_owned(),
                "inside|7,6|400".to_owned()
            ])
        );
        assert_eq!(
            table("ranks  latency\n-----  -------\n   16  0.6 ms\n   64  2.5 ms"),
            Some(vec!["ranks|latency".to_owned(), "16|0.6 ms".to_owned(), "64|2.5 ms".to_owned()])
        );
    }

    #[test]
    fn lines_that_are_no_table() {
        for text in [
            "latency    0.62 ms\nbandwidth  100.8 ms",
            "latency   = 62 µs\nbandwidth = 201.5 ms",
            "b)  latency:  1 ms\n    bandwidth:  2 ms",
            "one line",
            "",
            "first  second\nno values  here",
            "It ends.  Two blanks after a stop.\nAnd 5 ms  more.",
        ] {
            assert!(table(text).is_none(), "{text}");
        }
    }
}
