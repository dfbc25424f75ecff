//! The report as Markdown: for a pull request, a forum, a feedback file.

use std::fmt::Write;

use crate::report::inert;
use crate::report::page::Page;
use crate::report::shown;

/// Lays a page out.
pub(crate) fn render(page: &Page) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "# {}\n", inert::markdown(&page.title));
    let _ = writeln!(text, "{}", sentences(&page.summary));
    for section in &page.sections {
        let level = if section.is_item { "###" } else { "##" };
        let _ = write!(text, "\n{level} {}", inert::markdown(&section.title));
        if let Some(points) = &section.points {
            let _ = write!(text, ": {points}");
        }
        text.push_str("\n\n");
        for entry in &section.entries {
            // A bare `-` or `~` at the head of a list item would mean something.
            let headline = inert::markdown(&entry.headline);
            let headline = headline.trim_end_matches('.');
            let stop = if headline.ends_with(['?', '!']) { "" } else { "." };
            let _ = write!(text, "- `{}` {headline}{stop}", entry.mark.sign());
            if !entry.said.is_empty() {
                let _ = write!(text, " {}", sentences(&entry.said));
            }
            if let Some(code) = &entry.code {
                let _ = write!(text, " ({})", inert::markdown(&inert::quoted(code).to_string()));
            }
            text.push('\n');
            if let Some(quote) = &entry.quote {
                let line = format!("{}{}{}", quote.before, quote.marked, quote.after);
                let _ = writeln!(text, "  > {}", inert::markdown(&inert::quoted(&line).to_string()));
            }
        }
    }
    if !page.numbers.is_empty() {
        text.push_str("\n## What each number is taken for\n\n");
        for sentence in &page.numbers {
            let _ = writeln!(text, "- {}", inert::markdown(sentence));
        }
    }
    // A part that only holds items leaves two blank lines behind its heading.
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    text.replace(shown::TIE, " ")
}

fn sentences(said: &[String]) -> String {
    said.iter().map(|sentence| inert::markdown(sentence)).collect::<Vec<_>>().join(" ")
}
