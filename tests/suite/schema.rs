//! The JSON Schemas that are shipped for editors and scripts: generated from the types here, held against what the reader
//! of the files really takes, and against every file that is shipped, by a validator that knows nothing of either.
//!
//! After a change: `SCHEMA_UPDATE=1 cargo test schema`.

mod drill;
mod expect;
mod report;
mod rubric;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use drillmark::diagnostic::Diagnostic;
use drillmark::drill::{Drill, Library};
use drillmark::fixture::{Expect, Folder};
use drillmark::text::Source;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A text, or a number taken as it is written.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "read by the schema generator only")]
pub(crate) enum Quantity {
    /// A quantity with its unit, or a formula.
    Text(String),
    /// A plain number.
    Number(f64),
}

/// The type of a field whose schema is said with `with`.
pub(crate) type Unused = ();

/// What is shipped, and what belongs there.
pub(crate) fn schemas() -> [(&'static str, Value); 4] {
    let generate = |schema: fn(SchemaGenerator) -> schemars::Schema| {
        let settings = schemars::generate::SchemaSettings::draft07().with(|settings| settings.inline_subschemas = false);
        schema(SchemaGenerator::new(settings)).to_value()
    };
    [
        ("drill", generate(SchemaGenerator::into_root_schema_for::<drill::Drill>)),
        ("rubric", generate(SchemaGenerator::into_root_schema_for::<rubric::Rubric>)),
        ("report", generate(SchemaGenerator::into_root_schema_for::<report::Report>)),
        ("expect", generate(SchemaGenerator::into_root_schema_for::<expect::Expect>)),
    ]
}

fn shipped(name: &str) -> PathBuf {
    Path::new(ROOT).join("schemas").join(format!("{name}.schema.json"))
}

#[test]
fn the_shipped_schemas_are_the_generated_ones() {
    for (name, schema) in schemas() {
        let text = format!("{}\n", serde_json::to_string_pretty(&schema).expect("JSON"));
        let copies = [shipped(name), Path::new(ROOT).join("examples/course/schemas").join(format!("{name}.schema.json"))];
        // The report is no file that authors write.
        for path in copies.iter().take(if name == "report" { 1 } else { 2 }) {
            if std::env::var_os("SCHEMA_UPDATE").is_some() {
                fs::write(path, &text).expect("the schema can be written");
            }
            let there = fs::read_to_string(path).unwrap_or_default();
            assert!(there == text, "{} is not what the types say; SCHEMA_UPDATE=1 writes it", path.display());
        }
        // The program holds what was there when it was compiled.
        if std::env::var_os("SCHEMA_UPDATE").is_some() {
            continue;
        }
        let output = Command::new(env!("CARGO_BIN_EXE_drillmark")).args(["schema", name]).output().expect("the program starts");
        assert!(output.stdout == fs::read(shipped(name)).expect("the schema is shipped"), "drillmark schema {name}");
    }
}

/// The problems that a validator finds.
fn invalid(name: &str, value: &Value) -> Option<String> {
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    let schema = serde_json::from_str(&fs::read_to_string(shipped(name)).expect("it is shipped")).expect("JSON");
    compiler.add_resource("schema.json", schema).expect("a schema");
    let index = compiler.compile("schema.json", &mut schemas).unwrap_or_else(|error| panic!("{name}: {error:#}"));
    schemas.validate(value, index).err().map(|error| format!("{error:#}"))
}

/// A TOML file as JSON.
fn toml_value(text: &str) -> Value {
    let table: toml::Table = text.parse().expect("TOML");
    serde_json::to_value(table).expect("no dates in here")
}

#[test]
fn every_shipped_file_is_valid() {
    let mut wrong = Vec::new();
    let course = Library::open(Path::new(ROOT).join("examples/course").as_path()).expect("the example is there");
    for library in [Library::built_in(), course] {
        for id in library.ids() {
            let (drill, rubric) = library.sources(id).expect("it is listed");
            let rubric = rubric.expect("it has a rubric");
            wrong.extend(invalid("drill", &toml_value(drill.text())).map(|error| format!("{id}: {error}")));
            wrong.extend(invalid("rubric", &toml_value(rubric.text())).map(|error| format!("{id}: {error}")));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn declared_verdicts_are_valid() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for folder in ["fixtures", "examples/course/fixtures"] {
        let folders = fs::read_dir(Path::new(ROOT).join(folder)).expect("it is there").map(|entry| entry.expect("readable").path());
        for folder in folders.filter(|path| path.is_dir()) {
            for case in Folder::open(&folder).expect("readable").cases {
                let text = fs::read_to_string(&case.expect).expect("readable");
                wrong.extend(invalid("expect", &toml_value(&text)).map(|error| format!("{}: {error}", case.expect.display())));
                seen += 1;
            }
        }
    }
    assert!(wrong.is_empty() && seen > 100, "{seen} seen\n{}", wrong.join("\n"));
    // What the reader does not know, the schema does not know either, and the other way round.
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unknown.expect.toml");
    let known = |text: &str| -> BTreeSet<String> {
        fs::write(&file, text).expect("a file");
        let told = Expect::open(&file).expect_err("an unknown key").what;
        told.split('`').skip(3).step_by(2).map(str::to_owned).collect()
    };
    let [.., (_, schema)] = schemas();
    let keys = |table: &Value| -> BTreeSet<String> { table["properties"].as_object().expect("a table").keys().cloned().collect() };
    assert_eq!(keys(&schema), known("zz = 1\n"));
    assert!(invalid("expect", &toml_value("drill = \"a\"\nwhy = \"b\"\n[quantities]\n\"a.b\" = \"corect\"\n")).is_some());
    assert!(invalid("expect", &toml_value("drill = \"a\"\nwhy = \"b\"\n[quantities]\n\"a.b\" = { verdickt = \"slip\" }\n")).is_some());
}

#[test]
fn reports_are_valid() {
    for file in ["fp32-carried.md", "hedged.md", "perfect.md", "conflicting-values.md", "totals-only.md"] {
        let path = format!("{ROOT}/fixtures/communication-budget/{file}");
        let args = ["grade", &path, "--format", "json", "--explain"];
        let output = Command::new(env!("CARGO_BIN_EXE_drillmark")).args(args).output().expect("the program starts");
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(invalid("report", &report), None, "{file}");
        let mut broken = report.clone();
        broken["score"]["awarded"] = "many".into();
        assert!(invalid("report", &broken).is_some(), "the validator looks");
    }
}

#[test]
fn a_wrong_file_is_invalid_in_the_editor_too() {
    let good = fs::read_to_string(Path::new(ROOT).join("drills/kv-cache.toml")).expect("a shipped drill");
    for (from, to) in [
        ("title =", "titel ="),
        ("required = true", "required = \"yes\""),
        ("format = 1", "format = 2"),
        ("cues = [", "cue = ["),
        ("id = \"a.cache\"", "id = 3"),
    ] {
        assert!(good.contains(from), "{from}");
        assert!(invalid("drill", &toml_value(&good.replacen(from, to, 1))).is_some(), "{to}");
    }
}

/// A drill and a rubric with an unknown key in every kind of table, and nothing else in it.
const DRILL: &str = "zz_drill = 1\n[defaults]\nzz_rules = 1\n[given]\nx = { zz_name = 1 }\n[[part]]\nzz_part = 1\n[[part.ask]]\nzz_ask = 1\n[[part.ask.reading]]\nzz_reading = 1\n[[part.ask.mistake]]\nzz_mistake = 1\n[[part.item]]\nzz_item = 1\n";
const RUBRIC: &str = "zz_rubric = 1\n[credit]\nzz_credit = 1\n[concept.x]\nzz_concept = 1\nfigures = [{ zz_figure = 1 }]\n[[criterion]]\nzz_criterion = 1\n[criterion.separate]\nzz_separate = 1\n[criterion.student]\nzz_student = 1\n[[criterion.sample]]\nzz_sample = 1\n[[criterion.level]]\nzz_level = 1\n[[cap]]\nzz_cap = 1\n";

/// What the reader says it knows in each kind of table, and what it misses there.
fn known_to_the_reader() -> BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> {
    let (drill, rubric) = (Source::new("x.toml", DRILL), Source::new("x.toml", RUBRIC));
    let found: Vec<Diagnostic> = Drill::load(&drill, &rubric).expect_err("every table has an unknown key");
    let mut tables: BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)> = BTreeMap::new();
    let quoted = |text: &str| -> Vec<String> { text.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    for diagnostic in found.iter().filter(|diagnostic| diagnostic.code == "unknown-key") {
        let key = quoted(&diagnostic.title).remove(0);
        let table = key.trim_start_matches("zz_").to_owned();
        let help = diagnostic.help.as_deref().unwrap_or_default();
        tables.entry(table).or_default().0.extend(quoted(help));
    }
    tables
}

/// The schema knows what the reader knows: a key that is added to one and not to the other fails here.
#[test]
fn the_schemas_know_the_keys_that_the_reader_knows() {
    let tables = known_to_the_reader();
    let [(_, drill), (_, rubric), ..] = schemas();
    let mut differing = Vec::new();
    for (table, definition, root) in [
        ("drill", None, &drill),
        ("rules", Some("Rules"), &drill),
        ("name", Some("Name"), &drill),
        ("part", Some("Part"), &drill),
        ("item", Some("Part"), &drill),
        ("ask", Some("Ask"), &drill),
        ("reading", Some("Reading"), &drill),
        ("mistake", Some("Mistake"), &drill),
        ("rubric", None, &rubric),
        ("credit", Some("Credit"), &rubric),
        ("concept", Some("Concept"), &rubric),
        ("figure", Some("Figure"), &rubric),
        ("criterion", Some("Criterion"), &rubric),
        ("separate", Some("Separate"), &rubric),
        ("student", Some("Student"), &rubric),
        ("sample", Some("Sample"), &rubric),
        ("level", Some("Level"), &rubric),
        ("cap", Some("Cap"), &rubric),
    ] {
        let schema = definition.map_or(root, |name| &root["definitions"][name]);
        let ours: BTreeSet<String> = schema["properties"].as_object().expect("a table").keys().cloned().collect();
        let (theirs, _) = &tables.get(table).unwrap_or_else(|| panic!("no unknown key is told in {table}: {:?}", tables.keys()));
        if ours != *theirs {
            let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect::<Vec<_>>().join(", ");
            differing.push(format!(
                "{table}: only the schema knows [{}], only the reader knows [{}]",
                only(&ours, theirs),
                only(theirs, &ours)
            ));
        }
    }
    assert!(differing.is_empty(), "\n{}", differing.join("\n"));
}

/// Every key that the schema requires is missed by the reader, and every key has a sentence.
#[test]
fn required_keys_are_required_and_every_key_is_explained() {
    let library = Library::built_in();
    let (drill, rubric) = library.sources("kv-cache").expect("it is shipped");
    let rubric = rubric.expect("it has a rubric");
    for (name, schema) in schemas() {
        let tables = std::iter::once(&schema).chain(schema["definitions"].as_object().expect("there are tables").values());
        for table in tables.filter(|table| table["properties"].is_object()) {
            for (key, property) in table["properties"].as_object().expect("a table") {
                assert!(property["description"].is_string(), "{name}: {key} has no description in {}", table["description"]);
            }
        }
        if matches!(name, "report" | "expect") {
            continue;
        }
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let without = |source: &Source| -> Source {
                let lines = source.text().lines().filter(|line| !line.starts_with(&format!("{key} ="))).collect::<Vec<_>>().join("\n");
                Source::new(source.name(), lines)
            };
            let loaded = if name == "drill" { Drill::load(&without(&drill), &rubric) } else { Drill::load(&drill, &without(&rubric)) };
            assert!(loaded.is_err(), "{name}: the reader does not miss {key}");
        }
    }
}
