use std::fmt;
use std::time::Duration;

use async_trait::async_trait;

use crate::{Answer, Claim, InputHash, Lease, LedgerError, Sent};

/// A stage output as identified in a ledger.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArtifactKey<'a> {
    pub(crate) stage: &'a str,
    pub(crate) version: u32,
    pub(crate) input: &'a InputHash,
}

/// Where the rows of a ledger are. The methods of [`Ledger`](crate::Ledger) describe what each does.
#[async_trait]
pub(crate) trait Store: fmt::Debug + Send + Sync {
    async fn artifact(&self, key: ArtifactKey<'_>) -> Result<Option<Vec<u8>>, LedgerError>;

    /// Keeps the first output. Returns the kept one if it is another.
    async fn keep_artifact(&self, key: ArtifactKey<'_>, output: &[u8]) -> Result<Option<Vec<u8>>, LedgerError>;

    async fn mend_artifact(&self, key: ArtifactKey<'_>, output: &[u8]) -> Result<(), LedgerError>;

    async fn artifact_count(&self) -> Result<u64, LedgerError>;

    async fn answer(&self, key: &InputHash) -> Result<Option<Answer>, LedgerError>;

    /// The keys and heads of all answers, in no order.
    async fn answer_heads(&self) -> Result<Vec<(String, String)>, LedgerError>;

    async fn keep_answer(&self, key: &InputHash, answer: &Answer) -> Result<(), LedgerError>;

    async fn note_sent(&self, sent: &Sent) -> Result<i64, LedgerError>;

    async fn note_received(&self, number: i64, bytes_in: u64, outcome: &str) -> Result<(), LedgerError>;

    async fn everything_sent(&self) -> Result<Vec<Sent>, LedgerError>;

    /// Whether other processes use the ledger at the same time.
    fn is_shared(&self) -> bool {
        false
    }

    async fn claim(&self, key: &InputHash, lease: Duration) -> Result<Claim, LedgerError>;

    async fn renew(&self, lease: &Lease, length: Duration) -> Result<bool, LedgerError>;

    async fn settle(&self, lease: &Lease, answer: &Answer) -> Result<bool, LedgerError>;

    async fn release(&self, lease: &Lease) -> Result<(), LedgerError>;

    async fn host_rest(&self, _host: &str) -> Result<Duration, LedgerError> {
        Ok(Duration::ZERO)
    }

    async fn rest_host(&self, _host: &str, _rest: Duration) -> Result<(), LedgerError> {
        Ok(())
    }

    async fn take_turns(&self, _host: &str, _between: Duration, _turns: u32) -> Result<Duration, LedgerError> {
        Ok(Duration::ZERO)
    }

    async fn close(&self);
}

/// A number of bytes as the databases store it.
pub(crate) fn saturating(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
