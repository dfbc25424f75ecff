//! The matcher: all phrases at once, word by word.

use std::cell::Cell;
use std::cmp::Reverse;

use crate::phrase::vocabulary::Vocabulary;
use crate::phrase::words::Words;
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
    classes: Vec<Class>,
    /// The phrases that can start with a word of a class, by class and by what has to come next: nearly always the word after
    /// tells that a phrase does not stand here.
    starts: Vec<Start>,
    /// Where the starts of one class and one [`Follow`] begin; they end where the next ones begin.
    groups: Vec<u32>,
}

/// A phrase, ready to run.
#[derive(Clone, Copy, Debug)]
struct Machine {
    /// Where its entries begin in [`Phrases::next`], and in [`Phrases::accepts`]; they end where the next one's begin.
    next: u32,
    accepts: u32,
    accepts_end: u32,
    last: u64,
    any: u64,
    /// The marks of all words that it accepts somewhere.
    marks: u64,
    /// The wide marks of the words that may be the last.
    ends: u128,
    /// Whether it has no more than [`NEAR`] places, and so never more words.
    is_near: bool,
}

/// What the matcher knows of the words of a class.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    /// The marks with which anything that starts with it goes on.
    begun: u64,
    /// Where its groups are: one for each of [`Follow`], and one for each mark of `begun`; 0 of a class that starts nothing.
    groups: u32,
    /// Its bit among the marks, and among the wide ones.
    mark: u8,
    wide: u8,
}

/// What has to come after the first word of a phrase. Of a word with a mark the group is `Marked` and which of the marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Follow {
    /// Nothing: the phrase is this word alone.
    Nothing,
    /// Whatever comes, be it the end of the sentence.
    Whatever,
    /// Any word.
    Word,
    /// A word with a mark.
    Marked,
}

/// A phrase that can start with a word of a class.
#[derive(Clone, Copy, Debug)]
struct Start {
    phrase: u32,
    /// The places that this word then takes.
    places: u64,
}

/// The place of a group among all, by which they are sorted: of a class, of what has to follow, and of the bit of a mark. The
/// phrase has room behind it.
fn group(class: u32, follow: Follow, bit: usize) -> u64 {
    u64::from(class) << 40 | (follow as u64) << 38 | (bit as u64) << 32
}

const FOLLOW: u64 = 0b11 << 38;

fn class_of(group: u64) -> u64 {
    group >> 40
}

/// How many marks there are: several classes share one.
const MARKS: u32 = 64;
/// How many there are in a wider set, in which fewer classes share one, for a sentence has many words; one more is that of any
/// word.
const WIDE_MARKS: u32 = 127;
const WIDE_ANY: u128 = 1 << WIDE_MARKS;

fn mark(class: u32) -> u64 {
    1 << (class % MARKS)
}

fn wide_mark(class: u32) -> u128 {
    1 << (class % WIDE_MARKS)
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
    seen: Seen,
    /// The phrases that reach beyond the word at hand, with their ends.
    open: Vec<(u32, usize)>,
    /// Those that start with it.
    found: Vec<(u32, usize)>,
}

/// The words of a text as the matcher sees them.
#[derive(Default)]
struct Seen {
    classes: Vec<u32>,
    words: Vec<SeenWord>,
}

struct SeenWord {
    /// Where its classes are.
    start: u32,
    end: u32,
    begins_sentence: bool,
    after_break: bool,
    /// Whether any phrase starts with it.
    starts: bool,
    /// The marks of its classes.
    marks: u64,
    /// The wide ones of it and of all that follow it in its sentence.
    ahead: u128,
    /// The same of it and those near behind it, of whatever sentence.
    near: u128,
}

/// How many words are near each other; it is a power of two.
const NEAR: usize = 8;

impl Seen {
    fn classes(&self, at: usize) -> &[u32] {
        &self.classes[self.words[at].start as usize..self.words[at].end as usize]
    }

    /// The word after another one, if it is of the same sentence.
    fn after(&self, at: usize) -> Option<&SeenWord> {
        self.words.get(at + 1).filter(|word| !word.begins_sentence)
    }
}

thread_local! {
    /// What the last search has left, for the room that it has taken.
    static ROOM: Cell<Room> = Cell::default();
}

impl Phrases {
    /// Compiles phrases; hits name them by their place in this order.
    pub fn compile<'a>(phrases: impl IntoIterator<Item = &'a Phrase>) -> Phrases {
        let mut compiled = Phrases::default();
        let mut starts: Vec<(u64, Start)> = Vec::new();
        for (index, phrase) in phrases.into_iter().enumerate() {
            let machine = compiled.add(phrase);
            let accepts = &compiled.accepts[machine.accepts as usize..];
            for &(class, places) in accepts {
                let here = places & phrase.first;
                if here == 0 {
                    continue;
                }
                let start = Start { phrase: index as u32, places: here };
                let reachable = bits(here).map(|at| phrase.places[at]).fold(0, |all, place| all | place.next | place.next_across);
                if here & machine.last != 0 {
                    let follow = if reachable == 0 { Follow::Nothing } else { Follow::Whatever };
                    starts.push((group(class, follow, 0), start));
                } else if machine.any & reachable != 0 {
                    starts.push((group(class, Follow::Word, 0), start));
                } else {
                    let marks = accepts.iter().filter(|(_, places)| places & reachable != 0).fold(0, |all, (class, _)| all | mark(*class));
                    starts.extend(bits(marks).map(|bit| (group(class, Follow::Marked, bit), start)));
                }
            }
        }
        compiled.vocabulary.finish();
        compiled.group(starts);
        compiled
    }

    /// Groups the starts, each of which comes with its [`group`].
    fn group(&mut self, mut starts: Vec<(u64, Start)>) {
        starts.sort_unstable_by_key(|(group, start)| group | u64::from(start.phrase));
        let class = |class: u32| Class { begun: 0, groups: 0, mark: (class % MARKS) as u8, wide: (class % WIDE_MARKS) as u8 };
        self.classes = (0..self.vocabulary.len() as u32).map(class).collect();
        // No class has its groups at 0.
        self.groups.push(0);
        let mut at = 0;
        for of_class in starts.chunk_by(|a, b| class_of(a.0) == class_of(b.0)) {
            let class = &mut self.classes[class_of(of_class[0].0) as usize];
            class.groups = self.groups.len() as u32;
            let mut rest = of_class;
            for follow in [Follow::Nothing, Follow::Whatever, Follow::Word] {
                self.groups.push(at);
                let (group, others) = rest.split_at(rest.partition_point(|(group, _)| group & FOLLOW <= (follow as u64) << 38));
                at += group.len() as u32;
                rest = others;
            }
            for group in rest.chunk_by(|a, b| a.0 == b.0) {
                class.begun |= 1 << (group[0].0 >> 32 & 63);
                self.groups.push(at);
                at += group.len() as u32;
            }
            self.groups.push(at);
        }
        self.starts = starts.into_iter().map(|(_, start)| start).collect();
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
        let marks = self.accepts[accepts..].iter().fold(0, |marks, (class, _)| marks | mark(*class));
        let last = self.accepts[accepts..].iter().filter(|(_, places)| places & phrase.last != 0);
        let ends = last.fold(if any & phrase.last == 0 { 0 } else { WIDE_ANY }, |marks, (class, _)| marks | wide_mark(*class));
        let is_near = phrase.places.len() <= NEAR;
        let machine = Machine { next, accepts: accepts as u32, accepts_end, last: phrase.last, any, marks, ends, is_near };
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
        let mut hits = Vec::new();
        self.find_each(words, |hit| hits.push(hit));
        hits
    }

    /// The same, without a list of them.
    pub fn find_each(&self, words: &Words, mut take: impl FnMut(Hit)) {
        let list = words.list();
        let mut room = ROOM.take();
        let Room { seen, open, found } = &mut room;
        self.look_at(words, seen);
        open.clear();
        for at in 0..list.len() {
            if !seen.words[at].starts {
                continue;
            }
            if !open.is_empty() {
                open.retain(|(_, end)| *end > at);
            }
            self.start(seen, at, open, found);
            for (phrase, end) in found.drain(..) {
                if end > at + 1 {
                    open.push((phrase, end));
                }
                take(Hit { phrase: phrase as usize, range: list[at].range.start..list[end - 1].range.end, words: at..end });
            }
        }
        ROOM.set(room);
    }

    /// Whether any of the phrases stands in the text.
    pub fn is_in(&self, text: &str) -> bool {
        !self.find(text).is_empty()
    }

    fn look_at(&self, words: &Words, seen: &mut Seen) {
        let list = words.list();
        seen.classes.clear();
        seen.words.clear();
        let mut sentence = usize::MAX;
        for word in list {
            let start = seen.classes.len();
            self.vocabulary.classes_of(words, word, &mut seen.classes);
            let (mut marks, mut wide, mut starts) = (0, WIDE_ANY, false);
            for class in &seen.classes[start..] {
                let class = &self.classes[*class as usize];
                marks |= 1 << class.mark;
                wide |= 1 << class.wide;
                starts |= class.groups != 0;
            }
            let begins_sentence = word.sentence != sentence;
            sentence = word.sentence;
            let (start, end, after_break) = (start as u32, seen.classes.len() as u32, word.after_break);
            seen.words.push(SeenWord { start, end, begins_sentence, after_break, starts, marks, ahead: wide, near: wide });
        }
        let mut ahead = 0;
        for word in seen.words.iter_mut().rev() {
            word.ahead |= ahead;
            ahead = if word.begins_sentence { 0 } else { word.ahead };
        }
        // Each word takes over from one behind it, twice as far each time.
        let mut reach = 1;
        while reach < NEAR {
            for at in reach..list.len() {
                seen.words[at - reach].near |= seen.words[at].near;
            }
            reach *= 2;
        }
    }

    /// Finds the phrases that start with a word, in their order.
    fn start(&self, seen: &Seen, at: usize, open: &[(u32, usize)], found: &mut Vec<(u32, usize)>) {
        let is_open = |phrase: u32| open.iter().any(|(other, _)| *other == phrase);
        let word = &seen.words[at];
        let after = seen.after(at).map(|word| word.marks);
        for class in seen.classes(at) {
            let class = &self.classes[*class as usize];
            if class.groups == 0 {
                continue;
            }
            let groups = &self.groups[class.groups as usize..];
            let group = |at: usize| &self.starts[groups[at] as usize..groups[at + 1] as usize];
            for start in group(Follow::Nothing as usize) {
                if !is_open(start.phrase) {
                    found.push((start.phrase, at + 1));
                }
            }
            let mut run = |starts: &[Start]| {
                for start in starts {
                    let machine = &self.machines[start.phrase as usize];
                    // Many a phrase with a gap begins with a common word, and what would end it does not follow.
                    let follows = if machine.is_near { word.near & word.ahead } else { word.ahead };
                    if machine.ends & follows != 0
                        && !is_open(start.phrase)
                        && let Some(end) = self.run(machine, seen, at, start.places)
                    {
                        found.push((start.phrase, end));
                    }
                }
            };
            run(group(Follow::Whatever as usize));
            if let Some(after) = after {
                run(group(Follow::Word as usize));
                for bit in bits(after & class.begun) {
                    let before = (class.begun & ((1 << bit) - 1)).count_ones();
                    run(group(Follow::Marked as usize + before as usize));
                }
            }
        }
        if found.len() > 1 {
            // Two classes of the word may have started the same phrase.
            found.sort_unstable_by_key(|(phrase, end)| (*phrase, Reverse(*end)));
            found.dedup_by_key(|(phrase, _)| *phrase);
        }
    }

    /// The end of the longest match that starts with the word at `at` in these places.
    fn run(&self, machine: &Machine, seen: &Seen, mut at: usize, mut active: u64) -> Option<usize> {
        let next = &self.next[machine.next as usize..];
        let mut end = None;
        while active != 0 {
            if active & machine.last != 0 {
                end = Some(at + 1);
            }
            let Some(word) = seen.after(at) else { break };
            at += 1;
            let mut reachable = 0;
            for place in bits(active) {
                let (beside, across) = next[place];
                reachable |= if word.after_break { across } else { beside | across };
            }
            active = reachable & self.accepted(machine, word, seen.classes(at));
        }
        end
    }

    /// The places of a machine that accept a word.
    fn accepted(&self, machine: &Machine, word: &SeenWord, classes: &[u32]) -> u64 {
        let mut mask = machine.any;
        if machine.marks & word.marks == 0 {
            return mask;
        }
        let accepts = &self.accepts[machine.accepts as usize..machine.accepts_end as usize];
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
