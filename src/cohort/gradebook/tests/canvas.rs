//! Canvas gets back its own gradebook, with one column filled in and nothing made by accident.

use super::*;

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
