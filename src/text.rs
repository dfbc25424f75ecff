//! Places in a text: byte spans, lines and columns, and plain-text views that remember where each byte came from.
//!
//! Nothing here knows a file format. [`Passage`] is what every later stage reads: text without markup, with a map back
//! to the submitted bytes, so that the submission itself is never rewritten.

mod sentence;
mod signs;
mod wide;

use std::ops::Range;
use std::sync::OnceLock;

use memchr::memchr_iter;
use sha2::{Digest, Sha256};
use smallvec::SmallVec;

pub use sentence::sentences;
pub(crate) use signs::Signs;

/// A half-open range of bytes in a [`Source`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Span {
        debug_assert!(start <= end, "a span runs forward: {start}..{end}");
        Span { start, end }
    }

    /// The smallest span that holds both.
    pub fn join(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The number of bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether no byte is inside.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether the two share a byte.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The span as a range, for slicing.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A line and a column, both counted from 1; a column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// A text with a name, as it was read: a submission, a drill, a rubric.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    /// Offset of the first byte of each line. Found when first asked for: those who only want byte offsets never do.
    lines: OnceLock<Vec<usize>>,
    /// How many characters start before each multiple of [`STRIDE`] bytes, so that a column deep in a line of a
    /// megabyte is found without counting from its start. Few texts have such lines.
    characters: OnceLock<Vec<usize>>,
}

/// Bytes between two entries of [`Source::characters`].
const STRIDE: usize = 1024;

impl Source {
    /// Takes a text in. `name` is what people call it, usually its path.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into(), lines: OnceLock::new(), characters: OnceLock::new() }
    }

    fn lines(&self) -> &[usize] {
        self.lines.get_or_init(|| {
            let mut lines = Vec::with_capacity(1 + self.text.len() / 32);
            lines.push(0);
            lines.extend(memchr_iter(b'\n', self.text.as_bytes()).map(|at| at + 1));
            lines
        })
    }

    /// How many characters start before a byte.
    fn characters_before(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        let characters = self.characters.get_or_init(|| {
            let mut before = 0;
            let count = |chunk| {
                let here = before;
                before += starts(chunk);
                here
            };
            self.text.as_bytes().chunks(STRIDE).map(count).collect()
        });
        let mark = (offset / STRIDE).min(characters.len().saturating_sub(1));
        characters.get(mark).copied().unwrap_or(0) + starts(&self.text.as_bytes()[mark * STRIDE..offset])
    }

    /// What people call this text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span. A span that reaches past the end or into a character is drawn in to the nearest boundary.
    pub fn slice(&self, span: Span) -> &str {
        let clamp = |at: usize| {
            let mut at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        &self.text[clamp(span.start)..clamp(span.end.max(span.start))]
    }

    /// The line and column of a byte.
    pub fn place(&self, offset: usize) -> Place {
        let lines = self.lines();
        let line = lines.partition_point(|&start| start <= offset);
        let start = lines[line - 1];
        let mut offset = offset.clamp(start, self.text.len().max(start));
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        // Most lines are short.
        let before = match offset - start {
            0..=STRIDE => starts(&self.text.as_bytes()[start..offset]),
            _ => self.characters_before(offset) - self.characters_before(start),
        };
        Place { line, column: before + 1 }
    }

    /// The text of a line (counted from 1) without its end, and the offset at which it starts.
    pub fn line(&self, number: usize) -> (&str, usize) {
        let lines = self.lines();
        let start = lines[number - 1];
        let end = lines.get(number).copied().unwrap_or(self.text.len());
        (self.text[start..end].trim_end_matches(['\n', '\r']), start)
    }
}

/// Where the sequences stand in a text by which programs color what they print: `ESC [ 3 1 m`.
pub fn escapes(text: &str) -> impl Iterator<Item = (usize, usize)> {
    text.match_indices('\u{1B}').map(|(start, _)| {
        let rest = &text.as_bytes()[start + 1..];
        let inner = rest.iter().skip(1).take(16).take_while(|byte| byte.is_ascii_digit() || matches!(byte, b';' | b'?')).count();
        let closed = rest.first() == Some(&b'[') && rest.get(1 + inner).is_some_and(u8::is_ascii_alphabetic);
        (start, start + 1 + if closed { inner + 2 } else { 0 })
    })
}

/// The SHA-256 digest of some bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let mut text = String::with_capacity(bytes.len() * 2);
    text.extend(bytes.iter().flat_map(|byte| [byte >> 4, byte & 0xF]).map(|digit| DIGITS[usize::from(digit)]));
    text
}

/// How many characters start in these bytes of UTF-8.
fn starts(bytes: &[u8]) -> usize {
    // No more of them at a time than a byte counts, so that many bytes are counted at once.
    let few = |bytes: &[u8]| bytes.iter().fold(0, |count: u8, byte| count + u8::from(byte & 0xC0 != 0x80));
    bytes.chunks(usize::from(u8::MAX)).map(few).map(usize::from).sum()
}

/// Plain text, cut out of a [`Source`], that knows where each of its bytes came from.
///
/// Markup is left out (`**1**.24` reads `1.24`), spelled-out markup is replaced (`&nbsp;` by a space, `\mu` by `µ`), and
/// [`Passage::span`] says which bytes of the source a range of the passage stands for.
#[derive(Clone, Debug, Default)]
pub struct Passage {
    text: String,
    /// What kinds of characters are in `text`.
    signs: Signs,
    /// In ascending order of `at`; together they cover `text`. Most passages have one or two.
    pieces: SmallVec<[Piece; 2]>,
    /// Ranges of the passage that stand for one construct of the source as a whole, in ascending order of their ends;
    /// they nest, the inner before the outer.
    groups: Vec<Group>,
}

/// A stretch of a passage. There are many; offsets of four bytes keep them small.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Where the piece starts in the passage.
    at: u32,
    /// Where that stands in the source.
    start: u32,
    /// How long it is there; [`VERBATIM`] is added where it stands there byte for byte, and not only as a whole.
    length: u32,
}

/// Marks a piece that stands in the source byte for byte.
const VERBATIM: u32 = 1 << 31;

impl Piece {
    fn new(at: usize, source: Span, verbatim: bool) -> Piece {
        Piece { at: small(at), start: small(source.start), length: small(source.len()) | if verbatim { VERBATIM } else { 0 } }
    }

    fn at(self) -> usize {
        self.at as usize
    }

    fn is_verbatim(self) -> bool {
        self.length & VERBATIM != 0
    }

    fn source(self) -> Span {
        let start = self.start as usize;
        Span { start, end: start + (self.length & !VERBATIM) as usize }
    }
}

/// A range of a passage and what it stands for as a whole.
#[derive(Clone, Copy, Debug)]
struct Group {
    start: u32,
    end: u32,
    source: (u32, u32),
}

impl Group {
    fn source(self) -> Span {
        Span { start: self.source.0 as usize, end: self.source.1 as usize }
    }
}

/// An offset as it is kept.
fn small(offset: usize) -> u32 {
    assert!(offset < VERBATIM as usize, "a text is shorter than two gigabytes");
    offset as u32
}

impl Passage {
    /// An empty passage, to be filled from left to right.
    pub fn new() -> Passage {
        Passage::default()
    }

    /// A passage that is a stretch of the source as it stands; `start` is the offset of its first byte.
    pub fn verbatim(text: &str, start: usize) -> Passage {
        let mut passage = Passage::new();
        passage.push(text, start);
        passage
    }

    /// The plain text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What kinds of characters are in it.
    pub(crate) fn signs(&self) -> Signs {
        self.signs
    }

    /// Appends text that stands in the source at `start`, byte for byte.
    ///
    /// Full-width letters, digits and signs (`２．６`) are ASCII that was set wide, and read as such; so are units that are set
    /// as one character (`㎲`). Characters that nobody sees (a zero-width space, the marks of a direction of writing, a soft
    /// hyphen) are left out: they come along in what is copied from a page, and may stand in the middle of a number.
    pub fn push(&mut self, text: &str, start: usize) {
        self.push_with(text, start, Signs::of(text));
    }

    /// [`Passage::push`], where it is known what kinds of characters are in the text.
    pub(crate) fn push_with(&mut self, text: &str, start: usize, signs: Signs) {
        self.signs = self.signs.and(signs);
        if !signs.hold(Signs::WIDE) {
            return self.push_verbatim(text, start);
        }
        let mut done = 0;
        for (at, c) in text.char_indices() {
            let mut narrow = [0; 4];
            let plain = if c.is_ascii() {
                continue;
            } else if let Some(c) = wide::narrow(c) {
                c.encode_utf8(&mut narrow)
            } else if let Some(spelled) = wide::spelled(c) {
                spelled
            } else if wide::is_unseen(c) {
                ""
            } else {
                continue;
            };
            self.push_verbatim(&text[done..at], start + done);
            done = at + c.len_utf8();
            self.push_for(plain, Span::new(start + at, start + done));
        }
        self.push_verbatim(&text[done..], start + done);
    }

    fn push_verbatim(&mut self, text: &str, start: usize) {
        if text.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(last) if last.is_verbatim() && last.source().end == start => last.length += small(text.len()),
            _ => self.pieces.push(Piece::new(self.text.len(), Span::new(start, start + text.len()), true)),
        }
        self.text.push_str(text);
    }

    /// Appends text that stands for `source` without being spelled that way.
    pub fn push_for(&mut self, text: &str, source: Span) {
        if text.is_empty() {
            return;
        }
        self.signs = self.signs.and(Signs::of(text));
        self.pieces.push(Piece::new(self.text.len(), source, false));
        self.text.push_str(text);
    }

    /// Says that a range of the passage stands for one construct of the source: `\SI{1.24}{\milli\second}` as a whole,
    /// not only the digits in it. Inner constructs are reported before the ones that hold them.
    pub fn group(&mut self, range: Range<usize>, source: Span) {
        if range.is_empty() {
            return;
        }
        let group = Group { start: small(range.start), end: small(range.end), source: (small(source.start), small(source.end)) };
        let at = match self.groups.last() {
            Some(last) if last.end > group.end => self.groups.partition_point(|known| known.end <= group.end),
            _ => self.groups.len(),
        };
        self.groups.insert(at, group);
    }

    /// This passage, whose source is the text of another one, with the places of that one's source: what was read from a
    /// cell of a notebook leads back to the notebook's file.
    pub fn through(&self, outer: &Passage) -> Passage {
        let mut passage = Passage::new();
        for (index, piece) in self.pieces.iter().enumerate() {
            let end = self.pieces.get(index + 1).map_or(self.text.len(), |next| next.at());
            if piece.is_verbatim() {
                passage.push_from(outer, piece.source().range());
            } else {
                passage.push_for(&self.text[piece.at()..end], outer.span(piece.source().range()));
            }
        }
        for group in &self.groups {
            passage.group(group.start as usize..group.end as usize, outer.span(group.source().range()));
        }
        passage
    }

    /// Appends a stretch of another passage, with the places it has there.
    fn push_from(&mut self, outer: &Passage, range: Range<usize>) {
        let first = outer.pieces.partition_point(|piece| piece.at() <= range.start).saturating_sub(1);
        for (index, piece) in outer.pieces.iter().enumerate().skip(first) {
            if piece.at() >= range.end {
                break;
            }
            let end = outer.pieces.get(index + 1).map_or(outer.text.len(), |next| next.at());
            let (from, to) = (piece.at().max(range.start), end.min(range.end));
            if piece.is_verbatim() {
                self.push(&outer.text[from..to], piece.source().start + (from - piece.at()));
            } else {
                self.push_for(&outer.text[from..to], piece.source());
            }
        }
    }

    /// This passage without the sequences by which programs color what they print in a terminal.
    pub fn without_escapes(&self) -> Passage {
        if !self.text.contains('\u{1B}') {
            return self.clone();
        }
        let mut passage = Passage::new();
        let mut at = 0;
        for (start, end) in escapes(&self.text) {
            passage.push_from(self, at..start);
            at = end;
        }
        passage.push_from(self, at..self.text.len());
        passage
    }

    /// A stretch of this passage, with the places it has in the source.
    pub fn part(&self, range: Range<usize>) -> Passage {
        let mut part = Passage::new();
        part.push_from(self, range.clone());
        let first = self.groups.partition_point(|group| group.end as usize <= range.start);
        for group in self.groups[first..].iter().take_while(|group| group.end as usize <= range.end) {
            if range.start <= group.start as usize {
                part.group(group.start as usize - range.start..group.end as usize - range.start, group.source());
            }
        }
        part
    }

    /// What is in this passage, in a passage of its own that takes no more room than it needs; this one is empty then, and
    /// keeps its room for the next.
    pub fn take(&mut self) -> Passage {
        let taken = self.clone();
        self.clear();
        taken
    }

    /// Empties this passage, which keeps its room.
    pub fn clear(&mut self) {
        self.text.clear();
        self.signs = Signs::default();
        self.pieces.clear();
        self.groups.clear();
    }

    /// Whether nothing but white space is in it.
    pub fn is_blank(&self) -> bool {
        self.text.trim_start().is_empty()
    }

    /// The bytes of the source that a range of the passage stands for.
    pub fn span(&self, range: Range<usize>) -> Span {
        // Most passages are one piece.
        let piece = |at: usize| match &self.pieces[..] {
            [] => None,
            [only] => Some(*only),
            pieces => Some(pieces[pieces.partition_point(|piece| piece.at() <= at).saturating_sub(1)]),
        };
        let Some(first) = piece(range.start) else { return Span::default() };
        let start = if first.is_verbatim() {
            (first.source().start + (range.start - first.at())).min(first.source().end)
        } else {
            first.source().start
        };
        let end = if range.is_empty() {
            start
        } else {
            let last = piece(range.end - 1).unwrap_or(first);
            if last.is_verbatim() { (last.source().start + (range.end - last.at())).min(last.source().end) } else { last.source().end }
        };
        let plain = Span { start, end: end.max(start) };
        if self.groups.is_empty() {
            return plain;
        }
        // Only groups that end inside the range can lie inside it, and those stand together.
        let first = self.groups.partition_point(|group| group.end as usize <= range.start);
        self.groups[first..]
            .iter()
            .take_while(|group| group.end as usize <= range.end)
            .filter(|group| range.start <= group.start as usize)
            .fold(plain, |span, group| span.join(group.source()))
    }
}

/// Whether a text has a quotation mark: `"`, `“`, `”`, `„`, `«`, `»`. Most have none of the bytes that one begins with, which
/// is asked of many at once.
pub fn has_quotes(text: &str) -> bool {
    let bytes = text.as_bytes();
    let opens = |at: usize| matches!(bytes[at..], [b'"', ..] | [0xc2, 0xab | 0xbb, ..] | [0xe2, 0x80, 0x9c..=0x9e, ..]);
    bytes.iter().fold(false, |any, byte| any | matches!(byte, b'"' | 0xc2 | 0xe2)) && (0..bytes.len()).any(opens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let source = Source::new("a.md", "α = 20 µs\nB\n");
        assert_eq!(source.place(0), Place { line: 1, column: 1 });
        assert_eq!(source.place("α = ".len()), Place { line: 1, column: 5 });
        assert_eq!(source.place("α = 20 µs\n".len()), Place { line: 2, column: 1 });
        assert_eq!(source.line(2), ("B", "α = 20 µs\n".len()));
    }

    #[test]
    fn a_span_inside_a_character_is_drawn_in() {
        assert_eq!(Source::new("a", "µs").slice(Span::new(1, 99)), "µs");
    }

    #[test]
    fn wide_characters_are_read_as_narrow_ones() {
        let mut passage = Passage::new();
        passage.push("a ２．６ GB", 10);
        assert_eq!(passage.text(), "a 2.6 GB");
        assert_eq!(passage.span(2..5), Span::new(12, 21));
        assert_eq!(passage.span(6..8), Span::new(22, 24));
    }

    #[test]
    fn quotation_marks_are_told_from_their_neighbors() {
        for text in ["\"a\"", "a “b”", "„so“", "x «y", "y»"] {
            assert!(has_quotes(text), "{text}");
        }
        for text in ["", "it's", "20 µs − 5 ‘a’ ‚b‛ ‟", "§ ª ¬ º ¼"] {
            assert!(!has_quotes(text), "{text}");
        }
    }

    #[test]
    fn what_nobody_sees_is_left_out() {
        let mut passage = Passage::new();
        passage.push("6\u{200b}6.4\u{200e} %, \u{2067}16\u{2069} MB, 20 ㎲", 5);
        assert_eq!(passage.text(), "66.4 %, 16 MB, 20 µs");
        assert_eq!(passage.span(0..4), Span::new(5, 12));
        assert_eq!(passage.span(8..10), Span::new(22, 24));
        assert_eq!(passage.span(18..21), Span::new(35, 38));
    }

    #[test]
    fn passages_lead_back_to_the_source() {
        // **16**&nbsp;GB
        let mut passage = Passage::new();
        passage.push("16", 2);
        passage.push_for(" ", Span::new(6, 12));
        passage.push("GB", 12);
        assert_eq!(passage.text(), "16 GB");
        assert_eq!(passage.span(0..5), Span::new(2, 14));
        assert_eq!(passage.span(3..5), Span::new(12, 14));
        assert_eq!(passage.span(2..3), Span::new(6, 12));
    }

    #[test]
    fn a_range_that_covers_a_construct_stands_for_all_of_it() {
        // \SI{1.24}{\milli\second}
        let mut passage = Passage::new();
        passage.push("1.24", 4);
        passage.push_for(" ms", Span::new(10, 23));
        passage.group(0..7, Span::new(0, 24));
        assert_eq!(passage.span(0..7), Span::new(0, 24));
        assert_eq!(passage.span(0..4), Span::new(4, 8));
    }
}
