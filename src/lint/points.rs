//! The points of a rubric, and whether its rules decide as a careful person does.

use crate::drill::{CriterionKind, Outcome};
use crate::grade::argue;
use crate::lint::{Bench, words};

/// How many samples tell something about a rule.
const ENOUGH: usize = 10;

/// Looks at what is worth nothing, at what no rule ever gives, and at every sample.
pub(super) fn check(bench: &Bench) {
    let drill = bench.drill;
    for (ask, points) in drill.asks.iter().zip(&drill.rubric.values) {
        if ask.required && *points <= 0.0 {
            let thing = bench.ask(ask);
            bench.told.tell("no-points", thing, thing.place(), format!("`{}` is required and earns nothing", ask.id));
        }
    }
    for criterion in &drill.rubric.criteria {
        let thing = bench.criterion(criterion);
        if criterion.points <= 0.0 {
            bench.told.tell("no-points", thing, thing.at("points"), format!("`{}` is looked for and earns nothing", criterion.id));
        }
        let CriterionKind::Argument(rules) = &criterion.kind else { continue };
        if rules.met.is_none() {
            bench.told.tell("unreachable-points", thing, thing.at("kind"), format!("no rule says when `{}` is met", criterion.id));
        }
        let bad = criterion.samples.iter().filter(|sample| sample.outcome == Outcome::NotMet).count();
        if !criterion.samples.is_empty() && (criterion.samples.len() < ENOUGH || bad == 0) {
            let count = criterion.samples.len();
            let title = match bad {
                0 => format!("none of the {count} samples of `{}` is `not_met`", criterion.id),
                _ => format!(
                    "`{}` has {count} samples; ten show more of what a rule does with words that it was not written for",
                    criterion.id
                ),
            };
            bench.told.tell("few-samples", thing, thing.at("sample"), title);
        }
        for (key, _) in words::rules(criterion).into_iter().filter(|(key, _)| *key != "review") {
            if !criterion.samples.iter().any(|sample| sample.outcome.code() == key) {
                let title = format!("no sample of `{}` is `{key}`", criterion.id);
                bench.told.tell("rule-without-sample", thing, thing.at(key), title).about(key);
            }
        }
    }
    for sampled in argue::samples(drill) {
        let Some(criterion) = drill.rubric.criteria.iter().find(|criterion| criterion.id == sampled.criterion) else { continue };
        let thing = bench.criterion(criterion);
        for (at, got) in sampled.wrong {
            let wanted = criterion.samples.get(at).map_or(Outcome::Review, |sample| sample.outcome);
            let sample = thing.tree.get("sample").list().get(at);
            let sample = sample.map_or(thing, |sample| thing.inside(sample));
            let title = format!("this is `{}` for a person, `{}` for the rules of `{}`", wanted.code(), got.code(), criterion.id);
            bench.told.tell("sample-decided-wrongly", sample, sample.at("text"), title);
        }
    }
}
