use precedent_http::{Request, Response};

use super::chat::{self, Dialect, SchemaForm};
use super::said::{Said, is_no_credit};
use crate::{Ask, Completion, Endpoint, Features, LlmError, Provider};

/// `DeepSeek`: takes no schema, only the wish for JSON.
#[derive(Debug)]
pub(super) struct DeepSeekProvider;

const ID: &str = "deepseek";

const DIALECT: Dialect = Dialect {
    provider: ID,
    most_output: "max_tokens",
    schema: SchemaForm::JsonOnly,
};

impl Provider for DeepSeekProvider {
    fn id(&self) -> &'static str {
        ID
    }

    fn base(&self) -> Option<&'static str> {
        Some("https://api.deepseek.com")
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some("DEEPSEEK_API_KEY")
    }

    fn example(&self) -> &'static str {
        "deepseek:deepseek-chat"
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
