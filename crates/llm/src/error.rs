use std::time::Duration;

use precedent_http::{HttpError, wait_in_words};

use crate::Ask;
use crate::PromptError;

/// Why a model gave no usable answer. Messages complete the phrase "failed to".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LlmError {
    /// The provider is unknown.
    #[error("find the provider `{name}`; known providers: {known}, and those with a `form` in the settings file")]
    NoSuchProvider {
        /// The name as given.
        name: String,
        /// The known providers.
        known: String,
    },
    /// The model name does not have the form `provider:name`.
    #[error("read the model name `{given}`: expected provider:name, such as {example}")]
    BadModelName {
        /// The name as given.
        given: String,
        /// A valid example.
        example: String,
    },
    /// The provider needs a key and none was given.
    #[error("call {provider}: no API key; set {variable}")]
    NoKey {
        /// The provider.
        provider: String,
        /// The environment variable.
        variable: String,
    },
    /// The provider needs an address and none was given.
    #[error("call {provider}: no address; set the base URL of the server")]
    NoAddress {
        /// The provider.
        provider: String,
    },
    /// The address has parts that may hold secrets. Addresses are recorded, so those parts would be too.
    #[error(
        "use the address given for {provider}: it contains a user name, password, query or fragment; set the key in its environment variable, not in the address"
    )]
    SecretAddress {
        /// The provider.
        provider: String,
    },
    /// The provider rejected the key.
    #[error("call {provider}: it rejected the API key ({message})")]
    WrongKey {
        /// The provider.
        provider: String,
        /// The provider's message, shortened.
        message: String,
    },
    /// The account has no credit.
    #[error("call {provider}: no credit left ({message})")]
    NoCredit {
        /// The provider.
        provider: String,
        /// The provider's message, shortened.
        message: String,
    },
    /// The model does not exist, or this key has no access to it.
    #[error("call {provider}: it does not serve this model to this key ({message})")]
    NoSuchModel {
        /// The provider.
        provider: String,
        /// The provider's message, shortened.
        message: String,
    },
    /// The rate limit was still exceeded after all retries.
    #[error("call {provider}: too many requests, {}", waiting(*.wait))]
    RateLimited {
        /// The provider.
        provider: String,
        /// How long it asks to wait, if that is longer than a request waits.
        wait: Option<Duration>,
    },
    /// The provider was still overloaded after all retries.
    #[error("call {provider}: it is overloaded or failing (status {status})")]
    Overloaded {
        /// The provider.
        provider: String,
        /// The HTTP status.
        status: u16,
    },
    /// The prompt is longer than the model's context window.
    #[error("call {provider}: the prompt is longer than the model's context window ({message})")]
    TooLong {
        /// The provider.
        provider: String,
        /// The provider's message, shortened.
        message: String,
    },
    /// The model, or its provider's filter, refused to answer.
    #[error("call {provider}: it refused to answer ({message})")]
    Refused {
        /// The provider.
        provider: String,
        /// The provider's message, shortened.
        message: String,
    },
    /// The provider rejected the request as malformed or unsupported.
    #[error("call {provider}: it rejected the request (status {status}: {message})")]
    NotTaken {
        /// The provider.
        provider: String,
        /// The HTTP status.
        status: u16,
        /// The provider's message, shortened.
        message: String,
    },
    /// The response does not have this provider's format.
    #[error("read the response of {provider}: {why}")]
    Unreadable {
        /// The provider.
        provider: String,
        /// The reason.
        why: String,
    },
    /// The answer failed its checks, even after one repair request.
    #[error("use the answer to `{ask}`: {violation}")]
    NotAsAsked {
        /// The prompt.
        ask: String,
        /// The check that failed.
        violation: String,
    },
    /// The answer reached the output limit, or broke off.
    #[error("use the answer to `{ask}`: it {}", match *.called_finished { true => "is empty or breaks off, although the service calls it finished", false => "was cut off at the output limit" })]
    CutOff {
        /// The prompt.
        ask: String,
        /// Whether the service calls the answer finished.
        called_finished: bool,
    },
    /// The request could cost more than the remaining budget.
    #[error("send `{ask}`: it may cost ${may_cost:.4}, but only ${left:.4} of the budget is left")]
    OverBudget {
        /// The prompt.
        ask: String,
        /// Upper bound of the cost in US dollars.
        may_cost: f64,
        /// Remaining budget in US dollars.
        left: f64,
    },
    /// Another process runs the paper, so this one has no part of the batch's budget.
    #[error("use the budget of the batch: another worker has taken the paper")]
    NoShare,
    /// The request could take more tokens than remain.
    #[error("send `{ask}`: it may take {may_take} tokens, but only {left} of the budget are left")]
    OverTokens {
        /// The prompt.
        ask: String,
        /// Upper bound of its tokens.
        may_take: u64,
        /// Remaining tokens.
        left: u64,
    },
    /// A budget is set, and the price of the model is unknown.
    #[error("stay within the budget: the price of `{model}` is unknown; add it to the settings or remove the budget")]
    NoPrice {
        /// The model.
        model: String,
    },
    /// The provider has no batch endpoint.
    #[error(
        "send a batch to {provider}: it has no batch endpoint; remove --provider-batch, or use a model of openai or anthropic"
    )]
    NoBatch {
        /// The provider.
        provider: String,
    },
    /// The batch queue of this process has stopped.
    #[error("wait for the provider's batch: the record of submitted batches cannot be used (see the warning above)")]
    BatchStopped,
    /// The prompt cannot be filled in.
    #[error(transparent)]
    Prompt(#[from] PromptError),
    /// The request failed at the HTTP level.
    #[error(transparent)]
    Http(#[from] HttpError),
}

/// What a provider asks for that answers "too many requests".
fn waiting(wait: Option<Duration>) -> String {
    match wait {
        None => "even after retrying".to_owned(),
        Some(wait) => format!("and it asks to wait {}", wait_in_words(wait)),
    }
}

impl LlmError {
    /// Whether every other request would fail as well, so that the run should stop at once.
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
                | Self::NoShare
                | Self::OverTokens { .. }
                | Self::NoPrice { .. }
                | Self::NoBatch { .. }
                | Self::BatchStopped
        )
    }

    /// Whether the service failed rather than the request, so that the same request may succeed later.
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

    /// Whether the same command should ask again: the service failed, or it rejected the request, which its owner may mend.
    #[must_use]
    pub fn is_asked_again(&self) -> bool {
        self.may_pass()
            || matches!(
                self,
                Self::NotTaken { .. } | Self::Http(HttpError::TooLarge { .. } | HttpError::TooManyRedirects { .. })
            )
    }

    /// Whether nothing is left of the budget, in dollars or in tokens.
    #[must_use]
    pub fn is_over_budget(&self) -> bool {
        matches!(self, Self::OverBudget { .. } | Self::OverTokens { .. })
    }

    /// The budget ended before this request.
    #[must_use]
    pub fn budget_ended(ask: &Ask) -> Self {
        Self::OverBudget {
            ask: ask.id.clone(),
            may_cost: 0.0,
            left: 0.0,
        }
    }

    /// The same error of a server with the form of this provider, to which the user gave a name.
    pub(crate) fn of_provider(mut self, name: &str) -> Self {
        match &mut self {
            Self::WrongKey { provider, .. }
            | Self::NoCredit { provider, .. }
            | Self::NoSuchModel { provider, .. }
            | Self::RateLimited { provider, .. }
            | Self::Overloaded { provider, .. }
            | Self::TooLong { provider, .. }
            | Self::Refused { provider, .. }
            | Self::NotTaken { provider, .. }
            | Self::Unreadable { provider, .. } => name.clone_into(provider),
            _ => {}
        }
        self
    }

    /// Whether a replay found no recorded answer.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Http(HttpError::NotRecorded { .. }))
    }

    /// Whether failures of this [kind](Self::kind) [may pass](Self::may_pass).
    #[must_use]
    pub fn kind_may_pass(kind: &str) -> bool {
        matches!(
            kind,
            "too many requests" | "overloaded" | "unreadable" | "no answer in time" | "not reached"
        )
    }

    /// Short name of the kind of failure, used as a key for counting.
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
            Self::OverBudget { .. } | Self::OverTokens { .. } | Self::NoPrice { .. } | Self::NoShare => "budget",
            Self::NoBatch { .. } | Self::BatchStopped => "batch",
            Self::Prompt(_) => "prompt",
            Self::Http(HttpError::NotRecorded { .. }) => "not on record",
            Self::Http(HttpError::NotAllowed { .. }) => "not allowed",
            Self::Http(HttpError::TimedOut { .. }) => "no answer in time",
            Self::Http(HttpError::TooLarge { .. }) => "answer too long",
            Self::Http(_) => "not reached",
        }
    }
}
