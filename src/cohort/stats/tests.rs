//! Tables worked out by hand.

use super::*;
use crate::cohort::read::Score;
use serde_json::{Value, json};

/// A row as `grades.jsonl` has it.
fn row(id: &str, quantities: Value, criteria: Value, review: Value) -> Row {
    let sum = |key: &str| -> f64 {
        let of = |list: &Value| list.as_array().into_iter().flatten().filter_map(|item| item[key].as_f64()).sum::<f64>();
        of(&quantities) + of(&criteria)
    };
    let (awarded, possible) = (sum("points"), sum("possible"));
    let row = json!({
        "format": 1, "drill": {"id": "d", "sha256": "0"}, "rubric": {"id": "d", "sha256": "0"},
        "submission": {"id": id, "file": format!("{id}.md"), "sha256": id, "source": {"path": "x", "entry": null}},
        "score": {"awarded": awarded, "possible": possible, "pending": 0.0},
        "quantities": quantities, "criteria": criteria, "review": review,
    });
    serde_json::from_value(row).expect("the row has the shape of the contract")
}

fn quantity(id: &str, verdict: &str, points: f64, possible: f64) -> Value {
    json!({"id": id, "part": "a", "required": true, "verdict": verdict, "read": null, "reading": null, "mistake": null,
           "carried_from": [], "notes": [], "points": points, "possible": possible})
}

fn close(found: Option<f64>, wanted: f64) {
    assert!(found.is_some_and(|found| (found - wanted).abs() < 1e-9), "{found:?} is not {wanted}");
}

#[test]
fn a_correlation_by_hand() {
    let mut pairs = Pairs::default();
    assert_eq!(pairs.correlation(), None);
    // Means 2.5 and 3.5; the products of the distances sum to 4, the squares to 5 and 5.
    for (x, y) in [(1.0, 2.0), (2.0, 4.0), (3.0, 3.0), (4.0, 5.0)] {
        pairs.add(x, y);
    }
    close(pairs.correlation(), 0.8);
    let mut same = Pairs::default();
    (0..50).for_each(|at| same.add(0.1 + 0.2, f64::from(at)));
    assert_eq!(same.correlation(), None, "what never changes goes with nothing");
}

#[test]
fn scores_have_their_middle_and_their_bars() {
    let mut scores = Scores::default();
    assert_eq!((scores.mean(), scores.quantile(0.5), scores.bins().len()), (None, None, 1));
    for (awarded, waits) in [(0.0, false), (3.9, false), (4.0, true), (10.0, false), (40.0, false), (17.5, false)] {
        scores.add(Score { awarded, possible: 40.0, pending: f64::from(u8::from(waits)) }, waits);
    }
    close(scores.mean(), 75.4 / 6.0);
    // In order: 0, 3.9, 4, 10, 17.5, 40.
    close(scores.quantile(0.5), 7.0);
    close(scores.quantile(0.25), 3.9 + 0.25 * 0.1);
    close(scores.quantile(0.0), 0.0);
    close(scores.quantile(1.0), 40.0);
    let bins = scores.bins();
    assert_eq!((bins.len(), bins[0].high), (20, 2.0), "forty points in steps of two");
    let counts: Vec<usize> = bins.iter().map(|bin| bin.decided + bin.waiting).collect();
    assert_eq!((counts[0], counts[1], counts[2], counts[5], counts[8], counts[19]), (1, 1, 1, 1, 1, 1));
    assert_eq!((bins[2].decided, bins[2].waiting), (0, 1));
}

#[test]
fn the_deviation_of_two_and_four_is_one() {
    let mut scores = Scores::default();
    scores.add(Score { awarded: 2.0, possible: 5.0, pending: 0.0 }, false);
    scores.add(Score { awarded: 4.0, possible: 5.0, pending: 0.0 }, false);
    close(scores.deviation(), 1.0);
    assert_eq!(scores.bins().len(), 20, "five points in quarters");
}

#[test]
fn difficulty_counts_what_is_missing_and_not_what_waits() {
    let mut stats = Stats::default();
    let none = || json!([]);
    stats.add(&row("1", json!([quantity("a.x", "correct", 2.0, 2.0), quantity("a.y", "missing", 0.0, 1.0)]), none(), none()));
    stats.add(&row("2", json!([quantity("a.x", "form", 1.0, 2.0), quantity("a.y", "correct", 1.0, 1.0)]), none(), none()));
    let review = json!([{"kind": "quantity", "id": "a.y", "why": "two-candidates", "candidates": []}]);
    stats.add(&row("3", json!([quantity("a.x", "slip", 0.0, 2.0), quantity("a.y", "unclear", 0.0, 1.0)]), none(), review));
    let drill = &stats.drills["d"];
    assert_eq!((drill.answers, drill.waiting), (3, 1));
    close(drill.items[0].difficulty(), 0.5);
    close(drill.items[1].difficulty(), 0.5);
    assert_eq!(drill.items[1].verdicts, BTreeMap::from([("correct".into(), 1), ("missing".into(), 1), ("unclear".into(), 1)]));
    assert_eq!(drill.items[0].discrimination(), None, "three answers say nothing");
    let waiting = &drill.backlog["a.y"];
    assert_eq!((waiting.answers, waiting.points, waiting.why["two-candidates"]), (1, 1.0, 1));
}

#[test]
fn discrimination_compares_an_item_with_the_rest_of_the_answer() {
    let mut stats = Stats::default();
    // Ten answers: `good` goes with the rest, `bad` against it, `even` has nothing to do with it.
    for at in 0..10 {
        let strong = at >= 5;
        let share = |is: bool| if is { 1.0 } else { 0.0 };
        let quantities = json!([
            quantity("good", "correct", share(strong), 1.0),
            quantity("bulk", "correct", 8.0 * share(strong), 8.0),
            quantity("bad", "correct", share(!strong), 1.0),
            quantity("even", "correct", share(at % 2 == 0), 1.0),
            quantity("free", "correct", 0.0, 0.0),
        ]);
        stats.add(&row(&at.to_string(), quantities, json!([]), json!([])));
    }
    let item = |id: &str| stats.drills["d"].items.iter().find(|item| item.id == id).expect("it is there");
    assert!(item("good").discrimination().is_some_and(|r| r > 0.95));
    assert!(item("bad").discrimination().is_some_and(|r| r < -0.95));
    // Of the odd ones three are strong of five, of the even ones two: r is −0.2 against `bulk` alone, and near it here.
    assert!(item("even").discrimination().is_some_and(|r| (-0.3..-0.1).contains(&r)), "{:?}", item("even").discrimination());
    assert_eq!((item("free").difficulty(), item("free").discrimination()), (None, None));
}

#[test]
fn mistakes_are_counted_by_answers_and_examples_do_not_depend_on_the_order() {
    let slip = |id: &str| {
        let mut quantity = quantity("a.x", "slip", 0.0, 1.0);
        quantity["mistake"] = json!("factor-two");
        quantity["notes"] = json!(["missing-unit", "missing-unit"]);
        quantity["read"] = json!({"text": format!("{id} s"), "value": 1.0, "unit": "s", "start": 3, "end": 6, "line": 1, "column": 4});
        row(id, json!([quantity]), json!([]), json!([]))
    };
    let ids: Vec<String> = (0..20).map(|at| format!("s{at}")).collect();
    let (mut forward, mut backward) = (Stats::default(), Stats::default());
    ids.iter().for_each(|id| forward.add(&slip(id)));
    ids.iter().rev().for_each(|id| backward.add(&slip(id)));
    let key = ("a.x".to_owned(), "factor-two".to_owned());
    let (one, other) = (&forward.drills["d"].mistakes[&key], &backward.drills["d"].mistakes[&key]);
    assert_eq!((one.answers, one.examples.len()), (20, 5));
    assert_eq!(one.examples, other.examples);
    assert_eq!(forward.drills["d"].notes["missing-unit"], 20, "twice in an answer is once");
}

#[test]
fn what_is_carried_forward_is_traced_to_its_beginning() {
    let carried = |id: &str, from: &[&str], points: f64| {
        let mut quantity = quantity(id, "carried_forward", points, points);
        quantity["carried_from"] = json!(from);
        quantity
    };
    let mut root = quantity("a.bytes", "slip", 0.0, 1.0);
    root["mistake"] = json!("a_fp32");
    let quantities = json!([
        root,
        carried("a.mib", &["a.bytes"], 0.5),
        carried("b.bandwidth", &["a.mib"], 1.0),
        carried("b.total", &["b.bandwidth", "b.latency"], 2.0),
        quantity("b.latency", "wrong", 0.0, 1.0),
        // Each follows from the other: no beginning, and no endless walk.
        carried("c.one", &["c.two"], 1.0),
        carried("c.two", &["c.one"], 1.0),
    ]);
    let mut stats = Stats::default();
    stats.add(&row("1", quantities, json!([]), json!([])));
    let drill = &stats.drills["d"];
    assert_eq!(drill.carried, 1);
    assert_eq!(drill.roots.keys().collect::<Vec<_>>(), ["a.bytes", "b.latency"]);
    let root = &drill.roots["a.bytes"];
    assert_eq!(root.reaches.keys().collect::<Vec<_>>(), ["a.mib", "b.bandwidth", "b.total"]);
    assert_eq!((root.answers, root.mistakes["a_fp32"], root.kept), (1, 1, 2.5));
    assert_eq!((drill.roots["b.latency"].mistakes[""], drill.roots["b.latency"].kept), (1, 1.0));
}

#[test]
fn only_totals_and_what_could_not_be_graded_are_named() {
    let mut stats = Stats::default();
    let mut one = row("1", json!([]), json!([]), json!([]));
    one.separate_terms.push(crate::cohort::read::SeparateTerms {
        of: "b.total".into(),
        terms: vec!["b.latency".into(), "b.bandwidth".into()],
        found: "total_only".into(),
    });
    stats.add(&one);
    let mut broken = row("2", json!([]), json!([]), json!([]));
    (broken.error, broken.drill, broken.score) = (Some("is a PDF".into()), None, None);
    stats.add(&broken);
    assert_eq!(stats.drills["d"].sums["b.total"].total_only, ["1"]);
    assert_eq!((stats.submissions, &stats.ungraded[..]), (2, &[("2".to_owned(), "is a PDF".to_owned())][..]));
}
