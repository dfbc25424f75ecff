//! `drillmark cost fit FILE`: the step latency and the bandwidth behind measured collectives.

use std::io::Write;
use std::path::PathBuf;

use drillmark::collective::{FitError, fit, measurements};
use serde_json::json;

use super::Format;
use super::inputs::CollectiveName;
use crate::cli::{Done, Shell, Trouble};

/// The output of one benchmark run is a few kilobytes.
const LIMIT: u64 = 16_000_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Output of nccl-tests, `-` for standard input
    file: PathBuf,

    /// Ranks that took part; counted from the output's `# Rank` lines where it has them
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u64).range(2..=16_777_216))]
    gpus: Option<u64>,

    /// What was measured; read from the output where it says so
    #[arg(long, value_enum)]
    collective: Option<CollectiveName>,

    /// How to print the result
    #[arg(long, value_enum, default_value = "terminal")]
    format: Format,
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let bytes = shell.read(&args.file, LIMIT)?;
    let output = String::from_utf8_lossy(&bytes);
    let trouble = |what: &str| Trouble::with(args.file.display(), what);
    let ranks = args.gpus.or_else(|| counted(&output)).ok_or_else(|| trouble("does not say how many GPUs took part: add --gpus"))?;
    let collective = args.collective.or_else(|| named(&output)).unwrap_or(CollectiveName::AllReduce).collective();
    let rows = measurements(&output);
    let fit = fit(&rows, collective, ranks).map_err(|why| {
        trouble(match why {
            FitError::TooFewSizes => "holds fewer than two message sizes",
            FitError::NotBothTerms => "the sizes do not show both a latency and a bandwidth term: measure smaller and larger messages",
        })
    })?;
    match args.format {
        Format::Json => {
            let points: Vec<_> = rows
                .iter()
                .zip(&fit.residuals)
                .map(|(row, residual)| json!({"bytes": row.bytes, "measured_s": row.seconds, "fitted_s": fit.cost.total(row.bytes), "residual": residual}))
                .collect();
            let report = json!({
                "gpus": ranks, "collective": super::text::collective_name(collective),
                "latency_s": fit.link.latency, "bw_Bps": fit.link.bandwidth,
                "crossover_bytes": fit.cost.crossover(), "points": points,
            });
            writeln!(shell.out(), "{report:#}")?;
        }
        Format::Csv => {
            writeln!(shell.out(), "bytes,measured_s,fitted_s,residual")?;
            for (row, residual) in rows.iter().zip(&fit.residuals) {
                writeln!(shell.out(), "{},{},{},{residual}", row.bytes, row.seconds, fit.cost.total(row.bytes))?;
            }
        }
        Format::Terminal => {
            let out = shell.out();
            writeln!(out, "{} over {ranks} GPUs, {} measurements", super::text::collective_name(collective), rows.len())?;
            writeln!(out, "  alpha          = {:>9.3} us a ring step", fit.link.latency * 1e6)?;
            writeln!(
                out,
                "  B              = {:>9.3} GB/s a rank   (the bus bandwidth of a very large message)",
                fit.link.bandwidth / 1e9
            )?;
            writeln!(out, "  crossover S*   = {:>9.2} MB", fit.cost.crossover() / 1e6)?;
            writeln!(out, "        bytes    measured ms      fitted ms   measured/fitted")?;
            for (row, residual) in rows.iter().zip(&fit.residuals) {
                let (measured, fitted) = (row.seconds * 1e3, fit.cost.total(row.bytes) * 1e3);
                writeln!(out, "{:>13} {measured:>14.4} {fitted:>14.4} {:>+15.1} %", row.bytes, (1000.0 * residual).round() / 10.0 + 0.0)?;
            }
            let worst = fit.residuals.iter().fold(0.0_f64, |worst, residual| worst.max(residual.abs()));
            writeln!(out, "  least squares of the relative errors; the largest is {:.1} %", 100.0 * worst)?;
            if worst > 0.25 {
                writeln!(
                    out,
                    "  one straight line does not describe these rows: the library may have changed its algorithm or protocol between sizes"
                )?;
            }
        }
    }
    Ok(Done::Fine)
}

/// The ranks that introduce themselves: `#  Rank  3 Group  0 Pid 4711 on box01 device  3`.
fn counted(output: &str) -> Option<u64> {
    let ranks = output.lines().filter(|line| {
        let mut words = line.trim_start_matches('#').split_whitespace();
        line.starts_with('#') && words.next() == Some("Rank") && words.next().is_some_and(|word| word.parse::<u64>().is_ok())
    });
    Some(ranks.count() as u64).filter(|&count| count >= 2)
}

/// The collective that the output's opening names: `# Collective test starting: all_reduce_perf`.
fn named(output: &str) -> Option<CollectiveName> {
    let line = output.lines().find(|line| line.starts_with('#') && line.contains("_perf"))?;
    [
        ("all_reduce", CollectiveName::AllReduce),
        ("reduce_scatter", CollectiveName::ReduceScatter),
        ("all_gather", CollectiveName::AllGather),
        ("broadcast", CollectiveName::Broadcast),
        ("alltoall", CollectiveName::AllToAll),
    ]
    .into_iter()
    .find_map(|(name, collective)| line.contains(name).then_some(collective))
}
