//! What another rubric, another drill or another run would change: who, by how much, and through what.
//!
//! Two ways lead to the same answer. A class can be graded twice, by an old and a new drill ([`Regrade::of_class`]); or
//! two runs that are there can be compared row by row ([`Regrade::of_runs`]). Nothing is written by either.
//!
//! What people decided is not the machine's to change. The rows of a run have their decisions in them already; a class
//! that is graded again takes those of the log it is given, on both sides, so that what a person settled stays settled. A
//! decision that no longer holds, because the criterion or the answer is another, is told and left to the person.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::thread;

use crate::answer::Answer;
use crate::cohort::collect::{Class, Submission};
use crate::cohort::read::{Row, Rows, Score};
use crate::cohort::review::{Marking, Overlay, Reopened, Rulings};
use crate::cohort::{Run, Trouble};
use crate::drill::Drill;
use crate::grade::Grader;
use crate::report::{self, Graded, Layout, Reader, json};
use crate::text;

/// Larger answers are not read.
const LARGEST: usize = 10_000_000;

/// Of a thread that grades: nested markup is read by recursion.
const STACK: usize = 16 << 20;

/// Differences of points that are only the dust of binary fractions.
const DUST: f64 = 1e-6;

/// What would change.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Regrade {
    /// Submissions that are in both.
    pub submissions: usize,
    /// Those whose points, outcomes or feedback change, by id.
    pub changed: Vec<Changed>,
    /// Submissions that only the old side has.
    pub only_old: Vec<String>,
    /// Submissions that only the new side has.
    pub only_new: Vec<String>,
    /// Submissions that neither side could grade, with the reason.
    pub unreadable: Vec<(String, String)>,
    /// The sums of the points on both sides, over the submissions of both.
    pub old_total: f64,
    /// See `old_total`.
    pub new_total: f64,
    /// Decisions of people that would no longer hold.
    pub reopened: Vec<Reopened>,
}

/// A submission that would change.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// The name by which results are joined.
    pub id: String,
    /// Whose it is, where that is known.
    pub name: Option<String>,
    /// The points before; none where it could not be graded.
    pub old: Option<Score>,
    /// The points after.
    pub new: Option<Score>,
    /// Through what: asks first, then criteria, in the order of the new side.
    pub items: Vec<Item>,
    /// The feedback before and after, where both are known and differ.
    pub feedback: Option<(String, String)>,
}

impl Changed {
    /// By how many points; 0 where one side could not be graded.
    pub fn by(&self) -> f64 {
        match (self.old, self.new) {
            (Some(old), Some(new)) => clean(new.awarded - old.awarded),
            _ => 0.0,
        }
    }
}

/// An ask or a criterion that turns out otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Whether it is a criterion, or else an ask.
    pub is_criterion: bool,
    /// Its id.
    pub id: String,
    /// How it turned out before; none where the old side did not have it.
    pub old: Option<Mark>,
    /// How it turns out now; none where the new side has it no more.
    pub new: Option<Mark>,
}

/// How an ask or a criterion turned out.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The verdict's or the outcome's code, with the mistake or the reading where there is one.
    pub code: String,
    /// Earned.
    pub points: f64,
}

impl Item {
    /// By how many points.
    pub fn by(&self) -> f64 {
        let points = |mark: &Option<Mark>| mark.as_ref().map_or(0.0, |mark| mark.points);
        clean(points(&self.new) - points(&self.old))
    }
}

/// How one ask or criterion moves a whole class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Through {
    /// Submissions in which it turns out otherwise.
    pub submissions: usize,
    /// Points that submissions gain through it.
    pub gained: f64,
    /// Points that they lose through it.
    pub lost: f64,
}

/// A row, and the feedback that goes with it where it is known.
type Side = (Row, Option<String>);

impl Regrade {
    /// Grades every submission of a class by both drills, with the decisions that people have taken about it.
    pub fn of_class(class: &Class, old: &Drill, new: &Drill, decisions: &Rulings) -> Regrade {
        let (before, after) = (Bench::new(old, decisions), Bench::new(new, decisions));
        let both = |submission: &Submission| {
            let (answer, sha256) = read(class, submission)?;
            Ok((before.grade(submission, &answer, &sha256).0, after.grade(submission, &answer, &sha256)))
        };
        let mut regrade = Regrade::default();
        for (submission, graded) in class.submissions.iter().zip(in_parallel(&class.submissions, &both)) {
            let (old, (new, reopened)) = match graded {
                Ok(graded) => graded,
                Err(why) => {
                    regrade.unreadable.push((submission.id.clone(), why));
                    continue;
                }
            };
            regrade.reopened.extend(reopened);
            regrade.add(old, new);
        }
        regrade
    }

    /// Compares two runs.
    ///
    /// # Errors
    ///
    /// When one of them cannot be read.
    pub fn of_runs(old: &Run, new: &Run) -> Result<Regrade, Trouble> {
        let mut regrade = Regrade::default();
        let (mut before, mut after) = (old.grades()?, new.grades()?);
        let (mut left, mut right) = (next(&mut before)?, next(&mut after)?);
        loop {
            let order = match (&left, &right) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.submission.id.cmp(&b.submission.id),
            };
            match order {
                Ordering::Less => {
                    regrade.only_old.extend(left.take().map(|row| row.submission.id));
                    left = next(&mut before)?;
                }
                Ordering::Greater => {
                    regrade.only_new.extend(right.take().map(|row| row.submission.id));
                    right = next(&mut after)?;
                }
                Ordering::Equal => {
                    if let (Some(a), Some(b)) = (left.take(), right.take()) {
                        let (was, is) = (feedback(old, &a), feedback(new, &b));
                        regrade.add((a, was), (b, is));
                    }
                    (left, right) = (next(&mut before)?, next(&mut after)?);
                }
            }
        }
        Ok(regrade)
    }

    /// Takes in one submission.
    fn add(&mut self, (old, was): Side, (new, is): Side) {
        self.submissions += 1;
        let points = |row: &Row| row.score.map_or(0.0, |score| score.awarded);
        self.old_total += points(&old);
        self.new_total += points(&new);
        if let (Some(why), Some(_)) = (&new.error, &old.error) {
            self.unreadable.push((new.submission.id.clone(), why.clone()));
            return;
        }
        let items = items(&old, &new);
        let feedback = was.zip(is).filter(|(was, is)| was != is);
        if items.is_empty() && same(old.score, new.score) && feedback.is_none() {
            return;
        }
        let name = new.submission.arrival.name.clone().or(old.submission.arrival.name);
        self.changed.push(Changed { id: new.submission.id, name, old: old.score, new: new.score, items, feedback });
    }

    /// How each ask and criterion moves the class: asks first, in the order in which they first come.
    pub fn through(&self) -> Vec<(bool, &str, Through)> {
        let mut order: Vec<(bool, &str)> = Vec::new();
        let mut sums: BTreeMap<(bool, &str), Through> = BTreeMap::new();
        for item in self.changed.iter().flat_map(|changed| &changed.items) {
            let key = (item.is_criterion, item.id.as_str());
            if !sums.contains_key(&key) {
                order.push(key);
            }
            let sum = sums.entry(key).or_default();
            sum.submissions += 1;
            sum.gained += item.by().max(0.0);
            sum.lost += (-item.by()).max(0.0);
        }
        order.sort_by_key(|(is_criterion, _)| *is_criterion);
        order.into_iter().map(|key| (key.0, key.1, sums.remove(&key).unwrap_or_default())).collect()
    }
}

fn same(old: Option<Score>, new: Option<Score>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => {
            [old.awarded - new.awarded, old.possible - new.possible, old.pending - new.pending].iter().all(|by| by.abs() < DUST)
        }
        (None, None) => true,
        _ => false,
    }
}

/// Without the dust of binary fractions.
fn clean(points: f64) -> f64 {
    (points * 1e6).round() / 1e6 + 0.0
}

/// What turns out otherwise.
fn items(old: &Row, new: &Row) -> Vec<Item> {
    let (was, is) = (marks(old), marks(new));
    let find = |marks: &[(bool, String, Mark)], key: (bool, &str)| {
        marks.iter().find(|(is_criterion, id, _)| (*is_criterion, id.as_str()) == key).map(|(.., mark)| mark.clone())
    };
    let gone = was.iter().filter(|(is_criterion, id, _)| find(&is, (*is_criterion, id)).is_none());
    let mut items: Vec<Item> = is
        .iter()
        .chain(gone)
        .map(|(is_criterion, id, _)| {
            let key = (*is_criterion, id.as_str());
            Item { is_criterion: *is_criterion, id: id.clone(), old: find(&was, key), new: find(&is, key) }
        })
        .filter(|item| item.by() != 0.0 || item.old.as_ref().map(|mark| &mark.code) != item.new.as_ref().map(|mark| &mark.code))
        .collect();
    items.sort_by_key(|item| item.is_criterion);
    items
}

/// How everything turned out, in the order of the row.
fn marks(row: &Row) -> Vec<(bool, String, Mark)> {
    let quantities = row.quantities.iter().map(|found| {
        let code = match found.mistake.as_ref().or(found.reading.as_ref()) {
            Some(which) => format!("{} ({which})", found.verdict),
            None => found.verdict.clone(),
        };
        (false, found.id.clone(), Mark { code, points: found.points })
    });
    let criteria = row.criteria.iter().map(|found| (true, found.id.clone(), Mark { code: found.outcome.clone(), points: found.points }));
    quantities.chain(criteria).collect()
}

/// What comes of each of many things, in their order, worked out by all cores.
fn in_parallel<T: Sync, R: Send>(things: &[T], work: &(dyn Fn(&T) -> R + Sync)) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let size = things.len().div_ceil(threads).max(1);
    let all = |share: &[T]| share.iter().map(work).collect::<Vec<R>>();
    thread::scope(|scope| {
        let mut workers = Vec::new();
        for share in things.chunks(size) {
            let all = &all;
            // Where the system gives no thread, this one does the work.
            workers.push(thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || all(share)).map_err(|_| share));
        }
        let done = workers.into_iter().flat_map(|worker| match worker {
            // A panic is ours, and its message is the one to see.
            Ok(worker) => worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(share) => all(share),
        });
        done.collect()
    })
}

/// An answer, and the digest of its bytes.
fn read(class: &Class, submission: &Submission) -> Result<(Answer, String), String> {
    let text = class.text(submission)?;
    let sha256 = text::sha256(&text.bytes);
    let answer = Answer::read_bytes(text.name, &text.bytes, text.kind, LARGEST).map_err(|error| error.to_string())?;
    Ok((answer, sha256))
}

/// A drill, ready to grade with.
struct Bench<'a> {
    drill: &'a Drill,
    grader: Grader<'a>,
    overlay: Overlay,
}

impl<'a> Bench<'a> {
    fn new(drill: &'a Drill, decisions: &Rulings) -> Bench<'a> {
        let overlay = Overlay::new(Marking::of(std::slice::from_ref(drill)), decisions.clone());
        Bench { drill, grader: Grader::new(drill), overlay }
    }

    /// A grade as a row of a run, with the feedback for staff, and the decisions that no longer hold.
    fn grade(&self, submission: &Submission, answer: &Answer, sha256: &str) -> (Side, Vec<Reopened>) {
        let named = report::Submission { id: &submission.id, file: &submission.file, sha256, arrival: Some(&submission.arrival) };
        let mut grade = self.grader.grade(answer);
        let graded = Graded { submission: named, answer, drill: self.drill, grade: &grade };
        let line = json::line(&json::Report::new(&graded, false).of_run(&graded, ""));
        // OK because a report that was just written is one that can be read.
        let mut row: Row = serde_json::from_str(&line).expect("a report is a row");
        let reopened = self.overlay.apply(&mut row);
        let mut decided = grade.clone();
        if self.overlay.apply_to(&graded, &mut decided) {
            grade = decided;
        }
        let graded = Graded { submission: named, answer, drill: self.drill, grade: &grade };
        ((row, Some(report::render(&graded, Layout::Markdown, Reader::Staff, false))), reopened)
    }
}

fn next(rows: &mut Rows) -> Result<Option<Row>, Trouble> {
    rows.next().transpose()
}

/// The feedback file of a row, where there is one.
fn feedback(run: &Run, row: &Row) -> Option<String> {
    std::fs::read_to_string(run.feedback(&row.submission.id)?).ok()
}
