//! Columns that stand one below the other: `latency     1.24 ms`, what pandas and printed format strings look like.

use std::ops::Range;

use crate::answer::drawn::Grid;
use crate::answer::drawn::line::{Field, Line, is_short, is_value};

/// A table that somebody reads has no more columns.
const MOST_COLUMNS: usize = 40;

/// The places that a column takes, from its leftmost character to its rightmost.
#[derive(Clone, Debug)]
struct Column {
    place: Range<usize>,
    /// Where all its cells begin, if they begin at one place.
    left: Option<usize>,
    /// Where all its cells end, if they end at one place.
    right: Option<usize>,
}

/// The table in lines none of which is drawn with bars, if there is one.
pub(super) fn grid(text: &str, run: &[Line<'_>]) -> Option<Grid> {
    // Most lines of a text have one field, and then there are no columns.
    if run.iter().filter(|line| line.may_have_fields()).take(2).count() < 2 {
        return None;
    }
    let fields: Vec<Vec<Field>> = run.iter().map(|line| if line.is_ruler { Vec::new() } else { line.fields() }).collect();
    let count = usual(&fields).filter(|count| *count <= MOST_COLUMNS)?;
    let full = |row: &usize| fields[*row].len() == count;
    let first = (0..run.len()).find(full)?;
    let last = (0..run.len()).rfind(full)?;
    let values = |row: &usize| fields[*row].iter().skip(1).any(|field| is_value(&text[field.range.clone()]));
    let columns = columns(&fields, &(first..=last).filter(full).filter(values).collect::<Vec<_>>(), count)?;
    // From the first row that is full, up and down, as far as lines fit.
    let mut margin = None;
    let mut rows: Vec<Vec<(usize, Range<usize>)>> = Vec::new();
    let mut from = first;
    for row in first..run.len() {
        match assign(text, &run[row], &fields[row], &columns) {
            _ if run[row].is_ruler => rows.push(Vec::new()),
            Some(cells) => rows.push(cells),
            None => break,
        }
    }
    while from > 0 && margin.is_none() {
        let row = from - 1;
        if run[row].is_ruler {
            rows.insert(0, Vec::new());
        } else if let Some(cells) = assign(text, &run[row], &fields[row], &columns) {
            rows.insert(0, cells);
        } else if let Some(cells) = above(text, &fields[row], &columns).filter(|_| row + 1 == first) {
            rows.insert(0, cells);
        } else if let Some(inner) = in_margin(text, &fields[row], &columns) {
            // The label takes the name of the first column along: alone it would be no label.
            let cells = assign(text, &run[row], &fields[row][1..], &columns)?;
            margin =
                Some(fields[row][0].range.start..cells.iter().find(|(column, _)| *column == 0).map_or(inner.end, |(_, cell)| cell.end));
            rows.insert(0, cells.into_iter().filter(|(column, _)| *column > 0).collect());
        } else {
            break;
        }
        from = row;
    }
    let rulers = rows.iter().filter(|row| row.is_empty()).count();
    if rulers == 0 {
        rows.iter_mut().for_each(|row| lead_with_names(text, row));
    }
    while rows.last().is_some_and(Vec::is_empty) {
        rows.pop();
    }
    while rows.first().is_some_and(Vec::is_empty) {
        rows.remove(0);
        from += 1;
    }
    holds(text, &rows, count).then_some(Grid { rows, margin, first: from })
}

/// How many fields most lines have, of those that have several.
fn usual(fields: &[Vec<Field>]) -> Option<usize> {
    let most = fields.iter().map(Vec::len).max().unwrap_or(0);
    let mut lines = vec![0_usize; most + 1];
    for row in fields {
        lines[row.len()] += 1;
    }
    (2..=most).filter(|count| lines[*count] > 1).max_by_key(|count| lines[*count])
}

/// The columns that rows with as many fields make, if these stand one below the other.
fn columns(fields: &[Vec<Field>], rows: &[usize], count: usize) -> Option<Vec<Column>> {
    if rows.is_empty() {
        return None;
    }
    (0..count)
        .map(|column| {
            let cells = || rows.iter().map(|row| &fields[*row][column].place);
            let left = cells().map(|place| place.start).min()?;
            let right = cells().map(|place| place.end).max()?;
            let flush_left = cells().all(|place| place.start == left);
            let flush_right = cells().all(|place| place.end == right);
            // Numbers of unlike length may be centered or stand by their decimal point.
            let common = cells().map(|place| place.start).max()? < cells().map(|place| place.end).min()?;
            (flush_left || flush_right || common).then_some(Column {
                place: left..right,
                left: flush_left.then_some(left),
                right: flush_right.then_some(right),
            })
        })
        .collect()
}

/// The cells that the fields of a line are, if each belongs to a column of its own.
fn assign(text: &str, line: &Line<'_>, fields: &[Field], columns: &[Column]) -> Option<Vec<(usize, Range<usize>)>> {
    if fields.is_empty() || is_sentence(line.text.trim()) {
        return None;
    }
    let fields = split_at_columns(text, line, fields, columns);
    if fields.len() < 2 {
        return None;
    }
    let last = columns.len() - 1;
    if fields.len() >= columns.len() {
        // What stands behind the last column goes with it: `201.5 ms   (most of it)`.
        let here = fields.iter().zip(columns).all(|(field, column)| touches(&field.place, &column.place) || fields.len() == columns.len());
        let mut cells: Vec<(usize, Range<usize>)> =
            fields.iter().take(columns.len()).map(|field| field.range.clone()).enumerate().collect();
        cells[last].1.end = fields[fields.len() - 1].range.end;
        return here.then_some(cells);
    }
    let mut cells: Vec<(usize, Range<usize>)> = Vec::new();
    for field in &fields {
        let free = cells.last().map_or(0, |(column, _)| column + 1);
        let shared = |column: &usize| {
            let place = &columns[*column].place;
            field.place.end.min(place.end).saturating_sub(field.place.start.max(place.start))
        };
        let column =
            (free..columns.len()).max_by_key(|column| (shared(column), columns.len() - column)).filter(|column| shared(column) > 0)?;
        cells.push((column, field.range.clone()));
    }
    Some(cells)
}

/// Gives each cell of a printed line the name that stands before its value, behind the comma in the cell before: `100 buckets, total
/// │ 325.5 ms, overhead │ 61.5%` is `100 buckets, │ total 325.5 ms, │ overhead 61.5%`.
fn lead_with_names(text: &str, row: &mut [(usize, Range<usize>)]) {
    for at in 1..row.len().saturating_sub(1) {
        let (here, next) = (row[at].1.clone(), row[at + 1].1.clone());
        let cell = &text[here.clone()];
        let Some((head, name)) = cell.rsplit_once(", ") else { continue };
        let begins = |cell: &str| cell.starts_with(|c: char| c.is_ascii_digit());
        let is_name = !name.trim().is_empty() && !name.contains(|c: char| c.is_ascii_digit());
        if is_name && begins(head) && begins(&text[next.clone()]) {
            row[at].1.end = here.start + head.len();
            row[at + 1].1.start = here.end - name.trim_start().len();
        }
    }
}

fn touches(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// The fields of a line, with those in two where a column begins behind a single space: the longest name of a list leaves no
/// more room before its value.
fn split_at_columns(text: &str, line: &Line<'_>, fields: &[Field], columns: &[Column]) -> Vec<Field> {
    let mut split = fields.to_vec();
    let mut at = 0;
    while at < split.len() && split.len() < 2 * columns.len() {
        let field = split[at].clone();
        let begins = |column: &Column| {
            let left = column.left.or(column.right.and(Some(column.place.start)))?;
            (field.place.start + 1 < left && left < field.place.end).then_some(left)
        };
        let inside = columns[1..].iter().filter_map(begins).find_map(|left| {
            let offset = line.text.char_indices().nth(left).map(|(offset, _)| line.start + offset)?;
            let here = text[..offset].ends_with(' ') && is_value(&text[offset..field.range.end]);
            here.then_some((left, offset))
        });
        if let Some((left, offset)) = inside {
            let head = text[field.range.start..offset].trim_end();
            let head_end = field.range.start + head.len();
            let width = head.chars().count();
            split[at] = Field { range: field.range.start..head_end, place: field.place.start..field.place.start + width };
            split.insert(at + 1, Field { range: offset..field.range.end, place: left..field.place.end });
        }
        at += 1;
    }
    split
}

/// The only name above the columns, where nothing names the first: `           ms`.
fn above(text: &str, fields: &[Field], columns: &[Column]) -> Option<Vec<(usize, Range<usize>)>> {
    let [only] = fields else { return None };
    let column = (1..columns.len()).find(|column| touches(&only.place, &columns[*column].place))?;
    let name = &text[only.range.clone()];
    let fits = name.len() <= 24 && only.place.start > columns[0].place.start && !is_value(name) && !name.ends_with([':', '.', ',']);
    fits.then(|| vec![(column, only.range.clone())])
}

/// The label of a part that stands left of all columns in the line that names them: `e   fix      ratio/%`.
fn in_margin(text: &str, fields: &[Field], columns: &[Column]) -> Option<Range<usize>> {
    let (label, rest) = fields.split_first()?;
    let left = label.place.end < columns[0].place.start && label.range.len() <= 5;
    let names = rest.len() > 1 && rest.iter().skip(1).all(|field| !is_value(&text[field.range.clone()]));
    (left && names).then(|| label.range.clone())
}

/// Whether rows make a table: names and numbers, not sentences.
fn holds(text: &str, rows: &[Vec<(usize, Range<usize>)>], count: usize) -> bool {
    let drawn = rows.iter().filter(|row| !row.is_empty()).count();
    let valued = |row: &&Vec<(usize, Range<usize>)>| row.iter().any(|(column, range)| *column > 0 && is_value(&text[range.clone()]));
    let with_values = rows.iter().filter(valued).count();
    let ruled = rows.iter().any(Vec::is_empty);
    let cells = || rows.iter().flatten();
    let short = cells().all(|(column, range)| *column + 1 == count || is_short(&text[range.clone()]));
    let sentences = cells().filter(|(_, range)| is_sentence(&text[range.clone()])).count();
    // All but the line that names the columns.
    let nearly_all = with_values + 1 >= drawn || with_values * 4 >= drawn * 3;
    let enough = if count > 2 || ruled { with_values > 0 && drawn > 1 } else { with_values > 1 && names(text, rows) };
    short && sentences == 0 && nearly_all && enough
}

/// Whether the first column of a list of two names values without a sign that does so anyway, and without the label of a part.
fn names(text: &str, rows: &[Vec<(usize, Range<usize>)>]) -> bool {
    rows.iter().all(|row| {
        let Some((0, range)) = row.first() else { return row.is_empty() || row.iter().all(|(column, _)| *column > 0) };
        let name = &text[range.clone()];
        let label = name.starts_with('(') || name.split(' ').next().is_some_and(|word| word.ends_with([')', '.', ':']) && word.len() <= 3);
        // Work that is shown is named by what stands left of its equals signs.
        let works = row.iter().any(|(_, range)| text[range.clone()].contains('='));
        !(label || works || name.ends_with([':', '=', ',']) || name.starts_with(['-', '*', '•']))
    })
}

/// Whether a cell ends one sentence and goes on with another, or is the end of one.
fn is_sentence(cell: &str) -> bool {
    let words = cell.split(' ').filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2).count();
    words > 3 && cell.ends_with(['.', '!', '?', ',', ';', ':'])
}
