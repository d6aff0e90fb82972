//! The works that the paper cites and the works that those cite, found by printed identifiers and by title.

use futures_util::future::join_all;
use precedent_domain::{
    AsOf, Document, Paper, Query, Reference, ReferenceList, Scope, SentRecord, SetAside, SetAsideReason, Timing, Work,
    WorkId,
};
use precedent_sources::{MergedHit, fuse, merge};
use serde::{Deserialize, Serialize};

use crate::retrieve::citations::{CitationGraph, CitationOptions, citation_graph};
use crate::retrieve::search::{
    SearchOutcome, SelfMatcher, document_of, doubt_date, not_before, note_failure, put_alone, reports, timing,
};
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "points.references",
    version: 3,
};
/// Results checked per reference, and words of the reference in the query.
const LIMIT: usize = 8;
const WORDS: usize = 40;

/// A reference of the paper that a source has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Direct {
    pub(super) number: u32,
    pub(super) work: Work,
    pub(super) found_by: Vec<String>,
    pub(super) timing: Timing,
    pub(super) document: Document,
}

/// A work that references of the paper cite.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SecondOrder {
    pub(super) work: Work,
    pub(super) found_by: Vec<String>,
    pub(super) timing: Timing,
    pub(super) document: Document,
    /// Number of the paper's references that cite it.
    pub(super) cited_by: u32,
}

/// What was found for the reference list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Directs {
    works: Vec<Direct>,
    set_aside: Vec<SetAside>,
    /// Failures: source name and reason.
    failures: Vec<(String, String)>,
}

/// The literature found through the reference list.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct CitedWorks {
    /// Works cited by the paper that the search did not find, by reference number.
    pub(super) references: Vec<Direct>,
    /// Works cited by these and other references, most often cited first, then newest.
    pub(super) second: Vec<SecondOrder>,
    pub(super) set_aside: Vec<SetAside>,
    /// Failures: source name and reason.
    pub(super) failures: Vec<(String, String)>,
    /// What was sent to find them.
    pub(super) sent: Vec<SentRecord>,
    /// Records of the known references, by number.
    pub(super) known: Vec<(u32, Work)>,
}

/// Looks up every entry of the reference list, and at most `most` works that the references cite. Services that support it are queried by names and
/// titles, local sources by title. A source that just failed to answer is skipped.
///
/// # Errors
/// If the ledger fails.
pub(super) async fn cited_works(
    paper: &Paper,
    found: &SearchOutcome,
    as_of: Option<&AsOf>,
    most: usize,
    world: &World,
) -> Result<CitedWorks> {
    if paper.references.is_empty() {
        return Ok(CitedWorks::default());
    }
    let graph = graph(paper, found, as_of, most, world).await?;
    let directs = directs(paper, found, &graph, as_of, world).await?;
    let of_paper = |work: &Work| timing(work, as_of, not_before(paper));
    let second = graph.second.iter().map(|one| {
        let mut work = one.hit.work.clone();
        doubt_date(&mut work, as_of, not_before(paper));
        SecondOrder {
            timing: of_paper(&work),
            document: Document::from_abstract(&work.title, work.summary.as_deref()),
            work,
            found_by: vec![one.hit.source.clone()],
            cited_by: u32::try_from(one.cited_by.len()).unwrap_or(u32::MAX),
        }
    });
    Ok(CitedWorks {
        references: directs.works,
        second: second.filter(|one| one.timing != Timing::Later).collect(),
        set_aside: directs.set_aside,
        failures: graph.failures.iter().cloned().chain(directs.failures).collect(),
        known: graph
            .references
            .iter()
            .map(|one| (one.number, one.hit.work.clone()))
            .collect(),
        sent: graph.sent,
    })
}

async fn graph(
    paper: &Paper,
    found: &SearchOutcome,
    as_of: Option<&AsOf>,
    most: usize,
    world: &World,
) -> Result<CitationGraph> {
    let silent = |name: &str| found.sources.iter().any(|one| one.name == name && one.answered == 0);
    let mut world = world.clone();
    world.sources.retain(|source| !silent(source.name()));
    let options = CitationOptions {
        // Never fewer than usual, because the number of records looked up determines which equally cited works are known to be the newest.
        second: most.max(CitationOptions::LITERATURE.second),
        // Local sources are searched more thoroughly below.
        local: false,
        ..CitationOptions::LITERATURE
    };
    citation_graph(paper, as_of.map(|as_of| as_of.date), options, &world).await
}

/// Looks up every entry of the reference list that the search did not find.
async fn directs(
    paper: &Paper,
    found: &SearchOutcome,
    graph: &CitationGraph,
    as_of: Option<&AsOf>,
    world: &World,
) -> Result<Directs> {
    let known: Vec<u32> = found.candidates.iter().filter_map(|one| one.cited_as).collect();
    let open: Vec<&Reference> = paper
        .references
        .iter()
        .filter(|reference| !known.contains(&reference.number))
        .collect();
    let asked: Vec<(String, Option<String>)> = world
        .sources
        .iter()
        .map(|source| (source.name().to_owned(), source.revision()))
        .collect();
    let input = (
        &paper.origin.sha256,
        &paper.references,
        &known,
        &graph.references,
        as_of,
        asked,
    );
    world
        .stage(STAGE, &input, look_up(paper, &open, graph, as_of, world))
        .await
}

async fn look_up(
    paper: &Paper,
    open: &[&Reference],
    graph: &CitationGraph,
    as_of: Option<&AsOf>,
    world: &World,
) -> Result<Directs> {
    let cited = ReferenceList::new(&paper.references);
    let itself = SelfMatcher::new(paper);
    let date = as_of.map(|as_of| as_of.date);
    let local: Vec<_> = world.sources.iter().filter(|source| source.is_local()).collect();
    let answers = open.iter().map(|reference| {
        let text = reference.title.as_deref().unwrap_or(&reference.text);
        let words: Vec<&str> = text.split_whitespace().take(WORDS).collect();
        let query = Query {
            text: words.join(" "),
            scope: Scope::CoreTask,
            variant: u8::MAX,
        };
        join_all(
            local
                .iter()
                .map(move |source| put_alone(source, query.clone(), date, LIMIT)),
        )
    });
    let answers = join_all(answers).await;
    let mut reports = reports(world);
    let mut found = Directs::default();
    for (reference, answers) in open.iter().zip(answers) {
        let resolved = graph.references.iter().filter(|one| one.number == reference.number);
        let mut rankings: Vec<_> = resolved.map(|one| vec![one.hit.clone()]).collect();
        for (source, answer) in local.iter().zip(answers) {
            match answer {
                Ok(results) => {
                    let mut hits = results.hits;
                    hits.retain(|hit| cited.number(&hit.work) == Some(reference.number));
                    rankings.push(hits);
                }
                Err(reason) => {
                    if let Some(report) = reports.iter_mut().find(|report| report.name == source.name()) {
                        note_failure(report, reason);
                    }
                }
            }
        }
        let Some(MergedHit { mut work, members, .. }) = merge(fuse(&rankings)).into_iter().next() else {
            continue;
        };
        doubt_date(&mut work, as_of, not_before(paper));
        let timing = timing(&work, as_of, not_before(paper));
        if itself.is(&work) {
            continue;
        }
        if timing == Timing::Later {
            found.set_aside.push(later(work));
            continue;
        }
        let document = document_of(&work, &members, &mut reports, world).await;
        found.works.push(Direct {
            number: reference.number,
            work: Work {
                extent: document.extent,
                ..work
            },
            found_by: names(&members),
            timing,
            document,
        });
    }
    found.failures = reports
        .into_iter()
        .flat_map(|report| report.failures.into_iter().map(move |why| (report.name.clone(), why)))
        .collect();
    Ok(found)
}

fn later(work: Work) -> SetAside {
    SetAside {
        id: work.id.clone(),
        date: work.earliest().cloned(),
        url: work.url.clone(),
        title: work.title,
        reason: SetAsideReason::Later,
        scopes: Vec::new(),
        duplicate_of: None,
    }
}

fn names(members: &[(String, WorkId)]) -> Vec<String> {
    let mut names: Vec<String> = members.iter().map(|(source, _)| source.clone()).collect();
    names.sort();
    names.dedup();
    names
}
