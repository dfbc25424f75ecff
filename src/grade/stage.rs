//! Lays an answer out for alignment.

mod chains;
mod code;
mod comments;
mod drafts;
mod listed;
pub(super) mod pointers;
mod remarks;
mod spoken;
mod unsaid;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use crate::answer::{self, Answer, Block, Certainty, Role, Section, Sort};
use crate::drill::{AskKind, Drill, NameId};
use crate::formula::ExprKind;
use crate::formula::parse_student;
use crate::grade::Grader;
use crate::grade::clues::{Hit, Tag, enumerators};
use crate::grade::declared;
use crate::grade::evidence::Fit;
use crate::grade::meant;
use crate::grade::running;
use crate::grade::scene::{Kinds, Line, Name, Number as Stated, Scene, Spot, Standing, Title, Work};
use crate::grade::tables::{self, name};
use crate::grade::telling::{self, Telling};
use crate::phrase::{Groups, Words};
use crate::quantity::{Loose, Number};
use crate::recognize::{self, Chain, Kind, Mention, Reading, Recognized};

use chains::{between_labels, cut, parted, stand_in_chain};
use comments::{are_comments, is_labeled_in, is_printed_label};
use listed::part_list;
use spoken::spoken;
use unsaid::{imitations, inline_list, is_option, is_source_code};

/// From this share of the upper end on, a range is two values.
const WIDE: (i128, i32) = (5, -2);
/// How much a key says about its value.
const KEY: f32 = 7.0;
/// How much a heading says about what stands under it, and a line that leads in about what follows it.
const HEADING: f32 = 2.5;
const LEAD_IN: f32 = 3.5;

/// The names of a drill's parts and items, for dividing answers.
pub(super) fn outline(drill: &Drill) -> answer::Outline {
    let phrases = |topics: &[crate::phrase::Phrase]| topics.iter().map(|topic| topic.source().to_owned()).collect();
    let parts = drill
        .parts
        .iter()
        .map(|part| answer::Part {
            id: part.id.clone(),
            title: part.title.clone(),
            topics: phrases(&part.topics),
            text: part.text.clone(),
            asks_itself: drill.asks.iter().any(|ask| ask.part == part.id && ask.item.is_none() && ask.required),
            items: part
                .items
                .iter()
                .map(|item| answer::Item {
                    id: item.id.clone(),
                    title: item.title.clone(),
                    topics: phrases(&item.topics),
                    text: item.text.clone(),
                })
                .collect(),
        })
        .collect();
    let mut outline = answer::Outline::new(parts);
    outline.asks = drill.asks.iter().map(|ask| ask.asks.clone()).collect();
    outline
}

/// Where a section stands by its labels.
fn spots_of(grader: &Grader, section: &Section) -> SmallVec<[Spot; 2]> {
    section.names.iter().filter_map(|name| grader.spot(&name.part, name.item.as_deref())).collect()
}

/// By block: what the criteria may look for in it, besides what all lines are searched for.
fn sought_in(grader: &Grader, answer: &Answer, sections: &[Section]) -> Vec<Groups> {
    let mut sought = vec![Groups::NONE; answer.blocks.len()];
    for section in sections {
        let parts: SmallVec<[usize; 4]> = spots_of(grader, section).iter().filter_map(|spot| spot.part).collect();
        let groups = grader.forums.groups_in(&parts);
        let weighed = |block: &Block| block.quoted == 0 && !block.printed && !matches!(block.role, Role::Code(_) | Role::Output);
        for stretch in section.stretches.iter().filter(|stretch| weighed(&answer.blocks[stretch.block])) {
            sought[stretch.block] = sought[stretch.block].and(groups);
        }
    }
    sought
}

/// Lays an answer out, and takes the chains out of what was recognized in it.
pub(super) fn lay_out<'a>(grader: &Grader, answer: &'a Answer, sections: &[Section], recognized: &mut [Recognized]) -> Scene<'a> {
    // The stretches of a block are searched in one go.
    let own = answer::own_blocks(answer, sections);
    let blocks = || answer.blocks.iter().zip(&own).map(|(block, own)| Some(block).filter(|_| *own));
    let sought = sought_in(grader, answer, sections);
    let find = |(block, sought): (Option<&Block>, &Groups)| {
        block.map(|block| grader.clues.find_with(block.passage.text(), block.words(), *sought)).unwrap_or_default()
    };
    let mut hits: Vec<Vec<Hit>> = blocks().zip(&sought).map(find).collect();
    let list = |block: &Block| inline_list(block.passage.text());
    let lists: Vec<Vec<Range<usize>>> = blocks().map(|block| block.map(list).unwrap_or_default()).collect();
    let mut scene = Scene::default();
    scene.numbers.reserve(recognized.iter().map(|found| found.mentions.len()).sum());
    scene.lines.reserve(answer.blocks.len());
    let first_part = sections.iter().position(|section| !section.names.is_empty());
    let comments = are_comments(answer, sections);
    for (at, section) in sections.iter().enumerate() {
        let labels = spots_of(grader, section);
        scene.labeled.extend(labels.iter().filter_map(|spot| spot.part));
        let next = sections.get(at + 1).map_or(SmallVec::new(), |next| spots_of(grader, next));
        let comments = comments && sections.get(at + 1).is_some_and(|next| !is_printed_label(answer, next));
        let unquoted = section.stretches.iter().any(|stretch| answer.blocks[stretch.block].quoted == 0);
        // What the student says right before, which may lead in to something that looks like a quotation.
        let mut lead = "";
        for (place, stretch) in section.stretches.iter().enumerate() {
            let block = &answer.blocks[stretch.block];
            let mut spots = labels.clone();
            let mut parts: SmallVec<[usize; 4]> = spots.iter().filter_map(|spot| spot.part).collect();
            if block.printed && comments && !next.is_empty() && !is_labeled_in(answer, section, stretch.block) {
                // Where labels stand in the comments behind what was printed, they are its labels.
                spots.clone_from(&next);
                parts = spots.iter().filter_map(|spot| spot.part).collect();
                if labels.is_empty() && first_part.is_some_and(|first| at < first) {
                    let first = parts.first().copied().unwrap_or_default();
                    parts.insert_many(0, 0..first);
                    spots.extend(parts.iter().map(|part| Spot { part: Some(*part), item: None }));
                }
            } else if block.printed && !parts.is_empty() {
                // A program's output stands after the label of one part and before the comment that labels it as the next.
                parts.extend(next.first().and_then(|spot| spot.part));
            }
            let firm = section.certainty == Certainty::Sure;
            let mut spot = if spots.len() == 1 { spots[0] } else { Spot { part: spots.first().and_then(|spot| spot.part), item: None } };
            if spots.iter().any(|other| other.part != spot.part) {
                spot = Spot::default();
            }
            // A topic in one item of a list, or in one key, says nothing about the next one.
            if !firm && place > 0 && matches!(block.role, Role::Item { .. } | Role::Entry(_) | Role::Cell { .. }) {
                spot.item = None;
            }
            if block.quoted == 0 {
                lead = &block.passage.text()[stretch.range.clone()];
            }
            let own = || answer::introduces_own(lead);
            let dead = block.quoted > 0 && unquoted && !own() || is_source_code(&block.role);
            let line = |range: Range<usize>| Line {
                block: stretch.block,
                source: block,
                range,
                spot,
                firm,
                parts: parts.clone(),
                undivided: first_part.is_none(),
                other_row: false,
                summary: section.sort == Sort::Summary,
                preamble: first_part.is_some_and(|first| at < first),
                dead,
                words: Arc::clone(block.words()),
                telling: Telling::default(),
                hits: Vec::new(),
                longest: 0,
                kinds: Kinds::default(),
                topics: OnceCell::new(),
                loud: OnceCell::new(),
                breaks: Vec::new(),
                numbers: 0..0,
                names: Vec::new(),
                barred: BTreeSet::new(),
                outnamed: BTreeSet::new(),
            };
            let mut found = Finds { hits: &mut hits[stretch.block], read: &mut recognized[stretch.block], lists: &lists[stretch.block] };
            if is_source_code(&block.role) {
                add_code(&mut scene, grader, &mut found, &line, &stretch.range);
                continue;
            }
            for range in values_by_line(block, &stretch.range, found.read) {
                add_line(&mut scene, grader, line(range), &mut found);
            }
        }
    }
    let given_up = drafts::given_up(answer);
    for number in scene.numbers.iter_mut().filter(|_| !given_up.is_empty()) {
        number.withdrawn |= given_up.contains(&scene.lines[number.line].block);
    }
    name_lines(&mut scene, grader);
    if answer.kind == answer::Kind::Toml {
        remarks::name_lines(&mut scene, grader, answer);
    }
    scene.declared = declared::find(&scene, &grader.drill.units);
    meant::settle_numbers(&mut scene, grader);
    running::settle_work(&mut scene);
    scene
}

/// The lines of a stretch of plain text that is a list of values, a line each; else the whole stretch.
fn values_by_line(block: &Block, range: &Range<usize>, read: &Recognized) -> SmallVec<[Range<usize>; 1]> {
    // Text that was wrapped has longer lines than a list.
    const LONGEST: usize = 56;
    let whole = smallvec![range.clone()];
    let text = &block.passage.text()[range.clone()];
    if !matches!(block.role, Role::Paragraph | Role::Item { .. }) || !text.trim().contains('\n') {
        return whole;
    }
    let mut lines: SmallVec<[Range<usize>; 1]> = SmallVec::new();
    let mut start = range.start;
    for line in text.split('\n') {
        if !line.trim().is_empty() {
            lines.push(start..start + line.len());
        }
        start += line.len() + 1;
    }
    let of = |range: &Range<usize>| block.passage.text()[range.clone()].trim();
    let runs_on = |line: &Range<usize>| of(line).ends_with([',', '=', '+', '·', '×', '*', '/', '(']);
    let goes_on = |line: &Range<usize>| of(line).starts_with(['=', '+', '·', '×', '*', '/', '→', '≈', '-']);
    let states = |line: &&Range<usize>| read.mentions.iter().any(|found| line.contains(&found.range.start));
    let broken = |at: usize| {
        read.mentions.iter().any(|found| found.range.start < at && at < found.range.end)
            || read.chains.iter().any(|chain| chain.range.start < at && at < chain.range.end)
    };
    let is_list = lines.len() > 1
        && lines.iter().filter(states).count() * 4 >= lines.len() * 3
        && lines.iter().all(|line| line.len() <= LONGEST && !goes_on(line) && !broken(line.start))
        && lines[..lines.len() - 1].iter().all(|line| !runs_on(line));
    if is_list { lines } else { whole }
}

/// Takes from a number the unit that begins the next line of a list of values: `2.6e9⏎MiB 2479`.
fn leave_next_line(text: &str, mention: &mut Mention) {
    let Some(unit) = &mention.unit else { return };
    let breaks = text.get(mention.number.end..unit.start).is_some_and(|gap| gap.contains('\n'));
    if breaks && text[unit.end..].trim_start_matches([' ', '\t', ':', '=']).starts_with(|c: char| c.is_ascii_digit()) {
        mention.range.end = mention.number.end;
        mention.unit = None;
        take_unit(mention);
    }
}

/// What of a number stands in a line; the `(d)` behind `(c) 2550 (d) …` is the label of the next part and no unit.
fn without_label(mention: &Mention, line: &Range<usize>) -> Option<Mention> {
    if mention.range.start < line.start || mention.number.end > line.end {
        return None;
    }
    let mut mention = mention.clone();
    if mention.range.end > line.end {
        let unit = mention.unit.take()?;
        if unit.start < line.end && unit.end > line.end && unit.start + 1 < line.end {
            return None;
        }
        mention.range.end = mention.number.end;
        take_unit(&mut mention);
    }
    Some(mention)
}

/// Takes from each reading of a number the unit that it does not have.
fn take_unit(mention: &mut Mention) {
    for reading in &mut mention.readings {
        if let Some(unit) = reading.unit.take() {
            reading.value = reading.value / unit.factor;
            reading.written.last_place = reading.written.last_place / unit.factor;
        }
    }
}

/// Where a key has the unit, its number means no other one: `size_mib = 16`.
fn keep_unit_of_key(line: &Line, mention: &mut Mention) {
    let told = |first: &Reading| first.loose == Some(Loose::Shared) && first.unit.as_ref().is_some_and(|unit| !unit.dimension.is_none());
    if mention.unit.is_none() && matches!(line.source.role, Role::Entry(_)) && mention.readings.first().is_some_and(told) {
        mention.readings.retain(|reading| reading.unit.is_some());
    }
}

/// A given by its symbol has no part in the unit of the list it stands in: `16 MB for P = 32, and 128 MB for P = 256`.
fn leave_shared_unit(grader: &Grader, before: &str, mention: &mut Mention) {
    let shared = mention.unit.is_none() && mention.readings.iter().any(|reading| reading.loose == Some(Loose::Shared));
    if !shared || !before.trim_end().ends_with('=') {
        return;
    }
    let mut bare = mention.clone();
    take_unit(&mut bare);
    if grader.given_with_value(&bare).is_some_and(|given| is_given_symbol(grader, before, given)) {
        *mention = bare;
    }
}

/// What was found in a block.
struct Finds<'f> {
    hits: &'f mut Vec<Hit>,
    read: &'f mut Recognized,
    /// The numbers of lists inside its text.
    lists: &'f [Range<usize>],
}

/// Adds source code: what it says of its results, with the work that leads to each, and around that what states nothing.
fn add_code<'a>(
    scene: &mut Scene<'a>,
    grader: &Grader,
    found: &mut Finds,
    line: &impl Fn(Range<usize>) -> Line<'a>,
    stretch: &Range<usize>,
) {
    let mut at = stretch.start;
    for remark in code::remarks(line(stretch.clone()).text(), stretch) {
        add_line(scene, grader, line(at..remark.range.start), found);
        at = remark.range.end;
        let quoted = line(stretch.clone()).source.quoted > 0;
        let said = Line { dead: quoted, ..line(remark.range.clone()) };
        let (here, first) = (scene.lines.len(), scene.numbers.len());
        add_line(scene, grader, said, found);
        if first == scene.numbers.len() {
            continue;
        }
        let text = scene.lines[here].text();
        let links = remark.work.iter().map(|range| recognize::Link {
            range: range.clone(),
            // What most programs write with two stars takes as much room with one sign.
            expr: parse_student(&text[range.clone()].replace("**", "^ "), &grader.drill.units, &grader.symbols).ok(),
            mention: None,
            approximate: false,
        });
        let number = &scene.numbers[first];
        let result = recognize::Link { range: number.mention.range.clone(), expr: None, mention: Some(first), approximate: false };
        let links: Vec<recognize::Link> = links.chain([result]).collect();
        scene.numbers[first].chain = Some(scene.chains.len());
        scene.numbers[first].standing = Standing::End;
        scene.chains.push(Work { line: here, chain: Chain { range: links[0].range.start..remark.range.end, links } });
    }
    add_line(scene, grader, line(at..stretch.end), found);
}

/// What the value of a given names in the drill's own spelling, where an answer spells it in another: `25 Mbyte` names what
/// `25 MB` does.
fn in_other_words(grader: &Grader, line: &Line, given: usize, mention: &Mention) -> Vec<Hit> {
    let name = &grader.drill.names[given];
    let Some(unit) = mention.unit.as_ref().map(|unit| &line.text()[unit.clone()]) else { return Vec::new() };
    let ExprKind::Number { written, unit: Some(spelled), .. } = &name.formula.expr().kind else { return Vec::new() };
    if unit == spelled {
        return Vec::new();
    }
    let text = format!("{written} {spelled}");
    let mut hits = grader.clues.find(&text, &Words::of(&text));
    hits.retain(|hit| !matches!(hit.tag, Tag::Sign(_)));
    for hit in &mut hits {
        hit.range = mention.range.clone();
    }
    hits
}

/// Adds a line with what of its block's finds belongs to it.
fn add_line<'a>(scene: &mut Scene<'a>, grader: &Grader, mut line: Line<'a>, found: &mut Finds) {
    let Finds { hits, read, .. } = found;
    let at = scene.lines.len();
    let first = scene.numbers.len();
    let inside = |range: &Range<usize>| line.range.start <= range.start && range.end <= line.range.end;
    // Most lines are whole blocks.
    line.hits = if hits.iter().all(|hit| inside(&hit.range)) {
        std::mem::take(*hits)
    } else {
        let hits = &hits[hits.partition_point(|hit| hit.range.start < line.range.start)..];
        hits.iter().take_while(|hit| hit.range.start < line.range.end).filter(|hit| inside(&hit.range)).cloned().collect()
    };
    line.telling = Telling::of(&line.words, &line.range);
    let mut labels: Vec<Range<usize>> = Vec::new();
    if let [part] = line.parts.as_slice() {
        let begun = line.spot.item.map_or(0, |item| item + 1);
        let items = enumerators(line.text(), &line.range, *part, grader.drill.parts[*part].items.len(), begun);
        labels.extend(items.iter().map(|hit| hit.range.clone()));
        if !items.is_empty() {
            line.hits.extend(items);
            line.hits.sort_by_key(|hit| hit.range.start);
        }
    }
    let itemized = matches!(line.parts.as_slice(), [part] if !grader.drill.parts[*part].items.is_empty());
    if line.telling.has(telling::POINTS) {
        let asked = |ask: usize| grader.in_part(&line, ask);
        let place = pointers::Place { itemized, asked: &asked };
        let pointed = pointers::pointed(&line.range, &line.words, &line.hits, &place);
        if !pointed.is_empty() {
            line.hits.extend(pointed);
            line.hits.sort_by_key(|hit| hit.range.start);
        }
    }
    labels.extend(found.lists.iter().filter(|label| inside(label)).cloned());
    line.longest = line.hits.iter().map(|hit| hit.range.len()).max().unwrap_or_default();
    let mut taken: SmallVec<[Range<usize>; 4]> = SmallVec::new();
    let mut ends: Vec<(usize, Mention, Option<[usize; 2]>)> = Vec::with_capacity(read.mentions.len());
    // They stand in the order of the text.
    let begun = read.mentions.partition_point(|mention| mention.range.start < line.range.start);
    let inside = read.mentions.iter().enumerate().skip(begun).take_while(|(_, mention)| mention.range.start < line.range.end);
    for (old, mention) in inside {
        let Some(mention) = without_label(mention, &line.range) else { continue };
        taken.push(mention.range.clone());
        match two_ends(grader, &line, &mention) {
            Some(both) => ends.extend(both.map(|(end, bracket)| (old, end, Some(bracket)))),
            None => ends.push((old, mention, None)),
        }
    }
    line.breaks = Line::find_breaks(line.text(), &line.range, &line.words, &line.telling.joints, &taken);
    if line.undivided {
        part_list(&mut line, &taken);
    }
    let imitated = line.telling.marks & telling::REPORTS != 0;
    let imitations = if imitated { imitations(grader.drill, line.text(), &line.range) } else { Vec::new() };
    // Nothing but an imitation argues nothing either.
    line.dead |= !imitations.is_empty() && imitations.iter().map(Range::len).sum::<usize>() + imitations.len() > line.range.len();
    // Chains alone ask where the mentions of the block have gone.
    let mut place: Vec<Option<usize>> = if read.chains.is_empty() { Vec::new() } else { vec![None; read.mentions.len()] };
    let options = !ends.is_empty() && line.text()[line.range.clone()].contains("--");
    let mut spelled_anew = false;
    for (old, mut mention, bracket) in ends {
        if let Some(place) = place.get_mut(old) {
            *place = Some(scene.numbers.len());
        }
        let before = &line.text()[line.range.start..mention.range.start];
        let option = options && is_option(before);
        leave_next_line(line.text(), &mut mention);
        leave_shared_unit(grader, before, &mut mention);
        keep_unit_of_key(&line, &mut mention);
        let is = grader.given_with_value(&mention).filter(|given| {
            // A bare digit is a given only where it is called one: `P = 8`, `8 GPUs`.
            let digit = mention.unit.is_none() && mention.noun.is_none() && mention.number.len() == 1;
            (meant::is_measured(&mention) || !meant::is_times(before)) && (!digit || is_given_symbol(grader, before, *given))
        });
        let called = is.is_some_and(|given| is_given_symbol(grader, before, given) && grader.clues.asks_of(left_name(before)).is_empty())
            // What is listed before the first part restates what is given.
            || line.preamble
                && (is.is_some() || before.trim_end().ends_with('=') && grader.clues.given_of(left_name(before)).is_some());
        let hits = is.map(|given| in_other_words(grader, &line, given, &mention)).unwrap_or_default();
        spelled_anew |= !hits.is_empty();
        line.hits.extend(hits);
        let strong = line.source.strong.iter().any(|range| range.start < mention.range.end && mention.range.start < range.end);
        scene.numbers.push(Stated {
            line: at,
            standing: Standing::Free,
            chain: None,
            anchor: mention.range.start,
            spot: line.spot,
            soft: false,
            strong,
            correction: false,
            conclusion: false,
            result: false,
            doubted: false,
            supposed: false,
            alternative_to: None,
            changed_from: None,
            bracket,
            follows: None,
            goes_on: None,
            led_on: false,
            is: is.map(NameId),
            given: is.is_some_and(|given| mention.unit.is_none() || !grader.is_asked_as_well(given, &line.parts)),
            called,
            setting: None,
            past: option || labels.iter().any(|label| label.start <= mention.number.start && mention.number.end <= label.end),
            compared: false,
            yardstick: false,
            shadow: false,
            change: false,
            multiple: false,
            growth: false,
            spoken: spoken(line.text(), &mention),
            corrects: None,
            replaced: false,
            foreign: false,
            withdrawn: mention.withdrawn,
            dead: line.dead || imitations.iter().any(|range| range.contains(&mention.range.start)),
            mention,
        });
    }
    if spelled_anew {
        line.hits.sort_by_key(|hit| hit.range.start);
    }
    line.kinds = Kinds::of(&line.hits);
    line.numbers = first..scene.numbers.len();
    let Recognized { mentions, chains } = read;
    let at_labels = |chain: Chain| between_labels(chain, &labels, line.text(), mentions);
    for mut chain in chains.iter_mut().filter_map(|chain| cut(chain, &line.range)).flat_map(at_labels) {
        for link in &mut chain.links {
            link.mention = link.mention.and_then(|old| place[old]);
        }
        for mut chain in parted(scene, line.text(), first, chain) {
            stand_in_chain(scene, grader, line.text(), &mut chain);
            scene.chains.push(Work { line: at, chain });
        }
    }
    scene.lines.push(line);
}

/// The two ends of a range that brackets what two asks of a part want, by the words before it: `efficiency between 66.4 %
/// and 100 %` is the lower one and the upper one. `None` of any other number.
fn two_ends(grader: &Grader, line: &Line, mention: &Mention) -> Option<[(Mention, [usize; 2]); 2]> {
    // `66 to 67 %` is one value that is not known well.
    let wide =
        |reading: &Reading| reading.high.is_some_and(|high| (high - reading.value).abs() > high.abs() * Number::decimal(WIDE.0, WIDE.1));
    if !mention.readings.iter().all(wide) {
        return None;
    }
    let text = line.text();
    let asks = &grader.drill.asks;
    let wants = |ask: usize| {
        let here = line.parts.iter().any(|part| grader.home[ask].part == Some(*part));
        here && asks[ask].required && matches!(asks[ask].kind, AskKind::Value) && grader.shapes[ask].fit(mention) == Fit::Natural
    };
    let cue = |hit: &Hit| match hit.tag {
        Tag::Cue(ask) if hit.range.end <= mention.range.start && wants(ask) => Some((hit.range.clone(), ask)),
        _ => None,
    };
    let cues: Vec<(Range<usize>, usize)> = line.hits.iter().filter_map(cue).collect();
    let near = |range: &Range<usize>| {
        line.words.sentence_at(range.start) == line.words.sentence_at(mention.range.start)
            && !text[range.end..mention.range.start].contains(|c: char| c.is_ascii_digit())
    };
    let both = cues.iter().filter(|(range, _)| near(range)).find_map(|(range, ask)| {
        let rival = cues.iter().find(|(other, rival)| rival > ask && other == range)?.1;
        Some([*ask, rival])
    });
    let [lower, upper] = both?;
    let number = &text[mention.number.clone()];
    let (at, sign) = [" and ", " to ", " – ", "–", " - ", "-", " bis "].iter().find_map(|sign| Some((number.find(sign)?, sign)))?;
    let middle = mention.number.start + at;
    let mut low = mention.clone();
    let mut high = mention.clone();
    low.range.end = middle;
    low.number.end = middle;
    high.range.start = middle + sign.len();
    high.number.start = middle + sign.len();
    low.unit = None;
    for end in [&mut low, &mut high] {
        end.kind = Kind::Exact;
    }
    for reading in &mut low.readings {
        reading.high = None;
    }
    for reading in &mut high.readings {
        if let Some(high) = reading.high.take() {
            reading.value = high;
        }
    }
    Some([(low, [lower, upper]), (high, [upper, lower])])
}

/// Whether the symbol of a given stands left of an equals sign, or that of another one which counts the same: `P = 256` is
/// the other number of GPUs.
fn is_given_symbol(grader: &Grader, before: &str, given: usize) -> bool {
    let names = &grader.drill.names;
    let counts_the_same = |other: usize| names[other].noun.is_some() && names[other].noun == names[given].noun;
    let called = grader.clues.given_of(left_name(before));
    before.trim_end().ends_with('=') && called.is_some_and(|called| called == given || counts_the_same(called))
}

/// The last word before an equals sign.
fn left_name(before: &str) -> &str {
    let head = before.trim_end().trim_end_matches('=').trim_end();
    head.rsplit(|c: char| c.is_whitespace() || c == ',' || c == '(').next().unwrap_or_default()
}

/// Finds what names each line.
fn name_lines(scene: &mut Scene, grader: &Grader) {
    let mut heading: Option<usize> = None;
    let mut cells: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (at, line) in scene.lines.iter().enumerate() {
        if let Role::Cell { table, row, .. } = line.source.role {
            cells.entry((table, row)).or_default().push(at);
        }
    }
    find_other_rows(scene, &cells);
    let mut tables = tables::read(scene, grader);
    let mut known = tables::Names::default();
    // The entries of a file share the keys above them.
    let mut titles: BTreeMap<&str, Arc<Title>> = BTreeMap::new();
    for at in 0..scene.lines.len() {
        let mut names: Vec<Name> = Vec::new();
        let source = scene.lines[at].source;
        match &source.role {
            Role::Heading(_) => {
                heading = Some(at);
                continue;
            }
            Role::Cell { .. } => {
                if let Some(said) = tables.remove(&at) {
                    names.extend(said.names);
                    scene.lines[at].barred = said.barred;
                    scene.lines[at].parts.extend(said.part);
                    scene.lines[at].outnamed = said.outnamed;
                    let numbers = scene.lines[at].numbers.clone();
                    for number in &mut scene.numbers[numbers] {
                        number.called |= said.labels;
                        if said.divides {
                            invert(&mut number.mention);
                        }
                    }
                }
            }
            Role::Entry(keys) => {
                for (depth, key) in keys.iter().rev().enumerate() {
                    let title = Arc::clone(titles.entry(key.as_str()).or_insert_with(|| Arc::new(title_of_key(grader, key))));
                    names.push(Name { title, column: depth == 0, weight: KEY / (1.0 + depth as f32) });
                }
            }
            Role::Math | Role::Item { .. } | Role::Output | Role::Code(_) | Role::Paragraph => {
                if let Some(before) = at.checked_sub(1)
                    && leads_in(&scene.lines[before], &scene.lines[at])
                {
                    names.extend(name(scene, grader, before, LEAD_IN));
                }
            }
        }
        if let Some(heading) = heading
            && scene.lines[heading].parts == scene.lines[at].parts
        {
            names.extend(known.of(scene, grader, heading, HEADING));
        }
        scene.lines[at].names = names;
    }
}

/// What a key says of its value.
fn title_of_key(grader: &Grader, key: &str) -> Title {
    let text = key.replace(['_', '-', '.'], " ");
    let hits = grader.clues.find(&text, &Words::of(&text));
    Title { text: key.to_owned(), hits, asks: tables::asks_named(grader, key), givens: Vec::new(), place: None }
}

/// Finds the rows that are about none of the items of their part, in tables of which other rows are: `50 MB` beside `1 MiB` and
/// `25 MB`.
fn find_other_rows(scene: &mut Scene, cells: &BTreeMap<(usize, usize), Vec<usize>>) {
    let of_item = |scene: &Scene, lines: &[usize]| lines.iter().any(|line| scene.lines[*line].spot.item.is_some());
    let itemized: BTreeSet<usize> = cells.iter().filter(|(_, lines)| of_item(scene, lines)).map(|((table, _), _)| *table).collect();
    for ((table, _), lines) in cells {
        let named = lines.iter().any(|line| matches!(scene.lines[*line].source.role, Role::Cell { column: 0, header: false, .. }));
        if named && lines.len() > 2 && itemized.contains(table) && !of_item(scene, lines) {
            for line in lines {
                scene.lines[*line].other_row = true;
            }
        }
    }
}

/// Takes a number for what it divides by.
fn invert(mention: &mut Mention) {
    for reading in mention.readings.iter_mut().filter(|reading| !reading.value.is_zero() && reading.high.is_none()) {
        let inverse = Number::ONE / reading.value;
        reading.written.last_place = reading.written.last_place * inverse * inverse;
        reading.value = inverse;
    }
}

/// Whether a line ends in a way that leads to the next.
fn leads_in(line: &Line, next: &Line) -> bool {
    let text = line.text()[line.range.clone()].trim_end();
    line.parts == next.parts
        && !line.dead
        && matches!(line.source.role, Role::Paragraph | Role::Item { .. })
        && text.len() < 200
        && text.ends_with([':', '=', ','])
}
