//! The class at a glance: what a lecturer reads in two minutes, for a terminal, as Markdown, and as one page for a browser.
//!
//! The statistics come from the rows of a run, the names of things from the drill, and the examples from the students'
//! own texts. `Overview` holds all of it, ready to be said; the layouts only lay out. Words that are not ours stand in
//! it as [`quoted`] or go through a layout's own escaping, like everywhere.

mod gather;
mod markdown;
mod page;
mod terminal;
mod texts;
mod words;

use std::path::Path;

use self::texts::Texts;
use crate::cohort::Trouble;
use crate::cohort::read::{Run, Score, Submitted};
use crate::cohort::review::{self, Log, Pairing};
use crate::cohort::stats::{Scores, Stats};
use crate::drill::Drill;
use crate::report::look::Look;
use crate::report::quote::Quote;

/// A class, ready to be reported on.
#[derive(Debug)]
pub struct Overview {
    /// What was graded: the drill's title, or how many drills there are.
    title: String,
    /// The class as it was named.
    input: String,
    /// By which version of the program.
    tool: String,
    /// The whole in a few sentences.
    lead: Vec<String>,
    /// What somebody has to look after before the results mean anything.
    cares: Vec<Care>,
    /// One view a drill.
    drills: Vec<View>,
    /// In the order of the rows.
    students: Vec<Student>,
    /// What is to be said about this report itself.
    remarks: Vec<String>,
    /// Where the students' own texts are.
    texts: Texts,
}

/// Something to look after: one kind of trouble, and whom it is about.
#[derive(Debug)]
struct Care {
    title: String,
    lines: Vec<String>,
}

/// All answers to one drill.
#[derive(Debug)]
struct View {
    id: String,
    title: String,
    answers: usize,
    waiting: usize,
    scores: Scores,
    /// The parts in the drill's order, with their items.
    parts: Vec<PartView>,
    /// The most common first.
    mistakes: Vec<MistakeView>,
    /// Wrong values that several share and no mistake explains, the most common first.
    unexplained: Vec<MistakeView>,
    /// What is amiss with the form, the most common first: a phrase, and in how many answers.
    forms: Vec<(&'static str, usize)>,
    sums: Vec<SumView>,
    roots: Vec<RootView>,
    backlog: Vec<WaitingView>,
    /// What was decided more than once, in the drill's order.
    agreement: Vec<AgreementView>,
}

/// A part of the drill.
#[derive(Debug)]
struct PartView {
    title: String,
    items: Vec<ItemView>,
}

/// An asked quantity or a criterion.
#[derive(Debug)]
struct ItemView {
    id: String,
    name: String,
    possible: f64,
    /// In the order of a bar; nothing that is 0.
    counts: Vec<(Look, usize)>,
    difficulty: Option<f64>,
    discrimination: Option<f64>,
}

impl ItemView {
    /// The answers in which it was judged.
    fn answers(&self) -> usize {
        self.counts.iter().map(|(_, count)| count).sum()
    }
}

/// A mistake that was made more than once, or a value.
#[derive(Debug)]
struct MistakeView {
    ask: String,
    name: String,
    /// The code of the mistake, or the value.
    code: String,
    /// What was done, where there is a sentence for it.
    says: Option<String>,
    answers: usize,
    example: Option<Quote>,
}

/// Whether the terms of a sum are shown.
#[derive(Debug)]
struct SumView {
    name: String,
    terms: Vec<String>,
    both: usize,
    one: usize,
    total_only: usize,
    none: usize,
    /// Who gave only the total.
    who: Vec<String>,
}

/// Where an error begins that is carried forward.
#[derive(Debug)]
struct RootView {
    ask: String,
    name: String,
    answers: usize,
    kept: f64,
    /// The mistakes at the root, the most common first: a sentence or a code, and in how many answers.
    mistakes: Vec<(String, usize)>,
    /// What follows from it, in the drill's order, and in how many answers.
    reaches: Vec<(String, String, usize)>,
}

/// What waits for a person.
#[derive(Debug)]
struct WaitingView {
    id: String,
    name: String,
    answers: usize,
    points: f64,
    /// The reasons, the most common first.
    why: Vec<(String, usize)>,
}

/// How far those who decided about an item agree.
#[derive(Debug)]
struct AgreementView {
    id: String,
    name: String,
    people: Pairing,
    rules: Pairing,
    /// What was decided in two ways: a sentence each.
    disagreements: Vec<String>,
}

/// A row of the class.
#[derive(Clone, Debug)]
struct Student {
    submitted: Submitted,
    drill: Option<String>,
    score: Option<Score>,
    /// A sign an item, with a blank between the parts.
    signs: String,
    /// Required values by verdict.
    right: usize,
    carried: usize,
    off: usize,
    missing: usize,
    open: usize,
    totals_only: bool,
    nothing_found: bool,
    error: Option<String>,
}

impl Overview {
    /// Gathers everything from a finished run. The drills give things their names; `class` is where the students' texts
    /// are now, if they are no longer where they were.
    ///
    /// # Errors
    ///
    /// When the rows of the run cannot be read. Texts that are gone are no trouble: the report says so.
    pub fn new(run: &Run, drills: &[Drill], class: Option<&Path>) -> Result<Overview, Trouble> {
        let mut stats = Stats::default();
        let mut students = Vec::new();
        for row in run.grades()? {
            let row = row?;
            stats.add(&row);
            students.push(gather::student(&row));
        }
        let agreement = review::agreement(&Log::read(run.folder())?);
        Ok(gather::overview(run, drills, class, &stats, &agreement, students))
    }

    /// For a terminal of so many columns, with escape codes for color; whoever prints takes them out where they do not
    /// belong.
    pub fn to_terminal(&self, columns: usize) -> String {
        terminal::render(self, columns)
    }

    /// As one page for a browser. With `links`, each student leads to a file in the folder `feedback` beside the page.
    ///
    /// # Errors
    ///
    /// When the rows of the run can no longer be read.
    pub fn to_html(&self, run: &Run, links: bool) -> Result<String, Trouble> {
        page::render(self, run, links)
    }

    /// As Markdown.
    pub fn to_markdown(&self) -> String {
        markdown::render(self)
    }
}
