//! What the rules decided, laid before a person: a sample for a second opinion, or what somebody disagrees with.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::cases::{self, Case, Identity, Member};
use super::desk::identity;
use super::log::{Entry, Kind};
use super::marking::Marking;
use super::{agreement, rulings};
use crate::cohort::Trouble;
use crate::cohort::read::{Row, Run};
use crate::cohort::run::read_again;
use crate::drill::Drill;
use crate::grade::Grader;
use crate::report::passage;

/// The cases of a run for a second opinion by `by`: of each criterion a share (from 0 to 1, and at least one) of what
/// others decided, and of what the rules decided. The same run gives the same sample, whoever asks.
///
/// # Errors
///
/// When the run cannot be read. Texts that are no longer at hand are left out and told with the reason.
pub fn second(
    run: &Run,
    marking: &Marking,
    drills: &[Drill],
    input: Option<&Path>,
    entries: &[Entry],
    share: f64,
) -> Result<(Vec<Case>, Vec<String>), Trouble> {
    let first: BTreeSet<Identity> =
        rulings::standing(entries).filter(|ruling| !ruling.decision.second).map(|ruling| identity(&ruling.decision)).collect();
    let mut pending = cases::pending(run.folder(), marking)?;
    pending.retain(|case| first.contains(&case.identity()));
    let mut cases = sample(pending, share);
    let (ruled, left) = with_texts(run, drills, input, sample(by_rules(run, marking)?, share))?;
    cases.extend(ruled);
    cases::sort(&mut cases, marking);
    Ok((cases, left))
}

/// The cases of a run that were decided in two ways.
///
/// # Errors
///
/// When the run cannot be read. Texts that are no longer at hand are left out and told with the reason.
pub fn contested(
    run: &Run,
    marking: &Marking,
    drills: &[Drill],
    input: Option<&Path>,
    entries: &[Entry],
) -> Result<(Vec<Case>, Vec<String>), Trouble> {
    let wanted = agreement::contested(entries);
    let is_wanted = |case: &Case| wanted.contains(&case.identity());
    let mut cases = cases::pending(run.folder(), marking)?;
    cases.retain(is_wanted);
    let mut ruled = by_rules(run, marking)?;
    ruled.retain(is_wanted);
    let (ruled, left) = with_texts(run, drills, input, ruled)?;
    cases.extend(ruled);
    cases::sort(&mut cases, marking);
    Ok((cases, left))
}

/// Of each criterion a share: those whose digests come first, which is as good as drawn by lot, and the same every time.
fn sample(cases: Vec<Case>, share: f64) -> Vec<Case> {
    let mut groups: BTreeMap<(String, Kind, String), Vec<Case>> = BTreeMap::new();
    for case in cases {
        groups.entry((case.drill.clone(), case.kind, case.id.clone())).or_default().push(case);
    }
    let mut kept = Vec::new();
    for mut group in groups.into_values() {
        group.sort_by(|one, other| one.passage.cmp(&other.passage));
        // OK because a class has fewer students than an f64 has whole numbers, and a share is at most 1.
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small counts")]
        let count = (group.len() as f64 * share).ceil() as usize;
        group.truncate(count);
        kept.extend(group);
    }
    kept
}

/// What the rules decided about criteria, without the texts.
fn by_rules(run: &Run, marking: &Marking) -> Result<Vec<Case>, Trouble> {
    let mut cases: BTreeMap<Identity, Case> = BTreeMap::new();
    for row in run.raw_grades()? {
        let row = row?;
        let Some(marked) = row.drill.as_ref().and_then(|drill| marking.drill(&drill.id)) else { continue };
        for criterion in row.criteria.iter().filter(|criterion| criterion.outcome != "review") {
            let (Some(sheet), Some(passage)) = (marked.criterion(&criterion.id), row.passages.get(&criterion.part)) else { continue };
            let case = Case {
                drill: marked.drill.id.clone(),
                kind: Kind::Criterion,
                id: sheet.id.clone(),
                criterion: sheet.sha256.clone(),
                passage: passage.clone(),
                members: Vec::new(),
                why: String::new(),
                text: String::new(),
                marks: Vec::new(),
                candidates: Vec::new(),
                rule: Some(criterion.outcome.clone()),
            };
            let member = Member { submission: row.submission.id.clone(), answer: row.submission.sha256.clone().unwrap_or_default() };
            cases.entry(case.identity()).or_insert(case).members.push(member);
        }
    }
    Ok(cases.into_values().collect())
}

/// Reads the submissions again in which the texts stand.
fn with_texts(run: &Run, drills: &[Drill], input: Option<&Path>, mut cases: Vec<Case>) -> Result<(Vec<Case>, Vec<String>), Trouble> {
    let mut left = Vec::new();
    if cases.is_empty() {
        return Ok((cases, left));
    }
    let class = match run.class(input) {
        Ok(class) => class,
        Err(trouble) => return Ok((Vec::new(), vec![trouble.to_string()])),
    };
    let mut wanted: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, case) in cases.iter().enumerate() {
        wanted.entry(&case.members[0].submission).or_default().push(at);
    }
    let places: BTreeMap<&str, usize> = class.submissions.iter().enumerate().map(|(at, one)| (one.id.as_str(), at)).collect();
    let graders: Vec<Grader<'_>> = drills.iter().map(Grader::new).collect();
    let mut texts: BTreeMap<usize, passage::PartText> = BTreeMap::new();
    for row in run.raw_grades()? {
        let row = row?;
        let Some(wanted) = wanted.get(row.submission.id.as_str()) else { continue };
        let found = places.get(row.submission.id.as_str()).ok_or_else(|| "is no longer in the class".to_owned());
        let found = found.and_then(|&at| read_again(&class, at, &row)).and_then(|(answer, _)| {
            let at = drills.iter().position(|drill| is_of(&row, drill)).ok_or("its drill or rubric has changed since")?;
            let grade = graders[at].grade(&answer);
            for &at in wanted {
                let finding = grade.criteria.iter().find(|finding| finding.id == cases[at].id);
                let part = finding.and_then(|finding| grade.passages.iter().find(|part| part.part == finding.part));
                let (Some(finding), Some(part)) = (finding, part) else { continue };
                let places: Vec<_> = finding.evidence.iter().map(|basis| basis.span).collect();
                texts.insert(at, passage::under(&answer, part, &places));
            }
            Ok(())
        });
        if let Err(why) = found {
            left.push(format!("{}: {why}", row.submission.id));
        }
    }
    for (at, text) in texts {
        (cases[at].text, cases[at].marks) = (text.text, text.marks);
    }
    // A text that is not the one that was judged is nobody's to judge.
    cases.retain(|case| passage::digest(&case.text) == case.passage);
    Ok((cases, left))
}

fn is_of(row: &Row, drill: &Drill) -> bool {
    row.drill.as_ref().is_some_and(|version| version.id == drill.id)
}
