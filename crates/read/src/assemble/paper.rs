use precedent_domain::{Document, Extent, Paper, PaperOrigin, ParagraphKind, ParseQuality, SectionKind};

use super::layout::{self, Start};
use super::{front, heading_mend, imprint, invisible};
use crate::budget::{ReadBudget, ReadResource};
use crate::draft::{Block, Draft};
use crate::{citations, dates, identifiers, quality, references};

/// Assembles a draft into a paper. Never fails: missing parts are reported as warnings.
pub(crate) fn assemble(mut draft: Draft, origin: PaperOrigin, budget: &ReadBudget) -> Paper {
    keep_affordable(&mut draft.blocks, budget);
    let mut hidden = std::mem::take(&mut draft.hidden);
    hidden.extend(invisible::strip(&mut draft.blocks));
    for block in &mut draft.blocks {
        block.trim();
    }
    draft.blocks.retain(|block| !block.text.is_empty());
    let title = front::settle_title(&mut draft);
    let blocks = front::promote_headings(std::mem::take(&mut draft.blocks));
    let blocks = references::arrange(heading_mend::mend(layout::settle_pages(blocks)), budget);
    let mut starts = layout::plan(&blocks);
    mark_abstract(&blocks, &mut starts);
    let layout = layout::lay_out(&blocks, starts);
    let list = references::collect(&blocks, &layout.spans, budget);
    let mut document = layout.document;
    let citations = citations::find(&blocks, &layout.spans, &document.sections, &list, budget);
    let abstract_span = front::find_abstract(&document);
    document.extent = extent(&document, abstract_span.is_some());
    let mut identifiers = draft.identifiers;
    identifiers.fill_from(&identifiers::own(imprint::pieces(&blocks, &document)));
    let dates = dates::find(
        imprint::pieces(&blocks, &document),
        imprint::venue_lines(&blocks, title.as_deref()),
        &identifiers,
        draft.dates,
    );
    let mut paper = Paper {
        origin,
        title,
        authors: draft.authors,
        abstract_span,
        dates,
        identifiers,
        document,
        references: list.entries,
        citations,
        hidden,
        quality: ParseQuality::without_doubts(),
        warnings: draft.warnings,
    };
    paper.warnings.extend(budget.warnings());
    quality::judge(&mut paper, draft.page_count, draft.doubts);
    paper
}

/// Drops the blocks that exceed the budget.
fn keep_affordable(blocks: &mut Vec<Block>, budget: &ReadBudget) {
    let kept = blocks
        .iter()
        .take_while(|block| {
            budget.spend(ReadResource::Blocks, 1) && budget.spend(ReadResource::TextBytes, block.text.len())
        })
        .count();
    blocks.truncate(kept);
}

/// Adds an abstract section if a paragraph before the first real section begins with `Abstract—`.
fn mark_abstract(blocks: &[Block], starts: &mut Vec<Start>) {
    if starts.iter().any(|start| start.kind == SectionKind::Abstract) {
        return;
    }
    let limit = starts
        .iter()
        .filter(|start| !matches!(start.kind, SectionKind::FrontMatter | SectionKind::Other))
        .map(|start| start.block)
        .next()
        .unwrap_or(blocks.len())
        .min(40);
    let found = blocks.iter().take(limit).position(|block| {
        (block.is_running() || block.kind == ParagraphKind::FrontMatter)
            && front::inline_abstract(&block.text).is_some()
    });
    if let Some(block) = found {
        let at = starts.partition_point(|start| start.block < block);
        starts.insert(
            at,
            Start {
                block,
                heading: "Abstract".to_owned(),
                number: None,
                level: 1,
                kind: SectionKind::Abstract,
            },
        );
    }
}

/// How much of a paper the document contains.
fn extent(document: &Document, has_abstract: bool) -> Extent {
    let words: usize = document
        .paragraphs
        .iter()
        .filter(|paragraph| !matches!(paragraph.kind, ParagraphKind::FrontMatter | ParagraphKind::Reference))
        .filter(|paragraph| {
            document
                .section_at(paragraph.span.start)
                .is_some_and(|section| !matches!(section.kind, SectionKind::Abstract | SectionKind::References))
        })
        .filter_map(|paragraph| document.slice(paragraph.span))
        .map(|text| text.split_whitespace().count())
        .sum();
    // A landing page has the abstract and a few words around it; a short paper has sections of its own.
    let has_sections = document.sections.iter().any(|section| {
        let apart = [
            SectionKind::FrontMatter,
            SectionKind::Abstract,
            SectionKind::References,
            SectionKind::Acknowledgements,
        ];
        !section.heading.is_empty() && !apart.contains(&section.kind)
    });
    match (words, has_abstract) {
        (150.., _) => Extent::FullText,
        (40.., _) if has_sections || !has_abstract => Extent::FullText,
        (_, true) => Extent::Abstract,
        _ => Extent::TitleOnly,
    }
}
