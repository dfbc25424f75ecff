//! Chains of equalities in the lines of an answer: what of them stands where, and how their numbers stand in them.

use std::ops::Range;

use smallvec::{SmallVec, smallvec};

use crate::formula::{Expr, ExprKind, Operator};
use crate::grade::Grader;
use crate::grade::meant;
use crate::grade::scene::{Number as Stated, Scene, Standing};
use crate::recognize::{self, Chain, Mention};
use crate::text::Span;

/// Takes from a chain what stands in a line: a label before it is no member.
pub(super) fn cut(chain: &mut Chain, range: &Range<usize>) -> Option<Chain> {
    if chain.range.end <= range.start || range.end <= chain.range.start {
        return None;
    }
    let whole = range.start <= chain.range.start && chain.range.end <= range.end;
    // Nothing of it is left for another line.
    let links = if whole { std::mem::take(&mut chain.links) } else { chain.links.clone() };
    let mut chain = Chain { range: chain.range.clone(), links };
    chain.links.retain(|link| range.start < link.range.end && link.range.start < range.end);
    for link in &mut chain.links {
        if let Some(label) = range.start.checked_sub(link.range.start).filter(|label| *label > 0) {
            link.expr = link.expr.take().and_then(|expr| without_label(expr, label));
            link.range.start += label.max(link.expr.as_ref().map_or(0, |expr| expr.span.start));
        }
        link.range.end = link.range.end.min(range.end);
    }
    // What is left of an expression that a label runs through is no work.
    if !whole && chain.links.len() < 2 {
        return None;
    }
    chain.range = chain.links.first()?.range.start..chain.links.last()?.range.end;
    Some(chain)
}

/// Work without the label before it, which was taken for a factor: the `6 · 70e9` of `(d) 6 · 70e9`.
fn without_label(expr: Expr, label: usize) -> Option<Expr> {
    if expr.span.start >= label {
        return Some(expr);
    }
    match expr.kind {
        ExprKind::Binary(Operator::Multiply, left, right) if left.span.end <= label => without_label(*right, label),
        ExprKind::Binary(operator, left, right) => {
            let left = Box::new(without_label(*left, label)?);
            let span = Span::new(left.span.start, expr.span.end);
            Some(Expr { kind: ExprKind::Binary(operator, left, right), span })
        }
        _ => None,
    }
}

/// The chains in a chain that runs on over the labels of items: `203/1600 = 13 % (2) 50.7 % (3) 15.4/400 = 3.9 %` is two.
pub(super) fn between_labels(chain: Chain, labels: &[Range<usize>], text: &str, mentions: &[Mention]) -> SmallVec<[Chain; 1]> {
    let inside: Vec<&Range<usize>> = labels.iter().filter(|label| chain.range.start < label.end && label.start < chain.range.end).collect();
    if inside.is_empty() {
        return smallvec![chain];
    }
    let starts = std::iter::once(chain.range.start).chain(inside.iter().map(|label| label.end));
    let ends = inside.iter().map(|label| label.start).chain(std::iter::once(chain.range.end));
    let piece = |range: Range<usize>| -> Option<Chain> {
        let within = |link: &&recognize::Link| range.start < link.range.end && link.range.start < range.end;
        let links: Vec<recognize::Link> = chain
            .links
            .iter()
            .filter(within)
            .map(|link| {
                let cut = link.range.start.max(range.start)..link.range.end.min(range.end);
                if cut == link.range {
                    return link.clone();
                }
                let member = text[cut.clone()].trim();
                let mention = mentions.iter().position(|mention| {
                    cut.start <= mention.range.start && mention.range.end <= cut.end && text[mention.range.clone()] == *member
                });
                recognize::Link { range: cut, expr: None, mention, approximate: link.approximate }
            })
            .collect();
        (links.len() > 1).then(|| Chain { range: links[0].range.start..links[links.len() - 1].range.end, links })
    };
    starts.zip(ends).filter(|(start, end)| start < end).filter_map(|(start, end)| piece(start..end)).collect()
}

/// The chains in a chain that runs on over words: `latency ≈ 1.24 ms and the bandwidth term ≈ 201.5 ms` is two.
pub(super) fn parted(scene: &Scene, text: &str, first: usize, chain: Chain) -> SmallVec<[Chain; 1]> {
    let leading = |link: &recognize::Link| leading_number(scene, text, first, link);
    let named = |link: &recognize::Link| name_behind_and(scene, text, first, link);
    // Most chains are one.
    if chain.links.iter().all(|link| leading(link).is_none()) && chain.links.first().is_some_and(|link| named(link).is_none()) {
        return smallvec![chain];
    }
    let mut parts: Vec<Vec<recognize::Link>> = vec![Vec::new()];
    for link in chain.links {
        let number = leading(&link);
        if number.is_none()
            && parts.last().is_some_and(Vec::is_empty)
            && let Some(start) = named(&link)
        {
            parts.push(vec![recognize::Link { range: start..link.range.end, expr: None, ..link }]);
            continue;
        }
        let Some(number) = number else {
            parts.last_mut().expect("there is always a part").push(link);
            continue;
        };
        let range = scene.numbers[number].mention.range.clone();
        let rest = recognize::Link { range: range.end..link.range.end, expr: None, mention: None, approximate: false };
        let value = recognize::Link { range, mention: Some(number), ..link };
        parts.last_mut().expect("there is always a part").push(value);
        parts.push(vec![rest]);
    }
    let several = parts.len() > 1;
    let fits = |links: &Vec<recognize::Link>| !links.is_empty() && (!several || links.len() > 1);
    let range = |links: &[recognize::Link]| links[0].range.start..links[links.len() - 1].range.end;
    parts.into_iter().filter(fits).map(|links| Chain { range: range(&links), links }).collect()
}

/// The number that a member of words begins with, so that the chain before it ends there: `1.24 ms and the bandwidth term`.
fn leading_number(scene: &Scene, text: &str, first: usize, link: &recognize::Link) -> Option<usize> {
    let member = &text[link.range.clone()];
    // Nothing is multiplied by an `and`.
    let joined = || member.split_whitespace().any(|word| matches!(word, "and" | "und" | "while" | "whereas"));
    if link.mention.is_some() || link.expr.is_some() && !joined() {
        return None;
    }
    let start = text.len() - text[link.range.start..].trim_start().len();
    let leads = |number: &usize| {
        let range = &scene.numbers[*number].mention.range;
        let behind = || text[range.end.min(link.range.end)..link.range.end].split(|c: char| !c.is_alphabetic());
        start == range.start && behind().filter(|word| word.len() > 1).count() > 1
    };
    (first..scene.numbers.len()).find(leads)
}

/// Where the name begins in `The latency is 1.24 ms and the bandwidth term ≈ 201.5 ms`: only what stands behind the `and` is it.
fn name_behind_and(scene: &Scene, text: &str, first: usize, link: &recognize::Link) -> Option<usize> {
    if link.mention.is_some() {
        return None;
    }
    let inside = |number: &usize| {
        let range = &scene.numbers[*number].mention.range;
        link.range.start < range.start && range.end <= link.range.end
    };
    let behind = |number: usize| {
        let end = scene.numbers[number].mention.range.end;
        let rest = text[end..link.range.end].starts_with([' ', ',']).then_some(&text[end..link.range.end])?;
        ["and ", "und ", "while ", "whereas "].iter().find_map(|word| Some(end + rest.find(word)? + word.len()))
    };
    (first..scene.numbers.len()).rev().filter(inside).find_map(behind)
}

/// Says how the numbers of a chain stand in it: its last plain member is the statement.
pub(super) fn stand_in_chain(scene: &mut Scene, grader: &Grader, text: &str, chain: &mut Chain) {
    let at = scene.chains.len();
    let here = scene.lines.len();
    let first = scene.numbers.iter().rposition(|number| number.line != here).map_or(0, |last| last + 1);
    let within = |range: &Range<usize>, number: &Stated| range.start <= number.mention.range.start && number.mention.range.end <= range.end;
    for link in chain.links.iter_mut().filter(|link| link.mention.is_none()) {
        // `= 1.56 × S*` states a multiple of a symbol.
        let mut inside = (first..scene.numbers.len()).filter(|number| within(&link.range, &scene.numbers[*number]));
        if let (Some(only), None) = (inside.next(), inside.next()) {
            let mention = &scene.numbers[only].mention;
            let multiple = mention.range.start == link.range.start && meant::is_multiple(grader, text[mention.range.end..].trim_start());
            let factor = mention.range.end == link.range.end && meant::is_times(&text[..mention.range.start]);
            // `→ ratio 25.3 %` names the result once more.
            let before = &text[link.range.start..mention.range.start];
            let words = before.is_empty() || before.ends_with(' ');
            let named = mention.range.end == link.range.end && words && before.chars().all(|c| c.is_alphabetic() || c == ' ');
            if multiple || named || factor {
                link.mention = Some(only);
            }
        }
    }
    let listed = listed_at_end(scene, first, text, chain);
    let plain: Vec<usize> = chain.links.iter().filter_map(|link| link.mention).collect();
    // Work starts where the first member stands that is more than a name.
    let is_name = |link: &&recognize::Link| {
        let member = &text[link.range.clone()];
        let digit = member.starts_with(|c: char| c.is_ascii_digit());
        // `5as/h of the first model is ≈ 80`: words, whatever they begin with.
        let prose = link.expr.is_none() && member.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 2).count() > 1;
        link.mention.is_none() && prose
            || link.mention.is_none() && !digit && !scene.numbers[first..].iter().any(|number| within(&link.range, number))
    };
    // `latency term = alpha = 20 us` says of the first name what it is, and not of the second.
    let names_ask = |link: &recognize::Link| is_name(&link) && !grader.clues.asks_of(text[link.range.clone()].trim()).is_empty();
    let states = match (chain.links.as_slice(), plain.as_slice()) {
        ([first, _, ..], [only]) if chain.links.len() > 2 && names_ask(first) => Some(*only),
        _ => None,
    };
    let anchor = chain.links.iter().find(|link| !is_name(link)).map_or(chain.range.start, |link| link.range.start);
    for place in first..scene.numbers.len() {
        let number = &mut scene.numbers[place];
        if !within(&chain.range, number) || listed.contains(&place) {
            continue;
        }
        number.chain = Some(at);
        if states == Some(place) {
            number.called = false;
            number.given = false;
        }
        number.anchor = anchor.min(number.mention.range.start);
        number.standing = match plain.iter().position(|member| *member == place) {
            Some(member) if member + 1 == plain.len() => Standing::End,
            // `2 × 104 ms = 208 ms` was recognized as one quantity, and is work all the same.
            Some(_) if is_product(&text[number.mention.range.clone()]) => Standing::Operand,
            Some(_) => Standing::Member,
            None => Standing::Operand,
        };
    }
}

/// The values that the last member of a chain lists behind its arrow or sign: `accumulation / ZeRO-2 → 12.7 % / 50.7 %`.
fn listed_at_end(scene: &Scene, first: usize, text: &str, chain: &Chain) -> Range<usize> {
    let Some(last) = chain.links.last().filter(|link| link.mention.is_none() && chain.links.len() > 1) else { return 0..0 };
    let inside = |number: &Stated| last.range.start <= number.mention.range.start && number.mention.range.end <= last.range.end;
    let numbers: Vec<usize> = (first..scene.numbers.len()).filter(|number| inside(&scene.numbers[*number])).collect();
    let [begin, .., end] = numbers.as_slice() else { return 0..0 };
    let mention = |number: usize| &scene.numbers[number].mention;
    let slashed = numbers.windows(2).all(|pair| text.get(mention(pair[0]).range.end..mention(pair[1]).range.start) == Some(" / "));
    let whole = mention(*begin).range.start == last.range.start && mention(*end).range.end == last.range.end;
    let measured = numbers.iter().all(|number| mention(*number).unit.is_some());
    if slashed && whole && measured { *begin..*end + 1 } else { 0..0 }
}

/// Whether a quantity is written as a product: `2 × 104 ms`, but not `1.3 × 10⁹`.
fn is_product(text: &str) -> bool {
    let divides = text
        .split_once('/')
        .is_some_and(|(over, under)| over.ends_with(|c: char| c.is_ascii_digit()) && under.starts_with(|c: char| c.is_ascii_digit()));
    if divides {
        return true;
    }
    text.split_once(['×', '·', '*']).is_some_and(|(_, after)| {
        let after = after.trim_start();
        after.starts_with(|c: char| c.is_ascii_digit())
            && !after.starts_with("10^")
            && !after.starts_with("10⁻")
            && !after.starts_with("10⁰")
            && after.trim_start_matches("10").chars().next().is_none_or(|c| c.is_ascii_digit() || c == ' ' || c == '.')
    })
}
