//! The same as one JSON object: stable keys, SI units, numbers as numbers.

use drillmark::collective::Cost;
use serde_json::{Map, Value, json};

use super::budget::{Budget, LayerBudget};
use super::inputs::Inputs;
use super::text::{algorithm_name, collective_name};

const MIB: f64 = 1_048_576.0;

/// Something counted, bytes among them: without a decimal point as long as it is whole.
fn count(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 { json!(value as i64) } else { json!(value) }
}

fn inputs(inputs: &Inputs) -> Map<String, Value> {
    let mut map = Map::new();
    let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
    put("gpus", json!(inputs.fabric.ranks));
    put("bw_Bps", count(inputs.fabric.link.bandwidth));
    put("latency_s", json!(inputs.fabric.link.latency));
    put("params", inputs.params.map_or(Value::Null, count));
    put("dtype_bytes", count(inputs.dtype_bytes));
    put("step_s", json!(inputs.step));
    put("grad_accum", json!(inputs.micro_batches));
    put("threshold", json!(inputs.threshold));
    put("backward_fraction", json!(inputs.backward_fraction));
    put("algorithm", json!(algorithm_name(inputs.algorithm)));
    put("collective", json!(collective_name(inputs.collective)));
    if let Some(node) = inputs.fabric.node {
        put("gpus_per_node", json!(node.ranks));
        put("intra_bw_Bps", count(node.link.bandwidth));
        put("intra_latency_s", json!(node.link.latency));
    }
    map
}

fn terms(cost: Cost, bytes: f64) -> Value {
    json!({
        "latency_s": cost.latency,
        "bandwidth_s": cost.bandwidth(bytes),
        "total_s": cost.total(bytes),
        "ratio_bw_lat": cost.bandwidth(bytes) / cost.latency,
        "crossover_bytes": count(cost.crossover()),
    })
}

pub(super) fn budget(asked: &Inputs, budget: &Budget) -> Value {
    let Budget { message, cost, .. } = budget;
    let mut report = Map::new();
    let mut put = |key: &str, value: Value| report.insert(key.to_owned(), value);
    put("inputs", inputs(asked).into());
    put("message", json!({"bytes": count(*message), "mib": message / MIB}));
    // The section is named for the exercise's algorithm; `inputs.algorithm` says which one it was.
    put("ring", terms(*cost, *message));
    if asked.busbw {
        let algorithm = message / cost.total(*message);
        let factor = asked.collective.bus_factor(asked.fabric.ranks);
        put("nccl", json!({"algbw_Bps": algorithm, "busbw_Bps": algorithm * factor, "bus_factor": factor}));
    }
    if let Some(step) = &budget.step {
        put(
            "step",
            json!({
                "compute_s": step.window.compute,
                "comm_over_compute": step.over_compute,
                "comm_over_exposed_step": step.over_exposed_step,
                "efficiency_exposed": step.efficiency_exposed,
                "efficiency_ceiling": step.efficiency_hidden,
                "backward_window_s": step.window.backward,
                "comm_over_backward": step.over_backward,
                "label": step.bound.then_some("COMMUNICATION-BOUND"),
                "label_rule": format!("comm_over_compute > {}", asked.threshold),
                "label_assumes": "no overlap",
            }),
        );
    }
    if !budget.buckets.is_empty() {
        let rows: Vec<Value> = budget
            .buckets
            .iter()
            .map(|row| {
                let mut object = json!({
                    "mib": count(row.size / MIB),
                    "count": count(row.cost.count),
                    "last_bytes": count(row.cost.last),
                    "latency_s": row.cost.latency,
                    "bandwidth_s": row.cost.bandwidth,
                    "total_s": row.cost.total,
                    "times_one_shot": row.times_one_shot,
                    "crossover_over_bucket": cost.crossover() / row.size,
                });
                if let Some(overlap) = &row.overlap {
                    object["fits_backward"] = json!(overlap.fits);
                    object["exposed_s"] = json!(overlap.exposed);
                    object["efficiency"] = json!(overlap.efficiency);
                }
                object
            })
            .collect();
        put("buckets", rows.into());
        put("smallest_bucket_bytes", json!(budget.smallest_bucket));
    }
    if let Some(growth) = &budget.growth {
        put(
            "growth",
            json!({
                "since_gpus": growth.ranks, "latency": growth.latency, "bandwidth": growth.bandwidth,
                "total": growth.total, "crossover": growth.crossover, "global_batch": growth.batch,
            }),
        );
    }
    if let Some(zero) = &budget.zero {
        let phases: Vec<Value> = zero
            .phases
            .iter()
            .map(|(phase, cost)| json!({"collective": collective_name(phase.collective), "times": phase.times, "each_s": cost.total(*message)}))
            .collect();
        put(
            "zero",
            json!({
                "stage": zero.number, "phases": phases, "total_s": zero.total,
                "comm_over_compute": zero.over_compute, "model_state_bytes": count(zero.model_states),
            }),
        );
    }
    report.into()
}

pub(super) fn layer(asked: &Inputs, budget: &LayerBudget) -> Value {
    let layer = budget.layer;
    let mut given = inputs(asked);
    for (key, value) in [
        ("hidden", layer.hidden),
        ("seq", layer.sequence),
        ("micro_batch", layer.micro_batch),
        ("peak_flops", asked.accelerator.peak),
        ("mfu", asked.accelerator.utilization),
    ] {
        given.insert(key.to_owned(), count(value));
    }
    json!({
        "inputs": given,
        "layer": {
            "params": count(layer.parameters()),
            "grad_bytes": count(budget.gradient),
            "latency_s": budget.cost.latency,
            "bandwidth_s": budget.cost.bandwidth(budget.gradient),
            "comm_s": budget.cost.total(budget.gradient),
            "flops_train": count(layer.training_flop()),
            "compute_s": budget.compute_micro,
            "compute_step_s": budget.compute,
            "ratio": budget.compute_over_communication,
            "ratio_backward_window": budget.backward_over_communication,
            "tokens": count(budget.tokens),
            "breakeven_tokens": budget.break_even_tokens,
            "breakeven_tokens_with_latency": budget.break_even_with_latency,
        },
    })
}
