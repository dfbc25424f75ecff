//! What the author of a drill or a rubric is told, as data.
//!
//! All findings on a file are collected and reported at once. Layout belongs to `report`; this module draws nothing.

use crate::text::Span;

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing has to change.
    Note,
    /// Works, but is probably not what was meant.
    Warning,
    /// The file cannot be used as it is.
    Error,
}

/// A stretch of one of the author's files with a word on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Name of the file, as [`Source::name`](crate::text::Source::name) has it.
    pub file: String,
    /// Where in the file.
    pub span: Span,
    /// What this place is; empty where the title says it all.
    pub text: String,
}

/// One finding on a drill or a rubric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable kebab-case name for the kind of finding, such as `unknown-name`.
    pub code: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// What is the matter: a lower-case fragment without a full stop, literal input in backticks.
    pub title: String,
    /// Where: the place to look at first, then others that explain it.
    pub labels: Vec<Label>,
    /// The simplest fix, if there is one.
    pub help: Option<String>,
}
