//! How much an answer may hold for rules to judge it. Nobody answers an exercise with a thousand numbers: what holds more
//! than that, a log or a whole data set, goes to a person, and costs no more time than it takes to see it.

use std::ops::Range;

use smol_str::SmolStr;

use crate::answer::{self, Answer, Block, Section};
use crate::drill::{Ask, CriterionKind};
use crate::grade::argue::Decision;
use crate::grade::criteria;
use crate::grade::finding::{
    CriterionFinding, Found, Grade, Outcome, PartPassage, QuantityFinding, ReviewItem, ReviewKind, ReviewWhy, SeparateFinding, Term,
    Verdict,
};
use crate::grade::{Grader, score};
use crate::recognize::{self, Recognized};

/// The longest text that rules judge, in bytes: some forty times a usual answer.
pub const MOST_TEXT: usize = 200_000;
/// The most quantities that rules judge.
pub const MOST_QUANTITIES: usize = 1_000;

/// Whether an answer is longer than rules judge.
fn is_too_long(answer: &Answer) -> bool {
    length(answer) > MOST_TEXT
}

/// Whether it is so long that it may well hold more quantities than rules judge.
fn is_long(answer: &Answer) -> bool {
    length(answer) > 16 * MOST_QUANTITIES
}

fn length(answer: &Answer) -> usize {
    answer.blocks.iter().map(|block| block.passage.text().len()).sum()
}

/// Whether it holds more quantities than rules judge.
fn holds_too_much(recognized: &[Recognized]) -> bool {
    count(recognized) > MOST_QUANTITIES
}

/// Whether it may hold more, by what was recognized in the blocks that were read and by the words of the others: a word is part
/// of two quantities at most, and a sign beyond ASCII may be one of its own.
fn may_hold_too_much(answer: &Answer, read: &[bool], recognized: &[Recognized]) -> bool {
    let unread = answer.blocks.iter().zip(read).filter(|(_, read)| !**read).map(|(block, _)| block);
    let most = |block: &Block| 2 * block.words().list().len() + block.passage.text().bytes().filter(|byte| !byte.is_ascii()).count();
    count(recognized) + unread.map(most).sum::<usize>() > MOST_QUANTITIES
}

fn count(recognized: &[Recognized]) -> usize {
    recognized.iter().map(|found| found.mentions.len()).sum()
}

impl Grader<'_> {
    /// The parts of an answer, and what stands in the student's own blocks; nothing where that is more than rules judge. What is
    /// long is counted before it is divided, so that what goes to a person costs no more than the look that shows it.
    pub(super) fn read(&self, answer: &Answer) -> Option<(Vec<Section>, Vec<Recognized>)> {
        if is_too_long(answer) {
            return None;
        }
        let all = || recognize::read(answer, &self.drill.units, &self.symbols);
        let long = is_long(answer).then(all);
        if long.as_ref().is_some_and(|all| holds_too_much(all)) {
            return None;
        }
        let sections = answer::divide(answer, &self.outline);
        if let Some(all) = long {
            return Some((sections, all));
        }
        let own = answer::own_blocks(answer, &sections);
        let some = recognize::read_some(answer, &self.drill.units, &self.symbols, |block| own[block]);
        let too_much = may_hold_too_much(answer, &own, &some) && holds_too_much(&all());
        (!too_much).then_some((sections, some))
    }

    /// Leaves the whole of an answer to a person.
    pub(super) fn leave_to_a_person(&self, answer: &Answer) -> Grade {
        let drill = self.drill;
        let open = |(at, ask): (usize, &Ask)| QuantityFinding {
            ask: SmolStr::new(&ask.id),
            part: SmolStr::new(&ask.part),
            required: ask.required,
            verdict: Verdict::Unclear,
            read: None,
            reading: None,
            mistake: None,
            carried_from: Vec::new(),
            notes: Vec::new(),
            candidates: Vec::new(),
            weighed: Vec::new(),
            points: score::of_ask(self, at, Verdict::Unclear, None),
            ruled: None,
        };
        let quantities: Vec<QuantityFinding> = drill.asks.iter().enumerate().map(open).collect();
        let open = Decision { outcome: Outcome::Review, evidence: Vec::new(), doubt: None };
        let mut criteria: Vec<CriterionFinding> =
            drill.rubric.criteria.iter().map(|criterion| criteria::finding(criterion, &open, answer)).collect();
        score::criteria(drill, &quantities, &mut criteria, &|_| None);
        let separate = drill.rubric.criteria.iter().filter_map(|criterion| match &criterion.kind {
            CriterionKind::Separate(sum) => {
                let term = |ask: &usize| Term { ask: SmolStr::new(&drill.asks[*ask].id), read: None };
                Some(SeparateFinding {
                    of: SmolStr::new(&drill.asks[sum.of].id),
                    terms: sum.terms.iter().map(term).collect(),
                    found: Found::None,
                })
            }
            _ => None,
        });
        let item = |kind: ReviewKind, id: &str| ReviewItem { kind, id: SmolStr::new(id), why: ReviewWhy::TooLong, candidates: Vec::new() };
        let asks = drill.asks.iter().map(|ask| item(ReviewKind::Quantity, &ask.id));
        let arguments = drill.rubric.criteria.iter().map(|criterion| item(ReviewKind::Criterion, &criterion.id));
        let ends = ends(answer);
        let passage = |id: &str| PartPassage { part: id.to_owned(), pieces: ends.clone() };
        Grade {
            drill: drill.id.clone(),
            score: score::total(&quantities, &criteria),
            review: asks.chain(arguments).collect(),
            uses: Vec::new(),
            passages: drill.all_parts().map(|part| passage(&part.id)).collect(),
            separate: separate.collect(),
            quantities,
            criteria,
            empty: false,
            consequences: Vec::new(),
            ruled: None,
            parts_found: true,
        }
    }
}

/// The beginning and the end of an answer, together as much as rules judge: what a decision about it rests on.
fn ends(answer: &Answer) -> Vec<(usize, Range<usize>)> {
    let (half, last) = (MOST_TEXT / 2, length(answer).saturating_sub(MOST_TEXT / 2));
    let mut pieces = Vec::new();
    let mut start = 0;
    for (at, block) in answer.blocks.iter().enumerate() {
        let text = block.passage.text();
        let first = 0..text.floor_char_boundary(half.saturating_sub(start));
        let rest = text.floor_char_boundary(last.saturating_sub(start)).max(first.end)..text.len();
        pieces.extend([first, rest].into_iter().filter(|range| !range.is_empty()).map(|range| (at, range)));
        start += text.len();
    }
    pieces
}
