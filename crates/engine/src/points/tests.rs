use std::collections::BTreeSet;

use precedent_domain::{BaseOrigin, Gap, Paper, PointsReport, SectionKind, Timing, Work};

use super::{PointsOptions, points};
use crate::World;
use crate::sample::{FixedSource, kelp_paper, kelp_works, paper_of, reference, work, world_of};

async fn world() -> World {
    world_of(vec![FixedSource {
        local: true,
        ..FixedSource::new(kelp_works())
    }])
    .await
}

async fn report(paper: &Paper, world: &World) -> PointsReport {
    points(paper, &PointsOptions::default(), world).await.unwrap()
}

/// Properties of every points report.
fn holds(found: &PointsReport, paper: &Paper, works: &[Work]) {
    assert!(found.points.len() <= 5);
    let numbers: Vec<u32> = found.references.iter().map(|one| one.number).collect();
    assert_eq!(numbers, (1..).take(numbers.len()).collect::<Vec<u32>>());
    let ids: BTreeSet<String> = found.references.iter().map(|one| one.work.id.to_string()).collect();
    assert_eq!(ids.len(), found.references.len(), "each work once");
    for point in &found.points {
        assert!(point.claim.is_in(&paper.document));
        assert_eq!(point.queries.len(), 6, "{:?}", point.queries);
        assert!(point.passages.len() <= 42);
        let apart = |one: &precedent_domain::PointPassage| {
            let base = found.passages.iter().find(|base| base.number == one.passage).unwrap();
            let mut works = found.references.iter();
            works.find(|work| work.number == base.reference).unwrap().timing != Timing::Earlier
        };
        assert!(
            point.passages.iter().map(apart).is_sorted(),
            "certainly earlier works come first"
        );
        for passage in &point.passages {
            let base = found.passages.iter().find(|one| one.number == passage.passage).unwrap();
            assert!(numbers.contains(&base.reference));
            let one = found
                .references
                .iter()
                .find(|one| one.number == base.reference)
                .unwrap();
            assert_ne!(one.timing, Timing::Later);
            let own = works.iter().find(|work| work.id == one.work.id).unwrap();
            let text = format!("{}\n\n{}", own.title, own.summary.as_deref().unwrap_or_default());
            assert!(text.contains(base.text.text()));
            if let Some(nearest) = &passage.nearest {
                assert!(base.text.text().contains(nearest.text()));
                let (outer, inner) = (base.text.span(), nearest.span());
                assert!(outer.start <= inner.start && inner.end <= outer.end);
            }
            assert!(!passage.shown || one.listed && passage.nearest.is_some());
        }
    }
}

#[tokio::test]
async fn points_are_shown_with_passages_that_exist_in_their_sources() {
    let paper = kelp_paper();
    let world = world().await;
    let found = report(&paper, &world).await;
    holds(&found, &paper, &kelp_works());
    assert!(found.points.len() >= 3, "{:#?}", found.points.len());
    assert!(
        found
            .points
            .iter()
            .all(|one| one.class_rule.is_some() && one.analysis.is_none())
    );
    assert!(found.novelty_summary.is_none() && found.content_summary.is_empty() && found.validation.is_none());
    assert!(found.points.iter().any(|one| one.passages.iter().any(|one| one.shown)));
    // Its own references are kept and marked.
    let dorn = found
        .references
        .iter()
        .find(|one| one.work.id.as_str() == "k:dorn")
        .unwrap();
    assert!(dorn.origins.contains(&BaseOrigin::Reference { number: 1 }), "{dorn:?}");
    assert_eq!(found.base.found_references, 2);
    // The paper itself and later works are excluded and appear nowhere else.
    for id in ["k:self", "k:later"] {
        assert!(found.set_aside.iter().any(|one| one.id.as_str() == id), "{id}");
        assert!(found.base.works.iter().all(|one| one.id.as_str() != id), "{id}");
    }
    assert_eq!(report(&paper, &world).await, found, "the same again");
}

#[tokio::test]
async fn a_reference_later_than_the_date_never_appears() {
    let mut paper = kelp_paper();
    paper.references.push(reference(
        3,
        "A. Lee. Deep forecasting of kelp harvests from satellite colour and swell. 2099.",
        "Deep Forecasting of Kelp Harvests from Satellite Colour and Swell",
        2099,
    ));
    let options = PointsOptions {
        as_of: Some("2018".parse().unwrap()),
        ..PointsOptions::default()
    };
    let found = points(&paper, &options, &world().await).await.unwrap();
    for id in ["k:later", "k:roy", "k:open"] {
        assert!(found.base.works.iter().all(|one| one.id.as_str() != id), "{id}");
        assert!(found.references.iter().all(|one| one.work.id.as_str() != id), "{id}");
    }
    assert!(found.references.iter().any(|one| one.work.id.as_str() == "k:dorn"));
}

#[tokio::test]
async fn papers_with_the_same_first_forty_characters_have_separate_bases() {
    let one = kelp_paper();
    let mut other = paper_of(
        "KelpCast: Forecasting Kelp Harvests from Satellite Colour and Tea",
        Some("2024-05-17"),
        &[(
            "Abstract",
            SectionKind::Abstract,
            &[
                "We propose a pricing of tea on island markets that follows the moon and the price of tea of the year before.",
            ],
        )],
    );
    other.origin.sha256 = "f".repeat(64);
    let head = |paper: &Paper| paper.title.clone().unwrap().chars().take(40).collect::<String>();
    assert_eq!(head(&one), head(&other));
    let world = world().await;
    let first = report(&one, &world).await;
    let second = report(&other, &world).await;
    let works =
        |found: &PointsReport| -> Vec<String> { found.base.works.iter().map(|one| one.id.to_string()).collect() };
    assert_ne!(works(&first), works(&second));
    assert_ne!(
        first.points.first().map(|one| &one.claim),
        second.points.first().map(|one| &one.claim)
    );
    // The second paper in a shared ledger gives the same result as with a ledger of its own.
    let alone = report(&other, &self::world().await).await;
    assert_eq!(alone, second);
}

#[tokio::test]
async fn the_order_of_works_in_a_source_does_not_matter() {
    let mut turned = kelp_works();
    turned.reverse();
    let fixed_source = FixedSource {
        local: true,
        ..FixedSource::new(turned)
    };
    let paper = kelp_paper();
    let found = report(&paper, &world_of(vec![fixed_source]).await).await;
    assert_eq!(found, report(&paper, &world().await).await);
}

#[tokio::test]
async fn the_capacity_limits_search_results_but_never_references() {
    let paper = kelp_paper();
    let options = PointsOptions {
        capacity: 2,
        ..PointsOptions::default()
    };
    let found = points(&paper, &options, &world().await).await.unwrap();
    assert_eq!(found.base.works.len(), 2);
    assert!(found.base.cut > 0);
    assert!(
        found
            .base
            .works
            .iter()
            .all(|one| matches!(one.origins.first(), Some(BaseOrigin::Reference { .. })))
    );
}

#[tokio::test]
async fn missing_sources_are_reported_and_failing_ones_are_an_error() {
    let paper = kelp_paper();
    let found = report(&paper, &world_of(vec![]).await).await;
    assert!(found.references.is_empty() && !found.points.is_empty());
    assert!(
        matches!(found.metadata.not_searched[0].gap, Some(Gap::OtherSources { .. }))
            && found.metadata.sources.is_empty()
    );
    let broken = FixedSource {
        fails: true,
        ..FixedSource::new(vec![])
    };
    assert!(
        points(&paper, &PointsOptions::default(), &world_of(vec![broken]).await)
            .await
            .is_err()
    );
    let alone = vec![work("k:one", "Tea", "A. B", Some("2001"), "Tea follows the moon.")];
    let found = report(&paper, &world_of(vec![FixedSource::new(alone)]).await).await;
    assert!(found.points.iter().all(|one| one.passages.iter().all(|one| !one.shown)));
}
