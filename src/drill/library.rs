//! Where drills and rubrics come from: those that are built in, or a folder. Nothing is parsed before it is asked for.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Drill, Model};
use crate::diagnostic::{self, Diagnostic};
use crate::text::Source;

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// What the name of a model answer ends with, before its extension.
const ANSWER: &str = ".answer";

/// Why a drill of a library cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unloadable {
    /// There is none of that name.
    Unknown {
        /// The one that was probably meant.
        near: Option<String>,
    },
    /// Nothing says what its answers are worth.
    NoRubric,
    /// Its author has something to repair.
    Broken(Vec<Diagnostic>),
}

/// A file or folder of a library that cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    /// Which one.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

/// Drills and rubrics by id. The id of a drill is the name of its file; its rubric has the same name.
#[derive(Clone, Debug, Default)]
pub struct Library {
    drills: BTreeMap<String, File>,
    rubrics: BTreeMap<String, File>,
    answers: BTreeMap<String, File>,
}

/// A file that nobody has looked into yet.
#[derive(Clone, Debug)]
struct File {
    name: String,
    text: Cow<'static, str>,
    /// Of a drill that is built in, what tells it from others.
    head: Option<&'static str>,
    /// Of a rubric that is built in, what grading needs of it; empty where that is all of it.
    short: &'static str,
}

impl File {
    fn source(&self) -> Source {
        Source::new(self.name.as_str(), self.text.as_ref())
    }
}

impl Library {
    /// The drills that are compiled into the program.
    pub fn built_in() -> Library {
        let mut library = Library::default();
        let file = |(name, text): &(&'static str, &'static str), head, short| {
            let stem = stem(Path::new(name));
            let id = stem.strip_suffix(ANSWER).unwrap_or(&stem).to_owned();
            (id, File { name: (*name).to_owned(), text: Cow::Borrowed(*text), head, short })
        };
        library.drills.extend(DRILLS.iter().zip(HEADS).map(|(drill, head)| file(drill, Some(*head), "")));
        library.rubrics.extend(RUBRICS.iter().zip(SHORT).map(|(rubric, short)| file(rubric, None, short)));
        library.answers.extend(ANSWERS.iter().map(|answer| file(answer, None, "")));
        library
    }

    /// The drills of a folder: `drills/*.toml` and `rubrics/*.toml` in it, or, where it has no such folders, `NAME.toml`
    /// and `NAME.rubric.toml` side by side. A model answer is `NAME.answer.md` beside its drill.
    pub fn open(folder: &Path) -> Result<Library, Unreadable> {
        let mut library = Library::default();
        let drills = folder.join("drills");
        if drills.is_dir() {
            for path in files(&drills, "toml")? {
                library.drills.insert(stem(&path), read(&path)?);
            }
            library.read_answers(&drills)?;
            let rubrics = folder.join("rubrics");
            if rubrics.is_dir() {
                for path in files(&rubrics, "toml")? {
                    library.rubrics.insert(stem(&path), read(&path)?);
                }
            }
        } else {
            library.read_answers(folder)?;
            for path in files(folder, "toml")? {
                let name = stem(&path);
                match name.strip_suffix(".rubric") {
                    Some(name) => library.rubrics.insert(name.to_owned(), read(&path)?),
                    None => library.drills.insert(name, read(&path)?),
                };
            }
        }
        Ok(library)
    }

    fn read_answers(&mut self, folder: &Path) -> Result<(), Unreadable> {
        for path in files(folder, "md")? {
            if let Some(id) = stem(&path).strip_suffix(ANSWER) {
                self.answers.insert(id.to_owned(), read(&path)?);
            }
        }
        Ok(())
    }

    /// The ids of the drills, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.drills.keys().map(String::as_str)
    }

    /// The ids of the rubrics, in order; there may be one without its drill.
    pub fn rubric_ids(&self) -> impl Iterator<Item = &str> {
        self.rubrics.keys().map(String::as_str)
    }

    /// The text of a rubric, whether there is a drill of its name or not.
    pub fn rubric(&self, id: &str) -> Option<Source> {
        self.rubrics.get(id).map(File::source)
    }

    /// The drill with its rubric, read, checked and solved.
    pub fn load(&self, id: &str) -> Result<Drill, Unloadable> {
        let Some((drill, rubric)) = self.sources(id) else {
            return Err(Unloadable::Unknown { near: diagnostic::nearest(id, self.ids()).map(str::to_owned) });
        };
        Drill::load(&drill, &rubric.ok_or(Unloadable::NoRubric)?).map_err(Unloadable::Broken)
    }

    /// The same for grading alone: a rubric that is built in comes without the samples of its criteria, which nothing but
    /// looking at the rubric itself has a use for, and which take longer to read than an answer to grade. And the drill knows
    /// its own model answer again: whoever hands that in argues nothing.
    pub fn load_to_grade(&self, id: &str) -> Result<Drill, Unloadable> {
        if let (Some(drill), Some(rubric)) = (self.drills.get(id), self.rubrics.get(id))
            && !rubric.short.is_empty()
            && let Ok(loaded) = Drill::load_short(&drill.source(), &rubric.source(), &Source::new(rubric.name.as_str(), rubric.short))
        {
            return Ok(self.with_answer(id, loaded));
        }
        // Where something is wrong, its places are those of the whole file.
        self.load(id).map(|loaded| self.with_answer(id, loaded))
    }

    /// A drill that knows its model answer again where somebody hands it in.
    fn with_answer(&self, id: &str, mut drill: Drill) -> Drill {
        if let Some(answer) = self.answers.get(id) {
            drill.rubric.concepts.given_mut().answers.add(&Model::words(&answer.text));
        }
        drill
    }

    /// The model answer of a drill with its open places, where it has one; [`Model`](super::Model) fills them.
    pub fn answer(&self, id: &str) -> Option<Source> {
        self.answers.get(id).map(File::source)
    }

    /// What tells a drill from others, as the drill's file says it: that alone, or the whole file.
    pub(super) fn head(&self, id: &str) -> Option<&str> {
        let file = self.drills.get(id)?;
        Some(file.head.unwrap_or(&file.text))
    }

    /// The text of a drill and of its rubric, where it has one.
    pub fn sources(&self, id: &str) -> Option<(Source, Option<Source>)> {
        Some((self.drills.get(id)?.source(), self.rubrics.get(id).map(File::source)))
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn read(path: &Path) -> Result<File, Unreadable> {
    let text = fs::read_to_string(path).map_err(|error| Unreadable { path: path.to_owned(), error })?;
    // The editors that put a mark before the first byte do not show it.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    Ok(File { name: path.display().to_string(), text: Cow::Owned(text), head: None, short: "" })
}

/// The files of a folder with an ending, by name.
fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, Unreadable> {
    let unreadable = |error| Unreadable { path: folder.to_owned(), error };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == ending) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
