//! Names and values in two lists: `latency, bandwidth and total are 1.24, 201.5 and 202.7 ms`, `10.2 ms and 8x are the
//! latency and the batch`, a table's cell with three values beside a name with three parts.

use std::ops::Range;

use crate::grade::clues::{Hit, Tag};
use crate::grade::scene::{Line, Scene, Standing};
use crate::phrase::Words;

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
/// Words that may stand between the members of a list.
const JOINTS: &[&str] =
    &["and", "the", "a", "an", "as", "of", "is", "are", "were", "be", "then", "or", "time", "term", "size", "=", "≈", "~", "about"];

/// Finds the lists of an answer.
pub(super) fn pairs(scene: &Scene) -> Vec<Pair> {
    let mut found = Vec::new();
    for line in &scene.lines {
        in_line(scene, line, &mut found);
        for name in &line.names {
            let names = runs(&tokens(&Words::of(&name.text), 0..name.text.len(), &clusters(&name.hits), &[]));
            let numbers: Vec<usize> = line.numbers.clone().filter(|number| scene.numbers[*number].standing != Standing::Operand).collect();
            if let [(Run::Names(names), _)] = names.as_slice()
                && names.len() == numbers.len()
            {
                pair(names, &numbers, &mut found);
            }
        }
    }
    found
}

fn in_line(scene: &Scene, line: &Line, found: &mut Vec<Pair>) {
    for sentence in line.words.sentences() {
        if sentence.end <= line.range.start || line.range.end <= sentence.start {
            continue;
        }
        let numbers: Vec<(usize, Range<usize>)> = line
            .numbers
            .clone()
            .map(|at| (at, &scene.numbers[at]))
            .filter(|(_, number)| sentence.start <= number.mention.range.start && number.mention.range.end <= sentence.end)
            .filter(|(_, number)| number.standing != Standing::Operand)
            .map(|(at, number)| (at, number.mention.range.clone()))
            .collect();
        if numbers.len() < 2 {
            continue;
        }
        let hits: Vec<Hit> =
            line.hits.iter().filter(|hit| sentence.start <= hit.range.start && hit.range.end <= sentence.end).cloned().collect();
        let runs = runs(&tokens(&line.words, sentence.clone(), &clusters(&hits), &numbers));
        for two in runs.windows(2) {
            match two {
                [(Run::Names(names), one), (Run::Numbers(numbers), other)] | [(Run::Numbers(numbers), one), (Run::Names(names), other)]
                    if names.len() == numbers.len() && other.start - one.end <= FARTHEST =>
                {
                    pair(names, numbers, found);
                }
                _ => {}
            }
        }
    }
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

enum Token<'a> {
    Name(&'a [usize]),
    Number(usize),
    Other,
}

/// Two or more names, or two or more numbers, side by side.
enum Run {
    Names(Vec<Vec<usize>>),
    Numbers(Vec<usize>),
}

/// What stands in a stretch of text, joints left out.
fn tokens<'a>(
    words: &Words,
    stretch: Range<usize>,
    names: &'a [(Range<usize>, Vec<usize>)],
    numbers: &[(usize, Range<usize>)],
) -> Vec<Token<'a>> {
    let mut tokens: Vec<Token> = Vec::new();
    let (mut next_name, mut next_number) = (0, 0);
    for word in words.list().iter().filter(|word| stretch.start <= word.range.start && word.range.end <= stretch.end) {
        while numbers.get(next_number).is_some_and(|(_, range)| range.end <= word.range.start) {
            next_number += 1;
        }
        if let Some((number, range)) = numbers.get(next_number)
            && word.range.start < range.end
            && range.start < word.range.end
        {
            if !matches!(tokens.last(), Some(Token::Number(last)) if last == number) {
                tokens.push(Token::Number(*number));
            }
            continue;
        }
        while names.get(next_name).is_some_and(|(range, _)| range.end <= word.range.start) {
            next_name += 1;
        }
        if let Some((range, asks)) = names.get(next_name)
            && range.start <= word.range.start
        {
            if range.start == word.range.start {
                tokens.push(Token::Name(asks));
            }
            continue;
        }
        if !JOINTS.contains(&word.plain.as_str()) {
            tokens.push(Token::Other);
        }
    }
    tokens
}

/// The runs of two and more, each with its tokens.
fn runs(tokens: &[Token]) -> Vec<(Run, Range<usize>)> {
    let mut runs = Vec::new();
    let mut names: Vec<Vec<usize>> = Vec::new();
    let mut numbers: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().chain([&Token::Other]).enumerate() {
        if !matches!(token, Token::Name(_)) {
            let run = std::mem::take(&mut names);
            if run.len() > 1 {
                runs.push((Run::Names(run.clone()), at - run.len()..at));
            }
        }
        if !matches!(token, Token::Number(_)) {
            let run = std::mem::take(&mut numbers);
            if run.len() > 1 {
                runs.push((Run::Numbers(run.clone()), at - run.len()..at));
            }
        }
        match token {
            Token::Name(asks) => names.push(asks.to_vec()),
            Token::Number(number) => numbers.push(*number),
            Token::Other => {}
        }
    }
    runs
}
