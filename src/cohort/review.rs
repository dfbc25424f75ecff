//! People's decisions: what waits for them, what they decided, what follows from it.
//!
//! | file | what it knows |
//! |---|---|
//! | `marking` | what a person needs of the drills and rubrics of a run, kept beside it |
//! | `log` | the append-only, chained log of decisions |
//! | `rulings` | which of the decisions in a log are in force, and to what they apply |
//! | `overlay` | grades with the decisions applied |
//!
//! A decision is about a text and a criterion, not about a row: it holds for every answer in which the same words stand
//! under the same part, as long as neither the words nor what the criterion says change, and no rule overrides it.

mod log;
mod marking;
mod overlay;
mod rulings;

pub use log::{Act, Decision, Entry, Flaw, Kind, Log, Verified};
pub use marking::{AskSheet, CriterionSheet, Marked, Marking};
pub use overlay::Overlay;
pub use rulings::{About, Reopened, Ruling, Rulings};

pub(crate) use log::LOG;
pub(crate) use marking::MARKING;
