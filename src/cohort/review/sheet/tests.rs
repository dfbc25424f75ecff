//! A table goes out and comes back.

use super::*;
use crate::cohort::review::bench::{TestLog, cases, decide_all, log_of, marking};
use crate::cohort::review::desk::Desk;

/// The table as rows of cells.
fn rows(bytes: &[u8]) -> Vec<Vec<String>> {
    let text = std::str::from_utf8(bytes).expect("UTF-8").trim_start_matches('\u{feff}');
    let mut reader = ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect()
}

fn table(rows: &[Vec<String>], separator: u8) -> Vec<u8> {
    let mut writer = WriterBuilder::new().delimiter(separator).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).expect("it fits");
    }
    writer.into_inner().expect("it fits")
}

fn told(imported: &Imported) -> String {
    let decided = |act: &Act| match act {
        Act::Decide(decision) => format!(
            "{}={}{}{}",
            decision.submission,
            decision.outcome,
            decision.candidate.as_ref().map(|text| format!(" ({text})")).unwrap_or_default(),
            decision.comment.as_ref().map(|text| format!(" \"{text}\"")).unwrap_or_default()
        ),
        Act::Undo { .. } => "undo".to_owned(),
    };
    let acts: Vec<String> = imported.acts.iter().map(decided).collect();
    let problems: Vec<String> = imported.problems.iter().map(|(line, what)| format!("{line}: {what}")).collect();
    format!("{} | {} unchanged | {}", acts.join(", "), imported.unchanged, problems.join(" / "))
}

/// A log in which `s1` is met with a comment that a spreadsheet would obey.
fn some_decided() -> TestLog {
    let mut log = TestLog::default();
    let mut desk = Desk::new(marking(), Mode::Review, "ada", cases(), &[]);
    log_of(&mut desk, &mut log, Choice::Candidate(0), None);
    log_of(&mut desk, &mut log, Choice::Outcome(Outcome::Met), Some("=HYPERLINK(\"x\")"));
    log_of(&mut desk, &mut log, Choice::Level(0), None);
    log
}

#[test]
fn a_table_that_nobody_changed_changes_nothing() {
    let log = some_decided();
    let mut cases = cases();
    cases[3].text = "=cmd|'/C calc'!A0\n@SUM(1)".to_owned();
    let bytes = export(&marking(), &cases, &log.entries);
    let written = rows(&bytes);
    assert_eq!(written[0], COLUMNS);
    assert_eq!((written[1][8].as_str(), written[3][8].as_str()), ("value 1", "level 1"));
    assert_eq!(written[2][9], "'=HYPERLINK(\"x\")");
    for cell in written.iter().flatten() {
        assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell}");
    }
    for separator in [b',', b';', b'\t'] {
        let back = import(&marking(), &cases, &log.entries, &table(&written, separator)).expect("a table");
        assert_eq!(told(&back), " | 5 unchanged | ");
    }
}

#[test]
fn what_was_filled_in_is_taken() {
    let log = some_decided();
    let mut rows = rows(&export(&marking(), &cases(), &log.entries));
    rows[1][10] = "Value 2".to_owned();
    rows[2][11] = "'=1+1".to_owned();
    rows[4][10] = " NOT MET ".to_owned();
    rows[4][11] = "~o.".to_owned();
    rows[5][10] = "partly met".to_owned();
    let back = import(&marking(), &cases(), &log.entries, &table(&rows, b';')).expect("a table");
    assert_eq!(told(&back), "q1=slip (1.28 ms), s1=met \"=1+1\", s3=not_met \"~o.\", t1=partly | 1 unchanged | ");
    // The comment of a system that writes its own encoding.
    let ansi: Vec<u8> = table(&rows, b',').into_iter().map(|byte| if byte == b'~' { 0xdc } else { byte }).collect();
    let back = import(&marking(), &cases(), &log.entries, &ansi).expect("a table");
    assert!(told(&back).contains("\"Üo.\""), "{}", told(&back));
}

#[test]
fn what_cannot_be_taken_is_told_and_not_guessed() {
    let mut log = some_decided();
    let mut rows = rows(&export(&marking(), &cases(), &log.entries));
    // In the meantime somebody decides s3.
    let mut desk = Desk::new(marking(), Mode::Review, "bo", cases(), &log.entries);
    decide_all(&mut desk, &mut log, &["met"]);
    rows[4][10] = "not_met".to_owned();
    rows[1][10] = String::new();
    rows[2][0] = "d.overlap:0000".to_owned();
    rows[2][10] = "partly".to_owned();
    rows[3][10] = "good".to_owned();
    rows[5][11] = "only a word".to_owned();
    let mut other = rows[4].clone();
    other[10] = "met".to_owned();
    rows.push(other);
    let back = import(&marking(), &cases(), &log.entries, &table(&rows, b',')).expect("a table");
    let told = told(&back);
    for part in [
        " | 1 unchanged | ",
        "2: the outcome was removed",
        "3: nothing in this run has the key `d.overlap:0000`",
        "4: `good` is no choice here: met | partly | not_met | level 1: nearly",
        "was open when the table was written and is `met` now; `not_met` is not taken",
        "6: a comment without an outcome decides nothing",
    ] {
        assert!(told.contains(part), "{part}\n{told}");
    }
    assert!(back.acts.is_empty(), "{told}");
    assert!(import(&marking(), &cases(), &[], b"a,b\n1,2\n").is_err());
    assert!(import(&marking(), &cases(), &[], b"").is_err());
}

#[test]
fn two_rows_about_one_thing_are_told() {
    let mut rows = rows(&export(&marking(), &cases(), &[]));
    rows[2][10] = "met".to_owned();
    let mut other = rows[2].clone();
    rows.push(other.clone());
    other[10] = "not_met".to_owned();
    rows.push(other);
    let back = import(&marking(), &cases(), &[], &table(&rows, b',')).expect("a table");
    assert!(told(&back).starts_with("s1=met | 5 unchanged | 8: "), "{}", told(&back));
}
