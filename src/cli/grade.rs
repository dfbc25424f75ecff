//! `drillmark grade`: points, verdicts and reasons, for course staff.

use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use drillmark::answer::Kind;
use drillmark::report::{self, Layout, Reader, json};

use super::class;
use super::desk::{Desk, Marked, Marker};
use super::handed::{self, Handed, Lines, Numbered};
use super::{Done, Shell, Trouble, hands, variant, warn};

/// How reports are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For a person at a terminal
    Terminal,
    /// For a forum, a pull request, a file
    Markdown,
    /// One page for a browser, with the answer's own text; of one answer
    Html,
    /// The same for paper
    Print,
    /// One object, or an array of several
    Json,
    /// One object a line
    Jsonl,
}

/// What stands in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Input {
    /// Each file is an answer
    Files,
    /// Each line is an answer: {"id": "…", "text": "…", "kind": "md"}
    Jsonl,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The answers; `-` is standard input
    #[arg(required_unless_present = "input", value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The drill they answer; found from each answer where this is left out
    #[arg(long, value_name = "ID")]
    drill: Option<String>,

    /// How to print the reports
    #[arg(long, value_enum, default_value = "terminal")]
    format: Format,

    /// Say for every number in the answer what it is taken for, and why
    #[arg(long)]
    explain: bool,

    /// End with exit code 1 when an answer earns less: points (`30`) or a share of all points (`75%`)
    #[arg(long, value_name = "POINTS")]
    fail_under: Option<Least>,

    /// What stands in the files; where this is left out, their names say it: lines in a `.jsonl`
    #[arg(long, value_enum)]
    input: Option<Input>,

    /// The format of the answers, where a file's name does not say it
    #[arg(long, value_name = "KIND", value_parser = handed::kind)]
    kind: Option<Kind>,

    /// How many answers of a class or a stream to grade at once; all cores where this is left out
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    #[command(flatten)]
    variant: variant::Args,

    #[command(flatten, next_help_heading = "A whole class")]
    class: class::Args,
}

/// The mark that has to be reached.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Least {
    Points(f64),
    /// From 0 to 1.
    Share(f64),
}

impl std::str::FromStr for Least {
    type Err = String;

    fn from_str(text: &str) -> Result<Least, String> {
        let number = |text: &str| {
            text.trim()
                .parse()
                .ok()
                .filter(|number: &f64| number.is_finite())
                .ok_or_else(|| "expected points (`30`) or a share (`75%`)".to_owned())
        };
        match text.strip_suffix('%') {
            Some(percent) => Ok(Least::Share(number(percent)? / 100.0)),
            None => Ok(Least::Points(number(text)?)),
        }
    }
}

impl Least {
    fn is_reached(self, score: drillmark::grade::Points) -> bool {
        // A sum of shares carries the dust of binary fractions.
        let reached = score.awarded + 1e-9;
        match self {
            Least::Points(points) => reached >= points,
            Least::Share(share) => reached >= share * score.possible,
        }
    }
}

impl Input {
    /// What the names say: nobody keeps a single answer in a file of JSON Lines.
    fn of(files: &[PathBuf]) -> Input {
        let lines = |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
        if !files.is_empty() && files.iter().all(lines) { Input::Jsonl } else { Input::Files }
    }
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    if let Some(out) = &args.class.out {
        let Args { ref files, ref drill, kind, threads, explain, .. } = args;
        let asked = class::Asked { inputs: files, drill: drill.as_deref(), kind, threads, explain };
        return class::run(&args.class, out, &asked, shell);
    }
    let input = args.input.unwrap_or_else(|| Input::of(&args.files));
    if matches!(args.format, Format::Html | Format::Print) && (args.files.len() > 1 || input == Input::Jsonl) {
        return Err(Trouble::Operator(handed::ONE_PAGE.to_owned()));
    }
    let desk = Desk::new(shell, args.drill, &args.variant)?;
    let marker = Marker::new(&desk, args.explain);
    let writer = Writer { format: args.format, explain: args.explain, least: args.fail_under };
    let mut print = Printer { writer, is_array: false, printed: 0, done: Done::Fine };
    match input {
        Input::Files => {
            print.is_array = args.format == Format::Json && args.files.len() > 1;
            for path in &args.files {
                let marked = match path.is_dir() {
                    true => Err(format!("{}: is a folder, not a file; with `--out RUN` it is graded as a class", path.display())),
                    false => Handed::open(shell, path, args.kind).and_then(|handed| marker.mark(handed)),
                };
                let sheet = writer.sheet(&marked.map_err(|error| (handed::id(path), error)));
                print.take(shell, [Ok(sheet)])?;
            }
        }
        Input::Jsonl => {
            print.is_array = args.format == Format::Json;
            let how = Streamed { kind: args.kind, threads: args.threads, marker: &marker };
            let files = if args.files.is_empty() { vec![PathBuf::from("-")] } else { args.files };
            for path in &files {
                stream(path, &how, &mut print, shell)?;
            }
        }
    }
    print.end(shell)?;
    Ok(print.done)
}

/// How the answers of a stream are graded.
struct Streamed<'a> {
    kind: Option<Kind>,
    threads: Option<NonZero<usize>>,
    marker: &'a Marker<'a>,
}

/// Grades a few lines at a time, on all cores, so that a long stream takes no more room than its longest lines.
fn stream(path: &Path, args: &Streamed<'_>, print: &mut Printer, shell: &mut Shell) -> Result<(), Trouble> {
    let mut lines = Lines::of(shell.open(path)?);
    let writer = print.writer;
    let work = |(number, line): Numbered| {
        let line = line.map_err(|error| Trouble::io(path, &error))?;
        let handed = line.map_err(|error| (None, error)).and_then(|line| Handed::from_line(&line, args.kind));
        let marked = handed.and_then(|handed| {
            let id = handed.id.clone();
            args.marker.mark(handed).map_err(|error| (Some(id), error))
        });
        Ok(writer.sheet(&marked.map_err(|(id, error)| (id.unwrap_or_else(|| format!("line {number}")), error))))
    };
    hands::in_order(args.threads, |threads| lines.some(threads), work, |sheets| print.take(shell, sheets))
}

/// How a report is written.
#[derive(Clone, Copy)]
struct Writer {
    format: Format,
    explain: bool,
    least: Option<Least>,
}

/// A report, written, and what else there is to say.
struct Sheet {
    /// Nothing where the report is for people and there is none.
    text: Option<String>,
    /// For standard error.
    warning: Option<String>,
    done: Done,
}

impl Writer {
    /// The report on a submission; or why there is none: where a program reads the output, it finds the reason in its place.
    fn sheet(&self, marked: &Result<Marked<'_>, (String, String)>) -> Sheet {
        let marked = match marked {
            Ok(marked) => marked,
            Err((id, error)) => {
                let refusal = json::Refusal { id, error };
                let text = match self.format {
                    Format::Terminal | Format::Markdown | Format::Html | Format::Print => None,
                    Format::Json => Some(json::pretty(&refusal)),
                    Format::Jsonl => Some(json::line(&refusal)),
                };
                return Sheet { text, warning: Some(error.clone()), done: Done::Incomplete };
            }
        };
        let graded = marked.graded();
        let warning = report::nothing_found(&graded).map(|nothing| format!("{}: {nothing}", graded.submission.file));
        let is_low = self.least.is_some_and(|least| !least.is_reached(marked.grade.score));
        let text = match self.format {
            Format::Terminal => report::render(&graded, Layout::Terminal, Reader::Staff, self.explain),
            Format::Markdown => report::render(&graded, Layout::Markdown, Reader::Staff, self.explain),
            Format::Html => report::render(&graded, Layout::Html, Reader::Staff, self.explain),
            Format::Print => report::render(&graded, Layout::Print, Reader::Staff, self.explain),
            Format::Json => json::pretty(&json::Report::new(&graded, self.explain)),
            Format::Jsonl => json::line(&json::Report::new(&graded, self.explain)),
        };
        Sheet { text: Some(text), warning, done: if is_low { Done::Problems } else { Done::Fine } }
    }
}

/// Prints one report after another, and keeps what the exit code has to say.
struct Printer {
    writer: Writer,
    /// Whether the reports are the elements of one array.
    is_array: bool,
    printed: usize,
    done: Done,
}

impl Printer {
    /// Prints some reports, and what programs read at once: they may wait for it.
    fn take(&mut self, shell: &mut Shell, sheets: impl IntoIterator<Item = Result<Sheet, Trouble>>) -> Result<(), Trouble> {
        if !matches!(self.writer.format, Format::Json | Format::Jsonl) {
            return sheets.into_iter().try_for_each(|sheet| self.write(shell.out(), sheet?));
        }
        let mut out = shell.json()?;
        sheets.into_iter().try_for_each(|sheet| self.write(&mut out, sheet?))?;
        Ok(out.flush()?)
    }

    fn write(&mut self, out: &mut impl Write, sheet: Sheet) -> Result<(), Trouble> {
        if let Some(warning) = sheet.warning {
            warn(&warning);
        }
        // What could not be done outweighs a low mark.
        self.done = match (self.done, sheet.done) {
            (Done::Incomplete, _) | (_, Done::Incomplete) => Done::Incomplete,
            (Done::Problems, _) | (_, Done::Problems) => Done::Problems,
            (Done::Fine, Done::Fine) => Done::Fine,
        };
        let Some(text) = sheet.text else { return Ok(()) };
        let before = match (self.writer.format, self.is_array, self.printed) {
            (Format::Json, true, 0) => "[\n",
            (Format::Json, true, _) => ",\n",
            (Format::Terminal | Format::Markdown, _, 1..) => "\n",
            _ => "",
        };
        self.printed += 1;
        let after = if self.is_array || text.ends_with('\n') { "" } else { "\n" };
        Ok(write!(out, "{before}{text}{after}")?)
    }

    fn end(&self, shell: &mut Shell) -> Result<(), Trouble> {
        if self.is_array {
            writeln!(shell.out(), "{}", if self.printed == 0 { "[]" } else { "\n]" })?;
        }
        Ok(())
    }
}
