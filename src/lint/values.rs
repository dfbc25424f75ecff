//! The values of a drill against each other: whether mistakes, readings and the answer can be told apart, and whether a
//! tolerance hides what it should show.
//!
//! What is found here is found from the values alone, in microseconds: a variant is drawn again when it has what the
//! drill's own values have not.

use crate::drill::{Ask, AskKind, Drill, Reading, ReadingCredit};
use crate::formula::{ExprKind, Style, quantity};
use crate::lint::Bench;
use crate::quantity::{Base, Dimension, Interval, Number, Unit};

/// Two things that cannot be told apart, or a tolerance that is too wide: of an ask, by its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Conflict {
    pub(super) ask: usize,
    pub(super) kind: Clash,
}

/// What is the matter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Clash {
    /// The mistake of this place is within the answer's tolerance.
    MistakeIsRight(usize),
    /// A mistake and a reading in full.
    MistakeIsReading(usize, usize),
    /// Two mistakes.
    MistakesCoincide(usize, usize),
    /// A reading that is worth less than the answer, within its tolerance.
    ReadingIsReference(usize),
    /// The term of a sum that the tolerance hides.
    HidesTerm(usize),
    /// A whole number whose neighbors pass.
    CountByTolerance,
    /// A count that is not whole.
    CountNotWhole,
}

impl Clash {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Clash::MistakeIsRight(_) => "mistake-is-right",
            Clash::MistakeIsReading(..) => "mistake-is-reading",
            Clash::MistakesCoincide(..) => "mistakes-coincide",
            Clash::ReadingIsReference(_) => "reading-is-reference",
            Clash::HidesTerm(_) => "tolerance-hides-term",
            Clash::CountByTolerance => "count-by-tolerance",
            Clash::CountNotWhole => "count-not-whole",
        }
    }
}

/// Everything that the values of a drill leave open.
pub(super) fn conflicts(drill: &Drill) -> Vec<Conflict> {
    let asks = drill.asks.iter().enumerate();
    asks.flat_map(|(at, ask)| clashes(drill, ask).into_iter().map(move |kind| Conflict { ask: at, kind })).collect()
}

/// What passes for the answer by its value.
pub(super) fn right(ask: &Ask) -> Interval {
    match &ask.kind {
        AskKind::Range(ends) => ask.tolerance.around(ends.low.value()).hull(ask.tolerance.around(ends.high.value())),
        AskKind::Value | AskKind::Count => ask.tolerance.around(ask.formula.value()),
    }
}

fn clashes(drill: &Drill, ask: &Ask) -> Vec<Clash> {
    let mut found = Vec::new();
    let right = right(ask);
    for (at, mistake) in ask.mistakes.iter().enumerate() {
        let value = mistake.formula.value();
        if right.contains(value) {
            found.push(Clash::MistakeIsRight(at));
            continue;
        }
        // Where the mistake has words of its own, they decide.
        if !mistake.words.is_empty() {
            continue;
        }
        let like = |reading: &&(usize, &Reading)| {
            reading.1.credit == ReadingCredit::Full && reading.1.formula.dimension() == mistake.formula.dimension()
        };
        let readings: Vec<(usize, &Reading)> = ask.readings.iter().enumerate().collect();
        let same = |reading: &&(usize, &Reading)| reading.1.tolerance.around(reading.1.formula.value()).contains(value);
        found.extend(readings.iter().filter(like).find(same).map(|(reading, _)| Clash::MistakeIsReading(at, *reading)));
        let others = ask.mistakes.iter().enumerate().skip(at + 1).filter(|(_, other)| other.words.is_empty());
        let same = |other: Number| ask.tolerance.around(value).contains(other) || ask.tolerance.around(other).contains(value);
        found.extend(others.filter(|(_, other)| same(other.formula.value())).map(|(other, _)| Clash::MistakesCoincide(at, other)));
    }
    for (at, reading) in ask.readings.iter().enumerate() {
        let less = matches!(reading.credit, ReadingCredit::PartialIfLabelled | ReadingCredit::Supporting);
        if less && reading.formula.dimension() == ask.formula.dimension() && right.contains(reading.formula.value()) {
            found.push(Clash::ReadingIsReference(at));
        }
    }
    let total = ask.formula.value();
    let without = |term: &&usize| ask.tolerance.around(total).contains(total - drill.asks[**term].formula.value());
    found.extend(ask.sum.iter().find(without).map(|term| Clash::HidesTerm(*term)));
    let is_count = matches!(ask.kind, AskKind::Count);
    let whole = total.to_f64().fract() == 0.0;
    if is_count && !whole {
        found.push(Clash::CountNotWhole);
    }
    if whole && is_count && (right.contains(total + Number::ONE) || right.contains(total - Number::ONE)) {
        found.push(Clash::CountByTolerance);
    }
    found
}

/// Tells of the conflicts, and of what does not change with the values.
pub(super) fn check(bench: &Bench) {
    let drill = bench.drill;
    for Conflict { ask, kind } in conflicts(drill) {
        tell(bench, &drill.asks[ask], &kind);
    }
    for ask in &drill.asks {
        let (thing, width) = (bench.ask(ask), ask.tolerance.share().to_f64());
        if let Some((gap, unit)) = prefix_gap(drill, ask)
            && width >= gap
        {
            let title = format!("`{}` allows {}, {unit} differ by {}", ask.id, percent(width), percent(gap));
            bench.told.tell("tolerance-hides-prefix", thing, thing.at("tolerance"), title);
        }
        for reading in &ask.readings {
            if reading.tolerance.share() > ask.tolerance.share() {
                let thing = bench.reading(ask, &reading.id);
                let (theirs, ours) = (percent(reading.tolerance.share().to_f64()), percent(width));
                let title = format!("the reading `{}` allows {theirs}, `{}` itself {ours}", reading.id, ask.id);
                bench.told.tell("reading-more-lenient", thing, thing.at("tolerance"), title);
            }
        }
    }
}

fn tell(bench: &Bench, ask: &Ask, clash: &Clash) {
    let drill = bench.drill;
    let code = clash.code();
    let thing = bench.ask(ask);
    let width = percent(ask.tolerance.share().to_f64());
    let shown = |value: Number| quantity(value, ask.unit.as_ref(), Style::Unicode);
    let off = |value: Number, from: Number| percent(((value - from) / from).to_f64().abs());
    let answer = ask.formula.value();
    let reason = |id: &str| format!("set the two apart, or say why not: `because = {{ {code} = {{ {id} = \"…\" }} }}`");
    match clash {
        Clash::MistakeIsRight(at) => {
            let mistake = &ask.mistakes[*at];
            let here = bench.mistake(ask, &mistake.id);
            let value = mistake.formula.value();
            let apart = match &ask.kind {
                AskKind::Range(_) => "which lies in the range that is right".to_owned(),
                _ if value == answer => "which is the answer".to_owned(),
                _ => format!("{} from the answer; {width} are allowed", off(value, answer)),
            };
            let title = format!("the mistake `{}` comes to {}, {apart}", mistake.id, shown(value));
            bench.told.tell(code, here, here.at("value"), title).also(thing, thing.at("value"), format!("this is {}", shown(answer)));
        }
        Clash::MistakeIsReading(at, reading) => {
            let (mistake, reading) = (&ask.mistakes[*at], &ask.readings[*reading]);
            let (here, there) = (bench.mistake(ask, &mistake.id), bench.reading(ask, &reading.id));
            let (value, other) = (mistake.formula.value(), reading.formula.value());
            let title = format!("the mistake `{}` comes to {}, the reading `{}` to {}", mistake.id, shown(value), reading.id, shown(other));
            let telling = bench.told.tell(code, here, here.at("value"), title).also(there, there.at("value"), "the reading");
            telling.about(reading.id.as_str()).help(reason(&reading.id));
        }
        Clash::MistakesCoincide(at, other) => {
            let (one, other) = (&ask.mistakes[*at], &ask.mistakes[*other]);
            let (here, there) = (bench.mistake(ask, &other.id), bench.mistake(ask, &one.id));
            let (first, second) = (one.formula.value(), other.formula.value());
            let title = format!("the mistakes `{}` and `{}` come to {} and {}", one.id, other.id, shown(first), shown(second));
            let telling = bench.told.tell(code, here, here.at("value"), title).also(there, there.at("value"), "the other");
            telling.about(one.id.as_str()).help(reason(&one.id));
        }
        Clash::ReadingIsReference(at) => {
            let reading = &ask.readings[*at];
            let here = bench.reading(ask, &reading.id);
            let value = reading.formula.value();
            let title = format!(
                "the reading `{}` comes to {}, {} from the answer; {width} are allowed",
                reading.id,
                shown(value),
                off(value, answer)
            );
            bench.told.tell(code, here, here.at("value"), title).also(thing, thing.at("value"), format!("this is {}", shown(answer)));
        }
        Clash::HidesTerm(term) => {
            let term = &drill.asks[*term];
            let share = percent((term.formula.value() / answer).to_f64().abs());
            let title = format!("`{}` is {share} of `{}`, which allows {width}", term.id, ask.id);
            bench.told.tell(code, thing, thing.at("sum"), title).about(term.id.as_str());
        }
        Clash::CountByTolerance => {
            let title = format!("`{}` counts {}, and one more or less passes within {width}", ask.id, shown(answer));
            bench.told.tell(code, thing, thing.at("kind"), title).help("write `tolerance = 0`, or say why near is good enough");
        }
        Clash::CountNotWhole => {
            let title = format!("`{}` is a count, but comes to {}", ask.id, shown(answer));
            bench.told.tell(code, thing, thing.at("value"), title);
        }
    }
}

/// A share as people write it: `0.61 %`.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.005 {
        return "less than 0.01 %".to_owned();
    }
    let places = if percent >= 10.0 || percent == percent.round() { 0 } else { 2 };
    let text = format!("{percent:.places$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
    format!("{text} %")
}

/// The gap between the decimal and the binary prefix that matters for an ask, with the two units: that of its own unit, or
/// the smallest among the givens it is worked out from.
fn prefix_gap(drill: &Drill, ask: &Ask) -> Option<(f64, String)> {
    let data = |dimension: Dimension| dimension.holds(Base::Data);
    if data(ask.formula.dimension()) {
        return ask.unit.as_ref().and_then(gap_of);
    }
    let givens = ask.needs.iter().map(|name| &drill.names[name.0]).filter(|name| data(name.formula.dimension()));
    let units = givens.flat_map(|name| {
        let spellings = name.formula.expr().nodes().filter_map(|(_, node)| match &node.kind {
            ExprKind::Number { unit: Some(spelling), .. } => drill.units.read(spelling).into_iter().next(),
            _ => None,
        });
        spellings.collect::<Vec<Unit>>()
    });
    units.filter_map(|unit| gap_of(&unit)).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// How far a unit is from its sibling with the other kind of prefix.
fn gap_of(unit: &Unit) -> Option<(f64, String)> {
    const PREFIXES: [(&str, &str, i32); 5] = [("k", "Ki", 1), ("M", "Mi", 2), ("G", "Gi", 3), ("T", "Ti", 4), ("P", "Pi", 5)];
    let (decimal, binary, power) =
        PREFIXES.into_iter().find(|(decimal, binary, _)| unit.symbol.starts_with(binary) || unit.symbol.starts_with(decimal))?;
    // `ms` and `min` begin with letters of prefixes; only data comes in both kinds.
    if !unit.dimension.holds(Base::Data) {
        return None;
    }
    let rest = unit.symbol.strip_prefix(binary).or_else(|| unit.symbol.strip_prefix(decimal)).unwrap_or_default();
    Some((1.024_f64.powi(power) - 1.0, format!("{decimal}{rest} and {binary}{rest}")))
}
