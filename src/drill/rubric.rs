//! What everything in a drill is worth, and which arguments are looked for.

use serde::{Deserialize, Serialize};

use crate::drill::concept::Concepts;
use crate::drill::rule::Rule;
use crate::drill::scheme::Scheme;

/// The points of a drill's asks and criteria.
#[derive(Clone, Debug, Default)]
pub struct Rubric {
    /// The stable name.
    pub id: String,
    /// SHA-256 of the rubric's file, in hexadecimal.
    pub sha256: String,
    /// What share of an ask's points each kind of imperfect answer earns.
    pub credit: Credit,
    /// The points of each ask, by its place in [`Drill::asks`](super::Drill::asks); 0 for one that earns none.
    pub values: Vec<f64>,
    /// What the rules of the criteria name, in the order of the file.
    pub concepts: Concepts,
    /// What is looked for besides values, in the order of the file.
    pub criteria: Vec<Criterion>,
    /// What their outcomes come to in points.
    pub scheme: Scheme,
    /// The sum of all points that can be had.
    pub possible: f64,
}

/// Shares of an ask's points, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Credit {
    /// A labelled reading that is worth a part.
    pub partial_reading: f64,
    /// Right, but not in the form that was asked.
    pub form: f64,
    /// Right but for a missing unit.
    pub missing_unit: f64,
    /// Follows from the student's own earlier value.
    pub carried: f64,
    /// A recognized mistake.
    pub slip: f64,
    /// A right method with a slip in the arithmetic.
    pub arithmetic_slip: f64,
}

impl Default for Credit {
    fn default() -> Credit {
        Credit { partial_reading: 0.5, form: 0.8, missing_unit: 0.5, carried: 1.0, slip: 0.0, arithmetic_slip: 0.5 }
    }
}

/// Something that is looked for besides values.
#[derive(Clone, Debug)]
pub struct Criterion {
    /// The stable name: `d.overlap`.
    pub id: String,
    /// The part, or the item, whose text is weighed.
    pub part: String,
    /// What it is worth; of a deduction, what is taken away when it is met.
    pub points: f64,
    /// Whether being met takes points away.
    pub deducts: bool,
    /// Steps between nothing and all of it among which a person chooses, in the order of the file.
    pub levels: Vec<Level>,
    /// How it is decided.
    pub kind: CriterionKind,
    /// What is looked for, for staff.
    pub says: String,
    /// What students read.
    pub student: StudentWords,
    /// A word to graders.
    pub note: Option<String>,
    /// Texts with the outcome that a careful person gives them.
    pub samples: Vec<Sample>,
}

/// A step between nothing and all of a criterion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// The share of the points, between 0 and 1.
    pub share: f64,
    /// What an answer on this step does.
    pub says: String,
}

/// How a criterion is decided.
#[derive(Clone, Debug)]
pub enum CriterionKind {
    /// By whether the terms of a sum are shown separately.
    Separate(Separate),
    /// By rules on the words.
    Argument(Rules),
    /// By the form of what was written; rules may help.
    Form(Rules),
    /// By a person, always.
    Hand,
}

/// A sum whose terms are to be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Separate {
    /// The sum, as a place in [`Drill::asks`](super::Drill::asks).
    pub of: usize,
    /// Its terms.
    pub terms: Vec<usize>,
}

/// The rules of a criterion, one an outcome. What none of them decides, or more than one, is left to a person.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Full points.
    pub met: Option<Rule>,
    /// Some points.
    pub partly: Option<Rule>,
    /// No points.
    pub not_met: Option<Rule>,
    /// A person has to decide, whatever the other rules say.
    pub review: Option<Rule>,
}

/// What students read about a criterion.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StudentWords {
    /// When it is met.
    pub met: Option<String>,
    /// When it is met partly.
    pub partly: Option<String>,
    /// When it is not met.
    pub not_met: Option<String>,
    /// A question that leads on, given away before the deadline.
    pub hint: Option<String>,
}

/// A text with the outcome that a careful person gives it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sample {
    /// What a student wrote.
    pub text: String,
    /// `met`, `partly` or `not_met`; `review` where a person has to decide.
    pub outcome: Outcome,
}

/// How a criterion was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// All of it.
    Met,
    /// Some of it.
    Partly,
    /// None of it.
    NotMet,
    /// A person decides.
    Review,
}

impl Outcome {
    /// The name in machine-readable reports.
    pub fn code(self) -> &'static str {
        match self {
            Outcome::Met => "met",
            Outcome::Partly => "partly",
            Outcome::NotMet => "not_met",
            Outcome::Review => "review",
        }
    }
}
