//! Grading on demand: which drill an answer is for, and its grade. What `grade` and `check` share.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use drillmark::drill::{Drill, Library};
use drillmark::grade::{self, Grade, Grader};
use drillmark::report::Graded;

use super::handed::Handed;
use super::{Shell, Trouble, shell};

/// The drills that answers may be for. None is loaded before an answer needs it.
pub(crate) struct Desk {
    library: Library,
    /// The drill that was named for all answers.
    named: Option<String>,
    loaded: BTreeMap<String, OnceCell<Drill>>,
}

impl Desk {
    /// Opens the library; a drill that is named is loaded at once, so that what is wrong with it is told first.
    pub(crate) fn new(shell: &Shell, named: Option<String>) -> Result<Desk, Trouble> {
        let library = shell.library()?;
        let mut loaded: BTreeMap<String, OnceCell<Drill>> = library.ids().map(|id| (id.to_owned(), OnceCell::new())).collect();
        if let Some(id) = &named {
            loaded.insert(id.clone(), OnceCell::from(shell::load(&library, id)?));
        }
        Ok(Desk { library, named, loaded })
    }

    /// A drill of the library, loaded when it is needed first.
    fn drill(&self, id: &str) -> Result<&Drill, Trouble> {
        let drill = &self.loaded[id];
        if let Some(drill) = drill.get() {
            return Ok(drill);
        }
        let fresh = shell::load(&self.library, id)?;
        Ok(drill.get_or_init(|| fresh))
    }
}

/// A desk at work: each drill is compiled once for all its answers.
pub(crate) struct Marker<'a> {
    desk: &'a Desk,
    graders: BTreeMap<&'a str, Grader<'a>>,
}

/// An answer with its grade.
pub(crate) struct Marked<'a> {
    pub(crate) handed: Handed,
    pub(crate) drill: &'a Drill,
    pub(crate) grade: Grade,
}

impl<'a> Marker<'a> {
    /// Sits down.
    pub(crate) fn new(desk: &'a Desk) -> Marker<'a> {
        Marker { desk, graders: BTreeMap::new() }
    }

    /// Grades an answer by the drill that it is for; where that is not clear, says which drills it may be for.
    pub(crate) fn mark(&mut self, handed: Handed) -> Result<Marked<'a>, String> {
        let desk = self.desk;
        let candidates = match &desk.named {
            Some(id) => vec![id.as_str()],
            None => desk.library.candidates(&handed.answer),
        };
        for id in &candidates {
            let drill = desk.drill(id).map_err(|trouble| format!("{}: {trouble}", handed.file))?;
            self.graders.entry(&drill.id).or_insert_with(|| Grader::new(drill));
        }
        let graders: Vec<&Grader<'a>> = candidates.iter().map(|id| &self.graders[id]).collect();
        match grade::best(&graders, &handed.answer) {
            Some((drill, grade)) => Ok(Marked { handed, drill, grade }),
            None => {
                let ids = candidates.join(", ");
                Err(format!("{}: which drill is this an answer to? Name it with `--drill`: {ids}", handed.file))
            }
        }
    }
}

impl Marked<'_> {
    /// What the layouts take.
    pub(crate) fn graded(&self) -> Graded<'_> {
        Graded { submission: self.handed.submission(), answer: &self.handed.answer, drill: self.drill, grade: &self.grade }
    }
}
