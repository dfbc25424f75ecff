//! What stands under a part of an answer, as one text with the words in question marked: what a person reads who decides,
//! and what a decision rests on.

use sha2::{Digest, Sha256};

use crate::answer::Answer;
use crate::grade::{PartPassage, Read};
use crate::text::{Passage, Span, hex};

/// Longer passages are cut where they are shown; their digest is of the whole.
const LONGEST: usize = 8_000;

/// What stands under a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartText {
    /// The plain text, a line for each block.
    pub text: String,
    /// The words in question: bytes of the text, ascending, apart from each other.
    pub marks: Vec<(usize, usize)>,
}

/// The text under a part, with the given places of the source marked.
pub fn under(answer: &Answer, part: &PartPassage, places: &[Span]) -> PartText {
    let (mut text, mut marks) = (String::new(), Vec::new());
    for (block, range) in &part.pieces {
        let passage = &answer.blocks[*block].passage;
        let whole = &passage.text()[range.clone()];
        let piece = whole.trim();
        if piece.is_empty() {
            continue;
        }
        let start = range.start + whole.len() - whole.trim_start().len();
        let range = start..start + piece.len();
        if !text.is_empty() {
            text.push('\n');
        }
        for place in places {
            let (start, end) = (find(passage, range.clone(), place.start), find(passage, range.clone(), place.end));
            let covered = passage.span(start..end);
            if start < end && covered.overlaps(*place) {
                marks.push((text.len() + start - range.start, text.len() + end - range.start));
            }
        }
        text.push_str(piece);
    }
    PartText { marks: settled(&text, marks), text }
}

/// The text of a whole answer.
pub fn whole(answer: &Answer) -> PartText {
    let pieces = answer.blocks.iter().enumerate().map(|(at, block)| (at, 0..block.passage.text().len())).collect();
    under(answer, &PartPassage { part: String::new(), pieces }, &[])
}

/// The text under the part of an unclear quantity, with its candidates marked; candidates that stand elsewhere bring
/// their paragraph along.
pub fn around(answer: &Answer, part: Option<&PartPassage>, candidates: &[Read]) -> PartText {
    let mut around = part.cloned().unwrap_or(PartPassage { part: String::new(), pieces: Vec::new() });
    for candidate in candidates {
        if !stands_in(answer, &around, candidate) {
            let whole = |block: &crate::answer::Block| 0..block.passage.text().len();
            let holds = |block: &crate::answer::Block| block.passage.span(whole(block)).overlaps(candidate.span);
            around.pieces.extend(answer.blocks.iter().position(holds).map(|at| (at, whole(&answer.blocks[at]))));
        }
    }
    under(answer, &around, &candidates.iter().map(|candidate| candidate.span).collect::<Vec<_>>())
}

/// Where the byte of the source stands in a stretch of a passage: the first place that leads to it or beyond it.
fn find(passage: &Passage, range: std::ops::Range<usize>, byte: usize) -> usize {
    let (mut low, mut high) = (range.start, range.end);
    while low < high {
        let middle = low + (high - low) / 2;
        if passage.span(middle..middle).start < byte { low = middle + 1 } else { high = middle }
    }
    low
}

/// Marks at whole characters, in order, joined where they touch.
fn settled(text: &str, mut marks: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    for (start, end) in &mut marks {
        while !text.is_char_boundary(*start) {
            *start -= 1;
        }
        while !text.is_char_boundary(*end) {
            *end += 1;
        }
    }
    marks.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (start, end) in marks {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}

/// The digest by which texts count as the same: of their words, whatever stands between them and however they are
/// capitalized.
pub fn digest(text: &str) -> String {
    digest_with(text, &[])
}

/// The digest of a text about an unclear quantity: the candidates are part of what is decided.
pub fn digest_with(text: &str, candidates: &[&str]) -> String {
    finish(digested(text), candidates.iter().copied())
}

/// The digest of the words of a text, to be finished.
fn digested(text: &str) -> Sha256 {
    // One pass and one piece: this is done for every part of every answer of a class.
    let mut plain = String::with_capacity(text.len() + 1);
    for word in text.split_whitespace() {
        if word.is_ascii() {
            let start = plain.len();
            plain.push_str(word);
            plain[start..].make_ascii_lowercase();
        } else {
            plain.push_str(&word.to_lowercase());
        }
        plain.push(' ');
    }
    Sha256::new_with_prefix(&plain)
}

fn finish<'c>(mut hasher: Sha256, candidates: impl Iterator<Item = &'c str>) -> String {
    for candidate in candidates {
        hasher.update(b"\n");
        hasher.update(candidate);
    }
    hex(&hasher.finalize())
}

/// The digests of what stands under the parts of one answer. Each is worked out once, whatever number of decisions rests on
/// it; and where an answer names no parts, the same stands under all of them.
pub(crate) struct Digests<'a> {
    answer: &'a Answer,
    passages: &'a [PartPassage],
    digested: Vec<Sha256>,
}

impl<'a> Digests<'a> {
    pub(crate) fn of(answer: &'a Answer, passages: &'a [PartPassage]) -> Digests<'a> {
        let mut digested: Vec<Sha256> = Vec::with_capacity(passages.len());
        for part in passages {
            let known = passages[..digested.len()].iter().position(|other| other.pieces == part.pieces);
            digested.push(known.map_or_else(|| self::digested(&under(answer, part, &[]).text), |at| digested[at].clone()));
        }
        Digests { answer, passages, digested }
    }

    /// The digest of what stands under each part, by its id.
    pub(crate) fn under(&self) -> impl Iterator<Item = (&'a str, String)> {
        self.passages.iter().zip(&self.digested).map(|(part, digested)| (part.part.as_str(), finish(digested.clone(), std::iter::empty())))
    }

    /// The digest of what a decision about an unclear quantity of a part rests on.
    pub(crate) fn around(&self, part: &str, candidates: &[Read]) -> String {
        let texts = candidates.iter().map(|read| read.text.as_str());
        let at = self.passages.iter().position(|passage| passage.part == part);
        let holds_all = |at: &usize| candidates.iter().all(|read| stands_in(self.answer, &self.passages[*at], read));
        match at.filter(holds_all) {
            Some(at) => finish(self.digested[at].clone(), texts),
            None => finish(digested(&around(self.answer, at.map(|at| &self.passages[at]), candidates).text), texts),
        }
    }
}

/// Whether a candidate stands in one of the pieces of a passage.
fn stands_in(answer: &Answer, part: &PartPassage, candidate: &Read) -> bool {
    part.pieces.iter().any(|(block, range)| answer.blocks[*block].passage.span(range.clone()).overlaps(candidate.span))
}

impl PartText {
    /// What of it is kept to be shown.
    pub(crate) fn cut(mut self) -> PartText {
        if self.text.len() > LONGEST {
            let mut end = LONGEST;
            while !self.text.is_char_boundary(end) {
                end -= 1;
            }
            self.text.truncate(end);
            self.marks.retain(|mark| mark.1 <= end);
            self.text.push_str(" […]");
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Kind;

    fn whole(answer: &Answer) -> PartPassage {
        let pieces = answer.blocks.iter().enumerate().map(|(at, block)| (at, 0..block.passage.text().len())).collect();
        PartPassage { part: "a".to_owned(), pieces }
    }

    fn marked(source: &str, words: &[&str]) -> String {
        let answer = Answer::read("answer.md", source, Kind::Markdown);
        let places: Vec<Span> = words
            .iter()
            .map(|word| source.find(word).map(|start| Span::new(start, start + word.len())).expect("it stands there"))
            .collect();
        let PartText { mut text, marks } = under(&answer, &whole(&answer), &places);
        for (start, end) in marks.into_iter().rev() {
            text.insert(end, ']');
            text.insert(start, '[');
        }
        text
    }

    #[test]
    fn words_are_marked_where_they_stand() {
        assert_eq!(marked("One **two** three.\n\nFour five.", &["two", "Four"]), "One [two] three.\n[Four] five.");
        assert_eq!(marked("It takes $1.24\\,\\mathrm{ms}$ µs ends", &["1.24\\,\\mathrm{ms}"]), "It takes [1.24 ms] µs ends");
        assert_eq!(marked("a b c", &["a b", "b c"]), "[a b c]");
    }

    #[test]
    fn texts_are_the_same_by_their_words() {
        assert_eq!(digest("It  overlaps\nthe window."), digest("it overlaps the WINDOW. "));
        assert_ne!(digest("It overlaps."), digest("It overlaps not."));
        assert_ne!(digest_with("x", &["1 s"]), digest_with("x", &["2 s"]));
    }
}
