use precedent_http::HttpError;

use crate::PromptError;

/// Why a model gave no usable answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LlmError {
    /// No such provider.
    #[error("find the provider `{name}`; there are: {known}")]
    NoSuchProvider {
        /// As it was typed.
        name: String,
        /// Those there are.
        known: String,
    },
    /// The name of the model is not of the form `provider:name`.
    #[error("read the model name `{given}`: it is written provider:name, such as {example}")]
    BadModelName {
        /// As it was typed.
        given: String,
        /// One that would do.
        example: String,
    },
    /// A key is needed and none was given.
    #[error("ask {provider}: no key; put it into {variable}")]
    NoKey {
        /// The provider.
        provider: String,
        /// The environment variable.
        variable: String,
    },
    /// An address is needed and none was given.
    #[error("ask {provider}: no address; give the base URL of the server")]
    NoAddress {
        /// The provider.
        provider: String,
    },
    /// The address holds more than a place: what else stands there would be written down with it.
    #[error(
        "use the address given for {provider}: it holds a user name, a password, a query or a fragment; a key goes into its environment variable, never into the address"
    )]
    SecretAddress {
        /// The provider.
        provider: String,
    },
    /// The key is not taken.
    #[error("ask {provider}: it does not take the key ({said})")]
    WrongKey {
        /// The provider.
        provider: String,
        /// What it said, cut short.
        said: String,
    },
    /// The account is empty.
    #[error("ask {provider}: no credit left ({said})")]
    NoCredit {
        /// The provider.
        provider: String,
        /// What it said, cut short.
        said: String,
    },
    /// No such model, or not for this key.
    #[error("ask {provider}: it does not serve this model ({said})")]
    NoSuchModel {
        /// The provider.
        provider: String,
        /// What it said, cut short.
        said: String,
    },
    /// Too many requests, and patience is used up.
    #[error("ask {provider}: it still says too many requests")]
    RateLimited {
        /// The provider.
        provider: String,
    },
    /// It has too much to do, and patience is used up.
    #[error("ask {provider}: it is overloaded or failing (status {status})")]
    Overloaded {
        /// The provider.
        provider: String,
        /// The status.
        status: u16,
    },
    /// The question is longer than the model can read.
    #[error("ask {provider}: the question is longer than the model reads ({said})")]
    TooLong {
        /// The provider.
        provider: String,
        /// What it said, cut short.
        said: String,
    },
    /// The model, or its provider's filter, will not answer.
    #[error("ask {provider}: it refuses to answer ({said})")]
    Refused {
        /// The provider.
        provider: String,
        /// What it said, cut short.
        said: String,
    },
    /// The provider does not take the question as it is put.
    #[error("ask {provider}: it does not take the question (status {status}: {said})")]
    NotTaken {
        /// The provider.
        provider: String,
        /// The status.
        status: u16,
        /// What it said, cut short.
        said: String,
    },
    /// What came back is no answer of this provider.
    #[error("read the answer of {provider}: {why}")]
    Unreadable {
        /// The provider.
        provider: String,
        /// Why not.
        why: String,
    },
    /// The answer does not have the form that was asked for, even after one repair.
    #[error("use the answer to `{ask}`: {violation}")]
    NotAsAsked {
        /// The ask.
        ask: String,
        /// What is wrong with it.
        violation: String,
    },
    /// The answer was cut at its longest length.
    #[error("use the answer to `{ask}`: it was cut off at its longest length")]
    CutOff {
        /// The ask.
        ask: String,
    },
    /// Asking could cost more than is left.
    #[error("ask `{ask}`: it may cost ${may_cost:.4}, and ${left:.4} of the budget are left")]
    OverBudget {
        /// The ask.
        ask: String,
        /// US dollars, the most it may cost.
        may_cost: f64,
        /// US dollars left.
        left: f64,
    },
    /// A budget is set, and what the model costs is not known.
    #[error("keep to the budget: the price of `{model}` is not known; name it in the settings, or set no budget")]
    NoPrice {
        /// The model.
        model: String,
    },
    /// The prompt cannot be filled in.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// Nothing was said.
    #[error(transparent)]
    Http(#[from] HttpError),
}

impl LlmError {
    /// Whether every other ask would fail as well, so that a run had better stop at once.
    #[must_use]
    pub fn ends_the_run(&self) -> bool {
        matches!(
            self,
            Self::NoSuchProvider { .. }
                | Self::BadModelName { .. }
                | Self::NoKey { .. }
                | Self::NoAddress { .. }
                | Self::SecretAddress { .. }
                | Self::WrongKey { .. }
                | Self::NoCredit { .. }
                | Self::NoSuchModel { .. }
                | Self::OverBudget { .. }
                | Self::NoPrice { .. }
        )
    }

    /// Whether the service failed and not the question: the same question may well be answered later.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. }
                | Self::Overloaded { .. }
                | Self::Unreadable { .. }
                | Self::Http(
                    HttpError::Unreachable { .. }
                        | HttpError::TimedOut { .. }
                        | HttpError::Resting { .. }
                        | HttpError::GivenUp { .. }
                )
        )
    }

    /// Whether a replay found no answer on record.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Http(HttpError::NotRecorded { .. }))
    }

    /// The kind of failure in a word or two, for counting.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NoSuchProvider { .. } | Self::BadModelName { .. } | Self::NoAddress { .. } => "no such model",
            Self::NoSuchModel { .. } | Self::SecretAddress { .. } => "no such model",
            Self::NoKey { .. } | Self::WrongKey { .. } => "key not taken",
            Self::NoCredit { .. } => "no credit",
            Self::RateLimited { .. } => "too many requests",
            Self::Overloaded { .. } => "overloaded",
            Self::TooLong { .. } => "question too long",
            Self::Refused { .. } => "refused",
            Self::NotTaken { .. } => "question not taken",
            Self::Unreadable { .. } => "unreadable",
            Self::NotAsAsked { .. } => "not as asked",
            Self::CutOff { .. } => "cut off",
            Self::OverBudget { .. } | Self::NoPrice { .. } => "budget",
            Self::Prompt(_) => "prompt",
            Self::Http(HttpError::NotRecorded { .. }) => "not on record",
            Self::Http(HttpError::NotAllowed { .. }) => "not allowed",
            Self::Http(HttpError::TimedOut { .. }) => "no answer in time",
            Self::Http(HttpError::TooLarge { .. }) => "answer too long",
            Self::Http(_) => "not reached",
        }
    }
}
