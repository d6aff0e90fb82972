use std::sync::Arc;

use futures_util::future::BoxFuture;
use precedent_domain::{
    AsOf, Candidate, CandidateText, Document, Extent, Funnel, NotSearched, Paper, PartialDate, Query, ReferenceList,
    Scope, SentRecord, SetAside, SourceReport, Work, WorkId,
};
use precedent_sources::{Ability, Source};
use serde::{Deserialize, Serialize};

use super::aliases::aliases;
use super::asking::{ask, note_failure, reports, text_of};
use super::by_meaning::search_by_meaning;
use super::doubted::doubted;
use super::full_texts::fetch_full_texts;
use super::funnel::{Kept, Sorting, sort};
use super::own_text::{ask_own_text, chooses_among_many};
use super::self_matcher::SelfMatcher;
use super::shared_text::sharing_text;
use super::timing::not_before;
use crate::retrieve::citations::{CitationGraph, CitationOptions, follow};
use crate::world::Stage;
use crate::{EngineError, Result, World};

/// The result of the search for prior work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchOutcome {
    /// The candidates, numbered from 1 by relevance.
    pub candidates: Vec<Candidate>,
    /// Their texts, in the same order.
    pub texts: Vec<CandidateText>,
    /// Papers found but excluded: the paper itself, later papers.
    pub set_aside: Vec<SetAside>,
    /// Number of papers left after each step.
    pub funnel: Funnel,
    /// How each source took part.
    pub sources: Vec<SourceReport>,
    /// Number of papers removed by the limit, by scope.
    pub cut: Vec<(Scope, usize)>,
    /// What else the search did not cover.
    pub not_searched: Vec<NotSearched>,
    /// What the sources sent to other machines.
    #[serde(default)]
    pub sent: Vec<SentRecord>,
    /// Whether a full text that could not be fetched may become available later.
    #[serde(default)]
    pub texts_may_come: bool,
}

impl SearchOutcome {
    /// The result without any source.
    fn nothing(world: &World) -> Self {
        Self {
            candidates: Vec::new(),
            texts: Vec::new(),
            set_aside: Vec::new(),
            funnel: Funnel {
                scopes: Vec::new(),
                merged: 0,
                shared_text: 0,
            },
            sources: reports(world),
            cut: Vec::new(),
            not_searched: Vec::new(),
            sent: Vec::new(),
            texts_may_come: false,
        }
    }

    /// Whether the result can be cached: every remote source answered and no full text failed temporarily. A failed source may recover.
    fn lasts(&self, world: &World) -> bool {
        let failed = |source: &Arc<dyn Source>| {
            let mut reports = self.sources.iter().filter(|report| report.name == source.name());
            reports.any(|report| !report.failures.is_empty())
        };
        !self.texts_may_come && !world.sources.iter().filter(|source| source.is_metered()).any(failed)
    }
}

const STAGE: Stage = Stage {
    name: "search",
    version: 18,
};

/// Sends all queries to all sources and sorts the results. Nothing later than `as_of` becomes a candidate.
///
/// # Errors
/// If no source answers anything, the analyst cannot be called, or the ledger fails.
pub fn search<'a>(
    paper: &'a Paper,
    queries: &'a [Query],
    as_of: Option<&'a AsOf>,
    world: &'a World,
) -> BoxFuture<'a, Result<SearchOutcome>> {
    Box::pin(async move {
        let asked: Vec<(String, Option<String>)> = world
            .sources
            .iter()
            .map(|source| (source.name().to_owned(), source.revision()))
            .collect();
        let input = (
            &paper.origin.sha256,
            &paper.title,
            &paper.authors,
            &paper.references,
            queries,
            as_of,
            asked,
            world.texts.as_ref().map(|texts| texts.key()),
        );
        let lasts = |outcome: &SearchOutcome| outcome.lasts(world);
        let work = compute(paper, queries, as_of, world);
        world.stage_where(STAGE, &input, lasts, work).await
    })
}

async fn compute(paper: &Paper, queries: &[Query], as_of: Option<&AsOf>, world: &World) -> Result<SearchOutcome> {
    if world.sources.is_empty() || queries.is_empty() {
        // No source or no query is not a failure. The report then shows the paper alone and says so first.
        return Ok(SearchOutcome::nothing(world));
    }
    let date = as_of.map(|as_of| as_of.date);
    let (mut answers, near) = tokio::join!(ask(queries, date, world), search_by_meaning(queries, date, world));
    answers.take_by_meaning(near, queries);
    if answers.sources.iter().all(|source| source.answered == 0) {
        let failures = answers.sources.into_iter().flat_map(|source| source.failures).collect();
        return Err(EngineError::NothingSearched { failures });
    }
    let graph = citations(paper, date, &mut answers.sources, world).await;
    let mut own = ask_own_text(paper, date, &mut answers, world).await;
    own.add_cited(&graph);
    let itself = SelfMatcher::new(paper);
    let cited = ReferenceList::new(&paper.references);
    let sorting = Sorting {
        itself: &itself,
        as_of,
        not_before: not_before(paper),
        cited: &cited,
        queries,
        own: &own,
    };
    let task = answers.rankings.entry(Scope::CoreTask).or_default();
    task.extend(own.rankings.iter().cloned());
    task.extend(graph.rankings(paper));
    answers.later.extend(graph.later.iter().cloned());
    let sorted = sort(&answers.rankings, &answers.later, &sorting, world).await?;
    let mut sources = answers.sources;
    let mut kept = sorted.kept;
    let sharing = sharing_text(paper, &kept, &sorting, &mut sources, world).await;
    let shared_text = sharing.kept.len();
    kept.extend(sharing.kept);
    let documents = documents(&kept, &mut sources, world).await;
    let full_texts = fetch_full_texts(&kept, documents, world).await?;
    let (candidates, texts) = candidates(paper, kept, full_texts.documents, &itself, &graph);
    world.progress.note(&format!(
        "{} candidates, {} with full text",
        candidates.len(),
        texts
            .iter()
            .filter(|text| text.document.extent == Extent::FullText)
            .count()
    ));
    let merged = candidates.len();
    let doubted = doubted(candidates.iter().map(|one| (one.alias.as_str(), one.number, &one.work)));
    Ok(SearchOutcome {
        candidates,
        texts,
        set_aside: sorted.set_aside,
        funnel: Funnel {
            scopes: sorted.scopes,
            merged,
            shared_text,
        },
        sources,
        cut: sorted.cut.into_iter().collect(),
        not_searched: sharing
            .not_searched
            .into_iter()
            .chain(full_texts.not_searched)
            .chain(graph.not_searched)
            .chain(doubted)
            .collect(),
        sent: world
            .sources
            .iter()
            .filter_map(|source| source.sent())
            .chain(full_texts.sent)
            .collect(),
        texts_may_come: full_texts.may_come,
    })
}

/// What the paper cites, and what those papers cite if a source knows it. Failures go into the reports.
async fn citations(
    paper: &Paper,
    date: Option<PartialDate>,
    reports: &mut [SourceReport],
    world: &World,
) -> CitationGraph {
    let mut local = world.sources.iter().filter(|source| source.is_local());
    let options = CitationOptions {
        // The search finds all that is related in a small collection.
        local: local.any(chooses_among_many),
        ..CitationOptions::SEARCH
    };
    if !options.local && !world.sources.iter().any(|source| source.can(Ability::References)) {
        return CitationGraph::default();
    }
    let silent = reports.iter().filter(|report| report.answered == 0);
    let away: Vec<String> = silent.map(|report| report.name.clone()).collect();
    let graph = follow(paper, date, options, &away, world).await;
    for (name, reason) in &graph.failures {
        if let Some(report) = reports.iter_mut().find(|report| report.name == *name) {
            note_failure(report, reason.clone());
        }
    }
    graph
}

/// Numbers the papers that were kept.
fn candidates(
    paper: &Paper,
    kept: Vec<Kept>,
    documents: Vec<Document>,
    itself: &SelfMatcher<'_>,
    graph: &CitationGraph,
) -> (Vec<Candidate>, Vec<CandidateText>) {
    let cited = ReferenceList::new(&paper.references);
    let names = aliases(&kept.iter().map(|one| &one.work).collect::<Vec<_>>());
    let mut candidates = Vec::new();
    let mut texts = Vec::new();
    for (((number, mut one), alias), document) in (1..).zip(kept).zip(names).zip(documents) {
        one.work.extent = document.extent;
        texts.push(CandidateText { number, document });
        candidates.push(Candidate {
            number,
            alias,
            cited_as: cited.number(&one.work),
            timing: one.timing,
            scopes: one.scopes,
            found_by: found_by(&one.members),
            came_by: graph.came_by(&one.members),
            shared_authors: itself.shared_authors(&one.work),
            work: one.work,
        });
    }
    (candidates, texts)
}

/// The names of the sources, sorted, without duplicates.
fn found_by(members: &[(String, WorkId)]) -> Vec<String> {
    let mut names: Vec<String> = members.iter().map(|(source, _)| source.clone()).collect();
    names.sort();
    names.dedup();
    names
}

/// The texts that the sources themselves have, in the order of the papers.
async fn documents(kept: &[Kept], sources: &mut [SourceReport], world: &World) -> Vec<Document> {
    let mut documents = Vec::with_capacity(kept.len());
    for one in kept {
        documents.push(document_of(&one.work, &one.members, sources, world).await);
    }
    documents
}

/// The fullest text from any source that found the paper, or else title and abstract.
pub(crate) async fn document_of(
    work: &Work,
    members: &[(String, WorkId)],
    reports: &mut [SourceReport],
    world: &World,
) -> Document {
    let mut best = Document::from_abstract(&work.title, work.summary.as_deref());
    for source in &world.sources {
        // Use only the source's own ids: an id of another source may be a different paper there.
        let mut own = members
            .iter()
            .filter(|(name, _)| name == source.name())
            .map(|(_, id)| id.clone());
        let Some(id) = own.next() else { continue };
        let record = Work {
            id,
            also: own.collect(),
            ..work.clone()
        };
        match text_of(source, record).await {
            Ok(Some(document)) if document.extent > best.extent => best = document,
            Ok(_) => {}
            Err(reason) => {
                if let Some(report) = reports.iter_mut().find(|report| report.name == source.name()) {
                    note_failure(report, reason);
                }
            }
        }
    }
    best
}
