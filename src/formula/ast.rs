use crate::quantity::Number;
use crate::text::Span;

/// An expression with the bytes it came from, counted from the start of the formula's text. Two are equal when they say
/// the same, wherever they stand.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands in the formula's text.
    pub span: Span,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
    }
}

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

impl Function {
    /// All of them, with the name that formulas write.
    pub const ALL: [(&'static str, Function); 11] = [
        ("ceil", Function::Ceil),
        ("floor", Function::Floor),
        ("round", Function::Round),
        ("abs", Function::Abs),
        ("sqrt", Function::Sqrt),
        ("log2", Function::Log2),
        ("log10", Function::Log10),
        ("ln", Function::Ln),
        ("exp", Function::Exp),
        ("min", Function::Min),
        ("max", Function::Max),
    ];

    /// The name that formulas write.
    pub fn name(self) -> &'static str {
        Function::ALL[self as usize].0
    }

    pub(super) fn named(name: &str) -> Option<Function> {
        Function::ALL.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
    }

    /// Whether it takes several arguments; the others take one.
    pub(super) fn takes_several(self) -> bool {
        matches!(self, Function::Min | Function::Max)
    }
}

impl Expr {
    pub(super) fn new(kind: ExprKind, span: Span) -> Expr {
        Expr { kind, span }
    }

    pub(super) fn binary(operator: Operator, left: Expr, right: Expr) -> Expr {
        let span = left.span.join(right.span);
        Expr::new(ExprKind::Binary(operator, Box::new(left), Box::new(right)), span)
    }

    /// A name, standing nowhere.
    pub fn name(name: impl Into<String>) -> Expr {
        Expr::new(ExprKind::Name(name.into()), Span::default())
    }

    /// A whole number, standing nowhere.
    pub fn whole(value: u32) -> Expr {
        let kind = ExprKind::Number { value: Number::from(i128::from(value)), written: value.to_string(), unit: None };
        Expr::new(kind, Span::default())
    }

    /// Its operands from left to right.
    pub fn operands(&self) -> impl DoubleEndedIterator<Item = &Expr> {
        let (one, two, many): (Option<&Expr>, Option<&Expr>, &[Expr]) = match &self.kind {
            ExprKind::Number { .. } | ExprKind::Name(_) => (None, None, &[]),
            ExprKind::Negate(inner) => (Some(inner), None, &[]),
            ExprKind::Binary(_, left, right) => (Some(left), Some(right), &[]),
            ExprKind::Call(_, arguments) => (None, None, arguments),
        };
        one.into_iter().chain(two).chain(many)
    }
}
