//! From the blocks of an answer to what stands in them: struck-out text is withdrawn, and a number in a table cell or
//! behind a key takes the unit of its column, its row, or its key.

use std::collections::{BTreeMap, BTreeSet};

use crate::answer::{Answer, Block, Role};
use crate::formula::KnownNames;
use crate::quantity::{Unit, Units};
use crate::text::Passage;

use super::hint;
use super::marks::Marks;
use super::{Context, Mention, Reading, Readings, Recognized, Room, quantities_among, recognize_among};

/// What stands in each block of an answer, in the order of the blocks.
pub fn read(answer: &Answer, units: &Units, symbols: &KnownNames) -> Vec<Recognized> {
    read_some(answer, units, symbols, |_| true)
}

/// [`read`], with nothing in the blocks that nobody asks about.
pub fn read_some(answer: &Answer, units: &Units, symbols: &KnownNames, asked: impl Fn(usize) -> bool) -> Vec<Recognized> {
    let (tables, marks) = (Tables::of(&answer.blocks, units), marks(&answer.blocks));
    let blocks = answer.blocks.iter().enumerate();
    let mut room = Room::default();
    let read = blocks.map(|(at, block)| {
        if !asked(at) {
            return Recognized::default();
        }
        let context = tables.context(at, block, units, symbols);
        if block.struck.is_empty() {
            let mut found = recognize_among(&block.passage, &context, marks, &mut room);
            settle(&mut found.mentions, block);
            return found;
        }
        let [kept, struck] = apart(block).map(|passage| recognize_among(&passage, &context, marks, &mut room));
        let mut found = joined(kept, struck);
        settle(&mut found.mentions, block);
        found
    });
    read.collect()
}

/// [`read`] without the chains: the quantities alone, block by block as they are asked for.
pub fn read_quantities<'a>(
    blocks: &'a [Block],
    units: &'a Units,
    symbols: &'a KnownNames,
) -> impl Iterator<Item = (&'a Block, Vec<Mention>)> {
    let (tables, marks) = (Tables::of(blocks, units), marks(blocks));
    let mut room = Room::default();
    blocks.iter().enumerate().map(move |(at, block)| {
        let mut mentions = quantities_among(&block.passage, &tables.context(at, block, units, symbols), marks, &mut room);
        settle(&mut mentions, block);
        (block, mentions)
    })
}

/// The text of a block without what is struck out, and what is struck out without the rest, each byte in its place: a number that
/// replaces another is not written on to it, as in `~~325~~ 162.5`.
fn apart(block: &Block) -> [Passage; 2] {
    let text = block.passage.text();
    let [mut kept, mut struck] = [(); 2].map(|()| String::with_capacity(text.len()));
    let write = |part: &str, into: &mut String, other: &mut String| {
        into.push_str(part);
        other.extend(part.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    };
    let mut at = 0;
    for range in &block.struck {
        let (start, end) = (range.start.max(at), range.end.max(at));
        write(&text[at..start], &mut kept, &mut struck);
        write(&text[start..end], &mut struck, &mut kept);
        at = end;
    }
    write(&text[at..], &mut kept, &mut struck);
    [kept, struck].map(|text| Passage::verbatim(&text, 0))
}

/// What was found in two texts of which one has its words where the other has none.
fn joined(one: Recognized, other: Recognized) -> Recognized {
    let mut mentions: Vec<(usize, bool, Mention)> =
        one.mentions.into_iter().enumerate().map(|(at, mention)| (at, false, mention)).collect();
    mentions.extend(other.mentions.into_iter().enumerate().map(|(at, mention)| (at, true, mention)));
    mentions.sort_by_key(|(_, _, mention)| mention.range.start);
    let mut place = [BTreeMap::new(), BTreeMap::new()];
    for (new, (old, second, _)) in mentions.iter().enumerate() {
        place[usize::from(*second)].insert(*old, new);
    }
    let mut chains = Vec::with_capacity(one.chains.len() + other.chains.len());
    for (mut chain, place) in
        one.chains.into_iter().map(|chain| (chain, &place[0])).chain(other.chains.into_iter().map(|chain| (chain, &place[1])))
    {
        for link in &mut chain.links {
            link.mention = link.mention.and_then(|old| place.get(&old).copied());
        }
        chains.push(chain);
    }
    chains.sort_by_key(|chain| chain.range.start);
    Recognized { mentions: mentions.into_iter().map(|(_, _, mention)| mention).collect(), chains }
}

/// The decimal marks of all blocks: those of one tell how another is meant.
fn marks(blocks: &[Block]) -> Marks {
    Marks::of(blocks.iter().map(|block| &block.passage))
}

/// What only the block tells of its quantities: what is struck out is taken back, and what numbers a section is none.
fn settle(mentions: &mut Vec<Mention>, block: &Block) {
    if matches!(block.role, Role::Heading(_)) && mentions.first().is_some_and(|first| numbers_section(block.passage.text(), first)) {
        mentions.remove(0);
    }
    if block.struck.is_empty() {
        return;
    }
    for mention in mentions {
        mention.withdrawn |= block.struck.iter().any(|struck| struck.start < mention.range.end && mention.range.start < struck.end);
    }
}

/// Whether a quantity at the start of a heading is the number of its section: `3 Results`.
fn numbers_section(heading: &str, first: &Mention) -> bool {
    let title = heading[first.number.end..].trim_start_matches(' ');
    let mut letters = title.chars().take_while(|c| c.is_alphabetic());
    let named = letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase);
    first.range.start == 0 && first.unit.is_none() && first.number.len() <= 2 && named
}

/// The units that stand in headers, in row names, and in cells of their own.
#[derive(Default)]
struct Tables {
    /// By table and column.
    columns: BTreeMap<(usize, usize), Unit>,
    /// The columns of factors, by table and column: what their rows measure is no unit of theirs.
    factors: BTreeSet<(usize, usize)>,
    /// By table and row, where the first cell names one.
    rows: BTreeMap<(usize, usize), Unit>,
    /// By block: the unit in the cell to its right, when that holds nothing else.
    beside: BTreeMap<usize, Unit>,
}

impl Tables {
    fn of(blocks: &[Block], units: &Units) -> Tables {
        let mut tables = Tables::default();
        for (at, block) in blocks.iter().enumerate() {
            let Role::Cell { table, row, column, header } = block.role else { continue };
            let text = block.passage.text();
            if header {
                if let Some(unit) = hint::of_label(units, text) {
                    tables.columns.insert((table, column), unit);
                } else if is_factor(text) {
                    tables.factors.insert((table, column));
                }
            } else if column == 0 {
                // A row that is called by a single letter, `g` or `(g)`, answers the part of that letter.
                let letter = text.trim_matches(|c: char| c.is_ascii() && !c.is_alphanumeric()).chars().count() == 1;
                let named = !letter && !text.starts_with(|c: char| c.is_ascii_digit());
                if let Some(unit) = hint::of_label(units, text).filter(|_| named) {
                    tables.rows.insert((table, row), unit);
                }
            } else if !text.starts_with(|c: char| c.is_ascii_digit())
                && let Some(unit) = units.read(text).into_iter().next()
            {
                let left = at.checked_sub(1).filter(
                    |&left| matches!(blocks[left].role, Role::Cell { table: other, row: same, .. } if other == table && same == row),
                );
                if let Some(left) = left {
                    tables.beside.insert(left, unit);
                }
            }
        }
        tables
    }

    /// What is known when a block is read.
    fn context<'a>(&self, at: usize, block: &Block, units: &'a Units, symbols: &'a KnownNames) -> Context<'a> {
        Context { units, symbols, unit_hint: self.hint(at, block, units) }
    }

    /// The unit that holds for the bare numbers of a block.
    fn hint(&self, at: usize, block: &Block, units: &Units) -> Option<Unit> {
        match &block.role {
            Role::Cell { table, row, column, header: false } => {
                let row = self.rows.get(&(*table, *row)).filter(|_| *column > 0 && !self.factors.contains(&(*table, *column)));
                let column = self.columns.get(&(*table, *column));
                // A share is one whatever its row or column measures: the `T/C (%)` under `ms`.
                let share = |unit: &&Unit| unit.dimension.is_none();
                let unit = row.filter(share).or(column).or(row);
                self.beside.get(&at).or(unit).cloned()
            }
            Role::Entry(keys) => keys.iter().rev().find_map(|key| hint::of_key(units, key)),
            _ => None,
        }
    }
}

/// Whether a column is headed as one of factors: `factor`, `change`, `×`, `256/32`.
fn is_factor(header: &str) -> bool {
    const NAMES: [&str; 12] =
        ["factor", "growth", "change", "ratio", "speedup", "speed-up", "faktor", "wachstum", "änderung", "verhältnis", "×", "x"];
    let header = header.trim().to_lowercase();
    let quotient = header.split_once('/').is_some_and(|(over, under)| {
        let number = |text: &str| text.trim().bytes().all(|byte| byte.is_ascii_digit()) && !text.trim().is_empty();
        number(over) && number(under)
    });
    quotient || header.split([' ', '(']).any(|word| NAMES.contains(&word))
}

/// Puts a reading in another unit first.
pub(super) fn hinted(readings: &mut Readings, unit: &Unit) {
    let first = &readings[0];
    let hinted = Reading {
        value: first.value * unit.factor,
        high: first.high.map(|high| high * unit.factor),
        unit: Some(unit.clone()),
        written: crate::quantity::Written { last_place: first.written.last_place * unit.factor, ..first.written },
        loose: Some(crate::quantity::Loose::Shared),
    };
    readings.insert(0, hinted);
}
