use std::fmt;

/// The base kinds that a dimension is a product of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum Base {
    Data,
    Time,
    Length,
    Mass,
    Current,
    Temperature,
    Substance,
    Luminosity,
    Flop,
    Money,
    Angle,
    /// Percentage points: a difference of percentages is never a percentage.
    Points,
    /// Decibels: a logarithm of a ratio is no ratio.
    Level,
}

impl Base {
    const ALL: [Base; 13] = [
        Base::Data,
        Base::Time,
        Base::Length,
        Base::Mass,
        Base::Current,
        Base::Temperature,
        Base::Substance,
        Base::Luminosity,
        Base::Flop,
        Base::Money,
        Base::Angle,
        Base::Points,
        Base::Level,
    ];

    fn name(self) -> &'static str {
        match self {
            Base::Data => "data",
            Base::Time => "time",
            Base::Length => "length",
            Base::Mass => "mass",
            Base::Current => "current",
            Base::Temperature => "temperature",
            Base::Substance => "substance",
            Base::Luminosity => "luminosity",
            Base::Flop => "flop",
            Base::Money => "money",
            Base::Angle => "angle",
            Base::Points => "percentage points",
            Base::Level => "level",
        }
    }
}

/// Exponents over the [`Base`] kinds, in sixths so that roots stay exact. Counts have no dimension; their nouns are
/// labels on a [`Unit`](super::Unit).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dimension([i8; 13]);

impl Dimension {
    /// The dimension of a plain number.
    pub const NONE: Dimension = Dimension([0; 13]);
    /// Bytes.
    pub const DATA: Dimension = Dimension::of(&[(Base::Data, 1)]);
    /// Seconds.
    pub const TIME: Dimension = Dimension::of(&[(Base::Time, 1)]);
    /// Bytes a second.
    pub const DATA_RATE: Dimension = Dimension::of(&[(Base::Data, 1), (Base::Time, -1)]);

    /// Events a second.
    pub const PER_TIME: Dimension = Dimension::of(&[(Base::Time, -1)]);

    /// The product of base kinds to whole powers.
    pub const fn of(powers: &[(Base, i8)]) -> Dimension {
        let mut sixths = [0; 13];
        let mut at = 0;
        while at < powers.len() {
            sixths[powers[at].0 as usize] += powers[at].1 * 6;
            at += 1;
        }
        Dimension(sixths)
    }

    /// Whether it is that of a plain number.
    #[inline]
    pub fn is_none(self) -> bool {
        self == Dimension::NONE
    }

    /// Whether a base kind is in it, to whatever power.
    pub fn holds(self, base: Base) -> bool {
        self.0[base as usize] != 0
    }

    /// The dimension of a product; `None` beyond any power that means something.
    pub fn times(self, other: Dimension) -> Option<Dimension> {
        self.combine(other, i8::checked_add)
    }

    /// The dimension of a quotient; `None` beyond any power that means something.
    pub fn over(self, other: Dimension) -> Option<Dimension> {
        self.combine(other, i8::checked_sub)
    }

    /// The dimension of the power `numer`/`denom`; `None` where it would not be a whole number of sixths.
    pub fn power(self, numer: i32, denom: i32) -> Option<Dimension> {
        let mut sixths = [0; 13];
        for (to, from) in sixths.iter_mut().zip(self.0) {
            let product = i32::from(from).checked_mul(numer)?;
            if denom == 0 || product % denom != 0 {
                return None;
            }
            *to = i8::try_from(product / denom).ok()?;
        }
        Some(Dimension(sixths))
    }

    fn combine(self, other: Dimension, with: impl Fn(i8, i8) -> Option<i8>) -> Option<Dimension> {
        let mut sixths = [0; 13];
        for (to, (a, b)) in sixths.iter_mut().zip(self.0.into_iter().zip(other.0)) {
            *to = with(a, b)?;
        }
        Some(Dimension(sixths))
    }
}

/// `data`, `data/time`, `mass·length²/time²`; a plain number is a `number`.
impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.is_none() {
            return f.write_str("number");
        }
        let side = |f: &mut fmt::Formatter, sign: i8| {
            let mut first = true;
            for base in Base::ALL {
                let sixths = i32::from(self.0[base as usize]) * i32::from(sign);
                if sixths <= 0 {
                    continue;
                }
                write!(f, "{}{}", if first { "" } else { "·" }, base.name())?;
                first = false;
                match (sixths / 6, sixths % 6) {
                    (1, 0) => {}
                    (2, 0) => f.write_str("²")?,
                    (3, 0) => f.write_str("³")?,
                    (whole, 0) => write!(f, "^{whole}")?,
                    _ => write!(f, "^({sixths}/6)")?,
                }
            }
            Ok(first)
        };
        if side(f, 1)? {
            f.write_str("1")?;
        }
        if self.0.iter().any(|&sixths| sixths < 0) {
            f.write_str("/")?;
            side(f, -1)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_multiply_and_have_names() {
        let rate = Dimension::DATA.over(Dimension::TIME).expect("small powers");
        assert_eq!(rate, Dimension::DATA_RATE);
        assert_eq!(rate.to_string(), "data/time");
        assert_eq!(Dimension::NONE.to_string(), "number");
        assert_eq!(Dimension::NONE.over(Dimension::TIME).expect("small powers").to_string(), "1/time");
        assert_eq!(Dimension::TIME.power(1, 2).and_then(|root| root.power(2, 1)), Some(Dimension::TIME));
        assert_eq!(Dimension::TIME.power(99, 1), None);
    }
}
