//! Papers that share text with the paper, whatever their topic.
//!
//! A reused passage is often in a paper that no topic query finds, and so is an earlier claim in the same words. So each longer paragraph, and
//! each sentence in sections that make claims, is also sent as a query to the sources with full texts. Only papers that share a run of words
//! are kept.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use precedent_domain::{
    Document, Extent, Gap, Hit, NotSearched, Paper, ParagraphKind, Query, Scope, SectionKind, SourceReport, TextUnit,
    Timing, Work, WorkId,
};
use precedent_sources::{MergedHit, Source, fuse, merge};
use precedent_text::{OverlapOptions, Source as PreparedText, overlap, sentences};

use super::asking::{note_failure, put_alone, text_of};
use super::funnel::{Kept, Sorting};
use crate::World;

/// Minimum length of a paragraph to search for, in words.
const LEAST_WORDS: usize = 40;
/// Maximum number of paragraphs searched for.
const MOST_PARAGRAPHS: usize = 80;
/// Minimum length in words of a sentence to search for, and maximum number of sentences.
const LEAST_SENTENCE: usize = 10;
const MOST_SENTENCES: usize = 80;
/// Minimum run of shared words, about the length of a claim, and number of results read per query.
const SHARED_WORDS: usize = 12;
const RESULTS: usize = 3;
/// Maximum length of a paragraph, in bytes. Further words do not improve a search.
const LONGEST: usize = 2_000;

/// The result of the search for shared text.
#[derive(Debug, Default)]
pub(crate) struct SharingText {
    /// Papers that share at least [`SHARED_WORDS`] words in a row with the paper, most shared words first.
    pub(crate) kept: Vec<Kept>,
    /// Which parts of the paper were not searched for.
    pub(crate) not_searched: Vec<NotSearched>,
}

/// A paper that was found, with its text.
struct FoundText {
    work: Work,
    document: Document,
    source: String,
}

/// Searches for papers beyond `kept` that share text with the paper. Failures go into `reports`.
pub(crate) async fn sharing_text(
    paper: &Paper,
    kept: &[Kept],
    sorting: &Sorting<'_>,
    reports: &mut [SourceReport],
    world: &World,
) -> SharingText {
    let (paragraphs, sentences) = (paragraphs(&paper.document), claiming_sentences(&paper.document));
    let known: BTreeSet<(&str, &WorkId)> = kept
        .iter()
        .flat_map(|one| &one.members)
        .map(|(source, id)| (source.as_str(), id))
        .collect();
    let mut found: BTreeMap<(String, WorkId), FoundText> = BTreeMap::new();
    let mut asked = false;
    for source in &world.sources {
        if !source.is_local() || source.holdings().full_texts.unwrap_or_default() == 0 {
            continue;
        }
        asked = true;
        let texts = paragraphs.iter().take(MOST_PARAGRAPHS);
        let texts: Vec<&String> = texts.chain(sentences.iter().take(MOST_SENTENCES)).collect();
        if let Err(reason) = ask_one(source, &texts, &known, sorting, &mut found).await
            && let Some(report) = reports.iter_mut().find(|report| report.name == source.name())
        {
            note_failure(report, reason);
        }
    }
    let mut not_searched = Vec::new();
    if asked {
        not_searched.extend(cut_short(TextUnit::Paragraph, paragraphs.len(), MOST_PARAGRAPHS));
        not_searched.extend(cut_short(TextUnit::Sentence, sentences.len(), MOST_SENTENCES));
    }
    SharingText {
        kept: most_shared_first(paper, found.into_values().collect(), sorting),
        not_searched,
    }
}

/// Sends every text to one source and stops at the first error, because a failing source would fail a hundred times.
async fn ask_one(
    source: &Arc<dyn Source>,
    texts: &[&String],
    known: &BTreeSet<(&str, &WorkId)>,
    sorting: &Sorting<'_>,
    found: &mut BTreeMap<(String, WorkId), FoundText>,
) -> Result<(), String> {
    let as_of = sorting.as_of.map(|as_of| as_of.date);
    for (done, text) in texts.iter().enumerate() {
        let query = Query {
            text: (*text).clone(),
            scope: Scope::CoreTask,
            variant: 0,
        };
        let so_far = |reason| {
            format!(
                "{reason} (after searching {done} of {} passages of the paper)",
                texts.len()
            )
        };
        let found_here = put_alone(source, query, as_of, RESULTS).await.map_err(so_far)?;
        for hit in found_here.hits {
            let key = (source.name().to_owned(), hit.work.id.clone());
            let fits = !known.contains(&(source.name(), &hit.work.id))
                && !found.contains_key(&key)
                && !sorting.itself.is(&hit.work)
                && sorting.timing(&hit.work) != Timing::Later;
            if !fits {
                continue;
            }
            let document = text_of(source, hit.work.clone()).await.map_err(so_far)?;
            if let Some(document) = document.filter(|document| document.extent == Extent::FullText) {
                let source = key.0.clone();
                let work = hit.work;
                found.insert(key, FoundText { work, document, source });
            }
        }
    }
    Ok(())
}

/// Reports how much of the paper was left out, if anything.
fn cut_short(unit: TextUnit, there: usize, searched: usize) -> Option<NotSearched> {
    (there > searched).then(|| Gap::SharedTextPart { unit, searched, there }.into())
}

fn most_shared_first(paper: &Paper, found: Vec<FoundText>, sorting: &Sorting<'_>) -> Vec<Kept> {
    let options = OverlapOptions {
        min_words: SHARED_WORDS,
    };
    let target = PreparedText::new(paper.document.text.as_str());
    let texts: Vec<PreparedText> = found
        .iter()
        .map(|one| PreparedText::new(one.document.text.as_str()))
        .collect();
    let mut sharing: Vec<(usize, usize)> = overlap(&target, &texts.iter().collect::<Vec<_>>(), &options)
        .into_iter()
        .map(|one| {
            let unexplained = one.passages.iter().filter(|passage| passage.marks.is_empty());
            (one.candidate, unexplained.map(|passage| passage.words).sum())
        })
        .filter(|(_, words)| *words > 0)
        .collect();
    sharing.sort_by_key(|&(candidate, words)| (Reverse(words), candidate));
    // Two sources may both have a paper, so records are merged here too.
    let ranking: Vec<Hit> = sharing
        .iter()
        .filter_map(|&(candidate, _)| found.get(candidate))
        .map(|one| Hit {
            work: one.work.clone(),
            score: 0.0,
            source: one.source.clone(),
        })
        .collect();
    let as_kept = |one: MergedHit| Kept {
        timing: sorting.timing(&one.work),
        members: one.members,
        work: one.work,
        scopes: Vec::new(),
    };
    merge(fuse(&[ranking])).into_iter().map(as_kept).collect()
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
    .collect()
}

/// The longer paragraphs of running text, without reference lists and front matter.
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
        .collect()
}
