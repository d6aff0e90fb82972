//! Plain answers to the prompts about a paper's points.

use serde_json::{Value, json};

use crate::Block;
use crate::words::{contributions, sentences, stems, words};

/// The answer to a prompt about points; `None` for other prompts.
pub(crate) fn answer(prompt: &str, blocks: &[Block<'_>]) -> Option<Value> {
    Some(match prompt {
        "points.read" => read(blocks),
        "points.queries" => json!({"points": of_each(blocks, "point", |number, text| {
            let long = long_words(text, 24);
            let some = |from: usize, count: usize| long.iter().skip(from).take(count).copied().collect::<Vec<_>>().join(" ");
            json!({"point": number, "key_words": [some(0, 3), some(3, 2), some(5, 4), some(9, 3)], "phrases": [some(2, 5), some(7, 6)]})
        })}),
        "points.compare" => compare(blocks),
        "points.conclude" => conclude(blocks),
        "points.validate" => json!({"claims": of_each(blocks, "claim", |number, _| {
            json!({"claim": number, "verdict": "correct", "reason": "", "correction": ""})
        })}),
        "points.correct" => {
            json!({"lines": of_each(blocks, "sentence", |number, _| json!({"number": number, "text": ""}))})
        }
        "points.polish" => {
            json!({"lines": lines(blocks).iter().map(|(number, text)| json!({"number": number, "text": text})).collect::<Vec<_>>()})
        }
        "audit.queries" => json!({"dimensions": of_each(blocks, "dimension", |number, _| {
            json!({"dimension": number, "key_words": [], "phrases": []})
        })}),
        "audit.items" => json!({"items": of_each(blocks, "item", |number, _| {
            json!({"item": number, "yes": true, "reason": "The report does."})
        })}),
        _ => return None,
    })
}

fn of_each(blocks: &[Block<'_>], name: &str, of: impl Fn(u32, &str) -> Value) -> Vec<Value> {
    let prefix = format!("{name} ");
    let named = blocks.iter().filter(|block| block.name.starts_with(&prefix));
    named
        .filter_map(|block| Some(of(block.number()?, block.text)))
        .collect()
}

fn long_words(text: &str, most: usize) -> Vec<&str> {
    let mut seen = Vec::new();
    for word in words(text) {
        if word.len() > 3 && !word.contains(|c: char| c.is_ascii_digit()) && !seen.contains(&word) {
            seen.push(word);
        }
    }
    seen.truncate(most);
    seen
}

fn read(blocks: &[Block<'_>]) -> Value {
    let text = blocks.first().map(|block| block.text).unwrap_or_default();
    let summary: Vec<&str> = sentences(text)
        .into_iter()
        .filter(|one| !one.starts_with("Title:") && one.ends_with('.') && words(one).len() < 40)
        .take(3)
        .collect();
    let points: Vec<Value> = contributions(blocks)
        .into_iter()
        .map(|one| {
            json!({
                "name": one.get("name"),
                "kind": "methodological",
                "author_claim_text": one.get("author_claim_text"),
                "how": "",
                "evidence": "",
            })
        })
        .collect();
    json!({"summary": summary, "points": points})
}

/// The common words of the point and the two most similar passages, and the words that only the point has.
fn compare(blocks: &[Block<'_>]) -> Value {
    let point = blocks
        .iter()
        .find(|block| block.name.starts_with("point "))
        .map(|block| block.text)
        .unwrap_or_default();
    let own = stems(point);
    let mut near: Vec<(usize, u32, &str)> = blocks
        .iter()
        .filter(|block| block.name.starts_with("passage "))
        .filter_map(|block| {
            Some((
                stems(block.text).intersection(&own).count(),
                block.number()?,
                block.text,
            ))
        })
        .collect();
    near.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let claim = point
        .lines()
        .find_map(|line| line.strip_prefix("Claim: "))
        .unwrap_or(point);
    let plain = |text: &str| words(text).join(" ");
    let claimed = format!("The paper offers this: {}.", plain(claim));
    let mut similarities = Vec::new();
    let mut differences = Vec::new();
    for (count, number, text) in near.into_iter().take(2).filter(|(count, ..)| *count >= 3) {
        let body = text.split_once('\n').map_or(text, |(_, body)| body);
        let common: Vec<&str> = long_words(body, 400)
            .into_iter()
            .filter(|word| !stems(word).is_disjoint(&own))
            .take(5)
            .collect();
        let quoted = sentences(body).first().copied().unwrap_or(body);
        let quoted = quoted.split_whitespace().take(30).collect::<Vec<_>>().join(" ");
        let cites = json!([{"passage": number, "words": quoted}]);
        similarities.push(
            json!({"text": format!("Both the point and this work speak of {}.", common.join(", ")), "cites": cites}),
        );
        let others = stems(body);
        let beside: Vec<&str> = long_words(claim, 60)
            .into_iter()
            .filter(|word| stems(word).is_disjoint(&others))
            .take(4)
            .collect();
        if !beside.is_empty() && count > 0 {
            differences.push(json!({
                "text": format!("The point has {}, which this work on {} does not name.", beside.join(" and "), common.join(" and ")),
                "cites": cites,
            }));
        }
    }
    let details = if differences.is_empty() {
        vec![]
    } else {
        vec![json!({"text": format!("In detail, the paper offers this: {}.", plain(claim)), "cites": []})]
    };
    json!({
        "claimed": [{"text": claimed, "cites": []}],
        "similarities": similarities,
        "differences": differences,
        "details": details,
    })
}

/// A few words of a point's name.
fn topic(text: &str) -> String {
    let name = text.lines().next().unwrap_or_default();
    long_words(name, 5).join(" ").to_lowercase()
}

fn conclude(blocks: &[Block<'_>]) -> Value {
    let points: Vec<(u32, &str)> = blocks
        .iter()
        .filter(|block| block.name.starts_with("point "))
        .filter_map(|block| Some((block.number()?, block.text)))
        .collect();
    let has = |text: &str, part: &str| {
        text.contains(&format!("\n{part}: ")) && !text.contains(&format!("\n{part}: none found"))
    };
    let innovations: Vec<Value> = points
        .iter()
        .filter(|(_, text)| has(text, "Differences"))
        .map(|(number, text)| {
            let sentence = format!(
                "What differs in the point on {} is carried out step by step.",
                topic(text)
            );
            json!({"point": number, "sentences": [sentence]})
        })
        .collect();
    let unoriginal: Vec<Value> = points
        .iter()
        .filter(|(_, text)| has(text, "Similarities"))
        .map(|(number, text)| {
            let topic = topic(text);
            json!({
                "point": number,
                "kind": "minor_adjustment",
                "sentences": [format!("The aim of the point on {topic} and a good part of its means are shared with what came before.")],
                "suggestion": format!("The authors could say which step of the point on {topic} does not follow from what is known."),
            })
        })
        .collect();
    json!({
        "character": ["The paper joins known means for a problem of its own."],
        "score": if innovations.is_empty() { 2 } else { 3 },
        "innovations": innovations,
        "unoriginal": unoriginal,
        "one_line": "A careful step on a known problem, with limits in how far the comparison reaches.",
    })
}

/// `12: text` line by line.
fn lines<'t>(blocks: &[Block<'t>]) -> Vec<(u32, &'t str)> {
    let text = blocks
        .iter()
        .find(|block| block.name == "lines")
        .map(|block| block.text)
        .unwrap_or_default();
    let line = |line: &'t str| {
        let (number, words) = line.split_once(": ")?;
        Some((number.parse().ok()?, words))
    };
    text.lines().filter_map(line).collect()
}
