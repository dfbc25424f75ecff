//! Two versions of a text side by side, as people know it from version control.

use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use similar::{ChangeTag, DiffOp, TextDiff};

use crate::report::inert;

/// Unchanged lines shown around a change.
const AROUND: usize = 2;
/// A difference is shown coarser rather than searched for longer than this.
const PATIENCE: Duration = Duration::from_millis(500);

const OLD: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();
const DIM: Style = Style::new().dimmed();

/// For a terminal, with escape codes for color; in a changed line the words that changed stand out.
pub fn terminal(old: &str, new: &str) -> String {
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(old, new);
    let mut out = String::new();
    for (number, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if number > 0 {
            let _ = writeln!(out, "{DIM}  …{DIM:#}");
        }
        for change in group.iter().flat_map(|op| diff.iter_inline_changes(op)) {
            let (sign, style) = marks(change.tag());
            let _ = write!(out, "{style}{sign} {style:#}");
            for (is_changed, text) in change.iter_strings_lossy() {
                let text = inert::terminal(text.trim_end_matches(['\n', '\r']));
                let style = if is_changed { style.bold().underline() } else { style };
                let _ = write!(out, "{style}{text}{style:#}");
            }
            out.push('\n');
        }
    }
    out
}

/// Without color and escape codes: for files, annotations and Markdown's `diff` blocks.
pub fn plain(old: &str, new: &str) -> String {
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(old, new);
    let mut out = String::new();
    for (number, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if number > 0 {
            out.push_str("  …\n");
        }
        for change in group.iter().flat_map(|op: &DiffOp| diff.iter_changes(op)) {
            let (sign, _) = marks(change.tag());
            let _ = writeln!(out, "{sign} {}", inert::terminal(change.value().trim_end_matches(['\n', '\r'])));
        }
    }
    out
}

fn marks(tag: ChangeTag) -> (char, Style) {
    match tag {
        ChangeTag::Delete => ('-', OLD),
        ChangeTag::Insert => ('+', NEW),
        ChangeTag::Equal => (' ', DIM),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_stand_between_their_neighbors() {
        let old = "one\ntwo\nthree\nfour\nfive\nsix\n";
        assert_eq!(plain(old, &old.replace("four", "4")), "  two\n  three\n- four\n+ 4\n  five\n  six\n");
        assert_eq!(plain(old, old), "");
    }

    #[test]
    fn what_is_compared_is_not_obeyed() {
        let shown = terminal("a\u{1b}[2J 1\n", "a\u{1b}[2J 2\n");
        assert!(!shown.contains("\u{1b}[2J"), "{shown:?}");
        assert!(shown.contains('␛'), "{shown:?}");
    }
}
