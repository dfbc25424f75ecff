//! Grading a class into a run folder.
//!
//! Every result goes into a journal as it comes; the files that others read are written at the end, each to a temporary
//! name and then renamed. So a run can be stopped at any moment, by Ctrl-C or by pulling the plug on the process, and the
//! same command goes on with it. A row carries a digest of everything that it follows from: where that is the same, the
//! row of the last time is taken over, and the files come out the same as from one undisturbed run.

mod again;
mod ballot;
mod book;
mod finish;
mod folder;
mod journal;
mod work;

use std::num::NonZero;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;

use crate::cohort::Trouble;
use crate::cohort::collect::Class;
use crate::cohort::read::{RunOptions, Totals};
use crate::cohort::review::{Log, Marking, Overlay, Reopened, Rulings};
use crate::cohort::roster::Matches;
use crate::drill::Drill;
use crate::report::Reader;
use crate::text;

pub(crate) use again::read as read_again;
pub use again::{Applied, apply};
pub(crate) use journal::JOURNAL;

use folder::Folder;
use journal::{Ledger, Place};
use work::{Bench, Jobs, Outcome};

/// The layout of feedback files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// Markdown.
    Markdown,
    /// Plain text.
    Text,
    /// A page for a browser.
    Html,
    /// A page for a browser, laid out for paper.
    Print,
}

impl Feedback {
    /// The layout that the list of a run calls so.
    pub(crate) fn of_code(code: &str) -> Option<Feedback> {
        [Feedback::Markdown, Feedback::Text, Feedback::Html, Feedback::Print].into_iter().find(|feedback| feedback.code() == code)
    }

    /// What it is called in the list of a run: pages for the screen and for paper have the same ending.
    pub fn code(self) -> &'static str {
        match self {
            Feedback::Markdown => "md",
            Feedback::Text => "txt",
            Feedback::Html => "html",
            Feedback::Print => "pdf",
        }
    }

    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        Feedback::ending_of(self.code())
    }

    /// The ending of the files of a layout that a run lists.
    pub(crate) fn ending_of(code: &str) -> &'static str {
        match code {
            "md" => "md",
            "txt" => "txt",
            _ => "html",
        }
    }
}

/// How a class is graded.
#[derive(Clone, Debug)]
pub struct Options {
    /// A feedback file a student, if any.
    pub feedback: Option<Feedback>,
    /// For whom the feedback files are.
    pub reader: Reader,
    /// Whether reports say what each number was taken for.
    pub explain: bool,
    /// The deadline as it was given, to be kept with the run.
    pub deadline: Option<String>,
    /// The format of answers whose names do not say it, as it was given.
    pub kind: Option<String>,
    /// How many answers are graded at once; all cores where it is not said.
    pub threads: Option<NonZero<usize>>,
    /// The course's secret, where each student has a variant of their own: by the submission's id.
    pub salt: Option<Vec<u8>>,
}

impl Options {
    fn kept(&self) -> RunOptions {
        RunOptions {
            feedback: self.feedback.map(|feedback| feedback.code().to_owned()),
            feedback_view: match self.reader {
                Reader::Staff => "staff",
                Reader::Student => "student",
            }
            .to_owned(),
            explain: self.explain,
            deadline: self.deadline.clone(),
            kind: self.kind.clone(),
            variants: self.salt.as_deref().map(text::sha256),
        }
    }
}

/// Is told how a run gets on.
pub trait Progress {
    /// So many of so many submissions are done.
    fn at(&self, done: usize, of: usize);
}

/// How a run went.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Rows in all.
    pub submissions: usize,
    /// Rows that were taken over from the last time.
    pub reused: usize,
    /// Rows that are done; fewer than all where the run was stopped.
    pub done: usize,
    /// How it went; where the run was stopped, nothing yet.
    pub totals: Totals,
    /// Where no drill was named: which ones were found in a sample of the answers, and in how many, the most frequent first.
    pub votes: Vec<(String, usize)>,
    /// The one that all answers are taken for whose words name no other.
    pub usual: Option<String>,
    /// What people had decided and have to decide again, as what it rests on has changed.
    pub reopened: Vec<Reopened>,
}

impl Summary {
    /// Whether the run was stopped before its end.
    pub fn is_stopped(&self) -> bool {
        self.done < self.submissions
    }
}

/// How many results a thread may be ahead of what is written: few, so that they never pile up before a slow disk.
const AHEAD: usize = 16;

/// Grades a class into the folder `out`. When `stop` becomes true, what has been graded is kept and the run ends.
///
/// # Errors
///
/// When the folder cannot be written or is in use, or its disk is full; never for what a student handed in.
pub fn grade(
    class: &Class,
    drills: &[Drill],
    roster: Option<&Matches>,
    out: &Path,
    options: &Options,
    progress: &dyn Progress,
    stop: &AtomicBool,
) -> Result<Summary, Trouble> {
    let folder = Folder::open(out, Path::new(&class.input))?;
    if options.feedback.is_some() {
        folder.make_feedback()?;
    }
    let mut ledger = Ledger::open(&folder)?;
    // What people decided about the last run holds for this one, as far as the words and the rubric are the same.
    let rulings = Rulings::of(&Log::read(out)?);
    let overlay = (!rulings.is_empty()).then(|| Overlay::new(Marking::of(drills), rulings));
    let bench = Bench::new(class, drills, options, &folder, &ledger, overlay.as_ref())?;
    let total = class.submissions.len();
    let mut places: Vec<Option<Place>> = vec![None; total];
    let (mut done, mut reused) = (0, 0);
    let threads = options.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let jobs = Mutex::new(Jobs::new(class)?);
    let failed = AtomicBool::new(false);
    let is_over = || stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
    let mut trouble = None;
    thread::scope(|scope| {
        let (results, queue) = mpsc::sync_channel(threads * AHEAD);
        for _ in 0..threads.min(total) {
            let results = results.clone();
            let (bench, jobs, is_over) = (&bench, &jobs, &is_over);
            let worker = move || {
                while !is_over() {
                    let Some(job) = jobs.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next() else { return };
                    let at = job.at;
                    // The bench catches what goes wrong in an answer; this is for what goes wrong around it.
                    let outcome = panic::catch_unwind(AssertUnwindSafe(|| bench.work(job)))
                        .unwrap_or_else(|_| Err(Trouble::unfit(out, "a result could not be written down")));
                    if results.send((at, outcome)).is_err() {
                        return;
                    }
                }
            };
            if let Err(error) = thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, worker) {
                trouble = Some(Trouble::io(out, error));
                failed.store(true, Ordering::Relaxed);
                break;
            }
        }
        drop(results);
        loop {
            // What is written goes to the system before we wait for more.
            let next = match queue.try_recv() {
                Ok(next) => next,
                Err(_) => {
                    if let Err(error) = ledger.flush() {
                        trouble.get_or_insert(error);
                        failed.store(true, Ordering::Relaxed);
                    }
                    match queue.recv() {
                        Ok(next) => next,
                        Err(_) => break,
                    }
                }
            };
            let (at, outcome): (usize, Result<Outcome, Trouble>) = next;
            let placed = match outcome {
                Ok(Outcome::Reused(place)) => {
                    reused += 1;
                    Ok(place)
                }
                Ok(Outcome::New(line)) => ledger.append(&line),
                Err(error) => Err(error),
            };
            match placed {
                Ok(place) => {
                    places[at] = Some(place);
                    done += 1;
                    progress.at(done, total);
                }
                Err(error) => {
                    trouble.get_or_insert(error);
                    failed.store(true, Ordering::Relaxed);
                }
            }
        }
    });
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    ledger.flush()?;
    let id = |at: usize| drills[at].id.clone();
    let mut summary = Summary {
        submissions: total,
        reused,
        done,
        votes: bench.ballot.votes.iter().map(|(at, count)| (id(*at), *count)).collect(),
        usual: bench.ballot.usual().map(id),
        ..Summary::default()
    };
    if let Some(places) = places.into_iter().collect::<Option<Vec<Place>>>() {
        (summary.totals, summary.reopened) = finish::finish(&folder, &ledger, class, drills, roster, options, &places, overlay.as_ref())?;
        ledger.close()?;
    }
    Ok(summary)
}

#[cfg(test)]
mod tests;
