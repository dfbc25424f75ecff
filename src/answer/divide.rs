//! Divides an answer into the parts of its exercise, under the labels that people really use.

mod label;

use std::ops::Range;

use crate::answer::{Answer, Role};
use crate::text::Span;

use label::{Label, Style};

/// The parts of an exercise, as far as they help to find them in an answer.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// In the exercise's order.
    pub parts: Vec<Part>,
}

/// One part of an exercise.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// What labels it: `a`.
    pub id: String,
    /// Its title, which a student may use as a heading.
    pub title: String,
    /// Further phrases by which a heading without a label may name it; a word ending in `*` stands for all that start so.
    pub topics: Vec<String>,
    /// The question, by which a copy of it is recognized.
    pub text: String,
    /// Its numbered items.
    pub items: Vec<Item>,
}

/// One numbered item of a part.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// What labels it: `e1`.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Further phrases that name it.
    pub topics: Vec<String>,
}

/// What a section answers: a part, or an item of a part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// The part's id.
    pub part: String,
    /// The item's id.
    pub item: Option<String>,
}

/// What kind of section it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// What stands before the first label, or outside of all parts.
    Preamble,
    /// The answer to the parts it names.
    Answer,
    /// A summary of results, which belongs to no single part.
    Summary,
}

/// How sure it is that a section is what it is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Certainty {
    /// It carries the label.
    Sure,
    /// A number stands for the letter, or a heading names the topic.
    Likely,
    /// A label was taken for another one, because it was used twice or shifted.
    Guess,
}

/// A stretch of an answer that belongs together.
#[derive(Clone, Debug)]
pub struct Section {
    /// What kind of section it is.
    pub sort: Sort,
    /// What it answers; several where a student answers them together, none outside of all parts.
    pub names: Vec<Name>,
    /// Where its label stands in the file.
    pub label: Option<Span>,
    /// How sure this is.
    pub certainty: Certainty,
    /// Its text, in order: whole blocks, and parts of blocks.
    pub stretches: Vec<Stretch>,
}

/// A block, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The block, as an index into [`Answer::blocks`].
    pub block: usize,
    /// The bytes of its passage, the label left out.
    pub range: Range<usize>,
}

/// Divides an answer into sections; every block is in one or several of them.
pub fn divide(answer: &Answer, outline: &Outline) -> Vec<Section> {
    let marks = find_marks(answer, outline);
    let mut sections =
        vec![Section { sort: Sort::Preamble, names: Vec::new(), label: None, certainty: Certainty::Sure, stretches: Vec::new() }];
    let mut marks = marks.into_iter().peekable();
    for (index, block) in answer.blocks.iter().enumerate() {
        let mut at = 0;
        while let Some(mark) = marks.next_if(|mark| mark.block == index) {
            push(&mut sections, index, at..mark.label.start);
            at = mark.label.end;
            sections.push(Section {
                sort: Sort::Answer,
                names: mark.names,
                label: Some(block.passage.span(mark.label)),
                certainty: mark.certainty,
                stretches: Vec::new(),
            });
        }
        push(&mut sections, index, at..block.passage.text().len());
    }
    sections.retain(|section| section.sort == Sort::Answer || !section.stretches.is_empty());
    sections
}

fn push(sections: &mut [Section], block: usize, range: Range<usize>) {
    if let Some(section) = sections.last_mut()
        && !range.is_empty()
    {
        section.stretches.push(Stretch { block, range });
    }
}

/// A label that begins a section.
struct Mark {
    block: usize,
    label: Range<usize>,
    names: Vec<Name>,
    certainty: Certainty,
}

fn find_marks(answer: &Answer, outline: &Outline) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    let mut part: Option<usize> = None;
    for (index, block) in answer.blocks.iter().enumerate() {
        let text = block.passage.text();
        let heading = matches!(block.role, Role::Heading(_));
        let mut start = 0;
        for line in text.split('\n') {
            if let Some(label) = label::label(line, heading)
                && (start == 0 || !label::points(&text[..start]) && !label::is_subject(&line[label.range.end..]))
                && let Some(names) = resolve(&label, outline, &mut part)
            {
                let range = start + label.range.start..start + label.range.end;
                marks.push(Mark { block: index, label: range, names, certainty: Certainty::Sure });
            } else if start == 0
                && let Role::Item { marker, .. } = &block.role
                && let Some(part) = part
                && let Ok(number) = marker.trim_matches(['(', ')', '.']).parse::<usize>()
                && let Some(item) = outline.parts[part].items.get(number.wrapping_sub(1))
            {
                let names = vec![Name { part: outline.parts[part].id.clone(), item: Some(item.id.clone()) }];
                marks.push(Mark { block: index, label: 0..0, names, certainty: Certainty::Sure });
            }
            start += line.len() + 1;
        }
    }
    marks
}

fn resolve(label: &Label, outline: &Outline, part: &mut Option<usize>) -> Option<Vec<Name>> {
    let first = label.path.first()?;
    if let Some(at) = outline.parts.iter().position(|part| part.id == *first) {
        if matches!(label.style, Style::Bare | Style::Colon) && label.capital {
            return None;
        }
        *part = Some(at);
        let item = label
            .path
            .get(1)
            .and_then(|number| number.parse::<usize>().ok())
            .and_then(|number| outline.parts[at].items.get(number.wrapping_sub(1)));
        let mut names = vec![Name { part: first.clone(), item: item.map(|item| item.id.clone()) }];
        names.extend(label.more.iter().map(|more| Name { part: more.clone(), item: None }));
        return Some(names);
    }
    for (at, candidate) in outline.parts.iter().enumerate() {
        if let Some(item) = candidate.items.iter().find(|item| item.id == *first) {
            *part = Some(at);
            return Some(vec![Name { part: candidate.id.clone(), item: Some(item.id.clone()) }]);
        }
    }
    let number = first.parse().ok().or_else(|| label::roman(first))?;
    let current = &outline.parts[(*part)?];
    let item = current.items.get(usize::wrapping_sub(number, 1))?;
    Some(vec![Name { part: current.id.clone(), item: Some(item.id.clone()) }])
}
