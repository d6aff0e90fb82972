use std::collections::BTreeSet;

use precedent_domain::{CitationMark, Span};

use crate::draft::Block;
use crate::references::ReferenceList;

/// The marks that the format marks up explicitly. Adjacent marks in one pair of brackets are merged; a range includes all entries in between.
pub(super) fn marks(running: &[(&Block, Span)], list: &ReferenceList) -> Vec<CitationMark> {
    let mut marks = Vec::new();
    for (block, span) in running {
        let mut citations: Vec<_> = block
            .citations
            .iter()
            .filter(|(range, _)| !range.is_empty() && block.text.get(range.clone()).is_some())
            .collect();
        citations.sort_by_key(|(range, _)| range.start);
        let mut group: Option<(usize, usize, Vec<u32>)> = None;
        for (range, keys) in citations {
            let numbers: Vec<u32> = keys.iter().filter_map(|key| list.keys.get(key).copied()).collect();
            let gap = group.as_ref().and_then(|(_, end, _)| block.text.get(*end..range.start));
            match (&mut group, gap) {
                (Some((_, end, references)), Some(gap)) if joins(gap) => {
                    let from = references.last().copied();
                    if is_dash(gap)
                        && let (Some(from), Some(to)) = (from, numbers.first().copied())
                        && to > from
                        && to - from <= 50
                    {
                        references.extend(from + 1..to);
                    }
                    references.extend(numbers);
                    *end = range.end;
                }
                _ => {
                    marks.extend(group.take().map(|group| mark(block, *span, group)));
                    group = Some((range.start, range.end, numbers));
                }
            }
        }
        marks.extend(group.map(|group| mark(block, *span, group)));
    }
    marks
}

fn joins(gap: &str) -> bool {
    gap.len() <= 6
        && gap
            .chars()
            .all(|c| c.is_whitespace() || matches!(c, ',' | ';' | '-' | '–' | '—' | '−'))
}

fn is_dash(gap: &str) -> bool {
    matches!(gap.trim(), "-" | "–" | "—" | "−")
}

fn mark(block: &Block, span: Span, (start, end, mut references): (usize, usize, Vec<u32>)) -> CitationMark {
    let before = block.text.get(..start).unwrap_or_default();
    let after = block.text.get(end..).unwrap_or_default();
    let bracketed = [('[', ']'), ('(', ')')]
        .iter()
        .any(|(open, close)| before.ends_with(*open) && after.starts_with(*close));
    let mut seen = BTreeSet::new();
    references.retain(|number| seen.insert(*number));
    let wider = usize::from(bracketed);
    CitationMark {
        span: Span::new(span.start + start - wider, span.start + end + wider),
        references,
    }
}
