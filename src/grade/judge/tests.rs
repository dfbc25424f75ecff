use std::sync::LazyLock;

use crate::drill::{AskKind, Drill, Library, ReadingCredit};
use crate::formula::{Style, quantity};
use crate::grade::carry::{self, Own, Routes};
use crate::grade::claim::{Claim, Said};
use crate::grade::finding::{General, Mistake, Note, Read, ReviewWhy, Verdict};
use crate::quantity::{Dimension, Number, Quantity, Unit};
use crate::recognize::{self, Context};
use crate::text::{Passage, Span};

use super::{Judged, with_work};

fn drill() -> &'static Drill {
    static DRILL: LazyLock<Drill> = LazyLock::new(|| Library::built_in().load("communication-budget").expect("the shipped drill is sound"));
    &DRILL
}

fn judge(drill: &Drill, at: usize, claim: &Claim, own: &[(usize, Own)]) -> Judged {
    let routes = Routes::new(drill);
    let ways = carry::ways(&routes, at, own);
    super::judge(&routes, at, claim, &|| &ways)
}

/// What a text states, as a claim for an ask.
fn claim(drill: &Drill, text: &str) -> Claim<'static> {
    try_claim(drill, text).unwrap_or_else(|| panic!("a quantity in `{text}`"))
}

fn try_claim(drill: &Drill, text: &str) -> Option<Claim<'static>> {
    let context = Context { units: &drill.units, symbols: drill.words(), unit_hint: None };
    let passage = Passage::verbatim(text, 0);
    let mut found = recognize::recognize(&passage, &context);
    let mention = found.mentions.pop()?;
    let (value, high) = (mention.readings[0].value, mention.readings[0].high);
    let said = Said::Number { readings: mention.readings.into_vec().into(), kind: mention.kind, lower: false };
    Some(Claim { said, value, high, labeled: Vec::new(), suspected: Vec::new() })
}

fn at(drill: &Drill, ask: &str) -> usize {
    drill.ask(ask).unwrap_or_else(|| panic!("an ask `{ask}`"))
}

fn judged(ask: &str, text: &str) -> Judged {
    let drill = drill();
    judge(drill, at(drill, ask), &claim(drill, text), &[])
}

fn own(drill: &Drill, values: &[(&str, Number)]) -> Vec<(usize, Own)> {
    values
        .iter()
        .map(|(ask, value)| (at(drill, ask), Own { value: *value, half_place: Number::ZERO, coarse: false, right: false, in_doubt: false }))
        .collect()
}

/// A value as a student would write it, to four figures.
fn written(value: Number, unit: Option<&Unit>) -> String {
    let size = unit.map_or(1.0, |unit| unit.factor.to_f64());
    let shown = value.to_f64() / size;
    let places = if shown == 0.0 { 0 } else { (4 - 1 - shown.abs().log10().floor() as i32).clamp(0, 15) };
    let rounded = format!("{shown:.*}", usize::try_from(places).expect("not negative"));
    quantity(Number::inexact(rounded.parse::<f64>().expect("a number") * size), unit, Style::Plain)
}

#[test]
fn the_reference_is_right_in_every_unit_and_spelling() {
    for (ask, texts) in [
        ("a.bytes", &["2.6 GB", "2600 MB", "2.6e9 bytes", "2,600,000 kB", "20.8 Gbit", "2479.6 MiB", "2.42 GiB", "2.6·10⁹ B"][..]),
        ("b.latency", &["1.24 ms", "0.00124 s", "1240 µs", "1240 us", "1.24 msec", "1.2 ms"]),
        ("b.total", &["202.74 ms", "0.203 s", "202.7 milliseconds", "201.5 ms", "about 203 ms"]),
        ("c.fraction", &["50.7 %", "0.507", "50.7 percent", "51 %", "0.51"]),
        ("c.ceiling", &["100 %", "1.0", "1"]),
        ("b.dominance", &["162.5x", "162.5", "about 160 times", "163"]),
        ("f.1mib_count", &["2480", "2479.55 buckets", "2,480 buckets"]),
        ("f.min_bucket", &["64 MB", "32 MB", "100 MiB", "160 MB", "50 MB"]),
    ] {
        for text in texts {
            let found = judged(ask, text);
            assert_eq!(found.verdict, Verdict::Correct, "{ask}: {text}: {found:?}");
        }
    }
}

#[test]
fn form_is_found_beside_the_value() {
    let form = |ask: &str, text: &str| {
        let found = judged(ask, text);
        assert_eq!(found.verdict, Verdict::Form, "{ask}: {text}: {found:?}");
        found.notes.first().expect("a form has a note").code()
    };
    assert_eq!(form("a.mib", "2.42 GiB"), "other-unit");
    assert_eq!(form("b.total", "0.2 s"), "too-few-figures");
    assert_eq!(form("c.fraction", "0.5"), "too-few-figures");
    assert_eq!(form("e3.ratio", "0.04"), "too-few-figures");
    assert_eq!(form("b.latency", "0.00124"), "missing-unit");
    assert_eq!(form("b.bandwidth", "201.5"), "missing-unit");
    assert_eq!(form("f.crossover", "16"), "missing-unit");
    assert_eq!(form("f.crossover", "1.6e7"), "missing-unit");
    assert_eq!(form("c.fraction", "50.7"), "missing-unit");
    assert_eq!(form("a.bytes", "2.42 GB"), "prefix-read-as");
}

#[test]
fn what_cannot_be_decided_goes_to_a_person() {
    for (ask, text, why) in [
        ("g.total", "between 212 and 218 ms", ReviewWhy::BoundOrRange),
        ("b.total", "195-210 ms", ReviewWhy::BoundOrRange),
        ("b.total", "at most 300 ms", ReviewWhy::BoundOrRange),
        ("e1.ratio", "50.7 %", ReviewWhy::ReadingNotLabeled),
    ] {
        let found = judged(ask, text);
        assert_eq!((found.verdict, found.review), (Verdict::Unclear, Some(why)), "{ask}: {text}: {found:?}");
    }
}

#[test]
fn what_is_wrong_is_wrong() {
    for (ask, text) in [
        ("g.latency", "12.8 ms"),
        ("f.crossover", "12.8 MB"),
        ("f.min_bucket", "20 MB"),
        ("f.min_bucket", "25 MB"),
        ("g.crossover", "120 MB"),
        ("e3.ratio", "2.86 %"),
        ("g.lat_growth", "6x"),
        ("a.bytes", "3 GB"),
        ("b.total", "302.74 MB"),
    ] {
        let found = judged(ask, text);
        assert_eq!(found.verdict, Verdict::Wrong, "{ask}: {text}: {found:?}");
    }
}

#[test]
fn general_slips_have_names() {
    for (ask, text, general) in [
        ("f.crossover", "16 kB", General::PowerOfTen { exponent: -3 }),
        ("f.1mib_total", "32.8 s", General::PowerOfTen { exponent: 1 }),
        ("b.total", "-202.7 ms", General::Sign),
        ("c.fraction", "0.507 %", General::PercentForFraction),
        ("e2.memory", "25.35 GB", General::BitsForBytes),
        ("e1.compute", "800 ms", General::FactorTwo),
        ("g.lat_growth", "0.1216x", General::Reciprocal),
    ] {
        let found = judged(ask, text);
        if found.verdict == Verdict::Slip && matches!(found.mistake, Some(Mistake::Listed(_))) {
            panic!("{ask}: {text} is listed: {found:?}");
        }
        assert_eq!(found.mistake, Some(Mistake::General(general)), "{ask}: {text}: {found:?}");
    }
}

#[test]
fn every_reading_counts_and_says_its_name_only_where_it_has_to() {
    let drill = drill();
    for (at, ask) in drill.asks.iter().enumerate() {
        for (place, reading) in ask.readings.iter().enumerate() {
            if reading.credit == ReadingCredit::Supporting {
                continue;
            }
            let unit = reading.unit.as_ref().or(ask.unit.as_ref()).filter(|unit| unit.dimension == reading.formula.dimension());
            let text = written(reading.formula.value(), unit);
            let mut claim = claim(drill, &text);
            claim.labeled.push(place);
            let found = judge(drill, at, &claim, &[]);
            assert_eq!(found.verdict, Verdict::Correct, "{}: {} as {text}: {found:?}", ask.id, reading.id);
        }
    }
}

#[test]
fn every_listed_mistake_is_named() {
    let drill = drill();
    let mut missed = Vec::new();
    for (at, ask) in drill.asks.iter().enumerate() {
        for (place, mistake) in ask.mistakes.iter().enumerate() {
            let unit = ask.unit.as_ref().filter(|unit| unit.dimension == mistake.formula.dimension());
            let text = written(mistake.formula.value(), unit);
            let mut claim = claim(drill, &text);
            claim.suspected.push(place);
            let found = judge(drill, at, &claim, &[]);
            if found.mistake != Some(Mistake::Listed(mistake.id.as_str().into())) {
                missed.push(format!("{} as {text}: {:?} {:?} {:?}", mistake.id, found.verdict, found.mistake, found.reading));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn a_wrong_value_is_paid_once() {
    let drill = drill();
    let ms = |tenths: i128| Number::decimal(tenths, -4);
    for (ask, text, from, values) in [
        ("a.mib", "4959 MiB", "a.bytes", vec![("a.bytes", Number::decimal(52, 8))]),
        ("b.bandwidth", "403 ms", "a.bytes", vec![("a.bytes", Number::decimal(52, 8))]),
        ("b.total", "404.2 ms", "b.bandwidth", vec![("a.bytes", Number::decimal(52, 8)), ("b.bandwidth", ms(4030))]),
        ("c.fraction", "101 %", "b.total", vec![("a.bytes", Number::decimal(52, 8)), ("b.bandwidth", ms(4030)), ("b.total", ms(4042))]),
        ("e1.ratio", "25.3 %", "b.total", vec![("b.total", ms(4042))]),
        ("g.bandwidth", "414.4 ms", "a.bytes", vec![("a.bytes", Number::decimal(52, 8))]),
    ] {
        let found = judge(drill, at(drill, ask), &claim(drill, text), &own(drill, &values));
        assert_eq!(found.verdict, Verdict::CarriedForward, "{ask}: {text}: {found:?}");
        assert_eq!(found.carried_from, [at(drill, from)], "{ask}: {text}");
    }
}

#[test]
fn an_outdone_reading_may_still_follow_from_an_earlier_value() {
    let drill = drill();
    // 101 % of the step is the listed doubling, unless one's own T is twice as long.
    let doubled = judge(drill, at(drill, "e2.ratio"), &claim(drill, "101 %"), &[]);
    assert_eq!(doubled.mistake, Some(Mistake::Listed("e2_doubled".into())));
    let carried = judge(drill, at(drill, "e2.ratio"), &claim(drill, "101 %"), &own(drill, &[("b.total", Number::decimal(4042, -4))]));
    assert_eq!(carried.verdict, Verdict::CarriedForward, "{carried:?}");
}

#[test]
fn a_rounded_value_is_carried_only_where_the_true_one_does_not_explain() {
    let drill = drill();
    let rounded =
        |value: Number| [(at(drill, "b.total"), Own { value, half_place: Number::ZERO, coarse: true, right: false, in_doubt: false })];
    let half = judge(drill, at(drill, "c.fraction"), &claim(drill, "0.5"), &rounded(Number::decimal(2, -1)));
    assert_eq!(half.verdict, Verdict::Form, "{half:?}");
    let ratio = judge(drill, at(drill, "e1.ratio"), &claim(drill, "13.1 %"), &rounded(Number::decimal(21, -2)));
    assert_eq!(ratio.verdict, Verdict::CarriedForward, "{ratio:?}");
}

#[test]
fn a_growth_is_not_carried_from_the_value_it_made() {
    let drill = drill();
    let values = own(drill, &[("g.bandwidth", Number::decimal(1612, -3))]);
    let found = judge(drill, at(drill, "g.bw_growth"), &claim(drill, "8x"), &values);
    assert_eq!(found.mistake, Some(Mistake::Listed("g_bwg_8".into())), "{found:?}");
    let share = judge(drill, at(drill, "g.fraction"), &claim(drill, "406 %"), &own(drill, &[("g.total", Number::decimal(16222, -4))]));
    assert_eq!(share.verdict, Verdict::CarriedForward, "{share:?}");
}

#[test]
fn a_slip_in_the_arithmetic_is_told_from_a_wrong_method() {
    let drill = drill();
    let ask = at(drill, "b.latency");
    let credit = drill.rubric.credit;
    let with = |text: &str, comes_to: i128| {
        let claim = claim(drill, text);
        let comes_to = Quantity { value: Number::decimal(comes_to, -5), dimension: Dimension::TIME };
        let read = |text: &str| Read {
            span: Span::new(0, text.len()),
            text: text.into(),
            value: comes_to.value,
            high: None,
            unit: None,
            unit_elsewhere: false,
            approximate: false,
            words: false,
        };
        let judged = judge(drill, ask, &claim, &[]);
        with_work(&Routes::new(drill), ask, judged, comes_to, read("2·31·20 µs"), read(text), &|| &[])
    };
    let slipped = with("1.34 ms", 124);
    assert_eq!((slipped.verdict, slipped.mistake.clone()), (Verdict::Wrong, Some(Mistake::General(General::Arithmetic))));
    assert_eq!(slipped.share(&credit), credit.arithmetic_slip);
    let decimal_point = with("12.4 ms", 124);
    assert_eq!(decimal_point.mistake, Some(Mistake::General(General::PowerOfTen { exponent: 1 })));
    assert_eq!(decimal_point.share(&credit), credit.arithmetic_slip);
    let wrong_method = with("1.34 ms", 155);
    assert_eq!((wrong_method.verdict, wrong_method.share(&credit)), (Verdict::Wrong, 0.0));
    assert!(matches!(wrong_method.notes[..], [Note::BrokenLink { .. }]));
    let by_luck = with("1.24 ms", 155);
    assert_eq!(by_luck.verdict, Verdict::Correct);
    assert!(matches!(by_luck.notes[..], [Note::WorkDoesNotLeadThere { .. }]));
}

#[test]
fn implausible_values_are_not_carried() {
    let drill = drill();
    for value in [Number::ZERO, -Number::decimal(2, -1), Number::from(1_000_000)] {
        let ways = carry::ways(&Routes::new(drill), at(drill, "c.fraction"), &own(drill, &[("b.total", value)]));
        assert!(ways.is_empty(), "{value:?}");
    }
}

#[test]
fn the_rounding_of_a_carried_value_widens_the_tolerance() {
    let drill = drill();
    let ask = at(drill, "c.fraction");
    // `0.3 s` may have been 0.26 s, and the share was worked out with that.
    let value = Own { value: Number::decimal(3, -1), half_place: Number::decimal(5, -2), coarse: false, right: false, in_doubt: false };
    let found = judge(drill, ask, &claim(drill, "65 %"), &[(at(drill, "b.total"), value)]);
    assert_eq!(found.verdict, Verdict::CarriedForward, "{found:?}");
}

#[test]
fn a_better_form_never_earns_less() {
    let drill = drill();
    let credit = drill.rubric.credit;
    for (ask, worst_to_best) in [
        ("b.total", &["202.74 GB", "202.74", "0.2 s", "202.74 ms"][..]),
        ("a.mib", &["2479.55 s", "2479.55", "2.42 GiB", "2479.55 MiB"]),
        ("f.crossover", &["16 frob", "16", "16 MB"]),
        ("b.total", &["150 ms", "198 ms", "200 ms", "203 ms", "202.74 ms"]),
    ] {
        let shares: Vec<f64> = worst_to_best.iter().map(|text| judged(ask, text).share(&credit)).collect();
        assert!(shares.is_sorted(), "{ask}: {worst_to_best:?} earn {shares:?}");
    }
}

#[test]
fn ranges_within_the_tolerance_are_answers() {
    let found = judged("b.total", "202-203 ms");
    assert_eq!(found.verdict, Verdict::Correct, "{found:?}");
    assert!(found.notes.contains(&Note::RangeGiven));
    let drill = drill();
    let ask = &drill.asks[at(drill, "f.min_bucket")];
    assert!(matches!(ask.kind, AskKind::Range(_)));
    assert_eq!(judged("f.min_bucket", "32-160 MB").verdict, Verdict::Correct);
    // Each end is right by a reading of its own.
    for (ask, text) in [("f.25_overhead", "61–64 %"), ("f.25_total", "325–331 ms"), ("g.lat_growth", "8–8.3x"), ("c.ceiling", "98–100 %")]
    {
        assert_eq!(judged(ask, text).verdict, Verdict::Correct, "{ask}: {text}");
    }
}

/// A value to five figures in spellings that say the same: decimal, scientific, with other prefixes.
fn spellings(value: f64, unit: Option<&Unit>) -> Vec<String> {
    let size = unit.map_or(1.0, |unit| unit.factor.to_f64());
    let symbol = unit.map_or(String::new(), |unit| format!(" {}", unit.symbol));
    let scientific = format!("{:.4e}", value / size);
    let (mantissa, exponent) = scientific.split_once('e').expect("an exponent");
    let exponent: i32 = exponent.parse().expect("an exponent");
    let raised: String = exponent
        .to_string()
        .chars()
        .map(|c| "⁻⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth("-0123456789".find(c).expect("a digit")).expect("its twin"))
        .collect();
    // The five digits with the mark moved, so that every spelling shows just them.
    let shifted = |by: i32| {
        let places = usize::try_from((4 - exponent - by).max(0)).expect("not negative");
        format!("{:.places$}", scientific.parse::<f64>().expect("a number") * 10f64.powi(by))
    };
    let plain = shifted(0);
    let mut texts = vec![
        format!("{plain}{symbol}"),
        format!("{scientific}{symbol}"),
        format!("{mantissa} × 10^{exponent}{symbol}"),
        format!("{mantissa}·10{raised}{symbol}"),
        format!("about {plain}{symbol}"),
    ];
    match symbol.as_str() {
        " ms" => texts.extend([
            format!("{} s", shifted(-3)),
            format!("{} µs", shifted(3)),
            format!("{plain} milliseconds"),
            format!("{plain}ms"),
        ]),
        " GB" => texts.extend([format!("{} MB", shifted(3)), format!("{} gigabytes", plain), format!("{plain}GB")]),
        " %" => texts.extend([format!("{plain} percent"), format!("{plain}%")]),
        _ => {}
    }
    texts
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn values_within_the_tolerance_are_right_however_they_are_spelled(pick in 0usize..1000, off in -0.0098f64..0.0098) {
        let drill = drill();
        let at = pick % drill.asks.len();
        let ask = &drill.asks[at];
        for text in spellings(ask.formula.value().to_f64() * (1.0 + off), ask.unit.as_ref()) {
            let found = judge(drill, at, &claim(drill, &text), &[]);
            let right = found.verdict == Verdict::Correct || found.notes.iter().any(|note| note.code() == "other-unit");
            proptest::prop_assert!(right, "{}: {text}: {found:?}", ask.id);
        }
    }

    #[test]
    fn spelling_never_changes_a_verdict(pick in 0usize..1000, size in -2.0f64..2.0) {
        let drill = drill();
        let at = pick % drill.asks.len();
        let ask = &drill.asks[at];
        let value = ask.formula.value().to_f64() * 10f64.powf(size);
        let verdicts: Vec<_> = spellings(value, ask.unit.as_ref())
            .iter()
            .map(|text| {
                let found = judge(drill, at, &claim(drill, text), &[]);
                // What a decimal prefix comes to when it is read as the binary one depends on the prefix.
                let binary = found.mistake == Some(Mistake::General(General::BinaryForDecimal));
                let prefix = binary || found.notes.iter().any(|note| note.code() == "prefix-read-as");
                let right = found.verdict == Verdict::Form || found.verdict == Verdict::Correct;
                (right, found.mistake, found.review, text.clone(), prefix)
            })
            .collect();
        proptest::prop_assume!(!verdicts.iter().any(|verdict| verdict.4));
        for other in &verdicts[1..] {
            proptest::prop_assert_eq!((&other.0, &other.1, &other.2), (&verdicts[0].0, &verdicts[0].1, &verdicts[0].2), "{}: {} and {}", &ask.id, &verdicts[0].3, &other.3);
        }
    }

    #[test]
    fn nothing_that_can_be_read_makes_the_judge_fail(pick in 0usize..1000, text in "[0-9]{1,4}[.,]?[0-9]{0,3}(e-?[0-9]{1,3})? ?(ms|s|GB|MiB|%|x|frobs|bits/s|pp)?( ?- ?[0-9]{1,3} ms)?") {
        let drill = drill();
        let at = pick % drill.asks.len();
        if let Some(claim) = try_claim(drill, &text) {
            let own: Vec<(usize, Own)> = (0..drill.asks.len()).map(|ask| (ask, Own { value: Number::decimal(17, -3), half_place: Number::decimal(5, -4), coarse: ask.is_multiple_of(2), right: false, in_doubt: false })).collect();
            let share = judge(drill, at, &claim, &own).share(&drill.rubric.credit);
            proptest::prop_assert!((0.0..=1.0).contains(&share));
        }
    }
}
