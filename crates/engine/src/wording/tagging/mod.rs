//! What each word of a text is: noun, adjective, finite verb, …
//!
//! In: text. Out: its words and marks with their tags. A perceptron reads a table of weights that is built into the program
//! (`tags.bin`, see `docs/model-card.md`); its sums are of whole numbers, so the same text has the same tags everywhere.
//! Deliberately not here: what a phrase is (the room `noun_phrase` beside this one), syntax, meaning, languages other than English.

mod features;
mod tag;
mod tagger;
mod tokens;

pub(crate) use tag::Tag;
pub(crate) use tagger::{Tagged, holds_finite_verb, tagged, tagged_title};
