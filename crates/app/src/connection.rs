//! How this process connects to other hosts: proxies and certificate authorities.

use std::path::PathBuf;
use std::sync::OnceLock;

use precedent_engine::llm::{Connection, HttpError};

use crate::{AppError, ErrorKind, Settings};

/// How to connect, as the user typed it. What is not set comes from the settings file. It belongs to the machine, so no run records it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConnectionChoice {
    /// `env` for the proxies of the environment, `none`, or the address of a proxy.
    pub proxy: Option<String>,
    /// File with additional certificate authorities, in PEM format.
    pub ca_file: Option<PathBuf>,
}

static CHOICE: OnceLock<ConnectionChoice> = OnceLock::new();

/// Sets how this process connects, before its first connection. Later calls change nothing.
pub fn configure_connections(choice: ConnectionChoice) {
    let _ = CHOICE.set(choice);
}

/// The connection of the arguments and settings.
pub(crate) fn connection(settings: &Settings) -> Result<Connection, AppError> {
    let typed = CHOICE.get().cloned().unwrap_or_default();
    let failed = |error: HttpError| {
        AppError::new(ErrorKind::Usage, error)
            .hint("--proxy takes `env`, `none` or an address such as http://proxy.example:3128 (see docs/models.md)")
    };
    let proxy = typed.proxy.as_deref().or(settings.proxy.as_deref());
    let connection = match proxy {
        None | Some("none") => Connection::default(),
        Some("env") => Connection::default()
            .through_environment(|name| std::env::var(name).ok())
            .map_err(failed)?,
        Some(address) => Connection::default().through(address).map_err(failed)?,
    };
    let Some(path) = typed.ca_file.as_ref().or(settings.ca_file.as_ref()) else {
        return Ok(connection);
    };
    let hint = "--ca-file takes a file with certificates in PEM format";
    let pem = std::fs::read(path).map_err(|error| {
        let message = format!("failed to read the certificate authorities {}: {error}", path.display());
        AppError::with_message(ErrorKind::Usage, message).hint(hint)
    })?;
    connection
        .trusting(&pem)
        .map_err(|error| AppError::new(ErrorKind::Usage, error).hint(hint))
}
