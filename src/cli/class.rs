//! `drillmark grade FOLDER --out RUN`: a whole class into a run folder.

use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use drillmark::answer::Kind;
use drillmark::cohort::review::Reopened;
use drillmark::cohort::{self, Class, Feedback, Matches, Moment, Options, Progress, Roster, Rules, Run, Summary};
use drillmark::drill::Drill;
use drillmark::report::{Reader, inert};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Done, Shell, Trouble, variant, warn};

/// More than this of a kind are counted, not listed.
const LISTED: usize = 10;

#[derive(Debug, clap::Args)]
#[group(skip)]
pub(crate) struct Args {
    /// Grade a whole class into this folder: a folder, zip, tar, CSV or JSONL of submissions; again to go on with it
    #[arg(long, value_name = "RUN", conflicts_with_all = ["format", "fail_under", "input", "variant", "student"])]
    pub(crate) out: Option<PathBuf>,

    /// A CSV with the students, to give the submissions names and to see who is missing
    #[arg(long, value_name = "CSV", requires = "out")]
    roster: Option<PathBuf>,

    /// Of several attempts the last before this counts, and later ones are marked late: `2026-09-02 23:59`
    #[arg(long, value_name = "TIME", requires = "out")]
    deadline: Option<String>,

    /// Write a feedback file for each student
    #[arg(long, value_enum, value_name = "FORMAT", requires = "out")]
    feedback: Option<Form>,

    /// For whom the feedback files are
    #[arg(long, value_enum, default_value = "student", requires = "feedback")]
    feedback_view: View,

    /// Each student has a variant of their own, drawn by their id and the course's secret in this file
    #[arg(long, value_name = "FILE", requires = "out")]
    variants: Option<PathBuf>,
}

/// The layouts of feedback files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// Markdown
    Md,
    /// Plain text
    Txt,
    /// A page for a browser, with the student's own text
    Html,
    /// The same laid out for paper: HTML, to be printed into a PDF
    Pdf,
}

/// The readers of feedback files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum View {
    /// No points, and no value that the answer does not hold
    Student,
    /// Everything
    Staff,
}

/// What the flags of `grade` say for the class as well.
pub(crate) struct Asked<'a> {
    pub(crate) inputs: &'a [PathBuf],
    pub(crate) drill: Option<&'a str>,
    pub(crate) kind: Option<Kind>,
    pub(crate) threads: Option<NonZero<usize>>,
    pub(crate) explain: bool,
}

pub(crate) fn run(args: &Args, out: &Path, asked: &Asked<'_>, shell: &mut Shell) -> Result<Done, Trouble> {
    let [input] = asked.inputs else {
        return Err(Trouble::Operator("with `--out`, name one folder, archive, table or stream of submissions".to_owned()));
    };
    let deadline = args.deadline.as_deref().map(str::parse::<Moment>).transpose().map_err(|error| Trouble::with("--deadline", error))?;
    let drills = drills(shell, asked.drill)?;
    if let (Some(_), [drill]) = (&args.variants, drills.as_slice())
        && !drill.varies()
    {
        return Err(Trouble::Operator(variant::none(drill)));
    }
    let rules = Rules { deadline, kind: asked.kind, ..Rules::default() };
    let mut class = Class::collect(input, &rules).map_err(told)?;
    let matches = match &args.roster {
        Some(path) => Some(Roster::open(path).map_err(told)?.join(&mut class)),
        None => None,
    };
    if class.submissions.is_empty() {
        return Err(Trouble::with(input.display(), "holds no submissions"));
    }
    let options = Options {
        feedback: args.feedback.map(|form| match form {
            Form::Md => Feedback::Markdown,
            Form::Txt => Feedback::Text,
            Form::Html => Feedback::Html,
            Form::Pdf => Feedback::Print,
        }),
        reader: match args.feedback_view {
            View::Student => Reader::Student,
            View::Staff => Reader::Staff,
        },
        explain: asked.explain,
        deadline: args.deadline.clone(),
        kind: asked.kind.map(|kind| kind.extension().to_owned()),
        threads: asked.threads,
        salt: args.variants.as_deref().map(|file| variant::salt(shell, file)).transpose()?,
    };
    let stop = stopped_by_hand();
    let bar = Bar::new(class.submissions.len());
    let summary = cohort::grade(&class, &drills, matches.as_ref(), out, &options, &bar, &stop).map_err(told);
    bar.0.finish_and_clear();
    tell(shell, &class, matches.as_ref(), &summary?, out)
}

fn drills(shell: &Shell, drill: Option<&str>) -> Result<Vec<Drill>, Trouble> {
    match drill {
        Some(id) => Ok(vec![shell.drill(id)?]),
        None => shell.library()?.ids().map(|id| shell.drill(id)).collect(),
    }
}

fn told(trouble: cohort::Trouble) -> Trouble {
    match trouble {
        cohort::Trouble::Io { path, error } => Trouble::io(&path, &error),
        other => Trouble::Operator(other.to_string()),
    }
}

/// Becomes true when somebody presses Ctrl-C, or the system asks the process to end.
fn stopped_by_hand() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&stop);
    // Without a handler, Ctrl-C ends the process at once, and the next run goes on as well.
    let _ = ctrlc::set_handler(move || heard.store(true, Ordering::Relaxed));
    stop
}

/// A bar on a terminal, nothing elsewhere.
struct Bar(ProgressBar);

impl Bar {
    fn new(total: usize) -> Bar {
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} graded, {per_sec:.0}, {eta} left").ok();
        let bar = ProgressBar::new(total as u64);
        Bar(match style {
            Some(style) => bar.with_style(style),
            None => bar,
        })
    }
}

impl Progress for Bar {
    fn at(&self, done: usize, _of: usize) {
        self.0.set_position(done as u64);
    }
}

/// The summary, and everything that somebody has to look after.
fn tell(shell: &mut Shell, class: &Class, matches: Option<&Matches>, summary: &Summary, out: &Path) -> Result<Done, Trouble> {
    let folder = out.display().to_string();
    if summary.is_stopped() {
        warn(&format!("stopped after {} of {}; the same command goes on", summary.done, summary.submissions));
        return Ok(Done::Incomplete);
    }
    tell_drill(summary);
    let totals = &summary.totals;
    if totals.unreadable > 0 {
        let run = Run::open(out).map_err(told)?;
        let mut rows = run.grades().map_err(told)?.filter_map(Result::ok).filter_map(|row| Some((row.submission.id, row.error?)));
        list(rows.by_ref().map(|(id, error)| format!("{id}: {error}")).take(LISTED), totals.unreadable, "that could not be graded");
    }
    list(class.strays.iter().map(|stray| format!("{}: {}", stray.path, stray.why)), class.strays.len(), "that belong to no student");
    if let Some(matches) = matches {
        let unmatched = matches.unmatched.iter().map(|id| format!("{id}: is not in the roster"));
        list(unmatched, matches.unmatched.len(), "not in the roster");
        list(matches.absent.iter().map(|person| format!("{}: no submission", person.name)), matches.absent.len(), "without a submission");
        let twice = matches.twice.iter().map(|twice| format!("{}: has several submissions: {}", twice.name, twice.submissions.join(", ")));
        list(twice, matches.twice.len(), "with several submissions");
    }
    let reopened = summary.reopened.iter().map(|reopened| {
        let Reopened { submission, id, by, outcome, why, now } = reopened;
        format!("{submission}: {id}: {why} since {by} decided `{outcome}`; it is `{now}` now")
    });
    list(reopened, summary.reopened.len(), "decisions that hold no longer");
    let out = shell.out();
    write!(out, "{} graded", count(totals.graded, "submission"))?;
    for (number, what) in [
        (totals.unreadable, "could not be graded"),
        (totals.pending, "wait for a person"),
        (totals.nothing_found, "without anything that is asked"),
        (totals.late, "late"),
        (totals.joined, "made of several files"),
        (totals.resubmitted, "handed in again"),
    ] {
        if number > 0 {
            write!(out, ", {number} {what}")?;
        }
    }
    if summary.reused > 0 {
        write!(out, "; {} unchanged since the last time", summary.reused)?;
    }
    writeln!(out, "\nresults: {}", inert::terminal(&folder))?;
    Ok(if totals.unreadable > 0 { Done::Incomplete } else { Done::Fine })
}

/// Where no drill was named, which one it is; where none stands out, that somebody has to say.
fn tell_drill(summary: &Summary) {
    let share = |(id, answers): &(String, usize)| format!("{answers} to `{id}`");
    let shares = |votes: &[(String, usize)]| votes.iter().take(2).map(share).collect::<Vec<_>>().join(", ");
    match (&summary.usual, summary.votes.as_slice()) {
        (_, []) => {}
        (Some(usual), [_]) => warn(&format!("no drill was named; the answers are to `{usual}`")),
        (Some(usual), votes) => warn(&format!(
            "no drill was named; most answers are to `{usual}`, and some are not ({}); `--drill {usual}` takes all for the same",
            shares(votes)
        )),
        (None, votes) => warn(&format!("no drill was named, and none stands out ({}): say with `--drill` which it is", shares(votes))),
    }
}

/// The first few on standard error, and how many there are.
fn list(lines: impl Iterator<Item = String>, total: usize, what: &str) {
    for line in lines.take(LISTED) {
        warn(&line);
    }
    if total > LISTED {
        warn(&format!("and {} more {what}", total - LISTED));
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
