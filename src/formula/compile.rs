//! Checks a formula's dimensions and compiles it, in one walk: what a name is has to be looked up once only.

use std::collections::BTreeMap;

use super::fault::Fault;
use super::program::{Code, Program};
use super::{Expr, ExprKind, Function, Operator};
use crate::diagnostic;
use crate::quantity::{Dimension, Number, Unit, Units};
use crate::text::Span;

/// What the words of a formula mean.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// The units that may be written.
    pub units: &'a Units,
    /// The names; they come before units of the same spelling.
    pub symbols: &'a BTreeMap<String, Symbol>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Where its value stands among those handed to an evaluation.
    pub slot: usize,
    /// What kind of thing it is; `None` where that is unknown because its own formula is broken.
    pub dimension: Option<Dimension>,
}

impl Scope<'_> {
    /// The unit that a spelling says, strictly: what is a loose spelling of a unit is none.
    pub fn unit(&self, spelling: &str) -> Option<Unit> {
        self.units.senses(spelling).into_iter().find(|sense| sense.loose.is_none()).map(|sense| sense.unit)
    }

    /// The unit that a loose spelling probably means.
    fn loose_unit(&self, spelling: &str) -> Option<Unit> {
        self.units.read(spelling).into_iter().next()
    }
}

/// What an expression comes to, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Of(Dimension),
    /// A literal zero, which may be any of them.
    Zero,
    /// Broken below; it was told, and nothing follows from it.
    Unknown,
}

impl Shape {
    fn dimension(self) -> Dimension {
        match self {
            Shape::Of(dimension) => dimension,
            Shape::Zero | Shape::Unknown => Dimension::NONE,
        }
    }
}

/// The program of an expression and what it comes to, or everything that is wrong with it.
pub(super) fn compile(expr: &Expr, scope: Scope) -> Result<(Program, Option<Dimension>), Vec<Fault>> {
    let mut compiler = Compiler { scope, code: Code::default(), faults: Vec::new() };
    let shape = compiler.visit(expr);
    if !compiler.faults.is_empty() {
        return Err(compiler.faults);
    }
    let dimension = (shape != Shape::Unknown).then_some(shape.dimension());
    Ok((compiler.code.finish(), dimension))
}

struct Compiler<'a> {
    scope: Scope<'a>,
    code: Code,
    faults: Vec<Fault>,
}

impl Compiler<'_> {
    fn visit(&mut self, expr: &Expr) -> Shape {
        match &expr.kind {
            ExprKind::Number { value, unit: None, .. } => {
                self.code.constant(*value);
                if value.is_zero() { Shape::Zero } else { Shape::Of(Dimension::NONE) }
            }
            ExprKind::Number { value, written, unit: Some(spelling) } => self.quantity(*value, written, spelling, expr.span),
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Negate(inner) => {
                let shape = self.visit(inner);
                self.code.negate();
                shape
            }
            ExprKind::Binary(operator, left, right) => {
                let shapes = (self.visit(left), self.visit(right));
                self.code.binary(*operator);
                self.binary(*operator, expr, (left, shapes.0), (right, shapes.1))
            }
            ExprKind::Call(function, arguments) => {
                let shapes: Vec<Shape> = arguments.iter().map(|argument| self.visit(argument)).collect();
                self.code.call(*function, arguments.len());
                self.call(*function, arguments, &shapes)
            }
        }
    }

    fn quantity(&mut self, value: Number, written: &str, spelling: &str, span: Span) -> Shape {
        let Some(unit) = self.scope.unit(spelling) else {
            let at = Span::new(span.end.saturating_sub(spelling.len()), span.end);
            let fault = Fault::new("unknown-unit", at, format!("no unit is spelled `{spelling}`"));
            let near = diagnostic::nearest(spelling, self.scope.symbols.keys().map(String::as_str));
            self.faults.push(match (self.scope.loose_unit(spelling), near) {
                (Some(unit), _) => fault.help(format!("did you mean `{}`?", unit.symbol)),
                (None, Some(name)) => fault.help(format!("for a product with the name `{name}`, write `{written}*{name}`")),
                (None, None) => fault.help("add it to `[unit]`, or leave it out and say what is counted with `noun`"),
            });
            return Shape::Unknown;
        };
        self.code.constant(value * unit.factor);
        Shape::Of(unit.dimension)
    }

    fn name(&mut self, name: &str, span: Span) -> Shape {
        if let Some(symbol) = self.scope.symbols.get(name) {
            self.code.load(symbol.slot);
            return symbol.dimension.map_or(Shape::Unknown, Shape::Of);
        }
        if let Some(unit) = self.scope.unit(name) {
            self.code.constant(unit.factor);
            return Shape::Of(unit.dimension);
        }
        let fault = Fault::new("unknown-name", span, format!("`{name}` is neither a name of this drill nor a unit"));
        let near = diagnostic::nearest(name, self.scope.symbols.keys().map(String::as_str));
        self.faults.push(match (near, self.scope.loose_unit(name)) {
            (Some(near), _) => fault.help(format!("did you mean `{near}`?")),
            (None, Some(unit)) => fault.help(format!("did you mean the unit `{}`?", unit.symbol)),
            (None, None) => fault.help("define it in `[given]`, `[assume]` or `[let]`"),
        });
        self.code.constant(Number::ONE);
        Shape::Unknown
    }

    /// Says that two things of different kinds meet where they may not.
    fn mismatch(&mut self, what: &str, (left, is): (&Expr, Dimension), (right, other): (&Expr, Dimension)) {
        let fault = Fault::new("dimension-mismatch", left.span, what).labelled(self.side(left, is));
        let fault = fault.also(right.span, self.side(right, other));
        self.faults.push(match inverted_rate(left).or_else(|| inverted_rate(right)) {
            Some(help) => fault.help(help),
            None => fault,
        });
    }

    /// What one side is; where it is a unit that looks like a name, that is said too.
    fn side(&self, expr: &Expr, dimension: Dimension) -> String {
        match expr.own_name() {
            Some(name) if !self.scope.symbols.contains_key(name) => format!("this is the unit `{name}`, {}", kind(dimension)),
            _ => is(dimension),
        }
    }

    fn binary(&mut self, operator: Operator, whole: &Expr, (left, is): (&Expr, Shape), (right, other): (&Expr, Shape)) -> Shape {
        match operator {
            Operator::Add | Operator::Subtract => {
                let what = if operator == Operator::Add { "only like things can be added" } else { "only like things can be subtracted" };
                self.alike(what, (left, is), (right, other))
            }
            Operator::Multiply | Operator::Divide => {
                let (a, b) = match (is, other) {
                    (Shape::Unknown, _) | (_, Shape::Unknown) => return Shape::Unknown,
                    (Shape::Zero, _) if operator == Operator::Multiply => return Shape::Zero,
                    (a, b) => (a.dimension(), b.dimension()),
                };
                let dimension = if operator == Operator::Multiply { a.times(b) } else { a.over(b) };
                self.representable(dimension, whole)
            }
            Operator::Power => self.power(whole, is, (right, other)),
        }
    }

    fn alike(&mut self, what: &str, (left, is): (&Expr, Shape), (right, other): (&Expr, Shape)) -> Shape {
        match (is, other) {
            (Shape::Unknown, shape) | (shape, Shape::Unknown) | (Shape::Zero, shape) | (shape, Shape::Zero) => shape,
            (Shape::Of(a), Shape::Of(b)) => {
                if a != b {
                    self.mismatch(what, (left, a), (right, b));
                    return Shape::Unknown;
                }
                is
            }
        }
    }

    fn power(&mut self, whole: &Expr, base: Shape, (exponent, shape): (&Expr, Shape)) -> Shape {
        if let Shape::Of(dimension) = shape
            && !dimension.is_none()
        {
            self.faults.push(Fault::new("dimension-mismatch", exponent.span, "an exponent is a plain number").labelled(is(dimension)));
            return Shape::Unknown;
        }
        match base {
            Shape::Of(dimension) if !dimension.is_none() => {
                let Some(ratio) = constant(exponent).and_then(|value| value.to_ratio()) else {
                    let fault =
                        Fault::new("dimension-mismatch", exponent.span, "the exponent of something with a unit is a written number");
                    self.faults.push(fault.also(whole.span, format!("the base is {}", kind(dimension))));
                    return Shape::Unknown;
                };
                let small = |value: &i128| i32::try_from(*value).ok();
                let power = small(ratio.numer()).zip(small(ratio.denom())).and_then(|(numer, denom)| dimension.power(numer, denom));
                self.representable(power, whole)
            }
            shape => shape,
        }
    }

    fn representable(&mut self, dimension: Option<Dimension>, whole: &Expr) -> Shape {
        let Some(dimension) = dimension else {
            self.faults.push(Fault::new("dimension-mismatch", whole.span, "no unit has such a power"));
            return Shape::Unknown;
        };
        Shape::Of(dimension)
    }

    fn call(&mut self, function: Function, arguments: &[Expr], shapes: &[Shape]) -> Shape {
        let (first, shape) = (&arguments[0], shapes[0]);
        match function {
            Function::Min | Function::Max => {
                let what = format!("`{}` compares like things only", function.name());
                let mut like = (first, shape);
                for next in arguments.iter().zip(shapes.iter().copied()).skip(1) {
                    let shape = self.alike(&what, like, next);
                    // What a literal zero is compared with says what all of them are.
                    like = if like.1 == Shape::Zero { next } else { like };
                    like.1 = shape;
                }
                like.1
            }
            Function::Abs => shape,
            Function::Sqrt => match shape {
                Shape::Of(dimension) => self.representable(dimension.power(1, 2), first),
                shape => shape,
            },
            Function::Ceil | Function::Floor | Function::Round => self.plain(
                first,
                shape,
                || format!("`{}` works on plain numbers: what a unit counts depends on the unit", function.name()),
                true,
            ),
            Function::Log2 | Function::Log10 | Function::Ln | Function::Exp => {
                self.plain(first, shape, || format!("`{}` works on plain numbers", function.name()), false)
            }
        }
    }

    fn plain(&mut self, argument: &Expr, shape: Shape, what: impl Fn() -> String, by_unit: bool) -> Shape {
        if let Shape::Of(dimension) = shape
            && !dimension.is_none()
        {
            let fault = Fault::new("dimension-mismatch", argument.span, what()).labelled(is(dimension));
            self.faults.push(if by_unit {
                fault.help("divide by the unit that is counted, and multiply by it again outside")
            } else {
                fault
            });
            return Shape::Unknown;
        }
        if shape == Shape::Unknown { shape } else { Shape::Of(Dimension::NONE) }
    }
}

fn is(dimension: Dimension) -> String {
    format!("this is {}", kind(dimension))
}

/// How a dimension is called in a sentence.
fn kind(dimension: Dimension) -> String {
    if dimension.is_none() { "a plain number".to_owned() } else { dimension.to_string() }
}

/// `x / 50*GB/s` divides by gigabytes and by seconds; a rate in the denominator wants brackets.
fn inverted_rate(expr: &Expr) -> Option<String> {
    let ExprKind::Binary(Operator::Divide, inner, unit) = &expr.kind else { return None };
    let ExprKind::Name(unit) = &unit.kind else { return None };
    let ExprKind::Binary(Operator::Divide | Operator::Multiply, _, rate) = &inner.kind else { return None };
    let ExprKind::Name(rate) = &rate.kind else { return None };
    Some(format!("to divide by a rate, put it in brackets: `(… {rate}/{unit})`"))
}

/// The value of an expression without names and units, exact where that is possible.
fn constant(expr: &Expr) -> Option<Number> {
    Some(match &expr.kind {
        ExprKind::Number { value, unit: None, .. } => *value,
        ExprKind::Negate(inner) => -constant(inner)?,
        ExprKind::Binary(Operator::Divide, left, right) => constant(left)? / constant(right)?,
        ExprKind::Binary(Operator::Multiply, left, right) => constant(left)? * constant(right)?,
        ExprKind::Binary(Operator::Add, left, right) => constant(left)? + constant(right)?,
        ExprKind::Binary(Operator::Subtract, left, right) => constant(left)? - constant(right)?,
        _ => return None,
    })
}
