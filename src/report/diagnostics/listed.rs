//! Findings for programs: JSON, the annotations of GitHub, and SARIF.

use std::fmt::Write;

use serde::Serialize;

use crate::diagnostic::{self, CODES, Code, Diagnostic, Label, Severity};
use crate::report::{inert, json};
use crate::text::{Place, Source, Span};

/// An array of objects, one a finding, places counted from 1 and columns in characters.
pub fn json(diagnostics: &[Diagnostic], sources: &[&Source]) -> String {
    let findings: Vec<Finding> = diagnostics.iter().map(|diagnostic| Finding::of(diagnostic, sources)).collect();
    json::pretty(&findings)
}

/// A command a line that a GitHub runner turns into an annotation beside the line of the file.
pub fn github(diagnostics: &[Diagnostic], sources: &[&Source]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let finding = Finding::of(diagnostic, sources);
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let _ = write!(out, "::{command} ");
        if let Some(at) = &finding.at {
            let _ = write!(out, "file={},line={},endLine={},", property(at.file), at.line, at.end_line);
            // A runner takes columns for one line only.
            if at.line == at.end_line {
                let _ = write!(out, "col={},endColumn={},", at.column, at.end_column);
            }
        }
        let message = [finding.title, finding.why.unwrap_or_default(), finding.fix.unwrap_or_default()];
        let message: Vec<&str> = message.into_iter().filter(|text| !text.is_empty()).collect();
        let _ = writeln!(out, "title={}::{}", property(finding.code), data(&message.join("\n")));
    }
    out
}

/// A log in the Static Analysis Results Interchange Format, version 2.1.0.
pub fn sarif(diagnostics: &[Diagnostic], sources: &[&Source]) -> String {
    let results = diagnostics.iter().map(|diagnostic| {
        let mut places = diagnostic.labels.iter().map(|label| Location::of(label, sources));
        SarifResult {
            rule_id: diagnostic.code,
            rule_index: CODES.iter().position(|code| code.code == diagnostic.code),
            level: level(diagnostic.severity),
            message: Text { text: message(diagnostic) },
            locations: places.by_ref().take(1).collect(),
            related_locations: places.enumerate().map(|(at, place)| Location { id: Some(at + 1), ..place }).collect(),
        }
    });
    let log = Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: env!("CARGO_PKG_NAME"),
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    rules: CODES.iter().map(Rule::of).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            results: results.collect(),
        }],
    };
    json::pretty(&log)
}

/// What a message may hold in a runner's command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// What a property of a runner's command may hold.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

fn message(diagnostic: &Diagnostic) -> String {
    match &diagnostic.help {
        Some(help) => format!("{}; {help}", diagnostic.title),
        None => diagnostic.title.clone(),
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

#[derive(Serialize)]
struct Finding<'a> {
    code: &'static str,
    severity: &'static str,
    title: &'a str,
    #[serde(flatten)]
    at: Option<At<'a>>,
    why: Option<&'static str>,
    fix: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<At<'a>>,
}

#[derive(Serialize)]
struct At<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    text: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'a str,
}

impl<'a> Finding<'a> {
    fn of(diagnostic: &'a Diagnostic, sources: &[&'a Source]) -> Finding<'a> {
        let known = diagnostic::code(diagnostic.code);
        let mut places = diagnostic.labels.iter().map(|label| At::of(label, sources));
        Finding {
            code: diagnostic.code,
            severity: level(diagnostic.severity),
            title: &diagnostic.title,
            at: places.next(),
            why: known.map(|code| code.why),
            fix: diagnostic.help.as_deref().or(known.map(|code| code.fix)),
            also: places.collect(),
        }
    }
}

impl<'a> At<'a> {
    fn of(label: &'a Label, sources: &[&'a Source]) -> At<'a> {
        let source = sources.iter().find(|source| source.name() == label.file);
        let (start, end) = ends(source.copied(), label.span);
        let text = source.map_or("", |source| source.slice(label.span));
        At {
            file: &label.file,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            text,
            label: &label.text,
        }
    }
}

/// The first place of a span and the one behind its last character.
fn ends(source: Option<&Source>, span: Span) -> (Place, Place) {
    let first = Place { line: 1, column: 1 };
    source.map_or((first, first), |source| (source.place(span.start), source.place(span.end)))
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<SarifResult<'a>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Text,
    full_description: Text,
    help: Text,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

impl Rule {
    fn of(code: &Code) -> Rule {
        let text = |text: &str| Text { text: text.to_owned() };
        Rule {
            id: code.code,
            short_description: text(&code.code.replace('-', " ")),
            full_description: text(code.why),
            help: text(code.fix),
            default_configuration: Configuration { level: level(code.severity) },
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult<'a> {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Text,
    locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation<'a> {
    artifact_location: ArtifactLocation,
    region: Region<'a>,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region<'a> {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    snippet: Option<Snippet<'a>>,
}

#[derive(Serialize)]
struct Snippet<'a> {
    text: &'a str,
}

impl<'a> Location<'a> {
    fn of(label: &'a Label, sources: &[&'a Source]) -> Location<'a> {
        let source = sources.iter().find(|source| source.name() == label.file).copied();
        let (start, end) = ends(source, label.span);
        let snippet = source.map(|source| source.slice(label.span)).filter(|text| !text.is_empty()).map(|text| Snippet { text });
        Location {
            id: None,
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri: uri(&label.file) },
                region: Region { start_line: start.line, start_column: start.column, end_line: end.line, end_column: end.column, snippet },
            },
            message: (!label.text.is_empty()).then(|| Text { text: inert::terminal(&label.text) }),
        }
    }
}

/// A path as a relative reference: what a URI gives another meaning is written as its bytes.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    // The first segment of a relative reference has no colon, which is written as its byte above.
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> (Vec<Diagnostic>, Source) {
        let source = Source::new("drills/my ring, 100%.toml", "title = \"µ\"\nS = \"N*b\"\n");
        let label = |start, end, text: &str| Label { file: source.name().to_owned(), span: Span::new(start, end), text: text.to_owned() };
        let diagnostic = Diagnostic {
            code: "unused-name",
            severity: Severity::Warning,
            title: "`S` is used by nothing: 100 %,\nreally".to_owned(),
            labels: vec![label(13, 14, ""), label(8, 12, "here")],
            help: Some("take it out".to_owned()),
        };
        (vec![diagnostic], source)
    }

    #[test]
    fn a_runner_reads_each_finding_as_one_command() {
        let (found, source) = found();
        let line = github(&found, &[&source]);
        assert_eq!(line.lines().count(), 1, "{line}");
        let head = "::warning file=drills/my ring%2C 100%25.toml,line=2,endLine=2,col=1,endColumn=2,title=unused-name::";
        assert!(line.starts_with(head), "{line}");
        assert!(line.contains("100 %25,%0Areally%0A") && line.trim_end().ends_with("%0Atake it out"), "{line}");
    }

    #[test]
    fn sarif_has_a_rule_for_each_result_and_a_region_for_each_place() {
        let (found, source) = found();
        let log: serde_json::Value = serde_json::from_str(&sarif(&found, &[&source])).expect("JSON");
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let result = &run["results"][0];
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("a rule") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(rule["help"]["text"].as_str().is_some_and(|text| !text.is_empty()));
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "drills/my%20ring%2C%20100%25.toml");
        assert_eq!(place["region"]["startLine"], 2);
        assert_eq!(place["region"]["snippet"]["text"], "S");
        // Columns count characters, not bytes: the letter between the quotes has two.
        let related = &result["relatedLocations"][0]["physicalLocation"]["region"];
        assert_eq!((&related["startColumn"], &related["endColumn"]), (&9.into(), &12.into()));
    }

    #[test]
    fn json_says_where_why_and_what_to_do() {
        let (found, source) = found();
        let list: serde_json::Value = serde_json::from_str(&json(&found, &[&source])).expect("JSON");
        let finding = &list[0];
        assert_eq!((&finding["line"], &finding["column"], &finding["text"]), (&2.into(), &1.into(), &"S".into()));
        assert_eq!(finding["severity"], "warning");
        assert_eq!(finding["fix"], "take it out");
        assert!(finding["why"].as_str().is_some_and(|why| why.ends_with('.')));
        assert_eq!(finding["also"][0]["label"], "here");
    }
}
