//! The machine-readable report, format 1: what a gradebook script, an adapter or a regression check relies on.
//!
//! Keys may be added; none is renamed or removed without raising [`FORMAT`]. The order of keys is the order of fields
//! here, numbers are finite or `null`, and the same grade gives the same bytes.

use std::collections::BTreeMap;

use serde::Serialize;
use smol_str::SmolStr;

use crate::drill::Drill;
use crate::grade::{
    Basis, Consequence, CriterionFinding, DecidedBy, Grade, Outcome, QuantityFinding, Read, ReviewItem, ReviewKind, ReviewWhy,
    SeparateFinding, UseFinding, Verdict,
};
use crate::quantity::Number;
use crate::report::passage::{self, Digests, PartText};
use crate::report::{Arrival, Graded, inert};
use crate::text::{Source, Span};

/// The version of the layout below.
pub const FORMAT: u32 = 1;

/// The report on one submission, as it is written out.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    format: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs: Option<&'a str>,
    tool: Tool,
    drill: OfDrill<'a>,
    rubric: Version<'a>,
    submission: Submission<'a>,
    score: Score,
    quantities: Vec<Quantity<'a>>,
    separate_terms: Vec<SeparateTerms<'a>>,
    criteria: Vec<Criterion<'a>>,
    review: Vec<Review<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<Vec<NumberUse<'a>>>,
    /// In a run: digests of what stands under the parts whose words are weighed.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    passages: BTreeMap<&'a str, String>,
    /// In a run: what else comes out otherwise when a person says which values are meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    consequences: Vec<Follows<'a>>,
}

/// A submission of a class that could not be graded, in the place of its report.
#[derive(Debug, Serialize)]
pub struct Unread<'a> {
    format: u32,
    inputs: &'a str,
    tool: Tool,
    submission: Submission<'a>,
    error: &'a str,
}

impl<'a> Unread<'a> {
    /// `inputs` is a digest of everything that the row follows from; without a `sha256` there were no bytes.
    pub fn new(id: &'a str, file: &'a str, sha256: Option<&'a str>, arrival: &'a Arrival, inputs: &'a str, error: &'a str) -> Unread<'a> {
        let submission = Submission { id, file, sha256, arrival: Some(arrival) };
        Unread { format: FORMAT, inputs, tool: TOOL, submission, error }
    }
}

/// Something that a person has to decide, with all that is needed to look at it: a line of `review.jsonl`.
#[derive(Debug, Serialize)]
pub struct Pending<'a> {
    submission: &'a str,
    sha256: &'a str,
    drill: &'a str,
    #[serde(flatten)]
    item: Review<'a>,
    evidence: Vec<Evidence<'a>>,
    /// What stands under the part; a very long one is cut.
    passage: String,
    /// The bytes of it that are evidence or candidates.
    marks: Vec<(usize, usize)>,
}

/// Why there is no report on a submission.
#[derive(Debug, Serialize)]
pub struct Refusal<'a> {
    /// What the submission is called.
    pub id: &'a str,
    /// One line for a person.
    pub error: &'a str,
}

#[derive(Debug, Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

const TOOL: Tool = Tool { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") };

#[derive(Debug, Serialize)]
struct Version<'a> {
    id: &'a str,
    sha256: &'a str,
}

/// The drill, and of one whose givens vary, the values that they had.
#[derive(Debug, Serialize)]
struct OfDrill<'a> {
    #[serde(flatten)]
    version: Version<'a>,
    /// In SI base units.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    variant: BTreeMap<&'a str, Option<f64>>,
}

/// What comes out otherwise by one choice of values.
#[derive(Debug, Serialize)]
struct Follows<'a> {
    picks: Vec<Pick<'a>>,
    quantities: Vec<Quantity<'a>>,
    /// Of asks that wait still, what each of their candidates would be worth then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    weighed: Vec<Weighed<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    separate_terms: Vec<SeparateTerms<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    criteria: Vec<Criterion<'a>>,
}

#[derive(Debug, Serialize)]
struct Pick<'a> {
    id: &'a str,
    candidate: usize,
}

#[derive(Debug, Serialize)]
struct Weighed<'a> {
    id: &'a str,
    candidates: Vec<Worth>,
}

#[derive(Debug, Serialize)]
struct Worth {
    verdict: &'static str,
    share: f64,
}

/// How another ask would be judged.
#[derive(Debug, Serialize)]
struct Then<'a> {
    id: &'a str,
    verdict: &'static str,
}

#[derive(Debug, Serialize)]
struct Submission<'a> {
    id: &'a str,
    file: &'a str,
    sha256: Option<&'a str>,
    #[serde(flatten)]
    arrival: Option<&'a Arrival>,
}

#[derive(Debug, Serialize)]
struct Score {
    awarded: f64,
    possible: f64,
    pending: f64,
}

#[derive(Debug, Serialize)]
struct Quantity<'a> {
    id: &'a str,
    part: &'a str,
    required: bool,
    verdict: &'static str,
    read: Option<Reading<'a>>,
    reading: Option<&'a str>,
    mistake: Option<&'a str>,
    carried_from: &'a [SmolStr],
    notes: Vec<&'static str>,
    points: f64,
    possible: f64,
    /// Left to a person.
    #[serde(skip_serializing_if = "is_zero")]
    pending: f64,
}

/// A value as it was read, in SI base units; `start` and `end` are bytes of the submission as it was read, half open,
/// `line` and `column` count from 1.
#[derive(Debug, Serialize)]
struct Reading<'a> {
    text: &'a str,
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    unit: Option<&'a str>,
    start: usize,
    end: usize,
    line: usize,
    column: usize,
}

#[derive(Debug, Serialize)]
struct SeparateTerms<'a> {
    of: &'a str,
    terms: Vec<&'a str>,
    found: &'static str,
}

#[derive(Debug, Serialize)]
struct Criterion<'a> {
    id: &'a str,
    part: &'a str,
    outcome: &'static str,
    points: f64,
    possible: f64,
    pending: f64,
    decided_by: &'static str,
    /// Whether it earns nothing because what it depends on does not hold.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    withheld: bool,
    evidence: Vec<Evidence<'a>>,
}

#[derive(Debug, Serialize)]
struct Evidence<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    line: usize,
    column: usize,
}

#[derive(Debug, Serialize)]
struct Review<'a> {
    kind: &'static str,
    id: &'a str,
    why: &'static str,
    candidates: Vec<Candidate<'a>>,
    /// In a run: the digest of what the decision rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    passage_sha256: Option<String>,
}

/// One of the values to choose between, and what it would be worth, were it the one that is meant.
#[derive(Debug, Serialize)]
struct Candidate<'a> {
    #[serde(flatten)]
    reading: Reading<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
    /// What else would come out otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    then: Vec<Then<'a>>,
}

/// What one number of the answer was taken for; in the report when it was asked to explain itself.
#[derive(Debug, Serialize)]
struct NumberUse<'a> {
    read: Reading<'a>,
    used: &'static str,
    #[serde(rename = "for")]
    target: Option<&'a str>,
    clues: Vec<&'static str>,
}

impl<'a> Report<'a> {
    /// The report on a graded submission; `explain` adds what each number of the answer was taken for.
    pub fn new(graded: &Graded<'a>, explain: bool) -> Report<'a> {
        let (grade, source) = (graded.grade, &graded.answer.source);
        Report {
            format: FORMAT,
            inputs: None,
            tool: TOOL,
            drill: OfDrill { version: Version { id: &grade.drill, sha256: &graded.drill.sha256 }, variant: variant(graded.drill) },
            rubric: Version { id: &graded.drill.rubric.id, sha256: &graded.drill.rubric.sha256 },
            submission: Submission {
                id: graded.submission.id,
                file: graded.submission.file,
                sha256: Some(graded.submission.sha256),
                arrival: graded.submission.arrival,
            },
            score: Score {
                awarded: finite(grade.score.awarded),
                possible: finite(grade.score.possible),
                pending: finite(grade.score.pending),
            },
            quantities: grade.quantities.iter().map(|finding| quantity(finding, source)).collect(),
            separate_terms: grade.separate.iter().map(separate_terms).collect(),
            criteria: grade.criteria.iter().map(|finding| criterion(finding, source)).collect(),
            review: grade.review.iter().map(|item| review(item, graded)).collect(),
            passages: BTreeMap::new(),
            consequences: Vec::new(),
            numbers: explain.then(|| grade.uses.iter().map(|finding| number_use(finding, source)).collect()),
        }
    }
}

impl<'a> Report<'a> {
    /// Adds what a run needs: a digest of everything that the report follows from, by which a later run sees that nothing
    /// changed, and the digests of what people's decisions rest on.
    pub fn of_run(mut self, graded: &Graded<'a>, inputs: &'a str) -> Report<'a> {
        self.inputs = Some(inputs);
        let grade = graded.grade;
        let digests = Digests::of(graded.answer, &grade.passages);
        self.passages = digests.under().collect();
        self.consequences = grade.consequences.iter().map(|one| follows(one, &graded.answer.source)).collect();
        for (told, item) in self.review.iter_mut().zip(&grade.review) {
            told.passage_sha256 = match item.kind {
                ReviewKind::Quantity => {
                    let finding = grade.quantities.iter().find(|finding| finding.ask == item.id);
                    finding.map(|finding| digests.around(&finding.part, &item.candidates))
                }
                ReviewKind::Criterion => {
                    let finding = grade.criteria.iter().find(|finding| finding.id == item.id);
                    finding.and_then(|finding| self.passages.get(finding.part.as_str()).cloned())
                }
                ReviewKind::Answer => Some(passage::digest(&passage::whole(graded.answer).text)),
            };
        }
        self
    }
}

/// What a person has to decide about a submission, in the order of the report, and after it what would have to be
/// decided if what it depends on turned out otherwise. The report on it knows the digests already.
pub fn pending<'a>(graded: &Graded<'a>, report: &Report<'a>) -> Vec<Pending<'a>> {
    let (grade, source) = (graded.grade, &graded.answer.source);
    let pend = |item: Review<'a>, evidence: Vec<Evidence<'a>>, rests: Option<PartText>| {
        let PartText { text, marks } = rests.map(PartText::cut).unwrap_or(PartText { text: String::new(), marks: Vec::new() });
        Pending {
            submission: graded.submission.id,
            sha256: graded.submission.sha256,
            drill: &grade.drill,
            item,
            evidence,
            passage: text,
            marks,
        }
    };
    let evidence_of = |finding: &'a CriterionFinding| finding.evidence.iter().map(|basis| evidence(basis, source)).collect::<Vec<_>>();
    let criterion = |item: &ReviewItem| grade.criteria.iter().find(|finding| item.kind == ReviewKind::Criterion && finding.id == item.id);
    let items = grade.review.iter().zip(&report.review).map(|(item, told)| {
        let review = Review { passage_sha256: told.passage_sha256.clone(), ..review(item, graded) };
        pend(review, criterion(item).map(evidence_of).unwrap_or_default(), rests_on(graded, item))
    });
    let withheld = grade.criteria.iter().filter(|finding| finding.withheld && finding.outcome == Outcome::Review).map(|finding| {
        let code = ReviewWhy::NoRuleDecides.code();
        let passage_sha256 = report.passages.get(finding.part.as_str()).cloned();
        let item = Review { kind: "criterion", id: &finding.id, why: code, candidates: Vec::new(), passage_sha256 };
        pend(item, evidence_of(finding), criterion_rests_on(graded, finding))
    });
    items.chain(withheld).collect()
}

/// What a person's decision on an item rests on: the text under the part.
fn rests_on(graded: &Graded<'_>, item: &ReviewItem) -> Option<PartText> {
    let grade = graded.grade;
    match item.kind {
        ReviewKind::Quantity => {
            let finding = grade.quantities.iter().find(|finding| finding.ask == item.id)?;
            let under = grade.passages.iter().find(|passage| passage.part == finding.part);
            Some(passage::around(graded.answer, under, &item.candidates))
        }
        ReviewKind::Answer => Some(passage::whole(graded.answer)),
        ReviewKind::Criterion => criterion_rests_on(graded, grade.criteria.iter().find(|finding| finding.id == item.id)?),
    }
}

fn criterion_rests_on(graded: &Graded<'_>, finding: &CriterionFinding) -> Option<PartText> {
    let under = graded.grade.passages.iter().find(|passage| passage.part == finding.part)?;
    let places: Vec<Span> = finding.evidence.iter().map(|basis| basis.span).collect();
    Some(passage::under(graded.answer, under, &places))
}

/// One object over several lines, for a person to look into.
pub fn pretty(value: &impl Serialize) -> String {
    // OK because the shapes above have string keys only, and `finite` keeps out what JSON cannot say.
    inert::json(serde_json::to_string_pretty(value).expect("a report is JSON"))
}

/// The bytes of a usual report, so that room is made for it once.
const USUAL: usize = 16 << 10;

/// One object on one line.
pub fn line(value: &impl Serialize) -> String {
    let mut line = Vec::with_capacity(USUAL);
    serde_json::to_writer(&mut line, value).expect("a report is JSON");
    inert::json(String::from_utf8(line).expect("JSON is text"))
}

/// The values of the givens that vary: which variant of the drill it is.
fn variant(drill: &Drill) -> BTreeMap<&str, Option<f64>> {
    let varied = drill.names.iter().filter(|name| !name.draws.is_empty());
    varied.map(|name| (name.name.as_str(), si(name.formula.value()))).collect()
}

fn follows<'a>(one: &'a Consequence, source: &Source) -> Follows<'a> {
    let worth = |(verdict, share): &(Verdict, f64)| Worth { verdict: verdict.code(), share: finite(*share) };
    let (open, decided): (Vec<&QuantityFinding>, Vec<&QuantityFinding>) =
        one.quantities.iter().partition(|finding| finding.verdict == Verdict::Unclear);
    Follows {
        picks: one.picks.iter().map(|(id, candidate)| Pick { id, candidate: *candidate }).collect(),
        quantities: decided.into_iter().map(|finding| quantity(finding, source)).collect(),
        weighed: open.iter().map(|of| Weighed { id: &of.ask, candidates: of.weighed.iter().map(worth).collect() }).collect(),
        separate_terms: one.separate.iter().map(separate_terms).collect(),
        criteria: one.criteria.iter().map(|finding| criterion(finding, source)).collect(),
    }
}

fn quantity<'a>(finding: &'a QuantityFinding, source: &Source) -> Quantity<'a> {
    Quantity {
        id: &finding.ask,
        part: &finding.part,
        required: finding.required,
        verdict: finding.verdict.code(),
        read: finding.read.as_ref().map(|read| reading(read, source)),
        reading: finding.reading.as_deref(),
        mistake: finding.mistake.as_ref().map(|mistake| mistake.code()),
        carried_from: &finding.carried_from,
        notes: finding.notes.iter().map(|note| note.code()).collect(),
        points: finite(finding.points.awarded),
        possible: finite(finding.points.possible),
        pending: finite(finding.points.pending),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(points: &f64) -> bool {
    *points == 0.0
}

fn reading<'a>(read: &'a Read, source: &Source) -> Reading<'a> {
    let place = source.place(read.span.start);
    Reading {
        text: &read.text,
        value: si(read.value),
        high: read.high.and_then(si),
        unit: read.unit.as_deref(),
        start: read.span.start,
        end: read.span.end,
        line: place.line,
        column: place.column,
    }
}

fn separate_terms(finding: &SeparateFinding) -> SeparateTerms<'_> {
    SeparateTerms { of: &finding.of, terms: finding.terms.iter().map(|term| term.ask.as_str()).collect(), found: finding.found.code() }
}

fn criterion<'a>(finding: &'a CriterionFinding, source: &Source) -> Criterion<'a> {
    Criterion {
        id: &finding.id,
        part: &finding.part,
        outcome: finding.outcome.code(),
        points: finite(finding.points.awarded),
        possible: finite(finding.points.possible),
        pending: finite(finding.points.pending),
        decided_by: match finding.decided_by {
            DecidedBy::Rule => "rule",
            DecidedBy::Person => "person",
        },
        withheld: finding.withheld,
        evidence: finding.evidence.iter().map(|basis| evidence(basis, source)).collect(),
    }
}

fn evidence<'a>(basis: &'a Basis, source: &Source) -> Evidence<'a> {
    let place = source.place(basis.span.start);
    Evidence { text: &basis.text, start: basis.span.start, end: basis.span.end, line: place.line, column: place.column }
}

fn review<'a>(item: &'a ReviewItem, graded: &Graded<'a>) -> Review<'a> {
    let source = &graded.answer.source;
    let finding = graded.grade.quantities.iter().find(|finding| item.kind == ReviewKind::Quantity && finding.ask == item.id);
    let weighed = |at: usize| finding.and_then(|finding| finding.weighed.get(at));
    let candidate = |(at, read): (usize, &'a Read)| Candidate {
        reading: reading(read, source),
        verdict: weighed(at).map(|(verdict, _)| verdict.code()),
        share: weighed(at).map(|(_, share)| finite(*share)),
        then: then(graded.grade, &item.id, at),
    };
    Review {
        kind: match item.kind {
            ReviewKind::Quantity => "quantity",
            ReviewKind::Criterion => "criterion",
            ReviewKind::Answer => "answer",
        },
        id: &item.id,
        why: item.why.code(),
        candidates: item.candidates.iter().enumerate().map(candidate).collect(),
        passage_sha256: None,
    }
}

/// How other asks would be judged, were this candidate of an ask the one that is meant, and nothing else decided.
fn then<'a>(grade: &'a Grade, id: &str, candidate: usize) -> Vec<Then<'a>> {
    let is_it = |one: &&Consequence| matches!(one.picks.as_slice(), [(of, at)] if of == id && *at == candidate);
    let decided = |one: &'a Consequence| one.quantities.iter().filter(|finding| finding.verdict != Verdict::Unclear);
    let found = grade.consequences.iter().find(is_it).into_iter().flat_map(decided);
    found.map(|finding| Then { id: &finding.ask, verdict: finding.verdict.code() }).collect()
}

fn number_use<'a>(finding: &'a UseFinding, source: &Source) -> NumberUse<'a> {
    NumberUse {
        read: reading(&finding.read, source),
        used: finding.used.code(),
        target: finding.used.target(),
        clues: finding.clues.iter().map(|clue| clue.code()).collect(),
    }
}

/// A value as JSON can say it; what overflows is `null`.
fn si(value: Number) -> Option<f64> {
    Some(value.to_f64()).filter(|value| value.is_finite())
}

/// Points to the millionth: sums of shares carry the dust of binary fractions.
fn finite(points: f64) -> f64 {
    let rounded = (points * 1e6).round() / 1e6;
    // Adding zero turns a negative zero into a plain one.
    if rounded.is_finite() { rounded + 0.0 } else { 0.0 }
}
