use std::time::Duration;

use precedent_ledger::LedgerError;

/// Why nothing was said. What a server said, errors included, is a [`Response`](crate::Response).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The address is none.
    #[error("ask `{address}`: it is no web address")]
    BadAddress {
        /// As it was given, cut short.
        address: String,
    },
    /// A header's name or value cannot be sent.
    #[error(
        "ask {host}: the value of `{name}` holds characters that cannot be sent; is the key copied whole, on one line?"
    )]
    BadHeader {
        /// The host.
        host: String,
        /// The header.
        name: String,
    },
    /// The body cannot be written as JSON.
    #[error("write the question to {host}")]
    Body {
        /// The host.
        host: String,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// The run's rules forbid it. Nothing was sent.
    #[error("reach {host}: {why}")]
    NotAllowed {
        /// The host.
        host: String,
        /// The rule.
        why: String,
    },
    /// In replay the answer is not on record. Nothing was sent.
    #[error("replay: the record holds no answer to {asked}; run again without replay to ask for it")]
    NotRecorded {
        /// What was asked.
        asked: String,
    },
    /// Nobody of that name, or nobody listening, or the line broke.
    #[error("reach {host}: {why}")]
    Unreachable {
        /// The host.
        host: String,
        /// In a few words.
        why: String,
        /// Whether the question had gone out: then it may have been worked on, and billed.
        sent: bool,
    },
    /// No answer in time.
    #[error("reach {host}: no whole answer within {} s", .after.as_secs())]
    TimedOut {
        /// The host.
        host: String,
        /// The time allowed to one try.
        after: Duration,
    },
    /// The answer is longer than the asker takes.
    #[error("take the answer of {host}: it is longer than {limit} bytes")]
    TooLarge {
        /// The host.
        host: String,
        /// The most that is taken, in bytes.
        limit: u64,
    },
    /// The host failed so often that it is left alone for a while.
    #[error("ask {host}: it failed {failures} times in a row and is left alone for now")]
    Resting {
        /// The host.
        host: String,
        /// Failures in a row.
        failures: u32,
    },
    /// The host is asked nothing more in this run.
    #[error("ask {host} again: {why}")]
    GivenUp {
        /// The host.
        host: String,
        /// Why.
        why: String,
    },
    /// Redirects that lead in a circle or too far.
    #[error("follow {host}: more than {limit} redirects")]
    TooManyRedirects {
        /// The first host.
        host: String,
        /// The most that are followed.
        limit: usize,
    },
    /// The client cannot be made.
    #[error("start the network client: {why}")]
    Client {
        /// Why.
        why: String,
    },
    /// The record cannot be read or written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}
