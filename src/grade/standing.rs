//! How one stated number stands to one value that would be right: in each fair reading, with its unit or without.

use smallvec::SmallVec;

use crate::drill::Ask;
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

    /// The floats of both ends.
    fn ends(&self) -> [f64; 2] {
        let low = self.low.to_f64();
        [low, if self.high == self.low { low } else { self.high.to_f64() }]
    }

    /// How well a value goes with the target, whose ends are these as floats: exact numbers are looked at only at an edge.
    fn fit(&self, value: Number, rough: Rough, written: &Written, [low, high]: [f64; 2]) -> Fit {
        if !rough.value.is_finite() || !low.is_finite() || !high.is_finite() {
            return Fit::Apart;
        }
        let nearest = rough.nearest([low, high]);
        let told = self.tolerance.fit_roughly((rough.value, rough.place), written, self.min_figures, nearest);
        told.unwrap_or_else(|| {
            let nearest = if value < self.low {
                self.low
            } else if value > self.high {
                self.high
            } else {
                value
            };
            self.tolerance.fit_exactly(value, written, self.min_figures, nearest)
        })
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

/// What is about stated: the floats of a value and of the place that it was rounded to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rough {
    value: f64,
    place: f64,
}

impl Rough {
    fn of(value: Number, written: &Written) -> Rough {
        Rough { value: value.to_f64(), place: written.rough_place() }
    }

    /// The same number of a unit of this size.
    fn in_unit(self, size: f64) -> Rough {
        Rough { value: self.value * size, place: self.place * size }
    }

    /// Whether times a factor something between two values may be what is stated; the factors are positive, the smallest
    /// first.
    pub(super) fn may_be_times(self, factors: &[f64], [low, high]: [f64; 2], tolerance: &Tolerance) -> bool {
        let may_lie = |factor: &f64| self.may_lie([low * factor, high * factor], tolerance);
        // All others lie further off than any tolerance reaches that is less than a hundredth.
        let (nearest, furthest) = if low * high > 0.0 { (low.abs().min(high.abs()), low.abs().max(high.abs())) } else { (0.0, f64::MAX) };
        let (least, most) = (0.99 * (self.value.abs() - self.place) / furthest, 1.01 * (self.value.abs() + self.place) / nearest);
        let first = factors.partition_point(|factor| *factor < least);
        factors[first..].iter().take_while(|factor| **factor <= most || most.is_nan()).any(may_lie)
    }

    /// Whether it may lie between two values, or as near to them as a tolerance lets it.
    #[inline]
    pub(super) fn may_lie(self, ends: [f64; 2], tolerance: &Tolerance) -> bool {
        tolerance.may_fit_in(self.value, self.place, self.nearest(ends))
    }

    /// What between two values is nearest to it.
    #[inline]
    fn nearest(self, [low, high]: [f64; 2]) -> f64 {
        if self.value < low {
            low
        } else if self.value < high {
            self.value
        } else {
            high
        }
    }
}

/// A statement of a number, as alignment found it.
#[derive(Clone, Debug)]
pub(super) struct Statement<'a> {
    /// Every fair reading, likeliest first.
    pub(super) readings: &'a [Reading],
    /// What kind of statement it is.
    pub(super) kind: Kind,
    /// Whether the words turn a factor round: `4 times lower`.
    pub(super) lower: bool,
    /// By reading: about what it states. A statement is held against hundreds of values, nearly all of which are far from it.
    roughly: SmallVec<[Rough; 3]>,
    /// The same turned round, where the words do that to a factor.
    turned: SmallVec<[Rough; 1]>,
    /// The values of what is asked that it may have, with the form in which each is written.
    of_asked: SmallVec<[(Rough, &'a Written); 4]>,
}

impl<'a> Statement<'a> {
    /// A statement about an ask that may be read in these ways.
    pub(super) fn new(readings: &'a [Reading], kind: Kind, lower: bool, ask: &Ask) -> Statement<'a> {
        let (mut roughly, mut turned, mut of_asked) = (SmallVec::new(), SmallVec::new(), SmallVec::new());
        let dimension = ask.formula.dimension();
        let by_unit = ask.unit.as_ref().filter(|unit| unit.dimension == dimension).map_or(1.0, |unit| unit.size);
        for reading in readings {
            let plain = Rough::of(reading.value, &reading.written);
            roughly.push(plain);
            if reading.unit.as_ref().is_none_or(|unit| unit.dimension == dimension) {
                of_asked.push((plain, &reading.written));
            }
            if reading.unit.is_none() && by_unit != 1.0 {
                of_asked.push((plain.in_unit(by_unit), &reading.written));
            }
            if lower && reading.unit.as_ref().is_none_or(is_one) {
                let value = reading.high.map_or(plain.value, Number::to_f64);
                let factor = Rough { value: 1.0 / value, place: plain.place / (plain.value * plain.value) };
                turned.push(factor);
                of_asked.extend(dimension.is_none().then_some((factor, &reading.written)));
            }
        }
        Statement { readings, kind, lower, roughly, turned, of_asked }
    }

    /// Whether it may be a value between two of what is asked, in any form.
    #[inline]
    pub(super) fn may_be_asked(&self, ends: [f64; 2], tolerance: &Tolerance) -> bool {
        self.of_asked.iter().any(|(sense, _)| sense.may_lie(ends, tolerance))
    }

    /// Whether it may fit a value between two of what is asked so well, in any form: nothing does of which the floats tell otherwise.
    pub(super) fn may_fit(&self, ends: [f64; 2], tolerance: &Tolerance, min_figures: u32, well: fn(Fit) -> bool) -> bool {
        self.of_asked.iter().any(|(sense, written)| {
            let told = tolerance.fit_roughly((sense.value, sense.place), written, min_figures, sense.nearest(ends));
            told.is_none_or(well)
        })
    }

    /// Whether it may be right as it is written, unit and all, for a target whose ends are these as floats: what
    /// [`stand`](Statement::stand) calls [`Standing::Right`] or [`Standing::OtherUnit`] passes, nearly all else does not.
    pub(super) fn may_be_right(&self, [low, high]: [f64; 2], target: &Target) -> bool {
        let right = |rough: Rough, written: &Written| {
            let nearest = rough.nearest([low, high]);
            let told = target.tolerance.fit_roughly((rough.value, rough.place), written, target.min_figures, nearest);
            told.is_none_or(Fit::is_right)
        };
        let whole = |reading: &Reading| reading.unit.as_ref().map_or(Dimension::NONE, |unit| unit.dimension) == target.dimension;
        let mut readings = self.readings.iter().zip(&self.roughly);
        readings.any(|(reading, rough)| whole(reading) && right(*rough, &reading.written))
            || target.dimension.is_none() && !self.turned.is_empty()
    }

    /// Whether it may be the target, in any form: a look at the floats, before anything is worked out exactly.
    pub(super) fn may_be(&self, target: &Target) -> bool {
        self.may_lie(target.ends(), target.dimension, target.unit, target.tolerance)
    }

    /// Whether it may be a value between two of a dimension, a bare number also one in a unit.
    pub(super) fn may_lie(&self, ends: [f64; 2], dimension: Dimension, unit: Option<&Unit>, tolerance: &Tolerance) -> bool {
        let by_unit = unit.map_or(1.0, |unit| unit.size);
        for (reading, plain) in self.readings.iter().zip(&self.roughly) {
            let may_lie = match &reading.unit {
                Some(unit) => unit.dimension == dimension && plain.may_lie(ends, tolerance),
                None => plain.may_lie(ends, tolerance) || by_unit != 1.0 && plain.in_unit(by_unit).may_lie(ends, tolerance),
            };
            if may_lie {
                return true;
            }
        }
        dimension.is_none() && self.turned.iter().any(|turned| turned.may_lie(ends, tolerance))
    }

    /// The values of what is asked that it may have: of a bare number also in the unit that is asked for, of a factor perhaps turned
    /// round.
    pub(super) fn of_asked(&self) -> impl Iterator<Item = Rough> {
        self.of_asked.iter().map(|(sense, _)| *sense)
    }

    /// Compares in every fair reading; `None` where no reading has the target's dimension.
    pub(super) fn stand(&self, target: &Target) -> Option<Hit<'a>> {
        let mut best: Option<(Rank, Sense, usize)> = None;
        let ends = target.ends();
        let mut consider = |rank: Rank, sense, place| {
            if best.as_ref().is_none_or(|(best, ..)| rank < *best) {
                best = Some((rank, sense, place));
            }
        };
        // A factor that something fell by: both ways of writing it are the same statement.
        let turns = self.lower && target.dimension.is_none() && target.unit.is_none_or(is_one);
        for (place, reading) in self.readings.iter().enumerate() {
            let ways = Taking::ways(reading, target);
            for way in ways.iter().flatten() {
                let sense = Sense::of(reading, self.roughly[place], way);
                consider(sense.compare(reading, target, ends), sense, place);
            }
            for way in ways.iter().flatten().filter(|way| turns && way.unit.is_none_or(is_one)) {
                let sense = Sense::of(reading, self.roughly[place], way);
                // `falls to 0.97 of it` is below one as it stands.
                if sense.value > Number::ONE {
                    let turned = sense.turned();
                    consider(turned.compare(reading, target, ends), turned, place);
                }
            }
        }
        best.map(|((standing, fit, _, off), sense, place)| {
            let Sense { value, high, unit, .. } = sense;
            Hit { standing, fit, reading: &self.readings[place], value, high, unit: unit.cloned(), off, second_guess: place > 0 }
        })
    }

    /// The digits as they were typed, read in the unit of the target whatever unit was written: whether they are right.
    pub(super) fn digits_right(&self, target: &Target) -> bool {
        let size = target.unit.map_or(Number::ONE, |unit| unit.factor);
        self.readings.iter().filter(|reading| reading.loose.is_none()).any(|reading| {
            let by = size / reading.unit.as_ref().map_or(Number::ONE, |unit| unit.factor);
            let written = Written { last_place: reading.written.last_place * by, ..reading.written };
            let value = reading.value * by;
            target.fit(value, Rough::of(value, &written), &written, target.ends()).is_right()
        })
    }
}

/// How well a statement may be taken, best first: how it stands, how well it fits, whether by a prefix that is not what is
/// written (what is not right either way is what it says: `2.5 GB` is no 2.5 GiB), how far off it is.
type Rank = (Standing, Fit, bool, f64);

/// One way to take a reading: in a unit of this size, that was written or left out.
struct Taking<'u> {
    size: Number,
    unit: Option<&'u Unit>,
    missing: bool,
}

impl<'u> Taking<'u> {
    /// The ways to take a reading: by its unit; a bare number in the unit that is asked for, and in the base unit.
    fn ways(reading: &'u Reading, target: &Target<'u>) -> [Option<Taking<'u>>; 2] {
        let plain = |unit, missing| Some(Taking { size: Number::ONE, unit, missing });
        let left_out = |unit: &'u Unit| Taking { size: unit.factor, unit: Some(unit), missing: true };
        match &reading.unit {
            Some(unit) if unit.dimension == target.dimension && target.unit.is_none_or(|asked| asked.is_comparable(unit)) => {
                [plain(Some(unit), false), None]
            }
            Some(_) => [None, None],
            None if target.dimension.is_none() => {
                // `50.7` of a share that is asked in percent lacks its sign; `0.507` is the share itself.
                let share = target.unit.filter(|unit| !is_one(unit) && reading.value.abs() >= Number::ONE);
                [plain(None, false), share.map(left_out)]
            }
            None => [target.unit.map(left_out), plain(None, true).filter(|_| !target.unit.is_some_and(is_one))],
        }
    }
}

/// A reading as it is taken for the target's dimension.
struct Sense<'u> {
    value: Number,
    rough: Rough,
    high: Option<Number>,
    written: Written,
    unit: Option<&'u Unit>,
    /// Whether the unit was left out.
    missing: bool,
}

impl<'u> Sense<'u> {
    fn of(reading: &Reading, rough: Rough, way: &Taking<'u>) -> Sense<'u> {
        let plain =
            Sense { value: reading.value, rough, high: reading.high, written: reading.written, unit: way.unit, missing: way.missing };
        if way.size == Number::ONE {
            return plain;
        }
        let value = reading.value * way.size;
        let written = Written { last_place: reading.written.last_place * way.size, ..reading.written };
        Sense { value, rough: Rough::of(value, &written), high: reading.high.map(|high| high * way.size), written, ..plain }
    }

    fn turned(&self) -> Sense<'u> {
        let turn = |value: Number| Number::ONE / value;
        let place = self.written.last_place / (self.value * self.value);
        let (value, written) = (turn(self.high.unwrap_or(self.value)), Written { last_place: place, ..self.written });
        Sense {
            value,
            rough: Rough::of(value, &written),
            high: self.high.map(|_| turn(self.value)),
            written,
            unit: None,
            missing: self.missing,
        }
    }

    /// How well it goes with a target, whose ends are these as floats.
    fn compare(&self, reading: &Reading, target: &Target, ends: [f64; 2]) -> Rank {
        let first = target.fit(self.value, self.rough, &self.written, ends);
        let last = |high: Number| target.fit(high, Rough::of(high, &self.written), &self.written, ends);
        let fit = self.high.map_or(first, |high| first.max(last(high)));
        let binary = reading.loose == Some(Loose::Binary);
        let other_unit = target.in_unit && !self.missing && self.unit.zip(target.unit).is_some_and(|(unit, asked)| !same(unit, asked));
        let standing = match (fit.is_right(), fit.is_near()) {
            (true, _) if self.missing => Standing::MissingUnit,
            (true, _) if binary => {
                // Two guesses at once, the prefix and the rounding, are one too many.
                if fit == Fit::Within { Standing::ReadAs } else { Standing::Apart }
            }
            (true, _) if other_unit => Standing::OtherUnit,
            (true, _) => Standing::Right,
            (false, true) if self.missing => Standing::NearMissingUnit,
            (false, true) if !binary => Standing::Near,
            _ => Standing::Apart,
        };
        let nearest = self.rough.nearest(ends);
        let off = ((self.rough.value - nearest) / nearest).abs();
        (standing, fit, binary, if off.is_nan() { f64::INFINITY } else { off })
    }
}

fn is_one(unit: &Unit) -> bool {
    unit.factor == Number::ONE
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
