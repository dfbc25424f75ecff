//! Which of the labels that stand in an answer divide it into parts.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use memchr::memchr;
use smallvec::smallvec;

use crate::answer::divide::closing;
use crate::answer::divide::label::{self, Style};
use crate::answer::divide::places::{Place, Stand};
use crate::answer::divide::topic::{self, Topics};
use crate::answer::divide::{Certainty, Outline, Sort, Target, Targets};
use crate::answer::{Answer, Block, Role};

/// The beginning of a section.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) block: usize,
    /// The label's bytes in the block's passage.
    pub(super) range: Range<usize>,
    pub(super) sort: Sort,
    pub(super) targets: Targets,
    pub(super) certainty: Certainty,
}

/// What a label may name.
pub(super) fn target(place: &Place, outline: &Outline) -> Option<Target> {
    let first = place.label.path.first()?;
    if place.label.style == Style::Measure {
        return None;
    }
    if let Some(part) = outline.parts.iter().position(|part| part.id.eq_ignore_ascii_case(first)) {
        let number = place.label.path.get(1).and_then(|number| number.parse::<usize>().ok());
        let item = number.and_then(|number| number.checked_sub(1)).filter(|&item| item < outline.parts[part].items.len());
        return Some(Target { part, item });
    }
    let item = |part: usize| outline.parts[part].items.iter().position(|item| item.id.eq_ignore_ascii_case(first));
    (0..outline.parts.len()).find_map(|part| item(part).map(|item| Target { part, item: Some(item) }))
}

/// The number that a label is, in digits or in Roman ones.
pub(super) fn number(place: &Place) -> Option<usize> {
    // `i would` is no number.
    let first = place.label.path.first().filter(|_| place.label.style != Style::Space)?;
    first.parse().ok().or_else(|| label::roman(first))
}

/// The beginnings of parts, of summaries, and of what stands outside of all parts, in order.
pub(super) fn part_marks(answer: &Answer, outline: &Outline, topics: &Topics, places: &[Place]) -> Vec<Mark> {
    let mut marks = letters(answer, outline, places);
    catch_up(answer, outline, topics, &mut marks);
    let lettered: BTreeSet<usize> = marks.iter().flat_map(|mark| &mark.targets).map(|target| target.part).collect();
    let heads = heads(answer);
    // Where every part has its letter, no heading is asked what it names.
    let complete = lettered.len() > 1 && lettered.len() == outline.parts.len();
    let headed = if complete { Vec::new() } else { topic_marks(answer, topics, &heads) };
    let closing = if lettered.len() < 2 { closing::marks(answer, outline, &lettered) } else { Vec::new() };
    if closing.len() >= closing::ENOUGH {
        marks = closing;
    } else if lettered.len() < 2 {
        let numbered = numbers(outline, places);
        let topical: BTreeSet<usize> = headed.iter().map(|mark| mark.targets[0].part).collect();
        let many = outline.parts.len().saturating_sub(2).max(3);
        // Numbers below the only letter are that part's items.
        let items = marks.first().map_or(0, |mark| outline.parts[mark.targets[0].part].items.len());
        let below = items >= numbered.len() && marks.first().zip(numbered.first()).is_some_and(|(mark, number)| mark.block <= number.block);
        if topical.len() >= 3 && numbered.len() < many && topical.len() > lettered.len() {
            marks.retain(|mark| !topical.contains(&mark.targets[0].part));
            marks.extend(if marks.is_empty() { in_order(answer, outline, topics, headed) } else { headed });
        } else if numbered.len() >= 3 && lettered.is_empty() || numbered.len() >= many && !below {
            marks = numbered;
        } else if lettered.is_empty() {
            marks = in_order(answer, outline, topics, headed);
            let known: BTreeSet<usize> = marks.iter().map(|mark| mark.targets[0].part).collect();
            let led: Vec<Mark> = led_in(answer, topics).into_iter().filter(|mark| !known.contains(&mark.targets[0].part)).collect();
            let distinct: BTreeSet<usize> = led.iter().map(|mark| mark.targets[0].part).collect();
            if known.len() + distinct.len() >= 3 {
                marks.extend(led);
                marks.sort_by_key(|mark| (mark.block, mark.range.start));
            }
        }
    } else {
        // A part that has no letter may still have a heading, where it belongs.
        let missing = headed.into_iter().filter(|mark| !lettered.contains(&mark.targets[0].part) && fits(&marks, mark));
        let missing: Vec<Mark> = missing.collect();
        marks.extend(missing);
        let led = closing::leads(answer, outline).filter(|mark| !marks.iter().any(|other| other.targets == mark.targets));
        let led: Vec<Mark> = led.filter(|mark| fits(&marks, mark)).collect();
        marks.extend(led);
    }
    marks.extend(unlabeled_first(answer, &marks));
    marks.extend(outside(answer, &heads, &marks));
    marks.sort_by_key(|mark| (mark.block, mark.range.start, mark.range.end));
    marks.dedup_by(|later, earlier| later.block == earlier.block && later.range.start < earlier.range.end);
    marks
}

/// The first part, where the second is the first one with a label and all before it has none: its own is forgotten.
fn unlabeled_first(answer: &Answer, marks: &[Mark]) -> Option<Mark> {
    let first = marks.iter().min_by_key(|mark| (mark.block, mark.range.start))?;
    let is_first = |mark: &Mark| mark.targets.iter().any(|target| target.part == 0);
    let second = first.targets.first().is_some_and(|target| target.part == 1 && target.item.is_none());
    if !second || marks.len() < 2 || marks.iter().any(is_first) {
        return None;
    }
    // What is given may stand there as well, in a list or behind equals signs.
    let says = |block: &Block| {
        let text = block.passage.text();
        block.role == Role::Paragraph && text.split_whitespace().count() >= 6 && text.contains(|c: char| c.is_ascii_digit())
    };
    let block = answer.blocks[..first.block].iter().position(says)?;
    let targets = smallvec![Target { part: 0, item: None }];
    Some(Mark { block, range: 0..0, sort: Sort::Answer, targets, certainty: Certainty::Guess })
}

/// Whether the parts before and after a mark, among marks in order, are those around its own.
fn fits(marks: &[Mark], mark: &Mark) -> bool {
    let part = mark.targets[0].part;
    let place = (mark.block, mark.range.start);
    let next = marks.partition_point(|other| (other.block, other.range.start) < place);
    let before = next.checked_sub(1).map(|before| &marks[before]);
    before.is_none_or(|before| before.targets[0].part < part) && marks.get(next).is_none_or(|after| after.targets[0].part > part)
}

/// The part or item with an id.
fn named(id: &str, outline: &Outline) -> Option<Target> {
    all(outline).find(|target| {
        let part = &outline.parts[target.part];
        target.item.map_or(&part.id, |item| &part.items[item].id).eq_ignore_ascii_case(id)
    })
}

/// Every part, each followed by its items.
fn all(outline: &Outline) -> impl Iterator<Item = Target> + '_ {
    outline.parts.iter().enumerate().flat_map(|(part, known)| {
        let items = (0..known.items.len()).map(move |item| Target { part, item: Some(item) });
        std::iter::once(Target { part, item: None }).chain(items)
    })
}

/// Labels that are written alike.
type Class = (Style, bool, bool, bool);

/// Parts under the exercise's own labels.
fn letters(answer: &Answer, outline: &Outline, places: &[Place]) -> Vec<Mark> {
    let mut sure = Vec::new();
    let mut weak: BTreeMap<Class, Vec<(usize, Target)>> = BTreeMap::new();
    for (index, place) in places.iter().enumerate() {
        let Some(target) = target(place, outline) else { continue };
        let stands_out = place.strong || matches!(place.stand, Stand::Heading(_));
        let block = &answer.blocks[place.block];
        // Letters that are joined tell as much as one with words behind it.
        let joined = place.label.style == Style::Gap && !place.label.more.is_empty();
        let alone = !joined && block.passage.text()[place.range.end..].lines().next().is_none_or(|line| line.trim().is_empty());
        let certain = match place.label.style {
            Style::Round | Style::Half | Style::Word => true,
            Style::Dot => stands_out || matches!(place.stand, Stand::Marker(_)),
            // `e1:` is a label wherever it stands.
            Style::Colon => {
                stands_out && !place.label.capital
                    || place.label.path[0].len() == 2
                        && place.label.path[0].ends_with(|c: char| c.is_ascii_digit())
                        && place.label.path[0].starts_with(|c: char| c.is_ascii_lowercase())
            }
            Style::Bare => place.label.path[0].len() > 1 || alone && stands_out,
            Style::Measure | Style::Gap | Style::Space => false,
        };
        if certain {
            sure.push((index, target));
        } else {
            weak.entry((place.label.style, place.label.capital, stands_out, alone)).or_default().push((index, target));
        }
    }
    let covered: BTreeSet<usize> = sure.iter().map(|(_, target)| target.part).collect();
    for ((style, capital, _, alone), class) in weak {
        let parts: Vec<usize> = class.iter().map(|(_, target)| target.part).collect();
        let distinct: BTreeSet<usize> = parts.iter().copied().collect();
        let ascending = parts.windows(2).filter(|pair| pair[0] <= pair[1]).count();
        let least = match style {
            // `a` alone is a word.
            Style::Space => 4,
            Style::Colon | Style::Gap => 3,
            Style::Bare if !alone => 3,
            _ if capital => 3,
            _ => 2,
        };
        if distinct.len() >= least && ascending * 4 >= (parts.len() - 1) * 3 && distinct.is_disjoint(&covered) {
            sure.extend(class);
        }
    }
    sure.sort_by_key(|&(index, _)| index);
    let mut marks = Vec::new();
    let mut current: Option<usize> = None;
    let mut seen = BTreeSet::new();
    for (index, target) in sure {
        let place = &places[index];
        let prints = prints(&answer.blocks[place.block]);
        let text = answer.blocks[place.block].passage.text();
        let forward = current.is_none_or(|current| target.part > current || target.part == current && target.item.is_some());
        let fits = match place.stand {
            Stand::Inside => current.is_some_and(|current| target.part > current && target.part <= current + 2) || target.item.is_some(),
            Stand::Line => forward || prints,
            Stand::Block => !(seen.contains(&target.part) && label::is_subject(&text[place.range.end..])),
            Stand::Heading(_) | Stand::Marker(_) => true,
        };
        if !fits {
            continue;
        }
        current = Some(target.part);
        seen.insert(target.part);
        let mut targets: Targets = smallvec![target];
        for more in &place.label.more {
            if let Some(more) = named(more, outline) {
                targets.push(more);
                current = Some(more.part);
            }
        }
        if let Some(last) = place.label.through.as_ref().and_then(|last| named(last, outline)) {
            let stretch = all(outline).skip_while(|other| *other != target).skip(1).take_while(|other| *other <= last);
            targets.extend(stretch.filter(|other| other.item.is_some() == target.item.is_some()));
            current = targets.last().map(|last| last.part);
        }
        let certainty = if place.stand == Stand::Inside { Certainty::Likely } else { Certainty::Sure };
        marks.push(Mark { block: place.block, range: place.range.clone(), sort: Sort::Answer, targets, certainty });
    }
    amend(answer, &mut marks);
    marks
}

/// Where a label stands twice in a row and all that follow are one letter behind, as the topics under them show, they are
/// moved on by one.
fn catch_up(answer: &Answer, outline: &Outline, topics: &Topics, marks: &mut [Mark]) {
    let parts: Vec<usize> = (0..marks.len()).filter(|at| marks[*at].targets.len() == 1 && marks[*at].targets[0].item.is_none()).collect();
    let twice = parts.windows(2).position(|pair| marks[pair[0]].targets == marks[pair[1]].targets);
    let Some(behind) = twice.map(|at| &parts[at + 1..]) else { return };
    let part = |at: usize| marks[at].targets[0].part;
    let counts_up = behind.windows(2).all(|pair| part(pair[0]) + 1 == part(pair[1]));
    if !counts_up || behind.iter().any(|at| part(*at) + 1 >= outline.parts.len()) {
        return;
    }
    let text = |at: usize| {
        let mark = &marks[at];
        let end = marks.get(at + 1).map_or((answer.blocks.len(), 0), |next| (next.block, next.range.start));
        let mut text = String::new();
        for block in mark.block..answer.blocks.len().min(end.0 + 1) {
            let passage = answer.blocks[block].passage.text();
            let start = if block == mark.block { mark.range.end } else { 0 };
            let stop = if block == end.0 { end.1 } else { passage.len() };
            text.push_str(passage.get(start..stop).unwrap_or_default());
            text.push('\n');
        }
        text
    };
    let (mut here, mut next) = (0, 0);
    for at in behind {
        let named = topics.parts_named(&text(*at));
        here += usize::from(named.contains(&part(*at)));
        next += usize::from(named.contains(&(part(*at) + 1)));
    }
    if next > here {
        for at in behind {
            marks[*at].targets[0].part += 1;
            marks[*at].certainty = Certainty::Guess;
        }
    }
}

/// Whether a block is a program, or what one printed.
fn prints(block: &Block) -> bool {
    block.printed || matches!(block.role, Role::Code(_))
}

/// A label that is used twice in a row, where the next one is missing, is taken for the next one.
fn amend(answer: &Answer, marks: &mut [Mark]) {
    let used: BTreeSet<usize> = marks.iter().flat_map(|mark| &mark.targets).map(|target| target.part).collect();
    for at in 1..marks.len() {
        let prints = prints(&answer.blocks[marks[at].block]);
        let (before, here) = (marks[at - 1].targets[0], marks[at].targets[0]);
        let after = marks.get(at + 1).map(|mark| mark.targets[0].part);
        let next = here.part + 1;
        if before.part == here.part
            && before.item.is_none()
            && here.item.is_none()
            && !prints
            && !used.contains(&next)
            && after == Some(next + 1)
        {
            marks[at].targets[0].part = next;
            marks[at].certainty = Certainty::Guess;
        }
    }
}

/// Parts under numbers that stand for the letters: the longest run 1, 2, 3 … of one kind. A number may be missing in it,
/// if it stands nowhere further on.
fn numbers(outline: &Outline, places: &[Place]) -> Vec<Mark> {
    let mut families: BTreeMap<u8, Vec<(usize, &Place)>> = BTreeMap::new();
    for place in places {
        let Some(number) = number(place).filter(|_| place.label.style != Style::Measure) else { continue };
        let family = match place.stand {
            _ if place.label.style == Style::Word => 0,
            Stand::Heading(_) => 1,
            Stand::Marker(1) | Stand::Block => 2,
            Stand::Line if place.label.style != Style::Bare => 2,
            _ => continue,
        };
        families.entry(family).or_default().push((number, place));
    }
    let runs = families.into_values().map(|family| {
        let mut run: Vec<Mark> = Vec::new();
        let mut left: BTreeMap<usize, usize> = BTreeMap::new();
        family.iter().for_each(|(number, _)| *left.entry(*number).or_default() += 1);
        let mut next = 1;
        for (number, place) in family {
            if let Some(count) = left.get_mut(&number) {
                *count -= 1;
            }
            let skips = next > 1
                && number > next
                && number <= next + 2
                && (next..number).all(|missing| left.get(&missing).is_none_or(|&left| left == 0));
            if number <= outline.parts.len() && (number == next || skips) {
                let targets = smallvec![Target { part: number - 1, item: None }];
                run.push(Mark {
                    block: place.block,
                    range: place.range.clone(),
                    sort: Sort::Answer,
                    targets,
                    certainty: Certainty::Likely,
                });
                next = number + 1;
            }
        }
        run
    });
    runs.max_by_key(Vec::len).unwrap_or_default()
}

/// The first words of a block that stand out: a heading, words in bold at its start, a short line on its own.
pub(super) fn lead(answer: &Answer, index: usize) -> Option<Range<usize>> {
    let block = &answer.blocks[index];
    let text = block.passage.text();
    match block.role {
        Role::Heading(_) => return Some(0..text.len()),
        Role::Paragraph | Role::Item { .. } => {}
        _ => return None,
    }
    let start = text.len() - text.trim_start().len();
    if let Some(bold) = block.strong.first().filter(|bold| bold.start <= start) {
        return (bold.len() <= 120).then_some(0..bold.end);
    }
    let end = memchr(b'\n', &text.as_bytes()[..text.len().min(SHORT + 2)]);
    if end.is_none() && text.len() > SHORT {
        return None;
    }
    let line = end.map_or(text, |end| text[..end].strip_suffix('\r').unwrap_or(&text[..end]));
    let alone = || text.trim() == line.trim() && !line.bytes().any(|byte| byte.is_ascii_digit());
    let stands_out = line.len() <= SHORT && (line.trim_end().ends_with(':') || alone());
    (stands_out && line.split_whitespace().nth(6).is_none() && !line.contains(['=', '≈'])).then_some(0..line.len())
}

/// A line that stands out by being short has no more bytes.
const SHORT: usize = 60;

/// The first words of a block that stand out, and whether they head a summary.
struct Head {
    block: usize,
    range: Range<usize>,
    is_summary: bool,
}

/// The heads of all blocks that have one, in order.
fn heads(answer: &Answer) -> Vec<Head> {
    let head = |block: usize| {
        let range = lead(answer, block)?;
        let is_summary = topic::is_summary(&answer.blocks[block].passage.text()[range.clone()]);
        Some(Head { block, range, is_summary })
    };
    (0..answer.blocks.len()).filter_map(head).collect()
}

/// Parts under headings that name their topic.
fn topic_marks(answer: &Answer, topics: &Topics, heads: &[Head]) -> Vec<Mark> {
    let mark = |head: &Head| {
        let part = topics.part_at(&answer.blocks[head.block], &head.range)?;
        let targets = smallvec![Target { part, item: None }];
        Some(Mark { block: head.block, range: head.range.clone(), sort: Sort::Answer, targets, certainty: Certainty::Likely })
    };
    heads.iter().filter(|head| !head.is_summary).filter_map(mark).collect()
}

/// A block, and the bytes with which it begins.
type Lead = (usize, Range<usize>);

/// The parts of titles that name no topic, where those around them do: titles of one kind, one a part, in the order of the
/// parts, maybe with others before and after them. Of an answer without titles, the paragraphs with numbers in them.
fn in_order(answer: &Answer, outline: &Outline, topics: &Topics, named: Vec<Mark>) -> Vec<Mark> {
    let text = |index: usize, range: &Range<usize>| &answer.blocks[index].passage.text()[range.clone()];
    let class = |index: usize| match answer.blocks[index].role {
        Role::Heading(level) => Some(level),
        _ => Some(0).filter(|_| answer.blocks[index].strong.first().is_some_and(|bold| bold.start == 0)),
    };
    let titles = |of: u8| -> Vec<Lead> {
        (0..answer.blocks.len())
            .filter(|index| class(*index) == Some(of))
            .filter_map(|index| Some((index, lead(answer, index)?)))
            .filter(|(index, range)| !topic::is_summary(text(*index, range)))
            .collect()
    };
    let paragraphs = || -> Vec<Lead> {
        let prose = |index: &usize| {
            let block = &answer.blocks[*index];
            block.role == Role::Paragraph && block.passage.text().contains(|c: char| c.is_ascii_digit())
        };
        (0..answer.blocks.len()).filter(prose).map(|index| (index, 0..0)).collect()
    };
    let (leads, known): (Vec<Lead>, Vec<_>) = match named.first() {
        Some(mark) => {
            let Some(of) = class(mark.block) else { return named };
            (titles(of), named.iter().map(|mark| (mark.block, mark.targets[0].part)).collect())
        }
        None => {
            let leads = paragraphs();
            let opening = |index: usize| {
                let text = answer.blocks[index].passage.text();
                topics.part(&text.split_inclusive(['.', ',', ':']).next().unwrap_or_default().chars().take(60).collect::<String>())
            };
            let known = leads.iter().filter_map(|(index, _)| Some((*index, opening(*index)?))).collect();
            (leads, known)
        }
    };
    // How far the place of each among its like is from that of its part.
    let place = |block: usize| leads.iter().position(|(index, _)| *index == block);
    let ahead: BTreeSet<Option<usize>> = known.iter().map(|(block, part)| place(*block)?.checked_sub(*part)).collect();
    let Some(Some(ahead)) = ahead.first().copied().filter(|_| ahead.len() == 1) else { return named };
    let parts = outline.parts.len();
    // Two agree by chance where there are more of them than parts, three hardly.
    let enough = if named.is_empty() || leads.len() != parts { 3 } else { 2 };
    if known.len() < enough || leads.len() < ahead + parts {
        return named;
    }
    let mark = |(part, (block, range)): (usize, Lead)| Mark {
        block,
        range,
        sort: Sort::Answer,
        targets: smallvec![Target { part, item: None }],
        certainty: Certainty::Likely,
    };
    leads.into_iter().skip(ahead).take(parts).enumerate().map(mark).collect()
}

/// Parts under the words with which a paragraph begins: `Ring time: the latency is …`.
fn led_in(answer: &Answer, topics: &Topics) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (index, block) in answer.blocks.iter().enumerate().filter(|(_, block)| matches!(block.role, Role::Paragraph | Role::Item { .. })) {
        let text = block.passage.text();
        let line = text.lines().next().unwrap_or_default();
        let Some(head) = line.find(": ").map(|colon| &line[..colon]) else { continue };
        let fits = head.len() <= 60 && head.split_whitespace().count() <= 5 && !head.contains(['=', '≈', ',', '.']);
        if fits && let Some(part) = topics.part(head) {
            let targets = smallvec![Target { part, item: None }];
            marks.push(Mark { block: index, range: 0..head.len() + 1, sort: Sort::Answer, targets, certainty: Certainty::Likely });
        }
    }
    marks
}

/// Headings that end a part without beginning another: a summary, or a heading of the level that the parts have.
fn outside(answer: &Answer, heads: &[Head], marks: &[Mark]) -> Vec<Mark> {
    let labeled: BTreeSet<usize> = marks.iter().map(|mark| mark.block).collect();
    let levels: Vec<u8> =
        labeled.iter().filter_map(|&block| if let Role::Heading(level) = answer.blocks[block].role { Some(level) } else { None }).collect();
    let level = if levels.len() >= 2 { levels.iter().max().copied() } else { None };
    let mut found = Vec::new();
    let mut heads = heads.iter().peekable();
    for (index, block) in answer.blocks.iter().enumerate() {
        let head = heads.next_if(|head| head.block == index);
        let is_summary = match block.role {
            Role::Cell { row: 0, column: 0, .. } => topic::is_summary(block.passage.text()),
            _ => head.is_some_and(|head| head.is_summary),
        };
        let closes = matches!(block.role, Role::Heading(here) if level.is_some_and(|level| here <= level));
        if (is_summary || closes) && !labeled.contains(&index) {
            let sort = if is_summary { Sort::Summary } else { Sort::Preamble };
            found.push(Mark { block: index, range: 0..0, sort, targets: Targets::new(), certainty: Certainty::Sure });
        }
    }
    found
}
