//! How one stated number stands to one value that would be right: in each fair reading, with its unit or without.

use crate::quantity::{Dimension, Fit, Interval, Loose, Number, Tolerance, Unit, Written};
use crate::recognize::{Kind, Reading};

/// A value, or a stretch of values, that a statement is compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'a> {
    /// The smallest value; of a single one the value itself. In SI base units, like all values here.
    pub(super) low: Number,
    /// The largest value.
    pub(super) high: Number,
    /// What kind of thing it is.
    pub(super) dimension: Dimension,
    /// The unit in which a bare number is understood.
    pub(super) unit: Option<&'a Unit>,
    /// Whether just this unit is asked for.
    pub(super) in_unit: bool,
    /// How far off counts as right.
    pub(super) tolerance: &'a Tolerance,
    /// Figures from which on rounding is held in the writer's favor.
    pub(super) min_figures: u32,
}

impl<'a> Target<'a> {
    /// The same for another value.
    pub(super) fn at(self, value: Number) -> Target<'a> {
        Target { low: value, high: value, ..self }
    }

    /// The same for every value between two.
    pub(super) fn between(self, one: Number, other: Number) -> Target<'a> {
        let ends = Interval::between(one, other);
        Target { low: ends.low, high: ends.high, ..self }
    }

    fn fit(&self, value: Number, written: &Written) -> Fit {
        if !value.is_finite() || !self.low.is_finite() || !self.high.is_finite() {
            return Fit::Apart;
        }
        let nearest = if value < self.low {
            self.low
        } else if value > self.high {
            self.high
        } else {
            value
        };
        self.tolerance.fit(value, written, self.min_figures, nearest)
    }
}

/// How a statement stands to a target, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// Right, with a unit or without one where none is needed.
    Right,
    /// Right, in another unit than the one that is asked for.
    OtherUnit,
    /// Right when a decimal prefix is read as the binary one.
    ReadAs,
    /// Right with the unit that was left out.
    MissingUnit,
    /// The right value with too few figures or cut off.
    Near,
    /// The same without its unit.
    NearMissingUnit,
    /// Another value.
    Apart,
}

impl Standing {
    /// Whether the value is right, whatever its form.
    pub(super) fn is_right(self) -> bool {
        self <= Standing::MissingUnit
    }
}

/// The best that can be made of a statement for one target.
#[derive(Clone, Debug)]
pub(super) struct Hit<'a> {
    pub(super) standing: Standing,
    pub(super) fit: Fit,
    /// The reading that was taken.
    pub(super) reading: &'a Reading,
    /// Its value with the unit that was understood.
    pub(super) value: Number,
    /// The upper end of a range.
    pub(super) high: Option<Number>,
    /// The unit that was understood; of a bare number the one that was left out.
    pub(super) unit: Option<Unit>,
    /// How far it is from the nearest value of the target, as a share of that.
    pub(super) off: f64,
    /// Whether the likelier readings of an ambiguous number are not right.
    pub(super) second_guess: bool,
}

impl<'a> Hit<'a> {
    /// A range whose ends are right, each for itself.
    pub(super) fn range_end(reading: &'a Reading, target: &Target) -> Hit<'a> {
        Hit {
            standing: Standing::Right,
            fit: Fit::Within,
            reading,
            value: reading.value,
            high: reading.high,
            unit: reading.unit.clone().or_else(|| target.unit.cloned()),
            off: 0.0,
            second_guess: false,
        }
    }
}

/// A statement of a number, as alignment found it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement<'a> {
    /// Every fair reading, likeliest first.
    pub(super) readings: &'a [Reading],
    /// What kind of statement it is.
    pub(super) kind: Kind,
    /// Whether the words turn a factor round: `4 times lower`.
    pub(super) lower: bool,
}

impl<'a> Statement<'a> {
    /// Whether it may be the target, in any form: a look at the floats, before anything is worked out exactly.
    pub(super) fn may_be(&self, target: &Target) -> bool {
        self.may_lie(target.low.to_f64(), target.high.to_f64(), target)
    }

    /// Whether it may be a value between two, of the target's kind and with its leeway.
    pub(super) fn may_lie(&self, low: f64, high: f64, target: &Target) -> bool {
        let fits = |(value, place): (f64, f64)| target.tolerance.may_fit_in(value, place, value.max(low).min(high));
        self.lower || self.rough_senses(target).any(fits)
    }

    /// The values that it may have in a target's dimension, each with the place that it was rounded to.
    pub(super) fn rough_senses(&self, target: &Target) -> impl Iterator<Item = (f64, f64)> {
        let by_unit = target.unit.map_or(1.0, |unit| unit.factor.to_f64());
        let of_kind = |reading: &&Reading| reading.unit.as_ref().is_none_or(|unit| unit.dimension == target.dimension);
        self.readings.iter().filter(of_kind).flat_map(move |reading| {
            let (value, place) = (reading.value.to_f64(), reading.written.rough_place());
            let in_unit = (reading.unit.is_none() && by_unit != 1.0).then_some((value * by_unit, place * by_unit));
            std::iter::once((value, place)).chain(in_unit)
        })
    }

    /// Compares in every fair reading; `None` where no reading has the target's dimension.
    pub(super) fn stand(&self, target: &Target) -> Option<Hit<'a>> {
        let mut best: Option<Hit<'a>> = None;
        for (place, reading) in self.readings.iter().enumerate() {
            for sense in senses(reading, target, self.lower).into_iter().flatten() {
                let hit = sense.compare(reading, target, place > 0);
                // What is not right either way is what it says, not what it may have meant: `2.5 GB` is no 2.5 GiB.
                let rank = |hit: &Hit| (hit.standing, hit.fit, hit.reading.loose == Some(Loose::Binary), hit.off);
                if best.as_ref().is_none_or(|best| rank(&hit) < rank(best)) {
                    best = Some(hit);
                }
            }
        }
        best
    }

    /// The digits as they were typed, read in the unit of the target whatever unit was written: whether they are right.
    pub(super) fn digits_right(&self, target: &Target) -> bool {
        let size = target.unit.map_or(Number::ONE, |unit| unit.factor);
        self.readings.iter().filter(|reading| reading.loose.is_none()).any(|reading| {
            let by = size / reading.unit.as_ref().map_or(Number::ONE, |unit| unit.factor);
            let written = Written { last_place: reading.written.last_place * by, ..reading.written };
            target.fit(reading.value * by, &written).is_right()
        })
    }
}

/// One way to take a reading for the target's dimension.
struct Sense {
    value: Number,
    high: Option<Number>,
    written: Written,
    unit: Option<Unit>,
    /// Whether the unit was left out.
    missing: bool,
}

/// The ways to take a reading: by its unit; a bare number in the unit that is asked for, and in the base unit; and each turned
/// round.
fn senses(reading: &Reading, target: &Target, lower: bool) -> [Option<Sense>; 4] {
    let scaled = |size: Number, unit: Option<Unit>, missing: bool| Sense {
        value: reading.value * size,
        high: reading.high.map(|high| high * size),
        written: Written { last_place: reading.written.last_place * size, ..reading.written },
        unit,
        missing,
    };
    let plain = match &reading.unit {
        Some(unit) if unit.dimension == target.dimension && target.unit.is_none_or(|asked| asked.is_comparable(unit)) => {
            [Some(scaled(Number::ONE, Some(unit.clone()), false)), None]
        }
        Some(_) => [None, None],
        None if target.dimension.is_none() => {
            // `50.7` of a share that is asked in percent lacks its sign; `0.507` is the share itself.
            let share = target.unit.filter(|unit| unit.factor != Number::ONE && reading.value.abs() >= Number::ONE);
            [Some(scaled(Number::ONE, None, false)), share.map(|unit| scaled(unit.factor, Some(unit.clone()), true))]
        }
        None => {
            let in_unit = target.unit.map(|unit| scaled(unit.factor, Some(unit.clone()), true));
            let in_base = target.unit.is_none_or(|unit| unit.factor != Number::ONE).then(|| scaled(Number::ONE, None, true));
            [in_unit, in_base]
        }
    };
    let factor = target.unit.is_none_or(|unit| unit.factor == Number::ONE);
    let turns = lower && factor && target.dimension.is_none();
    // A factor that something fell by: both ways of writing it are the same statement; `falls to 0.97 of it` is below one as it stands.
    let turned = |sense: &Option<Sense>| {
        let sense = sense.as_ref().filter(|sense| turns && sense.value > Number::ONE);
        sense.filter(|sense| sense.unit.as_ref().is_none_or(|unit| unit.factor == Number::ONE)).map(Sense::turned)
    };
    let [first, second] = plain.each_ref().map(turned);
    let [one, other] = plain;
    [one, other, first, second]
}

impl Sense {
    fn turned(&self) -> Sense {
        let turn = |value: Number| Number::ONE / value;
        let place = self.written.last_place / (self.value * self.value);
        Sense {
            value: turn(self.high.unwrap_or(self.value)),
            high: self.high.map(|_| turn(self.value)),
            written: Written { last_place: place, ..self.written },
            unit: None,
            missing: self.missing,
        }
    }

    fn compare<'a>(self, reading: &'a Reading, target: &Target, second_guess: bool) -> Hit<'a> {
        let first = target.fit(self.value, &self.written);
        let fit = self.high.map_or(first, |high| first.max(target.fit(high, &self.written)));
        let other_unit =
            target.in_unit && !self.missing && self.unit.as_ref().zip(target.unit).is_some_and(|(unit, asked)| !same(unit, asked));
        let standing = match (fit.is_right(), fit.is_near()) {
            (true, _) if self.missing => Standing::MissingUnit,
            (true, _) if reading.loose == Some(Loose::Binary) => {
                // Two guesses at once, the prefix and the rounding, are one too many.
                if fit == Fit::Within { Standing::ReadAs } else { Standing::Apart }
            }
            (true, _) if other_unit => Standing::OtherUnit,
            (true, _) => Standing::Right,
            (false, true) if self.missing => Standing::NearMissingUnit,
            (false, true) if reading.loose != Some(Loose::Binary) => Standing::Near,
            _ => Standing::Apart,
        };
        let nearest = if self.value < target.low { target.low } else { target.high.min_of(self.value) };
        let off = ((self.value.to_f64() - nearest.to_f64()) / nearest.to_f64()).abs();
        let off = if off.is_nan() { f64::INFINITY } else { off };
        Hit { standing, fit, reading, value: self.value, high: self.high, unit: self.unit, off, second_guess }
    }
}

fn same(one: &Unit, other: &Unit) -> bool {
    one.dimension == other.dimension && one.factor == other.factor
}

impl Hit<'_> {
    /// Whether a range that is no answer as a whole has the target inside it, or an end at it.
    pub(super) fn straddles(&self, target: &Target) -> bool {
        self.high.is_some_and(|high| {
            let range = Interval::between(self.value, high);
            range.contains(target.low) || range.contains(target.high)
        })
    }
}
