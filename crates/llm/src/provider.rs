use precedent_http::{Request, Response, Secret};
use serde_json::Value;

use crate::{Ask, Completion, LlmError, Usage};

/// A service that runs models: how to put a question to it, and how to read what it says. It opens no connection itself.
///
/// Adding one is a file in `providers/`, a line in its registry, and its cases in the conformance tests.
pub trait Provider: Send + Sync {
    /// What stands before the colon in `provider:name`. Lower case.
    fn id(&self) -> &'static str;

    /// Where it is reached; `None` where the user must say.
    fn base(&self) -> Option<&'static str>;

    /// The environment variable that holds its key; `None` where none is needed.
    fn key_variable(&self) -> Option<&'static str>;

    /// A model name of it, for help and errors.
    fn example(&self) -> &'static str;

    /// What it can take, before it says otherwise.
    fn features(&self) -> Features {
        Features::default()
    }

    /// The question as it goes over the wire.
    ///
    /// # Errors
    /// When the endpoint's address is none.
    fn request(&self, ask: &Ask, endpoint: &Endpoint, features: Features) -> Result<Request, LlmError>;

    /// What came back.
    ///
    /// # Errors
    /// When it is an error, or no answer of this provider.
    fn read(&self, response: &Response) -> Result<Completion, LlmError>;

    /// What a body says of the tokens that it took, whether it is an answer, a refusal or an error; `None` where it says nothing.
    fn usage(&self, body: &[u8]) -> Option<Usage>;

    /// Whether an answer that looks passing (too many requests) will not pass (no credit).
    fn is_settled(&self, _status: u16, _body: &[u8]) -> bool {
        false
    }

    /// Given that a question was not taken: the features to try without, if what was said names one of those in use.
    fn without(&self, features: Features, said: &str) -> Option<Features> {
        let said = said.to_ascii_lowercase();
        let names = |words: &[&str]| words.iter().any(|word| said.contains(word));
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
        if features.temperature && names(&["temperature"]) {
            return Some(Features {
                temperature: false,
                ..features
            });
        }
        None
    }
}

/// Where and as whom a provider is asked.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The address that the provider's paths follow, without a slash at its end.
    pub base: String,
    /// The key.
    pub key: Option<Secret>,
    /// The model.
    pub model: String,
}

impl Endpoint {
    /// A question to `path` of this endpoint, its key in the header of this name and after this prefix.
    pub(crate) fn post(
        &self,
        provider: &'static str,
        path: &str,
        body: &Value,
        (header, prefix): (&'static str, &'static str),
    ) -> Result<Request, LlmError> {
        let request = Request::post_json(provider, &format!("{}{path}", self.base), body)?;
        Ok(match &self.key {
            Some(key) => request.secret_header(header, prefix, key.clone()),
            None => request,
        })
    }
}

/// What a provider or model takes along with a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Features {
    /// A JSON Schema that the answer is held to. Without it the schema is asked for in words.
    pub schema: bool,
    /// A temperature.
    pub temperature: bool,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            schema: true,
            temperature: true,
        }
    }
}
