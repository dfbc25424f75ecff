//! Long lists of values in one line, whose commas keep them apart.

use std::ops::Range;

use crate::grade::scene::{Break, Depth, Line};

/// Lets commas keep the values of a long list apart like semicolons, where one line answers everything: `latency 1.24 ms,
/// bandwidth 201.5 ms, sum 202.7 ms, …`.
pub(super) fn part_list(line: &mut Line, values: &[Range<usize>]) {
    const FEWEST: usize = 7;
    const WORDS: usize = 5;
    let is_comma = |found: &Break| line.text().as_bytes().get(found.at) == Some(&b',');
    let commas: Vec<usize> = line.breaks.iter().filter(|found| is_comma(found)).map(|found| found.at).collect();
    if commas.len() + 1 < FEWEST {
        return;
    }
    let starts = std::iter::once(line.range.start).chain(commas.iter().map(|at| at + 1));
    let pieces: Vec<Range<usize>> = starts.zip(commas.iter().copied().chain([line.range.end])).map(|(from, to)| from..to).collect();
    let states = |piece: &&Range<usize>| values.iter().any(|value| piece.start <= value.start && value.end <= piece.end);
    let short = pieces.iter().filter(states).filter(|piece| line.words.within(piece).len() <= 2 * WORDS).count();
    if line.words.within(&line.range).len() > pieces.len() * WORDS || short * 4 < pieces.len() * 3 {
        return;
    }
    for found in line.breaks.iter_mut().filter(|found| commas.binary_search(&found.at).is_ok()) {
        found.depth = found.depth.max(Depth::Clause);
    }
}
