use std::fmt;

use crate::runs::RunError;
use precedent_engine::EngineError;
use precedent_engine::library::LibraryError;
use precedent_engine::llm::{HttpError, LlmError};

/// The kind of an error, by what the user can do about it. Each front end maps it to its own codes: exit codes, HTTP statuses, tool errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A bug in this program.
    Bug,
    /// An unknown option or an invalid value.
    Usage,
    /// The input cannot be read, or is not a paper.
    Input,
    /// A model or a key is needed, or the model's service failed.
    Model,
    /// No source could be searched.
    NothingSearched,
    /// The run exceeded its budget.
    Budget,
    /// A quote is not in its source word for word.
    NotVerbatim,
    /// The run was cancelled; it can be resumed.
    Interrupted,
}

/// An error that ends a job, with its kind and a hint on how to fix it.
#[derive(Debug)]
pub struct AppError {
    /// The kind.
    pub kind: ErrorKind,
    /// The message and its causes.
    pub error: anyhow::Error,
    /// How to fix it.
    pub hint: Option<String>,
}

impl AppError {
    /// Wraps an error of another crate, whose message completes "failed to …".
    pub fn new(kind: ErrorKind, error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self {
            kind,
            error: anyhow::Error::new(FailedTo(error)),
            hint: None,
        }
    }

    /// An error with a complete message.
    pub fn with_message(kind: ErrorKind, message: impl fmt::Display) -> Self {
        Self {
            kind,
            error: anyhow::anyhow!("{message}"),
            hint: None,
        }
    }

    /// Why a model gave no answer, if that is the error.
    #[cfg(feature = "postgres")]
    pub(crate) fn model_error(&self) -> Option<&LlmError> {
        self.error
            .downcast_ref::<FailedTo<LlmError>>()
            .map(|wrapped| &wrapped.0)
    }

    /// The error and its causes.
    #[cfg(feature = "postgres")]
    pub(crate) fn causes(&self) -> impl Iterator<Item = &(dyn std::error::Error + 'static)> {
        use precedent_engine::ledger::LedgerError;
        // The chain does not show the types of the outermost error, and of errors that pass another one's message on.
        let ledger = self
            .error
            .downcast_ref::<FailedTo<LedgerError>>()
            .map(|wrapped| &wrapped.0);
        let of_model = self.model_error().and_then(|error| match error {
            LlmError::Http(HttpError::Ledger(error)) => Some(error),
            _ => None,
        });
        let store = self.error.downcast_ref::<FailedTo<crate::fleet::StoreError>>();
        let ledgers = [ledger, of_model].into_iter().flatten();
        let ledgers = ledgers.map(|error| error as &(dyn std::error::Error + 'static));
        let store = store.map(|wrapped| &wrapped.0 as &(dyn std::error::Error + 'static));
        ledgers.chain(store).chain(self.error.chain())
    }

    /// Adds a hint on how to fix it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.error)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for AppError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.error.source()
    }
}

/// Prefixes an error message with "failed to".
#[derive(Debug)]
struct FailedTo<E>(E);

impl<E: fmt::Display> fmt::Display for FailedTo<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "failed to {}", self.0)
    }
}

impl<E: std::error::Error> std::error::Error for FailedTo<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

/// Hint after a failure of the model service.
const RETRY: &str = "repeat the command to retry the failed calls";

impl From<EngineError> for AppError {
    fn from(error: EngineError) -> Self {
        let kind = match &error {
            EngineError::EmptyPaper | EngineError::EmptyIdea | EngineError::Ledger { .. } => ErrorKind::Input,
            EngineError::FacetTooLong { .. }
            | EngineError::UnknownPersona { .. }
            | EngineError::BoardTooSmall { .. } => ErrorKind::Usage,
            EngineError::BadGroup { .. } | EngineError::BoardFile { .. } => ErrorKind::Input,
            EngineError::OverBudget { .. } => ErrorKind::Budget,
            EngineError::NeedsModel { .. } | EngineError::NoRanking { .. } => ErrorKind::Model,
            EngineError::NothingSearched { .. } => ErrorKind::NothingSearched,
            _ => ErrorKind::Bug,
        };
        match error {
            EngineError::Model { source } => source.into(),
            error @ EngineError::NoRanking { retryable: true, .. } => Self::new(kind, error).hint(RETRY),
            error @ EngineError::BoardTooSmall { .. } => {
                Self::new(kind, error).hint("raise --board, or require fewer with --persona")
            }
            error => Self::new(kind, error),
        }
    }
}

/// What to do about a corpus that does not exist.
pub(crate) const NO_CORPUS: &str = "check the path, or create a corpus with `precedent corpus add DIR FILES…`; a file of records or a folder of papers is one too";

impl From<LibraryError> for AppError {
    fn from(error: LibraryError) -> Self {
        let hint = match &error {
            LibraryError::NotFound { .. } => Some(NO_CORPUS),
            LibraryError::NoWorks { .. } => Some(
                "use a corpus made by `precedent corpus add DIR FILES…`, a file of records (JSONL, BibTeX, RIS, CSL-JSON and others), or a folder of papers",
            ),
            _ => None,
        };
        // Without papers there is nothing to search.
        let kind = match &error {
            LibraryError::NoWorks { .. } => ErrorKind::NothingSearched,
            _ => ErrorKind::Input,
        };
        let failure = Self::new(kind, error);
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl From<RunError> for AppError {
    fn from(error: RunError) -> Self {
        let hint = match &error {
            RunError::InUse { .. } => "wait until it has finished, or choose another folder with --out",
            _ => "choose another folder with --out",
        };
        let kind = match &error {
            RunError::InUse { .. } => ErrorKind::Usage,
            _ => ErrorKind::Input,
        };
        Self::new(kind, error).hint(hint)
    }
}

impl From<LlmError> for AppError {
    fn from(error: LlmError) -> Self {
        let (kind, hint) = match &error {
            LlmError::BadModelName { .. } => (
                ErrorKind::Usage,
                Some("use --model offline to run without a model or key"),
            ),
            LlmError::NoSuchProvider { .. } => (
                ErrorKind::Usage,
                Some(
                    "to use a server of your own, describe it as [providers.NAME] with `form` and `url` in the settings file (see docs/models.md)",
                ),
            ),
            LlmError::SecretAddress { .. } => (
                ErrorKind::Usage,
                Some(
                    "put the key of a compatible server in PRECEDENT_MODEL_KEY; docs/models.md lists the variables of other providers",
                ),
            ),
            LlmError::NoBatch { .. } => (ErrorKind::Usage, None),
            LlmError::BatchStopped => (ErrorKind::Input, None),
            LlmError::NoPrice { .. } => (
                ErrorKind::Usage,
                Some(
                    "set its price in the settings file: [[prices.price]] with model, input and output in US dollars per million tokens (see docs/models.md)",
                ),
            ),
            LlmError::Http(error) if error.is_local_only() => (
                ErrorKind::Usage,
                Some("remove --local-only, or allow a host on your network with --private-host"),
            ),
            LlmError::Http(HttpError::NotAllowed { .. }) => (
                ErrorKind::Usage,
                Some("if that is the right server, name it with --model-url"),
            ),
            LlmError::Http(HttpError::TlsFailed { .. }) => (
                ErrorKind::Model,
                Some("check the address; --ca-file FILE adds the certificate authorities of your organisation"),
            ),
            LlmError::Http(HttpError::Ledger(_)) => (ErrorKind::Input, None),
            LlmError::Http(HttpError::BadAddress { .. }) => (ErrorKind::Usage, None),
            LlmError::Prompt(_) => (ErrorKind::Bug, None),
            LlmError::Http(HttpError::NotRecorded { .. }) => (
                ErrorKind::Model,
                Some("a replay needs a finished run with the same paper, corpora and options"),
            ),
            _ => (
                ErrorKind::Model,
                Some("use --model offline to run without a model or key"),
            ),
        };
        let failure = Self::new(kind, error);
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_about_hosts_fit_the_cause() {
        let hint = |error: HttpError| AppError::from(LlmError::Http(error)).hint.unwrap_or_default();
        let host = || "models.lab".to_owned();
        let why = "UnknownIssuer".to_owned();
        assert!(hint(HttpError::TlsFailed { host: host(), why }).contains("--ca-file"));
        let local = precedent_engine::llm::NetworkPolicy::Local { named: Vec::new() };
        let refused = local.permits("http://models.lab/v1").unwrap_err();
        assert!(hint(refused).contains("remove --local-only"));
        let why = "127.0.0.1 redirected to it".to_owned();
        assert!(hint(HttpError::NotAllowed { host: host(), why }).contains("--model-url"));
    }
}
