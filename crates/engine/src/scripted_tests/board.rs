//! The board: who sees what, how scores are combined, and what no model can change.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, Mutex};

use precedent_domain::{EvidenceKind, Note, ReviewDecision, SentenceFault, SuggestionFault, SuggestionGroup, Timing};
use precedent_scripted::{Question, Say, plain, rounds};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::board_made::{Made, gathered, made, options, usual, word, words_in, world};
use crate::board::{dimensions, personas};
use crate::model::{ModelAnalyst, ModelSettings, Policy};
use crate::review::{Gathered, ReviewJudged, ReviewOptions, judge_gathered};

/// The prompt of a request, and its whole text.
type CheckedAnswer = Arc<Mutex<Vec<(String, String)>>>;

fn plain_value(question: &Question) -> Value {
    match plain(question) {
        Say::Text(text) => serde_json::from_str(&text).unwrap(),
        _ => Value::Null,
    }
}

/// A plain answer with changes by prompt.
pub(super) fn changed(question: &Question, prompt: &str, changes: &Value) -> Say {
    let mut reply = plain_value(question);
    if question.prompt == prompt {
        for (key, value) in changes.as_object().unwrap() {
            reply[key] = value.clone();
        }
    }
    Say::Text(reply.to_string())
}

pub(super) async fn judged(
    gathered: &Gathered,
    options: &ReviewOptions,
    seed: u64,
    script: impl Fn(&Question) -> Say + Send + Sync + 'static,
) -> ReviewJudged {
    let world = world(seed, script).await;
    judge_gathered(gathered, options, &world).await.unwrap()
}

/// A review with these changes to the answers of one prompt.
pub(super) async fn with(prompt: &'static str, changes: Value) -> ReviewJudged {
    judged(&gathered(&usual()), &options(), 7, move |question| {
        changed(question, prompt, &changes)
    })
    .await
}

fn recording(received: &CheckedAnswer) -> impl Fn(&Question) -> Say + Send + Sync + 'static {
    let received = Arc::clone(received);
    move |question| {
        received
            .lock()
            .unwrap()
            .push((question.prompt.clone(), question.body.clone()));
        plain(question)
    }
}

#[tokio::test]
async fn five_readers_judge_five_dimensions_and_a_chair_sums_up() {
    let received = CheckedAnswer::default();
    let found = judged(&gathered(&usual()), &options(), 7, recording(&received)).await;
    assert_eq!(found.board.len(), 5);
    assert!(found.board.is_sorted_by(|a, b| a.id < b.id));
    for one in &found.board {
        assert_eq!(one.opinions.len(), 5, "{:?}", found.notes);
        let mean = one.opinions.iter().map(|one| one.score).sum::<f64>() / 5.0;
        assert!((one.average.unwrap() - mean).abs() < 1e-9);
        for opinion in &one.opinions {
            assert!(opinion.cited.iter().all(|number| one.seen.contains(number)));
            assert_eq!(opinion.working.is_empty(), opinion.dimension != "feasibility");
        }
        // Ten of literature: nine earlier and one the idea's own, which is not counted.
        assert_eq!(
            one.familiarity.iter().map(|one| one.of).collect::<Vec<_>>(),
            [9, 10, 10]
        );
    }
    let meta = found.meta.unwrap();
    let all = meta.dimensions.iter().map(|one| one.mean).sum::<f64>() / 5.0;
    assert!((meta.average - all).abs() < 1e-5 && (meta.score - meta.average).abs() < 1e-9);
    assert_eq!((meta.delta, meta.delta_reason.as_str()), (0.0, ""));
    assert!(!meta.key_evidence.is_empty() && meta.key_evidence.iter().all(|number| *number <= 27));
    assert_eq!(found.suggestions.len(), 5);
    assert_eq!(
        found.suggestions.iter().map(|one| one.group).collect::<Vec<_>>(),
        SuggestionGroup::ALL
    );
    assert!(
        found
            .suggestions
            .iter()
            .flat_map(|one| &one.pieces)
            .all(|number| (30..=32).contains(number))
    );
    assert_eq!(found.notes, Vec::<Note>::new());
    let asked: Vec<String> = received
        .lock()
        .unwrap()
        .iter()
        .map(|(prompt, _)| prompt.clone())
        .collect();
    let count = |prompt: &str| asked.iter().filter(|one| *one == prompt).count();
    assert_eq!(
        (count("review.board"), count("review.meta"), count("review.suggest")),
        (25, 1, 1)
    );
}

#[tokio::test]
async fn a_dimension_shows_its_own_parts_and_kinds_and_marks_undated_documents() {
    let received = CheckedAnswer::default();
    let mut options = options();
    // A reader who knows everything.
    options.personas.retain(|one| one.id == "area-chair");
    options.board = 1;
    let all = options.personas.first_mut().unwrap();
    (
        all.familiarity.literature,
        all.familiarity.frontier,
        all.familiarity.application,
    ) = (10, 10, 10);
    judged(&gathered(&usual()), &options, 1, recording(&received)).await;
    let received = received.lock().unwrap();
    let of = |id: &str| {
        let end = format!("one dimension: {id}");
        &received
            .iter()
            .find(|(_, body)| body.trim_end().ends_with(&end))
            .unwrap()
            .1
    };
    let (novelty, feasibility, clarity) = (of("novelty"), of("feasibility"), of("clarity"));
    assert!(!novelty.contains("\nExperimental setting (bears") && clarity.contains("\nExperimental setting (bears"));
    assert!(!novelty.contains("Code (") && novelty.contains("Web (") && novelty.contains("\nMethod (bears"));
    assert!(
        !feasibility.contains("\nBasic idea (bears") && feasibility.contains("work out: 10 to 15 lines of pseudocode")
    );
    let first = |text: &str| feasibility.find(text).unwrap();
    assert!(first("Code (") < first("Literature (") && first("Literature (") < first("Web ("));
    // 28 has no date, 29 appeared at about the same time.
    assert!(clarity.contains(&format!("Web (without a date: it decides nothing): On {}", word(28))));
    assert!(clarity.contains(&format!(
        "Code (2019-11, not surely earlier than the idea: it decides nothing): On {}",
        word(29)
    )));
    assert_eq!(words_in(clarity, 33), (1..=29).collect::<Vec<u32>>());
    let meta = &received.iter().find(|(prompt, _)| prompt == "review.meta").unwrap().1;
    assert!(meta.contains("Documents that may decide: 1, 2,") && meta.contains("26, 27. The others"));
}

#[tokio::test]
async fn long_evidence_is_shown_with_fewer_words_and_no_document_is_left_out() {
    let mut gathered = gathered(&usual());
    for one in &mut gathered.grounding {
        one.analysis = format!("{} {}", one.analysis, "It weighs on the plan as a whole. ".repeat(30));
    }
    let received = CheckedAnswer::default();
    let mut options = options();
    options.personas.truncate(1);
    let all = &mut options.personas[0].familiarity;
    (all.literature, all.frontier, all.application) = (10, 10, 10);
    judged(&gathered, &options, 1, recording(&received)).await;
    let received = received.lock().unwrap();
    let (_, clarity) = received
        .iter()
        .find(|(_, body)| body.ends_with("one dimension: clarity"))
        .unwrap();
    assert_eq!(words_in(clarity, 33), (1..=29).collect::<Vec<u32>>());
    assert!((20_000..50_000).contains(&clarity.len()), "{}", clarity.len());
}

#[tokio::test]
async fn for_any_seed_a_request_contains_only_the_documents_its_reader_knows() {
    let pieces: Vec<Made> = EvidenceKind::ALL
        .into_iter()
        .flat_map(|kind| vec![made(kind, Timing::Earlier); 10])
        .collect();
    let gathered = gathered(&pieces);
    let mut options = options();
    options.dimensions.retain(|one| one.id == "clarity");
    let known: BTreeMap<String, _> = options
        .personas
        .iter()
        .map(|one| (one.id.clone(), one.familiarity))
        .collect();
    let mut met: BTreeMap<(String, EvidenceKind), (usize, usize)> = BTreeMap::new();
    for seed in 0..rounds(100) {
        let received = CheckedAnswer::default();
        let found = judged(&gathered, &options, seed, recording(&received)).await;
        let received = received.lock().unwrap();
        for one in &found.board {
            let start = format!("You are: {}\n", one.name);
            let (_, body) = received.iter().find(|(_, body)| body.contains(&start)).unwrap();
            assert_eq!(words_in(body, 30), one.seen, "seed {seed}, {}", one.id);
            for (at, kind) in EvidenceKind::ALL.into_iter().enumerate() {
                let share = usize::from(known[&one.id].of(kind));
                let of_kind = one
                    .seen
                    .iter()
                    .filter(|number| (**number as usize - 1) / 10 == at)
                    .count();
                // Of ten documents, one tenth for each point of familiarity.
                assert_eq!(of_kind, share, "seed {seed}, {}, {kind:?}", one.id);
                assert_eq!((one.familiarity[at].seen, one.familiarity[at].of), (share, 10));
                let sum = met.entry((one.id.clone(), kind)).or_default();
                *sum = (sum.0 + of_kind, sum.1 + 10);
            }
        }
    }
    assert_eq!(met.len(), 45, "every persona was sampled");
    for ((id, kind), (seen, of)) in met {
        assert_eq!(seen * 10, of * usize::from(known[&id].of(kind)), "{id} {kind:?}");
    }
}

#[tokio::test]
async fn the_same_seed_gives_the_same_review_and_another_seed_gives_another_board() {
    let gathered = gathered(&usual());
    let one = judged(&gathered, &options(), 3, plain).await;
    assert_eq!(one, judged(&gathered, &options(), 3, plain).await);
    let mut turned = options();
    turned.personas.reverse();
    let boards = |found: &ReviewJudged| found.board.iter().map(|one| one.id.clone()).collect::<Vec<_>>();
    assert!(boards(&judged(&gathered, &turned, 3, plain).await).is_sorted());
    let other = judged(&gathered, &options(), 4, plain).await;
    assert_ne!(boards(&one), boards(&other));
    // What a reader knows does not depend on the dimensions they judge.
    let mut fewer = options();
    fewer.dimensions.truncate(2);
    let fewer = judged(&gathered, &fewer, 3, plain).await;
    let seen = |found: &ReviewJudged| found.board.iter().map(|one| one.seen.clone()).collect::<Vec<_>>();
    assert_eq!(seen(&one), seen(&fewer));
}

#[tokio::test]
async fn a_decision_is_the_bin_of_the_stated_score() {
    for (score, due) in [
        (0.0, ReviewDecision::Reject),
        (5.999, ReviewDecision::Reject),
        (6.0, ReviewDecision::Poster),
        (6.999, ReviewDecision::Poster),
        (7.0, ReviewDecision::Spotlight),
        (7.999, ReviewDecision::Spotlight),
        (8.0, ReviewDecision::Oral),
        (10.0, ReviewDecision::Oral),
    ] {
        let meta = with("review.board", json!({"score": score})).await.meta.unwrap();
        assert_eq!((meta.score, meta.decision), (score, due));
        assert_eq!(
            (
                meta.dimensions[0].lowest,
                meta.dimensions[0].highest,
                meta.dimensions[0].readers
            ),
            (score, score, 5)
        );
    }
    // Tenths whose mean is 7 except for binary rounding.
    let asked = std::sync::atomic::AtomicUsize::new(0);
    let tenths = [7.1, 6.9, 7.3, 6.7, 7.0];
    let mut options = options();
    options.dimensions.retain(|one| one.id == "clarity");
    let found = judged(&gathered(&usual()), &options, 7, move |question| {
        if question.prompt != "review.board" {
            return plain(question);
        }
        let at = asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        changed(question, "review.board", &json!({"score": tenths[at % 5]}))
    })
    .await;
    assert_eq!(found.meta.unwrap().decision, ReviewDecision::Spotlight);
}

#[tokio::test]
async fn opinions_off_the_scale_or_on_unseen_documents_are_missing_and_never_zero() {
    for changes in [
        json!({"score": 10.01}),
        json!({"score": -0.5}),
        json!({"score": "seven"}),
        json!({"score": null}),
        json!({"score": 1e300}),
        json!({"dimension": "novelty and more"}),
        json!({"dimension": null}),
        json!({"reason": "It rests on what is shown elsewhere [99999], and on nothing that was before this reader at all."}),
        // A later document.
        json!({"reason": "It was overtaken by what came later [30], so little of it is left to be done by anybody now."}),
        json!({"reason": "It was overtaken by what came later in document 31, so little of it is left to be done by anybody."}),
        // The idea's own paper.
        json!({"reason": "The very same stands in [33], so nothing of it is new to anybody who has read that."}),
        json!({"reason": ""}),
        json!({"reason": "I recommend rejection."}),
        json!({"reason": ["a list"]}),
    ] {
        let found = with("review.board", changes.clone()).await;
        assert!(
            found
                .board
                .iter()
                .all(|one| one.opinions.is_empty() && one.average.is_none()),
            "{changes}"
        );
        assert_eq!(found.meta, None);
        let missing = found
            .notes
            .iter()
            .filter(|note| **note == Note::BoardSilent { requests: 25 });
        assert_eq!(missing.count(), 1, "{changes}: {:#?}", found.notes);
        assert!(found.notes.contains(&Note::NoOpinion), "{:#?}", found.notes);
        // Suggestions use other documents and are independent of the board.
        assert_eq!(found.suggestions.len(), 5);
    }
    // Sent back once: a valid second answer counts.
    let found = judged(&gathered(&usual()), &options(), 7, |question| {
        match question.is_repair() {
            true => plain(question),
            false => changed(question, "review.board", &json!({"score": 11})),
        }
    })
    .await;
    assert!(found.board.iter().all(|one| one.opinions.len() == 5));
    // One reader without an opinion on one dimension: means are taken over the others.
    let first = judged(&gathered(&usual()), &options(), 7, plain).await.board[0]
        .name
        .clone();
    let found = judged(&gathered(&usual()), &options(), 7, move |question| {
        let is_it = question.text().contains("one dimension: novelty")
            && question.text().contains(&format!("You are: {first}\n"));
        changed(
            question,
            "review.board",
            &json!({"score": if is_it { 99.0 } else { 6.5 }}),
        )
    })
    .await;
    assert_eq!(
        found.board.iter().map(|one| one.opinions.len()).collect::<Vec<_>>(),
        [4, 5, 5, 5, 5]
    );
    let meta = found.meta.unwrap();
    assert_eq!(
        meta.dimensions.iter().map(|one| one.readers).collect::<Vec<_>>(),
        [5, 4, 5, 5, 5]
    );
    assert!(meta.dimensions.iter().all(|one| one.mean == 6.5) && meta.average == 6.5);
}

#[tokio::test]
async fn invalid_sentences_are_left_out_and_reported() {
    let reason = "The aim is plain and the means are named, step after step. It is 97.25 times better than what [1] shows. See http://evil.example for more. \
        I would give it 9/10. One of them says \"the regression is never unbiased on any day\" of it. A pilot would tell.";
    let mut options = options();
    options.personas.truncate(1);
    options.personas[0].familiarity.literature = 10;
    let script = move |question: &Question| changed(question, "review.board", &json!({"reason": reason}));
    let found = judged(&gathered(&usual()), &options, 1, script).await;
    let opinion = &found.board[0].opinions[0];
    assert_eq!(
        opinion.reason,
        "The aim is plain and the means are named, step after step. A pilot would tell."
    );
    let left_out = Note::SentencesLeftOut {
        sentences: 4,
        first: SentenceFault::Refused {
            why: "it gives the figure 97.25, which is in no text that it rests on".to_owned(),
        },
    };
    let is_it = |one: &Note| matches!(one, Note::OfOpinion { note, .. } if **note == left_out);
    assert!(found.notes.iter().any(is_it), "{:#?}", found.notes);
    // The second sentence contained citations. Nothing that is left does.
    assert_eq!(opinion.cited, Vec::<u32>::new());
    // Figures of the document itself, and several numbers in one bracket.
    let fine = json!({"reason": "Harvests of 412 farms are had by the same means [1, 2], which speaks for the plan. Nothing that is shown speaks against it, and a pilot would tell."});
    let script = move |question: &Question| changed(question, "review.board", &fine);
    let found = judged(&gathered(&usual()), &options, 1, script).await;
    let opinion = &found.board[0].opinions[0];
    assert!(opinion.reason.contains("means [1][2], which"), "{}", opinion.reason);
    assert_eq!(opinion.cited, [1, 2]);
}

#[tokio::test]
async fn suggestions_use_only_later_documents() {
    let text = "Hold the forecast against the farms of the later study, as it does.";
    let made_up = "Hold the forecast against 90 farms of the later study, as it does.";
    let one = |group: &str, text: &str, pieces: &[u32]| json!({"group": group, "text": text, "documents": pieces});
    let found = with(
        "review.suggest",
        json!({"suggestions": [
            one("next_steps", text, &[31]),
            one("next_steps", made_up, &[31]),
            one("method", "Take the means of the later study into the plan [30].", &[30, 30]),
            one("method", "Take the means of the later study into the plan [30].", &[30]),
            one("method", "Take up what an earlier study does with swell.", &[1]),
            one("method", "Take up what an earlier study does with swell [1].", &[30]),
            one("data", "Take up what nobody showed anywhere before.", &[]),
            one("data", "Take up what nobody showed anywhere before.", &[999]),
            one("money", "Ask somebody for a good deal more of it.", &[30]),
            one("risks", "See http://evil.example for what can go wrong.", &[30]),
            one("risks", "Its own paper says what can go wrong.", &[33]),
        ]}),
    )
    .await;
    let kept: Vec<(SuggestionGroup, &str, &[u32])> = found
        .suggestions
        .iter()
        .map(|one| (one.group, one.text.as_str(), one.pieces.as_slice()))
        .collect();
    assert_eq!(
        kept,
        [
            (
                SuggestionGroup::Method,
                "Take the means of the later study into the plan [30].",
                &[30][..]
            ),
            (SuggestionGroup::NextSteps, text, &[31][..]),
        ]
    );
    let expected = [
        Note::SuggestionsUnfounded { suggestions: 8 },
        Note::SuggestionLeftOut {
            group: SuggestionGroup::Method,
            why: SuggestionFault::Repeated,
        },
    ];
    for note in expected {
        assert!(found.notes.contains(&note), "{:?}", found.notes);
    }
    // Without later documents no request is sent.
    let received = CheckedAnswer::default();
    let earlier = gathered(&[made(EvidenceKind::Literature, Timing::Earlier)]);
    let found = judged(&earlier, &options(), 1, recording(&received)).await;
    assert!(
        found.suggestions.is_empty()
            && received
                .lock()
                .unwrap()
                .iter()
                .all(|(prompt, _)| prompt != "review.suggest")
    );
}

const CARE: &str = "+++\nid = \"care\"\nname = \"Care\"\nparts = [\"method\"]\nkinds = [\"code\"]\nworking = \"who could be harmed\"\n+++\n=== question ===\nIs harm to seaweed thought of?\n=== scale ===\n6-10: Yes.\n0-5: No.\n";
const DIVER: &str = "+++\nid = \"diver\"\nname = \"The diver\"\nliterature = 1\nmethodology = 1\napplication = 10\nfrontier = 1\n+++\n=== background ===\nCuts kelp by hand under water.\n=== goal ===\nKeep the ropes whole.\n=== constraints ===\nTrusts hands.\n";

#[tokio::test]
async fn dimensions_and_personas_added_to_folders_are_used_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str, file: &str, text: &str| {
        let place = folder.path().join(name);
        fs::create_dir(&place).unwrap();
        fs::write(place.join(file), text).unwrap();
        place
    };
    let options = ReviewOptions {
        dimensions: dimensions(Some(&place("dimensions", "care.md", CARE))).unwrap(),
        personas: personas(Some(&place("personas", "diver.md", DIVER))).unwrap(),
        board: 16,
        ..options()
    };
    let received = CheckedAnswer::default();
    let found = judged(&gathered(&usual()), &options, 2, recording(&received)).await;
    let diver = found.board.iter().find(|one| one.id == "diver").unwrap();
    assert_eq!(
        (diver.opinions.len(), diver.background.as_str()),
        (6, "Cuts kelp by hand under water.")
    );
    assert_eq!(
        diver.familiarity.iter().map(|one| one.seen).collect::<Vec<_>>(),
        [1, 1, 10]
    );
    let care = diver.opinions.iter().find(|one| one.dimension == "care").unwrap();
    assert!(!care.working.is_empty());
    let received = received.lock().unwrap();
    let question = received
        .iter()
        .find(|(_, body)| body.contains("You are: The diver") && body.ends_with("one dimension: care"));
    let (_, question) = question.unwrap();
    assert!(question.contains("Goal: Keep the ropes whole.") && question.contains("Is harm to seaweed thought of?"));
    assert!(
        question.contains("\nMethod (bears")
            && !question.contains("\nBasic idea (bears")
            && !question.contains("Web (")
    );
    let (_, chair) = received.iter().find(|(prompt, _)| prompt == "review.meta").unwrap();
    assert!(chair.contains("Care: mean") && chair.contains("of 16 readers") && chair.contains("The diver: Cuts kelp"));
    let meta = found.meta.unwrap();
    assert_eq!(meta.dimensions.len(), 6);
    let due = meta.dimensions.iter().map(|one| one.mean).sum::<f64>() / 6.0;
    assert!((meta.average - due).abs() < 1e-5);
}

#[tokio::test]
async fn no_request_is_sent_without_a_model_and_counting_counts_all_requests() {
    let mut world = world(1, plain).await;
    let counter = Arc::new(ModelAnalyst::counting("scripted:model", ModelSettings::default()));
    world.model = Some(counter.clone());
    judge_gathered(&gathered(&usual()), &options(), &world).await.unwrap();
    let counted: BTreeMap<String, (u64, bool)> = counter
        .counted()
        .into_iter()
        .map(|one| (one.prompt, (one.asks, one.input_tokens > 500)))
        .collect();
    let due = [("review.board@4", 25), ("review.meta@4", 1), ("review.suggest@3", 1)];
    assert_eq!(
        counted,
        due.map(|(prompt, asks)| (prompt.to_owned(), (asks, true)))
            .into_iter()
            .collect()
    );
    world.model = None;
    let nothing = judge_gathered(&gathered(&usual()), &options(), &world).await.unwrap();
    assert_eq!(nothing, ReviewJudged::default());
}

#[tokio::test]
async fn the_reviewer_policy_shows_scores_without_model_sentences() {
    let mut world = world(7, plain).await;
    let settings = ModelSettings {
        policy: Policy::Reviewer,
        ..ModelSettings::default()
    };
    world.model = Some(super::scripted(plain, settings));
    let found = judge_gathered(&gathered(&usual()), &options(), &world).await.unwrap();
    let opinions: Vec<_> = found.board.iter().flat_map(|one| &one.opinions).collect();
    assert!(
        opinions.len() == 25
            && opinions
                .iter()
                .all(|one| one.reason.is_empty() && one.working.is_empty())
    );
    assert!(opinions.iter().any(|one| !one.cited.is_empty()));
    assert!(found.suggestions.is_empty() && found.meta.is_some_and(|meta| meta.summary.is_empty()));
}

#[tokio::test]
async fn board_requests_match_their_snapshots() {
    let seen: Arc<Mutex<BTreeMap<String, String>>> = Arc::default();
    let keep = Arc::clone(&seen);
    let few = [
        made(EvidenceKind::Literature, Timing::Earlier),
        made(EvidenceKind::Code, Timing::Undated),
        made(EvidenceKind::Literature, Timing::Later),
    ];
    let mut options = options();
    options.board = 2;
    options.dimensions.retain(|one| one.id == "feasibility");
    judged(&gathered(&few), &options, 0, move |question| {
        keep.lock()
            .unwrap()
            .entry(question.prompt.clone())
            .or_insert_with(|| question.whole());
        plain(question)
    })
    .await;
    let seen = seen.lock().unwrap();
    for id in ["review.board", "review.meta", "review.suggest"] {
        insta::assert_snapshot!(id.replace('.', "-"), seen[id]);
    }
}

fn any_piece() -> impl Strategy<Value = Made> {
    let kind = prop_oneof![
        Just(EvidenceKind::Literature),
        Just(EvidenceKind::Web),
        Just(EvidenceKind::Code)
    ];
    let timing = prop_oneof![
        Just(Timing::Earlier),
        Just(Timing::Concurrent),
        Just(Timing::Undated),
        Just(Timing::Later)
    ];
    (kind, timing, prop::bool::weighted(0.1)).prop_map(|(kind, timing, own)| Made { kind, timing, own })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn requests_to_the_board_and_the_chair_contain_no_later_documents(pieces in prop::collection::vec(any_piece(), 0..24), seed: u64) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let received = CheckedAnswer::default();
        let found = runtime.block_on(judged(&gathered(&pieces), &options(), seed, recording(&received)));
        let is = |number: &u32| pieces[*number as usize - 1];
        for (prompt, body) in received.lock().unwrap().iter() {
            for number in words_in(body, pieces.len()) {
                let one = is(&number);
                prop_assert!(!one.own, "{prompt}");
                prop_assert_eq!(one.timing == Timing::Later, prompt == "review.suggest", "{}", prompt);
            }
        }
        for number in found.meta.iter().flat_map(|one| &one.key_evidence) {
            prop_assert_eq!(is(number).timing, Timing::Earlier);
        }
        for number in found.suggestions.iter().flat_map(|one| &one.pieces) {
            prop_assert_eq!(is(number).timing, Timing::Later);
        }
    }
}
