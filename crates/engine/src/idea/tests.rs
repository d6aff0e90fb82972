use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use precedent_corpus::{Embedder, EncodeError, TextKind, VectorCache};
use precedent_domain::{
    Facet, FacetOrigin, FacetStatus, Gap, LeanKind, NoveltyVerdict, SetAsideReason, Timing, VerdictGrounds, Work,
};

use super::*;
use crate::EngineError;
use crate::sample::{FixedSource, kelp_paper, kelp_works, work, world_of};

const IDEA: &str = "Forecast kelp harvests from satellite colour and swell records of the same week, so that farms can plan their boats. \
A seasonal regression would join both records. It would be evaluated on three coasts against forecasts without swell.";

fn local(works: Vec<Work>) -> FixedSource {
    FixedSource {
        local: true,
        ..FixedSource::new(works)
    }
}

async fn held(text: &str, options: IdeaOptions, works: Vec<Work>) -> precedent_domain::IdeaAssessment {
    let world = world_of(vec![local(works)]).await;
    idea(&Idea::new(text), &options, &world).await.unwrap()
}

#[tokio::test]
async fn without_a_model_similarity_alone_decides_nothing() {
    let found = held(IDEA, IdeaOptions::default(), kelp_works()).await;
    assert_eq!(found.verdict.verdict, NoveltyVerdict::Undecided);
    assert!(found.verdict.against.is_empty() && found.verdict.reasoning.is_none());
    assert!(found.works.len() >= 5 && found.works.iter().all(|one| one.timing == Timing::Earlier));
    assert!(!found.idea.facets.is_empty());
    for one in &found.works {
        assert_eq!(one.facets.len(), found.idea.facets.len());
        assert!(
            one.facets
                .iter()
                .all(|facet| facet.status != FacetStatus::Different && !facet.by_model)
        );
    }
    let limits = &found.metadata.not_searched;
    for gap in [Gap::NoModel, Gap::IdeaUndated] {
        assert!(limits.iter().any(|one| one.gap.as_ref() == Some(&gap)), "{limits:#?}");
    }
    // A second run gives the same result, byte for byte.
    let again = held(IDEA, IdeaOptions::default(), kelp_works()).await;
    assert_eq!(
        serde_json::to_string(&found).unwrap(),
        serde_json::to_string(&again).unwrap()
    );
}

#[tokio::test]
async fn without_a_model_a_report_suggests_and_shows_passages_and_next_searches() {
    let found = held(IDEA, IdeaOptions::default(), kelp_works()).await;
    let lean = found.lean.as_ref().unwrap();
    assert!(
        !lean.facets_are_certain && lean.kind != LeanKind::FieldNotCovered,
        "{lean:?}"
    );
    for one in &found.works {
        let passage = one.passage.as_ref().unwrap();
        let text = precedent_domain::Document::from_abstract(&one.work.title, one.work.summary.as_deref()).text;
        assert!(text.contains(passage.text()), "{passage:?}");
    }
    let with_passage = found
        .works
        .iter()
        .flat_map(|one| &one.facets)
        .filter(|one| one.passage.is_some())
        .count();
    let cells = found.works.len() * found.idea.facets.len();
    // A third of the cells of these short abstracts; two thirds in a corpus of 64,361 abstracts (docs/ideas.md).
    assert!(with_passage * 3 > cells, "{with_passage} of {cells}");
    let searched: Vec<&str> = found.metadata.queries.iter().map(|one| one.text.as_str()).collect();
    for next in &found.next_searches {
        assert!(!searched.contains(&next.query.as_str()), "{next:?}");
        for number in &next.words_of {
            assert!(found.works.iter().any(|one| one.number == *number));
        }
    }
}

#[tokio::test]
async fn facets_that_the_user_states_replace_those_found_and_make_the_lean_certain() {
    let stated = Idea {
        stated: [
            (Facet::Purpose, "plan the boats of kelp farms".to_owned()),
            (Facet::Mechanism, "seasonal regression".to_owned()),
        ]
        .into(),
        ..Idea::new(IDEA)
    };
    let world = world_of(vec![local(kelp_works())]).await;
    let found = idea(&stated, &IdeaOptions::default(), &world).await.unwrap();
    let of = |facet| found.idea.facets.iter().find(|one| one.facet == facet).unwrap();
    assert_eq!(of(Facet::Purpose).quote.text(), "plan the boats of kelp farms");
    assert_eq!(of(Facet::Mechanism).quote.text(), "seasonal regression");
    assert_eq!(of(Facet::Mechanism).origin, Some(FacetOrigin::User));
    assert!(found.lean.unwrap().facets_are_certain);
    // What the idea did not say is appended, so quotes still point into its text.
    assert!(found.idea.document.text.ends_with("plan the boats of kelp farms"));
}

#[tokio::test]
async fn a_search_without_a_part_differs_from_the_complete_one_as_the_part_says() {
    let mut asked = Vec::new();
    for ablation in Ablation::ALL {
        let fixed_source = local(kelp_works());
        let queries = Arc::clone(&fixed_source.asked);
        let world = world_of(vec![fixed_source]).await;
        let options = IdeaOptions {
            ablation,
            ..IdeaOptions::default()
        };
        let found = idea(&Idea::new(IDEA), &options, &world).await.unwrap();
        assert!(!found.works.is_empty(), "{ablation:?}");
        let is_whole = |text: &String| text.split_whitespace().count() > 25;
        let queries = queries.lock().unwrap();
        asked.push((queries.iter().any(|text| !is_whole(text)), queries.iter().any(is_whole)));
    }
    // Short queries and the whole idea, in the order of `Ablation::ALL`.
    assert_eq!(
        asked,
        [(true, true), (true, true), (true, true), (false, true), (true, false)]
    );
}

/// A model that fails on its first call.
struct Late(AtomicUsize);

impl Embedder for Late {
    fn name(&self) -> &str {
        "late"
    }

    fn embed(&self, texts: &[&str], _: TextKind) -> std::result::Result<Vec<Vec<f32>>, EncodeError> {
        match self.0.fetch_add(1, Ordering::Relaxed) {
            0 => Err(EncodeError::Answer {
                model: "late".to_owned(),
                reason: "it sleeps".to_owned(),
            }),
            _ => Ok(texts.iter().map(|text| vec![1.0, text.len() as f32]).collect()),
        }
    }
}

#[tokio::test]
async fn a_failed_embedding_model_is_reported_and_tried_again_by_the_next_run() {
    let dir = tempfile::tempdir().unwrap();
    let kept = Arc::new(VectorCache::open(dir.path(), "late"));
    let options = IdeaOptions {
        embedder: Some((Arc::new(Late(AtomicUsize::new(0))), kept)),
        ..IdeaOptions::default()
    };
    let world = world_of(vec![local(kelp_works())]).await;
    let failures = |found: &precedent_domain::IdeaAssessment| {
        let limits = found.metadata.not_searched.iter();
        limits
            .filter(|one| matches!(&one.gap, Some(Gap::RankingModelFailed { model, .. }) if model == "late"))
            .count()
    };
    let first = idea(&Idea::new(IDEA), &options, &world).await.unwrap();
    assert_eq!(
        (first.ranking.similarity_by.as_str(), failures(&first)),
        ("vectors of terms", 1)
    );
    let second = idea(&Idea::new(IDEA), &options, &world).await.unwrap();
    assert_eq!((second.ranking.similarity_by.as_str(), failures(&second)), ("late", 0));
}

#[tokio::test]
async fn an_idea_found_word_for_word_in_a_paper_is_not_novel_and_the_paper_is_named() {
    let mut works = kelp_works();
    works.push(work(
        "k:copy",
        "Planning boats by forecasts",
        "Rut Lie",
        Some("2010"),
        &format!("We did this. {IDEA}"),
    ));
    let found = held(IDEA, IdeaOptions::default(), works.clone()).await;
    assert_eq!(found.verdict.verdict, NoveltyVerdict::NotNovel, "{:#?}", found.verdict);
    let against = found.verdict.against.first().unwrap();
    let one = found.works.iter().find(|one| one.number == against.work).unwrap();
    assert_eq!(one.work.id.as_str(), "k:copy");
    assert!(!against.facets.is_empty() && one.facets.iter().all(|facet| facet.passage.is_some()));
    // A copy from after the date is excluded, and one of the same year decides nothing.
    for (date, verdict) in [("2005", None), ("2010", Some(Timing::SameYear))] {
        let options = IdeaOptions {
            as_of: Some(date.parse().unwrap()),
            ..IdeaOptions::default()
        };
        let found = held(IDEA, options, works.clone()).await;
        assert_eq!(found.verdict.verdict, NoveltyVerdict::Undecided, "{date}");
        let there = found.works.iter().find(|one| one.work.id.as_str() == "k:copy");
        assert_eq!(there.map(|one| one.timing), verdict, "{date}");
    }
}

#[tokio::test]
async fn a_disputed_date_does_not_make_an_idea_not_novel() {
    let copy = |source: &str, date: &str| {
        let text = format!("We did this. {IDEA}");
        let mut one = work(
            &format!("{source}:copy"),
            "Planning boats by seasonal forecasts",
            "Rut Lie",
            Some(date),
            &text,
        );
        one.dates[0].origin = precedent_domain::DateOrigin::Record(source.into());
        one
    };
    let options = IdeaOptions {
        as_of: Some("2012-06-15".parse().unwrap()),
        ..IdeaOptions::default()
    };
    let early = || ("a", "2012-01-05");
    for (others, verdict) in [
        (vec![], NoveltyVerdict::NotNovel),
        (vec![("b", "2012-11-20")], NoveltyVerdict::Undecided),
        (vec![("b", "2012-11-20"), ("c", "2012-01")], NoveltyVerdict::NotNovel),
    ] {
        let fixed_sources = std::iter::once(early()).chain(others).map(|(source, date)| {
            let mut fixed_source = FixedSource::new(vec![copy(source, date)]);
            fixed_source.name = source.to_owned();
            fixed_source
        });
        let world = world_of(fixed_sources.collect()).await;
        let found = idea(&Idea::new(IDEA), &options, &world).await.unwrap();
        assert_eq!(found.verdict.verdict, verdict, "{:#?}", found.verdict);
        let one = found.works.first().unwrap();
        let is_doubted = one
            .work
            .doubts
            .iter()
            .any(|doubt| matches!(doubt, precedent_domain::Doubt::Date { .. }));
        assert_eq!(is_doubted, verdict == NoveltyVerdict::Undecided, "{one:#?}");
    }
}

#[tokio::test]
async fn the_paper_of_the_idea_is_excluded_and_shown() {
    let options = IdeaOptions {
        own: Some(kelp_paper()),
        ..IdeaOptions::default()
    };
    let found = held(IDEA, options, kelp_works()).await;
    assert!(found.works.iter().all(|one| one.work.id.as_str() != "k:self"));
    let aside: Vec<_> = found
        .set_aside
        .iter()
        .map(|one| (one.id.as_str(), one.reason))
        .collect();
    // The idea has the date of its paper.
    assert_eq!(
        aside,
        [("k:self", SetAsideReason::SameWork), ("k:later", SetAsideReason::Later)]
    );
    assert_eq!(found.metadata.as_of.unwrap().date, kelp_paper().dates[0].date);
}

#[tokio::test]
async fn papers_without_title_or_abstract_are_dropped_and_counted() {
    let mut works = kelp_works();
    works.push(work(
        "k:bare",
        "Forecast of kelp harvests by swell and satellite colour",
        "A B",
        Some("2001"),
        "",
    ));
    let found = held(IDEA, IdeaOptions::default(), works).await;
    assert_eq!(found.ranking.without_text, 1);
    assert!(found.works.iter().all(|one| one.work.id.as_str() != "k:bare"));
}

#[tokio::test]
async fn remote_sources_get_only_short_queries() {
    let (near, far) = (
        local(kelp_works()),
        FixedSource {
            name: "far".into(),
            ..FixedSource::new(kelp_works())
        },
    );
    let (asked_near, asked_far) = (Arc::clone(&near.asked), Arc::clone(&far.asked));
    let world = world_of(vec![near, far]).await;
    let options = IdeaOptions {
        seeds: vec![Seed {
            names: Vec::new(),
            title: "Kelp and boats".into(),
            summary: "Boats that wait for kelp. ".repeat(20),
        }],
        ..IdeaOptions::default()
    };
    let found = idea(&Idea::new(IDEA), &options, &world).await.unwrap();
    let words = |text: &String| text.split_whitespace().count();
    assert!(
        asked_far.lock().unwrap().iter().all(|text| words(text) <= 25),
        "{asked_far:?}"
    );
    assert!(asked_near.lock().unwrap().iter().any(|text| words(text) > 40));
    let own_text: Vec<bool> = found.metadata.sources.iter().map(|one| one.own_text).collect();
    assert_eq!(own_text, [true, false]);
}

#[tokio::test]
async fn given_papers_are_compared_and_nothing_is_searched() {
    let options = IdeaOptions {
        given: Some(kelp_works()),
        ..IdeaOptions::default()
    };
    let world = world_of(vec![]).await;
    let found = idea(&Idea::new(IDEA), &options, &world).await.unwrap();
    assert_eq!(found.works.len(), kelp_works().len());
    assert!(matches!(
        found.metadata.not_searched[0].gap,
        Some(Gap::GivenPapersOnly { .. })
    ));
}

#[tokio::test]
async fn an_idea_without_words_and_a_search_without_sources_are_errors() {
    let world = world_of(vec![local(kelp_works())]).await;
    for text in ["", "  \n", "…"] {
        let error = idea(&Idea::new(text), &IdeaOptions::default(), &world)
            .await
            .unwrap_err();
        assert!(matches!(error, EngineError::EmptyIdea), "{text:?}");
    }
    let long = Idea {
        stated: std::collections::BTreeMap::from([(Facet::Purpose, "tide ".repeat(4_001))]),
        ..Idea::new(IDEA)
    };
    let error = idea(&long, &IdeaOptions::default(), &world).await.unwrap_err();
    assert!(matches!(error, EngineError::FacetTooLong { .. }), "{error}");
    let nowhere = world_of(vec![]).await;
    let error = idea(&Idea::new(IDEA), &IdeaOptions::default(), &nowhere)
        .await
        .unwrap_err();
    assert!(matches!(error, EngineError::NothingSearched { .. }));
    let broken = world_of(vec![FixedSource {
        fails: true,
        ..local(kelp_works())
    }])
    .await;
    let error = idea(&Idea::new(IDEA), &IdeaOptions::default(), &broken)
        .await
        .unwrap_err();
    assert!(matches!(error, EngineError::NothingSearched { failures } if failures.len() == 1));
}

#[tokio::test]
async fn an_idea_that_says_too_little_is_undecided_for_that_reason() {
    for text in ["x", "machine learning", "kelp"] {
        let found = held(text, IdeaOptions::default(), kelp_works()).await;
        assert!(
            matches!(found.verdict.coded_grounds, Some(VerdictGrounds::TooShort { .. })),
            "{text}: {:?}",
            found.verdict
        );
    }
}

#[tokio::test]
async fn hostile_ideas_terminate_undecided() {
    for text in [
        "<script>alert(1)</script> kelp kelp kelp",
        "{{ mark }} kelp harvests of swell",
        "绳索 kelp 阻尼",
        &"kelp swell ".repeat(4_000),
    ] {
        let found = held(text, IdeaOptions::default(), kelp_works()).await;
        assert_eq!(found.verdict.verdict, NoveltyVerdict::Undecided);
    }
}
