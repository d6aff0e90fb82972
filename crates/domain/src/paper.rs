use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Author, Document, Identifiers, ParseQuality, PublicationDate, ReadWarning, Span};

/// A paper read from a file: one text, its structure and its metadata.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Paper {
    /// The file it came from.
    pub origin: PaperOrigin,
    /// Title, on one line; `None` if none was found.
    pub title: Option<String>,
    /// Authors in printed order.
    pub authors: Vec<Author>,
    /// The abstract: a span of the text.
    pub abstract_span: Option<Span>,
    /// Every date found, each with its origin, most trusted first.
    pub dates: Vec<PublicationDate>,
    /// The paper's own identifiers, as printed in it.
    pub identifiers: Identifiers,
    /// The text with its structure.
    pub document: Document,
    /// The reference list, in printed order.
    pub references: Vec<Reference>,
    /// Citation marks in the running text, in order.
    pub citations: Vec<CitationMark>,
    /// Text that a human reader would not see, kept out of `document`.
    pub hidden: Vec<HiddenText>,
    /// How well the paper was parsed.
    pub quality: ParseQuality,
    /// What a reader of the report should know about the parsing.
    pub warnings: Vec<ReadWarning>,
}

impl Paper {
    /// A paper that has nothing but this text, which is its abstract: an idea or a single claim, for steps that compare papers.
    #[must_use]
    pub fn of_text(name: &str, document: Document, sha256: String) -> Self {
        Self {
            origin: PaperOrigin {
                file_name: name.to_owned(),
                format: PaperFormat::Text,
                sha256,
                bytes: document.text.len() as u64,
            },
            title: None,
            authors: Vec::new(),
            abstract_span: Some(Span::new(0, document.text.len())),
            dates: Vec::new(),
            identifiers: Identifiers::default(),
            document,
            references: Vec::new(),
            citations: Vec::new(),
            hidden: Vec::new(),
            quality: ParseQuality::without_doubts(),
            warnings: Vec::new(),
        }
    }

    /// The text of the abstract.
    #[must_use]
    pub fn abstract_text(&self) -> Option<&str> {
        self.abstract_span.and_then(|span| self.document.slice(span))
    }

    /// The most trusted date.
    #[must_use]
    pub fn date(&self) -> Option<&PublicationDate> {
        self.dates.first()
    }
}

/// The file a paper came from. It has no path, because it is printed in public reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PaperOrigin {
    /// The file name, without folders.
    pub file_name: String,
    /// The format it was read as.
    pub format: PaperFormat,
    /// SHA-256 of the bytes, in hex.
    pub sha256: String,
    /// Size in bytes.
    pub bytes: u64,
}

/// The supported formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PaperFormat {
    /// PDF.
    Pdf,
    /// LaTeX: a file, a folder or an archive.
    Latex,
    /// HTML.
    Html,
    /// JATS XML.
    Jats,
    /// TEI XML.
    Tei,
    /// Markdown.
    Markdown,
    /// Plain text.
    Text,
    /// Word document (`.docx`).
    Docx,
    /// OpenDocument text (`.odt`).
    Odt,
    /// EPUB book.
    Epub,
}

/// An entry of the reference list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reference {
    /// Position in the list, counting from 1.
    pub number: u32,
    /// The printed label: `12`, `Smi99`; `None` for author-year lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The location of the entry.
    pub span: Span,
    /// The entry on one line, with words rejoined that were broken at line ends.
    pub text: String,
    /// The title, if recognised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The authors, if recognised.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<Author>,
    /// Year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<u16>,
    /// Letter after the year in author-year styles: the `b` of `2019b`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year_letter: Option<char>,
    /// Printed identifiers.
    #[serde(default, skip_serializing_if = "Identifiers::is_empty")]
    pub identifiers: Identifiers,
}

/// A citation mark in the running text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CitationMark {
    /// The mark with its brackets.
    pub span: Span,
    /// Numbers of the cited references; empty if they were not recognised.
    pub references: Vec<u32>,
}

/// Text in the file that is not visible to readers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HiddenText {
    /// The page, counting from 1, if the format has pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Why it is not visible.
    pub reason: HiddenReason,
    /// The text, truncated to 2,000 characters.
    pub text: String,
}

/// Why text is not visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HiddenReason {
    /// In the colour of the page.
    WhiteOnWhite,
    /// Too small to read.
    Tiny,
    /// Outside the page.
    OffPage,
    /// Drawn in an invisible mode.
    InvisibleMode,
    /// Hidden by a style or an attribute of the page.
    HiddenByStyle,
    /// Covered by an opaque shape.
    Covered,
    /// Made of characters without a glyph.
    InvisibleCharacters,
    /// In a comment of the source file.
    Comment,
}
