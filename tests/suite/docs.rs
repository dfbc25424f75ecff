//! The guide for authors is true: every piece of a file in it stands in the example course, and every session in it runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A fenced block: what stands behind the fence, and the lines inside.
struct Block {
    info: String,
    line: usize,
    lines: Vec<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (number, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), is_open) {
            (Some(info), false) => {
                blocks.push(Block { info: info.to_owned(), line: number + 1, lines: Vec::new() });
                is_open = true;
            }
            (Some(_), true) => is_open = false,
            (None, true) => blocks.last_mut().expect("one is open").lines.push(line.to_owned()),
            (None, false) => {}
        }
    }
    blocks
}

fn guide() -> Vec<Block> {
    blocks(&fs::read_to_string(Path::new(ROOT).join("docs/authoring.md")).expect("there is a guide"))
}

#[test]
fn every_excerpt_stands_in_the_example_course() {
    let mut excerpts = 0;
    for block in guide() {
        let Some((_, file)) = block.info.split_once(' ') else {
            assert!(matches!(block.info.as_str(), "console" | "sh"), "line {}: `{}` names no file", block.line, block.info);
            continue;
        };
        let text = fs::read_to_string(Path::new(ROOT).join("examples/course").join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let lines: Vec<&str> = text.lines().collect();
        let stands = lines.windows(block.lines.len()).any(|window| window.iter().zip(&block.lines).all(|(a, b)| *a == b));
        assert!(stands, "docs/authoring.md line {}: these lines are not in {file}", block.line);
        excerpts += 1;
    }
    assert!(excerpts >= 10, "only {excerpts} excerpts");
}

/// A copy of the example course, with a stricter rubric beside it.
fn course() -> PathBuf {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).expect("a folder for the test");
        for entry in fs::read_dir(from).expect("the example is there") {
            let path = entry.expect("a readable entry").path();
            let to = to.join(path.file_name().expect("a listed file"));
            if path.is_dir() { copy(&path, &to) } else { fs::copy(&path, &to).map(|_| ()).expect("a copy") }
        }
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("guide");
    let _ = fs::remove_dir_all(&folder);
    copy(&Path::new(ROOT).join("examples/course"), &folder);
    let rubric = fs::read_to_string(folder.join("rubrics/stopping-distance.toml")).expect("the rubric");
    let stricter = rubric.replace("partly = \"any", "partly_share = 0.25\npartly = \"any");
    assert_ne!(stricter, rubric);
    fs::write(folder.join("stricter.toml"), stricter).expect("a file");
    folder
}

#[test]
fn every_session_runs() {
    let course = course();
    let mut sessions = 0;
    for block in guide().iter().filter(|block| block.info == "console") {
        let mut lines = block.lines.iter().map(String::as_str).peekable();
        while let Some(command) = lines.next() {
            let words = command.strip_prefix("$ drillmark ").expect("a session starts with a command, and each is ours");
            let mut said = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                said.push(line);
            }
            let output =
                Command::new(env!("CARGO_BIN_EXE_drillmark")).args(split(words)).current_dir(&course).output().expect("the program starts");
            let shown = String::from_utf8_lossy(&output.stdout);
            assert!(
                matches(&said, &shown.lines().collect::<Vec<_>>()),
                "docs/authoring.md line {}: `{command}` prints\n{shown}{}\nnot\n{}",
                block.line,
                String::from_utf8_lossy(&output.stderr),
                said.join("\n")
            );
            sessions += 1;
        }
    }
    assert!(sessions >= 5, "only {sessions} sessions");
}

/// The words of a command line; quotes keep spaces together.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, piece) in command.split('"').enumerate() {
        match number % 2 {
            1 => words.push(piece.to_owned()),
            _ => words.extend(piece.split_whitespace().map(str::to_owned)),
        }
    }
    words
}

/// Whether the lines are these, where a line `…` stands for any number of them.
fn matches(said: &[&str], lines: &[&str]) -> bool {
    match said {
        [] => lines.is_empty(),
        ["…", rest @ ..] => (0..=lines.len()).any(|skipped| matches(rest, &lines[skipped..])),
        [line, rest @ ..] => lines.first() == Some(line) && matches(rest, &lines[1..]),
    }
}
