//! Where sentences end.

use std::ops::Range;

/// The sentences of a plain text, in order, without the white space around them.
///
/// A stop ends a sentence unless it belongs to a number, an abbreviation, or the marker of a list. A line ends one where
/// the next line begins something of its own: a list item, a label, `name = …`, `name: …`; a line that was only broken
/// for its width does not.
///
/// ```
/// use drillmark::text::sentences;
/// let text = "It takes approx. 1.24 ms, i.e. little. That fits!\n- latency: 1 ms\n- bandwidth: 2 ms";
/// let found: Vec<&str> = sentences(text).into_iter().map(|range| &text[range]).collect();
/// assert_eq!(found, ["It takes approx. 1.24 ms, i.e. little.", "That fits!", "- latency: 1 ms", "- bandwidth: 2 ms"]);
/// ```
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let bytes = text.as_bytes();
    while let Some(next) = bytes[at..].iter().position(|byte| matches!(byte, b'.' | b'!' | b'?' | b'\n' | 0xE2 | 0xE3 | 0xEF)) {
        let here = at + next;
        let sign = text[here..].chars().next().unwrap_or('.');
        let after = here + sign.len_utf8();
        at = after;
        let end = match sign {
            '\n' if line_ends(text, start, here) => Some(here),
            '.' if belongs_to_word(text, start, here) => None,
            '.' | '!' | '?' | '…' => closing(text, after),
            '。' | '！' | '？' => Some(after),
            _ => None,
        };
        if let Some(end) = end {
            push(text, start..end, &mut found);
            start = end;
            at = end.max(after);
        }
    }
    push(text, start..text.len(), &mut found);
    found
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let inner = text[range.clone()].trim();
    if !inner.is_empty() {
        let start = range.end - text[range.clone()].trim_start().len();
        found.push(start..start + inner.len());
    }
}

/// The end of a sentence whose last stop ends at `at`: behind further stops and closing quotes and brackets, if white
/// space follows.
fn closing(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    // Most often white space follows at once, or the digits of a number.
    match rest.as_bytes().first() {
        None | Some(b' ' | b'\n') => return Some(at),
        Some(byte) if byte.is_ascii_alphanumeric() => return None,
        _ => {}
    }
    let trimmed = rest.trim_start_matches(['.', '!', '?', '"', '\'', '”', '’', '»', ')', ']', '*', '_']);
    let end = at + (rest.len() - trimmed.len());
    trimmed.chars().next().is_none_or(char::is_whitespace).then_some(end)
}

/// Words that end in a stop inside a sentence.
const ABBREVIATIONS: [&str; 28] = [
    "e.g", "i.e", "eg", "ie", "vs", "cf", "ca", "resp", "eq", "eqs", "fig", "figs", "no", "nos", "nr", "z.b", "d.h", "bzw", "w.r.t",
    "a.k.a", "dr", "prof", "mr", "ms.", "viz", "al", "incl", "excl",
];

/// Words that end in a stop with or without the sentence's end: they go on if a small letter or a number follows.
const MAYBE: [&str; 16] =
    ["etc", "approx", "sec", "secs", "min", "max", "avg", "est", "tot", "calc", "comm", "comp", "lat", "bw", "hrs", "usw"];

/// No word of these two lists is longer.
const LONGEST: usize = 6;

/// Whether the stop at `at` belongs to the word before it.
fn belongs_to_word(text: &str, start: usize, at: usize) -> bool {
    if !text[at + 1..].starts_with(char::is_whitespace) {
        return false;
    }
    let before = &text[start..at];
    // `1. Accumulate`, `a. 2.6 GB`: a marker at the start is no sentence.
    let said = before.trim();
    if matches!(said.len(), 1..=3) && (said.len() == 1 || said.bytes().all(|byte| byte.is_ascii_digit())) {
        return true;
    }
    let from = before.rfind(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | ',' | '/')).map_or(0, |space| space + 1);
    let word = before.get(from..).unwrap_or("");
    // Most sentences end with a word that is longer than all of these.
    if word.len() > LONGEST && word.is_ascii() {
        return false;
    }
    let word = word.to_lowercase();
    let next = text[at + 1..].trim_start().chars().next();
    if ABBREVIATIONS.contains(&word.as_str()) {
        return word != "no" || next.is_some_and(|c| c.is_ascii_digit());
    }
    MAYBE.contains(&word.as_str()) && next.is_some_and(|c| c.is_lowercase() || c.is_ascii_digit())
}

/// Whether the line break at `at` ends what began at `start`.
fn line_ends(text: &str, start: usize, at: usize) -> bool {
    let line_start = text[start..at].rfind('\n').map_or(start, |line| start + line + 1);
    let line = text[line_start..at].trim();
    let next = text[at + 1..].lines().next().unwrap_or("").trim();
    if line.is_empty() || next.is_empty() || line.ends_with([':', ';', '.', '!', '?']) {
        return true;
    }
    starts_own(next) || states(line) && states(next)
}

/// Whether a line begins with the marker of a list, or a label.
fn starts_own(line: &str) -> bool {
    let mut chars = line.chars();
    match chars.next() {
        Some('-' | '*' | '•' | '+' | '–' | '=' | '≈' | '→') => chars.next().is_none_or(|c| c == ' ' || c == '\t'),
        Some('(') => {
            let inner = line[1..].split(')').next().unwrap_or("");
            inner.len() <= 3 && inner.len() + 2 <= line.len() && !inner.is_empty() && inner.chars().all(|c| c.is_ascii_alphanumeric())
        }
        Some(c) if c.is_ascii_alphanumeric() => {
            let name: usize = line.bytes().take(2).take_while(u8::is_ascii_alphanumeric).count();
            let rest = &line[name..];
            (rest.starts_with(". ") || rest.starts_with(") ")) && (line.as_bytes()[0].is_ascii_digit() || name == 1)
        }
        _ => false,
    }
}

/// Whether a line states a value of its own: a name of at most a few words, and `=` or `:` behind it.
fn states(line: &str) -> bool {
    let head = line.char_indices().take(40).map(|(at, c)| at + c.len_utf8()).last().unwrap_or(0);
    line[..head].find(['=', ':', '≈']).is_some_and(|sign| line[..sign].split_whitespace().count() <= 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_sentences_end() {
        for (text, expected) in [
            ("One. Two", &["One.", "Two"][..]),
            ("It is 2.6 GB. so fine", &["It is 2.6 GB.", "so fine"]),
            ("e.g. 5 ms vs. 6 ms, cf. Eq. 3", &["e.g. 5 ms vs. 6 ms, cf. Eq. 3"]),
            ("about 20 sec. per step etc. Then stop.", &["about 20 sec. per step etc.", "Then stop."]),
            ("1. Accumulate. 2. Shard", &["1. Accumulate.", "2. Shard"]),
            ("Way too slow! (I think.) Yes?", &["Way too slow!", "(I think.)", "Yes?"]),
            ("hooks\noverlap properly", &["hooks\noverlap properly"]),
            ("lat = 1 ms\nbw = 2 ms", &["lat = 1 ms", "bw = 2 ms"]),
            ("(a) 1 ms\n(b) 2 ms", &["(a) 1 ms", "(b) 2 ms"]),
            ("Fixes:\naccumulate", &["Fixes:", "accumulate"]),
            ("带宽占主导。延迟很小。", &["带宽占主导。", "延迟很小。"]),
            ("  ", &[]),
        ] {
            let found: Vec<&str> = sentences(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn sentences_are_in_order_and_lose_no_word(text in "[a-zA-Z0-9 .!?\n()=:-]{0,80}") {
            let mut end = 0;
            let mut kept = String::new();
            for range in sentences(&text) {
                assert!(range.start >= end);
                end = range.end;
                kept += &text[range];
            }
            let words = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            assert_eq!(words(&kept), words(&text));
        }
    }
}
