//! Slips that any drill's values can show, found from the value alone or by changing the formula itself.
//!
//! A wrong value is given a name only where the name explains it better than chance would: the value has to agree with
//! what the slip predicts, and no other slip may agree as well. What is listed in the drill is tried before.

use std::sync::LazyLock;

use crate::drill::{Alteration, Altered, Ask, AskKind, Drill};
use crate::grade::finding::General;
use crate::grade::standing::{Hit, Standing, Statement, Target};
use crate::quantity::{Base, Dimension, Number, Quantity, Tolerance};

/// Powers of ten beyond this are no slip of a prefix or a decimal point.
const MOST_POWER: i32 = 12;

/// How near a value has to be to what a changed formula predicts, where its figures do not say so already: many changes
/// are tried, so that the tolerance of the drill would let some hit by chance.
const NEAR: (i128, i32) = (2, -3);
/// How near where something else than data is asked, in which the few percent between two prefixes are soon hit by chance.
const NEARER: (i128, i32) = (3, -4);

/// The slip that explains a wrong value, by its size and then by the formula; `None` where nothing does, or where two that
/// have nothing to do with each other do.
pub(super) fn explain(drill: &Drill, at: usize, statement: &Statement, target: &Target) -> Option<General> {
    let ask = &drill.asks[at];
    // Twice anything between 32 and 160 is most things.
    if matches!(ask.kind, AskKind::Range(_)) {
        return None;
    }
    let by_value = of_value(statement, target).filter(|found| applies(drill, ask, found));
    // Of a time, the few percent between the prefixes are soon hit by chance; what the formula says explains more.
    let by_chance = by_value == Some(General::BinaryForDecimal) && !ask.formula.dimension().holds(Base::Data);
    match by_value {
        Some(found) if !by_chance => Some(found),
        found => of_formula(drill, ask, statement, target).or(found),
    }
}

/// The slip that leads from the target to a stated value, whatever the formula: a decimal point, a prefix, bits, 1024 for
/// 1000, a factor of two, a percentage, a reciprocal, a sign.
pub(super) fn of_value(statement: &Statement, target: &Target) -> Option<General> {
    let (low, high) = (target.low, target.high);
    let ends = [low.to_f64(), high.to_f64()];
    // By floats first: nearly no value is any of these.
    if !may_explain(statement, ends, target) {
        return None;
    }
    let tight = &*TIGHT;
    let agrees = |one: Number, other: Number| {
        let moved = Target { in_unit: false, tolerance: tight, ..target.between(one, other) };
        let stands = |hit: &Hit| matches!(hit.standing, Standing::Right | Standing::OtherUnit) && hit.high.is_none();
        statement.may_be(&moved) && statement.stand(&moved).as_ref().is_some_and(stands)
    };
    let tightly = Target { in_unit: false, tolerance: tight, ..*target };
    let may_be = |factor: f64| statement.may_be_right(in_order(ends.map(|end| end * factor)), &tightly);
    let times = |factor: Number| may_be(factor.to_f64()) && agrees(low * factor, high * factor);
    let either = |factor: Number| times(factor) || may_be(1.0 / factor.to_f64()) && times(Number::ONE / factor);

    if times(-Number::ONE) {
        return Some(General::Sign);
    }
    let share = target.dimension.is_none();
    if share && target.unit.is_some() && either(Number::from(100)) {
        return Some(General::PercentForFraction);
    }
    static POWERS: LazyLock<Vec<(i32, f64)>> =
        LazyLock::new(|| (1..=MOST_POWER).flat_map(|size| [size, -size]).map(|exponent| (exponent, 10_f64.powi(exponent))).collect());
    let shifted = |(exponent, power): &(i32, f64)| may_be(*power) && times(Number::decimal(1, *exponent));
    if let Some(&(exponent, _)) = POWERS.iter().find(|power| shifted(power)) {
        return Some(General::PowerOfTen { exponent });
    }
    if either(Number::from(8)) {
        return Some(General::BitsForBytes);
    }
    // The gap between the two prefixes is a few percent only, so that the agreement has to be close.
    static BINARY: LazyLock<[Number; 4]> =
        LazyLock::new(|| [1, 2, 3, 4].map(|tens: u32| Number::binary(tens) / Number::decimal(1, 3 * tens.cast_signed())));
    let nearer = Tolerance::relative(Number::decimal(NEARER.0, NEARER.1));
    let tight = if target.dimension.holds(Base::Data) { tight } else { &nearer };
    let close = |factor: Number| {
        let moved = Target {
            in_unit: false,
            tolerance: tight,
            min_figures: target.min_figures.max(3),
            ..target.between(low * factor, high * factor)
        };
        statement.stand(&moved).is_some_and(|hit| hit.standing == Standing::Right && hit.high.is_none())
    };
    // The few percent are wider than what is near: what is not right within that is not within less.
    let may_be = |ratio: f64| may_be(ratio) || may_be(1.0 / ratio);
    if BINARY.iter().copied().filter(|ratio| may_be(ratio.to_f64())).any(|ratio| close(ratio) || close(Number::ONE / ratio)) {
        return Some(General::BinaryForDecimal);
    }
    if either(Number::from(2)) {
        return Some(General::FactorTwo);
    }
    let turned = || statement.may_be_right(in_order(ends.map(|end| 1.0 / end)), &tightly);
    let turned = share && !low.is_zero() && !high.is_zero() && turned() && agrees(Number::ONE / low, Number::ONE / high);
    turned.then_some(General::Reciprocal)
}

/// How near a value has to be to what a slip predicts.
static TIGHT: LazyLock<Tolerance> = LazyLock::new(|| Tolerance::relative(Number::decimal(NEAR.0, NEAR.1)));

/// Whether a stated value may be what one of the slips of [`of_value`] leads to from values between two, as far as floats tell.
pub(super) fn may_explain(statement: &Statement, ends: [f64; 2], target: &Target) -> bool {
    static FACTORS: LazyLock<Vec<f64>> = LazyLock::new(|| {
        let powers = (1..=MOST_POWER).map(|power| 10_f64.powi(power));
        let binary = (1..=4).map(|tens| 1.024_f64.powi(tens));
        let mut factors: Vec<f64> = powers.chain(binary).chain([2.0, 8.0, 100.0]).flat_map(|factor| [factor, 1.0 / factor]).collect();
        factors.sort_by(f64::total_cmp);
        factors
    });
    let (tight, ends) = (&*TIGHT, in_order(ends));
    statement.of_asked().any(|sense| {
        let turned = target.dimension.is_none() && sense.may_lie(in_order(ends.map(|end| 1.0 / end)), tight);
        turned || sense.may_lie(in_order(ends.map(|end| -end)), tight) || sense.may_be_times(&FACTORS, ends, tight)
    })
}

/// The smaller value first.
fn in_order([one, other]: [f64; 2]) -> [f64; 2] {
    [one.min(other), one.max(other)]
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
    let tight = &*TIGHT;
    let mut found: Vec<(f64, Number, General)> = Vec::new();
    let tightly = Target { tolerance: tight, min_figures: target.min_figures.max(3), in_unit: false, ..*target };
    for Altered { change, value: Quantity { value, dimension }, float } in drill.altered(ask) {
        if *dimension != target.dimension || !statement.may_be_right([*float, *float], &tightly) {
            continue;
        }
        let hit = statement.stand(&tightly.at(*value));
        if let Some(hit) = hit.filter(|hit| hit.standing == Standing::Right && hit.high.is_none()) {
            found.push((hit.off, *value, general(change)));
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

/// What a change to a formula is called.
fn general(change: &Alteration) -> General {
    match change {
        Alteration::OffByOne => General::OffByOne,
        Alteration::Dropped(dropped) => General::DroppedOperand { dropped: dropped.clone() },
        Alteration::Inverted => General::Reciprocal,
        Alteration::Sign => General::Sign,
        Alteration::Other { wanted, used } => General::WrongOperand { wanted: wanted.clone(), used: used.clone() },
    }
}
