//! The words in which a class is spoken of: phrases for the codes that rows carry.

use super::AgreementView;
use crate::cohort::review::Pairing;
use crate::report::inert;
use crate::report::shown::TIE;

/// A mistake that any value can show, by its code: what was done, as a sentence.
pub(super) fn general_mistake(code: &str) -> Option<&'static str> {
    Some(match code {
        "power-of-ten" => "The digits are right and the power of ten is not.",
        "bits-for-bytes" => "Bits and bytes have changed places.",
        "binary-for-decimal" => "Powers of 1024 and powers of 1000 have changed places.",
        "factor-two" => "It is a factor of two away.",
        "reciprocal" => "The ratio is upside down.",
        "percent-for-fraction" => "A fraction and a percentage have changed places.",
        "sign" => "The sign is the other way round.",
        "wrong-operand" => "One given stands in the place of another.",
        "dropped-operand" => "A factor or a term of the formula is left out.",
        "off-by-one" => "One too many or one too few is counted.",
        "swapped" => "Two values have changed places.",
        "arithmetic" => "The method is right and a step of the arithmetic is not.",
        _ => return None,
    })
}

/// What a note says, as a phrase that stands alone.
pub(super) fn note(code: &str) -> Option<&'static str> {
    Some(match code {
        "missing-unit" => "no unit beside a number",
        "other-unit" => "another unit than the one asked for",
        "wrong-unit" => "a unit of another dimension",
        "too-few-figures" => "too few significant figures",
        "truncated" => "the last figure cut off, not rounded",
        "prefix-read-as" => "GB written for GiB, or the other way round",
        "loose-spelling" => "a unit spelled loosely",
        "unit-from-context" => "the unit only in the words around",
        "inconsistent-restatement" => "given again with another value",
        "replaced" => "an earlier value replaced",
        "range-given" => "a range that is right at both ends",
        "bound-given" => "only a bound, not the value",
        "not-labeled" => "right only in another sense that is not named",
        "supporting" => "right as a step, not as the answer",
        "broken-link" => "a step of the work shown that does not hold",
        "work-does-not-lead-there" => "work beside it that gives another value",
        "not-carried" => "does not follow from the earlier value either",
        "contradicts-own-values" => "not what the answer's other values give",
        "found-elsewhere" => "stands outside its part",
        _ => return None,
    })
}

/// Whether a note is about the form of an answer, so that it is worth a word to the class.
pub(super) fn is_form(code: &str) -> bool {
    matches!(
        code,
        "missing-unit"
            | "other-unit"
            | "wrong-unit"
            | "too-few-figures"
            | "truncated"
            | "prefix-read-as"
            | "loose-spelling"
            | "broken-link"
            | "bound-given"
            | "inconsistent-restatement"
            | "work-does-not-lead-there"
            | "contradicts-own-values"
    )
}

/// Why something waits for a person.
pub(super) fn why(code: &str) -> &str {
    match code {
        "two-candidates" => "several values, none marked",
        "unlabeled" => "nothing says what the value is",
        "unknown-unit" => "a unit nobody knows",
        "unconvertible-unit" => "another currency or price",
        "unreadable" => "can be read in two ways",
        "bound-or-range" => "a bound or a range",
        "reading-not-labeled" => "may be meant in another way",
        "not-own" => "not the student's own word",
        "contradiction" => "values that contradict each other",
        "untrue-comparison" => "compares the wrong way round",
        "copied-text" => "copied from the rubric",
        "no-rule-decides" => "no rule is sure",
        "by-hand" => "always for a person",
        "too-long" => "too long for rules",
        "nothing-found" => "nothing that is asked was found",
        other => other,
    }
}

/// A verdict or an outcome in words.
pub(super) fn outcome(code: &str) -> String {
    code.replace('_', " ")
}

/// How far two people, and a person and the rules, agree about an item.
pub(super) fn agreement(item: &AgreementView) -> String {
    let said = |pairing: &Pairing, who: &str| {
        let alike = pairing.agreement.filter(|_| pairing.both > 0)?;
        let kappa = pairing.kappa.map_or_else(String::new, |kappa| format!(", kappa {}", correlation(kappa)));
        Some(format!("{who} alike in {} of {}{kappa}", percent(alike), texts(pairing.both)))
    };
    let said: Vec<String> = [said(&item.people, "two people"), said(&item.rules, "a person and the rules")].into_iter().flatten().collect();
    said.join("; ")
}

fn texts(count: usize) -> String {
    if count == 1 { "one text".to_owned() } else { format!("{count} texts") }
}

/// What agreement means, and where to be careful.
pub(super) const KAPPA: &str = "Kappa is the agreement beyond what chance would give: 1 where all is alike, 0 where chance would do as well; \
    from about .6 on, people read a criterion in the same way. Of few texts it says little.";

/// A share of a class: `23 %`; what is there and rounds to nothing is `under 1 %`.
pub(super) fn percent(share: f64) -> String {
    let percent = (share * 100.0).round();
    if percent < 1.0 && share > 0.0 { format!("under 1{TIE}%") } else { format!("{percent:.0}{TIE}%") }
}

/// `23 of 214`, as a share.
pub(super) fn share(part: usize, whole: usize) -> f64 {
    // OK because these are numbers of students.
    #[expect(clippy::cast_precision_loss, reason = "counts of students are small")]
    let share = if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    share
}

/// A correlation to two figures: `.41`, `−.08`.
pub(super) fn correlation(r: f64) -> String {
    let text = format!("{:.2}", r.abs());
    let digits = text.strip_prefix('0').unwrap_or(&text);
    if r < 0.0 && digits != ".00" { format!("−{digits}") } else { digits.to_owned() }
}

/// A program and its version, which a run says of itself.
pub(super) fn version(tool: &str) -> String {
    inert::quoted(tool).to_string()
}

/// `one answer`, `214 answers`.
pub(super) fn answers(count: usize) -> String {
    if count == 1 { "one answer".to_owned() } else { format!("{count} answers") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_is_said_of_those_who_decided() {
        let rules = Pairing { both: 1, alike: 1, agreement: Some(1.0), kappa: None };
        let people = Pairing { both: 50, alike: 35, agreement: Some(0.7), kappa: Some(0.4) };
        let mut item = AgreementView { id: "d".into(), name: "d".into(), people, rules, disagreements: Vec::new() };
        let said = "two people alike in 70\u{a0}% of 50 texts, kappa .40; a person and the rules alike in 100\u{a0}% of one text";
        assert_eq!(agreement(&item), said);
        item.people = Pairing::default();
        assert_eq!(agreement(&item), "a person and the rules alike in 100\u{a0}% of one text");
    }

    #[test]
    fn shares_and_correlations_read_well() {
        assert_eq!([0.0, 0.003, 0.234, 1.0].map(percent), ["0\u{a0}%", "under 1\u{a0}%", "23\u{a0}%", "100\u{a0}%"]);
        assert_eq!([0.414, -0.08, 1.0, -0.001].map(correlation), [".41", "−.08", "1.00", ".00"]);
        assert_eq!(share(1, 0), 0.0);
    }
}
