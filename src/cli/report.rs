//! `drillmark report RUN`: what a class did, at a glance.

use std::io::Write;
use std::path::{Path, PathBuf};

use drillmark::cohort::{self, Overview, Run};
use drillmark::drill::Drill;

use super::{Done, Shell, Trouble, write_whole};

/// Columns where nobody says how wide the terminal is.
const COLUMNS: usize = 80;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder of a finished run: what `grade --out RUN` wrote
    #[arg(value_name = "RUN")]
    run: PathBuf,

    /// Write one page for a browser to this file; in the folder of the run, it leads to the feedback files as well
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write Markdown to this file; `-` is standard output
    #[arg(long, value_name = "FILE")]
    md: Option<PathBuf>,

    /// Where the submissions are now, if they are no longer where they were graded
    #[arg(long, value_name = "CLASS")]
    class: Option<PathBuf>,
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let run = Run::open(&args.run).map_err(told)?;
    let drills = drills(shell, &run)?;
    let overview = Overview::new(&run, &drills, args.class.as_deref()).map_err(told)?;
    if let Some(path) = &args.html {
        let links = path.parent().and_then(|folder| folder.canonicalize().ok()) == args.run.canonicalize().ok();
        write_whole(path, overview.to_html(&run, links).map_err(told)?.as_bytes())?;
    }
    match &args.md {
        Some(path) if path == Path::new("-") => write!(shell.out(), "{}", overview.to_markdown())?,
        Some(path) => write_whole(path, overview.to_markdown().as_bytes())?,
        None if args.html.is_some() => {}
        None => write!(shell.out(), "{}", overview.to_terminal(columns()))?,
    }
    Ok(Done::Fine)
}

/// The drills that the run was for. One that is gone is no trouble: its items go by their ids.
fn drills(shell: &Shell, run: &Run) -> Result<Vec<Drill>, Trouble> {
    let library = shell.library()?;
    let ids = run.manifest.drills.iter().map(|versions| versions.drill.id.as_str());
    Ok(ids.filter_map(|id| library.load(id).ok()).collect())
}

/// How wide the terminal is: what `COLUMNS` says, or else what the terminal says.
fn columns() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    said.or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))).unwrap_or(COLUMNS)
}

fn told(trouble: cohort::Trouble) -> Trouble {
    match trouble {
        cohort::Trouble::Io { path, error } => Trouble::io(&path, &error),
        other => Trouble::Operator(other.to_string()),
    }
}
