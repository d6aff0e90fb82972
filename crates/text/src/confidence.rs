//! How well a located quote agrees with its source.

use crate::alignment::Alignment;
use crate::print::unseen;
use crate::token::Side;
use crate::{Edit, EditKind, EditNote, Location, Source, Span};

pub(crate) fn verified(source: &Source, quote: Side<'_>, laid: &Alignment) -> Location {
    let span = laid.span(source, quote);
    let mut edits = laid.edits(source, quote);
    let mut coverage = laid.coverage();
    if let Some(edit) = unseen_edit(source, quote.text, &[span]) {
        edits.push(edit);
        coverage = coverage.min(all_but_one(quote));
    }
    if edits.is_empty() {
        Location::Exact { span, score: 1.0 }
    } else {
        let score = confidence(&[coverage], true);
        Location::Close { span, score, edits }
    }
}

/// The invisible characters of the quote that are not at `spans` in the source, as an edit.
pub(crate) fn unseen_edit(source: &Source, quote: &str, spans: &[Span]) -> Option<Edit> {
    if quote.is_ascii() {
        return None;
    }
    let is_in_source = |character: char| {
        let mut slices = spans.iter().filter_map(|span| span.slice(source.text()));
        slices.any(|slice| slice.contains(character))
    };
    let at = unseen(quote, is_in_source)?;
    Some(Edit {
        kind: EditKind::Inserted,
        source: String::new(),
        quote: at.slice(quote).unwrap_or_default().to_owned(),
        note: Some(EditNote::InvisibleCharacters),
    })
}

/// The coverage of a quote with one token that does not agree.
pub(crate) fn all_but_one(quote: Side<'_>) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
    let tokens = quote.tokens.len().max(1) as f64;
    (tokens - 1.0) / tokens
}

/// Coverage from which an anchor counts as found (OpenNovelty, C.4).
pub(crate) const HIT: f64 = 0.6;
/// Weights of the mean coverage of the hits and of their share (OpenNovelty, C.4).
const MEAN_WEIGHT: f64 = 0.7;
const HITS_WEIGHT: f64 = 0.3;

/// The C.4 confidence, from the coverage of each anchor and whether the hits are close together.
pub(crate) fn confidence(coverages: &[f64], compact: bool) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a quote has few parts")]
    let count = |number: usize| number as f64;
    let hits: Vec<f64> = coverages.iter().copied().filter(|coverage| *coverage >= HIT).collect();
    if hits.is_empty() {
        return 0.0;
    }
    let mean = hits.iter().sum::<f64>() / count(hits.len());
    let score = MEAN_WEIGHT * mean + HITS_WEIGHT * count(hits.len()) / count(coverages.len());
    if compact { score } else { 0.5 * score }
}
