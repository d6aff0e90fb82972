//! The first ranking: similarity of each paper to the whole idea.

use std::sync::Arc;

use precedent_corpus::{Embedder, EncodeError, TopicVector, VectorCache, embedded_text, similarities};
use precedent_domain::{Gap, IdeaText};
use serde::{Deserialize, Serialize};

use super::collect::{Collected, CollectedWork};
use super::options::{Ablation, IdeaOptions};
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "idea.near",
    version: 3,
};
/// Papers kept for the second ranking (Idea Novelty Checker, section 4.1).
pub(super) const NEAREST: usize = 100;
/// Damping constant of the rank fusion.
const DAMPING: f64 = 60.0;
/// Name of the program's own vectors in a report.
const OWN: &str = "vectors of terms";

/// The similarity of one paper.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct SimilarPaper {
    /// Index of the paper among those collected.
    pub(super) at: usize,
    /// Similarity, 0 to 1.
    pub(super) similarity: f64,
}

/// The most similar papers, and the name of the measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct MostSimilar {
    pub(super) by: String,
    pub(super) works: Vec<SimilarPaper>,
    /// Why the requested embedding model was not used.
    pub(super) failed: Option<Gap>,
}

/// The papers of `found` most similar to the idea, best first.
///
/// # Errors
/// When the ledger fails. If the embedding model fails, the program's own vectors are used and [`MostSimilar::failed`] gives the reason.
pub(super) async fn near(
    idea: &IdeaText,
    found: &Collected,
    options: &IdeaOptions,
    world: &World,
) -> Result<MostSimilar> {
    let texts: Vec<(&str, &str, f64)> = found
        .works
        .iter()
        .map(|one| {
            (
                one.work.title.as_str(),
                one.work.summary.as_deref().unwrap_or_default(),
                one.whole,
            )
        })
        .collect();
    let model = options
        .embedder
        .as_ref()
        .map(|(embedder, _)| embedder.name().to_owned());
    let input = (&idea.document.text, texts, model, options.ablation);
    // Do not cache a failure, so that the next run tries the model again.
    let lasts = |nearest: &MostSimilar| nearest.failed.is_none();
    world
        .stage_where(STAGE, &input, lasts, compute(idea, &found.works, options, world))
        .await
}

async fn compute(
    idea: &IdeaText,
    works: &[CollectedWork],
    options: &IdeaOptions,
    world: &World,
) -> Result<MostSimilar> {
    let mut failed = None;
    if let Some((embedder, kept)) = &options.embedder {
        match embedded(idea, works, Arc::clone(embedder), Arc::clone(kept)).await {
            Ok(near) => {
                return Ok(MostSimilar {
                    by: embedder.name().to_owned(),
                    works: ordered(works, &near, options.ablation),
                    failed: None,
                });
            }
            Err(reason) => {
                let model = embedder.name().to_owned();
                world.progress.ranking_model_failed(&model, &reason);
                failed = Some(Gap::RankingModelFailed { model, failure: reason });
            }
        }
    }
    let own = TopicVector::of("", &idea.document.text);
    let near: Vec<f64> = works
        .iter()
        .map(|one| {
            own.topic_similarity(&TopicVector::of(
                &one.work.title,
                one.work.summary.as_deref().unwrap_or_default(),
            ))
        })
        .collect();
    Ok(MostSimilar {
        by: OWN.to_owned(),
        works: ordered(works, &near, options.ablation),
        failed,
    })
}

/// Cosines by the model, computed on a blocking thread, or the reason for a failure.
async fn embedded(
    idea: &IdeaText,
    works: &[CollectedWork],
    embedder: Arc<dyn Embedder>,
    kept: Arc<VectorCache>,
) -> std::result::Result<Vec<f64>, String> {
    let query = idea.document.text.clone();
    let texts: Vec<String> = works.iter().map(|one| embedded_text(&one.work)).collect();
    let made = tokio::task::spawn_blocking(move || {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        similarities(embedder.as_ref(), Some(&kept), &query, &texts)
    });
    let near = made.await.map_err(|error| error.to_string())?;
    let near = near.map_err(|error: EncodeError| error.to_string())?;
    Ok(near.into_iter().map(f64::from).collect())
}

/// Fuses the rank by vectors with the rank from searching for the whole idea, where there was such a search. Ties are broken by id.
fn ordered(works: &[CollectedWork], near: &[f64], ablation: Ablation) -> Vec<SimilarPaper> {
    let by_vectors = ranks(near);
    let whole: Vec<f64> = works.iter().map(|one| one.whole).collect();
    let by_whole = ranks(&whole);
    let score = |at: usize| {
        let vectors = by_vectors.get(at).map_or(0.0, |rank| 1.0 / (DAMPING + rank));
        let found = whole.get(at).is_some_and(|score| *score > 0.0);
        let search = by_whole
            .get(at)
            .filter(|_| found)
            .map_or(0.0, |rank| 1.0 / (DAMPING + rank));
        vectors + search
    };
    let mut all: Vec<(usize, f64)> = (0..works.len()).map(|at| (at, score(at))).collect();
    let id = |at: usize| works.get(at).map(|one| &one.work.id);
    if ablation.ranks_by_similarity() {
        all.sort_by(|(a, one), (b, other)| other.total_cmp(one).then_with(|| id(*a).cmp(&id(*b))));
    }
    let similarity = |at: usize| near.get(at).copied().unwrap_or_default().clamp(0.0, 1.0);
    all.into_iter()
        .take(NEAREST)
        .map(|(at, _)| SimilarPaper {
            at,
            similarity: (similarity(at) * 1_000.0).round() / 1_000.0,
        })
        .collect()
}

/// The rank of each value, highest first, from 1; equal values share the better rank.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    values
        .iter()
        .map(|value| sorted.partition_point(|other| other.total_cmp(value).is_gt()) as f64 + 1.0)
        .collect()
}
