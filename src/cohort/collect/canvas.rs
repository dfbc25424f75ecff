//! Canvas: one flat folder, and everything in the names: `exampleada_LATE_1201_88012_drill2-1.md`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::{Draft, File, Sorted, base, stem};
use crate::cohort::tree::Leaf;
use crate::report::{Arrival, LeftOut};

/// The student (or, where grading is anonymous, a code), a late mark, the student's number, the attachment's number,
/// and the file's own name; what was typed into Canvas has no attachment.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:anon_(?<code>[0-9A-Za-z]+)|(?<who>.+?))(?<late>_LATE)?_(?<id>\d+)(?:_(?<attachment>\d+)_(?<file>.+)|_(?<typed>text|link)\.html)$")
        .expect("the pattern is a pattern")
});

/// The same where the student has no number.
static ANONYMOUS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^anon_(?<code>[0-9A-Za-z]+)(?<late>_LATE)?(?:_(?<attachment>\d+)_(?<file>.+)|_(?<typed>text|link)\.html)$")
        .expect("the pattern is a pattern")
});

/// A resubmitted file's number, before its ending.
static AGAIN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^(?<name>.+)-(?<number>\d{1,3})(?<ending>\.[^.]+)?$").expect("the pattern is a pattern"));

struct Parsed {
    id: String,
    who: Option<String>,
    is_late: bool,
    attachment: u64,
    name: String,
}

fn parse(name: &str) -> Option<Parsed> {
    let found = NAME.captures(name).or_else(|| ANONYMOUS.captures(name))?;
    let text = |group: &str| found.name(group).map(|text| text.as_str().to_owned());
    let name = match text("typed") {
        Some(typed) => format!("{typed}.html"),
        None => text("file")?,
    };
    Some(Parsed {
        id: match text("code") {
            Some(code) => format!("anon_{code}"),
            None => text("id")?,
        },
        who: text("who"),
        is_late: found.name("late").is_some(),
        attachment: text("attachment").and_then(|digits| digits.parse().ok()).unwrap_or(0),
        name,
    })
}

/// Whether most of the names are Canvas's.
pub(super) fn is_it(leaves: &[Leaf]) -> bool {
    let ours = leaves.iter().filter(|leaf| parse(base(&leaf.path)).is_some()).count();
    ours > 0 && ours * 2 > leaves.len()
}

pub(super) fn sort(leaves: Vec<Leaf>) -> Sorted {
    let mut strays = Vec::new();
    let mut students: BTreeMap<String, (Draft, Vec<(u64, File)>)> = BTreeMap::new();
    for leaf in leaves {
        let Some(parsed) = parse(base(&leaf.path)) else {
            strays.push(LeftOut { path: leaf.path, why: "is not named as Canvas names submissions".to_owned() });
            continue;
        };
        let (draft, files) = students.entry(parsed.id.clone()).or_insert_with(|| {
            let known_as = parsed.who.clone().into_iter().collect();
            let arrival = Box::new(Arrival { name: parsed.who.clone(), ..Arrival::default() });
            (Draft { id: parsed.id.clone(), arrival, known_as, ..Draft::default() }, Vec::new())
        });
        draft.arrival.late |= parsed.is_late;
        files.push((parsed.attachment, File { leaf, name: parsed.name, kind: None }));
    }
    let drafts = students.into_values().map(|(draft, files)| with_newest(draft, files)).collect();
    Sorted { drafts, strays }
}

/// Takes the newest of each file that was handed in again: `drill2.md`, `drill2-1.md`, `drill2-2.md`.
fn with_newest(mut draft: Draft, mut files: Vec<(u64, File)>) -> Draft {
    files.sort_by_key(|(attachment, file)| (again(&file.name).1, *attachment));
    let mut newest: BTreeMap<String, File> = BTreeMap::new();
    let names: Vec<String> = files.iter().map(|(_, file)| file.name.clone()).collect();
    for (_, file) in files {
        let (name, number) = again(&file.name);
        // `budget-1.md` without a `budget.md` before it is simply called so.
        let is_again = number > 0 && names.iter().any(|other| *other != file.name && again(other).0 == name);
        let key = if is_again || number == 0 { name } else { file.name.clone() };
        if let Some(older) = newest.insert(key, file) {
            draft.arrival.replaced.push(older.leaf.path);
        }
    }
    draft.files = newest.into_values().collect();
    draft
}

/// The name without the number of the attempt, and that number.
fn again(name: &str) -> (String, u32) {
    match AGAIN.captures(name) {
        Some(found) if !stem(name).is_empty() => {
            let ending = found.name("ending").map_or("", |ending| ending.as_str());
            (format!("{}{ending}", &found["name"]), found["number"].parse().unwrap_or(0))
        }
        _ => (name.to_owned(), 0),
    }
}
