use std::collections::BTreeMap;

use precedent_domain::{ParagraphKind, Reference, Span};

use super::{entry, split};
use crate::budget::{ReadBudget, ReadResource};
use crate::draft::{Block, ReferenceHint};

/// The entries of all reference lists of a paper in printed order, and the entry numbers of the format's keys.
#[derive(Debug, Default)]
pub(crate) struct ReferenceList {
    pub(crate) entries: Vec<Reference>,
    pub(crate) keys: BTreeMap<String, u32>,
}

/// Parses the entries of the reference blocks; `spans` holds the span of each block. Data stated by the format takes precedence over parsed text.
pub(crate) fn collect(blocks: &[Block], spans: &[Span], budget: &ReadBudget) -> ReferenceList {
    let mut list = ReferenceList::default();
    let entries = blocks
        .iter()
        .zip(spans)
        .filter(|(block, _)| block.kind == ParagraphKind::Reference);
    for ((block, span), number) in entries.zip(1..) {
        let looked_at =
            budget.spend(ReadResource::References, 1) && budget.spend(ReadResource::Steps, block.text.len());
        if !looked_at {
            break;
        }
        let hint = block.reference.clone().unwrap_or_default();
        if let Some(key) = &hint.key {
            list.keys.entry(key.clone()).or_insert(number);
        }
        list.entries.push(read_entry(block, *span, number, hint));
    }
    list
}

fn read_entry(block: &Block, span: Span, number: u32, hint: ReferenceHint) -> Reference {
    let line = precedent_text::one_line(&block.text);
    let (label, text) = match hint.label {
        Some(label) => (
            Some(label.trim_matches(['[', ']', '(', ')', '.', ' ']).to_owned()),
            split::without_label(&line),
        ),
        None => match split::label_of(&line) {
            Some((label, at)) => (Some(label), line.get(at..).unwrap_or_default()),
            None => (None, line.as_str()),
        },
    };
    let parsed = entry::parse(text);
    let mut identifiers = hint.identifiers;
    identifiers.fill_from(&parsed.identifiers);
    Reference {
        number,
        label: label.filter(|label| !label.is_empty()),
        span,
        text: text.to_owned(),
        title: hint.title.or(parsed.title),
        authors: if hint.authors.is_empty() {
            parsed.authors
        } else {
            hint.authors
        },
        year: hint.year.or(parsed.year),
        year_letter: parsed.year_letter,
        identifiers,
    }
}
