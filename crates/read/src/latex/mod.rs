//! LaTeX sources to a draft.

pub(crate) mod math;
pub(crate) mod symbols;
