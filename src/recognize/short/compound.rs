//! Units of short answers that are written as a formula: `kg m/s^2`, `(s*M)^-1`, `1/s`.
//!
//! In a passage a space between two units is more often the end of the first; in a box nothing else can stand there.

use crate::quantity::{Dimension, Loose, Number, Sense, Unit, Units};

/// More factors than any unit has.
const MOST_FACTORS: usize = 12;

/// Every fair reading of a unit's spelling: those of the unit table, else as a formula of units, in which everything
/// after the first slash may be below it or only the next factor (`J/kg K`); empty where it is no unit.
pub(super) fn read(spelling: &str, units: &Units) -> Vec<Sense> {
    let spelling = spelling.trim();
    let direct = units.senses(spelling);
    if !direct.is_empty() {
        return direct;
    }
    let mut senses: Vec<Sense> = Vec::new();
    for below in [true, false] {
        let mut reader = Reader { rest: spelling, units, below, factors: 0, loose: None };
        if let Some((dimension, factor)) = reader.product()
            && reader.rest.is_empty()
            && !senses.iter().any(|sense| sense.unit.dimension == dimension && sense.unit.factor == factor)
        {
            senses.push(Sense { unit: Unit::new(spelling, dimension, factor), loose: reader.loose });
        }
    }
    senses
}

type Size = (Dimension, Number);

struct Reader<'a> {
    rest: &'a str,
    units: &'a Units,
    /// Whether everything after a slash divides.
    below: bool,
    factors: usize,
    loose: Option<Loose>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, marks: &[char]) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(marks) {
            Some(after) => {
                self.rest = after;
                true
            }
            None => false,
        }
    }

    fn product(&mut self) -> Option<Size> {
        let mut size = if self.rest.trim_start().starts_with("1/") {
            self.rest = &self.rest.trim_start()[1..];
            (Dimension::NONE, Number::ONE)
        } else {
            self.factor()?
        };
        let mut divided = false;
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with(')') {
                return Some(size);
            }
            let divides = self.take(&['/', '÷', '∕']);
            if !divides {
                self.take(&['*', '·', '⋅', '×', '.']);
            }
            let (dimension, factor) = self.factor()?;
            divided |= divides;
            size = if divides || divided && self.below {
                (size.0.over(dimension)?, size.1 / factor)
            } else {
                (size.0.times(dimension)?, size.1 * factor)
            };
        }
    }

    fn factor(&mut self) -> Option<Size> {
        self.factors += 1;
        if self.factors > MOST_FACTORS {
            return None;
        }
        let inner = if self.take(&['(']) {
            let inner = self.product()?;
            self.take(&[')']).then_some(inner)?
        } else {
            self.atom()?
        };
        match self.power()? {
            1 => Some(inner),
            power => Some((inner.0.power(power, 1)?, inner.1.powi(power))),
        }
    }

    /// One unit: letters and signs, with a hyphen inside (`light-year`) or digits of a power behind (`m2`).
    fn atom(&mut self) -> Option<Size> {
        let rest = self.rest.trim_start();
        let ends = |c: char| c.is_whitespace() || "/÷∕*·⋅×^().⁻⁰¹²³⁴⁵⁶⁷⁸⁹".contains(c);
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        let sense = self.units.senses(word).into_iter().next()?;
        self.loose = self.loose.or(sense.loose);
        self.rest = &rest[word.len()..];
        Some((sense.unit.dimension, sense.unit.factor))
    }

    /// `^-2`, `^(-2)`, `**2`, `²`; 1 without any, `None` where one is begun and not finished.
    fn power(&mut self) -> Option<i32> {
        let rest = self.rest.trim_start();
        if let Some(after) = rest.strip_prefix('^').or_else(|| rest.strip_prefix("**")) {
            let open = after.starts_with(['(', '{']);
            let body = if open { &after[1..] } else { after };
            let end = body.find(|c: char| !(c.is_ascii_digit() || "+-−".contains(c))).unwrap_or(body.len());
            let power = body[..end].replace('−', "-").parse().ok().filter(|power: &i32| (1..=12).contains(&power.abs()))?;
            self.rest = &body[end..];
            if open && !self.take(&[')', '}']) {
                return None;
            }
            return Some(power);
        }
        let raised: String = rest.chars().map_while(super::arithmetic::superscript).collect();
        if raised.is_empty() {
            return Some(1);
        }
        self.rest = &rest[rest.chars().take(raised.chars().count()).map(char::len_utf8).sum::<usize>()..];
        raised.parse().ok().filter(|power: &i32| (1..=12).contains(&power.abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(spelling: &str) -> Option<f64> {
        Some(read(spelling, &Units::standard()).first()?.unit.factor.to_f64())
    }

    #[test]
    fn units_written_as_formulas() {
        assert_eq!(size("kg m/s^2"), Some(1.0));
        assert_eq!(size("km g s^-2"), Some(1.0));
        assert_eq!(size("(ms)^-1"), Some(1e3));
        assert_eq!(size("1/ms"), Some(1e3));
        assert_eq!(size("metre kilogram second^(-2)"), Some(1.0));
        assert_eq!(size("m/s/s"), Some(1.0));
        assert_eq!(size("kg m/s^"), None);
        assert_eq!(size("kg m/s^2+10 kg m/s^2"), None);
        assert_eq!(size(&"(".repeat(100_000)), None);
    }

    #[test]
    fn a_slash_is_read_both_ways_where_they_differ() {
        let readings = read("J/kg K", &Units::standard());
        assert_eq!(readings.len(), 2);
        assert_ne!(readings[0].unit.dimension, readings[1].unit.dimension);
    }
}
