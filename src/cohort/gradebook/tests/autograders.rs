//! A file a submission: Gradescope, PrairieLearn, Classroom 50, Autolab.

use super::*;

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
    assert!(lines(&told).contains("bo: has no time") && !lines(&told).contains("--submission"), "{}", lines(&told));
    let tagged = Order { classroom: Some(classroom.clone()), ..order(Target::Classroom50) };
    let trouble = export(&class(), &[], &tagged, &mut Kept::default()).expect_err("a tag is that of one submission");
    assert!(trouble.to_string().contains("several submissions"), "{trouble}");
    let timeless = run("plain", &[row("bo", json!({}), 1.5, None), row("cy", json!({}), 1.5, None)]);
    let trouble = export(&timeless, &[], &order(Target::Classroom50), &mut Kept::default()).expect_err("nobody has a time");
    assert!(trouble.to_string().contains("has no times"), "said once, not for each: {trouble}");
    let alone = run("plain", &[row("bo", json!({}), 1.5, None)]);
    let (kept, _) = exported(&alone, &Order { classroom: Some(classroom), ..order(Target::Classroom50) });
    let bo = validated("classroom50-result.schema.json", &kept.files[0].1);
    assert_eq!((&bo["score"], &bo["tests"][1]["passed"], &bo["tests"][1]["pending"]), (&json!(3), &json!(false), &json!(true)));
    assert_eq!(bo["submission"], "submit/20260901T100000Z-abc1234");
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
fn what_nobody_has_seen_is_no_zero_anywhere() {
    let mut unseen = row("kit", json!({"email": "kit@example.org", "submitted": "2026-09-01 10:00:00 -07:00"}), 0.0, None);
    unseen["quantities"] =
        json!([{"id": "b.total", "part": "b", "required": true, "verdict": "missing", "points": 0.0, "possible": 2.0, "pending": 2.0}]);
    unseen["score"] = json!({"awarded": 0.0, "possible": 6.0, "pending": 6.0});
    unseen["review"] = json!([{"kind": "answer", "id": "answer", "why": "nothing-found"}]);
    let run = run("plain", &[unseen, row("zoe", json!({}), 2.0, Some(4.0))]);
    let cells_of = |target| cells(&exported(&run, &order(target)).0.document.expect("a table"), b',');
    assert_eq!(cells_of(Target::Csv)[1][5..], ["", "6", "6", "waits for a person: answer", "", ""]);
    assert_eq!(cells_of(Target::Otter)[2][1..], ["", "", "", "", "Pending: answer"]);
    let (kept, told) = exported(&run, &order(Target::PrairieLearn));
    let result = validated("prairielearn-results.schema.json", &kept.files[0].1);
    assert_eq!((&result["gradable"], result.get("score")), (&json!(false), None));
    assert_eq!(told.waiting, ["kit"]);
    let (kept, _) = exported(&run, &order(Target::Gradescope));
    let result = validated("gradescope-results.schema.json", &kept.files[0].1);
    assert!(result["output"].as_str().is_some_and(|text| text.starts_with("6 of 6 points wait")));
    assert_eq!(result["tests"][0]["output"], "Waits for a person to read it; not counted yet.");
    let (kept, _) = exported(&run, &order(Target::Autolab));
    assert_eq!(as_autolab_reads(kept.files[0].1.lines().last().expect("a line"))["scores"], json!({}));
}
