//! What the rules make of a rubric's samples: whether they decide as a careful person does, and how often they decide.

use crate::answer::{Answer, Kind};
use crate::drill::{Criterion, CriterionKind, Drill, Outcome, Rules};
use crate::grade::argue::{Said, Verdicts, weigh};
use crate::recognize;

/// What came out of the samples of one criterion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sampled {
    /// The criterion's id.
    pub criterion: String,
    /// How many samples it has.
    pub samples: usize,
    /// How many of them the rules decide.
    pub decided: usize,
    /// Which ones: their places among the criterion's samples.
    pub decided_at: Vec<usize>,
    /// The samples that are decided otherwise than a person did: their places among the criterion's samples, with what
    /// came out.
    pub wrong: Vec<(usize, Outcome)>,
}

/// Runs the rules of every argued criterion on its samples.
pub fn samples(drill: &Drill) -> Vec<Sampled> {
    let argued = |criterion: &Criterion| match &criterion.kind {
        CriterionKind::Argument(rules) | CriterionKind::Form(rules) => Some(sampled(drill, criterion, rules)),
        CriterionKind::Separate(_) | CriterionKind::Hand => None,
    };
    drill.rubric.criteria.iter().filter_map(argued).collect()
}

fn sampled(drill: &Drill, criterion: &Criterion, rules: &Rules) -> Sampled {
    let mut sampled = Sampled {
        criterion: criterion.id.clone(),
        samples: criterion.samples.len(),
        decided: 0,
        decided_at: Vec::new(),
        wrong: Vec::new(),
    };
    for (at, sample) in criterion.samples.iter().enumerate() {
        let outcome = outcome(drill, rules, &sample.text);
        if outcome != Outcome::Review {
            sampled.decided += 1;
            sampled.decided_at.push(at);
            if outcome != sample.outcome {
                sampled.wrong.push((at, outcome));
            }
        }
    }
    sampled
}

/// How a text turns out that is all of the part's answer.
pub fn outcome(drill: &Drill, rules: &Rules, text: &str) -> Outcome {
    let answer = Answer::read("sample", text, Kind::Markdown);
    let recognized = recognize::read(&answer, &drill.units, drill.words());
    let said: Vec<Said> = answer
        .blocks
        .iter()
        .zip(&recognized)
        .map(|(block, recognized)| Said {
            part: None,
            passage: &block.passage,
            start: 0,
            end: block.passage.text().len(),
            role: &block.role,
            quoted: block.quoted > 0,
            struck: &block.struck,
            mentions: &recognized.mentions,
        })
        .collect();
    weigh(&drill.rubric.concepts, rules, &said, &Unanswered(drill)).outcome
}

/// No ask was answered: a sample is only words.
struct Unanswered<'a>(&'a Drill);

impl Verdicts for Unanswered<'_> {
    fn is_right(&self, _: usize) -> bool {
        false
    }

    fn own(&self, _: usize) -> Option<f64> {
        None
    }

    fn reference(&self, ask: usize) -> Option<f64> {
        Some(self.0.asks[ask].formula.value().to_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drill::Library;

    #[test]
    fn no_sample_of_a_shipped_rubric_is_decided_wrongly() {
        let library = Library::built_in();
        for id in library.ids() {
            let drill = library.load(id).unwrap_or_else(|error| panic!("{id}: {error:?}"));
            for sampled in samples(&drill) {
                let criterion = drill.rubric.criteria.iter().find(|criterion| criterion.id == sampled.criterion);
                let samples = &criterion.expect("a criterion that was sampled").samples;
                let told: Vec<String> = sampled
                    .wrong
                    .iter()
                    .map(|(at, got)| format!("{:?}, not {got:?}: {}", samples[*at].outcome, samples[*at].text))
                    .collect();
                assert!(told.is_empty(), "{id} {}:\n{}", sampled.criterion, told.join("\n"));
                // About half of them are written to mislead, and of those most should reach a person.
                assert!(sampled.decided * 10 >= sampled.samples * 4, "{id} {} decides too little: {sampled:?}", sampled.criterion);
            }
        }
    }
}
