use super::{Number, Quantity};

/// How far from the reference an answer may be. The wider of the two counts; both ends are inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// As a share of the reference: 0.01 is one percent.
    pub relative: Number,
    /// As a quantity of the reference's dimension.
    pub absolute: Option<Quantity>,
}
