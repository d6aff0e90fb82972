//! Collects papers that may anticipate an idea. Every source gets short queries. Local sources, and services that the user named for it, get the
//! whole idea. Papers similar to seed papers, and recommendations based on them, are added.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::future::join_all;
use precedent_domain::{
    AsOf, DateOrigin, Extent, Hit, IdeaText, NotSearched, PartialDate, Query, Scope, SentRecord, SetAside,
    SetAsideReason, SourceReport, Timing, Work, WorkId,
};
use precedent_sources::{Ability, MergedHit, Relation, Source, WorkName, fuse, merge_with_later};
use serde::{Deserialize, Serialize};

use super::material::IdeaReading;
use super::options::{Ablation, IdeaOptions};
use super::read::first_words;
use super::seeds::{Known, known};
use crate::retrieve::search::{
    Answer, Results, SelfMatcher, doubt_date, note_failure, put_alone, related_alone, reports, timing,
};
use crate::world::Stage;
use crate::{EngineError, Result, World};

const STAGE: Stage = Stage {
    name: "idea.collect",
    version: 5,
};
/// Results requested per query (Idea Novelty Checker, public code).
const LIMIT: usize = 100;
/// Results requested without a date limit, to find later work.
const LATER: usize = 20;
/// Words of a seed paper's title that are sent to a service.
const SEED_WORDS: usize = 25;

/// Everything the search found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Collected {
    /// The papers to compare with the idea, ranked over all queries, best first.
    pub(super) works: Vec<CollectedWork>,
    pub(super) set_aside: Vec<SetAside>,
    pub(super) sources: Vec<SourceReport>,
    pub(super) queries: Vec<Query>,
    /// Number of results of all queries.
    pub(super) results: usize,
    /// Number of distinct papers among them.
    pub(super) merged: usize,
    /// Number of those without a title or an abstract.
    pub(super) without_text: usize,
    pub(super) not_searched: Vec<NotSearched>,
    pub(super) sent: Vec<SentRecord>,
}

/// A paper that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct CollectedWork {
    pub(super) work: Work,
    /// Source and id of each of its records, sorted.
    pub(super) members: Vec<(String, WorkId)>,
    pub(super) timing: Timing,
    /// Fused score from the searches for the whole idea alone.
    pub(super) whole: f64,
}

/// Searches every source and drops what cannot be compared with the idea.
///
/// # Errors
/// When nothing answered, or the ledger fails.
pub(super) async fn collect(
    idea: &IdeaText,
    reading: &IdeaReading,
    options: &IdeaOptions,
    world: &World,
) -> Result<Collected> {
    let asked: Vec<(String, Option<String>)> = world
        .sources
        .iter()
        .map(|source| (source.name().to_owned(), source.revision()))
        .collect();
    let own = options
        .own
        .as_ref()
        .map(|paper| (&paper.origin.sha256, &paper.title, &paper.identifiers));
    let input = (
        &idea.document.text,
        &reading.phrases,
        &reading.titles,
        &options.seeds,
        &options.whole_to,
        options.as_of,
        own,
        asked,
        options.ablation,
    );
    let failed = |found: &Collected, source: &Arc<dyn Source>| {
        let mut reports = found.sources.iter().filter(|report| report.name == source.name());
        reports.any(|report| !report.failures.is_empty())
    };
    // Do not cache a search with failures: a failed service may recover.
    let lasts = |found: &Collected| {
        !world
            .sources
            .iter()
            .filter(|source| source.is_metered())
            .any(|source| failed(found, source))
    };
    world
        .stage_where(STAGE, &input, lasts, compute(idea, reading, options, world))
        .await
}

/// The papers given with the idea, instead of a search.
pub(super) fn given(works: &[Work], as_of: Option<PartialDate>) -> Collected {
    let works = works.iter().enumerate().map(|(at, work)| CollectedWork {
        timing: timing_of(work, as_of),
        members: Vec::new(),
        whole: 1.0 / (60.0 + at as f64),
        work: work.clone(),
    });
    let works: Vec<CollectedWork> = works.collect();
    Collected {
        results: works.len(),
        merged: works.len(),
        works,
        ..Collected::default()
    }
}

/// One request to one source.
struct IdeaRequest {
    source: usize,
    what: RequestContent,
    as_of: Option<PartialDate>,
    limit: usize,
    kind: RequestKind,
}

/// The content of a request.
#[derive(Clone)]
enum RequestContent {
    Query(Query),
    /// Papers with passages similar to this text.
    Passages(String),
    /// Papers recommended for this one.
    Recommended(WorkName),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestKind {
    /// A phrase or a title.
    Short,
    /// The whole idea.
    Whole,
    /// The text or the identifier of a seed paper.
    Seed,
    /// Only to find later work.
    Later,
}

async fn compute(idea: &IdeaText, reading: &IdeaReading, options: &IdeaOptions, world: &World) -> Result<Collected> {
    let mut sources = reports(world);
    let (seeds, not_searched) = known(&options.seeds, &mut sources, world).await;
    let queries = short_queries(reading);
    let mut asks = asks(idea, &queries, &seeds, options, world);
    asks.retain(|ask| match options.ablation {
        Ablation::Queries => ask.kind != RequestKind::Short,
        Ablation::WholeIdea => ask.kind != RequestKind::Whole,
        _ => true,
    });
    if asks.is_empty() {
        return Err(EngineError::NothingSearched { failures: Vec::new() });
    }
    let answers = asks.iter().map(|ask| async move {
        match world.sources.get(ask.source) {
            Some(source) => put(source, ask).await,
            None => Ok(Results::default()),
        }
    });
    let answers = join_all(answers).await;
    let mut rankings: Vec<Vec<Hit>> = seeds.iter().map(|seed| seed.records.clone()).collect();
    rankings.retain(|records| !records.is_empty());
    let mut whole: Vec<Vec<Hit>> = Vec::new();
    let mut later: Vec<Hit> = Vec::new();
    let mut nobody = true;
    for (ask, answer) in asks.iter().zip(answers) {
        let Some(report) = sources.get_mut(ask.source) else {
            continue;
        };
        match answer {
            Ok(Results {
                hits,
                later: dated_later,
                failure,
            }) => {
                nobody = false;
                report.answered += usize::from(ask.kind == RequestKind::Short);
                if let Some(reason) = failure {
                    report.partial += usize::from(ask.kind == RequestKind::Short);
                    note_failure(report, reason);
                }
                later.extend(dated_later);
                report.own_text |= ask.kind == RequestKind::Whole;
                if ask.kind == RequestKind::Whole {
                    whole.push(hits.clone());
                }
                rankings.push(hits);
            }
            Err(reason) => {
                report.unanswered += usize::from(ask.kind == RequestKind::Short);
                note_failure(report, reason);
            }
        }
    }
    if nobody {
        let failures = sources.into_iter().flat_map(|source| source.failures).collect();
        return Err(EngineError::NothingSearched { failures });
    }
    let mut found = sorted_out(&rankings, &later, &whole, options);
    found.sources = sources;
    found.queries = queries;
    found.not_searched = not_searched;
    found.sent = world.sources.iter().filter_map(|source| source.sent()).collect();
    let left_out = match found.merged.saturating_sub(found.works.len()) {
        0 => String::new(),
        some => format!(", {some} of them excluded"),
    };
    world.progress.note(&format!("found {} papers{left_out}", found.merged));
    Ok(found)
}

async fn put(source: &Arc<dyn Source>, ask: &IdeaRequest) -> Answer<Results> {
    let (as_of, limit) = (ask.as_of, ask.limit);
    match ask.what.clone() {
        RequestContent::Query(query) => put_alone(source, query, as_of, limit).await,
        RequestContent::Passages(text) => {
            let ask =
                |source: Arc<dyn Source>| async move { source.related(&Relation::Passages(&text), as_of, limit).await };
            related_alone(source, ask).await
        }
        RequestContent::Recommended(name) => {
            let ask = |source: Arc<dyn Source>| async move {
                source.related(&Relation::Recommended(&name), as_of, limit).await
            };
            related_alone(source, ask).await
        }
    }
}

/// Queries from the phrases, then the titles. They contain no operators.
pub(super) fn short_queries(reading: &IdeaReading) -> Vec<Query> {
    let texts = reading.phrases.iter().chain(&reading.titles);
    texts
        .enumerate()
        .map(|(at, text)| Query {
            text: text.clone(),
            scope: Scope::CoreTask,
            variant: u8::try_from(at).unwrap_or(u8::MAX),
        })
        .collect()
}

/// A text as a query.
pub(super) fn long(text: &str) -> Query {
    Query {
        text: precedent_text::one_line(text),
        scope: Scope::CoreTask,
        variant: u8::MAX,
    }
}

/// The query made from a seed paper's title; `None` for an empty title.
#[must_use]
pub fn seed_query(title: &str) -> Option<Query> {
    let query = long(&first_words(title, SEED_WORDS));
    (!query.text.is_empty()).then_some(query)
}

fn asks(idea: &IdeaText, queries: &[Query], seeds: &[Known], options: &IdeaOptions, world: &World) -> Vec<IdeaRequest> {
    let mut asks = Vec::new();
    for (source, asked_of) in world.sources.iter().enumerate() {
        let mut put = |what: RequestContent, as_of, limit, kind| {
            asks.push(IdeaRequest {
                source,
                what,
                as_of,
                limit,
                kind,
            })
        };
        for query in queries {
            put(
                RequestContent::Query(query.clone()),
                options.as_of,
                LIMIT,
                RequestKind::Short,
            );
        }
        let text = &idea.document.text;
        // Only short queries leave this machine, unless the user named the service to receive the whole idea.
        if asked_of.is_local() {
            put(
                RequestContent::Query(long(text)),
                options.as_of,
                LIMIT,
                RequestKind::Whole,
            );
            if options.as_of.is_some() {
                put(RequestContent::Query(long(text)), None, LATER, RequestKind::Later);
            }
        } else if options.whole_to.contains(asked_of.name()) && asked_of.can(Ability::Passages) {
            put(
                RequestContent::Passages(text.clone()),
                options.as_of,
                LIMIT,
                RequestKind::Whole,
            );
        }
        for seed in seeds {
            let query = match asked_of.is_local() {
                true => Some(long(&format!("{} {}", seed.title, seed.summary))).filter(|query| !query.text.is_empty()),
                false => seed_query(&seed.title),
            };
            if let Some(query) = query {
                put(RequestContent::Query(query), options.as_of, LIMIT, RequestKind::Seed);
            }
            if asked_of.can(Ability::Recommended)
                && let Some(name) = seed.name_for(asked_of.name())
            {
                put(
                    RequestContent::Recommended(name),
                    options.as_of,
                    LIMIT,
                    RequestKind::Seed,
                );
            }
        }
    }
    asks
}

/// How a paper's date compares with the judgement date. Without one, every paper is earlier.
fn timing_of(work: &Work, as_of: Option<PartialDate>) -> Timing {
    let Some(date) = as_of else { return Timing::Earlier };
    timing(work, Some(&given_date(date)), None)
}

fn given_date(date: PartialDate) -> AsOf {
    AsOf {
        date,
        origin: DateOrigin::Given,
    }
}

fn sorted_out(rankings: &[Vec<Hit>], later: &[Hit], whole: &[Vec<Hit>], options: &IdeaOptions) -> Collected {
    let mut whole_scores: BTreeMap<(String, WorkId), f64> = BTreeMap::new();
    for fused in fuse(whole) {
        whole_scores.insert((fused.hit.source.clone(), fused.hit.work.id.clone()), fused.score);
    }
    let merged = merge_with_later(fuse(rankings), later);
    let itself = options.own.as_ref().map(SelfMatcher::new);
    let mut found = Collected {
        results: rankings.iter().map(Vec::len).sum(),
        merged: merged.len(),
        ..Collected::default()
    };
    for MergedHit { mut work, members, .. } in merged {
        let as_of = options.as_of.map(given_date);
        doubt_date(&mut work, as_of.as_ref(), None);
        let timing = timing_of(&work, options.as_of);
        let reason = match &itself {
            Some(itself) if itself.is(&work) => Some(SetAsideReason::SameWork),
            _ if timing == Timing::Later => Some(SetAsideReason::Later),
            _ => None,
        };
        let bare = work.summary.as_deref().is_none_or(|text| text.trim().is_empty()) && work.extent != Extent::FullText;
        match reason {
            Some(reason) => found.set_aside.push(SetAside {
                id: work.id.clone(),
                date: work.earliest().cloned(),
                url: work.url.clone(),
                title: work.title,
                reason,
                scopes: Vec::new(),
                duplicate_of: None,
            }),
            None if bare || work.title.trim().is_empty() => found.without_text += 1,
            None => {
                let whole = members.iter().filter_map(|member| whole_scores.get(member)).sum();
                found.works.push(CollectedWork {
                    work,
                    members,
                    timing,
                    whole,
                });
            }
        }
    }
    found
}
