//! Dimensions and personas for judging ideas. Each is a file; personas are sampled and their evidence is masked by seed (InnoEval, 3.3).
//!
//! Input: files with front matter, and a seed. Output: the dimensions, the five personas, the evidence that each persona sees, and the decision for a
//! score. Everything here is rule-based. Out of scope: calls to models.

mod bins;
mod dimension;
mod file;
mod mask;
mod persona;
mod seeded_rng;

pub use bins::{decision, mean};
pub(crate) use dimension::MOST_LINES;
pub use dimension::{Band, Dimension, dimensions};
pub use mask::{board, check_required, kept};
pub use persona::{Familiarity, Persona, personas};
pub use seeded_rng::SeededRng;

#[cfg(test)]
mod tests;
