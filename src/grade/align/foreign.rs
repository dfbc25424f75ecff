//! What is not the student's word, and what a correction replaced.

use crate::grade::align::{Choice, Role, Table};
use crate::grade::evidence::{By, Evidence, NAMED, Named};
use crate::grade::scene::{Depth, Scene};

impl Table<'_> {
    /// What somebody else says, or what the student does not believe, is for a person to decide where nothing else is said.
    pub(super) fn report_foreign(&mut self) {
        for ask in 0..self.choices.len() {
            let says = |number: &usize| {
                let here = &self.scene.numbers[*number];
                let named = self.evidence[*number].first().is_some_and(|best| best.ask == ask && best.named >= NAMED);
                here.foreign && !here.withdrawn && !here.given && named && self.taken[*number].role == Role::Aside
            };
            if matches!(self.choices[ask], Choice::Missing) {
                let numbers: Vec<usize> = (0..self.taken.len()).filter(says).collect();
                for number in &numbers {
                    self.take(*number, Role::Candidate(ask));
                }
                if !numbers.is_empty() {
                    self.choices[ask] = Choice::Several(numbers);
                }
            }
        }
    }

    /// What was replaced by an answer, and is nothing else.
    pub(super) fn note_replaced(&mut self) {
        for number in 0..self.taken.len() {
            if let (Role::Answer(ask), Some(old)) = (self.taken[number].role, self.scene.numbers[number].corrects)
                && matches!(self.taken[old].role, Role::Aside)
                && self.scene.numbers[old].replaced
            {
                self.take(old, Role::Replaced(ask));
            }
        }
    }
}

/// Whether a number that corrects another has a name of its own, behind that.
pub(super) fn has_own_name(scene: &Scene, at: usize, found: &[Evidence]) -> bool {
    let number = &scene.numbers[at];
    let Some(old) = number.corrects.map(|old| &scene.numbers[old]) else { return false };
    let line = &scene.lines[number.line];
    let block = line.block;
    // What stands behind the other one in its own sentence is that one's name.
    let sentences = [old.anchor, number.anchor].map(|at| line.words.sentence_at(at));
    let start = line.words.sentences().get(sentences[1]).map_or(0, |sentence| sentence.start);
    let from = if sentences[0] == sentences[1] { old.mention.range.end } else { start };
    // `I'd rather say 98.7 %: …` gives its reason behind the colon, and no name.
    let end = number.mention.range.end;
    let explains = |at: usize| line.breaks_in(end..at).any(|found| found.depth >= Depth::Mark);
    let behind = |words: &Named| {
        let here = old.line != number.line || words.range.start >= from;
        words.block == block && here && words.by != By::Header && !(words.range.start >= end && explains(words.range.start))
    };
    found.iter().any(|one| one.named >= NAMED && one.words.as_ref().is_some_and(behind))
}
