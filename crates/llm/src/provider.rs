use precedent_http::{Request, Response, Secret};
use serde_json::Value;

use crate::{Ask, BatchApi, Completion, LlmError, ModelOptions, Usage};

/// A service that runs models: builds its requests and parses its responses. It opens no connection itself.
///
/// To add one: a file in `providers/`, a line in its registry, and its cases in the conformance tests.
pub trait Provider: Send + Sync {
    /// The part before the colon in `provider:name`. Lower case.
    fn id(&self) -> &'static str;

    /// The default base URL; `None` if the user must set it.
    fn base(&self) -> Option<&'static str>;

    /// The environment variable of its key; `None` if none is needed.
    fn key_variable(&self) -> Option<&'static str>;

    /// An example model name, for help and errors.
    fn example(&self) -> &'static str;

    /// The features that it is assumed to accept until it rejects one.
    fn features(&self) -> Features {
        Features::default()
    }

    /// The HTTP request.
    ///
    /// # Errors
    /// If the endpoint's address is invalid.
    fn request(&self, ask: &Ask, endpoint: &Endpoint, features: Features) -> Result<Request, LlmError>;

    /// Parses a response.
    ///
    /// # Errors
    /// If it is an error, or does not have this provider's format.
    fn read(&self, response: &Response) -> Result<Completion, LlmError>;

    /// The token usage that a body reports, whether it is an answer, a refusal or an error; `None` if it reports none.
    fn usage(&self, body: &[u8]) -> Option<Usage>;

    /// Whether a response that looks temporary (too many requests) is permanent (no credit).
    fn is_settled(&self, _status: u16, _body: &[u8]) -> bool {
        false
    }

    /// Its batch endpoint, if it has one.
    fn batch(&self) -> Option<&dyn BatchApi> {
        None
    }

    /// For a rejected request: the features to retry with, if the message names one of those in use.
    fn without(&self, features: Features, message: &str) -> Option<Features> {
        let message = message.to_ascii_lowercase();
        let names = |words: &[&str]| words.iter().any(|word| message.contains(word));
        if features.schema
            && names(&[
                "response_format",
                "json_schema",
                "output_config",
                "responsejsonschema",
                "schema",
            ])
        {
            return Some(Features {
                schema: false,
                ..features
            });
        }
        if !features.completion_limit && names(&["max_completion_tokens"]) {
            return Some(Features {
                completion_limit: true,
                ..features
            });
        }
        if features.temperature && names(&["temperature"]) {
            return Some(Features {
                temperature: false,
                ..features
            });
        }
        None
    }
}

/// Where a provider is called, and with which key.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The base URL of the provider's paths, without a trailing slash.
    pub base: String,
    /// The key.
    pub key: Option<Secret>,
    /// The model.
    pub model: String,
    /// What the user sets for its requests.
    pub options: ModelOptions,
}

impl Endpoint {
    /// A POST request to `path` of this endpoint, with the key in the given header after the given prefix.
    pub(crate) fn post(
        &self,
        provider: &'static str,
        path: &str,
        mut body: Value,
        (header, prefix): (&'static str, &'static str),
    ) -> Result<Request, LlmError> {
        if let Value::Object(body) = &mut body {
            body.extend(self.options.body.clone());
        }
        let mut request = Request::post_json(provider, &format!("{}{path}", self.base), &body)?;
        for (name, value) in &self.options.query {
            request = request.parameter(name, value);
        }
        for (name, value) in &self.options.headers {
            request = request.header(name, value);
        }
        for (name, secret) in &self.options.secret_headers {
            request = request.secret_header(name, "", secret.clone());
        }
        Ok(match &self.key {
            Some(key) => request.secret_header(header, prefix, key.clone()),
            None => request,
        })
    }
}

/// Optional request features that a provider or model accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Features {
    /// A JSON Schema that constrains the answer. Without it, the schema is part of the prompt text.
    pub schema: bool,
    /// A temperature.
    pub temperature: bool,
    /// OpenAI's newer name of the output limit, `max_completion_tokens`, where the provider has two names for it.
    pub completion_limit: bool,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            schema: true,
            temperature: true,
            completion_limit: false,
        }
    }
}

impl Features {
    /// Every other combination.
    pub(crate) fn alternatives(self) -> Vec<Self> {
        let all = (0..8_u8).map(|bits| Self {
            schema: bits & 1 != 0,
            temperature: bits & 2 != 0,
            completion_limit: bits & 4 != 0,
        });
        all.filter(|one| *one != self).collect()
    }
}

/// HTTP status of a successful response.
pub(crate) const SUCCESS: u16 = 200;

pub(crate) fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// Parses a response body under the given status.
pub(crate) fn read_body(provider: &dyn Provider, status: u16, body: &[u8]) -> Result<Completion, LlmError> {
    provider.read(&Response {
        status,
        headers: Vec::new(),
        body: body.to_vec(),
        address: String::new(),
        recorded: false,
    })
}
