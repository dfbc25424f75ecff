//! Blocks in the making: what every reader writes to.

use std::ops::Range;

use crate::answer::{Block, Role, drawn};
use crate::text::{Passage, Signs, Span, escapes};

/// The text of one block while it is written, with what is struck out and what stands out in it.
#[derive(Debug, Default)]
pub(crate) struct Ink {
    pub(crate) passage: Passage,
    pub(crate) struck: Vec<Range<usize>>,
    pub(crate) strong: Vec<Range<usize>>,
}

impl Ink {
    /// How much text there is.
    pub(crate) fn len(&self) -> usize {
        self.passage.text().len()
    }

    /// The last character.
    pub(crate) fn last(&self) -> Option<char> {
        self.passage.text().chars().next_back()
    }

    /// Sets the text from `start` on apart as struck out.
    pub(crate) fn strike_from(&mut self, start: usize) {
        let end = self.len();
        mark(&mut self.struck, start..end);
    }

    /// Sets the text from `start` on apart as strong.
    pub(crate) fn embolden_from(&mut self, start: usize) {
        let end = self.len();
        mark(&mut self.strong, start..end);
    }
}

/// Adds a range, in which inner ones, which were added before it, go up.
fn mark(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    if range.is_empty() {
        return;
    }
    while ranges.last().is_some_and(|last| range.start <= last.start) {
        ranges.pop();
    }
    ranges.push(range);
}

/// The blocks of an answer while they are written, and the one that is being written.
#[derive(Debug, Default)]
pub(crate) struct Page {
    blocks: Vec<Block>,
    role: Option<Role>,
    pub(crate) ink: Ink,
    /// Depth of quotation at this point.
    pub(crate) quoted: usize,
    /// Where the strong and struck stretches that are open began, by how often they were opened.
    strong: Open,
    struck: Open,
    /// Text is not written while this is above zero: it is not shown to a reader.
    pub(crate) hidden: usize,
    tables: usize,
}

/// A stretch that is open, perhaps several times over.
#[derive(Debug, Default)]
struct Open {
    depth: usize,
    start: usize,
}

impl Page {
    /// A page for a text of this length.
    pub(crate) fn for_text(length: usize) -> Page {
        // Most blocks are longer than this; of a large text, moving the blocks each time that there is no more room takes
        // longer than anything else about them.
        Page { blocks: Vec::with_capacity(length / 64), ..Page::default() }
    }

    /// Ends the block that is being written and begins another.
    pub(crate) fn begin(&mut self, role: Role) {
        self.finish();
        self.role = Some(role);
    }

    /// Ends the block that is being written, if anything is in it. What is strong or struck stays so in the next one.
    pub(crate) fn finish(&mut self) {
        // Nothing was begun since the last one.
        if self.role.is_none() && self.ink.len() == 0 {
            return;
        }
        let role = self.role.take().unwrap_or(Role::Paragraph);
        if self.strong.depth > 0 {
            self.ink.embolden_from(self.strong.start);
            self.strong.start = 0;
        }
        if self.struck.depth > 0 {
            self.ink.strike_from(self.struck.start);
            self.struck.start = 0;
        }
        // An item with nothing in it but other items still says what they belong to.
        let labels = matches!(&role, Role::Item { marker, .. } if marker.contains(char::is_alphanumeric));
        let keep = !self.ink.passage.is_blank() || labels && self.hidden == 0;
        let (struck, strong) = (std::mem::take(&mut self.ink.struck), std::mem::take(&mut self.ink.strong));
        if keep {
            let block = Block { quoted: self.quoted, struck, strong, ..Block::new(self.ink.passage.take(), role) };
            drawn::take_apart(block, &mut self.tables, &mut self.blocks);
        } else {
            self.ink.passage.clear();
        }
    }

    /// The blocks that are done, for those who take them away before the page ends.
    pub(crate) fn blocks(&mut self) -> &mut Vec<Block> {
        &mut self.blocks
    }

    /// Ends the page.
    pub(crate) fn into_blocks(mut self) -> Vec<Block> {
        self.finish();
        self.blocks
    }

    /// Ends the block that is being written; a single line of text becomes a heading of this level.
    pub(crate) fn underline(&mut self, level: u8) {
        if matches!(self.role, Some(Role::Paragraph)) && !self.is_blank() && !self.ink.passage.text().contains('\n') {
            self.role = Some(Role::Heading(level));
        }
        self.finish();
    }

    /// Whether anything but white space is in the block that is being written.
    pub(crate) fn is_blank(&self) -> bool {
        self.ink.passage.is_blank()
    }

    /// Whether a list item has been begun and nothing is in it yet.
    pub(crate) fn is_item_start(&self) -> bool {
        matches!(self.role, Some(Role::Item { .. })) && self.is_blank()
    }

    /// Whether a block has been begun and not ended.
    pub(crate) fn is_open(&self) -> bool {
        self.role.is_some()
    }

    /// Writes text that stands at `start` as it is.
    pub(crate) fn push(&mut self, text: &str, start: usize) {
        if self.hidden > 0 {
            return;
        }
        let signs = Signs::of(text);
        if !signs.hold(Signs::ESCAPE) {
            return self.ink.passage.push_with(text, start, signs);
        }
        // Colors of a terminal that came along with what was pasted.
        let mut at = 0;
        for (from, to) in escapes(text) {
            self.ink.passage.push(&text[at..from], start + at);
            at = to;
        }
        self.ink.passage.push(&text[at..], start + at);
    }

    /// Writes text that stands for `source`.
    pub(crate) fn push_for(&mut self, text: &str, source: Span) {
        if self.hidden == 0 {
            self.ink.passage.push_for(text, source);
        }
    }

    /// From here on, text is strong (or one level less so).
    pub(crate) fn strong(&mut self, on: bool) {
        if self.strong.turn(on, self.ink.len()) {
            self.ink.embolden_from(self.strong.start);
        }
    }

    /// From here on, text is struck out (or one level less so).
    pub(crate) fn struck(&mut self, on: bool) {
        if self.struck.turn(on, self.ink.len()) {
            self.ink.strike_from(self.struck.start);
        }
    }

    /// The number of the table that begins here.
    pub(crate) fn next_table(&mut self) -> usize {
        self.tables += 1;
        self.tables - 1
    }
}

impl Open {
    /// Opens or closes once; true if that closed it for good.
    fn turn(&mut self, on: bool, at: usize) -> bool {
        if on {
            if self.depth == 0 {
                self.start = at;
            }
            self.depth += 1;
            return false;
        }
        let closes = self.depth == 1;
        self.depth = self.depth.saturating_sub(1);
        closes
    }
}
