//! What speaks for a number being the answer to an ask: words, symbols, row and column names, the part it stands in, its
//! unit. The value itself is no evidence.

mod factors;
mod fitting;
mod near;
mod shape;
mod tally;
mod ties;

pub(super) use near::is_ruled_out;
pub(super) use shape::{Fit, Shape, is_factor};

use std::cell::LazyCell;
use std::ops::Range;

use smallvec::SmallVec;

use crate::grade::Grader;
use crate::grade::clues::{Hit, Tag};
use crate::grade::evidence::fitting::{counted_pieces, counts_orders, fit, is_called_measured, is_counted, is_ratio_of_counts};
use crate::grade::evidence::near::{Side, counted_name, is_part_of_other_words, left_of_equals, nearness, right_before};
use crate::grade::evidence::shape::{Alike, Form};
use crate::grade::evidence::tally::{Seat, Tally};
use crate::grade::scene::{Depth, Line, Number, Scene, Spoken, Spot, Standing};
use crate::grade::strange;

/// Why a number may answer an ask.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// The ask.
    pub(super) ask: usize,
    /// How much speaks for it.
    pub(super) score: f32,
    /// How much of that the words and symbols say, without place and unit.
    pub(super) named: f32,
    /// How well the unit goes with it.
    pub(super) fit: Fit,
    /// The words that say most.
    pub(super) words: Option<Named>,
}

/// Words that name a number.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// The block they stand in.
    pub(super) block: usize,
    /// The bytes of its passage.
    pub(super) range: Range<usize>,
    /// What kind of words they are.
    pub(super) by: By,
}

/// What kind of words they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// Words in the text.
    Words,
    /// What stands left of the equals sign.
    Symbol,
    /// The name of a row or column, a heading, a key.
    Header,
    /// The work that leads to it.
    Work,
}

/// From how much on a number counts as named by its words.
pub(super) const NAMED: f32 = 2.4;
/// What a symbol or phrase right before the equals sign is worth.
const LEFT_OF_EQUALS: f32 = 9.0;
/// What a symbol right before the number is worth, without any sign between.
const RIGHT_BEFORE: f32 = 6.5;
/// What the topic of another item takes away.
const OTHER_ITEM: f32 = 5.0;
/// What it costs a number to stand outside of the parts of an answer that has some.
const OUTSIDE: f32 = -2.0;
/// What it costs a number to stand where the words speak of another part.
const ELSEWHERE: f32 = -1.5;
/// What it costs where they speak of an item of another part, and the ask is asked in an item as well.
const OTHER_TOPIC: f32 = -4.0;
/// What it costs what an item asks for where nothing says what is spoken of.
const UNTOLD_ITEM: f32 = -4.0;
/// What it costs to stand in a sentence about another setting, which may only be what it is compared with.
const SAID_OTHER: f32 = 5.0;
/// How much a symbol says as the name of a row or column.
const SYMBOL_NAME: f32 = 1.3;
/// Names that say less than this stand above their line, not beside it.
const BESIDE: f32 = 5.0;

/// Weighs all that speaks for a number, for each ask that it may answer; best first.
pub(super) fn of_number(scene: &Scene, grader: &Grader, number: &Number) -> Vec<Evidence> {
    let line = &scene.lines[number.line];
    // A number inside words that are a value is part of those: `two orders of magnitude`.
    let range = &number.mention.number;
    let covers = |hit: &Hit| hit.range.start <= range.start && range.end <= hit.range.end && hit.range.len() > range.len();
    let words =
        |hit: &Hit| matches!(hit.tag, Tag::ReadingWords(ask, _) | Tag::MistakeWords(ask, _) if grader.in_place(line, number.spot, ask));
    let values = || line.hits_on(range).filter(|hit| covers(hit) && words(hit)).collect();
    let told: Vec<&Hit> = if line.kinds.has_values() { values() } else { Vec::new() };
    if !told.is_empty() && number.spoken != Spoken::No {
        return Vec::new();
    }
    let seat = Seat {
        block: line.block,
        start: number.anchor,
        end: number.mention.range.end,
        unit: number.mention.unit.clone().unwrap_or(0..0),
        spot: number.spot,
        soft: number.soft,
        unlabeled: number.spot.part.is_none() || line.parts.is_empty(),
        setting: number.setting,
        told: told.iter().map(|hit| hit.range.clone()).collect(),
        conclusion: number.conclusion,
        alone: number.chain.is_none_or(|chain| scene.chains[chain].chain.links.iter().filter(|link| link.mention.is_some()).count() < 2),
        worked: is_worked_behind_colon(scene, line, number),
        outside: outside(scene, line),
        other_row: line.other_row,
    };
    let counted = |ask: &usize| number.standing != Standing::Operand || is_counted(grader, line, number, *ask);
    // `P = 32` says what it is.
    // `no change, ±0 %` is said better by the words.
    let nothing = number.change && number.mention.readings.iter().all(|reading| reading.value.is_zero());
    // `7/55` is a share where nothing else is said.
    let ratio = is_ratio_of_counts(line, number);
    if number.called || nothing || ratio && line.numbers.len() > 1 || counts_orders(line, number) {
        return Vec::new();
    }
    let strange = LazyCell::new(|| strange::is_strange(grader, scene, number));
    let names = left_of_equals(scene, number, line);
    let measured = is_called_measured(grader, line, number, &names);
    let pieces = counted_pieces(grader, line, number);
    let mut alike = Alike::default();
    let mut fits = |ask: usize| match pieces {
        Some(count) if count == ask => Fit::Natural,
        Some(_) => Fit::No,
        None => fit(grader, scene, number, ask, alike.fit(&grader.shapes[ask], &number.mention), &strange),
    };
    let asks = asks_at(grader, line)
        .filter(|ask| !measured || grader.shapes[*ask].is_measured())
        .filter(|ask| counted(ask) && !told.iter().any(|hit| hit.tag.ask() == Some(*ask)))
        .filter(|ask| !ratio || grader.shapes[*ask].is_share())
        .map(|ask| (ask, fits(ask)));
    let mut asks: SmallVec<[(usize, Fit); 16]> = asks.collect();
    if asks.is_empty() {
        return Vec::new();
    }
    // Of two asks for one quantity, the one that wants it in this kind of unit.
    let wanted = asks.iter().map(|(ask, _)| *ask).find(|ask| grader.shapes[*ask].claims_unit(&number.mention));
    let counts = asks.iter().all(|(ask, _)| grader.shapes[*ask].form == Form::Count);
    let mut called = symbols(grader, line, names);
    if counts {
        called.extend(symbols(grader, line, counted_name(line, number)));
    }
    // What asks for another dimension is answered only where a name says so that is as good as a symbol: most are gone here.
    let loud = line.loud.get_or_init(|| loud(line));
    let may_be = |ask: usize| seat.alone && (loud.contains(&ask) || called.iter().any(|(named, _)| *named == ask));
    asks.retain(|(ask, fit)| *fit > Fit::No || may_be(*ask));
    let mut tally = Tally::new(grader, seat, wanted, asks.into_iter());
    if tally.asks.is_empty() {
        return Vec::new();
    }
    tally.called(called, line, LEFT_OF_EQUALS, By::Symbol);
    tally.called(symbols(grader, line, right_before(line, number)), line, RIGHT_BEFORE, By::Words);
    tally.multiple_of(line, number);
    tally.times_another(line, number);
    tally.change(line, number);
    tally.difference(scene, line, number);
    tally.all(scene, line);
    tally.settings(number.setting.as_slice(), SAID_OTHER);
    tally.finish(Some(&number.mention))
}

/// Weighs all that speaks for words being a value, for the asks of which they may be one; best first. Of their place it is said
/// where that is, and whether only words told so.
pub(super) fn of_words(
    scene: &Scene,
    grader: &Grader,
    at: usize,
    range: Range<usize>,
    (spot, soft): (Spot, bool),
    asks: &[usize],
) -> Vec<Evidence> {
    let line = &scene.lines[at];
    let seat = Seat {
        block: line.block,
        start: range.start,
        end: range.end,
        unit: 0..0,
        spot,
        soft,
        unlabeled: spot.part.is_none() || line.parts.is_empty(),
        setting: None,
        told: Vec::new(),
        conclusion: false,
        alone: false,
        worked: false,
        outside: outside(scene, line),
        other_row: line.other_row,
    };
    let asks = asks_at(grader, line).filter(|ask| asks.contains(ask)).map(|ask| (ask, Fit::Natural));
    let mut tally = Tally::new(grader, seat, None, asks);
    tally.all(scene, line);
    tally.finish(None)
}

/// Whether the work that leads to a number is introduced by a colon: `1 MiB buckets: 2480 × 1.24 ms = 3.08 s`.
fn is_worked_behind_colon(scene: &Scene, line: &Line, number: &Number) -> bool {
    let works = number.chain.is_some_and(|chain| scene.chains[chain].chain.links.iter().any(|link| link.mention.is_none()));
    works && line.text()[line.range.start..number.anchor].trim_end().ends_with(':')
}

/// What it costs to stand outside of all parts: much where the answer is divided into parts, little in a summary.
fn outside(scene: &Scene, line: &Line) -> f32 {
    let divided = || scene.lines.iter().any(|line| !line.parts.is_empty());
    if !line.parts.is_empty() || line.summary || !divided() { 0.0 } else { OUTSIDE }
}

/// What a name that is as good as a symbol has to be worth at least: what is worth less makes nothing of another dimension an
/// answer.
const LOUD: f32 = LEFT_OF_EQUALS;

/// The asks that some words in a line, or its names, may name as surely as a symbol does.
fn loud(line: &Line) -> Vec<usize> {
    let cue = |hit: &Hit, weight: f32| match hit.tag {
        Tag::Cue(ask) if hit.weight * weight >= LOUD => Some(ask),
        _ => None,
    };
    let closest = nearness(Side::Before, Depth::None).max(nearness(Side::After, Depth::None));
    let mut loud: Vec<usize> = line.hits.iter().filter_map(|hit| cue(hit, closest)).collect();
    for name in &line.names {
        loud.extend(name.hits.iter().filter_map(|hit| cue(hit, name.weight)));
        loud.extend(name.asks.iter().filter(|_| SYMBOL_NAME * name.weight >= LOUD));
    }
    loud
}

/// What names mean as symbols, each with where it stands.
fn symbols(grader: &Grader, line: &Line, names: impl IntoIterator<Item = Range<usize>>) -> SmallVec<[(usize, Range<usize>); 4]> {
    let mut named = SmallVec::new();
    for range in names {
        let name = &line.text()[range.clone()];
        for ask in grader.clues.asks_of(name).iter().copied().chain(grader.asks_of_quotient(name)) {
            if !is_part_of_other_words(line, &range, ask) {
                named.push((ask, range.clone()));
            }
        }
    }
    named
}

/// The asks that something may answer where it stands, in their order.
fn asks_at<'a>(grader: &'a Grader, line: &'a Line) -> impl Iterator<Item = usize> + 'a {
    // Nearly all lines belong to one part.
    let part = if let [part] = line.parts.as_slice() { Some(*part) } else { None };
    let of_part = part.map_or(&[][..], |part| grader.asks_of_part[part].as_slice());
    let all = if part.is_some() { 0..0 } else { 0..grader.home.len() };
    of_part.iter().copied().chain(all.filter(|ask| grader.in_part(line, *ask)))
}

/// What the place of a number says for an ask.
fn in_place(home: Spot, spot: Spot, soft: bool) -> f32 {
    if spot.part.is_none() {
        return if home.item.is_some() { UNTOLD_ITEM } else { -0.5 };
    }
    // Only words say where it stands.
    if spot.part != home.part {
        return if spot.item.is_some() && home.item.is_some() { OTHER_TOPIC } else { ELSEWHERE };
    }
    match (spot.item, home.item) {
        (Some(here), Some(wanted)) if here == wanted => 1.5,
        (Some(_), Some(_)) if soft => -OTHER_ITEM,
        (Some(_), Some(_)) => -2.0 * OTHER_ITEM,
        (Some(_), None) => -0.3,
        (None, Some(_)) => 0.0,
        (None, None) => 0.5,
    }
}
