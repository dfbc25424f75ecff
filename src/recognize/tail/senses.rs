//! The fair ways to take what stands behind a number.

use std::rc::Rc;

use crate::quantity::{Loose, Number, Sense, Unit};

/// The fair ways to take scale and unit, likeliest first.
#[derive(Clone, Debug)]
pub(in crate::recognize) enum Senses {
    /// Neither is there.
    None,
    /// A scale that is no unit.
    Scale(Number),
    /// A unit in one of its readings, behind a scale.
    Units(Number, Rc<[Sense]>),
    /// Ways that differ in more than the unit.
    Mixed(Vec<Scaled>),
}

impl Senses {
    /// How many there are; never none.
    pub(in crate::recognize) fn len(&self) -> usize {
        match self {
            Senses::None | Senses::Scale(_) => 1,
            Senses::Units(_, senses) => senses.len(),
            Senses::Mixed(all) => all.len(),
        }
    }

    /// The unit of the likeliest.
    pub(in crate::recognize) fn unit(&self) -> Option<&Unit> {
        match self {
            Senses::None | Senses::Scale(_) => None,
            Senses::Units(_, senses) => Some(&senses[0].unit),
            Senses::Mixed(all) => all[0].unit.as_ref().map(|sense| &sense.unit),
        }
    }

    /// The scale of the likeliest.
    pub(in crate::recognize) fn scale(&self) -> Number {
        match self {
            Senses::None => Number::ONE,
            Senses::Scale(scale) | Senses::Units(scale, _) => *scale,
            Senses::Mixed(all) => all[0].scale,
        }
    }

    /// One of them, counted from 0.
    pub(in crate::recognize) fn get(&self, at: usize) -> Scaled {
        match self {
            Senses::None => Scaled { scale: Number::ONE, unit: None, loose: None },
            Senses::Scale(scale) => Scaled { scale: *scale, unit: None, loose: None },
            Senses::Units(scale, senses) => Scaled { scale: *scale, loose: senses[at].loose, unit: Some(senses[at].clone()) },
            Senses::Mixed(all) => all[at].clone(),
        }
    }

    /// All of them.
    pub(in crate::recognize) fn iter(&self) -> impl Iterator<Item = Scaled> {
        (0..self.len()).map(|at| self.get(at))
    }

    pub(super) fn is_none(&self) -> bool {
        matches!(self, Senses::None)
    }
}

/// A factor and a unit.
#[derive(Clone, Debug)]
pub(in crate::recognize) struct Scaled {
    pub(in crate::recognize) scale: Number,
    pub(in crate::recognize) unit: Option<Sense>,
    pub(in crate::recognize) loose: Option<Loose>,
}

impl Scaled {
    pub(super) fn scale(exponent: i32, loose: Option<Loose>) -> Scaled {
        Scaled { scale: Number::decimal(1, exponent), unit: None, loose }
    }
}
