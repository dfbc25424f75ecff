//! `drillmark cost`: what a collective costs, and what it does to a training step.
//!
//! The command lines of the communication-budget exercise run as they are written there. `inputs` reads and checks the
//! flags, `budget` works everything out, and `text`, `json` and `sweep` are ways to print it.

mod budget;
mod fit;
mod inputs;
mod json;
mod sweep;
mod text;

use std::io::Write;

use super::{Done, Shell, Trouble};
use budget::{Budget, LayerBudget};
use inputs::Flags;

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(
    after_help = "Bare numbers have the exercise's units (GB/s, µs, billions, ms, MiB); a unit may be written too: --bw \"200 Gb/s\"."
)]
pub(crate) struct Args {
    #[command(flatten)]
    flags: Option<Flags>,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Fit the step latency and the bandwidth to nccl-tests output
    Fit(fit::Args),
}

/// How to print the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Tables for a person
    Terminal,
    /// One object, SI units
    Json,
    /// A sweep as comma-separated values, SI units
    Csv,
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    if let Some(Command::Fit(args)) = args.command {
        return fit::run(args, shell);
    }
    let flags = args.flags.ok_or_else(|| Trouble::Operator("cost wants --gpus, --bw and --latency".to_owned()))?;
    let inputs = flags.check()?;
    if let Some(sweep) = &flags.sweep {
        return sweep::run(sweep, &flags, &inputs, shell);
    }
    if flags.svg.is_some() {
        return Err(Trouble::Operator("--svg draws a sweep: add --sweep gpus=8..1024 or --sweep bucket=1MiB..512MiB".to_owned()));
    }
    let format = flags.format();
    if format == Format::Csv {
        return Err(Trouble::Operator("--format csv prints a sweep: add --sweep".to_owned()));
    }
    if flags.layer_ratio {
        let layer = LayerBudget::new(&inputs)?;
        match format {
            Format::Json => writeln!(shell.out(), "{:#}", json::layer(&inputs, &layer))?,
            _ => text::layer(shell.out(), &inputs, &layer, flags.explain)?,
        }
    } else {
        let budget = Budget::new(&inputs)?;
        match format {
            Format::Json => writeln!(shell.out(), "{:#}", json::budget(&inputs, &budget))?,
            _ => text::budget(shell.out(), &inputs, &budget, flags.explain)?,
        }
    }
    Ok(Done::Fine)
}
