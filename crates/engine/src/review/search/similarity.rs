//! Similarity of records to the idea: by vectors and shared words, combined with the model's judgement where there is one
//! (InnoEval, 3.1: S = α·semantic + (1 − α)·judge).

use std::collections::BTreeMap;
use std::sync::Arc;

use precedent_corpus::{Embedder, EncodeError, TopicVector, VectorCache, embedded_text, similarities};
use precedent_domain::{Gap, IdeaPart, WorkId};
use precedent_language::wording::word_count;

use super::super::parts::Subject;
use super::found::Record;

/// Name of the program's own vectors in a report.
pub(in super::super) const OWN: &str = "vectors of terms";
/// Weights of the whole idea and of its most similar part. The part counts because a repository is often about the method alone.
const WHOLE: f64 = 0.6;
const PART: f64 = 0.4;
/// Minimum words of a statement that is compared with records on its own.
pub(super) const STATEMENT_WORDS: usize = 8;
/// Weight of the model's cosine against the shared words.
const COSINE: f64 = 0.7;

/// The embedding model, if any, and the cache of its vectors.
pub(super) type Vectors = Option<(Arc<dyn Embedder>, Arc<VectorCache>)>;

/// Judgements so far, by record.
pub(super) type Judged = BTreeMap<(String, WorkId), f64>;

/// The idea, prepared for measuring the similarity of records.
pub(super) struct Yardstick {
    whole: TopicVector,
    parts: Vec<TopicVector>,
    text: String,
}

impl Yardstick {
    pub(super) fn of(subject: &Subject<'_>) -> Self {
        let parts = [
            IdeaPart::BasicIdea,
            IdeaPart::Method,
            IdeaPart::ResearchQuestion,
            IdeaPart::ExperimentalSetting,
        ];
        // A record may anticipate one step of a method and share nothing else with the idea.
        let statements = subject.idea.statements.iter().filter(|one| parts.contains(&one.part));
        let single = statements.filter(|one| word_count(&one.statement) >= STATEMENT_WORDS);
        let part_texts: Vec<String> = parts
            .into_iter()
            .map(|part| subject.text_of(part))
            .filter(|part_texts| !part_texts.is_empty())
            .chain(single.map(|one| one.statement.clone()))
            .collect();
        let (title, summary) = match subject.paper {
            Some(_) => (subject.idea.title.as_str(), subject.summary.as_str()),
            None => (subject.idea.title.as_str(), subject.idea.document.text.as_str()),
        };
        Self {
            whole: TopicVector::of(title, summary),
            parts: part_texts
                .iter()
                .map(|part_texts| TopicVector::of("", part_texts))
                .collect(),
            text: subject.summary.clone(),
        }
    }

    /// Similarity by the program's own vectors and shared words, 0 to 1.
    fn own(&self, record: &Record) -> f64 {
        let topic_vector = TopicVector::of(&record.work.title, record.work.summary.as_deref().unwrap_or_default());
        let parts = self
            .parts
            .iter()
            .map(|part| part.topic_similarity(&topic_vector))
            .fold(0.0, f64::max);
        WHOLE * self.whole.topic_similarity(&topic_vector) + PART * parts
    }

    /// Sets the similarity of each record. If the model fails, the program's own similarity is kept and the reason is returned.
    pub(super) async fn measure(&self, records: &mut [Record], vectors: &Vectors) -> Result<(), Gap> {
        for record in records.iter_mut() {
            record.semantic = thousandth(self.own(record));
        }
        let Some((embedder, kept)) = vectors else { return Ok(()) };
        let cosines = self.cosines(records, Arc::clone(embedder), Arc::clone(kept)).await;
        let cosines = cosines.map_err(|failure| Gap::RankingModelFailed {
            model: embedder.name().to_owned(),
            failure,
        })?;
        for (record, cosine) in records.iter_mut().zip(cosines) {
            record.semantic = thousandth(COSINE * cosine.clamp(0.0, 1.0) + (1.0 - COSINE) * record.semantic);
        }
        Ok(())
    }

    /// Cosines by the model, computed on a blocking thread.
    async fn cosines(
        &self,
        records: &[Record],
        embedder: Arc<dyn Embedder>,
        kept: Arc<VectorCache>,
    ) -> Result<Vec<f64>, String> {
        let query = self.text.clone();
        let texts: Vec<String> = records.iter().map(|one| embedded_text(&one.work)).collect();
        let made = tokio::task::spawn_blocking(move || {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            similarities(embedder.as_ref(), Some(&kept), &query, &texts)
        });
        let near = made.await.map_err(|error| error.to_string())?;
        let near = near.map_err(|error: EncodeError| error.to_string())?;
        match near.iter().all(|one| one.is_finite()) {
            true => Ok(near.into_iter().map(f64::from).collect()),
            false => Err("it returned values that are not finite".to_owned()),
        }
    }
}

/// Sets the final score: the weighted sum, or the semantic score alone if there is no judgement. A reranker replaces the semantic score.
pub(super) fn weigh(record: &mut Record, judged: &Judged, alpha: f64) {
    let alpha = alpha.clamp(0.0, 1.0);
    record.judged = judgement(record, judged);
    let similarity = record.reranked.map_or(record.semantic, |one| one.similarity);
    record.score = thousandth(match record.judged {
        Some(judged) => alpha * similarity + (1.0 - alpha) * judged,
        None => similarity,
    });
}

/// The highest judgement of the records of a work; `None` if none is judged.
pub(super) fn judgement(record: &Record, judged: &Judged) -> Option<f64> {
    let part_texts = record.members.iter().filter_map(|member| judged.get(member));
    part_texts.copied().reduce(f64::max)
}

fn thousandth(share: f64) -> f64 {
    (share.clamp(0.0, 1.0) * 1_000.0).round() / 1_000.0
}
