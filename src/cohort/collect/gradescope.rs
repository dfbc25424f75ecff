//! Gradescope: `submission_metadata.yml` and a folder a submission.
//!
//! The YAML is read by a reader of its own that knows just what Gradescope writes there: no aliases, no tags, no objects.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Draft, File, Sorted, base};
use crate::cohort::Trouble;
use crate::cohort::tree::{Leaf, Store};
use crate::report::{Arrival, LeftOut, Origin};

const METADATA: &str = "submission_metadata.yml";

/// The place of the export's own list among the files. It lies above all of them, so that a student who hands in a file of
/// that name says nothing about the others.
pub(super) fn metadata(leaves: &[Leaf]) -> Option<usize> {
    let is_above_all = |at: &usize| {
        let path = &leaves[*at].path;
        let root = &path[..path.len() - METADATA.len()];
        let below = leaves.iter().map(|leaf| leaf.path.strip_prefix(root));
        below.clone().all(|path| path.is_some()) && below.flatten().any(|path| path.starts_with("submission_") && path.contains('/'))
    };
    (0..leaves.len()).filter(|&at| base(&leaves[at].path) == METADATA).find(is_above_all)
}

pub(super) fn sort(input: &Path, mut leaves: Vec<Leaf>, at: usize, store: &Store) -> Result<Sorted, Trouble> {
    let list = leaves.remove(at);
    let root = list.path.len() - METADATA.len();
    let told = |what: String| Trouble::unfit(input, format!("`{}` {what}", list.path));
    let bytes = store.read(&list.place).map_err(told)?;
    let mut listed = read(&String::from_utf8_lossy(&bytes)).map_err(told)?;
    let mut files: BTreeMap<String, Vec<File>> = BTreeMap::new();
    let mut strays = Vec::new();
    for leaf in leaves {
        match leaf.path.get(root..).and_then(|path| path.split_once('/')) {
            Some((folder, name)) if leaf.path.starts_with(&list.path[..root]) => {
                let (folder, name) = (folder.to_owned(), name.to_owned());
                files.entry(folder).or_default().push(File { leaf, name, kind: None });
            }
            _ => strays.push(LeftOut { path: leaf.path, why: "belongs to no submission of the export".to_owned() }),
        }
    }
    for folder in files.keys() {
        listed.entry(folder.clone()).or_default();
    }
    let drafts = listed.into_iter().map(|(folder, entry)| draft(folder, entry, &mut files)).collect();
    Ok(Sorted { drafts, strays })
}

fn draft(folder: String, entry: Entry, files: &mut BTreeMap<String, Vec<File>>) -> Draft {
    let first = entry.submitters.first().cloned().unwrap_or_default();
    let members: Vec<String> = entry.submitters.iter().filter_map(|person| person.name.clone()).collect();
    let all = entry.submitters.iter().flat_map(|person| [person.sid.clone(), person.email.clone(), person.name.clone()]);
    Draft {
        known_as: all.flatten().collect(),
        arrival: Box::new(Arrival {
            name: (!members.is_empty()).then(|| members.join(", ")),
            email: first.email,
            sid: first.sid,
            members: if members.len() > 1 { members } else { Vec::new() },
            submitted: entry.created_at,
            attempt: (entry.earlier > 0).then_some(entry.earlier + 1),
            source: Origin::default(),
            ..Arrival::default()
        }),
        trouble: (!files.contains_key(&folder)).then(|| "the export lists it and holds no file of it".to_owned()),
        files: files.remove(&folder).unwrap_or_default(),
        id: folder,
    }
}

/// What the list says of a submission.
#[derive(Debug, Default, PartialEq, Eq)]
struct Entry {
    submitters: Vec<Submitter>,
    created_at: Option<String>,
    /// Earlier attempts.
    earlier: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Submitter {
    name: Option<String>,
    sid: Option<String>,
    email: Option<String>,
}

/// Reads the list. A submission's name stands at the margin, its keys two spaces in, and everything further in belongs
/// to the last key; only what is needed is looked at.
fn read(text: &str) -> Result<BTreeMap<String, Entry>, String> {
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut current: Option<String> = None;
    let mut key = String::new();
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let number = number + 1;
        let inner = line.trim_start_matches(' ');
        let indent = line.len() - inner.len();
        if inner.trim().is_empty() || (indent == 0 && (inner.starts_with('#') || inner.trim_end() == "---" || inner.trim_end() == "...")) {
            continue;
        }
        if indent == 0 {
            let (name, rest) = pair(inner).ok_or_else(|| format!("is not a list of submissions: line {number}"))?;
            if !rest.is_empty() && rest != "{}" {
                return Err(format!("says something about a submission that is not read: line {number}"));
            }
            let name = scalar(name, number)?.unwrap_or_default();
            if name.contains(['!', '&', '*', '<']) {
                return Err(format!("uses tags or aliases, which are not read: line {number}"));
            }
            entries.entry(name.clone()).or_default();
            current = Some(name);
            key.clear();
            continue;
        }
        let Some(entry) = current.as_ref().and_then(|name| entries.get_mut(name)) else {
            return Err(format!("is not a list of submissions: line {number}"));
        };
        if indent == 2 && !inner.starts_with('-') {
            let Some((name, value)) = pair(inner) else { continue };
            key = name.trim_start_matches(':').to_owned();
            if key == "created_at" {
                entry.created_at = scalar(value, number)?;
            } else if matches!(key.as_str(), "submitters" | "history" | "<<") && value.starts_with(['!', '&', '*']) {
                return Err(format!("uses tags or aliases, which are not read: line {number}"));
            }
            continue;
        }
        let is_item = inner.starts_with("- ") && indent <= 4;
        match key.as_str() {
            "submitters" => {
                if is_item {
                    entry.submitters.push(Submitter::default());
                }
                let inner = inner.trim_start_matches("- ").trim_start();
                let (Some(person), Some((name, value))) = (entry.submitters.last_mut(), pair(inner)) else { continue };
                match name.trim_start_matches(':') {
                    "name" => person.name = scalar(value, number)?,
                    "sid" => person.sid = scalar(value, number)?,
                    "email" => person.email = scalar(value, number)?,
                    _ => {}
                }
            }
            "history" if is_item && indent == 2 => entry.earlier += 1,
            _ => {}
        }
    }
    Ok(entries)
}

/// A key and what follows it: the colon that ends a key stands before a space or the end, and a symbol begins with one.
fn pair(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_end();
    if let Some(key) = line.strip_suffix(':')
        && !key.trim_start_matches(':').contains(": ")
    {
        return Some((key, ""));
    }
    let (key, value) = line.split_once(": ")?;
    Some((key, value.trim()))
}

/// A plain or quoted value; `None` for nothing.
fn scalar(text: &str, number: usize) -> Result<Option<String>, String> {
    let text = text.trim();
    if text.starts_with(['!', '&', '*']) {
        return Err(format!("uses tags or aliases, which are not read: line {number}"));
    }
    Ok(match text {
        "" | "~" | "null" => None,
        _ => Some(match (text.strip_prefix('"'), text.strip_prefix('\'')) {
            (Some(inner), _) => unescape(inner.strip_suffix('"').unwrap_or(inner)),
            (_, Some(inner)) => inner.strip_suffix('\'').unwrap_or(inner).replace("''", "'"),
            _ => text.split(" #").next().unwrap_or(text).trim().to_owned(),
        }),
    })
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        let digits = match chars.next() {
            Some('n') => {
                plain.push('\n');
                continue;
            }
            Some('t') => {
                plain.push('\t');
                continue;
            }
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            Some(other) => {
                plain.push(other);
                continue;
            }
            None => continue,
        };
        let code: String = chars.by_ref().take(digits).collect();
        plain.push(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_read_and_nothing_else() {
        let text = "---\nsubmission_1001:\n  :submitters:\n  - :name: Ada Example\n    :sid: \"0042\"\n    :email: ada@example.org\n  - :name: 'Bo O''Hara'\n  :created_at: 2026-09-01 10:00:00 -07:00\n  :score: 3.5\n  :results:\n    tests:\n    - name: \"a: transfer energy\"\n      output: |\n        - :name: Mallory\n        submission_9:\n  :history:\n  - :created_at: 2026-08-31 10:00:00 -07:00\n    :score: 0.0\nsubmission_1002:\n  :submitters: []\n";
        let entries = read(text).expect("the list is plain");
        let ada = &entries["submission_1001"];
        assert_eq!(ada.submitters[0].sid.as_deref(), Some("0042"));
        assert_eq!(ada.submitters[1].name.as_deref(), Some("Bo O'Hara"));
        assert_eq!((ada.submitters.len(), ada.earlier, entries.len()), (2, 1, 2));
        assert_eq!(ada.created_at.as_deref(), Some("2026-09-01 10:00:00 -07:00"));
    }

    #[test]
    fn tags_and_aliases_are_refused() {
        for text in [
            "submission_1: !ruby/object:Gem::Installer\n  i: x\n",
            "--- &a [*a, *a]\n",
            "submission_1: &a\n  :submitters: []\nsubmission_2: *a\n",
            "submission_1:\n  :submitters: *all\n",
            "submission_1:\n  :submitters:\n  - :name: !ruby/object:X {}\n",
            "submission_1:\n  <<: *a\n",
            "not a list",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
