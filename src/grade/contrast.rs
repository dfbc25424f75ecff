//! What the words right beside a number set it against: what something else is held against (`fits under 267 ms`), by how much
//! something differs (`7 % slower`), what was before (`instead of 20.8 GB`), and of what a share is taken (`35 % of 617 ms`).
//! Such a number is about the answer and hardly the answer itself.

use std::ops::Range;
use std::sync::LazyLock;

use crate::grade::Grader;
use crate::grade::align::agree;
use crate::grade::clues::{Hit, Sign, Tag};
use crate::grade::scene::{Depth, Line, Number, Scene, Spoken, Standing};
use crate::phrase::{Marks, Word};
use crate::quantity::Number as Value;

/// Words behind a quantity by which it is the size of a difference.
const DIFFERS: &[&str] = &[
    "more",
    "less",
    "fewer",
    "slower",
    "faster",
    "quicker",
    "longer",
    "shorter",
    "higher",
    "lower",
    "larger",
    "bigger",
    "smaller",
    "greater",
    "worse",
    "better",
    "cheaper",
    "dearer",
    "costlier",
    "earlier",
    "later",
    "saved",
    "spare",
    "mehr",
    "weniger",
    "langsamer",
    "schneller",
    "länger",
    "kürzer",
    "höher",
    "niedriger",
    "größer",
    "kleiner",
    "teurer",
    "billiger",
    "besser",
    "schlechter",
];

/// Words between a word that sets something against a number and that number.
const ARTICLES: &[&str] = &[
    "the", "a", "an", "our", "my", "your", "its", "their", "those", "these", "that", "full", "whole", "about", "around", "roughly", "some",
    "original", "old", "der", "die", "das", "den", "dem",
];

/// Words right before a number that hold something against it.
const AGAINST: &[&str] = &[
    "against",
    "under",
    "below",
    "beneath",
    "within",
    "inside",
    "beyond",
    "above",
    "exceed",
    "exceeds",
    "exceeding",
    "beside",
    "besides",
    "gegen",
    "unter",
    "über",
    "innerhalb",
];

/// Words that hold something against what follows a small word behind them: `fits into`, `compared to`, `a deadline of`.
const HELD: &[&str] = &[
    "fit",
    "fits",
    "fitting",
    "squeeze",
    "squeezed",
    "hidden",
    "hide",
    "hides",
    "compared",
    "relative",
    "next",
    "limit",
    "budget",
    "window",
    "deadline",
    "threshold",
    "cap",
    "maximum",
    "allowance",
    "passt",
    "passen",
    "verglichen",
    "vergleich",
    "grenze",
    "fenster",
    "schwelle",
];

/// All these, looked up at once.
static BESIDE: LazyLock<Marks> = LazyLock::new(|| Marks::of(&[DIFFERS, ARTICLES, AGAINST, HELD]));
const DIFFERS_BIT: u64 = 1;
const ARTICLE_BIT: u64 = 1 << 1;
const AGAINST_BIT: u64 = 1 << 2;
const HELD_BIT: u64 = 1 << 3;

/// So many words before a number are looked at.
const NEAREST: usize = 6;
/// So many of them, behind any articles, say what is set against it.
const TELLING: usize = 3;

/// How a number stands against something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Contrast {
    /// Something else is held against it.
    pub(super) yardstick: bool,
    /// It is how much something differs.
    pub(super) difference: bool,
    /// It is what something else replaced.
    pub(super) replaced: bool,
}

/// What the words of its sentence set a number against.
pub(super) fn of(scene: &Scene, at: usize, sentence: &Range<usize>) -> Contrast {
    let number = &scene.numbers[at];
    if number.standing == Standing::Operand {
        return Contrast::default();
    }
    let line = &scene.lines[number.line];
    // `under: 267 ms` says what is under something.
    let tied = !line.text()[sentence.start.min(number.anchor)..number.anchor].trim_end().ends_with([':', '=', ',', ';', '(', '.']);
    // What leads to a value by work stands between it and the words before.
    let words = if tied || number.spoken == Spoken::Part { line.words.within(&(sentence.start..number.anchor)) } else { &[] };
    let bears = |place: usize, bit: u64| {
        let word = words.len().checked_sub(place + 1).map(|at| &words[at]);
        word.is_some_and(|word| BESIDE.on_word(word) & bit != 0)
    };
    let reach = if tied { words.len().min(NEAREST) } else { 0 };
    let skipped = (0..reach).find(|place| !bears(*place, ARTICLE_BIT)).filter(|skipped| *skipped <= 3).unwrap_or(reach);
    let mut nearest = [""; TELLING];
    for (place, word) in nearest.iter_mut().zip(words.iter().rev().take(reach).skip(skipped)) {
        *place = line.words.plain(word);
    }
    let near = &nearest[..TELLING.min(reach - skipped)];
    let before = || words.last().map(|word| line.words.plain(word));
    Contrast {
        yardstick: is_yardstick(near, |place, bit| bears(skipped + place, bit)) || is_base_of_share(scene, at),
        difference: is_difference(line, number),
        replaced: is_replaced(near) || turns_into(scene, at) || number.spoken == Spoken::Part && before().is_some_and(is_one_of_two),
    }
}

/// Whether words, from the number backwards, hold something against it; of each it is known which lists it is in.
fn is_yardstick(near: &[&str], bears: impl Fn(usize, u64) -> bool) -> bool {
    match near {
        ["to", "spare" | "up", ..] => false,
        [_, ..] if bears(0, AGAINST_BIT) => true,
        ["in" | "into" | "on" | "onto" | "auf" | "under" | "to" | "of" | "with" | "inside" | "behind" | "von" | "mit" | "zu", _, ..] => {
            bears(1, HELD_BIT)
        }
        _ => false,
    }
}

/// Whether words, from the number backwards, say that something else stands in its place: `instead of`, `down from`.
fn is_replaced(near: &[&str]) -> bool {
    matches!(
        near,
        ["of", "instead", ..]
            | ["than", "rather", ..]
            | ["of", "place", "in", ..]
            | ["from", "down" | "up" | "reduced" | "starting", ..]
            | ["statt" | "anstatt" | "anstelle", ..]
            | ["von", "anstelle", ..]
    )
}

/// Whether the word before one for a part names one of two parts and says nothing about their size: `the second half of the
/// all-reduce`.
fn is_one_of_two(before: &str) -> bool {
    const WHICH: [&str; 14] =
        ["first", "second", "other", "each", "either", "every", "last", "latter", "former", "both", "erste", "zweite", "andere", "jede"];
    WHICH.contains(&before)
}

/// Whether an arrow leads from a number to another value of its kind: `memory 20.8 GB -> 3.17 GB`, `50.7 % → 12.7 %`.
fn turns_into(scene: &Scene, at: usize) -> bool {
    let number = &scene.numbers[at];
    let Some(next) = scene.numbers.get(at + 1).filter(|next| next.line == number.line) else { return false };
    let text = scene.lines[number.line].text();
    let gap = text.get(number.mention.range.end..next.mention.range.start).map(|gap| gap.trim_matches([' ', '~', '≈', '*']));
    // Nearly no number is followed by an arrow.
    if !matches!(gap, Some("->" | "→" | "⟶")) {
        return false;
    }
    let unit = |number: &Number| {
        number
            .mention
            .readings
            .first()
            .and_then(|reading| reading.unit.as_ref())
            .map(|unit| (unit.dimension, unit.dimension.is_none().then(|| unit.factor)))
    };
    let alike = match (&number.mention.unit, &next.mention.unit) {
        (Some(_), Some(_)) => unit(number) == unit(next),
        (None, None) => is_moderate_change(number, next),
        _ => false,
    };
    // `lat 1240 us, bw 201.5 ms → 202.7 ms` concludes from both; `1.24 → 10.2 ms, bw 201.5 → 207.2 ms` are two changes.
    let line = &scene.lines[number.line];
    let before = (line.numbers.start..at).next_back().map(|before| &scene.numbers[before]);
    let sentence = |number: &Number| line.words.sentence_at(number.anchor);
    let adds_up = before.is_some_and(|before| {
        let target = text[line.range.start..before.mention.range.start].trim_end().ends_with(['→', '>']);
        unit(before) == unit(number) && sentence(before) == sentence(number) && !target
    });
    alike && !adds_up && !agree(&number.mention, &next.mention)
}

/// Whether of two bare numbers the first may be what the second was before: the size in bytes is no earlier size in MiB.
fn is_moderate_change(number: &Number, next: &Number) -> bool {
    let free = |number: &Number| number.standing == Standing::Free && number.mention.noun.is_none();
    let value = |number: &Number| number.mention.readings.first().map(|reading| reading.value.to_f64());
    let ratio = value(number).zip(value(next)).map_or(0.0, |(before, after)| after / before);
    free(number) && free(next) && (0.01..=100.0).contains(&ratio)
}

/// What a value was before the change that the words beside it tell of: the 256 of `256 → 2048`, `2048 instead of 256`, `from 256
/// to 2048`.
pub(super) fn changed_from(scene: &Scene, at: usize) -> Option<Value> {
    const TO: [&str; 11] = ["->", "→", "⟶", "becomes", ") becomes", "grows to", "goes to", "rises to", ") to", "auf", "wird zu"];
    /// None of these is longer.
    const LONGEST: usize = 12;
    const FOR: [&str; 10] = ["instead of", "rather than", "and not", "not", "(was", "(before:", "(before", "statt", "anstatt", "(vorher"];
    let number = &scene.numbers[at];
    let line = &scene.lines[number.line];
    let text = line.text();
    let neighbor = |other: usize| line.numbers.contains(&other).then(|| &scene.numbers[other]);
    let between = |one: &Number, other: &Number| {
        let gap = text.get(one.mention.range.end..other.mention.range.start)?.trim_matches([' ', '~', '≈', '*', ',']);
        Some(gap.strip_suffix(" about").unwrap_or(gap)).filter(|gap| gap.len() <= LONGEST)
    };
    let among = |gap: &str, links: &[&str]| links.iter().any(|link| gap.eq_ignore_ascii_case(link));
    let value = |number: &Number| number.mention.readings.first().map(|reading| reading.value);
    let alike = |other: &Number| unit_of(other) == unit_of(number);
    let before = at.checked_sub(1).and_then(neighbor).filter(|before| {
        let from = || {
            let lead = text[line.range.start..before.mention.range.start].trim_end();
            lead.len().checked_sub(4).and_then(|at| lead.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case("from"))
        };
        alike(before) && between(before, number).is_some_and(|gap| among(gap, &TO) || gap.eq_ignore_ascii_case("to") && from())
    });
    let behind = || neighbor(at + 1).filter(|behind| alike(behind) && between(number, behind).is_some_and(|gap| among(gap, &FOR)));
    before.or_else(behind).and_then(value)
}

/// The unit of a number, as the table spells it.
fn unit_of(number: &Number) -> Option<&str> {
    number.mention.readings.first().and_then(|reading| reading.unit.as_ref()).map(|unit| unit.symbol.as_str())
}

/// Whether a sign before a number or a word behind it makes it the size of a difference: `+7 %`, `9 ms longer`.
fn is_difference(line: &Line, number: &Number) -> bool {
    let text = line.text();
    let written = &text[number.mention.range.clone()];
    let before = &text[line.range.start..number.mention.range.start];
    let share = number.mention.readings.iter().any(|reading| reading.unit.as_ref().is_some_and(|unit| unit.dimension.is_none()));
    let percent = share && written.contains(['%', '‰']);
    let signed = |text: &str| text.starts_with(['+', '±', '−', '-']);
    let opens = before.is_empty() || before.ends_with([' ', '(', '\n', ',', ':']);
    let by_sign = percent && number.standing == Standing::Free && (signed(written) && opens || before.ends_with('±'));
    // A factor says how much larger something is, and that is what one asks for.
    let measured = number.mention.unit.is_some() && (percent || !share);
    let next = || {
        let words = line.words.within(&(number.mention.range.end..line.range.end));
        words.first().filter(|word| text[number.mention.range.end..word.range.start].trim().is_empty())
    };
    by_sign || measured && next().is_some_and(differs)
}

fn differs(word: &Word) -> bool {
    BESIDE.on_word(word) & DIFFERS_BIT != 0
}

/// Whether the share right before a number is taken of it: `35.2 % of the new step of 617.4 ms`.
fn is_base_of_share(scene: &Scene, at: usize) -> bool {
    let number = &scene.numbers[at];
    let line = &scene.lines[number.line];
    let Some(share) = at.checked_sub(1).filter(|share| line.numbers.contains(share)).map(|share| &scene.numbers[share]) else {
        return false;
    };
    let gap = share.mention.range.end..number.mention.range.start;
    let Some(between) = line.text().get(gap.clone()) else { return false };
    let percent = line.text()[share.mention.range.clone()].contains('%');
    let begin = between.trim_start();
    if !percent || !["of ", "von ", "der ", "des "].iter().any(|of| begin.starts_with(of)) {
        return false;
    }
    let close = line.words.within(&gap).len() <= 6 && !between.contains([',', ';', ':', '=', '(', ')', '.', '\n']);
    let cut = line.breaks_in(gap).any(|found| found.depth >= Depth::Comma);
    close && !cut
}

/// Whether a difference is just what some words ask for: `61.5 % more` is an overhead that is called `more`.
pub(super) fn is_asked_for(line: &Line, number: &Number, is_cue: impl Fn(&Hit) -> bool) -> bool {
    let behind = |word: &Word| word.range.start >= number.mention.range.end;
    let next = line.words.within(&(number.mention.range.end..line.range.end)).first().filter(|word| behind(word));
    next.is_some_and(|word| line.hits_on(&word.range).any(&is_cue))
}

/// Whether a factor compares a value that has grown with another one, and not with what it was: `twenty times larger than the
/// other one`.
pub(super) fn sets_two_apart(grader: &Grader, line: &Line, number: &Number, ask: usize) -> bool {
    let Some((new, old)) = grader.anatomy.quotient(ask).filter(|(new, old)| grader.home[*new].part != grader.home[*old].part) else {
        return false;
    };
    let Some(with) = compared_with(line, number) else { return false };
    let cue = |ask: usize| line.hits_on(&with).any(|hit| hit.tag == Tag::Cue(ask));
    let itself = cue(new) || cue(old);
    let another = (0..grader.home.len()).any(|other| {
        let beside = grader.home[other].part == grader.home[new].part && grader.shapes[other].is_measured();
        beside && other != new && cue(other)
    });
    // `longer than the latency` is said of something else, unless it is the latency that it was.
    let earlier = line.sign_in(Sign::Past, with.clone()) || line.text()[with.clone()].contains(|c: char| c.is_ascii_digit());
    is_the_other(line, &with) || another && !itself || itself && !earlier
}

/// The words behind a factor with which it compares one thing to another: those behind the `than` of `twenty times larger
/// than the other one`.
fn compared_with(line: &Line, number: &Number) -> Option<Range<usize>> {
    let words = line.words.within(&(number.mention.range.end..line.range.end));
    let than = words.iter().take(3).position(|word| line.words.plain(word) == "than")?;
    let compares = words[..than].iter().any(differs);
    let sentence = line.words.sentence_at(number.anchor);
    // `larger than before, the second 1.03 times` goes on with another thing behind the comma.
    let from = words[than].range.end;
    let cut = |word: &Word| line.breaks_in(from..word.range.start).any(|found| found.depth >= Depth::Comma);
    let behind: Vec<&Word> = words[than + 1..].iter().take(5).take_while(|word| word.sentence == sentence && !cut(word)).collect();
    let (first, last) = (behind.first()?, behind.last()?);
    compares.then_some(first.range.start..last.range.end)
}

/// Whether words call the other one of two things: `the other one`, `the second`.
fn is_the_other(line: &Line, range: &Range<usize>) -> bool {
    const OTHERS: [&str; 8] = ["other", "others", "second", "former", "latter", "first", "andere", "anderen"];
    line.words.within(range).iter().take(3).any(|word| OTHERS.contains(&line.words.plain(word)))
}
