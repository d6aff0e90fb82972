use precedent_domain::{Document, Extent, NotSearched, Scope, SentRecord, Timing, Work};

use super::funnel::Kept;
use crate::retrieve::texts::{FullTextOutcome, Tally};
use crate::{EngineError, FullTextFetcher, Result, World};

/// The result of fetching full texts.
#[derive(Debug, Default)]
pub(super) struct FullTextsFound {
    /// One text per paper, in the same order.
    pub(super) documents: Vec<Document>,
    /// What could not be fetched.
    pub(super) not_searched: Vec<NotSearched>,
    /// What was sent.
    pub(super) sent: Vec<SentRecord>,
    /// Whether a later attempt may get more.
    pub(super) may_come: bool,
}

/// Fetches full texts for papers known only by title and abstract, most informative for the claims first.
///
/// # Errors
/// If the records of what was sent cannot be read.
pub(super) async fn fetch_full_texts(kept: &[Kept], documents: Vec<Document>, world: &World) -> Result<FullTextsFound> {
    let mut found = FullTextsFound {
        documents,
        ..FullTextsFound::default()
    };
    let Some(texts) = world.texts.as_ref() else {
        return Ok(found);
    };
    let mut open: Vec<usize> = (0..kept.len())
        .filter(|&at| {
            found
                .documents
                .get(at)
                .is_some_and(|text| text.extent != Extent::FullText)
        })
        .collect();
    open.sort_by_key(|&at| (kept.get(at).map(promise), at));
    let left = open.len().saturating_sub(texts.most());
    open.truncate(texts.most());
    if open.is_empty() {
        return Ok(found);
    }
    world
        .progress
        .note(&format!("fetching full texts for {} papers", open.len()));
    let works: Vec<Work> = open.iter().filter_map(|&at| Some(kept.get(at)?.work.clone())).collect();
    let mut tally = Tally::default();
    for (at, had) in open.into_iter().zip(texts.fetch_all(&works).await) {
        tally.count(&had);
        if let (FullTextOutcome::Text(text), Some(place)) = (had, found.documents.get_mut(at)) {
            *place = *text;
        }
    }
    found.may_come = tally.may_pass();
    found.not_searched.extend(tally.gap(left).map(NotSearched::from));
    // The report must list everything that was sent.
    found.sent = FullTextFetcher::sent(&world.ledger)
        .await
        .map_err(|source| EngineError::Ledger {
            stage: "search",
            source,
        })?;
    Ok(found)
}

/// Fetching order, lowest first: earlier papers before those that are not prior art, then best rank for any claim, then for the task.
fn promise(one: &Kept) -> (bool, u32, u32) {
    let best = |of_claims: bool| {
        let ranks = one
            .scopes
            .iter()
            .filter(|rank| (rank.scope != Scope::CoreTask) == of_claims);
        ranks.map(|rank| rank.rank).min().unwrap_or(u32::MAX)
    };
    (one.timing != Timing::Earlier, best(true), best(false))
}
