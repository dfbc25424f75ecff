//! Rules on figures: how many are shown, and to how many the value is right. Form and value are looked at apart.

use drillmark::quantity::{Interval, Number, Written};

use super::rule::{Judged, Kind, Measured, Rule, TooFew, TrailingZeros};

/// Applies a `sigfig` or `decplaces` rule.
pub(super) fn judge(rule: &Rule, student: &Measured, teacher: Option<&Measured>, half_width: Option<Number>) -> Result<Judged, String> {
    let Some(written) = &student.written else { return Ok(Judged::incorrect("not_decimal")) };
    let shown = Shown::of(rule, written);
    if rule.form_only == Some(true) {
        return form_only(rule, shown);
    }
    let teacher = teacher.ok_or("the teacher's text is empty")?;
    let places = |count: u32| Places { kind: rule.kind, count };
    let digits = rule.digits.ok_or("a rule on figures needs `digits`")?;
    let (value, reference) = (student.value, teacher.value);

    if let Some(half_width) = half_width {
        let place = places(digits).place_of(reference);
        let inside = Interval::around(reference, place * half_width).contains(value);
        return Ok(if inside { Judged::CORRECT } else { Judged::incorrect(None) });
    }
    if rule.min_digits_only == Some(true) {
        return Ok(at_own_precision(rule, shown, digits, value, reference));
    }
    if rule.require_trailing_zeros.is_some() || rule.wrong_precision_credit.is_some() {
        return Ok(finer_of_both(rule, shown, digits, value, reference));
    }

    let accuracy = places(rule.accuracy.unwrap_or(digits));
    let right = accuracy.same(value, reference);
    let enough = digits <= shown.most;
    let exact = enough && (digits >= shown.least || rule.allow_extra == Some(true));
    if let Some(penalty) = rule.form_penalty {
        // Too many figures are forgiven at a price, where the extra ones are right as well.
        let extra_right = places(shown.least).same(value, reference);
        return Ok(match (exact, enough) {
            (true, _) if right => Judged::CORRECT,
            (false, true) if extra_right => Judged::partial(1.0 - penalty, "too_many_sigfigs"),
            (_, false) if rule.too_few != Some(TooFew::Incorrect) && places(shown.most).same(value, reference) => {
                Judged::partial(1.0 - penalty, "too_few_sigfigs")
            }
            _ => Judged::incorrect(slip(accuracy, value, reference)),
        });
    }
    Ok(match (right, exact) {
        (true, true) => Judged::CORRECT,
        (true, false) => Judged::incorrect(if enough { "too_many_sigfigs" } else { "too_few_sigfigs" }),
        (false, _) => Judged::incorrect(slip(accuracy, value, reference)),
    })
}

/// How many figures or places a number shows, at least and at most.
#[derive(Clone, Copy)]
struct Shown {
    least: u32,
    most: u32,
}

impl Shown {
    fn of(rule: &Rule, written: &Written) -> Shown {
        if rule.kind == Kind::Decplaces {
            return Shown { least: written.decimals, most: written.decimals };
        }
        let figures = written.figures;
        let most = if rule.trailing_zeros == Some(TrailingZeros::NotSignificant) { figures.least } else { figures.most };
        Shown { least: figures.least, most }
    }
}

/// Only the count: outside the stated bounds an input is refused, another than the stated count is wrong.
fn form_only(rule: &Rule, shown: Shown) -> Result<Judged, String> {
    if let Some(digits) = rule.digits {
        let right = digits <= shown.most && (shown.least <= digits || rule.allow_extra == Some(true));
        return Ok(if right { Judged::CORRECT } else { Judged::incorrect("wrong_sigfigs") });
    }
    if rule.min.is_none() && rule.max.is_none() {
        return Err("a rule on figures needs `digits`, `min` or `max`".to_owned());
    }
    if rule.min.is_some_and(|min| shown.most < min) {
        return Ok(Judged::invalid("too_few_sigfigs"));
    }
    if rule.max.is_some_and(|max| shown.least > max) {
        return Ok(Judged::invalid("too_many_sigfigs"));
    }
    Ok(Judged::CORRECT)
}

/// Compares at the precision that the student wrote, which is at least `digits`; further digits than
/// `extra_digits_checked` are not looked at.
fn at_own_precision(rule: &Rule, shown: Shown, digits: u32, value: Number, reference: Number) -> Judged {
    if shown.most < digits {
        return Judged::incorrect("too_few_sigfigs");
    }
    let most = digits.saturating_add(rule.extra_digits_checked.unwrap_or(0));
    let places = Places { kind: rule.kind, count: shown.least.clamp(digits, most.max(digits)) };
    if places.same(value, reference) {
        return Judged::CORRECT;
    }
    let cut = places.cut(value) == places.cut(reference);
    if cut && rule.accept_truncation == Some(true) {
        Judged::CORRECT
    } else {
        Judged::incorrect(if cut { "truncated" } else { "rounding" })
    }
}

/// Compares at the student's precision or the asked one, whichever is finer; then the precision earns its share.
fn finer_of_both(rule: &Rule, shown: Shown, digits: u32, value: Number, reference: Number) -> Judged {
    let places = |count| Places { kind: rule.kind, count };
    if !places(shown.least.max(digits)).same(value, reference) {
        let zeros_left_out = shown.most < digits && rule.require_trailing_zeros != Some(true);
        let exact = places(digits).round(reference) == value;
        return if zeros_left_out && exact { Judged::CORRECT } else { Judged::incorrect(None) };
    }
    let as_asked = shown.least <= digits && digits <= shown.most;
    let zeros_left_out = shown.most < digits && rule.require_trailing_zeros != Some(true);
    if as_asked || zeros_left_out {
        return Judged::CORRECT;
    }
    let diagnosis = if shown.least > digits { "too_many_sigfigs" } else { "too_few_sigfigs" };
    Judged::partial(rule.wrong_precision_credit.unwrap_or(0.0), diagnosis)
}

/// What kind of slip leads from the reference to a value that is not it.
fn slip(places: Places, value: Number, reference: Number) -> Option<&'static str> {
    if value.is_zero() || reference.is_zero() {
        return None;
    }
    if value == -reference || places.same(-value, reference) {
        return Some("sign");
    }
    let place = places.place_of(reference);
    let off = (places.round(value) - places.round(reference)).abs();
    if places.cut(reference) == value {
        return Some("truncated");
    }
    (off <= place).then_some("rounding")
}

/// A number of significant figures, or of places after the decimal mark.
#[derive(Clone, Copy)]
struct Places {
    kind: Kind,
    count: u32,
}

impl Places {
    /// One unit in the last of them, for a number of this size.
    fn place_of(self, number: Number) -> Number {
        let count = i32::try_from(self.count).unwrap_or(i32::MAX);
        match self.kind {
            Kind::Decplaces => Number::decimal(1, -count),
            _ => Number::decimal(1, decade(number).saturating_sub(count).saturating_add(1)),
        }
    }

    /// Rounded, halves away from zero.
    fn round(self, number: Number) -> Number {
        let place = self.place_of(number);
        (number / place).round() * place
    }

    /// Cut off.
    fn cut(self, number: Number) -> Number {
        let place = self.place_of(number);
        (number / place).trunc() * place
    }

    /// Whether two numbers are one when rounded.
    fn same(self, one: Number, other: Number) -> bool {
        let (one, other) = (self.round(one), self.round(other));
        Interval::around(other, Number::ZERO).contains(one)
    }
}

/// The power of ten of the first significant digit; 0 for zero.
fn decade(number: Number) -> i32 {
    let size = number.abs();
    if size.is_zero() || !size.is_finite() {
        return 0;
    }
    let guess = size.to_f64().log10().floor() as i32;
    // A logarithm near a whole number may be off by one either way.
    [guess + 1, guess].into_iter().find(|&power| size >= Number::decimal(1, power)).unwrap_or(guess - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_are_exact_at_powers_of_ten() {
        for (text, power) in [((1, 3), 3), ((999_999_999, -6), 2), ((1, -30), -30), ((95, -1), 0), ((-5, -3), -3)] {
            assert_eq!(decade(Number::decimal(text.0, text.1)), power);
        }
    }
}
