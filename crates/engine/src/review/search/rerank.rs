//! Orders the candidates of each kind by a reranker, which reads each together with the idea, before they are judged and selected (InnoEval, 3.1).

use std::collections::BTreeSet;
use std::sync::Arc;

use precedent_corpus::{Reranker, embedded_text};
use precedent_domain::{Gap, SentContent, SentRecord};
use precedent_ledger::{InputHash, Sent};

use super::found::{Record, Reranked};
use crate::review::gather::together;
use crate::{EngineError, Result, World};

/// Maximum bytes of the idea that a reranker reads: as much of a paper without an abstract as its similarity is measured by.
const LONGEST_QUERY: usize = 2_000;

/// The reranker of a search, and what it was sent.
pub(super) struct CandidateReranker {
    query: String,
    /// `None` without a reranker, and after it failed.
    reranker: Option<Arc<dyn Reranker>>,
    /// Requests so far. The answer to a repeated one is on record, so nothing is sent for it.
    requests: BTreeSet<String>,
    pub(super) sent: Vec<SentRecord>,
    /// Why the reranker failed.
    pub(super) failed: Option<Gap>,
}

impl CandidateReranker {
    /// The reranker for the candidates of an idea with this summary.
    pub(super) fn new(reranker: Option<Arc<dyn Reranker>>, summary: &str) -> Self {
        let end = summary.floor_char_boundary(LONGEST_QUERY);
        Self {
            query: summary.get(..end).unwrap_or_default().to_owned(),
            reranker,
            requests: BTreeSet::new(),
            sent: Vec::new(),
            failed: None,
        }
    }

    /// The reranker's name, if there is one and it has not failed.
    pub(super) fn name(&self) -> Option<String> {
        self.reranker.as_ref().map(|reranker| reranker.name().to_owned())
    }

    /// Gives each record of a sorted pool its place in the reranker's order of its kind. If the reranker fails, no record has one.
    ///
    /// # Errors
    /// If the ledger fails.
    pub(super) async fn place(&mut self, pool: &mut [Record], world: &World) -> Result<()> {
        for of_kind in pool.chunk_by_mut(|one, next| one.kind == next.kind) {
            let Some(reranker) = self.reranker.clone() else { break };
            let name = reranker.name().to_owned();
            match self.scores(reranker, of_kind, world).await? {
                Ok(scores) => put_places(of_kind, &scores),
                Err(failure) => {
                    world.progress.ranking_model_failed(&name, &failure);
                    self.failed = Some(Gap::RankingModelFailed { model: name, failure });
                    self.reranker = None;
                }
            }
        }
        if self.reranker.is_none() {
            pool.iter_mut().for_each(|record| record.reranked = None);
        }
        Ok(())
    }

    /// The reranker's scores of the records, computed on a blocking thread.
    async fn scores(
        &mut self,
        reranker: Arc<dyn Reranker>,
        records: &[Record],
        world: &World,
    ) -> Result<std::result::Result<Vec<f32>, String>> {
        let texts: Vec<String> = records.iter().map(|one| embedded_text(&one.work)).collect();
        let (query, name) = (self.query.clone(), reranker.name().to_owned());
        let answer = tokio::task::spawn_blocking(move || {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let scores = reranker.rerank(&query, &texts);
            (
                scores,
                reranker.sends(&query, &texts),
                InputHash::of(texts.iter().map(|text| text.as_bytes())),
            )
        });
        let (scores, sends, request) = match answer.await {
            Ok(answer) => answer,
            Err(error) => return Ok(Err(error.to_string())),
        };
        if let Some((host, bytes)) = sends
            && self.requests.insert(request.as_str().to_owned())
        {
            // A request that was refused before it was sent is on no record.
            let requests = times_sent(&name, bytes, world).await?;
            let one = SentRecord {
                what: String::new(),
                host,
                requests,
                bytes: bytes * requests as u64,
                content: Some(SentContent::Candidates),
            };
            if requests > 0 {
                self.sent = together(std::mem::take(&mut self.sent), vec![one]);
            }
        }
        Ok(match scores {
            Ok(scores) if scores.len() == records.len() && scores.iter().all(|score| score.is_finite()) => Ok(scores),
            Ok(_) => Err("it did not return a finite score for every text".to_owned()),
            Err(error) => Err(error.to_string()),
        })
    }
}

/// How often a request of this size to this model was sent, with its repetitions after failures. Other ideas of a batch have the same record.
async fn times_sent(name: &str, bytes: u64, world: &World) -> Result<usize> {
    let all = world.ledger.everything_sent().await;
    let all = all.map_err(|source| EngineError::Ledger {
        stage: super::rounds::STAGE.name,
        source,
    })?;
    let same = |sent: &&Sent| sent.who == name && sent.bytes_out == bytes;
    Ok(all.iter().filter(same).count())
}

/// Sets the places of the records of one kind. Scores are comparable only within one call and have no common scale, so a place counts with the similarity
/// that a candidate at that place has when they are ordered by similarity.
fn put_places(records: &mut [Record], scores: &[f32]) {
    let mut similarities: Vec<f64> = records.iter().map(|record| record.semantic).collect();
    similarities.sort_by(|a, b| b.total_cmp(a));
    let mut order: Vec<(&mut Record, f32)> = records.iter_mut().zip(scores.iter().copied()).collect();
    // Equal scores keep the order by similarity.
    order.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    for ((place, similarity), (record, _)) in (1..).zip(similarities).zip(order) {
        record.reranked = Some(Reranked { place, similarity });
    }
}
