use futures_util::future::BoxFuture;

use super::board::{BoardMaterial, opinions};
use super::material::{Gathered, ReviewJudged, ReviewOptions};
use super::meta::meta;
use super::suggest::suggestions;
use crate::{Result, World};

/// Has the board judge the evidence, combines its opinions and asks for suggestions. Does nothing without a model.
///
/// Each reader gets each dimension in a separate request. This keeps evidence that a dimension does not use out of its prompt, keeps one score from
/// influencing the next, and limits a failure to one opinion. Requests of one reader share a prefix, which providers with prompt caching charge once.
///
/// # Errors
/// When the ledger or the analyst fails. An unusable answer is not an error: it is missing, and [`ReviewJudged::notes`] says so.
pub fn judge<'a>(
    gathered: &'a Gathered,
    options: &'a ReviewOptions,
    world: &'a World,
) -> BoxFuture<'a, Result<ReviewJudged>> {
    Box::pin(async move {
        let Some(model) = &world.model else {
            return Ok(ReviewJudged::default());
        };
        let material = BoardMaterial::of(gathered);
        let (board, mut notes) = opinions(&material, options, model, world).await?;
        let (meta, more) = meta(&material, &options.dimensions, &board, model, world).await?;
        notes.extend(more);
        let (suggestions, more) = suggestions(gathered, model, world).await?;
        notes.extend(more);
        Ok(ReviewJudged {
            board,
            meta,
            suggestions,
            notes,
        })
    })
}
