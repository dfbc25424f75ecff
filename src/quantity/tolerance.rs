//! How far from the reference a stated value may be, and what it looks like when it is further.

use super::{Number, Quantity, Written};

/// How far from the reference an answer may be. The wider of the two counts; both ends are inside.
///
/// The base is the reference alone: what is 10 % off must not depend on how far off the answer is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    relative: Number,
    absolute: Option<Quantity>,
    /// Both as floats; no absolute one is zero.
    roughly: (f64, f64),
}

/// How a stated value stands to the one it is compared with, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Inside the tolerance.
    Within,
    /// Outside it, but what the reference becomes when rounded to the written figures, of which there are enough.
    Rounded,
    /// What the reference becomes when cut, not rounded, at the last written place.
    Truncated,
    /// Rounded rightly, but to fewer figures than are asked for.
    Coarse,
    /// Another value.
    Apart,
}

impl Fit {
    /// Whether the value counts as right without any remark.
    pub fn is_right(self) -> bool {
        self <= Fit::Rounded
    }

    /// Whether the value is the right one, well or badly written.
    pub fn is_near(self) -> bool {
        self < Fit::Apart
    }
}

/// How many tolerances off a cut or coarsely rounded value may be and still be taken for the reference: beyond that, one
/// figure says too little (`3 GB` is not a way to write 2.6 GB, `0.2 s` is one to write 0.203 s).
const LOOSEST: i32 = 5;

impl Tolerance {
    /// A share of the reference (0.01 is one percent), or where that is wider a quantity of its dimension.
    pub fn new(relative: Number, absolute: Option<Quantity>) -> Tolerance {
        let roughly = (relative.to_f64(), absolute.map_or(0.0, |absolute| absolute.value.to_f64()));
        Tolerance { relative, absolute, roughly }
    }

    /// A share of the reference.
    pub fn relative(share: Number) -> Tolerance {
        Tolerance::new(share, None)
    }

    /// How far off, as a share of the reference.
    pub fn share(&self) -> Number {
        self.relative
    }

    /// The values that pass for `reference`.
    pub fn around(&self, reference: Number) -> Interval {
        Interval::around(reference, self.half_width(reference))
    }

    /// Compares a stated value with `target`: by the tolerance, and by what rounding to the written figures allows.
    ///
    /// Fewer than `min_figures` significant figures are enough only where they are the value itself. In rounding, zeros at the end of a whole number may be
    /// figures or padding; they are taken for padding, so that `330 ms` and `0.33 s` are the same answer.
    pub fn fit(&self, value: Number, written: &Written, min_figures: u32, target: Number) -> Fit {
        let roughly = self.fit_roughly((value.to_f64(), written.rough_place()), written, min_figures, target.to_f64());
        roughly.unwrap_or_else(|| self.fit_exactly(value, written, min_figures, target))
    }

    /// What the floats of a value and of [the place that it was rounded to](Written::rough_place) say, which takes a fraction
    /// of the time; `None` at an edge, where only [exact values](Tolerance::fit_exactly) tell.
    pub fn fit_roughly(&self, (value, place): (f64, f64), written: &Written, min_figures: u32, target: f64) -> Option<Fit> {
        if !self.may_fit_in(value, place, target) {
            return Some(Fit::Apart);
        }
        let off = (value - target).abs();
        let slack = 1e-9 * (value.abs() + target.abs());
        let within = |reach: f64| {
            let inside = off < reach - slack;
            (inside || off > reach + slack).then_some(inside)
        };
        let half_width = self.rough_half_width(target);
        if within(half_width)? {
            let few = written.figures.most < min_figures && !within(0.0)?;
            return Some(if few { Fit::Coarse } else { Fit::Within });
        }
        let same_side = value * target > 0.0 && !written.last_place.is_negative();
        let larger = within(0.0).map(|_| target.abs() > value.abs()).filter(|_| same_side)?;
        match (within(place / 2.0)?, written.figures.least >= min_figures) {
            (true, true) => Some(Fit::Rounded),
            (false, true) if larger && within(place)? && within(half_width * f64::from(LOOSEST))? => Some(Fit::Truncated),
            (true, false) if within(half_width * f64::from(LOOSEST))? => Some(Fit::Coarse),
            _ => Some(Fit::Apart),
        }
    }

    /// [`fit`](Tolerance::fit) without a look at the floats.
    pub fn fit_exactly(&self, value: Number, written: &Written, min_figures: u32, target: Number) -> Fit {
        if self.around(target).contains(value) {
            // One figure may lie inside the tolerance by luck; where it is the value itself, it is enough.
            let few = written.figures.most < min_figures && !Interval::around(target, Number::ZERO).contains(value);
            return if few { Fit::Coarse } else { Fit::Within };
        }
        let place = written.rounding_place();
        let two = Number::from(2);
        if value.is_zero() || target.is_zero() || value.is_negative() != target.is_negative() {
            return Fit::Apart;
        }
        let rounded = Interval::around(value, place / two).contains(target);
        let enough = written.figures.least >= min_figures;
        let tolerable = Interval::around(target, self.half_width(target) * Number::from(LOOSEST)).contains(value);
        let (size, target_size) = (value.abs(), target.abs());
        let cut = target_size >= size && target_size < size + place;
        match (rounded, enough) {
            (true, true) => Fit::Rounded,
            (false, true) if cut && tolerable => Fit::Truncated,
            (true, false) if tolerable => Fit::Coarse,
            _ => Fit::Apart,
        }
    }

    /// Whether a value that was rounded to a place may be anything but [`Fit::Apart`]: a look at the floats, which clears
    /// nearly all that is compared with nearly all.
    #[inline]
    pub fn may_fit_in(&self, value: f64, place: f64, target: f64) -> bool {
        let half_width = self.rough_half_width(target);
        let apart = (value - target).abs() > half_width.max(place) * (1.0 + 1e-6) + 1e-6 * (value.abs() + target.abs());
        !apart
    }

    #[inline]
    fn rough_half_width(&self, target: f64) -> f64 {
        (self.roughly.0 * target.abs()).max(self.roughly.1)
    }

    fn half_width(&self, reference: Number) -> Number {
        let share = self.relative * reference.abs();
        match self.absolute {
            Some(absolute) if absolute.value > share => absolute.value,
            _ => share,
        }
    }
}

impl Written {
    /// Whether zeros at its end may be padding.
    pub fn is_padded(&self) -> bool {
        self.figures.most > self.figures.least
    }

    /// About [`Written::rounding_place`].
    pub fn rough_place(&self) -> f64 {
        let padding = self.figures.most.saturating_sub(self.figures.least);
        let place = self.last_place.to_f64().abs();
        if padding == 0 { place } else { place * 10_f64.powi(i32::try_from(padding).unwrap_or(i32::MAX)) }
    }

    /// The place that the writer rounded to, in SI base units, when zeros at the end of a whole number are padding.
    pub fn rounding_place(&self) -> Number {
        let padding = self.figures.most.saturating_sub(self.figures.least);
        self.last_place * Number::decimal(1, i32::try_from(padding).unwrap_or(i32::MAX))
    }
}

/// A stretch of the number line; each end may belong to it or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: Number,
    /// The upper end.
    pub high: Number,
    /// Whether the lower end is inside.
    pub with_low: bool,
    /// Whether the upper end is inside.
    pub with_high: bool,
}

impl Interval {
    /// Everything between two values given in either order, both ends inside.
    pub fn between(one: Number, other: Number) -> Interval {
        let (low, high) = if one <= other { (one, other) } else { (other, one) };
        Interval { low, high, with_low: true, with_high: true }
    }

    /// Everything at most `half_width` from `center`.
    pub fn around(center: Number, half_width: Number) -> Interval {
        Interval::between(center - half_width, center + half_width)
    }

    /// Everything within a factor of `reference`: for estimates of an order of magnitude.
    pub fn within_factor(reference: Number, factor: Number) -> Interval {
        Interval::between(reference / factor, reference * factor)
    }

    /// Everything that differs from `reference` by at most a `share` of the larger of the two in size; `share` is below one.
    pub fn share_of_larger(reference: Number, share: Number) -> Interval {
        let rest = Number::ONE - share;
        Interval::between(reference * rest, reference / rest)
    }

    /// The same stretch without its ends.
    pub fn open(self) -> Interval {
        Interval { with_low: false, with_high: false, ..self }
    }

    /// The smallest interval that holds both; ends inside where either has them inside.
    pub fn hull(self, other: Interval) -> Interval {
        let (low, with_low) = if self.low <= other.low { (self.low, self.with_low) } else { (other.low, other.with_low) };
        let (high, with_high) = if self.high >= other.high { (self.high, self.with_high) } else { (other.high, other.with_high) };
        Interval { low, high, with_low, with_high }
    }

    /// `times` as wide around the same middle, both ends inside.
    pub fn widened(self, times: Number) -> Interval {
        let two = Number::from(2);
        Interval::around((self.low + self.high) / two, (self.high - self.low) / two * times)
    }

    /// Whether a value is inside. Exact where everything is known exactly; else an end that is inside is widened by 1e-12 of
    /// its size, which no honest answer is near to by chance.
    pub fn contains(&self, value: Number) -> bool {
        let above = if self.with_low { at_most(self.low, value) } else { self.low < value };
        let below = if self.with_high { at_most(value, self.high) } else { value < self.high };
        above && below
    }
}

/// Whether `a ≤ b`, with the slack that floats need.
fn at_most(a: Number, b: Number) -> bool {
    if a.to_ratio().is_some() && b.to_ratio().is_some() {
        return a <= b;
    }
    let (a, b) = (a.to_f64(), b.to_f64());
    a <= b || (a - b) <= 1e-12 * a.abs().max(b.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantity::Figures;

    /// A plain decimal as a person writes it, for tests of the comparison alone.
    fn written(text: &str) -> (Number, Written) {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let decimals = text.split_once('.').map_or(0, |(_, after)| after.len()) as i32;
        let shown = digits.trim_start_matches('0');
        let most = shown.len() as u32;
        let least = if text.contains('.') { most } else { shown.trim_end_matches('0').len() as u32 };
        let sign = if text.starts_with('-') { -1 } else { 1 };
        let value = Number::decimal(sign * digits.parse::<i128>().expect("digits"), -decimals);
        let last_place = Number::decimal(1, -decimals);
        (value, Written { figures: Figures { least, most }, decimals: decimals as u32, exponent: 0, last_place })
    }

    fn fit(text: &str, target: &str) -> Fit {
        let (value, form) = written(text);
        Tolerance::relative(Number::decimal(1, -2)).fit(value, &form, 2, written(target).0)
    }

    #[test]
    fn the_edge_is_inside() {
        assert_eq!(fit("1.01", "1"), Fit::Within);
        assert_eq!(fit("0.99", "1"), Fit::Within);
        assert_eq!(fit("1.0100000001", "1"), Fit::Apart);
        assert_eq!(fit("-1.01", "-1"), Fit::Within);
    }

    #[test]
    fn rounding_counts_from_two_figures_on() {
        assert_eq!(fit("0.33", "0.3255"), Fit::Rounded);
        assert_eq!(fit("330", "325.5"), Fit::Rounded);
        assert_eq!(fit("1.2", "1.24"), Fit::Rounded);
        assert_eq!(fit("1.3", "1.24"), Fit::Apart);
        assert_eq!(fit("0.2", "0.20274"), Fit::Coarse);
        assert_eq!(fit("0.2", "0.2015"), Fit::Coarse);
        assert_eq!(fit("8", "8"), Fit::Within);
        assert_eq!(fit("200", "202.74"), Fit::Coarse);
        assert_eq!(fit("3", "2.6"), Fit::Apart);
        assert_eq!(fit("1.20", "1.22"), Fit::Apart);
        assert_eq!(fit("-1.2", "1.24"), Fit::Apart);
        assert_eq!(fit("0", "0.004"), Fit::Apart);
    }

    #[test]
    fn a_cut_value_is_told_from_a_rounded_one() {
        assert_eq!(fit("62", "62.9"), Fit::Truncated);
        assert_eq!(fit("1.3", "1.395"), Fit::Apart);
        assert_eq!(fit("16", "16.2"), Fit::Rounded);
    }

    #[test]
    fn a_look_at_the_floats_rules_out_nothing_that_fits() {
        let targets = ["1", "0.99", "2479.55", "202.74", "0.0000012", "-1.24", "2600000000", "2.6", "62.9", "1.25", "0"];
        let values = [
            "1",
            "1.0",
            "1.01",
            "1.0100000001",
            "0.9",
            "2500",
            "2480",
            "2000",
            "200",
            "203",
            "0.000001",
            "0.0000012",
            "-1.2",
            "3000000000",
            "3",
            "62",
            "62.9",
            "1.3",
            "1.2625",
            "0",
        ];
        for tolerance in [Number::ZERO, Number::decimal(1, -2), Number::decimal(5, -1)].map(Tolerance::relative) {
            for (target, _) in targets.map(written) {
                for (value, form) in values.map(written) {
                    for least in [1, 2, 3] {
                        let (quick, exact) =
                            (tolerance.fit(value, &form, least, target), tolerance.fit_exactly(value, &form, least, target));
                        assert_eq!(quick, exact, "{value:?} for {target:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_base_decides_the_width() {
        let (ten, share) = (Number::from(10), Number::decimal(1, -1));
        assert!(!Tolerance::relative(share).around(ten).contains(Number::decimal(111, -1)));
        assert!(Interval::share_of_larger(ten, share).contains(Number::decimal(111, -1)));
        assert!(Interval::within_factor(-ten, Number::from(2)).contains(Number::from(-5)));
        assert!(!Interval::around(ten, Number::ONE).open().contains(Number::from(11)));
    }

    #[test]
    fn floats_have_slack_on_the_edge_and_nowhere_else() {
        let edge = Number::inexact(0.1 + 0.2);
        assert!(Interval::around(Number::ZERO, Number::decimal(3, -1)).contains(edge));
        assert!(!Interval::around(Number::ZERO, Number::ZERO).contains(Number::inexact(1e-30)));
        assert!(!Interval::around(Number::ZERO, Number::inexact(f64::INFINITY)).contains(Number::inexact(f64::NAN)));
    }
}
