//! Evaluates search quality: judged queries, the standard measures, and bootstrap intervals.
//!
//! Input: a folder of queries and judgements ([`JudgedSet`]) and the rankings of a search. Output: [`Measures`] per query, their means with
//! intervals, and the difference between two searches on the same queries ([`interval`]). Not included: searching and printing.

mod bootstrap;
mod judged_set;
mod measures;

pub use bootstrap::{Interval, interval};
pub use judged_set::{Half, JudgedQuery, JudgedSet};
pub use measures::{DEEPEST, Measure, Measures};

#[cfg(test)]
mod tests;
