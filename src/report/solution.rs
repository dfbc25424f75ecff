//! A drill with its values worked out: what `drillmark solve` prints.

use std::fmt::Write;

use anstyle::Style as Ansi;
use serde::Serialize;

use crate::drill::{Ask, AskKind, Drill, Name, Origin, ReadingCredit};
use crate::formula::{self, Expr, Formula, Style};
use crate::quantity::{Dimension, Number, Unit};
use crate::report::inert;

const BOLD: Ansi = Ansi::new().bold();
const DIM: Ansi = Ansi::new().dimmed();

/// For a terminal, with escape codes for color.
pub fn terminal(drill: &Drill) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{BOLD}{}{BOLD:#}", inert::terminal(&drill.title));
    if !drill.summary.is_empty() {
        let _ = writeln!(out, "{}", inert::terminal(&drill.summary));
    }
    for (origin, title) in [(Origin::Given, "Given"), (Origin::Assumed, "Assumed")] {
        let rows: Vec<[String; 3]> = names(drill, origin).map(|name| name_row(drill, name)).collect();
        if !rows.is_empty() {
            let _ = writeln!(out, "\n{BOLD}{title}{BOLD:#}");
            table(&mut out, &rows);
        }
    }
    for part in drill.all_parts() {
        if part.asks.is_empty() && part.items.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{BOLD}({}) {}{BOLD:#}", inert::terminal(&part.id), inert::terminal(&part.title));
        let rows: Vec<[String; 3]> = part.asks.iter().map(|ask| ask_row(drill, &drill.asks[*ask])).collect();
        table(&mut out, &rows);
    }
    if drill.asks.iter().any(|ask| !ask.required) {
        let _ = writeln!(out, "\n{DIM}+ supporting: judged where it is given, demanded nowhere{DIM:#}");
    }
    out
}

/// Rows in columns of equal width, the last one free.
fn table(out: &mut String, rows: &[[String; 3]]) {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    for row in rows {
        let pad = |text: &str, width: usize| " ".repeat(width - text.chars().count());
        let line = format!("  {}{}  {}{}  {}", row[0], pad(&row[0], first), pad(&row[1], second), row[1], row[2]);
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

fn names(drill: &Drill, origin: Origin) -> impl Iterator<Item = &Name> {
    drill.names.iter().filter(move |name| name.origin == origin)
}

fn name_row(drill: &Drill, name: &Name) -> [String; 3] {
    let value = name.formula.expr().show(Style::Unicode, &drill.units);
    let value = name.noun.iter().fold(value, |value, noun| format!("{value} {noun}"));
    let shown = Expr::name(name.name.as_str()).show(Style::Unicode, &drill.units);
    [inert::terminal(&shown), inert::terminal(&value), inert::terminal(&name.says)]
}

fn ask_row(drill: &Drill, ask: &Ask) -> [String; 3] {
    let id = if ask.required { ask.id.clone() } else { format!("{} +", ask.id) };
    let work = Work::of(drill, &ask.formula);
    let mut how = inert::terminal(&work.formula.show(Style::Unicode, &drill.units));
    let worked = inert::terminal(&work.worked.show(Style::Unicode, &drill.units));
    if worked != how {
        let _ = write!(how, "{DIM} = {DIM:#}{worked}");
    }
    if let AskKind::Range(range) = &ask.kind {
        let (low, high) = (value(ask, &range.low, Style::Unicode), value(ask, &range.high, Style::Unicode));
        let _ = write!(how, "{DIM}; {low} to {high} is right{DIM:#}");
    }
    [inert::terminal(&id), inert::terminal(&value(ask, &ask.formula, Style::Unicode)), how]
}

/// A value of an ask in its unit, or with its noun.
fn value(ask: &Ask, formula: &Formula, style: Style) -> String {
    let value = formula::quantity(formula.value(), ask.unit.as_ref(), style);
    match &ask.noun {
        Some(noun) if ask.unit.is_none() => format!("{value} {noun}"),
        _ => value,
    }
}

/// Markdown, with formulas in LaTeX.
pub fn markdown(drill: &Drill) -> String {
    let mut out = format!("# {}\n", inert::markdown(&drill.title));
    if !drill.summary.is_empty() {
        let _ = writeln!(out, "\n{}", inert::markdown(&drill.summary));
    }
    out.push_str("\n| given | value | |\n|---|---|---|\n");
    for name in names(drill, Origin::Given).chain(names(drill, Origin::Assumed)) {
        let symbol = Expr::name(name.name.as_str()).show(Style::Latex, &drill.units);
        let value = name.formula.expr().show(Style::Latex, &drill.units);
        let noun = name.noun.as_deref().map(|noun| format!(" {}", inert::markdown(noun))).unwrap_or_default();
        let assumed = if name.origin == Origin::Assumed { " (assumed)" } else { "" };
        let _ = writeln!(out, "| ${symbol}$ | ${value}${noun} | {}{assumed} |", inert::markdown(&name.says));
    }
    for part in drill.all_parts() {
        if part.asks.is_empty() && part.items.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n## ({}) {}\n", inert::markdown(&part.id), inert::markdown(&part.title));
        if part.asks.is_empty() {
            continue;
        }
        out.push_str("| asked | value | formula | worked |\n|---|---|---|---|\n");
        for ask in part.asks.iter().map(|ask| &drill.asks[*ask]) {
            let work = Work::of(drill, &ask.formula);
            let (formula, worked) = (work.formula.show(Style::Latex, &drill.units), work.worked.show(Style::Latex, &drill.units));
            let value = formula::quantity(ask.formula.value(), ask.unit.as_ref(), Style::Latex);
            let noun = ask.noun.as_deref().filter(|_| ask.unit.is_none()).map(|noun| format!(" {}", inert::markdown(noun)));
            let supporting = if ask.required { "" } else { " (supporting)" };
            let asks = inert::markdown(&ask.asks);
            let _ = writeln!(out, "| `{}` {asks}{supporting} | ${value}${} | ${formula}$ | ${worked}$ |", ask.id, noun.unwrap_or_default());
        }
    }
    out
}

/// The whole solution; keys come out in this order.
#[derive(Serialize)]
struct Solution<'a> {
    format: u32,
    drill: DrillRow<'a>,
    asks: Vec<AskRow<'a>>,
}

#[derive(Serialize)]
struct DrillRow<'a> {
    id: &'a str,
    title: &'a str,
    sha256: &'a str,
}

#[derive(Serialize)]
struct AskRow<'a> {
    id: &'a str,
    part: &'a str,
    asks: &'a str,
    value: Option<f64>,
    unit: Option<&'a str>,
    in_unit: Option<f64>,
    formula: String,
    worked: String,
    required: bool,
    /// Both ends, for an ask that takes any value between them.
    accepts: Option<[Option<f64>; 2]>,
    depends_on: Vec<&'a str>,
    readings: Vec<ReadingRow<'a>>,
    mistakes: Vec<MistakeRow<'a>>,
}

#[derive(Serialize)]
struct ReadingRow<'a> {
    id: &'a str,
    value: Option<f64>,
    unit: Option<&'a str>,
    formula: &'a str,
    credit: &'static str,
}

#[derive(Serialize)]
struct MistakeRow<'a> {
    id: &'a str,
    value: Option<f64>,
    formula: &'a str,
}

/// One JSON object: values in SI base units, formulas as the drill's file writes them.
pub fn json(drill: &Drill) -> String {
    let asks = drill.asks.iter().map(|ask| ask_json(drill, ask)).collect();
    let row = DrillRow { id: &drill.id, title: &drill.title, sha256: &drill.sha256 };
    let solution = Solution { format: 1, drill: row, asks };
    serde_json::to_string_pretty(&solution).expect("text and numbers can be written")
}

fn ask_json<'a>(drill: &'a Drill, ask: &'a Ask) -> AskRow<'a> {
    let work = Work::of(drill, &ask.formula);
    let value = ask.formula.value();
    AskRow {
        id: &ask.id,
        part: &ask.part,
        asks: &ask.asks,
        value: finite(value),
        unit: symbol(ask.unit.as_ref()),
        in_unit: ask.unit.as_ref().and_then(|unit| finite(value / unit.factor)),
        formula: work.formula.to_string(),
        worked: work.worked.show(Style::Unicode, &drill.units),
        required: ask.required,
        accepts: match &ask.kind {
            AskKind::Range(range) => Some([finite(range.low.value()), finite(range.high.value())]),
            AskKind::Value | AskKind::Count => None,
        },
        depends_on: ask.depends_on.iter().map(|ask| drill.asks[*ask].id.as_str()).collect(),
        readings: ask
            .readings
            .iter()
            .map(|reading| ReadingRow {
                id: &reading.id,
                value: finite(reading.formula.value()),
                unit: symbol(reading.unit.as_ref().or(ask.unit.as_ref())),
                formula: reading.formula.text(),
                credit: credit(reading.credit),
            })
            .collect(),
        mistakes: ask
            .mistakes
            .iter()
            .map(|mistake| MistakeRow { id: &mistake.id, value: finite(mistake.formula.value()), formula: mistake.formula.text() })
            .collect(),
    }
}

fn symbol(unit: Option<&Unit>) -> Option<&str> {
    unit.map(|unit| unit.symbol.as_str())
}

/// JSON has no word for an undefined value but null.
fn finite(value: Number) -> Option<f64> {
    Some(value.to_f64()).filter(|value| value.is_finite())
}

fn credit(credit: ReadingCredit) -> &'static str {
    match credit {
        ReadingCredit::Full => "full",
        ReadingCredit::FullIfLabelled => "full_if_labelled",
        ReadingCredit::PartialIfLabelled => "partial_if_labelled",
        ReadingCredit::Supporting => "supporting",
    }
}

/// How a value is worked out: its formula, and the same with quantities in place of the names.
struct Work {
    formula: Expr,
    worked: Expr,
}

impl Work {
    fn of(drill: &Drill, formula: &Formula) -> Work {
        // An ask that is just a name shows what the name is worked out from.
        let mut expr = formula.expr();
        while let Some(name) = expr.own_name().and_then(|name| drill.name(name)).map(|name| &drill.names[name.0])
            && name.origin == Origin::Let
        {
            expr = name.formula.expr();
        }
        Work { formula: expr.clone(), worked: expr.substituted(&|name| stands_for(drill, name)) }
    }
}

/// A given as it is given; what is worked out, in its natural unit, or by its own work where it has none.
fn stands_for(drill: &Drill, name: &str) -> Option<Expr> {
    let id = drill.name(name)?;
    let found = &drill.names[id.0];
    if found.origin != Origin::Let {
        return Some(found.formula.expr().clone());
    }
    let asked = drill.asks.iter().find(|ask| ask.states == Some(id)).and_then(|ask| ask.unit.as_ref());
    let dimension = found.formula.dimension();
    match asked.cloned().or_else(|| natural(drill, found.formula.value(), dimension)) {
        Some(unit) => Some(Expr::quantity(found.formula.value(), Some(&unit))),
        None if dimension.is_none() => Some(Expr::quantity(found.formula.value(), None)),
        None => Some(found.formula.expr().substituted(&|name| stands_for(drill, name))),
    }
}

/// The unit in which a value of a common kind has one to three digits before the point.
fn natural(drill: &Drill, value: Number, dimension: Dimension) -> Option<Unit> {
    let scale: &[&str] = match dimension {
        Dimension::TIME => &["ns", "µs", "ms", "s"],
        Dimension::DATA => &["B", "kB", "MB", "GB", "TB", "PB"],
        Dimension::DATA_RATE => &["B/s", "MB/s", "GB/s", "TB/s"],
        _ => return None,
    };
    let units = scale.iter().filter_map(|symbol| drill.units.read(symbol).into_iter().next());
    let units: Vec<Unit> = units.collect();
    let fits = |unit: &&Unit| unit.factor.to_f64() <= value.to_f64().abs();
    units.iter().rfind(fits).or(units.first()).cloned()
}
