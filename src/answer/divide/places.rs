//! Where labels may stand: at the start of a block, of a line, in a marker, in the first cell of a row, and, after a
//! label, further on in the same line.

use std::ops::Range;

use crate::answer::divide::label::{self, Label, Style};
use crate::answer::drawn::lines;
use crate::answer::{Answer, Block, Role};

/// Something that looks like a label, where labels stand.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The block.
    pub(super) block: usize,
    /// The label's bytes in its passage; empty for the marker of a list item.
    pub(super) range: Range<usize>,
    pub(super) label: Label,
    pub(super) stand: Stand,
    /// Whether it is set in bold.
    pub(super) strong: bool,
}

/// Where a label stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stand {
    /// In a heading of this level.
    Heading(u8),
    /// In the marker of a list item at this depth.
    Marker(usize),
    /// At the start of a block.
    Block,
    /// At the start of a later line of a block.
    Line,
    /// Further on in a line whose start is a label.
    Inside,
}

/// Every place of an answer outside of tables and structured entries where something looks like a label, in order.
pub(super) fn places(answer: &Answer) -> Vec<Place> {
    let mut places = Vec::new();
    for (index, block) in answer.blocks.iter().enumerate() {
        match &block.role {
            Role::Cell { .. } | Role::Entry(_) => {}
            role => in_block(index, block, role, &mut places),
        }
    }
    places
}

fn in_block(index: usize, block: &Block, role: &Role, places: &mut Vec<Place>) {
    let text = block.passage.text();
    if let Role::Item { marker, depth } = role
        && let Some(label) = label::label(marker, true)
    {
        places.push(Place { block: index, range: 0..0, label, stand: Stand::Marker(*depth), strong: false });
    }
    let heading = if let Role::Heading(level) = role { Some(*level) } else { None };
    let comment = matches!(role, Role::Code(_));
    let mut start = 0;
    for line in lines(text) {
        let lead = if comment { line.len() - line.trim_start_matches(['#', '/', ' ', '%']).len() } else { 0 };
        let inner = &line[lead..];
        // Plain text marks headings and lists in its own ways.
        let lead = lead + if lead == 0 { decoration(inner) } else { 0 };
        let inner = &line[lead..];
        let bold = |at: usize| {
            let next = block.strong.partition_point(|range| range.end <= at);
            block.strong.get(next).is_some_and(|range| range.start <= at)
        };
        let bare = heading.is_some() || bold(start + lead);
        let found = label::label(inner, bare)
            .or_else(|| heading.and_then(|_| label::at_end(inner).or_else(|| label::section(inner))))
            .filter(|label| {
                let after = &inner[label.range.end..];
                start == 0 || !(label::points(&text[..start]) || label::is_subject(after))
            });
        if let Some(mut label) = found {
            let range = start + lead + label.range.start..start + lead + label.range.end;
            let stand = match heading {
                Some(level) => Stand::Heading(level),
                None if start == 0 => Stand::Block,
                None => Stand::Line,
            };
            let begins_with_item = label.path.len() == 2;
            let after = label.range.end;
            let style = label.style;
            let initial = label.path[0].chars().next().unwrap_or(' ');
            label.range = 0..0;
            places.push(Place { block: index, strong: bold(range.start), range, label, stand });
            further(index, start + lead, inner, after, (style, initial, begins_with_item), places);
        }
        start += line.len() + 1;
    }
}

/// The length of what decorates a line of plain text in front of its label: `## `, `- `, `== `, `> `.
fn decoration(line: &str) -> usize {
    let trimmed = line.trim_start_matches(['#', '=', '>', '-', '*', ' ', '\t', '+']);
    let length = line.len() - trimmed.len();
    if length == 0 || line[..length].ends_with([' ', '\t']) { length } else { 0 }
}

/// Labels further on in a line that begins with one: `(a) 2.6 GB (b) 1.24 ms`, `(e) 1. 13 %, 2. 50 %`, `e1 3 % e2 5 %`.
fn further(block: usize, line: usize, text: &str, from: usize, (style, initial, items): (Style, char, bool), places: &mut Vec<Place>) {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        let Some(next) = bytes[at..].iter().position(|byte| matches!(byte, b' ' | b'\t' | b',' | b';' | b'|')) else { return };
        at += next + 1;
        let rest = &text[at..];
        let Some(head) = rest.bytes().next().filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'(') else { continue };
        // A label is short: what does not look like one in its first bytes is none.
        let Some(label) = label::label(&rest[..rest.floor_char_boundary(12)], false) else { continue };
        let number = label.path[0].bytes().all(|byte| byte.is_ascii_digit());
        let before = text[..at].trim_end();
        let alike = match style {
            Style::Round | Style::Half | Style::Dot => true,
            Style::Colon => before.ends_with([',', ';', '.', '|']),
            _ => false,
        };
        let same = label.style == style && alike && !label.capital && !number
            || label.style == Style::Bare && label.path[0].len() == 2 && label.path[0].starts_with(initial);
        let item = items && number && before.ends_with(['.', ',', ';', ':', '%', ')']) && head.is_ascii_digit();
        if !(same || item) || label::points(before) || label::is_subject(&rest[label.range.end..]) {
            continue;
        }
        let range = line + at + label.range.start..line + at + label.range.end;
        at += label.range.end;
        places.push(Place { block, range, label, stand: Stand::Inside, strong: false });
    }
}
