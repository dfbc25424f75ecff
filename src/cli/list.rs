//! `drillmark list`: the drills of the library.

use std::io::Write;

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
    let ids = library.ids();
    match args.format {
        Format::Terminal => ids.into_iter().try_for_each(|id| writeln!(shell.out(), "{id}"))?,
        Format::Json => {
            let rows: Vec<_> = ids.map(|id| serde_json::json!({ "id": id })).collect();
            writeln!(shell.out(), "{}", serde_json::Value::from(rows))?;
        }
    }
    Ok(Done::Fine)
}
