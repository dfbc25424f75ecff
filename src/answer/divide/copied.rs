//! Copies of the question in an answer: they are not the student's words.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::answer::Answer;
use crate::answer::divide::{Outline, Section};
use crate::text::sentences;

/// How many words in a row make a piece that is looked for in the question.
const RUN: usize = 4;

/// What the questions of an exercise hold, by which a copy is known.
#[derive(Clone, Debug)]
pub(super) struct Questions {
    /// Their runs of words.
    runs: BTreeSet<u64>,
    /// What is asked, each as one run: a line of the answer template that nobody has filled in.
    asks: BTreeSet<u64>,
}

impl Questions {
    pub(super) fn of(outline: &Outline) -> Questions {
        let texts = outline.parts.iter().flat_map(|part| std::iter::once(&part.text).chain(part.items.iter().map(|item| &item.text)));
        Questions {
            runs: texts.flat_map(|text| words(text).windows(RUN).map(run).collect::<Vec<_>>()).collect(),
            asks: outline.asks.iter().map(|ask| run(&words(ask))).collect(),
        }
    }
}

/// The stretches of each block that repeat a question of the outline nearly word for word.
pub(super) fn copies(answer: &Answer, outline: &Outline) -> BTreeMap<usize, Vec<Range<usize>>> {
    let Questions { runs, asks } = outline.questions();
    let mut copies = BTreeMap::new();
    for (index, block) in answer.blocks.iter().enumerate() {
        let text = block.passage.text();
        let all = words(text);
        if asks.contains(&run(&all)) {
            copies.insert(index, std::iter::once(0..text.len()).collect());
            continue;
        }
        if !all.windows(RUN).any(|window| runs.contains(&run(window))) {
            continue;
        }
        let mut found: Vec<Range<usize>> = Vec::new();
        for sentence in sentences(text) {
            let words = words(&text[sentence.clone()]);
            let pieces = words.windows(RUN).count();
            let hits = words.windows(RUN).filter(|window| runs.contains(&run(window))).count();
            if pieces >= 2 && hits * 10 >= pieces * 8 {
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
    let mut words = Vec::new();
    let mut word = FIRST;
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            word = step(word, u64::from(c.to_ascii_lowercase()));
        } else if !c.is_ascii() && c.is_alphanumeric() {
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

/// A number for a run of words.
fn run(words: &[u64]) -> u64 {
    words.iter().fold(FIRST, |sum, &word| step(sum, word))
}

/// Where a sum begins (FNV-1a).
const FIRST: u64 = 0xCBF2_9CE4_8422_2325;

fn step(sum: u64, value: u64) -> u64 {
    (sum ^ value).wrapping_mul(0x0000_0100_0000_01B3)
}

/// Drops quotations that are followed by words of the student's own: they quote the question.
pub(super) fn keep_own_words(answer: &Answer, section: &mut Section) {
    let last = section.stretches.iter().rposition(|stretch| answer.blocks[stretch.block].quoted == 0);
    let mut at = 0;
    section.stretches.retain(|stretch| {
        at += 1;
        answer.blocks[stretch.block].quoted == 0 || last.is_none_or(|last| at > last)
    });
}
