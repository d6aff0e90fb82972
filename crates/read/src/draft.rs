use std::ops::Range;

use precedent_domain::{
    Author, HiddenText, Identifiers, ParagraphKind, PublicationDate, ReadProblem, ReadWarning, SectionKind,
};

/// Output of a format reader: everything the format states, in reading order, without guesses.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    /// Title, if known from the format or the layout.
    pub(crate) title: Option<String>,
    /// Authors, if known from the format or the layout.
    pub(crate) authors: Vec<Author>,
    /// Dates from the format's metadata. Dates printed in the text are found later.
    pub(crate) dates: Vec<PublicationDate>,
    /// Identifiers that the format states as the paper's own.
    pub(crate) identifiers: Identifiers,
    /// Blocks in reading order. Front matter blocks hold the title and the authors as printed.
    pub(crate) blocks: Vec<Block>,
    /// Invisible text, kept separately.
    pub(crate) hidden: Vec<HiddenText>,
    /// Warnings from the reader.
    pub(crate) warnings: Vec<ReadWarning>,
    /// Why the title or the authors may be wrong, one phrase each.
    pub(crate) doubts: Vec<ReadProblem>,
    /// Number of pages, if the format has pages.
    pub(crate) page_count: Option<u32>,
}

/// A block of text.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// The text. End-of-line hyphens are resolved and the lines of a paragraph are joined by spaces; code and tables stay verbatim.
    pub(crate) text: String,
    /// Kind of block.
    pub(crate) kind: ParagraphKind,
    /// For headings: what the format says about the heading. `None` for a heading found by layout or pattern alone; the assembler classifies it by
    /// its words.
    pub(crate) heading: Option<HeadingHint>,
    /// Page starts inside the text: (byte offset into `text`, page number from 1). The first entry is at 0 if the format has pages.
    pub(crate) pages: Vec<(usize, u32)>,
    /// Citation marks that the format marks up: byte range in `text`, and the keys of the cited references.
    pub(crate) citations: Vec<(Range<usize>, Vec<String>)>,
    /// For `Reference` blocks: the key used by citations (`\bibitem{key}`, `id="B12"`), and what the format says about the entry.
    pub(crate) reference: Option<ReferenceHint>,
}

/// What a format says about a heading.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeadingHint {
    /// Level, 1 for top level.
    pub(crate) level: Option<u8>,
    /// The kind, if the markup states it (an `<abstract>` element, `\begin{abstract}`, a reference list).
    pub(crate) kind: Option<SectionKind>,
}

/// What a format says about a reference entry. Missing fields are parsed from the text.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReferenceHint {
    /// The key used by citation marks.
    pub(crate) key: Option<String>,
    /// The printed label.
    pub(crate) label: Option<String>,
    /// Title.
    pub(crate) title: Option<String>,
    /// Authors.
    pub(crate) authors: Vec<Author>,
    /// Year.
    pub(crate) year: Option<u16>,
    /// Identifiers.
    pub(crate) identifiers: Identifiers,
}

impl Block {
    /// A block of this kind with only a text.
    pub(crate) fn new(kind: ParagraphKind, text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            kind,
            heading: None,
            pages: Vec::new(),
            citations: Vec::new(),
            reference: None,
        }
    }
}

#[cfg(test)]
impl Draft {
    /// The texts of the blocks of one kind, in order.
    pub(crate) fn texts(&self, kind: ParagraphKind) -> Vec<&str> {
        self.blocks
            .iter()
            .filter(|block| block.kind == kind)
            .map(|block| block.text.as_str())
            .collect()
    }
}
