use precedent_http::{Request, Response};

use super::chat::{self, Dialect, SchemaForm};
use super::said::{Said, is_no_credit};
use crate::{Ask, Completion, Endpoint, Features, LlmError, Provider};

/// Any server that speaks OpenAI's form: llama.cpp, vLLM, LM Studio and many others. The user says where it is.
#[derive(Debug)]
pub(super) struct CompatibleProvider;

const ID: &str = "compatible";

const DIALECT: Dialect = Dialect {
    provider: ID,
    most_output: "max_tokens",
    schema: SchemaForm::Whole,
};

impl Provider for CompatibleProvider {
    fn id(&self) -> &'static str {
        ID
    }

    fn base(&self) -> Option<&'static str> {
        None
    }

    fn key_variable(&self) -> Option<&'static str> {
        None
    }

    fn example(&self) -> &'static str {
        "compatible:my-model"
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
