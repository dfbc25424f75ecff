//! A whole class through the program: killed, stopped, crowded, and read by others.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Answers of the class; grading all of them takes a debug build about a second.
const ANSWERS: usize = 90;

/// A folder of the tests' own, empty.
fn room(name: &str) -> PathBuf {
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join("class").join(name);
    let _ = fs::remove_dir_all(&room);
    fs::create_dir_all(&room).expect("the tests' folder is writable");
    room
}

/// A stream of short answers, one of which is no answer.
fn stream(room: &Path) -> PathBuf {
    let line = |at: usize| {
        let text = format!("## (a)\n\nS = {}.6 GB\n\n## (b)\n\nlatency 1.{at} ms, bandwidth 201.5 ms, total 202.7 ms\n", at % 4);
        serde_json::json!({ "id": format!("s{at:03}"), "text": text, "kind": "md" }).to_string() + "\n"
    };
    let path = room.join("class.jsonl");
    fs::write(&path, (0..ANSWERS).map(line).collect::<String>() + "not JSON\n").expect("the room is writable");
    path
}

fn grade(input: &Path, out: &Path) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_drillmark"));
    program.arg("grade").arg(input).arg("--out").arg(out).args(["--drill", "communication-budget", "--feedback", "txt"]);
    program.stdout(Stdio::piped()).stderr(Stdio::piped());
    program
}

fn ran(command: &mut Command) -> Output {
    command.output().expect("the program runs")
}

/// Every file of a run, by name, with its bytes.
fn files(out: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = [out.to_owned(), out.join("feedback")]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("the run is there"))
        .map(|entry| entry.expect("it is readable").path())
        .filter(|path| path.is_file())
        .map(|path| (path.strip_prefix(out).expect("below").display().to_string(), fs::read(&path).expect("it is readable")))
        .collect();
    files.sort();
    files
}

/// Waits until so many bytes are in the journal, or the program has ended.
fn until_journal(out: &Path, bytes: u64, child: &mut Child) {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        let written = fs::metadata(out.join("journal.jsonl")).map_or(0, |metadata| metadata.len());
        if written >= bytes || child.try_wait().expect("it is our child").is_some() {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_run_that_is_killed_again_and_again_comes_out_the_same() {
    let room = room("killed");
    let (input, undisturbed, out) = (stream(&room), room.join("undisturbed"), room.join("out"));
    let output = ran(&mut grade(&input, &undisturbed));
    assert_eq!(output.status.code(), Some(2), "one line is no answer: {output:?}");
    let mut kills = 0;
    for bytes in [0, 1, 20_000, 200_000, 300_001, 500_000, 700_000] {
        let mut child = grade(&input, &out).spawn().expect("the program starts");
        until_journal(&out, bytes, &mut child);
        kills += usize::from(child.try_wait().expect("it is our child").is_none());
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        assert!(fs::exists(out.join("run.json")).is_ok_and(|is_done| !is_done) || bytes > 200_000, "killed before its end");
    }
    let output = ran(&mut grade(&input, &out));
    assert_eq!(output.status.code(), Some(2));
    assert!(kills > 2, "the program is too fast to be killed");
    assert!(files(&out) == files(&undisturbed));
}

#[cfg(unix)]
#[test]
fn control_c_stops_a_run_that_then_goes_on() {
    let room = room("stopped");
    let (input, out) = (stream(&room), room.join("out"));
    let mut child = grade(&input, &out).args(["--threads", "1"]).spawn().expect("the program starts");
    until_journal(&out, 100_000, &mut child);
    assert!(ran(Command::new("kill").args(["-INT", &child.id().to_string()])).status.success());
    let output = child.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("the same command goes on"), "{told}");
    let output = ran(&mut grade(&input, &out));
    assert!(String::from_utf8_lossy(&output.stdout).contains("unchanged since the last time"), "{output:?}");
    let rows = fs::read_to_string(out.join("grades.jsonl")).expect("it ended");
    let ids: Vec<String> =
        rows.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).expect("JSON")["submission"]["id"].to_string()).collect();
    assert_eq!(ids.len(), ANSWERS + 1);
    assert!(ids.is_sorted());
}

#[test]
fn two_runs_into_one_folder_are_refused() {
    let room = room("crowded");
    let (input, out) = (stream(&room), room.join("out"));
    let mut child = grade(&input, &out).args(["--threads", "1"]).spawn().expect("the program starts");
    until_journal(&out, 1, &mut child);
    let second = ran(&mut grade(&input, &out));
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert_eq!(second.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another run is writing"), "{second:?}");
}

#[test]
fn the_order_of_the_files_and_the_threads_do_not_matter() {
    let room = room("order");
    let answers: Vec<(String, String)> =
        (0..30).map(|at| (format!("s{at:02}.md"), format!("(a) S = {at}.6 GB\n\n(b) latency 1.24 ms"))).collect();
    for (folder, is_reversed) in [("one", false), ("two", true)] {
        let class = room.join(folder).join("class");
        fs::create_dir_all(&class).expect("the room is writable");
        let mut answers = answers.clone();
        if is_reversed {
            answers.reverse();
        }
        for (name, text) in answers {
            fs::write(class.join(name), text).expect("the room is writable");
        }
        let mut program = grade(Path::new("class"), Path::new("out"));
        let output = ran(program.current_dir(room.join(folder)).args(["--threads", if is_reversed { "3" } else { "1" }]));
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    assert!(files(&room.join("one/out")) == files(&room.join("two/out")));
}

#[test]
fn what_cannot_be_used_is_told_in_one_line() {
    let room = room("refused");
    fs::create_dir_all(room.join("empty")).expect("the room is writable");
    fs::write(room.join("broken.zip"), b"PK\x03\x04 and then nothing").expect("the room is writable");
    for (input, told) in [("empty", "no submissions"), ("broken.zip", "not a whole zip"), ("missing", "no such file")] {
        let output = ran(&mut grade(&room.join(input), &room.join("out")));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(told) && error.lines().count() == 1, "{error}");
    }
}

/// File names are the student's choice: nothing obeys them, and nothing is written where they point.
#[cfg(unix)]
#[test]
fn names_of_files_are_obeyed_by_nobody() {
    let room = room("names");
    let class = room.join("class");
    fs::create_dir_all(&class).expect("the room is writable");
    let names =
        ["=cmd|' -C calc'!A0", "a\u{1b}[2J;$(touch evil)", "::error::x", "##[error]x", "\u{202e}dm.x", "-rf", "<b>x", "line\nbreak"];
    for name in names {
        fs::write(class.join(format!("{name}.md")), "(a) S = 2.6 GB").expect("the room is writable");
        fs::write(class.join(format!("{name}.png")), b"\x89PNG\r\n\x1a\n\0").expect("the room is writable");
        fs::write(class.join(format!("{name} too.png")), b"\x89PNG\r\n\x1a\n\0").expect("the room is writable");
    }
    let out = room.join("out");
    let output = ran(&mut grade(&class, &out));
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = [output.stdout, output.stderr].concat();
    let mut texts = vec![String::from_utf8(said).expect("UTF-8")];
    for (name, bytes) in files(&out) {
        assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"%._-~/".contains(&byte)), "{name}");
        texts.push(String::from_utf8(bytes).expect("UTF-8"));
    }
    for text in &texts {
        assert!(text.chars().all(|c| (!c.is_control() || c == '\n') && c != '\u{202e}'), "{text:?}");
        // Cells hold the exact ids, and nobody prints a gradebook into the log of a CI runner.
        assert!(text.starts_with("id,") || text.lines().all(|line| !line.trim_start().starts_with("::")), "{text}");
    }
    let book = fs::read_to_string(out.join("gradebook.csv")).expect("it ended");
    assert!(!book.lines().any(|line| line.trim_start_matches('"').starts_with(['=', '-'])), "{book}");
    assert_eq!(fs::read_dir(&room).expect("the room is readable").count(), 2);
    let rows = fs::read_to_string(out.join("grades.jsonl")).expect("it ended");
    assert_eq!(rows.lines().count(), 2 * names.len());
}
