//! Which ask does a piece of work compute? `62 · 20 µs` and `2(P−1)α` are the latency term, whatever is written behind the
//! equals sign.
//!
//! Numbers of the work are taken for what they equal in the formula (`62` for `2·(P−1)`, `2.6` for `S` in gigabytes). Then
//! work and formula are evaluated twice, with the drill's givens and with quite different ones: only what agrees both
//! times is the same computation and no coincidence.

use std::collections::BTreeMap;

use crate::drill::{Drill, NameId, Origin, ReadingCredit};
use crate::formula::{Expr, ExprKind, Function, Operator};
use crate::grade::clues::symbol;
use crate::quantity::{Number, Units};

/// How far two values may be apart to be one, for what was rounded on the way.
const ROUNDING: f64 = 5e-3;
/// How far a number may be from what it stands for.
const WRITTEN: f64 = 4e-3;
/// Work with more operands than this is not looked at.
const MOST_NODES: usize = 64;

/// A value with the drill's givens, and what it would be with others.
#[derive(Clone, Copy, Debug)]
struct Twin {
    real: f64,
    other: f64,
}

impl Twin {
    fn constant(value: f64) -> Twin {
        Twin { real: value, other: value }
    }

    fn map2(self, with: Twin, apply: impl Fn(f64, f64) -> f64) -> Twin {
        Twin { real: apply(self.real, with.real), other: apply(self.other, with.other) }
    }

    fn map(self, apply: impl Fn(f64) -> f64) -> Twin {
        Twin { real: apply(self.real), other: apply(self.other) }
    }
}

/// A formula that work may compute, with the values of all that it is made of.
#[derive(Debug)]
struct Target {
    ask: usize,
    /// Whether it is the ask's own formula, not that of another reading or a mistake.
    own: bool,
    value: Twin,
    parts: Vec<Twin>,
    /// The size of the unit in which the ask is answered.
    unit: f64,
}

/// The formulas of a drill's asks, their readings and mistakes, ready to be compared with work.
#[derive(Debug)]
pub(super) struct Works {
    targets: Vec<Target>,
    symbols: BTreeMap<String, Twin>,
    /// What stands for the values that asks state: the asks of a symbol, in the order of the exercise.
    stated: BTreeMap<String, Vec<(usize, Twin)>>,
}

impl Works {
    /// Evaluates the formulas of a drill, and what they are made of.
    pub(super) fn of(drill: &Drill) -> Works {
        let free = drill.names.iter().enumerate().filter(|(_, name)| name.origin != Origin::Let);
        // Any other values will do, as long as no two change by the same factor.
        let others: Vec<(NameId, Number)> =
            free.map(|(at, name)| (NameId(at), name.formula.value() * Number::decimal(1_217 + 131 * at as i128 % 997, -3))).collect();
        let other = drill.resolve(&others);
        let twins: BTreeMap<&str, Twin> = drill
            .names
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let id = NameId(at);
                (name.name.as_str(), Twin { real: drill.reference.get(id).to_f64(), other: other.get(id).to_f64() })
            })
            .collect();
        let mut symbols: BTreeMap<String, Twin> = BTreeMap::new();
        for name in &drill.names {
            for spelling in std::iter::once(&name.name).chain(&name.symbols) {
                symbols.entry(symbol(spelling).into_owned()).or_insert(twins[name.name.as_str()]);
            }
        }
        // What a let is worked out from counts as parts as well, as deep as it goes.
        let formula_of: BTreeMap<&str, &Expr> =
            drill.names.iter().filter(|name| name.origin == Origin::Let).map(|name| (name.name.as_str(), name.formula.expr())).collect();
        let named = |spelling: &str| match formula_of.get(spelling) {
            Some(formula) => Some(Named::Let(formula)),
            None => twins.get(spelling).copied().map(Named::Value),
        };
        let mut stated: BTreeMap<String, Vec<(usize, Twin)>> = BTreeMap::new();
        for (at, ask) in drill.asks.iter().enumerate() {
            let Some(value) = ask.states.map(|name| twins[drill.names[name.0].name.as_str()]) else { continue };
            for spelling in &ask.symbols {
                stated.entry(symbol(spelling).into_owned()).or_default().push((at, value));
            }
        }
        let mut works = Works { targets: Vec::new(), symbols, stated };
        for (at, ask) in drill.asks.iter().enumerate() {
            let unit = ask.unit.as_ref().map_or(1.0, |unit| unit.factor.to_f64());
            // What only supplements an answer is not computed for it.
            let readings = ask.readings.iter().filter(|reading| reading.credit != ReadingCredit::Supporting);
            let formulas = std::iter::once(&ask.formula)
                .chain(readings.map(|reading| &reading.formula))
                .chain(ask.mistakes.iter().map(|mistake| &mistake.formula));
            for (place, formula) in formulas.enumerate() {
                let mut parts = Vec::new();
                let value = eval(formula.expr(), &drill.units, &named, &|leaf| Twin::constant(leaf), &mut |part| parts.push(part));
                let Some(value) = value else { continue };
                // A program has its own names for what is asked: `print(lat + bw)`.
                for spelling in ask.symbols.iter().filter(|_| place == 0) {
                    works.symbols.entry(symbol(spelling).into_owned()).or_insert(value);
                }
                if (value.real / value.other - 1.0).abs() > 1e-6 {
                    works.targets.push(Target { ask: at, own: place == 0, value, parts, unit });
                }
            }
        }
        works
    }

    /// The asks among some that an expression computes: by their own formulas, else by those of their readings and mistakes.
    /// `wrong` are values of the student's that are not the true ones, each with the true one that it stands for.
    pub(super) fn asks_computed(&self, expr: &Expr, units: &Units, asks: &dyn Fn(usize) -> bool, wrong: &[(f64, f64)]) -> Vec<usize> {
        if expr.size() > MOST_NODES {
            return Vec::new();
        }
        let meant = |leaf: f64| wrong.iter().find_map(|&(value, truth)| Some(truth * same_digits(leaf, value)?)).unwrap_or(leaf);
        // A symbol of the exercise; else one of an ask, which in `lat2/lat` is that of the first that is called so, and in `T/C`
        // that of the part it stands in.
        let own_part = |spelling: &str| {
            let asked = self.stated.get(symbol(spelling).as_ref())?;
            asked.iter().find(|(ask, _)| asks(*ask)).or(asked.first()).map(|(_, value)| Named::Value(*value))
        };
        let first_part = |spelling: &str| self.stated.get(symbol(spelling).as_ref())?.first().map(|(_, value)| Named::Value(*value));
        let known = |spelling: &str| self.symbols.get(symbol(spelling).as_ref()).copied().map(Named::Value);
        for named in [
            &(|spelling: &str| known(spelling).or_else(|| own_part(spelling))) as &dyn Fn(&str) -> Option<Named<'static>>,
            &|spelling| known(spelling).or_else(|| first_part(spelling)),
            &|spelling| own_part(spelling).or_else(|| known(spelling)),
        ] {
            let found = self.asks_computed_with(expr, units, asks, named, &meant);
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The same, with what names stand for.
    fn asks_computed_with(
        &self,
        expr: &Expr,
        units: &Units,
        asks: &dyn Fn(usize) -> bool,
        named: &dyn Fn(&str) -> Option<Named<'static>>,
        meant: &dyn Fn(f64) -> f64,
    ) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut own: Vec<usize> = Vec::new();
        let Some(plain) = eval(expr, units, named, &|leaf| Twin::constant(meant(leaf)), &mut |_| {}) else { return found };
        for target in self.targets.iter().filter(|target| asks(target.ask)) {
            if found.last() == Some(&target.ask) {
                continue;
            }
            let Some(ratio) = target.ratio(plain.real) else { continue };
            // The 25 of a bandwidth and that of a bucket look alike: where the first does not fit, the last may.
            let computes = [false, true].into_iter().any(|last| {
                let stand_in = |leaf: f64| target.stand_in(meant(leaf), last);
                let value = eval(expr, units, named, &stand_in, &mut |_| {});
                value.is_some_and(|value| (value.other / target.value.other / ratio - 1.0).abs() <= ROUNDING)
            });
            if computes {
                found.push(target.ask);
                if target.own {
                    own.push(target.ask);
                }
            }
        }
        if own.is_empty() { found } else { own }
    }
}

/// The power of a thousand by which a number is a value, as it is written.
fn same_digits(leaf: f64, value: f64) -> Option<f64> {
    let ratio = leaf / value;
    let thousands = 1000_f64.powi((ratio.abs().log10() / 3.0).round() as i32);
    (ratio > 0.0 && ratio.is_finite() && (ratio / thousands - 1.0).abs() <= 1e-9).then_some(thousands)
}

impl Target {
    /// The factor between a value worked out without care for units and the formula's, where it is one that units explain.
    fn ratio(&self, value: f64) -> Option<f64> {
        let ratio = value / self.value.real;
        if !ratio.is_finite() || ratio <= 0.0 {
            return None;
        }
        let thousands = 1000_f64.powi((ratio.log10() / 3.0).round() as i32);
        [thousands, 1.0 / self.unit, self.unit].into_iter().find(|candidate| (ratio / candidate - 1.0).abs() <= ROUNDING)
    }

    /// What a written number stands for in the formula: the part of it with this value, or the first or the last one with these
    /// digits.
    fn stand_in(&self, leaf: f64, last: bool) -> Twin {
        let alike = |part: &&Twin| {
            let ratio = leaf / part.real;
            let thousands = 1000_f64.powi((ratio.abs().log10() / 3.0).round() as i32);
            ratio > 0.0 && ratio.is_finite() && (ratio / thousands - 1.0).abs() <= WRITTEN
        };
        let same = self.parts.iter().find(|part| (leaf / part.real - 1.0).abs() <= WRITTEN);
        let part = same.or_else(|| if last { self.parts.iter().rfind(alike) } else { self.parts.iter().find(alike) });
        part.map_or(Twin::constant(leaf), |part| Twin { real: leaf, other: leaf * part.other / part.real })
    }
}

/// What a name stands for.
enum Named<'a> {
    Value(Twin),
    /// A formula in its place.
    Let(&'a Expr),
}

/// A number without a unit.
fn plain(expr: &Expr) -> Option<f64> {
    match &expr.kind {
        ExprKind::Number { value, unit: None, .. } => Some(value.to_f64()),
        _ => None,
    }
}

/// Evaluates an expression; `visit` sees every part that is worked out, numbers of the formula first.
fn eval<'a>(
    expr: &Expr,
    units: &Units,
    named: &dyn Fn(&str) -> Option<Named<'a>>,
    leaf: &dyn Fn(f64) -> Twin,
    visit: &mut dyn FnMut(Twin),
) -> Option<Twin> {
    let factor = |spelling: &str| units.read(spelling).first().map(|unit| unit.factor.to_f64());
    let value = match &expr.kind {
        ExprKind::Number { value, unit: None, .. } => leaf(value.to_f64()),
        ExprKind::Number { value, unit: Some(unit), .. } => leaf(value.to_f64() * factor(unit)?),
        ExprKind::Name(name) => match named(name) {
            Some(Named::Let(formula)) => return eval(formula, units, named, leaf, visit),
            Some(Named::Value(value)) => value,
            None => Twin::constant(factor(name)?),
        },
        ExprKind::Negate(inner) => eval(inner, units, named, leaf, visit)?.map(|value| -value),
        // `2^20` is a unit's size, and its 2 is nothing of the drill's.
        ExprKind::Binary(Operator::Power, base, exponent) if let (Some(base), Some(exponent)) = (plain(base), plain(exponent)) => {
            Twin::constant(base.powf(exponent))
        }
        ExprKind::Binary(operator, left, right) => {
            let left = eval(left, units, named, leaf, visit)?;
            let right = eval(right, units, named, leaf, visit)?;
            left.map2(right, |a, b| match operator {
                Operator::Add => a + b,
                Operator::Subtract => a - b,
                Operator::Multiply => a * b,
                Operator::Divide => a / b,
                Operator::Power => a.powf(b),
            })
        }
        ExprKind::Call(function, operands) => {
            let values: Option<Vec<Twin>> = operands.iter().map(|operand| eval(operand, units, named, leaf, visit)).collect();
            let values = values?;
            let first = *values.first()?;
            match function {
                Function::Ceil => first.map(f64::ceil),
                Function::Floor => first.map(f64::floor),
                Function::Round => first.map(f64::round),
                Function::Abs => first.map(f64::abs),
                Function::Sqrt => first.map(f64::sqrt),
                Function::Log2 => first.map(f64::log2),
                Function::Log10 => first.map(f64::log10),
                Function::Ln => first.map(f64::ln),
                Function::Exp => first.map(f64::exp),
                Function::Min => values.into_iter().reduce(|a, b| a.map2(b, f64::min))?,
                Function::Max => values.into_iter().reduce(|a, b| a.map2(b, f64::max))?,
            }
        }
    };
    visit(value);
    Some(value)
}
