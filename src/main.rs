//! The `drillmark` program: flags, files, colors and exit codes. Everything else is in the library.

mod cli;

use std::process::ExitCode;

/// A grade is made of thousands of small pieces that live as long as its answer. With the system's allocator a class takes a
/// tenth longer, and so does the start.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::run()
}
