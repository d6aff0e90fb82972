//! Reviews of ideas by a model; every answer held against what was shown.
//!
//! A statement stands only where words of the idea do, evidence only where the piece has it, a score only on its scale, a sentence only where its citations are of pieces that were shown, its
//! quotes and the figures it cites stand in their texts, and it names no decision that is not the rule's. What does not hold is sent back once, then left out, and the report says so.

mod board;
mod ground;
mod meta;
mod parts;
mod queries;
mod relevance;
mod said;
mod shown;
mod suggest;

pub(super) use parts::in_own_words;
