//! `drillmark lint`: everything that does not hold in drills, rubrics and what lies beside them, for their authors.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use drillmark::diagnostic::{Diagnostic, Severity};
use drillmark::drill::Drill;
use drillmark::lint::{self, Count, Subject};
use drillmark::report::diagnostics;
use drillmark::text::Source;

use super::{Done, Shell, Trouble};

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For a person: the lines with the places underlined
    Terminal,
    /// An array of objects
    Json,
    /// Annotations of a GitHub runner
    Github,
    /// The Static Analysis Results Interchange Format, 2.1.0
    Sarif,
}

/// What counts as an error besides errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Deny {
    Warnings,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A drill's file, a folder of drills, or a course repository; the library where this is left out
    path: Option<PathBuf>,

    /// Exit with 1 on warnings as well
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,

    /// How to print the findings
    #[arg(long, value_enum, default_value = "terminal")]
    format: Format,

    /// Print how many samples of each criterion the rules decide, and how many rightly, instead of findings
    #[arg(long)]
    stats: bool,

    /// Draw so many variants of each drill whose givens vary, and see that they hold
    #[arg(long, value_name = "N", default_value_t = 10)]
    variants: u32,
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let subjects = match &args.path {
        Some(path) => lint::within(path).map_err(|trouble| Trouble::io(&trouble.path, &trouble.error))?,
        None => lint::subjects(&shell.library()?),
    };
    if args.stats {
        return stats(&subjects, args.format, shell);
    }
    let found: Vec<Diagnostic> = lint::check_all(&subjects, args.variants).into_iter().flatten().collect();
    let sources: Vec<&Source> = subjects.iter().flat_map(Subject::sources).collect();
    match args.format {
        Format::Terminal => terminal(&found, &sources, subjects.len(), shell)?,
        Format::Json => writeln!(shell.json()?, "{}", diagnostics::json(&found, &sources))?,
        Format::Github => write!(shell.out(), "{}", diagnostics::github(&found, &sources))?,
        Format::Sarif => writeln!(shell.json()?, "{}", diagnostics::sarif(&found, &sources))?,
    }
    let counts = |severity| match severity {
        Severity::Error => true,
        Severity::Warning => args.deny == Some(Deny::Warnings),
        Severity::Note => false,
    };
    Ok(if found.iter().any(|found| counts(found.severity)) { Done::Problems } else { Done::Fine })
}

fn terminal(found: &[Diagnostic], sources: &[&Source], drills: usize, shell: &mut Shell) -> Result<(), Trouble> {
    if !found.is_empty() {
        writeln!(shell.out(), "{}\n", diagnostics::explained(found, sources))?;
    }
    let count = |severity, what: &str| {
        let number = found.iter().filter(|found| found.severity == severity).count();
        (number > 0).then(|| plural(number, what))
    };
    let counts: Vec<String> = [count(Severity::Error, "error"), count(Severity::Warning, "warning")].into_iter().flatten().collect();
    let said = if counts.is_empty() { "nothing to report".to_owned() } else { counts.join(" and ") };
    writeln!(shell.out(), "{}: {said}", plural(drills, "drill"))?;
    Ok(())
}

fn plural(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// How far the rules get: a row a criterion, and one for all of them.
fn stats(subjects: &[Subject], format: Format, shell: &mut Shell) -> Result<Done, Trouble> {
    let mut rows = Vec::new();
    for subject in subjects {
        let (Some(drill), Some(rubric)) = (&subject.drill, &subject.rubric) else { continue };
        let Ok(drill) = Drill::load(drill, rubric) else {
            return Err(Trouble::with(drill.name(), "is broken; `drillmark lint` says how"));
        };
        rows.extend(lint::stats(&drill).into_iter().map(|stats| (drill.id.clone(), stats)));
    }
    let mut total = Count::default();
    for (_, stats) in &rows {
        total.samples += stats.all.samples;
        total.decided += stats.all.decided;
        total.right += stats.all.right;
    }
    if format == Format::Json {
        let count = |count: &Count| serde_json::json!({ "samples": count.samples, "decided": count.decided, "right": count.right });
        let rows: Vec<serde_json::Value> = rows
            .iter()
            .map(|(drill, stats)| {
                let outcomes: serde_json::Map<_, _> = stats.outcomes.iter().map(|(code, of)| ((*code).to_owned(), count(of))).collect();
                serde_json::json!({ "drill": drill, "criterion": stats.criterion, "all": count(&stats.all), "outcomes": outcomes })
            })
            .collect();
        writeln!(shell.json()?, "{:#}", serde_json::Value::from(rows))?;
        return Ok(Done::Fine);
    }
    let outcomes: BTreeSet<&str> = rows.iter().flat_map(|(_, stats)| stats.outcomes.keys().copied()).collect();
    let width = rows.iter().map(|(_, stats)| stats.criterion.chars().count()).max().unwrap_or(0).max("criterion".len());
    write!(shell.out(), "{:width$}  samples  decided  right  share", "criterion")?;
    for outcome in &outcomes {
        write!(shell.out(), "  {outcome:>9}")?;
    }
    writeln!(shell.out())?;
    let row = |name: &str, all: &Count| format!("{name:width$}  {:7}  {:7}  {:5}  {:>5}", all.samples, all.decided, all.right, share(all));
    let mut drill = "";
    for (id, stats) in &rows {
        if id != drill {
            writeln!(shell.out(), "{id}")?;
            drill = id;
        }
        write!(shell.out(), "{}", row(&stats.criterion, &stats.all))?;
        for outcome in &outcomes {
            let of = stats.outcomes.get(outcome).copied().unwrap_or_default();
            write!(shell.out(), "  {:>9}", if of.samples > 0 { format!("{}/{}", of.right, of.samples) } else { String::new() })?;
        }
        writeln!(shell.out())?;
    }
    writeln!(shell.out(), "{}", row("all", &total))?;
    Ok(Done::Fine)
}

/// The share that is decided.
fn share(count: &Count) -> String {
    (count.decided * 100).checked_div(count.samples).map_or_else(String::new, |share| format!("{share} %"))
}
