//! The integration tests: structure, shipped content, fixtures, command line.
mod compare;
mod cost;
mod layering;
