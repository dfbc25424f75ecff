//! Two texts and a rule: both are read, units are judged, and the numbers compared in the teacher's unit.

use std::collections::BTreeMap;

use drillmark::formula::{self, Formula, KnownNames, Scope};
use drillmark::quantity::{Base, Dimension, Loose, Number, Sense, Unit, Units, Written};
use drillmark::recognize::short::{Beside, Form, Notation, Short, Unreadable};

use super::rule::{Judged, Kind, Measured, Mode, Reduced, ReducedPolicy, Rule};
use super::value::{self, Scale};
use super::words;

/// Amounts of money: a currency before a plain number is a label.
const MONEY: Dimension = Dimension::of(&[(Base::Money, 1)]);

/// Two texts as they were read, and how they compare.
#[derive(Clone, Debug)]
pub(super) struct Compared {
    pub(super) judged: Judged,
    /// `None` where it could not be read as one quantity.
    pub(super) student: Option<Said>,
    /// `None` where the rule needs none.
    pub(super) teacher: Option<Said>,
}

/// Compares two texts by a rule; the error says why the rule cannot be applied.
pub(super) fn compare(rule: &Rule, student: &str, teacher: &str, units: &Units) -> Result<Compared, String> {
    let notation = notation(rule)?;
    if rule.mode == Some(Mode::UnitOnly) {
        return Ok(Compared { judged: unit_only(student, teacher, units)?, student: None, teacher: None });
    }
    let read = Reader { rule, notation, units };
    let teacher = read.teacher(teacher)?;
    let student = match read.student(student) {
        Ok(student) => student,
        Err(unreadable) => return Ok(Compared { judged: refused(unreadable), student: None, teacher }),
    };
    let judged = read.judge(&student, teacher.as_ref())?;
    Ok(Compared { judged: reduced(rule, &student, judged), student: Some(student), teacher })
}

/// A text that is not one quantity: nothing to judge, and so not wrong either.
fn refused(unreadable: Unreadable) -> Judged {
    Judged::invalid(match unreadable {
        Unreadable::Blank => "blank",
        Unreadable::NoNumber => "no_number",
        Unreadable::UnitAlone => "number_missing",
        Unreadable::Digits => "digit_groups",
        Unreadable::DivisionByZero => "division_by_zero",
        Unreadable::Trailing => "not_one_quantity",
    })
}

/// The notation of a rule; English unless it says otherwise.
fn notation(rule: &Rule) -> Result<Notation, String> {
    if let Some(mark) = rule.decimal {
        return Notation::with_decimal(mark).ok_or_else(|| format!("`{mark}` is no decimal mark"));
    }
    match rule.notation.as_deref().or(rule.locale.as_deref()) {
        Some(name) => Notation::named(name).ok_or_else(|| format!("`{name}` is no known notation")),
        None if rule.prose == Some(true) => Ok(Notation::AUTOMATIC),
        None => Ok(Notation::ENGLISH),
    }
}

/// What a text says: a number as typed, and a unit.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) number: Number,
    pub(super) high: Option<Number>,
    pub(super) written: Option<Written>,
    form: Form,
    unit: Beside,
}

impl From<Short> for Said {
    fn from(short: Short) -> Said {
        let high = match short.form {
            Form::Range { high } => Some(high),
            _ => None,
        };
        Said { number: short.number, high, written: short.written, form: short.form, unit: short.unit }
    }
}

impl Said {
    /// In units of which one is `size` of the unit that is compared in.
    fn scaled(&self, size: Number) -> Measured {
        Measured {
            value: self.number * size,
            high: self.high.map(|high| high * size),
            written: self.written.map(|written| Written { last_place: written.last_place * size, ..written }),
        }
    }

    /// The unit's fair readings; `None` without a unit.
    fn senses(&self) -> Option<&[Sense]> {
        match &self.unit {
            Beside::Unit(senses) => Some(senses),
            Beside::Nothing | Beside::Unknown(_) => None,
        }
    }

    /// The unit as it is strictly written, or the likeliest reading.
    pub(super) fn unit(&self) -> Option<&Unit> {
        self.senses().and_then(|senses| senses.first()).map(|sense| &sense.unit)
    }
}

struct Reader<'a> {
    rule: &'a Rule,
    notation: Notation,
    units: &'a Units,
}

impl Reader<'_> {
    fn student(&self, text: &str) -> Result<Said, Unreadable> {
        let said = match self.rule.prose {
            Some(true) => match self.short(&words::plain(text)) {
                Ok(said) => said,
                Err(_) => Said::from(words::last_quantity(text, self.units)?),
            },
            _ => self.short(&words::plain(text))?,
        };
        if self.rule.fractions == Some(false) && said.written.is_none() {
            return Err(Unreadable::NoNumber);
        }
        Ok(said)
    }

    /// One quantity, or arithmetic that comes to one: `300 kW * 50 s`.
    fn short(&self, text: &str) -> Result<Said, Unreadable> {
        let short = Short::read(text, self.notation, self.units);
        let is_one = match &short {
            Ok(short) => !matches!(short.unit, Beside::Unknown(_)),
            Err(unreadable) => !matches!(unreadable, Unreadable::NoNumber | Unreadable::Trailing),
        };
        match worked(text, self.units).filter(|_| !is_one) {
            Some(said) => Ok(said),
            None => short.map(Said::from),
        }
    }

    /// The teacher's text; `None` where it is empty. A unit alone is one of it.
    fn teacher(&self, text: &str) -> Result<Option<Said>, String> {
        let text = words::plain(text);
        if text.trim().is_empty() || self.rule.interval.is_some() {
            return Ok(None);
        }
        // A reference is written plainly, `5678.9`, whatever notation the student's is to be in; a comma is that notation's.
        let in_order = if text.contains(',') { [self.notation, Notation::ENGLISH] } else { [Notation::ENGLISH, self.notation] };
        let read = |notation| Short::read(&text, notation, self.units);
        match read(in_order[0]).or_else(|_| read(in_order[1])) {
            Ok(short) => Ok(Some(short.into())),
            Err(Unreadable::UnitAlone) => {
                let unit = Beside::Unit(Short::unit(&text, self.units));
                Ok(Some(Said { number: Number::ONE, high: None, written: None, form: Form::Arithmetic, unit }))
            }
            Err(_) => Err(format!("the teacher's text `{text}` is not a quantity")),
        }
    }

    fn judge(&self, student: &Said, teacher: Option<&Said>) -> Result<Judged, String> {
        if self.rule.strict_notation == Some(true) && student.written.is_none_or(|written| written.exponent == 0) {
            return Ok(Judged::incorrect("notation"));
        }
        match self.rule.kind {
            Kind::Units => self.with_units(student, teacher),
            _ => self.numbers(student, teacher),
        }
    }

    fn scale(&self, unit: Number) -> Scale<'_> {
        Scale { units: self.units, notation: self.notation, unit }
    }

    /// A rule on plain numbers: shares are their fractions, a currency or a noun is a label, another unit is out of place.
    fn numbers(&self, student: &Said, teacher: Option<&Said>) -> Result<Judged, String> {
        let wanted = teacher.and_then(Said::unit);
        let size = |said: &Said| match said.unit() {
            Some(unit) if unit.dimension.is_none() => unit.factor,
            _ => Number::ONE,
        };
        if let Some(unit) = student.unit()
            && !unit.dimension.is_none()
            && unit.dimension != MONEY
            && self.rule.ignore_trailing_text != Some(true)
            && self.rule.prose != Some(true)
            && wanted.is_none_or(|wanted| wanted.dimension != unit.dimension)
        {
            return Ok(Judged::incorrect("unit_unexpected"));
        }
        if let (Some(wanted), Some(unit)) = (wanted, student.unit())
            && wanted.dimension == unit.dimension
        {
            if !unit.is_comparable(wanted) {
                return Ok(Judged::incorrect("unit_wrong"));
            }
            let measured = student.scaled(unit.factor / wanted.factor);
            return value::judge(self.rule, &measured, teacher.map(|said| said.scaled(Number::ONE)).as_ref(), &self.scale(wanted.factor));
        }
        let measured = student.scaled(size(student));
        value::judge(self.rule, &measured, teacher.map(|said| said.scaled(size(said))).as_ref(), &self.scale(Number::ONE))
    }

    /// A rule with units: the unit is judged first, then the number in the teacher's unit.
    fn with_units(&self, student: &Said, teacher: Option<&Said>) -> Result<Judged, String> {
        let mut rule = self.rule.value.as_deref().ok_or("a rule with units needs `value`")?.clone();
        // What else earns something may be said beside the units or beside the value.
        rule.partial_band = rule.partial_band.or_else(|| self.rule.partial_band.clone());
        rule.partial_range = rule.partial_range.or_else(|| self.rule.partial_range.clone());
        rule.alternatives = rule.alternatives.or_else(|| self.rule.alternatives.clone());
        rule.alt_credit = rule.alt_credit.or(self.rule.alt_credit);
        rule.ecf = rule.ecf.or_else(|| self.rule.ecf.clone());
        let teacher = teacher.ok_or("the teacher's text is empty")?;
        let wanted = teacher.unit();
        let scale = self.scale(wanted.map_or(Number::ONE, |unit| unit.factor));
        let reference = teacher.scaled(Number::ONE);
        let judge = |measured: &Measured| value::judge(&rule, measured, Some(&reference), &scale);
        let typed = || judge(&student.scaled(Number::ONE));

        let Some(wanted) = wanted else {
            return match (&student.unit, student.unit()) {
                (_, Some(unit)) if unit.dimension.is_none() => judge(&student.scaled(unit.factor)),
                (Beside::Nothing, _) => typed(),
                _ => self.charged(typed()?, "unit_unexpected"),
            };
        };
        let senses = match &student.unit {
            Beside::Nothing if self.rule.mode == Some(Mode::Optional) => return typed(),
            Beside::Nothing => return self.charged(typed()?, "unit_missing"),
            Beside::Unknown(_) if self.rule.mode == Some(Mode::Optional) => return typed(),
            Beside::Unknown(_) if self.rule.unit_penalty.is_none() => return Ok(Judged::invalid("unit_unknown")),
            Beside::Unknown(_) => return self.charged(typed()?, "unit_unknown"),
            Beside::Unit(senses) => senses,
        };
        let Some(unit) = understood(senses, wanted) else {
            return self.charged(typed()?, "unit_wrong");
        };
        let judged = judge(&student.scaled(unit.factor / wanted.factor))?;
        let same = unit.factor == wanted.factor;
        if self.rule.mode == Some(Mode::Exact) {
            return Ok(match (same, judged.passes(), self.rule.magnitude_credit) {
                (true, true, _) => judged,
                (true, false, Some(share)) => Judged::partial(1.0 - share, "value"),
                (false, true, Some(share)) => Judged::partial(share, "unit_not_exact"),
                (true, false, None) => judged,
                (false, ..) => Judged::incorrect("unit_not_exact"),
            });
        }
        if judged.credit > 0.0 || same {
            return Ok(judged);
        }
        let charged = self.charged(typed()?, "unit_wrong_number_right")?;
        let prefix = judged.diagnosis.filter(|slip| matches!(*slip, "binary_for_decimal" | "bits_for_bytes"));
        Ok(Judged { diagnosis: prefix.or(charged.diagnosis), ..charged })
    }

    /// The verdict on a number whose unit is missing or wrong: a penalty where the rule names one, else nothing.
    fn charged(&self, number: Judged, diagnosis: &'static str) -> Result<Judged, String> {
        Ok(match self.rule.unit_penalty {
            Some(penalty) => number.times(1.0 - penalty, diagnosis),
            None if number.passes() && diagnosis == "unit_wrong" => Judged::incorrect("unit_wrong_number_right"),
            None => Judged::incorrect(diagnosis),
        })
    }
}

/// What a text comes to when it is read as a formula of numbers and units.
fn worked(text: &str, units: &Units) -> Option<Said> {
    let symbols = BTreeMap::new();
    let expr = formula::parse_student(text, units, &KnownNames::default()).ok()?;
    let mut formula = Formula::new(text, expr, Scope { units, symbols: &symbols }).ok()?;
    formula.solve(&[]);
    let (number, dimension) = (formula.value(), formula.dimension());
    let unit = Sense { unit: Unit::new("in base units", dimension, Number::ONE), loose: None };
    let unit = if dimension.is_none() { Beside::Nothing } else { Beside::Unit(vec![unit]) };
    number.is_finite().then_some(Said { number, high: None, written: None, form: Form::Arithmetic, unit })
}

/// The reading of a unit that has the wanted dimension: as it is written, or in another case or spelling; a habit such as
/// `GB` for GiB is no reading here.
fn understood<'a>(senses: &'a [Sense], wanted: &Unit) -> Option<&'a Unit> {
    let fair = |sense: &&Sense| matches!(sense.loose, None | Some(Loose::Case | Loose::Spelling));
    senses.iter().filter(fair).map(|sense| &sense.unit).find(|unit| unit.is_comparable(wanted))
}

/// A rule that asks only for a unit.
fn unit_only(student: &str, teacher: &str, units: &Units) -> Result<Judged, String> {
    let wanted = Short::unit(teacher, units);
    let wanted = wanted.first().ok_or_else(|| format!("the teacher's text `{teacher}` is no unit"))?;
    let senses = Short::unit(student, units);
    if senses.is_empty() {
        return Ok(Judged::invalid("unit_unknown"));
    }
    let same = understood(&senses, &wanted.unit).is_some_and(|unit| unit.factor == wanted.unit.factor);
    Ok(if same { Judged::CORRECT } else { Judged::incorrect("unit_wrong") })
}

/// A right fraction that could be reduced, where the rule wants it in lowest terms.
fn reduced(rule: &Rule, student: &Said, judged: Judged) -> Judged {
    if !judged.passes() || student.form != (Form::Fraction { lowest: false }) {
        return judged;
    }
    match rule.must_be_reduced {
        Some(Reduced::Flag(true)) => Judged::partial(0.5, "not_reduced"),
        Some(Reduced::Policy(ReducedPolicy::Enforced)) => Judged::incorrect("not_reduced"),
        Some(Reduced::Policy(ReducedPolicy::Retry)) => Judged::invalid("not_reduced"),
        Some(Reduced::Flag(false)) | None => judged,
    }
}
