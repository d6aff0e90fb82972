//! Ideas with a label and the works they were judged by: examples for a model, and questions whose answers are known.
//!
//! In: JSON Lines, or tables (CSV) in the layout in which such sets are published, with lists written as Python writes them. Out: [`LabelledIdea`]s.

mod examples;
mod literal;
mod set;
mod table;

pub use examples::Examples;
pub use set::{LabelledError, LabelledIdea, LabelledWork, labelled_ideas};
