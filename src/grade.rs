//! Grades an answer: aligns its mentions with the asks, judges them, carries errors forward, names slips, weighs the
//! arguments, and adds the points up. Decides, never speaks; it cannot fail, whatever the answer holds.

pub mod argue;
#[expect(dead_code, reason = "alignment and the judge are being built on it")]
mod claim;
mod finding;

pub use finding::{
    Basis, Clue, CriterionFinding, DecidedBy, Found, General, Grade, Mistake, Note, Outcome, Points, QuantityFinding, Read, ReviewItem,
    ReviewKind, ReviewWhy, SeparateFinding, Term, Use, UseFinding, Verdict,
};
