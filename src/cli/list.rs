//! `drillmark list`: the drills of the library.

use std::io::Write;

use drillmark::drill::Drill;
use drillmark::report::inert;
use serde_json::{Value, json};

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
            let rows: Vec<Value> = drills
                .iter()
                .map(|drill| json!({ "id": drill.id, "title": drill.title, "summary": drill.summary, "points": drill.rubric.possible }))
                .collect();
            writeln!(shell.out(), "{:#}", Value::from(rows))?;
        }
    }
    Ok(Done::Fine)
}
