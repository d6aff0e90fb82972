use precedent_domain::{ParagraphKind, SectionKind};
use precedent_text::pattern;

use super::split;
use crate::budget::ReadBudget;
use crate::draft::{Block, HeadingHint};
use crate::headings;

/// Turns each entry of each reference list into a block. Lists are found by their headings, or, in a paper without such a heading, by the labelled
/// entries at the end.
pub(crate) fn arrange(blocks: Vec<Block>, budget: &ReadBudget) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::with_capacity(blocks.len());
    let mut rest = blocks.into_iter().peekable();
    while let Some(block) = rest.next() {
        let heads = heads_references(&block);
        out.push(block);
        if !heads {
            continue;
        }
        let mut region = Vec::new();
        while let Some(next) = rest.next_if(|next| !ends_list(next)) {
            region.push(as_entry_text(next));
        }
        out.extend(split::split(region, budget));
    }
    if out.iter().any(|block| block.kind == ParagraphKind::Reference) {
        return out;
    }
    without_heading(out, budget)
}

/// Whether a block is the heading of a reference list.
fn heads_references(block: &Block) -> bool {
    block.kind == ParagraphKind::Heading
        && match block.heading.as_ref().and_then(|hint| hint.kind) {
            Some(kind) => kind == SectionKind::References,
            None => headings::kind_of(&headings::take_apart(&block.text).words) == Some(SectionKind::References),
        }
}

/// Whether a heading ends the list. An entry that the layout classified as a heading does not.
fn ends_list(block: &Block) -> bool {
    block.kind == ParagraphKind::Heading
        && (block.heading.as_ref().is_some_and(|hint| hint.kind.is_some()) || !is_entry_in_disguise(&block.text))
}

fn is_entry_in_disguise(text: &str) -> bool {
    let labelled = pattern!(r"^\[\d{1,5}\]\s*\S").is_match(text);
    let words = text.split_whitespace().count();
    labelled || words >= 6 && super::authors::end_of_authors(text).is_some() && super::year::choose(text).is_some()
}

fn as_entry_text(mut block: Block) -> Block {
    if block.kind == ParagraphKind::Heading {
        block.kind = ParagraphKind::Body;
        block.heading = None;
    }
    block
}

/// Finds entries labelled `[1]`, `[2]`, … or `1.`, `2.`, … at the end of a paper whose list has no heading.
fn without_heading(blocks: Vec<Block>, budget: &ReadBudget) -> Vec<Block> {
    let last = |label: &regex::Regex| {
        blocks
            .iter()
            .rposition(|block| split::can_hold_entries(block.kind) && label.is_match(&block.text))
    };
    if let Some(first) = last(pattern!(r"^\[1\]\s*\S")) {
        return labelled_tail(blocks, first, 2, budget);
    }
    // Steps and findings are numbered in the same way, so these must look like entries.
    let starts = last(pattern!(r"^1[.)]?\s+\p{Lu}")).filter(|first| {
        let text = blocks.get(*first).map_or("", |block| split::without_label(&block.text));
        super::authors::end_of_authors(text).is_some() && super::year::choose(text).is_some()
    });
    match starts {
        Some(first) => labelled_tail(blocks, first, 5, budget),
        None => blocks,
    }
}

/// Turns the blocks from `first` into a list if at least 5 entries, and all but one in `doubtful`, have a year.
fn labelled_tail(blocks: Vec<Block>, first: usize, doubtful: usize, budget: &ReadBudget) -> Vec<Block> {
    let tail = blocks.get(first..).unwrap_or_default().to_vec();
    let mut list = split::split(tail, budget);
    let entries = list.iter().filter(|block| block.kind == ParagraphKind::Reference);
    let dated = entries
        .clone()
        .filter(|entry| super::year::choose(&entry.text).is_some())
        .count();
    let count = entries.count();
    if dated < 5 || (count - dated) * doubtful > count {
        return blocks;
    }
    if let Some(entry) = list.first_mut() {
        // Without a heading, the section begins at the first entry.
        entry.heading = Some(HeadingHint {
            level: Some(1),
            kind: Some(SectionKind::References),
        });
    }
    let mut out = blocks;
    out.truncate(first);
    out.extend(list);
    out
}
