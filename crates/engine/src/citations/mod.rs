//! The citations around a paper: what it cites, what that cites, and what cites it.
//!
//! In: a paper with its reference list. Out: a [`CitationGraph`]: the references that were resolved to works for sure, the works that these cite, most often
//! first, works that cite the paper, and works that services recommend beside either, each as a source gave it. A reference is resolved by what was printed, by identifier with a title that agrees or by title,
//! author and year; a best guess is none. Services are asked by the names of works; nothing else of the paper is sent. Deliberately not here: what any of these works
//! mean for the paper.

mod graph;
mod ranked;
mod resolve;
mod second;

pub use graph::{Certainty, CitationGraph, CitationOptions, ResolvedReference, SecondOrder, citation_graph};
pub(crate) use graph::{NOT_FOLLOWED, follow};

#[cfg(test)]
mod tests;
