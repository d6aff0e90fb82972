//! Citation marks in running text, linked to the reference list.
//!
//! In: the blocks, where they stand, and the list. Out: marks with the numbers of the references meant.

use precedent_domain::{CitationMark, Span};

use crate::draft::Block;
use crate::references::ReferenceList;

/// The marks that the format itself makes explicit.
pub(crate) fn explicit(blocks: &[Block], spans: &[Span], list: &ReferenceList) -> Vec<CitationMark> {
    let mut marks = Vec::new();
    for (block, span) in blocks.iter().zip(spans) {
        for (range, keys) in &block.citations {
            if block.text.get(range.clone()).is_none() || range.is_empty() {
                continue;
            }
            let mut references: Vec<u32> = keys.iter().filter_map(|key| list.keys.get(key).copied()).collect();
            references.dedup();
            marks.push(CitationMark {
                span: Span::new(span.start + range.start, span.start + range.end),
                references,
            });
        }
    }
    marks
}
