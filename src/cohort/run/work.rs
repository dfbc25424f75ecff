//! What one worker does with one submission: read it, see whether anything changed, grade it, write it out.

use std::any::Any;
use std::io::Write;
use std::panic::{self, AssertUnwindSafe};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::ballot::Ballot;
use super::folder::{Folder, Part};
use super::journal::{Known, Ledger, Place};
use super::{Feedback, Options};
use crate::answer::{Answer, Kind};
use crate::cohort::collect::{Class, Submission, Text};
use crate::cohort::read::{FEEDBACK, RunOptions};
use crate::cohort::review::Overlay;
use crate::cohort::tree::{self, Forward};
use crate::cohort::{Trouble, name};
use crate::drill::{Drill, Finder, Seed};
use crate::grade::{self, Grader};
use crate::lint::Variants;
use crate::report::{self, Arrival, Graded, Layout, Reader, json};
use crate::text;

/// Larger answers are not read.
pub(super) const LARGEST: usize = 10_000_000;

/// A submission to be graded, and its pieces where they had to be read in the order of an archive.
pub(super) struct Job {
    pub(super) at: usize,
    pieces: Option<Pieces>,
}

impl Job {
    /// The text of its submission.
    pub(super) fn text(self, class: &Class) -> Result<Text, String> {
        let submission = &class.submissions[self.at];
        match self.pieces {
            Some(pieces) => class.text_of(submission, pieces),
            None => class.text(submission),
        }
    }
}

/// The bytes of each file, or why they cannot be had.
type Pieces = Vec<Result<Vec<u8>, String>>;

/// Gives out the submissions, one after the other.
pub(super) struct Jobs {
    left: std::ops::Range<usize>,
    packed: Option<Packed>,
}

/// A packed tar, which is read once from its beginning to its end.
struct Packed {
    forward: Forward,
    /// Every stretch that is needed, the last one first: start, length, submission, which of its pieces.
    stretches: Vec<(u64, u64, usize, usize)>,
    /// The pieces of submissions whose files do not lie together.
    waiting: std::collections::BTreeMap<usize, (usize, Pieces)>,
    /// How many pieces each submission has is known to the class; those without any come first.
    counts: Vec<usize>,
    without: Vec<usize>,
}

impl Jobs {
    pub(super) fn new(class: &Class) -> Result<Jobs, Trouble> {
        let left = 0..class.submissions.len();
        let Some(forward) = class.store.forward() else { return Ok(Jobs { left, packed: None }) };
        let forward = forward.map_err(|error| Trouble::io(class.input.as_ref(), error))?;
        let mut stretches = Vec::new();
        for (at, submission) in class.submissions.iter().enumerate() {
            for (piece, place) in submission.pieces.iter().enumerate() {
                if let tree::Place::Slice { start, len } = place {
                    stretches.push((*start, *len, at, piece));
                }
            }
        }
        stretches.sort_unstable_by(|a, b| b.cmp(a));
        let counts: Vec<usize> = class.submissions.iter().map(|submission| submission.pieces.len()).collect();
        let without = left.clone().filter(|&at| counts[at] == 0).rev().collect();
        Ok(Jobs { left, packed: Some(Packed { forward, stretches, waiting: Default::default(), counts, without }) })
    }
}

impl Iterator for Jobs {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        match &mut self.packed {
            None => self.left.next().map(|at| Job { at, pieces: None }),
            Some(packed) => packed.next(),
        }
    }
}

impl Packed {
    fn next(&mut self) -> Option<Job> {
        if let Some(at) = self.without.pop() {
            return Some(Job { at, pieces: Some(Vec::new()) });
        }
        loop {
            let (start, len, at, piece) = self.stretches.pop()?;
            let bytes = self.forward.read(start, len);
            let count = self.counts[at];
            let (read, pieces) = self.waiting.entry(at).or_insert_with(|| (0, vec![Ok(Vec::new()); count]));
            pieces[piece] = bytes;
            *read += 1;
            if *read == count {
                let pieces = self.waiting.remove(&at).map(|(_, pieces)| pieces);
                return Some(Job { at, pieces });
            }
        }
    }
}

/// What came of a submission.
pub(super) enum Outcome {
    /// Nothing changed since the row was written.
    Reused(Place),
    /// A line for the journal.
    New(String),
}

/// Everything that grading needs, shared by all workers.
pub(super) struct Bench<'a> {
    class: &'a Class,
    drills: &'a [Drill],
    graders: Vec<Grader<'a>>,
    finder: Finder,
    /// What the class answers, where no drill was named.
    pub(super) ballot: Ballot,
    explain: bool,
    feedback: Option<(Feedback, Reader)>,
    folder: &'a Folder,
    overlay: Option<&'a Overlay>,
    known: Known,
    /// The digest of what all rows follow from.
    base: Sha256,
    /// The names of the feedback files.
    names: Vec<String>,
    /// The secret that draws each student's variant, and what holds for the drills' own values.
    variants: Option<(Vec<u8>, Vec<Variants<'a>>)>,
}

/// What all rows of a run follow from.
#[derive(Serialize)]
struct Base<'a> {
    format: u32,
    version: &'static str,
    drills: Vec<[&'a str; 3]>,
    usual: Option<&'a str>,
    options: RunOptions,
}

/// What one row follows from beside that.
#[derive(Serialize)]
struct Inputs<'a> {
    id: &'a str,
    file: &'a str,
    arrival: &'a Arrival,
    kind: Option<&'static str>,
    text: Result<&'a str, &'a str>,
}

impl<'a> Bench<'a> {
    pub(super) fn new(
        class: &'a Class,
        drills: &'a [Drill],
        options: &Options,
        folder: &'a Folder,
        ledger: &Ledger,
        overlay: Option<&'a Overlay>,
    ) -> Result<Bench<'a>, Trouble> {
        let graders: Vec<Grader<'a>> = drills.iter().map(|drill| Grader::new(drill).explaining(options.explain)).collect();
        let finder = Finder::among(drills);
        let ballot = if drills.len() > 1 { Ballot::of(class, &finder, &graders)? } else { Ballot::default() };
        let base = Base {
            format: json::FORMAT,
            version: env!("CARGO_PKG_VERSION"),
            drills: drills.iter().map(|drill| [drill.id.as_str(), &drill.sha256, &drill.rubric.sha256]).collect(),
            usual: ballot.usual().map(|at| drills[at].id.as_str()),
            options: options.kept(),
        };
        Ok(Bench {
            class,
            drills,
            graders,
            finder,
            ballot,
            explain: options.explain,
            feedback: options.feedback.map(|feedback| (feedback, options.reader)),
            folder,
            overlay,
            known: ledger.known(),
            base: Sha256::new_with_prefix(json::line(&base)),
            variants: options.salt.clone().map(|salt| (salt, drills.iter().map(Variants::of).collect())),
            names: if options.feedback.is_some() { feedback_names(class) } else { Vec::new() },
        })
    }

    /// Grades a submission, unless it is the same as the last time.
    pub(super) fn work(&self, job: Job) -> Result<Outcome, Trouble> {
        let submission = &self.class.submissions[job.at];
        let at = job.at;
        let text = guarded(|| job.text(self.class));
        let sha256 = text.as_ref().ok().map(|text| text::sha256(&text.bytes));
        let inputs = self.inputs(submission, sha256.as_deref(), &text);
        let feedback =
            self.feedback.map(|(feedback, _)| self.folder.join(FEEDBACK).join(format!("{}.{}", self.names[at], feedback.ending())));
        if let Some(place) = self.known.find(&inputs) {
            // Feedback that somebody removed is written again.
            if feedback.as_ref().is_none_or(|path| path.is_file()) {
                return Ok(Outcome::Reused(place));
            }
        }
        let graded = text.and_then(|text| guarded(|| self.grade(submission, &text, sha256.as_deref().unwrap_or_default(), &inputs)));
        let (line, words) = match graded {
            Ok(graded) => graded,
            Err(error) => {
                let unread = json::Unread::new(&submission.id, &submission.file, sha256.as_deref(), &submission.arrival, &inputs, &error);
                let words = match self.feedback {
                    Some((Feedback::Html | Feedback::Print, _)) => report::refusal_page(&error),
                    _ => format!("This submission could not be graded: {}\n", report::inert::terminal(&error)),
                };
                (json::line(&unread) + "\n", words)
            }
        };
        if let Some(path) = feedback {
            // Before the row, so that no row is without its feedback.
            let mut part = Part::new(path)?;
            part.write_all(words.as_bytes()).map_err(|error| part.told(error))?;
            part.finish()?;
        }
        Ok(Outcome::New(line))
    }

    /// The line of the journal, and the words for the feedback file.
    fn grade(&self, submission: &Submission, text: &Text, sha256: &str, inputs: &str) -> Result<(String, String), String> {
        let answer = Answer::read_bytes(text.name.as_str(), &text.bytes, text.kind, LARGEST).map_err(|error| error.to_string())?;
        if answer.source.text().trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty() {
            return Err("the answer is empty".to_owned());
        }
        let candidates = self.finder.candidates(&answer);
        // Where the words of an answer do not say what it is to, those of the others do.
        let found = match self.ballot.usual().filter(|usual| candidates.contains(usual)) {
            Some(usual) => Some((&self.drills[usual], self.graders[usual].grade(&answer))),
            None => grade::best(&candidates.iter().map(|at| &self.graders[*at]).collect::<Vec<_>>(), &answer),
        };
        let (drill, grade) = found.ok_or_else(|| {
            let likely: Vec<String> = self.finder.likely(&candidates).iter().map(|at| format!("`{}`", self.drills[*at].id)).collect();
            let perhaps = if likely.is_empty() { String::new() } else { format!(", perhaps {}", likely.join(" or ")) };
            format!("which drill it answers is not clear{perhaps}; name it with `--drill`")
        })?;
        let own = self.variant(drill, submission);
        let (drill, grade) = own.as_ref().map_or((drill, grade), |own| (own, Grader::new(own).grade(&answer)));
        let named = report::Submission { id: &submission.id, file: &submission.file, sha256, arrival: Some(&submission.arrival) };
        let graded = Graded { submission: named, answer: &answer, drill, grade: &grade };
        let report = json::Report::new(&graded, self.explain).of_run(&graded, inputs);
        let mut line = json::line(&report);
        for pending in json::pending(&graded, &report) {
            line.push('\t');
            line.push_str(&json::line(&pending));
        }
        line.push('\n');
        let words = match self.feedback {
            None => String::new(),
            Some((feedback, reader)) => words(&graded, feedback, reader, self.overlay),
        };
        Ok((line, words))
    }

    /// The student's own variant, where students have one.
    fn variant(&self, drill: &Drill, submission: &Submission) -> Option<Drill> {
        let (salt, variants) = self.variants.as_ref()?;
        let at = self.drills.iter().position(|known| known.id == drill.id).filter(|_| drill.varies())?;
        Some(variants[at].draw(&Seed::of_student(&submission.id, salt)))
    }

    /// The digest of everything that the row follows from.
    fn inputs(&self, submission: &Submission, sha256: Option<&str>, text: &Result<Text, String>) -> String {
        let inputs = Inputs {
            id: &submission.id,
            file: &submission.file,
            arrival: &submission.arrival,
            kind: text.as_ref().ok().and_then(|text| text.kind).map(Kind::extension),
            text: match text {
                Ok(_) => Ok(sha256.unwrap_or_default()),
                Err(error) => Err(error),
            },
        };
        text::hex(&self.base.clone().chain_update(json::line(&inputs)).finalize())
    }
}

/// What a feedback file says, with what people decided.
pub(super) fn words(graded: &Graded<'_>, feedback: Feedback, reader: Reader, overlay: Option<&Overlay>) -> String {
    let mut decided = None;
    if let Some(overlay) = overlay {
        let mut grade = graded.grade.clone();
        decided = overlay.apply_to(graded, &mut grade).then_some(grade);
    }
    let graded = Graded { grade: decided.as_ref().unwrap_or(graded.grade), ..*graded };
    match feedback {
        Feedback::Markdown => report::render(&graded, Layout::Markdown, reader, false),
        Feedback::Html => report::render(&graded, Layout::Html, reader, false),
        Feedback::Print => report::render(&graded, Layout::Print, reader, false),
        Feedback::Text => anstream::adapter::strip_str(&report::render(&graded, Layout::Terminal, reader, false)).to_string(),
    }
}

/// The names of the feedback files, without their endings, in the order of the submissions.
pub(super) fn feedback_names(class: &Class) -> Vec<String> {
    name::of_files(class.submissions.iter().map(|submission| submission.id.as_str()))
}

/// Does something with one answer: a mistake of ours in it is that answer's trouble, not the class's.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(format!("drillmark failed on this answer, which is drillmark's mistake: {}", said(&*panic))))
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it gave no reason").lines().next().unwrap_or_default()
}
