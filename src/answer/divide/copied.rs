//! Copies of the question in an answer: they are not the student's words.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::answer::Answer;
use crate::answer::divide::{Outline, Section};
use crate::phrase::{Word, Words};
use crate::text::sentences;

/// How many words in a row make a piece that is looked for in the question.
const RUN: usize = 4;

/// Bits of [`Questions::marked`].
const MARKED: usize = 1 << 14;

/// So many pairs of words has a sentence at least that is taken for the question's with words changed.
const EDITED: usize = 6;

/// What the questions of an exercise hold, by which a copy is known.
#[derive(Clone, Debug)]
pub(super) struct Questions {
    /// Their runs of words, in ascending order.
    runs: Vec<u64>,
    /// A bit for the end of each of them: most runs of an answer are told by it to be none of these.
    marked: Vec<u64>,
    /// Their pairs of words.
    pairs: BTreeSet<u64>,
    /// Their words.
    words: BTreeSet<u64>,
    /// What is asked, each as one run: a line of the answer template that nobody has filled in.
    asks: BTreeSet<u64>,
}

impl Questions {
    pub(super) fn of(outline: &Outline) -> Questions {
        let texts = outline.parts.iter().flat_map(|part| std::iter::once(&part.text).chain(part.items.iter().map(|item| &item.text)));
        let texts: Vec<Vec<u64>> = texts.map(|text| keys(Words::of(text).list()).collect()).collect();
        let mut runs: Vec<u64> = texts.iter().flat_map(|words| words.windows(RUN).map(run)).collect();
        runs.sort_unstable();
        let mut marked = vec![0; MARKED / 64];
        for run in &runs {
            let bit = *run as usize % MARKED;
            marked[bit / 64] |= 1 << (bit % 64);
        }
        let ask = |ask: &String| run(&keys(Words::of(ask).list()).collect::<Vec<_>>());
        Questions {
            runs,
            marked,
            pairs: texts.iter().flat_map(|words| words.windows(2).map(run)).collect(),
            words: texts.iter().flatten().copied().collect(),
            asks: outline.asks.iter().map(ask).collect(),
        }
    }

    fn has_run(&self, run: u64) -> bool {
        let bit = run as usize % MARKED;
        self.marked[bit / 64] & 1 << (bit % 64) != 0 && self.runs.binary_search(&run).is_ok()
    }

    /// Whether a sentence is one of the question's: nearly word for word, or with more of its words changed and no number of its
    /// own.
    fn hold(&self, sentence: &[Word]) -> bool {
        let all: Vec<u64> = keys(sentence).collect();
        let share = |size: usize, known: &dyn Fn(u64) -> bool| {
            let hits = all.windows(size).filter(|window| known(run(window))).count();
            (hits, all.windows(size).count())
        };
        let (hits, pieces) = share(RUN, &|run| self.has_run(run));
        if pieces >= 2 && hits * 10 >= pieces * 8 {
            return true;
        }
        let (hits, pieces) = share(2, &|pair| self.pairs.contains(&pair));
        let mut numbers = sentence.iter().filter(|word| word.is_number());
        pieces >= EDITED && hits * 4 >= pieces * 3 && numbers.all(|number| self.words.contains(&number.key()))
    }
}

/// The stretches of each block that repeat a question of the outline nearly word for word.
pub(super) fn copies(answer: &Answer, outline: &Outline) -> BTreeMap<usize, Vec<Range<usize>>> {
    let questions = outline.questions();
    let mut copies = BTreeMap::new();
    let mut all = Vec::new();
    for (index, block) in answer.blocks.iter().enumerate() {
        let text = block.passage.text();
        all.clear();
        all.extend(keys(block.words().list()));
        if questions.asks.contains(&run(&all)) {
            copies.insert(index, std::iter::once(0..text.len()).collect());
            continue;
        }
        if !all.windows(RUN).any(|window| questions.has_run(run(window))) {
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

/// A number for a run of words.
fn run(words: &[u64]) -> u64 {
    words.iter().fold(FIRST, |sum, &word| (sum.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Where a sum begins.
const FIRST: u64 = 0xCBF2_9CE4_8422_2325;

/// Drops quotations that are followed by words of the student's own: they quote the question. What the student sets off and
/// introduces as the own work stays.
pub(super) fn keep_own_words(answer: &Answer, section: &mut Section) {
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
