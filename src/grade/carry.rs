//! Errors carried forward: the reference solver run again with the student's own earlier values.
//!
//! A wrong value costs its points once. Whatever follows from it is judged by what it would be with that value in place of
//! the true one; the ask it came from is named.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::drill::{Ask, AskKind, Drill, NameId, NameSet, ReadingCredit, Values};
use crate::formula::Formula;
use crate::grade::standing::Hit;
use crate::quantity::Number;

/// A student's own value for an ask.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Own {
    /// In SI base units.
    pub(crate) value: Number,
    /// Half a unit in its last written place: it may have been worked on with the digits that were not written.
    pub(crate) half_place: Number,
    /// Whether it is the right value in a poor form: `0.2 s` for 202.7 ms.
    pub(crate) coarse: bool,
    /// Whether it is right: nothing wrong is carried past it.
    pub(crate) right: bool,
    /// Whether an earlier value of the same quantity says otherwise, which is not right either: nobody knows then which of the
    /// two was worked on with.
    pub(crate) in_doubt: bool,
}

impl Own {
    /// A value that is right.
    pub(super) fn right(value: Number) -> Own {
        Own { value, half_place: Number::ZERO, coarse: false, right: true, in_doubt: false }
    }

    /// The value that a statement was understood to state.
    pub(super) fn of(hit: &Hit) -> Own {
        let size = if hit.reading.value.is_zero() { Number::ONE } else { (hit.value / hit.reading.value).abs() };
        let written = &hit.reading.written;
        // Zeros at the end of a whole number may be padding, but seldom hide more than half a percent.
        let padded = (hit.value.abs() * Number::decimal(5, -3)).min_of(written.rounding_place() * size);
        let place = if padded > written.last_place * size { padded } else { written.last_place * size };
        Own { value: hit.value, half_place: place / Number::from(2), coarse: false, right: false, in_doubt: false }
    }
}

/// One way to work an ask out again: with which values, and from whose.
///
/// Most ways lead nowhere, which the floats tell; exact values are worked out only for the others.
#[derive(Clone, Debug)]
pub(crate) struct Way<'d> {
    drill: &'d Drill,
    ask: &'d Ask,
    /// The asks whose own values stand in for the true ones, as places in [`Drill::asks`].
    pub(crate) from: Vec<usize>,
    /// The names that have other values, and those that keep theirs whatever changes.
    others: Vec<Other>,
    /// Everything that is worked out for the ask depends on these names.
    wanted: NameSet,
    /// All values worked out again, and what the ask comes to at least and at most; as soon as somebody wants them exactly.
    exactly: OnceCell<(Values, [Number; 2])>,
    /// The same by floats, where those tell.
    roughly: Option<(Vec<f64>, [f64; 2])>,
    /// Whether all of them are right values in a poor form: such a value is no error, only less exact.
    pub(crate) coarse: bool,
    /// Whether the ask itself is worked out from them, not only one of its mistakes.
    pub(crate) reaches: bool,
    /// Whether one of them contradicts an earlier value of the same quantity.
    pub(crate) in_doubt: bool,
}

/// What all ways to an ask start from.
struct Basis<'d> {
    drill: &'d Drill,
    ask: &'d Ask,
    wanted: NameSet,
    /// The same, each after those that it is worked out from.
    order: Vec<NameId>,
    /// The reference values of all names.
    floats: Vec<f64>,
}

impl<'d> Basis<'d> {
    fn new(drill: &'d Drill, ask: &'d Ask) -> Basis<'d> {
        let wanted = names_in(drill, ask);
        Basis { drill, ask, wanted, order: drill.in_order(&wanted), floats: drill.floats() }
    }
}

/// A name's other value, and how far off that may be for having been rounded.
#[derive(Clone, Copy, Debug)]
struct Other {
    name: NameId,
    value: Number,
    half_place: Number,
}

/// Nearer to zero than this share of its true value, what an ask comes to is not told by floats.
const NEAR_ZERO: f64 = 1e-9;

impl<'d> Way<'d> {
    /// The way with these other values; `None` where the ask comes to nothing with them.
    fn new(basis: &Basis<'d>, others: Vec<Other>) -> Option<Way<'d>> {
        let Basis { drill, ask, wanted, .. } = *basis;
        let (from, exactly) = (Vec::new(), OnceCell::new());
        let mut way = Way { drill, ask, from, others, wanted, exactly, roughly: None, coarse: false, reaches: false, in_doubt: false };
        way.roughly = way.work_out_roughly(basis);
        if way.roughly.is_none() {
            let reference: Number = ask.formula.eval(way.values().slots());
            if !reference.is_finite() || reference.is_zero() {
                return None;
            }
        }
        Some(way)
    }

    fn work_out_roughly(&self, basis: &Basis) -> Option<(Vec<f64>, [f64; 2])> {
        let resolved = |sign: f64| {
            let other = |other: &Other| (other.name, other.value.to_f64() + sign * other.half_place.to_f64());
            self.drill.resolve_roughly(&basis.floats, &basis.order, &self.others.iter().map(other).collect::<Vec<_>>())
        };
        let of_ask = |slots: &[f64]| self.ask.formula.rough(slots);
        let slots = resolved(0.0)?;
        let reference = of_ask(&slots)?;
        let ends = [of_ask(&resolved(-1.0)?)?, of_ask(&resolved(1.0)?)?];
        let told = reference.is_finite() && reference.abs() > NEAR_ZERO * self.ask.formula.value().to_f64().abs();
        let low = ends.iter().fold(reference, |low, end| low.min(*end));
        let high = ends.iter().fold(reference, |high, end| high.max(*end));
        told.then_some((slots, [low, high]))
    }

    fn exactly(&self) -> &(Values, [Number; 2]) {
        self.exactly.get_or_init(|| {
            let resolved = |sign: i32| {
                let other = |other: &Other| (other.name, other.value + other.half_place * Number::from(sign));
                self.drill.resolve_for(&self.wanted, &self.others.iter().map(other).collect::<Vec<_>>())
            };
            let values = resolved(0);
            let reference: Number = self.ask.formula.eval(values.slots());
            // The ends of the rounding are tried one way each; in between a formula of a drill does not turn.
            let ends = [-1, 1].map(|sign| -> Number { self.ask.formula.eval(resolved(sign).slots()) });
            let low = ends.iter().fold(reference, |low, end| low.min_of(*end));
            let high = ends.iter().fold(reference, |high, end| high.max_of(*end));
            (values, [low, high])
        })
    }

    /// All values of the drill's names, worked out again.
    pub(crate) fn values(&self) -> &Values {
        &self.exactly().0
    }

    /// What the ask comes to at least and at most, over what the carried values may have been before rounding.
    pub(crate) fn ends(&self) -> [Number; 2] {
        self.exactly().1
    }

    /// About the same.
    pub(crate) fn rough_ends(&self) -> [f64; 2] {
        self.roughly.as_ref().map_or_else(|| self.ends().map(Number::to_f64), |(_, ends)| *ends)
    }

    /// About what a formula comes to; `None` where a little off may become much.
    pub(crate) fn rough(&self, formula: &Formula) -> Option<f64> {
        formula.rough(&self.roughly.as_ref()?.0)
    }
}

/// So many own values are carried together at most.
const MOST_TOGETHER: usize = 3;
/// So many earlier asks are considered, the nearest ones.
const MOST_ASKS: usize = 6;

/// The ways to work an ask out from a student's own values, the fewest and nearest first. A value is carried that is
/// plausible, and that does not make the ask trivial. Where the student has the right value of an ask in between, nothing is
/// carried past it.
pub(crate) fn ways<'d>(drill: &'d Drill, at: usize, own: &[(usize, Own)]) -> Vec<Way<'d>> {
    let ask = &drill.asks[at];
    let states = |other: &usize| drill.asks[*other].states.filter(|name| *other != at && ask.states != Some(*name));
    let pinned: Vec<NameId> = own.iter().filter(|(_, value)| value.right).filter_map(|(other, _)| states(other)).collect();
    let mut sources: Vec<(usize, NameId, Own)> = own
        .iter()
        .filter(|(_, value)| !value.right)
        .filter_map(|&(from, value)| {
            let source = &drill.asks[from];
            let name = source.states?;
            let mistakes = || ask.mistakes.iter().map(|mistake| &mistake.formula);
            let feeds = from != at && (reaches(drill, ask, name) || use_name(drill, mistakes(), name));
            (feeds && plausible(source, value.value)).then_some((from, name, value))
        })
        .collect();
    if sources.is_empty() {
        return Vec::new();
    }
    // The nearest is the one that the others are worked out for.
    sources.sort_by_key(|(from, name, _)| (!ask.needs.contains(*name), std::cmp::Reverse(upstream(drill, *name)), *from));
    sources.truncate(MOST_ASKS);
    let basis = Basis::new(drill, ask);
    let mut ways = Vec::new();
    for together in 1..=MOST_TOGETHER.min(sources.len()) {
        for chosen in subsets(sources.len(), together) {
            let chosen: Vec<_> = chosen.iter().map(|&place| sources[place]).collect();
            ways.extend(way(&basis, &chosen, &pinned));
        }
    }
    ways
}

/// By ask: the asks whose own values may be carried to it, or keep others from being carried past them.
pub(crate) fn bearing(drill: &Drill) -> Vec<BTreeSet<usize>> {
    let bears = |other: usize, at: usize| {
        let ask = &drill.asks[at];
        drill.asks[other].states.is_some_and(|name| other != at && (ask.states == Some(name) || names_in(drill, ask).contains(name)))
    };
    (0..drill.asks.len()).map(|at| (0..drill.asks.len()).filter(|other| bears(*other, at)).collect()).collect()
}

/// The names from which an ask is worked out, and its readings, its mistakes, the ends of its range.
fn names_in(drill: &Drill, ask: &Ask) -> NameSet {
    let readings = ask.readings.iter().map(|reading| &reading.formula);
    let mistakes = ask.mistakes.iter().map(|mistake| &mistake.formula);
    let ends = match &ask.kind {
        AskKind::Range(interval) => vec![&interval.low, &interval.high],
        AskKind::Value | AskKind::Count => Vec::new(),
    };
    drill.names_in(std::iter::once(&ask.formula).chain(readings).chain(mistakes).chain(ends))
}

/// Whether formulas are worked out from a name.
fn use_name<'f>(drill: &Drill, mut formulas: impl Iterator<Item = &'f Formula>, name: NameId) -> bool {
    formulas.any(|formula| formula.slots().any(|slot| slot == name.0 || drill.names[slot].needs.contains(name)))
}

/// Whether an ask, or a reading of it that needs no label, is worked out from a name.
fn reaches(drill: &Drill, ask: &Ask, name: NameId) -> bool {
    let readings = ask.readings.iter().filter(|reading| reading.credit == ReadingCredit::Full).map(|reading| &reading.formula);
    ask.needs.contains(name) || ask.states == Some(name) || use_name(drill, readings, name)
}

/// How many names a name is worked out from.
fn upstream(drill: &Drill, name: NameId) -> usize {
    drill.names[name.0].needs.iter().count()
}

/// Whether a value can be carried: not zero, of the same sign, and not too far from the truth to be meant.
fn plausible(source: &Ask, value: Number) -> bool {
    let truth = source.formula.value();
    if !value.is_finite() || value.is_zero() || truth.is_zero() || value.is_negative() != truth.is_negative() {
        return false;
    }
    let ratio = (value / truth).abs();
    ratio <= source.plausible && Number::ONE / ratio <= source.plausible
}

fn way<'d>(basis: &Basis<'d>, chosen: &[(usize, NameId, Own)], pinned: &[NameId]) -> Option<Way<'d>> {
    let Basis { drill, ask, .. } = *basis;
    // Two values for one name, or one that is worked out from another: the first says all.
    for (place, (_, name, _)) in chosen.iter().enumerate() {
        let others = chosen.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, (_, other, _))| *other);
        for other in others {
            if other == *name {
                return None;
            }
        }
    }
    let right = pinned.iter().filter(|name| !chosen.iter().any(|(_, other, _)| other == *name));
    let right = right.map(|&name| Other { name, value: drill.reference.get(name), half_place: Number::ZERO });
    let own = chosen.iter().map(|&(_, name, own)| Other { name, value: own.value, half_place: own.half_place });
    let way = Way::new(basis, own.chain(right).collect())?;
    let coarse = chosen.iter().all(|(.., own)| own.coarse);
    let reaches = chosen.iter().all(|(_, name, _)| reaches(drill, ask, *name));
    let in_doubt = chosen.iter().any(|(.., own)| own.in_doubt);
    Some(Way { from: chosen.iter().map(|(from, ..)| *from).collect(), coarse, reaches, in_doubt, ..way })
}

/// What an ask comes to with all the wrong values that are stated for its operands, whether or not it was worked out from
/// them; `None` where none of them is wrong.
pub(crate) fn with_operands<'d>(drill: &'d Drill, at: usize, operands: &[usize], own: &[(usize, Own)]) -> Option<Way<'d>> {
    let stated = |right: bool| {
        let of = own.iter().filter(move |(from, value)| operands.contains(from) && value.right == right && !value.coarse);
        of.filter_map(|&(from, value)| Some((from, drill.asks[from].states?, value)))
    };
    let mut chosen: Vec<(usize, NameId, Own)> = Vec::new();
    for one in stated(false) {
        if !chosen.iter().any(|(_, name, _)| *name == one.1) {
            chosen.push(one);
        }
    }
    let pinned: Vec<NameId> = stated(true).map(|(_, name, _)| name).collect();
    let ask = &drill.asks[at];
    if chosen.is_empty() { None } else { way(&Basis::new(drill, ask), &chosen, &pinned) }
}

/// All choices of `size` places out of `count`, in order.
fn subsets(count: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    (0..count)
        .flat_map(|first| {
            let rest = subsets(count - first - 1, size - 1);
            rest.into_iter().map(move |rest| std::iter::once(first).chain(rest.into_iter().map(|place| place + first + 1)).collect())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drill::Library;

    #[test]
    fn floats_tell_of_a_way_what_exact_values_do() {
        let drill = Library::built_in().load("communication-budget").expect("it is built in");
        let (mut known, mut all) = (0, 0);
        for (from, source) in drill.asks.iter().enumerate().filter(|(_, ask)| ask.states.is_some()) {
            for factor in [Number::from(2), Number::decimal(97, -2), Number::decimal(1, 3)] {
                let value = source.formula.value() * factor;
                let half_place = value.abs() * Number::decimal(1, -3);
                let own = [(from, Own { value, half_place, coarse: false, right: false, in_doubt: false })];
                for way in (0..drill.asks.len()).flat_map(|at| ways(&drill, at, &own)) {
                    let near = |rough: f64, exact: Number| (rough - exact.to_f64()).abs() <= 1e-9 * exact.to_f64().abs();
                    assert!(way.rough_ends().into_iter().zip(way.ends()).all(|(rough, exact)| near(rough, exact)), "{way:?}");
                    let rough = way.rough(&way.ask.formula);
                    let exact: Number = way.ask.formula.eval(way.values().slots());
                    assert!(rough.is_none_or(|rough| near(rough, exact)), "{way:?}");
                    known += usize::from(rough.is_some());
                    all += 1;
                }
            }
        }
        assert!(all > 100 && 10 * known > 9 * all, "{known} of {all} are told by floats");
    }

    #[test]
    fn what_bears_on_an_ask_is_what_it_is_worked_out_from() {
        let drill = Library::built_in().load("communication-budget").expect("it is built in");
        let at = |id: &str| drill.ask(id).expect("it is asked");
        let bearing = bearing(&drill);
        assert!(bearing[at("b.total")].contains(&at("b.latency")) && bearing[at("b.bandwidth")].contains(&at("a.bytes")));
        assert!(!bearing[at("b.latency")].contains(&at("b.bandwidth")) && !bearing[at("a.bytes")].contains(&at("b.total")));
        // Nothing else changes what ways there are.
        for (ask, bearing) in bearing.iter().enumerate() {
            let others = drill.asks.iter().enumerate().filter(|(other, _)| !bearing.contains(other));
            let own = |(from, source): (usize, &Ask)| {
                let value = source.formula.value() * Number::from(2);
                (from, Own { value, half_place: Number::ZERO, coarse: false, right: false, in_doubt: false })
            };
            assert!(ways(&drill, ask, &others.map(own).collect::<Vec<_>>()).is_empty(), "{}", drill.asks[ask].id);
        }
    }

    #[test]
    fn subsets_come_in_order() {
        assert_eq!(subsets(3, 2), [vec![0, 1], vec![0, 2], vec![1, 2]]);
        assert_eq!(subsets(2, 3), Vec::<Vec<usize>>::new());
    }
}
