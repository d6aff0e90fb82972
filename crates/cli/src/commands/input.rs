use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use precedent_app::{AppError, ErrorKind};
use precedent_engine::domain::{Document, Extent};
use precedent_engine::read;
use serde::de::DeserializeOwned;

use super::decoded::{Decoded, Places, decode};
use crate::printer::Printer;

pub(super) use precedent_app::input::{bytes, cannot_read, paper, text};

/// A source text, and the mapping from its characters to bytes of the file.
pub(super) struct SourceText {
    pub(super) document: Document,
    pub(super) places: Places,
}

/// Reads a source text. Text files are used unchanged, so that positions refer to the file; other formats as `read` prints them.
pub(super) fn source_text(path: &Path, printer: Printer) -> Result<SourceText, AppError> {
    if path.is_dir() {
        let message = format!("{} is a folder, not a file", path.display());
        return Err(AppError::said(ErrorKind::Usage, message).hint("list its files, for example FOLDER/*"));
    }
    let is_text = path.is_file()
        && path.extension().is_none_or(|ending| {
            ["txt", "text", "md", "markdown"]
                .iter()
                .any(|known| ending.eq_ignore_ascii_case(known))
        });
    if is_text {
        let bytes = bytes(path)?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(AppError::said(ErrorKind::Input, format!("{} is empty", path.display())));
        }
        // A PDF is read as a PDF, whatever its name.
        if let Some(Decoded { text, places }) = decode(&bytes)
            && !text.starts_with("%PDF-")
        {
            if let Some(encoding) = places.encoding_name() {
                printer.note(&format!("{} was read as {encoding}", path.display()));
            }
            return Ok(SourceText {
                document: Document {
                    text,
                    extent: Extent::FullText,
                    ..Document::default()
                },
                places,
            });
        }
    }
    let document = paper(path)?.document;
    Ok(SourceText {
        document,
        places: Places::default(),
    })
}

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
            AppError::said(
                ErrorKind::Input,
                format!("failed to read line {} of {}: {error}", number + 1, path.display()),
            )
            .hint(format!("each line must be {shape}"))
        })?;
        values.push(value);
    }
    Ok(values)
}
