//! How far the rules of a rubric get: of each criterion, how many samples they decide, and how many of those rightly.

use std::collections::BTreeMap;

use crate::drill::{Criterion, Drill};
use crate::grade::argue;

/// How the samples of one criterion come out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// The criterion's id.
    pub criterion: String,
    /// All of its samples.
    pub all: Count,
    /// By the outcome that a person gives: `met`, `partly`, `not_met`, `review`.
    pub outcomes: BTreeMap<&'static str, Count>,
}

/// How many samples there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// All.
    pub samples: usize,
    /// Those that a rule decides.
    pub decided: usize,
    /// Those that it decides as a person does.
    pub right: usize,
}

/// Runs the rules of every argued criterion on its samples.
pub fn stats(drill: &Drill) -> Vec<Stats> {
    let sampled = argue::samples(drill).into_iter();
    sampled
        .filter_map(|sampled| Some(of(drill.rubric.criteria.iter().find(|criterion| criterion.id == sampled.criterion)?, &sampled)))
        .collect()
}

fn of(criterion: &Criterion, sampled: &argue::Sampled) -> Stats {
    let mut stats = Stats { criterion: criterion.id.clone(), all: Count::default(), outcomes: BTreeMap::new() };
    for (at, sample) in criterion.samples.iter().enumerate() {
        let decided = sampled.decided_at.contains(&at);
        let right = decided && !sampled.wrong.iter().any(|(wrong, _)| *wrong == at);
        for count in [&mut stats.all, stats.outcomes.entry(sample.outcome.code()).or_default()] {
            count.samples += 1;
            count.decided += usize::from(decided);
            count.right += usize::from(right);
        }
    }
    stats
}
