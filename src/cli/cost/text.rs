//! The tables that a person reads.

use std::io::{self, Write};

use drillmark::collective::{Algorithm, Collective, Cost, formula};

use super::budget::{Budget, LayerBudget, Step, Zero};
use super::inputs::Inputs;

const MIB: f64 = 1_048_576.0;

/// The name of a collective in running text.
pub(super) fn collective_name(collective: Collective) -> &'static str {
    match collective {
        Collective::AllReduce => "all-reduce",
        Collective::ReduceScatter => "reduce-scatter",
        Collective::AllGather => "all-gather",
        Collective::Broadcast => "broadcast",
        Collective::AllToAll => "all-to-all",
    }
}

/// The name of an algorithm in running text.
pub(super) fn algorithm_name(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Ring => "ring",
        Algorithm::Tree => "tree",
        Algorithm::DoubleBinaryTree => "double binary tree",
        Algorithm::HalvingDoubling => "halving-doubling",
        Algorithm::Hierarchical => "hierarchical",
    }
}

pub(super) fn budget(out: &mut impl Write, inputs: &Inputs, budget: &Budget, explain: bool) -> io::Result<()> {
    let Budget { message, cost, .. } = budget;
    let params = inputs.params.unwrap_or_default();
    writeln!(
        out,
        "message          S = {message} B = {:.3} GB = {:.2} MiB   ({} params x {} B)",
        message / 1e9,
        message / MIB,
        short(params),
        inputs.dtype_bytes
    )?;
    head(out, inputs)?;
    terms(out, inputs, *cost, *message)?;
    writeln!(
        out,
        "crossover        {:<17}= {:.2} MB = {:.2} MiB",
        crossover_formula(inputs),
        cost.crossover() / 1e6,
        cost.crossover() / MIB
    )?;
    if inputs.busbw {
        bus_bandwidth(out, inputs, *message, cost.total(*message))?;
    }
    if let Some(step) = &budget.step {
        self::step(out, inputs, step, cost.total(*message))?;
    }
    if !budget.buckets.is_empty() {
        buckets(out, inputs, budget)?;
    }
    if let Some(growth) = &budget.growth {
        writeln!(out, "growth since P = {}", growth.ranks)?;
        writeln!(
            out,
            "  latency {:.2}x   bandwidth {:.3}x   total {:.3}x   crossover {:.2}x   global batch {:.3}x at the same batch a GPU",
            growth.latency, growth.bandwidth, growth.total, growth.crossover, growth.batch
        )?;
    }
    if let Some(zero) = &budget.zero {
        self::zero(out, inputs, zero, *message)?;
    }
    assumptions(out, inputs, budget)?;
    if explain {
        explanation(out, inputs, budget)?;
    }
    Ok(())
}

fn head(out: &mut impl Write, inputs: &Inputs) -> io::Result<()> {
    let link = inputs.fabric.link;
    let title = format!("{} {}", algorithm_name(inputs.algorithm), collective_name(inputs.collective));
    write!(
        out,
        "{title:<17}P = {}  alpha = {} us  B = {} GB/s",
        inputs.fabric.ranks,
        round(link.latency * 1e6),
        round(link.bandwidth / 1e9)
    )?;
    if let (Algorithm::Hierarchical, Some(node)) = (inputs.algorithm, inputs.fabric.node) {
        write!(
            out,
            "   inside a node: g = {}  alpha = {} us  B = {} GB/s",
            node.ranks,
            round(node.link.latency * 1e6),
            round(node.link.bandwidth / 1e9)
        )?;
    }
    writeln!(out)
}

/// The two terms as the ring's exercise writes them; other algorithms name them only.
fn terms(out: &mut impl Write, inputs: &Inputs, cost: Cost, message: f64) -> io::Result<()> {
    let (latency, bandwidth, total) = (cost.latency, cost.bandwidth(message), cost.total(message));
    let ring = (inputs.algorithm, inputs.collective) == (Algorithm::Ring, Collective::AllReduce);
    let (by_latency, by_bandwidth) = if ring { ("2(P-1)alpha", "2(P-1)/P * S/B") } else { ("", "") };
    let times = |larger: f64, smaller: f64| format!("{}x", ratio(larger / smaller));
    let (beside_latency, beside_bandwidth) = if bandwidth >= latency {
        (String::new(), format!("   {} latency", times(bandwidth, latency)))
    } else {
        (format!("   {} bandwidth", times(latency, bandwidth)), String::new())
    };
    writeln!(out, "  latency        {by_latency:<17}= {:>9.3} ms   ({:>5.2} %){beside_latency}", latency * 1e3, 100.0 * latency / total)?;
    writeln!(
        out,
        "  bandwidth      {by_bandwidth:<17}= {:>9.3} ms   ({:>5.2} %){beside_bandwidth}",
        bandwidth * 1e3,
        100.0 * bandwidth / total
    )?;
    writeln!(out, "  total          {:<17}= {:>9.3} ms", "T", total * 1e3)
}

fn crossover_formula(inputs: &Inputs) -> &'static str {
    match (inputs.algorithm, inputs.collective) {
        (Algorithm::Ring, Collective::AllReduce) => "S* = P*alpha*B",
        _ => "S*",
    }
}

fn bus_bandwidth(out: &mut impl Write, inputs: &Inputs, message: f64, total: f64) -> io::Result<()> {
    let algorithm = message / total;
    let factor = inputs.collective.bus_factor(inputs.fabric.ranks);
    writeln!(
        out,
        "nccl-tests       algbw S/T = {:.2} GB/s   busbw = {:.4} x algbw = {:.2} GB/s",
        algorithm / 1e9,
        factor,
        algorithm * factor / 1e9
    )
}

fn step(out: &mut impl Write, inputs: &Inputs, step: &Step, total: f64) -> io::Result<()> {
    let window = step.window;
    let percent = |share: f64| format!("{:>6.2} %", 100.0 * share);
    write!(out, "step             compute {:.3} ms", window.compute * 1e3)?;
    if inputs.micro_batches > 1 {
        write!(out, "   ({} micro-batches)", inputs.micro_batches)?;
    }
    writeln!(out)?;
    let threshold = round(100.0 * inputs.threshold);
    let label = if step.bound {
        format!("   COMMUNICATION-BOUND (> {threshold} % of compute, assuming no overlap)")
    } else {
        format!("   not above {threshold} % of compute, even with no overlap")
    };
    writeln!(out, "  T / compute                     = {}{label}", percent(step.over_compute))?;
    writeln!(out, "  T / (compute + T)               = {}   (share of the exposed step)", percent(step.over_exposed_step))?;
    writeln!(
        out,
        "  efficiency, fully exposed       = {}   (step {:.2} ms)",
        percent(step.efficiency_exposed),
        (window.compute + total) * 1e3
    )?;
    writeln!(out, "  efficiency, fully hidden        = {}   (needs T <= backward)", percent(step.efficiency_hidden))?;
    let left = window.backward - total;
    let room = if left >= 0.0 { format!("slack {:.2} ms", left * 1e3) } else { format!("{:.2} ms too long", -left * 1e3) };
    let window_name = format!(
        "backward window ({} of compute{})",
        fraction(inputs.backward_fraction),
        if inputs.micro_batches > 1 { ", last micro-batch" } else { "" }
    );
    writeln!(out, "  {window_name:<31} = {:>6.2} ms   T uses {:.1} % of it   {room}", window.backward * 1e3, 100.0 * step.over_backward)
}

fn buckets(out: &mut impl Write, inputs: &Inputs, budget: &Budget) -> io::Result<()> {
    let overlap = budget.step.is_some();
    writeln!(out, "buckets (P = {})", inputs.fabric.ranks)?;
    let busbw = if inputs.busbw { "   busbw GB/s" } else { "" };
    let over = if overlap { "    fits bwd   exposed ms   efficiency" } else { "" };
    writeln!(out, "   MiB     n   lat/b ms   bw/b ms   total ms   vs one shot   S*/b{over}{busbw}")?;
    for row in &budget.buckets {
        write!(
            out,
            "{:>6} {:>5} {:>10.3} {:>9.4} {:>10.2} {:>12.3}x {:>7.3}",
            round(row.size / MIB),
            row.cost.count,
            row.cost.latency * 1e3,
            row.cost.bandwidth * 1e3,
            row.cost.total * 1e3,
            row.times_one_shot,
            budget.cost.crossover() / row.size
        )?;
        if let Some(overlap) = &row.overlap {
            let fits = if overlap.fits { "yes" } else { "no" };
            write!(out, " {fits:>10} {:>12.2} {:>12}", overlap.exposed * 1e3, format!("{:.2} %", 100.0 * overlap.efficiency))?;
        }
        if inputs.busbw {
            let algorithm = row.size / (row.cost.latency + row.cost.bandwidth);
            write!(out, " {:>12.2}", algorithm * inputs.collective.bus_factor(inputs.fabric.ranks) / 1e9)?;
        }
        writeln!(out)?;
    }
    match (overlap, budget.smallest_bucket) {
        (true, Some(size)) => writeln!(
            out,
            "  smallest bucket whose total fits backward: {:.1} MB ({:.1} MiB, {:.2} S*)",
            size / 1e6,
            size / MIB,
            size / budget.cost.crossover()
        ),
        (true, None) => writeln!(out, "  no bucket size makes the total fit backward"),
        (false, _) => Ok(()),
    }
}

fn zero(out: &mut impl Write, inputs: &Inputs, zero: &Zero, message: f64) -> io::Result<()> {
    writeln!(
        out,
        "ZeRO stage {}     {} micro-batch{} a step",
        zero.number,
        inputs.micro_batches,
        if inputs.micro_batches == 1 { "" } else { "es" }
    )?;
    for (phase, cost) in &zero.phases {
        writeln!(
            out,
            "  {:<15}{:>3} x {:>9.3} ms = {:>9.3} ms   ({})",
            collective_name(phase.collective),
            phase.times,
            cost.total(message) * 1e3,
            phase.times as f64 * cost.total(message) * 1e3,
            phase.purpose
        )?;
    }
    write!(out, "  together                         {:>9.3} ms", zero.total * 1e3)?;
    if let Some(share) = zero.over_compute {
        write!(out, "   {:.2} % of compute", 100.0 * share)?;
    }
    writeln!(out)?;
    writeln!(
        out,
        "  model states   {:.3} GB a GPU (mixed-precision Adam: 2 B weights, 2 B gradients, 12 B optimizer a parameter)",
        zero.model_states / 1e9
    )
}

fn assumptions(out: &mut impl Write, inputs: &Inputs, budget: &Budget) -> io::Result<()> {
    writeln!(out, "assumes")?;
    writeln!(out, "  gradients of {} B an element (--dtype-bytes)", inputs.dtype_bytes)?;
    if budget.step.is_some() {
        writeln!(
            out,
            "  gradients appear evenly over the backward pass, {} of compute (--backward-fraction); label above {} % (--threshold)",
            fraction(inputs.backward_fraction),
            round(100.0 * inputs.threshold)
        )?;
        if inputs.micro_batches > 1 {
            writeln!(
                out,
                "  micro-batches add up locally and are reduced once; only the last backward pass can hide anything (--grad-accum)"
            )?;
        }
    }
    if !budget.buckets.is_empty() {
        writeln!(
            out,
            "  buckets are sent one after the other, as soon as full; sending does not slow the compute; tensors can be split anywhere"
        )?;
    }
    if inputs.algorithm == Algorithm::Hierarchical {
        writeln!(
            out,
            "  every GPU has its own way out of the node at --bw; where it is a bus bandwidth measured over all GPUs, the hierarchy is in it already"
        )?;
    }
    Ok(())
}

fn explanation(out: &mut impl Write, inputs: &Inputs, budget: &Budget) -> io::Result<()> {
    writeln!(out, "formulas")?;
    let mut asked = vec![inputs.collective];
    asked.extend(
        budget.zero.iter().flat_map(|zero| zero.phases.iter().map(|(phase, _)| phase.collective)).filter(|&c| c != inputs.collective),
    );
    for collective in asked {
        if let Some((formula, source)) = formula(collective, inputs.algorithm) {
            writeln!(out, "  {} {}: T = {formula}\n    [{source}]", algorithm_name(inputs.algorithm), collective_name(collective))?;
        }
    }
    let mut say = |formula: &str, source: &str| writeln!(out, "  {formula}\n    [{source}]");
    say("crossover S*: the message whose two terms are equal; for the ring all-reduce P·α·B", "from the formula above")?;
    if inputs.busbw {
        say(
            "algbw = S/T; busbw = algbw · 2(P-1)/P (all-reduce), · (P-1)/P (reduce-scatter, all-gather, all-to-all), · 1 (broadcast)",
            "NVIDIA/nccl-tests doc/PERFORMANCE.md",
        )?;
    }
    if budget.step.is_some() {
        say(
            "efficiency = compute / (compute + exposed communication); exposed = T without overlap, 0 with perfect overlap",
            "Austin et al., How To Scale Your Model, part 5",
        )?;
        say(
            "backward window = share · compute: of three matrix products a weight takes part in, two belong to backward",
            "Austin et al., How To Scale Your Model, part 4",
        )?;
        say(
            "COMMUNICATION-BOUND when T / compute is above the threshold: a heuristic that knows nothing of overlap",
            "the rule of the exercise",
        )?;
    }
    if !budget.buckets.is_empty() {
        say(
            "n = ⌈S/b⌉ buckets; total = n·latency + bandwidth(S); smallest that fits: latency·S / (window − bandwidth(S))",
            "PyTorch torch/nn/parallel/distributed.py for what a bucket is",
        )?;
        say(
            "exposed = end of the last bucket − end of backward; bucket i is full at i·b/S of the window",
            "simulation as stated under `assumes`",
        )?;
    }
    if budget.zero.is_some() {
        say(
            "stage 1, 2: reduce-scatter + all-gather = one all-reduce; stage 3: one more all-gather; stages 2 and 3 reduce every micro-batch",
            "Rajbhandari et al., arXiv:1910.02054, section 7; deepspeedai/DeepSpeed runtime/engine.py",
        )?;
    }
    Ok(())
}

pub(super) fn layer(out: &mut impl Write, inputs: &Inputs, budget: &LayerBudget, explain: bool) -> io::Result<()> {
    let layer = budget.layer;
    let communication = budget.cost.total(budget.gradient);
    let accelerator = inputs.accelerator;
    writeln!(
        out,
        "layer            h = {}  s = {}  micro-batch {}  grad-accum {}",
        layer.hidden, layer.sequence, layer.micro_batch, inputs.micro_batches
    )?;
    writeln!(
        out,
        "  parameters     12 h^2           = {}    gradient {} B ({:.2} MiB)",
        layer.parameters(),
        budget.gradient,
        budget.gradient / MIB
    )?;
    writeln!(
        out,
        "  comm / step    {:<17}= {:>8.3} ms",
        format!("{:.3} + {:.3}", budget.cost.latency * 1e3, budget.cost.bandwidth(budget.gradient) * 1e3),
        communication * 1e3
    )?;
    writeln!(
        out,
        "  compute        {:.4} TFLOP x {} at {:.1} TFLOP/s ({} peak x {:.2} MFU) = {:>8.3} ms",
        layer.training_flop() / 1e12,
        inputs.micro_batches,
        accelerator.peak * accelerator.utilization / 1e12,
        round(accelerator.peak / 1e12),
        accelerator.utilization,
        budget.compute * 1e3
    )?;
    writeln!(
        out,
        "  compute / comm                  = {:>8.3}      tokens per step {}   break-even {:.0} ({:.0} with the latency)",
        budget.compute_over_communication, budget.tokens, budget.break_even_tokens, budget.break_even_with_latency
    )?;
    let hideable = if budget.backward_over_communication >= 1.0 { "hideable behind backward" } else { "not hideable behind backward" };
    writeln!(out, "  last backward / comm            = {:>8.3}      {hideable}", budget.backward_over_communication)?;
    let reading = match budget.compute_over_communication {
        ratio if ratio < 1.0 => "not even the whole step is long enough to hide the communication",
        _ if budget.backward_over_communication < 1.0 => {
            "the step is longer than the communication, its last backward pass is not: forward would have to hide some, and in plain DDP it cannot"
        }
        _ => "the last backward pass is long enough to hide the communication",
    };
    writeln!(out, "  {reading}")?;
    writeln!(out, "assumes")?;
    writeln!(
        out,
        "  {} TFLOP/s peak (--peak-tflops) at {:.2} (--mfu); gradients of {} B an element (--dtype-bytes)",
        round(accelerator.peak / 1e12),
        accelerator.utilization,
        inputs.dtype_bytes
    )?;
    writeln!(
        out,
        "  backward is {} of the compute (--backward-fraction); attention counted whole, biases and norms left out; reduced once a step",
        fraction(inputs.backward_fraction)
    )?;
    if explain {
        writeln!(out, "formulas")?;
        if let Some((formula, source)) = formula(inputs.collective, inputs.algorithm) {
            writeln!(out, "  T = {formula}\n    [{source}]")?;
        }
        writeln!(out, "  FLOP = 3·(2·12h²·tokens + 4·s²·h·sequences)\n    [Narayanan et al., arXiv:2104.04473, appendix]")?;
        writeln!(
            out,
            "  without latency and attention: compute / comm = (3/2)·tokens·(B/FLOPS)·P/(P-1) for 2-byte gradients, whatever the width\n    [Austin et al., How To Scale Your Model, part 5]"
        )?;
        writeln!(
            out,
            "  break-even tokens = tokens · bandwidth term / compute; with the latency, tokens · T / compute\n    [from the formulas above]"
        )?;
    }
    Ok(())
}

/// A count as people write it: `1.3e9`.
fn short(value: f64) -> String {
    let written = format!("{value:e}");
    if value < 1e4 { value.to_string() } else { written }
}

/// A number without the noise of binary fractions.
pub(super) fn round(value: f64) -> f64 {
    format!("{value:.6e}").parse().expect("a float reads back what it printed")
}

/// Enough figures for a ratio: `162.5`, `20.3`, `1.03`.
fn ratio(value: f64) -> String {
    if value < 10.0 { format!("{value:.2}") } else { format!("{value:.1}") }
}

/// A share as people write it: `2/3`, `3/4`, `0.62`.
fn fraction(share: f64) -> String {
    (1..=8_u32)
        .find_map(|below| {
            let above = share * f64::from(below);
            ((above - above.round()).abs() < 1e-9 && above < f64::from(below)).then(|| format!("{}/{below}", above.round()))
        })
        .unwrap_or_else(|| round(share).to_string())
}
