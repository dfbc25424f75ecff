//! The results of a test run, told to a person or to a program.

use std::io::Write;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use drillmark::report::checks::{self, Check, Problem};
use drillmark::report::{difference, inert};

use super::super::{Shell, Trouble};
use super::{Format, Report, Tested, folder_of, shown};

const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const DIM: Style = Style::new().dimmed();

/// Prints a report.
pub(super) fn print(report: &Report, format: Format, shell: &mut Shell) -> Result<(), Trouble> {
    let out = shell.out();
    match format {
        Format::Terminal => terminal(report, out)?,
        Format::Junit => write!(out, "{}", junit(report))?,
        Format::Github => {
            write!(out, "{}", checks::github(&checks(report)))?;
            writeln!(out, "{}", summary(report))?;
        }
    }
    Ok(())
}

/// The report as JUnit XML.
pub(super) fn junit(report: &Report) -> String {
    checks::junit("drillmark", &checks(report))
}

fn terminal(report: &Report, out: &mut impl Write) -> std::io::Result<()> {
    for tested in report.tested.iter().filter(|tested| !tested.is_fine()) {
        writeln!(out, "{BAD}✗{BAD:#} {}", inert::terminal(&tested.name))?;
        if let Some(unfit) = &tested.unfit {
            writeln!(out, "  {}", inert::terminal(&format!("{}: {}", place(&unfit.path, unfit.line), unfit.what)))?;
        }
        for found in &tested.differences {
            let line =
                format!("{}: {}: declared {}, got {}", place(&tested.case.expect, found.line), found.what, found.declared, found.got);
            writeln!(out, "  {}", inert::terminal(&line))?;
        }
        if tested.feedback_differs() {
            let file = shown(&tested.case.snapshot);
            match &tested.accepted {
                Some(accepted) => {
                    writeln!(out, "  {}", inert::terminal(&format!("{file}: the feedback is no longer the accepted one")))?;
                    write!(out, "{}", indented(&difference::terminal(accepted, &tested.feedback)))?;
                }
                None => {
                    writeln!(out, "  {}", inert::terminal(&format!("{file}: no feedback was accepted yet; it would be")))?;
                    write!(out, "{}", indented(&difference::terminal("", &tested.feedback)))?;
                }
            }
        }
        writeln!(out)?;
    }
    for orphan in &report.orphans {
        writeln!(out, "{BAD}✗{BAD:#} {}", inert::terminal(&format!("{} {}", shown(&orphan.path), orphan.why)))?;
    }
    for line in &report.right {
        let told = format!("{}: `{line}` has come right, or is no fixture any more; take the line out", shown(&report.open));
        writeln!(out, "{BAD}✗{BAD:#} {}", inert::terminal(&told))?;
    }
    let mark = if report.is_fine() { format!("{GOOD}✓{GOOD:#}") } else { format!("{BAD}✗{BAD:#}") };
    writeln!(out, "{mark} {}", inert::terminal(&summary(report)))?;
    if report.tested.iter().any(Tested::feedback_differs) {
        writeln!(out, "{DIM}  where the new feedback is better, keep it: drillmark test --accept{DIM:#}")?;
    }
    if !report.skipped.is_empty() {
        writeln!(out, "{DIM}  left out, named after no drill: {}{DIM:#}", inert::terminal(&report.skipped.join(", ")))?;
    }
    Ok(())
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

fn place(path: &Path, line: Option<usize>) -> String {
    match line {
        Some(line) => format!("{}:{line}", shown(path)),
        None => shown(path),
    }
}

/// One line that says how it went.
fn summary(report: &Report) -> String {
    let count = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let fixtures = count(report.tested.len(), "fixture", "fixtures");
    let drills = count(report.drills, "drill", "drills");
    let mut line = format!("{fixtures} of {drills}");
    let number = |is: &dyn Fn(&Tested) -> bool| report.tested.iter().filter(|tested| is(tested)).count();
    let failures = [
        (number(&|tested| tested.unfit.is_some()), "cannot be tested"),
        (number(&|tested| !tested.differences.is_empty()), "with other verdicts than declared"),
        (number(&Tested::feedback_differs), "with other feedback than accepted"),
        (report.orphans.len(), "files without their other half"),
        (report.right.len(), "known differences that have come right"),
    ];
    let failures: Vec<String> =
        failures.into_iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")).collect();
    line += &if failures.is_empty() { ": all as declared and accepted".to_owned() } else { format!(": {}", failures.join(", ")) };
    if report.accepted > 0 {
        line += &format!("; feedback of {} accepted", report.accepted);
    }
    if report.known > 0 {
        line += &format!("; {}", count(report.known, "known difference", "known differences"));
    }
    line
}

/// Each fixture is two checks, its verdicts and its feedback; whatever else is wrong is one each.
fn checks(report: &Report) -> Vec<Check> {
    let mut checks = Vec::new();
    for tested in &report.tested {
        let check = |what: &str, path: &Path, line: Option<usize>, problem: Option<Problem>| Check {
            group: folder_of(&tested.name).to_owned(),
            name: format!("{} {what}", tested.name),
            file: shown(path),
            line,
            problem,
        };
        if let Some(unfit) = &tested.unfit {
            let problem = Problem { code: "unfit".to_owned(), title: unfit.what.clone(), body: String::new() };
            checks.push(check("verdicts", &unfit.path, unfit.line, Some(problem)));
            continue;
        }
        let told: Vec<String> = tested
            .differences
            .iter()
            .map(|found| inert::terminal(&format!("{}: declared {}, got {}", found.what, found.declared, found.got)))
            .collect();
        let line = tested.differences.iter().find_map(|found| found.line);
        let problem = (!told.is_empty()).then(|| Problem {
            code: "verdict".to_owned(),
            title: if told.len() == 1 { told[0].clone() } else { format!("{} verdicts are not as declared", told.len()) },
            body: if told.len() == 1 { String::new() } else { told.join("\n") },
        });
        checks.push(check("verdicts", &tested.case.expect, line, problem));
        let problem = tested.feedback_differs().then(|| Problem {
            code: "feedback".to_owned(),
            title: match &tested.accepted {
                Some(_) => "the feedback is no longer the accepted one".to_owned(),
                None => "no feedback was accepted yet".to_owned(),
            },
            body: difference::plain(tested.accepted.as_deref().unwrap_or_default(), &tested.feedback),
        });
        checks.push(check("feedback", &tested.case.snapshot, None, problem));
    }
    for orphan in &report.orphans {
        let folder = orphan.path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        let problem = Problem { code: "orphan".to_owned(), title: orphan.why.to_owned(), body: String::new() };
        let file = shown(&orphan.path);
        checks.push(Check { group: folder, name: file.clone(), file, line: None, problem: Some(problem) });
    }
    for line in &report.right {
        let title = "has come right, or is no fixture any more; take the line out".to_owned();
        let problem = Problem { code: "known".to_owned(), title, body: String::new() };
        checks.push(Check {
            group: folder_of(line).to_owned(),
            name: line.clone(),
            file: shown(&report.open),
            line: None,
            problem: Some(problem),
        });
    }
    checks
}
