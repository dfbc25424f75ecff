//! Texts as they come: markup is taken off before a number is read, and in prose the statement is found first.

use std::borrow::Cow;

use drillmark::answer::{Answer, Kind};
use drillmark::formula::KnownNames;
use drillmark::quantity::{Number, Units, Written};
use drillmark::recognize::short::{Beside, Form, Short, Unreadable};
use drillmark::recognize::{self, Context, Mention, Reading};

/// A text without LaTeX and HTML: `\frac{1}{4}` is `(1)/(4)`, `10<sup>9</sup>` is `10^9`.
///
/// A short answer is not Markdown: the stars of `2*3*4` are no emphasis, and `$1332` is no formula.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let formula = text.contains('\\') || text.matches('$').count() > 1;
    if !formula && !text.contains('<') {
        return Cow::Borrowed(text);
    }
    if formula && !text.contains('$') {
        return Cow::Owned(flat(&format!("${text}$")));
    }
    let mut shielded = String::with_capacity(text.len() + 8);
    for c in tight(text).chars() {
        if matches!(c, '*' | '_' | '`' | '~') {
            shielded.push('\\');
        }
        shielded.push(c);
    }
    Cow::Owned(flat(&shielded))
}

/// Formulas without spaces inside their dollar signs: `$ 1/3 $` is no formula in Markdown, though it is meant as one.
fn tight(text: &str) -> Cow<'_, str> {
    let pieces: Vec<&str> = text.split('$').collect();
    if pieces.len() < 3 || pieces.len().is_multiple_of(2) {
        return Cow::Borrowed(text);
    }
    let is_formula = |piece: &str| piece.contains(['\\', '=']) || !piece.contains(char::is_alphabetic);
    let tight: Vec<&str> =
        pieces.iter().enumerate().map(|(at, piece)| if at % 2 == 1 && is_formula(piece) { piece.trim() } else { piece }).collect();
    Cow::Owned(tight.join("$"))
}

/// The text that a reader of Markdown sees.
fn flat(text: &str) -> String {
    let answer = Answer::read("short answer", text, Kind::Markdown);
    let texts: Vec<&str> = answer.blocks.iter().map(|block| block.passage.text()).collect();
    texts.join(" ")
}

/// The quantity that a text in prose states: the last one that is not taken back.
pub(super) fn last_quantity(text: &str, units: &Units) -> Result<Short, Unreadable> {
    let symbols = KnownNames::default();
    let context = Context { units, symbols: &symbols, unit_hint: None };
    let answer = Answer::read("short answer", tight(text), Kind::Markdown);
    let mentions: Vec<Mention> = answer
        .blocks
        .iter()
        .flat_map(|block| recognize::recognize(&block.passage, &context).mentions)
        .filter(|mention| !mention.withdrawn)
        .collect();
    mentions.last().map(|mention| short(&mention.readings[0])).ok_or(Unreadable::NoNumber)
}

/// A reading as a short answer gives it: the number before its unit.
fn short(reading: &Reading) -> Short {
    let size = reading.unit.as_ref().map_or(Number::ONE, |unit| unit.factor);
    let written = Written { last_place: reading.written.last_place / size, ..reading.written };
    let unit = match &reading.unit {
        Some(unit) => Beside::Unit(vec![drillmark::quantity::Sense { unit: unit.clone(), loose: reading.loose }]),
        None => Beside::Nothing,
    };
    let form = reading.high.map_or(Form::Numeral, |high| Form::Range { high: high / size });
    Short { number: reading.value / size, written: Some(written), form, unit }
}
