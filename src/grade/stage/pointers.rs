//! Words that point back at one of two named things: `the former is 8.2 times larger and the latter 1.03 times`. They name what
//! the thing's own words name.

use std::ops::Range;

use crate::grade::clues::{Hit, Tag};
use crate::phrase::{Word, Words};

/// Words behind `the first` and `the second` with which these stand for what was named before, and are no first bucket.
const GO_ON: [&str; 34] = [
    "is",
    "are",
    "was",
    "grows",
    "grew",
    "goes",
    "gets",
    "rises",
    "rose",
    "stays",
    "remains",
    "becomes",
    "increases",
    "scales",
    "changes",
    "hardly",
    "barely",
    "by",
    "at",
    "takes",
    "costs",
    "comes",
    "makes",
    "one",
    "about",
    "roughly",
    "only",
    "almost",
    "just",
    "does",
    "has",
    "ist",
    "wächst",
    "bleibt",
];

/// Which of two things is pointed at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    First,
    Second,
}

/// Where pointing words stand.
pub(super) struct Place<'a> {
    /// Whether its part has items, so that `the first` is one of these.
    pub(super) itemized: bool,
    /// Whether an ask may be answered here.
    pub(super) asked: &'a dyn Fn(usize) -> bool,
}

/// The names that the pointing words of a line stand for.
pub(super) fn pointed(range: &Range<usize>, words: &Words, hits: &[Hit], place: &Place) -> Vec<Hit> {
    let list = words.within(range);
    let pointers = list.iter().enumerate().filter_map(|(at, word)| Some((word, points(words, list, at)?)));
    let pointers: Vec<(&Word, (Which, bool))> = pointers.filter(|(_, (_, ordinal))| !(*ordinal && place.itemized)).collect();
    // `The first` means one of two only where there is `the second` as well.
    let both = |which: Which| pointers.iter().any(|(_, (other, _))| *other == which);
    let paired = both(Which::First) && both(Which::Second);
    let mut found = Vec::new();
    let mut known: Option<[Range<usize>; 2]> = None;
    for (word, (which, ordinal)) in pointers {
        if ordinal && !paired {
            continue;
        }
        if which == Which::First || known.is_none() {
            known = two_things(words, range, hits, word.range.start, place.asked);
        }
        let Some(things) = &known else { continue };
        let thing = match which {
            Which::First => &things[0],
            Which::Second => &things[1],
        };
        let names = hits.iter().filter(|hit| thing.start <= hit.range.start && hit.range.end <= thing.end);
        let names = names.filter(|hit| matches!(hit.tag, Tag::Cue(_) | Tag::NotCue(_)));
        found.extend(names.map(|hit| Hit { range: word.range.clone(), ..hit.clone() }));
    }
    found
}

/// Whether a word points at the first or the second of two things, and whether as `the first` or `the second`.
fn points(words: &Words, list: &[Word], at: usize) -> Option<(Which, bool)> {
    let plain = |at: usize| list.get(at).map_or("", |word| words.plain(word));
    let stem = |stem: &str| plain(at).strip_prefix(stem).is_some_and(|ending| matches!(ending, "" | "r" | "s" | "n" | "m"));
    match plain(at) {
        "former" => Some((Which::First, false)),
        "latter" => Some((Which::Second, false)),
        _ if stem("erstere") => Some((Which::First, false)),
        _ if stem("letztere") => Some((Which::Second, false)),
        ordinal @ ("first" | "second") => {
            let goes_on = GO_ON.contains(&plain(at + 1)) || list.get(at + 1).is_some_and(Word::is_number);
            let stands = at > 0 && plain(at - 1) == "the" && goes_on;
            let which = if ordinal == "first" { Which::First } else { Which::Second };
            stands.then_some((which, true))
        }
        _ => None,
    }
}

/// The two things that are named before a place, in its sentence or from the sentence before on; `None` where there are more.
/// What is not asked there is no thing.
pub(in crate::grade) fn two_things(
    words: &Words,
    range: &Range<usize>,
    hits: &[Hit],
    at: usize,
    asked: &dyn Fn(usize) -> bool,
) -> Option<[Range<usize>; 2]> {
    let sentences = words.sentences();
    let here = words.sentence_at(at);
    let starts = [here, here.saturating_sub(1)].map(|sentence| sentences.get(sentence).map_or(range.start, |found| found.start));
    starts.into_iter().find_map(|start| {
        let named = named(hits, start.max(range.start)..at, asked);
        let (first, rest) = named.split_first()?;
        let apart = |one: &Named, other: &Named| !one.1.iter().any(|ask| other.1.contains(ask));
        let second = rest.iter().find(|thing| apart(first, thing))?;
        // A third thing that is neither of the two leaves it open which are meant.
        let third = rest.iter().any(|thing| apart(first, thing) && apart(second, thing));
        (!third).then(|| [first.0.clone(), second.0.clone()])
    })
}

/// Words that name something, and the asks that they may name.
type Named = (Range<usize>, Vec<usize>);

/// What is named in a stretch, in its order.
fn named(hits: &[Hit], stretch: Range<usize>, asked: &dyn Fn(usize) -> bool) -> Vec<Named> {
    let mut named: Vec<Named> = Vec::new();
    for hit in hits.iter().filter(|hit| stretch.start <= hit.range.start && hit.range.end <= stretch.end) {
        let Tag::Cue(ask) = hit.tag else { continue };
        if !asked(ask) {
            continue;
        }
        match named.last_mut() {
            Some((range, asks)) if hit.range.start < range.end => {
                range.end = range.end.max(hit.range.end);
                asks.push(ask);
            }
            _ => named.push((hit.range.clone(), vec![ask])),
        }
    }
    named
}
