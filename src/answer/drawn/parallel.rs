//! Lines that say the same with other numbers, as a loop prints them: `1 MiB: 2480 pieces, total 3.3 s` over `25 MiB: 100
//! pieces, total 0.3 s`. What comes first names the row; each number with its words is a cell.

use std::ops::Range;

use crate::answer::drawn::Grid;
use crate::answer::drawn::line::Line;

/// A row has no more words.
const MOST_WORDS: usize = 48;

/// A word of a line, with its bytes in the text.
#[derive(Clone, Debug)]
struct Word<'a> {
    text: &'a str,
    range: Range<usize>,
}

impl Word<'_> {
    fn is_number(&self) -> bool {
        let bare =
            self.text.trim_start_matches(['(', '~', '≈', '-', '+', '$', 'x', '×']).trim_end_matches([',', ';', ')', '%', 'x', ':', '.']);
        bare.starts_with(|c: char| c.is_ascii_digit())
            && bare.bytes().all(|byte| !byte.is_ascii_alphabetic() || matches!(byte, b'e' | b'E'))
    }
}

/// A line: what names it, and what it says.
#[derive(Debug)]
struct Row<'a> {
    name: Range<usize>,
    words: Vec<Word<'a>>,
}

/// The table in lines, if those from some line on say the same.
pub(super) fn grid(text: &str, run: &[Line<'_>]) -> Option<Grid> {
    let rows: Vec<Option<Row<'_>>> = run.iter().map(|line| row(text, line)).collect();
    let alike = |at: usize| rows[at].as_ref().zip(rows.get(at + 1)?.as_ref()).map(|(one, other)| same(one, other));
    let first = (0..run.len()).find(|at| alike(*at) == Some(true))?;
    let count = 1 + (first..run.len()).take_while(|at| alike(*at) == Some(true)).count();
    let cells = rows[first..first + count].iter().flatten().map(cells).collect();
    Some(Grid { rows: cells, margin: None, first })
}

/// A line cut into its name and what follows it; none where it shows work, or begins with the label of a part.
fn row<'a>(text: &'a str, line: &Line<'_>) -> Option<Row<'a>> {
    let whole = &text[line.start..line.end()];
    let word = |word: &'a str| {
        let start = line.start + (word.as_ptr() as usize - whole.as_ptr() as usize);
        Word { text: word, range: start..start + word.len() }
    };
    // Most lines are sentences, and are told by how they begin.
    let mut beginning = whole.split_whitespace().take(4);
    let begins = word(beginning.next()?);
    if line.is_ruler || !(begins.is_number() || begins.text.ends_with(':') || beginning.any(|word| word.ends_with(':'))) {
        return None;
    }
    if line.text.contains(['=', '|', '→']) {
        return None;
    }
    let words: Vec<Word<'a>> = whole.split_whitespace().map(word).collect();
    let first = words.first()?;
    let label =
        first.text.starts_with('(') || first.text.ends_with([')', '.', '-', '*']) || first.text.ends_with(':') && first.text.len() <= 3;
    let work = words.iter().any(|word| matches!(word.text, "+" | "*" | "·" | "×" | "/" | "->" | "≈"));
    let colon = words.iter().take(4).position(|word| word.text.ends_with(':'));
    // `1 MiB 2480 pieces`, `25 100 0.3`
    let head = match colon {
        Some(at) => at + 1,
        None if first.is_number() => 1 + usize::from(words.get(1).is_some_and(|word| !word.is_number() && word.text.len() <= 4)),
        None => return None,
    };
    if label || work || !(head + 2..=MOST_WORDS).contains(&words.len()) {
        return None;
    }
    let name = first.range.start..words[head - 1].range.end;
    let words = words[head..].to_vec();
    let numbers = words.iter().filter(|word| word.is_number()).count();
    (numbers > 1 && numbers < words.len()).then_some(Row { name, words })
}

/// Whether two lines differ in their numbers alone.
fn same(one: &Row<'_>, other: &Row<'_>) -> bool {
    one.words.len() == other.words.len()
        && one.words.iter().zip(&other.words).all(|(a, b)| if a.is_number() { b.is_number() } else { a.text == b.text })
}

/// The cells of a line: between commas, or else each number with the words that belong to it.
fn cells(row: &Row<'_>) -> Vec<(usize, Range<usize>)> {
    let words = &row.words;
    let commas = words.iter().any(|word| word.text.ends_with([',', ';']));
    let leads = words.first().is_some_and(|word| !word.is_number());
    let begins = |at: usize| -> bool {
        if commas {
            return words[at - 1].text.ends_with([',', ';']);
        }
        if !leads {
            return words[at].is_number();
        }
        // `lat 1.2 ms bw 3 ms`: of several words between two numbers the first is a unit.
        let since = words[..at].iter().rev().take_while(|word| !word.is_number()).count();
        let until = words[at..].iter().take_while(|word| !word.is_number()).count();
        let between = since + until;
        until > 0 && at + until < words.len() && since == usize::from(between > 1) && words[..at].iter().any(Word::is_number)
    };
    let mut found = vec![(0, row.name.clone())];
    let mut start = words[0].range.start;
    for at in 1..words.len() {
        if begins(at) {
            found.push((found.len(), start..words[at - 1].range.end));
            start = words[at].range.start;
        }
    }
    found.push((found.len(), start..words[words.len() - 1].range.end));
    found
}
