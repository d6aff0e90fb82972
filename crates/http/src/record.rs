//! Data recorded about a request besides its answer or failure: lost tries, what all tries cost, whether anything was sent, and whether its output limit
//! was lowered.

use precedent_ledger::Answer;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Lost, Request, failure, response};

/// Part of the header of a stored answer. Records of earlier versions lack it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Tries {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lost: Vec<Lost>,
    /// The bills of all tries, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    bills: Vec<Value>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unsent: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    limited: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    refused: bool,
}

/// What is known of the tries before an answer.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    /// Those that may have been billed but brought nothing.
    pub(crate) lost: Vec<Lost>,
    /// The bills of all of them.
    pub(crate) bills: Vec<Value>,
}

/// The answer to `request` with what is known of the tries before it, and the bill of the last one.
pub(crate) fn with(
    mut answer: Answer,
    request: &Request,
    earlier: &Earlier,
    bill: Option<Value>,
    went_out: bool,
) -> Answer {
    let tries = Tries {
        lost: earlier.lost.clone(),
        bills: earlier.bills.iter().cloned().chain(bill).collect(),
        unsent: !went_out,
        limited: request.is_limited(),
        refused: false,
    };
    answer.head = extended(&answer.head, &tries);
    answer
}

/// A stored answer that is not final, marked: a later run wanted another one and could not pay for it.
pub(crate) fn refused(mut answer: Answer) -> Answer {
    let tries = Tries {
        refused: true,
        ..tries(&answer.head)
    };
    answer.head = extended(&answer.head, &tries);
    answer
}

/// The record while a request is in flight: what is stored now, if anything, with one more bill. If the process is stopped, the next one counts it.
pub(crate) fn in_flight(stored: Option<&Answer>, asked: String, bill: Value) -> Answer {
    let mut answer = stored.cloned().unwrap_or_else(|| nothing(asked));
    let mut tries = tries(&answer.head);
    tries.bills.push(bill);
    answer.head = extended(&answer.head, &tries);
    answer
}

/// The record of a request without an outcome.
pub(crate) fn nothing(asked: String) -> Answer {
    Answer {
        asked,
        status: 0,
        head: "{}".to_owned(),
        body: Vec::new(),
        settled: false,
    }
}

fn extended(head: &str, tries: &Tries) -> String {
    let parsed: Result<Value, _> = serde_json::from_str(head);
    match (parsed, serde_json::to_value(tries)) {
        (Ok(Value::Object(mut head)), Ok(Value::Object(more))) => {
            head.extend(more);
            Value::Object(head).to_string()
        }
        _ => head.to_owned(),
    }
}

/// Whether the last run wanted another answer and could not pay for it.
pub(crate) fn is_refused(answer: &Answer) -> bool {
    tries(&answer.head).refused
}

/// What is known of the tries before a stored answer, and its own bill.
pub(crate) fn earlier(answer: &Answer) -> Earlier {
    let Tries { lost, bills, .. } = tries(&answer.head);
    Earlier { lost, bills }
}

/// The bills in the head of a stored answer.
pub(crate) fn bills(head: &str) -> Vec<Value> {
    tries(head).bills
}

/// What an answer that is not final cost, after the tries before it. A later answer replaces it, but it was billed too.
pub(crate) fn not_final(request: &Request, answer: Answer) -> Earlier {
    if answer.settled {
        return Earlier::default();
    }
    let mut before = earlier(&answer);
    let outcome = match failure::from_answer(&answer) {
        Some(error) => Some(Err(error)),
        None => response::from_answer(answer).map(Ok),
    };
    let discarded = outcome.and_then(|outcome| Lost::of_discarded(request, &outcome));
    before.lost.extend(discarded);
    before
}

/// Whether anything was sent before an answer was stored.
pub(crate) fn went_out(answer: &Answer) -> bool {
    !tries(&answer.head).unsent
}

/// Whether the answer is that of a request whose output limit was lowered.
pub(crate) fn is_limited(answer: &Answer) -> bool {
    tries(&answer.head).limited
}

fn tries(head: &str) -> Tries {
    serde_json::from_str(head).unwrap_or_default()
}
