//! Values of a drill's names, and working them out again when one of them is another.

use std::collections::BTreeMap;

use super::{Drill, Origin};
use crate::formula::{self, Arithmetic, Expr, Formula, Symbol};
use crate::quantity::{Number, Quantity};

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
    #[inline]
    pub fn insert(&mut self, name: NameId) {
        self.0[name.0 / 64] |= 1 << (name.0 % 64);
    }

    /// Whether a name is in.
    #[inline]
    pub fn contains(&self, name: NameId) -> bool {
        self.0.get(name.0 / 64).is_some_and(|word| word >> (name.0 % 64) & 1 == 1)
    }

    /// What is in either.
    #[must_use]
    #[inline]
    pub fn union(self, other: NameSet) -> NameSet {
        NameSet(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    /// What is in both.
    #[must_use]
    #[inline]
    pub fn intersection(self, other: NameSet) -> NameSet {
        NameSet(std::array::from_fn(|at| self.0[at] & other.0[at]))
    }

    /// What is in this one alone.
    #[must_use]
    #[inline]
    pub fn without(self, other: NameSet) -> NameSet {
        NameSet(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    /// Whether a name is in both.
    #[inline]
    pub fn meets(&self, other: &NameSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// The names, in order.
    pub fn iter(&self) -> impl Iterator<Item = NameId> {
        self.0.into_iter().enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(NameId(64 * word + bit))
            })
        })
    }
}

impl From<NameId> for NameSet {
    fn from(name: NameId) -> NameSet {
        let mut set = NameSet::default();
        set.insert(name);
        set
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

impl Drill {
    /// The values when some names are something else than the reference says: a student's own earlier value, another
    /// given. Only what is worked out from them is worked out again.
    pub fn resolve(&self, others: &[(NameId, Number)]) -> Values {
        let mut values = self.reference.clone();
        self.resolve_into(&mut values.0, others);
        values
    }

    /// The names that some formulas are worked out from.
    pub fn names_in<'f>(&self, formulas: impl Iterator<Item = &'f Formula>) -> NameSet {
        let mut wanted = NameSet::default();
        for slot in formulas.flat_map(Formula::slots) {
            if !wanted.contains(NameId(slot)) {
                wanted.insert(NameId(slot));
                wanted = wanted.union(self.names[slot].needs);
            }
        }
        wanted
    }

    /// The same as far as some names are concerned: all others keep their values.
    pub fn resolve_for(&self, wanted: &NameSet, others: &[(NameId, Number)]) -> Values {
        let mut values = self.reference.clone();
        self.resolve_among(&mut values.0, others, |name| wanted.contains(name));
        values
    }

    /// The same where it is known which names are affected; they come each after those that it is worked out from, and all others
    /// have their values already.
    pub fn resolve_affected(
        &self,
        values: &mut Values,
        affected: impl Iterator<Item = NameId>,
        others: impl Iterator<Item = (NameId, Number)>,
    ) {
        others.for_each(|(name, value)| values.0[name.0] = value);
        affected.for_each(|name| values.0[name.0] = self.names[name.0].formula.eval(&values.0));
    }

    /// Some names, each after those that it is worked out from.
    pub fn in_order(&self, names: &NameSet) -> Vec<NameId> {
        self.order.iter().copied().filter(|name| names.contains(*name)).collect()
    }

    /// [`resolve`](Drill::resolve) on values of any kind, without asking for memory: `slots` holds the reference, or the outcome of an
    /// earlier call with the same names, and takes the new values.
    pub fn resolve_into<N: Arithmetic>(&self, slots: &mut [N], others: &[(NameId, N)]) {
        self.resolve_among(slots, others, |_| true);
    }

    fn resolve_among<N: Arithmetic>(&self, slots: &mut [N], others: &[(NameId, N)], is_wanted: impl Fn(NameId) -> bool) {
        let mut changed = NameSet::default();
        for (name, value) in others {
            slots[name.0] = *value;
            changed.insert(*name);
        }
        for name in &self.order {
            let this = &self.names[name.0];
            if is_wanted(*name) && !changed.contains(*name) && this.needs.meets(&changed) {
                slots[name.0] = this.formula.eval(slots);
            }
        }
    }

    /// The reference values as floats, to start [`resolve_into`](Drill::resolve_into) from.
    pub fn floats(&self) -> Vec<f64> {
        self.reference.0.iter().map(|value| value.to_f64()).collect()
    }

    /// The same drill with other givens or assumptions: everything is worked out anew, asks, readings and mistakes too.
    #[must_use]
    pub fn with(&self, others: &[(NameId, Number)]) -> Drill {
        let mut drill = self.clone();
        drill.reference = self.resolve(others);
        let slots = &drill.reference.0;
        for (slot, name) in drill.names.iter_mut().enumerate() {
            match others.iter().find(|(other, _)| other.0 == slot) {
                Some((_, value)) => name.formula.set(*value, &drill.units),
                None => name.formula.solve(slots),
            }
        }
        for ask in &mut drill.asks {
            ask.altered = Default::default();
            let ends = match &mut ask.kind {
                super::AskKind::Range(interval) => vec![&mut interval.low, &mut interval.high],
                super::AskKind::Value | super::AskKind::Count => Vec::new(),
            };
            let readings = ask.readings.iter_mut().map(|reading| &mut reading.formula);
            let mistakes = ask.mistakes.iter_mut().map(|mistake| &mut mistake.formula);
            for formula in ends.into_iter().chain(readings).chain(mistakes).chain([&mut ask.formula]) {
                formula.solve(slots);
            }
        }
        drill.fill_in();
        drill
    }

    /// What an expression comes to with these values, where its dimensions and names make sense: a student's work, a
    /// formula that was changed.
    pub fn evaluate(&self, expr: &Expr, values: &Values) -> Option<Quantity> {
        formula::evaluate(expr, self.scope(), values.slots())
    }

    /// An expression with every let replaced by what it is worked out from, down to the givens.
    pub fn expanded(&self, expr: &Expr) -> Expr {
        let expanded = expr.substituted(&|name| {
            let found = &self.names[self.name(name)?.0];
            (found.origin == Origin::Let).then(|| self.expanded(found.formula.expr()))
        });
        // Where names need each other many times over, the whole would grow beyond use.
        if expanded.size() > 4 * MOST_NAMES { expr.clone() } else { expanded }
    }

    /// Learns what students may write for the names: where one spelling would mean two of them, it means none.
    pub(super) fn learn_symbols(&mut self) {
        let symbol = |name: NameId| {
            let formula = &self.names[name.0].formula;
            Symbol { slot: name.0, dimension: formula.value().is_finite().then_some(formula.dimension()) }
        };
        let own = self.names.iter().enumerate().map(|(slot, name)| (name.name.clone(), NameId(slot)));
        let own: BTreeMap<String, NameId> = own.collect();
        let mut others: BTreeMap<&str, Option<NameId>> = BTreeMap::new();
        let of_names = self.names.iter().enumerate().flat_map(|(slot, name)| name.symbols.iter().map(move |symbol| (symbol, NameId(slot))));
        let of_asks = self.asks.iter().filter_map(|ask| Some((ask, ask.states?)));
        let of_asks = of_asks.flat_map(|(ask, name)| ask.symbols.iter().map(move |symbol| (symbol, name)));
        for (spelling, name) in of_names.chain(of_asks).filter(|(spelling, _)| !own.contains_key(*spelling)) {
            let meant = others.entry(spelling).or_insert(Some(name));
            if *meant != Some(name) {
                *meant = None;
            }
        }
        let others = others.into_iter().filter_map(|(spelling, name)| Some((spelling.to_owned(), name?)));
        self.symbols = others.chain(own).map(|(spelling, name)| (spelling, symbol(name))).collect();
        self.words = self.symbols.keys().cloned().collect();
    }
}
