//! Errors as agents get them.

use precedent_app::{AppError, ErrorKind};
use serde::Serialize;

/// An error that can be reported several times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Failure {
    /// The kind, such as `usage` or `input`.
    pub(crate) kind: &'static str,
    /// What happened.
    pub(crate) message: String,
    /// How to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        // With its causes.
        let message = format!("{:#}", error.error);
        Self {
            kind: name(error.kind),
            message,
            hint: error.hint,
        }
    }
}

impl Failure {
    /// An error in how a tool was called.
    pub(crate) fn usage(message: impl Into<String>, hint: &str) -> Self {
        Self {
            kind: name(ErrorKind::Usage),
            message: message.into(),
            hint: Some(hint.to_owned()),
        }
    }

    /// Another kind of error.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind: name(kind),
            message: message.into(),
            hint: None,
        }
    }

    /// Adds a hint on how to fix it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

fn name(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Usage => "usage",
        ErrorKind::Input => "input",
        ErrorKind::Model => "model",
        ErrorKind::NothingSearched => "nothing_searched",
        ErrorKind::Budget => "budget",
        ErrorKind::NotVerbatim => "not_verbatim",
        ErrorKind::Interrupted => "interrupted",
        _ => "bug",
    }
}
