//! The student's own line, cut to size, with the words in question marked.

use crate::report::inert;
use crate::text::{Source, Span};

/// Columns of a quoted line at most.
const COLUMNS: usize = 68;
/// Of a longer line, what is shown before the marked words.
const BEFORE: usize = 40;
/// No line is searched further than this from the marked words, in bytes, so that one endless line costs nothing.
const REACH: usize = 400;

/// One line of a submission, everything in it inert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quote {
    /// Its number, from 1.
    pub(crate) line: usize,
    /// What stands before the marked words.
    pub(crate) before: String,
    /// The marked words.
    pub(crate) marked: String,
    /// What stands after them.
    pub(crate) after: String,
}

impl Quote {
    /// The line in which `span` starts; words that go on into the next line are marked to the end of this one.
    pub(crate) fn new(source: &Source, span: Span) -> Quote {
        let number = source.place(span.start).line;
        let (line, start) = source.line(number);
        let line_end = start + line.len();
        let first_byte = span.start.clamp(start, line_end);
        let marked = Span::new(first_byte, span.end.clamp(first_byte, line_end.min(first_byte + REACH)));
        let reach = Span::new(start.max(marked.start.saturating_sub(REACH)), line_end.min(marked.end + REACH));
        let text = |start, end| inert::terminal(source.slice(Span::new(start, end)));
        let (before, mut middle, after) = (text(reach.start, marked.start), text(marked.start, marked.end), text(marked.end, reach.end));
        if inert::columns(&middle) > COLUMNS {
            middle = first(&middle, COLUMNS - 1) + "…";
        }
        let room = COLUMNS - inert::columns(&middle);
        let before_whole = reach.start == start;
        let before = before.trim_start();
        let wide_after = inert::columns(after.trim_end());
        // What the words after leave free goes to the words before.
        let for_before = BEFORE.max(room.saturating_sub(wide_after)).min(room);
        let before = if inert::columns(before) > for_before || !before_whole {
            format!("…{}", from_word(last(before, for_before.saturating_sub(1))))
        } else {
            before.to_owned()
        };
        let for_after = room.saturating_sub(inert::columns(&before));
        let after = if wide_after > for_after || reach.end < line_end {
            format!("{}…", to_word(first(&after, for_after.saturating_sub(1))))
        } else {
            after.trim_end().to_owned()
        };
        Quote { line: number, before, marked: middle, after }
    }
}

/// Without a piece of a word or number at its start: half a number would be another one.
fn from_word(text: String) -> String {
    text.find(' ').map_or(String::new(), |space| text[space..].to_owned())
}

/// Without a piece of a word or number at its end.
fn to_word(text: String) -> String {
    text.rfind(' ').map_or(String::new(), |space| text[..=space].to_owned())
}

/// As much of the beginning as fits into so many columns.
fn first(text: &str, columns: usize) -> String {
    let mut taken = String::new();
    for c in text.chars() {
        taken.push(c);
        if inert::columns(&taken) > columns {
            taken.pop();
            break;
        }
    }
    taken
}

/// As much of the end as fits into so many columns.
fn last(text: &str, columns: usize) -> String {
    let backwards: String = text.chars().rev().collect();
    first(&backwards, columns).chars().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn quote(text: &str, words: &str) -> String {
        let start = text.find(words).expect("the words stand there");
        let quote = Quote::new(&Source::new("a.md", text), Span::new(start, start + words.len()));
        format!("{}: {}[{}]{}", quote.line, quote.before, quote.marked, quote.after)
    }

    #[test]
    fn the_line_is_shown_with_the_words_marked() {
        assert_eq!(quote("one\n\t- T = 403 ms, too long\nthree", "403 ms"), "2: - T = [403 ms], too long");
    }

    #[test]
    fn a_long_line_is_cut_around_the_words() {
        let long = format!("{}403 ms{}", "word ".repeat(5000), " word".repeat(5000));
        assert_eq!(quote(&long, "403 ms"), "1: … word word word word word word word [403 ms] word word word word …");
        let late = format!("{}403 ms.", "word ".repeat(5000));
        assert_eq!(quote(&late, "403 ms"), "1: … word word word word word word word word word word word [403 ms].");
    }

    #[test]
    fn words_over_two_lines_are_marked_on_the_first() {
        assert_eq!(quote("T = 403\nms", "403\nms"), "1: T = [403]");
    }

    proptest! {
        #[test]
        fn any_span_of_any_text_can_be_quoted(text in ".{0,300}", start in 0_usize..400, length in 0_usize..400) {
            let quote = Quote::new(&Source::new("a", text.as_str()), Span::new(start, start + length));
            prop_assert!(inert::columns(&quote.before) + inert::columns(&quote.marked) + inert::columns(&quote.after) <= COLUMNS + 2);
        }
    }
}
