//! Data recorded about a request besides its answer or failure: lost tries, whether anything was sent, and whether its output limit was lowered.

use precedent_ledger::Answer;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Lost, Request, failure, response};

/// Part of the header of a stored answer. Records of earlier versions lack it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Tries {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lost: Vec<Lost>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unsent: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    limited: bool,
}

/// The answer to `request` with what is known of the tries before it.
pub(crate) fn with(mut answer: Answer, request: &Request, lost: &[Lost], went_out: bool) -> Answer {
    let tries = Tries {
        lost: lost.to_vec(),
        unsent: !went_out,
        limited: request.is_limited(),
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

/// What an answer that is not final cost, after the tries before it. A later answer replaces it, but it was billed too.
pub(crate) fn not_final(request: &Request, answer: Answer) -> Vec<Lost> {
    if answer.settled {
        return Vec::new();
    }
    let mut lost = lost(&answer);
    let outcome = match failure::from_answer(&answer) {
        Some(error) => Some(Err(error)),
        None => response::from_answer(answer).map(Ok),
    };
    lost.extend(outcome.and_then(|outcome| Lost::of_discarded(request, &outcome)));
    lost
}

/// Whether anything was sent before an answer was stored.
pub(crate) fn went_out(answer: &Answer) -> bool {
    !tries(answer).unsent
}

/// Whether the answer is that of a request whose output limit was lowered.
pub(crate) fn is_limited(answer: &Answer) -> bool {
    tries(answer).limited
}

fn tries(answer: &Answer) -> Tries {
    serde_json::from_str(&answer.head).unwrap_or_default()
}
