//! Labelled ideas with the papers they were judged by: examples for a model, and benchmark questions with known answers.
//!
//! Input: JSON Lines, or CSV tables in the published layout, with lists in Python syntax. Output: [`LabelledIdea`]s.

mod examples;
mod idea;
mod literal;
mod set;
mod table;

pub use examples::Examples;
pub use idea::{LabelledError, LabelledIdea, LabelledWork};
pub use set::labelled_ideas;
