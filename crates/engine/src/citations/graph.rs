use std::sync::Arc;

use precedent_domain::{Hit, NotSearched, NotSearchedKind, Paper, PartialDate, SentRecord};
use precedent_sources::{Ability, Relation, Source, WorkName};
use serde::{Deserialize, Serialize};

use super::resolve::{resolve, unresolved};
use super::second::second_order;
use crate::stages::search::{Answer, Results, in_plain_words, related_alone};
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "citations",
    version: 3,
};

/// Fewest references that works are asked for beside: one alone says little of the paper.
const FEWEST_BESIDE: usize = 2;

/// How it is told that some references were not followed.
pub(crate) const NOT_FOLLOWED: &str = "Of the paper's";

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CitationOptions {
    /// Most works that the references cite. None are looked for with 0.
    pub second: usize,
    /// Most works that cite the paper. None are looked for with 0.
    pub citing: usize,
    /// Most works that are recommended beside the paper, and beside its references. None are looked for with 0.
    pub recommended: usize,
    /// Whether sources on this machine are searched for the titles of references.
    pub local: bool,
    /// Most references whose title a service is asked for, one question each, where nothing else tells which work they are. Only services that ask nothing for it
    /// are.
    pub titles: usize,
}

impl CitationOptions {
    /// For finding prior work: few questions, and nothing that a search of the same sources would find anyway.
    pub const SEARCH: Self = Self {
        second: 50,
        citing: 50,
        recommended: 50,
        local: false,
        titles: 0,
    };
    /// For a base of literature that a report rests on (NoveltyAgent, 3.1: all references, and what they cite up to a capacity of 200).
    pub const LITERATURE: Self = Self {
        second: 200,
        citing: 0,
        recommended: 0,
        local: true,
        titles: 40,
    };
}

/// The citations around a paper.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CitationGraph {
    /// The references that were resolved, in the order of the paper's list.
    pub references: Vec<ResolvedReference>,
    /// Numbers of the references that were not: no source knows for sure which works they are.
    pub unresolved: Vec<u32>,
    /// Works that the references cite and the paper does not, most often cited first, of equals the newest; nothing surely later than the paper.
    pub second: Vec<SecondOrder>,
    /// Works that cite the paper; nothing surely later than it.
    pub citing: Vec<Hit>,
    /// Works that are recommended beside the paper, a source's after the other's.
    #[serde(default)]
    pub recommended: Vec<Vec<Hit>>,
    /// The same beside the works that it cites.
    #[serde(default)]
    pub recommended_by_references: Vec<Vec<Hit>>,
    /// Records of citing and recommended works that are dated after the paper, for comparing dates.
    #[serde(default)]
    pub later: Vec<Hit>,
    /// What failed: name of the source, and why.
    pub failures: Vec<(String, String)>,
    /// What was not looked for or not found, in words.
    pub not_searched: Vec<NotSearched>,
    /// What was sent for it. Empty where it was made on the way of a search, which tells it.
    pub sent: Vec<SentRecord>,
}

/// A reference with the work that it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResolvedReference {
    /// Its number in the paper's list.
    pub number: u32,
    /// The work, as a source knows it.
    pub hit: Hit,
    /// What makes it sure.
    pub certainty: Certainty,
}

/// What tells which work a reference is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// A printed identifier, and the title of the work so named stands in the reference.
    Identifier,
    /// Title, an author and the year of the work stand in the reference.
    TitleAuthorYear,
}

/// A work that references of the paper cite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SecondOrder {
    /// The work, as a source knows it.
    pub hit: Hit,
    /// Numbers of the references that cite it, in order.
    pub cited_by: Vec<u32>,
}

impl CitationGraph {
    fn lasts(&self) -> bool {
        self.failures.is_empty()
    }

    /// Notes what failed and what is dated later; returns the hits, where any request was answered.
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

/// The citations around `paper`, as far as the world's sources can tell them. Sources that cannot are not asked; where none can, the graph is empty and says so.
/// Kept in the ledger as a stage of its own; what was answered once is not asked again, by a search of the same run either.
///
/// # Errors
/// When the ledger fails. A source that fails is written down, and the rest goes on.
pub async fn citation_graph(
    paper: &Paper,
    as_of: Option<PartialDate>,
    options: CitationOptions,
    world: &World,
) -> Result<CitationGraph> {
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
            not_searched: vec![nobody()],
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
}

fn sent(world: &World) -> Vec<SentRecord> {
    world.sources.iter().filter_map(|source| source.sent()).collect()
}

/// What was sent since `before`, to each host.
fn since(before: &[SentRecord], now: Vec<SentRecord>) -> Vec<SentRecord> {
    let earlier = |one: &SentRecord| {
        let known = before.iter().find(|other| other.host == one.host);
        known.map_or((0, 0), |known| (known.requests, known.bytes))
    };
    let newly = now.into_iter().map(|one| {
        let (requests, bytes) = earlier(&one);
        let bytes = one.bytes.saturating_sub(bytes);
        SentRecord {
            what: format!("names and titles of works that the paper cites, {bytes} bytes, to follow citations"),
            requests: one.requests.saturating_sub(requests),
            bytes,
            host: one.host,
        }
    });
    newly.filter(|one| one.requests > 0).collect()
}

fn nobody() -> NotSearched {
    NotSearched {
        kind: NotSearchedKind::SourceNotAsked,
        message: "No source that was named can tell what works cite; references were not followed.".to_owned(),
        scope: None,
    }
}

/// As [`citation_graph`], not kept. Sources that are `away`, by name, are not asked: who answered nothing a moment ago answers nothing now.
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
        graph.not_searched.push(NotSearched {
            kind: NotSearchedKind::SourcePart,
            message: format!(
                "{NOT_FOLLOWED} {} references, {} could be told for sure to be works that the sources know; the others were not followed.",
                paper.references.len(),
                graph.references.len()
            ),
            scope: None,
        });
    }
    world.progress.note(&format!(
        "{} of {} references known, {} works that they cite",
        graph.references.len(),
        paper.references.len(),
        graph.second.len()
    ));
    graph
}

/// Works that cite the paper, from every source that knows it under its own identifiers.
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

/// Works that sources recommend beside the paper, where it has a name that they know, and beside those of its references that they have records of.
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

/// Whether a source failed before: it is then left alone, for the next question would wait as long.
pub(super) fn has_failed(failures: &[(String, String)], source: &Arc<dyn Source>) -> bool {
    failures.iter().any(|(name, _)| name == source.name())
}

pub(super) fn plain(mut hit: Hit) -> Hit {
    in_plain_words(&mut hit.work);
    hit
}
