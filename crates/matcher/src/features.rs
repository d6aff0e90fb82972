use precedent_domain::Extent;

use crate::claim::{Claim, Found};
use crate::passages::passages;
use crate::text::PreparedText;

/// Names of the features, in the order of their values.
pub const FEATURES: [&str; 6] = ["full_text", "terms", "frequency", "passage", "topic", "coverage"];

/// The place of `passage` among the features.
pub(crate) const PASSAGE: usize = 3;

/// Saturation and length normalization of the feature `frequency`, with the usual values of BM25.
const K1: f64 = 0.9;
const B: f64 = 0.4;
/// Number of terms in an average full text. The training prints 2,962 for 120 conference papers.
const AVERAGE_TERMS: f64 = 3_000.0;

/// What the matcher knows of a claim and a text:
/// - `full_text`: 1 for a full text, 0 for title and abstract;
/// - `terms`: logarithm of the number of terms in the claim;
/// - `frequency`: weighted mean of the saturated frequencies of the claim's terms, as in BM25;
/// - `passage`: score of the best passage of one or two sentences;
/// - `topic`: similarity of the vectors of the claim and of title and abstract;
/// - `coverage`: weighted share of the claim's terms in the whole text.
pub type Features = [f64; FEATURES.len()];

/// The features of `claim` and `text`.
#[must_use]
pub fn features(claim: &Claim, text: &PreparedText) -> Features {
    let mut counts = vec![0_u32; claim.term_count()];
    let mut whole = Found::default();
    for &term in &text.terms {
        if let Some(slot) = claim.slot(term) {
            whole.terms |= 1 << slot;
            if let Some(count) = counts.get_mut(usize::from(slot)) {
                *count += 1;
            }
        }
    }
    let passage = passages(claim, text, 1)
        .first()
        .map_or(0.0, |passage| passage.score.max(0.0));
    [
        if text.extent == Extent::FullText { 1.0 } else { 0.0 },
        (claim.term_count().max(1) as f64).ln(),
        frequency(claim, &counts, text.terms.len()),
        passage,
        claim.topic().similarity(&text.topic),
        claim.coverage(whole),
    ]
}

fn frequency(claim: &Claim, counts: &[u32], length: usize) -> f64 {
    let half = K1 * (1.0 - B + B * length as f64 / AVERAGE_TERMS);
    let saturated = |count: u32| f64::from(count) * (K1 + 1.0) / (f64::from(count) + half);
    let weights = claim.weights();
    let all: f64 = weights.iter().sum();
    let found: f64 = weights
        .iter()
        .zip(counts)
        .map(|(weight, &count)| weight * saturated(count))
        .sum();
    if all > 0.0 { found / all } else { 0.0 }
}
