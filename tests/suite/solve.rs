//! The reference solver: how the communication budget's values hang together, and `drillmark solve` and `list`.

use std::path::PathBuf;
use std::process::{Command, Output};

use drillmark::drill::{Drill, Library};
use drillmark::quantity::Number;
use serde_json::Value;

fn budget() -> Drill {
    Library::built_in().load("communication-budget").expect("a shipped drill is clean")
}

fn value(drill: &Drill, id: &str) -> f64 {
    let ask = drill.ask(id).unwrap_or_else(|| panic!("no ask `{id}`"));
    drill.asks[ask].formula.value().to_f64()
}

fn same(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-12 * b.abs(), "{a} is not {b}");
}

/// No expected number is typed in: each line is something that has to be so, whatever the givens.
fn hangs_together(drill: &Drill) {
    let v = |id| value(drill, id);
    same(v("a.mib"), v("a.bytes"));
    same(v("b.total"), v("b.latency") + v("b.bandwidth"));
    same(v("b.dominance"), v("b.bandwidth") / v("b.latency"));
    same(v("b.dominance"), v("a.bytes") / v("f.crossover"));
    same(v("c.eff_exposed"), 1.0 / (1.0 + v("c.fraction")));
    same(v("c.fraction") * v("e1.compute"), v("b.total") * v("c.fraction") / v("e1.ratio"));
    same(v("e2.ratio"), v("c.fraction"));
    same(v("f.1mib_total"), v("f.1mib_count") * v("b.latency") + v("b.bandwidth"));
    same(v("f.25_total"), v("b.bandwidth") * (1.0 + v("f.25_overhead")));
    same(v("g.total"), v("g.latency") + v("g.bandwidth"));
    same(v("g.lat_growth"), v("g.latency") / v("b.latency"));
    same(v("g.bw_growth"), v("g.bandwidth") / v("b.bandwidth"));
    same(v("g.batch"), v("g.crossover") / v("f.crossover"));
    same(v("g.fraction") / v("c.fraction"), v("g.total") / v("b.total"));
}

#[test]
fn the_values_of_the_budget_hang_together_for_any_givens() {
    let drill = budget();
    hangs_together(&drill);
    for (name, other) in [("P", 8), ("P", 1000), ("P2", 64), ("N", 70_000_000), ("A", 16)] {
        hangs_together(&drill.with(&[(drill.name(name).expect("a given"), Number::from(other))]));
    }
    let [p, p2] = ["P", "P2"].map(|name| drill.name(name).expect("a given"));
    let grown = drill.with(&[(p, drill.reference.get(p2))]);
    same(value(&grown, "b.latency"), value(&drill, "g.latency"));
    same(value(&grown, "f.crossover"), value(&drill, "g.crossover"));
}

#[test]
fn the_values_of_the_budget_are_exact() {
    for ask in &budget().asks {
        assert!(ask.formula.value().to_ratio().is_some(), "{}", ask.id);
    }
}

#[test]
fn asks_know_what_they_depend_on() {
    let drill = budget();
    let depends = |id: &str| -> Vec<&str> {
        drill.asks[drill.ask(id).expect("an ask")].depends_on.iter().map(|ask| drill.asks[*ask].id.as_str()).collect()
    };
    assert_eq!(depends("b.latency"), [""; 0]);
    assert_eq!(depends("b.bandwidth"), ["a.bytes", "a.mib"]);
    assert_eq!(depends("b.total"), ["a.bytes", "a.mib", "b.latency", "b.bandwidth"]);
    for id in ["c.eff_exposed", "e1.ratio", "f.1mib_total"] {
        assert!(depends(id).contains(&"b.latency") && depends(id).contains(&"a.bytes"), "{id}: {:?}", depends(id));
    }
}

fn drillmark(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_drillmark")).args(args).output().expect("the program starts")
}

fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn solve_prints_formula_substitution_and_value() {
    let output = drillmark(&["solve", "communication-budget"]);
    assert!(output.status.success());
    let text = shown(&output);
    for line in ["b.latency      1.24 ms  2·(P − 1)·α = 2·(32 − 1)·20 µs", "b.total      202.74 ms  L + V = 1.24 ms + 201.5 ms"] {
        assert!(text.contains(line), "`{line}` is not in\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "escape codes in a pipe");
    let markdown = shown(&drillmark(&["solve", "communication-budget", "--format", "markdown"]));
    assert!(markdown.contains(r"| $\frac{2 \cdot \left(P - 1\right)}{P} \cdot \frac{S}{B}$ |"), "{markdown}");
}

#[test]
fn solve_works_out_other_givens() {
    let set = ["--set", "P=256", "--set", "B=50 GB/s", "--set", "α=5us"];
    let output = drillmark(&[&["solve", "communication-budget", "--format", "json"], set.as_slice()].concat());
    let solution: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let asks = solution["asks"].as_array().expect("a list");
    let ask = |id: &str| asks.iter().find(|ask| ask["id"] == id).expect("an ask");
    same(ask("b.latency")["value"].as_f64().expect("a number"), 2.0 * 255.0 * 5e-6);
    same(ask("b.bandwidth")["value"].as_f64().expect("a number"), 2.0 * 255.0 / 256.0 * 2.6e9 / 50e9);
    assert_eq!(ask("b.latency")["worked"], "2·(256 − 1)·5 µs");
    assert_eq!((&ask("b.latency")["unit"], &ask("b.latency")["required"]), (&Value::from("ms"), &Value::from(true)));
}

#[test]
fn what_cannot_be_solved_is_told_in_one_line() {
    for (args, line) in [
        (&["communication-buget"] as &[&str], "there is no drill `communication-buget`; did you mean `communication-budget`?"),
        (&["ring"], "there is no drill `ring`; `drillmark list` shows those there are"),
        (&["communication-budget", "--set", "P"], "--set P: write it as NAME=VALUE"),
        (
            &["communication-budget", "--set", "alhpa=1 us"],
            "--set alhpa=1 us: `communication-budget` has no name `alhpa`; did you mean `alpha`?",
        ),
        (&["communication-budget", "--set", "B=5"], "--set B=5: `B` is data/time, `5` is a plain number"),
        (&["communication-budget", "--set", "B=5 GB/"], "--set B=5 GB/: the formula ends where a value is due"),
        (&["communication-budget", "--set", "P=0"], "with these values `V` comes to no number"),
        (&["communication-budget", "--library", "/nowhere"], "/nowhere: no such file or folder"),
    ] {
        let output = drillmark(&[&["solve"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("drillmark: {line}\n"), "{args:?}");
        assert!(output.stdout.is_empty());
    }
}

/// An empty folder of this test run.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

const DRILL: &str = r#"format = 1
id = "fall"
title = "Free fall"

[given]
h = "20 m"
a = "9.81 m/s^2"

[let]
t = "sqrt(2*h/a)"

[[part]]
id = "a"
title = "Time"

[[part.ask]]
id = "a.time"
asks = "the time of the fall"
value = "t"
unit = "s"
cues = ["time"]
"#;

const RUBRIC: &str = "format = 1\nid = \"fall\"\ndrill = \"fall\"\n\n[values]\n\"a.time\" = 1\n";

#[test]
fn a_library_is_two_folders_or_a_flat_one() {
    let flat = folder("flat-library");
    std::fs::write(flat.join("fall.toml"), DRILL).expect("a file");
    std::fs::write(flat.join("fall.rubric.toml"), RUBRIC).expect("a file");
    let two = folder("two-folders");
    for (name, text) in [("drills", DRILL), ("rubrics", RUBRIC)] {
        std::fs::create_dir(two.join(name)).expect("a folder");
        std::fs::write(two.join(name).join("fall.toml"), format!("\u{feff}{text}")).expect("a file");
    }
    for library in [flat, two] {
        let library = library.to_str().expect("a name in UTF-8");
        let list: Value = serde_json::from_slice(&drillmark(&["list", "--format", "json", "--library", library]).stdout).expect("JSON");
        assert_eq!((&list[0]["id"], &list[0]["title"], &list[1]), (&Value::from("fall"), &Value::from("Free fall"), &Value::Null));
        let text = shown(&drillmark(&["solve", "fall", "--library", library]));
        assert!(text.contains("a.time +  2.0192751 s  √(2·h/a) = √(2·20 m/(9.81 m/s²))"), "{text}");
    }
}

#[test]
fn a_broken_drill_is_shown_with_every_place_underlined() {
    let library = folder("broken-library");
    std::fs::write(library.join("fall.toml"), DRILL.replace("2*h/a)", "2*h/a").replace("cues", "cue")).expect("a file");
    std::fs::write(library.join("fall.rubric.toml"), RUBRIC.replace("a.time", "a.tmie")).expect("a file");
    let library = library.to_str().expect("a name in UTF-8");
    for args in [["solve", "fall", "--library", library].as_slice(), &["list", "--library", library]] {
        let output = drillmark(args);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        let told = String::from_utf8_lossy(&output.stderr).replace(library, "DIR");
        let expected = r#"error[formula-syntax]: this bracket is never closed
  --> DIR/fall.toml:10:10
   |
10 | t = "sqrt(2*h/a"
   |          ^

error[unknown-key]: the key `cue` has no meaning here
  --> DIR/fall.toml:21:1
   |
21 | cue = ["time"]
   | ^^^
   |
   = help: did you mean `cues`?

error[unknown-ask]: there is no ask `a.tmie`
 --> DIR/fall.rubric.toml:6:1
  |
6 | "a.tmie" = 1
  | ^^^^^^^^
  |
  = help: did you mean `a.time`?

drillmark: 3 errors in DIR/fall.toml and DIR/fall.rubric.toml
"#;
        assert_eq!(told, expected);
    }
}

#[test]
fn a_drill_without_a_rubric_and_an_unreadable_file_are_named() {
    let library = folder("half-library");
    std::fs::write(library.join("fall.toml"), DRILL).expect("a file");
    let name = library.to_str().expect("a name in UTF-8");
    let output = drillmark(&["solve", "fall", "--library", name]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "drillmark: the drill `fall` has no rubric: `rubrics/fall.toml` is missing\n");
    std::fs::write(library.join("noise.toml"), [0xff, 0xfe, 0x00]).expect("a file");
    let output = drillmark(&["list", "--library", name]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.starts_with("drillmark: ") && told.contains("noise.toml") && told.lines().count() == 1, "{told}");
}
