//! Grading on demand: which drill an answer is for, and its grade. What `grade` and `check` share.

use drillmark::drill::{self, Drill};
use drillmark::grade::{self, Grade};
use drillmark::report::Graded;

use super::handed::Handed;
use super::{Shell, Trouble};

/// The drills that answers may be for.
pub(crate) struct Desk {
    drills: Vec<Drill>,
}

/// An answer with its grade.
pub(crate) struct Marked<'a> {
    pub(crate) drill: &'a Drill,
    pub(crate) handed: Handed,
    pub(crate) grade: Grade,
}

impl Desk {
    /// Loads the drill that is named, or all of the library.
    pub(crate) fn new(shell: &Shell, drill: Option<&str>) -> Result<Desk, Trouble> {
        let drills = match drill {
            Some(id) => vec![shell.drill(id)?],
            None => shell.library()?.ids().map(|id| shell.drill(id)).collect::<Result<_, _>>()?,
        };
        Ok(Desk { drills })
    }

    /// Grades an answer by the drill that it is for; where that is not clear, says which drills it may be for.
    pub(crate) fn mark(&self, handed: Handed) -> Result<Marked<'_>, String> {
        let drill = drill::find(&self.drills, &handed.answer).map_err(|candidates| {
            let ids: Vec<&str> = candidates.iter().map(|drill| drill.id.as_str()).collect();
            format!("{}: which drill is this an answer to? Name it with `--drill`: {}", handed.file, ids.join(", "))
        })?;
        let grade = grade::grade(drill, &handed.answer);
        Ok(Marked { drill, handed, grade })
    }
}

impl Marked<'_> {
    /// What the layouts take.
    pub(crate) fn graded(&self) -> Graded<'_> {
        Graded { submission: self.handed.submission(), answer: &self.handed.answer, drill: self.drill, grade: &self.grade }
    }
}
