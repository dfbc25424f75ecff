//! `docs/reference.md`: every key, notation and code, written from the code that reads and says them.
//!
//! After a change: `REFERENCE_UPDATE=1 cargo test reference`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use drillmark::diagnostic::{CODES, Severity, Stage};
use drillmark::quantity::Units;
use regex::{Captures, Regex};
use serde_json::Value;

use crate::schema;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

#[test]
fn the_shipped_reference_is_the_generated_one() {
    let text = reference();
    let path = Path::new(ROOT).join("docs/reference.md");
    if std::env::var_os("REFERENCE_UPDATE").is_some() {
        fs::write(&path, &text).expect("the reference can be written");
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(there == text, "docs/reference.md is not what the code says; REFERENCE_UPDATE=1 writes it");
}

fn reference() -> String {
    let mut out = String::from(
        "# Reference for authors\n\nWritten from the code by its tests. How to write a drill is told in [the guide](authoring.md).\n\n\
         [Drill](#drill) · [Rubric](#rubric) · [Formulas](#formulas) · [Units](#units) · [Phrases](#phrases) · [Rules](#rules) · \
         [Model answers](#model-answers) · [Fixtures](#fixtures) · [What is found in an answer](#what-is-found-in-an-answer) · \
         [What is found in a drill](#what-is-found-in-a-drill) · [What lint finds](#what-drillmark-lint-finds)\n",
    );
    let [(_, drill), (_, rubric), _, (_, expect)] = schema::schemas();
    keys(&mut out, "Drill", "`drills/ID.toml`", &drill);
    keys(&mut out, "Rubric", "`rubrics/ID.toml`", &rubric);
    notation(&mut out, "Formulas", "src/formula.rs");
    units(&mut out);
    for (title, file) in [
        ("Phrases", "src/phrase.rs"),
        ("Rules", "src/drill/rule.rs"),
        ("Model answers", "src/drill/model.rs"),
        ("Fixtures", "src/fixture.rs"),
    ] {
        notation(&mut out, title, file);
    }
    out.push('\n');
    table(&mut out, &expect);
    let want = &expect["definitions"]["Want"];
    let _ = writeln!(out, "\n**Want**, where more than the verdict of a quantity is declared:\n");
    table(&mut out, want);
    findings(&mut out);
    diagnostics(&mut out);
    out
}

/// The tables of a file, each with its keys.
fn keys(out: &mut String, title: &str, file: &str, schema: &Value) {
    let _ = writeln!(out, "\n## {title}\n\n{file}: {}\n", lower(schema["description"].as_str().unwrap_or_default()));
    table(out, schema);
    for (name, definition) in schema["definitions"].as_object().expect("a schema has definitions") {
        if definition["properties"].is_object() {
            let _ = writeln!(out, "\n**{name}**: {}\n", lower(definition["description"].as_str().unwrap_or_default()));
            table(out, definition);
        }
    }
}

fn table(out: &mut String, table: &Value) {
    out.push_str("| key | is | |\n|---|---|---|\n");
    let required: BTreeSet<&str> = table["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (key, property) in table["properties"].as_object().expect("a table has keys") {
        let needed = if required.contains(key.as_str()) { ", required" } else { "" };
        let sentence = property["description"].as_str().unwrap_or_default().replace('|', "\\|").replace('\n', " ");
        let _ = writeln!(out, "| `{key}` | {}{needed} | {sentence} |", kind(property));
    }
}

/// What a key takes, in a word or two.
fn kind(property: &Value) -> String {
    if let Some(constant) = property.get("const") {
        return format!("`{constant}`");
    }
    let named = |property: &Value| property["$ref"].as_str().and_then(|path| path.rsplit('/').next()).map(str::to_owned);
    let several = property["anyOf"].as_array().or(property["allOf"].as_array());
    if let Some(name) = named(property).or_else(|| several?.iter().find_map(named)) {
        return match name.as_str() {
            "Quantity" => "a formula or quantity".to_owned(),
            "NameOrFormula" => "a formula, or a table **Name**".to_owned(),
            "Declared" => "a verdict, a list of fair ones, or a table **Want**".to_owned(),
            name if name.starts_with("OneOrSeveral") => "a word, or a list of fair ones".to_owned(),
            name => format!("**{name}**"),
        };
    }
    let types: Vec<&str> = match &property["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).filter(|kind| *kind != "null").collect(),
        other => other.as_str().into_iter().collect(),
    };
    match types.first() {
        Some(&"array") => format!("a list of {}", many(&kind(&property["items"]))),
        Some(&"object") => format!("by name: {}", kind(&property["additionalProperties"])),
        Some(&"boolean") => "true or false".to_owned(),
        Some(&"number" | &"integer") => "a number".to_owned(),
        _ => "a text".to_owned(),
    }
}

fn many(one: &str) -> String {
    one.strip_prefix("a ").map_or_else(|| one.to_owned(), |noun| format!("{noun}s"))
}

fn lower(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// What the module that reads a notation says about it.
fn notation(out: &mut String, title: &str, file: &str) {
    let text = fs::read_to_string(Path::new(ROOT).join(file)).expect("a source file is readable");
    let docs: Vec<&str> = text.lines().take_while(|line| line.starts_with("//!")).map(|line| line[3..].trim_start_matches(' ')).collect();
    let link = Regex::new(r"\[(`[^`]+`)\](?:\([^)]*\))?").expect("a pattern");
    let _ = writeln!(out, "\n## {title}\n\n{}", link.replace_all(&docs.join("\n"), "$1"));
}

fn units(out: &mut String) {
    out.push_str("\n## Units\n\nEach in its usual spellings, with the prefixes it takes, and in powers, products and quotients (`GB/s`, `m/s^2`). A drill may add its own.\n\n| kind | units | by |\n|---|---|---|\n");
    for (name, source, symbols) in Units::table() {
        let symbols: Vec<String> = symbols.iter().map(|symbol| format!("`{symbol}`")).collect();
        let _ = writeln!(out, "| {name} | {} | {source} |", symbols.join(" "));
    }
}

/// The codes of verdicts, mistakes, notes and reasons, with what each means.
fn findings(out: &mut String) {
    out.push_str("\n## What is found in an answer\n\nA code keeps its meaning in fixtures, reports and feedback.\n");
    let text = fs::read_to_string(Path::new(ROOT).join("src/grade/finding.rs")).expect("a source file is readable");
    for (name, title) in [
        ("Verdict", "Verdicts"),
        ("General", "Mistakes that need no listing"),
        ("Note", "Notes"),
        ("Found", "Terms of a sum"),
        ("ReviewWhy", "Why a person decides"),
        ("Use", "What a number was taken for (`--explain`)"),
        ("Clue", "By what it was recognized (`--explain`)"),
    ] {
        let _ = writeln!(out, "\n**{title}**\n\n| code | means |\n|---|---|");
        for (code, means) in variants(&text, name) {
            let _ = writeln!(out, "| `{code}` | {means} |");
        }
    }
}

/// The variants of an enumeration that have a code, with the sentence in front of each.
fn variants(text: &str, name: &str) -> Vec<(String, String)> {
    let body = text.split_once(&format!("pub enum {name} {{")).map(|(_, rest)| rest).expect("the enumeration is there");
    let body = body.split_once("\n}").map_or(body, |(body, _)| body);
    let code = Regex::new(&format!("{name}::(\\w+)(?:\\([^)]*\\)| \\{{[^}}]*\\}})? => \"([a-z_-]+)\"")).expect("a pattern");
    let codes: Vec<(String, String)> = code.captures_iter(text).map(|found| (found[1].to_owned(), found[2].to_owned())).collect();
    // Links within the code become what they link to: `[`Note::BrokenLink`]` the code of that note.
    let link = Regex::new(r"\[`(?:\w+::)?(\w+)`\]").expect("a pattern");
    let of = |variant: &str| {
        let code = Regex::new(&format!("::{variant}(?:\\([^)]*\\)| \\{{[^}}]*\\}})? => \"([a-z_-]+)\"")).expect("a pattern");
        code.captures(text).map_or_else(|| format!("`{variant}`"), |found| format!("`{}`", &found[1]))
    };
    let (mut found, mut docs): (Vec<(String, String)>, Vec<&str>) = (Vec::new(), Vec::new());
    for line in body.lines().filter_map(|line| line.strip_prefix("    ")).filter(|line| !line.starts_with(' ')) {
        match line.strip_prefix("/// ") {
            Some(sentence) => docs.push(sentence),
            None => {
                let variant: String = line.chars().take_while(|c| c.is_alphanumeric()).collect();
                if let Some((_, code)) = codes.iter().find(|(name, _)| *name == variant) {
                    found.push((code.clone(), link.replace_all(&docs.join(" "), |found: &Captures| of(&found[1])).replace('|', "\\|")));
                }
                if !variant.is_empty() {
                    docs.clear();
                }
            }
        }
    }
    assert!(!found.is_empty(), "{name} has codes");
    found
}

/// The codes of what is told to authors, why they matter, and the simplest fix.
fn diagnostics(out: &mut String) {
    for (stage, title, told) in [
        (
            Stage::Reading,
            "What is found in a drill",
            "While drill and rubric are read, all at once; with one of these, no answer can be graded.",
        ),
        (Stage::Checking, "What `drillmark lint` finds", "In files that can be read."),
    ] {
        let _ = writeln!(out, "\n## {title}\n\n{told}\n\n| code | weighs | why it matters | the simplest fix |\n|---|---|---|---|");
        for code in CODES.iter().filter(|code| code.stage == stage) {
            let weighs = match code.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            };
            let cell = |text: &str| text.replace('|', "\\|");
            let _ = writeln!(out, "| `{}` | {weighs} | {} | {} |", code.code, cell(code.why), cell(code.fix));
        }
    }
}
