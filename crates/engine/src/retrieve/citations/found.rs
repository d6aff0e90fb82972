use std::sync::Arc;

use precedent_domain::Hit;
use precedent_sources::Source;
use serde::{Deserialize, Serialize};

use crate::retrieve::search::in_plain_words;

/// Limits of the citation graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CitationOptions {
    /// Maximum number of works cited by the references; 0 to skip.
    pub second: usize,
    /// Maximum number of works that cite the paper; 0 to skip.
    pub citing: usize,
    /// Maximum number of works recommended for the paper, and for its references; 0 to skip.
    pub recommended: usize,
    /// Whether to search sources on this machine for the titles of references.
    pub local: bool,
    /// Maximum number of reference titles to look up at services, one request each, for references not resolved otherwise. Uses only services that do
    /// not charge for it.
    pub titles: usize,
}

impl CitationOptions {
    /// For a prior-work search: few requests to services. Large local sources are searched for references too.
    pub const SEARCH: Self = Self {
        second: 50,
        citing: 50,
        recommended: 50,
        local: false,
        titles: 0,
    };
    /// For the literature base of a report (NoveltyAgent, 3.1: all references, and what they cite up to a capacity of 200).
    pub const LITERATURE: Self = Self {
        second: 200,
        citing: 0,
        recommended: 0,
        local: true,
        titles: 40,
    };
}

/// A reference and the work it was matched to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResolvedReference {
    /// Number in the paper's list.
    pub number: u32,
    /// The work as a source describes it.
    pub hit: Hit,
    /// Evidence for the match.
    pub certainty: Certainty,
}

/// Evidence that a reference is a given work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// A printed identifier, and the title of the work with that identifier appears in the reference.
    Identifier,
    /// The title, an author and the year of the work appear in the reference.
    TitleAuthorYear,
}

/// A work cited by references of the paper.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SecondOrder {
    /// The work as a source describes it.
    pub hit: Hit,
    /// Numbers of the references that cite it, in order.
    pub cited_by: Vec<u32>,
}

/// Whether a source failed before. It is then skipped, because the next request would wait as long.
pub(super) fn has_failed(failures: &[(String, String)], source: &Arc<dyn Source>) -> bool {
    failures.iter().any(|(name, _)| name == source.name())
}

pub(super) fn plain(mut hit: Hit) -> Hit {
    in_plain_words(&mut hit.work);
    hit
}
