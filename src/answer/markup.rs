//! Finds, in Markdown and plain text, what Markdown does not know: LaTeX in dollars, in `\(…\)` and `\[…\]`, in
//! environments, and bare; and the stars, tildes and dollars that are meant as they stand.
//!
//! One pass from left to right. What is found never reaches across a blank line, so that one stray dollar cannot swallow
//! an answer, and never into code.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use memchr::memchr;

use crate::answer::page::Ink;
use crate::answer::tex::{self, Macros, Mode};
use crate::text::Span;

/// A stretch that is LaTeX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// All of it, delimiters included.
    pub(crate) span: Span,
    /// What is inside the delimiters.
    pub(crate) inner: Span,
    pub(crate) kind: RegionKind,
}

/// What kind of LaTeX a stretch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegionKind {
    /// A formula in a line.
    Inline,
    /// A formula on lines of its own.
    Display,
    /// A command in running text.
    Command,
}

/// What [`scan`] found.
#[derive(Debug, Default)]
pub(crate) struct Markup {
    /// LaTeX, in ascending order.
    pub(crate) regions: Vec<Region>,
    /// Bytes of signs that are not markup, in ascending order.
    pub(crate) literal: Vec<usize>,
}

impl Markup {
    /// The text with everything found here covered up, byte for byte, so that a Markdown parser sees only words.
    pub(crate) fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.regions.is_empty() && self.literal.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut mask = String::with_capacity(text.len());
        let mut literal = self.literal.iter().peekable();
        // What stands before a place, with the signs in it covered up.
        let mut copy = |mask: &mut String, to: usize| {
            while let Some(&at) = literal.next_if(|at| **at < to) {
                // One inside of a region is covered up with it.
                if at >= mask.len() {
                    mask.push_str(&text[mask.len()..at]);
                    mask.push(if text.as_bytes()[at] == b'*' { 'x' } else { ',' });
                }
            }
            mask.push_str(&text[mask.len().min(to)..to]);
        };
        for region in &self.regions {
            copy(&mut mask, region.span.start);
            mask.extend(std::iter::repeat_n('x', region.span.end.saturating_sub(mask.len())));
        }
        copy(&mut mask, text.len());
        Cow::Owned(mask)
    }

    /// The regions from the first that ends behind `at`. A text is asked for from left to right: `before` keeps how many end
    /// before the last place asked for.
    pub(crate) fn from(&self, at: usize, before: &mut usize) -> &[Region] {
        let ends = |index: usize| self.regions.get(index).is_some_and(|region| region.span.end <= at);
        if *before > 0 && !ends(*before - 1) {
            *before = self.regions.partition_point(|region| region.span.end <= at);
        }
        while ends(*before) {
            *before += 1;
        }
        &self.regions[*before..]
    }
}

/// Writes one region's text.
pub(crate) fn flatten(text: &str, region: &Region, macros: &Macros, ink: &mut Ink) {
    match region.kind {
        RegionKind::Command => {
            tex::flatten_command(text, region.span.start, region.span.end, Mode::Text, macros, false, ink);
        }
        RegionKind::Inline | RegionKind::Display => tex::flatten(text, region.inner, Mode::Math, macros, false, ink),
    }
}

/// Which of the two languages around the LaTeX is scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Around {
    /// Markdown, with code spans, fences and emphasis.
    Markdown,
    /// Text without any markup.
    Plain,
}

/// Finds the LaTeX in a text.
pub(crate) fn scan(text: &str, around: Around) -> Markup {
    let mut scanner = Scanner { text, bytes: text.as_bytes(), at: 0, around, found: Markup::default(), macros: Macros::new(0) };
    while scanner.at < text.len() {
        scanner.line_start();
    }
    scanner.found
}

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    around: Around,
    found: Markup,
    macros: Macros,
}

impl Scanner<'_> {
    /// At the start of a line outside of a paragraph: passes over blank lines and fenced code, or reads a paragraph.
    fn line_start(&mut self) {
        let end = line_end(self.text, self.at);
        let line = &self.text[self.at..end];
        if line.trim().is_empty() {
            self.at = end;
        } else if let Some(fence) = self.fence(line) {
            self.skip_fence(fence, end);
        } else {
            let end = self.paragraph_end(end);
            self.paragraph(end);
        }
    }

    /// The character and length of a code fence that opens in this line.
    fn fence(&self, line: &str) -> Option<(u8, usize)> {
        // Most lines begin with a letter, and no fence does.
        if self.around == Around::Plain || line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let inner = line.trim_start_matches([' ', '\t', '>', '-', '*', '+']);
        let inner = inner.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches(['.', ')', ' ']);
        let sign = *inner.as_bytes().first().filter(|&&byte| byte == b'`' || byte == b'~')?;
        let length = inner.bytes().take_while(|&byte| byte == sign).count();
        let closed_in_line = sign == b'`' && inner[length..].contains('`');
        (length >= 3 && !closed_in_line).then_some((sign, length))
    }

    fn skip_fence(&mut self, (sign, length): (u8, usize), mut at: usize) {
        while at < self.bytes.len() {
            let end = line_end(self.text, at);
            let line = self.text[at..end].trim_start_matches([' ', '\t', '>']).trim_end();
            at = end;
            if line.len() >= length && line.bytes().all(|byte| byte == sign) {
                break;
            }
        }
        self.at = at;
    }

    /// Where the paragraph ends that holds the line which ends at `at`: before a blank line or a fence.
    fn paragraph_end(&self, mut at: usize) -> usize {
        while at < self.bytes.len() {
            let end = line_end(self.text, at);
            let line = &self.text[at..end];
            if line.trim_matches([' ', '\t', '\r', '\n', '>']).is_empty() || self.fence(line).is_some() {
                break;
            }
            at = end;
        }
        at
    }

    fn paragraph(&mut self, end: usize) {
        let start = self.at;
        let bytes = &self.bytes[start..end];
        // Asked of many bytes at once, without a branch for each.
        let any = |part: &[u8]| part.iter().fold(false, |any, &byte| any | matches!(byte, b'$' | b'\\' | b'*' | b'~' | b'^' | b'<' | b'{'));
        if !bytes.chunks(128).any(any) {
            self.at = end;
            return;
        }
        let coded = self.around == Around::Markdown && bytes.contains(&b'`');
        let ticks = if coded { code_spans(self.bytes, start, end) } else { HashMap::new() };
        let mut closers = Closers::new(self.bytes, start, end);
        while self.at < end {
            let at = self.at;
            match self.bytes[at] {
                b'`' if self.around == Around::Markdown => {
                    let run = self.run(at, b'`');
                    self.at = ticks.get(&at).copied().unwrap_or(at + run);
                }
                b'\\' => self.backslash(end, &mut closers),
                b'$' => self.dollar(end, &mut closers),
                b'*' if self.around == Around::Markdown => self.star(),
                b'~' if self.around == Around::Markdown => {
                    let run = self.run(at, b'~');
                    if run == 1 {
                        self.found.literal.push(at);
                    }
                    self.at += run;
                }
                b'^' if self.bytes.get(at + 1) == Some(&b'{') => self.script(end),
                // `1{,}240`: the comma of a formula, in a text that forgot the dollars.
                b'{' if self.bytes[at..end].starts_with(b"{,}")
                    && at > 0
                    && self.bytes[at - 1].is_ascii_digit()
                    && self.bytes.get(at + 3).is_some_and(u8::is_ascii_digit) =>
                {
                    let span = Span::new(at, at + 3);
                    self.region(span, span, RegionKind::Inline);
                }
                b'<' if self.text[at..].starts_with("<!--") && self.around == Around::Markdown => {
                    self.at = self.text[at + 4..].find("-->").map_or(self.text.len(), |length| at + 4 + length + 3);
                }
                _ => {
                    let rest = &self.bytes[at + 1..end];
                    self.at = at + 1 + rest.iter().position(|&byte| SPECIAL[usize::from(byte)]).unwrap_or(rest.len());
                }
            }
        }
    }

    fn run(&self, at: usize, sign: u8) -> usize {
        self.bytes[at..].iter().take_while(|&&byte| byte == sign).count()
    }

    fn region(&mut self, span: Span, inner: Span, kind: RegionKind) {
        self.found.regions.push(Region { span, inner, kind });
        self.at = span.end;
    }

    fn backslash(&mut self, end: usize, closers: &mut Closers) {
        let at = self.at;
        let rest = &self.text[at..end];
        let next = rest.as_bytes().get(1).copied().unwrap_or(b' ');
        let delimited = match next {
            b'(' => next_after(&mut closers.rounds, at).map(|close| (RegionKind::Inline, close)),
            b'[' => next_after(&mut closers.squares, at).map(|close| (RegionKind::Display, close)),
            _ => None,
        };
        if let Some((kind, close)) = delimited {
            let inner = Span::new(at + 2, close);
            // \[3\] is an escaped bracket around a citation.
            if !self.text[inner.range()].bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b' ' | b'-')) {
                return self.region(Span::new(at, inner.end + 2), inner, kind);
            }
        }
        if let Some(name) = rest.strip_prefix("\\begin{").and_then(|rest| rest.split_once('}')).map(|(name, _)| name)
            && is_math_environment(name)
            && let Some(close) = closers.end_of(self.text, at, name)
        {
            let span = Span::new(at, close + name.len() + 6);
            return self.region(span, Span::new(at, close), RegionKind::Display);
        }
        if next.is_ascii_alphabetic() || matches!(next, b',' | b';' | b':') {
            if self.is_command(at, rest) {
                let mut scratch = Ink::default();
                let stop = tex::flatten_command(self.text, at, end, Mode::Text, &self.macros, false, &mut scratch);
                let span = Span::new(at, stop);
                return self.region(span, span, RegionKind::Command);
            }
            self.at += 1;
            return;
        }
        self.at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
    }

    /// Whether the backslash at `at` begins a LaTeX command that a student may have typed into running text.
    fn is_command(&self, at: usize, rest: &str) -> bool {
        let before = self.text[..at].chars().next_back().unwrap_or(' ');
        let letters = rest[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
        if letters == 0 {
            let after = rest[2..].chars().next().unwrap_or(' ');
            return before.is_ascii_digit() && (after.is_alphanumeric() || matches!(after, '\\' | '-' | '–'))
                || before == '-' && after.is_ascii_digit();
        }
        if before == ':' || before == '\\' {
            return false;
        }
        let name = &rest[1..1 + letters];
        let argument = rest.as_bytes().get(1 + letters).is_some_and(|byte| matches!(byte, b'{' | b'['));
        let digits = rest.as_bytes().get(1 + letters).is_some_and(u8::is_ascii_digit);
        match name {
            "frac" | "dfrac" | "tfrac" => argument || digits,
            "text" | "textrm" | "textbf" | "mathrm" | "mathbf" | "operatorname" | "boxed" | "sqrt" | "SI" | "qty" | "num" | "unit"
            | "si" | "SIrange" | "qtyrange" | "SIlist" | "qtylist" | "numrange" | "numlist" | "pu" | "underbrace" | "cancel" | "ang" => {
                argument
            }
            _ => tex::symbol(name).is_some_and(|symbol| !symbol.is_empty() && (letters > 1 || symbol == " ")),
        }
    }

    /// `10^{9}` outside of a formula.
    fn script(&mut self, end: usize) {
        let at = self.at;
        let close = self.bytes[at..end].iter().take(40).position(|&byte| byte == b'}');
        match close {
            Some(close)
                if at > 0 && (self.bytes[at - 1].is_ascii_alphanumeric() || matches!(self.bytes[at - 1], b')' | b'}' | b'*' | 0x80..)) =>
            {
                let span = Span::new(at, at + close + 1);
                self.region(span, span, RegionKind::Inline);
            }
            _ => self.at += 1,
        }
    }

    fn dollar(&mut self, end: usize, closers: &mut Closers) {
        let at = self.at;
        let run = self.run(at, b'$');
        if run >= 2 {
            if let Some(close) = next_after(&mut closers.doubles, at + 2) {
                let span = Span::new(at, close + 2);
                return self.region(span, Span::new(at + 2, close), RegionKind::Display);
            }
            self.found.literal.extend(at..at + run);
            self.at += run;
            return;
        }
        let tight = |at: usize| !self.bytes[at].is_ascii_whitespace();
        if at + 1 < end
            && let Some(close) = closers.single_after(at + 1)
            && let inner = &self.text[at + 1..close]
            && is_formula(inner)
            && (tight(at + 1) && tight(close - 1) || is_formula_with_room(inner))
        {
            return self.region(Span::new(at, close + 1), Span::new(at + 1, close), RegionKind::Inline);
        }
        self.found.literal.push(at);
        self.at += 1;
    }

    /// A star between two factors is no emphasis: `2*31*20us`, `1.5*10**9`.
    fn star(&mut self) {
        let at = self.at;
        let run = self.run(at, b'*');
        self.at += run;
        let before = self.text[..at].chars().next_back().unwrap_or(' ');
        let after = self.text[at + run..].chars().next().unwrap_or(' ');
        let factor = before.is_alphanumeric() || before == ')';
        let product = match run {
            1 => factor && (after.is_alphanumeric() || after == '(') && !self.word_opens_with_star(at),
            2 => factor && (after.is_ascii_digit() || after == '(' || after == '-') && !self.word_opens_with_star(at),
            _ => false,
        };
        // A lone star with a space on both sides opens nothing anyway; with one on its left, it would close nothing.
        if product {
            self.found.literal.extend(at..at + run);
        }
    }

    /// Whether the word around `at` begins with a star, so that a star in it is likely to close an emphasis.
    fn word_opens_with_star(&self, at: usize) -> bool {
        let word = self.bytes[..at].iter().rev().take(MAX_WORD).position(u8::is_ascii_whitespace).unwrap_or(at.min(MAX_WORD));
        self.bytes[at - word..at].iter().find(|&&byte| byte != b'(').is_some_and(|&byte| byte == b'*' || byte == b'_')
    }
}

/// How far back the start of a word is looked for.
const MAX_WORD: usize = 24;

/// The bytes that may begin something that is scanned for.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let bytes = b"`\\$*~^<{";
    let mut at = 0;
    while at < bytes.len() {
        special[bytes[at] as usize] = true;
        at += 1;
    }
    special
};

/// The ends of the code spans between `start` and `end`, by where they start.
fn code_spans(bytes: &[u8], start: usize, end: usize) -> HashMap<usize, usize> {
    let mut runs = Vec::new();
    let mut at = start;
    while let Some(next) = bytes[at..end].iter().position(|&byte| byte == b'`') {
        let from = at + next;
        let length = bytes[from..end].iter().take_while(|&&byte| byte == b'`').count();
        runs.push((from, length));
        at = from + length;
    }
    let mut later = HashMap::new();
    let mut spans = HashMap::new();
    for &(from, length) in runs.iter().rev() {
        if let Some(close) = later.insert(length, from) {
            spans.insert(from, close + length);
        }
    }
    spans
}

/// What may close a formula in a paragraph, asked for from left to right.
#[derive(Default)]
struct Closers {
    /// Single dollars, and whether they may close a formula; doubled ones.
    singles: VecDeque<(usize, bool)>,
    doubles: VecDeque<usize>,
    /// `\)` and `\]`.
    rounds: VecDeque<usize>,
    squares: VecDeque<usize>,
    /// `\end`.
    ends: VecDeque<usize>,
}

/// How many environments may end inside another one.
const MAX_ENDS: usize = 32;

impl Closers {
    fn new(bytes: &[u8], start: usize, end: usize) -> Closers {
        let mut closers = Closers::default();
        if !bytes[start..end].contains(&b'$') && !bytes[start..end].contains(&b'\\') {
            return closers;
        }
        let mut at = start;
        while let Some(next) = bytes[at..end].iter().position(|&byte| byte == b'$' || byte == b'\\') {
            let from = at + next;
            if bytes[from] == b'\\' {
                match bytes.get(from + 1) {
                    Some(b')') => closers.rounds.push_back(from),
                    Some(b']') => closers.squares.push_back(from),
                    Some(b'e') if bytes[from..end].starts_with(b"\\end{") => closers.ends.push_back(from),
                    _ => {}
                }
                at = (from + 2).min(end);
                continue;
            }
            let length = bytes[from..end].iter().take_while(|&&byte| byte == b'$').count();
            at = from + length;
            let before_digit = bytes.get(at).is_some_and(u8::is_ascii_digit);
            if length >= 2 {
                closers.doubles.push_back(from);
            } else {
                closers.singles.push_back((from, from > start && !before_digit));
            }
        }
        closers
    }

    /// The next single dollar, if it may close a formula: no dollar stands inside of one.
    fn single_after(&mut self, at: usize) -> Option<usize> {
        while self.singles.front().is_some_and(|&(place, _)| place < at) {
            self.singles.pop_front();
        }
        self.singles.front().filter(|(_, closes)| *closes).map(|&(place, _)| place)
    }

    /// Where the environment ends that begins at `at`.
    fn end_of(&mut self, text: &str, at: usize, name: &str) -> Option<usize> {
        next_after(&mut self.ends, at);
        let ends_it = |end: &&usize| text[**end + 5..].strip_prefix(name).is_some_and(|rest| rest.starts_with('}'));
        self.ends.iter().take(MAX_ENDS).find(ends_it).copied()
    }
}

/// The first of some places that is not before `at`; those before it are dropped.
fn next_after(places: &mut VecDeque<usize>, at: usize) -> Option<usize> {
    while places.front().is_some_and(|&place| place < at) {
        places.pop_front();
    }
    places.front().copied()
}

/// Whether what stands between two dollars is a formula rather than prose between two prices.
fn is_formula(inner: &str) -> bool {
    if inner.is_empty() || inner.len() > 2000 {
        return false;
    }
    let blocks = inner.match_indices('\n').any(|(at, _)| {
        let next = inner[at + 1..].trim_start_matches([' ', '\t']);
        next.starts_with(['-', '>', '#', '|']) && !next.starts_with("->")
    });
    if blocks {
        return false;
    }
    if !inner.starts_with(|c: char| c.is_ascii_digit()) || inner.contains(['\\', '^', '_', '=']) {
        return true;
    }
    inner.split_whitespace().filter(|word| word.len() >= 3 && word.chars().all(char::is_alphabetic)).count() < 2
}

/// Whether what stands between two dollars with room beside them, as in `$ 1.24\,\mathrm{ms} $`, is a formula rather than
/// what is said between two prices: `$ 5, and later $ 7`.
fn is_formula_with_room(inner: &str) -> bool {
    let work = inner.trim();
    if work.is_empty() || work.contains('\n') || work.ends_with([',', ';', ':', '(', '=', '-', '–', '/', '+', '*']) {
        return false;
    }
    let commands = work.bytes().zip(work.bytes().skip(1)).any(|(sign, next)| sign == b'\\' && next != b'$');
    let words = work.split(|c: char| !c.is_alphabetic()).any(|word| word.len() >= 2);
    commands || !words && inner.starts_with(' ') && inner.ends_with(' ')
}

/// Whether an environment holds a formula.
pub(crate) fn is_math_environment(name: &str) -> bool {
    let name = name.trim_end_matches('*');
    matches!(
        name,
        "align"
            | "aligned"
            | "equation"
            | "gather"
            | "gathered"
            | "multline"
            | "split"
            | "eqnarray"
            | "displaymath"
            | "math"
            | "cases"
            | "array"
            | "alignat"
            | "flalign"
            | "matrix"
            | "pmatrix"
            | "bmatrix"
            | "dmath"
    )
}

/// One past the line break that ends the line at `at`.
fn line_end(text: &str, at: usize) -> usize {
    // Between paragraphs most lines are empty.
    if text.as_bytes().get(at) == Some(&b'\n') {
        return at + 1;
    }
    memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |length| at + length + 1)
}
