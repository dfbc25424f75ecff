//! What the declared verdicts of a fixture hold, as types.

use std::collections::BTreeMap;

use schemars::JsonSchema;

use super::report::{Terms, Verdict};
use super::rubric::Outcome;

/// What a careful person says of an answer: `fixtures/DRILL/CASE.expect.toml`. Written by hand, never by a program.
#[derive(JsonSchema)]
#[schemars(title = "Declared verdicts of a fixture", deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Expect {
    /// The drill that is answered.
    pub(crate) drill: String,
    /// Why the case is here, for people.
    pub(crate) why: String,
    /// The points that the person gives in the end: not less than the program gives, and not more than that and what it
    /// leaves to a person.
    pub(crate) awarded: Option<f64>,
    /// By ask. One that is not listed is missing from the answer.
    #[schemars(default)]
    pub(crate) quantities: BTreeMap<String, Declared>,
    /// By the ask that is a sum: which of its terms are shown.
    #[schemars(default)]
    pub(crate) separate: BTreeMap<String, OneOrSeveral<Terms>>,
    /// By criterion: how it turns out. A criterion may always be left to a person; one that is not listed is not looked at.
    #[schemars(default)]
    pub(crate) criteria: BTreeMap<String, OneOrSeveral<Outcome>>,
}

/// One, or several that are fair.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) enum OneOrSeveral<T> {
    /// Only this.
    One(T),
    /// Any of these: a fair person could give either.
    Several(Vec<T>),
}

/// What is declared of a quantity.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) enum Declared {
    /// The verdict.
    One(Verdict),
    /// The verdicts that are fair.
    Several(Vec<Verdict>),
    /// More than the verdict.
    Want(Want),
}

/// What is declared of a quantity besides its verdict.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Want {
    /// One verdict, or several fair ones.
    pub(crate) verdict: Option<OneOrSeveral<Verdict>>,
    /// The id of the mistake that has to be named.
    pub(crate) mistake: Option<String>,
    /// The id of the accepted reading.
    pub(crate) reading: Option<String>,
    /// The asks it is carried forward from.
    pub(crate) from: Option<Vec<String>>,
    /// Codes of notes that have to be there.
    #[schemars(default)]
    pub(crate) notes: Vec<String>,
    /// The text that is taken for the value.
    pub(crate) text: Option<String>,
    /// Why, for people.
    pub(crate) why: Option<String>,
}
