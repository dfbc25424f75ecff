//! Whether labels stand before or behind what a program printed.

use crate::answer::{Answer, Role, Section};

/// Whether the labels of an answer stand in comments on what a program printed before them, and not in headings or lead-ins above
/// it: it printed something before the first of them, and nothing behind the last.
pub(super) fn are_comments(answer: &Answer, sections: &[Section]) -> bool {
    let prints = |section: &Section| {
        section.stretches.iter().any(|stretch| answer.blocks[stretch.block].printed && !is_labeled_in(answer, section, stretch.block))
    };
    let labeled = |section: &Section| !section.names.is_empty() && !is_printed_label(answer, section);
    let is_head = |section: &Section| {
        let heading = |block: &usize| matches!(answer.blocks[*block].role, Role::Heading(_));
        section.label.is_some() && (0..answer.blocks.len()).filter(heading).any(|block| is_labeled_in(answer, section, block))
    };
    let Some(first) = sections.iter().position(labeled) else { return false };
    let last = sections.iter().rposition(labeled).unwrap_or(first);
    sections[..first].iter().any(prints) && !sections[last..].iter().any(prints) && !sections.iter().any(is_head)
}

/// Whether a program printed the label of a section.
pub(super) fn is_printed_label(answer: &Answer, section: &Section) -> bool {
    section.stretches.iter().any(|stretch| answer.blocks[stretch.block].printed && is_labeled_in(answer, section, stretch.block))
}

/// Whether the label of a section stands in a block.
pub(super) fn is_labeled_in(answer: &Answer, section: &Section, block: usize) -> bool {
    let passage = &answer.blocks[block].passage;
    let span = passage.span(0..passage.text().len());
    section.label.is_some_and(|label| span.start <= label.start && label.end <= span.end)
}
