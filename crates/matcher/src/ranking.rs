use std::borrow::Borrow;

use precedent_domain::{Extent, Span};

use crate::claim::Claim;
use crate::features::features;
use crate::model::{Level, OTHERS, logistic, weights};
use crate::passages::{Passage, passage_at, passages};
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

impl Ranked {
    /// How far the passage at `span`, in place of the best one, shows that the text states the claim.
    #[must_use]
    pub fn shown_by(&self, claim: &Claim, text: &PreparedText, span: Span) -> Shown {
        let passage = passage_at(claim, text, span);
        self.shown(passage.as_ref())
    }

    /// How far the best passage shows that the text states the claim.
    #[must_use]
    pub fn shown_by_best(&self) -> Shown {
        self.shown(self.passages.first())
    }

    fn shown(&self, passage: Option<&Passage>) -> Shown {
        let score = |passage: Option<&Passage>| passage.map_or(0.0, |passage| passage.score.max(0.0));
        let lost = (score(self.passages.first()) - score(passage)).max(0.0);
        let (among, alone) = weights().passage_weights();
        // A probability of 1 has no logit.
        let probability = self.probability.clamp(SMALLEST, 1.0 - SMALLEST);
        let logit = (probability / (1.0 - probability)).ln();
        Shown {
            probability: logistic(logit - among * lost).max(logistic(self.score - alone * lost)),
        }
    }
}

/// How far one passage shows that a text states a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown {
    /// The probability that the text states the claim: the higher of that among the other texts and that without regard to them, because a claim
    /// that several papers state stands out in none of them.
    pub probability: f64,
}

/// Distance of a probability from 0 and 1 for its logit: far below the three digits that are printed.
const SMALLEST: f64 = 1e-9;

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

#[cfg(test)]
mod tests {
    use precedent_domain::Document;

    use super::*;

    #[test]
    fn a_quote_is_as_probable_as_its_own_words() {
        let text = |summary: &str| {
            let document = Document::from_abstract("Ropes in Swell", Some(summary));
            (PreparedText::new("Ropes in Swell", Some(summary), &document), document)
        };
        let states = "A decoder estimates the stiffness of the rope from pilot tugs. Kelp is weighed on a moving deck.";
        let (one, document) = text(states);
        let (other, _) = text("Kelp grows in cold water.");
        let claim = Claim::new("We present a decoder that estimates the stiffness of a rope from pilot tugs.");
        let texts = [one, other];
        let ranked = rank(&claim, &texts);
        let best = ranked.first().unwrap();
        assert_eq!(best.index, 0);
        let at = |words: &str| {
            let start = document.text.find(words).unwrap();
            best.shown_by(&claim, &texts[0], Span::new(start, start + words.len()))
        };
        let (stating, unlike) = (at("A decoder estimates the stiffness"), at("Kelp is weighed"));
        assert_eq!(stating, best.shown_by_best());
        assert!(unlike.probability < stating.probability / 2.0, "{unlike:?} {stating:?}");
        // Text around the quote that says nothing of the claim makes it no more probable.
        let whole = best.shown_by(&claim, &texts[0], Span::new(0, document.text.len()));
        assert!(whole.probability <= stating.probability, "{whole:?} {stating:?}");
    }
}
