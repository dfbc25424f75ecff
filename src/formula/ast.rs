use crate::quantity::Number;
use crate::text::Span;

/// An expression with the bytes it came from, counted from the start of the formula's text.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands in the formula's text.
    pub span: Span,
}

/// A place in an expression: 0 is the whole, then its operands from left to right, each before its own operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub usize);

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number, with a unit where one follows directly: `20`, `25 GB/s`.
    Number {
        /// The value as written, before the unit.
        value: Number,
        /// The digits as written: `1.3e9`.
        written: String,
        /// The unit's spelling, if there is one.
        unit: Option<String>,
    },
    /// A name: a given, a `let`, or a unit used as a quantity (`MiB`).
    Name(String),
    /// `-x`.
    Negate(Box<Expr>),
    /// `a + b` and the like.
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `ceil(x)`, `max(a, b)`.
    Call(Function, Vec<Expr>),
}

/// The operators between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the operators'")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// The functions of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the functions'")]
pub enum Function {
    Ceil,
    Floor,
    Round,
    Abs,
    Sqrt,
    Log2,
    Log10,
    Ln,
    Exp,
    Min,
    Max,
}
