//! The matcher: all phrases at once, word by word.

use std::cell::Cell;
use std::sync::Arc;

use crate::phrase::vocabulary::Vocabulary;
use crate::phrase::words::{Word, Words};
use crate::phrase::{Hit, Is, Phrase};

/// Many phrases, compiled into one matcher.
#[derive(Clone, Debug, Default)]
pub struct Phrases {
    vocabulary: Arc<Vocabulary>,
    machines: Vec<Machine>,
    /// What may follow each place of each machine: side by side, and across a comma.
    next: Vec<(u64, u64)>,
    /// Which places of each machine accept a word of a class; of one machine ascending by class.
    accepts: Vec<(u32, u64)>,
    /// The classes of the words with which each machine may end.
    ends: Vec<u32>,
    /// How many classes there are.
    class_count: u32,
    /// By kind of words as the vocabulary has it: its place among the kinds that bear on these phrases.
    place: Vec<u32>,
    /// The first is that of the words that no phrase has.
    kinds: Vec<Kind>,
    /// Kind by kind.
    classes: Vec<u32>,
    /// The phrases that can start with a word of a kind, group by group.
    starts: Vec<Start>,
    /// Where each group of starts begins; it ends where the next one begins.
    groups: Vec<u32>,
}

/// A phrase, ready to run.
#[derive(Clone, Copy, Debug)]
struct Machine {
    /// Where its entries begin in [`Phrases::next`], and in [`Phrases::accepts`]; they end where the next one's begin.
    next: u32,
    accepts: u32,
    accepts_end: u32,
    /// Where the classes of the words that may be the last are, in [`Phrases::ends`].
    ends: u32,
    ends_end: u32,
    /// How many words the last one may be behind the first.
    reach: u32,
    last: u64,
    any: u64,
    /// The marks of all words that it accepts somewhere.
    marks: u64,
}

/// What the matcher knows of the words of a kind.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    /// Where its classes are.
    classes: u32,
    classes_end: u32,
    /// Where its starts are: those of the phrases that are this word alone, then, from `loose` on, those that may go on with any
    /// word or stop.
    starts: u32,
    loose: u32,
    loose_end: u32,
    /// Where its groups of other starts are, one for each mark of `begun`.
    groups: u32,
    /// The marks of its classes.
    marks: u64,
    /// The marks of the words that have to come next in those phrases for which not every word will do.
    begun: u64,
}

/// A phrase that can start with a word of a kind.
#[derive(Clone, Copy, Debug, Default)]
struct Start {
    phrase: u32,
    /// The places that this word then takes.
    places: u64,
    /// The marks of what may come next: nearly always the word after tells that a phrase does not stand here. There are none
    /// where the phrase is this word alone.
    next: u64,
    /// The marks of the words that may be the last: many a phrase with a gap begins with a common word, and what would end it
    /// does not follow.
    ends: u64,
}

/// How many marks there are for classes: several share one.
const MARKS: u32 = 62;
/// The mark of every word, and that of the end of a sentence.
const WORD: u64 = 1 << MARKS;
const END: u64 = WORD << 1;

fn mark(class: u32) -> u64 {
    1 << (class % MARKS)
}

/// The places of the bits that are set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

/// What a search needs room for.
#[derive(Default)]
struct Room {
    /// By class: the nearest word ahead that is of it. Words are counted on from search to search, so that nothing has to be
    /// cleared: what a search finds here of the ones before lies behind it.
    nearest: Vec<u64>,
    counted: u64,
    /// What was found, from the last word that starts something to the first; of one word in the order of the phrases.
    found: Vec<Found>,
    /// The phrases that reach beyond the word at hand, with their ends.
    open: Vec<(u32, u32)>,
}

/// A phrase that starts with a word.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Found {
    at: u32,
    phrase: u32,
    end: u32,
}

/// The words of a text as the matcher sees them.
#[derive(Clone, Copy)]
struct Seen<'w> {
    words: &'w [Word],
    /// Their kinds, as the vocabulary has them.
    kinds: &'w [u32],
}

thread_local! {
    /// What the last search has left.
    static ROOM: Cell<Room> = Cell::default();
}

impl Phrases {
    /// Compiles phrases; hits name them by their place in this order.
    pub fn compile<'a>(phrases: impl IntoIterator<Item = &'a Phrase, IntoIter: Clone>) -> Phrases {
        let phrases = phrases.into_iter();
        Phrases::with(&Arc::new(Vocabulary::of(phrases.clone())), phrases)
    }

    /// The same for some of the phrases that a vocabulary is made of: the words of a text are looked up once for all matchers
    /// that share one.
    pub fn with<'a>(vocabulary: &Arc<Vocabulary>, phrases: impl IntoIterator<Item = &'a Phrase>) -> Phrases {
        let mut compiled = Phrases { vocabulary: Arc::clone(vocabulary), ..Phrases::default() };
        // Its classes are counted anew, so that few of them share a mark.
        let mut classes = vec![None; vocabulary.classes()];
        let mut count = 0;
        let mut class = |of: u32| {
            *classes[of as usize].get_or_insert_with(|| {
                count += 1;
                count - 1
            })
        };
        let mut starts: Vec<(u32, Start)> = Vec::new();
        for (index, phrase) in phrases.into_iter().enumerate() {
            let machine = compiled.add(phrase, &mut class);
            starts.extend(compiled.starts_of(phrase, index as u32, &machine));
        }
        compiled.class_count = count;
        starts.sort_unstable_by_key(|(class, start)| (*class, start.phrase));
        compiled.sort_by_kind(&classes, &starts);
        compiled
    }

    /// How a phrase may start, with the class of the word.
    fn starts_of(&self, phrase: &Phrase, index: u32, machine: &Machine) -> Vec<(u32, Start)> {
        let accepts = &self.accepts[machine.accepts as usize..];
        let marks = |places: u64| {
            let classes = accepts.iter().filter(|(_, accepted)| accepted & places != 0).fold(0, |marks, (class, _)| marks | mark(*class));
            classes | if machine.any & places == 0 { 0 } else { WORD }
        };
        let ends = marks(machine.last);
        let start = |(class, places): &(u32, u64)| {
            let places = places & phrase.first;
            if places == 0 {
                return None;
            }
            let reachable = bits(places).map(|at| phrase.places[at]).fold(0, |all, place| all | place.next | place.next_across);
            // What may stop with this word is found whatever comes.
            let next = if reachable == 0 || places & machine.last == 0 { marks(reachable) } else { u64::MAX };
            Some((*class, Start { phrase: index, places, next, ends }))
        };
        accepts.iter().filter_map(start).collect()
    }

    /// Works out what bears on these phrases, by kind of words: `starts` are in the order of their classes.
    fn sort_by_kind(&mut self, classes: &[Option<u32>], starts: &[(u32, Start)]) {
        let mut firsts = vec![0; self.class_count as usize + 1];
        for (class, _) in starts {
            firsts[*class as usize + 1] += 1;
        }
        for class in 0..self.class_count as usize {
            firsts[class + 1] += firsts[class];
        }
        let of = |class: u32| starts[firsts[class as usize]..firsts[class as usize + 1]].iter().map(|(_, start)| *start);
        self.kinds.push(Kind::default());
        let vocabulary = Arc::clone(&self.vocabulary);
        let mut all: Vec<Start> = Vec::new();
        for kind in vocabulary.kinds() {
            let first = self.classes.len();
            self.classes.extend(kind.iter().filter_map(|class| classes[*class as usize]));
            let here = &self.classes[first..];
            if here.is_empty() {
                self.place.push(0);
                continue;
            }
            self.place.push(self.kinds.len() as u32);
            all.clear();
            all.extend(here.iter().flat_map(|class| of(*class)));
            // A word of two classes may start a phrase in the places of both.
            if here.len() > 1 {
                all.sort_by_key(|start| start.phrase);
            }
            all.dedup_by(|other, start| {
                let same = other.phrase == start.phrase;
                if same {
                    start.places |= other.places;
                    // Where one of them is the word alone, that is found whatever comes.
                    let alone = [start.next, other.next].contains(&0) && start.next != other.next;
                    start.next = if alone { u64::MAX } else { start.next | other.next };
                }
                same
            });
            let is_loose = |start: &Start| start.next & WORD != 0;
            let alone = self.starts.len() as u32;
            self.starts.extend(all.iter().filter(|start| start.next == 0));
            let loose = self.starts.len() as u32;
            self.starts.extend(all.iter().filter(|start| is_loose(start)));
            let groups = self.groups.len();
            all.retain(|start| start.next != 0 && !is_loose(start));
            // How many there are in the group of each mark, and then where the next one of it belongs.
            let mut places = [0; u64::BITS as usize];
            all.iter().flat_map(|start| bits(start.next)).for_each(|bit| places[bit] += 1);
            let begun = all.iter().fold(0, |marks, start| marks | start.next);
            let mut end = self.starts.len() as u32;
            for bit in bits(begun) {
                self.groups.push(end);
                end += std::mem::replace(&mut places[bit], end);
            }
            self.groups.push(end);
            self.starts.resize(end as usize, Start::default());
            for start in &all {
                for bit in bits(start.next) {
                    self.starts[places[bit] as usize] = *start;
                    places[bit] += 1;
                }
            }
            self.kinds.push(Kind {
                classes: first as u32,
                classes_end: self.classes.len() as u32,
                starts: alone,
                loose,
                loose_end: self.groups[groups],
                groups: groups as u32,
                marks: here.iter().fold(WORD, |marks, class| marks | mark(*class)),
                begun,
            });
        }
    }

    fn add(&mut self, phrase: &Phrase, class: &mut impl FnMut(u32) -> u32) -> Machine {
        let (next, accepts) = (self.next.len() as u32, self.accepts.len());
        self.next.extend(phrase.places.iter().map(|place| (place.next, place.next_across)));
        let mut any = 0;
        for pattern in &phrase.patterns {
            let bit = 1 << pattern.place;
            let letters = &phrase.letters[pattern.start as usize..pattern.end as usize];
            let Some(of) = self.vocabulary.class(pattern.is, letters) else {
                assert!(pattern.is == Is::Any, "the vocabulary is made of this phrase too: {}", phrase.source);
                any |= bit;
                continue;
            };
            let class = class(of);
            match self.accepts[accepts..].binary_search_by_key(&class, |(class, _)| *class) {
                Ok(at) => self.accepts[accepts + at].1 |= bit,
                Err(at) => self.accepts.insert(accepts + at, (class, bit)),
            }
        }
        let marks = self.accepts[accepts..].iter().fold(0, |marks, (class, _)| marks | mark(*class));
        let ends = self.ends.len() as u32;
        let last = self.accepts[accepts..].iter().filter(|(_, places)| places & phrase.last != 0);
        self.ends.extend(last.map(|(class, _)| class));
        let machine = Machine {
            next,
            accepts: accepts as u32,
            accepts_end: self.accepts.len() as u32,
            ends,
            ends_end: self.ends.len() as u32,
            reach: phrase.places.len() as u32 - 1,
            last: phrase.last,
            any,
            marks,
        };
        self.machines.push(machine);
        machine
    }

    /// The words of its phrases, and of all others that share them.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
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
        let mut hits = Vec::new();
        self.find_each(words, |hit| hits.push(hit));
        hits
    }

    /// The same, without a list of them.
    pub fn find_each(&self, words: &Words, mut take: impl FnMut(Hit)) {
        if self.is_empty() {
            return;
        }
        let known = words.known_by(&self.vocabulary);
        let list = words.list();
        let mut room = ROOM.take();
        self.find_all(Seen { words: list, kinds: &known.kinds }, &mut room);
        let Room { found, open, .. } = &mut room;
        open.clear();
        for &Found { at, phrase, end } in found.chunk_by(|a, b| a.at == b.at).rev().flatten() {
            if !open.is_empty() {
                open.retain(|(_, end)| *end > at);
                if open.iter().any(|(other, _)| *other == phrase) {
                    continue;
                }
            }
            if end > at + 1 {
                open.push((phrase, end));
            }
            let (at, end) = (at as usize, end as usize);
            take(Hit { phrase: phrase as usize, range: list[at].range.start..list[end - 1].range.end, words: at..end });
        }
        ROOM.set(room);
    }

    /// Whether any of the phrases stands in the text.
    pub fn is_in(&self, text: &str) -> bool {
        !self.find(text).is_empty()
    }

    /// Finds what starts with each word, be it open or not: from the last word to the first, for then it is known of each class
    /// how far ahead a word of it is.
    fn find_all(&self, seen: Seen, room: &mut Room) {
        let Room { nearest, counted, found, .. } = room;
        if nearest.len() < self.class_count as usize {
            nearest.resize(self.class_count as usize, 0);
        }
        // Nothing that was found before is as far as the first word.
        let first = *counted + 1;
        *counted += seen.words.len() as u64;
        found.clear();
        let mut ahead = Ahead { at: 0, end: seen.words.len(), next: END, marks: 0, nearest, first };
        let mut sentence = usize::MAX;
        for at in (0..seen.words.len()).rev() {
            if seen.words[at].sentence != sentence {
                sentence = seen.words[at].sentence;
                (ahead.end, ahead.next, ahead.marks) = (at + 1, END, 0);
            }
            let place = self.place[seen.kinds[at] as usize];
            if place == 0 {
                ahead.next = WORD;
                continue;
            }
            let kind = &self.kinds[place as usize];
            for class in self.classes_of(kind) {
                ahead.nearest[*class as usize] = first + at as u64;
            }
            ahead.at = at;
            ahead.marks |= kind.marks;
            self.start(kind, seen, &ahead, found);
            ahead.next = kind.marks;
        }
    }

    /// Finds the phrases that start with a word of a kind.
    fn start(&self, kind: &Kind, seen: Seen, ahead: &Ahead, found: &mut Vec<Found>) {
        let at = ahead.at as u32;
        let before = found.len();
        for start in &self.starts[kind.starts as usize..kind.loose as usize] {
            found.push(Found { at, phrase: start.phrase, end: at + 1 });
        }
        let mut run = |starts: &[Start]| {
            for start in starts.iter().filter(|start| start.ends & ahead.marks != 0 && start.next & ahead.next != 0) {
                let machine = &self.machines[start.phrase as usize];
                if ahead.has(&self.ends[machine.ends as usize..machine.ends_end as usize], machine.reach)
                    && let Some(end) = self.run(machine, seen, ahead, start.places)
                {
                    add(found, before, Found { at, phrase: start.phrase, end: end as u32 });
                }
            }
        };
        if kind.loose < kind.loose_end {
            run(&self.starts[kind.loose as usize..kind.loose_end as usize]);
        }
        for bit in bits(ahead.next & kind.begun) {
            let group = kind.groups as usize + (kind.begun & ((1 << bit) - 1)).count_ones() as usize;
            run(&self.starts[self.groups[group] as usize..self.groups[group + 1] as usize]);
        }
    }

    /// The end of the longest match that starts with the word at hand in these places.
    fn run(&self, machine: &Machine, seen: Seen, ahead: &Ahead, mut active: u64) -> Option<usize> {
        let kind_at = |at: usize| &self.kinds[self.place[seen.kinds[at] as usize] as usize];
        let next = &self.next[machine.next as usize..];
        let mut at = ahead.at;
        let mut end = None;
        while active != 0 {
            at += 1;
            if active & machine.last != 0 {
                end = Some(at);
            }
            if at == ahead.end {
                break;
            }
            let after_break = seen.words[at].after_break;
            let mut reachable = 0;
            for place in bits(active) {
                let (beside, across) = next[place];
                reachable |= if after_break { across } else { beside | across };
            }
            active = reachable & self.accepted(machine, kind_at(at));
        }
        end
    }

    fn classes_of(&self, kind: &Kind) -> &[u32] {
        &self.classes[kind.classes as usize..kind.classes_end as usize]
    }

    /// The places of a machine that accept a word of a kind.
    fn accepted(&self, machine: &Machine, kind: &Kind) -> u64 {
        let mut mask = machine.any;
        if machine.marks & kind.marks == 0 {
            return mask;
        }
        let accepts = &self.accepts[machine.accepts as usize..machine.accepts_end as usize];
        for class in self.classes_of(kind) {
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

/// Adds a phrase to those that were found from a place on, in their order. Two marks of the next word may lead to the same one.
fn add(found: &mut Vec<Found>, from: usize, new: Found) {
    let place = found[from..].iter().rposition(|known| known.phrase <= new.phrase).map_or(from, |last| from + last + 1);
    if place == found.len() && (place == from || found[place - 1].phrase < new.phrase) {
        found.push(new);
    } else if place == from || found[place - 1] != new {
        found.insert(place, new);
    }
}

/// A word and what comes after it.
struct Ahead<'r> {
    at: usize,
    /// One past the last word of its sentence.
    end: usize,
    /// The marks of the next word.
    next: u64,
    /// The marks of the word and of all that follow it in its sentence.
    marks: u64,
    /// See [`Room::nearest`].
    nearest: &'r mut [u64],
    /// The number of the text's first word in it.
    first: u64,
}

impl Ahead<'_> {
    /// Whether a word of one of these classes is in reach: many a phrase with a gap begins with a common word, and what would
    /// end it does not follow.
    fn has(&self, classes: &[u32], reach: u32) -> bool {
        let here = self.first + self.at as u64;
        let reach = u64::from(reach).min((self.end - self.at - 1) as u64);
        classes.iter().any(|class| self.nearest[*class as usize].wrapping_sub(here) <= reach)
    }
}
