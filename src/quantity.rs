//! Numbers with units: exact values, dimensions, the unit table, and the comparison of a written value with a reference.
//!
//! Knows no text but unit spellings, and no drills.

mod arithmetic;
mod dimension;
mod memo;
mod number;
mod physics;
mod ratio;
mod spelling;
mod table;
mod tolerance;
mod unit;

pub use dimension::{Base, Dimension};
pub use number::{Figures, Number, Written};
pub use spelling::is_noun;
pub use tolerance::{Fit, Interval, Tolerance};
pub use unit::{Loose, Measure, Sense, Spelled, Unit, Units};

/// A value in SI base units (bytes for data), with its dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// In SI base units; a percentage is the fraction.
    pub value: Number,
    /// What kind of thing it measures.
    pub dimension: Dimension,
}
