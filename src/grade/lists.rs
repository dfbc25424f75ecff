//! Names and values in two lists: `latency, bandwidth and total are 1.24, 201.5 and 202.7 ms`, `10.2 ms and 8x are the
//! latency and the batch`, a table's cell with three values beside a name with three parts.

use std::ops::Range;

use crate::grade::Grader;
use crate::grade::clues::{Hit, Tag};
use crate::grade::evidence::Fit;
use crate::grade::scene::{Line, Scene, Spot, Standing};
use crate::grade::stage::pointers;
use crate::phrase::Word;

/// A number that stands in a list in the place at which the names of some asks stand in another.
#[derive(Debug)]
pub(super) struct Pair {
    /// The number, as a place in the scene.
    pub(super) number: usize,
    /// The asks that its own name may mean.
    pub(super) own: Vec<usize>,
    /// The asks that the names of its neighbors mean.
    pub(super) others: Vec<usize>,
}

/// So many other words may stand between the two lists.
const FARTHEST: usize = 4;
/// Words that may stand beside a comma or an `and` between the members of a list.
const JOINTS: &[&str] = &["and", "the", "a", "an", "as", "of", "is", "are", "were", "be", "then", "or", "time", "term", "size", "about"];

/// Finds the lists of an answer.
pub(super) fn pairs(scene: &Scene, grader: &Grader) -> Vec<Pair> {
    let mut found = Vec::new();
    for (number, [own, other]) in scene.numbers.iter().enumerate().filter_map(|(at, number)| Some((at, number.bracket?))) {
        found.push(Pair { number, own: vec![own], others: vec![other] });
    }
    for line in scene.lines.iter().filter(|line| line.numbers.len() > 1) {
        let numbers: Vec<(Range<usize>, usize)> = line
            .numbers
            .clone()
            .filter(|number| scene.numbers[*number].standing != Standing::Operand)
            .map(|number| (scene.numbers[number].mention.range.clone(), number))
            .collect();
        if numbers.len() < 2 {
            continue;
        }
        against(scene, grader, line, &mut found);
        let values = lists(line.text(), &numbers);
        if values.is_empty() {
            continue;
        }
        found.extend(values.iter().flat_map(|(numbers, _)| by_item(scene, grader, line, numbers)));
        for (names, at) in lists(line.text(), &clusters(&line.hits)) {
            for (numbers, there) in &values {
                if names.len() == numbers.len() && are_close(line, &at, there) {
                    pair(&names, numbers, &mut found);
                }
            }
        }
        for name in &line.names {
            let names = lists(&name.text, &clusters(&name.hits));
            if let ([(names, _)], [(numbers, _)]) = (names.as_slice(), values.as_slice())
                && names.len() == numbers.len()
            {
                pair(names, numbers, &mut found);
            }
        }
    }
    found
}

/// Two values set against each other behind what is said of two things, in the order of these: `bandwidth is 162 times latency:
/// 201.5 ms against 1.24 ms`.
fn against(scene: &Scene, grader: &Grader, line: &Line, found: &mut Vec<Pair>) {
    const AGAINST: [&str; 8] = ["against", "versus", "vs", "vs.", "compared to", "compared with", "as opposed to", "gegen"];
    for first in line.numbers.clone().filter(|first| line.numbers.contains(&(first + 1))) {
        let [one, other] = [first, first + 1].map(|number| &scene.numbers[number]);
        let stand = [one, other].iter().all(|number| number.standing != Standing::Operand && number.mention.unit.is_some());
        let gap = line.text().get(one.mention.range.end..other.mention.range.start).unwrap_or_default();
        let lead = line.text()[line.range.start..one.mention.range.start].trim_end().trim_end_matches(['*', '_', ' ']);
        if !stand || !AGAINST.contains(&gap.trim()) || !lead.ends_with([':', '(', ',', '—', '–']) {
            continue;
        }
        let asked = |ask: usize| grader.in_part(line, ask);
        let Some(things) = pointers::two_things(&line.words, &line.range, &line.hits, one.anchor, &asked) else { continue };
        let sentence = |at: usize| line.words.sentence_at(at);
        // In `latency is dwarfed by bandwidth` the order of the names says little.
        let between = line.words.within(&(things[0].end..things[1].start.max(things[0].end)));
        let turned = between.iter().any(|word| matches!(line.words.plain(word), "by" | "von" | "durch"));
        if turned || sentence(things[0].start) != sentence(one.anchor) {
            continue;
        }
        let named = |thing: &Range<usize>| {
            let inside = |hit: &&Hit| thing.start <= hit.range.start && hit.range.end <= thing.end;
            let mut asks: Vec<usize> = Vec::new();
            for hit in line.hits.iter().filter(inside) {
                match hit.tag {
                    Tag::Cue(ask) if !asks.contains(&ask) => asks.push(ask),
                    _ => {}
                }
            }
            asks
        };
        pair(&things.map(|thing| named(&thing)), &[first, first + 1], found);
    }
}

/// As many values in a row as their part has items, in a line about no item of its own: each item's only demanded value, in
/// the order of the items. `12.7 %, 50.7 % and 3.86 % after fix 1, 2 and 3`
fn by_item(scene: &Scene, grader: &Grader, line: &Line, numbers: &[usize]) -> Vec<Pair> {
    let drill = grader.drill;
    let part = scene.numbers[numbers[0]].spot.part.filter(|part| line.parts.contains(part));
    let Some(part) = part.map(|part| &drill.parts[part]).filter(|part| part.items.len() == numbers.len()) else { return Vec::new() };
    let itemized = numbers.iter().any(|number| scene.numbers[*number].spot.item.is_some() && !scene.numbers[*number].soft);
    let asks: Vec<Vec<usize>> =
        part.items.iter().map(|item| item.asks.iter().copied().filter(|ask| drill.asks[*ask].required).collect()).collect();
    let fits = asks
        .iter()
        .zip(numbers)
        .all(|(asks, number)| matches!(asks.as_slice(), [ask] if grader.shapes[*ask].fit(&scene.numbers[*number].mention) == Fit::Natural));
    let mut found = Vec::new();
    if fits && !itemized {
        pair(&asks, numbers, &mut found);
    }
    found
}

/// Results in bold that begin a part, without words between them, in the order in which the part asks for them: `**10.2 ms,
/// 207.2 ms, 8x.** That is latency, bandwidth and batch.`
pub(super) fn headlines(scene: &Scene, grader: &Grader) -> Vec<Pair> {
    let mut found = Vec::new();
    let mut seen: Vec<Spot> = Vec::new();
    for line in scene.lines.iter().filter(|line| line.firm && line.spot.part.is_some() && !line.dead) {
        if seen.contains(&line.spot) {
            continue;
        }
        seen.push(line.spot);
        let begins = line.range.end - line.text()[line.range.clone()].trim_start().len();
        let Some(bold) = line.source.strong.iter().find(|bold| bold.start <= begins && begins < bold.end) else { continue };
        let inside = |number: &usize| {
            let range = &scene.numbers[*number].mention.range;
            begins <= range.start && range.end <= bold.end
        };
        let numbers: Vec<usize> = line.numbers.clone().filter(inside).collect();
        let free = numbers.iter().all(|number| scene.numbers[*number].standing == Standing::Free);
        if free && is_wordless(scene, line, &numbers, begins..bold.end) {
            let pairs = by_question(scene, grader, line.spot, &numbers);
            let asks: Vec<Vec<usize>> = pairs.iter().map(|(_, ask)| vec![*ask]).collect();
            let numbers: Vec<usize> = pairs.iter().map(|(number, _)| *number).collect();
            pair(&asks, &numbers, &mut found);
        }
    }
    found
}

/// In a line of nothing but values, one of a kind that its part demands only once: the `8x` of `(g) 10.2 ms; 207.2 ms; 8x`.
pub(super) fn of_a_kind(scene: &Scene, grader: &Grader) -> Vec<Pair> {
    let mut found = Vec::new();
    for line in scene.lines.iter().filter(|line| line.firm && line.spot.part.is_some() && !line.dead && line.numbers.len() > 1) {
        let numbers: Vec<usize> = line.numbers.clone().collect();
        let free = numbers.iter().all(|number| scene.numbers[*number].standing == Standing::Free);
        if !free || numbers.len() > MOST_IN_A_LINE || !is_wordless(scene, line, &numbers, line.range.clone()) {
            continue;
        }
        let natural = |ask: usize, number: usize| grader.shapes[ask].fit(&scene.numbers[number].mention) == Fit::Natural;
        let part = &grader.drill.parts[line.spot.part.expect("the line has a part")].id;
        let here = |ask: &usize| grader.drill.asks[*ask].part == *part && !grader.in_another_item(line.spot, *ask);
        let (demanded, others): (Vec<usize>, Vec<usize>) =
            (0..grader.drill.asks.len()).filter(here).partition(|ask| grader.drill.asks[*ask].required);
        for ask in demanded.iter().copied() {
            let fitting: Vec<usize> = numbers.iter().copied().filter(|number| natural(ask, *number)).collect();
            if let [number] = fitting.as_slice()
                && demanded.iter().all(|other| *other == ask || !natural(*other, *number))
            {
                found.push(Pair { number: *number, own: vec![ask], others: others.clone() });
            }
        }
    }
    found
}

/// A line with more numbers is no list of answers.
const MOST_IN_A_LINE: usize = 16;

/// Whether a stretch of a line holds no words but those of some numbers.
fn is_wordless(scene: &Scene, line: &Line, numbers: &[usize], stretch: Range<usize>) -> bool {
    let in_number = |word: &Word| {
        numbers.iter().any(|number| {
            let range = &scene.numbers[*number].mention.range;
            range.start <= word.range.start && word.range.end <= range.end
        })
    };
    line.words.within(&stretch).iter().filter(|word| word.is_word()).all(in_number)
}

/// Numbers with the demanded asks of their place, in the order of both, where there are as many numbers of each kind as are
/// asked for; else nothing.
pub(super) fn by_question(scene: &Scene, grader: &Grader, spot: Spot, numbers: &[usize]) -> Vec<(usize, usize)> {
    if spot.part.is_none() {
        return Vec::new();
    }
    let asks = &grader.drill.asks;
    let mut open: Vec<usize> = (0..asks.len()).filter(|ask| asks[*ask].required && grader.home[*ask] == spot).collect();
    let natural = |ask: usize, number: usize| grader.shapes[ask].fit(&scene.numbers[number].mention) == Fit::Natural;
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        let fitting: Vec<usize> = open.iter().copied().filter(|ask| natural(*ask, *number)).collect();
        let waiting = numbers.iter().filter(|other| !pairs.iter().any(|(known, _)| known == *other));
        let alike = waiting.filter(|other| fitting.iter().any(|ask| natural(*ask, **other))).count();
        let Some(ask) = fitting.first().copied().filter(|_| alike == fitting.len()) else { return Vec::new() };
        open.retain(|other| *other != ask);
        pairs.push((*number, ask));
    }
    pairs
}

/// Whether two lists stand in one sentence, with few words between them.
fn are_close(line: &Line, one: &Range<usize>, other: &Range<usize>) -> bool {
    let gap = one.end.min(other.end)..one.start.max(other.start);
    if gap.start > gap.end {
        return false;
    }
    let links = ["is", "are", "were", "was", "for", "as", "of", "respectively", "being", "equal", "equals"];
    let text = &line.text()[gap.clone()];
    let linked = text.contains(['=', ':', '→', '(', '≈']) || text.split(|c: char| !c.is_alphabetic()).any(|word| links.contains(&word));
    linked && line.words.sentence_at(one.start) == line.words.sentence_at(other.start) && line.words.within(&gap).len() <= FARTHEST
}

fn pair(names: &[Vec<usize>], numbers: &[usize], found: &mut Vec<Pair>) {
    for (place, number) in numbers.iter().enumerate() {
        let own = names[place].clone();
        let others = names.iter().enumerate().filter(|(other, _)| *other != place).flat_map(|(_, asks)| asks.iter().copied());
        let others = others.filter(|ask| !own.contains(ask)).collect();
        found.push(Pair { number: *number, own, others });
    }
}

/// Cues that overlap name one thing.
fn clusters(hits: &[Hit]) -> Vec<(Range<usize>, Vec<usize>)> {
    let mut clusters: Vec<(Range<usize>, Vec<usize>)> = Vec::new();
    for hit in hits {
        let Tag::Cue(ask) = hit.tag else { continue };
        match clusters.last_mut() {
            Some((range, asks)) if hit.range.start < range.end => {
                range.end = range.end.max(hit.range.end);
                if !asks.contains(&ask) {
                    asks.push(ask);
                }
            }
            _ => clusters.push((hit.range.clone(), vec![ask])),
        }
    }
    clusters
}

/// The runs of two and more things that only commas and the like join, each with the bytes it takes.
fn lists<T: Clone>(text: &str, things: &[(Range<usize>, T)]) -> Vec<(Vec<T>, Range<usize>)> {
    let joined = |(one, _): &(Range<usize>, T), (other, _): &(Range<usize>, T)| text.get(one.end..other.start).is_some_and(is_joint);
    let list = |run: &[(Range<usize>, T)]| match run {
        [(first, _), .., (last, _)] => Some((run.iter().map(|(_, thing)| thing.clone()).collect(), first.start..last.end)),
        _ => None,
    };
    things.chunk_by(joined).filter_map(list).collect()
}

/// Whether a text joins the members of a list: a comma, slash or `and`, with small words.
fn is_joint(text: &str) -> bool {
    let words = || text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let small = |word: &str| JOINTS.iter().any(|joint| word.eq_ignore_ascii_case(joint));
    let joins = || text.contains([',', ';', '/', '&']) || words().any(|word| word == "and");
    words().all(small) && joins() && !text.contains(['(', ')', ':', '=', '.', '→'])
}
