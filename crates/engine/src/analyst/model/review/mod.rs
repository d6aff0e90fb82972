//! Reviews of ideas by a model; every answer held against what was shown.
//!
//! A score stands only on its scale, a sentence only where its citations are of pieces that were shown, its quotes and the figures it cites stand in their texts, and it names no decision
//! that is not the rule's. What does not hold is sent back once, then left out, and the report says so.

mod board;
mod meta;
mod said;
mod shown;
mod suggest;
