//! Fetches full texts from open archives for works of the base known only by title and abstract, if fetching is allowed.

use precedent_corpus::TopicVector;
use precedent_domain::{Document, Extent, Gap, NotSearched, Paper, SentRecord, Timing, Work};
use serde::{Deserialize, Serialize};

use super::base::Base;
use super::material::PointsReading;
use crate::retrieve::texts::{FullTextOutcome, Tally};
use crate::world::Stage;
use crate::{EngineError, FullTextFetcher, Result, World};

const STAGE: Stage = Stage {
    name: "points.texts",
    version: 2,
};

/// The fetched texts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct FetchedTexts {
    /// Texts by index in the base.
    texts: Vec<(usize, Document)>,
    /// The texts that are missing.
    #[serde(default)]
    gap: Option<Gap>,
    sent: Vec<SentRecord>,
    /// Whether a later attempt may find more.
    may_come: bool,
}

/// Replaces abstracts with full texts for as many works as allowed. Works most similar to the paper and its points come first, and earlier works
/// before others.
///
/// # Errors
/// If the ledger or the log of sent requests cannot be read.
pub(super) async fn full_texts(base: &mut Base, paper: &Paper, reading: &PointsReading, world: &World) -> Result<()> {
    let Some(texts) = world.texts.as_ref() else {
        return Ok(());
    };
    let mut open = by_promise(base, paper, reading);
    let left = open.len().saturating_sub(texts.most());
    open.truncate(texts.most());
    if open.is_empty() {
        return Ok(());
    }
    let works: Vec<Work> = open
        .iter()
        .filter_map(|&at| Some(base.candidates.get(at)?.work.clone()))
        .collect();
    let fetched = world
        .stage_where(
            STAGE,
            &(&works, left, texts.key()),
            |fetched: &FetchedTexts| !fetched.may_come,
            fetch_full_texts(&open, &works, left, texts, world),
        )
        .await?;
    for (at, document) in fetched.texts {
        if let (Some(text), Some(candidate)) = (base.texts.get_mut(at), base.candidates.get_mut(at)) {
            candidate.work.extent = document.extent;
            text.document = document;
        }
    }
    if let Some(search_outcome) = &mut base.search_outcome {
        search_outcome.sent.extend(fetched.sent);
        search_outcome.not_searched.extend(fetched.gap.map(NotSearched::from));
    }
    Ok(())
}

async fn fetch_full_texts(
    open: &[usize],
    works: &[Work],
    left: usize,
    texts: &FullTextFetcher,
    world: &World,
) -> Result<FetchedTexts> {
    world
        .progress
        .note(&format!("looking for the full texts of {} papers", works.len()));
    let mut tally = Tally::default();
    let mut fetched = FetchedTexts::default();
    for (at, had) in open.iter().zip(texts.fetch_all(works).await) {
        tally.count(&had);
        if let FullTextOutcome::Text(text) = had {
            fetched.texts.push((*at, *text));
        }
    }
    fetched.gap = tally.gap(left);
    fetched.may_come = tally.may_pass();
    fetched.sent = FullTextFetcher::sent(&world.ledger)
        .await
        .map_err(|source| EngineError::Ledger {
            stage: STAGE.name,
            source,
        })?;
    Ok(fetched)
}

/// Indices of the works without full text, most promising first.
fn by_promise(base: &Base, paper: &Paper, reading: &PointsReading) -> Vec<usize> {
    let own = TopicVector::of(
        paper.title.as_deref().unwrap_or_default(),
        paper.abstract_text().unwrap_or_default(),
    );
    let points: Vec<TopicVector> = reading
        .points
        .iter()
        .map(|point| TopicVector::of(&point.name, point.claim.text()))
        .collect();
    let mut open: Vec<(bool, f64, usize)> = base
        .candidates
        .iter()
        .zip(&base.texts)
        .enumerate()
        .filter(|(_, (_, text))| text.document.extent != Extent::FullText)
        .map(|(at, (one, _))| {
            let topic_vector = TopicVector::of(&one.work.title, one.work.summary.as_deref().unwrap_or_default());
            let best = points
                .iter()
                .map(|point| point.similarity(&topic_vector))
                .fold(0.0, f64::max);
            (
                one.timing != Timing::Earlier,
                own.topic_similarity(&topic_vector) + best,
                at,
            )
        })
        .collect();
    open.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    open.into_iter().map(|(.., at)| at).collect()
}
