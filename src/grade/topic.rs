//! Where in the exercise a place of an answer stands: by labels and numbers, and where those name no item, by the topics in the
//! words around it.

use crate::grade::Grader;
use crate::grade::clues::{Hit, Tag};
use crate::grade::scene::{self, Depth, Line, Spot};

impl Grader<'_> {
    /// Where a place of a line stands: by its labels, and where those name no item, by the topics in the words before it;
    /// the second is whether only the words say so.
    pub(super) fn spot_at(&self, line: &Line, at: usize) -> (Spot, bool) {
        if line.parts.is_empty() {
            return (self.spot_by_topic(line, at), true);
        }
        if let Some(spot) = self.spot_of_lead(line).or_else(|| self.spot_of_next_line(line, at)) {
            return (spot, false);
        }
        if line.spot.item.is_some() && line.firm && !line.kinds.has_items() {
            return (line.spot, false);
        }
        let here = line.words.sentence_at(at);
        let mut topic: Option<Topic> = None;
        if line.spot.item.is_some() && line.firm {
            topic = Some(Topic { spot: line.spot, rank: 3, start: 0, sentence: 0, clause: 0, before: true, apart: false });
        }
        // A line is gone through once, however many numbers ask.
        for named in line.topics.get_or_init(|| self.topics(line)).iter().take_while(|named| named.sentence <= here) {
            if named.rank == 3 && named.start > at {
                continue;
            }
            let before = named.start < at;
            let apart = !before && line.breaks_in(at..named.start).any(|found| found.depth >= Depth::Comma);
            let found = Topic { before, apart, ..*named };
            if topic.is_none_or(|known| found.replaces(&known)) {
                topic = Some(found);
            }
        }
        let of_name = |name: &scene::Name| name.hits.iter().find_map(|hit| self.topic(line, &name.hits, hit));
        let named = || line.names.iter().find_map(of_name).map(|(spot, _)| spot);
        // A number in the line, `(3) 3.9 %`, says it more surely than words.
        match topic.map(|topic| (topic.spot, topic.rank < 3)).or_else(|| Some((named()?, true))) {
            Some(spot) => spot,
            None => (line.spot, !line.firm),
        }
    }

    /// The item that the words in bold at the start of a line name, where those before it named another one: `**Smallest
    /// bucket.** I'd take 16 MB.`
    fn spot_of_lead(&self, line: &Line) -> Option<Spot> {
        let here = line.spot.item.filter(|_| line.firm)?;
        let [part] = line.parts.as_slice() else { return None };
        let begins = |range: &&std::ops::Range<usize>| {
            range.start >= line.range.start && line.text().get(line.range.start..range.start).is_some_and(|before| before.trim().is_empty())
        };
        let lead = line.source.strong.iter().find(begins)?;
        let named: Vec<usize> = line
            .hits
            .iter()
            .filter(|hit| lead.start <= hit.range.start && hit.range.end <= lead.end)
            .filter_map(|hit| match hit.tag {
                Tag::Topic(of, Some(item)) if of == *part => Some(item),
                _ => None,
            })
            .collect();
        let item = *named.first()?;
        (item != here && named.iter().all(|other| *other == item)).then_some(Spot { part: Some(*part), item: Some(item) })
    }

    /// The item that a line of text names before its colon, below the one that carries the label of another item: `3. in the
    /// node: 15.45 ms` and under it `memory with ZeRO-2: 3.17 GB`.
    fn spot_of_next_line(&self, line: &Line, at: usize) -> Option<Spot> {
        const LONGEST_LEAD: usize = 48;
        let here = line.spot.item.filter(|_| line.firm)?;
        let part = *line.parts.first().filter(|part| line.parts.iter().all(|other| other == *part))?;
        let before = line.text().get(line.range.start..at)?;
        let begins = line.range.start + before.rfind('\n')? + 1;
        let lead = begins..begins + line.text()[begins..at].find(':').filter(|length| *length <= LONGEST_LEAD)?;
        let named = line.hits_on(&lead).filter(|hit| lead.start <= hit.range.start && hit.range.end <= lead.end);
        let items = named.filter_map(|hit| match hit.tag {
            Tag::Topic(of, Some(item)) if of == part => Some(item),
            _ => None,
        });
        let items: Vec<usize> = items.collect();
        let item = *items.first()?;
        (item != here && items.iter().all(|other| *other == item)).then_some(Spot { part: Some(part), item: Some(item) })
    }

    /// Where a place of a line without a label stands: by the topic that its sentence names, the last one before the place,
    /// else the first one behind it, or one that the line's own name names. What an item is about says more than what a part is.
    fn spot_by_topic(&self, line: &Line, at: usize) -> Spot {
        let spot = |hit: &Hit| match hit.tag {
            Tag::Topic(part, item) => Some((item.is_some(), Spot { part: Some(part), item })),
            _ => None,
        };
        let sentence = line.words.sentence_at(at);
        // Between semicolons each value has words of its own.
        let clause = line.clause_at(at);
        let here = || {
            line.hits
                .iter()
                .filter(|hit| line.words.sentence_at(hit.range.start) == sentence && line.clause_at(hit.range.start) == clause)
                .filter_map(|hit| Some((hit.range.start, spot(hit)?)))
        };
        let before = here().filter(|(start, _)| *start < at).map(|(_, found)| found);
        let after = here().filter(|(start, _)| *start >= at).map(|(_, found)| found);
        let named = line.names.iter().flat_map(|name| &name.hits).filter_map(spot);
        let nearest = before.collect::<Vec<_>>().into_iter().rev().chain(after).chain(named);
        let mut best: Option<(bool, Spot)> = None;
        for found in nearest {
            if best.is_none_or(|known| found.0 && !known.0) {
                best = Some(found);
            }
        }
        // Where nothing in an answer has a label, a paragraph goes on with what it came to speak of.
        let earlier = || {
            let hits = line.hits.iter().rev().filter(|hit| hit.range.end <= at && line.undivided);
            hits.filter_map(spot).next().map(|(_, spot)| Spot { item: None, ..spot })
        };
        best.map(|(_, spot)| spot).or_else(earlier).unwrap_or(line.spot)
    }

    /// What the phrases of a line name, in the order of the text.
    fn topics(&self, line: &Line) -> Vec<Topic> {
        let (mut clause, mut breaks) = (0, line.breaks.iter().filter(|found| found.depth >= Depth::Clause).peekable());
        let mut topics = Vec::new();
        for hit in &line.hits {
            let Some((spot, rank)) = self.topic(line, &line.hits, hit) else { continue };
            let start = hit.range.start;
            while breaks.next_if(|found| found.at <= start).is_some() {
                clause += 1;
            }
            topics.push(Topic { spot, rank, start, sentence: line.words.sentence_at(start), clause, before: false, apart: false });
        }
        topics
    }

    /// The item that a phrase names, and how surely: its topics do, and the words for what it alone asks.
    fn topic(&self, line: &Line, hits: &[Hit], hit: &Hit) -> Option<(Spot, u8)> {
        match hit.tag {
            Tag::Topic(part, Some(item)) if line.parts.contains(&part) => Some((Spot { part: Some(part), item: Some(item) }, 2)),
            Tag::Item(part, item) => Some((Spot { part: Some(part), item: Some(item) }, 3)),
            Tag::Cue(ask) => {
                let item = self.own_item[ask]?;
                let part = *line.parts.iter().find(|part| self.home[ask].part == Some(**part))?;
                let shared = hits.iter().any(|other| match other.tag {
                    Tag::Cue(rival) => rival != ask && other.range == hit.range && self.home[rival].part == Some(part),
                    _ => false,
                });
                (!shared).then_some((Spot { part: Some(part), item: Some(item) }, 1))
            }
            _ => None,
        }
    }
}

/// What a line is about at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Topic {
    spot: Spot,
    rank: u8,
    /// Where it is named.
    start: usize,
    sentence: usize,
    clause: usize,
    before: bool,
    /// Whether a comma or more keeps it apart from the place that it stands behind.
    apart: bool,
}

impl Topic {
    /// Whether a topic found later in the text counts instead of an earlier one.
    fn replaces(&self, known: &Topic) -> bool {
        // What is numbered stays so until the next number.
        if known.rank == 3 && self.rank < 3 {
            return false;
        }
        if self.sentence != known.sentence {
            // `25 MB costs 650 ms. The extra is 61 %, so I would take more` goes on about the 25 MB.
            return self.before || !known.before || !self.apart;
        }
        // `1 MiB: 3.28 s; at least 64 MB`: behind a semicolon the words for another item are enough.
        let anew = known.before && self.clause != known.clause;
        self.before && (anew || self.rank >= known.rank)
    }
}
