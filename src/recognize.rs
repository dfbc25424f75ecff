//! Finds the quantities in a passage, and the chains of work they stand in. Knows no drills, and never fails.
//!
//! ```text
//! text ─ scan ─▶ atoms (a number each, with its unit) ─ combine ─▶ ranges, ±, compounds, shares ─ mood ─▶ mentions ─ chain ─▶ chains
//! ```
//!
//! Every step walks forward once and looks at a bounded stretch around, so that the time is linear in the length of the
//! text, whatever the text.

mod blocks;
mod chain;
mod combine;
mod hint;
mod literal;
mod marks;
mod mood;
mod scan;
pub mod short;
mod skip;
mod tail;
mod words;

pub use blocks::{read, read_quantities, read_some};
pub use hint::without_unit;

use std::ops::Range;

use smallvec::SmallVec;

use crate::formula::{Expr, KnownNames};
use crate::quantity::{Loose, Number, Unit, Units, Written};
use crate::text::Passage;

use chain::Token;
use marks::Marks;
use scan::Atom;

/// What is known outside of a passage when it is read.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    /// The units that may be written.
    pub units: &'a Units,
    /// The symbols of the drill, which are no units where both are possible.
    pub symbols: &'a KnownNames,
    /// A unit that stands elsewhere and holds for bare numbers: that of a column, a row, a key.
    pub unit_hint: Option<Unit>,
}

/// What stands in a passage.
#[derive(Clone, Debug, Default)]
pub struct Recognized {
    /// The quantities, from left to right; none overlaps another.
    pub mentions: Vec<Mention>,
    /// The runs of expressions joined by equals signs.
    pub chains: Vec<Chain>,
}

/// A quantity that stands in a passage.
#[derive(Clone, Debug)]
pub struct Mention {
    /// The bytes of the passage: number, unit, and what belongs to them.
    pub range: Range<usize>,
    /// The bytes of the number alone.
    pub number: Range<usize>,
    /// The bytes of the unit, where one is written.
    pub unit: Option<Range<usize>>,
    /// The bytes of the noun of a count, or of a word that may be a unit nobody knows.
    pub noun: Option<Range<usize>>,
    /// Every fair reading, likeliest first; never empty. The ask decides between them, never the recognizer.
    pub readings: Readings,
    /// What kind of statement it is.
    pub kind: Kind,
    /// Whether it is marked as approximate (`~`, `about`).
    pub approximate: bool,
    /// Whether the text takes it back: denied, corrected. What is struck out is for the caller, who knows the markup.
    pub withdrawn: bool,
}

/// The fair readings of a quantity: nearly always one.
pub type Readings = SmallVec<[Reading; 1]>;

/// One way to understand a mention.
#[derive(Clone, Debug)]
pub struct Reading {
    /// In SI base units; of a range the lower end, of a ± the middle.
    pub value: Number,
    /// The upper end of a range.
    pub high: Option<Number>,
    /// The unit; `None` for a bare number.
    pub unit: Option<Unit>,
    /// The form in which the number was written.
    pub written: Written,
    /// How freely the spelling was taken (`gb` for `GB`), so that a grader can be told; `None` when it says just this.
    pub loose: Option<Loose>,
}

/// What kind of statement a mention is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A value.
    Exact,
    /// `3-5 ms`.
    Range,
    /// `12 ± 3 ms`: the half width, in SI base units.
    PlusMinus(Number),
    /// `at most 5 ms`.
    AtMost,
    /// `80+ GB`.
    AtLeast,
    /// `1 min 20 s`.
    Compound,
    /// `3 of 4`.
    Share,
}

/// A run of expressions joined by equals signs: `2·31·20 µs = 1240 µs = 1.24 ms`.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The bytes of the passage.
    pub range: Range<usize>,
    /// Its members from left to right.
    pub links: Vec<Link>,
}

/// One member of a chain.
#[derive(Clone, Debug)]
pub struct Link {
    /// The bytes of the passage.
    pub range: Range<usize>,
    /// What it says, where it could be parsed.
    pub expr: Option<Expr>,
    /// The mention it consists of, as an index, where it is a plain quantity.
    pub mention: Option<usize>,
    /// Whether it is tied to the member before it by `≈` rather than `=`.
    pub approximate: bool,
}

/// Room in which the numbers and the work of one passage after the other are put together.
#[derive(Default)]
struct Room {
    atoms: Vec<Atom>,
    tokens: Vec<Token>,
}

/// Reads a passage.
pub fn recognize(passage: &Passage, context: &Context) -> Recognized {
    recognize_among(passage, context, Marks::of(std::iter::once(passage)), &mut Room::default())
}

/// [`recognize`], for a passage that stands among others, whose decimal marks tell of its own.
fn recognize_among(passage: &Passage, context: &Context, marks: Marks, room: &mut Room) -> Recognized {
    let mentions = quantities_among(passage, context, marks, room);
    let chains = chain::chains(passage, &mentions, context, &mut room.tokens);
    Recognized { mentions, chains }
}

/// The quantities of a passage alone, without the work that they stand in.
pub fn quantities(passage: &Passage, context: &Context) -> Vec<Mention> {
    quantities_among(passage, context, Marks::of(std::iter::once(passage)), &mut Room::default())
}

/// [`quantities`], for a passage among others.
fn quantities_among(passage: &Passage, context: &Context, marks: Marks, room: &mut Room) -> Vec<Mention> {
    let (text, atoms) = (passage.text(), &mut room.atoms);
    atoms.clear();
    scan::atoms(text, context, marks, atoms);
    combine::combine(text, context.units, atoms);
    atoms.iter_mut().map(|atom| mention(text, context, atom)).collect()
}

/// What a number and its neighbors made, which is left without its readings.
fn mention(text: &str, context: &Context, atom: &mut Atom) -> Mention {
    let mood = mood::read(text, atom.range.start, atom.range.end);
    let kind = match atom.kind {
        Kind::Exact if mood.at_least => Kind::AtLeast,
        Kind::Exact if mood.at_most => Kind::AtMost,
        kind => kind,
    };
    let mut readings = std::mem::take(&mut atom.readings);
    if atom.unit.is_none() && readings[0].unit.is_none() {
        let near = || hint::before_number(context.units, text, atom.range.start);
        if let Some(unit) = near().or_else(|| context.unit_hint.clone()) {
            blocks::hinted(&mut readings, &unit);
        }
    }
    Mention {
        range: atom.range.clone(),
        number: atom.number.clone(),
        unit: atom.unit.clone(),
        noun: atom.noun.clone(),
        readings,
        kind,
        approximate: atom.approximate || mood.approximate,
        withdrawn: mood.withdrawn,
    }
}
