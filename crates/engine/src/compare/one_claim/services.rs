use std::sync::Arc;

use futures_util::future::join_all;
use precedent_domain::{Document, Hit, PartialDate, Query, Scope, Work};
use precedent_sources::{Source, fuse, merge};

use crate::EgressGate;

/// Maximum number of papers that each service returns for a claim.
const MOST: usize = 60;
/// Maximum number of words of a claim from which the gate chooses those that are sent.
const MOST_WORDS: usize = 25;

/// What services found for a claim.
#[derive(Debug, Default)]
pub struct ServiceResults {
    /// The words that were sent; `None` if too little is left of the claim after what must not be sent.
    pub query: Option<String>,
    /// The papers, best first, as title and abstract.
    pub works: Vec<Work>,
    /// Why services failed, in sentences.
    pub failures: Vec<String>,
}

/// Searches services for papers that may state a claim. Each gets one short query: the words of the claim that pass the [egress gate](EgressGate), so
/// never more than six consecutive ones.
pub async fn search_services(claim: &str, sources: &[Arc<dyn Source>], as_of: Option<PartialDate>) -> ServiceResults {
    let gate = EgressGate::of_idea(&Document::from_abstract("", Some(claim)), None);
    let words: Vec<&str> = claim.split_whitespace().take(MOST_WORDS).collect();
    let query = gate.query(&Query {
        text: words.join(" "),
        scope: Scope::CoreTask,
        variant: 0,
    });
    let Some(query) = query else {
        return ServiceResults::default();
    };
    let answers = join_all(sources.iter().map(|source| source.search(&query, as_of, MOST))).await;
    let mut found = ServiceResults {
        query: Some(query.text.clone()),
        ..ServiceResults::default()
    };
    let mut rankings: Vec<Vec<Hit>> = Vec::new();
    for answer in answers {
        match answer {
            Ok(results) => {
                found.failures.extend(results.failure.as_ref().map(in_full));
                rankings.push(results.hits);
            }
            Err(error) => found.failures.push(in_full(&error)),
        }
    }
    found.works = merge(fuse(&rankings)).into_iter().map(|one| one.work).collect();
    found
}

fn in_full(error: &precedent_sources::SourceError) -> String {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    format!("failed to {error}{}", cause.unwrap_or_default())
}
