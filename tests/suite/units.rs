//! The unit table against itself (what we print, we read back) and against an independent one.

use drillmark::answer::{Answer, Kind};
use drillmark::formula::{self, KnownNames, Style};
use drillmark::quantity::{Base, Dimension, Number, Unit, Units};
use drillmark::recognize::{self, Reading};
use proptest::prelude::*;

/// The one quantity of a text, and whether it takes all of it.
fn read_back(text: &str, style: Style) -> Option<(Reading, bool)> {
    let (text, kind) = if style == Style::Latex { (format!("${text}$"), Kind::Markdown) } else { (text.to_owned(), Kind::Text) };
    let answer = Answer::read("text", text, kind);
    let block = answer.blocks.first()?;
    let mut mentions = recognize::read(&answer, &Units::standard(), &KnownNames::default()).swap_remove(0).mentions;
    let whole = mentions.first()?.range == (0..block.passage.text().len());
    (mentions.len() == 1).then(|| (mentions.swap_remove(0).readings.swap_remove(0), whole))
}

/// Every unit of the table with every prefix, alone and as a rate.
fn units() -> Vec<Unit> {
    let second = Units::standard().read("s").swap_remove(0);
    let rate = |unit: &Unit| {
        let dimension = unit.dimension.over(second.dimension)?;
        (!unit.symbol.contains('/') && !unit.dimension.is_none()).then(|| Unit::new(format!("{}/s", unit.symbol), dimension, unit.factor))
    };
    // `1.24 pm` is a time of the day.
    Units::every().filter(|unit| unit.symbol != "pm").flat_map(|unit| rate(&unit).into_iter().chain([unit])).collect()
}

fn written(value: Number, unit: &Unit, style: Style) -> Result<(), String> {
    let text = formula::quantity(value * unit.factor, Some(unit), style);
    let Some((reading, whole)) = read_back(&text, style) else { return Err(format!("{text:?} is not read as one quantity")) };
    let found = reading.unit.as_ref().map_or("", |unit| &unit.symbol);
    let (wanted, got) = ((value * unit.factor).to_f64(), reading.value.to_f64());
    let same = (wanted - got).abs() <= 1e-7 * wanted.abs();
    if found == unit.symbol && same && whole {
        return Ok(());
    }
    Err(format!("{text:?} is read as {got} in SI (not {wanted}), unit {found:?}{}", if whole { "" } else { ", in part" }))
}

#[test]
fn every_unit_is_read_back_in_every_style() {
    let mut wrong = Vec::new();
    for unit in units() {
        for style in [Style::Plain, Style::Unicode, Style::Latex] {
            for value in [Number::decimal(124, -2), Number::from(512), Number::decimal(26, 8), Number::decimal(5, -7)] {
                wrong.extend(written(value, &unit, style).err());
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n"));
}

/// What quantities are made of, to be put together without sense.
const PIECES: &[&str] = &[
    "1",
    "12",
    "2024",
    "1.5",
    "1,234",
    "0x1f",
    "1e",
    "e9",
    "10^",
    "10⁹",
    "⁻¹",
    "²",
    "×",
    "x",
    "·",
    "*",
    "/",
    "-",
    "−",
    "–",
    "±",
    "+",
    "(",
    ")",
    "[",
    "]",
    "%",
    "‰",
    "°",
    "C",
    "$",
    "€",
    "US$",
    "GB",
    "gb",
    "ms",
    "µs",
    "/s",
    " per ",
    "s^-1",
    "FLOPs",
    "k",
    "M",
    "B",
    "m",
    " ",
    "  ",
    "\n",
    "\u{a0}",
    "\u{200b}",
    "\u{ad}",
    ",",
    ".",
    ":",
    ";",
    "=",
    "≈",
    "→",
    "~",
    "<",
    ">=",
    "|",
    "`",
    "#",
    "_",
    "one",
    "twenty",
    "hundred",
    "million",
    " and ",
    "a half",
    "half",
    "third",
    "point",
    "to",
    "of",
    " out of ",
    "from",
    "between",
    "about",
    "at most",
    "not ",
    ", no wait, ",
    "pm",
    "th",
    "May",
    "in ",
    "Section",
    "H100",
    "bf16",
    "½",
    "é",
    "𝟙",
    "字",
    "\u{1b}[31m",
    "O(",
    "dozen",
    "minus ",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_is_read_back(mantissa in 1_i128..99_999_999, exponent in -15_i32..15, at in any::<prop::sample::Index>(), style in 0_usize..3) {
        let units = units();
        let style = [Style::Plain, Style::Unicode, Style::Latex][style];
        let told = written(Number::decimal(mantissa, exponent), &units[at.index(units.len())], style);
        prop_assert!(told.is_ok(), "{}", told.unwrap_err());
    }

    #[test]
    fn no_text_breaks_the_recognizer(text in "[ -~\u{a0}-\u{ff}€µ×·–−⁹½≈\n]{0,60}", pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24)) {
        for text in [text, pieces.concat()] {
        let answer = Answer::read("text", text, Kind::Text);
        for (block, found) in answer.blocks.iter().zip(recognize::read(&answer, &Units::standard(), &KnownNames::default())) {
            let mut end = 0;
            for mention in found.mentions {
                prop_assert!(mention.range.start >= end && mention.range.end <= block.passage.text().len());
                prop_assert!(!mention.readings.is_empty() && block.passage.text().get(mention.range.clone()).is_some());
                end = mention.range.end;
            }
            for chain in found.chains {
                prop_assert!(chain.links.iter().all(|link| block.passage.text().get(link.range.clone()).is_some()));
            }
        }
        }
    }
}

/// The base units of a dimension as fend spells them.
fn base(dimension: Dimension) -> Option<&'static str> {
    let energy = Dimension::of(&[(Base::Mass, 1), (Base::Length, 2), (Base::Time, -2)]);
    let power = energy.over(Dimension::TIME)?;
    let names = [
        (Dimension::DATA, "bytes"),
        (Dimension::TIME, "seconds"),
        (Dimension::DATA_RATE, "bytes/second"),
        (Dimension::PER_TIME, "1/second"),
        (Dimension::of(&[(Base::Length, 1)]), "meters"),
        (Dimension::of(&[(Base::Mass, 1)]), "kg"),
        (energy, "joules"),
        (power, "watts"),
        (Dimension::of(&[(Base::Current, 1)]), "amperes"),
        (Dimension::of(&[(Base::Temperature, 1)]), "kelvin"),
        (Dimension::of(&[(Base::Length, 3)]), "m^3"),
        (Dimension::of(&[(Base::Mass, 1), (Base::Length, -1), (Base::Time, -2)]), "pascals"),
        (Dimension::of(&[(Base::Mass, 1), (Base::Length, 1), (Base::Time, -2)]), "newtons"),
        (power.over(Dimension::of(&[(Base::Current, 1)]))?, "volts"),
    ];
    names.iter().find(|(known, _)| *known == dimension).map(|(_, name)| *name)
}

/// Another year and month, scales with another zero, and turns counted as angles.
const OTHERWISE: &[&str] = &["mo", "yr", "decade", "century", "quarter", "°C", "°F", "rpm", "rps"];

#[test]
fn sizes_agree_with_an_independent_table() {
    let mut context = fend_core::Context::new();
    let (mut compared, mut wrong) = (0, Vec::new());
    for unit in Units::every() {
        let Some(base) = base(unit.dimension).filter(|_| !OTHERWISE.contains(&unit.symbol.as_str())) else { continue };
        let Ok(result) = fend_core::evaluate(&format!("1 {} to {base}", unit.symbol), &mut context) else { continue };
        let number = result.get_main_result().trim_start_matches("approx. ").split(' ').next().unwrap_or("").to_owned();
        let Ok(theirs) = number.parse::<f64>() else { continue };
        compared += 1;
        // fend prints ten figures.
        if (theirs - unit.factor.to_f64()).abs() > 1e-8 * theirs {
            wrong.push(format!("1 {} is {} {base}, not {theirs}", unit.symbol, unit.factor.to_f64()));
        }
    }
    assert!(compared > 150, "only {compared} units are known to both");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
