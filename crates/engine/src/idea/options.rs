use std::collections::BTreeSet;
use std::sync::Arc;

use precedent_corpus::{Embedder, VectorCache};
use precedent_domain::{Paper, PartialDate, Work};
use precedent_sources::WorkName;
use serde::Serialize;

use super::labelled::Examples;

/// Options of an idea's assessment.
#[derive(Clone, Default)]
pub struct IdeaOptions {
    /// Judgement date: later papers do not count. Default: the date of the idea's own paper. Without either, every paper counts as earlier.
    pub as_of: Option<PartialDate>,
    /// Papers that the idea was made from. Similar papers are searched too. They are prior work like any other.
    pub seeds: Vec<Seed>,
    /// Names of the services that may receive the whole idea, if they support it, because the user named them. Local sources always do.
    pub whole_to: BTreeSet<String>,
    /// The idea's own paper, if it has one. Its versions are excluded as the same work.
    pub own: Option<Paper>,
    /// The papers to compare the idea with, instead of a search.
    pub given: Option<Vec<Work>>,
    /// Labelled examples for the model.
    pub examples: Examples,
    /// How often the model is called for the verdict; at least once.
    pub samples: usize,
    /// Part of the search that is left out, for measurements.
    pub ablation: Ablation,
    /// Embedding model to use instead of the program's own vectors, and the cache of its vectors.
    pub embedder: Option<(Arc<dyn Embedder>, Arc<VectorCache>)>,
}

/// A part of the search that is left out, to measure what it adds (Idea Novelty Checker, section 6.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ablation {
    /// Nothing is left out.
    #[default]
    Nothing,
    /// The facets: papers are ordered by relevance to the idea as a whole.
    Facets,
    /// The second ranking: papers stay in the order of similarity.
    Reranking,
    /// Short queries and both rankings: papers stay in the order in which the search for the whole idea found them.
    Queries,
    /// The search for the whole idea and both rankings: papers stay in the order in which the short queries found them.
    WholeIdea,
}

impl Ablation {
    /// Every ablation, beginning with the complete search.
    pub const ALL: [Self; 5] = [
        Self::Nothing,
        Self::Facets,
        Self::Reranking,
        Self::Queries,
        Self::WholeIdea,
    ];

    /// Whether papers are ordered by similarity to the idea.
    pub(super) fn ranks_by_similarity(self) -> bool {
        !matches!(self, Self::Queries | Self::WholeIdea)
    }

    /// Whether papers are ordered a second time.
    pub(super) fn ranks_again(self) -> bool {
        matches!(self, Self::Nothing | Self::Facets)
    }
}

/// A paper that an idea was made from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Seed {
    /// Its title; empty if it was given by identifier alone.
    pub title: String,
    /// Its abstract; empty if unknown.
    pub summary: String,
    /// Its identifiers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<WorkName>,
}
