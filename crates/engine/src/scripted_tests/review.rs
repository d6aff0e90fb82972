//! Model answers while evidence is gathered for a review, played by a script.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use precedent_domain::{Document, EvidenceKind, Extent, Gap, IdeaReview, KnowledgeRole, Note, Refinement, Stance};
use precedent_scripted::{Faults, Question, Say, plain, rounds};
use serde_json::{Value, json};

use crate::World;
use crate::idea::Idea;
use crate::model::ModelSettings;
use crate::review::fakes::{IDEA, kinded, options, three_kinds, world_with};
use crate::review::{ReviewInput, ReviewOptions, review};

async fn world(settings: ModelSettings, script: impl Fn(&Question) -> Say + Send + Sync + 'static) -> World {
    let mut world = three_kinds().await;
    world.model = Some(super::scripted(script, settings));
    world
}

async fn reviewed(script: impl Fn(&Question) -> Say + Send + Sync + 'static) -> IdeaReview {
    let world = world(ModelSettings::default(), script).await;
    run(&world).await
}

async fn run(world: &World) -> IdeaReview {
    let options = ReviewOptions {
        as_of: Some("2020".parse().unwrap()),
        ..options()
    };
    review(&ReviewInput::Idea(Idea::new(IDEA)), &options, world)
        .await
        .unwrap()
}

/// The plain script with `change` applied to the answers to one prompt.
fn changed(
    prompt: &'static str,
    change: impl Fn(&mut Value) + Send + Sync + 'static,
) -> impl Fn(&Question) -> Say + Send + Sync + 'static {
    move |question| match plain(question) {
        Say::Text(text) if question.prompt == prompt => {
            let mut reply: Value = serde_json::from_str(&text).unwrap();
            change(&mut reply);
            Say::Text(reply.to_string())
        }
        say => say,
    }
}

/// Invariants of every review, whatever a model said.
fn holds(found: &IdeaReview, what: &str) {
    for one in &found.idea.statements {
        assert!(one.quote.is_in(&found.idea.document), "{what}: {one:#?}");
    }
    for one in &found.knowledge {
        assert!(
            one.judged.is_none_or(|share| (0.0..=1.0).contains(&share)),
            "{what}: {one:#?}"
        );
        assert!((0.0..=1.0).contains(&one.score), "{what}: {one:#?}");
        assert_eq!(one.role, KnowledgeRole::of(one.timing), "{what}");
    }
    for one in &found.grounding {
        let piece = found.knowledge.iter().find(|piece| piece.number == one.piece).unwrap();
        assert!(piece.role != KnowledgeRole::Suggests && !piece.own, "{what}: {one:#?}");
        assert!(
            !one.evidence.is_empty() && one.score.is_none_or(|score| (0.0..=10.0).contains(&score)),
            "{what}: {one:#?}"
        );
        let summary = piece.work.summary.as_deref().unwrap_or_default();
        for evidence in &one.evidence {
            let text = evidence.quote.text();
            assert!(
                summary.contains(text) || piece.work.title.contains(text),
                "{what}: {evidence:#?}"
            );
        }
        for number in &one.statements {
            assert!(
                found
                    .idea
                    .statements
                    .iter()
                    .any(|known| known.number == *number && known.part == one.part),
                "{what}"
            );
        }
        for sign in ["://", "www.", "<script", "](", "evil"] {
            assert!(!one.analysis.contains(sign), "{what}: {}", one.analysis);
        }
    }
    let queries = found.search.rounds.iter().flat_map(|round| &round.queries);
    for query in queries {
        let plain = !query.text.contains(['"', ':', '(', ')', '<', '[', '/', '*', '{']);
        assert!(
            plain && query.text.split_whitespace().count() <= 12,
            "{what}: {query:?}"
        );
    }
}

#[tokio::test]
async fn a_model_reads_the_idea_words_queries_judges_records_and_grounds_statements() {
    let seen: Arc<Mutex<BTreeMap<String, Vec<String>>>> = Arc::default();
    let keep = Arc::clone(&seen);
    let found = reviewed(move |question| {
        keep.lock()
            .unwrap()
            .entry(question.prompt.clone())
            .or_default()
            .push(question.whole());
        plain(question)
    })
    .await;
    holds(&found, "plain");
    assert!(
        found
            .knowledge
            .iter()
            .any(|one| one.judged.is_some_and(|share| share > 0.0))
    );
    let weighed = found.knowledge.iter().find(|one| one.judged.is_some()).unwrap();
    let score = 0.2 * weighed.semantic + 0.8 * weighed.judged.unwrap();
    assert!((weighed.score - score).abs() < 2e-3, "{weighed:#?}");
    assert!(
        found
            .grounding
            .iter()
            .any(|one| one.score.is_some() && one.evidence[0].stance == Stance::Supports)
    );
    assert!(found.grounding.iter().any(|one| !one.analysis.is_empty()));
    assert!(found.search.rounds.len() > 1);
    assert!(
        found.search.rounds[1]
            .queries
            .iter()
            .all(|query| query.refined != Refinement::First)
    );
    let seen = seen.lock().unwrap();
    for id in [
        "review.parts",
        "review.queries",
        "review.refine",
        "review.relevance",
        "review.ground",
    ] {
        let question = seen
            .get(id)
            .and_then(|all| all.first())
            .unwrap_or_else(|| panic!("{id}"));
        if id != "review.ground" {
            insta::assert_snapshot!(id.replace('.', "-"), question);
        }
    }
    // No request for evidence contains anything that is certainly later.
    for question in seen.get("review.ground").unwrap() {
        assert!(!question.contains("deep networks"), "{question}");
    }
    assert!(
        found
            .metadata
            .not_searched
            .iter()
            .any(|one| matches!(one.gap, Some(Gap::ModelUsed { answered: true, .. })))
    );
    assert!(
        found
            .metadata
            .models
            .iter()
            .any(|one| one.prompt.starts_with("review.ground"))
    );
}

#[tokio::test]
async fn later_queries_are_written_from_the_texts_of_the_best_records_and_each_text_is_read_once() {
    let mut papers = kinded("papers", EvidenceKind::Literature);
    let text =
        "A harmonic tide model gives the current in narrow fjords. Its residuals are corrected by a Kalman smoother.";
    papers.fixed_source.full = vec![(
        "literature:tide".to_owned(),
        Document {
            extent: Extent::FullText,
            ..Document::from_abstract("A harmonic tide model", Some(text))
        },
    )];
    let read = Arc::clone(&papers.read);
    let mut world = world_with(vec![papers]).await;
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let keep = Arc::clone(&seen);
    let script = move |question: &Question| {
        if question.prompt == "review.refine" {
            keep.lock().unwrap().push(question.whole());
        }
        plain(question)
    };
    world.model = Some(super::scripted(script, ModelSettings::default()));
    let found = run(&world).await;
    let seen = seen.lock().unwrap();
    let prompt = seen.first().unwrap();
    let title = "A harmonic tide model for narrow fjords";
    let head = prompt.lines().find(|line| line.contains(title)).unwrap();
    let tide = found
        .knowledge
        .iter()
        .find(|one| one.work.title.starts_with(title))
        .unwrap();
    assert!(head.contains(&format!("({:.2}; query: ", tide.score)), "{head}");
    // Only the full text has this sentence.
    assert!(prompt.contains("Kalman smoother"), "{prompt}");
    assert!(tide.read_whole);
    let mut read = read.lock().unwrap().clone();
    let all = read.len();
    read.sort();
    read.dedup();
    assert!(!read.is_empty() && read.len() == all, "{read:?}");
}

#[tokio::test]
async fn unsupported_statements_are_dropped_and_reported() {
    let script = changed("review.parts", |reply| {
        let all = reply["statements"].as_array_mut().unwrap();
        all[0]["words"] = json!("we were the first to sail by the moon alone in winter");
        all[1]["part"] = json!("expected_results");
        all[1]["statement"] = json!("Existing timetables would save 30 % of the fuel.");
    });
    let found = reviewed(script).await;
    holds(&found, "parts");
    assert!(found.idea.statements.iter().all(|one| !one.statement.contains("30 %")));
    assert!(
        found
            .coded_notes
            .iter()
            .any(|note| matches!(note, Note::ListedDropped { dropped: 2, .. })),
        "{:?}",
        found.coded_notes
    );
}

#[tokio::test]
async fn scores_out_of_range_are_ignored_and_invented_quotes_are_dropped() {
    let found = reviewed(changed("review.relevance", |reply| {
        for (at, record) in reply["records"].as_array_mut().unwrap().iter_mut().enumerate() {
            record["score"] = json!([11.0, -1.0, 7.0][at % 3]);
        }
    }))
    .await;
    holds(&found, "relevance");
    assert!(
        found
            .knowledge
            .iter()
            .all(|one| one.judged.is_none_or(|share| (share - 0.7).abs() < 1e-9))
    );
    assert!(
        found
            .metadata
            .not_searched
            .iter()
            .any(|one| matches!(one.gap, Some(Gap::RelevanceNotJudged { .. })))
    );
    let found = reviewed(changed("review.ground", |reply| {
        for one in reply["evidence"].as_array_mut().unwrap() {
            one["words"] = json!("ferries must never be moved by any current at all says everybody");
        }
    }))
    .await;
    holds(&found, "ground");
    assert!(
        found
            .grounding
            .iter()
            .all(|one| one.evidence.iter().all(|one| one.stance == Stance::SpeaksOf))
    );
    assert!(
        found
            .coded_notes
            .iter()
            .any(|note| matches!(note, Note::EvidenceNotFound { .. })),
        "{:?}",
        found.coded_notes
    );
    let found = reviewed(changed("review.ground", |reply| reply["score"] = json!(12))).await;
    holds(&found, "score");
    assert!(found.grounding.iter().all(|one| one.score.is_none()));
    assert!(
        found
            .coded_notes
            .iter()
            .any(|note| matches!(note, Note::EvidenceByRules { .. })),
        "{:?}",
        found.coded_notes
    );
}

#[tokio::test]
async fn a_statement_that_a_paper_makes_nearly_word_for_word_is_found_whatever_the_model_says() {
    let idea = "We plan the departures of buses on steep roads by the slope. \
        A harmonic tide model gives the current in narrow fjords ahead of time, and we do the same for the slope of a road.";
    let unrelated = |question: &Question| match question.prompt.as_str() {
        "review.ground" => Say::Text(json!({"evidence": [], "analysis": "It is unrelated.", "score": 0}).to_string()),
        _ => plain(question),
    };
    let offline = three_kinds().await;
    for (world, by_model) in [
        (offline, false),
        (world(ModelSettings::default(), unrelated).await, true),
    ] {
        let options = ReviewOptions {
            as_of: Some("2020".parse().unwrap()),
            ..options()
        };
        let copied = "A harmonic tide model gives the current in narrow fjords ahead of time.";
        let idea = format!("{idea} {copied}");
        let found = review(&ReviewInput::Idea(Idea::new(&idea)), &options, &world)
            .await
            .unwrap();
        holds(&found, "repeated");
        let repeated: Vec<_> = found
            .grounding
            .iter()
            .flat_map(|one| {
                one.evidence
                    .iter()
                    .filter_map(move |quote| Some((one, quote, quote.repeats?)))
            })
            .collect();
        assert!(!repeated.is_empty(), "{:#?}", found.grounding);
        for (one, quote, number) in repeated {
            let statement = found
                .idea
                .statements
                .iter()
                .find(|known| known.number == number)
                .unwrap();
            assert_eq!(statement.part, one.part);
            assert!(one.statements.contains(&number), "{one:#?}");
            assert!(
                quote.quote.text().contains("harmonic tide model gives the current"),
                "{quote:#?}"
            );
            assert!(one.probability.is_some() && one.similar.is_some() && one.score.is_none());
        }
        // Of the other documents, the model's answer counts.
        let mut others = found.grounding.iter().filter(|one| one.repeated().next().is_none());
        assert!(!by_model || others.next().is_none(), "{:#?}", found.grounding);
    }
}

#[tokio::test]
async fn operators_and_addresses_never_become_a_query() {
    for prompt in ["review.queries", "review.refine"] {
        let found = reviewed(changed(prompt, |reply| {
            let all = reply["queries"].as_array_mut().unwrap();
            all[0]["query"] = json!("site:evil.example ferries");
            all[1]["query"] = json!("http://evil.example/?q=ferries");
            all[2]["query"] = json!("<script>alert(1)</script>");
        }))
        .await;
        holds(&found, prompt);
        let queries = found.search.rounds.iter().flat_map(|round| &round.queries);
        assert!(
            queries
                .clone()
                .all(|query| !query.text.contains("script") && !query.text.contains("http"))
        );
        for kind in EvidenceKind::ALL {
            assert!(queries.clone().any(|query| query.kind == kind));
        }
    }
}

#[tokio::test]
async fn a_second_run_in_one_ledger_sends_nothing_and_gives_the_same_report() {
    let asked = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&asked);
    let world = world(ModelSettings::default(), move |question| {
        count.fetch_add(1, Ordering::SeqCst);
        plain(question)
    })
    .await;
    let first = run(&world).await;
    let questions = asked.load(Ordering::SeqCst);
    let second = run(&world).await;
    assert_eq!(
        serde_json::to_string(&first).unwrap(),
        serde_json::to_string(&second).unwrap()
    );
    assert_eq!(asked.load(Ordering::SeqCst), questions);
}

/// Number of answers mangled by seed, most of them unusable.
const ANSWERS: u64 = 200;

#[tokio::test]
async fn mangled_answers_break_nothing() {
    let asked = Arc::new(AtomicU64::new(0));
    let mangled = Arc::new(AtomicU64::new(0));
    let mut seed = 0;
    while mangled.load(Ordering::SeqCst) < rounds(ANSWERS) {
        seed += 1;
        let (count, hit) = (Arc::clone(&asked), Arc::clone(&mangled));
        let faults = Faults { seed, share: 0.6 };
        let script = move |question: &Question| {
            let number = count.fetch_add(1, Ordering::SeqCst);
            let answer = plain(question);
            match faults.meet(question, number, &answer) {
                Some(trouble) => {
                    hit.fetch_add(1, Ordering::SeqCst);
                    trouble
                }
                None => answer,
            }
        };
        let settings = ModelSettings {
            seed,
            ..ModelSettings::default()
        };
        let world = world(settings, script).await;
        holds(&run(&world).await, &format!("seed {seed}"));
    }
    eprintln!(
        "{} answers over {seed} runs, {} of them mangled",
        asked.load(Ordering::SeqCst),
        mangled.load(Ordering::SeqCst)
    );
}
