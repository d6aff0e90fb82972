use precedent_http::{Request, Response};

use super::chat::{self, Dialect, SchemaForm};
use super::said::{Said, is_no_credit};
use crate::{Ask, Completion, Endpoint, Features, LlmError, Provider};

/// `OpenRouter`, which passes questions on to many providers.
#[derive(Debug)]
pub(super) struct OpenRouterProvider;

const ID: &str = "openrouter";

const DIALECT: Dialect = Dialect {
    provider: ID,
    most_output: "max_tokens",
    schema: SchemaForm::Whole,
};

impl Provider for OpenRouterProvider {
    fn id(&self) -> &'static str {
        ID
    }

    fn base(&self) -> Option<&'static str> {
        Some("https://openrouter.ai/api/v1")
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some("OPENROUTER_API_KEY")
    }

    fn example(&self) -> &'static str {
        "openrouter:anthropic/claude-sonnet-4.5"
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
