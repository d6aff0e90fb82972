use std::collections::BTreeMap;

use precedent_corpus::{TopicVector, terms};

/// BM25 k1 (saturation) and b (length normalization): the common values, not measured for passages. A corpus search uses 1.4 and 0.75, which were
/// better for title and abstract (docs/benchmarks.md). That says little about passages, which are cut to similar lengths and have no title field of
/// their own.
const SATURATION: f64 = 0.9;
const LENGTH: f64 = 0.4;
/// Weight of each of the two scores, and the minimum combined score (NoveltyAgent, public code).
const HALF: f64 = 0.5;
const LEAST: f64 = 0.2;

/// Index entry for one passage.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    /// The work's title, because a passage from the middle of a text does not name its topic.
    pub(crate) title: &'a str,
    /// The passage's text.
    pub(crate) text: &'a str,
}

/// Score of one passage for one query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Answer {
    /// Index of the passage, in insertion order.
    pub(crate) at: usize,
    /// Combined score, 0 to 1.
    pub(crate) score: f64,
    /// BM25 score, scaled so that the best passage has 1.
    pub(crate) by_words: f64,
    /// Vector score, scaled so that the best passage has 1.
    pub(crate) by_vectors: f64,
}

impl Answer {
    /// Averages both scores.
    pub(crate) fn of(at: usize, by_words: f64, by_vectors: f64) -> Self {
        Self {
            at,
            score: HALF * by_words + HALF * by_vectors,
            by_words,
            by_vectors,
        }
    }
}

/// A searchable index of passages.
pub(crate) struct PassageIndex {
    postings: BTreeMap<String, Vec<(usize, f64)>>,
    lengths: Vec<f64>,
    mean: f64,
    topic_vectors: Vec<TopicVector>,
}

impl PassageIndex {
    /// Takes time linear in the total length of the passages.
    pub(crate) fn new(entries: &[Entry<'_>]) -> Self {
        let mut postings: BTreeMap<String, Vec<(usize, f64)>> = BTreeMap::new();
        let mut lengths = Vec::with_capacity(entries.len());
        let mut topic_vectors = Vec::with_capacity(entries.len());
        for (at, entry) in entries.iter().enumerate() {
            let mut counts: BTreeMap<String, f64> = BTreeMap::new();
            let mut length = 0.0;
            for term in terms(entry.text) {
                *counts.entry(term).or_default() += 1.0;
                length += 1.0;
            }
            // Title terms are added for passages that do not name the topic themselves.
            for term in terms(entry.title) {
                counts.entry(term).or_insert(1.0);
            }
            for (term, count) in counts {
                postings.entry(term).or_default().push((at, count));
            }
            lengths.push(length);
            topic_vectors.push(TopicVector::of(entry.title, entry.text));
        }
        let mean = lengths.iter().sum::<f64>() / (lengths.len() as f64).max(1.0);
        Self {
            postings,
            lengths,
            mean: mean.max(1.0),
            topic_vectors,
        }
    }

    /// Scores of all passages for `query`, in their order.
    pub(crate) fn scores(&self, query: &str) -> Vec<Answer> {
        let mut by_words = vec![0.0; self.lengths.len()];
        let mut asked = terms(query);
        asked.sort_unstable();
        asked.dedup();
        for term in &asked {
            let Some(postings) = self.postings.get(term) else {
                continue;
            };
            let rarity = self.rarity(term);
            for (at, count) in postings {
                let length = self.lengths.get(*at).copied().unwrap_or_default() / self.mean;
                let norm = SATURATION * (1.0 - LENGTH + LENGTH * length);
                if let Some(score) = by_words.get_mut(*at) {
                    *score += rarity * count / (count + norm);
                }
            }
        }
        let own = TopicVector::of("", query);
        let by_vectors: Vec<f64> = self
            .topic_vectors
            .iter()
            .map(|topic_vector| topic_vector.similarity(&own).max(0.0))
            .collect();
        let (by_words, by_vectors) = (scaled(by_words), scaled(by_vectors));
        by_words
            .into_iter()
            .zip(by_vectors)
            .enumerate()
            .map(|(at, (by_words, by_vectors))| Answer::of(at, by_words, by_vectors))
            .collect()
    }

    /// Inverse document frequency of a term.
    pub(crate) fn rarity(&self, term: &str) -> f64 {
        let all = self.lengths.len() as f64;
        let having = self.postings.get(term).map_or(0, Vec::len) as f64;
        (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
    }

    /// The best `most` passages by `scores`, best first, without those below the minimum. Ties go to the passage inserted first.
    pub(crate) fn best(scores: &[Answer], most: usize) -> Vec<Answer> {
        let mut best: Vec<Answer> = scores.iter().filter(|one| one.score >= LEAST).copied().collect();
        best.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.at.cmp(&b.at)));
        best.truncate(most);
        best
    }
}

/// Scales the values so that the highest is 1; all 0 if none is above 0.
pub(super) fn scaled(mut values: Vec<f64>) -> Vec<f64> {
    let highest = values.iter().copied().fold(0.0, f64::max);
    if highest > 0.0 {
        values.iter_mut().for_each(|value| *value /= highest);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(texts: &[&str]) -> PassageIndex {
        let entries: Vec<Entry<'_>> = texts.iter().map(|text| Entry { title: "", text }).collect();
        PassageIndex::new(&entries)
    }

    #[test]
    fn relevant_passages_come_first_and_unrelated_ones_are_dropped() {
        let index = index(&[
            "Tea prices follow the moon on island markets.",
            "We forecast kelp harvests from satellite colour and swell records of three coasts.",
            "Swell is measured by buoys.",
        ]);
        let scores = index.scores("kelp harvest forecasting");
        let best = PassageIndex::best(&scores, 7);
        assert_eq!(best.first().map(|one| one.at), Some(1));
        assert!(best.iter().all(|one| one.at != 0), "{best:?}");
        let first = best.first().unwrap();
        assert!((first.by_words - 1.0).abs() < 1e-9 && (0.0..=1.0).contains(&first.score));
        assert!(PassageIndex::best(&index.scores(""), 7).is_empty());
        assert!(PassageIndex::best(&PassageIndex::new(&[]).scores("kelp"), 7).is_empty());
    }

    proptest::proptest! {
        #[test]
        fn every_score_is_between_zero_and_one(texts in proptest::collection::vec("\\PC{0,60}", 0..8), query in "\\PC{0,40}") {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            for one in index(&texts).scores(&query) {
                for share in [one.score, one.by_words, one.by_vectors] {
                    proptest::prop_assert!((0.0..=1.0 + 1e-9).contains(&share));
                }
            }
        }
    }
}
