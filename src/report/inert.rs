//! Text of other people made inert for the place that shows it.
//!
//! A terminal obeys escape codes, a browser obeys tags, a Markdown viewer fetches images, a CI runner takes lines that
//! begin with `::` for commands. What a student wrote, what a file is called and what a drill says are shown by all of
//! them and obeyed by none. Every layout sends every sentence through one of the functions here, so nothing is safe
//! only because somebody remembered.
//!
//! | target | function | what cannot happen |
//! |---|---|---|
//! | one line of a terminal | [`terminal`] | escape codes, bidirectional overrides, invisible characters, runner commands |
//! | Markdown | [`markdown`] | tags, links, images, mentions, new blocks, broken tables |
//! | HTML, text and attributes | [`html`] | tags, entities, leaving an attribute |
//! | a cell of a table | [`cell`] | formulas of a spreadsheet |
//! | JSON | [`json`] | raw control and bidirectional characters (the text itself is kept) |
//!
//! A sentence says which of its words are the student's with `quoted`; Markdown shows those as code, HTML as a
//! quotation. The marks are two private characters that no foreign text can bring along.

use std::fmt;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;

/// Stands before quoted words inside a sentence.
const OPEN: char = '\u{E000}';
/// Stands after them.
const CLOSE: char = '\u{E001}';

/// More marks than this on one letter are a drawing, not a letter.
const MARKS_ON_A_LETTER: usize = 3;

/// Words of the student (or of a file name) inside one of our sentences.
pub(crate) fn quoted(words: &str) -> Quoted<'_> {
    Quoted(words)
}

/// See [`quoted`].
pub(crate) struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{OPEN}{}{CLOSE}", visible(self.0))
    }
}

/// One line for a terminal.
///
/// ```
/// use drillmark::report::inert;
/// assert_eq!(inert::terminal("1.24\u{1b}[2J ms"), "1.24␛[2J ms");
/// ```
pub fn terminal(sentence: &str) -> String {
    let line: String = pieces(sentence).map(|(text, _)| visible(text)).collect();
    // A CI runner takes a line for a command that begins with two colons.
    if line.trim_start().starts_with("::") { line.replacen("::", ": :", 1) } else { line }
}

/// One line of Markdown; quoted words become code.
///
/// ```
/// use drillmark::report::inert;
/// assert_eq!(inert::markdown("2*P*α is <b>not</b> it"), r"2\*P\*α is \<b>not\</b> it");
/// ```
pub fn markdown(sentence: &str) -> String {
    let mut line = String::new();
    for (text, is_quoted) in pieces(sentence) {
        let text = visible(text);
        if is_quoted { push_code(&mut line, &text) } else { push_escaped(&mut line, &text) }
    }
    line
}

/// HTML text, also inside a quoted attribute; quoted words become `<q>`.
///
/// ```
/// use drillmark::report::inert;
/// assert_eq!(inert::html("a < b"), "a &lt; b");
/// ```
pub fn html(sentence: &str) -> String {
    let mut line = String::new();
    for (text, is_quoted) in pieces(sentence) {
        line.push_str(if is_quoted { "<q>" } else { "" });
        for c in visible(text).chars() {
            match c {
                '&' => line.push_str("&amp;"),
                '<' => line.push_str("&lt;"),
                '>' => line.push_str("&gt;"),
                '"' => line.push_str("&quot;"),
                '\'' => line.push_str("&#39;"),
                c => line.push(c),
            }
        }
        line.push_str(if is_quoted { "</q>" } else { "" });
    }
    line
}

/// HTML text that is foreign from its first character to its last: nothing in it marks words as quoted.
pub(crate) fn html_text(text: &str) -> String {
    html(&visible(text))
}

/// The text of a cell of a CSV file. What a spreadsheet would take for a formula gets an apostrophe before it, by which
/// spreadsheets know text; numbers are not text and do not pass through here.
///
/// ```
/// use drillmark::report::inert;
/// assert_eq!(inert::cell("=1+1"), "'=1+1");
/// assert_eq!(inert::cell("Ada Example"), "Ada Example");
/// ```
pub fn cell(text: &str) -> String {
    // A spreadsheet may skip blanks, and other forms of the signs, before it looks for a formula.
    let is_skipped = |c: char| !matches!(c, '\t' | '\r' | '\n') && (c.is_whitespace() || matches!(fate(c), Fate::Blank | Fate::Gone));
    let is_formula = text
        .trim_start_matches(is_skipped)
        .starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}', '\u{2212}']);
    // What is invisible stays: ids are joined by their exact characters, and names of some scripts need it.
    let text: String = text
        .chars()
        .map(|c| match fate(c) {
            Fate::Blank => ' ',
            Fate::Picture(picture) => picture,
            Fate::Shown | Fate::Gone => c,
        })
        .collect();
    // At the beginning of a line, a CI runner takes two colons for a command.
    if is_formula || text.trim_start().starts_with("::") { format!("'{text}") } else { text }
}

/// Finished JSON in which every character that a terminal might obey is written as an escape. Such characters stand
/// only inside JSON strings, so what a program reads from it is the same text.
pub fn json(document: String) -> String {
    let mut safe = String::new();
    // What is shown is taken over in stretches, and nearly always that is all of it.
    let (mut taken, mut at) = (0, 0);
    while let Some(next) = not_plain(&document.as_bytes()[at..]) {
        at += next;
        let Some(c) = document[at..].chars().next() else { break };
        let end = at + c.len_utf8();
        if !matches!(fate(c), Fate::Shown) {
            safe.push_str(&document[taken..at]);
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
            taken = end;
        }
        at = end;
    }
    if taken == 0 {
        return document;
    }
    safe.push_str(&document[taken..]);
    safe
}

/// Where the first byte stands that is no printable sign of ASCII or one below it: stretch by stretch, as wide as a processor
/// compares at once.
fn not_plain(bytes: &[u8]) -> Option<usize> {
    const WIDE: usize = 32;
    let is_plain = |byte: &u8| *byte <= b'~';
    let plain = bytes.chunks_exact(WIDE).take_while(|stretch| stretch.iter().fold(true, |all, byte| all & is_plain(byte))).count() * WIDE;
    bytes[plain..].iter().position(|byte| !is_plain(byte)).map(|at| plain + at)
}

/// How many columns of a terminal a text takes that went through [`terminal`].
pub fn columns(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// The stretches of a sentence, and whether each is quoted.
fn pieces(sentence: &str) -> impl Iterator<Item = (&str, bool)> {
    sentence.split_inclusive([OPEN, CLOSE]).filter_map(|piece| {
        let text = piece.trim_end_matches([OPEN, CLOSE]);
        (!text.is_empty()).then_some((text, piece.ends_with(CLOSE)))
    })
}

/// What becomes of a character that is to be seen.
enum Fate {
    Shown,
    Blank,
    Gone,
    Picture(char),
}

fn fate(c: char) -> Fate {
    match c {
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Fate::Blank,
        '\0'..='\u{1f}' => Fate::Picture(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
        '\u{7f}' => Fate::Picture('\u{2421}'),
        // The upper control characters, everything that turns the direction of writing, our own two marks, and what
        // Unicode calls not a character.
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | OPEN
        | CLOSE
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'
        | '\u{ffff}' => Fate::Picture('\u{fffd}'),
        // Soft hyphen, zero-width spaces and joiners, byte-order mark, tag characters: nothing to see.
        '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}' => Fate::Gone,
        '\u{e0000}'..='\u{e0fff}' => Fate::Gone,
        _ => Fate::Shown,
    }
}

/// One line of characters that are all to be seen and obeyed by no one.
fn visible(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut marks = 0;
    for c in text.chars() {
        match fate(c) {
            Fate::Blank => line.push(' '),
            Fate::Gone => {}
            Fate::Picture(picture) => line.push(picture),
            Fate::Shown => {
                marks = if c.width() == Some(0) { marks + 1 } else { 0 };
                // `##[error]` is an old command of a CI runner, obeyed anywhere in a line.
                if c == '[' && line.ends_with("##") {
                    line.push(' ');
                }
                if marks <= MARKS_ON_A_LETTER {
                    line.push(c);
                }
            }
        }
    }
    line
}

/// A code span around text of any content: the fence is longer than any run of backticks inside.
fn push_code(line: &mut String, text: &str) {
    if text.trim().is_empty() {
        line.push_str("(nothing)");
        return;
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // Two code spans that touch would read as one with other fences.
    if line.ends_with('`') {
        line.push(' ');
    }
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    let _ = write!(line, "{fence}{pad}{text}{pad}{fence}");
}

/// Prose in which no character means anything to a Markdown reader, GitHub's included.
fn push_escaped(line: &mut String, text: &str) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' | '^' | '`' | '*' | '_' | '[' | ']' | '<' | '|' | '~' | '$' => {
                line.push('\\');
                line.push(c);
            }
            '&' => line.push_str("&amp;"),
            '@' => line.push_str("&#64;"),
            // `#12` is an issue, `https://` and `www.` are links, each without any brackets.
            '#' if chars.peek().is_some_and(char::is_ascii_digit) => line.push_str("&#35;"),
            ':' if chars.peek() == Some(&'/') => line.push_str("&#58;"),
            '.' if line.len() >= 3 && line.as_bytes()[line.len() - 3..].eq_ignore_ascii_case(b"www") => line.push_str("&#46;"),
            c => line.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use pulldown_cmark::{Event, Options, Parser};

    #[test]
    fn what_is_hidden_is_shown_or_gone() {
        for (written, shown) in [
            ("1.24 ms", "1.24 ms"),
            ("a\u{1b}]8;;https://x\u{7}b", "a␛]8;;https://x␇b"),
            ("1.24\u{9b}31m", "1.24\u{fffd}31m"),
            ("5 GB\u{202e}BG 6", "5 GB\u{fffd}BG 6"),
            ("2\u{200b}0\u{feff}0 ms", "200 ms"),
            ("one\r\ntwo\tthree", "one  two three"),
            ("e\u{301}", "e\u{301}"),
            ("e\u{301}\u{301}\u{301}\u{301}\u{301}", "e\u{301}\u{301}\u{301}"),
            ("##[error]x", "## [error]x"),
            (" ::error::x", " : :error::x"),
            ("\u{e000}x\u{e001}", "\u{fffd}x\u{fffd}"),
        ] {
            assert_eq!(terminal(&quoted(written).to_string()), shown, "{written:?}");
        }
    }

    #[test]
    fn no_cell_is_a_formula() {
        for (text, cell) in [
            ("Ada Example", "Ada Example"),
            ("0042", "0042"),
            ("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@sum", "'@sum"),
            ("\tx", "' x"),
            ("\r=1", "' =1"),
            (" =1", "' =1"),
            ("\u{2028}=1", "' =1"),
            (" ::error::x", "' ::error::x"),
            ("\u{2003}\u{2060}@sum", "'\u{2003}\u{2060}@sum"),
            ("＝1", "'＝1"),
            ("a\u{1b}[2J\nb\u{202e}c", "a␛[2J b\u{fffd}c"),
        ] {
            assert_eq!(super::cell(text), cell, "{text:?}");
        }
    }

    #[test]
    fn quoted_words_are_code_in_markdown_and_a_quotation_in_html() {
        let sentence = format!("Line 9 gives {} for it.", quoted("`1.24` ms"));
        assert_eq!(terminal(&sentence), "Line 9 gives `1.24` ms for it.");
        assert_eq!(markdown(&sentence), "Line 9 gives `` `1.24` ms `` for it.");
        assert_eq!(html(&sentence), "Line 9 gives <q>`1.24` ms</q> for it.");
    }

    #[test]
    fn json_keeps_the_text() {
        let text = "1.24\u{1b}[0m \u{202e}µs\u{9b} \u{e0041} 😀";
        let safe = json(serde_json::to_string(text).expect("a string"));
        assert_eq!(serde_json::from_str::<String>(&safe).expect("still JSON"), text);
        assert!(safe.chars().all(|c| !c.is_control() && c != '\u{202e}' && c != '\u{e0041}'), "{safe}");
        assert!(safe.contains("µs") && safe.contains('😀'), "what can be read stays readable: {safe}");
    }

    /// Pieces that mean something to some reader, glued together at random.
    fn hostile() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("<script>alert(1)</script>".to_owned()),
            Just("![x](https://evil.example/a.png)".to_owned()),
            Just("[x](javascript:alert(1))".to_owned()),
            Just("https://evil.example www.evil.example a@evil.example @everyone #12".to_owned()),
            Just("\u{1b}]8;;https://evil.example\u{7}click\u{1b}]8;;\u{7}\u{1b}[31m\u{9b}2J".to_owned()),
            Just("\u{202e}\u{2066}\u{200b}\u{e0041}".to_owned()),
            Just("\n::error::x\r\n##[error]x\n# heading\n- item\n> quote\n```\n".to_owned()),
            Just("`` ` ``` \\` | a | b |\n|---|---|\n".to_owned()),
            Just("&lt;img src=x onerror=alert(1)&gt; \" ' ><!--".to_owned()),
            Just("$x$ **b** _i_ ~~s~~ \u{e000}\u{e001}".to_owned()),
            any::<String>(),
        ];
        proptest::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn nothing_foreign_steers_a_terminal(text in hostile(), is_quoted: bool) {
            let line = terminal(&if is_quoted { quoted(&text).to_string() } else { text });
            prop_assert!(line.chars().all(|c| !c.is_control() && matches!(fate(c), Fate::Shown | Fate::Picture(_))), "{:?}", line);
            prop_assert!(!line.contains("##["));
        }

        #[test]
        fn nothing_foreign_means_anything_in_markdown(text in hostile(), is_quoted: bool) {
            let line = format!("It says {}.", markdown(&if is_quoted { quoted(&text).to_string() } else { text }));
            for event in Parser::new_ext(&line, Options::all()) {
                let fine = matches!(event, Event::Text(_) | Event::Code(_)
                    | Event::Start(pulldown_cmark::Tag::Paragraph) | Event::End(pulldown_cmark::TagEnd::Paragraph));
                prop_assert!(fine, "{:?} in {:?}", event, line);
            }
            // Bare links and mentions are GitHub's, so the parser above does not see them: outside code none is left.
            if !is_quoted {
                for bare in ["://", "www.", "@"] {
                    prop_assert!(!line.to_lowercase().contains(bare), "{bare} in {line:?}");
                }
            }
        }

        #[test]
        fn nothing_foreign_means_anything_in_html(text in hostile()) {
            let line = html(&text);
            prop_assert!(!line.contains(['<', '>', '"', '\'']), "{:?}", line);
            prop_assert!(line.split('&').skip(1).all(|rest| ["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|e| rest.starts_with(e))));
        }

        #[test]
        fn json_reads_back(text in hostile()) {
            let safe = json(serde_json::to_string(&text).expect("a string"));
            prop_assert_eq!(serde_json::from_str::<String>(&safe).expect("still JSON"), text);
        }
    }
}
