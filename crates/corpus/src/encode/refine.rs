use std::sync::Arc;

use precedent_domain::Work;

use super::{Embedder, EncodeError, Reranker, TextKind, VectorCache};
use crate::Found;

/// Weight of an embedder's similarities, in standard deviations of the scores that they are added to.
const NEARNESS: f32 = 1.0;
/// Weight of a reranker's scores, in the same unit.
const RERANKED: f32 = 2.0;
/// Maximum size in bytes of a work's text; every model cuts longer ones.
const LONGEST_TEXT: usize = 4_000;

/// Applies models to the candidates of a search: an embedder, a reranker, or both in this order.
pub struct Refiner {
    embedder: Option<(Arc<dyn Embedder>, VectorCache)>,
    reranker: Option<Arc<dyn Reranker>>,
    /// Number of candidates for the embedder.
    pub candidates: usize,
    /// Number of its best results for the reranker.
    pub reranked: usize,
}

impl std::fmt::Debug for Refiner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Refiner")
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}

impl Refiner {
    /// A refiner with these models. The vectors of works are cached in `VectorCache`.
    #[must_use]
    pub fn new(embedder: Option<(Arc<dyn Embedder>, VectorCache)>, reranker: Option<Arc<dyn Reranker>>) -> Self {
        Self {
            embedder,
            reranker,
            candidates: 200,
            reranked: 50,
        }
    }

    /// Names of its models.
    #[must_use]
    pub fn name(&self) -> String {
        let embedder = self.embedder.as_ref().map(|(embedder, _)| embedder.name());
        let reranker = self.reranker.as_ref().map(|reranker| reranker.name());
        embedder.into_iter().chain(reranker).collect::<Vec<_>>().join(" + ")
    }

    /// Reranks the candidates of `query`. Candidates beyond the limits of the models keep their order at the end.
    ///
    /// # Errors
    /// If a model gave no usable answer.
    pub fn refine(&self, query: &str, mut found: Vec<(Found, Work)>) -> Result<Vec<(Found, Work)>, EncodeError> {
        if let Some((embedder, kept)) = &self.embedder {
            let texts: Vec<String> = found
                .iter()
                .take(self.candidates)
                .map(|(_, work)| embedded_text(work))
                .collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let near = similarities(embedder.as_ref(), Some(kept), query, &texts)?;
            add(&mut found, &near, NEARNESS);
        }
        if let Some(reranker) = &self.reranker {
            let texts: Vec<String> = found
                .iter()
                .take(self.reranked)
                .map(|(_, work)| embedded_text(work))
                .collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let scores = if texts.is_empty() {
                Vec::new()
            } else {
                reranker.rerank(query, &texts)?
            };
            if scores.len() != texts.len() || scores.iter().any(|score| !score.is_finite()) {
                return Err(EncodeError::Answer {
                    model: reranker.name().to_owned(),
                    reason: format!("{} scores for {} texts", scores.len(), texts.len()),
                });
            }
            add(&mut found, &scores, RERANKED);
        }
        Ok(found)
    }
}

/// Similarity of each text to `query` by an embedder, -1 to 1, in the order of the texts. Cached vectors are reused.
///
/// # Errors
/// If the model gave no usable answer.
pub fn similarities(
    embedder: &dyn Embedder,
    kept: Option<&VectorCache>,
    query: &str,
    texts: &[&str],
) -> Result<Vec<f32>, EncodeError> {
    let make = |texts: &[&str]| embedder.embed(texts, TextKind::Work);
    let vectors = kept.map_or_else(|| make(texts), |kept| kept.of(texts, make))?;
    if vectors.len() != texts.len() {
        return Err(EncodeError::Answer {
            model: embedder.name().to_owned(),
            reason: format!("{} vectors for {} texts", vectors.len(), texts.len()),
        });
    }
    let own = embedder.embed(&[query], TextKind::Query)?;
    let own = own.first().map(Vec::as_slice).unwrap_or_default();
    // A server may serve a different model under the name of the one that made the cached vectors.
    if let Some(other) = vectors.iter().find(|vector| vector.len() != own.len()) {
        return Err(EncodeError::Answer {
            model: embedder.name().to_owned(),
            reason: format!(
                "{} dimensions in the query's vector, {} in a work's",
                own.len(),
                other.len()
            ),
        });
    }
    Ok(vectors
        .iter()
        .map(|vector| vector.iter().zip(own).map(|(a, b)| a * b).sum())
        .collect())
}

/// The text of a work for a model: title and abstract, up to 4,000 bytes.
#[must_use]
pub fn embedded_text(work: &Work) -> String {
    let mut text = work.title.clone();
    if let Some(summary) = &work.summary {
        text.push_str(". ");
        text.push_str(summary);
    }
    text.truncate(text.floor_char_boundary(LONGEST_TEXT));
    text
}

/// Adds a model's scores to those of the first works, both in standard deviations, and sorts these works. The scores of the rest are lowered to keep
/// it behind them.
fn add(found: &mut [(Found, Work)], scores: &[f32], weight: f32) {
    let (head, tail) = found.split_at_mut(scores.len().min(found.len()));
    let before: Vec<f32> = head.iter().map(|(found, _)| found.score as f32).collect();
    let (middle, spread) = spread(&before);
    let (own_middle, own_spread) = self::spread(scores);
    for ((found, _), (&before, &score)) in head.iter_mut().zip(before.iter().zip(scores)) {
        let sum = (before - middle) / spread + weight * (score - own_middle) / own_spread;
        found.score = f64::from(sum);
    }
    head.sort_by(|(a, _), (b, _)| b.score.total_cmp(&a.score).then_with(|| a.id.cmp(&b.id)));
    let last = head.last().map_or(0.0, |(found, _)| found.score);
    for (number, (found, _)) in tail.iter_mut().enumerate() {
        found.score = last - 1e-3 * (number as f64 + 1.0);
    }
}

/// Mean and standard deviation; the latter is never 0.
fn spread(values: &[f32]) -> (f32, f32) {
    let count = values.len().max(1) as f32;
    let mean = values.iter().sum::<f32>() / count;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f32>() / count;
    (mean, variance.sqrt().max(1e-6))
}
