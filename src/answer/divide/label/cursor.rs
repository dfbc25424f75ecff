//! Reads a label sign by sign.

use crate::answer::divide::label::{ITEMS, LONGEST, Label, PARTS, Style, roman, small};

/// A place in a text, from which labels are taken.
pub(super) struct Cursor<'a> {
    text: &'a str,
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn at(text: &'a str, at: usize) -> Cursor<'a> {
        Cursor { text, at }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\u{A0}']).len();
    }

    pub(super) fn take(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    fn take_one(&mut self, of: fn(char) -> bool) -> bool {
        let found = self.peek().filter(|c| of(*c));
        self.at += found.map_or(0, char::len_utf8);
        found.is_some()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Letters, or digits.
    pub(super) fn run(&mut self, of: fn(&u8) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.bytes().take_while(of).count();
        self.at += length;
        &rest[..length]
    }

    /// A name: a letter, a number, a roman number, or a letter and a number (`e1`, `e.1`).
    fn name(&mut self) -> Option<(String, bool)> {
        let back = self.at;
        let letters = self.run(u8::is_ascii_alphabetic);
        if letters.is_empty() {
            let digits = self.run(u8::is_ascii_digit);
            return if (1..=2).contains(&digits.len()) { Some((digits.to_owned(), false)) } else { self.back(back) };
        }
        if letters.len() > 4 {
            return self.back(back);
        }
        let capital = letters.len() == 1 && letters.bytes().all(|byte| byte.is_ascii_uppercase());
        let letters = letters.to_ascii_lowercase();
        if letters.len() > 1 && roman(&letters).is_none() {
            return self.back(back);
        }
        let here = self.at;
        if letters.len() == 1 {
            if self.peek().is_some_and(|c| matches!(c, '.' | '-' | '_')) {
                self.at += 1;
            }
            let digits = self.run(u8::is_ascii_digit);
            if digits.len() == 1 {
                return Some((letters + digits, capital));
            }
            self.at = here;
        }
        Some((letters, capital))
    }

    fn back<T>(&mut self, at: usize) -> Option<T> {
        self.at = at;
        None
    }

    /// The word that leads a label in: `Part`, `Question`, `Fix`.
    fn word(&mut self) -> Option<Style> {
        let back = self.at;
        let mut room = [0; LONGEST];
        let word = small(self.run(u8::is_ascii_alphabetic).trim_end_matches(['s', 'S']), &mut room);
        let style = if ITEMS.hold(word) {
            Style::Measure
        } else if PARTS.hold(word) {
            Style::Word
        } else {
            return self.back(back);
        };
        let spaced = self.at;
        self.spaces();
        for filler in ["to ", "for ", "no. ", "number ", "part ", "question ", "#"] {
            self.take_ignoring_case(filler);
        }
        let apart = self.at > spaced || self.peek().is_some_and(|c| c.is_ascii_digit() || c == '(');
        if apart && self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '(' | '[')) {
            return Some(style);
        }
        self.back(back)
    }

    /// The number of the exercise, before the part's name: `3(b)`, `2.B`, `3b`, and behind a word `3, part (b)`. Stays
    /// before the number if that is all there is.
    fn exercise(&mut self, worded: bool) {
        let back = self.at;
        let digits = self.run(u8::is_ascii_digit);
        if (1..=2).contains(&digits.len()) {
            let behind = self.at;
            self.take(".");
            if self.is_single_name() {
                return;
            }
            self.at = behind;
            let signs: &[char] = if worded { &[' ', ',', ':', '-', '–', '—'] } else { &[' '] };
            self.at += self.rest().len() - self.rest().trim_start_matches(signs).len();
            let part = worded && (self.take_ignoring_case("part ") || self.take_ignoring_case("question "));
            let closed = self.rest().starts_with('(') || self.rest().get(1..2) == Some(")");
            if (part || closed) && self.is_single_name() {
                return;
            }
        }
        self.at = back;
    }

    fn take_ignoring_case(&mut self, word: &str) -> bool {
        let found = self.rest().get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// The first label.
    pub(super) fn one(&mut self, bare: bool) -> Option<Label> {
        let word = self.word();
        if word != Some(Style::Measure) {
            self.exercise(word.is_some());
        }
        let mut style = word.unwrap_or(Style::Bare);
        let round = self.take_one(|c| matches!(c, '(' | '[' | '（'));
        let (name, capital) = self.name()?;
        let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        let mut more = Vec::new();
        if round {
            while more.len() < 12 && (self.take(", ") || self.take(",") || self.take("/") || self.take(" and ") || self.take("+")) {
                more.push(self.name()?.0);
            }
            if !self.take_one(|c| matches!(c, ')' | ']' | '）')) {
                return None;
            }
            if style == Style::Bare {
                style = Style::Round;
            }
            self.close();
        } else if style != Style::Bare {
            if !ends(self.peek())
                || (style == Style::Word && name.len() > 1 && !name.contains(|c: char| c.is_ascii_digit()) && roman(&name).is_none())
            {
                return None;
            }
            self.take(")");
            self.close();
        } else if self.take_one(|c| matches!(c, ')' | '）')) {
            style = Style::Half;
            self.close();
        } else if self.rest().starts_with('.') && self.rest()[1..].chars().next().is_none_or(char::is_whitespace) {
            self.at += 1;
            style = Style::Dot;
        } else if self.rest().starts_with(':') && self.rest()[1..].chars().next().is_none_or(char::is_whitespace) {
            self.at += 1;
            style = Style::Colon;
        } else if self.rest().starts_with(' ') && [" - ", " – ", " — "].iter().any(|dash| self.rest().starts_with(dash)) {
            style = Style::Colon;
            self.spaces();
            self.at += self.peek().map_or(0, char::len_utf8);
        } else {
            let precise = name.len() == 2 && name.as_bytes()[0].is_ascii_alphabetic() && name.as_bytes()[1].is_ascii_digit();
            let alone = self.rest().trim().is_empty();
            let letter = name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_lowercase()) && !capital && !alone && !bare;
            if letter && (self.rest().starts_with("  ") || self.rest().starts_with('\t')) {
                return Some(Label { range: 0..0, path: vec![name], more, through: None, style: Style::Gap, capital });
            }
            if letter && self.rest().starts_with(' ') && !self.rest()[1..].starts_with(['=', '≈', '*', '·', '+', '/', '<', '>', '-', '−'])
            {
                return Some(Label { range: 0..0, path: vec![name], more, through: None, style: Style::Space, capital });
            }
            let fits = if precise {
                ends(self.peek()) && !self.rest().trim_start().starts_with(['=', '≈', '*', '·', '+', '/'])
            } else {
                alone || bare && self.rest().starts_with(char::is_whitespace)
            };
            if !fits {
                return None;
            }
        }
        Some(Label { range: 0..0, path: vec![name], more, through: None, style, capital })
    }

    /// Letters that are joined and stand alone on their line, or before a colon or a wide gap: `b, c, g`.
    pub(super) fn list(&mut self) -> Option<Label> {
        let back = self.at;
        let letter = |cursor: &mut Self| {
            let letters = cursor.run(u8::is_ascii_lowercase);
            (letters.len() == 1).then(|| letters.to_owned())
        };
        let Some(first) = letter(self) else { return self.back(back) };
        let mut more = Vec::new();
        while let Some(sign) = [", ", ",", " + ", "+", " & ", "/", " and ", " und "].into_iter().find(|sign| self.rest().starts_with(sign))
        {
            self.at += sign.len();
            match letter(self) {
                Some(name) if more.len() < 12 && name > *more.last().unwrap_or(&first) => more.push(name),
                _ => return self.back(back),
            }
        }
        let rest = self.rest();
        let ends =
            rest.trim().is_empty() || rest.starts_with("  ") || rest.starts_with('\t') || rest.starts_with(": ") || rest.trim() == ":";
        if more.is_empty() || !ends {
            return self.back(back);
        }
        let style = if self.take(":") { Style::Colon } else { Style::Gap };
        Some(Label { range: 0..0, path: vec![first], more, through: None, style, capital: false })
    }

    /// Whether a part's name, and not a word, stands here.
    fn is_single_name(&self) -> bool {
        let mut ahead = Cursor { text: self.text, at: self.at };
        let round = ahead.take("(");
        let letters = ahead.run(u8::is_ascii_alphabetic);
        letters.len() == 1 && (!round || ahead.take(")")) && !ahead.peek().is_some_and(char::is_alphanumeric)
    }

    /// A stop or colon behind a label.
    pub(super) fn close(&mut self) {
        for sign in [':', '.', ')'] {
            if self.rest().starts_with(sign) && self.rest()[1..].chars().next().is_none_or(|c| !c.is_alphanumeric()) {
                self.at += 1;
                return;
            }
        }
    }

    /// Another label that is joined to the first: `+ (b)`, `, (b)`, `and (b)`, `& b)`, `/(b)`.
    pub(super) fn joined(&mut self) -> Option<String> {
        self.spaces();
        let rest = self.rest();
        // Few labels are joined, which a byte tells.
        rest.bytes().next().filter(|byte| matches!(byte, b'+' | b',' | b'&' | b'a' | b'/' | b'u'))?;
        let sign = ["+", ",", "&", "and ", "/", "und "].into_iter().find(|sign| rest.starts_with(sign))?;
        self.at += sign.len();
        self.spaces();
        self.take("(").then_some(())?;
        let (name, _) = self.name()?;
        self.take(")").then_some(())?;
        self.close();
        Some(name)
    }

    /// The end of a stretch of labels: `(e1)–(e3)`, `a) to c)`, `(a) - (c)`.
    pub(super) fn through(&mut self) -> Option<String> {
        self.spaces();
        let rest = self.rest();
        rest.bytes().next().filter(|byte| matches!(byte, b'-' | b'.' | b't' | b'b' | 0xe2))?;
        let sign = ["–", "—", "-", "...", "…", "to ", "through ", "bis "].into_iter().find(|sign| rest.starts_with(sign))?;
        self.at += sign.len();
        self.spaces();
        self.take("(");
        let (name, _) = self.name()?;
        self.take(")").then_some(())?;
        self.close();
        Some(name)
    }

    /// A label below the first: `1.`, `(2)`, `(ii)`, `1)`, `1:`.
    pub(super) fn below(&mut self) -> Option<String> {
        let round = self.take("(");
        let digits = self.run(u8::is_ascii_digit);
        let name = if digits.is_empty() {
            let letters = self.run(u8::is_ascii_lowercase);
            if !round {
                return None;
            }
            roman(letters).filter(|_| letters != "c" && letters != "d")?.to_string()
        } else if digits.len() == 1 {
            digits.to_owned()
        } else {
            return None;
        };
        if round {
            return self.take(")").then_some(name);
        }
        let sign = self.peek().filter(|sign| matches!(sign, '.' | ')' | ':'))?;
        let after = self.rest()[sign.len_utf8()..].chars().next();
        after.is_none_or(char::is_whitespace).then(|| self.at += 1)?;
        Some(name)
    }
}
