//! Moments as exports write them, for telling which came first.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use regex::Regex;

/// A moment, to the second. Without an offset it is some place's own time, and compares with others of that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Since the year 0, as if the place's clock were that of Greenwich.
    seconds: i64,
    /// How far the place's clock is ahead of that of Greenwich, in seconds.
    offset: Option<i64>,
}

/// What a moment looks like: `2026-09-02 23:59`, with seconds, with an offset, as an American form writes it.
static SHAPE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)^\s*
        (?: (?<y>\d{4})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2}) | (?<us_m>\d{1,2})/(?<us_d>\d{1,2})/(?<us_y>\d{4}) | (?<de_d>\d{1,2})\.(?<de_m>\d{1,2})\.(?<de_y>\d{4}) )
        (?: (?:T|,?\s+) (?<h>\d{1,2}):(?<min>\d{2})(?::(?<s>\d{2})(?:[.,]\d+)?)? (?:\s*(?<half>[ap])\.?m\.?)? )?
        \s*(?: (?<z>Z|UTC|GMT) | (?:GMT|UTC)?(?<sign>[+-])(?<oh>\d{1,2})(?::?(?<om>\d{2}))? )?
        \s*$",
    )
    .expect("the pattern is a pattern")
});

impl FromStr for Moment {
    type Err = String;

    /// A date without a time is the end of that day.
    fn from_str(text: &str) -> Result<Moment, String> {
        let unknown = || format!("`{text}` is no time: expected something like `2026-09-02 23:59` or `2026-09-02T23:59+02:00`");
        let found = SHAPE.captures(text).ok_or_else(unknown)?;
        let number = |names: &[&str]| names.iter().find_map(|name| found.name(name)).and_then(|digits| digits.as_str().parse::<i64>().ok());
        let (year, month, day) = (number(&["y", "us_y", "de_y"]), number(&["m", "us_m", "de_m"]), number(&["d", "us_d", "de_d"]));
        let (Some(year), Some(month @ 1..=12), Some(day @ 1..=31)) = (year, month, day) else { return Err(unknown()) };
        let (mut hour, minute, second) = match number(&["h"]) {
            Some(hour) => (hour, number(&["min"]).unwrap_or(0), number(&["s"]).unwrap_or(0)),
            None => (23, 59, 59),
        };
        if let Some(half) = found.name("half") {
            hour = hour % 12 + if half.as_str().eq_ignore_ascii_case("p") { 12 } else { 0 };
        }
        if hour > 24 || minute > 59 || second > 60 {
            return Err(unknown());
        }
        let offset = match (found.name("z"), found.name("sign"), number(&["oh"])) {
            (Some(_), ..) => Some(0),
            (_, Some(sign), Some(hours)) => {
                let ahead = hours * 3600 + number(&["om"]).unwrap_or(0) * 60;
                Some(if sign.as_str() == "-" { -ahead } else { ahead })
            }
            _ => None,
        };
        Ok(Moment { seconds: days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second, offset })
    }
}

impl Moment {
    /// Whether it lies after another; where only one names its place, the other is taken to be of the same.
    pub fn is_after(self, other: Moment) -> bool {
        let ahead = |moment: Moment, other: Moment| moment.offset.or(other.offset).unwrap_or(0);
        self.seconds - ahead(self, other) > other.seconds - ahead(other, self)
    }

    /// As ISO 8601 writes it, in Greenwich; `None` where nothing says which clock it is of.
    pub(crate) fn in_greenwich(self) -> Option<String> {
        let seconds = self.seconds - self.offset?;
        let (mut day, time) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
        // The days since the first of March of the year 0, the other way round: years are at least 365 days long.
        let mut year = day.div_euclid(366);
        while days(year + 1, 3, 1) <= day {
            year += 1;
        }
        day -= days(year, 3, 1);
        let month = (0..12).rfind(|month| (month * 153 + 2) / 5 <= day).unwrap_or(0);
        day -= (month * 153 + 2) / 5;
        let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
        Some(format!("{year:04}-{month:02}-{:02}T{:02}:{:02}:{:02}Z", day + 1, time / 3600, time / 60 % 60, time % 60))
    }

    /// The same, and by more than clocks and databases differ.
    pub(crate) fn is_more_than_a_minute_after(self, other: Moment) -> bool {
        self.is_after(Moment { seconds: other.seconds + 60, ..other })
    }
}

/// The time of now as a log has it: universal time, `2026-09-02T23:59:00Z`.
pub fn now() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    universal(since.map_or(0, |since| since.as_secs()))
}

/// Seconds since 1970 as a time of day.
fn universal(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Days since the first of March of the year 0, in periods of 400 years, which all have as many.
    let day = days + 719_468;
    let (period, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    format!("{:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", period * 400 + year, second / 3600, second / 60 % 60, second % 60)
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:+}", self.seconds, self.offset.unwrap_or(0))
    }
}

/// Days since the first of March of the year 0, by the calendar that we use now.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // The year begins in March, so that the leap day is its last.
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (month * 153 + 2) / 5 + day - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_a_time_of_day() {
        for (seconds, time) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_788_393_540, "2026-09-02T23:59:00Z"),
            (4_102_444_800, "2100-01-01T00:00:00Z"),
        ] {
            assert_eq!(universal(seconds), time);
        }
    }

    #[test]
    fn moments_are_in_order_however_they_are_written() {
        let moment = |text: &str| text.parse::<Moment>().expect("a moment");
        for (earlier, later) in [
            ("2026-09-02 23:58", "2026-09-02 23:59"),
            ("2026-09-02 23:59", "2026-09-02T23:59:01"),
            ("2026-09-02 10:00:00 -07:00", "2026-09-02 19:01:00 +02:00"),
            ("2026-02-28 23:59", "2026-03-01 00:00"),
            ("2028-02-29", "2028-03-01 00:00"),
            ("9/1/2026 11:59:59 PM", "2026-09-02 00:00:00"),
            ("2026/09/02 3:04:05 PM GMT+2", "2026-09-02T13:04:06Z"),
            ("2026-09-01T10:00:00.000000-07:00", "2026-09-01 17:00:01 UTC"),
            ("31.12.2026 23:59", "2027-01-01 00:00"),
            ("2026-09-02 23:00+02:00", "2026-09-02 23:01"),
        ] {
            assert!(moment(later).is_after(moment(earlier)), "{earlier} < {later}");
            assert!(!moment(earlier).is_after(moment(later)), "{earlier} < {later}");
        }
        for text in ["", "tomorrow", "2026-13-01", "2026-09-02 25:00", "12:00"] {
            assert!(text.parse::<Moment>().is_err(), "{text}");
        }
    }
}
