//! What the formula of an ask comes to when it is changed by one slip: a factor left out, a count off by one, one given in
//! the place of another. Worked out once a drill, when a value needs it first.

use std::sync::OnceLock;

use super::{Ask, Drill, Origin};
use crate::formula::{Change, Expr, ExprKind, Operator};
use crate::quantity::{Number, Quantity};
use crate::text::Span;

/// A changed formula's value.
#[derive(Clone, Debug)]
pub struct Altered {
    /// What was changed.
    pub change: Alteration,
    /// What comes out with the true givens.
    pub value: Quantity,
    /// The nearest float to that.
    pub float: f64,
}

/// One slip in a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alteration {
    /// A count too many or too few.
    OffByOne,
    /// A factor, a term or a function left out; how it is written.
    Dropped(String),
    /// Divided the other way round.
    Inverted,
    /// Added what is to be subtracted, or the reverse.
    Sign,
    /// A given in the place of another of its kind.
    Other {
        /// The name that belongs there.
        wanted: String,
        /// The one that was taken.
        used: String,
    },
}

/// The altered values of an ask, as soon as somebody has asked for them.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo(OnceLock<Vec<Altered>>);

impl Drill {
    /// Every value that the formula of an ask comes to when it differs by one slip. Where the ask is just a name, the
    /// formula that students work with is the name's own.
    pub fn altered<'a>(&'a self, ask: &'a Ask) -> &'a [Altered] {
        ask.altered.0.get_or_init(|| {
            let formula = ask.states.map_or(&ask.formula, |name| &self.names[name.0].formula);
            let changed = self.changed(formula.expr()).into_iter();
            let worked = changed.filter_map(|(change, expr)| {
                let value = self.evaluate(&expr, &self.reference)?;
                Some(Altered { change, value, float: value.value.to_f64() })
            });
            worked.collect()
        })
    }

    /// Every formula that differs by one slip.
    fn changed(&self, expr: &Expr) -> Vec<(Alteration, Expr)> {
        let mut changed = Vec::new();
        for (change, expr_changed) in expr.changes() {
            let alteration = match change {
                Change::Term(node) if expr.node(node).is_some_and(is_one) => Alteration::OffByOne,
                Change::Factor(node) | Change::Term(node) | Change::Function(node) => match expr.node(node) {
                    Some(dropped) if dropped.size() < expr.size() => Alteration::Dropped(dropped.to_string()),
                    _ => continue,
                },
                Change::Inverted(_) => Alteration::Inverted,
                Change::Sign(_) => Alteration::Sign,
            };
            changed.push((alteration, expr_changed));
        }
        for (node, wanted) in expr.names() {
            let Some(name) = self.names.iter().find(|name| name.name == wanted) else { continue };
            let dimension = name.formula.dimension();
            // Counts go wrong by one.
            if dimension.is_none() && name.origin == Origin::Given {
                for operator in [Operator::Subtract, Operator::Add] {
                    let one = written(ExprKind::Number { value: Number::ONE, written: "1".to_owned(), unit: None });
                    let beside = written(ExprKind::Binary(operator, Box::new(named(wanted)), Box::new(one)));
                    changed.push((Alteration::OffByOne, expr.replaced(node, &beside)));
                }
            }
            for other in &self.names {
                if other.origin == Origin::Given && other.name != wanted && other.formula.dimension() == dimension {
                    let alteration = Alteration::Other { wanted: wanted.to_owned(), used: other.name.clone() };
                    changed.push((alteration, expr.replaced(node, &named(&other.name))));
                }
            }
        }
        changed
    }
}

/// An expression that stands nowhere.
fn written(kind: ExprKind) -> Expr {
    Expr { kind, span: Span::default() }
}

fn named(name: &str) -> Expr {
    written(ExprKind::Name(name.to_owned()))
}

fn is_one(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Number { value, unit: None, .. } if *value == Number::ONE)
}
