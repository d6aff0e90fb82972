//! A plain ranking of ideas.

use serde_json::{Value, json};

use crate::plain::stems;
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
