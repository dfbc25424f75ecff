//! One model that all platforms are served from: a submission with its items, each decided or waiting.

use crate::cohort::Trouble;
use crate::cohort::gradebook::points::{Points, shared_out};
use crate::cohort::read::{Criterion, NOTHING_FOUND, Quantity, ReviewItem, Row, Run, Submitted, Version};
use crate::drill::Drill;
use crate::report::{Standing, inert};

/// What a line of a gradebook is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Each asked quantity and each criterion that earns points.
    Item,
    /// Each part of the drill.
    Part,
}

/// A submission, ready for any platform.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pub(super) submission: Submitted,
    pub(super) outcome: Outcome,
}

/// What came of a submission.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Graded(Marks),
    /// Why it could not be graded.
    Unread(String),
}

/// The points of a submission. What is awarded, lost and pending adds up to what is possible, to the hundredth.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    pub(super) drill: Version,
    pub(super) rubric: Version,
    pub(super) items: Vec<Item>,
    pub(super) awarded: Points,
    pub(super) possible: Points,
    pub(super) pending: Points,
    /// The ids of what waits for a person, also of what earns nothing.
    pub(super) waiting: Vec<String>,
    /// Whether nothing that is asked was found, so that a person has to see whether it is an answer at all.
    pub(super) is_unseen: bool,
}

/// Something that earns points.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The stable name.
    pub(super) id: String,
    /// What a person reads.
    pub(super) title: String,
    pub(super) part: String,
    /// Nothing, where it only takes points away.
    pub(super) possible: Points,
    /// How many of them wait.
    pub(super) pending: Points,
    /// `None` while a person has to decide: never 0.
    pub(super) awarded: Option<Points>,
    pub(super) standing: Standing,
    /// What the drill's author says to who answered so; of a part, of everything in it that is not as asked for.
    pub(super) words: Option<String>,
    /// What the person who decided says about it to the student.
    pub(super) comment: Option<String>,
    /// The line of the answer, from 1, and its first and last column, where a value or words were found.
    pub(super) place: Option<Place>,
}

/// Where something stands in an answer; all from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
    /// Of the last character, where it stands on the same line.
    pub(super) end_column: Option<usize>,
}

impl Item {
    /// How it stands, and what its author and a person say about it, in a line for its student.
    pub(super) fn said(&self) -> String {
        let words = self.words.iter().chain(&self.comment).map(String::as_str);
        std::iter::once(self.standing.sentence()).chain(words).collect::<Vec<_>>().join(" ")
    }
}

impl Marks {
    /// The total, unless a person still has to decide about a part of it.
    pub(super) fn total(&self) -> Option<Points> {
        (self.pending == Points::ZERO).then_some(self.awarded)
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.pending > Points::ZERO
    }
}

impl Sheet {
    pub(super) fn marks(&self) -> Option<&Marks> {
        match &self.outcome {
            Outcome::Graded(marks) => Some(marks),
            Outcome::Unread(_) => None,
        }
    }
}

/// How rows become sheets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reckoning<'a> {
    /// For the names of the items; where the right one is not among them, ids stand alone.
    pub(super) drills: &'a [Drill],
    pub(super) by: By,
    /// What a perfect answer is to earn, where it is not what the rubric says.
    pub(super) points: Option<Points>,
    /// The drill that it is about, where answers to others are none.
    pub(super) only: Option<&'a str>,
}

impl<'a> Reckoning<'a> {
    /// The sheets of a run, one after the other.
    pub(super) fn sheets(self, run: &Run) -> Result<impl Iterator<Item = Result<Sheet, Trouble>> + use<'a>, Trouble> {
        Ok(run.grades()?.map(move |row| row.map(|row| self.sheet(row))))
    }

    pub(super) fn sheet(&self, row: Row) -> Sheet {
        let outcome = match (row.error, row.drill, row.rubric, row.score) {
            (Some(error), ..) => Outcome::Unread(error),
            (None, Some(drill), ..) if self.only.is_some_and(|only| only != drill.id) => {
                Outcome::Unread(format!("it answers `{}`, and the others `{}`", drill.id, self.only.unwrap_or_default()))
            }
            (None, Some(drill), Some(rubric), Some(score)) => {
                Outcome::Graded(self.marks((drill, rubric), &row.quantities, &row.criteria, score.possible, &row.review))
            }
            _ => Outcome::Unread("the row of the run holds no score".to_owned()),
        };
        Sheet { submission: row.submission, outcome }
    }

    fn marks(
        &self,
        (drill, rubric): (Version, Version),
        quantities: &[Quantity],
        criteria: &[Criterion],
        possible: f64,
        review: &[ReviewItem],
    ) -> Marks {
        let names = self.drills.iter().find(|known| known.id == drill.id && known.sha256 == drill.sha256);
        let asked = quantities.iter().map(|asked| Draft {
            id: &asked.id,
            part: &asked.part,
            title: names.and_then(|drill| drill.ask(&asked.id).map(|at| drill.asks[at].asks.clone())),
            code: &asked.verdict,
            points: asked.points,
            possible: asked.possible,
            pending: if Standing::of(&asked.verdict) == Standing::Waits { asked.possible } else { asked.pending },
            words: names.and_then(|drill| words_on_mistake(drill, asked)),
            comment: asked.comment.as_deref(),
            place: asked.read.as_ref().map(|read| place(read.line, read.column, &read.text)),
        });
        let weighed = criteria.iter().map(|weighed| Draft {
            id: &weighed.id,
            part: &weighed.part,
            // What is looked for is for staff; the part is all that its student is told.
            title: names.and_then(|drill| drill.part(&weighed.part)).map(|part| part.title.clone()),
            code: &weighed.outcome,
            points: weighed.points,
            possible: weighed.possible,
            pending: weighed.pending.unwrap_or(if Standing::of(&weighed.outcome) == Standing::Waits { weighed.possible } else { 0.0 }),
            words: names.and_then(|drill| words_on_outcome(drill, weighed)),
            comment: weighed.comment.as_deref(),
            place: weighed.evidence.first().map(|evidence| place(evidence.line, evidence.column, &evidence.text)),
        });
        let drafts: Vec<Draft<'_>> = asked.chain(weighed).filter(Draft::counts).collect();
        let scale = match self.points {
            Some(points) if possible > 0.0 => points.number() / possible,
            _ => 1.0,
        };
        let shares = |of: fn(&Draft<'_>) -> f64| shared_out(&drafts.iter().map(|draft| of(draft) * scale).collect::<Vec<_>>());
        let (worth, lost, open) = (shares(|draft| draft.possible), shares(|draft| draft.lost()), shares(|draft| draft.pending));
        let (mut awarded, mut items) = (Points::ZERO, Vec::new());
        for ((draft, possible), (lost, pending)) in drafts.iter().zip(worth).zip(lost.into_iter().zip(open)) {
            let points = possible - lost - pending;
            // Only a deduction is below zero; elsewhere that is a hundredth that was rounded away.
            let points = if draft.points < 0.0 { points } else { points.max(Points::ZERO) };
            awarded = awarded + points;
            items.push(Item {
                id: draft.id.to_owned(),
                title: draft.title.as_deref().map(inert::terminal).unwrap_or_default(),
                part: draft.part.to_owned(),
                possible,
                pending,
                awarded: (draft.pending <= 0.0).then_some(points),
                standing: draft.standing(),
                words: draft.words.filter(|_| draft.says_more()).map(inert::terminal).filter(|words| !words.is_empty()),
                comment: draft.comment.map(inert::terminal).filter(|comment| !comment.is_empty()),
                place: draft.place,
            });
        }
        let awarded = awarded.max(Points::ZERO);
        let waiting = review.iter().map(|item| item.id.clone()).collect();
        let is_unseen = review.iter().any(|item| item.why == NOTHING_FOUND);
        let possible = items.iter().map(|item| item.possible).sum();
        let pending = items.iter().map(|item| item.pending).sum();
        if self.by == By::Part {
            items = parts(items, names);
        }
        Marks { drill, rubric, items, awarded, possible, pending, waiting, is_unseen }
    }
}

/// An item as the report has it.
struct Draft<'a> {
    id: &'a str,
    part: &'a str,
    title: Option<String>,
    code: &'a str,
    points: f64,
    possible: f64,
    pending: f64,
    words: Option<&'a str>,
    comment: Option<&'a str>,
    place: Option<Place>,
}

impl Draft<'_> {
    /// What neither earns nor costs anything is in the reports; a gradebook is about points.
    fn counts(&self) -> bool {
        self.possible > 0.0 || self.points != 0.0 || self.pending > 0.0
    }

    /// Whether the author's words are about how it stands: what waits, or is withheld, stands otherwise than its code says.
    fn says_more(&self) -> bool {
        !matches!(self.standing(), Standing::Waits | Standing::Withheld | Standing::Deducted)
    }

    fn lost(&self) -> f64 {
        (self.possible - self.points - self.pending).max(0.0)
    }

    fn standing(&self) -> Standing {
        match Standing::of(self.code) {
            _ if self.pending > 0.0 => Standing::Waits,
            _ if self.points < 0.0 => Standing::Deducted,
            Standing::Met | Standing::Partly if self.points == 0.0 => Standing::Withheld,
            // A person need not decide about what counts for nothing any more.
            Standing::Waits => Standing::Withheld,
            standing => standing,
        }
    }
}

/// What the author says to who made a mistake that the drill knows.
fn words_on_mistake<'a>(drill: &'a Drill, asked: &Quantity) -> Option<&'a str> {
    let id = asked.mistake.as_ref().filter(|_| asked.verdict == "slip")?;
    let ask = &drill.asks[drill.ask(&asked.id)?];
    Some(ask.mistakes.iter().find(|mistake| mistake.id == *id)?.says.as_str())
}

/// What the author says to who met a criterion, or did not. Where there is only a hint, it helps who did not.
fn words_on_outcome<'a>(drill: &'a Drill, weighed: &Criterion) -> Option<&'a str> {
    let words = &drill.rubric.criteria.iter().find(|criterion| criterion.id == weighed.id)?.student;
    let words = match weighed.outcome.as_str() {
        "met" => words.met.as_ref(),
        "partly" => words.partly.as_ref().or(words.not_met.as_ref()).or(words.hint.as_ref()),
        "not_met" => words.not_met.as_ref().or(words.hint.as_ref()),
        _ => None,
    };
    words.map(String::as_str)
}

fn place(line: usize, column: usize, text: &str) -> Place {
    let is_one_line = !text.contains(['\n', '\r']) && !text.is_empty();
    Place { line, column, end_column: is_one_line.then(|| column + text.chars().count() - 1) }
}

/// The items of each part as one, in the order of the drill; of a drill that is not at hand, in that of their ids.
fn parts(items: Vec<Item>, drill: Option<&Drill>) -> Vec<Item> {
    // An item of a part has a part's id of its own: `e1` stands in `e`.
    let top =
        |id: &str| drill.and_then(|drill| drill.parts.iter().find(|part| part.id == id || part.items.iter().any(|item| item.id == id)));
    let mut parts: Vec<Item> = Vec::new();
    for mut item in items {
        let part = top(&item.part);
        // What is as asked for needs no words among others.
        item.words = item.words.filter(|_| item.awarded != Some(item.possible));
        let id = part.map_or(item.part.as_str(), |part| part.id.as_str()).to_owned();
        match parts.iter_mut().find(|part| part.id == id) {
            Some(whole) => {
                whole.standing = together(whole.standing, item.standing);
                whole.possible = whole.possible + item.possible;
                whole.pending = whole.pending + item.pending;
                let joined = |texts: [Option<String>; 2]| texts.into_iter().flatten().reduce(|one, other| format!("{one} {other}"));
                whole.words = joined([whole.words.take(), item.words]);
                whole.comment = joined([whole.comment.take(), item.comment]);
                whole.awarded = whole.awarded.zip(item.awarded).map(|(one, other)| one + other);
            }
            None => {
                let title = part.map(|part| inert::terminal(&part.title)).unwrap_or_default();
                parts.push(Item { part: id.clone(), id, title, place: None, ..item });
            }
        }
    }
    // Some parts hold nothing but arguments, and those come after all values.
    let place = |id: &str| drill.and_then(|drill| drill.parts.iter().position(|part| part.id == id));
    parts.sort_by(|one, other| (place(&one.id), &one.id).cmp(&(place(&other.id), &other.id)));
    parts
}

fn together(one: Standing, other: Standing) -> Standing {
    let full = |standing| matches!(standing, Standing::Right | Standing::Carried | Standing::Met);
    let none = |standing| matches!(standing, Standing::Wrong | Standing::Slip | Standing::Missing | Standing::NotMet);
    match (one, other) {
        (Standing::Waits, _) | (_, Standing::Waits) => Standing::Waits,
        (Standing::Carried, other) | (other, Standing::Carried) if full(other) => Standing::Carried,
        (one, other) if full(one) && full(other) => Standing::Met,
        (Standing::Missing, Standing::Missing) => Standing::Missing,
        (one, other) if none(one) && none(other) => Standing::NotMet,
        _ => Standing::Partly,
    }
}
