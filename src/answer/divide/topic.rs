//! Topics: headings and first words that name a part or an item without its label.

use crate::answer::divide::Outline;

/// The topics of an outline, ready to be looked for.
pub(super) struct Topics {
    /// Each phrase with the part and the item it names.
    phrases: Vec<(Vec<Word>, usize, Option<usize>)>,
}

/// A word of a topic: as a whole, or as a beginning.
struct Word {
    text: String,
    open: bool,
}

impl Topics {
    pub(super) fn of(outline: &Outline) -> Topics {
        let mut phrases = Vec::new();
        for (at, part) in outline.parts.iter().enumerate() {
            for topic in part.topics.iter().chain([&part.title]) {
                phrases.push((pattern(topic), at, None));
            }
            for (number, item) in part.items.iter().enumerate() {
                for topic in item.topics.iter().chain([&item.title]) {
                    phrases.push((pattern(topic), at, Some(number)));
                }
            }
        }
        phrases.retain(|(words, ..)| !words.is_empty());
        Topics { phrases }
    }

    /// The part that a text names, if its longest topic is one part's only. An item's topic stands for its part.
    pub(super) fn part(&self, text: &str) -> Option<usize> {
        let words = words(text);
        self.best(&words, words.len(), false, |_, item| item.is_none()).map(|(part, _)| part)
    }

    /// The item of a part that the first `within` words of a text name.
    pub(super) fn item(&self, part: usize, text: &str, within: usize) -> Option<usize> {
        let head: String = text.chars().take(160).collect();
        let words = words(&head);
        self.best(&words, within, true, |at, item| at == part && item.is_some()).and_then(|(_, item)| item)
    }

    /// The one with the longest phrase; of several, the earliest if the first words count, or else none.
    fn best(
        &self,
        text: &[String],
        within: usize,
        first: bool,
        of: impl Fn(usize, Option<usize>) -> bool,
    ) -> Option<(usize, Option<usize>)> {
        let mut best: Option<(usize, usize, usize, Option<usize>)> = None;
        let mut tie = false;
        for (phrase, part, item) in &self.phrases {
            if !of(*part, *item) {
                continue;
            }
            let Some(at) = find(text, within, phrase) else { continue };
            let score = (phrase.len(), if first { usize::MAX - at } else { 0 });
            let known = best.map(|(length, at, ..)| (length, at));
            if known.is_none_or(|known| score > known) {
                best = Some((score.0, score.1, *part, *item));
                tie = false;
            } else if known == Some(score) && best.is_some_and(|(_, _, known, other)| (known, other) != (*part, *item)) {
                tie = true;
            }
        }
        best.filter(|_| !tie).map(|(_, _, part, item)| (part, item))
    }
}

/// Where the words of a phrase stand side by side, beginning within the first words of a text.
fn find(text: &[String], within: usize, phrase: &[Word]) -> Option<usize> {
    let last = text.len().checked_sub(phrase.len())?;
    (0..=last.min(within.saturating_sub(1))).find(|&at| phrase.iter().zip(&text[at..]).all(|(word, found)| word.is(found)))
}

impl Word {
    fn is(&self, found: &str) -> bool {
        if self.open {
            return found.starts_with(&self.text);
        }
        found == self.text || found.strip_suffix('s') == Some(&self.text) || self.text.strip_suffix('s') == Some(found)
    }
}

fn pattern(topic: &str) -> Vec<Word> {
    words(topic)
        .into_iter()
        .map(|word| match word.strip_suffix('*') {
            Some(start) => Word { text: start.to_owned(), open: true },
            None => Word { text: word, open: false },
        })
        .collect()
}

/// The words of a text in lower case; a hyphen, slash or underscore parts words as a space does.
fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '*')
        .map(|word| if word.starts_with('*') { word.trim_start_matches('*') } else { word })
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Words that head a summary of results.
const SUMMARY: [&str; 10] =
    ["summary", "results", "overview", "answers", "final answers", "recap", "final results", "summary table", "tl dr", "at a glance"];

/// Whether a heading heads a summary of results, which belongs to no single part.
pub(super) fn is_summary(heading: &str) -> bool {
    let words = words(heading);
    let few = words.len() <= 5;
    let text = words.join(" ");
    few && SUMMARY.iter().any(|name| text == *name || text.starts_with(&format!("{name} ")) || text.ends_with(&format!(" {name}")))
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
            Item { id: "e1".to_owned(), title: "Gradient accumulation".to_owned(), topics: vec!["accumulat*".to_owned()] },
            Item { id: "e2".to_owned(), title: "ZeRO-2".to_owned(), topics: vec![] },
        ];
        let outline = Outline { parts: vec![part("a", "Message size", &[]), part("b", "Ring time", &["all-reduce time"]), fixes] };
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
