//! `drillmark autograde`: the one submission that an autograder was given, and a result whatever happens.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use drillmark::cohort::gradebook::gradescope::Metadata;
use drillmark::cohort::gradebook::{self, Autograder, By, Points};

use super::export::{Lines, Seen};
use super::{Done, Shell, Trouble, warn, write_whole};

/// A larger file is not the platform's.
const LARGEST: u64 = 100_000_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    terms: Terms,

    /// The folder with the student's files
    #[arg(long, value_name = "DIR", default_value = "/autograder/submission")]
    submission: PathBuf,

    /// What the platform says of the submission, where it says anything
    #[arg(long, value_name = "FILE", default_value = "/autograder/submission_metadata.json")]
    metadata: PathBuf,

    /// Where to write the result
    #[arg(long, value_name = "FILE", default_value = "/autograder/results/results.json")]
    results: PathBuf,
}

/// What an autograder is told once, when it is made, and what it then tells the program for every submission.
#[derive(Debug, clap::Args)]
pub(crate) struct Terms {
    /// The drill that is to be graded
    #[arg(long, value_name = "DRILL")]
    pub(crate) drill: String,

    /// Count in so many points instead of the rubric's
    #[arg(long, value_name = "POINTS")]
    pub(crate) points: Option<Points>,

    /// What a line of the result is about
    #[arg(long, value_enum, value_name = "WHAT", default_value = "item")]
    by: Lines,

    /// When students see it
    #[arg(long, value_enum, value_name = "WHEN", default_value = "visible")]
    visibility: Seen,
}

impl Terms {
    /// As flags, drill and all; none of them holds anything that a shell would obey.
    pub(crate) fn flags(&self) -> String {
        let points = self.points.map(|points| format!(" --points {points}")).unwrap_or_default();
        format!("--drill '{}' --by {} --visibility {}{points}", self.drill, name(&self.by), self.visibility())
    }

    /// When students see it, by its name.
    pub(crate) fn visibility(&self) -> String {
        name(&self.visibility)
    }
}

fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

pub(crate) fn run(args: Args, shell: &mut Shell) -> Result<Done, Trouble> {
    let metadata = shell.read(&args.metadata, LARGEST).map(|bytes| Metadata::read(&bytes)).unwrap_or_default();
    let visibility = args.terms.visibility.into();
    let drill = match shell.drill(&args.terms.drill) {
        Ok(drill) => drill,
        Err(trouble) => {
            // Why is for staff; the student is told that it is not the answer.
            write(&args.results, &gradebook::failed("the autograder is not set up rightly", &metadata, visibility).results)?;
            return Err(trouble);
        }
    };
    let autograder = Autograder { drill: &drill, points: args.terms.points, by: By::from(args.terms.by), visibility };
    let graded = autograder.grade(&args.submission, &metadata);
    write(&args.results, &graded.results)?;
    let possible = args.terms.points.unwrap_or(Points::of(drill.rubric.possible));
    if let Some(total) = metadata.total_points.filter(|total| *total != possible) {
        warn(&format!("the assignment is worth {total} points there, and {possible} here; `--points {total}` counts in its points"));
    }
    match graded.trouble {
        // The result says so; the autograder itself has done what it can.
        Some(trouble) => {
            warn(&trouble);
            Ok(Done::Incomplete)
        }
        None => Ok(Done::Fine),
    }
}

fn write(path: &Path, results: &[u8]) -> Result<(), Trouble> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| Trouble::io(folder, &error))?;
    }
    write_whole(path, results)
}
