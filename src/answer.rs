//! One submission: its bytes become blocks of plain text with their place, and the blocks are divided into parts.
//!
//! A reader a format; a reader never fails on content. Knows no drills: the names of the parts to look for are handed in.
//!
//! ```
//! use drillmark::answer::{Answer, Kind};
//! let answer = Answer::read("a.md", "**(a)** $S = 2.6\\,\\mathrm{GB}$", Kind::Markdown);
//! assert_eq!(answer.blocks[0].passage.text(), "(a) S = 2.6 GB");
//! ```

mod decode;
mod divide;
mod drawn;
mod heads;
mod html;
mod json;
mod keyed;
mod latex;
mod markdown;
mod markup;
mod notebook;
mod page;
mod plain;
mod tex;
mod typst;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use memchr::memchr;

use crate::phrase::Words;
use crate::text::{Passage, Source};

pub use decode::{Note, Unreadable};
pub use divide::{Certainty, Item, Name, Outline, Part, Section, Sort, Stretch, divide, introduces_own, own_blocks};

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
    /// The text, decoded; spans count in its bytes. These are the bytes of the file, unless it was not UTF-8: then a
    /// [`Note`] says so, and spans count in the text that its characters make in UTF-8.
    pub source: Source,
    /// The format.
    pub kind: Kind,
    /// Its blocks in the order in which a reader sees them.
    pub blocks: Vec<Block>,
    /// What a grader should know about how it was read.
    pub notes: Vec<Note>,
}

impl Answer {
    /// Reads a text. Whatever it holds, something comes out: a reader takes what it cannot make sense of as text.
    pub fn read(name: impl Into<String>, text: impl Into<String>, kind: Kind) -> Answer {
        let source = Source::new(name, lines(text.into()));
        let blocks = blocks(source.text(), kind);
        Answer { source, kind, blocks, notes: Vec::new() }
    }

    /// Reads a text as [`Answer::read`] does, and hands its blocks on in turn, tables whole: what was read of a long text
    /// need not be kept. What is left in `take`'s hands is dropped.
    pub fn read_in_turn(source: &Source, kind: Kind, mut take: impl FnMut(&[Block])) {
        let text = source.text();
        match kind {
            Kind::Markdown => markdown::read_in_turn(text, &mut |blocks| {
                take(blocks);
                blocks.clear();
            }),
            _ => take(&blocks(text, kind)),
        }
    }

    /// Reads the bytes of a file of at most `limit` bytes: UTF-8, UTF-16, or else the old Western encoding. Without a
    /// `kind`, the name's ending says what it is, and otherwise the content.
    pub fn read_bytes<'a>(
        name: impl Into<String>,
        bytes: impl Into<Cow<'a, [u8]>>,
        kind: Option<Kind>,
        limit: usize,
    ) -> Result<Answer, Unreadable> {
        let (source, kind, notes) = Answer::decode(name, bytes, kind, limit)?;
        let blocks = blocks(source.text(), kind);
        Ok(Answer { source, kind, blocks, notes })
    }

    /// What [`Answer::read_bytes`] reads: the text, its format, and what there is to say about it. Bytes that are handed over
    /// become the text where they are one.
    pub fn decode<'a>(
        name: impl Into<String>,
        bytes: impl Into<Cow<'a, [u8]>>,
        kind: Option<Kind>,
        limit: usize,
    ) -> Result<(Source, Kind, Vec<Note>), Unreadable> {
        let name = name.into();
        let (text, notes) = decode::decode(bytes.into(), limit)?;
        let kind = kind.or_else(|| Kind::of_name(&name)).unwrap_or_else(|| Kind::of_content(&text));
        Ok((Source::new(name, lines(text)), kind, notes))
    }
}

/// A text with the line ends that every reader knows. Old Mac files end their lines with a carriage return alone; as many
/// bytes, so that places stay places in the file.
fn lines(text: String) -> String {
    if memchr(b'\r', text.as_bytes()).is_some() && memchr(b'\n', text.as_bytes()).is_none() { text.replace('\r', "\n") } else { text }
}

fn blocks(text: &str, kind: Kind) -> Vec<Block> {
    let mut blocks = match kind {
        Kind::Markdown => markdown::read(text),
        Kind::Latex => latex::read(text),
        Kind::Typst => typst::read(text),
        Kind::Notebook => notebook::read(text),
        Kind::Toml => keyed::read_toml(text),
        Kind::Json => keyed::read_json(text),
        Kind::Text => plain::read(text),
    };
    // Only Markdown always says which row is the head of a table.
    if matches!(kind, Kind::Latex | Kind::Typst | Kind::Text) {
        heads::find(&mut blocks);
    }
    blocks
}

impl Kind {
    /// The format that a file's name promises.
    pub fn of_name(name: &str) -> Option<Kind> {
        let (_, extension) = name.rsplit_once('.')?;
        Some(match extension.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "mdown" | "mkd" | "qmd" | "rmd" => Kind::Markdown,
            "txt" | "text" | "csv" | "tsv" => Kind::Text,
            "tex" | "latex" | "ltx" => Kind::Latex,
            "typ" => Kind::Typst,
            "ipynb" => Kind::Notebook,
            "toml" => Kind::Toml,
            "json" => Kind::Json,
            _ => return None,
        })
    }

    /// The usual ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Kind::Markdown => "md",
            Kind::Text => "txt",
            Kind::Latex => "tex",
            Kind::Typst => "typ",
            Kind::Notebook => "ipynb",
            Kind::Toml => "toml",
            Kind::Json => "json",
        }
    }

    /// The format that a text looks like; Markdown where nothing speaks for another.
    pub fn of_content(text: &str) -> Kind {
        let start = text.trim_start_matches('\u{FEFF}').trim_start();
        if start.starts_with('{') && text.contains("\"cells\"") && text.contains("\"nbformat\"") {
            Kind::Notebook
        } else if start.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(start).is_ok() {
            Kind::Json
        } else if text.contains("\\documentclass") || text.contains("\\begin{document}") {
            Kind::Latex
        } else if start.lines().any(|line| line.starts_with("#set ") || line.starts_with("#let ") || line.starts_with("#show ")) {
            Kind::Typst
        } else {
            Kind::Markdown
        }
    }
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
    /// Whether a program printed it: what a code cell puts out, and the tables in that.
    pub printed: bool,
    words: OnceLock<Arc<Words>>,
}

impl Block {
    /// A block with nothing about it yet.
    fn new(passage: Passage, role: Role) -> Block {
        Block { passage, role, quoted: 0, struck: Vec::new(), strong: Vec::new(), printed: false, words: OnceLock::new() }
    }

    /// Its words: cut when somebody asks for them, and then the same for everybody.
    pub fn words(&self) -> &Arc<Words> {
        self.words.get_or_init(|| Arc::new(Words::of(self.passage.text())))
    }
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

impl Role {
    /// Whether two blocks are cells of one table.
    fn is_of_table_of(&self, other: &Role) -> bool {
        matches!((self, other), (Role::Cell { table, .. }, Role::Cell { table: other, .. }) if table == other)
    }
}

#[cfg(test)]
mod tests;
