use std::hash::{Hash, Hasher};

use precedent_corpus::{TopicVector, term_weight, terms};
use rustc_hash::{FxHashMap, FxHasher};

use crate::terms::informative_count;

/// Maximum number of different terms, and of different pairs, of a claim: the number of bits in a mask. Longer claims are cut.
const MOST_TERMS: usize = 128;

/// A claim prepared for matching.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Index of each term.
    slots: FxHashMap<u64, u8>,
    weights: Vec<f64>,
    /// Index of each pair of adjacent terms.
    pairs: FxHashMap<(u8, u8), u8>,
    pair_weights: Vec<f64>,
    total: f64,
    pair_total: f64,
    /// Number of different informative terms.
    informative: usize,
    topic: TopicVector,
}

/// The terms and the pairs of adjacent terms of a claim that a text contains, as bit masks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) terms: u128,
    pub(crate) pairs: u128,
}

impl Found {
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            terms: self.terms | other.terms,
            pairs: self.pairs | other.pairs,
        }
    }
}

impl Claim {
    /// Prepares the claim `text`, usually one sentence.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut claim = Self {
            slots: FxHashMap::default(),
            weights: Vec::new(),
            pairs: FxHashMap::default(),
            pair_weights: Vec::new(),
            total: 0.0,
            pair_total: 0.0,
            informative: informative_count(text),
            topic: TopicVector::of("", text),
        };
        let mut last = None;
        for term in terms(text) {
            let slot = claim.slot_for(&term);
            if let (Some(a), Some(b)) = (last, slot) {
                claim.learn_pair(a, b);
            }
            last = slot;
        }
        claim.total = claim.weights.iter().sum();
        claim.pair_total = claim.pair_weights.iter().sum();
        claim
    }

    fn slot_for(&mut self, term: &str) -> Option<u8> {
        let next = u8::try_from(self.weights.len()).ok();
        if let Some(&slot) = self.slots.get(&term_hash(term)) {
            return Some(slot);
        }
        let next = next.filter(|&slot| usize::from(slot) < MOST_TERMS)?;
        self.slots.insert(term_hash(term), next);
        self.weights.push(f64::from(term_weight(term)));
        Some(next)
    }

    fn learn_pair(&mut self, a: u8, b: u8) {
        if self.pair_weights.len() < MOST_TERMS && !self.pairs.contains_key(&(a, b)) {
            let number = u8::try_from(self.pair_weights.len()).unwrap_or_default();
            self.pairs.insert((a, b), number);
            let weight = |slot: u8| self.weights.get(usize::from(slot)).copied().unwrap_or_default();
            self.pair_weights.push(weight(a) + weight(b));
        }
    }

    /// Number of different informative terms.
    pub(crate) fn informative_count(&self) -> usize {
        self.informative
    }

    /// Number of different terms.
    #[must_use]
    pub fn term_count(&self) -> usize {
        self.weights.len()
    }

    pub(crate) fn topic(&self) -> &TopicVector {
        &self.topic
    }

    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
    }

    pub(crate) fn slot(&self, term: u64) -> Option<u8> {
        self.slots.get(&term).copied()
    }

    /// The terms and pairs of the claim among `terms`.
    pub(crate) fn found_in(&self, terms: &[u64]) -> Found {
        let mut found = Found::default();
        let mut last = None;
        for &term in terms {
            let slot = self.slot(term);
            if let Some(slot) = slot {
                found.terms |= 1 << slot;
                if let Some(before) = last
                    && let Some(&pair) = self.pairs.get(&(before, slot))
                {
                    found.pairs |= 1 << pair;
                }
            }
            last = slot;
        }
        found
    }

    /// Share of the claim's term weight, 0 to 1.
    pub(crate) fn coverage(&self, found: Found) -> f64 {
        share(&self.weights, found.terms, self.total)
    }

    /// Share of the weight of the claim's pairs, 0 to 1.
    pub(crate) fn pair_coverage(&self, found: Found) -> f64 {
        share(&self.pair_weights, found.pairs, self.pair_total)
    }
}

fn share(weights: &[f64], mask: u128, total: f64) -> f64 {
    let marked = weights.iter().enumerate().filter(|(at, _)| mask >> at & 1 == 1);
    let found: f64 = marked.map(|(_, weight)| weight).sum();
    if total > 0.0 { found / total } else { 0.0 }
}

/// The number under which a term is compared.
pub(crate) fn term_hash(term: &str) -> u64 {
    let mut hasher = FxHasher::default();
    term.hash(&mut hasher);
    hasher.finish()
}
