//! Errors carried forward: the reference solver run again with the student's own earlier values.
//!
//! A wrong value costs its points once. Whatever follows from it is judged by what it would be with that value in place of
//! the true one; the ask it came from is named.

use std::cell::OnceCell;

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
    /// All values worked out again, as soon as somebody wants them exactly.
    exactly: OnceCell<Values>,
    /// What the ask comes to at least and at most, likewise.
    exact_ends: OnceCell<[Number; 2]>,
    /// The same by floats, where those tell.
    roughly: Option<(Vec<f64>, [f64; 2])>,
    /// Whether all of them are right values in a poor form: such a value is no error, only less exact.
    pub(crate) coarse: bool,
    /// Whether the ask itself is worked out from them, not only one of its mistakes.
    pub(crate) reaches: bool,
    /// Whether one of them contradicts an earlier value of the same quantity.
    pub(crate) in_doubt: bool,
}

/// By which names a student's own values are carried to the asks of a drill: what all answers to it have in common.
#[derive(Debug)]
pub(crate) struct Routes<'d> {
    /// The drill.
    pub(crate) drill: &'d Drill,
    /// The reference values of all names.
    floats: Vec<f64>,
    /// By name: how many names it is worked out from.
    upstream: Vec<usize>,
    /// By name: the names that are worked out from it.
    downstream: Vec<NameSet>,
    /// By ask: how it is reached.
    to: Vec<Route>,
}

/// How an ask is reached.
#[derive(Debug)]
struct Route {
    /// The names from which it is worked out, and its readings, its mistakes, the ends of its range.
    wanted: NameSet,
    /// The same, each after those that it is worked out from.
    order: Vec<NameId>,
    /// The name that it states, and those from which it is worked out or a reading of it that needs no label.
    reaching: NameSet,
    /// The same with those from which its mistakes are worked out.
    feeding: NameSet,
    /// By ask: whether an own value for that may be carried here, or keeps others from being carried past it.
    bearing: Vec<bool>,
}

impl<'d> Routes<'d> {
    /// The routes of a drill.
    pub(crate) fn new(drill: &'d Drill) -> Routes<'d> {
        let upstream = drill.names.iter().map(|name| name.needs.iter().count()).collect();
        let from = |name: NameId| (0..drill.names.len()).map(NameId).filter(|other| drill.names[other.0].needs.contains(name)).collect();
        let downstream = (0..drill.names.len()).map(|name| from(NameId(name))).collect();
        let to = (0..drill.asks.len()).map(|at| Route::new(drill, at)).collect();
        Routes { drill, floats: drill.floats(), upstream, downstream, to }
    }

    /// Whether an own value for one ask may be carried to another, or keeps others from being carried past it.
    pub(crate) fn bears(&self, from: usize, at: usize) -> bool {
        self.to[at].bearing[from]
    }
}

impl Route {
    fn new(drill: &Drill, at: usize) -> Route {
        let ask = &drill.asks[at];
        let full = ask.readings.iter().filter(|reading| reading.credit == ReadingCredit::Full).map(|reading| &reading.formula);
        let reaching = ask.needs.union(ask.states.into_iter().collect()).union(drill.names_in(full));
        let feeding = reaching.union(drill.names_in(ask.mistakes.iter().map(|mistake| &mistake.formula)));
        let wanted = names_in(drill, ask);
        let bears = |other: usize| drill.asks[other].states.is_some_and(|name| ask.states == Some(name) || wanted.contains(name));
        let bearing = (0..drill.asks.len()).map(|other| other != at && bears(other)).collect();
        Route { wanted, order: drill.in_order(&wanted), reaching, feeding, bearing }
    }
}

/// A name's other value, and how far off that may be for having been rounded.
#[derive(Clone, Copy, Debug)]
struct Other {
    name: NameId,
    value: Number,
    half_place: Number,
    /// The floats of both.
    roughly: [f64; 2],
}

impl Other {
    fn new(name: NameId, value: Number, half_place: Number) -> Other {
        Other { name, value, half_place, roughly: [value.to_f64(), half_place.to_f64()] }
    }
}

/// Nearer to zero than this share of its true value, what an ask comes to is not told by floats.
const NEAR_ZERO: f64 = 1e-9;

impl<'d> Way<'d> {
    /// The way with these other values; `None` where the ask comes to nothing with them.
    fn new(routes: &Routes<'d>, at: usize, others: Vec<Other>) -> Option<Way<'d>> {
        let (drill, ask, wanted) = (routes.drill, &routes.drill.asks[at], routes.to[at].wanted);
        let (from, exactly, exact_ends) = (Vec::new(), OnceCell::new(), OnceCell::new());
        let (coarse, reaches, in_doubt) = (false, false, false);
        let mut way = Way { drill, ask, from, others, wanted, exactly, exact_ends, roughly: None, coarse, reaches, in_doubt };
        way.roughly = way.work_out_roughly(routes, &routes.to[at].order);
        if way.roughly.is_none() {
            let reference: Number = ask.formula.eval(way.values().slots());
            if !reference.is_finite() || reference.is_zero() {
                return None;
            }
        }
        Some(way)
    }

    /// From the reference values of all names, of which those that matter to the ask have to be worked out in this order.
    fn work_out_roughly(&self, routes: &Routes, order: &[NameId]) -> Option<(Vec<f64>, [f64; 2])> {
        let changed: NameSet = self.others.iter().map(|other| other.name).collect();
        let follows = self.others.iter().fold(NameSet::default(), |all, other| all.union(routes.downstream[other.name.0]));
        let affected = order.iter().copied().filter(|name| follows.contains(*name) && !changed.contains(*name));
        let affected: Vec<NameId> = affected.collect();
        let mut slots = routes.floats.clone();
        // Each time the same names are worked out again, so that nothing is left of the time before.
        let mut resolve = |sign: f64| {
            for Other { name, roughly: [value, half_place], .. } in &self.others {
                slots[name.0] = value + sign * half_place;
            }
            for name in &affected {
                slots[name.0] = self.drill.names[name.0].formula.rough(&slots)?;
            }
            self.ask.formula.rough(&slots)
        };
        let ends = [resolve(-1.0)?, resolve(1.0)?];
        let reference = resolve(0.0)?;
        let told = reference.is_finite() && reference.abs() > NEAR_ZERO * self.ask.formula.float().abs();
        let low = ends.iter().fold(reference, |low, end| low.min(*end));
        let high = ends.iter().fold(reference, |high, end| high.max(*end));
        told.then_some((slots, [low, high]))
    }

    /// All values with the own ones at one end of what they were rounded from, or as they are written.
    fn resolved(&self, sign: i32) -> Values {
        let other = |other: &Other| (other.name, other.value + other.half_place * Number::from(sign));
        self.drill.resolve_for(&self.wanted, &self.others.iter().map(other).collect::<Vec<_>>())
    }

    /// All values of the drill's names, worked out again.
    pub(crate) fn values(&self) -> &Values {
        self.exactly.get_or_init(|| self.resolved(0))
    }

    /// What the ask comes to at least and at most, over what the carried values may have been before rounding.
    pub(crate) fn ends(&self) -> [Number; 2] {
        *self.exact_ends.get_or_init(|| {
            let reference: Number = self.ask.formula.eval(self.values().slots());
            // The ends of the rounding are tried one way each; in between a formula of a drill does not turn.
            let ends = [-1, 1].map(|sign| -> Number { self.ask.formula.eval(self.resolved(sign).slots()) });
            let low = ends.iter().fold(reference, |low, end| low.min_of(*end));
            let high = ends.iter().fold(reference, |high, end| high.max_of(*end));
            [low, high]
        })
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

/// A student's own value for the name that an ask states.
#[derive(Clone, Copy)]
struct Source {
    /// The ask.
    from: usize,
    name: NameId,
    own: Own,
}

/// The ways to work an ask out from a student's own values, the fewest and nearest first. A value is carried that is
/// plausible, and that does not make the ask trivial. Where the student has the right value of an ask in between, nothing is
/// carried past it.
pub(crate) fn ways<'d>(routes: &Routes<'d>, at: usize, own: &[(usize, Own)]) -> Vec<Way<'d>> {
    let (drill, route) = (routes.drill, &routes.to[at]);
    let ask = &drill.asks[at];
    let mut sources: Vec<Source> = own
        .iter()
        .filter(|(from, value)| !value.right && *from != at)
        .filter_map(|&(from, own)| {
            let source = &drill.asks[from];
            let name = source.states?;
            (route.feeding.contains(name) && plausible(source, own.value)).then_some(Source { from, name, own })
        })
        .collect();
    if sources.is_empty() {
        return Vec::new();
    }
    let states = |other: &usize| drill.asks[*other].states.filter(|name| *other != at && ask.states != Some(*name));
    let pinned: Vec<NameId> = own.iter().filter(|(_, value)| value.right).filter_map(|(other, _)| states(other)).collect();
    // The nearest is the one that the others are worked out for.
    sources.sort_by_key(|source| (!ask.needs.contains(source.name), std::cmp::Reverse(routes.upstream[source.name.0]), source.from));
    sources.truncate(MOST_ASKS);
    let together = 1..=MOST_TOGETHER.min(sources.len());
    together.flat_map(|size| subsets(&sources, size)).filter_map(|chosen| way(routes, at, &chosen, &pinned)).collect()
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

/// Whether a value can be carried: not zero, of the same sign, and not too far from the truth to be meant.
fn plausible(source: &Ask, value: Number) -> bool {
    let truth = source.formula.value();
    if !value.is_finite() || value.is_zero() || truth.is_zero() || value.is_negative() != truth.is_negative() {
        return false;
    }
    let ratio = (value / truth).abs();
    ratio <= source.plausible && Number::ONE / ratio <= source.plausible
}

fn way<'d>(routes: &Routes<'d>, at: usize, chosen: &[Source], pinned: &[NameId]) -> Option<Way<'d>> {
    // Of two values for one name, each alone says what there is to say.
    if (1..chosen.len()).any(|place| chosen[..place].iter().any(|other| other.name == chosen[place].name)) {
        return None;
    }
    let drill = routes.drill;
    let right = pinned.iter().filter(|name| !chosen.iter().any(|other| other.name == **name));
    let right = right.map(|&name| Other::new(name, drill.reference.get(name), Number::ZERO));
    let own = chosen.iter().map(|source| Other::new(source.name, source.own.value, source.own.half_place));
    let way = Way::new(routes, at, own.chain(right).collect())?;
    let coarse = chosen.iter().all(|source| source.own.coarse);
    let reaches = chosen.iter().all(|source| routes.to[at].reaching.contains(source.name));
    let in_doubt = chosen.iter().any(|source| source.own.in_doubt);
    Some(Way { from: chosen.iter().map(|source| source.from).collect(), coarse, reaches, in_doubt, ..way })
}

/// What an ask comes to with all the wrong values that are stated for its operands, whether or not it was worked out from
/// them; `None` where none of them is wrong.
pub(crate) fn with_operands<'d>(routes: &Routes<'d>, at: usize, operands: &[usize], own: &[(usize, Own)]) -> Option<Way<'d>> {
    let stated = |right: bool| {
        let of = own.iter().filter(move |(from, value)| operands.contains(from) && value.right == right && !value.coarse);
        of.filter_map(|&(from, own)| Some(Source { from, name: routes.drill.asks[from].states?, own }))
    };
    let mut chosen: Vec<Source> = Vec::new();
    for one in stated(false) {
        if !chosen.iter().any(|other| other.name == one.name) {
            chosen.push(one);
        }
    }
    if chosen.is_empty() {
        return None;
    }
    let pinned: Vec<NameId> = stated(true).map(|source| source.name).collect();
    way(routes, at, &chosen, &pinned)
}

/// All choices of `size` of a few things, in order.
fn subsets<T: Copy>(of: &[T], size: usize) -> impl Iterator<Item = Vec<T>> {
    // The first thing is the highest bit, so that the choices come in the order of their things.
    let is_in = |mask: u32, at: usize| mask >> (of.len() - 1 - at) & 1 == 1;
    let masks = (0..1_u32 << of.len()).rev().filter(move |mask| mask.count_ones() as usize == size);
    masks.map(move |mask| (0..of.len()).filter(|at| is_in(mask, *at)).map(|at| of[at]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drill::Library;

    #[test]
    fn floats_tell_of_a_way_what_exact_values_do() {
        let drill = Library::built_in().load("communication-budget").expect("it is built in");
        let routes = Routes::new(&drill);
        let (mut known, mut all) = (0, 0);
        for (from, source) in drill.asks.iter().enumerate().filter(|(_, ask)| ask.states.is_some()) {
            for factor in [Number::from(2), Number::decimal(97, -2), Number::decimal(1, 3)] {
                let value = source.formula.value() * factor;
                let half_place = value.abs() * Number::decimal(1, -3);
                let own = [(from, Own { value, half_place, coarse: false, right: false, in_doubt: false })];
                for way in (0..drill.asks.len()).flat_map(|at| ways(&routes, at, &own)) {
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
        let routes = Routes::new(&drill);
        let bears = |from: &str, to: &str| routes.bears(at(from), at(to));
        assert!(bears("b.latency", "b.total") && bears("a.bytes", "b.bandwidth"));
        assert!(!bears("b.bandwidth", "b.latency") && !bears("b.total", "a.bytes"));
        // Nothing else changes what ways there are.
        for ask in 0..drill.asks.len() {
            let others = drill.asks.iter().enumerate().filter(|(other, _)| !routes.bears(*other, ask));
            let own = |(from, source): (usize, &Ask)| {
                let value = source.formula.value() * Number::from(2);
                (from, Own { value, half_place: Number::ZERO, coarse: false, right: false, in_doubt: false })
            };
            assert!(ways(&routes, ask, &others.map(own).collect::<Vec<_>>()).is_empty(), "{}", drill.asks[ask].id);
        }
    }

    #[test]
    fn subsets_come_in_order() {
        assert!(subsets(&[0, 1, 2], 2).eq([vec![0, 1], vec![0, 2], vec![1, 2]]));
        assert!(subsets(&[0, 1, 2, 3], 3).eq([vec![0, 1, 2], vec![0, 1, 3], vec![0, 2, 3], vec![1, 2, 3]]));
        assert!(subsets(&[0, 1], 3).next().is_none());
    }
}
