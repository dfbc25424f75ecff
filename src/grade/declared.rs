//! Units that an answer declares once for all its values: `all times in ms`, `sizes are given in MB`.

use crate::grade::scene::{Line, Scene};
use crate::grade::telling;
use crate::quantity::{Dimension, Unit, Units};

/// What is spoken of when a unit is declared for it: the words of [`telling::MEASURED`].
const WHAT: [&str; 16] = [
    "times",
    "durations",
    "latencies",
    "sizes",
    "volumes",
    "values",
    "numbers",
    "results",
    "everything",
    "all",
    "fractions",
    "percentages",
    "zeiten",
    "größen",
    "werte",
    "angaben",
];
/// What may stand between that and the `in`.
const BETWEEN: [&str; 10] = ["are", "is", "given", "below", "here", "always", "stated", "sind", "stets", "alle"];
/// So much of a line is looked through: who declares a unit does so at its beginning.
const REACH: usize = 400;

/// A unit and the part for which it is declared; without one, for the whole answer.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    part: Option<usize>,
    unit: Unit,
}

/// What the lines of an answer declare.
pub(super) fn find(scene: &Scene, units: &Units) -> Vec<Declared> {
    scene.lines.iter().filter(|line| !line.dead).flat_map(|line| of_line(line, units)).collect()
}

/// The unit of a dimension that is declared for a part, where only one is.
pub(super) fn unit_for(declared: &[Declared], part: Option<usize>, dimension: Dimension) -> Option<&Unit> {
    let mut found = declared.iter().filter(|one| one.unit.dimension == dimension && (one.part.is_none() || one.part == part));
    let first = &found.next()?.unit;
    found.all(|other| other.unit.symbol == first.symbol).then_some(first)
}

fn of_line(line: &Line, units: &Units) -> Vec<Declared> {
    // Most lines have no such words.
    if !line.telling.has(telling::IN | telling::MEASURED) {
        return Vec::new();
    }
    let text = &line.text()[line.range.clone()];
    let end = text.ceil_char_boundary(REACH);
    let text = &text[..end];
    let bytes = text.as_bytes();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let what = |before: &str| before.split_whitespace().rev().map(bare).find(|word| !BETWEEN.contains(&word.as_str()));
    let unit = |at: usize| {
        let (before, after) = (&text[..at], text.get(at + 2..)?);
        let alone =
            bytes[at + 1].eq_ignore_ascii_case(&b'n') && before.ends_with(char::is_whitespace) && after.starts_with(char::is_whitespace);
        let declares = || what(before).is_some_and(|what| WHAT.contains(&what.as_str()));
        let spelling = after.split_whitespace().next().filter(|_| alone && declares())?;
        units.read(spelling.trim_matches(['.', ',', ';', ':', ')', '(', '*', '`'])).into_iter().next()
    };
    let ins = memchr::memchr2_iter(b'i', b'I', bytes);
    ins.filter_map(|at| Some(Declared { part: line.spot.part, unit: unit(at)? })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::telling::Telling;
    use crate::phrase::Words;

    #[test]
    fn every_line_that_may_declare_a_unit_is_read() {
        for what in WHAT {
            let text = format!("{what} in ms");
            assert!(Telling::of(&Words::of(&text), &(0..text.len())).has(telling::IN | telling::MEASURED), "{what}");
        }
    }
}
