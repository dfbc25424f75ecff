//! Decides which number answers which ask, by evidence: what names it, where it stands, its unit. Never by its value.

mod foreign;
mod unnamed;
mod worded;
mod worked;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::answer;
use crate::drill::AskKind;
use crate::grade::Grader;
use crate::grade::clues::{Sign, Tag};
use crate::grade::evidence::{self, By, Evidence, Fit, NAMED, Named};
use crate::grade::lists::{self, Pair};
use crate::grade::scene::{Number, Scene, Spoken, Standing};
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
/// A conclusion may be this much weaker named than what it was concluded from.
const LED_TO: f32 = 0.4;
/// How much a value that equals a given counts: it is likely that given.
const AS_GIVEN: f32 = 0.45;

/// The name of a column that says an ask by this share more of its words is that ask's.
const BETTER_HEADER: f32 = 0.3;
/// So many values of one kind, each at the head of a line, are a series.
const FEWEST_IN_SERIES: usize = 3;
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
    table.give_words(false);
    table.give_unnamed();
    table.give_words(true);
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
    /// By number: the given whose value it has.
    givens: Vec<Option<usize>>,
    choices: Vec<Choice>,
    taken: Vec<Taken>,
    /// By ask: the further numbers that are named for it.
    further: Vec<Vec<usize>>,
    /// The asks whose value their place states first and plainly.
    stated_first: BTreeSet<usize>,
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
                one.temper(number, givens[at].is_some() && !is_called_right_before(scene, number, one));
            }
            // An alternative is named by what names the value it stands beside, and so is what follows from that.
            if let Some(other) =
                number.alternative_to.or(number.follows).or(number.corrects.filter(|_| !foreign::has_own_name(scene, at, &found)))
                && other < at
            {
                let mut names = evidence[other].clone();
                if number.corrects == Some(other) {
                    names.truncate(1);
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
                worked::go_on(grader, &number.mention, &mut evidence[goes_on.from], &mut found, goes_on.how);
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
            givens,
            choices: vec![Choice::Missing; asks],
            taken: vec![Taken::default(); scene.numbers.len()],
            further: vec![Vec::new(); asks],
            stated_first: BTreeSet::new(),
        }
    }

    /// Gives each ask the number that is best named for it; a number answers one ask.
    fn give_named(&mut self) {
        let mut claims: Vec<(f32, usize, usize)> = Vec::new();
        for (number, found) in self.evidence.iter().enumerate() {
            if self.scene.numbers[number].withdrawn || self.scene.numbers[number].foreign {
                continue;
            }
            let enough = if self.scene.numbers[number].given { NAMED_GIVEN } else { NAMED };
            claims.extend(found.iter().filter(|one| one.named >= enough).map(|one| (one.score, number, one.ask)));
        }
        // What has the value of a given is likely that, and answers only what nothing else does.
        let given = |number: usize| self.scene.numbers[number].given;
        // A form in which an ask is seldom answered counts last: `1 MiB buckets: 3.277` is no number of buckets.
        let odd = |number: usize, ask: usize| {
            let one = self.evidence[number].iter().find(|one| one.ask == ask);
            let bare = self.scene.numbers[number].mention.unit.is_none();
            bare && !self.grader.drill.asks[ask].required && one.is_some_and(|one| one.fit == Fit::Odd)
        };
        claims.sort_by(|a, b| {
            given(a.1)
                .cmp(&given(b.1))
                .then(odd(a.1, a.2).cmp(&odd(b.1, b.2)))
                .then(b.0.total_cmp(&a.0))
                .then(a.1.cmp(&b.1))
                .then(a.2.cmp(&b.2))
        });
        for (_, number, ask) in &claims {
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
        for (_, number, ask) in claims {
            if self.taken[number].role == Role::Aside && self.evidence[number].first().is_some_and(|best| best.ask == ask) {
                self.further[ask].push(number);
            }
        }
    }

    /// Whether the very words that gave a number to an ask name another ask as well, and its sentence speaks of several things.
    fn is_said_of(&self, number: usize, ask: usize) -> bool {
        let (Role::Answer(other), Some(words)) = (self.taken[number].role, &self.taken[number].words) else { return false };
        let here = &self.scene.numbers[number];
        let line = &self.scene.lines[here.line];
        let sentence = line.words.sentences().get(line.words.sentence_at(here.anchor)).cloned().unwrap_or_default();
        if !line.sign_in(Sign::Together, sentence) {
            return false;
        }
        let found = |ask: usize| self.evidence[number].iter().find(|one| one.ask == ask);
        let (Some(one), Some(first)) = (found(ask), found(other)) else { return false };
        let same = one.words.as_ref().is_some_and(|own| own.range == words.range && own.block == words.block);
        same && one.named >= NAMED && (one.score - first.score).abs() < 1e-3 && one.fit == first.fit
    }

    /// What words name without a unit, a single digit or a word, is no value where one with its unit stands right behind the
    /// label, or in the same sentence: `2. 6.3 %, the states are cut in 8`, `one half of an all-reduce: 25.3 %`.
    fn yield_to_values(&mut self) {
        for ask in 0..self.choices.len() {
            let Choice::One(number) = self.choices[ask] else { continue };
            let here = &self.scene.numbers[number];
            let by_words = self.taken[number].words.as_ref().is_some_and(|words| words.by == By::Words);
            let mention = &here.mention;
            let bare = mention.unit.is_none() && (mention.number.len() == 1 || here.spoken != Spoken::No);
            if !by_words || !bare || here.standing == Standing::Member || !self.grader.shapes[ask].is_share() {
                continue;
            }
            let line = &self.scene.lines[here.line];
            let sentence = |at: usize| line.words.sentence_at(self.scene.numbers[at].anchor);
            let better = line.numbers.clone().find(|other| {
                let there = &self.scene.numbers[*other];
                let natural = self.evidence[*other].iter().any(|one| one.ask == ask && one.fit == Fit::Natural && one.named > -2.0);
                let own =
                    !(there.past || there.dead || there.withdrawn || there.foreign || there.supposed || there.change || there.yardstick);
                let stated = matches!(there.standing, Standing::Free | Standing::End);
                let free = self.taken[*other].role == Role::Aside && stated && own && !there.given;
                let placed = self.grader.leads(self.scene, *other) || sentence(*other) == sentence(number) && *other > number;
                free && natural && placed && there.spot == here.spot && there.mention.unit.is_some() && there.spoken == Spoken::No
            });
            if let Some(better) = better
                && !self.agree(number, better)
            {
                self.take(number, Role::Aside);
                self.further[ask].retain(|other| *other != better);
                self.choices[ask] = Choice::One(better);
                self.take(better, Role::Answer(ask));
            }
        }
    }

    /// An ask with several numbers: which one is meant, if any?
    fn settle_conflicts(&mut self) {
        for ask in 0..self.choices.len() {
            let Choice::One(first) = self.choices[ask] else { continue };
            let mut rivals: Vec<usize> = Vec::new();
            let mut further = std::mem::take(&mut self.further[ask]);
            further.sort_unstable();
            let (first, further) = self.without_sweeps(ask, first, further);
            let (chosen, further) = self.without_said_before(ask, first, further);
            let mut chosen = chosen;
            // Every form in which the chosen value stands.
            let mut forms = vec![chosen];
            for other in further {
                if self.agree(chosen, other) && !self.are_alternatives_apart(chosen, other) {
                    let better = self.says_more(ask, other, chosen);
                    let (first, second) = if better { (other, chosen) } else { (chosen, other) };
                    self.take(second, Role::Restatement(ask));
                    chosen = first;
                    forms.push(other);
                    continue;
                }
                let preferred = match self.prefer(ask, chosen, other) {
                    Preference::Neither if forms.iter().any(|form| self.is_beaten_in_its_row(ask, *form, other)) => Preference::First,
                    preferred => preferred,
                };
                match preferred {
                    Preference::First => self.take(other, if self.replaces(chosen, other) { Role::Replaced(ask) } else { Role::Aside }),
                    Preference::Second => {
                        self.take(chosen, Role::Replaced(ask));
                        chosen = other;
                        forms = vec![other];
                    }
                    Preference::Neither => rivals.push(other),
                }
            }
            chosen = self.in_digits(chosen);
            rivals.retain(|other| *other != chosen && (!self.agree(chosen, *other) || self.are_alternatives_apart(chosen, *other)));
            if rivals.is_empty() {
                self.take(chosen, Role::Answer(ask));
                self.choices[ask] = Choice::One(chosen);
            } else {
                rivals.push(chosen);
                rivals.sort_unstable();
                for number in &rivals {
                    self.take(*number, Role::Candidate(ask));
                }
                self.choices[ask] = Choice::Several(rivals);
            }
        }
    }

    /// Without the values of a series that a program tried, where another one is named as well: `8 MiB`, `16 MiB`, `64 MiB` in
    /// the lines of a printed table.
    fn without_sweeps(&mut self, ask: usize, first: usize, further: Vec<usize>) -> (usize, Vec<usize>) {
        let by_unit = |number: &usize| {
            let line = &self.scene.lines[self.scene.numbers[*number].line];
            line.source.printed && self.is_named_by_its_unit(*number, ask)
        };
        let all = || std::iter::once(first).chain(further.iter().copied());
        let opens = |number: &usize| {
            let here = &self.scene.numbers[*number];
            let line = &self.scene.lines[here.line];
            let text = line.text();
            let before = text[..here.anchor].rsplit('\n').next().unwrap_or_default();
            before.trim().is_empty() && line.numbers.clone().any(|other| other > *number)
        };
        let series: Vec<usize> = all().filter(by_unit).filter(opens).collect();
        let rest: Vec<usize> = all().filter(|number| !series.contains(number)).collect();
        if series.len() < FEWEST_IN_SERIES || rest.is_empty() {
            return (first, further);
        }
        for number in series {
            self.take(number, Role::Aside);
        }
        let best =
            rest.iter().copied().fold(rest[0], |best, other| if self.score(other, ask) > self.score(best, ask) { other } else { best });
        (best, rest.into_iter().filter(|number| *number != best).collect())
    }

    /// Without the values that were stated before and that an ask is worked out from, where anything else is named for it: the
    /// `1.24 ms` of `every one pays its 1.24 ms: 3.28 s`.
    fn without_said_before(&mut self, ask: usize, first: usize, further: Vec<usize>) -> (usize, Vec<usize>) {
        let (again, mut fresh): (Vec<usize>, Vec<usize>) =
            std::iter::once(first).chain(further.iter().copied()).partition(|number| self.is_said_before(*number, ask));
        if again.is_empty() || fresh.is_empty() {
            return (first, further);
        }
        for number in again {
            self.take(number, Role::Aside);
        }
        let best = if fresh.contains(&first) {
            first
        } else {
            fresh.iter().copied().fold(fresh[0], |best, other| if self.score(other, ask) > self.score(best, ask) { other } else { best })
        };
        fresh.retain(|number| *number != best);
        (best, fresh)
    }

    /// Whether a measured number is, to all its figures, the answer to an ask of another part that this one is worked out from.
    fn is_said_before(&self, number: usize, ask: usize) -> bool {
        let here = &self.scene.numbers[number].mention;
        let measured = here.readings.first().is_some_and(|reading| {
            reading.unit.as_ref().is_some_and(|unit| !unit.dimension.is_none()) && reading.written.figures.least > 2
        });
        let asks = &self.grader.drill.asks;
        measured
            && self.choices.iter().enumerate().any(|(other, choice)| match choice {
                Choice::One(answer) => {
                    let operand = asks[other].states.is_some_and(|name| asks[ask].needs.contains(name) && asks[ask].states != Some(name));
                    operand && asks[other].part != asks[ask].part && *answer != number && self.agree(*answer, number)
                }
                _ => false,
            })
    }

    /// Whether two values that the student sets against each other are only the same by rounding: `16 MB or 15.5 MB`.
    fn are_alternatives_apart(&self, one: usize, other: usize) -> bool {
        let numbers = &self.scene.numbers;
        let value = |at: usize| numbers[at].mention.readings.first().map(|reading| reading.value);
        let (Some(a), Some(b)) = (value(one), value(other)) else { return false };
        let opposed = numbers[one].alternative_to == Some(other) || numbers[other].alternative_to == Some(one);
        opposed && (a - b).abs() > a.abs() * Value::decimal(1, -2)
    }

    /// Whether one form of a value says more than another: digits more than a word (`0.5, so half of the step`), the unit
    /// that is asked for more than another one, and enough figures more than too few (`4 % (3.9 %)`).
    fn says_more(&self, ask: usize, one: usize, other: usize) -> bool {
        let spelled = |at: usize| self.scene.numbers[at].spoken != Spoken::No;
        let unit = |at: usize| self.grader.shapes[ask].is_in_unit(&self.scene.numbers[at].mention);
        let few = |at: usize| {
            let figures = self.scene.numbers[at].mention.readings.first().map(|reading| reading.written.figures);
            figures.is_some_and(|figures| figures.most < self.grader.drill.asks[ask].min_figures)
        };
        !spelled(one) && (spelled(other) || unit(one) && !unit(other) || few(other) && !few(one))
    }

    /// The same value in digits, where it was said in a word: `0.5, so half of the step`.
    fn in_digits(&self, chosen: usize) -> usize {
        let here = &self.scene.numbers[chosen];
        if here.spoken == Spoken::No {
            return chosen;
        }
        let free = |other: &usize| self.taken[*other].role == Role::Aside && self.scene.numbers[*other].spoken == Spoken::No;
        let beside = |other: &usize| self.scene.numbers[*other].standing != Standing::Operand && self.agree(chosen, *other);
        let before = self.scene.lines[here.line].numbers.clone().rev().filter(|other| *other < chosen).filter(free).find(beside);
        // `half of the step (0.5)`
        let after = || Some(chosen + 1).filter(|next| self.scene.lines[here.line].numbers.contains(next)).filter(free).filter(beside);
        before.or_else(after).unwrap_or(chosen)
    }

    /// Which of two values that are both named for an ask is meant.
    fn prefer(&self, ask: usize, one: usize, other: usize) -> Preference {
        let (a, b) = (&self.scene.numbers[one], &self.scene.numbers[other]);
        let later = other > one;
        if a.correction != b.correction {
            return if b.correction { Preference::Second } else { Preference::First };
        }
        // What a program prints again replaces what it printed before.
        let printed = |number: &Number| self.scene.lines[number.line].source.printed;
        let called = |number: usize| !self.is_named_by_its_unit(number, ask);
        if printed(a) && printed(b) && a.line != b.line && !self.are_in_one_row(a, b) && called(one) && called(other) {
            return if later { Preference::Second } else { Preference::First };
        }
        // A number of things has no fractions, whatever else is said of it.
        let counts = [one, other].map(|number| self.fit_of(number, ask) > Fit::Odd);
        if matches!(self.grader.drill.asks[ask].kind, AskKind::Count) && counts[0] != counts[1] {
            return if counts[0] { Preference::First } else { Preference::Second };
        }
        // What stands in the item itself is its value, and what stands elsewhere in the part may be another one of the kind.
        let wanted = self.grader.drill.asks[ask].item.as_deref();
        let in_item = |number: &Number| self.grader.item_of(number.spot).is_some_and(|item| Some(item) == wanted);
        let beside = a.spot.part == b.spot.part || a.spot.part.is_none() || b.spot.part.is_none();
        let opposed = a.alternative_to == Some(other) || b.alternative_to == Some(one);
        if wanted.is_some() && beside && !opposed && in_item(a) != in_item(b) {
            return if in_item(a) { Preference::First } else { Preference::Second };
        }
        // What would be is not what is.
        // What one would choose is a choice, though.
        let chooses = matches!(self.grader.drill.asks[ask].kind, AskKind::Range(_));
        if a.supposed != b.supposed && !chooses {
            return if a.supposed { Preference::Second } else { Preference::First };
        }
        if opposed {
            return Preference::Neither;
        }
        // `× 2 bytes = 2.6e9 bytes` states the second.
        if a.given != b.given && a.line == b.line && a.mention.unit.is_some() && b.mention.unit.is_some() {
            return if a.given { Preference::Second } else { Preference::First };
        }
        // What something is held against is not what it is.
        if a.yardstick != b.yardstick && !chooses {
            return if a.yardstick { Preference::Second } else { Preference::First };
        }
        // `54.3 %` beside `1.028` is a share of something, and nothing has grown by it.
        let shapes = &self.grader.shapes;
        let share = |number: &Number| {
            let first = number.mention.readings.first();
            let percent =
                first.and_then(|reading| reading.unit.as_ref()).is_some_and(|unit| unit.dimension.is_none() && unit.factor < Value::ONE);
            percent && !number.change && first.is_some_and(|reading| reading.value < Value::ONE)
        };
        if shapes[ask].is_factor() && share(a) != share(b) {
            return if share(a) { Preference::Second } else { Preference::First };
        }
        let (score_a, score_b) = (self.score(one, ask), self.score(other, ask));
        let natural = (self.fit_of(one, ask) == Fit::Natural, self.fit_of(other, ask) == Fit::Natural);
        if natural == (true, false) && score_a > 0.5 * score_b {
            return Preference::First;
        }
        if natural == (false, true) && score_b > 0.5 * score_a {
            return Preference::Second;
        }
        let first = [a, b].map(|number| self.grader.shapes[ask].fits_first(&number.mention));
        if a.line != b.line && first[0] != first[1] {
            return if first[0] { Preference::First } else { Preference::Second };
        }
        // Within a line the later of two is what the earlier led to, where the words say so.
        if a.line == b.line && a.result != b.result {
            if later && b.result && !b.given && score_b > LED_TO * score_a {
                return Preference::Second;
            }
            if !later && a.result && !a.given && score_a > LED_TO * score_b {
                return Preference::First;
            }
        }
        // `total time` names a total better than `latency in total` does.
        if self.are_in_one_row(a, b) {
            let covered = [a, b].map(|number| self.share_of_header(number, ask));
            if (covered[0] - covered[1]).abs() > BETTER_HEADER {
                return if covered[0] > covered[1] { Preference::First } else { Preference::Second };
            }
        }
        // In one row of a table, what its own words name beside the row: `25 MiB: total 325.5 ms, overhang 61.5 ms`.
        if self.are_in_one_row(a, b) && (score_a - score_b).abs() > 0.1 * score_a.max(score_b) {
            return if score_a > score_b { Preference::First } else { Preference::Second };
        }
        // A summary is one word against another, however it is named.
        let rival = if self.scene.lines[a.line].summary != self.scene.lines[b.line].summary { RIVAL * RIVAL } else { RIVAL };
        if score_b < rival * score_a {
            return Preference::First;
        }
        if score_a < rival * score_b {
            return Preference::Second;
        }
        if a.strong != b.strong {
            return if b.strong { Preference::Second } else { Preference::First };
        }
        Preference::Neither
    }

    fn fit_of(&self, number: usize, ask: usize) -> Fit {
        self.evidence[number].iter().find(|found| found.ask == ask).map_or(Fit::No, |found| found.fit)
    }

    /// Which share of the words of its column's name name an ask.
    fn share_of_header(&self, number: &Number, ask: usize) -> f32 {
        let Some(name) = self.scene.lines[number.line].names.iter().find(|name| name.column) else { return 0.0 };
        let said = |range: &Range<usize>| name.text.get(range.clone()).map_or(0, |text| text.split_whitespace().count());
        let best = name.hits.iter().filter(|hit| hit.tag == Tag::Cue(ask)).map(|hit| said(&hit.range)).max().unwrap_or(0);
        best as f32 / name.text.split_whitespace().count().max(1) as f32
    }

    /// Whether a number stands in one row with a form of the chosen value that is better named: the overhang beside the total.
    fn is_beaten_in_its_row(&self, ask: usize, form: usize, other: usize) -> bool {
        let numbers = &self.scene.numbers;
        self.are_in_one_row(&numbers[form], &numbers[other]) && matches!(self.prefer(ask, form, other), Preference::First)
    }

    /// Whether nothing but its own unit names a number for an ask: the `MiB` of `8 MiB`.
    fn is_named_by_its_unit(&self, number: usize, ask: usize) -> bool {
        let here = &self.scene.numbers[number];
        let words = self.evidence[number].iter().find(|one| one.ask == ask).and_then(|one| one.words.as_ref());
        let block = self.scene.lines[here.line].block;
        words.is_some_and(|words| {
            words.block == block && here.mention.number.end <= words.range.start && words.range.end <= here.mention.range.end
        })
    }

    /// Whether two numbers stand in different cells of one row of a table.
    fn are_in_one_row(&self, one: &Number, other: &Number) -> bool {
        let row = |number: &Number| match self.scene.lines[number.line].source.role {
            answer::Role::Cell { table, row, .. } => Some((table, row)),
            _ => None,
        };
        row(one).is_some() && row(one) == row(other)
    }

    /// Whether a value replaced another in the student's own words.
    fn replaces(&self, chosen: usize, other: usize) -> bool {
        let earlier = &self.scene.numbers[other];
        self.scene.numbers[chosen].correction && other < chosen || self.scene.numbers[chosen].corrects == Some(other) && earlier.replaced
    }

    /// Names what is left: givens, values of other asks used again, steps.
    fn recognize_the_rest(&mut self) {
        for number in 0..self.taken.len() {
            if let Some(role) = self.what_else(number) {
                self.take(number, role);
            }
        }
    }

    /// What a number is that answers nothing.
    fn what_else(&self, number: usize) -> Option<Role> {
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
        let again = self.choices.iter().position(|choice| match choice {
            Choice::One(answer) | Choice::Only(answer) => {
                *answer != number && (self.agree(*answer, number) || operand && self.same_digits(*answer, number))
            }
            _ => false,
        });
        match again {
            Some(ask) => Some(Role::Reused(ask)),
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
        agree(&self.scene.numbers[one].mention, &self.scene.numbers[other].mention)
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

enum Preference {
    First,
    Second,
    Neither,
}

impl Evidence {
    /// Makes less of what the surroundings make doubtful, and more of what they stress.
    fn temper(&mut self, number: &Number, given: bool) {
        let by_symbol = self.words.as_ref().is_some_and(|words| words.by == By::Symbol);
        let mut share = match number.spoken {
            Spoken::No | Spoken::Predicate => 1.0,
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

/// Whether two numbers state one value, each as exactly as it is written.
pub(super) fn agree(one: &Mention, other: &Mention) -> bool {
    one.readings.iter().any(|a| other.readings.iter().any(|b| same_value(a, b)))
}

fn same_value(a: &Reading, b: &Reading) -> bool {
    // A look at the floats first: nearly all values are far from each other.
    let reach = a.written.last_place.to_f64().max(b.written.last_place.to_f64());
    if (a.value.to_f64() - b.value.to_f64()).abs() > reach {
        return false;
    }
    let dimension = |reading: &Reading| reading.unit.as_ref().map(|unit| unit.dimension).unwrap_or_default();
    if dimension(a) != dimension(b) || a.high.is_some() != b.high.is_some() {
        return false;
    }
    if a.unit.as_ref().zip(b.unit.as_ref()).is_some_and(|(a, b)| !a.is_comparable(b)) {
        return false;
    }
    let (one, other) = (a.written.last_place, b.written.last_place);
    let wider = if one > other { one } else { other } / Value::from(2);
    // One figure says little: 1 is not 0.664.
    let most = a.value.abs() * Value::decimal(2, -1);
    (a.value - b.value).abs() <= if wider < most { wider } else { most }
}
