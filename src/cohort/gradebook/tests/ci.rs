//! What CI shows: JUnit and GitHub Actions.

use super::*;

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
