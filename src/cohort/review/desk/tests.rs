//! The desk without a terminal: what is decided, taken back, left out, proposed.

use proptest::prelude::*;

use super::*;
use crate::cohort::review::agreement::agreement;
use crate::cohort::review::bench::{TestLog, case, decide_all, desk, log_of, marking};
use crate::cohort::review::marking::AskSheet;

fn ids(desk: &Desk) -> String {
    let mark = |at: usize| if desk.decided[at].is_some() { "+" } else { "-" };
    let all: Vec<String> = (0..desk.cases.len()).map(|at| format!("{}{}", mark(at), desk.cases[at].members[0].submission)).collect();
    format!("{} @{}", all.join(" "), desk.at)
}

#[test]
fn a_decision_moves_on_and_undoing_comes_back() {
    let (mut desk, mut log) = desk(Mode::Review, "ada");
    assert_eq!(ids(&desk), "-q1 -s1 -s2 -s3 -t1 @0");
    log_of(&mut desk, &mut log, Choice::Candidate(1), None);
    assert_eq!(ids(&desk), "+q1 -s1 -s2 -s3 -t1 @1");
    log_of(&mut desk, &mut log, Choice::Outcome(Outcome::Met), Some("  Well put. "));
    log_of(&mut desk, &mut log, Choice::Outcome(Outcome::NotMet), None);
    assert_eq!(ids(&desk), "+q1 +s1 +s2 -s3 -t1 @3");
    let undo = desk.undo().expect("there is something to undo");
    assert_eq!(undo, Act::Undo { of: 3 });
    log.append(&mut desk, undo);
    assert_eq!(ids(&desk), "+q1 +s1 -s2 -s3 -t1 @2");
    let undo = desk.undo().expect("there is something to undo");
    assert_eq!(undo, Act::Undo { of: 2 });
    assert_eq!(desk.comment_of(2).as_deref(), Some("Well put."));
    log.append(&mut desk, undo);
    assert_eq!(ids(&desk), "+q1 -s1 -s2 -s3 -t1 @1");
    // Who sits down again finds all of it, and can still undo.
    let again = Desk::new(marking(), Mode::Review, "ada", desk.cases.clone(), &log.entries);
    assert_eq!(ids(&again), "+q1 -s1 -s2 -s3 -t1 @1");
    assert_eq!(again.undo(), Some(Act::Undo { of: 1 }));
    let other = Desk::new(marking(), Mode::Review, "bo", desk.cases.clone(), &log.entries);
    assert_eq!((ids(&other).as_str(), other.undo()), ("+q1 -s1 -s2 -s3 -t1 @1", None), "what another decided is not ours to undo");
}

#[test]
fn what_is_skipped_comes_again_at_the_end() {
    let (mut desk, mut log) = desk(Mode::Review, "ada");
    desk.skip();
    assert_eq!(ids(&desk), "-q1 -s1 -s2 -s3 -t1 @1");
    desk.skip();
    log_of(&mut desk, &mut log, Choice::Outcome(Outcome::Met), None);
    log_of(&mut desk, &mut log, Choice::Outcome(Outcome::Met), None);
    assert_eq!(ids(&desk), "-q1 -s1 +s2 +s3 -t1 @4", "another criterion before what was skipped");
    log_of(&mut desk, &mut log, Choice::Outcome(Outcome::Met), None);
    assert_eq!(ids(&desk), "-q1 -s1 +s2 +s3 +t1 @0");
    desk.skip();
    assert_eq!(desk.at, 1);
    desk.skip();
    assert_eq!(desk.at, 0, "round and round");
}

#[test]
fn steps_and_leaps_stay_on_the_desk() {
    let (mut desk, mut log) = desk(Mode::Review, "ada");
    desk.step(false);
    assert_eq!(desk.at, 0);
    desk.leap(true);
    assert_eq!(desk.at, 1);
    log_of(&mut desk, &mut log, Choice::Outcome(Outcome::Met), None);
    desk.leap(true);
    assert_eq!(desk.at, 4);
    desk.leap(false);
    assert_eq!(desk.at, 2, "the first open one");
    desk.leap(true);
    desk.leap(true);
    assert_eq!(desk.at, 0);
    for _ in 0..9 {
        desk.step(true);
    }
    assert_eq!(desk.at, 4);
    let (here, group, groups, at) = desk.progress_here();
    assert_eq!((here, group, groups, at), (Progress { decided: 0, of: 1 }, 3, 3, 1));
    let mut empty = Desk::new(marking(), Mode::Review, "ada", Vec::new(), &[]);
    empty.step(true);
    empty.leap(true);
    empty.skip();
    assert_eq!((empty.case().is_none(), empty.undo(), empty.left(), empty.neighbors().len()), (true, None, None, 0));
}

#[test]
fn choices_are_those_of_the_case() {
    let (mut desk, _) = desk(Mode::Review, "ada");
    let told = |desk: &Desk, choice| match desk.decide(choice, None, 0) {
        Ok(Act::Decide(decision)) => format!("{} {:?} {:?}", decision.outcome, decision.share, decision.candidate),
        Ok(act) => format!("{act:?}"),
        Err(why) => why.to_owned(),
    };
    assert_eq!(told(&desk, Choice::Candidate(0)), "correct None Some(\"1.24 ms\")");
    assert_eq!(told(&desk, Choice::Candidate(2)), "the judge is not sure of this value; say how it is");
    assert_eq!(told(&desk, Choice::Candidate(3)), "there is no such value");
    assert_eq!(told(&desk, Choice::Outcome(Outcome::Partly)), "form None None");
    assert_eq!(told(&desk, Choice::Verdict(Verdict::Missing)), "missing None None");
    assert_eq!(told(&desk, Choice::Level(0)), "a quantity has no levels");
    desk.step(true);
    assert_eq!(told(&desk, Choice::Level(0)), "partly Some(0.75) None");
    assert_eq!(told(&desk, Choice::Level(1)), "this criterion has no such level");
    assert_eq!(told(&desk, Choice::Candidate(0)), "a criterion is met, partly met or not met");
    assert_eq!(told(&desk, Choice::Outcome(Outcome::Review)), "that is no decision");
}

#[test]
fn what_is_alike_proposes_how_it_was_decided() {
    let (mut desk, mut log) = desk(Mode::Review, "ada");
    desk.step(true);
    // s1 and s2 say nearly the same, s3 something else; the rubric has a sample that says it, too.
    assert_eq!(desk.neighbors().iter().map(|neighbor| neighbor.by.clone()).collect::<Vec<_>>(), [None]);
    log_of(&mut desk, &mut log, Choice::Outcome(Outcome::Met), Some("Right."));
    assert_eq!(desk.case().map(|case| case.members[0].submission.as_str()), Some("s2"));
    let neighbors = desk.neighbors();
    assert_eq!((neighbors[0].by.as_deref(), neighbors[0].outcome.as_str()), (Some("ada"), "met"));
    assert!(neighbors[0].likeness > STRONG, "{neighbors:?}");
    assert_eq!(desk.proposal(), Some(Outcome::Met));
    assert_eq!(desk.comments(), ["Right."]);
    desk.step(true);
    assert_eq!(desk.proposal(), None, "{:?}", desk.neighbors());
}

#[test]
fn the_pace_tells_what_is_left() {
    let texts = |from: usize, to: usize| (from..to).map(|at| case("d.overlap", &format!("s{at}"), &format!("text {at}")));
    let mut cases: Vec<_> = texts(0, 20).collect();
    let mut quantity = case("b.latency", "q", "1 ms or 2 ms");
    (quantity.kind, quantity.criterion) = (Kind::Quantity, "ask".to_owned());
    cases.push(quantity);
    let mut log = TestLog::default();
    let mut desk = Desk::new(marking(), Mode::Review, "ada", cases, &[]);
    for (at, seconds) in [2, 1, 4000, 12, 14, 9, 12, 30, 11, 13].into_iter().enumerate() {
        assert_eq!(desk.left(), None, "{at} keys are no pace");
        let act = desk.decide(Choice::Outcome(Outcome::Met), None, seconds).expect("a choice");
        log.append(&mut desk, act);
    }
    assert_eq!(desk.left(), Some(11 * 12), "who gets coffee, and whose fingers slip, count for nothing");
}

#[test]
fn a_second_opinion_is_blind_and_somebody_elses() {
    let (mut first, mut log) = desk(Mode::Review, "ada");
    decide_all(&mut first, &mut log, &["correct", "met", "met", "not_met", "met"]);
    let cases = first.cases.clone();
    let own = Desk::new(marking(), Mode::Second, "ada", cases.clone(), &log.entries);
    assert!(own.cases.is_empty(), "nobody checks their own work");
    let mut second = Desk::new(marking(), Mode::Second, "bo", cases.clone(), &log.entries);
    assert_eq!(ids(&second), "-q1 -s1 -s2 -s3 -t1 @0");
    second.step(true);
    assert!(second.ruling().is_none() && second.proposal().is_none() && second.sides().is_empty() && second.comments().is_empty());
    assert!(second.neighbors().iter().all(|neighbor| neighbor.by.is_none()), "only samples: {:?}", second.neighbors());
    second.step(false);
    decide_all(&mut second, &mut log, &["correct", "met", "partly", "not_met", "not_met"]);
    // The first word counts until somebody settles it.
    let outcome =
        |entries: &[Entry], at: usize| Rulings::of(entries).find(&cases[at].about()).map(|ruling| ruling.decision.outcome.clone());
    assert_eq!(outcome(&log.entries, 2).as_deref(), Some("met"));
    let found = agreement(&log.entries);
    let told: Vec<String> =
        found.iter().map(|row| format!("{} {}/{} {:?}", row.id, row.people.alike, row.people.both, row.people.kappa)).collect();
    assert_eq!(told, ["b.latency 1/1 None", "d.overlap 2/3 Some(0.5)", "f.knee 0/1 Some(0.0)"]);
    assert_eq!(found[1].disagreements[0].first.as_deref(), Some("ada"));
    let mut settling = Desk::new(marking(), Mode::Settle, "cy", cases.clone(), &log.entries);
    assert_eq!(ids(&settling), "-s2 -t1 @0");
    assert_eq!(settling.sides(), [("ada".to_owned(), "met".to_owned()), ("bo".to_owned(), "partly".to_owned())]);
    decide_all(&mut settling, &mut log, &["partly"]);
    assert_eq!(ids(&settling), "+s2 -t1 @1");
    assert_eq!(outcome(&log.entries, 2).as_deref(), Some("partly"));
    assert_eq!(agreement(&log.entries)[1].disagreements[0].settled.as_deref(), Some("partly"));
}

#[test]
fn a_person_against_the_rules() {
    let mut ruled = case("d.overlap", "u1", "The ring hides behind the backward pass.");
    ruled.rule = Some("met".to_owned());
    let mut log = TestLog::default();
    let mut desk = Desk::new(marking(), Mode::Second, "bo", vec![ruled.clone()], &[]);
    decide_all(&mut desk, &mut log, &["not_met"]);
    let found = agreement(&log.entries);
    assert_eq!((found[0].rules.both, found[0].rules.alike, found[0].people.both), (1, 0, 0));
    // Where only a rule decided, the person's word counts at once.
    assert!(Rulings::of(&log.entries).find(&ruled.about()).is_some_and(|ruling| ruling.decision.outcome == "not_met"));
    let settling = Desk::new(marking(), Mode::Settle, "cy", vec![ruled], &log.entries);
    assert_eq!(settling.sides(), [("the rules".to_owned(), "met".to_owned()), ("bo".to_owned(), "not_met".to_owned())]);
}

#[test]
fn another_criterion_or_another_text_is_open_again() {
    let (mut desk, mut log) = desk(Mode::Review, "ada");
    decide_all(&mut desk, &mut log, &["correct", "met"]);
    let mut cases = desk.cases.clone();
    cases[1].criterion = "the criterion says something else".to_owned();
    let changed = Desk::new(marking(), Mode::Review, "ada", cases, &log.entries);
    assert_eq!(ids(&changed), "+q1 -s1 -s2 -s3 -t1 @1");
    assert_eq!(changed.before().map(|ruling| ruling.decision.outcome), Some("met".to_owned()));
}

proptest! {
    #[test]
    fn whatever_is_pressed_the_log_tells_it_all(keys in proptest::collection::vec((0_u8..9, 0_usize..4), 0..60)) {
        let (mut desk, mut log) = desk(Mode::Review, "ada");
        for (key, which) in keys {
            let outcome = [Outcome::Met, Outcome::Partly, Outcome::NotMet, Outcome::Met][which];
            match key {
                0..4 => {
                    if let Ok(act) = desk.decide(Choice::Outcome(outcome), None, 3) {
                        log.append(&mut desk, act);
                    }
                }
                4 => {
                    if let Some(act) = desk.undo() {
                        log.append(&mut desk, act);
                    }
                }
                5 => desk.skip(),
                6 => desk.step(which % 2 == 0),
                7 => desk.leap(which % 2 == 0),
                // Killed and opened again.
                _ => desk = Desk::new(marking(), Mode::Review, "ada", desk.cases.clone(), &log.entries),
            }
            let again = Desk::new(marking(), Mode::Review, "ada", desk.cases.clone(), &log.entries);
            prop_assert_eq!(&again.decided, &desk.decided, "nothing is known that the log does not tell");
            prop_assert!(desk.at < desk.cases.len());
        }
        let mut undone = 0;
        while let Some(act) = desk.undo() {
            log.append(&mut desk, act);
            undone += 1;
            prop_assert!(undone <= log.entries.len());
        }
        prop_assert_eq!(desk.progress().decided, 0);
    }
}

#[test]
fn what_is_worth_nothing_comes_last_and_what_is_worth_most_first() {
    let mut marking = marking();
    let marked = &mut marking.drills[0];
    marked.scheme.worths[0].points = 1.0;
    marked.scheme.worths[1].points = 4.0;
    let sheet = marked.asks[0].clone();
    marked.asks = [("a.note", 0.0), ("b.latency", 1.0)].map(|(id, points)| AskSheet { id: id.to_owned(), points, ..sheet.clone() }).into();
    let quantity = |id: &str| Case { kind: Kind::Quantity, ..case(id, "s", "1 ms or 2 ms") };
    let mut cases = vec![quantity("a.note"), case("d.overlap", "s", "words"), case("f.knee", "s", "words"), quantity("b.latency")];
    crate::cohort::review::cases::sort(&mut cases, &marking);
    assert_eq!(cases.iter().map(|case| case.id.as_str()).collect::<Vec<_>>(), ["b.latency", "f.knee", "d.overlap", "a.note"]);
}
