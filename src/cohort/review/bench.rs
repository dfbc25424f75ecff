//! What the tests of the desk work with: a marking, some cases, a log that is no file.

use super::cases::{Case, Member};
use super::desk::{Choice, Desk, Mode};
use super::log::{Act, Entry, Kind};
use super::marking::{AskSheet, CriterionSheet, Marked, Marking};
use crate::cohort::read::{Candidate, Reading, Version};
use crate::drill::{Credit, Level, Outcome, Sample, Scheme, StudentWords, Worth};
use crate::report::passage;

/// A log in memory.
#[derive(Debug, Default)]
pub(crate) struct TestLog {
    pub(crate) entries: Vec<Entry>,
}

impl TestLog {
    pub(crate) fn append(&mut self, desk: &mut Desk, act: Act) {
        let n = self.entries.len() as u64 + 1;
        let entry = Entry { n, time: "2026-09-02T23:59:00Z".to_owned(), by: desk.by().to_owned(), act, prev: String::new() };
        desk.learn(&entry);
        self.entries.push(entry);
    }
}

pub(crate) fn marking() -> Marking {
    let version = Version { id: "ring".to_owned(), sha256: "0".repeat(64) };
    let criterion = |id: &str| CriterionSheet {
        id: id.to_owned(),
        part: "d".to_owned(),
        says: "says why".to_owned(),
        note: None,
        student: StudentWords::default(),
        samples: vec![Sample {
            text: "The ring can hide behind the backward pass, so it costs nothing.".to_owned(),
            outcome: Outcome::Met,
        }],
        levels: vec![Level { share: 0.75, says: "nearly".to_owned() }],
        sha256: format!("criterion {id}"),
    };
    let ask = AskSheet {
        id: "b.latency".to_owned(),
        part: "b".to_owned(),
        asks: "the latency".to_owned(),
        reference: "1.24 ms".to_owned(),
        points: 1.0,
        sha256: "ask".to_owned(),
    };
    let worth = Worth { points: 2.0, partly: 0.5, ..Worth::default() };
    Marking {
        format: 1,
        drills: vec![Marked {
            drill: version.clone(),
            rubric: version,
            title: "Ring".to_owned(),
            credit: Credit::default(),
            asks: vec![ask],
            criteria: vec![criterion("d.overlap"), criterion("f.knee")],
            scheme: Scheme { worths: vec![worth.clone(), worth], caps: Vec::new() },
        }],
    }
}

pub(crate) fn case(id: &str, submission: &str, text: &str) -> Case {
    Case {
        drill: "ring".to_owned(),
        kind: Kind::Criterion,
        id: id.to_owned(),
        criterion: format!("criterion {id}"),
        passage: passage::digest(text),
        members: vec![Member { submission: submission.to_owned(), answer: format!("bytes of {submission}") }],
        why: "no-rule-decides".to_owned(),
        text: text.to_owned(),
        marks: Vec::new(),
        candidates: Vec::new(),
        rule: None,
    }
}

fn candidate(text: &str, verdict: &str, share: f64) -> Candidate {
    let reading = Reading { text: text.to_owned(), value: None, high: None, unit: None, start: 0, end: 1, line: 3, column: 1 };
    Candidate { reading, verdict: Some(verdict.to_owned()), share: Some(share), then: Vec::new() }
}

/// A quantity, three texts about one criterion, one about another.
pub(crate) fn cases() -> Vec<Case> {
    let mut quantity = case("b.latency", "q1", "1.24 ms or 1.28 ms or 3 Q");
    quantity.kind = Kind::Quantity;
    quantity.criterion = "ask".to_owned();
    quantity.candidates = vec![candidate("1.24 ms", "correct", 1.0), candidate("1.28 ms", "slip", 0.0), candidate("3 Q", "unclear", 0.0)];
    vec![
        quantity,
        case("d.overlap", "s1", "The all-reduce is hidden behind the backward pass as far as that lasts."),
        case("d.overlap", "s2", "The all-reduce is hidden behind the backward pass, as far as that goes."),
        case("d.overlap", "s3", "More than fifty percent is a lot."),
        case("f.knee", "t1", "Small buckets pay latency."),
    ]
}

pub(crate) fn desk(mode: Mode, by: &str) -> (Desk, TestLog) {
    (Desk::new(marking(), mode, by, cases(), &[]), TestLog::default())
}

/// Decides the case on the desk.
pub(crate) fn log_of(desk: &mut Desk, log: &mut TestLog, choice: Choice, comment: Option<&str>) {
    let act = desk.decide(choice, comment, 5).expect("a choice for this case");
    log.append(desk, act);
}

/// Decides the cases one after the other, by the codes of outcomes.
pub(crate) fn decide_all(desk: &mut Desk, log: &mut TestLog, outcomes: &[&str]) {
    for code in outcomes {
        let choice = super::overlay::outcome(code).map(Choice::Outcome).or_else(|| super::overlay::verdict(code).map(Choice::Verdict));
        log_of(desk, log, choice.expect("a code"), None);
    }
}
