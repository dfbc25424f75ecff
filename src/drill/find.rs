//! Which of several drills an answer is for.

use std::collections::BTreeSet;

use crate::answer::Answer;
use crate::drill::{Drill, Origin, Part};
use crate::phrase::{Phrase, Phrases};
use crate::quantity::{Dimension, Units};
use crate::recognize::{self, Context};

/// What the title of a drill counts, against one for each of its parts and each of its givens that the answer names.
const TITLE: usize = 4;

/// The drill that an answer is for: by its title, by the parts that it names, and by the givens that it restates. One
/// drill alone needs no evidence.
///
/// # Errors
///
/// The candidates, where nothing speaks for one of them: those for which as much speaks as for any, or else all.
pub fn find<'a>(drills: &'a [Drill], answer: &Answer) -> Result<&'a Drill, Vec<&'a Drill>> {
    if let [only] = drills {
        return Ok(only);
    }
    let values = values(answer);
    let scores: Vec<usize> = drills.iter().map(|drill| named(drill, answer) + restated(drill, &values)).collect();
    let best = scores.iter().copied().max().unwrap_or(0);
    let mut candidates: Vec<&Drill> = drills.iter().zip(&scores).filter(|(_, score)| **score == best).map(|(drill, _)| drill).collect();
    match (candidates.len(), best) {
        (1, 1..) => Ok(candidates.remove(0)),
        _ => Err(candidates),
    }
}

/// Every value of the answer with its dimension.
fn values(answer: &Answer) -> BTreeSet<(Dimension, String)> {
    let (units, symbols) = (Units::standard(), BTreeSet::new());
    let context = Context { units: &units, symbols: &symbols, unit_hint: None };
    let mut values = BTreeSet::new();
    for block in &answer.blocks {
        for mention in recognize::recognize(&block.passage, &context).mentions {
            for reading in mention.readings {
                let dimension = reading.unit.as_ref().map_or(Dimension::NONE, |unit| unit.dimension);
                values.insert((dimension, key(reading.value.to_f64())));
            }
        }
    }
    values
}

/// The same for values that differ by the dust of their last binary digits only.
fn key(value: f64) -> String {
    format!("{value:.9e}")
}

/// How many of a drill's givens stand in the answer.
fn restated(drill: &Drill, values: &BTreeSet<(Dimension, String)>) -> usize {
    // A plain number of one digit says nothing about a drill.
    let says_something = |value: f64, dimension: Dimension| dimension != Dimension::NONE || value.abs() >= 10.0;
    let givens = drill.names.iter().filter(|name| name.origin == Origin::Given);
    givens
        .filter(|given| {
            let (value, dimension) = (given.formula.value().to_f64(), given.formula.dimension());
            says_something(value, dimension) && values.contains(&(dimension, key(value)))
        })
        .count()
}

/// How much of a drill the answer names: its title, and its parts.
fn named(drill: &Drill, answer: &Answer) -> usize {
    let words = |text: &str| Phrase::parse(&text.split(|c: char| !c.is_alphanumeric()).collect::<Vec<_>>().join(" ")).ok();
    // Place 0 is the title; the parts follow, each with its own title and topics.
    let parts: Vec<&Part> = drill.parts.iter().flat_map(|part| std::iter::once(part).chain(&part.items)).collect();
    let mut owners = Vec::new();
    let mut phrases = Vec::new();
    let titles = std::iter::once((0, words(&drill.title))).chain(parts.iter().zip(1..).map(|(part, at)| (at, words(&part.title))));
    for (owner, phrase) in titles {
        if let Some(phrase) = phrase {
            owners.push(owner);
            phrases.push(phrase);
        }
    }
    for (part, at) in parts.iter().zip(1..) {
        owners.extend(part.topics.iter().map(|_| at));
        phrases.extend(part.topics.iter().cloned());
    }
    let phrases = Phrases::compile(&phrases);
    let mut named = vec![false; parts.len() + 1];
    for block in &answer.blocks {
        for hit in phrases.find(block.passage.text()) {
            named[owners[hit.phrase]] = true;
        }
    }
    named.iter().enumerate().map(|(at, named)| if *named { if at == 0 { TITLE } else { 1 } } else { 0 }).sum()
}
