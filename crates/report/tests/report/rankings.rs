//! Rankings follow the schema, names are escaped, and a report without a ranking says so first.

use precedent_domain::{
    DimensionOrder, DimensionStanding, GroupRanking, GroupedIdea, LengthCheck, OrderAnswer, OrderAsked,
    PositionInterval, RANKING_SCHEMA_VERSION, RankingOutcome, Standing,
};
use precedent_report::{file_name, ranking_schema, render};

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
        seed: 7,
        program_version: "0.1.0".into(),
        analyst: "scripted:model".into(),
        models: vec![],
        sent: vec![],
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
                "No answer that names every idea shown once",
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
    assert!(!ranked.contains("href=\"javascript") && ranked.contains("No answer that names every idea shown once"));
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
fn a_report_is_written_for_inspection() {
    crate::look::write(
        "ranking",
        &ranking(RankingOutcome::Ranked {
            places: vec![vec![2], vec![1, 3]],
        }),
    );
}
