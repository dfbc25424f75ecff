//! A small drill, everything that can be wrong with it, and what its author is told.

use super::*;
use crate::diagnostic::Diagnostic;
use crate::formula::Expr;
use crate::text::Source;

mod counted;

const DRILL: &str = r#"format = 1
id = "ring"
title = "A ring"

[defaults]
tolerance = "1 %"
min_figures = 2

[given]
P = { value = 4, noun = "GPUs", symbols = ["p", "n"] }
alpha = { value = "20 us", says = "latency", symbols = ["α"] }
S = "1 GB"
B = { value = "25 GB/s" }

[assume]
phi = { value = "2/3" }

[let]
L = "2*(P-1)*alpha"
V = { value = "2*(P-1)/P * S/B" }
T = { value = "L + V", symbols = ["total"] }

[unit]
step = "400 ms"

[[part]]
id = "a"
title = "Terms"
topics = ["the terms"]
text = "How long?"

[[part.ask]]
id = "a.latency"
asks = "the latency term"
value = "L"
unit = "us"
required = true
symbols = ["L", "lat"]
cues = ["latency term"]
reading = [
    { id = "share", value = "L/T", unit = "%", credit = "full_if_labelled", says = "its share", label = ["share"] },
]
mistake = [
    { id = "two_p", value = "2*P*alpha", says = "One hop too many." },
]

[[part.ask]]
id = "a.bandwidth"
asks = "the bandwidth term"
value = "V"
unit = "ms"
cues = ["bandwidth term"]

[[part.ask]]
id = "a.total"
asks = "the total"
value = "T"
unit = "ms"
sum = ["a.latency", "a.bandwidth"]
cues = ["total"]

[[part]]
id = "b"
title = "Bucket"

[[part.item]]
id = "b1"
title = "Count"

[[part.item.ask]]
id = "b1.count"
asks = "the number of buckets"
value = "ceil(S/(25 MiB))"
kind = "count"
noun = "buckets"
cues = ["bucket*"]

[[part.item.ask]]
id = "b1.size"
asks = "a bucket that is large enough"
value = "3*P*alpha*B"
unit = "MB"
kind = "range"
accept = ["2*P*alpha*B", "10*P*alpha*B"]
cues = ["size"]
"#;

const RUBRIC: &str = r#"format = 1
id = "ring"
drill = "ring"
total = 8
totals = { a = 7, b = 1 }

[credit]
form = 0.8

[values]
"a.latency" = 1
"a.bandwidth" = 1
"a.total" = 1
"b1.count" = 1.0

[concept.hidden]
phrases = ["hid(e|es|den)"]

[concept.large]
rule = "!hidden"

[[criterion]]
id = "a.separate"
part = "a"
points = 2
kind = "separate"
separate = { of = "a.total", terms = ["a.latency", "a.bandwidth"], partly = 0.5 }

[[criterion]]
id = "a.why"
part = "a"
points = 2
kind = "argument"
says = "says why"
met = "hidden & large"
sample = [ { text = "It hides.", outcome = "not_met" } ]
"#;

fn load(drill: &str, rubric: &str) -> Result<Drill, Vec<Diagnostic>> {
    Drill::load(&Source::new("drills/ring.toml", drill), &Source::new("rubrics/ring.toml", rubric))
}

fn ring() -> Drill {
    load(DRILL, RUBRIC).unwrap_or_else(|found| panic!("{found:#?}"))
}

/// What a finding says, with the text of its places.
fn told<'t>(diagnostic: &'t Diagnostic, drill: &'t str, rubric: &'t str) -> (&'static str, &'t str, Vec<&'t str>, &'t str) {
    let places = diagnostic.labels.iter().map(|label| {
        let text = if label.file == "drills/ring.toml" { drill } else { rubric };
        &text[label.span.range()]
    });
    (diagnostic.code, &diagnostic.title, places.collect(), diagnostic.help.as_deref().unwrap_or_default())
}

#[test]
fn every_built_in_drill_is_clean() {
    let library = Library::built_in();
    assert!(library.ids().count() > 0);
    for id in library.ids() {
        let drill = library.load(id).unwrap_or_else(|trouble| panic!("{id}: {trouble:#?}"));
        assert_eq!(drill.id, id);
    }
}

#[test]
fn a_drill_in_hand_is_solved() {
    let drill = ring();
    let value = |id: &str| drill.asks[drill.ask(id).expect("an ask")].formula.value().to_f64();
    assert_eq!(value("a.latency"), 0.00012);
    assert_eq!(value("a.bandwidth"), 0.06);
    assert_eq!(value("a.total"), 0.06012);
    assert_eq!(value("b1.count"), 39.0);
    let total = &drill.asks[2];
    assert_eq!((total.sum.as_slice(), total.depends_on.as_slice()), ([0, 1].as_slice(), [0, 1].as_slice()));
    assert_eq!(total.states, drill.name("T"));
    let needs: Vec<&str> = total.needs.iter().map(|name| drill.names[name.0].name.as_str()).collect();
    assert_eq!(needs, ["P", "alpha", "S", "B", "L", "V", "T"]);
    assert_eq!(drill.asks[0].readings[0].tolerance, drill.asks[0].tolerance);
    assert_eq!((drill.asks[3].part.as_str(), drill.asks[3].item.as_deref()), ("b", Some("b1")));
    assert_eq!(drill.rubric.possible, 8.0);
    assert_eq!(drill.rubric.credit.form, 0.8);
    assert_eq!(drill.sha256.len(), 64);
    let step = drill.units.read("step").remove(0);
    assert_eq!((step.factor.to_f64(), step.symbol.as_str()), (0.4, "step"));
}

#[test]
fn students_symbols_stand_for_the_names() {
    let drill = ring();
    for (symbol, name) in [("α", "alpha"), ("p", "P"), ("n", "P"), ("total", "T"), ("lat", "L"), ("L", "L")] {
        assert_eq!(drill.scope().symbols.get(symbol).map(|symbol| NameId(symbol.slot)), drill.name(name), "{symbol}");
        assert!(drill.words().contains(symbol));
    }
    let work = crate::formula::parse_student("2·(p−1)α", &drill.units, drill.words()).expect("a product");
    let found = drill.evaluate(&work, &drill.reference).expect("of good dimensions");
    assert_eq!(found.value, drill.asks[0].formula.value());
    assert_eq!(drill.expanded(&Expr::name("T")).to_string(), "2*(P-1)*alpha+2*(P-1)/P*S/B");
}

#[test]
fn another_value_moves_what_follows_from_it_and_nothing_else() {
    let drill = ring();
    let (latency, bandwidth, total) = (drill.name("L").expect("L"), drill.name("V").expect("V"), drill.name("T").expect("T"));
    let values = drill.resolve(&[(latency, Number::ONE)]);
    assert_eq!(values.get(latency), Number::ONE);
    assert_eq!(values.get(bandwidth), drill.reference.get(bandwidth));
    assert_eq!(values.get(total), Number::ONE + drill.reference.get(bandwidth));
    assert_eq!(drill.asks[2].formula.eval(values.slots()), values.get(total));
    assert_eq!(drill.resolve(&[]), drill.reference);

    let mut floats = drill.floats();
    for ranks in [2.0, 8.0, 4.0] {
        drill.resolve_into(&mut floats, &[(drill.name("P").expect("P"), ranks)]);
        assert!((floats[latency.0] - 2.0 * (ranks - 1.0) * 20e-6).abs() < 1e-18);
    }
    assert!((floats[total.0] - drill.reference.get(total).to_f64()).abs() < 1e-15);

    let larger = drill.with(&[(drill.name("P").expect("P"), Number::from(8))]);
    assert_eq!(larger.asks[0].formula.value().to_f64(), 0.00028);
    assert_eq!(larger.asks[0].mistakes[0].formula.value().to_f64(), 0.00032);
    assert_eq!(larger.names[0].formula.text(), "8");
}

#[test]
fn authors_are_told_what_is_wrong_with_a_drill() {
    // What is replaced by what; then code, title, what is underlined, help.
    for (from, to, code, title, places, help) in [
        ("format = 1\n", "", "missing-key", "`format` is missing", &[""] as &[&str], "write `format = 1` at the top"),
        (
            "format = 1\n",
            "format = 2\n",
            "wrong-format",
            "this drillmark reads format 1, not 2",
            &["2"],
            "write `format = 1`, or use the drillmark that the file was written for",
        ),
        (
            "id = \"ring\"",
            "id = \"rings\"",
            "id-and-file-differ",
            "the file is called `ring`, its id is `rings`",
            &["\"rings\""],
            "rename the file to `rings.toml`, or the id",
        ),
        ("id = \"ring\"", "id = \"r i\"", "bad-id", "an id is made of letters, digits, `-`, `_` and `.`", &["\"r i\""], ""),
        (
            "title = \"A ring\"",
            "titel = \"A ring\"",
            "unknown-key",
            "the key `titel` has no meaning here",
            &["titel"],
            "did you mean `title`?",
        ),
        ("title = \"A ring\"", "title = 3", "wrong-type", "`title` is an integer, not a text", &["3"], ""),
        ("min_figures = 2", "min_figures = 0", "out-of-range", "`min_figures` is a whole number from 1 to 15", &["0"], ""),
        ("min_figures = 2", "plausible = 0.5", "out-of-range", "`plausible` is a factor of at least 1", &["0.5"], ""),
        ("\"1 %\"", "\"300 %\"", "out-of-range", "a tolerance lies between 0 and 100 %", &["\"300 %\""], ""),
        (
            "\"1 %\"",
            "\"1 ms\"",
            "wrong-dimension",
            "`tolerance` is a share, this is time",
            &["\"1 ms\""],
            "write a quantity as `absolute = \"…\"`",
        ),
        ("\"1 GB\"", "\"1 gb\"", "unknown-unit", "no unit is spelled `gb`", &["gb"], "did you mean `GB`?"),
        ("S = \"1 GB\"", "S = \"P*1 GB\"", "given-is-worked-out", "a given is a quantity; `S` is worked out", &["P"], "move it to `[let]`"),
        ("S = \"1 GB\"", "S = [1]", "wrong-type", "`S` is a list, not a formula or a table with a `value`", &["[1]"], ""),
        (
            "S = \"1 GB\"",
            "P2 = \"1 GB\"",
            "unknown-name",
            "`S` is neither a name of this drill nor a unit",
            &["S"],
            "define it in `[given]`, `[assume]` or `[let]`",
        ),
        ("phi = {", "P = {", "duplicate-name", "`P` is defined twice", &["P", "P"], ""),
        ("phi = {", "max = {", "reserved-name", "`max` is a function", &["max"], "choose another name"),
        ("phi = {", "\"a b\" = {", "bad-name", "a name is a letter followed by letters, digits and `_`", &["\"a b\""], ""),
        ("L = \"2*(P-1)*alpha\"", "L = \"L*2\"", "cycle", "`L` is worked out from itself", &["L"], ""),
        ("L = \"2*(P-1)*alpha\"", "L = \"T*2\"", "cycle", "a circle: L → T → L", &["T", "L"], ""),
        (
            "L = \"2*(P-1)*alpha\"",
            "L = \"alpha/(P-4)\"",
            "not-a-number",
            "this comes to no number: it divides by zero, or is too large",
            &["\"alpha/(P-4)\""],
            "",
        ),
        ("L + V", "L + S", "dimension-mismatch", "only like things can be added", &["L", "S"], ""),
        (
            "L + V",
            "L + Q",
            "unknown-name",
            "`Q` is neither a name of this drill nor a unit",
            &["Q"],
            "define it in `[given]`, `[assume]` or `[let]`",
        ),
        ("L + V", "L + v", "unknown-name", "`v` is neither a name of this drill nor a unit", &["v"], "did you mean `V`?"),
        ("L + V", "L + (V", "formula-syntax", "this bracket is never closed", &["("], ""),
        ("step = \"400 ms\"", "step = \"alpha\"", "unknown-name", "a quantity is written out here, without names", &["alpha"], ""),
        ("id = \"b\"\n", "id = \"a\"\n", "duplicate-id", "another part is called `a` already", &["\"a\"", "\"a\""], ""),
        (
            "id = \"a.total\"",
            "id = \"a.latency\"",
            "duplicate-id",
            "another ask is called `a.latency` already",
            &["\"a.latency\"", "\"a.latency\""],
            "",
        ),
        (
            "id = \"a.total\"",
            "id = \"total\"",
            "bad-id",
            "an ask of `a` has an id that starts with `a.`",
            &["\"total\""],
            "write `a.total`",
        ),
        ("asks = \"the total\"\n", "", "missing-key", "`asks` is missing here", &["[[part.ask]]"], ""),
        (
            "value = \"T\"\nunit = \"ms\"",
            "value = \"T\"\nunit = \"GB\"",
            "wrong-dimension",
            "`GB` is a unit of data, the value is time",
            &["\"GB\"", "\"T\""],
            "",
        ),
        (
            "value = \"T\"\nunit = \"ms\"",
            "value = \"T\"",
            "missing-unit",
            "the value is time, but no `unit` says in which unit it is asked",
            &["\"T\""],
            "",
        ),
        (
            "value = \"T\"\nunit = \"ms\"",
            "value = \"T\"\nunit = \"msec.\"",
            "unknown-unit",
            "no unit is spelled `msec.`",
            &["\"msec.\""],
            "add it to `[unit]`; what is counted is said with `noun`",
        ),
        (
            "value = \"T\"\nunit",
            "value = \"T\"\nrequired = 1\nunit",
            "wrong-type",
            "`required` is an integer, not true or false",
            &["1"],
            "",
        ),
        (
            "value = \"T\"\nunit",
            "value = \"T\"\nabsolute = \"1 GB\"\nunit",
            "wrong-dimension",
            "the tolerance is data, the value is time",
            &["\"1 GB\""],
            "",
        ),
        (
            "\"ceil(S/(25 MiB))\"",
            "\"P-4\"",
            "zero-reference",
            "the value is zero, of which no share is a tolerance",
            &["\"P-4\""],
            "give it `absolute = \"…\"`, a quantity",
        ),
        (
            "cues = [\"total\"]",
            "cues = [\"total\", \"(a|)\"]",
            "bad-phrase",
            "an empty alternative; what may be left out stands in square brackets",
            &[")"],
            "",
        ),
        (
            "[\"a.latency\", \"a.bandwidth\"]\ncues",
            "[\"a.latency\", \"a.bandwith\"]\ncues",
            "unknown-ask",
            "there is no ask `a.bandwith`",
            &["\"a.bandwith\""],
            "did you mean `a.bandwidth`?",
        ),
        (
            "[\"a.latency\", \"a.bandwidth\"]\ncues",
            "[\"a.latency\", \"b.bandwidth\"]\ncues",
            "unknown-ask",
            "there is no ask `b.bandwidth`",
            &["\"b.bandwidth\""],
            "did you mean `a.bandwidth`?",
        ),
        (
            "[\"a.latency\", \"a.bandwidth\"]\ncues",
            "[\"a.latency\", \"a.latency\"]\ncues",
            "not-the-sum",
            "these do not add up to `a.total`",
            &["\"a.latency\", \"a.latency\""],
            "",
        ),
        ("kind = \"count\"", "kind = \"cuont\"", "unknown-kind", "`cuont` is no kind of ask", &["\"cuont\""], "did you mean `count`?"),
        (
            "unit = \"ms\"\ncues",
            "unit = \"ms\"\nkind = \"count\"\ncues",
            "wrong-dimension",
            "a count is a plain number, the value is time",
            &["\"count\""],
            "",
        ),
        ("kind = \"range\"\n", "", "accept-without-range", "`accept` is read for `kind = \"range\"` only", &["\"2*P*alpha*B\""], ""),
        (
            "accept = [\"2*P*alpha*B\", \"10*P*alpha*B\"]\n",
            "",
            "missing-key",
            "a range needs its two ends",
            &["\"range\""],
            "write `accept = [\"LOW\", \"HIGH\"]`",
        ),
        (
            "\"2*P*alpha*B\", \"10",
            "\"20*P*alpha*B\", \"10",
            "empty-range",
            "the low end is above the high one",
            &["\"20*P*alpha*B\"", "\"10*P*alpha*B\""],
            "swap the two",
        ),
        (
            "\"2*P*alpha*B\", \"10",
            "\"4*P*alpha*B\", \"10",
            "empty-range",
            "the value itself lies outside the range",
            &["\"3*P*alpha*B\"", "\"4*P*alpha*B\", \"10*P*alpha*B\""],
            "",
        ),
        ("\"2*P*alpha*B\", \"10", "\"2*P*alpha\", \"10", "wrong-dimension", "this end is time, the value is data", &["\"2*P*alpha\""], ""),
        (
            "unit = \"%\", ",
            "",
            "wrong-dimension",
            "the ask is time, this is a plain number",
            &["\"L/T\"", "\"L\""],
            "a reading of another kind says so with its own `unit`",
        ),
        ("\"2*P*alpha\",", "\"2*P\",", "wrong-dimension", "the ask is time, this is a plain number", &["\"2*P\"", "\"L\""], ""),
        (
            "\"full_if_labelled\"",
            "\"full_if_labeled\"",
            "unknown-credit",
            "`full_if_labeled` is no credit",
            &["\"full_if_labeled\""],
            "did you mean `full_if_labelled`?",
        ),
        (
            "label = [\"share\"]",
            "label = []",
            "missing-label",
            "`full_if_labelled` without a `label`: nothing could ever say what the value is",
            &["\"full_if_labelled\""],
            "add `label = [\"…\"]`, phrases one of which must stand near",
        ),
    ] {
        let drill = DRILL.replacen(from, to, 1);
        assert_ne!(drill, DRILL, "`{from}` is not there to be replaced");
        let Err(found) = load(&drill, RUBRIC) else { panic!("nothing is wrong with `{to}`") };
        let of_drill: Vec<_> = found.iter().filter(|found| found.labels[0].file == "drills/ring.toml").collect();
        let all: Vec<_> = of_drill.iter().map(|found| told(found, &drill, RUBRIC)).collect();
        let wanted = all.iter().find(|(seen, said, at, helped)| {
            *seen == code
                && *said == title
                && at.as_slice() == places
                && (helped.starts_with(help) && (help.is_empty() == helped.is_empty()))
        });
        assert!(wanted.is_some(), "`{from}` → `{to}`\nwanted {:#?}\nfound {all:#?}", (code, title, places, help));
        // A finding has one cause: only a name or an id that is gone may be missed elsewhere too.
        let follows = ["unknown-name", "unknown-ask", "duplicate-id", "missing-key"];
        assert!(all.len() == 1 || follows.contains(&code) || from.contains("ring"), "`{to}` is told more than once: {all:#?}");
    }
}

#[test]
fn authors_are_told_what_is_wrong_with_a_rubric() {
    for (from, to, code, title, places, help) in [
        (
            "drill = \"ring\"",
            "drill = \"ping\"",
            "wrong-drill",
            "this is the rubric of `ping`, not of `ring`",
            &["\"ping\""] as &[&str],
            "write `drill = \"ring\"`",
        ),
        ("form = 0.8", "form = 1.5", "out-of-range", "a share lies between 0 and 1", &["1.5"], ""),
        ("form = 0.8", "forms = 0.8", "unknown-key", "the key `forms` has no meaning here", &["forms"], "did you mean `form`?"),
        ("\"a.total\" = 1", "\"a.totl\" = 1", "unknown-ask", "there is no ask `a.totl`", &["\"a.totl\""], "did you mean `a.total`?"),
        ("\"a.total\" = 1", "\"a.total\" = \"1\"", "wrong-type", "`a.total` is a text, not a number of points", &["\"1\""], ""),
        ("\"a.total\" = 1", "\"a.total\" = -1", "out-of-range", "points are not negative", &["-1"], ""),
        ("total = 8", "total = 9", "points-do-not-add-up", "the points come to 8, not 9", &["9"], ""),
        ("a = 7", "a = 6.5", "points-do-not-add-up", "the points of part `a` come to 7, not 6.5", &["6.5"], ""),
        ("a = 7", "q = 7", "unknown-part", "the drill has no part `q`", &["q"], ""),
        ("hid(e|es|den)", "hid(e|es|den", "bad-phrase", "this bracket is never closed", &["("], ""),
        ("rule = \"!hidden\"", "rule = \"!large\"", "cycle", "the concept `large` comes back to itself", &["large", "\"!large\""], ""),
        ("rule = \"!hidden\"", "", "missing-key", "a concept without `phrases`, `figures` or a `rule`", &["[concept.large]"], ""),
        ("hidden & large", "hiden & large", "bad-rule", "there is no concept `hiden`", &["hiden"], "did you mean `hidden`?"),
        ("hidden & large", "hidden & right(a.totl)", "bad-rule", "there is no ask `a.totl`", &["a.totl"], "did you mean `a.total`?"),
        (
            "met = \"hidden & large\"\n",
            "",
            "missing-key",
            "an argument without any rule: a person would decide every answer",
            &["\"argument\""],
            "write `met = \"…\"`, or `kind = \"hand\"`",
        ),
        (
            "kind = \"argument\"",
            "kind = \"arguments\"",
            "unknown-kind",
            "`arguments` is no kind of criterion",
            &["\"arguments\""],
            "did you mean `argument`?",
        ),
        (
            "part = \"a\"\npoints = 2\nkind = \"argument\"",
            "part = \"e\"\npoints = 2\nkind = \"argument\"",
            "unknown-part",
            "the drill has no part `e`",
            &["\"e\""],
            "its parts are a, b, b1",
        ),
        (
            "id = \"a.why\"",
            "id = \"a.separate\"",
            "duplicate-id",
            "another criterion is called `a.separate` already",
            &["\"a.separate\"", "\"a.separate\""],
            "",
        ),
        ("of = \"a.total\"", "of = \"a.latency\"", "not-the-sum", "the terms do not add up to `a.latency`", &["\"a.latency\""], ""),
        ("of = \"a.total\"", "of = \"b.total\"", "unknown-ask", "there is no ask `b.total`", &["\"b.total\""], "did you mean `a.total`?"),
        (
            "terms = [\"a.latency\", \"a.bandwidth\"]",
            "terms = []",
            "missing-key",
            "a sum has at least two terms to show",
            &["\"a.total\""],
            "",
        ),
        (
            "outcome = \"not_met\"",
            "outcome = \"notmet\"",
            "unknown-outcome",
            "`notmet` is no outcome",
            &["\"notmet\""],
            "did you mean `not_met`?",
        ),
        (
            "points = 2\nkind = \"argument\"",
            "kind = \"argument\"",
            "missing-key",
            "`points` is missing here",
            &["[[criterion]]"],
            "write `points = 1.0`, or `deduct = 1.0` for something that costs points",
        ),
    ] {
        let rubric = RUBRIC.replacen(from, to, 1);
        assert_ne!(rubric, RUBRIC, "`{from}` is not there to be replaced");
        let Err(found) = load(DRILL, &rubric) else { panic!("nothing is wrong with `{to}`") };
        let all: Vec<_> = found.iter().map(|found| told(found, DRILL, &rubric)).collect();
        assert!(all.contains(&(code, title, places.to_vec(), help)), "`{to}`\nwanted {:#?}\nfound {all:#?}", (code, title, places, help));
    }
}

#[test]
fn all_errors_are_told_at_once_in_the_order_of_the_file() {
    let drill = DRILL.replace("\"20 us\"", "\"20 wombats\"").replace("L + V", "L + (V").replace("unit = \"MB\"", "unti = \"MB\"");
    let rubric = RUBRIC.replace("hidden & large", "hidden & vast");
    let found = load(&drill, &rubric).expect_err("four errors");
    let codes: Vec<&str> = found.iter().map(|found| found.code).collect();
    assert_eq!(codes, ["unknown-unit", "formula-syntax", "unknown-key", "bad-rule"]);
}

#[test]
fn broken_syntax_is_told_in_several_places() {
    let drill = "format = 1\nid = \ntitle = \"x\n[given]\nP = { value = 3 }\nP = 4\n";
    let found = load(drill, RUBRIC).expect_err("broken");
    assert!(found.len() >= 3, "{found:#?}");
    assert!(found.iter().all(|found| found.code == "toml-syntax" && !found.title.is_empty()), "{found:#?}");
    let lines: Vec<usize> = found.iter().map(|found| Source::new("", drill).place(found.labels[0].span.start).line).collect();
    assert!(lines.contains(&2) && lines.contains(&3), "{lines:?}");
}

#[test]
fn escapes_do_not_shift_what_is_underlined() {
    for (literal, underlined) in [
        (r#""L + \u0051""#, r"\u0051"),
        (r#""\u004C + Q""#, "Q"),
        (r#""L\t+ Q""#, "Q"),
        (r#"'L + Q'"#, "Q"),
        ("\"\"\"\nL\n + Q\"\"\"", "Q"),
        ("\"\"\"L \\\n      + Q\"\"\"", "Q"),
        ("'''\nL + Q'''", "Q"),
        (r#""L + \u00B5Q""#, r"\u00B5Q"),
        (r#""L /* µ */""#, "*"),
    ] {
        let drill = DRILL.replace("\"L + V\"", literal);
        let found = load(&drill, RUBRIC).expect_err(literal);
        let seen = &drill[found[0].labels[0].span.range()];
        assert_eq!(seen, underlined, "{literal}: {found:#?}");
    }
}

#[test]
fn a_library_says_what_it_does_not_have() {
    let library = Library::built_in();
    let trouble = library.load("communication-buget").expect_err("misspelled");
    assert_eq!(trouble, Unloadable::Unknown { near: Some("communication-budget".to_owned()) });
    assert_eq!(library.load("xyz").expect_err("nothing like it"), Unloadable::Unknown { near: None });
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// Whatever an author's editor leaves behind is told at a place in the file.
        #[test]
        fn damaged_files_never_panic(at in 0..DRILL.len(), length in 0..40_usize, with in r#"[\[\]{}"'=,\\#a-z0-9 %µ\n]{0,6}"#) {
            let cut = |text: &str| {
                let floor = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
                format!("{}{with}{}", &text[..floor(at)], &text[floor(at + length)..])
            };
            for (drill, rubric) in [(cut(DRILL), RUBRIC.to_owned()), (DRILL.to_owned(), cut(RUBRIC))] {
                for found in load(&drill, &rubric).err().into_iter().flatten() {
                    for label in &found.labels {
                        let text = if label.file == "drills/ring.toml" { &drill } else { &rubric };
                        prop_assert!(text.get(label.span.range()).is_some(), "{:?} in {}", label, text);
                    }
                }
            }
        }
    }
}
