//! Chains of work: runs of expressions that equals signs join, `2·31·20 µs = 1240 µs = 1.24 ms`.
//!
//! The text is cut into tokens, and the tokens are walked once. A member reaches as far as what stands beside the sign can
//! be work: numbers, symbols, operators, brackets. A word of a sentence ends it, but before the first sign such words are
//! kept as the name of what is worked out (`total time = 1.24 ms`).

use std::ops::Range;

use memchr::{memchr_iter, memchr2, memchr3_iter};

use crate::formula::{self, Expr, ExprKind};
use crate::quantity::Units;
use crate::text::{Passage, Signs, Span};

use super::{Chain, Context, Link, Mention, skip};

/// Bytes of a member that is parsed; a longer one is no work that a person wrote by hand.
const LONGEST: usize = 512;
/// What stands behind the symbol of a special value.
const STARS: [char; 4] = ['*', '∗', '⋆', '★'];
/// Tokens of a bracket that a number may multiply without a sign.
const LONGEST_FACTOR: usize = 16;
/// Tokens of a name in words.
const LONGEST_NAME: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Class {
    Mention(usize),
    /// A name in a formula, or digits that are no quantity of their own.
    Symbol,
    /// A word of a sentence.
    Prose,
    Operator,
    Open,
    Close,
    Comma,
    /// `~` before a value.
    About,
    Relation(Tie),
    Newline,
    /// Punctuation that ends whatever was written before it.
    Break,
}

/// What ties a member to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tie {
    Equal,
    About,
    /// `→`, which says `gives` behind work and `becomes` behind a value.
    Arrow,
}

/// A token of a text that is looked through for work.
#[derive(Clone, Debug)]
pub(super) struct Token {
    range: Range<usize>,
    class: Class,
}

/// The chains of a passage whose mentions are known; `tokens` is room for it to be cut in.
pub(super) fn chains(passage: &Passage, mentions: &[Mention], context: &Context, tokens: &mut Vec<Token>) -> Vec<Chain> {
    let text = passage.text();
    if !passage.signs().hold(Signs::RELATION) || !has_relation(text.as_bytes()) {
        return Vec::new();
    }
    tokens.clear();
    Cutter { text, mentions, context, at: 0, next: 0, tokens }.cut();
    let mut builder = Builder {
        text,
        mentions,
        context,
        tokens,
        run: 0,
        name: 0,
        open: Vec::new(),
        links: Vec::new(),
        tie: Tie::Equal,
        chains: Vec::new(),
    };
    builder.walk();
    builder.chains
}

/// Whether a sign stands in a text that may join two members: `=`, `->`, ` ~ `, `≈`, `≃`, `≅`, `∼`, `→`, `⇒`.
fn has_relation(text: &[u8]) -> bool {
    let is_one = |at: usize| match text[at] {
        b'>' => at > 0 && text[at - 1] == b'-',
        b'~' => at > 0 && text[at - 1] == b' ' && text.get(at + 1) == Some(&b' '),
        _ => true,
    };
    let drawn = |at: usize| {
        matches!(text[at..], [_, 0x89, 0x83 | 0x85 | 0x88, ..] | [_, 0x88, 0xbc, ..] | [_, 0x86, 0x92, ..] | [_, 0x87, 0x92, ..])
    };
    memchr3_iter(b'=', b'>', b'~', text).any(is_one) || memchr_iter(0xe2, text).any(drawn)
}

/// Cuts a text into tokens.
struct Cutter<'a> {
    text: &'a str,
    mentions: &'a [Mention],
    context: &'a Context<'a>,
    at: usize,
    /// The first mention that is not behind.
    next: usize,
    tokens: &'a mut Vec<Token>,
}

impl Cutter<'_> {
    fn cut(mut self) {
        while self.at < self.text.len() {
            let start = self.at;
            let class = self.token();
            self.at = self.at.max(start + 1);
            if let Some(class) = class {
                self.tokens.push(Token { range: start..self.at, class });
            }
        }
    }

    /// One token; moves on past it. Spaces are none.
    fn token(&mut self) -> Option<Class> {
        while self.mentions.get(self.next).is_some_and(|mention| mention.range.start < self.at) {
            self.next += 1;
        }
        if let Some(mention) = self.mentions.get(self.next).filter(|mention| mention.range.start == self.at) {
            self.at = mention.range.end;
            if let Some(noun) = mention.noun.as_ref().filter(|noun| self.goes_on(noun.end)) {
                self.at = self.at.max(noun.end);
            }
            // `sum (one message) 217.4 ms = …`: words in brackets multiply nothing.
            let spoken = !self.text[mention.number.clone()].contains(|c: char| c.is_ascii_digit());
            let aside = self.text[..mention.range.start].ends_with('(') && self.text[self.at..].starts_with(')');
            return Some(if spoken && aside { Class::Prose } else { Class::Mention(self.next) });
        }
        let rest = &self.text[self.at..];
        let c = rest.chars().next()?;
        self.at += c.len_utf8();
        let class = match c {
            '·' | '∙' | '⋅' if self.parts_values(c) => Class::Break,
            '\n' => Class::Newline,
            _ if c.is_whitespace() => return None,
            '=' | ':' | '-' | '<' | '>' | '!' | '~' | '≈' | '≃' | '≅' | '≐' | '≡' | '∼' | '→' | '⟶' | '⇒' | '⟹' | '↦' => {
                self.sign(c, rest)
            }
            // `1.24 ms · bandwidth 201.5 ms` lists two values.
            '·' | '•' if self.separates() => Class::Break,
            // `0.664 w/o overlap` divides nothing.
            'w' if rest.starts_with("w/o ") || rest.starts_with("w/ ") => {
                self.at += rest.find(' ').unwrap_or(1) - 1;
                Class::Prose
            }
            '+' | '−' | '*' | '×' | '·' | '⋅' | '∙' | '/' | '÷' | '∕' | '^' | '√' | '%' | '°' | '′' | '⁄' => {
                Class::Operator
            }
            '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' | '⁻' | '₀'..='₉' => Class::Operator,
            '(' | '[' | '{' | '⌈' | '⌊' => Class::Open,
            ')' | ']' | '}' | '⌉' | '⌋' => Class::Close,
            ',' => Class::Comma,
            _ if c.is_alphanumeric() || c == '_' => {
                let start = self.at - c.len_utf8();
                self.at = skip::word_end(self.text, start).max(self.at);
                self.at += self.star(start);
                let class = self.word(start);
                // What a quantity is of stands between it and the sign: `10.2 ms latency + 207.2 ms bandwidth = 217.4 ms`.
                let of_value = matches!(self.tokens.last().map(|token| token.class), Some(Class::Mention(_)));
                if class == Class::Prose && of_value && self.goes_on(self.at) {
                    return None;
                }
                class
            }
            _ => Class::Break,
        };
        Some(class)
    }

    /// Whether a dot between spaces stands between two statements rather than two factors.
    fn separates(&self) -> bool {
        let after = &self.text[self.at..];
        let spaced = after.starts_with(' ') && self.text[..self.at].trim_end_matches(['·', '•']).ends_with(' ');
        let word = after.trim_start().chars().take_while(|c| c.is_lowercase()).count();
        let quantity = |mention: &Mention| mention.readings.first().is_some_and(|reading| reading.unit.is_some());
        let before = self
            .next
            .checked_sub(1)
            .and_then(|at| self.mentions.get(at))
            .filter(|mention| mention.range.end + 1 >= self.at.saturating_sub(2));
        let beside = self.mentions.get(self.next).filter(|mention| mention.range.start == self.at + 1);
        let two = before.is_some_and(quantity) && beside.is_some_and(quantity) && before.zip(beside).is_some_and(|(a, b)| same_unit(a, b));
        spaced && (word > 2 || two)
    }

    /// The bytes of the star behind a symbol that has one: `S*`, `S^*`, `S⋆`; none where it multiplies.
    fn star(&self, start: usize) -> usize {
        // A byte tells that none is there.
        if !matches!(self.text.as_bytes().get(self.at), Some(b'*' | b'^' | 0xe2)) {
            return 0;
        }
        let word = &self.text[start..self.at];
        let rest = &self.text[self.at..];
        let star = rest.strip_prefix('^').unwrap_or(rest);
        let Some(behind) = star.strip_prefix(STARS).filter(|behind| !behind.starts_with(|c: char| c.is_alphanumeric() || c == '(')) else {
            return 0;
        };
        let known = |word: &str| self.context.symbols.contains(&format!("{word}*"));
        // A number may stand directly before the symbol: `5S*`.
        if known(word.trim_start_matches(|c: char| c.is_ascii_digit())) { rest.len() - behind.len() } else { 0 }
    }

    /// Whether a dot with spaces around it stands between two values of one kind: `16 MB · 1 MiB` is a list, and no product.
    fn parts_values(&self, dot: char) -> bool {
        let dimension = |at: usize| self.mentions.get(at).and_then(|mention| mention.readings[0].unit.as_ref()).map(|unit| unit.dimension);
        let Some(Token { class: Class::Mention(left), .. }) = self.tokens.last() else { return false };
        let right = self.mentions.get(self.next).filter(|mention| mention.range.start == self.at + 1);
        let spaced = self.text[..self.at - dot.len_utf8()].ends_with(' ') && self.text[self.at..].starts_with(' ');
        spaced && right.is_some() && dimension(*left).is_some_and(|left| !left.is_none() && dimension(self.next) == Some(left))
    }

    /// Whether an expression goes on behind a noun: `4 GPUs × 2 GB`.
    fn goes_on(&self, at: usize) -> bool {
        self.text[at..].trim_start_matches(' ').starts_with(['=', '×', '·', '*', '/', '÷', '+', '≈', '^', ')'])
    }

    /// A sign that may be a relation.
    fn sign(&mut self, c: char, rest: &str) -> Class {
        let mut take = |len: usize, tie: Tie| {
            self.at += len;
            Class::Relation(tie)
        };
        let next = rest[c.len_utf8()..].chars().next();
        match (c, next) {
            ('=', Some('>')) | ('-', Some('>')) => take(1, Tie::Arrow),
            ('=', Some('=')) | (':', Some('=')) => take(1, Tie::Equal),
            ('~', Some('=')) => take(1, Tie::About),
            ('=', Some('~' | '<')) | ('<' | '>' | '!', _) | (':', _) | ('≡', _) => Class::Break,
            ('=', _) => Class::Relation(Tie::Equal),
            ('-', _) => Class::Operator,
            ('~' | '∼' | '≈' | '≃' | '≅' | '≐', _) => {
                // Behind a sign or at the start it only says `about`.
                let joins = matches!(
                    self.tokens.last().map(|token| token.class),
                    Some(Class::Mention(_) | Class::Symbol | Class::Close | Class::Prose | Class::Newline)
                );
                let spaced = c != '~' || self.text[..self.at - 1].ends_with(' ') && next == Some(' ');
                if joins && spaced { Class::Relation(Tie::About) } else { Class::About }
            }
            _ => Class::Relation(Tie::Arrow),
        }
    }

    /// Whether a word is part of a formula or of a sentence.
    fn word(&self, start: usize) -> Class {
        let word = self.text[start..self.at].trim_end_matches(STARS);
        if word.len() < self.at - start {
            return Class::Symbol;
        }
        let mut chars = word.chars();
        let first = chars.next().unwrap_or(' ');
        if self.context.symbols.contains(word) {
            // `T = latency + bandwidth` adds two symbols; the last word of `3174 ms latency` is one of a sentence.
            let behind_value = matches!(self.tokens.last().map(|token| token.class), Some(Class::Mention(_)));
            let is_word = word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
            // So is the first of `latency   31 · 20 µs = 620 µs`.
            let leads = self.text[self.at..].trim_start_matches([' ', '\t']).starts_with(|c: char| c.is_ascii_digit());
            // `lat+bw=2.7` behind another value is the next name.
            let chunk = self.text[self.at..].split(char::is_whitespace).next().unwrap_or_default();
            let set = chunk.len() <= LONGEST_NAME * 8 && chunk.contains('=');
            return if is_word && (behind_value && !set || leads) { Class::Prose } else { Class::Symbol };
        }
        // Digits beside a quantity are the number of the next item: `= 26.1 % 2. 104 %`.
        if first.is_ascii_digit() && matches!(self.tokens.last().map(|token| token.class), Some(Class::Mention(_))) {
            return Class::Break;
        }
        if first.is_ascii_digit()
            || word.contains(|c: char| c == '_' || c.is_ascii_digit())
            || !word.is_ascii() && word.chars().count() <= 4
        {
            return Class::Symbol;
        }
        if matches!(word, "x" | "X") && matches!(self.tokens.last().map(|token| token.class), Some(Class::Mention(_) | Class::Close)) {
            return Class::Operator;
        }
        if is_function(word) && self.text[self.at..].trim_start_matches(' ').starts_with(['(', '2', '₂', '1', '⌈']) || is_greek(word) {
            return Class::Symbol;
        }
        if word == "times" && matches!(self.tokens.last().map(|token| token.class), Some(Class::Mention(_) | Class::Close)) {
            return Class::Operator;
        }
        let behind_value = matches!(self.tokens.last().map(|token| token.class), Some(Class::Close | Class::Mention(_) | Class::Operator));
        // `2Ψ bytes = …`: a symbol with its coefficient is a value too.
        let coefficient = |token: &Token| token.class == Class::Symbol && self.text.as_bytes()[token.range.start].is_ascii_digit();
        let behind_value = behind_value || self.tokens.last().is_some_and(coefficient);
        if behind_value && word.len() > 1 && is_unit(self.context.units, word) {
            return Class::Symbol;
        }
        match (word.len(), first) {
            (1, 'a' | 'I') => {
                if self.text[self.at..].starts_with(' ') && self.text[self.at..].trim_start().starts_with(|c: char| c.is_alphabetic()) {
                    Class::Prose
                } else {
                    Class::Symbol
                }
            }
            (1, _) => Class::Symbol,
            (2, 'A'..='Z')
                if !matches!(
                    word,
                    "So" | "In" | "At" | "It" | "If" | "On" | "By" | "To" | "We" | "As" | "Or" | "My" | "No" | "An" | "Is"
                ) =>
            {
                Class::Symbol
            }
            (3..=4, _) if word.bytes().all(|byte| byte.is_ascii_uppercase()) => Class::Symbol,
            _ => Class::Prose,
        }
    }
}

/// Whether a word is the name of a letter by which formulas call something.
fn is_greek(word: &str) -> bool {
    matches!(
        word,
        "alpha"
            | "beta"
            | "gamma"
            | "delta"
            | "epsilon"
            | "eta"
            | "lambda"
            | "mu"
            | "pi"
            | "phi"
            | "psi"
            | "rho"
            | "sigma"
            | "tau"
            | "theta"
    )
}

fn is_function(word: &str) -> bool {
    matches!(word, "ceil" | "exp" | "floor" | "ln" | "log" | "max" | "min" | "round" | "sqrt" | "abs" | "lg" | "ceiling")
}

fn is_unit(units: &Units, word: &str) -> bool {
    units.senses(word).first().is_some_and(|sense| sense.loose.is_none())
}

/// Walks the tokens and keeps the chain that is open.
struct Builder<'a> {
    text: &'a str,
    mentions: &'a [Mention],
    context: &'a Context<'a>,
    tokens: &'a [Token],
    /// The first token of the member that is being read.
    run: usize,
    /// The first token of a name in words.
    name: usize,
    /// Brackets that the member has opened.
    open: Vec<usize>,
    links: Vec<Link>,
    tie: Tie,
    chains: Vec<Chain>,
}

impl Builder<'_> {
    fn walk(&mut self) {
        for at in 0..self.tokens.len() {
            match self.tokens[at].class {
                Class::Mention(_) | Class::Symbol | Class::Open if self.sets_next(at) => {
                    self.end(at, at);
                    if self.tokens[at].class == Class::Open {
                        self.open.push(at);
                    }
                }
                // Two quantities side by side are no product: `= 26.1 % 2. 104 %`.
                Class::Mention(_) if at > self.run && matches!(self.tokens[at - 1].class, Class::Mention(_)) => self.end(at, at),
                Class::Mention(_) | Class::Symbol | Class::Operator | Class::About => {}
                Class::Open if self.is_aside(at) => self.end(at, at + 1),
                Class::Open => self.open.push(at),
                Class::Close => {
                    if self.open.pop().is_none() {
                        self.end(at, at + 1);
                    }
                }
                Class::Comma if !self.open.is_empty() => {}
                Class::Prose => {
                    self.close(at);
                    self.run = at + 1;
                    self.open.clear();
                }
                Class::Comma | Class::Break => self.end(at, at + 1),
                // Work may go on in the next line, where that starts with a sign or this ended with one.
                Class::Newline => {
                    let next = self.tokens[at + 1..].iter().take(3).find(|token| token.class != Class::Newline);
                    let before = at.checked_sub(1).map(|before| self.tokens[before].class);
                    let goes_on = next.is_some_and(|token| matches!(token.class, Class::Relation(_)))
                        || matches!(before, Some(Class::Relation(_) | Class::Operator));
                    if !goes_on {
                        self.end(at, at + 1);
                    }
                }
                Class::Relation(tie) => self.relation(at, tie),
            }
        }
        self.close(self.tokens.len());
    }

    /// Whether behind the value of one name the next name begins, as programs print them: `lat=0.5 lat+bw=2.7`.
    fn sets_next(&self, at: usize) -> bool {
        let Some(value) = at.checked_sub(1).filter(|value| *value == self.run && *value > 0 && !self.links.is_empty()) else {
            return false;
        };
        let glued = |token: usize| {
            let sign = &self.tokens[token];
            let before = token.checked_sub(1).is_some_and(|before| self.tokens[before].range.end == sign.range.start);
            let after = self.tokens.get(token + 1).is_some_and(|after| after.range.start == sign.range.end);
            matches!(sign.class, Class::Relation(_)) && before && after
        };
        let here = self.tokens[value].range.end < self.tokens[at].range.start
            && matches!(self.tokens[value].class, Class::Mention(_))
            && glued(value - 1);
        let mut name = self.tokens[at..].windows(2).take(LONGEST_FACTOR).take_while(|pair| pair[0].range.end == pair[1].range.start);
        // A single letter is as well a factor: `T=31 α=620 µs`.
        here && name.position(|pair| matches!(pair[1].class, Class::Relation(_))).is_some_and(|length| {
            glued(at + length + 1) && (length > 0 || self.text[self.tokens[at].range.clone()].chars().nth(1).is_some())
        })
    }

    /// Whether a bracket says the result again or adds to it, rather than multiplying it: `= 0.507 (50.7 %)`.
    fn is_aside(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).filter(|before| *before >= self.run) else { return false };
        let lone = matches!(self.tokens[before].class, Class::Mention(_))
            && self.tokens[self.run..before].iter().all(|token| matches!(token.class, Class::About | Class::Newline));
        let spaced = self.tokens[before].range.end < self.tokens[at].range.start;
        let worked = self.tokens.get(at + 1).is_some_and(|next| matches!(next.class, Class::Relation(_)));
        !self.links.is_empty() && lone && spaced && !worked && !self.is_factor(before, at)
    }

    /// Whether a bare number multiplies the bracket behind it, because the work goes on behind that: `2 (32 − 1) · 20 µs = …`.
    fn is_factor(&self, number: usize, open: usize) -> bool {
        let Class::Mention(number) = self.tokens[number].class else { return false };
        let bare = self.mentions[number].unit.is_none() && self.mentions[number].noun.is_none();
        let mut depth = 0usize;
        let close = self.tokens[open..].iter().take(LONGEST_FACTOR).position(|token| {
            match token.class {
                Class::Open => depth += 1,
                Class::Close => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some(close) = close.filter(|_| bare).map(|length| open + length) else { return false };
        let inside = &self.tokens[open + 1..close];
        let sum = inside.iter().any(|token| token.class == Class::Operator)
            && inside.iter().all(|token| !matches!(token.class, Class::Prose | Class::Break | Class::Comma | Class::Relation(_)));
        let next = self.tokens.get(close + 1).map(|token| token.class);
        sum && matches!(next, Some(Class::Operator | Class::Symbol | Class::Open | Class::Relation(_)))
    }

    /// Ends the chain before a token, and starts afresh behind it.
    fn end(&mut self, at: usize, next: usize) {
        self.close(at);
        self.run = next;
        self.name = next;
        self.open.clear();
    }

    fn relation(&mut self, at: usize, tie: Tie) {
        // Inside a bracket a new chain starts: `12 ms (σ = 3 ms)`, `14 GB (= 7e9 × 2 bytes)`.
        if let Some(&open) = self.open.last() {
            let value = open.checked_sub(1).filter(|_| open + 1 == at && self.links.is_empty());
            let value = value.filter(|&before| matches!(self.tokens[before].class, Class::Mention(_)));
            if value.is_none() {
                self.close(open);
            }
            self.run = value.unwrap_or(open + 1);
            self.name = self.run;
            self.open.clear();
            if let Some(value) = value {
                self.links.extend(self.link(value, open));
            } else {
                self.start(at, tie);
            }
        } else if self.links.is_empty() {
            self.start(at, tie);
        } else if let Some(link) = self.link(self.run, at) {
            self.links.push(link);
        } else {
            self.close(at);
        }
        self.tie = tie;
        self.run = at + 1;
        self.name = at + 1;
    }

    /// The first member: work, or a name in words.
    fn start(&mut self, at: usize, tie: Tie) {
        self.tie = Tie::Equal;
        let work = self.link(self.run, at);
        // Behind a lone value an arrow says that it changes.
        if tie == Tie::Arrow && work.as_ref().is_some_and(|link| link.mention.is_some()) {
            return;
        }
        let first = work.or_else(|| {
            let from = self.name.max(at.saturating_sub(LONGEST_NAME));
            let words = self.tokens.get(from..at).filter(|words| !words.is_empty())?;
            let range = words[0].range.start..words[words.len() - 1].range.end;
            Some(Link { range, expr: None, mention: None, approximate: false })
        });
        self.links.extend(first);
    }

    /// Keeps the chain that ends before a token.
    fn close(&mut self, at: usize) {
        if self.links.is_empty() {
            return;
        }
        self.links.extend(self.link(self.run, at));
        let links = std::mem::take(&mut self.links);
        if let [first, .., last] = &links[..] {
            self.chains.push(Chain { range: first.range.start..last.range.end, links });
        }
    }

    /// The member of the tokens `from..to`, without what cannot start or end one.
    fn link(&self, from: usize, to: usize) -> Option<Link> {
        let mut tokens = self.tokens.get(from..to)?;
        let mut approximate = self.tie == Tie::About;
        loop {
            match tokens {
                [Token { class: Class::About, .. }, rest @ ..] => {
                    approximate = true;
                    tokens = rest;
                }
                [Token { class: Class::Newline, .. }, rest @ ..] => tokens = rest,
                [rest @ .., Token { class: Class::Newline | Class::Comma | Class::Open | Class::About, .. }] => tokens = rest,
                [rest @ .., Token { class: Class::Operator, range }] if !self.ends_value(range) => tokens = rest,
                _ => break,
            }
        }
        let range = tokens.first()?.range.start..tokens.last()?.range.end;
        if let [Token { class: Class::Mention(at), .. }] = tokens {
            let mention = &self.mentions[*at];
            return Some(Link { range: mention.range.clone(), expr: value(self.text, mention), mention: Some(*at), approximate });
        }
        Some(Link { expr: self.parse(tokens, &range), range, mention: None, approximate })
    }

    /// Whether a sign belongs to the operand before it: `50 %`, `x²`.
    fn ends_value(&self, range: &Range<usize>) -> bool {
        let sign = &self.text[range.clone()];
        sign.starts_with(['%', '°', '²', '³', '¹', '⁰', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '′'])
            || sign.starts_with(|c: char| ('₀'..='₉').contains(&c))
    }

    fn parse(&self, tokens: &[Token], range: &Range<usize>) -> Option<Expr> {
        if range.len() > LONGEST {
            return None;
        }
        if let [Token { class: Class::Symbol, .. }] = tokens {
            let name = &self.text[range.clone()];
            let alone = self.context.symbols.contains(name) || name.chars().nth(1).is_none();
            if alone && name.starts_with(char::is_alphabetic) {
                return Some(Expr { kind: ExprKind::Name(name.to_owned()), span: Span::new(0, range.len()) });
            }
        }
        // Words between say what is counted or measured, and are no factors; blanks in their place keep every byte where it
        // was.
        let mut work = String::with_capacity(range.len());
        for token in tokens {
            let mut kept = token.range.clone();
            if let Class::Mention(at) = token.class
                && let Some(noun) = self.mentions[at].noun.as_ref().filter(|noun| noun.end <= kept.end)
            {
                kept.end = noun.start;
            }
            work.extend(std::iter::repeat_n(' ', kept.start - range.start - work.len()));
            work.push_str(&self.text[kept]);
        }
        work.extend(std::iter::repeat_n(' ', range.len() - work.len()));
        // As the formula language spells it, every byte in its place.
        if memchr2(b'^', 0xe2, work.as_bytes()).is_some() && (work.contains(['∗', '⋆', '★']) || work.contains("^*")) {
            for star in ["^*", "^∗", "^⋆", "⋆", "∗", "★"] {
                work = work.replace(star, &format!("*{}", " ".repeat(star.len() - 1)));
            }
        }
        formula::parse_student(&work, self.context.units, self.context.symbols).ok()
    }
}

/// Whether two quantities measure one kind of thing, so that nobody would multiply them.
fn same_unit(one: &Mention, other: &Mention) -> bool {
    let dimension = |mention: &Mention| mention.readings.first().and_then(|reading| reading.unit.as_ref()).map(|unit| unit.dimension);
    dimension(one) == dimension(other)
}

/// A plain quantity as an expression.
fn value(text: &str, mention: &Mention) -> Option<Expr> {
    let reading = mention.readings.first()?;
    let unit = reading.unit.as_ref();
    let value = unit.map_or(reading.value, |unit| reading.value / unit.factor);
    let written = text.get(mention.number.clone())?.to_owned();
    let kind = ExprKind::Number { value, written, unit: unit.map(|unit| unit.symbol.clone()) };
    Some(Expr { kind, span: Span::new(0, mention.range.len()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::KnownNames;
    use crate::recognize::recognize;

    /// The members of each chain, a chain a string; parsed ones in `⟨⟩`, plain quantities in `[]`.
    fn shown(text: &str) -> Vec<String> {
        let units = Units::standard();
        let symbols: KnownNames =
            ["P", "α", "S", "S*", "B", "C", "L", "V", "T", "Ψ", "lat", "lat2", "bw"].map(str::to_owned).into_iter().collect();
        let context = Context { units: &units, symbols: &symbols, unit_hint: None };
        let found = recognize(&Passage::verbatim(text, 0), &context);
        let chains = found.chains.iter().map(|chain| {
            let members: Vec<String> = chain
                .links
                .iter()
                .map(|link| {
                    let text = &text[link.range.clone()];
                    let tie = if link.approximate { "~" } else { "" };
                    match (link.mention, &link.expr) {
                        (Some(_), _) => format!("{tie}[{text}]"),
                        (None, Some(_)) => format!("{tie}⟨{text}⟩"),
                        (None, None) => format!("{tie}{text}"),
                    }
                })
                .collect();
            members.join(" = ")
        });
        chains.collect()
    }

    #[test]
    fn chains_hold_their_members() {
        for (text, chains) in [
            ("2·31·20 µs = 1240 µs = 1.24 ms", &["⟨2·31·20 µs⟩ = [1240 µs] = [1.24 ms]"][..]),
            ("So T = L + V = 1.24 + 201.5 = 202.7 ms in all.", &["⟨T⟩ = ⟨L + V⟩ = ⟨1.24 + 201.5⟩ = [202.7 ms]"]),
            ("The latency is 2(P−1)α = 2*31*20us => 1.24 ms, so", &["⟨2(P−1)α⟩ = ⟨2*31*20us⟩ = [1.24 ms]"]),
            ("total time = 202.7 ms", &["total time = [202.7 ms]"]),
            ("T\n= 2·31·20 µs\n= 1240 µs\n≈ 1.2 ms", &["⟨T⟩ = ⟨2·31·20 µs⟩ = [1240 µs] = ~[1.2 ms]"]),
            ("2·(P−1)/P · S/B → 201.5 ms", &["⟨2·(P−1)/P · S/B⟩ = [201.5 ms]"]),
            ("went from 5 ms → 3 ms", &[]),
            ("P = 32, α = 20 µs", &["⟨P⟩ = [32]", "⟨α⟩ = [20 µs]"]),
            ("14 GB (= 7e9 × 2 bytes)", &["[14 GB] = ⟨7e9 × 2 bytes⟩"]),
            ("12 ms (σ = 3 ms)", &["⟨σ⟩ = [3 ms]"]),
            ("4 GPUs × 2 GB = 8 GB", &["⟨4 GPUs × 2 GB⟩ = [8 GB]"]),
            ("x ≈ 5 ms for P = 32", &["⟨x⟩ = ~[5 ms]", "⟨P⟩ = [32]"]),
            ("S/B = 2.6e9/25e9 = 0.104 s", &["⟨S/B⟩ = ⟨2.6e9/25e9⟩ = [0.104 s]"]),
            ("t <= 5 ms", &[]),
            ("5S* = 80 MB", &["⟨5S*⟩ = [80 MB]"]),
            ("S^* = PαB = 16 MB", &["⟨S^*⟩ = ⟨PαB⟩ = [16 MB]"]),
            ("S = 16 MB · 1 MiB → 3.28 s", &["⟨S⟩ = [16 MB]"]),
            ("2B = 50 GB/s", &["⟨2B⟩ = [50 GB/s]"]),
            ("S* = 2·P·α·B = 32 MB", &["⟨S*⟩ = ⟨2·P·α·B⟩ = [32 MB]"]),
            ("2·P·α·B", &[]),
            ("2Ψ = 2.6 GB", &["⟨2Ψ⟩ = [2.6 GB]"]),
            ("a) 2Ψ bytes = 2.6 GB", &["⟨2Ψ bytes⟩ = [2.6 GB]"]),
            ("2 × 104 ms = 208 ms", &["⟨2 × 104 ms⟩ = [208 ms]"]),
            ("x^2 = 25", &["⟨x^2⟩ = [25]"]),
            ("L = 2 (64 − 1) · 5 µs = 630 µs", &["⟨L⟩ = ⟨2 (64 − 1) · 5 µs⟩ = [630 µs]"]),
            ("T = 3 (P + 1) α = 60 µs", &["⟨T⟩ = ⟨3 (P + 1) α⟩ = [60 µs]"]),
            ("lat=0.5 lat2/lat=8.2 (lat+bw)/C=0.6", &["⟨lat⟩ = [0.5]", "⟨lat2/lat⟩ = [8.2]", "⟨(lat+bw)/C⟩ = [0.6]"]),
            ("T=31 α=620 µs", &["⟨T⟩ = ⟨31 α⟩ = [620 µs]"]),
            ("r = 0.25 (25 %) of it", &["⟨r⟩ = [0.25]"]),
            ("n = 12 (3 + 9 of them)", &["⟨n⟩ = [12]"]),
        ] {
            assert_eq!(shown(text), chains, "{text}");
        }
    }
}
