//! Whose files are whose: the submissions of a class, from whatever staff downloaded.
//!
//! A layout (a file each) turns the list of files into [`Draft`]s: an id, what is known of the student, and the files.
//! Then, for all of them alike, the files that are the answer are chosen, and of several attempts the one that counts.

mod attempts;
mod canvas;
mod files;
mod gradescope;
mod lines;
mod moodle;
mod plain;
pub(crate) mod table;

use std::path::Path;

use crate::answer::Kind;
use crate::cohort::Trouble;
use crate::cohort::time::Moment;
use crate::cohort::tree::{Leaf, Limits, Place, Refused, Store, Tree};
use crate::report::{Arrival, LeftOut, Origin};

/// What is said about a class before it is looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    /// How much is let in.
    pub limits: Limits,
    /// Where times are known, the last attempt before it counts, and what came after it is late.
    pub deadline: Option<Moment>,
    /// The format of answers whose names do not say it.
    pub kind: Option<Kind>,
}

/// How the input was laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// A file or a folder a student; also one repository a student.
    Plain,
    /// Canvas: "Download submissions".
    Canvas,
    /// Moodle: "Download all submissions".
    Moodle,
    /// Gradescope: "Export submissions".
    Gradescope,
    /// A table of responses to a form, a row a student.
    Table,
    /// A line of JSON a student.
    Lines,
}

/// One student's (or group's) work, found and not yet read.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The name by which results are joined.
    pub id: String,
    /// The name of its file inside the class: the first, where there are several.
    pub file: String,
    /// How it came, and whose it is.
    pub arrival: Box<Arrival>,
    /// Names, numbers and addresses besides the id by which a roster may know the student.
    pub known_as: Vec<String>,
    /// Where its text is: several pieces are joined.
    pub(crate) pieces: Vec<Place>,
    pub(crate) kind: Option<Kind>,
    /// Why it cannot be graded, where that is clear before it is read.
    pub(crate) trouble: Option<String>,
}

/// All submissions of a class, in the order of their ids.
#[derive(Debug)]
pub struct Class {
    /// The input as it was named to us.
    pub input: String,
    /// How it was laid out.
    pub layout: Layout,
    /// In the order of their ids, each of which is there once.
    pub submissions: Vec<Submission>,
    /// Files that belong to no student.
    pub strays: Vec<LeftOut>,
    pub(crate) store: Store,
    form: Form,
    /// The format where nothing else says it.
    fallback: Option<Kind>,
}

/// How the bytes of a piece become text.
#[derive(Debug)]
enum Form {
    /// They are the text.
    Files,
    /// They are a line of JSON.
    Lines,
    /// They are a row of a table.
    Table(table::Columns),
}

/// A submission before its files are chosen.
#[derive(Debug, Default)]
struct Draft {
    id: String,
    /// Large and mostly empty: there are as many as students.
    arrival: Box<Arrival>,
    known_as: Vec<String>,
    files: Vec<File>,
    trouble: Option<String>,
}

/// A file of a student.
#[derive(Debug)]
struct File {
    leaf: Leaf,
    /// Its own name, without what the platform put before it.
    name: String,
    /// Where the platform says it, not the name.
    kind: Option<Kind>,
}

/// What a layout makes of a list of files.
#[derive(Debug, Default)]
struct Sorted {
    drafts: Vec<Draft>,
    strays: Vec<LeftOut>,
}

/// The text of a submission.
#[derive(Debug)]
pub struct Text {
    /// As handed in.
    pub bytes: Vec<u8>,
    /// Where it is known.
    pub kind: Option<Kind>,
    /// What to call it.
    pub name: String,
}

impl Class {
    /// Finds the submissions of a folder, an archive, a table or a stream of lines.
    ///
    /// # Errors
    ///
    /// When the input cannot be read, is broken as a whole, or is larger than the rules allow.
    pub fn collect(input: &Path, rules: &Rules) -> Result<Class, Trouble> {
        let extension = input.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        let is_folder = input.is_dir();
        match extension.as_deref() {
            Some("jsonl" | "ndjson") if !is_folder => lines::collect(input, rules),
            Some("csv" | "tsv") if !is_folder => table::collect(input, rules),
            _ => Class::from_tree(input, Tree::open(input, rules.limits)?, rules),
        }
    }

    /// The one submission that a folder or an archive is, whatever files it holds: what an autograder is given.
    ///
    /// # Errors
    ///
    /// When the input cannot be read, is broken as a whole, or is larger than the rules allow.
    pub fn of_one(input: &Path, id: &str, rules: &Rules) -> Result<Class, Trouble> {
        let Tree { leaves, refused, store } = Tree::open(input, rules.limits)?;
        let is_archive = leaves.iter().any(|leaf| !matches!(leaf.place, Place::File(_)));
        let files = leaves.into_iter().map(|leaf| File { name: leaf.path.clone(), leaf, kind: None }).collect();
        let left_out = refused.into_iter().map(|refused| LeftOut { path: refused.path, why: refused.why }).collect();
        let draft = Draft { id: id.to_owned(), arrival: Box::new(Arrival { left_out, ..Arrival::default() }), files, ..Draft::default() };
        Ok(Class {
            input: named(input),
            layout: Layout::Plain,
            submissions: vec![files::choose(draft, input, is_archive)],
            strays: Vec::new(),
            store,
            form: Form::Files,
            fallback: rules.kind,
        })
    }

    fn from_tree(input: &Path, tree: Tree, rules: &Rules) -> Result<Class, Trouble> {
        let Tree { leaves, refused, store } = tree;
        let is_archive = leaves.iter().any(|leaf| !matches!(leaf.place, Place::File(_)));
        let (layout, sorted) = sort(input, leaves, &store)?;
        let mut class = Class {
            input: named(input),
            layout,
            submissions: Vec::new(),
            strays: sorted.strays,
            store,
            form: Form::Files,
            fallback: rules.kind,
        };
        class.submissions.reserve_exact(sorted.drafts.len());
        class.submissions.extend(sorted.drafts.into_iter().map(|draft| files::choose(draft, input, is_archive)));
        class.submissions.extend(refused.into_iter().map(|refused| turned_away(refused, input)));
        class.submissions = attempts::settle(class.submissions, rules.deadline);
        Ok(class)
    }

    /// A submission by its id.
    pub fn submission(&self, id: &str) -> Option<&Submission> {
        let at = self.submissions.binary_search_by(|submission| submission.id.as_str().cmp(id)).ok()?;
        self.submissions.get(at)
    }

    /// The text of a submission, read now.
    ///
    /// # Errors
    ///
    /// Why it cannot be had, in a line for a person.
    pub fn text(&self, submission: &Submission) -> Result<Text, String> {
        let pieces = submission.pieces.iter().map(|place| self.store.read(place)).collect();
        self.text_of(submission, pieces)
    }

    /// The text of a submission whose pieces have been read.
    pub(crate) fn text_of(&self, submission: &Submission, pieces: Vec<Result<Vec<u8>, String>>) -> Result<Text, String> {
        if let Some(trouble) = &submission.trouble {
            return Err(trouble.clone());
        }
        let name = submission.file.clone();
        match &self.form {
            Form::Files => Ok(Text { bytes: files::join(pieces)?, kind: submission.kind.or(self.fallback), name }),
            Form::Lines => {
                let line = pieces.into_iter().next().ok_or("the line is gone")??;
                lines::text(&line, self.fallback).map(|(bytes, kind)| Text { bytes, kind, name })
            }
            Form::Table(columns) => {
                let row = pieces.into_iter().next().ok_or("the row is gone")??;
                Ok(Text { bytes: columns.text(&row)?, kind: Some(Kind::Markdown), name })
            }
        }
    }
}

/// Tells the layouts apart.
fn sort(input: &Path, leaves: Vec<Leaf>, store: &Store) -> Result<(Layout, Sorted), Trouble> {
    if let Some(at) = gradescope::metadata(&leaves) {
        return Ok((Layout::Gradescope, gradescope::sort(input, leaves, at, store)?));
    }
    if moodle::is_it(&leaves) {
        return Ok((Layout::Moodle, moodle::sort(leaves)));
    }
    if canvas::is_it(&leaves) {
        return Ok((Layout::Canvas, canvas::sort(leaves)));
    }
    Ok((Layout::Plain, plain::sort(input, leaves)))
}

/// What an archive holds and is not let in has a row of its own, so that nobody's work disappears.
fn turned_away(refused: Refused, input: &Path) -> Submission {
    let source = Origin { path: named(input), entry: Some(refused.path.clone()), line: None };
    Submission {
        file: refused.path.clone(),
        id: refused.path,
        arrival: Box::new(Arrival { source, ..Arrival::default() }),
        known_as: Vec::new(),
        pieces: Vec::new(),
        kind: None,
        trouble: Some(refused.why),
    }
}

/// A path as reports show it.
fn named(path: &Path) -> String {
    path.display().to_string()
}

/// The last name of a path inside the class.
fn base(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, base)| base)
}

/// A file's name without its ending.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

#[cfg(test)]
mod tests;
