//! From what an author wrote to a rubric that fits its drill, or to everything that is wrong with it.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::thread;

use super::check::{self, unknown_ask};
use super::check_scheme;
use super::concept::{Concept, negations};
use super::fields::{Figure, Report, Text};
use super::file::{ConceptFile, CreditFile, CriterionFile, FigureFile, RubricFile};
use super::rule::{Names, RuleTrouble};
use super::{Concepts, Credit, Criterion, CriterionKind, Drill, Outcome, Rubric, Rule, Rules, Sample, Separate, StudentWords};
use crate::diagnostic;
use crate::formula::{self, Formula};
use crate::phrase::Phrase;
use crate::quantity::Number;
use crate::text::Span;

/// How far the points that an author adds up may be from what they come to: a hundredth of a point is never given.
const SLACK: f64 = 1e-6;

/// Checks a rubric against its drill. `file_id` is what the file is called.
pub(super) fn rubric(file: &RubricFile, file_id: &str, sha256: String, drill: &Drill, report: &Report) -> Rubric {
    check::format(file.format, report);
    check::id(&file.id, file_id, report);
    if !file.drill.value.is_empty() && file.drill.value != drill.id {
        let title = format!("this is the rubric of `{}`, not of `{}`", file.drill.value, drill.id);
        report.error("wrong-drill", file.drill.span, title).help(format!("write `drill = \"{}\"`", drill.id));
    }
    let checker = Checker { report, drill, concepts: file.concepts.iter().map(|concept| concept.name.value.as_str()).collect() };
    let mut values = vec![0.0; drill.asks.len()];
    for (id, points) in &file.values {
        checker.not_negative(points, "points");
        match drill.ask(&id.value) {
            Some(ask) => values[ask] = points.value,
            None => unknown_ask(id, drill.asks.iter().map(|ask| ask.id.as_str()), report),
        }
    }
    let mut concepts = checker.concepts(&file.concepts);
    let criteria = checker.criteria(&file.criteria);
    let given = concepts.given_mut();
    drill.all_parts().for_each(|part| given.questions.add(&part.text));
    let handout = file.handout.iter().map(|text| text.value.as_str());
    let told = |criterion: &'_ Criterion| {
        let student = &criterion.student;
        [Some(&criterion.says), student.met.as_ref(), student.partly.as_ref(), student.not_met.as_ref(), student.hint.as_ref()]
            .into_iter()
            .flatten()
            .cloned()
            .collect::<Vec<String>>()
    };
    handout.for_each(|text| given.answers.add(text));
    criteria.iter().flat_map(told).for_each(|text| given.answers.add(&text));
    let scheme = check_scheme::scheme(&file.criteria, &file.caps, drill, report);
    // With an error in it, a scheme may have no end.
    let worth: Vec<f64> = if report.is_clean() { scheme.worth() } else { criteria.iter().map(|criterion| criterion.points).collect() };
    let possible = values.iter().sum::<f64>() + worth.iter().sum::<f64>();
    checker.add_up(file, &values, &worth, possible);
    Rubric { id: file.id.value.clone(), sha256, credit: checker.credit(&file.credit), values, concepts, criteria, scheme, possible }
}

/// Some phrases, and the negations among the words of each.
type Understood = (Vec<Phrase>, Vec<Vec<String>>);

fn with_negations(phrases: Vec<Phrase>) -> Understood {
    let negations = phrases.iter().map(negations).collect();
    (phrases, negations)
}

/// The phrases of each concept, understood by two threads side by side, for that is most of what it takes to read a rubric;
/// nothing of a concept of which something is to be said.
fn understood(files: &[ConceptFile]) -> Vec<Option<Understood>> {
    let understood = |file: &ConceptFile| check::well_formed(&file.phrases).map(with_negations);
    let read = |files: &[ConceptFile]| files.iter().map(understood).collect::<Vec<_>>();
    let all: usize = files.iter().map(|file| file.phrases.len()).sum();
    let mut before = 0;
    let middle = files.iter().position(|file| {
        before += file.phrases.len();
        2 * before >= all
    });
    let (first, second) = files.split_at(middle.unwrap_or(0));
    thread::scope(|scope| {
        let first = scope.spawn(|| read(first));
        let second = read(second);
        first.join().unwrap_or_else(|panic| resume_unwind(panic)).into_iter().chain(second).collect()
    })
}

struct Checker<'a, 's> {
    report: &'a Report<'s>,
    drill: &'a Drill,
    concepts: Vec<&'a str>,
}

impl Names for Checker<'_, '_> {
    fn concept(&self, name: &str) -> Option<usize> {
        self.concepts.iter().position(|concept| *concept == name)
    }

    fn ask(&self, id: &str) -> Option<usize> {
        self.drill.ask(id)
    }
}

impl Checker<'_, '_> {
    fn not_negative(&self, figure: &Figure, what: &str) {
        if figure.value < 0.0 {
            self.report.error("out-of-range", figure.span, format!("{what} are not negative"));
        }
    }

    fn share(&self, figure: Option<Figure>, usual: f64) -> f64 {
        let Some(figure) = figure else { return usual };
        if !(0.0..=1.0).contains(&figure.value) {
            self.report.error("out-of-range", figure.span, "a share lies between 0 and 1");
        }
        figure.value
    }

    fn credit(&self, file: &CreditFile) -> Credit {
        let usual = Credit::default();
        Credit {
            partial_reading: self.share(file.partial_reading, usual.partial_reading),
            form: self.share(file.form, usual.form),
            missing_unit: self.share(file.missing_unit, usual.missing_unit),
            carried: self.share(file.carried, usual.carried),
            slip: self.share(file.slip, usual.slip),
            arithmetic_slip: self.share(file.arithmetic_slip, usual.arithmetic_slip),
        }
    }

    fn concepts(&self, files: &[ConceptFile]) -> Concepts {
        let concepts: Vec<Concept> = files
            .iter()
            .zip(understood(files))
            .map(|(file, understood)| {
                let (phrases, negations) = understood.unwrap_or_else(|| with_negations(check::phrases(&file.phrases, self.report)));
                (file, phrases, negations)
            })
            .map(|(file, phrases, negations)| Concept {
                name: file.name.value.clone(),
                phrases,
                negations,
                figures: file.figures.iter().filter_map(|figure| self.figure(figure)).collect(),
                means: file.means.iter().filter_map(|figure| self.figure(figure)).collect(),
                rule: file.rule.as_ref().and_then(|rule| self.rule(rule)),
            })
            .collect();
        self.no_circle(files, &concepts);
        Concepts::new(concepts)
    }

    /// A concept that is a rule may name others that are, but never come back to itself.
    fn no_circle(&self, files: &[ConceptFile], concepts: &[Concept]) {
        let names: Vec<Vec<usize>> = concepts.iter().map(|concept| concept.rule.as_ref().map(Rule::concepts).unwrap_or_default()).collect();
        for (start, file) in files.iter().enumerate() {
            let mut reached = vec![false; names.len()];
            let mut open = names[start].clone();
            while let Some(concept) = open.pop() {
                if !std::mem::replace(&mut reached[concept], true) {
                    open.extend(&names[concept]);
                }
            }
            if reached[start]
                && let Some(rule) = &file.rule
            {
                let title = format!("the concept `{}` comes back to itself", file.name.value);
                let mut found = self.report.error("cycle", file.name.span, title).also(rule.span, "by this rule");
                let others = files.iter().enumerate().filter(|(at, _)| *at != start && reached[*at] && names[*at].contains(&start));
                for other in others.filter_map(|(_, file)| file.rule.as_ref()) {
                    found = found.also(other.span, "and this one");
                }
            }
        }
    }

    fn formula(&self, text: &Text) -> Option<Formula> {
        let report =
            |fault: formula::Fault| self.report.push(fault.in_file(self.report.source.name(), |span| self.report.place(text, span)));
        let expr = formula::parse(&text.value, &self.drill.units, &self.drill.words).map_err(report).ok()?;
        match Formula::new(text.value.as_str(), expr, self.drill.scope()) {
            Ok(mut formula) => {
                formula.solve(self.drill.reference.slots());
                Some(formula)
            }
            Err(faults) => {
                faults.into_iter().for_each(report);
                None
            }
        }
    }

    fn figure(&self, file: &FigureFile) -> Option<super::Figure> {
        let formula = self.formula(file.value.as_ref()?)?;
        let ask = file.ask.as_ref().and_then(|id| self.asked(id));
        let unit = match &file.unit {
            None => None,
            Some(text) => {
                let unit = self.drill.scope().unit(&text.value);
                if unit.is_none() {
                    self.report.error("unknown-unit", text.span, format!("no unit is spelled `{}`", text.value));
                }
                unit
            }
        };
        let tolerance = file.tolerance.as_ref().and_then(|text| Some(self.formula(text)?.value().to_f64()));
        Some(super::Figure {
            value: formula.value(),
            dimension: formula.dimension(),
            bare: unit.map_or(Number::ONE, |unit| unit.factor),
            tolerance: tolerance.unwrap_or(0.02),
            ask,
        })
    }

    fn asked(&self, id: &Text) -> Option<usize> {
        let ask = self.drill.ask(&id.value);
        if ask.is_none() {
            unknown_ask(id, self.drill.asks.iter().map(|ask| ask.id.as_str()), self.report);
        }
        ask
    }

    fn rule(&self, text: &Text) -> Option<Rule> {
        let error = match Rule::parse(&text.value, self) {
            Ok(rule) => return Some(rule),
            Err(error) => error,
        };
        let found = self.report.error("bad-rule", self.report.place(text, error.span), error.to_string());
        let near = match &error.trouble {
            RuleTrouble::UnknownConcept(name) => diagnostic::nearest(name, self.concepts.iter().copied()),
            RuleTrouble::UnknownAsk(name) => diagnostic::nearest(name, self.drill.asks.iter().map(|ask| ask.id.as_str())),
            _ => None,
        };
        if let Some(near) = near {
            found.help(format!("did you mean `{near}`?"));
        }
        None
    }

    fn criteria(&self, files: &[CriterionFile]) -> Vec<Criterion> {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let mut criteria = Vec::new();
        for file in files {
            if let Some(first) = seen.insert(&file.id.value, file.id.span).filter(|_| !file.id.value.is_empty()) {
                let title = format!("another criterion is called `{}` already", file.id.value);
                self.report.error("duplicate-id", file.id.span, title).also(first, "the first");
            }
            criteria.push(self.criterion(file));
        }
        criteria
    }

    fn criterion(&self, file: &CriterionFile) -> Criterion {
        self.not_negative(&file.points, "points");
        if self.drill.part(&file.part.value).is_none() && !file.part.value.is_empty() {
            let ids: Vec<&str> = self.drill.all_parts().map(|part| part.id.as_str()).collect();
            let title = format!("the drill has no part `{}`", file.part.value);
            let near = diagnostic::nearest(&file.part.value, ids.iter().copied());
            self.report.error("unknown-part", file.part.span, title).did_you_mean(near, || format!("its parts are {}", ids.join(", ")));
        }
        let kinds = ["separate", "argument", "form", "hand"];
        let kind = match file.kind.value.as_str() {
            "separate" => self.separate(file),
            "argument" => {
                if file.met.is_none() && file.partly.is_none() && file.not_met.is_none() && file.review.is_none() {
                    let title = "an argument without any rule: a person would decide every answer";
                    self.report.error("missing-key", file.kind.span, title).help("write `met = \"…\"`, or `kind = \"hand\"`");
                }
                CriterionKind::Argument(self.rules(file))
            }
            "form" => CriterionKind::Form(self.rules(file)),
            "hand" | "" => CriterionKind::Hand,
            other => {
                let near = diagnostic::nearest(other, kinds);
                let all = || format!("a criterion is one of {}", kinds.map(|kind| format!("`{kind}`")).join(", "));
                self.report.error("unknown-kind", file.kind.span, format!("`{other}` is no kind of criterion")).did_you_mean(near, all);
                CriterionKind::Hand
            }
        };
        let words = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone());
        Criterion {
            id: file.id.value.clone(),
            part: file.part.value.clone(),
            points: file.points.value,
            deducts: file.deducts,
            levels: check_scheme::levels(file, self.report),
            kind,
            says: words(&file.says).unwrap_or_default(),
            student: file.student.as_ref().map_or_else(StudentWords::default, |student| StudentWords {
                met: words(&student.met),
                partly: words(&student.partly),
                not_met: words(&student.not_met),
                hint: words(&student.hint),
            }),
            note: words(&file.note),
            samples: file.samples.iter().filter_map(|(text, outcome)| self.sample(text, outcome)).collect(),
        }
    }

    fn separate(&self, file: &CriterionFile) -> CriterionKind {
        let Some(separate) = &file.separate else {
            let help = "write `separate = { of = \"THE SUM\", terms = [\"ONE\", \"ANOTHER\"] }`";
            self.report.error("missing-key", file.kind.span, "`separate` is missing here").help(help);
            return CriterionKind::Hand;
        };
        let of = self.asked(&separate.of);
        let terms: Vec<usize> = separate.terms.iter().filter_map(|term| self.asked(term)).collect();
        if separate.terms.len() < 2 {
            self.report.error("missing-key", separate.of.span, "a sum has at least two terms to show");
        }
        let Some(of) = of else { return CriterionKind::Hand };
        let total = terms.iter().fold(Number::ZERO, |total, term| total + self.drill.asks[*term].formula.value()).to_f64();
        let value = self.drill.asks[of].formula.value().to_f64();
        if terms.len() == separate.terms.len() && (total - value).abs() > 1e-9 * value.abs() {
            self.report.error("not-the-sum", separate.of.span, format!("the terms do not add up to `{}`", separate.of.value));
        }
        CriterionKind::Separate(Separate { of, terms })
    }

    fn rules(&self, file: &CriterionFile) -> Rules {
        let rule = |text: &Option<Text>| text.as_ref().and_then(|text| self.rule(text));
        Rules { met: rule(&file.met), partly: rule(&file.partly), not_met: rule(&file.not_met), review: rule(&file.review) }
    }

    fn sample(&self, text: &Text, outcome: &Text) -> Option<Sample> {
        let outcomes = [Outcome::Met, Outcome::Partly, Outcome::NotMet, Outcome::Review];
        let Some(found) = outcomes.into_iter().find(|known| known.code() == outcome.value) else {
            let near = diagnostic::nearest(&outcome.value, outcomes.map(Outcome::code));
            let all = || "an outcome is `met`, `partly`, `not_met` or `review`".to_owned();
            self.report.error("unknown-outcome", outcome.span, format!("`{}` is no outcome", outcome.value)).did_you_mean(near, all);
            return None;
        };
        Some(Sample { text: text.value.clone(), outcome: found })
    }

    /// The totals that the author gives, against what the points come to.
    fn add_up(&self, file: &RubricFile, values: &[f64], worth: &[f64], possible: f64) {
        let differs = |stated: &Figure, sum: f64| (stated.value - sum).abs() > SLACK;
        let tell = |stated: &Figure, what: &str, sum: f64| {
            let title = format!("{what} come to {}, not {}", plain(sum), plain(stated.value));
            self.report.error("points-do-not-add-up", stated.span, title);
        };
        if let Some(total) = file.total.filter(|total| differs(total, possible)) {
            tell(&total, "the points", possible);
        }
        for (id, stated) in &file.totals {
            let Some(part) = self.drill.part(&id.value) else {
                self.report.error("unknown-part", id.span, format!("the drill has no part `{}`", id.value));
                continue;
            };
            let inside = |label: &str| label == part.id || part.items.iter().any(|item| item.id == label);
            let asks = self.drill.asks.iter().zip(values).filter(|(ask, _)| ask.part == part.id || ask.item.as_ref() == Some(&part.id));
            let criteria = file.criteria.iter().zip(worth).filter(|(criterion, _)| inside(&criterion.part.value));
            let sum = asks.map(|(_, points)| points).sum::<f64>() + criteria.map(|(_, points)| points).sum::<f64>();
            if differs(stated, sum) {
                tell(stated, &format!("the points of part `{}`", part.id), sum);
            }
        }
        let listed = file.values.iter().map(|(_, points)| points.value).sum::<f64>();
        if possible <= 0.0 && listed <= 0.0 {
            self.report.error("points-do-not-add-up", file.drill.span, "nothing in this rubric earns a point");
        }
    }
}

fn plain(points: f64) -> String {
    let text = format!("{points:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
