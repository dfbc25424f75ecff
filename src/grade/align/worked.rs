//! What the work shown says: sums and their terms, results of the student's own values, operands that state an ask.

use std::borrow::Cow;
use std::ops::Range;

use crate::formula::{self, Expr};
use crate::grade::Grader;
use crate::grade::align::unnamed::LONGEST_CHAIN;
use crate::grade::align::{self, Choice, Role, Table, Taken};
use crate::grade::clues::Tag;
use crate::grade::evidence::{By, Evidence, Fit, NAMED, Named, is_ruled_out};
use crate::grade::lists::Pair;
use crate::grade::scene::{Depth, How, Line, Number, Scene, Standing};
use crate::grade::work::{self, same};
use crate::recognize::{Link, Mention};

/// Named this well, a number needs no look at the work that leads to it.
const CLEARLY: f32 = 6.0;
/// What it is worth that work leads to a value, and what the names of a step, or of the whole of its pieces, are still worth.
const STEP_ON: f32 = 0.6;
pub(super) const PIECES: f32 = 0.3;
/// So little speaks for what stands in another item.
const ELSEWHERE: f32 = -8.0;
/// What the work that leads to a number is worth.
const BY_WORK: f32 = 5.0;

impl Table<'_> {
    /// What two named terms come to is their sum, though nothing names it: `10.2 ms latency + 207.2 ms bandwidth = 217.4 ms`,
    /// `1.24 ms for latency and 201.5 ms for bandwidth, so 202.74 ms`.
    pub(super) fn give_sums(&mut self) {
        for ask in 0..self.choices.len() {
            let terms = self.grader.anatomy.terms(ask);
            if terms.len() < 2 || !matches!(self.choices[ask], Choice::Missing) {
                continue;
            }
            let sum = (terms.len()..self.taken.len()).find(|number| {
                let here = &self.scene.numbers[*number];
                let line = &self.scene.lines[here.line];
                let before = *number - terms.len()..*number;
                let free =
                    self.taken[*number].role == Role::Aside && !here.withdrawn && !here.foreign && here.standing != Standing::Operand;
                let apart =
                    self.named(*number, ask) > -0.5 && self.evidence[*number].iter().any(|one| one.ask == ask && one.fit >= Fit::Bare);
                let stated = terms.iter().all(|term| before.clone().any(|other| self.taken[other].role == Role::Answer(*term)));
                let here_at = line.words.sentence_at(here.anchor);
                let near = before.clone().all(|other| {
                    let other = &self.scene.numbers[other];
                    other.line == here.line && line.words.sentence_at(other.anchor) == here_at
                });
                let gap = line.text().get(self.scene.numbers[*number - 1].mention.range.end..here.mention.range.start).unwrap_or_default();
                let equals = gap.contains('=')
                    && before.clone().skip(1).all(|other| {
                        let from = self.scene.numbers[other - 1].mention.range.end;
                        line.text().get(from..self.scene.numbers[other].mention.range.start).is_some_and(|gap| gap.contains('+'))
                    });
                free && apart && near && stated && (equals || here.conclusion)
            });
            if let Some(sum) = sum {
                self.choices[ask] = Choice::One(sum);
                self.take(sum, Role::Answer(ask));
            }
        }
    }

    /// What is worked out from the student's own wrong values answers the ask that it would answer with the true ones:
    /// `222.9 / 400 = 0.557`, where T was found to be 222.9 ms.
    pub(super) fn give_own_work(&mut self) {
        let asks = &self.grader.drill.asks;
        let stated = self.choices.iter().enumerate().filter_map(|(ask, choice)| match choice {
            Choice::One(number) | Choice::Only(number) => Some((ask, *number)),
            _ => None,
        });
        let own: Vec<(f64, f64)> = stated
            .filter(|(ask, _)| asks[*ask].states.is_some())
            .filter_map(|(ask, number)| {
                let reading = self.scene.numbers[number].mention.readings.first()?;
                let (value, truth) = (reading.value.to_f64(), asks[ask].formula.value().to_f64());
                let dimension = reading.unit.as_ref().map(|unit| unit.dimension).unwrap_or_default();
                (dimension == asks[ask].formula.dimension() && (value / truth - 1.0).abs() > 1e-2).then_some((value, truth))
            })
            .collect();
        if own.is_empty() {
            return;
        }
        for number in 0..self.taken.len() {
            let here = &self.scene.numbers[number];
            let free =
                self.taken[number].role == Role::Aside && !here.withdrawn && !here.foreign && !here.dead && here.standing == Standing::End;
            let Some(chain) = here.chain.filter(|_| free) else { continue };
            let open = |ask: usize| {
                matches!(self.choices[ask], Choice::Missing) && self.evidence[number].iter().any(|one| one.ask == ask && one.named > -0.5)
            };
            let links = self.scene.chains[chain].chain.links.iter().filter(|link| link.mention.is_none());
            let found = links.filter_map(|link| link.expr.as_ref()).filter(|expr| expr.size() > 1).find_map(|expr| {
                match self.grader.works().asks_computed(expr, &self.grader.drill.units, &open, &own).as_slice() {
                    [ask] => Some(*ask),
                    _ => None,
                }
            });
            if let Some(ask) = found {
                self.choices[ask] = Choice::One(number);
                self.take(number, Role::Answer(ask));
            }
        }
    }

    /// A number inside the work for another ask may be the value of one that is stated nowhere else.
    pub(super) fn give_operands(&mut self) {
        for ask in 0..self.choices.len() {
            // The value of a given is likely that given: `1.24 ms + 201.5 ms`, and the steps take 20 µs.
            let open = match self.choices[ask] {
                Choice::Missing | Choice::Unnamed(_) => true,
                Choice::One(number) => self.givens[number].is_some(),
                _ => false,
            };
            if !open {
                continue;
            }
            if let Some(number) = self.operand_for(ask) {
                if let Choice::One(given) = self.choices[ask] {
                    self.taken[given] = Taken::default();
                }
                self.choices[ask] = Choice::Only(number);
                self.take(number, Role::Answer(ask));
            }
        }
    }

    /// The operand of a chain that states an ask by its place in the formula of the ask that the chain answers.
    fn operand_for(&self, ask: usize) -> Option<usize> {
        let anatomy = &self.grader.anatomy;
        for (other, choice) in self.choices.iter().enumerate() {
            let (Choice::One(result) | Choice::Only(result)) = choice else { continue };
            let Some(chain) = self.scene.numbers[*result].chain else { continue };
            let operands: Vec<usize> = self.operands(chain);
            let place = anatomy.terms(other).iter().position(|term| *term == ask);
            if let Some(place) = place
                && operands.len() == anatomy.terms(other).len()
                && self.is_plain_sum(chain)
                && self.fits(operands[place], ask)
            {
                return Some(operands[place]);
            }
            let asks = &self.grader.drill.asks;
            let used = anatomy.uses(other, ask) && place.is_none() && asks[other].part == asks[ask].part;
            // Of `a = x/y`, the work `8 · y = x` states `a`.
            let multiplied = anatomy.quotient(ask).filter(|(over, _)| *over == other).map(|(_, under)| under);
            if !used && multiplied.is_none() {
                continue;
            }
            if let Some(under) = multiplied
                && !operands.iter().any(|operand| self.states(*operand, under))
            {
                continue;
            }
            // The `8` of `8 · 1.24 ms` is the factor, though a node has eight GPUs too, and the batch grows by as much.
            let chosen = self.chosen();
            let unused = |operand: &usize| match (self.what_else(*operand, &chosen), multiplied) {
                (Some(Role::Step), None) => true,
                (Some(Role::Step | Role::Given(_) | Role::Reused(_)), Some(under)) => !self.states(*operand, under),
                _ => false,
            };
            let free: Vec<usize> = operands.into_iter().filter(|operand| unused(operand) && self.fits(*operand, ask)).collect();
            if let [only] = free.as_slice() {
                return Some(*only);
            }
        }
        None
    }

    /// The numbers inside the expressions of a chain, from left to right.
    pub(super) fn operands(&self, chain: usize) -> Vec<usize> {
        let line = &self.scene.lines[self.scene.chains[chain].line];
        let inside = |number: &usize| self.scene.numbers[*number].chain == Some(chain);
        line.numbers.clone().filter(inside).filter(|number| self.scene.numbers[*number].standing == Standing::Operand).collect()
    }

    /// Whether a chain is nothing but plain numbers added up.
    fn is_plain_sum(&self, chain: usize) -> bool {
        let links = &self.scene.chains[chain].chain.links;
        links.iter().filter_map(|link| link.expr.as_ref()).any(|expr| work::plain_terms(expr).is_some())
    }

    /// Whether an operand may be a value of an ask, by its unit alone.
    fn fits(&self, operand: usize, ask: usize) -> bool {
        self.grader.shapes[ask].fit(&self.scene.numbers[operand].mention) >= Fit::Bare
    }

    /// Whether a number is the value of an ask, as the student has it.
    fn states(&self, number: usize, ask: usize) -> bool {
        match self.choices[ask] {
            Choice::One(answer) | Choice::Only(answer) => {
                self.agree(answer, number) || self.same_digits(answer, number) || self.same_but_for_unit(answer, number)
            }
            _ => false,
        }
    }

    /// Whether a bare number is a quantity without its unit, in a unit a thousand times larger or smaller.
    fn same_but_for_unit(&self, quantity: usize, bare: usize) -> bool {
        let first = |at: usize| self.scene.numbers[at].mention.readings.first();
        let (Some(quantity), Some(bare)) = (first(quantity), first(bare).filter(|reading| reading.unit.is_none())) else { return false };
        let ratio = (quantity.value / bare.value).abs().to_f64();
        let thousands = 1000_f64.powi((ratio.log10() / 3.0).round() as i32);
        ratio.is_finite() && ratio > 0.0 && (ratio / thousands - 1.0).abs() < 1e-3
    }

    pub(super) fn same_digits(&self, one: usize, other: usize) -> bool {
        let digits = |at: usize| {
            let number = &self.scene.numbers[at];
            &self.scene.lines[number.line].text()[number.mention.number.clone()]
        };
        digits(one) == digits(other)
    }
}

/// What stands in a chain in another form of its end is that and nothing else: `2479.55 → 2480 buckets`.
pub(super) fn join_forms(scene: &Scene, grader: &Grader, evidence: &mut [Vec<Evidence>]) {
    let asks = &grader.drill.asks;
    for (at, number) in scene.numbers.iter().enumerate().filter(|(_, number)| number.standing == Standing::Member) {
        let line = &scene.lines[number.line];
        let is_end = |other: &usize| scene.numbers[*other].chain == number.chain && scene.numbers[*other].standing == Standing::End;
        let end = (at + 1..line.numbers.end.min(at + LONGEST_CHAIN))
            .find(is_end)
            .filter(|end| align::agree(&scene.numbers[*end].mention, &number.mention));
        let best = end.and_then(|end| evidence[end].first()).filter(|best| best.named >= NAMED).map(|best| best.ask);
        let Some(best) = best else { continue };
        let same = |ask: usize| ask == best || asks[ask].states.is_some() && asks[ask].states == asks[best].states;
        for one in evidence[at].iter_mut().filter(|one| !same(one.ask) && one.named > 0.0) {
            one.named *= PIECES;
            one.score *= PIECES;
        }
        evidence[at].sort_by(|a, b| b.score.total_cmp(&a.score).then(a.ask.cmp(&b.ask)));
    }
}

/// What work in words leads on to answers what the value before it is named for, and that one is a step.
pub(super) fn go_on(grader: &Grader, result: &Mention, from: &mut [Evidence], to: &mut [Evidence], how: How) {
    let Some(known) = from.first().filter(|known| known.named >= NAMED).cloned() else { return };
    // `= 2.6e9 bytes. /1024/1024 = 2479.6 MiB` goes on to what is asked for in just this unit.
    let asks = &grader.drill.asks;
    let converts = |one: &Evidence| {
        let same = one.ask != known.ask && asks[one.ask].states.is_some() && asks[one.ask].states == asks[known.ask].states;
        same && grader.shapes[one.ask].claims_unit(result)
    };
    if to.iter().any(converts) {
        return;
    }
    let is_term = (0..grader.drill.asks.len()).any(|ask| grader.anatomy.terms(ask).contains(&known.ask));
    // `1.24 ms, + 201.5 ms = 202.74 ms` goes on to the sum.
    if how == How::Added && is_term {
        return;
    }
    let named_itself = to.iter().any(|one| one.ask != known.ask && one.fit == Fit::Natural && one.named > known.named);
    let Some(at) = to.iter().position(|one| one.ask == known.ask && one.fit >= Fit::Bare) else { return };
    if named_itself && how != How::Whole {
        return;
    }
    for (place, one) in to.iter_mut().enumerate() {
        if place == at {
            one.named = one.named.max(known.named);
            one.score = one.score.max(known.score) + STEP_ON;
            one.words.clone_from(&known.words);
        } else if how == How::Whole && one.named > 0.0 {
            // `in total` says that all pieces are in it.
            one.named *= PIECES;
            one.score *= PIECES;
        }
    }
    to.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.ask.cmp(&b.ask)));
    for one in from.iter_mut().filter(|one| one.named > 0.0) {
        one.named *= PIECES;
        one.score *= PIECES;
    }
    from.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.ask.cmp(&b.ask)));
}

/// What is concluded right behind the two terms of a sum is the sum: `lat 1.24 ms, bw 201.5 ms => 202.74 ms`.
pub(super) fn results_of_sums(scene: &Scene, grader: &Grader, evidence: &[Vec<Evidence>]) -> Vec<Pair> {
    let best = |number: usize| evidence[number].first().filter(|one| one.named >= NAMED).map(|one| one.ask);
    let mut found = Vec::new();
    for (at, number) in scene.numbers.iter().enumerate().filter(|(_, number)| number.conclusion && number.standing != Standing::Operand) {
        let line = &scene.lines[number.line];
        for ask in 0..grader.drill.asks.len() {
            let terms = grader.anatomy.terms(ask);
            if terms.len() < 2 || at < line.numbers.start + terms.len() || !evidence[at].iter().any(|one| one.ask == ask) {
                continue;
            }
            let before: Vec<Option<usize>> = (at - terms.len()..at).map(best).collect();
            let here = line.words.sentence_at(number.anchor);
            let near = (at - terms.len()..at).all(|other| line.words.sentence_at(scene.numbers[other].anchor) == here);
            let gap = scene.numbers[at - 1].mention.range.end..number.anchor;
            let words = line.words.within(&gap).len();
            if near && words <= 2 && terms.iter().all(|term| before.contains(&Some(*term))) {
                found.push(Pair { number: at, own: vec![ask], others: terms.to_vec() });
            }
        }
    }
    found
}

/// A percentage right behind the value that an ask of its place sets in relation to something is that: `total 217.4 ms, 54.3 %`.
pub(super) fn shares(scene: &Scene, grader: &Grader, evidence: &[Vec<Evidence>]) -> Vec<Pair> {
    const CLOSE: usize = 3;
    let stands = |number: usize| scene.numbers[number].standing != Standing::Operand;
    let mut found = Vec::new();
    for (at, number) in scene.numbers.iter().enumerate().filter(|(at, number)| stands(*at) && !number.change) {
        let line = &scene.lines[number.line];
        let text = line.text();
        let percent = number.mention.unit.as_ref().is_some_and(|unit| text[unit.clone()].starts_with(['%', 'p', 'P']));
        if !percent || text[number.mention.range.clone()].starts_with('+') {
            continue;
        }
        let Some(before) = (line.numbers.start..at).rev().find(|other| stands(*other)) else { continue };
        let Some(of) = evidence[before].first().filter(|one| one.named >= NAMED).map(|one| one.ask) else { continue };
        let gap = scene.numbers[before].mention.range.end..number.anchor.max(scene.numbers[before].mention.range.end);
        let named = |range: &Range<usize>| {
            line.hits_on(range).any(|hit| matches!(hit.tag, Tag::Cue(_) | Tag::NotCue(_)) && hit.range.start >= range.start)
        };
        let cut = line.breaks_in(gap.clone()).any(|found| found.depth >= Depth::Clause);
        let behind = line.words.within(&(number.mention.range.end..line.range.end)).first().map(|word| word.range.clone());
        let own = |ask: &usize| {
            let one = evidence[at].iter().find(|one| one.ask == *ask);
            grader.anatomy.divides(*ask) == Some(of) && grader.shapes[*ask].is_share() && one.is_some_and(|one| one.fit == Fit::Natural)
        };
        let own: Vec<usize> = (0..grader.drill.asks.len()).filter(own).collect();
        let others = |ask: usize| behind.as_ref().is_some_and(|word| line.hits_on(word).any(|hit| hit.tag == Tag::NotCue(ask)));
        if let [ask] = own.as_slice()
            && !cut
            && !named(&gap)
            && !others(*ask)
            && line.words.within(&gap).len() <= CLOSE
        {
            let others = evidence[at].iter().filter(|one| one.fit == Fit::Other).map(|one| one.ask).collect();
            found.push(Pair { number: at, own, others });
        }
    }
    found
}

/// What a member of a chain works out: also the `25/16` that may be read as one number.
fn work_of<'a>(grader: &Grader, line: &Line, link: &'a Link) -> Option<Cow<'a, Expr>> {
    if let Some(expr) = link.expr.as_ref().filter(|_| link.mention.is_none()) {
        return Some(Cow::Borrowed(expr));
    }
    let text = &line.text()[link.range.clone()];
    let quotient = link.mention.is_some() && text.contains('/') && text.len() < 16;
    quotient.then(|| formula::parse_student(text, &grader.drill.units, &grader.symbols).ok()).flatten().map(Cow::Owned)
}

/// The work that leads to a number says what it computes, where the words do not say so.
pub(super) fn by_work(scene: &Scene, grader: &Grader, number: &Number, evidence: &mut [Evidence]) {
    let Some(chain) = number.chain.filter(|_| matches!(number.standing, Standing::End | Standing::Member) && !number.led_on) else {
        return;
    };
    if evidence.first().is_some_and(|best| best.named >= CLEARLY) {
        return;
    }
    let line = &scene.lines[scene.chains[chain].line];
    let worked = scene.chains[chain].chain.links.iter().filter_map(|link| Some((link, work_of(grader, line, link)?)));
    for (link, expr) in worked.filter(|(_, expr)| expr.size() > 1) {
        // What stands in an item is not worked out for another one, even if the same symbols would be.
        // Nor is the total, as `= 124 ms of latency` says.
        let out = |ask: usize| is_ruled_out(&scene.lines[number.line], number, ask);
        let open = |ask: usize| evidence.iter().any(|one| one.ask == ask && one.named > ELSEWHERE) && !out(ask);
        let asks = grader.works().asks_computed(&expr, &grader.drill.units, &open, &[]);
        // Where several asks want the very same, the first of them is meant.
        let formula = |ask: usize| grader.drill.asks[ask].formula.expr();
        let one = asks.split_first().is_some_and(|(first, rest)| rest.iter().all(|other| same(formula(*first), formula(*other))));
        let asks = if one { &asks[..1] } else { &asks[..] };
        // What computes two of them, the words tell apart; a value without the unit that its words want is neither.
        let clear = asks.len() == 1 || evidence.first().is_some_and(|best| best.fit < Fit::Natural && !asks.contains(&best.ask));
        if asks.is_empty() || !clear {
            continue;
        }
        for one in evidence.iter_mut().filter(|one| asks.contains(&one.ask)) {
            one.named = one.named.max(0.0) + BY_WORK;
            one.score = one.score.max(0.0) + BY_WORK;
            let work = Named { block: line.block, range: link.range.clone(), by: By::Work };
            one.words.get_or_insert(work);
        }
        break;
    }
    evidence.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.ask.cmp(&b.ask)));
}
