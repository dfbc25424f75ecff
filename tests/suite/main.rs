//! The integration tests: structure, shipped content, fixtures, command line.
mod class;
mod cli;
mod compare;
mod content;
mod cost;
mod course;
mod fixtures;
mod gradebook;
mod hostile;
mod layering;
mod leaks;
mod mutation;
mod notation;
mod shipped;
mod solve;
mod units;
