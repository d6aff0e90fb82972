use std::io::Read;
use std::path::{Path, PathBuf};

use precedent_engine::domain::{Document, Extent, Paper, PaperFormat, ReadWarning, ReadWarningKind};
use precedent_engine::idea::Idea;
use precedent_engine::read::{self, ReadError};
use precedent_report::{put_paper_in_words, put_warnings_in_words};

use crate::decoded::{Decoded, Places, decode};
use crate::error::NO_CORPUS;
use crate::observer::Messages;
use crate::text::plain;
use crate::{AppError, ErrorKind, Input, Observer, reader};

/// Reads a paper. Errors are of kind `Input` and have a hint.
pub fn paper(path: &Path) -> Result<Paper, AppError> {
    refuse_stdin(path)?;
    reader::elsewhere(path).unwrap_or_else(|| paper_here(path))
}

/// Reads a paper in this process.
pub(crate) fn paper_here(path: &Path) -> Result<Paper, AppError> {
    read::read(path).map(in_words).map_err(not_a_paper)
}

/// Reads a paper from its text in any text format, such as Markdown or LaTeX.
pub(crate) fn paper_of_text(text: &str) -> Result<Paper, AppError> {
    read::read_bytes(text.as_bytes(), "text")
        .map(in_words)
        .map_err(not_a_paper)
}

fn in_words(mut paper: Paper) -> Paper {
    put_paper_in_words(&mut paper);
    paper
}

fn not_a_paper(error: ReadError) -> AppError {
    let hint = error.hint();
    AppError::new(ErrorKind::Input, error).hint(hint)
}

/// An input that can be read without a connection.
pub(crate) enum LocalInput<'i> {
    File(&'i Path),
    Text(&'i str),
}

/// The file or the text of an input. A paper that would have to be downloaded is an error.
pub(crate) fn local(input: &Input) -> Result<LocalInput<'_>, AppError> {
    let name = match input {
        Input::File(path) => return Ok(LocalInput::File(path)),
        Input::Text(text) => return Ok(LocalInput::Text(text)),
        Input::Paper(path) if path.exists() => return Ok(LocalInput::File(path)),
        Input::Paper(name) => name.display().to_string(),
        Input::Title(title) => title.clone(),
    };
    let message = format!("{} is not a file, and this call downloads nothing", plain(&name));
    Err(AppError::with_message(ErrorKind::Usage, message).hint("give a file or a text"))
}

/// Rejects `-`, which means stdin in other commands and would be treated as a file name here.
pub fn refuse_stdin(path: &Path) -> Result<(), AppError> {
    if path.as_os_str() != "-" {
        return Ok(());
    }
    Err(
        AppError::with_message(ErrorKind::Usage, "papers cannot be read from stdin")
            .hint("save the paper to a file; the file name helps to detect the format"),
    )
}

/// A source text, and the mapping from its characters to bytes of the file.
pub(crate) struct SourceText {
    /// The text.
    pub document: Document,
    /// Where its characters are in the file.
    pub places: Places,
}

/// Reads a source text. Text files are used unchanged, so that positions refer to the file; other formats as `read` prints them.
pub(crate) fn source_text(path: &Path, observer: &dyn Observer) -> Result<SourceText, AppError> {
    if path.is_dir() {
        let message = format!("{} is a folder, not a file", path.display());
        return Err(AppError::with_message(ErrorKind::Usage, message).hint("list its files, for example FOLDER/*"));
    }
    let is_text = path.is_file() && is_text_file(path);
    if is_text {
        let bytes = bytes(path)?;
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(AppError::with_message(
                ErrorKind::Input,
                format!("{} is empty", path.display()),
            ));
        }
        // A PDF is read as a PDF, whatever its name.
        if let Some(Decoded { text, places }) = decode(&bytes)
            && !text.starts_with("%PDF-")
        {
            if let Some(encoding) = places.encoding_name() {
                observer.note(&format!("{} was read as {encoding}", path.display()));
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
    let failure = AppError::with_message(ErrorKind::Input, message);
    match error.kind() {
        std::io::ErrorKind::NotFound => failure.hint("check the path"),
        std::io::ErrorKind::InvalidInput => failure.hint("save its content to a regular file"),
        std::io::ErrorKind::PermissionDenied => failure.hint("check the file permissions"),
        _ => failure,
    }
}

/// The absolute path of an existing file or folder.
pub fn absolute(path: &Path) -> Result<PathBuf, AppError> {
    path.canonicalize().map_err(|error| cannot_read(path, error))
}

/// The absolute path of an existing corpus.
pub(crate) fn absolute_corpus(path: &Path) -> Result<PathBuf, AppError> {
    absolute(path).map_err(|error| match path.exists() {
        true => error,
        false => error.hint(NO_CORPUS),
    })
}

/// Whether a file name has the extension of plain text or Markdown.
pub(crate) fn is_text_file(path: &Path) -> bool {
    path.extension().is_none_or(|ending| {
        ["txt", "text", "md", "markdown"]
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    })
}

/// The idea in a text file, as people see it rendered, and the warnings about text that is hidden in it. Plain text is used unchanged.
pub(crate) fn idea_in_file(path: &Path) -> Result<(Idea, Vec<ReadWarning>), AppError> {
    let text = text_of(path)?;
    let hidden = hidden_in(&text);
    let text = read::without_hidden(&text).unwrap_or(text);
    let read = match paper(path) {
        Ok(read) => read,
        // Without markup other than emphasis nothing can be hidden.
        Err(error) if Idea::new(&text).document().text.contains('<') => return Err(error),
        Err(_) => return Ok((Idea::new(&text), hidden)),
    };
    if read.origin.format == PaperFormat::Text {
        return Ok((Idea::new(&text), hidden));
    }
    let mut warnings = read.warnings;
    warnings.retain(|warning| warning.kind == ReadWarningKind::HiddenText);
    // Emphasis names the facets of an idea, so text with no other markup is kept as it is.
    let is_only_emphasised = warnings.is_empty() && same_words(&Idea::new(&text).document().text, &read.document.text);
    let warnings = match read.origin.format {
        // The reader of papers reports a comment only if it addresses a reviewer or a model.
        PaperFormat::Markdown if warnings.is_empty() => hidden,
        _ => warnings,
    };
    match is_only_emphasised {
        true => Ok((Idea::new(&text), warnings)),
        false => {
            let rendered = Idea {
                rendered: true,
                ..Idea::new(&read.document.text)
            };
            Ok((rendered, warnings))
        }
    }
}

/// The warnings about text that is hidden in an idea given as text. Ideas leave it out when they are read.
pub(crate) fn hidden_in(text: &str) -> Vec<ReadWarning> {
    let mut warnings: Vec<ReadWarning> = read::hidden_in(text).into_iter().collect();
    put_warnings_in_words(&mut warnings);
    warnings
}

fn same_words(one: &str, other: &str) -> bool {
    fn words(text: &str) -> impl Iterator<Item = &str> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
    }
    words(one).eq(words(other))
}

/// Reads a text file. A PDF under another name is an error.
pub(crate) fn text_of(path: &Path) -> Result<String, AppError> {
    let bytes = bytes(path)?;
    if bytes.starts_with(b"%PDF-") {
        let message = format!("{} is a PDF without the .pdf extension", path.display());
        return Err(AppError::with_message(ErrorKind::Input, message).hint("rename it to .pdf"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
