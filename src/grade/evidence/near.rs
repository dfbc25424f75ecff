//! What stands beside a number: words, other numbers and what keeps them apart, on either side, and what may be its name.

use std::ops::Range;

use smallvec::SmallVec;

use crate::grade::clues::{Hit, Tag};
use crate::grade::scene::{Break, Depth, Line, Number, Scene, Standing};

/// How telling words are at a distance.
pub(super) fn nearness(side: Side, depth: Depth) -> f32 {
    match (side, depth) {
        (Side::Before, Depth::None) => 6.0,
        (Side::Before, Depth::Mark) => 5.5,
        (Side::Before, Depth::Comma) => 4.0,
        (Side::Before, Depth::Clause) => 2.5,
        (Side::Before, Depth::Sentence) => 1.2,
        (Side::After, Depth::None) => 5.0,
        (Side::After, Depth::Mark) => 3.2,
        (Side::After, Depth::Comma) => 2.2,
        (Side::After, Depth::Clause) => 1.0,
        (Side::After, Depth::Sentence) | (_, Depth::Far) => 0.0,
    }
}

pub(super) fn deeper(so_far: Depth, found: Depth) -> Depth {
    if so_far >= Depth::Sentence && found == Depth::Sentence { Depth::Far } else { so_far.max(found) }
}

/// What stands beside a number.
pub(super) enum Event<'a> {
    Break(Depth),
    Number(&'a Number),
    Hit(&'a Hit),
}

/// What stands on one side of a place, outwards.
pub(super) struct Events<'a> {
    side: Side,
    edge: usize,
    breaks: &'a [Break],
    hits: &'a [Hit],
    numbers: &'a [Number],
}

impl<'a> Events<'a> {
    pub(super) fn new(scene: &'a Scene, line: &'a Line, edge: usize, side: Side) -> Events<'a> {
        let numbers = &scene.numbers[line.numbers.clone()];
        let breaks = line.breaks.split_at(line.breaks.partition_point(|found| found.at < edge));
        let hits = line.hits.split_at(line.hits.partition_point(|hit| hit.range.start < edge));
        match side {
            Side::Before => {
                let numbers = &numbers[..numbers.partition_point(|number| number.mention.range.end <= edge)];
                Events { side, edge, breaks: breaks.0, hits: hits.0, numbers }
            }
            Side::After => {
                let numbers = &numbers[numbers.partition_point(|number| number.mention.range.start < edge)..];
                Events { side, edge, breaks: breaks.1, hits: hits.1, numbers }
            }
        }
    }

    /// The phrases among the next so many events, and maybe some that are not.
    pub(super) fn nearest_hits(&self, most: usize) -> &'a [Hit] {
        match self.side {
            Side::Before => &self.hits[self.hits.len().saturating_sub(most)..],
            Side::After => &self.hits[..self.hits.len().min(most)],
        }
    }

    fn before(&mut self) -> Option<Event<'a>> {
        // What reaches over the place stands on neither side of it.
        while let Some((_, rest)) = self.hits.split_last().filter(|(hit, _)| hit.range.end > self.edge) {
            self.hits = rest;
        }
        // Nothing more stands at zero.
        let hit = self.hits.last().map_or(0, |hit| hit.range.start + 1);
        let number = self.numbers.last().map_or(0, |number| number.mention.range.start + 1);
        let found = self.breaks.last().map_or(0, |found| found.at + 1);
        // A break at the first letter of a word stands before the word.
        if hit >= number && hit >= found {
            self.hits.split_off_last().map(Event::Hit)
        } else if number >= found {
            self.numbers.split_off_last().map(Event::Number)
        } else {
            self.breaks.split_off_last().map(|found| Event::Break(found.depth))
        }
    }

    fn after(&mut self) -> Option<Event<'a>> {
        let found = self.breaks.first().map_or(usize::MAX, |found| found.at);
        let hit = self.hits.first().map_or(usize::MAX, |hit| hit.range.start);
        let number = self.numbers.first().map_or(usize::MAX, |number| number.mention.range.start);
        if found <= hit && found <= number {
            self.breaks.split_off_first().map(|found| Event::Break(found.depth))
        } else if hit <= number {
            self.hits.split_off_first().map(Event::Hit)
        } else {
            self.numbers.split_off_first().map(Event::Number)
        }
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        match self.side {
            Side::Before => self.before(),
            Side::After => self.after(),
        }
    }
}

/// Links at the head of a chain that may name what it works out.
const NAMES_OF_A_CHAIN: usize = 16;

/// What may be a name left of an equals sign (or colon) that leads to a number: members of its chain that are no plain
/// numbers, and the words right before it.
pub(super) fn left_of_equals(scene: &Scene, number: &Number, line: &Line) -> SmallVec<[Range<usize>; 6]> {
    let mut names = SmallVec::new();
    if number.standing == Standing::Operand {
        return names;
    }
    if let Some(chain) = number.chain {
        let links = &scene.chains[chain].chain.links;
        // What is being worked out is named at the head of a chain, however long that is.
        let before = links.iter().map(|link| link.range.clone()).filter(|range| range.end <= number.mention.range.start);
        names.extend(before.take(NAMES_OF_A_CHAIN));
    }
    let text = line.text();
    let before = text[line.range.start..number.anchor].trim_end();
    let Some(before) = before.strip_suffix(['=', ':', '≈', '→', '≔', '~']).map(|rest| rest.trim_end_matches([':', '&', ' '])) else {
        return names;
    };
    let end = line.range.start + before.len();
    // One word, or two, or all since the last separator: `S*`, `lat term`, `T / 400`.
    let mut start = end;
    for _ in 0..4 {
        let head = text[line.range.start..start].trim_end();
        let Some(at) = head.char_indices().rev().take_while(|(_, c)| !c.is_whitespace()).last().map(|(at, _)| at) else { break };
        start = line.range.start + at;
        let name = text[start..end].trim_start_matches(['*', '-', '•', '\n', ' ']);
        // The last term of a sum is not what it comes to: `T = L + V ≈ 0.2 s`.
        if !ends_in_operator(&text[line.range.start..end - name.len()]) {
            names.push(end - name.len()..end);
        }
        if text[start..].starts_with(['(', ',']) {
            break;
        }
    }
    names
}

/// What an operand is called that begins the work behind a colon, where that says how many there are: `1 MiB buckets: 2480 ×
/// 1.24 ms`.
pub(super) fn counted_name(line: &Line, number: &Number) -> Option<Range<usize>> {
    if number.standing != Standing::Operand || number.mention.unit.is_some() || number.mention.range.start != number.anchor {
        return None;
    }
    let before = line.text()[line.range.start..number.anchor].trim_end().strip_suffix(':')?.trim_end();
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().filter(|word| word.len() > 1)?;
    let end = line.range.start + before.len();
    Some(end - word.len()..end)
}

/// Whether a text ends in a sign of arithmetic behind something that it works on; a dash at the start of a line is none.
fn ends_in_operator(text: &str) -> bool {
    let text = text.trim_end_matches(' ');
    // `162.5 x latency`
    let times = [" x", " times", "x"].iter().find_map(|times| text.strip_suffix(times));
    times.is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_digit()))
        || text.strip_suffix(['+', '-', '−', '·', '×', '*', '/']).is_some_and(|rest| {
            let rest = rest.trim_end_matches(' ');
            rest.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '*' | '\''))
        })
}

/// A symbol right before a number, where nothing but it can be meant: `bw/lat 162`, `T/C 0.507`, and at the start of a clause
/// `lat 1.24 ms`, `min 48 MB`.
pub(super) fn right_before(line: &Line, number: &Number) -> Option<Range<usize>> {
    if number.standing == Standing::Operand {
        return None;
    }
    let head = &line.text()[line.range.start..number.mention.range.start];
    let text = head.trim_end_matches(' ');
    if text.len() == head.len() {
        return None;
    }
    let start = text.rfind([' ', '\n', '\t', '(']).map_or(0, |at| at + 1);
    let word = &text[start..];
    let before = text[..start].trim_end_matches(' ');
    let opens = before.is_empty() || before.ends_with(['.', ',', ';', ':', '\n', '(', '|', '>', '→', '⇒']);
    let is_symbol = word.contains(['/', '_', '*']) && !word.starts_with(|c: char| c.is_ascii_digit());
    let fits = word.len() > 1 && word.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '*' | '⋆' | '\''));
    (fits && (is_symbol || opens)).then(|| line.range.start + start..line.range.start + text.len())
}

/// Whether words right beside a number say that it is not an ask's: `1.32 ms each` of a total.
pub(in crate::grade) fn is_ruled_out(line: &Line, number: &Number, ask: usize) -> bool {
    if !line.kinds.rule_out() {
        return false;
    }
    let bytes = line.text().as_bytes();
    let range = &number.mention.range;
    let blank = |byte: &&u8| **byte == b' ';
    // What stands beside it with nothing but room between.
    let first = range.start - bytes[..range.start].iter().rev().take_while(blank).count();
    let last = range.end + bytes[range.end..].iter().take_while(blank).count();
    let against = |hit: &Hit| hit.tag == Tag::NotCue(ask);
    let mut behind = line.hits_from(range.end).take_while(|hit| hit.range.start <= last);
    let mut before = line.hits.iter().take_while(|hit| hit.range.start < range.start);
    behind.any(against) || before.any(|hit| against(hit) && (first..=range.start).contains(&hit.range.end))
}

/// Whether a name is only the end of words that name another ask, or that say it is not this one: the `overlap` of `eff.
/// without any overlap = 66.4 %`.
pub(super) fn is_part_of_other_words(line: &Line, range: &Range<usize>, ask: usize) -> bool {
    let longer = |hit: &&Hit| hit.range.end == range.end && hit.range.start < range.start;
    let others = line.hits.iter().filter(longer).filter(|hit| match hit.tag {
        Tag::Cue(other) => other != ask,
        Tag::NotCue(other) => other == ask,
        _ => false,
    });
    let own = |words: &Hit| {
        line.hits.iter().any(|hit| hit.tag == Tag::Cue(ask) && hit.range.start <= words.range.start && hit.range.end == range.end)
    };
    others.into_iter().any(|words| !own(words))
}

/// The numbers of a line on either side of where words begin.
pub(super) struct Beside<'a> {
    numbers: &'a [Number],
    /// So many of them begin before.
    before: usize,
}

impl<'a> Beside<'a> {
    pub(super) fn of(scene: &'a Scene, line: &Line, hit: &Hit) -> Beside<'a> {
        let numbers = &scene.numbers[line.numbers.clone()];
        Beside { numbers, before: numbers.partition_point(|number| number.mention.range.start < hit.range.start) }
    }

    /// The last one before.
    pub(super) fn before(&self) -> Option<&'a Number> {
        self.numbers[..self.before].last()
    }

    /// The first one of those that are not before.
    pub(super) fn after(&self) -> Option<&'a Number> {
        self.behind().first()
    }

    /// All that are not before.
    pub(super) fn behind(&self) -> &'a [Number] {
        &self.numbers[self.before..]
    }

    /// Whether the words stand in the unit of another number: the `MiB` of `2.6 GB (2479.6 MiB)`.
    pub(super) fn is_unit_of_another(&self, hit: &Hit) -> bool {
        self.before().is_some_and(|number| number.mention.number.end <= hit.range.start && hit.range.start < number.mention.range.end)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Before,
    After,
}
