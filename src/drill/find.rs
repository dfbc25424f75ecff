//! Which drill of several an answer is for, found without loading more than the head of each.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use serde::Deserialize;

use super::{Drill, Library, Origin, Part};
use crate::answer::{Answer, Block};
use crate::formula::KnownNames;
use crate::phrase::{Phrase, Phrases};
use crate::quantity::{Dimension, Units};
use crate::recognize::{self, Context};
use crate::text::Passage;

/// What the title of a drill counts, against one for each of its parts and each of its givens that the answer names.
const TITLE: usize = 4;

/// Less evidence than this may be chance: the words of a short title, a value that stands in many answers.
const SURE: usize = 5;

/// So many bytes of an answer are looked at.
const FAR_ENOUGH: usize = 200_000;

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

/// A value with its dimension.
type Value = (Dimension, f64);

/// Finds the drill that an answer is for, by the title, by the parts that the answer names, by the givens that it restates.
#[derive(Debug)]
pub struct Finder {
    /// By drill.
    known: Vec<Known>,
    matcher: Phrases,
    /// The drill of each phrase and what of it the phrase names: 0 is the drill itself, its parts follow.
    names: Vec<(usize, usize)>,
    units: Units,
}

/// What is known of a drill.
#[derive(Debug, Default)]
struct Known {
    /// Each given as it is written; none of a thing without a head, which its author has to repair first.
    givens: Vec<String>,
    /// The values of each, as soon as they are needed.
    values: OnceLock<Vec<Vec<Value>>>,
}

impl Library {
    /// Looks at the head of each drill, in the order of [`Library::ids`]. No drill is loaded.
    pub fn finder(&self) -> Finder {
        Finder::of(self.ids().map(|id| toml::from_str(self.head(id)?).ok()))
    }
}

impl Finder {
    /// The same for drills that are loaded.
    pub fn among(drills: &[Drill]) -> Finder {
        Finder::of(drills.iter().map(|drill| Some(Head::of(drill))))
    }

    fn of(heads: impl Iterator<Item = Option<Head>>) -> Finder {
        let units = Units::standard();
        let (mut known, mut phrases, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for (drill, head) in heads.enumerate() {
            known.push(Known::default());
            let Some(head) = head else { continue };
            known[drill].givens = head.given.values().filter_map(|given| Some(given.value.as_str()?.to_owned())).collect();
            for (name, phrase) in head.phrases() {
                names.push((drill, name));
                phrases.push(phrase);
            }
        }
        Finder { known, matcher: Phrases::compile(&phrases), names, units }
    }

    /// The drills that an answer may be for, by their places, likeliest first. One alone is sure; between several the
    /// answer's values have to decide, as by words none of them stands out.
    pub fn candidates(&self, answer: &Answer) -> Vec<usize> {
        if self.known.len() < 2 {
            return (0..self.known.len()).collect();
        }
        let named = self.named(answer);
        let mut ranked: Vec<(usize, usize)> = named.iter().copied().zip(0..).collect();
        ranked.sort_by_key(|(speaks, _)| Reverse(*speaks));
        // The others may still be restated, with all that they give; where that does not change anything, it need not be known.
        let (best, likeliest) = ranked[0];
        let at_most = ranked[1..].iter().map(|(named, drill)| named + self.known[*drill].givens.len()).max().unwrap_or_default();
        if best >= SURE && best >= 2 * at_most {
            return vec![likeliest];
        }
        let stated: Vec<Value> = beginning(answer).flat_map(|block| values(&block.passage, &self.units)).collect();
        let speaks = |drill: usize| named[drill] + self.known[drill].restated(&stated, &self.units);
        let mut ranked: Vec<(usize, usize)> = (0..self.known.len()).map(|drill| (speaks(drill), drill)).collect();
        ranked.sort_by_key(|(speaks, _)| Reverse(*speaks));
        let (best, second) = (ranked[0].0, ranked[1].0);
        let least = match best {
            best if best < SURE => 0,
            best if best >= 2 * second => best,
            best => best.div_ceil(2),
        };
        ranked.into_iter().take_while(|(speaks, _)| *speaks >= least).map(|(_, drill)| drill).collect()
    }

    /// The two likeliest of the candidates for an answer; none where nothing tells any of them from the others.
    pub fn likely<'c>(&self, candidates: &'c [usize]) -> &'c [usize] {
        if candidates.len() == self.known.len() && self.known.len() > 2 { &[] } else { &candidates[..candidates.len().min(2)] }
    }

    /// How much of each drill the answer names: its title, and its parts.
    fn named(&self, answer: &Answer) -> Vec<usize> {
        let hits = beginning(answer).flat_map(|block| self.matcher.find_in(block.words()));
        let found: BTreeSet<(usize, usize)> = hits.map(|hit| self.names[hit.phrase]).collect();
        let mut named = vec![0; self.known.len()];
        for (drill, name) in found {
            named[drill] += if name == 0 { TITLE } else { 1 };
        }
        named
    }
}

impl Known {
    /// How many of the givens stand in the answer.
    fn restated(&self, stated: &[Value], units: &Units) -> usize {
        let read = |text: &String| values(&Passage::verbatim(text, 0), units).collect();
        let givens = self.values.get_or_init(|| self.givens.iter().map(read).collect());
        givens.iter().filter(|values| values.iter().any(|value| stated.iter().any(|other| are_same(*value, *other)))).count()
    }
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

    /// What may name the drill, which is 0, and its parts, each by its title and its topics.
    fn phrases(&self) -> Vec<(usize, Phrase)> {
        let parts: Vec<&Topic> = self.part.iter().flat_map(|part| std::iter::once(part).chain(&part.item)).collect();
        let titles = std::iter::once(&self.title).chain(parts.iter().map(|part| &part.title));
        let mut phrases: Vec<(usize, Phrase)> = titles.enumerate().filter_map(|(name, title)| Some((name, plain(title)?))).collect();
        for (part, name) in parts.iter().zip(1..) {
            phrases.extend(part.topics.iter().filter_map(|topic| Some((name, Phrase::parse(topic).ok()?))));
        }
        phrases
    }
}

/// The words of a title as a phrase.
fn plain(title: &str) -> Option<Phrase> {
    let words: Vec<&str> = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    Phrase::parse(&words.join(" ")).ok()
}

/// The blocks of an answer up to a length after which no answer is still saying what it is for.
fn beginning(answer: &Answer) -> impl Iterator<Item = &Block> {
    let mut length = 0;
    answer.blocks.iter().take_while(move |block| {
        length += block.passage.text().len();
        length <= FAR_ENOUGH
    })
}

/// The values in a passage with their dimensions; plain numbers of one digit are in every answer and say nothing.
fn values(passage: &Passage, units: &Units) -> impl Iterator<Item = Value> {
    let symbols = KnownNames::default();
    let context = Context { units, symbols: &symbols, unit_hint: None };
    let readings = recognize::quantities(passage, &context).into_iter().flat_map(|mention| mention.readings);
    readings.filter_map(|reading| {
        let dimension = reading.unit.as_ref().map_or(Dimension::NONE, |unit| unit.dimension);
        let value = reading.value.to_f64();
        (dimension != Dimension::NONE || value.abs() >= 10.0).then_some((dimension, value))
    })
}

/// Whether two values agree in ten figures: what differs only by the dust of its last binary digits is the same value. The
/// figures are written out for the few that are as near as that.
fn are_same((dimension, one): Value, (other_dimension, other): Value) -> bool {
    let is_far = (one - other).abs() > 4e-9 * one.abs();
    !is_far && dimension == other_dimension && format!("{one:.9e}") == format!("{other:.9e}")
}
