//! Ranks passages for a query: fuses word and vector scores, then reranks.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use precedent_corpus::{Embedder, EncodeError, Reranker, TopicVector, VectorCache, similarities, terms};
use precedent_domain::Gap;
use precedent_text::sentences;

use super::index::{Answer, Entry, PassageIndex, scaled};

/// Number of passages to embed with a model, chosen by words and the built-in vectors; and number of passages to rerank.
const EMBEDDED: usize = 100;
const POOL: usize = 28;
/// Weight of the best sentences of a passage in the rule-based reranking; the rest is the passage's own score. Measured, see `docs/benchmarks.md`.
const BY_SENTENCES: f64 = 0.2;
/// Maximum bytes of a passage sent to a model.
const LONGEST: usize = 4_000;

/// Models used instead of the built-in vectors and reranking. Without them no model is called.
#[derive(Clone, Default)]
pub struct PassageModels {
    /// Embeds queries and passages instead of the built-in table, with the cache for its vectors.
    pub embedder: Option<(Arc<dyn Embedder>, Arc<VectorCache>)>,
    /// Scores how well a query and a passage match, instead of the rule.
    pub reranker: Option<Arc<dyn Reranker>>,
}

impl PassageModels {
    /// Whether no model is set.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.embedder.is_none() && self.reranker.is_none()
    }

    /// Names of the embedder and the reranker.
    #[must_use]
    pub fn names(&self) -> (Option<String>, Option<String>) {
        (
            self.embedder.as_ref().map(|(embedder, _)| embedder.name().to_owned()),
            self.reranker.as_ref().map(|reranker| reranker.name().to_owned()),
        )
    }
}

/// Searches passages, with models if given. A model that fails is replaced by the built-in method for the rest of the run, and the reason is
/// recorded.
pub(crate) struct Ranker<'e> {
    index: PassageIndex,
    entries: Vec<Entry<'e>>,
    /// Sentences of each passage, prepared on first use.
    sentences: Vec<OnceLock<Vec<SentenceWindow>>>,
    models: PassageModels,
    /// Why models could not be used.
    pub(crate) failed: Vec<Gap>,
}

/// A sentence of a passage, or two consecutive ones.
struct SentenceWindow {
    terms: BTreeSet<String>,
    topic_vector: TopicVector,
}

impl<'e> Ranker<'e> {
    /// A ranker over these passages.
    pub(crate) fn new(entries: Vec<Entry<'e>>, models: PassageModels) -> Self {
        Self {
            index: PassageIndex::new(&entries),
            sentences: entries.iter().map(|_| OnceLock::new()).collect(),
            entries,
            models,
            failed: Vec::new(),
        }
    }

    /// Names of the embedder and the reranker, if they have not failed.
    pub(crate) fn names(&self) -> (Option<String>, Option<String>) {
        self.models.names()
    }

    /// The passages, in insertion order.
    pub(crate) fn entries(&self) -> &[Entry<'e>] {
        &self.entries
    }

    /// The best `most` passages for `query`, best first. Deterministic: ties go to the passage inserted first.
    pub(crate) fn best(&mut self, query: &str, most: usize) -> Vec<Answer> {
        let scores = self.index.scores(query);
        let scores = match self.embedded(query, &scores) {
            Some(scores) => scores,
            None => scores,
        };
        let pool = PassageIndex::best(&scores, POOL);
        let fits = match self.reranked(query, &pool) {
            Some(fits) => fits,
            None => self.by_sentences(query, &pool),
        };
        let mut order: Vec<(f64, Answer)> = fits.into_iter().zip(pool).collect();
        order.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.at.cmp(&other.at)));
        order.into_iter().take(most).map(|(_, answer)| answer).collect()
    }

    /// Rescores the best passages with the model's vectors. Only passages with a score above 0 are embedded.
    fn embedded(&mut self, query: &str, scores: &[Answer]) -> Option<Vec<Answer>> {
        let (embedder, kept) = self.models.embedder.clone()?;
        let mut near: Vec<Answer> = scores.iter().filter(|one| one.score > 0.0).copied().collect();
        near.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.at.cmp(&b.at)));
        near.truncate(EMBEDDED);
        let texts = self.texts(&near);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        match similarities(embedder.as_ref(), Some(&kept), query, &texts) {
            Ok(cosines) => {
                let by_vectors = scaled(cosines.into_iter().map(|one| f64::from(one).max(0.0)).collect());
                let anew = near.into_iter().zip(by_vectors);
                Some(
                    anew.map(|(one, by_vectors)| Answer::of(one.at, one.by_words, by_vectors))
                        .collect(),
                )
            }
            Err(error) => {
                self.fail(embedder.name(), &error);
                self.models.embedder = None;
                None
            }
        }
    }

    /// The reranker's scores for the passages of a pool.
    fn reranked(&mut self, query: &str, pool: &[Answer]) -> Option<Vec<f64>> {
        let reranker = self.models.reranker.clone()?;
        if pool.is_empty() {
            return Some(Vec::new());
        }
        let texts = self.texts(pool);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let result = reranker.rerank(query, &texts).and_then(|fits| {
            let usable = fits.len() == texts.len() && fits.iter().all(|fit| fit.is_finite());
            usable.then_some(fits).ok_or_else(|| EncodeError::Answer {
                model: reranker.name().to_owned(),
                reason: "it did not return a finite score for every text".to_owned(),
            })
        });
        match result {
            Ok(fits) => Some(fits.into_iter().map(f64::from).collect()),
            Err(error) => {
                self.fail(reranker.name(), &error);
                self.models.reranker = None;
                None
            }
        }
    }

    /// The reranking rule: a passage is as good as its best sentence or pair of sentences. That score is the mean of two values: the share of the
    /// query's terms found together, weighted by rarity, and the vector similarity. It is combined with the score of the whole passage.
    fn by_sentences(&self, query: &str, pool: &[Answer]) -> Vec<f64> {
        let asked: BTreeSet<String> = terms(query).into_iter().collect();
        let weights: Vec<(&String, f64)> = asked.iter().map(|term| (term, self.index.rarity(term))).collect();
        let all: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let own = TopicVector::of("", query);
        let fit = |window: &SentenceWindow| {
            let there = weights.iter().filter(|(term, _)| window.terms.contains(*term));
            let share = there.map(|(_, weight)| weight).sum::<f64>() / all.max(f64::MIN_POSITIVE);
            0.5 * share + 0.5 * window.topic_vector.similarity(&own).clamp(0.0, 1.0)
        };
        pool.iter()
            .map(|one| {
                let windows = self.windows(one.at);
                let best = windows.iter().map(fit).fold(0.0, f64::max);
                (1.0 - BY_SENTENCES) * one.score + BY_SENTENCES * best
            })
            .collect()
    }

    fn windows(&self, at: usize) -> &[SentenceWindow] {
        let (Some(entry), Some(kept)) = (self.entries.get(at), self.sentences.get(at)) else {
            return &[];
        };
        kept.get_or_init(|| {
            let spans = sentences(entry.text);
            let ends = spans.iter().enumerate().flat_map(|(at, first)| {
                let second = spans.get(at + 1);
                std::iter::once((first.start, first.end)).chain(second.map(|second| (first.start, second.end)))
            });
            ends.filter_map(|(start, end)| entry.text.get(start..end))
                .map(|text| SentenceWindow {
                    terms: terms(text).into_iter().collect(),
                    topic_vector: TopicVector::of("", text),
                })
                .collect()
        })
    }

    fn texts(&self, answers: &[Answer]) -> Vec<String> {
        let text = |one: &Answer| {
            let entry = self.entries.get(one.at)?;
            let mut text = match entry.text.starts_with(entry.title) {
                true => entry.text.to_owned(),
                false => format!("{}. {}", entry.title, entry.text),
            };
            text.truncate(text.floor_char_boundary(LONGEST));
            Some(text)
        };
        answers.iter().map(|one| text(one).unwrap_or_default()).collect()
    }

    fn fail(&mut self, model: &str, error: &EncodeError) {
        self.failed.push(Gap::RankingModelFailed {
            model: model.to_owned(),
            failure: error.to_string(),
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use precedent_corpus::{TableEmbedder, TextKind};

    use super::*;

    fn entries<'t>(texts: &[&'t str]) -> Vec<Entry<'t>> {
        texts.iter().map(|text| Entry { title: "", text }).collect()
    }

    const TEXTS: [&str; 4] = [
        "Kelp grows. Tea is drunk. Harvests of tea are large. Ropes creep. Forecasting of rain is old.",
        "Boats are painted. Kelp harvest forecasting joins colour with swell. Ropes creep in the sun. Farms need boats.",
        "Swell is measured by buoys along the coast.",
        "Tea prices follow the moon on island markets.",
    ];

    fn order(ranker: &mut Ranker<'_>) -> Vec<usize> {
        ranker
            .best("kelp harvest forecasting", 7)
            .iter()
            .map(|one| one.at)
            .collect()
    }

    #[test]
    fn a_passage_with_the_query_in_one_sentence_ranks_above_one_with_scattered_words() {
        let mut ranker = Ranker::new(entries(&TEXTS), PassageModels::default());
        assert_eq!(order(&mut ranker).first(), Some(&1));
        assert!(order(&mut ranker).iter().all(|at| *at != 3));
        assert!(ranker.failed.is_empty());
        assert!(
            Ranker::new(Vec::new(), PassageModels::default())
                .best("kelp", 7)
                .is_empty()
        );
    }

    /// Scores later texts higher, and counts the calls.
    struct Backwards(AtomicUsize);

    impl Reranker for Backwards {
        fn name(&self) -> &str {
            "backwards"
        }

        fn rerank(&self, _: &str, texts: &[&str]) -> Result<Vec<f32>, EncodeError> {
            self.0.fetch_add(1, Ordering::SeqCst);
            Ok((0..texts.len()).map(|at| at as f32).collect())
        }
    }

    /// Returns too few scores.
    struct Lazy;

    impl Reranker for Lazy {
        fn name(&self) -> &str {
            "lazy"
        }

        fn rerank(&self, _: &str, _: &[&str]) -> Result<Vec<f32>, EncodeError> {
            Ok(vec![f32::NAN])
        }
    }

    impl Embedder for Lazy {
        fn name(&self) -> &str {
            "lazy"
        }

        fn embed(&self, _: &[&str], _: TextKind) -> Result<Vec<Vec<f32>>, EncodeError> {
            Ok(vec![])
        }
    }

    #[test]
    fn a_given_reranker_decides_and_a_failing_one_is_dropped_with_the_reason() {
        let own = order(&mut Ranker::new(entries(&TEXTS), PassageModels::default()));
        let backwards = Arc::new(Backwards(AtomicUsize::new(0)));
        let models = PassageModels {
            reranker: Some(backwards.clone()),
            ..PassageModels::default()
        };
        let mut ranker = Ranker::new(entries(&TEXTS), models);
        let turned = order(&mut ranker);
        assert_ne!(turned, own);
        assert_eq!(backwards.0.load(Ordering::SeqCst), 1);
        let folder = tempfile::tempdir().unwrap();
        let models = PassageModels {
            reranker: Some(Arc::new(Lazy)),
            embedder: Some((Arc::new(Lazy), Arc::new(VectorCache::open(folder.path(), "lazy")))),
        };
        let mut ranker = Ranker::new(entries(&TEXTS), models);
        assert_eq!(order(&mut ranker), own);
        assert_eq!(order(&mut ranker), own);
        assert_eq!(ranker.failed.len(), 2, "called once each: {:?}", ranker.failed);
    }

    #[test]
    fn a_given_embedder_determines_passage_similarity() {
        let folder = tempfile::tempdir().unwrap();
        let kept = VectorCache::open(folder.path(), "table");
        let models = PassageModels {
            embedder: Some((Arc::new(TableEmbedder::new()), Arc::new(kept))),
            ..PassageModels::default()
        };
        let mut ranker = Ranker::new(entries(&TEXTS), models);
        assert_eq!(order(&mut ranker).first(), Some(&1));
        assert!(ranker.failed.is_empty(), "{:?}", ranker.failed);
    }
}
