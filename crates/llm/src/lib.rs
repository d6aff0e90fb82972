//! Calls models and parses typed answers.
//!
//! Input: a [`Prompt`] with its variables and the type of the answer. Output: a value of that type that passed every check, or a typed error for this
//! one request.
//! Each provider is one file under `providers/`. This crate does the rest: it sends the schema where the provider accepts one, parses strictly and
//! then with a fixed sequence of repairs that never invent a value, and sends one repair request that names the error. It fences untrusted text with
//! markers that its author cannot know, and checks the possible cost before sending.
//!
//! Not included: the network (crate `http`), the purpose of the answers (crate `engine`), and streaming.

mod answer;
mod ask;
mod batch;
mod bill;
mod completion;
mod error;
mod fence;
mod log;
mod meter;
mod model;
mod options;
mod price;
mod prompt;
mod provider;
mod providers;
mod shared_budget;
mod typed;

pub use answer::{Mending, read_answer};
pub use ask::{Ask, Schema, Speaker, Turn};
pub use batch::{BatchApi, BatchCall, BatchEntry, BatchQueue, BatchRules, BatchStatus, BatchWorker, SubmittedBatch};
pub use completion::{Completion, Finish, Usage};
pub use error::LlmError;
pub use fence::Fence;
pub use meter::{Meter, Spending};
pub use model::{Answerer, Model, ModelName};
pub use options::{ModelOptions, THINKING_TOKENS};
pub use price::{Price, Prices};
pub use prompt::{Prompt, PromptError};
pub use provider::{Endpoint, Features, Provider};
pub use providers::{provider, providers};
pub use shared_budget::{BudgetAnswer, Chunk, SharedBudget};
pub use typed::{AskUsage, Check, Checks, Typed, Violation, answer_schema, ask_for, ask_within};

// Callers that match on errors also need the HTTP types.
pub use precedent_http::{
    Connection, HostLimits, HttpError, HttpGateway, Mode, NetworkPolicy, Secret, Settings, SharedAnswers,
};
