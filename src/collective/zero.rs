use super::Collective;

/// How much of the model states is sharded among the ranks (ZeRO).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ZeroStage {
    /// Nothing: plain data parallelism.
    Zero,
    /// Optimizer states.
    One,
    /// Optimizer states and gradients.
    Two,
    /// Optimizer states, gradients and parameters.
    Three,
}

/// One of the collectives of an optimizer step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// What is done; each time over the bytes of all gradients (or parameters).
    pub collective: Collective,
    /// How often in a step.
    pub times: u64,
    /// What it serves.
    pub purpose: &'static str,
}

impl ZeroStage {
    /// The stage of that number.
    pub fn new(number: u8) -> Option<ZeroStage> {
        [ZeroStage::Zero, ZeroStage::One, ZeroStage::Two, ZeroStage::Three].get(usize::from(number)).copied()
    }

    /// What an optimizer step of so many micro-batches communicates.
    ///
    /// Without sharded gradients the micro-batches add up locally and are reduced once. From stage two on a rank keeps
    /// only its share of the gradient, so every micro-batch is reduced; stage three also gathers the parameters for every
    /// forward and every backward pass.
    ///
    /// Source: Rajbhandari et al., arXiv:1910.02054, section 7; deepspeedai/DeepSpeed `runtime/engine.py`.
    pub fn phases(self, micro_batches: u64) -> Vec<Phase> {
        let reduce = |times| Phase { collective: Collective::ReduceScatter, times, purpose: "gradients, each rank its share" };
        match self {
            ZeroStage::Zero => {
                vec![Phase { collective: Collective::AllReduce, times: 1, purpose: "gradients, once after the last micro-batch" }]
            }
            ZeroStage::One => vec![reduce(1), Phase { collective: Collective::AllGather, times: 1, purpose: "updated parameters" }],
            ZeroStage::Two => {
                vec![reduce(micro_batches), Phase { collective: Collective::AllGather, times: 1, purpose: "updated parameters" }]
            }
            ZeroStage::Three => vec![
                Phase { collective: Collective::AllGather, times: 2 * micro_batches, purpose: "parameters, for forward and for backward" },
                reduce(micro_batches),
            ],
        }
    }

    /// Bytes of model states on one rank in mixed-precision Adam training: 2 for the weight, 2 for the gradient and 12 for
    /// the optimizer (master weight and two moments) a parameter.
    ///
    /// Source: Rajbhandari et al., arXiv:1910.02054, section 3.1 and figure 1.
    pub fn model_state_bytes(self, parameters: f64, ranks: u64) -> f64 {
        let shard = parameters / ranks as f64;
        match self {
            ZeroStage::Zero => 16.0 * parameters,
            ZeroStage::One => 4.0 * parameters + 12.0 * shard,
            ZeroStage::Two => 2.0 * parameters + 14.0 * shard,
            ZeroStage::Three => 16.0 * shard,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figure 1 of the ZeRO paper: 7.5 billion parameters on 64 ranks.
    #[test]
    fn model_states_are_those_of_the_paper() {
        let gigabytes = |stage: ZeroStage| format!("{:.1}", stage.model_state_bytes(7.5e9, 64) / 1e9);
        assert_eq!(gigabytes(ZeroStage::Zero), "120.0");
        assert_eq!(gigabytes(ZeroStage::One), "31.4");
        assert_eq!(gigabytes(ZeroStage::Two), "16.6");
        assert_eq!(gigabytes(ZeroStage::Three), "1.9");
    }

    #[test]
    fn stage_two_reduces_every_micro_batch_and_gathers_once() {
        let halves = |stage: ZeroStage, micro_batches| stage.phases(micro_batches).iter().map(|phase| phase.times).sum::<u64>();
        assert_eq!(halves(ZeroStage::Two, 1), 2);
        assert_eq!(halves(ZeroStage::Two, 4), 5);
        assert_eq!(halves(ZeroStage::Three, 1), 3);
        assert_eq!(ZeroStage::new(4), None);
    }
}
