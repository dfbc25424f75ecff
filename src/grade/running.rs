//! Work that goes on behind a result, so that the last value is the answer and what led to it is a step: `104 ms, times
//! 62/32 = 201.5 ms`, `3.08 s for startup plus 0.2 s, about 3.3 s`, `100.75 ms a phase, so 201.5 ms in total`.

use std::ops::Range;

use crate::grade::clues::Tag;
use crate::grade::scene::{GoesOn, How, Line, Number, Scene, Standing};
use crate::quantity::Number as Value;

/// So many equal pieces make a whole at most.
const MOST_PIECES: f64 = 4096.0;
/// So many numbers of the next calculation may stand between a result and what follows from it.
const MOST_BETWEEN: usize = 16;
/// So many bytes may stand between two values of one calculation.
const REACH: usize = 48;

/// Finds the values that go on from one before them.
pub(super) fn settle_work(scene: &mut Scene) {
    for at in 1..scene.numbers.len() {
        // Nothing goes on from one line to the next.
        if scene.numbers[at - 1].line != scene.numbers[at].line {
            continue;
        }
        let found = added(scene, at)
            .or_else(|| whole(scene, at))
            .or_else(|| counted(scene, at))
            .or_else(|| worked_on(scene, at))
            .or_else(|| with_named(scene, at));
        let found = found.or_else(|| with_what_was_left_out(scene, at));
        scene.numbers[at].goes_on = found;
        let Some(GoesOn { from, how }) = found else { continue };
        scene.numbers[from].led_on = true;
        // The `32` of `500 kB; × 32 = 16 MB`.
        for between in scene.numbers[from + 1..at].iter_mut().filter(|_| how == How::Worked) {
            between.standing = Standing::Operand;
        }
    }
}

/// The first of two values that the words add up to a third one.
fn added(scene: &Scene, at: usize) -> Option<GoesOn> {
    let first = at.checked_sub(2)?;
    let [a, b, sum] = [first, at - 1, at].map(|at| &scene.numbers[at]);
    // `2480 · 1.24 ms = 3075 ms, plus 201.5 ms makes 3.28 s`
    let free = a.standing == Standing::End || a.standing == Standing::Free;
    // `plus 201.5 ms → 3.28 s` ties the two with an arrow.
    let tied = b.chain.is_some() && b.chain == sum.chain && b.standing == Standing::Member && sum.standing == Standing::End;
    let free = free && (tied || [b, sum].iter().all(|number| number.standing == Standing::Free));
    let alike = || [a, b].iter().all(|number| dimension(number) == dimension(sum));
    if !free || !has_unit(sum) || !alike() {
        return None;
    }
    let line = &scene.lines[sum.line];
    let plus =
        |word: &str| matches!(word.to_lowercase().as_str(), "plus" | "+" | "and" | "und" | "zuzüglich" | "with" | "mit" | "adding" | "top");
    let close = |gap: &str| gap.split_whitespace().filter(|word| word.len() > 2).count() <= 3;
    if !gap(line, a, b)?.split_whitespace().any(plus) || !gap(line, b, sum).is_some_and(close) {
        return None;
    }
    let (x, y, z) = (value(a)?, value(b)?, value(sum)?);
    let off = (x + y - z).abs() <= half_place(a) + half_place(b) + half_place(sum);
    let least = x.abs().min_of(y.abs());
    (off && least > half_place(sum)).then_some(GoesOn { from: first, how: How::Added })
}

/// Words that add something to a value.
const ADDS: [&str; 11] = ["with", "plus", "adding", "added", "add", "including", "include", "mit", "zuzüglich", "dazu", "+"];

/// The value to which the words add what they only name: `3.08 s, and with the transfer it is 3.28 s`.
fn with_named(scene: &Scene, at: usize) -> Option<GoesOn> {
    let (part, whole) = (&scene.numbers[at - 1], &scene.numbers[at]);
    let free = |number: &Number| matches!(number.standing, Standing::Free | Standing::End) && has_unit(number);
    // Shares are not added up so: `66.4 %, with full overlap 100 %`.
    let alike = dimension(part) == dimension(whole) && !dimension(whole).is_none();
    if !free(part) || !free(whole) || !alike || value(part)? >= value(whole)? {
        return None;
    }
    let line = &scene.lines[whole.line];
    let between = gap(line, part, whole)?;
    let range = part.mention.range.end..whole.mention.range.start;
    // `64 MB; with a slower network I'd go to 100 MB` is about another case.
    let adds =
        !between.contains(';') && between.split_whitespace().any(|word| ADDS.contains(&word.to_lowercase().trim_end_matches([',', ':'])));
    let names = line.hits_on(&range).any(|hit| matches!(hit.tag, Tag::Cue(_)) && hit.range.start >= range.start);
    (adds && names).then_some(GoesOn { from: at - 1, how: How::Added })
}

/// The value of a part, named as such, to which the next sentence adds the rest: `Only the weights: 2.31 ms. With the cache
/// (3.28 GB) it is 2.57 ms`.
fn with_what_was_left_out(scene: &Scene, at: usize) -> Option<GoesOn> {
    const ONLY: [&str; 8] = ["only", "alone", "just", "merely", "without", "nur", "allein", "ohne"];
    const FEW: usize = 4;
    let whole = &scene.numbers[at];
    let line = &scene.lines[whole.line];
    let sentence = |number: &Number| line.words.sentence_at(number.anchor);
    let range = |number: &Number| line.words.sentences().get(sentence(number)).cloned().unwrap_or_default();
    let free = |number: &Number| matches!(number.standing, Standing::Free | Standing::End) && has_unit(number);
    if !free(whole) {
        return None;
    }
    let first = line.words.within(&(range(whole).start..whole.anchor)).first()?;
    if !ADDS.contains(&line.words.plain(first)) {
        return None;
    }
    let before = (line.numbers.start.max(at.saturating_sub(FEW))..at).rev();
    let from = before.map(|from| (from, &scene.numbers[from])).find(|(_, part)| {
        sentence(part) + 1 == sentence(whole) && free(part) && dimension(part) == dimension(whole) && !dimension(part).is_none()
    });
    let (from, part) = from.filter(|(_, part)| value(part) < value(whole))?;
    let said = line.words.within(&range(part)).iter().any(|word| ONLY.contains(&line.words.plain(word)));
    said.then_some(GoesOn { from, how: How::Added })
}

/// The value of one of the equal pieces that make a whole: `0.62 ms per phase, so 1.24 ms`.
fn whole(scene: &Scene, at: usize) -> Option<GoesOn> {
    let (piece, whole) = (&scene.numbers[at - 1], &scene.numbers[at]);
    let alike = || dimension(piece) == dimension(whole) && has_unit(whole) && has_unit(piece);
    if !whole.conclusion || !alike() || [piece, whole].iter().any(|number| number.standing == Standing::Operand) {
        return None;
    }
    let line = &scene.lines[whole.line];
    gap(line, piece, whole)?;
    // `ms per phase` may have been read as the unit.
    let behind = line.text().get(piece.mention.number.end..whole.mention.range.start)?;
    let each = |word: &str| matches!(word, "a" | "an" | "per" | "each" | "every" | "je" | "pro" | "/");
    let each_behind = behind.split_whitespace().take(3).any(|word| each(word.to_lowercase().trim_end_matches(',')));
    // `every step costs 20 µs, in sum 1.24 ms`
    let clause = &line.text()[line.range.start..piece.mention.range.start];
    let clause = &clause[clause.rfind([',', ';', '.', ':', '(', '\n']).map_or(0, |at| at + 1)..];
    let each = each_behind || clause.split_whitespace().rev().take(4).any(|word| is_each(&word.to_lowercase()));
    if !each {
        return None;
    }
    let (one, all) = (value(piece)?.to_f64(), value(whole)?.to_f64());
    let pieces = (all / one).round();
    let slack = half_place(piece).to_f64() * pieces + half_place(whole).to_f64();
    ((2.0..=MOST_PIECES).contains(&pieces) && (one * pieces - all).abs() <= slack && slack < 0.4 * one)
        .then_some(GoesOn { from: at - 1, how: How::Whole })
}

/// Whether a word before a value says that it is that of each of several: `every step costs 20 µs`.
fn is_each(word: &str) -> bool {
    matches!(word, "each" | "every" | "je" | "jeder" | "jede" | "jedes")
}

/// The value of one of the pieces that are counted before the whole is said: `1.32 ms each, there are 2480 of them, together
/// 3.28 s`.
fn counted(scene: &Scene, at: usize) -> Option<GoesOn> {
    let from = at.checked_sub(2)?;
    let [piece, count, whole] = [from, at - 1, at].map(|at| &scene.numbers[at]);
    let line = &scene.lines[whole.line];
    gap(line, piece, count).and(gap(line, count, whole))?;
    let free = |number: &Number| matches!(number.standing, Standing::Free | Standing::End);
    let alike = dimension(piece) == dimension(whole) && has_unit(whole) && has_unit(piece) && !dimension(whole).is_none();
    let pieces = value(count).filter(|count| count.is_whole() && *count > Value::ONE).filter(|_| dimension(count).is_none())?;
    let (one, all) = (value(piece)?, value(whole)?);
    let slack = half_place(piece) * pieces + half_place(whole);
    let fits = (one * pieces - all).abs() <= slack && slack < all;
    (alike && fits && [piece, count, whole].iter().all(|number| free(number))).then_some(GoesOn { from, how: How::Whole })
}

/// The result that work goes on from with an operator: `= 104 ms, times 62/32 = 201.5 ms`.
fn worked_on(scene: &Scene, at: usize) -> Option<GoesOn> {
    let number = &scene.numbers[at];
    let chain = number.chain.filter(|chain| *chain > 0 && number.standing == Standing::End)?;
    let (before, here) = (&scene.chains[chain - 1], &scene.chains[chain]);
    if before.line != here.line || before.chain.range.end > here.chain.range.start {
        return None;
    }
    let line = &scene.lines[here.line];
    let rest = line.text().get(before.chain.range.end..number.mention.range.start)?;
    let rest = rest.trim_start_matches([' ', ',', ';', '.', ')', '\n']);
    let rest = ["and then ", "and ", "then ", "und ", "dann "].iter().find_map(|word| rest.strip_prefix(word)).unwrap_or(rest);
    let operator = |signs: &[&str]| {
        signs
            .iter()
            .any(|sign| rest.strip_prefix(sign).is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '(')))
    };
    let inside = |other: &usize| scene.numbers[*other].chain == Some(chain - 1) && scene.numbers[*other].standing == Standing::End;
    let from = (line.numbers.start.max(at.saturating_sub(MOST_BETWEEN))..at).rev().find(inside)?;
    let how = if operator(&["+", "plus "]) {
        How::Added
    } else if operator(&["×", "·", "*", "⋅", "x ", "times ", "mal ", "/", "÷", "divided by ", "geteilt durch "])
        || goes_into(scene, line.text().get(before.chain.range.end..here.chain.range.start)?, from, at)
    {
        How::Worked
    } else {
        return None;
    };
    Some(GoesOn { from, how })
}

/// Whether a result goes into the work right behind it: the 0.104 s of `2.6/25 = 0.104 s, then 62/32 × 0.104 s = 201.5 ms`.
fn goes_into(scene: &Scene, between: &str, from: usize, at: usize) -> bool {
    const LINKS: [&str; 10] = ["then", "so", "and", "thus", "hence", "und", "dann", "also", "damit", "which"];
    let linked = between.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).all(|word| LINKS.contains(&word));
    let result = &scene.numbers[from];
    let is_it = |operand: &Number| {
        operand.chain == scene.numbers[at].chain && value(operand) == value(result) && dimension(operand) == dimension(result)
    };
    linked && has_unit(result) && scene.numbers[from + 1..at].iter().any(is_it)
}

/// What stands between two numbers of one sentence.
fn gap<'l>(line: &'l Line, one: &Number, other: &Number) -> Option<&'l str> {
    let range: Range<usize> = one.mention.range.end..other.mention.range.start;
    let near = one.line == other.line && range.start <= range.end && range.len() <= REACH;
    let sentence = |at: usize| line.words.sentence_at(at);
    (near && sentence(one.mention.range.start) == sentence(other.mention.range.start)).then(|| line.text().get(range)).flatten()
}

fn value(number: &Number) -> Option<Value> {
    number.mention.readings.first().filter(|reading| reading.high.is_none()).map(|reading| reading.value)
}

fn half_place(number: &Number) -> Value {
    number.mention.readings.first().map_or(Value::ZERO, |reading| reading.written.last_place / Value::from(2))
}

fn has_unit(number: &Number) -> bool {
    number.mention.readings.first().is_some_and(|reading| reading.unit.is_some())
}

fn dimension(number: &Number) -> crate::quantity::Dimension {
    number.mention.readings.first().and_then(|reading| reading.unit.as_ref()).map(|unit| unit.dimension).unwrap_or_default()
}
