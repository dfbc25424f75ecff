//! The form in which an ask wants its value, and how well the unit of a number goes with it.

use smallvec::SmallVec;

use crate::drill::{Ask, AskKind};
use crate::quantity::{Base, Dimension, Number as Value, Unit};
use crate::recognize::Mention;

/// How well the unit of a number goes with an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::grade) enum Fit {
    /// Another dimension, which no reading of the ask has either.
    No,
    /// A form in which the ask is seldom answered: a factor where a percentage is asked.
    Odd,
    /// The dimension of one of the ask's other readings or mistakes.
    Other,
    /// No unit, where the ask has one.
    Bare,
    /// What is asked for.
    Natural,
}

impl Fit {
    pub(super) fn share(self) -> f32 {
        match self {
            Fit::No => 0.0,
            Fit::Odd => 0.55,
            Fit::Bare => 0.5,
            Fit::Other => 0.7,
            Fit::Natural => 1.0,
        }
    }
}

/// The form in which an ask wants its value.
#[derive(Debug)]
pub(in crate::grade) struct Shape {
    dimension: Dimension,
    pub(super) form: Form,
    /// The dimensions and forms of the ask's other readings and mistakes.
    pub(super) others: Vec<(Dimension, Form)>,
    unit: Option<Unit>,
    /// Whether just this unit is asked for.
    in_unit: bool,
    /// Whether it is a number of things, which has no fractions.
    counts: bool,
    /// Asks of one kind go with the same units: the first of them.
    kind: usize,
}

/// How well a number's unit goes with kinds of asks: a part asks for many values and for few kinds of them.
#[derive(Default)]
pub(super) struct Alike(SmallVec<[(usize, Fit); 8]>);

impl Alike {
    /// How well it goes with an ask.
    pub(super) fn fit(&mut self, shape: &Shape, mention: &Mention) -> Fit {
        if let Some((_, known)) = self.0.iter().find(|(kind, _)| *kind == shape.kind) {
            return *known;
        }
        let fit = shape.fit(mention);
        self.0.push((shape.kind, fit));
        fit
    }
}

/// What a value without dimension counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// It has a dimension.
    Measured,
    /// A percentage.
    Percent,
    /// A factor.
    Times,
    /// A number of things, or a plain number.
    Count,
}

fn form(dimension: Dimension, unit: Option<&Unit>) -> Form {
    if !dimension.is_none() {
        return Form::Measured;
    }
    match unit.map(|unit| unit.symbol.as_str()) {
        Some("%" | "‰" | "ppm") => Form::Percent,
        Some("x" | "×" | "times" | "fold") => Form::Times,
        _ => Form::Count,
    }
}

impl Shape {
    /// The forms in which asks want their values.
    pub(in crate::grade) fn all(asks: &[Ask]) -> Vec<Shape> {
        let mut shapes: Vec<Shape> = Vec::with_capacity(asks.len());
        for (at, ask) in asks.iter().enumerate() {
            let shape = Shape::of(ask);
            let kind = shapes.iter().position(|known| known.is_alike(&shape)).unwrap_or(at);
            shapes.push(Shape { kind, ..shape });
        }
        shapes
    }

    /// Whether the same units go with both.
    fn is_alike(&self, other: &Shape) -> bool {
        let kind = |shape: &Shape| (shape.dimension, shape.form, shape.counts);
        kind(self) == kind(other) && self.others == other.others
    }

    fn of(ask: &Ask) -> Shape {
        let dimension = ask.formula.dimension();
        let own = match ask.kind {
            AskKind::Count => Form::Count,
            _ => form(dimension, ask.unit.as_ref()),
        };
        let mut others = Vec::new();
        for reading in &ask.readings {
            let dimension = reading.formula.dimension();
            let form = match &reading.unit {
                Some(unit) => form(dimension, Some(unit)),
                None if dimension == ask.formula.dimension() => continue,
                None => form(dimension, None),
            };
            if !others.contains(&(dimension, form)) {
                others.push((dimension, form));
            }
        }
        let counts = matches!(ask.kind, AskKind::Count);
        Shape { dimension, form: own, others, unit: ask.unit.clone(), in_unit: ask.in_unit, counts, kind: 0 }
    }

    /// How well the unit of a number goes with the ask.
    pub(in crate::grade) fn fit(&self, mention: &Mention) -> Fit {
        let fit = mention.readings.iter().map(|reading| self.fit_unit(reading.unit.as_ref())).max().unwrap_or(Fit::No);
        let whole = || mention.readings.first().is_some_and(|reading| reading.value.is_whole());
        let bare = mention.unit.is_none() && mention.noun.is_none() && fit != Fit::No;
        if bare && self.counts && !whole() {
            return Fit::Odd;
        }
        let small = || mention.readings.first().is_some_and(|reading| reading.value <= Value::ONE);
        if bare && self.form == Form::Percent && whole() && !small() {
            return Fit::Bare;
        }
        // `62 steps` is neither a time without its unit nor a factor; `1.24 millis` may be.
        if mention.noun.is_none() || mention.unit.is_some() || self.form == Form::Count {
            return fit;
        }
        if self.form == Form::Measured && whole() { Fit::No } else { fit.min(Fit::Odd) }
    }

    /// Whether the likeliest reading of a number is of the kind that the ask wants, and not only one without its unit: under
    /// `time (ms)` a number is a time, and a share if nothing else is one.
    pub(in crate::grade) fn fits_first(&self, mention: &Mention) -> bool {
        mention.readings.first().is_some_and(|reading| self.fit_unit(reading.unit.as_ref()) == Fit::Natural)
    }

    fn fit_unit(&self, unit: Option<&Unit>) -> Fit {
        let Some(unit) = unit else {
            return match self.form {
                Form::Measured | Form::Times => Fit::Bare,
                Form::Percent | Form::Count => Fit::Natural,
            };
        };
        let kind = form(unit.dimension, Some(unit));
        if unit.dimension == self.dimension && (kind == self.form) {
            return Fit::Natural;
        }
        if self.others.contains(&(unit.dimension, kind)) {
            return Fit::Other;
        }
        // An amount for a price, points for a share: related, and nothing turns one into the other.
        let money = unit.dimension.holds(Base::Money) && self.dimension.holds(Base::Money);
        if money || unit.dimension.holds(Base::Points) && self.form == Form::Percent {
            return Fit::Odd;
        }
        match (self.form, kind) {
            (Form::Percent, Form::Times) | (Form::Times, Form::Percent) => Fit::Odd,
            _ => Fit::No,
        }
    }

    /// Whether the ask wants a share: a percentage or its fraction.
    pub(in crate::grade) fn is_share(&self) -> bool {
        self.form == Form::Percent
    }

    /// Whether a number's unit is of the kind that this ask wants just so.
    pub(in crate::grade) fn claims_unit(&self, mention: &Mention) -> bool {
        self.in_unit && self.unit_evidence(mention) >= 2.0
    }

    /// Whether just one unit is asked for, of another family than a number's: MiB, where gigabytes stand.
    pub(in crate::grade) fn disclaims_unit(&self, mention: &Mention) -> bool {
        let data = mention.readings.first().and_then(|reading| reading.unit.as_ref()).is_some_and(|unit| unit.dimension == Dimension::DATA);
        self.in_unit && data && !self.claims_unit(mention)
    }

    /// Whether a number is written in the unit that is asked for.
    pub(in crate::grade) fn is_in_unit(&self, mention: &Mention) -> bool {
        let written = mention.readings.first().and_then(|reading| reading.unit.as_ref());
        self.unit.as_ref().zip(written).is_some_and(|(wanted, written)| wanted.symbol == written.symbol)
    }

    /// Whether the ask wants a quantity that has a dimension.
    pub(in crate::grade) fn is_measured(&self) -> bool {
        self.form == Form::Measured
    }

    /// Whether the ask wants a factor.
    pub(in crate::grade) fn is_factor(&self) -> bool {
        self.form == Form::Times
    }

    /// How much the unit of a number says for the ask: the very unit that is asked for, or one of its family, decimal or
    /// binary.
    pub(super) fn unit_evidence(&self, mention: &Mention) -> f32 {
        let (Some(wanted), Some(written)) = (&self.unit, mention.readings.first().and_then(|reading| reading.unit.as_ref())) else {
            return 0.0;
        };
        if wanted.dimension != written.dimension {
            return 0.0;
        }
        // `KiB` and `Gibit`, but not the `bit` of `Gbit`.
        let binary = |unit: &Unit| unit.symbol.starts_with(|c: char| c.is_uppercase()) && unit.symbol[1..].starts_with('i');
        let same = if wanted.symbol == written.symbol { 0.4 } else { 0.0 };
        let family = if wanted.dimension == Dimension::DATA && binary(wanted) == binary(written) { 2.0 } else { 0.0 };
        same + family
    }
}

/// Whether a unit makes a number a factor: `8x`, `8 times`.
pub(in crate::grade) fn is_factor(unit: Option<&Unit>) -> bool {
    unit.is_some_and(|unit| form(unit.dimension, Some(unit)) == Form::Times)
}
