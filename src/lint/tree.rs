//! A TOML file as a tree of places: where everything stands that a finding may speak of.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::text::Span;

/// A value of a TOML file with its place.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// The bytes of its key; of an element of a list, of the element.
    pub(super) key: Span,
    /// The bytes of the value; of a table with a header, those of the header.
    pub(super) span: Span,
    pub(super) kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug, Default)]
pub(super) enum Kind {
    Table(BTreeMap<String, Tree>),
    List(Vec<Tree>),
    Text(String),
    /// A number, a flag, a date; and what is not there at all.
    #[default]
    Other,
}

/// What stands for a thing that is not there.
static NOTHING: Tree = Tree { key: Span { start: 0, end: 0 }, span: Span { start: 0, end: 0 }, kind: Kind::Other };

impl Tree {
    /// The tree of a file, as far as it can be read.
    pub(super) fn of(text: &str) -> Tree {
        let (table, _) = DeTable::parse_recoverable(text);
        Tree { key: Span::default(), span: Span::default(), kind: Kind::Table(entries(table.get_ref())) }
    }

    /// The value under a key; one that is not there is empty and stands at the start of the file.
    pub(super) fn get(&self, key: &str) -> &Tree {
        match &self.kind {
            Kind::Table(table) => table.get(key).unwrap_or(&NOTHING),
            _ => &NOTHING,
        }
    }

    /// Whether there is anything under a key.
    pub(super) fn has(&self, key: &str) -> bool {
        matches!(&self.kind, Kind::Table(table) if table.contains_key(key))
    }

    /// The entries of a table, by key.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &Tree)> {
        let table = match &self.kind {
            Kind::Table(table) => Some(table),
            _ => None,
        };
        table.into_iter().flatten().map(|(key, tree)| (key.as_str(), tree))
    }

    /// The elements of a list.
    pub(super) fn list(&self) -> &[Tree] {
        match &self.kind {
            Kind::List(list) => list,
            _ => &[],
        }
    }

    /// The table of a list whose `id` is this one.
    pub(super) fn with_id(&self, id: &str) -> &Tree {
        self.list().iter().find(|element| element.get("id").text() == Some(id)).unwrap_or(&NOTHING)
    }

    /// The text, where it is one.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }
}

fn entries(table: &DeTable) -> BTreeMap<String, Tree> {
    table.iter().map(|(key, value)| (key.get_ref().to_string(), tree(span(key), value))).collect()
}

fn tree(key: Span, value: &Spanned<DeValue>) -> Tree {
    let kind = match value.get_ref() {
        DeValue::Table(table) => Kind::Table(entries(table)),
        DeValue::Array(list) => Kind::List(list.iter().map(|element| tree(span(element), element)).collect()),
        DeValue::String(text) => Kind::Text(text.to_string()),
        _ => Kind::Other,
    };
    Tree { key, span: span(value), kind }
}

fn span<T>(spanned: &Spanned<T>) -> Span {
    let range = spanned.span();
    Span::new(range.start, range.end.max(range.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_has_its_place() {
        let text = "[given]\nP = { value = \"8\" }\n[[part]]\nid = \"a\"\n[[part.ask]]\nid = \"a.x\"\ncues = [\"one\", \"two\"]\n";
        let tree = Tree::of(text);
        let at = |tree: &Tree| &text[tree.span.range()];
        assert_eq!(at(tree.get("given").get("P").get("value")), "\"8\"");
        assert_eq!(&text[tree.get("given").get("P").key.range()], "P");
        let ask = tree.get("part").with_id("a").get("ask").with_id("a.x");
        assert_eq!(at(&ask.get("cues").list()[1]), "\"two\"");
        assert_eq!(ask.get("nothing").get("at all").text(), None);
    }
}
