//! What a person who decides needs of the drills and rubrics of a run: kept beside the run, so that desks and gradebooks
//! need no library, and a rubric that has changed since does not change what was asked.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::cohort::Trouble;
use crate::cohort::read::{self, Version};
use crate::drill::{Ask, Credit, Criterion, CriterionKind, Drill, Level, Sample, Scheme, StudentWords};
use crate::report::{self, json};
use crate::text;

/// Its file in the run folder.
pub(crate) const MARKING: &str = "marking.json";

/// What a person needs of the drills of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Marking {
    /// The version of its layout.
    pub format: u32,
    /// In the order of the run's list.
    pub drills: Vec<Marked>,
}

/// What a person needs of one drill and its rubric.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Marked {
    /// The drill.
    pub drill: Version,
    /// Its rubric.
    pub rubric: Version,
    /// What people call the drill.
    pub title: String,
    /// What share of an ask's points each kind of imperfect answer earns.
    pub credit: Credit,
    /// In the drill's order.
    pub asks: Vec<AskSheet>,
    /// In the rubric's order.
    pub criteria: Vec<CriterionSheet>,
    /// What the criteria come to in points.
    pub scheme: Scheme,
}

/// An asked quantity, for a person who says what was meant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AskSheet {
    /// The stable name.
    pub id: String,
    /// The part it stands in.
    pub part: String,
    /// What is asked, as a noun phrase.
    pub asks: String,
    /// The reference, as a person reads it.
    pub reference: String,
    /// What it is worth.
    pub points: f64,
    /// A digest of what a person decides by.
    pub sha256: String,
}

/// A criterion, for a person who decides whether it is met.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CriterionSheet {
    /// The stable name.
    pub id: String,
    /// The part or item whose text is weighed.
    pub part: String,
    /// What is looked for.
    pub says: String,
    /// A word to graders.
    pub note: Option<String>,
    /// What students read.
    pub student: StudentWords,
    /// Texts with the outcome that a careful person gives them.
    pub samples: Vec<Sample>,
    /// Steps between nothing and all of it.
    pub levels: Vec<Level>,
    /// A digest of what a person decides by.
    pub sha256: String,
}

impl Marking {
    /// What a person needs of these drills.
    pub fn of(drills: &[Drill]) -> Marking {
        Marking { format: json::FORMAT, drills: drills.iter().map(Marked::of).collect() }
    }

    /// That of a finished run.
    ///
    /// # Errors
    ///
    /// When it is missing, because an older version wrote the run, or cannot be read.
    pub fn open(folder: &Path) -> Result<Marking, Trouble> {
        let path = folder.join(MARKING);
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                Trouble::unfit(folder, "was written without what the review desk needs; `drillmark grade` with the same `--out` adds it")
            }
            _ => Trouble::io(&path, error),
        })?;
        serde_json::from_str(&text).map_err(|error| Trouble::unfit(&path, format!("is not what a run writes there: {error}")))
    }

    /// That of a drill.
    pub fn drill(&self, id: &str) -> Option<&Marked> {
        self.drills.iter().find(|marked| marked.drill.id == id)
    }
}

impl Marked {
    /// What a person needs of a drill.
    pub fn of(drill: &Drill) -> Marked {
        let version = |id: &str, sha256: &str| Version { id: id.to_owned(), sha256: sha256.to_owned() };
        Marked {
            drill: version(&drill.id, &drill.sha256),
            rubric: version(&drill.rubric.id, &drill.rubric.sha256),
            title: drill.title.clone(),
            credit: drill.rubric.credit,
            asks: drill.asks.iter().zip(&drill.rubric.values).map(|(ask, points)| AskSheet::of(ask, *points)).collect(),
            criteria: drill.rubric.criteria.iter().map(CriterionSheet::of).collect(),
            scheme: drill.rubric.scheme.clone(),
        }
    }

    /// A criterion.
    pub fn criterion(&self, id: &str) -> Option<&CriterionSheet> {
        self.criteria.iter().find(|sheet| sheet.id == id)
    }

    /// What is asked about a whole answer in which nothing was found, as a digest: always the same.
    pub fn whole(&self) -> String {
        text::sha256(format!("{} {}", self.drill.id, read::NOTHING_FOUND).as_bytes())
    }

    /// An ask.
    pub fn ask(&self, id: &str) -> Option<&AskSheet> {
        self.asks.iter().find(|sheet| sheet.id == id)
    }
}

impl AskSheet {
    fn of(ask: &Ask, points: f64) -> AskSheet {
        let reference = report::reference(ask);
        // Which of two values is meant does not hang on what the right one is; whether one is right does.
        let basis = serde_json::json!([ask.id, ask.asks, reference]);
        AskSheet {
            id: ask.id.clone(),
            part: ask.part.clone(),
            asks: ask.asks.clone(),
            reference,
            points,
            sha256: text::sha256(basis.to_string().as_bytes()),
        }
    }
}

impl CriterionSheet {
    fn of(criterion: &Criterion) -> CriterionSheet {
        let kind = match criterion.kind {
            CriterionKind::Separate(_) => "separate",
            CriterionKind::Argument(_) => "argument",
            CriterionKind::Form(_) => "form",
            CriterionKind::Hand => "hand",
        };
        // What a person reads who decides. Points, rules and the words for students may change without asking again.
        let basis = serde_json::json!([criterion.id, criterion.part, kind, criterion.says, criterion.note, criterion.levels]);
        CriterionSheet {
            id: criterion.id.clone(),
            part: criterion.part.clone(),
            says: criterion.says.clone(),
            note: criterion.note.clone(),
            student: criterion.student.clone(),
            samples: criterion.samples.clone(),
            levels: criterion.levels.clone(),
            sha256: text::sha256(basis.to_string().as_bytes()),
        }
    }
}
