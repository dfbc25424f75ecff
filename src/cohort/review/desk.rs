//! The desk: which case lies on it, what was decided, what is left. Knows no terminal and writes no file: every decision
//! is an [`Act`] for whoever holds the log, and comes back with [`Desk::learn`] once it is written down.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::agreement;
use super::cases::{Case, Identity, Member};
use super::log::{Act, Decision, Entry, Kind};
use super::marking::{CriterionSheet, Marking};
use super::overlay;
use super::rulings::{self, Ruling, Rulings};
use super::similar::Features;
use crate::drill::Outcome;
use crate::grade::Verdict;

/// Decided texts that are shown beside a case.
const NEIGHBORS: usize = 3;
/// Less alike than this says nothing.
const FAINT: f64 = 0.15;
/// As alike as this proposes an outcome, where nothing nearly as alike says otherwise.
const STRONG: f64 = 0.55;
/// Decisions from which the pace is taken, the last ones, and how many there have to be: the first few are no pace.
const PACE: usize = 30;
const ENOUGH: usize = 10;
/// Who takes longer than this has gone for coffee.
const BREAK: u64 = 180;

/// What is done at the desk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// What waits is decided.
    Review,
    /// A sample is decided a second time, without seeing the first.
    Second,
    /// What was decided in two ways is settled, both seen.
    Settle,
}

/// A choice for the case on the desk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// A criterion is met, partly met or not met.
    Outcome(Outcome),
    /// A level of the criterion, by its place in the rubric.
    Level(usize),
    /// This candidate is what was meant.
    Candidate(usize),
    /// How a quantity is, whichever value was meant.
    Verdict(Verdict),
}

/// A text like the one on the desk, and how it was decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbor {
    /// From 0 to 1.
    pub likeness: f64,
    /// The outcome's or the verdict's code.
    pub outcome: String,
    /// The text.
    pub text: String,
    /// Who decided; none for a sample of the rubric.
    pub by: Option<String>,
}

/// How far the work is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Cases that are decided.
    pub decided: usize,
    /// All cases.
    pub of: usize,
}

/// The desk.
#[derive(Debug)]
pub struct Desk {
    /// What a person needs of the drills.
    pub marking: Marking,
    mode: Mode,
    by: String,
    cases: Vec<Case>,
    features: Vec<OnceCell<Features>>,
    samples: OnceCell<BTreeMap<(String, String), Vec<Features>>>,
    entries: Vec<Entry>,
    decided: Vec<Option<Ruling>>,
    /// By drill and submission: that nothing in it counts.
    nothing: BTreeMap<(String, String), Ruling>,
    skipped: BTreeSet<usize>,
    at: usize,
}

impl Desk {
    /// Sits down to these cases. For a second opinion and for settling, only those stay that are to be looked at again.
    pub fn new(marking: Marking, mode: Mode, by: &str, cases: Vec<Case>, entries: &[Entry]) -> Desk {
        let mut desk = Desk {
            marking,
            mode,
            by: by.to_owned(),
            features: Vec::new(),
            samples: OnceCell::new(),
            cases,
            entries: entries.to_vec(),
            decided: Vec::new(),
            nothing: BTreeMap::new(),
            skipped: BTreeSet::new(),
            at: 0,
        };
        desk.keep_what_is_for_us();
        desk.features = vec![OnceCell::new(); desk.cases.len()];
        desk.refresh();
        if desk.decided.first().is_some_and(Option::is_some) {
            desk.advance();
        }
        desk
    }

    fn keep_what_is_for_us(&mut self) {
        match self.mode {
            Mode::Review => {}
            Mode::Second => {
                // What this person decided first is for somebody else to decide again.
                let own: BTreeSet<Identity> = rulings::standing(&self.entries)
                    .filter(|ruling| ruling.by == self.by && !ruling.decision.second)
                    .map(|ruling| identity(&ruling.decision))
                    .collect();
                self.cases.retain(|case| !own.contains(&case.identity()));
            }
            Mode::Settle => {
                let contested = agreement::contested(&self.entries);
                self.cases.retain(|case| contested.contains(&case.identity()));
            }
        }
    }

    /// What is done here.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Who sits here.
    pub fn by(&self) -> &str {
        &self.by
    }

    /// All cases, in the order in which they are worked through.
    pub fn cases(&self) -> &[Case] {
        &self.cases
    }

    /// The case on the desk; none where there is nothing to decide.
    pub fn case(&self) -> Option<&Case> {
        self.cases.get(self.at)
    }

    /// The criterion of the case on the desk.
    pub fn sheet(&self) -> Option<&CriterionSheet> {
        self.case()?.sheet(&self.marking)
    }

    /// How the case on the desk was decided; for a second opinion, by the one who gives it.
    pub fn ruling(&self) -> Option<&Ruling> {
        self.decided.get(self.at)?.as_ref()
    }

    /// What had been decided here before the words or the rubric changed.
    pub fn before(&self) -> Option<Ruling> {
        if self.mode != Mode::Review || self.ruling().is_some() {
            return None;
        }
        let case = self.case()?;
        let rulings = Rulings::of(&self.entries);
        case.members.iter().find_map(|member| {
            let about = super::About { submission: &member.submission, answer: &member.answer, ..case.about() };
            rulings.before(&about).cloned()
        })
    }

    /// The decisions that disagree about the case on the desk, for who settles it.
    pub fn sides(&self) -> Vec<(String, String)> {
        let Some(case) = self.case().filter(|_| self.mode == Mode::Settle) else { return Vec::new() };
        let mut sides: Vec<(String, String)> = case.rule.iter().map(|rule| ("the rules".to_owned(), rule.clone())).collect();
        let about =
            rulings::standing(&self.entries).filter(|ruling| identity(&ruling.decision) == case.identity() && !ruling.decision.settles);
        sides.extend(about.map(|ruling| (ruling.by, ruling.decision.outcome)));
        sides
    }

    /// A choice for the case on the desk, as an act for the log.
    ///
    /// # Errors
    ///
    /// Says in a short sentence why the choice is none here.
    pub fn decide(&self, choice: Choice, comment: Option<&str>, seconds: u64) -> Result<Act, &'static str> {
        let case = self.case().ok_or("there is nothing to decide")?;
        decision(case, &self.marking, self.mode, choice, comment, Some(seconds)).map(Act::Decide)
    }

    /// Takes back the last decision that this person made in this mode, also one of an earlier sitting.
    pub fn undo(&self) -> Option<Act> {
        let known: BTreeSet<Identity> = self.cases.iter().map(Case::identity).collect();
        let ours = rulings::standing(&self.entries).filter(|ruling| {
            let decision = &ruling.decision;
            let is_mode = match self.mode {
                Mode::Review => !decision.second && !decision.settles,
                Mode::Second => decision.second,
                Mode::Settle => decision.settles,
            };
            ruling.by == self.by && is_mode && known.contains(&identity(decision))
        });
        Some(Act::Undo { of: ours.last()?.n })
    }

    /// What was said with a decision, by the number of its line.
    pub fn comment_of(&self, n: u64) -> Option<String> {
        match &self.entries.iter().find(|entry| entry.n == n)?.act {
            Act::Decide(decision) => decision.comment.clone(),
            Act::Undo { .. } => None,
        }
    }

    /// Takes note of a line that is in the log, and moves on: after a decision to the next case, after undoing to the case
    /// that is open again.
    pub fn learn(&mut self, entry: &Entry) {
        self.entries.push(entry.clone());
        self.refresh();
        match &entry.act {
            Act::Decide(decision) => {
                if self.case().is_some_and(|case| case.identity() == identity(decision)) {
                    self.advance();
                }
            }
            Act::Undo { of } => {
                let undone = self.entries.iter().find(|entry| entry.n == *of).map(|entry| entry.act.clone());
                if let Some(Act::Decide(decision)) = undone
                    && let Some(at) = self.cases.iter().position(|case| case.identity() == identity(&decision))
                {
                    self.at = at;
                    self.skipped.remove(&at);
                }
            }
        }
    }

    /// Which cases are decided, from the log.
    fn refresh(&mut self) {
        let rulings = Rulings::of(&self.entries);
        let whole = self.cases.iter().filter(|case| case.kind == Kind::Answer);
        let counts_not = |ruling: &&Ruling| ruling.decision.outcome == Outcome::NotMet.code();
        let ruled = whole.filter_map(|case| Some((case, rulings.find(&case.about()).filter(counts_not)?.clone())));
        let members = ruled.flat_map(|(case, ruling)| {
            case.members.iter().map(move |member| ((case.drill.clone(), member.submission.clone()), ruling.clone())).collect::<Vec<_>>()
        });
        self.nothing = members.collect();
        self.decided = match self.mode {
            Mode::Review => {
                self.cases.iter().map(|case| rulings.find(&case.about()).or_else(|| self.of_the_whole(case)).cloned()).collect()
            }
            Mode::Second | Mode::Settle => {
                let mut last: BTreeMap<Identity, Ruling> = BTreeMap::new();
                for ruling in rulings::standing(&self.entries) {
                    let decision = &ruling.decision;
                    let counts = if self.mode == Mode::Second { decision.second && ruling.by == self.by } else { decision.settles };
                    if counts {
                        last.insert(identity(decision), ruling);
                    }
                }
                self.cases
                    .iter()
                    .map(|case| last.get(&case.identity()).filter(|ruling| ruling.decision.criterion == case.criterion).cloned())
                    .collect()
            }
        };
    }

    /// That nothing in any answer in which this text stands counts, where somebody said so: then the text is decided, too.
    fn of_the_whole(&self, case: &Case) -> Option<&Ruling> {
        let ruling_on = |member: &Member| self.nothing.get(&(case.drill.clone(), member.submission.clone()));
        let first = ruling_on(case.members.first()?)?;
        (case.kind != Kind::Answer && case.members.iter().all(|member| ruling_on(member).is_some())).then_some(first)
    }

    /// To the next open case: of this criterion first, then of the others; what was skipped comes last.
    fn advance(&mut self) {
        let count = self.cases.len();
        let after: Vec<usize> = (1..=count).map(|step| (self.at + step) % count.max(1)).collect();
        let is_open = |at: &usize| self.decided[*at].is_none() && *at != self.at;
        let same = |at: &usize| self.group_of(*at) == self.group_of(self.at);
        let fresh = |at: &usize| !self.skipped.contains(at);
        let next = after
            .iter()
            .find(|at| is_open(at) && same(at) && fresh(at))
            .or_else(|| after.iter().find(|at| is_open(at) && fresh(at)))
            .or_else(|| after.iter().find(|at| is_open(at)));
        if let Some(&next) = next {
            self.at = next;
        }
    }

    /// Leaves the case for later.
    pub fn skip(&mut self) {
        self.skipped.insert(self.at);
        // When everything open was skipped, it comes round again.
        if (0..self.cases.len()).all(|at| self.decided[at].is_some() || self.skipped.contains(&at)) {
            let here = self.at;
            self.skipped.retain(|at| *at == here);
        }
        self.advance();
    }

    /// To a neighboring case, decided or not.
    pub fn step(&mut self, forward: bool) {
        let last = self.cases.len().saturating_sub(1);
        self.at = if forward { (self.at + 1).min(last) } else { self.at.saturating_sub(1) };
    }

    /// To the first open case of the next or the last criterion; to its first case, where all are decided.
    pub fn leap(&mut self, forward: bool) {
        let groups = self.groups();
        let Some(here) = groups.iter().position(|range| range.contains(&self.at)) else { return };
        let there = if forward { (here + 1) % groups.len() } else { (here + groups.len() - 1) % groups.len() };
        let range = groups[there].clone();
        self.at = range.clone().find(|&at| self.decided[at].is_none()).unwrap_or(range.start);
    }

    fn group_of(&self, at: usize) -> (&str, Kind, &str) {
        let case = &self.cases[at];
        (&case.drill, case.kind, &case.id)
    }

    /// The stretches of cases of one criterion each.
    fn groups(&self) -> Vec<std::ops::Range<usize>> {
        let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
        for at in 0..self.cases.len() {
            match groups.last_mut() {
                Some(last) if self.group_of(last.start) == self.group_of(at) => last.end = at + 1,
                _ => groups.push(at..at + 1),
            }
        }
        groups
    }

    fn progress_in(&self, range: std::ops::Range<usize>) -> Progress {
        Progress { of: range.len(), decided: self.decided[range].iter().filter(|decided| decided.is_some()).count() }
    }

    /// How far all of it is.
    pub fn progress(&self) -> Progress {
        self.progress_in(0..self.cases.len())
    }

    /// How far the criterion on the desk is, which of how many criteria it is, from 1, and which of its cases lies here, from 1.
    pub fn progress_here(&self) -> (Progress, usize, usize, usize) {
        let groups = self.groups();
        let here = groups.iter().position(|range| range.contains(&self.at)).unwrap_or(0);
        let Some(range) = groups.get(here).cloned() else { return (Progress::default(), 0, 0, 0) };
        (self.progress_in(range.clone()), here + 1, groups.len(), self.at - range.start + 1)
    }

    /// How long the rest will take, in seconds, by the pace of the last decisions of each kind: values are decided faster
    /// than arguments. None before there is a pace.
    pub fn left(&self) -> Option<u64> {
        let timed: Vec<(Kind, u64)> = rulings::standing(&self.entries)
            .filter_map(|ruling| Some((ruling.decision.kind, ruling.decision.seconds?.clamp(1, BREAK))))
            .collect();
        let pace = |of: &dyn Fn(Kind) -> bool| {
            let last = timed.iter().rev().filter(|(kind, _)| of(*kind)).map(|(_, seconds)| *seconds).take(PACE);
            let mut last: Vec<u64> = last.collect();
            last.sort_unstable();
            (last.len() >= ENOUGH).then(|| last[last.len() / 2])
        };
        let any = pace(&|_| true)?;
        let open = self.cases.iter().zip(&self.decided).filter(|(_, decided)| decided.is_none());
        let open: Vec<Kind> = open.map(|(case, _)| case.kind).collect();
        let mut left = 0;
        for kind in [Kind::Quantity, Kind::Criterion, Kind::Answer] {
            let count = open.iter().filter(|of| **of == kind).count() as u64;
            left += count * pace(&|of| of == kind).unwrap_or(any);
        }
        Some(left)
    }

    /// The decided texts and samples most like the case on the desk, the nearest first. Who gives a second opinion sees
    /// samples, and what they said themselves.
    pub fn neighbors(&self) -> Vec<Neighbor> {
        let Some(case) = self.case().filter(|case| case.kind == Kind::Criterion) else { return Vec::new() };
        let here = self.features_of(self.at);
        let mut neighbors: Vec<Neighbor> = Vec::new();
        for at in (0..self.cases.len()).filter(|&at| at != self.at && self.group_of(at) == self.group_of(self.at)) {
            let Some(ruling) = &self.decided[at] else { continue };
            neighbors.push(Neighbor {
                likeness: here.likeness(self.features_of(at)),
                outcome: ruling.decision.outcome.clone(),
                text: self.cases[at].text.clone(),
                by: Some(ruling.by.clone()),
            });
        }
        if let Some(sheet) = case.sheet(&self.marking) {
            let features = &self.samples()[&(case.drill.clone(), case.id.clone())];
            let decided = sheet.samples.iter().zip(features).filter(|(sample, _)| sample.outcome != Outcome::Review);
            neighbors.extend(decided.map(|(sample, features)| Neighbor {
                likeness: here.likeness(features),
                outcome: sample.outcome.code().to_owned(),
                text: sample.text.clone(),
                by: None,
            }));
        }
        // The order of equals is that of the cases, and people's decisions stand before samples.
        neighbors.sort_by(|one, other| other.likeness.total_cmp(&one.likeness));
        neighbors.retain(|neighbor| neighbor.likeness >= FAINT);
        neighbors.truncate(NEIGHBORS);
        neighbors
    }

    fn features_of(&self, at: usize) -> &Features {
        self.features[at].get_or_init(|| Features::of(&self.cases[at].text))
    }

    fn samples(&self) -> &BTreeMap<(String, String), Vec<Features>> {
        self.samples.get_or_init(|| {
            let sheets = self.marking.drills.iter().flat_map(|marked| marked.criteria.iter().map(|sheet| (&marked.drill.id, sheet)));
            let features = |sheet: &CriterionSheet| sheet.samples.iter().map(|sample| Features::of(&sample.text)).collect();
            sheets.map(|(drill, sheet)| ((drill.clone(), sheet.id.clone()), features(sheet))).collect()
        })
    }

    /// The outcome that the nearest decided texts propose, where they agree. A proposal; a person decides.
    pub fn proposal(&self) -> Option<Outcome> {
        if self.mode == Mode::Second {
            return None;
        }
        let neighbors = self.neighbors();
        let first = neighbors.first().filter(|nearest| nearest.likeness >= STRONG)?;
        let near = neighbors.iter().filter(|neighbor| neighbor.likeness >= first.likeness * 0.8);
        near.map(|neighbor| &neighbor.outcome).all(|outcome| *outcome == first.outcome).then(|| overlay::outcome(&first.outcome))?
    }

    /// The comments that were written about the criterion on the desk, the most used first.
    pub fn comments(&self) -> Vec<String> {
        let Some(case) = self.case() else { return Vec::new() };
        // How often, and when last.
        let mut used: BTreeMap<String, (usize, u64)> = BTreeMap::new();
        for ruling in rulings::standing(&self.entries).filter(|ruling| ruling.decision.id == case.id && ruling.decision.drill == case.drill)
        {
            // Another's words would give away what they decided.
            if self.mode == Mode::Second && ruling.by != self.by {
                continue;
            }
            if let Some(comment) = ruling.decision.comment {
                let known = used.entry(comment).or_default();
                *known = (known.0 + 1, ruling.n);
            }
        }
        let mut comments: Vec<(String, (usize, u64))> = used.into_iter().collect();
        comments.sort_by(|(_, one), (_, other)| other.cmp(one));
        comments.into_iter().map(|(comment, _)| comment).collect()
    }
}

/// A choice about a case as a line of the log has it, or why it is none.
pub(super) fn decision(
    case: &Case,
    marking: &Marking,
    mode: Mode,
    choice: Choice,
    comment: Option<&str>,
    seconds: Option<u64>,
) -> Result<Decision, &'static str> {
    let (outcome, share, candidate) = match (choice, case.kind) {
        (Choice::Outcome(Outcome::Review), _) | (Choice::Verdict(Verdict::Unclear), _) => return Err("that is no decision"),
        (Choice::Outcome(outcome), Kind::Criterion) => (outcome.code().to_owned(), None, None),
        (Choice::Outcome(outcome), Kind::Quantity) => {
            let verdict = match outcome {
                Outcome::Met => Verdict::Correct,
                Outcome::Partly => Verdict::Form,
                Outcome::NotMet | Outcome::Review => Verdict::Wrong,
            };
            (verdict.code().to_owned(), None, None)
        }
        (Choice::Verdict(verdict), Kind::Quantity) => (verdict.code().to_owned(), None, None),
        (Choice::Level(at), Kind::Criterion) => {
            let levels = case.sheet(marking).map(|sheet| sheet.levels.as_slice()).unwrap_or_default();
            let level = levels.get(at).ok_or("this criterion has no such level")?;
            (Outcome::Partly.code().to_owned(), Some(level.share), None)
        }
        (Choice::Candidate(at), Kind::Quantity) => {
            let candidate = case.candidates.get(at).ok_or("there is no such value")?;
            let verdict = candidate.verdict.as_deref().and_then(overlay::verdict).filter(|verdict| *verdict != Verdict::Unclear);
            let verdict = verdict.ok_or("the judge is not sure of this value; say how it is")?;
            (verdict.code().to_owned(), None, Some(candidate.reading.text.clone()))
        }
        (Choice::Outcome(outcome @ (Outcome::Met | Outcome::NotMet)), Kind::Answer) => (outcome.code().to_owned(), None, None),
        (_, Kind::Answer) => return Err("either nothing in it counts, or it is an answer without values"),
        (Choice::Verdict(_) | Choice::Candidate(_), Kind::Criterion) => return Err("a criterion is met, partly met or not met"),
        (Choice::Level(_), Kind::Quantity) => return Err("a quantity has no levels"),
    };
    let about = case.about();
    Ok(Decision {
        drill: case.drill.clone(),
        kind: case.kind,
        id: case.id.clone(),
        submission: about.submission.to_owned(),
        answer: about.answer.to_owned(),
        passage: case.passage.clone(),
        criterion: case.criterion.clone(),
        outcome,
        share,
        candidate,
        comment: comment.map(str::trim).filter(|comment| !comment.is_empty()).map(str::to_owned),
        rule: case.rule.clone(),
        second: mode == Mode::Second,
        settles: mode == Mode::Settle,
        seconds,
    })
}

/// The case that a decision is about.
pub(super) fn identity(decision: &Decision) -> Identity {
    (decision.drill.clone(), decision.kind, decision.id.clone(), decision.passage.clone())
}

#[cfg(test)]
mod tests;
