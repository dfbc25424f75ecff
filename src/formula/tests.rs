//! Tables: what is read, what is refused and with which words, how it looks, what it comes to.

use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::quantity::Units;

/// The names of a small drill with their values and units.
const GIVEN: &[(&str, &str)] = &[
    ("N", "1.3e9"),
    ("b", "2 B"),
    ("P", "32"),
    ("B", "25 GB/s"),
    ("alpha", "20 us"),
    ("S", "2.6 GB"),
    ("C", "400 ms"),
    ("cap", "25 MiB"),
    ("g", "8"),
];

struct Small {
    units: Units,
    names: KnownNames,
    symbols: BTreeMap<String, Symbol>,
    values: Vec<Number>,
}

fn small() -> Small {
    let mut small = Small { units: Units::standard(), names: KnownNames::default(), symbols: BTreeMap::new(), values: Vec::new() };
    for (slot, (name, value)) in GIVEN.iter().enumerate() {
        let given = small.formula(value).expect("a good quantity");
        small.values.push(given.eval(&[] as &[Number]));
        small.symbols.insert((*name).to_owned(), Symbol { slot, dimension: Some(given.dimension()) });
    }
    small.names = small.symbols.keys().cloned().collect();
    small
}

impl Small {
    fn scope(&self) -> Scope<'_> {
        Scope { units: &self.units, symbols: &self.symbols }
    }

    fn formula(&self, text: &str) -> Result<Formula, Vec<Fault>> {
        let expr = parse(text, &self.units, &self.names).map_err(|fault| vec![fault])?;
        Formula::new(text, expr, self.scope())
    }

    fn student(&self, text: &str) -> Result<Number, String> {
        let expr = parse_student(text, &self.units, &self.names).map_err(|fault| fault.title)?;
        let formula = Formula::new(text, expr, self.scope()).map_err(|faults| faults[0].title.clone())?;
        Ok(formula.eval(&self.values))
    }

    fn value(&self, text: &str) -> f64 {
        self.formula(text).unwrap_or_else(|faults| panic!("`{text}`: {faults:?}")).eval(&self.values).to_f64()
    }
}

fn near(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-12 * b.abs()
}

#[test]
fn formulas_come_to_what_they_say() {
    let small = small();
    for (text, value) in [
        ("2*(P-1)*alpha", 0.00124),
        ("2*(P-1)/P * S/B", 0.2015),
        ("N*b", 2.6e9),
        ("ceil(S/MiB)", 2480.0),
        ("ceil(S/(25 MiB))", 100.0),
        ("S / 25 GB/s", 0.104),
        ("S/25 MiB", 2.6e9 / 26_214_400.0),
        ("S/cap", 2.6e9 / 26_214_400.0),
        ("2^3^2", 512.0),
        ("2**10", 1024.0),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("1 - 2 - 3", -4.0),
        ("8/4/2", 1.0),
        ("max(C, S/B, 0)", 0.4),
        ("min(0, C)", 0.0),
        ("sqrt(16)", 4.0),
        ("sqrt(C*C)", 0.4),
        ("log2(P)", 5.0),
        ("log10(1e6)", 6.0),
        ("ln(exp(2))", 2.0),
        ("abs(3 - 5)", 2.0),
        ("round(2.5)", 3.0),
        ("floor(2.9)", 2.0),
        ("25 % * C", 0.1),
        ("1_300_000", 1.3e6),
        ("1.3E+9", 1.3e9),
        (".5", 0.5),
        ("5.", 5.0),
        ("2/3", 2.0 / 3.0),
        ("2·(P − 1)×alpha", 0.00124),
        ("S²/S", 2.6e9),
        ("10 GB/s * 2 s", 2e10),
        ("P*alpha*B", 1.6e7),
        ("1 GiB / 50 GB/s", 1_073_741_824.0 / 5e10),
        // Alone, a name comes before a unit: `B` is the bandwidth and `b` two bytes; after a number, `B` is bytes.
        ("8*B", 2e11),
        ("3*b", 6.0),
        ("3 B", 3.0),
        ("2 B*P", 64.0),
        ("2 us*B", 50_000.0),
        ("2 us/B*B", 2e-6),
    ] {
        assert!(near(small.value(text), value), "`{text}` is {}, not {value}", small.value(text));
    }
}

#[test]
fn what_can_be_exact_is() {
    let small = small();
    for text in ["2*(P-1)*alpha", "S/B", "1/3 + 2/3", "sqrt(144)", "log2(1024)", "9^(1/2)", "ceil(S/MiB)", "2^-3"] {
        let value = small.formula(text).expect("a good formula").eval(&small.values);
        assert!(value.to_ratio().is_some(), "`{text}` lost its exactness");
    }
    assert_eq!(small.formula("1/3 + 2/3").expect("a good formula").eval(&small.values), Number::ONE);
}

#[test]
fn floats_agree_with_exact_numbers() {
    let small = small();
    let floats: Vec<f64> = small.values.iter().map(|value| value.to_f64()).collect();
    for text in ["2*(P-1)*alpha + 2*(P-1)/P*S/B", "ceil(S/cap)*alpha", "max(C, S/B)", "sqrt(P)*C", "log2(P)", "-P^2", "1.5^g"] {
        let formula = small.formula(text).expect("a good formula");
        assert!(near(formula.eval(&floats), formula.eval(&small.values).to_f64()), "`{text}`");
    }
}

#[test]
fn authors_are_told_what_is_wrong_and_where() {
    let small = small();
    // The formula, the code, the title, what is underlined, the help.
    for (text, code, title, underlined, help) in [
        ("", "formula-syntax", "an empty formula", &[""] as &[&str], ""),
        ("2*", "formula-syntax", "the formula ends where a value is due", &[""], ""),
        ("2*)", "formula-syntax", "a value is due before `)`", &[")"], ""),
        ("(P-1", "formula-syntax", "this bracket is never closed", &["("], ""),
        ("P-1)", "formula-syntax", "this bracket was never opened", &[")"], ""),
        ("⌈P)", "formula-syntax", "this bracket closes another kind than was opened", &[")", "⌈"], ""),
        ("2(P-1)", "formula-syntax", "an operator is missing before `(`", &["("], "for a product, write `2*(`"),
        ("(2 (P))", "formula-syntax", "an operator is missing before `(`", &["(", "("], "for a product, write `2*(`"),
        ("2 P", "unknown-unit", "no unit is spelled `P`", &["P"], "for a product with the name `P`, write `2*P`"),
        (
            "1,300",
            "formula-syntax",
            "a comma stands between the arguments of a function only",
            &[","],
            "group digits with `_`, and write the decimal mark as `.`",
        ),
        ("a = b", "formula-syntax", "`=` has no meaning in a formula", &["="], "a formula is what stands right of the equals sign"),
        ("[P]", "formula-syntax", "`[` has no meaning in a formula", &["["], "group with round brackets"),
        ("P–1", "formula-syntax", "`–` has no meaning in a formula", &["–"], "write a minus as `-`"),
        ("1e999", "formula-syntax", "`1e999` is too large for a number", &["1e999"], ""),
        ("ceil", "formula-syntax", "`ceil` is a function", &["ceil"], "write `ceil(…)`"),
        ("sqrt(1, 2)", "formula-syntax", "`sqrt` takes one value", &[","], ""),
        ("cell(P)", "unknown-function", "no function is called `cell`", &["cell"], "did you mean `ceil`?"),
        ("alhpa*2", "unknown-name", "`alhpa` is neither a name of this drill nor a unit", &["alhpa"], "did you mean `alpha`?"),
        ("Q", "unknown-name", "`Q` is neither a name of this drill nor a unit", &["Q"], "define it in `[given]`, `[assume]` or `[let]`"),
        ("2 alhpa", "unknown-unit", "no unit is spelled `alhpa`", &["alhpa"], "for a product with the name `alpha`, write `2*alpha`"),
        (
            "2 wombats",
            "unknown-unit",
            "no unit is spelled `wombats`",
            &["wombats"],
            "add it to `[unit]`, or leave it out and say what is counted with `noun`",
        ),
        ("2 gb", "unknown-unit", "no unit is spelled `gb`", &["gb"], "did you mean `GB`?"),
        ("S + C", "dimension-mismatch", "only like things can be added", &["S", "C"], ""),
        ("C - 1", "dimension-mismatch", "only like things can be subtracted", &["C", "1"], ""),
        ("max(S, C)", "dimension-mismatch", "`max` compares like things only", &["S", "C"], ""),
        ("2^C", "dimension-mismatch", "an exponent is a plain number", &["C"], ""),
        ("C^P", "dimension-mismatch", "the exponent of something with a unit is a written number", &["P", "C^P"], ""),
        ("C^99", "dimension-mismatch", "no unit has such a power", &["C^99"], ""),
        (
            "ceil(C)",
            "dimension-mismatch",
            "`ceil` works on plain numbers: what a unit counts depends on the unit",
            &["C"],
            "divide by the unit that is counted, and multiply by it again outside",
        ),
        ("log2(S)", "dimension-mismatch", "`log2` works on plain numbers", &["S"], ""),
        (
            "C + S/50*GB/s",
            "dimension-mismatch",
            "only like things can be added",
            &["C", "S/50*GB/s"],
            "to divide by a rate, put it in brackets: `(… GB/s)`",
        ),
    ] {
        let faults = small.formula(text).expect_err(text);
        let fault = &faults[0];
        let seen: Vec<&str> = fault.labels.iter().map(|(span, _)| &text[span.range()]).collect();
        assert_eq!(
            (fault.code, fault.title.as_str(), seen.as_slice(), fault.help.as_deref().unwrap_or_default()),
            (code, title, underlined, help),
            "`{text}`"
        );
    }
}

#[test]
fn a_mismatch_says_what_each_side_is() {
    let faults = small().formula("S + C").expect_err("data and time");
    let said: Vec<&str> = faults[0].labels.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(said, ["this is data", "this is time"]);
    let faults = small().formula("C - 1").expect_err("time and a number");
    assert_eq!(faults[0].labels[1].1, "this is a plain number");
    let faults = small().formula("C + MB").expect_err("time and a unit of data");
    assert_eq!(faults[0].labels[1].1, "this is the unit `MB`, data");
}

#[test]
fn one_fault_does_not_hide_or_cause_another() {
    let faults = small().formula("(S + C) * Q + foo(1)").expect_err("several faults");
    assert_eq!(faults[0].code, "unknown-function", "syntax comes first and alone");
    let faults = small().formula("(S + C) * Q + 2 wombats - C").expect_err("several faults");
    let codes: Vec<&str> = faults.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, ["dimension-mismatch", "unknown-name", "unknown-unit"]);
}

#[test]
fn students_write_the_same_in_their_own_ways() {
    let mut small = small();
    for (symbol, name) in [("α", "alpha"), ("S*", "S"), ("P'", "P")] {
        let symbol = symbol.to_owned();
        small.names.insert(symbol.clone());
        let meant = small.symbols[name];
        small.symbols.insert(symbol, meant);
    }
    for (text, value) in [
        ("2·(P−1)α", 0.00124),
        ("2(P-1)α", 0.00124),
        ("2 × 31 × 20 µs", 0.00124),
        ("2*31*20us", 0.00124),
        ("2(P−1)/P · S/B", 0.2015),
        ("PαB", 1.6e7),
        ("2Pα", 0.00128),
        ("log₂ 32", 5.0),
        ("log2(32)", 5.0),
        ("√16 + 1", 5.0),
        ("⌈2479.55⌉", 2480.0),
        ("1,300,000,000 × 2", 2.6e9),
        ("1 300", f64::NAN),
        ("S*/b", 1.3e9),
        ("S*b/b", 2.6e9),
        ("P'·2", 64.0),
        ("[2(P−1)]·α", 0.00124),
        ("1.3×10^9 · 2", 2.6e9),
        ("1.3·10⁹", 1.3e9),
        ("2³⁰", 1_073_741_824.0),
        ("2.6 GB ÷ 25 GB/s", 0.104),
        ("1/2P", 1.0 / 64.0),
        ("1.24 ms + 201.5 ms", 0.20274),
        ("+5", 5.0),
        ("12 %", 0.12),
        ("2.6e9 B / B", 0.104),
        ("2600 B/s", 2600.0),
        ("2B", 5e10),
    ] {
        match small.student(text) {
            Ok(found) => assert!(near(found.to_f64(), value), "`{text}` is {found:?}, not {value}"),
            Err(fault) => assert!(value.is_nan(), "`{text}`: {fault}"),
        }
    }
}

#[test]
fn formulas_look_as_people_write_them() {
    let small = small();
    let given = |name: &str| {
        let (_, value) = GIVEN.iter().find(|(given, _)| *given == name)?;
        parse(value, &small.units, &KnownNames::default()).ok()
    };
    for (text, unicode, latex, worked) in [
        ("2*(P-1)*alpha", "2·(P − 1)·α", r"2 \cdot \left(P - 1\right) \cdot \alpha", "2·(32 − 1)·20 µs"),
        ("2*(P-1)/P*S/B", "2·(P − 1)/P·S/B", r"\frac{2 \cdot \left(P - 1\right)}{P} \cdot \frac{S}{B}", "2·(32 − 1)/32·2.6 GB/(25 GB/s)"),
        ("ceil(S/(25 MiB))", "⌈S/25 MiB⌉", r"\lceil \frac{S}{25\,\mathrm{MiB}} \rceil", "⌈2.6 GB/25 MiB⌉"),
        ("N", "N", "N", "1.3·10⁹"),
        ("1.3e9*2", "1.3·10⁹·2", r"1.3 \cdot 10^{9} \cdot 2", "1.3·10⁹·2"),
        ("alpha^2", "α²", r"\alpha^{2}", "(20 µs)²"),
        ("-(P+1)", "−(P + 1)", r"-\left(P + 1\right)", "−(32 + 1)"),
        ("log2(P)", "log₂(P)", r"\log_2\left(P\right)", "log₂(32)"),
        ("P-(g-1)", "P − (g − 1)", r"P - \left(g - 1\right)", "32 − (8 − 1)"),
        ("P/(g*2)", "P/(g·2)", r"\frac{P}{g \cdot 2}", "32/(8·2)"),
        ("10 us*P", "10 µs·P", r"10\,\mathrm{\mu{}s} \cdot P", "10 µs·32"),
    ] {
        let formula = small.formula(text).unwrap_or_else(|faults| panic!("`{text}`: {faults:?}"));
        let expr = formula.expr();
        assert_eq!(expr.show(Style::Unicode, &small.units), unicode);
        assert_eq!(expr.show(Style::Latex, &small.units), latex);
        assert_eq!(expr.substituted(&given).show(Style::Unicode, &small.units), worked);
        assert_eq!(parse(&expr.to_string(), &small.units, &small.names).as_ref(), Ok(expr), "`{expr}`");
    }
    let show = |name: &str| Expr::name(name).show(Style::Unicode, &small.units);
    assert_eq!([show("alpha_node"), show("T25"), show("P2"), show("cap"), show("A0µα")], ["α_node", "T₂₅", "P₂", "cap", "A0µα"]);
    let latex = |name: &str| Expr::name(name).show(Style::Latex, &small.units);
    assert_eq!([latex("alpha_node"), latex("T25"), latex("cap")], [r"\alpha_{\mathrm{node}}", "T_{25}", r"\mathrm{cap}"]);
}

#[test]
fn expressions_are_walked_and_changed_by_place() {
    let small = small();
    let formula = small.formula("2*(P-1)/P*S/B").expect("a good formula");
    let expr = formula.expr();
    let shown = |expr: &Expr| expr.to_string();
    let places: Vec<String> = expr.nodes().map(|(_, expr)| shown(expr)).collect();
    assert_eq!(places, ["2*(P-1)/P*S/B", "2*(P-1)/P*S", "2*(P-1)/P", "2*(P-1)", "2", "P-1", "P", "1", "P", "S", "B"]);
    for (node, place) in expr.nodes() {
        assert_eq!(expr.node(node), Some(place));
        assert_eq!(expr.replaced(node, place), *expr);
    }
    let factors: Vec<(String, bool)> = expr.factors(NodeId(0)).iter().map(|factor| (shown(factor.expr), factor.inverse)).collect();
    let factor = |text: &str, inverse| (text.to_owned(), inverse);
    assert_eq!(factors, [factor("2", false), factor("P-1", false), factor("P", true), factor("S", false), factor("B", true)]);
    let names: Vec<&str> = expr.names().map(|(_, name)| name).collect();
    assert_eq!(names, ["P", "P", "S", "B"]);
    assert_eq!(shown(&expr.replaced(NodeId(5), &Expr::name("P"))), "2*P/P*S/B");
    let changed: BTreeSet<String> = expr.changes().into_iter().map(|(_, expr)| shown(&expr)).collect();
    for slip in ["2*P/P*S/B", "(P-1)/P*S/B", "2*(P-1)*S/B", "2*(P-1)/P*S", "2*(P-1)/P/B", "2*(P+1)/P*S/B", "B/(2*(P-1)/P*S)"] {
        assert!(changed.contains(slip), "`{slip}` is not among {changed:?}");
    }
    let inlined = Expr::name("T").substituted(&|name| (name == "T").then(|| expr.clone()));
    assert_eq!(inlined, *expr);
    let sum = small.formula("P - (g + 1)").expect("a good formula");
    let terms: Vec<(String, bool)> = sum.expr().terms(NodeId(0)).iter().map(|term| (shown(term.expr), term.inverse)).collect();
    assert_eq!(terms, [factor("P", false), factor("g", true), factor("1", true)]);
}

#[test]
fn deep_and_long_formulas_are_refused_in_words() {
    let small = small();
    for text in ["(".repeat(4000), "-".repeat(4000), "2^".repeat(1000), "ceil(".repeat(500), "P+".repeat(300) + "P", "1".repeat(5000)] {
        let faults = small.formula(&text).expect_err("too large");
        assert!(["formula-too-large", "formula-syntax"].contains(&faults[0].code), "{}", faults[0].code);
        assert!(parse_student(&text, &small.units, &small.names).is_err());
    }
    let long = vec!["P"; 200].join("+");
    assert_eq!(small.value(&long), 6400.0);
    let nested = format!("{}P{}", "(1+".repeat(30), ")".repeat(30));
    assert_eq!(small.value(&nested), 62.0);
}

mod properties {
    use super::*;
    use crate::text::Span;
    use proptest::prelude::*;

    const NAMES: &[&str] = &["P", "alpha", "S", "B", "cap", "C"];
    /// Units used as quantities among them; printed for people, one would join the unit before it: `1 GB/s`.
    const WORDS: &[&str] = &["P", "alpha", "S", "B", "cap", "MiB", "s"];

    fn expr(names: &'static [&'static str]) -> impl Strategy<Value = Expr> {
        let number = (0_u32..1000, prop::option::of(prop::sample::select(vec!["GB", "us", "GB/s", "%", "MiB"])));
        let number = number.prop_map(|(value, unit)| match Expr::whole(value).kind {
            ExprKind::Number { value, written, .. } => {
                let kind = ExprKind::Number { value, written, unit: unit.map(str::to_owned) };
                Expr { kind, span: Span::default() }
            }
            _ => unreachable!("a whole number is a number"),
        });
        let name = prop::sample::select(names).prop_map(Expr::name);
        prop_oneof![number, name].prop_recursive(5, 40, 3, |inner| {
            let operators =
                vec![Operator::Add, Operator::Subtract, Operator::Multiply, Operator::Divide, Operator::Multiply, Operator::Power];
            let functions: Vec<Function> = Function::ALL.iter().map(|(_, function)| *function).collect();
            prop_oneof![
                (prop::sample::select(operators), inner.clone(), inner.clone()).prop_map(|(operator, a, b)| Expr::binary(operator, a, b)),
                inner.clone().prop_map(|inner| Expr { kind: ExprKind::Negate(Box::new(inner)), span: Span::default() }),
                (prop::sample::select(functions), inner.clone(), inner).prop_map(|(function, a, b)| {
                    let arguments = if function.takes_several() { vec![a, b] } else { vec![a] };
                    Expr { kind: ExprKind::Call(function, arguments), span: Span::default() }
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(expr in expr(WORDS)) {
            let small = small();
            let text = expr.to_string();
            let read = parse(&text, &small.units, &small.names);
            prop_assert_eq!(read.as_ref(), Ok(&expr), "{}", text);
        }

        #[test]
        fn what_is_printed_means_the_same_to_a_student(expr in expr(NAMES)) {
            let small = small();
            let Ok(formula) = Formula::new("", expr.clone(), small.scope()) else { return Ok(()) };
            let text = expr.show(Style::Unicode, &small.units);
            let mut names = small.names.clone();
            let mut symbols = small.symbols.clone();
            names.insert("α".to_owned());
            symbols.insert("α".to_owned(), small.symbols["alpha"]);
            let read = parse_student(&text, &small.units, &names);
            prop_assert!(read.is_ok(), "{}: {:?}", text, read);
            let scope = Scope { units: &small.units, symbols: &symbols };
            let again = Formula::new("", read.expect("it was asked"), scope);
            let (value, other) = (formula.eval(&small.values), again.map(|again| again.eval(&small.values)));
            let other = other.expect("of the same dimensions");
            prop_assert!(value == other || near(value.to_f64(), other.to_f64()) || value.to_f64().is_nan(), "{}", text);
        }

        #[test]
        fn every_place_can_be_changed(expr in expr(WORDS)) {
            for (node, place) in expr.nodes() {
                prop_assert_eq!(&expr.replaced(node, place), &expr);
            }
            for (_, changed) in expr.changes() {
                prop_assert!(changed.size() <= expr.size());
            }
        }

        #[test]
        fn nothing_makes_the_parser_panic(text in r"[0-9a-zA-Zαµ²⁻√⌈⌉(){}\[\]+*/^.,%_=− ×·-]{0,80}") {
            let small = small();
            let parsed = [parse(&text, &small.units, &small.names), parse_student(&text, &small.units, &small.names)];
            for expr in parsed.into_iter().flatten() {
                let _ = (expr.show(Style::Unicode, &small.units), expr.show(Style::Latex, &small.units), expr.changes());
                if let Ok(formula) = Formula::new("", expr, small.scope()) {
                    let _ = formula.eval(&small.values);
                }
            }
        }

        #[test]
        fn no_text_at_all_makes_the_parser_panic(text in any::<String>()) {
            let small = small();
            for fault in [parse(&text, &small.units, &small.names), parse_student(&text, &small.units, &small.names)].into_iter().flat_map(Result::err) {
                for (span, _) in &fault.labels {
                    prop_assert!(text.get(span.range()).is_some(), "{:?} is no span of {:?}", span, text);
                }
            }
        }
    }
}

#[test]
fn floats_say_what_a_formula_comes_to_except_at_a_jump() {
    let small = small();
    let floats: Vec<f64> = small.values.iter().map(|value| value.to_f64()).collect();
    let rough = |text: &str| small.formula(text).expect("a good formula").rough(|slot| [floats[slot]]).map(|[value]| value);
    for text in ["2*(P-1)/P*S/B", "ceil(S/cap)", "round(S/cap)", "max(C, 2*(P-1)*alpha)", "min(ceil(S/cap), P)"] {
        assert!(rough(text).is_some_and(|value| near(value, small.value(text))), "{text}: {:?}", rough(text));
    }
    for text in ["ceil(P/g)", "floor(P/g)", "round(P/g + 1/2)", "max(ceil(P/g), 1)", "2^(P*floor(P/g))"] {
        assert_eq!(rough(text), None, "{text}");
    }
}
