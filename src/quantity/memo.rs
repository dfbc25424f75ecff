//! Spellings that were looked up lately. A text writes the same few units and the same few nouns over and over; each is
//! worked out once, and from then on costs a look and a count of references.
//!
//! A table of fixed size a thread, in which a later entry takes the place of an earlier one: what is remembered never
//! changes what is read, and a hostile text cannot make it grow.

use std::cell::RefCell;
use std::rc::Rc;

use super::unit::{Sense, Senses};

/// Words that are remembered, as many as a class writes behind its numbers.
const SIZE: usize = 2048;
/// Pairs of factors that are remembered.
const PAIRS_SIZE: usize = 128;
/// Bytes of a word that is remembered.
const LONGEST: usize = 23;

/// A word and what it means.
struct Word {
    len: u8,
    bytes: [u8; LONGEST],
    senses: Senses,
}

/// How two factors of a unit are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Joint {
    /// Whether the second divides.
    pub(super) dividing: bool,
    /// Whether a stroke or `per` stands directly before it.
    pub(super) slashed: bool,
}

/// Two factors and what they make. They are held here, so that no other can take their address meanwhile.
struct Pair {
    left: Senses,
    right: Senses,
    how: Joint,
    made: Option<Senses>,
}

thread_local! {
    static WORDS: RefCell<Vec<Option<Word>>> = RefCell::new(std::iter::repeat_with(|| None).take(SIZE).collect());
    static PAIRS: RefCell<Vec<Option<Pair>>> = RefCell::new(std::iter::repeat_with(|| None).take(PAIRS_SIZE).collect());
}

/// What a word means, by `look` where that is not known.
pub(super) fn word(word: &str, look: fn(&str) -> Vec<Sense>) -> Senses {
    let len = word.len();
    let mut bytes = [0; LONGEST];
    let Some(to) = bytes.get_mut(..len) else { return look(word).into() };
    to.copy_from_slice(word.as_bytes());
    let slot = slot(word.as_bytes());
    WORDS.with_borrow_mut(|words| {
        let known = &mut words[slot];
        match known {
            Some(known) if usize::from(known.len) == len && known.bytes == bytes => Rc::clone(&known.senses),
            _ => {
                let senses: Senses = look(word).into();
                *known = Some(Word { len: len as u8, bytes, senses: Rc::clone(&senses) });
                senses
            }
        }
    })
}

/// Works out what two factors make.
type Make = fn(&[Sense], &[Sense], Joint) -> Option<Vec<Sense>>;

/// What two factors make, by `make` where that is not known.
pub(super) fn joined(left: &Senses, right: &Senses, how: Joint, make: Make) -> Option<Senses> {
    let address = |senses: &Senses| senses.as_ptr() as usize >> 4;
    let slot = (address(left) ^ address(right).wrapping_mul(31) ^ usize::from(how.dividing)) % PAIRS_SIZE;
    PAIRS.with_borrow_mut(|pairs| {
        let known = &mut pairs[slot];
        match known {
            Some(known) if Rc::ptr_eq(&known.left, left) && Rc::ptr_eq(&known.right, right) && known.how == how => known.made.clone(),
            _ => {
                let made: Option<Senses> = make(left, right, how).map(Into::into);
                *known = Some(Pair { left: Rc::clone(left), right: Rc::clone(right), how, made: made.clone() });
                made
            }
        }
    })
}

/// Where a word's entry is.
fn slot(word: &[u8]) -> usize {
    let hash = word.iter().fold(0_u32, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x9E37_79B1).rotate_left(7));
    hash as usize % SIZE
}
