//! Numbers in words: which of them are values.

use std::ops::Range;

use crate::grade::scene::Spoken;
use crate::quantity::Number;
use crate::recognize::Mention;

/// How a number is spelled out, if it is.
pub(super) fn spoken(text: &str, mention: &Mention) -> Spoken {
    let number = &text[mention.number.clone()];
    let digits = || number.bytes().any(|byte| byte.is_ascii_digit()) || number.contains(char::is_numeric);
    if mention.unit.is_some() || digits() {
        return Spoken::No;
    }
    // `one bucket` is any of them.
    let one = mention.readings.first().is_some_and(|reading| reading.value == Number::ONE);
    // `a hundred and sixty` is no article.
    let large = mention.readings.first().is_some_and(|reading| reading.value > Number::from(20));
    if large || mention.noun.is_some() && !one {
        return Spoken::No;
    }
    if is_predicate(text, &mention.range) {
        return Spoken::Predicate;
    }
    let whole = mention.readings.first().is_some_and(|reading| reading.value == reading.value.round());
    if whole { Spoken::Whole } else { Spoken::Part }
}

/// Whether a spelled-out number is all that is said of something: `the efficiency is one`, `the ceiling is exactly one, if …`.
fn is_predicate(text: &str, range: &Range<usize>) -> bool {
    const VERBS: [&str; 12] = ["is", "equals", "are", "be", "becomes", "stays", "remains", "approaches", "reaches", "ist", "wird", "="];
    const CLOSE: [&str; 6] = ["exactly", "about", "roughly", "just", "simply", "then"];
    const ON: [&str; 12] = ["if", "when", "with", "because", "since", "and", "but", "as", "at", "in", "for", "without"];
    let before = text[..range.start].trim_end();
    let word = |text: &str| text.rsplit(|c: char| c.is_whitespace()).next().unwrap_or_default().to_lowercase();
    let last = word(before);
    let verb = if CLOSE.contains(&last.as_str()) { word(before[..before.len() - last.len()].trim_end()) } else { last };
    let after = text[range.end..].trim_start_matches(' ');
    let next = after.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let ends = after.is_empty() || after.starts_with(['.', ',', ';', ':', ')', '\n', '!']) || ON.contains(&next);
    VERBS.contains(&verb.as_str()) && ends
}
