//! The solver against what has been published: each value as printed in its source, with the slack that its rounding needs.
//!
//! The sources stand at the head of each drill's file.

use crate::shipped;

/// The drill, the ask, the published value in the ask's unit, and the relative slack.
const PUBLISHED: &[(&str, &str, f64, f64)] = &[
    ("zero-memory", "a.baseline", 120.0, 0.01),
    ("zero-memory", "b.stage1", 31.4, 0.01),
    ("zero-memory", "c.stage2", 16.6, 0.01),
    ("zero-memory", "d.stage3", 1.9, 0.02),
    ("zero-memory", "e.plain", 2.0, 0.0),
    ("zero-memory", "e.stage2", 2.0, 0.0),
    ("zero-memory", "e.stage3", 3.0, 0.0),
    ("megatron-time", "a.days", 34.0, 0.02),
    ("megatron-time", "b.days", 84.0, 0.02),
    ("megatron-time", "c.count", 1008e9, 0.001),
    ("megatron-time", "d.aggregate", 502.0, 0.01),
    ("megatron-time", "e.share", 52.0, 0.01),
    ("pipeline-bubble", "a.bubble", 12.7, 0.01),
    ("pipeline-bubble", "b.interleaved", 7.3, 0.01),
    ("pipeline-bubble", "c.bubble", 43.0, 0.01),
    ("pipeline-bubble", "d.bubble", 27.0, 0.02),
    ("pipeline-bubble", "e.interleaved", 19.0, 0.02),
    ("activation-memory", "a.first", 80.0, 0.0),
    ("activation-memory", "a.second", 64.0, 0.0),
    ("activation-memory", "b.first", 70.0, 0.01),
    ("activation-memory", "b.second", 65.0, 0.01),
    // Printed cut off, not rounded.
    ("activation-memory", "c.first", 2.7, 0.03),
    ("activation-memory", "c.second", 1.6, 0.05),
    ("activation-memory", "d.layer", 2.869, 0.001),
    ("chinchilla", "a.compute", 1.92e19, 0.005),
    ("chinchilla", "b.compute", 1.23e22, 0.005),
    ("chinchilla", "c.compute", 3.14e23, 0.005),
    // The table's token count is rounded itself.
    ("chinchilla", "d.compute", 5.76e23, 0.06),
    ("chinchilla", "e.parameters", 70e9, 0.02),
    ("chinchilla", "e.tokens", 1.4e12, 0.02),
    ("roofline", "a.ridge", 240.0, 0.005),
    ("roofline", "b.ridge", 486.0, 0.005),
    ("roofline", "c.batch", 243.0, 0.005),
    ("roofline", "d.batch", 120.0, 0.01),
    ("roofline", "e.batch", 298.0, 0.005),
    ("roofline", "f.dimension", 8755.0, 0.001),
    ("kv-cache", "a.cache", 6.7, 0.005),
    ("kv-cache", "b.cache", 53.6, 0.005),
    ("kv-cache", "c.token", 512.0, 0.0),
    ("kv-cache", "d.context", 8.0, 0.0),
    ("kv-cache", "e.step", 2.5, 0.03),
    ("tpu-collectives", "a.gather", 23.0, 0.02),
    ("tpu-collectives", "b.gather", 46.0, 0.02),
    ("tpu-collectives", "c.batch", 2550.0, 0.001),
    ("tpu-collectives", "d.compute", 6.3e24, 0.001),
    ("tpu-collectives", "d.years", 435.0, 0.005),
    ("tpu-collectives", "e.days", 44.0, 0.01),
    ("tpu-collectives", "f.utilization", 21.7, 0.01),
    ("ring-bucketing", "a.latency", 1.02, 0.001),
    ("ring-bucketing", "a.bandwidth", 398.0, 0.002),
    ("ring-bucketing", "a.total", 399.0, 0.002),
    ("ring-bucketing", "b.small", 291.4, 0.001),
    ("ring-bucketing", "c.large", 39.7, 0.005),
    ("ring-bucketing", "d.messages", 157.5, 0.001),
    ("ring-bucketing", "d.buckets", 23.1, 0.001),
    ("ring-bucketing", "e.crossing", 35.3, 0.005),
    ("ring-bucketing", "f.flat", 20.3, 0.005),
    ("ring-bucketing", "f.levels", 5.2, 0.01),
    ("two-billion", "a.traffic", 16.0, 0.001),
    ("two-billion", "b.inside", 0.053, 0.01),
    ("two-billion", "c.between", 0.64, 0.001),
    ("two-billion", "d.compute", 0.42, 0.01),
    ("two-billion", "e.faster", 0.32, 0.001),
];

#[test]
fn solved_values_are_the_published_ones() {
    let mut wrong = Vec::new();
    for (drill, id, published, slack) in PUBLISHED {
        let drill = shipped::drill(drill);
        let ask = &drill.asks[drill.ask(id).unwrap_or_else(|| panic!("{} has no ask {id}", drill.id))];
        let value = ask.formula.value().to_f64() / ask.unit.as_ref().map_or(1.0, |unit| unit.factor.to_f64());
        if (value - published).abs() > slack * published + 1e-12 * published {
            wrong.push(format!("{} {id}: {value}, published {published}", drill.id));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_ask_of_the_short_drills_has_a_published_value() {
    for drill in shipped::drills().filter(|drill| drill.id != "communication-budget") {
        for ask in drill.asks.iter().filter(|ask| ask.required) {
            assert!(PUBLISHED.iter().any(|(of, id, ..)| *of == drill.id && *id == ask.id), "{} {}", drill.id, ask.id);
        }
    }
}
