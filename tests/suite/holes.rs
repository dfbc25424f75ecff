//! Answers with holes (`tests/holes/<drill>/`), a hole `{ask}` for each value, and what students write into them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use drillmark::answer::{Answer, Kind};
use drillmark::drill::{Ask, AskKind, Drill};
use drillmark::formula::Formula;

/// An answer with a hole for each value.
pub(crate) struct Holes {
    /// The file's name.
    pub(crate) name: String,
    /// The text with its holes.
    pub(crate) text: String,
    /// How it is read.
    pub(crate) kind: Kind,
}

/// What a perfect answer writes for each ask.
pub(crate) fn references(drill: &Drill) -> BTreeMap<&str, String> {
    drill.asks.iter().map(|ask| (ask.id.as_str(), written(ask, &ask.formula))).collect()
}

/// A value as a student would write it: in the ask's natural unit, with four significant figures.
pub(crate) fn written(ask: &Ask, formula: &Formula) -> String {
    let value = formula.value().to_f64();
    let Some(unit) = &ask.unit else {
        return match ask.kind {
            AskKind::Count => format!("{value:.0}"),
            _ => figures(value),
        };
    };
    let number = figures(value / unit.factor.to_f64());
    match unit.symbol.as_str() {
        "x" => format!("{number}x"),
        symbol => format!("{number} {symbol}"),
    }
}

/// Four significant figures, without a power of ten and without zeros at the end.
fn figures(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let places = (3 - value.abs().log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

impl Holes {
    /// The answers to a drill.
    pub(crate) fn of(drill: &str) -> Vec<Holes> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/holes").join(drill);
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()).collect()).unwrap_or_default();
        paths.sort();
        let read = |path: PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("a listed file is readable");
            Holes { kind: Kind::of_name(&name).expect("its name says what it is"), name, text }
        };
        paths.into_iter().map(read).collect()
    }

    /// An answer with these values in its holes.
    pub(crate) fn filled(&self, values: &BTreeMap<&str, String>) -> Answer {
        let mut text = self.text.clone();
        for (ask, value) in values {
            text = text.replace(&format!("{{{ask}}}"), value);
        }
        Answer::read(self.name.as_str(), text, self.kind)
    }
}
