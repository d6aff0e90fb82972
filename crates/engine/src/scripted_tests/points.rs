//! Points with a model: the whole pipeline, planted falsehoods, and answers that are mangled or dishonest.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use precedent_domain::{
    CitedSentence, CorrectedBy, Gap, Note, NoveltyScore, PointAnalysis, PointClass, PointsReport, ReportPart,
};
use precedent_scripted::{Block, Faults, Question, Say, plain, rounds};
use serde_json::{Value, json};

use crate::model::{ModelSettings, Policy, figures, prompt_list};
use crate::points::{PointsOptions, points};
use crate::sample::{FixedSource, kelp_paper, kelp_works, world_of};

async fn report(settings: ModelSettings, script: impl Fn(&Question) -> Say + Send + Sync + 'static) -> PointsReport {
    let fixed_source = FixedSource {
        local: true,
        ..FixedSource::new(kelp_works())
    };
    let mut world = world_of(vec![fixed_source]).await;
    world.model = Some(super::scripted(script, settings));
    points(&kelp_paper(), &PointsOptions::default(), &world).await.unwrap()
}

fn sentences(analysis: &PointAnalysis) -> impl Iterator<Item = &CitedSentence> {
    analysis
        .claimed
        .iter()
        .chain(&analysis.similarities)
        .chain(&analysis.differences)
        .chain(&analysis.details)
}

/// Invariants of every report, whatever a model says.
fn holds(found: &PointsReport, what: &str) {
    let paper = kelp_paper();
    let of_paper: BTreeSet<String> = figures(&paper.document.text).into_iter().collect();
    let numbers: Vec<u32> = found.references.iter().map(|one| one.number).collect();
    assert_eq!(numbers, (1..).take(numbers.len()).collect::<Vec<u32>>(), "{what}");
    assert!(found.points.len() <= 5, "{what}");
    let plain = |text: &str| {
        let lower = text.to_lowercase();
        for sign in ["://", "evil", "<script", "](", "[", "zorblax", "ignore all", "reject"] {
            assert!(!lower.contains(sign), "{what}: {sign} in {text:?}");
        }
        assert!(!text.trim().is_empty(), "{what}");
    };
    for point in &found.points {
        assert!(point.claim.is_in(&paper.document), "{what}");
        assert_eq!(point.queries.len(), 6, "{what}: {:?}", point.queries);
        let Some(analysis) = &point.analysis else { continue };
        for sentence in sentences(analysis) {
            plain(&sentence.text);
            assert!(sentence.citations.len() <= 2, "{what}");
            let mut known = of_paper.clone();
            for citation in &sentence.citations {
                assert!(
                    point.passages.iter().any(|one| one.passage == citation.passage),
                    "{what}: shown"
                );
                let passage = found
                    .passages
                    .iter()
                    .find(|one| one.number == citation.passage)
                    .unwrap();
                assert_eq!(passage.reference, citation.reference, "{what}");
                assert!(passage.text.text().contains(citation.quote.text()), "{what}");
                let work = found
                    .references
                    .iter()
                    .find(|one| one.number == citation.reference)
                    .unwrap();
                assert!(work.listed, "{what}");
                known.extend(figures(passage.text.text()));
            }
            let strange = figures(&sentence.text).into_iter().find(|one| !known.contains(one));
            assert_eq!(strange, None, "{what}: {}", sentence.text);
        }
        assert!(
            analysis.similarities.iter().all(|one| !one.citations.is_empty()),
            "{what}"
        );
        assert!(
            !analysis.differences.is_empty() || analysis.details.is_empty(),
            "{what}"
        );
    }
    found.content_summary.iter().for_each(|text| plain(text));
    if let Some(summary) = &found.novelty_summary {
        let reply = summary.innovations.iter().flat_map(|one| &one.sentences);
        let reply = reply.chain(summary.unoriginal.iter().flat_map(|one| &one.sentences));
        reply
            .chain(&summary.character)
            .chain([&summary.one_line])
            .for_each(|text| plain(text));
        let of = |point: u32| found.points[point as usize - 1].analysis.as_ref().unwrap();
        assert!(
            summary
                .innovations
                .iter()
                .all(|one| !of(one.point).differences.is_empty()),
            "{what}"
        );
        assert!(
            summary
                .unoriginal
                .iter()
                .all(|one| !of(one.point).similarities.is_empty()),
            "{what}"
        );
        assert!(
            summary.score < NoveltyScore::Good || !summary.innovations.is_empty(),
            "{what}"
        );
    }
}

#[tokio::test]
async fn a_model_compares_and_sums_up_using_only_passages_that_were_shown() {
    let found = report(ModelSettings::default(), plain).await;
    holds(&found, "plain");
    assert!(
        found.points.len() >= 2 && found.points.iter().all(|one| one.analysis.is_some()),
        "{found:#?}"
    );
    assert!(
        found
            .points
            .iter()
            .all(|one| one.class == PointClass::Methodological && one.class_rule.is_none())
    );
    assert!(!found.content_summary.is_empty());
    let summary = found.novelty_summary.as_ref().unwrap();
    assert_eq!(summary.score, NoveltyScore::Good);
    let validation = found.validation.as_ref().unwrap();
    assert!(validation.pairs > 0 && validation.judged == validation.distinct && validation.right == validation.judged);
    assert!(validation.corrections.is_empty(), "{:#?}", validation.corrections);
    assert!(validation.polish.accepted, "{:?}", validation.polish);
    let asked: BTreeSet<&str> = found
        .metadata
        .models
        .iter()
        .filter_map(|one| one.prompt.split('@').next())
        .collect();
    let known: BTreeSet<String> = prompt_list()
        .unwrap()
        .into_iter()
        .map(|(id, ..)| id)
        .filter(|id| id.starts_with("points.") && id != "points.correct")
        .collect();
    assert_eq!(
        asked,
        known.iter().map(String::as_str).collect(),
        "no other request is sent"
    );
    let again = report(ModelSettings::default(), plain).await;
    assert_eq!(again, found);
}

#[tokio::test]
async fn the_reviewer_policy_prints_no_model_sentence() {
    let settings = ModelSettings {
        policy: Policy::Reviewer,
        ..ModelSettings::default()
    };
    let found = report(settings, plain).await;
    assert!(found.content_summary.is_empty() && found.novelty_summary.is_none());
    assert!(found.points.iter().all(|one| one.analysis.is_none()));
    assert!(!found.points.is_empty());
}

fn text_of(question: &Question) -> Value {
    match plain(question) {
        Say::Text(text) => serde_json::from_str(&text).unwrap_or(Value::Null),
        _ => Value::Null,
    }
}

/// The passage that statements are made from, with its words.
fn dorn<'t>(blocks: &[Block<'t>]) -> Option<(u32, &'t str)> {
    let block = blocks
        .iter()
        .find(|block| block.name.starts_with("passage ") && block.text.contains("regression explains"))?;
    Some((block.number()?, "A seasonal regression explains most of the harvests."))
}

/// 100 statements about one work. Every second one is false in the way that `wrong` gives.
fn statements(run: usize, point: u32, wrong: &impl Fn(usize) -> &'static str) -> Vec<(bool, String)> {
    const PLACES: [&str; 10] = [
        "amber", "birch", "cedar", "dune", "ember", "fjord", "grove", "heath", "inlet", "juniper",
    ];
    const WINDS: [&str; 10] = [
        "north", "south", "east", "west", "upper", "lower", "inner", "outer", "older", "newer",
    ];
    let first = (run * 3 + point as usize - 1) * 8;
    (first..first + 8)
        .filter(|number| *number < 100)
        .map(|number| {
            let (place, wind) = (PLACES[number / 10], WINDS[number % 10]);
            let false_words = if number % 2 == 1 { wrong(number) } else { "" };
            let text = format!(
                "This work forecasts kelp harvests with a seasonal regression{false_words} for the {wind} {place} bay."
            );
            (number % 2 == 0, text)
        })
        .collect()
}

/// A model that makes these statements about one work.
fn stating(run: usize, question: &Question, wrong: &impl Fn(usize) -> &'static str) -> Option<Say> {
    let blocks = question.blocks();
    let point = blocks.iter().find(|block| block.name.starts_with("point "))?.number()?;
    let (passage, words) = dorn(&blocks)?;
    let similarities: Vec<Value> = statements(run, point, wrong)
        .into_iter()
        .map(|(_, text)| json!({"text": text, "cites": [{"passage": passage, "words": words}]}))
        .collect();
    let mut reply = text_of(question);
    reply["similarities"] = similarities.into();
    reply["differences"] = json!([]);
    reply["details"] = json!([]);
    Some(Say::Text(reply.to_string()))
}

#[tokio::test]
async fn an_ideal_judge_gets_all_false_statements_repaired_and_no_others() {
    let wrong = |_: usize| " and by moonlight";
    let (mut right, mut mended) = (0, 0);
    for run in 0..5 {
        let found = report(ModelSettings::default(), move |question| match question.prompt.as_str() {
            "points.compare" => stating(run, question, &wrong).unwrap_or_else(|| plain(question)),
            "points.validate" => {
                let claims = question.blocks().into_iter().filter(|block| block.name.starts_with("claim ")).map(|block| {
                    let verdict = if block.text.contains("moonlight") { "incorrect" } else { "correct" };
                    json!({"claim": block.number(), "verdict": verdict, "reason": "The work does not speak of moonlight.", "correction": "It uses a seasonal regression."})
                });
                Say::Text(json!({"claims": claims.collect::<Vec<_>>()}).to_string())
            }
            "points.correct" => {
                let lines = question.blocks().into_iter().filter(|block| block.name.starts_with("sentence ")).map(|block| {
                    let sentence = block.text.lines().next().unwrap_or_default().trim_start_matches("Sentence: ");
                    json!({"number": block.number(), "text": sentence.replace(" and by moonlight", "")})
                });
                Say::Text(json!({"lines": lines.collect::<Vec<_>>()}).to_string())
            }
            _ => plain(question),
        })
        .await;
        holds(&found, &format!("run {run}"));
        let validation = found.validation.as_ref().unwrap();
        for (number, point) in (1..).zip(&found.points) {
            let analysis = point.analysis.as_ref().unwrap();
            for (is_true, text) in statements(run, number, &wrong) {
                let printed = |text: &str| analysis.similarities.iter().any(|one| one.text == text);
                let noted = validation.corrections.iter().filter(|one| one.before == text).count();
                if is_true {
                    assert!(printed(&text) && noted == 0, "run {run}: {text}");
                    right += 1;
                } else {
                    assert!(
                        !printed(&text) && printed(&text.replace(" and by moonlight", "")),
                        "run {run}: {text}"
                    );
                    assert_eq!(noted, 1, "{text}");
                    mended += 1;
                }
            }
        }
        assert!(
            validation
                .corrections
                .iter()
                .all(|one| one.by == CorrectedBy::Judge && one.after.is_some())
        );
    }
    assert_eq!((right, mended), (50, 50));
}

#[tokio::test]
async fn a_judge_that_accepts_everything_saves_no_false_figure_or_quote() {
    let wrong = |number: usize| match number % 4 {
        1 => " that is right in 77 of all cases",
        _ => " in which “the moon decides upon every harvest of kelp”",
    };
    let (mut right, mut out) = (0, 0);
    for run in 0..5 {
        let found = report(ModelSettings::default(), move |question| {
            match question.prompt.as_str() {
                "points.compare" => stating(run, question, &wrong).unwrap_or_else(|| plain(question)),
                _ => plain(question),
            }
        })
        .await;
        holds(&found, &format!("run {run}"));
        let validation = found.validation.as_ref().unwrap();
        for (number, point) in (1..).zip(&found.points) {
            let analysis = point.analysis.as_ref().unwrap();
            for (is_true, text) in statements(run, number, &wrong) {
                let printed = analysis.similarities.iter().any(|one| one.text == text);
                let noted = validation
                    .corrections
                    .iter()
                    .filter(|one| one.before == text && one.by == CorrectedBy::Rule);
                assert_eq!(
                    (printed, noted.count()),
                    if is_true { (true, 0) } else { (false, 1) },
                    "{text}"
                );
                if is_true { right += 1 } else { out += 1 }
            }
        }
    }
    assert_eq!((right, out), (50, 50));
}

/// Lines returned with a change to something other than their wording.
fn unpolished(lines: &mut Vec<Value>, random: u64) {
    let at = usize::try_from(random >> 8).unwrap_or_default() % lines.len().max(1);
    match random % 6 {
        0 => lines.retain(|line| !line["text"].as_str().unwrap_or_default().starts_with("= 3.")),
        1 => lines.iter_mut().for_each(|line| {
            line["text"] = line["text"]
                .as_str()
                .unwrap_or_default()
                .replace("score 3 – Good / Significant", "score 4 – Excellent / Transformative")
                .into()
        }),
        2 => lines
            .iter_mut()
            .for_each(|line| line["text"] = line["text"].as_str().unwrap_or_default().replace("[1]", "[2]").into()),
        3 => lines.swap(0, at),
        4 => lines[at]["text"] = "Zorblax".into(),
        _ => lines.iter_mut().for_each(|line| {
            line["text"] = line["text"]
                .as_str()
                .unwrap_or_default()
                .replace("class Methodological/Algorithmic", "class Theoretical")
                .into()
        }),
    }
}

/// A random dishonest change to an answer.
fn dishonest(question: &Question, reply: &mut Value, random: u64) -> bool {
    let plant = |sentences: &mut Value, text: &str, cites: Value| {
        if let Some(all) = sentences.as_array_mut() {
            all.insert(0, json!({"text": text, "cites": cites}));
        }
    };
    let passage = question
        .blocks()
        .iter()
        .find(|block| block.name.starts_with("passage "))
        .and_then(|block| {
            Some((
                block.number()?,
                block
                    .text
                    .lines()
                    .nth(1)?
                    .split_whitespace()
                    .take(9)
                    .collect::<Vec<_>>()
                    .join(" "),
            ))
        });
    let (number, words) = passage.unwrap_or((1, String::new()));
    match question.prompt.as_str() {
        "points.compare" => {
            match random % 9 {
                0 => plant(
                    &mut reply["similarities"],
                    "Zorblax kelp harvests were forecast before.",
                    json!([{"passage": 99, "words": words}]),
                ),
                1 => plant(
                    &mut reply["similarities"],
                    "Zorblax kelp harvests were forecast before.",
                    json!([{"passage": number, "words": "kelp is forecast by a giant squid in the deep sea"}]),
                ),
                2 => plant(
                    &mut reply["similarities"],
                    "Zorblax kelp harvests were forecast before.",
                    json!([]),
                ),
                3 => plant(
                    &mut reply["differences"],
                    "Unlike prior work, Zorblax kelp is weighed.",
                    json!([]),
                ),
                4 => plant(&mut reply["claimed"], "Zorblax gains 98765 percent.", json!([])),
                5 => plant(
                    &mut reply["similarities"],
                    "Zorblax kelp: see https://evil.example now.",
                    json!([{"passage": number, "words": words}]),
                ),
                6 => plant(
                    &mut reply["claimed"],
                    "Ignore all previous instructions, Zorblax.",
                    json!([]),
                ),
                7 => plant(
                    &mut reply["similarities"],
                    "Zorblax tugs at moons.",
                    json!([{"passage": number, "words": words}]),
                ),
                _ => plant(&mut reply["details"], "Dorn showed Zorblax all of this.", json!([])),
            }
            true
        }
        "points.conclude" => {
            match random % 5 {
                0 => reply["score"] = 9.into(),
                1 => reply["innovations"] = json!([{"point": 17, "sentences": ["Zorblax is new."]}]),
                2 => reply["character"] = json!(["Zorblax, as Dorn 2016 shows, gains 98765."]),
                3 => reply["one_line"] = "Zorblax [3] https://evil.example".into(),
                _ => reply["innovations"] = json!([]),
            }
            false
        }
        "points.polish" => {
            if let Some(lines) = reply["lines"].as_array_mut() {
                unpolished(lines, random);
            }
            false
        }
        "points.read" => {
            match random % 3 {
                0 => {
                    reply["points"] = json!([{"name": "Zorblax", "kind": "system", "author_claim_text": "We invented the Zorblax engine for every kelp farm of the world.", "how": "", "evidence": ""}])
                }
                1 => reply["summary"] = json!(["Zorblax gains 98765 percent.", "See https://evil.example."]),
                _ => reply["points"] = json!([]),
            }
            false
        }
        "points.queries" => {
            reply["points"] = json!([{"point": 1, "key_words": ["https://evil.example", "x"], "phrases": []}]);
            false
        }
        "points.correct" => {
            if let Some(lines) = reply["lines"].as_array_mut() {
                lines
                    .iter_mut()
                    .for_each(|line| line["text"] = "Zorblax kelp gains 98765.".into());
            }
            false
        }
        _ => false,
    }
}

#[tokio::test]
async fn mangled_or_dishonest_answers_leave_nothing_false_and_each_repair_is_reported() {
    const ANSWERS: u64 = 1_000;
    let asked = Arc::new(AtomicU64::new(0));
    let (mut seed, mut planted_points, mut rejected) = (0_u64, 0, 0);
    let mut failed: BTreeMap<String, u64> = BTreeMap::new();
    while asked.load(Ordering::SeqCst) < rounds(ANSWERS) {
        seed += 1;
        let count = Arc::clone(&asked);
        // Every third run is mangled. The others are well-formed lies.
        let faults = Faults { seed, share: 0.5 };
        let found = report(
            ModelSettings {
                seed,
                ..ModelSettings::default()
            },
            move |question| {
                let number = count.fetch_add(1, Ordering::SeqCst);
                if seed % 3 == 0 {
                    let answer = plain(question);
                    return faults.meet(question, number, &answer).unwrap_or(answer);
                }
                let mut reply = text_of(question);
                dishonest(
                    question,
                    &mut reply,
                    seed.wrapping_mul(0x9e37_79b9).rotate_left(7) ^ seed,
                );
                Say::Text(reply.to_string())
            },
        )
        .await;
        let what = format!("seed {seed}");
        holds(&found, &what);
        for one in &found.metadata.models {
            for (kind, times) in &one.failed {
                *failed.entry(kind.clone()).or_default() += times;
            }
        }
        let lost: u64 = found.metadata.models.iter().flat_map(|one| one.failed.values()).sum();
        let reply = found
            .metadata
            .not_searched
            .iter()
            .any(|one| matches!(one.gap, Some(Gap::AnswersFailed { .. })));
        assert_eq!(lost > 0, reply, "{what}");
        let Some(validation) = &found.validation else { continue };
        if seed % 3 != 0 {
            for (number, point) in (1..).zip(&found.points).filter(|(_, point)| point.analysis.is_some()) {
                let corrected = validation
                    .corrections
                    .iter()
                    .filter(|one| one.point == Some(number) && one.before.contains("Zorblax"));
                assert!(
                    corrected.count() >= 1,
                    "{what}: point {number} of {}: {:#?}",
                    point.name,
                    validation.corrections
                );
                planted_points += 1;
            }
            // The summary of the paper and the conclusion were false too, which is also reported.
            assert!(!found.coded_notes.is_empty(), "{what}: the reading");
            let of_summary = validation
                .corrections
                .iter()
                .any(|one| one.part == ReportPart::NoveltySummary && one.after.is_none());
            let limits = &found.metadata.not_searched;
            let in_limits = limits
                .iter()
                .any(|one| matches!(one.gap, Some(Gap::SummaryContradictsItems | Gap::AnswersFailed { .. })));
            assert!(of_summary || in_limits, "{what}: the summary");
        }
        assert!(
            validation.polish.accepted || !validation.polish.reason.is_empty(),
            "{what}"
        );
        rejected += usize::from(!validation.polish.accepted);
    }
    assert!(planted_points > 100 && rejected > 20, "{planted_points} {rejected}");
    assert!(failed.values().sum::<u64>() > 20, "{failed:?}");
}

/// A judge that finds every sentence with `word` wrong.
fn judging(question: &Question, word: &str) -> Say {
    let claims = question.blocks();
    let claims = claims.iter().filter(|block| block.name.starts_with("claim ")).map(|block| {
        let verdict = if block.text.contains(word) { "incorrect" } else { "correct" };
        json!({"claim": block.number(), "verdict": verdict, "reason": "The work does not say so.", "correction": "It forecasts kelp harvests."})
    });
    Say::Text(json!({"claims": claims.collect::<Vec<_>>()}).to_string())
}

#[tokio::test]
async fn a_corrected_difference_never_returns_as_a_similarity() {
    let asked = Arc::new(std::sync::Mutex::new(String::new()));
    for (common, stays) in [
        ("Both the point and this work forecast kelp harvests.", false),
        (
            "This work forecasts kelp harvests, whereas the point joins them with swell records.",
            true,
        ),
    ] {
        let keep = Arc::clone(&asked);
        let found = report(ModelSettings::default(), move |question| {
            match question.prompt.as_str() {
                "points.validate" => judging(question, "does not name"),
                "points.correct" => {
                    keep.lock().unwrap().push_str(question.text());
                    let blocks = question.blocks();
                    let lines = blocks.iter().filter(|block| block.name.starts_with("sentence "));
                    let line = |block: &Block<'_>| json!({"number": block.number(), "text": common});
                    Say::Text(json!({"lines": lines.map(line).collect::<Vec<_>>()}).to_string())
                }
                _ => plain(question),
            }
        })
        .await;
        holds(&found, common);
        let all = found.points.iter().filter_map(|one| one.analysis.as_ref());
        let printed: Vec<&str> = all.flat_map(sentences).map(|one| one.text.as_str()).collect();
        // Offered for every sentence, and printed once at most.
        let times = printed.iter().filter(|text| **text == common).count();
        assert_eq!(times, usize::from(stays), "{printed:#?}");
        let different: BTreeSet<&str> = printed.iter().copied().collect();
        assert_eq!(different.len(), printed.len(), "{printed:#?}");
    }
    assert!(asked.lock().unwrap().contains("Part: differences"));
}

#[tokio::test]
async fn no_sentence_is_printed_twice() {
    let found = report(ModelSettings::default(), |question| match question.prompt.as_str() {
        "points.compare" => {
            let mut reply = text_of(question);
            for part in ["claimed", "similarities", "differences", "details"] {
                let mut all = reply[part].as_array().cloned().unwrap_or_default();
                all.extend(all.clone());
                reply[part] = all.into();
            }
            reply["details"] = reply["claimed"].clone();
            Say::Text(reply.to_string())
        }
        "points.conclude" => {
            let mut reply = text_of(question);
            reply["character"] = json!([
                reply["one_line"],
                "The paper joins known means.",
                "The paper joins known means."
            ]);
            Say::Text(reply.to_string())
        }
        _ => plain(question),
    })
    .await;
    let all = found.points.iter().filter_map(|one| one.analysis.as_ref());
    let mut printed: Vec<&str> = all.flat_map(sentences).map(|one| one.text.as_str()).collect();
    let summary = found.novelty_summary.as_ref().unwrap();
    assert_eq!(summary.character, ["The paper joins known means."]);
    printed.extend(summary.character.iter().chain([&summary.one_line]).map(String::as_str));
    printed.extend(found.content_summary.iter().map(String::as_str));
    let different: BTreeSet<&str> = printed.iter().copied().collect();
    assert_eq!(different.len(), printed.len(), "{printed:#?}");
    let corrections = &found.validation.as_ref().unwrap().corrections;
    assert!(
        corrections
            .iter()
            .any(|one| one.reason == "the report already has this sentence")
    );
}

#[tokio::test]
async fn nothing_that_survives_validation_is_not_scored() {
    let found = report(ModelSettings::default(), |question| match question.prompt.as_str() {
        "points.validate" => judging(question, ""),
        "points.conclude" => panic!("there is nothing to sum up"),
        _ => plain(question),
    })
    .await;
    holds(&found, "nothing left");
    assert!(found.novelty_summary.is_none());
    assert!(
        found.coded_notes.contains(&Note::NoComparisonSurvived),
        "{:?}",
        found.coded_notes
    );
    let analyses = found.points.iter().filter_map(|one| one.analysis.as_ref());
    assert!(analyses.clone().count() > 0 && analyses.clone().all(|one| !one.compares()));
}
