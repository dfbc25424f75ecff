//! Values of a drill's names, and working them out again when one of them is another.

use crate::quantity::Number;

/// The most names a drill may have.
pub(super) const MOST_NAMES: usize = 256;

/// A name of a drill, as its place in [`Drill::names`](super::Drill::names).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub usize);

/// A set of a drill's names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameSet([u64; MOST_NAMES / 64]);

impl NameSet {
    /// Puts a name in.
    pub fn insert(&mut self, name: NameId) {
        self.0[name.0 / 64] |= 1 << (name.0 % 64);
    }

    /// Whether a name is in.
    pub fn contains(&self, name: NameId) -> bool {
        self.0.get(name.0 / 64).is_some_and(|word| word >> (name.0 % 64) & 1 == 1)
    }

    /// What is in either.
    #[must_use]
    pub fn union(self, other: NameSet) -> NameSet {
        NameSet(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    /// Whether a name is in both.
    pub fn meets(&self, other: &NameSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// The names, in order.
    pub fn iter(&self) -> impl Iterator<Item = NameId> {
        let set = *self;
        (0..MOST_NAMES).map(NameId).filter(move |name| set.contains(*name))
    }
}

impl FromIterator<NameId> for NameSet {
    fn from_iter<I: IntoIterator<Item = NameId>>(names: I) -> NameSet {
        let mut set = NameSet::default();
        for name in names {
            set.insert(name);
        }
        set
    }
}

/// A value for every name of a drill, in SI base units.
#[derive(Clone, Debug, PartialEq)]
pub struct Values(pub(super) Vec<Number>);

impl Values {
    /// The value of a name.
    pub fn get(&self, name: NameId) -> Number {
        self.0[name.0]
    }

    /// All values, by the place of their names.
    pub fn slots(&self) -> &[Number] {
        &self.0
    }
}
