//! From what an author wrote to a drill that is checked and solved, or to everything that is wrong with it.

use std::collections::BTreeMap;

use super::fields::{Figure, Report, Text};
use super::file::{AskFile, DrillFile, MistakeFile, PartFile, ReadingFile, Rules};
use super::names::{self, Vocabulary};
use super::{Ask, AskKind, Drill, Interval, Mistake, NameId, NameSet, Part, Reading, ReadingCredit, Rubric, Values};
use crate::diagnostic;
use crate::formula::{Formula, KnownNames};
use crate::phrase::{self, Phrase, PhraseError};
use crate::quantity::{Dimension, Number, Quantity, Tolerance, Unit};
use crate::text::Span;

/// The format that this program reads.
pub(super) const FORMAT: f64 = 1.0;

/// Checks and solves a drill; its rubric is empty yet. `file_id` is what the file is called.
pub(super) fn drill(file: &DrillFile, file_id: &str, sha256: String, report: &Report) -> Drill {
    format(file.format, report);
    id(&file.id, file_id, report);
    let vocabulary = names::check(file, report);
    let mut checker =
        Checker { report, vocabulary: &vocabulary, defaults: &file.defaults, asks: Vec::new(), ids: BTreeMap::new(), sums: Vec::new() };
    let parts = checker.parts(&file.parts);
    checker.resolve_sums();
    checker.depend();
    let asks = checker.asks;
    let mut drill = Drill {
        id: file.id.value.clone(),
        title: file.title.value.clone(),
        summary: file.summary.as_ref().map(|text| text.value.trim().to_owned()).unwrap_or_default(),
        sha256,
        symbols: BTreeMap::new(),
        words: KnownNames::default(),
        names: vocabulary.names,
        units: vocabulary.units,
        parts,
        asks,
        rubric: Rubric::default(),
        reference: Values(vocabulary.values),
        order: vocabulary.order,
    };
    drill.learn_symbols();
    drill.fill_in();
    drill
}

/// The version of the file's format.
pub(super) fn format(format: Option<Figure>, report: &Report) {
    match format {
        Some(format) if format.value == FORMAT => {}
        Some(format) => {
            let help = "write `format = 1`, or use the drillmark that the file was written for";
            report.error("wrong-format", format.span, format!("this drillmark reads format {FORMAT}, not {}", format.value)).help(help);
        }
        None => {
            report.error("missing-key", Span::new(0, 0), "`format` is missing").help("write `format = 1` at the top");
        }
    }
}

/// A file is named after what it holds, so that nothing has to be opened to find it.
pub(super) fn id(id: &Text, file_id: &str, report: &Report) {
    let plain = |id: &str| !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
    if id.value.is_empty() {
        return;
    }
    if !plain(&id.value) {
        report.error("bad-id", id.span, "an id is made of letters, digits, `-`, `_` and `.`");
    } else if id.value != file_id {
        let title = format!("the file is called `{file_id}`, its id is `{}`", id.value);
        report.error("id-and-file-differ", id.span, title).help(format!("rename the file to `{}.toml`, or the id", id.value));
    }
}

/// The phrases, those of the kinds of words that are named among them, where nothing is to be said of any.
pub(super) fn well_formed(texts: &[Text]) -> Option<Vec<Phrase>> {
    let mut phrases = Vec::with_capacity(texts.len());
    texts.iter().try_for_each(|text| understand(text, &mut phrases)).ok()?;
    Some(phrases)
}

/// The same; of those that are none it is told.
pub(super) fn phrases(texts: &[Text], report: &Report) -> Vec<Phrase> {
    let mut phrases = Vec::with_capacity(texts.len());
    for text in texts {
        match understand(text, &mut phrases) {
            Ok(()) => {}
            Err(Misunderstood::Kind(name)) => {
                let known: Vec<String> = phrase::kinds().map(|kind| format!("`<{kind}>`")).collect();
                let title = format!("no kind of words is called `{name}`");
                report.error("bad-phrase", text.span, title).help(format!("there are {}", known.join(", ")));
            }
            Err(Misunderstood::Phrase(error)) => {
                report.error("bad-phrase", report.place(text, error.span), error.to_string());
            }
        }
    }
    phrases
}

/// Why what an author wrote for a phrase is none.
enum Misunderstood<'a> {
    /// No kind of words has this name.
    Kind(&'a str),
    Phrase(PhraseError),
}

fn understand<'a>(text: &'a Text, phrases: &mut Vec<Phrase>) -> Result<(), Misunderstood<'a>> {
    match phrase::kind_named(&text.value) {
        Some(name) => {
            let of_kind = phrase::of_kind(name).ok_or(Misunderstood::Kind(name))?;
            phrases.extend(of_kind.iter().filter_map(|source| Phrase::parse(source).ok()));
        }
        None => phrases.push(Phrase::parse(&text.value).map_err(Misunderstood::Phrase)?),
    }
    Ok(())
}

struct Checker<'a, 's> {
    report: &'a Report<'s>,
    vocabulary: &'a Vocabulary,
    defaults: &'a Rules,
    asks: Vec<Ask>,
    /// Ids of parts, asks, readings and mistakes with the place of their first use.
    ids: BTreeMap<(&'static str, String), Span>,
    /// The terms of each ask, as ids; they may stand further down in the file.
    sums: Vec<(usize, Vec<Text>)>,
}

impl Checker<'_, '_> {
    fn parts(&mut self, files: &[PartFile]) -> Vec<Part> {
        if files.is_empty() {
            self.report.error("missing-key", Span::new(0, 0), "a drill without a `[[part]]`");
        }
        files.iter().map(|file| self.part(file, None)).collect()
    }

    fn part(&mut self, file: &PartFile, inside: Option<&Text>) -> Part {
        self.unique("part", &file.id);
        let asks = file.asks.iter().map(|ask| self.ask(ask, inside.unwrap_or(&file.id), inside.map(|_| &file.id))).collect();
        let items = match inside {
            None => file.items.iter().map(|item| self.part(item, Some(&file.id))).collect(),
            Some(_) => {
                if let Some(item) = file.items.first() {
                    self.report.error("nested-item", item.id.span, "an item has no items of its own").help("make it an item of the part");
                }
                Vec::new()
            }
        };
        let text = file.text.as_ref().map(|text| text.value.trim().to_owned()).unwrap_or_default();
        Part {
            id: file.id.value.clone(),
            title: file.title.value.clone(),
            topics: phrases(&file.topics, self.report),
            template: text.clone(),
            text,
            asks,
            items,
        }
    }

    fn unique(&mut self, kind: &'static str, id: &Text) {
        if id.value.is_empty() {
            return;
        }
        if let Some(first) = self.ids.get(&(kind, id.value.clone())) {
            let title = format!("another {kind} is called `{}` already", id.value);
            self.report.error("duplicate-id", id.span, title).also(*first, "the first");
            return;
        }
        self.ids.insert((kind, id.value.clone()), id.span);
    }

    fn ask(&mut self, file: &AskFile, part: &Text, item: Option<&Text>) -> usize {
        self.unique("ask", &file.id);
        let label = item.unwrap_or(part);
        let labels = [Some(part), item];
        let named = labels.iter().flatten().any(|label| file.id.value.starts_with(&format!("{}.", label.value)));
        if !file.id.value.is_empty() && !named {
            let title = format!("an ask of `{0}` has an id that starts with `{0}.`", label.value);
            let bare = file.id.value.rsplit('.').next().unwrap_or_default();
            self.report.error("bad-id", file.id.span, title).help(format!("write `{}.{bare}`", label.value));
        }
        let formula = self.formula(file.value.as_ref());
        let (unit, noun) = self.unit(file.unit.as_ref(), file.noun.as_ref());
        if let (Some(formula), Some(value)) = (&formula, &file.value) {
            self.kind_agrees(formula, value, unit.as_ref(), file.unit.as_ref());
        }
        let formula = formula.unwrap_or_else(|| self.vocabulary.nothing());
        let kind = self.kind(file, &formula);
        let tolerance = self.tolerance(&file.rules, &formula, file.value.as_ref());
        let states = formula.expr().own_name().and_then(|name| self.vocabulary.find(name));
        let readings = file.readings.iter().map(|reading| self.reading(reading, &formula, file, tolerance)).collect();
        let mistakes = file.mistakes.iter().map(|mistake| self.mistake(mistake, &formula, file)).collect();
        if !file.sum.is_empty() {
            self.sums.push((self.asks.len(), file.sum.clone()));
        }
        let needs = self.vocabulary.needs(&formula);
        self.asks.push(Ask {
            altered: Default::default(),
            id: file.id.value.clone(),
            part: part.value.clone(),
            item: item.map(|item| item.value.clone()),
            asks: file.asks.value.clone(),
            formula,
            states,
            needs,
            depends_on: Vec::new(),
            unit,
            in_unit: file.in_unit,
            noun,
            required: file.required,
            kind,
            symbols: file.symbols.iter().map(|text| text.value.clone()).collect(),
            cues: phrases(&file.cues, self.report),
            not_cues: phrases(&file.not_cues, self.report),
            readings,
            mistakes,
            sum: Vec::new(),
            tolerance,
            min_figures: self.min_figures(&file.rules),
            plausible: self.plausible(&file.rules),
        });
        self.asks.len() - 1
    }

    fn formula(&self, text: Option<&Text>) -> Option<Formula> {
        self.vocabulary.formula(text?, self.report)
    }

    /// The natural unit. Where it is a noun, what is counted.
    fn unit(&self, text: Option<&Text>, noun: Option<&Text>) -> (Option<Unit>, Option<String>) {
        let noun = noun.map(|noun| noun.value.clone());
        let Some(text) = text else { return (None, noun) };
        let unit = self.vocabulary.unit(text, self.report);
        (unit, noun)
    }

    fn kind_agrees(&self, formula: &Formula, value: &Text, unit: Option<&Unit>, text: Option<&Text>) {
        let is = formula.dimension();
        match (unit, text) {
            (Some(unit), Some(text)) if unit.dimension != is => {
                self.report
                    .error(
                        "wrong-dimension",
                        text.span,
                        format!("`{}` is a unit of {}, the value is {}", text.value, kind(unit.dimension), kind(is)),
                    )
                    .says(format!("this is {}", kind(unit.dimension)))
                    .also(value.span, format!("this is {}", kind(is)));
            }
            (None, None) if !is.is_none() => {
                let title = format!("the value is {}, but no `unit` says in which unit it is asked", kind(is));
                self.report.error("missing-unit", value.span, title);
            }
            _ => {}
        }
    }

    fn kind(&self, file: &AskFile, formula: &Formula) -> AskKind {
        let kind = file.kind.as_ref().map(|kind| (kind.value.as_str(), kind.span));
        match kind {
            None | Some(("value", _)) => {}
            Some(("count", span)) => {
                if !formula.dimension().is_none() {
                    self.report.error("wrong-dimension", span, format!("a count is a plain number, the value is {}", kind_of(formula)));
                }
                return AskKind::Count;
            }
            Some(("range", span)) => return self.range(file, formula, span),
            Some((other, span)) => {
                let near = diagnostic::nearest(other, ["value", "count", "range"]);
                let title = format!("`{other}` is no kind of ask");
                self.report
                    .error("unknown-kind", span, title)
                    .did_you_mean(near, || "an ask is a `value`, a `count` or a `range`".to_owned());
            }
        }
        if let Some(first) = file.accept.first() {
            self.report.error("accept-without-range", first.span, "`accept` is read for `kind = \"range\"` only");
        }
        AskKind::Value
    }

    fn range(&self, file: &AskFile, formula: &Formula, span: Span) -> AskKind {
        let [low, high] = file.accept.as_slice() else {
            self.report.error("missing-key", span, "a range needs its two ends").help("write `accept = [\"LOW\", \"HIGH\"]`");
            return AskKind::Value;
        };
        let (Some(from), Some(to)) = (self.formula(Some(low)), self.formula(Some(high))) else { return AskKind::Value };
        for (end, text) in [(&from, low), (&to, high)] {
            if end.dimension() != formula.dimension() {
                let title = format!("this end is {}, the value is {}", kind_of(end), kind_of(formula));
                self.report.error("wrong-dimension", text.span, title);
                return AskKind::Value;
            }
        }
        if from.value() > to.value() {
            self.report
                .error("empty-range", low.span, "the low end is above the high one")
                .also(high.span, "this is lower")
                .help("swap the two");
        } else if let Some(value) = &file.value
            && (formula.value() < from.value() || formula.value() > to.value())
        {
            self.report
                .error("empty-range", value.span, "the value itself lies outside the range")
                .also(low.span.join(high.span), "this range");
        }
        AskKind::Range(Box::new(Interval { low: from, high: to }))
    }

    fn tolerance(&self, rules: &Rules, formula: &Formula, value: Option<&Text>) -> Tolerance {
        let text = rules.tolerance.as_ref().or(self.defaults.tolerance.as_ref());
        let relative = text.and_then(|text| self.share(text)).unwrap_or(Number::ONE / Number::from(100));
        let absolute = rules.absolute.as_ref().and_then(|text| {
            let quantity = self.vocabulary.quantity(text, self.report)?;
            // Percentage points are how an absolute tolerance of a percentage is written.
            let points = self.vocabulary.points();
            let quantity = if quantity.dimension == points { Quantity { dimension: Dimension::NONE, ..quantity } } else { quantity };
            if quantity.dimension != formula.dimension() {
                let title = format!("the tolerance is {}, the value is {}", kind(quantity.dimension), kind_of(formula));
                self.report.error("wrong-dimension", text.span, title);
                return None;
            }
            Some(quantity)
        });
        if formula.value().is_zero()
            && absolute.is_none()
            && let Some(value) = value
        {
            self.report
                .error("zero-reference", value.span, "the value is zero, of which no share is a tolerance")
                .help("give it `absolute = \"…\"`, a quantity");
        }
        Tolerance::new(relative, absolute)
    }

    /// A share of something: `1 %`, or `0.01`.
    fn share(&self, text: &Text) -> Option<Number> {
        let quantity = self.vocabulary.quantity(text, self.report)?;
        if !quantity.dimension.is_none() {
            let title = format!("`tolerance` is a share, this is {}", kind(quantity.dimension));
            self.report.error("wrong-dimension", text.span, title).help("write a quantity as `absolute = \"…\"`");
            return None;
        }
        if quantity.value.is_negative() || quantity.value > Number::ONE {
            self.report.error("out-of-range", text.span, "a tolerance lies between 0 and 100 %");
            return None;
        }
        Some(quantity.value)
    }

    fn min_figures(&self, rules: &Rules) -> u32 {
        let Some(figure) = rules.min_figures.or(self.defaults.min_figures) else { return 2 };
        if figure.value.fract() != 0.0 || !(1.0..=15.0).contains(&figure.value) {
            self.report.error("out-of-range", figure.span, "`min_figures` is a whole number from 1 to 15");
            return 2;
        }
        figure.value as u32
    }

    fn plausible(&self, rules: &Rules) -> Number {
        let Some(figure) = rules.plausible.or(self.defaults.plausible) else { return Number::from(1000) };
        if figure.value < 1.0 {
            self.report.error("out-of-range", figure.span, "`plausible` is a factor of at least 1");
            return Number::from(1000);
        }
        Number::inexact(figure.value)
    }

    fn reading(&mut self, file: &ReadingFile, of: &Formula, ask: &AskFile, tolerance: Tolerance) -> Reading {
        self.unique("reading", &file.id);
        let formula = self.formula(file.value.as_ref());
        let unit = file.unit.as_ref().and_then(|text| self.vocabulary.unit(text, self.report));
        if let (Some(formula), Some(value)) = (&formula, &file.value) {
            match (&unit, &file.unit) {
                (None, None) if formula.dimension() != of.dimension() => self.other_kind(formula, value, of, ask, true),
                (Some(_), _) => self.kind_agrees(formula, value, unit.as_ref(), file.unit.as_ref()),
                _ => {}
            }
        }
        let credits = ["full", "full_if_labelled", "partial_if_labelled", "supporting"];
        let credit = match file.credit.value.as_str() {
            "full" | "" => ReadingCredit::Full,
            "full_if_labelled" => ReadingCredit::FullIfLabelled,
            "partial_if_labelled" => ReadingCredit::PartialIfLabelled,
            "supporting" => ReadingCredit::Supporting,
            other => {
                let near = diagnostic::nearest(other, credits);
                let title = format!("`{other}` is no credit");
                let all = || format!("a reading earns one of {}", credits.map(|credit| format!("`{credit}`")).join(", "));
                self.report.error("unknown-credit", file.credit.span, title).did_you_mean(near, all);
                ReadingCredit::Full
            }
        };
        let labelled = matches!(credit, ReadingCredit::FullIfLabelled | ReadingCredit::PartialIfLabelled);
        if labelled && file.label.is_empty() && file.words.is_empty() {
            let title = format!("`{}` without a `label`: nothing could ever say what the value is", file.credit.value);
            self.report.error("missing-label", file.credit.span, title).help("add `label = [\"…\"]`, phrases one of which must stand near");
        }
        let own = file.rules.tolerance.is_some() || file.rules.absolute.is_some();
        let formula = formula.unwrap_or_else(|| self.vocabulary.nothing());
        Reading {
            id: file.id.value.clone(),
            tolerance: if own { self.tolerance(&file.rules, &formula, file.value.as_ref()) } else { tolerance },
            min_figures: file.rules.min_figures.is_some().then(|| self.min_figures(&file.rules)),
            formula,
            unit,
            credit,
            says: file.says.value.clone(),
            label: phrases(&file.label, self.report),
            words: phrases(&file.words, self.report),
        }
    }

    fn mistake(&mut self, file: &MistakeFile, of: &Formula, ask: &AskFile) -> Mistake {
        self.unique("mistake", &file.id);
        let formula = self.formula(file.value.as_ref());
        if let (Some(formula), Some(value)) = (&formula, &file.value)
            && formula.dimension() != of.dimension()
        {
            self.other_kind(formula, value, of, ask, false);
        }
        Mistake {
            id: file.id.value.clone(),
            formula: formula.unwrap_or_else(|| self.vocabulary.nothing()),
            says: file.says.value.clone(),
            words: phrases(&file.words, self.report),
        }
    }

    fn other_kind(&self, formula: &Formula, value: &Text, of: &Formula, ask: &AskFile, reading: bool) {
        let Some(asked) = &ask.value else { return };
        // An ask that is broken itself has no kind to compare with.
        if !of.value().is_finite() {
            return;
        }
        let title = format!("the ask is {}, this is {}", kind_of(of), kind_of(formula));
        let found = self.report.error("wrong-dimension", value.span, title).says(format!("this is {}", kind_of(formula)));
        let found = found.also(asked.span, format!("this is {}", kind_of(of)));
        if reading {
            found.help("a reading of another kind says so with its own `unit`");
        }
    }

    fn resolve_sums(&mut self) {
        for (ask, terms) in std::mem::take(&mut self.sums) {
            let mut sum = Vec::new();
            for term in &terms {
                match self.asks.iter().position(|ask| ask.id == term.value) {
                    Some(at) => sum.push(at),
                    None => unknown_ask(term, self.asks.iter().map(|ask| ask.id.as_str()), self.report),
                }
            }
            let whole = terms.iter().fold(terms[0].span, |span, term| span.join(term.span));
            if sum.len() == terms.len() {
                let total = sum.iter().fold(Number::ZERO, |total, term| total + self.asks[*term].formula.value());
                let value = self.asks[ask].formula.value();
                let gap = (total - value).abs().to_f64();
                if gap > 1e-9 * value.to_f64().abs() {
                    self.report.error("not-the-sum", whole, format!("these do not add up to `{}`", self.asks[ask].id));
                }
                self.asks[ask].sum = sum;
            }
        }
    }

    /// Works out which asks state a name that another one's reference is worked out from.
    fn depend(&mut self) {
        let stated: Vec<(usize, NameId)> = self.asks.iter().enumerate().filter_map(|(at, ask)| Some((at, ask.states?))).collect();
        for ask in &mut self.asks {
            let own: NameSet = ask.states.into_iter().collect();
            ask.depends_on =
                stated.iter().filter(|(_, name)| ask.needs.contains(*name) && !own.contains(*name)).map(|(at, _)| *at).collect();
        }
    }
}

/// Tells of an ask that there is none of.
pub(super) fn unknown_ask<'a>(text: &Text, ids: impl Iterator<Item = &'a str>, report: &Report) {
    let ids: Vec<&str> = ids.collect();
    let near = diagnostic::nearest(&text.value, ids.iter().copied());
    let same_name = || {
        let tail = text.value.rsplit('.').next().unwrap_or_default();
        ids.iter()
            .find(|id| id.rsplit('.').next() == Some(tail))
            .map_or_else(|| "the drill's asks are listed by `drillmark solve`".to_owned(), |id| format!("did you mean `{id}`?"))
    };
    report.error("unknown-ask", text.span, format!("there is no ask `{}`", text.value)).did_you_mean(near, same_name);
}

pub(super) fn kind(dimension: Dimension) -> String {
    if dimension.is_none() { "a plain number".to_owned() } else { dimension.to_string() }
}

fn kind_of(formula: &Formula) -> String {
    kind(formula.dimension())
}
