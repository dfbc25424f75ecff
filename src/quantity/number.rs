use std::fmt;

use num_rational::Ratio;

/// A number that is exact as long as it can be.
///
/// What people write and what a formula makes of it with `+ - * /` and whole powers is an exact ratio, so that a verdict
/// at the very edge of a tolerance is right; where a ratio would overflow, or a root or logarithm is taken, the float
/// stands alone and comparisons allow 1e-12 of the edge.
#[derive(Clone, Copy)]
pub struct Number {
    /// Above the line of the exact ratio, in lowest terms; or the bits of the float, where nothing exact is known.
    numer: i128,
    /// Below the line, above zero; zero where the float stands alone. So there is no room spent on saying which, nor on a
    /// float that the ratio tells anyway: a text holds many numbers.
    denom: i128,
}

impl Number {
    /// Zero, exactly.
    pub const ZERO: Number = Number { numer: 0, denom: 1 };
    /// One, exactly.
    pub const ONE: Number = Number { numer: 1, denom: 1 };

    /// A float, with nothing exact known of it.
    pub fn inexact(value: f64) -> Number {
        Number { numer: i128::from(value.to_bits()), denom: 0 }
    }

    /// A ratio that is known exactly. The one integer that has no positive counterpart is kept as a float only, so that no
    /// later sign change can overflow.
    pub fn exact(value: Ratio<i128>) -> Number {
        let number = Number { numer: *value.numer(), denom: *value.denom() };
        if number.numer == i128::MIN || number.denom == i128::MIN {
            return Number::inexact(number.to_f64());
        }
        number
    }

    /// The ratio, where it is known exactly.
    pub fn to_ratio(self) -> Option<Ratio<i128>> {
        (self.denom != 0).then(|| Ratio::new_raw(self.numer, self.denom))
    }

    /// The nearest float.
    #[inline]
    pub fn to_f64(self) -> f64 {
        match self.small() {
            Some((numer, 1)) => numer as f64,
            Some((numer, denom)) => numer as f64 / denom as f64,
            None if self.denom == 0 => f64::from_bits(self.numer as u64),
            None => float(self.numer) / float(self.denom),
        }
    }

    /// The exact ratio, where the machine's own integers hold it, as they do most: above the line and below it.
    #[inline]
    pub(super) fn small(self) -> Option<(i64, i64)> {
        let (numer, denom) = (self.numer as i64, self.denom as i64);
        (i128::from(numer) == self.numer && i128::from(denom) == self.denom && denom != 0).then_some((numer, denom))
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.to_ratio() {
            Some(ratio) => write!(f, "Number({ratio})"),
            None => write!(f, "Number(~{})", self.to_f64()),
        }
    }
}

/// The nearest float; by way of the machine's own integers where they hold it, which is much faster.
#[inline]
fn float(value: i128) -> f64 {
    i64::try_from(value).map_or(value as f64, |value| value as f64)
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        match (self.to_ratio(), other.to_ratio()) {
            // In lowest terms one value has one form.
            (Some(a), Some(b)) => a.numer() == b.numer() && a.denom() == b.denom(),
            _ => self.to_f64() == other.to_f64(),
        }
    }
}

/// How many significant figures a text shows: at least and at most (`100` shows one to three).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Counting no trailing zero of a whole number.
    pub least: u32,
    /// Counting every trailing zero.
    pub most: u32,
}

/// The form in which a number was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Written {
    /// Significant figures shown.
    pub figures: Figures,
    /// Digits after the decimal mark.
    pub decimals: u32,
    /// The power of ten of a scientific form; 0 otherwise.
    pub exponent: i32,
    /// One unit in the last written place, in SI base units: what rounding is judged by.
    pub last_place: Number,
}
