//! What authors are given: answer templates that come back whole, and model answers that earn everything.

use std::fmt::Write;

use drillmark::answer::{Answer, Kind};
use drillmark::drill::{Drill, Library, Model, Outcome};
use drillmark::grade::{Grade, Grader, Verdict};

use crate::shipped;

/// The formats of `drillmark new answer`, and the two that come for free.
const KINDS: [Kind; 7] = [Kind::Markdown, Kind::Latex, Kind::Typst, Kind::Notebook, Kind::Toml, Kind::Json, Kind::Text];

fn graded(grader: &Grader, kind: Kind, text: &str) -> Grade {
    grader.grade(&Answer::read(format!("answer.{}", kind.extension()), text, kind))
}

/// Every line of a template is written for an ask.
fn asked(drill: &Drill) -> impl Iterator<Item = usize> + '_ {
    (0..drill.asks.len()).filter(|ask| drill.asks[*ask].required || drill.rubric.values[*ask] > 0.0)
}

#[test]
fn an_empty_template_earns_nothing() {
    let mut wrong = String::new();
    for drill in shipped::drills() {
        let grader = Grader::new(drill);
        for kind in KINDS {
            let text = drill.template(kind);
            let grade = graded(&grader, kind, &text);
            for finding in grade.quantities.iter().filter(|finding| finding.verdict != Verdict::Missing) {
                let read = finding.read.as_ref().map_or("", |read| &read.text);
                let _ = writeln!(wrong, "{} {kind:?}: {} is {}, reading {read:?}", drill.id, finding.ask, finding.verdict.code());
            }
            for finding in grade.criteria.iter().filter(|finding| finding.points.awarded + finding.points.pending > 0.0) {
                let _ = writeln!(wrong, "{} {kind:?}: {} is {}", drill.id, finding.id, finding.outcome.code());
            }
            if !grade.parts_found {
                let _ = writeln!(wrong, "{} {kind:?}: no part is found", drill.id);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn a_filled_template_earns_every_value() {
    let mut wrong = String::new();
    for drill in shipped::drills() {
        let grader = Grader::new(drill);
        for kind in KINDS {
            let grade = graded(&grader, kind, &drill.solved_template(kind));
            for ask in asked(drill) {
                let finding = &grade.quantities[ask];
                if finding.verdict != Verdict::Correct || finding.points.lost().abs() > 1e-9 {
                    let read = finding.read.as_ref().map_or("", |read| &read.text);
                    let _ = writeln!(wrong, "{} {kind:?}: {} is {}, reading {read:?}", drill.id, finding.ask, finding.verdict.code());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_model_answer_earns_everything() {
    let library = Library::built_in();
    let mut wrong = String::new();
    for drill in shipped::drills() {
        let Some(source) = library.answer(&drill.id) else {
            let _ = writeln!(wrong, "{} has no model answer", drill.id);
            continue;
        };
        let model = Model::read(drill, &source).unwrap_or_else(|found| panic!("{}: {found:#?}", drill.id));
        let grade = graded(&Grader::new(drill), Kind::Markdown, &model.filled(drill));
        for ask in asked(drill).filter(|ask| !model.asks().contains(ask)) {
            let _ = writeln!(wrong, "{}: {} has no place in the model answer", drill.id, drill.asks[ask].id);
        }
        for (ask, finding) in grade.quantities.iter().enumerate() {
            let read = finding.read.as_ref().map_or("", |read| &read.text);
            let is_asked = asked(drill).any(|asked| asked == ask);
            if finding.verdict != Verdict::Correct && (is_asked || finding.verdict != Verdict::Missing) {
                let _ = writeln!(wrong, "{}: {} is {}, reading {read:?}", drill.id, finding.ask, finding.verdict.code());
            }
        }
        // Where a rule cannot decide, a person does; where it decides, it has to see that the answer is right.
        for finding in grade.criteria.iter().filter(|finding| !matches!(finding.outcome, Outcome::Met | Outcome::Review)) {
            let _ = writeln!(wrong, "{}: {} is {}", drill.id, finding.id, finding.outcome.code());
        }
        if grade.score.lost() > 1e-9 {
            let _ = writeln!(wrong, "{}: {:?}", drill.id, grade.score);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A careful person and the rules agree on every sample that the rules decide; what they leave to a person is fair.
#[test]
fn samples_are_decided_as_declared() {
    let mut wrong = String::new();
    for drill in shipped::drills() {
        for sampled in drillmark::grade::argue::samples(drill) {
            let criterion = drill.rubric.criteria.iter().find(|criterion| criterion.id == sampled.criterion).expect("the same rubric");
            for (at, outcome) in &sampled.wrong {
                let sample = &criterion.samples[*at];
                let (wanted, got) = (sample.outcome.code(), outcome.code());
                let _ = writeln!(wrong, "{} {}: {:?} is {wanted}, not {got}", drill.id, sampled.criterion, sample.text);
            }
            if sampled.samples < 10 {
                let _ = writeln!(wrong, "{} {}: only {} samples", drill.id, sampled.criterion, sampled.samples);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn the_example_course_has_a_model_answer_too() {
    let course = Library::open(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/course"))).expect("it is there");
    for id in course.ids() {
        let drill = course.load(id).unwrap_or_else(|trouble| panic!("{id}: {trouble:#?}"));
        let source = course.answer(id).expect("a model answer");
        let model = Model::read(&drill, &source).unwrap_or_else(|found| panic!("{id}: {found:#?}"));
        let grade = graded(&Grader::new(&drill), Kind::Markdown, &model.filled(&drill));
        assert!((grade.score.awarded - grade.score.possible).abs() < 1e-9, "{id}: {:?}", grade.score);
        for sampled in drillmark::grade::argue::samples(&drill) {
            assert!(sampled.wrong.is_empty() && sampled.samples >= 10, "{sampled:?}");
        }
        for kind in KINDS {
            let grade = graded(&Grader::new(&drill), kind, &drill.solved_template(kind));
            assert!(asked(&drill).all(|ask| grade.quantities[ask].verdict == Verdict::Correct), "{id} {kind:?}");
        }
    }
}

/// A place in a model answer that cannot be filled is told where it stands.
#[test]
fn a_wrong_place_in_a_model_answer_is_told() {
    let drill = shipped::drill("communication-budget");
    for (text, told, help) in [
        ("{{b.totl}}", "has no meaning", Some("did you mean `b.total`?")),
        ("{{b.total in GB}}", "cannot be in this unit", None),
        ("{{T/C in parsecs}}", "there is no unit `parsecs`", None),
        ("{{S*B}}", "the unit of `S*B` is not clear", Some("in …")),
        ("{{b.total", "without `}}`", None),
        ("{{P +}}", "", None),
    ] {
        let source = drillmark::text::Source::new("a.md", format!("The total is {text}.\n"));
        let found = Model::read(drill, &source).expect_err(text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].title.contains(told), "{text}: {}", found[0].title);
        assert!(help.is_none_or(|help| found[0].help.as_deref().is_some_and(|said| said.contains(help))), "{text}: {:?}", found[0].help);
        assert!(found[0].labels[0].span.start >= "The total is ".len());
    }
}
