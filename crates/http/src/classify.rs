//! Closures with which a caller classifies the outcomes of its requests.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use crate::{HttpError, Response};

/// Classifies answers.
#[derive(Clone)]
pub(crate) struct Settled(Arc<StatusCheck>);

/// Takes the status and the body.
type StatusCheck = dyn Fn(u16, &[u8]) -> bool + Send + Sync;

impl Settled {
    pub(crate) fn new(check: impl Fn(u16, &[u8]) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(check))
    }

    pub(crate) fn check(&self, status: u16, body: &[u8]) -> bool {
        (self.0)(status, body)
    }
}

impl fmt::Debug for Settled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Settled")
    }
}

/// Returns the reason if a response ends all requests to the host in this run.
#[derive(Clone)]
pub(crate) struct Last(Arc<Reason>);

type Reason = dyn Fn(&Response) -> Option<String> + Send + Sync;

impl Last {
    pub(crate) fn new(reason: impl Fn(&Response) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(reason))
    }

    pub(crate) fn check(&self, response: &Response) -> Option<String> {
        (self.0)(response)
    }
}

impl fmt::Debug for Last {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Last")
    }
}

/// Returns the bill of a try with this outcome.
#[derive(Clone)]
pub(crate) struct Billing(Arc<BillOf>);

type BillOf = dyn Fn(&Result<Response, HttpError>) -> Option<Value> + Send + Sync;

impl Billing {
    pub(crate) fn new(bill: impl Fn(&Result<Response, HttpError>) -> Option<Value> + Send + Sync + 'static) -> Self {
        Self(Arc::new(bill))
    }

    pub(crate) fn of(&self, outcome: &Result<Response, HttpError>) -> Option<Value> {
        (self.0)(outcome)
    }
}

impl fmt::Debug for Billing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Billing")
    }
}

/// Returns, right before a try is sent, a reason not to send it.
#[derive(Clone)]
pub(crate) struct AbortCheck(Arc<dyn Fn() -> Option<String> + Send + Sync>);

impl AbortCheck {
    pub(crate) fn new(reason: impl Fn() -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(reason))
    }

    pub(crate) fn check(&self) -> Option<String> {
        (self.0)()
    }
}

impl fmt::Debug for AbortCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AbortCheck")
    }
}
