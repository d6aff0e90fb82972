use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use precedent_engine::domain::{Document, Extent, Paper};
use precedent_engine::read;
use serde::de::DeserializeOwned;

use super::decoded::{Decoded, Places, decode};
use crate::ExitCode;
use crate::exit::Failure;
use crate::printer::Printer;

/// Reads a paper; what cannot be read ends the command with exit code 3 and what to do about it.
pub(super) fn paper(path: &Path) -> Result<Paper, Failure> {
    refuse_stdin(path)?;
    read::read(path).map_err(|error| {
        let hint = error.hint();
        Failure::new(ExitCode::Input, error).hint(hint)
    })
}

/// A paper is a file or a folder. `-` means stdin elsewhere, and would be looked for as a file here.
pub(super) fn refuse_stdin(path: &Path) -> Result<(), Failure> {
    if path.as_os_str() != "-" {
        return Ok(());
    }
    Err(Failure::said(ExitCode::Usage, "a paper is not read from stdin")
        .hint("save it to a file and name that; the file's name helps to tell what kind it is"))
}

/// A text to quote from, and the way from its characters to bytes of the file.
pub(super) struct SourceText {
    pub(super) document: Document,
    pub(super) places: Places,
}

/// A text to quote from: a text file as it is, so that places in it are places in the file; anything else as `read` prints it.
pub(super) fn source_text(path: &Path, printer: Printer) -> Result<SourceText, Failure> {
    if path.is_dir() {
        let message = format!("{} is a folder; one text is wanted", path.display());
        return Err(Failure::said(ExitCode::Usage, message).hint("name the files, as in FOLDER/*"));
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
        // What starts like another format is read as that, whatever it is called.
        if let Some(Decoded { text, places }) = decode(&bytes)
            && !text.starts_with("%PDF-")
        {
            if let Some(encoding) = places.told() {
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

/// The lines of a JSON Lines file (`-` for stdin), each parsed; the first bad line ends the command and names itself.
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
            .hint(format!("each line is {shape}"))
        })?;
        values.push(value);
    }
    Ok(values)
}

/// The bytes of a regular file. Devices, named pipes and sockets are refused: reading one need not end.
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

/// A file that cannot be opened or read.
pub(super) fn cannot_read(path: &Path, error: std::io::Error) -> Failure {
    let message = format!("failed to read {}: {error}", path.display());
    let failure = Failure::said(ExitCode::Input, message);
    match error.kind() {
        std::io::ErrorKind::NotFound => failure.hint("check the path"),
        std::io::ErrorKind::InvalidInput => failure.hint("save its content to a regular file and name that"),
        std::io::ErrorKind::PermissionDenied => failure.hint("ask for leave to read it, or copy it"),
        _ => failure,
    }
}
