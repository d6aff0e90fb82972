//! Asks a model for a typed answer.
//!
//! In: a [`Prompt`] with its variables and the type that the answer must have. Out: a value of that type that passed every check, or a typed
//! failure of this one ask. Which provider is asked is one file under `providers/`; what all share is here: the schema goes along where the
//! provider takes one, the answer is read strictly and then by a fixed ladder of mendings that never invent a value, one repair ask names what was
//! wrong, foreign text is fenced with marks that its author cannot know, and what an ask may cost is checked before it is sent.
//!
//! Deliberately not here: the network (that is `http`), what any answer is for (that is `engine`), and streaming.

mod answer;
mod ask;
mod completion;
mod error;
mod fence;
mod meter;
mod model;
mod price;
mod prompt;
mod provider;
mod providers;
mod typed;

pub use answer::{Mending, read_answer};
pub use ask::{Ask, Schema, Speaker, Turn};
pub use completion::{Completion, Finish, Usage};
pub use error::LlmError;
pub use fence::Fence;
pub use meter::{Meter, Spending};
pub use model::{Answerer, Model, ModelName};
pub use price::{Price, Prices};
pub use prompt::{Prompt, PromptError};
pub use provider::{Endpoint, Features, Provider};
pub use providers::{provider, providers};
pub use typed::{Check, Checks, Taken, Typed, Violation, answer_schema, ask_for, ask_within};

// Whoever tells failures apart needs those of the network too.
pub use precedent_http::{Door, HttpError, Mode, Reach, Secret, Settings};
