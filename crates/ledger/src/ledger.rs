use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;

use crate::mirror::MirroredStore;
#[cfg(feature = "postgres")]
use crate::postgres::PostgresStore;
use crate::sqlite::SqliteStore;
use crate::store::{ArtifactKey, Store};
use crate::{Answer, Claim, InputHash, Lease, LedgerError, Sent};

/// An open ledger. Clones share its connections.
#[derive(Debug, Clone)]
pub struct Ledger {
    store: Arc<dyn Store>,
    /// Claims that are neither settled nor released.
    held: Arc<Mutex<Vec<Lease>>>,
}

impl Ledger {
    /// Opens the ledger at `path`, or creates it. Its folder must exist.
    ///
    /// # Errors
    /// If the file cannot be opened or a later version wrote it.
    pub fn open<'a>(path: &'a Path) -> BoxFuture<'a, Result<Self, LedgerError>> {
        Box::pin(async move { Ok(Self::of(SqliteStore::open(path).await?)) })
    }

    /// A ledger in memory, which is lost when the program ends.
    ///
    /// # Errors
    /// If SQLite cannot start.
    pub fn in_memory() -> BoxFuture<'static, Result<Self, LedgerError>> {
        Box::pin(async move { Ok(Self::of(SqliteStore::in_memory().await?)) })
    }

    /// Opens the ledger in the PostgreSQL database at `url`, and creates its tables if they are missing. Other processes and machines may use it at
    /// the same time. A ledger sees only the rows of its `scope`.
    ///
    /// # Errors
    /// If the URL or the database cannot be used, a later version created the tables, or the program was built without the feature `postgres`. No
    /// message contains the password.
    pub fn connect<'a>(url: &'a str, scope: &'a str) -> BoxFuture<'a, Result<Self, LedgerError>> {
        Box::pin(async move {
            #[cfg(feature = "postgres")]
            return Ok(Self::of(PostgresStore::connect(url, scope).await?));
            #[cfg(not(feature = "postgres"))]
            {
                let _ = (url, scope);
                Err(LedgerError::NoPostgres)
            }
        })
    }

    /// A run's own ledger that uses what other processes recorded in `shared`, and records there too. Afterwards the own ledger holds everything that
    /// the run used.
    #[must_use]
    pub fn sharing(self, shared: Self) -> Self {
        Self::of(MirroredStore::new(self, shared))
    }

    pub(crate) fn of(store: impl Store + 'static) -> Self {
        Self {
            store: Arc::new(store),
            held: Arc::default(),
        }
    }

    pub(crate) fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// The output of `stage` at `version` for this input, if it was computed before.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn artifact<'a>(
        &'a self,
        stage: &'a str,
        version: u32,
        input: &'a InputHash,
    ) -> BoxFuture<'a, Result<Option<Vec<u8>>, LedgerError>> {
        self.store.artifact(ArtifactKey { stage, version, input })
    }

    /// Records the output of `stage` at `version` for this input. The first output is final: recording another one is not an error and changes
    /// nothing. Returns the output on record if it is an earlier one.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn keep_artifact<'a>(
        &'a self,
        stage: &'a str,
        version: u32,
        input: &'a InputHash,
        output: &'a [u8],
    ) -> BoxFuture<'a, Result<Option<Vec<u8>>, LedgerError>> {
        self.store.keep_artifact(ArtifactKey { stage, version, input }, output)
    }

    /// Replaces a recorded output of `stage` that can no longer be parsed.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn mend_artifact<'a>(
        &'a self,
        stage: &'a str,
        version: u32,
        input: &'a InputHash,
        output: &'a [u8],
    ) -> BoxFuture<'a, Result<(), LedgerError>> {
        self.store.mend_artifact(ArtifactKey { stage, version, input }, output)
    }

    /// The number of recorded artifacts.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn artifact_count<'a>(&'a self) -> BoxFuture<'a, Result<u64, LedgerError>> {
        self.store.artifact_count()
    }

    /// The recorded response for `key`.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn answer<'a>(&'a self, key: &'a InputHash) -> BoxFuture<'a, Result<Option<Answer>, LedgerError>> {
        self.store.answer(key)
    }

    /// The keys and heads of all recorded responses, in no order.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn answer_heads(&self) -> BoxFuture<'_, Result<Vec<(String, String)>, LedgerError>> {
        self.store.answer_heads()
    }

    /// Records a response under `key`. A settled response is final: recording another one is not an error and changes nothing. An unsettled response
    /// is replaced by the next one.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn keep_answer<'a>(&'a self, key: &'a InputHash, answer: &'a Answer) -> BoxFuture<'a, Result<(), LedgerError>> {
        self.store.keep_answer(key, answer)
    }

    /// Records a request before it is sent, so that it is known what left the machine even if the program dies while sending. Returns the number of
    /// the entry, for [`Ledger::note_received`].
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn note_sent<'a>(&'a self, sent: &'a Sent) -> BoxFuture<'a, Result<i64, LedgerError>> {
        self.store.note_sent(sent)
    }

    /// Records the outcome of entry `number`.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn note_received<'a>(
        &'a self,
        number: i64,
        bytes_in: u64,
        outcome: &'a str,
    ) -> BoxFuture<'a, Result<(), LedgerError>> {
        self.store.note_received(number, bytes_in, outcome)
    }

    /// All outgoing requests, in order.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn everything_sent<'a>(&'a self) -> BoxFuture<'a, Result<Vec<Sent>, LedgerError>> {
        self.store.everything_sent()
    }

    /// All outgoing requests of the ledger at `path`, in order. Only reads, so a run that writes the ledger at the same time is not disturbed.
    ///
    /// # Errors
    /// If the file cannot be opened or read, or a later version wrote it.
    pub fn sent_in<'a>(path: &'a Path) -> BoxFuture<'a, Result<Vec<Sent>, LedgerError>> {
        Box::pin(SqliteStore::sent_in(path))
    }

    /// Whether other processes use the ledger at the same time, so that a request should be claimed before it is sent.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    /// Claims the request `key` for `lease`, by the clock of the database, unless another process has claimed it or it has a settled response.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn claim<'a>(&'a self, key: &'a InputHash, lease: Duration) -> BoxFuture<'a, Result<Claim, LedgerError>> {
        Box::pin(async move {
            let claim = self.store.claim(key, lease).await?;
            if let Claim::Ours(lease) = &claim {
                self.held().push(lease.clone());
            }
            Ok(claim)
        })
    }

    /// Extends a lease to `length` from now. `false` if it ended and another process has claimed the request.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn renew<'a>(&'a self, lease: &'a Lease, length: Duration) -> BoxFuture<'a, Result<bool, LedgerError>> {
        self.store.renew(lease, length)
    }

    /// Records the response to a claimed request and ends the lease. `false`, and nothing changes, if another process has claimed the request since.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn settle<'a>(&'a self, lease: &'a Lease, answer: &'a Answer) -> BoxFuture<'a, Result<bool, LedgerError>> {
        Box::pin(async move {
            let is_settled = self.store.settle(lease, answer).await?;
            self.held().retain(|other| other != lease);
            Ok(is_settled)
        })
    }

    /// Ends a lease without a response.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn release<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), LedgerError>> {
        Box::pin(async move {
            self.store.release(lease).await?;
            self.held().retain(|other| other != lease);
            Ok(())
        })
    }

    /// How long the host still rests, because a process that shares the ledger recorded that it asked to slow down.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn host_rest<'a>(&'a self, host: &'a str) -> BoxFuture<'a, Result<Duration, LedgerError>> {
        self.store.host_rest(host)
    }

    /// Records for all processes that share the ledger that the host rests for `rest` from now, by the clock of the database. A longer rest stays.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn rest_host<'a>(&'a self, host: &'a str, rest: Duration) -> BoxFuture<'a, Result<(), LedgerError>> {
        self.store.rest_host(host, rest)
    }

    /// Takes the next turns of a host, `between` apart, that no process which shares the ledger has, and that come after its rest. Returns the time until
    /// the first of them, by the clock of the database.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn take_turns<'a>(
        &'a self,
        host: &'a str,
        between: Duration,
        turns: u32,
    ) -> BoxFuture<'a, Result<Duration, LedgerError>> {
        self.store.take_turns(host, between, turns)
    }

    /// Ends all claims, writes everything to the main file and closes it, so that the folder can be copied.
    pub fn close(self) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let held = std::mem::take(&mut *self.held());
            for lease in &held {
                // Its request may have been sent, so the next holder learns of it. Without this, the lease ends by itself.
                let _ = self.store.renew(lease, Duration::ZERO).await;
            }
            self.store.close().await;
        })
    }

    fn held(&self) -> MutexGuard<'_, Vec<Lease>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
