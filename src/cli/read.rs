//! `drillmark read`: what the recognizer finds in a text.

mod picture;
mod rows;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use drillmark::answer::{Answer, Block, Kind as AnswerKind};
use drillmark::formula::KnownNames;
use drillmark::quantity::Units;
use drillmark::recognize::{self, Mention};
use drillmark::report;
use drillmark::text::{Source, Span};
use serde::Deserialize;

use super::{Done, Shell, Trouble, warn};
use rows::Rows;

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
            let length = bytes.len();
            let read = Answer::decode(&name, bytes, None, length);
            let (source, kind, notes) = read.map_err(|error| Trouble::with(&name, error))?;
            report::file_notes(&notes).iter().for_each(|note| warn(note));
            match args.format {
                Format::Terminal => write!(shell.out(), "{}", picture::draw(&source, &find(&source, kind)))?,
                Format::Jsonl => {
                    let mut rows = Rows::new(shell.json()?);
                    each(&source, kind, |found| rows.row(&source, found))?;
                    rows.flush()?;
                }
            }
            Ok(Done::Fine)
        }
    }
}

/// Reads texts line by line, and writes what stands in each before it takes the next.
fn stream(input: impl BufRead, shell: &mut Shell) -> Result<Done, Trouble> {
    let mut rows = Rows::new(shell.json()?);
    for line in input.split(b'\n') {
        let line = line.map_err(|error| Trouble::Operator(format!("cannot read the input: {error}")))?;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match serde_json::from_slice::<Line>(&line) {
            Ok(line) => {
                let source = Source::new("line", line.text);
                rows.rows(&source, &find(&source, AnswerKind::Markdown))?;
            }
            Err(error) => rows.line(&serde_json::json!({ "error": error.to_string() }))?,
        }
    }
    rows.flush()?;
    Ok(Done::Fine)
}

/// A quantity, and where it stands in the text.
struct Found {
    mention: Mention,
    span: Span,
    noun: Option<Span>,
}

impl Found {
    fn new(block: &Block, mention: Mention) -> Found {
        let span = |range: &Range<usize>| block.passage.span(range.clone());
        Found { span: span(&mention.range), noun: mention.noun.as_ref().map(span), mention }
    }
}

/// All that stands in a text, in its order.
fn find(source: &Source, kind: AnswerKind) -> Vec<Found> {
    let mut all = Vec::new();
    in_turn(source, kind, |found| all.append(found));
    all.sort_by_key(|found| found.span);
    all
}

/// Hands on what stands in a text as it is found, so that nothing of a long text is kept.
fn each(source: &Source, kind: AnswerKind, mut take: impl FnMut(&Found) -> io::Result<()>) -> io::Result<()> {
    let mut done = Ok(());
    in_turn(source, kind, |found| {
        found.sort_by_key(|found| found.span);
        if done.is_ok() {
            done = found.iter().try_for_each(&mut take);
        }
        found.clear();
    });
    done
}

fn in_turn(source: &Source, kind: AnswerKind, mut take: impl FnMut(&mut Vec<Found>)) {
    let (units, symbols) = (Units::standard(), KnownNames::default());
    let mut some = Vec::new();
    Answer::read_in_turn(source, kind, |blocks| {
        for (block, mentions) in recognize::read_quantities(blocks, &units, &symbols) {
            some.extend(mentions.into_iter().map(|mention| Found::new(block, mention)));
        }
        take(&mut some);
    });
}
