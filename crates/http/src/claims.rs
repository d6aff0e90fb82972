//! Claims of requests in a ledger that several processes share. A request that may be billed is sent by one of them; the others wait for its answer.

use std::convert::Infallible;
use std::time::Duration;

use precedent_ledger::{Claim, InputHash, Lease, Ledger, LedgerError};

/// How long a claim lasts if its holder does not renew it, because it was killed. Chosen by hand.
const LEASE: Duration = Duration::from_secs(60);
/// How often a process looks for the answer of another one. Chosen by hand: a model answers in seconds.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// How a client claims requests.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claims {
    lease: Duration,
}

/// Whether a request may be sent.
pub(crate) enum Turn {
    /// No other process uses the ledger.
    Free,
    /// It is claimed.
    Ours(Lease),
    /// Another process had it. Its answer may be on record now.
    Passed,
}

impl Default for Claims {
    fn default() -> Self {
        Self { lease: LEASE }
    }
}

impl Claims {
    pub(crate) fn lasting(lease: Duration) -> Self {
        Self { lease }
    }

    /// Claims a request, or waits for a moment if another process has it.
    pub(crate) async fn turn(self, ledger: &Ledger, key: &InputHash) -> Result<Turn, LedgerError> {
        if !ledger.is_shared() {
            return Ok(Turn::Free);
        }
        match ledger.claim(key, self.lease).await? {
            Claim::Ours(lease) => Ok(Turn::Ours(lease)),
            Claim::Answered => Ok(Turn::Passed),
            Claim::Held => {
                tokio::time::sleep(LOOK_EVERY).await;
                Ok(Turn::Passed)
            }
        }
    }

    /// Does `work` and renews the lease while it takes.
    pub(crate) async fn holding<T>(self, ledger: &Ledger, lease: Option<&Lease>, work: impl Future<Output = T>) -> T {
        let Some(lease) = lease else {
            return work.await;
        };
        tokio::select! {
            biased;
            done = work => done,
            never = self.renewing(ledger, lease) => match never {},
        }
    }

    async fn renewing(self, ledger: &Ledger, lease: &Lease) -> Infallible {
        // Three attempts fail before the lease ends. At least a second, so that the database has other things to do.
        let every = (self.lease / 4).max(Duration::from_secs(1));
        loop {
            tokio::time::sleep(every).await;
            // If the database is away for a moment, the lease may still be there afterwards. The settlement finds out.
            let _ = ledger.renew(lease, self.lease).await;
        }
    }
}
