//! What is recorded about batches. Several processes may use the record at the same time, if it is in a database.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt};
use precedent_http::HttpError;
use precedent_ledger::{Answer, Claim, InputHash, Lease, Ledger, LedgerError};
use serde::{Deserialize, Serialize};

/// How long a claim lasts if its holder does not renew it, because it was killed. Chosen by hand.
const CLAIM: Duration = Duration::from_secs(60);
/// How often a process looks whether another one is done with the list. Chosen by hand: it takes milliseconds.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(100);
/// Answers that are looked up at the same time.
const AT_ONCE: usize = 4;
/// The longest pause between two attempts to reach the database.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// A batch that was submitted, or is about to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmittedBatch {
    /// A mark that the provider stores with the batch.
    pub token: String,
    /// The provider.
    pub provider: String,
    /// Base address of the provider.
    pub base: String,
    /// The provider's id of the batch. `None` if the program was stopped before the response to the submission.
    #[serde(default)]
    pub id: Option<String>,
    /// When it was submitted, in seconds since 1970-01-01, UTC.
    pub submitted: u64,
    /// The keys of its calls.
    pub keys: Vec<String>,
    /// Of these, the keys of calls with an output limit below that of the request, because the budget had less left.
    #[serde(default)]
    pub limited: Vec<String>,
    /// Whether the id was found in the list of batches of a provider that stores no mark. Its results then show whether it is ours.
    #[serde(default)]
    pub adopted: bool,
    /// Ids of batches in that list whose results have no call of ours.
    #[serde(default)]
    pub foreign: Vec<String>,
}

impl SubmittedBatch {
    /// The time of the submission: `14:02 UTC`.
    pub(crate) fn time(&self) -> String {
        let minutes = self.submitted / 60 % (24 * 60);
        format!("{:02}:{:02} UTC", minutes / 60, minutes % 60)
    }

    /// The earliest time that the provider may have noted for it. Clocks may differ by some minutes.
    pub(crate) fn earliest(&self) -> u64 {
        self.submitted.saturating_sub(600)
    }

    /// The token of a submission of these calls at this time.
    pub(crate) fn token(keys: &[String], submitted: u64) -> String {
        let joined = format!("{submitted} {}", keys.join(" "));
        let hash = InputHash::of([joined.as_bytes()]);
        hash.as_str().chars().take(32).collect()
    }
}

fn open_batches() -> InputHash {
    InputHash::of([b"submitted batches".as_slice()])
}

fn answer_of(key: &str) -> InputHash {
    InputHash::of([b"answer of a batch".as_slice(), key.as_bytes()])
}

/// The batches whose results were not collected yet.
pub(super) async fn submitted(ledger: &Ledger) -> Result<Vec<SubmittedBatch>, HttpError> {
    patiently(async || listed(ledger).await).await
}

/// Changes the list of [`submitted`] batches. Other processes that use the ledger wait meanwhile. `change` may be called again.
async fn edit<T>(ledger: &Ledger, change: impl Fn(&mut Vec<SubmittedBatch>) -> T) -> Result<T, HttpError> {
    let key = open_batches();
    let edited = async || {
        if !ledger.is_shared() {
            let (answer, changed) = changed(listed(ledger).await?, &change);
            ledger.keep_answer(&key, &answer).await?;
            return Ok(Some(changed));
        }
        let Claim::Ours(lease) = ledger.claim(&key, CLAIM).await? else {
            return Ok(None);
        };
        let (answer, changed) = changed(listed(ledger).await?, &change);
        // Another process has claimed the list if this one was stopped for so long.
        Ok(ledger.settle(&lease, &answer).await?.then_some(changed))
    };
    loop {
        if let Some(changed) = patiently(&edited).await? {
            return Ok(changed);
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
}

/// Adds a batch to the list. `false` if one of its calls is part of another one.
pub(super) async fn add(ledger: &Ledger, batch: &SubmittedBatch) -> Result<bool, HttpError> {
    let own: HashSet<&String> = batch.keys.iter().collect();
    edit(ledger, |list| {
        let is_new = !list.iter().flat_map(|one| &one.keys).any(|key| own.contains(key));
        if is_new {
            list.push(batch.clone());
        }
        is_new
    })
    .await
}

/// Replaces a batch in the list. One with an id that another process has removed, because it did not find it, is there again.
pub(super) async fn replace(ledger: &Ledger, batch: &SubmittedBatch) -> Result<(), HttpError> {
    edit(ledger, |list| {
        match list.iter_mut().find(|one| one.token == batch.token) {
            Some(one) => one.clone_from(batch),
            None => list.push(batch.clone()),
        }
    })
    .await
}

/// Removes a batch from the list.
pub(super) async fn forget(ledger: &Ledger, token: &str) -> Result<(), HttpError> {
    edit(ledger, |list| list.retain(|one| one.token != token)).await
}

/// The right to submit a batch, or to find out whether it was submitted. `None` if another process has it.
pub(super) async fn hold(ledger: &Ledger, token: &str) -> Result<Option<Hold>, HttpError> {
    if !ledger.is_shared() {
        return Ok(Some(Hold(None)));
    }
    let key = InputHash::of([b"submission".as_slice(), token.as_bytes()]);
    let claim = patiently(async || ledger.claim(&key, CLAIM).await).await?;
    Ok(match claim {
        Claim::Ours(lease) => Some(Hold(Some(lease))),
        Claim::Held | Claim::Answered => None,
    })
}

/// The right to a submission, until it is [released](Hold::release).
pub(super) struct Hold(Option<Lease>);

impl Hold {
    /// Does `work` and keeps the right while it takes.
    pub(super) async fn during<T>(&self, ledger: &Ledger, work: impl Future<Output = T>) -> T {
        let Some(lease) = &self.0 else {
            return work.await;
        };
        tokio::select! {
            biased;
            done = work => done,
            never = renewing(ledger, lease) => match never {},
        }
    }

    /// Whether no other process has the right meanwhile, because this one was stopped for long.
    pub(super) async fn is_held(&self, ledger: &Ledger) -> Result<bool, HttpError> {
        match &self.0 {
            Some(lease) => patiently(async || ledger.renew(lease, CLAIM).await).await,
            None => Ok(true),
        }
    }

    pub(super) async fn release(self, ledger: &Ledger) -> Result<(), HttpError> {
        match &self.0 {
            Some(lease) => patiently(async || ledger.release(lease).await).await,
            None => Ok(()),
        }
    }
}

async fn renewing(ledger: &Ledger, lease: &Lease) -> Infallible {
    loop {
        tokio::time::sleep(CLAIM / 4).await;
        // If the database is away for a moment, the lease may still be there afterwards.
        let _ = ledger.renew(lease, CLAIM).await;
    }
}

async fn listed(ledger: &Ledger) -> Result<Vec<SubmittedBatch>, LedgerError> {
    let Some(stored) = ledger.answer(&open_batches()).await? else {
        return Ok(Vec::new());
    };
    // An empty list instead would submit the calls of all batches again.
    serde_json::from_slice(&stored.body).map_err(|_| LedgerError::Unreadable {
        what: "list of submitted batches".to_owned(),
    })
}

fn changed<T>(mut list: Vec<SubmittedBatch>, change: impl Fn(&mut Vec<SubmittedBatch>) -> T) -> (Answer, T) {
    let changed = change(&mut list);
    let answer = Answer {
        asked: "batches whose results were not collected yet".to_owned(),
        status: 200,
        head: "{}".to_owned(),
        body: serde_json::to_vec(&list).unwrap_or_default(),
        settled: false,
    };
    (answer, changed)
}

/// Tries again while the database is away. Many calls wait for this process, and their batches go on.
async fn patiently<T>(attempt: impl AsyncFn() -> Result<T, LedgerError>) -> Result<T, HttpError> {
    let mut pause = LOOK_EVERY;
    loop {
        match attempt().await {
            Err(error) if error.is_outage() && !error.is_closed() => {
                tracing::warn!("the record of batches: {error}");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
            other => return Ok(other?),
        }
    }
}

/// The collected answer to the call with this key.
pub(super) async fn collected(ledger: &Ledger, key: &str) -> Result<Option<(u16, Vec<u8>)>, HttpError> {
    let stored = patiently(async || ledger.answer(&answer_of(key)).await).await?;
    Ok(stored.map(|stored| (stored.status, stored.body)))
}

/// Of the calls with these keys, those with a collected answer.
pub(super) async fn all_collected(
    ledger: &Ledger,
    keys: &[String],
) -> Result<HashMap<String, (u16, Vec<u8>)>, HttpError> {
    let found = futures_util::stream::iter(keys)
        .map(async |key| Ok(collected(ledger, key).await?.map(|answer| (key.clone(), answer))))
        .buffer_unordered(AT_ONCE);
    found.try_filter_map(async |found| Ok(found)).try_collect().await
}

pub(super) async fn keep_collected(ledger: &Ledger, key: &str, status: u16, body: &[u8]) -> Result<(), HttpError> {
    let answer = Answer {
        asked: format!("call {key} of a batch"),
        status,
        head: "{}".to_owned(),
        body: body.to_vec(),
        settled: true,
    };
    patiently(async || ledger.keep_answer(&answer_of(key), &answer).await).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_submitted_batch_is_found_by_the_next_process() {
        let ledger = Ledger::in_memory().await.unwrap();
        assert!(submitted(&ledger).await.unwrap().is_empty());
        let mut batch = SubmittedBatch {
            token: SubmittedBatch::token(&["a".to_owned()], 50_520),
            provider: "openai".to_owned(),
            base: "https://example.org".to_owned(),
            id: None,
            submitted: 50_520,
            keys: vec!["a".to_owned()],
            limited: Vec::new(),
            adopted: false,
            foreign: Vec::new(),
        };
        assert_eq!((batch.time().as_str(), batch.token.len()), ("14:02 UTC", 32));
        edit(&ledger, |list| list.push(batch.clone())).await.unwrap();
        batch.id = Some("batch_1".to_owned());
        edit(&ledger, |list| list[0].id.clone_from(&batch.id)).await.unwrap();
        assert_eq!(submitted(&ledger).await.unwrap(), [batch.clone()]);
        forget(&ledger, "another").await.unwrap();
        assert_eq!(submitted(&ledger).await.unwrap(), [batch.clone()]);
        forget(&ledger, &batch.token).await.unwrap();
        assert!(submitted(&ledger).await.unwrap().is_empty());
        assert_eq!(collected(&ledger, "a").await.unwrap(), None);
        keep_collected(&ledger, "a", 200, b"{}").await.unwrap();
        assert_eq!(collected(&ledger, "a").await.unwrap(), Some((200, b"{}".to_vec())));
    }
}
