//! The formula language of drills: parse, check dimensions, evaluate, and write out the worked substitution.
//!
//! ```text
//! 2*(P-1)/P * S/B          ceil(S/(25 MiB))          max(C, T)          2^30
//! ```
//!
//! The word right after a number is its unit and binds tighter than any operator: `S / 50 GB/s` divides by fifty gigabytes
//! a second. Everywhere else a word is a name before it is a unit, so that `3 us * B` multiplies by a given `B`. Everything is worked out in SI base units, data in bytes.
//!
//! | written | is |
//! |---|---|
//! | `20`, `1.3e9`, `1_300_000` | numbers |
//! | `20 us`, `25 GB/s`, `25 %` | quantities |
//! | `MiB` | one of that unit |
//! | `+ - * /`, `^` or `**` | the usual; powers first, from right to left |
//! | `ceil floor round` | of plain numbers only |
//! | `abs sqrt min max` | of anything, `min` and `max` of like things |
//! | `log2 log10 ln exp` | of plain numbers |
//!
//! [`parse_student`] reads the same language as people write it by hand, for the work that an answer shows.

mod ast;
mod compile;
mod edit;
mod fault;
mod lex;
mod names;
mod parse;
mod program;
mod show;
#[cfg(test)]
mod tests;

pub use ast::{Expr, ExprKind, Function, Operator};
pub use compile::{Scope, Symbol};
pub use edit::{Change, Member, NodeId};
pub use fault::Fault;
pub use lex::is_name;
pub use names::KnownNames;
pub use parse::{parse, parse_student};
pub use program::Arithmetic;
pub use show::{Style, quantity};

use program::Program;

use crate::quantity::{Dimension, Number, Quantity, Units};

/// What an expression comes to with these values of the names, by their slots, where its dimensions and names make sense.
pub fn evaluate(expr: &Expr, scope: Scope, slots: &[Number]) -> Option<Quantity> {
    let (program, dimension) = compile::compile(expr, scope).ok()?;
    let value: Number = program.eval(slots);
    value.is_finite().then_some(Quantity { value, dimension: dimension.unwrap_or(Dimension::NONE) })
}

/// A formula that has been parsed, checked for dimension, and worked out with the true givens.
#[derive(Clone, Debug)]
pub struct Formula {
    text: String,
    expr: Expr,
    program: Program,
    dimension: Dimension,
    value: Number,
    /// The nearest float to it.
    float: f64,
}

impl Formula {
    /// Checks and compiles an expression. Its value is not known before [`solve`](Formula::solve).
    pub fn new(text: impl Into<String>, expr: Expr, scope: Scope) -> Result<Formula, Vec<Fault>> {
        let (program, dimension) = compile::compile(&expr, scope)?;
        let dimension = dimension.unwrap_or(Dimension::NONE);
        Ok(Formula { text: text.into(), expr, program, dimension, value: Number::inexact(f64::NAN), float: f64::NAN })
    }

    /// As the author wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it says.
    pub fn expr(&self) -> &Expr {
        &self.expr
    }

    /// What kind of thing it comes to.
    #[inline]
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// What it comes to with the true givens, in SI base units.
    #[inline]
    pub fn value(&self) -> Number {
        self.value
    }

    /// The nearest float to that.
    #[inline]
    pub fn float(&self) -> f64 {
        self.float
    }

    /// What it comes to with other values of the names, by their slots; needs no memory.
    pub fn eval<N: Arithmetic>(&self, slots: &[N]) -> N {
        self.program.eval(slots)
    }

    /// About what it comes to with other values of the names, from their floats, for several of them in one go; `None` where a
    /// little may change much.
    pub fn rough<const LANES: usize>(&self, slots: impl Fn(usize) -> [f64; LANES]) -> Option<[f64; LANES]> {
        self.program.rough(slots)
    }

    /// Keeps what it comes to with the true values of the names.
    pub fn solve(&mut self, slots: &[Number]) {
        self.value = self.program.eval(slots);
        self.float = self.value.to_f64();
    }

    /// Takes another value for what stands in the place of a given, in the unit it was written in.
    pub(crate) fn set(&mut self, value: Number, units: &Units) {
        let unit = match &self.expr.kind {
            ExprKind::Number { unit: Some(spelling), .. } => units.read(spelling).into_iter().next(),
            _ => None,
        };
        self.expr = Expr::quantity(value, unit.as_ref());
        self.text = self.expr.to_string();
        self.value = value;
        self.float = value.to_f64();
    }

    /// The slots of the names it holds, each as often as it stands there.
    pub fn slots(&self) -> impl Iterator<Item = usize> {
        self.program.slots()
    }
}
