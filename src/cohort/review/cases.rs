//! What waits for a person: each text once, whoever wrote it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;

use serde::Deserialize;

use super::log::{Kind, Log};
use super::marking::{AskSheet, CriterionSheet, Marked, Marking};
use super::rulings::{self, About, Rulings};
use crate::cohort::Trouble;
use crate::cohort::read::{Candidate, REVIEW, Run};

/// Something that is decided once: one text, one criterion or ask, and everybody who wrote that text.
#[derive(Clone, Debug)]
pub struct Case {
    /// The drill's id.
    pub drill: String,
    /// What kind of thing is decided.
    pub kind: Kind,
    /// The id of the criterion or the ask.
    pub id: String,
    /// Its digest.
    pub criterion: String,
    /// The digest of what the decision rests on.
    pub passage: String,
    /// Who wrote it, in the order of the run; at least one.
    pub members: Vec<Member>,
    /// Why no rule decided: a code of the report.
    pub why: String,
    /// What stands under the part.
    pub text: String,
    /// The bytes of it that are evidence or candidates.
    pub marks: Vec<(usize, usize)>,
    /// Of a quantity, the values to choose between.
    pub candidates: Vec<Candidate>,
    /// What the rules decided, where they did.
    pub rule: Option<String>,
}

/// A submission in which a text stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The submission.
    pub submission: String,
    /// Of its bytes.
    pub answer: String,
}

/// Drill, kind, id and passage: what makes two items the same case.
pub(super) type Identity = (String, Kind, String, String);

impl Case {
    pub(super) fn identity(&self) -> Identity {
        (self.drill.clone(), self.kind, self.id.clone(), self.passage.clone())
    }

    /// What a decision on it is about.
    pub fn about(&self) -> About<'_> {
        About {
            drill: &self.drill,
            kind: self.kind,
            id: &self.id,
            criterion: &self.criterion,
            passage: Some(&self.passage),
            submission: self.members.first().map_or("", |member| &member.submission),
            answer: self.members.first().map_or("", |member| &member.answer),
        }
    }

    /// The criterion that it is about.
    pub fn sheet<'m>(&self, marking: &'m Marking) -> Option<&'m CriterionSheet> {
        marking.drill(&self.drill)?.criterion(&self.id).filter(|_| self.kind == Kind::Criterion)
    }

    /// The ask that it is about.
    pub fn ask<'m>(&self, marking: &'m Marking) -> Option<&'m AskSheet> {
        marking.drill(&self.drill)?.ask(&self.id).filter(|_| self.kind == Kind::Quantity)
    }

    /// A short name by which a table leads back to it.
    pub fn key(&self) -> String {
        format!("{}/{}:{}", self.drill, self.id, self.passage.get(..16).unwrap_or(&self.passage))
    }
}

/// A line of the review file.
#[derive(Deserialize)]
struct Line {
    submission: String,
    #[serde(default)]
    sha256: String,
    #[serde(default)]
    drill: String,
    kind: Kind,
    id: String,
    why: String,
    #[serde(default)]
    candidates: Vec<Candidate>,
    #[serde(default)]
    passage_sha256: Option<String>,
    #[serde(default)]
    passage: Option<String>,
    #[serde(default)]
    marks: Vec<(usize, usize)>,
}

/// Everything in a run that waits for a person or waited for one, thing by thing in the order in which the desk shows it. The
/// texts of one criterion stand in an order that has nothing to do with who wrote them.
///
/// # Errors
///
/// When the review file cannot be read, or was written by a version that kept no texts.
pub fn pending(folder: &Path, marking: &Marking) -> Result<Vec<Case>, Trouble> {
    let path = folder.join(REVIEW);
    let told = |error| Trouble::io(&path, error);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(told(error)),
    };
    let mut cases: BTreeMap<Identity, Case> = BTreeMap::new();
    for (number, line) in BufReader::with_capacity(1 << 16, file).lines().enumerate() {
        let unfit = |what: String| Trouble::unfit(&path, format!("line {}: {what}", number + 1));
        let line: Line = serde_json::from_str(&line.map_err(told)?).map_err(|error| unfit(error.to_string()))?;
        let old = || unfit("was written without the student's text; `drillmark grade` with the same `--out` adds it".to_owned());
        let (passage, text) = (line.passage_sha256.ok_or_else(old)?, line.passage.ok_or_else(old)?);
        let member = Member { submission: line.submission, answer: line.sha256 };
        let criterion = marking.drill(&line.drill).and_then(|marked| digest_of(marked, line.kind, &line.id));
        let Some(criterion) = criterion else { return Err(unfit(format!("`{}` is not in the rubric of the run", line.id))) };
        let identity = (line.drill.clone(), line.kind, line.id.clone(), passage.clone());
        let case = cases.entry(identity).or_insert_with(|| Case {
            drill: line.drill,
            kind: line.kind,
            id: line.id,
            criterion,
            passage,
            members: Vec::new(),
            why: line.why,
            marks: line.marks.into_iter().filter(|(start, end)| text.get(*start..*end).is_some()).collect(),
            text,
            candidates: line.candidates.clone(),
            rule: None,
        });
        // What would follow is shown where it follows for all who say the same.
        for (known, candidate) in case.candidates.iter_mut().zip(&line.candidates) {
            known.then.retain(|then| candidate.then.contains(then));
        }
        case.members.push(member);
    }
    let mut cases: Vec<Case> = cases.into_values().collect();
    sort(&mut cases, marking);
    Ok(cases)
}

/// What waits for a person in a run, or waited for one, without what counts for nobody as what it depends on does not
/// hold by what is decided now.
///
/// # Errors
///
/// As of [`pending`], and when the grades cannot be read.
pub fn open(run: &Run, marking: &Marking) -> Result<Vec<Case>, Trouble> {
    let mut cases = pending(run.folder(), marking)?;
    // Most rubrics have no conditions; where no value was chosen either, the grades need not be read.
    let entries = Log::read(run.folder())?;
    let is_chosen = rulings::standing(&entries).any(|ruling| ruling.decision.kind == Kind::Quantity);
    if !is_chosen && marking.drills.iter().all(|marked| marked.scheme.worths.iter().all(|worth| worth.only_if.is_none())) {
        return Ok(cases);
    }
    let ruled = Rulings::of(&entries);
    let (mut withheld, mut waits) = (BTreeSet::new(), BTreeSet::new());
    for row in run.grades()? {
        let row = row?;
        let ids = row.criteria.iter().filter(|criterion| criterion.withheld).map(|criterion| criterion.id.clone());
        withheld.extend(ids.map(|id| (row.submission.id.clone(), id)));
        waits.extend(row.review.into_iter().map(|item| (row.submission.id.clone(), item.id)));
    }
    cases.retain(|case| {
        let of = |member: &Member| (member.submission.clone(), case.id.clone());
        match case.kind {
            Kind::Criterion => case.members.iter().any(|member| !withheld.contains(&of(member))),
            // What followed from another choice waits no longer.
            Kind::Quantity => ruled.find(&case.about()).is_some() || case.members.iter().any(|member| waits.contains(&of(member))),
            Kind::Answer => true,
        }
    });
    Ok(cases)
}

fn digest_of(marked: &Marked, kind: Kind, id: &str) -> Option<String> {
    match kind {
        Kind::Quantity => marked.ask(id).map(|sheet| sheet.sha256.clone()),
        Kind::Criterion => marked.criterion(id).map(|sheet| sheet.sha256.clone()),
        Kind::Answer => Some(marked.whole()),
    }
}

/// Puts cases in the order in which they are worked through: whole answers in which nothing was found; then values, as what
/// is meant by one may decide others; then arguments, those that are worth most before those that are worth less; and what
/// earns nothing last.
pub(super) fn sort(cases: &mut [Case], marking: &Marking) {
    let place = |case: &Case| {
        let at = marking.drills.iter().position(|marked| marked.drill.id == case.drill);
        let inside = at.map(|at| &marking.drills[at]).and_then(|marked| match case.kind {
            Kind::Quantity => {
                let inside = marked.asks.iter().position(|sheet| sheet.id == case.id)?;
                // Which value is worth more does not matter: most are worth the same, and they stand in the order of the work.
                Some((Reverse(u64::from(marked.asks[inside].points > 0.0)), inside))
            }
            Kind::Criterion => {
                let inside = marked.criteria.iter().position(|sheet| sheet.id == case.id)?;
                Some((Reverse(marked.scheme.worths.get(inside).map_or(0, |worth| hundredths(worth.points))), inside))
            }
            // Whether it is an answer at all comes before everything in it.
            Kind::Answer => Some((Reverse(u64::MAX), 0)),
        });
        let is_worthless = inside.is_none_or(|(Reverse(worth), _)| worth == 0);
        (at, case.kind != Kind::Answer, is_worthless, case.kind, inside)
    };
    cases.sort_by(|one, other| place(one).cmp(&place(other)).then_with(|| one.passage.cmp(&other.passage)));
}

/// Points as a whole number, to be put in order.
fn hundredths(points: f64) -> u64 {
    // OK because points are small and not negative; what is not a number is worth nothing.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "points are small")]
    let hundredths = (points.abs() * 100.0).round() as u64;
    hundredths
}
