//! What a student gave up and left standing: a block whose first line says so, what stands under such a heading or such a line
//! that leads in.

use std::collections::BTreeSet;

use crate::answer::{Answer, Role};

/// A note that gives something up has at most so many words.
const LONGEST_NOTE: usize = 10;

/// The blocks of an answer that it says not to look at: `# old attempt, please ignore`.
pub(super) fn given_up(answer: &Answer) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    // The level of the heading, or the line that leads in, under which everything is given up.
    let mut heading: Option<u8> = None;
    let mut led_in = false;
    for (at, block) in answer.blocks.iter().enumerate() {
        let text = block.passage.text().trim();
        let first = memchr::memchr(b'\n', text.as_bytes()).map_or(text, |end| text[..end].trim_end_matches('\r'));
        if let Role::Heading(level) = block.role {
            if heading.is_none_or(|above| level <= above) {
                heading = gives_up(first).then_some(level);
            }
            led_in = false;
            continue;
        }
        let listed =
            matches!(block.role, Role::Item { .. } | Role::Code(_) | Role::Math | Role::Output | Role::Cell { .. }) || block.quoted > 0;
        let alone = first.len() == text.len();
        if heading.is_some() || led_in && listed {
            found.insert(at);
            continue;
        }
        led_in = alone && first.ends_with(':') && gives_up(first);
        let remark = matches!(block.role, Role::Code(_) | Role::Output) || first.starts_with(['#', '%', '/', ';']) || first.ends_with(':');
        if !alone && remark && gives_up(first) {
            found.insert(at);
        }
    }
    found
}

/// Whether a line says of what follows that it does not count.
fn gives_up(line: &str) -> bool {
    const OLD: [&str; 11] =
        ["old", "wrong", "failed", "abandoned", "discarded", "obsolete", "alter", "alte", "falscher", "falsche", "verworfener"];
    const TRIES: [&str; 11] =
        ["attempt", "try", "version", "approach", "calculation", "solution", "work", "versuch", "rechnung", "ansatz", "lösung"];
    const DROPPED: [&str; 9] =
        ["ignore", "disregard", "discard", "superseded", "crossed out", "not grade", "not be graded", "ignorieren", "nicht werten"];
    // What a line ends with that drops something: the last words of those, and what may follow them.
    const AT_END: [&str; 15] = [
        "ignore",
        "disregard",
        "discard",
        "superseded",
        "out",
        "grade",
        "graded",
        "ignorieren",
        "werten",
        "this",
        "it",
        "these",
        "that",
        "please",
        "bitte",
    ];
    fn words(line: &str) -> impl Iterator<Item = &str> {
        line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty())
    }
    if line.contains('=') || words(line).nth(LONGEST_NOTE).is_some() {
        return false;
    }
    let lower = line.to_lowercase();
    let words: Vec<&str> = words(&lower).collect();
    let old = words.windows(2).any(|pair| OLD.contains(&pair[0]) && TRIES.contains(&pair[1]));
    let see_below = words.first().is_some_and(|word| matches!(*word, "wrong" | "falsch")) && lower.contains("below");
    // `ignore the latency` is about the question.
    let ends = |last: &&str| AT_END.iter().any(|end| last.ends_with(end));
    let dropped = words.last().is_some_and(ends)
        && DROPPED.iter().any(|word| {
            lower.find(word).is_some_and(|at| {
                let rest = lower[at + word.len()..].trim_matches(|c: char| !c.is_alphabetic());
                matches!(rest, "" | "this" | "it" | "these" | "that" | "all of this" | "please" | "bitte")
            })
        });
    old || see_below || dropped
}
