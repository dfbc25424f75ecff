//! Moodle: `Ada Example_1201_assignsubmission_file_/drill.md`, or the same in one flat folder.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::{Draft, File, Sorted, base};
use crate::cohort::tree::Leaf;
use crate::report::{Arrival, LeftOut};

/// The student or group, its number, whether it is a file or typed into Moodle, and in a flat folder the file's name.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?<who>.*?)(?:_(?<id>\d+))?_assignsubmission_(?<kind>file|onlinetext)_?(?<rest>.*)$").expect("the pattern is a pattern")
});

/// The component of a path that Moodle named, and the file's name below or in it.
fn parse(path: &str) -> Option<(regex::Captures<'_>, String)> {
    let mut before = 0;
    for component in path.split('/') {
        before += component.len() + 1;
        if let Some(found) = NAME.captures(component) {
            let below = path.get(before..).filter(|below| !below.is_empty());
            let own = || if found["rest"].is_empty() { component.to_owned() } else { found["rest"].to_owned() };
            let name = below.map_or_else(own, str::to_owned);
            return Some((found, name));
        }
    }
    None
}

pub(super) fn is_it(leaves: &[Leaf]) -> bool {
    let ours = leaves.iter().filter(|leaf| parse(&leaf.path).is_some()).count();
    ours > 0 && ours * 2 > leaves.len()
}

pub(super) fn sort(leaves: Vec<Leaf>) -> Sorted {
    let mut strays = Vec::new();
    let mut drafts: BTreeMap<String, Draft> = BTreeMap::new();
    for leaf in leaves {
        let Some((found, name)) = parse(&leaf.path) else {
            strays.push(LeftOut { path: leaf.path, why: "is not named as Moodle names submissions".to_owned() });
            continue;
        };
        let who = found["who"].to_owned();
        // In blind marking the name is a number of its own: `Participant_1201`.
        let number = found.name("id").map(|id| id.as_str().to_owned());
        let is_named = !who.is_empty() && who != "Participant";
        let id = number.clone().unwrap_or_else(|| who.clone());
        let typed = &found["kind"] == "onlinetext";
        let name = if typed && !base(&name).contains('.') { format!("{name}.html") } else { name };
        drop(found);
        let draft = drafts.entry(id.clone()).or_insert_with(|| Draft {
            known_as: is_named.then(|| who.clone()).into_iter().collect(),
            arrival: Box::new(Arrival { name: is_named.then_some(who), ..Arrival::default() }),
            // A name is not a number: which participant it is would be a guess.
            trouble: number.is_none().then(|| "Moodle gave no participant number with it: a person has to say whose it is".to_owned()),
            id,
            ..Draft::default()
        });
        draft.files.push(File { leaf, name, kind: None });
    }
    Sorted { drafts: drafts.into_values().collect(), strays }
}
