//! Typst's formulas, flattened to plain text: `2 dot 31 dot 20 mu "s"` becomes `2 · 31 · 20 µs`.

use crate::answer::tex::symbol as tex_symbol;
use crate::answer::typst::{MAX_DEPTH, Reader};
use crate::text::Span;

impl Reader<'_> {
    /// Reads a formula up to `close`, before which the head stops, or up to a comma, if `close` is a parenthesis.
    pub(super) fn math(&mut self, close: u8, depth: usize) {
        while let Some(byte) = self.byte() {
            if byte == close || byte == b'$' || close == b')' && depth > 0 && byte == b',' {
                return;
            }
            let from = self.at;
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => {
                    self.white();
                    if !self.page.ink.last().is_none_or(char::is_whitespace) {
                        self.page.push_for(" ", Span::new(from, self.at));
                    }
                }
                b'"' => self.quoted(),
                b'\\' => self.math_backslash(),
                b'&' => self.at += 1,
                b'#' => self.variable(),
                _ if self.comment() => {}
                b'^' | b'_' => self.script(byte, depth),
                b'(' | b'[' | b'{' if depth < MAX_DEPTH => {
                    self.at += 1;
                    self.page.push(&self.text[from..self.at], from);
                    self.inside(match byte {
                        b'(' => b')',
                        b'[' => b']',
                        _ => b'}',
                    });
                }
                b'<' | b'>' | b'!' | b'-' | b'=' | b':' | b'.' | b'~' | b'|' => self.shorthand(),
                _ if byte.is_ascii_alphabetic() => self.word(depth),
                _ if byte.is_ascii_digit() => {
                    self.at += self.rest().bytes().take_while(u8::is_ascii_digit).count();
                    if self.rest().starts_with('.') && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) {
                        self.at += 1 + self.rest()[1..].bytes().take_while(u8::is_ascii_digit).count();
                    }
                    self.page.push(&self.text[from..self.at], from);
                }
                _ => {
                    self.step();
                    self.page.push(&self.text[from..self.at], from);
                }
            }
        }
    }

    /// What stands in brackets that were opened, commas included, and the closing bracket.
    fn inside(&mut self, close: u8) {
        self.depth += 1;
        loop {
            // Deep inside, a bracket is only a sign.
            let depth = self.depth;
            self.math(close, if depth < MAX_DEPTH { 1 } else { MAX_DEPTH });
            let from = self.at;
            match self.byte() {
                Some(b',') => {
                    self.at += 1;
                    self.page.push(",", from);
                }
                Some(byte) if byte == close => {
                    self.at += 1;
                    self.page.push(&self.text[from..self.at], from);
                    break;
                }
                _ => break,
            }
        }
        self.depth -= 1;
    }

    /// A variable in a formula; other code shows nothing that could be told.
    fn variable(&mut self) {
        let from = self.at;
        self.at += 1;
        let name = self.identifier();
        if self.apply(name, from) {
            return;
        }
        if name == "calc.round" && self.byte() == Some(b'(') {
            return self.calculation();
        }
        while matches!(self.byte(), Some(b'(' | b'[')) {
            self.skip_group();
        }
        self.show(name, from);
    }

    /// Text in a formula: `"ms"`.
    fn quoted(&mut self) {
        let from = self.at;
        let start = self.page.ink.len();
        self.string();
        if self.page.hidden == 0 && !self.page.ink.passage.text()[start..].bytes().any(|byte| byte.is_ascii_digit()) {
            let end = self.page.ink.len();
            self.page.ink.passage.group(start..end, Span::new(from, self.at));
        }
    }

    fn math_backslash(&mut self) {
        let from = self.at;
        self.at += 1;
        match self.rest().chars().next() {
            Some(c) if !c.is_whitespace() => {
                self.page.push(&self.text[self.at..self.at + c.len_utf8()], self.at);
                self.at += c.len_utf8();
            }
            _ => {
                self.white();
                self.page.push_for("\n", Span::new(from, self.at));
            }
        }
    }

    fn shorthand(&mut self) {
        const SHORTHANDS: [(&str, &str); 12] = [
            ("<=", "≤"),
            (">=", "≥"),
            ("!=", "≠"),
            ("->", "→"),
            ("=>", "⇒"),
            ("<-", "←"),
            ("<<", "≪"),
            (">>", "≫"),
            ("...", "…"),
            ("~~>", "→"),
            ("~", " "),
            ("<=>", "⇔"),
        ];
        let from = self.at;
        for (written, shown) in SHORTHANDS {
            if self.rest().starts_with(written) {
                self.at += written.len();
                return self.page.push_for(shown, Span::new(from, self.at));
            }
        }
        self.at += 1;
        self.page.push(&self.text[from..self.at], from);
    }

    /// A superscript or subscript.
    fn script(&mut self, sign: u8, depth: usize) {
        let from = self.at;
        self.at += 1;
        if sign == b'^' {
            let star = self.rest().starts_with(['*', '⋆', '′', '°']) || self.rest().starts_with("ast") || self.rest().starts_with("star");
            if self.take("star") || self.take("ast.op") || self.take("ast") {
                return self.page.push_for("*", Span::new(from, self.at));
            }
            if !star {
                self.page.push("^", from);
            }
            let start = self.page.ink.len();
            let simple = self.simple_group();
            if let Some(length) = simple {
                let inner = self.at + 1;
                self.page.push(&self.text[inner..inner + length], inner);
                self.at = inner + length + 1;
                if self.page.hidden == 0 {
                    let end = self.page.ink.len();
                    self.page.ink.passage.group(start..end, Span::new(inner - 1, self.at));
                }
            }
            return;
        }
        let _ = depth;
        self.page.push("_", from);
        if let Some(length) = self.simple_group() {
            let inner = self.at + 1;
            let words: Vec<&str> =
                self.text[inner..inner + length].split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            self.at = inner + length + 1;
            self.page.push_for(&words.join("_"), Span::new(inner - 1, self.at));
        } else if self.byte() == Some(b'"') {
            let inner = self.at;
            self.skip_string();
            let words: Vec<&str> =
                self.text[inner..self.at].split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            self.page.push_for(&words.join("_"), Span::new(inner, self.at));
        }
    }

    /// The length of what stands in parentheses here, if it is one number or a few words, so that the parentheses are not
    /// shown.
    fn simple_group(&self) -> Option<usize> {
        let inner = self.rest().strip_prefix('(')?;
        let length = inner.bytes().take(40).position(|byte| byte == b')')?;
        let text = &inner[..length];
        let plain = text.strip_prefix(['-', '−', '+']).unwrap_or(text);
        (!plain.is_empty() && plain.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | ' ' | ',' | '"'))).then_some(length)
    }

    /// A letter, the name of a sign, or a function.
    fn word(&mut self, depth: usize) {
        let from = self.at;
        let rest = self.rest();
        let mut length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let letters = length;
        while length > 1 && rest[length..].starts_with('.') && rest[length + 1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            length += 1 + rest[length + 1..].bytes().take_while(u8::is_ascii_alphabetic).count();
        }
        if letters == 1 {
            self.at += 1;
            return self.page.push(&self.text[from..self.at], from);
        }
        let name = &rest[..length];
        self.at += length;
        if self.byte() == Some(b'(') && depth < MAX_DEPTH && (self.apply(name, from) || self.function(name, from)) {
            return;
        }
        if self.show(name, from) {
            return;
        }
        match symbol(name) {
            Some("µ") => {
                // A micro sign belongs to the unit behind it.
                let blank = self.rest().bytes().take_while(|&byte| byte == b' ').count();
                if self.rest()[blank..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '"') {
                    self.at += blank;
                }
                self.page.push_for("µ", Span::new(from, self.at));
            }
            Some(sign) => self.page.push_for(sign, Span::new(from, self.at)),
            None => self.page.push(name, from),
        }
    }

    /// A function whose look is not its name and its arguments; false if it has no look of its own.
    fn function(&mut self, name: &str, from: usize) -> bool {
        let start = self.page.ink.len();
        match name {
            "frac" => {
                self.at += 1;
                for part in 0..2 {
                    self.white();
                    if part == 1 {
                        self.page.push_for("/", Span::new(self.at, self.at));
                    }
                    let atomic = self.is_atomic();
                    if !atomic {
                        self.page.push_for("(", Span::new(self.at, self.at));
                    }
                    self.argument();
                    if !atomic {
                        self.page.push_for(")", Span::new(self.at, self.at));
                    }
                }
                self.end_call();
            }
            "text" | "upright" | "italic" | "op" | "display" | "inline" | "limits" | "scripts" | "serif" | "sans" | "mono" | "lr"
            | "overline" | "underline" | "bold" | "cancel" | "strike" | "hide" | "hat" | "bar" | "tilde" | "arrow" | "dot" => {
                let hidden = usize::from(name == "hide");
                self.page.hidden += hidden;
                self.at += 1;
                self.argument();
                self.end_call();
                self.page.hidden -= hidden;
                match name {
                    "bold" => self.page.ink.embolden_from(start),
                    "cancel" | "strike" => self.page.ink.strike_from(start),
                    _ => {}
                }
                return true;
            }
            "underbrace" | "overbrace" => {
                self.at += 1;
                self.argument();
                if self.byte() == Some(b',') {
                    self.page.push_for(" (", Span::new(self.at, self.at + 1));
                    self.at += 1;
                    self.white();
                    self.argument();
                    self.page.push_for(")", Span::new(self.at, self.at));
                }
                self.end_call();
                return true;
            }
            "floor" | "ceil" | "abs" => {
                let (open, close) = match name {
                    "floor" => ("⌊", "⌋"),
                    "ceil" => ("⌈", "⌉"),
                    _ => ("|", "|"),
                };
                self.at += 1;
                self.page.push_for(open, Span::new(from, self.at));
                self.argument();
                self.page.push_for(close, Span::new(self.at, self.at));
                self.end_call();
            }
            "qty" | "num" | "unit" => {
                self.quantity(name, from);
                return true;
            }
            _ => return false,
        }
        if self.page.hidden == 0 {
            let end = self.page.ink.len();
            self.page.ink.passage.group(start..end, Span::new(from, self.at));
        }
        true
    }

    /// One argument of a function; the head stops before the comma or parenthesis behind it.
    fn argument(&mut self) {
        if self.byte() == Some(b',') {
            self.at += 1;
            self.white();
        }
        self.depth += 1;
        self.math(b')', if self.depth < MAX_DEPTH { 1 } else { MAX_DEPTH });
        self.depth -= 1;
    }

    /// Passes over further arguments and the closing parenthesis.
    fn end_call(&mut self) {
        self.page.hidden += 1;
        while self.byte() == Some(b',') {
            self.argument();
        }
        self.page.hidden -= 1;
        self.at += usize::from(self.byte() == Some(b')'));
    }

    /// Whether the argument that comes next is one number or one name.
    fn is_atomic(&self) -> bool {
        let rest = self.rest().trim_start_matches([',', ' ']);
        let Some(end) = rest.bytes().take(40).position(|byte| matches!(byte, b',' | b')')) else { return false };
        let inner = rest[..end].trim();
        !inner.is_empty() && inner.trim_matches('"').chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'))
    }
}

/// The sign that a name stands for in a formula.
fn symbol(name: &str) -> Option<&'static str> {
    Some(match name {
        "dot" | "dot.op" | "dot.c" | "bullet" => "·",
        "slash" | "div.slash" => "/",
        "times" => "×",
        "div" => "÷",
        "plus.minus" | "plus.minus.circle" => "±",
        "minus" => "−",
        "ast" | "ast.op" | "star" | "star.op" => "*",
        "approx" | "approx.eq" | "tilde.eq" | "tilde.equiv" => "≈",
        "tilde" | "tilde.op" => "~",
        "lt" => "<",
        "gt" => ">",
        "lt.eq" => "≤",
        "gt.eq" => "≥",
        "lt.double" => "≪",
        "gt.double" => "≫",
        "eq.not" => "≠",
        "eq" => "=",
        "infinity" | "oo" => "∞",
        "arrow" | "arrow.r" | "arrow.long" | "arrow.r.long" => "→",
        "arrow.l" => "←",
        "arrow.r.double" | "arrow.double" => "⇒",
        "dots" | "dots.h" | "dots.c" => "…",
        "space" | "quad" | "qquad" | "thin" | "med" | "thick" | "wide" => " ",
        "percent" => "%",
        "degree" => "°",
        "prime" => "′",
        "sum" => "∑",
        "product" => "∏",
        "prop" => "∝",
        "diff" | "partial" => "∂",
        "mu" | "micro" => "µ",
        _ => tex_symbol(name).filter(|sign| sign.chars().all(char::is_alphabetic) && sign.chars().count() == 1)?,
    })
}
