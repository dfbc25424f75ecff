//! What is found in an answer, as facts without sentences: `report::wording` has a sentence for each.

use std::ops::Range;

use smol_str::SmolStr;

pub use crate::drill::Outcome;
use crate::quantity::{Figures, Number};
use crate::text::Span;

/// One graded answer.
///
/// Asks, readings, mistakes and criteria are named by their ids in the drill and the rubric; their words are looked up
/// there. All lists are in the drill's order unless it says otherwise.
#[derive(Clone, Debug)]
pub struct Grade {
    /// The drill's id.
    pub drill: String,
    /// The sum over everything that earns points.
    pub score: Points,
    /// One finding an ask.
    pub quantities: Vec<QuantityFinding>,
    /// One finding a sum whose terms were to be shown.
    pub separate: Vec<SeparateFinding>,
    /// One finding a criterion.
    pub criteria: Vec<CriterionFinding>,
    /// What a person has to decide, in the order of the findings.
    pub review: Vec<ReviewItem>,
    /// What each number of the answer was taken for, in the order of the text.
    pub uses: Vec<UseFinding>,
    /// Whether the answer says anything at all that a reader sees.
    pub empty: bool,
    /// Whether any part's label or title was found.
    pub parts_found: bool,
    /// What stands under the parts and items whose words are weighed, in the drill's order; nothing where nobody is to choose.
    pub passages: Vec<PartPassage>,
    /// What else comes out otherwise when a person says which values of unclear quantities are meant.
    pub consequences: Vec<Consequence>,
    /// What a person said about the whole of it at the review desk, where nothing that is asked was found.
    pub ruled: Option<Ruled>,
}

/// What comes out otherwise when a person says which values are meant: what is worked out from them is judged with them.
#[derive(Clone, Debug)]
pub struct Consequence {
    /// The unclear asks, by their ids, and which of its candidates each of them means.
    pub picks: Vec<(String, usize)>,
    /// The findings on other asks that come out otherwise.
    pub quantities: Vec<QuantityFinding>,
    /// The sums of whose terms more is shown.
    pub separate: Vec<SeparateFinding>,
    /// The findings on criteria that come out otherwise.
    pub criteria: Vec<CriterionFinding>,
}

impl Grade {
    /// Whether nothing that is asked was found: no value, and no argument that a rule is sure of.
    pub fn nothing_found(&self) -> bool {
        nothing_found(&self.quantities, &self.criteria)
    }
}

pub(super) fn nothing_found(quantities: &[QuantityFinding], criteria: &[CriterionFinding]) -> bool {
    let is_missed = |finding: &CriterionFinding| matches!(finding.outcome, Outcome::NotMet | Outcome::Review);
    quantities.iter().all(|finding| finding.verdict == Verdict::Missing) && criteria.iter().all(is_missed)
}

/// What stands under one part or item: the text on which its arguments are decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartPassage {
    /// The id of the part or item.
    pub part: String,
    /// Blocks of the answer and the stretches of their plain text, in the order of the text.
    pub pieces: Vec<(usize, Range<usize>)>,
}

/// Points of one finding or of a whole grade: `awarded + lost + pending = possible`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Points {
    /// Earned.
    pub awarded: f64,
    /// What a perfect answer earns.
    pub possible: f64,
    /// Left to a person.
    pub pending: f64,
}

impl Points {
    /// Neither earned nor pending.
    pub fn lost(self) -> f64 {
        self.possible - self.awarded - self.pending
    }
}

/// How an asked quantity was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Within tolerance of the reference or of an accepted reading.
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

impl Verdict {
    /// The name in machine-readable reports.
    pub fn code(self) -> &'static str {
        match self {
            Verdict::Correct => "correct",
            Verdict::CarriedForward => "carried_forward",
            Verdict::Slip => "slip",
            Verdict::Form => "form",
            Verdict::Wrong => "wrong",
            Verdict::Missing => "missing",
            Verdict::Unclear => "unclear",
        }
    }
}

/// A value as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// The bytes of the submission.
    pub span: Span,
    /// What stands there.
    pub text: SmolStr,
    /// In SI base units; of a range the lower end. Words that are a value have the value they stand for.
    pub value: Number,
    /// The upper end of a range.
    pub high: Option<Number>,
    /// The unit's symbol, as it was understood; `None` for a bare number.
    pub unit: Option<SmolStr>,
    /// Whether the unit was taken from a table header, a key or the words before, not from the value itself.
    pub unit_elsewhere: bool,
    /// Marked as approximate by the student.
    pub approximate: bool,
    /// Whether it is given in words (`unchanged`), which a reading or a mistake of the drill names.
    pub words: bool,
}

/// What was found about one asked quantity.
#[derive(Clone, Debug)]
pub struct QuantityFinding {
    /// The ask's id, such as `b.latency`.
    pub ask: SmolStr,
    /// The part's id, such as `b`.
    pub part: SmolStr,
    /// Whether the drill requires it; supporting otherwise.
    pub required: bool,
    /// How it was answered.
    pub verdict: Verdict,
    /// The value that was judged; `None` where it is missing or several conflict.
    pub read: Option<Read>,
    /// The id of the accepted reading by which it is right, where it is not the reference itself.
    pub reading: Option<SmolStr>,
    /// The mistake that explains a slip.
    pub mistake: Option<Mistake>,
    /// The asks whose own wrong values it follows from.
    pub carried_from: Vec<SmolStr>,
    /// What else is to be said.
    pub notes: Vec<Note>,
    /// The conflicting values of an unclear one, in the order of the text.
    pub candidates: Vec<Read>,
    /// What the verdict would be on each of them, were it the one that is meant, and the share of the points.
    pub weighed: Vec<(Verdict, f64)>,
    /// Its points.
    pub points: Points,
    /// What a person said about it at the review desk.
    pub ruled: Option<Ruled>,
}

/// That a person decided, and what was said with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ruled {
    /// Who.
    pub by: String,
    /// A word to the student.
    pub comment: Option<String>,
}

/// Why a value is a slip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// One that the drill lists, by its id.
    Listed(SmolStr),
    /// One that any drill's values can show.
    General(General),
}

impl Mistake {
    /// The id in machine-readable reports.
    pub fn code(&self) -> &str {
        match self {
            Mistake::Listed(id) => id,
            Mistake::General(general) => general.code(),
        }
    }
}

/// Mistakes that need no listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum General {
    /// Off by a whole power of ten: the student's value is the reference times `10^exponent`.
    PowerOfTen {
        /// Never 0.
        exponent: i32,
    },
    /// Eight times too large or too small.
    BitsForBytes,
    /// A power of 1024 where one of 1000 belongs, or the other way round.
    BinaryForDecimal,
    /// Twice or half.
    FactorTwo,
    /// One over it.
    Reciprocal,
    /// A hundred times too large or too small: a percentage taken for its fraction.
    PercentForFraction,
    /// The sign is the other way.
    Sign,
    /// One given stands where another belongs.
    WrongOperand {
        /// The given that belongs there.
        wanted: String,
        /// The given that was used.
        used: String,
    },
    /// A factor or term of the formula is left out.
    DroppedOperand {
        /// As the formula writes it.
        dropped: String,
    },
    /// One more or one less than there are: `P` for `P - 1`.
    OffByOne,
    /// The method is right and a step of the arithmetic is not; the note [`Note::BrokenLink`] says which.
    Arithmetic,
    /// It is the value of another ask, which has the value of this one.
    Swapped {
        /// The other ask.
        with: String,
    },
}

impl General {
    /// The name in machine-readable reports.
    pub fn code(&self) -> &'static str {
        match self {
            General::PowerOfTen { .. } => "power-of-ten",
            General::BitsForBytes => "bits-for-bytes",
            General::BinaryForDecimal => "binary-for-decimal",
            General::FactorTwo => "factor-two",
            General::Reciprocal => "reciprocal",
            General::PercentForFraction => "percent-for-fraction",
            General::Sign => "sign",
            General::WrongOperand { .. } => "wrong-operand",
            General::DroppedOperand { .. } => "dropped-operand",
            General::OffByOne => "off-by-one",
            General::Arithmetic => "arithmetic",
            General::Swapped { .. } => "swapped",
        }
    }
}

/// What else is to be said about a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// No unit anywhere near.
    MissingUnit {
        /// The unit by which the digits are right.
        understood: String,
    },
    /// Another unit of the same dimension than the one asked for.
    OtherUnit {
        /// As written.
        written: String,
        /// As asked.
        asked: String,
    },
    /// A unit of another dimension; the digits are right.
    WrongUnit {
        /// As written.
        written: String,
        /// As asked.
        asked: String,
    },
    /// Fewer figures than the drill asks for.
    TooFewFigures {
        /// As written.
        shown: Figures,
        /// At least.
        wanted: u32,
    },
    /// The last figure is cut off, not rounded.
    Truncated,
    /// `GB` is right only when read as a power of 1024 (or the other way round).
    PrefixReadAs {
        /// The unit as it was read, such as `GiB`.
        read_as: String,
    },
    /// Read in spite of a loose spelling (`gb`).
    LooseSpelling,
    /// The unit was taken from a header, a key or the words around.
    UnitFromContext {
        /// Its symbol.
        unit: String,
    },
    /// A second form of the value does not agree with it.
    InconsistentRestatement {
        /// The second form.
        other: Box<Read>,
    },
    /// An earlier value that a later one replaced.
    Replaced {
        /// The earlier one.
        earlier: Box<Read>,
    },
    /// A range was given; both ends pass.
    RangeGiven,
    /// Only a bound was given (`at most 5 ms`).
    BoundGiven,
    /// Right only under a reading whose name does not stand near: it has to be labeled.
    NotLabeled {
        /// The reading's id.
        reading: String,
    },
    /// Something right that this ask does not ask for; it is no answer to it.
    Supporting {
        /// The reading's id.
        reading: String,
    },
    /// The first false link of the work shown.
    BrokenLink {
        /// The member before the equals sign.
        left: Box<Read>,
        /// What it comes to.
        comes_to: Number,
        /// The member after it.
        right: Box<Read>,
    },
    /// The value is right; the work shown does not lead to it.
    WorkDoesNotLeadThere {
        /// The work.
        work: Box<Read>,
        /// What it comes to.
        comes_to: Number,
    },
    /// An earlier value was not carried forward, and why the value stands alone.
    NotCarried {
        /// The earlier ask.
        from: String,
    },
    /// The student's own values for what it is worked out from, which are not right, give another value.
    ContradictsOwn {
        /// The asks with those values.
        from: Vec<String>,
    },
    /// It stands outside its part.
    FoundInPart {
        /// The part where it stands; `None` outside any.
        part: Option<String>,
    },
}

impl Note {
    /// The name in machine-readable reports.
    pub fn code(&self) -> &'static str {
        match self {
            Note::MissingUnit { .. } => "missing-unit",
            Note::OtherUnit { .. } => "other-unit",
            Note::WrongUnit { .. } => "wrong-unit",
            Note::TooFewFigures { .. } => "too-few-figures",
            Note::Truncated => "truncated",
            Note::PrefixReadAs { .. } => "prefix-read-as",
            Note::LooseSpelling => "loose-spelling",
            Note::UnitFromContext { .. } => "unit-from-context",
            Note::InconsistentRestatement { .. } => "inconsistent-restatement",
            Note::Replaced { .. } => "replaced",
            Note::RangeGiven => "range-given",
            Note::BoundGiven => "bound-given",
            Note::NotLabeled { .. } => "not-labeled",
            Note::Supporting { .. } => "supporting",
            Note::BrokenLink { .. } => "broken-link",
            Note::WorkDoesNotLeadThere { .. } => "work-does-not-lead-there",
            Note::NotCarried { .. } => "not-carried",
            Note::ContradictsOwn { .. } => "contradicts-own-values",
            Note::FoundInPart { .. } => "found-elsewhere",
        }
    }
}

/// Whether the terms of a sum were shown.
#[derive(Clone, Debug)]
pub struct SeparateFinding {
    /// The ask that is the sum.
    pub of: SmolStr,
    /// Its terms.
    pub terms: Vec<Term>,
    /// How many of them stand in the answer.
    pub found: Found,
}

/// One term of a sum, and where it is shown.
#[derive(Clone, Debug)]
pub struct Term {
    /// The ask that is the term.
    pub ask: SmolStr,
    /// Where; `None` where it is not shown.
    pub read: Option<Read>,
}

/// How much of a sum is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Found {
    /// Every term.
    Both,
    /// Some term, not all.
    One,
    /// Only the sum.
    TotalOnly,
    /// Nothing.
    None,
}

impl Found {
    /// The name in machine-readable reports.
    pub fn code(self) -> &'static str {
        match self {
            Found::Both => "both",
            Found::One => "one",
            Found::TotalOnly => "total_only",
            Found::None => "none",
        }
    }
}

/// What was found about one criterion.
#[derive(Clone, Debug)]
pub struct CriterionFinding {
    /// The criterion's id, such as `d.overlap`.
    pub id: SmolStr,
    /// The part's id.
    pub part: SmolStr,
    /// How it was met.
    pub outcome: Outcome,
    /// Who decided.
    pub decided_by: DecidedBy,
    /// The words that decided, or that a person should look at first.
    pub evidence: Vec<Basis>,
    /// Its points.
    pub points: Points,
    /// Whether it earns nothing because what it depends on does not hold.
    pub withheld: bool,
    /// Why a person has to decide, where the words made a rule unsure.
    pub doubt: Option<ReviewWhy>,
    /// What a person said about it at the review desk.
    pub ruled: Option<Ruled>,
}

/// Who decided a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// A rule of the rubric.
    Rule,
    /// A person, at the review desk.
    Person,
}

/// Words of the submission on which something rests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    /// The bytes of the submission.
    pub span: Span,
    /// What stands there.
    pub text: SmolStr,
}

/// Something that a person has to decide.
#[derive(Clone, Debug)]
pub struct ReviewItem {
    /// What kind of thing.
    pub kind: ReviewKind,
    /// The id of the ask or the criterion; of the whole answer [`WHOLE`].
    pub id: SmolStr,
    /// Why it could not be decided.
    pub why: ReviewWhy,
    /// The values to choose between.
    pub candidates: Vec<Read>,
}

/// What stands in the place of an id where the whole answer is meant.
pub const WHOLE: &str = "answer";

/// What kind of thing is to be reviewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewKind {
    /// An asked quantity.
    Quantity,
    /// A criterion.
    Criterion,
    /// The answer as a whole.
    Answer,
}

/// Why a thing could not be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReviewWhy {
    /// Two values or more, and nothing says which one is meant.
    TwoCandidates,
    /// Nothing says for certain that the value answers this ask.
    Unlabeled,
    /// Its unit is none that is known.
    UnknownUnit,
    /// Its unit is known, and nothing turns it into the one that is asked for: another currency.
    Unconvertible,
    /// It cannot be read in one way (`1,234`).
    Unreadable,
    /// Only a bound (`at most 5 ms`) or a wide range.
    BoundOrRange,
    /// It is right only under a reading that has to be labeled, and the words around do not say so clearly.
    ReadingNotLabeled,
    /// Somebody else says it, or the student does not believe it.
    NotOwn,
    /// Two statements of the answer contradict each other.
    Contradiction,
    /// It compares two quantities the wrong way round.
    UntrueComparison,
    /// It is copied from what a good answer is said to be.
    CopiedText,
    /// No rule of the rubric decides it.
    NoRuleDecides,
    /// The rubric leaves it to a person.
    ByHand,
    /// The answer is longer, or holds more quantities, than rules can judge.
    TooLong,
    /// Nothing that is asked was found in the answer, which may be the wrong file, or unreadable to a program only.
    NothingFound,
}

impl ReviewWhy {
    /// The name in machine-readable reports.
    pub fn code(self) -> &'static str {
        match self {
            ReviewWhy::TwoCandidates => "two-candidates",
            ReviewWhy::Unlabeled => "unlabeled",
            ReviewWhy::UnknownUnit => "unknown-unit",
            ReviewWhy::Unconvertible => "unconvertible-unit",
            ReviewWhy::Unreadable => "unreadable",
            ReviewWhy::BoundOrRange => "bound-or-range",
            ReviewWhy::ReadingNotLabeled => "reading-not-labeled",
            ReviewWhy::NotOwn => "not-own",
            ReviewWhy::Contradiction => "contradiction",
            ReviewWhy::UntrueComparison => "untrue-comparison",
            ReviewWhy::CopiedText => "copied-text",
            ReviewWhy::NoRuleDecides => "no-rule-decides",
            ReviewWhy::ByHand => "by-hand",
            ReviewWhy::TooLong => "too-long",
            ReviewWhy::NothingFound => "nothing-found",
        }
    }
}

/// What a number of the answer was taken for.
#[derive(Clone, Debug)]
pub struct UseFinding {
    /// The number.
    pub read: Read,
    /// What it was taken for.
    pub used: Use,
    /// By what.
    pub clues: Vec<Clue>,
}

/// What a number in an answer can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// The answer to an ask.
    Answer(String),
    /// The answer to an ask again, at another place or in another unit.
    Restatement(String),
    /// One of the conflicting values for an ask.
    Candidate(String),
    /// An earlier value for an ask, replaced by a later one.
    Replaced(String),
    /// A given of the drill, by its name.
    Given(String),
    /// A step on the way to an ask, or to nothing asked.
    Step(Option<String>),
    /// The value of an ask, used in working out another.
    Reused(String),
    /// Struck out, denied or corrected.
    Withdrawn,
    /// In a quotation, such as the copied question.
    Quoted,
    /// The number of a part, a row, a figure.
    Label,
    /// Nothing that is asked.
    Aside,
}

impl Use {
    /// The name in machine-readable reports.
    pub fn code(&self) -> &'static str {
        match self {
            Use::Answer(_) => "answer",
            Use::Restatement(_) => "restatement",
            Use::Candidate(_) => "candidate",
            Use::Replaced(_) => "replaced",
            Use::Given(_) => "given",
            Use::Step(_) => "step",
            Use::Reused(_) => "reused",
            Use::Withdrawn => "withdrawn",
            Use::Quoted => "quoted",
            Use::Label => "label",
            Use::Aside => "aside",
        }
    }

    /// The ask or given it has to do with.
    pub fn target(&self) -> Option<&str> {
        match self {
            Use::Answer(id)
            | Use::Restatement(id)
            | Use::Candidate(id)
            | Use::Replaced(id)
            | Use::Given(id)
            | Use::Step(Some(id))
            | Use::Reused(id) => Some(id),
            Use::Step(None) | Use::Withdrawn | Use::Quoted | Use::Label | Use::Aside => None,
        }
    }
}

/// A piece of evidence for what a number is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clue {
    /// Words near it.
    Words(Basis),
    /// The symbol left of the equals sign.
    Symbol(Basis),
    /// The work it is the result of, which computes what is asked.
    Work(Basis),
    /// The name of its row or column, or its key.
    Header(Basis),
    /// The part or item in which it stands, by id.
    Part(String),
    /// Its unit or dimension.
    Unit,
    /// Its place among the values of the part.
    Order,
    /// It is the only one left that fits.
    OnlyOne,
    /// It agrees with the value of a given, or of an earlier answer.
    Value,
}

impl Clue {
    /// The name in machine-readable reports.
    pub fn code(&self) -> &'static str {
        match self {
            Clue::Words(_) => "words",
            Clue::Symbol(_) => "symbol",
            Clue::Work(_) => "work",
            Clue::Header(_) => "header",
            Clue::Part(_) => "part",
            Clue::Unit => "unit",
            Clue::Order => "order",
            Clue::OnlyOne => "only-one",
            Clue::Value => "value",
        }
    }
}
