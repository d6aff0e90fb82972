//! Reports on ideas follow the schema, external text never becomes markup, and a verdict always comes with its papers.

use precedent_domain::{
    Author, Counterpart, DateOrigin, Document, ExamplesShown, Extent, Facet, FacetComparison, FacetOrigin,
    FacetStatement, FacetStatus, Funnel, IDEA_SCHEMA_VERSION, IdeaAssessment, IdeaLean, IdeaRanking, IdeaText,
    IdeaVerdict, IdeaWork, LeanKind, ListwiseRecord, NamedPaper, NextSearch, NotSearched, NotSearchedKind,
    NoveltyVerdict, PublicationDate, Quote, RankedWork, RunMetadata, SecondLook, SetAside, SetAsideReason,
    SourceReport, Span, Timing, VerdictSample, Work,
};
use precedent_report::{default_formats, file_name, idea_schema, read_idea, render};

const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/idea-1.json");

fn quote(document: &Document, words: &str) -> Quote {
    let at = document.text.find(words).unwrap();
    Quote::at(document, Span::new(at, at + words.len())).unwrap()
}

fn text(words: &str) -> Document {
    Document::from_abstract(words, None)
}

fn work(number: u32, title: &str, summary: &str, url: &str) -> IdeaWork {
    let document = Document::from_abstract(title, Some(summary));
    let passage = (!summary.is_empty()).then(|| quote(&document, summary));
    let facet = |facet, status, similarity| FacetComparison {
        facet,
        status,
        similarity,
        passage: passage.clone(),
        by_model: status != FacetStatus::Unclear,
    };
    IdeaWork {
        number,
        alias: format!("Berg {}", 2000 + number),
        work: Work {
            summary: Some(summary.to_owned()),
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
        found_by: vec!["corpus:ferries".into()],
        similarity_rank: number,
        similarity: 0.5,
        facets: vec![
            facet(Facet::Purpose, FacetStatus::Shared, 0.8),
            facet(Facet::Mechanism, FacetStatus::Unclear, 0.1),
            facet(Facet::Evaluation, FacetStatus::Different, 0.3),
        ],
        passage: passage.clone(),
    }
}

fn only_ferries() -> NotSearched {
    NotSearched {
        kind: NotSearchedKind::SourceNotAsked,
        message: "Only corpus:ferries (80 works) was searched; failed to read /srv/ferries/x.jsonl.".into(),
        scope: None,
        gap: None,
    }
}

#[expect(clippy::too_many_lines, reason = "one literal with every part")]
fn full(verdict: NoveltyVerdict, words: &str, title: &str) -> IdeaAssessment {
    let document = text(words);
    let facets = [Facet::Purpose, Facet::Mechanism, Facet::Evaluation].map(|facet| FacetStatement {
        facet,
        quote: Quote::at(&document, Span::new(0, document.text.len())).unwrap(),
        origin: Some(FacetOrigin::Emphasis),
    });
    IdeaAssessment {
        schema_version: IDEA_SCHEMA_VERSION.to_owned(),
        idea: IdeaText {
            id: Some("one".into()),
            document,
            facets: facets.into(),
        },
        verdict: IdeaVerdict {
            verdict,
            grounds: "Berg 2001[1] shares the idea's purpose and mechanism.".into(),
            coded_grounds: None,
            reasoning: Some("As [1] and [2] say, and [77] does not, <b>ferries</b> wait.".into()),
            cited: vec![1, 2],
            against: vec![Counterpart {
                work: 1,
                facets: vec![Facet::Purpose, Facet::Mechanism],
            }],
            samples: vec![
                VerdictSample {
                    number: 1,
                    verdict,
                    undecided_because: None,
                    coded_grounds: None,
                },
                VerdictSample {
                    number: 2,
                    verdict: NoveltyVerdict::Undecided,
                    undecided_because: Some("No.".into()),
                    coded_grounds: None,
                },
            ],
            agreement: Some(0.5),
            second_look: Some(SecondLook {
                because: "the reasoning says not novel, the verdict novel".into(),
                first: NoveltyVerdict::Novel,
                settled: verdict,
            }),
        },
        lean: Some(IdeaLean {
            kind: LeanKind::CloseWorkFound,
            papers: vec![NamedPaper {
                name: "Berg 2001".into(),
                number: 1,
            }],
            facets_are_certain: true,
        }),
        next_searches: vec![
            NextSearch {
                query: format!("{title} timetables"),
                words_of: vec![1, 2, 77],
            },
            NextSearch {
                query: "fjords tide models".into(),
                words_of: vec![],
            },
        ],
        works: vec![
            work(
                1,
                title,
                "Ferries wait for the tide in narrow fjords.",
                "https://example.org/1",
            ),
            work(
                2,
                "Tides",
                "Tides are predicted by eleven constituents.",
                "javascript:alert(1)",
            ),
        ],
        ranking: IdeaRanking {
            results: 120,
            works: 80,
            without_text: 3,
            set_aside: 1,
            ranked: 76,
            similarity_by: "vectors of terms".into(),
            ordered_by: "offline".into(),
            listwise: Some(ListwiseRecord {
                windows: 9,
                unanswered: 1,
                doubled: 2,
                unknown: 3,
                missing: 4,
            }),
            further: vec![RankedWork {
                rank: 11,
                id: "f:11".parse().unwrap(),
                title: title.to_owned(),
                year: Some(1999),
                also: vec![],
            }],
        },
        examples: ExamplesShown {
            name: "/home/ann/examples.jsonl".into(),
            shown: 6,
            novel: 3,
        },
        set_aside: vec![SetAside {
            id: "f:own".parse().unwrap(),
            title: title.to_owned(),
            date: None,
            reason: SetAsideReason::SameWork,
            url: Some("file:///etc/passwd".into()),
            scopes: vec![],
            duplicate_of: None,
        }],
        metadata: RunMetadata {
            program_version: "0.1.0".into(),
            analyst: "offline".into(),
            as_of: None,
            seed: 0,
            queries: vec![],
            funnel: Funnel {
                scopes: vec![],
                merged: 80,
                shared_text: 0,
            },
            sources: vec![SourceReport {
                name: "corpus:ferries".into(),
                works: Some(80),
                full_texts: None,
                answered: 1,
                partial: 0,
                unanswered: 0,
                failures: vec![],
                own_text: true,
            }],
            not_searched: vec![only_ferries()],
            sent: vec![],
            models: vec![],
            disclaimer: "It helps somebody who reads.".into(),
        },
    }
}

fn plain() -> IdeaAssessment {
    full(
        NoveltyVerdict::NotNovel,
        "Shift ferries by the **tide** of the fjord.",
        "Ferries and Tides",
    )
}

fn rendered(report: &IdeaAssessment, format: &str) -> String {
    String::from_utf8(render(report, format).unwrap()).unwrap()
}

#[test]
fn the_published_idea_schema_is_fresh_and_reports_follow_it() {
    let fresh = format!("{}\n", serde_json::to_string_pretty(&idea_schema()).unwrap());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(SCHEMA, &fresh).unwrap();
    }
    let published = std::fs::read_to_string(SCHEMA).unwrap_or_default();
    assert!(
        published == fresh,
        "docs/schema is stale: run UPDATE_SCHEMA=1 cargo test -p precedent-report"
    );
    let validator = jsonschema::validator_for(&idea_schema()).unwrap();
    for verdict in [
        NoveltyVerdict::Novel,
        NoveltyVerdict::NotNovel,
        NoveltyVerdict::Undecided,
    ] {
        let mut value: serde_json::Value =
            serde_json::from_str(&rendered(&full(verdict, "An idea.", "T"), "json")).unwrap();
        let faults: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(faults.is_empty(), "{faults:?}");
        value["verdict"]["verdict"] = "moderately_novel".into();
        assert!(!validator.is_valid(&value));
    }
}

#[test]
fn a_report_on_an_idea_round_trips() {
    let bytes = render(&plain(), "json").unwrap();
    let back = read_idea(&bytes).unwrap();
    assert_eq!(back.verdict, plain().verdict);
    assert_eq!(back.works.first().unwrap(), plain().works.first().unwrap());
    assert_eq!(render(&back, "json").unwrap(), bytes);
    assert!(
        read_idea(br#"{"schema_version": "2.0"}"#)
            .unwrap_err()
            .to_string()
            .contains("2.0")
    );
}

#[test]
fn an_undecided_report_suggests_something_says_how_far_to_trust_it_and_what_to_search_next() {
    let mut report = full(
        NoveltyVerdict::Undecided,
        "Shift ferries by the tide.",
        "Ferries and Tides",
    );
    for format in ["md", "html"] {
        let text = rendered(&report, format);
        for wanted in [
            "close prior work found",
            "of 28 ideas",
            "Suggested next searches",
            "Ferries and Tides timetables",
            "emphasised in the text",
            "--purpose",
            "Most similar passage",
            "Abstract",
        ] {
            assert!(text.contains(wanted), "{format}: {wanted}\n{text}");
        }
    }
    // A suggestion with facets that rules chose carries its warning, and a verdict makes any suggestion needless.
    report.lean.as_mut().unwrap().facets_are_certain = false;
    assert!(rendered(&report, "md").contains("no better than a guess"));
    report.verdict.verdict = NoveltyVerdict::Novel;
    assert!(!rendered(&report, "md").contains("close prior work found"));
}

#[test]
fn reports_of_earlier_versions_are_read() {
    let mut old: serde_json::Value = serde_json::from_str(&rendered(&plain(), "json")).unwrap();
    old["schema_version"] = "1.2".into();
    let report = old.as_object_mut().unwrap();
    report.remove("lean").unwrap();
    report.remove("next_searches").unwrap();
    for work in old["works"].as_array_mut().unwrap() {
        work.as_object_mut().unwrap().remove("passage").unwrap();
    }
    for facet in old["idea"]["facets"].as_array_mut().unwrap() {
        facet.as_object_mut().unwrap().remove("origin").unwrap();
    }
    let read = read_idea(old.to_string().as_bytes()).unwrap();
    assert!(read.lean.is_none() && read.works.iter().all(|one| one.passage.is_none()));
    assert!(rendered(&read, "md").contains("Not novel"));
}

#[test]
fn text_from_ideas_and_papers_never_becomes_markup() {
    let evil = "<script>alert(1)</script> [x](javascript:alert(1)) \u{202e}| `rm` & <img src=x onerror=y>";
    let report = full(NoveltyVerdict::Novel, evil, evil);
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
    for format in default_formats() {
        let text = rendered(&report, format);
        assert!(!text.contains("/srv/") && !text.contains("/home/ann"), "{format}");
    }
}

#[test]
fn a_verdict_comes_with_its_papers_and_with_what_was_not_searched() {
    for format in ["md", "html"] {
        let text = rendered(&plain(), format);
        for wanted in [
            "Not novel",
            "purpose, mechanism",
            "Berg 2001",
            "Ferries and Tides",
            "was searched",
            "No similar passage",
            "Agreement: 50 %",
            "second check",
            "own paper or a version of it",
        ] {
            assert!(
                text.to_lowercase().contains(&wanted.to_lowercase()),
                "{format}: {wanted}\n{text}"
            );
        }
    }
    // Only the verdict and its grounds come before what was not searched.
    let markdown = rendered(&plain(), "md");
    assert!(markdown.find("was searched").unwrap() < markdown.find("## The idea").unwrap());
    let html = rendered(&plain(), "html");
    assert!(html.contains("data-span="));
    insta::assert_snapshot!("idea-markdown", rendered(&plain(), "md"));
}

#[test]
fn known_formats_have_files_and_others_are_rejected() {
    for format in default_formats() {
        assert_eq!(file_name(&plain(), format).unwrap(), format!("idea.{format}"));
    }
    assert!(
        render(&plain(), "docx")
            .unwrap_err()
            .to_string()
            .contains("json, md, html")
    );
}

#[test]
fn a_report_is_written_for_inspection() {
    crate::look::write("idea", &plain());
}
