//! The formula language of drills: parse, check dimensions, evaluate, and write out the worked substitution.
//!
//! ```text
//! 2*(P-1)/P * S/B          ceil(S/(25 MiB))          max(C, T)          2^30
//! ```
//!
//! A number may carry a unit, which binds tighter than any operator: `S / 50 GB/s` divides by fifty gigabytes a second.
//! Where a name and a unit are spelled alike, the name is meant.

mod ast;

pub use ast::{Expr, ExprKind, Function, NodeId, Operator};

use crate::quantity::{Dimension, Number};

/// A formula that has been parsed, checked for dimension, and worked out with the true givens.
#[derive(Clone, Debug)]
pub struct Formula {
    text: String,
    expr: Expr,
    dimension: Dimension,
    value: Number,
}

impl Formula {
    /// As the author wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it says.
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// What kind of thing it comes to.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// What it comes to with the true givens, in SI base units.
    pub fn value(&self) -> Number {
        self.value
    }
}
