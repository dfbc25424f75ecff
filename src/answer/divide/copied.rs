//! Copies of the question in an answer: they are not the student's words.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::answer::Answer;
use crate::answer::divide::{Outline, Section};
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
        let texts: Vec<Vec<u64>> = texts.map(|text| words(text)).collect();
        let mut runs: Vec<u64> = texts.iter().flat_map(|words| words.windows(RUN).map(run)).collect();
        runs.sort_unstable();
        let mut marked = vec![0; MARKED / 64];
        for run in &runs {
            let bit = *run as usize % MARKED;
            marked[bit / 64] |= 1 << (bit % 64);
        }
        Questions {
            runs,
            marked,
            pairs: texts.iter().flat_map(|words| words.windows(2).map(run)).collect(),
            words: texts.iter().flatten().copied().collect(),
            asks: outline.asks.iter().map(|ask| run(&words(ask))).collect(),
        }
    }
}

impl Questions {
    fn has_run(&self, run: u64) -> bool {
        let bit = run as usize % MARKED;
        self.marked[bit / 64] & 1 << (bit % 64) != 0 && self.runs.binary_search(&run).is_ok()
    }

    /// Whether a sentence is one of the question's: nearly word for word, or with more of its words changed and no number of its
    /// own.
    fn hold(&self, sentence: &str) -> bool {
        let all = words(sentence);
        let share = |size: usize, known: &dyn Fn(u64) -> bool| {
            let hits = all.windows(size).filter(|window| known(run(window))).count();
            (hits, all.windows(size).count())
        };
        let (hits, pieces) = share(RUN, &|run| self.has_run(run));
        if pieces >= 2 && hits * 10 >= pieces * 8 {
            return true;
        }
        let (hits, pieces) = share(2, &|pair| self.pairs.contains(&pair));
        pieces >= EDITED && hits * 4 >= pieces * 3 && numbers(sentence).all(|number| self.words.contains(&number))
    }
}

/// The stretches of each block that repeat a question of the outline nearly word for word.
pub(super) fn copies(answer: &Answer, outline: &Outline) -> BTreeMap<usize, Vec<Range<usize>>> {
    let questions = outline.questions();
    let asks = &questions.asks;
    let mut copies = BTreeMap::new();
    for (index, block) in answer.blocks.iter().enumerate() {
        let text = block.passage.text();
        let all = words(text);
        if asks.contains(&run(&all)) {
            copies.insert(index, std::iter::once(0..text.len()).collect());
            continue;
        }
        if !all.windows(RUN).any(|window| questions.has_run(run(window))) {
            continue;
        }
        let mut found: Vec<Range<usize>> = Vec::new();
        for sentence in sentences(text) {
            if questions.hold(&text[sentence.clone()]) {
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

/// The words of a text, each as a number: equal words in any case have the same one.
fn words(text: &str) -> Vec<u64> {
    let mut words = Vec::with_capacity(text.len() / 5);
    let mut word = FIRST;
    let mut at = 0;
    while let Some(&byte) = text.as_bytes().get(at) {
        // Most characters are one byte.
        if byte.is_ascii_alphanumeric() {
            word = step(word, u64::from(byte.to_ascii_lowercase()));
            at += 1;
            continue;
        }
        let Some(c) = text[at..].chars().next() else { break };
        at += c.len_utf8();
        if !c.is_ascii() && c.is_alphanumeric() {
            word = c.to_lowercase().fold(word, |word, c| step(word, u64::from(c)));
        } else if word != FIRST {
            words.push(word);
            word = FIRST;
        }
    }
    if word != FIRST {
        words.push(word);
    }
    words
}

/// The words of a text that begin with a digit.
fn numbers(text: &str) -> impl Iterator<Item = u64> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.starts_with(|c: char| c.is_numeric()));
    words.flat_map(self::words)
}

/// A number for a run of words.
fn run(words: &[u64]) -> u64 {
    words.iter().fold(FIRST, |sum, &word| step(sum, word))
}

/// Where a sum begins (FNV-1a).
const FIRST: u64 = 0xCBF2_9CE4_8422_2325;

fn step(sum: u64, value: u64) -> u64 {
    (sum ^ value).wrapping_mul(0x0000_0100_0000_01B3)
}

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
    let sentence = text.rsplit(['.', '!', '?', '\n']).next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let own = words.windows(2).any(|pair| SPEAKERS.contains(&pair[0]) && WORK.contains(&pair[1]));
    text.ends_with(':') && own
}
