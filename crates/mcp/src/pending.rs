//! Calls that take longer than a client waits: they go on, and the same call gets their answer later.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use precedent_app::ErrorKind;

use crate::answer::Answer;
use crate::error::Failure;

/// How long an answer is kept for a client that does not come back. After that, files may have changed too much.
const KEPT: Duration = Duration::from_secs(600);

/// How often a waiting call looks whether its client has cancelled it.
const LOOK: Duration = Duration::from_millis(200);

/// The calls in progress, by their digests.
#[derive(Debug, Default)]
pub(crate) struct PendingCalls {
    calls: Mutex<BTreeMap<String, Arc<PendingCall>>>,
}

type Outcome = Result<Arc<Answer>, Failure>;

#[derive(Debug, Default)]
struct PendingCall {
    outcome: Mutex<Option<(Instant, Outcome)>>,
    ended: Condvar,
}

impl PendingCalls {
    /// The answer of `work`, which runs on a thread of its own, or of the same call that is in progress. A failure of the kind `in_progress` if it has not
    /// ended after `most`, or if `is_cancelled`.
    pub(crate) fn answer(
        &self,
        digest: &str,
        most: Duration,
        is_cancelled: impl Fn() -> bool,
        work: impl FnOnce() -> Outcome + Send + 'static,
    ) -> Outcome {
        let call = self.joined(digest, work)?;
        let end = Instant::now() + most;
        let mut outcome = lock(&call.outcome);
        while outcome.is_none() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || is_cancelled() {
                return Err(in_progress());
            }
            outcome = call
                .ended
                .wait_timeout(outcome, left.min(LOOK))
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        lock(&self.calls).remove(digest);
        outcome
            .clone()
            .map_or_else(|| Err(in_progress()), |(_, outcome)| outcome)
    }

    /// The call in progress, or a new one.
    fn joined(
        &self,
        digest: &str,
        work: impl FnOnce() -> Outcome + Send + 'static,
    ) -> Result<Arc<PendingCall>, Failure> {
        let mut calls = lock(&self.calls);
        calls.retain(|_, call| lock(&call.outcome).as_ref().is_none_or(|(at, _)| at.elapsed() < KEPT));
        if let Some(call) = calls.get(digest) {
            return Ok(Arc::clone(call));
        }
        let call = Arc::new(PendingCall::default());
        let own = Arc::clone(&call);
        std::thread::Builder::new()
            .name("call".to_owned())
            .spawn(move || {
                let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
                    .unwrap_or_else(|_| Err(Failure::new(ErrorKind::Bug, "the call ended by a bug in this program")));
                *lock(&own.outcome) = Some((Instant::now(), outcome));
                own.ended.notify_all();
            })
            .map_err(|error| Failure::new(ErrorKind::Bug, format!("failed to start a thread: {error}")))?;
        calls.insert(digest.to_owned(), Arc::clone(&call));
        Ok(call)
    }
}

fn in_progress() -> Failure {
    Failure {
        kind: "in_progress",
        message: "the call takes longer than a client waits, and goes on".to_owned(),
        hint: Some(
            "repeat it with the same arguments to get its answer; a corpus that is a large file or folder is indexed once, \
             and a corpus made by `precedent corpus add` opens at once"
                .to_owned(),
        ),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use serde_json::json;

    use super::*;

    fn answer(number: u32) -> Arc<Answer> {
        Arc::new(Answer::with_lists(&json!({"number": number}), &[]).unwrap())
    }

    #[test]
    fn a_slow_call_goes_on_and_is_made_once() {
        let pending = PendingCalls::default();
        let count = Arc::new(AtomicUsize::new(0));
        let (go, gate) = mpsc::channel::<()>();
        let own = Arc::clone(&count);
        let slow = move || {
            own.fetch_add(1, Ordering::Relaxed);
            gate.recv().unwrap();
            Ok(answer(1))
        };
        let first = pending.answer("a", Duration::ZERO, || false, slow);
        assert_eq!(first.unwrap_err().kind, "in_progress");
        // Another call is not held up.
        let other = pending.answer("b", Duration::from_secs(60), || false, || Ok(answer(2)));
        assert_eq!(other.unwrap(), answer(2));
        let cancelled = pending.answer("a", Duration::from_secs(60), || true, || Ok(answer(3)));
        assert_eq!(cancelled.unwrap_err().kind, "in_progress");
        go.send(()).unwrap();
        let second = pending.answer("a", Duration::from_secs(60), || false, || Ok(answer(3)));
        assert_eq!(second.unwrap(), answer(1));
        assert_eq!(count.load(Ordering::Relaxed), 1);
        // The answer was collected, so the same call is made anew.
        let third = pending.answer("a", Duration::from_secs(60), || false, || Ok(answer(3)));
        assert_eq!(third.unwrap(), answer(3));
    }

    #[test]
    fn a_panic_is_a_failure() {
        let pending = PendingCalls::default();
        let outcome = pending.answer("a", Duration::from_secs(60), || false, || panic!("on purpose"));
        assert_eq!(outcome.unwrap_err().kind, "bug");
    }
}
