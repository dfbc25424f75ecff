//! One submission: its bytes become blocks of plain text with their place, and the blocks are divided into parts.
//!
//! A reader a format; a reader never fails on content. Knows no drills: the names of the parts to look for are handed in.

use crate::text::{Passage, Source};
use std::ops::Range;

/// The formats that an answer may be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// CommonMark with tables, math and HTML.
    Markdown,
    /// Plain text.
    Text,
    /// LaTeX.
    Latex,
    /// Typst.
    Typst,
    /// Jupyter notebook, version 4.
    Notebook,
    /// TOML, keys and values.
    Toml,
    /// JSON, keys and values.
    Json,
}

/// A submission as it was read.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The text, decoded; spans count in its bytes.
    pub source: Source,
    /// The format.
    pub kind: Kind,
    /// Its blocks in the order in which a reader sees them.
    pub blocks: Vec<Block>,
}

/// A stretch of an answer that stands for itself: a paragraph, a list item, a table cell, a display formula.
#[derive(Clone, Debug)]
pub struct Block {
    /// The plain text.
    pub passage: Passage,
    /// What it is in the document.
    pub role: Role,
    /// Depth of quotation: a quoted question is not the student's word.
    pub quoted: usize,
    /// Ranges of the passage that are struck out.
    pub struck: Vec<Range<usize>>,
    /// Ranges of the passage that are set in bold or boxed.
    pub strong: Vec<Range<usize>>,
}

/// What a block is in its document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A heading; 1 is the highest level.
    Heading(u8),
    /// Running text.
    Paragraph,
    /// A list item: its marker as written (`-`, `2.`, `(a)`) and its depth, from 1.
    Item {
        /// As written.
        marker: String,
        /// From 1.
        depth: usize,
    },
    /// A table cell, counted from 0; `table` numbers the tables of the document.
    Cell {
        /// Which table.
        table: usize,
        /// Which row; the header, where there is one, is row 0.
        row: usize,
        /// Which column.
        column: usize,
        /// Whether it names a column.
        header: bool,
    },
    /// A code block and the language it names, or a code cell.
    Code(String),
    /// What a code cell printed.
    Output,
    /// A display formula.
    Math,
    /// A key and its value in a structured answer: the keys from the outermost in.
    Entry(Vec<String>),
}
