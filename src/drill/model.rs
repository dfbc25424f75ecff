//! Model answers: an answer in the author's words, with places for the values that the solver fills.
//!
//! ```text
//! The latency term is 2(P − 1)α = 2 · ({{P}} − 1) · {{alpha}} = {{b.latency}}.
//! Of a step of {{C}} this is {{T/C in %}}.
//! ```
//!
//! Between `{{` and `}}` stands the id of an ask, which becomes its value in its unit, or a formula, which becomes its
//! value in the unit after `in`, in the unit the author gave it, or in one that suits it. So no expected number is ever
//! typed in, and the answer follows when a given changes.

use std::collections::BTreeSet;

use crate::diagnostic::{self, Diagnostic, Label, Severity};
use crate::drill::{Drill, Origin, figures};
use crate::formula::{self, Formula, Style};
use crate::quantity::{Dimension, Number, Unit};
use crate::text::{Source, Span};

const OPEN: &str = "{{";
const CLOSE: &str = "}}";

/// A model answer, understood.
#[derive(Clone, Debug)]
pub struct Model {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    /// The value of an ask, by its place in [`Drill::asks`].
    Ask(usize),
    /// Another value, written out.
    Value(String),
}

impl Model {
    /// Understands a model answer.
    ///
    /// # Errors
    ///
    /// With every place that does not hold what it should.
    pub fn read(drill: &Drill, source: &Source) -> Result<Model, Vec<Diagnostic>> {
        let (mut pieces, mut found) = (Vec::new(), Vec::new());
        let text = source.text();
        let mut at = 0;
        while let Some(open) = text[at..].find(OPEN).map(|open| at + open) {
            pieces.push(Piece::Text(text[at..open].to_owned()));
            let start = open + OPEN.len();
            let Some(end) = text[start..].find(CLOSE).map(|end| start + end).filter(|end| !text[start..*end].contains('\n')) else {
                found.push(fault(source, Span::new(open, start), "unclosed-place", "`{{` without `}}` on its line".to_owned(), None));
                at = start;
                continue;
            };
            match place(drill, &text[start..end]) {
                Ok(piece) => pieces.push(piece),
                Err((what, help)) => found.push(fault(source, Span::new(start, end), "bad-place", what, help)),
            }
            at = end + CLOSE.len();
        }
        pieces.push(Piece::Text(text[at..].to_owned()));
        if found.is_empty() { Ok(Model { pieces }) } else { Err(found) }
    }

    /// The words of a model answer, without what stands for values.
    pub(super) fn words(text: &str) -> String {
        let after = |piece: &str| piece.split_once(CLOSE).map_or_else(|| piece.to_owned(), |(_, rest)| format!(" {rest}"));
        let mut pieces = text.split(OPEN);
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |words, piece| words + &after(piece))
    }

    /// The answer with every value filled in.
    pub fn filled(&self, drill: &Drill) -> String {
        self.filled_with(drill, |_| None)
    }

    /// The answer with another value for some asks, by their places in [`Drill::asks`]: what a student would have written
    /// who made a mistake there. Work that is shown beside a value stays as it is.
    pub fn filled_with(&self, drill: &Drill, other: impl Fn(usize) -> Option<Number>) -> String {
        let written = |piece: &Piece| match piece {
            Piece::Text(text) | Piece::Value(text) => text.clone(),
            Piece::Ask(at) => {
                let ask = &drill.asks[*at];
                figures::of_ask(ask, other(*at).unwrap_or(ask.formula.value()))
            }
        };
        self.pieces.iter().map(written).collect()
    }

    /// The asks whose values it states, by their places in [`Drill::asks`].
    pub fn asks(&self) -> BTreeSet<usize> {
        self.pieces.iter().filter_map(|piece| if let Piece::Ask(at) = piece { Some(*at) } else { None }).collect()
    }
}

/// What stands between the braces; or why it cannot, and what was probably meant.
fn place(drill: &Drill, inside: &str) -> Result<Piece, (String, Option<String>)> {
    let text = inside.trim();
    if let Some(ask) = drill.ask(text) {
        return Ok(Piece::Ask(ask));
    }
    let (text, unit) = match text.rsplit_once(" in ") {
        Some((text, unit)) => (text.trim(), Some(self::unit(drill, unit.trim())?)),
        None => (text, None),
    };
    if let Some(ask) = drill.ask(text) {
        let formula = &drill.asks[ask].formula;
        let unit = unit.filter(|unit| unit.dimension == formula.dimension());
        let unit = unit.ok_or_else(|| (format!("`{text}` cannot be in this unit"), None))?;
        return Ok(Piece::Value(figures::in_unit(formula.value(), Some(&unit))));
    }
    let expr = formula::parse(text, &drill.units, drill.words()).map_err(|fault| {
        let near = diagnostic::nearest(text, drill.asks.iter().map(|ask| ask.id.as_str()));
        (fault.title, near.map(|near| format!("did you mean `{near}`?")))
    })?;
    // A given stands as its author wrote it.
    if unit.is_none()
        && let Some(name) = expr.own_name().and_then(|name| drill.name(name)).map(|name| &drill.names[name.0])
        && name.origin != Origin::Let
    {
        return Ok(Piece::Value(name.formula.expr().show(Style::Unicode, &drill.units)));
    }
    let formula = Formula::new(text, expr, drill.scope())
        .map_err(|faults| (faults.into_iter().map(|fault| fault.title).collect::<Vec<_>>().join("; "), None))?;
    let value = formula.eval(drill.reference.slots());
    match unit {
        Some(unit) if unit.dimension != formula.dimension() => Err((format!("`{text}` cannot be in this unit"), None)),
        Some(unit) => Ok(Piece::Value(figures::in_unit(value, Some(&unit)))),
        None if formula.dimension().is_none() => Ok(Piece::Value(figures::in_unit(value, None))),
        None => match natural(drill, formula.dimension()).as_slice() {
            [] => Err((format!("the unit of `{text}` is not clear"), Some(format!("say it: `{{{{{text} in …}}}}`")))),
            units => Ok(Piece::Value(figures::natural(value, units))),
        },
    }
}

fn unit(drill: &Drill, symbol: &str) -> Result<Unit, (String, Option<String>)> {
    drill.units.read(symbol).into_iter().next().ok_or_else(|| (format!("there is no unit `{symbol}`"), None))
}

/// The units that suit a kind of quantity, from small to large.
fn natural(drill: &Drill, dimension: Dimension) -> Vec<Unit> {
    let scale: &[&str] = match dimension {
        Dimension::TIME => &["ns", "µs", "ms", "s"],
        Dimension::DATA => &["B", "kB", "MB", "GB", "TB", "PB"],
        Dimension::DATA_RATE => &["B/s", "kB/s", "MB/s", "GB/s", "TB/s"],
        _ => &[],
    };
    scale.iter().filter_map(|symbol| drill.units.read(symbol).into_iter().next()).collect()
}

fn fault(source: &Source, span: Span, code: &'static str, title: String, help: Option<String>) -> Diagnostic {
    let label = Label { file: source.name().to_owned(), span, text: String::new() };
    Diagnostic { code, severity: Severity::Error, title, labels: vec![label], help }
}
