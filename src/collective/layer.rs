/// What one rank computes with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accelerator {
    /// Peak FLOP per second.
    pub peak: f64,
    /// The share of the peak that training reaches (model FLOPs utilization).
    pub utilization: f64,
}

/// One layer of a decoder-only transformer, and the tokens that a rank puts through it at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// Width of the residual stream.
    pub hidden: f64,
    /// Tokens of a sequence.
    pub sequence: f64,
    /// Sequences of a micro-batch.
    pub micro_batch: f64,
}

impl Layer {
    /// Weights of attention and a four-fold MLP: `12 h²`; biases and norms (`13 h`) are left out.
    pub fn parameters(self) -> f64 {
        12.0 * self.hidden * self.hidden
    }

    /// Tokens of a micro-batch.
    pub fn tokens(self) -> f64 {
        self.micro_batch * self.sequence
    }

    /// FLOP of the forward pass over a micro-batch: two a weight and token, and `4 s² h` a sequence for attention scores
    /// and values (the whole square, as Megatron counts it).
    ///
    /// Source: Narayanan et al., arXiv:2104.04473, appendix.
    pub fn forward_flop(self) -> f64 {
        2.0 * self.parameters() * self.tokens() + 4.0 * self.sequence * self.sequence * self.hidden * self.micro_batch
    }

    /// FLOP of forward and backward; the backward pass does twice the work of the forward pass.
    pub fn training_flop(self) -> f64 {
        3.0 * self.forward_flop()
    }

    /// Seconds of forward and backward over a micro-batch.
    pub fn compute(self, accelerator: Accelerator) -> f64 {
        self.training_flop() / (accelerator.peak * accelerator.utilization)
    }

    /// Tokens a step at which compute takes as long as so many seconds of communication, whichever of its terms is meant.
    pub fn break_even_tokens(self, accelerator: Accelerator, communication: f64) -> f64 {
        communication / (self.compute(accelerator) / self.tokens())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attention_adds_a_sixth_at_four_thousand_tokens_and_width() {
        let layer = Layer { hidden: 4096.0, sequence: 4096.0, micro_batch: 1.0 };
        assert_eq!(layer.parameters(), 201_326_592.0);
        let matmuls = 6.0 * layer.parameters() * layer.tokens();
        assert!((layer.training_flop() / matmuls - (1.0 + 1.0 / 6.0)).abs() < 1e-12);
    }

    #[test]
    fn a_micro_batch_multiplies_work_and_tokens_alike() {
        let one = Layer { hidden: 2048.0, sequence: 1024.0, micro_batch: 1.0 };
        let four = Layer { micro_batch: 4.0, ..one };
        assert!((four.training_flop() / one.training_flop() - 4.0).abs() < 1e-12);
        let accelerator = Accelerator { peak: 312e12, utilization: 0.5 };
        assert!((one.break_even_tokens(accelerator, 1e-3) - four.break_even_tokens(accelerator, 1e-3)).abs() < 1e-6);
    }
}
