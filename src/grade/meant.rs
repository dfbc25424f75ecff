//! How each number of an answer is meant, by the words beside it: as the result, a guess, a correction, what was before a
//! change, or what is denied.

use std::ops::Range;

use crate::drill::NameId;
use crate::grade::Grader;
use crate::grade::clues::{Sign, Tag};
use crate::grade::contrast::{self, Contrast};
use crate::grade::scene::{Depth, Line, Number, Scene, Standing};
use crate::grade::stance;
use crate::phrase::Word;
use crate::recognize::{Kind, Mention};

/// Reads from the words around each number how it is meant.
pub(super) fn settle_numbers(scene: &mut Scene, grader: &Grader) {
    let measured = measured_digits(scene);
    stance::settle(scene);
    // Of the line of the number before, mostly this one's.
    let mut of_growth: Option<(usize, bool)> = None;
    for at in 0..scene.numbers.len() {
        let number = &scene.numbers[at];
        let line = &scene.lines[number.line];
        let digits = &line.text()[number.mention.number.clone()];
        let shadow =
            number.mention.unit.is_none() && number.mention.noun.is_none() && digits.len() > 1 && measured.binary_search(&digits).is_ok();
        let text = line.text();
        let start = number.mention.range.start;
        let sentence = line.words.sentences().get(line.words.sentence_at(number.anchor)).cloned().unwrap_or(line.range.clone());
        let sentence = sentence.start.max(line.range.start)..sentence.end.min(line.range.end).max(sentence.start);
        let before = text[line.range.start..number.anchor].trim_end();
        let after = text[number.mention.range.end..line.range.end].trim_start_matches([' ', ')', '*', '"']);
        let (spot, soft) = grader.spot_at(line, number.anchor);
        let leads = Leads::to(line, sentence.start, number.anchor);
        let denied = says_no(&text[sentence.start.min(number.anchor)..number.anchor]);
        let correction = number.correction || leads.corrects || denied;
        let tied = number.standing == Standing::End && tied_by_arrow(scene, number);
        let conclusion = leads.concludes || ends_in_arrow(before) || tied;
        let concludes_it = conclusion && is_result(line, number.anchor, number.mention.range.end);
        let last_word = leads.finishes;
        let doubted = line.sign_in(Sign::Doubt, sentence.clone()) || after.starts_with('?');
        let alternative_to = alternative(scene, at, &sentence);
        let follows = if conclusion {
            follows(scene, at, &sentence)
        } else if denied {
            at.checked_sub(1).filter(|before| line.numbers.contains(before) && scene.numbers[*before].standing != Standing::Operand)
        } else {
            None
        };
        // `goes from 1.24 to 10.2 ms` states the second.
        let is_from = |before: &str| ends_in_word(before, "from") || ends_in_word(before, "von");
        let from = is_from(&text[line.range.start..start]);
        let changes = number.mention.kind == Kind::Range && from;
        let rises = number.mention.kind == Kind::AtMost && ends_in(before, &["up to", "down to"]) && follows_change(before);
        let change = number.mention.unit.is_some() && without_about(before).trim_end_matches([' ', '~', '≈']).ends_with(" by");
        // A part of what was said: `1600 ms, of which 1067 ms is backward`.
        let compared = is_compared(before) && !ends_in_arrow(before);
        // What leads to the value may stand between: `from 16N = 20.8 GB to 3.17 GB`.
        let from = from || number.standing == Standing::End && is_from(&text[line.range.start..number.anchor]);
        let leads_on = || {
            let to = after.split_whitespace().next().unwrap_or_default();
            matches!(to, "to" | "up" | "down" | "auf" | "bis") || after.starts_with("→") || after.starts_with("->")
        };
        let past = from && !changes && leads_on();
        let Contrast { yardstick, difference, replaced } = contrast::of(scene, at, &sentence);
        let called = number.mention.unit.is_none() && is_called_factor(before);
        let multiple = is_multiple(grader, text[number.mention.range.end..line.range.end].trim_start_matches([' ', ')', '"']))
            || after_is_times(&text[number.mention.range.end..line.range.end])
            || number.mention.unit.is_none() && after.starts_with("multipliziert")
            || called && !is_beside_operator(text, line, &number.mention)
            || is_times(&text[line.range.start..start]);
        // `100 buckets x 10.2 ms` multiplies, and 10.2 ms is no multiple of anything.
        let multiple = multiple && !is_measured(&number.mention);
        let growth = match of_growth {
            Some((line, growth)) if line == number.line => growth,
            _ => line.is_of_growth(),
        };
        of_growth = Some((number.line, growth));
        let inside_work = number.standing == Standing::Free && !multiple && is_beside_operator(text, line, &number.mention);
        let label = is_label(scene, at) || repeats(scene, at);
        let setting = setting(scene, grader, at, &sentence);
        let changed_from = contrast::changed_from(scene, at);
        let number = &mut scene.numbers[at];
        number.changed_from = changed_from;
        number.setting = setting;
        number.spot = spot;
        number.soft = soft;
        number.correction = correction;
        number.conclusion = conclusion;
        number.result = concludes_it;
        number.strong |= last_word;
        number.doubted = doubted;
        number.alternative_to = alternative_to;
        number.follows = follows;
        number.past |= past || label || replaced;
        number.multiple = multiple;
        number.growth = growth;
        number.change = change || difference;
        // What stands in a column of factors, or is called a factor, is one, whatever given it equals.
        if (growth || called) && number.mention.noun.is_none() {
            number.given = false;
            number.is = None;
        }
        number.compared = compared;
        number.yardstick = yardstick || compared;
        number.shadow = shadow;
        if rises {
            number.mention.kind = Kind::Exact;
        }
        if inside_work {
            number.standing = Standing::Operand;
        }
        if changes {
            number.changed_from = number.mention.readings.first().map(|reading| reading.value);
            for reading in &mut number.mention.readings {
                if let Some(high) = reading.high.take() {
                    reading.value = high;
                }
            }
            number.mention.kind = Kind::Exact;
        }
    }
}

/// What the signs of a sentence make of a number behind them.
#[derive(Clone, Copy, Debug, Default)]
struct Leads {
    corrects: bool,
    concludes: bool,
    finishes: bool,
}

impl Leads {
    /// The signs between the start of a sentence and a place in it; most of them only right before it.
    fn to(line: &Line, start: usize, anchor: usize) -> Leads {
        let mut leads = Leads::default();
        if !line.kinds.has_any(&[Sign::Correction, Sign::Retraction, Sign::Conclusion, Sign::Final]) {
            return leads;
        }
        let reaches = |from: usize, reach: usize| from >= floor(line.text(), anchor.saturating_sub(reach));
        for hit in line.hits_from(start).take_while(|hit| hit.range.start < anchor).filter(|hit| hit.range.end <= anchor) {
            match hit.tag {
                Tag::Sign(Sign::Correction | Sign::Retraction) => leads.corrects = true,
                Tag::Sign(Sign::Conclusion) => leads.concludes |= reaches(hit.range.start, 24),
                Tag::Sign(Sign::Final) => leads.finishes |= reaches(hit.range.start, 32),
                _ => {}
            }
        }
        leads
    }
}

/// Words before a value that add nothing to it: `it is about`.
pub(super) const SMALL: [&str; 25] = [
    "about",
    "around",
    "roughly",
    "approximately",
    "approx",
    "ca",
    "circa",
    "nearly",
    "almost",
    "some",
    "i",
    "we",
    "get",
    "it",
    "is",
    "its",
    "that",
    "the",
    "comes",
    "to",
    "be",
    "should",
    "so",
    "say",
    "answer",
];

/// Whether a conclusion says nothing but the value: `so 1.24 ms`, `which makes a latency of about 1.24 ms in all`. In `so a 24 GB
/// card holds it` and `so 197 ms are left` it says something else.
fn is_result(line: &Line, anchor: usize, end: usize) -> bool {
    const BEFORE: [&str; 19] = [
        "gets", "one", "are", "this", "a", "an", "of", "takes", "again", "in", "all", "just", "must", "wrong", "rather", "actually",
        "then", "correct", "really",
    ];
    const AFTER: [&str; 35] = [
        "in",
        "for",
        "of",
        "per",
        "at",
        "on",
        "to",
        "from",
        "and",
        "or",
        "as",
        "which",
        "that",
        "with",
        "altogether",
        "total",
        "overall",
        "each",
        "every",
        "by",
        "when",
        "if",
        "because",
        "since",
        "instead",
        "again",
        "here",
        "now",
        "only",
        "a",
        "after",
        "before",
        "all",
        "is",
        "so",
    ];
    let sign = line.hits.iter().rev().find(|hit| hit.tag == Tag::Sign(Sign::Conclusion) && hit.range.end <= anchor);
    let start = sign.map_or(anchor, |sign| sign.range.end);
    let named = |word: &Word| {
        let covers = |range: &Range<usize>| range.start <= word.range.start && word.range.end <= range.end;
        line.hits_on(&word.range).any(|hit| matches!(hit.tag, Tag::Cue(_)) && covers(&hit.range))
    };
    let before = line.words.within(&(start..anchor));
    let next = line.words.within(&(end..line.range.end)).first().filter(|word| {
        let gap = line.text().get(end..word.range.start).unwrap_or_default();
        word.is_word() && gap.bytes().all(|byte| byte == b' ')
    });
    let plain = |word: &Word| line.words.plain(word);
    before.iter().all(|word| SMALL.contains(&plain(word)) || BEFORE.contains(&plain(word)) || !word.is_word() || named(word))
        && next.is_none_or(|word| AFTER.contains(&plain(word)))
}

/// Whether a number only says once more what stands right before it: `1.24 ms, that is, 1.24 ms in total`.
fn repeats(scene: &Scene, at: usize) -> bool {
    const LINKS: [&str; 14] = ["which", "that", "this", "is", "ie", "i", "e", "or", "means", "in", "other", "words", "so", "again"];
    let number = &scene.numbers[at];
    let line = &scene.lines[number.line];
    let Some(other) = at.checked_sub(1).filter(|other| line.numbers.contains(other)).map(|other| &scene.numbers[other]) else {
        return false;
    };
    let text = line.text();
    let gap = other.mention.range.end..number.mention.range.start;
    let Some(between) = text.get(gap.clone()) else { return false };
    let same = text[other.mention.range.clone()] == text[number.mention.range.clone()];
    let linked = between.contains([',', '(']) && between.contains(|c: char| c.is_alphabetic());
    let links = || line.words.within(&gap).iter().all(|word| LINKS.contains(&line.words.plain(word)));
    same && linked && other.standing != Standing::Operand && links()
}

/// Whether a digit names an item: `the ratios after fix 1, 2 and 3`.
fn is_label(scene: &Scene, at: usize) -> bool {
    const NAMES: [&str; 11] = ["fix", "fixe", "item", "option", "change", "measure", "intervention", "case", "part", "question", "stage"];
    let digit = |number: &Number| number.mention.unit.is_none() && number.mention.noun.is_none() && number.mention.number.len() == 1;
    let line = &scene.lines[scene.numbers[at].line];
    let text = line.text();
    let mut first = at;
    // Back over `1, 2 and 3`.
    for _ in 0..8 {
        if !digit(&scene.numbers[first]) {
            return false;
        }
        let start = scene.numbers[first].mention.range.start;
        let before = text[line.range.start..start].trim_end();
        let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
        if NAMES.contains(&word.trim_end_matches('s')) {
            return true;
        }
        let joined = word == "and" || word == "or" || before.ends_with([',', '&', '/']);
        let previous = first.checked_sub(1).filter(|previous| joined && line.numbers.contains(previous));
        let Some(previous) = previous.filter(|previous| start - scene.numbers[*previous].mention.range.end <= 6) else { return false };
        first = previous;
    }
    false
}

/// The setting that the sentence of a number speaks of, by a given that another one could stand in for: `at 256 GPUs`,
/// `128 MB with P = 256`.
fn setting(scene: &Scene, grader: &Grader, at: usize, sentence: &Range<usize>) -> Option<NameId> {
    let names = &grader.drill.names;
    let number = &scene.numbers[at];
    let line = &scene.lines[number.line];
    let text = line.text();
    let varies = |given: NameId| {
        let noun = &names[given.0].noun;
        noun.is_some() && names.iter().enumerate().any(|(other, name)| other != given.0 && name.noun == *noun)
    };
    let said = |other: &usize| -> Option<NameId> {
        let other = &scene.numbers[*other];
        let given = other.is.filter(|given| varies(*given))?;
        let inside = sentence.start <= other.mention.range.start && other.mention.range.end <= sentence.end;
        let counts = other.mention.noun.as_ref().is_none_or(|noun| line.hits_on(noun).any(|hit| hit.tag == Tag::Noun(given.0)));
        // What it is compared with is no setting.
        let word = last_word(&text[line.range.start..other.anchor]);
        let sets_against = |word: &str| matches!(word.to_lowercase().as_str(), "from" | "than" | "vs" | "of" | "versus" | "to" | "by");
        // `larger than with 32 GPUs`
        let head = text[line.range.start..other.anchor].trim_end();
        let joins = matches!(word.to_lowercase().as_str(), "with" | "at" | "on" | "for" | "in");
        let compared = sets_against(word) || joins && matches!(last_word(&head[..head.len() - word.len()]), "than" | "als");
        let bare = other.mention.unit.is_none() && other.standing != Standing::Operand;
        (inside && counts && bare && !compared && other.mention.kind != Kind::Range).then_some(given)
    };
    if number.is.is_some_and(varies) {
        return None;
    }
    let before = (line.numbers.start..at)
        .rev()
        .filter(|other| scene.numbers[*other].mention.range.end <= number.anchor)
        .find_map(|other| said(&other));
    let before = before.or_else(|| opening_setting(scene, grader, at, &varies));
    let Some(next) = Some(at + 1).filter(|next| line.numbers.contains(next)) else { return before };
    let close = {
        let gap = number.mention.range.end..scene.numbers[next].anchor.max(number.mention.range.end);
        let words = line.words.within(&gap).len();
        let cut = line.breaks_in(gap).any(|found| found.depth >= Depth::Comma);
        words <= 3 && !cut
    };
    Some(next).filter(|_| close).and_then(|next| said(&next)).or(before)
}

/// Behind more numbers than this nobody remembers what a paragraph opened with.
const MOST_IN_PARAGRAPH: usize = 64;

/// The setting that a paragraph without a label opens with: `What if they give us 256 GPUs? The latency goes up to 10.2 ms.`
fn opening_setting(scene: &Scene, grader: &Grader, at: usize, varies: &dyn Fn(NameId) -> bool) -> Option<NameId> {
    let number = &scene.numbers[at];
    let line = &scene.lines[number.line];
    if line.firm && !line.parts.is_empty() || at - line.numbers.start > MOST_IN_PARAGRAPH {
        return None;
    }
    let opening = line.words.sentence_at(line.range.start);
    let settings = (line.numbers.start..at).filter_map(|other| {
        let other = &scene.numbers[other];
        let counted = other.mention.noun.as_ref().is_some_and(|noun| line.hits_on(noun).any(|hit| matches!(hit.tag, Tag::Noun(_))));
        let given = grader.given_with_value(&other.mention).map(NameId).filter(|given| counted && varies(*given))?;
        Some((line.words.sentence_at(other.anchor), given))
    });
    let settings: Vec<(usize, NameId)> = settings.collect();
    match settings.as_slice() {
        [(sentence, given)] if *sentence == opening => Some(*given),
        _ => None,
    }
}

/// The digits of all numbers that have a unit with a dimension, in order: without it they are that quantity again.
fn measured_digits<'a>(scene: &Scene<'a>) -> Vec<&'a str> {
    let measured = |number: &&Number| {
        let reading = number.mention.readings.first();
        number.mention.unit.is_some() && reading.and_then(|reading| reading.unit.as_ref()).is_some_and(|unit| !unit.dimension.is_none())
    };
    let digits = |number: &Number| &scene.lines[number.line].source.passage.text()[number.mention.number.clone()];
    let mut all: Vec<&str> = scene.numbers.iter().filter(measured).map(digits).collect();
    all.sort_unstable();
    all
}

/// The number before this one to which it is an alternative, as the words between them say.
fn alternative(scene: &Scene, at: usize, sentence: &Range<usize>) -> Option<usize> {
    let number = &scene.numbers[at];
    let line = &scene.lines[number.line];
    if number.standing == Standing::Operand {
        return None;
    }
    // `1.24 ms? Or 1.28 ms?`
    let asks_on = || begins_with_or(line.text().get(sentence.clone()).unwrap_or_default().trim_start());
    let from = |other: &usize| {
        let start = scene.numbers[*other].mention.range.start;
        let asked = || line.text().get(scene.numbers[*other].mention.range.end..).is_some_and(|rest| rest.starts_with('?'));
        start >= sentence.start || asked() && asks_on() && line.words.sentence_at(start) + 1 == line.words.sentence_at(sentence.start)
    };
    let other = (line.numbers.start..at).rev().take_while(from).find(|other| {
        scene.numbers[*other].standing != Standing::Operand && stance::class(&scene.numbers[*other]) == stance::class(number)
    })?;
    let gap = scene.numbers[other].mention.range.end..number.anchor;
    if gap.start > gap.end {
        return None;
    }
    let text = &line.text()[gap.clone()];
    if text.trim() == "/" {
        return Some(other);
    }
    if !line.kinds.has_any(&[Sign::Or]) {
        return None;
    }
    let either = line.sign_in(Sign::Either, sentence.start..scene.numbers[other].anchor.max(sentence.start));
    let or =
        line.hits.iter().rev().find(|hit| hit.tag == Tag::Sign(Sign::Or) && gap.start <= hit.range.start && hit.range.end <= gap.end)?;
    let words_after_or = line.words.within(&(or.range.end..gap.end)).len();
    let cut = !asks_on() && line.breaks_in(gap).any(|found| found.depth >= Depth::Sentence);
    (!cut && (either || words_after_or <= 4)).then_some(other)
}

/// Whether a sentence begins with an `or`.
fn begins_with_or(sentence: &str) -> bool {
    ["or ", "oder "].iter().any(|or| sentence.get(..or.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(or)))
}

/// Whether a number stands in an expression that no equals sign ties to a result: `400/(400 + T)`, `2S/B`.
fn is_beside_operator(text: &str, line: &Line, mention: &Mention) -> bool {
    let after = &text[mention.range.end..line.range.end];
    // What is struck out works on nothing: `~~256 times~~ 8 times`.
    let struck = line.source.struck.iter().map(|struck| struck.end).filter(|end| *end <= mention.range.start).max();
    let before = &text[struck.unwrap_or(0).max(line.range.start)..mention.range.start];
    let next = after.trim_start_matches(' ');
    let spaced = next.len() < after.len();
    // A word is no factor: `1.24 ms · bandwidth 201.5 ms`.
    let is_word = |text: &str| text.chars().take_while(|c| c.is_lowercase()).count() > 2;
    let operand = |text: &str| text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '√')) && !is_word(text);
    let operand_before = |text: &str| text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '%'));
    // `2(P-1)`, `2S/B`, `64α`.
    let glued = mention.unit.is_none() && mention.noun.is_none() && !spaced && next.starts_with(|c: char| c == '(' || c.is_alphabetic());
    // `8× larger` is a factor.
    let factor = !spaced
        && next.starts_with(['×', 'x'])
        && next.chars().nth(1).is_none_or(|c| c == ' ' || c == ',' || c == '.')
        && !next.chars().skip(1).find(|c| *c != ' ').is_some_and(|c| c.is_ascii_digit() || c == '(' || c.is_uppercase());
    // `1 − 0.507` takes away what stands behind a sign with room on both sides.
    let less = mention.unit.is_none()
        && spaced
        && next
            .strip_prefix(['−', '-'])
            .is_some_and(|rest| rest.starts_with(' ') && rest.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    let followed = !factor && next.starts_with(['·', '×', '*', '⋅', '÷', '^', '+', '/']) && {
        let sign = next.chars().next().map_or(1, char::len_utf8);
        let rest = &next[sign..];
        // `1.24 ms / 1.28 ms` names two values, `1.24 ms/step` is one.
        let divides = !next.starts_with('/') || !spaced;
        divides && operand(rest.trim_start_matches(' ')) && (spaced == rest.starts_with(' ') || !next.starts_with('+'))
    };
    let head = before.trim_end_matches(' ');
    let spaced = head.len() < before.len();
    let preceded = head.ends_with(['·', '×', '*', '⋅', '÷', '^', '+', '/', '−']) && {
        let rest = head.trim_end_matches(['·', '×', '*', '⋅', '÷', '^', '+', '/', '−']);
        let divides = !head.ends_with('/') || !spaced;
        let balanced = spaced == rest.ends_with(' ') || head.ends_with(['·', '⋅', '^', '/']);
        divides && balanced && operand_before(rest.trim_end_matches(' '))
    };
    let times = |text: &str| text.ends_with(" times") || text.ends_with(" x");
    let multiplied = times(head) && head.trim_end_matches("times").trim_end_matches('x').trim_end().ends_with(|c: char| c.is_ascii_digit());
    glued || less || followed || preceded || multiplied
}

/// Whether a text ends in a `no` by itself: `S* = 16 MB, no: 32 MB`.
fn says_no(before: &str) -> bool {
    let Some(head) = before.trim_end().strip_suffix([':', ',', '!', '.', '—', '–']) else { return false };
    let head = head.trim_end();
    let word = head.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let alone = head[..head.len() - word.len()].trim_end().ends_with([',', ';', '.', '(', '—', '–', ':', '-']);
    alone && ["no", "wait", "nope"].iter().any(|no| word.eq_ignore_ascii_case(no))
}

/// Whether a text ends in what sets something against what follows.
fn is_compared(before: &str) -> bool {
    match before.as_bytes().last() {
        Some(b'n') => ends_in(before, &["than", "davon"]),
        Some(b'h') => before.ends_with("of which"),
        _ => before.ends_with(['<', '>', '≤', '≥']),
    }
}

fn ends_in(text: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| text.ends_with(ending))
}

/// Whether `up to` follows a verb of change: `goes up to 12.8 ms` states where it ends, not how far it may go.
fn follows_change(before: &str) -> bool {
    let head = before.trim_end_matches("up to").trim_end_matches("down to").trim_end();
    let verbs = [
        "goes",
        "go",
        "went",
        "rises",
        "rise",
        "grows",
        "grow",
        "climbs",
        "increases",
        "increase",
        "moves",
        "gets",
        "comes",
        "falls",
        "drops",
        "going",
    ];
    let last = head.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    verbs.contains(&last)
}

/// Whether the sign before a number's member of its chain is an arrow.
fn tied_by_arrow(scene: &Scene, number: &Number) -> bool {
    let Some(chain) = number.chain.map(|chain| &scene.chains[chain].chain) else { return false };
    let text = scene.lines[number.line].text();
    let before = chain.links.iter().filter(|link| link.range.end <= number.mention.range.start).map(|link| link.range.end).max();
    before.is_some_and(|end| ends_in_arrow(text[end..number.mention.range.start].trim_end().trim_end_matches(['~', '≈'])))
}

fn ends_in_arrow(text: &str) -> bool {
    match text.chars().next_back() {
        Some('→' | '⇒' | '⟹') => true,
        Some('>') => text.ends_with("->") || text.ends_with("=>"),
        _ => false,
    }
}

/// Whether the text before a number makes it a factor: `×8`, `x 8`.
pub(super) fn is_times(before: &str) -> bool {
    let before = before.trim_end();
    let Some(head) = before.strip_suffix(['×', 'x', '✕']).or_else(|| before.strip_suffix("times")) else { return false };
    head.is_empty()
        || head.ends_with([' ', '(', '\n', ':', '=', '~', '≈', ',']) && !head.trim_end().ends_with(|c: char| c.is_ascii_digit() || c == ')')
}

/// Whether the text before a number calls it a factor: `grows by a factor of 8`, `batch factor: 8`.
fn is_called_factor(before: &str) -> bool {
    let head = before.trim_end_matches([' ', ':', '=', '~', '≈']);
    let head = head.strip_suffix("about").unwrap_or(head).trim_end();
    let head = head.strip_suffix(" of").unwrap_or(head);
    ends_in_word(head, "factor") || ends_in_word(head, "faktor") || is_multiplied(head)
}

/// Whether a text ends in what says that something is multiplied by what follows; a number in its place is an operand.
fn is_multiplied(head: &str) -> bool {
    const WAYS: [&str; 6] = ["multiplied by", "scaled by", "scales by", "multiplies by", "multiplied with", "multipliziert mit"];
    let rest = WAYS.iter().find_map(|way| head.strip_suffix(way));
    rest.is_some_and(|rest| !rest.trim_end().ends_with(|c: char| c.is_ascii_digit() || matches!(c, ')' | '%')))
}

/// Whether the text after a number makes it a factor: `8× larger`.
fn after_is_times(after: &str) -> bool {
    let mut chars = after.chars();
    let sign = matches!(chars.next(), Some('×' | '✕'));
    let end = chars.next().is_none_or(|c| matches!(c, ' ' | ',' | '.' | ';' | ')'));
    sign && end && !chars.find(|c| *c != ' ').is_some_and(|c| c.is_ascii_digit() || c == '(' || c.is_uppercase())
}

/// Whether a number has a unit with a dimension of its own.
pub(super) fn is_measured(mention: &Mention) -> bool {
    let unit = mention.readings.first().and_then(|reading| reading.unit.as_ref());
    mention.unit.is_some() && unit.is_some_and(|unit| !unit.dimension.is_none())
}

/// Whether the text after a number makes it a multiple of a symbol: `1.64 S*`, `5 × S*`.
pub(super) fn is_multiple(grader: &Grader, after: &str) -> bool {
    multiple_of(grader, after).is_some()
}

/// The symbol of which the text after a number makes it a multiple.
pub(super) fn multiple_of<'t>(grader: &Grader, after: &'t str) -> Option<&'t str> {
    let begins = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '×' | '·' | '*' | '_' | '^' | '⋆' | '∗');
    if !after.starts_with(begins) {
        return None;
    }
    // Most numbers are followed by a word in small letters.
    let small = after.bytes().take_while(u8::is_ascii_lowercase).count();
    let ends = after.as_bytes().get(small).is_none_or(|byte| matches!(byte, b' ' | b',' | b'.' | b';' | b')'));
    if small > 0 && ends && !matches!(&after[..small], "x" | "times" | "of") {
        return None;
    }
    // No symbol is longer, and a line without end is not read anew for each of its numbers.
    let after = &after[..after.floor_char_boundary(80)];
    let behind = |signs: &[&str]| signs.iter().find_map(|sign| after.strip_prefix(sign));
    let factor = behind(&["× ", "×", "· ", "·", "* ", "*"]);
    let after = factor.or_else(|| behind(&["x ", "times ", "of "])).unwrap_or(after).trim_start_matches(' ');
    let word = &after[..after.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '*' | '^' | '⋆' | '∗'))).unwrap_or(after.len())];
    // Behind a sign of multiplication, any symbol is one: `1.56*Sx`.
    let telling = word.contains(['*', '⋆', '∗', '_'])
        || factor.is_some() && word.starts_with(char::is_uppercase)
        || word.chars().all(|c| !c.is_lowercase()) && word.chars().count() == 1 && !matches!(word, "A" | "I");
    (telling && (!grader.clues.asks_of(word).is_empty() || grader.clues.given_of(word).is_some())).then_some(word)
}

/// The result right before a conclusion.
fn follows(scene: &Scene, at: usize, sentence: &Range<usize>) -> Option<usize> {
    let number = &scene.numbers[at];
    let line = &scene.lines[number.line];
    let before = at.checked_sub(1).filter(|before| line.numbers.contains(before))?;
    let other = &scene.numbers[before];
    let gap = other.mention.range.end..number.anchor;
    let words = line.words.within(&gap).len();
    // `so 202.7 ms` after two terms is a third value; after a bare number it is that number with its unit.
    let bare = other.mention.unit.is_none() && number.mention.unit.is_some();
    let near =
        bare && other.standing != Standing::Operand && sentence.start <= other.mention.range.start && gap.start <= gap.end && words <= 3;
    near.then_some(before)
}

/// Whether the last word of a text is this one, in whatever case.
fn ends_in_word(text: &str, word: &str) -> bool {
    let text = text.trim_end();
    let Some((head, last)) = text.len().checked_sub(word.len()).and_then(|start| text.split_at_checked(start)) else { return false };
    last.eq_ignore_ascii_case(word) && !head.ends_with(char::is_alphanumeric)
}

/// A text without the `about` that it ends in.
fn without_about(text: &str) -> &str {
    if text.ends_with(" about") { text.trim_end_matches(" about") } else { text }
}

fn last_word(text: &str) -> &str {
    text.trim_end().rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
