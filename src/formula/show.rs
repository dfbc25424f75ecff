//! Writes expressions: as the parser reads them, as people print them, in LaTeX, and with values in place of the names.

use std::fmt::{self, Display, Write};

use super::{Expr, ExprKind, Function, Operator};
use crate::quantity::{Number, Unit, Units};
use crate::text::Span;

/// How an expression is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As an author types it; the parser reads it back.
    Plain,
    /// `2·(P − 1)/P·S/B`.
    Unicode,
    /// The inside of a LaTeX formula.
    Latex,
}

/// How tightly what was written holds together; brackets go where that is less than what stands around it wants.
type Binding = u8;
const SUM: Binding = 1;
const PRODUCT: Binding = 2;
const SIGN: Binding = 4;
const ATOM: Binding = 6;

impl Expr {
    /// The expression as text, every unit in its usual symbol.
    pub fn show(&self, style: Style, units: &Units) -> String {
        Writer { style, units: Some(units) }.top(self)
    }

    /// A quantity as a literal, to eight figures: what stands for a name in a worked substitution.
    pub fn quantity(value: Number, unit: Option<&Unit>) -> Expr {
        let shown = value.to_f64() / unit.map_or(1.0, |unit| unit.factor.to_f64());
        let unit = unit.map(|unit| unit.symbol.clone()).filter(|symbol| !symbol.is_empty());
        let kind = ExprKind::Number { value: Number::inexact(shown.abs()), written: decimal(shown.abs(), Style::Plain), unit };
        let literal = Expr { kind, span: Span::default() };
        if shown < 0.0 { Expr { kind: ExprKind::Negate(Box::new(literal)), span: Span::default() } } else { literal }
    }
}

/// As an author types it.
impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&Writer { style: Style::Plain, units: None }.top(self))
    }
}

/// A quantity as a formula shows it, to eight figures: `1.24 ms`, `2.6·10⁹ B`.
pub fn quantity(value: Number, unit: Option<&Unit>, style: Style) -> String {
    let number = decimal(value.to_f64() / unit.map_or(1.0, |unit| unit.factor.to_f64()), style);
    match unit {
        Some(unit) if !unit.symbol.is_empty() => format!("{number}{}", with_unit(&unit.symbol, style)),
        _ => number,
    }
}

fn with_unit(symbol: &str, style: Style) -> String {
    match style {
        Style::Plain | Style::Unicode => format!(" {symbol}"),
        Style::Latex => format!(r"\,\mathrm{{{}}}", symbol.replace('%', r"\%").replace('µ', r"\mu{}").replace('·', r"\cdot ")),
    }
}

/// A number to at most eight figures, trailing zeros cut off.
fn decimal(number: f64, style: Style) -> String {
    if !number.is_finite() {
        return "undefined".to_owned();
    }
    let rounded = format!("{number:.7e}");
    let (digits, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text.to_owned() };
    if (-4..=6).contains(&exponent) {
        let decimals = usize::try_from(7 - exponent).unwrap_or(0);
        return trim(&format!("{number:.decimals$}")).replace('-', minus(style));
    }
    let digits = trim(digits).replace('-', minus(style));
    match style {
        Style::Plain => format!("{digits}e{exponent}"),
        Style::Unicode => format!("{digits}·10{}", raised(exponent)),
        Style::Latex => format!(r"{digits} \cdot 10^{{{exponent}}}"),
    }
}

fn minus(style: Style) -> &'static str {
    if style == Style::Unicode { "−" } else { "-" }
}

fn raised(exponent: i32) -> String {
    let digit = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => char::from_u32(u32::from('⁰') + u32::from(c) - u32::from('0')).unwrap_or(c),
    };
    exponent.to_string().chars().map(digit).collect()
}

struct Writer<'a> {
    style: Style,
    units: Option<&'a Units>,
}

impl Writer<'_> {
    fn top(&self, expr: &Expr) -> String {
        let mut out = String::new();
        self.write(expr, 0, &mut out);
        out
    }

    fn write(&self, expr: &Expr, least: Binding, out: &mut String) {
        let mut inner = String::new();
        let binds = self.bare(expr, &mut inner);
        if binds < least {
            out.push_str(if self.style == Style::Latex { r"\left(" } else { "(" });
            out.push_str(&inner);
            out.push_str(if self.style == Style::Latex { r"\right)" } else { ")" });
        } else {
            out.push_str(&inner);
        }
    }

    /// Writes without brackets around it, and says how tightly it holds together.
    fn bare(&self, expr: &Expr, out: &mut String) -> Binding {
        match &expr.kind {
            ExprKind::Number { written, unit, .. } => self.number(written, unit.as_deref(), out),
            ExprKind::Name(name) => {
                out.push_str(&self.name(name));
                ATOM
            }
            ExprKind::Negate(inner) => {
                out.push_str(minus(self.style));
                self.write(inner, SIGN, out);
                SIGN
            }
            ExprKind::Binary(operator, left, right) => self.binary(*operator, left, right, out),
            ExprKind::Call(function, arguments) => self.call(*function, arguments, out),
        }
    }

    fn number(&self, written: &str, unit: Option<&str>, out: &mut String) -> Binding {
        let mut binds = ATOM;
        match (self.style, written.to_lowercase().split_once('e')) {
            (Style::Plain, _) | (_, None) => out.push_str(written),
            (style, Some((digits, power))) => {
                binds = PRODUCT;
                let power = power.trim_start_matches('+').parse().unwrap_or(0);
                match style {
                    Style::Latex => write!(out, r"{digits} \cdot 10^{{{power}}}"),
                    _ => write!(out, "{digits}·10{}", raised(power)),
                }
                .expect("writing to a string");
            }
        }
        let Some(unit) = unit else { return binds };
        let usual = |units: &Units| units.read(unit).into_iter().next().map(|unit| unit.symbol.clone());
        let symbol = if self.style == Style::Plain { None } else { self.units.and_then(usual) };
        out.push_str(&with_unit(symbol.as_deref().unwrap_or(unit), self.style));
        // The parser takes a unit as far as it goes, so that `25 GB/s` is one number; as a base or a numerator it wants
        // brackets, and below a stroke they help the reader.
        if self.style != Style::Plain && !unit.contains('/') { binds.min(SIGN) } else { binds.min(PRODUCT) }
    }

    fn binary(&self, operator: Operator, left: &Expr, right: &Expr, out: &mut String) -> Binding {
        match operator {
            Operator::Add | Operator::Subtract => {
                self.write(left, SUM, out);
                let sign = if operator == Operator::Add { "+" } else { minus(self.style) };
                match self.style {
                    Style::Plain => out.push_str(sign),
                    Style::Unicode | Style::Latex => write!(out, " {sign} ").expect("writing to a string"),
                }
                self.write(right, PRODUCT, out);
                SUM
            }
            Operator::Multiply | Operator::Divide if self.style == Style::Latex => self.fractions(operator, left, right, out),
            Operator::Multiply | Operator::Divide => {
                let numerator = matches!(left.kind, ExprKind::Number { unit: Some(_), .. }) && self.style == Style::Plain;
                self.write(left, if numerator { ATOM } else { PRODUCT }, out);
                out.push(match (operator, self.style) {
                    (Operator::Divide, _) => '/',
                    (_, Style::Plain) => '*',
                    _ => '·',
                });
                self.write(right, PRODUCT + 1, out);
                PRODUCT
            }
            Operator::Power => {
                self.write(left, ATOM, out);
                match &right.kind {
                    ExprKind::Number { written, unit: None, .. }
                        if self.style == Style::Unicode && written.len() < 4 && written.parse::<i32>().is_ok() =>
                    {
                        out.push_str(&raised(written.parse().unwrap_or(0)));
                    }
                    _ if self.style == Style::Latex => {
                        out.push_str("^{");
                        self.write(right, 0, out);
                        out.push('}');
                    }
                    _ => {
                        out.push('^');
                        self.write(right, POWER_RIGHT, out);
                    }
                }
                POWER
            }
        }
    }

    /// A product in LaTeX: what is divided by stands below a bar, `\frac{2(P-1)}{P} \cdot \frac{S}{B}`.
    fn fractions(&self, operator: Operator, left: &Expr, right: &Expr, out: &mut String) -> Binding {
        let mut chain = vec![(operator, right)];
        let mut first = left;
        while let ExprKind::Binary(operator @ (Operator::Multiply | Operator::Divide), left, right) = &first.kind {
            chain.push((*operator, right));
            first = left;
        }
        let mut fractions: Vec<(Vec<&Expr>, Vec<&Expr>)> = vec![(vec![first], Vec::new())];
        for (operator, factor) in chain.into_iter().rev() {
            let open = fractions.last_mut().expect("one from the start");
            match operator {
                Operator::Divide => open.1.push(factor),
                _ if open.1.is_empty() => open.0.push(factor),
                _ => fractions.push((vec![factor], Vec::new())),
            }
        }
        for (at, (above, below)) in fractions.iter().enumerate() {
            if at > 0 {
                out.push_str(r" \cdot ");
            }
            if below.is_empty() {
                self.product(above, out);
            } else {
                out.push_str(r"\frac{");
                self.product(above, out);
                out.push_str("}{");
                self.product(below, out);
                out.push('}');
            }
        }
        PRODUCT
    }

    fn product(&self, factors: &[&Expr], out: &mut String) {
        for (at, factor) in factors.iter().enumerate() {
            if at > 0 {
                out.push_str(r" \cdot ");
            }
            self.write(factor, if factors.len() > 1 { PRODUCT } else { 0 }, out);
        }
    }

    fn call(&self, function: Function, arguments: &[Expr], out: &mut String) -> Binding {
        let (open, close) = match (self.style, function) {
            (Style::Unicode, Function::Ceil) => ("⌈", "⌉"),
            (Style::Unicode, Function::Floor) => ("⌊", "⌋"),
            (Style::Unicode, Function::Sqrt) => ("√(", ")"),
            (Style::Unicode, Function::Log2) => ("log₂(", ")"),
            (Style::Unicode, Function::Log10) => ("log₁₀(", ")"),
            (Style::Latex, Function::Ceil) => (r"\lceil ", r" \rceil"),
            (Style::Latex, Function::Floor) => (r"\lfloor ", r" \rfloor"),
            (Style::Latex, Function::Sqrt) => (r"\sqrt{", "}"),
            (Style::Latex, Function::Abs) => (r"\lvert ", r" \rvert"),
            (Style::Latex, Function::Log2) => (r"\log_2\left(", r"\right)"),
            (Style::Latex, Function::Log10) => (r"\log_{10}\left(", r"\right)"),
            (Style::Latex, Function::Round) => (r"\operatorname{round}\left(", r"\right)"),
            (Style::Latex, Function::Ln | Function::Exp | Function::Min | Function::Max) => {
                write!(out, r"\{}", function.name()).expect("writing to a string");
                (r"\left(", r"\right)")
            }
            _ => {
                out.push_str(function.name());
                ("(", ")")
            }
        };
        out.push_str(open);
        for (at, argument) in arguments.iter().enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            self.write(argument, 0, out);
        }
        out.push_str(close);
        ATOM
    }

    /// A name as people write it: `alpha_node` is `α_node`, `T25` is `T₂₅`.
    fn name(&self, name: &str) -> String {
        if self.style == Style::Plain {
            return name.to_owned();
        }
        let (stem, below) = name.split_once('_').map_or((name, ""), |(stem, below)| (stem, below));
        // `T25` has an index, `fp32` is a word.
        let first = stem.chars().next().map_or(0, char::len_utf8);
        let digits = Some(&stem[first..]).filter(|tail| tail.chars().all(|c| c.is_ascii_digit())).unwrap_or_default();
        let stem = &stem[..stem.len() - digits.len()];
        let greek = GREEK.iter().find(|(word, _)| *word == stem).map(|(_, letter)| *letter);
        if self.style == Style::Latex {
            let stem = match greek {
                Some(_) => format!(r"\{stem}"),
                None if stem.chars().count() == 1 => stem.to_owned(),
                None => format!(r"\mathrm{{{stem}}}"),
            };
            return match (digits, below) {
                ("", "") => stem,
                (digits, "") => format!("{stem}_{{{digits}}}"),
                (digits, below) => format!(r"{stem}_{{{digits}\mathrm{{{}}}}}", below.replace('_', r"\_")),
            };
        }
        let mut shown = greek.unwrap_or(stem).to_owned();
        shown.extend(digits.chars().map(|c| char::from_u32(u32::from('₀') + u32::from(c) - u32::from('0')).unwrap_or(c)));
        if !below.is_empty() {
            shown.push('_');
            shown.push_str(below);
        }
        shown
    }
}

const POWER: Binding = 5;
/// A power binds to the right, so that another power as exponent needs no brackets.
const POWER_RIGHT: Binding = POWER;

/// The Greek letters that formulas spell out.
const GREEK: [(&str, &str); 26] = [
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "µ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Sigma", "Σ"),
    ("Omega", "Ω"),
];
