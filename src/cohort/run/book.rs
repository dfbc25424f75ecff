//! `gradebook.csv`: a row a student, a column for each ask and criterion that earns points. What a person still has to
//! decide is blank, never 0.

use std::collections::BTreeSet;
use std::path::PathBuf;

use csv::{QuoteStyle, ReaderBuilder, StringRecord, Writer, WriterBuilder};

use super::finish::Digest;
use super::folder::{Folder, Part};
use crate::cohort::Trouble;
use crate::cohort::read::{GRADEBOOK, Score};
use crate::cohort::review::Marking;
use crate::cohort::roster::Matches;
use crate::report::inert;

/// The gradebook while it is written.
pub(super) struct Gradebook {
    /// Where more than one drill may occur, all of their columns; else the gradebook itself.
    wide: Writer<Part>,
    /// The gradebook, where it is not what is being written.
    narrow: Option<Part>,
    /// The drill and the id of each column after the fixed ones.
    columns: Vec<(String, String)>,
    /// The drills that occur.
    drills: BTreeSet<String>,
    path: PathBuf,
}

/// The name under which all columns stand until it is known which of them are needed.
const WIDE: &str = "gradebook.wide";

impl Gradebook {
    const FIXED: [&str; 8] = ["id", "name", "sid", "email", "awarded", "possible", "pending", "remark"];

    pub(super) fn new(folder: &Folder, marking: &Marking) -> Result<Gradebook, Trouble> {
        let mut columns: Vec<(String, String)> = Vec::new();
        for marked in &marking.drills {
            // What earns nothing is in the reports; a gradebook is about points.
            let asks = marked.asks.iter().filter(|ask| ask.points > 0.0).map(|ask| &ask.id);
            let criteria = marked.criteria.iter().map(|criterion| &criterion.id);
            columns.extend(asks.chain(criteria).map(|id| (marked.drill.id.clone(), id.clone())));
        }
        let is_sure = marking.drills.len() < 2;
        let mut book = Gradebook {
            wide: writer(folder.write(if is_sure { GRADEBOOK } else { WIDE })?),
            narrow: if is_sure { None } else { Some(folder.write(GRADEBOOK)?) },
            columns,
            drills: BTreeSet::new(),
            path: folder.join(GRADEBOOK),
        };
        if is_sure {
            let heads = book.columns.iter().map(|(_, id)| id.clone());
            let header: Vec<String> = Self::FIXED.iter().map(|&fixed| fixed.to_owned()).chain(heads).collect();
            book.write(&header)?;
        }
        Ok(book)
    }

    pub(super) fn row(&mut self, row: &Digest) -> Result<(), Trouble> {
        let arrival = &row.submission.arrival;
        let text = |text: &Option<String>| inert::cell(text.as_deref().unwrap_or_default());
        let score = |of: fn(&Score) -> f64| row.score.as_ref().map(|score| of(score).to_string()).unwrap_or_default();
        let late = arrival.late.then_some("late");
        let nothing = row.nothing_found().then_some("nothing that is asked was found in it");
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
        if !drill.is_empty() && !self.drills.contains(drill) {
            self.drills.insert(drill.to_owned());
        }
        for (of, id) in &self.columns {
            let asked = row.quantities.iter().find(|asked| asked.id == *id && of == drill);
            let weighed = row.criteria.iter().find(|weighed| weighed.id == *id && of == drill);
            cells.push(match (asked, weighed) {
                (Some(asked), _) if asked.verdict != "unclear" && asked.pending == 0.0 => asked.points.to_string(),
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
            // Runs of older versions do not say by what the others go.
            let id = [&person.id, &person.login, &person.sid, &person.email].into_iter().find_map(Clone::clone);
            let mut cells = vec![text(&id), inert::cell(&person.name), text(&person.sid), text(&person.email)];
            cells.extend([String::new(), String::new(), String::new(), "no submission".to_owned()]);
            cells.resize(Self::FIXED.len() + self.columns.len(), String::new());
            self.write(&cells)?;
        }
        Ok(())
    }

    fn write(&mut self, cells: &[String]) -> Result<(), Trouble> {
        self.wide.write_record(cells).map_err(|error| Trouble::unfit(&self.path, error.to_string()))
    }

    pub(super) fn finish(self) -> Result<(), Trouble> {
        let told = |what: String| Trouble::unfit(&self.path, what);
        let mut wide = self.wide.into_inner().map_err(|error| told(error.to_string()))?;
        let Some(narrow) = self.narrow else { return wide.finish() };
        let occurs = |(_, (drill, _)): &(usize, &(String, String))| self.drills.contains(drill);
        let kept: Vec<usize> = self.columns.iter().enumerate().filter(occurs).map(|(at, _)| at).collect();
        let head = |at: &usize| match &self.columns[*at] {
            (drill, id) if self.drills.len() > 1 => format!("{drill}: {id}"),
            (_, id) => id.clone(),
        };
        let mut book = writer(narrow);
        let header = Self::FIXED.iter().map(|&fixed| fixed.to_owned()).chain(kept.iter().map(head));
        book.write_record(header).map_err(|error| told(error.to_string()))?;
        let mut rows = ReaderBuilder::new().has_headers(false).from_reader(wide.reopen()?);
        let mut row = StringRecord::new();
        while rows.read_record(&mut row).map_err(|error| told(error.to_string()))? {
            let fixed = row.iter().take(Self::FIXED.len());
            let cells = fixed.chain(kept.iter().map(|at| row.get(Self::FIXED.len() + at).unwrap_or_default()));
            book.write_record(cells).map_err(|error| told(error.to_string()))?;
        }
        book.into_inner().map_err(|error| told(error.to_string()))?.finish()
    }
}

fn writer(part: Part) -> Writer<Part> {
    WriterBuilder::new().quote_style(QuoteStyle::Necessary).from_writer(part)
}
