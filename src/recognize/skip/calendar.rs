//! Dates, years and times of the day.

use super::digits;

/// `2024-05-01`, `01/05/2024`, `2024/5/1`, `1/1/1/1`.
pub(super) fn date(bytes: &[u8], at: usize, first: usize) -> Option<usize> {
    let separator = bytes[first];
    let mut end = first;
    let mut parts = 1;
    while bytes.get(end) == Some(&separator) && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        end = digits(bytes, end + 1);
        parts += 1;
    }
    let year = |from: usize, to: usize| to - from == 4 && matches!(&bytes[from..from + 2], b"19" | b"20");
    let glued = bytes.get(end).is_some_and(|byte| byte.is_ascii_alphanumeric());
    // Years on both sides, or a year and two digits: `2018-2020`, `2014-15`.
    let years = parts == 2 && separator == b'-' && year(at, first) && (year(first + 1, end) || end - first == 3) && !glued;
    (parts >= 3 || years).then_some(end)
}

/// `2014–15`, `2018–2020`.
pub(super) fn years(text: &str, at: usize, first: usize) -> Option<usize> {
    let from = first + '–'.len_utf8();
    let end = digits(text.as_bytes(), from);
    let second = is_year(&text[from..end]) || end - from == 2;
    let glued = text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '%');
    (is_year(&text[at..first]) && second && !glued).then_some(end)
}

/// `1960s`.
pub(super) fn decade(bytes: &[u8], end: usize) -> Option<usize> {
    (!bytes.get(end).is_some_and(u8::is_ascii_alphanumeric)).then_some(end)
}

/// `10:30`, `10:30:15`, unless it must be a ratio: `16:1`.
pub(super) fn clock(text: &str, at: usize, first: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let minutes = digits(bytes, first + 1);
    let value = |from: usize, to: usize| bytes[from..to].iter().fold(0_u32, |value, byte| value * 10 + u32::from(byte - b'0'));
    // `1:16` is a ratio, unless something says when.
    let before = text[..at].trim_end_matches(' ');
    let when = ["at", "by", "until", "till", "before", "after", "from", "to", "since"].iter().any(|word| before.ends_with(word));
    if text[at..first] == *"1" && !when && !is_half(&text[minutes..]) {
        return None;
    }
    if minutes - first != 3 || value(first + 1, minutes) > 59 || value(at, first) > 24 {
        return None;
    }
    if bytes.get(minutes) == Some(&b':') && bytes.get(minutes + 1).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    Some(minutes)
}

/// Whether `am` or `pm` follows.
fn is_half(rest: &str) -> bool {
    let rest = rest.trim_start_matches(' ');
    ["am", "pm", "a.m", "p.m", "AM", "PM"].iter().any(|half| rest.starts_with(half))
}

/// The months, by which a number is a day or a year.
pub(in crate::recognize) fn is_month(word: &str) -> bool {
    const MONTHS: &[&str] = &[
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
        "Jan",
        "Feb",
        "Mar",
        "Apr",
        "Jun",
        "Jul",
        "Aug",
        "Sep",
        "Sept",
        "Oct",
        "Nov",
        "Dec",
    ];
    MONTHS.contains(&word)
}

/// `May 5, 2024`, `January 2024`, `Dec. 3`: the end of the date behind a month.
pub(in crate::recognize) fn after_month(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from + usize::from(bytes.get(from) == Some(&b'.'));
    if bytes.get(at) != Some(&b' ') {
        return None;
    }
    at += 1;
    let end = digits(bytes, at);
    let size = end - at;
    if size == 4 {
        return is_year(&text[at..end]).then_some(end);
    }
    if !(1..=2).contains(&size)
        || bytes.get(end).is_some_and(|byte| matches!(byte, b'.' | b':') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit))
    {
        return None;
    }
    let mut end = end;
    if ["st", "nd", "rd", "th"].iter().any(|ordinal| text[end..].starts_with(ordinal)) {
        end += 2;
    }
    let year = text[end..].strip_prefix(", ").or_else(|| text[end..].strip_prefix(' '));
    if let Some(year) = year.filter(|year| year.get(..4).is_some_and(is_year) && !year[4..].starts_with(|c: char| c.is_ascii_digit())) {
        end = text.len() - year.len() + 4;
    }
    Some(end)
}

/// Four digits that name a year of our time.
pub(in crate::recognize) fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit()) && (text.starts_with("19") || text.starts_with("20"))
}

/// Whether the words before a bare four-digit number make it a year: `in 2023`, `et al., 2019`, `since 2017`.
pub(in crate::recognize) fn says_year(before: &str) -> bool {
    let trimmed = before.trim_end_matches([' ', '(', ',']);
    let last = trimmed.rsplit([' ', '(', '\n']).next().unwrap_or("");
    // `Kingma and Ba (2015)`
    let is_name = |word: Option<&str>| word.is_some_and(|word| word.starts_with(char::is_uppercase));
    let mut back = trimmed.rsplit([' ', '\n']);
    let authors = before.ends_with('(') && is_name(back.next()) && matches!(back.next(), Some("and" | "&" | "und")) && is_name(back.next());
    let comma = before.trim_end().ends_with(',') && last.starts_with(|c: char| c.is_uppercase()) && before.contains('(');
    matches!(
        last,
        "in" | "In"
            | "since"
            | "Since"
            | "until"
            | "during"
            | "al."
            | "al"
            | "year"
            | "Year"
            | "years"
            | "early"
            | "late"
            | "mid"
            | "©"
            | "circa"
    ) || is_month(last.trim_end_matches('.'))
        || comma
        || authors
}
