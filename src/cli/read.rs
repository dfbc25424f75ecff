//! `drillmark read`: what the recognizer finds in a text.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use drillmark::answer::{Answer, Kind};
use drillmark::quantity::Units;
use drillmark::recognize::{self, Mention};
use drillmark::text::Span;
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
                        let answer = Answer::read("line", line.text, Kind::Markdown);
                        let found = find(&answer);
                        let rows: Vec<Row> = found.iter().map(|found| row(&answer, found)).collect();
                        writeln!(shell.out(), "{}", serde_json::json!({ "quantities": rows }))?;
                    }
                    Err(error) => writeln!(shell.out(), "{}", serde_json::json!({ "error": error.to_string() }))?,
                }
            }
        }
        Input::Text => {
            let name = args.file.display().to_string();
            let answer = Answer::read_bytes(&name, &bytes, None, bytes.len()).map_err(|error| Trouble::with(&name, error))?;
            for found in find(&answer) {
                let line = serde_json::to_string(&row(&answer, &found)).map_err(io::Error::from)?;
                writeln!(shell.out(), "{line}")?;
            }
        }
    }
    Ok(Done::Fine)
}

/// A quantity, and where it stands in the text.
struct Found {
    mention: Mention,
    span: Span,
}

fn find(answer: &Answer) -> Vec<Found> {
    let found = recognize::read(answer, &Units::standard(), &BTreeSet::new());
    let mut all: Vec<Found> = answer
        .blocks
        .iter()
        .zip(found)
        .flat_map(|(block, found)| {
            found.mentions.into_iter().map(|mention| Found { span: block.passage.span(mention.range.clone()), mention })
        })
        .collect();
    all.sort_by_key(|found| found.span);
    all
}

fn row<'a>(answer: &'a Answer, found: &'a Found) -> Row<'a> {
    let reading = &found.mention.readings[0];
    let high = reading.high.map(|high| high.to_f64());
    Row {
        text: answer.source.slice(found.span),
        value: reading.value.to_f64(),
        low: high.map(|_| reading.value.to_f64()),
        high,
        unit: reading.unit.as_ref().map_or("", |unit| &unit.symbol),
        dimension: reading.unit.as_ref().map(|unit| unit.dimension).unwrap_or_default().to_string(),
        start: found.span.start,
        end: found.span.end,
    }
}
