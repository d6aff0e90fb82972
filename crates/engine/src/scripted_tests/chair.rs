//! The chair: what may change scores, decision and confidence.

use precedent_domain::{
    ConfidenceLevel, ConfidenceLimit, LoweringBasis, LoweringFault, LoweringReason, MetaReview, Note, ReviewDecision,
    SentenceFault,
};
use precedent_scripted::{Question, plain};
use serde_json::{Value, json};

use super::board::{changed, judged, with};
use super::board_made::{gathered, options, usual};

#[tokio::test]
async fn a_chair_changes_the_average_only_with_deciding_evidence_and_within_bounds() {
    let scored = |delta: f64, reason: &'static str| async move {
        let found = judged(&gathered(&usual()), &options(), 7, move |question| {
            match question.prompt.as_str() {
                "review.board" => changed(question, "review.board", &json!({"score": 6.5})),
                _ => changed(
                    question,
                    "review.meta",
                    &json!({"delta": delta, "delta_reason": reason}),
                ),
            }
        })
        .await;
        (found.meta.unwrap(), found.notes)
    };
    let seen = judged(&gathered(&usual()), &options(), 7, plain).await;
    assert!(seen.board.iter().any(|one| one.seen.contains(&1)));
    let (meta, notes) = scored(
        0.75,
        "The regression of [1] already gives the harvest, which the readers passed over.",
    )
    .await;
    assert_eq!(
        (meta.average, meta.delta, meta.score, meta.decision),
        (6.5, 0.75, 7.25, ReviewDecision::Spotlight)
    );
    assert!(meta.delta_reason.contains("[1]") && notes.is_empty(), "{notes:?}");
    for reason in [
        "The plan is vague.",
        "",
        "It has no date but says so [28].",
        "By [1] <b>this</b> is so.",
    ] {
        let (meta, notes) = scored(1.5, reason).await;
        assert_eq!(
            (meta.delta, meta.score, meta.delta_reason.as_str()),
            (0.0, 6.5, ""),
            "{reason}"
        );
        assert!(notes.contains(&Note::ChangeWithoutEvidence { delta: 1.5 }), "{notes:?}");
    }
    for (delta, due, decision) in [(4.0, 8.5, ReviewDecision::Oral), (-9.5, 4.5, ReviewDecision::Reject)] {
        let (meta, notes) = scored(
            delta,
            "The regression of [1] already gives the harvest, which the readers passed over.",
        )
        .await;
        assert_eq!((meta.delta.abs(), meta.score, meta.decision), (2.0, due, decision));
        assert!(notes.contains(&Note::ChangeLimited { delta, limit: 2.0 }), "{notes:?}");
    }
}

/// A review whose readers all give 6.5, with these changes to the chair's answer.
async fn chaired(changes: Value) -> (MetaReview, Vec<Note>) {
    let found = judged(&gathered(&usual()), &options(), 7, move |question| {
        match question.prompt.as_str() {
            "review.board" => changed(question, "review.board", &json!({"score": 6.5})),
            _ => changed(question, "review.meta", &changes),
        }
    })
    .await;
    (found.meta.unwrap(), found.notes)
}

fn lowering(dimension: &str, reason: &str, by: f64, quote: &str, looked_for: &[&str]) -> Value {
    json!({"dimension": dimension, "reason": reason, "by": by, "quote": quote, "looked_for": looked_for})
}

#[tokio::test]
async fn a_chair_lowers_a_score_only_for_what_the_idea_s_own_words_show() {
    let lowered = json!([
        lowering(
            "clarity",
            "vague",
            1.0,
            "Plan their boats weeks ahead and err by a third",
            &[]
        ),
        lowering("validity", "no_baseline", 4.0, "", &["control group", "ablation"]),
        lowering("feasibility", "no_protocol", 0.5, "", &["held-out season"]),
    ]);
    let (meta, notes) = chaired(json!({"lowered": lowered, "confidence": "high"})).await;
    let (average, score) = (6.5, 6.5 - (1.0 + 1.5 + 0.5) / 5.0);
    assert_eq!(
        (meta.average, meta.delta, meta.decision),
        (average, 0.0, ReviewDecision::Reject)
    );
    assert!((meta.score - score).abs() < 1e-6, "{}", meta.score);
    // The readers' means stay.
    assert!(meta.dimensions.iter().all(|one| one.mean == 6.5));
    let all: Vec<_> = meta
        .lowered
        .iter()
        .map(|one| (one.dimension.as_str(), one.reason, one.by, one.before, one.after))
        .collect();
    assert_eq!(
        all,
        [
            ("clarity", LoweringReason::Vague, 1.0, 6.5, 5.5),
            ("validity", LoweringReason::NoBaseline, 1.5, 6.5, 5.0),
            ("feasibility", LoweringReason::NoProtocol, 0.5, 6.5, 6.0),
        ]
    );
    // The quote is the idea's own text, whatever the chair's spelling.
    let LoweringBasis::Quote { quote } = &meta.lowered[0].basis else {
        panic!("{:?}", meta.lowered[0]);
    };
    assert_eq!(quote.text(), "plan their boats weeks ahead and err by a third");
    let LoweringBasis::Absent { looked_for } = &meta.lowered[1].basis else {
        panic!("{:?}", meta.lowered[1]);
    };
    assert_eq!(looked_for, &["control group", "ablation"]);
    let limited = Note::LoweringLimited {
        dimension: "validity".to_owned(),
        by: 4.0,
        limit: 1.5,
    };
    assert_eq!(notes, [limited]);
    // What is missing allows no high confidence.
    let confidence = meta.decision_confidence.unwrap();
    assert_eq!(
        (confidence.by_chair, confidence.level),
        (ConfidenceLevel::High, ConfidenceLevel::Medium)
    );
    assert_eq!(confidence.limits, [ConfidenceLimit::ScoreLowered { dimensions: 3 }]);
    assert_eq!(meta.confidence, 0.5);
}

#[tokio::test]
async fn a_lowering_that_the_idea_contradicts_is_dropped_and_counted() {
    let vague = "plan their boats weeks ahead and err by a third";
    for (one, why) in [
        (
            lowering("care", "vague", 1.0, vague, &[]),
            LoweringFault::UnknownDimension,
        ),
        (
            lowering("clarity", "dull", 1.0, vague, &[]),
            LoweringFault::UnknownReason,
        ),
        (
            lowering("clarity", "vague", 0.0, vague, &[]),
            LoweringFault::NothingTakenOff,
        ),
        (
            lowering("clarity", "vague", -2.0, vague, &[]),
            LoweringFault::NothingTakenOff,
        ),
        (
            lowering("clarity", "vague", 1.0, "we will somehow do better than all", &[]),
            LoweringFault::QuoteNotInIdea,
        ),
        // A document's words are not the idea's.
        (
            lowering(
                "clarity",
                "vague",
                1.0,
                "The study zzz1qx measures swell beside farms",
                &[],
            ),
            LoweringFault::QuoteNotInIdea,
        ),
        (
            lowering("clarity", "vague", 1.0, "", &["detail"]),
            LoweringFault::QuoteNotInIdea,
        ),
        // What is missing needs a term, and a quote does not replace it.
        (
            lowering("clarity", "no_baseline", 1.0, vague, &[]),
            LoweringFault::NothingLookedFor,
        ),
        (
            lowering("clarity", "no_baseline", 1.0, "", &["see http://evil.example"]),
            LoweringFault::NothingLookedFor,
        ),
        (
            lowering("clarity", "no_baseline", 1.0, "", &["of the"]),
            LoweringFault::NothingLookedFor,
        ),
        (
            lowering(
                "clarity",
                "no_mechanism",
                1.0,
                "",
                &["transformer", "seasonal regressions"],
            ),
            LoweringFault::Mentioned,
        ),
    ] {
        let (meta, notes) = chaired(json!({"lowered": [one.clone()]})).await;
        assert_eq!((meta.lowered.len(), meta.score), (0, 6.5), "{one}");
        assert_eq!(notes, [Note::LoweringsDropped { why, dropped: 1 }], "{one}");
    }
    let twice = vec![lowering("clarity", "vague", 1.0, vague, &[]); 3];
    let (meta, notes) = chaired(json!({"lowered": twice})).await;
    assert_eq!((meta.lowered.len(), meta.score), (1, 6.3));
    let why = LoweringFault::Repeated;
    assert_eq!(notes, [Note::LoweringsDropped { why, dropped: 2 }]);
    // Words that state a baseline or a protocol count as such, whatever the chair looked for.
    for (reason, text) in [
        ("no_baseline", "Results are compared with the farm next door."),
        ("no_protocol", "It is evaluated over one season."),
    ] {
        let mut gathered = gathered(&usual());
        gathered.idea.document = crate::idea::Idea::new(&format!("Kelp grows in swell. {text}")).document();
        let script = move |question: &Question| {
            let one = lowering("clarity", reason, 1.0, "", &["nothing of the kind"]);
            changed(question, "review.meta", &json!({"lowered": [one]}))
        };
        let found = judged(&gathered, &options(), 7, script).await;
        let why = LoweringFault::Mentioned;
        assert!(
            found.notes.contains(&Note::LoweringsDropped { why, dropped: 1 }),
            "{:?}",
            found.notes
        );
    }
}

#[tokio::test]
async fn the_chair_gives_the_confidence_and_missing_opinions_lower_it() {
    let (meta, _) = chaired(json!({"confidence": "High"})).await;
    let confidence = meta.decision_confidence.unwrap();
    assert_eq!(
        (confidence.level, confidence.limits.len(), meta.confidence),
        (ConfidenceLevel::High, 0, 0.8)
    );
    let found = judged(&gathered(&usual()), &options(), 7, |question| {
        let silent = ["novelty", "clarity", "validity"];
        let is_silent = silent
            .iter()
            .any(|one| question.text().contains(&format!("one dimension: {one}")));
        match question.prompt.as_str() {
            "review.board" => {
                let score = if is_silent { 99.0 } else { 6.5 };
                changed(question, "review.board", &json!({"score": score}))
            }
            _ => changed(question, "review.meta", &json!({"confidence": "high"})),
        }
    })
    .await;
    let confidence = found.meta.unwrap().decision_confidence.unwrap();
    assert_eq!(confidence.level, ConfidenceLevel::Low);
    let missing = ConfidenceLimit::OpinionsMissing {
        usable: 10,
        requested: 25,
    };
    assert_eq!(confidence.limits, [missing]);
}

#[tokio::test]
async fn a_decision_that_contradicts_its_score_is_replaced_and_reported() {
    let replaced = |named| Note::DecisionReplaced {
        named,
        score: 6.5,
        due: ReviewDecision::Poster,
    };
    for (named, note) in [
        ("Oral", replaced(ReviewDecision::Oral)),
        ("reject", replaced(ReviewDecision::Reject)),
        ("temporal", Note::DecisionUnknown),
        ("Accept, of course", Note::DecisionUnknown),
    ] {
        let found = judged(&gathered(&usual()), &options(), 7, move |question| {
            match question.prompt.as_str() {
                "review.board" => changed(question, "review.board", &json!({"score": 6.5})),
                _ => changed(question, "review.meta", &json!({"decision": named})),
            }
        })
        .await;
        assert_eq!(found.meta.unwrap().decision, ReviewDecision::Poster);
        assert!(found.notes.contains(&note), "{named}: {:?}", found.notes);
    }
    let summary = "The readers agree that the aim is plain. The decision should be to reject it. A final score of 9.5 is due. \
        Rejection sampling of temporal oral records is a known means, and farms accept it. It is worth a poster, at 6.5.";
    let found = judged(&gathered(&usual()), &options(), 7, move |question| {
        match question.prompt.as_str() {
            "review.board" => changed(question, "review.board", &json!({"score": 6.5})),
            _ => changed(question, "review.meta", &json!({"summary": summary})),
        }
    })
    .await;
    let meta = found.meta.unwrap();
    assert_eq!(
        meta.summary,
        "The readers agree that the aim is plain. Rejection sampling of temporal oral records is a known means, and farms accept it. It is worth a poster, at 6.5."
    );
    let is_left_out = |one: &Note| {
        let Note::OfChairSummary { note } = one else {
            return false;
        };
        matches!(&**note, Note::SentencesLeftOut { sentences: 2, first: SentenceFault::Refused { why } } if why.starts_with("it names a decision"))
    };
    assert!(found.notes.iter().any(is_left_out), "{:?}", found.notes);
}

#[tokio::test]
async fn key_evidence_contains_each_deciding_document_at_most_once() {
    let found = with(
        "review.meta",
        json!({"key_evidence": [28, 1, 1, 30, 33, 777, 2, 3, 4, 5, 6, 7]}),
    )
    .await;
    let key = found.meta.unwrap().key_evidence;
    assert!(
        key.len() <= 5 && key.starts_with(&[1]) && key.is_sorted_by(|a, b| a < b),
        "{key:?}"
    );
    for number in [28, 30, 33, 777] {
        assert!(!key.contains(&number));
        assert!(found.notes.contains(&Note::KeyEvidenceLeftOut { number }));
    }
}

#[tokio::test]
async fn a_failed_meta_review_is_reported_as_an_error_and_rejects_nothing() {
    for changes in [
        json!({"confidence": 0.5}),
        json!({"confidence": "certain"}),
        json!({"lowered": "none"}),
        json!({"lowered": [{"dimension": "clarity", "reason": "vague", "by": "much", "quote": "", "looked_for": []}]}),
        json!({"delta": 1e9}),
        json!({"summary": "See http://evil.example."}),
        json!({"summary": "All of it stands in [30], which came later."}),
        json!({"key_evidence": "none"}),
    ] {
        let found = with("review.meta", changes.clone()).await;
        assert_eq!(found.meta, None, "{changes}");
        assert!(
            found
                .board
                .iter()
                .all(|one| one.opinions.len() == 5 && one.average.is_some())
        );
        assert!(found.notes.contains(&Note::ChairFailed), "{:?}", found.notes);
    }
}
