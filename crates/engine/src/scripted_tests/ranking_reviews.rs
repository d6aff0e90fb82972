//! A ranking of ideas whose reviews the judge sees.

use std::sync::{Arc, Mutex};

use precedent_domain::{GroupRanking, IdeaReview, PairSection, RankingOutcome};
use precedent_scripted::{Question, Say, plain};
use serde_json::{Value, json};

use super::ranking_judges::{answer, by, is_ranked, texts};
use crate::board::dimensions;
use crate::idea::Idea;
use crate::model::{ModelSettings, Policy};
use crate::rank::{IdeaOfGroup, RankOptions, rank};
use crate::review::fakes::{IDEA, options, three_kinds};
use crate::review::{ReviewInput, ReviewOptions, review};
use crate::sample::world_of;

const OTHER: &str = "We propose to bound how long passengers wait at the piers of small ferries in narrow fjords. \
A queueing network gives the waiting times and a harmonic tide model gives the current. \
Existing timetables ignore tides. It will be evaluated on two ferry lines over one season.";

async fn reviewed(text: &str) -> IdeaReview {
    let mut world = three_kinds().await;
    world.model = Some(super::scripted(plain, ModelSettings::default()));
    let options = ReviewOptions {
        as_of: Some("2020".parse().unwrap()),
        ..options()
    };
    review(&ReviewInput::Idea(Idea::new(text)), &options, &world)
        .await
        .unwrap()
}

async fn pair() -> Vec<IdeaOfGroup> {
    let mut ideas = Vec::new();
    for (name, text) in [("ferries.txt", IDEA), ("piers.txt", OTHER)] {
        ideas.push(IdeaOfGroup {
            name: name.to_owned(),
            idea: Idea::new(text),
            review: Some(Box::new(reviewed(text).await)),
        });
    }
    ideas
}

async fn ranked(
    ideas: &[IdeaOfGroup],
    settings: ModelSettings,
    script: impl Fn(&Question) -> Say + Send + Sync + 'static,
) -> GroupRanking {
    let mut world = world_of(vec![]).await;
    world.model = Some(super::scripted(script, settings));
    let options = RankOptions {
        dimensions: dimensions(None).unwrap(),
        draws: None,
    };
    rank(ideas, &options, &world).await.unwrap()
}

/// An order of the ideas with this reason.
fn because(question: &Question, reason: &str) -> Say {
    let order = by(&texts(question), |_, text| !text.starts_with("We propose to shift"));
    let Say::Text(reply) = answer(|| order.clone()) else {
        panic!()
    };
    let mut reply: Value = serde_json::from_str(&reply).unwrap();
    reply["reason"] = json!(reason);
    Say::Text(reply.to_string())
}

/// The number in a prompt of the document with this title that follows the idea on ferries.
fn number(question: &Question, title: &str) -> u32 {
    let blocks = question.blocks();
    let own = blocks
        .iter()
        .skip_while(|block| !block.text.starts_with("We propose to shift"));
    let own = own.skip(1).take_while(|block| !block.text.starts_with("We propose"));
    let mut pieces = own.filter(|block| block.name.starts_with("document "));
    pieces
        .find(|block| block.text.contains(title))
        .unwrap()
        .number()
        .unwrap()
}

#[tokio::test]
async fn the_judge_sees_scores_and_earlier_evidence_and_citations_lead_to_the_documents() {
    let ideas = pair().await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&seen);
    let script = move |question: &Question| {
        kept.lock().unwrap().push((question.prompt.clone(), question.whole()));
        match question.prompt.as_str() {
            "rank.reviewed" => because(
                question,
                &format!(
                    "Fuel was measured before [{}].",
                    number(question, "Fuel of ferries against the current (literature)")
                ),
            ),
            _ => plain(question),
        }
    };
    let found = ranked(&ideas, ModelSettings::default(), script).await;
    let RankingOutcome::Ranked { places } = &found.overall.outcome else {
        panic!("{:?}", found.overall)
    };
    let first = found.ideas.iter().find(|one| one.number == places[0][0]).unwrap();
    assert_eq!(first.name, "ferries.txt");
    let own = ideas[0].review.as_ref().unwrap();
    let short = first.review.as_ref().unwrap();
    assert_eq!(short.score, Some(own.meta.as_ref().unwrap().score));
    assert_eq!((short.dimensions.len(), short.documents), (5, own.knowledge.len()));
    // The number in a prompt depends on the order shown. The number in the report does not.
    let cited = found.evidence.iter().find(|one| {
        one.idea == first.number && one.piece.work.title == "Fuel of ferries against the current (literature)"
    });
    let cited = cited.unwrap();
    let reasons: Vec<&str> = found
        .orders
        .iter()
        .map(|one| one.answer.as_ref().unwrap().reason.as_str())
        .collect();
    assert!(
        reasons
            .iter()
            .all(|reason| *reason == format!("Fuel was measured before [{}].", cited.number)),
        "{reasons:?}"
    );
    assert_eq!(found.left_out, 0);
    for one in &found.evidence {
        assert!(!one.piece.work.title.starts_with("Deep departures") && !one.groundings.is_empty());
        assert!(
            one.groundings
                .iter()
                .all(|grounding| grounding.piece == one.piece.number)
        );
    }
    assert!(found.models.iter().any(|one| one.prompt.starts_with("review.board")));
    let seen = seen.lock().unwrap();
    assert!(seen.iter().all(|(prompt, _)| prompt != "rank.group"));
    let reviewed: Vec<&String> = seen
        .iter()
        .filter(|(prompt, _)| prompt == "rank.reviewed")
        .map(|(_, whole)| whole)
        .collect();
    for whole in &reviewed {
        assert!(whole.contains("Novelty: mean ") && whole.contains("Score: "), "{whole}");
        assert!(
            !whole.contains("Deep departures") && !whole.contains("deep networks"),
            "{whole}"
        );
    }
    insta::assert_snapshot!("rank-reviewed", reviewed[0]);
    let of_pair = seen.iter().find(|(prompt, _)| prompt == "rank.pair").unwrap();
    insta::assert_snapshot!("rank-pair", of_pair.1);
}

#[tokio::test]
async fn sentences_that_invent_something_are_left_out_and_counted() {
    let ideas = pair().await;
    let script = |question: &Question| match question.prompt.as_str() {
        "rank.reviewed" => because(
            question,
            "It is plain. It cites [99]. It saves 41 % of the fuel. It says “the moon is a ferry”. See http://x.example now.",
        ),
        _ => plain(question),
    };
    let found = ranked(&ideas, ModelSettings::default(), script).await;
    let answers = found.orders.iter().filter_map(|one| one.answer.as_ref());
    let reasons: Vec<&str> = answers.map(|one| one.reason.as_str()).collect();
    assert!(reasons.iter().all(|reason| *reason == "It is plain."), "{reasons:?}");
    assert_eq!(
        found.left_out,
        4 * (14 + found.length_check.as_ref().map_or(0, |check| check.orders.len()))
    );
}

#[tokio::test]
async fn no_reason_has_the_number_of_an_idea_in_a_prompt() {
    let mut ideas = pair().await;
    let script = |question: &Question| match question.prompt.as_str() {
        "rank.reviewed" => {
            let fuel = number(question, "Fuel of ferries against the current (literature)");
            because(
                question,
                &format!("It is plain. Idea 1 measures fuel [{fuel}]. Ideas no. 2 is bare."),
            )
        }
        "rank.group" => because(question, "Idea #1 is plain."),
        _ => plain(question),
    };
    let found = ranked(&ideas, ModelSettings::default(), script).await;
    let reasons = |found: &GroupRanking| -> Vec<String> {
        let answers = found.orders.iter().filter_map(|one| one.answer.as_ref());
        answers.map(|one| one.reason.clone()).collect()
    };
    assert!(reasons(&found).iter().all(|reason| reason == "It is plain."));
    let more = found.length_check.as_ref().map_or(0, |check| check.orders.len());
    assert_eq!(found.left_out, 2 * (found.orders.len() + more));
    ideas.iter_mut().for_each(|one| one.review = None);
    let of_texts = ranked(&ideas, ModelSettings::default(), script).await;
    assert!(!of_texts.orders.is_empty() && reasons(&of_texts).iter().all(String::is_empty));
}

#[tokio::test]
async fn statements_of_a_comparison_cite_evidence_that_may_decide() {
    let ideas = pair().await;
    let script = |question: &Question| {
        if question.prompt != "rank.pair" {
            return plain(question);
        }
        let pieces: Vec<(u32, bool)> = question
            .blocks()
            .iter()
            .filter(|block| block.name.starts_with("document "))
            .map(|block| (block.number().unwrap(), !block.text.contains("decides nothing")))
            .collect();
        let may = pieces.iter().find(|(_, may)| *may).unwrap().0;
        let marked = pieces.iter().find(|(_, may)| !*may).unwrap().0;
        let one = |section: &str, idea: u32, text: &str, pieces: &[u32]| json!({"section": section, "idea": idea, "text": text, "documents": pieces});
        let statements = [
            one("risk", 2, "Gauges of one season may be too few for a year.", &[may]),
            one(
                "strength",
                1,
                "Idea 1 uses what was measured on ferry lines before.",
                &[may, marked],
            ),
            one("strength", 1, "Idea 1 cites nothing that was found before it.", &[]),
            one("strength", 3, "Idea 3 is a strength that nobody has seen.", &[may]),
            one("weakness", 1, "Idea 1 rests on a document without any date.", &[marked]),
            one("weakness", 2, "Idea 2 rests on a document that was not shown.", &[99]),
            one("summary", 0, "Idea 1 saves 41 % of the fuel of ferries.", &[may]),
            one("summary", 0, "Idea 1 says “the moon is a ferry on tea”.", &[may]),
            one("summary", 0, "Idea 1 is described at http://x.example in full.", &[may]),
            one("verdict", 0, "Idea 1 is the better one of the two.", &[may]),
        ];
        Say::Text(json!({"statements": statements}).to_string())
    };
    let found = ranked(&ideas, ModelSettings::default(), script).await;
    let comparison = found.comparison.as_ref().unwrap();
    let kept: Vec<(PairSection, Option<u32>)> = comparison
        .statements
        .iter()
        .map(|one| (one.section, one.idea))
        .collect();
    assert_eq!(kept, [(PairSection::Strength, Some(1)), (PairSection::Risk, Some(2))]);
    assert_eq!(comparison.dropped, 8);
    let known = |number: &u32| found.evidence.iter().any(|one| one.number == *number);
    assert!(
        comparison
            .statements
            .iter()
            .all(|one| !one.evidence.is_empty() && one.evidence.iter().all(known))
    );
    let reviewer = ModelSettings {
        policy: Policy::Reviewer,
        ..ModelSettings::default()
    };
    let silent = ranked(&ideas, reviewer, plain).await;
    assert!(silent.comparison.is_none());
    assert!(
        silent
            .orders
            .iter()
            .all(|one| one.answer.as_ref().is_some_and(|answer| answer.reason.is_empty()))
    );
}

#[tokio::test]
async fn with_reviews_too_only_a_judge_of_the_ideas_gets_a_ranking() {
    let ideas = pair().await;
    let first = ranked(&ideas, ModelSettings::default(), |question| {
        match question.prompt.as_str() {
            "rank.reviewed" => answer(|| vec![0, 1]),
            _ => plain(question),
        }
    });
    assert_eq!(first.await.overall.outcome, RankingOutcome::PositionBias);
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let tossing = ranked(&ideas, ModelSettings::default(), move |question| {
        match question.prompt.as_str() {
            "rank.reviewed" => {
                let call = calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                super::ranking_judges::random(1, call, &texts(question))
            }
            _ => plain(question),
        }
    });
    assert!(!is_ranked(&tossing.await.overall.outcome));
    // Everything that is shown of an idea counts as its length: its text and its review.
    let longest = ranked(&ideas, ModelSettings::default(), |question| {
        match question.prompt.as_str() {
            "rank.reviewed" => {
                let mut lengths: Vec<usize> = Vec::new();
                for block in question.blocks() {
                    match (block.name.starts_with("idea "), lengths.last_mut()) {
                        (false, Some(last)) => *last += block.text.len(),
                        _ => lengths.push(block.text.len()),
                    }
                }
                let mut order: Vec<usize> = (0..lengths.len()).collect();
                order.sort_by_key(|at| std::cmp::Reverse(lengths[*at]));
                answer(|| order.clone())
            }
            _ => plain(question),
        }
    });
    assert_eq!(longest.await.overall.outcome, RankingOutcome::LengthBias);
}
