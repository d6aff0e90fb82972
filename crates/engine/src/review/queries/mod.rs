//! Search queries: short phrases from the idea for each kind of evidence, refined from round to round (InnoEval, 3.1).
//!
//! Queries contain no operators, are at most one line long, and are never sent twice.

mod first;
mod plain;
mod refined;

pub(super) use first::first;
pub(super) use plain::settled;
pub(super) use refined::{Field, refined};

#[cfg(test)]
mod tests;
