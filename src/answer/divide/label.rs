//! What a label looks like: `(a)`, `b.`, `Part C:`, `Problem 3(b)`, `e) 1.`, `Fix 2`.

mod cursor;

use std::ops::Range;

use crate::answer::divide::label::cursor::Cursor;

/// A label, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    /// Its bytes in the text it was looked for in, without the space behind it.
    pub(crate) range: Range<usize>,
    /// What it names, in lower case: `["a"]`, `["e", "1"]`, `["e1"]`.
    pub(crate) path: Vec<String>,
    /// Further names that it joins: `(a) + (b)`.
    pub(crate) more: Vec<String>,
    /// The last name of a stretch that begins with this one: `(e1)–(e3)`.
    pub(crate) through: Option<String>,
    /// How it is written.
    pub(crate) style: Style,
    /// Whether the name is a capital letter.
    pub(crate) capital: bool,
}

/// How a label is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Style {
    /// `(a)` or `[a]`.
    Round,
    /// `a)`.
    Half,
    /// `a.`
    Dot,
    /// `a:` or `a -`.
    Colon,
    /// `Part a`.
    Word,
    /// `Fix 1`: names an item by its number.
    Measure,
    /// `a`, with nothing around it.
    Bare,
    /// `a  2.6 GB`: a letter and a wide gap.
    Gap,
    /// `b 2.6 GB`: a letter and a space, which only many others like it make a label.
    Space,
}

/// Words that stand before a part's name, in small letters and without the *s* of more than one.
static PARTS: Words = Words::of(&[
    b"part",
    b"question",
    b"problem",
    b"exercise",
    b"task",
    b"answer",
    b"solution",
    b"subtask",
    b"subquestion",
    b"section",
    b"teil",
    b"aufgabe",
    b"sub",
    b"q",
    b"ex",
    b"drill",
    b"assignment",
    b"homework",
    b"hw",
    b"lab",
]);

/// Those that stand before an item's number.
static ITEMS: Words = Words::of(&[
    b"fix",
    b"option",
    b"intervention",
    b"remedy",
    b"measure",
    b"proposal",
    b"idea",
    b"change",
    b"approach",
    b"item",
    b"case",
    b"scenario",
    b"point",
    b"bullet",
    b"improvement",
    b"variant",
]);

/// Those that announce a change of what was said before.
static AMENDMENTS: Words =
    Words::of(&[b"correction", b"edit", b"update", b"erratum", b"addendum", b"korrektur", b"nachtrag", b"berichtigung"]);

/// The first roman numbers.
static ROMANS: Words = Words::of(ROMAN);

const ROMAN: &[&[u8]] = &[b"i", b"ii", b"iii", b"iv", b"v", b"vi", b"vii", b"viii", b"ix", b"x"];

/// Of every word that a label begins with.
static LEADS: [u16; 26] = {
    let lists = [&PARTS.lengths, &ITEMS.lengths, &AMENDMENTS.lengths, &ROMANS.lengths];
    let mut lengths = [0; 26];
    let mut at = 0;
    while at < lists.len() * lengths.len() {
        lengths[at % 26] |= lists[at / 26][at % 26];
        at += 1;
    }
    lengths
};

/// Words that are looked for at the start of nearly every line.
struct Words {
    all: &'static [&'static [u8]],
    /// For each letter, the lengths of those that begin with it, a bit each: most words are told by it to be none of them.
    lengths: [u16; 26],
}

impl Words {
    const fn of(all: &'static [&'static [u8]]) -> Words {
        let mut lengths = [0; 26];
        let mut at = 0;
        while at < all.len() {
            lengths[(all[at][0] - b'a') as usize] |= 1 << all[at].len();
            at += 1;
        }
        Words { all, lengths }
    }

    /// Whether a word in small letters, at most [`LONGEST`] of them, is one.
    fn hold(&self, word: &[u8]) -> bool {
        let Some(first) = word.first() else { return false };
        self.lengths[usize::from(first - b'a')] >> word.len() & 1 != 0 && self.all.contains(&word)
    }
}

/// No word that leads a label in, or heads a summary, is longer.
pub(super) const LONGEST: usize = 12;

/// A word in small letters of ASCII; nothing where it is longer than all that are looked for.
pub(super) fn small<'a>(word: &str, room: &'a mut [u8; LONGEST]) -> &'a [u8] {
    let Some(small) = room.get_mut(..word.len()) else { return &[] };
    small.copy_from_slice(word.as_bytes());
    small.make_ascii_lowercase();
    small
}

/// The letters of ASCII with which a text begins.
fn letters(text: &str) -> &str {
    &text[..text.bytes().take_while(u8::is_ascii_alphabetic).count()]
}

/// The label at the start of a text; `alone` allows a bare name if nothing else stands in the text, or a heading does.
pub(crate) fn label(text: &str, bare: bool) -> Option<Label> {
    if !may_begin(text, bare) {
        return None;
    }
    let mut cursor = Cursor::at(text, amendment(text));
    cursor.spaces();
    let start = cursor.at;
    if let Some(list) = cursor.list() {
        return Some(Label { range: start..cursor.at, ..list });
    }
    let mut label = cursor.one(bare)?;
    label.range = start..cursor.at;
    while let Some(more) = cursor.joined() {
        label.more.push(more);
        label.range.end = cursor.at;
    }
    cursor.at = label.range.end;
    label.through = cursor.through();
    if label.through.is_some() {
        label.range.end = cursor.at;
    }
    cursor.at = label.range.end;
    if matches!(label.style, Style::Gap | Style::Space) {
        return Some(label);
    }
    if label.more.is_empty() && label.through.is_none() && label.path.len() == 1 && label.style != Style::Measure {
        // `(e) 1.`, `e)(ii)`
        cursor.spaces();
        if let Some(below) = cursor.below() {
            label.path.push(below);
            label.range.end = cursor.at;
        }
    }
    Some(label)
}

/// Whether a text may begin with a label by its first word alone: nearly every line begins with another one.
fn may_begin(text: &str, bare: bool) -> bool {
    let text = if text.starts_with(|c: char| c.is_ascii_graphic()) { text } else { text.trim_start() };
    let first = match text.as_bytes().first() {
        Some(b'(' | b'[') => return true,
        Some(b'0'..=b'9') => return may_number(text.as_bytes(), bare),
        Some(first @ (b'a'..=b'z' | b'A'..=b'Z')) => first.to_ascii_lowercase(),
        _ => return text.starts_with('（'),
    };
    let word = letters(text);
    if word.len() == 1 {
        return true;
    }
    // Most words are told by their first letter and their length to be none of those that are looked for.
    let singular = word.trim_end_matches(['s', 'S']);
    if LEADS[usize::from(first - b'a')] >> singular.len().min(15) & 1 == 0 {
        return false;
    }
    let mut room = [0; LONGEST];
    let singular = small(singular, &mut room);
    if PARTS.hold(singular) || ITEMS.hold(singular) {
        return true;
    }
    let word = small(word, &mut room);
    ROMANS.hold(word) || AMENDMENTS.hold(word)
}

/// Whether the digits at the start of a text may be a label, or the number of an exercise in front of one: most are a value.
fn may_number(text: &[u8], bare: bool) -> bool {
    let digits = text.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    match text[digits..] {
        _ if digits > 2 => false,
        // `2.6 GB`
        [b'.', next, ..] => !next.is_ascii_digit(),
        // `16 MB`, but `3 b) 16 MB`
        [b' ', next, behind, ..] if next.is_ascii_alphanumeric() && behind != b')' => bare,
        [b'%' | b',' | b';' | b'/' | b'*' | b'+' | b'-' | b'=' | b'^' | b'|' | b'_', ..] => false,
        _ => true,
    }
}

/// How much of a text says that what follows amends the part that it names: `Correction to (b): …`.
fn amendment(text: &str) -> usize {
    const OF: [&str; 7] = ["to", "for", "of", "in", "on", "zu", "von"];
    let word = letters(text.trim_start());
    if !AMENDMENTS.hold(small(word, &mut [0; LONGEST])) {
        return 0;
    }
    let mut words = text.trim_start().splitn(3, ' ');
    let (Some(first), Some(of), Some(rest)) = (words.next(), words.next(), words.next()) else { return 0 };
    let amends = first.len() == word.len() && OF.iter().any(|word| of.eq_ignore_ascii_case(word));
    if amends { text.len() - rest.len() } else { 0 }
}

/// The label at the end of a heading: `Message size (a)`.
pub(crate) fn at_end(heading: &str) -> Option<Label> {
    let heading = heading.trim_end();
    let open = heading.rfind('(').filter(|&open| open > 0 && heading.ends_with(')') && heading.len() - open <= 5)?;
    let mut found =
        label(&heading[open..], false).filter(|found| found.style == Style::Round && open + found.range.end == heading.len())?;
    // All of the heading: what stands before the label belongs to its part, too.
    found.range = 0..heading.len();
    Some(found)
}

/// The number of a section in a heading: `3.2 Ring time` is the second.
pub(crate) fn section(heading: &str) -> Option<Label> {
    let mut cursor = Cursor::at(heading, 0);
    cursor.spaces();
    let start = cursor.at;
    let chapter = cursor.run(u8::is_ascii_digit).len();
    let stop = cursor.take(".");
    let number = cursor.run(u8::is_ascii_digit);
    let fits = (1..=2).contains(&chapter) && stop && (1..=2).contains(&number.len());
    let rest = cursor.rest().strip_prefix(['.', ':', ')']).unwrap_or(cursor.rest());
    let ends = rest.is_empty() || rest.starts_with(' ');
    let name = number.to_owned();
    cursor.close();
    (fits && ends).then(|| Label {
        range: start..cursor.at,
        path: vec![name],
        more: Vec::new(),
        through: None,
        style: Style::Dot,
        capital: false,
    })
}

/// The value of a small roman number in lower case.
pub(crate) fn roman(letters: &str) -> Option<usize> {
    ROMAN.iter().position(|&number| number == letters.as_bytes()).map(|at| at + 1)
}

/// The place, from 0, that the first words of a sentence count: `First,`, `Secondly`, `The third`, `With the first one`,
/// `Erstens`, `Die zweite`.
pub(crate) fn ordinal(sentence: &str) -> Option<usize> {
    const NAMES: [&[&str]; 4] = [
        &["first", "firstly", "1st", "erstens", "erste", "ersten"],
        &["second", "secondly", "2nd", "zweitens", "zweite", "zweiten"],
        &["third", "thirdly", "3rd", "drittens", "dritte", "dritten"],
        &["fourth", "fourthly", "4th", "viertens", "vierte", "vierten"],
    ];
    const LEADS: [&str; 13] = ["and", "but", "with", "for", "in", "by", "after", "under", "then", "finally", "mit", "bei", "und"];
    const ARTICLES: [&str; 6] = ["the", "my", "our", "die", "der", "das"];
    let mut words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    let mut word = words.next()?;
    // `In the third one` counts, `in first place` does not.
    let mut led = false;
    while LEADS.contains(&word.as_str()) {
        led = true;
        word = words.next()?;
    }
    let article = ARTICLES.contains(&word.as_str()) || led && word == "der";
    let word = if article { words.next()? } else { word };
    (article || !led).then(|| NAMES.iter().position(|names| names.contains(&word.as_str())))?
}

/// The words that point at a part instead of beginning it, where they stand right before its label.
const POINTERS: [&str; 34] = [
    "in",
    "from",
    "of",
    "see",
    "part",
    "parts",
    "and",
    "to",
    "with",
    "by",
    "using",
    "as",
    "for",
    "question",
    "questions",
    "than",
    "on",
    "per",
    "the",
    "under",
    "like",
    "via",
    "also",
    "or",
    "problem",
    "at",
    "into",
    "both",
    "through",
    "compare",
    "cf",
    "section",
    "eq",
    "equation",
];

/// Whether the text before a label makes a reference of it: `see (b)`, `from part (a)`.
pub(crate) fn points(before: &str) -> bool {
    let before = before.trim_end();
    let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or("");
    !word.is_empty() && POINTERS.contains(&word.to_lowercase().as_str())
}

/// Whether what follows a label in the middle of a paragraph goes on talking about that part.
pub(crate) fn is_subject(after: &str) -> bool {
    let word: String = after.trim_start().chars().take_while(|c| c.is_alphabetic()).collect();
    matches!(
        word.as_str(),
        "is" | "was"
            | "shows"
            | "showed"
            | "gives"
            | "gave"
            | "says"
            | "said"
            | "above"
            | "below"
            | "already"
            | "has"
            | "had"
            | "and"
            | "we"
            | "where"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_as_people_write_them() {
        for (text, path, style) in [
            ("(a) 2.6 GB", "a", Style::Round),
            ("a) 2.6 GB", "a", Style::Half),
            ("a. 2.6 GB", "a", Style::Dot),
            ("A. 2.6 GB", "a", Style::Dot),
            ("b: 2 ms", "b", Style::Colon),
            ("(c) — 50 %", "c", Style::Round),
            ("Part (e):", "e", Style::Word),
            ("Part B", "b", Style::Word),
            ("Question D", "d", Style::Word),
            ("Problem 3(b) the ring", "b", Style::Word),
            ("Question 2.B", "b", Style::Word),
            ("Q3(b).", "b", Style::Word),
            ("3b) 4 ms", "b", Style::Half),
            ("Answer to (f): 16 MB", "f", Style::Word),
            ("[g] 8x", "g", Style::Round),
            ("a", "a", Style::Bare),
            ("e1 3.17 %", "e1", Style::Bare),
            ("(e1) accum 4: each", "e1", Style::Round),
            ("e.1 accum", "e1", Style::Bare),
            ("e) 1. accum", "e/1", Style::Half),
            ("(e)(ii) ZeRO", "e/2", Style::Round),
            ("e: 1. 101.99ms", "e/1", Style::Colon),
            ("(e) 1: 0.13", "e/1", Style::Round),
            ("Fix 1 (accumulate 4):", "1", Style::Measure),
            ("Problem 3, part (b)", "b", Style::Word),
            ("Drill 3 (b)", "b", Style::Word),
            ("3 (b) text", "b", Style::Round),
            ("（b）文", "b", Style::Round),
            ("b） 文", "b", Style::Half),
            ("1. With four", "1", Style::Dot),
            ("2: 0.25", "2", Style::Colon),
            ("(ii) no", "ii", Style::Round),
        ] {
            let label = label(text, false).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((label.path.join("/").as_str(), label.style), (path, style), "{text}");
        }
        let both = label("(a)+(b) 2.6 GB", false).expect("a label");
        assert_eq!((both.path, both.more), (vec!["a".to_owned()], vec!["b".to_owned()]));
        let lists = [
            ("b, c, g", &["c", "g"][..], Style::Gap),
            ("c & d:", &["d"], Style::Colon),
            ("e and f", &["f"], Style::Gap),
            ("b/c", &["c"], Style::Gap),
        ];
        for (text, more, style) in lists {
            let found = label(text, false).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (found.style, found.more.as_slice(), found.range.end),
                (style, more.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>().as_slice(), text.len()),
                "{text}"
            );
        }
        for text in ["S/B", "b, so 5", "a and then", "g, c", "i, e"] {
            assert!(label(text, false).is_none_or(|found| found.more.is_empty()), "{text}");
        }
        let both = label("(a, b) 2.6 GB", false).expect("a label");
        assert_eq!((both.path, both.more), (vec!["a".to_owned()], vec!["b".to_owned()]));
    }

    #[test]
    fn numbers_of_sections() {
        assert_eq!(section("3.2 Ring time").map(|label| (label.path, label.range)), Some((vec!["2".to_owned()], 0..3)));
        assert_eq!(section("3.2.1 Ring time").map(|label| label.path), None);
        assert_eq!(section("12 GB").map(|label| label.path), None);
    }

    #[test]
    fn labels_at_the_end_of_headings() {
        assert_eq!(at_end("Message size (a)").map(|label| (label.path, label.range)), Some((vec!["a".to_owned()], 0..16)));
        assert_eq!(at_end("Message size (in MiB)"), None);
        assert_eq!(at_end("(a)"), None);
    }

    #[test]
    fn what_is_no_label() {
        for text in [
            "a bucket",
            "e.g. this",
            "A100 GPUs",
            "I think",
            "1.24 ms",
            "(see a)",
            "3 nodes",
            "b = 2",
            "Partly",
            "Fixing it",
            "e1 = 4",
            "16. ms",
        ] {
            let found = label(text, false).filter(|label| label.path != ["16"] && label.style != Style::Space);
            assert_eq!(found, None, "{text}");
        }
    }

    #[test]
    fn references_are_told_from_labels() {
        assert!(points("as computed in "));
        assert!(points("see part"));
        assert!(!points("it is 2.6 GB."));
        assert!(is_subject(" shows that"));
        assert!(!is_subject(" 2.6 GB"));
    }
}
