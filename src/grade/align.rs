//! Decides which number answers which ask, by evidence: what names it, where it stands, its unit. Never by its value.

mod conflicts;
mod foreign;
mod unnamed;
mod worded;
mod worked;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::grade::Grader;
use crate::grade::clues::{Sign, Tag};
use crate::grade::evidence::{self, By, Evidence, Fit, NAMED, Named};
use crate::grade::lists::{self, Pair};
use crate::grade::scene::{How, Number, Scene, Spoken, Standing};
use crate::quantity::Number as Value;
use crate::recognize::{Mention, Reading};

/// What an answer says for each ask, and what each of its numbers is.
#[derive(Debug)]
pub(super) struct Alignment {
    /// By ask.
    pub(super) choices: Vec<Choice>,
    /// By number of the scene.
    pub(super) taken: Vec<Taken>,
    /// By number of the scene: what speaks for it, for each ask that it may answer.
    pub(super) evidence: Vec<Vec<Evidence>>,
    /// The asks whose value nothing names, and that their place states first and plainly, whatever is said later.
    pub(super) stated_first: BTreeSet<usize>,
}

/// What an answer says for one ask.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    /// Nothing.
    Missing,
    /// One value, by what names it.
    One(usize),
    /// One value that nothing names, the only one that may be meant.
    Only(usize),
    /// Values that exclude each other, and nothing says which one is meant; in the order of the text.
    Several(Vec<usize>),
    /// Values that nothing names, and that other asks of the part may claim as well.
    Unnamed(Unnamed),
    /// Words that are a value.
    Words(Wording),
}

/// Values of a part that nothing names.
#[derive(Clone, Debug)]
pub(super) struct Unnamed {
    /// The numbers that the ask may have.
    pub(super) numbers: Vec<usize>,
    /// Whether they stand in a line of nothing but numbers.
    pub(super) bare: bool,
    /// The number whose place among them is the ask's place among the asks.
    pub(super) in_order: Option<usize>,
    /// Which group of asks shares them.
    pub(super) group: usize,
}

/// Words that are a value of an ask.
#[derive(Clone, Debug)]
pub(super) struct Wording {
    /// The line.
    pub(super) line: usize,
    /// The bytes of its passage.
    pub(super) range: Range<usize>,
    /// What they say.
    pub(super) tag: Tag,
    /// What names them.
    pub(super) named: f32,
}

/// What a number is.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    /// For what.
    pub(super) role: Role,
    /// The words that said so.
    pub(super) words: Option<Named>,
    /// How well its unit goes with the ask.
    pub(super) fit: Option<Fit>,
}

/// What a number may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing that is asked.
    #[default]
    Aside,
    /// The value of an ask.
    Answer(usize),
    /// One of several values of an ask that exclude each other.
    Candidate(usize),
    /// The value of an ask again.
    Restatement(usize),
    /// A value of an ask that another one replaced.
    Replaced(usize),
    /// A given, as a place in the drill's names.
    Given(usize),
    /// A step on the way.
    Step,
    /// The value of another ask, used again.
    Reused(usize),
    /// Taken back.
    Withdrawn,
}

/// A value this much weaker named than the strongest does not contradict it.
const RIVAL: f32 = 0.72;
/// From how much on a value that equals a given counts as named.
const NAMED_GIVEN: f32 = 3.0;
/// How much a value that equals a given counts: it is likely that given.
const AS_GIVEN: f32 = 0.45;

/// What a place in a list of values beside a list of names is worth.
const IN_LIST: f32 = 8.0;

/// Aligns an answer with the asks of its drill.
pub(super) fn align(scene: &Scene, grader: &Grader) -> Alignment {
    let mut table = Table::new(scene, grader);
    table.give_named();
    table.yield_to_values();
    table.settle_conflicts();
    table.give_sums();
    table.give_own_work();
    let worded = table.worded();
    table.give_words(&worded, false);
    table.give_unnamed();
    table.give_words(&worded, true);
    table.give_operands();
    table.report_foreign();
    table.note_replaced();
    table.recognize_the_rest();
    table.done()
}

struct Table<'a> {
    scene: &'a Scene<'a>,
    grader: &'a Grader<'a>,
    /// By number: what speaks for it.
    evidence: Vec<Vec<Evidence>>,
    /// By number: about where it lies, with what it was rounded to.
    reaches: Vec<[f64; 2]>,
    /// By number: the given whose value it has.
    givens: Vec<Option<usize>>,
    choices: Vec<Choice>,
    taken: Vec<Taken>,
    /// By ask: the further numbers that are named for it.
    further: Vec<Vec<usize>>,
    /// The asks whose value their place states first and plainly.
    stated_first: BTreeSet<usize>,
}

/// That a number is named for an ask.
struct Claim {
    /// What has the value of a given is likely that, and answers only what nothing else does.
    given: bool,
    /// A form in which an ask is seldom answered counts last: `1 MiB buckets: 3.277` is no number of buckets.
    odd: bool,
    score: f32,
    number: usize,
    ask: usize,
}

impl<'a> Table<'a> {
    fn new(scene: &'a Scene<'a>, grader: &'a Grader<'a>) -> Table<'a> {
        let givens: Vec<Option<usize>> =
            scene.numbers.iter().map(|number| number.given.then(|| grader.given_with_value(&number.mention)).flatten()).collect();
        let mut evidence: Vec<Vec<Evidence>> = Vec::with_capacity(scene.numbers.len());
        for (at, number) in scene.numbers.iter().enumerate() {
            let silent = number.past || number.dead;
            let mut found = if silent { Vec::new() } else { evidence::of_number(scene, grader, number) };
            for one in &mut found {
                let factor = number.multiple && grader.shapes[one.ask].is_factor();
                one.temper(number, factor, givens[at].is_some() && !is_called_right_before(scene, number, one));
            }
            // An alternative is named by what names the value it stands beside, and so is what follows from that.
            if let Some(other) =
                number.alternative_to.or(number.follows).or(number.corrects.filter(|_| !foreign::has_own_name(scene, at, &found)))
                && other < at
            {
                let mut names = evidence[other].clone();
                if number.corrects == Some(other) {
                    names.truncate(1);
                    // What it stands in the place of, it stands for, whatever its reasons speak of.
                    if let Some(corrected) = names.first().filter(|known| known.named >= NAMED).map(|known| known.ask) {
                        for one in found.iter_mut().filter(|one| one.ask != corrected && one.named > 0.0) {
                            one.named *= worked::PIECES;
                            one.score *= worked::PIECES;
                        }
                    }
                }
                // `50.7 % of the compute or 33.6 % of the step`, `66.4 % (exposed) or 100 % (overlapped)`: it has words of its own
                // behind it.
                let own = |one: &Evidence| {
                    let behind = |words: &Named| words.by == By::Words && words.range.start >= number.mention.range.end;
                    number.alternative_to.is_some() && one.words.as_ref().is_some_and(behind)
                };
                let apart = found.iter().filter(|one| one.named >= NAMED && own(one)).max_by(|a, b| a.named.total_cmp(&b.named));
                let apart = apart.map(|one| one.ask);
                for known in names.iter().filter(|known| known.named >= NAMED && apart.is_none_or(|ask| ask == known.ask)) {
                    match found.iter_mut().find(|one| one.ask == known.ask) {
                        Some(one) if one.named < known.named && !own(one) => {
                            one.named = known.named * 0.95;
                            one.score = one.score.max(known.score * 0.95);
                            one.words.clone_from(&known.words);
                        }
                        _ => {}
                    }
                }
            }
            found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.ask.cmp(&b.ask)));
            if let Some(goes_on) = number.goes_on {
                let last = evidence.len() - 1;
                worked::go_on(grader, &number.mention, &mut evidence[goes_on.from], &mut found, goes_on.how);
                // Both that are added are steps.
                if goes_on.how == How::Added && goes_on.from < last && scene.numbers[last].line == number.line {
                    worked::go_on(grader, &number.mention, &mut evidence[last], &mut found, goes_on.how);
                }
            }
            evidence.push(found);
        }
        let sums = worked::results_of_sums(scene, grader, &evidence).into_iter().chain(worked::shares(scene, grader, &evidence));
        let sums: Vec<Pair> = sums.collect();
        for pair in lists::pairs(scene, grader)
            .into_iter()
            .chain(lists::headlines(scene, grader))
            .chain(lists::of_a_kind(scene, grader))
            .chain(sums)
        {
            pair_up(&mut evidence[pair.number], &pair);
        }
        for (at, found) in evidence.iter_mut().enumerate() {
            worked::by_work(scene, grader, &scene.numbers[at], found);
        }
        worked::join_forms(scene, grader, &mut evidence);
        let asks = grader.drill.asks.len();
        Table {
            scene,
            grader,
            evidence,
            reaches: scene.numbers.iter().map(|number| reach(&number.mention)).collect(),
            givens,
            choices: vec![Choice::Missing; asks],
            taken: vec![Taken::default(); scene.numbers.len()],
            further: vec![Vec::new(); asks],
            stated_first: BTreeSet::new(),
        }
    }

    /// Gives each ask the number that is best named for it; a number answers one ask.
    fn give_named(&mut self) {
        let mut claims: Vec<Claim> = Vec::new();
        for (number, found) in self.evidence.iter().enumerate() {
            if self.scene.numbers[number].withdrawn || self.scene.numbers[number].foreign {
                continue;
            }
            let given = self.scene.numbers[number].given;
            let bare = self.scene.numbers[number].mention.unit.is_none();
            let claim = |one: &Evidence| {
                let odd = bare && one.fit == Fit::Odd && !self.grader.drill.asks[one.ask].required;
                Claim { given, odd, score: one.score, number, ask: one.ask }
            };
            let enough = if given { NAMED_GIVEN } else { NAMED };
            claims.extend(found.iter().filter(|one| one.named >= enough).map(claim));
        }
        claims.sort_by(|a, b| {
            let by_kind = (a.given, a.odd).cmp(&(b.given, b.odd));
            by_kind.then(b.score.total_cmp(&a.score)).then((a.number, a.ask).cmp(&(b.number, b.ask)))
        });
        for Claim { number, ask, .. } in &claims {
            let best = self.evidence[*number].first().map_or(0.0, |best| best.score);
            // What is better named for another ask goes there, unless a better one was found for that and this one is demanded.
            let first = self.evidence[*number].first().map(|best| best.ask);
            let outdone = self.grader.drill.asks[*ask].required
                && self.scene.numbers[*number].alternative_to.is_none_or(|other| self.agree(other, *number))
                && first.is_some_and(|first| matches!(self.choices[first], Choice::One(other) if other != *number));
            let likely = outdone || self.score(*number, *ask) >= RIVAL * best;
            if likely && self.taken[*number].role == Role::Aside && matches!(self.choices[*ask], Choice::Missing) {
                self.choices[*ask] = Choice::One(*number);
                self.take(*number, Role::Answer(*ask));
            }
        }
        // One value may be said of two things in the same words: `everything grows by 8x`.
        for ask in 0..self.choices.len() {
            let shared = |number: &usize| self.is_said_of(*number, ask);
            if matches!(self.choices[ask], Choice::Missing)
                && let Some(number) = (0..self.taken.len()).find(shared)
            {
                self.choices[ask] = Choice::One(number);
            }
        }
        for Claim { number, ask, .. } in claims {
            if self.taken[number].role == Role::Aside && self.evidence[number].first().is_some_and(|best| best.ask == ask) {
                self.further[ask].push(number);
            }
        }
    }

    /// Whether the very words that gave a number to an ask name another ask as well, and its sentence speaks of several things.
    fn is_said_of(&self, number: usize, ask: usize) -> bool {
        let (Role::Answer(other), Some(words)) = (self.taken[number].role, &self.taken[number].words) else { return false };
        let found = |ask: usize| self.evidence[number].iter().find(|one| one.ask == ask);
        let (Some(one), Some(first)) = (found(ask), found(other)) else { return false };
        let same = one.words.as_ref().is_some_and(|own| own.range == words.range && own.block == words.block);
        let as_well = same && one.named >= NAMED && (one.score - first.score).abs() < 1e-3 && one.fit == first.fit;
        if !as_well {
            return false;
        }
        let here = &self.scene.numbers[number];
        let line = &self.scene.lines[here.line];
        let sentence = line.words.sentences().get(line.words.sentence_at(here.anchor)).cloned().unwrap_or_default();
        line.sign_in(Sign::Together, sentence)
    }

    /// Names what is left: givens, values of other asks used again, steps.
    fn recognize_the_rest(&mut self) {
        let chosen = self.chosen();
        for number in 0..self.taken.len() {
            if let Some(role) = self.what_else(number, &chosen) {
                self.take(number, role);
            }
        }
    }

    /// The asks that have one value, with that.
    fn chosen(&self) -> Vec<(usize, usize)> {
        let value = |(ask, choice): (usize, &Choice)| match choice {
            Choice::One(answer) | Choice::Only(answer) => Some((ask, *answer)),
            _ => None,
        };
        self.choices.iter().enumerate().filter_map(value).collect()
    }

    /// What a number is that answers nothing, where asks are answered by these.
    fn what_else(&self, number: usize, chosen: &[(usize, usize)]) -> Option<Role> {
        let here = &self.scene.numbers[number];
        if self.taken[number].role != Role::Aside {
            return None;
        }
        if here.withdrawn {
            return Some(Role::Withdrawn);
        }
        if let Some(given) = self.givens[number] {
            return Some(Role::Given(given));
        }
        let operand = here.standing == Standing::Operand;
        let again = chosen
            .iter()
            .find(|(_, answer)| *answer != number && (self.agree(*answer, number) || operand && self.same_digits(*answer, number)));
        match again {
            Some((ask, _)) => Some(Role::Reused(*ask)),
            None => operand.then_some(Role::Step),
        }
    }

    fn done(self) -> Alignment {
        Alignment { choices: self.choices, taken: self.taken, evidence: self.evidence, stated_first: self.stated_first }
    }

    fn take(&mut self, number: usize, role: Role) {
        let ask = match role {
            Role::Answer(ask) | Role::Candidate(ask) | Role::Restatement(ask) | Role::Replaced(ask) => Some(ask),
            _ => None,
        };
        let evidence = ask.and_then(|ask| self.evidence[number].iter().find(|one| one.ask == ask));
        self.taken[number] = Taken { role, words: evidence.and_then(|one| one.words.clone()), fit: evidence.map(|one| one.fit) };
    }

    fn score(&self, number: usize, ask: usize) -> f32 {
        self.evidence[number].iter().find(|one| one.ask == ask).map_or(0.0, |one| one.score)
    }

    fn named(&self, number: usize, ask: usize) -> f32 {
        self.evidence[number].iter().find(|one| one.ask == ask).map_or(0.0, |one| one.named)
    }

    fn agree(&self, one: usize, other: usize) -> bool {
        // Nearly all values are far from each other.
        let ([low, high], [from, to]) = (self.reaches[one], self.reaches[other]);
        low <= to && from <= high && agree(&self.scene.numbers[one].mention, &self.scene.numbers[other].mention)
    }
}

/// A number in a list is named by the name in the same place of the list of names, and by none of the others.
fn pair_up(evidence: &mut [Evidence], pair: &Pair) {
    let best = evidence.iter().filter(|one| pair.own.contains(&one.ask)).map(|one| one.fit).max();
    for one in evidence.iter_mut() {
        if pair.own.contains(&one.ask) && Some(one.fit) == best && one.fit >= Fit::Odd {
            one.named = one.named.max(0.0) + IN_LIST;
            one.score = one.score.max(0.0) + IN_LIST;
        } else if pair.others.contains(&one.ask) {
            one.named -= IN_LIST;
            one.score -= IN_LIST;
        }
    }
    evidence.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.ask.cmp(&b.ask)));
}

/// Whether a cue stands right before a bare number: `batch 256`.
fn is_called_right_before(scene: &Scene, number: &Number, one: &Evidence) -> bool {
    let Some(words) = one.words.as_ref().filter(|_| number.mention.unit.is_none() && number.mention.noun.is_none()) else { return false };
    let line = &scene.lines[number.line];
    let gap = line.text().get(words.range.end..number.anchor);
    words.block == line.block && words.by == By::Words && gap.is_some_and(|gap| !gap.is_empty() && gap.trim().is_empty())
}

impl Evidence {
    /// Makes less of what the surroundings make doubtful, and more of what they stress.
    fn temper(&mut self, number: &Number, factor: bool, given: bool) {
        let by_symbol = self.words.as_ref().is_some_and(|words| words.by == By::Symbol);
        let mut share = match number.spoken {
            Spoken::No | Spoken::Predicate => 1.0,
            // `by a factor of eight`
            Spoken::Whole if factor => 1.0,
            Spoken::Part => 0.6,
            Spoken::Whole => 0.2,
        };
        if given && !by_symbol {
            share *= AS_GIVEN;
        }
        if number.compared {
            share *= 0.5;
        }
        self.named *= if self.named > 0.0 { share } else { 1.0 };
        self.score *= if self.score > 0.0 { share } else { 1.0 };
        if number.conclusion || number.strong {
            self.score += 0.6;
        }
        if number.correction {
            self.score += 6.0;
        }
    }
}

/// All that a number may state, each reading with its last place on either side: what agrees with it comes as near.
fn reach(mention: &Mention) -> [f64; 2] {
    mention.readings.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], reading| {
        let (value, place) = (reading.value.to_f64(), reading.written.last_place.to_f64().abs());
        let place = place + 1e-9 * value.abs();
        [low.min(value - place), high.max(value + place)]
    })
}

/// Whether two numbers state one value, each as exactly as it is written.
pub(super) fn agree(one: &Mention, other: &Mention) -> bool {
    one.readings.iter().any(|a| other.readings.iter().any(|b| same_value(a, b)))
}

/// As a share of the one, two values that agree are at most this far apart.
const MOST_APART: f64 = 0.2;

fn same_value(a: &Reading, b: &Reading) -> bool {
    // A look at the floats first: nearly all values are far from each other.
    let reach = a.written.last_place.to_f64().max(b.written.last_place.to_f64());
    let (one, other) = (a.value.to_f64(), b.value.to_f64());
    let off = (one - other).abs();
    if off > reach {
        return false;
    }
    let dimension = |reading: &Reading| reading.unit.as_ref().map(|unit| unit.dimension).unwrap_or_default();
    if dimension(a) != dimension(b) || a.high.is_some() != b.high.is_some() {
        return false;
    }
    if a.unit.as_ref().zip(b.unit.as_ref()).is_some_and(|(a, b)| !a.is_comparable(b)) {
        return false;
    }
    // One figure says little: 1 is not 0.664.
    let most = (reach / 2.0).min(MOST_APART * one.abs());
    let slack = 1e-9 * (one.abs() + other.abs());
    if (off - most).abs() > slack {
        return off < most;
    }
    let (one, other) = (a.written.last_place, b.written.last_place);
    let wider = if one > other { one } else { other } / Value::from(2);
    let most = a.value.abs() * Value::decimal(2, -1);
    (a.value - b.value).abs() <= if wider < most { wider } else { most }
}
