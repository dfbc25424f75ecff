//! The names that a formula may use.

use super::lex::is_word;

/// The names that a formula may use, as a set that is asked about nearly every word of an answer.
#[derive(Clone, Debug, Default)]
pub struct KnownNames {
    /// In the order of their marks.
    all: Vec<(u16, String)>,
    /// A bit for each mark: most words are told by it to be none.
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
            && !self.contains(&name)
        {
            self.odd.push(name.clone());
            if !self.signs.contains(&sign) {
                self.signs.push(sign);
            }
        }
        if self.contains(&name) {
            return;
        }
        self.marked.resize(MARKED / 64, 0);
        let mark = mark(&name);
        self.marked[usize::from(mark) / 64] |= 1 << (mark % 64);
        self.all.insert(self.all.partition_point(|known| known.0 <= mark), (mark, name));
    }

    /// Whether this is one.
    pub fn contains(&self, name: &str) -> bool {
        let mark = mark(name);
        if self.marked.get(usize::from(mark) / 64).is_none_or(|marks| marks >> (mark % 64) & 1 == 0) {
            return false;
        }
        let first = self.all.partition_point(|known| known.0 < mark);
        self.all[first..].iter().take_while(|known| known.0 == mark).any(|known| known.1 == name)
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

/// The mark of a name, made of its ends and its length.
fn mark(name: &str) -> u16 {
    let [first, .., last] = name.as_bytes() else { return name.bytes().map(u16::from).sum() };
    (usize::from(*first) * 64 + usize::from(*last) * 5 + name.len() * 37) as u16 % MARKED as u16
}

impl FromIterator<String> for KnownNames {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> KnownNames {
        let mut set = KnownNames::default();
        names.into_iter().for_each(|name| set.insert(name));
        set
    }
}
