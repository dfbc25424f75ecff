//! The words and stems of many phrases, and which of them a word of a text is.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::phrase::words::{self, Word, Words, hash, head};
use crate::phrase::{Is, Phrase};

/// Words and stems, each with a number, its class; and by their spelling the words of a text that are of any class.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Tells it from every other one.
    id: u64,
    classes: Classes,
    /// A table of spellings, by hash; its length is a power of two.
    spellings: Vec<Spelling>,
    /// The stems, by the letters that they begin with, and of these the longest first.
    stems: Vec<Stem>,
    /// Where the stems of each beginning start among them.
    beginnings: Vec<u32>,
    /// The kind of the numbers that are no words of it.
    number: u32,
    /// Where the classes of each kind of words begin; they end where the next one's begin.
    kinds: Vec<u32>,
    /// Kind by kind, ascending.
    classes_of: Vec<u32>,
}

/// The classes, as they are found for a phrase.
#[derive(Clone, Debug, Default)]
struct Classes {
    words: BTreeMap<String, u32>,
    stems: BTreeMap<String, u32>,
    /// The class of all numbers.
    number: Option<u32>,
    count: u32,
}

/// A word as it may be spelled in a text. It is told by its hash, which knows its length, and its first eight letters.
#[derive(Clone, Copy, Debug, Default)]
struct Spelling {
    hash: u64,
    head: u64,
    /// Nothing has the kind of words of no class, which stands for a free place.
    kind: u32,
}

/// A stem as it is compared: its first eight letters at once.
#[derive(Clone, Debug)]
struct Stem {
    head: u64,
    /// Which of the eight it has.
    mask: u64,
    /// The kind of the words that begin with it and with no longer stem, and are no words of the vocabulary themselves.
    kind: u32,
    letters: Box<str>,
}

impl Stem {
    fn begins(&self, letters: &[u8], head: u64) -> bool {
        (head ^ self.head) & self.mask == 0 && (self.letters.len() <= 8 || letters.starts_with(self.letters.as_bytes()))
    }
}

/// The words of a text as a vocabulary knows them.
#[derive(Clone, Debug)]
pub(super) struct Known {
    vocabulary: u64,
    /// By word.
    pub(super) kinds: Box<[u32]>,
}

impl Known {
    /// Whether it is this vocabulary that knows them so.
    pub(super) fn is_by(&self, vocabulary: &Vocabulary) -> bool {
        self.vocabulary == vocabulary.id
    }
}

/// The kind of words that are of no class.
const NOTHING: u32 = 0;

/// Two letters make a beginning, of 26 each; all others are one more.
const BEGINNINGS: usize = 26 * 26 + 1;

impl Vocabulary {
    /// The words and stems of some phrases.
    pub fn of<'a>(phrases: impl IntoIterator<Item = &'a Phrase>) -> Vocabulary {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mut classes = Classes::default();
        for phrase in phrases {
            for pattern in &phrase.patterns {
                classes.add(pattern.is, &phrase.letters[pattern.start as usize..pattern.end as usize]);
            }
        }
        let mut vocabulary = Vocabulary { id: NEXT.fetch_add(1, Ordering::Relaxed), classes, ..Vocabulary::default() };
        vocabulary.spell();
        vocabulary
    }

    /// How many classes there are.
    pub(super) fn classes(&self) -> usize {
        self.classes.count as usize
    }

    /// The class of what a place of a phrase may be filled with; none where that is any word.
    pub(super) fn class(&self, is: Is, letters: &str) -> Option<u32> {
        match is {
            Is::Word => self.classes.words.get(letters).copied(),
            Is::Stem => self.classes.stems.get(letters).copied(),
            Is::Number => self.classes.number,
            Is::Any => None,
        }
    }

    /// The kinds of words, each with its classes.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &[u32]> {
        self.kinds.windows(2).map(|ends| &self.classes_of[ends[0] as usize..ends[1] as usize])
    }

    /// Works out the kinds of words that there are, and how those are spelled that are words of it.
    fn spell(&mut self) {
        let mut kinds = Kinds::default();
        self.add_stems(&mut kinds);
        self.number = kinds.of(self.classes.number.into_iter().collect());
        let mut spelled: Vec<Spelling> = Vec::with_capacity(self.classes.words.len() * 2);
        let spelling = |letters: &str, classes: Vec<u32>, kinds: &mut Kinds| Spelling {
            hash: hash(letters.as_bytes()),
            head: head(letters.as_bytes()),
            kind: kinds.of(classes),
        };
        let not = self.classes.words.get("not").copied();
        for (word, class) in &self.classes.words {
            words::each_spelling(word, |letters| {
                let mut classes = vec![*class];
                if letters.starts_with(|c: char| c.is_ascii_digit()) {
                    classes.extend(self.classes.number);
                } else {
                    classes.extend(not.filter(|_| words::is_contracted_not(letters)));
                    classes.extend(self.stems_of(letters));
                }
                spelled.push(spelling(letters, classes, &mut kinds));
            });
        }
        // The verbs with *not* grown onto them are of its class, be they words of their own or not.
        for letters in words::contracted_nots().filter(|letters| !self.classes.words.contains_key(letters)) {
            let classes: Vec<u32> = not.into_iter().chain(self.stems_of(&letters)).collect();
            if not.is_some() {
                spelled.push(spelling(&letters, classes, &mut kinds));
            }
        }
        self.spellings = vec![Spelling::default(); (spelled.len() * 2).next_power_of_two()];
        for spelling in spelled {
            let mut slot = spelling.hash as usize & (self.spellings.len() - 1);
            while self.spellings[slot].kind != NOTHING {
                slot = (slot + 1) & (self.spellings.len() - 1);
            }
            self.spellings[slot] = spelling;
        }
        (self.kinds, self.classes_of) = (kinds.first, kinds.classes);
    }

    fn add_stems(&mut self, kinds: &mut Kinds) {
        let stem = |letters: &String| {
            let mask = !u64::MAX.checked_shr(8 * letters.len() as u32).unwrap_or(0);
            Stem { head: head(letters.as_bytes()), mask, kind: NOTHING, letters: letters.as_str().into() }
        };
        let mut stems: Vec<Stem> = self.classes.stems.keys().map(stem).collect();
        stems.sort_unstable_by(|a, b| {
            let order = |stem: &Stem| (beginning(stem.head), usize::MAX - stem.letters.len());
            order(a).cmp(&order(b)).then_with(|| a.letters.cmp(&b.letters))
        });
        self.beginnings = (0..=BEGINNINGS).map(|at| stems.partition_point(|stem| beginning(stem.head) < at) as u32).collect();
        self.stems = stems;
        for at in 0..self.stems.len() {
            self.stems[at].kind = kinds.of(self.stems_of(&self.stems[at].letters).collect());
        }
    }

    /// The classes of the stems that some letters begin with.
    fn stems_of<'s>(&'s self, letters: &'s str) -> impl Iterator<Item = u32> + 's {
        let head = head(letters.as_bytes());
        let stems = self.beginning_like(head).iter().filter(move |stem| stem.begins(letters.as_bytes(), head));
        stems.map(|stem| self.classes.stems[&*stem.letters])
    }

    /// The stems that begin with the same two letters.
    fn beginning_like(&self, head: u64) -> &[Stem] {
        let at = beginning(head);
        self.beginnings.get(at..at + 2).map_or(&[], |ends| &self.stems[ends[0] as usize..ends[1] as usize])
    }

    /// The words of a text, each with its kind.
    pub(super) fn know(&self, words: &Words) -> Known {
        Known { vocabulary: self.id, kinds: words.list().iter().map(|word| self.kind(words, word)).collect() }
    }

    fn kind(&self, words: &Words, word: &Word) -> u32 {
        if !self.spellings.is_empty() {
            let mut slot = word.hash as usize & (self.spellings.len() - 1);
            loop {
                let spelling = &self.spellings[slot];
                if spelling.kind == NOTHING {
                    break;
                }
                if spelling.hash == word.hash && spelling.head == word.head {
                    return spelling.kind;
                }
                slot = (slot + 1) & (self.spellings.len() - 1);
            }
        }
        if word.is_number() {
            return self.number;
        }
        // All stems of a word are beginnings of the longest one.
        let longest = self.beginning_like(word.head).iter().find(|stem| stem.begins(words.plain_letters(word), word.head));
        longest.map_or(NOTHING, |stem| stem.kind)
    }
}

impl Classes {
    fn add(&mut self, is: Is, letters: &str) {
        let new = self.count;
        let known = match is {
            Is::Word => known_or_new(&mut self.words, letters, new),
            Is::Stem => known_or_new(&mut self.stems, letters, new),
            Is::Number => *self.number.get_or_insert(new),
            Is::Any => return,
        };
        self.count += u32::from(known == new);
    }
}

fn known_or_new(classes: &mut BTreeMap<String, u32>, letters: &str, new: u32) -> u32 {
    if let Some(class) = classes.get(letters) {
        return *class;
    }
    classes.insert(letters.to_owned(), new);
    new
}

/// The kinds of words that have come up: each is a set of classes.
struct Kinds {
    known: HashMap<Vec<u32>, u32>,
    first: Vec<u32>,
    classes: Vec<u32>,
}

impl Default for Kinds {
    fn default() -> Kinds {
        Kinds { known: HashMap::from([(Vec::new(), NOTHING)]), first: vec![0, 0], classes: Vec::new() }
    }
}

impl Kinds {
    /// The kind of words of these classes.
    fn of(&mut self, mut classes: Vec<u32>) -> u32 {
        classes.sort_unstable();
        classes.dedup();
        if let Some(kind) = self.known.get(&classes) {
            return *kind;
        }
        let kind = self.first.len() as u32 - 1;
        self.classes.extend(&classes);
        self.first.push(self.classes.len() as u32);
        self.known.insert(classes, kind);
        kind
    }
}

/// With which letters a word or a stem begins, by its first eight; a stem has at least two.
fn beginning(head: u64) -> usize {
    let letter = |shift: u32| usize::from(((head >> shift) as u8).wrapping_sub(b'a'));
    match (letter(56), letter(48)) {
        (first @ 0..26, second @ 0..26) => first * 26 + second,
        _ => BEGINNINGS - 1,
    }
}
