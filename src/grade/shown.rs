//! The work shown before a value, link by link: `2·31·20 µs = 1240 µs = 12.4 ms` has a false last link.
//!
//! Only links are refuted whose both sides are numbers: what a symbol stands for is the student's to say, and in a later
//! part it may be something else.

use std::ops::Range;

use crate::drill::{Ask, Drill, Name};
use crate::formula::{Expr, ExprKind, Operator};
use crate::quantity::{Dimension, Fit, Interval, Loose, Number, Quantity, Unit, Written};
use crate::recognize::{Chain, Link, Mention, Reading};

/// What is found in the work that leads to a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shown {
    /// The member that does not come to what follows it.
    pub(crate) left: Range<usize>,
    /// What it comes to, in SI base units.
    pub(crate) comes_to: Quantity,
    /// The member after it.
    pub(crate) right: Range<usize>,
}

/// The first false link of a chain up to the member that consists of the mention `last`; `None` where every link that can
/// be checked holds. `mentions` finds what a link calls by number, and `ambiguous` are the units that may be
/// [something else](ambiguous); ranges are bytes of the passage.
pub(crate) fn first_false_link<'a>(
    drill: &Drill,
    ambiguous: &[&str],
    ask: &Ask,
    chain: &Chain,
    text: &str,
    mentions: &dyn Fn(usize) -> Option<&'a Mention>,
    last: usize,
) -> Option<Shown> {
    let end = chain.links.iter().rposition(|link| link.mention == Some(last))?;
    let read = |link: &Link| member(drill, ambiguous, text, link, mentions);
    let mut left = read(&chain.links[0]);
    for (at, links) in chain.links[..=end].windows(2).enumerate() {
        let right = read(&links[1]);
        if let (Some(left), Some(right)) = (&left, &right)
            && !is_one_of_several(left, at, links, text)
            && let Some(comes_to) = refuted(ask, left, right, links[1].approximate)
        {
            return Some(Shown { left: links[0].range.clone(), comes_to, right: links[1].range.clone() });
        }
        left = right;
    }
    None
}

/// Whether a quantity does not come to what is behind it, but is a piece of it or is told of in words: `62 hops at 20 µs = 1.24 ms`.
fn is_one_of_several(left: &Member, at: usize, links: &[Link], text: &str) -> bool {
    let gap = || text.get(links[0].range.end..links[1].range.start).unwrap_or_default();
    let piece = || at == 0 && is_piece(text.get(..links[0].range.start).unwrap_or_default());
    matches!(left, Member::Stated(_)) && (piece() || gap().contains(char::is_alphanumeric))
}

/// Whether the words before a quantity make it one of several: `62 hops at 20 µs`.
fn is_piece(before: &str) -> bool {
    let word = before.trim_end().rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    matches!(
        word.to_lowercase().as_str(),
        "at" | "of" | "each" | "à" | "@" | "times" | "with" | "every" | "per" | "je" | "mal" | "zu" | "mit"
    )
}

/// A member of a chain that is made of numbers only.
enum Member<'a> {
    /// A quantity, in its fair readings.
    Stated(&'a [Reading]),
    /// What an expression comes to.
    Worked {
        /// With its units.
        value: Quantity,
        /// With its units left out.
        digits: Option<f64>,
        /// Whether it may turn bits into bytes or the other way round.
        by_eight: bool,
    },
}

fn member<'a>(
    drill: &Drill,
    ambiguous: &[&str],
    text: &str,
    link: &Link,
    mentions: &dyn Fn(usize) -> Option<&'a Mention>,
) -> Option<Member<'a>> {
    if let Some(mention) = link.mention {
        // `2 × 104 ms` may be a damaged `2 × 10⁴ ms` or a product: what is read loosely refutes nothing.
        let mention = mentions(mention)?;
        // Where more stands there than the number (`4 S*`, `2·P·α·B`), the number is not what the member says.
        let beside = |range: Range<usize>| text.get(range).is_some_and(|text| text.chars().any(is_said));
        let times = mention.unit.is_none() && text.get(link.range.end..).is_some_and(|after| multiplies(drill, after));
        if times || beside(link.range.start..mention.range.start) || beside(mention.range.end..link.range.end) {
            return None;
        }
        // `16 b` may be bits, and sixteen times what the drill calls b.
        if mention.unit.as_ref().and_then(|unit| text.get(unit.clone())).is_some_and(|unit| ambiguous.contains(&unit)) {
            return None;
        }
        let readings = &mention.readings;
        let fair = |loose: Option<Loose>| matches!(loose, None | Some(Loose::Case | Loose::Spelling | Loose::Shared));
        return readings.first().is_some_and(|first| fair(first.loose)).then_some(Member::Stated(readings));
    }
    let expr = link.expr.as_ref().filter(|expr| is_numeric(drill, expr))?;
    let by_eight =
        expr.nodes().any(|(_, node)| matches!(&node.kind, ExprKind::Number { value, unit: None, .. } if *value == Number::from(8)));
    drill.evaluate(expr, &drill.reference).map(|value| Member::Worked { value, digits: digits(expr), by_eight })
}

/// What an expression comes to without its units; `None` where it is more than the four operations.
fn digits(expr: &Expr) -> Option<f64> {
    match &expr.kind {
        ExprKind::Number { value, .. } => Some(value.to_f64()),
        ExprKind::Name(_) => Some(1.0),
        ExprKind::Negate(inner) => Some(-digits(inner)?),
        ExprKind::Binary(operator, left, right) => {
            let (left, right) = (digits(left)?, digits(right)?);
            Some(match operator {
                Operator::Add => left + right,
                Operator::Subtract => left - right,
                Operator::Multiply => left * right,
                Operator::Divide => left / right,
                Operator::Power => left.powf(right),
            })
        }
        ExprKind::Call(..) => None,
    }
}

/// Whether a character beside a number says something that is not the number: anything but brackets, quotes, and signs that
/// it is approximate.
fn is_said(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '·' | '⋅' | '×' | '*' | '/' | '÷' | '^' | '+' | '-' | '−' | '√')
}

/// Whether what stands behind a number multiplies it: `2 (P−1)`.
fn multiplies(drill: &Drill, after: &str) -> bool {
    let Some(inside) = after.trim_start_matches(' ').strip_prefix('(') else { return false };
    let symbol = &inside[..inside.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '*'))).unwrap_or(inside.len())];
    drill.names.iter().any(|name| name.name == symbol || name.symbols.iter().any(|other| other == symbol))
}

/// The spellings of a drill's names that are units as well, of a quantity of the same kind.
pub(crate) fn ambiguous(drill: &Drill) -> Vec<&str> {
    let spellings =
        drill.names.iter().flat_map(|name| std::iter::once(&name.name).chain(&name.symbols).map(move |spelling| (name, spelling)));
    let same =
        |(name, spelling): &(&Name, &String)| drill.units.read(spelling).iter().any(|unit| unit.dimension == name.formula.dimension());
    spellings.filter(same).map(|(_, spelling)| spelling.as_str()).collect()
}

/// Whether an expression consists of numbers and units alone. Symbols written together (`P·α·B`) may look like a unit.
fn is_numeric(drill: &Drill, expr: &Expr) -> bool {
    let is_symbol = |part: &str| !part.is_empty() && drill.words().contains(part);
    let holds_symbol = |text: &str| text.split(['·', '*', '/', '⋅', '×', ' ']).any(is_symbol);
    let mut numbers = 0;
    let numeric = every_node(expr, &mut |node| match &node.kind {
        ExprKind::Name(name) => !holds_symbol(name) && drill.scope().unit(name).is_some(),
        ExprKind::Number { unit, .. } => {
            numbers += 1;
            unit.as_ref().is_none_or(|unit| !unit.contains(['·', '*', '⋅', '×']) || !holds_symbol(unit))
        }
        _ => true,
    });
    numeric && numbers > 0
}

/// Whether something holds of an expression and of all that it consists of.
fn every_node(expr: &Expr, holds: &mut dyn FnMut(&Expr) -> bool) -> bool {
    holds(expr) && expr.operands().all(|operand| every_node(operand, holds))
}

/// One way to take a member.
struct Sense<'a> {
    value: Number,
    dimension: Dimension,
    unit: Option<&'a Unit>,
    written: Option<Written>,
    /// The value without its unit.
    digits: Option<f64>,
    by_eight: bool,
}

impl Member<'_> {
    fn senses(&self) -> Vec<Sense<'_>> {
        match self {
            Member::Worked { value: Quantity { value, dimension }, digits, by_eight } => {
                vec![Sense { value: *value, dimension: *dimension, unit: None, written: None, digits: *digits, by_eight: *by_eight }]
            }
            Member::Stated(readings) => readings.iter().map(sense).collect(),
        }
    }
}

fn sense(reading: &Reading) -> Sense<'_> {
    Sense {
        value: reading.value,
        dimension: reading.unit.as_ref().map(|unit| unit.dimension).unwrap_or_default(),
        unit: reading.unit.as_ref(),
        written: Some(reading.written),
        digits: Some(reading.value.to_f64() / reading.unit.as_ref().map_or(1.0, |unit| unit.factor.to_f64())),
        by_eight: false,
    }
}

/// What the left member comes to, where that is certainly not what the right one says.
fn refuted(ask: &Ask, left: &Member, right: &Member, approximate: bool) -> Option<Quantity> {
    let (lefts, rights) = (left.senses(), right.senses());
    // A bare number that nothing is done to is a factor, a count or a price a piece, and asserts nothing: `bandwidth x8 = 1612 ms`.
    let plain = |reading: &Reading| reading.unit.as_ref().is_none_or(|unit| unit.dimension.is_none());
    let bare = matches!(left, Member::Stated(readings) if readings.iter().all(plain));
    if bare && rights.iter().all(|right| !right.dimension.is_none()) {
        return None;
    }
    let holds = |left: &Sense, right: &Sense| match (left.dimension == right.dimension, left.dimension.is_none(), right.dimension.is_none())
    {
        (true, true, _) => {
            let hundred = Number::from(100);
            // A percentage may lack its sign on either side.
            [Number::ONE, hundred, Number::ONE / hundred].iter().any(|by| agrees(ask, left.value * *by, right, approximate))
        }
        (true, false, _) => agrees(ask, left.value, right, approximate) || left.dimension == Dimension::DATA && converts(left, right),
        (false, true, _) | (false, _, true) => steps().any(|by| {
            let size = right.unit.or(left.unit).map_or(Number::ONE, |unit| unit.factor);
            let by = if left.dimension.is_none() { by * size } else { by / size };
            agrees(ask, left.value * by, right, approximate)
        }),
        (false, false, false) => true,
    };
    if lefts.iter().any(|left| rights.iter().any(|right| holds(left, right))) {
        return None;
    }
    let (left, right) = (lefts.first()?, rights.first()?);
    if left.dimension == right.dimension {
        return Some(Quantity { value: left.value, dimension: left.dimension });
    }
    // Units may have been left out on the way; then the prefix is taken that brings both nearest together. A bare number
    // behind a quantity may be in any unit.
    if !left.dimension.is_none() || left.value.is_zero() || right.value.is_zero() {
        return None;
    }
    let size = right.unit.map_or(Number::ONE, |unit| unit.factor);
    let distance = |value: &Number| (*value / right.value).abs().to_f64().log10().abs();
    let value = steps().map(|by| left.value * size * by).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    Some(Quantity { value, dimension: right.dimension })
}

/// Whether work turns one unit of data into another by a plain factor: `1.3e9 × 16 bit / 8 = 2.6 GB`, `2.6 GB · 953.67 =
/// 2479.5 MiB`.
fn converts(left: &Sense, right: &Sense) -> bool {
    let close = |one: f64, other: f64| (one / other - 1.0).abs() <= 5e-3;
    let (from, to) = (left.value.to_f64(), right.value.to_f64());
    let factor = left.written.is_none() && left.digits.zip(right.digits).is_some_and(|(one, other)| close(one, other));
    factor || left.by_eight && (close(from * 8.0, to) || close(from / 8.0, to))
}

/// Powers of a thousand, by which numbers without their unit may differ.
fn steps() -> impl Iterator<Item = Number> {
    (-5..=5).map(|power| Number::decimal(1, 3 * power))
}

/// Whether a value is written rightly by the right member: within the tolerance, rounded or cut to whatever figures.
fn agrees(ask: &Ask, value: Number, right: &Sense, approximate: bool) -> bool {
    let loosely = || {
        let wide = Number::decimal(5, -2) * value.abs();
        Interval::around(value, wide).contains(right.value)
    };
    if approximate && loosely() {
        return true;
    }
    match &right.written {
        Some(written) => ask.tolerance.fit(right.value, written, 1, value) < Fit::Apart,
        None => ask.tolerance.around(value).contains(right.value),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::drill::Library;
    use crate::recognize::{Context, recognize};
    use crate::text::Passage;

    /// The left side of the first false link, and what it comes to.
    fn broken(text: &str) -> Option<(String, f64)> {
        static DRILL: LazyLock<Drill> =
            LazyLock::new(|| Library::built_in().load("communication-budget").expect("the shipped drill is sound"));
        let drill = &*DRILL;
        let context = Context { units: &drill.units, symbols: drill.words(), unit_hint: None };
        let found = recognize(&Passage::verbatim(text, 0), &context);
        let chain = found.chains.first()?;
        let last = found.mentions.len() - 1;
        let ask = &drill.asks[drill.ask("b.latency").expect("an ask")];
        let shown = first_false_link(drill, &ambiguous(drill), ask, chain, text, &|at| found.mentions.get(at), last)?;
        Some((text[shown.left].to_owned(), shown.comes_to.value.to_f64()))
    }

    #[test]
    fn true_links_hold_however_they_are_rounded() {
        for text in [
            "T_lat = 2·31·20 µs = 1240 µs = 1.24 ms",
            "2*31*20 us = 1.2 ms",
            "1.24 ms + 201.5 ms = 202.7 ms",
            "1.24 + 201.5 = 202.7 ms",
            "2*31*20 = 1240 = 1.24 ms",
            "202.74/400 = 50.7 %",
            "202.74 / 400 = 0.507 = 50.7",
            "2.6e9 / 1048576 = 2479.55 MiB",
            "2 * 31/32 * 2.6 GB / (25 GB/s) = 201.5 ms",
            "1.3e9 * 2 B = 2.6 GB = 2479.6 MiB",
            "62 * 20 µs ≈ 1.2 ms",
            "latency x8 = 9.92 ms",
            "62 hops of 20 = 1.24 ms",
            "4 S* = 64 MB",
            "smallest bucket = 4 S* = 4 MB",
            "2N = 2.6e9",
            "8.11 = 16 (r)",
            "1/2 P = 16",
            "16 b = 32 B",
            "3 r = 152 %",
            "62 hops at 20 µs each = 1.24 ms",
            "62 hops of 20 µs = 1.24 ms",
            "1.3e9 × 16 bit / 8 = 2.6 GB",
            "2.6 GB · 953.67 = 2479.5 MiB",
        ] {
            assert_eq!(broken(text), None, "{text}");
        }
    }

    #[test]
    fn the_first_false_link_is_found() {
        for (text, left, comes_to) in [
            ("2·31·20 µs = 12.4 ms", "2·31·20 µs", 0.00124),
            ("T = 2·31·20 µs = 1240 µs = 12.4 ms", "1240 µs", 0.00124),
            ("1.24 + 201.5 = 302.7 ms", "1.24 + 201.5", 0.20274),
            ("1.24 ms + 201.5 ms = 204.9 ms", "1.24 ms + 201.5 ms", 0.20274),
            ("2480 * 1.24 ms = 32.8 s", "2480 * 1.24 ms", 3.0752),
        ] {
            let (found, value) = broken(text).unwrap_or_else(|| panic!("`{text}` has a false link"));
            assert_eq!(found, left, "{text}");
            assert!((value / comes_to - 1.0).abs() < 1e-9, "{text}: {value}");
        }
    }

    #[test]
    fn what_symbols_stand_for_is_not_refuted() {
        assert_eq!(broken("2(P-1)α = 10.2 ms"), None);
        assert_eq!(broken("2(P-1)α = 12.4 ms"), None);
        assert_eq!(broken("S* = 2·P·α·B = 32 MB"), None);
        assert_eq!(broken("2 × 104 ms = 208 ms"), None);
    }
}
