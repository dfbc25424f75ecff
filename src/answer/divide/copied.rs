//! Copies of the question in an answer: they are not the student's words.

use std::collections::BTreeMap;
use std::ops::Range;

use smallvec::SmallVec;

use crate::answer::Answer;
use crate::answer::divide::{Outline, Section};
use crate::phrase::{Word, Words};
use crate::text::sentences;

/// How many words in a row make a piece that is looked for in the question.
const RUN: usize = 4;

/// So many pairs of words has a sentence at least that is taken for the question's with words changed.
const EDITED: usize = 6;

/// What the questions of an exercise hold, by which a copy is known.
#[derive(Clone, Debug)]
pub(super) struct Questions {
    /// Their runs of [`RUN`] words.
    runs: Sums,
    /// Their pairs of words.
    pairs: Sums,
    /// Their words.
    words: Sums,
    /// What is asked, each as one run: a line of the answer template that nobody has filled in.
    asks: Sums,
}

impl Questions {
    pub(super) fn of(outline: &Outline) -> Questions {
        let texts = outline.parts.iter().flat_map(|part| std::iter::once(&part.text).chain(part.items.iter().map(|item| &item.text)));
        let texts: Vec<Vec<u64>> = texts.map(|text| keys(Words::of(text).list()).collect()).collect();
        let runs = |size: usize| Sums::of(texts.iter().flat_map(|words| words.windows(size).map(run)).collect());
        let ask = |ask: &String| run(&keys(Words::of(ask).list()).collect::<Vec<_>>());
        Questions { runs: runs(RUN), pairs: runs(2), words: runs(1), asks: Sums::of(outline.asks.iter().map(ask).collect()) }
    }

    /// What the words of a block are as one run, and whether a sentence of the question's may be among them: a run of them is.
    fn look_at(&self, words: &[Word]) -> (u64, bool) {
        let (mut last, mut part, mut whole, mut may_hold) = ([0_u64; RUN], 0, 0, false);
        let mut count = 0;
        for word in words {
            if !(word.is_word() || word.is_number()) {
                continue;
            }
            let key = word.key();
            // The word that drops out was turned once by each that came behind it.
            let [out, two, three, four] = last;
            last = [two, three, four, key];
            part = turned(part) ^ key ^ out.rotate_left(TURN * RUN as u32);
            whole = turned(whole) ^ key;
            count += 1;
            may_hold = may_hold || self.runs.may_hold(part) && count >= RUN && self.runs.hold(part);
        }
        (whole, may_hold)
    }

    /// Whether a sentence is one of the question's: nearly word for word, or with more of its words changed and no number of its
    /// own.
    fn hold(&self, sentence: &[Word]) -> bool {
        let all: SmallVec<[u64; 32]> = keys(sentence).collect();
        let hits = |size: usize, known: &Sums| all.windows(size).filter(|window| known.hold(run(window))).count();
        let pieces = |size: usize| (all.len() + 1).saturating_sub(size);
        if pieces(RUN) >= 2 && hits(RUN, &self.runs) * 10 >= pieces(RUN) * 8 {
            return true;
        }
        let mut numbers = sentence.iter().filter(|word| word.is_number());
        pieces(2) >= EDITED && hits(2, &self.pairs) * 4 >= pieces(2) * 3 && numbers.all(|number| self.words.hold(number.key()))
    }
}

/// Sums of words.
#[derive(Clone, Debug)]
struct Sums {
    /// In ascending order.
    all: Vec<u64>,
    /// A bit for the end of each of them: of most that are asked for it tells that they are not there.
    marked: Vec<u64>,
}

impl Sums {
    fn of(mut all: Vec<u64>) -> Sums {
        all.sort_unstable();
        let mut marked = vec![0; all.len().next_power_of_two()];
        for sum in &all {
            let (place, bit) = Sums::mark(&marked, *sum);
            marked[place] |= bit;
        }
        Sums { all, marked }
    }

    /// Where the bit of a sum is.
    #[inline]
    fn mark(marked: &[u64], sum: u64) -> (usize, u64) {
        ((sum >> 6) as usize & (marked.len() - 1), 1 << (sum % 64))
    }

    /// Whether a sum may be one of them. `false` is certain.
    #[inline]
    fn may_hold(&self, sum: u64) -> bool {
        let (place, bit) = Sums::mark(&self.marked, sum);
        self.marked[place] & bit != 0
    }

    fn hold(&self, sum: u64) -> bool {
        self.may_hold(sum) && self.all.binary_search(&sum).is_ok()
    }
}

/// The stretches of each block that repeat a question of the outline nearly word for word.
pub(super) fn copies(answer: &Answer, outline: &Outline) -> BTreeMap<usize, Vec<Range<usize>>> {
    let questions = outline.questions();
    let mut copies = BTreeMap::new();
    for (index, block) in answer.blocks.iter().enumerate() {
        let text = block.passage.text();
        let (whole, may_hold) = questions.look_at(block.words().list());
        if questions.asks.hold(whole) {
            copies.insert(index, std::iter::once(0..text.len()).collect());
            continue;
        }
        if !may_hold {
            continue;
        }
        let mut found: Vec<Range<usize>> = Vec::new();
        for sentence in sentences(text) {
            if questions.hold(block.words().within(&sentence)) {
                match found.last_mut() {
                    Some(last) if text[last.end..sentence.start].trim().is_empty() => last.end = sentence.end,
                    _ => found.push(sentence),
                }
            }
        }
        if !found.is_empty() {
            copies.insert(index, found);
        }
    }
    copies
}

/// What words and numbers are compared by, without the signs between them.
fn keys(words: &[Word]) -> impl Iterator<Item = u64> {
    words.iter().filter(|word| word.is_word() || word.is_number()).map(Word::key)
}

/// A number for a run of words: each word turns those before it on, so that their order counts, and a word that has left a run
/// can be taken out of its sum.
fn run(words: &[u64]) -> u64 {
    words.iter().fold(0, |sum, word| turned(sum) ^ word)
}

/// How far each word turns the sum of those before it, in bits.
const TURN: u32 = 7;

/// A sum with room for another word.
fn turned(sum: u64) -> u64 {
    sum.rotate_left(TURN)
}

/// Drops quotations that are followed by words of the student's own: they quote the question. What the student sets off and
/// introduces as the own work stays.
pub(super) fn keep_own_words(answer: &Answer, section: &mut Section) {
    if section.stretches.iter().all(|stretch| answer.blocks[stretch.block].quoted == 0) {
        return;
    }
    let last = section.stretches.iter().rposition(|stretch| answer.blocks[stretch.block].quoted == 0);
    let mut at = 0;
    let mut introduced = false;
    section.stretches.retain(|stretch| {
        at += 1;
        let block = &answer.blocks[stretch.block];
        if block.quoted == 0 {
            introduced = introduces_own(&block.passage.text()[stretch.range.clone()]);
        }
        block.quoted == 0 || introduced || last.is_none_or(|last| at > last)
    });
}

/// Whether a line introduces what is set off behind it as the student's own: `I computed both terms separately:`.
pub fn introduces_own(text: &str) -> bool {
    const SPEAKERS: [&str; 6] = ["i", "we", "my", "our", "ich", "meine"];
    const WORK: [&str; 26] = [
        "get",
        "got",
        "have",
        "computed",
        "compute",
        "calculated",
        "calculate",
        "found",
        "find",
        "did",
        "worked",
        "obtain",
        "obtained",
        "calculation",
        "calculations",
        "computation",
        "answer",
        "answers",
        "result",
        "results",
        "solution",
        "work",
        "values",
        "rechne",
        "rechnung",
        "antwort",
    ];
    let text = text.trim_end();
    if !text.ends_with(':') {
        return false;
    }
    let sentence = text.rsplit(['.', '!', '?', '\n']).next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.windows(2).any(|pair| SPEAKERS.contains(&pair[0]) && WORK.contains(&pair[1]))
}
