//! LaTeX flattened to plain text: formulas, and commands in running text, shared by all formats that allow them.
//!
//! `$1.24\,\mathrm{ms}$` becomes `1.24 ms`, `\frac{a}{b+c}` becomes `a/(b+c)`, `10^{9}` becomes `10^9`, `T_{\text{comm}}`
//! becomes `T_comm`; every byte leads back to the file. One pass from left to right: an argument is read where it stands,
//! looking ahead is bounded, and so are nesting and the text that macros expand to.

mod macros;
mod siunitx;
mod symbols;

use crate::answer::page::Ink;
use crate::text::Span;

pub(crate) use macros::Macros;
pub(crate) use symbols::symbol;

/// How deep groups may nest; deeper ones are read as if their braces were not there.
const MAX_DEPTH: usize = 40;

/// How far ahead a closing brace is looked for, where an argument has to be seen as a whole.
const MAX_ARGUMENT: usize = 240;

/// The same where only something short is of interest: an index, one number of a fraction.
const SHORT_ARGUMENT: usize = 40;

/// In which of TeX's two modes text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Inside a formula.
    Math,
    /// In running text.
    Text,
}

/// What ends a stretch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until<'a> {
    /// Only the end of the text.
    End,
    /// A closing brace, which is passed over.
    Brace,
    /// A dollar sign, which is passed over.
    Dollar,
    /// This command, which is passed over: `\)`, `\end{align}`.
    Command(&'a str),
}

/// A reading head on a LaTeX text.
pub(crate) struct Tex<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    ink: &'a mut Ink,
    macros: &'a Macros,
    /// Whether `%` begins a comment.
    comments: bool,
    /// What everything stands for while a macro is expanded: the place where it was called.
    anchor: Option<Span>,
    depth: usize,
}

/// Flattens a formula that stands at `span` of `text`.
pub(crate) fn flatten(text: &str, span: Span, mode: Mode, macros: &Macros, comments: bool, ink: &mut Ink) {
    let mut tex = Tex::new(text, span, macros, comments, ink);
    tex.run(mode, Until::End);
}

/// Flattens a formula that begins at `at`, whose end is not known yet but not behind `end`; returns where reading goes on.
pub(crate) fn flatten_until(text: &str, at: usize, end: usize, until: Until<'_>, macros: &Macros, ink: &mut Ink) -> usize {
    let mut tex = Tex::new(text, Span::new(at, end), macros, true, ink);
    tex.run(Mode::Math, until);
    tex.at
}

/// Flattens the one command at `at` with its arguments; returns where reading goes on.
pub(crate) fn flatten_command(text: &str, at: usize, end: usize, mode: Mode, macros: &Macros, comments: bool, ink: &mut Ink) -> usize {
    let mut tex = Tex::new(text, Span::new(at, end), macros, comments, ink);
    tex.command(mode);
    tex.at
}

impl<'a> Tex<'a> {
    fn new(text: &'a str, span: Span, macros: &'a Macros, comments: bool, ink: &'a mut Ink) -> Tex<'a> {
        Tex { text, at: span.start, end: span.end, ink, macros, comments, anchor: None, depth: 0 }
    }

    fn byte(&self) -> Option<u8> {
        (self.at < self.end).then(|| self.text.as_bytes()[self.at])
    }

    /// Writes source text as it stands.
    fn verbatim(&mut self, from: usize, to: usize) {
        match self.anchor {
            Some(span) => self.ink.passage.push_for(&self.text[from..to], span),
            None => self.ink.passage.push(&self.text[from..to], from),
        }
    }

    /// Writes text that stands for the source from `from` to `to`.
    fn push_for(&mut self, text: &str, from: usize, to: usize) {
        let span = self.anchor.unwrap_or(Span::new(from, to));
        self.ink.passage.push_for(text, span);
    }

    /// Writes text that stands for the brace that closed an argument.
    fn close_with(&mut self, text: &str) {
        let from = self.at - usize::from(self.text[..self.at].ends_with('}'));
        self.push_for(text, from, self.at);
    }

    /// Ties what was written since `start` to the construct that began at `from`.
    fn group(&mut self, start: usize, from: usize) {
        let span = self.anchor.unwrap_or(Span::new(from, self.at));
        self.ink.passage.group(start..self.ink.len(), span);
    }

    /// Reads up to the end of a stretch.
    fn run(&mut self, mode: Mode, until: Until<'_>) {
        while let Some(byte) = self.byte() {
            let from = self.at;
            match byte {
                b'}' => {
                    self.at += 1;
                    if until == Until::Brace {
                        return;
                    }
                }
                b'{' => {
                    self.at += 1;
                    self.nested(mode, Until::Brace);
                }
                b'$' => {
                    self.at += 1;
                    if until == Until::Dollar {
                        return;
                    }
                    if mode == Mode::Text {
                        self.nested(Mode::Math, Until::Dollar);
                    }
                }
                b'\\' => {
                    if let Until::Command(end) = until
                        && self.text[from..self.end].starts_with(end)
                    {
                        self.at += end.len();
                        return;
                    }
                    self.command(mode);
                }
                b'%' if self.comments || mode == Mode::Math && self.opens_line(from) => self.skip_comment(),
                b'~' => {
                    self.at += 1;
                    self.push_for(" ", from, from + 1);
                }
                b'&' if mode == Mode::Math => {
                    self.at += 1;
                    if !self.ink.last().is_none_or(char::is_whitespace) {
                        self.push_for(" ", from, from + 1);
                    }
                }
                b'^' | b'_' if mode == Mode::Math => self.script(byte),
                b' ' | b'\n' | b'\r' | b'\t' if mode == Mode::Math => {
                    self.skip_spaces();
                    if !self.ink.last().is_none_or(char::is_whitespace) {
                        if byte == b' ' { self.verbatim(from, from + 1) } else { self.push_for(" ", from, from + 1) }
                    }
                }
                _ => {
                    let rest = &self.text.as_bytes()[from + 1..self.end];
                    let plain = rest
                        .iter()
                        .position(|&byte| SPECIAL[usize::from(byte)] || byte == b' ' && mode == Mode::Math)
                        .unwrap_or(rest.len());
                    self.at = from + 1 + plain;
                    if mode == Mode::Text {
                        self.words(from, self.at);
                    } else {
                        self.verbatim(from, self.at);
                    }
                }
            }
        }
    }

    /// Writes running text, in which two hyphens make a dash.
    fn words(&mut self, mut from: usize, to: usize) {
        while let Some(dash) = self.text[from..to].find("--") {
            let dash = from + dash;
            let length = self.text[dash..to].bytes().take_while(|&byte| byte == b'-').count();
            if dash > from {
                self.verbatim(from, dash);
            }
            self.push_for(if length == 2 { "–" } else { "—" }, dash, dash + length);
            from = dash + length;
        }
        if from < to {
            self.verbatim(from, to);
        }
    }

    /// Reads a group, unless groups nest too deep: then what is in it is read as part of what is around it.
    fn nested(&mut self, mode: Mode, until: Until<'_>) {
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            self.run(mode, until);
            self.depth -= 1;
        }
    }

    /// Whether something is the first of its line: there a percent sign has no number to stand behind, even in a text in which
    /// people write it without a backslash.
    fn opens_line(&self, at: usize) -> bool {
        self.text[..at].trim_end_matches([' ', '\t']).ends_with('\n')
    }

    fn skip_comment(&mut self) {
        let rest = &self.text[self.at..self.end];
        self.at += rest.find('\n').map_or(rest.len(), |end| end + 1);
        while matches!(self.byte(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    fn skip_spaces(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// The command at this place: its name without the backslash and the star; the head stands behind it.
    fn name(&mut self) -> &'a str {
        let start = self.at + 1;
        let rest = &self.text[start.min(self.end)..self.end];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let length = if letters > 0 { letters } else { rest.chars().next().map_or(0, char::len_utf8) };
        self.at = start + length;
        if letters > 0 && self.byte() == Some(b'*') {
            self.at += 1;
        }
        &self.text[start..start + length]
    }

    /// The end of the group that opens at `open`, if it is at most so many bytes away.
    fn close_of(&self, open: usize, within: usize) -> Option<usize> {
        let mut depth = 0;
        let mut escaped = false;
        for (at, &byte) in self.text.as_bytes()[open..self.end].iter().enumerate().take(within) {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(open + at);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The braced argument that comes next, without its braces; the head moves behind it.
    fn argument(&mut self) -> Option<Span> {
        let back = self.at;
        self.skip_spaces();
        if self.byte() == Some(b'{')
            && let Some(close) = self.close_of(self.at, MAX_ARGUMENT)
        {
            let span = Span::new(self.at + 1, close);
            self.at = close + 1;
            return Some(span);
        }
        self.at = back;
        None
    }

    /// The options in brackets that come next, without the brackets; the head moves behind them.
    fn options(&mut self) -> Option<&'a str> {
        if self.byte() != Some(b'[') {
            return None;
        }
        let rest = &self.text.as_bytes()[self.at..self.end];
        let close = rest.iter().take(MAX_ARGUMENT).position(|&byte| byte == b']')?;
        let options = &self.text[self.at + 1..self.at + close];
        self.at += close + 1;
        Some(options)
    }

    /// Reads one argument: a group, a command, or a single character.
    fn read_argument(&mut self, mode: Mode) {
        self.skip_spaces();
        match self.byte() {
            Some(b'{') => {
                self.at += 1;
                self.nested(mode, Until::Brace);
            }
            Some(b'\\') if self.depth < MAX_DEPTH => {
                self.depth += 1;
                self.command(mode);
                self.depth -= 1;
            }
            Some(b'\\') => {
                self.name();
            }
            Some(b'}') | None => {}
            Some(_) => {
                let from = self.at;
                self.at += self.text[from..].chars().next().map_or(1, char::len_utf8);
                self.verbatim(from, self.at);
            }
        }
    }

    /// Reads one argument without writing it; returns its text.
    fn read_apart(&mut self, mode: Mode) -> String {
        let page = std::mem::take(self.ink);
        self.read_argument(mode);
        std::mem::replace(self.ink, page).passage.text().to_owned()
    }

    /// A superscript or subscript.
    fn script(&mut self, sign: u8) {
        let from = self.at;
        self.at += 1;
        let braced = self.byte() == Some(b'{');
        let inner = match self.byte() {
            Some(b'{') => self.close_of(self.at, SHORT_ARGUMENT).map(|close| (&self.text[self.at + 1..close], close + 1)),
            Some(b'\\') => {
                let rest = &self.text[self.at + 1..self.end];
                let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
                Some((&self.text[self.at..self.at + 1 + letters], self.at + 1 + letters))
            }
            Some(byte) if byte.is_ascii() => Some((&self.text[self.at..self.at + 1], self.at + 1)),
            _ => None,
        };
        let start = self.ink.len();
        if sign == b'^' {
            let sign = match inner.map_or("", |(inner, _)| inner.trim()) {
                "*" | "\\ast" | "\\star" => "*",
                "\\circ" | "\\degree" => "°",
                "\\prime" | "'" => "′",
                _ => "",
            };
            if let (false, Some((_, end))) = (sign.is_empty(), inner) {
                self.at = end;
                self.push_for(sign, from, end);
            } else if braced {
                let plain = inner.is_some_and(|(inner, _)| is_exponent(inner));
                self.push_for(if plain { "^" } else { "^(" }, from, from + 2);
                self.read_argument(Mode::Math);
                if !plain {
                    self.close_with(")");
                }
                self.group(start, from);
            } else {
                self.verbatim(from, from + 1);
            }
            return;
        }
        if !braced && inner.is_some_and(|(inner, _)| inner.bytes().all(|byte| byte.is_ascii_alphanumeric())) {
            self.verbatim(from, from + 1);
            return;
        }
        let index = self.read_apart(Mode::Math);
        let index = index.trim();
        if index.is_empty() {
            return;
        }
        let text = if index.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | ',' | '-' | '_' | '.' | '/')) {
            let words: Vec<&str> = index.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            format!("_{}", words.join("_"))
        } else {
            format!("_({index})")
        };
        self.push_for(&text, from, self.at);
    }

    /// The command that the head stands before.
    fn command(&mut self, mode: Mode) {
        let from = self.at;
        let name = self.name();
        let start = self.ink.len();
        if self.macros.knows(name) {
            self.expand(name, mode, from);
            return;
        }
        if let Some(symbol) = symbol(name) {
            return self.symbol(name, symbol, from);
        }
        match name {
            "" => {}
            "frac" | "dfrac" | "tfrac" | "cfrac" | "nicefrac" | "sfrac" => self.fraction(mode, from),
            "sqrt" => {
                let root = self.options();
                self.push_for(&root.map_or("sqrt(".to_owned(), |root| format!("sqrt[{root}](")), from, self.at);
                self.read_argument(Mode::Math);
                self.close_with(")");
                self.group(start, from);
            }
            "binom" | "dbinom" | "tbinom" => {
                self.push_for("binom(", from, self.at);
                self.read_argument(Mode::Math);
                self.close_with(", ");
                self.read_argument(Mode::Math);
                self.close_with(")");
                self.group(start, from);
            }
            "text" | "textrm" | "textsf" | "texttt" | "textit" | "textnormal" | "textsc" | "textup" | "textsl" | "mathrm" | "mathsf"
            | "mathtt" | "mathit" | "mathnormal" | "operatorname" | "mbox" | "hbox" | "rm" | "mathop" | "emph" => {
                if self.byte() == Some(b'{') {
                    let inner =
                        if matches!(name, "mathrm" | "mathsf" | "mathtt" | "mathit" | "mathnormal" | "mathop") { mode } else { Mode::Text };
                    self.read_argument(inner);
                    if !self.ink.passage.text()[start..].bytes().any(|byte| byte.is_ascii_digit()) {
                        self.group(start, from);
                    }
                }
            }
            "mathbf" | "textbf" | "boldsymbol" | "bm" | "bf" | "boxed" | "fbox" | "framebox" | "pmb" | "symbf" => {
                if self.byte() == Some(b'{') {
                    self.read_argument(if matches!(name, "textbf" | "fbox" | "framebox") { Mode::Text } else { mode });
                    self.ink.embolden_from(start);
                }
            }
            "cancel" | "bcancel" | "xcancel" | "sout" | "st" | "xout" | "hcancel" => {
                self.read_argument(mode);
                self.ink.strike_from(start);
            }
            "phantom" | "hphantom" | "vphantom" => {
                self.read_apart(mode);
            }
            "color" | "textcolor" | "colorbox" => {
                self.options();
                let color = self.argument().map_or("", |span| &self.text[span.range()]);
                if name != "color" || mode == Mode::Math {
                    if is_white(color) && name != "colorbox" {
                        self.read_apart(mode);
                    } else {
                        self.read_argument(mode);
                    }
                }
            }
            "underbrace" | "overbrace" | "underbracket" | "overbracket" => self.braced_label(mode),
            "overset" | "stackrel" | "underset" => {
                self.read_apart(mode);
                self.read_argument(mode);
            }
            // It draws what stands around it together: `32,\! 349` is one number.
            "!" | "negthinspace" if mode == Mode::Math => self.skip_spaces(),
            "ensuremath" => self.read_argument(Mode::Math),
            "left" | "right" | "middle" => {
                self.skip_spaces();
                if self.byte() == Some(b'.') {
                    self.at += 1;
                }
            }
            "begin" => self.begin(),
            "\\" | "newline" | "cr" => {
                self.options();
                self.push_for("\n", from, self.at);
            }
            "tag" | "label" | "ref" | "eqref" | "cite" | "hspace" | "vspace" | "end" | "phantomsection" | "mathchoice" | "kern" => {
                self.argument();
            }
            "(" | ")" | "[" | "]" => {}
            _ => {
                if !self.siunitx(name, from) && mode == Mode::Math && name.len() > 1 {
                    // An unknown word in a formula: what it is called is the best guess at what it shows.
                    self.verbatim(from + 1, self.at);
                }
            }
        }
    }

    fn symbol(&mut self, name: &str, symbol: &str, from: usize) {
        let to = self.at;
        if matches!(name, "mu" | "upmu") {
            // A micro sign belongs to the unit behind it.
            self.skip_spaces();
            let letter = self.byte().is_some_and(|byte| byte.is_ascii_alphabetic());
            let word =
                ["\\text{", "\\mathrm{", "\\textrm{", "\\operatorname{"].iter().any(|word| self.text[self.at..self.end].starts_with(word));
            if !letter && !word {
                self.at = to;
            }
        } else if symbols::is_letter(symbol) && self.ink.last().is_some_and(char::is_alphanumeric) {
            // Side by side, two letters of a formula are two factors.
            self.push_for(" ", from, from);
        }
        let digits = symbol == " " && name == "," && self.ink.last().is_some_and(|c| c.is_ascii_digit());
        if digits && self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.push_for("\u{202F}", from, to);
        } else {
            self.push_for(symbol, from, to);
        }
    }

    fn fraction(&mut self, mode: Mode, from: usize) {
        if self.ink.last().is_some_and(|c| c.is_alphanumeric() || c == ')') {
            self.push_for(" ", from, from);
        }
        let start = self.ink.len();
        let mut atomic = true;
        for part in 0..2 {
            self.skip_spaces();
            if part == 1 {
                self.push_for("/", self.at, self.at);
            }
            atomic = self.is_atomic();
            if !atomic {
                self.push_for("(", self.at, self.at + 1);
            }
            self.read_argument(mode);
            if !atomic {
                self.close_with(")");
            }
        }
        self.group(start, from);
        if atomic && self.byte().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            self.push_for(" ", self.at, self.at);
        }
    }

    /// Whether the argument that comes next is one number or one name, so that a fraction needs no brackets around it.
    fn is_atomic(&self) -> bool {
        if self.byte() != Some(b'{') {
            return true;
        }
        let Some(close) = self.close_of(self.at, SHORT_ARGUMENT) else { return false };
        let mut inner = self.text[self.at + 1..close].trim();
        for wrap in ["\\text{", "\\mathrm{", "\\textrm{", "\\mathbf{", "\\operatorname{"] {
            if let Some(word) = inner.strip_prefix(wrap).and_then(|word| word.strip_suffix('}')) {
                inner = word;
            }
        }
        let name = inner.strip_prefix('\\').unwrap_or(inner);
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'))
    }

    /// `\underbrace{x}_{label}` reads `x (label)`.
    fn braced_label(&mut self, mode: Mode) {
        self.read_argument(mode);
        self.skip_spaces();
        if matches!(self.byte(), Some(b'_' | b'^')) {
            let from = self.at;
            self.at += 1;
            let label = self.read_apart(mode);
            if !label.trim().is_empty() {
                self.push_for(&format!(" ({})", label.trim()), from, self.at);
            }
        }
    }

    fn begin(&mut self) {
        let name = self.argument().map_or("", |span| &self.text[span.range()]);
        if matches!(name, "array" | "tabular" | "subarray" | "alignat" | "alignat*" | "alignedat") {
            self.options();
            self.argument();
        }
    }
}

/// Whether a command stands for text that the flattener knows how to write.
pub(crate) fn is_known(name: &str) -> bool {
    let commands = "frac dfrac tfrac cfrac nicefrac sfrac sqrt ensuremath SI qty num ang si unit numrange SIrange qtyrange numlist SIlist qtylist \
                    numproduct qtyproduct pu";
    symbol(name).is_some() || commands.split_whitespace().any(|command| command == name)
}

/// Whether an exponent needs no brackets: a sign and a number or a name.
fn is_exponent(inner: &str) -> bool {
    let inner = inner.trim();
    let inner = inner.strip_prefix(['-', '+', '−', '–']).unwrap_or(inner).trim_start();
    !inner.is_empty() && inner.chars().all(|c| c.is_alphanumeric() || c == '.')
}

/// Whether text in this color cannot be seen on white paper.
pub(crate) fn is_white(color: &str) -> bool {
    let color = color.trim().trim_start_matches('#').to_ascii_lowercase();
    matches!(color.as_str(), "white" | "fff" | "ffffff" | "1,1,1" | "transparent")
}

/// The bytes that mean something in either mode.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let bytes = b"\\{}$%~&^_\n\r";
    let mut at = 0;
    while at < bytes.len() {
        special[bytes[at] as usize] = true;
        at += 1;
    }
    special
};
