//! The egress gate: what of a manuscript may reach a source that is not on this machine.
//!
//! In: a paper or an idea, and the queries that a run makes of it, by rule or by a model. Out: the queries as they may be sent. Each pipeline wraps the sources of
//! its world once, with [`World::behind`](crate::World::behind), so a stage cannot reach an online source around the gate. `--show-egress` and `--estimate` ask the same gate.
//!
//! A query that is sent holds
//! 1. no word of the authors' names, their affiliations or their e-mail addresses ([`Personal`]),
//! 2. no name that the paper coins ([`coined_names`]),
//! 3. no more than six consecutive words of the manuscript ([`Manuscript`]).
//!
//! The gate repairs a query that breaks a rule, and drops one that keeps fewer than two telling words. Sources on this machine are not behind it.
//!
//! Three kinds of requests are not queries made from the manuscript and follow fewer rules. The title of a cited work is published: only rule 1 holds, and the
//! manuscript's own title is never looked up. A seed paper's title, which the user typed, is the same kind. A whole idea goes to the
//! services that the user named for it as its key words, under all three rules.
//! Looking up works by identifier sends no words. Deliberately not here: opening a paper that the user named by title, and what models are sent.

mod coined;
mod gate;
mod gated_source;
mod manuscript;
mod personal;

pub use gate::{CheckedRelation, EgressGate};
pub(crate) use gated_source::GatedSource;
pub(crate) use personal::Personal;

use coined::coined_names;
use manuscript::{Manuscript, tokens};

#[cfg(test)]
mod tests;
