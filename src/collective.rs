//! The α–β cost model of collective communication: what one collective costs, what cutting it into buckets does, how
//! much of it a backward pass can hide, and what a training setup moves per step.
//!
//! Every cost is affine in the message size, `latency + bytes · per_byte`, which is what makes a latency term and a
//! bandwidth term two separate things to talk about. `α` is the time of one step between two ranks, `B` the bytes per
//! second that one rank achieves, `P` the number of ranks, `S` the bytes of one rank's message.
//!
//! Knows no command line and no drill. SI units throughout: seconds, bytes, bytes per second.

mod fit;
mod layer;
mod nccl;
mod overlap;
mod zero;

pub use fit::{Fit, FitError, Measurement, fit, measurements};
pub use layer::{Accelerator, Layer};
pub use nccl::NcclLatency;
pub use overlap::{Bucketed, Buckets, Window};
pub use zero::{Phase, ZeroStage};

/// A way to carry out a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Algorithm {
    /// A ring of all ranks; chunks of `S/P` pass from neighbor to neighbor.
    Ring,
    /// A binomial tree that sends the whole message at every level.
    Tree,
    /// Two binary trees, each carrying half of the message, pipelined.
    DoubleBinaryTree,
    /// Recursive halving and doubling (Rabenseifner).
    HalvingDoubling,
    /// Rings inside the nodes, and one ring across the nodes for each rank of a node.
    Hierarchical,
}

/// What the ranks do together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Collective {
    /// Every rank ends with the sum of all messages.
    AllReduce,
    /// Every rank ends with its share of the sum.
    ReduceScatter,
    /// Every rank ends with everybody's share; `S` is the whole.
    AllGather,
    /// Every rank ends with the root's message.
    Broadcast,
    /// Every rank sends a different share of its message to every rank.
    AllToAll,
}

impl Collective {
    /// NCCL's factor from algorithm bandwidth `S/t` to bus bandwidth, the figure that can be held against hardware.
    ///
    /// Source: NVIDIA/nccl-tests, `doc/PERFORMANCE.md`.
    pub fn bus_factor(self, ranks: u64) -> f64 {
        let p = ranks as f64;
        match self {
            Collective::AllReduce => 2.0 * (p - 1.0) / p,
            Collective::ReduceScatter | Collective::AllGather | Collective::AllToAll => (p - 1.0) / p,
            Collective::Broadcast => 1.0,
        }
    }
}

/// A connection between two ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Seconds that one step takes before the first byte arrives.
    pub latency: f64,
    /// Bytes per second that one rank achieves.
    pub bandwidth: f64,
}

/// The ranks and what connects them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fabric {
    /// Ranks that take part, at least two.
    pub ranks: u64,
    /// The connection of a rank: for a flat algorithm its slowest one, for [`Algorithm::Hierarchical`] its own way out of the node.
    pub link: Link,
    /// The nodes, where the algorithm tells them apart.
    pub node: Option<Node>,
}

/// A node: ranks that are better connected to each other than to the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Ranks of one node.
    pub ranks: u64,
    /// The connection of two ranks of a node.
    pub link: Link,
}

/// What a collective costs, as an affine function of the message size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Seconds, whatever the size.
    pub latency: f64,
    /// Seconds a byte.
    pub per_byte: f64,
}

impl Cost {
    /// The bandwidth term for a message of so many bytes, in seconds.
    pub fn bandwidth(self, bytes: f64) -> f64 {
        bytes * self.per_byte
    }

    /// Both terms together, in seconds.
    pub fn total(self, bytes: f64) -> f64 {
        self.latency + self.bandwidth(bytes)
    }

    /// The message size at which the two terms are equal, in bytes; for the ring all-reduce it is `P·α·B`.
    pub fn crossover(self) -> f64 {
        self.latency / self.per_byte
    }

    fn steps(count: f64, link: Link) -> Cost {
        Cost { latency: count * link.latency, per_byte: 0.0 }
    }

    fn passes(self, share: f64, link: Link) -> Cost {
        Cost { latency: self.latency, per_byte: self.per_byte + share / link.bandwidth }
    }

    fn then(self, next: Cost) -> Cost {
        Cost { latency: self.latency + next.latency, per_byte: self.per_byte + next.per_byte }
    }

    /// The cost when only a share of the message takes part.
    fn of_share(self, share: f64) -> Cost {
        Cost { latency: self.latency, per_byte: self.per_byte * share }
    }
}

/// Why a collective has no cost here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCost {
    /// Fewer than two ranks: nothing is communicated.
    TooFewRanks,
    /// The algorithm does not carry out this collective.
    NotOffered,
    /// The hierarchical algorithm needs to know the nodes.
    NodesUnknown,
    /// The ranks do not fill whole nodes.
    PartialNode,
}

/// What one collective costs on a fabric.
///
/// The formulas and their sources are in [`formula`]; with `k` ranks that are a power of two the logarithms are whole,
/// otherwise trees round up and recursive halving pays one exchange more on either side.
///
/// # Errors
/// [`NoCost`] says what is missing.
pub fn cost(collective: Collective, algorithm: Algorithm, fabric: &Fabric) -> Result<Cost, NoCost> {
    if fabric.ranks < 2 {
        return Err(NoCost::TooFewRanks);
    }
    match algorithm {
        Algorithm::Ring => Ok(ring(collective, fabric.ranks, fabric.link)),
        Algorithm::Tree => tree(collective, fabric.ranks, fabric.link),
        Algorithm::DoubleBinaryTree => double_binary_tree(collective, fabric.ranks, fabric.link),
        Algorithm::HalvingDoubling => Ok(halving_doubling(collective, fabric.ranks, fabric.link)),
        Algorithm::Hierarchical => hierarchical(collective, fabric),
    }
}

/// A ring of one rank costs nothing, which is what a hierarchy over a single node needs.
fn ring(collective: Collective, ranks: u64, link: Link) -> Cost {
    let (p, hops) = (ranks as f64, ranks as f64 - 1.0);
    match collective {
        Collective::AllReduce => Cost::steps(2.0 * hops, link).passes(2.0 * hops / p, link),
        Collective::ReduceScatter | Collective::AllGather | Collective::AllToAll => Cost::steps(hops, link).passes(hops / p, link),
        Collective::Broadcast if ranks == 1 => Cost::steps(0.0, link),
        Collective::Broadcast => Cost::steps(hops, link).passes(1.0, link),
    }
}

fn tree(collective: Collective, ranks: u64, link: Link) -> Result<Cost, NoCost> {
    let levels = levels(ranks);
    match collective {
        Collective::AllReduce => Ok(Cost::steps(2.0 * levels, link).passes(2.0 * levels, link)),
        Collective::Broadcast => Ok(Cost::steps(levels, link).passes(levels, link)),
        Collective::ReduceScatter | Collective::AllGather | Collective::AllToAll => Err(NoCost::NotOffered),
    }
}

fn double_binary_tree(collective: Collective, ranks: u64, link: Link) -> Result<Cost, NoCost> {
    let levels = levels(ranks);
    match collective {
        Collective::AllReduce => Ok(Cost::steps(2.0 * levels, link).passes(2.0, link)),
        Collective::Broadcast => Ok(Cost::steps(levels, link).passes(1.0, link)),
        Collective::ReduceScatter | Collective::AllGather | Collective::AllToAll => Err(NoCost::NotOffered),
    }
}

fn halving_doubling(collective: Collective, ranks: u64, link: Link) -> Cost {
    let core = 1u64 << ranks.ilog2();
    let (p, levels) = (core as f64, f64::from(core.ilog2()));
    let half = Cost::steps(levels, link).passes((p - 1.0) / p, link);
    // Ranks beyond the power of two hand their message to a partner first and are handed the result afterwards.
    let outsider = if core == ranks { Cost::steps(0.0, link) } else { Cost::steps(1.0, link).passes(1.0, link) };
    match collective {
        Collective::AllReduce => outsider.then(half).then(half).then(outsider),
        Collective::ReduceScatter | Collective::AllGather => half.then(outsider),
        Collective::Broadcast => half.then(half).then(outsider),
        Collective::AllToAll => {
            let rounds = self::levels(ranks);
            Cost::steps(rounds, link).passes(rounds / 2.0, link)
        }
    }
}

fn hierarchical(collective: Collective, fabric: &Fabric) -> Result<Cost, NoCost> {
    let node = fabric.node.ok_or(NoCost::NodesUnknown)?;
    let ranks = node.ranks.min(fabric.ranks);
    if ranks == 0 || !fabric.ranks.is_multiple_of(ranks) {
        return Err(NoCost::PartialNode);
    }
    let nodes = fabric.ranks / ranks;
    let inside = |collective| ring(collective, ranks, node.link);
    let across = |collective| ring(collective, nodes, fabric.link);
    // Between the nodes a rank handles only the share of the message that it reduced inside its node.
    let share = 1.0 / ranks as f64;
    Ok(match collective {
        Collective::AllReduce => {
            inside(Collective::ReduceScatter).then(across(Collective::AllReduce).of_share(share)).then(inside(Collective::AllGather))
        }
        Collective::ReduceScatter | Collective::AllGather => inside(collective).then(across(collective).of_share(share)),
        Collective::Broadcast | Collective::AllToAll => across(collective).then(inside(collective)),
    })
}

/// Levels of a binary tree over so many ranks: the binary logarithm, rounded up.
fn levels(ranks: u64) -> f64 {
    f64::from(ranks.next_power_of_two().ilog2())
}

/// The formula behind a [`cost`] and where it comes from, for people.
pub fn formula(collective: Collective, algorithm: Algorithm) -> Option<(&'static str, &'static str)> {
    use Algorithm as A;
    use Collective as C;
    const NCCL_TESTS: &str = "NVIDIA/nccl-tests doc/PERFORMANCE.md; Patarasuk & Yuan, J. Parallel Distrib. Comput. 69 (2009) 117-124";
    const THAKUR: &str = "Thakur, Rabenseifner & Gropp, Int. J. High Perform. Comput. Appl. 19 (2005) 49-66";
    const TREES: &str = "Jeaugey, Massively Scale Your Deep Learning Training with NCCL 2.4 (2019); Sanders, Speck & Träff, Parallel Computing 35 (2009) 581-594";
    const LEVELS: &str = "two-level rings: g ranks a node at α_i, B_i inside, k nodes at α, B between (each rank with its own way out of the node); stas00/ml-engineering network/README.md";
    Some(match (algorithm, collective) {
        (A::Ring, C::AllReduce) => ("2(P-1)α + 2(P-1)/P · S/B", NCCL_TESTS),
        (A::Ring, C::ReduceScatter | C::AllGather) => ("(P-1)α + (P-1)/P · S/B", NCCL_TESTS),
        (A::Ring, C::AllToAll) => ("(P-1)α + (P-1)/P · S/B, pairwise exchange", THAKUR),
        (A::Ring, C::Broadcast) => ("(P-1)α + S/B, pipelined in small chunks", NCCL_TESTS),
        (A::Tree, C::AllReduce) => ("2·log2(P)·(α + S/B)", THAKUR),
        (A::Tree, C::Broadcast) => ("log2(P)·(α + S/B)", THAKUR),
        (A::DoubleBinaryTree, C::AllReduce) => ("2·log2(P)·α + 2·S/B, pipelined", TREES),
        (A::DoubleBinaryTree, C::Broadcast) => ("log2(P)·α + S/B, pipelined", TREES),
        (A::Tree | A::DoubleBinaryTree, _) => return None,
        (A::HalvingDoubling, C::AllReduce) => ("2·log2(P)·α + 2(P-1)/P · S/B; P not a power of two: two exchanges of S more", THAKUR),
        (A::HalvingDoubling, C::ReduceScatter | C::AllGather) => {
            ("log2(P)·α + (P-1)/P · S/B; P not a power of two: one exchange of S more", THAKUR)
        }
        (A::HalvingDoubling, C::Broadcast) => ("2·log2(P)·α + 2(P-1)/P · S/B, scatter then all-gather", THAKUR),
        (A::HalvingDoubling, C::AllToAll) => ("log2(P)·(α + S/(2B)), Bruck", THAKUR),
        (A::Hierarchical, C::AllReduce) => ("2(g-1)α_i + 2(g-1)/g · S/B_i + 2(k-1)α + 2(k-1)/k · (S/g)/B", LEVELS),
        (A::Hierarchical, C::ReduceScatter | C::AllGather) => ("(g-1)α_i + (g-1)/g · S/B_i + (k-1)α + (k-1)/k · (S/g)/B", LEVELS),
        (A::Hierarchical, C::Broadcast) => ("(k-1)α + S/B + (g-1)α_i + S/B_i", LEVELS),
        (A::Hierarchical, C::AllToAll) => ("(k-1)α + (k-1)/k · S/B + (g-1)α_i + (g-1)/g · S/B_i", LEVELS),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIRE: Link = Link { latency: 20e-6, bandwidth: 25e9 };
    const S: f64 = 2.6e9;

    fn flat(ranks: u64) -> Fabric {
        Fabric { ranks, link: WIRE, node: Some(Node { ranks: 8, link: Link { latency: 20e-6, bandwidth: 300e9 } }) }
    }

    #[track_caller]
    fn near(got: f64, expected: f64) {
        assert!((got - expected).abs() <= 1e-9 * expected.abs(), "{got} is not {expected}");
    }

    #[test]
    fn a_ring_pays_two_trips_of_hops_and_nearly_two_of_bytes() {
        let cost = cost(Collective::AllReduce, Algorithm::Ring, &flat(32)).expect("32 ranks form a ring");
        near(cost.latency, 62.0 * 20e-6);
        near(cost.bandwidth(S), 62.0 / 32.0 * S / 25e9);
        near(cost.crossover(), 32.0 * 20e-6 * 25e9);
    }

    /// Published: ttsugriy/distributed-training-book, chapters 4 and 12.
    #[test]
    fn costs_agree_with_a_textbook() {
        let book = Fabric { ranks: 256, link: Link { latency: 2e-6, bandwidth: 50e9 }, node: None };
        assert_eq!(format!("{:.0}", cost(Collective::AllReduce, Algorithm::Ring, &book).unwrap().total(10e9) * 1e3), "399");
        let levels = Fabric {
            ranks: 64,
            link: Link { latency: 5e-6, bandwidth: 100e9 },
            node: Some(Node { ranks: 8, link: Link { latency: 1e-6, bandwidth: 600e9 } }),
        };
        assert_eq!(format!("{:.1}", cost(Collective::AllReduce, Algorithm::Ring, &levels).unwrap().total(1e9) * 1e3), "20.3");
        assert_eq!(format!("{:.1}", cost(Collective::AllReduce, Algorithm::Hierarchical, &levels).unwrap().total(1e9) * 1e3), "5.2");
        // Ring and naive tree cross at 35.3 MB for 256 ranks, 5 µs, 200 GB/s.
        let fabric = Fabric { ranks: 256, link: Link { latency: 5e-6, bandwidth: 200e9 }, node: None };
        let (ring, tree) = (
            cost(Collective::AllReduce, Algorithm::Ring, &fabric).unwrap(),
            cost(Collective::AllReduce, Algorithm::Tree, &fabric).unwrap(),
        );
        let crossing = (ring.latency - tree.latency) / (tree.per_byte - ring.per_byte);
        assert_eq!(format!("{:.1}", crossing / 1e6), "35.3");
    }

    #[test]
    fn an_all_reduce_is_a_reduce_scatter_and_an_all_gather() {
        for ranks in [2, 3, 8, 24, 32, 256] {
            for algorithm in [Algorithm::Ring, Algorithm::HalvingDoubling, Algorithm::Hierarchical] {
                let of = |collective| cost(collective, algorithm, &flat(ranks));
                let (Ok(whole), Ok(scatter), Ok(gather)) =
                    (of(Collective::AllReduce), of(Collective::ReduceScatter), of(Collective::AllGather))
                else {
                    continue;
                };
                near(scatter.total(S) + gather.total(S), whole.total(S));
            }
        }
    }

    #[test]
    fn one_node_needs_no_way_out() {
        let cost = cost(Collective::AllReduce, Algorithm::Hierarchical, &flat(8)).expect("one whole node");
        near(cost.total(S), 14.0 * 20e-6 + 1.75 * S / 300e9);
    }

    #[test]
    fn what_has_no_cost_says_why() {
        let of = |collective, algorithm, fabric: Fabric| cost(collective, algorithm, &fabric);
        assert_eq!(of(Collective::AllReduce, Algorithm::Ring, flat(1)), Err(NoCost::TooFewRanks));
        assert_eq!(of(Collective::AllToAll, Algorithm::Tree, flat(8)), Err(NoCost::NotOffered));
        assert_eq!(of(Collective::AllReduce, Algorithm::Hierarchical, flat(12)), Err(NoCost::PartialNode));
        assert_eq!(of(Collective::AllReduce, Algorithm::Hierarchical, Fabric { node: None, ..flat(32) }), Err(NoCost::NodesUnknown));
    }

    #[test]
    fn every_cost_has_its_formula_and_source() {
        for algorithm in
            [Algorithm::Ring, Algorithm::Tree, Algorithm::DoubleBinaryTree, Algorithm::HalvingDoubling, Algorithm::Hierarchical]
        {
            for collective in
                [Collective::AllReduce, Collective::ReduceScatter, Collective::AllGather, Collective::Broadcast, Collective::AllToAll]
            {
                assert_eq!(cost(collective, algorithm, &flat(32)).is_ok(), formula(collective, algorithm).is_some());
            }
        }
    }
}
