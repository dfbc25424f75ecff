//! A text as words: cut, folded, and told apart by sentence.

use std::ops::Range;
use std::sync::OnceLock;

use crate::phrase::matcher::Searched;

/// A text cut into words, numbers and signs.
#[derive(Clone, Debug, Default)]
pub struct Words {
    list: Vec<Word>,
    /// The bytes of each sentence, from its first word to the end of its last.
    sentences: Vec<Range<usize>>,
    /// The text in small letters, and after [`PADDING`] the letters of the words that are no stretch of it, and of singulars that
    /// are not the beginning of their words.
    letters: String,
    /// What the matcher found in them that asked first: nearly always all who ask have the same one.
    pub(super) searched: OnceLock<Searched>,
}

/// What comes after the letters of the text, so that eight bytes can be read from wherever a word of it begins.
const PADDING: &str = "\0\0\0\0\0\0\0\0";

/// A word, a number, or a sign that means something (`%`, `<`, `=`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Bytes of the text.
    pub range: Range<usize>,
    /// Which sentence, from 0.
    pub sentence: usize,
    /// Whether a comma, colon, semicolon or dash stands between it and the word before.
    pub after_break: bool,
    kind: Kind,
    /// Where the letters of [`Words::plain`] are.
    plain: Letters,
    /// Where those of [`Words::folded`] are.
    folded: Letters,
    /// Of the plain letters, for tables of words in whatever form.
    pub(super) hash: u64,
    /// The first eight of the plain letters.
    pub(super) head: u64,
    /// The hash of the folded letters.
    key: u64,
}

/// A stretch of [`Words::letters`]; a text of four gigabytes is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Letters {
    start: u32,
    end: u32,
}

impl Letters {
    fn of(range: Range<usize>) -> Letters {
        Letters { start: range.start as u32, end: range.end as u32 }
    }

    fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What a word begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    Sign,
}

impl Word {
    /// Whether it is made of letters (and maybe digits: `fp32`).
    pub fn is_word(&self) -> bool {
        self.kind == Kind::Letter
    }

    /// What it is compared by: a word has the same in any case and number, and another word seldom has it.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        self.kind == Kind::Digit
    }
}

/// The verbs onto which *not* grows: `can't`, `won't`.
const VERBS_WITH_NOT: &[&str] =
    &["ai", "are", "ca", "could", "did", "do", "does", "had", "has", "have", "is", "must", "need", "should", "was", "were", "wo", "would"];

/// Words that are written in short, and what they are read as.
const SHORT: &[(&str, &str)] = &[("w/o", "without"), ("w/", "with")];

/// Words that end with a point without ending the sentence.
const ABBREVIATIONS: &[&str] = &[
    "approx", "ca", "cf", "e.g", "eff", "eg", "eq", "etc", "fig", "i.e", "ie", "incl", "max", "min", "no", "nr", "resp", "sec", "vs", "wrt",
];

impl Words {
    /// Cuts a text.
    pub fn of(text: &str) -> Words {
        // Nearly every word is its own stretch of the text in small letters; the letters of the others come after it.
        let mut letters = String::with_capacity(text.len() + PADDING.len() + 16);
        letters.push_str(text);
        letters.make_ascii_lowercase();
        letters.push_str(PADDING);
        let mut words = Words { list: Vec::with_capacity(text.len() / 4 + 1), sentences: Vec::new(), letters, searched: OnceLock::new() };
        let bytes = text.as_bytes();
        let mut pending = Pause::None;
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match SORTS[usize::from(byte)] {
                Sort::Space => at += 1,
                Sort::Letter => {
                    let end = ascii_word_end(bytes, at);
                    // Most words end here.
                    let is_whole = bytes.get(end).is_none_or(|byte| byte.is_ascii() && !matches!(byte, b'\'' | b'`' | b'/'));
                    let range = at..if is_whole { end } else { word_end(text, at, end) };
                    at = range.end;
                    let plain = if at == end { range.clone() } else { words.add_plain(&text[range.clone()]) };
                    words.push(range, plain, Kind::Letter, pending);
                    pending = Pause::None;
                }
                Sort::Digit => {
                    let range = at..number_end(bytes, at);
                    at = range.end;
                    words.push(range.clone(), range, Kind::Digit, pending);
                    pending = Pause::None;
                }
                Sort::Other => {
                    let Some(c) = text[at..].chars().next() else { break };
                    let next = at + c.len_utf8();
                    if !c.is_ascii() && c.is_alphabetic() {
                        let range = at..word_end(text, at, at);
                        at = range.end;
                        let plain = words.add_plain(&text[range.clone()]);
                        words.push(range, plain, Kind::Letter, pending);
                        pending = Pause::None;
                    } else if is_sign(c) {
                        words.push(at..next, at..next, Kind::Sign, pending);
                        at = next;
                        pending = Pause::None;
                    } else {
                        pending = pending.max(words.pause(text, at, c));
                        at = next;
                    }
                }
            }
        }
        words
    }

    /// Adds the letters of a word that is no stretch of the text in small letters.
    fn add_plain(&mut self, word: &str) -> Range<usize> {
        let start = self.letters.len();
        push_plain(&mut self.letters, word);
        start..self.letters.len()
    }

    #[inline]
    fn push(&mut self, range: Range<usize>, plain: Range<usize>, kind: Kind, pending: Pause) {
        match self.sentences.last_mut() {
            Some(sentence) if pending != Pause::Sentence => sentence.end = range.end,
            _ => self.sentences.push(range.clone()),
        }
        let head = head_of(self.letters.as_bytes(), &plain);
        let hash = hash_of(head, self.letters.as_bytes(), &plain);
        let may_be_plural = kind == Kind::Letter && self.letters.as_bytes()[plain.end - 1] == b's';
        let folded = if may_be_plural { push_folded(&mut self.letters, plain.clone()) } else { plain.clone() };
        // Most words are their own singular.
        let key = if folded == plain { hash } else { self::hash(&self.letters.as_bytes()[folded.clone()]) };
        let sentence = self.sentences.len() - 1;
        let (plain, folded) = (Letters::of(plain), Letters::of(folded));
        self.list.push(Word { range, sentence, after_break: pending != Pause::None, kind, plain, folded, hash, head, key });
    }

    /// How much a character between two words separates them.
    fn pause(&self, text: &str, at: usize, c: char) -> Pause {
        let after = &text[at + c.len_utf8()..];
        let spaced =
            || after.is_empty() || after.starts_with(char::is_whitespace) || after.starts_with(['"', '”', '\'', '’', ')', '*', '_']);
        match c {
            '!' | '?' | '…' if spaced() => Pause::Sentence,
            '.' if spaced() && !self.is_abbreviation(text) => Pause::Sentence,
            '\n' if after.trim_start_matches([' ', '\t', '\r']).starts_with('\n') => Pause::Sentence,
            ',' | ';' | ':' | '—' => Pause::Break,
            '-' | '–' | '−' if text[..at].ends_with(char::is_whitespace) && spaced() => Pause::Break,
            _ => Pause::None,
        }
    }

    fn is_abbreviation(&self, text: &str) -> bool {
        let Some(last) = self.list.last() else { return false };
        let single = |word: &Word| word.is_word() && self.plain(word).chars().nth(1).is_none();
        if ABBREVIATIONS.contains(&self.plain(last)) {
            return true;
        }
        // `i.e.` and `e.g.` were cut into two letters; `S/B` is no abbreviation.
        let before = self.list.len().checked_sub(2).map(|at| &self.list[at]);
        single(last) && before.is_some_and(|before| single(before) && text.get(before.range.end..last.range.start) == Some("."))
    }

    /// The words in order.
    pub fn list(&self) -> &[Word] {
        &self.list
    }

    /// The words that lie within some bytes of the text.
    pub fn within(&self, bytes: &Range<usize>) -> &[Word] {
        let rest = &self.list[self.list.partition_point(|word| word.range.start < bytes.start)..];
        &rest[..rest.partition_point(|word| word.range.end <= bytes.end)]
    }

    /// A word in small letters, without apostrophes: what stems are compared with.
    pub fn plain(&self, word: &Word) -> &str {
        &self.letters[word.plain.range()]
    }

    /// The same in the singular, where it is a word: what words are compared with.
    pub fn folded(&self, word: &Word) -> &str {
        &self.letters[word.folded.range()]
    }

    /// The bytes of [`Words::plain`].
    pub(super) fn plain_letters(&self, word: &Word) -> &[u8] {
        &self.letters.as_bytes()[word.plain.range()]
    }

    /// Whether a word is a verb with *not* grown onto it: `isn't`, `cannot`.
    pub fn is_contracted_not(&self, word: &Word) -> bool {
        is_contracted_not(self.plain(word))
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

/// Whether a word in small letters is a verb with *not* grown onto it: `isn't`, `cannot`.
pub(super) fn is_contracted_not(plain: &str) -> bool {
    plain == "cannot" || plain.strip_suffix("nt").is_some_and(|verb| VERBS_WITH_NOT.contains(&verb))
}

/// All of them.
pub(super) fn contracted_nots() -> impl Iterator<Item = String> {
    std::iter::once("cannot".to_owned()).chain(VERBS_WITH_NOT.iter().map(|verb| format!("{verb}nt")))
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

/// What a byte begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Space,
    Letter,
    Digit,
    /// Whatever a closer look tells.
    Other,
}

static SORTS: [Sort; 256] = {
    let mut sorts = [Sort::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        sorts[byte] = match byte as u8 {
            b' ' => Sort::Space,
            b'0'..=b'9' => Sort::Digit,
            b'a'..=b'z' | b'A'..=b'Z' => Sort::Letter,
            _ => Sort::Other,
        };
        byte += 1;
    }
    sorts
};

/// Where the plain letters and digits of a word end; of `x162` it is the `x` alone.
fn ascii_word_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start + 1;
    if matches!(bytes[start], b'x' | b'X') && bytes.get(end).is_some_and(u8::is_ascii_digit) {
        return end;
    }
    while bytes.get(end).is_some_and(|byte| matches!(SORTS[usize::from(*byte)], Sort::Letter | Sort::Digit)) {
        end += 1;
    }
    end
}

/// Where a word ends of which the plain letters and digits end at `plain`: other letters, the digits after them, and
/// apostrophes between letters.
fn word_end(text: &str, start: usize, plain: usize) -> usize {
    let bytes = text.as_bytes();
    if bytes[start..].starts_with(b"w/")
        && let Some((short, _)) = SHORT.iter().find(|(short, _)| bytes[start..].starts_with(short.as_bytes()))
    {
        let end = start + short.len();
        let over = |byte: &u8| !(byte.is_ascii_alphanumeric() || *byte == b'/');
        if bytes.get(end).is_none_or(over) {
            return end;
        }
    }
    let mut end = plain;
    let mut rest = text[plain..].char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let joins = is_silent(c) && rest.peek().is_some_and(|(_, next)| next.is_alphabetic());
        if !(c.is_alphanumeric() || joins || is_mark(c)) {
            break;
        }
        end = plain + at + c.len_utf8();
    }
    end
}

/// Combining accents.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}

/// Digits with points and commas between them.
fn number_end(bytes: &[u8], start: usize) -> usize {
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut end = start;
    while is_digit(end) || matches!(bytes.get(end), Some(b'.' | b',' | b'_')) && is_digit(end + 1) {
        end += 1;
    }
    end
}

/// Adds a word in small letters, without apostrophes.
fn push_plain(letters: &mut String, word: &str) {
    if let Some((_, long)) = SHORT.iter().find(|(short, _)| *short == word) {
        letters.push_str(long);
        return;
    }
    let plain = word.chars().filter(|c| !is_silent(*c)).flat_map(char::to_lowercase);
    letters.extend(plain.map(|c| if c == 'μ' { 'µ' } else { c }));
}

/// Finds the singular of some of the letters, as far as a comparison needs it: both sides are folded alike, so that it has to
/// be consistent, not right. Nearly always it is the beginning of the word; where it is not, its letters are added.
pub(super) fn push_folded(letters: &mut String, plain: Range<usize>) -> Range<usize> {
    let (start, end) = (plain.start, plain.end);
    let word = &letters.as_bytes()[plain];
    if word.len() < 4 || !word.is_ascii() {
        return start..end;
    }
    match word {
        [_, _, .., b'i', b'e', b's'] => {
            let added = letters.len();
            letters.extend_from_within(start..end - 3);
            letters.push('y');
            added..letters.len()
        }
        [.., b's' | b'c', b'h', b'e', b's'] | [.., b's', b's', b'e', b's'] | [.., b'x', b'e', b's'] => start..end - 2,
        [.., b's', b's'] => start..end,
        [.., b's'] => start..end - 1,
        _ => start..end,
    }
}

/// Every way to spell a word in small letters that [`push_folded`] makes this of.
pub(super) fn each_spelling(folded: &str, mut take: impl FnMut(&str)) {
    let mut letters = String::with_capacity(2 * folded.len() + 8);
    let mut take_if_folded = |stem, ending| take_if_folded(stem, ending, folded, &mut letters, &mut take);
    take_if_folded(folded, "");
    if folded.ends_with(|c: char| c.is_ascii_alphabetic() || c.is_ascii_digit()) && !folded.starts_with(|c: char| c.is_ascii_digit()) {
        take_if_folded(folded, "s");
        take_if_folded(folded, "es");
        if let Some(stem) = folded.strip_suffix('y') {
            take_if_folded(stem, "ies");
        }
    }
}

fn take_if_folded(stem: &str, ending: &str, folded: &str, letters: &mut String, take: &mut impl FnMut(&str)) {
    letters.clear();
    letters.push_str(stem);
    letters.push_str(ending);
    let length = letters.len();
    let is_number = folded.starts_with(|c: char| c.is_ascii_digit());
    let range = if is_number { 0..length } else { push_folded(letters, 0..length) };
    if letters[range] == *folded {
        take(&letters[..length]);
    }
}

/// A number for the letters of a word that seldom is another word's. The words of an answer are only looked up, never added
/// to a table, so that nothing is gained by choosing them badly.
pub(super) fn hash(word: &[u8]) -> u64 {
    hash_of(head(word), word, &(0..word.len()))
}

/// The same of a word among letters, which are read eight at a time.
#[inline]
fn hash_of(head: u64, letters: &[u8], word: &Range<usize>) -> u64 {
    let hash = mixed(word.len() as u64, head);
    // Most words have no more.
    if word.len() <= 8 { hash } else { hash_of_rest(hash, letters, word.start + 8..word.end) }
}

fn hash_of_rest(mut hash: u64, letters: &[u8], mut rest: Range<usize>) -> u64 {
    while !rest.is_empty() {
        hash = mixed(hash, head_of(letters, &rest));
        rest.start += 8;
    }
    hash
}

fn mixed(hash: u64, block: u64) -> u64 {
    let product = u128::from(hash ^ block) * 0x9e37_79b9_7f4a_7c15;
    product as u64 ^ (product >> 64) as u64
}

/// The first eight letters as one number, with zeros for those that a shorter word has not.
pub(super) fn head(word: &[u8]) -> u64 {
    head_of(word, &(0..word.len()))
}

/// The same of a word among letters: what comes after it is read with it and taken away.
#[inline]
fn head_of(letters: &[u8], word: &Range<usize>) -> u64 {
    match letters[word.start..].first_chunk() {
        Some(first) if word.len() >= 8 => u64::from_be_bytes(*first),
        Some(first) if !word.is_empty() => u64::from_be_bytes(*first) & u64::MAX << (64 - 8 * word.len()),
        _ => letters[word.clone()].iter().take(8).rev().fold(0, |head, letter| head >> 8 | u64::from(*letter) << 56),
    }
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
            let words = Words::of(plural);
            assert_eq!(words.folded(&words.list()[0]), singular);
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
