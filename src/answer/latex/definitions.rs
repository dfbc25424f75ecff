//! Definitions: macros, units, and the labels of lists.

use crate::answer::latex::{MAX_DEFINITION, Reader};

impl Reader<'_> {
    /// Takes in a definition; false if the command defines nothing.
    pub(super) fn definition(&mut self, name: &str) -> bool {
        match name {
            "newcommand"
            | "renewcommand"
            | "providecommand"
            | "def"
            | "DeclareRobustCommand"
            | "DeclareMathOperator"
            | "DeclareSIUnit"
            | "newunit" => {
                self.options();
                self.skip_spaces();
                let called = if self.byte() == Some(b'{') {
                    {
                        let argument = self.argument();
                        self.slice(argument).trim()
                    }
                    .trim_start_matches('\\')
                } else if self.byte() == Some(b'\\') {
                    self.name()
                } else {
                    return true;
                };
                let arguments = match self.options() {
                    Some(count) => self.slice(Some(count)).trim().parse().unwrap_or(0),
                    None => self.rest().split('{').next().unwrap_or("").matches('#').count(),
                };
                self.options();
                if name == "def" {
                    let parameters = self.rest().bytes().take(40).position(|byte| byte == b'{').unwrap_or(0);
                    self.at += parameters;
                }
                let Some(body) = self.argument_within(MAX_DEFINITION) else { return true };
                let body = self.slice(Some(body));
                match called {
                    "labelenumi" | "theenumi" => self.lists.set(Some(0), &with_stop(called, body)),
                    "labelenumii" | "theenumii" => self.lists.set(Some(1), &with_stop(called, body)),
                    _ => self.macros.define(called, arguments, body),
                }
            }
            "setlist" | "setenumerate" => {
                let options = self.options();
                let level = self.slice(options).split(',').find_map(|word| word.trim().parse::<usize>().ok());
                let all = self.slice(options);
                let labels = self.argument();
                if !all.contains("itemize") && !all.contains("description") {
                    let labels = self.slice(labels);
                    self.lists.set(level.map(|level| level.saturating_sub(1)), labels);
                }
            }
            _ => return false,
        }
        true
    }
}

/// A label's definition as an option of a list; `\theenumi` gets the stop that stands behind it.
fn with_stop(name: &str, body: &str) -> String {
    if name.starts_with("the") { format!("label={{{body}.}}") } else { format!("label={{{body}}}") }
}
