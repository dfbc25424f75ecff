//! The matcher: all phrases at once, word by word.

use std::borrow::Cow;
use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use crate::phrase::pairs::{Next, Pairs};
use crate::phrase::vocabulary::{Classes, Vocabulary};
use crate::phrase::words::{Word, Words};
use crate::phrase::{Groups, Hit, Phrase, Place};

/// Many phrases, compiled into one matcher.
#[derive(Clone, Debug, Default)]
pub struct Phrases {
    /// Tells it from every other one.
    id: u64,
    vocabulary: Vocabulary,
    machines: Vec<Machine>,
    /// What may follow each place of each machine: side by side, and across a comma.
    next: Vec<(u64, u64)>,
    /// Which places of each machine accept a word of a class; of one machine ascending by class.
    accepts: Vec<(u32, u64)>,
    /// By kind of words.
    kinds: Vec<Kind>,
    /// What words of each kind begin, follow and end.
    bearings: Vec<u32>,
    /// By first word, and one more.
    firsts: Vec<First>,
    alone: Vec<Alone>,
    loose: Vec<Loose>,
    /// By loose phrase, side by side: most are in no group that is searched for.
    loose_groups: Vec<Groups>,
    /// The words that may be the last of each phrase.
    lasts: Vec<u32>,
    last_count: u32,
    pairs: Pairs,
}

/// A phrase, ready to run.
#[derive(Clone, Copy, Debug)]
struct Machine {
    /// Where its entries begin in [`Phrases::next`], and in [`Phrases::accepts`]; they end where the next one's begin.
    next: u32,
    accepts: u32,
    accepts_end: u32,
    /// Where its last words begin in [`Phrases::lasts`].
    lasts: u32,
    lasts_end: u32,
    /// How many words the last one may be behind the first.
    reach: u32,
    first: u64,
    last: u64,
    any: u64,
    /// The marks of all classes that it accepts somewhere.
    marks: u64,
}

/// What the matcher knows of the words of a kind.
#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    /// Where its bearings are: the first words that they are, then the second words, then the last words.
    bearings: u32,
    firsts: u16,
    seconds: u16,
    lasts: u16,
    /// The marks of the second words that they are.
    seconds_marks: u64,
    /// The marks of their classes.
    marks: u64,
}

/// A class of words with which some phrases begin.
#[derive(Clone, Copy, Debug, Default)]
struct First {
    /// Where the phrases begin that are this word alone, and those that are loose behind it; they end where the next one's begin.
    alone: u32,
    loose: u32,
    /// The marks of the second words of all others: nearly always the word after tells that none of them stands here.
    marks: u64,
}

/// A phrase that a word alone is.
#[derive(Clone, Copy, Debug)]
struct Alone {
    phrase: u32,
    groups: Groups,
}

/// A phrase that goes on with any word, or with one of very many, or may stop behind the first.
#[derive(Clone, Copy, Debug)]
struct Loose {
    phrase: u32,
    /// Whether it may stop at once: then it is found whatever comes.
    may_stop: bool,
    /// The places that the first word takes.
    places: u64,
}

/// What a search needs room for.
#[derive(Default)]
struct Room {
    /// The kinds of the words of the text.
    kinds: Vec<u32>,
    /// By last word: the nearest one ahead. Words are counted on from search to search, so that nothing has to be cleared: what
    /// a search finds here of the ones before lies behind it.
    nearest: Vec<u32>,
    counted: u32,
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

/// What was found in a text, for whoever asks again.
#[derive(Clone, Debug)]
pub(super) struct Searched {
    matcher: u64,
    groups: Groups,
    hits: Vec<Hit>,
}

/// A text as the matcher sees it.
#[derive(Clone, Copy)]
struct Seen<'w> {
    words: &'w [Word],
    kinds: &'w [u32],
    groups: Groups,
}

/// Of a phrase that begins with one of many words, and goes on with one of many, no more pairs are listed: it is loose.
const MOST_PAIRS: usize = 256;

/// From so many classes on it takes longer to spell them out than to begin a thread for it.
const MANY: usize = 500;

thread_local! {
    /// What the last search has left.
    static ROOM: Cell<Room> = Cell::default();
}

impl Phrases {
    /// Compiles phrases; hits name them by their place in this order.
    pub fn compile<'a>(phrases: impl IntoIterator<Item = &'a Phrase, IntoIter: Clone>) -> Phrases {
        Phrases::grouped(phrases.into_iter().map(|phrase| (phrase, Groups::ALL)))
    }

    /// The same for phrases of several groups, so that a search can be for some of them only.
    pub fn grouped<'a>(phrases: impl IntoIterator<Item = (&'a Phrase, Groups), IntoIter: Clone>) -> Phrases {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let phrases = phrases.into_iter();
        let (classes, of_patterns) = Classes::of_phrases(phrases.clone().map(|(phrase, _)| phrase));
        let mut compiled = Phrases { id: NEXT.fetch_add(1, Ordering::Relaxed), ..Phrases::default() };
        let mut begun = Begun::of(classes.count());
        compiled.vocabulary = thread::scope(|scope| {
            // Whoever opens a drill waits for its many words.
            let vocabulary = (classes.count() > MANY).then(|| scope.spawn(|| Vocabulary::of(&classes)));
            let mut of_patterns = of_patterns.into_iter();
            for (index, (phrase, groups)) in phrases.enumerate() {
                let machine = compiled.add(phrase, &mut of_patterns, &mut begun);
                compiled.begin(phrase, index as u32, groups, &machine, &mut begun);
            }
            compiled.sort(&mut begun);
            match vocabulary {
                Some(vocabulary) => vocabulary.join().unwrap_or_else(|panic| resume_unwind(panic)),
                None => Vocabulary::of(&classes),
            }
        });
        compiled.bear(&begun);
        compiled
    }

    /// Adds a phrase, with the classes of its patterns.
    fn add(&mut self, phrase: &Phrase, classes: &mut impl Iterator<Item = Option<u32>>, begun: &mut Begun) -> Machine {
        let (next, accepts) = (self.next.len() as u32, self.accepts.len());
        self.next.extend(phrase.places.iter().map(|place| (place.next, place.next_across)));
        let mut any = 0;
        for (pattern, class) in phrase.patterns.iter().zip(classes) {
            let bit = 1 << pattern.place;
            let Some(class) = class else {
                any |= bit;
                continue;
            };
            match self.accepts[accepts..].binary_search_by_key(&class, |(class, _)| *class) {
                Ok(at) => self.accepts[accepts + at].1 |= bit,
                Err(at) => self.accepts.insert(accepts + at, (class, bit)),
            }
        }
        let lasts = self.lasts.len() as u32;
        let all = &self.accepts[accepts..];
        self.lasts.extend(all.iter().filter(|(_, places)| places & phrase.last != 0).map(|(class, _)| begun.lasts.give(*class)));
        let machine = Machine {
            next,
            accepts: accepts as u32,
            accepts_end: self.accepts.len() as u32,
            lasts,
            lasts_end: self.lasts.len() as u32,
            reach: phrase.places.len() as u32 - 1,
            first: phrase.first,
            last: phrase.last,
            any,
            marks: all.iter().fold(0, |marks, (class, _)| marks | mark(*class)),
        };
        self.machines.push(machine);
        machine
    }

    /// Notes with which words a phrase begins, and what has to follow each.
    fn begin(&mut self, phrase: &Phrase, index: u32, groups: Groups, machine: &Machine, begun: &mut Begun) {
        let accepts = &self.accepts[machine.accepts as usize..machine.accepts_end as usize];
        let count = |places: u64| accepts.iter().filter(|(_, accepted)| accepted & places != 0).count();
        let firsts = count(phrase.first);
        for &(class, places) in accepts {
            let places = places & phrase.first;
            if places == 0 {
                continue;
            }
            let first = begun.firsts.give(class);
            let (beside, across) = reachable(&phrase.places, places);
            let may_stop = places & phrase.last != 0;
            if beside | across == 0 {
                begun.alone.push((first, Alone { phrase: index, groups }));
            } else if may_stop || (beside | across) & machine.any != 0 || firsts * count(beside | across) > MOST_PAIRS {
                begun.loose.push((first, Loose { phrase: index, may_stop, places }, groups));
            } else {
                for &(second, follows) in accepts.iter().filter(|(_, places)| places & (beside | across) != 0) {
                    let (places, across) = (follows & (beside | across), follows & across);
                    let (further, further_across) = reachable(&phrase.places, places);
                    let further = further | further_across;
                    let is_whole = further == 0 && (across == 0 || across == places);
                    // It may stop here, or go on with any word.
                    let third = match places & phrase.last == 0 && further & machine.any == 0 {
                        true => {
                            accepts.iter().filter(|(_, places)| places & further != 0).fold(0, |marks, (class, _)| marks | mark(*class))
                        }
                        false => u64::MAX,
                    };
                    let next = Next { phrase: index, groups, places, third, is_beside: across == 0, is_whole };
                    begun.pairs.push((first, begun.seconds.give(second), next));
                }
            }
        }
    }

    /// Puts what the phrases begin with in order.
    fn sort(&mut self, begun: &mut Begun) {
        begun.alone.sort_unstable_by_key(|(first, alone)| (*first, alone.phrase));
        begun.loose.sort_unstable_by_key(|(first, loose, _)| (*first, loose.phrase));
        self.firsts = vec![First::default(); begun.firsts.count as usize + 1];
        for (first, second, _) in &begun.pairs {
            self.firsts[*first as usize].marks |= mark(*second);
        }
        let (mut alone, mut loose) = (0, 0);
        for (at, first) in self.firsts.iter_mut().enumerate() {
            (first.alone, first.loose) = (alone as u32, loose as u32);
            alone += begun.alone[alone..].iter().take_while(|(of, _)| *of as usize == at).count();
            loose += begun.loose[loose..].iter().take_while(|(of, ..)| *of as usize == at).count();
        }
        self.alone = begun.alone.drain(..).map(|(_, alone)| alone).collect();
        (self.loose, self.loose_groups) = begun.loose.drain(..).map(|(_, loose, groups)| (loose, groups)).unzip();
        self.pairs = Pairs::of(&begun.pairs);
        self.last_count = begun.lasts.count;
    }

    /// Works out what bears on the words of each kind.
    fn bear(&mut self, begun: &Begun) {
        for kind in self.vocabulary.kinds() {
            let at = self.bearings.len() as u32;
            let mut add = |numbers: &Numbers| {
                let before = self.bearings.len();
                self.bearings.extend(kind.iter().filter_map(|class| numbers.of(*class)));
                // No word has more stems than letters, and no phrase has that many letters.
                (self.bearings.len() - before) as u16
            };
            let (firsts, seconds, lasts) = (add(&begun.firsts), add(&begun.seconds), add(&begun.lasts));
            let seconds_at = at as usize + firsts as usize;
            let all = |numbers: &[u32]| numbers.iter().fold(0, |marks, number| marks | mark(*number));
            let seconds_marks = all(&self.bearings[seconds_at..seconds_at + seconds as usize]);
            self.kinds.push(Kind { bearings: at, firsts, seconds, lasts, seconds_marks, marks: all(kind) });
        }
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
        self.search(words, Groups::ALL)
    }

    /// The same for the phrases of some groups, and maybe others; what is found stays with the words for whoever asks next.
    pub fn find_among<'w>(&self, words: &'w Words, groups: Groups) -> Cow<'w, [Hit]> {
        let searched = words.searched.get_or_init(|| Searched { matcher: self.id, groups, hits: self.search(words, groups) });
        if searched.matcher == self.id && searched.groups.contain(groups) {
            return Cow::Borrowed(&searched.hits);
        }
        Cow::Owned(self.search(words, groups))
    }

    fn search(&self, words: &Words, groups: Groups) -> Vec<Hit> {
        if self.is_empty() {
            return Vec::new();
        }
        let list = words.list();
        let mut room = ROOM.take();
        self.vocabulary.know(words, &mut room.kinds);
        self.find_all(list, groups, &mut room);
        let Room { found, open, .. } = &mut room;
        let mut hits = Vec::with_capacity(found.len());
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
            hits.push(Hit { phrase: phrase as usize, range: list[at].range.start..list[end - 1].range.end, words: at..end });
        }
        ROOM.set(room);
        hits
    }

    /// Finds what starts with each word, be it open or not: from the last word to the first, for then it is known of each last
    /// word how far ahead it is.
    fn find_all(&self, words: &[Word], groups: Groups, room: &mut Room) {
        let Room { kinds, nearest, counted, found, .. } = room;
        let seen = Seen { words, kinds, groups };
        if nearest.len() < self.last_count as usize {
            nearest.resize(self.last_count as usize, 0);
        }
        // Nothing that was found before is as far as the first word.
        if counted.checked_add(words.len() as u32).is_none() {
            nearest.fill(0);
            *counted = 0;
        }
        let first = *counted + 1;
        *counted += words.len() as u32;
        found.clear();
        let mut end = words.len();
        let mut next: Option<&Kind> = None;
        let mut sentence = usize::MAX;
        for (at, word) in words.iter().enumerate().rev() {
            if word.sentence != sentence {
                sentence = word.sentence;
                (end, next) = (at + 1, None);
            }
            let kind = &self.kinds[kinds[at] as usize];
            let here = first + at as u32;
            for last in self.lasts_of(kind) {
                nearest[*last as usize] = here;
            }
            if kind.firsts > 0 {
                let reach = (end - at - 1) as u32;
                let ahead = Ahead { at, end, next, nearest, here, reach };
                self.start(kind, &seen, &ahead, found);
            }
            next = Some(kind);
        }
    }

    /// Finds the phrases that start with a word of a kind.
    fn start(&self, kind: &Kind, seen: &Seen, ahead: &Ahead, found: &mut Vec<Found>) {
        let from = found.len();
        let at = ahead.at as u32;
        let mut add = |phrase: u32, end: Option<usize>| found.extend(end.map(|end| Found { at, phrase, end: end as u32 }));
        for &number in self.firsts_of(kind) {
            let (first, after) = (&self.firsts[number as usize], &self.firsts[number as usize + 1]);
            for alone in &self.alone[first.alone as usize..after.alone as usize] {
                if alone.groups.meet(seen.groups) {
                    add(alone.phrase, Some(ahead.at + 1));
                }
            }
            let loose = first.loose as usize..after.loose as usize;
            for (loose, groups) in self.loose[loose.clone()].iter().zip(&self.loose_groups[loose]) {
                if groups.meet(seen.groups) {
                    let machine = &self.machines[loose.phrase as usize];
                    if loose.may_stop || self.may_end(machine, ahead) {
                        add(loose.phrase, self.run(machine, seen, ahead.at, ahead.end, loose.places));
                    }
                }
            }
            let Some(next) = ahead.next.filter(|next| next.seconds_marks & first.marks != 0) else { continue };
            let after_break = seen.words[ahead.at + 1].after_break;
            let third = if ahead.reach > 1 { self.kinds[seen.kinds[ahead.at + 2] as usize].marks | WORD } else { NONE };
            for &second in self.seconds_of(next) {
                for next in self.pairs.of_two(number, second) {
                    if !next.groups.meet(seen.groups) || next.third & third == 0 || after_break && next.is_beside {
                        continue;
                    }
                    if next.is_whole {
                        add(next.phrase, Some(ahead.at + 2));
                        continue;
                    }
                    let machine = &self.machines[next.phrase as usize];
                    if next.third == u64::MAX && !self.may_end(machine, ahead) {
                        continue;
                    }
                    // What may stand behind a comma is not told apart in the places of the second word.
                    let end = match after_break {
                        false => self.run(machine, seen, ahead.at + 1, ahead.end, next.places),
                        true => self.run(machine, seen, ahead.at, ahead.end, machine.first & self.accepted(machine, seen.kinds[ahead.at])),
                    };
                    add(next.phrase, end);
                }
            }
        }
        // A word of two classes may start a phrase as either, and a next word may go on with it as either.
        if found.len() > from + 1 {
            let sorted = &mut found[from..];
            sorted.sort_unstable_by_key(|found| (found.phrase, u32::MAX - found.end));
            let mut kept = from;
            for other in from + 1..found.len() {
                if found[other].phrase != found[kept].phrase {
                    kept += 1;
                    found[kept] = found[other];
                }
            }
            found.truncate(kept + 1);
        }
    }

    /// Whether a word is in reach that may be the last of a phrase: many begin with common words, and what would end them does
    /// not follow.
    fn may_end(&self, machine: &Machine, ahead: &Ahead) -> bool {
        let lasts = &self.lasts[machine.lasts as usize..machine.lasts_end as usize];
        let reach = machine.reach.min(ahead.reach);
        lasts.iter().any(|last| ahead.nearest[*last as usize].wrapping_sub(ahead.here) <= reach)
    }

    /// The end of the longest match of a phrase of which the word at a place takes these places, in a sentence with this end.
    fn run(&self, machine: &Machine, seen: &Seen, mut at: usize, sentence_end: usize, mut active: u64) -> Option<usize> {
        let next = &self.next[machine.next as usize..];
        let mut end = None;
        while active != 0 {
            at += 1;
            if active & machine.last != 0 {
                end = Some(at);
            }
            if at == sentence_end {
                break;
            }
            let after_break = seen.words[at].after_break;
            let mut reachable = 0;
            for place in bits(active) {
                let (beside, across) = next[place];
                reachable |= if after_break { across } else { beside | across };
            }
            active = reachable & self.accepted(machine, seen.kinds[at]);
        }
        end
    }

    /// The places of a machine that accept a word of a kind.
    fn accepted(&self, machine: &Machine, kind: u32) -> u64 {
        let mut mask = machine.any;
        if machine.marks & self.kinds[kind as usize].marks == 0 {
            return mask;
        }
        let accepts = &self.accepts[machine.accepts as usize..machine.accepts_end as usize];
        for class in self.vocabulary.classes_of(kind) {
            // Most phrases have few words, which are looked through faster than halved.
            if accepts.len() <= 8 {
                mask |= accepts.iter().filter(|(accepted, _)| accepted == class).fold(0, |mask, (_, places)| mask | places);
            } else if let Ok(at) = accepts.binary_search_by_key(class, |(class, _)| *class) {
                mask |= accepts[at].1;
            }
        }
        mask
    }

    fn firsts_of(&self, kind: &Kind) -> &[u32] {
        &self.bearings[kind.bearings as usize..][..kind.firsts as usize]
    }

    fn seconds_of(&self, kind: &Kind) -> &[u32] {
        &self.bearings[kind.bearings as usize + kind.firsts as usize..][..kind.seconds as usize]
    }

    fn lasts_of(&self, kind: &Kind) -> &[u32] {
        &self.bearings[kind.bearings as usize + kind.firsts as usize + kind.seconds as usize..][..kind.lasts as usize]
    }
}

/// The places that may follow some places of a phrase: side by side, and across a comma.
fn reachable(all: &[Place], places: u64) -> (u64, u64) {
    bits(places).map(|at| &all[at]).fold((0, 0), |(beside, across), place| (beside | place.next, across | place.next_across))
}

/// The places of the bits that are set.
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

/// How many marks there are for numbers: several share one.
const MARKS: u32 = 62;
/// The mark of any word, and that of none.
const WORD: u64 = 1 << MARKS;
const NONE: u64 = WORD << 1;

/// The mark of a number.
fn mark(number: u32) -> u64 {
    1 << (number % MARKS)
}

/// A word and what comes after it.
struct Ahead<'r> {
    at: usize,
    /// One past the last word of its sentence.
    end: usize,
    /// The next word of its sentence.
    next: Option<&'r Kind>,
    /// See [`Room::nearest`].
    nearest: &'r [u32],
    /// Its number there.
    here: u32,
    /// How many words of its sentence follow.
    reach: u32,
}

/// With which words phrases begin, while they are compiled.
struct Begun {
    firsts: Numbers,
    seconds: Numbers,
    lasts: Numbers,
    alone: Vec<(u32, Alone)>,
    loose: Vec<(u32, Loose, Groups)>,
    pairs: Vec<(u32, u32, Next)>,
}

impl Begun {
    fn of(classes: usize) -> Begun {
        let numbers = || Numbers { of: vec![None; classes], count: 0 };
        Begun { firsts: numbers(), seconds: numbers(), lasts: numbers(), alone: Vec::new(), loose: Vec::new(), pairs: Vec::new() }
    }
}

/// Numbers for some classes, without gaps, in the order in which they come up.
struct Numbers {
    of: Vec<Option<u32>>,
    count: u32,
}

impl Numbers {
    fn give(&mut self, class: u32) -> u32 {
        *self.of[class as usize].get_or_insert_with(|| {
            self.count += 1;
            self.count - 1
        })
    }

    fn of(&self, class: u32) -> Option<u32> {
        self.of[class as usize]
    }
}
