//! The one submission that an autograder is just looking at: graded, and written down as its platform reads it, always.

use std::path::Path;
use std::thread;

use super::sheet::{Outcome, Reckoning, Sheet};
use super::{By, Points, Visibility, gradescope};
use crate::answer::Answer;
use crate::cohort::collect::{Class, Rules, Submission};
use crate::cohort::read::Submitted;
use crate::drill::Drill;
use crate::grade;
use crate::report::{self, Arrival, Graded, Layout, Reader, json};
use crate::text;

/// Larger answers are not read.
const LARGEST: usize = 10_000_000;

/// Grades one submission at a time for Gradescope.
#[derive(Clone, Copy, Debug)]
pub struct Autograder<'a> {
    /// What the submission answers.
    pub drill: &'a Drill,
    /// What a perfect answer is to earn, where it is not what the rubric says.
    pub points: Option<Points>,
    /// What a line of the result is about.
    pub by: By,
    /// When the student sees it.
    pub visibility: Visibility,
}

/// What came of a submission.
#[derive(Clone, Debug)]
pub struct Outgrade {
    /// `results.json`.
    pub results: Vec<u8>,
    /// For the log, which staff read: why it could not be graded.
    pub trouble: Option<String>,
}

impl Autograder<'_> {
    /// Grades what lies in a folder, whatever lies there.
    pub fn grade(&self, folder: &Path, metadata: &gradescope::Metadata) -> Outgrade {
        // A thread of its own: its stack is large, and a mistake of ours in it is an answer that could not be graded.
        let graded = thread::scope(|scope| {
            let worker = thread::Builder::new().stack_size(16 << 20).spawn_scoped(scope, || self.read_and_grade(folder, metadata));
            match worker.map(thread::ScopedJoinHandle::join) {
                Ok(Ok(graded)) => graded,
                Ok(Err(_)) => Err("drillmark failed on this answer, which is drillmark's mistake".to_owned()),
                Err(error) => Err(format!("no thread could be started: {error}")),
            }
        });
        match graded {
            Ok((sheet, feedback)) => Outgrade { results: gradescope::results(&sheet, Some(&feedback), self.visibility), trouble: None },
            Err(error) => failed(&error, metadata, self.visibility),
        }
    }

    fn read_and_grade(&self, folder: &Path, metadata: &gradescope::Metadata) -> Result<(Sheet, String), String> {
        let class = Class::of_one(folder, "submission", &Rules::default()).map_err(|trouble| trouble.to_string())?;
        let submission: &Submission = class.submissions.first().ok_or("there is no file")?;
        let text = class.text(submission)?;
        let answer = Answer::read_bytes(text.name.as_str(), &text.bytes, text.kind, LARGEST).map_err(|error| error.to_string())?;
        if answer.source.text().trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}').is_empty() {
            return Err("the answer is empty".to_owned());
        }
        let grade = grade::grade(self.drill, &answer);
        let arrival = Arrival { joined: submission.arrival.joined.clone(), ..arrival(metadata) };
        let sha256 = text::sha256(&text.bytes);
        let named = report::Submission { id: &submission.id, file: &submission.file, sha256: &sha256, arrival: Some(&arrival) };
        let graded = Graded { submission: named, answer: &answer, drill: self.drill, grade: &grade };
        let row = serde_json::from_str(&json::line(&json::Report::new(&graded, false))).map_err(|error| error.to_string())?;
        let drills = std::slice::from_ref(self.drill);
        let sheet = Reckoning { drills, by: self.by, points: self.points, only: None }.sheet(row);
        let feedback = anstream::adapter::strip_str(&report::render(&graded, Layout::Terminal, Reader::Student, false)).to_string();
        Ok((sheet, feedback))
    }
}

/// What to write where nothing could be graded at all: there is always a result.
pub fn failed(why: &str, metadata: &gradescope::Metadata, visibility: Visibility) -> Outgrade {
    let submission = Submitted { id: "submission".to_owned(), file: String::new(), sha256: None, arrival: arrival(metadata) };
    let sheet = Sheet { submission, outcome: Outcome::Unread(why.to_owned()) };
    Outgrade { results: gradescope::results(&sheet, None, visibility), trouble: Some(why.to_owned()) }
}

/// What the platform says of how it came.
fn arrival(metadata: &gradescope::Metadata) -> Arrival {
    Arrival {
        name: (!metadata.members.is_empty()).then(|| metadata.members.join(", ")),
        members: if metadata.members.len() > 1 { metadata.members.clone() } else { Vec::new() },
        late: metadata.late,
        submitted: metadata.submitted.clone(),
        attempt: (metadata.earlier > 0).then_some(metadata.earlier + 1),
        ..Arrival::default()
    }
}
