//! Tables for people and for Otter, and what becomes of what people decided.

use super::*;

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

#[test]
fn parts_stand_in_the_order_of_the_drill() {
    let mut graded = row("ada", json!({"email": "ada@example.org"}), 2.0, Some(4.0));
    // Two parts hold nothing but an argument, and arguments come after all values.
    let argued = |id: &str, part: &str, possible: f64| json!({"id": id, "part": part, "outcome": "met", "points": possible, "possible": possible, "decided_by": "rule"});
    let asked =
        |id: &str, part: &str| json!({"id": id, "part": part, "required": true, "verdict": "correct", "points": 2.0, "possible": 2.0});
    graded["quantities"] = json!([asked("a.bytes", "a"), asked("b.total", "b"), asked("e1.ratio", "e"), asked("f.knee", "f")]);
    graded["criteria"] =
        json!([argued("d.why", "d", 3.0), argued("a.why", "a", 1.0), argued("g.why", "g", 1.0), argued("c.why", "c", 5.0)]);
    graded["score"] = json!({"awarded": 18.0, "possible": 18.0, "pending": 0.0});
    let run = run("plain", &[graded]);
    let by_part = |target| Order { by: Some(By::Part), ..order(target) };
    let rows = cells(&exported(&run, &by_part(Target::Csv)).0.document.expect("a table"), b',');
    assert_eq!(rows[0][9..], ["a", "b", "c", "d", "e", "f", "g"]);
    assert_eq!(rows[1][9..], ["3", "2", "5", "3", "2", "2", "1"]);
    let rows = cells(&exported(&run, &order(Target::AutolabTable)).0.document.expect("a table"), b',');
    assert_eq!(rows, [["ada@example.org", "3", "2", "5", "3", "2", "2", "1"]], "Autolab knows the problems by their order alone");
}

#[test]
fn students_read_what_the_author_says_to_who_answered_so() {
    let drill = crate::drill::Library::built_in().load("communication-budget").expect("it is built in");
    let overlap = &drill.rubric.criteria.iter().find(|criterion| criterion.id == "d.overlap").expect("it has this criterion").student;
    let mut graded = row("ada", json!({"email": "ada@example.org"}), 2.0, Some(0.0));
    graded["drill"] = json!({"id": drill.id, "sha256": drill.sha256});
    graded["quantities"] =
        json!([{"id": "a.bytes", "part": "a", "required": true, "verdict": "slip", "mistake": "a_fp32", "points": 0.0, "possible": 2.0}]);
    let criterion = |outcome: &str, points: f64| json!([{"id": "d.overlap", "part": "d", "outcome": outcome, "points": points, "possible": 4.0, "decided_by": "rule"}]);
    graded["criteria"] = criterion("not_met", 0.0);
    let said = |row: &Value, by: By| {
        let mut kept = Kept::default();
        let order = Order { by: Some(by), ..order(Target::Gradescope) };
        export(&run("plain", std::slice::from_ref(row)), std::slice::from_ref(&drill), &order, &mut kept).expect("it is written");
        let result: Value = serde_json::from_str(&kept.files[0].1).expect("JSON");
        let tests = result["tests"].as_array().expect("tests").iter();
        tests.map(|test| test["output"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let not_met = overlap.not_met.clone().or_else(|| overlap.hint.clone()).expect("there is something to say");
    let items = said(&graded, By::Item);
    assert!(items[0].starts_with("Not right. You priced each gradient"), "{items:?}");
    assert_eq!(items[1], format!("Not as asked for. {not_met}"));
    assert_eq!(said(&graded, By::Part)[1], items[1], "a part says it as well");
    graded["criteria"] = criterion("review", 0.0);
    assert_eq!(said(&graded, By::Item)[1], "Waits for a person to read it; not counted yet.", "nothing is said before it is decided");
}

#[test]
fn who_answers_another_drill_has_no_grade_in_a_gradebook_of_one() {
    let mut other = row("eve", json!({"email": "eve@example.org", "login": "eve"}), 2.0, Some(4.0));
    other["drill"] = json!({"id": "cache", "sha256": "e"});
    other["score"]["possible"] = json!(13.0);
    let mut run = run("plain", &[row("ada", json!({"login": "ada"}), 2.0, Some(4.0)), row("bo", json!({"login": "bo"}), 2.0, None), other]);
    let version = |id: &str| json!({"drill": {"id": id, "sha256": "d"}, "rubric": {"id": id, "sha256": "r"}});
    run.manifest.drills = serde_json::from_value(json!([version("budget"), version("cache")])).expect("a list");
    let canvas = format!("{CANVAS}\"Example, Eve\",1205,0046,eve,S1,,,,\n");
    let (text, told) = filled(&run, &Order { column: Some("5512"), ..order(Target::Canvas) }, &canvas).expect("the others have theirs");
    let book = cells(&text, b',');
    assert_eq!((book[2][5].as_str(), book.last().expect("a row")[5].as_str()), ("6", ""), "{text}");
    assert!(lines(&told).contains("! eve: has no grade: it answers `cache`, and the others `budget`"), "{}", lines(&told));
    let rows = cells(&exported(&run, &order(Target::Otter)).0.document.expect("a table"), b',');
    assert_eq!(rows[4], ["eve.md", "", "", "", "", "it answers `cache`, and the others `budget`"]);
    let (kept, _) = exported(&run, &order(Target::PrairieLearn));
    assert!(kept.files[2].1.contains("\"gradable\": false"), "full marks on another drill are none here: {}", kept.files[2].1);
    let rows = cells(&exported(&run, &order(Target::Csv)).0.document.expect("a table"), b',');
    assert!(rows[0].contains(&"cache: b.total".to_owned()), "a table with everything has everything");
}
