//! Putting queries to sources.

use std::collections::BTreeMap;
use std::sync::Arc;

use precedent_domain::{Hit, PartialDate, Query, Scope, SourceReport};
use precedent_sources::Source;
use tokio::task::JoinSet;

use crate::World;

/// Results asked for with each query of the core task, and of a contribution.
const CORE_LIMIT: usize = 100;
const CLAIM_LIMIT: usize = 40;
/// Results asked for without a limit of time, to tell what came later. Only for primary queries.
const LATER_LIMIT: usize = 20;

/// What all sources answered.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// Rankings by scope, in order of query and source.
    pub(crate) rankings: BTreeMap<Scope, Vec<Vec<Hit>>>,
    /// How each source took part, in the order of the world.
    pub(crate) sources: Vec<SourceReport>,
}

/// One question to one source.
struct Ask {
    query: usize,
    source: usize,
    as_of: Option<PartialDate>,
    limit: usize,
}

/// Puts every query to every source at once. The answers stand in the order of queries and sources, however they came in.
pub(crate) async fn ask(queries: &[Query], as_of: Option<PartialDate>, world: &World) -> Answers {
    let mut running: JoinSet<(usize, std::result::Result<Vec<Hit>, String>)> = JoinSet::new();
    let asks = asks(queries, as_of, world.sources.len());
    for (number, ask) in asks.iter().enumerate() {
        let (Some(source), Some(query)) = (world.sources.get(ask.source).cloned(), queries.get(ask.query).cloned())
        else {
            continue;
        };
        let (as_of, limit) = (ask.as_of, ask.limit);
        running.spawn(async move { (number, put(source, query, as_of, limit).await) });
    }
    let mut answered: BTreeMap<usize, std::result::Result<Vec<Hit>, String>> = BTreeMap::new();
    while let Some(done) = running.join_next().await {
        if let Ok((number, answer)) = done {
            answered.insert(number, answer);
        }
    }
    let mut answers = Answers {
        rankings: BTreeMap::new(),
        sources: reports(world),
    };
    for (number, ask) in asks.iter().enumerate() {
        let answer = answered
            .remove(&number)
            .unwrap_or_else(|| Err("the search was broken off".to_owned()));
        let (Some(query), Some(report)) = (queries.get(ask.query), answers.sources.get_mut(ask.source)) else {
            continue;
        };
        match answer {
            Ok(hits) => {
                report.answered += 1;
                answers.rankings.entry(query.scope).or_default().push(hits);
            }
            Err(reason) => {
                if !report.failures.contains(&reason) {
                    report.failures.push(reason);
                }
            }
        }
    }
    answers
}

fn asks(queries: &[Query], as_of: Option<PartialDate>, sources: usize) -> Vec<Ask> {
    let mut asks = Vec::new();
    for (number, query) in queries.iter().enumerate() {
        let limit = if query.scope == Scope::CoreTask {
            CORE_LIMIT
        } else {
            CLAIM_LIMIT
        };
        for source in 0..sources {
            asks.push(Ask {
                query: number,
                source,
                as_of,
                limit,
            });
            if as_of.is_some() && query.variant == 0 {
                asks.push(Ask {
                    query: number,
                    source,
                    as_of: None,
                    limit: LATER_LIMIT,
                });
            }
        }
    }
    asks
}

async fn put(
    source: Arc<dyn Source>,
    query: Query,
    as_of: Option<PartialDate>,
    limit: usize,
) -> std::result::Result<Vec<Hit>, String> {
    source
        .search(&query, as_of, limit)
        .await
        .map_err(|error| in_full(&error))
}

/// An error with what caused it, on one line.
pub(crate) fn in_full(error: &dyn std::error::Error) -> String {
    let mut text = format!("failed to {error}");
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(&format!(": {inner}"));
        cause = inner.source();
    }
    text
}

/// An empty report for every source of the world.
pub(crate) fn reports(world: &World) -> Vec<SourceReport> {
    let report = |source: &Arc<dyn Source>| {
        let holdings = source.holdings();
        SourceReport {
            name: source.name().to_owned(),
            works: holdings.works,
            full_texts: holdings.full_texts,
            answered: 0,
            failures: Vec::new(),
        }
    };
    world.sources.iter().map(report).collect()
}
