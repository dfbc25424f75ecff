//! From what an author wrote to the places of a [`Phrase`].

use std::borrow::Cow;
use std::ops::Range;

use smallvec::SmallVec;

use crate::phrase::words::{self, Words};
use crate::phrase::{Is, MAX_GAP, Pattern, Phrase, PhraseError, Place, Trouble};
use crate::text::Span;

/// How many spellings one chunk of letters and brackets may have, and how many places a phrase.
const LIMIT: usize = 64;

/// A piece of the notation, with the bytes it stands on.
#[derive(Clone, Debug)]
enum Piece<'s> {
    Text(Cow<'s, str>),
    Space,
    Star,
    Gap(usize),
    /// Alternatives, by their places among all branches.
    Either(Range<usize>),
    Maybe(Range<usize>),
}

#[derive(Clone, Debug)]
struct Spanned<'s> {
    piece: Piece<'s>,
    span: Span,
}

/// The pieces of a phrase, sequence by sequence: those in brackets before those around them.
#[derive(Default)]
struct Pieces<'s> {
    all: Vec<Spanned<'s>>,
    /// The pieces of each alternative, bracket by bracket.
    branches: Vec<Range<usize>>,
}

impl<'s> Pieces<'s> {
    fn branches(&self, of: &Range<usize>) -> impl ExactSizeIterator<Item = &[Spanned<'s>]> + Clone {
        self.branches[of.clone()].iter().map(|branch| &self.all[branch.clone()])
    }
}

/// What one word has to be, with its letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wanted {
    Word(String),
    Stem(String),
    Number,
}

/// The longest phrase, in bytes: it also bounds how deep brackets nest.
const LONGEST: usize = 1000;

pub(super) fn parse(source: &str) -> Result<Phrase, PhraseError> {
    if source.len() > LONGEST {
        return Err(PhraseError { span: Span::new(0, source.len()), trouble: Trouble::TooLarge });
    }
    let mut reader = Reader { source, at: 0, open: Vec::new(), pieces: Pieces::default() };
    let whole = reader.sequence(None)?;
    let pieces = &reader.pieces;
    let mut builder = Builder {
        pieces,
        letters: String::with_capacity(source.len()),
        patterns: Vec::new(),
        places: Vec::new(),
        whole: Span::new(0, source.len()),
    };
    let shape = builder.sequence(&pieces.all[whole])?;
    if shape.empty {
        return Err(PhraseError { span: Span::new(0, source.len()), trouble: Trouble::MatchesEverything });
    }
    let Builder { letters, patterns, places, .. } = builder;
    Ok(Phrase { source: source.to_owned(), letters, patterns, places, first: shape.first, last: shape.last })
}

struct Reader<'s> {
    source: &'s str,
    at: usize,
    /// The pieces of the sequences that have not come to their end.
    open: Vec<Spanned<'s>>,
    pieces: Pieces<'s>,
}

impl<'s> Reader<'s> {
    fn peek(&self) -> Option<char> {
        self.source[self.at..].chars().next()
    }

    fn error<T>(&self, start: usize, end: usize, trouble: Trouble) -> Result<T, PhraseError> {
        Err(PhraseError { span: Span::new(start, end.min(self.source.len())), trouble })
    }

    /// Reads up to the end, or up to what ends the bracket: `|` or the closing one, which is left for the caller.
    fn sequence(&mut self, closing: Option<char>) -> Result<Range<usize>, PhraseError> {
        let first = self.open.len();
        while let Some(c) = self.peek() {
            let start = self.at;
            if Some(c) == closing || (c == '|' && closing.is_some()) {
                break;
            }
            let piece = match c {
                '(' | '[' => self.bracket(c)?,
                ')' | ']' => return self.error(start, start + 1, Trouble::Unopened),
                '|' => return self.error(start, start + 1, Trouble::BarOutside),
                '*' => {
                    self.at += 1;
                    Piece::Star
                }
                '.' if self.source[start..].starts_with("..") => self.gap()?,
                c if c.is_whitespace() => {
                    self.at += c.len_utf8();
                    Piece::Space
                }
                _ => self.text(),
            };
            self.open.push(Spanned { piece, span: Span::new(start, self.at) });
        }
        let start = self.pieces.all.len();
        self.pieces.all.extend(self.open.drain(first..));
        Ok(start..self.pieces.all.len())
    }

    fn bracket(&mut self, open: char) -> Result<Piece<'s>, PhraseError> {
        let start = self.at;
        let closing = if open == '(' { ')' } else { ']' };
        self.at += 1;
        let mut branches: SmallVec<[Range<usize>; 8]> = SmallVec::new();
        loop {
            let branch = self.sequence(Some(closing))?;
            let Some(end) = self.peek() else { return self.error(start, start + 1, Trouble::Unclosed) };
            if self.pieces.all[branch.clone()].iter().all(|piece| matches!(piece.piece, Piece::Space)) {
                return self.error(self.at, self.at + 1, Trouble::EmptyAlternative);
            }
            branches.push(branch);
            self.at += 1;
            if end == closing {
                break;
            }
        }
        let start = self.pieces.branches.len();
        self.pieces.branches.extend(branches);
        let branches = start..self.pieces.branches.len();
        Ok(if open == '(' { Piece::Either(branches) } else { Piece::Maybe(branches) })
    }

    fn gap(&mut self) -> Result<Piece<'s>, PhraseError> {
        let start = self.at;
        self.at += 2;
        let digits: String = self.source[self.at..].chars().take_while(char::is_ascii_digit).collect();
        self.at += digits.len();
        match digits.parse() {
            Ok(words) if (1..=MAX_GAP).contains(&words) => Ok(Piece::Gap(words)),
            _ => self.error(start, self.at, Trouble::BadGap),
        }
    }

    fn text(&mut self) -> Piece<'s> {
        let ends = |at: usize, c: char| {
            matches!(c, '(' | ')' | '[' | ']' | '|' | '*' | '\\') || c.is_whitespace() || c == '.' && self.source[at..].starts_with("..")
        };
        let start = self.at;
        let rest = &self.source[start..];
        let end = start + rest.char_indices().find(|(at, c)| ends(start + at, *c)).map_or(rest.len(), |(at, _)| at);
        self.at = end;
        let text = &self.source[start..end];
        if self.peek() != Some('\\') {
            return Piece::Text(Cow::Borrowed(text));
        }
        let mut text = text.to_owned();
        self.at += 1;
        if let Some(escaped) = self.peek() {
            self.at += escaped.len_utf8();
            text.push(escaped);
        }
        if let Piece::Text(more) = self.text() {
            text.push_str(&more);
        }
        Piece::Text(Cow::Owned(text))
    }
}

/// What a stretch of a phrase looks like from outside: where it starts and ends, and whether it may be left out.
struct Shape {
    first: u64,
    last: u64,
    empty: bool,
}

impl Shape {
    fn nothing() -> Shape {
        Shape { first: 0, last: 0, empty: true }
    }

    fn or(self, other: Shape) -> Shape {
        Shape { first: self.first | other.first, last: self.last | other.last, empty: self.empty || other.empty }
    }
}

struct Builder<'p> {
    pieces: &'p Pieces<'p>,
    letters: String,
    patterns: Vec<Pattern>,
    places: Vec<Place>,
    whole: Span,
}

impl Builder<'_> {
    /// A new place, which nothing fills yet.
    fn place(&mut self) -> Result<Shape, PhraseError> {
        if self.places.len() == LIMIT {
            return Err(PhraseError { span: self.whole, trouble: Trouble::TooLarge });
        }
        let bit = 1 << self.places.len();
        self.places.push(Place { next: 0, next_across: 0 });
        Ok(Shape { first: bit, last: bit, empty: false })
    }

    /// What may fill the last place.
    fn fill(&mut self, is: Is, letters: &str) {
        let start = self.letters.len();
        self.letters.push_str(letters);
        self.pattern(is, start..self.letters.len());
    }

    /// The same for a word or a stem of nothing but letters, in any case and number.
    fn fill_plain(&mut self, is: Is, letters: &str) {
        let start = self.letters.len();
        self.letters.push_str(letters);
        self.letters[start..].make_ascii_lowercase();
        let plain = start..self.letters.len();
        let range = if is == Is::Word { words::push_folded(&mut self.letters, plain) } else { plain };
        self.pattern(is, range);
    }

    fn fill_wanted(&mut self, wanted: &Wanted) {
        match wanted {
            Wanted::Word(letters) => self.fill(Is::Word, letters),
            Wanted::Stem(letters) => self.fill(Is::Stem, letters),
            Wanted::Number => self.fill(Is::Number, ""),
        }
    }

    fn pattern(&mut self, is: Is, letters: Range<usize>) {
        // A phrase has at most 64 places, and its spellings are bounded as well.
        let place = (self.places.len() - 1) as u8;
        self.patterns.push(Pattern { place, is, start: letters.start as u32, end: letters.end as u32 });
    }

    /// One after the other; `across` where a gap lies between.
    fn then(&mut self, before: Shape, after: Shape, across: bool) -> Shape {
        let mut rest = before.last;
        while rest != 0 {
            let place = &mut self.places[rest.trailing_zeros() as usize];
            *(if across { &mut place.next_across } else { &mut place.next }) |= after.first;
            rest &= rest - 1;
        }
        Shape {
            first: if before.empty { before.first | after.first } else { before.first },
            last: if after.empty { before.last | after.last } else { after.last },
            empty: before.empty && after.empty,
        }
    }

    fn sequence(&mut self, pieces: &[Spanned<'_>]) -> Result<Shape, PhraseError> {
        let mut whole = Shape::nothing();
        // The gap that no word has closed yet which has to be there.
        let mut gap: Option<Span> = None;
        for chunk in pieces.split(|piece| matches!(piece.piece, Piece::Space)) {
            let Some(head) = chunk.first() else { continue };
            if let Piece::Gap(words) = head.piece {
                if gap.is_some() || whole.empty {
                    return Err(PhraseError { span: head.span, trouble: Trouble::LooseGap });
                }
                if chunk.len() > 1 {
                    return Err(PhraseError { span: head.span, trouble: Trouble::BadGap });
                }
                let spacer = self.spacer(words)?;
                whole = self.then(whole, spacer, true);
                gap = Some(head.span);
                continue;
            }
            let chunk = self.chunk(chunk)?;
            let closes = !chunk.empty;
            whole = self.then(whole, chunk, gap.is_some());
            gap = gap.filter(|_| !closes);
        }
        match gap {
            Some(span) => Err(PhraseError { span, trouble: Trouble::LooseGap }),
            None => Ok(whole),
        }
    }

    /// Up to this many words of any kind.
    fn spacer(&mut self, words: usize) -> Result<Shape, PhraseError> {
        let mut whole = Shape::nothing();
        for _ in 0..words {
            let any = self.place()?;
            self.fill(Is::Any, "");
            whole = self.then(whole, any.or(Shape::nothing()), true);
        }
        Ok(whole)
    }

    /// What stands between two spaces.
    fn chunk(&mut self, chunk: &[Spanned<'_>]) -> Result<Shape, PhraseError> {
        if let Some((is, letters)) = plain_word(chunk) {
            let place = self.place()?;
            self.fill_plain(is, letters);
            return Ok(place);
        }
        if let Some(place) = self.plain_spellings(chunk) {
            return place;
        }
        match chunk {
            [Spanned { piece: Piece::Text(text), span }] => self.text(text, *span),
            [Spanned { piece: Piece::Either(branches), .. }] => self.branches(branches),
            [Spanned { piece: Piece::Maybe(branches), .. }] => Ok(self.branches(branches)?.or(Shape::nothing())),
            _ => self.spellings(chunk),
        }
    }

    /// Alternatives.
    fn branches(&mut self, branches: &Range<usize>) -> Result<Shape, PhraseError> {
        let mut branches = self.pieces.branches(branches);
        if branches.clone().all(|branch| plain_word(branch).is_some()) {
            let place = self.place()?;
            for (is, letters) in branches.filter_map(plain_word) {
                self.fill_plain(is, letters);
            }
            return Ok(place);
        }
        let mut whole = self.sequence(branches.next().unwrap_or_default())?;
        for branch in branches {
            whole = whole.or(self.sequence(branch)?);
        }
        Ok(whole)
    }

    /// Nothing but letters, and brackets with nothing else in them: `hid(e|es|ing)`, `hop[s]`. They are written out without
    /// a detour, because there are so many of them.
    fn plain_spellings(&mut self, chunk: &[Spanned<'_>]) -> Option<Result<Shape, PhraseError>> {
        let (is, pieces) = match chunk {
            [pieces @ .., Spanned { piece: Piece::Star, .. }] => (Is::Stem, pieces),
            pieces => (Is::Word, pieces),
        };
        if pieces.len() < 2 {
            return None;
        }
        let letters = |branch: &[Spanned<'_>]| match branch {
            [Spanned { piece: Piece::Text(text), .. }] if text.bytes().all(|byte| byte.is_ascii_alphabetic()) => Some(text.len()),
            _ => None,
        };
        let (mut count, mut shortest) = (1, 0);
        for piece in pieces {
            let (branches, least) = match &piece.piece {
                Piece::Text(_) => (1, letters(std::slice::from_ref(piece))?),
                Piece::Either(branches) => {
                    let branches = self.pieces.branches(branches);
                    let lengths: Option<SmallVec<[usize; 8]>> = branches.clone().map(letters).collect();
                    (branches.len(), lengths?.into_iter().min()?)
                }
                Piece::Maybe(branches) if self.pieces.branches(branches).all(|branch| letters(branch).is_some()) => (branches.len() + 1, 0),
                _ => return None,
            };
            count *= branches;
            shortest += least;
            if count > LIMIT {
                return None;
            }
        }
        if shortest < 2 {
            return None;
        }
        let place = self.place();
        if place.is_ok() {
            let mut word = String::new();
            for spelling in 0..count {
                word.clear();
                let mut rest = spelling;
                for piece in pieces {
                    let (branches, wanted) = match &piece.piece {
                        Piece::Text(text) => {
                            word.push_str(text);
                            continue;
                        }
                        Piece::Either(branches) => (branches, branches.len()),
                        Piece::Maybe(branches) => (branches, branches.len() + 1),
                        Piece::Space | Piece::Star | Piece::Gap(_) => continue,
                    };
                    if let Some([Spanned { piece: Piece::Text(text), .. }]) = self.pieces.branches(branches).nth(rest % wanted) {
                        word.push_str(text);
                    }
                    rest /= wanted;
                }
                self.fill_plain(is, &word);
            }
        }
        Some(place)
    }

    /// A text without brackets, of which a hyphen may join or part the words.
    fn text(&mut self, text: &str, span: Span) -> Result<Shape, PhraseError> {
        if text == "#" {
            let place = self.place()?;
            self.fill(Is::Number, "");
            return Ok(place);
        }
        let mut whole: Option<Shape> = None;
        for text in [Some(text), joined(text).as_deref()].into_iter().flatten() {
            let words = Words::of(text);
            let mut shape = Shape::nothing();
            for word in words.list() {
                let place = self.place()?;
                self.fill(Is::Word, words.folded(word));
                shape = self.then(shape, place, false);
            }
            if !shape.empty {
                whole = Some(match whole {
                    Some(before) => before.or(shape),
                    None => shape,
                });
            }
        }
        // Only characters that no text keeps, such as a lone comma.
        whole.ok_or(PhraseError { span, trouble: Trouble::MatchesEverything })
    }

    /// Letters with brackets among them: written out into every spelling.
    fn spellings(&mut self, chunk: &[Spanned<'_>]) -> Result<Shape, PhraseError> {
        let span = chunk[0].span.join(chunk[chunk.len() - 1].span);
        let mut spellings = write_out(self.pieces, chunk, span)?;
        spellings.sort();
        spellings.dedup();
        let mut single = Vec::new();
        let mut whole: Option<Shape> = None;
        for spelling in &spellings {
            for words in readings(spelling, span)? {
                if let [word] = words.as_slice() {
                    single.push(word.clone());
                    continue;
                }
                let mut shape = Shape::nothing();
                for word in &words {
                    let place = self.place()?;
                    self.fill_wanted(word);
                    shape = self.then(shape, place, false);
                }
                whole = Some(match whole {
                    Some(before) => before.or(shape),
                    None => shape,
                });
            }
        }
        if !single.is_empty() {
            single.sort();
            single.dedup();
            let place = self.place()?;
            single.iter().for_each(|word| self.fill_wanted(word));
            whole = Some(match whole {
                Some(before) => before.or(place),
                None => place,
            });
        }
        // Only characters that no text keeps, such as a lone comma.
        whole.ok_or(PhraseError { span, trouble: Trouble::MatchesEverything })
    }
}

/// The word or stem that a branch is, where it is one of letters and the digits behind them, as nearly all are; a library has
/// tens of thousands.
fn plain_word<'p>(branch: &'p [Spanned<'_>]) -> Option<(Is, &'p str)> {
    let (is, text) = match branch {
        [Spanned { piece: Piece::Text(text), .. }] => (Is::Word, text),
        [Spanned { piece: Piece::Text(text), .. }, Spanned { piece: Piece::Star, .. }] => (Is::Stem, text),
        _ => return None,
    };
    is_plain(text, is).then_some((is, text.as_ref()))
}

/// Whether a text is one word whatever stands around it: letters and maybe digits; a stem has more than one.
fn is_plain(text: &str, is: Is) -> bool {
    match text.as_bytes() {
        [b'x' | b'X', b'0'..=b'9', ..] => false,
        [first, rest @ ..] => {
            first.is_ascii_alphabetic() && rest.iter().all(u8::is_ascii_alphanumeric) && (is == Is::Word || !rest.is_empty())
        }
        [] => false,
    }
}

/// The word in the form in which it is compared.
fn folded(letters: &str) -> String {
    let mut plain = letters.to_ascii_lowercase();
    let letters = 0..plain.len();
    let range = words::push_folded(&mut plain, letters);
    plain[range].to_owned()
}

/// Every string that a chunk stands for; a star is kept as `*` at the end, a literal one as `\*`.
fn write_out(pieces: &Pieces, chunk: &[Spanned<'_>], span: Span) -> Result<Vec<String>, PhraseError> {
    let mut strings = vec![String::new()];
    for piece in chunk {
        let tails = match &piece.piece {
            Piece::Text(text) => vec![text.replace('*', "\\*")],
            Piece::Space => vec![" ".to_owned()],
            Piece::Star => vec!["*".to_owned()],
            Piece::Gap(_) => return Err(PhraseError { span: piece.span, trouble: Trouble::BadGap }),
            Piece::Either(branches) | Piece::Maybe(branches) => {
                let mut tails = Vec::new();
                for branch in pieces.branches(branches) {
                    tails.extend(write_out(pieces, branch, span)?);
                }
                if matches!(piece.piece, Piece::Maybe(_)) {
                    tails.push(String::new());
                }
                tails
            }
        };
        if strings.len() * tails.len() > LIMIT {
            return Err(PhraseError { span, trouble: Trouble::TooLarge });
        }
        strings = strings.iter().flat_map(|head| tails.iter().map(move |tail| format!("{head}{tail}"))).collect();
    }
    Ok(strings)
}

/// A text without its hyphens, where it has some and nothing else but letters and digits.
fn joined(text: &str) -> Option<String> {
    let is_hyphen = |c: char| matches!(c, '-' | '_');
    (text.contains(is_hyphen) && text.chars().all(|c| is_hyphen(c) || c.is_alphanumeric())).then(|| text.replace(is_hyphen, ""))
}

/// The ways to read one spelling as words: a hyphen may join or part them.
fn readings(spelling: &str, span: Span) -> Result<Vec<Vec<Wanted>>, PhraseError> {
    let letters = spelling.strip_suffix('*').unwrap_or(spelling);
    let is_stem = letters.len() < spelling.len();
    if is_plain(letters, if is_stem { Is::Stem } else { Is::Word }) {
        return Ok(vec![vec![if is_stem { Wanted::Stem(letters.to_ascii_lowercase()) } else { Wanted::Word(folded(letters)) }]]);
    }
    let bad_stem = PhraseError { span, trouble: Trouble::BadStem };
    let (body, stem) = match spelling.strip_suffix('*') {
        Some(body) if !body.ends_with('\\') => (body, true),
        _ => (spelling, false),
    };
    if body.replace("\\*", "").contains('*') {
        return Err(bad_stem);
    }
    let body = body.replace("\\*", "*");
    if body == "#" {
        return Ok(vec![vec![Wanted::Number]]);
    }
    let joined = joined(&body);
    let bodies = std::iter::once(body).chain(joined);
    let mut readings = Vec::new();
    for body in bodies {
        let words = Words::of(&body);
        let mut reading: Vec<Wanted> = words.list().iter().map(|word| Wanted::Word(words.folded(word).to_owned())).collect();
        if stem {
            let last = words.list().last().filter(|word| word.is_word() && words.plain(word).chars().count() >= 2);
            let Some(last) = last else { return Err(bad_stem) };
            reading.pop();
            reading.push(Wanted::Stem(words.plain(last).to_owned()));
        }
        if !reading.is_empty() {
            readings.push(reading);
        }
    }
    Ok(readings)
}
