//! The words and stems of many phrases, and which of them a word of a text is.

use rustc_hash::FxHashMap;

use crate::phrase::words::{self, Word, Words, hash, head};
use crate::phrase::{Is, Pattern, Phrase};

/// By their spelling, the words of a text that are of some class.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    /// The kinds of the words that it knows, by spelling.
    spellings: Table,
    /// The stems, by the letters that they begin with, and of these the longest first.
    stems: Vec<Stem>,
    /// Where the stems of each beginning start among them.
    beginnings: Vec<u32>,
    /// The kind of the numbers that are no words of it.
    number: u32,
    /// Where the classes of each kind of words begin; they end where the next one's begin.
    kinds: Vec<u32>,
    /// Kind by kind, ascending.
    class_list: Vec<u32>,
}

/// The words and stems of some phrases, each with a number: its class.
#[derive(Clone, Debug, Default)]
pub(super) struct Classes {
    words: Table,
    stems: Table,
    /// The letters of all words and stems, each with its class.
    letters: Vec<(Is, String, u32)>,
    /// The class of all numbers.
    number: Option<u32>,
    count: u32,
}

/// A number for each of some words: by hash, in a table whose length is a power of two.
#[derive(Clone, Debug, Default)]
struct Table {
    slots: Vec<Slot>,
    count: usize,
}

/// A word is told by its hash, which knows its length, and its first eight letters.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u64,
    head: u64,
    /// Its number; 0 of a free place.
    number: u32,
}

impl Table {
    /// The number of a word; 0 of one that has none.
    fn get(&self, hash: u64, head: u64) -> u32 {
        if self.slots.is_empty() { 0 } else { self.slots[self.place(hash, head)].number }
    }

    /// Gives a word that has none a number.
    fn insert(&mut self, new: Slot) {
        if self.count * 2 >= self.slots.len() {
            let wanted = (self.slots.len() * 2).max(64);
            for old in std::mem::replace(&mut self.slots, vec![Slot::default(); wanted]) {
                if old.number != 0 {
                    let place = self.place(old.hash, old.head);
                    self.slots[place] = old;
                }
            }
        }
        let place = self.place(new.hash, new.head);
        self.slots[place] = new;
        self.count += 1;
    }

    /// The place of a word: its own, or the free one that it would take.
    fn place(&self, hash: u64, head: u64) -> usize {
        let mut place = hash as usize & (self.slots.len() - 1);
        while self.slots[place].number != 0 && (self.slots[place].hash != hash || self.slots[place].head != head) {
            place = (place + 1) & (self.slots.len() - 1);
        }
        place
    }
}

/// A stem as it is compared: its first eight letters at once.
#[derive(Clone, Debug)]
struct Stem {
    head: u64,
    /// Which of the eight it has.
    mask: u64,
    /// The kind of the words that begin with it and with no longer stem, and are no words of the vocabulary themselves.
    kind: u32,
    class: u32,
    letters: Box<str>,
}

impl Stem {
    fn begins(&self, letters: &[u8], head: u64) -> bool {
        (head ^ self.head) & self.mask == 0 && (self.letters.len() <= 8 || letters.starts_with(self.letters.as_bytes()))
    }
}

/// The kind of words that are of no class.
const NOTHING: u32 = 0;

/// Two letters make a beginning, of 26 each; all others are one more.
const BEGINNINGS: usize = 26 * 26 + 1;

impl Vocabulary {
    /// Works out the kinds of words that there are, and how those are spelled that are of some class by themselves.
    pub(super) fn of(classes: &Classes) -> Vocabulary {
        let (mut vocabulary, mut kinds) = (Vocabulary::default(), Kinds::default());
        vocabulary.add_stems(classes, &mut kinds);
        vocabulary.number = kinds.of(&mut classes.number.into_iter().collect());
        vocabulary.add_words(classes, &mut kinds);
        (vocabulary.kinds, vocabulary.class_list) = (kinds.first, kinds.classes);
        vocabulary
    }

    /// The kinds of words, each with its classes.
    pub(super) fn kinds(&self) -> impl Iterator<Item = &[u32]> {
        self.kinds.windows(2).map(|ends| &self.class_list[ends[0] as usize..ends[1] as usize])
    }

    /// The classes of the words of a kind.
    #[inline]
    pub(super) fn classes_of(&self, kind: u32) -> &[u32] {
        &self.class_list[self.kinds[kind as usize] as usize..self.kinds[kind as usize + 1] as usize]
    }

    fn add_words(&mut self, all: &Classes, kinds: &mut Kinds) {
        let mut spellings = Table::default();
        let mut spell = |letters: &str, classes: &mut Vec<u32>| {
            let number = kinds.of(classes);
            spellings.insert(Slot { hash: hash(letters.as_bytes()), head: head(letters.as_bytes()), number });
        };
        let not = all.of(Is::Word, "not");
        let mut classes = Vec::new();
        for (_, word, class) in all.letters.iter().filter(|(is, ..)| *is == Is::Word) {
            words::each_spelling(word, |letters| {
                classes.clear();
                classes.push(*class);
                if letters.starts_with(|c: char| c.is_ascii_digit()) {
                    classes.extend(all.number);
                } else {
                    classes.extend(not.filter(|_| words::is_contracted_not(letters)));
                    classes.extend(self.stems_of(letters));
                }
                spell(letters, &mut classes);
            });
        }
        // The verbs with *not* grown onto them are of its class, be they words of their own or not.
        let others = words::contracted_nots().filter(|letters| all.of(Is::Word, letters).is_none());
        for letters in others.filter(|_| not.is_some()) {
            classes.clear();
            classes.extend(not.into_iter().chain(self.stems_of(&letters)));
            spell(&letters, &mut classes);
        }
        self.spellings = spellings;
    }

    fn add_stems(&mut self, classes: &Classes, kinds: &mut Kinds) {
        let stem = |(_, letters, class): &(Is, String, u32)| {
            let mask = !u64::MAX.checked_shr(8 * letters.len() as u32).unwrap_or(0);
            Stem { head: head(letters.as_bytes()), mask, kind: NOTHING, class: *class, letters: letters.as_str().into() }
        };
        let mut stems: Vec<Stem> = classes.letters.iter().filter(|(is, ..)| *is == Is::Stem).map(stem).collect();
        stems.sort_unstable_by(|a, b| {
            let order = |stem: &Stem| (beginning(stem.head), usize::MAX - stem.letters.len());
            order(a).cmp(&order(b)).then_with(|| a.letters.cmp(&b.letters))
        });
        self.beginnings = (0..=BEGINNINGS).map(|at| stems.partition_point(|stem| beginning(stem.head) < at) as u32).collect();
        self.stems = stems;
        for at in 0..self.stems.len() {
            self.stems[at].kind = kinds.of(&mut self.stems_of(&self.stems[at].letters).collect());
        }
    }

    /// The classes of the stems that some letters begin with.
    fn stems_of<'s>(&'s self, letters: &'s str) -> impl Iterator<Item = u32> + 's {
        let head = head(letters.as_bytes());
        let stems = self.beginning_like(head).iter().filter(move |stem| stem.begins(letters.as_bytes(), head));
        stems.map(|stem| stem.class)
    }

    /// The stems that begin with the same two letters.
    fn beginning_like(&self, head: u64) -> &[Stem] {
        let at = beginning(head);
        self.beginnings.get(at..at + 2).map_or(&[], |ends| &self.stems[ends[0] as usize..ends[1] as usize])
    }

    /// The kinds of the words of a text.
    pub(super) fn know(&self, words: &Words, kinds: &mut Vec<u32>) {
        kinds.clear();
        kinds.extend(words.list().iter().map(|word| self.kind(words, word)));
    }

    fn kind(&self, words: &Words, word: &Word) -> u32 {
        let known = self.spellings.get(word.hash, word.head);
        if known != NOTHING {
            return known;
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
    /// The words and stems of some phrases, and the class of each of their patterns, phrase by phrase; none of any word.
    pub(super) fn of_phrases<'a>(phrases: impl IntoIterator<Item = &'a Phrase>) -> (Classes, Vec<Option<u32>>) {
        let (mut classes, mut of_patterns) = (Classes::default(), Vec::new());
        for phrase in phrases {
            let class = |pattern: &Pattern| classes.add(pattern.is, &phrase.letters[pattern.start as usize..pattern.end as usize]);
            of_patterns.extend(phrase.patterns.iter().map(class));
        }
        (classes, of_patterns)
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }

    fn of(&self, is: Is, letters: &str) -> Option<u32> {
        let table = match is {
            Is::Word => &self.words,
            Is::Stem => &self.stems,
            Is::Number => return self.number,
            Is::Any => return None,
        };
        table.get(hash(letters.as_bytes()), head(letters.as_bytes())).checked_sub(1)
    }

    /// The class of what a place of a phrase may be filled with, known or new; none where that is any word.
    fn add(&mut self, is: Is, letters: &str) -> Option<u32> {
        let table = match is {
            Is::Word => &mut self.words,
            Is::Stem => &mut self.stems,
            Is::Number => return Some(*self.number.get_or_insert_with(|| new(&mut self.count))),
            Is::Any => return None,
        };
        let (hash, head) = (hash(letters.as_bytes()), head(letters.as_bytes()));
        if let Some(class) = table.get(hash, head).checked_sub(1) {
            return Some(class);
        }
        let class = new(&mut self.count);
        table.insert(Slot { hash, head, number: class + 1 });
        self.letters.push((is, letters.to_owned(), class));
        Some(class)
    }
}

/// The next number.
fn new(count: &mut u32) -> u32 {
    *count += 1;
    *count - 1
}

/// The kinds of words that have come up: each is a set of classes.
struct Kinds {
    known: FxHashMap<Vec<u32>, u32>,
    /// By class: the kind of the words that are of no other one; most are.
    alone: Vec<u32>,
    first: Vec<u32>,
    classes: Vec<u32>,
}

impl Default for Kinds {
    fn default() -> Kinds {
        Kinds { known: FxHashMap::from_iter([(Vec::new(), NOTHING)]), alone: Vec::new(), first: vec![0, 0], classes: Vec::new() }
    }
}

impl Kinds {
    /// The kind of words of these classes.
    fn of(&mut self, classes: &mut Vec<u32>) -> u32 {
        if let [class] = classes.as_slice() {
            let class = *class as usize;
            if self.alone.len() <= class {
                self.alone.resize(class + 1, NOTHING);
            }
            if self.alone[class] == NOTHING {
                self.alone[class] = self.add(classes);
            }
            return self.alone[class];
        }
        classes.sort_unstable();
        classes.dedup();
        if let Some(kind) = self.known.get(classes) {
            return *kind;
        }
        let kind = self.add(classes);
        self.known.insert(classes.clone(), kind);
        kind
    }

    fn add(&mut self, classes: &[u32]) -> u32 {
        let kind = self.first.len() as u32 - 1;
        self.classes.extend(classes);
        self.first.push(self.classes.len() as u32);
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
