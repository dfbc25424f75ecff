//! Structured answers: TOML and JSON, a key and its value each.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::answer::json::{self, Node};
use crate::answer::markup::{self, Around};
use crate::answer::page::Ink;
use crate::answer::tex::Macros;
use crate::answer::{Block, Role, plain};
use crate::text::{Passage, Span};

/// Reads a TOML text into blocks. Where it is broken, what can be made out is read; if nothing can, it is plain text.
pub(crate) fn read_toml(text: &str) -> Vec<Block> {
    let (table, _) = DeTable::parse_recoverable(text);
    let mut values = Vec::new();
    flatten_toml(&mut Vec::new(), table.get_ref(), 0, &mut values);
    values.sort_by_key(|(_, span)| (span.start, span.end));
    if values.is_empty() {
        return plain::read(text);
    }
    values
        .into_iter()
        .filter(|(_, span)| text.get(span.range()).is_some())
        .map(|(keys, span)| entry(keys, toml_value(text, span)))
        .collect()
}

/// How deep tables may nest; what is deeper is left out.
const MAX_DEPTH: usize = 60;

/// A key as it is kept: of one that is longer than any name, the beginning.
fn short(key: &str) -> String {
    key[..key.floor_char_boundary(100)].to_owned()
}

fn flatten_toml(keys: &mut Vec<String>, table: &DeTable<'_>, depth: usize, values: &mut Vec<(Vec<String>, Span)>) {
    for (key, value) in table {
        keys.push(short(key.get_ref()));
        flatten_toml_value(keys, value, depth, values);
        keys.pop();
    }
}

fn flatten_toml_value(keys: &mut Vec<String>, value: &Spanned<DeValue<'_>>, depth: usize, values: &mut Vec<(Vec<String>, Span)>) {
    if depth > MAX_DEPTH {
        return;
    }
    match value.get_ref() {
        DeValue::Table(table) => flatten_toml(keys, table, depth + 1, values),
        DeValue::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                // Tables in an array are numbered by their place; plain values share the key.
                let numbered = matches!(item.get_ref(), DeValue::Table(_));
                if numbered {
                    keys.push((number + 1).to_string());
                }
                flatten_toml_value(keys, item, depth + 1, values);
                if numbered {
                    keys.pop();
                }
            }
        }
        _ => {
            let span = value.span();
            values.push((keys.clone(), Span::new(span.start, span.end.max(span.start))));
        }
    }
}

/// What a TOML value says.
fn toml_value(text: &str, span: Span) -> Passage {
    let mut passage = Passage::new();
    let written = &text[span.range()];
    for (quote, escapes) in [("\"\"\"", true), ("'''", false), ("\"", true), ("'", false)] {
        if written.len() >= 2 * quote.len() && written.starts_with(quote) && written.ends_with(quote) {
            let mut inner = Span::new(span.start + quote.len(), span.end - quote.len());
            if quote.len() == 3 {
                // The line break behind the opening quotes does not count.
                let lead = text[inner.range()].bytes().take_while(|&byte| byte == b'\r').count();
                inner.start += if text[inner.start + lead..inner.end].starts_with('\n') { lead + 1 } else { 0 };
            }
            if escapes {
                json::unescape(text, inner, &mut passage);
            } else {
                passage.push(&text[inner.range()], inner.start);
            }
            return passage;
        }
    }
    passage.push(written, span.start);
    passage
}

/// Reads a JSON text into blocks; what is no object or list is plain text.
pub(crate) fn read_json(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    match json::parse(text) {
        Some(node @ (Node::Object(_) | Node::Array(_))) => flatten_json(text, &mut Vec::new(), &node, &mut blocks),
        _ => return plain::read(text),
    }
    blocks
}

fn flatten_json(text: &str, keys: &mut Vec<String>, node: &Node, blocks: &mut Vec<Block>) {
    match node {
        Node::Object(entries) => {
            for (key, value) in entries {
                keys.push(short(key));
                flatten_json(text, keys, value, blocks);
                keys.pop();
            }
        }
        Node::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                let numbered = matches!(item, Node::Object(_));
                if numbered {
                    keys.push((number + 1).to_string());
                }
                flatten_json(text, keys, item, blocks);
                if numbered {
                    keys.pop();
                }
            }
        }
        Node::Word(span) if &text[span.range()] == "null" => {}
        Node::String(_) | Node::Word(_) => blocks.push(entry(keys.clone(), node.passage(text))),
    }
}

/// A value as a block, with the formulas in it flattened.
fn entry(keys: Vec<String>, value: Passage) -> Block {
    let text = value.text();
    let found = markup::scan(text, Around::Plain);
    let mut ink = Ink::default();
    let macros = Macros::new(0);
    let mut at = 0;
    for region in &found.regions {
        ink.passage.push(&text[at..region.span.start], at);
        markup::flatten(text, region, &macros, &mut ink);
        at = region.span.end;
    }
    ink.passage.push(&text[at..], at);
    let passage = ink.passage.through(&value);
    Block { struck: ink.struck, strong: ink.strong, ..Block::new(passage, Role::Entry(keys)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, blocks: Vec<Block>) -> Vec<(String, String, String)> {
        let block = |block: Block| {
            let keys = if let Role::Entry(keys) = &block.role { keys.join(".") } else { "-".to_owned() };
            let passage = block.passage.text().to_owned();
            (keys, passage.clone(), text[block.passage.span(0..passage.len()).range()].to_owned())
        };
        blocks.into_iter().map(block).collect()
    }

    fn row(keys: &str, passage: &str, source: &str) -> (String, String, String) {
        (keys.to_owned(), passage.to_owned(), source.to_owned())
    }

    #[test]
    fn toml() {
        let text = "# no 5 GB\n[e]\nratio = \"12.7 %\"\ncount = 2_480\n[e.fix]\nwhy = \"\"\"\nso\\\n  on \\\"x\\\"\"\"\"\n[a]\nsize = '$2.6\\,\\mathrm{GB}$'\n";
        assert_eq!(
            shown(text, read_toml(text)),
            [
                row("e.ratio", "12.7 %", "12.7 %"),
                row("e.count", "2_480", "2_480"),
                row("e.fix.why", "soon \"x\"", "so\\\n  on \\\"x\\\""),
                row("a.size", "2.6 GB", "2.6\\,\\mathrm{GB}"),
            ]
        );
        let text = "[a\nx = 5";
        assert_eq!(read_toml(text).len(), 1);
        let text = "just prose, 5 GB";
        assert_eq!(shown(text, read_toml(text)), [row("-", text, text)]);
    }

    #[test]
    fn json() {
        let text = r#"{"b": {"latency": "1.24\u202fms", "count": 2480, "none": null}, "e": [{"ratio": "12.7 %"}, {"ratio": 0.5}], "f": ["1", "2"]}"#;
        assert_eq!(
            shown(text, read_json(text)),
            [
                row("b.latency", "1.24\u{202f}ms", "1.24\\u202fms"),
                row("b.count", "2480", "2480"),
                row("e.1.ratio", "12.7 %", "12.7 %"),
                row("e.2.ratio", "0.5", "0.5"),
                row("f", "1", "1"),
                row("f", "2", "2"),
            ]
        );
    }
}
