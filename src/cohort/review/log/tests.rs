//! Whatever is done to a log, it is seen; whatever happens to the machine, at most the last line is lost.

use std::path::PathBuf;

use super::*;

/// An empty folder.
fn room(name: &str) -> PathBuf {
    let room = std::env::temp_dir().join(format!("drillmark-log-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&room);
    fs::create_dir_all(&room).expect("the system has a folder for such files");
    room
}

fn decide(id: &str, outcome: &str) -> Act {
    Act::Decide(Decision {
        drill: "communication-budget".to_owned(),
        kind: Kind::Criterion,
        id: id.to_owned(),
        submission: "s\u{202e}1".to_owned(),
        answer: "a".repeat(64),
        passage: "b".repeat(64),
        criterion: "c".repeat(64),
        outcome: outcome.to_owned(),
        share: None,
        candidate: None,
        comment: Some("“well” \u{1b}[2J said\n".to_owned()),
        rule: None,
        second: false,
        settles: false,
        seconds: Some(7),
    })
}

/// A log of five lines, in a folder of its own.
fn written_log(name: &str) -> (PathBuf, Vec<String>) {
    let room = room(name);
    let mut log = Log::open(&room, "ada").expect("nobody else has it");
    for (act, by) in [
        (decide("d.overlap", "met"), "ada"),
        (decide("d.window", "not_met"), "ada"),
        (Act::Undo { of: 2 }, "ada"),
        (decide("d.window", "partly"), "bo"),
        (decide("f.knee", "met"), "bo"),
    ] {
        log.append("2026-09-02T23:59:00Z".to_owned(), by, act).expect("it is writable");
    }
    let text = fs::read_to_string(room.join(LOG)).expect("it was written");
    (room, text.split_inclusive('\n').map(str::to_owned).collect())
}

fn flaw(room: &Path) -> Option<u64> {
    let verified = Log::verify(room).expect("it is readable");
    let flaw = verified.flaw.map(|flaw| flaw.line);
    assert_eq!(Log::read(room).is_err(), flaw.is_some());
    assert_eq!(Log::open(room, "x").is_err(), flaw.is_some());
    flaw
}

#[test]
fn a_log_is_read_as_it_was_written() {
    let (room, lines) = written_log("written");
    assert_eq!(lines.len(), 5);
    assert!(lines.iter().all(|line| line.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}')), "{lines:?}");
    let entries = Log::read(&room).expect("it is whole");
    assert_eq!(entries[0].act, decide("d.overlap", "met"));
    assert_eq!((entries[2].act.clone(), entries[4].by.as_str()), (Act::Undo { of: 2 }, "bo"));
    assert_eq!(flaw(&room), None);
    // Who opens it again goes on with the chain.
    Log::open(&room, "cy").expect("it is free again").append(String::new(), "cy", Act::Undo { of: 1 }).expect("it is writable");
    assert_eq!(Log::read(&room).expect("it is whole").len(), 6);
}

#[test]
fn every_change_is_seen() {
    let (room, lines) = written_log("changed");
    let put = |lines: &[String]| fs::write(room.join(LOG), lines.concat()).expect("it is writable");
    // Any byte of any line, the line ends too.
    for at in 0..lines.len() {
        for byte in (0..lines[at].len()).step_by(31).chain([lines[at].len() - 1]) {
            let mut bytes = lines.concat().into_bytes();
            let start: usize = lines[..at].iter().map(String::len).sum();
            bytes[start + byte] ^= 1;
            fs::write(room.join(LOG), bytes).expect("it is writable");
            assert_eq!(flaw(&room), Some(at as u64 + 1), "line {at}, byte {byte}");
        }
    }
    for at in 0..lines.len() {
        let mut removed = lines.clone();
        removed.remove(at);
        put(&removed);
        assert_eq!(flaw(&room), Some(at as u64 + 1), "without line {at}");
        let mut doubled = lines.clone();
        doubled.insert(at, lines[at].clone());
        put(&doubled);
        assert_eq!(flaw(&room), Some(at as u64 + 2), "line {at} twice");
        if at > 0 {
            let mut swapped = lines.clone();
            swapped.swap(at - 1, at);
            put(&swapped);
            assert_eq!(flaw(&room), Some(at as u64), "lines swapped before {at}");
        }
    }
    put(&[]);
    assert_eq!(flaw(&room), Some(1), "all of it gone");
    // A chain that somebody made anew, from the first line on.
    fs::remove_file(room.join(LOG)).expect("it is there");
    let head = fs::read(room.join(HEAD)).expect("it was written");
    fs::remove_file(room.join(HEAD)).expect("it is there");
    let mut forged = Log::open(&room, "eve").expect("an empty log");
    for _ in 0..5 {
        forged.append(String::new(), "ada", decide("d.overlap", "met")).expect("it is writable");
    }
    drop(forged);
    fs::write(room.join(HEAD), head).expect("it is writable");
    assert_eq!(flaw(&room), Some(5), "made anew");
    put(&lines);
    assert_eq!(flaw(&room), None);
}

#[test]
fn a_power_loss_costs_the_last_line_at_most() {
    let (room, lines) = written_log("power");
    let whole = lines.concat();
    let before: String = lines[..4].concat();
    let head_before = {
        let told = check(before.as_bytes(), None);
        format!("4 {}\n", told.last)
    };
    for cut in (before.len() + 1..whole.len()).step_by(29).chain([whole.len() - 1]) {
        // The head follows the line, so it still names the line before.
        fs::write(room.join(LOG), &whole.as_bytes()[..cut]).expect("it is writable");
        fs::write(room.join(HEAD), &head_before).expect("it is writable");
        let _ = fs::remove_file(room.join(TORN));
        assert_eq!(Log::read(&room).expect("readable while it is torn").len(), 4);
        assert!(Log::verify(&room).expect("it is readable").torn);
        let mut log = Log::open(&room, "ada").expect("it is repaired");
        let aside = log.torn().expect("it was torn").to_owned();
        assert_eq!(fs::read(aside).expect("it was put aside"), [&whole.as_bytes()[before.len()..cut], b"\n"].concat());
        log.append(String::new(), "ada", decide("f.knee", "met")).expect("it goes on");
        drop(log);
        assert_eq!(flaw(&room), None);
        assert_eq!(Log::read(&room).expect("it is whole").len(), 5);
    }
    // A disk that gives zeros for what it never wrote, and a head that was lost.
    for head in ["", "4", "\0\0\0\0"] {
        fs::write(room.join(LOG), format!("{before}{}\n", "\0".repeat(300))).expect("it is writable");
        fs::write(room.join(HEAD), head).expect("it is writable");
        assert!(Log::open(&room, "ada").expect("it is repaired").torn().is_some());
        assert_eq!(Log::read(&room).expect("it is whole").len(), 4);
    }
    // The line is there and the head is not written yet.
    fs::write(room.join(LOG), &whole).expect("it is writable");
    fs::write(room.join(HEAD), &head_before).expect("it is writable");
    assert_eq!(flaw(&room), None);
}

#[test]
fn one_desk_at_a_time() {
    let room = room("crowded");
    let first = Log::open(&room, "ada (process 7)").expect("it is free");
    let refused = Log::open(&room, "bo").expect_err("it is not").to_string();
    assert!(refused.contains("ada (process 7) has the review desk open"), "{refused}");
    drop(first);
    Log::open(&room, "bo").expect("it is free again");
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_a_link() {
    let room = room("link");
    std::os::unix::fs::symlink("/dev/null", room.join(LOG)).expect("links can be made");
    assert!(Log::open(&room, "ada").expect_err("a link").to_string().contains("is a link"));
}
