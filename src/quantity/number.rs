use num_rational::Ratio;

/// A number that is exact as long as it can be.
///
/// What people write and what a formula makes of it with `+ - * /` and whole powers is an exact ratio, so that a verdict
/// at the very edge of a tolerance is right; where a ratio would overflow, or a root or logarithm is taken, the float
/// stands alone and comparisons allow 1e-12 of the edge.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    pub(super) approx: f64,
    /// The exact ratio, in lowest terms; nothing exact is known where the denominator is zero. Kept as two integers, so that
    /// there is no room spent on saying which: a text holds many numbers.
    pub(super) numer: i128,
    pub(super) denom: i128,
}

impl Number {
    /// A float, with nothing exact known of it.
    pub fn inexact(value: f64) -> Number {
        Number { approx: value, numer: 0, denom: 0 }
    }

    /// A ratio that is known exactly. The one integer that has no positive counterpart is kept as a float only, so that no
    /// later sign change can overflow.
    pub fn exact(value: Ratio<i128>) -> Number {
        let (numer, denom) = (*value.numer(), *value.denom());
        let approx = float(numer) / float(denom);
        if numer == i128::MIN || denom == i128::MIN {
            return Number::inexact(approx);
        }
        Number { approx, numer, denom }
    }

    /// The nearest float.
    pub fn to_f64(self) -> f64 {
        self.approx
    }
}

/// The nearest float; by way of the machine's own integers where they hold it, which is much faster.
fn float(value: i128) -> f64 {
    i64::try_from(value).map_or(value as f64, |value| value as f64)
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        match (self.to_ratio(), other.to_ratio()) {
            // In lowest terms one value has one form.
            (Some(a), Some(b)) => a.numer() == b.numer() && a.denom() == b.denom(),
            _ => self.approx == other.approx,
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
