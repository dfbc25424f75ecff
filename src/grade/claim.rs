//! What alignment hands to the judge: the values that an answer states for an ask, with the words near them already read.

use std::borrow::Cow;

use crate::quantity::Number;
use crate::recognize::{Kind, Reading};

/// One value that an answer states for an ask.
#[derive(Clone, Debug)]
pub(crate) struct Claim<'a> {
    /// What was said.
    pub said: Said<'a>,
    /// The value as it was read, before anything was settled on; of a range the lower end.
    pub value: Number,
    /// The upper end of a range.
    pub high: Option<Number>,
    /// The ask's readings one of whose labels stands near, as places in [`Ask::readings`](crate::drill::Ask::readings).
    pub labeled: Vec<usize>,
    /// The ask's mistakes one of whose phrases stands near, as places in [`Ask::mistakes`](crate::drill::Ask::mistakes).
    pub suspected: Vec<usize>,
}

/// What a claim consists of.
#[derive(Clone, Debug)]
pub(crate) enum Said<'a> {
    /// A number: every fair reading of it, likeliest first, never empty.
    Number {
        /// The readings.
        readings: Cow<'a, [Reading]>,
        /// What kind of statement it is.
        kind: Kind,
        /// Whether the words turn a factor round: `4 times lower` is a factor of 1/4.
        lower: bool,
    },
    /// Words that are the value of one of the ask's readings, as a place in [`Ask::readings`](crate::drill::Ask::readings).
    Reading(usize),
    /// Words that are the value of one of the ask's mistakes, as a place in [`Ask::mistakes`](crate::drill::Ask::mistakes).
    Mistake(usize),
}
