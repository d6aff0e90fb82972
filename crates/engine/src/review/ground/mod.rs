//! Finds which evidence is relevant to which part of the idea (InnoEval, 3.2).
//!
//! Input: the parts, and the texts of the pieces that may be used to judge them. Output: for each related pair, quotes from the piece about the
//! part, and with a model whether they speak for or against it. Pieces later than the idea, and the idea itself, are left out.

mod closest;
mod stage;

pub(super) use stage::ground;

#[cfg(test)]
mod tests;
