//! From what an author wrote to the places of a [`Phrase`].

use crate::phrase::words::{self, Words};
use crate::phrase::{MAX_GAP, Pattern, Phrase, PhraseError, Place, Trouble};
use crate::text::Span;

/// How many spellings one chunk of letters and brackets may have, and how many places a phrase.
const LIMIT: usize = 64;

/// A piece of the notation, with the bytes it stands on.
#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Space,
    Star,
    Gap(usize),
    Either(Vec<Vec<Spanned>>),
    Maybe(Vec<Vec<Spanned>>),
}

#[derive(Clone, Debug)]
struct Spanned {
    piece: Piece,
    span: Span,
}

/// The longest phrase, in bytes: it also bounds how deep brackets nest.
const LONGEST: usize = 1000;

pub(super) fn parse(source: &str) -> Result<Phrase, PhraseError> {
    if source.len() > LONGEST {
        return Err(PhraseError { span: Span::new(0, source.len()), trouble: Trouble::TooLarge });
    }
    let mut reader = Reader { source, at: 0 };
    let pieces = reader.sequence(None)?;
    let mut builder = Builder { places: Vec::new(), whole: Span::new(0, source.len()) };
    let shape = builder.sequence(&pieces)?;
    if shape.empty {
        return Err(PhraseError { span: Span::new(0, source.len()), trouble: Trouble::MatchesEverything });
    }
    Ok(Phrase { source: source.to_owned(), places: builder.places, first: shape.first, last: shape.last })
}

struct Reader<'s> {
    source: &'s str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.source[self.at..].chars().next()
    }

    fn error<T>(&self, start: usize, end: usize, trouble: Trouble) -> Result<T, PhraseError> {
        Err(PhraseError { span: Span::new(start, end.min(self.source.len())), trouble })
    }

    /// Reads up to the end, or up to what ends the bracket: `|` or the closing one, which is left for the caller.
    fn sequence(&mut self, closing: Option<char>) -> Result<Vec<Spanned>, PhraseError> {
        let mut pieces: Vec<Spanned> = Vec::new();
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
            pieces.push(Spanned { piece, span: Span::new(start, self.at) });
        }
        Ok(pieces)
    }

    fn bracket(&mut self, open: char) -> Result<Piece, PhraseError> {
        let start = self.at;
        let closing = if open == '(' { ')' } else { ']' };
        self.at += 1;
        let mut branches = Vec::new();
        loop {
            let branch = self.sequence(Some(closing))?;
            let Some(end) = self.peek() else { return self.error(start, start + 1, Trouble::Unclosed) };
            if branch.iter().all(|piece| matches!(piece.piece, Piece::Space)) {
                return self.error(self.at, self.at + 1, Trouble::EmptyAlternative);
            }
            branches.push(branch);
            self.at += 1;
            if end == closing {
                break;
            }
        }
        Ok(if open == '(' { Piece::Either(branches) } else { Piece::Maybe(branches) })
    }

    fn gap(&mut self) -> Result<Piece, PhraseError> {
        let start = self.at;
        self.at += 2;
        let digits: String = self.source[self.at..].chars().take_while(char::is_ascii_digit).collect();
        self.at += digits.len();
        match digits.parse() {
            Ok(words) if (1..=MAX_GAP).contains(&words) => Ok(Piece::Gap(words)),
            _ => self.error(start, self.at, Trouble::BadGap),
        }
    }

    fn text(&mut self) -> Piece {
        let mut text = String::new();
        while let Some(c) = self.peek() {
            let starts_gap = self.source[self.at..].starts_with("..");
            if matches!(c, '(' | ')' | '[' | ']' | '|' | '*') || c.is_whitespace() || starts_gap {
                break;
            }
            self.at += c.len_utf8();
            if c == '\\' {
                if let Some(escaped) = self.peek() {
                    self.at += escaped.len_utf8();
                    text.push(escaped);
                }
            } else {
                text.push(c);
            }
        }
        Piece::Text(text)
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

struct Builder {
    places: Vec<Place>,
    whole: Span,
}

impl Builder {
    fn place(&mut self, words: Vec<Pattern>) -> Result<Shape, PhraseError> {
        if self.places.len() == LIMIT {
            return Err(PhraseError { span: self.whole, trouble: Trouble::TooLarge });
        }
        let bit = 1 << self.places.len();
        self.places.push(Place { words, next: 0, next_across: 0 });
        Ok(Shape { first: bit, last: bit, empty: false })
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

    fn sequence(&mut self, pieces: &[Spanned]) -> Result<Shape, PhraseError> {
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
            let any = self.place(vec![Pattern::Any])?;
            whole = self.then(whole, any.or(Shape::nothing()), true);
        }
        Ok(whole)
    }

    /// What stands between two spaces.
    fn chunk(&mut self, chunk: &[Spanned]) -> Result<Shape, PhraseError> {
        match chunk {
            [Spanned { piece: Piece::Either(branches), .. }] => self.branches(branches),
            [Spanned { piece: Piece::Maybe(branches), .. }] => Ok(self.branches(branches)?.or(Shape::nothing())),
            _ => self.spellings(chunk),
        }
    }

    /// Alternatives.
    fn branches(&mut self, branches: &[Vec<Spanned>]) -> Result<Shape, PhraseError> {
        if let Some(words) = single_words(branches) {
            return self.place(words);
        }
        let mut whole = self.sequence(&branches[0])?;
        for branch in &branches[1..] {
            whole = whole.or(self.sequence(branch)?);
        }
        Ok(whole)
    }

    /// Letters with brackets among them: written out into every spelling.
    fn spellings(&mut self, chunk: &[Spanned]) -> Result<Shape, PhraseError> {
        let span = chunk[0].span.join(chunk[chunk.len() - 1].span);
        let mut spellings = write_out(chunk, span)?;
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
                for word in words {
                    let place = self.place(vec![word])?;
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
            let place = self.place(single)?;
            whole = Some(match whole {
                Some(before) => before.or(place),
                None => place,
            });
        }
        // Only characters that no text keeps, such as a lone comma.
        whole.ok_or(PhraseError { span, trouble: Trouble::MatchesEverything })
    }
}

/// The words, where every branch is a single plain word or stem: they need only one place together.
fn single_words(branches: &[Vec<Spanned>]) -> Option<Vec<Pattern>> {
    let word = |branch: &Vec<Spanned>| match branch.as_slice() {
        [Spanned { piece: Piece::Text(text), .. }] => plain_word(text, false),
        [Spanned { piece: Piece::Text(text), .. }, Spanned { piece: Piece::Star, .. }] => plain_word(text, true),
        _ => None,
    };
    branches.iter().map(word).collect()
}

/// A word or stem of nothing but letters, as nearly all spellings are; a library has tens of thousands.
fn plain_word(letters: &str, stem: bool) -> Option<Pattern> {
    if letters.len() < 2 || !letters.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let plain = letters.to_ascii_lowercase();
    Some(if stem { Pattern::Stem(plain) } else { Pattern::Word(words::fold(&plain)) })
}

/// Every string that a chunk stands for; a star is kept as `*` at the end, a literal one as `\*`.
fn write_out(pieces: &[Spanned], span: Span) -> Result<Vec<String>, PhraseError> {
    let mut strings = vec![String::new()];
    for piece in pieces {
        let tails = match &piece.piece {
            Piece::Text(text) => vec![text.replace('*', "\\*")],
            Piece::Space => vec![" ".to_owned()],
            Piece::Star => vec!["*".to_owned()],
            Piece::Gap(_) => return Err(PhraseError { span: piece.span, trouble: Trouble::BadGap }),
            Piece::Either(branches) | Piece::Maybe(branches) => {
                let mut tails = Vec::new();
                for branch in branches {
                    tails.extend(write_out(branch, span)?);
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

/// The ways to read one spelling as words: a hyphen may join or part them.
fn readings(spelling: &str, span: Span) -> Result<Vec<Vec<Pattern>>, PhraseError> {
    let letters = spelling.strip_suffix('*').unwrap_or(spelling);
    if let Some(word) = plain_word(letters, letters.len() < spelling.len()) {
        return Ok(vec![vec![word]]);
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
        return Ok(vec![vec![Pattern::Number]]);
    }
    let mut bodies = vec![body.clone()];
    let joined: String = body.chars().filter(|c| !matches!(c, '-' | '_')).collect();
    if joined != body && joined.chars().all(char::is_alphanumeric) {
        bodies.push(joined);
    }
    let mut readings = Vec::new();
    for body in bodies {
        let words = Words::of(&body);
        let mut reading: Vec<Pattern> = words.list().iter().map(|word| Pattern::Word(word.folded.clone())).collect();
        if stem {
            let last = words.list().last().filter(|word| word.is_word() && word.plain.chars().count() >= 2);
            let Some(last) = last else { return Err(bad_stem) };
            reading.pop();
            reading.push(Pattern::Stem(last.plain.clone()));
        }
        if !reading.is_empty() {
            readings.push(reading);
        }
    }
    Ok(readings)
}
