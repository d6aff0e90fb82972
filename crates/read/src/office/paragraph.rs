//! The parts of a document in reading order.

use std::collections::BTreeMap;

use super::look::Look;
use super::roles::Role;
use crate::budget::TEXT_BYTES;
use crate::format::fold_space;

/// A paragraph.
#[derive(Debug, Clone, Default)]
pub(super) struct Paragraph {
    pub(super) role: Role,
    /// The visible text. Lines that the author broke are separated by line feeds.
    pub(super) text: String,
    /// The same with raised letters replaced by commas: without the marks after names.
    pub(super) unmarked: String,
    /// Letters in bold type.
    bold: usize,
    /// Letters of each size, in half-points.
    sizes: BTreeMap<u16, usize>,
    pub(super) letters: usize,
    pub(super) centred: bool,
    /// The number of the item in an automatic list.
    pub(super) number: Option<u32>,
    /// Whether it is a formula on its own line.
    pub(super) is_formula: bool,
}

impl Paragraph {
    /// Adds text, unless the paragraph is over the limit for a file.
    pub(super) fn put(&mut self, text: &str, look: &Look) {
        if self.text.len() > TEXT_BYTES {
            return;
        }
        let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
        self.text.push_str(text);
        if look.raised == Some(true) {
            self.unmarked.push(',');
            return;
        }
        self.unmarked.push_str(text);
        self.letters += letters;
        self.bold += if look.bold == Some(true) { letters } else { 0 };
        *self.sizes.entry(look.size.unwrap_or_default()).or_default() += letters;
    }

    pub(super) fn is_bold(&self) -> bool {
        self.letters > 0 && self.bold == self.letters
    }

    /// The size of most letters.
    pub(super) fn size(&self) -> u16 {
        self.sizes
            .iter()
            .max_by_key(|(_, letters)| **letters)
            .map_or(0, |(size, _)| *size)
    }

    pub(super) fn line(&self) -> String {
        fold_space(&self.text)
    }
}

/// A part of the document in reading order.
#[derive(Debug, Clone)]
pub(super) enum Part {
    Paragraph(Paragraph),
    /// The rows of a table.
    Table(Vec<Vec<String>>),
    Footnote(String),
}

pub(super) fn has_role(part: &Part, test: impl Fn(Role) -> bool) -> bool {
    matches!(part, Part::Paragraph(paragraph) if test(paragraph.role))
}
