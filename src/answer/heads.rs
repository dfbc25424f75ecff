//! Which row of a table is its head, where nothing marks it, and the unit that the name of a column ends in.

use crate::answer::{Block, Role};

/// Names the head of each table that has none: the first row, where it holds the names of columns and no values.
pub(crate) fn find(blocks: &mut [Block]) {
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

/// A number with the unit that the head of its column ends in: `1` under `size/MiB`, `bucket (MiB)` or `b in MiB`.
pub(crate) fn with_unit_of(number: &str, head: &str) -> Option<String> {
    let unit = unit_of(head)?.1;
    Some(format!("{number} {unit}"))
}

/// The name of a column and the unit behind it: `size` and `MiB` of `size/MiB`.
fn unit_of(head: &str) -> Option<(&str, &str)> {
    let head = head.trim();
    let (name, unit) = if let Some(inner) = head.strip_suffix([')', ']']) {
        let open = inner.rfind(['(', '['])?;
        (&head[..open], &inner[open + 1..])
    } else {
        head.rsplit_once(" in ").or_else(|| head.rsplit_once('/')).or_else(|| head.rsplit_once(", "))?
    };
    let (name, unit) = (name.trim(), unit.trim());
    let short =
        !unit.is_empty() && unit.len() <= 8 && !unit.contains(' ') && unit.starts_with(|c: char| c.is_alphabetic() || "%‰µ".contains(c));
    (short && !name.is_empty()).then_some((name, unit))
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
