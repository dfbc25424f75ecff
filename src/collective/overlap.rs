use super::Cost;

/// The stretch of a step under which gradient traffic can hide: from the first gradient to the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Seconds of compute in the whole step.
    pub compute: f64,
    /// Seconds of the backward pass in which gradients appear, at an even rate.
    pub backward: f64,
}

/// A message cut into buckets of one size; the last one is what is left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Buckets {
    /// Bytes of the message.
    pub message: f64,
    /// Bytes of a full bucket, at most the message.
    pub size: f64,
}

/// What a bucketed collective costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bucketed {
    /// How many buckets, the last one included.
    pub count: f64,
    /// Bytes of the last bucket.
    pub last: f64,
    /// Seconds of latency that each bucket pays.
    pub latency: f64,
    /// Seconds of the bandwidth term of a full bucket.
    pub bandwidth: f64,
    /// Seconds of all buckets one after the other.
    pub total: f64,
}

impl Buckets {
    /// Every bucket pays the latency term; the bandwidth term of the message is only shared out.
    pub fn cost(self, cost: Cost) -> Bucketed {
        let count = (self.message / self.size).ceil().max(1.0);
        Bucketed {
            count,
            last: self.message - (count - 1.0) * self.size,
            latency: cost.latency,
            bandwidth: cost.bandwidth(self.size),
            total: count * cost.latency + cost.bandwidth(self.message),
        }
    }

    /// Seconds by which the traffic outlasts the backward pass.
    ///
    /// Buckets fill at an even rate over the backward pass, are sent one after the other as soon as they are full, and
    /// compute is not slowed by them. All buckets but the last are alike, so either each is sent before the next is
    /// full, or they queue from the first one on; no bucket has to be simulated by itself.
    pub fn exposed(self, cost: Cost, window: Window) -> f64 {
        let Bucketed { count, last, .. } = self.cost(cost);
        let fill = window.backward * self.size / self.message;
        let send = cost.total(self.size);
        let full = count - 1.0;
        let sent = if full == 0.0 {
            0.0
        } else if send <= fill {
            full * fill + send
        } else {
            fill + full * send
        };
        sent.max(window.backward) + cost.total(last) - window.backward
    }
}

impl Window {
    /// The share of the step that is compute when so many seconds of traffic stick out of it.
    pub fn efficiency(self, exposed: f64) -> f64 {
        self.compute / (self.compute + exposed)
    }

    /// The smallest bucket whose traffic, all buckets together, is no longer than the backward pass: `L·S/(W−V)`.
    /// `None` when not even a single bucket is that short.
    pub fn smallest_bucket(self, cost: Cost, message: f64) -> Option<f64> {
        let room = self.backward - cost.bandwidth(message);
        (room >= cost.latency).then(|| cost.latency * message / room)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RING: Cost = Cost { latency: 0.00124, per_byte: 62.0 / 32.0 / 25e9 };
    const STEP: Window = Window { compute: 0.4, backward: 0.4 * 2.0 / 3.0 };
    const S: f64 = 2.6e9;

    /// Sends each bucket by itself; the closed form has to agree.
    fn simulated(buckets: Buckets, cost: Cost, window: Window) -> f64 {
        let Bucketed { count, last, .. } = buckets.cost(cost);
        let mut free = 0.0_f64;
        for bucket in 1..=count as u64 {
            let size = if bucket == count as u64 { last } else { buckets.size };
            let full =
                if bucket == count as u64 { window.backward } else { bucket as f64 * buckets.size / buckets.message * window.backward };
            free = free.max(full) + cost.total(size);
        }
        free - window.backward
    }

    #[test]
    fn the_closed_form_is_the_simulation() {
        for size in [1e6, 1_048_576.0, 8e6, 25e6, 26_214_400.0, 49.4e6, 64e6, 104_857_600.0, 1.3e9, 2.5e9, S] {
            for backward in [0.01, 0.2, STEP.backward, 3.0] {
                let (buckets, window) = (Buckets { message: S, size }, Window { backward, ..STEP });
                let (closed, simulated) = (buckets.exposed(RING, window), simulated(buckets, RING, window));
                assert!((closed - simulated).abs() < 1e-9, "{size}: {closed} is not {simulated}");
            }
        }
    }

    #[test]
    fn a_single_bucket_hides_nothing() {
        let exposed = Buckets { message: S, size: S }.exposed(RING, STEP);
        assert!((exposed - RING.total(S)).abs() < 1e-12);
    }

    #[test]
    fn the_smallest_bucket_just_fits() {
        let size = STEP.smallest_bucket(RING, S).expect("202 ms fit under 267 ms");
        assert!((S / size * RING.latency + RING.bandwidth(S) - STEP.backward).abs() < 1e-12);
        assert_eq!(Window { backward: 0.2, ..STEP }.smallest_bucket(RING, S), None);
        assert_eq!(Window { backward: 0.2016, ..STEP }.smallest_bucket(RING, S), None, "not even one bucket fits");
    }
}
