//! Errors carried forward: the reference solver run again with the student's own earlier values.
//!
//! A wrong value costs its points once. Whatever follows from it is judged by what it would be with that value in place of
//! the true one; the ask it came from is named.

use std::cell::OnceCell;

use smallvec::SmallVec;

use crate::drill::{Ask, AskKind, Drill, NameId, NameSet, Reading, ReadingCredit, Values};
use crate::formula::{Expr, ExprKind, Formula, Operator};
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
        let as_written = hit.reading.value.is_zero() || hit.value == hit.reading.value;
        let size = if as_written { Number::ONE } else { (hit.value / hit.reading.value).abs() };
        let written = &hit.reading.written;
        let last_place = written.last_place * size;
        // Zeros at the end of a whole number may be padding, but seldom hide more than half a percent.
        let padded = || (hit.value.abs() * Number::decimal(5, -3)).min_of(written.rounding_place() * size);
        let padded = written.is_padded().then(padded).filter(|padded| *padded > last_place);
        let place = padded.unwrap_or(last_place);
        Own { value: hit.value, half_place: place / Number::from(2), coarse: false, right: false, in_doubt: false }
    }
}

/// One way to work an ask out again: with which values, and from whose.
///
/// Most ways lead nowhere, which the floats tell; exact values are worked out only for the others.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    /// The ask, as a place in [`Drill::asks`].
    at: usize,
    /// The asks whose own values stand in for the true ones, likewise.
    pub(crate) from: SmallVec<[usize; MOST_TOGETHER]>,
    /// The names that have other values.
    changed: NameSet,
    /// The same with those values.
    others: SmallVec<[Other; 2]>,
    /// The places of the names that have to be worked out again.
    affected: Places,
    /// All values worked out again, as soon as somebody wants them exactly.
    exactly: OnceCell<Values>,
    /// What the ask comes to at least and at most, likewise.
    exact_ends: OnceCell<[Number; 2]>,
    /// The same by floats, where those tell.
    roughly: Option<Roughly>,
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
    /// All names, each after those that it is worked out from.
    order: Vec<NameId>,
    /// By name: its place in that order.
    place: Vec<usize>,
    /// By name: the places of the names that are worked out from it.
    downstream: Vec<Places>,
    /// By ask: how it is reached.
    to: Vec<Route>,
}

/// Places in the order in which names are worked out, so that going through them is working them out.
type Places = NameSet;

/// How an ask is reached.
#[derive(Debug)]
struct Route {
    /// The places of the names from which it is worked out, and its readings, its mistakes, the ends of its range.
    places: Places,
    /// The name that it states, and those from which it is worked out or a reading of it that needs no label.
    reaching: NameSet,
    /// The same with those from which its mistakes are worked out.
    feeding: NameSet,
    /// The names from which it is worked out itself, or the ends of its range.
    asked: NameSet,
    /// By reading: the names from which it is worked out.
    readings: Vec<NameSet>,
    /// By mistake: the same.
    mistakes: Vec<NameSet>,
    /// Whether it compares what its own part asks with what an earlier one does.
    compares: bool,
    /// Whether any of its values is a plain factor.
    knows_factor: bool,
    /// Whether words tell its readings or its mistakes.
    hears_words: bool,
    /// The other asks of its part that state something else of the same kind.
    rivals: Vec<usize>,
    /// By ask: whether an own value for that may be carried here, or keeps others from being carried past it.
    bearing: Vec<bool>,
}

impl<'d> Routes<'d> {
    /// The routes of a drill.
    pub(crate) fn new(drill: &'d Drill) -> Routes<'d> {
        let upstream = drill.names.iter().map(|name| name.needs.iter().count()).collect();
        let order = drill.in_order(&(0..drill.names.len()).map(NameId).collect());
        let mut place = vec![0; drill.names.len()];
        order.iter().enumerate().for_each(|(at, name)| place[name.0] = at);
        let placed = |names: &mut dyn Iterator<Item = NameId>| names.map(|name| NameId(place[name.0])).collect();
        let from = |name: NameId| placed(&mut order.iter().copied().filter(|other| drill.names[other.0].needs.contains(name)));
        let downstream = (0..drill.names.len()).map(|name| from(NameId(name))).collect();
        let to = (0..drill.asks.len()).map(|at| Route::new(drill, at, &placed)).collect();
        Routes { drill, floats: drill.floats(), upstream, order, place, downstream, to }
    }

    /// The names from which an ask is worked out.
    pub(crate) fn names_of_ask(&self, at: usize) -> &NameSet {
        &self.to[at].asked
    }

    /// The names from which a reading of an ask is worked out.
    pub(crate) fn names_of_reading(&self, at: usize, reading: usize) -> &NameSet {
        &self.to[at].readings[reading]
    }

    /// The names from which a mistake in an ask is worked out.
    pub(crate) fn names_of_mistake(&self, at: usize, mistake: usize) -> &NameSet {
        &self.to[at].mistakes[mistake]
    }

    /// The names at some places.
    fn in_order<'s>(&'s self, places: &'s Places) -> impl Iterator<Item = NameId> + 's {
        places.iter().map(|place| self.order[place.0])
    }

    /// Whether an ask compares what its own part asks with the same thing asked earlier: by how much a time grows. Students work the
    /// new value out from the growth and not the other way round, so that a listed mistake in the growth is where the error is.
    pub(crate) fn compares(&self, at: usize) -> bool {
        self.to[at].compares
    }

    /// Whether an ask knows a value that is a plain factor: what words may turn round.
    pub(crate) fn knows_factor(&self, at: usize) -> bool {
        self.to[at].knows_factor
    }

    /// Whether words near a number may say by which reading of an ask it is right, or by which mistake it is wrong.
    pub(crate) fn hears_words(&self, at: usize) -> bool {
        self.to[at].hears_words
    }

    /// The other asks of an ask's part that state something else of the same kind: whose value may have been taken for its own.
    pub(crate) fn rivals(&self, at: usize) -> &[usize] {
        &self.to[at].rivals
    }

    /// Whether an own value for one ask may be carried to another, or keeps others from being carried past it.
    #[inline]
    pub(crate) fn bears(&self, from: usize, at: usize) -> bool {
        self.to[at].bearing[from]
    }
}

impl Route {
    fn new(drill: &Drill, at: usize, placed: &dyn Fn(&mut dyn Iterator<Item = NameId>) -> Places) -> Route {
        let ask = &drill.asks[at];
        let full = ask.readings.iter().filter(|reading| reading.credit == ReadingCredit::Full).map(|reading| &reading.formula);
        let reaching = ask.needs.union(ask.states.into_iter().collect()).union(drill.names_in(full));
        let feeding = reaching.union(drill.names_in(ask.mistakes.iter().map(|mistake| &mistake.formula)));
        let wanted = names_in(drill, ask);
        let bears = |other: usize| drill.asks[other].states.is_some_and(|name| ask.states == Some(name) || wanted.contains(name));
        let bearing = (0..drill.asks.len()).map(|other| other != at && bears(other)).collect();
        let names = |formula: &Formula| drill.names_in(std::iter::once(formula));
        let readings = ask.readings.iter().map(|reading| names(&reading.formula)).collect();
        let mistakes = ask.mistakes.iter().map(|mistake| names(&mistake.formula)).collect();
        let asked = drill.names_in(std::iter::once(&ask.formula).chain(ends(ask)));
        let all = || {
            let formulas = ask.readings.iter().map(|reading| &reading.formula).chain(ask.mistakes.iter().map(|mistake| &mistake.formula));
            formulas.chain([&ask.formula])
        };
        let is_rival = |other: &Ask| {
            let another = other.states.is_some() && other.states != ask.states && other.id != ask.id;
            another && other.part == ask.part && other.formula.dimension() == ask.formula.dimension()
        };
        let labeled = |reading: &Reading| !reading.label.is_empty() || !reading.words.is_empty();
        Route {
            places: placed(&mut wanted.iter()),
            reaching,
            feeding,
            asked,
            readings,
            mistakes,
            compares: compares(drill, ask),
            knows_factor: all().any(|formula| formula.dimension().is_none()),
            hears_words: ask.readings.iter().any(labeled) || ask.mistakes.iter().any(|mistake| !mistake.words.is_empty()),
            rivals: (0..drill.asks.len()).filter(|other| is_rival(&drill.asks[*other])).collect(),
            bearing,
        }
    }
}

/// A name's other value, and how far off that may be for having been rounded.
#[derive(Clone, Copy, Debug)]
struct Other {
    name: NameId,
    value: Number,
    half_place: Number,
}

/// What a way comes to by floats.
#[derive(Clone, Debug)]
struct Roughly {
    /// The names whose values are not those of the reference.
    moved: NameSet,
    /// Their values: as they are written, and at both ends of what they were rounded from.
    values: SmallVec<[(NameId, [f64; 3]); 6]>,
    /// What the ask comes to at least and at most.
    ends: [f64; 2],
}

impl Roughly {
    fn set(&mut self, name: NameId, values: [f64; 3]) {
        self.moved.insert(name);
        self.values.push((name, values));
    }

    #[inline]
    fn get(&self, name: NameId, routes: &Routes) -> [f64; 3] {
        let moved = if self.moved.contains(name) { self.values.iter().find(|(other, _)| *other == name) } else { None };
        moved.map_or([routes.floats[name.0]; 3], |(_, values)| *values)
    }
}

/// Nearer to zero than this share of its true value, what an ask comes to is not told by floats.
const NEAR_ZERO: f64 = 1e-9;

impl Way {
    /// The way with these own values, past right ones that nothing is carried past; `None` where the ask comes to nothing with
    /// them, or where two of them are for one name, each of which alone says what there is to say.
    fn new(routes: &Routes, at: usize, chosen: &[Source], pinned: &Places) -> Option<Way> {
        if (1..chosen.len()).any(|place| chosen[..place].iter().any(|other| other.name == chosen[place].name)) {
            return None;
        }
        let (ask, route) = (&routes.drill.asks[at], &routes.to[at]);
        let changed: NameSet = chosen.iter().map(|source| source.name).collect();
        let follows = chosen.iter().fold(Places::default(), |all, source| all.union(routes.downstream[source.name.0]));
        let between = follows.intersection(route.places);
        let set: Places = chosen.iter().map(|source| NameId(routes.place[source.name.0])).collect();
        let other = |source: &Source| Other { name: source.name, value: source.own.value, half_place: source.own.half_place };
        let mut way = Way {
            at,
            from: chosen.iter().map(|source| source.from).collect(),
            changed,
            others: chosen.iter().map(other).collect(),
            affected: between.without(*pinned).without(set),
            exactly: OnceCell::new(),
            exact_ends: OnceCell::new(),
            roughly: None,
            coarse: chosen.iter().all(|source| source.own.coarse),
            reaches: chosen.iter().all(|source| route.reaching.contains(source.name)),
            in_doubt: chosen.iter().any(|source| source.own.in_doubt),
        };
        way.roughly = way.work_out_roughly(routes);
        if way.roughly.is_none() {
            let reference: Number = ask.formula.eval(way.values(routes).slots());
            if !reference.is_finite() || reference.is_zero() {
                return None;
            }
        }
        Some(way)
    }

    /// From the reference values of all names, of which those between the own values and the ask have to be worked out.
    fn work_out_roughly(&self, routes: &Routes) -> Option<Roughly> {
        let (names, ask) = (&routes.drill.names, &routes.drill.asks[self.at]);
        let mut roughly = Roughly { moved: NameSet::default(), values: SmallVec::new(), ends: [0.0; 2] };
        for Other { name, value, half_place } in &self.others {
            let (value, half_place) = (value.to_f64(), half_place.to_f64());
            roughly.set(*name, [0.0, -1.0, 1.0].map(|sign| value + sign * half_place));
        }
        for name in routes.in_order(&self.affected) {
            let values = names[name.0].formula.rough(|slot| roughly.get(NameId(slot), routes))?;
            roughly.set(name, values);
        }
        let [reference, one, other] = ask.formula.rough(|slot| roughly.get(NameId(slot), routes))?;
        let told = reference.is_finite() && reference.abs() > NEAR_ZERO * ask.formula.float().abs();
        let ends = [reference.min(one).min(other), reference.max(one).max(other)];
        told.then_some(Roughly { ends, ..roughly })
    }

    /// Works all values out with the own ones at one end of what they were rounded from, or as they are written.
    fn resolve(&self, routes: &Routes, sign: i32, values: &mut Values) {
        let other = |other: &Other| (other.name, other.value + other.half_place * Number::from(sign));
        routes.drill.resolve_affected(values, routes.in_order(&self.affected), self.others.iter().map(other));
    }

    /// All values of the drill's names, worked out again.
    pub(crate) fn values(&self, routes: &Routes) -> &Values {
        self.exactly.get_or_init(|| {
            let mut values = routes.drill.reference.clone();
            self.resolve(routes, 0, &mut values);
            values
        })
    }

    /// What the ask comes to at least and at most, over what the carried values may have been before rounding.
    pub(crate) fn ends(&self, routes: &Routes) -> [Number; 2] {
        *self.exact_ends.get_or_init(|| {
            let formula = &routes.drill.asks[self.at].formula;
            let reference: Number = formula.eval(self.values(routes).slots());
            // The ends of the rounding are tried one way each; in between a formula of a drill does not turn.
            let mut values = self.values(routes).clone();
            let ends = [-1, 1].map(|sign| -> Number {
                self.resolve(routes, sign, &mut values);
                formula.eval(values.slots())
            });
            let low = ends.iter().fold(reference, |low, end| low.min_of(*end));
            let high = ends.iter().fold(reference, |high, end| high.max_of(*end));
            [low, high]
        })
    }

    /// About the same.
    pub(crate) fn rough_ends(&self, routes: &Routes) -> [f64; 2] {
        self.roughly.as_ref().map_or_else(|| self.ends(routes).map(Number::to_f64), |roughly| roughly.ends)
    }

    /// About what a formula comes to; `None` where a little off may become much.
    pub(crate) fn rough(&self, routes: &Routes, formula: &Formula) -> Option<f64> {
        let roughly = self.roughly.as_ref()?;
        let written = |slot: usize| {
            let [value, ..] = roughly.get(NameId(slot), routes);
            [value]
        };
        formula.rough(written).map(|[value]| value)
    }

    /// Whether what is worked out from some names is worked out from an own value.
    pub(crate) fn changes(&self, names: &NameSet) -> bool {
        self.changed.meets(names)
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
pub(crate) fn ways(routes: &Routes, at: usize, own: &[(usize, Own)]) -> Vec<Way> {
    let (drill, route) = (routes.drill, &routes.to[at]);
    let ask = &drill.asks[at];
    let mut sources: SmallVec<[Source; MOST_ASKS]> = own
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
    // The nearest is the one that the others are worked out for.
    sources.sort_by_key(|source| (!ask.needs.contains(source.name), std::cmp::Reverse(routes.upstream[source.name.0]), source.from));
    sources.truncate(MOST_ASKS);
    let states = |other: usize| drill.asks[other].states.filter(|name| other != at && ask.states != Some(*name));
    let right = own.iter().filter(|(_, value)| value.right).filter_map(|(other, _)| states(*other));
    let pinned: Places = right.map(|name| NameId(routes.place[name.0])).collect();
    let mut chosen: SmallVec<[Source; MOST_TOGETHER]> = SmallVec::new();
    let mut found = Vec::with_capacity(sources.len());
    for size in 1..=MOST_TOGETHER.min(sources.len()) {
        for choice in choices(sources.len(), size) {
            chosen.clear();
            chosen.extend((0..sources.len()).filter(|place| choice >> place & 1 == 1).map(|place| sources[place]));
            found.extend(Way::new(routes, at, &chosen, &pinned));
        }
    }
    found
}

/// The names from which an ask is worked out, and its readings, its mistakes, the ends of its range.
fn names_in(drill: &Drill, ask: &Ask) -> NameSet {
    let readings = ask.readings.iter().map(|reading| &reading.formula);
    let mistakes = ask.mistakes.iter().map(|mistake| &mistake.formula);
    drill.names_in(std::iter::once(&ask.formula).chain(readings).chain(mistakes).chain(ends(ask)))
}

/// Whether an ask divides what its own part asks by what another one does.
fn compares(drill: &Drill, ask: &Ask) -> bool {
    let ExprKind::Binary(Operator::Divide, new, old) = &ask.formula.expr().kind else { return false };
    let asked = |expr: &Expr| {
        let ExprKind::Name(name) = &expr.kind else { return None };
        let name = drill.name(name)?;
        drill.asks.iter().find(|ask| ask.states == Some(name))
    };
    asked(new).is_some_and(|new| new.part == ask.part) && asked(old).is_some_and(|old| old.part != ask.part)
}

/// The ends of an ask's range, where it is one.
fn ends(ask: &Ask) -> impl Iterator<Item = &Formula> {
    let interval = match &ask.kind {
        AskKind::Range(interval) => Some(interval),
        AskKind::Value | AskKind::Count => None,
    };
    interval.into_iter().flat_map(|interval| [&interval.low, &interval.high])
}

/// Whether a value can be carried: not zero, of the same sign, and not too far from the truth to be meant.
fn plausible(source: &Ask, value: Number) -> bool {
    let truth = source.formula.value();
    if !value.is_finite() || value.is_zero() || truth.is_zero() || value.is_negative() != truth.is_negative() {
        return false;
    }
    // By floats first: hardly a value lies at the edge.
    let (most, ratio) = (source.plausible.to_f64(), (value.to_f64() / truth.to_f64()).abs());
    if ratio > 0.0 && ratio.is_finite() && ((ratio.max(1.0 / ratio) / most) - 1.0).abs() > 1e-9 {
        return ratio.max(1.0 / ratio) < most;
    }
    let ratio = (value / truth).abs();
    ratio <= source.plausible && Number::ONE / ratio <= source.plausible
}

/// What an ask comes to with all the wrong values that are stated for its operands, whether or not it was worked out from
/// them; `None` where none of them is wrong.
pub(crate) fn with_operands(routes: &Routes, at: usize, operands: &[usize], own: &[(usize, Own)]) -> Option<Way> {
    let stated = |right: bool| {
        let of = own.iter().filter(move |(from, value)| operands.contains(from) && value.right == right && !value.coarse);
        of.filter_map(|&(from, own)| Some(Source { from, name: routes.drill.asks[from].states?, own }))
    };
    let mut chosen: SmallVec<[Source; 4]> = SmallVec::new();
    for one in stated(false) {
        if !chosen.iter().any(|other| other.name == one.name) {
            chosen.push(one);
        }
    }
    if chosen.is_empty() {
        return None;
    }
    let pinned: Places = stated(true).map(|source| NameId(routes.place[source.name.0])).collect();
    Way::new(routes, at, &chosen, &pinned)
}

/// All choices of `size` of a few things in order, those with the first thing first: a bit for each thing that is chosen.
fn choices(of: usize, size: usize) -> impl Iterator<Item = u32> {
    // Read the other way round, with the first thing as the highest bit, they are numbers that fall.
    let masks = (0..1_u32 << of).rev().filter(move |mask| mask.count_ones() as usize == size);
    masks.map(move |mask| mask.reverse_bits() >> (u32::BITS as usize - of))
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
                    assert!(way.rough_ends(&routes).into_iter().zip(way.ends(&routes)).all(|(rough, exact)| near(rough, exact)), "{way:?}");
                    let formula = &drill.asks[way.at].formula;
                    let rough = way.rough(&routes, formula);
                    let exact: Number = formula.eval(way.values(&routes).slots());
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
    fn choices_come_in_order() {
        assert!(choices(3, 2).eq([0b011, 0b101, 0b110]));
        assert!(choices(4, 3).eq([0b0111, 0b1011, 0b1101, 0b1110]));
        assert!(choices(2, 3).next().is_none());
    }
}
