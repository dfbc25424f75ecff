use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::text::Span;

/// What is wrong with a formula. Spans count from the start of the formula's text; whoever knows the file moves them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// A stable kebab-case name for the kind of fault.
    pub code: &'static str,
    /// What is the matter: a lower-case fragment without a full stop, literal input in backticks.
    pub title: String,
    /// Where, and what this place is; the place to look at first comes first.
    pub labels: Vec<(Span, String)>,
    /// The simplest fix, if there is one.
    pub help: Option<String>,
}

impl Fault {
    pub(super) fn new(code: &'static str, span: Span, title: impl Into<String>) -> Fault {
        Fault { code, title: title.into(), labels: vec![(span, String::new())], help: None }
    }

    pub(super) fn labelled(mut self, text: impl Into<String>) -> Fault {
        if let Some(first) = self.labels.first_mut() {
            first.1 = text.into();
        }
        self
    }

    pub(super) fn also(mut self, span: Span, text: impl Into<String>) -> Fault {
        self.labels.push((span, text.into()));
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Fault {
        self.help = Some(help.into());
        self
    }

    /// The same as a finding on a file: `place` says where in the file a span of the formula lies.
    pub fn in_file(self, file: &str, place: impl Fn(Span) -> Span) -> Diagnostic {
        let labels = self.labels.into_iter().map(|(span, text)| Label { file: file.to_owned(), span: place(span), text }).collect();
        Diagnostic { code: self.code, severity: Severity::Error, title: self.title, labels, help: self.help }
    }
}
