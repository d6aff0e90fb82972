use precedent_domain::{DateOrigin, Gap, JudgedBy, NotSearched, Note, SectionKind, Status};
use precedent_scripted::{Question, Say, plain};
use serde_json::{Value, json};

use super::stand_in::{PLANTED, holds, run, sample, world};
use crate::assess::{AssessOptions, assess};
use crate::model::{Depth, ModelSettings, Policy, prompt_list};
use crate::sample::{kelp_paper, kelp_works, paper_of};

fn text(question: &Question) -> String {
    match plain(question) {
        Say::Text(text) => text,
        _ => String::new(),
    }
}

fn answer(value: Value) -> Say {
    Say::Text(value.to_string())
}

#[test]
fn every_prompt_parses_and_names_its_task_and_its_type() {
    let prompts = prompt_list().unwrap();
    assert_eq!(prompts.len(), 40);
    for (id, version, temperature, output) in prompts {
        assert!(version > 0 && output.ends_with("Reply"), "{id}");
        // The published temperatures (OpenNovelty, 2.1; InnoEval, settings).
        let expected = match id.as_str() {
            "extract.core_task" => 0.1,
            "queries.variants" => 0.2,
            "review.parts" => 0.3,
            "review.refine" => 1.0,
            "review.board" => 0.7,
            "review.meta" | "review.suggest" => 0.4,
            _ => 0.0,
        };
        assert!((temperature - expected).abs() < 1e-6, "{id}");
    }
}

#[tokio::test]
async fn requests_match_their_snapshots() {
    let seen: std::sync::Arc<std::sync::Mutex<std::collections::BTreeMap<String, String>>> = std::sync::Arc::default();
    let keep = std::sync::Arc::clone(&seen);
    sample(move |question| {
        keep.lock()
            .unwrap()
            .entry(question.prompt.clone())
            .or_insert_with(|| question.whole());
        plain(question)
    })
    .await;
    let seen = seen.lock().unwrap();
    for id in [
        "extract.contributions",
        "compare.passages",
        "taxonomy.build",
        "assess.overall",
    ] {
        insta::assert_snapshot!(id.replace('.', "-"), seen[id]);
    }
}

#[tokio::test]
async fn a_request_too_long_for_the_model_is_shortened_and_reported() {
    let script = |question: &Question| match question.prompt.as_str() {
        "compare.whole" if question.text().len() > 4_500 => Say::Status(413, String::new()),
        _ => plain(question),
    };
    let paper = kelp_paper();
    // A work with a long full text that is read whole.
    let body = "The swell of the week before is written down each morning. ".repeat(60);
    let settings = ModelSettings {
        depth: Depth::Full,
        ..ModelSettings::default()
    };
    let world = world(kelp_works(), &body, settings, script).await;
    let found = assess(paper.clone(), AssessOptions::default(), &world).await.unwrap();
    holds(&found, &paper, &body, "too long");
    let limits = &found.metadata.not_searched;
    let is_whole = |one: &NotSearched| matches!(&one.gap, Some(Gap::TextsShortened { prompt, shortened: 1, .. }) if prompt == "compare.whole");
    assert!(limits.iter().any(is_whole), "{limits:#?}");
    // A shortened text is not reported as read whole.
    let comparisons = &found.contribution_analysis.comparisons;
    assert!(
        comparisons
            .iter()
            .all(|one| one.judged_by != Some(JudgedBy::ModelWholeText))
    );
    assert!(
        comparisons
            .iter()
            .any(|one| one.judged_by == Some(JudgedBy::ModelPassages))
    );
}

#[tokio::test]
async fn a_claim_over_its_limit_is_sent_back_and_then_cut_at_a_clause() {
    let long = "We join satellite colour with swell records of the same week and of the week before for every farm on the coast of the island and its bay, which gives a forecast of the harvest that holds for calm and rough years, for young and old farms, and for both kinds of kelp that are grown there.";
    let endless = long
        .replace(", which", " which")
        .replace(", for", " for")
        .replace(", and", " and");
    for (words, kept) in [(long, Some("and its bay")), (endless.as_str(), None)] {
        let paper = paper_of(
            "Forecasting Kelp",
            Some("2020"),
            &[
                (
                    "Abstract",
                    SectionKind::Abstract,
                    &["We forecast the harvest of kelp farms from colour and swell."],
                ),
                (
                    "Introduction",
                    SectionKind::Introduction,
                    &[words, "Farms need to know their harvest early."],
                ),
            ],
        );
        let asked = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let (keep, listed) = (std::sync::Arc::clone(&asked), words.to_owned());
        let found = run(paper.clone(), kelp_works(), ModelSettings::default(), move |question| {
            if question.prompt != "extract.contributions" {
                return plain(question);
            }
            keep.lock().unwrap().push(question.whole());
            answer(json!({"contributions": [{"name": "Colour and swell joined", "author_claim_text": listed, "description": null, "source_hint": null, "kind": "method"}]}))
        })
        .await;
        let asked = asked.lock().unwrap();
        assert_eq!(asked.len(), 2, "sent back once");
        assert!(asked[1].contains("must have at most 40"), "{}", asked[1]);
        let claims = &found.contribution_analysis.contributions;
        match kept {
            Some(end) => {
                assert_eq!(claims.len(), 1);
                assert!(claims[0].claim.text().ends_with(end), "{}", claims[0].claim.text());
            }
            // No clause ends in time. Half a clause is not shown, and the report says that the claim was dropped.
            None => assert!(
                found.contribution_analysis.coded_notes.iter().any(|note| matches!(
                    note,
                    Note::ListedDropped {
                        most_words: Some(40),
                        ..
                    }
                )),
                "{:#?}",
                found.contribution_analysis.coded_notes
            ),
        }
    }
}

#[tokio::test]
async fn a_claim_that_is_not_in_the_paper_is_sent_back_once_then_dropped_and_counted() {
    let found = sample(|question| match question.prompt.as_str() {
        "extract.contributions" => answer(json!({"contributions": [
            {"name": "A seasonal regression", "author_claim_text": "a seasonal regression that joins satellite colour with swell records of the same week", "description": "It joins colour with swell.", "source_hint": null, "kind": "method"},
            {"name": "A proof", "author_claim_text": "we prove that the regression is never unbiased on any day at all", "description": null, "source_hint": null, "kind": "theory"},
        ]})),
        _ => plain(question),
    })
    .await;
    let claims = &found.contribution_analysis.contributions;
    assert_eq!(claims.len(), 1, "{claims:#?}");
    assert_eq!(
        claims[0].claim.text(),
        "a seasonal regression that joins satellite colour with swell records of the same week"
    );
    assert_eq!(claims[0].description, "It joins colour with swell.");
    let notes = &found.contribution_analysis.coded_notes;
    assert!(
        notes.iter().any(|note| matches!(
            note,
            Note::ListedDropped {
                dropped: 1,
                listed: 2,
                ..
            }
        )),
        "{notes:?}"
    );
    let uses = found
        .metadata
        .models
        .iter()
        .find(|one| one.prompt.starts_with("extract.contributions"))
        .unwrap();
    assert_eq!((uses.questions, uses.items), (2, 1), "one repair");
}

fn listed(claims: &'static [&'static str]) -> impl Fn(&Question) -> Say + Send + Sync + 'static {
    move |question| match question.prompt.as_str() {
        "extract.contributions" => {
            let one = |(number, words): (usize, &&str)| json!({"name": format!("Contribution of kind {number}"), "author_claim_text": words, "description": null, "source_hint": null, "kind": "method"});
            answer(json!({"contributions": claims.iter().enumerate().map(one).collect::<Vec<_>>()}))
        }
        _ => plain(question),
    }
}

#[tokio::test]
async fn a_fourth_contribution_leaves_the_first_three_and_a_note() {
    let found = sample(listed(&[
        "We propose KelpCast, a seasonal regression that joins satellite colour with swell records of the same week.",
        "We prove that the regression is unbiased when swell and colour are measured on different days.",
        "We release a data set of forty thousand kelp plots along three coasts.",
        "KelpCast achieves an accuracy of 93 % on all three coasts.",
    ]))
    .await;
    let claims = &found.contribution_analysis.contributions;
    let names: Vec<&str> = claims.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "Contribution of kind 0",
            "Contribution of kind 1",
            "Contribution of kind 2"
        ]
    );
    let notes = &found.contribution_analysis.coded_notes;
    let is_said = |note: &Note| {
        matches!(
            note,
            Note::ListedBeyondLimit {
                limit: 3,
                listed: 4,
                ..
            }
        )
    };
    assert!(notes.iter().any(is_said), "{notes:?}");
}

#[tokio::test]
async fn one_claim_in_two_places_is_kept_once() {
    let found = sample(listed(&[
        "We propose KelpCast, a seasonal regression that joins satellite colour with swell records of the same week.",
        "We propose KelpCast, a seasonal regression that joins satellite colour with swell records.",
        "We prove that the regression is unbiased when swell and colour are measured on different days.",
    ]))
    .await;
    let claims = &found.contribution_analysis.contributions;
    assert_eq!(claims.len(), 2, "{claims:#?}");
    let notes = &found.contribution_analysis.coded_notes;
    let is_said = |note: &Note| matches!(note, Note::ListedTwice { dropped: 1, .. });
    assert!(notes.iter().any(is_said), "{notes:?}");
    for one in claims {
        let others = claims.iter().filter(|other| other.number != one.number);
        let mut places = others.flat_map(|other| &other.also_stated);
        assert!(places.all(|place| !place.span().overlaps(one.claim.span())));
    }
}

#[tokio::test]
async fn a_paper_without_a_date_is_dated_by_words_of_its_first_page() {
    let date = |words: &'static str, date: &'static str| {
        move |question: &Question| match question.prompt.as_str() {
            "extract.date" => answer(json!({"words": words, "date": date})),
            _ => plain(question),
        }
    };
    let mut paper = kelp_paper();
    paper.dates.clear();
    paper.document.text = paper.document.text.replace(
        "Forecasting kelp harvests helps coastal farms to plan.",
        "Received in September of 2023. Kelp and farms do plan.",
    );
    assert_eq!(
        paper.document.text.len(),
        kelp_paper().document.text.len(),
        "spans stay"
    );
    for (words, reply, wanted) in [
        ("Received in September of 2023", "2023-09", Some("2023-09")),
        ("Received in September of 2023", "2023-10", None),
        ("Received in September of 2024", "2024-09", None),
        ("", "", None),
    ] {
        let found = run(
            paper.clone(),
            kelp_works(),
            ModelSettings::default(),
            date(words, reply),
        )
        .await;
        let as_of = found.metadata.as_of;
        assert_eq!(as_of.as_ref().map(|one| one.date.to_string()).as_deref(), wanted);
        assert!(as_of.is_none_or(|one| one.origin == DateOrigin::FirstPageByModel));
    }
    // A date that rules find is not requested.
    let found = sample(date("Received in September of 2023", "2023-09")).await;
    assert!(
        found
            .metadata
            .models
            .iter()
            .all(|one| !one.prompt.starts_with("extract.date"))
    );
}

fn comparing(status: &'static str, evidence: Value) -> impl Fn(&Question) -> Say + Send + Sync + 'static {
    move |question| match question.prompt.as_str() {
        "compare.passages" | "compare.whole" => {
            let mut reply: Value = serde_json::from_str(&text(question)).unwrap();
            for one in reply["answers"].as_array_mut().unwrap() {
                one["status"] = json!(status);
                one["evidence"] = evidence.clone();
                one["note"] = json!("The work speaks of the same matter.");
            }
            answer(reply)
        }
        _ => plain(question),
    }
}

#[tokio::test]
async fn can_refute_without_a_verified_pair_becomes_cannot_refute_and_is_listed() {
    let altered = json!([{"paper_quote": PLANTED, "work_quote": "We prove that the regression is biased when swell and colour are measured on different days.", "rationale": "Same."}]);
    let absent = json!([{"paper_quote": "We were the first to weigh kelp by satellite.", "work_quote": "They were the first to weigh kelp by satellite.", "rationale": "Same."}]);
    let unrelated = json!([{"paper_quote": "Kelp farms plan their boats weeks ahead.", "work_quote": "The terms of the regression are listed in a table.", "rationale": "Same."}]);
    for evidence in [altered, absent, unrelated, json!([])] {
        let found = sample(comparing("can_refute", evidence.clone())).await;
        let by_model = found
            .contribution_analysis
            .comparisons
            .iter()
            .filter(|one| one.judged_by != Some(JudgedBy::Program));
        let by_model: Vec<_> = by_model.filter(|one| one.status != Status::CanRefute).collect();
        assert!(!by_model.is_empty());
        for one in by_model {
            assert_eq!(one.status, Status::CannotRefute, "{evidence}: {one:#?}");
            assert!(
                one.downgraded.as_ref().unwrap().contains("no pair of quotes"),
                "{one:#?}"
            );
        }
        let counts = &found.contribution_analysis.statistics;
        assert!(counts.downgraded > 0, "{counts:?}");
        // A verbatim match is found whatever the model says, and shown with the program's own pair.
        holds(&found, &kelp_paper(), "", "unverified");
    }
}

#[tokio::test]
async fn a_verified_pair_refutes_only_in_the_full_text_of_an_earlier_work() {
    let pair = json!([{"paper_quote": PLANTED, "work_quote": PLANTED, "rationale": "Both prove the same."}]);
    let found = sample(comparing("can_refute", pair)).await;
    let refuted: Vec<_> = found
        .contribution_analysis
        .comparisons
        .iter()
        .filter(|one| one.status == Status::CanRefute)
        .collect();
    assert!(!refuted.is_empty());
    holds(&found, &kelp_paper(), "", "verified");
    // A sentence of an abstract alone refutes nothing.
    let from_abstract = json!([{"paper_quote": "a seasonal regression that joins satellite colour with swell records of the same week", "work_quote": "A seasonal regression of kelp harvests on swell and satellite colour.", "rationale": "Same."}]);
    let found = sample(comparing("can_refute", from_abstract)).await;
    let withdrawn = found
        .contribution_analysis
        .comparisons
        .iter()
        .filter(|one| one.status == Status::Unclear && one.downgraded.is_some());
    assert!(withdrawn.count() > 0, "{:#?}", found.contribution_analysis.comparisons);
}

#[tokio::test]
async fn unclear_stays_unclear_and_verbatim_matches_are_the_minimum() {
    for status in ["unclear", "cannot_refute"] {
        let found = sample(comparing(status, json!([]))).await;
        let of_model: Vec<_> = found
            .contribution_analysis
            .comparisons
            .iter()
            .filter(|one| one.judged_by != Some(JudgedBy::Program))
            .collect();
        let wanted = if status == "unclear" {
            Status::Unclear
        } else {
            Status::CannotRefute
        };
        assert!(of_model.iter().any(|one| one.status == wanted));
        assert!(
            of_model
                .iter()
                .all(|one| one.status == wanted || one.status == Status::CanRefute)
        );
        let all = found.contribution_analysis.comparisons.iter();
        let floor: Vec<_> = all.filter(|one| one.status == Status::CanRefute).collect();
        assert_eq!(floor.len(), 1, "the planted claim");
        assert!(
            !floor[0].note.contains("speaks of the same matter"),
            "{}",
            floor[0].note
        );
        assert_eq!(floor[0].judged_by, Some(JudgedBy::Program));
    }
}

#[tokio::test]
async fn a_tree_that_omits_works_is_repaired_by_rule_and_by_one_request() {
    let found = sample(|question| match question.prompt.as_str() {
        "taxonomy.build" => answer(json!({"nodes": [
            {"id": 1, "parent": 0, "name": "Forecasts of kelp harvests", "scope_note": "Forecasts.", "exclude_note": "Records stand elsewhere.", "works": [0, 77, 0]},
            {"id": 2, "parent": 0, "name": "Records of swell", "scope_note": "Records.", "exclude_note": "Forecasts stand elsewhere.", "works": []},
        ]})),
        _ => plain(question),
    })
    .await;
    let tree = found.core_task_survey.taxonomy.as_ref().unwrap();
    assert!(tree.needs_review.is_empty(), "{tree:#?}");
    assert!(
        tree.root
            .subtopics
            .iter()
            .any(|node| node.name == "Forecasts of kelp harvests"),
        "{tree:#?}"
    );
    assert!(
        found
            .metadata
            .models
            .iter()
            .any(|one| one.prompt.starts_with("taxonomy.place"))
    );
    holds(&found, &kelp_paper(), "", "tree");
}

/// The descriptions of works if every comparison answers with `line`, and the number of comparisons.
async fn described(depth: Depth, line: Value) -> (Vec<Option<String>>, usize) {
    let count: std::sync::Arc<std::sync::atomic::AtomicUsize> = std::sync::Arc::default();
    let counted = std::sync::Arc::clone(&count);
    let settings = ModelSettings {
        depth,
        ..ModelSettings::default()
    };
    let script = move |question: &Question| {
        let mut reply: Value = serde_json::from_str(&text(question)).unwrap();
        if question.prompt.starts_with("compare.") {
            counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            reply["line"] = line.clone();
        }
        answer(reply)
    };
    let found = run(kelp_paper(), kelp_works(), settings, script).await;
    let lines = found.core_task_survey.one_liners.into_iter().map(|line| line.text);
    (lines.collect(), count.load(std::sync::atomic::Ordering::SeqCst))
}

#[tokio::test]
async fn comparisons_also_describe_the_work_in_one_line() {
    const LINE: &str = "The work estimates the mass of kelp on ropes from pictures taken by satellites in calm water.";
    for depth in [Depth::Passages, Depth::Full] {
        let (lines, comparisons) = described(depth, json!(LINE)).await;
        assert!(comparisons > 0);
        assert_eq!(lines, vec![Some(LINE.to_owned()); comparisons], "{depth:?}");
        // Without a line, or with one that breaks the rules, the comparison counts and is not requested again.
        for line in [json!(null), json!("It won 97 % of 4,312 prizes.")] {
            assert_eq!(
                described(depth, line).await,
                (vec![None; comparisons], comparisons),
                "{depth:?}"
            );
        }
    }
}

#[tokio::test]
async fn full_depth_reads_whole_texts_and_the_reviewer_policy_prints_no_sentence() {
    let full = ModelSettings {
        depth: Depth::Full,
        ..ModelSettings::default()
    };
    let found = run(kelp_paper(), kelp_works(), full, plain).await;
    assert!(
        found
            .contribution_analysis
            .comparisons
            .iter()
            .any(|one| one.judged_by == Some(JudgedBy::ModelWholeText))
    );
    let reviewer = ModelSettings {
        policy: Policy::Reviewer,
        ..ModelSettings::default()
    };
    let found = run(kelp_paper(), kelp_works(), reviewer, plain).await;
    assert!(found.core_task_survey.narrative.is_none() && found.contribution_analysis.overall_assessment.is_none());
    assert!(found.core_task_survey.one_liners.iter().all(|line| line.text.is_none()));
    let notes: Vec<&str> = found
        .contribution_analysis
        .comparisons
        .iter()
        .map(|one| one.note.as_str())
        .collect();
    assert!(
        notes.iter().all(|note| !note.contains("speak of something else")),
        "{notes:#?}"
    );
}

#[tokio::test]
async fn a_second_run_in_one_ledger_sends_nothing_and_gives_the_same_report() {
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    let count = std::sync::Arc::clone(&asked);
    let script = move |question: &Question| {
        count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        plain(question)
    };
    let world = world(kelp_works(), "", ModelSettings::default(), script).await;
    let first = assess(kelp_paper(), AssessOptions::default(), &world).await.unwrap();
    let questions = asked.load(std::sync::atomic::Ordering::SeqCst);
    let second = assess(kelp_paper(), AssessOptions::default(), &world).await.unwrap();
    assert_eq!(
        serde_json::to_string(&first).unwrap(),
        serde_json::to_string(&second).unwrap()
    );
    assert_eq!(asked.load(std::sync::atomic::Ordering::SeqCst), questions);
}
