//! The names of a drill: givens, assumptions and lets, checked and worked out in the order in which they need each other.

use std::collections::BTreeMap;

use super::fields::{Report, Text};
use super::file::{DrawsFile, DrillFile, NameFile};
use super::solve::MOST_NAMES;
use super::{Name, NameId, NameSet, Origin};
use crate::formula::{self, Expr, Formula, Function, KnownNames, Scope, Symbol};
use crate::quantity::{Base, Dimension, Number, Quantity, Unit, Units};
use crate::text::Span;

/// The most steps that a range of values may have.
const MOST_DRAWS: f64 = 10_000.0;

/// What the formulas of a drill may name.
pub(super) struct Vocabulary {
    pub(super) names: Vec<Name>,
    pub(super) units: Units,
    pub(super) values: Vec<Number>,
    /// The names, each after those it needs.
    pub(super) order: Vec<NameId>,
    symbols: BTreeMap<String, Symbol>,
    words: KnownNames,
}

/// Checks the units and names of a drill.
pub(super) fn check(file: &DrillFile, report: &Report) -> Vocabulary {
    let mut vocabulary = Vocabulary {
        names: Vec::new(),
        units: Units::standard(),
        values: Vec::new(),
        order: Vec::new(),
        symbols: BTreeMap::new(),
        words: KnownNames::default(),
    };
    for (name, value) in &file.unit {
        if let Some(size) = vocabulary.quantity(value, report) {
            vocabulary.units.add(Unit::new(&name.value, size.dimension, size.value));
        }
    }
    let groups = [(Origin::Given, &file.given), (Origin::Assumed, &file.assume), (Origin::Let, &file.lets)];
    let files: Vec<(Origin, &NameFile)> = groups.iter().flat_map(|(origin, names)| names.iter().map(move |name| (*origin, name))).collect();
    let files = unique(files, report);
    vocabulary.words = files.iter().map(|(_, file)| file.name.value.clone()).collect();
    // A given is a quantity: `25 GB/s` is one, whatever `s` may be called.
    let none = KnownNames::default();
    let exprs = files.iter().map(|(origin, file)| {
        let words = if *origin == Origin::Let { &vocabulary.words } else { &none };
        vocabulary.parse(file.value.as_ref()?, words, report)
    });
    let exprs: Vec<Option<Expr>> = exprs.collect();
    let slots: BTreeMap<&str, usize> = files.iter().enumerate().map(|(at, (_, file))| (file.name.value.as_str(), at)).collect();
    let uses: Vec<Vec<(usize, Span)>> = exprs
        .iter()
        .map(|expr| {
            let nodes = expr.iter().flat_map(Expr::nodes);
            nodes.filter_map(|(_, node)| Some((*slots.get(node.own_name()?)?, node.span))).collect()
        })
        .collect();
    let order = in_order(&files, &uses, report);
    vocabulary.fill(&files, exprs, &uses, order, report);
    vocabulary
}

/// Leaves out names that are taken already or cannot be names.
fn unique<'f>(files: Vec<(Origin, &'f NameFile)>, report: &Report) -> Vec<(Origin, &'f NameFile)> {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    let mut kept = Vec::new();
    for (origin, file) in files {
        let name = file.name.value.as_str();
        if let Some(first) = seen.get(name) {
            report.error("duplicate-name", file.name.span, format!("`{name}` is defined twice")).also(*first, "the first time");
        } else if Function::ALL.iter().any(|(function, _)| *function == name) {
            report.error("reserved-name", file.name.span, format!("`{name}` is a function")).help("choose another name");
        } else if !formula::is_name(name) {
            report.error("bad-name", file.name.span, "a name is a letter followed by letters, digits and `_`");
        } else if kept.len() == MOST_NAMES {
            report.error("too-many-names", file.name.span, format!("a drill has at most {MOST_NAMES} names"));
            break;
        } else {
            seen.insert(name, file.name.span);
            kept.push((origin, file));
        }
    }
    kept
}

/// The names, each after those it needs; what needs itself is told of and left out, with all that needs it.
fn in_order(files: &[(Origin, &NameFile)], uses: &[Vec<(usize, Span)>], report: &Report) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; uses.len()];
    let mut order = Vec::new();
    for root in 0..uses.len() {
        // A path of names with the number of their needs that have been looked at.
        let mut path = if state[root] == State::New { vec![(root, 0)] } else { Vec::new() };
        while let Some((name, next)) = path.last_mut() {
            state[*name] = State::Open;
            let Some((needed, _)) = uses[*name].get(*next) else {
                state[*name] = State::Done;
                order.push(*name);
                path.pop();
                continue;
            };
            *next += 1;
            match state[*needed] {
                State::New => path.push((*needed, 0)),
                State::Done => {}
                State::Open => {
                    let start = path.iter().position(|(name, _)| name == needed).unwrap_or(0);
                    circle(&path[start..], files, uses, report);
                }
            }
        }
    }
    order
}

/// Shows every place at which the names of a circle need each other.
fn circle(path: &[(usize, usize)], files: &[(Origin, &NameFile)], uses: &[Vec<(usize, Span)>], report: &Report) {
    let name = |at: usize| files[at].1.name.value.as_str();
    let links: Vec<(Span, String)> = path
        .iter()
        .map(|(at, next)| {
            let (needed, inside) = uses[*at][next - 1];
            let place = files[*at].1.value.as_ref().map_or(inside, |value| report.place(value, inside));
            (place, format!("`{}` needs `{}`", name(*at), name(needed)))
        })
        .collect();
    let names: Vec<&str> = path.iter().map(|(at, _)| name(*at)).chain([name(path[0].0)]).collect();
    let title =
        if path.len() == 1 { format!("`{}` is worked out from itself", names[0]) } else { format!("a circle: {}", names.join(" → ")) };
    let mut found = report.error("cycle", links[0].0, title).says(links[0].1.clone());
    for (span, text) in &links[1..] {
        found = found.also(*span, text.clone());
    }
}

impl Vocabulary {
    fn fill(
        &mut self,
        files: &[(Origin, &NameFile)],
        exprs: Vec<Option<Expr>>,
        uses: &[Vec<(usize, Span)>],
        order: Vec<usize>,
        report: &Report,
    ) {
        self.values = vec![Number::inexact(f64::NAN); files.len()];
        // Known from the start, so that what is broken is not called unknown as well.
        for (slot, (_, file)) in files.iter().enumerate() {
            self.symbols.insert(file.name.value.clone(), Symbol { slot, dimension: None });
        }
        let mut needs = vec![NameSet::default(); files.len()];
        let mut formulas: Vec<Option<Formula>> = vec![None; files.len()];
        let mut exprs = exprs;
        for &slot in &order {
            let (origin, file) = files[slot];
            needs[slot] = uses[slot].iter().fold(NameSet::default(), |set, (used, _)| set.union(needs[*used]).union(NameId(*used).into()));
            let (Some(expr), Some(value)) = (exprs[slot].take(), &file.value) else { continue };
            let Some(mut formula) = self.compiled(value, expr, report) else { continue };
            let known = uses[slot].iter().all(|(used, _)| formulas[*used].is_some());
            if !known {
                continue;
            }
            if origin != Origin::Let && !uses[slot].is_empty() {
                let title = format!("a given is a quantity; `{}` is worked out", file.name.value);
                report.error("given-is-worked-out", report.place(value, uses[slot][0].1), title).help("move it to `[let]`");
            }
            formula.solve(&self.values);
            self.values[slot] = formula.value();
            if !formula.value().is_finite() {
                report.error("not-a-number", value.span, "this comes to no number: it divides by zero, or is too large");
                continue;
            }
            self.symbols.insert(file.name.value.clone(), Symbol { slot, dimension: Some(formula.dimension()) });
            formulas[slot] = Some(formula);
        }
        let draws: Vec<Vec<Number>> =
            files.iter().zip(&formulas).map(|((origin, file), formula)| self.draws(*origin, file, formula.as_ref(), report)).collect();
        self.names = files
            .iter()
            .zip(formulas)
            .zip(draws)
            .enumerate()
            .map(|(slot, (((origin, file), formula), draws))| Name {
                name: file.name.value.clone(),
                origin: *origin,
                formula: formula.unwrap_or_else(|| self.nothing()),
                says: file.says.as_ref().map(|text| text.value.clone()).unwrap_or_default(),
                noun: file.noun.as_ref().map(|text| text.value.clone()),
                symbols: file.symbols.iter().map(|text| text.value.clone()).collect(),
                draws,
                needs: needs[slot],
            })
            .collect();
        self.order = order.into_iter().map(NameId).collect();
    }

    /// The values that a variant may give a name.
    fn draws(&self, origin: Origin, file: &NameFile, formula: Option<&Formula>, report: &Report) -> Vec<Number> {
        let DrawsFile { from, range, step } = &file.draws;
        let places = || from.iter().chain(range).chain(step);
        let Some(first) = places().next() else { return Vec::new() };
        let whole = places().fold(first.span, |whole, text| whole.join(text.span));
        let tell = |span: Span, title: String| report.error("bad-variants", span, title);
        if origin == Origin::Let {
            tell(whole, format!("`{}` is worked out; what varies is given", file.name.value))
                .help("vary a given that it is worked out from");
            return Vec::new();
        }
        if !from.is_empty() && (!range.is_empty() || step.is_some()) {
            tell(whole, "either a list of values or a range of them".to_owned());
            return Vec::new();
        }
        let Some(formula) = formula else { return Vec::new() };
        let mut known = Vec::new();
        for text in places() {
            let Some(quantity) = self.quantity(text, report) else { return Vec::new() };
            if quantity.dimension != formula.dimension() || !quantity.value.is_finite() {
                let is = if quantity.dimension.is_none() { "a plain number".to_owned() } else { quantity.dimension.to_string() };
                tell(text.span, format!("`{}` is of another kind: this is {is}", file.name.value));
                return Vec::new();
            }
            known.push(quantity.value);
        }
        if !from.is_empty() {
            return known;
        }
        let [low, high, step] = known.as_slice() else {
            tell(whole, "a range has two ends and a step".to_owned()).help("write `range = [\"LOW\", \"HIGH\"], step = \"STEP\"`");
            return Vec::new();
        };
        let steps = ((*high - *low) / *step).to_f64();
        if *step <= Number::ZERO || *high <= *low || steps > MOST_DRAWS {
            tell(whole, format!("a range rises from its low end to its high one, in at most {MOST_DRAWS} positive steps"));
            return Vec::new();
        }
        (0..=(steps + 1e-9) as u32).map(|at| *low + *step * Number::from(i128::from(at))).collect()
    }

    fn scope(&self) -> Scope<'_> {
        Scope { units: &self.units, symbols: &self.symbols }
    }

    fn parse(&self, text: &Text, words: &KnownNames, report: &Report) -> Option<Expr> {
        match formula::parse(&text.value, &self.units, words) {
            Ok(expr) => Some(expr),
            Err(fault) => {
                report.push(fault.in_file(report.source.name(), |span| report.place(text, span)));
                None
            }
        }
    }

    fn compiled(&self, text: &Text, expr: Expr, report: &Report) -> Option<Formula> {
        match Formula::new(text.value.as_str(), expr, self.scope()) {
            Ok(formula) => Some(formula),
            Err(faults) => {
                for fault in faults {
                    report.push(fault.in_file(report.source.name(), |span| report.place(text, span)));
                }
                None
            }
        }
    }

    /// A formula over the names, solved; `None` where it or what it needs is broken, which has been told.
    pub(super) fn formula(&self, text: &Text, report: &Report) -> Option<Formula> {
        let expr = self.parse(text, &self.words, report)?;
        let mut formula = self.compiled(text, expr, report)?;
        let broken = |slot: usize| !self.values[slot].is_finite();
        if formula.slots().any(broken) {
            return None;
        }
        formula.solve(&self.values);
        if !formula.value().is_finite() {
            report.error("not-a-number", text.span, "this comes to no number: it divides by zero, or is too large");
            return None;
        }
        Some(formula)
    }

    /// A quantity without names: `1 %`, `2/3`, `400 ms`.
    pub(super) fn quantity(&self, text: &Text, report: &Report) -> Option<Quantity> {
        let nothing = BTreeMap::new();
        let fault = |fault: formula::Fault| report.push(fault.in_file(report.source.name(), |span| report.place(text, span)));
        let expr = formula::parse(&text.value, &self.units, &KnownNames::default()).map_err(fault).ok()?;
        let scope = Scope { units: &self.units, symbols: &nothing };
        match Formula::new(text.value.as_str(), expr, scope) {
            Ok(formula) => Some(Quantity { value: formula.eval(&[] as &[Number]), dimension: formula.dimension() }),
            Err(faults) => {
                for mut found in faults {
                    if found.code == "unknown-name" {
                        found.title = "a quantity is written out here, without names".to_owned();
                        found.help = None;
                    }
                    fault(found);
                }
                None
            }
        }
    }

    /// A unit as the drill spells it.
    pub(super) fn unit(&self, text: &Text, report: &Report) -> Option<Unit> {
        let unit = self.scope().unit(&text.value);
        if unit.is_none() {
            let near = self.units.read(&text.value).into_iter().next().map(|unit| unit.symbol.clone());
            report
                .error("unknown-unit", text.span, format!("no unit is spelled `{}`", text.value))
                .did_you_mean(near.as_deref(), || "add it to `[unit]`; what is counted is said with `noun`".to_owned());
        }
        unit
    }

    /// The dimension of percentage points.
    pub(super) fn points(&self) -> Dimension {
        Dimension::of(&[(Base::Points, 1)])
    }

    pub(super) fn find(&self, name: &str) -> Option<NameId> {
        self.symbols.get(name).map(|symbol| NameId(symbol.slot))
    }

    /// Everything a formula is worked out from, directly and indirectly.
    pub(super) fn needs(&self, formula: &Formula) -> NameSet {
        formula.slots().fold(NameSet::default(), |set, slot| set.union(self.names[slot].needs).union(NameId(slot).into()))
    }

    /// Stands in for a formula that is broken, so that the rest of the file can be looked at.
    pub(super) fn nothing(&self) -> Formula {
        Formula::new("", Expr::whole(0), self.scope()).expect("zero is a formula")
    }
}
