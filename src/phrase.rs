//! Phrases: how an author says which words to look for, and the matcher that finds many of them in one pass.
//!
//! Shared by cues (which asked quantity do these words name?), labels of other readings, and the concepts that a
//! rubric's rules combine. The notation is meant to be read aloud:
//!
//! | written | finds |
//! |---|---|
//! | `latency term` | the words side by side, in any case, singular or plural |
//! | `all-reduce` | `all-reduce`, `all reduce`, `allreduce` |
//! | `overlap*` | every word that starts so |
//! | `hid(e\|es\|den\|ing)` | the word with one of the endings |
//! | `(traffic\|the wire) hides` | one of the alternatives, of one word or several |
//! | `behind [the\|its] backward`, `hop[s]` | what stands in square brackets may be left out |
//! | `fits ..3 backward` | up to three other words in between |
//! | `not good` | also `isn't good`, and every other contracted *not* |
//! | `# ms`, `# (x\|times)` | any number |
//! | `50 %`, `<`, `S\*` | signs stand for themselves; a backslash takes the meaning from a star, bracket or bar |
//!
//! `<unchanged>` stands for all phrases of a kind that means the same in every drill: see [`of_kind`].
//!
//! A phrase never reaches across the end of a sentence, and only a gap reaches across a comma, colon, or dash. Gaps are
//! at most [`MAX_GAP`] words and a phrase at most 64 places, so that a text is searched in time linear in its length,
//! whatever it says.

mod kinds;
mod marks;
mod matcher;
mod notation;
mod pairs;
mod runs;
mod vocabulary;
mod words;

use std::fmt;
use std::ops::Range;

use crate::text::Span;

pub use kinds::{kind_named, kinds, of_kind};
pub use marks::Marks;
pub use matcher::Phrases;
pub use runs::{Runs, key};
pub use words::{Word, Words};

/// The widest gap a phrase may have, in words.
pub const MAX_GAP: usize = 12;

/// What an author wrote to say which words to look for, understood and checked.
#[derive(Clone, Debug)]
pub struct Phrase {
    source: String,
    /// The letters of all its words and stems, one after the other.
    letters: String,
    /// What its places may be filled with, place by place.
    patterns: Vec<Pattern>,
    places: Vec<Place>,
    /// The places a match may start with.
    first: u64,
    /// The places a match may end with.
    last: u64,
}

/// One word of a phrase, as a state of a small position automaton: at most 64, so that a set of them is one integer.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// The places that may follow side by side.
    next: u64,
    /// The places that may follow across a comma, because the phrase has a gap here.
    next_across: u64,
}

/// What the word at a place may be.
#[derive(Clone, Copy, Debug)]
struct Pattern {
    place: u8,
    is: Is,
    /// Its letters, of a word or a stem.
    start: u32,
    end: u32,
}

/// What one word of a text has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    /// This word, in the singular.
    Word,
    /// A word that starts with this.
    Stem,
    /// Any number.
    Number,
    /// Any word: a place in a gap.
    Any,
}

impl Phrase {
    /// Understands a phrase, or says where and why not.
    pub fn parse(source: &str) -> Result<Phrase, PhraseError> {
        notation::parse(source)
    }

    /// As the author wrote it.
    pub fn source(&self) -> &str {
        &self.source
    }
}

/// Why a phrase cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhraseError {
    /// Bytes of the phrase.
    pub span: Span,
    /// What is wrong there.
    pub trouble: Trouble,
}

/// What is wrong with a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// There is no word in it, or all of its words may be left out: it would be found everywhere.
    MatchesEverything,
    /// An alternative with nothing in it: what may be left out stands in square brackets.
    EmptyAlternative,
    /// A bracket that is never closed.
    Unclosed,
    /// A closing bracket without an opening one.
    Unopened,
    /// A bar outside brackets.
    BarOutside,
    /// A gap at the start or the end, or beside another gap: it says nothing there.
    LooseGap,
    /// `..` without a number of words from 1 to [`MAX_GAP`].
    BadGap,
    /// A star that does not end a word, or that follows fewer than two letters.
    BadStem,
    /// More than 64 places for words, or more than 64 spellings of one word.
    TooLarge,
}

impl fmt::Display for PhraseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.trouble {
            Trouble::MatchesEverything => "nothing in this phrase has to be there, so that it would be found everywhere",
            Trouble::EmptyAlternative => "an empty alternative; what may be left out stands in square brackets",
            Trouble::Unclosed => "this bracket is never closed",
            Trouble::Unopened => "this bracket was never opened",
            Trouble::BarOutside => "alternatives stand in brackets",
            Trouble::LooseGap => "a gap stands between two words",
            Trouble::BadGap => "a gap is `..` and a number of words from 1 to 12",
            Trouble::BadStem => "a star follows at least two letters and ends the word",
            Trouble::TooLarge => "this phrase is too large: at most 64 words, and 64 spellings of one word",
        })
    }
}

impl std::error::Error for PhraseError {}

/// Groups of phrases: a search may be for those of some only. There are so few that they are one number; whoever has more lets
/// several share one, and finds what nobody asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups(u32);

impl Groups {
    /// Every group.
    pub const ALL: Groups = Groups(u32::MAX);
    /// None.
    pub const NONE: Groups = Groups(0);

    /// The group of a number.
    #[inline]
    pub const fn of(number: usize) -> Groups {
        Groups(1 << (number % u32::BITS as usize))
    }

    /// These groups and others.
    #[inline]
    pub const fn and(self, others: Groups) -> Groups {
        Groups(self.0 | others.0)
    }

    /// Whether they have one in common.
    #[inline]
    pub const fn meet(self, others: Groups) -> bool {
        self.0 & others.0 != 0
    }

    /// Whether all of the others are among them.
    #[inline]
    pub const fn contain(self, others: Groups) -> bool {
        others.0 & !self.0 == 0
    }
}

/// Where a phrase was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Which phrase, in the order in which they were compiled.
    pub phrase: usize,
    /// Bytes of the text.
    pub range: Range<usize>,
    /// Its words, as indices into [`Words`].
    pub words: Range<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(phrase: &str, text: &'t str) -> Vec<&'t str> {
        let phrase = Phrase::parse(phrase).unwrap_or_else(|error| panic!("`{phrase}`: {error}"));
        Phrases::compile([&phrase]).find(text).into_iter().map(|hit| &text[hit.range]).collect()
    }

    #[test]
    fn the_notation_finds_what_it_says() {
        let cases: &[(&str, &str, &[&str])] = &[
            ("latency term", "The Latency terms, and the latency. Term two.", &["Latency terms"]),
            ("all-reduce", "all-reduce all–reduce all reduce AllReduce", &["all-reduce", "all–reduce", "all reduce", "AllReduce"]),
            ("overlap*", "overlapping is no overlap", &["overlapping", "overlap"]),
            ("hid(e|es|den|ing)", "hide hides hidden hiding hider", &["hide", "hides", "hidden", "hiding"]),
            ("(traffic|the wire) hides", "traffic hides; the wire hides; wire hides", &["traffic hides", "the wire hides"]),
            (
                "behind [the [long]|its] backward",
                "behind backward, behind the long backward",
                &["behind backward", "behind the long backward"],
            ),
            ("hop[s] count", "hop count", &["hop count"]),
            ("fits ..3 backward", "fits, easily, under the backward pass", &["fits, easily, under the backward"]),
            ("fits ..1 backward", "fits under the backward pass", &[]),
            ("fits ..3 backward", "It fits. Backward is long.", &[]),
            ("# (x|times)", "162.5x or 160 times", &["162.5x", "160 times"]),
            (
                "end* ..2 [the|a] batch",
                "ends with batch; end the batch; ends, sadly, the batch",
                &["ends with batch", "end the batch", "ends, sadly, the batch"],
            ),
            ("50 %", "above 50% or 50 %", &["50%", "50 %"]),
            (r"S\*", "S* is 16 MB and S^* too", &["S*"]),
            ("not ..2 help", "it won't help, couldn’t really help, cannot help", &["won't help", "couldn’t really help", "cannot help"]),
            ("isn't", "isn’t it? isnt it", &["isn’t", "isnt"]),
            ("bucket", "Bucket's buckets", &["Bucket's", "buckets"]),
            ("pass", "two passes", &["passes"]),
            ("find_unused_parameters", "`find_unused_parameters=True`", &["find_unused_parameters"]),
            ("25 mb", "the 25MB bucket", &["25MB"]),
            ("zero-2", "ZeRO-2 ZeRO2 zero 2", &["ZeRO-2", "ZeRO2", "zero 2"]),
        ];
        for (phrase, text, expected) in cases {
            assert_eq!(found(phrase, text), *expected, "`{phrase}` in `{text}`");
        }
    }

    #[test]
    fn authors_are_told_where_a_phrase_is_broken() {
        let cases: &[(&str, usize, usize, Trouble)] = &[
            ("", 0, 0, Trouble::MatchesEverything),
            ("[the]", 0, 5, Trouble::MatchesEverything),
            ("(a|)", 3, 4, Trouble::EmptyAlternative),
            ("a (b", 2, 3, Trouble::Unclosed),
            ("a b)", 3, 4, Trouble::Unopened),
            ("a|b", 1, 2, Trouble::BarOutside),
            ("..3 a", 0, 3, Trouble::LooseGap),
            ("a ..3", 2, 5, Trouble::LooseGap),
            ("a ..3 [b]", 2, 5, Trouble::LooseGap),
            ("a ..99 b", 2, 6, Trouble::BadGap),
            ("a ..b", 2, 4, Trouble::BadGap),
            ("a*", 0, 2, Trouble::BadStem),
            ("ab*c", 0, 4, Trouble::BadStem),
        ];
        for (phrase, start, end, trouble) in cases {
            let error = Phrase::parse(phrase).expect_err(phrase);
            assert_eq!((error.span, error.trouble), (Span::new(*start, *end), *trouble), "`{phrase}`");
        }
        let large = "w ..12 ".repeat(9) + "w";
        assert_eq!(Phrase::parse(&large).expect_err("too large").trouble, Trouble::TooLarge);
    }

    #[test]
    fn many_phrases_are_found_in_one_pass() {
        let phrases: Vec<Phrase> =
            ["latency", "latency term", "bandwidth term"].iter().map(|p| Phrase::parse(p).expect("a good phrase")).collect();
        let hits = Phrases::compile(&phrases).find("the bandwidth term, then the latency term");
        let seen: Vec<(usize, Range<usize>)> = hits.into_iter().map(|hit| (hit.phrase, hit.range)).collect();
        assert_eq!(seen, [(2, 4..18), (0, 29..36), (1, 29..41)]);
    }

    #[test]
    fn phrases_of_many_words_are_found_and_cost_little() {
        let words = |letter: char| (0..100).map(|n| format!("{letter}{n}")).collect::<Vec<_>>().join("|");
        let phrases: Vec<Phrase> =
            (0..2_000).map(|n| Phrase::parse(&format!("({}) ({}) z{n}", words('a'), words('b'))).expect("a good phrase")).collect();
        let start = std::time::Instant::now();
        let matcher = Phrases::compile(&phrases);
        let hits = matcher.find("a7 b8 z1999, a99 b0 z5; a7 a8 z3 b8 b9 z4");
        let seen: Vec<(usize, Range<usize>)> = hits.into_iter().map(|hit| (hit.phrase, hit.range)).collect();
        assert_eq!(seen, [(1999, 0..11), (5, 13..22)]);
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }

    #[test]
    fn hostile_text_costs_linear_time() {
        let phrases: Vec<Phrase> = (0..300).map(|n| Phrase::parse(&format!("a ..12 (a|b) ..12 c{n}")).expect("a good phrase")).collect();
        let matcher = Phrases::compile(&phrases);
        let start = std::time::Instant::now();
        assert!(matcher.find(&"a ".repeat(2_000)).is_empty());
        assert!(matcher.find(&"x".repeat(1_000_000)).is_empty());
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}
