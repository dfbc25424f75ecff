//! Tables that are drawn with characters: boxes of bars and rulers, values between tabs, semicolons or commas, and columns
//! that stand one below the other, as people type them and as programs print them.
//!
//! ```text
//! lines ─ stretches without a blank line ─▶ bars │ separated │ aligned ─▶ rows of cells ─▶ which row names the columns
//! ```
//!
//! What has columns for one line only is no table, and neither is prose in which two spaces stand here and there.

mod aligned;
pub(crate) mod line;
mod parallel;

use std::ops::Range;

use memchr::memchr;

use crate::answer::{Block, Role};
use crate::text::Signs;
use line::{Line, is_value};

/// A table that is drawn in a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn {
    /// The bytes of its lines, without the end of the last one.
    pub(crate) span: Range<usize>,
    /// The label of a part in the margin of its first line, with what stands in the first column there.
    pub(crate) margin: Option<Range<usize>>,
    /// Its cells, row by row.
    pub(crate) cells: Vec<Cell>,
}

/// A cell of a table that is drawn in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// From 0.
    pub(crate) row: usize,
    /// From 0.
    pub(crate) column: usize,
    /// Whether it names a column.
    pub(crate) header: bool,
    /// Its bytes.
    pub(crate) range: Range<usize>,
}

/// Lines that belong to one table, cut into cells, and how many there are.
struct Grid {
    /// The cells of each line, empty for a line that only draws.
    rows: Vec<Vec<(usize, Range<usize>)>>,
    margin: Option<Range<usize>>,
    /// How many lines of those handed in it ends behind.
    first: usize,
}

/// The tables of a text, in order.
pub(crate) fn tables(text: &str) -> Vec<Drawn> {
    tables_among(text, Signs::of(text))
}

/// [`tables`], where it is known what kinds of characters are in the text.
fn tables_among(text: &str, signs: Signs) -> Vec<Drawn> {
    let mut found = Vec::new();
    if !may_hold(text, signs) {
        return found;
    }
    // A line alone is no table, and is not looked at.
    let mut first: Option<(usize, &str)> = None;
    let mut stretch: Vec<Line<'_>> = Vec::new();
    let mut start = 0;
    for line in lines(text) {
        if line.trim_start().is_empty() {
            in_stretch(text, &stretch, &mut found);
            stretch.clear();
            first = None;
        } else {
            let inner = line.trim_end_matches('\r');
            match first {
                None => first = Some((start, inner)),
                Some((first, text)) => {
                    if stretch.is_empty() {
                        stretch.push(Line::of(first, text));
                    }
                    stretch.push(Line::of(start, inner));
                }
            }
        }
        start += line.len() + 1;
    }
    in_stretch(text, &stretch, &mut found);
    found
}

/// The lines of a text, without their ends.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = memchr(b'\n', text.as_bytes());
        rest = end.map(|end| &text[end + 1..]);
        Some(&text[..end.unwrap_or(text.len())])
    })
}

/// Whether there may be a table at all: most texts are passed over here.
fn may_hold(text: &str, signs: Signs) -> bool {
    signs.hold(Signs::LINE_END) && (signs.hold(Signs::COLUMN.and(Signs::COMMA)) || line::has_wide_gap(text))
}

/// Columns are looked for in this many lines at once.
const MOST_LINES: usize = 200;

/// The tables in lines none of which is blank.
fn in_stretch(text: &str, lines: &[Line<'_>], found: &mut Vec<Drawn>) {
    let mut at = 0;
    while at < lines.len() {
        // A ruler opens a box of the kind that is in it.
        let kind = lines[at..].iter().find(|line| !line.is_ruler).map_or(line::Kind::Prose, Line::kind);
        let fits = |line: &&Line<'_>| line.is_ruler || line.kind() == kind;
        let most = if kind == line::Kind::Aligned { MOST_LINES } else { usize::MAX };
        let end = at + lines[at..].iter().take(most).take_while(fits).count().max(1);
        let run = &lines[at..end];
        let grid = match kind {
            line::Kind::Bars => bars(run),
            line::Kind::Separated(sign) => separated(run, sign),
            line::Kind::Aligned => parallel::grid(text, run).or_else(|| aligned::grid(text, run)),
            line::Kind::Prose => None,
        };
        if let Some(grid) = grid {
            let last = grid.first + grid.rows.len();
            // A ruler above the first line belongs to the table.
            let first = run[..grid.first].iter().rposition(|line| !line.is_ruler).map_or(0, |before| before + 1);
            let rulers = run[last..].iter().take_while(|line| line.is_ruler).count();
            let span = run[first].start..run[last + rulers - 1].end();
            found.push(drawn(text, &run[grid.first..last], grid, span));
            // What stands behind a table in the same stretch may be another one.
            at += last + rulers;
        } else {
            at = end;
        }
    }
}

/// The table that a grid is: which of its rows names the columns?
fn drawn(text: &str, lines: &[Line<'_>], grid: Grid, span: Range<usize>) -> Drawn {
    let mut table = Drawn { span, margin: grid.margin, cells: Vec::new() };
    let rows: Vec<usize> = (0..lines.len()).filter(|row| !lines[*row].is_ruler).collect();
    let value = |row: usize| grid.rows[row].iter().any(|(column, range)| *column > 0 && is_value(&text[range.clone()]));
    let first = rows.first().copied().unwrap_or(0);
    let underlined = lines.get(first + 1).is_some_and(|line| line.is_ruler);
    // `         32    256   factor`: nothing stands in the corner.
    let cornerless = |row: usize| grid.rows[row].iter().all(|(column, _)| *column > 0);
    let open = cornerless(first) && rows.iter().skip(1).all(|row| !cornerless(*row));
    let words = !value(first) && rows.iter().skip(1).any(|row| value(*row));
    let header = rows.len() > 1 && (underlined || open || words || table.margin.is_some());
    // Units on a line of their own belong to the names above them.
    let units = |row: usize| !value(row) && grid.rows[row].iter().all(|(_, range)| is_bracketed(&text[range.clone()]));
    for (place, row) in rows.iter().enumerate() {
        let names = header && (place == 0 || place == 1 && units(*row));
        for (column, range) in &grid.rows[*row] {
            let inner = if *column == 0 && !names { without_colon(text, range) } else { range.clone() };
            table.cells.push(Cell { row: place, column: *column, header: names, range: inner });
        }
    }
    table
}

fn is_bracketed(cell: &str) -> bool {
    cell.starts_with(['(', '[']) && cell.ends_with([')', ']'])
}

/// `1 MiB:` names a row without its colon.
fn without_colon(text: &str, range: &Range<usize>) -> Range<usize> {
    let inner = text[range.clone()].trim_end_matches([':', ' ']);
    if inner.is_empty() { range.clone() } else { range.start..range.start + inner.len() }
}

/// Cells between bars, with rulers or without.
fn bars(run: &[Line<'_>]) -> Option<Grid> {
    let lines = || run.iter().filter(|line| !line.is_ruler);
    let closed = lines().filter(|line| line.text.trim_start().starts_with(line::is_bar)).count() * 2 > lines().count();
    let rows: Vec<Vec<(usize, Range<usize>)>> = run.iter().map(|line| between_bars(line, closed)).collect();
    let full = rows.iter().filter(|row| row.len() > 1).count();
    (full > 1).then_some(Grid { rows, margin: None, first: 0 })
}

/// The cells of a line; the bars at the margins of a closed table enclose none.
fn between_bars(line: &Line<'_>, closed: bool) -> Vec<(usize, Range<usize>)> {
    let mut cells = Vec::new();
    if line.is_ruler {
        return cells;
    }
    let mut at = 0;
    let mut column = 0;
    let text = line.text;
    for cell in text.split(line::is_bar) {
        let end = at + cell.len();
        let inner = cell.trim();
        let lead = at + (cell.len() - cell.trim_start().len());
        if !inner.is_empty() {
            cells.push((column, line.start + lead..line.start + lead + inner.len()));
        }
        column += usize::from(!(closed && at == 0 && inner.is_empty()));
        at = end + text[end..].chars().next().map_or(0, char::len_utf8);
    }
    cells
}

/// Cells between tabs, semicolons or commas.
fn separated(run: &[Line<'_>], sign: char) -> Option<Grid> {
    let mut rows: Vec<Vec<(usize, Range<usize>)>> = Vec::with_capacity(run.len());
    for line in run {
        let mut row = Vec::new();
        let mut at = 0;
        if !line.is_ruler {
            for (column, cell) in line.text.split(sign).enumerate() {
                let inner = cell.trim();
                let lead = line.start + at + (cell.len() - cell.trim_start().len());
                if !inner.is_empty() {
                    row.push((column, lead..lead + inner.len()));
                }
                at += cell.len() + sign.len_utf8();
            }
        }
        rows.push(row);
    }
    let full = rows.iter().filter(|row| row.len() > 1).count();
    (full > 1).then_some(Grid { rows, margin: None, first: 0 })
}

/// Where names and values stand side by side in what a program printed, `lat=0.00124 bw=0.2015`: a cut before each but the
/// first of its line, and one behind its value where another value follows.
fn pairs(text: &str) -> Vec<usize> {
    let starts_value = |word: &str| word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    let is_pair = |word: &str| {
        word.rsplit_once('=').is_some_and(|(name, value)| {
            let name_ends = name.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '_' | '*' | ']'));
            name_ends && starts_value(value) && !name.contains('=')
        })
    };
    let mut cuts = Vec::new();
    let mut after_cut = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut before: Option<bool> = None;
        let mut paired = false;
        let mut found = Vec::new();
        for word in line.split_whitespace() {
            let at = start + (word.as_ptr() as usize - line.as_ptr() as usize);
            let pair = is_pair(word);
            if before.is_some() && pair || before == Some(true) && starts_value(word) {
                found.push(at);
            }
            paired |= pair;
            before = Some(pair);
        }
        let cut = paired && !found.is_empty();
        // What stands on the lines around it is none of its names.
        if (cut || after_cut) && start > 0 {
            cuts.push(start);
        }
        if cut {
            cuts.extend(found);
        }
        after_cut = cut;
        start += line.len();
    }
    cuts.retain(|cut| *cut < text.len());
    cuts.dedup();
    cuts
}

/// Puts the cells of the tables in a block of plain text in its place: each a block of its own, and what stands around the
/// tables in blocks like it. `tables` counts those of the document.
pub(crate) fn take_apart(block: Block, tables: &mut usize, blocks: &mut Vec<Block>) {
    let holds = match &block.role {
        Role::Paragraph | Role::Output => true,
        Role::Code(language) => matches!(language.as_str(), "" | "text" | "txt" | "plain" | "console" | "output"),
        _ => false,
    };
    let found = if holds { tables_among(block.passage.text(), block.passage.signs()) } else { Vec::new() };
    let printed = block.printed;
    let mut cuts = if printed { pairs(block.passage.text()) } else { Vec::new() };
    if found.is_empty() && cuts.is_empty() {
        blocks.push(block);
        return;
    }
    cuts.reverse();
    let part = |range: Range<usize>, role: Role, blocks: &mut Vec<Block>| {
        let text = &block.passage.text()[range.clone()];
        let lead = text.len() - text.trim_start_matches('\n').len();
        let range = range.start + lead..range.end;
        if block.passage.text()[range.clone()].trim().is_empty() {
            return;
        }
        let within = |marks: &[Range<usize>]| -> Vec<Range<usize>> {
            let inside = marks.iter().filter(|mark| mark.start < range.end && range.start < mark.end);
            inside.map(|mark| mark.start.max(range.start) - range.start..mark.end.min(range.end) - range.start).collect()
        };
        let (struck, strong) = (within(&block.struck), within(&block.strong));
        blocks.push(Block { quoted: block.quoted, struck, strong, printed, ..Block::new(block.passage.part(range), role) });
    };
    let mut at = 0;
    for table in found {
        while let Some(cut) = cuts.pop_if(|cut| *cut < table.span.end) {
            if (at..table.span.start).contains(&cut) {
                part(at..cut, block.role.clone(), blocks);
                at = cut;
            }
        }
        part(at..table.span.start, block.role.clone(), blocks);
        if let Some(margin) = table.margin {
            part(margin, Role::Paragraph, blocks);
        }
        for Cell { row, column, header, range } in table.cells {
            part(range, Role::Cell { table: *tables, row, column, header }, blocks);
        }
        *tables += 1;
        at = table.span.end;
    }
    while let Some(cut) = cuts.pop() {
        part(at..cut.max(at), block.role.clone(), blocks);
        at = cut.max(at);
    }
    part(at..block.passage.text().len(), block.role.clone(), blocks);
}

#[cfg(test)]
mod tests;
