//! Plain answers of the review board: seeded scores, and reasons that cite the evidence shown.

use serde_json::{Value, json};

use crate::faults::draw;
use crate::{Block, Question};

/// Answers the board prompts of an idea review; `None` for other prompts.
pub(crate) fn answer(question: &Question, blocks: &[Block<'_>]) -> Option<Value> {
    match question.prompt.as_str() {
        "review.board" => Some(opinion(question, blocks)),
        "review.meta" => Some(meta(question, blocks)),
        "review.suggest" => Some(suggestions(blocks)),
        _ => None,
    }
}

fn numbers(blocks: &[Block<'_>]) -> Vec<u32> {
    // Evidence without a certain date must not support a decision, so it is not cited.
    let may = |block: &&Block<'_>| block.name.starts_with("document ") && !block.text.contains("decides nothing");
    blocks.iter().filter(may).filter_map(Block::number).collect()
}

/// A score from 4 to 8 in steps of one half, derived from a hash of the request.
fn opinion(question: &Question, blocks: &[Block<'_>]) -> Value {
    let id = question
        .text()
        .rsplit("one dimension: ")
        .next()
        .unwrap_or_default()
        .trim();
    #[expect(clippy::cast_precision_loss, reason = "a number below nine")]
    let halves = (draw(0, question.text(), 0) % 9) as f64;
    let cited = match numbers(blocks).first() {
        Some(number) => format!("What comes nearest treats the same matter with other means [{number}]."),
        None => "No document that is shown bears on this.".to_owned(),
    };
    let works_out = question.text().contains("Before the score, work out:");
    let working = match works_out {
        true => vec![
            "1. read the records of the season",
            "2. leave out days without a record",
            "3. for each farm:",
            "4.   take the swell of the week before",
            "5.   take the colour of the water",
            "6.   fit the model to both",
            "7. predict the next harvest",
            "8. weigh what is harvested",
            "9. compare it with the prediction",
            "10. report the difference by farm",
        ],
        false => Vec::new(),
    };
    json!({
        "dimension": id,
        "working": working,
        "reason": format!("The text says what is to be done and in what order, and leaves open how one would tell that it failed. {cited} A pilot on one farm would change this."),
        "score": 4.0 + halves / 2.0,
    })
}

/// No change to the score, citing the first evidence that may support a decision.
fn meta(question: &Question, blocks: &[Block<'_>]) -> Value {
    let deciding = question
        .text()
        .split("Documents that may decide: ")
        .nth(1)
        .unwrap_or_default();
    let deciding = deciding.split('.').next().unwrap_or_default();
    let key: Vec<u32> = deciding
        .split(", ")
        .filter_map(|one| one.parse().ok())
        .take(2)
        .collect();
    let cited = numbers(blocks)
        .first()
        .map_or_else(String::new, |number| format!(" [{number}]"));
    json!({
        "summary": format!("The readers agree that the aim is plain and that the means are known{cited}. They stand apart on how hard it is to carry out. What is missing is a way to tell success from failure."),
        "key_evidence": key,
        "delta": 0.0,
        "delta_reason": "",
        "lowered": [],
        "confidence": "medium",
        "decision": null,
    })
}

fn suggestions(blocks: &[Block<'_>]) -> Value {
    let groups = ["method", "experiments", "data", "risks", "next_steps"];
    let numbers = numbers(blocks);
    let all = groups.iter().zip(numbers.iter().cycle()).map(|(group, number)| {
        json!({"group": group, "text": format!("Take up what was done later in {group} and hold it against the idea's own way [{number}].").replace('_', " "), "documents": [number]})
    });
    json!({"suggestions": all.collect::<Vec<_>>()})
}
