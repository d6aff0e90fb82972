//! Plain answers to the evidence-gathering prompts of a review.

use serde_json::{Value, json};

use crate::Block;
use crate::words::{sentences, stems, words};

/// The answer to a prompt about parts, queries, records or evidence; `None` for other prompts.
pub(crate) fn answer(prompt: &str, blocks: &[Block<'_>]) -> Option<Value> {
    Some(match prompt {
        "review.parts" => parts(blocks),
        "review.queries" => queries(blocks, 0),
        "review.refine" => queries(blocks, 2),
        "review.relevance" => relevance(blocks),
        "review.report" => report(blocks),
        "review.ground" => ground(blocks),
        _ => return None,
    })
}

fn named<'t>(blocks: &[Block<'t>], name: &str) -> &'t str {
    let found = blocks.iter().find(|block| block.name == name);
    found.map(|block| block.text).unwrap_or_default()
}

/// The sentences of the idea, assigned to the parts in rotation.
fn parts(blocks: &[Block<'_>]) -> Value {
    const PARTS: [&str; 4] = ["basic_idea", "motivation", "method", "experimental_setting"];
    let stated = sentences(named(blocks, "idea"));
    let statements: Vec<Value> = stated
        .into_iter()
        .filter(|one| !one.starts_with("Title:"))
        .take(8)
        .zip(PARTS.into_iter().cycle())
        .map(|(sentence, part)| {
            let kept: Vec<&str> = sentence.split_whitespace().take(40).collect();
            json!({"part": part, "statement": kept.join(" "), "words": kept.join(" ")})
        })
        .collect();
    json!({"statements": statements})
}

/// Long words of the statements, a few per query, for every kind of source.
fn queries(blocks: &[Block<'_>], skip: usize) -> Value {
    let text = named(blocks, "statements of the idea");
    let mut long: Vec<&str> = Vec::new();
    for word in words(text) {
        if word.len() > 4 && !word.contains(|c: char| c.is_ascii_digit()) && !long.contains(&word) {
            long.push(word);
        }
    }
    let some = |from: usize, count: usize| {
        let taken: Vec<&str> = long.iter().skip(from).take(count).copied().collect();
        taken.join(" ")
    };
    let mut all = Vec::new();
    for (kind, count, size) in [("literature", 6, 4), ("web", 3, 4), ("code", 8, 2)] {
        for at in 0..count {
            let query = some(skip + at * 2, size);
            if !query.is_empty() {
                all.push(json!({"kind": kind, "part": "method", "way": "rewritten", "query": query}));
            }
        }
    }
    json!({"queries": all})
}

fn relevance(blocks: &[Block<'_>]) -> Value {
    let idea = stems(named(blocks, "statements of the idea"));
    let records = blocks.iter().filter(|block| block.name.starts_with("record "));
    let scores: Vec<Value> = records
        .filter_map(|block| {
            let own = stems(block.text);
            let common = own.intersection(&idea).count() * 10;
            let score = common.checked_div(own.len()).unwrap_or_default().min(10);
            Some(json!({"record": block.number()?, "score": score}))
        })
        .collect();
    json!({"records": scores})
}

/// One field, based on the first long sentence of the document.
fn report(blocks: &[Block<'_>]) -> Value {
    let text = named(blocks, "document");
    let (kind, text) = text.split_once(": ").unwrap_or(("literature", text));
    let field = if kind == "literature" { "basic_idea" } else { "summary" };
    let text = text.split_once('\n').map_or(text, |(_, text)| text);
    let long = sentences(text)
        .into_iter()
        .find(|one| one.split_whitespace().count() >= 6);
    let fields: Vec<Value> = long
        .iter()
        .map(|sentence| {
            let kept: Vec<&str> = sentence.split_whitespace().take(30).collect();
            json!({"field": field, "text": "The document treats the matter of its first sentence.", "words": [kept.join(" ")]})
        })
        .collect();
    json!({"fields": fields})
}

/// For the statement and the passage sentence with the most words in common, that sentence.
fn ground(blocks: &[Block<'_>]) -> Value {
    let of = |name: &str| -> Vec<(Option<u32>, &str)> {
        let named = blocks.iter().filter(|block| block.name.starts_with(name));
        named.map(|block| (block.number(), block.text)).collect()
    };
    let mut best: Option<(usize, u32, &str)> = None;
    for (number, statement) in of("statement ") {
        let own = stems(statement);
        for (_, passage) in of("passage ") {
            for sentence in sentences(passage) {
                let common = stems(sentence).intersection(&own).count();
                if let Some(number) = number.filter(|_| common >= 2)
                    && best.is_none_or(|(most, ..)| common > most)
                {
                    best = Some((common, number, sentence));
                }
            }
        }
    }
    let evidence: Vec<Value> = best
        .iter()
        .map(|(_, number, sentence)| {
            let kept: Vec<&str> = sentence.split_whitespace().take(60).collect();
            json!({"statement": number, "stance": "supports", "words": kept.join(" ")})
        })
        .collect();
    let analysis = match best {
        Some(_) => {
            "The document speaks of the same matter in much the same words. It is silent on the rest of the part."
        }
        None => "The document has nothing to do with this part.",
    };
    let score = best.map_or(0, |(common, ..)| common.min(10));
    json!({"evidence": evidence, "analysis": analysis, "score": score})
}
