//! Points as platforms count them: to the hundredth, exactly, so that sums are what they look like.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Sub};
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// Points, in hundredths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Points(i64);

impl Points {
    /// None.
    pub const ZERO: Points = Points(0);

    /// The nearest hundredth.
    pub fn of(points: f64) -> Points {
        // OK because points are small, and what is not a number is worth nothing.
        #[expect(clippy::cast_possible_truncation, reason = "points are far below what a whole number holds")]
        Points((points * 100.0).round() as i64)
    }

    /// As a number.
    pub fn number(self) -> f64 {
        // OK because hundredths of points are far below the whole numbers that an f64 holds.
        #[expect(clippy::cast_precision_loss, reason = "points are far below what an f64 holds exactly")]
        let hundredths = self.0 as f64;
        hundredths / 100.0
    }

    /// In hundredths.
    pub(super) fn hundredths(self) -> i64 {
        self.0
    }

    /// Written with this sign between points and their hundredths, and no more digits than needed.
    pub fn with(self, mark: char) -> String {
        let (sign, whole, rest) = (if self.0 < 0 { "-" } else { "" }, self.0.abs() / 100, self.0.abs() % 100);
        match rest {
            0 => format!("{sign}{whole}"),
            rest if rest % 10 == 0 => format!("{sign}{whole}{mark}{}", rest / 10),
            rest => format!("{sign}{whole}{mark}{rest:02}"),
        }
    }

    /// Reads points as the gradebooks of platforms write them: the last `,` or `.` is the decimal mark. `None` for
    /// whatever is no number.
    pub(super) fn read(text: &str) -> Option<Points> {
        let text = text.trim();
        let at = text.rfind([',', '.']);
        let (whole, rest) = at.map_or((text, ""), |at| (&text[..at], &text[at + 1..]));
        let whole: String = whole.chars().filter(|c| !matches!(c, ',' | '.')).collect();
        let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        let digits = whole.strip_prefix('-').unwrap_or(&whole);
        if (digits.is_empty() && rest.is_empty()) || !is_number(digits) || !is_number(rest) {
            return None;
        }
        format!("{whole}.{rest}0").parse::<f64>().ok().filter(|points| points.abs() < 1e12).map(Points::of)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with('.'))
    }
}

impl FromStr for Points {
    type Err = String;

    fn from_str(text: &str) -> Result<Points, String> {
        Points::read(text)
            .filter(|points| *points > Points::ZERO)
            .ok_or_else(|| format!("`{text}` is no number of points: expected something like `40` or `7.5`"))
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 { serializer.serialize_i64(self.0 / 100) } else { serializer.serialize_f64(self.number()) }
    }
}

impl Add for Points {
    type Output = Points;

    fn add(self, other: Points) -> Points {
        Points(self.0 + other.0)
    }
}

impl Sub for Points {
    type Output = Points;

    fn sub(self, other: Points) -> Points {
        Points(self.0 - other.0)
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(points: I) -> Points {
        points.fold(Points::ZERO, Add::add)
    }
}

/// Rounds shares to hundredths so that they add up to their rounded sum: whoever lost most by being rounded down gets
/// the hundredths that are left over.
pub(super) fn shared_out(shares: &[f64]) -> Vec<Points> {
    let exact: Vec<f64> = shares.iter().map(|share| if share.is_finite() { share.max(0.0) * 100.0 } else { 0.0 }).collect();
    // A share that is whole but for the dust of binary fractions is whole.
    let floors: Vec<f64> = exact.iter().map(|share| (share + 1e-6).floor()).collect();
    let mut points: Vec<Points> = floors.iter().map(|floor| Points::of(floor / 100.0)).collect();
    let total = Points::of(exact.iter().sum::<f64>() / 100.0);
    let left = total - points.iter().copied().sum();
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|&a, &b| (exact[b] - floors[b]).total_cmp(&(exact[a] - floors[a])));
    for &at in order.iter().take(usize::try_from(left.0).unwrap_or(0)) {
        points[at] = points[at] + Points(1);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn points_are_written_with_no_more_digits_than_needed() {
        for (points, written) in [(27.5, "27.5"), (3.0, "3"), (0.05, "0.05"), (12.345, "12.35"), (0.0, "0"), (-1.5, "-1.5")] {
            assert_eq!(Points::of(points).to_string(), written);
        }
        assert_eq!(Points::of(27.5).with(','), "27,5");
        assert_eq!(serde_json::to_string(&[Points::of(2.0), Points::of(1.25)]).expect("numbers"), "[2,1.25]");
    }

    #[test]
    fn the_last_mark_is_the_decimal_mark() {
        for (text, points) in
            [("6", 6.0), ("6.00", 6.0), ("6,00", 6.0), ("1,234.50", 1234.5), ("1.234,5", 1234.5), (" 3.5 ", 3.5), ("1,234", 1.23)]
        {
            assert_eq!(Points::read(text), Some(Points::of(points)), "{text}");
        }
        for text in ["", "-", "EX", "N/A", "6 points", "1e3", ".", "=1", "inf", "NaN"] {
            assert_eq!(Points::read(text), None, "{text}");
        }
        assert!("0".parse::<Points>().is_err() && "-1".parse::<Points>().is_err());
    }

    #[test]
    fn thirds_add_up() {
        let third = 1.0 / 3.0;
        assert_eq!(shared_out(&[third, third, third]), [Points(34), Points(33), Points(33)]);
        assert_eq!(shared_out(&[]), []);
        assert_eq!(shared_out(&[0.1 + 0.2, 0.0]), [Points(30), Points(0)]);
    }

    proptest! {
        #[test]
        fn shares_are_near_and_add_up(shares in proptest::collection::vec(0.0..50.0_f64, 0..40)) {
            let points = shared_out(&shares);
            prop_assert_eq!(points.iter().copied().sum::<Points>(), Points::of(shares.iter().sum()));
            for (points, share) in points.iter().zip(&shares) {
                prop_assert!((points.number() - share).abs() < 0.0101, "{} for {}", points, share);
            }
        }
    }
}
