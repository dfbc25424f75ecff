//! `fixtures/short.txt`, `fixtures/tables.txt` and `fixtures/statements.txt`: parts of answers as students jot them down, with the verdicts of a careful
//! person. The last holds those in which it takes more than the words beside a number to say whether it counts.

use std::collections::BTreeMap;
use std::fmt::Write;

use drillmark::answer::{Answer, Kind};
use drillmark::drill::Drill;
use drillmark::grade::{self, Verdict};
use drillmark::text::Source;

use crate::shipped;

const SHORT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/short.txt"));
const STATEMENTS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/statements.txt"));

const TABLES: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/tables.txt"));

#[test]
fn short_answers_get_the_verdicts_of_a_careful_person() {
    check(SHORT);
}

#[test]
fn tables_are_read_by_row_and_column() {
    check(TABLES);
}

#[test]
fn only_what_a_student_says_in_the_end_counts() {
    check(STATEMENTS);
}

/// Grades the answers of a file and compares.
fn check(cases: &str) {
    let mut wrong = String::new();
    for case in cases.split("\n=== ").skip(1) {
        let (head, rest) = case.split_once('\n').expect("a case has an answer");
        let (text, wanted) = rest.split_once("\n---\n").expect("a case has verdicts");
        let (drill, kind) = head.split_once(' ').expect("a drill and a kind of file");
        let kind = Kind::of_name(&format!("answer.{kind}")).expect("a kind of file");
        let wanted: BTreeMap<&str, Vec<&str>> = wanted
            .split("  ")
            .filter_map(|one| one.trim().split_once(' '))
            .map(|(ask, fair)| (ask, fair.split('|').map(|fair| if fair == "carried" { "carried_forward" } else { fair }).collect()))
            .collect();
        let grade = grade::grade(shipped::drill(drill), &Answer::read("answer", text, kind));
        for finding in &grade.quantities {
            let fair = wanted.get(finding.ask.as_str()).map_or(&["missing"][..], Vec::as_slice);
            if !fair.contains(&finding.verdict.code()) {
                let read = finding.read.as_ref().map_or("nothing", |read| &read.text);
                let _ = writeln!(wrong, "{text}\n  {}: {} ({read}) and not {}", finding.ask, finding.verdict.code(), fair.join(" or "));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The questions of a drill as somebody hands them in who has nothing to say: as they are, in one line, wrapped, quoted, and
/// with words left out.
fn copies(drill: &Drill) -> Vec<String> {
    let mut questions: Vec<String> = Vec::new();
    for part in &drill.parts {
        let items = part.items.iter().map(|item| format!("\n({}) {}: {}", item.id, item.title, item.text.trim()));
        questions.push(format!("({}) {}. {}{}", part.id, part.title, part.text.trim(), items.collect::<String>()));
    }
    let plain = questions.join("\n\n");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let wrapped = |text: &String| words(text).chunks(9).map(|line| line.join(" ")).collect::<Vec<_>>().join("\n");
    let shorter =
        |text: &String| words(text).iter().enumerate().filter(|(at, _)| at % 9 != 5).map(|(_, word)| word.clone()).collect::<Vec<_>>();
    vec![
        words(&plain).join(" "),
        questions.iter().map(wrapped).collect::<Vec<_>>().join("\n\n"),
        plain.lines().map(|line| format!("> {line}\n")).collect(),
        questions.iter().map(|text| shorter(text).join(" ")).collect::<Vec<_>>().join("\n\n"),
        plain,
    ]
}

#[test]
fn a_copy_of_the_questions_states_nothing() {
    let mut wrong = String::new();
    for drill in shipped::drills() {
        for text in copies(drill) {
            for kind in [Kind::Markdown, Kind::Text] {
                let grade = grade::grade(drill, &Answer::read("answer", &*text, kind));
                for finding in grade.quantities.iter().filter(|finding| finding.verdict != Verdict::Missing) {
                    let read = finding.read.as_ref().map_or("several", |read| &read.text);
                    let _ = writeln!(wrong, "{}: {} ({read}) in\n{text}\n", finding.ask, finding.verdict.code());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn a_value_that_is_given_and_asked_as_well_answers_where_it_is_asked() {
    let drill = r#"
        format = 1
        id = "costs"
        title = "What a run costs"
        summary = "Rent and delay of a run."
        [given]
        budget = { value = "200000 EUR", says = "the budget" }
        rent = { value = "2 EUR", says = "the rent of an hour" }
        hours = { value = "100000", noun = "hours", says = "the hours" }
        [[part]]
        id = "a"
        title = "Costs"
        text = "What does the run cost?"
        [[part.ask]]
        id = "a.total"
        asks = "the costs of the run"
        value = "rent*hours"
        unit = "EUR"
        required = true
        cues = ["total", "costs"]
    "#;
    let rubric = "format = 1\nid = \"costs\"\ndrill = \"costs\"\n[values]\n\"a.total\" = 1.0\n";
    let drill = Drill::load(&Source::new("costs.toml", drill), &Source::new("costs.rubric.toml", rubric)).expect("the drill is sound");
    for text in [
        "(a) Total: 200000 EUR",
        "(a) The run costs 200000 EUR.",
        "(a) 200000 EUR",
        "(a) The budget of 200000 EUR just covers 200000 EUR in total",
    ] {
        let grade = grade::grade(&drill, &Answer::read("answer.md", text, Kind::Markdown));
        assert_eq!(grade.quantities[0].verdict, Verdict::Correct, "{text}");
    }
}
