//! The changes, told: a summary first, then each submission with what it changes through.

use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use drillmark::cohort::review::Reopened;
use drillmark::cohort::{Changed, Item, Mark, Regrade, Score};
use drillmark::report::{difference, inert};
use serde::Serialize;

use super::super::{Shell, Trouble};
use super::Format;

const UP: Style = AnsiColor::Green.on_default().bold();
const DOWN: Style = AnsiColor::Red.on_default().bold();
const BOLD: Style = Style::new().bold();

/// Prints what would change, with the feedback of the first few.
pub(super) fn print(regrade: &Regrade, format: Format, diffs: usize, shell: &mut Shell) -> Result<(), Trouble> {
    match format {
        Format::Terminal => terminal(regrade, diffs, shell.out())?,
        Format::Markdown => write!(shell.json()?, "{}", markdown(regrade, diffs))?,
        Format::Json => writeln!(shell.json()?, "{}", json(regrade, diffs))?,
        Format::Csv => csv(regrade, shell.json()?)?,
    }
    Ok(())
}

/// The summary: a line each, without marks of any layout.
fn summary(regrade: &Regrade) -> Vec<String> {
    let changed = regrade.changed.len();
    let mut lines = vec![format!("{}: {changed} would change", count(regrade.submissions, "submission"))];
    let ups = regrade.changed.iter().filter(|changed| changed.by() > 0.0).count();
    let downs = regrade.changed.iter().filter(|changed| changed.by() < 0.0).count();
    if changed > 0 {
        let mean = |total: f64| points(total / regrade.submissions.max(1) as f64);
        let others = changed - ups - downs;
        lines.push(format!(
            "{ups} up, {downs} down, {others} with the same points; mean {} → {}",
            mean(regrade.old_total),
            mean(regrade.new_total)
        ));
    }
    for (is_criterion, id, through) in regrade.through() {
        let what = if is_criterion { "criterion" } else { "value" };
        let mut line = format!("through the {what} {id}: {}", count(through.submissions, "submission"));
        if through.gained > 0.0 {
            let _ = write!(line, ", {} gained", points(through.gained));
        }
        if through.lost > 0.0 {
            let _ = write!(line, ", {} lost", points(through.lost));
        }
        lines.push(line);
    }
    for (ids, what) in [(&regrade.only_old, "only in the old run"), (&regrade.only_new, "only in the new run")] {
        if !ids.is_empty() {
            lines.push(format!("{what}: {}", ids.join(", ")));
        }
    }
    for reopened in &regrade.reopened {
        let Reopened { submission, id, by, outcome, why, now } = reopened;
        lines.push(format!("to be decided again: {id} of {submission} {why}; {by} had said {outcome}, it is {now} now"));
    }
    for (id, why) in &regrade.unreadable {
        lines.push(format!("{id} could not be graded: {why}"));
    }
    lines
}

fn terminal(regrade: &Regrade, diffs: usize, out: &mut impl Write) -> io::Result<()> {
    for (number, line) in summary(regrade).iter().enumerate() {
        let line = inert::terminal(line);
        if number == 0 { writeln!(out, "{BOLD}{line}{BOLD:#}")? } else { writeln!(out, "  {line}")? }
    }
    for (number, changed) in regrade.changed.iter().enumerate() {
        let style = if changed.by() < 0.0 { DOWN } else { UP };
        let (who, moved) = (inert::terminal(&who(changed)), moved(changed));
        writeln!(out, "\n{BOLD}{who}{BOLD:#}  {style}{moved}{style:#}")?;
        for item in &changed.items {
            writeln!(out, "  {}", inert::terminal(&told(item)))?;
        }
        if number < diffs
            && let Some((was, is)) = &changed.feedback
        {
            for line in difference::terminal(was, is).lines() {
                writeln!(out, "    {line}")?;
            }
        }
    }
    Ok(())
}

fn markdown(regrade: &Regrade, diffs: usize) -> String {
    let mut out = String::from("# What would change\n\n");
    for line in summary(regrade) {
        let _ = writeln!(out, "- {}", inert::markdown(&line));
    }
    for (number, changed) in regrade.changed.iter().enumerate() {
        let _ = writeln!(out, "\n## {}: {}\n", inert::markdown(&who(changed)), inert::markdown(&moved(changed)));
        for item in &changed.items {
            let _ = writeln!(out, "- {}", inert::markdown(&told(item)));
        }
        if number < diffs
            && let Some((was, is)) = &changed.feedback
        {
            // A fence longer than any in the text, so that nothing in it can end the block.
            let text = difference::plain(was, is);
            let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
            let fence = "`".repeat(longest.max(2) + 1);
            let _ = writeln!(out, "\n{fence}diff\n{text}{fence}");
        }
    }
    out
}

#[derive(Serialize)]
struct Book<'a> {
    format: u32,
    submissions: usize,
    changed: Vec<Row<'a>>,
    through: Vec<ThroughRow<'a>>,
    only_old: &'a [String],
    only_new: &'a [String],
    reopened: Vec<ReopenedRow<'a>>,
    unreadable: Vec<Unreadable<'a>>,
}

/// A decision of a person that would no longer hold.
#[derive(Serialize)]
struct ReopenedRow<'a> {
    submission: &'a str,
    id: &'a str,
    by: &'a str,
    outcome: &'a str,
    why: &'a str,
    now: &'a str,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    name: Option<&'a str>,
    old: Option<Score>,
    new: Option<Score>,
    by: f64,
    items: Vec<ItemRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feedback: Option<String>,
}

#[derive(Serialize)]
struct ItemRow<'a> {
    kind: &'static str,
    id: &'a str,
    old: Option<MarkRow<'a>>,
    new: Option<MarkRow<'a>>,
    by: f64,
}

#[derive(Serialize)]
struct MarkRow<'a> {
    outcome: &'a str,
    points: f64,
}

#[derive(Serialize)]
struct ThroughRow<'a> {
    kind: &'static str,
    id: &'a str,
    submissions: usize,
    gained: f64,
    lost: f64,
}

#[derive(Serialize)]
struct Unreadable<'a> {
    id: &'a str,
    error: &'a str,
}

fn json(regrade: &Regrade, diffs: usize) -> String {
    let changed = regrade.changed.iter().enumerate().map(|(number, changed)| Row {
        id: &changed.id,
        name: changed.name.as_deref(),
        old: changed.old,
        new: changed.new,
        by: changed.by(),
        items: changed.items.iter().map(item_row).collect(),
        feedback: changed.feedback.as_ref().filter(|_| number < diffs).map(|(was, is)| difference::plain(was, is)),
    });
    let through = regrade.through().into_iter().map(|(is_criterion, id, through)| ThroughRow {
        kind: kind(is_criterion),
        id,
        submissions: through.submissions,
        gained: through.gained,
        lost: through.lost,
    });
    let unreadable = regrade.unreadable.iter().map(|(id, error)| Unreadable { id, error });
    let reopened = regrade.reopened.iter().map(|reopened| ReopenedRow {
        submission: &reopened.submission,
        id: &reopened.id,
        by: &reopened.by,
        outcome: &reopened.outcome,
        why: reopened.why,
        now: &reopened.now,
    });
    let book = Book {
        format: 1,
        submissions: regrade.submissions,
        changed: changed.collect(),
        through: through.collect(),
        only_old: &regrade.only_old,
        only_new: &regrade.only_new,
        reopened: reopened.collect(),
        unreadable: unreadable.collect(),
    };
    drillmark::report::json::pretty(&book)
}

fn item_row(item: &Item) -> ItemRow<'_> {
    ItemRow {
        kind: kind(item.is_criterion),
        id: &item.id,
        old: item.old.as_ref().map(|mark| MarkRow { outcome: &mark.code, points: mark.points }),
        new: item.new.as_ref().map(|mark| MarkRow { outcome: &mark.code, points: mark.points }),
        by: item.by(),
    }
}

fn kind(is_criterion: bool) -> &'static str {
    if is_criterion { "criterion" } else { "value" }
}

fn csv(regrade: &Regrade, out: impl Write) -> Result<(), Trouble> {
    let told = |error: csv::Error| Trouble::Operator(format!("cannot write the output: {error}"));
    let mut table = csv::Writer::from_writer(out);
    table.write_record(["id", "name", "kind", "item", "old", "new", "old_points", "new_points", "by"]).map_err(told)?;
    for changed in &regrade.changed {
        for item in &changed.items {
            let code = |mark: &Option<Mark>| mark.as_ref().map_or(String::new(), |mark| inert::cell(&mark.code));
            let earned = |mark: &Option<Mark>| mark.as_ref().map_or(String::new(), |mark| points(mark.points));
            let name = changed.name.as_deref().map(inert::cell).unwrap_or_default();
            let row = [
                inert::cell(&changed.id),
                name,
                kind(item.is_criterion).to_owned(),
                inert::cell(&item.id),
                code(&item.old),
                code(&item.new),
                earned(&item.old),
                earned(&item.new),
                points(item.by()),
            ];
            table.write_record(row).map_err(told)?;
        }
    }
    table.flush()?;
    Ok(())
}

fn who(changed: &Changed) -> String {
    match &changed.name {
        Some(name) => format!("{} ({name})", changed.id),
        None => changed.id.clone(),
    }
}

/// `27.5 → 29.5 of 40 (+2)`.
fn moved(changed: &Changed) -> String {
    match (changed.old, changed.new) {
        (Some(old), Some(new)) => {
            let of = if (old.possible - new.possible).abs() < 1e-9 {
                format!("{} → {} of {}", points(old.awarded), points(new.awarded), points(new.possible))
            } else {
                format!("{} of {} → {} of {}", points(old.awarded), points(old.possible), points(new.awarded), points(new.possible))
            };
            let waiting = match (old.pending, new.pending) {
                (was, is) if (was - is).abs() < 1e-9 => String::new(),
                (was, is) => format!(", {} → {} waiting for a person", points(was), points(is)),
            };
            format!("{of} ({}){waiting}", signed(changed.by()))
        }
        (Some(old), None) => format!("{} of {} → could not be graded", points(old.awarded), points(old.possible)),
        (None, Some(new)) => format!("could not be graded → {} of {}", points(new.awarded), points(new.possible)),
        (None, None) => "could not be graded".to_owned(),
    }
}

/// `d.overlap: partly, 2 → met, 4 (+2)`.
fn told(item: &Item) -> String {
    let mark = |mark: &Option<Mark>| match mark {
        Some(mark) => format!("{}, {}", mark.code, points(mark.points)),
        None => "not there".to_owned(),
    };
    format!("{}: {} → {} ({})", item.id, mark(&item.old), mark(&item.new), signed(item.by()))
}

fn signed(by: f64) -> String {
    if by > 0.0 { format!("+{}", points(by)) } else { points(by).replace('-', "−") }
}

/// Points to the hundredth, without zeros at the end.
fn points(points: f64) -> String {
    let text = format!("{points:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
