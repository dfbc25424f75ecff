//! The numbered items inside a part: under numbers, under words such as `Fix 1`, or under their topics.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

use smallvec::smallvec;

use crate::answer::Answer;
use crate::answer::Role;
use crate::answer::divide::label::{self, Style};
use crate::answer::divide::marks::{Mark, number, target};
use crate::answer::divide::places::{Place, Stand};
use crate::answer::divide::topic::Topics;
use crate::answer::divide::{Certainty, Outline, Part, Sort, Target};
use crate::text::sentences;

/// How far into a sentence an item's topic may begin, in words.
const WITHIN: usize = 5;

/// The marks of the parts, with those of their items in between.
pub(super) fn with_items(answer: &Answer, outline: &Outline, topics: &Topics, places: &[Place], parts: Vec<Mark>) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        let part = parts[at].targets.first().map(|target| target.part);
        let Some(part) = part.filter(|&part| parts[at].targets.len() == 1 && !outline.parts[part].items.is_empty()) else {
            marks.push(parts[at].clone());
            at += 1;
            continue;
        };
        // A part's extent: its mark, and marks of its items that were labels of their own.
        let mut end = at + 1;
        while parts.get(end).is_some_and(|mark| mark.targets.first().is_some_and(|target| target.part == part)) {
            end += 1;
        }
        let own = &parts[at..end];
        let from = (own[0].block, own[0].range.end);
        let to = parts.get(end).map_or((answer.blocks.len(), 0), |mark| (mark.block, mark.range.start));
        let Part { items, asks_itself, .. } = &outline.parts[part];
        let labeled = own[0].targets[0].item;
        let sentences = OnceCell::new();
        let extent = Extent { answer, part, items: items.len(), asks_itself: *asks_itself, labeled, from, to, sentences };
        marks.extend(own.iter().cloned());
        if own.iter().any(|mark| mark.targets[0].item.is_some()) {
            let numbered = extent.numbered(outline, places);
            let known: BTreeSet<&[Target]> = own.iter().map(|mark| mark.targets.as_slice()).collect();
            marks.extend(numbered.into_iter().filter(|mark| !known.contains(mark.targets.as_slice())));
        } else {
            let numbered = extent.numbered(outline, places);
            marks.extend(if numbered.is_empty() { extent.unnumbered(topics) } else { numbered });
        }
        at = end;
    }
    marks.sort_by_key(|mark| (mark.block, mark.range.start, mark.range.end));
    marks
}

/// Where a part stands in the answer.
struct Extent<'a> {
    answer: &'a Answer,
    part: usize,
    items: usize,
    /// Whether the part asks for something besides its items.
    asks_itself: bool,
    /// The item that the part's label names itself.
    labeled: Option<usize>,
    /// Block and byte.
    from: (usize, usize),
    to: (usize, usize),
    /// Its sentences, when they are first asked for: the block of each, and its bytes there.
    sentences: OnceCell<Vec<(usize, Range<usize>)>>,
}

impl Extent<'_> {
    /// The bytes of a block that belong to the part.
    fn range(&self, block: usize) -> Range<usize> {
        let start = if block == self.from.0 { self.from.1 } else { 0 };
        let end = if block == self.to.0 { self.to.1 } else { self.answer.blocks[block].passage.text().len() };
        start..end.max(start)
    }

    fn blocks(&self) -> Range<usize> {
        self.from.0..(self.to.0 + usize::from(self.to.1 > 0)).min(self.answer.blocks.len())
    }

    fn sentences(&self) -> &[(usize, Range<usize>)] {
        self.sentences.get_or_init(|| {
            let of = |block: usize| {
                let extent = self.range(block);
                let found = sentences(&self.answer.blocks[block].passage.text()[extent.clone()]);
                found.into_iter().map(move |sentence| (block, extent.start + sentence.start..extent.start + sentence.end))
            };
            self.blocks().flat_map(of).collect()
        })
    }

    fn mark(&self, block: usize, range: Range<usize>, item: usize, certainty: Certainty) -> Mark {
        let targets = smallvec![Target { part: self.part, item: Some(item) }];
        Mark { block, range, sort: Sort::Answer, targets, certainty }
    }

    /// Items under numbers, if these number the items and not something else.
    fn numbered(&self, outline: &Outline, places: &[Place]) -> Vec<Mark> {
        let mut found: Vec<Mark> = Vec::new();
        let mut named = false;
        let mut depth = None;
        let own = self.blocks().rev().find(|block| self.answer.blocks[*block].quoted == 0).filter(|_| !self.answers_between(places));
        let first = places.partition_point(|place| (place.block, place.range.start) < self.from && place.block < self.from.0);
        for place in &places[first..] {
            let here = (place.block, place.range.start);
            if here >= self.to {
                break;
            }
            // The marker of the very item that the part's label stands in is the part's.
            if here < self.from || place.range.is_empty() && place.block == self.from.0 {
                continue;
            }
            // What is numbered in a quotation is the question, where words of the student's own follow.
            if self.answer.blocks[place.block].quoted > 0 && own.is_some_and(|own| place.block < own) {
                continue;
            }
            let words = place.label.style == Style::Measure;
            let own = target(place, outline).filter(|target| target.part == self.part).and_then(|target| target.item);
            let number = number(place).and_then(|number| number.checked_sub(1));
            let Some(item) = own.or(number) else { continue };
            if let Stand::Marker(level) = place.stand {
                if depth.is_some_and(|depth| level > depth) {
                    continue;
                }
                depth = Some(level);
            }
            if item >= self.items {
                if !words && own.is_none() {
                    return Vec::new();
                }
                continue;
            }
            let next = found.last().and_then(|mark| mark.targets[0].item).or(self.labeled).map_or(0, |item| item + 1);
            if place.stand == Stand::Inside && own.is_none() && item != next {
                continue;
            }
            named |= words || own.is_some();
            found.push(self.mark(place.block, place.range.clone(), item, Certainty::Sure));
        }
        found.extend(self.measures(found.is_empty()));
        // A list that begins at `3.` is the third item alone.
        let marked = |mark: &Mark| {
            let place = places.iter().find(|place| place.block == mark.block && place.range == mark.range);
            let text = self.answer.blocks[mark.block].passage.text();
            let first = mark.block == self.from.0 && text[self.from.1..mark.range.start].trim().is_empty();
            place.is_some_and(|place| matches!(place.stand, Stand::Marker(1)) || place.stand == Stand::Line && first)
        };
        let starts = found.first().is_some_and(marked)
            || found.first().is_some_and(|mark| mark.targets[0].item == Some(self.labeled.map_or(0, |item| item + 1)));
        if starts || named || found.len() > 1 { found } else { Vec::new() }
    }

    /// Whether each item is quoted right above its own answer, so that the numbers in the quotations are the labels.
    fn answers_between(&self, places: &[Place]) -> bool {
        let quoted = |block: usize| self.answer.blocks[block].quoted > 0;
        let inside = places.iter().filter(|place| {
            (place.block, place.range.start) >= self.from && (place.block, place.range.start) < self.to && quoted(place.block)
        });
        let mut items: Vec<(usize, usize)> = Vec::new();
        for place in inside {
            let Some(item) = number(place).and_then(|number| number.checked_sub(1)) else { continue };
            if item == items.len() {
                items.push((place.block, item));
            }
        }
        let own = |from: usize, to: usize| (from..to).any(|block| !quoted(block));
        items.len() == self.items && items.windows(2).all(|pair| own(pair[0].0, pair[1].0))
    }

    /// `Fix 2: …` at the start of a sentence.
    fn measures(&self, look: bool) -> Vec<Mark> {
        let mut found = Vec::new();
        for (block, sentence) in if look { self.sentences() } else { &[] } {
            let start = sentence.start;
            let Some(label) = label::label(&self.answer.blocks[*block].passage.text()[sentence.clone()], false) else { continue };
            let item = label.path[0].parse::<usize>().ok().and_then(|number| number.checked_sub(1)).filter(|&item| item < self.items);
            if let (Style::Measure, Some(item)) = (label.style, item) {
                found.push(self.mark(*block, start + label.range.start..start + label.range.end, item, Certainty::Sure));
            }
        }
        found
    }

    /// Items without numbers: one behind the other, or under their topics, or, if these name at most one, in the order of `First`
    /// and `Second`.
    fn unnumbered(&self, topics: &Topics) -> Vec<Mark> {
        let topical = self.topical(topics);
        let turns = self.in_turn();
        let turn_of = |mark: &Mark| turns.iter().rfind(|turn| turn.range.start <= mark.range.start).map(|turn| &turn.targets);
        if !turns.is_empty() && topical.iter().all(|mark| turn_of(mark) == Some(&mark.targets)) {
            return turns;
        }
        let distinct: BTreeSet<Option<usize>> = topical.iter().map(|mark| mark.targets[0].item).collect();
        let ordinal = self.ordinal();
        // Where every item is counted, the words behind say nothing more surely.
        if ordinal.len() == self.items && ordinal.windows(2).all(|pair| pair[0].targets[0].item < pair[1].targets[0].item) {
            return ordinal;
        }
        if distinct.len() >= 2 {
            topical
        } else if ordinal.len() >= 2 {
            ordinal
        } else {
            topical
        }
    }

    /// Items in a single line, between semicolons, where there are as many as are asked for: `12.7 %; unchanged; 3.9 %, but …`.
    fn in_turn(&self) -> Vec<Mark> {
        let text = |block: usize| &self.answer.blocks[block].passage.text()[self.range(block)];
        let mut blocks = self.blocks().filter(|block| !text(*block).trim().is_empty());
        let (Some(block), None) = (blocks.next(), blocks.next()) else { return Vec::new() };
        let (text, start) = (text(block), self.range(block).start);
        if text.trim().contains('\n') {
            return Vec::new();
        }
        let mut starts = vec![0];
        let mut open = 0_usize;
        for (at, c) in text.char_indices() {
            match c {
                '(' | '[' => open += 1,
                ')' | ']' => open = open.saturating_sub(1),
                ';' if open == 0 => starts.push(at + 1),
                _ => {}
            }
        }
        let first = usize::from(self.asks_itself);
        let says = |(at, start): (usize, &usize)| {
            let end = starts.get(at + 1).map_or(text.len(), |next| next - 1);
            !text[*start..end].trim().is_empty()
        };
        if starts.len() != self.items + first || !starts.iter().enumerate().all(says) {
            return Vec::new();
        }
        let items = starts.into_iter().skip(first).enumerate();
        items.map(|(item, at)| self.mark(block, start + at..start + at, item, Certainty::Likely)).collect()
    }

    /// Items in the order of `First` and `Second`.
    fn ordinal(&self) -> Vec<Mark> {
        let mut found: Vec<Mark> = Vec::new();
        let mut labels = true;
        for (block, range) in self.sentences() {
            let sentence = &self.answer.blocks[*block].passage.text()[range.clone()];
            let Some(item) = label::ordinal(sentence).filter(|&item| item < self.items) else { continue };
            // Out of order they count where each is a label: `The third: … The first: …`.
            labels &= sentence.split([' ', '\n']).take(2).any(|word| word.ends_with([':', ',']));
            let known = found.iter().any(|mark: &Mark| mark.targets[0].item == Some(item));
            if !known && (labels || item == found.len()) {
                found.push(self.mark(*block, range.start..range.start, item, Certainty::Likely));
            }
        }
        found
    }

    /// Items under their topics: where a block, a line, or (going forward) a sentence begins with one.
    fn topical(&self, topics: &Topics) -> Vec<Mark> {
        let mut found: Vec<Mark> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut current = None;
        // The question above the answer names every item.
        let own = self.blocks().rev().find(|block| self.answer.blocks[*block].quoted == 0);
        for (block, sentence) in self.sentences() {
            let (text, quoted) = (self.answer.blocks[*block].passage.text(), self.answer.blocks[*block].quoted);
            let asks = quoted > 0 && own.is_some_and(|own| *block < own);
            if asks || matches!(self.answer.blocks[*block].role, Role::Cell { .. } | Role::Entry(_) | Role::Code(_)) {
                continue;
            }
            let start = sentence.start;
            let Some(item) = topics.item(self.part, &text[sentence.clone()], WITHIN) else { continue };
            let extent = self.range(*block);
            let first = extent.start + (extent.len() - text[extent.clone()].trim_start().len());
            let before = text[..start].trim_end_matches([' ', '\t']);
            let opens = before.is_empty() || before.ends_with('\n') || start == first;
            if current == Some(item) || !opens && (current.is_some_and(|current| item < current) || seen.contains(&item)) {
                continue;
            }
            current = Some(item);
            seen.insert(item);
            found.push(self.mark(*block, start..start, item, Certainty::Likely));
        }
        found
    }
}
