//! What stands behind a value as a comment: `bandwidth_ms = 201.5  # unchanged`.

use std::sync::Arc;

use crate::answer::{Answer, Role};
use crate::grade::Grader;
use crate::grade::clues::Tag;
use crate::grade::scene::{Name, Scene, Title};
use crate::phrase::Words;

/// What a comment behind a value says of how it is meant: `bandwidth_ms = 201.5  # unchanged`. It names nothing, for it may
/// speak of anything.
pub(super) fn name_lines(scene: &mut Scene, grader: &Grader, answer: &Answer) {
    const LONGEST_COMMENT: usize = 120;
    const LONGEST_GAP: usize = 40;
    for line in scene.lines.iter_mut().filter(|line| matches!(line.source.role, Role::Entry(_))) {
        let end = line.source.passage.span(line.range.clone()).end;
        let rest = answer.source.text().get(end..).unwrap_or_default().lines().next().unwrap_or_default();
        let Some((value, comment)) =
            rest.split_once('#').filter(|(value, comment)| value.len() <= LONGEST_GAP && comment.len() <= LONGEST_COMMENT)
        else {
            continue;
        };
        if value.contains(char::is_alphanumeric) {
            continue;
        }
        let mut hits = grader.clues.find(comment, &Words::of(comment));
        hits.retain(|hit| matches!(hit.tag, Tag::Label(..) | Tag::ReadingWords(..) | Tag::MistakeWords(..)));
        if !hits.is_empty() {
            let title = Title { text: comment.to_owned(), hits, asks: Vec::new(), givens: Vec::new(), place: None };
            line.names.push(Name { title: Arc::new(title), column: false, weight: 0.0 });
        }
    }
}
