//! What the work shown says about numbers that nothing names: `2480 × 1.24 ms + 201.5 ms = 3.28 s` states a count, and
//! `1.24 + 201.5 = 202.7 ms` two terms.

use crate::drill::{AskKind, Drill};
use crate::formula::{Expr, ExprKind, Operator};
use crate::quantity::Number;

/// What an ask's formula says about the values that others state.
#[derive(Debug)]
pub(super) struct Anatomy {
    /// By ask: the asks whose values are operands of its formula, in the order in which it writes them.
    operands: Vec<Vec<usize>>,
    /// By ask: the two asks it is the quotient of, where it is one of stated values.
    quotient: Vec<Option<(usize, usize)>>,
    /// By ask: the ask of whose value it is a share, where it divides one by anything.
    over: Vec<Option<usize>>,
    /// By ask: the terms of its formula, where it is a sum of stated values.
    terms: Vec<Vec<usize>>,
    /// By ask: the asks whose values the drill multiplies its value by somewhere, where it counts something.
    pieces: Vec<Vec<usize>>,
}

impl Anatomy {
    /// Takes the formulas of a drill's asks apart.
    pub(super) fn of(drill: &Drill) -> Anatomy {
        let stated: Vec<Expr> = drill.asks.iter().map(|ask| ask.formula.expr().clone()).collect();
        let expanded: Vec<Expr> = drill
            .asks
            .iter()
            .map(|ask| match ask.states {
                Some(name) => drill.names[name.0].formula.expr().clone(),
                None => ask.formula.expr().clone(),
            })
            .collect();
        // Where several asks state one value (a part that asks for it again), the first of them is meant.
        let ask_of = |expr: &Expr| stated.iter().position(|other| same(other, expr));
        let mut anatomy = Anatomy { operands: Vec::new(), quotient: Vec::new(), over: Vec::new(), terms: Vec::new(), pieces: Vec::new() };
        for (at, expr) in expanded.iter().enumerate() {
            let mut operands = Vec::new();
            collect(expr, true, &mut |inner| match ask_of(inner) {
                Some(ask) if ask != at => {
                    operands.push(ask);
                    true
                }
                _ => false,
            });
            anatomy.quotient.push(match &expr.kind {
                ExprKind::Binary(Operator::Divide, over, under) => ask_of(over).zip(ask_of(under)),
                _ => None,
            });
            anatomy.over.push(match &expr.kind {
                ExprKind::Binary(Operator::Divide, over, _) => ask_of(over),
                _ => None,
            });
            let terms: Option<Vec<usize>> = summands(expr).into_iter().map(ask_of).collect();
            anatomy.terms.push(terms.filter(|terms| terms.len() > 1).unwrap_or_default());
            anatomy.operands.push(operands);
        }
        let products: Vec<(&Expr, &Expr)> = expanded.iter().flat_map(products).collect();
        for (ask, own) in drill.asks.iter().zip(&stated) {
            let counts = matches!(ask.kind, AskKind::Count);
            let by = products.iter().filter(|(count, _)| counts && same(count, own));
            anatomy.pieces.push(by.filter_map(|(_, piece)| ask_of(piece)).collect());
        }
        anatomy
    }

    /// Whether an ask counts pieces of which each has the value that another one states: buckets, each with its latency.
    pub(super) fn counts(&self, ask: usize, piece: usize) -> bool {
        self.pieces[ask].contains(&piece)
    }

    /// The asks whose values an ask's formula is worked out from at once.
    pub(super) fn operands(&self, ask: usize) -> &[usize] {
        &self.operands[ask]
    }

    /// Whether the formula of an ask uses the value that another one states.
    pub(super) fn uses(&self, ask: usize, operand: usize) -> bool {
        self.operands[ask].contains(&operand)
    }

    /// The two asks that an ask is the quotient of.
    pub(super) fn quotient(&self, ask: usize) -> Option<(usize, usize)> {
        self.quotient[ask]
    }

    /// The ask whose value an ask divides by anything: the total, of which it says what share of a step it is.
    pub(super) fn divides(&self, ask: usize) -> Option<usize> {
        self.over[ask]
    }

    /// The asks whose values an ask's formula adds up, in its order.
    pub(super) fn terms(&self, ask: usize) -> &[usize] {
        &self.terms[ask]
    }
}

/// Visits the operands of an expression from left to right; `visit` says whether it took one whole.
fn collect(expr: &Expr, whole: bool, visit: &mut dyn FnMut(&Expr) -> bool) {
    if !whole && visit(expr) {
        return;
    }
    match &expr.kind {
        ExprKind::Number { .. } | ExprKind::Name(_) => {}
        ExprKind::Negate(inner) => collect(inner, false, visit),
        ExprKind::Binary(_, left, right) => {
            collect(left, false, visit);
            collect(right, false, visit);
        }
        ExprKind::Call(_, inner) => inner.iter().for_each(|inner| collect(inner, false, visit)),
    }
}

/// The products inside an expression, each factor with the other.
fn products(expr: &Expr) -> Vec<(&Expr, &Expr)> {
    match &expr.kind {
        ExprKind::Number { .. } | ExprKind::Name(_) => Vec::new(),
        ExprKind::Negate(inner) => products(inner),
        ExprKind::Binary(operator, left, right) => {
            let own = [(&**left, &**right), (&**right, &**left)].into_iter().filter(|_| *operator == Operator::Multiply);
            own.chain(products(left)).chain(products(right)).collect()
        }
        ExprKind::Call(_, inner) => inner.iter().flat_map(products).collect(),
    }
}

/// The terms of a sum, or the whole where it is none.
pub(super) fn summands(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Binary(Operator::Add, left, right) => {
            let mut terms = summands(left);
            terms.extend(summands(right));
            terms
        }
        _ => vec![expr],
    }
}

/// Whether two expressions are written alike, spaces and places aside.
pub(super) fn same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Number { value: a, unit: ua, .. }, ExprKind::Number { value: b, unit: ub, .. }) => a == b && ua == ub,
        (ExprKind::Name(a), ExprKind::Name(b)) => a == b,
        (ExprKind::Negate(a), ExprKind::Negate(b)) => same(a, b),
        (ExprKind::Binary(of, a1, a2), ExprKind::Binary(other, b1, b2)) => of == other && same(a1, b1) && same(a2, b2),
        (ExprKind::Call(of, a), ExprKind::Call(other, b)) => of == other && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        _ => false,
    }
}

/// The plain numbers that a sum adds up, where it is nothing but that.
pub(super) fn plain_terms(expr: &Expr) -> Option<Vec<Number>> {
    let terms = summands(expr);
    let plain: Option<Vec<Number>> = terms
        .iter()
        .map(|term| match &term.kind {
            ExprKind::Number { value, .. } => Some(*value),
            _ => None,
        })
        .collect();
    plain.filter(|terms| terms.len() > 1)
}
