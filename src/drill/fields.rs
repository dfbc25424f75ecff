//! Reads TOML tables so that every error is told: what is missing, what has the wrong type, what nobody asked for.

use std::cell::RefCell;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{self, Diagnostic, Label, Severity};
use crate::text::{Source, Span};

/// Everything that was found to be wrong with a file so far.
pub(super) struct Report<'s> {
    pub(super) source: &'s Source,
    found: RefCell<Vec<Diagnostic>>,
}

/// A text that an author wrote, and the bytes of its literal in the file, quotes included.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    pub(super) value: String,
    pub(super) span: Span,
}

/// A number that an author wrote.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figure {
    pub(super) value: f64,
    pub(super) span: Span,
}

impl<'s> Report<'s> {
    pub(super) fn new(source: &'s Source) -> Report<'s> {
        Report { source, found: RefCell::default() }
    }

    pub(super) fn push(&self, diagnostic: Diagnostic) {
        self.found.borrow_mut().push(diagnostic);
    }

    /// An error at one place of this file.
    pub(super) fn error(&self, code: &'static str, span: Span, title: impl Into<String>) -> Found<'_, 's> {
        let label = self.label(span, "");
        let diagnostic = Diagnostic { code, severity: Severity::Error, title: title.into(), labels: vec![label], help: None };
        Found { report: self, diagnostic: Some(diagnostic) }
    }

    pub(super) fn label(&self, span: Span, text: impl Into<String>) -> Label {
        Label { file: self.source.name().to_owned(), span, text: text.into() }
    }

    pub(super) fn is_clean(&self) -> bool {
        self.found.borrow().is_empty()
    }

    /// Everything that was found, in the order of the file.
    pub(super) fn finish(self) -> Vec<Diagnostic> {
        let mut found = self.found.into_inner();
        found.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.span));
        found.dedup();
        found
    }

    /// The bytes of the file that a range of a text stands for: literals may hold escapes.
    pub(super) fn place(&self, text: &Text, inside: Span) -> Span {
        let start = self.place_of(text, inside.start);
        let end = if inside.is_empty() { start } else { self.place_of(text, inside.end) };
        Span::new(start, end.max(start))
    }

    fn place_of(&self, text: &Text, at: usize) -> usize {
        let raw = self.source.slice(text.span);
        let (quote, escapes) = match raw {
            _ if raw.starts_with(r#"""""#) => (3, true),
            _ if raw.starts_with("'''") => (3, false),
            _ if raw.starts_with('"') => (1, true),
            _ if raw.starts_with('\'') => (1, false),
            _ => (0, false),
        };
        let mut rest = &raw[quote..];
        // A line break right after three quotes is not part of the text.
        if quote == 3 {
            rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')).unwrap_or(rest);
        }
        let mut read = 0;
        while read < at {
            let Some(c) = rest.chars().next() else { break };
            let (taken, gives) = if c == '\\' && escapes { escape(rest) } else { (c.len_utf8(), c.len_utf8()) };
            rest = &rest[taken..];
            read += gives;
        }
        text.span.start + raw.len() - rest.len()
    }
}

/// The bytes an escape takes in the file and gives in the text.
fn escape(rest: &str) -> (usize, usize) {
    let hex = |digits: usize| {
        let code = rest.get(2..2 + digits).and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32);
        (2 + digits, code.map_or(0, char::len_utf8))
    };
    match rest.chars().nth(1) {
        Some('x') => hex(2),
        Some('u') => hex(4),
        Some('U') => hex(8),
        // A backslash at the end of a line joins the lines.
        Some(c) if c.is_whitespace() => (rest.len() - rest[1..].trim_start().len(), 0),
        Some(c) => (1 + c.len_utf8(), 1),
        None => (1, 0),
    }
}

/// An error in the making: it counts when it goes out of scope.
pub(super) struct Found<'r, 's> {
    report: &'r Report<'s>,
    diagnostic: Option<Diagnostic>,
}

impl Found<'_, '_> {
    pub(super) fn says(mut self, text: impl Into<String>) -> Self {
        if let Some(label) = self.diagnostic.as_mut().and_then(|diagnostic| diagnostic.labels.first_mut()) {
            label.text = text.into();
        }
        self
    }

    pub(super) fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        let label = self.report.label(span, text);
        if let Some(diagnostic) = &mut self.diagnostic {
            diagnostic.labels.push(label);
        }
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        if let Some(diagnostic) = &mut self.diagnostic {
            diagnostic.help = Some(help.into());
        }
        self
    }

    /// The help that names what was probably meant, or another.
    pub(super) fn did_you_mean(self, near: Option<&str>, otherwise: impl FnOnce() -> String) -> Self {
        match near {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self.help(otherwise()),
        }
    }
}

impl Drop for Found<'_, '_> {
    fn drop(&mut self) {
        if let Some(diagnostic) = self.diagnostic.take() {
            self.report.push(diagnostic);
        }
    }
}

/// A table that is being read. What was not asked for by the end is an unknown key.
pub(super) struct Fields<'r, 's, 't> {
    pub(super) report: &'r Report<'s>,
    table: &'t DeTable<'t>,
    /// The header, or the whole inline table.
    pub(super) span: Span,
    asked: Vec<&'static str>,
}

type Entry<'t> = (&'t Spanned<std::borrow::Cow<'t, str>>, &'t Spanned<DeValue<'t>>);

pub(super) fn span<T>(spanned: &Spanned<T>) -> Span {
    let range = spanned.span();
    Span::new(range.start, range.end.max(range.start))
}

impl<'r, 's, 't> Fields<'r, 's, 't> {
    pub(super) fn new(report: &'r Report<'s>, table: &'t DeTable<'t>, span: Span) -> Fields<'r, 's, 't> {
        Fields { report, table, span, asked: Vec::new() }
    }

    fn get(&mut self, key: &'static str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.asked.push(key);
        self.table.get(key)
    }

    fn wrong_type(&self, key: &str, value: &Spanned<DeValue>, wanted: &str) {
        let title = format!("`{key}` is {}, not {wanted}", with_article(value.get_ref().type_str()));
        self.report.error("wrong-type", span(value), title);
    }

    fn missing(&self, key: &str) {
        self.report.error("missing-key", self.span, format!("`{key}` is missing here"));
    }

    pub(super) fn text(&mut self, key: &'static str) -> Option<Text> {
        let value = self.get(key)?;
        let text = value.get_ref().as_str().map(|text| Text { value: text.to_owned(), span: span(value) });
        if text.is_none() {
            self.wrong_type(key, value, "a text");
        }
        text
    }

    /// A text that has to be there; empty, after an error, where it is not.
    pub(super) fn need_text(&mut self, key: &'static str) -> Text {
        if !self.table.contains_key(key) {
            self.missing(key);
        }
        self.text(key).unwrap_or(Text { value: String::new(), span: self.span })
    }

    /// A text, or a number taken as it is written.
    pub(super) fn quantity(&mut self, key: &'static str) -> Option<Text> {
        let value = self.get(key)?;
        let text = written(value);
        if text.is_none() {
            self.wrong_type(key, value, "a quantity");
        }
        text
    }

    /// A text or number that has to be there.
    pub(super) fn need_quantity(&mut self, key: &'static str) -> Option<Text> {
        if !self.table.contains_key(key) {
            self.missing(key);
        }
        self.quantity(key)
    }

    pub(super) fn texts(&mut self, key: &'static str) -> Vec<Text> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let Some(items) = value.get_ref().as_array() else {
            self.wrong_type(key, value, "a list of texts");
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items.iter() {
            match item.get_ref().as_str() {
                Some(text) => texts.push(Text { value: text.to_owned(), span: span(item) }),
                None => self.wrong_type(key, item, "a text"),
            }
        }
        texts
    }

    /// A list of texts, or of numbers taken as they are written.
    pub(super) fn quantities(&mut self, key: &'static str) -> Vec<Text> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let Some(items) = value.get_ref().as_array() else {
            self.wrong_type(key, value, "a list of quantities");
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items.iter() {
            match written(item) {
                Some(text) => texts.push(text),
                None => self.wrong_type(key, item, "a quantity"),
            }
        }
        texts
    }

    /// `because = { CODE = "why" }`, or `{ CODE = { "WHAT" = "why" } }`: why findings of `lint` are as they should be. Only
    /// the shape is looked at here; what the reasons answer is known to whoever finds it.
    pub(super) fn reasons(&mut self) {
        for (code, value) in self.entries("because") {
            let whys = match value.table() {
                Some(table) => table.table.iter().map(|(_, why)| why).collect(),
                None => vec![value.value],
            };
            let is_said = |why: &&Spanned<DeValue>| why.get_ref().as_str().is_some_and(|why| !why.trim().is_empty());
            if whys.is_empty() || !whys.iter().all(is_said) {
                let title = format!("nothing says why `{}` is as it should be", code.value);
                self.report.error("bad-reason", value.span(), title).help(format!("write `because = {{ {} = \"why\" }}`", code.value));
            }
        }
    }

    pub(super) fn figure(&mut self, key: &'static str) -> Option<Figure> {
        let value = self.get(key)?;
        let figure = number(value);
        if figure.is_none() {
            self.wrong_type(key, value, "a number");
        }
        figure
    }

    pub(super) fn flag(&mut self, key: &'static str) -> Option<bool> {
        let value = self.get(key)?;
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_type(key, value, "true or false");
        }
        flag
    }

    pub(super) fn table(&mut self, key: &'static str) -> Option<Fields<'r, 's, 't>> {
        let value = self.get(key)?;
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(key, value, "a table");
        }
        Some(Fields::new(self.report, table?, span(value)))
    }

    /// A list of tables: `[[key]]`, or inline.
    pub(super) fn tables(&mut self, key: &'static str) -> Vec<Fields<'r, 's, 't>> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let Some(items) = value.get_ref().as_array() else {
            self.wrong_type(key, value, &format!("a list of tables, as `[[{key}]]` writes it"));
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in items.iter() {
            match item.get_ref().as_table() {
                Some(table) => tables.push(Fields::new(self.report, table, span(item))),
                None => self.wrong_type(key, item, "a table"),
            }
        }
        tables
    }

    /// The entries of a table whose keys the author chooses, in the order of the file.
    pub(super) fn entries(&mut self, key: &'static str) -> Vec<(Text, Value<'r, 's, 't>)> {
        let Some(table) = self.table(key) else { return Vec::new() };
        let mut entries: Vec<Entry> = table.table.iter().collect();
        entries.sort_by_key(|(key, _)| span(key));
        let named = |(key, value): Entry<'t>| {
            let name = Text { value: key.get_ref().to_string(), span: span(key) };
            (name, Value { report: self.report, value })
        };
        entries.into_iter().map(named).collect()
    }

    /// Tells of every key that was not asked for.
    pub(super) fn finish(self) {
        let mut unknown: Vec<_> = self.table.keys().filter(|key| !self.asked.contains(&key.get_ref().as_ref())).collect();
        unknown.sort_by_key(|key| span(key));
        for key in unknown {
            let name = key.get_ref().as_ref();
            let near = diagnostic::nearest(name, self.asked.iter().copied());
            let known = || format!("known here: {}", self.asked.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", "));
            self.report.error("unknown-key", span(key), format!("the key `{name}` has no meaning here")).did_you_mean(near, known);
        }
    }
}

/// A value under a key that the author chose.
pub(super) struct Value<'r, 's, 't> {
    report: &'r Report<'s>,
    value: &'t Spanned<DeValue<'t>>,
}

impl<'r, 's, 't> Value<'r, 's, 't> {
    pub(super) fn span(&self) -> Span {
        span(self.value)
    }

    pub(super) fn written(&self) -> Option<Text> {
        written(self.value)
    }

    pub(super) fn figure(&self) -> Option<Figure> {
        number(self.value)
    }

    pub(super) fn table(&self) -> Option<Fields<'r, 's, 't>> {
        Some(Fields::new(self.report, self.value.get_ref().as_table()?, span(self.value)))
    }

    pub(super) fn wrong_type(&self, name: &str, wanted: &str) {
        let title = format!("`{name}` is {}, not {wanted}", with_article(self.value.get_ref().type_str()));
        self.report.error("wrong-type", self.span(), title);
    }
}

fn written(value: &Spanned<DeValue>) -> Option<Text> {
    let text = match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        _ => return None,
    };
    Some(Text { value: text, span: span(value) })
}

fn number(value: &Spanned<DeValue>) -> Option<Figure> {
    let written = match value.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
        DeValue::Float(number) => number.as_str(),
        _ => return None,
    };
    let number: f64 = written.replace('_', "").parse().ok()?;
    number.is_finite().then_some(Figure { value: number, span: span(value) })
}

fn with_article(kind: &str) -> String {
    match kind {
        "string" => "a text".to_owned(),
        "boolean" => "true or false".to_owned(),
        "array" => "a list".to_owned(),
        "integer" | "inline table" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}
