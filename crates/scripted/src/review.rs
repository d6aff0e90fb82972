//! Plain answers to what is asked before an idea is judged: parts, queries and quotes are copied from what is shown, scores follow from shared words.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::plain::{sentences, shared, words};
use crate::{Block, Question};

/// The answer to a question on what an idea says and what bears on it; `None` for another prompt.
pub(crate) fn answer(question: &Question, blocks: &[Block<'_>]) -> Option<Value> {
    Some(match question.prompt.as_str() {
        "review.parts" => json!({"statements": parts(blocks)}),
        "review.queries" => json!({"queries": queries(question, blocks, None)}),
        "review.refine" => json!({"queries": queries(question, blocks, Some("rewritten"))}),
        "review.relevance" => json!({"records": relevance(blocks)}),
        "review.ground" => ground(blocks),
        _ => return None,
    })
}

fn named<'t>(blocks: &[Block<'t>], name: &str) -> Vec<Block<'t>> {
    let wanted = blocks.iter().filter(|block| block.name.starts_with(name));
    wanted.copied().collect()
}

/// What the idea says, by the words that open its sentences.
fn parts(blocks: &[Block<'_>]) -> Vec<Value> {
    const CUES: [(&str, &[&str]); 5] = [
        (
            "expected_results",
            &["we expect", "should improve", "would show", "we hope"],
        ),
        (
            "experimental_setting",
            &["evaluat", "data set", "benchmark", "recordings", "experiment"],
        ),
        (
            "method",
            &[
                "we use",
                "would give",
                "by means",
                "algorithm",
                "model",
                "method",
                "we propose",
                "we introduce",
            ],
        ),
        (
            "motivation",
            &["however", "lack", "problem", "because", "costs", "cannot"],
        ),
        ("research_question", &["whether", "how ", "can "]),
    ];
    let text = blocks.first().map(|block| block.text).unwrap_or_default();
    let mut counts = std::collections::BTreeMap::new();
    let mut found = Vec::new();
    for (at, sentence) in sentences(text).into_iter().enumerate() {
        let lower = sentence.to_lowercase();
        let cued = CUES.iter().find(|(_, cues)| cues.iter().any(|cue| lower.contains(cue)));
        let part = match (at, cued) {
            (0, _) => "basic_idea",
            (_, Some((part, _))) => part,
            _ => continue,
        };
        let count = counts.entry(part).or_insert(0_u32);
        let most = if part == "basic_idea" { 1 } else { 2 };
        let kept: Vec<&str> = sentence.split_whitespace().take(38).collect();
        let has_figures = part == "expected_results" && sentence.contains(|c: char| c.is_ascii_digit());
        if *count < most && !has_figures && kept.len() >= 5 {
            *count += 1;
            found.push(json!({"part": part, "statement": kept.join(" "), "words": kept.join(" ")}));
        }
    }
    found
}

/// A few for each kind that is asked for, each from words of the statements; of a further round others than those that were put.
fn queries(question: &Question, blocks: &[Block<'_>], way: Option<&str>) -> Vec<Value> {
    let statements = named(blocks, "statements")
        .first()
        .map(|block| block.text)
        .unwrap_or_default();
    let asked: BTreeSet<String> = named(blocks, "queries")
        .iter()
        .flat_map(|block| block.text.lines())
        .map(str::to_lowercase)
        .collect();
    let telling: Vec<&str> = words(statements).into_iter().filter(|word| word.len() > 4).collect();
    let wanted = question
        .text()
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("Word the queries for: "));
    let mut found = Vec::new();
    for kind in ["literature", "web", "code"] {
        if !wanted.is_some_and(|wanted| wanted.contains(kind)) {
            continue;
        }
        let length = if kind == "code" { 2 } else { 4 };
        for from in 0..6_usize {
            let chosen: Vec<&str> = telling
                .iter()
                .copied()
                .skip(from * 3 + usize::from(way.is_some()))
                .take(length)
                .collect();
            let query = chosen.join(" ").to_lowercase();
            if chosen.len() == length && !asked.iter().any(|known| known.contains(&query)) {
                found.push(json!({"kind": kind, "part": null, "way": way, "query": query}));
            }
        }
    }
    found
}

fn relevance(blocks: &[Block<'_>]) -> Vec<Value> {
    let statements = named(blocks, "statements")
        .first()
        .map(|block| block.text)
        .unwrap_or_default();
    let score = |block: &Block<'_>| {
        let number = block.number()?;
        Some(json!({"record": number, "score": (shared(block.text, statements) * 10.0).round()}))
    };
    named(blocks, "record").iter().filter_map(score).collect()
}

/// The sentence of the passages that has most of a statement's words.
fn ground(blocks: &[Block<'_>]) -> Value {
    let passages = named(blocks, "passage");
    let said: Vec<&str> = passages.iter().flat_map(|block| sentences(block.text)).collect();
    let mut best: Option<(f64, u32, &str)> = None;
    for statement in named(blocks, "statement ") {
        let Some(number) = statement.number() else { continue };
        for sentence in &said {
            let share = shared(statement.text, sentence);
            if share >= 0.3 && best.is_none_or(|(most, ..)| share > most) {
                best = Some((share, number, sentence));
            }
        }
    }
    match best {
        Some((share, statement, sentence)) => json!({
            "evidence": [{
                "statement": statement,
                "stance": if share >= 0.7 { "contradicts" } else { "supports" },
                "words": sentence.split_whitespace().take(50).collect::<Vec<_>>().join(" "),
            }],
            "analysis": "The piece speaks of the same means for the same end. On the rest of this part it is silent.",
            "score": (share * 10.0).round(),
        }),
        None => json!({"evidence": [], "analysis": "The piece has nothing to do with this part.", "score": 0}),
    }
}
