//! The citations around a paper: what it cites, what those works cite, and what cites it.
//!
//! Input: a paper with its reference list. Output: a [`CitationGraph`] with the references resolved with certainty, the works they cite (most often
//! cited first), works that cite the paper, and works that services recommend for either, each as its source returned it. A reference is resolved by
//! a printed identifier and a matching title, or by title, author and year, never by a best guess. Services receive only the names of works, nothing
//! else from the paper. Out of scope: what these works mean for the paper.

mod found;
mod graph;
mod ranked;
mod resolve;
mod second;

pub use found::{Certainty, CitationOptions, ResolvedReference, SecondOrder};
pub(crate) use graph::follow;
pub use graph::{CitationGraph, citation_graph};

#[cfg(test)]
mod tests;
