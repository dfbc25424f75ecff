//! The correlation of two measures, gathered one pair at a time.

use super::count_as_f64;

/// Pairs of numbers, of which only the moments are kept (Welford's way, so that large classes lose no figures).
#[derive(Clone, Copy, Debug, Default)]
pub struct Pairs {
    count: usize,
    mean: (f64, f64),
    squares: (f64, f64),
    products: f64,
}

impl Pairs {
    /// Takes a pair in.
    pub fn add(&mut self, x: f64, y: f64) {
        self.count += 1;
        let count = count_as_f64(self.count);
        let (dx, dy) = (x - self.mean.0, y - self.mean.1);
        self.mean = (self.mean.0 + dx / count, self.mean.1 + dy / count);
        let (ex, ey) = (x - self.mean.0, y - self.mean.1);
        self.squares = (self.squares.0 + dx * ex, self.squares.1 + dy * ey);
        self.products += dx * ey;
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Pearson's correlation; nothing where one of the two never changes.
    pub fn correlation(&self) -> Option<f64> {
        // Shares that are equal leave the dust of binary fractions behind.
        let varies = |squares: f64| squares > 1e-12 * count_as_f64(self.count.max(1));
        let spread = (self.squares.0 * self.squares.1).sqrt();
        (varies(self.squares.0) && varies(self.squares.1)).then(|| (self.products / spread).clamp(-1.0, 1.0))
    }
}
