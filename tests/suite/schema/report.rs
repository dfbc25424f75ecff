//! What the machine-readable report holds, as types. Keys may be added to it, so a reader allows for others.

use schemars::JsonSchema;

use super::Unused;
use super::drill::One;

/// The report on one submission: `drillmark grade --format json`, or a line of a run's `grades.jsonl`.
#[derive(JsonSchema)]
#[schemars(title = "A report of drillmark")]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Report {
    /// The version of this layout: 1.
    #[schemars(with = "One")]
    pub(crate) format: Unused,
    /// The program that graded.
    pub(crate) tool: Tool,
    /// By which drill.
    pub(crate) drill: OfDrill,
    /// By which rubric.
    pub(crate) rubric: Version,
    /// Whose answer it is.
    pub(crate) submission: Submission,
    /// The points.
    pub(crate) score: Score,
    /// What was found about each ask, in the drill's order.
    pub(crate) quantities: Vec<Quantity>,
    /// Whether the terms of each sum were shown.
    pub(crate) separate_terms: Vec<SeparateTerms>,
    /// What was found about each criterion, in the rubric's order.
    pub(crate) criteria: Vec<Criterion>,
    /// What is left to a person.
    pub(crate) review: Vec<Review>,
}

/// A program and its version.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Tool {
    /// `drillmark`.
    pub(crate) name: String,
    /// As `drillmark --version` says it.
    pub(crate) version: String,
}

/// A drill or a rubric: its id and the digest of its file.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Version {
    /// As in the file.
    pub(crate) id: String,
    /// SHA-256 of the file, in hexadecimal.
    pub(crate) sha256: String,
}

/// The drill.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct OfDrill {
    /// As in the file.
    pub(crate) id: String,
    /// SHA-256 of the file, in hexadecimal.
    pub(crate) sha256: String,
    /// Where givens vary: the values that they had, in SI base units.
    pub(crate) variant: Option<std::collections::BTreeMap<String, f64>>,
}

/// What was handed in.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Submission {
    /// The name by which results are joined.
    pub(crate) id: String,
    /// The file as it was named to the program.
    pub(crate) file: String,
    /// SHA-256 of the bytes as handed in, in hexadecimal.
    pub(crate) sha256: String,
}

/// Points.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Score {
    /// Earned so far.
    pub(crate) awarded: f64,
    /// What a perfect answer earns.
    pub(crate) possible: f64,
    /// Left to a person.
    pub(crate) pending: f64,
}

/// What was found about an asked quantity.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Quantity {
    /// The ask's id.
    pub(crate) id: String,
    /// The part's id.
    pub(crate) part: String,
    /// Whether the drill demands it.
    pub(crate) required: bool,
    /// How it was judged.
    pub(crate) verdict: Verdict,
    /// The value that was judged.
    pub(crate) read: Option<Reading>,
    /// The accepted reading by which it is right.
    pub(crate) reading: Option<String>,
    /// The mistake that explains it: an id of the drill, or a general one such as `power-of-ten`.
    pub(crate) mistake: Option<String>,
    /// The asks whose wrong values it follows from.
    pub(crate) carried_from: Vec<String>,
    /// Codes of what else is to be said: `missing-unit`, `too-few-figures`.
    pub(crate) notes: Vec<String>,
    /// Earned.
    pub(crate) points: f64,
    /// What it is worth.
    pub(crate) possible: f64,
    /// Left to a person; left out where nothing is.
    pub(crate) pending: Option<f64>,
}

/// How an asked quantity was judged.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) enum Verdict {
    /// Within tolerance of the value or of an accepted reading.
    Correct,
    /// Follows from the student's own earlier value.
    CarriedForward,
    /// A recognized mistake.
    Slip,
    /// The value is right, its form is not what was asked.
    Form,
    /// Not right, and no known mistake explains it.
    Wrong,
    /// No value was given.
    Missing,
    /// A person decides.
    Unclear,
}

/// A value as it was read.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Reading {
    /// What stands there.
    pub(crate) text: String,
    /// In SI base units, data in bytes, a percentage as the fraction; nothing where it overflows.
    pub(crate) value: Option<f64>,
    /// The unit's symbol.
    pub(crate) unit: Option<String>,
    /// The first byte in the submission as it was read.
    pub(crate) start: u64,
    /// The byte after the last.
    pub(crate) end: u64,
    /// From 1.
    pub(crate) line: u64,
    /// From 1.
    pub(crate) column: u64,
}

/// Whether the terms of a sum were shown.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct SeparateTerms {
    /// The ask that is the sum.
    pub(crate) of: String,
    /// The asks that are its terms.
    pub(crate) terms: Vec<String>,
    /// What was found.
    pub(crate) found: Terms,
}

/// Which terms of a sum were found.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) enum Terms {
    /// All of them.
    Both,
    /// Some of them.
    One,
    /// Only the sum.
    TotalOnly,
    /// Neither.
    None,
}

/// What was found about a criterion.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Criterion {
    /// The criterion's id.
    pub(crate) id: String,
    /// The part's id.
    pub(crate) part: String,
    /// How it turned out; `review` where a person decides.
    pub(crate) outcome: super::rubric::Outcome,
    /// Earned.
    pub(crate) points: f64,
    /// What it is worth.
    pub(crate) possible: f64,
    /// Who decided.
    pub(crate) decided_by: DecidedBy,
    /// The words that decided.
    pub(crate) evidence: Vec<Evidence>,
}

/// Who decided.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) enum DecidedBy {
    /// A rule of the rubric.
    Rule,
    /// A person, or nobody yet.
    Person,
}

/// Words of a submission on which something rests.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Evidence {
    /// What stands there.
    pub(crate) text: String,
    /// The first byte.
    pub(crate) start: u64,
    /// The byte after the last.
    pub(crate) end: u64,
    /// From 1.
    pub(crate) line: u64,
    /// From 1.
    pub(crate) column: u64,
}

/// Something that a person has to decide.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) struct Review {
    /// What it is about.
    pub(crate) kind: ReviewKind,
    /// The id of the ask or the criterion; `answer`, where the whole is meant.
    pub(crate) id: String,
    /// Why, as a code.
    pub(crate) why: String,
    /// The values to choose between.
    pub(crate) candidates: Vec<Reading>,
}

/// What a person has to decide about.
#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) enum ReviewKind {
    /// A value.
    Quantity,
    /// An argument.
    Criterion,
    /// The whole answer, in which nothing that is asked was found.
    Answer,
}
