//! Mutants: the drill's formulas with one thing wrong, each written into an answer that is right otherwise. One that earns
//! full points is a mistake that the drill would not notice.
//!
//! An ask is mutated in the formula that students work with: what it states, with every name written out that no ask
//! states. What lies further back is mutated where it is asked.

use std::collections::BTreeSet;

use crate::drill::{Ask, AskKind, Drill, Origin, ReadingCredit};
use crate::formula::{Change, Expr, ExprKind, Formula, NodeId, Operator, Style, quantity};
use crate::grade::Verdict;
use crate::lint::values::percent;
use crate::lint::{Bench, leaks, sheet};
use crate::quantity::{Base, Dimension, Number};
use crate::text::Span;

/// A formula with one thing wrong.
#[derive(Clone, Debug)]
pub(super) struct Mutant {
    /// The formula, as a reason names it.
    pub(super) text: String,
    /// What was done: `without α`.
    pub(super) what: String,
    /// The parts of the formula that the change lies in, from the smallest on, without the whole: a reason may name one.
    pub(super) inside: Vec<String>,
    /// What it comes to.
    pub(super) value: Number,
}

/// Figures enough that rounding makes no mutant right.
const FIGURES: u32 = 7;

/// What differs by less is the same formula in other words, or a difference that no drill can be asked to see.
const SAME: f64 = 1e-9;

/// The formula that students work with for an ask.
fn worked(drill: &Drill, ask: &Ask) -> Expr {
    let own = ask.states.map_or(&ask.formula, |name| &drill.names[name.0].formula);
    written_out(drill, own.expr(), 0)
}

/// A longer formula is mutated with its lets as they are: written out, names that need each other many times over would
/// grow beyond use.
const LONGEST: usize = 300;

/// An expression with every let that no ask states written out.
fn written_out(drill: &Drill, expr: &Expr, depth: usize) -> Expr {
    let known = |name: &str| {
        let id = drill.name(name)?;
        let found = &drill.names[id.0];
        let stated = drill.asks.iter().any(|ask| ask.states == Some(id));
        (found.origin == Origin::Let && !stated && depth < 16).then(|| written_out(drill, found.formula.expr(), depth + 1))
    };
    let whole = expr.substituted(&known);
    if whole.size() > LONGEST { expr.clone() } else { whole }
}

/// Every mutant of an ask that comes to another value. Of an ask for which a whole range is right there are none: its
/// latitude is stated.
pub(super) fn of(drill: &Drill, ask: &Ask) -> Vec<Mutant> {
    if matches!(ask.kind, AskKind::Range(_)) {
        return Vec::new();
    }
    let expr = worked(drill, ask);
    let truth = ask.formula.value();
    let mut mutants: Vec<Mutant> = Vec::new();
    for (what, node, changed) in changes(drill, ask, &expr) {
        let Ok(formula) = Formula::new("", changed.clone(), drill.scope()) else { continue };
        let value: Number = formula.eval(drill.reference.slots());
        let differs = ((value - truth) / truth).to_f64().abs() > SAME;
        let seen = |mutant: &Mutant| (mutant.value - value).to_f64().abs() <= SAME * value.to_f64().abs();
        if formula.dimension() == ask.formula.dimension() && value.is_finite() && differs && !mutants.iter().any(seen) {
            let inside = node.map(|node| inside(&expr, node)).unwrap_or_default();
            mutants.push(Mutant { text: changed.to_string(), what, inside, value });
        }
    }
    mutants
}

/// What stands at a place and around it, from the smallest on, without the whole.
fn inside(expr: &Expr, node: NodeId) -> Vec<String> {
    let around = |(at, expr): &(NodeId, &Expr)| at.0 > 0 && at.0 <= node.0 && node.0 < at.0 + expr.size();
    let mut inside: Vec<String> = expr.nodes().filter(around).map(|(_, expr)| expr.to_string()).collect();
    inside.reverse();
    inside
}

/// Every change of an expression, with what was done, and where, if it was done at one place.
fn changes(drill: &Drill, ask: &Ask, expr: &Expr) -> Vec<(String, Option<NodeId>, Expr)> {
    let show = |node: NodeId| expr.node(node).map(Expr::to_string).unwrap_or_default();
    let mut changes: Vec<(String, Option<NodeId>, Expr)> = expr
        .changes()
        .into_iter()
        .map(|(change, changed)| {
            let (what, node) = match change {
                Change::Factor(node) | Change::Term(node) => (format!("without `{}`", show(node)), node),
                Change::Inverted(node) => (format!("with `{}` turned over", show(node)), node),
                Change::Sign(node) => (format!("with another sign in `{}`", show(node)), node),
                Change::Function(node) => (format!("with less than `{}`", show(node)), node),
            };
            (what, Some(node), changed)
        })
        .collect();
    for (node, name) in expr.names() {
        let Some(known) = drill.name(name).map(|id| &drill.names[id.0]) else { continue };
        let dimension = known.formula.dimension();
        // One in thousands is less than any tolerance; of such a count nobody notices one more or less.
        let counts = known.origin == Origin::Given && known.noun.is_some() && dimension.is_none();
        if counts && known.formula.value().to_f64().abs() * ask.tolerance.share().to_f64() < 1.0 {
            for (operator, sign) in [(Operator::Subtract, '-'), (Operator::Add, '+')] {
                let beside =
                    Expr { kind: ExprKind::Binary(operator, Box::new(Expr::name(name)), Box::new(Expr::whole(1))), span: Span::default() };
                changes.push((format!("with `{name} {sign} 1` for `{name}`"), Some(node), expr.replaced(node, &beside)));
            }
        }
        let others =
            drill.names.iter().filter(|other| other.origin == Origin::Given && known.origin == Origin::Given && other.name != name);
        for other in others.filter(|other| other.formula.dimension() == dimension && other.noun == known.noun) {
            changes.push((
                format!("with `{}` for `{name}`", other.name),
                Some(node),
                expr.replaced(node, &Expr::name(other.name.as_str())),
            ));
        }
    }
    let data = |dimension: Dimension| dimension.holds(Base::Data);
    let has_data = data(ask.formula.dimension()) || ask.needs.iter().any(|name| data(drill.names[name.0].formula.dimension()));
    let thousand = decimal("1000");
    let factors: &[(&str, Expr)] = &[
        ("a thousand times as much", thousand.clone()),
        ("a thousandth of it", over(Expr::whole(1), thousand)),
        ("twice as much", Expr::whole(2)),
        ("half of it", over(Expr::whole(1), Expr::whole(2))),
        ("bits for bytes", Expr::whole(8)),
        ("bytes for bits", over(Expr::whole(1), Expr::whole(8))),
        ("1024 for 1000", decimal("1.024")),
        ("1000 for 1024", over(Expr::whole(1), decimal("1.024"))),
    ];
    let factors = factors.iter().filter(|(what, _)| has_data || !(what.contains("bits") || what.contains("1024")));
    changes.extend(factors.map(|(what, factor)| ((*what).to_owned(), None, times(factor.clone(), expr.clone()))));
    changes
}

fn times(left: Expr, right: Expr) -> Expr {
    Expr { kind: ExprKind::Binary(Operator::Multiply, Box::new(left), Box::new(right)), span: Span::default() }
}

fn over(left: Expr, right: Expr) -> Expr {
    Expr { kind: ExprKind::Binary(Operator::Divide, Box::new(left), Box::new(right)), span: Span::default() }
}

/// A written number, standing nowhere.
fn decimal(text: &str) -> Expr {
    let value = Number::inexact(text.parse().unwrap_or(1.0));
    Expr { kind: ExprKind::Number { value, written: text.to_owned(), unit: None }, span: Span::default() }
}

/// Whether a value passes for the answer.
fn passes(ask: &Ask, value: Number) -> bool {
    ask.tolerance.around(ask.formula.value()).contains(value)
}

/// Whether a value lies at least as near to a reading that is worth everything: it is stated to be right.
fn is_reading(ask: &Ask, value: Number) -> bool {
    let off = |target: Number| ((value - target) / target).to_f64().abs();
    let of = |credit: ReadingCredit| credit == ReadingCredit::Full;
    ask.readings.iter().filter(|reading| of(reading.credit) && reading.formula.dimension() == ask.formula.dimension()).any(|reading| {
        reading.tolerance.around(reading.formula.value()).contains(value) && off(reading.formula.value()) <= off(ask.formula.value()) + SAME
    })
}

/// The mutants that pass by their value alone, as an ask and a formula each.
pub(super) fn survivors(drill: &Drill) -> BTreeSet<(usize, String)> {
    let of_ask = |(at, ask): (usize, &Ask)| {
        let mutants = of(drill, ask).into_iter().filter(|mutant| passes(ask, mutant.value));
        mutants.map(|mutant| (at, mutant.text)).collect::<Vec<_>>()
    };
    drill.asks.iter().enumerate().flat_map(of_ask).collect()
}

/// Writes every mutant into an answer that is right otherwise, and tells of those that earn full points.
pub(super) fn check(bench: &Bench) {
    let drill = bench.drill;
    for (at, ask) in drill.asks.iter().enumerate() {
        for mutant in of(drill, ask) {
            if is_reading(ask, mutant.value) || !passes(ask, mutant.value) && !is_unnoticed(bench, at, &mutant) {
                continue;
            }
            tell(bench, ask, &mutant);
        }
    }
}

fn tell(bench: &Bench, ask: &Ask, mutant: &Mutant) {
    let drill = bench.drill;
    let answer = ask.formula.value();
    let (value, off) = (quantity(mutant.value, ask.unit.as_ref(), Style::Unicode), ((mutant.value - answer) / answer).to_f64().abs());
    let width = percent(ask.tolerance.share().to_f64());
    let title = format!("`{}` does not notice `{}`", ask.id, mutant.text);
    let says = match passes(ask, mutant.value) {
        true => format!("{} it comes to {value}: {} off, {width} are allowed", mutant.what, percent(off)),
        false => format!("{} it comes to {value}, which earns full points all the same", mutant.what),
    };
    let own = bench.ask(ask);
    let name = ask.states.map(|name| &drill.names[name.0]);
    let thing = name.map_or(own, |name| bench.name(name));
    let place = match name {
        Some(name) if !thing.tree.has("value") => bench.file.tree.get("let").get(&name.name).span,
        _ => thing.at("value"),
    };
    let mut telling = bench.told.tell("mutant-survives", own, place, title).says(says).or(thing).about(mutant.text.as_str());
    for inside in &mutant.inside {
        telling = telling.about(inside.as_str());
    }
    let key = mutant.inside.first().unwrap_or(&mutant.text);
    telling.help(format!("tighten the tolerance, or say at `{}` why: `because = {{ mutant-survives = {{ \"{key}\" = \"…\" }} }}`", ask.id));
}

/// Whether a mutant, written into an otherwise right answer to its part, is not noticed. What the student would be told is
/// looked at as well.
fn is_unnoticed(bench: &Bench, at: usize, mutant: &Mutant) -> bool {
    let drill = bench.drill;
    let Some(part) = drill.parts.iter().find(|part| part.id == drill.asks[at].part) else { return false };
    let value = |other: usize| {
        let ask = &drill.asks[other];
        // The zeros at the end show that it is this value and no rounder one.
        Some(if other == at { sheet::written_out(ask, mutant.value, FIGURES) } else { sheet::written(ask, ask.formula.value(), FIGURES) })
    };
    let answer = sheet::of_part(drill, part, &value);
    let grade = bench.grader.grade(&answer);
    leaks::check_view(bench, &answer, &grade, bench.ask(&drill.asks[at]), &format!("`{}`", mutant.text));
    let finding = &grade.quantities[at];
    match finding.points.possible > 0.0 {
        true => finding.points.awarded >= finding.points.possible,
        false => matches!(finding.verdict, Verdict::Correct | Verdict::CarriedForward),
    }
}
