//! What the author of a drill or a rubric is told, as data.
//!
//! All findings on a file are collected and reported at once. Layout belongs to `report`; this module draws nothing.

mod code;

pub use code::{CODES, Code, Stage, code};

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

/// The candidate that was probably meant by a misspelled word: the one within a third of its letters of it, if any.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (word.chars().count() / 3).clamp(1, 3);
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let distance = distance(word, candidate, allowed)?;
            // A name of one or two letters is near to every other; only its case may differ.
            let far = word.chars().count() <= 2 && !word.eq_ignore_ascii_case(candidate);
            (!far).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// The number of letters to insert, delete, replace or swap with the next; case counts as nothing. `None` beyond `most`.
fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=b.len()).collect());
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last.pop().filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_word_finds_the_one_that_was_meant() {
        let known = ["tolerance", "min_figures", "alpha", "alpha_node", "S", "P"];
        for (word, near) in [
            ("tolerence", Some("tolerance")),
            ("Alpha", Some("alpha")),
            ("alhpa", Some("alpha")),
            ("minfigures", Some("min_figures")),
            ("s", Some("S")),
            ("Q", None),
            ("latency", None),
        ] {
            assert_eq!(nearest(word, known), near, "{word}");
        }
    }
}
