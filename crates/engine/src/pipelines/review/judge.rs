use super::board::{BoardMaterial, opinions};
use super::material::{Gathered, ReviewJudged, ReviewOptions};
use super::meta::meta;
use super::suggest::suggestions;
use crate::{Result, World};

/// Has the board judge what was gathered, sums it up, and asks what could be done better. Nothing of it without an analyst that asks models.
///
/// Each reader is asked for each dimension by itself: only so can the evidence that a dimension does not ask for stay out of its question, a score does not colour the next one, and what
/// fails is one opinion and not a reader. Questions of one reader begin alike, so that providers that keep beginnings count them once.
///
/// # Errors
/// When the ledger or the analyst fails. An answer that cannot be used is no error: it is missing, and [`ReviewJudged::notes`] tell.
pub async fn judge(gathered: &Gathered, options: &ReviewOptions, world: &World) -> Result<ReviewJudged> {
    if world.analyst.asked().is_none() {
        return Ok(ReviewJudged::default());
    }
    let material = BoardMaterial::of(gathered);
    let (board, mut notes) = opinions(&material, options, world).await?;
    let (meta, more) = meta(&material, &options.dimensions, &board, world).await?;
    notes.extend(more);
    let (suggestions, more) = suggestions(gathered, world).await?;
    notes.extend(more);
    Ok(ReviewJudged {
        board,
        meta,
        suggestions,
        notes,
    })
}
