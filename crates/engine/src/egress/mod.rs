//! The egress gate decides which words of a manuscript may reach a remote source.
//!
//! Input: a paper or an idea, and the queries that rules or a model derive from it. Output: the queries that may be sent. Each pipeline wraps the
//! sources of its world once, with [`World::behind`](crate::World::behind), so no stage can bypass the gate. `--show-egress` and `--estimate` use the
//! same gate.
//!
//! A query that is sent contains
//! 1. no word of the authors' names, their affiliations or their e-mail addresses ([`Personal`]),
//! 2. no name that the paper coins ([`coined_names`]),
//! 3. no more than six consecutive words of the manuscript ([`Manuscript`]).
//!
//! The gate repairs a query that breaks a rule, and drops one that keeps fewer than two content words. Local sources are not behind the gate.
//!
//! Three kinds of requests are not queries derived from the manuscript and follow fewer rules. The title of a cited work is published, so only rule 1
//! applies, and the manuscript's own title is never looked up. The title of a seed paper, which the user typed, is treated the same way. A whole idea
//! is sent only to services that the user named for it, as key words under all three rules. Looking up works by identifier sends no words. Out of
//! scope: opening a paper that the user named by title, and what models receive.

mod coined;
mod gate;
mod gated_source;
mod manuscript;

pub use gate::{CheckedRelation, EgressGate};
pub(crate) use gated_source::GatedSource;

use coined::coined_names;
use manuscript::Manuscript;

#[cfg(test)]
mod tests;
