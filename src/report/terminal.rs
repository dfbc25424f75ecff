//! The report for a terminal: marks and color for a first glance, the student's own line underlined where it matters.
//!
//! Escape codes are always written; whoever prints takes them out where they do not belong. Nothing here asks how wide the
//! terminal is, so the same grade gives the same bytes.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use crate::report::inert;
use crate::report::page::{Entry, Mark, Page};
use crate::report::quote::Quote;
use crate::report::shown;

/// Columns of a line at most; fits the smallest terminal in use.
const COLUMNS: usize = 80;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Lays a page out.
pub(crate) fn render(page: &Page) -> String {
    let mut text = String::new();
    styled(&mut text, BOLD, &inert::terminal(&page.title));
    text.push('\n');
    for sentence in &page.summary {
        paragraph(&mut text, "", &inert::terminal(sentence));
    }
    for section in &page.sections {
        text.push('\n');
        styled(&mut text, BOLD, &inert::terminal(&section.title));
        if let Some(points) = &section.points {
            let _ = write!(text, "  {DIM}{points}{DIM:#}");
        }
        text.push('\n');
        for entry in &section.entries {
            draw(&mut text, entry);
        }
    }
    if !page.numbers.is_empty() {
        text.push('\n');
        styled(&mut text, BOLD, "What each number is taken for");
        text.push('\n');
        for sentence in &page.numbers {
            paragraph(&mut text, "  ", &inert::terminal(sentence));
        }
    }
    text.replace(shown::TIE, " ")
}

fn draw(text: &mut String, entry: &Entry) {
    let style = style(entry.mark);
    let lines = wrapped(&inert::terminal(&entry.headline), COLUMNS - 4);
    for (at, line) in lines.iter().enumerate() {
        if at == 0 {
            let _ = writeln!(text, "  {style}{}{style:#} {line}", entry.mark.sign());
        } else {
            let _ = writeln!(text, "    {line}");
        }
    }
    if let Some(quote) = &entry.quote {
        draw_quote(text, quote, style);
    }
    let mut said = entry.said.iter().map(|sentence| inert::terminal(sentence)).collect::<Vec<_>>().join(" ");
    if let Some(code) = &entry.code {
        said = format!("{said} [{}]", inert::terminal(code));
    }
    if !said.is_empty() {
        paragraph(text, "    ", &said);
    }
}

fn draw_quote(text: &mut String, quote: &Quote, style: Style) {
    let number = quote.line.to_string();
    let _ = writeln!(text, "    {DIM}{number} │{DIM:#} {}{}{}", quote.before, quote.marked, quote.after);
    let under = "^".repeat(inert::columns(&quote.marked).max(1));
    let before = " ".repeat(inert::columns(&quote.before));
    let _ = writeln!(text, "    {DIM}{} │{DIM:#} {before}{style}{under}{style:#}", " ".repeat(number.len()));
}

fn style(mark: Mark) -> Style {
    let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
    match mark {
        Mark::Right => color(AnsiColor::Green),
        Mark::Carried | Mark::Partly => color(AnsiColor::Yellow),
        Mark::Known | Mark::Wrong | Mark::Missing => color(AnsiColor::Red),
        Mark::Person => color(AnsiColor::Magenta),
        Mark::Hint => color(AnsiColor::Cyan),
    }
}

fn styled(text: &mut String, style: Style, words: &str) {
    let _ = write!(text, "{style}{words}{style:#}");
}

fn paragraph(text: &mut String, indent: &str, words: &str) {
    for line in wrapped(words, COLUMNS - indent.len()) {
        let _ = writeln!(text, "{indent}{line}");
    }
}

/// Lines of so many columns, broken at spaces; a word that is longer stands alone.
fn wrapped(words: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in words.split(' ').filter(|word| !word.is_empty()) {
        if !line.is_empty() && inert::columns(&line) + 1 + inert::columns(word) > columns {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_count_wide_characters_twice() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("漢字 漢字", 8), ["漢字", "漢字"]);
        assert_eq!(wrapped("a-word-that-is-too-long b", 4), ["a-word-that-is-too-long", "b"]);
    }

    #[test]
    fn the_underline_stands_under_the_words() {
        let quote = Quote { line: 7, before: "漢字 T = ".to_owned(), marked: "403 ms".to_owned(), after: ".".to_owned() };
        let mut text = String::new();
        draw_quote(&mut text, &quote, Style::new());
        assert_eq!(anstream::adapter::strip_str(&text).to_string(), "    7 │ 漢字 T = 403 ms.\n      │          ^^^^^^\n");
    }
}
