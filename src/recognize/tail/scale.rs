//! Scales behind a number: words (`2.5 million`), letters (`7B`, `300k`), and what may follow them.

use std::rc::Rc;

use crate::quantity::{Loose, Number, Sense, Units, is_noun};
use crate::recognize::literal::Form;
use crate::recognize::words;

use super::{Head, Scaled, Senses, Tail, behind_and, ends_word, word_and_run};

/// Takes scale and unit letters in, and what was found behind them.
pub(super) fn accept(tail: &mut Tail, gap: usize, len: usize, senses: Senses, more: Option<More>) {
    let start = tail.end + gap;
    if senses.unit().is_some() {
        tail.unit = Some(start..start + len);
    }
    tail.end = start + len;
    tail.senses = senses;
    match more {
        Some(More::Unit(gap, len, units)) => {
            let at = tail.end + gap;
            tail.unit = Some(at..at + len);
            tail.end = at + len;
            tail.senses = Senses::Units(tail.senses.scale(), units);
        }
        Some(More::Noun(gap, len)) => tail.noun = Some(tail.end + gap..tail.end + gap + len),
        None => {}
    }
}

/// What stands behind a scale letter.
pub(super) enum More {
    Unit(usize, usize, Rc<[Sense]>),
    Noun(usize, usize),
}

/// A unit or noun behind a scale, one space on.
fn more(units: &Units, rest: &str) -> Option<More> {
    // `14.6 k€`
    let sign = rest.starts_with(['€', '$', '£', '¥', '₹']);
    let gap = if sign { rest } else { rest.strip_prefix([' ', '\u{a0}', '-'])? };
    let skipped = rest.len() - gap.len();
    let (word, run) = word_and_run(gap);
    if matches!(word, "x" | "X") || gap.starts_with('×') {
        return None;
    }
    if let Some(found) = units.scan(gap).filter(|found| ends_word(gap, found.len) && found.senses[0].loose != Some(Loose::Case)) {
        let behind = gap[found.len..].trim_start_matches(' ');
        if found.len > 1 || !behind.starts_with(['=', '*', '·', '×']) {
            return Some(More::Unit(skipped, found.len, found.senses));
        }
    }
    (run == word.len() && is_noun(word)).then_some(More::Noun(skipped, word.len()))
}

/// Further scale words, then a unit or noun.
pub(super) fn after_scale(units: &Units, mut rest: &str, mut scale: Number, tail: &mut Tail) {
    while let Some(next) = rest.strip_prefix(' ') {
        let (word, _) = word_and_run(next);
        let Some(factor) = scale_word(word) else { break };
        scale = scale * Number::from(factor);
        tail.end += 1 + word.len();
        rest = &next[word.len()..];
    }
    // `3 million and a quarter`, `9 hundred and 2`.
    if let Some((len, more)) = added(rest, scale) {
        tail.plus = Some(more);
        tail.end += len;
        rest = &rest[len..];
    }
    accept(tail, 0, 0, Senses::Scale(scale), more(units, rest));
}

/// `Mio` with nothing behind it: French mebibytes, or a million in German; with its dot (`1.5 Mio.`) rather that.
pub(super) fn mebi_or_million(units: &Units, rest: &str) -> Option<Senses> {
    if more(units, rest).is_some() || rest.starts_with(['-', '/']) {
        return None;
    }
    let million = Scaled::scale(6, None);
    let unit = units.senses("Mio").into_iter().next().map(|sense| Scaled { scale: Number::ONE, unit: Some(sense), loose: None })?;
    Some(Senses::Mixed(if rest.starts_with('.') { vec![million, unit] } else { vec![unit, million] }))
}

/// What is added behind a scale: a fraction of it, or a smaller number. As a value that the scale does not multiply.
fn added(rest: &str, scale: Number) -> Option<(usize, Number)> {
    let body = behind_and(rest)?;
    if let Some((len, part)) = a_part(body) {
        return Some((rest.len() - body.len() + len, part * scale));
    }
    if let Some(spoken) = words::read(body).filter(|spoken| !spoken.fold && spoken.value < scale && spoken.value >= Number::ONE) {
        return Some((rest.len() - body.len() + spoken.len, spoken.value));
    }
    let size = body.bytes().take(3).take_while(u8::is_ascii_digit).count();
    let small = (1..=2).contains(&size)
        && scale == Number::from(100)
        && !body[size..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | ','));
    small.then(|| body[..size].parse::<i32>().ok().map(|value| (rest.len() - body.len() + size, Number::from(value)))).flatten()
}

/// `a half`, `half`, `a quarter`, `a third`: the share, where nothing more precise follows.
pub(super) fn a_part(text: &str) -> Option<(usize, Number)> {
    let body = text.strip_prefix("a ").or_else(|| text.strip_prefix("an ")).unwrap_or(text);
    let (word, run) = word_and_run(body);
    let parts = match word {
        "half" => 2,
        "quarter" => 4,
        "third" if body.len() < text.len() => 3,
        _ => return None,
    };
    (run == word.len()).then(|| (text.len() - body.len() + word.len(), Number::ONE / Number::from(parts)))
}

/// The scale that a whole word stands for.
pub(in crate::recognize) fn scale_word(word: &str) -> Option<i128> {
    match word {
        "kilo" => Some(1000),
        "mega" => Some(1_000_000),
        "giga" => Some(1_000_000_000),
        "tera" => Some(1_000_000_000_000),
        "mn" | "mln" | "mio" | "Mio" | "mil" => Some(1_000_000),
        "bn" | "bln" | "bil" | "mrd" | "Mrd" => Some(1_000_000_000),
        "tn" | "trn" => Some(1_000_000_000_000),
        _ => words::scale(word),
    }
}

/// A letter that may be a scale (`7B`, `300k`, `16 G`), with every way to take it, likeliest first.
pub(super) fn scale_letter(units: &Units, word: &str, rest: &str, glued: bool, head: Head) -> Option<(Senses, Option<More>)> {
    if word.len() > 2 || head.form == Form::Hex || rest.starts_with(['/', '·', '²', '³']) {
        return None;
    }
    if !matches!(word, "k" | "K" | "M" | "MM" | "G" | "T" | "B" | "b" | "m" | "C" | "Ki" | "Mi" | "Gi" | "Ti") {
        return None;
    }
    let unit = |spelling: &str, loose: Option<Loose>| -> Vec<Scaled> {
        units.senses(spelling).into_iter().take(1).map(|sense| Scaled { scale: Number::ONE, unit: Some(sense), loose }).collect()
    };
    let letter = Some(Loose::Letter);
    let mut senses = Vec::new();
    let behind = more(units, rest);
    let counts = matches!(behind, Some(More::Noun(..)));
    match word {
        "k" => senses.push(Scaled::scale(3, None)),
        "K" if glued => {
            senses.push(Scaled::scale(3, None));
            senses.extend(unit("K", letter));
        }
        "K" => {
            senses.extend(unit("K", None));
            senses.push(Scaled::scale(3, letter));
        }
        "M" => {
            senses.push(Scaled::scale(6, None));
            senses.extend(unit("MB", letter));
        }
        "MM" => senses.push(Scaled::scale(6, letter)),
        "G" => {
            senses.push(Scaled::scale(9, None));
            senses.extend(unit("GB", letter));
        }
        "T" => {
            senses.push(Scaled::scale(12, None));
            senses.extend(unit("TB", letter));
        }
        "B" | "b" if glued || counts => {
            let bytes = unit(word, letter);
            let billion = Scaled::scale(9, letter);
            if !counts && (head.size_like || head.form == Form::Grouped || matches!(head.form, Form::Whole(4..) | Form::Scientific)) {
                senses.extend(bytes);
                senses.push(billion);
            } else {
                senses.push(billion);
                senses.extend(bytes);
            }
        }
        "B" => {
            senses.extend(unit("B", None));
            senses.push(Scaled::scale(9, letter));
        }
        "m" => {
            senses.extend(unit("m", None));
            senses.extend(unit("min", Some(Loose::Spelling)));
            senses.push(Scaled::scale(6, letter));
        }
        "C" if glued => {
            senses.extend(unit("°C", letter));
            senses.extend(unit("C", letter));
        }
        "Ki" | "Mi" | "Gi" | "Ti" => senses.extend(unit(&format!("{word}B"), letter)),
        _ => return None,
    }
    // A unit behind a letter that is one itself is no unit of the number: `2 B per …`.
    let more = if senses[0].unit.is_some() { behind.filter(|more| matches!(more, More::Noun(..))) } else { behind };
    Some((Senses::Mixed(senses), more))
}
