//! Whose word a number is, and which one it replaces: what the student says, takes back, denies, does not believe, or only
//! reports; and what follows a correction or a contrast, which is about what it corrects.

use std::ops::Range;

use crate::grade::clues::{Hit, Sign, Tag};
use crate::grade::scene::{Depth, Line, Number, Scene, Standing};
use crate::phrase::Word;
use crate::quantity::{Dimension, Number as Value};
use crate::text;

/// So many numbers before another one are looked at for the one that it corrects.
const FARTHEST: usize = 24;

/// How somebody stands to what is said at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stance {
    /// The student says it.
    #[default]
    Own,
    /// The student says it of another case, or as what one thinks before looking closely: it counts where nothing else does.
    Supposed,
    /// Somebody else says it, or the student does not believe it.
    Foreign,
}

/// How the student stands to what is said at a place of a sentence: by the last words before it that say so, or by those that
/// follow in the same clause.
pub(super) fn stance(line: &Line, sentence: &Range<usize>, start: usize, end: usize) -> Stance {
    // What stands in earlier sentences says nothing about this one.
    let signs = || line.hits_from(sentence.start.min(start)).filter_map(|hit| Some((hit, sign(hit)?)));
    let turned = |from: usize, to: usize| line.breaks.iter().any(|found| (from..to).contains(&found.at) && found.depth >= Depth::Clause);
    let last_turn = signs()
        .filter(|(hit, sign)| matches!(sign, Sign::Own | Sign::Consent) && sentence.start <= hit.range.start && hit.range.end <= start)
        // `not, as one might think, 1.28 ms`
        .filter(|(hit, _)| !(line.text()[hit.range.clone()].to_lowercase().starts_with("as ") && is_negated(line, hit.range.start)))
        .map(|(hit, _)| hit.range.end)
        .max();
    let before = |hit: &Hit| {
        let open = sentence.start <= hit.range.start && hit.range.end <= start;
        // `As one might expect, it is 1.24 ms` is the student's word; so is what follows `but`, `in fact`, `I get`.
        let own = last_turn.is_some_and(|turn| turn >= hit.range.end);
        open && !own && !turned(hit.range.end, start) && !concludes(line, hit.range.end..start)
    };
    let clause_end = line
        .breaks
        .iter()
        .find(|found| found.at >= end && found.depth >= Depth::Clause)
        .map_or(sentence.end, |found| found.at.min(sentence.end));
    let behind = |hit: &Hit| end <= hit.range.start && hit.range.end <= clause_end;
    let consents = signs().any(|(hit, sign)| {
        let near = line.words.sentence_at(hit.range.start).saturating_sub(line.words.sentence_at(start)) <= 1;
        sign == Sign::Consent && near && hit.range.start >= start && !is_negated(line, hit.range.start)
    });
    let mut stance = Stance::Own;
    for (hit, sign) in signs() {
        let found = match sign {
            Sign::Disbelief if before(hit) || behind(hit) => Stance::Foreign,
            Sign::Delusion if before(hit) => Stance::Foreign,
            Sign::Hearsay if is_called_so(line, hit) => continue,
            Sign::Hearsay if !consents && (before(hit) || behind(hit) && is_attributed_to(line, hit)) => Stance::Foreign,
            Sign::Supposition | Sign::Naive if before(hit) => Stance::Supposed,
            Sign::Naive if behind(hit) => Stance::Supposed,
            _ => continue,
        };
        if stance != Stance::Foreign {
            stance = found;
        }
    }
    stance
}

fn sign(hit: &Hit) -> Option<Sign> {
    match hit.tag {
        Tag::Sign(sign) => Some(sign),
        _ => None,
    }
}

/// Whether the drill itself calls something so that it asks about: the `GPT` of `GPT-3: 80`.
fn is_called_so(line: &Line, hit: &Hit) -> bool {
    let names = |other: &Hit| matches!(other.tag, Tag::Cue(_) | Tag::Topic(..));
    line.hits_on(&hit.range).any(|other| names(other) && other.range.start <= hit.range.start && hit.range.end <= other.range.end)
}

/// Whether what stands between is where the student concludes something: `the TA said B is per rank, so 201.5 ms`.
fn concludes(line: &Line, range: Range<usize>) -> bool {
    line.words.within(&range).iter().any(|word| matches!(line.words.plain(word), "so" | "hence" | "thus" | "therefore" | "also" | "daher"))
}

/// Whether somebody is named as the source of what stands before: `according to ChatGPT`, `says my friend`.
fn is_attributed_to(line: &Line, hit: &Hit) -> bool {
    let words = line.words.list();
    let at = words.partition_point(|word| word.range.start < hit.range.start);
    at.checked_sub(1).is_some_and(|before| {
        matches!(line.words.plain(&words[before]), "to" | "says" | "said" | "claims" | "claimed" | "thinks" | "laut" | "sagt" | "per")
    })
}

/// Whether one of the two words before a place is a *not*.
fn is_negated(line: &Line, at: usize) -> bool {
    let words = line.words.list();
    let first = words.partition_point(|word| word.range.start < at);
    words[..first].iter().rev().take(2).any(|word| line.words.plain(word) == "not" || line.words.is_contracted_not(word))
}

/// What in a line may bear on whose word its numbers are: in most lines nothing does.
struct Tone {
    /// Signs that somebody else says something, or that it is only thought.
    sides: bool,
    /// Quotation marks.
    quotes: bool,
    /// Signs that something is wrong.
    rejects: bool,
    /// Words that introduce a correction.
    corrects: bool,
}

impl Tone {
    fn of(line: &Line) -> Tone {
        let quotes = text::has_quotes(&line.text()[line.range.clone()]);
        Tone {
            sides: line.kinds.has_any(&[Sign::Disbelief, Sign::Delusion, Sign::Hearsay, Sign::Supposition, Sign::Naive]),
            quotes,
            rejects: line.kinds.has_any(&[Sign::Rejection]),
            // `Correction to (b): …`, before the label of the line.
            corrects: line.range.start > 0 || line.kinds.has_any(&[Sign::Retraction, Sign::Correction]),
        }
    }
}

/// Settles for all numbers whose word they are and which ones they replace.
pub(super) fn settle(scene: &mut Scene) {
    let mut disowned = Vec::with_capacity(scene.numbers.len());
    let mut may_correct = Vec::with_capacity(scene.numbers.len());
    let mut tone: Option<(usize, Tone)> = None;
    for at in 0..scene.numbers.len() {
        let number = &scene.numbers[at];
        let line = &scene.lines[number.line];
        let tone = match &tone {
            Some((line, tone)) if *line == number.line => tone,
            _ => &tone.insert((number.line, Tone::of(line))).1,
        };
        let sentence = sentence_of(line, number.anchor);
        let mut stance = if tone.sides { stance(line, &sentence, number.anchor, number.mention.range.end) } else { Stance::Own };
        if tone.quotes && is_quoted_speech(line, number.mention.range.start) {
            stance = Stance::Foreign;
        }
        let denied = is_refused(line, &sentence, number.anchor);
        // `1.28 ms latency? No, …`
        let behind = number.mention.range.end.max(sentence.end)..line.range.end;
        let asks = line.text().get(behind).is_some_and(|behind| behind.trim_start().starts_with('?'));
        let rejected = tone.rejects && is_rejected(scene, at, &sentence) || is_marked_wrong(line, number);
        let (line, range) = (number.line, number.mention.range.clone());
        let number = &mut scene.numbers[at];
        number.foreign = stance == Stance::Foreign;
        number.supposed = stance == Stance::Supposed || stance == Stance::Own && asks;
        disowned.push(asks || rejected);
        may_correct.push(tone.corrects);
        if rejected || denied {
            number.withdrawn = true;
        }
        if denied {
            // What it would be about says nothing about what follows.
            let inside = |hit: &Hit| matches!(hit.tag, Tag::Topic(..)) && hit.range.start < range.end && range.start < hit.range.end;
            scene.lines[line].hits.retain(|hit| !inside(hit));
        }
    }
    let any_untold = !scene.numbers.iter().all(is_told);
    for (at, may_correct) in may_correct.into_iter().enumerate() {
        let sign = if may_correct { retraction_before(scene, at) } else { None };
        scene.numbers[at].correction |= sign.is_some();
        let pivot = sign.clone().map(|sign| sign.start);
        let old = match pivot {
            Some(pivot) => corrected_by(scene, at, pivot),
            None if any_untold => contrasted_with(scene, at),
            None => None,
        };
        let Some(old) = old else { continue };
        if let Some(sign) = sign
            && is_named_between(scene, at, sign.end)
        {
            // The words behind `Correction:` say what is corrected, and that need not be what stands right before them.
            let earlier = &scene.numbers[old];
            scene.numbers[old].withdrawn &= !is_taken_back(scene, earlier, sign.start);
            continue;
        }
        scene.numbers[at].corrects = Some(old);
        if pivot.is_some() || disowned[old] {
            scene.numbers[old].replaced = true;
        }
    }
}

/// Whether a place stands in the words of somebody else, in quotation marks behind a name or a verb of speech: `AI: "ZeRO-2
/// halves the traffic, so 25.3 %". I say 50.7 %`.
fn is_quoted_speech(line: &Line, at: usize) -> bool {
    const MARKS: [(char, &[char]); 5] = [('“', &['”', '“']), ('„', &['“', '”']), ('«', &['»']), ('»', &['«']), ('"', &['"'])];
    const FEWEST_WORDS: usize = 3;
    const FARTHEST_MARK: usize = 400;
    let text = line.text();
    let from = text.floor_char_boundary(line.range.start.max(at.saturating_sub(FARTHEST_MARK)));
    let before = &text[from..at];
    let Some((open, mark, ends)) = MARKS.iter().filter_map(|(mark, ends)| Some((open_mark(before, *mark, ends)?, *mark, *ends))).max()
    else {
        return false;
    };
    let inside = from + open + mark.len_utf8();
    let behind = &text[at..text.floor_char_boundary(line.range.end.min(at + FARTHEST_MARK))];
    let Some(close) = behind.find(ends).map(|end| at + end) else { return false };
    let words = line.words.within(&(inside..close)).iter().filter(|word| word.is_word()).count();
    words >= FEWEST_WORDS && is_spoken_by_another(line, from + open)
}

/// Where quotation marks were opened and not closed.
fn open_mark(before: &str, mark: char, ends: &[char]) -> Option<usize> {
    if ends.contains(&mark) {
        let mut marks = before.match_indices(mark);
        let last = marks.next_back().map(|(at, _)| at);
        return last.filter(|_| marks.count().is_multiple_of(2));
    }
    let open = before.rfind(mark)?;
    (!before[open + mark.len_utf8()..].contains(ends)).then_some(open)
}

/// Whether what stands before quotation marks is the name of a speaker, or a verb of speech of somebody else.
fn is_spoken_by_another(line: &Line, open: usize) -> bool {
    const OWN: [&str; 15] =
        ["i", "we", "my", "our", "mine", "me", "answer", "result", "solution", "conclusion", "note", "ich", "wir", "antwort", "ergebnis"];
    const SPEAKS: [&str; 19] = [
        "says",
        "said",
        "say",
        "claims",
        "claimed",
        "wrote",
        "writes",
        "told",
        "answers",
        "answered",
        "prints",
        "printed",
        "outputs",
        "insists",
        "replied",
        "sagt",
        "meint",
        "schreibt",
        "behauptet",
    ];
    // So many words make a name.
    const NAME: usize = 4;
    let sentence = sentence_of(line, open);
    let words = line.words.within(&(sentence.start.min(open)..open));
    let plain: Vec<&str> = words.iter().filter(|word| word.is_word()).map(|word| line.words.plain(word)).collect();
    let own = plain.iter().any(|word| OWN.contains(word));
    let head = line.text()[line.range.start..open].trim_end();
    let speaks = plain.iter().rev().take(NAME).any(|word| SPEAKS.contains(word));
    // The words that a colon leads in are a name where they are few and nobody's topic.
    let topic = |hit: &Hit| matches!(hit.tag, Tag::Cue(_)) && sentence.start <= hit.range.start && hit.range.end <= open;
    let named = head.ends_with(':') && (1..=NAME).contains(&plain.len()) && !line.hits.iter().any(topic);
    !own && (speaks || named)
}

fn sentence_of(line: &Line, at: usize) -> Range<usize> {
    let sentence = line.words.sentences().get(line.words.sentence_at(at)).cloned().unwrap_or(line.range.clone());
    sentence.start.max(line.range.start)..sentence.end.min(line.range.end).max(sentence.start)
}

/// The next sentence says of a number that it is wrong, and nothing else: `1.28 ms. I think that is wrong.`
fn is_rejected(scene: &Scene, at: usize, sentence: &Range<usize>) -> bool {
    let number = &scene.numbers[at];
    let line = &scene.lines[number.line];
    let here = line.words.sentence_at(sentence.start);
    let mut after =
        (at + 1..line.numbers.end).map(|other| &scene.numbers[other]).take_while(|other| line.words.sentence_at(other.anchor) <= here);
    let last = after.all(|other| other.standing == Standing::Operand);
    let rejects = |hit: &Hit| {
        if sign(hit) != Some(Sign::Rejection) {
            return false;
        }
        // `It is not true that …` is about what follows.
        let ahead = line.words.within(&(hit.range.end..line.range.end)).first();
        if ahead.is_some_and(|word| matches!(line.words.plain(word), "that" | "dass")) {
            return false;
        }
        let there = line.words.sentence_at(hit.range.start);
        let next = there == here + 1 && hit.range.start < line.range.end;
        let same = there == here && hit.range.start >= number.mention.range.end;
        let words = line.words.list().iter().filter(|word| word.sentence == there && word.range.start < hit.range.start);
        same || next && words.take(6).count() <= 5
    };
    last && line.hits.iter().any(rejects)
}

/// Whether a mark behind a number says that it is wrong: `1.28 ms <- wrong`, `1.28 ms ✗`.
fn is_marked_wrong(line: &Line, number: &Number) -> bool {
    let after = line.text().get(number.mention.range.end..line.range.end).unwrap_or_default();
    // Most numbers are followed by a word.
    let behind = after.trim_start_matches(' ');
    if behind.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return false;
    }
    let mark = behind.trim_start_matches([' ', '<', '-', '>', '←', '→', '(', '[', ':']);
    if mark.starts_with(['✗', '❌', '✘']) {
        return true;
    }
    let word = || mark.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let wrong = |word: &str| ["wrong", "falsch", "incorrect", "false"].iter().any(|wrong| word.eq_ignore_ascii_case(wrong));
    let pointed = after[..after.len() - mark.len()].contains(['<', '>', '←', '→', '(', '[']);
    pointed && wrong(word())
}

/// Whether a student says of a number that it is not the value: `S* isn't αB = 0.5 MB`, `it does not carry 2.6 GB`, `I wouldn't
/// choose 1 MiB or 16 MB`.
fn is_refused(line: &Line, sentence: &Range<usize>, anchor: usize) -> bool {
    const CHOICES: [&str; 7] = ["choose", "take", "use", "pick", "want", "set", "say"];
    const MOVES: [&str; 12] = ["stay", "remain", "keep", "go", "grow", "rise", "increase", "climb", "fall", "drop", "come", "jump"];
    // `I wouldn't go below 48 MB` says which value it is, and `not small: 201.5 ms` or `not negligible at 1.24 ms` something else.
    const BOUNDS: [&str; 44] = [
        "below",
        "above",
        "under",
        "over",
        "beyond",
        "than",
        "but",
        "so",
        "because",
        "as",
        "only",
        "just",
        "if",
        "when",
        "until",
        "unless",
        "exceed",
        "exceeds",
        "surpass",
        "drop",
        "fall",
        "go",
        "rise",
        "reach",
        "fit",
        "overlap",
        "hide",
        "hidden",
        "at",
        "with",
        "of",
        "for",
        "in",
        "by",
        "from",
        "before",
        "after",
        "sondern",
        "wait",
        "change",
        "include",
        "including",
        "counting",
        "there",
    ];
    let plain = |word: &Word| line.words.plain(word);
    let list = line.words.list();
    let not = line.telling.nots.iter().rev().find(|at| list[**at].range.end <= anchor);
    let Some(not) = not.filter(|at| sentence.start <= list[**at].range.start) else { return false };
    let words = line.words.within(&(sentence.start..anchor));
    let first = words.first().map_or(0, |first| list.partition_point(|word| word.range.start < first.range.start));
    let at = not - first;
    let gap = &line.text()[words[at].range.end..anchor];
    let between = &words[at + 1..];
    // `doesn't stay at 1.24 ms`, `does not go up to 1612 ms`
    let moves = match between.iter().map(&plain).collect::<Vec<_>>().as_slice() {
        [verb, "at" | "to"] | [verb, "up" | "down", "to"] => MOVES.contains(verb),
        _ => false,
    };
    let bounded = !moves && between.iter().any(|word| BOUNDS.contains(&plain(word)));
    if gap.contains([',', ';', ':', '(', ')', '—', '–']) || bounded {
        return false;
    }
    let verb = |word: &str| matches!(word, "is" | "was" | "are" | "were" | "be" | "can" | "could" | "ist" | "sind" | "sei" | "would");
    let before = at.checked_sub(1).map_or("", |before| plain(&words[before]));
    let is_not = matches!(plain(&words[at]), "isnt" | "wasnt" | "arent" | "werent" | "never" | "nicht" | "cannot" | "cant" | "couldnt")
        || plain(&words[at]) == "not" && verb(before);
    let does_not = matches!(plain(&words[at]), "doesnt" | "dont" | "didnt" | "wont")
        || plain(&words[at]) == "not" && matches!(before, "does" | "do" | "did" | "will");
    let chosen = between.first().is_some_and(|word| CHOICES.contains(&plain(word)));
    // `does not carry 2.6 GB`, `does not amount to exactly 2.6 GB`
    is_not && between.len() <= 3 || does_not && (1..=4).contains(&between.len()) || chosen
}

/// The words by which a number is introduced as a correction: in its sentence, or before it without a number of its kind
/// between; also alone on the line before.
fn retraction_before(scene: &Scene, at: usize) -> Option<Range<usize>> {
    let number = &scene.numbers[at];
    let line = &scene.lines[number.line];
    let here = line.words.sentence_at(number.anchor);
    let signs = line.kinds.has_any(&[Sign::Retraction, Sign::Correction]);
    let hits = line.hits.iter().rev().filter(|hit| signs && hit.range.end <= number.anchor);
    for hit in hits.filter(|hit| matches!(hit.tag, Tag::Sign(Sign::Retraction | Sign::Correction))) {
        let there = line.words.sentence_at(hit.range.start);
        let sentences = here.saturating_sub(there);
        if sentences > 2 {
            break;
        }
        match sign(hit) {
            Some(Sign::Retraction) if sentences == 0 => return Some(hit.range.clone()),
            Some(Sign::Retraction) => {
                let between =
                    |other: &usize| scene.numbers[*other].anchor > hit.range.start && *other < at && same_class(scene, *other, at);
                let again = |other: &usize| line.words.sentence_at(scene.numbers[*other].anchor) != here;
                let taken = line.numbers.clone().filter(between).any(|other| again(&other));
                return (!taken).then(|| hit.range.clone());
            }
            // What stands right behind `actually` replaces something; further away it only stresses.
            Some(Sign::Correction) if sentences == 0 && stands_right_behind(line, hit.range.end, number.anchor) => {
                return Some(hit.range.clone());
            }
            _ => {}
        }
    }
    amends(line).filter(|_| line.words.sentence_at(line.range.start) == here)
}

/// The words before the label of a line that say that it amends the part: `Correction to (b): …`.
fn amends(line: &Line) -> Option<Range<usize>> {
    let before = &line.text()[..line.range.start];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    if start == line.range.start {
        return None;
    }
    let said = before[start..].trim_start().to_lowercase();
    let amends = ["correction", "edit", "update", "erratum", "addendum", "korrektur", "nachtrag", "berichtigung"];
    amends.iter().any(|word| said.starts_with(word)).then_some(start..line.range.start)
}

/// Whether only small words stand between two places.
fn stands_right_behind(line: &Line, from: usize, to: usize) -> bool {
    line.words.within(&(from..to)).iter().all(|word| super::meant::SMALL.contains(&line.words.plain(word)) || !word.is_word())
}

/// Whether words between a correction and a number say what it is, or those right behind the number do.
fn is_named_between(scene: &Scene, at: usize, from: usize) -> bool {
    let number = &scene.numbers[at];
    let line = &scene.lines[number.line];
    // `Correction: the sooner the first bucket leaves the better, so 8 MB` gives a reason, and no name.
    let beside = |end: usize| !line.breaks_in(end..number.anchor).any(|found| found.depth >= Depth::Comma);
    let named = |hit: &Hit| matches!(hit.tag, Tag::Cue(_)) && from <= hit.range.start && hit.range.end <= number.anchor;
    line.hits.iter().any(|hit| named(hit) && beside(hit.range.end))
}

/// Whether a number was taken for withdrawn because of a correction that begins right behind it.
fn is_taken_back(scene: &Scene, number: &Number, sign: usize) -> bool {
    let line = &scene.lines[number.line];
    line.text().get(number.mention.range.end..sign).is_some_and(|gap| gap.len() <= 6 && !gap.contains(char::is_alphanumeric))
}

/// The number that another one corrects: of the sentence before the correction, the one in the same unit, or the one that is
/// near it, or the last.
fn corrected_by(scene: &Scene, at: usize, pivot: usize) -> Option<usize> {
    let number = &scene.numbers[at];
    let line = &scene.lines[number.line];
    let part = number.spot.part;
    // `300 FLOP/B, sorry, 240`
    let bare = number.mention.unit.is_none() && number.mention.noun.is_none();
    let short = bare && line.words.sentence_at(pivot) == line.words.sentence_at(number.anchor);
    let fits = |other: &usize| {
        let other_number = &scene.numbers[*other];
        let alike =
            same_class(scene, *other, at) || short && other_number.mention.range.end <= pivot && other_number.mention.unit.is_some();
        other_number.standing != Standing::Operand && !other_number.dead && !other_number.past && alike
    };
    let in_line = (line.numbers.start..at).rev().take(FARTHEST).filter(|other| scene.numbers[*other].mention.range.end <= pivot);
    // `EDIT:` at the start of a paragraph is about the ones before it.
    let earlier = || {
        let lines = scene.lines[..number.line].iter().rev().take(3).take_while(|other| other.spot.part == part || part.is_none());
        lines.flat_map(|other| other.numbers.clone().rev()).collect::<Vec<_>>()
    };
    let mut candidates: Vec<usize> = in_line.filter(fits).collect();
    if candidates.is_empty()
        && line.text().get(line.range.start..pivot).is_none_or(|before| before.trim_matches([' ', '(', '*', '[', '\n']).is_empty())
    {
        candidates = earlier().into_iter().filter(fits).collect();
    }
    let nearest = *candidates.first()?;
    let home = &scene.numbers[nearest];
    let sentence = |other: usize| scene.lines[scene.numbers[other].line].words.sentence_at(scene.numbers[other].anchor);
    candidates.retain(|other| scene.numbers[*other].line == home.line && sentence(*other) == sentence(nearest));
    let same_unit: Vec<usize> = candidates.iter().copied().filter(|other| unit_of(scene, *other) == unit_of(scene, at)).collect();
    let pool = if same_unit.is_empty() { candidates } else { same_unit };
    let near: Vec<usize> = pool.iter().copied().filter(|other| is_near(scene, *other, at)).collect();
    match near.as_slice() {
        [one] => Some(*one),
        _ => pool.first().copied(),
    }
}

/// Whether a number is the student's word and stands.
fn is_told(number: &Number) -> bool {
    !number.foreign && !number.withdrawn && !number.supposed
}

/// The number that another one stands against: the last one before it, in its sentence or in the one before, that is denied or
/// not the student's word.
fn contrasted_with(scene: &Scene, at: usize) -> Option<usize> {
    let number = &scene.numbers[at];
    if !is_told(number) || number.standing == Standing::Operand {
        return None;
    }
    let line = &scene.lines[number.line];
    let here = line.words.sentence_at(number.anchor);
    let of_its_kind = |other: &usize| {
        let other_number = &scene.numbers[*other];
        other_number.standing != Standing::Operand && !other_number.given && same_class(scene, *other, at)
    };
    let untold: Vec<usize> = (line.numbers.start..at)
        .rev()
        .take(FARTHEST)
        .filter(of_its_kind)
        .take_while(|other| {
            let before = &scene.numbers[*other];
            let close = here.saturating_sub(line.words.sentence_at(before.anchor)) <= 1;
            close && !is_told(before) && before.mention.range.end <= number.anchor
        })
        .collect();
    untold.iter().copied().find(|other| unit_of(scene, *other) == unit_of(scene, at)).or(untold.first().copied())
}

/// Whether two numbers are of one kind: of one dimension, or both in the same unit without one.
fn same_class(scene: &Scene, one: usize, other: usize) -> bool {
    class(&scene.numbers[one]) == class(&scene.numbers[other])
}

/// The dimension of a number; of one that has none, its unit as well.
pub(super) fn class(number: &Number) -> (Dimension, Option<&str>) {
    let unit = number.mention.readings.first().and_then(|reading| reading.unit.as_ref());
    let plain = unit.filter(|unit| unit.dimension.is_none());
    (unit.map(|unit| unit.dimension).unwrap_or_default(), plain.map(|unit| unit.symbol.as_str()))
}

fn unit_of<'a>(scene: &'a Scene, at: usize) -> Option<&'a str> {
    scene.numbers[at].mention.readings.first().and_then(|reading| reading.unit.as_ref()).map(|unit| unit.symbol.as_str())
}

/// Whether one value may be a corrected form of another: they differ by less than a factor.
fn is_near(scene: &Scene, one: usize, other: usize) -> bool {
    let value = |at: usize| scene.numbers[at].mention.readings.first().map(|reading| reading.value.abs());
    let (Some(a), Some(b)) = (value(one), value(other)) else { return false };
    let factor = Value::decimal(25, -1);
    a <= b * factor && b <= a * factor
}
