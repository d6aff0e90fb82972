use std::path::Path;

use precedent_engine::domain::{Document, Extent, QuotableDocument, Span};

use crate::decoded::Places;
use crate::input::{self, LocalInput, SourceText};
use crate::{AppError, ErrorKind, Input, Observer};

/// A text that was read once, to check many quotes against it or to compare it with many other texts. Its methods block the calling thread.
#[derive(Debug)]
pub struct OpenedText {
    /// Its name in answers.
    pub(crate) name: String,
    pub(crate) quotable: QuotableDocument,
    /// Where its characters are in the file.
    places: Places,
}

impl OpenedText {
    pub(crate) fn open(input: &Input, observer: &dyn Observer) -> Result<Self, AppError> {
        match input::local(input)? {
            LocalInput::File(path) => Self::of_file(path, observer),
            LocalInput::Text(text) => Self::of_text(text),
        }
    }

    fn of_file(path: &Path, observer: &dyn Observer) -> Result<Self, AppError> {
        let SourceText { document, places } = input::source_text(path, observer)?;
        Ok(Self {
            name: path.display().to_string(),
            quotable: QuotableDocument::new(document),
            places,
        })
    }

    /// A text that was read before, such as that of a paper in a corpus.
    #[must_use]
    pub fn of_document(document: Document) -> Self {
        Self {
            name: "text".to_owned(),
            quotable: QuotableDocument::new(document),
            places: Places::default(),
        }
    }

    fn of_text(text: &str) -> Result<Self, AppError> {
        if text.trim().is_empty() {
            return Err(AppError::with_message(ErrorKind::Input, "the text is empty"));
        }
        let document = Document {
            text: text.to_owned(),
            extent: Extent::FullText,
            ..Document::default()
        };
        Ok(Self::of_document(document))
    }

    /// The same text with another name in answers. A file is named by its path as given, any other text `text`.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    pub(crate) fn document(&self) -> &Document {
        self.quotable.document()
    }

    pub(crate) fn slice(&self, span: Span) -> Option<&str> {
        self.document().slice(span)
    }

    /// The byte range in the file.
    pub(crate) fn in_file(&self, span: Span) -> Span {
        self.places.in_file(span)
    }

    /// The line where a range starts, from 1.
    pub(crate) fn line_of(&self, span: Span) -> usize {
        let text = self.quotable.source().text();
        let before = text.as_bytes().get(..span.start).unwrap_or_default();
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }
}
