//! Splits an idea into parts (InnoEval, 3): by rule from its own words, then by the analyst.
//!
//! Input: an idea or a paper. Output: statements with the quotes they rest on, and the parts that are missing. Missing parts are never made up.

mod atoms;
mod cues;
mod from_idea;
mod from_paper;
mod labels;
mod stage;
mod statement;

pub use stage::idea_parts;
pub(super) use stage::{Subject, read};
pub(crate) use statement::without_figures;

#[cfg(test)]
mod tests;
