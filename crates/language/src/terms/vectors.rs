use rustc_hash::FxHashMap;

use super::kinds::WordKind;
use super::vocabulary::{TermId, Word};

/// Weight of a stem that all papers have. Chosen by hand; not measured by itself.
const LEAST_WEIGHT: f64 = 0.1;
/// Pairs of two generic words weigh less than this and are no feature. Chosen by hand; not measured by itself.
const LEAST_PAIR: f64 = 0.1;

/// A stem, or two neighbouring stems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Feature(TermId, Option<TermId>);

/// Number of papers of a set that contain each stem and each pair of neighbouring stems.
#[derive(Debug, Clone, Default)]
pub struct DocumentFrequencies {
    works: usize,
    counts: FxHashMap<Feature, u32>,
}

impl DocumentFrequencies {
    /// Counts over papers, each given as parts (title, abstract). Pairs do not span parts.
    #[must_use]
    pub fn of(works: &[Vec<&[Word]>]) -> Self {
        let mut counts: FxHashMap<Feature, u32> = FxHashMap::default();
        for parts in works {
            let mut features: Vec<Feature> = parts.iter().flat_map(|words| features(words)).map(|(f, _)| f).collect();
            features.sort_unstable();
            features.dedup();
            for feature in features {
                *counts.entry(feature).or_default() += 1;
            }
        }
        Self {
            works: works.len(),
            counts,
        }
    }

    /// How distinctive a stem is: 1 if at most one paper has it, down to 0.1 if all have it.
    #[must_use]
    pub fn weight(&self, term: TermId) -> f64 {
        self.feature_weight(Feature(term, None))
    }

    fn feature_weight(&self, feature: Feature) -> f64 {
        let found = self.counts.get(&feature).copied().unwrap_or(0).max(1);
        let works = self.works.max(2) as f64;
        let idf = (works / f64::from(found)).ln() / works.ln();
        LEAST_WEIGHT + (1.0 - LEAST_WEIGHT) * idf.clamp(0.0, 1.0)
    }
}

/// The topic of a paper: weights of stems and neighbouring pairs, normalised to length 1.
#[derive(Debug, Clone, Default)]
pub struct TermVector {
    weights: Vec<(Feature, f64)>,
}

impl TermVector {
    /// The vector of a paper given as weighted parts (a title counts more than an abstract).
    #[must_use]
    pub fn of(parts: &[(&[Word], f64)], frequencies: &DocumentFrequencies) -> Self {
        let mut counts: FxHashMap<Feature, (f64, f64)> = FxHashMap::default();
        for (words, part_weight) in parts {
            for (feature, kind_weight) in features(words) {
                let entry = counts.entry(feature).or_default();
                entry.0 += part_weight;
                entry.1 = kind_weight;
            }
        }
        let mut weights: Vec<(Feature, f64)> = counts
            .into_iter()
            .map(|(feature, (count, kind))| {
                (
                    feature,
                    (1.0 + count.ln().max(0.0)) * kind * frequencies.feature_weight(feature),
                )
            })
            .collect();
        weights.sort_unstable_by_key(|&(feature, _)| feature);
        Self { weights }.normalised()
    }

    /// Cosine, 0 to 1.
    #[must_use]
    pub fn cosine(&self, other: &Self) -> f64 {
        let (mut mine, mut theirs) = (self.weights.iter().peekable(), other.weights.iter().peekable());
        let mut sum = 0.0;
        while let (Some(&&(a, x)), Some(&&(b, y))) = (mine.peek(), theirs.peek()) {
            if a <= b {
                mine.next();
            }
            if b <= a {
                theirs.next();
            }
            if a == b {
                sum += x * y;
            }
        }
        sum
    }

    /// The mean direction of several vectors.
    #[must_use]
    pub fn centroid<'a>(vectors: impl Iterator<Item = &'a Self>) -> Self {
        let mut weights: Vec<(Feature, f64)> = vectors.flat_map(|vector| vector.weights.iter().copied()).collect();
        weights.sort_by_key(|&(feature, _)| feature);
        weights.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        Self { weights }.normalised()
    }

    fn normalised(mut self) -> Self {
        let length = self
            .weights
            .iter()
            .map(|(_, weight)| weight * weight)
            .sum::<f64>()
            .sqrt();
        if length > 0.0 {
            for (_, weight) in &mut self.weights {
                *weight /= length;
            }
        }
        self
    }
}

/// Stems and pairs of neighbouring stems, with their weights.
fn features(words: &[Word]) -> impl Iterator<Item = (Feature, f64)> {
    let singles = words
        .iter()
        .filter(|word| word.kind.weight() > 0.0 && word.kind != WordKind::Number)
        .map(|word| (Feature(word.term, None), word.kind.weight()));
    let pairs = words.windows(2).filter_map(|pair| match pair {
        [a, b] if b.span.start <= a.span.end + 1 => {
            let weight = a.kind.weight() * b.kind.weight();
            (weight > LEAST_PAIR).then_some((Feature(a.term, Some(b.term)), weight))
        }
        _ => None,
    });
    singles.chain(pairs)
}

#[cfg(test)]
mod tests {
    use super::super::vocabulary::Vocabulary;
    use super::*;

    #[test]
    fn similar_papers_have_a_higher_cosine() {
        let mut vocabulary = Vocabulary::new();
        let texts = [
            "Named entity transliteration with comparable corpora",
            "Transliteration of named entities from comparable text",
            "Routing in wireless sensor networks",
        ];
        let words: Vec<Vec<Word>> = texts.iter().map(|text| vocabulary.read_text(text)).collect();
        let parts: Vec<Vec<&[Word]>> = words.iter().map(|words| vec![words.as_slice()]).collect();
        let frequencies = DocumentFrequencies::of(&parts);
        let vectors: Vec<TermVector> = words
            .iter()
            .map(|words| TermVector::of(&[(words.as_slice(), 1.0)], &frequencies))
            .collect();
        assert!((vectors[0].cosine(&vectors[0]) - 1.0).abs() < 1e-9);
        assert!(vectors[0].cosine(&vectors[1]) > 0.1);
        assert!(vectors[0].cosine(&vectors[2]) < 0.05);
        let centroid = TermVector::centroid(vectors.iter().take(2));
        assert!(centroid.cosine(&vectors[0]) > vectors[1].cosine(&vectors[0]));
        assert_eq!(TermVector::default().cosine(&vectors[0]), 0.0);
    }
}
