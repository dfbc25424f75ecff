//! What is checked together: a drill with its rubric, its model answer and its fixtures.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

use crate::answer::Answer;
use crate::drill::{Library, Unreadable};
use crate::fixture::{self, Expect, Open};
use crate::text::Source;

/// A drill, or what there is of one, with everything that lies beside it.
#[derive(Debug)]
pub struct Subject {
    /// The id, as the files are called.
    pub id: String,
    /// The drill's file.
    pub drill: Option<Source>,
    /// The rubric's file.
    pub rubric: Option<Source>,
    /// The model answer, with its open places.
    pub model: Option<Source>,
    /// Answers with what a careful person says of them.
    pub cases: Vec<Case>,
}

/// An answer with its expectation.
#[derive(Debug)]
pub struct Case {
    /// The file of the expectation.
    pub source: Source,
    /// Both, or what keeps them from being compared, with the line of the expectation where it is known.
    pub content: Result<(Expect, Answer), (String, Option<usize>)>,
    /// What is known to differ: listed in `fixtures/open.txt`.
    pub open: BTreeSet<String>,
}

impl Subject {
    /// The texts that findings may speak of.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.drill.iter().chain(&self.rubric).chain(&self.model).chain(self.cases.iter().map(|case| &case.source))
    }
}

/// All drills of a library, and rubrics without one.
pub fn subjects(library: &Library) -> Vec<Subject> {
    let ids: BTreeSet<&str> = library.ids().chain(library.rubric_ids()).collect();
    let subject = |id: &str| {
        let (drill, rubric) = library.sources(id).map_or((None, library.rubric(id)), |(drill, rubric)| (Some(drill), rubric));
        Subject { id: id.to_owned(), drill, rubric, model: library.answer(id), cases: Vec::new() }
    };
    ids.into_iter().map(subject).collect()
}

/// What a path holds: a drill's or a rubric's file, a folder of them, or a course repository with `drills/`, `rubrics/`
/// and `fixtures/`.
pub fn within(path: &Path) -> Result<Vec<Subject>, Unreadable> {
    let (root, only) = if path.is_dir() { (folder_above(path), None) } else { file(path)? };
    let mut found = subjects(&Library::open(&root)?);
    found.retain(|subject| only.as_ref().is_none_or(|only| subject.id == *only));
    if found.is_empty() {
        let error = Error::new(ErrorKind::NotFound, "holds no drills and no rubrics");
        return Err(Unreadable { path: path.to_owned(), error });
    }
    let fixtures = root.join("fixtures");
    let list = fixtures.join("open.txt");
    let open = Open::read(&list).map_err(|error| Unreadable { path: list, error })?;
    for subject in &mut found {
        subject.cases = cases(&fixtures.join(&subject.id), &subject.id, &open)?;
    }
    Ok(found)
}

/// The library that a folder belongs to: `drills` and `rubrics` lie in it.
fn folder_above(folder: &Path) -> PathBuf {
    let is_half = folder.file_name().is_some_and(|name| name == "drills" || name == "rubrics");
    let above = folder.parent().filter(|above| is_half && above.join("drills").is_dir());
    match above {
        Some(above) => above.to_owned(),
        // Names of files begin with a folder of the course, as they do elsewhere.
        None if folder == Path::new(".") && Path::new("drills").is_dir() => PathBuf::new(),
        None => folder.to_owned(),
    }
}

/// The library and the id of one file.
fn file(path: &Path) -> Result<(PathBuf, Option<String>), Unreadable> {
    let unreadable = |error| Unreadable { path: path.to_owned(), error };
    // Whether it can be read at all is told by whoever reads it.
    fs::metadata(path).map_err(unreadable)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(id) = name.strip_suffix(".toml") else {
        return Err(unreadable(Error::new(ErrorKind::InvalidInput, "is no drill and no rubric: those are `.toml` files")));
    };
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok((folder_above(folder), Some(id.strip_suffix(".rubric").unwrap_or(id).to_owned())))
}

/// The fixtures of a drill, by name; with the files among them that have lost their other half.
fn cases(folder: &Path, drill: &str, open: &Open) -> Result<Vec<Case>, Unreadable> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let listed = fixture::Folder::open(folder).map_err(|error| Unreadable { path: folder.to_owned(), error })?;
    let mut cases = Vec::new();
    for case in listed.cases {
        let text = fs::read_to_string(&case.expect).map_err(|error| Unreadable { path: case.expect.clone(), error })?;
        let source = Source::new(case.expect.display().to_string(), text);
        let file = case.file();
        let content = Expect::open(&case.expect).and_then(|expect| Ok((expect, case.read()?)));
        let content = content.map_err(|unfit| (unfit.what, unfit.line.filter(|_| unfit.path == case.expect)));
        cases.push(Case { source, content, open: open.of(drill, &file) });
    }
    for orphan in listed.orphans {
        let source = Source::new(orphan.path.display().to_string(), "");
        cases.push(Case { source, content: Err((format!("this {}", orphan.why), None)), open: BTreeSet::new() });
    }
    Ok(cases)
}
