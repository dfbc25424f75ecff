//! Words behind a number that may be a unit nobody knows: `14600 florins`, `1.24 blips`. What a student meant by them is for a
//! person to say; the number is neither right without its unit nor is it missing.

use std::collections::BTreeSet;

use crate::drill::Drill;
use crate::grade::Grader;
use crate::grade::scene::{Number, Scene};
use crate::quantity;

/// Words that may stand right behind a number and are no unit, beside those that no count has for its noun.
const SMALL: [&str; 48] = [
    "und",
    "oder",
    "für",
    "von",
    "mit",
    "pro",
    "je",
    "mal",
    "bei",
    "als",
    "so",
    "also",
    "damit",
    "ist",
    "sind",
    "zu",
    "im",
    "in",
    "an",
    "auf",
    "aus",
    "der",
    "die",
    "das",
    "den",
    "dem",
    "ein",
    "eine",
    "insgesamt",
    "zusammen",
    "statt",
    "mehr",
    "weniger",
    "longer",
    "more",
    "less",
    "each",
    "here",
    "now",
    "only",
    "instead",
    "overall",
    "altogether",
    "together",
    "rounded",
    "exactly",
    "resp",
    "respectively",
];

/// The words that a drill itself uses.
pub(super) fn vocabulary(drill: &Drill) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    let mut take =
        |text: &str| known.extend(text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase));
    for part in &drill.parts {
        take(&part.text);
        take(&part.title);
        part.topics.iter().for_each(|topic| take(topic.source()));
        for item in &part.items {
            take(&item.text);
            take(&item.title);
            item.topics.iter().for_each(|topic| take(topic.source()));
        }
    }
    for ask in &drill.asks {
        take(&ask.asks);
        ask.cues.iter().chain(&ask.not_cues).for_each(|cue| take(cue.source()));
        ask.symbols.iter().for_each(|symbol| take(symbol));
        ask.noun.iter().for_each(|noun| take(noun));
    }
    for name in &drill.names {
        take(&name.says);
        name.noun.iter().for_each(|noun| take(noun));
        name.symbols.iter().chain([&name.name]).for_each(|symbol| take(symbol));
    }
    known
}

/// Whether a number without a unit has a word right behind it that may be one, and that nobody knows.
pub(super) fn is_strange(grader: &Grader, scene: &Scene, number: &Number) -> bool {
    if number.mention.unit.is_some() || number.multiple {
        return false;
    }
    let line = &scene.lines[number.line];
    let end = number.mention.number.end;
    let Some(rest) = line.text().get(end..line.range.end.max(end)) else { return false };
    let word = rest.strip_prefix(' ').unwrap_or(rest);
    // A currency that the table does not have: `10 ₽`.
    if word.starts_with(['₽', '₩', '₺', '₴', '₦', '₫', '₱', '₿', '฿', '₪', '₡', '₲', '¤']) {
        return true;
    }
    let word = &word[..word.find(|c: char| !c.is_alphabetic()).unwrap_or(word.len())];
    let at = end + (rest.len() - rest.strip_prefix(' ').unwrap_or(rest).len());
    let named = || line.hits.iter().any(|hit| hit.range.start < at + word.len() && at < hit.range.end);
    let lower = word.to_lowercase();
    let singular = lower.strip_suffix('s').unwrap_or(&lower);
    let known = grader.known_words();
    let letters = word.chars().count();
    (2..=16).contains(&letters)
        && quantity::is_noun(word)
        && !lower.ends_with("ly")
        && !SMALL.contains(&lower.as_str())
        && !known.contains(&lower)
        && !known.contains(singular)
        && !known.contains(&format!("{lower}s"))
        && !named()
}
