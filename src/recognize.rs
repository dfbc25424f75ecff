//! Finds the quantities in a passage, and the chains of work they stand in. Knows no drills, and never fails.

use std::ops::Range;

use crate::formula::Expr;
use crate::quantity::{Number, Unit, Written};

/// A quantity that stands in a passage.
#[derive(Clone, Debug)]
pub struct Mention {
    /// The bytes of the passage: number, unit, and what belongs to them.
    pub range: Range<usize>,
    /// The bytes of the number alone.
    pub number: Range<usize>,
    /// The bytes of the unit, where one is written.
    pub unit: Option<Range<usize>>,
    /// Every fair reading, likeliest first; never empty. The ask decides between them, never the recognizer.
    pub readings: Vec<Reading>,
    /// What kind of statement it is.
    pub kind: Kind,
    /// Whether it is marked as approximate (`~`, `about`).
    pub approximate: bool,
    /// Whether the text takes it back: struck out, denied, corrected.
    pub withdrawn: bool,
}

/// One way to understand a mention.
#[derive(Clone, Debug)]
pub struct Reading {
    /// In SI base units; of a range the lower end, of a ± the middle.
    pub value: Number,
    /// The upper end of a range.
    pub high: Option<Number>,
    /// The unit; `None` for a bare number.
    pub unit: Option<Unit>,
    /// The form in which the number was written.
    pub written: Written,
    /// Whether the spelling is loose (`gb` for `GB`) and a grader should be told.
    pub lenient: bool,
}

/// What kind of statement a mention is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A value.
    Exact,
    /// `3-5 ms`.
    Range,
    /// `12 ± 3 ms`: the half width, in SI base units.
    PlusMinus(Number),
    /// `at most 5 ms`.
    AtMost,
    /// `80+ GB`.
    AtLeast,
    /// `1 min 20 s`.
    Compound,
    /// `3 of 4`.
    Share,
}

/// A run of expressions joined by equals signs: `2·31·20 µs = 1240 µs = 1.24 ms`.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The bytes of the passage.
    pub range: Range<usize>,
    /// Its members from left to right.
    pub links: Vec<Link>,
}

/// One member of a chain.
#[derive(Clone, Debug)]
pub struct Link {
    /// The bytes of the passage.
    pub range: Range<usize>,
    /// What it says, where it could be parsed.
    pub expr: Option<Expr>,
    /// The mention it consists of, as an index, where it is a plain quantity.
    pub mention: Option<usize>,
    /// Whether it is tied to the member before it by `≈` rather than `=`.
    pub approximate: bool,
}
