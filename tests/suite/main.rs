//! The integration tests: structure, shipped content, fixtures, command line.
mod layering;
