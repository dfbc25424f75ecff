//! The words of a drill: whether they tell its asks apart, whether they say anything at all, and what nobody uses.

use std::collections::{BTreeMap, BTreeSet};

use crate::drill::{Ask, AskKind, Criterion, CriterionKind, Name, Origin, Outcome, Rule, Rules};
use crate::formula::Formula;
use crate::grade::argue;
use crate::lint::Bench;
use crate::phrase::{Phrase, Phrases};
use crate::quantity::Dimension;

/// Looks at the words of the drill, then at those of its rubric.
pub(super) fn check(bench: &Bench) {
    asks(bench);
    symbols(bench);
    sentences(bench);
    names(bench);
    concepts(bench);
    questions(bench);
}

/// What has to be told apart by words: asks of one part, or of one item of it, for the same kind of quantity.
fn rivals(one: &Ask, other: &Ask) -> bool {
    let place = |ask: &Ask| (ask.part.clone(), ask.item.clone());
    let kind = |ask: &Ask| -> (Dimension, Option<String>) {
        (ask.formula.dimension(), ask.noun.clone().filter(|_| ask.formula.dimension().is_none()))
    };
    place(one) == place(other) && kind(one) == kind(other)
}

fn asks(bench: &Bench) {
    let drill = bench.drill;
    for (at, ask) in drill.asks.iter().enumerate() {
        let thing = bench.ask(ask);
        for (place, cue) in ask.cues.iter().enumerate() {
            if ask.not_cues.iter().any(|other| same(cue, other)) {
                let title = format!("`{}` names `{}`, and says that a number is not its own", cue.source(), ask.id);
                bench.told.tell("cue-denied", thing, thing.element("cues", place), title).about(cue.source());
            }
        }
        for other in drill.asks[at + 1..].iter().filter(|other| rivals(ask, other)) {
            let there = bench.ask(other);
            if !is_told_apart(ask, other) {
                let title = format!("no cue, symbol or unit tells `{}` from `{}`", other.id, ask.id);
                bench
                    .told
                    .tell("asks-not-told-apart", there, there.place(), title)
                    .also(thing, thing.place(), "the other")
                    .about(ask.id.as_str())
                    .or(thing);
            }
            for (place, cue) in other.cues.iter().enumerate() {
                let Some(first) = ask.cues.iter().position(|first| same(first, cue)) else { continue };
                let title = format!("`{}` names `{}` as well as `{}`", cue.source(), ask.id, other.id);
                let telling = bench.told.tell("cues-collide", there, there.element("cues", place), title);
                telling.also(thing, thing.element("cues", first), "here for the other").about(cue.source()).or(thing);
            }
        }
    }
}

/// Whether either has a phrase, a symbol or a unit that is its own.
fn is_told_apart(one: &Ask, other: &Ask) -> bool {
    let own = |ask: &Ask, other: &Ask| {
        let cue = ask.cues.iter().any(|cue| !other.cues.iter().any(|theirs| same(cue, theirs)));
        let symbol = ask.symbols.iter().any(|symbol| !other.symbols.contains(symbol));
        cue || symbol
    };
    own(one, other) || own(other, one) || one.in_unit && other.in_unit && one.unit != other.unit
}

/// Whether two phrases say the same, whatever their case and spaces.
fn same(one: &Phrase, other: &Phrase) -> bool {
    let plain = |phrase: &Phrase| phrase.source().split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    plain(one) == plain(other)
}

/// A spelling that stands for two names stands for none of them in the work that a student shows.
fn symbols(bench: &Bench) {
    let drill = bench.drill;
    let mut meant: BTreeMap<&str, &Name> = BTreeMap::new();
    let own: BTreeSet<&str> = drill.names.iter().map(|name| name.name.as_str()).collect();
    for name in &drill.names {
        let thing = bench.name(name);
        for (place, symbol) in name.symbols.iter().enumerate().filter(|(_, symbol)| **symbol != name.name) {
            let other = match meant.insert(symbol, name) {
                Some(other) => other.name.as_str(),
                None if own.contains(symbol.as_str()) => symbol.as_str(),
                None => continue,
            };
            let title = format!("`{symbol}` stands for `{}` and for `{other}`", name.name);
            bench.told.tell("symbols-collide", thing, thing.element("symbols", place), title).about(symbol.as_str());
        }
    }
}

/// What students are told has words.
fn sentences(bench: &Bench) {
    let drill = bench.drill;
    for ask in &drill.asks {
        let empty = |text: &str| text.trim().is_empty();
        for mistake in ask.mistakes.iter().filter(|mistake| empty(&mistake.says)) {
            let thing = bench.mistake(ask, &mistake.id);
            bench.told.tell("nothing-said", thing, thing.at("says"), format!("the mistake `{}` says nothing to the student", mistake.id));
        }
        if empty(&ask.asks) {
            let thing = bench.ask(ask);
            bench.told.tell("nothing-said", thing, thing.at("asks"), format!("`{}` has no name in words", ask.id));
        }
    }
    for criterion in &drill.rubric.criteria {
        let words = &criterion.student;
        let decides = |rule: fn(&Rules) -> &Option<Rule>| match &criterion.kind {
            CriterionKind::Argument(rules) | CriterionKind::Form(rules) => rule(rules).is_some(),
            // What is shown of a sum is said in the same words everywhere.
            CriterionKind::Separate(_) | CriterionKind::Hand => false,
        };
        let wanted = [
            ("met", decides(|rules| &rules.met), &words.met),
            ("partly", decides(|rules| &rules.partly), &words.partly),
            ("not_met", decides(|rules| &rules.not_met), &words.not_met),
            ("hint", matches!(criterion.kind, CriterionKind::Argument(_)), &words.hint),
        ];
        let missing: Vec<&str> = wanted
            .iter()
            .filter(|(_, wanted, text)| *wanted && text.as_ref().is_none_or(|text| text.trim().is_empty()))
            .map(|(key, ..)| *key)
            .collect();
        if !missing.is_empty() {
            let thing = bench.criterion(criterion);
            let title = format!("`{}` has no words to the student for {}", criterion.id, list(&missing));
            let help = format!("add `student = {{ {} = \"…\" }}`", missing.join(" = \"…\", "));
            bench.told.tell("nothing-said", thing, thing.at("student"), title).help(help);
        }
    }
}

fn list(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Names that nothing is worked out from.
fn names(bench: &Bench) {
    let drill = bench.drill;
    let mut used = vec![false; drill.names.len()];
    let mut mark = |formula: &Formula| formula.slots().for_each(|slot| used[slot] = true);
    for ask in &drill.asks {
        mark(&ask.formula);
        if let AskKind::Range(ends) = &ask.kind {
            mark(&ends.low);
            mark(&ends.high);
        }
        ask.readings.iter().for_each(|reading| mark(&reading.formula));
        ask.mistakes.iter().for_each(|mistake| mark(&mistake.formula));
    }
    drill.names.iter().for_each(|name| mark(&name.formula));
    for (_, concept) in bench.rubric.tree.get("concept").entries() {
        for figure in concept.get("figures").list() {
            let text = figure.get("value").text().unwrap_or_default();
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.filter_map(|word| drill.name(word)).for_each(|name| used[name.0] = true);
        }
    }
    for (name, _) in drill.names.iter().zip(used).filter(|(_, used)| !used) {
        let thing = bench.name(name);
        let what = match name.origin {
            Origin::Given => "is given and used by nothing",
            Origin::Assumed => "is assumed and used by nothing",
            Origin::Let => "is worked out and used by nothing",
        };
        bench.told.tell("unused-name", thing, thing.place(), format!("`{}` {what}", name.name));
    }
}

/// Concepts that no rule asks for.
fn concepts(bench: &Bench) {
    let rubric = &bench.drill.rubric;
    let concepts = rubric.concepts.list();
    let mut open: Vec<usize> =
        rubric.criteria.iter().flat_map(|criterion| rules(criterion)).flat_map(|(_, rule)| rule.concepts()).collect();
    let mut used = vec![false; concepts.len()];
    while let Some(concept) = open.pop() {
        if !std::mem::replace(&mut used[concept], true) {
            open.extend(concepts[concept].rule.iter().flat_map(Rule::concepts));
        }
    }
    for (concept, _) in concepts.iter().zip(used).filter(|(_, used)| !used) {
        let thing = bench.concept(&concept.name);
        bench.told.tell("unused-concept", thing, thing.place(), format!("no rule asks for `{}`", concept.name));
    }
}

/// The rules of a criterion with their keys.
pub(super) fn rules(criterion: &Criterion) -> Vec<(&'static str, &Rule)> {
    match &criterion.kind {
        CriterionKind::Argument(rules) | CriterionKind::Form(rules) => {
            let all = [("met", &rules.met), ("partly", &rules.partly), ("not_met", &rules.not_met), ("review", &rules.review)];
            all.into_iter().filter_map(|(key, rule)| Some((key, rule.as_ref()?))).collect()
        }
        CriterionKind::Separate(_) | CriterionKind::Hand => Vec::new(),
    }
}

/// Phrases that are a value or a mistake by themselves, and concepts of the rules, in the words of the question.
fn questions(bench: &Bench) {
    let drill = bench.drill;
    for ask in &drill.asks {
        let Some(part) = drill.part(ask.item.as_ref().unwrap_or(&ask.part)) else { continue };
        let text = format!("{}\n{}", part.title, part.text);
        for reading in &ask.readings {
            let thing = bench.reading(ask, &reading.id);
            for (place, phrase) in in_text(&reading.words, &text) {
                let title = format!("`{}` is the reading `{}`, and stands in the question", phrase.source(), reading.id);
                bench.told.tell("phrase-in-question", thing, thing.element("words", place), title).about(phrase.source());
            }
        }
        for mistake in &ask.mistakes {
            let thing = bench.mistake(ask, &mistake.id);
            for (place, phrase) in in_text(&mistake.words, &text) {
                let title = format!("`{}` is the mistake `{}`, and stands in the question", phrase.source(), mistake.id);
                bench.told.tell("phrase-in-question", thing, thing.element("words", place), title).about(phrase.source());
            }
        }
    }
    echoes(bench);
}

/// The question, answered with nothing but its own words, has to leave every criterion unmet.
fn echoes(bench: &Bench) {
    let drill = bench.drill;
    for criterion in &drill.rubric.criteria {
        let Some(part) = drill.part(&criterion.part) else { continue };
        let (CriterionKind::Argument(rules) | CriterionKind::Form(rules)) = &criterion.kind else { continue };
        let outcome = argue::outcome(drill, rules, &part.text);
        if matches!(outcome, Outcome::Met | Outcome::Partly) {
            let thing = bench.criterion(criterion);
            let title = format!("the question of part `{}` by itself makes `{}` {}", part.id, criterion.id, outcome.code());
            bench.told.tell("phrase-in-question", thing, thing.at("met"), title);
        }
    }
}

fn in_text<'a>(phrases: &'a [Phrase], text: &str) -> Vec<(usize, &'a Phrase)> {
    let hits = Phrases::compile(phrases).find(text);
    let found: BTreeSet<usize> = hits.into_iter().map(|hit| hit.phrase).collect();
    found.into_iter().map(|at| (at, &phrases[at])).collect()
}
