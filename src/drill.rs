//! Drills and rubrics: validated, solved, and ready to grade with.
//!
//! Whoever holds a [`Drill`] holds one that is already checked and solved: every formula has been parsed, its dimension
//! agrees with its unit, and the reference values are known. What an author got wrong was told before, all at once, as
//! [`Diagnostic`](crate::diagnostic::Diagnostic)s.

mod altered;
mod check;
mod check_rubric;
mod check_scheme;
mod concept;
mod fields;
mod figures;
mod file;
mod find;
mod library;
mod load;
mod model;
mod names;
mod rubric;
mod rule;
mod scheme;
mod solve;
mod template;
mod variant;

pub use altered::{Alteration, Altered};
pub use concept::{Concept, Concepts, Figure, Given, NEGATORS};
pub use find::Finder;
pub use library::{Library, Unloadable, Unreadable};
pub use model::Model;
pub use rubric::{Credit, Criterion, CriterionKind, Level, Outcome, Rubric, Rules, Sample, Separate, StudentWords};
pub use rule::{Direction, Manner, Names, Rule, RuleError, RuleTrouble, Stretch};
pub use scheme::{Cap, Condition, Earned, Scheme, Standing, Worth};
pub use solve::{NameId, NameSet, Values};
pub use variant::Seed;

use std::collections::BTreeMap;

use crate::formula::{Formula, KnownNames, Scope, Symbol};
use crate::phrase::Phrase;
use crate::quantity::{Number, Tolerance, Unit, Units};

/// An exercise with its givens, its asked quantities, and the ways to get them right and wrong.
#[derive(Clone, Debug)]
pub struct Drill {
    /// The stable name, as `--drill` takes it.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// What it is about, in a sentence or two of Markdown.
    pub summary: String,
    /// SHA-256 of the drill's file, in hexadecimal.
    pub sha256: String,
    /// Everything that has a name in formulas: givens, assumptions and lets, in the order of the file.
    pub names: Vec<Name>,
    /// The units of the standard table and those that the drill adds.
    pub units: Units,
    /// The parts of the question, in order.
    pub parts: Vec<Part>,
    /// All asked quantities, in the order of the file; everything else refers to them by their place here.
    pub asks: Vec<Ask>,
    /// What everything is worth.
    pub rubric: Rubric,
    /// The values of all names, solved from the givens.
    pub reference: Values,
    /// What formulas may name: the names themselves, and whatever students may write for them.
    symbols: BTreeMap<String, Symbol>,
    words: KnownNames,
    /// The names, each after those it needs.
    order: Vec<NameId>,
}

impl Drill {
    /// The place of an ask in [`Drill::asks`].
    pub fn ask(&self, id: &str) -> Option<usize> {
        self.asks.iter().position(|ask| ask.id == id)
    }

    /// Every part, each before its items.
    pub fn all_parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().flat_map(|part| std::iter::once(part).chain(&part.items))
    }

    /// A part or an item by its id.
    pub fn part(&self, id: &str) -> Option<&Part> {
        self.all_parts().find(|part| part.id == id)
    }

    /// What a formula may name, by an author or a student: [`Formula::new`] and the parser want to know.
    pub fn scope(&self) -> Scope<'_> {
        Scope { units: &self.units, symbols: &self.symbols }
    }

    /// Every word that formulas may use as a name, students' symbols among them.
    pub fn words(&self) -> &KnownNames {
        &self.words
    }

    /// A name of the formulas.
    pub fn name(&self, name: &str) -> Option<NameId> {
        self.names.iter().position(|given| given.name == name).map(NameId)
    }
}

/// What a name of the formulas stands for.
#[derive(Clone, Debug)]
pub struct Name {
    /// As formulas write it: `alpha`.
    pub name: String,
    /// Where its value comes from.
    pub origin: Origin,
    /// Its formula; of a given, the quantity as the author wrote it.
    pub formula: Formula,
    /// What it is, as a noun phrase: `latency per hop`.
    pub says: String,
    /// What is counted, where it is a count: `GPUs`.
    pub noun: Option<String>,
    /// How students write it besides: `α`, `T_lat`.
    pub symbols: Vec<String>,
    /// The values that a variant may give it instead of its own; none of a name that never varies.
    pub draws: Vec<Number>,
    /// The names it is worked out from, directly and indirectly; without itself.
    pub needs: NameSet,
}

/// Where the value of a name comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The question states it.
    Given,
    /// Not in the question: an assumption that a student may make otherwise.
    Assumed,
    /// Worked out.
    Let,
}

/// A part of the question, or an item inside one.
#[derive(Clone, Debug)]
pub struct Part {
    /// As students label it: `b`; of an item `e1`.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// Phrases by which a heading without a letter may name it.
    pub topics: Vec<Phrase>,
    /// The question, in Markdown, with the values of this variant.
    pub text: String,
    /// The question as the author wrote it: in a drill of which givens vary, `{P}` stands for the value of `P`.
    pub template: String,
    /// What is asked here, as places in [`Drill::asks`]; without those of the items.
    pub asks: Vec<usize>,
    /// The items inside this part; an item has none.
    pub items: Vec<Part>,
}

/// One asked quantity.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The stable name: `b.latency`.
    pub id: String,
    /// The part it stands in: `b`.
    pub part: String,
    /// The item of the part, where it stands in one: `e1`.
    pub item: Option<String>,
    /// What is asked, as a noun phrase for feedback: `the latency term`.
    pub asks: String,
    /// How the reference is worked out; its [`value`](Formula::value) is the reference.
    pub formula: Formula,
    /// The name that this ask states, where its formula is just that name: a student's own value for it carries forward.
    pub states: Option<NameId>,
    /// The names its reference is worked out from, directly and indirectly.
    pub needs: NameSet,
    /// The asks whose stated names its reference is worked out from, without those that state the same name as this one.
    pub depends_on: Vec<usize>,
    /// The natural unit; `None` for a plain number or a count.
    pub unit: Option<Unit>,
    /// Whether it is asked for in this very unit: another one is right in value, not in form.
    pub in_unit: bool,
    /// What is counted, where it is a count: `buckets`.
    pub noun: Option<String>,
    /// Whether the question demands it; supporting otherwise.
    pub required: bool,
    /// What kind of answer it takes.
    pub kind: AskKind,
    /// What may stand left of `=`: `L`, `T_lat`, and the symbols of the name it states.
    pub symbols: Vec<String>,
    /// Phrases that name it in words, headers and keys.
    pub cues: Vec<Phrase>,
    /// Phrases near a number that say it is something else.
    pub not_cues: Vec<Phrase>,
    /// Other values that are also right.
    pub readings: Vec<Reading>,
    /// Known wrong ways.
    pub mistakes: Vec<Mistake>,
    /// The asks that this one is the sum of.
    pub sum: Vec<usize>,
    /// How far from the reference an answer may be.
    pub tolerance: Tolerance,
    /// How many significant figures an answer has to show before rounding is held in its favor.
    pub min_figures: u32,
    /// A carried value may be this factor away from the truth.
    pub plausible: Number,
    /// What [`Drill::altered`] found.
    altered: altered::Memo,
}

/// What kind of answer an ask takes.
#[derive(Clone, Debug)]
pub enum AskKind {
    /// A measured value.
    Value,
    /// A whole number of things.
    Count,
    /// Any value in a closed interval; the ask's formula is an example of one.
    Range(Box<Interval>),
}

/// The ends of a closed interval.
#[derive(Clone, Debug)]
pub struct Interval {
    /// The smallest that is right.
    pub low: Formula,
    /// The largest that is right.
    pub high: Formula,
}

/// Another value for an ask that is also right.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The stable name.
    pub id: String,
    /// How it is worked out.
    pub formula: Formula,
    /// Its natural unit, where it differs from the ask's; it may even have another dimension.
    pub unit: Option<Unit>,
    /// What it is worth.
    pub credit: ReadingCredit,
    /// What it is, for feedback.
    pub says: String,
    /// Phrases, one of which must stand near for the `…IfLabelled` credits.
    pub label: Vec<Phrase>,
    /// Phrases that *are* the value: `unchanged`.
    pub words: Vec<Phrase>,
    /// How far from it an answer may be.
    pub tolerance: Tolerance,
    /// How many figures it needs, where that differs from the ask: of a growth by 2.8 %, `3 %` says as much as `1.03`.
    pub min_figures: Option<u32>,
}

/// What a reading is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadingCredit {
    /// As much as the reference.
    Full,
    /// As much as the reference, when the words say what it is.
    FullIfLabelled,
    /// A share that the rubric sets, when the words say what it is.
    PartialIfLabelled,
    /// Evidence, not the answer.
    Supporting,
}

/// A known wrong way.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// The stable name.
    pub id: String,
    /// What it comes to.
    pub formula: Formula,
    /// The sentence a student reads.
    pub says: String,
    /// Phrases that *are* the value, or that must decide where the value alone cannot.
    pub words: Vec<Phrase>,
}

#[cfg(test)]
mod tests;
