//! What went wrong while a file was read, and how good the result is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How well a paper was parsed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ParseQuality {
    /// 0 (unusable) to 1 (no doubts).
    pub score: f64,
    /// What lowered the score, in words. Empty until they are written, if there are `problems`.
    pub reasons: Vec<String>,
    /// The same as codes with their figures. Missing in files of earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ReadProblem>,
}

impl ParseQuality {
    /// The quality of a text that nothing was lost from.
    #[must_use]
    pub const fn without_doubts() -> Self {
        Self {
            score: 1.0,
            reasons: Vec::new(),
            problems: Vec::new(),
        }
    }
}

/// What a reader of a report should know about the parsing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReadWarning {
    /// The kind.
    pub kind: ReadWarningKind,
    /// The message, with figures. Empty until it is written, if there is a `problem`.
    #[serde(default)]
    pub message: String,
    /// The same as a code with its figures. Missing in files of earlier versions.
    #[serde(flatten)]
    pub problem: Option<ReadProblem>,
}

impl ReadWarning {
    /// A warning of this kind, without its message.
    #[must_use]
    pub const fn new(kind: ReadWarningKind, problem: ReadProblem) -> Self {
        Self {
            kind,
            message: String::new(),
            problem: Some(problem),
        }
    }
}

/// Kinds of [`ReadWarning`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReadWarningKind {
    /// Hidden text was found and kept separate.
    HiddenText,
    /// Pages that could not be read.
    PagesLost,
    /// Pages without text, perhaps scanned.
    PagesWithoutText,
    /// The file was truncated at a limit.
    Truncated,
    /// No title, no abstract or no reference list.
    PartMissing,
    /// The text looks damaged: no words, unmapped characters.
    Garbled,
    /// It may not be a paper.
    MayNotBeAPaper,
    /// A fallback engine read the file.
    OtherEngine,
}

/// A problem of a file or of its reading, with its figures. The wording is in the report, except for that of [`OcrProblem`], which is also a part of
/// errors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum ReadProblem {
    /// Only the first pages were read.
    FirstPages {
        /// Pages read.
        read: usize,
        /// Pages of the file.
        pages: usize,
    },
    /// Pages that could not be read.
    PagesLost {
        /// Their numbers, counting from 1.
        pages: Vec<u32>,
    },
    /// Pages without text, perhaps scanned or blank.
    BlankPages {
        /// Their numbers, counting from 1.
        pages: Vec<u32>,
    },
    /// Pages without text in the paper that was read.
    PagesWithoutText {
        /// How many.
        lost: usize,
        /// Pages of the file.
        pages: u32,
    },
    /// A page exceeds the limits on drawing.
    DrawingLimit,
    /// Characters that are drawn, but whose fonts do not say which characters they are.
    UnmappedGlyphs {
        /// How many.
        unmapped: usize,
        /// Characters drawn.
        drawn: usize,
    },
    /// Chapters that the file lists but does not contain.
    ChaptersLost {
        /// How many.
        lost: usize,
    },
    /// Only the first chapters were read.
    FirstChapters {
        /// Chapters read.
        read: usize,
        /// Chapters listed.
        chapters: usize,
    },
    /// Most of the LaTeX source depends on conditions that only TeX can decide; the longer text was read.
    LatexConditions,
    /// Macros discard most of the LaTeX source.
    LatexMacros,
    /// The LaTeX source exceeded a limit on macro expansion, nesting or size.
    LatexLimit,
    /// Only the beginning of the text was read.
    FirstMegabytes {
        /// How much was read.
        megabytes: usize,
    },
    /// The file has more of a resource than is read.
    OverLimit {
        /// The resource.
        resource: ReadResource,
        /// The limit.
        limit: usize,
    },
    /// The second PDF engine read the file better than the built-in one.
    ReadWithPdfium,
    /// The text was recognized from images.
    RecognizedText {
        /// Name of the OCR program.
        program: String,
    },
    /// OCR read only the first pages.
    FirstPagesRecognized {
        /// Pages read.
        read: usize,
        /// Pages of the file.
        pages: usize,
    },
    /// OCR was tried and not used.
    OcrNotUsed {
        /// Why.
        reason: OcrProblem,
    },
    /// Parts that papers have were not found.
    PartsNotFound {
        /// The parts.
        parts: Vec<MissingPart>,
    },
    /// Other lines could be the title.
    TitleInDoubt,
    /// No authors under the title.
    NoAuthors,
    /// Lines under the title that may be further authors.
    AuthorsInDoubt,
    /// Too few of the words are common words of any language.
    FewCommonWords {
        /// Common words.
        common: usize,
        /// Words in Latin letters.
        words: usize,
    },
    /// Too few of the words have only letters.
    FewPlainWords {
        /// Words of letters only.
        plain: usize,
        /// Words examined.
        words: usize,
    },
    /// Words with characters that could not be mapped.
    UnmappedWords {
        /// How many.
        unmapped: usize,
        /// Words examined.
        words: usize,
    },
    /// Words whose spaces were lost.
    GluedWords {
        /// How many.
        glued: usize,
        /// Words examined.
        words: usize,
    },
    /// The text of a PDF is gibberish, because its fonts have no usable mapping.
    Unreadable {
        /// What shows it.
        cause: Box<ReadProblem>,
    },
    /// The text looks damaged.
    Damaged {
        /// What shows it.
        cause: Box<ReadProblem>,
    },
    /// Entries of the reference list that may contain more than one paper.
    EntriesNotSplit {
        /// How many.
        entries: usize,
        /// References of the paper.
        references: usize,
    },
    /// References that are identified by journal, volume or identifier, because the list prints few titles.
    FewTitlesPrinted {
        /// References identified this way.
        placed: usize,
        /// References of the paper.
        references: usize,
    },
    /// Few references have a title and a year.
    FewReferencesRecognized {
        /// References with both.
        recognized: usize,
        /// References of the paper.
        references: usize,
    },
    /// Lines that look like source code.
    LinesOfCode {
        /// How many.
        lines_of_code: usize,
        /// Lines of the text.
        lines: usize,
    },
    /// Too few signs of a paper.
    FewSignsOfAPaper {
        /// Words examined.
        words: usize,
        /// References found.
        references: usize,
        /// Citation marks found.
        citations: usize,
        /// Kinds of sections that papers have.
        sections: usize,
    },
    /// Text that is not visible to readers was kept separate.
    HiddenText {
        /// Pieces of text.
        pieces: usize,
        /// Whether the piece shown reads like an instruction to a reviewer or a model.
        instruction: bool,
        /// Page of the piece shown, if the format has pages.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        page: Option<u32>,
        /// The beginning of that piece.
        beginning: String,
    },
}

impl ReadProblem {
    /// Text from the file or from another program, if the problem contains some.
    pub fn external_text_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Unreadable { cause } | Self::Damaged { cause } => cause.external_text_mut(),
            Self::HiddenText { beginning, .. } => Some(beginning),
            Self::OcrNotUsed {
                reason: OcrProblem::Failed { failure, .. } | OcrProblem::Unusable { failure, .. },
            } => Some(failure),
            _ => None,
        }
    }
}

/// A part that papers have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MissingPart {
    /// The title.
    Title,
    /// The abstract.
    Abstract,
    /// The reference list.
    ReferenceList,
    /// Headings.
    Headings,
}

/// Why a result of OCR was not used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum OcrProblem {
    /// Its text is not better than the text in the file.
    #[error("its text is not better")]
    NotBetter,
    /// No program is installed.
    #[error("no OCR program was found")]
    NoProgram,
    /// The file is encrypted.
    #[error("the file is encrypted; save a copy without a password")]
    Encrypted,
    /// The program failed.
    #[error("{program} failed: {failure}")]
    Failed {
        /// Name of the program.
        program: String,
        /// What it said.
        failure: String,
    },
    /// The program's result cannot be read.
    #[error("the result of {program} is unusable: failed to {failure}")]
    Unusable {
        /// Name of the program.
        program: String,
        /// Why.
        failure: String,
    },
}

/// What is limited for each file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReadResource {
    /// Bytes of unpacked PDF streams.
    DecodedBytes,
    /// Glyphs on all pages of a PDF, hidden ones included.
    Glyphs,
    /// Bytes of text of those glyphs.
    GlyphText,
    /// Runs of glyphs on all pages of a PDF. In real papers a run has 10 glyphs or more.
    Runs,
    /// Codes and glyphs mapped by the fonts of a PDF, repeated mappings included.
    MapEntries,
    /// Bytes of text in those maps.
    MapText,
    /// Objects in the object streams of a PDF.
    Objects,
    /// Elements and text nodes of a markup page.
    Nodes,
    /// Attributes of those elements.
    Attributes,
    /// Lines of a text file.
    Lines,
    /// Bytes of those lines.
    LineBytes,
    /// Bytes of text in the paper.
    TextBytes,
    /// Blocks of the paper.
    Blocks,
    /// Entries of the reference lists.
    References,
    /// Citation marks.
    Citations,
    /// Steps of work that can grow faster than the file, each about ten nanoseconds in a release build.
    Steps,
}
