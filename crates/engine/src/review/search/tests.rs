use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use precedent_corpus::{EncodeError, Reranker};
use precedent_domain::{AsOf, DateOrigin, Document, EvidenceKind, KnowledgeRole, PartialDate, Query, Timing, Work};
use precedent_sources::{Holdings, SearchResults, Source, SourceError};

use super::super::cutoff::CutoffPolicy;
use super::super::fakes::{IDEA, kinded, options, three_kinds, world_with};
use super::super::material::{ReviewInput, ReviewOptions};
use super::super::parts::read;
use super::{Found, search};
use crate::EngineError;
use crate::extract::Idea;
use crate::sample::{FixedSource, work};

fn at(date: &str) -> AsOf {
    AsOf {
        date: date.parse().unwrap(),
        origin: DateOrigin::Given,
    }
}

#[tokio::test]
async fn a_failed_source_is_reported_and_the_others_are_searched() {
    let mut broken = kinded("web", EvidenceKind::Web);
    broken.fixed_source.fails = true;
    let world = world_with(vec![kinded("papers", EvidenceKind::Literature), broken]).await;
    let input = ReviewInput::Idea(Idea::new(IDEA));
    let subject = read(&input, &world).await.unwrap();
    let found = search(&subject, None, &options(), &world).await.unwrap();
    let report = found.sources.iter().find(|one| one.name == "web").unwrap();
    assert_eq!((report.answered, report.failures.len()), (0, 1));
    assert!(found.nearest.iter().all(|one| one.kind == EvidenceKind::Literature));
    assert!(!found.nearest.is_empty());
    let mut all = kinded("papers", EvidenceKind::Literature);
    all.fixed_source.fails = true;
    for sources in [vec![], vec![all]] {
        let world = world_with(sources).await;
        let error = search(&subject, None, &options(), &world).await.unwrap_err();
        assert!(matches!(error, EngineError::NothingSearched { .. }));
    }
}

#[tokio::test]
async fn rounds_end_when_one_finds_nothing_new_and_no_query_is_sent_twice() {
    let papers = kinded("papers", EvidenceKind::Literature);
    let asked = std::sync::Arc::clone(&papers.fixed_source.asked);
    let world = world_with(vec![papers]).await;
    let input = ReviewInput::Idea(Idea::new(IDEA));
    let subject = read(&input, &world).await.unwrap();
    let found = search(&subject, None, &options(), &world).await.unwrap();
    assert!((2..=3).contains(&found.rounds.len()), "{:#?}", found.rounds);
    assert!(found.rounds[0].kept > 0 && found.rounds[0].new >= found.rounds[0].kept);
    let last = found.rounds.last().unwrap();
    assert!(last.new == 0 || found.rounds.len() == 3);
    let put = asked.lock().unwrap().clone();
    let mut once = put.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), put.len(), "{put:#?}");
}

/// A source that finds, for each query, the most similar paper and one that it never returned before.
struct EverNew(AtomicUsize);

#[async_trait]
impl Source for EverNew {
    fn name(&self) -> &str {
        "papers"
    }

    async fn search(
        &self,
        query: &Query,
        as_of: Option<PartialDate>,
        limit: usize,
    ) -> Result<SearchResults, SourceError> {
        let number = self.0.fetch_add(1, Ordering::SeqCst);
        let far = format!("Ferry timetable number {number}");
        FixedSource::new(vec![
            work(
                "p:near",
                "Departures of ferries by the current",
                "C D",
                Some("2002"),
                IDEA,
            ),
            work(
                &format!("p:far{number}"),
                &far,
                "A B",
                Some("2001"),
                IDEA.split('.').next().unwrap_or_default(),
            ),
        ])
        .search(query, as_of, limit)
        .await
    }

    async fn document(&self, _: &Work) -> Result<Option<Document>, SourceError> {
        Ok(None)
    }

    fn holdings(&self) -> Holdings {
        Holdings::default()
    }
}

#[tokio::test]
async fn a_round_that_finds_something_new_is_followed_by_another_also_if_none_of_it_is_kept() {
    let mut world = world_with(vec![]).await;
    world.sources = vec![std::sync::Arc::new(EverNew(AtomicUsize::new(0)))];
    let input = ReviewInput::Idea(Idea::new(IDEA));
    let subject = read(&input, &world).await.unwrap();
    let options = ReviewOptions { keep: 1, ..options() };
    let found = search(&subject, None, &options, &world).await.unwrap();
    let rounds: Vec<(bool, usize)> = found.rounds.iter().map(|one| (one.new > 0, one.kept)).collect();
    assert_eq!(rounds, [(true, 1), (true, 0), (true, 0)]);
}

#[tokio::test]
async fn remote_sources_get_only_short_queries() {
    let mut near = kinded("papers", EvidenceKind::Literature);
    near.fixed_source.local = true;
    let far = kinded("pages", EvidenceKind::Web);
    let (asked_near, asked_far) = (near.fixed_source.asked.clone(), far.fixed_source.asked.clone());
    let world = world_with(vec![near, far]).await;
    let input = ReviewInput::Idea(Idea::new(IDEA));
    let subject = read(&input, &world).await.unwrap();
    search(&subject, Some(&at("2020")), &options(), &world).await.unwrap();
    let words = |text: &String| text.split_whitespace().count();
    assert!(asked_far.lock().unwrap().iter().all(|text| words(text) <= 12));
    assert!(asked_near.lock().unwrap().iter().any(|text| words(text) > 40));
}

#[tokio::test]
async fn records_of_one_kind_are_ordered_by_similarity() {
    let mut papers = kinded("papers", EvidenceKind::Literature);
    papers.fixed_source = FixedSource {
        name: "papers".into(),
        ..FixedSource::new(vec![
            work(
                "p:far",
                "Ferries of the world in pictures",
                "A B",
                Some("2001"),
                "Pictures of ferries and fjords, and of passengers.",
            ),
            work(
                "p:near",
                "Departures of fjord ferries by the current",
                "C D",
                Some("2002"),
                "Departures of ferries in narrow fjords are shifted by the predicted current so that crossings burn less fuel.",
            ),
        ])
    };
    let world = world_with(vec![papers]).await;
    let input = ReviewInput::Idea(Idea::new(IDEA));
    let subject = read(&input, &world).await.unwrap();
    let found = search(&subject, None, &options(), &world).await.unwrap();
    let ids: Vec<&str> = found.nearest.iter().map(|one| one.work.id.as_str()).collect();
    assert_eq!(ids, ["p:near", "p:far"]);
    assert!(found.nearest[0].score > found.nearest[1].score && found.nearest.iter().all(|one| one.judged.is_none()));
}

/// Scores later texts higher in its first calls, and fails in the others.
struct Backwards {
    calls: AtomicUsize,
    answers: usize,
}

impl Reranker for Backwards {
    fn name(&self) -> &str {
        "backwards"
    }

    fn rerank(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, EncodeError> {
        assert!(IDEA.starts_with(query) && texts.iter().all(|text| !text.is_empty()));
        let scores = (0_u16..).map(f32::from).take(texts.len()).collect();
        match self.calls.fetch_add(1, Ordering::SeqCst) < self.answers {
            true => Ok(scores),
            false => Err(EncodeError::Answer {
                model: "backwards".into(),
                reason: "it sleeps".into(),
            }),
        }
    }
}

#[tokio::test]
async fn a_reranker_orders_the_candidates_of_each_kind_and_a_failure_leaves_their_order() {
    let input = ReviewInput::Idea(Idea::new(IDEA));
    let plain = {
        let world = three_kinds().await;
        let subject = read(&input, &world).await.unwrap();
        search(&subject, None, &options(), &world).await.unwrap()
    };
    let ids = |found: &Found| -> Vec<String> {
        found
            .nearest
            .iter()
            .map(|one| one.work.id.as_str().to_owned())
            .collect()
    };
    for (answers, rounds) in [(usize::MAX, 1), (1, 1), (0, 3)] {
        let world = three_kinds().await;
        let subject = read(&input, &world).await.unwrap();
        let reranker = std::sync::Arc::new(Backwards {
            calls: AtomicUsize::new(0),
            answers,
        });
        let options = ReviewOptions {
            rounds,
            reranker: Some(reranker.clone()),
            ..options()
        };
        let found = search(&subject, None, &options, &world).await.unwrap();
        if answers < 3 {
            assert!(found.nearest.iter().all(|one| one.reranked.is_none()));
            assert_eq!(
                ids(&found),
                ids(&plain),
                "also if one kind was ordered before the failure"
            );
            assert!(found.reranker.is_none() && found.reranker_failed.is_some());
            let calls = reranker.calls.load(Ordering::SeqCst);
            assert_eq!(calls, answers + 1, "a reranker that failed is not called again");
            continue;
        }
        assert_eq!(found.reranker.as_deref(), Some("backwards"));
        for of_kind in found.nearest.chunk_by(|one, next| one.kind == next.kind) {
            let places: Vec<u32> = of_kind.iter().map(|one| one.reranked.unwrap().place).collect();
            assert_eq!(places, (1..).take(places.len()).collect::<Vec<_>>());
            assert!(of_kind.is_sorted_by(|one, next| one.score >= next.score));
            assert!(of_kind.is_sorted_by(|one, next| one.semantic <= next.semantic));
        }
    }
}

fn dated(date: Option<PartialDate>) -> Work {
    let date = date.map(|date| date.to_string());
    work("w:1", "T", "A B", date.as_deref(), "S")
}

proptest::proptest! {
    /// Certainly later work is only for suggestions, undated or overlapping work is marked, and only certainly earlier work is evidence.
    #[test]
    fn the_date_rule_holds_for_every_record(
        (wy, wm, wd) in (2015_u16..2026, proptest::option::of(1_u8..=12), proptest::option::of(1_u8..=28)),
        (py, pm, pd) in (2015_u16..2026, proptest::option::of(1_u8..=12), proptest::option::of(1_u8..=28)),
        is_dated in proptest::bool::ANY,
    ) {
        let date = |year, month: Option<u8>, day: Option<u8>| PartialDate::new(year, month, month.and(day)).unwrap();
        let (own, theirs) = (date(py, pm, pd), date(wy, wm, wd));
        let as_of = AsOf { date: own, origin: DateOrigin::Given };
        let cutoff = CutoffPolicy::new(Some(&as_of), None);
        let work = dated(is_dated.then_some(theirs));
        let role = cutoff.role(&work);
        if !is_dated {
            proptest::prop_assert_eq!(role, KnowledgeRole::Marked);
        } else if theirs.first_day() > own.last_day() {
            proptest::prop_assert_eq!(role, KnowledgeRole::Suggests);
        } else {
            proptest::prop_assert_ne!(role, KnowledgeRole::Suggests);
            proptest::prop_assert!(role != KnowledgeRole::Grounds || theirs.last_day() < own.first_day());
        }
        proptest::prop_assert_eq!(role, KnowledgeRole::of(cutoff.timing(&work)));
        proptest::prop_assert_eq!(CutoffPolicy::new(None, None).timing(&work), Timing::Earlier);
    }
}
