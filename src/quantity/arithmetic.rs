//! The arithmetic of [`Number`]: on ratios while they hold, on floats always.
//!
//! An operation is exact when both sides are and the result fits; otherwise only the float is kept. Nothing here panics:
//! a division by zero gives the float's infinity or NaN, which equals and contains nothing.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use num_rational::Ratio;
use num_traits::Zero;

use super::{Number, ratio};

/// The powers of ten that an exact number may hold.
static POWERS_OF_TEN: [i128; 39] = {
    let mut powers = [1; 39];
    let mut at = 1;
    while at < powers.len() {
        powers[at] = powers[at - 1] * 10;
        at += 1;
    }
    powers
};

impl Number {
    /// `mantissa`·10^`exponent`, exactly where that fits. What a written decimal is: `2.60` is 260·10⁻².
    pub fn decimal(mantissa: i128, exponent: i32) -> Number {
        let power = POWERS_OF_TEN.get(exponent.unsigned_abs() as usize).copied();
        let exact = match (power, exponent >= 0) {
            (Some(power), true) => mantissa.checked_mul(power).map(Ratio::from_integer),
            (Some(power), false) => ratio::decimal(mantissa, power, exponent.unsigned_abs()),
            _ => None,
        };
        // Parsing gives the float nearest to the decimal; `powi` would not.
        let nearest = || format!("{mantissa}e{exponent}").parse().unwrap_or(f64::NAN);
        exact.map_or_else(|| Number::inexact(nearest()), Number::exact)
    }

    /// Two to the power of ten times `tens`: 1 is the binary kilo.
    pub fn binary(tens: u32) -> Number {
        Number::from(1_i128 << (10 * tens.min(12)))
    }

    /// The size without the sign.
    pub fn abs(self) -> Number {
        if self.is_negative() { -self } else { self }
    }

    /// The smaller of two.
    pub fn min_of(self, other: Number) -> Number {
        if other < self { other } else { self }
    }

    /// The larger of two.
    pub fn max_of(self, other: Number) -> Number {
        if other > self { other } else { self }
    }

    /// Whether it is below zero.
    pub fn is_negative(self) -> bool {
        self.small().map_or_else(|| self.to_f64() < 0.0, |(numer, _)| numer < 0)
    }

    /// Whether it is zero.
    pub fn is_zero(self) -> bool {
        self.small().map_or_else(|| self.to_f64() == 0.0, |(numer, _)| numer == 0)
    }

    /// Whether it is a whole number.
    pub fn is_whole(self) -> bool {
        self.to_ratio().map_or_else(|| self.to_f64() == self.to_f64().round(), |ratio| ratio.is_integer())
    }

    fn is_one(self) -> bool {
        self.small() == Some((1, 1))
    }

    /// Whether it is neither infinite nor undefined.
    pub fn is_finite(self) -> bool {
        self.to_f64().is_finite()
    }

    /// To a whole power; exact while it fits.
    pub fn powi(self, exponent: i32) -> Number {
        let mut exact = self.to_ratio().filter(|base| exponent >= 0 || !base.is_zero()).map(|base| (base, Ratio::from_integer(1)));
        let mut left = exponent.unsigned_abs();
        while left > 0 {
            exact = exact.and_then(|(base, product)| {
                let product = if left & 1 == 1 { ratio::times(&product, &base)? } else { product };
                let base = if left > 1 { ratio::times(&base, &base)? } else { base };
                Some((base, product))
            });
            left >>= 1;
        }
        let exact = exact.map(|(_, product)| if exponent < 0 { product.recip() } else { product });
        exact.map_or_else(|| Number::inexact(self.to_f64().powi(exponent)), Number::exact)
    }

    /// The nearest whole number, halves away from zero.
    pub fn round(self) -> Number {
        self.whole(|exact| exact.round(), f64::round)
    }

    /// The next whole number towards zero.
    pub fn trunc(self) -> Number {
        self.whole(|exact| exact.trunc(), f64::trunc)
    }

    /// The whole number below or equal.
    pub fn floor(self) -> Number {
        self.whole(|exact| exact.floor(), f64::floor)
    }

    /// The whole number above or equal.
    pub fn ceil(self) -> Number {
        self.whole(|exact| exact.ceil(), f64::ceil)
    }

    /// The rounding functions of a ratio add to its numerator, so a ratio near the limit of its integers goes by the float.
    fn whole(self, exactly: impl Fn(&Ratio<i128>) -> Ratio<i128>, roughly: impl Fn(f64) -> f64) -> Number {
        let room = |exact: &Ratio<i128>| exact.numer().unsigned_abs() < 1 << 125 && exact.denom().unsigned_abs() < 1 << 125;
        match self.to_ratio().filter(room) {
            Some(exact) => Number::exact(exactly(&exact)),
            None => Number::inexact(roughly(self.to_f64())),
        }
    }

    fn combine(
        self,
        other: Number,
        exactly: impl Fn(&Ratio<i128>, &Ratio<i128>) -> Option<Ratio<i128>>,
        roughly: impl Fn(f64, f64) -> f64,
    ) -> Number {
        let exact = self.to_ratio().zip(other.to_ratio()).and_then(|(a, b)| exactly(&a, &b));
        exact.map_or_else(|| Number::inexact(roughly(self.to_f64(), other.to_f64())), Number::exact)
    }
}

impl From<i128> for Number {
    fn from(value: i128) -> Number {
        Number::exact(Ratio::from_integer(value))
    }
}

impl From<i32> for Number {
    fn from(value: i32) -> Number {
        Number::from(i128::from(value))
    }
}

impl Add for Number {
    type Output = Number;
    fn add(self, other: Number) -> Number {
        self.combine(other, ratio::plus, |a, b| a + b)
    }
}

impl Sub for Number {
    type Output = Number;
    fn sub(self, other: Number) -> Number {
        self.combine(other, |a, b| ratio::plus(a, &-*b), |a, b| a - b)
    }
}

impl Mul for Number {
    type Output = Number;
    fn mul(self, other: Number) -> Number {
        if let (Some(a), Some(b)) = (self.small(), other.small()) {
            // Most units are the base unit, and most numbers have no scale.
            return match (a, b) {
                (_, (1, 1)) => self,
                ((1, 1), _) => other,
                _ => Number::exact(ratio::small_times(a, b)),
            };
        }
        if other.is_one() {
            return self;
        }
        if self.is_one() {
            return other;
        }
        self.combine(other, ratio::times, |a, b| a * b)
    }
}

impl Div for Number {
    type Output = Number;
    fn div(self, other: Number) -> Number {
        if let (Some(a), Some((numer @ 1.., denom))) = (self.small(), other.small()) {
            return Number::exact(ratio::small_times(a, (denom, numer)));
        }
        self.combine(other, ratio::over, |a, b| a / b)
    }
}

impl Neg for Number {
    type Output = Number;
    fn neg(self) -> Number {
        // No zero is negative; the smallest integer is never kept, so that every sign can change.
        match self.to_ratio() {
            Some(ratio) => Number::exact(Ratio::new_raw(-*ratio.numer(), *ratio.denom())),
            None if self.is_zero() => self,
            None => Number::inexact(-self.to_f64()),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        if let (Some((a, b)), Some((c, d))) = (self.small(), other.small()) {
            return Some((i128::from(a) * i128::from(d)).cmp(&(i128::from(c) * i128::from(b))));
        }
        // The floats are the nearest to the ratios, or next to them.
        let (one, two) = (self.to_f64(), other.to_f64());
        if (one - two).abs() > 1e-12 * one.abs().max(two.abs()) {
            return one.partial_cmp(&two);
        }
        match (self.to_ratio(), other.to_ratio()) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => one.partial_cmp(&two),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_while_they_fit() {
        assert_eq!(Number::decimal(1, -1) + Number::decimal(2, -1), Number::decimal(3, -1));
        assert_eq!(Number::decimal(13, 8) * Number::from(2), Number::decimal(26, 8));
        assert!(Number::decimal(1, 37).to_ratio().is_some());
        assert!(Number::decimal(539, -46).to_ratio().is_none());
        assert_eq!(Number::decimal(539, -46).to_f64(), 5.39e-44);
        assert_eq!(Number::decimal(1, i32::MAX).to_f64(), f64::INFINITY);
        assert_eq!(Number::decimal(1, i32::MIN).to_f64(), 0.0);
    }

    #[test]
    fn what_overflows_goes_on_as_a_float() {
        let large = Number::decimal(1, 30);
        let square = large * large;
        assert!(square.to_ratio().is_none());
        assert!((square.to_f64() / 1e60 - 1.0).abs() < 1e-12);
        assert!(!(Number::ONE / Number::ZERO).is_finite());
        assert_eq!(-Number::from(i128::MIN), -Number::inexact(i128::MIN as f64));
        assert_eq!(Number::from(2).powi(-3), Number::ONE / Number::from(8));
        assert!(!Number::ZERO.powi(-1).is_finite());
        assert_eq!(Number::from(10).powi(50).to_f64(), 1e50);
    }

    #[test]
    fn halves_round_away_from_zero() {
        assert_eq!(Number::decimal(25, -1).round(), Number::from(3));
        assert_eq!(Number::decimal(-25, -1).round(), Number::from(-3));
        assert_eq!(Number::decimal(-25, -1).trunc(), Number::from(-2));
        assert_eq!(Number::decimal(-25, -1).floor(), Number::from(-3));
        assert_eq!(Number::decimal(21, -1).ceil(), Number::from(3));
    }
}
