//! Grades written quantitative exercises.
//!
//! A student explains and computes, in prose with numbers, units and formulas. This crate reads that text the way a
//! careful teaching assistant would: it finds the quantities, decides which asked quantity each one answers, checks it
//! against a reference that a solver worked out, names the mistake that was made, follows errors that carry forward,
//! weighs the arguments against a rubric where it can be sure, and leaves the rest to a person.
//!
//! ```text
//!  drills/*.toml ─┐                                   submissions (md, tex, typ, ipynb, toml, txt)
//!  rubrics/*.toml ┴▶ drill ──(formula)──▶ solved          │
//!                      │                                   ▼
//!                      │                    answer ──▶ blocks ─▶ passages (plain text + byte map)
//!                      │                                   │
//!                      │                    recognize ──▶ mentions: number, unit, figures, span, chain
//!                      ▼                                   ▼
//!                    grade: align mentions with asks ▸ judge ▸ carry forward ▸ name the slip ▸ weigh the argument ▸ score
//!                                                          ▼
//!                          report: one sentence book, many layouts     cohort: many grades ▸ a run folder
//! ```
//!
//! Modules stand on floors, and imports go down only (`tests/suite/layering.rs` keeps that):
//!
//! | floor | modules |
//! |---|---|
//! | 0 | [`text`], [`quantity`] |
//! | 1 | [`diagnostic`], [`formula`], [`phrase`], [`recognize`], [`answer`] |
//! | 2 | [`drill`] |
//! | 3 | [`grade`] |
//! | 4 | [`report`] |
//! | 5 | [`fixture`], [`lint`], [`cohort`] |

pub mod answer;
pub mod cohort;
pub mod collective;
pub mod diagnostic;
pub mod drill;
pub mod fixture;
pub mod formula;
pub mod grade;
pub mod lint;
pub mod phrase;
pub mod quantity;
pub mod recognize;
pub mod report;
pub mod text;
