use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;

use crate::store::{ArtifactKey, Store};
use crate::{Answer, Claim, InputHash, Lease, Ledger, LedgerError, Sent};

/// A run's own ledger together with one that other processes share.
///
/// The own ledger holds everything that the run used, so the run replays without the other. What it holds is read first: a response that came later
/// in the shared ledger must not change the run.
#[derive(Debug)]
pub(crate) struct MirroredStore {
    own: Ledger,
    shared: Ledger,
    /// Numbers in the shared ledger of requests without an outcome, by their numbers in the own one.
    sent: Mutex<HashMap<i64, i64>>,
}

impl MirroredStore {
    pub(crate) fn new(own: Ledger, shared: Ledger) -> Self {
        Self {
            own,
            shared,
            sent: Mutex::default(),
        }
    }
}

#[async_trait]
impl Store for MirroredStore {
    // Outputs of stages are not shared. The own ledger would lack the answers that they were computed from, and a replay computes every stage again.

    async fn artifact(&self, key: ArtifactKey<'_>) -> Result<Option<Vec<u8>>, LedgerError> {
        self.own.store().artifact(key).await
    }

    async fn keep_artifact(&self, key: ArtifactKey<'_>, output: &[u8]) -> Result<Option<Vec<u8>>, LedgerError> {
        self.own.store().keep_artifact(key, output).await
    }

    async fn mend_artifact(&self, key: ArtifactKey<'_>, output: &[u8]) -> Result<(), LedgerError> {
        self.own.store().mend_artifact(key, output).await
    }

    async fn artifact_count(&self) -> Result<u64, LedgerError> {
        self.own.store().artifact_count().await
    }

    async fn answer(&self, key: &InputHash) -> Result<Option<Answer>, LedgerError> {
        let own = self.own.store().answer(key).await?;
        if own.as_ref().is_some_and(|answer| answer.settled) {
            return Ok(own);
        }
        match self.shared.store().answer(key).await? {
            None => Ok(own),
            Some(answer) => {
                self.own.store().keep_answer(key, &answer).await?;
                Ok(Some(answer))
            }
        }
    }

    async fn answer_heads(&self) -> Result<Vec<(String, String)>, LedgerError> {
        let mut heads: HashMap<String, String> = self.shared.store().answer_heads().await?.into_iter().collect();
        heads.extend(self.own.store().answer_heads().await?);
        Ok(heads.into_iter().collect())
    }

    async fn keep_answer(&self, key: &InputHash, answer: &Answer) -> Result<(), LedgerError> {
        self.shared.store().keep_answer(key, answer).await?;
        self.own.store().keep_answer(key, answer).await
    }

    async fn note_sent(&self, sent: &Sent) -> Result<i64, LedgerError> {
        let shared = self.shared.store().note_sent(sent).await?;
        let own = self.own.store().note_sent(sent).await?;
        let mut numbers = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        numbers.insert(own, shared);
        Ok(own)
    }

    async fn note_received(&self, number: i64, bytes_in: u64, outcome: &str) -> Result<(), LedgerError> {
        self.own.store().note_received(number, bytes_in, outcome).await?;
        let shared = {
            let mut numbers = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
            numbers.remove(&number)
        };
        match shared {
            Some(number) => self.shared.store().note_received(number, bytes_in, outcome).await,
            None => Ok(()),
        }
    }

    async fn everything_sent(&self) -> Result<Vec<Sent>, LedgerError> {
        self.own.store().everything_sent().await
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn claim(&self, key: &InputHash, lease: Duration) -> Result<Claim, LedgerError> {
        self.shared.store().claim(key, lease).await
    }

    async fn renew(&self, lease: &Lease, length: Duration) -> Result<bool, LedgerError> {
        self.shared.store().renew(lease, length).await
    }

    async fn settle(&self, lease: &Lease, answer: &Answer) -> Result<bool, LedgerError> {
        let is_settled = self.shared.store().settle(lease, answer).await?;
        if is_settled {
            self.own.store().keep_answer(&lease.key, answer).await?;
        }
        Ok(is_settled)
    }

    async fn release(&self, lease: &Lease) -> Result<(), LedgerError> {
        self.shared.store().release(lease).await
    }

    async fn host_rest(&self, host: &str) -> Result<Duration, LedgerError> {
        self.shared.store().host_rest(host).await
    }

    async fn rest_host(&self, host: &str, rest: Duration) -> Result<(), LedgerError> {
        self.shared.store().rest_host(host, rest).await
    }

    async fn take_turns(&self, host: &str, between: Duration, turns: u32) -> Result<Duration, LedgerError> {
        self.shared.store().take_turns(host, between, turns).await
    }

    async fn close(&self) {
        self.own.store().close().await;
        self.shared.store().close().await;
    }
}
