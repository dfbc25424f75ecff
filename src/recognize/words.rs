//! Numbers in words: `two hundred and fifty six`, `five point three billion`, `half a million`, `two thirds`, `twofold`.

use crate::quantity::Number;

use super::literal::{self, Digits};

/// Words of one number; what comes after is another.
const MOST_WORDS: usize = 24;

/// A number read from the start of a text.
#[derive(Clone, Debug)]
pub(super) struct Spoken {
    /// The bytes it takes.
    pub(super) len: usize,
    pub(super) value: Number,
    pub(super) digits: Digits,
    /// Whether it says how many times: `twofold`.
    pub(super) fold: bool,
    /// Whether it is the one word `one`, which is mostly a pronoun.
    pub(super) lone_one: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Word {
    /// `zero` to `nine`.
    Digit(i128),
    /// `ten` to `nineteen`.
    Teen(i128),
    /// `twenty` to `ninety`.
    Tens(i128),
    Hundred,
    /// `thousand` and up, and `dozen`.
    Scale(i128),
    /// `hundreds`, `millions`: a scale only behind a number, otherwise a vague word.
    Plural(i128),
    /// `half`, `third`, `quarters`: what the number before is divided by, and whether it is a plural.
    Part(i128, bool),
    And,
    Point,
    Article,
    Minus,
}

/// What a word says about numbers, if anything. Decided by its letters alone, without looking into the text around.
fn word(text: &str) -> Option<Word> {
    if let [first, second, ..] = text.as_bytes()
        && !matches!((first, second), (b'c' | b'C', b'r' | b'R') | (b'a' | b'A', b'n' | b'N'))
        && BEGINNINGS[pair(*first, *second)] == 0
    {
        return None;
    }
    let mut lower = [0; 14];
    if text.len() > lower.len() {
        return None;
    }
    let lower = &mut lower[..text.len()];
    // A name in mixed case (`ZeRO`) is no word.
    if text.bytes().skip(1).any(|byte| byte.is_ascii_uppercase()) && !text.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return None;
    }
    for (to, from) in lower.iter_mut().zip(text.bytes()) {
        *to = from.to_ascii_lowercase();
    }
    let found = match &*lower {
        b"zero" | b"nought" | b"naught" => Word::Digit(0),
        b"one" => Word::Digit(1),
        b"two" => Word::Digit(2),
        b"three" => Word::Digit(3),
        b"four" => Word::Digit(4),
        b"five" => Word::Digit(5),
        b"six" => Word::Digit(6),
        b"seven" => Word::Digit(7),
        b"eight" => Word::Digit(8),
        b"nine" => Word::Digit(9),
        b"ten" => Word::Teen(10),
        b"eleven" => Word::Teen(11),
        b"twelve" => Word::Teen(12),
        b"thirteen" => Word::Teen(13),
        b"fourteen" => Word::Teen(14),
        b"fifteen" => Word::Teen(15),
        b"sixteen" => Word::Teen(16),
        b"seventeen" => Word::Teen(17),
        b"eighteen" => Word::Teen(18),
        b"nineteen" => Word::Teen(19),
        b"twenty" => Word::Tens(20),
        b"thirty" => Word::Tens(30),
        b"forty" | b"fourty" => Word::Tens(40),
        b"fifty" => Word::Tens(50),
        b"sixty" => Word::Tens(60),
        b"seventy" => Word::Tens(70),
        b"eighty" => Word::Tens(80),
        b"ninety" => Word::Tens(90),
        b"hundred" => Word::Hundred,
        b"thousand" => Word::Scale(1_000),
        b"million" => Word::Scale(1_000_000),
        b"billion" => Word::Scale(1_000_000_000),
        b"trillion" => Word::Scale(1_000_000_000_000),
        b"quadrillion" => Word::Scale(1_000_000_000_000_000),
        b"quintillion" => Word::Scale(1_000_000_000_000_000_000),
        b"dozen" => Word::Scale(12),
        b"lakh" | b"lac" => Word::Scale(100_000),
        b"crore" => Word::Scale(10_000_000),
        b"and" => Word::And,
        b"point" => Word::Point,
        b"a" | b"an" => Word::Article,
        b"minus" | b"negative" => Word::Minus,
        b"hundreds" => Word::Plural(100),
        b"thousands" => Word::Plural(1_000),
        b"millions" => Word::Plural(1_000_000),
        b"billions" => Word::Plural(1_000_000_000),
        b"trillions" => Word::Plural(1_000_000_000_000),
        b"dozens" => Word::Plural(12),
        _ => return part(text),
    };
    Some(found)
}

/// `half`, `third`, `quarters`, `sixteenth`, `millionths`: what something is divided into.
fn part(text: &str) -> Option<Word> {
    // Most words of a text are none; they are told by their ends.
    let bytes = text.as_bytes();
    let stem = bytes.strip_suffix(b"s").or_else(|| bytes.strip_suffix(b"S")).unwrap_or(bytes);
    if !matches!(
        stem,
        [_, .., b't' | b'T', b'h' | b'H']
            | [_, .., b'l' | b'L', b'f' | b'F']
            | [_, .., b'v', b'e']
            | [_, .., b'r' | b'R', b'd' | b'D']
            | [_, .., b'e' | b'E', b'r' | b'R']
    ) {
        return None;
    }
    let mut lower = [0; 14];
    let lower = lower.get_mut(..bytes.len())?;
    lower.copy_from_slice(bytes);
    lower.make_ascii_lowercase();
    let lower = std::str::from_utf8(lower).ok()?;
    let (stem, plural) = lower.strip_suffix('s').map_or((lower, false), |stem| (stem, true));
    let parts = match stem {
        "half" | "halve" => 2,
        "third" => 3,
        "quarter" => 4,
        "fifth" => 5,
        "eighth" => 8,
        "ninth" => 9,
        "twelfth" => 12,
        _ => match (stem.strip_suffix("ieth"), stem.strip_suffix("th")) {
            (Some(tens), _) => match word(&format!("{tens}y"))? {
                Word::Tens(value) => value,
                _ => return None,
            },
            (None, Some(stem)) => match word(stem)? {
                Word::Digit(value) if value > 3 => value,
                Word::Teen(value) => value,
                Word::Hundred => 100,
                Word::Scale(value) if value > 12 => value,
                _ => return None,
            },
            _ => return None,
        },
    };
    Some(Word::Part(parts, plural))
}

/// The power of ten that a scale word stands for after digits: `2 million`, `3 dozen`.
pub(super) fn scale(text: &str) -> Option<i128> {
    // Most words behind a number are units and nouns; no scale is as short, or begins with another letter.
    if text.len() < 3 || !matches!(text.as_bytes()[0].to_ascii_lowercase(), b'h' | b't' | b'm' | b'b' | b'q' | b'd' | b'l' | b'c') {
        return None;
    }
    match word(text)? {
        Word::Hundred => Some(100),
        Word::Scale(scale) | Word::Plural(scale) => Some(scale),
        _ => None,
    }
}

/// What a number before a word like `millionths` is divided by.
pub(super) fn parts(text: &str) -> Option<i128> {
    if text.len() < 5 || !text.ends_with(['s', 'S']) {
        return None;
    }
    match word(text)? {
        Word::Part(parts, true) => Some(parts),
        _ => None,
    }
}

/// The power that a word says behind `to the`: `ninth`, `nine`.
pub(super) fn exponent(text: &str) -> Option<i32> {
    match word(text)? {
        Word::Digit(value) | Word::Teen(value) | Word::Tens(value) => i32::try_from(value).ok(),
        Word::Part(value, false) if text.ends_with("th") || text == "third" => i32::try_from(value).ok(),
        _ => None,
    }
}

/// Words of a text from a place on, with the bytes where each starts and ends; spaces and hyphens part them.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The next word, its end, and whether only a hyphen or a space stands before it.
    fn peek(&self) -> Option<(&'a str, usize)> {
        let rest = &self.text[self.at..];
        let gap = if self.at == 0 {
            0
        } else {
            let hyphen = usize::from(rest.starts_with('-'));
            let ampersand = rest.starts_with(" & ");
            let spaces = rest.bytes().take(if ampersand { 0 } else { 3 }).take_while(|byte| matches!(byte, b' ' | b'\n')).count();
            if hyphen == 0 && spaces == 0 {
                let comma = rest.strip_prefix(", ").or_else(|| rest.strip_prefix(" & "))?;
                rest.len() - comma.len()
            } else {
                hyphen + spaces
            }
        };
        let body = &rest[gap..];
        let len = body.bytes().take_while(u8::is_ascii_alphabetic).count();
        let ends = !body[len..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        (len > 0 && len <= 24 && ends).then(|| (&body[..len], self.at + gap + len))
    }

    fn comma_before(&self) -> bool {
        self.text[self.at..].starts_with(',')
    }

    fn ampersand_before(&self) -> bool {
        self.text[self.at..].starts_with(" & ")
    }
}

/// Whether a number in words may begin with this word.
pub(super) fn may_begin(text: &str) -> bool {
    let bytes = text.as_bytes();
    let [first, second, rest @ ..] = bytes else { return bytes.eq_ignore_ascii_case(b"a") };
    let may = begins_like_one(*first, *second, rest.first().copied().unwrap_or(b' '));
    may && word(text).is_some() || ends_in_times(bytes)
}

/// Whether a word ends as those do that say how many times: `twofold`, `achtmal`, `vierfach`, `verachtfacht`.
#[inline]
pub(super) fn ends_in_times(word: &[u8]) -> bool {
    matches!(
        word,
        [.., b'f', b'o', b'l', b'd'] | [.., b'm', b'a', b'l'] | [.., b'f', b'a', b'c', b'h'] | [.., b'f', b'a', b'c', b'h', b't']
    )
}

/// Whether a number in words may begin with these letters; a third that is none stands behind a word of two. Few words begin
/// so, and most of a text are told by it.
#[inline]
pub(super) fn begins_like_one(first: u8, second: u8, third: u8) -> bool {
    let thirds = BEGINNINGS[pair(first, second)];
    // Of most words the first two letters tell.
    thirds != 0 && thirds >> (if third.is_ascii_alphabetic() { third & 31 } else { 0 }) & 1 != 0
}

/// For each first and second letter, the third letters of the words that a number may begin with; bit 0 where there is none.
static BEGINNINGS: [u32; 1024] = {
    let pairs = b"anthtetrtwminaneninoonsesibidoeielfifohahulapoquze";
    // Of these, the third letters are few as well.
    let thirds: [(&[u8; 2], &[u8]); 16] = [
        (b"an", b"`"),
        (b"th", b"ior"),
        (b"on", b"e"),
        (b"se", b"v"),
        (b"si", b"x"),
        (b"te", b"n"),
        (b"hu", b"n"),
        (b"fo", b"ru"),
        (b"no", b"u"),
        (b"na", b"u"),
        (b"ne", b"g"),
        (b"mi", b"ln"),
        (b"ha", b"l"),
        (b"la", b"ck"),
        (b"po", b"i"),
        (b"do", b"z"),
    ];
    let mut letters = [0; 1024];
    let mut at = 0;
    while at < pairs.len() {
        letters[pair(pairs[at], pairs[at + 1])] = u32::MAX;
        at += 2;
    }
    let mut at = 0;
    while at < thirds.len() {
        let (first, third) = thirds[at];
        let mut bits = 0;
        let mut letter = 0;
        while letter < third.len() {
            bits |= 1 << (third[letter] & 31);
            letter += 1;
        }
        letters[pair(first[0], first[1])] = bits;
        at += 1;
    }
    letters
};

#[inline]
const fn pair(first: u8, second: u8) -> usize {
    ((first & 31) as usize) << 5 | (second & 31) as usize
}

/// The number in words at the start of `text`, which begins a word.
pub(super) fn read(text: &str) -> Option<Spoken> {
    let mut cursor = Cursor { text, at: 0 };
    let (first, end) = cursor.peek()?;
    if let Some(fold) = fold(first, end) {
        return Some(fold);
    }
    let mut sign = Number::ONE;
    let mut start = word(first)?;
    if start == Word::Minus {
        sign = -sign;
        cursor.at = end;
        start = word(cursor.peek()?.0)?;
        if matches!(start, Word::Part(..) | Word::And) {
            return None;
        }
    }
    match start {
        Word::And => return None,
        // Most articles stand before a noun.
        Word::Article => {
            word(Cursor { text, at: end }.peek()?.0)?;
        }
        Word::Part(2, false) => return half(&mut cursor, 2),
        Word::Part(4, false) if first.eq_ignore_ascii_case("quarter") => {
            return half(&mut cursor, 4).filter(|spoken| spoken.len > first.len());
        }
        Word::Plural(_) => return None,
        Word::Part(..) => return None,
        _ => {}
    }
    // Most are one word: `two ranks`.
    if let Word::Digit(value) | Word::Teen(value) | Word::Tens(value) = start
        && cursor.at == 0
        && (Cursor { text, at: end }).peek().is_none_or(|(next, _)| word(next).is_none())
    {
        let digits = literal::whole_digits(value);
        return Some(Spoken { len: end, value: Number::from(value), digits, fold: false, lone_one: value == 1 });
    }
    let mut number = Running { total: Number::ZERO, group: None, last: None, smallest: None, any: false, scaled: false, finished: false };
    let mut steps = 0;
    let mut words = 0;
    while steps < MOST_WORDS {
        steps += 1;
        let Some((text, end)) = cursor.peek() else { break };
        let Some(next) = word(text) else { break };
        if cursor.comma_before()
            && !(number.scaled && matches!(next, Word::Digit(_) | Word::Teen(_) | Word::Tens(_)) && number.goes_on(&cursor, end))
        {
            break;
        }
        if !number.take(next, &mut cursor, end) {
            break;
        }
        words += 1;
    }
    if !number.any {
        return None;
    }
    let value = number.value();
    let lone_one = words == 1 && value == Number::ONE && sign == Number::ONE;
    let digits = match value.to_ratio() {
        Some(ratio) if ratio.is_integer() => literal::whole_digits(ratio.to_integer()),
        _ => literal::exact_digits(),
    };
    Some(Spoken { len: cursor.at, value: value * sign, digits, fold: false, lone_one })
}

/// Whether a word like `fifth` ends a fraction here, and is no ordinal before a noun.
fn ends_fraction(rest: &str) -> bool {
    let next = rest.trim_start_matches(' ');
    !next.starts_with(|c: char| c.is_alphanumeric() || c == '-')
        || ["of ", "and ", "or ", "to ", "is ", "as "].iter().any(|word| next.starts_with(word))
}

/// `twofold`, `sixteenfold`; `achtmal`, `vierfach`, `verachtfacht`.
fn fold(text: &str, end: usize) -> Option<Spoken> {
    let value = match text.strip_suffix("fold") {
        Some(stem) => match word(stem)? {
            Word::Digit(value) | Word::Teen(value) | Word::Tens(value) => value,
            Word::Hundred => 100,
            Word::Scale(value) => value,
            _ => return None,
        },
        None => match text.strip_prefix("ver").and_then(|rest| rest.strip_suffix("facht")) {
            Some(stem) => german(stem)?,
            None => german(text.strip_suffix("mal").or_else(|| text.strip_suffix("fach"))?)?,
        },
    };
    Some(Spoken { len: end, value: Number::from(value), digits: literal::whole_digits(value), fold: true, lone_one: false })
}

/// The German numbers that people say how many times with; `einmal` is once and no value.
fn german(stem: &str) -> Option<i128> {
    const NUMBERS: [(&str, i128); 10] = [
        ("zwei", 2),
        ("drei", 3),
        ("vier", 4),
        ("sechs", 6),
        ("sieben", 7),
        ("acht", 8),
        ("neun", 9),
        ("zehn", 10),
        ("hundert", 100),
        ("tausend", 1000),
    ];
    NUMBERS.iter().find(|(word, _)| stem.eq_ignore_ascii_case(word)).map(|(_, value)| *value)
}

/// `half`, `half a million`, `quarter million`.
fn half(cursor: &mut Cursor, parts: i32) -> Option<Spoken> {
    let (_, end) = cursor.peek()?;
    // `half-filled` says how, not how much.
    if cursor.text[end..].strip_prefix('-').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic())) {
        return None;
    }
    cursor.at = end;
    let mut value = Number::ONE / Number::from(parts);
    if let Some((scale, end)) = cursor.peek().and_then(|(text, end)| Some((scale(text)?, end))) {
        cursor.at = end;
        value = value * Number::from(scale);
    }
    let saved = cursor.at;
    if let Some(("a" | "an", end)) = cursor.peek() {
        cursor.at = end;
        match cursor.peek().and_then(|(text, end)| Some((scale(text)?, end))) {
            Some((scale, end)) => {
                cursor.at = end;
                value = value * Number::from(scale);
            }
            None => cursor.at = saved,
        }
    }
    Some(Spoken { len: cursor.at, value, digits: literal::exact_digits(), fold: false, lone_one: false })
}

/// A number on its way: what is complete, the group below the next scale, and what came last.
struct Running {
    total: Number,
    group: Option<Number>,
    last: Option<Word>,
    smallest: Option<i128>,
    any: bool,
    scaled: bool,
    finished: bool,
}

impl Running {
    fn value(&self) -> Number {
        self.total + self.group.unwrap_or(Number::ZERO)
    }

    /// Whether what follows the word that ends at `end` still belongs to the number, so that a comma before it may.
    fn goes_on(&self, cursor: &Cursor, end: usize) -> bool {
        let ahead = Cursor { text: cursor.text, at: end };
        !ahead.comma_before()
            && ahead
                .peek()
                .and_then(|(text, _)| word(text))
                .is_some_and(|next| matches!(next, Word::Hundred | Word::Scale(_) | Word::And | Word::Digit(_)))
            || ahead.ampersand_before()
    }

    /// Takes a word in, or says that it belongs to no number that goes on here.
    fn take(&mut self, next: Word, cursor: &mut Cursor, end: usize) -> bool {
        if self.finished {
            return false;
        }
        match next {
            Word::Digit(value) | Word::Teen(value) | Word::Tens(value) => {
                if self.finer_parts(next, cursor, end) {
                    return true;
                }
                let fits = match (self.last, next) {
                    (None | Some(Word::Hundred | Word::Scale(_) | Word::And), _) => true,
                    (Some(Word::Tens(_)), Word::Digit(digit)) => digit > 0,
                    _ => false,
                };
                if !fits || self.last.is_some() && value == 0 {
                    return false;
                }
                self.group = Some(self.group.unwrap_or(Number::ZERO) + Number::from(value));
            }
            Word::Hundred => match self.last {
                None => self.group = Some(Number::from(100)),
                Some(Word::Article) => self.group = Some(Number::from(100)),
                Some(Word::Digit(_) | Word::Teen(_) | Word::Tens(_)) => self.group = self.group.map(|group| group * Number::from(100)),
                _ => return false,
            },
            Word::Plural(_) if !self.any => return false,
            Word::Plural(100) => match self.last {
                Some(Word::Digit(_) | Word::Teen(_) | Word::Tens(_)) => self.group = self.group.map(|group| group * Number::from(100)),
                _ => return false,
            },
            Word::Scale(scale) | Word::Plural(scale) => {
                let by = Number::from(scale);
                match self.last {
                    Some(Word::Scale(_)) if self.group.is_none() => self.total = self.total * by,
                    _ if self.smallest.is_some_and(|smallest| scale >= smallest) => {
                        // `two hundred thousand million`: the whole of it is scaled.
                        self.total = self.value() * by;
                        self.group = None;
                    }
                    _ => {
                        self.total = self.total + self.group.unwrap_or(Number::ONE) * by;
                        self.group = None;
                    }
                }
                self.smallest = Some(scale);
                self.scaled = true;
            }
            Word::And => {
                let ahead = Cursor { text: cursor.text, at: end };
                let Some((text, _)) = ahead.peek() else { return false };
                if self.last == Some(Word::And) || !self.any {
                    return false;
                }
                match word(text) {
                    Some(Word::Digit(_) | Word::Teen(_) | Word::Tens(_)) => {
                        if self.fraction_after(cursor, end) {
                            return true;
                        }
                        if !matches!(self.last, Some(Word::Hundred | Word::Scale(_))) {
                            return false;
                        }
                    }
                    // `one and a half`.
                    Some(Word::Article | Word::Part(2 | 4, false)) => return self.fraction_after(cursor, end),
                    _ => return false,
                }
                cursor.at = end;
                self.last = Some(Word::And);
                return true;
            }
            Word::Point => {
                return self.decimals(cursor, end);
            }
            Word::Article => {
                // Only at the start, and only before a scale or a part: `a hundred`, `a third`, `a dozen`.
                let ahead = Cursor { text: cursor.text, at: end };
                if self.last.is_some() {
                    return false;
                }
                match ahead.peek().and_then(|(text, after)| Some((word(text)?, after))) {
                    Some((Word::Hundred | Word::Scale(_), _)) => {}
                    // `a fifth of`, but no `a fifth term`.
                    Some((Word::Part(parts, false), after)) if parts == 2 || ends_fraction(&cursor.text[after..]) => {
                        self.group = Some(Number::ONE);
                    }
                    _ => return false,
                }
                cursor.at = end;
                self.last = Some(Word::Article);
                return true;
            }
            Word::Part(parts, plural) => {
                let counted = matches!(self.last, Some(Word::Digit(_) | Word::Teen(_) | Word::Tens(_) | Word::Article | Word::Hundred));
                let Some(count) = self.group.filter(|_| counted) else { return false };
                // `two thirds` and `one third`, but no `twenty third` or `two second`.
                if plural == (count == Number::ONE) || !self.total.is_zero() {
                    return false;
                }
                self.group = Some(count / Number::from(parts));
                self.finished = true;
            }
            Word::Minus => return false,
        }
        self.any = true;
        self.last = Some(next);
        cursor.at = end;
        true
    }

    /// `one twenty-fifth`: tens that belong to what is counted.
    fn finer_parts(&mut self, next: Word, cursor: &mut Cursor, end: usize) -> bool {
        let (Some(count), Some(Word::Digit(_)), Word::Tens(tens)) = (self.group, self.last, next) else { return false };
        let ahead = Cursor { text: cursor.text, at: end };
        let Some((Word::Part(units, plural), end)) = ahead.peek().and_then(|(text, end)| Some((word(text)?, end))) else { return false };
        if units > 9 || plural == (count == Number::ONE) {
            return false;
        }
        self.group = Some(count / Number::from(tens + units));
        self.finished = true;
        cursor.at = end;
        true
    }

    /// `and a half`, `and three quarters`: a fraction of the last scale, or of one.
    fn fraction_after(&mut self, cursor: &mut Cursor, at: usize) -> bool {
        let ahead = Cursor { text: cursor.text, at };
        let Some((text, end)) = ahead.peek() else { return false };
        let (count, end) = match word(text) {
            Some(Word::Article) => (1, end),
            Some(Word::Digit(count)) => (count, end),
            Some(Word::Part(2 | 4, false)) => (1, at),
            _ => return false,
        };
        let ahead = Cursor { text: cursor.text, at: end };
        let Some((text, end)) = ahead.peek() else { return false };
        let Some(Word::Part(parts, _)) = word(text) else { return false };
        let mut value = Number::from(count) / Number::from(parts);
        if let Some(Word::Scale(scale)) = self.last {
            value = value * Number::from(scale);
        }
        self.total = self.total + value;
        cursor.at = end;
        self.any = true;
        self.last = Some(Word::Part(parts, true));
        // A scale may follow: `two and a half million`.
        let ahead = Cursor { text: cursor.text, at: end };
        if let Some((scale, end)) = ahead.peek().and_then(|(text, end)| Some((scale(text)?, end))) {
            // A smaller scale belongs to the fraction alone: `one billion and a half million`.
            let smaller = self.smallest.is_some_and(|smallest| scale < smallest);
            let part = Number::from(count) / Number::from(parts);
            self.total = if smaller { self.value() - value + part * Number::from(scale) } else { self.value() * Number::from(scale) };
            self.group = None;
            cursor.at = end;
        }
        self.finished = true;
        true
    }

    /// `point eight four`, and the scale behind it.
    fn decimals(&mut self, cursor: &mut Cursor, end: usize) -> bool {
        let mut ahead = Cursor { text: cursor.text, at: end };
        let mut place = Number::ONE;
        let mut value = Number::ZERO;
        let ten = Number::from(10);
        let mut any = false;
        for _ in 0..MOST_WORDS {
            let Some((text, end)) = ahead.peek().filter(|_| !ahead.comma_before()) else { break };
            let digit = match word(text) {
                Some(Word::Digit(digit)) => digit,
                Some(Word::Teen(value)) if !any => {
                    place = place / ten;
                    value
                }
                Some(Word::Tens(value)) if !any => value / 10,
                None if text.eq_ignore_ascii_case("o") || text.eq_ignore_ascii_case("oh") => 0,
                _ => break,
            };
            place = place / ten;
            value = value + place * Number::from(digit);
            any = true;
            ahead.at = end;
        }
        if !any {
            return false;
        }
        self.any = true;
        self.group = Some(self.group.unwrap_or(Number::ZERO) + value);
        cursor.at = ahead.at;
        while let Some((scale, end)) = ahead.peek().and_then(|(text, end)| Some((scale(text)?, end))) {
            self.total = self.value() * Number::from(scale);
            self.group = None;
            ahead.at = end;
            cursor.at = end;
        }
        self.finished = true;
        true
    }
}
