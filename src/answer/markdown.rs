//! Markdown: CommonMark with tables, strikethrough, footnotes and front matter, LaTeX formulas, and the HTML in it.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::ops::Range;

use crate::answer::html::Html;
use crate::answer::markup::{self, Around, Markup, RegionKind};
use crate::answer::page::Page;
use crate::answer::tex::Macros;
use crate::answer::{Block, Role};
use crate::text::Span;

/// Reads a Markdown text into blocks.
pub(crate) fn read(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    read_in_turn(text, &mut |some| {
        if blocks.is_empty() { std::mem::swap(&mut blocks, some) } else { blocks.append(some) }
    });
    blocks
}

/// Blocks that are handed on at once.
const RUN: usize = 64;

/// Reads a Markdown text and hands its blocks on as they come, tables whole.
pub(crate) fn read_in_turn(text: &str, take: &mut dyn FnMut(&mut Vec<Block>)) {
    let found = markup::scan(text, Around::Markdown);
    let mask = found.mask(text);
    // A mark at the start of the file would hide a heading behind it.
    let skip = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let mut reader = Reader {
        text,
        mask: &mask,
        found: &found,
        passed: 0,
        macros: Macros::new(0),
        page: Page::for_text(text.len().min(64 * RUN)),
        html: Html::default(),
        quotes: Vec::new(),
        depth: 0,
        cell: None,
        code: None,
    };
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    for (event, range) in Parser::new_ext(&mask[skip..], options).into_offset_iter() {
        reader.event(event, range.start + skip..range.end + skip);
        if reader.page.blocks().len() >= RUN && reader.cell.is_none() {
            take(reader.page.blocks());
        }
    }
    take(&mut reader.page.into_blocks());
}

struct Reader<'a> {
    text: &'a str,
    /// The text as the parser sees it, with formulas covered up.
    mask: &'a str,
    found: &'a Markup,
    /// How many formulas are behind.
    passed: usize,
    macros: Macros,
    page: Page,
    html: Html,
    /// For each block quote that is open, whether it is a quotation.
    quotes: Vec<bool>,
    /// How many lists are open.
    depth: usize,
    /// The table that is being read: its number, row, column, and whether this is its header.
    cell: Option<(usize, usize, usize, bool)>,
    /// The language of the code block that is being read.
    code: Option<String>,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.write(&text, range),
            Event::Code(_) => self.code_span(range),
            Event::Html(_) => self.html.block(&mut self.page, self.text, Span::new(range.start, range.end)),
            Event::InlineHtml(_) => self.html.inline(&mut self.page, self.text, Span::new(range.start, range.end)),
            Event::SoftBreak | Event::HardBreak => self.page.push_for("\n", Span::new(range.start, range.end)),
            Event::Rule => self.page.finish(),
            // A mark in brackets is no number of the answer; what formulas there are was found before.
            Event::FootnoteReference(_) | Event::TaskListMarker(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            // The first paragraph of a list item is the item.
            Tag::Paragraph if self.page.is_item_start() => {}
            Tag::Paragraph => self.page.begin(Role::Paragraph),
            Tag::Heading { level, .. } => self.page.begin(Role::Heading(level_of(level))),
            Tag::BlockQuote(_) => {
                self.page.finish();
                let quotation = is_quotation(&self.text[range]);
                self.page.quoted += usize::from(quotation);
                self.quotes.push(quotation);
            }
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(info) => info.split([' ', ',', '{']).next().unwrap_or("").to_owned(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.page.begin(if is_math_language(&language) { Role::Math } else { Role::Code(language.clone()) });
                self.code = Some(language);
            }
            Tag::List(_) => {
                self.page.finish();
                self.depth += 1;
            }
            Tag::Item => {
                let line = &self.text[range];
                let digits = line.bytes().take_while(u8::is_ascii_digit).count();
                let marker = line.get(..digits + 1).unwrap_or("").trim().to_owned();
                self.page.begin(Role::Item { marker, depth: self.depth });
            }
            Tag::Table(_) => {
                self.page.finish();
                self.cell = Some((self.page.next_table(), 0, 0, false));
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some((_, _, column, header)) = &mut self.cell {
                    *column = 0;
                    *header = matches!(tag, Tag::TableHead);
                }
            }
            Tag::TableCell => {
                if let Some((table, row, column, header)) = self.cell {
                    self.page.begin(Role::Cell { table, row, column, header });
                    self.cell = Some((table, row, column + 1, header));
                }
            }
            Tag::Strong => self.page.strong(true),
            Tag::Strikethrough => self.page.struck(true),
            // A picture's description is not shown, front matter is not the answer.
            Tag::Image { .. } | Tag::MetadataBlock(_) => self.page.hidden += 1,
            Tag::FootnoteDefinition(_) => self.page.finish(),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::Heading(_) => {
                self.html.end_of_inline(&mut self.page);
                self.page.finish();
            }
            TagEnd::Item | TagEnd::TableCell => {
                self.html.end_of_inline(&mut self.page);
                self.page.finish();
            }
            TagEnd::CodeBlock => {
                self.code = None;
                self.page.finish();
            }
            TagEnd::BlockQuote(_) => {
                self.page.finish();
                let quotation = self.quotes.pop().unwrap_or(false);
                self.page.quoted -= usize::from(quotation);
            }
            TagEnd::List(_) => self.depth = self.depth.saturating_sub(1),
            TagEnd::Table => self.cell = None,
            TagEnd::TableHead | TagEnd::TableRow => {
                if let Some((_, row, _, _)) = &mut self.cell {
                    *row += 1;
                }
            }
            TagEnd::Strong => self.page.strong(false),
            TagEnd::Strikethrough => self.page.struck(false),
            TagEnd::Image | TagEnd::MetadataBlock(_) => self.page.hidden = self.page.hidden.saturating_sub(1),
            _ => {}
        }
    }

    /// Text, or what stands for it.
    fn write(&mut self, text: &str, range: Range<usize>) {
        if let Some(language) = &self.code {
            if is_math_language(language) {
                let span = Span::new(range.start, range.end);
                let region = markup::Region { span, inner: span, kind: RegionKind::Display };
                markup::flatten(self.text, &region, &self.macros, &mut self.page.ink);
            } else if text == &self.mask[range.clone()] {
                self.page.push(&self.text[range.clone()], range.start);
            } else {
                self.page.push_for(text, Span::new(range.start, range.end));
            }
            return;
        }
        if *text != self.mask[range.clone()] {
            self.page.push_for(text, Span::new(range.start, range.end));
            return;
        }
        let mut at = range.start;
        for region in self.found.from(range.start, &mut self.passed) {
            if region.span.start >= range.end {
                break;
            }
            if region.span.start >= at {
                self.page.push(&self.text[at..region.span.start], at);
                self.formula(region);
            }
            at = region.span.end.clamp(at, range.end);
        }
        if at < range.end {
            self.page.push(&self.text[at..range.end], at);
        }
    }

    fn formula(&mut self, region: &markup::Region) {
        if self.page.hidden > 0 {
            return;
        }
        let apart = region.kind == RegionKind::Display && self.cell.is_none() && !self.page.is_item_start();
        if apart {
            self.page.begin(Role::Math);
        }
        markup::flatten(self.text, region, &self.macros, &mut self.page.ink);
        if apart {
            self.page.begin(Role::Paragraph);
        }
    }

    /// What stands between the ticks of a code span, with the ticks and one space on either side left out.
    fn code_span(&mut self, range: Range<usize>) {
        let span = &self.text[range.clone()];
        let ticks = span.bytes().take_while(|&byte| byte == b'`').count();
        if span.len() < 2 * ticks {
            return;
        }
        let mut inner = &span[ticks..span.len() - ticks];
        let mut start = range.start + ticks;
        if inner.len() > 2 && inner.starts_with(' ') && inner.ends_with(' ') {
            inner = &inner[1..inner.len() - 1];
            start += 1;
        }
        self.page.push(inner, start);
    }
}

fn level_of(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

fn is_math_language(language: &str) -> bool {
    matches!(language, "math" | "latex" | "tex" | "katex")
}

/// Bytes of the marks before a callout's name.
const MOST_MARKS: usize = 16;

/// Whether a block quote quotes somebody: a callout such as `> [!answer]` does not.
fn is_quotation(quote: &str) -> bool {
    // Quotes may nest as deep as a text is long.
    let depth = quote.bytes().take(MOST_MARKS).take_while(|byte| matches!(byte, b'>' | b' ')).count();
    let inner = &quote[depth..];
    let Some(kind) = inner.strip_prefix("[!").and_then(|inner| inner.split_once(']')).map(|(kind, _)| kind.to_ascii_lowercase()) else {
        return true;
    };
    matches!(kind.as_str(), "question" | "quote" | "cite" | "faq" | "help" | "problem" | "task" | "exercise")
}
