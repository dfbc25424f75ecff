//! How a quantity is stated: about, at most, at least, or taken back again. The words around it decide.

use memchr::memrchr;

use super::combine::before;

/// Bytes before and after a quantity whose words are about it.
const REACH: usize = 36;

/// Bytes of the marks that may part a quantity from words about it.
const WIDEST_MARKS: usize = 24;

/// What the words around say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mood {
    pub(super) approximate: bool,
    pub(super) at_most: bool,
    pub(super) at_least: bool,
    pub(super) withdrawn: bool,
}

/// Words and signs that mark a value as approximate, as they end the text before it.
const ABOUT: &[&str] = &[
    "about",
    "approx",
    "approx.",
    "approximately",
    "around",
    "roughly",
    "circa",
    "c.",
    "ca.",
    "ca",
    "nearly",
    "almost",
    "some",
    "order of",
    "close to",
    "estimated",
    "near",
    "ballpark",
    "say",
    "order of magnitude of",
];
const ABOUT_SIGNS: &[&str] = &["~", "≈", "≃", "≅", "∼", "~=", "≒", "∝", "˜", "≅", "O("];
const AT_MOST: &[&str] = &[
    "at most",
    "up to",
    "under",
    "below",
    "less than",
    "fewer than",
    "no more than",
    "not more than",
    "maximum of",
    "at max",
    "smaller than",
    "not exceeding",
    "lower than",
    "max",
];
const AT_MOST_SIGNS: &[&str] = &["<", "≤", "<=", "⩽", "≪", "<<", "≦", "=<"];
const AT_LEAST: &[&str] = &[
    "at least",
    "over",
    "above",
    "more than",
    "greater than",
    "exceeding",
    "exceeds",
    "minimum of",
    "no less than",
    "not less than",
    "larger than",
    "higher than",
    "at min",
    "longer than",
    "upwards of",
    "in excess of",
];
const AT_LEAST_SIGNS: &[&str] = &[">", "≥", ">=", "⩾", "≫", ">>", "≧"];

/// What the text says of the quantity at `start..end`.
pub(super) fn read(text: &str, start: usize, end: usize) -> Mood {
    let mut mood = Mood::default();
    // Most quantities stand where nothing is said of them.
    let line = if may_say_before(text, start) { read_before(text, start, &mut mood) } else { "" };
    if may_say_behind(&text.as_bytes()[end..]) {
        read_behind(after(text, end, REACH * 2), line, &mut mood);
    } else {
        mood.withdrawn = denied(line, "");
    }
    mood
}

/// What is said before a quantity that starts at `start`; hands back as much of its line as was looked at.
fn read_before<'t>(text: &'t str, start: usize, mood: &mut Mood) -> &'t str {
    let line = before(text, start, REACH);
    let line = memrchr(b'\n', line.as_bytes()).map_or(line, |at| &line[at + 1..]);
    let mut ahead = line.trim_end_matches([' ', '\u{a0}']);
    for _ in 0..2 {
        if ahead.is_empty() || !may_end(ahead) {
            break;
        }
        let word = ahead.ends_with(|c: char| c.is_ascii_alphabetic() || c == '.');
        let says = |words: &[&str], signs: &[&str]| {
            if word { ends_with_word(ahead, words) } else { signs.iter().any(|sign| ahead.ends_with(sign)) }
        };
        if says(ABOUT, ABOUT_SIGNS) {
            mood.approximate = true;
        }
        let arrow = ["=>", "->", "→", "⇒"].iter().any(|arrow| ahead.ends_with(arrow)) || ahead.ends_with("|>");
        if arrow {
            break;
        }
        if says(AT_MOST, AT_MOST_SIGNS) {
            mood.at_most = true;
        }
        if says(AT_LEAST, AT_LEAST_SIGNS) {
            mood.at_least = true;
        }
        if !mood.approximate && !mood.at_most && !mood.at_least {
            break;
        }
        // `at least about 5 ms`
        let Some(cut) = ahead.rfind(' ') else { break };
        ahead = ahead[..cut].trim_end_matches(' ');
    }
    line
}

/// What is said behind a quantity; `line` is what stands before it in its line.
fn read_behind(behind: &str, line: &str, mood: &mut Mood) {
    let mut room = [0; REACH * 2];
    let lower = &mut room[..behind.len()];
    lower.copy_from_slice(behind.as_bytes());
    lower.make_ascii_lowercase();
    let next = std::str::from_utf8(lower).unwrap_or_default().trim_start_matches([' ', '\u{a0}']);
    let begins = |words: &[&str]| words.iter().any(|word| next.starts_with(word));
    match next.as_bytes() {
        [b'o', b'r', b' ', ..] => {
            mood.approximate |= begins(&["or so", "or thereabouts"]);
            mood.at_least |= begins(&["or more", "or higher", "or above"]);
            mood.at_most |= begins(&["or less", "or fewer", "or below"]);
        }
        [b'a', ..] => {
            mood.at_least |= begins(&["at least", "and up"]);
            mood.at_most |= begins(&["at most"]);
        }
        _ => mood.approximate |= begins(&["give or take"]),
    }
    mood.withdrawn = denied(line, next) || taken_back(next);
}

/// Whether what stands before a place may say how a quantity is meant: it ends in one of a few words or signs.
fn may_say_before(text: &str, at: usize) -> bool {
    let bytes = &text.as_bytes()[..at];
    let spaces = bytes.iter().rev().take(4).take_while(|byte| matches!(byte, b' ' | 0xa0 | 0xc2)).count();
    match bytes[..at - spaces].last() {
        _ if spaces == 4 => false,
        Some(byte) if byte.is_ascii_alphabetic() => {
            let ahead = &text[..at - spaces];
            may_end(ahead) || may_deny(ahead.as_bytes())
        }
        Some(byte) => matches!(byte, b'.' | b'~' | b'<' | b'>' | b'=' | b'(' | b'|' | 0x80..),
        None => false,
    }
}

/// Whether a text may end in a word that denies what follows, or in one that may stand behind such a word.
fn may_deny(text: &[u8]) -> bool {
    let ends = |end: &str| text.len() >= end.len() && text[text.len() - end.len()..].eq_ignore_ascii_case(end.as_bytes());
    match text.last() {
        Some(b't' | b'T') => ends("not") || ends("'t") || ends("’t") || ends(" about") || ends(" just"),
        Some(b'n' | b'N') => ends(" than"),
        Some(b'f' | b'F') => ends(" of"),
        _ => false,
    }
}

/// Whether what stands behind a quantity may say how it is meant, by the first three letters that come: all that does
/// begins with one of these.
fn may_say_behind(rest: &[u8]) -> bool {
    let mark =
        |byte: &&u8| matches!(byte, b' ' | b',' | b';' | b'?' | b'-' | b'(' | b'.' | b':' | b'*' | b'_' | b'~' | b'!') || !byte.is_ascii();
    let marks = rest.iter().take(WIDEST_MARKS).take_while(mark).count();
    let Some(mut letters) = rest.get(marks..marks + 3).and_then(|letters| <[u8; 3]>::try_from(letters).ok()) else { return false };
    letters.make_ascii_lowercase();
    matches!(
        letters,
        [b'a', b' ', _]
            | [b'a', b'c', b't']
            | [b'a', b'n', b'd' | b' ']
            | [b'a', b't', b' ']
            | [b'b', b'u', b't']
            | [b'c', b'a', b'n']
            | [b'c', b'l', b'e']
            | [b'c', b'o', b'r']
            | [b'e', b'r', _]
            | [b'g', b'i', b'v']
            | [b'h', b'm', b'm']
            | [b'i', b' ', _]
            | [b'i', b'n', b'c']
            | [b'i', b's', b' ']
            | [b'm', b'i', b's']
            | [b'n', b'o', b' ' | b',' | b':' | b'n' | b'p' | b't']
            | [b'o', b'b', b'v']
            | [b'o', b'f', b' ']
            | [b'o', b'o', b'p']
            | [b'o', b'r', b' ']
            | [b's', b'c', b'r']
            | [b's', b'o', b'r']
            | [b's', b't', b'r']
            | [b't', b'h', b'a' | b'i']
            | [b't', b'o', b'o']
            | [b'w', b'a', b'i' | b's']
            | [b'w', b'h', b'i']
            | [b'w', b'r', b'o']
    )
}

/// Whether a text may end in one of the words or signs above; most do not, and are told by their last word.
fn may_end(text: &str) -> bool {
    let Some(last) = text.chars().next_back() else { return false };
    if !(last.is_ascii_alphabetic() || last == '.') {
        return !matches!(last, ',' | ';' | ':' | '=' | '+' | '*' | '/' | '·' | '×') || text.ends_with("~=");
    }
    let bytes = text.as_bytes();
    let from = bytes.iter().rposition(|byte| !(byte.is_ascii_alphabetic() || *byte == b'.')).map_or(0, |at| at + 1);
    let mut lower = [0; 14];
    let Some(lower) = lower.get_mut(..bytes.len() - from) else { return false };
    lower.copy_from_slice(&bytes[from..]);
    lower.make_ascii_lowercase();
    // Of two words that stand before many a number, only a few turns count.
    if let b"of" | b"to" = &*lower {
        let before = text[..from].trim_end_matches(' ').as_bytes();
        let word = &before[before.len() - before.iter().rev().take(9).take_while(|byte| byte.is_ascii_alphabetic()).count()..];
        let turns: &[&[u8]] = &[b"order", b"magnitude", b"maximum", b"minimum", b"upwards", b"excess", b"close", b"up"];
        return turns.iter().any(|turn| word.eq_ignore_ascii_case(turn));
    }
    matches!(
        &*lower,
        b"about"
            | b"approx"
            | b"approx."
            | b"approximately"
            | b"around"
            | b"roughly"
            | b"circa"
            | b"c."
            | b"ca."
            | b"ca"
            | b"nearly"
            | b"almost"
            | b"some"
            | b"estimated"
            | b"near"
            | b"ballpark"
            | b"say"
            | b"most"
            | b"under"
            | b"below"
            | b"than"
            | b"max"
            | b"exceeding"
            | b"exceeds"
            | b"least"
            | b"over"
            | b"above"
            | b"min"
    )
}

/// Whether a text ends in one of some words, which are in small letters.
fn ends_with_word(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| without_end(text, word).is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric() || c == '-')))
}

/// What stands before some words in small letters with which a text ends in whatever case.
pub(super) fn without_end<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    let at = text.len().checked_sub(end.len())?;
    text.as_bytes()[at..].eq_ignore_ascii_case(end.as_bytes()).then(|| &text[..at])
}

/// The text behind a place, no further than its line and `most` bytes.
fn after(text: &str, at: usize, most: usize) -> &str {
    let mut to = (at + most).min(text.len());
    while !text.is_char_boundary(to) {
        to -= 1;
    }
    let window = &text[at..to];
    window.find('\n').map_or(window, |line| &window[..line])
}

/// `not 5 GB but 6 GB`, `isn't 5 GB`, `rather than 5 GB`.
fn denied(before: &str, after: &str) -> bool {
    // Most text ends otherwise, which a few bytes tell.
    if before.is_empty() || !may_deny(before.trim_end().as_bytes()) {
        return false;
    }
    let before = before.trim_end();
    let before = without_end(before, " about").or_else(|| without_end(before, " just")).unwrap_or(before);
    let not = ends_with_word(before, &["not", "isn't", "wasn't", "isn’t", "wasn’t", "rather than", "instead of", "in place of"]);
    not && !after.starts_with("only")
}

/// `5 GB, no wait, 6 GB`, `5 GB, which is wrong`, `5 GB (wrong)`.
fn taken_back(after: &str) -> bool {
    let clause = after.trim_start_matches([' ', ',', ';', '?', '-', '–', '—', '(', '.', '…', ':', '*', '_', '~', '!']);
    const BACK: &[&str] = &[
        "no wait",
        "no, wait",
        "wait",
        "no,",
        "no -",
        "no –",
        "no —",
        "no:",
        "scratch that",
        "correction",
        "sorry",
        "oops",
        "strike that",
        "i mean",
        "actually,",
        "actually no",
        "or rather",
        "er,",
        "err,",
        "hmm, no",
        "nope",
    ];
    // `Overhead 62 %. No, not good here` answers a question, and puts nothing in place of the value.
    let answers =
        after[..after.len() - clause.len()].contains('.') && clause.starts_with("no") && !clause.contains(|c: char| c.is_ascii_digit());
    let begins = |words: &str| words.as_bytes().first() == clause.as_bytes().first() && clause.starts_with(words);
    if clause.len() < after.len() && BACK.iter().any(|back| begins(back)) && (!answers || clause.contains("wait")) {
        return true;
    }
    const WRONG: &[&str] = &[
        "wrong",
        "incorrect",
        "not right",
        "not correct",
        "mistaken",
        "a mistake",
        "an error",
        "nonsense",
        "can't be right",
        "cannot be right",
        "too high",
        "too low",
    ];
    let lead = [
        "which is ",
        "which was ",
        "that is ",
        "that was ",
        "that's ",
        "this is ",
        "this was ",
        "but that's ",
        "but that is ",
        "is ",
        "was ",
        "which turned out to be ",
        "which i now see is ",
        "but this is ",
    ];
    let rest = lead.iter().find(|lead| begins(lead)).map(|lead| &clause[lead.len()..]).unwrap_or(if after.trim_start().starts_with('(') {
        clause
    } else {
        ""
    });
    let rest = rest
        .strip_prefix("clearly ")
        .or_else(|| rest.strip_prefix("obviously "))
        .or_else(|| rest.strip_prefix("of course "))
        .unwrap_or(rest);
    WRONG[..9].iter().any(|wrong| rest.starts_with(wrong)) || rest.starts_with(WRONG[9])
}
