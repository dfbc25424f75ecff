//! Checks that passed or failed, for the programs that run them: JUnit XML and annotations of GitHub's runner.

use std::fmt::Write;

/// One thing that was checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// What it belongs to: `zero-memory`.
    pub group: String,
    /// Its name, unlike that of every other check, and the same from run to run: points and lists are tied to it.
    pub name: String,
    /// The file that it is about.
    pub file: String,
    /// From 1, where there is one.
    pub line: Option<usize>,
    /// What is the matter; none where it passed.
    pub problem: Option<Problem>,
}

/// Why a check failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// What kind of failure: `verdict`, `feedback`.
    pub code: String,
    /// In one line.
    pub title: String,
    /// More of it, or nothing.
    pub body: String,
}

/// GitHub shows no more than this many annotations of a kind from one step.
const SHOWN: usize = 10;
/// It cuts a longer message off.
const LONGEST: usize = 4000;

/// JUnit XML: a suite a group, in the order in which the groups first come.
pub fn junit(name: &str, checks: &[Check]) -> String {
    let mut groups: Vec<&str> = Vec::new();
    for check in checks {
        if !groups.contains(&check.group.as_str()) {
            groups.push(&check.group);
        }
    }
    let counts = |checks: &[&Check]| {
        let failures = checks.iter().filter(|check| check.problem.is_some()).count();
        format!("tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\"", checks.len())
    };
    let all: Vec<&Check> = checks.iter().collect();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"{}\" {}>", xml(name), counts(&all));
    for group in groups {
        let members: Vec<&Check> = checks.iter().filter(|check| check.group == group).collect();
        let _ = writeln!(out, "  <testsuite name=\"{}\" {}>", xml(group), counts(&members));
        for check in members {
            let line = check.line.map_or(String::new(), |line| format!(" line=\"{line}\""));
            let (group, name, file) = (xml(&check.group), xml(&check.name), xml(&check.file));
            let _ = write!(out, "    <testcase classname=\"{group}\" name=\"{name}\" file=\"{file}\"{line}");
            match &check.problem {
                None => out.push_str("/>\n"),
                Some(problem) => {
                    let _ = writeln!(
                        out,
                        ">\n      <failure message=\"{}\" type=\"{}\">{}</failure>\n    </testcase>",
                        xml(&problem.title),
                        xml(&problem.code),
                        xml(&problem.body)
                    );
                }
            }
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// Lines that GitHub's runner takes for annotations, and one that says how many more there are.
pub fn github(checks: &[Check]) -> String {
    let mut out = String::new();
    let failed: Vec<(&Check, &Problem)> = checks.iter().filter_map(|check| Some((check, check.problem.as_ref()?))).collect();
    for (check, problem) in failed.iter().take(SHOWN) {
        let line = check.line.map_or(String::new(), |line| format!(",line={line}"));
        let message = match problem.body.trim_end() {
            "" => problem.title.clone(),
            body => format!("{}\n{body}", problem.title),
        };
        let (file, title) = (property(&check.file), property(&check.name));
        let _ = writeln!(out, "::error file={file}{line},title={title}::{}", data(&message));
    }
    if failed.len() > SHOWN {
        let rest: Vec<&str> = failed[SHOWN..].iter().map(|(check, _)| check.name.as_str()).collect();
        let _ = writeln!(out, "::error title=drillmark::{}", data(&format!("{} more: {}", rest.len(), rest.join(", "))));
    }
    out
}

/// Text of XML 1.0, also inside a quoted attribute. Characters that it forbids become a question mark in a diamond.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

/// A message of the runner: one line, whatever it holds. The runner looks for its old commands anywhere in a line.
fn data(text: &str) -> String {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let cut = if end < text.len() { format!("{}…", &text[..end]) } else { text.to_owned() };
    cut.replace("##[", "##\u{200b}[").replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a command of the runner.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, problem: Option<&str>) -> Check {
        let problem = problem.map(|body| Problem { code: "verdict".to_owned(), title: "differs".to_owned(), body: body.to_owned() });
        Check { group: "ring".to_owned(), name: name.to_owned(), file: "a.md".to_owned(), line: Some(3), problem }
    }

    #[test]
    fn junit_counts_and_escapes() {
        let text = junit("drillmark", &[check("a", None), check("b", Some("1 < 2 \u{1} \"x\""))]);
        assert!(text.contains("<testsuite name=\"ring\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\">"), "{text}");
        assert!(text.contains("<testcase classname=\"ring\" name=\"a\" file=\"a.md\" line=\"3\"/>"), "{text}");
        assert!(text.contains("type=\"verdict\">1 &lt; 2 \u{FFFD} &quot;x&quot;</failure>"), "{text}");
    }

    #[test]
    fn annotations_are_one_line_each_and_obey_nobody() {
        let text = github(&[check("a: b, c", Some("100 %\n::stop-commands::x\n##[error]y"))]);
        assert_eq!(text, "::error file=a.md,line=3,title=a%3A b%2C c::differs%0A100 %25%0A::stop-commands::x%0A##\u{200b}[error]y\n");
        let many: Vec<Check> = (0..13).map(|number| check(&number.to_string(), Some(""))).collect();
        let text = github(&many);
        assert_eq!(text.lines().count(), 11);
        assert!(text.ends_with("::error title=drillmark::3 more: 10, 11, 12\n"), "{text}");
    }
}
