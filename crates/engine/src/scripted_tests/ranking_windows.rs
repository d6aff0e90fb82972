//! More ideas than one prompt shows are ranked in windows, by the same tests as few ideas.

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{GroupRanking, RankingOutcome, Standing};
use precedent_scripted::{Question, Say};

use super::ranking_judges::{alternating, answer, by, group, is_ranked, quality, random, ranked};
use crate::EngineError;
use crate::board::{SeededRng, dimensions};
use crate::model::ModelSettings;
use crate::rank::{RankOptions, rank};
use crate::sample::world_of;

/// Many ideas, and the most calls that a ranking of them may take.
const IDEAS: usize = 50;
const CALLS: usize = 98;

fn consistent(_: usize, texts: &[String]) -> Say {
    answer(|| by(texts, |_, text| quality(text)))
}

/// The true position of each idea that the ranking puts above or below another, with its rank.
fn ranks(found: &GroupRanking, standing: &Standing) -> Vec<(usize, usize)> {
    let RankingOutcome::Ranked { places } = &standing.outcome else {
        panic!("{:?}", standing.outcome)
    };
    let quality = |number: u32| {
        let mut ideas = found.ideas.iter();
        let idea = ideas.find(|one| one.number == number).unwrap();
        idea.name.parse().unwrap()
    };
    let ranked = places.iter().enumerate();
    ranked
        .flat_map(|(rank, place)| place.iter().map(move |number| (quality(*number), rank)))
        .collect()
}

/// Pairs in the right order, in the wrong order, and with a shared rank.
fn pairs(ranks: &[(usize, usize)]) -> (f64, f64, f64) {
    let (mut right, mut wrong, mut shared) = (0.0, 0.0, 0.0);
    for (at, one) in ranks.iter().enumerate() {
        for other in &ranks[at + 1..] {
            match (one.1.cmp(&other.1), one.0.cmp(&other.0)) {
                (std::cmp::Ordering::Equal, _) => shared += 1.0,
                (rank, quality) if rank == quality => right += 1.0,
                _ => wrong += 1.0,
            }
        }
    }
    (right, wrong, shared)
}

/// Kendall's tau-b of the ranking and the true order.
fn tau(ranks: &[(usize, usize)]) -> f64 {
    let (right, wrong, shared) = pairs(ranks);
    (right - wrong) / ((right + wrong + shared) * (right + wrong)).sqrt()
}

fn standings(found: &GroupRanking) -> impl Iterator<Item = &Standing> {
    let of_dimensions = found.dimensions.iter().map(|one| &one.standing);
    of_dimensions.chain([&found.overall])
}

#[tokio::test]
async fn the_order_of_a_consistent_judge_is_recovered() {
    let (found, prompts) = ranked(IDEAS, 1, None, consistent).await;
    assert!(prompts.len() <= CALLS, "{} calls", prompts.len());
    let distinct: BTreeSet<&Vec<String>> = prompts.iter().collect();
    assert_eq!(distinct.len(), prompts.len());
    for standing in standings(&found) {
        let tau = tau(&ranks(&found, standing));
        assert!(tau >= 0.9, "{tau}");
    }
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for one in &found.orders {
        assert!((7..=8).contains(&one.shown.len()), "{:?}", one.shown);
        one.shown
            .iter()
            .for_each(|number| *counts.entry(*number).or_default() += 1);
    }
    assert_eq!(counts.len(), IDEAS);
    assert!(counts.values().all(|count| *count == 12), "{counts:?}");
    // 95 % intervals of 50 positions: one in twenty may miss.
    let contains = found.overall.intervals.iter().filter(|one| {
        let idea = found.ideas.iter().find(|idea| idea.number == one.number).unwrap();
        let position = idea.name.parse::<u32>().unwrap() + 1;
        (one.low..=one.high).contains(&position)
    });
    assert_eq!(found.overall.intervals.len(), IDEAS);
    assert!(contains.count() >= 45, "{:?}", found.overall.intervals);
}

#[tokio::test]
async fn a_judge_that_errs_gets_shared_ranks_instead_of_wrong_ones() {
    let errs = |call: usize, texts: &[String]| {
        let mut rng = SeededRng::of(7, &["judge", &call.to_string()]);
        answer(|| {
            let errors: Vec<usize> = texts.iter().map(|_| rng.below(25) + rng.below(25)).collect();
            by(texts, |at, text| quality(text) + errors[at])
        })
    };
    let (found, _) = ranked(IDEAS, 2, None, errs).await;
    let (right, wrong, shared) = pairs(&ranks(&found, &found.overall));
    assert!(
        wrong <= 0.05 * (right + wrong),
        "{right} right, {wrong} wrong, {shared} shared"
    );
    assert!(
        shared > 0.0 && right > 0.5 * (right + wrong + shared),
        "{right} right, {wrong} wrong, {shared} shared"
    );
}

#[tokio::test]
async fn a_judge_without_preferences_gets_no_ranking_of_many_ideas() {
    let random = |call: usize, texts: &[String]| random(3, call, texts);
    // It answers each window alike in every order, and prefers other ideas in the next.
    let by_window = |_: usize, texts: &[String]| {
        let mut window = texts.to_vec();
        window.sort();
        let window = window.concat();
        answer(|| by(texts, |_, text| SeededRng::of(0, &[&window, text]).below(1_000_000)))
    };
    for (judge, (found, _)) in [
        ("random", ranked(IDEAS, 1, None, random).await),
        ("alternating", ranked(IDEAS, 1, None, alternating).await),
        ("by window", ranked(IDEAS, 1, None, by_window).await),
    ] {
        for standing in standings(&found) {
            assert_eq!(standing.outcome, RankingOutcome::NoAgreement, "{judge}: {standing:?}");
            assert!(standing.intervals.is_empty());
        }
    }
}

#[tokio::test]
async fn a_judge_of_the_first_position_gets_no_ranking_of_many_ideas() {
    let first = |_: usize, texts: &[String]| answer(|| by(texts, |at, _| at));
    let (found, _) = ranked(IDEAS, 1, None, first).await;
    for standing in standings(&found) {
        assert_eq!(standing.outcome, RankingOutcome::PositionBias, "{standing:?}");
    }
}

#[tokio::test]
async fn a_judge_of_the_last_position_gets_no_ranking_of_many_ideas() {
    // The idea shown last is on top, and the rest is judged consistently.
    let last_on_top =
        |_: usize, texts: &[String]| answer(|| by(texts, |at, text| (at + 1 < texts.len(), quality(text))));
    let (found, _) = ranked(IDEAS, 1, None, last_on_top).await;
    for standing in standings(&found) {
        assert_eq!(standing.outcome, RankingOutcome::PositionBias, "{standing:?}");
    }
}

#[tokio::test]
async fn a_judge_of_lengths_gets_no_ranking_of_many_ideas() {
    let longest = |_: usize, texts: &[String]| answer(|| by(texts, |_, text| std::cmp::Reverse(text.len())));
    let (found, _) = ranked(IDEAS, 1, None, longest).await;
    for standing in standings(&found) {
        assert_eq!(standing.outcome, RankingOutcome::LengthBias, "{standing:?}");
        assert!(standing.intervals.is_empty());
    }
    let check = found.length_check.unwrap();
    assert_eq!((check.orders.len(), check.kept), (14, Some(0.0)));
}

#[tokio::test]
async fn answers_that_do_not_join_all_ideas_are_no_ranking() {
    let options = |draws| RankOptions {
        dimensions: dimensions(None).unwrap(),
        draws: Some(draws),
    };
    let ideas = group(11);
    // The two windows with the best idea get an answer.
    let script = |question: &Question| {
        let texts = super::ranking_judges::texts(question);
        match texts.iter().any(|text| quality(text) == 0) {
            true => consistent(0, &texts),
            false => Say::Text("none".to_owned()),
        }
    };
    let mut world = world_of(vec![]).await;
    world.model = Some(super::scripted(script, ModelSettings::default()));
    let error = rank(&ideas, &options(1), &world).await.unwrap_err();
    assert!(matches!(error, EngineError::BadGroup { .. }), "{error}");
    let error = rank(&ideas, &options(2), &world).await.unwrap_err();
    assert!(
        matches!(
            error,
            EngineError::NoRanking {
                usable: 4,
                asked: 8,
                ..
            }
        ),
        "{error}"
    );
}

#[tokio::test]
async fn the_order_of_many_ideas_in_the_request_changes_nothing() {
    let mut reports = Vec::new();
    for reverse in [false, true] {
        let mut ideas = group(12);
        if reverse {
            ideas.reverse();
        }
        let script = |question: &Question| consistent(0, &super::ranking_judges::texts(question));
        let mut world = world_of(vec![]).await;
        world.model = Some(super::scripted(script, ModelSettings::default()));
        let options = RankOptions {
            dimensions: dimensions(None).unwrap(),
            draws: None,
        };
        let found = rank(&ideas, &options, &world).await.unwrap();
        assert!(is_ranked(&found.overall.outcome));
        assert!(tau(&ranks(&found, &found.overall)) >= 0.9);
        reports.push(serde_json::to_string(&found).unwrap());
    }
    assert_eq!(reports[0], reports[1]);
}
