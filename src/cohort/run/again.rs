//! The gradebook and the feedback of a finished run, written anew with what people decided.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use super::book::Gradebook;
use super::finish::Digest;
use super::folder::{Folder, Part};
use super::{Feedback, work};
use crate::answer::Answer;
use crate::cohort::Trouble;
use crate::cohort::collect::Class;
use crate::cohort::read::{FEEDBACK, Row, Run};
use crate::cohort::review::{Act, Log, Marking, Overlay, Reopened, Rulings};
use crate::drill::Drill;
use crate::grade::Grader;
use crate::report::{self, Graded, Reader};
use crate::text;

/// What was written anew.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// Submissions in whose grade a person has a word.
    pub decided: usize,
    /// Feedback files that changed.
    pub feedback: usize,
    /// Submissions whose feedback could not be written, and why.
    pub left: Vec<(String, String)>,
    /// Decisions that hold no longer.
    pub reopened: Vec<Reopened>,
}

/// Writes the gradebook of a run and, where it has any, its feedback files anew. `drills` are those of the run, as far as
/// they are at hand unchanged; `input` is where the class lies, where that is no longer where it was.
///
/// # Errors
///
/// When the run is being written by somebody else, its log is not as it was written, or its disk is full.
pub fn apply(run: &Run, drills: &[Drill], input: Option<&Path>) -> Result<Applied, Trouble> {
    let folder = Folder::open(run.folder(), Path::new(&run.manifest.input))?;
    let entries = Log::read(run.folder())?;
    // Also what was decided and taken back again has to be looked at.
    let mut named: Vec<&str> = entries
        .iter()
        .filter_map(|entry| match &entry.act {
            Act::Decide(decision) => Some(decision.submission.as_str()),
            Act::Undo { .. } => None,
        })
        .collect();
    named.sort_unstable();
    let marking = Marking::open(run.folder())?;
    let mut book = Gradebook::new(&folder, &marking)?;
    let overlay = Overlay::new(marking, Rulings::of(&entries));
    let (mut applied, mut touched) = (Applied::default(), Vec::new());
    for row in run.raw_grades()? {
        let mut row = row?;
        let was_open = !row.review.is_empty() || named.binary_search(&row.submission.id.as_str()).is_ok();
        applied.reopened.extend(overlay.apply(&mut row));
        let is_decided = row.criteria.iter().any(|criterion| criterion.by.is_some())
            || row.quantities.iter().any(|quantity| quantity.decided_by.is_some());
        applied.decided += usize::from(is_decided);
        book.row(&Digest::from(&row))?;
        if was_open || is_decided {
            touched.push(row);
        }
    }
    if let Some(matches) = &run.manifest.roster {
        book.absent(matches)?;
    }
    book.finish()?;
    let form = run.manifest.options.feedback.as_deref().and_then(Feedback::of_code);
    if let Some(form) = form {
        let reader = if run.manifest.options.feedback_view == "staff" { Reader::Staff } else { Reader::Student };
        match run.class(input) {
            Ok(class) => {
                Writer { class: &class, drills, folder: &folder, form, reader, overlay: &overlay }.write(&touched, &mut applied)?
            }
            Err(trouble) => applied.left.extend(touched.iter().map(|row| (row.submission.id.clone(), trouble.to_string()))),
        }
    }
    Ok(applied)
}

struct Writer<'a> {
    class: &'a Class,
    drills: &'a [Drill],
    folder: &'a Folder,
    form: Feedback,
    reader: Reader,
    overlay: &'a Overlay,
}

impl Writer<'_> {
    fn write(&self, rows: &[Row], applied: &mut Applied) -> Result<(), Trouble> {
        let names = work::feedback_names(self.class);
        let places: BTreeMap<&str, usize> =
            self.class.submissions.iter().enumerate().map(|(at, submission)| (submission.id.as_str(), at)).collect();
        let graders: Vec<Grader<'_>> = self.drills.iter().map(Grader::new).collect();
        for row in rows.iter().filter(|row| row.error.is_none()) {
            let id = &row.submission.id;
            let words = match places.get(id.as_str()) {
                Some(&at) => self.words(row, at, &graders).map(|words| (at, words)),
                None => Err("is no longer in the class".to_owned()),
            };
            let (at, words) = match words {
                Ok(words) => words,
                Err(why) => {
                    applied.left.push((id.clone(), why));
                    continue;
                }
            };
            let path = self.folder.join(FEEDBACK).join(format!("{}.{}", names[at], self.form.ending()));
            if fs::read(&path).is_ok_and(|known| known == words.as_bytes()) {
                continue;
            }
            let mut part = Part::new(path)?;
            part.write_all(words.as_bytes()).map_err(|error| part.told(error))?;
            part.finish()?;
            applied.feedback += 1;
        }
        Ok(())
    }

    /// The feedback on a submission that is still the one that was graded.
    fn words(&self, row: &Row, at: usize, graders: &[Grader<'_>]) -> Result<String, String> {
        let submission = &self.class.submissions[at];
        let (answer, sha256) = read(self.class, at, row)?;
        let of_row = |drill: &Drill| row.drill.as_ref().is_some_and(|version| version.id == drill.id);
        let (drill, grader) = self
            .drills
            .iter()
            .zip(graders)
            .find(|(drill, _)| of_row(drill))
            .ok_or("its drill or rubric has changed since; `drillmark grade` with the same `--out` grades it anew")?;
        let grade = grader.grade(&answer);
        let named = report::Submission { id: &submission.id, file: &submission.file, sha256: &sha256, arrival: Some(&submission.arrival) };
        let graded = Graded { submission: named, answer: &answer, drill, grade: &grade };
        Ok(work::words(&graded, self.form, self.reader, Some(self.overlay)))
    }
}

/// The text of a submission and its digest, if it is still the one that was graded.
pub(crate) fn read(class: &Class, at: usize, row: &Row) -> Result<(Answer, String), String> {
    let text = class.text(&class.submissions[at])?;
    let sha256 = text::sha256(&text.bytes);
    if row.submission.sha256.as_deref() != Some(&sha256) {
        return Err("has changed since it was graded; `drillmark grade` with the same `--out` grades it anew".to_owned());
    }
    let answer = Answer::read_bytes(text.name.as_str(), &text.bytes, text.kind, work::LARGEST).map_err(|error| error.to_string())?;
    Ok((answer, sha256))
}
