//! Every sentence a student or grader reads (`wording`) and every layout they come in.
//!
//! Layouts take a [`Graded`] and give text; they decide nothing. Foreign text passes through [`inert`] on its way out.

mod arrival;
pub mod chart;
pub mod checks;
pub mod diagnostics;
pub mod difference;
pub(crate) mod html;
pub mod inert;
pub mod json;
pub(crate) mod look;
mod markdown;
mod page;
pub mod passage;
pub(crate) mod quote;
pub(crate) mod shown;
pub mod solution;
mod standing;
mod terminal;
mod wording;

pub use arrival::{Arrival, LeftOut, Origin};
pub use standing::{NOT_GRADED, Standing};
pub use wording::{Reader, file_notes};

use crate::answer::Answer;
use crate::drill::{Ask, Drill};
use crate::grade::Grade;

/// One graded submission, with everything that a layout needs.
#[derive(Clone, Copy, Debug)]
pub struct Graded<'a> {
    /// What was handed in, from the outside.
    pub submission: Submission<'a>,
    /// What was handed in, as it was read.
    pub answer: &'a Answer,
    /// The exercise.
    pub drill: &'a Drill,
    /// What was found.
    pub grade: &'a Grade,
}

/// What a submission is called, and which bytes it was.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// The name by which results are joined: the file's name without its extension, or what a stream calls it.
    pub id: &'a str,
    /// The file as it was named to us.
    pub file: &'a str,
    /// Of the bytes as handed in, in hexadecimal.
    pub sha256: &'a str,
    /// How it came, where it came with a whole class.
    pub arrival: Option<&'a Arrival>,
}

/// The layouts for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// For a terminal, with escape codes for color.
    Terminal,
    /// Markdown.
    Markdown,
    /// A page for a browser, in one file.
    Html,
    /// The same for paper.
    Print,
}

/// The reference for an ask in its natural unit, as a person reads it.
pub fn reference(ask: &Ask) -> String {
    shown::value(ask.formula.value(), ask.unit.as_ref(), ask.noun.as_deref()).replace(shown::TIE, " ")
}

/// The report on one submission for a person; `explain` adds what each number of the answer was taken for.
pub fn render(graded: &Graded<'_>, layout: Layout, reader: Reader, explain: bool) -> String {
    let page = page::Page::new(graded, reader, explain);
    match layout {
        Layout::Terminal => terminal::render(&page),
        Layout::Markdown => markdown::render(&page),
        Layout::Html => html::render(&page, graded, html::Paper::Screen),
        Layout::Print => html::render(&page, graded, html::Paper::Print),
    }
}

/// The page in the place of a report that there is none of, and why.
pub fn refusal_page(why: &str) -> String {
    let title = "This submission could not be graded".to_owned();
    let mut body = html::Html::default();
    body.element("main", &[], |html| {
        html.line("h1", &[], &title);
        html.element("p", &[], |html| html.text(why));
    });
    html::Document { title, style: "", script: None, body }.finish()
}

/// What to tell whoever grades about an answer in which nothing that is asked was found; `None` for any other answer.
pub fn nothing_found(graded: &Graded<'_>) -> Option<String> {
    let book = wording::Book { drill: graded.drill, grade: graded.grade, source: &graded.answer.source, reader: Reader::Staff };
    book.nothing_found().then(|| book.nothing())
}
