//! With which two words phrases begin, and which those phrases are.

use crate::phrase::Groups;

/// The phrases that begin with each pair of words.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairs {
    /// By hash, in a table whose length is a power of two.
    slots: Vec<Slot>,
    /// Pair by pair.
    nexts: Vec<Next>,
}

/// Where the phrases of a pair are.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    start: u32,
    /// One past the last; 0 of a free place.
    end: u32,
}

/// A phrase that may go on with the second word of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) phrase: u32,
    pub(super) groups: Groups,
    /// The places that the second word takes.
    pub(super) places: u64,
    /// The marks of the words that may come third: nearly always it tells that the phrase does not stand here.
    pub(super) third: u64,
    /// Whether the second word does not stand behind a comma.
    pub(super) is_beside: bool,
    /// Whether the two words are all of it.
    pub(super) is_whole: bool,
}

impl Pairs {
    /// Puts pairs in order: the numbers of the two words, and the phrase; these come in theirs.
    pub(super) fn of(pairs: &[(u32, u32, Next)]) -> Pairs {
        let mut order: Vec<(u64, u32)> = pairs.iter().zip(0..).map(|((first, second, _), at)| (key(*first, *second), at)).collect();
        order.sort_unstable();
        let different = order.chunk_by(|a, b| a.0 == b.0).count();
        let mut slots = vec![Slot::default(); (different * 2).next_power_of_two()];
        let mut start = 0;
        for pair in order.chunk_by(|a, b| a.0 == b.0) {
            let (key, end) = (pair[0].0, start + pair.len() as u32);
            let place = place(&slots, key);
            slots[place] = Slot { key, start, end };
            start = end;
        }
        Pairs { slots, nexts: order.into_iter().map(|(_, at)| pairs[at as usize].2).collect() }
    }

    /// The phrases that begin with two words.
    #[inline]
    pub(super) fn of_two(&self, first: u32, second: u32) -> &[Next] {
        let slot = &self.slots[place(&self.slots, key(first, second))];
        &self.nexts[slot.start as usize..slot.end as usize]
    }
}

fn key(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// The place of a pair: its own, or the free one that it would take.
#[inline]
fn place(slots: &[Slot], key: u64) -> usize {
    let mask = slots.len() - 1;
    let mut place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
    while slots[place].end != 0 && slots[place].key != key {
        place = (place + 1) & mask;
    }
    place
}
