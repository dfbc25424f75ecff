//! Marks on single words that mean something wherever they stand, such as *because* and *not*.

use crate::phrase::words::{Word, hash, head};

/// Single words in small letters, each with its marks: bits whose meaning is up to the user.
#[derive(Clone, Debug)]
pub struct Marks {
    /// A table by hash; its length is a power of two. A slot without marks is free.
    slots: Vec<Slot>,
}

/// A word is told by its hash, which knows its length, and its first eight letters.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    hash: u64,
    head: u64,
    marks: u64,
}

impl Marks {
    /// Marks every word of some lists; the words of the list at place `n` bear bit `n`.
    pub fn of(lists: &[&[&'static str]]) -> Marks {
        let count: usize = lists.iter().map(|list| list.len()).sum();
        let mut marks = Marks { slots: vec![Slot::default(); (count * 2).next_power_of_two()] };
        for (bit, list) in lists.iter().enumerate() {
            for word in *list {
                let (hash, head) = (hash(word.as_bytes()), head(word.as_bytes()));
                let slot = marks.slot(hash, head);
                marks.slots[slot] = Slot { hash, head, marks: marks.slots[slot].marks | 1 << bit };
            }
        }
        marks
    }

    /// The same for lists that are written as texts, with spaces between the words.
    pub fn of_texts(texts: &[&'static str]) -> Marks {
        let lists: Vec<Vec<&'static str>> = texts.iter().map(|text| text.split_whitespace().collect()).collect();
        Marks::of(&lists.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// The marks of a word in small letters; none of one that is in no list.
    pub fn on(&self, word: &str) -> u64 {
        self.slots[self.slot(hash(word.as_bytes()), head(word.as_bytes()))].marks
    }

    /// The same for a word of a text, as [`Words::plain`](crate::phrase::Words::plain) has it.
    pub fn on_word(&self, word: &Word) -> u64 {
        self.slots[self.slot(word.hash, word.head)].marks
    }

    /// The slot of a word: its own, or the free one that it would take.
    fn slot(&self, hash: u64, head: u64) -> usize {
        let mut slot = hash as usize & (self.slots.len() - 1);
        while self.slots[slot].marks != 0 && (self.slots[slot].hash != hash || self.slots[slot].head != head) {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_bear_the_marks_of_their_lists() {
        let marks = Marks::of(&[&["not", "no"], &["because", "not"]]);
        assert_eq!([marks.on("not"), marks.on("no"), marks.on("because"), marks.on("so"), marks.on("")], [3, 1, 2, 0, 0]);
        let marks = Marks::of_texts(&["not no", "because\n  not"]);
        assert_eq!([marks.on("not"), marks.on("no"), marks.on("because"), marks.on("so"), marks.on("")], [3, 1, 2, 0, 0]);
    }
}
