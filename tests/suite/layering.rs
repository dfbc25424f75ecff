//! Keeps the floor plan: each module imports only what its row allows, and a row names only rows above it.

use std::fs;
use std::path::{Path, PathBuf};

/// One row a module: its name, and the modules it may use. A row may name only rows above it, so no circle fits in.
const MAY_USE: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("quantity", &[]),
    ("diagnostic", &["text"]),
    ("formula", &["text", "quantity", "diagnostic"]),
    ("phrase", &["text"]),
    ("answer", &["text", "phrase"]),
    ("recognize", &["text", "quantity", "formula", "answer"]),
    ("collective", &["quantity"]),
    ("drill", &["text", "quantity", "diagnostic", "formula", "phrase", "answer", "recognize"]),
    ("grade", &["text", "quantity", "formula", "phrase", "recognize", "answer", "drill"]),
    ("report", &["text", "quantity", "diagnostic", "formula", "recognize", "answer", "drill", "grade"]),
    ("fixture", &["text", "answer", "drill", "grade", "report"]),
    ("lint", &["text", "quantity", "diagnostic", "formula", "phrase", "answer", "drill", "grade", "report", "fixture"]),
    ("cohort", &["text", "quantity", "diagnostic", "formula", "recognize", "answer", "drill", "grade", "report", "lint"]),
];

#[test]
fn the_plan_itself_has_no_circle() {
    for (row, (module, uses)) in MAY_USE.iter().enumerate() {
        for used in *uses {
            let at = MAY_USE.iter().position(|(name, _)| name == used);
            assert!(at.is_some_and(|at| at < row), "`{module}` may name only rows above it, not `{used}`");
        }
    }
}

#[test]
fn imports_go_down_only() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut breaches = Vec::new();
    for file in rust_files(&src) {
        let relative = file.strip_prefix(&src).expect("listed below src");
        let module =
            relative.components().next().expect("a file has a name").as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned();
        if matches!(module.as_str(), "lib" | "main" | "cli") {
            continue;
        }
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == module) else {
            breaches.push(format!("src/{}: `{module}` has no row in the plan", relative.display()));
            continue;
        };
        let text = fs::read_to_string(&file).expect("a source file is readable");
        for (number, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("//") {
                continue;
            }
            if line.contains("use crate::{") || line.contains("super::super::") {
                breaches.push(format!("src/{}:{}: one `use crate::module::…` line a module", relative.display(), number + 1));
            }
            for (at, _) in line.match_indices("crate::") {
                let used: String = line[at + 7..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let is_module = MAY_USE.iter().any(|(name, _)| *name == used);
                if is_module && used != module && !allowed.contains(&used.as_str()) {
                    breaches.push(format!("src/{}:{}: `{module}` may not use `{used}`", relative.display(), number + 1));
                }
            }
        }
    }
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("src is readable") {
        let path = entry.expect("an entry is readable").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
