//! Ideas with a model that obeys any text it reads, and with one whose answers are mangled.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use precedent_domain::{Facet, FacetStatus, Gap, IdeaAssessment, NoveltyVerdict, Timing, Work};
use precedent_scripted::{Faults, Question, Say, plain, rounds};

use super::attacks::{ATTACKS, Attack, Place};
use super::ideas::{IDEA, works};
use super::injection::{How, Obeyed, obedient};
use crate::idea::{Idea, IdeaOptions, idea};
use crate::model::{Depth, ModelSettings, prompt_list};
use crate::sample::{FixedSource, world_of};

/// Number of answers mangled by seed, most of them unusable.
const ANSWERS: u64 = 300;

async fn held(
    text: &str,
    works: Vec<Work>,
    settings: ModelSettings,
    script: impl Fn(&Question) -> Say + Send + Sync + 'static,
) -> IdeaAssessment {
    let fixed_source = FixedSource {
        local: true,
        ..FixedSource::new(works)
    };
    let mut world = world_of(vec![fixed_source]).await;
    world.model = Some(super::scripted(script, settings));
    idea(&Idea::new(text), &IdeaOptions::default(), &world).await.unwrap()
}

/// Invariants of every report on an idea, whatever a model says.
fn holds(found: &IdeaAssessment, fixed_source: &[Work], what: &str) {
    let numbers: Vec<u32> = found.works.iter().map(|one| one.number).collect();
    assert!(
        numbers.len() <= 10
            && numbers
                .iter()
                .enumerate()
                .all(|(at, &number)| number as usize == at + 1),
        "{what}: {numbers:?}"
    );
    for one in &found.works {
        let own = fixed_source
            .iter()
            .find(|work| work.id == one.work.id)
            .unwrap_or_else(|| panic!("{what}: {}", one.work.id));
        let text = format!("{}\n{}", own.title, own.summary.as_deref().unwrap_or_default());
        for facet in &one.facets {
            let passage = facet.passage.as_ref().map(|passage| passage.text().to_owned());
            assert!(
                passage.iter().all(|words| text.contains(words.as_str())),
                "{what}: {passage:?}"
            );
            assert!(
                facet.status != FacetStatus::Shared || passage.is_some(),
                "{what}: {facet:?}"
            );
        }
    }
    for statement in &found.idea.facets {
        assert!(
            found.idea.document.text.contains(statement.quote.text()),
            "{what}: {statement:?}"
        );
    }
    let verdict = &found.verdict;
    assert!(
        verdict.cited.iter().all(|number| numbers.contains(number)),
        "{what}: {:?}",
        verdict.cited
    );
    assert_eq!(
        verdict.verdict == NoveltyVerdict::NotNovel,
        !verdict.against.is_empty(),
        "{what}"
    );
    for against in &verdict.against {
        let one = found.works.iter().find(|one| one.number == against.work).unwrap();
        assert_eq!(one.timing, Timing::Earlier, "{what}");
        for facet in [Facet::Purpose, Facet::Mechanism] {
            assert!(against.facets.contains(&facet), "{what}: {against:?}");
        }
        for facet in &against.facets {
            let shared = one.facets.iter().find(|other| other.facet == *facet);
            assert!(
                shared.is_some_and(|one| one.status == FacetStatus::Shared),
                "{what}: {facet:?}"
            );
        }
    }
    let prose = verdict.reasoning.as_deref().unwrap_or_default().to_lowercase();
    for mark in ["://", "www.", "<script", "javascript:", "](", "/etc/passwd"] {
        assert!(!prose.contains(mark), "{what}: {prose}");
    }
}

/// The idea and the works with the attack in its place. An attack on a place that an idea does not have goes into the idea itself.
fn planted(attack: &Attack) -> (String, Vec<Work>) {
    let mut fixed_source = works();
    let mut text = IDEA.to_owned();
    match attack.place {
        Place::WorkTitle => fixed_source[0].title = format!("{} {}", fixed_source[0].title, attack.text),
        Place::WorkAbstract | Place::WorkBody => {
            let own = fixed_source[0].summary.clone().unwrap_or_default();
            fixed_source[0].summary = Some(format!("{own} {}", attack.text));
        }
        _ => text = format!("{text} {}", attack.text),
    }
    (text, fixed_source)
}

#[tokio::test]
async fn no_attack_on_an_idea_breaks_an_invariant_even_if_the_model_obeys() {
    let obeyed: Arc<Obeyed> = Arc::new(Mutex::default());
    for (number, attack) in ATTACKS.iter().enumerate() {
        for always in [false, true] {
            let how = How {
                always,
                depth: Depth::Passages,
                alone: false,
            };
            let (text, fixed_source) = planted(attack);
            let count = Arc::clone(&obeyed);
            let script = move |question: &Question| obedient(question, attack, how, &count);
            let found = held(&text, fixed_source.clone(), ModelSettings::default(), script).await;
            holds(&found, &fixed_source, &format!("attack {number} {attack:?}, {how:?}"));
        }
    }
    let obeyed = obeyed.lock().unwrap();
    for (id, ..) in prompt_list().unwrap() {
        // A second look happens only if an answer contradicts itself, which the mangled answers cause. A part of the search is left out only by `bench`.
        if id.starts_with("idea.") && !["idea.second_look", "idea.rank_relevance"].contains(&id.as_str()) {
            assert!(obeyed.contains_key(&id), "{id}: {obeyed:?}");
        }
    }
}

#[tokio::test]
async fn mangled_answers_about_ideas_break_nothing_and_each_failure_is_counted() {
    let asked = Arc::new(AtomicU64::new(0));
    let mut prompts: BTreeMap<String, u64> = BTreeMap::new();
    let mut seed = 0;
    let mut failed = 0;
    while asked.load(Ordering::SeqCst) < rounds(ANSWERS) {
        seed += 1;
        let count = Arc::clone(&asked);
        let faults = Faults { seed, share: 0.6 };
        let script = move |question: &Question| {
            let number = count.fetch_add(1, Ordering::SeqCst);
            let mut answer = plain(question);
            // In every third run the reasoning contradicts the verdict.
            if seed % 3 == 0
                && question.prompt == "idea.judge"
                && let Say::Text(text) = &mut answer
            {
                let mut reply: serde_json::Value = serde_json::from_str(text).unwrap();
                reply["verdict"] = "novel".into();
                *text = reply.to_string();
            }
            faults.meet(question, number, &answer).unwrap_or(answer)
        };
        let fixed_source = works();
        let settings = ModelSettings {
            seed,
            ..ModelSettings::default()
        };
        let found = held(IDEA, fixed_source.clone(), settings, script).await;
        holds(&found, &fixed_source, &format!("seed {seed}"));
        let uses = &found.metadata.models;
        let lost: u64 = uses.iter().flat_map(|one| one.failed.values()).sum();
        let reply = found
            .metadata
            .not_searched
            .iter()
            .any(|one| matches!(one.gap, Some(Gap::AnswersFailed { .. })));
        // A window whose answer orders nothing is also reported, but is not a failed request.
        assert!(lost == 0 || reply, "seed {seed}: {lost} failures");
        failed += lost;
        for one in uses {
            *prompts.entry(one.prompt.clone()).or_default() += one.answers;
        }
    }
    assert!(failed > ANSWERS / 20, "{failed} failures in {seed} runs");
    let known = prompt_list().unwrap();
    assert_eq!(
        prompts.len(),
        known
            .iter()
            .filter(|(id, ..)| id.starts_with("idea.") && id != "idea.rank_relevance")
            .count(),
        "{prompts:?}"
    );
}
