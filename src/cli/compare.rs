//! `drillmark compare`: the numeric judge alone, for another grader, or for a lecturer who is choosing a tolerance.

mod figures;
mod rule;
mod value;
mod verdict;
mod words;

use std::io::{self, BufRead, Write};

use drillmark::quantity::{Number, Units};
use serde::Deserialize;
use serde_json::json;

use self::rule::{Amount, Kind, Mode, Rule};
use self::verdict::{Compared, Said};
use super::{Done, Shell, Trouble};

/// The longest line that is compared; a longer one gets an error.
const LONGEST_LINE: usize = 1_000_000;

/// How the comparisons are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Input {
    /// A line of JSON on standard input for each: `{"student": "…", "teacher": "…", "rule": {…}}`
    Jsonl,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Without a rule, one percent of the teacher's value is allowed.")]
pub(crate) struct Args {
    /// What the student wrote
    #[arg(required_unless_present = "input", allow_hyphen_values = true)]
    student: Option<String>,

    /// What is right; ends in brackets for an interval: `[5, 7)`
    #[arg(required_unless_present = "input", allow_hyphen_values = true)]
    teacher: Option<String>,

    /// Compare many, and print a line of JSON for each
    #[arg(long, value_enum, conflicts_with_all = ["student", "teacher", "rule", "rel", "abs", "sigfig", "decplaces", "unit", "notation"])]
    input: Option<Input>,

    /// How far off it may be, as a share of the teacher's value: `1%`, `0.01`
    #[arg(long, value_name = "SHARE", group = "how")]
    rel: Option<String>,

    /// How far off it may be, in the teacher's unit or in one of its own: `0.5`, `3 ms`
    #[arg(long, value_name = "AMOUNT", group = "how")]
    abs: Option<String>,

    /// How many significant figures it has to show, all of them right
    #[arg(long, value_name = "N", group = "how")]
    sigfig: Option<u32>,

    /// How many places after the decimal mark it has to show, all of them right
    #[arg(long, value_name = "N", group = "how")]
    decplaces: Option<u32>,

    /// A rule as a line of JSON has it
    #[arg(long, value_name = "JSON", group = "how")]
    rule: Option<String>,

    /// What is asked of the unit
    #[arg(long, value_enum, value_name = "MODE", conflicts_with = "rule")]
    unit: Option<Mode>,

    /// How numbers are written: `en`, `eu`, `fr`, `ch`, `in`, `auto`, …
    #[arg(long, value_name = "NAME", conflicts_with = "rule")]
    notation: Option<String>,
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let units = Units::with_physics();
    match (&args.student, &args.teacher) {
        (Some(student), Some(teacher)) => one(&args, student, teacher, &units, shell),
        _ => lines(&units, shell),
    }
}

/// One comparison of a stream.
#[derive(Debug, Deserialize)]
struct Line {
    student: String,
    teacher: String,
    rule: Rule,
    student_plain: Option<String>,
    teacher_plain: Option<String>,
}

/// Answers each line of standard input with a line, in order; a broken one gets its error and the stream goes on.
fn lines(units: &Units, shell: &mut Shell) -> Result<Done, Trouble> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line).map_err(|error| Trouble::with("standard input", error))?;
        if read == 0 {
            return Ok(Done::Fine);
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = match answer(&line, units) {
            Ok(Compared { judged, .. }) => {
                json!({ "verdict": judged.verdict.code(), "credit": judged.credit, "diagnosis": judged.diagnosis })
            }
            Err(error) => json!({ "error": error }),
        };
        writeln!(shell.out(), "{answer}")?;
    }
}

fn answer(line: &[u8], units: &Units) -> Result<Compared, String> {
    if line.len() > LONGEST_LINE {
        return Err(format!("the line is longer than {LONGEST_LINE} bytes"));
    }
    let line: Line = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let student = line.student_plain.as_ref().unwrap_or(&line.student);
    let teacher = line.teacher_plain.as_ref().unwrap_or(&line.teacher);
    verdict::compare(&line.rule, student, teacher, units)
}

/// Compares two texts and says how each was read.
fn one(args: &Args, student: &str, teacher: &str, units: &Units, shell: &mut Shell) -> Result<Done, Trouble> {
    let rule = asked(args, teacher).map_err(Trouble::Operator)?;
    let compared = verdict::compare(&rule, student, teacher, units).map_err(Trouble::Operator)?;
    let out = shell.out();
    writeln!(out, "student  {}", as_read(student, compared.student.as_ref()))?;
    let interval = rule.interval.as_ref().map(|interval| format!("{interval}  (read as an interval)"));
    writeln!(out, "teacher  {}", interval.unwrap_or_else(|| as_read(teacher, compared.teacher.as_ref())))?;
    let off = compared.student.as_ref().zip(compared.teacher.as_ref()).and_then(|(student, teacher)| off(student, teacher));
    let off = off.map_or_else(String::new, |off| format!(", {off}"));
    let diagnosis = compared.judged.diagnosis.map_or_else(String::new, |diagnosis| format!(": {}", diagnosis.replace('_', " ")));
    let credit = match compared.judged.credit {
        0.0 | 1.0 => String::new(),
        credit => format!(", {:.0} % of the credit", credit * 100.0),
    };
    writeln!(out, "{}{diagnosis}{off}{credit}", compared.judged.verdict.code())?;
    Ok(Done::Fine)
}

/// The rule that the flags state.
fn asked(args: &Args, teacher: &str) -> Result<Rule, String> {
    if let Some(rule) = &args.rule {
        return serde_json::from_str(rule).map_err(|error| format!("--rule: {error}"));
    }
    let mut value = Rule { prose: Some(true), ..Rule::default() };
    if let Some(abs) = &args.abs {
        (value.kind, value.tol) = (Kind::Abs, Some(Amount::Text(abs.clone())));
    } else if let Some(digits) = args.sigfig {
        (value.kind, value.digits) = (Kind::Sigfig, Some(digits));
    } else if let Some(digits) = args.decplaces {
        (value.kind, value.digits) = (Kind::Decplaces, Some(digits));
    } else {
        value.tol = Some(Amount::Text(args.rel.clone().unwrap_or_else(|| "1%".to_owned())));
    }
    let notation = args.notation.clone();
    if teacher.contains(',') && teacher.starts_with(['[', '(']) && teacher.ends_with([']', ')']) {
        return Ok(Rule { kind: Kind::Abs, interval: Some(teacher.to_owned()), notation, ..value });
    }
    let (mode, prose) = (Some(args.unit.unwrap_or(Mode::Convert)), Some(true));
    Ok(Rule { kind: Kind::Units, mode, notation, prose, value: Some(Box::new(value)), ..Rule::default() })
}

/// A text, and what it was taken for.
fn as_read(text: &str, said: Option<&Said>) -> String {
    let Some(said) = said else { return format!("{text}  (not read as a quantity)") };
    let number = |number: Number| number.to_f64().to_string();
    let mut read = number(said.number);
    if let Some(high) = said.high {
        read = format!("{read} to {}", number(high));
    }
    if let Some(unit) = said.unit() {
        read = format!("{read} {}", unit.symbol);
        if unit.factor != Number::ONE {
            read = format!("{read} = {} in base units", number(said.number * unit.factor));
        }
        if unit.dimension.is_none() {
            read.push_str(", a plain number");
        } else {
            read = format!("{read}, {}", unit.dimension);
        }
    }
    let figures = said.written.map_or_else(String::new, |written| match (written.figures.least, written.figures.most) {
        (1, 1) => ", 1 figure".to_owned(),
        (least, most) if least == most => format!(", {most} figures"),
        (least, most) => format!(", {least} to {most} figures"),
    });
    format!("{text}  (read as {read}{figures})")
}

/// How far one value is from another of its kind, as a person says it.
fn off(student: &Said, teacher: &Said) -> Option<String> {
    let base = |said: &Said| said.unit().map_or(said.number, |unit| said.number * unit.factor);
    let dimension = |said: &Said| said.unit().map(|unit| unit.dimension).unwrap_or_default();
    let apart = student.unit().zip(teacher.unit()).is_some_and(|(one, other)| !one.is_comparable(other));
    if apart || dimension(student) != dimension(teacher) || base(teacher).is_zero() {
        return None;
    }
    let share = ((base(student) - base(teacher)) / base(teacher)).to_f64() * 100.0;
    let side = if share > 0.0 { "above" } else { "below" };
    match share.abs() {
        share if share < 1e-7 => Some("the same value".to_owned()),
        share if share >= 1e5 => None,
        share => Some(format!("{} % {side} the teacher's", significant(share))),
    }
}

/// Three figures at most.
fn significant(value: f64) -> String {
    let places = (2 - value.abs().log10().floor() as i32).clamp(0, 12).unsigned_abs() as usize;
    format!("{value:.places$}")
}
