use precedent_http::HttpError;
use precedent_ledger::{Answer, InputHash, Ledger};
use serde::{Deserialize, Serialize};

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
    let stored = ledger.answer(&open_batches()).await?;
    Ok(stored
        .and_then(|stored| serde_json::from_slice(&stored.body).ok())
        .unwrap_or_default())
}

pub(super) async fn keep_submitted(ledger: &Ledger, batches: &[SubmittedBatch]) -> Result<(), HttpError> {
    let answer = Answer {
        asked: "batches whose results were not collected yet".to_owned(),
        status: 200,
        head: "{}".to_owned(),
        body: serde_json::to_vec(batches).unwrap_or_default(),
        settled: false,
    };
    Ok(ledger.keep_answer(&open_batches(), &answer).await?)
}

/// The collected answer to the call with this key.
pub(super) async fn collected(ledger: &Ledger, key: &str) -> Result<Option<(u16, Vec<u8>)>, HttpError> {
    let stored = ledger.answer(&answer_of(key)).await?;
    Ok(stored.map(|stored| (stored.status, stored.body)))
}

pub(super) async fn keep_collected(ledger: &Ledger, key: &str, status: u16, body: &[u8]) -> Result<(), HttpError> {
    let answer = Answer {
        asked: format!("call {key} of a batch"),
        status,
        head: "{}".to_owned(),
        body: body.to_vec(),
        settled: true,
    };
    Ok(ledger.keep_answer(&answer_of(key), &answer).await?)
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
            adopted: false,
            foreign: Vec::new(),
        };
        assert_eq!((batch.time().as_str(), batch.token.len()), ("14:02 UTC", 32));
        keep_submitted(&ledger, std::slice::from_ref(&batch)).await.unwrap();
        batch.id = Some("batch_1".to_owned());
        keep_submitted(&ledger, std::slice::from_ref(&batch)).await.unwrap();
        assert_eq!(submitted(&ledger).await.unwrap(), [batch]);
        keep_submitted(&ledger, &[]).await.unwrap();
        assert!(submitted(&ledger).await.unwrap().is_empty());
        assert_eq!(collected(&ledger, "a").await.unwrap(), None);
        keep_collected(&ledger, "a", 200, b"{}").await.unwrap();
        assert_eq!(collected(&ledger, "a").await.unwrap(), Some((200, b"{}".to_vec())));
    }
}
