//! The names that a formula may use.

use std::collections::HashSet;

use super::lex::is_word;

/// The names that a formula may use, as a set that is asked about nearly every word of an answer.
#[derive(Clone, Debug, Default)]
pub struct KnownNames {
    all: HashSet<String>,
    /// A bit for each of them, by its ends and its length: most words are told by it to be none.
    marked: Vec<u64>,
    /// Those that are no words, such as `S*`, which have to be known before a text can be cut.
    odd: Vec<String>,
    /// The first character of each of these that stands in no word.
    signs: Vec<char>,
}

impl KnownNames {
    /// Adds a name.
    pub fn insert(&mut self, name: String) {
        if let Some(sign) = name.chars().find(|c| !is_word(*c))
            && !self.all.contains(&name)
        {
            self.odd.push(name.clone());
            if !self.signs.contains(&sign) {
                self.signs.push(sign);
            }
        }
        self.marked.resize(MARKED / 64, 0);
        let mark = mark(&name);
        self.marked[mark / 64] |= 1 << (mark % 64);
        self.all.insert(name);
    }

    /// Whether this is one.
    pub fn contains(&self, name: &str) -> bool {
        let mark = mark(name);
        self.marked.get(mark / 64).is_some_and(|marks| marks >> (mark % 64) & 1 != 0) && self.all.contains(name)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Those that are no words and with which a text begins.
    pub(super) fn odd_at<'n>(&'n self, text: &str) -> impl Iterator<Item = &'n str> {
        // Most texts go on behind their first word as none of these does.
        let sign = text.chars().find(|c| !is_word(*c)).filter(|sign| self.signs.contains(sign));
        let odd = if sign.is_some() { &self.odd[..] } else { &[] };
        let first = text.as_bytes().first();
        odd.iter().map(String::as_str).filter(move |name| name.as_bytes().first() == first && text.starts_with(name))
    }
}

/// Bits of [`KnownNames::marked`].
const MARKED: usize = 1 << 12;

/// Which bit is that of a name.
fn mark(name: &str) -> usize {
    let [first, .., last] = name.as_bytes() else { return name.bytes().map(usize::from).sum() };
    (usize::from(*first) * 64 + usize::from(*last) * 5 + name.len() * 37) % MARKED
}

impl FromIterator<String> for KnownNames {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> KnownNames {
        let mut set = KnownNames::default();
        names.into_iter().for_each(|name| set.insert(name));
        set
    }
}
