//! A text as words: cut, folded, and told apart by sentence.

use std::ops::Range;

/// A text cut into words, numbers and signs.
#[derive(Clone, Debug, Default)]
pub struct Words {
    list: Vec<Word>,
    /// The bytes of each sentence, from its first word to the end of its last.
    sentences: Vec<Range<usize>>,
}

/// A word, a number, or a sign that means something (`%`, `<`, `=`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// In small letters, without apostrophes: what stems are compared with.
    pub plain: String,
    /// The same in the singular, where it is a word: what words are compared with.
    pub folded: String,
    /// Which sentence, from 0.
    pub sentence: usize,
    /// Whether a comma, colon, semicolon or dash stands between it and the word before.
    pub after_break: bool,
}

impl Word {
    /// Whether it is made of letters (and maybe digits: `fp32`).
    pub fn is_word(&self) -> bool {
        self.plain.starts_with(char::is_alphabetic)
    }

    /// Whether it is a verb with *not* grown onto it: `isn't`, `cannot`.
    pub fn is_contracted_not(&self) -> bool {
        self.plain == "cannot" || self.plain.strip_suffix("nt").is_some_and(|verb| VERBS_WITH_NOT.contains(&verb))
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        self.plain.starts_with(|c: char| c.is_ascii_digit())
    }
}

/// The verbs onto which *not* grows: `can't`, `won't`.
const VERBS_WITH_NOT: &[&str] =
    &["ai", "are", "ca", "could", "did", "do", "does", "had", "has", "have", "is", "must", "need", "should", "was", "were", "wo", "would"];

/// Words that end with a point without ending the sentence.
const ABBREVIATIONS: &[&str] =
    &["approx", "ca", "cf", "e.g", "eg", "eq", "etc", "fig", "i.e", "ie", "incl", "max", "min", "no", "nr", "resp", "sec", "vs", "wrt"];

impl Words {
    /// Cuts a text.
    pub fn of(text: &str) -> Words {
        let mut words = Words::default();
        let mut pending = Pause::None;
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let end = if c.is_alphabetic() {
                word_end(text, at)
            } else if c.is_ascii_digit() {
                number_end(text, at)
            } else {
                let next = at + c.len_utf8();
                if is_sign(c) {
                    next
                } else {
                    let pause = words.pause(text, at, c);
                    pending = pending.max(pause);
                    at = next;
                    continue;
                }
            };
            words.push(text, at..end, pending);
            pending = Pause::None;
            at = end;
        }
        words
    }

    fn push(&mut self, text: &str, range: Range<usize>, pending: Pause) {
        let starts_sentence = self.list.is_empty() || pending == Pause::Sentence;
        match self.sentences.last_mut() {
            Some(sentence) if !starts_sentence => sentence.end = range.end,
            _ => self.sentences.push(range.clone()),
        }
        let plain = plain(&text[range.clone()]);
        let folded = fold(&plain);
        self.list.push(Word { range, plain, folded, sentence: self.sentences.len() - 1, after_break: pending != Pause::None });
    }

    /// How much a character between two words separates them.
    fn pause(&self, text: &str, at: usize, c: char) -> Pause {
        let after = &text[at + c.len_utf8()..];
        let spaced = after.is_empty() || after.starts_with(char::is_whitespace) || after.starts_with(['"', '”', '\'', '’', ')', '*', '_']);
        match c {
            '!' | '?' | '…' if spaced => Pause::Sentence,
            '.' if spaced && !self.is_abbreviation() => Pause::Sentence,
            '\n' if after.trim_start_matches([' ', '\t', '\r']).starts_with('\n') => Pause::Sentence,
            ',' | ';' | ':' | '—' => Pause::Break,
            '-' | '–' | '−' if text[..at].ends_with(char::is_whitespace) && spaced => Pause::Break,
            _ => Pause::None,
        }
    }

    fn is_abbreviation(&self) -> bool {
        let Some(last) = self.list.last() else { return false };
        let single = |word: &Word| word.plain.chars().count() == 1 && word.is_word();
        if ABBREVIATIONS.contains(&last.plain.as_str()) {
            return true;
        }
        // `i.e.` and `e.g.` were cut into two letters.
        let before = self.list.len().checked_sub(2).map(|at| &self.list[at]);
        single(last) && before.is_some_and(|before| single(before) && before.range.end + 1 == last.range.start)
    }

    /// The words in order.
    pub fn list(&self) -> &[Word] {
        &self.list
    }

    /// The bytes of each sentence.
    pub fn sentences(&self) -> &[Range<usize>] {
        &self.sentences
    }

    /// The sentence that holds a byte, or the nearest one before it.
    pub fn sentence_at(&self, byte: usize) -> usize {
        self.sentences.partition_point(|sentence| sentence.start <= byte).saturating_sub(1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Pause {
    None,
    Break,
    Sentence,
}

/// Signs that a phrase may name; all others only separate words.
fn is_sign(c: char) -> bool {
    matches!(c, '%' | '<' | '>' | '=' | '≤' | '≥' | '≪' | '≫' | '≈' | '~' | '+' | '×' | '*' | '^' | '→' | '⇒' | '∝')
}

/// Characters that stand inside a word without being part of it.
fn is_silent(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '`' | '´' | '′' | '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Letters, the digits after them, and apostrophes between letters; of `x162` the `x` alone.
fn word_end(text: &str, start: usize) -> usize {
    if text[start..].starts_with(['x', 'X']) && text[start + 1..].starts_with(|c: char| c.is_ascii_digit()) {
        return start + 1;
    }
    let mut end = start;
    let mut rest = text[start..].char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let joins = is_silent(c) && rest.peek().is_some_and(|(_, next)| next.is_alphabetic());
        if !(c.is_alphanumeric() || joins || is_mark(c)) {
            break;
        }
        end = start + at + c.len_utf8();
    }
    end
}

/// Combining accents.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Digits with points and commas between them.
fn number_end(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut rest = text[start..].char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let joins = matches!(c, '.' | ',' | '_') && rest.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if !(c.is_ascii_digit() || joins) {
            break;
        }
        end = start + at + c.len_utf8();
    }
    end
}

/// In small letters, without apostrophes.
fn plain(word: &str) -> String {
    word.chars().filter(|c| !is_silent(*c)).flat_map(char::to_lowercase).map(|c| if c == 'μ' { 'µ' } else { c }).collect()
}

/// The singular, as far as a comparison needs it: both sides are folded alike, so that it has to be consistent, not right.
pub(super) fn fold(plain: &str) -> String {
    if !plain.is_ascii() || plain.len() < 4 {
        return plain.to_owned();
    }
    let stem = |cut: usize| &plain[..plain.len() - cut];
    if plain.ends_with("ies") && plain.len() > 4 {
        return format!("{}y", stem(3));
    }
    if ["sses", "shes", "ches", "xes"].iter().any(|ending| plain.ends_with(ending)) {
        return stem(2).to_owned();
    }
    if plain.ends_with('s') && !plain.ends_with("ss") {
        return stem(1).to_owned();
    }
    plain.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_stops() {
        let cases: &[(&str, &[&str])] = &[
            ("It fits. It hides!  Does it? yes", &["It fits", "It hides", "Does it", "yes"]),
            ("about 1.24 ms, i.e. 0.6 % vs. 99 %", &["about 1.24 ms, i.e. 0.6 % vs. 99 %"]),
            ("one line\nand the next\n\nnew paragraph", &["one line\nand the next", "new paragraph"]),
            ("costs 16 MB.", &["costs 16 MB"]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            let sentences: Vec<&str> = Words::of(text).sentences().iter().map(|range| &text[range.clone()]).collect();
            assert_eq!(sentences, *expected);
        }
    }

    #[test]
    fn words_are_folded_to_the_singular() {
        for (plural, singular) in [
            ("latencies", "latency"),
            ("passes", "pass"),
            ("GPUs", "gpu"),
            ("step’s", "step"),
            ("less", "less"),
            ("bus", "bus"),
            ("boxes", "box"),
        ] {
            assert_eq!(fold(&plain(plural)), singular);
        }
    }

    #[test]
    fn any_text_is_cut_without_panic() {
        for text in ["\u{0}\u{ad}", "a\u{ad}", "’’’", "1.", "µs", "\u{202e}x", "a’"] {
            for word in Words::of(text).list() {
                assert!(!text[word.range.clone()].is_empty());
            }
        }
    }
}
