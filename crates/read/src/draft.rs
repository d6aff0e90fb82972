use std::ops::Range;

use precedent_domain::{Author, HiddenText, Identifiers, ParagraphKind, PublicationDate, ReadWarning, SectionKind};

/// What a format reader hands over: everything the format itself says, in reading order, nothing guessed twice.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    /// Title, where the format or the layout tells it.
    pub(crate) title: Option<String>,
    /// Authors, where the format or the layout tells them.
    pub(crate) authors: Vec<Author>,
    /// Dates the format itself states (metadata); dates printed in the text are found later.
    pub(crate) dates: Vec<PublicationDate>,
    /// Identifiers the format itself states as the paper's own.
    pub(crate) identifiers: Identifiers,
    /// Blocks in reading order. Front matter blocks hold the title and the authors as printed.
    pub(crate) blocks: Vec<Block>,
    /// Text nobody sees, kept apart.
    pub(crate) hidden: Vec<HiddenText>,
    /// Warnings of the reading itself.
    pub(crate) warnings: Vec<ReadWarning>,
    /// Pages in the file, where the format has pages.
    pub(crate) page_count: Option<u32>,
}

/// A block of text.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// Its text: line-end hyphens of the layout resolved, lines of one paragraph joined by a space (verbatim for code and tables).
    pub(crate) text: String,
    /// What it is.
    pub(crate) kind: ParagraphKind,
    /// For headings: what the format tells of it. `None` for a heading found by layout or pattern alone (the assembler classifies it by its words).
    pub(crate) heading: Option<HeadingHint>,
    /// Where pages begin inside the text: (byte offset into `text`, page number from 1). The first entry is at 0 where pages exist.
    pub(crate) pages: Vec<(usize, u32)>,
    /// Citation marks the format itself makes explicit: byte range in `text`, and the keys of the references meant.
    pub(crate) citations: Vec<(Range<usize>, Vec<String>)>,
    /// For `Reference` blocks: the key that citations use (`\bibitem{key}`, `id="B12"`), and what the format itself tells of the entry.
    pub(crate) reference: Option<ReferenceHint>,
}

/// What a format tells of a heading.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeadingHint {
    /// 1 for top level.
    pub(crate) level: Option<u8>,
    /// The kind, when the markup says so (an `<abstract>` element, `\begin{abstract}`, a reference list).
    pub(crate) kind: Option<SectionKind>,
}

/// What a format tells of a reference entry. All that is missing is parsed from the text.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReferenceHint {
    /// The key that citation marks use.
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
    /// A block of this kind with nothing more known about it.
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
