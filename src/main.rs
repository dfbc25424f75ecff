//! The `drillmark` program: flags, files, colors and exit codes. Everything else is in the library.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
