//! Rules on values: tolerances, intervals, wider bands with less credit, and other values that earn something.

use drillmark::quantity::{Interval, Number, Units};
use drillmark::recognize::short::{Beside, Notation, Short};

use super::figures;
use super::rule::{Alternative, Amount, Base, Judged, Kind, Measured, Rule};

/// What the numbers of a rule are read with.
pub(super) struct Scale<'a> {
    pub(super) units: &'a Units,
    pub(super) notation: Notation,
    /// The size of the teacher's unit: everything is compared in it.
    pub(super) unit: Number,
}

impl Scale<'_> {
    /// A number of a rule, in the teacher's unit where it has a unit of its own.
    fn amount(&self, amount: &Amount) -> Result<Number, String> {
        let text = amount.text();
        // Rules are written by programs: always with a decimal point.
        let short = Short::read(&text, Notation::ENGLISH, self.units).map_err(|_| format!("`{text}` is not a number"))?;
        match short.unit {
            Beside::Nothing => Ok(short.number),
            Beside::Unit(senses) if senses[0].unit.dimension.is_none() => Ok(short.number * senses[0].unit.factor),
            Beside::Unit(senses) => Ok(short.number * senses[0].unit.factor / self.unit),
            Beside::Unknown(_) => Err(format!("`{text}` has a unit that is not known")),
        }
    }

    /// A value of an answer list, read as the teacher's text is.
    fn value(&self, amount: &Amount) -> Result<Number, String> {
        let text = amount.text();
        let short = Short::read(&text, self.notation, self.units).map_err(|_| format!("`{text}` is not a number"))?;
        match short.unit {
            Beside::Unit(senses) => Ok(short.number * senses[0].unit.factor / self.unit),
            _ => Ok(short.number),
        }
    }
}

/// Applies a rule on numbers. `teacher` is `None` where its text is empty, which only rules on form allow.
pub(super) fn judge(rule: &Rule, student: &Measured, teacher: Option<&Measured>, scale: &Scale) -> Result<Judged, String> {
    let judged = once(rule, student, teacher, scale)?;
    if judged.credit > 0.0 {
        return Ok(judged);
    }
    if let Some(carried) = &rule.ecf
        && scale.value(&carried.student)? != scale.value(&carried.teacher)?
    {
        let recomputed = Measured { value: scale.value(&carried.recomputed)?, high: None, written: None };
        if once(rule, student, Some(&recomputed), scale)?.passes() {
            return Ok(Judged::partial(1.0 - carried.penalty.unwrap_or(0.0), "carried_forward"));
        }
    }
    for alternative in rule.alternatives.iter().flatten() {
        let (accepted, credit) = match alternative {
            Alternative::Value(value) => (Some(value), None),
            Alternative::Listed { value, credit, .. } => (value.as_ref(), *credit),
        };
        let hit = match (accepted, alternative) {
            (Some(value), _) => {
                let accepted = Measured { value: scale.value(value)?, high: None, written: None };
                once(rule, student, Some(&accepted), scale)?.passes()
            }
            (None, Alternative::Listed { range: Some([low, high]), .. }) => {
                Interval::between(scale.value(low)?, scale.value(high)?).contains(student.value)
            }
            _ => return Err("an alternative needs `value` or `range`".to_owned()),
        };
        if hit {
            return Ok(Judged::partial(credit.or(rule.alt_credit).unwrap_or(0.5), "alternative"));
        }
    }
    Ok(judged)
}

/// The rule itself, without what else earns something.
fn once(rule: &Rule, student: &Measured, teacher: Option<&Measured>, scale: &Scale) -> Result<Judged, String> {
    if matches!(rule.kind, Kind::Sigfig | Kind::Decplaces) {
        let half_width = match (rule.value_only, &rule.half_width) {
            (Some(true), Some(half)) => Some(scale.amount(half)?),
            (Some(true), None) => Some(Number::decimal(5, -1)),
            _ => None,
        };
        return figures::judge(rule, student, teacher, half_width);
    }
    let accepted = accepted(rule, teacher, scale)?;
    let contains = |interval: &Interval| interval.contains(student.value) && student.high.is_none_or(|high| interval.contains(high));
    if contains(&accepted) {
        return Ok(Judged::CORRECT);
    }
    if let Some(times) = &rule.partial_range
        && contains(&accepted.widened(scale.amount(times)?))
    {
        return Ok(Judged::partial(0.5, "close"));
    }
    if let Some(band) = &rule.partial_band {
        let wider = Rule { tol: Some(band.tol.clone()), ..rule.clone() };
        if contains(&self::accepted(&wider, teacher, scale)?) {
            return Ok(Judged::partial(band.credit, "close"));
        }
    }
    if student.high.is_some_and(|high| Interval::between(student.value, high).contains((accepted.low + accepted.high) / Number::from(2))) {
        return Ok(Judged::incorrect("range_too_wide"));
    }
    Ok(Judged::incorrect(teacher.and_then(|teacher| slip(rule, student.value, teacher.value, &accepted))))
}

/// The values that a tolerance or an interval accepts, in the teacher's unit.
fn accepted(rule: &Rule, teacher: Option<&Measured>, scale: &Scale) -> Result<Interval, String> {
    if let Some(interval) = &rule.interval {
        return written_interval(interval, scale);
    }
    let teacher = teacher.ok_or("the teacher's text is empty")?;
    if let Some(high) = teacher.high {
        return Ok(Interval::between(teacher.value, high));
    }
    let reference = teacher.value;
    let tol = rule.tol.as_ref().ok_or("a tolerance needs `tol`")?;
    let interval = if tol.text() == "from_reference_digits" {
        let written = teacher.written.as_ref().ok_or("the teacher's number shows no digits")?;
        Interval::around(reference, written.last_place / Number::from(2))
    } else {
        let tol = scale.amount(tol)?;
        match (rule.kind, rule.base) {
            (Kind::Abs, _) => Interval::around(reference, tol * tolerance_unit(rule, scale)?),
            (_, Some(Base::Max)) if tol < Number::ONE => Interval::share_of_larger(reference, tol),
            (_, Some(Base::Max)) => return Err("a tolerance of the larger of two values has to be below 1".to_owned()),
            (_, Some(Base::Geometric)) => Interval::within_factor(reference, Number::ONE + tol),
            (_, Some(Base::Teacher) | None) => {
                let more = rule.plus_abs.as_ref().map_or(Ok(Number::ZERO), |plus| scale.amount(plus))?;
                Interval::around(reference, tol * reference.abs() + more)
            }
        }
    };
    Ok(if rule.inclusive == Some(false) { interval.open() } else { interval })
}

/// The unit of an absolute tolerance, in teacher's units.
fn tolerance_unit(rule: &Rule, scale: &Scale) -> Result<Number, String> {
    match rule.tol_unit.as_deref() {
        None | Some("teacher") => Ok(Number::ONE),
        Some(unit) => {
            let senses = Short::unit(unit, scale.units);
            let sense = senses.first().ok_or_else(|| format!("`{unit}` is no unit"))?;
            Ok(sense.unit.factor / scale.unit)
        }
    }
}

/// `[5, 7)`: a bracket takes its end in, a parenthesis leaves it out; the ends come in either order.
fn written_interval(text: &str, scale: &Scale) -> Result<Interval, String> {
    let broken = || format!("`{text}` is no interval");
    let text = text.trim();
    let (first, last) = (text.chars().next().ok_or_else(broken)?, text.chars().next_back().ok_or_else(broken)?);
    if !"[(]".contains(first) || !"])[".contains(last) || text.len() < 2 {
        return Err(broken());
    }
    let (one, other) = text[1..text.len() - 1].split_once([',', ';']).ok_or_else(broken)?;
    let (one, other) = (scale.amount(&one.trim().into())?, scale.amount(&other.trim().into())?);
    let (with_one, with_other) = (first == '[', last == ']');
    let interval = Interval::between(one, other);
    let (with_low, with_high) = if one <= other { (with_one, with_other) } else { (with_other, with_one) };
    Ok(Interval { with_low, with_high, ..interval })
}

/// The kind of slip that leads from the reference to a value, where one does within the rule's own tolerance.
fn slip(rule: &Rule, value: Number, reference: Number, accepted: &Interval) -> Option<&'static str> {
    if value.is_zero() || reference.is_zero() {
        return None;
    }
    if accepted.contains(-value) {
        return Some("sign");
    }
    // The tolerance is scaled with the value: what is exact must be exact ten times too large as well.
    let most = rule.max_power.unwrap_or(3);
    let power = (-most..=most).filter(|power| *power != 0).find(|&power| accepted.contains(value * Number::decimal(1, -power)));
    if power.is_some() {
        return Some("power_of_ten");
    }
    if accepted.contains(Number::ONE / value) {
        return Some("reciprocal");
    }
    let times = |factor: i32| accepted.contains(value * Number::from(factor)) || accepted.contains(value / Number::from(factor));
    match () {
        () if times(8) => Some("bits_for_bytes"),
        () if times(2) => Some("factor_two"),
        () if (1..=4).any(|tens| binary(value, tens, accepted)) => Some("binary_for_decimal"),
        () => None,
    }
}

/// Whether a value is right once 1024 is taken for 1000 that many times, or the other way round.
fn binary(value: Number, tens: u32, accepted: &Interval) -> bool {
    let ratio = Number::binary(tens) / Number::decimal(1, 3 * tens.cast_signed());
    accepted.contains(value * ratio) || accepted.contains(value / ratio)
}
