//! What the numbers and the words of an answer state for an ask, as claims for the judge and as a report shows them.

use std::borrow::Cow;
use std::ops::Range;

use smol_str::SmolStr;

use crate::answer::Answer;
use crate::drill::Ask;
use crate::grade::align::{Choice, Wording};
use crate::grade::claim::{Claim, Said};
use crate::grade::clues::{Hit, Sign, Tag};
use crate::grade::declared;
use crate::grade::evidence::Named;
use crate::grade::finding::Read;
use crate::grade::judge::{Judged, Taken};
use crate::grade::scene::{Break, Depth, Line, Scene, Standing};
use crate::grade::verdicts::Court;
use crate::grade::work;
use crate::quantity::{Loose, Number, Unit, Written};
use crate::recognize::{Mention, Reading};

impl Court<'_> {
    /// What a number states for an ask.
    pub(in crate::grade) fn claim_of_number(&self, ask: usize, at: usize) -> Claim<'_> {
        let number = &self.scene.numbers[at];
        let line = &self.scene.lines[number.line];
        let place = number.anchor..number.mention.range.end;
        let readings = self.readings(ask, at);
        let routes = &self.grader.routes;
        let factor = |reading: &Reading| reading.unit.as_ref().is_none_or(|unit| unit.factor == Number::ONE);
        let lower = routes.knows_factor(ask) && readings.iter().any(factor) && lower(line, &place);
        let (mut labeled, mut suspected) = (Vec::new(), Vec::new());
        for tag in routes.hears_words(ask).then(|| self.near(line, &place)).into_iter().flatten() {
            match tag {
                Tag::Label(of, reading) | Tag::ReadingWords(of, reading) if of == ask => labeled.push(reading),
                Tag::MistakeWords(of, mistake) if of == ask => suspected.push(mistake),
                _ => {}
            }
        }
        let (value, high) = first_value(&number.mention);
        Claim { said: Said::Number { readings, kind: number.mention.kind, lower }, value, high, labeled, suspected }
    }

    /// The fair readings of a number for an ask, likeliest first.
    pub(super) fn readings(&self, ask: usize, at: usize) -> Cow<'_, [Reading]> {
        let mention = &self.scene.numbers[at].mention;
        let bare = mention.readings.first().filter(|reading| reading.unit.is_none() && mention.noun.is_none());
        let in_unit = bare.and_then(|bare| {
            let in_unit = self.in_named_unit(ask, at, bare).or_else(|| self.in_unit_of_sum(ask, at, bare));
            in_unit.or_else(|| self.in_unit_of_key(ask, at, bare)).or_else(|| self.in_declared_unit(ask, at, bare))
        });
        match in_unit {
            Some(in_unit) => std::iter::once(in_unit).chain(mention.readings.iter().cloned()).collect(),
            None => Cow::Borrowed(&mention.readings),
        }
    }

    /// A bare number in the unit that its name says: `MiB: 2479.6`, `in bytes 2.6e9`.
    fn in_named_unit(&self, ask: usize, at: usize, bare: &Reading) -> Option<Reading> {
        let Named { block, range, .. } = self.alignment.taken[at].words.as_ref()?;
        let name = &self.answer.blocks[*block].passage.text()[range.clone()];
        let dimension = self.grader.drill.asks[ask].formula.dimension();
        let mut senses = name.split_whitespace().flat_map(|word| self.grader.drill.units.read(word));
        let unit = senses.find(|unit| unit.dimension == dimension && !dimension.is_none())?;
        Some(with_unit(bare, unit))
    }

    /// A bare number under a key that is the unit asked for, or that spells one of its kind out: `mib = 2479.6`, `bytes = 2.6e9`.
    fn in_unit_of_key(&self, ask: usize, at: usize, bare: &Reading) -> Option<Reading> {
        let number = &self.scene.numbers[at];
        let unit = self.grader.drill.asks[ask].unit.as_ref().filter(|unit| !unit.dimension.is_none())?;
        let key = &self.scene.lines[number.line].names.first().filter(|name| name.place.is_none())?.text;
        let words = || key.split(['_', '-', '.', ' ']);
        if words().any(|word| word.eq_ignore_ascii_case(&unit.symbol) && word.len() > 2) {
            return Some(with_unit(bare, unit.clone()));
        }
        // Shorter ones may be abbreviations: `bucket_min`.
        let spelled = words().filter(|word| word.len() >= 4).flat_map(|word| self.grader.drill.units.read(word));
        spelled.filter(|other| other.dimension == unit.dimension).map(|unit| with_unit(bare, unit)).next()
    }

    /// A bare number in the unit that the answer declares for its kind: `all times in ms`.
    fn in_declared_unit(&self, ask: usize, at: usize, bare: &Reading) -> Option<Reading> {
        let number = &self.scene.numbers[at];
        let dimension = Some(self.grader.drill.asks[ask].formula.dimension()).filter(|dimension| !dimension.is_none())?;
        let unit = declared::unit_for(&self.scene.declared, number.spot.part, dimension)?;
        Some(with_unit(bare, unit.clone()))
    }

    /// A bare term of a sum in the unit of what the sum comes to: `10.2 + 207.2 = 217.4 ms`.
    fn in_unit_of_sum(&self, ask: usize, at: usize, bare: &Reading) -> Option<Reading> {
        let number = &self.scene.numbers[at];
        let chain = number.chain.filter(|_| number.standing == Standing::Operand)?;
        let links = &self.scene.chains[chain].chain.links;
        let sum = links.iter().position(|link| link.expr.as_ref().is_some_and(|expr| work::plain_terms(expr).is_some()))?;
        // `1.24 + 201.5 = 202.74 ≈ 203 ms` names the unit at the end only.
        let mut results = links[sum + 1..].iter().filter_map(|link| self.scene.numbers.get(link.mention?));
        let unit = results.find_map(|result| result.mention.readings.first()?.unit.clone())?;
        (unit.dimension == self.grader.drill.asks[ask].formula.dimension()).then(|| with_unit(bare, unit))
    }

    /// What words that are a value state for an ask.
    pub(in crate::grade) fn claim_of_words(&self, ask: usize, words: &Wording) -> Claim<'static> {
        let (said, value) = said_in_words(&self.grader.drill.asks[ask], words);
        Claim { said, value, high: None, labeled: Vec::new(), suspected: Vec::new() }
    }

    /// What says in the sentence of a value by which reading it is right or by which mistake it is wrong, and what names its line.
    fn near<'s>(&self, line: &'s Line, place: &Range<usize>) -> impl Iterator<Item = Tag> + use<'s> {
        let in_sentence = line.kinds.explain_values().then(|| self.in_sentence(line, place));
        let in_names = line.names.iter().flat_map(|name| &name.hits);
        in_sentence.into_iter().flatten().chain(in_names).map(|hit| hit.tag)
    }

    /// What stands in the sentence of a value.
    fn in_sentence<'s>(&self, line: &'s Line, place: &Range<usize>) -> impl Iterator<Item = &'s Hit> + use<'s> {
        let sentences = line.words.sentences();
        let (first, last) = (line.words.sentence_at(place.start), line.words.sentence_at(place.end.saturating_sub(1)));
        // What stands before the first sentence counts to it.
        let start = if first == 0 { 0 } else { sentences[first].start };
        let end = sentences.get(last + 1).map_or(usize::MAX, |next| next.start);
        line.hits_from(start).take_while(move |hit| hit.range.start < end)
    }
}

/// A bare number with the unit that it shares with something else.
fn with_unit(bare: &Reading, unit: Unit) -> Reading {
    Reading {
        value: bare.value * unit.factor,
        high: bare.high.map(|high| high * unit.factor),
        written: Written { last_place: bare.written.last_place * unit.factor, ..bare.written },
        loose: Some(Loose::Shared),
        unit: Some(unit),
    }
}

/// Whether the words of its clause say that a factor makes something smaller.
fn lower(line: &Line, place: &Range<usize>) -> bool {
    if !line.kinds.has_any(&[Sign::Lower]) {
        return false;
    }
    let edge = |found: &&Break| found.depth >= Depth::Clause;
    let before = line.breaks.partition_point(|found| found.at <= place.start);
    let behind = line.breaks.partition_point(|found| found.at < place.end);
    let start = line.breaks[..before].iter().rev().find(edge).map_or(line.range.start, |found| found.at);
    let end = line.breaks[behind..].iter().find(edge).map_or(line.range.end, |found| found.at);
    const RAISES: [&str; 17] = [
        "worse",
        "larger",
        "bigger",
        "more",
        "higher",
        "longer",
        "slower",
        "greater",
        "increases",
        "increased",
        "grows",
        "rises",
        "up",
        "raises",
        "multiplied",
        "schlechter",
        "größer",
    ];
    let text = line.text();
    let far = |range: &Range<usize>| {
        if range.end <= place.start { place.start - range.end } else { range.start.saturating_sub(place.end) }
    };
    // `4 all-reduces` lowers nothing.
    let part_of_name = |range: &Range<usize>| {
        let before = text[..range.start].to_lowercase();
        text[range.end..].starts_with('-') || before.ends_with('-') || before.ends_with("all ")
    };
    let lowers = line.hits_from(start).take_while(|hit| hit.range.start < end);
    let lowers = lowers.filter(|hit| hit.tag == Tag::Sign(Sign::Lower) && hit.range.end <= end && !part_of_name(&hit.range));
    let Some(lowers) = lowers.map(|hit| far(&hit.range)).min() else { return false };
    let words = line.words.within(&(start..end));
    let raises = words.iter().filter(|word| RAISES.contains(&line.words.plain(word))).map(|word| far(&word.range)).min();
    raises.is_none_or(|raises| lowers <= raises)
}

/// What words say of an ask, and the value that they stand for.
fn said_in_words(ask: &Ask, words: &Wording) -> (Said<'static>, Number) {
    match words.tag {
        Tag::MistakeWords(_, mistake) => (Said::Mistake(mistake), ask.mistakes[mistake].formula.value()),
        Tag::ReadingWords(_, reading) => (Said::Reading(reading), ask.readings[reading].formula.value()),
        _ => unreachable!("only words that are a value are aligned as such"),
    }
}

/// The value of a mention as it was read, and its upper end where it is a range.
fn first_value(mention: &Mention) -> (Number, Option<Number>) {
    mention.readings.first().map_or((Number::ZERO, None), |reading| (reading.value, reading.high))
}

/// What a verdict is about, as a report shows it: as it stands there, with the value and the unit that were settled on.
pub(in crate::grade) fn read_judged(answer: &Answer, scene: &Scene, choice: &Choice, judged: &Judged, number: Option<usize>) -> Read {
    let Taken { value, high, ref unit, .. } = judged.taken;
    let settled = unit.as_ref().map(Option::as_ref);
    match (number, choice) {
        (Some(number), _) => Read { value, high, ..read_in_unit(answer, scene, number, settled) },
        (None, Choice::Words(words)) => {
            let span = scene.lines[words.line].source.passage.span(words.range.clone());
            let text = SmolStr::new(answer.source.slice(span));
            Read { span, text, value, high, unit: None, unit_elsewhere: false, approximate: false, words: true }
        }
        (None, _) => unreachable!("what is judged is a number or words"),
    }
}

/// A number as a report shows it.
pub(in crate::grade) fn read_number(answer: &Answer, scene: &Scene, at: usize) -> Read {
    read_in_unit(answer, scene, at, None)
}

/// The same, with the unit that was settled on, where one was.
fn read_in_unit(answer: &Answer, scene: &Scene, at: usize, settled: Option<Option<&Unit>>) -> Read {
    let number = &scene.numbers[at];
    let mention = &number.mention;
    let line = &scene.lines[number.line];
    let span = line.source.passage.span(mention.range.clone());
    let first = mention.readings.first();
    let (value, high) = first_value(mention);
    Read {
        span,
        text: SmolStr::new(answer.source.slice(span)),
        value,
        high,
        unit: settled.unwrap_or_else(|| first?.unit.as_ref()).map(|unit| SmolStr::new(&unit.symbol)),
        unit_elsewhere: mention.unit.is_none() && first.is_some_and(|reading| reading.unit.is_some()),
        approximate: mention.approximate,
        words: false,
    }
}
