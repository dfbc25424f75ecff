//! Grades with people's decisions applied: what a rule found or left open gives way to what a person said.

use std::path::Path;

use super::log::{Decision, Kind, Log};
use super::marking::{Marked, Marking};
use super::rulings::{About, Reopened, Ruling, Rulings};
use crate::cohort::Trouble;
use crate::cohort::read::{Follows, Quantity, ReviewItem, Row, Score};
use crate::drill::{Outcome, Standing};
use crate::grade::{self, Consequence, DecidedBy, PartPassage, Points, QuantityFinding, ReviewKind, Ruled, Verdict};
use crate::report::{Graded, passage};

/// The decisions of a run, ready to be applied to its grades.
#[derive(Clone, Debug)]
pub struct Overlay {
    marking: Marking,
    rulings: Rulings,
}

/// The outcome with this code.
pub(super) fn outcome(code: &str) -> Option<Outcome> {
    [Outcome::Met, Outcome::Partly, Outcome::NotMet].into_iter().find(|outcome| outcome.code() == code)
}

/// The verdict with this code.
pub(super) fn verdict(code: &str) -> Option<Verdict> {
    use Verdict::{CarriedForward, Correct, Form, Missing, Slip, Unclear, Wrong};
    [Correct, CarriedForward, Slip, Form, Wrong, Missing, Unclear].into_iter().find(|verdict| verdict.code() == code)
}

impl Overlay {
    /// The decisions of a run; none where nobody decided anything.
    ///
    /// # Errors
    ///
    /// When the log is not as it was written, or what the run keeps for the desk is missing.
    pub fn open(folder: &Path) -> Result<Option<Overlay>, Trouble> {
        let rulings = Rulings::of(&Log::read(folder)?);
        if rulings.is_empty() {
            return Ok(None);
        }
        Ok(Some(Overlay { marking: Marking::open(folder)?, rulings }))
    }

    /// These decisions, with drills that may be others than when they were made.
    pub fn new(marking: Marking, rulings: Rulings) -> Overlay {
        Overlay { marking, rulings }
    }

    /// Applies what was decided to a row, and counts its points anew. Gives the decisions that no longer hold for it.
    pub fn apply(&self, row: &mut Row) -> Vec<Reopened> {
        let Some(marked) = row.drill.as_ref().and_then(|drill| self.marking.drill(&drill.id)) else { return Vec::new() };
        if row.score.is_none() {
            return Vec::new();
        }
        let (mut reopened, mut is_changed) = (Vec::new(), false);
        let (submission, answer) = (row.submission.id.clone(), row.submission.sha256.clone().unwrap_or_default());
        let here = About { drill: &marked.drill.id, submission: &submission, answer: &answer, ..About::default() };
        let mut levels = vec![None; marked.criteria.len()];
        if let Some(at) = row.review.iter().position(|item| item.kind == Kind::Answer.code()) {
            let digest = row.review[at].passage_sha256.clone();
            let (id, criterion) = (row.review[at].id.clone(), marked.whole());
            let about = About { kind: Kind::Answer, id: &id, criterion: &criterion, passage: digest.as_deref(), ..here };
            reopened.extend(self.rulings.reopened(&about, "review"));
            if let Some(ruling) = self.rulings.find(&about) {
                look_at(row, ruling);
                is_changed = true;
            }
        }
        // What is worked out from a value that a person says is meant is judged with it, before anything else is said about it.
        let picks = self.picks(row, marked, here);
        let follows: Vec<Follows> =
            chosen(&row.consequences, &picks, |one| one.picks.iter().map(|pick| (pick.id.as_str(), pick.candidate)).collect());
        for one in follows {
            follow(row, one);
            is_changed = true;
        }
        for quantity in &mut row.quantities {
            let Some(sheet) = marked.ask(&quantity.id) else { continue };
            let at = row.review.iter().position(|item| item.kind == Kind::Quantity.code() && item.id == quantity.id);
            let digest = at.and_then(|at| row.review[at].passage_sha256.clone());
            let about = About { kind: Kind::Quantity, id: &sheet.id, criterion: &sheet.sha256, passage: digest.as_deref(), ..here };
            reopened.extend(self.rulings.reopened(&about, &quantity.verdict));
            let Some(Ruling { decision, by, .. }) = self.rulings.find(&about) else { continue };
            let Some(decided) = verdict(&decision.outcome) else { continue };
            let mut share = grade::share(&marked.credit, decided);
            quantity.verdict = decided.code().to_owned();
            if let Some(meant) = &decision.candidate {
                let candidates = at.map(|at| row.review[at].candidates.as_slice()).unwrap_or_default();
                if let Some(candidate) = candidates.iter().find(|candidate| candidate.reading.text == *meant) {
                    quantity.read = Some(candidate.reading.clone());
                    // What a value is worth that somebody says is meant, the judge says, by the drill as it is now.
                    if let Some(now) = candidate.verdict.as_deref().and_then(verdict).filter(|now| *now != Verdict::Unclear) {
                        quantity.verdict = now.code().to_owned();
                        share = candidate.share.unwrap_or(share);
                    }
                }
            }
            quantity.points = quantity.possible * share;
            quantity.pending = 0.0;
            quantity.decided_by = Some(by.clone());
            quantity.comment.clone_from(&decision.comment);
            if let Some(at) = at {
                row.review.remove(at);
            }
            is_changed = true;
        }
        for (at, sheet) in marked.criteria.iter().enumerate() {
            let Some(criterion) = row.criteria.iter_mut().find(|criterion| criterion.id == sheet.id) else { continue };
            let passage = row.passages.get(&sheet.part).map(String::as_str);
            let about = About { kind: Kind::Criterion, id: &sheet.id, criterion: &sheet.sha256, passage, ..here };
            reopened.extend(self.rulings.reopened(&about, &criterion.outcome));
            let Some(Ruling { decision, by, .. }) = self.rulings.find(&about) else { continue };
            let Some(decided) = outcome(&decision.outcome) else { continue };
            criterion.outcome = decided.code().to_owned();
            criterion.decided_by = "person".to_owned();
            criterion.by = Some(by.clone());
            criterion.comment.clone_from(&decision.comment);
            levels[at] = decision.share;
            row.review.retain(|item| item.kind != Kind::Criterion.code() || item.id != sheet.id);
            is_changed = true;
        }
        if is_changed {
            settle(row, marked, &levels);
        }
        reopened
    }

    /// The values of which people say that they are meant: the asks, and which of their candidates.
    fn picks(&self, row: &Row, marked: &Marked, here: About<'_>) -> Vec<(String, usize)> {
        let waits = row.review.iter().filter(|item| item.kind == Kind::Quantity.code());
        let pick = |item: &ReviewItem| {
            let sheet = marked.ask(&item.id)?;
            let passage = item.passage_sha256.as_deref();
            let about = About { kind: Kind::Quantity, id: &sheet.id, criterion: &sheet.sha256, passage, ..here };
            let values = item.candidates.iter().map(|candidate| (candidate.reading.text.as_str(), candidate.verdict.as_deref()));
            Some((item.id.clone(), meant(&self.rulings.find(&about)?.decision, values)?))
        };
        waits.filter_map(pick).collect()
    }

    /// Applies what was decided to a grade, for writing feedback anew. Says whether anything changed.
    pub fn apply_to(&self, graded: &Graded<'_>, changed: &mut grade::Grade) -> bool {
        let drill = graded.drill;
        let Some(marked) = self.marking.drill(&drill.id) else { return false };
        let (submission, answer) = (graded.submission.id, graded.submission.sha256);
        let here = About { drill: &drill.id, submission, answer, ..About::default() };
        let (mut levels, mut is_changed) = (vec![None; marked.criteria.len()], false);
        if changed.review.iter().any(|item| item.kind == ReviewKind::Answer) {
            let (digest, criterion) = (passage::digest(&passage::whole(graded.answer).text), marked.whole());
            let about = About { kind: Kind::Answer, id: grade::WHOLE, criterion: &criterion, passage: Some(&digest), ..here };
            if let Some(ruling) = self.rulings.find(&about) {
                changed.quantities.iter_mut().for_each(|finding| finding.points.pending = 0.0);
                changed.ruled = Some(ruled(ruling));
                changed.review.retain(|item| item.kind != ReviewKind::Answer);
                if ruling.decision.outcome == Outcome::NotMet.code() {
                    for finding in changed.criteria.iter_mut().filter(|finding| finding.outcome == Outcome::Review) {
                        finding.outcome = Outcome::NotMet;
                        finding.decided_by = DecidedBy::Person;
                    }
                    changed.review.clear();
                }
                is_changed = true;
            }
        }
        let ruling_on = |finding: &QuantityFinding, passages: &[PartPassage]| {
            let sheet = marked.ask(&finding.ask)?;
            let part = passages.iter().find(|passage| passage.part == finding.part);
            let digest = (finding.verdict == Verdict::Unclear).then(|| {
                let texts: Vec<&str> = finding.candidates.iter().map(|read| read.text.as_str()).collect();
                passage::digest_with(&passage::around(graded.answer, part, &finding.candidates).text, &texts)
            });
            let about = About { kind: Kind::Quantity, id: &sheet.id, criterion: &sheet.sha256, passage: digest.as_deref(), ..here };
            self.rulings.find(&about)
        };
        let pick = |finding: &QuantityFinding| {
            let values = finding.candidates.iter().enumerate();
            let values = values.map(|(at, read)| (read.text.as_str(), finding.weighed.get(at).map(|(verdict, _)| verdict.code())));
            Some((finding.ask.to_string(), meant(&ruling_on(finding, &changed.passages)?.decision, values)?))
        };
        let open = changed.quantities.iter().filter(|finding| finding.verdict == Verdict::Unclear);
        let picks: Vec<(String, usize)> = open.filter_map(pick).collect();
        let follows: Vec<Consequence> =
            chosen(&changed.consequences, &picks, |one| one.picks.iter().map(|(id, candidate)| (id.as_str(), *candidate)).collect());
        for one in follows {
            follow_in_grade(changed, one);
            is_changed = true;
        }
        for finding in &mut changed.quantities {
            let Some(ruling) = ruling_on(finding, &changed.passages) else { continue };
            let Some(decided) = verdict(&ruling.decision.outcome) else { continue };
            let mut share = grade::share(&marked.credit, decided);
            finding.verdict = decided;
            let meant = ruling.decision.candidate.as_deref();
            if let Some(at) = finding.candidates.iter().position(|read| Some(read.text.as_str()) == meant) {
                finding.read = Some(finding.candidates[at].clone());
                if let Some((now, of)) = finding.weighed.get(at).filter(|(now, _)| *now != Verdict::Unclear) {
                    (finding.verdict, share) = (*now, *of);
                }
            }
            finding.points = Points { awarded: finding.points.possible * share, pending: 0.0, ..finding.points };
            finding.ruled = Some(ruled(ruling));
            changed.review.retain(|item| item.kind != ReviewKind::Quantity || item.id != finding.ask);
            is_changed = true;
        }
        let passages: Vec<(String, String)> = changed
            .passages
            .iter()
            .map(|part| (part.part.clone(), passage::digest(&passage::under(graded.answer, part, &[]).text)))
            .collect();
        for (at, finding) in changed.criteria.iter_mut().enumerate() {
            let Some(sheet) = marked.criterion(&finding.id) else { continue };
            let passage = passages.iter().find(|(part, _)| *part == sheet.part).map(|(_, digest)| digest.as_str());
            let about = About { kind: Kind::Criterion, id: &sheet.id, criterion: &sheet.sha256, passage, ..here };
            let Some(ruling) = self.rulings.find(&about) else { continue };
            let Some(decided) = outcome(&ruling.decision.outcome) else { continue };
            finding.outcome = decided;
            finding.decided_by = DecidedBy::Person;
            finding.ruled = Some(ruled(ruling));
            if let Some(level) = levels.get_mut(at) {
                *level = ruling.decision.share;
            }
            changed.review.retain(|item| item.kind != ReviewKind::Criterion || item.id != finding.id);
            is_changed = true;
        }
        if is_changed {
            grade::settle(drill, changed, &|at| levels.get(at).copied().flatten());
        }
        is_changed
    }
}

/// Which of the values of a quantity is meant by a decision on it: the one that was named, or, where only its being right was
/// said, the first that is.
fn meant<'v>(decision: &Decision, mut values: impl Iterator<Item = (&'v str, Option<&'v str>)>) -> Option<usize> {
    match &decision.candidate {
        Some(text) => values.position(|(value, _)| value == text),
        None if decision.outcome == Verdict::Correct.code() => values.position(|(_, verdict)| verdict == Some(Verdict::Correct.code())),
        None => None,
    }
}

/// What follows from these choices: of what is known about any of them the most, which is one about all of them, or several
/// about one each.
fn chosen<C: Clone>(all: &[C], picks: &[(String, usize)], of: impl Fn(&C) -> Vec<(&str, usize)>) -> Vec<C> {
    let holds = |one: &&C| of(one).iter().all(|(id, candidate)| picks.iter().any(|(pick, at)| pick == id && at == candidate));
    let most = all.iter().filter(holds).map(|one| of(one).len()).max().unwrap_or(0);
    all.iter().filter(holds).filter(|one| of(one).len() == most).cloned().collect()
}

/// Puts what follows from a choice into a row.
fn follow(row: &mut Row, one: Follows) {
    for now in one.quantities {
        row.review.retain(|item| item.kind != Kind::Quantity.code() || item.id != now.id);
        if let Some(known) = row.quantities.iter_mut().find(|known| known.id == now.id) {
            *known = now;
        }
    }
    for now in one.weighed {
        let waits = row.review.iter_mut().find(|item| item.kind == Kind::Quantity.code() && item.id == now.id);
        for (candidate, worth) in waits.into_iter().flat_map(|item| &mut item.candidates).zip(now.candidates) {
            (candidate.verdict, candidate.share) = (Some(worth.verdict), Some(worth.share));
        }
    }
    for now in one.separate_terms {
        if let Some(known) = row.separate_terms.iter_mut().find(|known| known.of == now.of) {
            *known = now;
        }
    }
    for now in one.criteria {
        row.review.retain(|item| item.kind != Kind::Criterion.code() || item.id != now.id);
        if let Some(known) = row.criteria.iter_mut().find(|known| known.id == now.id) {
            *known = now;
        }
    }
}

/// The same for a grade.
fn follow_in_grade(grade: &mut grade::Grade, one: Consequence) {
    for now in one.quantities {
        if now.verdict != Verdict::Unclear {
            grade.review.retain(|item| item.kind != ReviewKind::Quantity || item.id != now.ask);
        }
        if let Some(known) = grade.quantities.iter_mut().find(|known| known.ask == now.ask) {
            *known = now;
        }
    }
    for now in one.separate {
        if let Some(known) = grade.separate.iter_mut().find(|known| known.of == now.of) {
            *known = now;
        }
    }
    for now in one.criteria {
        grade.review.retain(|item| item.kind != ReviewKind::Criterion || item.id != now.id);
        if let Some(known) = grade.criteria.iter_mut().find(|known| known.id == now.id) {
            *known = now;
        }
    }
}

/// An answer without values at which a person has looked: nothing in it counts, or its arguments do.
fn look_at(row: &mut Row, ruling: &Ruling) {
    for quantity in &mut row.quantities {
        quantity.pending = 0.0;
        quantity.decided_by = Some(ruling.by.clone());
    }
    // What is said about the whole stands once.
    if let Some(first) = row.quantities.first_mut() {
        first.comment.clone_from(&ruling.decision.comment);
    }
    row.review.retain(|item| item.kind != Kind::Answer.code());
    if ruling.decision.outcome != Outcome::NotMet.code() {
        return;
    }
    for criterion in row.criteria.iter_mut().filter(|criterion| criterion.outcome == Outcome::Review.code()) {
        criterion.outcome = Outcome::NotMet.code().to_owned();
        criterion.decided_by = "person".to_owned();
        criterion.by = Some(ruling.by.clone());
    }
    row.review.clear();
}

fn ruled(ruling: &Ruling) -> Ruled {
    Ruled { by: ruling.by.clone(), comment: ruling.decision.comment.clone() }
}

/// Counts a row anew.
fn settle(row: &mut Row, marked: &Marked, levels: &[Option<f64>]) {
    let found = |id: &str| row.criteria.iter().find(|criterion| criterion.id == id);
    let standings: Vec<Standing> = marked
        .criteria
        .iter()
        .zip(levels)
        .map(|(sheet, share)| {
            let outcome = found(&sheet.id).and_then(|criterion| outcome(&criterion.outcome)).unwrap_or(Outcome::Review);
            Standing { outcome, share: *share }
        })
        .collect();
    let values: f64 = row.quantities.iter().map(|quantity| quantity.points).sum();
    let right = |ask: &str| {
        let verdict = verdict(&row.quantities.iter().find(|quantity| quantity.id == ask)?.verdict)?;
        (verdict != Verdict::Unclear).then_some(matches!(verdict, Verdict::Correct | Verdict::CarriedForward | Verdict::Form))
    };
    let settled = marked.scheme.settle(&standings, values, &right);
    // Older runs say it by the verdict alone.
    let open = |quantity: &Quantity| if quantity.verdict == Verdict::Unclear.code() { quantity.possible } else { quantity.pending };
    let mut score = Score {
        awarded: values,
        possible: row.quantities.iter().map(|quantity| quantity.possible).sum(),
        pending: row.quantities.iter().map(open).sum(),
    };
    for (sheet, earned) in marked.criteria.iter().zip(settled) {
        if earned.withheld {
            row.review.retain(|item| item.kind != Kind::Criterion.code() || item.id != sheet.id);
        }
        if let Some(criterion) = row.criteria.iter_mut().find(|criterion| criterion.id == sheet.id) {
            criterion.points = dustless(earned.awarded);
            criterion.possible = dustless(earned.possible);
            criterion.pending = Some(dustless(earned.pending));
            criterion.withheld = earned.withheld && criterion.outcome != Outcome::NotMet.code();
        }
        score.awarded += earned.awarded;
        score.possible += earned.possible;
        score.pending += earned.pending;
    }
    row.score = Some(Score { awarded: dustless(score.awarded), possible: dustless(score.possible), pending: dustless(score.pending) });
}

/// Points to the millionth, as reports have them.
fn dustless(points: f64) -> f64 {
    (points * 1e6).round() / 1e6 + 0.0
}
