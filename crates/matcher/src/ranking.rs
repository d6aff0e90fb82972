use std::borrow::Borrow;

use precedent_domain::Extent;

use crate::claim::Claim;
use crate::features::features;
use crate::model::{Level, OTHERS, weights};
use crate::passages::{Passage, passages};
use crate::text::PreparedText;

/// Maximum number of passages of one text.
const PASSAGES: usize = 3;

/// A text in the order of its probability to state the claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// Index of the text in the input.
    pub index: usize,
    /// Logit of the probability without regard to the other texts.
    pub score: f64,
    /// Probability that the text states the claim.
    pub probability: f64,
    /// What the probability means.
    pub level: Level,
    /// The best passages, best first, at most three.
    pub passages: Vec<Passage>,
}

/// Ranks the texts of papers by the probability that they state the claim. The probability also depends on the other texts: a paper that stands
/// out among papers of one topic is more probable than one of many alike.
#[must_use]
pub fn rank<T: Borrow<PreparedText>>(claim: &Claim, texts: &[T]) -> Vec<Ranked> {
    let weights = weights();
    let mut scored: Vec<(usize, f64)> = texts
        .iter()
        .map(|text| weights.score(&features(claim, text.borrow())))
        .enumerate()
        .collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let scores: Vec<f64> = scored.iter().map(|(_, score)| *score).collect();
    scored
        .into_iter()
        .enumerate()
        .map(|(place, (index, score))| {
            let mut others: Vec<f64> = scores.iter().copied().take(OTHERS + 1).collect();
            if place < others.len() {
                others.remove(place);
            }
            let probability = weights.probability(score, &others);
            let text: Option<&PreparedText> = texts.get(index).map(Borrow::borrow);
            let extent = text.map_or_else(Extent::default, PreparedText::extent);
            Ranked {
                index,
                score,
                probability,
                level: weights.level(probability, claim.informative_count(), extent),
                passages: text.map_or_else(Vec::new, |text| passages(claim, text, PASSAGES)),
            }
        })
        .collect()
}
