//! `drillmark schema`: the JSON Schemas of what authors write and scripts read.

use std::io::Write;

use super::{Done, Shell, Trouble};

/// What a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// A drill's TOML
    Drill,
    /// A rubric's TOML
    Rubric,
    /// The declared verdicts of a fixture
    Expect,
    /// The report of `drillmark grade --format json`
    Report,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Editors that know TOML (Taplo, Tombi) complete and check a drill that begins with `#:schema schemas/drill.schema.json`.")]
pub(crate) struct Args {
    /// What to describe
    #[arg(value_enum)]
    what: What,
}

pub(crate) const DRILL: &str = include_str!("../../schemas/drill.schema.json");
pub(crate) const RUBRIC: &str = include_str!("../../schemas/rubric.schema.json");
pub(crate) const EXPECT: &str = include_str!("../../schemas/expect.schema.json");
const REPORT: &str = include_str!("../../schemas/report.schema.json");

pub(crate) fn run(args: &Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let schema = match args.what {
        What::Drill => DRILL,
        What::Rubric => RUBRIC,
        What::Expect => EXPECT,
        What::Report => REPORT,
    };
    write!(shell.json()?, "{schema}")?;
    Ok(Done::Fine)
}
