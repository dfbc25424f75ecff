//! Drills and rubrics: validated, solved, and ready to grade with.
//!
//! `file` holds the TOML shapes and nothing else. Whoever holds a [`Drill`] holds one that is already checked and solved.

mod library;

pub use library::Library;

use crate::quantity::Number;

/// An exercise with its givens, its asked quantities, and the ways to get them right and wrong.
#[derive(Clone, Debug)]
pub struct Drill {
    /// The stable name, as `--drill` takes it.
    pub id: String,
    /// What people call it.
    pub title: String,
}

/// A value worked out by the reference solver, in SI base units.
pub type Solved = Number;
