//! Sends the queries of a round to the sources of their kind.

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
use precedent_domain::{EvidenceKind, KnowledgeQuery, PartialDate, Query, Scope, SourceReport};

use super::found::FoundDocuments;
use crate::World;
use crate::retrieve::search::{Answer, Results, note_failure, put_alone};

/// Results requested per query. Lists of papers are long and cheap; of pages and repositories only the first five count (InnoEval, public code).
const LIMITS: [(EvidenceKind, usize); 3] = [
    (EvidenceKind::Literature, 40),
    (EvidenceKind::Web, 5),
    (EvidenceKind::Code, 5),
];
/// Results requested for a whole text from a local source.
const WHOLE: usize = 100;
/// Results requested for a single statement from a local source.
const FIRST: usize = 5;
/// Results requested without a date limit, to find later work, and how many queries of each kind are sent that way.
const LATER: usize = 20;
const LATER_QUERIES: usize = 3;
/// Maximum concurrent requests. Each host also has its own rate limit.
const AT_ONCE: usize = 12;

/// One request to one source.
struct EvidenceRequest {
    source: usize,
    kind: EvidenceKind,
    query: Query,
    as_of: Option<PartialDate>,
    limit: usize,
    what: EvidenceQuery,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EvidenceQuery {
    /// A query of the round.
    Short,
    /// A text of the idea, for a local source.
    Whole,
    /// A single statement of the idea, for a local source. Only the first result for each is of interest.
    Statement,
    /// Only to find later work.
    Later,
}

/// What is searched in a round.
pub(super) struct Round<'a> {
    pub(super) number: u32,
    pub(super) queries: &'a [KnowledgeQuery],
    /// Texts of the idea, for local sources only.
    pub(super) texts: &'a [String],
    /// Single statements of the idea, for local sources only.
    pub(super) statements: &'a [String],
    pub(super) as_of: Option<PartialDate>,
}

/// Runs the searches and adds their results. Returns the number of results; failures go into the reports.
pub(super) async fn ask(
    round: &Round<'_>,
    found_so_far: &mut FoundDocuments,
    reports: &mut [SourceReport],
    world: &World,
) -> usize {
    let asks = asks(round, world);
    let one = |ask: &EvidenceRequest| -> BoxFuture<'_, Answer<Results>> {
        let source = world.sources.get(ask.source);
        let (query, as_of, limit) = (ask.query.clone(), ask.as_of, ask.limit);
        Box::pin(async move {
            match source {
                Some(source) => put_alone(source, query, as_of, limit).await,
                None => Ok(Results::default()),
            }
        })
    };
    let work: Vec<_> = asks.iter().map(one).collect();
    let answers: Vec<Answer<Results>> = stream::iter(work).buffered(AT_ONCE).collect().await;
    let mut results = 0;
    for (ask, answer) in asks.iter().zip(answers) {
        let Some(report) = reports.get_mut(ask.source) else {
            continue;
        };
        match answer {
            Ok(Results {
                mut hits,
                later,
                failure,
            }) => {
                if ask.what == EvidenceQuery::Later {
                    // Keep the version found with the date limit: a repository dated by its last push has no date there.
                    hits.retain(|hit| !found_so_far.knows(hit));
                }
                report.answered += usize::from(ask.what == EvidenceQuery::Short);
                if let Some(reason) = failure {
                    report.partial += usize::from(ask.what == EvidenceQuery::Short);
                    note_failure(report, reason);
                }
                found_so_far.take_later(ask.kind, later);
                report.own_text |= matches!(ask.what, EvidenceQuery::Whole | EvidenceQuery::Statement);
                results += hits.len();
                if ask.what == EvidenceQuery::Statement {
                    found_so_far.lead(hits.first());
                }
                if ask.what == EvidenceQuery::Short {
                    found_so_far.note_query(&ask.query.text, &hits);
                }
                found_so_far.take(ask.kind, round.number, hits);
            }
            Err(reason) => {
                report.unanswered += usize::from(ask.what == EvidenceQuery::Short);
                note_failure(report, reason);
            }
        }
    }
    results
}

fn asks(round: &Round<'_>, world: &World) -> Vec<EvidenceRequest> {
    let mut asks = Vec::new();
    for (at, source) in world.sources.iter().enumerate() {
        let kind = source.kind();
        let of_kind = || round.queries.iter().filter(|one| one.kind == kind);
        let limit = LIMITS
            .iter()
            .find(|(one, _)| *one == kind)
            .map_or(0, |(_, limit)| *limit);
        let mut put = |text: &str, as_of, limit, what| {
            asks.push(EvidenceRequest {
                source: at,
                kind,
                query: query(text),
                as_of,
                limit,
                what,
            });
        };
        for one in of_kind() {
            put(&one.text, round.as_of, limit, EvidenceQuery::Short);
        }
        let local = source.is_local();
        if local {
            for text in round.texts {
                put(text, round.as_of, WHOLE, EvidenceQuery::Whole);
            }
            for text in round.statements {
                put(text, round.as_of, FIRST, EvidenceQuery::Statement);
            }
        }
        if round.as_of.is_some() && round.number == 1 {
            for text in round.texts.iter().take(1).filter(|_| local) {
                put(text, None, LATER, EvidenceQuery::Later);
            }
            for one in of_kind().take(LATER_QUERIES) {
                put(&one.text, None, LATER.min(limit), EvidenceQuery::Later);
            }
        }
    }
    asks
}

fn query(text: &str) -> Query {
    Query {
        text: precedent_text::one_line(text),
        scope: Scope::CoreTask,
        variant: 0,
    }
}
