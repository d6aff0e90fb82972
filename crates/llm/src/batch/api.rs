use precedent_http::Request;
use serde_json::Value;

use super::SubmittedBatch;
use crate::{Endpoint, LlmError};

/// The batch endpoint of a provider: builds its requests and parses its responses.
pub trait BatchApi: Send + Sync {
    /// The request that uploads the calls, if they are not part of the submission.
    ///
    /// # Errors
    /// If the endpoint's address is invalid.
    fn upload(&self, endpoint: &Endpoint, calls: &[BatchCall]) -> Result<Option<Request>, LlmError>;

    /// The request that submits a batch. `file` is the id of the uploaded file, and `token` marks the batch as ours where the provider stores one.
    ///
    /// # Errors
    /// If the endpoint's address is invalid.
    fn submit(
        &self,
        endpoint: &Endpoint,
        calls: &[BatchCall],
        file: Option<&str>,
        token: &str,
    ) -> Result<Request, LlmError>;

    /// The request for the status of a batch.
    ///
    /// # Errors
    /// If the endpoint's address is invalid.
    fn status(&self, endpoint: &Endpoint, id: &str) -> Result<Request, LlmError>;

    /// Parses a status, which is also the response to a submission.
    fn read_status(&self, body: &[u8]) -> Option<BatchStatus>;

    /// The requests for the results of an ended batch.
    ///
    /// # Errors
    /// If the endpoint's address is invalid.
    fn results(&self, endpoint: &Endpoint, status: &BatchStatus) -> Result<Vec<Request>, LlmError>;

    /// Parses a line of the results: the key of the call, and what came of it.
    fn read_result(&self, line: &Value) -> Option<(String, BatchEntry)>;

    /// The request for the latest batches of the account, as `{"data": [status, …], "has_more": …}`, or for those before the batch with the id `before`.
    ///
    /// # Errors
    /// If the endpoint's address is invalid.
    fn list(&self, endpoint: &Endpoint, before: Option<&str>) -> Result<Request, LlmError>;

    /// Whether a listed batch, and so all after it in the list, were created before this submission.
    fn is_earlier(&self, listed: &Value, submitted: &SubmittedBatch) -> bool;

    /// Whether a listed batch can be this submission.
    fn may_be(&self, listed: &Value, submitted: &SubmittedBatch) -> bool;

    /// Whether a listed batch that can be a submission certainly is, because the provider stores our mark.
    fn stores_mark(&self) -> bool;
}

/// One call of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchCall {
    /// The key of the call, at most 64 letters and digits.
    pub key: String,
    /// The body of the direct request.
    pub body: Value,
}

/// What came of one call of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchEntry {
    /// The status and body that a direct request would have received.
    Answered(u16, Vec<u8>),
    /// It was not processed and not billed: it expired, or the batch was cancelled.
    NotDone(String),
}

/// The status of a batch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BatchStatus {
    /// The provider's id of the batch.
    pub id: String,
    /// Whether it has ended, in whatever way.
    pub has_ended: bool,
    /// Why the provider rejected the batch as a whole.
    pub rejected: Option<String>,
    /// Calls that are done, with an answer or without.
    pub done: u64,
    /// Ids of the files with the results, where the provider has such files.
    pub files: Vec<String>,
}

/// The request with the endpoint's own headers and key.
pub(crate) fn authorized(request: Request, endpoint: &Endpoint, header: &str, prefix: &str) -> Request {
    let mut request = request.unrecorded();
    for (name, value) in &endpoint.options.headers {
        request = request.header(name, value);
    }
    for (name, secret) in &endpoint.options.secret_headers {
        request = request.secret_header(name, "", secret.clone());
    }
    match &endpoint.key {
        Some(key) => request.secret_header(header, prefix, key.clone()),
        None => request,
    }
}

/// Whether an id of a provider can be part of an address without changing its meaning.
pub(crate) fn is_plain_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= 200 && id.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
}
