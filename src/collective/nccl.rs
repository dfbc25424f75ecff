/// Seconds of latency of one all-reduce as NCCL's own tuner estimates it, for ring and tree, with the constants of its
/// Simple protocol; hops inside a node are told apart from hops over the network.
///
/// Source: NVIDIA/nccl `src/graph/tuning.cc`; extras that depend on the graph search are left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NcclLatency {
    /// `base + (steps − network steps)·3.4 µs + network steps·14 µs`.
    pub ring: f64,
    /// `base + 2·((ranks a node − 1)·4 µs + log2(nodes)·14 µs)`.
    pub tree: f64,
}

/// Microseconds before anything is sent.
const BASE: f64 = 8.4;
/// Microseconds of a ring hop over NVLink.
const RING_INSIDE: f64 = 3.4;
/// Microseconds of a tree hop over NVLink.
const TREE_INSIDE: f64 = 4.0;
/// Microseconds of a hop over the network.
const NETWORK: f64 = 14.0;

impl NcclLatency {
    /// The estimate for so many ranks, so many of them a node.
    pub fn new(ranks: u64, ranks_per_node: u64) -> NcclLatency {
        let per_node = ranks_per_node.clamp(1, ranks.max(1));
        let nodes = ranks.div_ceil(per_node) as f64;
        let (steps, network) = (2.0 * (ranks as f64 - 1.0), 2.0 * (nodes - 1.0));
        NcclLatency {
            ring: (BASE + (steps - network) * RING_INSIDE + network * NETWORK) * 1e-6,
            tree: (BASE + 2.0 * ((per_node as f64 - 1.0) * TREE_INSIDE + nodes.log2() * NETWORK)) * 1e-6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_nodes_of_eight() {
        let latency = NcclLatency::new(32, 8);
        assert!((latency.ring - (8.4 + 56.0 * 3.4 + 6.0 * 14.0) * 1e-6).abs() < 1e-12);
        assert!((latency.tree - (8.4 + 2.0 * (7.0 * 4.0 + 2.0 * 14.0)) * 1e-6).abs() < 1e-12);
    }
}
