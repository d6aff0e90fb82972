//! What of the knowledge bears on which part of the idea (InnoEval, 3.2).
//!
//! In: the parts, and the pieces that may bear on them with their texts. Out: for each pair that has something to do with each other the words of the piece that speak of the
//! part, located; and from whoever judges which way they speak. Nothing later than the idea, and nothing that is the idea itself, is looked at.

mod near;
mod stage;

pub(super) use stage::ground;

#[cfg(test)]
mod tests;
