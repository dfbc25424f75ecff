//! The end of a run: everything in the order of the ids, each file whole before it gets its name.

use std::collections::BTreeSet;
use std::io::Write;

use serde::Deserialize;

use super::book::Gradebook;
use super::folder::Folder;
use super::journal::{Ledger, Place};
use super::{Options, work};
use crate::cohort::Trouble;
use crate::cohort::collect::Class;
use crate::cohort::read::{Criterion, GRADES, Manifest, NOTHING_FOUND, Quantity, REVIEW, RUN, Row, Score, Tool, Totals, Version, Versions};
use crate::cohort::review::{MARKING, Marking, Overlay, Reopened};
use crate::cohort::roster::Matches;
use crate::drill::Drill;
use crate::report::{Arrival, json};

/// What the gradebook needs of a row; the rest of it is passed on as it is.
#[derive(Deserialize)]
pub(super) struct Digest {
    pub(super) drill: Option<Version>,
    pub(super) submission: Whose,
    pub(super) score: Option<Score>,
    #[serde(default)]
    pub(super) quantities: Vec<Asked>,
    #[serde(default)]
    pub(super) criteria: Vec<Weighed>,
    #[serde(default)]
    pub(super) review: Vec<Waits>,
    pub(super) error: Option<String>,
}

impl From<&Row> for Digest {
    fn from(row: &Row) -> Digest {
        let asked =
            |asked: &Quantity| Asked { id: asked.id.clone(), verdict: asked.verdict.clone(), points: asked.points, pending: asked.pending };
        let weighed = |weighed: &Criterion| Weighed { id: weighed.id.clone(), outcome: weighed.outcome.clone(), points: weighed.points };
        Digest {
            drill: row.drill.clone(),
            submission: Whose { id: row.submission.id.clone(), arrival: row.submission.arrival.clone() },
            score: row.score,
            quantities: row.quantities.iter().map(asked).collect(),
            criteria: row.criteria.iter().map(weighed).collect(),
            review: row.review.iter().map(|item| Waits { why: item.why.clone() }).collect(),
            error: row.error.clone(),
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Whose {
    pub(super) id: String,
    #[serde(flatten)]
    pub(super) arrival: Arrival,
}

#[derive(Deserialize)]
pub(super) struct Asked {
    pub(super) id: String,
    pub(super) verdict: String,
    pub(super) points: f64,
    #[serde(default)]
    pub(super) pending: f64,
}

#[derive(Deserialize)]
pub(super) struct Waits {
    pub(super) why: String,
}

impl Digest {
    /// Whether nothing that is asked was found, and no person has looked at it yet.
    pub(super) fn nothing_found(&self) -> bool {
        self.review.iter().any(|item| item.why == NOTHING_FOUND)
    }
}

#[derive(Deserialize)]
pub(super) struct Weighed {
    pub(super) id: String,
    pub(super) outcome: String,
    pub(super) points: f64,
}

/// Writes the files of the run and gives them their names. Where people have decided, the gradebook has their word; the
/// decisions that hold no longer are given back.
#[expect(clippy::too_many_arguments, reason = "the one place where everything that a run has learned comes together")]
pub(super) fn finish(
    folder: &Folder,
    ledger: &Ledger,
    class: &Class,
    drills: &[Drill],
    roster: Option<&Matches>,
    options: &Options,
    places: &[Place],
    overlay: Option<&Overlay>,
) -> Result<(Totals, Vec<Reopened>), Trouble> {
    let mut grades = folder.write(GRADES)?;
    let mut review = folder.write(REVIEW)?;
    let marking = Marking::of(drills);
    let mut book = Gradebook::new(folder, &marking)?;
    // What the rules found is kept with the run; what is told now has people's words in it.
    let (mut found, mut now, mut reopened) = (Count::default(), Count::default(), Vec::new());
    for &place in places {
        let (row, items) = ledger.read(place)?;
        grades.write_all(row.as_bytes()).map_err(|error| grades.told(error))?;
        review.write_all(items.as_bytes()).map_err(|error| review.told(error))?;
        let unfit = |error: serde_json::Error| Trouble::unfit(&folder.join(GRADES), error.to_string());
        let digest: Digest = serde_json::from_str(&row).map_err(unfit)?;
        found.add(&digest);
        match overlay {
            Some(overlay) => {
                let mut row: Row = serde_json::from_str(&row).map_err(unfit)?;
                reopened.extend(overlay.apply(&mut row));
                let digest = Digest::from(&row);
                now.add(&digest);
                book.row(&digest)?;
            }
            None => book.row(&digest)?,
        }
    }
    if let Some(matches) = roster {
        book.absent(matches)?;
    }
    let totals = found.totals();
    let manifest = manifest(class, drills, roster, options, &totals);
    let mut list = folder.write(RUN)?;
    list.write_all((json::pretty(&manifest) + "\n").as_bytes()).map_err(|error| list.told(error))?;
    let mut kept = folder.write(MARKING)?;
    kept.write_all((json::pretty(&marking) + "\n").as_bytes()).map_err(|error| kept.told(error))?;
    let names: BTreeSet<String> = match options.feedback {
        Some(feedback) => work::feedback_names(class).into_iter().map(|name| format!("{name}.{}", feedback.ending())).collect(),
        None => BTreeSet::new(),
    };
    folder.keep_feedback(&names)?;
    // The rows first: until the journal is gone, a run that ends between these lines is made whole by the next.
    grades.finish()?;
    review.finish()?;
    book.finish()?;
    kept.finish()?;
    list.finish()?;
    Ok((if overlay.is_some() { now.totals() } else { totals }, reopened))
}

/// Totals while they are counted.
#[derive(Default)]
struct Count {
    totals: Totals,
    awarded: f64,
}

impl Count {
    fn add(&mut self, row: &Digest) {
        let one = |is: bool| usize::from(is);
        let is_graded = row.error.is_none();
        let totals = &mut self.totals;
        totals.graded += one(is_graded);
        totals.unreadable += one(!is_graded);
        totals.review_items += row.review.len();
        totals.pending += one(!row.review.is_empty());
        totals.nothing_found += one(row.nothing_found());
        totals.late += one(row.submission.arrival.late);
        totals.joined += one(!row.submission.arrival.joined.is_empty());
        totals.resubmitted += one(!row.submission.arrival.replaced.is_empty());
        self.awarded += row.score.map_or(0.0, |score| score.awarded);
    }

    fn totals(&self) -> Totals {
        let mut totals = self.totals.clone();
        if totals.graded > 0 {
            // OK because a class has fewer students than an f64 has whole numbers.
            #[expect(clippy::cast_precision_loss, reason = "counts of students are small")]
            let mean = self.awarded / totals.graded as f64;
            totals.mean_awarded = Some((mean * 1e3).round() / 1e3);
        }
        totals
    }
}

fn manifest(class: &Class, drills: &[Drill], roster: Option<&Matches>, options: &Options, totals: &Totals) -> Manifest {
    let versions: Vec<Versions> = drills
        .iter()
        .map(|drill| {
            let version = |id: &str, sha256: &str| Version { id: id.to_owned(), sha256: sha256.to_owned() };
            Versions { drill: version(&drill.id, &drill.sha256), rubric: version(&drill.rubric.id, &drill.rubric.sha256) }
        })
        .collect();
    let (drill, rubric) = match versions.as_slice() {
        [Versions { drill, rubric }] => (Some(drill.clone()), Some(rubric.clone())),
        _ => (None, None),
    };
    Manifest {
        format: json::FORMAT,
        tool: Tool { name: env!("CARGO_PKG_NAME").to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        drill,
        rubric,
        drills: versions,
        options: options.kept(),
        input: class.input.clone(),
        layout: class.layout,
        submissions: class.submissions.len(),
        unreadable: totals.unreadable,
        summary: totals.clone(),
        roster: roster.cloned(),
        strays: class.strays.clone(),
    }
}
