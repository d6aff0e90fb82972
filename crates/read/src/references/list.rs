use std::collections::BTreeMap;

use precedent_domain::{ParagraphKind, Reference, Span};

use crate::draft::Block;

/// The entries of all reference lists of a paper in printed order, and the numbers that keys of the format stand for.
#[derive(Debug, Default)]
pub(crate) struct ReferenceList {
    pub(crate) entries: Vec<Reference>,
    pub(crate) keys: BTreeMap<String, u32>,
}

/// Collects the entries from the reference blocks; `spans` says where each block stands.
pub(crate) fn collect(blocks: &[Block], spans: &[Span]) -> ReferenceList {
    let mut list = ReferenceList::default();
    let entries = blocks
        .iter()
        .zip(spans)
        .filter(|(block, _)| block.kind == ParagraphKind::Reference);
    for ((block, span), number) in entries.zip(1..) {
        let hint = block.reference.clone().unwrap_or_default();
        if let Some(key) = hint.key {
            list.keys.entry(key).or_insert(number);
        }
        list.entries.push(Reference {
            number,
            label: hint.label,
            span: *span,
            text: block.text.split_whitespace().collect::<Vec<_>>().join(" "),
            title: hint.title,
            authors: hint.authors,
            year: hint.year,
            year_letter: None,
            identifiers: hint.identifiers,
        });
    }
    list
}
