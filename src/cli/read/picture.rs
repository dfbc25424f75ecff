//! A text with every found quantity underlined and, under it, how it was read.

use anstyle::{AnsiColor, Style};
use drillmark::formula;
use drillmark::quantity::Number;
use drillmark::recognize::{Kind, Mention, Reading};
use drillmark::report::inert;
use drillmark::text::Source;

use super::Found;

const GUTTER: Style = Style::new().dimmed();
const MARK: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green)));
const WITHDRAWN: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red)));

/// Draws the lines of a text that is read.
pub(super) fn draw(source: &Source, found: &[Found]) -> String {
    let mut picture = String::new();
    let lines = source.text().lines().count();
    let width = lines.to_string().len();
    let mut next = 0;
    for number in 1..=lines {
        let (line, start) = source.line(number);
        let gutter = |number: &str| format!("{GUTTER}{number:>width$} │{GUTTER:#} ");
        picture.push_str(&gutter(&number.to_string()));
        picture.push_str(&shown(line));
        picture.push('\n');
        let first = next;
        while found.get(next).is_some_and(|found| found.span.start < start + line.len() + 1) {
            next += 1;
        }
        for row in rows(line, start, &found[first..next]) {
            picture.push_str(&gutter(""));
            picture.push_str(&row);
            picture.push('\n');
        }
    }
    picture
}

/// What stands under a line: the marks, then the readings, on as many lines as they need not to touch each other.
fn rows(line: &str, start: usize, found: &[Found]) -> Vec<String> {
    if found.is_empty() {
        return Vec::new();
    }
    let mut rows: Vec<(usize, String)> = vec![(0, String::new())];
    // A column is counted on from the last one, so that a long line costs no more than its length.
    let (mut counted, mut column) = (0, 0);
    for found in found {
        let from = found.span.start.saturating_sub(start).min(line.len());
        let to = (found.span.end.saturating_sub(start)).clamp(from, line.len());
        column += inert::columns(&shown(line.get(counted..from).unwrap_or("")));
        counted = from.max(counted);
        let columns = inert::columns(&shown(line.get(from..to).unwrap_or(""))).max(1);
        let style = if found.mention.withdrawn { WITHDRAWN } else { MARK };
        put(&mut rows[0], column, &"^".repeat(columns), style);
        let said = said(&found.mention);
        let free = rows[1..].iter().position(|(end, _)| *end == 0 || *end + 2 <= column).map_or(rows.len(), |at| at + 1);
        if free == rows.len() {
            rows.push((0, String::new()));
        }
        put(&mut rows[free], column, &said, Style::new());
    }
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Writes words at a column of a row.
fn put(row: &mut (usize, String), column: usize, words: &str, style: Style) {
    let blanks = column.saturating_sub(row.0);
    row.1.push_str(&" ".repeat(blanks));
    row.1.push_str(&format!("{style}{words}{style:#}"));
    row.0 += blanks + inert::columns(words);
}

/// A stretch of a line as a terminal shows it.
fn shown(text: &str) -> String {
    inert::terminal(&text.replace('\t', "    "))
}

/// How a mention was read: `≈ 1.24 ms`, `3–5 ms`, `7·10⁹, or 7 B`.
fn said(mention: &Mention) -> String {
    let mark = match mention.kind {
        Kind::AtMost => "≤ ",
        Kind::AtLeast => "≥ ",
        _ if mention.approximate => "≈ ",
        _ => "",
    };
    let half = match mention.kind {
        Kind::PlusMinus(half) => Some(half),
        _ => None,
    };
    let mut readings: Vec<String> = mention.readings.iter().map(|reading| reading_said(reading, half)).collect();
    readings.dedup();
    let taken_back = if mention.withdrawn { " (taken back)" } else { "" };
    inert::terminal(&format!("{mark}{}{taken_back}", readings.join(", or ")))
}

fn reading_said(reading: &Reading, half: Option<Number>) -> String {
    let unit = reading.unit.as_ref();
    let number = |value: Number| formula::quantity(unit.map_or(value, |unit| value / unit.factor), None, formula::Style::Unicode);
    let value = match (reading.high, half) {
        (Some(high), _) => format!("{}–{}", number(reading.value), number(high)),
        (None, Some(half)) => format!("{} ± {}", number(reading.value), number(half)),
        (None, None) => number(reading.value),
    };
    unit.map_or(value.clone(), |unit| format!("{value} {}", unit.symbol))
}
