//! The integration tests: structure, shipped content, fixtures, command line.
mod cost;
mod layering;
