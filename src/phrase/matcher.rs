//! The matcher: all phrases at once, word by word.

use crate::phrase::vocabulary::Vocabulary;
use crate::phrase::words::{Word, Words};
use crate::phrase::{Hit, Is, Phrase};

/// Many phrases, compiled into one matcher.
#[derive(Clone, Debug, Default)]
pub struct Phrases {
    vocabulary: Vocabulary,
    machines: Vec<Machine>,
    /// What may follow each place of each machine: side by side, and across a comma.
    next: Vec<(u64, u64)>,
    /// Which places of each machine accept a word of a class; of one machine ascending by class.
    accepts: Vec<(u32, u64)>,
    /// The phrases that can start with a word of a class before a word with a mark, by class and mark: nearly always the
    /// word after tells that a phrase does not stand here.
    starts: Vec<u32>,
    /// Where those of each row and mark begin; they end where the next ones begin.
    first_start: Vec<u32>,
    /// The row of each class; most classes start no phrase.
    rows: Vec<u32>,
    /// By row, the marks with which any begin.
    begun: Vec<u64>,
}

/// A phrase, ready to run.
#[derive(Clone, Copy, Debug)]
struct Machine {
    /// Where its entries begin in [`Phrases::next`], and in [`Phrases::accepts`]; they end where the next one's begin.
    next: u32,
    accepts: u32,
    accepts_end: u32,
    first: u64,
    last: u64,
    any: u64,
    /// The wide marks of the words that may be the last.
    ends: u128,
}

/// The row of a class that starts no phrase.
const NO_ROW: u32 = u32::MAX;
/// How many marks there are: several classes share one.
const MARKS: usize = 64;
/// The mark of any word; that of a class is one of the lower bits.
const ANY: u64 = 1 << 63;
/// The mark of whatever comes next, be it the end of the sentence.
const ALONE: u64 = 1 << 62;

fn mark(class: u32) -> u64 {
    1 << (class % 62)
}

/// The same in a wider set, in which fewer classes share one: a sentence has many words.
fn wide_mark(class: u32) -> u128 {
    1 << (class % 127)
}

/// The wide mark of any word.
const WIDE_ANY: u128 = 1 << 127;

/// The places of the bits that are set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

/// The words of a text as the matcher sees them.
struct Seen {
    classes: Vec<u32>,
    words: Vec<SeenWord>,
}

struct SeenWord {
    /// Where its classes are.
    start: u32,
    end: u32,
    /// The marks of its classes.
    marks: u64,
    /// The wide ones of it and of all that follow it in its sentence.
    ahead: u128,
}

impl Seen {
    fn classes(&self, at: usize) -> &[u32] {
        &self.classes[self.words[at].start as usize..self.words[at].end as usize]
    }
}

impl Phrases {
    /// Compiles phrases; hits name them by their place in this order.
    pub fn compile<'a>(phrases: impl IntoIterator<Item = &'a Phrase>) -> Phrases {
        let mut compiled = Phrases::default();
        let mut starts: Vec<(u32, u64, u32)> = Vec::new();
        for (index, phrase) in phrases.into_iter().enumerate() {
            let machine = compiled.add(phrase);
            let accepts = &compiled.accepts[machine.accepts as usize..];
            for &(class, places) in accepts {
                let here = (places | machine.any) & machine.first;
                if places & machine.first != 0 {
                    let reachable = phrase.places.iter().enumerate().filter(|(at, _)| here & 1 << at != 0);
                    let reachable = reachable.fold(0, |all, (_, place)| all | place.next | place.next_across);
                    let marks = accepts.iter().filter(|(_, places)| places & reachable != 0).fold(0, |all, (class, _)| all | mark(*class));
                    let any = if machine.any & reachable != 0 { ANY } else { 0 };
                    let alone = if here & machine.last != 0 { ALONE } else { 0 };
                    starts.push((class, marks | any | alone, index as u32));
                }
            }
        }
        compiled.vocabulary.finish();
        compiled.sort_starts(&starts);
        compiled
    }

    /// Sorts the starts (a class, the marks that may follow, a phrase) by class and mark.
    fn sort_starts(&mut self, starts: &[(u32, u64, u32)]) {
        self.rows = vec![NO_ROW; self.vocabulary.len()];
        let mut rows = 0;
        for (class, ..) in starts {
            let row = &mut self.rows[*class as usize];
            if *row == NO_ROW {
                *row = rows;
                rows += 1;
            }
        }
        let mut ends = vec![0; rows as usize * MARKS + 1];
        let places = |row: u32, follow: u64| bits(follow).map(move |bit| row as usize * MARKS + bit);
        for &(class, follow, _) in starts {
            places(self.rows[class as usize], follow).for_each(|place| ends[place] += 1);
        }
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        self.starts = vec![0; total as usize];
        // From the last to the first, so that each end becomes a beginning.
        for &(class, follow, phrase) in starts.iter().rev() {
            for place in places(self.rows[class as usize], follow) {
                ends[place] -= 1;
                self.starts[ends[place] as usize] = phrase;
            }
        }
        self.first_start = ends;
        self.begun = vec![0; rows as usize];
        for &(class, follow, _) in starts {
            self.begun[self.rows[class as usize] as usize] |= follow;
        }
    }

    fn add(&mut self, phrase: &Phrase) -> Machine {
        let (next, accepts) = (self.next.len() as u32, self.accepts.len());
        self.next.extend(phrase.places.iter().map(|place| (place.next, place.next_across)));
        let mut any = 0;
        for pattern in &phrase.patterns {
            let bit = 1 << pattern.place;
            let letters = &phrase.letters[pattern.start as usize..pattern.end as usize];
            let class = match pattern.is {
                Is::Word => self.vocabulary.add(letters, false),
                Is::Stem => self.vocabulary.add(letters, true),
                Is::Number => self.vocabulary.number(),
                Is::Any => {
                    any |= bit;
                    continue;
                }
            };
            match self.accepts[accepts..].binary_search_by_key(&class, |(class, _)| *class) {
                Ok(at) => self.accepts[accepts + at].1 |= bit,
                Err(at) => self.accepts.insert(accepts + at, (class, bit)),
            }
        }
        let accepts_end = self.accepts.len() as u32;
        let last = self.accepts[accepts..].iter().filter(|(_, places)| places & phrase.last != 0);
        let ends = last.fold(if any & phrase.last == 0 { 0 } else { WIDE_ANY }, |marks, (class, _)| marks | wide_mark(*class));
        let machine = Machine { next, accepts: accepts as u32, accepts_end, first: phrase.first, last: phrase.last, any, ends };
        self.machines.push(machine);
        machine
    }

    /// The number of phrases.
    pub fn len(&self) -> usize {
        self.machines.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.machines.is_empty()
    }

    /// Every place at which a phrase stands, in the order of the text; of one phrase the longest at each place, and no
    /// two that overlap.
    pub fn find(&self, text: &str) -> Vec<Hit> {
        self.find_in(&Words::of(text))
    }

    /// The same, for a text that was already cut into words.
    pub fn find_in(&self, words: &Words) -> Vec<Hit> {
        let list = words.list();
        let seen = self.look_at(words);
        let mut hits = Vec::with_capacity(list.len() / 8);
        // The phrases that have been found and reach to the word at hand, with their ends.
        let mut open: Vec<(u32, usize)> = Vec::new();
        let mut found: Vec<u32> = Vec::new();
        for start in 0..list.len() {
            let classes = seen.classes(start);
            if classes.is_empty() {
                continue;
            }
            let after = list
                .get(start + 1)
                .filter(|word| word.sentence == list[start].sentence)
                .map_or(ALONE, |_| seen.words[start + 1].marks | ALONE);
            found.clear();
            for row in classes.iter().map(|class| self.rows[*class as usize]).filter(|row| *row != NO_ROW) {
                for bit in bits(after & self.begun[row as usize]) {
                    let place = row as usize * MARKS + bit;
                    found.extend_from_slice(&self.starts[self.first_start[place] as usize..self.first_start[place + 1] as usize]);
                }
            }
            if found.len() > 1 {
                found.sort_unstable();
                found.dedup();
            }
            open.retain(|(_, end)| *end > start);
            for &phrase in &found {
                let machine = self.machines[phrase as usize];
                // Many a phrase with a gap begins with a common word, and what would end it is not in the sentence.
                if machine.ends & seen.words[start].ahead == 0 || open.iter().any(|(other, _)| *other == phrase) {
                    continue;
                }
                if let Some(end) = self.run(machine, list, &seen, start) {
                    open.push((phrase, end));
                    hits.push(Hit { phrase: phrase as usize, range: list[start].range.start..list[end - 1].range.end, words: start..end });
                }
            }
        }
        hits
    }

    /// Whether any of the phrases stands in the text.
    pub fn is_in(&self, text: &str) -> bool {
        !self.find(text).is_empty()
    }

    fn look_at(&self, words: &Words) -> Seen {
        let list = words.list();
        let mut seen = Seen { classes: Vec::with_capacity(list.len()), words: Vec::with_capacity(list.len()) };
        for word in list {
            let start = seen.classes.len();
            self.vocabulary.classes_of(words, word, &mut seen.classes);
            let marks = seen.classes[start..].iter().fold(ANY, |marks, class| marks | mark(*class));
            let ahead = seen.classes[start..].iter().fold(WIDE_ANY, |marks, class| marks | wide_mark(*class));
            seen.words.push(SeenWord { start: start as u32, end: seen.classes.len() as u32, marks, ahead });
        }
        for at in (1..list.len()).rev().filter(|at| list[at - 1].sentence == list[*at].sentence) {
            seen.words[at - 1].ahead |= seen.words[at].ahead;
        }
        seen
    }

    /// The end of the longest match that starts with the word at `start`.
    fn run(&self, machine: Machine, words: &[Word], seen: &Seen, start: usize) -> Option<usize> {
        let mut active = machine.first & self.accepted(machine, seen.classes(start));
        let mut end = None;
        let mut at = start;
        while active != 0 {
            if active & machine.last != 0 {
                end = Some(at + 1);
            }
            at += 1;
            let Some(word) = words.get(at).filter(|word| word.sentence == words[start].sentence) else { break };
            let mut reachable = 0;
            let mut rest = active;
            while rest != 0 {
                let (beside, across) = self.next[machine.next as usize + rest.trailing_zeros() as usize];
                reachable |= if word.after_break { across } else { beside | across };
                rest &= rest - 1;
            }
            active = reachable & self.accepted(machine, seen.classes(at));
        }
        end
    }

    /// The places of a machine that accept a word of these classes.
    fn accepted(&self, machine: Machine, classes: &[u32]) -> u64 {
        let accepts = &self.accepts[machine.accepts as usize..machine.accepts_end as usize];
        let mut mask = machine.any;
        for class in classes {
            // Most phrases have few words, which are looked through faster than halved.
            if accepts.len() <= 8 {
                mask |= accepts.iter().filter(|(accepted, _)| accepted == class).fold(0, |mask, (_, places)| mask | places);
            } else if let Ok(at) = accepts.binary_search_by_key(class, |(class, _)| *class) {
                mask |= accepts[at].1;
            }
        }
        mask
    }
}
