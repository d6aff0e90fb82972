use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use precedent_domain::{CameBy, Document, Gap, Hit, PartialDate, Query, Work, WorkId};
use precedent_sources::{Ability, Holdings, Lookup, Relation, SearchResults, Source, SourceError, WorkName};

use super::*;
use crate::World;
use crate::sample::{FixedSource, kelp_paper, work, world_of};

/// A source with records of works and what they cite.
#[derive(Default)]
struct Index {
    works: BTreeMap<String, (Work, Vec<&'static str>)>,
    fails: bool,
    recommends: bool,
    asked: AtomicUsize,
}

impl Index {
    fn with(mut self, id: &str, title: &str, author: &str, date: &str, cites: &[&'static str]) -> Self {
        let one = work(
            &format!("index:{id}"),
            title,
            author,
            Some(date),
            "What kelp does in swell.",
        );
        self.works.insert(id.to_owned(), (one, cites.to_vec()));
        self
    }

    fn of(&self, name: &WorkName) -> Option<&(Work, Vec<&'static str>)> {
        self.works.values().find(|(work, _)| WorkName::of(work).contains(name))
    }

    fn answer(&self) -> Result<(), SourceError> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        match self.fails {
            false => Ok(()),
            true => Err(SourceError::BrokenOff {
                name: "index".to_owned(),
                reason: "the index is down".to_owned(),
            }),
        }
    }
}

#[async_trait]
impl Source for Index {
    fn name(&self) -> &str {
        "index"
    }

    async fn search(&self, _: &Query, _: Option<PartialDate>, _: usize) -> Result<SearchResults, SourceError> {
        Ok(SearchResults::default())
    }

    async fn document(&self, _: &Work) -> Result<Option<Document>, SourceError> {
        Ok(None)
    }

    fn can(&self, ability: Ability) -> bool {
        let more = matches!(ability, Ability::Recommended | Ability::Citing);
        matches!(ability, Ability::LookUp | Ability::References) || self.recommends && more
    }

    async fn related(
        &self,
        relation: &Relation<'_>,
        as_of: Option<PartialDate>,
        _: usize,
    ) -> Result<SearchResults, SourceError> {
        self.answer()?;
        assert!(as_of.is_some(), "requests must have an end date");
        let ids = match relation {
            Relation::Recommended(WorkName::Arxiv(_)) => vec!["new"],
            // Accepts only its own records.
            Relation::RecommendedBeside(names) => {
                assert!(
                    names.iter().all(|name| matches!(name, WorkName::Record(_))),
                    "{names:?}"
                );
                vec!["old", "new", "roy"]
            }
            Relation::Citing(WorkName::Arxiv(_)) => vec!["x"],
            other => panic!("{other:?}"),
        };
        let hit = |id: &str| Hit {
            work: self.works[id].0.clone(),
            score: 1.0,
            source: "index".to_owned(),
        };
        Ok(ids.into_iter().map(hit).collect())
    }

    async fn look_up(&self, names: &[WorkName]) -> Result<Lookup<Work>, SourceError> {
        self.answer()?;
        Ok(names
            .iter()
            .map(|name| self.of(name).map(|(work, _)| work.clone()))
            .collect())
    }

    async fn references(&self, names: &[WorkName]) -> Result<Lookup<Vec<WorkName>>, SourceError> {
        self.answer()?;
        let named = |id: &&str| WorkName::Record(format!("index:{id}").parse().unwrap());
        let list = |name: &WorkName| self.of(name).map(|(_, cites)| cites.iter().map(named).collect());
        Ok(names.iter().map(list).collect())
    }

    fn holdings(&self) -> Holdings {
        Holdings::default()
    }
}

/// The kelp paper, its two references, a work that shares only its title with the first, and what these cite.
fn index() -> Index {
    let mut index = Index::default()
        .with(
            "self",
            "KelpCast: Forecasting Kelp Harvests from Satellite Colour and Swell",
            "Elin Marsh",
            "2024-05-17",
            &["fake", "dorn", "roy"],
        )
        .with(
            "fake",
            "Growth forecasting for kelp farms from satellite colour",
            "Zed Other",
            "2016",
            &["x"],
        )
        .with(
            "dorn",
            "Growth Forecasting for Kelp Farms from Satellite Colour",
            "Hanna Dorn",
            "2016",
            &["old", "both", "roy"],
        )
        .with(
            "roy",
            "Swell records of three coasts",
            "Bob Roy",
            "2019-03",
            &["both", "new", "late", "self", "nobody"],
        )
        .with("both", "Kelp and what it weighs", "Ann Lee", "1999", &[])
        .with("old", "Colour of the sea from above", "Bo Sund", "2001", &[])
        .with("new", "Swell by lamp", "Cy Tan", "2015", &[])
        .with("late", "Kelp after the paper", "Di Rao", "2025", &[])
        .with("x", "What only the stranger cites", "Ed Poe", "2000", &[]);
    if let Some((own, _)) = index.works.get_mut("self") {
        own.identifiers.arxiv = Some("2405.00001".parse().unwrap());
    }
    index
}

async fn world(index: Index) -> (World, Arc<Index>) {
    let index = Arc::new(index);
    let mut world = world_of(vec![]).await;
    world.sources = vec![Arc::clone(&index) as Arc<dyn Source>];
    (world, index)
}

fn ids(hits: impl Iterator<Item = Hit>) -> Vec<String> {
    hits.map(|hit| hit.work.id.to_string()).collect()
}

#[tokio::test]
async fn references_are_resolved_and_second_order_works_are_sorted_by_co_citation_then_recency() {
    let (world, index) = world(index()).await;
    let mut paper = kelp_paper();
    paper.identifiers.arxiv = Some("2405.00001".parse().unwrap());
    let as_of = Some("2024-05-17".parse().unwrap());
    let graph = citation_graph(&paper, as_of, CitationOptions::LITERATURE, &world)
        .await
        .unwrap();
    let resolved: Vec<(u32, String)> = graph
        .references
        .iter()
        .map(|one| (one.number, one.hit.work.id.to_string()))
        .collect();
    assert_eq!(resolved, [(1, "index:dorn".to_owned()), (2, "index:roy".to_owned())]);
    assert!(
        graph
            .references
            .iter()
            .all(|one| one.certainty == Certainty::TitleAuthorYear)
    );
    assert!(graph.unresolved.is_empty() && graph.failures.is_empty());
    // Works cited by both references first, then newest. No reference, no later work, and not the paper.
    assert_eq!(
        ids(graph.second.iter().map(|one| one.hit.clone())),
        ["index:both", "index:new", "index:old"]
    );
    assert_eq!(graph.second.first().unwrap().cited_by, [1, 2]);
    // The second call reads the ledger.
    let asked = index.asked.load(Ordering::SeqCst);
    let again = citation_graph(&paper, as_of, CitationOptions::LITERATURE, &world)
        .await
        .unwrap();
    assert_eq!(graph, again);
    assert_eq!(index.asked.load(Ordering::SeqCst), asked);
    // The capacity limits the result.
    let few = CitationOptions {
        second: 1,
        ..CitationOptions::LITERATURE
    };
    let graph = citation_graph(&paper, as_of, few, &world).await.unwrap();
    assert_eq!(ids(graph.second.into_iter().map(|one| one.hit)), ["index:both"]);
}

#[tokio::test]
async fn a_printed_identifier_counts_only_if_the_title_matches() {
    let mut index = index();
    for (id, doi) in [("dorn", "10.5555/dorn"), ("both", "10.5555/slip")] {
        index.works.get_mut(id).unwrap().0.identifiers.doi = Some(doi.parse().unwrap());
    }
    let (world, _) = world(index).await;
    let mut paper = kelp_paper();
    paper.references[0].identifiers.doi = Some("10.5555/dorn".parse().unwrap());
    paper.references[1].identifiers.doi = Some("10.5555/slip".parse().unwrap());
    let graph = citation_graph(&paper, None, CitationOptions::SEARCH, &world)
        .await
        .unwrap();
    assert_eq!(graph.references.len(), 1);
    assert_eq!(graph.references[0].certainty, Certainty::Identifier);
    assert_eq!(graph.unresolved, [2], "the wrong identifier must not match");
    let (references, matched) = (2, 1);
    assert_eq!(
        graph.not_searched[0].gap,
        Some(Gap::ReferencesNotMatched { references, matched })
    );
}

#[tokio::test]
async fn sources_without_citations_are_skipped_and_failures_are_recorded() {
    let paper = kelp_paper();
    let world_without = world_of(vec![FixedSource::new(vec![])]).await;
    let graph = citation_graph(&paper, None, CitationOptions::SEARCH, &world_without)
        .await
        .unwrap();
    assert_eq!(graph.unresolved, [1, 2]);
    assert_eq!(graph.not_searched[0].gap, Some(Gap::NoCitationData));
    let (world, index) = world(Index { fails: true, ..index() }).await;
    let mut paper = paper;
    paper.identifiers.arxiv = Some("2405.00001".parse().unwrap());
    for _ in 0..2 {
        let graph = citation_graph(&paper, None, CitationOptions::SEARCH, &world)
            .await
            .unwrap();
        assert!(
            graph
                .failures
                .iter()
                .all(|(name, why)| name == "index" && why.contains("is down"))
        );
        assert!(!graph.failures.is_empty());
    }
    assert_eq!(index.asked.load(Ordering::SeqCst), 2, "a failure is not cached");
}

#[tokio::test]
async fn a_corpus_on_this_machine_resolves_references_by_their_titles() {
    let fixed_source = FixedSource {
        local: true,
        ..FixedSource::new(crate::sample::kelp_works())
    };
    let world = world_of(vec![fixed_source]).await;
    let graph = citation_graph(&kelp_paper(), None, CitationOptions::LITERATURE, &world)
        .await
        .unwrap();
    let found = ids(graph.references.into_iter().map(|one| one.hit));
    assert_eq!(found, ["k:dorn", "k:roy"]);
}

#[tokio::test]
async fn recommended_and_citing_works_enter_the_search_with_their_origin() {
    let mut paper = kelp_paper();
    paper.identifiers.arxiv = Some("2405.00001".parse().unwrap());
    let as_of = Some("2024-05-17".parse().unwrap());
    let (world, _) = world(Index {
        recommends: true,
        ..index()
    })
    .await;
    let graph = citation_graph(&paper, as_of, CitationOptions::SEARCH, &world)
        .await
        .unwrap();
    assert!(graph.failures.is_empty(), "{:?}", graph.failures);
    let of = |id: &str| -> Vec<(String, WorkId)> { vec![("index".into(), format!("index:{id}").parse().unwrap())] };
    let came = |id: &str| graph.came_by(&of(id));
    assert_eq!(came("new"), [CameBy::Recommended, CameBy::RecommendedByReferences]);
    assert_eq!(came("old"), [CameBy::RecommendedByReferences]);
    assert_eq!(
        came("roy"),
        [CameBy::Reference { number: 2 }, CameBy::RecommendedByReferences]
    );
    assert_eq!(came("x"), [CameBy::CitesPaper]);
    let ranked: Vec<Vec<String>> = graph
        .rankings(&paper)
        .into_iter()
        .map(|hits| ids(hits.into_iter()))
        .collect();
    for list in [
        vec!["index:new"],
        vec!["index:old", "index:new", "index:roy"],
        vec!["index:x"],
    ] {
        let list: Vec<String> = list.into_iter().map(str::to_owned).collect();
        assert!(ranked.contains(&list), "{list:?} of {ranked:?}");
    }
    // No such requests for a literature base.
    let graph = citation_graph(&paper, as_of, CitationOptions::LITERATURE, &world)
        .await
        .unwrap();
    assert!(graph.recommended.is_empty() && graph.recommended_by_references.is_empty() && graph.citing.is_empty());
}
