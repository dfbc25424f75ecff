//! All that speaks for one value and against it, collected ask by ask.

use std::ops::Range;

use smallvec::SmallVec;

use crate::answer;
use crate::drill::NameId;
use crate::grade::Grader;
use crate::grade::clues::{Hit, Sign, Tag};
use crate::grade::contrast;
use crate::grade::evidence::near::{Beside, Event, Events, Side, deeper, nearness};
use crate::grade::evidence::shape::Form;
use crate::grade::evidence::{
    BESIDE, By, Evidence, Fit, LEFT_OF_EQUALS, Named, OTHER_ITEM, RIGHT_BEFORE, SYMBOL_NAME, in_place, is_ruled_out,
};
use crate::grade::meant;
use crate::grade::scene::{Depth, Line, Name, Number, Scene, Spot, Standing};
use crate::recognize::Mention;

/// What words are still worth for a number when they stand closer to another one.
const TAKEN: f32 = 0.3;
/// What it costs to stand in a row or column for another setting.
const OTHER_SETTING: f32 = 12.0;
/// What it costs to stand in a column that is not named for an ask, where another one is.
const OTHER_COLUMN: f32 = 3.0;
/// What it costs a value to be the size of a change.
const CHANGE: f32 = 4.0;
/// What the name of a row or column is still worth for a number in running text.
const PROSE_CELL: f32 = 0.5;
/// How far words reach, in things that stand between.
const REACH: usize = 48;

/// Where something stands that may be a value.
pub(super) struct Seat {
    pub(super) block: usize,
    /// Where what leads to it begins.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The bytes of its unit: words in it name it.
    pub(super) unit: Range<usize>,
    pub(super) spot: Spot,
    pub(super) soft: bool,
    /// Whether no label says which part it belongs to.
    pub(super) unlabeled: bool,
    /// The given of which its sentence says that it holds.
    pub(super) setting: Option<NameId>,
    /// Words that it is part of and that are a value as a whole: they name nothing.
    pub(super) told: Vec<Range<usize>>,
    /// Whether it is concluded from what stands before it, so that this does not come between it and its name.
    pub(super) conclusion: bool,
    /// Whether it is the only value that its name leads to.
    pub(super) alone: bool,
    /// Whether work leads to it from what a colon introduces, so that what stands before that need not name the result.
    pub(super) worked: bool,
    /// What it costs to stand outside of all parts, where others stand inside.
    pub(super) outside: f32,
    /// Whether it stands in a row of a table beside rows that are about items.
    pub(super) other_row: bool,
}

/// The evidence for one value while it is collected.
pub(super) struct Tally<'a> {
    pub(super) grader: &'a Grader<'a>,
    pub(super) seat: Seat,
    /// The asks it may answer, with how well its unit goes with them.
    pub(super) asks: SmallVec<[(usize, Fit, Found); 4]>,
    /// Of asks for one quantity, the one that wants it in this kind of unit.
    wanted: Option<usize>,
}

/// What was passed on the way outwards from a value.
#[derive(Default)]
struct Way<'s> {
    /// The numbers that take what lies beyond them for themselves.
    passed: SmallVec<[&'s Number; 4]>,
    /// The asks whose words stand nearer, and where those stand: each makes what stands beyond less telling.
    rivals: SmallVec<[(usize, Range<usize>); 4]>,
}

/// What was found for one ask.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// The strongest words, and the second strongest of other spelling.
    best: f32,
    second: f32,
    against: f32,
    words: Option<Named>,
}

impl Found {
    pub(super) fn add(&mut self, worth: f32, words: Option<Named>) {
        if worth > self.best {
            self.second = self.best;
            self.best = worth;
            self.words = words;
        } else {
            self.second = self.second.max(worth);
        }
    }
}

impl<'a> Tally<'a> {
    /// Nothing found yet, for some asks in their order.
    pub(super) fn new(grader: &'a Grader<'a>, seat: Seat, wanted: Option<usize>, asks: impl Iterator<Item = (usize, Fit)>) -> Tally<'a> {
        Tally { grader, seat, asks: asks.map(|(ask, fit)| (ask, fit, Found::default())).collect(), wanted }
    }

    /// Where an ask stands among those that the value may answer.
    fn place_of(&self, ask: usize) -> Option<usize> {
        let (first, last) = (self.asks.first()?.0, self.asks.last()?.0);
        if !(first..=last).contains(&ask) {
            return None;
        }
        // The asks of a part follow each other, and so do most of those that a value may answer.
        if last - first < self.asks.len() {
            return Some(ask - first);
        }
        self.asks.binary_search_by_key(&ask, |(at, ..)| *at).ok()
    }

    pub(super) fn found(&mut self, ask: usize) -> Option<&mut (usize, Fit, Found)> {
        self.place_of(ask).map(|at| &mut self.asks[at])
    }

    /// What is called by symbols.
    pub(super) fn called(&mut self, named: SmallVec<[(usize, Range<usize>); 4]>, line: &Line, worth: f32, by: By) {
        for (ask, range) in named {
            if let Some((_, _, found)) = self.found(ask) {
                found.add(worth, Some(Named { block: line.block, range, by }));
            }
        }
    }

    /// By how much something changes is not what it comes to, except where an ask may be answered so.
    pub(super) fn change(&mut self, line: &Line, number: &Number) {
        if !number.change {
            return;
        }
        let grader = self.grader;
        let sentence = line.words.sentence_at(number.anchor);
        let labels = |ask: usize| {
            line.hits
                .iter()
                .any(|hit| matches!(hit.tag, Tag::Label(of, _) if of == ask) && line.words.sentence_at(hit.range.start) == sentence)
        };
        let differs = |ask: usize| grader.drill.asks[ask].readings.iter().any(|reading| !reading.label.is_empty()) && labels(ask);
        let asked = |ask: usize| contrast::is_asked_for(line, number, |hit| hit.tag == Tag::Cue(ask));
        for (ask, fit, found) in &mut self.asks {
            if *fit == Fit::Natural && grader.shapes[*ask].form == Form::Measured && !differs(*ask) && !asked(*ask) {
                found.against += CHANGE;
            }
        }
    }

    /// How much more one thing is than another, where an ask compares the two: `by 200.26 ms`, `200.26 ms more`.
    pub(super) fn difference(&mut self, scene: &Scene, line: &Line, number: &Number) {
        const MORE: [&str; 11] = ["more", "larger", "longer", "bigger", "greater", "higher", "slower", "ahead", "mehr", "länger", "größer"];
        let grader = self.grader;
        if number.mention.unit.is_none() || number.standing == Standing::Operand {
            return;
        }
        let after = line.text()[number.mention.range.end..line.range.end].trim_start_matches([' ', ')', '*']);
        let next = after.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        if !number.change && !MORE.contains(&next) {
            return;
        }
        let range =
            if number.change { number.mention.range.clone() } else { number.mention.range.end..line.range.end - after.len() + next.len() };
        let part = self.seat.spot.part.filter(|part| line.parts.as_slice() == [*part]);
        for (ask, fit, found) in self.asks.iter_mut().filter(|(_, fit, _)| *fit == Fit::Other) {
            // Of two terms of the same place, not of then and now.
            let compares = grader.anatomy.quotient(*ask).is_some_and(|(over, under)| {
                let home = |ask: usize| grader.home[ask].part;
                part.is_some() && home(over) == part && home(under) == part && home(*ask) == part
            });
            if compares && *fit == Fit::Other {
                found.add(RIGHT_BEFORE, Some(Named { block: scene.lines[number.line].block, range: range.clone(), by: By::Words }));
            }
        }
    }

    /// The words around it, and those that name its line.
    pub(super) fn all(&mut self, scene: &Scene, line: &Line) {
        self.walk(scene, line, Side::Before);
        self.walk(scene, line, Side::After);
        let share = if is_prose_cell(line) { PROSE_CELL } else { 1.0 };
        for name in &line.names {
            self.header(name, share);
            self.setting(name);
        }
        for (asks, cost) in [(&line.barred, OTHER_SETTING), (&line.outnamed, OTHER_COLUMN)] {
            for ask in asks {
                if let Some((_, _, found)) = self.found(*ask) {
                    found.against += cost;
                }
            }
        }
    }

    /// Looks through the words on one side, outwards, up to the sentence before or the end of its own.
    fn walk(&mut self, scene: &Scene, line: &Line, side: Side) {
        let edge = match side {
            Side::Before => self.seat.start,
            Side::After => self.seat.end,
        };
        let mut way = Way::default();
        if side == Side::After && !self.seat.unit.is_empty() {
            let unit = self.seat.unit.clone();
            let end = self.seat.end;
            for hit in line.hits_from(unit.start).take_while(|hit| hit.range.start < end) {
                if !self.is_about(hit) || self.is_told(hit) {
                    continue;
                }
                let worth = hit.weight * nearness(side, Depth::None);
                match hit.tag {
                    // `1.24 ms per hop` is another quantity, whatever unit it would be without.
                    Tag::NotCue(ask) if line.text()[hit.range.clone()].starts_with("per ") => self.weigh_against(ask, 4.0 * worth),
                    _ => self.weigh(line, hit, worth, &mut way),
                }
            }
        }
        let mut between = 0;
        let mut depth = Depth::None;
        let events = Events::new(scene, line, edge, side);
        // Behind the last words that are about one of its asks nothing tells any more.
        let mut telling = events.nearest_hits(REACH).iter().filter(|hit| self.is_about(hit)).count();
        if telling == 0 {
            return;
        }
        for event in events.take(REACH) {
            match event {
                Event::Break(found) => {
                    depth = deeper(depth, found);
                    if depth == Depth::Far {
                        break;
                    }
                }
                Event::Number(other) => {
                    between += 1;
                    if self.comes_between(other) {
                        way.passed.push(other);
                    }
                }
                Event::Hit(hit) if !self.is_about(hit) => {}
                Event::Hit(hit) => {
                    if !self.is_told(hit) {
                        self.hear(scene, line, side, hit, (depth, between), &mut way);
                    }
                    telling -= 1;
                    if telling == 0 {
                        break;
                    }
                }
            }
        }
    }

    /// Takes in what a phrase says on one side, behind so many numbers and so much that separates.
    fn hear<'s>(&mut self, scene: &'s Scene, line: &Line, side: Side, hit: &Hit, (depth, between): (Depth, i32), way: &mut Way<'s>) {
        let edge = match side {
            Side::Before => self.seat.start,
            Side::After => self.seat.end,
        };
        // What stands in brackets right behind a number is about it.
        let bracketed =
            side == Side::After && depth != Depth::None && line.text()[edge.min(hit.range.start)..hit.range.start].trim() == "(";
        let depth = if bracketed { Depth::None } else { depth };
        let nearness = nearness(side, depth);
        if nearness == 0.0 {
            return;
        }
        // `Adding 1.24 ms of latency gives …` says nothing about what it gives.
        // `Compared with 400 ms of compute, 50.7 %` does: no share is 400 ms.
        let beside = Beside::of(scene, line, hit);
        let held = || {
            let (Tag::Cue(ask) | Tag::NotCue(ask)) = hit.tag else { return false };
            beside
                .before()
                .is_some_and(|number| is_of(line, number.mention.range.end, hit) && self.grader.shapes[ask].fit(&number.mention) > Fit::No)
        };
        if side == Side::Before && line.text()[hit.range.clone()].starts_with("of ") && held() {
            return;
        }
        let taken = beside.is_unit_of_another(hit)
            || match side {
                Side::Before => self.is_hugged(&beside, line, hit) || self.is_tied_back(&beside, line, hit),
                Side::After => self.leads_on(&beside, line, hit) && !self.is_tied_back(&beside, line, hit),
            };
        let worth = hit.weight * if taken { TAKEN } else { 1.0 } * nearness;
        match hit.tag {
            // What rules an ask out has to stand right beside the number.
            Tag::NotCue(ask) => {
                let share = match depth {
                    Depth::None => 1.4,
                    Depth::Mark => 1.0,
                    Depth::Comma => 0.35,
                    _ => 0.0,
                };
                self.weigh_against(ask, worth * share * 0.3_f32.powi(between.min(4)));
            }
            _ => self.weigh(line, hit, worth, way),
        }
    }

    /// Whether a phrase says something about one of the asks that this value may answer.
    fn is_about(&self, hit: &Hit) -> bool {
        matches!(hit.tag, Tag::Cue(ask) | Tag::NotCue(ask) if self.place_of(ask).is_some())
    }

    /// Whether this value is of the kind that an ask wants.
    fn is_wanted_by(&self, ask: usize) -> bool {
        self.place_of(ask).is_some_and(|at| self.asks[at].1 == Fit::Natural)
    }

    /// Whether words are part of those that are a value as a whole.
    fn is_told(&self, hit: &Hit) -> bool {
        self.seat.told.iter().any(|told| told.start < hit.range.end && hit.range.start < told.end)
    }

    /// Whether another number takes what lies beyond it for itself; one in another setting does not: `S* is 16 MB for P = 32
    /// and 128 MB for P = 256`.
    fn comes_between(&self, other: &Number) -> bool {
        let elsewhere = other.setting.is_some() && self.seat.setting.is_some() && other.setting != self.seat.setting;
        other.standing != Standing::Operand && !other.given && !other.past && !other.withdrawn && !other.foreign && !elsewhere
    }

    fn weigh(&mut self, line: &Line, hit: &Hit, worth: f32, way: &mut Way) {
        let Tag::Cue(ask) = hit.tag else { return };
        let Some(at) = self.place_of(ask) else { return };
        let worth = if self.is_part_of_longer(line, hit, ask) { worth * TAKEN } else { worth };
        let shape = &self.grader.shapes[ask];
        let takes = |other: &&&Number| shape.fit(&other.mention) >= Fit::Bare && !is_ruled_out(line, other, ask);
        let between = if self.seat.conclusion { 0 } else { way.passed.iter().filter(takes).count() };
        let nearer = way.rivals.iter().filter(|(rival, at)| *rival != ask && *at != hit.range).count();
        let worth = worth * 0.45_f32.powi(between.min(6) as i32);
        let block = self.seat.block;
        // What nothing here speaks of is no rival.
        let apart = self.seat.spot.part.is_none() && self.grader.home[ask].item.is_some();
        let (_, fit, found) = &mut self.asks[at];
        found.add(worth * 0.7_f32.powi(nearer.min(4) as i32), Some(Named { block, range: hit.range.clone(), by: By::Words }));
        if *fit > Fit::No && !apart && !way.rivals.iter().any(|(rival, _)| *rival == ask) {
            way.rivals.push((ask, hit.range.clone()));
        }
    }

    /// Whether a phrase stands in a longer one for another ask, and in none for its own: `nothing overlaps` is not about what
    /// overlaps.
    fn is_part_of_longer(&self, line: &Line, hit: &Hit, ask: usize) -> bool {
        let mut part = false;
        // It begins where the phrase does, or before it.
        for other in line.hits_on(&hit.range) {
            if other.range.start > hit.range.start {
                break;
            }
            let Tag::Cue(rival) = other.tag else { continue };
            if hit.range.end > other.range.end || other.range.len() == hit.range.len() {
                continue;
            }
            if rival == ask {
                return false;
            }
            part |= self.is_wanted_by(rival);
        }
        part
    }

    /// Where no label says which part is meant, the same words mean the part whose topic the sentence names, or else the first
    /// part that they may mean.
    fn keep_first_part(&self, all: &mut Vec<Evidence>) {
        let part = |ask: usize| self.grader.home[ask].part;
        let rank = |ask: usize| (self.seat.spot.part.is_none() || self.seat.spot.part != part(ask), ask);
        // What the setting of its row or column rules out may be meant by no words.
        let words: Vec<(usize, Option<Range<usize>>)> =
            all.iter().filter(|one| one.named > 0.0).map(|one| (one.ask, one.words.as_ref().map(|words| words.range.clone()))).collect();
        all.retain(|one| {
            let Some(range) = one.words.as_ref().map(|words| &words.range) else { return true };
            !words
                .iter()
                .any(|(other, there)| rank(*other) < rank(one.ask) && part(*other) != part(one.ask) && there.as_ref() == Some(range))
        });
    }

    /// Whether two asks state the same name, in different units.
    fn is_same_quantity(&self, one: usize, other: usize) -> bool {
        let asks = &self.grader.drill.asks;
        asks[one].states.is_some() && asks[one].states == asks[other].states
    }

    fn weigh_against(&mut self, ask: usize, worth: f32) {
        if let Some((_, _, found)) = self.found(ask) {
            found.against = found.against.max(worth);
        }
    }

    /// The words of a heading, of the name of a row or column, of a key.
    fn header(&mut self, name: &Name, share: f32) {
        let grader = self.grader;
        let by_symbol = name.asks.iter().map(|ask| (*ask, SYMBOL_NAME, 0..name.text.len(), false));
        let by_words = name.hits.iter().filter_map(|hit| match hit.tag {
            Tag::Cue(ask) => Some((ask, hit.weight, hit.range.clone(), false)),
            Tag::NotCue(ask) => Some((ask, hit.weight, hit.range.clone(), true)),
            _ => None,
        });
        // A factor in the row of `t_lat` is the one by which that grew.
        let grown = |ask: usize| {
            let quotients = self.asks.iter().filter(move |(_, fit, _)| *fit == Fit::Natural).map(|(other, ..)| *other);
            quotients.filter(move |other| {
                grader.shapes[*other].is_factor() && grader.anatomy.quotient(*other).is_some_and(|(over, _)| over == ask)
            })
        };
        let by_growth: Vec<(usize, f32, Range<usize>, bool)> = by_symbol
            .clone()
            .flat_map(|(ask, weight, range, _)| grown(ask).map(move |other| (other, weight, range.clone(), false)))
            .collect();
        for (ask, weight, range, against) in by_symbol.chain(by_words).chain(by_growth) {
            let worth = weight * name.weight * share;
            let place = name.place.as_ref().map(|(block, _)| (*block, range));
            if let Some((_, _, found)) = self.found(ask) {
                if against {
                    // What stands above many lines says little against one of them: `At 256 GPUs:`.
                    let share = if name.weight < BESIDE { 0.2 } else { 1.0 };
                    found.against = found.against.max(worth * share);
                } else {
                    found.add(worth, place.map(|(block, range)| Named { block, range, by: By::Header }));
                }
            }
        }
    }

    /// What the name of a row or column says about the setting: a value at `P = 32` is none for 256 ranks, and one `before` a
    /// change none for after it.
    pub(super) fn setting(&mut self, name: &Name) {
        // What a factor compares are both settings: `compared to 32 GPUs`.
        let compares = name.column && name.hits.iter().any(|hit| hit.tag == Tag::Sign(Sign::Growth));
        if !compares {
            self.settings(&name.givens, OTHER_SETTING);
        }
        // `before`, `first try`, `ChatGPT`
        let other = |hit: &Hit| matches!(hit.tag, Tag::Sign(Sign::Past | Sign::Naive | Sign::Hearsay));
        let past = name.hits.iter().any(other) && name.text.len() < 24;
        // Where the very word is what an ask is called by, that is what it says: `the state before`.
        let overlap = |a: &Hit, b: &Hit| a.range.start < b.range.end && b.range.start < a.range.end;
        let word = |cue: &Hit| name.hits.iter().any(|hit| other(hit) && overlap(hit, cue));
        let asked = |ask: usize| name.hits.iter().any(|hit| hit.tag == Tag::Cue(ask) && word(hit));
        for (_, _, found) in self.asks.iter_mut().filter(|(ask, ..)| past && !asked(*ask)) {
            found.against += OTHER_SETTING;
        }
    }

    /// Rules out the asks that need another given than one of these in its place.
    pub(super) fn settings(&mut self, givens: &[NameId], cost: f32) {
        if givens.is_empty() {
            return;
        }
        let drill = self.grader.drill;
        for (ask, _, found) in &mut self.asks {
            let needs = &drill.asks[*ask].needs;
            let other = givens.iter().any(|given| {
                let noun = &drill.names[given.0].noun;
                let rival = |other: &NameId| *other != *given && noun.is_some() && drill.names[other.0].noun == *noun;
                // Of two that it compares, an ask stands with the one that its part is about.
                let about = |name: NameId| self.grader.is_about(*ask, name);
                needs.iter().filter(rival).any(|rival| !needs.contains(*given) || about(rival) && !about(*given))
            });
            if other {
                found.against += cost;
            }
        }
    }

    pub(super) fn finish(mut self, mention: Option<&Mention>) -> Vec<Evidence> {
        let mut all: Vec<Evidence> = Vec::with_capacity(self.asks.len());
        let fitting = self.asks.iter().any(|(_, fit, found)| *fit > Fit::No && found.best >= LEFT_OF_EQUALS);
        for (ask, fit, found) in std::mem::take(&mut self.asks) {
            let counts = || self.grader.shapes[ask].form == Form::Count && self.seat.worked && mention.is_some_and(meant::is_measured);
            let by_symbol = self.seat.alone && found.best >= LEFT_OF_EQUALS && !fitting && !counts();
            if fit == Fit::No && !by_symbol {
                continue;
            }
            let share = if fit == Fit::No { 0.3 } else { fit.share() };
            let elsewhere = self.wanted.is_some_and(|wanted| wanted != ask && self.is_same_quantity(wanted, ask));
            let share = if elsewhere { share * 0.3 } else { share };
            let other_row = self.seat.other_row && self.grader.drill.asks[ask].item.is_some();
            let place = in_place(self.grader.home[ask], self.seat.spot, self.seat.soft) + self.seat.outside
                - if other_row { OTHER_ITEM } else { 0.0 };
            let shape = &self.grader.shapes[ask];
            let unit = mention.map_or(0.0, |mention| shape.unit_evidence(mention));
            let named = (found.best + 0.4 * found.second - 0.9 * found.against) * share + place.min(0.0);
            all.push(Evidence { ask, score: named + place.max(0.0) + unit * share, named, fit, words: found.words });
        }
        if self.seat.unlabeled {
            self.keep_first_part(&mut all);
        }
        all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.ask.cmp(&b.ask)));
        all
    }
}

/// Whether words say of what a number is that ends at a place: the `latency` of `1.24 ms of latency`.
pub(super) fn is_of(line: &Line, end: usize, hit: &Hit) -> bool {
    let Some(gap) = line.text().get(end..hit.range.start) else { return false };
    match gap.trim() {
        "" => line.text()[hit.range.clone()].starts_with("of "),
        "of" | "of the" => true,
        _ => false,
    }
}

/// Whether a cell of a table holds running text, in which numbers are about many things.
fn is_prose_cell(line: &Line) -> bool {
    const FEWEST_WORDS: usize = 9;
    let words = || line.words.within(&line.range).iter().filter(|word| word.is_word()).count();
    matches!(line.source.role, answer::Role::Cell { header: false, .. }) && words() >= FEWEST_WORDS
}
