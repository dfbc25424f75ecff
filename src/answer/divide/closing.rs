//! Labels that close what they name: `… both together 202.7 ms. (b)`, and the sentence that leads in with one: `Now the
//! time of the ring (b).`

use std::collections::BTreeSet;
use std::ops::Range;

use memchr::memchr_iter;
use smallvec::smallvec;

use crate::answer::divide::marks::Mark;
use crate::answer::divide::{Certainty, Outline, Sort, Target};
use crate::answer::{Answer, Block, Role};

/// So many parts have to be closed by their labels, in order, before one of them counts.
pub(super) const ENOUGH: usize = 3;
/// A sentence that only leads in is not longer.
const LEAD: usize = 90;

/// The parts whose labels stand at the ends of their paragraphs, each from the end of the one before. None where a label
/// begins any part, or where they do not count up.
pub(super) fn marks(answer: &Answer, outline: &Outline, lettered: &BTreeSet<usize>) -> Vec<Mark> {
    let prose = |block: &Block| matches!(block.role, Role::Paragraph | Role::Item { .. });
    let closed = answer.blocks.iter().enumerate().filter(|(_, block)| prose(block));
    let closed: Vec<(usize, usize)> = closed.filter_map(|(at, block)| Some((at, last(block.passage.text(), outline)?))).collect();
    let counts_up = closed.windows(2).all(|pair| pair[0].1 < pair[1].1);
    if !counts_up || closed.iter().any(|(_, part)| lettered.contains(part)) {
        return Vec::new();
    }
    let first = answer.blocks.iter().position(prose).unwrap_or_default();
    let starts = std::iter::once(first).chain(closed.iter().map(|(block, _)| block + 1));
    starts.zip(&closed).map(|(block, (_, part))| mark(block, *part)).collect()
}

/// The parts that the first sentence of a paragraph leads in to.
pub(super) fn leads(answer: &Answer, outline: &Outline) -> impl Iterator<Item = Mark> {
    answer.blocks.iter().enumerate().filter(|(_, block)| block.role == Role::Paragraph).filter_map(|(at, block)| {
        let text = block.passage.text();
        let head = &text[..text.floor_char_boundary(LEAD)];
        let stops = |end: &usize| matches!(head.as_bytes().get(end + 1), Some(b'.' | b':'));
        let sentence = memchr_iter(b')', head.as_bytes()).find(stops)? + 1;
        let part = last(&head[..sentence], outline)?;
        // `As in (b).` points back.
        let points =
            |word: &str| matches!(word.to_lowercase().as_str(), "as" | "in" | "from" | "see" | "of" | "part" | "aus" | "siehe" | "with");
        let before = head[..sentence].rsplit_once('(')?.0.split_whitespace().next_back()?;
        (!points(before)).then(|| mark(at, part))
    })
}

/// The part whose label, in brackets, is the last that a text says.
fn last(text: &str, outline: &Outline) -> Option<usize> {
    let inside = text.trim_end().strip_suffix(')')?;
    let (before, id) = inside.rsplit_once('(')?;
    let apart = before.ends_with(char::is_whitespace) && !before.trim().is_empty();
    outline.parts.iter().position(|part| part.id.eq_ignore_ascii_case(id.trim())).filter(|_| apart)
}

fn mark(block: usize, part: usize) -> Mark {
    let range: Range<usize> = 0..0;
    Mark { block, range, sort: Sort::Answer, targets: smallvec![Target { part, item: None }], certainty: Certainty::Likely }
}
