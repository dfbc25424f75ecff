//! Answers of which it is known how they have to come out: what the drill itself works out, the model answer, an answer
//! without any content, and the fixtures.

use crate::answer::{Answer, Kind};
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::drill::{Drill, Model, Outcome};
use crate::grade::Verdict;
use crate::lint::{Bench, Case, Subject, leaks, sheet};
use crate::text::{Source, Span};

/// The figures to which a right answer may be written.
const FIGURES: [u32; 3] = [3, 4, 6];

/// Grades each of them.
pub(super) fn check(bench: &Bench, subject: &Subject) {
    references(bench);
    template(bench);
    if let Some(source) = &subject.model {
        model(bench, source);
    }
    for case in &subject.cases {
        fixture(bench, case);
    }
}

/// Every value, written as the drill works it out, is right at every rounding that is allowed.
fn references(bench: &Bench) {
    let drill = bench.drill;
    let mut told = vec![false; drill.asks.len()];
    let fewest = drill.asks.iter().map(|ask| ask.min_figures).min().unwrap_or(2);
    for figures in FIGURES.into_iter().rev().chain((fewest < FIGURES[0]).then_some(fewest)) {
        let value = |at: usize| {
            let ask = &drill.asks[at];
            Some(sheet::written(ask, ask.formula.value(), figures.max(ask.min_figures)))
        };
        let answer = sheet::whole(drill, &value);
        let grade = bench.grader.grade(&answer);
        for (at, finding) in grade.quantities.iter().enumerate() {
            let ask = &drill.asks[at];
            // A whole number that ends in zeros shows fewer figures than it was rounded to.
            let coarse = figures <= ask.min_figures && finding.verdict == Verdict::Form;
            if finding.verdict == Verdict::Correct || coarse || std::mem::replace(&mut told[at], true) {
                continue;
            }
            let thing = bench.ask(ask);
            let written = value(at).unwrap_or_default();
            let title = format!("`{}` is `{}` when its own value is written as `{written}`", ask.id, finding.verdict.code());
            let mistake = finding.mistake.as_ref().map(|mistake| format!(": {}", mistake.code())).unwrap_or_default();
            bench
                .told
                .tell("reference-fails-itself", thing, thing.at("value"), title)
                .says(format!("{}{mistake}", finding.verdict.code()))
                .about(written);
        }
    }
}

/// What students are given to fill in, in every format, as they are given it.
fn template(bench: &Bench) {
    let drill = bench.drill;
    let mut told = vec![false; drill.asks.len() + drill.rubric.criteria.len()];
    for kind in [Kind::Markdown, Kind::Text, Kind::Latex, Kind::Typst, Kind::Notebook, Kind::Toml, Kind::Json] {
        let format = kind.extension();
        let answer = Answer::read(format!("{}.{format}", drill.id), drill.template(kind), kind);
        let grade = bench.grader.grade(&answer);
        for (at, (ask, finding)) in drill.asks.iter().zip(&grade.quantities).enumerate() {
            if finding.verdict != Verdict::Missing && !std::mem::replace(&mut told[at], true) {
                let thing = bench.ask(ask);
                let read = finding.read.as_ref().map_or("", |read| &read.text);
                let title = format!("`{}` is `{}` in the empty answer (`.{format}`), by `{read}`", ask.id, finding.verdict.code());
                bench.told.tell("empty-answer-judged", thing, thing.at("asks"), title);
            }
        }
        for (at, (criterion, finding)) in drill.rubric.criteria.iter().zip(&grade.criteria).enumerate() {
            if finding.points.awarded > 0.0 && !std::mem::replace(&mut told[drill.asks.len() + at], true) {
                let thing = bench.criterion(criterion);
                let title = format!("`{}` is `{}` in the empty answer (`.{format}`)", criterion.id, finding.outcome.code());
                bench.told.tell("empty-answer-judged", thing, thing.place(), title);
            }
        }
        if kind == Kind::Markdown {
            leaks::check_view(bench, &answer, &grade, bench.root(), "the empty answer");
        }
    }
}

/// The model answer earns everything that rules can give.
fn model(bench: &Bench, source: &Source) {
    let drill = bench.drill;
    let model = match Model::read(drill, source) {
        Ok(model) => model,
        Err(found) => return found.into_iter().for_each(|found| bench.told.push(found)),
    };
    let answer = filled(drill, &model, source);
    let grade = bench.grader.grade(&answer);
    // The filled answer lies in no file; what an author can look at is the place that was filled.
    let place = |id: &str| {
        let found = source.text().find(&format!("{{{{{id}")).map_or(Span::default(), |at| Span::new(at, at + id.len() + 2));
        Label { file: source.name().to_owned(), span: found, text: String::new() }
    };
    let code = "model-answer-loses-points";
    for (ask, finding) in drill.asks.iter().zip(&grade.quantities) {
        let full = finding.points.awarded >= finding.points.possible;
        if full && (finding.verdict != Verdict::Missing || !ask.required) {
            continue;
        }
        let thing = bench.ask(ask);
        let read = finding.read.as_ref().map_or(String::new(), |read| format!(", reading `{}`", read.text));
        let title = format!("`{}` is `{}` in the model answer{read}", ask.id, finding.verdict.code());
        bench.told.tell(code, thing, thing.place(), title).also_at(place(&ask.id));
    }
    // Of alternatives one is enough: the whole says whether anything is missing.
    let whole = grade.score.awarded + 1e-9 >= grade.score.possible;
    for (criterion, finding) in drill.rubric.criteria.iter().zip(&grade.criteria) {
        if whole || finding.points.awarded >= finding.points.possible {
            continue;
        }
        let thing = bench.criterion(criterion);
        let title = match finding.outcome {
            Outcome::Review => format!("a person has to decide `{}` in the model answer", criterion.id),
            outcome => format!("`{}` is `{}` in the model answer", criterion.id, outcome.code()),
        };
        bench.told.tell(code, thing, thing.place(), title).also_at(place(""));
    }
}

/// The model answer with the values of a drill, or of a variant of it.
pub(super) fn filled(drill: &Drill, model: &Model, source: &Source) -> Answer {
    Answer::read(source.name(), model.filled(drill), Kind::of_name(source.name()).unwrap_or(Kind::Markdown))
}

/// An answer with its expectation.
fn fixture(bench: &Bench, case: &Case) {
    let tell = |code: &'static str, title: String, line: Option<usize>| {
        let span = line.map(|line| case.source.line(line)).map_or(Span::default(), |(text, start)| Span::new(start, start + text.len()));
        let label = Label { file: case.source.name().to_owned(), span, text: String::new() };
        bench.told.push(Diagnostic { code, severity: Severity::Error, title, labels: vec![label], help: None });
    };
    let (expect, answer) = match &case.content {
        Ok(both) => both,
        Err((why, line)) => return tell("fixture-broken", why.clone(), *line),
    };
    if expect.drill != bench.drill.id {
        return tell("fixture-broken", format!("this is an answer to `{}`, in the folder of `{}`", expect.drill, bench.drill.id), None);
    }
    for difference in expect.differences(&bench.grader.grade(answer)) {
        if !case.open.contains(&difference.what) {
            let title = format!("`{}` is declared {}, and comes out {}", difference.what, difference.declared, difference.got);
            tell("fixture-differs", title, difference.line);
        }
    }
}
