//! Units that stand before their number: in a column's header, a row's name, a key, a label.

use memchr::{memchr2, memrchr_iter};

use crate::quantity::{Unit, Units};

use super::combine::before;

/// Bytes of a label that is looked at.
const REACH: usize = 48;

/// The unit in a label: `Time (ms)`, `[GB/s]`, `t / ms`, `Time in ms`, `Share, %`, `% of T`, `ms`, `time_ms`.
pub(super) fn of_label(units: &Units, label: &str) -> Option<Unit> {
    split(units, label).map(|(_, unit)| unit)
}

/// A label without the unit in it: the `T` of `T (ms)`; the label itself where it holds no unit.
pub fn without_unit<'a>(units: &Units, label: &'a str) -> &'a str {
    split(units, label).map_or(label, |(name, _)| name)
}

/// The name and the unit in a label.
fn split<'a>(units: &Units, label: &'a str) -> Option<(&'a str, Unit)> {
    let label = label.trim_matches([' ', ':', '*', '`', '\n']);
    if label.is_empty() || label.len() > 4 * REACH {
        return None;
    }
    if label.ends_with([')', ']']) {
        let open = label.rfind(['(', '['])?;
        return Some((label[..open].trim_end(), strict(units, &label[open + 1..label.len() - 1])?));
    }
    for sign in ["% of ", "% von "] {
        if label.starts_with(sign) {
            return Some((label, strict(units, "%")?));
        }
    }
    for joint in [" in ", " / ", ", ", "/", " "] {
        let [sign, rest @ ..] = joint.as_bytes() else { continue };
        let mut signs = memrchr_iter(*sign, label.as_bytes());
        let Some(at) = signs.find(|at| label.as_bytes()[at + 1..].starts_with(rest)) else { continue };
        // A space alone parts a unit only from a sign: `Share %`.
        let tail = &label[at + joint.len()..];
        if joint == " " && !matches!(tail, "%" | "‰") || joint == "/" && label.contains(' ') {
            continue;
        }
        if let Some(unit) = strict(units, tail)
            && (joint != "/" || may_divide(tail) && (strict(units, label).is_none() || is_divided_by_unit(units, &label[..at], tail)))
        {
            return Some((label[..at].trim_end(), unit));
        }
    }
    // What is divided by a symbol is no rate: `T/C`.
    let letter = |name: &str| name.trim().len() == 1 && !is_per_time(name);
    let rate = label
        .split_once('/')
        .is_none_or(|(above, below)| is_per_time(below) || strict(units, above).is_some() && !(letter(above) && letter(below)));
    strict(units, label).filter(|_| rate).map(|unit| ("", unit)).or_else(|| Some((label, of_key(units, label)?)))
}

fn is_per_time(below: &str) -> bool {
    matches!(below.trim(), "s" | "sec" | "min" | "h" | "d" | "day" | "hour" | "year")
}

/// Whether a quantity is divided by the unit in which it is given, `lat/ms` or `size/MiB`, and is no rate: `tok/s`, `GB/s`.
fn is_divided_by_unit(units: &Units, above: &str, below: &str) -> bool {
    let rate = is_per_time(below) && !matches!(above, "t" | "T" | "time" | "sum" | "total" | "latency" | "duration");
    !rate && strict(units, above).is_none()
}

/// Whether what stands below a line is a unit: a single letter is more often a symbol.
fn may_divide(below: &str) -> bool {
    below.chars().nth(1).is_some() || matches!(below, "%" | "s" | "h")
}

/// The unit at the end of a key: `time_ms`, `rate_GB_s`, `size_bytes`, `share_pct`.
pub(super) fn of_key(units: &Units, key: &str) -> Option<Unit> {
    let key = key.trim();
    // Its words are joined, and those of most labels are not.
    memchr2(b'_', b'-', key.as_bytes())?;
    if let Some(rate) = key.rfind("_per_").filter(|_| key.is_ascii()) {
        let from = key[..rate].rfind(['_', '-']).map_or(0, |at| at + 1);
        return strict(units, &format!("{}/{}", in_case(&key[from..rate]), in_case(&key[rate + 5..])));
    }
    // `percent_of_step`
    let begins = |share: &&str| key.get(..share.len()).is_some_and(|start| start.eq_ignore_ascii_case(share));
    if ["percent_of_", "pct_of_", "percentage_of_"].iter().any(begins) {
        return strict(units, "%");
    }
    let (front, last) = key.rsplit_once(['_', '-'])?;
    if let Some((_, first)) = front.rsplit_once(['_', '-'])
        && let Some(unit) = strict(units, &format!("{}/{last}", in_case(first))).filter(|_| last == "s")
    {
        return Some(unit);
    }
    // `default_25_MB` names a case by its size.
    let before = front.rsplit(['_', '-']).next().unwrap_or_default().to_ascii_lowercase();
    if before.bytes().all(|byte| byte.is_ascii_digit()) || matches!(before.as_str(), "one" | "two" | "four" | "eight" | "hundred") {
        return None;
    }
    // `part_g` is the label of a part, and no mass.
    const LABELS: [&str; 12] =
        ["part", "section", "question", "task", "item", "exercise", "problem", "answer", "q", "teil", "aufgabe", "abschnitt"];
    if last.len() == 1 && LABELS.contains(&before.as_str()) {
        return None;
    }
    strict(units, in_case(last))
}

/// A unit as it is spelled, where a key has it in small letters as keys are: `size_mib`, `energy_kwh`. What might be two
/// units in small letters, `mw`, stays as it is.
fn in_case(small: &str) -> &str {
    match small {
        "kb" => "kB",
        "mb" => "MB",
        "gb" => "GB",
        "tb" => "TB",
        "pb" => "PB",
        "kib" => "KiB",
        "mib" => "MiB",
        "gib" => "GiB",
        "tib" => "TiB",
        "mbit" => "Mbit",
        "gbit" => "Gbit",
        "tbit" => "Tbit",
        "mbps" => "Mbps",
        "gbps" => "Gbps",
        "tbps" => "Tbps",
        "hz" => "Hz",
        "khz" => "kHz",
        "mhz" => "MHz",
        "ghz" => "GHz",
        "wh" => "Wh",
        "kwh" => "kWh",
        "mwh" => "MWh",
        "gwh" => "GWh",
        "kw" => "kW",
        "gw" => "GW",
        "kj" => "kJ",
        "ev" => "eV",
        "kev" => "keV",
        "gev" => "GeV",
        "degc" => "°C",
        "flop" => "FLOP",
        "gflop" => "GFLOP",
        "tflop" => "TFLOP",
        "pflop" => "PFLOP",
        "flops" => "FLOPs",
        "gflops" => "GFLOPs",
        "tflops" => "TFLOPs",
        "pflops" => "PFLOPs",
        other => other,
    }
}

/// A spelling that is a unit and nothing else.
fn strict(units: &Units, spelling: &str) -> Option<Unit> {
    let first = units.senses(spelling.trim()).into_iter().next()?;
    (first.loose.is_none() && first.unit.symbol != "x").then_some(first.unit)
}

/// The unit in the label directly before a number: `T_comm_ms=`, `"time_ms": `, `GB/s: `, `Time (ms): `.
pub(super) fn before_number(units: &Units, text: &str, at: usize) -> Option<Unit> {
    // What parts a label from its number ends in one of three signs, of which the last ends in this byte.
    let sign = text.as_bytes()[..at].iter().rev().find(|byte| !matches!(byte, b' ' | b'"' | b'\''))?;
    if *sign == b']' {
        return in_brackets(units, text, at);
    }
    if !matches!(sign, b'=' | b':' | 0x88) {
        return None;
    }
    let line = before(text, at, REACH);
    let line = line.rfind('\n').map_or(line, |line_end| &line[line_end + 1..]);
    let label = line.trim_end_matches([' ', '"', '\'']);
    let label = label.strip_suffix(['=', ':', '≈'])?.trim_end_matches([' ', '"', '\'', '`', ':', '~']);
    let last = label.chars().next_back()?;
    if matches!(last, ')' | ']') {
        let open = label.rfind(['(', '['])?;
        return strict(units, &label[open + 1..label.len() - 1]);
    }
    let word = label.rsplit([' ', '"', '\'', '(', '{', ',', '=', '`']).next()?;
    let is_label = word.len() == label.trim_start().len() && word.contains('/');
    if is_label {
        // `GB/s: 25`, and `T/ms = 202.7`, a name divided by its unit: a single letter may be a symbol too, and tokens are
        // counted by the second.
        let (above, below) = word.rsplit_once('/')?;
        let label = below.chars().nth(1).is_some() && below != "min" && strict(units, above).is_none();
        strict(units, if label { below } else { word }).or_else(|| strict(units, word))
    } else if word.contains('_') {
        of_key(units, word)
    } else {
        None
    }
}

/// The unit in square brackets behind a name and right before a number, as programs print it: `latency [ms] 1.24`.
fn in_brackets(units: &Units, text: &str, at: usize) -> Option<Unit> {
    let line = before(text, at, REACH);
    let label = line.strip_suffix(' ')?.trim_end_matches(' ').strip_suffix(']')?;
    let (name, unit) = label.rsplit_once('[')?;
    let named = name.trim_end().ends_with(|c: char| c.is_alphanumeric() || matches!(c, ')' | '*'));
    strict(units, unit).filter(|_| named && !unit.contains('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_tell_their_unit() {
        let units = Units::standard();
        for (label, unit) in [
            ("Time (ms)", "ms"),
            ("total [ms]", "ms"),
            ("t / ms", "ms"),
            ("lat/ms", "ms"),
            ("size/MiB", "MiB"),
            ("overhead/%", "%"),
            ("sum/s", "s"),
            ("% of T", "%"),
            ("GB/s", "GB/s"),
            ("tok/s", "tok/s"),
        ] {
            assert_eq!(of_label(&units, label).map(|found| found.symbol.clone()).as_deref(), Some(unit), "{label}");
        }
        for label in ["T/C", "buckets", "n", "T/400"] {
            assert!(of_label(&units, label).is_none(), "{label}");
        }
    }
}
