//! The words and stems of many phrases, and which of them a word of a text is.

use crate::phrase::words::{Word, Words, hash, head};

/// Words and stems, each with a number: its class.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    /// The letters of all entries, one after the other.
    letters: String,
    entries: Vec<Entry>,
    /// A table of `entries`; its length is a power of two.
    slots: Vec<Slot>,
    /// The stems, by the letters that they begin with.
    stems: Vec<Stem>,
    /// Where the stems of each beginning start among them.
    beginnings: Vec<u32>,
    /// The class of *not*, to which the verbs with *not* grown onto them belong as well.
    not: Option<u32>,
    /// The class of all numbers.
    number: Option<u32>,
    classes: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    start: u32,
    end: u32,
    class: u32,
    is_stem: bool,
}

/// A place of the table: one entry, and half of its hash, by which nearly every other word is told from it.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    half: u32,
    /// The place among the entries, plus one; 0 of none.
    entry: u32,
}

/// A stem as it is compared: its first eight letters at once.
#[derive(Clone, Copy, Debug)]
struct Stem {
    head: u64,
    /// Which of the eight it has.
    mask: u64,
    entry: Entry,
}

/// Two letters make a beginning, of 26 each; all others are one more.
const BEGINNINGS: usize = 26 * 26 + 1;

impl Vocabulary {
    /// How many classes there are.
    pub(super) fn len(&self) -> usize {
        self.classes as usize
    }

    /// The class of all numbers.
    pub(super) fn number(&mut self) -> u32 {
        if let Some(class) = self.number {
            return class;
        }
        self.number = Some(self.classes);
        self.classes += 1;
        self.classes - 1
    }

    /// The class of a word or a stem.
    pub(super) fn add(&mut self, word: &str, is_stem: bool) -> u32 {
        if (self.entries.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let hash = hash(word.as_bytes());
        let mut slot = self.slot(hash, is_stem);
        while let Some(at) = self.slots[slot].entry.checked_sub(1) {
            let entry = self.entries[at as usize];
            if entry.is_stem == is_stem && self.letters(entry) == word.as_bytes() {
                return entry.class;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let start = self.letters.len() as u32;
        self.letters.push_str(word);
        self.entries.push(Entry { start, end: self.letters.len() as u32, class: self.classes, is_stem });
        self.slots[slot] = Slot { half: half(hash), entry: self.entries.len() as u32 };
        if word == "not" && !is_stem {
            self.not = Some(self.classes);
        }
        self.classes += 1;
        self.classes - 1
    }

    fn grow(&mut self) {
        let wanted = (self.slots.len() * 2).max(64);
        self.slots = vec![Slot::default(); wanted];
        for at in 0..self.entries.len() {
            let entry = self.entries[at];
            let hash = hash(self.letters(entry));
            let mut slot = self.slot(hash, entry.is_stem);
            while self.slots[slot].entry != 0 {
                slot = (slot + 1) & (wanted - 1);
            }
            self.slots[slot] = Slot { half: half(hash), entry: at as u32 + 1 };
        }
    }

    fn slot(&self, hash: u64, is_stem: bool) -> usize {
        (hash as usize).wrapping_add(usize::from(is_stem)) & (self.slots.len() - 1)
    }

    fn letters(&self, entry: Entry) -> &[u8] {
        &self.letters.as_bytes()[entry.start as usize..entry.end as usize]
    }

    /// Sorts the stems, when all are there.
    pub(super) fn finish(&mut self) {
        let stem = |entry: &Entry| {
            let letters = self.letters(*entry);
            Stem { head: head(letters), mask: !u64::MAX.checked_shr(8 * letters.len() as u32).unwrap_or(0), entry: *entry }
        };
        let mut stems: Vec<Stem> = self.entries.iter().filter(|entry| entry.is_stem).map(stem).collect();
        stems.sort_by_key(|stem| beginning(stem.head));
        if !stems.is_empty() {
            self.beginnings = (0..=BEGINNINGS).map(|at| stems.partition_point(|stem| beginning(stem.head) < at) as u32).collect();
        }
        self.stems = stems;
    }

    /// Adds the classes to which a word belongs.
    pub(super) fn classes_of(&self, words: &Words, word: &Word, classes: &mut Vec<u32>) {
        if !self.slots.is_empty() {
            let mut slot = word.key() as usize & (self.slots.len() - 1);
            while let Slot { half, entry: 1.. } = self.slots[slot] {
                if half == self::half(word.key()) {
                    let entry = self.entries[self.slots[slot].entry as usize - 1];
                    if !entry.is_stem && self.letters(entry) == words.folded_letters(word) {
                        classes.push(entry.class);
                        break;
                    }
                }
                slot = (slot + 1) & (self.slots.len() - 1);
            }
        }
        if word.is_number() {
            classes.extend(self.number);
            return;
        }
        // Nearly all of those verbs end so.
        if let Some(not) = self.not
            && words.plain_letters(word).ends_with(b"t")
            && words.is_contracted_not(word)
        {
            classes.push(not);
        }
        let beginning = beginning(word.head);
        let Some([from, to]) = self.beginnings.get(beginning..beginning + 2) else { return };
        for stem in &self.stems[*from as usize..*to as usize] {
            let is_longer = || stem.entry.end - stem.entry.start > 8;
            if (word.head ^ stem.head) & stem.mask == 0 && (!is_longer() || words.plain_letters(word).starts_with(self.letters(stem.entry)))
            {
                classes.push(stem.entry.class);
            }
        }
    }
}

fn half(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// With which letters a word or a stem begins, by its first eight; a stem has at least two.
fn beginning(head: u64) -> usize {
    let letter = |shift: u32| usize::from(((head >> shift) as u8).wrapping_sub(b'a'));
    match (letter(56), letter(48)) {
        (first @ 0..26, second @ 0..26) => first * 26 + second,
        _ => BEGINNINGS - 1,
    }
}
