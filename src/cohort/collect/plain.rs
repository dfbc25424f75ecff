//! A file or a folder a student, or a repository a student.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Draft, File, Sorted, stem};
use crate::answer::Kind;
use crate::cohort::tree::Leaf;
use crate::report::LeftOut;

/// The names at the top are the students.
pub(super) fn sort(input: &Path, leaves: Vec<Leaf>) -> Sorted {
    let root = root(input, &leaves);
    let mut students: BTreeMap<String, Vec<File>> = BTreeMap::new();
    let mut strays = Vec::new();
    let is_class = leaves.len() > 1;
    for leaf in leaves {
        let path = &leaf.path[root..];
        let (id, name) = match path.split_once('/') {
            Some((student, name)) => (student.to_owned(), name.to_owned()),
            None if is_class && is_of_the_class(path) => {
                strays.push(LeftOut { path: leaf.path, why: "belongs to no student".to_owned() });
                continue;
            }
            None => (stem(path).to_owned(), path.to_owned()),
        };
        // Most students have one file.
        students.entry(id).or_insert_with(|| Vec::with_capacity(1)).push(File { leaf, name, kind: None });
    }
    let drafts = students.into_iter().map(|(id, files)| Draft { id, files, ..Draft::default() }).collect();
    Sorted { drafts, strays }
}

/// Files beside the students' that are about all of them.
fn is_of_the_class(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_about = ["readme", "license", "licence", "roster", "grades", "gradebook", "makefile"].contains(&stem(&name));
    is_about || [".csv", ".tsv", ".yml", ".yaml", ".log", ".lock"].iter().any(|ending| name.ends_with(ending))
}

/// The length of the folders that everything lies in: what was packed or downloaded as one folder is that folder's class.
pub(super) fn root(input: &Path, leaves: &[Leaf]) -> usize {
    let mut root = 0;
    loop {
        let mut tops = leaves.iter().map(|leaf| leaf.path[root..].split_once('/'));
        let Some(Some((top, _))) = tops.next() else { return root };
        if !tops.all(|other| other.is_some_and(|(other, _)| other == top)) {
            return root;
        }
        let inside = root + top.len() + 1;
        let mut children: Vec<&str> = leaves.iter().map(|leaf| &leaf.path[inside..]).collect();
        let has_folders = children.iter().any(|child| child.contains('/'));
        children.retain(|child| Kind::of_name(child).is_some());
        let is_named_like_it = input.file_stem().is_some_and(|stem| stem.to_string_lossy().trim_end_matches(".tar") == top);
        // A folder of one student's several files looks the same as a class of several files; the class is what we came for.
        if !(has_folders || children.len() > 1 || is_named_like_it) {
            return root;
        }
        root = inside;
    }
}
