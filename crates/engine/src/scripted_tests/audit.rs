//! Audits with a model: what is searched, what is shown, and what an unsupported citation costs.

use std::sync::{Arc, Mutex};

use precedent_domain::{Audit, AuditDimension, PointsReport};
use precedent_scripted::{Question, Say, plain};
use serde_json::json;

use crate::audit::{Audited, audit};
use crate::model::ModelSettings;
use crate::points::{PointsOptions, points};
use crate::sample::{FixedSource, kelp_paper, kelp_works, work, world_of};

const REPORT: &str = "# KelpCast\n\n## 1. Paper Content Summary\n\nKelpCast forecasts kelp harvests from satellite colour and swell. It gains 12 % over all baselines.\n\n## 2. Point-wise Novelty Analysis\n\n### 2.1. Novelty Point 1: A seasonal regression\n\n**a) Claimed novelty**\n\nClassification: Methodological/Algorithmic\n\nA seasonal regression joins satellite colour with swell records.\n\n**b) Similarities**\n\nBoth forecast kelp from satellite colour [1]. Both use a seasonal regression [1, 2].\n\n**c) Unique Differences**\n\nThe earlier work has no swell [1]. It is stated in a heading, too.\n\n#### As others weigh it [9]\n\n**d) Details of Unique Differences**\n\nThe swell records are of the same week.\n\n## 3. Novelty Summary\n\nIt joins two known sources.\n\n- Point 1 (Minor Adjustment): the regression is known. Suggestion: say more.\n\n**Final One-line Summary:** 2 – Fair / Incremental: a small step.\n\n## References\n\n[1] Dorn 2016. Growth forecasting.\n\n[2] Roy 2019. Swell records.\n";

async fn found(script: impl Fn(&Question) -> Say + Send + Sync + 'static) -> Audit {
    found_in(REPORT, script).await
}

/// An audit with the passages of a points report as evidence.
async fn found_in(markdown: &str, script: impl Fn(&Question) -> Say + Send + Sync + 'static) -> Audit {
    let fixed_source = FixedSource {
        local: true,
        ..FixedSource::new(kelp_works())
    };
    let mut world = world_of(vec![fixed_source]).await;
    let data: PointsReport = points(&kelp_paper(), &PointsOptions::default(), &world).await.unwrap();
    world.model = Some(super::scripted(script, ModelSettings::default()));
    // The report's own passages are the evidence.
    world.sources.clear();
    let paper = kelp_paper();
    let audited = Audited {
        markdown,
        data: Some(&data),
        paper: Some(&paper),
        as_of: None,
    };
    audit(&audited, &world).await.unwrap()
}

/// Answers every question with the same word and reason.
fn always(yes: bool, reason: &str) -> impl Fn(&Question) -> Say + Send + Sync + 'static + use<> {
    let reason = reason.to_owned();
    move |question| match question.prompt.as_str() {
        "audit.items" => {
            let blocks = question.blocks();
            let items = blocks.iter().filter(|block| block.name.starts_with("item "));
            let items = items.map(|block| json!({"item": block.number(), "yes": yes, "reason": reason}));
            Say::Text(json!({"items": items.collect::<Vec<_>>()}).to_string())
        }
        _ => plain(question),
    }
}

/// Works on kelp, one of which is close to a claim of the paper.
fn with_a_close_work() -> Vec<precedent_domain::Work> {
    let close = work(
        "k:close",
        "Weekly yields of coastal farms",
        "Ada Berg",
        Some("2018"),
        "Yields matter to coastal farms. A seasonal regression joins satellite colour with swell records of one week. It is tested on two coasts.",
    );
    kelp_works().into_iter().chain([close]).collect()
}

/// An audit of a report in any form, with everything on kelp that can be searched.
async fn searched(markdown: &str, model: Option<Arc<crate::model::ModelAnalyst>>) -> crate::Result<Audit> {
    let fixed_source = FixedSource {
        local: true,
        ..FixedSource::new(with_a_close_work())
    };
    let mut world = world_of(vec![fixed_source]).await;
    world.model = model;
    let paper = kelp_paper();
    let audited = Audited {
        markdown,
        data: None,
        paper: Some(&paper),
        as_of: None,
    };
    audit(&audited, &world).await
}

#[tokio::test]
async fn a_judge_that_always_says_no_leaves_no_score() {
    let audit = found(always(false, "It does not.")).await;
    assert!(audit.overall.unwrap() <= 0.3, "{:?}", audit.overall);
    let all = audit.dimensions.iter().flat_map(|one| &one.items);
    assert!(
        all.clone().all(|item| item.yes == Some(false)),
        "a rule said yes against the judge"
    );
    assert_eq!(all.count(), 69);
    // And one that always says yes is refused where a rule finds a fault.
    let audit = found_in(&REPORT.replace("12 %", "57 %"), always(true, "It does.")).await;
    let all: Vec<_> = audit.dimensions.iter().flat_map(|one| &one.items).collect();
    let refused: Vec<&str> = all
        .iter()
        .filter(|item| item.yes == Some(false))
        .map(|item| item.id.as_str())
        .collect();
    // 57 % is not in the paper.
    assert!(
        refused.contains(&"faithfulness.1") && refused.contains(&"faithfulness.2"),
        "{refused:?}"
    );
}

#[tokio::test]
async fn nothing_is_scored_without_a_model() {
    let audit = searched(REPORT, None).await.unwrap();
    assert_eq!(audit.overall, None);
    let scored: Vec<&str> = audit
        .dimensions
        .iter()
        .filter(|one| one.score.is_some())
        .map(|one| one.dimension.name())
        .collect();
    assert!(scored.is_empty(), "{scored:?}");
    assert!(
        audit.dimensions.iter().any(|one| one.decided > 0),
        "rules decide what they can"
    );
    // A rule that covers a part of a question does not say yes.
    let partly = ["fluency.1", "fluency.5", "fluency.10", "faithfulness.3", "depth.4"];
    let items = audit.dimensions.iter().flat_map(|one| &one.items);
    for item in items.filter(|item| partly.contains(&item.id.as_str())) {
        assert_ne!(item.yes, Some(true), "{item:?}");
    }
}

#[tokio::test]
async fn a_close_earlier_paper_that_the_report_leaves_out_is_named_with_its_passage() {
    // A report on the same paper that knows nothing of the literature.
    let silent = "# KelpCast\n\nKelpCast forecasts kelp harvests from satellite colour and swell with a seasonal regression. It is entirely new, and nothing like it has been published before, so that every point of it is original.\n";
    let audit = searched(silent, None).await.unwrap();
    assert!(
        audit.limits.contains(&precedent_domain::AuditLimit::OtherForm),
        "{:?}",
        audit.limits
    );
    assert!(audit.evidence.searched.is_some_and(|count| count > 0));
    let first = audit.omissions.first().expect("an omission");
    assert_eq!(
        (first.title.as_str(), first.alias.as_str()),
        ("Weekly yields of coastal farms", "Berg 2018")
    );
    let works = with_a_close_work();
    let work = works
        .iter()
        .find(|work| work.title == first.title)
        .expect("one of the works on kelp");
    let text = format!("{}\n{}", work.title, work.summary.clone().unwrap_or_default());
    assert!(text.contains(first.passage.text()), "{first:?}");
    // A paper that the report names is not listed.
    let audit = searched(&format!("{silent}\nIt resembles {}.\n", first.title), None)
        .await
        .unwrap();
    assert!(
        audit.omissions.iter().all(|one| one.title != first.title),
        "{:?}",
        audit.omissions
    );
}

#[tokio::test]
async fn every_paper_that_states_a_claim_is_marked_even_with_the_same_title() {
    let world = world_of(vec![FixedSource::new(kelp_works())]).await;
    let data = points(&kelp_paper(), &PointsOptions::default(), &world).await.unwrap();
    let claim = data.points.first().expect("a point").claim.text().to_owned();
    let same = |id: &str, author: &str| {
        work(
            id,
            "Weekly yields",
            author,
            Some("2018"),
            // Of passages with the same words, only one is retrieved.
            &format!("{author} weighs yields. {claim}"),
        )
    };
    let fixed_source = FixedSource {
        local: true,
        ..FixedSource::new(vec![same("k:one", "Ada Berg"), same("k:two", "Ole Dahl")])
    };
    let world = world_of(vec![fixed_source]).await;
    let paper = kelp_paper();
    let audited = Audited {
        markdown: "KelpCast forecasts kelp.",
        data: None,
        paper: Some(&paper),
        as_of: None,
    };
    let audit = audit(&audited, &world).await.unwrap();
    let matches = audit.omissions.iter().filter(|one| one.word_for_word);
    let mut matches: Vec<&str> = matches.map(|one| one.alias.as_str()).collect();
    matches.sort_unstable();
    assert_eq!(matches, ["Berg 2018", "Dahl 2018"], "{:?}", audit.omissions);
}

#[tokio::test]
async fn with_a_model_a_rule_alone_says_no_yes() {
    let audit = found(|question| match question.prompt.as_str() {
        "audit.items" => Say::Text("nothing".to_owned()),
        _ => plain(question),
    })
    .await;
    let mut items = audit.dimensions.iter().flat_map(|one| &one.items);
    assert!(items.all(|item| item.yes != Some(true)), "{:?}", audit.dimensions);
}

#[tokio::test]
async fn the_model_sees_what_the_report_omits() {
    let silent = "# KelpCast\n\nKelpCast forecasts kelp harvests from satellite colour and swell with a seasonal regression. It is entirely new, and nothing like it has been published before, so that every point of it is original.\n";
    let asked: Arc<Mutex<Vec<Question>>> = Arc::default();
    let received = Arc::clone(&asked);
    let model = super::scripted(
        move |question| {
            received.lock().unwrap().push(question.clone());
            plain(question)
        },
        ModelSettings::default(),
    );
    let audit = searched(silent, Some(model)).await.unwrap();
    let first = &audit.omissions.first().expect("an omission").title;
    let asked = asked.lock().unwrap();
    let shown = asked.iter().flat_map(|question| {
        question
            .blocks()
            .into_iter()
            .map(|block| (block.name.to_owned(), block.text.to_owned()))
            .collect::<Vec<_>>()
    });
    let marked = format!("{first} (the report does not mention this work)");
    assert!(
        shown
            .into_iter()
            .any(|(name, text)| name == "works" && text.contains(&marked))
    );
    assert!(
        audit.overall.is_some(),
        "all five dimensions of a report in another form are scored"
    );
}

#[tokio::test]
async fn a_report_without_the_title_of_the_paper_has_a_limit() {
    let other = "# Scheduling trains\n\nThe paper schedules freight trains on single tracks with integer programs. It claims a decomposition by stations, bounds from Lagrangian relaxation and a study on the Swiss network. Earlier papers decompose by time. The decomposition by stations is therefore different.\n";
    let unnamed = REPORT
        .replace("# KelpCast", "# A report")
        .replace("KelpCast", "The paper");
    for report in [other, &unnamed] {
        let audit = searched(report, None).await.unwrap();
        assert!(
            audit
                .limits
                .iter()
                .any(|limit| matches!(limit, precedent_domain::AuditLimit::TitleNotNamed { .. })),
            "{:?}",
            audit.limits
        );
    }
}

#[tokio::test]
async fn reasons_with_invented_words_figures_citations_or_links_are_not_printed() {
    let quoted = [
        "“", "”", "\"", "\"", "„", "“", "«", "»", "‹", "›", "「", "」", "『", "』", "＂", "＂", "″", "″", "‚", "‘",
        "'", "'", "‘", "’", "‛", "’", "‟", "”", "《", "》", "〝", "〞", "''", "''", "´", "´",
    ];
    let mut reasons: Vec<String> = quoted
        .chunks(2)
        .map(|pair| {
            format!(
                "The report says {}otters weigh the harvest at dawn{}.",
                pair[0], pair[1]
            )
        })
        .collect();
    reasons.extend(
        [
            "The method gains 2987.68 % on all data.",
            "This was shown before [9999].",
            "This was shown by Fakename 1901[9998].",
            "See https://evil.example/kelp for this.",
            "See evil.example for this.",
            "It says [this](javascript:alert) instead.",
            "It says <b>this</b> instead.",
        ]
        .map(str::to_owned),
    );
    for reason in reasons {
        let audit = found(always(false, &reason)).await;
        let by_model = audit.dimensions.iter().flat_map(|one| &one.items);
        let printed: Vec<&str> = by_model
            .filter(|item| item.decided_by == precedent_domain::DecidedBy::Model)
            .map(|item| item.reason.as_str())
            .collect();
        assert!(
            !printed.is_empty() && printed.iter().all(|printed| *printed == "the model says so"),
            "{reason}: {printed:?}"
        );
    }
    let audit = found(always(false, "It does not say how.")).await;
    let items = audit.dimensions.iter().flat_map(|one| &one.items);
    assert!(items.into_iter().any(|item| item.reason == "It does not say how."));
}

#[tokio::test]
async fn the_reviewer_policy_prints_no_reason_of_the_model() {
    let fixed_source = FixedSource {
        local: true,
        ..FixedSource::new(kelp_works())
    };
    let mut world = world_of(vec![fixed_source]).await;
    let settings = ModelSettings {
        policy: crate::model::Policy::Reviewer,
        ..ModelSettings::default()
    };
    world.model = Some(super::scripted(always(false, "It leaves the method out."), settings));
    let paper = kelp_paper();
    let audited = Audited {
        markdown: REPORT,
        data: None,
        paper: Some(&paper),
        as_of: None,
    };
    let audit = audit(&audited, &world).await.unwrap();
    assert!(!serde_json::to_string(&audit).unwrap().contains("leaves the method out"));
    assert!(audit.overall.is_some());
}

#[tokio::test]
async fn six_queries_per_dimension_find_the_passages_for_its_items() {
    let asked: Arc<Mutex<Vec<Question>>> = Arc::default();
    let received = Arc::clone(&asked);
    let audit = found(move |question| {
        received.lock().unwrap().push(question.clone());
        plain(question)
    })
    .await;
    let asked = asked.lock().unwrap();
    let worded: Vec<&Question> = asked.iter().filter(|one| one.prompt == "audit.queries").collect();
    let [queries] = worded.as_slice() else {
        panic!("{} times", worded.len())
    };
    let dimensions = queries
        .blocks()
        .iter()
        .filter(|one| one.name.starts_with("dimension "))
        .count();
    assert_eq!(dimensions, 3, "completeness, faithfulness and depth");
    let with = |name: &str| {
        let all = asked.iter().filter(|one| one.prompt == "audit.items");
        all.filter(|one| {
            one.blocks()
                .iter()
                .any(|block| block.name == name && !block.text.trim().is_empty())
        })
        .count()
    };
    assert!(
        with("works") >= 3 && with("paper") >= 3,
        "{} {}",
        with("works"),
        with("paper")
    );
    assert!(audit.overall.is_some(), "{audit:#?}");
    assert_eq!(audit.dimensions.iter().map(|one| one.items.len()).sum::<usize>(), 69);
    // Four pairs in prose, and one in a heading that resolves to nothing.
    assert_eq!((audit.citations.pairs, audit.citations.resolved), (5, 4));
    assert!(audit.citations.unresolved[0].contains("As others weigh it"));
    let accuracy = audit.citations.accuracy.unwrap();
    assert!(accuracy.of >= 3 && accuracy.low < accuracy.percent && accuracy.high <= 100.0);
}

#[tokio::test]
async fn queries_of_the_model_are_used_and_unsupported_citations_cost_accuracy() {
    let audit = found(|question| match question.prompt.as_str() {
        "audit.queries" => Say::Text(
            json!({"dimensions": [{"dimension": 1, "key_words": ["tea prices moon", "https://evil.example"], "phrases": []}]})
                .to_string(),
        ),
        "points.validate" => {
            let claims = question.blocks().into_iter().filter(|block| block.name.starts_with("claim ")).map(|block| {
                json!({"claim": block.number(), "verdict": if block.text.contains("seasonal") { "incorrect" } else { "correct" }})
            });
            Say::Text(json!({"claims": claims.collect::<Vec<_>>()}).to_string())
        }
        "audit.items" => {
            let items = question.blocks().into_iter().filter(|block| block.name.starts_with("item ")).map(|block| {
                json!({"item": block.number(), "yes": false, "reason": "It does not."})
            });
            Say::Text(json!({"items": items.collect::<Vec<_>>()}).to_string())
        }
        _ => plain(question),
    })
    .await;
    let accuracy = audit.citations.accuracy.unwrap();
    assert!(accuracy.part < accuracy.of, "{accuracy:?}");
    for one in &audit.dimensions {
        let score = one.score.unwrap();
        let share = 10.0 * one.yes as f64 / one.items.len() as f64;
        assert!((score - share).abs() < 0.006, "{score} {share}");
    }
    let mean = audit.dimensions.iter().filter_map(|one| one.score).sum::<f64>() / AuditDimension::ALL.len() as f64;
    assert!((audit.overall.unwrap() - mean).abs() < 0.006);
}
