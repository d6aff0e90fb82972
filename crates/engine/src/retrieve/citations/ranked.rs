//! The citation graph as ranked lists for the prior-work search.

use std::collections::BTreeSet;

use precedent_corpus::TopicVector;
use precedent_domain::{CameBy, Hit, Paper, WorkId};

use super::graph::CitationGraph;

/// Minimum number of references that must cite a work. A single one says little about the paper.
const CITED_BY: usize = 2;

impl CitationGraph {
    /// Ranked lists per source: references by similarity to the paper, works cited by at least two of them by citation count, recommended works, and
    /// works that cite the paper.
    pub(crate) fn rankings(&self, paper: &Paper) -> Vec<Vec<Hit>> {
        let own = TopicVector::of(
            paper.title.as_deref().unwrap_or_default(),
            paper.abstract_text().unwrap_or_default(),
        );
        let mut references: Vec<(f64, &Hit)> = self
            .references
            .iter()
            .map(|one| {
                let work = &one.hit.work;
                let topic_vector = TopicVector::of(&work.title, work.summary.as_deref().unwrap_or_default());
                (own.topic_similarity(&topic_vector), &one.hit)
            })
            .collect();
        references.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.work.id.cmp(&other.work.id)));
        let mut known = BTreeSet::new();
        let references = references.into_iter().map(|(_, hit)| hit.clone());
        let references: Vec<Hit> = references
            .filter(|hit| known.insert((hit.source.clone(), hit.work.id.clone())))
            .collect();
        let second = self.second.iter().filter(|one| one.cited_by.len() >= CITED_BY);
        let second: Vec<Hit> = second.map(|one| one.hit.clone()).collect();
        [references, second, self.citing.clone()]
            .into_iter()
            .chain(self.recommended.iter().cloned())
            .chain(self.recommended_by_references.iter().cloned())
            .filter(|ranking| !ranking.is_empty())
            .collect()
    }

    /// How the work with these records (source and id) is connected to the paper.
    pub(crate) fn came_by(&self, members: &[(String, WorkId)]) -> Vec<CameBy> {
        let is_one = |hit: &Hit| {
            members
                .iter()
                .any(|(source, id)| *source == hit.source && *id == hit.work.id)
        };
        let references = self.references.iter().filter(|one| is_one(&one.hit));
        let mut ways: Vec<CameBy> = references.map(|one| CameBy::Reference { number: one.number }).collect();
        let second = self
            .second
            .iter()
            .find(|one| is_one(&one.hit) && one.cited_by.len() >= CITED_BY);
        ways.extend(second.map(|one| CameBy::CitedByReferences {
            count: u32::try_from(one.cited_by.len()).unwrap_or(u32::MAX),
        }));
        let among = |lists: &[Vec<Hit>]| lists.iter().flatten().any(is_one);
        ways.extend(among(&self.recommended).then_some(CameBy::Recommended));
        ways.extend(among(&self.recommended_by_references).then_some(CameBy::RecommendedByReferences));
        ways.extend(self.citing.iter().any(is_one).then_some(CameBy::CitesPaper));
        ways
    }
}
