//! How a submission of a class came, and whose it is: what a run keeps of it beside the grade.

use serde::{Deserialize, Serialize};

/// How a submission came, and whose it is. What is not known is left out of the report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Arrival {
    /// Who handed it in: from the roster, or else as the platform calls them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// From the roster, or the platform's export.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// The name by which the student logs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub login: Option<String>,
    /// The number that the university gave; text, as it may begin with zeros.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sid: Option<String>,
    /// Everybody of a group.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
    /// Whether it came after the deadline: as the platform marks it, or by the deadline that was given.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
    /// When, as the export says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted: Option<String>,
    /// Which of the attempts it is, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempt: Option<usize>,
    /// Where its text is.
    pub source: Origin,
    /// The files that were joined, in this order, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joined: Vec<String>,
    /// Files of the student that were not read, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// The other attempts, which do not count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<String>,
}

/// Where the text of a submission is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Origin {
    /// The file, or the archive, as it was named to us.
    pub path: String,
    /// The name inside an archive.
    pub entry: Option<String>,
    /// The line of a stream or of a table, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

/// A file that was not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its name.
    pub path: String,
    /// Why: a phrase that goes on after the name.
    pub why: String,
}
