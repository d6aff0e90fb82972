use std::io::Read;
use std::path::Path;

use precedent_engine::domain::Paper;
use precedent_engine::read;

use crate::{AppError, ErrorKind};

/// Reads a paper. Errors are of kind `Input` and have a hint.
pub fn paper(path: &Path) -> Result<Paper, AppError> {
    refuse_stdin(path)?;
    read::read(path).map_err(|error| {
        let hint = error.hint();
        AppError::new(ErrorKind::Input, error).hint(hint)
    })
}

/// Rejects `-`, which means stdin in other commands and would be treated as a file name here.
pub fn refuse_stdin(path: &Path) -> Result<(), AppError> {
    if path.as_os_str() != "-" {
        return Ok(());
    }
    Err(AppError::said(ErrorKind::Usage, "papers cannot be read from stdin")
        .hint("save the paper to a file; the file name helps to detect the format"))
}

/// The bytes of a regular file. Devices, named pipes and sockets are refused, because reading them may never end.
pub fn bytes(path: &Path) -> Result<Vec<u8>, AppError> {
    let mut bytes = Vec::new();
    read::open_file(path)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .map_err(|error| cannot_read(path, error))?;
    Ok(bytes)
}

/// The text of a regular file in UTF-8.
pub fn text(path: &Path) -> Result<String, AppError> {
    let not_text = |error| cannot_read(path, std::io::Error::new(std::io::ErrorKind::InvalidData, error));
    String::from_utf8(bytes(path)?).map_err(not_text)
}

/// The failure for a file that cannot be opened or read.
pub fn cannot_read(path: &Path, error: std::io::Error) -> AppError {
    let message = format!("failed to read {}: {error}", path.display());
    let failure = AppError::said(ErrorKind::Input, message);
    match error.kind() {
        std::io::ErrorKind::NotFound => failure.hint("check the path"),
        std::io::ErrorKind::InvalidInput => failure.hint("save its content to a regular file"),
        std::io::ErrorKind::PermissionDenied => failure.hint("check the file permissions"),
        _ => failure,
    }
}
