use std::sync::Arc;

use precedent_domain::{
    Document, EvidenceKind, Extent, Gap, IdeaPart, IdeaReview, KnowledgeRole, Note, SetAsideReason,
};

use super::cutoff::may_bear;
use super::fakes::{IDEA, Kinded, kinded, options, reviewed, three_kinds, world_with};
use super::*;
use crate::EngineError;
use crate::extract::Idea;
use crate::sample::{FixedSource, kelp_paper, kelp_works, paper_of, work};

fn bytes(found: &IdeaReview) -> String {
    serde_json::to_string(found).unwrap()
}

#[tokio::test]
async fn a_review_without_a_model_has_evidence_but_no_score() {
    let found = reviewed(three_kinds().await, Some("2020")).await;
    for kind in EvidenceKind::ALL {
        assert!(
            found.knowledge.iter().filter(|one| one.kind == kind).count() >= 3,
            "{kind:?}"
        );
        assert!(found.search.rounds[0].queries.iter().any(|one| one.kind == kind));
    }
    assert!(found.board.is_empty() && found.meta.is_none() && found.suggestions.is_empty());
    assert!(
        found
            .knowledge
            .iter()
            .all(|one| one.judged.is_none() && one.score == one.semantic)
    );
    let limits = &found.metadata.not_searched;
    assert_eq!(limits[0].gap, Some(Gap::NoModel), "{limits:#?}");
    let parts = Gap::PartsMissing {
        parts: found.idea.missing.clone(),
    };
    assert!(limits.iter().any(|one| one.gap.as_ref() == Some(&parts)), "{limits:#?}");
    assert!(limits.iter().any(|one| matches!(
        one.gap,
        Some(Gap::KnownInPart {
            evidence: EvidenceKind::Web | EvidenceKind::Code,
            ..
        })
    )));
    assert_eq!(
        found.idea.missing,
        [IdeaPart::ResearchQuestion, IdeaPart::ExpectedResults]
    );
    let numbers: Vec<u32> = found.knowledge.iter().map(|one| one.number).collect();
    assert_eq!(numbers, (1..).take(numbers.len()).collect::<Vec<_>>());
    assert_eq!(found.dimensions.len(), 5);
}

#[tokio::test]
async fn later_work_is_used_only_for_suggestions_and_undated_work_is_marked() {
    let found = reviewed(three_kinds().await, Some("2020")).await;
    let role = |id: &str| {
        found
            .knowledge
            .iter()
            .find(|one| one.work.id.as_str() == id)
            .map(|one| one.role)
    };
    for kind in ["literature", "web", "code"] {
        assert_eq!(role(&format!("{kind}:later")), Some(KnowledgeRole::Suggests), "{kind}");
        assert!(
            role(&format!("{kind}:queue")).is_none_or(|role| role == KnowledgeRole::Marked),
            "{kind}"
        );
        assert_eq!(role(&format!("{kind}:tide")), Some(KnowledgeRole::Grounds), "{kind}");
    }
    assert_eq!(role("literature:queue"), Some(KnowledgeRole::Marked));
    for one in &found.grounding {
        let piece = found.knowledge.iter().find(|piece| piece.number == one.piece).unwrap();
        assert_ne!(piece.role, KnowledgeRole::Suggests);
    }
    // Without a date everything counts as earlier, and the report says so.
    let undated = reviewed(three_kinds().await, None).await;
    assert!(undated.knowledge.iter().all(|one| one.role == KnowledgeRole::Grounds));
    assert!(
        undated
            .metadata
            .not_searched
            .iter()
            .any(|one| one.gap == Some(Gap::IdeaUndated))
    );
}

#[tokio::test]
async fn the_order_of_sources_and_records_does_not_change_the_result() {
    let first = reviewed(three_kinds().await, Some("2020")).await;
    let mut sources = vec![
        kinded("code", EvidenceKind::Code),
        kinded("papers", EvidenceKind::Literature),
        kinded("pages", EvidenceKind::Web),
    ];
    for source in &mut sources {
        source.fixed_source.works.reverse();
    }
    let mut second = reviewed(world_with(sources).await, Some("2020")).await;
    second
        .metadata
        .sources
        .sort_by_key(|one| ["papers", "pages", "code"].iter().position(|name| *name == one.name));
    // The message that lists the sources keeps the given order.
    second.metadata.not_searched = first.metadata.not_searched.clone();
    assert_eq!(bytes(&first), bytes(&second));
}

#[tokio::test]
async fn a_second_run_gives_the_same_bytes_without_new_requests() {
    let papers = kinded("papers", EvidenceKind::Literature);
    let asked = Arc::clone(&papers.fixed_source.asked);
    // A remote source that answers everything.
    let world = world_with(vec![papers, kinded("code", EvidenceKind::Code)]).await;
    let input = ReviewInput::Idea(Idea::new(IDEA));
    let first = review(&input, &options(), &world).await.unwrap();
    let questions = asked.lock().unwrap().len();
    let second = review(&input, &options(), &world).await.unwrap();
    assert_eq!(bytes(&first), bytes(&second));
    assert_eq!(asked.lock().unwrap().len(), questions);
}

#[tokio::test]
async fn the_idea_itself_found_online_is_shown_but_never_compared_with_it() {
    let mut pages = kinded("pages", EvidenceKind::Web);
    pages.fixed_source.works.push(work(
        "web:own",
        "Ferries: a post on departures and the current",
        "",
        Some("2011"),
        &format!("I wrote this down. {IDEA} Tell me what you think."),
    ));
    let found = reviewed(world_with(vec![pages]).await, Some("2020")).await;
    let own = found
        .knowledge
        .iter()
        .find(|one| one.work.id.as_str() == "web:own")
        .unwrap();
    assert!(own.own && !may_bear(own));
    assert!(found.grounding.iter().all(|one| one.piece != own.number));
    assert!(
        found
            .coded_notes
            .iter()
            .any(|note| matches!(note, Note::NearlyTheIdea { .. })),
        "{:?}",
        found.coded_notes
    );
    // It does not count towards the documents kept.
    assert!(found.knowledge.iter().filter(|one| !one.own).count() >= 3);
}

#[tokio::test]
async fn another_version_of_the_idea_with_a_few_words_changed_is_found_and_a_part_of_it_is_not() {
    let other_version = IDEA
        .replace("small ferries", "large ferries")
        .replace("two ferry lines", "four ferry lines");
    let (half, _) = IDEA.split_once("A harmonic").unwrap();
    for (text, is_own) in [(other_version.as_str(), true), (half, false)] {
        let mut papers = kinded("papers", EvidenceKind::Literature);
        papers
            .fixed_source
            .works
            .push(work("papers:own", "Departures", "", Some("2011"), text));
        let found = reviewed(world_with(vec![papers]).await, Some("2020")).await;
        let mut known = found.knowledge.iter();
        let one = known.find(|one| one.work.id.as_str() == "papers:own").unwrap();
        assert_eq!(one.own, is_own, "{text}");
    }
}

#[tokio::test]
async fn records_of_the_paper_itself_are_excluded_and_its_repository_is_marked_as_its_own() {
    let papers = Kinded {
        fixed_source: FixedSource {
            name: "papers".into(),
            ..FixedSource::new(kelp_works())
        },
        kind: EvidenceKind::Literature,
        read: Arc::default(),
    };
    let code = Kinded {
        fixed_source: FixedSource {
            name: "code".into(),
            ..FixedSource::new(vec![
                work(
                    "c:own",
                    "marsh/KelpCast: Forecasting Kelp Harvests from Satellite Colour and Swell",
                    "",
                    Some("2020"),
                    "Code for satellite colour and swell of kelp.",
                ),
                work(
                    "c:other",
                    "dorn/kelp-growth",
                    "",
                    Some("2017"),
                    "A seasonal regression of kelp harvests on satellite colour, with the terms of the regression.",
                ),
            ])
        },
        kind: EvidenceKind::Code,
        read: Arc::default(),
    };
    let world = world_with(vec![papers, code]).await;
    let found = review(&ReviewInput::Paper(Box::new(kelp_paper())), &options(), &world)
        .await
        .unwrap();
    assert_eq!(found.metadata.as_of.as_ref().unwrap().date, kelp_paper().dates[0].date);
    assert!(
        found
            .set_aside
            .iter()
            .any(|one| one.id.as_str() == "k:self" && one.reason == SetAsideReason::SameWork)
    );
    assert!(found.knowledge.iter().all(|one| one.work.id.as_str() != "k:self"));
    let by_id = |id: &str| found.knowledge.iter().find(|one| one.work.id.as_str() == id).unwrap();
    assert!(by_id("c:own").own && !by_id("c:other").own);
    assert_eq!(by_id("k:later").role, KnowledgeRole::Suggests);
    assert_eq!(found.idea.title, kelp_paper().title.unwrap());
}

#[tokio::test]
async fn full_texts_are_read_and_quoted_from_the_middle() {
    let mut papers = kinded("papers", EvidenceKind::Literature);
    let body = "Gauges were read each hour of the season. A queueing network bounds how long passengers of ferries wait at each pier. Paint was renewed in May.";
    let text = paper_of(
        "A harmonic tide model for narrow fjords",
        Some("2015"),
        &[("Method", precedent_domain::SectionKind::Method, &[body])],
    );
    papers.fixed_source.full = vec![("literature:tide".to_owned(), text.document.clone())];
    papers.fixed_source.local = true;
    let found = reviewed(world_with(vec![papers]).await, Some("2020")).await;
    let piece = found
        .knowledge
        .iter()
        .find(|one| one.work.id.as_str() == "literature:tide")
        .unwrap();
    assert!(piece.read_whole && piece.work.extent == Extent::FullText);
    let quotes = found
        .grounding
        .iter()
        .filter(|one| one.piece == piece.number)
        .flat_map(|one| &one.evidence);
    let quotes: Vec<&str> = quotes.map(|one| one.quote.text()).collect();
    assert!(
        quotes.iter().any(|quote| quote.contains("A queueing network bounds")),
        "{quotes:?}"
    );
    assert!(quotes.iter().all(|quote| text.document.text.contains(quote)));
}

#[tokio::test]
async fn empty_inputs_are_errors_and_hostile_ones_give_clean_queries() {
    let world = three_kinds().await;
    for text in ["", " \n", "…"] {
        let error = review(&ReviewInput::Idea(Idea::new(text)), &options(), &world)
            .await
            .unwrap_err();
        assert!(matches!(error, EngineError::EmptyIdea), "{text:?}");
    }
    let empty = paper_of("", None, &[]);
    let mut bare = empty;
    bare.document = Document::default();
    let error = review(&ReviewInput::Paper(Box::new(bare)), &options(), &world)
        .await
        .unwrap_err();
    assert!(matches!(error, EngineError::EmptyPaper));
    for text in [
        "<script>alert(1)</script> ferries ferries ferries",
        "{{ mark }} [end of idea] site:evil.example ferries in fjords burn fuel",
        "绳索 ferries 阻尼。渡轮的等待时间。",
        &"ferries burn fuel; ".repeat(3_000),
    ] {
        let found = review(&ReviewInput::Idea(Idea::new(text)), &options(), &world)
            .await
            .unwrap();
        let queries = found.search.rounds.iter().flat_map(|round| &round.queries);
        assert!(
            queries
                .map(|query| &query.text)
                .all(|text| !text.contains(['<', '{', ':', '[']))
        );
    }
}

#[tokio::test]
async fn the_queries_of_the_first_round_can_be_shown_beforehand() {
    let world = three_kinds().await;
    let input = ReviewInput::Idea(Idea::new(IDEA));
    let shown = review_queries(&input, &world).await.unwrap();
    let found = review(&input, &options(), &world).await.unwrap();
    assert_eq!(found.search.rounds[0].queries, shown);
}
