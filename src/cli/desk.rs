//! Grading on demand: which drill an answer is for, and its grade. What `grade` and `check` share.

use std::sync::OnceLock;

use drillmark::drill::{Drill, Finder, Library, Seed};
use drillmark::grade::{self, Grade, Grader};
use drillmark::lint;
use drillmark::report::Graded;

use super::handed::Handed;
use super::{Shell, Trouble, shell, variant};

/// The drills that answers may be for. None is loaded before an answer needs it.
pub(crate) struct Desk {
    library: Library,
    ids: Vec<String>,
    /// By id.
    loaded: Vec<OnceLock<Drill>>,
    /// The drill that was named for all answers.
    named: Option<usize>,
    /// Finds the drill of an answer where none was named.
    finder: OnceLock<Finder>,
    /// Which variant the answers are to, where the drill has variants.
    seed: Option<Seed>,
}

impl Desk {
    /// Opens the library; a drill that is named is loaded at once, so that what is wrong with it is told first.
    pub(crate) fn new(shell: &Shell, named: Option<String>, variant: &variant::Args) -> Result<Desk, Trouble> {
        let library = shell.library()?;
        let seed = variant.seed(shell)?;
        let ids: Vec<String> = library.ids().map(str::to_owned).collect();
        let loaded: Vec<OnceLock<Drill>> = ids.iter().map(|_| OnceLock::new()).collect();
        let named = match named {
            Some(id) => {
                let drill = match seed {
                    Some(_) => variant.of(shell::load(&library, &id)?, shell)?,
                    None => shell::load_to_grade(&library, &id)?,
                };
                let place = ids.iter().position(|known| *known == id).expect("a drill that was loaded is in the library");
                Some(loaded[place].get_or_init(|| drill)).map(|_| place)
            }
            None => None,
        };
        Ok(Desk { library, ids, loaded, named, finder: OnceLock::new(), seed })
    }

    /// A drill of the library, loaded when it is needed first.
    fn drill(&self, at: usize) -> Result<&Drill, Trouble> {
        if let Some(drill) = self.loaded[at].get() {
            return Ok(drill);
        }
        let fresh = match &self.seed {
            Some(seed) => lint::variant(&shell::load(&self.library, &self.ids[at])?, seed),
            None => shell::load_to_grade(&self.library, &self.ids[at])?,
        };
        Ok(self.loaded[at].get_or_init(|| fresh))
    }
}

/// A desk at work, for any number of hands: each drill is compiled once for all its answers.
pub(crate) struct Marker<'a> {
    desk: &'a Desk,
    graders: Vec<OnceLock<Grader<'a>>>,
    explain: bool,
}

/// An answer with its grade.
pub(crate) struct Marked<'a> {
    pub(crate) handed: Handed,
    pub(crate) drill: &'a Drill,
    pub(crate) grade: Grade,
}

impl<'a> Marker<'a> {
    /// Sits down; `explain` when the grades have to say what every number was taken for.
    pub(crate) fn new(desk: &'a Desk, explain: bool) -> Marker<'a> {
        Marker { desk, graders: desk.ids.iter().map(|_| OnceLock::new()).collect(), explain }
    }

    /// Grades an answer by the drill that it is for; where that is not clear, says which drills it may be for.
    pub(crate) fn mark(&self, handed: Handed) -> Result<Marked<'a>, String> {
        let desk = self.desk;
        let finder = || desk.finder.get_or_init(|| desk.library.finder());
        let candidates = match desk.named {
            Some(at) => vec![at],
            None => finder().candidates(&handed.answer),
        };
        let mut graders: Vec<&Grader<'a>> = Vec::with_capacity(candidates.len());
        for &at in &candidates {
            let drill = desk.drill(at).map_err(|trouble| format!("{}: {trouble}", handed.file))?;
            graders.push(self.graders[at].get_or_init(|| Grader::new(drill).without_choices().explaining(self.explain)));
        }
        match grade::best(&graders, &handed.answer) {
            Some((drill, _)) if desk.seed.is_some() && !drill.varies() => Err(format!("{}: {}", handed.file, variant::none(drill))),
            Some((drill, grade)) => Ok(Marked { handed, drill, grade }),
            None => {
                let likely: Vec<String> = finder().likely(&candidates).iter().map(|at| format!("`{}`", desk.ids[*at])).collect();
                let which = match likely.is_empty() {
                    true => "`drillmark list` shows them".to_owned(),
                    false => format!("perhaps {}", likely.join(" or ")),
                };
                Err(format!("{}: which drill is this an answer to? Name it with `--drill`: {which}", handed.file))
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
