//! Copies of the question in an answer: they are not the student's words.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::answer::Answer;
use crate::answer::divide::{Outline, Section};
use crate::text::sentences;

/// How many words in a row make a piece that is looked for in the question.
const RUN: usize = 4;

/// The stretches of each block that repeat a question of the outline nearly word for word.
pub(super) fn copies(answer: &Answer, outline: &Outline) -> BTreeMap<usize, Vec<Range<usize>>> {
    let mut known = BTreeSet::new();
    for part in &outline.parts {
        let words = words(&part.text);
        known.extend(words.windows(RUN).map(|run| run.join(" ")));
    }
    let mut copies = BTreeMap::new();
    if known.is_empty() {
        return copies;
    }
    for (index, block) in answer.blocks.iter().enumerate() {
        let text = block.passage.text();
        let mut found: Vec<Range<usize>> = Vec::new();
        for sentence in sentences(text) {
            let words = words(&text[sentence.clone()]);
            let runs = words.windows(RUN).count();
            let hits = words.windows(RUN).filter(|run| known.contains(&run.join(" "))).count();
            if runs >= 2 && hits * 10 >= runs * 8 {
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

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
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
