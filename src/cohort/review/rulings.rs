//! Which of the decisions in a log are in force, and to what they apply.

use std::collections::BTreeMap;

use super::log::{Act, Decision, Entry, Kind};

/// A decision that is in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// The number of its line in the log.
    pub n: u64,
    /// Who decided.
    pub by: String,
    /// When.
    pub time: String,
    /// What.
    pub decision: Decision,
}

/// What a decision could be about.
#[derive(Clone, Copy, Debug, Default)]
pub struct About<'a> {
    /// The drill's id.
    pub drill: &'a str,
    /// What kind of thing.
    pub kind: Kind,
    /// The id of the criterion or the ask.
    pub id: &'a str,
    /// The digest of the criterion or the ask as it is now.
    pub criterion: &'a str,
    /// The digest of what a decision rests on, where it is known.
    pub passage: Option<&'a str>,
    /// The submission.
    pub submission: &'a str,
    /// Of the bytes of the submission.
    pub answer: &'a str,
}

/// A decision that no longer applies where it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reopened {
    /// The submission.
    pub submission: String,
    /// The criterion or the ask.
    pub id: String,
    /// Who had decided.
    pub by: String,
    /// How.
    pub outcome: String,
    /// What changed: a phrase that goes on after the id.
    pub why: &'static str,
    /// How it stands now: an outcome or a verdict.
    pub now: String,
}

/// Drill, kind, id, digest of the criterion, digest of the passage.
type Key = (String, Kind, String, String, String);
/// Drill, kind, id, submission.
type Place = (String, Kind, String, String);

/// The decisions of a log that are in force.
#[derive(Clone, Debug, Default)]
pub struct Rulings {
    by_passage: BTreeMap<Key, Ruling>,
    by_place: BTreeMap<Place, Ruling>,
}

impl Rulings {
    /// The last decision on a text counts; one that was made a second time without seeing the first counts only where
    /// there is no other.
    pub fn of(entries: &[Entry]) -> Rulings {
        let mut rulings = Rulings::default();
        for ruling in standing(entries) {
            let Decision { drill, kind, id, criterion, passage, submission, .. } = ruling.decision.clone();
            let key = (drill.clone(), kind, id.clone(), criterion, passage);
            let counts = |known: Option<&Ruling>| !ruling.decision.second || known.is_none_or(|known| known.decision.second);
            if counts(rulings.by_passage.get(&key)) {
                rulings.by_passage.insert(key, ruling.clone());
            }
            let place = (drill, kind, id, submission);
            if counts(rulings.by_place.get(&place)) {
                rulings.by_place.insert(place, ruling);
            }
        }
        rulings
    }

    /// Whether nobody decided anything.
    pub fn is_empty(&self) -> bool {
        self.by_passage.is_empty()
    }

    /// The decision that holds: on the same words under the same criterion, or, where the digest of the words is not
    /// known, on this very submission.
    pub fn find(&self, about: &About<'_>) -> Option<&Ruling> {
        let owned = str::to_owned;
        let by_passage = about.passage.and_then(|passage| {
            self.by_passage.get(&(owned(about.drill), about.kind, owned(about.id), owned(about.criterion), owned(passage)))
        });
        by_passage.or_else(|| self.before(about).filter(|ruling| holds(ruling, about)))
    }

    /// What was decided about this thing in this submission, whether or not it still holds.
    pub fn before(&self, about: &About<'_>) -> Option<&Ruling> {
        let place = (about.drill.to_owned(), about.kind, about.id.to_owned(), about.submission.to_owned());
        self.by_place.get(&place)
    }

    /// A decision that was made here and holds no longer, because the words or the criterion changed.
    pub fn reopened(&self, about: &About<'_>, now: &str) -> Option<Reopened> {
        if self.find(about).is_some() {
            return None;
        }
        let before = self.before(about)?;
        Some(Reopened {
            submission: about.submission.to_owned(),
            id: about.id.to_owned(),
            by: before.by.clone(),
            outcome: before.decision.outcome.clone(),
            why: if before.decision.criterion == about.criterion { "what the student wrote has changed" } else { "the rubric has changed" },
            now: now.to_owned(),
        })
    }
}

/// The same bytes were looked at, and the same was asked.
fn holds(ruling: &Ruling, about: &About<'_>) -> bool {
    ruling.decision.answer == about.answer && ruling.decision.criterion == about.criterion
}

/// The decisions that were not undone, in the order of the log.
pub(super) fn standing(entries: &[Entry]) -> impl Iterator<Item = Ruling> + '_ {
    let undone: std::collections::BTreeSet<u64> = entries
        .iter()
        .filter_map(|entry| match entry.act {
            Act::Undo { of } => Some(of),
            Act::Decide(_) => None,
        })
        .collect();
    entries.iter().filter(move |entry| !undone.contains(&entry.n)).filter_map(|entry| match &entry.act {
        Act::Decide(decision) => Some(Ruling { n: entry.n, by: entry.by.clone(), time: entry.time.clone(), decision: decision.clone() }),
        Act::Undo { .. } => None,
    })
}
