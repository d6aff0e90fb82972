//! Knowledge that might bear on an idea, looked for in rounds (InnoEval, 3.1).
//!
//! In: an idea, part by part. Out: for each kind the records that stand nearest, best first, each with how near and what its date lets it be used for; and beside them what
//! is surely later. The order in which sources and records come changes nothing. Deliberately not here: reading them.

mod asking;
mod found;
mod nearness;
mod rounds;

pub(super) use found::{Found, Record};
pub(super) use nearness::OWN;
pub(super) use rounds::{kinds, search};

#[cfg(test)]
mod tests;
