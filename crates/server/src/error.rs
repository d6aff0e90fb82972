use std::net::SocketAddr;
use std::path::PathBuf;

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use precedent_app::{AppError, ErrorKind};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::UsersError;

/// An error that keeps a server from starting.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// The address can be reached from other machines.
    #[error("listen on {address}: other machines can reach the server, and it has no users")]
    NoUsers {
        /// The address.
        address: SocketAddr,
    },
    /// Requests cannot be checked against a host, because the address is every address of this machine.
    #[error("listen on {address}: the address that browsers will use is not known")]
    NoUrl {
        /// The address.
        address: SocketAddr,
    },
    /// A run of a user who was removed or changed has not ended yet.
    #[error("end the runs of {name}: a process is still running")]
    StillRunning {
        /// The name.
        name: String,
    },
    /// The address of the server is not an address.
    #[error("use {url} as the address of the server")]
    BadUrl {
        /// What was given.
        url: String,
    },
    /// The users cannot be read.
    #[error("start the server")]
    Users(#[source] UsersError),
    /// The address cannot be used.
    #[error("listen on {address}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// The data folder cannot be used.
    #[error("use {}", path.display())]
    Data {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// A corpus cannot be opened.
    #[error("open the corpus {}", path.display())]
    Corpus {
        /// Its path.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// Another server uses the data folder.
    #[error("use {}: another server is using it", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// Two corpora have the same file name.
    #[error("offer two corpora with the name {name}")]
    SameName {
        /// The name.
        name: String,
    },
    /// An option or a setting is not valid.
    #[error("start the server: {0}")]
    App(AppError),
}

impl ServerError {
    /// How to fix it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoUsers { .. } => Some(
                "add users with `precedent users add NAME --data DIR`, or use --bind 127.0.0.1:8787 and reach it through SSH: ssh -L 8787:127.0.0.1:8787 HOST",
            ),
            Self::NoUrl { .. } | Self::BadUrl { .. } => {
                Some("name the address that browsers use, such as --url https://review.example.org")
            }
            Self::Users(_) => Some("repair users.json in the data folder, or remove it and add the users again"),
            Self::Bind { .. } => Some("choose another port with --bind"),
            Self::Corpus { .. } => Some("correct the path after --corpus"),
            Self::Data { .. } | Self::InUse { .. } => Some("choose another folder with --data"),
            Self::SameName { .. } => Some("rename one of them: requests name a corpus by its file name"),
            Self::App(_) | Self::StillRunning { .. } => None,
        }
    }
}

/// An error as a client sees it (RFC 9457, `application/problem+json`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Problem {
    /// The HTTP status.
    pub(crate) status: u16,
    /// A short name of the status.
    pub(crate) title: String,
    /// What went wrong.
    pub(crate) detail: String,
    /// The kind of error: `usage`, `input`, `model`, `nothing_searched`, `budget`, `not_verbatim`, `interrupted`, `not_found`, `refused`, `too_large`,
    /// `timeout`, `conflict` or `bug`.
    pub(crate) kind: String,
    /// How to fix it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, kind: &str, detail: impl Into<String>) -> Self {
        Self {
            status: status.as_u16(),
            title: status.canonical_reason().unwrap_or("Error").to_owned(),
            detail: detail.into(),
            kind: kind.to_owned(),
            hint: None,
        }
    }

    /// Says which file the problem is about.
    pub(crate) fn about(mut self, file: &str) -> Self {
        self.detail = format!("{file}: {}", self.detail);
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A problem of this kind, with its status.
    pub(crate) fn of(kind: ErrorKind, detail: impl Into<String>) -> Self {
        Self::new(status_of(kind), kind_name(kind), detail)
    }

    pub(crate) fn usage(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "usage", detail)
    }

    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", format!("there is no such {what}"))
    }

    pub(crate) fn too_large(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail)
    }

    pub(crate) fn too_many(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "conflict", detail)
    }

    pub(crate) fn timeout(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "timeout", detail)
    }

    pub(crate) fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", detail)
    }

    pub(crate) fn bug(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "bug", detail)
    }

    /// The status as a code. A value that is none is a server error.
    pub(crate) fn code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The problem for a file of the server that cannot be read or written. Its path is only logged.
    pub(crate) fn io(what: &str, error: &std::io::Error) -> Self {
        tracing::warn!("failed to {what}: {error}");
        match error.kind() {
            std::io::ErrorKind::StorageFull => Self::disk_full(what),
            kind => Self::bug(format!("failed to {what}: {kind}")),
        }
    }

    fn disk_full(what: &str) -> Self {
        let detail = format!("failed to {what}: the disk is full");
        Self::new(StatusCode::INSUFFICIENT_STORAGE, "bug", detail).hint("free some space on the server, then try again")
    }
}

/// The name of an error's kind in JSON.
fn kind_name(kind: ErrorKind) -> &'static str {
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

fn status_of(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::Usage => StatusCode::BAD_REQUEST,
        ErrorKind::Input | ErrorKind::NotVerbatim => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::NothingSearched => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorKind::Model => StatusCode::BAD_GATEWAY,
        ErrorKind::Budget | ErrorKind::Interrupted => StatusCode::CONFLICT,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl From<&AppError> for Problem {
    fn from(error: &AppError) -> Self {
        let detail = format!("{:#}", error.error);
        // Errors of files contain a path, which clients must not see. Those of SQLite have only its words.
        let is_full = |cause: &(dyn std::error::Error + 'static)| {
            let io = cause.downcast_ref::<std::io::Error>();
            io.is_some_and(|error| error.kind() == std::io::ErrorKind::StorageFull)
        };
        let words = ["(os error 28)", "(os error 112)", "disk is full"];
        if error.error.chain().any(is_full) || words.iter().any(|words| detail.contains(words)) {
            tracing::warn!("{detail}");
            return Self::disk_full("write a file");
        }
        Self {
            hint: error.hint.clone(),
            ..Self::of(error.kind, detail)
        }
    }
}

impl From<AppError> for Problem {
    fn from(error: AppError) -> Self {
        Self::from(&error)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let code = self.code();
        let mut response = (code, Json(self)).into_response();
        let problem = header::HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, problem);
        response
    }
}

// Elsewhere the system says it in other words.
#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_has_its_status_and_shows_no_path() {
        let full = std::io::Error::from_raw_os_error(28);
        for message in [
            format!("failed to write /srv/data/x: {full}"),
            "failed to write the ledger: error returned from database: (code: 13) database or disk is full".to_owned(),
            "failed to write the ledger: its disk is full or it is read-only; what it holds is kept: error returned from database: (code: 4874) disk I/O error".to_owned(),
        ] {
            let problem = Problem::from(AppError::with_message(ErrorKind::Input, message).hint("choose another --out"));
            assert_eq!(
                (problem.status, problem.detail.as_str()),
                (507, "failed to write a file: the disk is full")
            );
        }
        let other = Problem::from(AppError::with_message(ErrorKind::Input, "no text"));
        assert_eq!(other.status, 422);
    }
}
