//! Citations of pandoc: `[@lee2019, p. 3; -@roy2020]`, and `@lee2019` in the running text.

use std::collections::BTreeSet;
use std::ops::Range;

use precedent_domain::{ParagraphKind, SectionKind};
use precedent_text::pattern;

use crate::draft::{Block, Draft, HeadingHint};
use crate::latex::{LatexFiles, cited_entries};
use crate::text::is_reference_heading;

/// Maximum keys per paper.
const KEYS: usize = 20_000;

/// Maximum characters of a group in brackets.
const LONGEST_GROUP: usize = 1100;

/// Marks the citations of a draft, and adds the entries that they name from the bibliography to its reference list.
pub(super) fn cite(draft: &mut Draft, bibliography: Option<LatexFiles>) {
    let mut cited = Vec::new();
    let mut seen = BTreeSet::new();
    for block in &draft.blocks {
        if may_cite(block) {
            let keys = keys_in(&block.text).map(|(_, key)| key.to_owned());
            cited.extend(
                keys.filter(|key| seen.insert(key.clone()))
                    .take(KEYS.saturating_sub(cited.len())),
            );
        }
    }
    let entries = bibliography
        .filter(|_| !cited.is_empty())
        .map(|files| cited_entries(files, &cited))
        .unwrap_or_default();
    let known: BTreeSet<&str> = entries
        .iter()
        .filter_map(|entry| entry.reference.as_ref()?.key.as_deref())
        .collect();
    for block in draft.blocks.iter_mut().filter(|block| may_cite(block)) {
        mark(block, &known);
    }
    if entries.is_empty() {
        return;
    }
    let last = draft.blocks.iter().rfind(|block| block.kind == ParagraphKind::Heading);
    if !last.is_some_and(|heading| is_reference_heading(&heading.text)) {
        let mut heading = Block::new(ParagraphKind::Heading, "References");
        heading.heading = Some(HeadingHint {
            level: Some(1),
            kind: Some(SectionKind::References),
        });
        draft.blocks.push(heading);
    }
    draft.blocks.extend(entries);
}

fn may_cite(block: &Block) -> bool {
    let of_text = matches!(
        block.kind,
        ParagraphKind::Body
            | ParagraphKind::ListItem
            | ParagraphKind::BlockQuote
            | ParagraphKind::Footnote
            | ParagraphKind::Caption
    );
    of_text && block.text.contains('@')
}

/// The keys in a text, with their places and those of their at signs.
fn keys_in(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let found = pattern!(r"(?:^|[\[\s;(-])(@\{?)([\p{L}\d_][\w:.#$%&+?<>~/-]*)").captures_iter(text);
    found.filter_map(|found| {
        let (sign, key) = (found.get(1)?, bare(found.get(2)?.as_str()));
        Some((sign.start()..sign.end() + key.len(), key))
    })
}

/// A key without the punctuation of the sentence after it.
fn bare(key: &str) -> &str {
    key.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Marks groups in brackets, and keys in the running text that the bibliography has. Other words with an at sign may be account names.
fn mark(block: &mut Block, known: &BTreeSet<&str>) {
    let groups = pattern!(r"\[[^\[\]@]*@[^\[\]]+\]").find_iter(&block.text);
    let mut marks: Vec<(Range<usize>, Vec<String>)> = Vec::new();
    for group in groups.filter(|group| group.as_str().chars().count() <= LONGEST_GROUP) {
        let keys: Vec<String> = keys_in(group.as_str()).map(|(_, key)| key.to_owned()).collect();
        if !keys.is_empty() {
            marks.push((group.range(), keys));
        }
    }
    let mut alone = Vec::new();
    for (range, key) in keys_in(&block.text).filter(|(_, key)| known.contains(key)) {
        // The groups are in order and apart.
        let before = marks.partition_point(|(group, _)| group.start <= range.start);
        let group = before.checked_sub(1).and_then(|last| marks.get(last));
        if group.is_none_or(|(group, _)| group.end <= range.start) {
            alone.push((range, vec![key.to_owned()]));
        }
    }
    marks.extend(alone);
    marks.sort_by_key(|(range, _)| range.start);
    block.citations = marks;
}
