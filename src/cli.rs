//! The command line: one file a subcommand, and the little that they share.
//!
//! A subcommand is a module with `Args` (what clap reads) and `run(args, &mut Shell) -> Result<Done, Trouble>`. It writes
//! to [`Shell::out`], never to standard output itself, and hands its troubles up; `run` below turns them into an exit
//! code. A new subcommand is one file, its `mod` line, a variant of [`Command`] and an arm of [`dispatch`].

mod autograde;
mod bundle;
mod check;
mod class;
mod compare;
mod cost;
mod desk;
mod export;
mod grade;
mod handed;
mod hands;
mod lint;
mod list;
mod new;
mod read;
mod regrade;
mod report;
mod review;
mod schema;
mod shell;
mod solve;
mod test;
mod variant;

pub(crate) use shell::{Done, Shell, Trouble, refuse_link, warn, write_whole};

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ColorChoice, Parser, Subcommand};

/// Grade written quantitative exercises
#[derive(Debug, Parser)]
#[command(name = "drillmark", version, about, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 done (a low mark is not a failure); 1 problems found; 2 the job could not be done.")]
struct Cli {
    /// Read drills and rubrics from this folder instead of those that are built in
    #[arg(long, global = true, value_name = "DIR")]
    library: Option<PathBuf>,

    /// When to use color
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: ColorChoice,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Grade answers, for course staff: points, verdicts, reasons
    Grade(grade::Args),
    /// Check an answer before handing it in: what is read, what is right, what is missing
    Check(check::Args),
    /// Show what a class did: points, mistakes, items, what waits for a person
    Report(report::Args),
    /// Compare a student's number with a teacher's by a stated rule
    Compare(compare::Args),
    /// Check drills and rubrics: what is wrong, where, why it matters, how to fix it
    Lint(lint::Args),
    /// List the drills of the library
    List(list::Args),
    /// Decide what no rule does, criterion by criterion across a class
    Review(review::Args),
    /// Print a drill's values with the formulas that give them
    Solve(solve::Args),
    /// Say what the recognizer finds in a text
    Read(read::Args),
    /// Start a drill, or write the empty answer of one
    New(new::Args),
    /// Say what another rubric, drill or run would change, for whom, and through what
    Regrade(regrade::Args),
    /// Print the JSON Schema of drills, rubrics or reports, for editors and scripts
    Schema(schema::Args),
    /// Hold a course's fixtures against their declared verdicts and the accepted feedback
    Test(test::Args),
    /// Write a run out for the gradebook of a platform, for an autograder or for CI
    Export(Box<export::Args>),
    /// Make the zip that an autograder platform takes
    Bundle(bundle::Args),
    /// Grade the one submission that an autograder was given
    Autograde(autograde::Args),
    /// Work out what a collective costs and what it does to a training step
    Cost(Box<cost::Args>),
}

fn dispatch(command: Command, shell: &mut Shell) -> Result<Done, Trouble> {
    match command {
        Command::Grade(args) => grade::run(args, shell),
        Command::Check(args) => check::run(args, shell),
        Command::Report(args) => report::run(args, shell),
        Command::Compare(args) => compare::run(args, shell),
        Command::Lint(args) => lint::run(args, shell),
        Command::List(args) => list::run(args, shell),
        Command::Review(args) => review::run(&args, shell),
        Command::Solve(args) => solve::run(args, shell),
        Command::Read(args) => read::run(args, shell),
        Command::New(args) => new::run(args, shell),
        Command::Regrade(args) => regrade::run(&args, shell),
        Command::Schema(args) => schema::run(&args, shell),
        Command::Test(args) => test::run(args, shell),
        Command::Export(args) => export::run(*args, shell),
        Command::Bundle(args) => bundle::run(args, shell),
        Command::Autograde(args) => autograde::run(args, shell),
        Command::Cost(args) => cost::run(*args, shell),
    }
}

/// Runs the program on its own arguments.
pub(crate) fn run() -> ExitCode {
    shell::tell_panics();
    let cli = match parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    let mut shell = Shell::new(cli.library, cli.color);
    let done = dispatch(cli.command, &mut shell).and_then(|done| shell.finish().map(|()| done));
    match done {
        Ok(done) => done.exit_code(),
        Err(trouble) => shell::tell(&trouble),
    }
}

/// Reads the flags; help and version go to standard output, a wrong flag becomes one line like every other trouble.
fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Cli, ExitCode> {
    Cli::try_parse_from(args).map_err(|error| {
        use clap::error::ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
        match error.kind() {
            // A reader that closes the pipe early has read what it wanted.
            DisplayHelp | DisplayVersion => {
                let _ = error.print();
                ExitCode::SUCCESS
            }
            DisplayHelpOnMissingArgumentOrSubcommand => {
                let _ = error.print();
                ExitCode::from(shell::COULD_NOT)
            }
            _ => shell::tell(&Trouble::Operator(one_line(&error.render().to_string()))),
        }
    })
}

/// The first paragraph of clap's message and its tip, on one line.
fn one_line(message: &str) -> String {
    let said: Vec<&str> = message
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"))
        .filter(|line| !line.is_empty())
        .collect();
    said.join(" ").trim_start_matches("error: ").replace(" tip: ", "; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_wrong_flag_is_told_in_one_line() {
        let error = Cli::try_parse_from(["drillmark", "list", "--colour", "never"]).expect_err("no such flag");
        let line = one_line(&error.render().to_string());
        assert_eq!(line, "unexpected argument '--colour' found; a similar argument exists: '--color'");
    }
}
