//! Works that share text with the paper, whatever they are about.
//!
//! A reused passage often stands in a work that no query about the paper's topic finds, and so may a claim that somebody made before in the same
//! words. So each longer paragraph of the paper, and each sentence where claims are made, is itself a query to the sources that hold full texts;
//! of what they answer only works are kept that really share words in a row.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use precedent_domain::{
    Document, Extent, Hit, NotSearched, NotSearchedKind, Paper, ParagraphKind, Query, Scope, SectionKind, SourceReport,
    Timing, Work, WorkId,
};
use precedent_sources::{MergedHit, Source, fuse, merge};
use precedent_text::{OverlapOptions, Source as PreparedText, overlap, sentences};

use super::asking::{note_failure, put_alone, text_of};
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

/// What looking for shared text gave.
#[derive(Debug, Default)]
pub(crate) struct SharingText {
    /// Works that share at least [`SHARED_WORDS`] words in a row with the paper, most shared words first.
    pub(crate) kept: Vec<Kept>,
    /// What of the paper was not asked for.
    pub(crate) not_searched: Vec<NotSearched>,
}

/// A work that came up, with its text.
struct Found {
    work: Work,
    document: Document,
    source: String,
}

/// Looks for works beyond `kept` that share text with the paper. What fails goes into `reports`.
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
    let mut found: BTreeMap<(String, WorkId), Found> = BTreeMap::new();
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
        not_searched.extend(cut_short("paragraph", paragraphs.len(), MOST_PARAGRAPHS));
        not_searched.extend(cut_short("sentence", sentences.len(), MOST_SENTENCES));
    }
    SharingText {
        kept: most_shared_first(paper, found.into_values().collect(), sorting),
        not_searched,
    }
}

/// Puts every text to one source; an error ends it, since a source that fails once would be asked in vain a hundred times.
async fn ask_one(
    source: &Arc<dyn Source>,
    texts: &[&String],
    known: &BTreeSet<(&str, &WorkId)>,
    sorting: &Sorting<'_>,
    found: &mut BTreeMap<(String, WorkId), Found>,
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
                "{reason} (after {done} of {} texts of the paper were looked for)",
                texts.len()
            )
        };
        let found_here = put_alone(source, query, as_of, RESULTS).await.map_err(so_far)?;
        for hit in found_here.hits {
            let key = (source.name().to_owned(), hit.work.id.clone());
            let fits = !known.contains(&(source.name(), &hit.work.id))
                && !found.contains_key(&key)
                && !sorting.itself.is(&hit.work)
                && timing(&hit.work, sorting.as_of, sorting.not_before) != Timing::Later;
            if !fits {
                continue;
            }
            let document = text_of(source, hit.work.clone()).await.map_err(so_far)?;
            if let Some(document) = document.filter(|document| document.extent == Extent::FullText) {
                let source = key.0.clone();
                let work = hit.work;
                found.insert(key, Found { work, document, source });
            }
        }
    }
    Ok(())
}

/// Says how much of the paper was left out, where something was.
fn cut_short(what: &str, there: usize, most: usize) -> Option<NotSearched> {
    (there > most).then(|| NotSearched {
        kind: NotSearchedKind::CutOff,
        message: format!(
            "Beyond the works found by topic, shared text was looked for with the first {most} of the paper's {there} longer {what}s only."
        ),
        scope: None,
    })
}

fn most_shared_first(paper: &Paper, found: Vec<Found>, sorting: &Sorting<'_>) -> Vec<Kept> {
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
    // Two sources may both hold a work: the records are merged as everywhere.
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
        timing: timing(&one.work, sorting.as_of, sorting.not_before),
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
        .collect()
}
