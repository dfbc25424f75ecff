//! `drillmark read`: what the recognizer finds in a text.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use drillmark::quantity::Units;
use drillmark::recognize::{self, Context, Mention};
use drillmark::text::Passage;
use serde::{Deserialize, Serialize};

use super::{Done, Shell, Trouble};

/// No text is larger than this.
const LIMIT: u64 = 64_000_000;

/// How the input is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Input {
    /// One text
    Text,
    /// A line a text: `{"text": "…"}`
    Jsonl,
}

/// How to print what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The text, with every quantity underlined and, under it, how it was read
    Terminal,
    /// A line a quantity, or a line a text with `--input jsonl`
    Jsonl,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The text; `-` for standard input
    #[arg(default_value = "-")]
    file: PathBuf,

    /// How the input is laid out
    #[arg(long, value_enum, default_value = "text")]
    input: Input,

    /// How to print what was found
    #[arg(long, value_enum, default_value = "terminal")]
    format: Format,
}

/// A line of `--input jsonl`.
#[derive(Deserialize)]
struct Line {
    text: String,
}

/// A quantity as scripts get it.
#[derive(Serialize)]
struct Row<'a> {
    text: &'a str,
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<f64>,
    unit: &'a str,
    dimension: String,
    start: usize,
    end: usize,
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let bytes = shell.read(&args.file, LIMIT)?;
    match args.input {
        Input::Jsonl => {
            for line in bytes.lines() {
                let line = line.unwrap_or_default();
                if line.trim().is_empty() {
                    continue;
                }
                match serde_json::from_str::<Line>(&line) {
                    Ok(line) => {
                        let found = find(&line.text);
                        let rows: Vec<Row> = found.iter().map(|mention| row(&line.text, mention)).collect();
                        writeln!(shell.out(), "{}", serde_json::json!({ "quantities": rows }))?;
                    }
                    Err(error) => writeln!(shell.out(), "{}", serde_json::json!({ "error": error.to_string() }))?,
                }
            }
        }
        Input::Text => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            for mention in find(&text) {
                let row = row(&text, &mention);
                let line = serde_json::to_string(&row).map_err(io::Error::from)?;
                writeln!(shell.out(), "{line}")?;
            }
        }
    }
    Ok(Done::Fine)
}

fn find(text: &str) -> Vec<Mention> {
    let context = Context { units: &Units::standard(), symbols: &BTreeSet::new(), unit_hint: None };
    recognize::recognize(&Passage::verbatim(text, 0), &context).mentions
}

fn row<'a>(text: &'a str, mention: &'a Mention) -> Row<'a> {
    let reading = &mention.readings[0];
    let high = reading.high.map(|high| high.to_f64());
    Row {
        text: &text[mention.range.clone()],
        value: reading.value.to_f64(),
        low: high.map(|_| reading.value.to_f64()),
        high,
        unit: reading.unit.as_ref().map_or("", |unit| &unit.symbol),
        dimension: reading.unit.as_ref().map(|unit| unit.dimension).unwrap_or_default().to_string(),
        start: mention.range.start,
        end: mention.range.end,
    }
}
