//! What source code states: what its author wrote behind a statement as its result, and what a session shows as printed.

use std::ops::Range;

/// A result that stands in source code, and the work that it is the result of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Remark {
    /// The bytes that state it.
    pub(super) range: Range<usize>,
    /// What was worked out: the name that got the value, and the expression.
    pub(super) work: Vec<Range<usize>>,
}

/// The results in a stretch of source code: `print(S / 2**20)  # 2479.55`, `lat = 62 * 20e-6  # 1.24 ms`, and in a session that
/// was copied from a terminal what stands under `>>> lat * 1e3, bw * 1e3`.
pub(super) fn remarks(text: &str, stretch: &Range<usize>) -> Vec<Remark> {
    let mut found = Vec::new();
    let session = text[stretch.clone()].lines().any(|line| line.trim_start().starts_with(">>>"));
    let mut asked: Vec<Range<usize>> = Vec::new();
    let mut start = stretch.start;
    for line in text[stretch.clone()].split('\n') {
        let here = start..start + line.len();
        start = here.end + 1;
        let trimmed = line.trim_start();
        if session {
            let indent = line.len() - trimmed.len();
            if trimmed.starts_with(">>>") || trimmed.starts_with("...") {
                let code = here.start + indent + 3..here.end;
                asked = split(text, &printed(text, trim(text, &code)));
            } else if !trimmed.is_empty() && !asked.is_empty() {
                let shown = split(text, &trim(text, &here));
                if shown.len() == asked.len() {
                    let pairs = shown.into_iter().zip(std::mem::take(&mut asked));
                    found.extend(pairs.map(|(range, work)| Remark { range, work: vec![work] }));
                }
            }
            continue;
        }
        let Some(at) = comment(line) else { continue };
        let code = trim(text, &(here.start..here.start + at));
        let said = trim(text, &(here.start + at + line[at..].len() - line[at..].trim_start_matches(['#', '/']).len()..here.end));
        // A comment on a line of its own is about what follows, in words; so is one that does not begin with the result.
        let result = text[said.clone()].trim_start_matches(['=', '-', '>', '→', '≈', '~', '⇒', ' ']);
        // Behind an arrow stands what comes out, perhaps with its name: `# -> lat = 1.24 ms`.
        let arrow = ["->", "=>", "→", "⇒"].iter().any(|arrow| text[said.clone()].starts_with(arrow));
        let begins = result.starts_with(|c: char| c.is_ascii_digit() || c == '.') && !explains(&text[code.clone()], result);
        let states = begins || arrow && result.contains(|c: char| c.is_ascii_digit());
        if code.is_empty() || !states {
            continue;
        }
        found.push(Remark { range: said, work: work(text, &code) });
    }
    found
}

/// Whether a comment says what a number in the statement is, and not what comes out: `S = 2*N  # 2 bytes per gradient`.
fn explains(statement: &str, comment: &str) -> bool {
    let number = |c: char| !(c.is_ascii_digit() || matches!(c, '.' | '_'));
    let first = comment.split(number).next().unwrap_or_default().trim_end_matches('.');
    let value = statement.rsplit_once('=').map_or(statement, |(_, value)| value);
    let repeated = value.split(number).any(|operand| operand == first);
    repeated && comment[first.len()..].split_whitespace().count() > 1
}

/// Where a comment begins in a line of source code.
fn comment(line: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            ('#', None) => return Some(at),
            ('/', None) if line[at..].starts_with("// ") && line[..at].ends_with(' ') => return Some(at),
            _ => {}
        }
    }
    None
}

/// The name and the expression of a statement.
fn work(text: &str, code: &Range<usize>) -> Vec<Range<usize>> {
    let statement = &text[code.clone()];
    let assigned = statement.find('=').filter(|at| {
        let sides = (&statement[..*at], &statement[at + 1..]);
        !sides.1.starts_with('=') && !sides.0.contains(['(', '"', '\'', '!', '<', '>'])
    });
    match assigned {
        Some(at) => vec![trim(text, &(code.start..code.start + at)), trim(text, &(code.start + at + 1..code.end))],
        None => vec![printed(text, code.clone())],
    }
}

/// What a call of `print` is given.
fn printed(text: &str, code: Range<usize>) -> Range<usize> {
    let inside = text[code.clone()].strip_prefix("print(").and_then(|rest| rest.strip_suffix(')'));
    inside.map_or(code.clone(), |inside| code.start + 6..code.start + 6 + inside.len())
}

/// The members of a tuple.
fn split(text: &str, range: &Range<usize>) -> Vec<Range<usize>> {
    let whole = &text[range.clone()];
    let is_tuple = whole.starts_with('(') && whole.ends_with(')') && whole.contains(',');
    let inside = if is_tuple { range.start + 1..range.end - 1 } else { range.clone() };
    let mut depth = 0_i32;
    let mut members = Vec::new();
    let mut start = inside.start;
    for (at, c) in text[inside.clone()].char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                members.push(trim(text, &(start..inside.start + at)));
                start = inside.start + at + 1;
            }
            _ => {}
        }
    }
    members.push(trim(text, &(start..inside.end)));
    members
}

fn trim(text: &str, range: &Range<usize>) -> Range<usize> {
    let slice = &text[range.clone()];
    let start = range.start + slice.len() - slice.trim_start().len();
    start..start + slice.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_in_code_are_what_its_author_says_they_are() {
        type Said<'t> = (&'t str, &'t [&'t str]);
        let cases: &[(&str, &[Said])] = &[
            ("S = 1.3e9 * 2\nprint(S)  # 2600000000.0", &[("2600000000.0", &["S"])]),
            ("lat = 62 * 20e-6  # 1.24 ms\n", &[("1.24 ms", &["lat", "62 * 20e-6"])]),
            ("# 5.2 GB would be fp32\nS = 2.6e9 # bf16, 2 bytes", &[]),
            ("print('# 5 GB')\nx = '#1'", &[]),
            (">>> S = N * 2\n>>> S, S / 2**20\n(2.6e9, 2479.55)", &[("2.6e9", &["S"]), ("2479.55", &["S / 2**20"])]),
            ("S = 2*N  # 2 bytes per gradient", &[]),
            ("print(name, lat)  # -> lat = 1.24 ms", &[("-> lat = 1.24 ms", &["name, lat"])]),
            (">>> lat * 1e3\n1.24\nTraceback 7", &[("1.24", &["lat * 1e3"])]),
            ("double t = a + b; // 202.74 ms", &[("202.74 ms", &["double t", "a + b;"])]),
        ];
        for (text, wanted) in cases {
            let found = remarks(text, &(0..text.len()));
            let found: Vec<(&str, Vec<&str>)> =
                found.iter().map(|one| (&text[one.range.clone()], one.work.iter().map(|work| &text[work.clone()]).collect())).collect();
            let wanted: Vec<(&str, Vec<&str>)> = wanted.iter().map(|(said, work)| (*said, work.to_vec())).collect();
            assert_eq!(found, wanted, "{text}");
        }
    }
}
