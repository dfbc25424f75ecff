//! Many submissions: collected from where staff downloaded them, graded in parallel, kept in a run folder, read back.
//!
//! | file | what it knows |
//! |---|---|
//! | `tree` | a folder, a zip or a tar as one list of files, under limits; what is dangerous is refused by name |
//! | `collect` | whose files those are: plain, Canvas, Moodle, Gradescope, a table of responses, a stream of lines |
//! | `roster` | who is in the class, and which submission is whose |
//! | `run` | grading all of them so that it can be stopped at any moment and goes on where it was |
//! | `read` | a run read back, for everything that works with its results |
//! | `regrade` | what another rubric, drill or run would change |
//! | `review` | what waits for a person, the log of what people decided, and what follows from it |
//! | `stats` | what the class did, in numbers |
//! | `gradebook` | a run for the gradebooks of platforms, for autograders and for CI |
//! | `overview` | those numbers with their names and examples, as a page, as Markdown, for a terminal |
//!
//! Nothing that a student wrote ends a run: what cannot be read or graded is one row with its reason. What ends a run is
//! the operator's to change, and comes back as [`Trouble`].

mod collect;
pub mod gradebook;
pub mod name;
mod overview;
mod read;
mod regrade;
pub mod review;
mod roster;
mod run;
pub mod stats;
mod time;
mod tree;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub use collect::{Class, Layout, Rules, Submission};
pub use overview::Overview;
pub use read::{
    Candidate, Criterion, Evidence, Manifest, Quantity, Reading, ReviewItem, Row, Rows, Run, RunOptions, Score, SeparateTerms, Submitted,
    Tool, Totals, Version, Versions,
};
pub use regrade::{Changed, Item, Mark, Regrade, Through};
pub use roster::{Matches, Person, Roster};
pub use run::{Applied, Feedback, Options, Progress, Summary, apply, grade};
pub use time::{Moment, now};
pub use tree::Limits;

/// Why a class cannot be collected, graded or read back: something that the operator has to change.
#[derive(Debug)]
pub enum Trouble {
    /// A file or a folder cannot be read or written.
    Io {
        /// Which one.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It can be read, and is not what was expected.
    Unfit {
        /// Which one.
        path: PathBuf,
        /// What is the matter: a phrase that goes on after the name and a colon.
        what: String,
    },
}

impl Trouble {
    fn io(path: &Path, error: io::Error) -> Trouble {
        Trouble::Io { path: path.to_owned(), error }
    }

    fn unfit(path: &Path, what: impl Into<String>) -> Trouble {
        Trouble::Unfit { path: path.to_owned(), what: what.into() }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Trouble::Unfit { path, what } => write!(f, "{}: {what}", path.display()),
        }
    }
}

impl std::error::Error for Trouble {}
