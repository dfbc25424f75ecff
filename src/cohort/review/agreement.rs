//! How far people agree with each other and with the rules.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::cases::Identity;
use super::desk::identity;
use super::log::{Entry, Kind};
use super::rulings::{Ruling, standing};

/// How far two sides agree about what both decided.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Pairing {
    /// Texts that both decided.
    pub both: usize,
    /// Of them, those that they decided alike.
    pub alike: usize,
    /// The share of those, from 0 to 1; none where there are none.
    pub agreement: Option<f64>,
    /// Cohen's kappa: agreement beyond what chance would give. None where both always say the same one thing, of which
    /// chance would give as much.
    pub kappa: Option<f64>,
}

/// The agreement about one criterion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// The drill's id.
    pub drill: String,
    /// The criterion's or the ask's id.
    pub id: String,
    /// Between two people.
    pub people: Pairing,
    /// Between a person and the rules.
    pub rules: Pairing,
    /// What was decided in two ways.
    pub disagreements: Vec<Disagreement>,
}

/// A text that was decided in two ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// A submission in which it stands.
    pub submission: String,
    /// Who decided first; none where the rules did.
    pub first: Option<String>,
    /// How.
    pub first_says: String,
    /// Who decided otherwise.
    pub second: String,
    /// How.
    pub second_says: String,
    /// How somebody settled it, where somebody did.
    pub settled: Option<String>,
}

/// What was said about one text.
#[derive(Default)]
struct Said {
    /// The first word of the first person.
    first: Option<Ruling>,
    /// Those who did not see it, each with their last word.
    seconds: BTreeMap<String, Ruling>,
    settled: Option<Ruling>,
}

fn said(entries: &[Entry]) -> BTreeMap<Identity, Said> {
    let mut texts: BTreeMap<Identity, Said> = BTreeMap::new();
    for ruling in standing(entries) {
        let said = texts.entry(identity(&ruling.decision)).or_default();
        if ruling.decision.settles {
            said.settled = Some(ruling);
        } else if ruling.decision.second {
            said.seconds.insert(ruling.by.clone(), ruling);
        } else if said.first.as_ref().is_none_or(|first| first.by == ruling.by && said.seconds.is_empty()) {
            said.first = Some(ruling);
        }
    }
    texts
}

/// The words of a text that stand against each other: the rules' or the first person's, and another's.
fn pairs(said: &Said) -> Vec<(Option<&Ruling>, &str, &Ruling)> {
    let mut pairs = Vec::new();
    let people: Vec<&Ruling> = said.first.iter().chain(said.seconds.values()).collect();
    if let Some(first) = &said.first {
        let others = said.seconds.values().filter(|second| second.by != first.by);
        pairs.extend(others.map(|second| (Some(first), first.decision.outcome.as_str(), second)));
    }
    for person in people {
        if let Some(rule) = &person.decision.rule {
            pairs.push((None, rule.as_str(), person));
        }
    }
    pairs
}

/// The texts that were decided in two ways, whether or not somebody settled them.
pub(super) fn contested(entries: &[Entry]) -> BTreeSet<Identity> {
    let differ = |said: &Said| pairs(said).iter().any(|(_, first, second)| *first != second.decision.outcome);
    said(entries).into_iter().filter(|(_, said)| differ(said)).map(|(identity, _)| identity).collect()
}

/// The agreement about each criterion of which anything was decided twice, by drill and id.
pub fn agreement(entries: &[Entry]) -> Vec<Agreement> {
    let mut by_criterion: BTreeMap<(String, Kind, String), Vec<Said>> = BTreeMap::new();
    for ((drill, kind, id, _), said) in said(entries) {
        by_criterion.entry((drill, kind, id)).or_default().push(said);
    }
    let mut found = Vec::new();
    for ((drill, _, id), texts) in by_criterion {
        let (mut people, mut rules, mut disagreements) = (Vec::new(), Vec::new(), Vec::new());
        for said in &texts {
            for (first, first_says, second) in pairs(said) {
                let pair = (first_says.to_owned(), second.decision.outcome.clone());
                if pair.0 != pair.1 {
                    disagreements.push(Disagreement {
                        submission: second.decision.submission.clone(),
                        first: first.map(|first| first.by.clone()),
                        first_says: pair.0.clone(),
                        second: second.by.clone(),
                        second_says: pair.1.clone(),
                        settled: said.settled.as_ref().map(|settled| settled.decision.outcome.clone()),
                    });
                }
                if first.is_some() { people.push(pair) } else { rules.push(pair) }
            }
        }
        if people.len() + rules.len() > 0 {
            disagreements.sort_by(|one, other| one.submission.cmp(&other.submission));
            found.push(Agreement { drill, id, people: pairing(&people), rules: pairing(&rules), disagreements });
        }
    }
    found
}

fn pairing(pairs: &[(String, String)]) -> Pairing {
    let (both, alike) = (pairs.len(), pairs.iter().filter(|(one, other)| one == other).count());
    if both == 0 {
        return Pairing::default();
    }
    // OK because nobody decides 2^52 texts.
    #[expect(clippy::cast_precision_loss, reason = "counts of decisions are small")]
    let share = |count: usize| count as f64 / both as f64;
    let says: BTreeSet<&str> = pairs.iter().flat_map(|(one, other)| [one.as_str(), other.as_str()]).collect();
    let chance: f64 = says
        .into_iter()
        .map(|word| {
            let first = pairs.iter().filter(|(one, _)| one == word).count();
            let second = pairs.iter().filter(|(_, other)| other == word).count();
            share(first) * share(second)
        })
        .sum();
    let agreement = share(alike);
    let kappa = (chance < 1.0).then(|| (agreement - chance) / (1.0 - chance));
    let rounded = |value: f64| (value * 1e4).round() / 1e4 + 0.0;
    Pairing { both, alike, agreement: Some(rounded(agreement)), kappa: kappa.map(rounded) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(one: &str, other: &str, times: usize) -> Vec<(String, String)> {
        vec![(one.to_owned(), other.to_owned()); times]
    }

    #[test]
    fn kappa_is_that_of_the_books() {
        // Both yes 20, yes/no 5, no/yes 10, both no 15: 70 % agreement, kappa 0.4.
        let pairs = [pair("y", "y", 20), pair("y", "n", 5), pair("n", "y", 10), pair("n", "n", 15)].concat();
        assert_eq!(pairing(&pairs), Pairing { both: 50, alike: 35, agreement: Some(0.7), kappa: Some(0.4) });
        assert_eq!(pairing(&pair("y", "y", 3)), Pairing { both: 3, alike: 3, agreement: Some(1.0), kappa: None });
        let crossed = [pair("y", "n", 1), pair("n", "y", 1)].concat();
        assert_eq!(pairing(&crossed), Pairing { both: 2, alike: 0, agreement: Some(0.0), kappa: Some(-1.0) });
        assert_eq!(pairing(&[]), Pairing::default());
    }
}
