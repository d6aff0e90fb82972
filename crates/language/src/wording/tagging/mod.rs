//! Part-of-speech tags: noun, adjective, finite verb, …
//!
//! Input: text. Output: its words and punctuation with their tags. A perceptron uses a table of weights compiled into the program (`tags.bin`, see
//! `docs/model-card.md`). It sums integers only, so the same text gets the same tags on every machine. Out of scope: phrases (see `stages::terms`),
//! syntax, meaning, and languages other than English.

mod features;
mod tag;
mod tagger;
mod tokens;

pub use tag::Tag;
pub use tagger::{Tagged, holds_finite_verb, tagged, tagged_title};
