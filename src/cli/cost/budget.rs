//! Works out everything that `cost` prints.

use drillmark::collective::{Bucketed, Buckets, Collective, Cost, Fabric, Layer, NoCost, Phase, Window, ZeroStage, cost};

use super::inputs::Inputs;
use crate::cli::Trouble;

/// The cost of one message, of the step it belongs to, and of cutting it up.
#[derive(Debug)]
pub(super) struct Budget {
    /// Bytes.
    pub(super) message: f64,
    pub(super) cost: Cost,
    pub(super) step: Option<Step>,
    pub(super) buckets: Vec<BucketRow>,
    /// Bytes of the smallest bucket whose traffic fits under the backward pass; asked for together with `buckets`.
    pub(super) smallest_bucket: Option<f64>,
    pub(super) growth: Option<Growth>,
    pub(super) zero: Option<Zero>,
}

/// The step that the message belongs to; every share names its denominator.
#[derive(Debug)]
pub(super) struct Step {
    /// Compute of all micro-batches, and the backward pass of the last one.
    pub(super) window: Window,
    pub(super) over_compute: f64,
    pub(super) over_exposed_step: f64,
    pub(super) over_backward: f64,
    pub(super) efficiency_exposed: f64,
    /// With everything hidden: what is longer than the compute still shows.
    pub(super) efficiency_hidden: f64,
    pub(super) bound: bool,
}

#[derive(Debug)]
pub(super) struct BucketRow {
    /// Bytes.
    pub(super) size: f64,
    pub(super) cost: Bucketed,
    /// Total over the cost of the whole message at once.
    pub(super) times_one_shot: f64,
    pub(super) overlap: Option<Overlap>,
}

#[derive(Debug)]
pub(super) struct Overlap {
    pub(super) fits: bool,
    /// Seconds.
    pub(super) exposed: f64,
    pub(super) efficiency: f64,
}

/// What grows since a smaller number of ranks.
#[derive(Debug)]
pub(super) struct Growth {
    pub(super) ranks: u64,
    pub(super) latency: f64,
    pub(super) bandwidth: f64,
    pub(super) total: f64,
    pub(super) crossover: f64,
    /// At an unchanged batch a rank.
    pub(super) batch: f64,
}

/// What a step communicates under a ZeRO stage.
#[derive(Debug)]
pub(super) struct Zero {
    pub(super) number: u8,
    pub(super) phases: Vec<(Phase, Cost)>,
    /// Seconds.
    pub(super) total: f64,
    pub(super) over_compute: Option<f64>,
    /// Bytes of model states a rank.
    pub(super) model_states: f64,
}

/// Compute and communication of one layer.
#[derive(Debug)]
pub(super) struct LayerBudget {
    pub(super) layer: Layer,
    /// Bytes of the layer's gradient.
    pub(super) gradient: f64,
    pub(super) cost: Cost,
    /// Seconds of compute in a micro-batch, and in the step.
    pub(super) compute_micro: f64,
    pub(super) compute: f64,
    pub(super) compute_over_communication: f64,
    /// Only the last micro-batch's backward pass runs while gradients travel.
    pub(super) backward_over_communication: f64,
    pub(super) tokens: f64,
    /// Tokens a step at which compute equals the bandwidth term, and at which it equals both terms.
    pub(super) break_even_tokens: f64,
    pub(super) break_even_with_latency: f64,
}

/// A byte or a second that has left the range of floats would be printed as nonsense.
fn finite(value: f64, flags: &str) -> Result<f64, Trouble> {
    if value.is_finite() { Ok(value) } else { Err(Trouble::Operator(format!("{flags}: the result is too large to print"))) }
}

/// The cost of the collective, or the flag that rules it out.
pub(super) fn cost_of(inputs: &Inputs, collective: Collective, fabric: &Fabric) -> Result<Cost, Trouble> {
    cost(collective, inputs.algorithm, fabric).map_err(|why| {
        Trouble::Operator(match why {
            NoCost::TooFewRanks => "--gpus: a collective needs at least two GPUs".to_owned(),
            NoCost::NotOffered => "--algorithm: this algorithm does not carry out this --collective; a ring does".to_owned(),
            NoCost::NodesUnknown | NoCost::PartialNode => {
                format!("--gpus-per-node: {} GPUs do not fill whole nodes", fabric.ranks)
            }
        })
    })
}

impl Budget {
    pub(super) fn new(inputs: &Inputs) -> Result<Budget, Trouble> {
        let message = inputs.message().ok_or_else(|| Trouble::Operator("cost wants --params".to_owned()))?;
        let cost = cost_of(inputs, inputs.collective, &inputs.fabric)?;
        finite(cost.total(message), "--params, --bw and --latency")?;
        let window = inputs.step.map(|step| Window {
            compute: step * inputs.micro_batches as f64,
            // The other micro-batches only add up locally; nothing is sent during their backward passes.
            backward: step * inputs.backward_fraction,
        });
        let buckets = inputs.buckets.iter().map(|&size| bucket_row(Buckets { message, size }, cost, window)).collect::<Vec<_>>();
        for row in &buckets {
            finite(row.cost.total, "--buckets")?;
        }
        Ok(Budget {
            message,
            cost,
            step: window.map(|window| Step::new(window, cost.total(message), inputs.threshold)),
            smallest_bucket: window.filter(|_| !buckets.is_empty()).and_then(|window| window.smallest_bucket(cost, message)),
            buckets,
            growth: inputs.compare.map(|ranks| Growth::new(inputs, ranks, cost, message)).transpose()?,
            zero: inputs.zero.map(|(number, stage)| Zero::new(inputs, number, stage, message, window)).transpose()?,
        })
    }
}

impl Step {
    fn new(window: Window, total: f64, threshold: f64) -> Step {
        Step {
            window,
            over_compute: total / window.compute,
            over_exposed_step: total / (window.compute + total),
            over_backward: total / window.backward,
            efficiency_exposed: window.efficiency(total),
            efficiency_hidden: window.compute / window.compute.max(total),
            bound: total / window.compute > threshold,
        }
    }
}

pub(super) fn bucket_row(buckets: Buckets, cost: Cost, window: Option<Window>) -> BucketRow {
    let bucketed = buckets.cost(cost);
    BucketRow {
        size: buckets.size,
        cost: bucketed,
        times_one_shot: bucketed.total / cost.total(buckets.message),
        overlap: window.map(|window| {
            let exposed = buckets.exposed(cost, window);
            Overlap { fits: bucketed.total <= window.backward, exposed, efficiency: window.efficiency(exposed) }
        }),
    }
}

impl Growth {
    fn new(inputs: &Inputs, ranks: u64, cost: Cost, message: f64) -> Result<Growth, Trouble> {
        let before = cost_of(inputs, inputs.collective, &Fabric { ranks, ..inputs.fabric })?;
        Ok(Growth {
            ranks,
            latency: cost.latency / before.latency,
            bandwidth: cost.per_byte / before.per_byte,
            total: cost.total(message) / before.total(message),
            crossover: cost.crossover() / before.crossover(),
            batch: inputs.fabric.ranks as f64 / ranks as f64,
        })
    }
}

impl Zero {
    fn new(inputs: &Inputs, number: u8, stage: ZeroStage, message: f64, window: Option<Window>) -> Result<Zero, Trouble> {
        let phases = stage
            .phases(inputs.micro_batches)
            .into_iter()
            .map(|phase| Ok((phase, cost_of(inputs, phase.collective, &inputs.fabric)?)))
            .collect::<Result<Vec<_>, Trouble>>()?;
        let total = phases.iter().map(|(phase, cost)| phase.times as f64 * cost.total(message)).sum::<f64>();
        let total = finite(total, "--zero with --grad-accum")?;
        Ok(Zero {
            number,
            phases,
            total,
            over_compute: window.map(|window| total / window.compute),
            model_states: stage.model_state_bytes(message / inputs.dtype_bytes, inputs.fabric.ranks),
        })
    }
}

impl LayerBudget {
    pub(super) fn new(inputs: &Inputs) -> Result<LayerBudget, Trouble> {
        let layer = inputs.layer.ok_or_else(|| Trouble::Operator("--layer-ratio wants --hidden and --seq".to_owned()))?;
        let cost = cost_of(inputs, inputs.collective, &inputs.fabric)?;
        let gradient = layer.parameters() * inputs.dtype_bytes;
        let communication = finite(cost.total(gradient), "--hidden, --bw and --latency")?;
        let compute_micro = finite(layer.compute(inputs.accelerator), "--hidden, --seq and --peak-tflops")?;
        let compute = compute_micro * inputs.micro_batches as f64;
        Ok(LayerBudget {
            layer,
            gradient,
            cost,
            compute_micro,
            compute,
            compute_over_communication: compute / communication,
            backward_over_communication: compute_micro * inputs.backward_fraction / communication,
            tokens: layer.tokens() * inputs.micro_batches as f64,
            break_even_tokens: layer.break_even_tokens(inputs.accelerator, cost.bandwidth(gradient)),
            break_even_with_latency: layer.break_even_tokens(inputs.accelerator, communication),
        })
    }
}
