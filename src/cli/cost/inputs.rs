//! The flags of `cost`: read with or without units, and checked so that no later step can meet a senseless number.

use std::path::PathBuf;

use drillmark::collective::{Accelerator, Algorithm, Collective, Fabric, Layer, Link, Node, ZeroStage};
use drillmark::quantity::{Number, Units};

use super::Format;
use crate::cli::Trouble;

/// More ranks than any machine has; beyond it a number of GPUs is a slip of the keyboard.
const MOST_RANKS: u64 = 1 << 24;

#[derive(Debug, clap::Args)]
pub(crate) struct Flags {
    /// Ranks that take part
    #[arg(long, value_name = "P", value_parser = ranks)]
    gpus: u64,

    /// Bandwidth that one rank achieves [GB/s]
    #[arg(long, value_name = "B", value_parser = bandwidth)]
    bw: f64,

    /// Latency of one step between two ranks [µs]
    #[arg(long, value_name = "α", value_parser = latency)]
    latency: f64,

    /// Model size [billions of parameters]
    #[arg(long, value_name = "N", value_parser = parameters, required_unless_present = "layer_ratio")]
    params: Option<f64>,

    /// Compute-only time of one micro-batch [ms]
    #[arg(long, value_name = "MS", value_parser = step)]
    step_ms: Option<f64>,

    /// Bucket sizes to compare, separated by commas [MiB]
    #[arg(long, value_name = "SIZES", value_delimiter = ',', value_parser = bucket)]
    buckets: Vec<f64>,

    /// Compare compute and communication of one transformer layer instead
    #[arg(long, requires_all = ["hidden", "seq"])]
    pub(super) layer_ratio: bool,

    /// Width of the layer
    #[arg(long, value_name = "H", value_parser = count)]
    hidden: Option<f64>,

    /// Tokens of a sequence
    #[arg(long, value_name = "TOKENS", value_parser = count)]
    seq: Option<f64>,

    /// Sequences of a micro-batch
    #[arg(long, value_name = "N", default_value = "1", value_parser = count)]
    micro_batch: f64,

    /// Micro-batches of an optimizer step
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    grad_accum: u64,

    /// Bytes of one gradient element
    #[arg(long, value_name = "N", default_value = "2", value_parser = positive)]
    dtype_bytes: f64,

    /// Peak of one accelerator [TFLOP/s]
    #[arg(long, value_name = "TFLOPS", default_value = "312", value_parser = peak)]
    peak_tflops: f64,

    /// Share of the peak that training reaches
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = share)]
    mfu: f64,

    /// Share of a step's compute in which gradients appear
    #[arg(long, value_name = "SHARE", default_value = "2/3", value_parser = share)]
    backward_fraction: f64,

    /// Share of the compute above which the label is printed
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = share)]
    threshold: f64,

    /// How the collective is carried out
    #[arg(long, visible_alias = "algo", value_enum, default_value = "ring")]
    algorithm: AlgorithmName,

    /// What the ranks do together
    #[arg(long, value_enum, default_value = "all-reduce")]
    collective: CollectiveName,

    /// Ranks of a node, for the hierarchical algorithm and NCCL's estimates
    #[arg(long, value_name = "G", default_value = "8", value_parser = clap::value_parser!(u64).range(1..=65_536))]
    gpus_per_node: u64,

    /// Bandwidth of a rank inside its node [GB/s]
    #[arg(long, value_name = "B", default_value = "300", value_parser = bandwidth)]
    intra_bw: f64,

    /// Latency of a step inside a node [µs]; as --latency where it is not given
    #[arg(long, value_name = "α", value_parser = latency)]
    intra_latency: Option<f64>,

    /// Add what a training step communicates under this ZeRO stage
    #[arg(long, value_name = "STAGE", value_parser = clap::value_parser!(u8).range(0..=3))]
    zero: Option<u8>,

    /// Add the growth of every term since this number of GPUs
    #[arg(long, value_name = "P", value_parser = ranks)]
    compare: Option<u64>,

    /// Add algorithm and bus bandwidth as nccl-tests prints them
    #[arg(long)]
    pub(super) busbw: bool,

    /// Vary one input: gpus=8..1024 or bucket=1MiB..512MiB (doubling), or =8..64:8 (in steps)
    #[arg(long, value_name = "NAME=FROM..TO", conflicts_with_all = ["layer_ratio", "compare", "zero"])]
    pub(super) sweep: Option<String>,

    /// Draw the sweep into this file
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,

    /// Add each formula and its source
    #[arg(long)]
    pub(super) explain: bool,

    /// How to print the result
    #[arg(long, value_enum, default_value = "terminal")]
    format: Format,

    /// The same as --format json
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum AlgorithmName {
    Ring,
    Tree,
    DoubleBinaryTree,
    HalvingDoubling,
    Hierarchical,
}

/// The names of collectives as flags take them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum CollectiveName {
    AllReduce,
    ReduceScatter,
    AllGather,
    Broadcast,
    AllToAll,
}

impl CollectiveName {
    pub(super) fn collective(self) -> Collective {
        match self {
            CollectiveName::AllReduce => Collective::AllReduce,
            CollectiveName::ReduceScatter => Collective::ReduceScatter,
            CollectiveName::AllGather => Collective::AllGather,
            CollectiveName::Broadcast => Collective::Broadcast,
            CollectiveName::AllToAll => Collective::AllToAll,
        }
    }
}

/// What is asked, in SI units; every number is finite and positive.
#[derive(Clone, Debug)]
pub(super) struct Inputs {
    pub(super) fabric: Fabric,
    pub(super) collective: Collective,
    pub(super) algorithm: Algorithm,
    /// Elements of the message.
    pub(super) params: Option<f64>,
    pub(super) dtype_bytes: f64,
    /// Seconds of compute in one micro-batch.
    pub(super) step: Option<f64>,
    pub(super) micro_batches: u64,
    pub(super) backward_fraction: f64,
    pub(super) threshold: f64,
    /// Bytes.
    pub(super) buckets: Vec<f64>,
    pub(super) layer: Option<Layer>,
    pub(super) accelerator: Accelerator,
    pub(super) zero: Option<(u8, ZeroStage)>,
    pub(super) compare: Option<u64>,
    pub(super) busbw: bool,
}

impl Inputs {
    /// The bytes of the message.
    pub(super) fn message(&self) -> Option<f64> {
        self.params.map(|params| params * self.dtype_bytes)
    }
}

impl Flags {
    pub(super) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// Checks what the flags mean together.
    pub(super) fn check(&self) -> Result<Inputs, Trouble> {
        let link = Link { latency: self.latency, bandwidth: self.bw };
        let inside = Link { latency: self.intra_latency.unwrap_or(self.latency), bandwidth: self.intra_bw };
        let inputs = Inputs {
            fabric: Fabric { ranks: self.gpus, link, node: Some(Node { ranks: self.gpus_per_node, link: inside }) },
            collective: self.collective.collective(),
            algorithm: match self.algorithm {
                AlgorithmName::Ring => Algorithm::Ring,
                AlgorithmName::Tree => Algorithm::Tree,
                AlgorithmName::DoubleBinaryTree => Algorithm::DoubleBinaryTree,
                AlgorithmName::HalvingDoubling => Algorithm::HalvingDoubling,
                AlgorithmName::Hierarchical => Algorithm::Hierarchical,
            },
            params: self.params,
            dtype_bytes: self.dtype_bytes,
            step: self.step_ms,
            micro_batches: self.grad_accum,
            backward_fraction: self.backward_fraction,
            threshold: self.threshold,
            buckets: self.buckets.clone(),
            layer: self.hidden.zip(self.seq).map(|(hidden, sequence)| Layer { hidden, sequence, micro_batch: self.micro_batch }),
            accelerator: Accelerator { peak: self.peak_tflops, utilization: self.mfu },
            zero: self.zero.and_then(|number| Some((number, ZeroStage::new(number)?))),
            compare: self.compare,
            busbw: self.busbw,
        };
        if let Some(message) = inputs.message() {
            if !message.is_finite() {
                return Err(Trouble::Operator("--params times --dtype-bytes is too large to count in bytes".to_owned()));
            }
            if let Some(size) = inputs.buckets.iter().find(|&&size| size > message) {
                let mib = |bytes: f64| bytes / 1_048_576.0;
                return Err(Trouble::Operator(format!(
                    "--buckets: a bucket of {:.4} MiB is larger than the message of {:.2} MiB",
                    mib(*size),
                    mib(message)
                )));
            }
        }
        Ok(inputs)
    }
}

fn ranks(text: &str) -> Result<u64, String> {
    match text.trim().parse::<u64>() {
        Ok(0 | 1) => Err("a collective needs at least two GPUs".to_owned()),
        Ok(ranks) if ranks <= MOST_RANKS => Ok(ranks),
        Ok(_) => Err(format!("more than {MOST_RANKS} GPUs are more than any machine has")),
        Err(_) => Err("a whole number of GPUs is wanted, such as 32".to_owned()),
    }
}

fn bandwidth(text: &str) -> Result<f64, String> {
    quantity(text, "GB/s", "a rate, such as 25, \"25 GB/s\" or \"200 Gb/s\"")
}

fn latency(text: &str) -> Result<f64, String> {
    quantity(text, "µs", "a time, such as 20, 20us or 0.02ms")
}

fn step(text: &str) -> Result<f64, String> {
    quantity(text, "ms", "a time, such as 400, 400ms or 0.4s")
}

/// A size of a bucket; also read by sweeps.
pub(super) fn bucket(text: &str) -> Result<f64, String> {
    quantity(text, "MiB", "an amount of data, such as 25, 25MiB or \"25 MB\"")
}

fn peak(text: &str) -> Result<f64, String> {
    quantity(text, "TFLOP/s", "a compute rate, such as 312 or \"312 TFLOP/s\"")
}

fn parameters(text: &str) -> Result<f64, String> {
    let (value, rest) = number(text)?;
    let scale = match rest.trim_end_matches("parameters").trim_end_matches("params").trim() {
        "" | "B" | "b" | "bn" | "billion" => 9,
        "k" | "K" | "thousand" => 3,
        "M" | "million" => 6,
        "T" | "trillion" => 12,
        other => return Err(format!("`{other}` is no scale of parameters: 1.3 is billions, 1.3B, 350M and 1T are read too")),
    };
    sensible(value * Number::decimal(1, scale))
}

fn share(text: &str) -> Result<f64, String> {
    let value = match text.split_once('/') {
        Some((above, below)) => positive(above)? / positive(below)?,
        None => match number(text)? {
            (value, "%") => sensible(value * Number::decimal(1, -2))?,
            (value, "") => sensible(value)?,
            (_, other) => return Err(format!("`{other}` does not belong to a share, such as 0.5, 50% or 2/3")),
        },
    };
    if value > 1.0 { Err("a share is at most 1".to_owned()) } else { Ok(value) }
}

fn count(text: &str) -> Result<f64, String> {
    match text.trim().parse::<u64>() {
        Ok(0) => Err("at least 1 is wanted".to_owned()),
        Ok(count) if count <= 1 << 32 => Ok(count as f64),
        _ => Err("a whole number is wanted, such as 4096".to_owned()),
    }
}

fn positive(text: &str) -> Result<f64, String> {
    match number(text)? {
        (value, "") => sensible(value),
        (_, other) => Err(format!("`{other}` does not belong to a plain number")),
    }
}

/// A number with or without a unit, in SI units. `bare` is the unit of a number without one, and what it measures is
/// what a written unit has to measure.
fn quantity(text: &str, bare: &str, wanted: &str) -> Result<f64, String> {
    let (value, written) = number(text)?;
    let units = Units::standard();
    let bare = units.read(bare).swap_remove(0);
    if written.is_empty() {
        return sensible(value * bare.factor);
    }
    match units.read(written).into_iter().find(|unit| unit.dimension == bare.dimension) {
        Some(unit) => sensible(value * unit.factor),
        None => Err(format!("`{written}` does not fit: {wanted} is wanted")),
    }
}

/// The number that a text starts with, and what follows it. Exact, so that 20 µs are the float nearest to 0.00002 s and
/// every figure printed from it is right to the last digit.
fn number(text: &str) -> Result<(Number, &str), String> {
    let text = text.trim();
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(text.starts_with(['-', '+']));
    let whole = sign + digits(sign);
    let (point, fraction) = if text[whole..].starts_with('.') { (whole + 1, whole + 1 + digits(whole + 1)) } else { (whole, whole) };
    let (mut end, mut exponent) = (fraction, 0);
    if text[end..].starts_with(['e', 'E']) {
        let from = end + 1 + usize::from(text[end + 1..].starts_with(['-', '+']));
        if digits(from) > 0 {
            exponent = text[end + 1..from + digits(from)].parse::<i32>().map_err(|_| "too large to work with".to_owned())?;
            end = from + digits(from);
        }
    }
    let written: String = [&text[..whole], &text[point..fraction]].concat();
    if !written.bytes().any(|byte| byte.is_ascii_digit()) {
        return Err("a number is wanted".to_owned());
    }
    let mantissa: i128 = written.parse().map_err(|_| "more digits than a number needs".to_owned())?;
    Ok((Number::decimal(mantissa, exponent.saturating_sub((fraction - point) as i32)), text[end..].trim()))
}

fn sensible(value: Number) -> Result<f64, String> {
    match value.to_f64() {
        value if !value.is_finite() => Err("too large to work with".to_owned()),
        value if value > 0.0 => Ok(value),
        _ => Err("a number above zero is wanted".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_numbers_have_the_units_of_the_exercise() {
        assert_eq!(bandwidth("25"), Ok(25e9));
        assert_eq!(latency("20").map(|s| (s * 1e9).round()), Ok(20_000.0));
        assert_eq!(parameters("1.3"), Ok(1.3e9));
        assert_eq!(bucket("25"), Ok(26_214_400.0));
        assert_eq!(share("2/3"), Ok(2.0 / 3.0));
        assert_eq!(share("50%"), Ok(0.5));
    }

    #[test]
    fn units_may_be_written() {
        let near =
            |got: Result<f64, String>, expected: f64| assert!((got.clone().expect("readable") / expected - 1.0).abs() < 1e-12, "{got:?}");
        near(bandwidth("200 Gb/s"), 25e9);
        near(bandwidth("25GB/s"), 25e9);
        near(latency("0.02ms"), 20e-6);
        near(latency("20 µs"), 20e-6);
        near(step("0.4s"), 0.4);
        near(parameters("1.3B"), 1.3e9);
        near(parameters("350M"), 350e6);
        near(bucket("25 MB"), 25e6);
        near(bucket("1e-3 GiB"), 1_073_741.824);
        near(peak("989 TFLOP/s"), 989e12);
    }

    #[test]
    fn senseless_numbers_are_refused_with_the_reason() {
        assert_eq!(ranks("1").unwrap_err(), "a collective needs at least two GPUs");
        assert_eq!(ranks("32.5").unwrap_err(), "a whole number of GPUs is wanted, such as 32");
        assert_eq!(bandwidth("25 ms").unwrap_err(), "`ms` does not fit: a rate, such as 25, \"25 GB/s\" or \"200 Gb/s\" is wanted");
        assert_eq!(bandwidth("-25").unwrap_err(), "a number above zero is wanted");
        assert_eq!(bandwidth("0").unwrap_err(), "a number above zero is wanted");
        assert_eq!(latency("NaN").unwrap_err(), "a number is wanted");
        assert_eq!(latency("inf").unwrap_err(), "a number is wanted");
        assert_eq!(parameters("1e400").unwrap_err(), "too large to work with");
        assert_eq!(share("1.5").unwrap_err(), "a share is at most 1");
        assert_eq!(bucket("µ").unwrap_err(), "a number is wanted");
    }
}
