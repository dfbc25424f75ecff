//! The words that tell what a number is: the cues, labels and topics of a drill, and the words of any exercise ("maybe",
//! "EDIT:", "in total"), compiled into one matcher and one table of symbols.

mod signs;
mod symbols;

pub(super) use signs::Sign;
pub(super) use symbols::symbol;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use crate::drill::Drill;
use crate::grade::argue::Lookup;
use crate::phrase::{Groups, Phrase, Phrases, Words};

use signs::SIGNS;
use symbols::Symbols;

/// What a phrase that was found says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tag {
    /// It names an ask.
    Cue(usize),
    /// It says that a number near is not this ask's.
    NotCue(usize),
    /// It labels a reading of an ask.
    Label(usize, usize),
    /// It is the value of a reading of an ask.
    ReadingWords(usize, usize),
    /// It is the value of a mistake of an ask, or decides for it.
    MistakeWords(usize, usize),
    /// It names a part, or an item inside one.
    Topic(usize, Option<usize>),
    /// It numbers an item of a part: `(2)` inside a paragraph.
    Item(usize, usize),
    /// It is what a given counts: `GPUs`.
    Noun(usize),
    /// It means the same in every exercise.
    Sign(Sign),
}

impl Tag {
    /// The ask of which it is a value in words.
    pub(super) fn ask(self) -> Option<usize> {
        match self {
            Tag::ReadingWords(ask, _) | Tag::MistakeWords(ask, _) => Some(ask),
            _ => None,
        }
    }
}

/// A phrase that was found.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    /// What it says.
    pub(super) tag: Tag,
    /// Bytes of the text.
    pub(super) range: Range<usize>,
    /// How telling it is: more words say more.
    pub(super) weight: f32,
}

/// The group of the phrases that are clues, in the matcher of all.
const CLUES: Groups = Groups::of(0);

/// A drill's words and symbols, compiled once.
#[derive(Debug)]
pub(super) struct Clues {
    phrases: Phrases,
    /// What each phrase says.
    tags: Vec<Vec<Tag>>,
    /// What may stand left of `=`, and the asks that it may name.
    symbols: Symbols<Vec<usize>>,
    /// The symbols of the givens.
    given_symbols: Symbols<usize>,
}

impl Clues {
    /// Compiles the words of a drill, and those of its concepts: the criteria look for these in the same lines, by groups.
    pub(super) fn new(drill: &Drill, concepts: &[Groups]) -> Clues {
        let nouns = drill.names.iter().enumerate().filter_map(|(at, name)| Some((at, Phrase::parse(name.noun.as_deref()?).ok()?)));
        let nouns: Vec<(usize, Phrase)> = nouns.collect();
        let mut book = Book::default();
        for (at, ask) in drill.asks.iter().enumerate() {
            book.add(&ask.cues, Tag::Cue(at));
            book.add(&ask.not_cues, Tag::NotCue(at));
            for (place, reading) in ask.readings.iter().enumerate() {
                book.add(&reading.label, Tag::Label(at, place));
                book.add(&reading.words, Tag::ReadingWords(at, place));
            }
            for (place, mistake) in ask.mistakes.iter().enumerate() {
                book.add(&mistake.words, Tag::MistakeWords(at, place));
            }
        }
        for (at, part) in drill.parts.iter().enumerate() {
            book.add(&part.topics, Tag::Topic(at, None));
            for (place, item) in part.items.iter().enumerate() {
                book.add(&item.topics, Tag::Topic(at, Some(place)));
            }
        }
        for (at, noun) in &nouns {
            book.add(std::slice::from_ref(noun), Tag::Noun(*at));
        }
        for (sign, phrases) in sign_phrases() {
            book.add(phrases, Tag::Sign(*sign));
        }
        let mut symbols: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (at, ask) in drill.asks.iter().enumerate() {
            for spelling in &ask.symbols {
                let asks = symbols.entry(symbol(spelling).into_owned()).or_default();
                if !asks.contains(&at) {
                    asks.push(at);
                }
            }
        }
        let given_symbols = drill
            .names
            .iter()
            .enumerate()
            .filter(|(_, name)| name.origin != crate::drill::Origin::Let)
            .flat_map(|(at, name)| name.symbols.iter().map(move |spelling| (symbol(spelling).into_owned(), at)))
            .collect();
        let (phrases, tags): (Vec<&Phrase>, Vec<Vec<Tag>>) = book.0.into_values().unzip();
        let all = phrases.iter().map(|phrase| (*phrase, CLUES)).chain(drill.rubric.concepts.phrases().zip(concepts.iter().copied()));
        Clues { phrases: Phrases::grouped(all), tags, symbols: symbols.into_iter().collect(), given_symbols }
    }

    /// Where the phrases of concepts are looked for: those of a group, and those of any concept.
    pub(super) fn concepts(&self, sought: Groups, any: Groups) -> Lookup<'_> {
        Lookup { phrases: &self.phrases, first: self.tags.len(), sought, any }
    }

    /// Every phrase that stands in a text, and every symbol that stands in its prose, in the order of the text.
    pub(super) fn find(&self, text: &str, words: &Words) -> Vec<Hit> {
        self.find_with(text, words, Groups::NONE)
    }

    /// The same; the text is searched for phrases of concepts too, which are there when criteria ask for them.
    pub(super) fn find_with(&self, text: &str, words: &Words, concepts: Groups) -> Vec<Hit> {
        // In most texts there are fewer than words.
        let mut hits = Vec::with_capacity(words.list().len());
        for hit in self.phrases.find_among(words, CLUES.and(concepts)).iter() {
            let weight = (1.0 + 0.2 * (hit.words.len() as f32 - 1.0)).min(1.6);
            for tag in self.tags.get(hit.phrase).into_iter().flatten() {
                hits.push(Hit { tag: *tag, range: hit.range.clone(), weight });
            }
        }
        let phrases = hits.len();
        for word in words.list() {
            if !may_be_symbol(text, &word.range) {
                continue;
            }
            // The star of `S*` is part of the symbol.
            let star = text[word.range.end..].chars().next().filter(|c| matches!(c, '*' | '⋆' | '∗'));
            let range = word.range.start..word.range.end + star.map_or(0, char::len_utf8);
            if is_symbol_in_prose(text, &range) {
                let asks = self.asks_of(&text[range.clone()]);
                hits.extend(asks.iter().map(|ask| Hit { tag: Tag::Cue(*ask), range: range.clone(), weight: 1.0 }));
            }
        }
        // The phrases are in order.
        if hits.len() > phrases {
            hits.sort_by_key(|hit| hit.range.start);
        }
        hits
    }

    /// The asks that a symbol left of `=` may name.
    pub(super) fn asks_of(&self, spelling: &str) -> &[usize] {
        self.symbols.get(spelling).map_or(&[], Vec::as_slice)
    }

    /// The given that a symbol names.
    pub(super) fn given_of(&self, spelling: &str) -> Option<usize> {
        self.given_symbols.exactly(spelling).copied()
    }
}

/// The numbers of items inside a stretch of text, such as `(1) … (2) …`, `1. … 2. …` or `(i) … (ii) …`: counting up from one,
/// or on from the item in which the stretch begins.
pub(super) fn enumerators(text: &str, stretch: &Range<usize>, part: usize, items: usize, begun: usize) -> Vec<Hit> {
    const ROMAN: [&str; 6] = ["i", "ii", "iii", "iv", "v", "vi"];
    let mut hits: Vec<Hit> = Vec::new();
    // What counts beyond the items does not number them.
    if items <= begun {
        return hits;
    }
    let inside = &text[stretch.clone()];
    let bytes = inside.as_bytes();
    for end in memchr::memchr3_iter(b')', b'.', b':', bytes) {
        let at = bytes[..end].iter().rposition(|byte| !byte.is_ascii_alphanumeric()).map_or(0, |before| before + 1);
        let next = begun + hits.len();
        let before = bytes[..at].last();
        let bracket = before == Some(&b'(');
        if at == end || !bracket && before.is_some_and(|byte| !matches!(byte, b' ' | b'\n' | b'\t' | b'*' | b'_')) {
            continue;
        }
        let label = &inside[at..end];
        let digit = bytes[at].is_ascii_digit() && bytes[at] != b'0' && label.parse() == Ok(next + 1);
        if !digit && ROMAN.get(next) != Some(&label) {
            continue;
        }
        let dotted = digit && !bracket && inside[end + 1..].starts_with([' ', '*', '\n']);
        if bytes[end] == b')' || dotted {
            // What counts on beyond the items does not number them.
            if next >= items {
                return Vec::new();
            }
            let start = stretch.start + at - usize::from(bracket);
            hits.push(Hit { tag: Tag::Item(part, next), range: start..stretch.start + at + label.len() + 1, weight: 1.0 });
        }
    }
    if begun + hits.len() > 1 { hits } else { Vec::new() }
}

/// Whether a word has the letters of a symbol: it is short, and no word in small letters.
#[inline]
fn may_be_symbol(text: &str, word: &Range<usize>) -> bool {
    let first = text.as_bytes()[word.start];
    (first.is_ascii_uppercase() || !first.is_ascii()) && word.len() <= 8
}

/// Whether a word is a symbol used as a word: `T goes to 211 ms`, but not the `S` of `2S/B`.
fn is_symbol_in_prose(text: &str, range: &Range<usize>) -> bool {
    let word = &text[range.clone()];
    let capital = word.chars().next().is_some_and(|c| c.is_uppercase() || !c.is_ascii() && c.is_alphabetic());
    if !capital
        || word.chars().count() > 2
        || matches!(word, "A" | "I" | "In" | "It" | "If" | "As" | "At" | "So" | "To" | "We" | "On" | "Or" | "No")
    {
        return false;
    }
    let before = text[..range.start].chars().next_back();
    let after = text[range.end..].chars().next();
    before.is_none_or(char::is_whitespace) && after.is_none_or(|c| c.is_whitespace() || c == ',')
}

/// The phrases of [`SIGNS`], understood once for all drills.
fn sign_phrases() -> &'static [(Sign, Vec<Phrase>)] {
    static PHRASES: LazyLock<Vec<(Sign, Vec<Phrase>)>> = LazyLock::new(|| {
        let parsed = |(sign, phrases): &(Sign, &[&str])| {
            let parsed: Vec<Phrase> = phrases.iter().filter_map(|phrase| Phrase::parse(phrase).ok()).collect();
            debug_assert_eq!(parsed.len(), phrases.len(), "every phrase of {sign:?} is well formed");
            (*sign, parsed)
        };
        SIGNS.iter().map(parsed).collect()
    });
    &PHRASES
}

/// Phrases by their spelling, each with all that it says.
#[derive(Default)]
struct Book<'d>(BTreeMap<&'d str, (&'d Phrase, Vec<Tag>)>);

impl<'d> Book<'d> {
    fn add(&mut self, phrases: &'d [Phrase], tag: Tag) {
        for phrase in phrases {
            let (_, tags) = self.0.entry(phrase.source()).or_insert_with(|| (phrase, Vec::new()));
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
    }
}
