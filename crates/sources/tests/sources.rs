//! Sources as the engine uses them: one trait, fused rankings, merged records.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its corpus has failed")]

use std::sync::Arc;

use precedent_corpus::{Corpus, Record};
use precedent_domain::{Author, DateOrigin, Extent, Hit, PublicationDate, Query, Scope, Work, WorkId};
use precedent_sources::{CorpusSource, Source, SourceError, fuse, kinds, merge, merge_with_later, open};
use proptest::prelude::*;

fn work(id: &str, title: &str, author: &str, date: &str) -> Work {
    Work {
        authors: vec![Author::new(author)],
        dates: vec![PublicationDate {
            date: date.parse().unwrap(),
            origin: DateOrigin::Record("test".into()),
        }],
        ..Work::titled(id.parse().unwrap(), title.into())
    }
}

fn hit(source: &str, work: Work) -> Hit {
    Hit {
        work,
        score: 1.0,
        source: source.into(),
    }
}

fn query(text: &str) -> Query {
    Query {
        text: text.into(),
        scope: Scope::CoreTask,
        variant: 0,
    }
}

fn filled(dir: &std::path::Path) -> Corpus {
    let corpus = Corpus::create_or_open(dir).unwrap();
    let mut writer = corpus.writer().unwrap();
    for (id, title, date) in [
        ("a", "Graph parsing", "2018"),
        ("b", "Graph drawing", "2024-06"),
        ("c", "Cooking", "2018"),
    ] {
        let document = None;
        writer
            .add(Record::new(work(id, title, "Ann Lee", date), document))
            .unwrap();
    }
    writer.commit().unwrap();
    corpus
}

#[tokio::test]
async fn a_corpus_is_a_source() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("mine");
    drop(filled(&folder));
    let source: Arc<dyn Source> = open(&format!("corpus:{}", folder.display())).unwrap();
    assert_eq!(
        source.name(),
        "corpus:mine",
        "the path to it does not leak into reports"
    );
    assert_eq!(
        (source.holdings().works, source.holdings().full_texts),
        (Some(3), Some(0))
    );
    let hits = source.search(&query("graph -parsing OR (x"), None, 10).await.unwrap();
    assert_eq!(
        hits.iter().map(|hit| hit.work.id.as_str()).collect::<Vec<_>>(),
        ["a", "b"]
    );
    assert!(hits.iter().all(|hit| hit.source == "corpus:mine"));
    let early = source
        .search(&query("graph"), Some("2020".parse().unwrap()), 10)
        .await
        .unwrap();
    assert_eq!(early.len(), 1);
    assert_eq!(source.search(&query("graph"), None, 1).await.unwrap().len(), 1);
    assert!(source.search(&query("zymurgy"), None, 10).await.unwrap().is_empty());
    let text = source.document(&hits[0].work).await.unwrap().unwrap();
    assert_eq!(text.text, "Graph parsing");
    let stranger = work("nobody", "Graph parsing", "Ann Lee", "2018");
    assert_eq!(source.document(&stranger).await.unwrap(), None);
    let known_by_another_record = Work {
        also: vec!["b".parse().unwrap()],
        ..stranger
    };
    assert_eq!(
        source.document(&known_by_another_record).await.unwrap().unwrap().text,
        "Graph drawing"
    );
}

#[test]
fn a_missing_source_is_named_in_the_error() {
    assert!(matches!(open("oracle:delphi"), Err(SourceError::Unknown { .. })));
    let error = CorpusSource::open(std::path::Path::new("/nonexistent/mine")).unwrap_err();
    assert_eq!(error.to_string(), "search the corpus corpus:mine");
    let mut ids: Vec<&str> = kinds().iter().map(|kind| kind.id).collect();
    ids.dedup();
    assert_eq!(ids.len(), kinds().len());
    assert!(
        kinds()
            .iter()
            .all(|kind| !kind.about.is_empty() && !kind.leaves_machine)
    );
}

#[test]
fn records_of_one_work_are_merged_and_keep_every_date() {
    let preprint = work("arxiv:1", "Deep parsing: a study", "Lee, Ann", "2018-03-01");
    let mut published = work("acl:1", "Deep Parsing – A Study", "Ann Lee", "2019-07");
    published.summary = Some("We study.".into());
    published.extent = Extent::Abstract;
    published.cited_by = Some(3);
    let mut preprint = preprint;
    preprint.cited_by = Some(8);
    let other = work("acl:2", "Deep parsing: a study", "Bob Roy", "2018");
    let fused = fuse(&[
        vec![hit("one", published), hit("one", other)],
        vec![hit("two", preprint)],
    ]);
    let merged = merge(fused);
    assert_eq!(merged.len(), 2, "a shared title is not the same work");
    let first = &merged[0];
    assert_eq!(
        (first.members.len(), first.found_by.join(" ")),
        (2, "one two".to_owned())
    );
    assert_eq!(first.work.dates.len(), 2);
    assert_eq!(first.work.earliest().unwrap().date.to_string(), "2018-03-01");
    assert_eq!(
        (first.work.extent, first.work.summary.as_deref()),
        (Extent::Abstract, Some("We study."))
    );
    assert_eq!(first.work.also.len(), 1);
    assert_eq!(first.work.cited_by, Some(8), "the record that counts most");
}

#[test]
fn an_abstract_replaces_an_excerpt_of_the_same_paper_and_an_excerpt_never_an_abstract() {
    let with = |id: &str, summary: &str| Work {
        summary: Some(summary.into()),
        extent: Extent::Abstract,
        ..work(id, "Deep parsing: a study", "Ann Lee", "2019")
    };
    let whole = "We study deep parsing, and find that it helps.";
    for excerpt in ["… deep parsing, and find …", "We study deep parsing, and find ..."] {
        for (one, other) in [("a:1", "b:1"), ("b:1", "a:1")] {
            let merged = merge(fuse(&[
                vec![hit("scholar", with(one, excerpt))],
                vec![hit("papers", with(other, whole))],
            ]));
            assert_eq!(merged.len(), 1);
            assert_eq!(merged[0].work.summary.as_deref(), Some(whole), "{excerpt}");
        }
    }
    let alone = merge(fuse(&[vec![hit("scholar", with("a:1", "… deep parsing …"))]]));
    assert_eq!(alone[0].work.summary.as_deref(), Some("… deep parsing …"));
}

#[test]
fn later_records_add_their_dates_and_are_not_results() {
    let title = "Slow rope creep in moored harbour lines";
    let early = hit("a", work("a:1", title, "Ann Lee", "2022-01"));
    let late = hit("b", work("b:1", title, "Ann Lee", "2022-11-20"));
    let other = hit(
        "b",
        work(
            "b:2",
            "Tea prices along the coast and the moon",
            "Bob Roy",
            "2023-01-09",
        ),
    );
    let rankings = [vec![early]];
    let alone = merge(fuse(&rankings));
    let later = [late.clone(), other, late];
    let merged = merge_with_later(fuse(&rankings), &later);
    assert_eq!(merged.len(), 1, "a work known only from later records is not a result");
    assert_eq!(merged[0].score.to_bits(), alone[0].score.to_bits());
    assert_eq!(merged[0].work.id, alone[0].work.id);
    assert_eq!(merged[0].members.len(), 2);
    let dates: Vec<String> = merged[0]
        .work
        .dates
        .iter()
        .map(|dated| dated.date.to_string())
        .collect();
    assert_eq!(dates, ["2022-01", "2022-11-20"]);
    // A record that a search returned does not count as a later record.
    assert_eq!(merge_with_later(fuse(&rankings), &rankings[0]), alone);
}

#[test]
fn works_with_the_same_id_in_two_sources_are_not_mixed() {
    let merged = merge(fuse(&[
        vec![hit("one", work("1", "Graph parsing", "Ann Lee", "2018"))],
        vec![hit("two", work("1", "Cooking", "Bob Roy", "2018"))],
        vec![hit("three", work("1", "Cooking", "", "2018"))],
    ]));
    let found: Vec<(&str, usize)> = merged
        .iter()
        .map(|one| (one.work.title.as_str(), one.members.len()))
        .collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found.contains(&("Graph parsing", 1)) && found.contains(&("Cooking", 2)),
        "{found:?}"
    );
}

#[test]
fn several_good_ranks_beat_one_top_rank() {
    let one = |id: &str| hit("s", work(id, id, "Ann Lee", "2018"));
    let fused = fuse(&[vec![one("a"), one("b")], vec![one("c"), one("b")], vec![one("b")]]);
    let order: Vec<&str> = fused.iter().map(|fused| fused.hit.work.id.as_str()).collect();
    assert_eq!(order, ["b", "a", "c"]);
}

proptest! {
    #[test]
    fn the_order_of_rankings_and_records_does_not_matter(
        picks in proptest::collection::vec((0..12_u32, 0..3_usize), 1..30), turn in 0..30_usize
    ) {
        let one = |n: u32, source: usize| {
            let title = format!("A study of thing {}", n / 3);
            hit(["x", "y", "z"][source], work(&format!("w{n}"), &title, "Ann Lee", &format!("{}", 2010 + n)))
        };
        let mut rankings: Vec<Vec<Hit>> = picks.chunks(3).map(|chunk| chunk.iter().map(|&(n, source)| one(n, source)).collect()).collect();
        let merged = merge(fuse(&rankings));
        let count = rankings.len();
        rankings.rotate_left(turn % count);
        let again = merge(fuse(&rankings));
        prop_assert_eq!(&merged, &again);
        let mut backwards = fuse(&rankings);
        backwards.reverse();
        prop_assert_eq!(&merged, &merge(backwards));
        let ids: Vec<WorkId> = merged.iter().flat_map(|one| one.work.also.iter().chain([&one.work.id]).cloned()).collect();
        let mut unique = ids.clone();
        unique.sort();
        unique.dedup();
        prop_assert_eq!(ids.len(), unique.len(), "every record is in exactly one work");
    }
}

#[test]
fn a_merged_paper_has_venue_and_doi_of_one_publication_and_the_title_that_sources_agree_on() {
    let record = |id: &str, title: &str, venue: &str, doi: &str| {
        let mut work = work(id, title, "Ann Lee", "2021");
        work.venue = Some(venue.to_owned());
        work.identifiers.doi = Some(doi.parse().unwrap());
        work
    };
    let title = "Ropes that creep under load";
    let preprint = record(
        "openalex:W1",
        "Rops that crepe ad",
        "arXiv",
        "10.48550/arXiv.2103.01002",
    );
    let untidy = record("a:1", title, "arXiv.org", "10.5555/rope.7");
    let published = record("b:1", title, "Annual Meeting on Ropes", "10.5555/rope.7");
    let merged = precedent_sources::merge_works([preprint.clone(), untidy.clone(), published]).unwrap();
    assert_eq!(merged.venue.as_deref(), Some("Annual Meeting on Ropes"));
    assert_eq!(merged.identifiers.doi.unwrap().as_str(), "10.5555/rope.7");
    assert_eq!((merged.id.as_str(), merged.title.as_str()), ("openalex:W1", title));
    let merged = precedent_sources::merge_works([preprint.clone(), untidy]).unwrap();
    assert_eq!(merged.venue.as_deref(), Some("arXiv"), "no record names a publication");
    assert_eq!(merged.title, preprint.title, "one title against one");
}
