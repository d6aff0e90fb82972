//! Rankings follow the schema, names are escaped, and a report without a ranking says so first.

use precedent_domain::{
    ConfidenceLevel, DimensionOrder, DimensionStanding, GroupRanking, GroupedIdea, LengthCheck, OrderAnswer,
    OrderAsked, PairComparison, PairSection, PairStatement, PositionInterval, RANKING_SCHEMA_VERSION, RankedEvidence,
    RankingOutcome, ReviewOfIdea, Standing,
};
use precedent_report::{file_name, ranking_schema, render};

use crate::fixture::hostile::ATTACKS;
use crate::reviews::review;

const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/ranking-1.json");

fn ranking(outcome: RankingOutcome) -> GroupRanking {
    let standing = |outcome| Standing {
        outcome,
        agreement: 0.833,
        follows_position: 0.5,
        agreement_p: Some(0.002),
        position_p: None,
        intervals: vec![],
    };
    GroupRanking {
        schema_version: RANKING_SCHEMA_VERSION.into(),
        ideas: ["<b>one</b>.txt", "[two](javascript:alert(1)).md", "three|four.txt"]
            .into_iter()
            .zip(1..)
            .map(|(name, number)| GroupedIdea {
                number,
                name: name.into(),
                sha256: "0".repeat(64),
                words: 1_500,
                cut: number == 1,
                review: None,
            })
            .collect(),
        overall: standing(outcome.clone()),
        dimensions: vec![DimensionStanding {
            id: "care".into(),
            name: "<i>Care</i>".into(),
            standing: standing(outcome),
        }],
        orders: vec![
            OrderAsked {
                shown: vec![2, 1, 3],
                answer: Some(OrderAnswer {
                    order: vec![2, 3, 1],
                    reason: "It reads well.".into(),
                    dimensions: vec![DimensionOrder {
                        id: "care".into(),
                        order: vec![2, 1, 3],
                        reason: String::new(),
                    }],
                }),
            },
            OrderAsked {
                shown: vec![3, 1, 2],
                answer: None,
            },
        ],
        length_check: Some(LengthCheck {
            longer_first: Some(1.0),
            kept: Some(0.833),
            orders: vec![OrderAsked {
                shown: vec![1, 2, 3],
                answer: None,
            }],
        }),
        evidence: vec![],
        comparison: None,
        left_out: 0,
        seed: 7,
        program_version: "0.1.0".into(),
        analyst: "scripted:model".into(),
        models: vec![],
        sent: vec![],
    }
}

/// A ranking of two reviewed ideas, with `words` in every place that an idea, a document or a model can reach.
fn reviewed(words: &str) -> GroupRanking {
    let own = review(words);
    let mut found = ranking(RankingOutcome::Ranked {
        places: vec![vec![2], vec![1]],
    });
    found.ideas.truncate(2);
    found
        .orders
        .iter_mut()
        .for_each(|one| one.shown.retain(|number| *number < 3));
    found.length_check = None;
    for idea in &mut found.ideas {
        let meta = own.meta.as_ref().unwrap();
        idea.review = Some(Box::new(ReviewOfIdea {
            dimensions: meta.dimensions.clone(),
            score: Some(meta.score),
            decision: Some(meta.decision),
            confidence: Some(ConfidenceLevel::Medium),
            summary: format!("{words} It was done before [1]."),
            documents: 4,
            same_text: vec![words.into()],
            metadata: own.metadata.clone(),
        }));
    }
    let document = |(number, at, idea): (u32, usize, u32)| RankedEvidence {
        number,
        idea,
        piece: own.knowledge[at].clone(),
        groundings: own.grounding.iter().take(1).cloned().collect(),
    };
    found.evidence = [(1, 0, 1), (2, 1, 1), (3, 0, 2)].map(document).to_vec();
    let statement = |section, idea, text: &str| PairStatement {
        section,
        idea,
        text: text.into(),
        evidence: vec![1],
    };
    found.comparison = Some(PairComparison {
        statements: vec![
            statement(PairSection::Summary, None, words),
            statement(PairSection::Risk, Some(2), "It may fail, as before [1]."),
        ],
        dropped: 3,
    });
    found.left_out = 2;
    let answer = found.orders[0].answer.as_mut().unwrap();
    answer.order = vec![2, 1];
    answer.reason = format!("{words} Blades were lost [3].");
    answer.dimensions[0].order = vec![2, 1];
    found
}

#[test]
fn a_ranking_with_reviews_links_what_it_cites_and_shows_its_quotes() {
    let found = reviewed("A rope bends.");
    let json: serde_json::Value = serde_json::from_slice(&render(&found, "json").unwrap()).unwrap();
    assert!(jsonschema::validator_for(&ranking_schema()).unwrap().is_valid(&json));
    assert!(!json.to_string().contains("/home/someone"), "a folder of the machine");
    let markdown = String::from_utf8(render(&found, "md").unwrap()).unwrap();
    for wanted in [
        "## Comparison",
        "### Risks",
        "3 statements were dropped",
        "2 sentences of the judge's reasons were left out",
        "Nearly the same text was found:",
        "files review-2 of this run",
        "(medium confidence). 4 documents were found",
        "1 more document that the judge saw",
    ] {
        assert!(markdown.contains(wanted), "{wanted}: {markdown}");
    }
    let page = scraper::Html::parse_document(&String::from_utf8(render(&found, "html").unwrap()).unwrap());
    let count = |selector: &str| page.select(&scraper::Selector::parse(selector).unwrap()).count();
    for number in 1..=3 {
        assert_eq!(count(&format!("#work-{number}")), 1, "document {number}");
    }
    assert!(count("a[href='#work-1']") > 0 && count("a[href='#work-3']") > 0 && count("a[href='#idea-2']") > 0);
    assert_eq!(
        count("a[href^='#work-']"),
        count("a[href='#work-1']") + count("a[href='#work-3']")
    );
    assert!(
        String::from_utf8(render(&found, "md").unwrap())
            .unwrap()
            .contains("the scores and opinions of its readers")
    );
    let texts = String::from_utf8(render(&ranking(RankingOutcome::NoAgreement), "md").unwrap()).unwrap();
    assert!(texts.contains("The judge saw only the texts of the ideas") && !texts.contains("## Comparison"));
}

#[test]
fn words_of_reviews_are_escaped_in_a_ranking() {
    for attack in ATTACKS {
        let found = reviewed(attack);
        let page = String::from_utf8(render(&found, "html").unwrap()).unwrap();
        let parsed = scraper::Html::parse_document(&page);
        for selector in [
            "[onerror]",
            "[onload]",
            "iframe",
            "img[src='x']",
            "a[href^='javascript']",
            "a[href^='data:']",
        ] {
            let selector = scraper::Selector::parse(selector).unwrap();
            assert_eq!(parsed.select(&selector).count(), 0, "{attack}");
        }
        render(&found, "md").unwrap();
    }
}

#[test]
fn the_published_ranking_schema_is_fresh_and_reports_follow_it() {
    let fresh = format!("{}\n", serde_json::to_string_pretty(&ranking_schema()).unwrap());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(SCHEMA, &fresh).unwrap();
    }
    let published = std::fs::read_to_string(SCHEMA).unwrap_or_default();
    assert!(
        published == fresh,
        "docs/schema is stale: run UPDATE_SCHEMA=1 cargo test -p precedent-report"
    );
    let ranked = RankingOutcome::Ranked {
        places: vec![vec![2], vec![1, 3]],
    };
    for outcome in [
        ranked,
        RankingOutcome::PositionBias,
        RankingOutcome::NoAgreement,
        RankingOutcome::LengthBias,
        RankingOutcome::LengthNotTested,
    ] {
        let json: serde_json::Value = serde_json::from_slice(&render(&ranking(outcome), "json").unwrap()).unwrap();
        assert!(jsonschema::validator_for(&ranking_schema()).unwrap().is_valid(&json));
    }
}

#[test]
fn names_are_escaped_and_shared_ranks_and_missing_answers_are_reported() {
    let ranked = ranking(RankingOutcome::Ranked {
        places: vec![vec![2], vec![1, 3]],
    });
    let biased = ranking(RankingOutcome::PositionBias);
    for (one, wanted) in [
        (
            &ranked,
            [
                "| 2 |",
                "No usable answer: ",
                "83 %",
                "With the shorter ideas repeated until they are longer, 83 % of the ranked pairs stay in the same order",
            ],
        ),
        (
            &biased,
            [
                "No ranking:",
                "no order: the answers follow the order of presentation",
                "seed 7",
                "scripted:model",
            ],
        ),
    ] {
        let markdown = String::from_utf8(render(one, "md").unwrap()).unwrap();
        for wanted in wanted {
            assert!(markdown.contains(wanted), "{wanted}: {markdown}");
        }
        for event in pulldown_cmark::Parser::new(&markdown) {
            use pulldown_cmark::{Event, Tag};
            if let Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::Link { .. }) = event {
                panic!("{event:?}");
            }
        }
    }
}

#[test]
fn a_report_without_a_ranking_says_why_first() {
    for (outcome, why) in [
        (
            RankingOutcome::PositionBias,
            "the answers follow the order of presentation",
        ),
        (
            RankingOutcome::NoAgreement,
            "the agreement of the answers may be chance",
        ),
        (
            RankingOutcome::LengthBias,
            "the answers follow the lengths of the texts",
        ),
    ] {
        let markdown = String::from_utf8(render(&ranking(outcome), "md").unwrap()).unwrap();
        assert!(markdown.contains(&format!("No ranking: {why}.")), "{markdown}");
        assert!(
            markdown.contains("p = 0.0020") && !markdown.contains("| Rank |"),
            "{markdown}"
        );
    }
}

#[test]
fn the_page_has_the_same_content_and_escapes_ideas() {
    let outcome = RankingOutcome::PositionBias;
    assert_eq!(file_name(&ranking(outcome), "html").unwrap(), "ranking.html");
    let page = |outcome| String::from_utf8(render(&ranking(outcome), "html").unwrap()).unwrap();
    let ranked = page(RankingOutcome::Ranked {
        places: vec![vec![2], vec![1, 3]],
    });
    assert!(ranked.contains("&lt;b&gt;one") && !ranked.contains("<b>one") && !ranked.contains("<i>Care"));
    assert!(!ranked.contains("href=\"javascript") && ranked.contains("No usable answer: "));
    assert!(page(RankingOutcome::PositionBias).contains("No ranking:"));
}

#[test]
fn ranks_from_windows_have_intervals_and_say_how_ideas_share_a_rank() {
    let mut windowed = ranking(RankingOutcome::Ranked {
        places: vec![vec![2], vec![1, 3]],
    });
    windowed.orders.iter_mut().for_each(|one| one.shown.truncate(2));
    windowed.overall.intervals = [(2, 1, 1), (1, 2, 3), (3, 2, 3)]
        .map(|(number, low, high)| PositionInterval { number, low, high })
        .to_vec();
    let markdown = String::from_utf8(render(&windowed, "md").unwrap()).unwrap();
    let rows: Vec<&str> = markdown.lines().filter(|line| line.starts_with("| ")).collect();
    for (rank, name, interval) in [("1", "two", "1"), ("2", "one", "2 to 3"), ("2", "three", "2 to 3")] {
        let fits = |row: &&&str| row.starts_with(&format!("| {rank} |")) && row.ends_with(&format!("| {interval} |"));
        assert!(
            rows.iter().filter(fits).any(|row| row.contains(name)),
            "{name}: {markdown}"
        );
    }
    assert!(
        markdown.contains("Windows: each prompt shows up to 2 of the 3 ideas."),
        "{markdown}"
    );
    assert!(markdown.contains("unless it is below the first of them in 97.5 % of the resamples"));
    let page = String::from_utf8(render(&windowed, "html").unwrap()).unwrap();
    assert!(page.contains("95 % interval of the position") && page.contains("2 to 3"));
    let whole = render(&ranking(windowed.overall.outcome), "md").unwrap();
    let whole = String::from_utf8(whole).unwrap();
    assert!(!whole.contains("interval") && !whole.contains("Windows:"), "{whole}");
}

#[test]
fn rankings_of_earlier_versions_load() {
    let mut old = serde_json::to_value(ranking(RankingOutcome::NoAgreement)).unwrap();
    old["schema_version"] = "1.0".into();
    old["overall"].as_object_mut().unwrap().remove("agreement_p");
    let old: GroupRanking = serde_json::from_value(old).unwrap();
    assert!(old.overall.intervals.is_empty() && old.overall.agreement_p.is_none());
    assert!(
        String::from_utf8(render(&old, "md").unwrap())
            .unwrap()
            .contains("No ranking")
    );
}

#[test]
fn a_ranking_of_version_1_3_loads() {
    let mut old = serde_json::to_value(reviewed("A rope bends.")).unwrap();
    old["schema_version"] = "1.3".into();
    for idea in old["ideas"].as_array_mut().unwrap() {
        let review = idea["review"].as_object_mut();
        review.and_then(|review| review.remove("confidence"));
    }
    let old: GroupRanking = serde_json::from_value(old).unwrap();
    let markdown = String::from_utf8(render(&old, "md").unwrap()).unwrap();
    assert!(
        markdown.contains("Review: ") && !markdown.contains("confidence)"),
        "{markdown}"
    );
}

#[test]
fn a_ranking_of_version_1_2_loads() {
    let mut old = serde_json::to_value(reviewed("A rope bends.")).unwrap();
    old["schema_version"] = "1.2".into();
    for name in ["evidence", "comparison", "left_out"] {
        old.as_object_mut().unwrap().remove(name);
    }
    for idea in old["ideas"].as_array_mut().unwrap() {
        idea.as_object_mut().unwrap().remove("review");
    }
    let old: GroupRanking = serde_json::from_value(old).unwrap();
    assert!(old.evidence.is_empty() && old.comparison.is_none() && old.ideas.iter().all(|one| one.review.is_none()));
}

#[test]
fn a_report_is_written_for_inspection() {
    crate::look::write("ranking-reviewed", &reviewed("A rope bends."));
    crate::look::write(
        "ranking",
        &ranking(RankingOutcome::Ranked {
            places: vec![vec![2], vec![1, 3]],
        }),
    );
}
