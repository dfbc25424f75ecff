//! A compiled formula: a flat list of steps for a stack of values.

use std::array;

use super::{Function, Operator};
use crate::quantity::Number;

/// A number in a formula, and the nearest float to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    exact: Number,
    float: f64,
}

/// What a formula can be worked out with: exact [`Number`]s for verdicts, floats where many values are tried.
pub trait Arithmetic: Copy {
    /// Nothing.
    const ZERO: Self;
    /// What stands for itself in a formula.
    fn constant(constant: &Constant) -> Self;
    /// `-self`.
    fn negate(self) -> Self;
    /// `self operator other`.
    fn combine(self, operator: Operator, other: Self) -> Self;
    /// `function(self)`, or `function(self, other)` for `min` and `max`.
    fn apply(self, function: Function, other: Self) -> Self;
}

impl Arithmetic for f64 {
    const ZERO: f64 = 0.0;

    #[inline]
    fn constant(constant: &Constant) -> f64 {
        constant.float
    }

    fn negate(self) -> f64 {
        -self
    }

    #[inline]
    fn combine(self, operator: Operator, other: f64) -> f64 {
        match operator {
            Operator::Add => self + other,
            Operator::Subtract => self - other,
            Operator::Multiply => self * other,
            Operator::Divide => self / other,
            Operator::Power => self.powf(other),
        }
    }

    fn apply(self, function: Function, other: f64) -> f64 {
        match function {
            Function::Ceil => self.ceil(),
            Function::Floor => self.floor(),
            Function::Round => self.round(),
            Function::Abs => self.abs(),
            Function::Sqrt => self.sqrt(),
            Function::Log2 => self.log2(),
            Function::Log10 => self.log10(),
            Function::Ln => self.ln(),
            Function::Exp => self.exp(),
            Function::Min => self.min(other),
            Function::Max => self.max(other),
        }
    }
}

/// Floats that are a little off, and not numbers where that may have become much: as many as are worked out in one go.
#[derive(Clone, Copy)]
struct Rough<const LANES: usize>([f64; LANES]);

/// So near to where it jumps, a function of a rough value may be on either side.
const NEAR_A_JUMP: f64 = 1e-9;

impl<const LANES: usize> Arithmetic for Rough<LANES> {
    const ZERO: Rough<LANES> = Rough([0.0; LANES]);

    #[inline]
    fn constant(constant: &Constant) -> Rough<LANES> {
        Rough([constant.float; LANES])
    }

    fn negate(self) -> Rough<LANES> {
        Rough(self.0.map(|value| -value))
    }

    #[inline]
    fn combine(self, operator: Operator, other: Rough<LANES>) -> Rough<LANES> {
        Rough(array::from_fn(|lane| self.0[lane].combine(operator, other.0[lane])))
    }

    fn apply(self, function: Function, other: Rough<LANES>) -> Rough<LANES> {
        Rough(array::from_fn(|lane| apply_roughly(self.0[lane], function, other.0[lane])))
    }
}

fn apply_roughly(value: f64, function: Function, other: f64) -> f64 {
    let jumps_at = match function {
        Function::Ceil | Function::Floor => value.round(),
        Function::Round => value.floor() + 0.5,
        // A value that nobody knows is neither the smaller nor the larger one.
        Function::Min | Function::Max if value.is_nan() || other.is_nan() => return f64::NAN,
        _ => return value.apply(function, other),
    };
    let told = (value - jumps_at).abs() > NEAR_A_JUMP * value.abs().max(1.0);
    if told { value.apply(function, other) } else { f64::NAN }
}

impl Arithmetic for Number {
    const ZERO: Number = Number::ZERO;

    fn constant(constant: &Constant) -> Number {
        constant.exact
    }

    fn negate(self) -> Number {
        -self
    }

    fn combine(self, operator: Operator, other: Number) -> Number {
        match operator {
            Operator::Add => self + other,
            Operator::Subtract => self - other,
            Operator::Multiply => self * other,
            Operator::Divide => self / other,
            Operator::Power => power(self, other),
        }
    }

    fn apply(self, function: Function, other: Number) -> Number {
        match function {
            Function::Ceil => self.ceil(),
            Function::Floor => self.floor(),
            Function::Round => self.round(),
            Function::Abs => self.abs(),
            Function::Sqrt => exact_or(self.to_f64().sqrt(), |root| root * root == self),
            Function::Log2 => logarithm(self, 2, self.to_f64().log2()),
            Function::Log10 => logarithm(self, 10, self.to_f64().log10()),
            Function::Ln | Function::Exp => Number::inexact(self.to_f64().apply(function, 0.0)),
            // A value that is not comparable stays in sight instead of vanishing.
            Function::Min => {
                if other < self || !other.is_finite() {
                    other
                } else {
                    self
                }
            }
            Function::Max => {
                if other > self || !other.is_finite() {
                    other
                } else {
                    self
                }
            }
        }
    }
}

fn power(base: Number, exponent: Number) -> Number {
    let whole = exponent.to_ratio().filter(|ratio| ratio.is_integer()).and_then(|ratio| i32::try_from(*ratio.numer()).ok());
    match whole {
        Some(whole) => base.powi(whole),
        None => {
            let float = base.to_f64().powf(exponent.to_f64());
            let half = Number::ONE / Number::from(2);
            if exponent == half { exact_or(float, |root| root * root == base) } else { Number::inexact(float) }
        }
    }
}

/// The whole number that a float comes to, where `holds` says so exactly; the float itself otherwise.
fn exact_or(float: f64, holds: impl Fn(Number) -> bool) -> Number {
    // Below 2^53 every whole number is a float of its own.
    if float.fract() == 0.0 && float.abs() < 9e15 {
        let whole = Number::from(float as i128);
        if holds(whole) {
            return whole;
        }
    }
    Number::inexact(float)
}

fn logarithm(value: Number, base: i32, float: f64) -> Number {
    exact_or(float.round(), |whole| Number::from(base).powi(whole.to_f64() as i32) == value && value.to_ratio().is_some())
        .to_ratio()
        .map_or_else(|| Number::inexact(float), Number::exact)
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    /// A place in [`Program::constants`].
    Constant(u16),
    Load(u16),
    Negate,
    Combine(Operator),
    Apply(Function),
}

/// A compiled formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Program {
    steps: Box<[Step]>,
    constants: Box<[Constant]>,
    height: usize,
}

/// The stack that an evaluation keeps without asking for memory; a taller one is rare.
const USUAL_HEIGHT: usize = 12;

impl Program {
    /// The value with these values of the names.
    pub(super) fn eval<N: Arithmetic>(&self, slots: &[N]) -> N {
        if self.height <= USUAL_HEIGHT {
            self.run(slots, &mut [N::ZERO; USUAL_HEIGHT])
        } else {
            self.run(slots, &mut vec![N::ZERO; self.height])
        }
    }

    /// The values by floats alone; `None` where one lies so near to a jump that a little off becomes much.
    pub(super) fn rough<const LANES: usize>(&self, slots: impl Fn(usize) -> [f64; LANES]) -> Option<[f64; LANES]> {
        if self.height > USUAL_HEIGHT {
            return None;
        }
        let Rough(values) = self.run_on(|slot| Rough(slots(slot)), &mut [Rough::ZERO; USUAL_HEIGHT]);
        (!values.iter().any(|value| value.is_nan())).then_some(values)
    }

    fn run<N: Arithmetic>(&self, slots: &[N], stack: &mut [N]) -> N {
        self.run_on(|slot| slots[slot], stack)
    }

    fn run_on<N: Arithmetic>(&self, slots: impl Fn(usize) -> N, stack: &mut [N]) -> N {
        let mut top = 0;
        for step in &self.steps {
            match *step {
                Step::Constant(at) => {
                    stack[top] = N::constant(&self.constants[usize::from(at)]);
                    top += 1;
                }
                Step::Load(slot) => {
                    stack[top] = slots(usize::from(slot));
                    top += 1;
                }
                Step::Negate => stack[top - 1] = stack[top - 1].negate(),
                Step::Combine(operator) => {
                    top -= 1;
                    stack[top - 1] = stack[top - 1].combine(operator, stack[top]);
                }
                Step::Apply(function) if function.takes_several() => {
                    top -= 1;
                    stack[top - 1] = stack[top - 1].apply(function, stack[top]);
                }
                Step::Apply(function) => stack[top - 1] = stack[top - 1].apply(function, stack[top - 1]),
            }
        }
        stack[0]
    }

    /// The names it reads.
    pub(super) fn slots(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().filter_map(|step| match step {
            Step::Load(slot) => Some(usize::from(*slot)),
            _ => None,
        })
    }
}

/// A program in the making.
#[derive(Default)]
pub(super) struct Code {
    steps: Vec<Step>,
    constants: Vec<Constant>,
    height: usize,
    highest: usize,
}

impl Code {
    fn push(&mut self, step: Step) {
        self.steps.push(step);
        self.height += 1;
        self.highest = self.highest.max(self.height);
    }

    pub(super) fn constant(&mut self, value: Number) {
        self.push(Step::Constant(u16::try_from(self.constants.len()).expect("a formula has fewer numbers than that")));
        self.constants.push(Constant { exact: value, float: value.to_f64() });
    }

    pub(super) fn load(&mut self, slot: usize) {
        self.push(Step::Load(u16::try_from(slot).expect("a drill has fewer names than that")));
    }

    pub(super) fn negate(&mut self) {
        self.steps.push(Step::Negate);
    }

    pub(super) fn binary(&mut self, operator: Operator) {
        self.steps.push(Step::Combine(operator));
        self.height = self.height.saturating_sub(1);
    }

    pub(super) fn call(&mut self, function: Function, arguments: usize) {
        if !function.takes_several() {
            self.steps.push(Step::Apply(function));
            return;
        }
        for _ in 1..arguments {
            self.steps.push(Step::Apply(function));
            self.height = self.height.saturating_sub(1);
        }
    }

    pub(super) fn finish(self) -> Program {
        Program { steps: self.steps.into_boxed_slice(), constants: self.constants.into_boxed_slice(), height: self.highest }
    }
}
