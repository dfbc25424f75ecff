//! Variants that hold: drawn again until mistakes can be told apart, tolerances hide nothing and mutants are noticed, as
//! well as with the drill's own values.

use std::collections::BTreeSet;

use crate::diagnostic;
use crate::drill::{AskKind, Drill, Interval, Model, NameId, Reading, Seed};
use crate::formula::{self, Style, quantity};
use crate::grade::{Grader, Verdict};
use crate::lint::told::Thing;
use crate::lint::values::Conflict;
use crate::lint::{Bench, mutants, sheet, solutions, values};
use crate::phrase::Phrase;
use crate::quantity::Number;
use crate::text::{Source, Span};

/// So many times values are drawn for one variant before it is given up.
const ATTEMPTS: u32 = 200;

/// What holds for the drill's own values: a variant may be no worse.
#[derive(Debug)]
pub struct Variants<'a> {
    drill: &'a Drill,
    conflicts: Vec<Conflict>,
    survivors: BTreeSet<(usize, String)>,
}

/// A variant as it was drawn.
#[derive(Debug)]
struct Drawn {
    drill: Drill,
    values: Vec<(NameId, Number)>,
    /// How many draws were degenerate before it.
    rejected: u32,
}

impl<'a> Variants<'a> {
    /// Looks at the drill's own values, once for any number of variants.
    pub fn of(drill: &'a Drill) -> Variants<'a> {
        if !drill.varies() {
            return Variants { drill, conflicts: Vec::new(), survivors: BTreeSet::new() };
        }
        Variants { drill, conflicts: values::conflicts(drill), survivors: mutants::survivors(drill) }
    }

    /// The variant of a seed: of a drill whose givens do not vary, and of one of which no draw holds, the drill itself.
    pub fn draw(&self, seed: &Seed) -> Drill {
        self.drawn(seed).map_or_else(|| self.drill.clone(), |drawn| drawn.drill)
    }

    fn drawn(&self, seed: &Seed) -> Option<Drawn> {
        if !self.drill.varies() {
            return None;
        }
        (0..ATTEMPTS).find_map(|attempt| {
            let values = self.drill.draw(seed, attempt);
            let drill = self.drill.with(&values);
            self.trouble(&drill).is_none().then_some(Drawn { drill, values, rejected: attempt })
        })
    }

    /// What is the matter with other values, where anything is that is not with the drill's own.
    fn trouble(&self, variant: &Drill) -> Option<String> {
        for name in &variant.names {
            if !name.formula.value().is_finite() {
                return Some(format!("`{}` comes to no number", name.name));
            }
        }
        for ask in &variant.asks {
            let value = ask.formula.value();
            let outside = |ends: &Interval| value < ends.low.value() || value > ends.high.value();
            let own = self.drill.ask(&ask.id).map(|at| self.drill.asks[at].formula.value());
            // A value that was typed in is that of the drill's own givens.
            let typed = |reading: &&Reading| reading.formula.slots().next().is_none() && reading.words.is_empty();
            if let Some(reading) = ask.readings.iter().find(typed).filter(|_| own != Some(value)) {
                return Some(format!("the reading `{}` of `{}` stays the same", reading.id, ask.id));
            }
            if !value.is_finite() || value.is_zero() || matches!(&ask.kind, AskKind::Range(ends) if outside(ends)) {
                return Some(format!("`{}` comes to {}", ask.id, quantity(value, ask.unit.as_ref(), Style::Unicode)));
            }
        }
        if let Some(new) = values::conflicts(variant).into_iter().find(|conflict| !self.conflicts.contains(conflict)) {
            return Some(format!("`{}` has what its own values have not: {}", variant.asks[new.ask].id, new.kind.code()));
        }
        let (ask, mutant) = mutants::survivors(variant).into_iter().find(|survivor| !self.survivors.contains(survivor))?;
        Some(format!("`{}` does not notice `{mutant}`", variant.asks[ask].id))
    }
}

/// The variant of a seed. For many of one drill, [`Variants`] looks at its own values only once.
pub fn variant(drill: &Drill, seed: &Seed) -> Drill {
    Variants::of(drill).draw(seed)
}

/// Draws so many variants, and tells of what keeps them from being as good as the drill itself.
pub(super) fn check(bench: &Bench, model: Option<&Source>, count: u32) {
    fixed_numbers(bench);
    unfilled(bench);
    let drill = bench.drill;
    if !drill.varies() || count == 0 {
        return;
    }
    let variants = Variants::of(drill);
    let (mut rejected, mut draws) = (0_u32, 0_u32);
    for number in 1..=count {
        let seed = Seed::named(&number.to_string());
        let Some(drawn) = variants.drawn(&seed) else {
            let values = drill.draw(&seed, 0);
            let why = variants.trouble(&drill.with(&values)).unwrap_or_default();
            tell(bench, &format!("no draw of variant {number} holds; the first, {}: {why}", shown(drill, &values)));
            return;
        };
        rejected += drawn.rejected;
        draws += drawn.rejected + 1;
        if let Some(wrong) = misread(&drawn.drill, model) {
            tell(bench, &format!("in variant {number}, {}, {wrong}", shown(drill, &drawn.values)));
            return;
        }
    }
    if rejected * 2 > draws {
        tell(bench, &format!("{rejected} of {draws} draws are degenerate"));
    }
}

fn tell(bench: &Bench, title: &str) {
    for name in bench.drill.names.iter().filter(|name| !name.draws.is_empty()).take(1) {
        let thing = bench.name(name);
        let key = if thing.tree.has("from") { "from" } else { "range" };
        bench.told.tell("degenerate-variant", thing, thing.at(key), title);
    }
}

/// The values of a draw, for people.
fn shown(drill: &Drill, values: &[(NameId, Number)]) -> String {
    let with = drill.with(values);
    let shown = |(name, _): &(NameId, Number)| format!("{} = {}", drill.names[name.0].name, with.names[name.0].formula.text());
    values.iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// The first ask whose own value is not read as right when it is written down, or that the model answer does not answer.
fn misread(variant: &Drill, model: Option<&Source>) -> Option<String> {
    let value = |at: usize| Some(sheet::written(&variant.asks[at], variant.asks[at].formula.value(), 4));
    let grader = Grader::new(variant).without_choices();
    // Its work shows the values of the givens, too.
    if let Some((model, source)) = model.and_then(|source| Some((Model::read(variant, source).ok()?, source))) {
        let grade = grader.grade(&solutions::filled(variant, &model, source));
        let lost = grade.quantities.iter().find(|finding| finding.points.awarded < finding.points.possible);
        if let Some(finding) = lost {
            return Some(format!("`{}` is `{}` in the model answer", finding.ask, finding.verdict.code()));
        }
    }
    let grade = grader.grade(&sheet::whole(variant, &value));
    let (at, finding) = grade.quantities.iter().enumerate().find(|(_, finding)| finding.verdict != Verdict::Correct)?;
    Some(format!("`{}` is `{}` when its own value is written as `{}`", finding.ask, finding.verdict.code(), value(at)?))
}

/// Names in braces that are none.
fn unfilled(bench: &Bench) {
    for part in bench.drill.all_parts().filter(|_| bench.drill.varies()) {
        let thing = bench.part(part);
        for (at, _) in part.text.match_indices('{') {
            // What stands behind a command or an index is LaTeX's.
            let latex = part.text[..at].ends_with(|c: char| c.is_alphanumeric() || "^_}\\".contains(c));
            let inside = part.text[at + 1..].split_once('}').map_or("", |(inside, _)| inside);
            if formula::is_name(inside) && !latex {
                let near = diagnostic::nearest(inside, bench.drill.names.iter().map(|name| name.name.as_str()));
                let title = format!("nothing that is given is called `{inside}`");
                let telling = bench.told.tell("unfilled-place", thing, thing.at("text"), title).about(inside);
                near.map(|near| telling.help(format!("did you mean `{{{near}}}`?")));
            }
        }
    }
}

/// Texts that keep the default of a given that varies.
fn fixed_numbers(bench: &Bench) {
    let drill = bench.drill;
    for name in drill.names.iter().filter(|name| !name.draws.is_empty()) {
        let fixed = name.formula.text();
        let look = |thing: Thing, span: Span, text: &str| {
            if holds(text, fixed) {
                let title = format!("`{}` varies, this keeps its `{fixed}`", name.name);
                bench.told.tell("fixed-number", thing, span, title).about(name.name.as_str());
            }
        };
        for part in drill.all_parts() {
            let thing = bench.part(part);
            look(thing, thing.at("text"), &part.template);
            look(thing, thing.at("title"), &part.title);
            part.topics.iter().enumerate().for_each(|(at, topic)| look(thing, thing.element("topics", at), topic.source()));
        }
        for ask in &drill.asks {
            let thing = bench.ask(ask);
            look(thing, thing.at("asks"), &ask.asks);
            let phrases = |key: &'static str, phrases: &[Phrase]| {
                phrases.iter().enumerate().for_each(|(at, phrase)| look(thing, thing.element(key, at), phrase.source()));
            };
            phrases("cues", &ask.cues);
            phrases("not_cues", &ask.not_cues);
            for mistake in &ask.mistakes {
                let thing = bench.mistake(ask, &mistake.id);
                look(thing, thing.at("says"), &mistake.says);
            }
        }
    }
}

/// Whether a text holds a value as a word of its own. One digit without a unit is in every text.
fn holds(text: &str, value: &str) -> bool {
    let part_of_number = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
    let telling = value.chars().filter(char::is_ascii_digit).count() > 1 || value.chars().any(char::is_alphabetic);
    telling
        && text.match_indices(value).any(|(at, _)| {
            let before = text[..at].chars().next_back().is_some_and(part_of_number);
            let after = text[at + value.len()..].chars().next().is_some_and(|c| c.is_alphanumeric());
            !before && !after
        })
}
