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
}

/// Exponents over the [`Base`] kinds, in sixths so that roots stay exact. Counts have no dimension; their nouns are
/// labels on a [`Unit`](super::Unit).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dimension([i8; 12]);

impl Dimension {
    /// The dimension of a plain number.
    pub const NONE: Dimension = Dimension([0; 12]);
}
