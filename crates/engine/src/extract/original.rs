//! The description of the paper in the report.

use precedent_domain::{OriginalPaper, Paper, ParagraphKind, Quote, SectionKind};
use precedent_language::wording::word_count;

/// Describes the paper itself.
pub(crate) fn original(paper: &Paper) -> OriginalPaper {
    let title = paper.title.clone().filter(|title| !title.trim().is_empty());
    OriginalPaper {
        title_found: title.is_some(),
        title: title.unwrap_or_else(|| paper.origin.file_name.clone()),
        authors: paper.authors.clone(),
        summary: paper.abstract_span.and_then(|span| Quote::at(&paper.document, span)),
        dates: paper.dates.clone(),
        identifiers: paper.identifiers.clone(),
        origin: paper.origin.clone(),
        words: running_words(paper),
        pages: paper.document.pages.last().map(|page| page.number),
        reference_count: paper.references.len(),
        quality: paper.quality.clone(),
        warnings: paper.warnings.clone(),
        hidden: paper.hidden.clone(),
    }
}

/// Number of words outside the reference list.
pub(crate) fn running_words(paper: &Paper) -> usize {
    let document = &paper.document;
    let counted = document.paragraphs.iter().filter(|paragraph| {
        let in_list = document
            .section_at(paragraph.span.start)
            .is_some_and(|section| section.kind == SectionKind::References);
        paragraph.kind != ParagraphKind::Reference && !in_list
    });
    counted
        .filter_map(|paragraph| document.slice(paragraph.span))
        .map(word_count)
        .sum()
}
