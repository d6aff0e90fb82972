use precedent_http::{Request, Response};

use super::chat::{self, Dialect, SchemaForm};
use super::said::{Said, is_no_credit};
use crate::{Ask, Completion, Endpoint, Features, LlmError, Provider};

/// Ollama on this machine, through its door for OpenAI's form: its own has no strict schema in all versions.
#[derive(Debug)]
pub(super) struct OllamaProvider;

const ID: &str = "ollama";

const DIALECT: Dialect = Dialect {
    provider: ID,
    most_output: "max_tokens",
    schema: SchemaForm::Whole,
};

impl Provider for OllamaProvider {
    fn id(&self) -> &'static str {
        ID
    }

    fn base(&self) -> Option<&'static str> {
        Some("http://localhost:11434/v1")
    }

    fn key_variable(&self) -> Option<&'static str> {
        None
    }

    fn example(&self) -> &'static str {
        "ollama:qwen3:8b"
    }

    fn request(&self, ask: &Ask, endpoint: &Endpoint, features: Features) -> Result<Request, LlmError> {
        chat::request(ask, endpoint, features, DIALECT)
    }

    fn read(&self, response: &Response) -> Result<Completion, LlmError> {
        chat::read(response, ID)
    }

    fn is_settled(&self, status: u16, body: &[u8]) -> bool {
        is_no_credit(status, &Said::of(body))
    }
}
