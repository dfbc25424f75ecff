//! Ratios of whole numbers, reduced as fast as their size allows: what people write is small, and a text holds many.

use num_rational::Ratio;

/// A ratio in lowest terms with a positive denominator. `None` for a denominator of zero, or where a sign change would not fit.
pub(super) fn reduced(numer: i128, denom: i128) -> Option<Ratio<i128>> {
    if denom == 0 || numer == i128::MIN || denom == i128::MIN {
        return None;
    }
    let divisor = gcd(numer.unsigned_abs(), denom.unsigned_abs());
    let (numer, denom) = if denom < 0 { (-numer, -denom) } else { (numer, denom) };
    // Divisions of this width are slow, and most often there is nothing to divide by, or little.
    if divisor == 1 {
        return Some(Ratio::new_raw(numer, denom));
    }
    if let (Ok(numer), Ok(denom), Ok(divisor)) = (i64::try_from(numer), i64::try_from(denom), i64::try_from(divisor)) {
        return Some(Ratio::new_raw(i128::from(numer / divisor), i128::from(denom / divisor)));
    }
    let divisor = i128::try_from(divisor).ok()?;
    Some(Ratio::new_raw(numer / divisor, denom / divisor))
}

/// A whole number over a power of ten, in lowest terms; `places` says which power. Only twos and fives can be common.
pub(super) fn decimal(mantissa: i128, power: i128, places: u32) -> Option<Ratio<i128>> {
    let (Ok(mut numer), Ok(mut denom)) = (i64::try_from(mantissa), i64::try_from(power)) else { return reduced(mantissa, power) };
    if numer == 0 {
        return Some(Ratio::new_raw(0, 1));
    }
    let twos = numer.trailing_zeros().min(places);
    numer >>= twos;
    denom >>= twos;
    for _ in 0..places {
        if numer % 5 != 0 {
            break;
        }
        numer /= 5;
        denom /= 5;
    }
    Some(Ratio::new_raw(i128::from(numer), i128::from(denom)))
}

/// A ratio whose integers are small.
fn small(ratio: &Ratio<i128>) -> Option<(i64, i64)> {
    Some((i64::try_from(*ratio.numer()).ok()?, i64::try_from(*ratio.denom()).ok()?))
}

/// The sum of two small ratios, which always fits.
fn small_plus((a, b): (i64, i64), (c, d): (i64, i64)) -> Ratio<i128> {
    let shared = if b == d { b } else { small_gcd(b.unsigned_abs(), d.unsigned_abs()) as i64 };
    // What both denominators share is all that the sum may be divided by.
    let (left, right) = if shared == 1 { (d, b) } else { (d / shared, b / shared) };
    let numer = i128::from(a) * i128::from(left) + i128::from(c) * i128::from(right);
    let denom = i128::from(b) * i128::from(left);
    if numer == 0 {
        return Ratio::new_raw(0, 1);
    }
    let divisor = match shared {
        1 => 1,
        _ => small_gcd((numer.unsigned_abs() % u128::from(shared.unsigned_abs())) as u64, shared.unsigned_abs()),
    };
    if divisor == 1 {
        return Ratio::new_raw(numer, denom);
    }
    let divisor = i128::from(divisor);
    match (i64::try_from(numer), i64::try_from(denom)) {
        (Ok(numer), Ok(denom)) => Ratio::new_raw(i128::from(numer / divisor as i64), i128::from(denom / divisor as i64)),
        _ => Ratio::new_raw(numer / divisor, denom / divisor),
    }
}

/// The product of two small ratios, which always fits.
pub(super) fn small_times((a, b): (i64, i64), (c, d): (i64, i64)) -> Ratio<i128> {
    // Across, as for large ones: what is in lowest terms on both sides is so in the product then.
    let one = |above: i64, below: i64| match (above, below) {
        (_, 1) | (-1 | 1, _) => (above, below),
        _ => {
            let divisor = small_gcd(above.unsigned_abs(), below.unsigned_abs());
            match i64::try_from(divisor) {
                Ok(0 | 1) | Err(_) => (above, below),
                Ok(divisor) => (above / divisor, below / divisor),
            }
        }
    };
    let (a, d) = one(a, d);
    let (c, b) = one(c, b);
    Ratio::new_raw(i128::from(a) * i128::from(c), i128::from(b) * i128::from(d))
}

/// The product, where it fits.
pub(super) fn times(a: &Ratio<i128>, b: &Ratio<i128>) -> Option<Ratio<i128>> {
    match ((*a.numer(), *a.denom()), (*b.numer(), *b.denom())) {
        ((1, 1), _) => return Some(*b),
        (_, (1, 1)) => return Some(*a),
        ((a, 1), (b, 1)) => return a.checked_mul(b).map(Ratio::from_integer),
        _ => {}
    }
    // Across first, so that nothing grows that need not.
    let left = reduced(*a.numer(), *b.denom())?;
    let right = reduced(*b.numer(), *a.denom())?;
    let numer = left.numer().checked_mul(*right.numer())?;
    let denom = left.denom().checked_mul(*right.denom())?;
    Some(Ratio::new_raw(numer, denom))
}

/// The sum, where it fits.
pub(super) fn plus(a: &Ratio<i128>, b: &Ratio<i128>) -> Option<Ratio<i128>> {
    match ((*a.numer(), *a.denom()), (*b.numer(), *b.denom())) {
        ((0, _), _) => return Some(*b),
        (_, (0, _)) => return Some(*a),
        ((a, 1), (b, 1)) => return a.checked_add(b).map(Ratio::from_integer),
        _ => {}
    }
    if let (Some(a), Some(b)) = (small(a), small(b)) {
        return Some(small_plus(a, b));
    }
    let divisor = i128::try_from(gcd(a.denom().unsigned_abs(), b.denom().unsigned_abs())).ok()?;
    let (left, right) = if divisor == 1 { (*b.denom(), *a.denom()) } else { (b.denom() / divisor, a.denom() / divisor) };
    let numer = a.numer().checked_mul(left)?.checked_add(b.numer().checked_mul(right)?)?;
    reduced(numer, a.denom().checked_mul(left)?)
}

/// The quotient, where it fits and there is one.
pub(super) fn over(a: &Ratio<i128>, b: &Ratio<i128>) -> Option<Ratio<i128>> {
    if *b.numer() == 0 {
        return None;
    }
    let flip = b.numer().signum();
    times(a, &Ratio::new_raw(b.denom().checked_mul(flip)?, b.numer().checked_mul(flip)?))
}

/// The greatest common divisor; 1 for two zeros.
fn gcd(a: u128, b: u128) -> u128 {
    if a == 0 || b == 0 {
        return a.max(b).max(1);
    }
    if a == 1 || b == 1 {
        return 1;
    }
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => u128::from(small_gcd(a, b)),
        // One division brings a large one down to the size of the other.
        (Err(_), Ok(b)) => gcd(u128::from(b), a % u128::from(b)),
        (Ok(a), Err(_)) => gcd(u128::from(a), b % u128::from(a)),
        (Err(_), Err(_)) => {
            if a > b {
                gcd(b, a % b)
            } else {
                gcd(a, b % a)
            }
        }
    }
}

/// Binary, by shifts and differences.
fn small_gcd(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
    }
    a << twos
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_reduced_whatever_their_size() {
        let large = 10_i128.pow(30);
        for (numer, denom) in [
            (6, 4),
            (-6, 4),
            (6, -4),
            (0, 5),
            (0, -5),
            (1, 1),
            (large, 7 * large),
            (large + 1, large),
            (3 * large, 1 << 60),
            (i128::MAX, i128::MAX - 1),
        ] {
            assert_eq!(reduced(numer, denom), Some(Ratio::new(numer, denom)), "{numer}/{denom}");
        }
        assert_eq!(reduced(1, 0), None);
        let ratio = |numer, denom| Ratio::new(numer, denom);
        assert_eq!(times(&ratio(-2, 3), &ratio(9, 4)), Some(ratio(-3, 2)));
        assert_eq!(over(&ratio(2, 3), &ratio(-4, 9)), Some(ratio(-3, 2)));
        assert_eq!(over(&ratio(2, 3), &ratio(0, 1)), None);
        assert_eq!(times(&ratio(large, 1), &ratio(large, 1)), None);
        assert_eq!(plus(&ratio(1, 6), &ratio(-1, 4)), Some(ratio(-1, 12)));
        assert_eq!(plus(&ratio(1, 6), &ratio(5, 6)), Some(ratio(1, 1)));
        assert_eq!(plus(&ratio(1, large), &ratio(1, large - 1)), None);
        assert_eq!(plus(&ratio(i128::MAX, 1), &ratio(1, 1)), None);
    }
}
