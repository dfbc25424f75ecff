//! Which fixtures a path means, and which course they belong to.

use std::fs;
use std::path::{Path, PathBuf};

use drillmark::drill::Library;
use drillmark::fixture::{EXPECT, Folder};

use super::super::Trouble;

/// The fixtures that a path means.
pub(super) struct Found {
    /// The folder that holds `fixtures/`, and `drills/` where the course has its own.
    pub(super) course: PathBuf,
    /// The folders of fixtures with their names, in order.
    pub(super) folders: Vec<(String, Folder)>,
    /// The one case that is meant, where it is only one.
    pub(super) only: Option<String>,
    /// Whether only some of the course's folders are meant.
    pub(super) is_part: bool,
    /// The list of known differences, whether or not there is one.
    pub(super) list: PathBuf,
}

impl Found {
    /// Looks at a path: a course, its `fixtures`, one drill's folder in there, or a file of one case.
    pub(super) fn at(path: &Path) -> Result<Found, Trouble> {
        if !path.exists() {
            return Err(Trouble::with(path.display(), "no such file or folder"));
        }
        if path.is_file() {
            let folder = match path.parent() {
                Some(parent) if parent != Path::new("") => parent,
                _ => Path::new("."),
            };
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let mut found = Found::one(folder)?;
            let case = found.folders.iter().flat_map(|(_, folder)| &folder.cases).find(|case| {
                [&case.answer, &case.expect, &case.snapshot].iter().any(|file| file.file_name().is_some_and(|file| *file == *name))
            });
            let Some(case) = case.map(|case| case.name.clone()) else {
                return Err(Trouble::with(path.display(), "belongs to no fixture: there is no `.expect.toml` of its name"));
            };
            found.only = Some(case);
            return Ok(found);
        }
        let inside = path.join("fixtures");
        if inside.is_dir() {
            return Found::all(path, &inside);
        }
        let full = path.canonicalize().map_err(|error| Trouble::io(path, &error))?;
        if full.file_name().is_some_and(|name| name == "fixtures") && !holds_cases(path)? {
            return Found::all(&path.join(".."), path);
        }
        if holds_cases(path)? {
            return Found::one(path);
        }
        Err(Trouble::with(path.display(), "holds no fixtures: expected `fixtures/DRILL/CASE.expect.toml` in it"))
    }

    /// All folders of `fixtures`.
    fn all(course: &Path, fixtures: &Path) -> Result<Found, Trouble> {
        let mut folders = Vec::new();
        for path in entries(fixtures)? {
            if path.is_dir() {
                folders.push((name(&path), open(&path)?));
            }
        }
        let list = fixtures.join("open.txt");
        Ok(Found { course: course.to_owned(), folders, only: None, is_part: false, list })
    }

    /// One drill's folder. The course is two levels up, where the folder lies in `fixtures`.
    fn one(path: &Path) -> Result<Found, Trouble> {
        let full = path.canonicalize().map_err(|error| Trouble::io(path, &error))?;
        let is_inside = full.parent().and_then(Path::file_name).is_some_and(|name| name == "fixtures");
        let course = if is_inside { path.join("../..") } else { path.join("..") };
        let folders = vec![(name(&full), open(path)?)];
        Ok(Found { course, folders, only: None, is_part: true, list: path.join("../open.txt") })
    }

    /// Drops the folders that are named after no drill and declare nothing; gives their names.
    pub(super) fn drop_foreign(&mut self, library: &Library) -> Vec<String> {
        let is_ours = |name: &str, folder: &Folder| library.ids().any(|id| id == name) || !folder.cases.is_empty();
        let (ours, foreign): (Vec<_>, Vec<_>) = self.folders.drain(..).partition(|(name, folder)| is_ours(name, folder));
        self.folders = ours;
        foreign.into_iter().map(|(name, _)| name).collect()
    }
}

fn holds_cases(folder: &Path) -> Result<bool, Trouble> {
    Ok(entries(folder)?.iter().any(|path| path.to_string_lossy().ends_with(EXPECT)))
}

fn open(path: &Path) -> Result<Folder, Trouble> {
    Folder::open(path).map_err(|error| Trouble::io(path, &error))
}

/// What lies in a folder, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Trouble> {
    let told = |error| Trouble::io(folder, &error);
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(told)? {
        entries.push(entry.map_err(told)?.path());
    }
    entries.sort();
    Ok(entries)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
