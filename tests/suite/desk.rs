//! The review desk in a real terminal: what was decided is there again, whatever happened to the program.
#![cfg(unix)]

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

const PROGRAM: &str = env!("CARGO_BIN_EXE_drillmark");

/// A folder of the tests' own, empty.
fn room(name: &str) -> PathBuf {
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join("desk").join(name);
    let _ = fs::remove_dir_all(&room);
    fs::create_dir_all(&room).expect("the tests' folder is writable");
    room
}

/// A graded class of seven, of whom two say the same under (d), and none says anything that a rule decides.
fn graded(name: &str) -> PathBuf {
    let room = room(name);
    let texts = [
        "Long or short, the traffic is what one has to look at.",
        "One may argue for either side of this, I suppose.",
        "It is long, the backward pass, and that matters.",
        "One would have to measure it before one says anything.",
        "Long or short, the traffic   is what one has to look at.",
        "The tool and I are of two minds about this one.",
        "Some of it is hidden and some of it is not.\u{1b}]0;owned\u{7}",
    ];
    let line = |(at, text): (usize, &&str)| {
        let text = format!("## (a)\n\nS = 2.6 GB\n\n## (b)\n\nlatency 1.24 ms, bandwidth 201.5 ms, total 202.7 ms\n\n## (d)\n\n{text}\n");
        serde_json::json!({ "id": format!("s{at}"), "text": text, "kind": "md" }).to_string() + "\n"
    };
    let class = room.join("class.jsonl");
    fs::write(&class, texts.iter().enumerate().map(line).collect::<String>()).expect("the room is writable");
    let out = room.join("run");
    let output = plain(Command::new(PROGRAM).arg("grade").arg(class).arg("--out").arg(&out).args(["--drill", "communication-budget"]));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    out
}

fn plain(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().expect("the program runs")
}

fn review(run: &Path, args: &[&str]) -> Output {
    plain(Command::new(PROGRAM).arg("review").arg(run).args(args))
}

/// The program in a terminal of 80 columns and 24 lines.
struct Seat {
    child: Child,
    keys: File,
    written: Arc<Mutex<Vec<u8>>>,
}

impl Seat {
    /// Sits down; none where the system gives no terminals.
    fn take(run: &Path, name: &str, more: &[&str]) -> Option<Seat> {
        let keys = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).ok()?;
        grantpt(&keys).ok()?;
        unlockpt(&keys).ok()?;
        let path = ptsname(&keys, Vec::new()).ok()?;
        let desk = OpenOptions::new().read(true).write(true).open(path.to_str().ok()?).ok()?;
        tcsetwinsize(&desk, Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 }).ok()?;
        let end = || Stdio::from(desk.try_clone().expect("a file can be held twice"));
        let mut command = Command::new(PROGRAM);
        command.arg("review").arg(run).args(["--as", name]).args(more).env("TERM", "xterm-256color").env_remove("NO_COLOR");
        let child = command.stdin(end()).stdout(end()).stderr(end()).spawn().expect("the program starts");
        drop(desk);
        let keys = File::from(keys);
        let written = Arc::new(Mutex::new(Vec::new()));
        let (mut reader, sink) = (keys.try_clone().expect("a file can be held twice"), Arc::clone(&written));
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The system tells that the other end is closed by an error.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                sink.lock().expect("nobody panics with it").extend_from_slice(&bytes[..count]);
            }
        });
        Some(Seat { child, keys, written })
    }

    fn press(&mut self, keys: &str) {
        self.written.lock().expect("nobody panics with it").clear();
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// What was written since the last key, without escape codes.
    fn text(&self) -> String {
        let bytes = self.written.lock().expect("nobody panics with it").clone();
        anstream::adapter::strip_str(&String::from_utf8_lossy(&bytes)).to_string()
    }

    /// Waits until it is written.
    fn until(&self, words: &str) -> String {
        let start = Instant::now();
        loop {
            let text = self.text();
            if text.contains(words) {
                return text;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "`{words}` never came:\n{text}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn end(mut self) -> Option<i32> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status.code();
            }
            assert!(start.elapsed() < Duration::from_secs(60), "it does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sits down, or says why the test is none here.
macro_rules! seat {
    ($($args:expr),*) => {
        match Seat::take($($args),*) {
            Some(seat) => seat,
            None => {
                eprintln!("skipped: this system gives no terminals to programs");
                return;
            }
        }
    };
}

#[test]
fn what_was_decided_is_there_again() {
    let run = graded("again");
    // To the criterion on which this class waits.
    let find = |seat: &mut Seat, decided: usize| {
        seat.until(" decided");
        for _ in 0..40 {
            if seat.text().contains("d.overlap  criterion") {
                break;
            }
            seat.press("]");
            seat.until("criterion");
            thread::sleep(Duration::from_millis(30));
        }
        seat.until(&format!("{decided} of "));
    };
    let mut seat = seat!(&run, "ada", &[]);
    find(&mut seat, 0);
    assert!(!seat.text().contains('\u{7}'));
    seat.press("m");
    seat.until("met; `u` takes it back");
    seat.press("cBecause of \u{8}\u{8}\u{8}that.\r");
    seat.until("the comment goes with the decision");
    seat.press("n");
    seat.until("not met, with your comment");
    seat.press("u");
    seat.until("taken back");
    seat.press("q");
    assert_eq!(seat.end(), Some(0));
    let table = run.join("table.csv");
    assert!(review(&run, &["--verify"]).status.success());
    let said = String::from_utf8(review(&run, &["--agreement"]).stdout).expect("UTF-8");
    assert!(said.starts_with("nothing was decided twice"), "{said}");
    assert_eq!(review(&run, &["--agreement", "--format", "json"]).stdout, b"[]\n");

    // Killed in the middle of it, nothing is lost.
    let mut seat = seat!(&run, "ada", &[]);
    find(&mut seat, 1);
    let crowded = review(&run, &["--as", "bo", "--import", "no-such-table.csv"]);
    assert_eq!(crowded.status.code(), Some(2));
    seat.press("p");
    seat.until("partly met; `u` takes it back");
    seat.child.kill().expect("it is our child");
    drop(seat);
    let told = String::from_utf8(review(&run, &["--verify"]).stdout).expect("UTF-8");
    assert!(told.starts_with("4 lines, each as it was written"), "{told}");

    // Cut off as by a power loss, the last line at most is lost.
    let log = run.join("decisions.jsonl");
    let whole = fs::read(&log).expect("it was written");
    fs::write(&log, [&whole[..], b"{\"n\":5,\"time\":\"2026"].concat()).expect("it is writable");
    let mut seat = seat!(&run, "ada", &[]);
    seat.until("the last decision was cut off");
    find(&mut seat, 2);
    seat.press("q");
    assert_eq!(seat.end(), Some(0));
    assert_eq!(fs::read(&log).expect("it is there"), whole);
    assert!(run.join("decisions.torn").is_file());

    // The table says what the log says, and an edit of the log is found.
    assert!(review(&run, &["--export", &table.to_string_lossy()]).status.success());
    let text = fs::read_to_string(&table).expect("it was written");
    assert!(text.contains(",met,,met,") && text.contains(",partly,,partly,"), "{text}");
    let back = review(&run, &["--as", "bo", "--import", &table.to_string_lossy()]);
    let said = String::from_utf8_lossy(&back.stdout).into_owned();
    assert!(back.status.success() && said.contains("0 decisions taken"), "{said}");
    fs::write(&log, String::from_utf8(whole).expect("UTF-8").replace("\"met\"", "\"not_met\"")).expect("it is writable");
    let output = review(&run, &["--verify"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("decisions.jsonl:1: this line was changed"), "{output:?}");
    assert_eq!(review(&run, &["--apply"]).status.code(), Some(2), "nothing is built on a log that was changed");
}

#[test]
fn one_desk_at_a_time_and_none_without_a_terminal() {
    let run = graded("one");
    let mut seat = seat!(&run, "ada", &[]);
    seat.until(" decided");
    let other = seat!(&run, "bo", &[]);
    other.until("has the review desk open");
    assert_eq!(other.end(), Some(2));
    seat.press("\u{3}");
    assert_eq!(seat.end(), Some(0));
    let output = review(&run, &["--as", "ada"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("needs a terminal"), "{output:?}");
}

#[test]
fn a_thousand_cases_lie_on_the_desk_at_once() {
    let run = graded("thousand");
    let path = run.join("review.jsonl");
    let lines = fs::read_to_string(&path).expect("it was written");
    let one: serde_json::Value = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .find(|line: &serde_json::Value| line["id"] == "d.overlap")
        .expect("it waits");
    let line = |at: usize| {
        let mut line = one.clone();
        line["submission"] = format!("s{at}").into();
        line["passage"] = format!("Answer {at}. {}", "The backward pass matters here, as does what hides behind it. ".repeat(8)).into();
        line["passage_sha256"] = format!("{at:064x}").into();
        line["marks"] = serde_json::json!([]);
        line.to_string() + "\n"
    };
    fs::write(&path, (0..1000).map(line).collect::<String>()).expect("it is writable");
    let start = Instant::now();
    let mut seat = seat!(&run, "ada", &["--color", "never"]);
    seat.until("0 of 1000 decided");
    let opened = start.elapsed();
    // An unoptimized build on a busy machine is given five times as long.
    assert!(opened < Duration::from_secs(if cfg!(debug_assertions) { 5 } else { 1 }), "{opened:?}");
    for at in 1..=5 {
        seat.press("m");
        seat.until(&format!("{at} of 1000 decided"));
    }
    let bytes = seat.written.lock().expect("nobody panics with it").clone();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    assert!(!text.contains("[1;32m") && !text.contains("[32m"), "no color where none is wanted");
    seat.press("q");
    assert_eq!(seat.end(), Some(0));
}
