//! People's decisions: what waits for them, what they decided, what follows from it.
//!
//! | file | what it knows |
//! |---|---|
//! | `marking` | what a person needs of the drills and rubrics of a run, kept beside it |
//! | `log` | the append-only, chained log of decisions |
//! | `rulings` | which of the decisions in a log are in force, and to what they apply |
//! | `overlay` | grades with the decisions applied |
//! | `cases` | what waits for a person, each text once |
//! | `similar` | how much two texts have in common |
//! | `desk` | the case on the desk, what was decided, what is left |
//! | `sheet` | decisions through a spreadsheet |
//! | `audit` | what the rules decided, for a second opinion |
//! | `agreement` | how far people agree with each other and with the rules |
//!
//! A decision is about a text and a criterion, not about a row: it holds for every answer in which the same words stand
//! under the same part, as long as neither the words nor what the criterion says change, and no rule overrides it.

mod agreement;
mod audit;
mod cases;
mod desk;
mod log;
mod marking;
mod overlay;
mod rulings;
mod sheet;
mod similar;

pub use crate::cohort::read::{Candidate, Then};
pub use agreement::{Agreement, Disagreement, Pairing, agreement};
pub use audit::{contested, second};
pub use cases::{Case, Member, open, pending};
pub use desk::{Choice, Desk, Mode, Neighbor, Progress};
pub use log::{Act, Decision, Entry, Flaw, Kind, Log, Verified};
pub use marking::{AskSheet, CriterionSheet, Marked, Marking};
pub use overlay::Overlay;
pub use rulings::{About, Reopened, Ruling, Rulings};
pub use sheet::{Imported, export, import};

pub(crate) use log::LOG;
pub(crate) use marking::MARKING;

#[cfg(test)]
mod bench;
#[cfg(test)]
mod tests;
