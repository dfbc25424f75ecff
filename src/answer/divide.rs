//! Divides an answer into the parts of its exercise, under the labels that people really use.

mod closing;
mod copied;
mod items;
mod label;
mod marks;
mod places;
mod tables;
mod topic;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::answer::Answer;
use crate::text::Span;

use copied::Questions;
pub use copied::introduces_own;
use marks::Mark;
use topic::Topics;

/// The parts of an exercise, as far as they help to find them in an answer.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// In the exercise's order.
    pub parts: Vec<Part>,
    /// What is asked, in the words of the answer template, by which a line that nobody has filled in is recognized.
    pub asks: Vec<String>,
    /// Their topics, compiled when an answer needs them first.
    topics: OnceLock<Topics>,
    /// What their questions hold, by which a copy is known.
    questions: OnceLock<Questions>,
}

impl Outline {
    /// The outline of an exercise with these parts.
    pub fn new(parts: Vec<Part>) -> Outline {
        Outline { parts, ..Outline::default() }
    }

    fn questions(&self) -> &Questions {
        self.questions.get_or_init(|| Questions::of(self))
    }
}

/// One part of an exercise.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// What labels it: `a`.
    pub id: String,
    /// Its title, which a student may use as a heading.
    pub title: String,
    /// Further phrases by which a heading without a label may name it, in the notation of [`crate::phrase`].
    pub topics: Vec<String>,
    /// The question, by which a copy of it is recognized.
    pub text: String,
    /// Whether it asks for something besides what its items ask for.
    pub asks_itself: bool,
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
    /// The question, by which a copy of it is recognized.
    pub text: String,
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
    /// The student's words in it, in order: whole blocks, and parts of blocks. Labels are left out, and so is the question
    /// where it is copied or quoted; a quotation that is not followed by words of the student's own is kept.
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

/// Divides an answer into sections, in order. Every block is in one or several of them, except for copies of the
/// question.
///
/// A label counts where labels stand: at the start of a block, of a line, in a list marker, in the first cell of a row,
/// in the keys of a structured answer, or after another label of its kind in the same line; `see (b)` is a reference.
/// Without letters, numbers or headings that name the topics stand for them, if they do so consistently.
pub fn divide(answer: &Answer, outline: &Outline) -> Vec<Section> {
    let topics = outline.topics.get_or_init(|| Topics::of(outline));
    let places = places::places(answer);
    let parts = marks::part_marks(answer, outline, topics, &places);
    let marks = items::with_items(answer, outline, topics, &places, parts);
    let tables = tables::owners(answer, outline, topics, &marks);
    let mut sections = Assembly::new(answer, outline).run(marks, tables);
    for section in &mut sections {
        copied::keep_own_words(answer, section);
    }
    let says = |section: &Section| section.label.is_some() || section.certainty == Certainty::Sure;
    sections.retain(|section| section.sort == Sort::Answer && says(section) || !section.stretches.is_empty());
    sections
}

/// Of each block of an answer, whether something in it is the student's: copies of the question are in no section.
pub fn own_blocks(answer: &Answer, sections: &[Section]) -> Vec<bool> {
    let mut own = vec![false; answer.blocks.len()];
    sections.iter().flat_map(|section| &section.stretches).for_each(|stretch| own[stretch.block] = true);
    own
}

/// What a mark or a cell names, as indices into the outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Target {
    part: usize,
    item: Option<usize>,
}

impl Target {
    fn name(self, outline: &Outline) -> Name {
        let part = &outline.parts[self.part];
        Name { part: part.id.clone(), item: self.item.map(|item| part.items[item].id.clone()) }
    }
}

/// What a mark names, nearly always one thing.
type Targets = SmallVec<[Target; 1]>;

/// Sections in the making.
struct Assembly<'a> {
    answer: &'a Answer,
    outline: &'a Outline,
    copied: BTreeMap<usize, Vec<Range<usize>>>,
    sections: Vec<Section>,
    /// The section that running text goes to.
    current: usize,
}

impl<'a> Assembly<'a> {
    fn new(answer: &'a Answer, outline: &'a Outline) -> Assembly<'a> {
        let mut assembly = Assembly { answer, outline, copied: copied::copies(answer, outline), sections: Vec::new(), current: 0 };
        assembly.open(Sort::Preamble, &[], None, Certainty::Sure);
        assembly
    }

    fn open(&mut self, sort: Sort, targets: &[Target], label: Option<Span>, certainty: Certainty) -> usize {
        let names = targets.iter().map(|target| target.name(self.outline)).collect();
        self.sections.push(Section { sort, names, label, certainty, stretches: Vec::new() });
        self.sections.len() - 1
    }

    fn run(mut self, marks: Vec<Mark>, tables: BTreeMap<usize, tables::Owner>) -> Vec<Section> {
        let mut marks = marks.into_iter().peekable();
        // Sections that rows, columns and keys have of their own, by what they are called in `tables`.
        let mut apart: BTreeMap<usize, usize> = BTreeMap::new();
        for (index, block) in self.answer.blocks.iter().enumerate() {
            let length = block.passage.text().len();
            let mut at = 0;
            while let Some(mark) = marks.next_if(|mark| mark.block == index) {
                self.push(self.current, index, at..mark.range.start.max(at));
                at = mark.range.end.max(at);
                let label = Some(block.passage.span(mark.range.clone())).filter(|span| !span.is_empty());
                self.current = self.open(mark.sort, &mark.targets, label, mark.certainty);
            }
            match tables.get(&index) {
                Some(owner) => {
                    let section = match apart.get(&owner.group) {
                        Some(&section) => section,
                        None => {
                            let section = self.open(Sort::Answer, &owner.targets, None, owner.certainty);
                            apart.insert(owner.group, section);
                            section
                        }
                    };
                    if owner.is_label {
                        self.sections[section].label = Some(block.passage.span(0..length));
                    }
                    self.push(section, index, at..length);
                }
                None => self.push(self.current, index, at..length),
            }
            let goes_on = self.answer.blocks.get(index + 1).is_some_and(|next| next.printed && block.role.is_of_table_of(&next.role));
            if block.printed && !goes_on {
                self.leave_item();
            }
        }
        self.sections
    }

    /// An item that a program printed ends with what it printed; what follows belongs to the part.
    fn leave_item(&mut self) {
        let section = &self.sections[self.current];
        if let [Name { part, item: Some(_) }] = section.names.as_slice() {
            let part = Name { part: part.clone(), item: None };
            self.current = self.open(Sort::Answer, &[], None, Certainty::Likely);
            self.sections[self.current].names.push(part);
        }
    }

    /// Adds a stretch to a section, without what is copied from the question.
    fn push(&mut self, section: usize, block: usize, range: Range<usize>) {
        let text = self.answer.blocks[block].passage.text();
        let stretches = &mut self.sections[section].stretches;
        let mut add = |range: Range<usize>| {
            if !text[range.clone()].trim_start().is_empty() {
                stretches.push(Stretch { block, range });
            }
        };
        let mut at = range.start;
        let copies = self.copied.get(&block).map_or(&[][..], Vec::as_slice);
        let first = copies.partition_point(|copy| copy.end <= range.start);
        for copy in copies[first..].iter().take_while(|copy| copy.start < range.end) {
            add(at..copy.start.max(at));
            at = copy.end.min(range.end);
        }
        add(at..range.end);
    }
}

#[cfg(test)]
mod tests;
