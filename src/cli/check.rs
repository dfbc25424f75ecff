//! `drillmark check`: what a student may see before handing in. Never a value that the answer itself does not hold.

use std::io::Write;
use std::mem::ManuallyDrop;
use std::path::PathBuf;

use drillmark::answer::Kind;
use drillmark::report::{self, Layout, Reader};

use super::desk::{Desk, Marker};
use super::handed::{self, Handed};
use super::{Done, Shell, Trouble, variant, warn};

/// How the report is printed.
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
}

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The answer; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The drill it answers; found from the answer where this is left out
    #[arg(long, value_name = "ID")]
    drill: Option<String>,

    /// How to print it
    #[arg(long, value_enum, default_value = "terminal")]
    format: Format,

    /// The format of the answer, where the file's name does not say it
    #[arg(long, value_name = "KIND", value_parser = handed::kind)]
    kind: Option<Kind>,

    #[command(flatten)]
    variant: variant::Args,
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    // The program ends after this: to take the drill apart, piece by piece, is time that nobody gets anything for.
    let desk = ManuallyDrop::new(Desk::new(shell, args.drill, &args.variant)?);
    let marker = ManuallyDrop::new(Marker::new(&desk, false));
    let layout = match args.format {
        Format::Terminal => Layout::Terminal,
        Format::Markdown => Layout::Markdown,
        Format::Html => Layout::Html,
        Format::Print => Layout::Print,
    };
    if matches!(args.format, Format::Html | Format::Print) && args.files.len() > 1 {
        return Err(Trouble::Operator(handed::ONE_PAGE.to_owned()));
    }
    let mut done = Done::Fine;
    for (at, path) in args.files.iter().enumerate() {
        match Handed::open(shell, path, args.kind).and_then(|handed| marker.mark(handed)) {
            Ok(marked) => {
                let text = report::render(&marked.graded(), layout, Reader::Student, false);
                write!(shell.out(), "{}{text}", if at > 0 { "\n" } else { "" })?;
            }
            Err(error) => {
                done = Done::Incomplete;
                warn(&error);
            }
        }
    }
    Ok(done)
}
