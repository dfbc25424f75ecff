//! The integration tests: structure, shipped content, fixtures, command line.
mod compare;
mod content;
mod cost;
mod layering;
mod notation;
mod solve;
mod units;
