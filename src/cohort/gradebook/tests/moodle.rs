//! Moodle: its worksheet filled in, and the table of its import.

use super::*;

const MOODLE: &str = "\u{feff}Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,Last modified (submission),Last modified (grade),Feedback comments\r\nParticipant 1,Ada Example,ada@example.org,Submitted for grading,,6.00,Yes,\"Tuesday, 1 September 2026, 10:00 AM\",-,\r\nParticipant 2,Bo Example,bo@example.org,Submitted for grading,,6.00,Yes,\"Tuesday, 1 September 2026, 10:00 AM\",-,\r\nParticipant 3,Di Example,di@example.org,No submission,,6.00,Yes,-,-,\r\nParticipant 4,Eve Example,eve@example.org,Submitted for grading,,6.00,Yes,-,-,seen\r\n";

#[test]
fn moodles_worksheet_is_filled_in_and_nothing_else_changes() {
    let (text, told) = filled(&class(), &order(Target::Moodle), MOODLE).expect("it is a worksheet");
    let before: Vec<&str> = MOODLE.split("\r\n").collect();
    let after: Vec<&str> = text.split("\r\n").collect();
    assert_eq!((after[0], after[2], after[3], after.len()), (before[0], before[2], before[3], before.len()));
    let rows = cells(&text, b',');
    assert_eq!((rows[1][4].as_str(), rows[1][9].as_str()), ("4.5", "4.5 of 6 points.<br>(c.why): 2.5 of 4. In part."));
    assert_eq!((rows[4][4].as_str(), rows[4][9].as_str()), ("0", "seen"), "a comment that stands there stays");
    assert_eq!((told.grades, told.waiting.len()), (2, 1));
    assert!(lines(&told).contains("! cy: is in the run and not in the template"));
    assert!(lines(&told).contains("Di Example (Participant 3): is in the template and has no submission"));
}

#[test]
fn stale_locked_and_unfit_rows_of_moodle_are_refused() {
    let fill = |from: &str, to: &str, order: &Order<'_>| filled(&class(), order, &MOODLE.replace(from, to));
    let plain = order(Target::Moodle);
    let graded = "ada@example.org,Submitted for grading,3.5,6.00,Yes,\"Tuesday, 1 September 2026, 10:00 AM\",\"Wednesday, 2 September 2026, 9:00 AM\"";
    let ungraded = "ada@example.org,Submitted for grading,,6.00,Yes,\"Tuesday, 1 September 2026, 10:00 AM\",-";
    let (text, told) = fill(ungraded, graded, &plain).expect("it is a worksheet");
    assert_eq!(cells(&text, b',')[1][4], "3.5");
    assert!(
        lines(&told).contains("! ada (Example, Ada): has the grade 3.5 of Wednesday, 2 September 2026, 9:00 AM in Moodle, and 4.5 here"),
        "{}",
        lines(&told)
    );
    let (text, told) = fill(ungraded, graded, &Order { overwrite: true, ..plain.clone() }).expect("it is a worksheet");
    assert_eq!((cells(&text, b',')[1][4].as_str(), told.remarks.iter().filter(|remark| remark.is_refusal).count()), ("4.5", 1));
    let (text, _) = fill(ungraded, &graded.replace("3.5", "4.50"), &plain).expect("it is a worksheet");
    assert!(text.contains(",4.50,"), "what is the same is not written again: {text}");
    let (text, told) = fill(ungraded, &ungraded.replace("Yes", "No"), &plain).expect("it is a worksheet");
    assert_eq!(cells(&text, b',')[1][4], "");
    assert!(lines(&told).contains("cannot be changed"));
    let (_, told) =
        fill(ungraded, &ungraded.replace("Tuesday, 1 September 2026, 10:00 AM", "Thursday, 3 September 2026, 10:02 AM"), &plain)
            .expect("it is a worksheet");
    assert!(lines(&told).contains("was handed in again on Thursday"), "{}", lines(&told));
    assert!(fill("6.00", "100.00", &plain).expect_err("another scale").contains("--points 100"));
    assert!(fill("Identifier", "Kennung", &plain).expect_err("another language").contains("--column"));
}

#[test]
fn a_worksheet_in_another_language_needs_the_column_named() {
    let german = MOODLE
        .replace("Grade can be changed", "Bewertung kann geändert werden")
        .replace("Maximum grade", "Bestwertung")
        .replace(",Grade,", ",Bewertung,")
        .replace("Identifier", "Kennung")
        .replace("6.00", "\"6,00\"");
    let order = Order { column: Some("Bewertung"), ..order(Target::Moodle) };
    let (text, _) = filled(&class(), &order, &german).expect("the columns are where they always are");
    let rows = cells(&text, b',');
    assert_eq!((rows[1][4].as_str(), rows[2][4].as_str()), ("4,5", ""), "the decimal mark is the worksheet's");
    assert!(text.starts_with("\u{feff}Kennung,"));
}

#[test]
fn a_group_of_moodle_is_not_taken_for_the_participant_of_that_number() {
    let rows = [row("4", json!({"name": "Team 7"}), 2.0, Some(4.0))];
    let (text, told) = filled(&run("moodle", &rows), &order(Target::Moodle), MOODLE).expect("it is a worksheet");
    assert_eq!(cells(&text, b',')[4][4], "");
    assert!(lines(&told).contains("somebody else than `Team 7`"), "{}", lines(&told));
    let grouped = MOODLE.replace("Status", "Group").replace("Submitted for grading", "Team 7");
    let (text, _) = filled(&run("moodle", &rows), &order(Target::Moodle), &grouped).expect("it is a worksheet");
    let grades: Vec<String> = cells(&text, b',')[1..].iter().map(|row| row[4].clone()).collect();
    assert_eq!(grades, ["6", "6", "", "6"]);
    let rows = [row("4", json!({"name": "Eve Example"}), 2.0, Some(4.0))];
    let (text, _) = filled(&run("moodle", &rows), &order(Target::Moodle), MOODLE).expect("it is a worksheet");
    assert_eq!(cells(&text, b',')[4][4], "6");
}

#[test]
fn moodles_import_finds_students_by_what_the_run_knows() {
    let order = Order { column: Some("Drill 2"), ..order(Target::Moodle) };
    let (kept, told) = exported(&class(), &order);
    let rows = cells(&kept.document.expect("a table"), b',');
    assert_eq!(rows[0], ["Email address", "Drill 2", "Drill 2 feedback"]);
    assert_eq!(rows[1][..2], ["ada@example.org", "4.5"]);
    assert_eq!(rows[2], ["bo@example.org", "", ""]);
    assert!(lines(&told).contains("! cy: has no email address"));
}
