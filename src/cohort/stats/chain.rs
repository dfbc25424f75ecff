//! Where errors that were carried forward begin, and how far they reach.

use std::collections::{BTreeMap, BTreeSet};

use crate::cohort::read::{Quantity, Row};

/// An ask whose wrong value others follow from.
#[derive(Clone, Debug, Default)]
pub struct Root {
    /// Answers in which something follows from it.
    pub answers: usize,
    /// Answers by the mistake that was made at the root; those that no mistake explains under the empty name.
    pub mistakes: BTreeMap<String, usize>,
    /// Answers by the ask that follows from it.
    pub reaches: BTreeMap<String, usize>,
    /// The points of what follows: not lost, because an error is paid for once.
    pub kept: f64,
}

/// Follows every value of a row that is carried forward back to where its error begins. Whether there was any.
pub(super) fn follow(row: &Row, roots: &mut BTreeMap<String, Root>) -> bool {
    let asked: BTreeMap<&str, &Quantity> = row.quantities.iter().map(|quantity| (quantity.id.as_str(), quantity)).collect();
    let mut here: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut kept: BTreeMap<&str, f64> = BTreeMap::new();
    let carried = || row.quantities.iter().filter(|quantity| quantity.verdict == "carried_forward");
    for quantity in carried() {
        let roots = roots_of(quantity, &asked);
        for root in &roots {
            here.entry(root).or_default().insert(&quantity.id);
            // What follows from two errors is kept from either.
            *kept.entry(root).or_default() += quantity.points / super::count_as_f64(roots.len());
        }
    }
    for (root, reaches) in here {
        let known = roots.entry(root.to_owned()).or_default();
        known.answers += 1;
        known.kept += kept.get(root).copied().unwrap_or(0.0);
        let mistake = asked.get(root).and_then(|quantity| quantity.mistake.clone()).unwrap_or_default();
        *known.mistakes.entry(mistake).or_default() += 1;
        for id in reaches {
            *known.reaches.entry(id.to_owned()).or_default() += 1;
        }
    }
    carried().next().is_some()
}

/// The asks at the beginning of what a value follows from: those that are not themselves carried forward.
fn roots_of<'a>(quantity: &'a Quantity, asked: &BTreeMap<&'a str, &'a Quantity>) -> BTreeSet<&'a str> {
    let mut roots = BTreeSet::new();
    let mut seen = BTreeSet::from([quantity.id.as_str()]);
    let mut left: Vec<&str> = quantity.carried_from.iter().map(String::as_str).collect();
    while let Some(id) = left.pop() {
        if !seen.insert(id) {
            continue;
        }
        match asked.get(id) {
            Some(earlier) if earlier.verdict == "carried_forward" => left.extend(earlier.carried_from.iter().map(String::as_str)),
            _ => {
                roots.insert(id);
            }
        }
    }
    roots
}
