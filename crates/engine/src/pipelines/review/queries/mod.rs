//! What sources are asked with: short words of the idea for each kind of knowledge, and from round to round others that follow from them (InnoEval, 3.1).
//!
//! Nothing in a query is an operator, none is longer than a line, and none is put twice.

mod first;
mod plain;
mod refined;

pub(super) use first::first;
pub(super) use plain::settled;
pub(super) use refined::{Field, refined};

#[cfg(test)]
mod tests;
