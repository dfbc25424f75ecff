//! The `drillmark` program: flags, files, colors and exit codes. Everything else is in the library.

fn main() {}
