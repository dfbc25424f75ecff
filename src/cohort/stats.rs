//! What a class did, in numbers: gathered row by row, in memory that does not grow with the answers' texts.
//!
//! An *item* is whatever is judged by itself: an asked quantity or a criterion. Of an item we say
//!
//! * **difficulty**: the mean share of its points that was earned, over the answers in which it is decided. 1 is an item
//!   that everybody gets, 0 one that nobody gets. What is missing counts as 0; what waits for a person does not count.
//! * **discrimination**: the correlation between the share earned here and the share earned on everything else that is
//!   decided in the same answer (the corrected item–rest correlation: an item is not compared with itself). About 0.3 and
//!   more: who does well elsewhere does well here. About 0: the item says nothing about that. Below 0: the item, or how
//!   it is judged, deserves a look.

mod chain;
mod pairs;
mod scores;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

pub use chain::Root;
pub use pairs::Pairs;
pub use scores::{Bin, Scores};

use crate::cohort::read::{Criterion, NOTHING_FOUND, Quantity, Row};
use crate::text;

/// Answers without which a correlation says nothing.
pub const FEWEST: usize = 10;
/// Places kept for an example, so that one can be found that names nobody.
const EXAMPLES: usize = 5;
/// Different wrong values kept apart; a class does not share more.
const VALUES: usize = 50_000;

/// All answers of a run.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Rows.
    pub submissions: usize,
    /// Those that could not be graded, and why, in the order of the rows.
    pub ungraded: Vec<(String, String)>,
    /// The graded ones by the drill they answer.
    pub drills: BTreeMap<String, DrillStats>,
}

/// All answers to one drill.
#[derive(Clone, Debug, Default)]
pub struct DrillStats {
    /// How many.
    pub answers: usize,
    /// Answers in which nothing that is asked was found.
    pub nothing_found: usize,
    /// Answers of which something waits for a person.
    pub waiting: usize,
    /// The points.
    pub scores: Scores,
    /// The asks in the drill's order, then the criteria in the rubric's.
    pub items: Vec<Item>,
    /// By the ask and the mistake.
    pub mistakes: BTreeMap<(String, String), Common>,
    /// Wrong values that no mistake explains, by the ask and the value to three figures.
    pub unexplained: BTreeMap<(String, String), Common>,
    /// In how many answers each note was made.
    pub notes: BTreeMap<String, usize>,
    /// Whether terms are shown, by the sum.
    pub sums: BTreeMap<String, Sum>,
    /// What was carried forward, by the ask where the first wrong value stands.
    pub roots: BTreeMap<String, Root>,
    /// Answers in which something was carried forward.
    pub carried: usize,
    /// What waits for a person, by the item.
    pub backlog: BTreeMap<String, Waiting>,
}

/// An asked quantity or a criterion.
#[derive(Clone, Debug)]
pub struct Item {
    /// As in the drill or the rubric.
    pub id: String,
    /// The part it stands in.
    pub part: String,
    /// Whether it is a criterion.
    pub is_criterion: bool,
    /// Whether the drill demands it; criteria always.
    pub required: bool,
    /// What it is worth, at most.
    pub possible: f64,
    /// Answers by verdict or outcome, by its code.
    pub verdicts: BTreeMap<String, usize>,
    /// The share earned here, and the share earned on the rest.
    pub pairs: Pairs,
    /// The sum of the shares earned here, and over how many answers.
    earned: (f64, usize),
}

impl Item {
    /// The mean share of its points that is earned; nothing where it is worth nothing or decided nowhere.
    pub fn difficulty(&self) -> Option<f64> {
        let (sum, count) = self.earned;
        (count > 0).then(|| sum / count_as_f64(count))
    }

    /// The corrected item–rest correlation; nothing for fewer than [`FEWEST`] answers, or where all are alike.
    pub fn discrimination(&self) -> Option<f64> {
        self.pairs.correlation().filter(|_| self.pairs.count() >= FEWEST)
    }

    /// In how many answers it has this verdict.
    pub fn count(&self, verdict: &str) -> usize {
        self.verdicts.get(verdict).copied().unwrap_or(0)
    }
}

/// Something that several answers have in common.
#[derive(Clone, Debug, Default)]
pub struct Common {
    /// In how many answers.
    pub answers: usize,
    /// Where it can be looked at: a choice that does not depend on the order of the rows.
    pub examples: Vec<Example>,
}

/// A place in an answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Example {
    /// By which examples are chosen: as good as random, and always the same.
    lot: String,
    /// Whose answer.
    pub submission: String,
    /// The bytes.
    pub span: (usize, usize),
    /// What stands there.
    pub text: String,
}

impl Common {
    fn add(&mut self, row: &Row, quantity: &Quantity, what: &str) {
        self.answers += 1;
        let Some(read) = &quantity.read else { return };
        let lot =
            text::sha256(format!("{} {what} {}", quantity.id, row.submission.sha256.as_deref().unwrap_or(&row.submission.id)).as_bytes());
        let example = Example { lot, submission: row.submission.id.clone(), span: (read.start, read.end), text: read.text.clone() };
        let at = self.examples.partition_point(|known| *known < example);
        if at < EXAMPLES {
            self.examples.insert(at, example);
            self.examples.truncate(EXAMPLES);
        }
    }
}

/// Whether the terms of a sum are shown.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    /// The asks that are its terms.
    pub terms: Vec<String>,
    /// Answers by what was found, by its code.
    pub found: BTreeMap<String, usize>,
    /// Who gave only the total, in the order of the rows.
    pub total_only: Vec<String>,
}

/// What waits for a person.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// In how many answers.
    pub answers: usize,
    /// Whether it is a criterion.
    pub is_criterion: bool,
    /// The points that wait, over all of them.
    pub points: f64,
    /// Answers by the reason, by its code.
    pub why: BTreeMap<String, usize>,
}

impl Stats {
    /// Takes a row in.
    pub fn add(&mut self, row: &Row) {
        self.submissions += 1;
        match (&row.error, &row.drill) {
            (None, Some(drill)) => self.drills.entry(drill.id.clone()).or_default().add(row),
            (error, _) => self.ungraded.push((row.submission.id.clone(), error.clone().unwrap_or_default())),
        }
    }
}

impl DrillStats {
    fn add(&mut self, row: &Row) {
        self.answers += 1;
        self.nothing_found += usize::from(nothing_found(row));
        self.waiting += usize::from(!row.review.is_empty());
        if let Some(score) = row.score {
            self.scores.add(score, !row.review.is_empty());
        }
        self.items(row);
        self.mistakes(row);
        for sum in &row.separate_terms {
            let known = self.sums.entry(sum.of.clone()).or_default();
            if known.terms.is_empty() {
                known.terms.clone_from(&sum.terms);
            }
            *known.found.entry(sum.found.clone()).or_default() += 1;
            if sum.found == "total_only" {
                known.total_only.push(row.submission.id.clone());
            }
        }
        self.carried += usize::from(chain::follow(row, &mut self.roots));
        for item in &row.review {
            let waiting = self.backlog.entry(item.id.clone()).or_default();
            waiting.answers += 1;
            waiting.is_criterion = item.kind == "criterion";
            let is_meant = |judged: &Judged| judged.id == item.id || item.why == NOTHING_FOUND && judged.is_open && !judged.is_criterion;
            waiting.points += judged(row).filter(is_meant).map(|judged| judged.possible).sum::<f64>();
            *waiting.why.entry(item.why.clone()).or_default() += 1;
        }
    }

    fn items(&mut self, row: &Row) {
        let decided = || judged(row).filter(|judged| !judged.is_open && judged.possible > 0.0);
        let (points, possible) = decided().fold((0.0, 0.0), |(points, possible), item| (points + item.points, possible + item.possible));
        for (at, found) in judged(row).enumerate() {
            // Every row of a drill has the same items in the same order, unless the drill changed between two of them.
            let known = self.items.get(at).is_some_and(|item| item.id == found.id).then_some(at);
            let at = known.or_else(|| self.items.iter().position(|item| item.id == found.id)).unwrap_or_else(|| {
                self.items.push(found.item());
                self.items.len() - 1
            });
            let item = &mut self.items[at];
            *item.verdicts.entry(found.verdict.to_owned()).or_default() += 1;
            item.possible = item.possible.max(found.possible);
            if found.is_open || found.possible <= 0.0 {
                continue;
            }
            let share = found.points / found.possible;
            item.earned = (item.earned.0 + share, item.earned.1 + 1);
            let rest = possible - found.possible;
            if rest > 0.0 {
                item.pairs.add(share, (points - found.points) / rest);
            }
        }
    }

    fn mistakes(&mut self, row: &Row) {
        let mut notes = BTreeSet::new();
        for quantity in &row.quantities {
            notes.extend(quantity.notes.iter());
            // What is neither demanded nor worth anything is said in passing, and often no answer at all.
            if !quantity.required && quantity.possible <= 0.0 {
                continue;
            }
            match (&quantity.mistake, quantity.verdict.as_str()) {
                (Some(mistake), "slip" | "wrong") => {
                    self.mistakes.entry((quantity.id.clone(), mistake.clone())).or_default().add(row, quantity, mistake);
                }
                (None, "wrong") => {
                    let Some(value) = quantity.read.as_ref().filter(|read| read.high.is_none()).and_then(|read| read.value) else {
                        continue;
                    };
                    let value = format!("{value:.2e}");
                    let is_known = self.unexplained.len() < VALUES || self.unexplained.contains_key(&(quantity.id.clone(), value.clone()));
                    if is_known {
                        self.unexplained.entry((quantity.id.clone(), value.clone())).or_default().add(row, quantity, &value);
                    }
                }
                _ => {}
            }
        }
        for note in notes {
            *self.notes.entry(note.clone()).or_default() += 1;
        }
    }
}

/// Whether nothing that is asked was found in an answer that was graded.
pub(crate) fn nothing_found(row: &Row) -> bool {
    row.nothing_found()
}

/// What a row says of one item.
pub(crate) struct Judged<'a> {
    pub(crate) id: &'a str,
    pub(crate) part: &'a str,
    pub(crate) is_criterion: bool,
    pub(crate) required: bool,
    /// The code of the verdict or the outcome.
    pub(crate) verdict: &'a str,
    /// Whether a person has to decide.
    pub(crate) is_open: bool,
    pub(crate) points: f64,
    pub(crate) possible: f64,
}

impl<'a> Judged<'a> {
    fn quantity(quantity: &'a Quantity) -> Judged<'a> {
        Judged {
            id: &quantity.id,
            part: &quantity.part,
            is_criterion: false,
            required: quantity.required,
            verdict: &quantity.verdict,
            is_open: quantity.verdict == "unclear" || quantity.pending > 0.0,
            points: quantity.points,
            possible: quantity.possible,
        }
    }

    fn criterion(criterion: &'a Criterion) -> Judged<'a> {
        Judged {
            id: &criterion.id,
            part: &criterion.part,
            is_criterion: true,
            required: true,
            verdict: &criterion.outcome,
            is_open: criterion.outcome == "review",
            points: criterion.points,
            possible: criterion.possible,
        }
    }

    fn item(&self) -> Item {
        Item {
            id: self.id.to_owned(),
            part: self.part.to_owned(),
            is_criterion: self.is_criterion,
            required: self.required,
            possible: self.possible,
            verdicts: BTreeMap::new(),
            pairs: Pairs::default(),
            earned: (0.0, 0),
        }
    }
}

/// The items of a row: its quantities, then its criteria.
pub(crate) fn judged(row: &Row) -> impl Iterator<Item = Judged<'_>> {
    row.quantities.iter().map(Judged::quantity).chain(row.criteria.iter().map(Judged::criterion))
}

/// A count of answers, to reckon with.
fn count_as_f64(count: usize) -> f64 {
    // OK because a class has fewer students than an f64 has whole numbers.
    #[expect(clippy::cast_precision_loss, reason = "counts of students are small")]
    let count = count as f64;
    count
}
