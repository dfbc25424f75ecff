//! LaTeX documents, as they look when compiled: sections, lists with their automatic labels, tables, formulas, macros;
//! not comments, not the preamble, nothing behind `\end{document}`.

mod definitions;
mod environments;
pub(crate) mod labels;

use std::collections::BTreeMap;

use crate::answer::page::{Ink, Page};
use crate::answer::tex::{self, Macros, Mode, Until, is_white};
use crate::answer::{Block, Role};
use crate::text::Span;

use labels::Lists;

/// How long a definition may be, in bytes.
const MAX_DEFINITION: usize = 4000;

/// How long the argument of a command may be that does not show it, and how long options may be.
const MAX_ARGUMENT: usize = 600;
const MAX_OPTIONS: usize = 300;

/// How many groups may be open; the braces of further ones are passed over.
const MAX_GROUPS: usize = 1000;

/// Reads a LaTeX text into blocks.
pub(crate) fn read(text: &str) -> Vec<Block> {
    let mut reader = Reader {
        text,
        at: if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 },
        end: text.len(),
        paragraph_end: 0,
        page: Page::for_text(text.len()),
        macros: Macros::new(text.len()),
        groups: Vec::new(),
        deep: 0,
        environments: BTreeMap::new(),
        lists: Lists::default(),
        table: None,
        line: None,
    };
    if let Some(begin) = text.find("\\begin{document}") {
        reader.end = begin;
        reader.preamble();
        reader.at = begin + "\\begin{document}".len();
        reader.end = text.len();
    }
    while reader.at < reader.end {
        reader.step();
    }
    reader.page.into_blocks()
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    /// Where the paragraph ends that the last formula stood in: a formula never reaches further.
    paragraph_end: usize,
    page: Page,
    macros: Macros,
    groups: Vec<Group>,
    /// How many braces are open beyond those.
    deep: usize,
    /// How many environments of a name are open.
    environments: BTreeMap<String, usize>,
    lists: Lists,
    table: Option<Table>,
    /// The end of a line that is written as soon as something follows it.
    line: Option<usize>,
}

/// The table that is being read.
#[derive(Clone, Copy)]
struct Table {
    number: usize,
    row: usize,
    column: usize,
    /// Whether the first row names the columns.
    header: bool,
}

/// What has to be undone when a group or an environment ends.
#[derive(Default)]
struct Group {
    /// The environment's name; braces have none.
    environment: Option<String>,
    strong: usize,
    struck: usize,
    hidden: usize,
    quoted: usize,
    /// Whether it is a list.
    list: bool,
    /// Whether it is a table, and which one it stands in.
    table: Option<Option<Table>>,
    /// Whether a block ends with it.
    block: bool,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    fn byte(&self) -> Option<u8> {
        (self.at < self.end).then(|| self.text.as_bytes()[self.at])
    }

    /// Before the document begins, only definitions and the title matter.
    fn preamble(&mut self) {
        while let Some(next) = self.rest().bytes().position(|byte| matches!(byte, b'\\' | b'%')) {
            self.at += next;
            if self.byte() == Some(b'%') {
                self.skip_comment();
                continue;
            }
            let name = self.name();
            if !self.definition(name) && name == "title" {
                self.heading(1);
                let depth = self.groups.len();
                while depth > 0 && self.groups.len() >= depth && self.at < self.end {
                    self.step();
                }
            }
        }
        self.page.finish();
    }

    fn step(&mut self) {
        let from = self.at;
        match self.text.as_bytes()[from] {
            b'%' => self.skip_comment(),
            b'\\' => self.command(),
            b'{' => {
                self.at += 1;
                if self.groups.len() < MAX_GROUPS {
                    self.groups.push(Group::default());
                } else {
                    self.deep += 1;
                }
            }
            b'}' if self.deep > 0 => {
                self.at += 1;
                self.deep -= 1;
            }
            b'}' => {
                self.at += 1;
                if self.groups.last().is_some_and(|group| group.environment.is_none()) {
                    self.close();
                }
            }
            b'$' => {
                self.flush();
                let display = self.rest().starts_with("$$");
                self.at += if display { 2 } else { 1 };
                self.formula(display, Until::Dollar);
                if display && self.byte() == Some(b'$') {
                    self.at += 1;
                }
            }
            b'~' => {
                self.flush();
                self.at += 1;
                self.page.push_for(" ", Span::new(from, from + 1));
            }
            b'&' if self.table.is_some() => {
                self.at += 1;
                self.cell(0);
            }
            b'\n' => self.line_end(),
            b'-' if self.rest().starts_with("--") => {
                self.flush();
                self.at += self.rest().bytes().take_while(|&byte| byte == b'-').count();
                self.page.push_for(if self.at - from == 2 { "–" } else { "—" }, Span::new(from, self.at));
            }
            _ => {
                self.flush();
                let rest = &self.text.as_bytes()[from + 1..self.end];
                self.at = from + 1 + rest.iter().position(|&byte| SPECIAL[usize::from(byte)]).unwrap_or(rest.len());
                let text = &self.text[from..self.at];
                let text = if self.page.is_blank() { text.trim_start() } else { text };
                self.page.push(text, self.at - text.len());
            }
        }
    }

    fn skip_comment(&mut self) {
        self.at += self.rest().find('\n').map_or(self.end - self.at, |end| end + 1);
        while matches!(self.byte(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// Passes over what is left of a line that holds nothing more.
    fn skip_blanks(&mut self) {
        let white = self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        if self.rest()[white..].starts_with('\n') && !self.rest()[white + 1..].trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
            self.at += white + 1;
        }
    }

    fn skip_spaces(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// A line's end is a space, and an empty line ends a paragraph.
    fn line_end(&mut self) {
        let from = self.at;
        self.at += 1;
        let white = self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        if self.rest()[white..].starts_with('\n') {
            self.skip_spaces();
            if self.table.is_none() {
                self.page.finish();
            }
        } else {
            self.at += white;
            self.line = Some(from);
        }
    }

    /// Something is about to be written: a line's end before it is written now.
    fn flush(&mut self) {
        if let Some(line) = self.line.take()
            && !self.page.is_blank()
        {
            self.page.push("\n", line);
        }
    }

    /// The name of the command at this place, without its star; the head moves behind it.
    fn name(&mut self) -> &'a str {
        let rest = &self.rest()[1..];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let length = if letters > 0 { letters } else { rest.chars().next().map_or(0, char::len_utf8) };
        self.at += 1 + length;
        if letters > 0 && self.byte() == Some(b'*') {
            self.at += 1;
        }
        &rest[..length]
    }

    /// The end of the bracket or brace that opens here.
    fn closing(&self, open: u8, close: u8, limit: usize) -> Option<usize> {
        let mut depth = 0usize;
        let mut braces = 0usize;
        let mut escaped = false;
        for (at, &byte) in self.rest().as_bytes().iter().enumerate().take(limit) {
            if escaped {
                escaped = false;
            } else if byte == b'\\' {
                escaped = true;
            } else if byte == open {
                depth += 1;
            } else if byte == close && (open == b'{' || braces == 0) {
                depth -= 1;
                if depth == 0 {
                    return Some(self.at + at);
                }
            } else if byte == b'{' {
                braces += 1;
            } else if byte == b'}' {
                braces = braces.checked_sub(1)?;
            }
        }
        None
    }

    /// What stands in braces here; the head moves behind it.
    fn argument(&mut self) -> Option<Span> {
        self.argument_within(MAX_ARGUMENT)
    }

    /// The same where it may be longer.
    fn argument_within(&mut self, limit: usize) -> Option<Span> {
        let back = self.at;
        self.skip_spaces();
        match self.byte() {
            Some(b'{') => {
                if let Some(close) = self.closing(b'{', b'}', limit) {
                    let span = Span::new(self.at + 1, close);
                    self.at = close + 1;
                    return Some(span);
                }
            }
            _ => self.at = back,
        }
        None
    }

    /// What stands in square brackets here; the head moves behind it.
    fn options(&mut self) -> Option<Span> {
        if self.byte() != Some(b'[') {
            return None;
        }
        let close = self.closing(b'[', b']', MAX_OPTIONS)?;
        let span = Span::new(self.at + 1, close);
        self.at = close + 1;
        Some(span)
    }

    fn slice(&self, span: Option<Span>) -> &'a str {
        span.map_or("", |span| &self.text[span.range()])
    }

    fn command(&mut self) {
        let from = self.at;
        let name = self.name();
        match name {
            "begin" => self.begin(),
            "end" => {
                let argument = self.argument();
                self.end_of(self.slice(argument));
            }
            "(" => self.formula(false, Until::Command("\\)")),
            "[" => self.formula(true, Until::Command("\\]")),
            "\\" | "tabularnewline" | "newline" | "linebreak" => {
                if self.byte() == Some(b'*') {
                    self.at += 1;
                }
                self.options();
                if self.table.is_some() && name != "newline" {
                    self.cell(1);
                } else if !self.page.is_blank() {
                    self.line = None;
                    self.page.push_for("\n", Span::new(from, self.at));
                    self.skip_blanks();
                }
            }
            "par" => self.page.finish(),
            "item" | "part" | "question" | "subpart" | "task" if name == "item" || self.lists.depth() > 0 => self.item(from),
            "title" | "part" | "chapter" => self.heading(1),
            "section" => self.heading(2),
            "subsection" => self.heading(3),
            "subsubsection" => self.heading(4),
            "paragraph" | "subparagraph" | "minisec" => self.heading(5),
            "caption" => {
                self.options();
                self.page.begin(Role::Paragraph);
                self.open(Group { block: true, ..Group::default() });
            }
            "textbf" | "fbox" | "framebox" | "boxed" => self.open(Group { strong: 1, ..Group::default() }),
            "sout" | "st" | "xout" | "cancel" => self.open(Group { struck: 1, ..Group::default() }),
            "phantom" | "hphantom" | "vphantom" => self.open(Group { hidden: 1, ..Group::default() }),
            "bfseries" | "bf" => self.declare(Group { strong: 1, ..Group::default() }),
            "textcolor" | "color" => {
                self.options();
                let color = self.argument();
                let hidden = usize::from(is_white(self.slice(color)));
                let group = Group { hidden, ..Group::default() };
                if name == "color" { self.declare(group) } else { self.open(group) }
            }
            "footnote" | "footnotetext" | "marginpar" => {
                self.flush();
                self.options();
                self.page.push_for(" ", Span::new(from, self.at));
                self.open(Group::default());
            }
            "verb" | "lstinline" => self.verb(),
            "iffalse" => self.skip_to("\\fi"),
            "endinput" => self.at = self.end,
            "setcounter" => {
                let (counter, value) = (self.argument(), self.argument());
                let level = ["enumi", "enumii", "enumiii", "enumiv"].iter().position(|&counter_name| counter_name == self.slice(counter));
                if let (Some(level), Ok(value)) = (level, self.slice(value).trim().parse()) {
                    self.lists.count(level, value);
                }
            }
            "\"" | "'" | "`" | "^" | "=" | "." | "c" | "v" | "u" | "H" => self.accent(name, from),
            "multicolumn" | "multirow" => {
                self.argument();
                self.argument();
            }
            _ => {
                if self.definition(name) {
                    return;
                }
                if let Some(count) = silent_arguments(name) {
                    self.options();
                    self.options();
                    for _ in 0..count {
                        self.argument();
                    }
                    return;
                }
                self.inline(name, from);
            }
        }
    }

    /// A command that stands for text: a sign, a number with its unit, a macro. An unknown one is left out, and what is in
    /// its braces is read.
    fn inline(&mut self, name: &str, from: usize) {
        self.flush();
        let end = self.bound();
        if self.macros.knows(name) || tex::is_known(name) {
            let mut scratch = Ink::default();
            let ink = if self.page.hidden > 0 { &mut scratch } else { &mut self.page.ink };
            self.at = tex::flatten_command(self.text, from, end, Mode::Text, &self.macros, true, ink);
        } else if name.len() > 1 {
            self.options();
        }
    }

    /// Where a formula or an argument that begins here has to end: with the paragraph.
    fn bound(&mut self) -> usize {
        if self.at >= self.paragraph_end {
            let mut at = self.at;
            self.paragraph_end = loop {
                let Some(line) = self.text[at..self.end].find('\n') else { break self.end };
                at += line + 1;
                let next = self.text.as_bytes()[at..self.end].iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
                if next.is_none_or(|&byte| byte == b'\n') {
                    break at;
                }
            };
        }
        self.paragraph_end
    }

    fn formula(&mut self, display: bool, until: Until<'_>) {
        let end = self.bound();
        let apart = display && self.table.is_none() && !self.page.is_item_start();
        if apart {
            self.page.begin(Role::Math);
        }
        self.flush();
        let mut scratch = Ink::default();
        let ink = if self.page.hidden > 0 { &mut scratch } else { &mut self.page.ink };
        self.at = tex::flatten_until(self.text, self.at, end, until, &self.macros, ink);
        if apart {
            self.page.begin(Role::Paragraph);
        }
    }

    fn heading(&mut self, level: u8) {
        self.options();
        self.page.begin(Role::Heading(level));
        self.open(Group { block: true, ..Group::default() });
    }

    /// Opens the group of a command's argument.
    fn open(&mut self, group: Group) {
        self.flush();
        self.skip_spaces();
        if self.byte() == Some(b'{') && self.groups.len() < MAX_GROUPS {
            self.at += 1;
            self.groups.push(Group::default());
            self.declare(group);
        }
    }

    /// From here to the end of the group, things look different.
    fn declare(&mut self, effect: Group) {
        (0..effect.strong).for_each(|_| self.page.strong(true));
        (0..effect.struck).for_each(|_| self.page.struck(true));
        self.page.hidden += effect.hidden;
        if let Some(group) = self.groups.last_mut() {
            group.strong += effect.strong;
            group.struck += effect.struck;
            group.hidden += effect.hidden;
            group.block |= effect.block;
        }
    }

    /// Ends the innermost group.
    fn close(&mut self) {
        let Some(group) = self.groups.pop() else { return };
        (0..group.strong).for_each(|_| self.page.strong(false));
        (0..group.struck).for_each(|_| self.page.struck(false));
        self.page.hidden = self.page.hidden.saturating_sub(group.hidden);
        if group.block {
            self.page.finish();
        }
        self.page.quoted = self.page.quoted.saturating_sub(group.quoted);
        if group.list {
            self.lists.close();
        }
        if let Some(outer) = group.table {
            self.table = outer;
        }
    }

    /// `\verb|…|`
    fn verb(&mut self) {
        self.flush();
        self.options();
        let Some(sign) = self.rest().chars().next() else { return };
        let close = if sign == '{' { '}' } else { sign };
        let start = self.at + sign.len_utf8();
        let line = self.text[start..self.end].lines().next().unwrap_or("");
        if let Some(end) = line.find(close) {
            self.page.push(&line[..end], start);
            self.at = start + end + close.len_utf8();
        }
    }

    /// A letter with an accent: umlauts are put together, other accents are left out.
    fn accent(&mut self, sign: &str, from: usize) {
        self.flush();
        let braced = self.byte() == Some(b'{');
        if matches!(sign, "c" | "v" | "u" | "H") && !braced {
            return;
        }
        if sign != "\"" {
            return;
        }
        let letter = self.rest().chars().nth(usize::from(braced)).unwrap_or(' ');
        let umlaut = match letter {
            'a' => "ä",
            'o' => "ö",
            'u' => "ü",
            'A' => "Ä",
            'O' => "Ö",
            'U' => "Ü",
            _ => return,
        };
        self.at += if braced { 3 } else { 1 };
        self.at = self.at.min(self.end);
        self.page.push_for(umlaut, Span::new(from, self.at));
    }
}

/// How many arguments a command takes that shows nothing.
fn silent_arguments(name: &str) -> Option<usize> {
    Some(match name {
        "label" | "ref" | "eqref" | "cref" | "Cref" | "autoref" | "pageref" | "cite" | "citep" | "citet" | "vspace" | "hspace"
        | "input" | "include" | "includegraphics" | "usepackage" | "RequirePackage" | "documentclass" | "pagestyle" | "thispagestyle"
        | "bibliographystyle" | "bibliography" | "url" | "sisetup" | "hypersetup" | "geometry" | "graphicspath" | "author" | "date"
        | "usetikzlibrary" | "pagenumbering" | "addbibresource" | "tag" | "href" | "hyperref" | "cline" | "rowcolor" | "fontsize"
        | "selectlanguage" | "linespread" | "captionsetup" | "newcounter" | "refstepcounter" | "stepcounter" | "pdfbookmark" | "nocite"
        | "cellcolor" => 1,
        "setlength" | "addtolength" | "addtocounter" | "newtheorem" | "definecolor" | "rule" | "raisebox" | "resizebox" | "scalebox" => 2,
        "cmidrule" => 1,
        "newenvironment" | "renewenvironment" => 3,
        _ => return None,
    })
}

/// The bytes that mean something in running text.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let bytes = b"\\{}$%~&\n-";
    let mut at = 0;
    while at < bytes.len() {
        special[bytes[at] as usize] = true;
        at += 1;
    }
    special
};

#[cfg(test)]
mod tests;
