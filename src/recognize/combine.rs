//! Numbers that belong together: ranges, uncertainties, compounds, shares, and lists that share a unit.
//!
//! One walk over the atoms; each looks at the few bytes between itself and its neighbour.

use std::ops::Range;

use smallvec::smallvec;

use crate::quantity::{Dimension, Loose, Number, Units, Written};

use super::mood::without_end;
use super::scan::{Atom, reading};
use super::tail::{self, Head, Scaled};
use super::{Kind, Reading, Readings, literal};

/// Bytes between two numbers that may belong together.
const WIDEST: usize = 24;

pub(super) fn combine(text: &str, units: &Units, atoms: &mut Vec<Atom>) {
    atoms.dedup_by(|atom, last| {
        // What a bracket's tail has taken in is no number of its own: `(1.2 ± 0.3) × 10^9 B`.
        if atom.range.start < last.range.end {
            return true;
        }
        let joined = join(text, units, last, atom);
        let joins = joined.is_some();
        if let Some(joined) = joined {
            *last = joined;
        }
        joins
    });
    atoms.retain(|atom| !atom.readings.is_empty());
    share_units(text, atoms);
}

/// Two neighbours as one, where they belong together. One without readings is no quantity after all.
fn join(text: &str, units: &Units, first: &Atom, second: &Atom) -> Option<Atom> {
    // Years that were found to be some are no quantity that anything belongs to.
    let quantities = !first.readings.is_empty() && !second.readings.is_empty();
    if !quantities || second.range.start < first.range.end || second.range.start - first.range.end > WIDEST {
        return None;
    }
    let gap = &text[first.range.end..second.range.start];
    if first.kind == Kind::Exact && second.kind == Kind::Exact {
        match joint(text, gap, first, second) {
            Some(Joint::Range) => return Some(range(text, units, first, second)),
            Some(Joint::PlusMinus) => return Some(plus_minus(text, units, first, second)),
            Some(Joint::Share | Joint::Over) => return Some(share(first, second)),
            Some(Joint::Point) => {
                let places = i32::try_from(second.number.len()).unwrap_or(i32::MAX);
                let value = first.plain + second.plain * Number::decimal(1, -places);
                let mut joined = share(first, second);
                joined.readings[0].value = value;
                joined.plain = value;
                joined.kind = Kind::Exact;
                return Some(joined);
            }
            Some(Joint::Years) => {
                return Some(Atom { readings: Readings::new(), range: first.range.start..second.range.end, ..second.clone() });
            }
            None => {}
        }
    }
    let goes_on = matches!(first.kind, Kind::Exact | Kind::Compound) && second.kind == Kind::Exact;
    if goes_on { compound(text, units, gap, first, second) } else { None }
}

enum Joint {
    Range,
    PlusMinus,
    Share,
    Over,
    Point,
    Years,
}

fn joint(text: &str, gap: &str, first: &Atom, second: &Atom) -> Option<Joint> {
    let word = gap.trim_matches([' ', '\u{a0}', '\u{2009}', '\u{202f}']);
    if word.len() > "plus or minus".len() {
        return None;
    }
    let bare = first.is_bare() && second.is_bare() && !second.signed;
    if second.signed && word.is_empty() {
        return None;
    }
    match word {
        "±" | "+/-" | "+/−" | "+-" | "plus or minus" | "∓" => return Some(Joint::PlusMinus),
        "out of" | "of" => {
            let bare = first.is_bare() && second.unit.is_none() && second.scale == Number::ONE && !first.signed;
            let whole = |atom: &Atom| atom.plain.to_ratio().is_some_and(|ratio| ratio.is_integer()) && atom.digits.decimals == 0;
            return (bare && whole(first) && whole(second) && first.plain <= second.plain && !second.plain.is_zero())
                .then_some(Joint::Share);
        }
        "in" if bare && is_odds(first, second) && !second.may_be_year(text) => {
            return Some(Joint::Share);
        }
        "point"
            if bare && gap == " point " && first.digits.decimals == 0 && second.digits.decimals == 0 && !first.spoken && !second.spoken =>
        {
            return Some(Joint::Point);
        }
        "over" if bare && !second.plain.is_zero() => return Some(Joint::Over),
        _ => {}
    }
    let word = word.strip_prefix('-').filter(|rest| *rest == "to").unwrap_or(word);
    let dash = matches!(word, "-" | "–" | "—" | "−" | "--" | "‐" | "‑" | "‒");
    let spaced = gap.len() > word.len();
    let between = || without_end(before(text, first.range.start, 10).trim_end(), "between").is_some();
    let interval = || text[..first.range.start].ends_with('[') && text[second.range.end..].starts_with(']');
    let is_range = match word {
        "to" | "through" | "up to" => !change(text, first) || first.value() < second.value() && from(text, first) && !changes(text, first),
        ".." | "..." | "…" | "~" | "∼" | "～" => !spaced || word != "~",
        "and" => between(),
        "," => interval(),
        _ if dash => !(spaced && (subtraction(text, second) || word == "-" && first.unit.is_some() && second.unit.is_none())),
        _ => false,
    };
    if !is_range {
        return None;
    }
    if first.may_be_year(text) && second.may_be_year(text) {
        return Some(Joint::Years);
    }
    // A bound's unit may stand with both or with the second alone.
    let dimension = |atom: &Atom| atom.readings[0].unit.as_ref().map(|unit| unit.dimension);
    match (dimension(first), dimension(second)) {
        (Some(a), Some(b)) if a != b => return None,
        (Some(_), None) => return None,
        _ => {}
    }
    if first.noun.is_some() {
        return None;
    }
    let rises = match (dimension(first), dimension(second)) {
        (None, Some(_)) => first.plain < second.plain || first.plain < second.plain * second.scale,
        _ => first.value() < second.value(),
    };
    rises.then_some(Joint::Range)
}

/// `1 in 500`, `3 in 4`: how many of how many.
fn is_odds(first: &Atom, second: &Atom) -> bool {
    let whole = first.digits.decimals == 0 && second.digits.decimals == 0;
    let round = [3, 4, 5, 10, 100, 1000].iter().any(|of| second.plain == Number::from(*of));
    whole && (first.plain == Number::ONE && second.plain > Number::from(2) || round && first.plain < second.plain && !first.plain.is_zero())
}

/// Whether a dash with spaces is a minus: the result follows.
fn subtraction(text: &str, second: &Atom) -> bool {
    text[second.range.end..].trim_start_matches([' ', ')']).starts_with(['=', '≈', '+', '*', '×'])
}

fn from(text: &str, first: &Atom) -> bool {
    without_end(before(text, first.range.start, 6).trim_end(), "from").is_some()
}

/// Whether two values joined by `to` may be a change rather than a range.
fn change(text: &str, first: &Atom) -> bool {
    from(text, first) || changes(text, first)
}

/// Whether a verb of change stands close before.
fn changes(text: &str, first: &Atom) -> bool {
    const STEMS: &[&str] = &[
        "chang", "climb", "cut", "declin", "decreas", "drop", "fall", "fell", "goes", "grew", "grow", "improv", "increas", "jump", "lower",
        "rais", "reduc", "rise", "rose", "scal", "shr", "slow", "speed", "went",
    ];
    let before = before(text, first.range.start, 40).to_ascii_lowercase();
    let sentence = before.rsplit(['.', ';', '\n']).next().unwrap_or("");
    sentence.split([' ', ',', '(']).any(|word| !word.ends_with("er") && STEMS.iter().any(|stem| word.starts_with(stem)))
}

/// The text before a place, no further back than `most` bytes.
pub(super) fn before(text: &str, at: usize, most: usize) -> &str {
    let mut from = at.saturating_sub(most);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..at]
}

impl Atom {
    fn value(&self) -> Number {
        self.readings[0].value
    }

    /// How its first reading takes scale and unit.
    fn factor(&self) -> Number {
        self.readings[0].unit.as_ref().map_or(self.scale, |unit| self.scale * unit.factor)
    }
}

/// A bracket around two numbers, and the scale and unit behind it: `(12 ± 3) ms`, `[3, 5] ms`, `(1.2 ± 0.3) × 10^9 B`.
struct Around {
    range: Range<usize>,
    unit: Option<Range<usize>>,
    senses: Vec<Scaled>,
}

fn around(text: &str, units: &Units, range: &Range<usize>) -> Option<Around> {
    let open = text[..range.start].chars().next_back().filter(|c| matches!(c, '(' | '['))?;
    let close = text[range.end..].chars().next().filter(|c| matches!((open, c), ('(', ')') | ('[', ']' | ')')))?;
    let mut end = range.end + close.len_utf8();
    let mut scale = Number::ONE;
    // A power of ten behind a bracket reads like one behind a 1.
    let rest: String = text[end..].chars().take(24).collect();
    if let Some(literal) =
        literal::read(&format!("1{rest}"), literal::Manner::default()).filter(|literal| literal.form == literal::Form::Scientific)
    {
        scale = literal.value;
        end += literal.len - 1;
    }
    let tail = tail::read(units, text, end, Head::spoken())?;
    (scale != Number::ONE || tail.unit.is_some()).then(|| Around {
        range: range.start - open.len_utf8()..tail.end,
        unit: tail.unit,
        senses: tail.senses.iter().map(|scaled| Scaled { scale: scaled.scale * scale, ..scaled }).collect(),
    })
}

fn range(text: &str, units: &Units, first: &Atom, second: &Atom) -> Atom {
    let whole = first.range.start..second.range.end;
    let mut readings: Readings;
    let mut joined;
    if let Some(around) = (first.is_bare() && second.is_bare()).then(|| around(text, units, &whole)).flatten() {
        readings = around.senses.iter().map(|scaled| bounds(first, second, scaled.clone())).collect();
        joined = Atom { range: around.range, unit: around.unit, ..second.clone() };
    } else {
        // The scale and unit of the second belong to both, where the first has none.
        let shared = first.is_bare();
        readings = second.readings.clone();
        for reading in &mut readings {
            let factor = match &reading.unit {
                Some(unit) => unit.factor * second.scale,
                None => second.scale,
            };
            reading.high = Some(reading.value);
            reading.value = if shared { first.plain * factor } else { first.readings[0].value };
        }
        if !shared {
            readings.truncate(1);
        }
        joined = Atom { range: whole, ..second.clone() };
    }
    joined.number = first.number.start..joined.number.end;
    joined.readings = readings;
    joined.plain = first.plain;
    joined.kind = Kind::Range;
    joined
}

fn bounds(first: &Atom, second: &Atom, scaled: Scaled) -> Reading {
    let high = reading(second.plain, &second.digits, scaled.clone(), None);
    let low = reading(first.plain, &first.digits, scaled, None);
    Reading { high: Some(high.value), ..low }
}

fn plus_minus(text: &str, units: &Units, first: &Atom, second: &Atom) -> Atom {
    let whole = first.range.start..second.range.end;
    let symbol = |atom: &Atom| atom.readings[0].unit.as_ref().map(|unit| unit.symbol.clone());
    let relative = symbol(second).as_deref() == Some("%") && symbol(first).as_deref() != Some("%") && !first.is_bare();
    let around = if first.is_bare() && second.is_bare() { around(text, units, &whole) } else { None };
    let (readings, half, range, unit) = if let Some(around) = around {
        let readings: Readings = around.senses.iter().map(|scaled| reading(first.plain, &first.digits, scaled.clone(), None)).collect();
        let half = reading(second.plain, &second.digits, around.senses[0].clone(), None).value;
        (readings, half, around.range, around.unit)
    } else if relative {
        (first.readings.clone(), (first.value() * second.value()).abs(), whole, first.unit.clone())
    } else if first.is_bare() {
        // The unit of the second belongs to both.
        let readings: Readings = second
            .readings
            .iter()
            .map(|of| {
                let factor = of.unit.as_ref().map_or(second.scale, |unit| unit.factor * second.scale);
                Reading {
                    value: first.plain * factor,
                    written: Written { last_place: first.digits.last_place * factor, ..written(first) },
                    ..of.clone()
                }
            })
            .collect();
        (readings, second.value(), whole, second.unit.clone())
    } else {
        let half = if second.is_bare() { second.plain * first.factor() } else { second.value() };
        (first.readings.clone(), half, whole, first.unit.clone())
    };
    Atom {
        range,
        number: first.number.start..second.number.end,
        unit,
        readings,
        kind: Kind::PlusMinus(half),
        noun: second.noun.clone(),
        ..first.clone()
    }
}

fn written(atom: &Atom) -> Written {
    Written {
        figures: atom.digits.figures,
        decimals: atom.digits.decimals,
        exponent: atom.digits.exponent,
        last_place: atom.digits.last_place,
    }
}

fn share(first: &Atom, second: &Atom) -> Atom {
    let value = first.plain / second.plain;
    let digits = literal::exact_digits();
    let scaled = Scaled { scale: Number::ONE, unit: None, loose: None };
    let range = first.range.start..second.number.end;
    Atom {
        number: range.clone(),
        range,
        unit: None,
        noun: second.noun.clone(),
        readings: smallvec![reading(value, &digits, scaled, None)],
        plain: value,
        scale: Number::ONE,
        digits,
        kind: Kind::Share,
        approximate: first.approximate,
        spoken: first.spoken && second.spoken,
        signed: false,
        smallest: None,
        shared: None,
    }
}

/// `1 h 30 min`, `2 min 5 s`, `13 years and 4.5 months`, `1h30`.
fn compound(text: &str, units: &Units, gap: &str, first: &Atom, second: &Atom) -> Option<Atom> {
    let large = first.readings[0].unit.clone()?;
    let word = gap.trim_matches(' ');
    let close = matches!(word, "" | "and" | "," | ", and" | "&") && !gap.contains('\n');
    if !close || second.signed || first.scale != Number::ONE {
        return None;
    }
    let parts = [
        Dimension::TIME,
        Dimension::of(&[(crate::quantity::Base::Length, 1)]),
        Dimension::of(&[(crate::quantity::Base::Mass, 1)]),
        Dimension::of(&[(crate::quantity::Base::Angle, 1)]),
    ];
    if !parts.contains(&large.dimension) {
        return None;
    }
    // The next smaller unit, or minutes that are left unsaid: `1h30`, `2 hours ten`.
    let unsaid = second.is_bare() && second.plain <= Number::from(59) && large.symbol == "h";
    let ends = || {
        !text[second.range.end..]
            .trim_start_matches(' ')
            .starts_with(|c: char| c.is_alphanumeric() || matches!(c, '=' | '*' | '×' | '·' | '/'))
    };
    let spelled = || matches!(word, "" | "and") && first.unit.as_ref().is_some_and(|unit| unit.len() > 2) && ends();
    let small = if unsaid && (gap.is_empty() || spelled()) {
        units.read("min").into_iter().next()
    } else {
        let mut units = second.readings.iter().filter_map(|reading| reading.unit.clone());
        units.find(|unit| unit.dimension == large.dimension && unit.factor < last_factor(first))
    };
    let whole = |atom: &Atom| atom.digits.decimals == 0;
    let small = small.filter(|small| whole(first) && second.plain * small.factor < last_factor(first) && second.scale == Number::ONE)?;
    // Words of sentences join only what is spelled as one duration.
    if !word.is_empty() && large.dimension != Dimension::TIME {
        return None;
    }
    let value = first.readings[0].value + second.plain * small.factor;
    let last = second.digits.last_place * small.factor;
    let mut joined = first.clone();
    joined.range.end = second.range.end;
    joined.number.end = second.number.end;
    joined.unit = None;
    joined.noun = second.noun.clone();
    joined.kind = Kind::Compound;
    joined.digits.decimals = second.digits.decimals;
    joined.readings.truncate(1);
    let reading = &mut joined.readings[0];
    reading.value = value;
    reading.loose = None;
    reading.written = Written { last_place: last, decimals: second.digits.decimals, ..reading.written };
    joined.smallest = Some(small.factor);
    Some(joined)
}

/// The size of the smallest unit of a compound so far.
fn last_factor(atom: &Atom) -> Number {
    atom.smallest.or_else(|| atom.readings[0].unit.as_ref().map(|unit| unit.factor)).unwrap_or(Number::ONE)
}

/// `16, 32 and 64 GB`, `either 4 or 5 ms`: a bare number takes the unit of the list that it stands in, as its likeliest reading.
fn share_units(text: &str, atoms: &mut [Atom]) {
    for at in (1..atoms.len()).rev() {
        let (left, right) = atoms.split_at_mut(at);
        let (Some(first), Some(second)) = (left.last_mut(), right.first()) else { continue };
        if !first.is_bare()
            || first.readings.len() != 1 && first.readings.iter().any(|reading| reading.unit.is_some())
            || second.range.start < first.range.end
        {
            continue;
        }
        let gap = &text[first.range.end..second.range.start];
        let listed = gap.len() <= WIDEST
            && matches!(
                gap.trim_matches(' '),
                "and"
                    | "or"
                    | ","
                    | ", and"
                    | ", or"
                    | "vs"
                    | "vs."
                    | "versus"
                    | "to"
                    | "&"
                    | "/"
                    | "and then"
                    | "respectively"
                    | "->"
                    | "→"
            )
            && gap != ",";
        let unit = second.readings[0].unit.as_ref();
        if !listed || unit.is_none() || second.kind == Kind::Compound || second.unit.is_none() && second.shared.is_none() {
            continue;
        }
        let money = unit.is_some_and(|unit| unit.dimension == Dimension::of(&[(crate::quantity::Base::Money, 1)]));
        if money || first.spoken && !second.spoken {
            continue;
        }
        let scale = second.scale;
        let taken: Vec<Reading> = second
            .readings
            .iter()
            .take(2)
            .filter_map(|of| of.unit.clone())
            .map(|unit| {
                let factor = unit.factor * scale;
                let written = Written { last_place: first.digits.last_place * factor, ..written(first) };
                Reading { value: first.plain * factor, high: None, unit: Some(unit), written, loose: Some(Loose::Shared) }
            })
            .collect();
        first.shared = second.unit.clone().or_else(|| second.shared.clone());
        first.readings.insert_many(0, taken);
    }
}
