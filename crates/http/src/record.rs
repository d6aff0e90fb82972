//! Data recorded about a request besides its answer or failure: lost tries, and whether anything was sent.

use precedent_ledger::Answer;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Lost;

/// Part of the header of a stored answer. Records of earlier versions lack it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Tries {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lost: Vec<Lost>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unsent: bool,
}

/// The answer with what is known of the tries before it.
pub(crate) fn with(mut answer: Answer, lost: &[Lost], went_out: bool) -> Answer {
    let tries = Tries {
        lost: lost.to_vec(),
        unsent: !went_out,
    };
    let head: Result<Value, _> = serde_json::from_str(&answer.head);
    if let (Ok(Value::Object(mut head)), Ok(Value::Object(more))) = (head, serde_json::to_value(&tries)) {
        head.extend(more);
        answer.head = Value::Object(head).to_string();
    }
    answer
}

/// The tries before a stored answer that may have been billed but brought nothing.
pub(crate) fn lost(answer: &Answer) -> Vec<Lost> {
    tries(answer).lost
}

/// Whether anything was sent before an answer was stored.
pub(crate) fn went_out(answer: &Answer) -> bool {
    !tries(answer).unsent
}

fn tries(answer: &Answer) -> Tries {
    serde_json::from_str(&answer.head).unwrap_or_default()
}
