//! An ask for which several numbers are named: which one is meant, by what names them, by where they stand and by what the
//! words between them say? Where all that leaves it open, a person decides.

use std::ops::Range;

use crate::answer;
use crate::drill::AskKind;
use crate::grade::align::{Choice, RIVAL, Role, Table};
use crate::grade::clues::Tag;
use crate::grade::evidence::{By, Fit};
use crate::grade::scene::{Number, Spoken, Standing};
use crate::quantity::Number as Value;

/// A conclusion may be this much weaker named than what it was concluded from.
const LED_TO: f32 = 0.4;
/// The name of a column that says an ask by this share more of its words is that ask's.
const BETTER_HEADER: f32 = 0.3;
/// So many values of one kind, each at the head of a line, are a series.
const FEWEST_IN_SERIES: usize = 3;

enum Preference {
    First,
    Second,
    Neither,
}

impl Table<'_> {
    /// What words name without a unit, a single digit or a word, is no value where one with its unit stands right behind the
    /// label, or in the same sentence: `2. 6.3 %, the states are cut in 8`, `one half of an all-reduce: 25.3 %`.
    pub(super) fn yield_to_values(&mut self) {
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
    pub(super) fn settle_conflicts(&mut self) {
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
    pub(super) fn are_alternatives_apart(&self, one: usize, other: usize) -> bool {
        let numbers = &self.scene.numbers;
        let value = |at: usize| numbers[at].mention.readings.first().map(|reading| reading.value);
        let (Some(a), Some(b)) = (value(one), value(other)) else { return false };
        let opposed = numbers[one].alternative_to == Some(other) || numbers[other].alternative_to == Some(one);
        opposed && (a - b).abs() > a.abs() * Value::decimal(1, -2)
    }

    /// Whether one form of a value says more than another: digits more than a word (`0.5, so half of the step`), the unit
    /// that is asked for more than another one, and enough figures more than too few (`4 % (3.9 %)`).
    pub(super) fn says_more(&self, ask: usize, one: usize, other: usize) -> bool {
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
        // What a program prints again, for the same setting, replaces what it printed before.
        let printed = |number: &Number| self.scene.lines[number.line].source.printed;
        let told = |number: &Number| {
            let line = &self.scene.lines[number.line];
            let head = line.text().get(line.range.start..number.anchor).unwrap_or_default();
            let head = head.rsplit('\n').next().unwrap_or_default();
            head.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty()).collect::<Vec<_>>()
        };
        let called = |number: usize| !self.is_named_by_its_unit(number, ask);
        let again = printed(a) && printed(b) && a.line != b.line && told(a) == told(b);
        if again && !self.are_in_one_row(a, b) && called(one) && called(other) {
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

    pub(super) fn fit_of(&self, number: usize, ask: usize) -> Fit {
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
}
