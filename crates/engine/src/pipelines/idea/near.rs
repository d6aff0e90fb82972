//! The first ranking: how near each work stands to the idea as a whole.

use std::sync::Arc;

use precedent_corpus::{Embedder, EncodeError, Gist, KeptVectors, embedded_text, nearness};
use precedent_domain::IdeaText;
use serde::{Deserialize, Serialize};

use super::collect::{Collected, CollectedWork};
use super::pipeline::IdeaOptions;
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "idea.near",
    version: 2,
};
/// Works that go on to the second ranking (Idea Novelty Checker, section 4.1).
pub(super) const NEAREST: usize = 100;
/// Damping of the fusion of ranks.
const DAMPING: f64 = 60.0;
/// What names the program's own vectors in a report.
const OWN: &str = "vectors of terms";

/// What one work got.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Near {
    /// Which work of those collected.
    pub(super) at: usize,
    /// How near, 0 to 1.
    pub(super) nearness: f64,
}

/// The nearest works, and what told how near they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Nearest {
    pub(super) by: String,
    pub(super) works: Vec<Near>,
    /// Why the model that was asked for did not tell.
    pub(super) failed: Option<String>,
}

/// The nearest works of `found`, nearest first.
///
/// # Errors
/// When the ledger fails. A model of vectors that fails gives way to the program's own, and [`Nearest::failed`] says so.
pub(super) async fn near(idea: &IdeaText, found: &Collected, options: &IdeaOptions, world: &World) -> Result<Nearest> {
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
    let input = (&idea.document.text, texts, model);
    // Where the model failed, the next run asks it again.
    let lasts = |nearest: &Nearest| nearest.failed.is_none();
    world
        .stage_where(STAGE, &input, lasts, work_out(idea, &found.works, options, world))
        .await
}

async fn work_out(idea: &IdeaText, works: &[CollectedWork], options: &IdeaOptions, world: &World) -> Result<Nearest> {
    let mut failed = None;
    if let Some((embedder, kept)) = &options.embedder {
        match embedded(idea, works, Arc::clone(embedder), Arc::clone(kept)).await {
            Ok(near) => {
                return Ok(Nearest {
                    by: embedder.name().to_owned(),
                    works: ordered(works, &near),
                    failed: None,
                });
            }
            Err(reason) => {
                let reason = format!(
                    "{} made no vectors ({reason}); the program's own tell how near works stand",
                    embedder.name()
                );
                world.progress.warning(&reason);
                failed = Some(reason);
            }
        }
    }
    let own = Gist::of("", &idea.document.text);
    let near: Vec<f64> = works
        .iter()
        .map(|one| {
            own.kinship(&Gist::of(
                &one.work.title,
                one.work.summary.as_deref().unwrap_or_default(),
            ))
        })
        .collect();
    Ok(Nearest {
        by: OWN.to_owned(),
        works: ordered(works, &near),
        failed,
    })
}

/// Cosines by a model, on a thread that may block; the reason in words where it fails.
async fn embedded(
    idea: &IdeaText,
    works: &[CollectedWork],
    embedder: Arc<dyn Embedder>,
    kept: Arc<KeptVectors>,
) -> std::result::Result<Vec<f64>, String> {
    let query = idea.document.text.clone();
    let texts: Vec<String> = works.iter().map(|one| embedded_text(&one.work)).collect();
    let made = tokio::task::spawn_blocking(move || {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        nearness(embedder.as_ref(), Some(&kept), &query, &texts)
    });
    let near = made.await.map_err(|error| error.to_string())?;
    let near = near.map_err(|error: EncodeError| error.to_string())?;
    Ok(near.into_iter().map(f64::from).collect())
}

/// The nearest by rank in both: the vectors, and the search with the whole idea where one could be made. Of equals the work with the smaller id.
fn ordered(works: &[CollectedWork], near: &[f64]) -> Vec<Near> {
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
    all.sort_by(|(a, one), (b, other)| other.total_cmp(one).then_with(|| id(*a).cmp(&id(*b))));
    let nearness = |at: usize| near.get(at).copied().unwrap_or_default().clamp(0.0, 1.0);
    all.into_iter()
        .take(NEAREST)
        .map(|(at, _)| Near {
            at,
            nearness: (nearness(at) * 1_000.0).round() / 1_000.0,
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
