//! The second ranking: orders the top papers by facets, by a model in windows or by the program.

use async_trait::async_trait;
use precedent_corpus::TopicVector;
use precedent_domain::{Document, Facet, IdeaText, ListwiseRecord, SourceReport, Timing, Work};
use serde::{Deserialize, Serialize};

use super::collect::{Collected, CollectedWork};
use super::listwise::{Ranker, TOP, slide};
use super::material::RankQuestion;
use super::model;
use super::options::Ablation;
use super::similarity::MostSimilar;
use crate::model::ModelAnalyst;
use crate::retrieve::search::document_of;
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "idea.order",
    version: 2,
};
/// Weight of each facet in the program's order. Purpose and mechanism distinguish ideas of one field.
const WEIGHTS: [(Facet, f64); 4] = [
    (Facet::Purpose, 1.0),
    (Facet::Mechanism, 1.0),
    (Facet::Evaluation, 0.25),
    (Facet::ApplicationDomain, 0.5),
];
/// Weight of the rank by facets against the rank by similarity.
const BY_FACETS: f64 = 0.25;
const DAMPING: f64 = 60.0;

/// The papers in final order: those compared in detail, with their texts, then the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Ordered {
    pub(super) top: Vec<TopWork>,
    pub(super) further: Vec<Work>,
    pub(super) listwise: Option<ListwiseRecord>,
    /// Report of each source, including text fetches.
    pub(super) sources: Vec<SourceReport>,
}

/// A paper that the idea is compared with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct TopWork {
    pub(super) work: Work,
    pub(super) document: Document,
    pub(super) timing: Timing,
    pub(super) found_by: Vec<String>,
    pub(super) similarity: f64,
    /// Rank by similarity, from 1.
    pub(super) similarity_rank: u32,
}

/// Orders the most similar papers and fetches the texts of the top ones.
///
/// # Errors
/// When the analyst cannot be called, or the ledger fails.
pub(super) async fn order(
    idea: &IdeaText,
    found: &Collected,
    nearest: &MostSimilar,
    ablation: Ablation,
    world: &World,
) -> Result<Ordered> {
    let works: Vec<&CollectedWork> = nearest
        .works
        .iter()
        .filter_map(|near| found.works.get(near.at))
        .collect();
    let revisions: Vec<Option<String>> = world.sources.iter().map(|source| source.revision()).collect();
    let input = (&idea.document.text, &idea.facets, &works, nearest, revisions, ablation);
    world
        .stage(STAGE, &input, compute(idea, found, nearest, &works, ablation, world))
        .await
}

async fn compute(
    idea: &IdeaText,
    found: &Collected,
    nearest: &MostSimilar,
    works: &[&CollectedWork],
    ablation: Ablation,
    world: &World,
) -> Result<Ordered> {
    let (order, listwise) = match &world.model {
        _ if !ablation.ranks_again() => ((0..works.len()).collect(), None),
        None if ablation == Ablation::Facets => ((0..works.len()).collect(), None),
        None => (by_facets(idea, works), None),
        Some(model) => {
            let by_facets = ablation != Ablation::Facets;
            let asking = Asking {
                idea,
                works,
                model,
                by_facets,
            };
            let (order, record) = slide((0..works.len()).collect(), &asking).await?;
            (order, Some(record))
        }
    };
    let mut sources = found.sources.clone();
    let mut top = Vec::new();
    for at in order.iter().take(TOP) {
        let (Some(one), Some(near)) = (works.get(*at), nearest.works.get(*at)) else {
            continue;
        };
        let document = document_of(&one.work, &one.members, &mut sources, world).await;
        let mut found_by: Vec<String> = one.members.iter().map(|(source, _)| source.clone()).collect();
        found_by.dedup();
        top.push(TopWork {
            work: Work {
                extent: document.extent,
                ..one.work.clone()
            },
            document,
            timing: one.timing,
            found_by,
            similarity: near.similarity,
            similarity_rank: u32::try_from(at + 1).unwrap_or(u32::MAX),
        });
    }
    let further = order.iter().skip(TOP).filter_map(|at| works.get(*at));
    Ok(Ordered {
        top,
        further: further.map(|one| one.work.clone()).collect(),
        listwise,
        sources,
    })
}

/// Sends windows of papers to the model.
struct Asking<'a> {
    idea: &'a IdeaText,
    works: &'a [&'a CollectedWork],
    model: &'a ModelAnalyst,
    by_facets: bool,
}

#[async_trait]
impl Ranker for Asking<'_> {
    async fn order(&self, window: &[usize]) -> Result<Option<Vec<u32>>> {
        let works: Vec<&Work> = window
            .iter()
            .filter_map(|at| self.works.get(*at))
            .map(|one| &one.work)
            .collect();
        let question = RankQuestion {
            idea: self.idea,
            works: &works,
            by_facets: self.by_facets,
        };
        model::order_works(self.model, question).await
    }
}

/// The program's order: a fusion of the ranks by similarity and by facets.
fn by_facets(idea: &IdeaText, works: &[&CollectedWork]) -> Vec<usize> {
    let facets: Vec<(TopicVector, f64)> = idea
        .facets
        .iter()
        .filter_map(|one| {
            let weight = WEIGHTS.iter().find(|(facet, _)| *facet == one.facet)?.1;
            Some((TopicVector::of("", one.quote.text()), weight))
        })
        .collect();
    let alike = |one: &&CollectedWork| -> f64 {
        let topic_vector = TopicVector::of(&one.work.title, one.work.summary.as_deref().unwrap_or_default());
        facets
            .iter()
            .map(|(facet, weight)| weight * facet.similarity(&topic_vector).max(0.0))
            .sum()
    };
    let mut by: Vec<(usize, f64)> = works.iter().map(alike).enumerate().collect();
    by.sort_by(|(a, one), (b, other)| other.total_cmp(one).then(a.cmp(b)));
    let mut scores = vec![0.0; works.len()];
    for (rank, (at, _)) in by.iter().enumerate() {
        if let Some(score) = scores.get_mut(*at) {
            *score += BY_FACETS / (DAMPING + rank as f64) + 1.0 / (DAMPING + *at as f64);
        }
    }
    let mut order: Vec<usize> = (0..works.len()).collect();
    let score = |at: usize| scores.get(at).copied().unwrap_or_default();
    order.sort_by(|a, b| score(*b).total_cmp(&score(*a)).then(a.cmp(b)));
    order
}
