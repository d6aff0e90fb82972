//! Only a judge that prefers ideas for what they say gets a ranking, at every group size.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use precedent_domain::{GroupRanking, RankingOutcome};
use precedent_scripted::{Question, Say};

use crate::board::{SeededRng, dimensions};
use crate::idea::Idea;
use crate::model::ModelSettings;
use crate::rank::{IdeaOfGroup, RankOptions, rank};
use crate::sample::world_of;

/// Group sizes of the published pairs, of the published groups, and the most ideas at once.
const SIZES: [usize; 3] = [2, 4, 10];

/// An idea of this quality, from 0 for the best. The lengths of 53 ideas differ and do not follow the quality.
fn idea(quality: usize) -> String {
    let words = ["swell", "barometers", "colour", "divers"];
    let more: Vec<&str> = (0..(quality * 29 + 5) % 53).map(|at| words[at % words.len()]).collect();
    format!(
        "Rank {quality} among ways to forecast kelp harvests. It reads {}.",
        more.join(" and ")
    )
}

pub(super) fn group(size: usize) -> Vec<IdeaOfGroup> {
    let one = |quality: usize| IdeaOfGroup {
        name: quality.to_string(),
        idea: Idea::new(&idea(quality)),
        review: None,
    };
    (0..size).map(one).collect()
}

/// An answer in random order.
pub(super) fn random(seed: u64, call: usize, texts: &[String]) -> Say {
    let mut rng = SeededRng::of(seed, &["judge", &call.to_string()]);
    answer(|| {
        let mut order: Vec<usize> = (0..texts.len()).collect();
        rng.shuffle(&mut order);
        order
    })
}

/// The order shown and its reverse in turn.
pub(super) fn alternating(call: usize, texts: &[String]) -> Say {
    answer(|| {
        let order: Vec<usize> = (0..texts.len()).collect();
        match call.is_multiple_of(2) {
            true => order,
            false => order.into_iter().rev().collect(),
        }
    })
}

/// The texts of the ideas, in the order shown.
pub(super) fn texts(question: &Question) -> Vec<String> {
    let blocks = question.blocks();
    let ideas = blocks.iter().filter(|block| block.name.starts_with("idea "));
    ideas.map(|block| block.text.to_owned()).collect()
}

pub(super) fn quality(text: &str) -> usize {
    let rest = text.split("Rank ").nth(1).unwrap_or_default();
    rest.split(' ').next().unwrap_or_default().parse().unwrap()
}

/// An answer in which every order, overall and by dimension, is made anew by `order`, in positions from 0.
pub(super) fn answer(mut order: impl FnMut() -> Vec<usize>) -> Say {
    let mut order = || order().into_iter().map(|place| place + 1).collect::<Vec<_>>();
    let dimensions: Vec<_> = dimensions(None)
        .unwrap()
        .iter()
        .map(|one| serde_json::json!({"id": one.id, "order": order(), "reason": "It says more."}))
        .collect();
    Say::Text(serde_json::json!({"dimensions": dimensions, "order": order(), "reason": "It says more."}).to_string())
}

/// Positions sorted by a key of the texts.
pub(super) fn by<K: Ord>(texts: &[String], key: impl Fn(usize, &str) -> K) -> Vec<usize> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|at| key(*at, &texts[*at]));
    order
}

pub(super) async fn ranked(
    size: usize,
    seed: u64,
    draws: Option<usize>,
    judge: impl Fn(usize, &[String]) -> Say + Send + Sync + 'static,
) -> (GroupRanking, Vec<Vec<String>>) {
    let calls = AtomicUsize::new(0);
    let prompts = Arc::new(std::sync::Mutex::new(Vec::new()));
    let kept = Arc::clone(&prompts);
    let script = move |question: &Question| {
        kept.lock()
            .unwrap()
            .push(vec![question.system.clone(), question.turns.join("\n")]);
        judge(calls.fetch_add(1, Ordering::Relaxed), &texts(question))
    };
    let mut world = world_of(vec![]).await;
    world.seed = seed;
    world.model = Some(super::scripted(script, ModelSettings::default()));
    let options = RankOptions {
        dimensions: dimensions(None).unwrap(),
        draws,
    };
    let found = rank(&group(size), &options, &world).await.unwrap();
    let prompts = prompts.lock().unwrap().clone();
    (found, prompts)
}

pub(super) fn is_ranked(outcome: &RankingOutcome) -> bool {
    matches!(outcome, RankingOutcome::Ranked { .. })
}

#[tokio::test]
async fn only_a_consistent_judge_gets_a_ranking() {
    for size in SIZES {
        for seed in 0..2 {
            let (found, _) = ranked(size, seed, None, |_, texts| {
                answer(|| by(texts, |_, text| quality(text)))
            })
            .await;
            let RankingOutcome::Ranked { places } = &found.overall.outcome else {
                panic!("{size}: {found:#?}")
            };
            let name = |number: u32| {
                found
                    .ideas
                    .iter()
                    .find(|one| one.number == number)
                    .unwrap()
                    .name
                    .clone()
            };
            let order: Vec<String> = places.iter().flatten().map(|number| name(*number)).collect();
            assert_eq!(order, (0..size).map(|quality| quality.to_string()).collect::<Vec<_>>());
            assert!(found.dimensions.iter().all(|one| is_ranked(&one.standing.outcome)));

            let first = |_: usize, texts: &[String]| answer(|| by(texts, |at, _| at));
            let last = |_: usize, texts: &[String]| answer(|| by(texts, |at, _| std::cmp::Reverse(at)));
            // The idea shown first is on top, and the rest is judged consistently.
            let first_on_top = |_: usize, texts: &[String]| answer(|| by(texts, |at, text| (at > 0, quality(text))));
            let last_on_top =
                |_: usize, texts: &[String]| answer(|| by(texts, |at, text| (at + 1 < texts.len(), quality(text))));
            for (found, only_position) in [
                (ranked(size, seed, None, first).await.0, true),
                (ranked(size, seed, None, last).await.0, true),
                (ranked(size, seed, None, first_on_top).await.0, false),
                (ranked(size, seed, None, last_on_top).await.0, false),
            ] {
                // If the position decides only one place, the few prompts for a small group may show no more than that nothing is certain.
                let outcome = &found.overall.outcome;
                let is_known = *outcome == RankingOutcome::PositionBias;
                assert!(
                    is_known || (!only_position && *outcome == RankingOutcome::NoAgreement),
                    "{size}: {:?}",
                    found.overall
                );
                assert!(found.dimensions.iter().all(|one| !is_ranked(&one.standing.outcome)));
            }
            let longest = |_: usize, texts: &[String]| answer(|| by(texts, |_, text| std::cmp::Reverse(text.len())));
            let shortest = |_: usize, texts: &[String]| answer(|| by(texts, |_, text| text.len()));
            for (found, _) in [
                ranked(size, seed, None, longest).await,
                ranked(size, seed, None, shortest).await,
            ] {
                assert_eq!(
                    found.overall.outcome,
                    RankingOutcome::LengthBias,
                    "{size}: {:?}",
                    found.overall
                );
                assert_eq!(found.length_check.unwrap().kept, Some(0.0));
                assert!(found.dimensions.iter().all(|one| !is_ranked(&one.standing.outcome)));
            }
        }
    }
}

#[tokio::test]
async fn a_dimension_ranked_by_length_is_tested_whatever_the_overall_order() {
    let judge = |_: usize, texts: &[String]| {
        let order = |by: Vec<usize>| by.into_iter().map(|place| place + 1).collect::<Vec<_>>();
        let all = dimensions(None).unwrap();
        let own = all.iter().enumerate().map(|(at, one)| {
            let order = order(by(texts, |_, text| match at {
                0 => std::cmp::Reverse(text.len()),
                _ => std::cmp::Reverse(100 - quality(text)),
            }));
            serde_json::json!({"id": one.id, "order": order, "reason": "It says more."})
        });
        let own: Vec<_> = own.collect();
        let order = order(by(texts, |_, text| quality(text)));
        Say::Text(serde_json::json!({"dimensions": own, "order": order, "reason": "It says more."}).to_string())
    };
    let (found, _) = ranked(10, 0, None, judge).await;
    assert!(is_ranked(&found.overall.outcome), "{:?}", found.overall);
    assert_eq!(found.dimensions[0].standing.outcome, RankingOutcome::LengthBias);
    assert!(found.dimensions[1..].iter().all(|one| is_ranked(&one.standing.outcome)));
    assert_eq!(
        found.length_check.unwrap().kept,
        None,
        "the overall order was not tested"
    );
}

#[tokio::test]
async fn a_judge_without_preferences_gets_no_ranking_and_no_blame() {
    for size in SIZES {
        let (mut published, mut of_dimensions, mut blamed) = (0, 0, 0);
        for seed in 0..20 {
            let random = move |call: usize, texts: &[String]| random(seed, call, texts);
            for (found, _) in [
                ranked(size, seed, None, random).await,
                ranked(size, seed, None, alternating).await,
            ] {
                published += usize::from(is_ranked(&found.overall.outcome));
                of_dimensions += found
                    .dimensions
                    .iter()
                    .filter(|one| is_ranked(&one.standing.outcome))
                    .count();
                let all = found.dimensions.iter().map(|one| &one.standing).chain([&found.overall]);
                blamed += all.filter(|one| one.outcome == RankingOutcome::PositionBias).count();
            }
        }
        // The level is 0.83 %: of 40 rankings 0.3 are expected, of 200 dimensions 1.7.
        assert!(
            published <= 1 && of_dimensions <= 6,
            "{size}: {published} and {of_dimensions} published"
        );
        assert_eq!(blamed, 0, "{size}");
    }
}

#[tokio::test]
async fn draws_are_distinct_prompts_and_are_counted_as_such() {
    for (size, draws) in [(2, 1), (2, 12), (3, 12), (10, 2)] {
        let (found, prompts) = ranked(size, 5, Some(draws), |_, texts| {
            answer(|| by(texts, |_, text| quality(text)))
        })
        .await;
        assert_eq!(found.orders.len(), 2 * draws);
        let more = found.length_check.as_ref().map_or(0, |check| check.orders.len());
        let distinct: std::collections::BTreeSet<&Vec<String>> = prompts.iter().collect();
        assert_eq!(
            (prompts.len(), distinct.len()),
            (2 * draws + more, 2 * draws + more),
            "{size} ideas"
        );
    }
    // Too few prompts for any agreement to differ from chance.
    let (found, _) = ranked(2, 5, Some(1), |_, texts| answer(|| by(texts, |_, text| quality(text)))).await;
    assert_eq!(
        (found.overall.agreement, &found.overall.outcome),
        (1.0, &RankingOutcome::NoAgreement)
    );
    assert_eq!(found.overall.agreement_p, Some(1.0));
}

#[tokio::test]
async fn reasons_with_invented_words_figures_citations_or_links_are_not_printed() {
    let quoted = [
        "“”", "\"\"", "„“", "«»", "‹›", "「」", "『』", "＂＂", "″″", "‚‘", "''", "‘’", "‛’", "‟”", "《》", "〝〞",
        "´´", "′′",
    ];
    let mut reasons: Vec<String> = quoted
        .iter()
        .map(|marks| {
            let (open, close) = (marks.chars().next().unwrap(), marks.chars().last().unwrap());
            format!("The first says {open}otters weigh the harvest at dawn{close}.")
        })
        .collect();
    reasons.extend(
        [
            "The first gains 2987.68 % on all data.",
            "This was shown before [9999].",
            "This was shown by Fakename 1901[9998].",
            "See https://evil.example/kelp for this.",
            "It says [this](javascript:alert) instead.",
        ]
        .map(str::to_owned),
    );
    for size in [2, 4] {
        for reason in &reasons {
            let reply = reason.clone();
            let judge = move |_: usize, texts: &[String]| {
                let Say::Text(text) = answer(|| by(texts, |_, text| quality(text))) else {
                    panic!()
                };
                let mut said_in: serde_json::Value = serde_json::from_str(&text).unwrap();
                said_in["reason"] = reply.clone().into();
                for one in said_in["dimensions"].as_array_mut().unwrap() {
                    one["reason"] = reply.clone().into();
                }
                Say::Text(said_in.to_string())
            };
            let (found, _) = ranked(size, 1, Some(1), judge).await;
            let answers: Vec<_> = found.orders.iter().filter_map(|one| one.answer.as_ref()).collect();
            assert_eq!(answers.len(), 2, "the order counts, whatever the reason says");
            for answer in answers {
                let own = answer.dimensions.iter().map(|one| &one.reason).chain([&answer.reason]);
                for printed in own {
                    assert!(printed.is_empty(), "{reason}: {printed}");
                }
            }
        }
    }
    let (found, _) = ranked(2, 1, Some(1), |_, texts| answer(|| by(texts, |_, text| quality(text)))).await;
    assert_eq!(found.orders[0].answer.as_ref().unwrap().reason, "It says more.");
}

#[tokio::test]
async fn the_reviewer_policy_prints_no_reason_of_the_judge() {
    let mut world = world_of(vec![]).await;
    let settings = ModelSettings {
        policy: crate::model::Policy::Reviewer,
        ..ModelSettings::default()
    };
    let script = |question: &Question| answer(|| by(&texts(question), |_, text| quality(text)));
    world.model = Some(super::scripted(script, settings));
    let options = RankOptions {
        dimensions: dimensions(None).unwrap(),
        draws: None,
    };
    for size in SIZES {
        let found = rank(&group(size), &options, &world).await.unwrap();
        assert!(is_ranked(&found.overall.outcome));
        assert!(!serde_json::to_string(&found).unwrap().contains("It says more"));
    }
}
