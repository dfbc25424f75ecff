//! `drillmark review RUN`: the desk at which people decide what no rule does.

mod app;
mod paint;
mod screen;
mod terminal;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use drillmark::cohort::review::{self, Desk, Log, Marking, Mode, Reopened};
use drillmark::cohort::{self, Run};
use drillmark::drill::Drill;
use drillmark::report::{inert, json};

use self::app::{App, Effect};
use self::terminal::{Terminal, Told};
use super::{Done, Shell, Trouble, warn, write_whole};

/// More than this of a kind are counted, not listed.
const LISTED: usize = 10;
/// Larger tables are not read.
const LARGEST_TABLE: u64 = 100_000_000;

#[derive(Debug, clap::Args)]
#[command(after_help = "At the desk `?` shows the keys. Every decision is on the disk before the next key is read.")]
pub(crate) struct Args {
    /// The folder that `drillmark grade --out` wrote
    run: PathBuf,

    /// Who decides; the name of the account where this is left out
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,

    /// Decide a share a second time without seeing the first: `10%`. The same share gives the same sample
    #[arg(long, value_name = "SHARE", group = "what", value_parser = share)]
    double: Option<f64>,

    /// Settle what was decided in two ways, both sides seen
    #[arg(long, group = "what")]
    settle: bool,

    /// Say how far people agree with each other and with the rules
    #[arg(long, group = "what")]
    agreement: bool,

    /// Write what waits as a table for a spreadsheet
    #[arg(long, value_name = "CSV", group = "what")]
    export: Option<PathBuf>,

    /// Take the decisions of a filled-in table
    #[arg(long, value_name = "CSV", group = "what")]
    import: Option<PathBuf>,

    /// Write the gradebook and the feedback anew with what is decided
    #[arg(long, group = "what")]
    apply: bool,

    /// Check that the log of decisions is as it was written
    #[arg(long, group = "what")]
    verify: bool,

    /// Where the class lies, if it is no longer where it was graded
    #[arg(long, value_name = "CLASS")]
    class: Option<PathBuf>,

    /// How `--agreement` is written
    #[arg(long, value_enum, default_value = "text", requires = "agreement")]
    format: Format,
}

/// Ways to write a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For a person
    Text,
    /// For a program
    Json,
}

/// `10%`, `10 %` or `0.1`.
fn share(text: &str) -> Result<f64, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let share = match text.trim().strip_suffix('%') {
        Some(percent) => number(percent).map(|percent| percent / 100.0),
        None => number(text),
    };
    share.filter(|share| *share > 0.0 && *share <= 1.0).ok_or_else(|| "expected a share such as `10%`".to_owned())
}

pub(crate) fn run(args: &Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let run = Run::open(&args.run).map_err(told)?;
    if args.verify {
        return verify(&run, shell);
    }
    if args.agreement {
        return agreement(&run, args.format, shell);
    }
    if args.apply {
        return apply(&run, args, shell);
    }
    if let Some(path) = &args.export {
        return export(&run, path, shell);
    }
    let name = who(args)?;
    if let Some(path) = &args.import {
        return import(&run, args, path, &name, shell);
    }
    sit_down(&run, args, &name, shell)
}

fn told(trouble: cohort::Trouble) -> Trouble {
    match trouble {
        cohort::Trouble::Io { path, error } => Trouble::io(&path, &error),
        other => Trouble::Operator(other.to_string()),
    }
}

/// Who decides, in a form that a log and a screen can take.
fn who(args: &Args) -> Result<String, Trouble> {
    let account = || ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
    let name = args.name.clone().or_else(account).unwrap_or_default();
    let name = inert::terminal(name.trim());
    match name.is_empty() {
        true => Err(Trouble::Operator("who decides? Say it with `--as NAME`".to_owned())),
        false => Ok(name),
    }
}

/// Opens the log, and says what a power loss did to it.
fn open_log(run: &Run, name: &str) -> Result<Log, Trouble> {
    let log = Log::open(run.folder(), &format!("{name} (process {})", std::process::id())).map_err(told)?;
    if let Some(aside) = log.torn() {
        warn(&format!("the last decision was cut off while it was written; what is left of it lies in {}", aside.display()));
    }
    Ok(log)
}

fn verify(run: &Run, shell: &mut Shell) -> Result<Done, Trouble> {
    let verified = Log::verify(run.folder()).map_err(told)?;
    let out = shell.out();
    let lines = |count: u64| if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
    if let Some(flaw) = verified.flaw {
        writeln!(out, "decisions.jsonl:{}: this line {}", flaw.line, flaw.what)?;
        writeln!(out, "before it, {} as they were written", lines(verified.lines.min(flaw.line - 1)))?;
        return Ok(Done::Problems);
    }
    writeln!(out, "{}, each as it was written", lines(verified.lines))?;
    if verified.torn {
        writeln!(out, "the last line was cut off while it was written; the next desk puts it aside")?;
    }
    Ok(Done::Fine)
}

fn agreement(run: &Run, format: Format, shell: &mut Shell) -> Result<Done, Trouble> {
    let found = review::agreement(&Log::read(run.folder()).map_err(told)?);
    if format == Format::Json {
        writeln!(shell.json()?, "{}", json::pretty(&found))?;
        return Ok(Done::Fine);
    }
    let out = shell.out();
    if found.is_empty() {
        writeln!(out, "nothing was decided twice; `--double 10%` marks a sample for a second person")?;
        return Ok(Done::Fine);
    }
    let width = found.iter().map(|row| row.id.len()).max().unwrap_or(0).max(9);
    writeln!(out, "{:width$}       person and person            person and rules", "")?;
    writeln!(
        out,
        "{:width$}  {:>5} {:>9} {:>11}  {:>5} {:>9} {:>11}",
        "criterion", "texts", "agreement", "kappa", "texts", "agreement", "kappa"
    )?;
    for row in &found {
        let cells = |pairing: &review::Pairing| {
            let percent = pairing.agreement.map_or("–".to_owned(), |share| format!("{:.0} %", share * 100.0));
            let kappa = match (pairing.kappa, pairing.both) {
                (Some(kappa), _) => format!("{kappa:.2}"),
                (None, 0) => "–".to_owned(),
                (None, _) => "one outcome".to_owned(),
            };
            format!("{:>5} {percent:>9} {kappa:>11}", pairing.both)
        };
        writeln!(out, "{:width$}  {}  {}", row.id, cells(&row.people), cells(&row.rules))?;
    }
    for row in found.iter().filter(|row| !row.disagreements.is_empty()) {
        writeln!(out, "\n{}", row.id)?;
        for one in &row.disagreements {
            let first = one.first.as_deref().unwrap_or("the rules");
            let settled = one.settled.as_deref().map(|outcome| format!("; settled: {outcome}")).unwrap_or_default();
            let line = format!("{}: {first} {}, {} {}{settled}", one.submission, one.first_says, one.second, one.second_says);
            writeln!(out, "  {}", inert::terminal(&line))?;
        }
    }
    if found.iter().any(|row| row.disagreements.iter().any(|one| one.settled.is_none())) {
        writeln!(out, "\n`drillmark review RUN --settle` lays these on the desk, both sides seen")?;
    }
    Ok(Done::Fine)
}

/// The drills of the run that the library has unchanged.
fn drills(run: &Run, shell: &Shell) -> Result<Vec<Drill>, Trouble> {
    let library = shell.library()?;
    let known: Vec<&str> = library.ids().collect();
    let mut drills = Vec::new();
    for versions in run.manifest.drills.iter().filter(|versions| known.contains(&versions.drill.id.as_str())) {
        let drill = shell.drill(&versions.drill.id)?;
        if drill.sha256 == versions.drill.sha256 && drill.rubric.sha256 == versions.rubric.sha256 {
            drills.push(drill);
        }
    }
    Ok(drills)
}

fn apply(run: &Run, args: &Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let drills = drills(run, shell)?;
    let applied = cohort::apply(run, &drills, args.class.as_deref()).map_err(told)?;
    for Reopened { submission, id, by, outcome, why, now } in applied.reopened.iter().take(LISTED) {
        warn(&format!("{submission}: {id}: {why} since {by} decided `{outcome}`; it is `{now}` now"));
    }
    let mut left: Vec<String> = applied.left.iter().map(|(submission, why)| format!("no new feedback for {submission}: {why}")).collect();
    // A class that is gone is told once.
    if let [(_, first), rest @ ..] = applied.left.as_slice()
        && !rest.is_empty()
        && rest.iter().all(|(_, why)| why == first)
    {
        left = vec![format!("no new feedback for {} submissions: {first}", applied.left.len())];
    }
    for line in left.iter().take(LISTED) {
        warn(line);
    }
    let more = (left.len() + applied.reopened.len()).saturating_sub(2 * LISTED);
    if more > 0 {
        warn(&format!("and {more} more"));
    }
    let people = |count: usize| if count == 1 { "1 submission".to_owned() } else { format!("{count} submissions") };
    let out = shell.out();
    writeln!(out, "gradebook written; decisions in it for {}", people(applied.decided))?;
    if run.manifest.options.feedback.is_some() {
        writeln!(out, "feedback changed for {}", people(applied.feedback))?;
    }
    Ok(if applied.left.is_empty() { Done::Fine } else { Done::Incomplete })
}

fn export(run: &Run, path: &Path, shell: &mut Shell) -> Result<Done, Trouble> {
    let marking = Marking::open(run.folder()).map_err(told)?;
    let cases = review::open(run, &marking).map_err(told)?;
    let entries = Log::read(run.folder()).map_err(told)?;
    write_whole(path, &review::export(&marking, &cases, &entries))?;
    writeln!(shell.out(), "{} rows written; fill in `outcome` and `comment`, and `--import` the table", cases.len())?;
    Ok(Done::Fine)
}

fn import(run: &Run, args: &Args, path: &Path, name: &str, shell: &mut Shell) -> Result<Done, Trouble> {
    let bytes = shell.read(path, LARGEST_TABLE)?;
    let marking = Marking::open(run.folder()).map_err(told)?;
    let cases = review::open(run, &marking).map_err(told)?;
    let mut log = open_log(run, name)?;
    let imported = review::import(&marking, &cases, log.entries(), &bytes).map_err(|what| Trouble::with(path.display(), what))?;
    let taken = imported.acts.len();
    for act in imported.acts {
        log.append(cohort::now(), name, act).map_err(told)?;
    }
    drop(log);
    for (line, what) in &imported.problems {
        warn(&format!("{}:{line}: {what}", path.display()));
    }
    let problems = imported.problems.len();
    let told = format!("{taken} decisions taken, {} rows unchanged, {problems} not taken", imported.unchanged);
    writeln!(shell.out(), "{told}")?;
    let done = if taken > 0 { apply(run, args, shell)? } else { Done::Fine };
    Ok(if problems > 0 { Done::Problems } else { done })
}

fn sit_down(run: &Run, args: &Args, name: &str, shell: &mut Shell) -> Result<Done, Trouble> {
    let marking = Marking::open(run.folder()).map_err(told)?;
    let (mode, cases) = cases(run, args, &marking, shell)?;
    let nothing = match mode {
        Mode::Review => "nothing in this run waits for a person",
        Mode::Second => "nothing was decided by somebody else that could be decided again",
        Mode::Settle => "nothing was decided in two ways",
    };
    if cases.is_empty() {
        writeln!(shell.out(), "{nothing}")?;
        return Ok(Done::Fine);
    }
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() || std::env::var_os("TERM").is_some_and(|term| term == "dumb") {
        return Err(Trouble::Operator("the review desk needs a terminal; `--export CSV` writes a table instead".to_owned()));
    }
    let mut log = open_log(run, name)?;
    let desk = Desk::new(marking, mode, name, cases, log.entries());
    if desk.cases().is_empty() {
        writeln!(shell.out(), "{nothing}")?;
        return Ok(Done::Fine);
    }
    let before = log.entries().len();
    let progress = work(desk, &mut log, shell.color())?;
    let made = log.entries().len() - before;
    drop(log);
    writeln!(shell.out(), "{} of {} decided", progress.decided, progress.of)?;
    // A second opinion changes no grade before it is settled.
    if made > 0 && mode != Mode::Second { apply(run, args, shell) } else { Ok(Done::Fine) }
}

/// What lies on the desk.
fn cases(run: &Run, args: &Args, marking: &Marking, shell: &Shell) -> Result<(Mode, Vec<review::Case>), Trouble> {
    let entries = Log::read(run.folder()).map_err(told)?;
    let class = args.class.as_deref();
    let (mode, (cases, left)) = match (args.double, args.settle) {
        (Some(share), _) => (Mode::Second, review::second(run, marking, &drills(run, shell)?, class, &entries, share).map_err(told)?),
        (None, true) => (Mode::Settle, review::contested(run, marking, &drills(run, shell)?, class, &entries).map_err(told)?),
        (None, false) => (Mode::Review, (review::open(run, marking).map_err(told)?, Vec::new())),
    };
    for line in left.iter().take(LISTED) {
        warn(&format!("left out: {line}"));
    }
    if left.len() > LISTED {
        warn(&format!("and {} more left out", left.len() - LISTED));
    }
    Ok((mode, cases))
}

/// Works at the desk until somebody leaves it.
fn work(desk: Desk, log: &mut Log, color: bool) -> Result<review::Progress, Trouble> {
    let mut terminal = Terminal::take(color)?;
    let mut app = App::new(desk, String::new());
    let mut since = Instant::now();
    loop {
        let (columns, rows) = terminal.size();
        terminal.draw(&screen::draw(&mut app, columns, rows))?;
        let key = match terminal.wait()? {
            Told::Key(key) => key,
            Told::Pasted(text) => {
                app.paste(&text);
                continue;
            }
            Told::Redraw => {
                terminal.forget()?;
                continue;
            }
            Told::Quiet => continue,
        };
        let here = app.desk.case().map(review::Case::key);
        match app.press(key, since.elapsed().as_secs()) {
            Effect::Draw => {}
            Effect::Quit => return Ok(app.desk.progress()),
            Effect::Write(act) => {
                let by = app.desk.by().to_owned();
                match log.append(cohort::now(), &by, *act) {
                    Ok(entry) => {
                        let entry = entry.clone();
                        app.written(&entry);
                    }
                    // The desk stays open: a full disk can be emptied, and what was decided before is safe.
                    Err(trouble) => app.message = format!("NOT written down: {trouble}"),
                }
            }
        }
        if app.desk.case().map(review::Case::key) != here {
            since = Instant::now();
        }
    }
}

#[cfg(test)]
mod tests;
