use std::time::Duration;

use precedent_ledger::Answer;
use serde::{Deserialize, Serialize};

use crate::HttpError;

/// A failure as stored, so that a replay reports the same as the run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "failure", rename_all = "snake_case")]
enum Failure {
    NotAllowed {
        host: String,
        why: String,
    },
    Unreachable {
        host: String,
        why: String,
        #[serde(default)]
        sent: bool,
    },
    TlsFailed {
        host: String,
        why: String,
    },
    TimedOut {
        host: String,
        seconds: f64,
    },
    TooLarge {
        host: String,
        limit: u64,
    },
    TooManyRedirects {
        host: String,
        limit: usize,
    },
    Resting {
        host: String,
        failures: u32,
    },
    GivenUp {
        host: String,
        why: String,
    },
}

/// The record of a failure with an external cause. It is never settled, because a later request may succeed.
pub(crate) fn to_answer(error: &HttpError, asked: String) -> Option<Answer> {
    let failure = match error {
        HttpError::NotAllowed { host, why } => Failure::NotAllowed {
            host: host.clone(),
            why: why.clone(),
        },
        HttpError::Unreachable { host, why, sent } => Failure::Unreachable {
            host: host.clone(),
            why: why.clone(),
            sent: *sent,
        },
        HttpError::TlsFailed { host, why } => Failure::TlsFailed {
            host: host.clone(),
            why: why.clone(),
        },
        HttpError::TimedOut { host, after } => Failure::TimedOut {
            host: host.clone(),
            seconds: after.as_secs_f64(),
        },
        HttpError::TooLarge { host, limit } => Failure::TooLarge {
            host: host.clone(),
            limit: *limit,
        },
        HttpError::TooManyRedirects { host, limit } => Failure::TooManyRedirects {
            host: host.clone(),
            limit: *limit,
        },
        HttpError::Resting { host, failures } => Failure::Resting {
            host: host.clone(),
            failures: *failures,
        },
        HttpError::GivenUp { host, why } => Failure::GivenUp {
            host: host.clone(),
            why: why.clone(),
        },
        HttpError::BadAddress { .. }
        | HttpError::BadHeader { .. }
        | HttpError::Body { .. }
        | HttpError::NotRecorded { .. }
        | HttpError::Client { .. }
        | HttpError::BadProxy { .. }
        | HttpError::NoCertificate
        | HttpError::Ledger(_) => return None,
    };
    Some(Answer {
        asked,
        status: 0,
        head: serde_json::to_string(&failure).ok()?,
        body: Vec::new(),
        settled: false,
    })
}

/// The recorded failure, if the answer is one.
pub(crate) fn from_answer(answer: &Answer) -> Option<HttpError> {
    if answer.status != 0 {
        return None;
    }
    Some(match serde_json::from_str(&answer.head).ok()? {
        Failure::NotAllowed { host, why } => HttpError::NotAllowed { host, why },
        Failure::Unreachable { host, why, sent } => HttpError::Unreachable { host, why, sent },
        Failure::TlsFailed { host, why } => HttpError::TlsFailed { host, why },
        Failure::TimedOut { host, seconds } => HttpError::TimedOut {
            host,
            after: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
        },
        Failure::TooLarge { host, limit } => HttpError::TooLarge { host, limit },
        Failure::TooManyRedirects { host, limit } => HttpError::TooManyRedirects { host, limit },
        Failure::Resting { host, failures } => HttpError::Resting { host, failures },
        Failure::GivenUp { host, why } => HttpError::GivenUp { host, why },
    })
}
