use std::sync::Arc;

use futures_util::future::BoxFuture;
use precedent_domain::{Gap, Hit, NotSearched, Paper, PartialDate, SentContent, SentRecord};
use precedent_sources::{Ability, Relation, Source, WorkName};
use serde::{Deserialize, Serialize};

use super::found::{CitationOptions, ResolvedReference, SecondOrder, has_failed};
use super::resolve::{resolve, unresolved};
use super::second::second_order;
use crate::retrieve::search::{Answer, Results, related_alone};
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "citations",
    version: 4,
};

/// Minimum number of references for a recommendation request. A single reference says little about the paper.
const FEWEST_BESIDE: usize = 2;

/// The citations around a paper.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CitationGraph {
    /// Resolved references, in the order of the paper's list.
    pub references: Vec<ResolvedReference>,
    /// Numbers of the references that no source could identify with certainty.
    pub unresolved: Vec<u32>,
    /// Works cited by the references but not by the paper, most often cited first, then newest. Excludes works certainly later than the paper.
    pub second: Vec<SecondOrder>,
    /// Works that cite the paper. Excludes works certainly later than the paper.
    pub citing: Vec<Hit>,
    /// Works recommended for the paper, one list per source.
    #[serde(default)]
    pub recommended: Vec<Vec<Hit>>,
    /// Works recommended for the paper's references, one list per source.
    #[serde(default)]
    pub recommended_by_references: Vec<Vec<Hit>>,
    /// Records of citing and recommended works dated after the paper, kept for comparing dates.
    #[serde(default)]
    pub later: Vec<Hit>,
    /// Failures: source name and reason.
    pub failures: Vec<(String, String)>,
    /// What was not searched or not found.
    pub not_searched: Vec<NotSearched>,
    /// What was sent to build it. Empty when it was built during a search, which reports it instead.
    pub sent: Vec<SentRecord>,
}

impl CitationGraph {
    fn lasts(&self) -> bool {
        self.failures.is_empty()
    }

    /// Records the failure and the later-dated works; returns the hits if any request was answered.
    fn take(&mut self, source: &Arc<dyn Source>, answer: Answer<Results>) -> Option<Vec<Hit>> {
        let (found, failure) = match answer {
            Ok(mut results) => {
                self.later.append(&mut results.later);
                (Some(results.hits), results.failure)
            }
            Err(reason) => (None, Some(reason)),
        };
        self.failures
            .extend(failure.map(|reason| (source.name().to_owned(), reason)));
        found
    }
}

/// The citations around `paper` that the world's sources provide. Sources without citation data are skipped. If none has any, the graph is empty and
/// says so. Cached in the ledger as a stage of its own. Requests already answered are not repeated, not even by a search in the same run.
///
/// # Errors
/// If the ledger fails. A source failure is recorded in the graph, and the other sources are still used.
pub fn citation_graph<'a>(
    paper: &'a Paper,
    as_of: Option<PartialDate>,
    options: CitationOptions,
    world: &'a World,
) -> BoxFuture<'a, Result<CitationGraph>> {
    Box::pin(async move {
        let can = |source: &&Arc<dyn Source>| {
            [Ability::LookUp, Ability::References, Ability::Citing]
                .into_iter()
                .any(|ability| source.can(ability))
                || options.local && source.is_local()
        };
        let asked: Vec<(&str, Option<String>)> = world
            .sources
            .iter()
            .filter(can)
            .map(|source| (source.name(), source.revision()))
            .collect();
        if asked.is_empty() {
            return Ok(CitationGraph {
                unresolved: paper.references.iter().map(|reference| reference.number).collect(),
                not_searched: vec![Gap::NoCitationData.into()],
                ..CitationGraph::default()
            });
        }
        let input = (
            &paper.references,
            &paper.identifiers,
            &paper.title,
            &paper.authors,
            as_of,
            options,
            asked,
        );
        let work = async {
            let before = sent(world);
            let mut graph = follow(paper, as_of, options, &[], world).await;
            graph.sent = since(&before, sent(world));
            Ok(graph)
        };
        world.stage_where(STAGE, &input, CitationGraph::lasts, work).await
    })
}

fn sent(world: &World) -> Vec<SentRecord> {
    world.sources.iter().filter_map(|source| source.sent()).collect()
}

/// What was sent to each host since `before`.
fn since(before: &[SentRecord], now: Vec<SentRecord>) -> Vec<SentRecord> {
    let earlier = |one: &SentRecord| {
        let known = before.iter().find(|other| other.host == one.host);
        known.map_or((0, 0), |known| (known.requests, known.bytes))
    };
    let newly = now.into_iter().map(|one| {
        let (requests, bytes) = earlier(&one);
        let bytes = one.bytes.saturating_sub(bytes);
        SentRecord {
            what: String::new(),
            requests: one.requests.saturating_sub(requests),
            bytes,
            host: one.host,
            content: Some(SentContent::CitedPapers),
        }
    });
    newly.filter(|one| one.requests > 0).collect()
}

/// Like [`citation_graph`], but not cached. Skips the sources named in `away`, which just failed to answer.
pub(crate) async fn follow(
    paper: &Paper,
    as_of: Option<PartialDate>,
    options: CitationOptions,
    away: &[String],
    world: &World,
) -> CitationGraph {
    let mut graph = CitationGraph::default();
    let is_here = |source: &&Arc<dyn Source>| away.iter().all(|name| name != source.name());
    let here: Vec<Arc<dyn Source>> = world.sources.iter().filter(is_here).cloned().collect();
    graph.references = resolve(paper, options, &mut graph.failures, &here).await;
    graph.unresolved = unresolved(paper, &graph.references);
    if options.second > 0 {
        let known = &graph.references;
        graph.second = second_order(paper, as_of, options.second, known, &mut graph.failures, &here).await;
    }
    if options.citing > 0 {
        citing(paper, as_of, options.citing, &mut graph, &here).await;
    }
    if options.recommended > 0 {
        recommended(paper, as_of, options.recommended, &mut graph, &here).await;
    }
    if !graph.unresolved.is_empty() {
        let (references, matched) = (paper.references.len(), graph.references.len());
        let gap = match here.iter().any(|source| source.can(Ability::References)) {
            true => Gap::ReferencesNotMatched { references, matched },
            // Nothing that these sources know could be followed.
            false => Gap::ReferencesNotInSources {
                missing: references.saturating_sub(matched),
                references,
            },
        };
        graph.not_searched.push(gap.into());
    }
    world.progress.note(&format!(
        "{} of {} references matched, {} papers cited by them",
        graph.references.len(),
        paper.references.len(),
        graph.second.len()
    ));
    graph
}

/// Works that cite the paper, from every source that knows one of its identifiers.
async fn citing(
    paper: &Paper,
    as_of: Option<PartialDate>,
    most: usize,
    graph: &mut CitationGraph,
    sources: &[Arc<dyn Source>],
) {
    let Some(own) = WorkName::of_identifiers(&paper.identifiers).into_iter().next() else {
        return;
    };
    for source in sources.iter().filter(|source| source.can(Ability::Citing)) {
        if has_failed(&graph.failures, source) {
            continue;
        }
        let own = own.clone();
        let ask = |source: Arc<dyn Source>| async move { source.related(&Relation::Citing(&own), as_of, most).await };
        let found = related_alone(source, ask).await;
        if let Some(hits) = graph.take(source, found) {
            graph.citing.extend(hits);
        }
    }
}

/// Works that sources recommend for the paper, if it has an identifier, and for those of its references that the source itself resolved.
async fn recommended(
    paper: &Paper,
    as_of: Option<PartialDate>,
    most: usize,
    graph: &mut CitationGraph,
    sources: &[Arc<dyn Source>],
) {
    let own = WorkName::of_identifiers(&paper.identifiers).into_iter().next();
    for source in sources.iter().filter(|source| source.can(Ability::Recommended)) {
        if let Some(own) = own.clone().filter(|_| !has_failed(&graph.failures, source)) {
            let ask = |source: Arc<dyn Source>| async move {
                source.related(&Relation::Recommended(&own), as_of, most).await
            };
            let found = related_alone(source, ask).await;
            if let Some(hits) = graph.take(source, found) {
                graph.recommended.push(hits);
            }
        }
        let held = graph.references.iter().filter(|one| one.hit.source == source.name());
        let beside: Vec<WorkName> = held.map(|one| WorkName::Record(one.hit.work.id.clone())).collect();
        if beside.len() < FEWEST_BESIDE || has_failed(&graph.failures, source) {
            continue;
        }
        let ask = |source: Arc<dyn Source>| async move {
            source.related(&Relation::RecommendedBeside(&beside), as_of, most).await
        };
        let found = related_alone(source, ask).await;
        if let Some(hits) = graph.take(source, found) {
            graph.recommended_by_references.push(hits);
        }
    }
}
