//! Number notations: which mark is the decimal mark, which marks group digits, and how long the groups are.

use crate::quantity::{Figures, Number, Written};

/// A way of writing decimal numbers. Groups are complete (`1,234,567`) or absent; nothing is squeezed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notation {
    decimal: Decimal,
    /// Marks that may group the digits before the decimal mark.
    groups: &'static [char],
    /// Digits of the groups before the last one: 2 in India, else 3.
    outer: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decimal {
    Point,
    Comma,
    /// A point; a comma where it cannot group: `0,111`, `1000,99`, `2,74`.
    Either,
}

/// Spaces that group digits in every notation: plain, no-break, thin, narrow no-break.
const SPACES: &[char] = &[' ', '\u{a0}', '\u{2009}', '\u{202f}'];

impl Notation {
    /// Decimal point; comma, apostrophe, underscore or space between groups.
    pub const ENGLISH: Notation = Notation { decimal: Decimal::Point, groups: &[',', '\'', '’', '_'], outer: 3 };
    /// Decimal comma; point, apostrophe, underscore or space between groups.
    pub const CONTINENTAL: Notation = Notation { decimal: Decimal::Comma, groups: &['.', '\'', '’', '_'], outer: 3 };
    /// As [`ENGLISH`](Self::ENGLISH), and a comma is a decimal mark where it cannot group.
    pub const AUTOMATIC: Notation = Notation { decimal: Decimal::Either, ..Notation::ENGLISH };

    /// The notation of a name: a style (`en`, `eu`, `si-en`, `si-fr`, `ch`, `in`, `plain`, `plain-eu`, `scientific`,
    /// `auto`) or a language (`fr`, `de`, `en-US`).
    pub fn named(name: &str) -> Option<Notation> {
        let bare = |decimal| Notation { decimal, groups: &[], outer: 3 };
        let name = name.to_ascii_lowercase().replace('_', "-");
        Some(match name.as_str() {
            "auto" => Notation::AUTOMATIC,
            "eu" => Notation::CONTINENTAL,
            "si-en" | "plain" | "scientific" => bare(Decimal::Point),
            "si-fr" | "plain-eu" => bare(Decimal::Comma),
            "ch" => Notation { groups: &['\'', '’'], ..Notation::ENGLISH },
            "in" => Notation { groups: &[','], outer: 2, ..Notation::ENGLISH },
            _ => match name.split('-').next()? {
                "en" | "zh" | "ja" | "ko" | "he" | "th" => Notation::ENGLISH,
                "de" | "fr" | "es" | "it" | "nl" | "pt" | "pl" | "ru" | "sv" | "da" | "nb" | "no" | "fi" | "cs" | "tr" | "el" | "hu"
                | "ro" | "uk" | "id" | "vi" | "ca" => Notation::CONTINENTAL,
                _ => return None,
            },
        })
    }

    /// The notation with this decimal mark.
    pub fn with_decimal(mark: char) -> Option<Notation> {
        match mark {
            '.' => Some(Notation::ENGLISH),
            ',' => Some(Notation::CONTINENTAL),
            _ => None,
        }
    }

    /// Reads digits with their marks, without sign or exponent, from the start of `text`. `None` where no number starts
    /// there; the error tells of marks that do not fit.
    pub(super) fn digits(self, text: &str) -> Result<Option<Digits>, Misplaced> {
        let marks = self.groups.iter().chain(SPACES).copied();
        let tries: Vec<Option<char>> = std::iter::once(None).chain(marks.map(Some)).collect();
        let points: &[char] = match self.decimal {
            Decimal::Point => &['.'],
            Decimal::Comma => &[','],
            Decimal::Either => &['.', ','],
        };
        let mut longest: Option<Digits> = None;
        for &point in points {
            for &group in tries.iter().filter(|group| **group != Some(point)) {
                if let Some(read) = self.try_digits(text, point, group)
                    && longest.as_ref().is_none_or(|longest| read.end > longest.end)
                {
                    longest = Some(read);
                }
            }
        }
        match longest {
            Some(read) if misplaced_after(&text[read.end..]) => Err(Misplaced),
            read => Ok(read),
        }
    }

    fn try_digits(self, text: &str, point: char, group: Option<char>) -> Option<Digits> {
        let mut digits = String::new();
        let mut end = run(text, &mut digits);
        let first = end;
        if let Some(mark) = group {
            let mut lengths = vec![end];
            while let Some(after) = text[end..].strip_prefix(mark) {
                let mut more = String::new();
                let length = run(after, &mut more);
                if length != 3 && !(length == 2 && self.outer == 2) {
                    break;
                }
                digits.push_str(&more);
                lengths.push(length);
                end = text.len() - after.len() + length;
            }
            let (last, outer) = lengths.split_last()?;
            let complete = outer.iter().skip(1).all(|length| *length == self.outer) && *last == 3;
            // `0,111` is no number of thousands.
            if lengths.len() < 2 || first == 0 || first > 3 || !complete || text.starts_with('0') {
                return None;
            }
        }
        let mut decimals = 0;
        let mut had_point = false;
        if let Some(after) = text[end..].strip_prefix(point) {
            let (length, fraction) = fraction(after);
            if length > 0 || first > 0 && point == '.' {
                had_point = true;
                decimals = fraction.len();
                digits.push_str(&fraction);
                end = text.len() - after.len() + length;
            }
        }
        // A comma that could as well group is not taken for a decimal mark unless the notation says so.
        if had_point && point == ',' && self.decimal == Decimal::Either && decimals == 3 && !text.starts_with('0') && first <= 3 {
            return None;
        }
        (!digits.is_empty()).then_some(Digits { digits, decimals, had_point, end })
    }
}

/// A run of ASCII digits, appended to `into`; returns its length.
fn run(text: &str, into: &mut String) -> usize {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    into.push_str(&text[..length]);
    length
}

/// The digits after a decimal mark, which spaces may group in threes from the mark on; returns the bytes taken too.
fn fraction(text: &str) -> (usize, String) {
    let mut digits = String::new();
    let mut end = run(text, &mut digits);
    while !digits.is_empty() && digits.len().is_multiple_of(3) {
        let Some(after) = text[end..].strip_prefix(SPACES) else { break };
        let mut more = String::new();
        let length = run(after, &mut more);
        if length == 0 || length > 3 {
            break;
        }
        digits.push_str(&more);
        end = text.len() - after.len() + length;
    }
    (end, digits)
}

/// Whether digits go on after a mark that ended the number: `1,2,3`, `1 2 3`.
fn misplaced_after(rest: &str) -> bool {
    let mut chars = rest.chars();
    let mark = chars.next().is_some_and(|c| ",.'’_".contains(c) || SPACES.contains(&c));
    let after = chars.as_str();
    // `1 3/4` is a mixed number, `5 1/s` a number with a unit.
    mark && after.starts_with(|c: char| c.is_ascii_digit()) && !after.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('/')
}

/// Marks between digits that the notation does not have at this place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Misplaced;

/// The digits of a number as they were written.
#[derive(Clone, Debug)]
pub(super) struct Digits {
    /// Without marks.
    digits: String,
    /// How many of them stand after the decimal mark.
    decimals: usize,
    had_point: bool,
    /// Bytes taken.
    pub(super) end: usize,
}

impl Digits {
    /// The digit 1, which a power of ten alone shows.
    pub(super) fn one() -> Digits {
        Digits { digits: "1".to_owned(), decimals: 0, had_point: false, end: 0 }
    }

    /// The number with its exponent, and how it was written.
    pub(super) fn with_exponent(&self, exponent: Option<i32>) -> (Number, Written) {
        let shift = exponent.unwrap_or(0).saturating_sub(i32::try_from(self.decimals).unwrap_or(i32::MAX));
        let number = match self.digits.parse() {
            Ok(mantissa) => Number::decimal(mantissa, shift),
            Err(_) => Number::inexact(format!("{}e{shift}", self.digits).parse().unwrap_or(f64::NAN)),
        };
        let significant = self.digits.trim_start_matches('0');
        // Of `0.00` the zeros after the mark are all there is to count; of `0` the zero itself.
        let most = if significant.is_empty() { self.decimals.max(1) } else { significant.len() };
        let whole = !self.had_point && exponent.is_none();
        let least = if whole && !significant.is_empty() { significant.trim_end_matches('0').len() } else { most };
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let written = Written {
            figures: Figures { least: count(least), most: count(most) },
            decimals: count(self.decimals),
            exponent: exponent.unwrap_or(0),
            last_place: Number::decimal(1, shift),
        };
        (number, written)
    }

    /// Whether it is a plain whole number.
    pub(super) fn is_whole(&self) -> bool {
        self.decimals == 0 && !self.had_point
    }
}
