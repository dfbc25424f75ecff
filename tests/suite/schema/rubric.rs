//! What a rubric's file holds, as types.

use std::collections::BTreeMap;

use schemars::JsonSchema;

use super::drill::{Because, One};
use super::{Quantity, Unused};

/// What everything in a drill is worth, and which arguments are looked for.
#[derive(JsonSchema)]
#[schemars(title = "A rubric of drillmark", deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Rubric {
    /// The version of this layout: 1.
    #[schemars(with = "One")]
    pub(crate) format: Unused,
    /// The stable name, which is also the name of the file.
    pub(crate) id: String,
    /// The drill it is for.
    pub(crate) drill: String,
    /// What all points come to, as a check.
    pub(crate) total: Option<f64>,
    /// What the points of each part come to, as a check.
    #[schemars(default)]
    pub(crate) totals: BTreeMap<String, f64>,
    /// What students were told a good answer is like: who copies it argues nothing.
    pub(crate) handout: Option<String>,
    /// What share of its points an ask earns when it is not simply right.
    pub(crate) credit: Option<Credit>,
    /// The points of each ask, by its id. One that is not listed is judged and reported, and earns nothing.
    #[schemars(default)]
    pub(crate) values: BTreeMap<String, f64>,
    /// What the rules of the criteria name: the ways to say a thing.
    #[schemars(default)]
    pub(crate) concept: BTreeMap<String, Concept>,
    /// What is looked for besides values.
    #[schemars(default)]
    pub(crate) criterion: Vec<Criterion>,
    /// The most that several things earn together.
    #[schemars(default)]
    pub(crate) cap: Vec<Cap>,
    /// Why findings of `drillmark lint` are as they should be here: `{ CODE = "why" }`.
    #[schemars(default)]
    pub(crate) because: BTreeMap<String, Because>,
}

/// Shares of an ask's points, from 0 to 1.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Credit {
    /// A labelled reading that is worth a part. Without it: 0.5.
    pub(crate) partial_reading: Option<f64>,
    /// Right, and not in the form that was asked. Without it: 0.8.
    pub(crate) form: Option<f64>,
    /// Right but for a missing unit. Without it: 0.5.
    pub(crate) missing_unit: Option<f64>,
    /// Follows from the student's own earlier value. Without it: 1.
    pub(crate) carried: Option<f64>,
    /// A recognized mistake. Without it: 0.
    pub(crate) slip: Option<f64>,
    /// A right method with a slip in the arithmetic. Without it: 0.5.
    pub(crate) arithmetic_slip: Option<f64>,
}

/// Something that can be said in many ways: phrases, figures, or a rule over other concepts.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Concept {
    /// Phrases, in the notation for words.
    #[schemars(default)]
    pub(crate) phrases: Vec<String>,
    /// Values that say it.
    #[schemars(default)]
    pub(crate) figures: Vec<Figure>,
    /// The quantities that the phrases may stand for, so that what is compared with them is worked out.
    #[schemars(default)]
    pub(crate) means: Vec<Figure>,
    /// A rule over other concepts.
    pub(crate) rule: Option<String>,
    /// Why findings of `drillmark lint` are as they should be here: `{ CODE = "why" }`.
    #[schemars(default)]
    pub(crate) because: BTreeMap<String, Because>,
}

/// A quantity that says something when it stands in a text.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Figure {
    /// The value, as a formula over the drill's names.
    pub(crate) value: Quantity,
    /// Its unit.
    pub(crate) unit: Option<String>,
    /// How far from it a figure may be, as a share.
    pub(crate) tolerance: Option<Quantity>,
    /// The ask whose value it is: then the student's own value counts as well.
    pub(crate) ask: Option<String>,
}

/// Something that is looked for besides values.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Criterion {
    /// The stable name: `d.overlap`.
    pub(crate) id: String,
    /// The part, or the item, whose text is weighed.
    pub(crate) part: String,
    /// What it is worth; or else `deduct`.
    pub(crate) points: Option<f64>,
    /// What it costs when it is met, in place of `points`.
    pub(crate) deduct: Option<f64>,
    /// The criterion or ask without which it does not count.
    pub(crate) only_if: Option<String>,
    /// A name that it shares with others, of which the best counts.
    pub(crate) either: Option<String>,
    /// The levels that a person chooses from, with their shares of the points.
    #[schemars(default)]
    pub(crate) level: Vec<Level>,
    /// How it is decided.
    #[schemars(with = "CriterionKind")]
    pub(crate) kind: Unused,
    /// What is looked for, for staff.
    pub(crate) says: Option<String>,
    /// With `kind = "separate"`: the sum and its terms.
    pub(crate) separate: Option<Separate>,
    /// The rule for full points.
    pub(crate) met: Option<String>,
    /// The rule for some points.
    pub(crate) partly: Option<String>,
    /// The share of the points for `partly`, from 0 to 1. Without it: 0.5.
    pub(crate) partly_share: Option<f64>,
    /// The rule for no points. What no rule decides, or more than one, is left to a person.
    pub(crate) not_met: Option<String>,
    /// The rule by which a person has to decide, whatever the other rules say.
    pub(crate) review: Option<String>,
    /// What students read.
    pub(crate) student: Option<Student>,
    /// A word to graders.
    pub(crate) note: Option<String>,
    /// Texts with the outcome that a careful person gives them.
    #[schemars(default)]
    pub(crate) sample: Vec<Sample>,
    /// Why findings of `drillmark lint` are as they should be here: `{ CODE = "why" }`.
    #[schemars(default)]
    pub(crate) because: BTreeMap<String, Because>,
}

/// A level of a criterion that a person decides.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Level {
    /// Its share of the points, from 0 to 1.
    pub(crate) share: f64,
    /// What an answer of this level does.
    pub(crate) says: String,
}

/// The most that several things earn together.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Cap {
    /// The ids of asks and criteria.
    #[schemars(default)]
    pub(crate) of: Vec<String>,
    /// Points.
    pub(crate) at_most: f64,
}

/// How a criterion is decided.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) enum CriterionKind {
    /// By whether the terms of a sum are shown separately.
    Separate,
    /// By rules on the words.
    Argument,
    /// By the form of what was written; rules may help.
    Form,
    /// By a person, always.
    Hand,
}

/// A sum whose terms are to be shown.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Separate {
    /// The ask that is the sum.
    pub(crate) of: String,
    /// The asks that are its terms.
    #[schemars(default)]
    pub(crate) terms: Vec<String>,
    /// The share of the points for some of the terms.
    pub(crate) partly: Option<f64>,
}

/// What students read about a criterion.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Student {
    /// When it is met.
    pub(crate) met: Option<String>,
    /// When it is met partly.
    pub(crate) partly: Option<String>,
    /// When it is not met.
    pub(crate) not_met: Option<String>,
    /// A question that leads on, shown before the deadline.
    pub(crate) hint: Option<String>,
}

/// A text with the outcome that a careful person gives it.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Sample {
    /// What a student wrote.
    pub(crate) text: String,
    /// How it turns out.
    #[schemars(with = "Outcome")]
    pub(crate) outcome: Unused,
}

/// How a text turns out.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) enum Outcome {
    /// Full points.
    Met,
    /// Some points.
    Partly,
    /// No points.
    NotMet,
    /// A person has to decide.
    Review,
}
