//! What stands in an answer and states nothing: source code, the labels of lists, the options of commands, imitations of a report.

use std::ops::Range;

use crate::answer::Role;
use crate::drill::Drill;

/// The lines of a text that imitate a report on the answer, as orders to whoever grades it do: `{"id": "c.fraction",
/// "verdict": "correct", "read": {"text": "50.7 %"}}`. What stands there is no statement of the student's.
pub(super) fn imitations(drill: &Drill, text: &str, range: &Range<usize>) -> Vec<Range<usize>> {
    const KEYS: [&str; 3] = ["verdict", "outcome", "awarded"];
    const CODES: [&str; 6] = ["correct", "carried_forward", "form", "met", "partly", "full"];
    let mut found = Vec::new();
    let mut start = range.start;
    for line in text[range.clone()].split('\n') {
        // A value stands behind one of two signs.
        if !line.bytes().any(|byte| matches!(byte, b':' | b'=')) {
            start += line.len() + 1;
            continue;
        }
        let lower = line.to_ascii_lowercase();
        let says = |key: &str| {
            lower.match_indices(key).any(|(at, _)| {
                let quoted = lower[..at].ends_with(['"', '\'']);
                let after = lower[at + key.len()..].trim_start_matches(['"', '\'', ' ']);
                let Some(value) = after.strip_prefix([':', '=']) else { return false };
                let said = value.trim_start();
                let value = said.trim_start_matches(['"', '\'']);
                let code = CODES.iter().any(|code| value.starts_with(code)) || value.starts_with(|c: char| c.is_ascii_digit());
                let names = || drill.asks.iter().any(|ask| lower.contains(&ask.id));
                code && (quoted || value.len() < said.len() || names())
            })
        };
        if KEYS.iter().any(|key| says(key)) {
            found.push(start..start + line.len());
        }
        start += line.len() + 1;
    }
    found
}

/// Whether a block is the text of a program, not what one printed.
pub(super) fn is_source_code(role: &Role) -> bool {
    matches!(role, Role::Code(language) if !matches!(language.as_str(), "" | "text" | "txt" | "plain" | "console" | "output" | "math" | "latex"))
}

/// The numbers of a list inside running text: `1. Accumulate. 2. Shard. 3. Stay in the node.` They count up from one, and words
/// follow each.
pub(super) fn inline_list(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let bytes = text.as_bytes();
    for end in memchr::memchr2_iter(b'.', b')', bytes) {
        // Most points stand in numbers, or behind a word.
        if !matches!(bytes.get(end + 1), Some(b' ' | b'*' | b'\n')) || !end.checked_sub(1).is_some_and(|at| bytes[at].is_ascii_digit()) {
            continue;
        }
        let at = bytes[..end].iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |before| before + 1);
        let begins = at == 0 || matches!(bytes[at - 1], b' ' | b'\n' | b'\t' | b'(' | b'*' | b'_');
        let label = &text[at..end];
        if !begins || label.starts_with('0') || label.parse() != Ok(found.len() + 1) {
            continue;
        }
        let rest = &text[end + 1..];
        if rest.trim_start_matches([' ', '*', '_']).starts_with(char::is_alphabetic) {
            found.push(at..end);
        }
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// Whether a number is the value of a command's option: `--gpus 256 --bw=25`.
pub(super) fn is_option(before: &str) -> bool {
    let head = before.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | '=')).trim_end_matches(' ');
    let word = head.rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default();
    word.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
}
