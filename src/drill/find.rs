//! Which drill of a library an answer is for, found without loading more than the head of each.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Drill, Library, Origin, Part};
use crate::answer::Answer;
use crate::phrase::{Phrase, Phrases};
use crate::quantity::{Dimension, Units};
use crate::recognize::{self, Context};
use crate::text::Passage;

/// What the title of a drill counts, against one for each of its parts and each of its givens that the answer names.
const TITLE: usize = 4;

/// Less evidence than this may be chance: the words of a short title, a value that stands in many answers.
const SURE: usize = 5;

/// What tells one drill from another. Everything else in its file is for whoever loads it.
#[derive(Deserialize)]
struct Head {
    title: String,
    #[serde(default)]
    given: BTreeMap<String, Given>,
    #[serde(default)]
    part: Vec<Topic>,
}

#[derive(Deserialize)]
struct Given {
    value: toml::Value,
}

#[derive(Deserialize)]
struct Topic {
    title: String,
    #[serde(default)]
    topics: Vec<String>,
    #[serde(default)]
    item: Vec<Topic>,
}

impl Library {
    /// The ids of the drills that an answer may be for, likeliest first: by its title, by the parts that it names, by the
    /// givens that it restates. One id alone is sure; between several its values have to decide, as by words none of them
    /// stands out. No drill is loaded.
    pub fn candidates(&self, answer: &Answer) -> Vec<&str> {
        let ids: Vec<&str> = self.ids().collect();
        choose(ids, answer, |id| {
            let (drill, _) = self.sources(id)?;
            toml::from_str(drill.text()).ok()
        })
    }
}

/// The same among drills that are loaded.
pub fn candidates<'a>(drills: &'a [Drill], answer: &Answer) -> Vec<&'a Drill> {
    choose(drills.iter().collect(), answer, |drill| Some(Head::of(drill)))
}

/// What may be meant by an answer. A thing without a head, which its author has to repair first, is not.
fn choose<T: Copy>(all: Vec<T>, answer: &Answer, head: impl Fn(T) -> Option<Head>) -> Vec<T> {
    if all.len() < 2 {
        return all;
    }
    let stated = answer.blocks.iter().flat_map(|block| values(&block.passage)).collect();
    let speaks = |thing: &T| head(*thing).map_or(0, |head| head.named(answer) + head.restated(&stated));
    let mut ranked: Vec<(usize, T)> = all.iter().map(|thing| (speaks(thing), *thing)).collect();
    ranked.sort_by_key(|(speaks, _)| Reverse(*speaks));
    let (best, second) = (ranked[0].0, ranked[1].0);
    let least = match best {
        best if best < SURE => 0,
        best if best >= 2 * second => best,
        best => best.div_ceil(2),
    };
    ranked.into_iter().take_while(|(speaks, _)| *speaks >= least).map(|(_, thing)| thing).collect()
}

impl Head {
    fn of(drill: &Drill) -> Head {
        let topic = |part: &Part, item: Vec<Topic>| Topic {
            title: part.title.clone(),
            topics: part.topics.iter().map(|topic| topic.source().to_owned()).collect(),
            item,
        };
        let items = |part: &Part| part.items.iter().map(|item| topic(item, Vec::new())).collect();
        let givens = drill.names.iter().filter(|name| name.origin == Origin::Given);
        Head {
            title: drill.title.clone(),
            given: givens.map(|name| (name.name.clone(), Given { value: name.formula.text().into() })).collect(),
            part: drill.parts.iter().map(|part| topic(part, items(part))).collect(),
        }
    }
}

impl Head {
    /// How much of the drill the answer names: its title, and its parts.
    fn named(&self, answer: &Answer) -> usize {
        let parts: Vec<&Topic> = self.part.iter().flat_map(|part| std::iter::once(part).chain(&part.item)).collect();
        // Owner 0 is the drill; the parts follow, each with its title and its topics.
        let mut phrases: Vec<(usize, Phrase)> = Vec::new();
        let titles = std::iter::once(&self.title).chain(parts.iter().map(|part| &part.title));
        phrases.extend(titles.enumerate().filter_map(|(owner, title)| Some((owner, plain(title)?))));
        for (part, owner) in parts.iter().zip(1..) {
            phrases.extend(part.topics.iter().filter_map(|topic| Some((owner, Phrase::parse(topic).ok()?))));
        }
        let matcher = Phrases::compile(phrases.iter().map(|(_, phrase)| phrase));
        let hits = answer.blocks.iter().flat_map(|block| matcher.find(block.passage.text()));
        let owners: BTreeSet<usize> = hits.map(|hit| phrases[hit.phrase].0).collect();
        owners.iter().map(|owner| if *owner == 0 { TITLE } else { 1 }).sum()
    }

    /// How many of the givens stand in the answer.
    fn restated(&self, stated: &BTreeSet<(Dimension, String)>) -> usize {
        let givens = self.given.values().filter_map(|given| given.value.as_str());
        givens.filter(|text| values(&Passage::verbatim(text, 0)).any(|value| stated.contains(&value))).count()
    }
}

/// The words of a title as a phrase.
fn plain(title: &str) -> Option<Phrase> {
    let words: Vec<&str> = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    Phrase::parse(&words.join(" ")).ok()
}

/// The values in a passage with their dimensions; plain numbers of one digit are in every answer and say nothing.
fn values(passage: &Passage) -> impl Iterator<Item = (Dimension, String)> {
    let (units, symbols) = (Units::standard(), BTreeSet::new());
    let context = Context { units: &units, symbols: &symbols, unit_hint: None };
    let readings = recognize::recognize(passage, &context).mentions.into_iter().flat_map(|mention| mention.readings);
    readings.filter_map(|reading| {
        let dimension = reading.unit.map_or(Dimension::NONE, |unit| unit.dimension);
        let value = reading.value.to_f64();
        // Ten figures: what differs only by the dust of its last binary digits is the same value.
        (dimension != Dimension::NONE || value.abs() >= 10.0).then(|| (dimension, format!("{value:.9e}")))
    })
}
