//! Works that share text with the paper, whatever they are about.
//!
//! A reused passage often stands in a work that no query about the paper's topic finds, and so may a claim that somebody made before in the same
//! words. So each longer paragraph of the paper, and each sentence where claims are made, is itself a query to the sources that hold full texts;
//! of what they answer only works are kept that really share words in a row.

use std::collections::BTreeMap;

use precedent_domain::{Document, Extent, Paper, ParagraphKind, Query, Scope, SectionKind, Timing, Work, WorkId};
use precedent_text::{OverlapOptions, Source as PreparedText, overlap, sentences};

use super::funnel::{Kept, Sorting};
use super::timing::timing;
use crate::World;

/// Shorter paragraphs hold no passage worth looking for, in words.
const LEAST_WORDS: usize = 40;
/// Paragraphs asked for, and results taken from each answer.
const MOST_PARAGRAPHS: usize = 80;
/// Shorter sentences claim nothing that could be looked for, in words; and so many are asked for.
const LEAST_SENTENCE: usize = 10;
const MOST_SENTENCES: usize = 80;
/// Words in a row that make a work worth comparing: a claim's length.
const SHARED_WORDS: usize = 12;
const RESULTS: usize = 3;
/// A paragraph is cut here, in bytes: the words after it add nothing to a search.
const LONGEST: usize = 2_000;

/// Works beyond `kept` that share at least [`SHARED_WORDS`] words in a row with the paper, most shared words first.
pub(crate) async fn sharing_text(paper: &Paper, kept: &[Kept], sorting: &Sorting<'_>, world: &World) -> Vec<Kept> {
    let known: Vec<&WorkId> = kept
        .iter()
        .flat_map(|one| std::iter::once(&one.work.id).chain(&one.work.also))
        .collect();
    let mut found: BTreeMap<WorkId, (Work, Document, String)> = BTreeMap::new();
    for source in &world.sources {
        if source.holdings().full_texts.unwrap_or_default() == 0 {
            continue;
        }
        for text in paragraphs(&paper.document)
            .into_iter()
            .chain(claiming_sentences(&paper.document))
        {
            let query = Query {
                text,
                scope: Scope::CoreTask,
                variant: 0,
            };
            // A source that fails here has said so to the queries of the funnel already.
            let Ok(hits) = source
                .search(&query, sorting.as_of.map(|as_of| as_of.date), RESULTS)
                .await
            else {
                break;
            };
            for hit in hits {
                let fits = !known.contains(&&hit.work.id)
                    && !found.contains_key(&hit.work.id)
                    && !sorting.itself.is(&hit.work)
                    && timing(&hit.work, sorting.as_of, sorting.not_before) != Timing::Later;
                if fits
                    && let Ok(Some(document)) = source.document(&hit.work).await
                    && document.extent == Extent::FullText
                {
                    found.insert(hit.work.id.clone(), (hit.work, document, source.name().to_owned()));
                }
            }
        }
    }
    let found: Vec<(Work, Document, String)> = found.into_values().collect();
    let options = OverlapOptions {
        min_words: SHARED_WORDS,
    };
    let target = PreparedText::new(paper.document.text.as_str());
    let texts: Vec<PreparedText> = found
        .iter()
        .map(|(_, document, _)| PreparedText::new(document.text.as_str()))
        .collect();
    let mut sharing: Vec<(usize, usize)> = overlap(&target, &texts.iter().collect::<Vec<_>>(), &options)
        .into_iter()
        .map(|one| {
            let unexplained = one.passages.iter().filter(|passage| passage.marks.is_empty());
            (one.candidate, unexplained.map(|passage| passage.words).sum())
        })
        .filter(|(_, words)| *words > 0)
        .collect();
    sharing.sort_by_key(|&(candidate, words)| (std::cmp::Reverse(words), candidate));
    let as_kept = |&(candidate, _): &(usize, usize)| {
        let (work, _, name) = found.get(candidate)?;
        Some(Kept {
            timing: timing(work, sorting.as_of, sorting.not_before),
            work: work.clone(),
            found_by: vec![name.clone()],
            scopes: Vec::new(),
        })
    };
    sharing.iter().filter_map(as_kept).collect()
}

/// The sentences of abstract, introduction and conclusion.
fn claiming_sentences(document: &Document) -> Vec<String> {
    [
        SectionKind::Abstract,
        SectionKind::Introduction,
        SectionKind::Conclusion,
    ]
    .into_iter()
    .flat_map(|kind| document.paragraphs_in(kind))
    .filter(|paragraph| matches!(paragraph.kind, ParagraphKind::Body | ParagraphKind::ListItem))
    .filter_map(|paragraph| document.slice(paragraph.span))
    .flat_map(|text| {
        sentences(text)
            .into_iter()
            .filter_map(|span| span.slice(text))
            .collect::<Vec<_>>()
    })
    .filter(|text| text.split_whitespace().count() >= LEAST_SENTENCE)
    .map(str::to_owned)
    .take(MOST_SENTENCES)
    .collect()
}

/// The longer paragraphs of running text, reference lists and front matter left out.
fn paragraphs(document: &Document) -> Vec<String> {
    document
        .paragraphs
        .iter()
        .filter(|paragraph| matches!(paragraph.kind, ParagraphKind::Body | ParagraphKind::ListItem))
        .filter(|paragraph| {
            let section = document.section_at(paragraph.span.start).map(|section| section.kind);
            !matches!(
                section,
                Some(SectionKind::References | SectionKind::FrontMatter | SectionKind::Acknowledgements)
            )
        })
        .filter_map(|paragraph| document.slice(paragraph.span))
        .filter(|text| text.split_whitespace().count() >= LEAST_WORDS)
        .map(|text| text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text).to_owned())
        .take(MOST_PARAGRAPHS)
        .collect()
}
