//! Walking and changing expressions: the ground on which slips and mutations are made.

use super::{Expr, ExprKind, Operator};
use crate::text::Span;

/// A place in an expression: 0 is the whole, then its operands from left to right, each before its own operands. The
/// numbers stay the same as long as the expression does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub usize);

/// A factor of a product or a term of a sum.
#[derive(Clone, Copy, Debug)]
pub struct Member<'e> {
    /// Its place in the whole expression.
    pub node: NodeId,
    /// What it is.
    pub expr: &'e Expr,
    /// Whether it is divided by, or subtracted.
    pub inverse: bool,
}

/// A way in which an expression was changed, with the place of the change in the original.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A factor is left out, or a divisor.
    Factor(NodeId),
    /// A term is left out; of `P − 1` either.
    Term(NodeId),
    /// A fraction is turned over.
    Inverted(NodeId),
    /// A sum is taken for a difference, or the other way round.
    Sign(NodeId),
    /// A function is left out.
    Function(NodeId),
}

impl Expr {
    /// Every place with what stands there, the whole first.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Expr)> {
        let mut open = vec![self];
        let mut next = 0;
        std::iter::from_fn(move || {
            let expr = open.pop()?;
            open.extend(expr.operands().rev());
            next += 1;
            Some((NodeId(next - 1), expr))
        })
    }

    /// What stands at a place.
    pub fn node(&self, node: NodeId) -> Option<&Expr> {
        self.nodes().nth(node.0).map(|(_, expr)| expr)
    }

    /// The number of places.
    pub fn size(&self) -> usize {
        self.nodes().count()
    }

    /// The name, where it is one.
    pub fn own_name(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Every name it holds, with its place; units used as quantities among them.
    pub fn names(&self) -> impl Iterator<Item = (NodeId, &str)> {
        self.nodes().filter_map(|(node, expr)| Some((node, expr.own_name()?)))
    }

    /// The same with something else at a place.
    #[must_use]
    pub fn replaced(&self, node: NodeId, with: &Expr) -> Expr {
        self.map(node, &mut |_| with.clone())
    }

    /// The same with every name that `with` knows replaced by an expression.
    #[must_use]
    pub fn substituted(&self, with: &dyn Fn(&str) -> Option<Expr>) -> Expr {
        let kind = match &self.kind {
            ExprKind::Name(name) => return with(name).unwrap_or_else(|| self.clone()),
            ExprKind::Number { .. } => return self.clone(),
            ExprKind::Negate(inner) => ExprKind::Negate(Box::new(inner.substituted(with))),
            ExprKind::Binary(operator, left, right) => {
                ExprKind::Binary(*operator, Box::new(left.substituted(with)), Box::new(right.substituted(with)))
            }
            ExprKind::Call(function, arguments) => {
                ExprKind::Call(*function, arguments.iter().map(|argument| argument.substituted(with)).collect())
            }
        };
        Expr { kind, span: self.span }
    }

    /// The factors of the product that stands at a place, from left to right; alone, the thing itself.
    pub fn factors(&self, node: NodeId) -> Vec<Member<'_>> {
        self.members(node, Operator::Multiply, Operator::Divide)
    }

    /// The terms of the sum that stands at a place, from left to right; alone, the thing itself.
    pub fn terms(&self, node: NodeId) -> Vec<Member<'_>> {
        self.members(node, Operator::Add, Operator::Subtract)
    }

    fn members(&self, node: NodeId, direct: Operator, inverse: Operator) -> Vec<Member<'_>> {
        let mut members = Vec::new();
        if let Some(expr) = self.node(node) {
            gather(expr, node.0, false, (direct, inverse), &mut members);
        }
        members
    }

    /// Every expression that differs by one typical slip: a factor or a term left out, a fraction turned over, a sign, a
    /// function forgotten. Another name in place of one is [`replaced`](Expr::replaced).
    pub fn changes(&self) -> Vec<(Change, Expr)> {
        let mut changes = Vec::new();
        for (node, expr) in self.nodes() {
            match &expr.kind {
                ExprKind::Binary(operator, left, right) => {
                    let (first, second) = (NodeId(node.0 + 1), NodeId(node.0 + 1 + left.size()));
                    match operator {
                        Operator::Multiply => {
                            changes.push((Change::Factor(first), self.replaced(node, right)));
                            changes.push((Change::Factor(second), self.replaced(node, left)));
                        }
                        Operator::Divide => {
                            // What is left of `a/b` without its `a` is `1/b`; only a product can lose its numerator.
                            changes.push((Change::Factor(second), self.replaced(node, left)));
                            let inverted = Expr::binary(Operator::Divide, (**right).clone(), (**left).clone());
                            changes.push((Change::Inverted(node), self.replaced(node, &inverted)));
                        }
                        Operator::Add | Operator::Subtract => {
                            let other = if *operator == Operator::Add { Operator::Subtract } else { Operator::Add };
                            changes.push((Change::Term(first), self.replaced(node, right)));
                            changes.push((Change::Term(second), self.replaced(node, left)));
                            changes
                                .push((Change::Sign(node), self.replaced(node, &Expr::binary(other, (**left).clone(), (**right).clone()))));
                        }
                        Operator::Power => changes.push((Change::Function(node), self.replaced(node, left))),
                    }
                }
                ExprKind::Negate(inner) => changes.push((Change::Sign(node), self.replaced(node, inner))),
                ExprKind::Call(_, arguments) => {
                    changes.extend(arguments.iter().map(|argument| (Change::Function(node), self.replaced(node, argument))));
                }
                ExprKind::Number { .. } | ExprKind::Name(_) => {}
            }
        }
        changes
    }

    fn map(&self, node: NodeId, change: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
        let mut left = node.0;
        self.map_at(&mut left, change).unwrap_or_else(|| self.clone())
    }

    /// Changes the place that is `left` places further on; `None` when it is not in here.
    fn map_at(&self, left: &mut usize, change: &mut dyn FnMut(&Expr) -> Expr) -> Option<Expr> {
        if *left == 0 {
            return Some(change(self));
        }
        *left -= 1;
        let kind = match &self.kind {
            ExprKind::Number { .. } | ExprKind::Name(_) => return None,
            ExprKind::Negate(inner) => ExprKind::Negate(Box::new(inner.map_at(left, change)?)),
            ExprKind::Binary(operator, a, b) => match a.map_at(left, change) {
                Some(a) => ExprKind::Binary(*operator, Box::new(a), b.clone()),
                None => ExprKind::Binary(*operator, a.clone(), Box::new(b.map_at(left, change)?)),
            },
            ExprKind::Call(function, arguments) => {
                let (at, changed) = arguments.iter().enumerate().find_map(|(at, argument)| Some((at, argument.map_at(left, change)?)))?;
                let mut arguments = arguments.clone();
                arguments[at] = changed;
                ExprKind::Call(*function, arguments)
            }
        };
        Some(Expr { kind, span: Span::default() })
    }
}

fn gather<'e>(expr: &'e Expr, node: usize, inverse: bool, chain: (Operator, Operator), into: &mut Vec<Member<'e>>) {
    match &expr.kind {
        ExprKind::Binary(operator, left, right) if *operator == chain.0 || *operator == chain.1 => {
            gather(left, node + 1, inverse, chain, into);
            gather(right, node + 1 + left.size(), inverse != (*operator == chain.1), chain, into);
        }
        _ => into.push(Member { node: NodeId(node), expr, inverse }),
    }
}
