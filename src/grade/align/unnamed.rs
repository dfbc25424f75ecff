//! Values that nothing names: which ask may one be meant for, by its place, its unit and the order of the question?

use crate::answer;
use crate::drill::AskKind;
use crate::grade::align::{Choice, Role, Table, Unnamed};
use crate::grade::clues::Tag;
use crate::grade::contrast;
use crate::grade::evidence::Fit;
use crate::grade::lists;
use crate::grade::scene::{Break, Depth, Line, Number, Spoken, Spot, Standing};
use crate::quantity::Number as Value;
use crate::quantity::Unit;
use crate::recognize::Mention;

/// The end of a chain is looked for among so many numbers behind a member.
pub(super) const LONGEST_CHAIN: usize = 32;
/// More values than this that nothing names are not weighed against each other.
const MOST_CANDIDATES: usize = 64;
/// Before a plain statement stand at most so many words of its clause.
const FEW: usize = 3;

impl Table<'_> {
    /// Values that nothing names go to the asks of their part that have none.
    pub(super) fn give_unnamed(&mut self) {
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        for ask in 0..self.choices.len() {
            if !matches!(self.choices[ask], Choice::Missing) {
                continue;
            }
            let numbers: Vec<usize> = (0..self.taken.len()).filter(|number| self.may_be_unnamed(*number, ask)).collect();
            // What the words rule out is considered only where there is nothing else.
            let fair = |number: &usize| self.named(*number, ask) > -0.5 && !self.scene.numbers[*number].supposed;
            let fair: Vec<usize> = numbers.iter().copied().filter(fair).collect();
            let numbers = if fair.is_empty() { numbers } else { fair };
            let beside: Vec<usize> = numbers.iter().copied().filter(|number| self.follows_operand(*number, ask)).collect();
            let numbers = if beside.is_empty() { numbers } else { beside };
            // What answers an ask of another part is said again, where anything else is there.
            let fresh: Vec<usize> = numbers.iter().copied().filter(|number| !self.is_of_another_part(*number)).collect();
            let numbers = if fresh.is_empty() { numbers } else { fresh };
            let numbers = self.without_what_is_only_compared(numbers, ask);
            if !numbers.is_empty() {
                open.push((ask, numbers));
            }
        }
        self.contradict_summaries();
        // Asks that share a number stand and fall together.
        let mut group_of: Vec<usize> = (0..open.len()).collect();
        for a in 0..open.len() {
            for b in 0..a {
                if open[a].1.iter().any(|number| open[b].1.contains(number)) {
                    let (from, to) = (group_of[a].max(group_of[b]), group_of[a].min(group_of[b]));
                    for group in &mut group_of {
                        if *group == from {
                            *group = to;
                        }
                    }
                }
            }
        }
        for group in 0..open.len() {
            let members: Vec<&(usize, Vec<usize>)> =
                open.iter().zip(&group_of).filter(|(_, of)| **of == group).map(|(member, _)| member).collect();
            let mut numbers: Vec<usize> = members.iter().flat_map(|(_, numbers)| numbers.iter().copied()).collect();
            numbers.sort_unstable();
            numbers.dedup();
            let ordered = members.len() == numbers.len() && members.iter().zip(&numbers).all(|((_, own), number)| own.contains(number));
            // One value for a sum and its terms is the sum.
            if let [only] = numbers.as_slice()
                && let Some((sum, _)) = members.iter().find(|(ask, _)| {
                    let terms = self.grader.anatomy.terms(*ask);
                    !terms.is_empty() && terms.iter().all(|term| members.iter().any(|(member, _)| member == term))
                })
            {
                self.choices[*sum] = Choice::Only(*only);
                self.take(*only, Role::Answer(*sum));
                continue;
            }
            // Where there are as many values of each kind as are demanded, they stand in the order of the question.
            let Some(spot) = numbers.first().map(|number| self.scene.numbers[*number].spot) else { continue };
            let by_question = if ordered { Vec::new() } else { lists::by_question(self.scene, self.grader, spot, &numbers) };
            let demanded = members.iter().filter(|(ask, _)| self.grader.drill.asks[*ask].required);
            let whole = numbers.len() > 1
                && by_question.iter().all(|(_, ask)| members.iter().any(|(member, _)| member == ask))
                && demanded.clone().all(|(ask, _)| by_question.iter().any(|(_, paired)| paired == ask));
            let by_question: Vec<(usize, usize)> = if whole { by_question } else { Vec::new() };
            let bare = numbers.iter().all(|number| self.grader.is_bare_list(self.scene, &self.scene.numbers[*number]));
            if let [(ask, own)] = members.as_slice()
                && !bare
                && own.iter().all(|number| self.agree(own[0], *number))
            {
                let only = own.iter().skip(1).fold(own[0], |best, other| if self.says_more(*ask, *other, best) { *other } else { best });
                for number in own {
                    self.take(*number, if *number == only { Role::Answer(*ask) } else { Role::Restatement(*ask) });
                }
                self.choices[*ask] = Choice::Only(only);
                continue;
            }
            let members: Vec<(usize, Vec<usize>)> = members.into_iter().cloned().collect();
            for (place, (ask, own)) in members.into_iter().enumerate() {
                let placed = by_question.iter().find(|(_, of)| *of == ask).map(|(number, _)| *number);
                if !by_question.is_empty() && placed.is_none() {
                    continue;
                }
                let in_order = if ordered { Some(numbers[place]) } else { placed };
                self.choices[ask] = Choice::Unnamed(Unnamed { numbers: own, bare, in_order, group });
            }
        }
    }

    /// Without the numbers that something else is held against or that say by how much something differs, where there are
    /// others; and of those that are left the one that the place states first and plainly, where the rest is said later of
    /// something else.
    fn without_what_is_only_compared(&mut self, numbers: Vec<usize>, ask: usize) -> Vec<usize> {
        // Of a page of numbers none is told from the others.
        if numbers.len() > MOST_CANDIDATES {
            return numbers;
        }
        let scene = self.scene;
        let keep = |numbers: Vec<usize>, told: &dyn Fn(&usize) -> bool| {
            let kept: Vec<usize> = numbers.iter().copied().filter(told).collect();
            if kept.is_empty() { numbers } else { kept }
        };
        let line = |number: usize| &scene.lines[scene.numbers[number].line];
        // What stands in the item itself is said of it, and the rest of the part of anything.
        let numbers = keep(numbers, &|number| scene.numbers[*number].spot == self.grader.home[ask]);
        let numbers = keep(numbers, &|number| !scene.numbers[*number].yardstick);
        let numbers = keep(numbers, &|number| !scene.numbers[*number].change || self.is_asked_as_a_change(*number, ask));
        // `8 sequences x 6.71 GB = 53.7 GB` comes to the last of these.
        let ends = |chain: Option<usize>| {
            chain.is_some() && numbers.iter().any(|end| scene.numbers[*end].chain == chain && scene.numbers[*end].standing == Standing::End)
        };
        let on_the_way = |number: &usize| scene.numbers[*number].standing == Standing::Member && ends(scene.numbers[*number].chain);
        let numbers = keep(numbers.clone(), &|number| !on_the_way(number));
        // What the words add the rest to is a step.
        let goes_on = |at: usize| numbers.iter().any(|other| scene.numbers[*other].goes_on.is_some_and(|goes_on| goes_on.from == at));
        let numbers = keep(numbers.clone(), &|number| !(scene.numbers[*number].led_on && goes_on(*number)));
        // Under `comm [ms]` stands no share.
        let shapes = &self.grader.shapes;
        let in_cell = |number: usize| matches!(line(number).source.role, answer::Role::Cell { .. });
        let numbers = keep(numbers, &|number| !in_cell(*number) || shapes[ask].fits_first(&scene.numbers[*number].mention));
        match numbers.as_slice() {
            [first, rest @ ..] if !rest.is_empty() && !self.is_shared_by_kind(*first, ask) && self.is_stated_first(*first, rest) => {
                let first = *first;
                self.stated_first.insert(ask);
                numbers.iter().copied().filter(|number| self.agree(first, *number)).collect()
            }
            _ => numbers,
        }
    }

    /// Whether the size of a difference may be what an ask is answered by: where it is a factor, or the words for the difference
    /// name it.
    fn is_asked_as_a_change(&self, number: usize, ask: usize) -> bool {
        let here = &self.scene.numbers[number];
        let named = contrast::is_asked_for(&self.scene.lines[here.line], here, |hit| hit.tag == Tag::Cue(ask));
        named || self.grader.shapes[ask].is_factor()
    }

    /// Whether another ask of the same place may want a value of the kind of a number, and has none.
    fn is_shared_by_kind(&self, number: usize, ask: usize) -> bool {
        let (asks, home) = (&self.grader.drill.asks, &self.grader.home);
        let here = &self.scene.numbers[number].mention;
        let wants = |other: usize| {
            let open = matches!(self.choices[other], Choice::Missing) && asks[other].required;
            other != ask && home[other] == home[ask] && open && self.grader.shapes[other].fit(here) == Fit::Natural
        };
        (0..asks.len()).any(wants)
    }

    /// Whether a number is the value that its place begins with, and all others stand in later sentences, in brackets or in
    /// the middle of what is said of something else.
    fn is_stated_first(&self, first: usize, rest: &[usize]) -> bool {
        let here = &self.scene.numbers[first];
        let line = &self.scene.lines[here.line];
        let sentence = |line: &Line, at: usize| line.words.sentence_at(at);
        let plain = |number: &Number, few: usize| {
            let line = &self.scene.lines[number.line];
            let worked = number.standing == Standing::End && (self.is_worked_out(number) || number.conclusion);
            worked || number.conclusion || self.words_before(line, number) <= few
        };
        // `the evening (267 ms) is too short` says in brackets what its words mean.
        let beside_words = |number: &Number| self.scene.lines[number.line].text()[..number.mention.range.start].ends_with('(');
        let later = |other: &usize| {
            let there = &self.scene.numbers[*other];
            // `43 % (3 of 7 slots)`
            let between = line.text().get(here.mention.range.end..there.mention.range.start).filter(|_| there.line == here.line);
            let bracketed = between.is_some_and(|between| between.rfind('(') > between.rfind(')'));
            let other_case =
                there.line == here.line && line.clause_at(there.anchor) > line.clause_at(here.anchor) && sets_a_case(line, there);
            let behind = there.line != here.line || bracketed || other_case || sentence(line, there.anchor) > sentence(line, here.anchor);
            // What an answer is corrected to, or concluded as, stands later as well.
            let says_anew = there.correction || there.conclusion || there.strong || there.alternative_to.is_some() || there.result;
            behind && !says_anew && (!plain(there, 1) || beside_words(there) || bracketed)
        };
        plain(here, FEW) && rest.iter().all(|other| self.agree(first, *other) || later(other))
    }

    /// How many words stand in the clause of a number before it.
    fn words_before(&self, line: &Line, number: &Number) -> usize {
        let start = line.breaks_in(line.range.start..number.anchor).last().map_or(line.range.start, |found| found.at);
        line.words.within(&(start..number.anchor)).iter().filter(|word| word.is_word()).count()
    }

    /// What a summary says of an ask is one word, and the only value in the ask's own place another, though nothing names it
    /// there.
    fn contradict_summaries(&mut self) {
        for ask in 0..self.choices.len() {
            let Choice::One(named) = self.choices[ask] else { continue };
            if !self.scene.lines[self.scene.numbers[named].line].summary {
                continue;
            }
            let here: Vec<usize> = (0..self.taken.len()).filter(|number| self.may_be_unnamed(*number, ask)).collect();
            if let [first, rest @ ..] = here.as_slice()
                && rest.iter().all(|other| self.agree(*first, *other))
                && !self.agree(*first, named)
            {
                let mut both = vec![*first, named];
                both.sort_unstable();
                for number in &both {
                    self.take(*number, Role::Candidate(ask));
                }
                self.choices[ask] = Choice::Several(both);
            }
        }
    }

    /// Whether a number is no choice but the label of what follows on its line: the `64 MiB` of `64 MiB: 39 buckets, 249.9 ms`
    /// in a place that says nothing of what one would choose.
    fn only_labels_a_row(&self, number: usize, ask: usize) -> bool {
        let here = &self.scene.numbers[number];
        let line = &self.scene.lines[here.line];
        let chooses = matches!(self.grader.drill.asks[ask].kind, AskKind::Range(_));
        let leads = line.numbers.start == number && line.numbers.len() > 1;
        let labels = leads && line.text()[here.mention.range.end..line.range.end].trim_start().starts_with(':');
        chooses && labels && here.spot.item != self.grader.home[ask].item
    }

    /// Whether a number that nothing names may be the value of an ask.
    fn may_be_unnamed(&self, number: usize, ask: usize) -> bool {
        // Most numbers are something else already, or none for most asks.
        if !matches!(self.taken[number].role, Role::Aside | Role::Restatement(_)) {
            return false;
        }
        if !self.evidence[number].iter().any(|one| one.ask == ask && one.named > -2.0) {
            return false;
        }
        let here = &self.scene.numbers[number];
        let free = match self.taken[number].role {
            Role::Aside => true,
            // The same value in another unit may be what another ask for it wants.
            Role::Restatement(of) => self.is_same_in_unit(number, of, ask),
            _ => false,
        };
        // `2·255·20 = 10200 µs = 10.2 ms`: another form of what the chain ends in.
        let form = || {
            here.standing == Standing::Member
                && self.end_of(number).is_some_and(|end| match self.taken[end].role {
                    Role::Answer(of) | Role::Candidate(of) | Role::Restatement(of) => {
                        of != ask && self.agree(end, number) && !self.is_same_in_unit(number, of, ask)
                    }
                    _ => false,
                })
        };
        if !free
            || form()
            || here.spoken != Spoken::No
            || here.withdrawn
            || here.foreign
            || here.replaced
            || here.change && !self.is_asked_as_a_change(number, ask)
            || here.spot.part.is_none()
            || self.scene.lines[here.line].parts.is_empty()
            || self.only_labels_a_row(number, ask)
            || self.givens[number].is_some()
            || self.feeds(number, ask)
            || self.is_said_again(number, ask)
            // What stands under one item answers nothing that the whole part asks.
            || here.spot.item.is_some() && self.grader.drill.asks[ask].item.is_none()
        {
            return false;
        }
        let asks = &self.grader.drill.asks;
        let same = |other: usize| other != ask && asks[other].states.is_some() && asks[other].states == asks[ask].states;
        // `2.6 GiB = 2662 MiB` has another value for whoever wants MiB.
        let elsewhere = |other: usize| matches!(self.choices[other], Choice::One(answer) | Choice::Only(answer) if answer != number);
        let claimed = |other: usize| same(other) && self.grader.shapes[other].claims_unit(&here.mention) && !elsewhere(other);
        // `20.8 Gbit` is the size that is asked for, and not that size in MiB.
        let open = |other: usize| same(other) && matches!(self.choices[other], Choice::Missing);
        let of_another_family = self.grader.shapes[ask].disclaims_unit(&here.mention) && (0..asks.len()).any(open);
        if of_another_family || (0..asks.len()).any(claimed) {
            return false;
        }
        let worked_out = here.standing == Standing::End && self.is_worked_out(here) && self.grader.shapes[ask].is_share();
        let alone = self.grader.is_bare_list(self.scene, here);
        if self.givens[number].is_some() && !alone {
            return false;
        }
        // A factor says too little about what it is a factor of.
        if self.grader.in_another_item(here.spot, ask) || self.has_rival_factor(here.spot, ask) && !alone {
            return false;
        }
        self.evidence[number].iter().any(|one| {
            let told = one.fit == Fit::Natural
                && (has_unit(&here.mention)
                    || worked_out
                    || (here.conclusion || here.spot.item.is_some() && is_fraction(&here.mention)) && self.grader.shapes[ask].is_share());
            // A form in which only this ask of the place may be answered: `202.74 ms (0.6 %)`.
            let other = one.fit == Fit::Other
                && has_unit(&here.mention)
                && !here.supposed
                && self.evidence[number].iter().all(|rival| {
                    rival.ask == ask || rival.fit == Fit::No || self.grader.home[rival.ask].part != self.grader.home[ask].part
                });
            one.ask == ask
                && one.named > -2.0
                && (told
                    || other
                    || one.fit >= Fit::Bare
                        && (alone
                            || (one.fit == Fit::Natural || self.is_only_demand(ask, here.spot)) && self.grader.leads(self.scene, number)))
        })
    }

    /// Whether an ask is all that its place demands, so that a number right behind the label is its value, whatever it lacks.
    fn is_only_demand(&self, ask: usize, spot: Spot) -> bool {
        let asks = &self.grader.drill.asks;
        let beside = |other: usize| {
            other != ask && asks[other].required && asks[other].part == asks[ask].part && !self.grader.in_another_item(spot, other)
        };
        asks[ask].required && !(0..asks.len()).any(beside)
    }

    /// Whether an ask wants the quantity of another one in a unit like that of a number.
    fn is_same_in_unit(&self, number: usize, of: usize, ask: usize) -> bool {
        let asks = &self.grader.drill.asks;
        let same = asks[of].states.is_some() && asks[of].states == asks[ask].states;
        same && !self.grader.shapes[ask].disclaims_unit(&self.scene.numbers[number].mention)
    }

    /// The number in which the chain of another one ends.
    fn end_of(&self, number: usize) -> Option<usize> {
        let here = &self.scene.numbers[number];
        let line = &self.scene.lines[here.line];
        (number + 1..line.numbers.end.min(number + LONGEST_CHAIN)).find(|other| {
            let other = &self.scene.numbers[*other];
            other.chain == here.chain && other.standing == Standing::End
        })
    }

    /// Whether a number is an answer of its sentence said once more: `the latency is 1.24 ms per step, which is 1.24 ms`.
    fn is_said_again(&self, number: usize, ask: usize) -> bool {
        let here = &self.scene.numbers[number];
        let line = &self.scene.lines[here.line];
        let sentence = |at: usize| line.words.sentence_at(self.scene.numbers[at].anchor);
        let value = |at: usize| {
            let reading = self.scene.numbers[at].mention.readings.first();
            reading.map(|reading| (reading.value, reading.unit.as_ref().map(|unit| (unit.dimension, unit.factor))))
        };
        line.numbers.clone().any(|other| {
            let answers = matches!(self.taken[other].role, Role::Answer(of) if !self.is_same_in_unit(number, of, ask));
            other != number && answers && sentence(other) == sentence(number) && value(other) == value(number)
        })
    }

    /// Whether a measured number is the answer to an ask of another part, to all its figures.
    fn is_of_another_part(&self, number: usize) -> bool {
        let here = &self.scene.numbers[number];
        // A share may well be the same again.
        let measured = |unit: &Unit| !unit.dimension.is_none();
        let first = here.mention.readings.first();
        let figures = first.is_some_and(|reading| reading.unit.as_ref().is_some_and(measured) && reading.written.figures.least > 2);
        figures
            && self.choices.iter().any(|choice| match choice {
                Choice::One(answer) => {
                    *answer != number && self.scene.numbers[*answer].spot.part != here.spot.part && self.agree(*answer, number)
                }
                _ => false,
            })
    }

    /// Whether an ask wants a factor, and another one of the same place too.
    fn has_rival_factor(&self, spot: Spot, ask: usize) -> bool {
        let (shapes, home) = (&self.grader.shapes, &self.grader.home);
        let rival = |other: usize| {
            other != ask && home[other].part == home[ask].part && shapes[other].is_factor() && !self.grader.in_another_item(spot, other)
        };
        shapes[ask].is_factor() && (0..home.len()).any(rival)
    }

    /// Whether a number is the value of another ask that this one is worked out from.
    fn feeds(&self, number: usize, ask: usize) -> bool {
        let asks = &self.grader.drill.asks;
        self.choices.iter().enumerate().any(|(other, choice)| match choice {
            Choice::One(answer) | Choice::Only(answer) => {
                let operand = asks[other].states.is_some_and(|name| asks[ask].needs.contains(name) && asks[ask].states != Some(name));
                operand && *answer != number && self.agree(*answer, number)
            }
            _ => false,
        })
    }

    /// Whether a number stands right behind the value that it is the share of: `217.4 ms or 54.3 %`.
    fn follows_operand(&self, number: usize, ask: usize) -> bool {
        let here = &self.scene.numbers[number];
        let before = (self.scene.lines[here.line].numbers.start..number)
            .rev()
            .find(|other| self.scene.numbers[*other].standing != Standing::Operand);
        let Some(before) = before else { return false };
        // `total 217.4 ms = 54.3 %` is one chain.
        let start =
            if here.chain.is_some() && self.scene.numbers[before].chain == here.chain { here.mention.range.start } else { here.anchor };
        let gap = self.scene.numbers[before].mention.range.end..start;
        let Role::Answer(other) = self.taken[before].role else { return false };
        let words = &self.scene.lines[here.line].words;
        let close = gap.start <= gap.end && words.within(&gap).len() <= 3;
        close && words.sentence_at(gap.start) == words.sentence_at(here.anchor) && self.grader.anatomy.uses(ask, other)
    }

    /// Whether a number is the result of work that is shown.
    fn is_worked_out(&self, number: &Number) -> bool {
        number.chain.is_some_and(|chain| !self.operands(chain).is_empty())
    }
}

/// Whether the clause of a number begins with the case that it is about: `; on a node of 16 GPUs 4.21 %`.
fn sets_a_case(line: &Line, number: &Number) -> bool {
    const CASES: [&str; 14] = ["on", "with", "if", "for", "at", "in", "under", "assuming", "when", "mit", "bei", "wenn", "auf", "für"];
    let depth = |found: &&Break| found.depth >= Depth::Clause;
    let start = line.breaks_in(line.range.start..number.anchor).filter(depth).last().map_or(line.range.start, |found| found.at);
    let first = line.words.within(&(start..number.anchor)).iter().find(|word| word.is_word());
    first.is_some_and(|word| CASES.contains(&line.words.plain(word)))
}

/// Whether a bare number is written like a share: `0.0386`.
fn is_fraction(mention: &Mention) -> bool {
    let reading = mention.readings.first().filter(|reading| reading.unit.is_none());
    reading.is_some_and(|reading| {
        reading.written.figures.least > 1
            && reading.value > Value::from(0)
            && reading.value < Value::from(2)
            && reading.value != reading.value.round()
    })
}

fn has_unit(mention: &Mention) -> bool {
    mention.readings.iter().any(|reading| reading.unit.is_some())
}
