//! Topics: headings and first words that name a part or an item without its label.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::answer::Block;
use crate::answer::divide::{Outline, label};
use crate::phrase::Phrase;
use crate::phrase::Phrases;
use crate::phrase::Words;

/// The topics of an outline, ready to be looked for.
#[derive(Clone, Debug)]
pub(super) struct Topics {
    phrases: Phrases,
    /// What each phrase names.
    names: Vec<Target>,
}

/// So many characters of a text may name the item that it is about.
const HEAD: usize = 160;

/// A part, and maybe an item of it.
type Target = (usize, Option<usize>);

impl Topics {
    pub(super) fn of(outline: &Outline) -> Topics {
        let (mut phrases, mut names) = (Vec::new(), Vec::new());
        for (at, part) in outline.parts.iter().enumerate() {
            let items = part.items.iter().enumerate().map(|(number, item)| (&item.topics, &item.title, Some(number)));
            for (topics, title, item) in std::iter::once((&part.topics, &part.title, None)).chain(items) {
                // What is no phrase was told to the drill's author; a title is one word beside the other.
                let found = topics.iter().filter_map(|topic| Phrase::parse(topic).ok()).chain(Phrase::parse(&words(title).join(" ")).ok());
                for phrase in found {
                    phrases.push(phrase);
                    names.push((at, item));
                }
            }
        }
        Topics { phrases: Phrases::compile(&phrases), names }
    }

    /// The part that a text names, if its longest topic is one part's only. An item's topic stands for its part.
    pub(super) fn part(&self, text: &str) -> Option<usize> {
        self.part_in(&Words::of(text))
    }

    /// The part that a stretch of a block names.
    pub(super) fn part_at(&self, block: &Block, range: &Range<usize>) -> Option<usize> {
        let text = block.passage.text();
        // The words of a whole block are cut once for all who ask.
        if *range == (0..text.len()) { self.part_in(block.words()) } else { self.part(&text[range.clone()]) }
    }

    fn part_in(&self, words: &Words) -> Option<usize> {
        self.best(words, usize::MAX, false, |_, item| item.is_none()).map(|(part, _)| part)
    }

    /// The item of a part that the first `within` words of a text name.
    pub(super) fn item(&self, part: usize, text: &str, within: usize) -> Option<usize> {
        let head = text.char_indices().nth(HEAD).map_or(text, |(end, _)| &text[..end]);
        self.best(&Words::of(head), within, true, |at, item| at == part && item.is_some()).and_then(|(_, item)| item)
    }

    /// All parts that a text names, by their topics or those of their items.
    pub(super) fn parts_named(&self, text: &str) -> BTreeSet<usize> {
        self.phrases.find_in(&Words::of(text)).into_iter().map(|hit| self.names[hit.phrase].0).collect()
    }

    /// The one with the longest phrase; of several, the earliest if the first words count, or else none.
    fn best(&self, words: &Words, within: usize, first: bool, of: impl Fn(usize, Option<usize>) -> bool) -> Option<(usize, Option<usize>)> {
        let mut best: Option<Target> = None;
        let (mut highest, mut tie) = ((0, 0), false);
        for hit in self.phrases.find_in(words) {
            let name = self.names[hit.phrase];
            if hit.words.start >= within || !of(name.0, name.1) {
                continue;
            }
            let score = (hit.words.len(), if first { usize::MAX - hit.words.start } else { 0 });
            if score > highest {
                (best, highest, tie) = (Some(name), score, false);
            } else if score == highest {
                tie |= best != Some(name);
            }
        }
        best.filter(|_| !tie)
    }
}

/// The words of a text in lower case; a hyphen, slash or underscore parts words as a space does.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

/// Words that head a summary of results.
const SUMMARY: [&[&str]; 10] = [
    &["summary"],
    &["results"],
    &["overview"],
    &["answers"],
    &["final", "answers"],
    &["recap"],
    &["final", "results"],
    &["summary", "table"],
    &["tl", "dr"],
    &["at", "a", "glance"],
];

/// Whether a heading heads a summary of results, which belongs to no single part.
pub(super) fn is_summary(heading: &str) -> bool {
    if heading.len() > 80 {
        return false;
    }
    let mut words = [""; 5];
    let mut count = 0;
    for word in heading.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let Some(place) = words.get_mut(count) else { return false };
        *place = word;
        count += 1;
    }
    let words = &words[..count];
    // Most headings neither begin nor end as one of these does.
    let (mut first, mut last) = ([0; label::LONGEST], [0; label::LONGEST]);
    let first = words.first().map_or(&[][..], |word| label::small(word, &mut first));
    let last = words.last().map_or(&[][..], |word| label::small(word, &mut last));
    let begins = matches!(first, b"summary" | b"results" | b"overview" | b"answers" | b"final" | b"recap" | b"tl" | b"at");
    let ends = matches!(last, b"summary" | b"results" | b"overview" | b"answers" | b"recap" | b"table" | b"dr" | b"glance");
    if !begins && !ends {
        return false;
    }
    SUMMARY.iter().any(|name| {
        let same = |words: &[&str]| name.iter().zip(words).all(|(name, word)| name.eq_ignore_ascii_case(word));
        name.len() <= count && (same(words) || same(&words[count - name.len()..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::divide::{Item, Part};

    #[test]
    fn topics_name_parts_and_items() {
        let part = |id: &str, title: &str, topics: &[&str]| Part {
            id: id.to_owned(),
            title: title.to_owned(),
            topics: topics.iter().map(|&topic| topic.to_owned()).collect(),
            ..Part::default()
        };
        let mut fixes = part("e", "Three fixes", &["remedies"]);
        fixes.items = vec![
            Item {
                id: "e1".to_owned(),
                title: "Gradient accumulation".to_owned(),
                topics: vec!["accumulat*".to_owned()],
                ..Item::default()
            },
            Item { id: "e2".to_owned(), title: "ZeRO-2".to_owned(), ..Item::default() },
        ];
        let outline =
            Outline::new(vec![part("a", "Message size", &[]), part("b", "Ring time", &["all-reduce (time|cost) [of the ring]"]), fixes]);
        let topics = Topics::of(&outline);
        assert_eq!(topics.part("The message size"), Some(0));
        assert_eq!(topics.part("All-reduce time of the ring"), Some(1));
        assert_eq!(topics.part("3 remedies"), Some(2));
        assert_eq!(topics.part("Message size and ring time"), None);
        assert_eq!(topics.item(2, "Accumulating 4 micro-batches would", 4), Some(0));
        assert_eq!(topics.item(2, "With ZeRO 2, nothing changes", 4), Some(1));
        assert_eq!(topics.item(2, "Nothing changes, as we said, with ZeRO-2", 4), None);
        assert!(is_summary("Summary") && is_summary("Results so far") && !is_summary("The result of accumulation in detail is"));
    }
}
