use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use precedent_engine::domain::{Document, Extent, Paper};
use precedent_engine::read;
use serde::de::DeserializeOwned;

use super::decoded::{Decoded, Places, decode};
use crate::ExitCode;
use crate::exit::Failure;
use crate::printer::Printer;

/// Reads a paper. Failures have exit code 3 and a hint.
pub(super) fn paper(path: &Path) -> Result<Paper, Failure> {
    refuse_stdin(path)?;
    read::read(path).map_err(|error| {
        let hint = error.hint();
        Failure::new(ExitCode::Input, error).hint(hint)
    })
}

/// Rejects `-`, which means stdin in other commands and would be treated as a file name here.
pub(super) fn refuse_stdin(path: &Path) -> Result<(), Failure> {
    if path.as_os_str() != "-" {
        return Ok(());
    }
    Err(Failure::said(ExitCode::Usage, "papers cannot be read from stdin")
        .hint("save the paper to a file; the file name helps to detect the format"))
}

/// A source text, and the mapping from its characters to bytes of the file.
pub(super) struct SourceText {
    pub(super) document: Document,
    pub(super) places: Places,
}

/// Reads a source text. Text files are used unchanged, so that positions refer to the file; other formats as `read` prints them.
pub(super) fn source_text(path: &Path, printer: Printer) -> Result<SourceText, Failure> {
    if path.is_dir() {
        let message = format!("{} is a folder, not a file", path.display());
        return Err(Failure::said(ExitCode::Usage, message).hint("list its files, for example FOLDER/*"));
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
            return Err(Failure::said(ExitCode::Input, format!("{} is empty", path.display())));
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
pub(super) fn json_lines<T: DeserializeOwned>(path: &Path, shape: &str) -> Result<Vec<T>, Failure> {
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
            Failure::said(
                ExitCode::Input,
                format!("failed to read line {} of {}: {error}", number + 1, path.display()),
            )
            .hint(format!("each line must be {shape}"))
        })?;
        values.push(value);
    }
    Ok(values)
}

/// The bytes of a regular file. Devices, named pipes and sockets are refused, because reading them may never end.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    read::open_file(path)
        .and_then(|mut file| file.read_to_end(&mut bytes))
        .map_err(|error| cannot_read(path, error))?;
    Ok(bytes)
}

/// The text of a regular file in UTF-8.
pub(super) fn text(path: &Path) -> Result<String, Failure> {
    let not_text = |error| cannot_read(path, std::io::Error::new(std::io::ErrorKind::InvalidData, error));
    String::from_utf8(bytes(path)?).map_err(not_text)
}

/// The failure for a file that cannot be opened or read.
pub(super) fn cannot_read(path: &Path, error: std::io::Error) -> Failure {
    let message = format!("failed to read {}: {error}", path.display());
    let failure = Failure::said(ExitCode::Input, message);
    match error.kind() {
        std::io::ErrorKind::NotFound => failure.hint("check the path"),
        std::io::ErrorKind::InvalidInput => failure.hint("save its content to a regular file"),
        std::io::ErrorKind::PermissionDenied => failure.hint("check the file permissions"),
        _ => failure,
    }
}
