//! LaTeX documents, as they look when compiled: sections, lists with their automatic labels, tables, formulas, macros;
//! not comments, not the preamble, nothing behind `\end{document}`.

pub(crate) mod labels;

use std::collections::BTreeMap;

use crate::answer::page::{Ink, Page};
use crate::answer::tex::{self, Macros, Mode, Until, is_white};
use crate::answer::{Block, Role, markup};
use crate::text::Span;

use labels::Lists;

/// How long a definition or an option may be, in bytes.
const MAX_DEFINITION: usize = 4000;

/// Reads a LaTeX text into blocks.
pub(crate) fn read(text: &str) -> Vec<Block> {
    let mut reader = Reader {
        text,
        at: if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 },
        end: text.len(),
        paragraph_end: 0,
        page: Page::default(),
        macros: Macros::new(text.len()),
        groups: Vec::new(),
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
                self.groups.push(Group::default());
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
        let back = self.at;
        self.skip_spaces();
        match self.byte() {
            Some(b'{') => {
                if let Some(close) = self.closing(b'{', b'}', MAX_DEFINITION) {
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
        let close = self.closing(b'[', b']', MAX_DEFINITION)?;
        let span = Span::new(self.at + 1, close);
        self.at = close + 1;
        Some(span)
    }

    fn slice(&self, span: Option<Span>) -> &'a str {
        span.map_or("", |span| &self.text[span.range()])
    }

    /// Takes in a definition; false if the command defines nothing.
    fn definition(&mut self, name: &str) -> bool {
        match name {
            "newcommand"
            | "renewcommand"
            | "providecommand"
            | "def"
            | "DeclareRobustCommand"
            | "DeclareMathOperator"
            | "DeclareSIUnit"
            | "newunit" => {
                self.options();
                self.skip_spaces();
                let called = if self.byte() == Some(b'{') {
                    {
                        let argument = self.argument();
                        self.slice(argument).trim()
                    }
                    .trim_start_matches('\\')
                } else if self.byte() == Some(b'\\') {
                    self.name()
                } else {
                    return true;
                };
                let arguments = match self.options() {
                    Some(count) => self.slice(Some(count)).trim().parse().unwrap_or(0),
                    None => self.rest().split('{').next().unwrap_or("").matches('#').count(),
                };
                self.options();
                if name == "def" {
                    let parameters = self.rest().bytes().take(40).position(|byte| byte == b'{').unwrap_or(0);
                    self.at += parameters;
                }
                let Some(body) = self.argument() else { return true };
                let body = self.slice(Some(body));
                match called {
                    "labelenumi" | "theenumi" => self.lists.set(Some(0), &with_stop(called, body)),
                    "labelenumii" | "theenumii" => self.lists.set(Some(1), &with_stop(called, body)),
                    _ => self.macros.define(called, arguments, body),
                }
            }
            "setlist" | "setenumerate" => {
                let options = self.options();
                let level = self.slice(options).split(',').find_map(|word| word.trim().parse::<usize>().ok());
                let all = self.slice(options);
                let labels = self.argument();
                if !all.contains("itemize") && !all.contains("description") {
                    let labels = self.slice(labels);
                    self.lists.set(level.map(|level| level.saturating_sub(1)), labels);
                }
            }
            _ => return false,
        }
        true
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
        if self.byte() == Some(b'{') {
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

    fn begin(&mut self) {
        let argument = self.argument();
        let name = self.slice(argument);
        let plain = name.trim_end_matches('*');
        if markup::is_math_environment(name) && !(plain == "array" && self.table.is_some()) {
            if plain.starts_with("alignat") || plain == "array" {
                self.options();
                self.argument();
            }
            let end = format!("\\end{{{name}}}");
            return self.formula(true, Until::Command(&end));
        }
        match plain {
            "comment" | "filecontents" | "thebibliography" | "tikzpicture" => return self.skip_to(&format!("\\end{{{name}}}")),
            "verbatim" | "Verbatim" | "lstlisting" | "minted" | "alltt" => return self.code(name),
            _ => {}
        }
        let mut group = Group { environment: Some(name.to_owned()), ..Group::default() };
        *self.environments.entry(name.to_owned()).or_default() += 1;
        self.page.finish();
        group.block = true;
        match plain {
            "enumerate" | "itemize" | "description" | "compactenum" | "compactitem" | "inparaenum" | "parts" | "subparts" | "questions"
            | "tasks" | "list" | "trivlist" => {
                let options = self.options();
                self.lists.open(plain, self.slice(options));
                group.list = true;
            }
            "tabular" | "tabularx" | "longtable" | "tabulary" | "tabu" | "supertabular" | "array" | "tblr" => {
                self.options();
                if matches!(plain, "tabularx" | "tabulary") || name == "tabular*" {
                    self.argument();
                }
                self.argument();
                group.table = Some(self.table);
                self.table = Some(Table { number: self.page.next_table(), row: 0, column: 0, header: self.has_header() });
            }
            "quote" | "quotation" | "displayquote" => {
                self.page.quoted += 1;
                group.quoted = 1;
            }
            _ => {
                self.options();
                if matches!(plain, "minipage" | "multicols" | "adjustbox" | "wrapfigure") {
                    self.argument();
                }
            }
        }
        let is_table = group.table.is_some();
        self.groups.push(group);
        if is_table {
            let Some(Table { number, header, .. }) = self.table else { return };
            self.page.begin(Role::Cell { table: number, row: 0, column: 0, header });
        }
    }

    /// Whether the first row of the table that begins here names the columns: a rule follows it, and no digit is in it.
    fn has_header(&self) -> bool {
        let head = self.rest();
        let head = &head[..head.char_indices().map(|(at, _)| at).take_while(|&at| at <= 2000).last().unwrap_or(0)];
        let Some((row, after)) = head.split_once("\\\\") else { return false };
        let after = after.trim_start_matches(|c: char| c.is_whitespace());
        let rule = ["\\hline", "\\midrule", "\\cmidrule", "\\cline", "\\toprule"].iter().any(|rule| after.starts_with(rule));
        rule && !row.contains(|c: char| c.is_ascii_digit())
    }

    /// The next cell, `rows` further down.
    fn cell(&mut self, rows: usize) {
        let Some(table) = &mut self.table else { return };
        table.row += rows;
        table.column = if rows > 0 { 0 } else { table.column + 1 };
        let Table { number, row, column, header } = *table;
        self.page.begin(Role::Cell { table: number, row, column, header: header && row == 0 });
    }

    /// Ends an environment, and what was left open inside.
    fn end_of(&mut self, name: &str) {
        match self.environments.get_mut(name) {
            Some(open) if *open > 0 => *open -= 1,
            _ => {
                if name == "document" {
                    self.at = self.end;
                }
                return;
            }
        }
        self.page.finish();
        while let Some(group) = self.groups.last() {
            let environment = group.environment.clone();
            self.close();
            match environment {
                Some(environment) if environment == name => break,
                Some(environment) => {
                    if let Some(open) = self.environments.get_mut(&environment) {
                        *open = open.saturating_sub(1);
                    }
                }
                None => {}
            }
        }
    }

    fn item(&mut self, from: usize) {
        self.page.finish();
        while matches!(self.byte(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let written = self.options().filter(|_| self.text[from..].starts_with("\\item"));
        let marker = match written {
            Some(span) => {
                let mut ink = Ink::default();
                tex::flatten(self.text, span, Mode::Text, &self.macros, true, &mut ink);
                ink.passage.text().trim().to_owned()
            }
            None => self.lists.next(),
        };
        self.page.begin(Role::Item { marker, depth: self.lists.depth().max(1) });
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

    /// A code listing.
    fn code(&mut self, name: &str) {
        let options = self.options();
        let mut language =
            self.slice(options).split("language=").nth(1).and_then(|rest| rest.split([',', '}']).next()).unwrap_or("").to_owned();
        if name == "minted" {
            let argument = self.argument();
            self.slice(argument).clone_into(&mut language);
        }
        let end = format!("\\end{{{name}}}");
        let length = self.rest().find(&end).unwrap_or(self.rest().len());
        self.page.begin(Role::Code(language));
        let code = &self.rest()[..length];
        let trimmed = code.trim_start_matches(['\r', '\n']);
        self.page.push(trimmed, self.at + code.len() - trimmed.len());
        self.page.finish();
        self.at = (self.at + length + end.len()).min(self.end);
    }

    fn skip_to(&mut self, end: &str) {
        self.at = self.rest().find(end).map_or(self.end, |length| self.at + length + end.len());
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

/// A label's definition as an option of a list; `\theenumi` gets the stop that stands behind it.
fn with_stop(name: &str, body: &str) -> String {
    if name.starts_with("the") { format!("label={{{body}.}}") } else { format!("label={{{body}}}") }
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
