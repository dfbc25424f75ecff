//! Runs of words: whether a sentence is taken over from somebody else's text, word by word.

use crate::phrase::words::{Word, Words};

/// How many words a run has. Two people who write about the same thing share shorter ones.
const RUN: usize = 5;

/// The runs of some texts.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// In ascending order.
    known: Vec<u64>,
    /// A bit for the end of each of them: most runs of a text are told by it to be none of these.
    marked: Vec<u64>,
}

/// Bits of [`Runs::marked`].
const MARKED: usize = 1 << 16;

impl Runs {
    /// Adds the runs of a text.
    pub fn add(&mut self, text: &str) {
        let words = Words::of(text);
        self.marked.resize(MARKED / 64, 0);
        let before = self.known.len();
        for sentence in words.list().chunk_by(|a, b| a.sentence == b.sentence) {
            let keys: Vec<u64> = sentence.iter().filter_map(key).collect();
            self.known.extend(keys.windows(RUN).map(joined));
        }
        for run in &self.known[before..] {
            let bit = *run as usize % MARKED;
            self.marked[bit / 64] |= 1 << (bit % 64);
        }
        self.known.sort_unstable();
        self.known.dedup();
    }

    fn knows(&self, run: u64) -> bool {
        let bit = run as usize % MARKED;
        self.marked.get(bit / 64).is_some_and(|bits| bits & 1 << (bit % 64) != 0) && self.known.binary_search(&run).is_ok()
    }

    /// Which of some texts' runs nearly all of a sentence is made of, by the keys of its `words`. One that is too short to tell
    /// is made of none: what everybody would say in so few words is nobody's.
    pub fn hold<const N: usize>(of: [&Runs; N], words: usize, keys: impl Iterator<Item = u64>) -> [bool; N] {
        let all = (words + 1).saturating_sub(RUN);
        if all < 3 {
            return [false; N];
        }
        // So many runs may be unknown: most sentences have more among their first ones.
        let spare = all * 3 / 10;
        let mut unknown = [0; N];
        let mut run = [0; RUN];
        for (at, key) in keys.enumerate() {
            let [_, after @ ..] = run;
            run[..RUN - 1].copy_from_slice(&after);
            run[RUN - 1] = key;
            if at + 1 < RUN {
                continue;
            }
            let run = joined(&run);
            for (unknown, runs) in unknown.iter_mut().zip(of) {
                *unknown += usize::from(!runs.knows(run));
            }
            if unknown.iter().all(|unknown| *unknown > spare) {
                return [false; N];
            }
        }
        unknown.map(|unknown| unknown <= spare)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

/// What a word is compared by; nothing for a number or a sign, which change with the values.
pub fn key(word: &Word) -> Option<u64> {
    word.is_word().then_some(word.key())
}

fn joined(run: &[u64]) -> u64 {
    run.iter().fold(0, |all, word| (all.rotate_left(7) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copied_sentence_is_known_again() {
        let mut runs = Runs::default();
        runs.add("The volume is unchanged, because the two halves of the all-reduce together move 2.6 GB. Nothing else.");
        for (text, copied) in [
            ("the volume is unchanged because the two halves of the all-reduce together move 5 GB", true),
            ("The volume is unchanged because the two halves of an all-reduce move the same", false),
            ("Nothing else.", false),
            ("", false),
        ] {
            let words = Words::of(text);
            let keys = || words.list().iter().filter_map(key);
            assert_eq!(Runs::hold([&runs], keys().count(), keys()), [copied], "{text}");
        }
    }
}
