//! `drillmark read`: what the recognizer finds in a text.

mod picture;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use drillmark::answer::{Answer, Kind as AnswerKind};
use drillmark::quantity::Units;
use drillmark::recognize::{self, Kind, Mention, Reading};
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
    #[serde(skip_serializing_if = "is_false")]
    approximate: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    #[serde(skip_serializing_if = "is_false")]
    withdrawn: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    noun: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    or: Vec<Other<'a>>,
}

/// Another way to take a quantity.
#[derive(Serialize)]
struct Other<'a> {
    value: f64,
    unit: &'a str,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// What was found in one line of `--input jsonl`.
#[derive(Serialize)]
struct Rows<'a> {
    quantities: Vec<Row<'a>>,
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    match args.input {
        Input::Jsonl if args.file == Path::new("-") => stream(io::stdin().lock(), shell),
        Input::Jsonl => {
            let file = File::open(&args.file).map_err(|error| Trouble::io(&args.file, &error))?;
            stream(BufReader::new(file), shell)
        }
        Input::Text => {
            let bytes = shell.read(&args.file, LIMIT)?;
            let name = args.file.display().to_string();
            let answer = Answer::read_bytes(&name, &bytes, None, bytes.len()).map_err(|error| Trouble::with(&name, error))?;
            let found = find(&answer);
            match args.format {
                Format::Terminal => write!(shell.out(), "{}", picture::draw(&answer, &found))?,
                Format::Jsonl => {
                    let mut out = shell.json()?;
                    found.iter().try_for_each(|found| write_line(&mut out, &row(&answer, found)))?;
                    out.flush()?;
                }
            }
            Ok(Done::Fine)
        }
    }
}

/// Reads texts line by line, and writes what stands in each before it takes the next.
fn stream(input: impl BufRead, shell: &mut Shell) -> Result<Done, Trouble> {
    let mut out = shell.json()?;
    for line in input.split(b'\n') {
        let line = line.map_err(|error| Trouble::Operator(format!("cannot read the input: {error}")))?;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match serde_json::from_slice::<Line>(&line) {
            Ok(line) => {
                let answer = Answer::read("line", line.text, AnswerKind::Markdown);
                let found = find(&answer);
                write_line(&mut out, &Rows { quantities: found.iter().map(|found| row(&answer, found)).collect() })?;
            }
            Err(error) => write_line(&mut out, &serde_json::json!({ "error": error.to_string() }))?,
        }
    }
    out.flush()?;
    Ok(Done::Fine)
}

fn write_line(out: &mut impl Write, value: &impl Serialize) -> Result<(), Trouble> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    Ok(writeln!(out)?)
}

/// A quantity, and where it stands in the text.
struct Found {
    mention: Mention,
    span: Span,
    noun: Option<Span>,
}

fn find(answer: &Answer) -> Vec<Found> {
    let found = recognize::read_quantities(answer, &Units::standard(), &BTreeSet::new());
    let mut all = Vec::new();
    for (block, found) in answer.blocks.iter().zip(found) {
        for mention in found {
            let noun = mention.noun.clone().map(|noun| block.passage.span(noun));
            all.push(Found { span: block.passage.span(mention.range.clone()), noun, mention });
        }
    }
    all.sort_by_key(|found| found.span);
    all
}

fn row<'a>(answer: &'a Answer, found: &'a Found) -> Row<'a> {
    let mention = &found.mention;
    let unit = |reading: &'a Reading| reading.unit.as_ref().map_or("", |unit| unit.symbol.as_str());
    let reading = &mention.readings[0];
    let high = reading.high.map(|high| high.to_f64());
    Row {
        text: answer.source.slice(found.span),
        value: reading.value.to_f64(),
        low: high.map(|_| reading.value.to_f64()),
        high,
        unit: unit(reading),
        dimension: reading.unit.as_ref().map(|unit| unit.dimension).unwrap_or_default().to_string(),
        start: found.span.start,
        end: found.span.end,
        approximate: mention.approximate,
        bound: match mention.kind {
            Kind::AtMost => Some("most"),
            Kind::AtLeast => Some("least"),
            _ => None,
        },
        withdrawn: mention.withdrawn,
        noun: found.noun.map(|noun| answer.source.slice(noun)),
        or: mention.readings[1..].iter().map(|reading| Other { value: reading.value.to_f64(), unit: unit(reading) }).collect(),
    }
}
