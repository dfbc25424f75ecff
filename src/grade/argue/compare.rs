//! Comparisons that a text makes between two quantities, in words or in signs, and whether they hold.
//!
//! `203 ms hide behind the 267 ms`, `203 < 267`, `der Verkehr ist kürzer als der Rückwärtslauf`. A quantity is a number with
//! its unit, or words that stand for one (`means` in the rubric). What is compared is worked out, never matched: a comparison
//! holds, does not hold, or nobody can tell, because words may stand for several quantities or the sentence is hedged.

use std::ops::Range;
use std::sync::LazyLock;

use smallvec::SmallVec;

use crate::drill::Concepts;
use crate::grade::argue::prose::{Prose, Token};
use crate::grade::argue::small_words::{AFTER_BREAK, CONJUNCTION, HEAD, NEGATOR, NUMBER};
use crate::phrase::Marks;
use crate::quantity::{Base, Dimension};

/// Two quantities, and what the text says of them.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    /// From the first of the two to the second.
    pub tokens: Range<usize>,
    /// The one of which it is said that it is smaller.
    pub small: Range<usize>,
    /// The other.
    pub large: Range<usize>,
    /// Whether that is so; `None` where nobody can tell.
    pub holds: Option<bool>,
    /// Whether the text says so itself, without an *if* or a *must*.
    pub asserted: bool,
    /// Whether it is the student's own word, be it a condition.
    pub own: bool,
}

/// A quantity of the text.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    /// Its words.
    pub tokens: Range<usize>,
    /// What it may be.
    pub values: SmallVec<[Value; 2]>,
    /// Whether words stand for it and not a number.
    pub named: bool,
}

/// What a quantity may be, from the lowest to the highest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    low: f64,
    high: f64,
    /// `None` for a bare number.
    dimension: Option<Dimension>,
    /// The size of its unit.
    unit: f64,
}

/// A word or sign that compares what stands before it with what comes after it.
#[derive(Clone, Debug)]
struct Relation {
    range: Range<usize>,
    says: Says,
    /// Whether it says what hides where: then it may be denied for another reason than size.
    hides: bool,
    /// Whether a number right before it is a difference: `6 ms more than`.
    measured: bool,
}

/// What is said of the first quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Smaller,
    Larger,
    /// Smaller as a time, larger as a rate.
    Faster,
    /// The other way round.
    Slower,
}

/// How many words may stand between a relation and what it compares.
const BEFORE: usize = 9;
const AFTER: usize = 6;

/// The words by which a comparison is known, each list with its bit.
static RELATING: LazyLock<Marks> = LazyLock::new(|| Marks::of_texts(RELATIONS));
const SMALLER: u64 = 1;
const LARGER: u64 = 2;
const FASTER: u64 = 4;
const SLOWER: u64 = 8;
const EXCEEDS: u64 = 16;
const FITS: u64 = 32;
const HIDES: u64 = 64;
const COVERS: u64 = 128;
const INTO: u64 = 256;
const BELOW: u64 = 512;
const ABOVE: u64 = 1024;
const LIES: u64 = 2048;
const HEDGES: u64 = 4096;
const WEAK: u64 = 8192;
const PRONOUNS: u64 = 16384;
const PARTS: u64 = 32768;

const RELATIONS: &[&str] = &[
    "less smaller shorter lower fewer weniger kleiner kürzer kuerzer geringer niedriger",
    "more larger longer greater bigger higher mehr größer groesser grösser länger laenger höher hoeher",
    "faster quicker schneller",
    "slower langsamer",
    "exceed exceeds exceeding exceeded surpass surpasses übersteigt uebersteigt überschreitet übertrifft",
    // What lies where it takes no more than there is.
    "fit fits fitting squeeze squeezes passt passen",
    "\
     hide hides hidden hiding disappear disappears vanish vanishes versteckt verstecken verbirgt verborgen verschwindet \
     verschwinden",
    "hide hides cover covers swallow swallows mask masks absorb absorbs covered swallowed masked absorbed verdeckt",
    "behind under underneath beneath below in inside within into by hinter unter innerhalb von",
    "below under within inside unter",
    "above beyond über",
    // After these, `below` and `above` compare.
    "\
     is are lies lie stays stay remains remain well far just comfortably clearly way slightly still ist sind liegt liegen bleibt \
     bleiben",
    // With one of these ahead, a comparison is a condition, a guess or a wish.
    "\
     if unless whether when once until must should would could might may need needs required requires condition provided assuming \
     suppose solange wenn ob muss müssen müsste sollte würde könnte maybe perhaps probably",
    // Words that say neither yes nor no.
    "hardly barely scarcely kaum almost nearly partly partially fast teilweise roughly",
    // What stands for something said before: nobody knows here for what.
    "it they this these those we he es sie das dies",
    // A part of a quantity is not compared as the whole.
    "\
     half twice third quarter double times half each per hälfte doppelt last final first rest tail remaining remainder exposed \
     part letzte letzten",
];

/// The words that may stand between words for a quantity and the number that is said of it.
static SAYING: LazyLock<Marks> = LazyLock::new(|| {
    Marks::of_texts(&[
        // What may stand between words for a quantity and the number that is said of it.
        "is takes lasts needs has offers gives provides = ≈ dauert beträgt ist hat braucht are take last was took",
        "\
     pass time window phase computation itself here only just about roughly approximately ca around some nur etwa rund circa ~ the \
     merely alone exactly actually gerade genau",
    ])
});
const SAID_OF: u64 = 1;

/// Every comparison of a text, in its order. `named` are the words that stand for quantities, with their concept.
pub(super) fn find(
    prose: &Prose,
    concepts: &Concepts,
    named: &[(Range<usize>, usize)],
    own: &dyn Fn(usize) -> Option<f64>,
) -> Vec<Comparison> {
    let mut reader = Reader { prose, operands: Vec::new() };
    let mut relations: Vec<(Relation, &Range<usize>)> = Vec::new();
    for sentence in &prose.sentences {
        let mut at = sentence.start;
        while at < sentence.end {
            at += 1;
            if let Some(relation) = reader.relation(at - 1, sentence) {
                at = relation.range.end.max(at);
                relations.push((relation, sentence));
            }
        }
    }
    // Most texts compare nothing, whatever quantities there are.
    if relations.is_empty() && named.is_empty() {
        return Vec::new();
    }
    reader.operands = operands(prose, concepts, named, own);
    let compared = relations.iter().filter_map(|(relation, sentence)| reader.compare(relation, sentence));
    let said = reader.operands.iter().filter(|operand| operand.named).filter_map(|operand| reader.said_of(operand));
    compared.chain(said).collect()
}

/// The quantities of a text in its order. `named` are words that stand for quantities: their tokens and their concept.
fn operands(prose: &Prose, concepts: &Concepts, named: &[(Range<usize>, usize)], own: &dyn Fn(usize) -> Option<f64>) -> Vec<Operand> {
    let mut operands = Vec::new();
    for (piece, (said, _)) in prose.pieces.iter().enumerate() {
        for mention in said.said.mentions.iter().filter(|mention| !mention.withdrawn && mention.noun.is_none()) {
            let Some(tokens) = prose.tokens_of(piece, &mention.range) else { continue };
            let values = mention.readings.iter().map(|reading| {
                let low = reading.value.to_f64();
                let high = reading.high.map_or(low, |high| high.to_f64());
                let unit = reading.unit.as_ref();
                Value { low, high, dimension: unit.map(|unit| unit.dimension), unit: unit.map_or(1.0, |unit| unit.factor.to_f64()) }
            });
            operands.push(Operand { tokens, values: values.collect(), named: false });
        }
    }
    for (tokens, concept) in named {
        let values = concepts.list()[*concept].means.iter().flat_map(|figure| {
            let unit = figure.bare.to_f64();
            [Some(figure.value.to_f64()), figure.ask.and_then(own)].into_iter().flatten().map(move |value| Value {
                low: value * (1.0 - figure.tolerance),
                high: value * (1.0 + figure.tolerance),
                dimension: Some(figure.dimension),
                unit,
            })
        });
        operands.push(Operand { tokens: tokens.clone(), values: values.collect(), named: true });
    }
    operands.sort_by_key(|operand| (operand.tokens.start, operand.named));
    operands
}

struct Reader<'r> {
    prose: &'r Prose<'r>,
    operands: Vec<Operand>,
}

impl Reader<'_> {
    fn plain(&self, at: usize) -> &str {
        self.prose.plain(&self.prose.tokens[at])
    }

    /// Whether a word is in one of some lists.
    fn is(&self, at: usize, lists: u64) -> bool {
        self.prose.marks_on(&RELATING, at) & lists != 0
    }

    fn any(&self, range: Range<usize>, lists: u64) -> bool {
        range.into_iter().any(|at| self.is(at, lists))
    }

    /// The relation whose last or only word stands at a place.
    fn relation(&self, at: usize, sentence: &Range<usize>) -> Option<Relation> {
        if !self.prose.tokens[at].is(HEAD) {
            return None;
        }
        let plain = self.plain(at);
        let relation = |range, says| Some(Relation { range, says, hides: false, measured: false });
        let after = |reach: usize| (at + 1)..(at + 1 + reach).min(sentence.end);
        match plain {
            "<" | "≤" | "≪" | ">" | "≥" | "≫" => {
                let end = (at + 1..sentence.end).find(|next| !matches!(self.plain(*next), "<" | ">" | "=")).unwrap_or(sentence.end);
                let smaller = matches!(plain, "<" | "≤" | "≪");
                return if self.prose.is_arrow(at) { None } else { relation(at..end, if smaller { Says::Smaller } else { Says::Larger }) };
            }
            "than" | "als" => {
                let from = at.saturating_sub(4).max(sentence.start);
                return (from..at).rev().find_map(|back| {
                    let kinds = [(SMALLER, Says::Smaller), (LARGER, Says::Larger), (FASTER, Says::Faster), (SLOWER, Says::Slower)];
                    let (_, says) = kinds.into_iter().find(|(words, _)| self.is(back, *words))?;
                    Some(Relation { range: back..at + 1, says, hides: false, measured: true })
                });
            }
            _ => {}
        }
        if self.is(at, EXCEEDS) {
            return relation(at..at + 1, Says::Larger);
        }
        let (fits, hides, covers) = (self.is(at, FITS), self.is(at, HIDES), self.is(at, COVERS));
        if fits || hides || covers {
            let into = after(6).take_while(|next| !self.prose.tokens[*next].is(AFTER_BREAK)).find(|next| self.is(*next, INTO));
            if let Some(into) = into {
                return Some(Relation { range: at..into + 1, says: Says::Smaller, hides: hides || covers, measured: false });
            }
            if covers {
                return Some(Relation { range: at..at + 1, says: Says::Larger, hides: true, measured: false });
            }
            return None;
        }
        let lies = at > sentence.start && self.is(at - 1, LIES);
        match () {
            () if lies && self.is(at, BELOW) => relation(at..at + 1, Says::Smaller),
            () if lies && self.is(at, ABOVE) => relation(at..at + 1, Says::Larger),
            () => None,
        }
    }

    /// What a relation compares, where both stand in the sentence.
    fn compare(&self, relation: &Relation, sentence: &Range<usize>) -> Option<Comparison> {
        let range = &relation.range;
        let right = self.after(range.end, sentence)?;
        // `hide 203 ms behind 267 ms`: what is hidden stands inside.
        let inside = self.operands.iter().find(|operand| range.start < operand.tokens.start && operand.tokens.end < range.end);
        let left = match inside {
            Some(inside) => inside,
            None => self.before(range.start, sentence)?,
        };
        if relation.measured && inside.is_none() && !left.named && left.tokens.end == range.start {
            return None;
        }
        // `a third of the step`: a part of something else.
        let is_share = |operand: &Operand| {
            let bare = operand.values.iter().all(|value| value.dimension.is_none_or(Dimension::is_none));
            bare && !operand.named && operand.tokens.end < sentence.end && matches!(self.plain(operand.tokens.end), "of" | "times" | "x")
        };
        if is_share(left) || is_share(right) {
            return None;
        }
        let tokens = left.tokens.start.min(range.start)..right.tokens.end;
        let clause = tokens.start.saturating_sub(4).max(sentence.start);
        let denied_from = if inside.is_some() { clause } else { left.tokens.end };
        let negations = (denied_from..right.tokens.start).filter(|at| self.negates(*at)).count();
        let too = ["too", "to"].into_iter().all(|word| (left.tokens.end..range.start).any(|at| self.plain(at) == word));
        let denied = (negations + usize::from(too)) % 2 == 1;
        let meant = &self.prose.tokens[range.start].meant;
        let own = !meant.reported && !meant.named && !meant.listed;
        let hedged = meant.supposed || self.any(sentence.start..range.start, HEDGES) || self.has_to(sentence.start..range.start);
        let around = left.tokens.start.saturating_sub(4).max(sentence.start)..right.tokens.start;
        let part = self.any(around, PARTS);
        let weak = self.any(left.tokens.end.min(range.start)..right.tokens.start, WEAK);
        let elsewhere = meant.denied && negations == 0;
        let unsure = part || weak || elsewhere || relation.hides && denied && right.named;
        let (small, large, holds) = self.weigh(left, right, relation.says, denied)?;
        Some(Comparison {
            tokens,
            small: small.tokens.clone(),
            large: large.tokens.clone(),
            holds: holds.filter(|_| !unsure),
            asserted: own && !hedged,
            own,
        })
    }

    /// Which is said to be the smaller one, and whether it is; nothing where they cannot be compared.
    fn weigh<'o>(
        &self,
        left: &'o Operand,
        right: &'o Operand,
        says: Says,
        denied: bool,
    ) -> Option<(&'o Operand, &'o Operand, Option<bool>)> {
        let pairs = || left.values.iter().flat_map(|one| right.values.iter().filter_map(move |other| common(one, other)));
        let (_, _, dimension) = pairs().next()?;
        let smaller = match says {
            Says::Smaller => true,
            Says::Larger => false,
            Says::Faster if dimension == Dimension::TIME => true,
            Says::Slower if dimension == Dimension::TIME => false,
            Says::Faster if dimension.holds(Base::Time) => false,
            Says::Slower if dimension.holds(Base::Time) => true,
            Says::Faster | Says::Slower => return None,
        };
        let first_is_small = smaller != denied;
        let order = |(one, other, _): (Value, Value, Dimension)| if first_is_small { (one, other) } else { (other, one) };
        let holds = match () {
            () if pairs().map(order).all(|(small, large)| small.high < large.low) => Some(true),
            () if pairs().map(order).all(|(small, large)| small.low > large.high) => Some(false),
            () => None,
        };
        Some(if first_is_small { (left, right, holds) } else { (right, left, holds) })
    }

    /// What words that stand for a quantity are said to be: `the backward pass takes only 100 ms`.
    fn said_of(&self, named: &Operand) -> Option<Comparison> {
        let token = self.prose.tokens[named.tokens.start];
        let sentence = &self.prose.sentences[token.sentence];
        let mut says = false;
        let mut at = named.tokens.end;
        while at < sentence.end && at < named.tokens.end + 5 && !self.prose.tokens[at].is(NUMBER) {
            let marks = self.prose.marks_on(&SAYING, at);
            if marks == 0 || self.prose.tokens[at].is(AFTER_BREAK) {
                return None;
            }
            says |= marks & SAID_OF != 0;
            at += 1;
        }
        let number = self.operands.iter().find(|operand| !operand.named && operand.tokens.start == at)?;
        let next = number.tokens.end;
        let goes_on = next < sentence.end && (self.plain(next) == "of" || self.is(next, SMALLER | LARGER));
        let hedged = token.meant.supposed || token.meant.denied || self.any(sentence.start..named.tokens.start, HEDGES);
        if !says || goes_on || hedged || token.meant.reported || token.meant.named {
            return None;
        }
        let far = |(one, other, _): (Value, Value, Dimension)| one.low > other.high * FAR || one.high * FAR < other.low;
        let mut pairs = named.values.iter().flat_map(|one| number.values.iter().filter_map(move |other| common(one, other))).peekable();
        pairs.peek()?;
        if !pairs.all(far) {
            return None;
        }
        let tokens = named.tokens.start..number.tokens.end;
        Some(Comparison { tokens: tokens.clone(), small: tokens.clone(), large: tokens, holds: Some(false), asserted: true, own: true })
    }

    /// The quantity before a place, with nothing between that changes the subject.
    fn before(&self, start: usize, sentence: &Range<usize>) -> Option<&Operand> {
        let end = self.operands.partition_point(|operand| operand.tokens.start < start);
        let found = self.operands[..end].iter().rev().find(|operand| operand.tokens.end <= start)?;
        let between = found.tokens.end..start;
        let changes = |at: usize| {
            let token = &self.prose.tokens[at];
            let which = matches!(self.plain(at), "which" | "that");
            // `1.24 ms for each makes the total longer`: something else is longer.
            let another = at > found.tokens.end && matches!(self.plain(at), "total" | "sum" | "whole" | "everything" | "summe" | "ganze");
            !which && (another || self.is(at, PRONOUNS) || token.is(CONJUNCTION | AFTER_BREAK))
        };
        let joined = sentence.start <= found.tokens.start && between.len() <= BEFORE && !between.clone().any(changes);
        let broken = !between.is_empty() || !self.prose.tokens[start].is(AFTER_BREAK);
        (joined && broken).then_some(found)
    }

    /// The quantity after a place.
    fn after(&self, end: usize, sentence: &Range<usize>) -> Option<&Operand> {
        let at = self.operands.partition_point(|operand| operand.tokens.start < end);
        // A number that stands right behind the words for it says how much that is.
        let found = self.operands.get(at).filter(|operand| operand.tokens.end <= sentence.end)?;
        let next = self.operands.get(at + 1).filter(|next| found.named && !next.named && next.tokens.start <= found.tokens.end + 1);
        let between = end..found.tokens.start;
        let changes = |at: usize| self.prose.tokens[at].is(CONJUNCTION | AFTER_BREAK);
        (between.len() <= AFTER && !between.into_iter().any(changes)).then_some(next.unwrap_or(found))
    }

    fn negates(&self, at: usize) -> bool {
        let token: &Token = &self.prose.tokens[at];
        let only = at + 1 < self.prose.tokens.len() && matches!(self.plain(at + 1), "only" | "just");
        token.is(NEGATOR) && !(self.plain(at) == "not" && only) && !self.is(at, WEAK)
    }

    /// `has to`, `have to`, `as long as`.
    fn has_to(&self, range: Range<usize>) -> bool {
        let as_long = |at: usize| self.plain(at) == "as" && at + 1 < range.end && self.plain(at + 1) == "long";
        range.clone().any(as_long)
            || range.clone().any(|at| matches!(self.plain(at), "has" | "have" | "had") && at + 1 < range.end && self.plain(at + 1) == "to")
    }
}

/// How far off a number has to be before it is another one than the words stand for.
const FAR: f64 = 1.1;

/// Two values on one scale, where they can be compared at all. A bare number takes the unit of the other.
fn common(one: &Value, other: &Value) -> Option<(Value, Value, Dimension)> {
    let scaled = |value: &Value, unit: f64| Value { low: value.low * unit, high: value.high * unit, ..*value };
    match (one.dimension, other.dimension) {
        (Some(a), Some(b)) if a == b => Some((*one, *other, a)),
        (None, None) => Some((*one, *other, Dimension::NONE)),
        // `0.507 > 50 %`: a fraction is none of percent.
        (None, Some(b)) if b.is_none() && one.high.abs() <= 1.0 => Some((*one, *other, b)),
        (Some(a), None) if a.is_none() && other.high.abs() <= 1.0 => Some((*one, *other, a)),
        // `267 ms = 2/3 t`: a part of something.
        (None, Some(_)) if one.high.abs() < 1.0 => None,
        (Some(_), None) if other.high.abs() < 1.0 => None,
        (None, Some(b)) => Some((scaled(one, other.unit), *other, b)),
        (Some(a), None) => Some((*one, scaled(other, one.unit), a)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{Answer, Kind};
    use crate::drill::Library;
    use crate::grade::argue::{Lookup, NoVerdicts, Piece, Said, Sought, Weigher, small_words};
    use crate::recognize;

    /// The comparisons of a text, `+` for one that holds, `-` for one that does not, `?` where nobody can tell; in brackets
    /// where it is not asserted.
    fn compared(text: &str) -> String {
        let drill = Library::built_in().load("communication-budget").expect("the shipped drill");
        let answer = Answer::read("text", text, Kind::Markdown);
        let recognized = recognize::read(&answer, &drill.units, drill.words());
        let said = answer.blocks.iter().zip(&recognized).map(|(block, recognized)| Said {
            part: None,
            passage: &block.passage,
            start: 0,
            end: block.passage.text().len(),
            role: &block.role,
            quoted: false,
            struck: &[],
            mentions: &recognized.mentions,
        });
        let concepts = &drill.rubric.concepts;
        let sought = Sought::by([], concepts);
        let weigher = Weigher::new(concepts, &sought, Lookup::of(concepts), said.map(Piece::of), &NoVerdicts, Prose::default());
        let mut found = String::new();
        for comparison in weigher.comparisons() {
            let sign = comparison.holds.map_or('?', |holds| if holds { '+' } else { '-' });
            found.push_str(&if comparison.asserted { sign.to_string() } else { format!("({sign})") });
        }
        found
    }

    #[test]
    fn comparisons_are_worked_out() {
        for (text, expected) in [
            // In signs.
            ("203 ms < 267 ms", "+"),
            ("No; 203 < 267.", "+"),
            ("Agree, because 203 ms > 267 ms.", "-"),
            ("0.203 s >= 0.267 s", "-"),
            ("267 >> 1.24", "+"),
            ("1.24 -> 10.2 ms, so => 5 ms", ""),
            ("50.7 % > 50 %", "+"),
            ("0.507 > 50 %", "+"),
            // In words.
            ("203 ms is less than 267 ms.", "+"),
            ("203 ms is clearly more than the 267 ms of backward.", "-"),
            ("The 203 ms can not hide behind the 267 ms.", "-"),
            ("The 203 ms cannot be hidden behind the 267 ms.", "-"),
            ("203 ms of traffic hide behind the 267 ms.", "+"),
            ("You cannot hide 203 ms behind 267 ms.", "-"),
            ("267 ms of backward cover the 203 ms.", "+"),
            ("203 ms does not exceed 267 ms.", "+"),
            ("203 ms exceed the 267 ms of backward.", "-"),
            ("The 325 ms no longer fit under the 267 ms.", "+"),
            ("203 ms is too long to fit into 267 ms.", "-"),
            ("203 ms takes no longer than 267 ms", "+"),
            ("203 ms is above 267 ms", "-"),
            ("203 ms is quicker than 267 ms, and 100 GB/s is slower than 300 GB/s.", "++"),
            // Against words that stand for a quantity.
            ("203 ms is shorter than the backward pass.", "+"),
            ("203 ms is longer than the backward pass.", "-"),
            ("The backward pass is shorter than 203 ms.", "-"),
            ("Backward takes only 100 ms.", "-"),
            ("The backward pass lasts about 267 ms.", ""),
            // In German.
            ("203 ms sind kürzer als 267 ms.", "+"),
            ("203 ms sind mehr als 267 ms.", "-"),
            ("203 ms passen nicht unter 267 ms.", "-"),
            ("Die 203 ms verstecken sich hinter den 267 ms.", "+"),
            // Conditions, questions, other people's words.
            ("It holds if 203 ms > 267 ms.", "(-)"),
            ("The traffic must fit: 203 ms < 267 ms.", "(+)"),
            ("Is 203 ms > 267 ms?", "(-)"),
            // Nobody can tell.
            ("not because 203 ms > 267 ms", "?"),
            ("203 ms barely fit under 267 ms.", "?"),
            ("The last 9 ms can not hide behind the backward pass.", "?"),
            ("The 203 ms can not hide behind the backward pass.", "?"),
            ("265 ms is less than the backward pass.", "?"),
            // No comparisons of these two.
            ("207 ms is 6 ms more than 201 ms.", ""),
            ("203 ms next to 267 ms", ""),
            ("203 ms are needed. It is longer than 267 ms.", ""),
            ("203 ms, because 5 GB is more than 267 ms", ""),
            ("203 ms < 2/3 × 400 ms", ""),
            ("The backward pass takes 2/3 of it.", ""),
            ("300 ms of latency, and the total is beyond the backward pass.", ""),
            ("12 ms for each of them makes the total longer than the 267 ms.", ""),
            ("203 ms is less than half of 400 ms.", ""),
            ("201 ms is less than a third of it, 400 ms.", ""),
        ] {
            assert_eq!(compared(text), expected, "{text}");
        }
    }

    #[test]
    fn every_relation_is_looked_at() {
        for list in [EXCEEDS, FITS, HIDES, COVERS, BELOW, ABOVE] {
            let words = RELATIONS[list.trailing_zeros() as usize];
            assert!(words.split_whitespace().all(|word| small_words::SMALL_WORDS.on(word) & HEAD != 0), "{words}");
        }
    }
}
