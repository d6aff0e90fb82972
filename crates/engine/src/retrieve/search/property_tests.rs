//! Invariants: the funnel's counts are consistent, whatever the sources contain.

use precedent_domain::{DateOrigin, Gap, Query, Relevance, Scope, SetAsideReason, Timing, Work};
use precedent_sources::Source;
use proptest::prelude::*;

use super::{SearchOutcome, as_of, search, top_of};
use crate::sample::{FixedSource, kelp_paper, kelp_works, work, world_of};

fn queries() -> Vec<Query> {
    let query = |text: &str, scope, variant| Query {
        text: text.into(),
        scope,
        variant,
    };
    vec![
        query(
            "forecasting kelp harvests from satellite colour and swell",
            Scope::CoreTask,
            0,
        ),
        query("kelp harvests swell colour", Scope::CoreTask, 1),
        query(
            "seasonal regression that joins satellite colour with swell records",
            Scope::Contribution(1),
            0,
        ),
        query("data set of kelp plots", Scope::Contribution(2), 0),
    ]
}

/// Checks all consistency rules for the counts of a search.
fn adds_up(found: &SearchOutcome) {
    for scope in &found.funnel.scopes {
        let steps = [
            scope.raw,
            scope.after_flag,
            scope.distinct,
            scope.after_dedup,
            scope.after_self,
            scope.after_date,
            scope.after_top,
        ];
        assert!(steps.is_sorted_by(|a, b| a >= b), "{scope:?}");
        let aside = |reason| {
            let of_scope = found.set_aside.iter().filter(|one| one.scopes.contains(&scope.scope));
            of_scope.filter(|one| one.reason == reason).count()
        };
        assert_eq!(
            scope.distinct - scope.after_dedup,
            aside(SetAsideReason::Duplicate),
            "{scope:?}"
        );
        assert_eq!(
            scope.after_dedup - scope.after_self,
            aside(SetAsideReason::SameWork),
            "{scope:?}"
        );
        assert_eq!(
            scope.after_self - scope.after_date,
            aside(SetAsideReason::Later),
            "{scope:?}"
        );
        assert!(scope.after_top <= top_of(scope.scope));
        let mut ranks: Vec<u32> = found
            .candidates
            .iter()
            .flat_map(|one| &one.scopes)
            .filter(|rank| rank.scope == scope.scope)
            .map(|rank| {
                assert!(rank.relevance != Relevance::No);
                rank.rank
            })
            .collect();
        ranks.sort_unstable();
        let wanted: Vec<u32> = (1..).take(scope.after_top).collect();
        assert_eq!(ranks, wanted, "{:?}", scope.scope);
        let cut = found.cut.iter().find(|(of, _)| *of == scope.scope).map(|(_, cut)| *cut);
        assert_eq!(cut, Some(scope.after_date - scope.after_top));
    }
    assert_eq!(found.funnel.merged, found.candidates.len());
    let scopeless = found.candidates.iter().filter(|one| one.scopes.is_empty()).count();
    assert_eq!(found.funnel.shared_text, scopeless);
    for one in &found.set_aside {
        let is_kept =
            |candidate: &precedent_domain::Candidate| candidate.work.id == one.id && candidate.work.title == one.title;
        assert!(!found.candidates.iter().any(is_kept), "{} is both", one.id);
        assert_eq!(one.duplicate_of.is_some(), one.reason == SetAsideReason::Duplicate);
        assert!(!one.scopes.is_empty());
    }
}

/// The expected number of results: each record once per query and source, without probes.
async fn results(fixed_sources: &[FixedSource], scope: Scope) -> usize {
    let date = as_of(&kelp_paper(), None).map(|as_of| as_of.date);
    let mut count = 0;
    for query in queries().iter().filter(|query| query.scope == scope) {
        let limit = if scope == Scope::CoreTask { 100 } else { 40 };
        for fixed_source in fixed_sources {
            let mut ids: Vec<_> = fixed_source.search(query, date, limit).await.unwrap().hits;
            if query.variant == 0 {
                ids.extend(fixed_source.search(query, None, 20).await.unwrap());
            }
            let ids: std::collections::BTreeSet<_> = ids.iter().map(|hit| hit.work.id.as_str()).collect();
            count += ids.len();
        }
    }
    count
}

async fn found(fixed_sources: Vec<FixedSource>) -> SearchOutcome {
    let paper = kelp_paper();
    let date = as_of(&paper, None);
    let world = world_of(fixed_sources).await;
    search(&paper, &queries(), date.as_ref(), &world).await.unwrap()
}

#[tokio::test]
async fn later_paper_is_counted_once_and_its_second_record_is_listed() {
    let mut works = kelp_works();
    works.push(work(
        "k:dorn-again",
        "Growth Forecasting for Kelp Farms from Satellite Colour",
        "Dorn, Hanna",
        Some("2016-04"),
        "We forecast kelp biomass from satellite ocean colour and swell.",
    ));
    let fixed_sources = vec![FixedSource::new(works.clone())];
    let raw = results(&fixed_sources, Scope::CoreTask).await;
    let found = found(fixed_sources).await;
    adds_up(&found);
    let core = found.funnel.scopes.first().unwrap();
    assert_eq!(core.raw, raw);
    let second = found
        .set_aside
        .iter()
        .find(|one| one.reason == SetAsideReason::Duplicate)
        .expect("the second record is listed");
    assert_eq!(second.id.as_str(), "k:dorn-again");
    assert_eq!(second.duplicate_of.as_ref().unwrap().as_str(), "k:dorn");
    assert!(second.scopes.contains(&Scope::CoreTask));
    let sources = found.sources.first().unwrap();
    assert_eq!(sources.answered, queries().len(), "queries are counted, not probes");
}

#[tokio::test]
async fn later_record_affects_only_the_date_of_a_paper() {
    let dated = |source: &str, date: &str| {
        let title = "Growth Forecasting for Kelp Farms from Satellite Colour and Tides";
        let id = format!("{source}:dorn-tides");
        let summary = "We forecast kelp harvests from satellite ocean colour and swell.";
        let mut one = work(&id, title, "Dorn, Hanna", Some(date), summary);
        one.dates[0].origin = DateOrigin::Record(source.into());
        let mut fixed_source = FixedSource::new(vec![one]);
        fixed_source.name = source.to_owned();
        fixed_source
    };
    let paper = kelp_paper();
    let year = as_of(&paper, None).unwrap().date.year();
    let (early, late) = (format!("{}-01-05", year - 2), format!("{}-11-20", year + 1));
    let vague = format!("{year}");
    for (fixed_sources, timing) in [
        (vec![dated("a", &early)], Some(Timing::Earlier)),
        (vec![dated("a", &early), dated("b", &late)], Some(Timing::Concurrent)),
        // The year of the paper is not an earlier date, so there is no doubt.
        (vec![dated("a", &vague), dated("b", &late)], Some(Timing::SameYear)),
    ] {
        let found = found(fixed_sources).await;
        adds_up(&found);
        let one = found
            .candidates
            .iter()
            .find(|one| one.work.id.as_str() == "a:dorn-tides");
        assert_eq!(one.map(|one| one.timing), timing);
        let doubted = one.is_some_and(|one| !one.work.doubts.is_empty());
        let says = found
            .not_searched
            .iter()
            .any(|one| matches!(one.gap, Some(Gap::DatesDisputed { .. })));
        assert_eq!(doubted, says);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn counts_are_consistent_in_any_world(
        picks in proptest::collection::vec((0..40_usize, 0..5_usize, 0..3_usize, proptest::option::of(2014_u16..2027)), 0..60),
        local in any::<bool>()
    ) {
        let titles = [
            "Growth Forecasting for Kelp Farms from Satellite Colour", "Swell records of three coasts and their kelp",
            "KelpCast: Forecasting Kelp Harvests from Satellite Colour and Swell", "A data set of kelp plots", "Kelp",
        ];
        let authors = ["Hanna Dorn", "E. Marsh and T. Quill", "Elin Marsh and Tomas Quill", "Bob Roy", ""];
        let summaries = ["We forecast kelp harvests by a seasonal regression of swell and colour.", "Swell.", ""];
        let mut fixed_sources: Vec<Vec<Work>> = vec![Vec::new(), Vec::new(), Vec::new()];
        for (n, which, fixed_source, year) in picks {
            // Ids repeat on purpose: never within a shelf, but between shelves, for the same and for different works.
            let id = format!("w{n}");
            let title = if n % 3 == 0 { titles[which].to_owned() } else { format!("{} {}", titles[which], n / 2) };
            let year = year.map(|year| year.to_string());
            let one = work(&id, &title, authors[n % 5], year.as_deref(), summaries[n % 3]);
            if !fixed_sources[fixed_source].iter().any(|known| known.id == one.id) {
                fixed_sources[fixed_source].push(one);
            }
        }
        let fixed_sources = |reversed: bool| -> Vec<FixedSource> {
            let mut fixed_sources = fixed_sources.clone();
            if reversed {
                fixed_sources.iter_mut().for_each(|works| works.reverse());
            }
            fixed_sources.into_iter().enumerate().map(|(n, works)| {
                let mut fixed_source = FixedSource::new(works);
                fixed_source.name = format!("corpus:{n}");
                fixed_source.local = local;
                fixed_source
            }).collect()
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let one = found(fixed_sources(false)).await;
            adds_up(&one);
            for scope in one.funnel.scopes.iter().filter(|_| !local) {
                assert_eq!(scope.raw, results(&fixed_sources(false), scope.scope).await);
            }
            assert_eq!(one, found(fixed_sources(true)).await);
        });
    }
}
