//! What a drill's file holds, as types: a sentence for each key, which editors show while it is written.

use std::collections::BTreeMap;

use schemars::JsonSchema;

use super::{Quantity, Unused};

/// An exercise: what is given, what follows from it, and what is asked.
#[derive(JsonSchema)]
#[schemars(title = "A drill of drillmark", deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Drill {
    /// The version of this layout: 1.
    #[schemars(with = "One")]
    pub(crate) format: Unused,
    /// The stable name, which is also the name of the file.
    pub(crate) id: String,
    /// What people call it.
    pub(crate) title: String,
    /// What it is about, in a sentence or two of Markdown.
    pub(crate) summary: Option<String>,
    /// What holds for every ask that does not say otherwise.
    pub(crate) defaults: Option<Rules>,
    /// What the question states: a quantity with its unit, or a table that says more about it.
    #[schemars(default)]
    pub(crate) given: BTreeMap<String, NameOrFormula>,
    /// What is not in the question, and an answer may rest on; a student may assume otherwise.
    #[schemars(default)]
    pub(crate) assume: BTreeMap<String, NameOrFormula>,
    /// What follows, as formulas over the other names, in any order.
    #[serde(rename = "let")]
    #[schemars(default)]
    pub(crate) lets: BTreeMap<String, NameOrFormula>,
    /// Units of this drill beside the standard ones, as formulas: `step = "400 ms"`.
    #[schemars(default)]
    pub(crate) unit: BTreeMap<String, Quantity>,
    /// The parts of the question, in order.
    #[schemars(default)]
    pub(crate) part: Vec<Part>,
    /// Why findings of `drillmark lint` are as they should be here: `{ CODE = "why" }`.
    #[schemars(default)]
    pub(crate) because: BTreeMap<String, Because>,
}

/// The only version there is.
#[derive(JsonSchema)]
#[schemars(inline, extend("const" = 1, "type" = "integer"))]
pub(crate) struct One {}

/// A formula or a quantity, or a table with one and what else there is to say.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) enum NameOrFormula {
    /// A formula or a quantity alone.
    Formula(Quantity),
    /// With what it is.
    Name(Name),
}

/// A given, an assumption, or what follows.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Name {
    /// A quantity with its unit, or a formula.
    pub(crate) value: Quantity,
    /// What it is, as a noun phrase: `the latency of one step`.
    pub(crate) says: Option<String>,
    /// What is counted, where it is a count: `GPUs`.
    pub(crate) noun: Option<String>,
    /// How students write it besides: `α`, `T_lat`.
    #[schemars(default)]
    pub(crate) symbols: Vec<String>,
    /// Of a given: the values that variants of the drill may have instead.
    #[schemars(default)]
    pub(crate) from: Vec<Quantity>,
    /// Of a given: the smallest and the largest value of a variant.
    #[schemars(default)]
    pub(crate) range: Vec<Quantity>,
    /// With `range`: from one value to the next.
    pub(crate) step: Option<Quantity>,
    /// Why findings of `drillmark lint` are as they should be here: `{ CODE = "why" }`.
    #[schemars(default)]
    pub(crate) because: BTreeMap<String, Because>,
}

/// How an ask is judged.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Rules {
    /// How far from the value an answer may be, as a share of it: `1 %`.
    pub(crate) tolerance: Option<Quantity>,
    /// How far from the value an answer may be, as a quantity: `0.5 ms`.
    pub(crate) absolute: Option<String>,
    /// How many significant figures an answer has to show before rounding is held in its favor.
    pub(crate) min_figures: Option<f64>,
    /// By what factor a carried value may be away from the truth.
    pub(crate) plausible: Option<f64>,
}

/// Why a finding is as it should be, or why it is for each thing that it names.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) enum Because {
    /// For every finding of the code here.
    Why(String),
    /// By what the finding names.
    Each(BTreeMap<String, String>),
}

/// A part of the question.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Part {
    /// As students label it: `b`; of an item, `e1`.
    pub(crate) id: String,
    /// Its heading.
    pub(crate) title: String,
    /// Phrases by which a heading without a letter may name it.
    #[schemars(default)]
    pub(crate) topics: Vec<String>,
    /// The question, in Markdown. A copy of it in an answer is recognized, and is not the student's.
    pub(crate) text: Option<String>,
    /// The quantities that are asked.
    #[schemars(default)]
    pub(crate) ask: Vec<Ask>,
    /// The numbered items of the part, which look like parts.
    #[schemars(default)]
    pub(crate) item: Vec<Part>,
    /// Why findings of `drillmark lint` are as they should be here: `{ CODE = "why" }`.
    #[schemars(default)]
    pub(crate) because: BTreeMap<String, Because>,
}

/// An asked quantity.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Ask {
    /// The stable name: `b.latency`, the part and a word.
    pub(crate) id: String,
    /// What is asked, as a noun phrase: feedback and answer templates name it so.
    pub(crate) asks: String,
    /// The value, as a formula. Where it is just a name, the answer states that name, and a wrong one is carried forward.
    pub(crate) value: Quantity,
    /// The natural unit; nothing for a plain number or a count.
    pub(crate) unit: Option<String>,
    /// Whether it is asked for in this very unit: another one is right in value and not in form.
    #[schemars(default)]
    pub(crate) in_unit: bool,
    /// What is counted, where it is a count: `buckets`.
    pub(crate) noun: Option<String>,
    /// Whether the question demands it; otherwise it is supporting.
    #[schemars(default)]
    pub(crate) required: bool,
    /// What kind of answer it takes.
    #[schemars(with = "Option<AskKind>")]
    pub(crate) kind: Unused,
    /// With `kind = "range"`: the smallest and the largest value that is right, as formulas.
    #[schemars(default)]
    pub(crate) accept: Vec<String>,
    /// What may stand left of an equals sign.
    #[schemars(default)]
    pub(crate) symbols: Vec<String>,
    /// Phrases that name it in words, headers and keys.
    #[schemars(default)]
    pub(crate) cues: Vec<String>,
    /// Phrases near a number that say it is something else.
    #[schemars(default)]
    pub(crate) not_cues: Vec<String>,
    /// Other values that are also right.
    #[schemars(default)]
    pub(crate) reading: Vec<Reading>,
    /// Known wrong ways.
    #[schemars(default)]
    pub(crate) mistake: Vec<Mistake>,
    /// The asks that this one is the sum of.
    #[schemars(default)]
    pub(crate) sum: Vec<String>,
    /// How far from the value an answer may be, as a share of it: `1 %`.
    pub(crate) tolerance: Option<Quantity>,
    /// How far from the value an answer may be, as a quantity: `0.5 ms`.
    pub(crate) absolute: Option<String>,
    /// How many significant figures an answer has to show before rounding is held in its favor.
    pub(crate) min_figures: Option<f64>,
    /// By what factor a carried value may be away from the truth.
    pub(crate) plausible: Option<f64>,
    /// Why findings of `drillmark lint` are as they should be here: `{ CODE = "why" }`.
    #[schemars(default)]
    pub(crate) because: BTreeMap<String, Because>,
}

/// What kind of answer an ask takes.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) enum AskKind {
    /// A measured value.
    Value,
    /// A whole number of things.
    Count,
    /// Any value in a closed interval.
    Range,
}

/// Another value that is also right.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Reading {
    /// The stable name.
    pub(crate) id: String,
    /// The value, as a formula.
    pub(crate) value: Quantity,
    /// Its unit, where that is another than the ask's; it may even be of another kind.
    pub(crate) unit: Option<String>,
    /// What it is worth.
    #[schemars(with = "ReadingCredit")]
    pub(crate) credit: Unused,
    /// What it is, for feedback.
    pub(crate) says: String,
    /// Phrases, one of which must stand near for the `…_if_labelled` credits.
    #[schemars(default)]
    pub(crate) label: Vec<String>,
    /// Phrases that are the value: `unchanged`.
    #[schemars(default)]
    pub(crate) words: Vec<String>,
    /// How far from the value an answer may be, as a share of it.
    pub(crate) tolerance: Option<Quantity>,
    /// How far from the value an answer may be, as a quantity.
    pub(crate) absolute: Option<String>,
    /// How many significant figures an answer has to show.
    pub(crate) min_figures: Option<f64>,
    /// By what factor a carried value may be away from the truth.
    pub(crate) plausible: Option<f64>,
    /// Why findings of `drillmark lint` are as they should be here: `{ CODE = "why" }`.
    #[schemars(default)]
    pub(crate) because: BTreeMap<String, Because>,
}

/// What a reading is worth.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) enum ReadingCredit {
    /// As much as the value itself.
    Full,
    /// As much, when the words say what it is.
    FullIfLabelled,
    /// A share that the rubric sets, when the words say what it is.
    PartialIfLabelled,
    /// Evidence, not the answer.
    Supporting,
}

/// A known wrong way.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Mistake {
    /// The stable name.
    pub(crate) id: String,
    /// What it comes to, as a formula.
    pub(crate) value: Quantity,
    /// The sentence a student reads. It leads on and gives no number away.
    pub(crate) says: String,
    /// Phrases that are the value, or that must decide where the value alone cannot.
    #[schemars(default)]
    pub(crate) words: Vec<String>,
    /// Why findings of `drillmark lint` are as they should be here: `{ CODE = "why" }`.
    #[schemars(default)]
    pub(crate) because: BTreeMap<String, Because>,
}
