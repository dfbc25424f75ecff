//! The rules by which two texts may be compared, as a line of JSON states them.
//!
//! Field names are those of the published cases in `fixtures/numeric`; a field that is not here is an error, so that no
//! rule is silently half applied.

use drillmark::quantity::Number;
use serde::Deserialize;

/// How two texts are compared.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    pub(super) kind: Kind,

    // How far off: `rel`, `abs`.
    pub(super) tol: Option<Amount>,
    pub(super) inclusive: Option<bool>,
    pub(super) base: Option<Base>,
    pub(super) interval: Option<String>,
    /// A second tolerance that is added to a relative one: `1cm`.
    pub(super) plus_abs: Option<Amount>,
    /// The unit of an absolute tolerance; the teacher's where it is not said.
    pub(super) tol_unit: Option<String>,
    /// Half credit up to this many times the tolerance.
    pub(super) partial_range: Option<Amount>,
    pub(super) partial_band: Option<Band>,
    /// Other values that earn something.
    pub(super) alternatives: Option<Vec<Alternative>>,
    pub(super) alt_credit: Option<f64>,
    /// How far a slipped decimal point may be named.
    pub(super) max_power: Option<i32>,

    // How many figures: `sigfig`, `decplaces`.
    pub(super) digits: Option<u32>,
    pub(super) accuracy: Option<u32>,
    pub(super) form_only: Option<bool>,
    pub(super) allow_extra: Option<bool>,
    pub(super) trailing_zeros: Option<TrailingZeros>,
    pub(super) min: Option<u32>,
    pub(super) max: Option<u32>,
    pub(super) form_penalty: Option<f64>,
    pub(super) too_few: Option<TooFew>,
    pub(super) min_digits_only: Option<bool>,
    pub(super) extra_digits_checked: Option<u32>,
    pub(super) accept_truncation: Option<bool>,
    pub(super) value_only: Option<bool>,
    pub(super) half_width: Option<Amount>,
    pub(super) require_trailing_zeros: Option<bool>,
    pub(super) wrong_precision_credit: Option<f64>,

    // Units: `units`.
    pub(super) mode: Option<Mode>,
    pub(super) value: Option<Box<Rule>>,
    pub(super) unit_penalty: Option<f64>,
    pub(super) magnitude_credit: Option<f64>,
    pub(super) ignore_trailing_text: Option<bool>,

    // How texts are read.
    #[expect(dead_code, reason = "a percent sign is a hundredth always; the field only has to be understood")]
    pub(super) percent: Option<Percent>,
    pub(super) notation: Option<String>,
    pub(super) strict_notation: Option<bool>,
    pub(super) locale: Option<String>,
    pub(super) decimal: Option<char>,
    pub(super) fractions: Option<bool>,
    pub(super) must_be_reduced: Option<Reduced>,
    pub(super) prose: Option<bool>,

    /// The answer to an earlier question, and what the reference becomes with it.
    pub(super) ecf: Option<Carried>,
}

/// What kind of rule it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    #[default]
    Rel,
    Abs,
    Sigfig,
    Decplaces,
    Units,
}

/// A number as JSON or a text gives it: `0.05`, `"1%"`, `"from_reference_digits"`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(super) enum Amount {
    Number(serde_json::Number),
    Text(String),
}

impl Amount {
    /// The text of it. JSON keeps a number as the nearest float; the shortest text that means that float is what was
    /// written, so that 0.1 stays a tenth.
    pub(super) fn text(&self) -> String {
        match self {
            Amount::Number(number) => number.to_string(),
            Amount::Text(text) => text.clone(),
        }
    }
}

impl From<&str> for Amount {
    fn from(text: &str) -> Amount {
        Amount::Text(text.to_owned())
    }
}

/// What a relative tolerance is a share of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Base {
    /// The reference.
    Teacher,
    /// The larger of the two.
    Max,
    /// Neither: a factor of one and the tolerance, either way.
    Geometric,
}

/// A wider tolerance with its credit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Band {
    pub(super) tol: Amount,
    pub(super) credit: f64,
}

/// Another value, or a range, that earns something.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Alternative {
    Value(Amount),
    Listed {
        value: Option<Amount>,
        range: Option<[Amount; 2]>,
        credit: Option<f64>,
        #[expect(dead_code, reason = "the words are the asker's own")]
        feedback: Option<String>,
    },
}

/// Whether zeros at the end of a whole number count as figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TrailingZeros {
    /// They may.
    Ambiguous,
    /// They do not.
    NotSignificant,
}

/// What too few figures are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TooFew {
    /// Another value.
    Incorrect,
}

/// How units are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mode {
    /// Any unit of the same dimension, converted
    Convert,
    /// The teacher's unit itself
    Exact,
    /// A unit may be missing or unknown
    Optional,
    /// Only the unit is asked
    UnitOnly,
}

/// What a percent sign is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Percent {
    /// A hundredth.
    Unit,
}

/// Whether a fraction has to be in lowest terms.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub(super) enum Reduced {
    Flag(bool),
    Policy(ReducedPolicy),
}

/// What a fraction is that could be reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ReducedPolicy {
    /// Wrong.
    Enforced,
    /// To be asked for again.
    Retry,
}

/// An earlier answer that is carried forward.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Carried {
    #[expect(dead_code, reason = "the name of the earlier question is the asker's own")]
    pub(super) part: Option<String>,
    /// What the student answered there.
    pub(super) student: Amount,
    /// What is right there.
    pub(super) teacher: Amount,
    /// What the reference becomes with the student's answer.
    pub(super) recomputed: Amount,
    pub(super) penalty: Option<f64>,
}

/// How it came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Correct,
    Partial,
    Incorrect,
    /// It could not be read, or its form is refused.
    Invalid,
}

impl Verdict {
    /// As a line of JSON says it.
    pub(super) fn code(self) -> &'static str {
        match self {
            Verdict::Correct => "correct",
            Verdict::Partial => "partial",
            Verdict::Incorrect => "incorrect",
            Verdict::Invalid => "invalid",
        }
    }
}

/// A verdict with its credit and what went wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    pub(super) credit: f64,
    pub(super) diagnosis: Option<&'static str>,
}

impl Judged {
    pub(super) const CORRECT: Judged = Judged { verdict: Verdict::Correct, credit: 1.0, diagnosis: None };

    pub(super) fn incorrect(diagnosis: impl Into<Option<&'static str>>) -> Judged {
        Judged { verdict: Verdict::Incorrect, credit: 0.0, diagnosis: diagnosis.into() }
    }

    pub(super) fn invalid(diagnosis: &'static str) -> Judged {
        Judged { verdict: Verdict::Invalid, credit: 0.0, diagnosis: Some(diagnosis) }
    }

    /// Some credit; none at all is incorrect, all of it correct.
    pub(super) fn partial(credit: f64, diagnosis: impl Into<Option<&'static str>>) -> Judged {
        let credit = credit.clamp(0.0, 1.0);
        let verdict = match credit {
            0.0 => Verdict::Incorrect,
            1.0 => Verdict::Correct,
            _ => Verdict::Partial,
        };
        Judged { verdict, credit, diagnosis: diagnosis.into() }
    }

    /// With a share of its credit.
    pub(super) fn times(self, share: f64, diagnosis: &'static str) -> Judged {
        if self.credit == 0.0 { self } else { Judged::partial(self.credit * share, diagnosis) }
    }

    pub(super) fn passes(self) -> bool {
        self.verdict == Verdict::Correct
    }
}

/// A number in the teacher's unit, as a rule compares it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) value: Number,
    /// The upper end of a range.
    pub(super) high: Option<Number>,
    /// How it was written, its last place in the teacher's unit; `None` for the result of arithmetic.
    pub(super) written: Option<drillmark::quantity::Written>,
}
