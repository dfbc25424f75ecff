use super::{Collective, Cost, Link};

/// One measured collective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measurement {
    /// Bytes of the message, as nccl-tests counts it.
    pub bytes: f64,
    /// Seconds it took.
    pub seconds: f64,
}

/// A straight line `a + b·bytes` through measurements, and what it says of the fabric.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The line.
    pub cost: Cost,
    /// The link that a ring with this cost would have.
    pub link: Link,
    /// For each measurement, `measured / fitted − 1`.
    pub residuals: Vec<f64>,
}

/// Why no line could be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitError {
    /// Fewer than two different message sizes.
    TooFewSizes,
    /// The best line has no positive slope or no positive intercept: the sizes do not reach far enough to show both terms.
    NotBothTerms,
}

/// Reads the rows of nccl-tests output: size in bytes first, and the out-of-place time in microseconds, which is the
/// third field from the end of its group (`time algbw busbw #wrong`). Comments and everything else are passed over.
pub fn measurements(output: &str) -> Vec<Measurement> {
    output.lines().filter_map(measurement).collect()
}

/// `size count type redop root  time algbw busbw #wrong  time algbw busbw #wrong`; broadcast and all-gather leave out
/// `redop` or fill it with `none`, older versions leave out `root`, so that the time is found from the right.
fn measurement(line: &str) -> Option<Measurement> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let bytes: u64 = fields.first()?.parse().ok()?;
    let groups = if fields.len() >= 11 { 2 } else { 1 };
    let time: f64 = fields.get(fields.len().checked_sub(4 * groups)?)?.parse().ok()?;
    (fields.len() >= 7 && bytes > 0 && time.is_finite() && time > 0.0).then_some(Measurement { bytes: bytes as f64, seconds: time * 1e-6 })
}

/// Fits a line by least squares of the *relative* errors: sizes span many powers of two, and an absolute fit would see
/// only the largest ones and leave the latency to chance.
///
/// # Errors
/// [`FitError`] says what the measurements lack.
pub fn fit(measurements: &[Measurement], collective: Collective, ranks: u64) -> Result<Fit, FitError> {
    let first = measurements.first().ok_or(FitError::TooFewSizes)?;
    if measurements.iter().all(|m| m.bytes == first.bytes) {
        return Err(FitError::TooFewSizes);
    }
    // Minimize Σ ((a + b·s)/t − 1)²: the normal equations of a weighted line.
    let (mut w, mut ws, mut wss, mut wt, mut wst) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for &Measurement { bytes: s, seconds: t } in measurements {
        let weight = 1.0 / (t * t);
        w += weight;
        ws += weight * s;
        wss += weight * s * s;
        wt += weight * t;
        wst += weight * s * t;
    }
    let determinant = w * wss - ws * ws;
    let cost = Cost { latency: (wss * wt - ws * wst) / determinant, per_byte: (w * wst - ws * wt) / determinant };
    if !(cost.latency > 0.0 && cost.per_byte > 0.0 && cost.latency.is_finite() && cost.per_byte.is_finite()) {
        return Err(FitError::NotBothTerms);
    }
    let unit = super::ring(collective, ranks, Link { latency: 1.0, bandwidth: 1.0 });
    Ok(Fit {
        cost,
        link: Link { latency: cost.latency / unit.latency, bandwidth: unit.per_byte / cost.per_byte },
        residuals: measurements.iter().map(|m| m.seconds / cost.total(m.bytes) - 1.0).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_with_and_without_in_place_columns() {
        let both = "     1048576        262144     float     sum      -1    133.7    7.84   15.19      0    131.9    7.95   15.40      0";
        let one = "     1048576        262144     float     sum      -1    133.7    7.84   15.19      0";
        let gather = "     1048576          8192     float    none      -1    88.10   11.90   11.53      0    88.00   11.92   11.54      0";
        for (row, microseconds) in [(both, 133.7), (one, 133.7), (gather, 88.1)] {
            let read = measurements(row);
            assert_eq!(read.len(), 1, "{row}");
            assert_eq!(read[0].bytes, 1_048_576.0);
            assert!((read[0].seconds - microseconds * 1e-6).abs() < 1e-15, "{row}: {:?}", read[0]);
        }
    }

    #[test]
    fn comments_and_prose_are_passed_over() {
        assert_eq!(
            measurements(
                "# nThread 1 nGpus 8\n#  Rank  0 Group  0 Pid 4711 on box01 device  0\n# Avg bus bandwidth    : 12.3\n42 is not a row\n"
            ),
            []
        );
    }

    #[test]
    fn a_line_leads_back_to_its_link() {
        let link = Link { latency: 20e-6, bandwidth: 25e9 };
        for collective in [Collective::AllReduce, Collective::AllGather, Collective::Broadcast] {
            let cost = crate::collective::ring(collective, 32, link);
            let rows: Vec<Measurement> =
                (10..33).map(|power| f64::from(power).exp2()).map(|bytes| Measurement { bytes, seconds: cost.total(bytes) }).collect();
            let fit = fit(&rows, collective, 32).expect("a clean line");
            assert!((fit.link.latency / link.latency - 1.0).abs() < 1e-9);
            assert!((fit.link.bandwidth / link.bandwidth - 1.0).abs() < 1e-9);
            assert!(fit.residuals.iter().all(|residual| residual.abs() < 1e-9));
        }
    }

    #[test]
    fn too_little_is_said_to_be_too_little() {
        let row = Measurement { bytes: 1e6, seconds: 1e-3 };
        assert_eq!(fit(&[], Collective::AllReduce, 8), Err(FitError::TooFewSizes));
        assert_eq!(fit(&[row, row], Collective::AllReduce, 8), Err(FitError::TooFewSizes));
        let falling = Measurement { bytes: 2e6, seconds: 0.5e-3 };
        assert_eq!(fit(&[row, falling], Collective::AllReduce, 8), Err(FitError::NotBothTerms));
    }
}
