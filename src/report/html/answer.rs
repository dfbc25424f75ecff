//! A student's text with what was found in it marked: by color, by the kind of underline, and by a sign.

use std::ops::Range;

use super::{Anchor, Attr, Html};
use crate::answer::{Answer, Kind};
use crate::report::look::Look;
use crate::text::{Passage, Span};

/// More marks than this help nobody.
const MARKS: usize = 500;

/// A place of the text that is marked.
#[derive(Clone, Debug)]
pub(crate) struct Marked {
    /// The bytes of the answer.
    pub(crate) span: Span,
    /// How.
    pub(crate) look: Look,
    /// Whether these are words that decided about an argument, not a value.
    pub(crate) is_evidence: bool,
    /// What it is called.
    pub(crate) title: String,
    /// Its own place.
    pub(crate) id: Anchor,
    /// What is said about it.
    pub(crate) to: Option<Anchor>,
}

/// The text of an answer up to so many bytes. Whether all of it is there, and which of the marks are.
pub(crate) fn answer(html: &mut Html, answer: &Answer, marks: &[Marked], limit: usize) -> bool {
    let plain;
    let (text, mut placed) = match answer.kind {
        // Between the braces of a notebook nobody finds anything: its cells are shown, not its file.
        Kind::Notebook => {
            let (text, placed) = flattened(answer, marks);
            plain = text;
            (plain.as_str(), placed)
        }
        _ => {
            let text = answer.source.text();
            (text, marks.iter().map(|mark| (mark.span.start..mark.span.end, mark)).collect())
        }
    };
    let end = floor(text, limit);
    let text_shown = &text[..end];
    placed.truncate(MARKS);
    for (range, _) in &mut placed {
        *range = floor(text_shown, range.start)..floor(text_shown, range.end);
    }
    placed.retain(|(range, _)| !range.is_empty());
    html.element("pre", &[Attr::Is("class", "answer"), Attr::Is("tabindex", "0"), Attr::Label("The answer")], |html| {
        draw(html, text_shown, &placed);
    });
    end == text.len()
}

/// Draws the text piece by piece: between two borders of marks nothing changes.
fn draw(html: &mut Html, text: &str, placed: &[(Range<usize>, &Marked)]) {
    let mut borders: Vec<usize> = placed.iter().flat_map(|(range, _)| [range.start, range.end]).chain([0, text.len()]).collect();
    borders.sort_unstable();
    borders.dedup();
    let mut is_linked = vec![false; placed.len()];
    for border in borders.windows(2) {
        let (start, end) = (border[0], border[1]);
        let here = || placed.iter().enumerate().filter(|(_, (range, _))| range.start <= start && end <= range.end);
        // Of several, the shortest says most; a value says more than the words around it.
        let inmost = here().min_by_key(|(at, (range, mark))| (mark.is_evidence, range.len(), *at));
        for (at, (_, mark)) in here() {
            // What lies under another still is a place that links lead to.
            if !is_linked[at] && inmost.is_some_and(|(inmost, _)| inmost != at) && placed[at].0.start == start {
                is_linked[at] = true;
                html.element("span", &[Attr::Id(mark.id)], |_| {});
            }
        }
        match inmost {
            Some((at, (range, mark))) => {
                let ends_here = range.end == end;
                piece(html, &text[start..end], mark, !std::mem::replace(&mut is_linked[at], true), ends_here);
            }
            None => html.lines(&text[start..end]),
        }
    }
}

/// One piece of a marked place; its first is the one that links lead to and from, its last carries the sign.
fn piece(html: &mut Html, text: &str, mark: &Marked, is_first: bool, is_last: bool) {
    let class = if mark.is_evidence {
        "e"
    } else if is_last {
        "m"
    } else {
        "m n"
    };
    let mut attributes = vec![Attr::Classes(class, mark.look.class()), Attr::Title(&mark.title)];
    if is_first {
        attributes.push(Attr::Id(mark.id));
    }
    match mark.to.filter(|_| is_first) {
        Some(to) => {
            attributes.push(Attr::To(to));
            html.element("a", &attributes, |html| html.lines(text));
        }
        None => html.element("mark", &attributes, |html| html.lines(text)),
    }
}

/// The last place that is not inside a character.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The blocks of an answer one after the other, and where the marked places are in them.
fn flattened<'a>(answer: &Answer, marks: &'a [Marked]) -> (String, Vec<(Range<usize>, &'a Marked)>) {
    let (mut text, mut placed) = (String::new(), Vec::new());
    for block in &answer.blocks {
        let passage = &block.passage;
        for mark in marks {
            placed.extend(within(passage, mark.span).map(|range| (text.len() + range.start..text.len() + range.end, mark)));
        }
        text.push_str(passage.text());
        text.push_str("\n\n");
    }
    (text, placed)
}

/// The range of a passage that stands for a place of the file.
fn within(passage: &Passage, span: Span) -> Option<Range<usize>> {
    let text = passage.text();
    if span.is_empty() || text.is_empty() || !passage.span(0..text.len()).overlaps(span) {
        return None;
    }
    let mut inside = text.char_indices().map(|(at, c)| at..at + c.len_utf8()).filter(|range| passage.span(range.clone()).overlaps(span));
    let first = inside.next()?;
    let last = inside.next_back().unwrap_or_else(|| first.clone());
    Some(first.start..last.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mark(text: &str, words: &str, at: usize, is_evidence: bool) -> Marked {
        let start = text.find(words).expect("the words stand there");
        Marked {
            span: Span::new(start, start + words.len()),
            look: Look::Right,
            is_evidence,
            title: "b.latency".to_owned(),
            id: Anchor::new("m", at),
            to: None,
        }
    }

    fn drawn(text: &str, marks: &[Marked]) -> String {
        let mut html = Html::default();
        answer(&mut html, &Answer::read("a.txt", text, Kind::Text), marks, 1000);
        html.text
    }

    #[test]
    fn values_stand_out_from_the_words_around_them() {
        let text = "So T = 1.24 ms here.";
        let html = drawn(text, &[mark(text, "T = 1.24 ms", 0, true), mark(text, "1.24 ms", 1, false)]);
        let inside = html.split_once("tabindex=\"0\" aria-label=\"The answer\">").expect("it opens").1;
        assert_eq!(
            inside,
            "So <mark class=\"e v-right\" title=\"b.latency\" id=\"m0\">T = </mark>\
             <mark class=\"m v-right\" title=\"b.latency\" id=\"m1\">1.24 ms</mark> here.</pre>"
        );
    }

    #[test]
    fn two_marks_on_the_same_words_are_both_places() {
        let text = "T = 1.24 ms";
        let html = drawn(text, &[mark(text, "1.24 ms", 0, false), mark(text, "1.24 ms", 1, false)]);
        assert!(html.contains("<span id=\"m1\"></span>") && html.contains("id=\"m0\">1.24 ms"), "{html}");
    }

    #[test]
    fn a_notebook_is_shown_by_its_cells() {
        let notebook = r##"{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# (b)\n", "T = 1.24 ms\n"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"##;
        let start = notebook.find("1.24 ms").expect("it stands there");
        let marks = [Marked { span: Span::new(start, start + 7), ..mark("1.24 ms", "1.24 ms", 0, false) }];
        let mut html = Html::default();
        answer(&mut html, &Answer::read("a.ipynb", notebook, Kind::Notebook), &marks, 1000);
        assert!(html.text.contains(">1.24 ms</mark>") && !html.text.contains("nbformat"), "{}", html.text);
    }

    proptest! {
        #[test]
        fn any_marks_on_any_text_leave_the_text_whole(text in "[a-z<µ\n ]{0,60}", spans in proptest::collection::vec((0_usize..70, 0_usize..20, any::<bool>()), 0..8)) {
            let marks: Vec<Marked> = spans.iter().enumerate().map(|(at, &(start, len, is_evidence))| Marked {
                span: Span::new(start, start + len), look: Look::Slip, is_evidence, title: String::new(), id: Anchor::new("m", at), to: None,
            }).collect();
            let html = drawn(&text, &marks);
            let mut plain = String::new();
            let mut inside = false;
            for c in html.chars() {
                match c {
                    '<' => inside = true,
                    '>' => inside = false,
                    c if !inside => plain.push(c),
                    _ => {}
                }
            }
            prop_assert_eq!(plain.replace("&lt;", "<"), text);
        }
    }
}
