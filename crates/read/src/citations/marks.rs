use precedent_domain::{CitationMark, ParagraphKind, Reference, Section, SectionKind, Span};

use super::author_year::AuthorYears;
use super::explicit;
use super::label::{Forms, Labels};
use crate::budget::{ReadBudget, ReadResource};
use crate::draft::Block;
use crate::references::ReferenceList;

/// All citation marks of a paper. Marks made explicit by the format come first; blocks without explicit marks are searched.
pub(crate) fn find(
    blocks: &[Block],
    spans: &[Span],
    sections: &[Section],
    list: &ReferenceList,
    budget: &ReadBudget,
) -> Vec<CitationMark> {
    let running: Vec<(&Block, Span)> = blocks
        .iter()
        .zip(spans)
        .map(|(block, span)| (block, *span))
        .filter(|(block, span)| can_cite(block.kind) && !in_reference_list(*span, sections))
        .collect();
    let mut marks = explicit::marks(&running, list);
    if list.entries.is_empty() {
        return in_order(marks, budget);
    }
    // A format that marks up its citations marks up all of them. Searching the rest would only add false marks.
    let mostly_explicit = marks.iter().filter(|mark| !mark.references.is_empty()).count() >= 5;
    if !mostly_explicit {
        let plain: Vec<(&str, Span)> = running
            .iter()
            .filter(|(block, _)| block.citations.is_empty())
            .map(|(block, span)| (block.text.as_str(), *span))
            .collect();
        marks.extend(search(&plain, &list.entries, budget));
    }
    in_order(marks, budget)
}

fn can_cite(kind: ParagraphKind) -> bool {
    matches!(
        kind,
        ParagraphKind::Body
            | ParagraphKind::ListItem
            | ParagraphKind::BlockQuote
            | ParagraphKind::Caption
            | ParagraphKind::Footnote
            | ParagraphKind::Table
    )
}

fn in_reference_list(span: Span, sections: &[Section]) -> bool {
    let after = sections.partition_point(|section| section.span.start <= span.start);
    after
        .checked_sub(1)
        .and_then(|last| sections.get(last))
        .is_some_and(|section| section.kind == SectionKind::References)
}

/// Searches plain text for the forms of marks that this paper uses.
fn search(texts: &[(&str, Span)], entries: &[Reference], budget: &ReadBudget) -> Vec<CitationMark> {
    let labels = Labels::of(entries);
    let author_years = AuthorYears::of(entries, budget);
    let named: Vec<CitationMark> = texts
        .iter()
        .flat_map(|(text, span)| author_years.marks(text, span.start))
        .collect();
    let linked = named.iter().filter(|mark| !mark.references.is_empty()).count();
    let forms = Forms::used(texts.iter().map(|(text, _)| *text), &labels, linked);
    let mut marks: Vec<CitationMark> = texts
        .iter()
        .flat_map(|(text, span)| labels.marks(text, span.start, forms))
        .collect();
    // If marks are numbers, names with years only count when they link to an entry.
    let numeric = marks.len() > linked;
    marks.extend(named.into_iter().filter(|mark| !numeric || !mark.references.is_empty()));
    marks
}

/// Sorts the marks; of two that overlap, the first stays.
fn in_order(mut marks: Vec<CitationMark>, budget: &ReadBudget) -> Vec<CitationMark> {
    marks.sort_by_key(|mark| (mark.span.start, std::cmp::Reverse(mark.span.end)));
    let mut end = 0;
    marks.retain(|mark| {
        let apart = mark.span.start >= end && !mark.span.is_empty();
        if apart {
            end = mark.span.end;
        }
        apart
    });
    let kept = marks
        .iter()
        .take_while(|_| budget.spend(ReadResource::Citations, 1))
        .count();
    marks.truncate(kept);
    marks
}
