use precedent_language::terms::{TermId, Word, WordKind};
use rustc_hash::FxHashMap;

use super::ComparisonSet;

/// The content of some words as weighted stems.
#[derive(Debug, Default)]
pub(crate) struct WeightedTerms {
    weights: FxHashMap<TermId, (f64, bool)>,
    total: f64,
}

impl WeightedTerms {
    pub(crate) fn of<'t>(texts: impl IntoIterator<Item = &'t str>, set: &ComparisonSet<'_>) -> Self {
        let mut sought = Self::default();
        for word in texts.into_iter().flat_map(|text| set.read(text)) {
            let weight = word.kind.weight() * set.frequencies().weight(word.term);
            if weight > 0.0 && word.term != TermId::UNKNOWN {
                sought
                    .weights
                    .entry(word.term)
                    .or_insert((weight, word.kind == WordKind::Substance));
            }
        }
        // A fixed order, so that the sum is the same to the last bit.
        let mut weights: Vec<(TermId, f64)> = sought
            .weights
            .iter()
            .map(|(term, (weight, _))| (*term, *weight))
            .collect();
        weights.sort_unstable_by_key(|(term, _)| *term);
        sought.total = weights.iter().map(|(_, weight)| weight).sum();
        sought
    }

    /// Share of the weight found in `words`, and the number of content terms found.
    pub(crate) fn found<'w>(&self, words: impl IntoIterator<Item = &'w Word>) -> (f64, usize) {
        let mut terms: Vec<TermId> = words.into_iter().map(|word| word.term).collect();
        terms.sort_unstable();
        terms.dedup();
        let known: Vec<&(f64, bool)> = terms.iter().filter_map(|term| self.weights.get(term)).collect();
        let weight: f64 = known.iter().map(|(weight, _)| weight).sum();
        let substance = known.iter().filter(|(_, substance)| *substance).count();
        (if self.total > 0.0 { weight / self.total } else { 0.0 }, substance)
    }
}
