//! Compiles every drill, rubric and model answer of `drills/` and `rubrics/` into the library: a new file is picked up without touching `src/`.

use std::env;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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
    fs::write(out.join("library.rs"), code)
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
