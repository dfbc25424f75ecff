//! Each layout by a small tree of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

/// A folder of the tests' own with these files.
fn folder(files: &[(&str, &str)]) -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let root = std::env::temp_dir().join(format!("drillmark-collect-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).expect("the system has a folder for such files");
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("below the root")).expect("it is writable");
        fs::write(path, text).expect("it is writable");
    }
    root
}

fn collect(path: &Path) -> Class {
    Class::collect(path, &Rules::default()).expect("the class can be collected")
}

/// By id: the text, or `!` and why there is none.
fn texts(class: &Class) -> BTreeMap<&str, String> {
    let text =
        |submission| class.text(submission).map_or_else(|why| format!("! {why}"), |text| String::from_utf8_lossy(&text.bytes).into_owned());
    class.submissions.iter().map(|submission| (submission.id.as_str(), text(submission))).collect()
}

fn one<'a>(class: &'a Class, id: &str) -> &'a Submission {
    class.submissions.iter().find(|submission| submission.id == id).expect("it is there")
}

#[test]
fn a_plain_folder_has_a_file_or_a_folder_a_student() {
    let class = collect(&folder(&[
        ("s1.md", "one"),
        ("s2/answer.tex", "two"),
        ("s2/README.md", "about"),
        ("s2/figure.png", "picture"),
        ("s2/.git/config", "git"),
        ("s3/README.md", "three"),
        ("s4/part10.md", "ten"),
        ("s4/part2.md", "two"),
        ("s5/a.md", "a"),
        ("s5/a.tex", "b"),
        ("s6/a.docx", "x"),
        ("s6/b.pdf", "x"),
        ("s7.md", "x"),
        ("s7.txt", "x"),
        ("s8/all.zip", "PK"),
        ("s9/answer", "nine"),
        ("README.md", "about the class"),
        ("._s1.md", "apple"),
        ("__MACOSX/s1.md", "apple"),
    ]));
    assert_eq!(class.layout, Layout::Plain);
    let texts = texts(&class);
    assert_eq!(texts.len(), 9, "{texts:?}");
    assert_eq!((texts["s1"].as_str(), texts["s2"].as_str(), texts["s3"].as_str(), texts["s9"].as_str()), ("one", "two", "three", "nine"));
    assert_eq!(texts["s4"], "two\n\nten");
    assert_eq!(one(&class, "s4").arrival.joined, ["s4/part2.md", "s4/part10.md"]);
    assert_eq!(one(&class, "s2").arrival.left_out.len(), 2);
    for (id, told) in
        [("s5", "several kinds"), ("s6", "of a kind that is read: a.docx, b.pdf"), ("s7", "several kinds"), ("s8", "not opened")]
    {
        assert!(texts[id].starts_with("! ") && texts[id].contains(told), "{id}: {}", texts[id]);
    }
    assert_eq!(class.strays.len(), 1);
}

#[test]
fn one_folder_around_everything_is_the_class() {
    let class = collect(&folder(&[("drill-3-submissions/s1/answer.md", "one"), ("drill-3-submissions/s2/answer.md", "two")]));
    assert_eq!(texts(&class).into_keys().collect::<Vec<_>>(), ["s1", "s2"]);
}

#[test]
fn canvas_names_are_taken_apart() {
    let class = collect(&folder(&[
        ("exampleada_LATE_1201_88012_drill2.md", "ada"),
        ("student2_1202_88013_12_34_drill.md", "two"),
        ("exampleÅsa_1203_text.html", "<p>asa</p>"),
        ("examplebo_1204_88014_budget.md", "old"),
        ("examplebo_1204_88090_budget-1.md", "new"),
        ("examplecy_1205_link.html", "<a href=x>"),
        ("anon_dN2Mp_1206_88015_drill.md", "six"),
        ("anon_Zq81x_88016_drill.md", "seven"),
        ("notes.md", "stray"),
    ]));
    assert_eq!(class.layout, Layout::Canvas);
    let texts = texts(&class);
    assert_eq!(texts["1201"], "ada");
    assert_eq!(texts["1202"], "two");
    assert_eq!(texts["1203"], "<p>asa</p>");
    assert_eq!(texts["1204"], "new");
    assert!(texts["1205"].contains("not followed"));
    assert_eq!((texts["anon_dN2Mp"].as_str(), texts["anon_Zq81x"].as_str()), ("six", "seven"));
    assert!(one(&class, "1201").arrival.late && !one(&class, "1202").arrival.late);
    assert_eq!(one(&class, "1202").arrival.name.as_deref(), Some("student2"));
    assert_eq!(one(&class, "1204").arrival.replaced, ["examplebo_1204_88014_budget.md"]);
    assert_eq!(class.strays.len(), 1);
}

#[test]
fn moodle_folders_and_flat_files_are_taken_apart() {
    let class = collect(&folder(&[
        ("Ada Example_1201_assignsubmission_file_/drill.md", "ada"),
        ("Bo O'Hara 2_1202_assignsubmission_file/drill.md", "bo"),
        ("Cy Example_1203_assignsubmission_onlinetext_/onlinetext.html", "<p>cy</p>"),
        ("Participant_1204_assignsubmission_file_/drill.md", "blind"),
        ("Team 7_31_assignsubmission_file_drill.md", "team"),
        ("Default group_assignsubmission_file_drill.md", "nobody"),
        ("Di Example_1205_assignsubmission_file_/drill.md", "file"),
        ("Di Example_1205_assignsubmission_onlinetext_/onlinetext.html", "online"),
    ]));
    assert_eq!(class.layout, Layout::Moodle);
    let texts = texts(&class);
    assert_eq!((texts["1201"].as_str(), texts["1202"].as_str(), texts["1203"].as_str()), ("ada", "bo", "<p>cy</p>"));
    assert_eq!((texts["1204"].as_str(), texts["31"].as_str()), ("blind", "team"));
    assert_eq!(one(&class, "1204").arrival.name, None);
    assert_eq!(one(&class, "31").arrival.name.as_deref(), Some("Team 7"));
    assert!(texts["Default group"].contains("a person has to say"), "{texts:?}");
    assert_eq!(texts["1205"], "file\n\nonline");
}

#[test]
fn a_gradescope_export_knows_who_and_when() {
    let root = folder(&[
        ("assignment_7_export/submission_1001/drill.md", "ada"),
        ("assignment_7_export/submission_1003/drill.md", "unknown"),
        (
            "assignment_7_export/submission_metadata.yml",
            "---\nsubmission_1001:\n  :submitters:\n  - :name: Ada Example\n    :sid: \"0042\"\n    :email: ada@example.org\n  - :name: Bo Example\n    :sid: '0043'\n  :created_at: 2026-09-01 10:00:00 -07:00\n  :history:\n  - :created_at: 2026-08-31 10:00:00 -07:00\nsubmission_1002:\n  :submitters:\n  - :name: Cy Example\n",
        ),
    ]);
    let rules = Rules { deadline: Some("2026-09-01 09:00 -07:00".parse().expect("a time")), ..Rules::default() };
    let class = Class::collect(&root, &rules).expect("the class can be collected");
    assert_eq!(class.layout, Layout::Gradescope);
    let ada = one(&class, "submission_1001");
    assert_eq!(ada.arrival.members, ["Ada Example", "Bo Example"]);
    assert_eq!((ada.arrival.sid.as_deref(), ada.arrival.attempt, ada.arrival.late), (Some("0042"), Some(2), true));
    let texts = texts(&class);
    assert!(texts["submission_1002"].contains("holds no file"), "{texts:?}");
    assert_eq!(texts["submission_1003"], "unknown");
}

#[test]
fn a_list_that_a_student_hands_in_says_nothing_about_the_others() {
    let list = "submission_1:\n  :submitters:\n  - :name: Mallory\n";
    let class = collect(&folder(&[("s1/submission_metadata.yml", list), ("s1/submission_1/drill.md", "one"), ("s2/drill.md", "two")]));
    assert_eq!(class.layout, Layout::Plain);
    assert_eq!(texts(&class).into_keys().collect::<Vec<_>>(), ["s1", "s2"]);
    let class = collect(&folder(&[("a/b/submission_metadata.yml", list), ("a/b/submission_1/drill.md", "one")]));
    assert_eq!((class.layout, texts(&class)["submission_1"].as_str()), (Layout::Gradescope, "one"));
}

#[test]
fn a_group_that_the_roster_knows_in_part_keeps_its_names() {
    let root = folder(&[
        ("class/submission_7/drill.md", "x"),
        (
            "class/submission_metadata.yml",
            "submission_7:\n  :submitters:\n  - :name: Ada Example\n    :email: ada@example.org\n  - :name: Bo Example\n    :email: bo@example.org\n",
        ),
        ("roster.csv", "name,email\nAda,ada@example.org\n"),
    ]);
    let mut class = collect(&root.join("class"));
    let matches = crate::cohort::Roster::open(&root.join("roster.csv")).expect("it is a roster").join(&mut class);
    assert_eq!(matches.unmatched, ["submission_7 (1 of its 2 members)"]);
    assert_eq!(one(&class, "submission_7").arrival.name.as_deref(), Some("Ada Example, Bo Example"));
}

#[test]
fn responses_to_a_form_become_sections() {
    let table = "Timestamp,Email Address,Your name,(a) Message size,(b) Ring time,Score\n\
                 2026-09-01 10:00:00,ada@example.org,Ada Example,2.6 GB,\"202.8 ms,\nboth terms\",0\n\
                 2026-09-02 10:00:00,ada@example.org,Ada Example,2.7 GB,,0\n\
                 2026-09-01 11:00:00,,Bo,2.6 GB,x,0\n";
    let path = folder(&[("responses.csv", table)]).join("responses.csv");
    let class = collect(&path);
    assert_eq!(texts(&class)["ada@example.org"], "## (a) Message size\n\n2.7 GB\n\n");
    assert_eq!(one(&class, "ada@example.org").arrival.replaced, ["line 2, of 2026-09-01 10:00:00"]);
    assert!(texts(&class)["line 5"].contains("whose"), "{:?}", texts(&class));
    let rules = Rules { deadline: Some("2026-09-02 00:00".parse().expect("a time")), ..Rules::default() };
    let class = Class::collect(&path, &rules).expect("the class can be collected");
    assert_eq!(texts(&class)["ada@example.org"], "## (a) Message size\n\n2.6 GB\n\n## (b) Ring time\n\n202.8 ms,\nboth terms\n\n");
    for (table, told) in [("a,b\n1,2\n", "whose answers"), ("id,email\n1,2\n", "no column with answers")] {
        let path = folder(&[("t.csv", table)]).join("t.csv");
        assert!(Class::collect(&path, &Rules::default()).expect_err("not usable").to_string().contains(told));
    }
}

#[test]
fn a_stream_of_lines_takes_the_last_of_each_id() {
    let lines = "{\"id\": \"s1\", \"text\": \"old\", \"kind\": \"md\"}\n\n{\"id\": 2, \"text\": \"two\"}\nnot JSON\n{\"id\": \"s1\", \"text\": \"new\"}\n{\"id\": \"s3\", \"text\": \"x\", \"kind\": \"docx\"}";
    let class = collect(&folder(&[("class.jsonl", lines)]).join("class.jsonl"));
    let texts = texts(&class);
    assert_eq!((texts["s1"].as_str(), texts["2"].as_str()), ("new", "two"));
    assert!(texts["line 4"].contains("not an answer") && texts["s3"].contains("unknown kind"), "{texts:?}");
    assert_eq!(one(&class, "s1").arrival.replaced, ["line 1"]);
}

#[test]
fn a_roster_names_the_submissions_and_lists_whom_nothing_matches() {
    let root = folder(&[
        ("class/drill-3-ada-l/answer.md", "x"),
        ("class/0042.md", "x"),
        ("class/bo@example.org.md", "x"),
        ("class/stranger.md", "x"),
        ("class/cy.md", "x"),
        ("class/C77.md", "x"),
        (
            "roster.csv",
            "\u{feff}Student;SIS User ID;SIS Login ID;Email\n    Points Possible;;;\n\"Lovelace, Ada\";0001;ada-l;\nDi Example;0042;di;\nBo Example;0043;bo;bo@example.org\nCy Example;C77;cy;\nEd Example;0099;ed;\n",
        ),
    ]);
    let mut class = collect(&root.join("class"));
    let roster = crate::cohort::Roster::open(&root.join("roster.csv")).expect("it is a roster");
    let matches = roster.join(&mut class);
    for (id, name) in [("drill-3-ada-l", "Lovelace, Ada"), ("0042", "Di Example"), ("bo@example.org", "Bo Example"), ("cy", "Cy Example")] {
        assert_eq!(one(&class, id).arrival.name.as_deref(), Some(name));
    }
    assert_eq!(one(&class, "0042").arrival.login.as_deref(), Some("di"));
    assert_eq!(matches.unmatched, ["stranger"]);
    assert_eq!(matches.absent.iter().map(|person| person.name.as_str()).collect::<Vec<_>>(), ["Ed Example"]);
    assert_eq!(matches.twice[0].submissions, ["C77", "cy"]);
}

#[test]
fn canvas_and_moodle_names_find_their_people() {
    let root = folder(&[
        ("class/exampleada_1201_88012_drill2.md", "x"),
        ("class/oharabo_1202_88013_drill2.md", "x"),
        ("roster.csv", "Student,ID,SIS Login ID,Section\n\"Example, Ada\",1201,ada,S1\nBo O'Hara,9999,bo,S1\n"),
    ]);
    let mut class = collect(&root.join("class"));
    let matches = crate::cohort::Roster::open(&root.join("roster.csv")).expect("it is a roster").join(&mut class);
    assert!(matches.unmatched.is_empty() && matches.absent.is_empty(), "{matches:?}");
    assert_eq!(one(&class, "1202").arrival.name.as_deref(), Some("Bo O'Hara"));
}

#[test]
fn who_is_missing_goes_by_what_the_others_go_by() {
    let missing = |files: &[(&str, &str)]| {
        let root = folder(files);
        let mut class = collect(&root.join("class"));
        let matches = crate::cohort::Roster::open(&root.join("roster.csv")).expect("it is a roster").join(&mut class);
        matches.absent.into_iter().map(|person| person.id).collect::<Vec<_>>()
    };
    let roster = "Student,SIS Login ID,SIS User ID,ID\nAda,ada,0042,1201\nBo,bo,0043,1202\nCy,cy,,1203\n";
    let canvas = [("class/ada_1201_88012_drill2.md", "x"), ("class/bo_1202_88013_drill2.md", "x"), ("roster.csv", roster)];
    assert_eq!(missing(&canvas), [Some("1203".to_owned())]);
    assert_eq!(missing(&[("class/ada.md", "x"), ("class/1202.md", "x"), ("roster.csv", roster)]), [Some("cy".to_owned())]);
    let by_number = [("class/0042.md", "x"), ("roster.csv", roster)];
    assert_eq!(missing(&by_number), [Some("0043".to_owned()), Some("cy".to_owned())], "what there is, where that is missing");
}
