//! A plain ranking of ideas.

use serde_json::{Value, json};

use crate::words::stems;
use crate::{Block, Question};

/// Sorts the ideas by number of distinct words, on every dimension in the prompt.
pub(crate) fn group(question: &Question, blocks: &[Block<'_>]) -> Value {
    let mut ideas: Vec<(usize, u32)> = blocks
        .iter()
        .filter(|block| block.name.starts_with("idea "))
        .filter_map(|block| Some((stems(block.text).len(), block.number()?)))
        .collect();
    ideas.sort_unstable_by(|a, b| b.cmp(a));
    let order: Vec<u32> = ideas.into_iter().map(|(_, number)| number).collect();
    let ids = question.system.split("one entry for each of ").nth(1);
    let ids = ids.and_then(|rest| rest.split(", by id").next()).unwrap_or_default();
    let dimensions: Vec<Value> = ids
        .split(", ")
        .map(|id| json!({"id": id, "order": order, "reason": "The first says more of what it means to do."}))
        .collect();
    json!({"dimensions": dimensions, "order": order, "reason": "The first says more. The last leaves more open."})
}

/// A statement of each section, which cites the first evidence that may decide.
pub(crate) fn pair(question: &Question) -> Value {
    let deciding = question
        .text()
        .split("Documents that may decide: ")
        .nth(1)
        .unwrap_or_default();
    let first: Option<u32> = deciding
        .split([',', '.'])
        .next()
        .and_then(|one| one.trim().parse().ok());
    let sections = [
        ("summary", 0),
        ("strength", 1),
        ("weakness", 2),
        ("risk", 1),
        ("trade_off", 0),
        ("consensus", 0),
    ];
    let statements: Vec<Value> = sections
        .iter()
        .map(|(section, idea)| {
            let cited = first.map_or(String::new(), |number| format!(" [{number}]"));
            json!({"section": section, "idea": idea, "text": format!("What was done before bears on idea 1 more than on idea 2{cited}."), "documents": first.into_iter().collect::<Vec<_>>()})
        })
        .collect();
    json!({"statements": statements})
}
