//! Compiles every drill, rubric and model answer of `drills/` and `rubrics/` into the library: a new file is picked up without
//! touching `src/`.
//!
//! Of each drill its head is written out as well, by which the drill of an answer is found: reading all drills whole for that
//! would take longer than grading the answer.

use std::env;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the crate's folder"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names a folder for generated code"));
    let mut code = String::new();
    for (list, folder, ending) in [("DRILLS", "drills", ".toml"), ("RUBRICS", "rubrics", ".toml"), ("ANSWERS", "drills", ".answer.md")] {
        println!("cargo::rerun-if-changed={folder}");
        writeln!(code, "static {list}: &[(&str, &str)] = &[").expect("writing to a string");
        for file in files(&root.join(folder), ending)? {
            let name = format!("{folder}/{}", file.file_name().expect("listed").to_string_lossy());
            writeln!(code, "    ({name:?}, include_str!({file:?})),").expect("writing to a string");
        }
        code.push_str("];\n");
    }
    code.push_str("static HEADS: &[&str] = &[\n");
    for file in files(&root.join("drills"), ".toml")? {
        // A file that is broken has no head, and its author is told when it is loaded.
        let head = fs::read_to_string(&file)?.parse::<Table>().map(|drill| head(&drill).to_string()).unwrap_or_default();
        writeln!(code, "    {head:?},").expect("writing to a string");
    }
    code.push_str("];\n");
    code.push_str("static SHORT: &[&str] = &[\n");
    for file in files(&root.join("rubrics"), ".toml")? {
        writeln!(code, "    {:?},", short(&fs::read_to_string(&file)?).unwrap_or_default()).expect("writing to a string");
    }
    code.push_str("];\n");
    fs::write(out.join("library.rs"), code)
}

/// A rubric without the samples of its criteria and without comments, which grading has no need of: a third of the text. None
/// where it would not say the same otherwise.
fn short(rubric: &str) -> Option<String> {
    let (mut kept, mut skips) = (String::new(), false);
    for line in rubric.lines() {
        if skips {
            skips = line != "]";
        } else if line == "sample = [" {
            skips = true;
        } else if !line.starts_with('#') {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    let mut whole: Table = rubric.parse().ok()?;
    for criterion in whole.get_mut("criterion").and_then(Value::as_array_mut).into_iter().flatten() {
        criterion.as_table_mut()?.remove("sample");
    }
    (kept.parse::<Table>().ok()? == whole).then_some(kept)
}

/// What tells one drill from another: its title, the values of its givens, its parts and items with their topics. The
/// library reads it as it reads a whole file.
fn head(drill: &Table) -> Table {
    let mut head = keep(drill, &["title"]);
    if let Some(Value::Table(given)) = drill.get("given") {
        let values = given.iter().filter_map(|(name, given)| Some((name.clone(), Value::Table(keep(given.as_table()?, &["value"])))));
        head.insert("given".to_owned(), Value::Table(values.collect()));
    }
    head.extend(topics(drill, "part"));
    head
}

/// The parts or items of a table.
fn topics(table: &Table, key: &str) -> Option<(String, Value)> {
    let topics = table.get(key)?.as_array()?.iter().filter_map(Value::as_table).map(|part| {
        let mut topic = keep(part, &["title", "topics"]);
        topic.extend(topics(part, "item"));
        Value::Table(topic)
    });
    Some((key.to_owned(), Value::Array(topics.collect())))
}

fn keep(table: &Table, keys: &[&str]) -> Table {
    keys.iter().filter_map(|key| Some(((*key).to_owned(), table.get(*key)?.clone()))).collect()
}

/// The files of a folder with an ending, by name; none where there is no folder.
fn files(folder: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(ending) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
