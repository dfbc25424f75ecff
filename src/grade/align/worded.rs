//! Values that are said in words: `unchanged`, `two orders of magnitude above`.

use std::ops::Range;

use smallvec::{SmallVec, smallvec};

use crate::grade::align::{Choice, Table, Wording};
use crate::grade::clues::{Hit, Sign, Tag};
use crate::grade::evidence::{self, Evidence, Fit, NAMED};
use crate::grade::scene::{Line, Spot, Standing};
use crate::grade::stance::{self, Stance};

/// Words behind a value in words by which it compares two things: `two orders of magnitude above the first`.
const COMPARES: [&str; 16] = [
    "above", "below", "more", "less", "larger", "smaller", "bigger", "greater", "higher", "lower", "longer", "shorter", "apart", "faster",
    "slower", "between",
];

/// Words that may be a value, with what speaks for each ask of which they may be one.
pub(super) struct Worded {
    line: usize,
    range: Range<usize>,
    /// What they say.
    tags: SmallVec<[Tag; 2]>,
    asks: SmallVec<[usize; 2]>,
    spot: Spot,
    evidence: Vec<Evidence>,
}

impl Table<'_> {
    /// All words that may be a value.
    pub(super) fn worded(&self) -> Vec<Worded> {
        let mut worded = Vec::new();
        for (at, line) in self.scene.lines.iter().enumerate().filter(|(_, line)| line.kinds.has_values()) {
            for (range, tags) in wordings(&line.hits) {
                let asks: SmallVec<[usize; 2]> = tags.iter().filter_map(|tag| tag.ask()).collect();
                // `S* stays 4 MB` says nothing about the bandwidth.
                let said_of_another = line.hits.iter().any(|hit| {
                    let covers = hit.range.start <= range.start && range.end <= hit.range.end && hit.range.len() > range.len();
                    let names = |tag| matches!(tag, Tag::Cue(other) if !asks.contains(&other) && self.grader.in_part(line, other));
                    covers && (hit.tag.ask().is_some() || names(hit.tag))
                });
                if said_of_another || is_attribute(line, &range) {
                    continue;
                }
                let sentence = line.words.sentences().get(line.words.sentence_at(range.start)).cloned().unwrap_or_default();
                if self.grader.is_denied(line, range.start) || stance::stance(line, &sentence, range.start, range.end) == Stance::Foreign {
                    continue;
                }
                let (spot, soft) = self.grader.spot_at(line, range.start);
                if line.sign_in(Sign::Doubt, sentence) {
                    continue;
                }
                let evidence = evidence::of_words(self.scene, self.grader, at, range.clone(), (spot, soft), &asks);
                worded.push(Worded { line: at, range, tags, asks, spot, evidence });
            }
        }
        worded
    }

    /// Words that are a value, for asks that have no number.
    /// Where nothing names them, they are the value of what their item alone demands; but any number comes first.
    pub(super) fn give_words(&mut self, worded: &[Worded], unnamed: bool) {
        let mut best: Vec<Option<Wording>> = vec![None; self.choices.len()];
        for Worded { line: at, range, tags, asks, spot, evidence } in worded {
            let line = &self.scene.lines[*at];
            // `doesn't change` says more than a keyword.
            let sentence_like = line.words.within(range).len() > 1;
            let nearest = evidence.iter().max_by(|a, b| a.named.total_cmp(&b.named));
            let (nearest, name) = nearest.map_or((0.0, None), |one| (one.named, one.words.as_ref()));
            let same = |one: &Evidence| {
                name.zip(one.words.as_ref()).is_some_and(|(name, words)| (name.block, &name.range) == (words.block, &words.range))
            };
            // What stands nearest is meant, and nothing further away; but all that the very same words name.
            for one in evidence.iter().filter(|one| one.named >= nearest - 0.15 * nearest.abs() || same(one)) {
                let Some(tag) = tags.iter().find(|tag| tag.ask() == Some(one.ask)) else { continue };
                let better = best[one.ask].as_ref().is_none_or(|known| known.named < one.score);
                if self.leads_to_value(line, range, one.ask) {
                    continue;
                }
                let alone = || self.is_all_asked(one.ask, *spot) || self.can_mean_nothing_else(line, range, asks, *spot);
                let named = if unnamed { alone() && one.named > if sentence_like { -1.0 } else { -0.5 } } else { one.named >= NAMED };
                if named && better {
                    best[one.ask] = Some(Wording { line: *at, range: range.clone(), tag: *tag, named: one.score });
                }
            }
        }
        for (ask, wording) in best.into_iter().enumerate() {
            if let Some(wording) = wording
                && (matches!((&self.choices[ask], unnamed), (Choice::Missing, _) | (Choice::Unnamed(_), false))
                    || !unnamed && self.is_weaker_number(ask, &wording))
            {
                self.choices[ask] = Choice::Words(wording);
            }
        }
    }

    /// Whether what was taken for a factor is a bare number that less speaks for: `hardly moves, its limit is 208`.
    fn is_weaker_number(&self, ask: usize, wording: &Wording) -> bool {
        let Choice::One(number) = self.choices[ask] else { return false };
        let here = &self.scene.numbers[number];
        let bare = self.fit_of(number, ask) == Fit::Bare && here.standing == Standing::Free;
        bare && self.grader.shapes[ask].is_factor() && self.score(number, ask) < wording.named
    }

    /// Whether words lead to a number that is the value they speak of: `stays at 50.7 %`.
    fn leads_to_value(&self, line: &Line, range: &Range<usize>, ask: usize) -> bool {
        const BETWEEN: [&str; 10] = ["at", "bei", "about", "around", "roughly", "the", "ca", "still", "etwa", "of"];
        let next = line
            .numbers
            .clone()
            .find(|number| self.scene.numbers[*number].mention.range.start >= range.end && !self.scene.numbers[*number].past);
        next.is_some_and(|number| {
            let number = &self.scene.numbers[number];
            let gap = range.end..number.mention.range.start;
            let close =
                line.text()[gap.clone()].chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '\n' | '*' | '_' | '~' | '≈' | ':' | '='));
            let small = || line.words.within(&gap).iter().all(|word| BETWEEN.contains(&line.words.plain(word)) || !word.is_word());
            close && small() && self.grader.shapes[ask].fit(&number.mention) >= Fit::Bare
        })
    }

    /// Whether words of some length are a value of one ask only of the part they stand in: `two orders of magnitude above`.
    fn can_mean_nothing_else(&self, line: &Line, range: &Range<usize>, asks: &[usize], spot: Spot) -> bool {
        let drill = self.grader.drill;
        let part = spot.part.filter(|part| line.parts.as_slice() == [*part]);
        if part.is_none() && !line.undivided {
            return false;
        }
        let here = asks.iter().filter(|ask| part.is_none_or(|part| drill.asks[**ask].part == drill.parts[part].id));
        let words = line.words.list();
        let inside = words.iter().filter(|word| range.start <= word.range.start && word.range.end <= range.end);
        // A list of keywords compares nothing.
        let next = words.iter().find(|word| word.range.start >= range.end);
        let gap = next.is_some_and(|word| line.text()[range.end..word.range.start].trim().is_empty());
        let compares = gap && next.is_some_and(|word| COMPARES.contains(&line.words.plain(word)));
        // `bandwidth is the larger one, by two orders of magnitude`
        let last = words.iter().rev().find(|word| word.range.end <= range.start);
        let differs = last.is_some_and(|word| matches!(line.words.plain(word), "by" | "um"));
        here.count() == 1 && inside.count() > 2 && (compares || differs)
    }

    /// Whether an ask is all that its item demands, where the answer stands in the item.
    fn is_all_asked(&self, ask: usize, spot: Spot) -> bool {
        let drill = self.grader.drill;
        let Some(item) = spot.part.zip(spot.item).map(|(part, item)| &drill.parts[part].items[item]) else { return false };
        item.asks.contains(&ask) && item.asks.iter().filter(|other| drill.asks[**other].required).eq([&ask])
    }
}

/// Whether a word that may be a value is said of what comes right behind it: `the same formula`, `a constant factor`, `stays the
/// bottleneck`.
fn is_attribute(line: &Line, range: &Range<usize>) -> bool {
    const SHORT: [&str; 8] = ["same", "constant", "flat", "stable", "stays", "remains", "bleibt", "gleich"];
    const GOES_ON: [&str; 41] = [
        "as",
        "at",
        "and",
        "but",
        "or",
        "because",
        "since",
        "for",
        "in",
        "with",
        "when",
        "if",
        "no",
        "too",
        "here",
        "again",
        "while",
        "so",
        "by",
        "to",
        "on",
        "near",
        "around",
        "below",
        "under",
        "about",
        "roughly",
        "regardless",
        "whatever",
        "like",
        "though",
        "then",
        "now",
        "still",
        "wie",
        "geblieben",
        "und",
        "bei",
        "weil",
        "da",
        "auf",
    ];
    let words = line.words.within(range);
    let Some(last) = words.last().filter(|last| SHORT.contains(&line.words.plain(last))) else { return false };
    let next = line.words.list().iter().find(|word| word.range.start >= last.range.end);
    next.is_some_and(|word| {
        let side_by_side =
            line.text().get(last.range.end..word.range.start).is_some_and(|gap| gap.trim_matches([' ', '*', '_']).is_empty());
        let begins = line.text()[word.range.clone()].starts_with(char::is_alphabetic);
        side_by_side && begins && word.range.end <= line.range.end && !GOES_ON.contains(&line.words.plain(word))
    })
}

/// What the phrases that are values say, those at one place together.
fn wordings(hits: &[Hit]) -> Vec<(Range<usize>, SmallVec<[Tag; 2]>)> {
    let mut found: Vec<(Range<usize>, SmallVec<[Tag; 2]>)> = Vec::new();
    for hit in hits.iter().filter(|hit| hit.tag.ask().is_some()) {
        match found.iter_mut().find(|(range, _)| *range == hit.range) {
            Some((_, tags)) => tags.push(hit.tag),
            None => found.push((hit.range.clone(), smallvec![hit.tag])),
        }
    }
    found
}
