//! Which variant of a drill a command is about: `--variant SEED`, or the one of a student.

use std::path::PathBuf;

use drillmark::drill::{Drill, Seed};
use drillmark::lint;

use super::{Shell, Trouble};

/// A larger file is no secret but a mistake.
const LONGEST_SALT: u64 = 4096;
/// A shorter secret is guessed.
const SHORTEST_SALT: usize = 8;

#[derive(Clone, Debug, Default, clap::Args)]
#[group(skip)]
pub(crate) struct Args {
    /// Take the variant of this seed, where the givens of the drill vary
    #[arg(long, value_name = "SEED", conflicts_with_all = ["student", "salt_file"])]
    variant: Option<String>,

    /// Take the variant of this student
    #[arg(long, value_name = "ID", requires = "salt_file")]
    student: Option<String>,

    /// The course's secret, by which nobody can tell whose variant is whose: a file with any text
    #[arg(long, value_name = "FILE", requires = "student")]
    salt_file: Option<PathBuf>,
}

impl Args {
    /// The seed, where a variant is asked for.
    pub(crate) fn seed(&self, shell: &Shell) -> Result<Option<Seed>, Trouble> {
        match (&self.variant, &self.student, &self.salt_file) {
            (Some(seed), ..) => Ok(Some(Seed::named(seed))),
            (None, Some(student), Some(file)) => Ok(Some(Seed::of_student(student, &salt(shell, file)?))),
            _ => Ok(None),
        }
    }

    /// The variant of a drill that was named; one that has none cannot be asked for it.
    pub(crate) fn of(&self, drill: Drill, shell: &Shell) -> Result<Drill, Trouble> {
        match self.seed(shell)? {
            Some(_) if !drill.varies() => Err(Trouble::Operator(none(&drill))),
            Some(seed) => Ok(lint::variant(&drill, &seed)),
            None => Ok(drill),
        }
    }
}

/// What to say of a drill that always is the same.
pub(crate) fn none(drill: &Drill) -> String {
    format!("`{}` has no variants: none of its givens varies", drill.id)
}

/// The secret in a file, without the line break that editors put at its end.
pub(crate) fn salt(shell: &Shell, file: &std::path::Path) -> Result<Vec<u8>, Trouble> {
    let bytes = shell.read(file, LONGEST_SALT)?;
    let salt = bytes.trim_ascii().to_vec();
    if salt.len() < SHORTEST_SALT {
        return Err(Trouble::with(file.display(), format_args!("holds a secret of less than {SHORTEST_SALT} characters")));
    }
    Ok(salt)
}
