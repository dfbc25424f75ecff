//! A course's own tests: answers with what a careful person says of them, and the feedback that was accepted for them.
//!
//! A folder a drill. `<case>.<ext>` is an answer as a student hands it in; `<case>.expect.toml` beside it holds the
//! declared verdicts, written by hand and never by a program ([`Expect`]); `<case>.snap` is the whole feedback for staff
//! as somebody accepted it ([`snapshot`]). The two guard against different things: a change that gives one point too many
//! fails even when every snapshot is accepted blindly, and a sentence that changes is seen even when no verdict does.
//!
//! `drillmark test` and this project's own tests compare through here, so that there is one idea of what "as declared"
//! means.

mod expect;
mod open;
pub mod snapshot;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::answer::{Answer, Kind};
use crate::drill::Drill;
use crate::grade;
use crate::report::{self, Graded, Layout, Reader, Submission};

pub use expect::{Declared, Difference, Expect, Want};
pub use open::Open;

/// The ending of the files with declared verdicts.
pub const EXPECT: &str = ".expect.toml";
/// The ending of the files with accepted feedback.
pub const SNAPSHOT: &str = ".snap";
/// The ending under which insta leaves feedback that nobody has looked at.
const PENDING: &str = ".snap.new";
/// A larger file is no answer to a drill.
const LARGEST: usize = 10_000_000;

/// An answer and the files beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// What its files are called before their endings.
    pub name: String,
    /// The answer, as a student hands it in.
    pub answer: PathBuf,
    /// The declared verdicts.
    pub expect: PathBuf,
    /// The accepted feedback; it need not exist yet.
    pub snapshot: PathBuf,
}

/// A file that lies about without its other half.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orphan {
    /// The file.
    pub path: PathBuf,
    /// What is the matter, as a phrase that goes on after its name.
    pub why: &'static str,
}

/// What a folder of fixtures holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folder {
    /// The answers with their expectations, by name.
    pub cases: Vec<Case>,
    /// Files that belong to no case.
    pub orphans: Vec<Orphan>,
}

impl Folder {
    /// Lists a folder. Hidden files and a `README` are no part of it.
    ///
    /// # Errors
    ///
    /// When the folder cannot be read.
    pub fn open(folder: &Path) -> io::Result<Folder> {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_file() && !name.starts_with('.') && !name.starts_with("README") {
                names.push(name);
            }
        }
        names.sort();
        let mut found = Folder::default();
        let answers = |case: &str| -> Vec<&String> { names.iter().filter(|name| stem(name) == Some(case)).collect() };
        let has = |name: String| names.binary_search(&name).is_ok();
        for name in &names {
            let why = if let Some(case) = name.strip_suffix(EXPECT) {
                match answers(case).as_slice() {
                    [answer] => {
                        found.cases.push(Case {
                            name: case.to_owned(),
                            answer: folder.join(answer),
                            expect: folder.join(name),
                            snapshot: folder.join(format!("{case}{SNAPSHOT}")),
                        });
                        continue;
                    }
                    [] => "declares the verdicts of an answer that is not there",
                    _ => "declares verdicts, but several answers have its name",
                }
            } else if name.ends_with(PENDING) {
                "is feedback that was never accepted nor thrown away"
            } else if let Some(case) = name.strip_suffix(SNAPSHOT) {
                if !answers(case).is_empty() {
                    continue;
                }
                "is the feedback for an answer that is not there"
            } else if let Some(case) = stem(name) {
                if has(format!("{case}{EXPECT}")) {
                    continue;
                }
                "is an answer without declared verdicts: its `.expect.toml` is missing"
            } else {
                "is not an answer in a format that can be read"
            };
            found.orphans.push(Orphan { path: folder.join(name), why });
        }
        Ok(found)
    }
}

/// The name of the case that an answer belongs to; `None` where the file is no answer.
fn stem(name: &str) -> Option<&str> {
    if name.ends_with(EXPECT) || Kind::of_name(name).is_none() {
        return None;
    }
    name.rsplit_once('.').map(|(stem, _)| stem)
}

/// Why a case cannot be tested: something its author has to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// The file.
    pub path: PathBuf,
    /// From 1, where the place is known.
    pub line: Option<usize>,
    /// What is the matter.
    pub what: String,
}

impl Unfit {
    fn io(path: &Path, error: &io::Error) -> Unfit {
        Unfit { path: path.to_owned(), line: None, what: format!("cannot be read: {error}") }
    }
}

impl Case {
    /// The answer, read.
    ///
    /// # Errors
    ///
    /// When its file cannot be read, or is no text.
    pub fn read(&self) -> Result<Answer, Unfit> {
        let bytes = fs::read(&self.answer).map_err(|error| Unfit::io(&self.answer, &error))?;
        let unreadable = |error| Unfit { path: self.answer.clone(), line: None, what: format!("{error}") };
        Answer::read_bytes(self.file(), &bytes, None, LARGEST).map_err(unreadable)
    }

    /// The file of the answer without its folders: what the feedback calls it, wherever the course lies.
    pub fn file(&self) -> String {
        self.answer.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The feedback that snapshots hold: the whole of it, as staff read it, in Markdown.
pub fn feedback(name: &str, file: &str, drill: &Drill, answer: &Answer, grade: &grade::Grade) -> String {
    let submission = Submission { id: name, file, sha256: "", arrival: None };
    report::render(&Graded { submission, answer, drill, grade }, Layout::Markdown, Reader::Staff, false)
}

#[cfg(test)]
mod tests;
