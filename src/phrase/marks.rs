//! Marks on single words that mean something wherever they stand, such as *because* and *not*.

use crate::phrase::words::hash;

/// Single words in small letters, each with its marks: bits whose meaning is up to the user.
#[derive(Clone, Debug)]
pub struct Marks {
    words: Vec<(&'static str, u16)>,
    /// A table of places in `words`, plus one; its length is a power of two.
    slots: Vec<u16>,
}

impl Marks {
    /// Marks every word of some lists; the words of the list at place `n` bear bit `n`.
    pub fn of(lists: &[&[&'static str]]) -> Marks {
        let count: usize = lists.iter().map(|list| list.len()).sum();
        let mut marks = Marks { words: Vec::new(), slots: vec![0; (count * 4).next_power_of_two()] };
        for (bit, list) in lists.iter().enumerate() {
            for &word in *list {
                let slot = marks.slot(word);
                if let Some(at) = marks.slots[slot].checked_sub(1) {
                    marks.words[usize::from(at)].1 |= 1 << bit;
                } else {
                    marks.words.push((word, 1 << bit));
                    marks.slots[slot] = u16::try_from(marks.words.len()).expect("lists of some hundred words");
                }
            }
        }
        marks
    }

    /// The same for lists that are written as texts, with spaces between the words.
    pub fn of_texts(texts: &[&'static str]) -> Marks {
        let lists: Vec<Vec<&'static str>> = texts.iter().map(|text| text.split_whitespace().collect()).collect();
        Marks::of(&lists.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// The marks of a word; none of one that is in no list.
    pub fn on(&self, word: &str) -> u16 {
        self.slots[self.slot(word)].checked_sub(1).map_or(0, |at| self.words[usize::from(at)].1)
    }

    /// The slot of a word: its own, or the free one that it would take.
    fn slot(&self, word: &str) -> usize {
        let mut slot = hash(word.as_bytes()) as usize & (self.slots.len() - 1);
        while let Some(at) = self.slots[slot].checked_sub(1) {
            if self.words[usize::from(at)].0 == word {
                break;
            }
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
