//! How well a search finds what it should: judged queries, the usual measures, and how far chance moves them.
//!
//! In: a folder of queries and judgements ([`JudgedSet`]), the ranking that some search gave. Out: [`Measures`] a query, their means with
//! intervals, and the difference between two searches over the same queries ([`interval`]). Deliberately not here: searching and printing.

mod bootstrap;
mod judged_set;
mod measures;

pub use bootstrap::{Interval, interval};
pub use judged_set::{Half, JudgedQuery, JudgedSet};
pub use measures::{DEEPEST, Measure, Measures};

#[cfg(test)]
mod tests;
