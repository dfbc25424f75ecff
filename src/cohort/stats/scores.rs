//! The points of a class: their middle, their spread, and how they are distributed.

use std::collections::BTreeMap;

use super::count_as_f64;
use crate::cohort::read::Score;

/// Bars of a distribution at most.
const BINS: usize = 20;

/// Points awarded so far, counted by the thousandth, so that every figure below is exact for any class.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    /// Answers by thousandths of a point: those that are decided, and those of which something waits.
    counts: BTreeMap<i64, [usize; 2]>,
    count: usize,
    /// What a perfect answer earns.
    pub possible: f64,
    /// What waits for a person, over all answers.
    pub pending: f64,
}

/// A bar of a distribution: from `low`, included, to `high`, not included unless it is the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Points.
    pub low: f64,
    /// Points.
    pub high: f64,
    /// Answers that are decided.
    pub decided: usize,
    /// Answers of which something waits, by what they have so far.
    pub waiting: usize,
}

impl Scores {
    /// Takes the points of an answer in.
    pub fn add(&mut self, score: Score, is_waiting: bool) {
        self.counts.entry(thousandths(score.awarded)).or_default()[usize::from(is_waiting)] += 1;
        self.count += 1;
        self.possible = self.possible.max(score.possible);
        self.pending += score.pending;
    }

    /// How many answers.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The arithmetic mean.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.each().map(|(points, count)| points * count_as_f64(count)).sum::<f64>() / count_as_f64(self.count))
    }

    /// The standard deviation of the class (divided by the number of answers).
    pub fn deviation(&self) -> Option<f64> {
        let mean = self.mean()?;
        let squares = self.each().map(|(points, count)| (points - mean).powi(2) * count_as_f64(count)).sum::<f64>();
        Some((squares / count_as_f64(self.count)).sqrt())
    }

    /// The points below which this share of the answers lies, from 0 to 1: between two answers, the straight line.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let last = self.count.checked_sub(1)?;
        let place = share.clamp(0.0, 1.0) * count_as_f64(last);
        // OK because it is a place among the answers.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the number of answers")]
        let below = place.floor() as usize;
        let (low, high) = (self.nth(below)?, self.nth((below + 1).min(last))?);
        Some(low + (high - low) * (place - place.floor()))
    }

    /// The distribution from 0 to what is possible, in equal steps of a round number of points.
    pub fn bins(&self) -> Vec<Bin> {
        let top = self.each().map(|(points, _)| points).fold(self.possible, f64::max);
        let step = step(top);
        // OK because the step is chosen so that there are few.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and the number of bars")]
        let count = ((top / step - 1e-9).ceil().max(1.0) as usize).min(BINS * 2);
        let mut bins: Vec<Bin> =
            (0..count).map(|at| Bin { low: count_as_f64(at) * step, high: count_as_f64(at + 1) * step, decided: 0, waiting: 0 }).collect();
        for (&thousandths, &[decided, waiting]) in &self.counts {
            let points = points(thousandths);
            let at = bins.iter().rposition(|bin| bin.low <= points + 1e-9).unwrap_or(0);
            bins[at].decided += decided;
            bins[at].waiting += waiting;
        }
        bins
    }

    fn each(&self) -> impl Iterator<Item = (f64, usize)> {
        self.counts.iter().map(|(&thousandths, counts)| (points(thousandths), counts[0] + counts[1]))
    }

    /// The points of the answer at a place, counted from 0, from the fewest points on.
    fn nth(&self, at: usize) -> Option<f64> {
        let mut before = 0;
        self.each()
            .find(|(_, count)| {
                before += count;
                before > at
            })
            .map(|(points, _)| points)
    }
}

/// The smallest round step with which the bars are few enough.
fn step(top: f64) -> f64 {
    let rough = (top / count_as_f64(BINS)).max(1e-3);
    let power = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough * (1.0 - 1e-9)).unwrap_or(rough)
}

fn thousandths(points: f64) -> i64 {
    // OK because points are finite and small; what is not becomes the nearest that is.
    #[expect(clippy::cast_possible_truncation, reason = "points are small")]
    let thousandths = (points * 1e3).round() as i64;
    thousandths
}

fn points(thousandths: i64) -> f64 {
    // OK because points are small.
    #[expect(clippy::cast_precision_loss, reason = "points are small")]
    let points = thousandths as f64 / 1e3;
    points
}
