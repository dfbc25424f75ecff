//! `--sweep NAME=FROM..TO`: the same message over many machines or many bucket sizes, as a table, a chart, or data.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use drillmark::collective::{Algorithm, Buckets, Fabric, NcclLatency, Window, cost};
use drillmark::report::chart::{Axis, Chart, Series};
use serde_json::{Map, Value, json};

use super::Format;
use super::budget::{bucket_row, cost_of};
use super::inputs::{Flags, Inputs, bucket};
use super::text::round;
use crate::cli::{Done, Shell, Trouble};

/// More rows than anybody reads.
const MOST_ROWS: usize = 200;

/// A column of a sweep: its key in data, its head in the table, and how its SI value is shown there.
struct Column {
    key: &'static str,
    head: &'static str,
    /// Divides the SI value.
    unit: f64,
    decimals: usize,
}

const fn column(key: &'static str, head: &'static str, unit: f64, decimals: usize) -> Column {
    Column { key, head, unit, decimals }
}

/// A swept input with its results; a column that does not apply holds `None`.
struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Option<f64>>>,
    /// The columns that the chart draws, and what their lines are called.
    drawn: Vec<(usize, &'static str)>,
    across: &'static str,
    title: String,
}

pub(super) fn run(sweep: &str, flags: &Flags, inputs: &Inputs, shell: &mut Shell) -> Result<Done, Trouble> {
    let message = inputs.message().ok_or_else(|| Trouble::Operator("--sweep wants --params".to_owned()))?;
    let wrong = |why: &str| Trouble::Operator(format!("--sweep {sweep}: {why}"));
    let (name, range) = sweep.split_once('=').ok_or_else(|| wrong("write it as gpus=8..1024 or bucket=1MiB..512MiB"))?;
    let table = match name {
        "gpus" => {
            let read = |text: &str| text.parse::<f64>().map_err(|_| "a whole number of GPUs is wanted".to_owned());
            let ranks = points(range, read).map_err(|why| wrong(&why))?;
            if ranks.iter().any(|ranks| *ranks < 2.0 || ranks.fract() != 0.0 || *ranks > 16_777_216.0) {
                return Err(wrong("every point has to be a whole number of at least two GPUs"));
            }
            over_ranks(inputs, message, &ranks)?
        }
        "bucket" => {
            let sizes = points(range, bucket).map_err(|why| wrong(&why))?;
            if sizes.iter().any(|size| *size > message) {
                return Err(wrong("a bucket is larger than the message"));
            }
            over_buckets(inputs, message, &sizes)?
        }
        _ => return Err(wrong("only gpus and bucket can be swept")),
    };
    if let Some(path) = &flags.svg {
        draw(path, &table)?;
    }
    match flags.format() {
        Format::Terminal => print(shell.out(), &table)?,
        Format::Json => writeln!(shell.out(), "{:#}", data(inputs, name, &table))?,
        Format::Csv => comma_separated(shell.out(), &table)?,
    }
    Ok(Done::Fine)
}

/// `8..1024` doubles, `8..64:8` goes in steps; both ends are points.
fn points(range: &str, read: impl Fn(&str) -> Result<f64, String>) -> Result<Vec<f64>, String> {
    let (range, step) = match range.split_once(':') {
        Some((range, step)) => (range, Some(read(step.trim())?)),
        None => (range, None),
    };
    let (from, to) = range.split_once("..").ok_or("write both ends, as in 8..1024")?;
    let Range { start, end } = read(from.trim())?..read(to.trim())?;
    if !(start > 0.0 && start <= end) {
        return Err("the first end has to be positive and not above the second".to_owned());
    }
    if step.is_some_and(|step| step <= 0.0) {
        return Err("a step has to be positive".to_owned());
    }
    let mut points = vec![start];
    while let Some(&last) = points.last().filter(|last| **last < end) {
        if points.len() == MOST_ROWS {
            return Err(format!("more than {MOST_ROWS} points: take a wider step"));
        }
        points.push(step.map_or(last * 2.0, |step| last + step).min(end));
    }
    Ok(points)
}

fn over_ranks(inputs: &Inputs, message: f64, points: &[f64]) -> Result<Table, Trouble> {
    let compute = inputs.step.map(|step| step * inputs.micro_batches as f64);
    let rows = points
        .iter()
        .map(|&ranks| {
            let fabric = Fabric { ranks: ranks as u64, ..inputs.fabric };
            let of = cost_of(inputs, inputs.collective, &fabric)?;
            let total = of.total(message);
            // Beside the algorithm asked for: what a tree and a hierarchy would make of it, where they apply.
            let other = |algorithm| cost(inputs.collective, algorithm, &fabric).ok();
            let levels = other(Algorithm::Hierarchical);
            let nccl = NcclLatency::new(fabric.ranks, inputs.fabric.node.map_or(1, |node| node.ranks));
            Ok(vec![
                Some(ranks),
                Some(of.latency),
                Some(of.bandwidth(message)),
                Some(total),
                compute.map(|compute| total / compute),
                Some(of.crossover()),
                other(Algorithm::DoubleBinaryTree).map(|tree| tree.latency),
                levels.map(|levels| levels.latency),
                levels.map(|levels| levels.total(message)),
                Some(nccl.ring),
                Some(nccl.tree),
                Some(ranks / inputs.fabric.ranks as f64),
            ])
        })
        .collect::<Result<_, Trouble>>()?;
    Ok(Table {
        columns: vec![
            column("gpus", "P", 1.0, 0),
            column("latency_s", "latency ms", 1e-3, 2),
            column("bandwidth_s", "bandwidth ms", 1e-3, 2),
            column("total_s", "T ms", 1e-3, 2),
            column("comm_over_compute", "T/compute %", 1e-2, 1),
            column("crossover_bytes", "S* MB", 1e6, 2),
            column("tree_latency_s", "tree lat ms", 1e-3, 2),
            column("two_level_latency_s", "2-level lat ms", 1e-3, 2),
            column("two_level_total_s", "2-level T ms", 1e-3, 1),
            column("nccl_ring_latency_s", "NCCL ring ms", 1e-3, 2),
            column("nccl_tree_latency_s", "NCCL tree ms", 1e-3, 2),
            column("global_batch", "batch x", 1.0, 2),
        ],
        rows,
        drawn: vec![(3, "total"), (2, "bandwidth term"), (1, "latency term")],
        across: "GPUs",
        title: format!("One message of {} GB over a growing number of GPUs", round(message / 1e9)),
    })
}

fn over_buckets(inputs: &Inputs, message: f64, points: &[f64]) -> Result<Table, Trouble> {
    let of = cost_of(inputs, inputs.collective, &inputs.fabric)?;
    let window = inputs.step.map(|step| Window { compute: step * inputs.micro_batches as f64, backward: step * inputs.backward_fraction });
    let rows = points
        .iter()
        .map(|&size| {
            let row = bucket_row(Buckets { message, size }, of, window);
            vec![
                Some(size),
                Some(row.cost.count),
                Some(row.cost.count * row.cost.latency),
                Some(of.bandwidth(message)),
                Some(row.cost.total),
                Some(row.times_one_shot),
                Some(size / of.crossover()),
                Some(row.cost.count * row.cost.latency / row.cost.total),
                row.overlap.as_ref().map(|overlap| overlap.exposed),
                row.overlap.as_ref().map(|overlap| overlap.efficiency),
            ]
        })
        .collect();
    let exposed = window.map(|_| (8, "exposed"));
    Ok(Table {
        columns: vec![
            column("bucket_bytes", "MiB", 1_048_576.0, 2),
            column("count", "buckets", 1.0, 0),
            column("latency_s", "latency ms", 1e-3, 2),
            column("bandwidth_s", "bandwidth ms", 1e-3, 2),
            column("total_s", "total ms", 1e-3, 2),
            column("times_one_shot", "one shot x", 1.0, 2),
            column("bucket_over_crossover", "b/S*", 1.0, 3),
            column("latency_share", "lat share %", 1e-2, 1),
            column("exposed_s", "exposed ms", 1e-3, 1),
            column("efficiency", "efficiency %", 1e-2, 1),
        ],
        rows,
        drawn: [(4, "total"), (2, "latency, all buckets"), (3, "bandwidth term")].into_iter().chain(exposed).collect(),
        across: "bucket size [MiB]",
        title: format!("One message of {} GB in buckets, {} GPUs", round(message / 1e9), inputs.fabric.ranks),
    })
}

fn print(out: &mut impl Write, table: &Table) -> io::Result<()> {
    let shown: Vec<usize> = (0..table.columns.len()).filter(|&at| table.rows.iter().any(|row| row[at].is_some())).collect();
    let cell = |row: &[Option<f64>], at: usize| {
        let Column { unit, decimals, .. } = table.columns[at];
        row[at].map_or_else(|| "-".to_owned(), |value| format!("{:.decimals$}", value / unit))
    };
    let width = |at: usize| {
        let cells = table.rows.iter().map(|row| cell(row, at).len());
        cells.chain([table.columns[at].head.chars().count()]).max().unwrap_or(0)
    };
    let line = |cells: Vec<String>| cells.join("   ").trim_end().to_owned();
    writeln!(out, "{}", line(shown.iter().map(|&at| format!("{:>1$}", table.columns[at].head, width(at))).collect()))?;
    for row in &table.rows {
        writeln!(out, "{}", line(shown.iter().map(|&at| format!("{:>1$}", cell(row, at), width(at))).collect()))?;
    }
    writeln!(out)?;
    bars(out, table)
}

/// Columns of the widest bar.
const BAR: f64 = 60.0;

/// The total as bars, its latency share in a darker shade.
fn bars(out: &mut impl Write, table: &Table) -> io::Result<()> {
    let (Some(total), Some(latency)) = (
        table.columns.iter().position(|column| column.key == "total_s"),
        table.columns.iter().position(|column| column.key == "latency_s"),
    ) else {
        return Ok(());
    };
    let first = &table.columns[0];
    let longest = table.rows.iter().filter_map(|row| row[total]).fold(f64::MIN_POSITIVE, f64::max);
    writeln!(out, "{}   (▓ latency term, ░ bandwidth term)", table.columns[total].head)?;
    for row in &table.rows {
        let (Some(at), Some(total), Some(latency)) = (row[0], row[total], row[latency]) else { continue };
        let dark = (BAR * latency / longest).round() as usize;
        let light = ((BAR * total / longest).round() as usize).saturating_sub(dark);
        let label = format!("{:.1$}", at / first.unit, first.decimals);
        writeln!(out, "{label:>10} │{}{} {:.2}", "▓".repeat(dark), "░".repeat(light), total * 1e3)?;
    }
    Ok(())
}

fn data(inputs: &Inputs, name: &str, table: &Table) -> Value {
    let rows: Vec<Value> = table
        .rows
        .iter()
        .map(|row| {
            let object: Map<String, Value> =
                table.columns.iter().zip(row).map(|(column, value)| (column.key.to_owned(), json!(value))).collect();
            object.into()
        })
        .collect();
    json!({"sweep": name, "message_bytes": inputs.message(), "rows": rows})
}

/// Plain numbers and names only, so nothing has to be quoted.
fn comma_separated(out: &mut impl Write, table: &Table) -> io::Result<()> {
    let heads: Vec<&str> = table.columns.iter().map(|column| column.key).collect();
    writeln!(out, "{}", heads.join(","))?;
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|value| value.map_or_else(String::new, |value| value.to_string())).collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    Ok(())
}

fn draw(path: &Path, table: &Table) -> Result<(), Trouble> {
    let first = &table.columns[0];
    let series = table.drawn.iter().map(|&(at, name)| Series {
        name: name.to_owned(),
        points: table.rows.iter().filter_map(|row| Some((row[0]? / first.unit, row[at]? / table.columns[at].unit))).collect(),
    });
    let chart = Chart {
        title: table.title.clone(),
        x: Axis { title: table.across.to_owned(), logarithmic: true },
        y: Axis { title: "ms".to_owned(), logarithmic: true },
        series: series.collect(),
    };
    crate::cli::write_whole(path, chart.to_svg().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Result<f64, String> {
        text.parse().map_err(|_| "a number is wanted".to_owned())
    }

    #[test]
    fn a_range_doubles_or_goes_in_steps_and_holds_both_ends() {
        assert_eq!(points("8..64", whole), Ok(vec![8.0, 16.0, 32.0, 64.0]));
        assert_eq!(points("8..50", whole), Ok(vec![8.0, 16.0, 32.0, 50.0]));
        assert_eq!(points("8..32:8", whole), Ok(vec![8.0, 16.0, 24.0, 32.0]));
        assert_eq!(points("8..8", whole), Ok(vec![8.0]));
    }

    #[test]
    fn a_senseless_range_says_what_is_wrong() {
        assert_eq!(points("8", whole).unwrap_err(), "write both ends, as in 8..1024");
        assert_eq!(points("64..8", whole).unwrap_err(), "the first end has to be positive and not above the second");
        assert_eq!(points("1..1000000:1", whole).unwrap_err(), "more than 200 points: take a wider step");
        assert_eq!(points("1..8:0", whole).unwrap_err(), "a step has to be positive");
    }
}
