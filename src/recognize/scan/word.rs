//! Words on the walk: those that number things, those that are numbers, and those that say of a number what it is.

use crate::quantity::{Dimension, Number};

use super::{Kind, Scanner};
use crate::recognize::literal::{self, Literal, Manner};
use crate::recognize::skip::{self, Numbered};
use crate::recognize::tail::{self, Head, Tail};
use crate::recognize::words;

impl Scanner<'_> {
    /// Passes over words of a sentence that say nothing about numbers, which most do; the first that may is looked at.
    pub(super) fn prose(&mut self, mut at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let silent = |at: usize| match bytes.get(at..at + 3) {
            Some([first @ b'a'..=b'z', second @ b'a'..=b'z', third]) => {
                !words::begins_like_one(*first, *second, *third) || bytes[at..].starts_with(b"for ")
            }
            _ => false,
        };
        if !silent(at) {
            return self.word(at);
        }
        loop {
            let end = small_letters_end(bytes, at + 2);
            // `twofold`, `achtmal`, `vierfach`, `verachtfacht`
            if matches!(bytes[end - 1], b'd' | b'l' | b'h' | b't') && words::ends_in_times(&bytes[at..end]) {
                break;
            }
            match bytes.get(end) {
                Some(b' ') if silent(end + 1) => at = end + 1,
                // What comes next is no number, nor a word that is one, nor the rest of a name.
                Some(b' ') => match bytes.get(end + 1..end + 3) {
                    Some([b'o' | b't' | b's' | b'f' | b'n' | b'e', _]) => return self.before_spoken(at, end).unwrap_or(end),
                    Some([b'a'..=b'z', _]) => return end,
                    Some([b'A'..=b'Z', second]) if *second != b'.' => return end,
                    Some([b'*' | b'`' | b'"' | b'\'' | b'$' | b'=' | b'-' | b'+' | b'[', _]) => return end,
                    _ => break,
                },
                Some(b'.') => match bytes.get(end + 1..end + 4) {
                    Some([b' ' | b'\n', b'A'..=b'Z' | b'a'..=b'z', third]) if *third != b'.' => return end,
                    _ => break,
                },
                Some(b',' | b';' | b')' | b'\n' | b'*' | b'`' | b'"' | b'\'' | b'=' | b'/' | b'!' | b'?' | b'|') => return end,
                _ => break,
            }
        }
        self.word(at)
    }

    pub(super) fn word(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut end = at + bytes[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let letters = end > at && bytes.get(end).is_none_or(|byte| byte.is_ascii() && !byte.is_ascii_digit() && *byte != b'_');
        if !letters {
            end = skip::word_end(self.text, end);
        }
        let word = &self.text[at..end];
        let letters = letters || word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let amount = || word.get(3..).is_some_and(|amount| amount.bytes().all(|byte| byte.is_ascii_digit()));
        if !letters && word.get(..3).is_some_and(|code| self.is_currency(code)) && amount() {
            return self.currency(at, at + 3);
        }
        if !letters {
            return self.times_word(at, end).unwrap_or_else(|| skip::name_end(self.text, at).max(end));
        }
        match bytes.get(end) {
            Some(b'-') if bytes.get(end + 1).is_some_and(u8::is_ascii_digit) => {
                let end = skip::name_end(self.text, at);
                return skip::model_size(word, self.text, end).unwrap_or(end);
            }
            Some(b':') if self.text[end..].starts_with("://") || matches!(word, "arXiv" | "arxiv" | "doi" | "DOI" | "ISBN" | "ISSN") => {
                return skip::blank(self.text, end);
            }
            Some(b'.') if word == "www" => return skip::blank(self.text, end),
            Some(b'$') if word == "US" => return self.currency(at, end + 1),
            Some(b'[') => return skip::index(self.text, end).unwrap_or(end),
            _ => {}
        }
        // What a word says of a number behind it matters only where one is.
        let next = if self.number_behind(end) { self.before_number(at, end) } else { self.before_spoken(at, end) };
        next.unwrap_or_else(|| self.spoken(at, end))
    }

    /// Whether digits stand behind a word, or only a bracket or a mark parts them from it.
    fn number_behind(&self, end: usize) -> bool {
        let between = |byte: &&u8| matches!(byte, b' ' | b'.' | b'#' | b'(' | b':' | 0xc2 | 0xa0);
        let bytes = &self.text.as_bytes()[end..];
        // A word of a sentence stands before another.
        if matches!(bytes, [b' ', b'a'..=b'z', ..]) {
            return false;
        }
        let gap = bytes.iter().take(5).take_while(between).count();
        // The parts of an appendix have a letter before their number: `Appendix A.3`.
        let letter = matches!(bytes.get(gap..gap + 3), Some([b'A'..=b'Z', b'.', b'0'..=b'9']));
        gap > 0 && (letter || bytes.get(gap).is_some_and(u8::is_ascii_digit))
    }

    /// The end of what a word and the number behind it are together, where that is no quantity, or an amount of money.
    fn before_number(&mut self, at: usize, end: usize) -> Option<usize> {
        let word = &self.text[at..end];
        let capital = self.text.as_bytes()[at].is_ascii_uppercase();
        if capital && self.is_currency(word) {
            return Some(self.currency(at, end));
        }
        if let Some(end) = skip::model_size(word, self.text, end) {
            return Some(end);
        }
        // `p. 45` is a page, `p = 0.03` a probability.
        let page = matches!(word, "p" | "P") && self.text[end..].starts_with(". ");
        let numbered = if page { Some(Numbered::Thing) } else { skip::numbered(word) };
        let numbered = numbered.and_then(|numbered| self.numbered(end, numbered));
        let numbered = numbered.map(|end| skip::model_size(word, self.text, end).unwrap_or(end));
        let named = || if capital { self.named(at, end) } else { None };
        let dated = || if capital && skip::is_month(word) { skip::after_month(self.text, end) } else { None };
        numbered.or_else(named).or_else(dated)
    }

    /// `version two`: the end of a thing's number in a word.
    fn before_spoken(&self, at: usize, end: usize) -> Option<usize> {
        let len = match self.text.as_bytes().get(end..)? {
            [b' ', b'o', b'n', b'e', ..] | [b' ', b't', b'w', b'o', ..] | [b' ', b's', b'i', b'x', ..] | [b' ', b't', b'e', b'n', ..] => 3,
            [b' ', b'f', b'o', b'u', b'r', ..] | [b' ', b'f', b'i', b'v', b'e', ..] | [b' ', b'n', b'i', b'n', b'e', ..] => 4,
            [b' ', b't', b'h', b'r', b'e', b'e', ..]
            | [b' ', b's', b'e', b'v', b'e', b'n', ..]
            | [b' ', b'e', b'i', b'g', b'h', b't', ..] => 5,
            _ => return None,
        };
        let word = &self.text[at..end];
        let ends = skip::word_end(self.text, end + 1) == end + 1 + len;
        let thing = ends && word != "see" && skip::numbered(word) == Some(Numbered::Thing);
        thing.then_some(end + 1 + len)
    }

    /// `Voyager 2`, `Gaudi 3`: in the middle of a sentence, a capital and a small bare number make a name.
    fn named(&self, at: usize, end: usize) -> Option<usize> {
        let word = &self.text[at..end];
        let mut letters = word.chars();
        if !letters.next().is_some_and(char::is_uppercase) || word.len() < 4 || !letters.all(char::is_lowercase) {
            return None;
        }
        let before = self.before(at, 24);
        let last = before.strip_suffix(' ')?.rsplit([' ', '(', '\n']).next()?;
        if last.len() < 2 || !last.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return None;
        }
        let rest = self.text[end..].strip_prefix(' ')?;
        let size = rest.bytes().take(4).take_while(u8::is_ascii_digit).count();
        let number = end + 1 + size;
        let ends = !self.text[number..]
            .starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '%' | '×' | '^' | '/' | '-' | '_' | ':'));
        if !(1..=3).contains(&size) || !ends {
            return None;
        }
        let tail = tail::read(self.units, self.text, number, Head::spoken())?;
        (tail.unit.is_none() && tail.noun.is_none() && tail.end == number).then_some(number)
    }

    pub(super) fn is_currency(&self, word: &str) -> bool {
        matches!(word, "USD" | "EUR" | "GBP" | "JPY" | "CNY" | "CHF" | "INR" | "SEK")
    }

    /// The end of the number of a thing or the version of a name that ends at `end`, unless a unit shows it to be a quantity.
    fn numbered(&self, end: usize, numbered: Numbered) -> Option<usize> {
        let number = skip::thing_number(self.text, end)?;
        if numbered == Numbered::Name && self.text[end..].starts_with(['.', ':', '(']) {
            return None;
        }
        let tail = tail::read(self.units, self.text, number, Head::spoken());
        match tail {
            Some(tail) if tail.unit.is_some() && self.text[..tail.unit.as_ref().map_or(0, |unit| unit.start)].len() >= number => None,
            _ => Some(number),
        }
    }

    /// `grows x8`: a small multiple, behind a word of a sentence.
    fn times_word(&mut self, at: usize, end: usize) -> Option<usize> {
        let word = &self.text[at..end];
        let digits = word.strip_prefix('x').filter(|digits| digits.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        let before = self.before(at, 24);
        let last = before.strip_suffix(' ').and_then(|before| before.rsplit(' ').next()).unwrap_or("");
        // `Latency x8`, but `PCIe x8`
        let sentence = last.len() > 1 && last.bytes().skip(1).all(|byte| byte.is_ascii_lowercase() || matches!(byte, b':' | b','));
        let head = before.trim_end_matches(' ');
        let opens = head.is_empty() || head.ends_with(['(', '|', '\n', '=', ':', ',', '→', '≈', '~']);
        if digits.is_empty() || matches!(word, "x86" | "x64") || !(sentence || opens) {
            return None;
        }
        let literal = literal::read(&self.text[at + 1..], Manner::default())?;
        let stop = at + 1 + literal.len;
        // `x8 = 5` is a variable.
        let after = &self.text[stop..];
        if after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '['))
            || opens && after.trim_start_matches(' ').starts_with(['=', '+', '-', '*', '/', '·', '^', ')']) && !head.ends_with('(')
        {
            return None;
        }
        let sense = self.units.senses("x").into_iter().next()?;
        self.push(at, at + 1..stop, &literal, Tail::unit(stop, at..at + 1, sense), false);
        self.atoms.last_mut()?.number.start = at + 1;
        Some(stop)
    }

    /// `minus 5`, `negative 1,200`: the sign of digits in a word.
    fn signed_word(&mut self, at: usize, end: usize) -> Option<usize> {
        let number = end + 1;
        let after = self.text.as_bytes().get(end) == Some(&b' ') && self.text.as_bytes().get(number).is_some_and(u8::is_ascii_digit);
        // Behind an operand it subtracts.
        let before = self.text[..at].trim_end_matches(' ');
        if !after || before.ends_with(" or") || self.atoms.last().is_some_and(|atom| atom.range.end == before.len()) {
            return None;
        }
        let count = self.atoms.len();
        let next = self.number(number);
        if let Some(atom) = self.atoms.get_mut(count).filter(|atom| !atom.signed) {
            atom.range.start = at;
            atom.number.start = at;
            atom.plain = -atom.plain;
            atom.signed = true;
            for reading in &mut atom.readings {
                reading.value = -reading.value;
            }
        }
        Some(next)
    }

    /// `a minute and 30 seconds`: an article that counts one, where more of the duration follows.
    fn article(&mut self, at: usize, end: usize) -> Option<usize> {
        let rest = self.text[end..].strip_prefix(' ')?;
        let len = skip::word_end(rest, 0);
        let more = rest[len..].strip_prefix(" and ").or_else(|| rest[len..].strip_prefix(", "))?;
        let unit = self.units.senses(&rest[..len]).into_iter().next().filter(|sense| sense.unit.dimension == Dimension::TIME && len > 2)?;
        let stop = end + 1 + len;
        let mut tail = Tail::unit(stop, end + 1..stop, unit);
        if let Some(half) =
            ["a half", "half"].into_iter().find(|half| more.starts_with(half)).filter(|half| !more[half.len()..].starts_with(" of"))
        {
            tail.end = self.text.len() - more.len() + half.len();
            tail.plus = Some(Number::ONE / Number::from(2));
        } else if !more.starts_with(|c: char| c.is_ascii_digit()) && words::read(more).is_none() {
            return None;
        }
        let stop = tail.end;
        let literal = Literal::whole(1, end - at);
        self.push(at, at..end, &literal, tail, false);
        Some(stop)
    }

    fn spoken(&mut self, at: usize, end: usize) -> usize {
        if !words::may_begin(&self.text[at..end]) {
            return end;
        }
        match &self.text[at..end] {
            "minus" | "Minus" | "negative" | "Negative" => {
                if let Some(next) = self.signed_word(at, end) {
                    return next;
                }
            }
            "a" | "an" | "A" | "An" => {
                if let Some(next) = self.article(at, end) {
                    return next;
                }
            }
            _ => {}
        }
        let Some(mut spoken) = words::read(&self.text[at..]) else { return end };
        // `ten to the ninth`, `two times ten to the sixth`.
        if self.text[at + spoken.len..].starts_with(" t")
            && let Some((value, len)) = literal::spoken(spoken.value, &self.text[at + spoken.len..])
        {
            spoken = words::Spoken { len: spoken.len + len, value, digits: literal::exact_digits(), lone_one: false, ..spoken };
        }
        let stop = at + spoken.len;
        if self.vague(at) || spoken.lone_one && self.pronoun(at, stop) {
            return stop;
        }
        if spoken.fold {
            self.exact(at..stop, spoken.value, "x", Kind::Exact);
            if let Some(atom) = self.atoms.last_mut() {
                atom.spoken = true;
            }
            return stop;
        }
        let head = if spoken.value == Number::ONE / Number::from(2) { Head::part() } else { Head::spoken() };
        let Some(tail) = tail::read(self.units, self.text, stop, head) else { return end };
        let next = tail.end;
        let literal = Literal { digits: spoken.digits, ..Literal::exact(spoken.value, spoken.len) };
        self.push(at, at..stop, &literal, tail, false);
        if let Some(atom) = self.atoms.last_mut() {
            atom.spoken = true;
        }
        next
    }

    /// `a few hundred`, `several thousand`, `many million`: no number.
    fn vague(&self, at: usize) -> bool {
        let before = self.before(at, 16).trim_end_matches([' ', '-']);
        // Most words end otherwise.
        if !before.ends_with(['w', 'l', 'y', 'e', 'f']) {
            return false;
        }
        ["few", "several", "many", "some", "couple", "couple of"].iter().any(|word| before.ends_with(word))
    }

    /// Whether the word `one` stands for a thing rather than for a count.
    fn pronoun(&self, at: usize, stop: usize) -> bool {
        let before = self.before(at, 16).trim_end_matches([' ', '-', '\'', '"']);
        let last = before.rsplit([' ', '(', '\n']).next().unwrap_or("");
        let mut lower = [0; 16];
        let Some(lower) = lower.get_mut(..last.len()) else { return false };
        lower.copy_from_slice(last.as_bytes());
        lower.make_ascii_lowercase();
        let rest = self.text[stop..].trim_start_matches([' ', '-']);
        let next = &rest[..skip::word_end(rest, 0)];
        matches!(
            &*lower,
            b"the"
                | b"this"
                | b"that"
                | b"which"
                | b"each"
                | b"every"
                | b"any"
                | b"no"
                | b"another"
                | b"other"
                | b"some"
                | b"first"
                | b"second"
                | b"last"
                | b"right"
                | b"wrong"
                | b"correct"
                | b"former"
                | b"latter"
                | b"next"
                | b"previous"
                | b"same"
                | b"new"
                | b"old"
                | b"good"
                | b"better"
                | b"best"
                | b"sixth"
                | b"someone"
        ) || matches!(
            next,
            "of" | "can"
                | "could"
                | "should"
                | "must"
                | "may"
                | "might"
                | "needs"
                | "has"
                | "would"
                | "gets"
                | "thing"
                | "another"
                | "is"
                | "way"
        )
    }
}

/// Where a run of small letters ends. Eight bytes are looked at in one step, so that no branch depends on a word's length.
fn small_letters_end(bytes: &[u8], mut at: usize) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * EACH;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        let low = word & !HIGH;
        // The high bit of a sum tells that a byte is `a` or above, or above `z`.
        let small = (low + (0x80 - 0x61) * EACH) & !(low + (0x80 - 0x7b) * EACH) & !word & HIGH;
        let others = small ^ HIGH;
        if others != 0 {
            return at + others.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().take_while(|byte| byte.is_ascii_lowercase()).count()
}

#[cfg(test)]
mod tests {
    use super::small_letters_end;

    #[test]
    fn a_run_of_small_letters_ends_at_any_other_byte() {
        for byte in 0..=u8::MAX {
            for place in [0, 3, 7, 8, 12] {
                let mut bytes = [b'm'; 20];
                bytes[place] = byte;
                let end = if byte.is_ascii_lowercase() { 20 } else { place };
                assert_eq!(small_letters_end(&bytes, 0), end, "{byte} at {place}");
            }
        }
        assert_eq!(small_letters_end(b"az{`AZ", 0), 2);
        assert_eq!(small_letters_end(b"abc", 3), 3);
    }
}
