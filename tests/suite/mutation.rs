//! Every known mistake of a drill, written as a student would into an otherwise perfect answer, is caught and named.

use std::fmt::Write;

use drillmark::grade::{Grader, Mistake, Verdict};

use crate::holes::{Holes, references, written};
use crate::shipped;

#[test]
fn the_reference_in_every_hole_is_perfect() {
    let mut wrong = String::new();
    for drill in shipped::drills() {
        let grader = Grader::new(drill);
        for holes in Holes::of(&drill.id) {
            let grade = grader.grade(&holes.filled(&references(drill)));
            for finding in grade.quantities.iter().filter(|finding| finding.verdict != Verdict::Correct) {
                let _ = writeln!(wrong, "{}: {} is {}", holes.name, finding.ask, finding.verdict.code());
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Each mistake in one of the answers, in turn: all in all would take a minute.
#[test]
fn each_mistake_in_a_perfect_answer_is_named() {
    let mut wrong = String::new();
    for drill in shipped::drills() {
        let grader = Grader::new(drill);
        let answers = Holes::of(&drill.id);
        let mistakes = drill.asks.iter().flat_map(|ask| ask.mistakes.iter().map(move |mistake| (ask, mistake)));
        for ((ask, mistake), holes) in mistakes.zip(answers.iter().cycle()) {
            let mut values = references(drill);
            values.insert(&ask.id, written(ask, &mistake.formula));
            let grade = grader.grade(&holes.filled(&values));
            for finding in &grade.quantities {
                let named = match &finding.mistake {
                    Some(Mistake::Listed(id)) => id,
                    _ => "nothing listed",
                };
                let fine = match finding.ask == ask.id {
                    true => finding.verdict == Verdict::Slip && named == mistake.id,
                    false => finding.verdict == Verdict::Correct,
                };
                if !fine {
                    let (found, verdict, value) = (&finding.ask, finding.verdict.code(), &values[ask.id.as_str()]);
                    let _ = writeln!(wrong, "{}: {} = {value} ({}), but {found} is {verdict} ({named})", holes.name, ask.id, mistake.id);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
