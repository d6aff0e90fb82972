use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use precedent_app::{AppError, ErrorKind};
use precedent_engine::read;
use serde::de::DeserializeOwned;

pub(super) use precedent_app::input::{bytes, cannot_read, text};

/// Parses the lines of a JSON Lines file (`-` for stdin). The first invalid line is an error with its line number.
pub(super) fn json_lines<T: DeserializeOwned>(path: &Path, shape: &str) -> Result<Vec<T>, AppError> {
    let reader: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(std::io::stdin())
    } else {
        Box::new(read::open_file(path).map_err(|error| cannot_read(path, error))?)
    };
    let mut values = Vec::new();
    for (number, line) in BufReader::new(reader).lines().enumerate() {
        let line = line.map_err(|error| cannot_read(path, error))?;
        let line = line.trim_start_matches('\u{feff}');
        if line.trim().is_empty() {
            continue;
        }
        let value = serde_json::from_str(line).map_err(|error| {
            AppError::with_message(
                ErrorKind::Input,
                format!("failed to read line {} of {}: {error}", number + 1, path.display()),
            )
            .hint(format!("each line must be {shape}"))
        })?;
        values.push(value);
    }
    Ok(values)
}
