//! The end of a run: everything in the order of the ids, each file whole before it gets its name.

use std::collections::BTreeSet;
use std::io::Write;

use csv::{QuoteStyle, WriterBuilder};
use serde::Deserialize;

use super::folder::{Folder, Part};
use super::journal::{Ledger, Place};
use super::{Options, work};
use crate::cohort::Trouble;
use crate::cohort::collect::Class;
use crate::cohort::read::{Criterion, GRADEBOOK, GRADES, Manifest, Quantity, REVIEW, RUN, Row, Score, Tool, Totals, Version, Versions};
use crate::cohort::review::{MARKING, Marking, Overlay, Reopened};
use crate::cohort::roster::Matches;
use crate::drill::Drill;
use crate::report::{Arrival, inert, json};

/// What the gradebook needs of a row; the rest of it is passed on as it is.
#[derive(Deserialize)]
pub(super) struct Digest {
    drill: Option<Version>,
    submission: Whose,
    score: Option<Score>,
    #[serde(default)]
    quantities: Vec<Asked>,
    #[serde(default)]
    criteria: Vec<Weighed>,
    #[serde(default)]
    review: Vec<serde::de::IgnoredAny>,
    error: Option<String>,
}

impl From<&Row> for Digest {
    fn from(row: &Row) -> Digest {
        let asked = |asked: &Quantity| Asked { id: asked.id.clone(), verdict: asked.verdict.clone(), points: asked.points };
        let weighed = |weighed: &Criterion| Weighed { id: weighed.id.clone(), outcome: weighed.outcome.clone(), points: weighed.points };
        Digest {
            drill: row.drill.clone(),
            submission: Whose { id: row.submission.id.clone(), arrival: row.submission.arrival.clone() },
            score: row.score,
            quantities: row.quantities.iter().map(asked).collect(),
            criteria: row.criteria.iter().map(weighed).collect(),
            review: row.review.iter().map(|_| serde::de::IgnoredAny).collect(),
            error: row.error.clone(),
        }
    }
}

#[derive(Deserialize)]
struct Whose {
    id: String,
    #[serde(flatten)]
    arrival: Arrival,
}

#[derive(Deserialize)]
struct Asked {
    id: String,
    verdict: String,
    points: f64,
}

#[derive(Deserialize)]
struct Weighed {
    id: String,
    outcome: String,
    points: f64,
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
    let (mut totals, mut awarded, mut reopened) = (Totals::default(), 0.0, Vec::new());
    for &place in places {
        let (row, items) = ledger.read(place)?;
        grades.write_all(row.as_bytes()).map_err(|error| grades.told(error))?;
        review.write_all(items.as_bytes()).map_err(|error| review.told(error))?;
        let digest: Digest = serde_json::from_str(&row).map_err(|error| Trouble::unfit(&folder.join(GRADES), error.to_string()))?;
        awarded += digest.score.map_or(0.0, |score| score.awarded);
        count(&mut totals, &digest);
        match overlay {
            Some(overlay) => {
                let mut row: Row = serde_json::from_str(&row).map_err(|error| Trouble::unfit(&folder.join(GRADES), error.to_string()))?;
                reopened.extend(overlay.apply(&mut row));
                book.row(&Digest::from(&row))?;
            }
            None => book.row(&digest)?,
        }
    }
    if let Some(matches) = roster {
        book.absent(matches)?;
    }
    if totals.graded > 0 {
        // OK because a class has fewer students than an f64 has whole numbers.
        #[expect(clippy::cast_precision_loss, reason = "counts of students are small")]
        let mean = awarded / totals.graded as f64;
        totals.mean_awarded = Some((mean * 1e3).round() / 1e3);
    }
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
    Ok((totals, reopened))
}

fn count(totals: &mut Totals, row: &Digest) {
    let one = |is: bool| usize::from(is);
    let is_graded = row.error.is_none();
    totals.graded += one(is_graded);
    totals.unreadable += one(!is_graded);
    totals.review_items += row.review.len();
    totals.pending += one(!row.review.is_empty());
    totals.nothing_found += one(is_graded && row.quantities.iter().all(|asked| asked.verdict == "missing"));
    totals.late += one(row.submission.arrival.late);
    totals.joined += one(!row.submission.arrival.joined.is_empty());
    totals.resubmitted += one(!row.submission.arrival.replaced.is_empty());
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

/// `gradebook.csv`: a row a student, a column for each ask and criterion that earns points. What a person still has to decide is blank, never 0.
pub(super) struct Gradebook {
    writer: csv::Writer<Part>,
    /// The drill and the id of each column after the fixed ones.
    columns: Vec<(String, String)>,
    path: std::path::PathBuf,
}

impl Gradebook {
    const FIXED: [&str; 8] = ["id", "name", "sid", "email", "awarded", "possible", "pending", "remark"];

    pub(super) fn new(folder: &Folder, marking: &Marking) -> Result<Gradebook, Trouble> {
        let writer = WriterBuilder::new().quote_style(QuoteStyle::Necessary).from_writer(folder.write(GRADEBOOK)?);
        let mut columns: Vec<(String, String)> = Vec::new();
        for marked in &marking.drills {
            // What earns nothing is in the reports; a gradebook is about points.
            let asks = marked.asks.iter().filter(|ask| ask.points > 0.0).map(|ask| &ask.id);
            let criteria = marked.criteria.iter().map(|criterion| &criterion.id);
            columns.extend(asks.chain(criteria).map(|id| (marked.drill.id.clone(), id.clone())));
        }
        let mut book = Gradebook { writer, columns, path: folder.join(GRADEBOOK) };
        let heads = book.columns.iter().map(|(drill, id)| if marking.drills.len() > 1 { format!("{drill}: {id}") } else { id.clone() });
        let header: Vec<String> = Self::FIXED.iter().map(|&fixed| fixed.to_owned()).chain(heads).collect();
        book.write(&header)?;
        Ok(book)
    }

    pub(super) fn row(&mut self, row: &Digest) -> Result<(), Trouble> {
        let arrival = &row.submission.arrival;
        let text = |text: &Option<String>| inert::cell(text.as_deref().unwrap_or_default());
        let score = |of: fn(&Score) -> f64| row.score.as_ref().map(|score| of(score).to_string()).unwrap_or_default();
        let late = arrival.late.then_some("late");
        let nothing = row.quantities.iter().all(|asked| asked.verdict == "missing").then_some("nothing that is asked was found in it");
        let remark = match &row.error {
            Some(error) => format!("not graded: {error}"),
            None => late.into_iter().chain(nothing).collect::<Vec<_>>().join("; "),
        };
        let mut cells = vec![
            inert::cell(&row.submission.id),
            text(&arrival.name),
            text(&arrival.sid),
            text(&arrival.email),
            score(|score| score.awarded),
            score(|score| score.possible),
            score(|score| score.pending),
            inert::cell(&remark),
        ];
        let drill = row.drill.as_ref().map_or("", |drill| drill.id.as_str());
        for (of, id) in &self.columns {
            let asked = row.quantities.iter().find(|asked| asked.id == *id && of == drill);
            let weighed = row.criteria.iter().find(|weighed| weighed.id == *id && of == drill);
            cells.push(match (asked, weighed) {
                (Some(asked), _) if asked.verdict != "unclear" => asked.points.to_string(),
                (None, Some(weighed)) if weighed.outcome != "review" => weighed.points.to_string(),
                _ => String::new(),
            });
        }
        self.write(&cells)
    }

    /// Whom the roster names and who handed nothing in has a row as well.
    pub(super) fn absent(&mut self, matches: &Matches) -> Result<(), Trouble> {
        for person in &matches.absent {
            let text = |text: &Option<String>| inert::cell(text.as_deref().unwrap_or_default());
            let id = person.login.as_ref().or(person.sid.as_ref()).or(person.email.as_ref()).cloned();
            let mut cells = vec![text(&id), inert::cell(&person.name), text(&person.sid), text(&person.email)];
            cells.extend([String::new(), String::new(), String::new(), "no submission".to_owned()]);
            cells.resize(Self::FIXED.len() + self.columns.len(), String::new());
            self.write(&cells)?;
        }
        Ok(())
    }

    fn write(&mut self, cells: &[String]) -> Result<(), Trouble> {
        self.writer.write_record(cells).map_err(|error| Trouble::unfit(&self.path, error.to_string()))
    }

    pub(super) fn finish(self) -> Result<(), Trouble> {
        let part = self.writer.into_inner().map_err(|error| Trouble::unfit(&self.path, error.to_string()))?;
        part.finish()
    }
}
