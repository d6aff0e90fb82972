use std::time::Duration;

use precedent_ledger::LedgerError;

/// Why there is no response. Error responses of a server are a [`Response`](crate::Response).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// The address is invalid.
    #[error("call `{address}`: it is not a web address")]
    BadAddress {
        /// The given address, truncated.
        address: String,
    },
    /// The address of a proxy is invalid.
    #[error("use {name}: {why}")]
    BadProxy {
        /// Where the address comes from.
        name: String,
        /// The reason, without the address.
        why: String,
    },
    /// A file of certificate authorities contains none.
    #[error("read the certificate authorities: the file contains no PEM certificate (`-----BEGIN CERTIFICATE-----`)")]
    NoCertificate,
    /// A header's name or value cannot be sent.
    #[error(
        "call {host}: the value of `{name}` contains characters that cannot be sent; check that the key was copied completely, on one line"
    )]
    BadHeader {
        /// The host.
        host: String,
        /// The header.
        name: String,
    },
    /// The body cannot be written as JSON.
    #[error("write the request to {host}")]
    Body {
        /// The host.
        host: String,
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// The settings of the run forbid it. Nothing was sent.
    #[error("reach {host}: {why}")]
    NotAllowed {
        /// The host.
        host: String,
        /// The rule.
        why: String,
    },
    /// In replay, no answer is recorded. Nothing was sent.
    #[error("replay: the record contains no answer to {asked}; run again without replay to send it")]
    NotRecorded {
        /// The request.
        asked: String,
    },
    /// The host is unknown or not listening, or the connection broke.
    #[error("reach {host}: {why}")]
    Unreachable {
        /// The host.
        host: String,
        /// The reason in a few words.
        why: String,
        /// Whether the request had been sent. It may then have been processed, and billed.
        sent: bool,
    },
    /// No secure connection: the certificate of the host is not accepted, or the host does not use TLS. Nothing was sent.
    #[error("connect securely to {host}: {why}")]
    TlsFailed {
        /// The host.
        host: String,
        /// The reason in a few words.
        why: String,
    },
    /// No answer in time.
    #[error("reach {host}: no whole answer within {} s", .after.as_secs())]
    TimedOut {
        /// The host.
        host: String,
        /// The time limit of one try.
        after: Duration,
    },
    /// The answer exceeds the size limit of the request.
    #[error("read the answer of {host}: it is longer than {limit} bytes")]
    TooLarge {
        /// The host.
        host: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// The host failed so often that it is not called for a while.
    #[error("call {host}: gave up after {failures} failures in a row")]
    Resting {
        /// The host.
        host: String,
        /// Failures in a row.
        failures: u32,
    },
    /// No more requests are sent to the host in this run.
    #[error("call {host} again: {why}")]
    GivenUp {
        /// The host.
        host: String,
        /// Why.
        why: String,
    },
    /// A redirect loop, or too many redirects.
    #[error("follow {host}: more than {limit} redirects")]
    TooManyRedirects {
        /// The first host.
        host: String,
        /// The maximum number of redirects.
        limit: usize,
    },
    /// The client cannot be created.
    #[error("start the network client: {why}")]
    Client {
        /// Why.
        why: String,
    },
    /// The record cannot be read or written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}
