use std::sync::Arc;
use std::time::Duration;

use precedent_corpus::EncodeError;
use precedent_http::{HttpGateway, Request, Secret};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::runtime::Runtime;

/// Time limit for one answer.
const TIMEOUT: Duration = Duration::from_secs(120);
/// Maximum number of bytes of an error body that are shown.
const SHOWN: usize = 300;

/// Sends requests from blocking threads: an HTTP client with a runtime. Cheap to clone.
#[derive(Clone)]
pub struct EndpointLine {
    gateway: Arc<HttpGateway>,
    runtime: Arc<Runtime>,
}

impl std::fmt::Debug for EndpointLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EndpointLine").finish_non_exhaustive()
    }
}

impl EndpointLine {
    /// Sends requests through this client, on this runtime.
    #[must_use]
    pub fn new(gateway: Arc<HttpGateway>, runtime: Arc<Runtime>) -> Self {
        Self { gateway, runtime }
    }

    /// Fetches at most `at_most` bytes from an address.
    ///
    /// # Errors
    /// Returns an error if they cannot be fetched.
    pub fn fetch(&self, who: &str, address: &str, at_most: u64) -> Result<Vec<u8>, EncodeError> {
        let failed = |reason: String| EncodeError::Answer {
            model: who.to_owned(),
            reason,
        };
        let request = Request::get(who, address).map_err(|error| failed(error.to_string()))?;
        let request = request.at_most(at_most).timeout(Duration::from_secs(900));
        let sent = self.runtime.block_on(self.gateway.send(&request));
        let response = sent.map_err(|error| failed(error.to_string()))?;
        match response.status {
            200 => Ok(response.body),
            status => Err(failed(format!("the server answered {status}"))),
        }
    }

    /// Sends a JSON request and parses the JSON answer.
    pub(super) fn ask<T: DeserializeOwned>(
        &self,
        model: &str,
        address: &str,
        key: Option<&Secret>,
        question: &impl Serialize,
    ) -> Result<T, EncodeError> {
        let failed = |reason: String| EncodeError::Answer {
            model: model.to_owned(),
            reason,
        };
        let request = Request::post_json(model, address, question).map_err(|error| failed(error.to_string()))?;
        let mut request = request.timeout(TIMEOUT);
        if let Some(key) = key {
            request = request.secret_header("authorization", "Bearer ", key.clone());
        }
        let sent = self.runtime.block_on(self.gateway.send(&request));
        let response = sent.map_err(|error| failed(error.to_string()))?;
        if !(200..300).contains(&response.status) {
            let message: String = String::from_utf8_lossy(&response.body).chars().take(SHOWN).collect();
            return Err(failed(format!("the server answered {}: {message}", response.status)));
        }
        serde_json::from_slice(&response.body).map_err(|error| failed(format!("it is not the expected JSON: {error}")))
    }
}
