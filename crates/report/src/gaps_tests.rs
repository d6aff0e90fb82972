use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{
    CoverageLevel, Doubt, DoubtfulPaper, EvidenceKind, FieldCoverage, Gap, IdeaPart, ListwiseRecord, NoTextReason,
    NotSearched, PartialDate, ReadProblem, Scope, SourceReport, TextUnit,
};

use super::{RunSubject, grouped, in_words};

fn source(name: &str, works: u64, answered: usize) -> SourceReport {
    SourceReport {
        name: name.into(),
        works: Some(works),
        full_texts: None,
        answered,
        partial: 0,
        unanswered: 0,
        failures: Vec::new(),
        own_text: false,
    }
}

fn coverage(works: usize, near: usize, level: CoverageLevel) -> Gap {
    let coverage = FieldCoverage {
        level,
        nearest: 0.213,
        usual: 0.31,
        near,
        works,
    };
    Gap::FieldNotCovered {
        coverage,
        closest: works.min(5),
    }
}

fn doubtful(doubt: Doubt) -> Vec<DoubtfulPaper> {
    let name = "Dorn2020[3]".to_owned();
    vec![DoubtfulPaper { name, doubt }]
}

/// Every gap, some with several figures.
#[expect(clippy::too_many_lines, reason = "a list")]
fn all() -> Vec<Gap> {
    let names = |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.to_owned()).collect() };
    let text = |text: &str| text.to_owned();
    let mut gaps = vec![
        Gap::OtherSources { services: Vec::new() },
        Gap::OtherSources {
            services: names(&["openalex"]),
        },
        Gap::GivenPapersOnly { papers: 1 },
        Gap::KindsNotSearched {
            kinds: vec![EvidenceKind::Web, EvidenceKind::Code],
        },
        Gap::SourceFailed {
            source: text("corpus:good"),
            failure: text("failed to answer in time"),
        },
        Gap::SourceFailed {
            source: text("openalex"),
            failure: text("failed to answer in time"),
        },
        Gap::SeedNotFound {
            names: names(&["arxiv:2405.00001", "doi:10.5555/1"]),
        },
        Gap::PartOfPaper {
            problem: ReadProblem::BlankPages { pages: vec![2, 12] },
        },
        Gap::NoCitationData,
        Gap::ReferencesNotMatched {
            references: 20,
            matched: 12,
        },
        Gap::ReferencesNotInSources {
            missing: 3,
            references: 20,
        },
        Gap::SecondOrderNotIncluded,
        Gap::NoReferenceList,
        Gap::ClosestNotSimilar { papers: 1, mean: 0.214 },
        Gap::ClosestNotSimilar { papers: 5, mean: 0.214 },
        Gap::NoFullText { missing: 1, papers: 12 },
        Gap::KnownInPart {
            evidence: EvidenceKind::Code,
            missing: 2,
            documents: 3,
        },
        Gap::TextsNotFetched {
            fetched: 1,
            requested: 4,
            reasons: BTreeMap::from([(NoTextReason::NoAnswer, 1), (NoTextReason::NoIdentifier, 2)]),
            left: 1,
        },
        Gap::NoDate { undated: 2, papers: 12 },
        Gap::MayNotBeEarlier { open: 1, papers: 12 },
        Gap::DocumentsMayNotBeEarlier { open: 1 },
        Gap::PaperUndated {
            newest_cited: Some(2019),
        },
        Gap::PaperUndated { newest_cited: None },
        Gap::YearOnly { year: 2025 },
        Gap::IdeaUndated,
        Gap::TakenForThePaper {
            titles: names(&["Ropes in Swell"]),
        },
        Gap::OverLimit { cut: 1, limit: 50 },
        Gap::OverLimit { cut: 1_200, limit: 10 },
        Gap::BeyondMostSimilar { cut: 7, limit: 30 },
        Gap::BeyondMostRelevant {
            cut: 7,
            limit: 20,
            compared: 10,
        },
        Gap::WithoutText { papers: 1 },
        Gap::WithoutTitle { records: 2 },
        Gap::BaseFull { left_out: 4 },
        Gap::SharedTextPart {
            unit: TextUnit::Sentence,
            searched: 80,
            there: 121,
        },
        Gap::Retracted {
            papers: doubtful(Doubt::Retracted {
                by: names(&["openalex"]),
            }),
        },
        Gap::IdentifiersDisputed {
            papers: doubtful(Doubt::Disputed {
                on: names(&["title"]),
                between: names(&["a", "b"]),
            }),
        },
        Gap::DatesDisputed {
            papers: doubtful(Doubt::Date {
                earlier: names(&["a"]),
                later: names(&["b", "c"]),
            }),
        },
        Gap::NoCoreTask,
        Gap::NoClaims,
        Gap::NoStatements,
        Gap::PartsMissing {
            parts: vec![IdeaPart::ResearchQuestion, IdeaPart::ExpectedResults],
        },
        Gap::OtherWords,
        Gap::NoModel,
        Gap::ModelIncomplete {
            failed: 3,
            items: 40,
            retryable: true,
        },
        Gap::ModelIncomplete {
            failed: 0,
            items: 40,
            retryable: true,
        },
        Gap::BudgetEnded { unasked: 1, items: 40 },
        Gap::ModelUsed {
            host: text("models.example"),
            model: text("openai:small"),
            requests: 1,
            bytes: 1_024,
            answered: true,
        },
        Gap::AnswersFailed {
            prompt: text("compare.passages"),
            failures: BTreeMap::from([(text("not as asked"), 2), (text("question too long"), 1)]),
            items: 12,
            replaced: true,
        },
        Gap::TextsShortened {
            prompt: text("compare.whole"),
            shortened: 1,
            items: 12,
        },
        Gap::AnswersCutOff {
            prompt: text("points.read"),
            cut_off: 2,
            items: 3,
        },
        Gap::ItemsLeftOut {
            prompt: text("relevance.judge"),
            left_out: 2,
        },
        Gap::CoreTaskByRules,
        Gap::PapersNotSent { unsent: 3, papers: 12 },
        Gap::PapersSentInPart {
            papers: 2,
            kilobytes: 48,
        },
        Gap::PaperSentInPart { kilobytes: 48 },
        Gap::CitationsNotJudged {
            unjudged: 2,
            citations: 9,
        },
        Gap::SummaryContradictsItems,
        Gap::PassagesNotFound { passages: 1 },
        Gap::PassagesNotFound { passages: 4 },
        Gap::RankingIncomplete {
            counts: ListwiseRecord {
                windows: 6,
                unanswered: 1,
                ..ListwiseRecord::default()
            },
        },
        Gap::RelevanceNotJudged { records: 2 },
        Gap::RankingModelFailed {
            model: text("small-vectors"),
            failure: text("it sleeps"),
        },
    ];
    if let Ok(date) = PartialDate::new(2024, Some(5), None) {
        gaps.push(Gap::DateOfFile { date, months: 12 });
    }
    gaps.extend([1, 2, 4, 5, 60].map(|works| coverage(works, 0, CoverageLevel::Outside)));
    gaps.push(coverage(60, 2, CoverageLevel::Thin));
    gaps
}

fn code(gap: &Gap) -> String {
    let json = serde_json::to_value(gap).unwrap();
    json["code"].as_str().unwrap().to_owned()
}

#[test]
fn every_gap_has_words_for_every_kind_of_run() {
    let sources = [source("corpus:good", 1, 7), source("openalex", 333_361, 0)];
    let mut lines = Vec::new();
    for gap in all() {
        let mut known = BTreeSet::new();
        for subject in [
            RunSubject::Paper,
            RunSubject::Points,
            RunSubject::Idea,
            RunSubject::Review,
        ] {
            let words = in_words(&gap, None, &sources, subject);
            assert!(words.ends_with(['.', '”']) && words.len() > 20, "{gap:?}: {words}");
            if known.insert(words.clone()) {
                lines.push(format!("{} {subject:?}: {words}", code(&gap)));
            }
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn the_list_of_gaps_is_complete() {
    let schema = schemars::schema_for!(Gap).to_value();
    let codes: BTreeSet<&str> = schema["oneOf"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one.pointer("/properties/code/const")?.as_str())
        .collect();
    let listed: BTreeSet<String> = all().iter().map(code).collect();
    assert!(codes.len() > 50, "{codes:?}");
    assert_eq!(codes, listed.iter().map(String::as_str).collect());
}

#[test]
fn a_source_that_failed_every_query_was_not_searched() {
    let both = |answered| {
        let sources = [source("corpus:good", 1, 7), source("openalex", 9, answered)];
        let services = vec!["openalex".to_owned()];
        in_words(&Gap::OtherSources { services }, None, &sources, RunSubject::Paper)
    };
    assert!(both(3).contains("returned only their top results"));
    assert!(both(0).ends_with("No search engine, citation index or publisher answered."));
    let none = Gap::OtherSources { services: Vec::new() };
    assert!(in_words(&none, None, &[], RunSubject::Paper).starts_with("No corpus or source was given"));
    let silent = [source("corpus:bad", 900, 0)];
    assert!(in_words(&none, None, &silent, RunSubject::Points).ends_with("nor a point was found in the paper."));
}

#[test]
fn gaps_are_read_back_and_old_reports_keep_their_words() {
    for gap in all() {
        let entry = NotSearched::from(gap);
        let json = serde_json::to_string(&entry).unwrap();
        assert_eq!(serde_json::from_str::<NotSearched>(&json).unwrap(), entry, "{json}");
    }
    let old = r#"{"kind": "cut_off", "message": "Claim 2: 7 more papers."}"#;
    let unknown = r#"{"kind": "cut_off", "message": "Claim 2: 7 more papers.", "code": "from_the_future"}"#;
    for json in [old, unknown] {
        let entry: NotSearched = serde_json::from_str(json).unwrap();
        assert_eq!((entry.message.as_str(), entry.gap), ("Claim 2: 7 more papers.", None));
    }
}

#[test]
fn large_counts_are_grouped() {
    assert_eq!((grouped(333_361).as_str(), grouped(12).as_str()), ("333,361", "12"));
}

#[test]
fn papers_over_a_limit_are_reported_with_their_scope() {
    let words = |scope, cut, subject| {
        let entry = NotSearched::over_limit(scope, cut, 10);
        // Entries of schema 1.1 had the scope twice.
        let mut old = serde_json::to_value(&entry).unwrap();
        old["of"] = serde_json::json!("core_task");
        assert_eq!(serde_json::from_value::<NotSearched>(old).unwrap(), entry);
        in_words(&entry.gap.unwrap(), entry.scope, &[], subject)
    };
    let lines = [
        words(Scope::CoreTask, 1, RunSubject::Paper),
        words(Scope::Contribution(2), 1_200, RunSubject::Paper),
        words(Scope::Contribution(2), 7, RunSubject::Points),
    ];
    assert_eq!(
        lines,
        [
            "Core task: 1 more relevant paper was not compared (limit 10).",
            "Claim 2: 1,200 more relevant papers were not compared (limit 10).",
            "Point 2: 7 more relevant papers were not compared (limit 10).",
        ]
    );
}
