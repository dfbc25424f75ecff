//! Nothing that a student wrote, or is called, is obeyed by any reader.

use std::cell::RefCell;

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::*;

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
            let mut kept = Kept::default();
            // Where nobody has a time, Classroom 50 gets nothing.
            let written = export(&run, &[], &order(target), &mut kept);
            prop_assert!(written.is_ok() || target == Target::Classroom50);
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
