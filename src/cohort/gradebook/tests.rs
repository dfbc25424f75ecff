//! Every platform's file, read back by a program that is not ours; and whatever a student may be called or may have
//! written, obeyed by none of them.

use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use lazycsv::{Csv, CsvIterItem};
use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

use super::*;

/// Keeps what is written.
#[derive(Default)]
struct Kept {
    document: Option<String>,
    files: Vec<(String, String)>,
    summary: String,
}

impl Sink for Kept {
    fn document(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        self.document = Some(String::from_utf8(bytes.to_owned()).expect("UTF-8"));
        Ok(())
    }

    fn file_of(&mut self, folder: &str, _file: &str, bytes: &[u8]) -> Result<(), Trouble> {
        self.files.push((folder.to_owned(), String::from_utf8(bytes.to_owned()).expect("UTF-8")));
        Ok(())
    }

    fn summary(&mut self, text: &str) -> Result<(), Trouble> {
        self.summary.push_str(text);
        Ok(())
    }
}

/// A run of these rows, as `grade` would have left it.
fn run(layout: &str, rows: &[Value]) -> Run {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let folder: PathBuf =
        std::env::temp_dir().join(format!("drillmark-gradebook-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    fs::create_dir_all(&folder).expect("the system has a folder for such files");
    let manifest = json!({
        "format": 1, "tool": {"name": "drillmark", "version": "0"}, "drill": null, "rubric": null, "drills": [], "options": {},
        "input": "class", "layout": layout, "submissions": rows.len(), "unreadable": 0, "summary": {},
    });
    fs::write(folder.join("run.json"), manifest.to_string()).expect("it is writable");
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    fs::write(folder.join("grades.jsonl"), lines).expect("it is writable");
    Run::open(&folder).expect("it is a run")
}

/// A graded row: `b.total` is worth 2, `c.why` 4 points.
fn row(id: &str, arrival: Value, total: f64, why: Option<f64>) -> Value {
    let mut submission =
        json!({"id": id, "file": format!("{id}.md"), "sha256": "00", "source": {"path": format!("class/{id}.md"), "entry": null}});
    submission.as_object_mut().expect("an object").extend(arrival.as_object().expect("an object").clone());
    json!({
        "format": 1,
        "drill": {"id": "budget", "sha256": "d"},
        "rubric": {"id": "budget", "sha256": "r"},
        "submission": submission,
        "score": {"awarded": total + why.unwrap_or(0.0), "possible": 6.0, "pending": if why.is_none() { 4.0 } else { 0.0 }},
        "quantities": [
            {"id": "b.total", "part": "b", "required": true, "verdict": if total == 2.0 { "correct" } else { "form" }, "points": total, "possible": 2.0,
             "read": {"text": "202.7 ms", "value": 0.2027, "unit": "ms", "start": 0, "end": 8, "line": 3, "column": 5}},
            {"id": "b.aside", "part": "b", "required": false, "verdict": "missing", "points": 0.0, "possible": 0.0},
        ],
        "criteria": [{"id": "c.why", "part": "c", "outcome": if why.is_none() { "review" } else { "partly" }, "points": why.unwrap_or(0.0),
                      "possible": 4.0, "decided_by": "person", "evidence": []}],
        "review": if why.is_none() { json!([{"kind": "criterion", "id": "c.why", "why": "by-hand"}]) } else { json!([]) },
    })
}

fn unread(id: &str, error: &str) -> Value {
    json!({"format": 1, "submission": {"id": id, "file": id, "sha256": null, "source": {"path": "class", "entry": null}}, "error": error})
}

fn class() -> Run {
    run(
        "plain",
        &[
            row(
                "ada",
                json!({"name": "Example, Ada", "email": "ada@example.org", "sid": "0042", "login": "ada", "submitted": "2026-09-01 10:00:00 -07:00"}),
                2.0,
                Some(2.5),
            ),
            row("bo", json!({"name": "Example, Bo", "email": "bo@example.org", "sid": "0043", "login": "bo"}), 1.6, None),
            unread("cy", "there is no file"),
            row("eve", json!({"name": "Example, Eve", "email": "eve@example.org"}), 0.0, Some(0.0)),
        ],
    )
}

fn order(target: Target) -> Order<'static> {
    Order {
        target,
        template: None,
        column: None,
        locale: None,
        points: None,
        by: None,
        visibility: Visibility::Visible,
        classroom: Some(Classroom { classroom: "c1".to_owned(), assignment: "drill2".to_owned(), submission: None }),
        overwrite: false,
        mark: false,
        root: None,
    }
}

fn exported(run: &Run, order: &Order<'_>) -> (Kept, Told) {
    let mut kept = Kept::default();
    let told = export(run, &[], order, &mut kept).unwrap_or_else(|trouble| panic!("{trouble}"));
    (kept, told)
}

fn filled(run: &Run, order: &Order<'_>, template: &str) -> Result<(String, Told), String> {
    let mut kept = Kept::default();
    let order = Order { template: Some((Path::new("template.csv"), template.as_bytes())), ..order.clone() };
    let told = export(run, &[], &order, &mut kept).map_err(|trouble| trouble.to_string())?;
    Ok((kept.document.expect("there is a document"), told))
}

/// A table by a parser of another author.
fn cells(text: &str, separator: u8) -> Vec<Vec<String>> {
    let mut rows = vec![Vec::new()];
    for item in Csv::with_separator(text.trim_start_matches('\u{feff}').as_bytes(), separator) {
        match item {
            CsvIterItem::Cell(cell) => rows.last_mut().expect("there is one").push(cell.try_as_str().expect("UTF-8").into_owned()),
            CsvIterItem::LineEnd => rows.push(Vec::new()),
        }
    }
    rows.retain(|row| !row.is_empty());
    rows
}

fn lines(told: &Told) -> String {
    told.remarks.iter().map(|remark| format!("{}{}\n", if remark.is_refusal { "! " } else { "" }, remark.line)).collect()
}

const CANVAS: &str = "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Drill 2 (5512),Other (77),Current Score\n    Points Possible,,,,,,6,10,(read only)\n\"Example, Ada\",1201,0042,ada,S1,x,,1,20\n\"Example, Bo\",1202,0043,bo,S1,,,2,10\n\"Example, Di\",1204,0045,di,S1,,EX,,\n\"Student, Test\",1299,,77abc,S1,,,,\n";

#[test]
fn canvas_gets_back_its_own_gradebook_with_one_column() {
    let order = Order { column: Some("Drill 2"), ..order(Target::Canvas) };
    let (text, told) = filled(&class(), &order, CANVAS).expect("it is a gradebook");
    let rows = cells(&text, b',');
    assert_eq!(rows[0], ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Drill 2 (5512)"]);
    assert_eq!(rows[1], ["    Points Possible", "", "", "", "", "6"]);
    assert_eq!(rows[2], ["Example, Ada", "1201", "0042", "ada", "S1", "4.5"]);
    assert_eq!(rows[3], ["Example, Bo", "1202", "0043", "bo", "S1", ""], "what waits is blank");
    assert_eq!(rows[4][5], "EX");
    assert_eq!(rows.len(), 6);
    let said = lines(&told);
    assert_eq!((told.grades, told.waiting.as_slice()), (1, ["bo".to_owned()].as_slice()));
    for line in [
        "! cy: is in the run and not in the template",
        "! eve (Example, Eve): is in the run",
        "Example, Di (di): is in the template and has no submission",
    ] {
        assert!(said.contains(line), "{line} in {said}");
    }
    for column in ["5512", "Drill 2 (5512)", "drill 2"] {
        let order = Order { column: Some(column), ..order.clone() };
        assert_eq!(filled(&class(), &order, CANVAS).expect("the same column").0, text);
    }
}

#[test]
fn canvas_makes_no_assignment_by_accident() {
    let named = |column: Option<&'static str>| Order { column, ..order(Target::Canvas) };
    let refused = |order: &Order<'_>, template: &str| filled(&class(), order, template).expect_err("it is refused");
    assert!(refused(&named(Some("Drill 3")), CANVAS).contains("make a new one"));
    assert!(refused(&named(None), CANVAS).contains("`Drill 2 (5512)`, `Other (77)`"));
    assert!(refused(&named(Some("77")), CANVAS).contains("--points 10"), "another scale is another grade");
    assert!(refused(&named(Some("Current Score")), CANVAS).contains("no column"));
    assert!(refused(&named(None), &CANVAS.replace(",6,10,", ",6 (read only),10,").replace("Other (77)", "Other")).contains("read only"));
    for header in [
        "Student,ID,Login,Section,Drill 2 (5512)",
        "Student,SIS Login ID,Section,Drill 2 (5512)",
        "Student,ID,SIS Login ID,SIS User ID,Section,Drill 2 (5512)",
        "Name,ID,Section,Drill 2 (5512)",
        "Student,ID,Drill 2 (5512),Section",
        "Student,ID,SIS Login ID,Drill 2 (5512)",
    ] {
        assert!(refused(&named(None), &format!("{header}\n")).contains("template.csv"), "{header}");
    }
    for header in ["Student,ID,Section,Drill 2 (5512)", "LastName,FirstName,ID,SIS Login ID,Section,Drill 2 (5512)"] {
        assert!(filled(&class(), &named(None), &format!("{header}\n")).is_ok(), "{header}");
    }
    let scaled = Order { points: Some(Points::of(10.0)), ..named(Some("77")) };
    assert_eq!(cells(&filled(&class(), &scaled, CANVAS).expect("its scale").0, b',')[2][5], "7.5");
}

#[test]
fn canvas_matches_nobody_by_a_number_that_is_not_its_own() {
    let rows = [row("1202", json!({}), 2.0, Some(4.0)), row("0042", json!({}), 2.0, Some(3.0)), row("ada", json!({}), 2.0, Some(2.0))];
    let order = Order { column: Some("5512"), ..order(Target::Canvas) };
    let (text, told) = filled(&run("plain", &rows), &order, CANVAS).expect("it is a gradebook");
    let book = cells(&text, b',');
    assert_eq!((book[2][5].as_str(), book[3][5].as_str()), ("", ""), "{text}");
    assert!(lines(&told).contains("! 1202: is in the run and not in the template"));
    assert!(lines(&told).contains("! ada: is not the only submission of its student: 0042"), "{}", lines(&told));
    let (text, _) = filled(&run("canvas", &rows[..1]), &order, CANVAS).expect("it is a gradebook");
    assert_eq!(cells(&text, b',')[3][5], "6");
}

#[test]
fn canvas_in_another_language_keeps_its_marks() {
    let template = CANVAS
        .replace(",\"", "~")
        .replace(',', ";")
        .replace('~', ";\"")
        .replace("Example; ", "Example, ")
        .replace("Student; Test", "Student, Test");
    let order = Order { column: Some("5512"), locale: "de".parse().ok(), ..order(Target::Canvas) };
    let (text, _) = filled(&class(), &order, &format!("\u{feff}{}", template.replace('\n', "\r\n"))).expect("it is a gradebook");
    assert!(text.starts_with("\u{feff}Student;ID;") && text.contains("\r\n"), "{text}");
    assert_eq!(cells(&text, b';')[2][5], "4,5");
}

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

#[test]
fn a_table_with_everything_and_otters() {
    let (kept, _) = exported(&class(), &Order { locale: "fr".parse().ok(), mark: true, ..order(Target::Csv) });
    let text = kept.document.expect("a table");
    assert!(text.starts_with("\u{feff}id;name;"));
    let rows = cells(&text, b';');
    assert_eq!(rows[0][5..], ["total", "possible", "pending", "remark", "b.total", "c.why"]);
    assert_eq!(rows[1], ["ada", "Example, Ada", "0042", "ada", "ada@example.org", "4,5", "6", "0", "", "2", "2,5"]);
    assert_eq!(rows[2][5..], ["", "6", "4", "waits for a person: c.why", "1,6", ""]);
    assert_eq!(rows[3][5..], ["", "", "", "not graded: there is no file", "", ""]);
    let (kept, _) = exported(&class(), &order(Target::Otter));
    let rows = cells(&kept.document.expect("a table"), b',');
    assert_eq!(rows[0], ["file", "b.total", "c.why", "total_points_earned", "percent_correct", "grading_status"]);
    assert_eq!(rows[1], ["points-per-question", "2.0", "4.0", "6.0", "1.0", "--"]);
    assert_eq!(rows[2], ["ada.md", "2.0", "2.5", "4.5", "0.75", "Completed"]);
    assert_eq!(rows[3], ["bo.md", "1.6", "", "", "", "Pending: c.why"]);
    assert_eq!(rows[4], ["cy", "", "", "", "", "there is no file"]);
    assert_eq!(rows[5][3..], ["0.0", "0.0", "Completed"]);
}

/// A document against a schema that ships with the tests.
fn validated(schema: &str, text: &str) -> Value {
    let path = format!("{}/tests/fixtures/{schema}", env!("CARGO_MANIFEST_DIR"));
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    let schema = compiler.compile(&path, &mut schemas).unwrap_or_else(|error| panic!("{error:#}"));
    let value: Value = serde_json::from_str(text).expect("JSON");
    schemas.validate(&value, schema).unwrap_or_else(|error| panic!("{error:#}\n{text}"));
    value
}

#[test]
fn gradescope_reads_every_result() {
    let (kept, told) = exported(&class(), &Order { visibility: Visibility::AfterDueDate, ..order(Target::Gradescope) });
    let all: Vec<Value> = kept.files.iter().map(|(_, text)| validated("gradescope-results.schema.json", text)).collect();
    assert_eq!(kept.files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["ada", "bo", "cy", "eve"]);
    assert_eq!(
        (&all[0]["score"], &all[0]["tests"][1]["score"], &all[0]["visibility"]),
        (&json!(4.5), &json!(2.5), &json!("after_due_date"))
    );
    assert_eq!((&all[1]["score"], &all[1]["extra_data"]["drillmark"]["pending"]), (&json!(1.6), &json!(["c.why"])));
    assert!(all[1]["output"].as_str().is_some_and(|text| text.starts_with("4 of 6 points wait for a person")));
    assert_eq!(all[1]["tests"][1]["output"], "Waits for a person to read it; not counted yet.");
    assert!(
        all.iter().all(|result| result["tests"].as_array().is_some_and(|tests| tests.iter().all(|test| test["visibility"] != "hidden")))
    );
    assert_eq!((&all[2]["score"], &all[2]["tests"]), (&json!(0), &json!([])));
    assert!(all[2]["output"].as_str().is_some_and(|text| text.contains("could not be graded") && text.contains("there is no file")));
    // Sums are what they look like.
    for result in &all {
        let sum: f64 = result["tests"].as_array().expect("tests").iter().filter_map(|test| test["score"].as_f64()).sum();
        assert!((sum - result["score"].as_f64().expect("a score")).abs() < 1e-9, "{result}");
    }
    assert!(!told.is_whole());
}

#[test]
fn prairielearn_and_classroom50_read_every_result() {
    let (kept, _) = exported(&class(), &order(Target::PrairieLearn));
    let all: Vec<Value> = kept.files.iter().map(|(_, text)| validated("prairielearn-results.schema.json", text)).collect();
    assert_eq!((&all[0]["score"], &all[1]["score"]), (&json!(0.75), &json!(0.266667)));
    assert_eq!(
        all[1]["tests"][1],
        json!({"name": "c.why", "description": "", "points": 0, "max_points": 0, "message": "Waits for a person to read it; not counted yet."})
    );
    assert_eq!((&all[2]["gradable"], all[2].get("score")), (&json!(false), None));
    let (kept, told) = exported(&class(), &order(Target::Classroom50));
    assert_eq!(kept.files.len(), 1, "only one has a time: {}", lines(&told));
    let ada = validated("classroom50-result.schema.json", &kept.files[0].1);
    assert_eq!((&ada["score"], &ada["max-score"], &ada["datetime"]), (&json!(45), &json!(60), &json!("2026-09-01T17:00:00Z")));
    assert!(lines(&told).contains("each point is written as 10"), "{}", lines(&told));
    let tag = Some("submit/20260901T100000Z-abc1234".to_owned());
    let classroom = Classroom { classroom: "c1".to_owned(), assignment: "drill2".to_owned(), submission: tag };
    let alone = run("plain", &[row("bo", json!({}), 1.5, None)]);
    let (kept, _) = exported(&alone, &Order { classroom: Some(classroom), ..order(Target::Classroom50) });
    let bo = validated("classroom50-result.schema.json", &kept.files[0].1);
    assert_eq!((&bo["score"], &bo["tests"][1]["passed"], &bo["tests"][1]["pending"]), (&json!(3), &json!(false), &json!(true)));
    assert_eq!(bo["submission"], "submit/20260901T100000Z-abc1234");
}

/// What Autolab makes of the last line: quotes around words before a colon, and then JSON.
fn as_autolab_reads(line: &str) -> Value {
    let quoted = regex::Regex::new("([a-zA-Z0-9]+):").expect("a pattern").replace_all(line, "\"$1\":");
    serde_json::from_str(&quoted).unwrap_or_else(|error| panic!("{error}: {quoted}"))
}

#[test]
fn autolab_reads_the_last_line() {
    let (kept, told) = exported(&class(), &order(Target::Autolab));
    let bo = &kept.files[1].1;
    let result = as_autolab_reads(bo.lines().last().expect("a line"));
    assert_eq!(result, json!({"scores": {"b": 1.6}, "scoreboard": [1.6]}), "what waits keeps the score that it has");
    assert_eq!(as_autolab_reads(bo.lines().next().expect("a line"))["_presentation"], "semantic");
    assert!(lines(&told).contains("! cy: has no grade"));
    let (kept, _) = exported(&class(), &order(Target::AutolabTable));
    assert_eq!(
        cells(&kept.document.expect("a table"), b','),
        [["ada@example.org", "2", "2.5"], ["bo@example.org", "1.6", ""], ["eve@example.org", "0", "0"]]
    );
    let mut colon = row("ada", json!({}), 2.0, Some(4.0));
    colon["quantities"][0]["part"] = json!("Part A: energy");
    let trouble = export(&run("plain", &[colon]), &[], &order(Target::Autolab), &mut Kept::default()).expect_err("Autolab breaks it");
    assert!(trouble.to_string().contains("right before a colon"));
}

#[test]
fn junit_is_read_by_a_program_that_reads_junit() {
    let (kept, _) = exported(&class(), &order(Target::Junit));
    let text = kept.document.expect("a document");
    let suites = junit_parser::from_reader(text.as_bytes()).expect("it is JUnit");
    assert_eq!((suites.tests, suites.failures, suites.errors, suites.skipped), (10, 5, 1, 1));
    let cases: Vec<&junit_parser::TestCase> = suites.suites.iter().flat_map(|suite| &suite.cases).collect();
    assert_eq!(cases.len(), 10);
    let names: std::collections::BTreeSet<&str> = cases.iter().map(|case| case.original_name.as_str()).collect();
    assert_eq!(names.len(), 10, "of cases of one name, some readers keep the first only");
    let find = |name: &str| cases.iter().find(|case| case.original_name == name).unwrap_or_else(|| panic!("{name}"));
    assert!(find("ada b.total").status.is_success() && find("ada everything-decided").status.is_success());
    assert_eq!(find("ada b.total").line, Some(3));
    assert!(find("bo c.why").status.is_skipped());
    assert!(find("bo everything-decided").status.failure_as_ref().message.contains("4 of 6 points wait"));
    assert!(find("cy graded").status.is_error());
    let (kept, _) = exported(&run("plain", &[row("ada", json!({}), 2.0, Some(4.0))]), &order(Target::Junit));
    assert!(kept.document.expect("a document").contains("name=\"b.total\""), "alone, names are the items' own");
}

/// A command of the log, as the runner takes it apart.
fn commands(log: &str) -> Vec<(String, String, String)> {
    let mut commands = Vec::new();
    for line in log.lines() {
        assert!(!line.contains("##["), "the old form of a command: {line}");
        let Some(rest) = line.trim_start().strip_prefix("::") else { panic!("not a command of ours: {line:?}") };
        let (head, message) = rest.split_once("::").expect("a command has an end");
        let (kind, properties) = head.split_once(' ').unwrap_or((head, ""));
        assert!(["error", "warning", "notice"].contains(&kind), "{line}");
        commands.push((kind.to_owned(), properties.to_owned(), message.to_owned()));
    }
    commands
}

#[test]
fn githubs_runner_shows_ten_of_a_kind_and_the_rest_in_the_summary() {
    let (kept, _) = exported(&class(), &order(Target::GitHub));
    let log = commands(&kept.document.expect("a log"));
    assert_eq!(log.len(), 6);
    assert_eq!(log[0].0, "error");
    assert!(log.iter().any(|(kind, at, message)| kind == "warning"
        && at == "file=class/bo.md,line=3,endLine=3,col=5,endColumn=12,title=b.total"
        && message == "bo: b.total: The value is right, its form is not as asked. (1.6 of 2 points)"));
    assert!(log.iter().any(|(kind, _, message)| kind == "notice" && message.contains("Waits for a person")));
    assert!(kept.summary.contains("| `ada` | 4.5 of 6 |  | |") && kept.summary.contains("| `bo` | 1.6 of 6 | 4 | |"), "{}", kept.summary);
    let many: Vec<Value> = (0..40).map(|at| row(&format!("s{at:02}"), json!({}), 1.0, None)).collect();
    let (kept, _) = exported(&run("plain", &many), &order(Target::GitHub));
    let log = commands(&kept.document.expect("a log"));
    let count = |kind: &str| log.iter().filter(|(of, ..)| of == kind).count();
    assert_eq!((count("warning"), count("notice")), (10, 10));
    assert_eq!(log.last().expect("a line").2, "61 more; see the summary of the step");
}

#[test]
fn githubs_summary_fits() {
    let many: Vec<Value> = (0..9000).map(|at| unread(&format!("s{at:05}"), &"long | ".repeat(20))).collect();
    let (kept, _) = exported(&run("plain", &many), &order(Target::GitHub));
    assert!(kept.summary.len() <= 1024 * 1024 && kept.summary.contains("more rows do not fit"), "{}", kept.summary.len());
}

#[test]
fn a_group_gets_its_grade_a_member_each() {
    let rows = [row(
        "g1",
        json!({"name": "Example, Ada, Example, Bo", "members": ["Example, Ada", "Example, Bo"], "sid": "0042"}),
        2.0,
        Some(4.0),
    )];
    let order = Order { column: Some("5512"), ..order(Target::Canvas) };
    let (text, _) = filled(&run("gradescope", &rows), &order, CANVAS).expect("it is a gradebook");
    let book = cells(&text, b',');
    assert_eq!((book[2][5].as_str(), book[3][5].as_str()), ("6", "6"));
}

#[test]
fn what_people_decided_and_what_is_taken_away_counts() {
    let mut decided = row("ada", json!({}), 2.0, Some(4.0));
    decided["criteria"][0]["comment"] = json!("See =part (a): <b>well</b> argued.");
    let criteria = |deducted: f64| {
        json!([
            {"id": "c.why", "part": "c", "outcome": "review", "points": 1.0, "possible": 4.0, "pending": 1.0, "decided_by": "person"},
            {"id": "c.tone", "part": "c", "outcome": if deducted > 0.0 { "met" } else { "not_met" }, "points": -deducted, "possible": 0.0, "pending": 0.0, "decided_by": "rule"},
            {"id": "c.or", "part": "c", "outcome": "met", "points": 0.0, "possible": 1.0, "pending": 0.0, "decided_by": "rule"},
        ])
    };
    let mut waiting = row("bo", json!({}), 2.0, None);
    waiting["criteria"] = criteria(0.0);
    let mut deducted = row("cy", json!({}), 2.0, None);
    deducted["criteria"] = criteria(0.5);
    deducted["criteria"][0] =
        json!({"id": "c.why", "part": "c", "outcome": "met", "points": 4.0, "possible": 4.0, "pending": 0.0, "decided_by": "person"});
    let run = run("plain", &[decided, waiting, deducted]);
    let rows = cells(&exported(&run, &order(Target::Csv)).0.document.expect("a table"), b',');
    assert_eq!(rows[0][9..], ["b.total", "c.why", "c.tone", "c.or"]);
    assert_eq!(rows[1][5..], ["6", "6", "0", "", "2", "4", "0", "0"]);
    assert_eq!(rows[2][5..8], ["", "7", "1"], "a part of it is decided, and it waits as a whole");
    assert_eq!(rows[2][9..], ["2", "", "0", "0"]);
    assert_eq!(rows[3][5..], ["5.5", "7", "0", "", "2", "4", "-0.5", "0"]);
    let (kept, _) = exported(&run, &order(Target::Gradescope));
    let said: Value = serde_json::from_str(&kept.files[0].1).expect("JSON");
    assert_eq!(said["tests"][1]["output"], "In part. See =part (a): <b>well</b> argued.");
    let last: Value = serde_json::from_str(&kept.files[2].1).expect("JSON");
    assert_eq!((&last["score"], &last["tests"][2]["output"]), (&json!(5.5), &json!("Points are taken away here.")));
    assert_eq!(last["tests"][3]["output"], "As asked for, but it counts only together with something that is not there.");
}

// ---- Nothing that a student wrote, or is called, is obeyed ------------------------------------------------------------

/// Things that mean something to some reader.
const HOSTILE: [&str; 22] = [
    "=HYPERLINK(\"https://evil.example\",\"x\")",
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\u{feff}=1",
    "a,\"b\";c\nd",
    "0042",
    "\u{1b}]8;;https://evil.example\u{7}x\u{1b}]8;;\u{7}\u{1b}[2J\u{9b}31m",
    "\u{202e}sm 42.1\u{2066}\u{200b}e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
    "\n::error::x\n  ::add-mask::y\n::stop-commands::z\n##[error]w\n%0A::error::v",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "[x](javascript:alert(1)) ![x](data:text/html,x) https://evil.example www.evil.example",
    "@everyone #12 | a | b |\n|---|---|\n` `` ```",
    "]]> <!-- --> <![CDATA[ &lt; &#0; \0\u{1}\u{b}\u{fffe}\u{ffff}",
    "\\input{/etc/passwd} $x$ \\write18{id}",
    "Part A: energy scores:{\"a\":100}",
    "../../etc/passwd",
    "\",\"score\":100,\"x\":\"",
    "\u{e000}x\u{e001}",
    "con",
];

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![4 => prop::sample::select(HOSTILE.to_vec()).prop_map(str::to_owned), 1 => any::<String>()];
    proptest::collection::vec(piece, 1..3).prop_map(|pieces| pieces.concat())
}

/// A class in which everything that a student chooses is hostile.
fn hostile_class(texts: &[String]) -> Run {
    let mut rows: Vec<Value> = Vec::new();
    for (at, texts) in texts.chunks(5).enumerate() {
        let [id, name, email, sid, words] = texts else { continue };
        let arrival = json!({"name": name, "email": email, "sid": sid, "login": words, "late": at == 0, "submitted": words,
                             "source": {"path": words, "entry": null}, "left_out": [{"path": words, "why": words}]});
        let mut graded = row(&format!("{at}{id}"), arrival, 1.0, if at % 2 == 0 { Some(4.0) } else { None });
        graded["submission"]["file"] = json!(words);
        graded["quantities"][0]["read"]["text"] = json!(words);
        graded["criteria"][0]["evidence"] = json!([{"text": words, "start": 0, "end": 1, "line": 1, "column": 1}]);
        rows.push(graded);
        rows.push(unread(&format!("{at}{name}x"), words));
    }
    rows.sort_by(|a, b| a["submission"]["id"].as_str().cmp(&b["submission"]["id"].as_str()));
    rows.dedup_by(|a, b| a["submission"]["id"] == b["submission"]["id"]);
    run("plain", &rows)
}

fn hides(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

/// No cell is a formula, and none holds what a terminal obeys.
fn table_is_inert(text: &str, separator: u8) -> Result<(), TestCaseError> {
    let rows = cells(text, separator);
    let width = rows.first().map_or(0, Vec::len);
    for row in &rows {
        prop_assert_eq!(row.len(), width, "{:?}", row);
        for cell in row {
            prop_assert!(!cell.chars().any(char::is_control), "{:?}", cell);
            let shown = cell.trim_start_matches([' ', '\u{a0}', '\u{feff}', '\u{200b}']);
            let is_number = cell.parse::<f64>().is_ok() || cell == "--";
            prop_assert!(
                is_number || !shown.starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']),
                "{:?}",
                cell
            );
        }
    }
    Ok(())
}

/// Raw JSON holds no character that a terminal obeys, and its strings no escape code, whoever prints them.
fn json_is_inert(text: &str) -> Result<(), TestCaseError> {
    prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control() && !hides(c)), "{:?}", text);
    let strings = RefCell::new(Vec::new());
    fn walk(value: &Value, strings: &RefCell<Vec<String>>) {
        match value {
            Value::String(text) => strings.borrow_mut().push(text.clone()),
            Value::Array(values) => values.iter().for_each(|value| walk(value, strings)),
            Value::Object(values) => values.values().for_each(|value| walk(value, strings)),
            _ => {}
        }
    }
    let value = serde_json::from_str(text).map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
    walk(&value, &strings);
    for text in strings.into_inner() {
        prop_assert!(text.chars().all(|c| c == '\n' || !c.is_control() && !hides(c)), "{:?}", text);
    }
    Ok(())
}

fn markdown_is_inert(text: &str) -> Result<(), TestCaseError> {
    for event in Parser::new_ext(text, Options::all()) {
        let fine = match &event {
            Event::Text(_) | Event::Code(_) => true,
            Event::Start(tag) => {
                matches!(tag, Tag::Heading { .. } | Tag::Table(_) | Tag::TableHead | Tag::TableRow | Tag::TableCell | Tag::Strong)
            }
            Event::End(tag) => matches!(
                tag,
                TagEnd::Heading(_) | TagEnd::Table | TagEnd::TableHead | TagEnd::TableRow | TagEnd::TableCell | TagEnd::Strong
            ),
            _ => false,
        };
        prop_assert!(fine, "{:?} in\n{}", event, text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_hostile_is_obeyed_by_any_platform(texts in proptest::collection::vec(hostile(), 10)) {
        let run = hostile_class(&texts);
        let submissions = run.manifest.submissions;
        let document = |order: &Order<'_>| exported(&run, order).0.document.unwrap_or_default();
        for target in [Target::Csv, Target::Otter, Target::AutolabTable] {
            table_is_inert(&document(&order(target)), b',')?;
        }
        table_is_inert(&document(&Order { locale: "de".parse().ok(), mark: true, ..order(Target::Csv) }), b';')?;
        table_is_inert(&document(&Order { column: Some("=1"), ..order(Target::Moodle) }), b',')?;
        for target in [Target::Gradescope, Target::PrairieLearn, Target::Classroom50] {
            let (kept, _) = exported(&run, &order(target));
            prop_assert!(target == Target::Classroom50 || kept.files.len() == submissions, "there is always a result");
            for (name, text) in &kept.files {
                prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"%._-~".contains(&byte)), "{}", name);
                json_is_inert(text)?;
                let result: Value = serde_json::from_str(text).expect("JSON");
                // What stands in an answer makes no points and no tests.
                let tests = result["tests"].as_array().map_or(0, Vec::len);
                prop_assert!(tests == 0 || tests == 2, "{}", text);
                let most = if target == Target::PrairieLearn { 1.0 } else { 5.0 };
                prop_assert!(result["score"].as_f64().is_none_or(|score| score <= most), "{}", text);
            }
        }
        for (_, text) in exported(&run, &order(Target::Autolab)).0.files {
            prop_assert_eq!(text.lines().count(), 2);
            let result = as_autolab_reads(text.lines().last().unwrap_or_default());
            prop_assert!(result["scores"].as_object().is_some_and(|scores| scores.keys().all(|name| name == "b" || name == "c")), "{}", text);
        }
        let xml = document(&order(Target::Junit));
        prop_assert!(xml.chars().all(|c| c == '\n' || !c.is_control() && !hides(c) && !matches!(c, '\u{fffe}' | '\u{ffff}')), "{:?}", xml);
        let suites = junit_parser::from_reader(xml.as_bytes()).map_err(|error| TestCaseError::fail(format!("{error}: {xml}")))?;
        prop_assert_eq!(suites.suites.len(), submissions);
        prop_assert!(suites.suites.iter().all(|suite| matches!(suite.cases.len(), 1 | 3)), "{}", xml);
        let (kept, _) = exported(&run, &order(Target::GitHub));
        let log = kept.document.unwrap_or_default();
        prop_assert!(log.chars().all(|c| c == '\n' || !c.is_control() && !hides(c)), "{:?}", log);
        for (_, properties, message) in commands(&log) {
            prop_assert!(properties.split(',').all(|property| {
                let name = property.split('=').next().unwrap_or_default();
                ["file", "line", "endLine", "col", "endColumn", "title"].contains(&name)
            }), "{}", properties);
            prop_assert!(!properties.contains("::") && message.chars().count() <= 4096);
        }
        markdown_is_inert(&kept.summary)?;
    }

    #[test]
    fn a_hostile_template_leaves_inert(texts in proptest::collection::vec(hostile(), 4)) {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let [name, section, login, number] = texts.as_slice() else { return Ok(()) };
        let template = format!(
            "Student,ID,SIS User ID,SIS Login ID,Section,Drill 2 (5512)\n{},1201,0042,ada,S,\n{},1202,{},{},{},\n",
            quoted(section), quoted(name), quoted(number), quoted(login), quoted(section)
        );
        if let Ok((text, _)) = filled(&class(), &order(Target::Canvas), &template) {
            for row in cells(&text, b',') {
                prop_assert_eq!(row.len(), 6);
                for cell in row {
                    let line = cell.replace(['\n', '\r', '\t'], " ");
                    let is_number = line.trim().trim_start_matches(['-', '+']).chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
                    prop_assert!(is_number || !line.trim_start_matches([' ', '\u{a0}', '\u{feff}', '\u{200b}']).starts_with(['=', '+', '-', '@']), "{:?}", cell);
                }
            }
        }
    }
}
