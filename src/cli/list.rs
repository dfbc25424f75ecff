//! `drillmark list`: the drills of the library.

use std::io::{self, Write};

use drillmark::drill::Drill;
use drillmark::report::inert;
use serde::Serialize;

use super::{Done, Shell, Trouble};

/// How to print the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A line a drill
    Terminal,
    /// An array, one object a drill
    Json,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How to print it
    #[arg(long, value_enum, default_value = "terminal")]
    format: Format,
}

/// A drill of the list; keys come out in this order.
#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    title: &'a str,
    summary: &'a str,
    points: f64,
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let library = shell.library()?;
    let ids: Vec<&str> = library.ids().collect();
    let drills = ids.iter().map(|id| shell.drill(id)).collect::<Result<Vec<Drill>, Trouble>>()?;
    match args.format {
        Format::Terminal => {
            let width = ids.iter().map(|id| id.chars().count()).max().unwrap_or(0);
            for drill in &drills {
                writeln!(shell.out(), "{:width$}  {}", drill.id, inert::terminal(&drill.title))?;
            }
        }
        Format::Json => {
            let rows = drills.iter().map(|Drill { id, title, summary, rubric, .. }| Row { id, title, summary, points: rubric.possible });
            let rows: Vec<Row> = rows.collect();
            writeln!(shell.out(), "{}", serde_json::to_string_pretty(&rows).map_err(io::Error::from)?)?;
        }
    }
    Ok(Done::Fine)
}
