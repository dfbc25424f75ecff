//! What the author of a drill or a rubric is told, drawn: the lines of the file with the place underlined. For programs,
//! the same as JSON, as annotations of GitHub, and as SARIF.

mod listed;

pub use listed::{github, json, sarif};

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::diagnostic::{self, Diagnostic, Label, Severity};
use crate::report::inert;
use crate::text::{Source, Span};

/// Draws findings, one below the other, with escape codes for color. `sources` are the files that they speak of; a place
/// in another file is named without its lines.
pub fn render(diagnostics: &[Diagnostic], sources: &[&Source]) -> String {
    let drawn: Vec<String> = diagnostics.iter().map(|diagnostic| draw(diagnostic, sources, false)).collect();
    drawn.join("\n\n")
}

/// The same, each with why it matters and what the simplest fix is.
pub fn explained(diagnostics: &[Diagnostic], sources: &[&Source]) -> String {
    let drawn: Vec<String> = diagnostics.iter().map(|diagnostic| draw(diagnostic, sources, true)).collect();
    drawn.join("\n\n")
}

/// How many errors there are, and in which files: `3 errors in drills/ring.toml`.
pub fn summary(diagnostics: &[Diagnostic]) -> String {
    let count = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    let mut files: Vec<&str> = diagnostics.iter().filter_map(|diagnostic| Some(diagnostic.labels.first()?.file.as_str())).collect();
    files.dedup();
    let files: Vec<String> = files.into_iter().map(inert::terminal).collect();
    format!("{count} error{} in {}", if count == 1 { "" } else { "s" }, files.join(" and "))
}

fn draw(diagnostic: &Diagnostic, sources: &[&Source], explained: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(inert::terminal(&diagnostic.title)).id(diagnostic.code));
    // A snippet a file, in the order in which the files are first spoken of.
    let mut left: Vec<(usize, &Label)> = diagnostic.labels.iter().enumerate().collect();
    while let Some((_, first)) = left.first() {
        let (here, others): (Vec<_>, Vec<_>) = left.iter().partition(|(_, label)| label.file == first.file);
        if let Some(source) = sources.iter().find(|source| source.name() == first.file) {
            group = group.element(snippet(source, &here));
        } else {
            group = group.element(Level::NOTE.message(format!("in {}", inert::terminal(&first.file))));
        }
        left = others;
    }
    let code = diagnostic::code(diagnostic.code).filter(|_| explained);
    if let Some(code) = code {
        group = group.element(Level::NOTE.message(code.why));
    }
    if let Some(help) = diagnostic.help.as_deref().or(code.map(|code| code.fix)) {
        group = group.element(Level::HELP.message(inert::terminal(help)));
    }
    Renderer::styled().render(&[group])
}

fn snippet<'s>(source: &'s Source, labels: &[(usize, &'s Label)]) -> Snippet<'s, annotate_snippets::Annotation<'s>> {
    let annotations = labels.iter().map(|(at, label)| {
        let kind = if *at == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(visible(source.text(), label.span));
        if label.text.is_empty() { annotation } else { annotation.label(inert::terminal(&label.text)) }
    });
    Snippet::source(source.text()).path(inert::terminal(source.name())).annotations(annotations)
}

/// A range that can be underlined: inside the text, on character boundaries, of one character at least where there is one.
fn visible(text: &str, span: Span) -> Range<usize> {
    let floor = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let start = floor(span.start);
    let end = floor(span.end).max(start);
    if start < end {
        return start..end;
    }
    let next = text[start..].chars().next().filter(|c| *c != '\n' && *c != '\r').map_or(0, char::len_utf8);
    start..start + next
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, labels: &[(usize, usize, &str)], help: Option<&str>) -> String {
        let source = Source::new("drills/ring.toml", text);
        let label = |&(start, end, text): &(usize, usize, &str)| Label {
            file: source.name().to_owned(),
            span: Span { start, end },
            text: text.to_owned(),
        };
        let diagnostic = Diagnostic {
            code: "dimension-mismatch",
            severity: Severity::Error,
            title: "only like things can be added".to_owned(),
            labels: labels.iter().map(label).collect(),
            help: help.map(str::to_owned),
        };
        let styled = render(&[diagnostic], &[&source]);
        anstream::adapter::strip_str(&styled).to_string()
    }

    #[test]
    fn a_finding_shows_its_line_and_what_each_place_is() {
        let text = "[let]\nT = \"S + C\"\n";
        let expected = "\
error[dimension-mismatch]: only like things can be added
 --> drills/ring.toml:2:6
  |
2 | T = \"S + C\"
  |      ^   - this is time
  |      |
  |      this is data
  |
  = help: divide";
        assert_eq!(drawn(text, &[(11, 12, "this is data"), (15, 16, "this is time")], Some("divide")), expected);
    }

    #[test]
    fn no_span_is_too_wrong_to_be_drawn() {
        for (start, end) in [(0, 0), (3, 3), (2, 900), (900, 901), (1, 2), (7, 3), (4, 6)] {
            for text in ["", "µ = 2\n", "\r\n\r\n", "a\u{1b}[31mb", "日本語"] {
                let drawn = drawn(text, &[(start, end, "here")], None);
                assert!(drawn.contains("only like things"), "{start}..{end} in {text:?}");
                assert!(!drawn.contains('\u{1b}'));
            }
        }
    }

    #[test]
    fn a_summary_counts_errors_and_names_files() {
        let diagnostic = |file: &str| Diagnostic {
            code: "cycle",
            severity: Severity::Error,
            title: String::new(),
            labels: vec![Label { file: file.to_owned(), span: Span::new(0, 0), text: String::new() }],
            help: None,
        };
        assert_eq!(summary(&[diagnostic("a.toml")]), "1 error in a.toml");
        assert_eq!(summary(&[diagnostic("a.toml"), diagnostic("a.toml"), diagnostic("b.toml")]), "3 errors in a.toml and b.toml");
    }
}
