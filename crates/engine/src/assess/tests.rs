//! Tests of the whole pipeline on a small invented field.

use precedent_domain::{Assessment, Gap, NotSearched, Scope, SetAsideReason, TextUnit, Timing};

use crate::assess::{AssessOptions, assess};
use crate::sample::{self, FixedSource, kelp_paper, kelp_works, world_of};
use crate::{EngineError, Progress, StageEvent};

async fn assessed() -> Assessment {
    let world = world_of(vec![FixedSource::new(kelp_works())]).await;
    assess(kelp_paper(), AssessOptions::default(), &world).await.unwrap()
}

#[tokio::test]
async fn planted_cases_are_distinguished() {
    let found = assessed().await;
    let candidate = |id: &str| {
        found
            .references
            .candidates
            .iter()
            .find(|one| one.work.id.as_str() == id)
    };
    let aside = |id: &str| {
        found
            .references
            .set_aside
            .iter()
            .find(|one| one.id.as_str() == id)
            .map(|one| one.reason)
    };
    assert_eq!(candidate("k:dorn").unwrap().cited_as, Some(1));
    assert_eq!(candidate("k:dorn").unwrap().timing, Timing::Earlier);
    assert_eq!(
        candidate("k:roy").unwrap().cited_as,
        Some(2),
        "the title appears only in the entry's text"
    );
    assert_eq!(
        aside("k:self"),
        Some(SetAsideReason::SameWork),
        "a preprint is the paper itself"
    );
    assert_eq!(aside("k:later"), Some(SetAsideReason::Later));
    assert_eq!(candidate("k:undated").unwrap().timing, Timing::Undated);
    assert_eq!(
        candidate("k:open").unwrap().timing,
        Timing::SameYear,
        "only the year is known"
    );
    assert!(
        candidate("k:same-title").is_some(),
        "another author's work with the same title is not a version"
    );
    assert!(candidate("k:far").is_none());
    for one in &found.references.candidates {
        assert!(aside(one.work.id.as_str()).is_none());
    }
}

#[tokio::test]
async fn claims_come_from_the_paper() {
    let paper = kelp_paper();
    let found = assessed().await;
    let claims: Vec<&str> = found
        .contribution_analysis
        .contributions
        .iter()
        .map(|one| one.claim.text())
        .collect();
    assert_eq!(claims.len(), 3, "{claims:#?}");
    assert!(
        claims.iter().any(|claim| claim.contains("seasonal regression")),
        "{claims:#?}"
    );
    assert!(claims.iter().any(|claim| claim.contains("data set")), "{claims:#?}");
    assert!(claims.iter().any(|claim| claim.contains("unbiased")), "{claims:#?}");
    assert!(claims.iter().all(|claim| !claim.contains('%')), "{claims:#?}");
    for one in &found.contribution_analysis.contributions {
        assert!(one.claim.is_in(&paper.document));
        assert_eq!(one.queries.len(), 3);
        assert!(
            one.queries
                .iter()
                .all(|query| !query.text.to_lowercase().contains("kelpcast"))
        );
    }
    let task = found.core_task_survey.core_task.unwrap();
    assert_eq!(task.phrase, "forecasting kelp harvests from satellite colour and swell");
    assert_eq!(task.queries.first().unwrap().text, task.phrase);
}

#[tokio::test]
async fn repeated_runs_give_the_same_bytes_in_any_order_of_works() {
    let text = |assessment: &Assessment| serde_json::to_string(assessment).unwrap();
    let first = text(&assessed().await);
    assert_eq!(first, text(&assessed().await));
    let mut works = kelp_works();
    works.reverse();
    let world = world_of(vec![FixedSource::new(works)]).await;
    let turned = assess(kelp_paper(), AssessOptions::default(), &world).await.unwrap();
    assert_eq!(first, text(&turned));
    let resumed = assess(kelp_paper(), AssessOptions::default(), &world).await.unwrap();
    assert_eq!(first, text(&resumed));
}

#[tokio::test]
async fn a_second_run_with_the_same_ledger_only_reads_it() {
    struct RecordedEvents(std::sync::Mutex<Vec<(&'static str, StageEvent)>>);
    impl Progress for RecordedEvents {
        fn stage(&self, stage: &'static str, event: StageEvent) {
            self.0.lock().unwrap().push((stage, event));
        }
        fn note(&self, _message: &str) {}
    }
    let mut world = world_of(vec![FixedSource::new(kelp_works())]).await;
    assess(kelp_paper(), AssessOptions::default(), &world).await.unwrap();
    let recorded = std::sync::Arc::new(RecordedEvents(std::sync::Mutex::new(vec![])));
    world.progress = recorded.clone();
    assess(kelp_paper(), AssessOptions::default(), &world).await.unwrap();
    let events = recorded.0.lock().unwrap();
    assert!(
        events.len() >= 4 && events.iter().all(|(_, event)| *event == StageEvent::Reused),
        "{events:?}"
    );
}

#[tokio::test]
async fn the_funnel_only_narrows_and_a_given_date_takes_precedence() {
    let found = assessed().await;
    for scope in &found.metadata.funnel.scopes {
        let steps = [
            scope.raw,
            scope.after_flag,
            scope.after_dedup,
            scope.after_self,
            scope.after_date,
            scope.after_top,
        ];
        assert!(steps.windows(2).all(|pair| pair[0] >= pair[1]), "{scope:?}");
    }
    assert_eq!(found.metadata.funnel.scopes.first().unwrap().scope, Scope::CoreTask);
    assert_eq!(found.metadata.funnel.merged, found.references.candidates.len());
    let world = world_of(vec![FixedSource::new(kelp_works())]).await;
    let options = AssessOptions {
        as_of: Some("2017".parse().unwrap()),
        ..AssessOptions::default()
    };
    let early = assess(kelp_paper(), options, &world).await.unwrap();
    assert!(
        early
            .references
            .candidates
            .iter()
            .all(|one| one.work.id.as_str() != "k:roy")
    );
    assert_eq!(
        early.metadata.as_of.unwrap().origin,
        precedent_domain::DateOrigin::Given
    );
}

#[tokio::test]
async fn a_failing_source_is_reported_and_the_run_continues() {
    let mut broken = FixedSource::new(vec![]);
    broken.fails = true;
    broken.name = "corpus:broken".into();
    let world = world_of(vec![broken, FixedSource::new(kelp_works())]).await;
    let found = assess(kelp_paper(), AssessOptions::default(), &world).await.unwrap();
    assert!(!found.references.candidates.is_empty());
    assert!(
        found
            .metadata
            .not_searched
            .iter()
            .any(|one| matches!(&one.gap, Some(Gap::SourceFailed { source, .. }) if source == "corpus:broken"))
    );
    let mut broken = FixedSource::new(vec![]);
    broken.fails = true;
    let world = world_of(vec![broken]).await;
    let nothing = assess(kelp_paper(), AssessOptions::default(), &world).await;
    assert!(
        matches!(nothing, Err(EngineError::NothingSearched { ref failures }) if failures.len() == 1),
        "{nothing:?}"
    );
    let world = world_of(vec![]).await;
    let alone = assess(kelp_paper(), AssessOptions::default(), &world).await.unwrap();
    assert!(alone.references.candidates.is_empty());
    let services = Vec::new();
    assert_eq!(alone.metadata.not_searched[0].gap, Some(Gap::OtherSources { services }));
}

#[tokio::test]
async fn an_undated_paper_and_untitled_works_do_not_stop_the_run() {
    let mut paper = kelp_paper();
    paper.dates.clear();
    paper.title = None;
    let mut works = kelp_works();
    works.push(sample::work(
        "k:null",
        "",
        "",
        None,
        "Satellite colour and swell forecast kelp harvests.",
    ));
    let world = world_of(vec![FixedSource::new(works)]).await;
    let found = assess(paper, AssessOptions::default(), &world).await.unwrap();
    assert!(
        found
            .metadata
            .not_searched
            .iter()
            .any(|one| one.kind == precedent_domain::NotSearchedKind::TargetUndated)
    );
    assert!(!found.original_paper.title_found);
    let timing = |id: &str| {
        found
            .references
            .candidates
            .iter()
            .find(|one| one.work.id.as_str() == id)
            .map(|one| one.timing)
    };
    assert_eq!(
        timing("k:dorn"),
        Some(Timing::Earlier),
        "the paper cites a work of 2019"
    );
    assert!(
        found
            .references
            .candidates
            .iter()
            .all(|one| !one.alias.trim().is_empty())
    );
}

#[tokio::test]
async fn a_source_that_panics_or_hangs_is_reported_with_the_cause() {
    let mut broken = FixedSource::new(vec![]);
    broken.panics = true;
    broken.name = "corpus:broken".into();
    let mut slow = FixedSource::new(vec![]);
    slow.hangs = true;
    slow.name = "corpus:slow".into();
    let mut good = FixedSource::new(kelp_works());
    good.left_out = vec!["2 records or papers added to corpus:shelf could not be used.".into()];
    let world = world_of(vec![broken, slow, good]).await;
    let found = assess(kelp_paper(), AssessOptions::default(), &world).await.unwrap();
    assert!(!found.references.candidates.is_empty());
    let limits = &found.metadata.not_searched;
    for (name, reason) in [
        (
            "corpus:broken",
            "failed to answer: internal error: the test source panicked",
        ),
        ("corpus:slow", "failed to answer within 0.05 seconds"),
    ] {
        let is_failure = |one: &NotSearched| matches!(&one.gap, Some(Gap::SourceFailed { source, failure }) if source == name && failure.starts_with(reason));
        assert!(limits.iter().any(is_failure), "{limits:#?}");
    }
    let says = |words: &str| limits.iter().any(|one| one.message.contains(words));
    assert!(says("2 records or papers added to corpus:shelf"), "{limits:#?}");
    assert!(matches!(limits[0].gap, Some(Gap::OtherSources { .. })), "{limits:#?}");
}

#[tokio::test]
async fn an_overlong_paper_is_reported() {
    let mut paper = kelp_paper();
    let long: Vec<String> = (0..120)
        .map(|n| {
            format!(
                "Plot {n} lies on the coast {} and its kelp was counted by hand. ",
                n % 3
            )
            .repeat(6)
        })
        .collect();
    let start = paper.document.text.len();
    for text in &long {
        let from = paper.document.text.len();
        paper.document.text.push_str(text.trim_end());
        let span = precedent_domain::Span::new(from, paper.document.text.len());
        let kind = precedent_domain::ParagraphKind::Body;
        paper
            .document
            .paragraphs
            .push(precedent_domain::Paragraph { span, kind });
        paper.document.text.push_str("\n\n");
    }
    paper.document.sections.push(precedent_domain::Section {
        heading: "Plots".into(),
        number: None,
        level: 1,
        kind: precedent_domain::SectionKind::Other,
        span: precedent_domain::Span::new(start, paper.document.text.len()),
    });
    let mut fixed_source = FixedSource::new(kelp_works());
    fixed_source.full = vec![(
        "k:dorn".into(),
        precedent_domain::Document {
            text: "Kelp grows.".into(),
            extent: precedent_domain::Extent::FullText,
            ..precedent_domain::Document::default()
        },
    )];
    let world = world_of(vec![fixed_source]).await;
    let found = assess(paper, AssessOptions::default(), &world).await.unwrap();
    assert!(
        found.metadata.not_searched.iter().any(|one| matches!(
            one.gap,
            Some(Gap::SharedTextPart {
                unit: TextUnit::Paragraph,
                searched: 80,
                there: 121
            })
        )),
        "{:#?}",
        found.metadata.not_searched
    );
}
