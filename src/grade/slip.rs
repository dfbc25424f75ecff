//! Slips that any drill's values can show, found from the value alone or by changing the formula itself.
//!
//! A wrong value is given a name only where the name explains it better than chance would: the value has to agree with
//! what the slip predicts, and no other slip may agree as well. What is listed in the drill is tried before.

use crate::drill::{Ask, AskKind, Drill, Origin};
use crate::formula::{Change, Expr, ExprKind, Operator};
use crate::grade::finding::General;
use crate::grade::standing::{Standing, Statement, Target};
use crate::quantity::{Base, Dimension, Number, Quantity, Tolerance};
use crate::text::Span;

/// Powers of ten beyond this are no slip of a prefix or a decimal point.
const MOST_POWER: i32 = 12;

/// How near a value has to be to what a changed formula predicts, where its figures do not say so already: many changes
/// are tried, so that the tolerance of the drill would let some hit by chance.
const NEAR: (i128, i32) = (2, -3);

/// The slip that explains a wrong value, by its size and then by the formula; `None` where nothing does, or where two that
/// have nothing to do with each other do.
pub(super) fn general(drill: &Drill, at: usize, statement: &Statement, target: &Target) -> Option<General> {
    let ask = &drill.asks[at];
    // Twice anything between 32 and 160 is most things.
    if matches!(ask.kind, AskKind::Range(_)) {
        return None;
    }
    if let Some(found) = of_value(statement, target).filter(|found| applies(drill, ask, found)) {
        return Some(found);
    }
    of_formula(drill, ask, statement, target)
}

/// The slip that leads from the target to a stated value, whatever the formula: a decimal point, a prefix, bits, 1024 for
/// 1000, a factor of two, a percentage, a reciprocal, a sign.
pub(super) fn of_value(statement: &Statement, target: &Target) -> Option<General> {
    let (low, high) = (target.low, target.high);
    let tight = Tolerance::relative(Number::decimal(NEAR.0, NEAR.1));
    let agrees = |one: Number, other: Number| {
        let moved = Target { in_unit: false, tolerance: &tight, ..target.between(one, other) };
        statement.stand(&moved).is_some_and(|hit| matches!(hit.standing, Standing::Right | Standing::OtherUnit) && hit.high.is_none())
    };
    let times = |factor: Number| agrees(low * factor, high * factor);
    let either = |factor: Number| times(factor) || times(Number::ONE / factor);

    if times(-Number::ONE) {
        return Some(General::Sign);
    }
    let share = target.dimension.is_none();
    if share && target.unit.is_some() && either(Number::from(100)) {
        return Some(General::PercentForFraction);
    }
    let powers = (1..=MOST_POWER).flat_map(|size| [size, -size]);
    if let Some(exponent) = powers.into_iter().find(|&exponent| times(Number::decimal(1, exponent))) {
        return Some(General::PowerOfTen { exponent });
    }
    if either(Number::from(8)) {
        return Some(General::BitsForBytes);
    }
    // The gap between the two prefixes is a few percent only, so that the agreement has to be close.
    let binary = (1..=4).map(|tens| Number::binary(tens) / Number::decimal(1, 3 * tens.cast_signed()));
    let close = |factor: Number| {
        let moved = Target {
            in_unit: false,
            tolerance: &tight,
            min_figures: target.min_figures.max(3),
            ..target.between(low * factor, high * factor)
        };
        statement.stand(&moved).is_some_and(|hit| hit.standing == Standing::Right && hit.high.is_none())
    };
    if binary.into_iter().any(|ratio| close(ratio) || close(Number::ONE / ratio)) {
        return Some(General::BinaryForDecimal);
    }
    if either(Number::from(2)) {
        return Some(General::FactorTwo);
    }
    let turned = share && !low.is_zero() && !high.is_zero() && agrees(Number::ONE / low, Number::ONE / high);
    turned.then_some(General::Reciprocal)
}

/// Whether a slip can have happened in this ask: bits and binary prefixes only where data is in it.
fn applies(drill: &Drill, ask: &Ask, found: &General) -> bool {
    let data = |dimension: Dimension| dimension.holds(Base::Data);
    match found {
        General::BitsForBytes | General::BinaryForDecimal => {
            data(ask.formula.dimension()) || ask.needs.iter().any(|name| data(drill.names[name.0].formula.dimension()))
        }
        _ => true,
    }
}

/// The slip in the formula that gives a stated value.
fn of_formula(drill: &Drill, ask: &Ask, statement: &Statement, target: &Target) -> Option<General> {
    // Where the ask is just a name, the formula that students work with is the name's own.
    let formula = ask.states.map_or(&ask.formula, |name| &drill.names[name.0].formula);
    let tight = Tolerance::relative(Number::decimal(NEAR.0, NEAR.1));
    let mut found: Vec<(f64, Number, General)> = Vec::new();
    for (general, expr) in changed(drill, formula.expr()) {
        let Some(Quantity { value, dimension }) = drill.evaluate(&expr, &drill.reference) else { continue };
        if dimension != target.dimension {
            continue;
        }
        let moved = Target { tolerance: &tight, min_figures: target.min_figures.max(3), in_unit: false, ..target.at(value) };
        if let Some(hit) = statement.stand(&moved).filter(|hit| hit.standing == Standing::Right && hit.high.is_none()) {
            found.push((hit.off, value, general));
        }
    }
    // Changes that come to the same value are one slip told in several ways; the first says it most simply. Of different
    // values that agree, none is more than a guess.
    let (_, value, _) = found.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let one = tight.around(*value);
    if !found.iter().all(|(_, other, _)| one.contains(*other)) {
        return None;
    }
    found.into_iter().next().map(|(.., general)| general)
}

/// Every formula that differs by one slip, with the slip's name: a factor or term left out, a count off by one, one given
/// in the place of another of its kind.
fn changed(drill: &Drill, expr: &Expr) -> Vec<(General, Expr)> {
    let mut changed = Vec::new();
    for (change, expr_changed) in expr.changes() {
        let general = match change {
            Change::Term(node) if expr.node(node).is_some_and(is_one) => General::OffByOne,
            Change::Factor(node) | Change::Term(node) | Change::Function(node) => match expr.node(node) {
                Some(dropped) if dropped.size() < expr.size() => General::DroppedOperand { dropped: dropped.to_string() },
                _ => continue,
            },
            Change::Inverted(_) => General::Reciprocal,
            Change::Sign(_) => General::Sign,
        };
        changed.push((general, expr_changed));
    }
    for (node, wanted) in expr.names() {
        let Some(name) = drill.names.iter().find(|name| name.name == wanted) else { continue };
        let dimension = name.formula.dimension();
        // Counts go wrong by one.
        if dimension.is_none() && name.origin == Origin::Given {
            for operator in [Operator::Subtract, Operator::Add] {
                let one = written(ExprKind::Number { value: Number::ONE, written: "1".to_owned(), unit: None });
                let beside = written(ExprKind::Binary(operator, Box::new(named(wanted)), Box::new(one)));
                changed.push((General::OffByOne, expr.replaced(node, &beside)));
            }
        }
        for other in &drill.names {
            if other.origin == Origin::Given && other.name != wanted && other.formula.dimension() == dimension {
                let used = named(&other.name);
                let general = General::WrongOperand { wanted: wanted.to_owned(), used: other.name.clone() };
                changed.push((general, expr.replaced(node, &used)));
            }
        }
    }
    changed
}

/// An expression that stands nowhere.
fn written(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

fn named(name: &str) -> Expr {
    written(ExprKind::Name(name.to_owned()))
}

fn is_one(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Number { value, unit: None, .. } if *value == Number::ONE)
}
