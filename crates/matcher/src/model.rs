use std::sync::LazyLock;

use precedent_domain::Extent;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::features::{Features, PASSAGE};

/// Number of best other texts with which a score is compared.
pub const OTHERS: usize = 5;

#[expect(
    clippy::expect_used,
    reason = "a built-in file that cannot be parsed is a programming error"
)]
static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| serde_json::from_str(include_str!("weights.json")).expect("the built-in weights can be parsed"));

/// The weights that `cargo xtask train matcher` found.
#[must_use]
pub fn weights() -> &'static Weights {
    &WEIGHTS
}

/// The weights of both regressions, and the levels.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// Names of the features; see [`crate::FEATURES`].
    pub features: Vec<String>,
    /// Constant of the first regression.
    pub intercept: f64,
    /// Weight of each feature.
    pub weights: Vec<f64>,
    /// Constant of the second regression.
    pub list_intercept: f64,
    /// Weight of the first regression's score in the second.
    pub list_score: f64,
    /// Weight of the score minus the mean of the best five others.
    pub list_margin: f64,
    /// Score used for each of the five that is missing: the usual one.
    pub list_usual: f64,
    /// The lowest probabilities at which a text is similar.
    pub similar: Similar,
}

/// The lowest probability of [`Level::Similar`], by what was compared. At each, one claim in ten that no paper states has a similar paper.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Similar {
    /// Of a full text.
    pub full_text: f64,
    /// Of a title and abstract, which seldom contain what another paper says about the work.
    pub abstract_only: f64,
}

/// What a probability means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The text states the claim nearly word for word. Decided by comparing words, not by a probability.
    Anticipated,
    /// The text may state something similar and needs a human reader.
    Similar,
    /// No match was found.
    None,
    /// Claim or text is too short to compare.
    NotAssessable,
}

impl Weights {
    /// The score of the first regression: the logit of the probability without a list.
    #[must_use]
    pub fn score(&self, features: &Features) -> f64 {
        let sum: f64 = self
            .weights
            .iter()
            .zip(features)
            .map(|(weight, value)| weight * value)
            .sum();
        self.intercept + sum
    }

    /// The probability of a text with this score in a list with other texts. `others` has their scores, best first.
    #[must_use]
    pub fn probability(&self, score: f64, others: &[f64]) -> f64 {
        logistic(self.list_intercept + self.list_score * score + self.list_margin * self.margin(score, others))
    }

    /// Weight of the score of the best passage in the logit of the probability: in a list with other texts, and without.
    pub(crate) fn passage_weights(&self) -> (f64, f64) {
        let weight = self.weights.get(PASSAGE).copied().unwrap_or_default();
        (weight * (self.list_score + self.list_margin), weight)
    }

    /// The score minus the mean of the best five others.
    #[must_use]
    pub fn margin(&self, score: f64, others: &[f64]) -> f64 {
        let best = others.iter().take(OTHERS);
        let missing = OTHERS - best.len();
        score - (best.sum::<f64>() + self.list_usual * missing as f64) / OTHERS as f64
    }

    /// The level of a probability, of a claim with this many informative terms and a text of which this much was compared.
    #[must_use]
    pub fn level(&self, probability: f64, terms: usize, extent: Extent) -> Level {
        let similar = match extent {
            Extent::FullText => self.similar.full_text,
            Extent::Abstract | Extent::TitleOnly => self.similar.abstract_only,
        };
        if terms < FEWEST_TERMS {
            Level::NotAssessable
        } else if probability >= similar {
            Level::Similar
        } else {
            Level::None
        }
    }
}

/// Minimum number of informative terms for a claim to differ from its topic.
const FEWEST_TERMS: usize = 3;

pub(crate) fn logistic(value: f64) -> f64 {
    1.0 / (1.0 + (-value).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::FEATURES;

    #[test]
    fn the_weights_are_those_of_the_features() {
        let weights = weights();
        assert_eq!(weights.features, FEATURES);
        assert_eq!(weights.weights.len(), FEATURES.len());
        assert_eq!(FEATURES.get(PASSAGE), Some(&"passage"));
        for bound in [weights.similar.full_text, weights.similar.abstract_only] {
            assert!((0.05..0.95).contains(&bound), "{bound}");
        }
        assert!(weights.list_score > 0.0 && weights.list_margin > 0.0);
    }
}
