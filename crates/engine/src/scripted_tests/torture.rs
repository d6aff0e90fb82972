use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use precedent_domain::{Gap, Note};
use precedent_scripted::{Faults, Question, Say, plain, rounds};

use super::stand_in::{holds, is_of_assessments, run};
use crate::model::ModelSettings;
use crate::sample::{kelp_paper, kelp_works};

/// Number of answers over all stages that are mangled by seed, most of them unusable. This many take seconds to run.
const ANSWERS: u64 = 4_000;

#[tokio::test]
async fn mangled_answers_break_nothing_and_each_failure_is_counted() {
    let asked = Arc::new(AtomicU64::new(0));
    let mangled = Arc::new(AtomicU64::new(0));
    let mut seed = 0;
    let mut stages: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    let mut kinds: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    let answers = rounds(ANSWERS);
    while asked.load(Ordering::SeqCst) < answers {
        seed += 1;
        let (count, hit) = (Arc::clone(&asked), Arc::clone(&mangled));
        let faults = Faults { seed, share: 0.7 };
        let script = move |question: &Question| {
            let number = count.fetch_add(1, Ordering::SeqCst);
            let answer = match plain(question) {
                // In every third run the paper is alone in its leaf, so that the neighbouring topics are requested.
                Say::Text(text) if seed % 3 == 0 && question.prompt == "taxonomy.build" => Say::Text(alone(&text)),
                // In others the tree lacks a work, so that its place is requested.
                Say::Text(text) if seed % 3 == 1 && question.prompt == "taxonomy.build" => Say::Text(incomplete(&text)),
                answer => answer,
            };
            match faults.meet(question, number, &answer) {
                Some(trouble) => {
                    hit.fetch_add(1, Ordering::SeqCst);
                    trouble
                }
                None => answer,
            }
        };
        let mut paper = kelp_paper();
        if seed % 5 == 0 {
            // Then its date is requested.
            paper.dates.clear();
        }
        let found = run(
            paper.clone(),
            kelp_works(),
            ModelSettings {
                seed,
                ..ModelSettings::default()
            },
            script,
        )
        .await;
        holds(&found, &paper, "", &format!("seed {seed}"));
        let uses = &found.metadata.models;
        let failed: u64 = uses.iter().flat_map(|one| one.failed.values()).sum();
        for one in uses {
            *stages.entry(one.prompt.clone()).or_default() += one.answers;
        }
        for (kind, count) in uses.iter().flat_map(|one| &one.failed) {
            *kinds.entry(kind.clone()).or_default() += count;
        }
        let reply = found
            .metadata
            .not_searched
            .iter()
            .filter(|one| matches!(one.gap, Some(Gap::AnswersFailed { .. })))
            .count();
        assert_eq!(failed > 0, reply > 0, "seed {seed}: {failed} failures, {reply} lines");
    }
    // Statistics of the run, visible with `--no-capture`.
    eprintln!(
        "{} answers over {seed} runs, {} of them mangled; items without a usable answer, by kind: {kinds:?}; stages: {stages:?}",
        asked.load(Ordering::SeqCst),
        mangled.load(Ordering::SeqCst)
    );
    // The other prompts have stress tests of their own.
    let prompts = crate::model::prompt_list().unwrap();
    let of_papers = prompts.iter().filter(|(id, ..)| is_of_assessments(id)).count();
    assert_eq!(stages.len(), of_papers, "{stages:?}");
    assert!(mangled.load(Ordering::SeqCst) > answers / 2);
    for kind in [
        "not as asked",
        "cut off",
        "refused",
        "overloaded",
        "too many requests",
        "unreadable",
    ] {
        assert!(kinds.contains_key(kind), "{kind}: {kinds:?}");
    }
}

/// The tree without one of its works.
fn incomplete(tree: &str) -> String {
    let mut tree: serde_json::Value = serde_json::from_str(tree).unwrap();
    let mut works = tree["nodes"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .map(|node| node["works"].as_array_mut().unwrap());
    works.rfind(|works| works.len() > 1).and_then(Vec::pop);
    tree.to_string()
}

/// The tree with the paper alone in a leaf.
pub(super) fn alone(tree: &str) -> String {
    let mut tree: serde_json::Value = serde_json::from_str(tree).unwrap();
    let nodes = tree["nodes"].as_array_mut().unwrap();
    for node in nodes.iter_mut() {
        node["works"].as_array_mut().unwrap().retain(|work| work != 0);
    }
    nodes.push(
        serde_json::json!({"id": 99, "parent": 0, "name": "Forecasts from Colour and Swell",
        "scope_note": "Works that join colour with swell.", "exclude_note": "Works on one of them.", "works": [0]}),
    );
    tree.to_string()
}

#[tokio::test]
async fn without_usable_answers_the_programs_report_remains_and_is_labelled() {
    for say in [
        Say::Refusal,
        Say::Text("Certainly! Here is what you asked for.".into()),
        Say::Text("null".into()),
        Say::Hangup,
    ] {
        let paper = kelp_paper();
        let found = run(paper.clone(), kelp_works(), ModelSettings::default(), move |_| {
            say.clone()
        })
        .await;
        holds(&found, &paper, "", "nothing usable");
        assert_eq!(found.contribution_analysis.contributions.len(), 3);
        assert!(
            found
                .contribution_analysis
                .coded_notes
                .iter()
                .any(|note| matches!(note, Note::NoList { .. } | Note::NothingListedInText { .. }))
        );
        assert!(
            found
                .contribution_analysis
                .comparisons
                .iter()
                .all(|one| one.judged_by == Some(precedent_domain::JudgedBy::Program))
        );
        assert!(found.contribution_analysis.overall_assessment.is_none());
    }
}
