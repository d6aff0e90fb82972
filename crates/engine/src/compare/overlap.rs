use std::cmp::Reverse;

use precedent_domain::{
    Document, Extent, OverlapMark, OverlapPassage, ParagraphKind, Quote, SectionKind, SharedPassage, Span,
    TextualOverlap, TextualSimilarity,
};
use precedent_text::{Overlap, OverlapOptions, Source, overlap};

use super::{ComparisonSet, PriorReading};

/// Maximum number of passages kept per candidate (OpenNovelty, C.7).
const KEPT: usize = 3;
/// A passage shared with this many candidates is common to the field, not copied from one of them.
const COMMON_TO: usize = 3;

/// Passages that the paper shares with candidates whose full text is available. Without any full text nothing is searched, and the result
/// says so.
#[must_use]
pub fn textual_overlap(set: &ComparisonSet<'_>, options: &OverlapOptions) -> TextualSimilarity {
    let target = set.target();
    let full: Vec<&PriorReading<'_>> = set
        .priors()
        .iter()
        .filter(|prior| prior.extent() == Extent::FullText)
        .collect();
    let can_search = target.document().extent == Extent::FullText && !full.is_empty();
    let mut similarity = TextualSimilarity {
        searched: can_search,
        full_texts_compared: if can_search { full.len() } else { 0 },
        min_words: options.min_words,
        overlaps: Vec::new(),
    };
    if !can_search {
        return similarity;
    }
    let sources: Vec<&Source> = full.iter().map(|prior| prior.reading.quotable().source()).collect();
    let found = overlap(target.quotable().source(), &sources, options);
    similarity.overlaps = found
        .iter()
        .filter_map(|one| {
            full.get(one.candidate)
                .and_then(|prior| report(target.document(), prior, one, &found))
        })
        .collect();
    similarity.overlaps.sort_by_key(|one| {
        let longest = one
            .passages
            .iter()
            .map(|passage| passage.shared.words)
            .max()
            .unwrap_or(0);
        (Reverse(longest), one.candidate)
    });
    similarity
}

fn report(target: &Document, prior: &PriorReading<'_>, one: &Overlap, all: &[Overlap]) -> Option<TextualOverlap> {
    let candidate = prior.reading.document();
    let mut passages: Vec<SharedPassage> = one.passages.clone();
    let found = passages.len();
    passages.retain(|passage| is_prose(target, passage.a));
    for passage in &mut passages {
        if in_reference_list(target, passage.a) || in_reference_list(candidate, passage.b) {
            mark(passage, OverlapMark::ReferenceList);
        }
        if common(passage.a, all) {
            mark(passage, OverlapMark::Boilerplate);
        }
    }
    // Passages with an explanation come last, so that they never hide the others.
    passages.sort_by_key(|passage| (!passage.marks.is_empty(), Reverse(passage.words), passage.a));
    let kept: Vec<OverlapPassage> = passages
        .into_iter()
        .filter_map(|shared| {
            Some(OverlapPassage {
                target: Quote::at(target, shared.a)?,
                candidate: Quote::at(candidate, shared.b)?,
                shared,
            })
        })
        .take(KEPT)
        .collect();
    (!kept.is_empty()).then_some(TextualOverlap {
        candidate: prior.candidate.number,
        passages: kept,
        found,
    })
}

/// Whether most of a passage consists of words. Cells of numeric tables agree by chance.
fn is_prose(document: &Document, span: Span) -> bool {
    let tokens: Vec<&str> = document.slice(span).unwrap_or_default().split_whitespace().collect();
    let words = tokens
        .iter()
        .filter(|token| token.chars().filter(|c| c.is_alphabetic()).count() >= 2)
        .count();
    words * 2 >= tokens.len()
}

fn mark(passage: &mut SharedPassage, mark: OverlapMark) {
    if !passage.marks.contains(&mark) {
        passage.marks.push(mark);
        passage.marks.sort_unstable();
    }
}

fn in_reference_list(document: &Document, span: Span) -> bool {
    let middle = span.start + span.len() / 2;
    document
        .paragraph_at(middle)
        .is_some_and(|paragraph| paragraph.kind == ParagraphKind::Reference)
        || document
            .section_at(middle)
            .is_some_and(|section| section.kind == SectionKind::References)
}

/// Whether most of a passage of the paper is in several candidates.
fn common(passage: Span, all: &[Overlap]) -> bool {
    let covers = |other: Span| {
        let shared = other
            .end
            .min(passage.end)
            .saturating_sub(other.start.max(passage.start));
        shared * 5 >= passage.len() * 4
    };
    all.iter()
        .filter(|one| one.passages.iter().any(|other| covers(other.a)))
        .count()
        >= COMMON_TO
}
