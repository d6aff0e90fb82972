use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use precedent_domain::{Hit, PartialDate, Reference};
use precedent_sources::{Ability, Holdings, Lookup, Relation, SearchResults, Source, SourceError, WorkName};

use super::*;
use crate::points::{PointsOptions, points};
use crate::sample::{FixedSource, kelp_paper, kelp_works, reference, work, world_of};

fn cited(id: &str, date: Option<&str>, cited_by: u32, timing: Timing) -> SecondOrder {
    SecondOrder {
        work: work(id, id, "A. Author", date, "Some words."),
        found_by: vec![],
        timing,
        document: Document::default(),
        cited_by,
    }
}

#[test]
fn works_cited_by_references_rank_by_citation_count_then_date() {
    let works = vec![
        cited("w:old", Some("2001"), 2, Timing::Earlier),
        cited("w:new", Some("2019"), 2, Timing::Earlier),
        cited("w:undated", None, 2, Timing::Undated),
        cited("w:often", Some("1990"), 5, Timing::Earlier),
        cited("w:later", Some("2099"), 9, Timing::Later),
    ];
    let order: Vec<String> = ranked(works).iter().map(|one| one.work.id.to_string()).collect();
    assert_eq!(order, ["w:often", "w:new", "w:old", "w:undated"]);
}

fn candidate(id: &str, title: &str, came_by: Vec<CameBy>, by_search: bool) -> Candidate {
    let scopes = precedent_domain::ScopeRank {
        scope: precedent_domain::Scope::CoreTask,
        rank: 1,
        relevance: precedent_domain::Relevance::Perfect,
        filled_up: false,
    };
    Candidate {
        came_by,
        scopes: by_search.then_some(scopes).into_iter().collect(),
        ..bare(
            work(id, title, "A. Author", Some("2001"), "Some words."),
            Timing::Earlier,
            vec![],
            None,
        )
    }
}

fn outcome(candidates: Vec<Candidate>) -> SearchOutcome {
    let mut found = Base::default().outcome();
    let text = |number| CandidateText {
        number,
        document: Document::default(),
    };
    found.texts = (1..).take(candidates.len()).map(text).collect();
    found.candidates = candidates;
    found
}

fn ids(base: &Base) -> Vec<&str> {
    base.candidates.iter().map(|one| one.work.id.as_str()).collect()
}

#[test]
fn each_work_appears_once_with_all_its_origins_and_references_come_first() {
    let found = outcome(vec![
        candidate("w:cited", "Cited", vec![CameBy::CitedByReferences { count: 3 }], false),
        candidate("w:found", "Found", vec![], true),
        candidate("w:listed", "Listed", vec![CameBy::Reference { number: 4 }], true),
        candidate("w:both", "Both", vec![], true),
        candidate("w:told", "Told", vec![], true),
    ]);
    let listed_twice = work("s2:told", "Told", "A. Author", Some("2001"), "Some words.");
    let around = CitedWorks {
        second: vec![
            cited("w:both", Some("2001"), 2, Timing::Earlier),
            cited("w:new", Some("2011"), 3, Timing::Earlier),
            cited("w:listed", Some("2001"), 9, Timing::Earlier),
        ],
        known: vec![(2, listed_twice)],
        ..CitedWorks::default()
    };
    let base = together(around.clone(), found.clone(), 200);
    assert_eq!(
        ids(&base),
        ["w:told", "w:listed", "w:found", "w:both", "w:new", "w:cited"]
    );
    assert_eq!(
        base.origins,
        [
            vec![BaseOrigin::Reference { number: 2 }, BaseOrigin::Search { place: 5 }],
            vec![BaseOrigin::Reference { number: 4 }, BaseOrigin::Search { place: 3 }],
            vec![BaseOrigin::Search { place: 2 }],
            vec![BaseOrigin::Search { place: 4 }, BaseOrigin::SecondOrder { cited_by: 2 }],
            vec![BaseOrigin::SecondOrder { cited_by: 3 }],
            vec![BaseOrigin::SecondOrder { cited_by: 3 }],
        ]
    );
    assert_eq!((base.found_references, base.cut), (2, 0));
    // The paper counts towards the capacity. The lowest-ranked work is dropped first, and a reference never.
    let base = together(around.clone(), found.clone(), 6);
    assert_eq!(
        (ids(&base).len(), ids(&base).last().copied(), base.cut),
        (5, Some("w:new"), 1)
    );
    let base = together(around, found, 2);
    assert_eq!((ids(&base), base.cut), (vec!["w:told", "w:listed"], 4));
}

#[test]
fn works_whose_titles_share_a_beginning_are_distinct() {
    let head = "Forecasting the harvests of giant kelp from";
    assert!(head.len() > 40);
    let found = outcome(vec![
        candidate("w:colour", &format!("{head} satellite colour"), vec![], true),
        candidate("w:swell", &format!("{head} records of swell"), vec![], true),
    ]);
    let mut second = cited("w:tea", Some("2001"), 2, Timing::Earlier);
    second.work.title = format!("{head} tea leaves");
    let around = CitedWorks {
        second: vec![second],
        ..CitedWorks::default()
    };
    let base = together(around, found, 200);
    assert_eq!(ids(&base), ["w:colour", "w:swell", "w:tea"]);
}

/// A service that finds works by title and lists their references.
#[derive(Default)]
struct Index {
    works: BTreeMap<String, (Work, Vec<String>)>,
    titles: Mutex<Vec<String>>,
    /// Charges for finding a title.
    charges: bool,
}

impl Index {
    fn put(&mut self, id: &str, title: &str, author: &str, date: &str, cites: Vec<String>) {
        let one = work(
            &format!("index:{id}"),
            title,
            author,
            Some(date),
            &format!("What is known of {title}."),
        );
        self.works.insert(id.to_owned(), (one, cites));
    }

    fn of(&self, name: &WorkName) -> Option<&(Work, Vec<String>)> {
        self.works.values().find(|(work, _)| WorkName::of(work).contains(name))
    }
}

#[async_trait]
impl Source for Index {
    fn name(&self) -> &str {
        "index"
    }

    async fn search(
        &self,
        _: &Query,
        _: Option<PartialDate>,
        _: usize,
    ) -> std::result::Result<SearchResults, SourceError> {
        Ok(SearchResults::default())
    }

    async fn document(&self, _: &Work) -> std::result::Result<Option<Document>, SourceError> {
        Ok(None)
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(ability, Ability::LookUp | Ability::References | Ability::Titled)
    }

    fn asks_nothing(&self, _: Ability) -> bool {
        !self.charges
    }

    async fn related(
        &self,
        relation: &Relation<'_>,
        _: Option<PartialDate>,
        _: usize,
    ) -> std::result::Result<SearchResults, SourceError> {
        let Relation::Titled(title) = relation else {
            return Ok(SearchResults::default());
        };
        self.titles.lock().unwrap().push((*title).to_owned());
        let works = self.works.values().map(|(work, _)| work);
        let same = works.filter(|work| title_key(&work.title) == title_key(title));
        Ok(same
            .map(|work| Hit {
                work: work.clone(),
                score: 1.0,
                source: "index".to_owned(),
            })
            .collect())
    }

    async fn look_up(&self, names: &[WorkName]) -> std::result::Result<Lookup<Work>, SourceError> {
        Ok(names.iter().map(|name| Some(self.of(name)?.0.clone())).collect())
    }

    async fn references(&self, names: &[WorkName]) -> std::result::Result<Lookup<Vec<WorkName>>, SourceError> {
        let named = |id: &String| WorkName::Record(format!("index:{id}").parse().unwrap());
        let list = |name: &WorkName| Some(self.of(name)?.1.iter().map(named).collect());
        Ok(names.iter().map(list).collect())
    }

    fn holdings(&self) -> Holdings {
        Holdings::default()
    }
}

/// The kelp paper with references that no local source has. A service finds them by title and lists 260 works that they cite, the first ten of them
/// twice.
fn around() -> (Paper, Index) {
    let mut paper = kelp_paper();
    let of_list = |number: u32, title: &str, author: &str, year: u16| -> Reference {
        reference(number, &format!("{author}. {title}. {year}."), title, year)
    };
    paper.references.extend([
        of_list(3, "Ropes that bend in the swell of spring", "C. Tan", 2014),
        of_list(4, "Colour of the sea as buoys have it", "D. Rao", 2015),
        of_list(5, "What only the far future knows of kelp", "E. Poe", 2099),
    ]);
    let mut index = Index::default();
    let id = |number: usize| format!("n{number:03}");
    for number in 0..260 {
        let year = 1800 + number % 200;
        index.put(
            &id(number),
            &format!("Study {number} of ropes and buoys and kelp"),
            "Z. Other",
            &year.to_string(),
            vec![],
        );
    }
    index.put("late", "Kelp after the paper was out", "Z. Other", "2025", vec![]);
    let mut first: Vec<String> = (0..260).map(id).collect();
    first.push("late".to_owned());
    index.put("tan", "Ropes that bend in the swell of spring", "C. Tan", "2014", first);
    let second: Vec<String> = (0..10).map(id).chain(["late".to_owned(), "tan".to_owned()]).collect();
    index.put("rao", "Colour of the sea as buoys have it", "D. Rao", "2015", second);
    index.put(
        "poe",
        "What only the far future knows of kelp",
        "E. Poe",
        "2099",
        vec![],
    );
    (paper, index)
}

async fn world(index: Index) -> (World, Arc<Index>) {
    let fixed_source = FixedSource {
        local: true,
        ..FixedSource::new(kelp_works())
    };
    let mut world = world_of(vec![fixed_source]).await;
    let index = Arc::new(index);
    world.sources.push(Arc::clone(&index) as Arc<dyn Source>);
    (world, index)
}

#[tokio::test]
async fn references_are_found_by_title_and_their_citations_fill_the_capacity_in_order() {
    let (paper, index) = around();
    let (world, index) = world(index).await;
    let found = points(&paper, &PointsOptions::default(), &world).await.unwrap();
    let base = &found.base;
    let asked = index.titles.lock().unwrap().clone();
    assert!(
        asked
            .iter()
            .any(|title| title == "Ropes that bend in the swell of spring"),
        "{asked:?}"
    );
    assert_eq!(base.works.len(), 199, "two hundred with the paper");
    assert_eq!((base.listed_references, base.found_references), (5, 4));
    assert!(base.cut > 0);
    let second: Vec<(u32, u16, &str)> = base
        .works
        .iter()
        .filter_map(|one| match one.origins.as_slice() {
            [BaseOrigin::SecondOrder { cited_by }] => Some((*cited_by, one.year.unwrap(), one.id.as_str())),
            _ => None,
        })
        .collect();
    assert_eq!(base.second_order, second.len());
    assert!(second.len() > 150, "{}", second.len());
    assert!(second.iter().take(10).all(|one| one.0 == 2) && second.iter().skip(10).all(|one| one.0 == 1));
    for pair in second.windows(2) {
        assert!((pair[0].0, pair[0].1) >= (pair[1].0, pair[1].1), "{pair:?}");
    }
    // Neither a reference nor a work cited by one is later than the paper.
    for id in ["index:late", "index:poe", "k:later"] {
        assert!(base.works.iter().all(|one| one.id.as_str() != id), "{id}");
    }
    // An earlier date excludes more.
    let options = PointsOptions {
        as_of: Some("1900".parse().unwrap()),
        ..PointsOptions::default()
    };
    let earlier = points(&paper, &options, &world).await.unwrap();
    assert!(
        earlier
            .base
            .works
            .iter()
            .all(|one| one.year.is_none_or(|year| year <= 1900))
    );
    // A second run gives the same result, and the order of citing works does not matter.
    assert_eq!(points(&paper, &PointsOptions::default(), &world).await.unwrap(), found);
}

#[tokio::test]
async fn a_service_that_charges_for_titles_is_not_queried_for_them() {
    let (paper, index) = around();
    let (world, index) = world(Index { charges: true, ..index }).await;
    let found = points(&paper, &PointsOptions::default(), &world).await.unwrap();
    assert!(index.titles.lock().unwrap().is_empty());
    assert_eq!((found.base.found_references, found.base.second_order), (2, 0));
}

#[tokio::test]
async fn a_smaller_capacity_keeps_the_first_works_of_the_same_order() {
    let (paper, index) = around();
    let (world, _) = world(index).await;
    let whole = points(&paper, &PointsOptions::default(), &world).await.unwrap();
    let options = PointsOptions {
        capacity: 20,
        ..PointsOptions::default()
    };
    let few = points(&paper, &options, &world).await.unwrap();
    assert_eq!(few.base.works.len(), 19);
    let first: Vec<_> = whole.base.works.iter().take(19).collect();
    assert_eq!(few.base.works.iter().collect::<Vec<_>>(), first);
}
