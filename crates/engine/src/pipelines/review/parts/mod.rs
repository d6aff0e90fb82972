//! What an idea says, part by part (InnoEval, 3): by rule from its own words, and by whoever judges.
//!
//! In: an idea or a paper. Out: statements with the words they rest on, and the parts on which nothing is said. Nothing is made up for these.

mod atoms;
mod cues;
mod from_idea;
mod from_paper;
mod labels;
mod stage;
mod statement;

pub(super) use stage::{Subject, read};
pub(crate) use statement::without_figures;

#[cfg(test)]
mod tests;
