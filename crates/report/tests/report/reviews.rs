//! Reviews of ideas follow the schema, external text stays text, scores name their readers, and there are no scores without a model.

use precedent_domain::*;
use precedent_report::{ReviewFound, ReviewLine, file_name, read_review, render, review_schema, review_table_csv};
use scraper::{Html, Selector};

use crate::fixture::hostile::ATTACKS;

const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/review-1.json");

fn document(text: &str) -> Document {
    Document {
        text: text.to_owned(),
        extent: Extent::FullText,
        ..Document::default()
    }
}

fn whole(text: &str) -> Quote {
    Quote::at(&document(text), Span::new(0, text.len())).unwrap()
}

fn piece(number: u32, kind: EvidenceKind, timing: Timing, title: &str) -> KnowledgePiece {
    let json = serde_json::json!({
        "id": format!("corpus:{number}"), "title": title, "authors": [], "dates": [], "identifiers": {}, "extent": "abstract",
        "url": if number == 2 { "javascript:alert(1)" } else { "https://example.org/a" },
    });
    let work: Work = serde_json::from_value(json).unwrap();
    KnowledgePiece {
        number,
        alias: format!("Piece {number}"),
        kind,
        work,
        timing,
        role: KnowledgeRole::of(timing),
        found_by: vec!["/home/someone/works".into()],
        round: 1,
        semantic: 0.61,
        judged: Some(0.8),
        reranked: None,
        score: 0.76,
        read_whole: number != 2,
        report: Vec::new(),
        calls: None,
        own: number == 4,
    }
}

fn opinion(dimension: &str, score: f64) -> DimensionOpinion {
    DimensionOpinion {
        dimension: dimension.into(),
        score,
        reason: "Earlier work does half of it [1], and a page says so too [2, 9].".into(),
        cited: vec![1, 2],
        working: vec!["read the rope".into(), "bend it".into()],
    }
}

fn chaired(words: &str) -> MetaReview {
    let score = |dimension: &str, mean: f64| DimensionScore {
        dimension: dimension.into(),
        mean,
        lowest: mean - 1.0,
        highest: mean + 1.0,
        readers: 2,
    };
    MetaReview {
        dimensions: vec![score("novelty", 5.5), score("care", 7.25)],
        average: 6.375,
        delta: 0.12,
        delta_reason: "A reader overlooked [1].".into(),
        lowered: vec![
            Lowering {
                dimension: "novelty".into(),
                reason: LoweringReason::Vague,
                by: 0.5,
                before: 5.5,
                after: 5.0,
                basis: LoweringBasis::Quote { quote: whole(words) },
            },
            Lowering {
                dimension: "care".into(),
                reason: LoweringReason::NoBaseline,
                by: 0.5,
                before: 7.25,
                after: 6.75,
                basis: LoweringBasis::Absent {
                    looked_for: vec!["control group".into(), words.into()],
                },
            },
        ],
        score: 5.995,
        decision: ReviewDecision::Reject,
        confidence: 0.5,
        decision_confidence: Some(DecisionConfidence {
            level: ConfidenceLevel::Medium,
            by_chair: ConfidenceLevel::High,
            limits: vec![
                ConfidenceLimit::ReadersDisagree {
                    dimension: "novelty".into(),
                    spread: 4.5,
                },
                ConfidenceLimit::ScoreLowered { dimensions: 2 },
            ],
        }),
        key_evidence: vec![1],
        summary: words.into(),
    }
}

/// A review with `words` in every place that an idea, a document or a model can reach.
fn grounding(words: &str) -> Grounding {
    Grounding {
        part: IdeaPart::BasicIdea,
        piece: 1,
        statements: vec![1],
        evidence: vec![Evidence {
            stance: Stance::Contradicts,
            quote: whole(words),
            repeats: None,
        }],
        analysis: format!("{words} [1]"),
        score: Some(7.5),
        shared: 0.4,
        probability: None,
        similar: None,
    }
}

pub(crate) fn review(words: &str) -> IdeaReview {
    let reader = |id: &str, scores: [f64; 2]| BoardReview {
        id: id.into(),
        name: format!("Reader {id}"),
        background: "Has run ropes for years.".into(),
        seen: vec![1, 2],
        familiarity: vec![SeenShare {
            kind: EvidenceKind::Literature,
            familiarity: 7,
            seen: 1,
            of: 2,
        }],
        opinions: vec![opinion("novelty", scores[0]), opinion("care", scores[1])],
        average: Some(f64::midpoint(scores[0], scores[1])),
    };
    let dimension = |id: &str, name: &str| ReviewDimension {
        id: id.into(),
        name: name.into(),
        question: words.into(),
    };
    let mut paper = piece(1, EvidenceKind::Literature, Timing::Earlier, words);
    paper.report = vec![ReportedField {
        field: ReportField::Method,
        text: words.into(),
        quotes: vec![whole(words)],
    }];
    let mut repository = piece(3, EvidenceKind::Code, Timing::Later, "later rope code");
    let function = |name: &str| FunctionName {
        name: name.into(),
        file: words.into(),
    };
    repository.calls = Some(CallGraph {
        files: vec![FileCall {
            from: words.into(),
            to: "rope/fit.py".into(),
            calls: 2,
        }],
        all_files: 30,
        functions: vec![FunctionCall {
            from: function("Rope.pull"),
            to: function("bend"),
        }],
        all_functions: 80,
    });
    IdeaReview {
        schema_version: REVIEW_SCHEMA_VERSION.into(),
        idea: ReviewedIdea {
            title: words.into(),
            document: document(words),
            statements: vec![
                PartStatement {
                    number: 1,
                    part: IdeaPart::BasicIdea,
                    statement: words.into(),
                    quote: whole(words),
                },
                PartStatement {
                    number: 2,
                    part: IdeaPart::Method,
                    statement: "The method stands by itself.".into(),
                    quote: whole(words),
                },
            ],
            missing: vec![IdeaPart::ExperimentalSetting, IdeaPart::ExpectedResults],
        },
        knowledge: vec![
            paper,
            piece(2, EvidenceKind::Web, Timing::Undated, words),
            repository,
            piece(4, EvidenceKind::Web, Timing::Earlier, "the idea itself"),
        ],
        search: DeepSearch {
            alpha: 0.2,
            keep: 10,
            oversample: 3,
            most_rounds: 3,
            rounds: vec![SearchRound {
                number: 1,
                queries: vec![KnowledgeQuery {
                    kind: EvidenceKind::Web,
                    part: Some(IdeaPart::Method),
                    text: words.into(),
                    refined: Refinement::Generalised,
                }],
                results: 12,
                new: 4,
                kept: 4,
            }],
            semantic_by: "the program's own vectors".into(),
            as_published: true,
            reranker: None,
            spared: 0,
        },
        grounding: vec![grounding(words)],
        dimensions: vec![dimension("novelty", "Novelty"), dimension("care", words)],
        board: vec![reader("b", [6.0, 8.0]), reader("c", [5.0, 4.5])],
        meta: Some(chaired(words)),
        suggestions: vec![Suggestion {
            group: SuggestionGroup::Risks,
            text: words.into(),
            pieces: vec![3],
        }],
        notes: vec!["one opinion was dropped".into()],
        coded_notes: Vec::new(),
        set_aside: vec![],
        metadata: RunMetadata {
            analyst: "scripted:model".into(),
            ..crate::fixture::full().metadata
        },
    }
}

fn page(review: &IdeaReview) -> String {
    String::from_utf8(render(review, "html").unwrap()).unwrap()
}

fn markdown(review: &IdeaReview) -> String {
    String::from_utf8(render(review, "md").unwrap()).unwrap()
}

#[test]
fn the_published_review_schema_is_fresh_and_reports_follow_it() {
    let fresh = format!("{}\n", serde_json::to_string_pretty(&review_schema()).unwrap());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(SCHEMA, &fresh).unwrap();
    }
    let published = std::fs::read_to_string(SCHEMA).unwrap_or_default();
    assert!(
        published == fresh,
        "docs/schema is stale: run UPDATE_SCHEMA=1 cargo test -p precedent-report"
    );
    assert_eq!(file_name(&review("x"), "html").unwrap(), "review.html");
    let bytes = render(&review("Ropes that creep."), "json").unwrap();
    let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    assert!(jsonschema::validator_for(&review_schema()).unwrap().is_valid(&json));
    let read = read_review(&bytes).unwrap();
    assert_eq!(render(&read, "json").unwrap(), bytes);
    // Local folders and unsafe links are removed.
    let text = String::from_utf8(bytes).unwrap();
    assert!(!text.contains("/home/someone") && !text.contains("javascript:"));
}

#[test]
fn a_review_shows_scores_and_evidence() {
    let case = review("Ropes that creep.");
    let (page, markdown) = (page(&case), markdown(&case));
    for wanted in [
        "5.99 of 10",
        "reject",
        "the chair adds 0.12",
        "1 of 2 in literature",
        "Piece 1",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    for wanted in [
        "5.99 of 10: reject (medium confidence)",
        "is 6.38; the chair lowers 2 dimensions, which takes off 0.5; the chair adds 0.12.",
        "Novelty: 5.5 before, 5 after. The chair finds these words vague:",
        "7.25 before, 6.75 after. The chair finds nothing to compare the results with. Terms that are not in the idea: “control group” and “Ropes that creep.”.",
        "The chair's confidence is high. It is limited to medium, because the readers' scores for novelty are 4.5 points apart and the chair lowered scores.",
        "| Novelty | 6 | 5 | 5\\.5 | 5 to 6 |",
        "contradicts",
        "undated: marked",
        "**Method:** Ropes that creep.",
        "Shown: 1 of 30 pairs of files and 1 of 80 pairs of functions.",
        "uses rope/fit.py (2 pairs of functions)",
        "the model saw citations, venue and stars",
        "2 of them are compared with the idea",
    ] {
        assert!(markdown.contains(wanted), "{wanted}: {markdown}");
    }
    let parsed = Html::parse_document(&page);
    let all = |selector: &str| parsed.select(&Selector::parse(selector).unwrap()).count();
    assert_eq!(all(".dot circle"), 4, "one dot per reader and dimension");
    // Citations link to their documents. Unknown numbers stay text.
    assert!(page.contains("href=\"#work-1\">[1]</a>") && page.contains("[2, 9]") && !page.contains("#work-9"));
    // The later document is linked from the suggestions only.
    assert_eq!(page.matches("href=\"#work-3\"").count(), 1);
    let leads: Vec<&str> = parsed
        .select(&Selector::parse("a[href^='#']").unwrap())
        .filter_map(|link| link.value().attr("href"))
        .collect();
    for link in leads {
        let id = Selector::parse(&format!("[id='{}']", link.trim_start_matches('#'))).unwrap();
        assert_eq!(parsed.select(&id).count(), 1, "{link}");
    }
}

#[test]
fn a_review_of_an_earlier_version_loads_and_shows_its_confidence() {
    let mut old = serde_json::to_value(review("Ropes that creep.")).unwrap();
    old["schema_version"] = "1.2".into();
    let meta = old["meta"].as_object_mut().unwrap();
    assert!(meta.remove("lowered").is_some() && meta.remove("decision_confidence").is_some());
    meta.insert("confidence".to_owned(), 0.7.into());
    let old = read_review(old.to_string().as_bytes()).unwrap();
    let page = page(&old);
    assert!(page.contains("the chair adds 0.12. Confidence 70 %."), "{page}");
    assert!(!page.contains("confidence)") && !page.contains("the chair lowers"));
}

#[test]
fn without_an_answer_of_the_chair_the_table_of_a_batch_has_the_scores_of_the_readers() {
    let mut case = review("Ropes that creep.");
    case.meta = None;
    let line = ReviewLine::new(1, "a".to_owned(), Ok(ReviewFound::of(&case)));
    let csv = review_table_csv(&[line]);
    assert!(csv.contains("\"novelty\"") && csv.contains("\"5.5\""), "{csv}");
}

#[test]
fn without_a_model_there_is_no_score_and_the_reason_is_given() {
    let mut case = review("Ropes that creep.");
    (case.board, case.meta, case.suggestions) = (vec![], None, vec![]);
    case.metadata.analyst = "offline".into();
    for text in [page(&case), markdown(&case)] {
        assert!(text.contains("No scores: judging an idea needs a model."));
        assert!(!text.contains("of 10:") && !text.contains("reject</span>") && !text.contains("<svg class=\"chart\""));
    }
    let mut case = review("Ropes that creep.");
    case.meta = None;
    assert!(page(&case).contains("so there is no decision"));
    case.board.iter_mut().for_each(|one| one.opinions.clear());
    assert!(page(&case).contains("no reader of the board gave a usable answer"));
}

#[test]
fn an_earlier_paper_with_the_same_text_is_named_before_everything_else() {
    let mut case = review("Ropes that creep.");
    let same = &mut case.knowledge[3];
    (same.kind, same.timing) = (EvidenceKind::Literature, Timing::Earlier);
    same.role = KnowledgeRole::of(same.timing);
    assert!(same.own);
    // The words as a reader sees them, without markup.
    let parsed = Html::parse_document(&page(&case));
    let shown = parsed.select(&Selector::parse("#glance").unwrap()).next().unwrap();
    for text in [shown.text().collect(), markdown(&case).replace("**", "")] {
        let text: String = text.split_once("Findings").unwrap().1.into();
        let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
        let output = at("Nearly the same text was found");
        assert!(output < at("of 10: ") && output < at("statements were read"), "{text}");
        assert!(at("If it is not your own, the idea is not new.") > output);
    }
}

#[test]
fn the_findings_have_a_row_for_each_part_with_level_and_reason() {
    let case = review("• Ropes that creep.");
    let parsed = Html::parse_document(&page(&case));
    let rows = Selector::parse("#glance table.findings tbody tr").unwrap();
    let rows: Vec<String> = parsed.select(&rows).map(|row| row.text().collect()).collect();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(
        rows[0].contains("Similar: needs review") && rows[0].contains("Piece 1"),
        "{}",
        rows[0]
    );
    assert!(rows[0].contains("contradicts; relevance 7.5 of 10"), "{}", rows[0]);
    assert!(
        rows[1].contains("No match found") && rows[1].contains("none is similar"),
        "{}",
        rows[1]
    );
    // The quotes are of a list, but do not start with its bullets.
    let quotes = Selector::parse("#parts q").unwrap();
    let quotes: Vec<String> = parsed.select(&quotes).map(|quote| quote.text().collect()).collect();
    assert!(
        !quotes.is_empty() && quotes.iter().all(|quote| !quote.contains('•')),
        "{quotes:?}"
    );
    assert!(rows[0].starts_with("Basic idea: Ropes"), "{}", rows[0]);
}

/// The text of each row of the findings.
fn rows_of(review: &IdeaReview) -> Vec<String> {
    let rows = Selector::parse("#glance table.findings tbody tr").unwrap();
    let parsed = Html::parse_document(&page(review));
    parsed.select(&rows).map(|row| row.text().collect()).collect()
}

#[test]
fn a_part_is_anticipated_if_an_earlier_document_makes_a_statement_and_similar_from_relevance_five() {
    let with = |change: &dyn Fn(&mut IdeaReview)| {
        let mut case = review("Ropes that creep.");
        change(&mut case);
        rows_of(&case).swap_remove(0)
    };
    let repeats = |case: &mut IdeaReview| case.grounding[0].evidence[0].repeats = Some(1);
    let row = with(&|case| {
        repeats(case);
        case.grounding[0].score = None;
    });
    assert!(
        row.contains("Anticipated") && row.contains("states it nearly word for word"),
        "{row}"
    );
    // Of several statements, it says how many. A document that may not be earlier anticipates nothing.
    let row = with(&|case| {
        repeats(case);
        case.idea.statements[1].part = IdeaPart::BasicIdea;
    });
    assert!(
        row.contains("Anticipated") && row.contains("states 1 of 2 statements nearly word for word"),
        "{row}"
    );
    let row = with(&|case| {
        repeats(case);
        case.knowledge[0].role = KnowledgeRole::Marked;
    });
    assert!(row.contains("Similar: needs review"), "{row}");
    // The row shows a document of its level, also if that may not be earlier.
    let row = with(&|case| {
        case.grounding[0].similar = Some(false);
        let mut marked = case.grounding[0].clone();
        (marked.piece, case.grounding[0].score) = (2, Some(4.0));
        case.grounding.push(marked);
    });
    assert!(
        row.contains("Similar: needs review") && row.contains("May not be earlier: Piece 2"),
        "{row}"
    );
    assert!(!row.contains("Closer"), "{row}");
    // A model's relevance, or the matcher without a model, decides otherwise.
    for (score, probability, similar, level) in [
        (Some(4.9), Some(0.2), Some(true), "No match found"),
        (Some(5.0), Some(0.2), Some(false), "Similar: needs review"),
        (None, Some(0.2), Some(false), "No match found"),
        (None, Some(0.2), Some(true), "Similar: needs review"),
        (None, None, Some(false), "Not assessable"),
        // Earlier versions.
        (None, None, None, "Similar: needs review"),
        (Some(1.0), None, None, "Similar: needs review"),
    ] {
        let row = with(&|case| {
            let one = &mut case.grounding[0];
            (one.score, one.probability, one.similar) = (score, probability, similar);
        });
        assert!(row.contains(level), "{score:?} {similar:?}: {row}");
    }
}

#[test]
fn a_part_that_nothing_was_compared_with_has_no_match_to_report() {
    let level = |change: &dyn Fn(&mut IdeaReview)| {
        let mut case = review("Ropes that creep.");
        case.grounding.clear();
        change(&mut case);
        rows_of(&case).swap_remove(0)
    };
    assert!(level(&|_| ()).contains("No match found"));
    let all_are = |case: &mut IdeaReview, part| case.idea.statements.iter_mut().for_each(|one| one.part = part);
    let row = level(&|case| all_are(case, IdeaPart::ExpectedResults));
    assert!(row.contains("Not compared") && !row.contains("similar"), "{row}");
    let row = level(&|case| all_are(case, IdeaPart::Unclassified));
    assert!(row.contains("No match found"), "{row}");
    let row = level(&|case| {
        all_are(case, IdeaPart::Unclassified);
        case.knowledge.retain(|one| one.kind != EvidenceKind::Literature);
    });
    assert!(row.contains("Not compared"), "{row}");
    let row = level(&|case| case.knowledge.iter_mut().for_each(|one| one.own = true));
    assert!(row.contains("Not compared"), "{row}");
}

#[test]
fn the_closest_document_of_a_batch_has_most_statements_or_is_most_similar_to_the_whole_idea() {
    let mut case = review("Ropes that creep.");
    // A repository that wins on one part alone.
    let mut other = case.grounding[0].clone();
    (other.piece, other.score, case.grounding[0].score) = (3, Some(9.0), Some(6.0));
    case.grounding.push(other);
    case.knowledge[2].role = KnowledgeRole::Grounds;
    (case.knowledge[0].score, case.knowledge[2].score) = (0.8, 0.3);
    let csv = |case: &IdeaReview| review_table_csv(&[ReviewLine::new(1, "a".to_owned(), Ok(ReviewFound::of(case)))]);
    assert!(
        csv(&case).contains("\"corpus:1\"") && csv(&case).contains("\"Similar: needs review\""),
        "{}",
        csv(&case)
    );
    case.grounding[1].evidence[0].repeats = Some(1);
    assert!(
        csv(&case).contains("\"corpus:3\"") && csv(&case).contains("\"Anticipated\""),
        "{}",
        csv(&case)
    );
    // A paper with nearly the same text comes first, also if it may not be earlier. It has no level.
    for role in [KnowledgeRole::Grounds, KnowledgeRole::Marked] {
        (case.knowledge[3].kind, case.knowledge[3].role) = (EvidenceKind::Literature, role);
        assert!(csv(&case).contains("\"true\",\"\""), "{}", csv(&case));
    }
}

#[test]
fn an_idea_without_a_title_is_named_by_its_first_words() {
    let title = |review: &IdeaReview| {
        let heads = Selector::parse("h1").unwrap();
        let page = Html::parse_document(&page(review));
        page.select(&heads)
            .map(|head| head.text().collect::<String>())
            .collect::<Vec<_>>()
    };
    let text =
        "Ropes that creep under load are hard to tune because their stiffness changes in every single frame of a pull.";
    let mut case = review(text);
    case.idea.title.clear();
    assert_eq!(
        title(&case),
        ["Ropes that creep under load are hard to tune because their stiffness …"]
    );
    case.idea.document = document(" ");
    assert_eq!(title(&case), ["An idea without a title"]);
}

#[test]
fn attacks_stay_text_in_every_format() {
    for attack in ATTACKS {
        let case = review(attack);
        let parsed = Html::parse_document(&page(&case));
        let none = |selector: &str| parsed.select(&Selector::parse(selector).unwrap()).next().is_none();
        assert!(
            none("main script, header script, img, iframe, form, object, [onerror], [onload], [onmouseover]"),
            "{attack}"
        );
        for link in parsed.select(&Selector::parse("a").unwrap()) {
            let href = link.value().attr("href").unwrap_or_default();
            assert!(href.starts_with('#') || href == "https://example.org/a", "{href}");
        }
        for event in pulldown_cmark::Parser::new(&markdown(&case)) {
            use pulldown_cmark::{Event, Tag};
            match event {
                Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Image { .. }) => panic!("{event:?}"),
                Event::Start(Tag::Link { dest_url, .. }) => assert_eq!(&*dest_url, "https://example.org/a"),
                _ => {}
            }
        }
        serde_json::from_slice::<serde_json::Value>(&render(&case, "json").unwrap()).unwrap();
    }
}

#[test]
fn a_review_is_written_for_inspection() {
    let case = review("A line code for taut mooring ropes tells a harbour when one is about to part.");
    crate::look::write("review", &case);
}
