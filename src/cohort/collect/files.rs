//! Which of a student's files are the answer, and how several become one text.

use std::cmp::Ordering;
use std::path::Path;

use super::{Draft, File, Submission, base, named};
use crate::answer::Kind;
use crate::cohort::tree::Place;
use crate::report::{LeftOut, Origin};

/// Turns a draft into a submission: takes the files that are the answer, and says which it leaves out.
pub(super) fn choose(mut draft: Draft, input: &Path, is_archive: bool) -> Submission {
    draft.files.sort_by(|a, b| by_name(&a.leaf.path, &b.leaf.path));
    let several: Vec<String> = draft.files.iter().map(|file| file.name.clone()).collect();
    let (mut answers, rest): (Vec<File>, Vec<File>) = draft.files.into_iter().partition(|file| sort(file) == Sort::Answer);
    let mut rest = rest;
    // Many a repository has its answer in the README, and a single file is the answer whatever it is called.
    for second_best in [Sort::Company, Sort::Data] {
        if answers.is_empty() {
            (answers, rest) = rest.into_iter().partition(|file| sort(file) == second_best && file_kind(file).is_some());
        }
    }
    if answers.is_empty() && rest.len() == 1 {
        answers = rest;
        rest = Vec::new();
    }
    let kinds: Vec<Option<Kind>> = answers.iter().map(file_kind).collect();
    let trouble = draft.trouble.or_else(|| match (answers.as_slice(), kinds.first().copied().flatten()) {
        ([], _) if several.is_empty() => Some("there is no file".to_owned()),
        ([], _) => Some(format!("none of its files is of a kind that is read: {}", list(&several))),
        ([only], _) if is_packed(&only.name) => Some(format!("`{}` is an archive inside the class, and is not opened", only.name)),
        ([only], _) if is_link(&only.name) => Some("a web address was handed in, and is not followed".to_owned()),
        ([_], _) => None,
        (_, Some(first)) if kinds.iter().any(|kind| *kind != Some(first)) => Some(format!(
            "there are files of several kinds, and which one is the answer is not clear: {}",
            list(&answers.iter().map(|file| file.name.clone()).collect::<Vec<_>>())
        )),
        (_, Some(Kind::Markdown | Kind::Text | Kind::Latex | Kind::Typst)) => None,
        _ => Some(format!("there are several files of a kind that cannot be joined: {}", list(&several))),
    });
    let mut arrival = draft.arrival;
    arrival.left_out.extend(rest.into_iter().map(|file| LeftOut { why: why_not(&file).to_owned(), path: file.name }));
    if answers.len() > 1 && trouble.is_none() {
        arrival.joined = answers.iter().map(|file| file.leaf.path.clone()).collect();
    }
    arrival.source = match answers.as_slice() {
        [only] => match &only.leaf.place {
            Place::File(path) => Origin { path: named(path), entry: None, line: None },
            _ => Origin { path: named(input), entry: Some(only.leaf.path.clone()), line: None },
        },
        several if is_archive => Origin { path: named(input), entry: several.first().map(|file| file.leaf.path.clone()), line: None },
        _ => Origin { path: named(&input.join(&draft.id)), entry: None, line: None },
    };
    Submission {
        file: answers.first().map_or_else(|| draft.id.clone(), |file| file.leaf.path.clone()),
        id: draft.id,
        arrival,
        known_as: draft.known_as,
        kind: kinds.first().copied().flatten(),
        pieces: answers.into_iter().map(|file| file.leaf.place).collect(),
        trouble,
    }
}

/// The pieces as one text, an empty line between them.
pub(super) fn join(pieces: Vec<Result<Vec<u8>, String>>) -> Result<Vec<u8>, String> {
    if pieces.len() == 1 {
        return pieces.into_iter().next().unwrap_or(Ok(Vec::new()));
    }
    let mut whole = Vec::new();
    for piece in pieces {
        let piece = piece?;
        // Each could be in an encoding of its own; one text has one.
        let text = std::str::from_utf8(&piece).map_err(|_| "several files cannot be joined where one is not UTF-8".to_owned())?;
        if !whole.is_empty() {
            whole.extend_from_slice(b"\n\n");
        }
        whole.extend_from_slice(text.strip_prefix('\u{feff}').unwrap_or(text).as_bytes());
    }
    Ok(whole)
}

/// What part a file plays among a student's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Answer,
    /// Comes with many a repository, and is an answer only where nothing else is.
    Company,
    /// Numbers that go with an answer.
    Data,
    Other,
}

fn sort(file: &File) -> Sort {
    let name = file.name.to_ascii_lowercase();
    let stem = super::stem(&name);
    if stem.starts_with("readme") {
        return Sort::Company;
    }
    let is_tool = matches!(
        name.as_str(),
        "pyproject.toml"
            | "cargo.toml"
            | "package.json"
            | "package-lock.json"
            | "tsconfig.json"
            | "composer.json"
            | "requirements.txt"
            | "cmakelists.txt"
            | "typst.toml"
            | "environment.json"
    );
    if is_tool || ["license", "licence", "copying", "contributing", "code_of_conduct", "changelog", "authors"].contains(&stem) {
        return Sort::Other;
    }
    match file_kind(file) {
        Some(_) if name.ends_with(".csv") || name.ends_with(".tsv") => Sort::Data,
        Some(_) => Sort::Answer,
        None => Sort::Other,
    }
}

fn file_kind(file: &File) -> Option<Kind> {
    let name = file.name.to_ascii_lowercase();
    // Markdown holds HTML, so its reader knows both.
    let is_page = (name.ends_with(".html") || name.ends_with(".htm")) && !is_link(&name);
    file.kind.or_else(|| if is_page { Some(Kind::Markdown) } else { Kind::of_name(&name) })
}

/// What Canvas writes for a web address that was handed in.
fn is_link(name: &str) -> bool {
    name == "link.html" || name.ends_with("_link.html")
}

fn is_packed(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".jar"].iter().any(|ending| name.ends_with(ending))
}

fn why_not(file: &File) -> &'static str {
    if is_packed(&file.name) {
        "is an archive inside the class, and is not opened"
    } else if is_link(&file.name) {
        "is a web address, and is not followed"
    } else {
        match sort(file) {
            Sort::Data => "is data",
            Sort::Answer | Sort::Company | Sort::Other => "is not an answer",
        }
    }
}

/// A few names, and how many more there are.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names.iter().take(SHOWN).map(|name| base(name)).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
}

/// The order in which a person lists files: `part2` before `part10`.
fn by_name(one: &str, other: &str) -> Ordering {
    let (mut a, mut b) = (one, other);
    loop {
        let (left, right) = (run(a), run(b));
        if left.is_empty() || right.is_empty() {
            return left.len().cmp(&right.len()).then_with(|| one.cmp(other));
        }
        let is_number = |run: &str| run.as_bytes()[0].is_ascii_digit();
        let order = if is_number(left) && is_number(right) {
            let (x, y) = (left.trim_start_matches('0'), right.trim_start_matches('0'));
            x.len().cmp(&y.len()).then_with(|| x.cmp(y))
        } else {
            left.cmp(right)
        };
        if order.is_ne() {
            return order;
        }
        (a, b) = (&a[left.len()..], &b[right.len()..]);
    }
}

/// The digits, or the other characters, at the beginning.
fn run(text: &str) -> &str {
    let is_digit = text.starts_with(|c: char| c.is_ascii_digit());
    let end = text.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(text.len());
    &text[..end]
}
