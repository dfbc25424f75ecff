//! An answer laid out for alignment: its lines, the numbers in them, the words that may name them, and what separates the
//! one from the other.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::{Deref, Range};
use std::sync::Arc;

use smallvec::SmallVec;

use crate::answer::Block;
use crate::drill::NameId;
use crate::grade::clues::{Hit, Sign, Tag};
use crate::grade::declared::Declared;
use crate::grade::telling::Telling;
use crate::grade::topic::Topic;
use crate::phrase::Words;
use crate::quantity::Number as Value;
use crate::recognize::{Chain, Mention};

/// Where something stands: in which part, and in which item of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    /// The part, as a place in [`Drill::parts`].
    pub(super) part: Option<usize>,
    /// The item inside it.
    pub(super) item: Option<usize>,
}

/// A stretch of an answer that is read in one go: a block, or what of it belongs to one part.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// The block, as a place in the answer's blocks.
    pub(super) block: usize,
    /// The block itself.
    pub(super) source: &'a Block,
    /// The bytes of the passage that belong to this line.
    pub(super) range: Range<usize>,
    /// Where it stands according to its labels.
    pub(super) spot: Spot,
    /// Whether its label says so, not only a topic or a guess.
    pub(super) firm: bool,
    /// The parts it may belong to: several where a student answers them together or where what a program printed stands
    /// between two of them; none where no label says.
    pub(super) parts: SmallVec<[usize; 4]>,
    /// In an answer in which no label says what stands where.
    pub(super) undivided: bool,
    /// In a row of a table that is called something else than the items that other rows of it are about.
    pub(super) other_row: bool,
    /// In a collection of results.
    pub(super) summary: bool,
    /// Before the first of its parts, where an answer has some.
    pub(super) preamble: bool,
    /// Not the student's own statement: a quotation, source code.
    pub(super) dead: bool,
    /// The words of its block.
    pub(super) words: Arc<Words>,
    /// What some of them tell by themselves.
    pub(super) telling: Telling,
    /// The phrases found in it, in the order of the text.
    pub(super) hits: Vec<Hit>,
    /// The bytes of the longest of them.
    pub(super) longest: usize,
    /// What kinds of them there are.
    pub(super) kinds: Kinds,
    /// The parts and items that they name; known when they are all there.
    pub(super) topics: OnceCell<Vec<Topic>>,
    /// The asks that they or the names of the line may name as surely as a symbol does; known likewise.
    pub(super) loud: OnceCell<Vec<usize>>,
    /// What separates, in the order of the text.
    pub(super) breaks: Vec<Break>,
    /// The numbers in it, as places in [`Scene::numbers`].
    pub(super) numbers: Range<usize>,
    /// What names this line: its heading, the names of its row and column, its key.
    pub(super) names: Vec<Name>,
    /// The asks that its row or column in a table rules out.
    pub(super) barred: BTreeSet<usize>,
    /// The asks that other columns of its table are named for, and its own is not.
    pub(super) outnamed: BTreeSet<usize>,
}

/// What kinds of phrases stand in a line: most lines have few, and what looks for others need not look.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kinds(u32);

impl Kinds {
    const VALUE: u32 = 1;
    const ITEM: u32 = 1 << 1;
    const LABEL: u32 = 1 << 2;
    const TOPIC: u32 = 1 << 3;
    const NOT_CUE: u32 = 1 << 4;

    /// The kinds of some phrases.
    pub(super) fn of(hits: &[Hit]) -> Kinds {
        let kind = |hit: &Hit| match hit.tag {
            Tag::ReadingWords(..) | Tag::MistakeWords(..) => Kinds::VALUE,
            Tag::Item(..) => Kinds::ITEM,
            Tag::Label(..) => Kinds::LABEL,
            Tag::Topic(..) => Kinds::TOPIC,
            Tag::NotCue(_) => Kinds::NOT_CUE,
            Tag::Sign(sign) => Kinds::sign(sign),
            _ => 0,
        };
        Kinds(hits.iter().fold(0, |kinds, hit| kinds | kind(hit)))
    }

    fn sign(sign: Sign) -> u32 {
        1 << (5 + sign as u32)
    }

    /// Whether some are values.
    pub(super) fn has_values(self) -> bool {
        self.0 & Kinds::VALUE != 0
    }

    /// Whether some say by which reading a value is right, or by which mistake it is wrong.
    pub(super) fn explain_values(self) -> bool {
        self.0 & (Kinds::VALUE | Kinds::LABEL) != 0
    }

    /// Whether some name parts or items.
    pub(super) fn has_topics(self) -> bool {
        self.0 & Kinds::TOPIC != 0
    }

    /// Whether some are the numbers of items.
    pub(super) fn has_items(self) -> bool {
        self.0 & Kinds::ITEM != 0
    }

    /// Whether some say of what is near them that it is not an ask's.
    pub(super) fn rule_out(self) -> bool {
        self.0 & Kinds::NOT_CUE != 0
    }

    /// Whether one of some signs is there.
    pub(super) fn has_any(self, signs: &[Sign]) -> bool {
        signs.iter().any(|sign| self.0 & Kinds::sign(*sign) != 0)
    }
}

/// Text that names a line.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// What it says; a heading names many lines.
    pub(super) title: Arc<Title>,
    /// Whether it is the head of the line's column, or the innermost key.
    pub(super) column: bool,
    /// How much it says about the line.
    pub(super) weight: f32,
}

impl Deref for Name {
    type Target = Title;

    fn deref(&self) -> &Title {
        &self.title
    }
}

/// What a text says that names lines.
#[derive(Clone, Debug)]
pub(super) struct Title {
    /// The text.
    pub(super) text: String,
    /// The phrases found in it.
    pub(super) hits: Vec<Hit>,
    /// The asks that it names as a symbol or a formula.
    pub(super) asks: Vec<usize>,
    /// The givens whose values stand in it: `P = 32`, `256 GPUs`.
    pub(super) givens: Vec<NameId>,
    /// Where it stands: the block and the bytes of its passage; `None` for a key.
    pub(super) place: Option<(usize, Range<usize>)>,
}

/// Something between two places of a line that keeps them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Break {
    /// Where.
    pub(super) at: usize,
    /// How much.
    pub(super) depth: Depth,
}

/// How far apart two places are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Depth {
    /// Side by side.
    None,
    /// A colon, an arrow, a bracket.
    Mark,
    /// A comma, an `and`.
    Comma,
    /// A semicolon, a dash, a `but`.
    Clause,
    /// The end of a sentence.
    Sentence,
    /// The end of the sentence before.
    Far,
}

/// How a number stands in the work around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// On its own.
    Free,
    /// The last member of a chain, or the only one that is a plain number.
    End,
    /// A member of a chain that is followed by another form of it.
    Member,
    /// Inside an expression.
    Operand,
}

/// Whether a number is spelled out without a unit or a noun: such words are seldom a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spoken {
    /// It has digits, a unit or a noun.
    No,
    /// `the efficiency is one.`
    Predicate,
    /// `half`, `a third`.
    Part,
    /// `two`.
    Whole,
}

/// That work goes on from a value before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GoesOn {
    /// That value, as a place in [`Scene::numbers`].
    pub(super) from: usize,
    /// How.
    pub(super) how: How,
}

/// How work goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// Something is added.
    Added,
    /// It is one of several equal pieces.
    Whole,
    /// Any other way.
    Worked,
}

/// A number in its surroundings.
#[derive(Debug)]
pub(super) struct Number {
    /// The line it stands in.
    pub(super) line: usize,
    /// What was recognized.
    pub(super) mention: Mention,
    /// How it stands in the work around it.
    pub(super) standing: Standing,
    /// The chain it stands in, as a place in [`Scene::chains`].
    pub(super) chain: Option<usize>,
    /// Where what leads to it begins: the start of its chain, or its own.
    pub(super) anchor: usize,
    /// Where it stands, by its labels and by the topics in the words before it.
    pub(super) spot: Spot,
    /// Whether the item of its spot was only told from the words.
    pub(super) soft: bool,
    /// Set in bold, boxed, or named the final value.
    pub(super) strong: bool,
    /// Introduced as a correction.
    pub(super) correction: bool,
    /// A conclusion from what stands before it.
    pub(super) conclusion: bool,
    /// A conclusion that says nothing but the value, so that it replaces what it was concluded from.
    pub(super) result: bool,
    /// A guess.
    pub(super) doubted: bool,
    /// In a sentence about another case.
    pub(super) supposed: bool,
    /// The number before which it is an alternative (`1.24 ms or 1.28 ms`), as a place in [`Scene::numbers`].
    pub(super) alternative_to: Option<usize>,
    /// An end of a bracket for two asks: the ask that it answers, and the one that the other end does.
    pub(super) bracket: Option<[usize; 2]>,
    /// What something else is compared with: the `400 ms` of `less than 400 ms`.
    pub(super) compared: bool,
    /// What something else is held against: the `267 ms` of `fits under 267 ms`.
    pub(super) yardstick: bool,
    /// Without a unit, but with the digits of a quantity that has one elsewhere.
    pub(super) shadow: bool,
    /// The given whose value it has.
    pub(super) is: Option<NameId>,
    /// Has the value of a given.
    pub(super) given: bool,
    /// Called by the symbol of the given whose value it has: `P = 32`.
    pub(super) called: bool,
    /// The given of which its sentence says that it holds: `at 256 GPUs`.
    pub(super) setting: Option<NameId>,
    /// What was before a change: the `1.24` of `goes from 1.24 to 10.2 ms`.
    pub(super) past: bool,
    /// What it was before the change that it is the end of: the 32 of `from 32 to 256 micro-batches`.
    pub(super) changed_from: Option<Value>,
    /// By how much something changes or differs: the `9 ms` of `longer by 9 ms`.
    pub(super) change: bool,
    /// A multiple of a symbol: `1.64 S*`.
    pub(super) multiple: bool,
    /// In a column of factors by which the rows have grown.
    pub(super) growth: bool,
    /// Whether it is spelled out, alone.
    pub(super) spoken: Spoken,
    /// The number right before it that it concludes from: `= 16000, so 16 kB`.
    pub(super) follows: Option<usize>,
    /// The number that it corrects or stands against, whose name is its own: `latency 1.28 ms. Oops: 1.24 ms`.
    pub(super) corrects: Option<usize>,
    /// Another number corrects it.
    pub(super) replaced: bool,
    /// Somebody else's word, or one that the student does not believe.
    pub(super) foreign: bool,
    /// The value before it that leads to it by work in words.
    pub(super) goes_on: Option<GoesOn>,
    /// Whether work goes on from it to another value.
    pub(super) led_on: bool,
    /// Taken back by the student: struck out, denied.
    pub(super) withdrawn: bool,
    /// Not the student's own statement: in a quotation, in source code, in what imitates a report on the answer.
    pub(super) dead: bool,
}

/// A chain in its line.
#[derive(Debug)]
pub(super) struct Work {
    /// The line.
    pub(super) line: usize,
    /// What was recognized; its links count mentions from the line's first number.
    pub(super) chain: Chain,
}

/// An answer laid out for alignment.
#[derive(Debug, Default)]
pub(super) struct Scene<'a> {
    /// In the order in which a reader sees them.
    pub(super) lines: Vec<Line<'a>>,
    /// All numbers, line by line.
    pub(super) numbers: Vec<Number>,
    /// All chains, line by line.
    pub(super) chains: Vec<Work>,
    /// The parts whose labels stand in the answer, whatever stands under them.
    pub(super) labeled: BTreeSet<usize>,
    /// The units that are declared for all values of a kind.
    pub(super) declared: Vec<Declared>,
}

/// Whether a sign that separates may begin with a byte: most of a text is told by it to be none.
static MAY_SEPARATE: [bool; 256] = {
    let bytes = [b' ', b':', b'(', b')', b'[', b']', b'>', b'\n', b',', b'\t', b';', b'|', b'-', 0xc2, 0xe2];
    let mut may = [false; 256];
    let mut at = 0;
    while at < bytes.len() {
        may[bytes[at] as usize] = true;
        at += 1;
    }
    may
};

/// Whether a line of a block begins a statement of its own: `bw : 8 * 201.5 ms`.
fn starts_anew(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    let name = line.find([':', '=']).map_or("", |at| line[..at].trim());
    !name.is_empty() && name.split_whitespace().count() <= 3
}

/// How far a sign keeps apart that does so only beside some others, or is none of ASCII's; it begins a text.
fn depth_of_sign(before: &str, text: &str) -> Depth {
    let Some(c) = text.chars().next() else { return Depth::None };
    let after = &text[c.len_utf8()..];
    match c {
        '→' | '⇒' => Depth::Mark,
        '>' if before.ends_with(['-', '=']) => Depth::Mark,
        '\n' if starts_anew(after) => Depth::Clause,
        '\n' => Depth::Comma,
        '—' | '•' => Depth::Clause,
        '·' if before.ends_with(' ') && after.starts_with(' ') => Depth::Clause,
        '–' | '-' | '−' if before.ends_with(char::is_whitespace) && after.starts_with(char::is_whitespace) => Depth::Clause,
        ' ' if before.ends_with("  ") && !before.ends_with("   ") => Depth::Mark,
        _ => Depth::None,
    }
}

impl Line<'_> {
    /// The text of the line's block; ranges count in it.
    pub(super) fn text(&self) -> &str {
        self.source.passage.text()
    }

    /// What separates places in this line, outside the numbers themselves: signs, words, and the ends of sentences.
    pub(super) fn find_breaks(text: &str, range: &Range<usize>, words: &Words, joints: &[Break], taken: &[Range<usize>]) -> Vec<Break> {
        let mut taken = taken.iter().peekable();
        let inside = &text.as_bytes()[range.clone()];
        // About as many as prose has.
        let mut breaks: Vec<Break> = Vec::with_capacity(joints.len() + inside.len() / 24);
        for (offset, byte) in inside.iter().enumerate() {
            // A single space separates only words.
            if !MAY_SEPARATE[usize::from(*byte)] || *byte == b' ' && (offset < 2 || inside[offset - 1] != b' ') {
                continue;
            }
            let at = range.start + offset;
            let depth = match byte {
                b':' | b'(' | b')' | b'[' | b']' => Depth::Mark,
                b',' | b'\t' => Depth::Comma,
                b';' | b'|' => Depth::Clause,
                _ => depth_of_sign(&text[range.start..at], &text[at..range.end]),
            };
            if depth == Depth::None {
                continue;
            }
            while taken.next_if(|taken| taken.end <= at).is_some() {}
            if taken.peek().is_none_or(|taken| at < taken.start) {
                breaks.push(Break { at, depth });
            }
        }
        breaks.extend_from_slice(joints);
        let sentences = words.sentences().get(1..).unwrap_or_default();
        let from = sentences.partition_point(|sentence| sentence.start < range.start);
        for sentence in sentences[from..].iter().take_while(|sentence| sentence.start < range.end) {
            breaks.push(Break { at: sentence.start, depth: Depth::Sentence });
        }
        breaks.sort_by_key(|found| found.at);
        breaks
    }

    /// Whether it is a cell in a column, or the value of a key, that says by how much something has grown.
    pub(super) fn is_of_growth(&self) -> bool {
        let growth = |name: &Name| {
            let sign = name.hits.iter().any(|hit| hit.tag == Tag::Sign(Sign::Growth));
            // `× S*`, `times_crossover`
            let times = ["×", "x ", "times ", "times_", "x_"].iter().any(|sign| name.text.starts_with(sign));
            name.column && name.text.len() < 32 && (sign || times)
        };
        self.names.iter().any(growth)
    }

    /// In which of the parts of the line that semicolons and the like keep apart a place stands.
    pub(super) fn clause_at(&self, at: usize) -> usize {
        self.breaks.iter().filter(|found| found.depth >= Depth::Clause && found.at <= at).count()
    }

    /// Whether a sign stands in a range of the line.
    pub(super) fn sign_in(&self, sign: Sign, range: Range<usize>) -> bool {
        let inside = || self.hits_from(range.start).take_while(|hit| hit.range.start < range.end);
        self.kinds.has_any(&[sign]) && inside().any(|hit| hit.tag == Tag::Sign(sign) && hit.range.end <= range.end)
    }

    /// The phrases that begin at a place or behind it.
    pub(super) fn hits_from(&self, at: usize) -> impl Iterator<Item = &Hit> {
        self.hits[self.hits.partition_point(|hit| hit.range.start < at)..].iter()
    }

    /// The phrases that a range overlaps.
    pub(super) fn hits_on(&self, range: &Range<usize>) -> impl Iterator<Item = &Hit> {
        let first = self.hits.partition_point(|hit| hit.range.start + self.longest < range.start);
        self.hits[first..].iter().take_while(|hit| hit.range.start < range.end).filter(|hit| range.start < hit.range.end)
    }

    /// What separates in a range.
    pub(super) fn breaks_in(&self, range: Range<usize>) -> impl Iterator<Item = &Break> {
        self.breaks[self.breaks.partition_point(|found| found.at < range.start)..].iter().take_while(move |found| found.at < range.end)
    }
}
