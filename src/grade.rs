//! Grades an answer: aligns its mentions with the asks, judges them, carries errors forward, names slips, weighs the
//! arguments, and adds the points up. Decides, never speaks; it cannot fail, whatever the answer holds.

pub mod argue;
mod carry;
#[expect(dead_code, reason = "alignment will make the claims")]
mod claim;
mod finding;
#[expect(dead_code, reason = "alignment will call it")]
mod judge;
mod slip;
mod standing;

pub use finding::{
    Basis, Clue, CriterionFinding, DecidedBy, Found, General, Grade, Mistake, Note, Outcome, Points, QuantityFinding, Read, ReviewItem,
    ReviewKind, ReviewWhy, SeparateFinding, Term, Use, UseFinding, Verdict,
};
