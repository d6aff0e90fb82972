//! Reports on points follow the schema, external text never becomes markup, each paper is listed once, and a score comes with its scale.

use precedent_domain::{
    AUDIT_SCHEMA_VERSION, Audit, AuditDimension, AuditEvidence, AuditItem, AuditLimit, AuditOmission, Author,
    BaseOrigin, BasePassage, BaseWork, CitationAudit, CitedSentence, CorrectedBy, Correction, DateOrigin, DecidedBy,
    DimensionAudit, Document, Extent, GenuineInnovation, LiteratureBase, NoveltyPoint, NoveltyScore, NoveltySummary,
    POINTS_SCHEMA_VERSION, PointAnalysis, PointClass, PointPassage, PointsReference, PointsReport, Polish,
    PublicationDate, Quote, ReportPart, SelfValidation, SentenceCitation, Share, Span, Timing, UnoriginalAspect,
    UnoriginalKind, Work,
};
use precedent_report::{
    audit_schema, default_formats, file_name, points_at_a_glance, points_schema, read_points, render,
};

use scraper::{Html, Selector};

use crate::fixture;

const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/points-1.json");

fn whole(document: &Document) -> Quote {
    Quote::at(document, Span::new(0, document.text.len())).unwrap()
}

fn reference(number: u32, title: &str, url: &str) -> PointsReference {
    PointsReference {
        number,
        alias: format!("Berg {}", 1990 + number),
        work: Work {
            authors: vec![Author::new("Ida Berg")],
            dates: vec![PublicationDate {
                date: "2010-05".parse().unwrap(),
                origin: DateOrigin::Record("corpus".into()),
            }],
            url: Some(url.to_owned()),
            extent: Extent::Abstract,
            ..Work::titled(format!("f:{number}").parse().unwrap(), title.to_owned())
        },
        timing: Timing::Earlier,
        origins: vec![BaseOrigin::Reference { number: 7 }, BaseOrigin::Search { place: 2 }],
        found_by: vec!["corpus:ferries".into()],
        listed: true,
    }
}

fn validation(words: &str) -> SelfValidation {
    SelfValidation {
        pairs: 15,
        distinct: 14,
        judged: 14,
        right: 13,
        corrections: vec![Correction {
            point: Some(1),
            part: ReportPart::Similarities,
            before: words.to_owned(),
            after: None,
            reason: "the source says 40, not 50".into(),
            by: CorrectedBy::Rule,
        }],
        polish: Polish {
            accepted: false,
            reason: "a heading was dropped".into(),
            reworded: 0,
            left: 0,
        },
    }
}

fn summary(words: &str) -> NoveltySummary {
    NoveltySummary {
        character: vec![words.to_owned()],
        innovations: vec![GenuineInnovation {
            point: 1,
            sentences: vec![words.to_owned()],
        }],
        unoriginal: vec![UnoriginalAspect {
            point: 1,
            kind: UnoriginalKind::StandardPractice,
            sentences: vec![words.to_owned()],
            suggestion: words.to_owned(),
        }],
        one_line: words.to_owned(),
        score: NoveltyScore::Good,
    }
}

/// A report on a paper with one point that cites `works` papers, with or without a model's analysis.
fn full(words: &str, title: &str, works: u32, by_model: bool) -> PointsReport {
    let text = Document::from_abstract(words, None);
    let passages: Vec<BasePassage> = (1..=works)
        .map(|number| BasePassage {
            number,
            reference: number,
            text: whole(&text),
        })
        .collect();
    let cited = |numbers: &[u32]| CitedSentence {
        text: words.to_owned(),
        citations: numbers
            .iter()
            .map(|number| SentenceCitation {
                reference: *number,
                passage: *number,
                quote: whole(&text),
            })
            .collect(),
    };
    let point = NoveltyPoint {
        number: 1,
        name: title.to_owned(),
        class: PointClass::Dataset,
        class_rule: (!by_model).then(|| "told from “recordings”".to_owned()),
        claim: whole(&text),
        also_stated: vec![],
        said_of_it: vec![whole(&text)],
        queries: vec![words.to_owned()],
        passages: passages
            .iter()
            .map(|one| PointPassage {
                passage: one.number,
                score: 0.5,
                by_words: 0.4,
                by_vectors: 0.6,
                queries: vec![1, 2],
                shared: 0.3,
                nearest: Some(whole(&text)),
                shown: true,
                probability: Some(0.4),
                similar: Some(true),
            })
            .collect(),
        analysis: by_model.then(|| PointAnalysis {
            claimed: vec![cited(&[])],
            similarities: (1..=works).map(|number| cited(&[number])).collect(),
            differences: vec![cited(&[1])],
            details: vec![cited(&[])],
        }),
    };
    let of_paper = fixture::full();
    let mut metadata = of_paper.metadata;
    metadata.analyst = if by_model { "scripted:model" } else { "offline" }.to_owned();
    PointsReport {
        schema_version: POINTS_SCHEMA_VERSION.to_owned(),
        original_paper: precedent_domain::OriginalPaper {
            title: title.to_owned(),
            ..of_paper.original_paper
        },
        content_summary: if by_model { vec![words.to_owned()] } else { vec![] },
        points: vec![point],
        novelty_summary: by_model.then(|| summary(words)),
        references: (1..=works)
            .map(|number| {
                let url = if number == 1 {
                    "https://example.org/1"
                } else {
                    "javascript:alert(1)"
                };
                reference(number, title, url)
            })
            .collect(),
        passages,
        base: LiteratureBase {
            capacity: 200,
            listed_references: 20,
            found_references: 2,
            second_order: 0,
            by_search: 30,
            cut: 0,
            full_texts: 1,
            passages: 40,
            works: vec![BaseWork {
                id: "f:1".parse().unwrap(),
                title: title.to_owned(),
                year: Some(2010),
                origins: vec![BaseOrigin::SecondOrder { cited_by: 3 }],
                passages: 1,
            }],
            ..LiteratureBase::default()
        },
        validation: by_model.then(|| validation(words)),
        notes: vec!["a claim was dropped".into()],
        coded_notes: Vec::new(),
        set_aside: of_paper.references.set_aside,
        metadata,
    }
}

fn rendered(report: &PointsReport, format: &str) -> String {
    String::from_utf8(render(report, format).unwrap()).unwrap()
}

fn plain(works: u32, by_model: bool) -> PointsReport {
    full(
        "Ferries wait for the tide in narrow fjords.",
        "Ferries and Tides",
        works,
        by_model,
    )
}

#[test]
fn the_published_points_schema_is_fresh_and_reports_follow_it() {
    let fresh = format!("{}\n", serde_json::to_string_pretty(&points_schema()).unwrap());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(SCHEMA, &fresh).unwrap();
    }
    let published = std::fs::read_to_string(SCHEMA).unwrap_or_default();
    assert!(
        published == fresh,
        "docs/schema is stale: run UPDATE_SCHEMA=1 cargo test -p precedent-report"
    );
    let validator = jsonschema::validator_for(&points_schema()).unwrap();
    for by_model in [false, true] {
        let mut value: serde_json::Value = serde_json::from_str(&rendered(&plain(3, by_model), "json")).unwrap();
        let faults: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(faults.is_empty(), "{faults:?}");
        value["points"][0]["class"] = "groundbreaking".into();
        assert!(!validator.is_valid(&value));
    }
}

#[test]
fn a_report_on_points_round_trips() {
    let bytes = render(&plain(3, true), "json").unwrap();
    let back = read_points(&bytes).unwrap();
    assert_eq!(back.points, plain(3, true).points);
    assert_eq!(render(&back, "json").unwrap(), bytes);
    for wrong in [&br#"{"schema_version": "2.0"}"#[..], b"{}", b"x"] {
        assert!(read_points(wrong).is_err());
    }
    let score = String::from_utf8(bytes)
        .unwrap()
        .replace("\"score\": 3", "\"score\": 7");
    assert!(read_points(score.as_bytes()).is_err(), "7 is not a valid score");
}

#[test]
fn text_from_papers_never_becomes_markup() {
    let evil = "<script>alert(1)</script> [x](javascript:alert(1)) \u{202e}| `rm` & <img src=x onerror=y>";
    let mut report = full(evil, evil, 2, true);
    // The paper of the note is not in the report, so that its title is shown as it is.
    report.coded_notes = vec![precedent_domain::Note::PointKnown {
        point: 1,
        title: format!("{evil} again"),
    }];
    let html = rendered(&report, "html");
    let page = scraper::Html::parse_document(&html);
    for selector in [
        "main script",
        "header script",
        "img",
        "[onerror]",
        "a[href^=javascript]",
        "a[href^=file]",
    ] {
        assert_eq!(
            page.select(&scraper::Selector::parse(selector).unwrap()).count(),
            0,
            "{selector}"
        );
    }
    assert!(html.contains("default-src") && !html.contains('\u{202e}'));
    let markdown = rendered(&report, "md");
    let mut links = Vec::new();
    for event in pulldown_cmark::Parser::new(&markdown) {
        match event {
            pulldown_cmark::Event::Html(text) | pulldown_cmark::Event::InlineHtml(text) => panic!("{text}"),
            pulldown_cmark::Event::Start(pulldown_cmark::Tag::Link { dest_url, .. }) => {
                links.push(dest_url.to_string())
            }
            _ => {}
        }
    }
    assert_eq!(links, ["https://example.org/1"]);
}

#[test]
fn a_report_with_thirteen_papers_lists_thirteen_references() {
    let report = plain(13, true);
    let markdown = rendered(&report, "md");
    let list = markdown.split("## References").nth(1).unwrap();
    let list = list.split("## About").next().unwrap();
    let listed: Vec<u32> = list
        .lines()
        .filter_map(|line| line.split_once('[')?.1.split_once(']')?.0.parse().ok())
        .collect();
    assert_eq!(listed, (1..=13).collect::<Vec<u32>>());
    let page = scraper::Html::parse_document(&rendered(&report, "html"));
    let count = |selector: &str| page.select(&scraper::Selector::parse(selector).unwrap()).count();
    assert_eq!(count("#references li"), 13);
    // Every citation links to a passage on the page, and every passage to its paper.
    for link in page.select(&scraper::Selector::parse("a.cite").unwrap()) {
        let target = link.value().attr("href").unwrap();
        assert_eq!(count(target), 1, "{target}");
    }
}

#[test]
fn sections_follow_the_published_form_and_there_is_no_score_without_a_model() {
    for by_model in [true, false] {
        for format in ["md", "html"] {
            let text = rendered(&plain(2, by_model), format);
            let mut from = 0;
            for wanted in [
                "1. Paper Content Summary",
                "2. Point-wise Novelty Analysis",
                "2.1. Novelty Point 1",
                "a) Claimed novelty",
                "Dataset/Benchmark",
                "3. Novelty Summary",
                "References",
            ] {
                let at = text[from..].find(wanted);
                assert!(at.is_some(), "{format}: {wanted} is missing or out of order");
                from += at.unwrap();
            }
            assert_eq!(text.contains("Final One-line Summary"), by_model, "{format}");
            assert_eq!(text.contains("Good / Significant"), by_model, "{format}");
            assert_eq!(text.contains("c) Unique Differences"), by_model, "{format}");
            assert_eq!(text.contains("no score is given"), !by_model, "{format}");
            if by_model {
                for wanted in [
                    "Standard Practice",
                    "a heading was dropped",
                    "the source says 40, not 50",
                    "Excellent",
                ] {
                    assert!(text.contains(wanted), "{format}: {wanted}");
                }
            }
        }
    }
    insta::assert_snapshot!("points-markdown", rendered(&plain(2, true), "md"));
}

#[test]
fn the_findings_have_the_level_of_each_point_with_the_reason() {
    let row = |report: &PointsReport| {
        let page = Html::parse_document(&rendered(report, "html"));
        let row = Selector::parse("#findings table tbody tr").unwrap();
        page.select(&row).next().unwrap().text().collect::<String>()
    };
    let mut report = plain(2, false);
    let output = row(&report);
    assert!(
        output.contains("Similar: needs review") && output.contains("contains 30 % of the point's words"),
        "{output}"
    );
    assert!(row(&plain(2, true)).contains("2 similarities and 1 difference supported by quotes"));
    // A match that is nearly word for word is a finding, not a note in a folded part.
    report.coded_notes = vec![precedent_domain::Note::PointKnown {
        point: 1,
        title: report.references[1].work.title.clone(),
    }];
    let output = row(&report);
    assert!(
        output.contains("Anticipated") && output.contains("nearly word for word"),
        "{output}"
    );
    for format in ["html", "md"] {
        let text = rendered(&report, format);
        let at = text
            .find("Point 1 appears nearly word for word in an earlier paper")
            .unwrap();
        assert!(at < text.find("2. Point-wise Novelty Analysis").unwrap(), "{format}");
    }
    report.coded_notes.clear();
    report.points[0].passages.clear();
    assert!(row(&report).contains("No match found"), "{}", row(&report));
}

#[test]
fn without_a_model_the_matcher_gives_the_level_of_a_point() {
    let level = |similar: Option<bool>, probability: Option<f64>, shown: bool| {
        let mut report = plain(1, false);
        let passage = &mut report.points[0].passages[0];
        (passage.similar, passage.probability, passage.shown) = (similar, probability, shown);
        points_at_a_glance(&report)[0].level
    };
    assert_eq!(level(Some(true), Some(0.4), true), "Similar: needs review");
    assert_eq!(level(Some(true), Some(0.4), false), "Similar: needs review");
    assert_eq!(level(Some(false), Some(0.01), true), "No match found");
    assert_eq!(level(Some(false), None, true), "Not assessable");
    // A report of an earlier version.
    assert_eq!(level(None, None, true), "Similar: needs review");
    assert_eq!(level(None, None, false), "No match found");
}

#[test]
fn known_formats_have_files_and_others_are_rejected() {
    for format in default_formats() {
        assert_eq!(file_name(&plain(1, true), format).unwrap(), format!("points.{format}"));
    }
    assert!(render(&plain(1, true), "docx").is_err());
}

const AUDIT_SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/audit-1.json");

#[test]
fn the_published_audit_schema_is_fresh_and_undecided_items_have_no_score() {
    let fresh = format!("{}\n", serde_json::to_string_pretty(&audit_schema()).unwrap());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(AUDIT_SCHEMA, &fresh).unwrap();
    }
    let published = std::fs::read_to_string(AUDIT_SCHEMA).unwrap_or_default();
    assert!(
        published == fresh,
        "docs/schema is stale: run UPDATE_SCHEMA=1 cargo test -p precedent-report"
    );
    let text = |text: &str| Document {
        text: text.to_owned(),
        ..Document::default()
    };
    let item = |id: &str, yes, decided_by| AuditItem {
        id: id.into(),
        group: "form".into(),
        question: "Is it <b>well</b> made?".into(),
        yes,
        decided_by,
        reason: "It is [x](javascript:alert(1)).".into(),
    };
    let audit = Audit {
        schema_version: AUDIT_SCHEMA_VERSION.into(),
        title: Some("<script>".into()),
        evidence: AuditEvidence {
            searched: Some(3),
            ..AuditEvidence::default()
        },
        limits: vec![
            AuditLimit::OtherForm,
            AuditLimit::ReferencesNotFound { found: 1, listed: 4 },
        ],
        omissions: vec![AuditOmission {
            title: "Ropes <i>that</i> sing".into(),
            alias: "Berg 1990".into(),
            claim: whole(&text("We weigh ropes.")),
            passage: whole(&text("Ropes are <b>weighed</b>.")),
            shared: 0.42,
            word_for_word: false,
        }],
        dimensions: vec![DimensionAudit {
            dimension: AuditDimension::Fluency,
            items: vec![
                item("fluency.1", Some(false), DecidedBy::Rule),
                item("fluency.2", None, DecidedBy::Nobody),
            ],
            yes: 0,
            decided: 1,
            score: None,
        }],
        overall: None,
        citations: CitationAudit {
            located: Share::of(9, 10),
            ..CitationAudit::default()
        },
        program_version: "0.1.0".into(),
        analyst: "offline".into(),
        models: vec![],
        sent: vec![],
    };
    crate::look::write("audit", &audit);
    let json: serde_json::Value = serde_json::from_slice(&render(&audit, "json").unwrap()).unwrap();
    assert!(jsonschema::validator_for(&audit_schema()).unwrap().is_valid(&json));
    let markdown = String::from_utf8(render(&audit, "md").unwrap()).unwrap();
    for wanted in [
        "not answered",
        "no, by rule",
        "Not scored without a model",
        "90.0 %",
        "does not have the three sections",
        "1 of 4 references found",
        "42 % of the claim's words in one passage",
    ] {
        assert!(markdown.contains(wanted), "{wanted}: {markdown}");
    }
    for event in pulldown_cmark::Parser::new(&markdown) {
        if let pulldown_cmark::Event::Html(text) | pulldown_cmark::Event::InlineHtml(text) = event {
            panic!("{text}");
        }
    }
}

#[test]
fn a_report_is_written_for_inspection() {
    crate::look::write("points", &plain(3, true));
    crate::look::write("points-offline", &plain(5, false));
}
