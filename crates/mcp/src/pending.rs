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
#[derive(Debug)]
pub(crate) struct PendingCalls {
    calls: Mutex<BTreeMap<String, Arc<PendingCall>>>,
    slots: Arc<Slots>,
}

/// Calls that may still start at once. More wait, because each keeps a processor busy.
#[derive(Debug)]
struct Slots {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A slot until it is dropped.
struct Slot<'s>(&'s Slots);

type Outcome = Result<Arc<Answer>, Failure>;

#[derive(Debug, Default)]
struct PendingCall {
    outcome: Mutex<Option<(Instant, Outcome)>>,
    ended: Condvar,
}

impl Slots {
    /// Waits until a slot is free.
    fn take(&self) -> Slot<'_> {
        let mut free = lock(&self.free);
        while *free == 0 {
            free = self.freed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free -= 1;
        Slot(self)
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *lock(&self.0.free) += 1;
        self.0.freed.notify_one();
    }
}

impl PendingCalls {
    /// No calls yet, and at most `slots` at the same time.
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            calls: Mutex::default(),
            slots: Arc::new(Slots {
                free: Mutex::new(slots),
                freed: Condvar::new(),
            }),
        }
    }

    /// The answer of `work`, which runs on a thread of its own, or of the same call that is in progress. A failure of the kind `in_progress` if it has not
    /// ended after `most`, or if `is_cancelled`.
    pub(crate) fn answer(
        &self,
        digest: &str,
        most: Duration,
        is_cancelled: impl Fn() -> bool,
        work: impl FnOnce() -> Outcome + Send + 'static,
    ) -> Outcome {
        let end = Instant::now() + most;
        let mut work = Some(work);
        loop {
            let call = self.joined(digest, &mut work)?;
            let outcome = call.outcome_before(end, &is_cancelled)?;
            // No outcome is locked here: `joined` locks them while it holds the calls.
            let mut calls = lock(&self.calls);
            if calls.get(digest).is_some_and(|own| Arc::ptr_eq(own, &call)) {
                calls.remove(digest);
            }
            drop(calls);
            match outcome {
                // Another client cancelled the call that this one joined, so this one is made now.
                Err(failure) if failure.kind == "interrupted" && work.is_some() => {}
                outcome => return outcome,
            }
        }
    }

    /// The call in progress, or a new one, which takes `work`.
    fn joined(
        &self,
        digest: &str,
        work: &mut Option<impl FnOnce() -> Outcome + Send + 'static>,
    ) -> Result<Arc<PendingCall>, Failure> {
        let mut calls = lock(&self.calls);
        calls.retain(|_, call| lock(&call.outcome).as_ref().is_none_or(|(at, _)| at.elapsed() < KEPT));
        if let Some(call) = calls.get(digest) {
            return Ok(Arc::clone(call));
        }
        let bug = |message: String| Failure::new(ErrorKind::Bug, message);
        let work = work
            .take()
            .ok_or_else(|| bug("the call was started twice".to_owned()))?;
        let call = Arc::new(PendingCall::default());
        let (own, slots) = (Arc::clone(&call), Arc::clone(&self.slots));
        std::thread::Builder::new()
            .name("call".to_owned())
            .spawn(move || {
                // For as long as the work takes, even if its client has an answer before.
                let slot = slots.take();
                let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
                    .unwrap_or_else(|_| Err(Failure::new(ErrorKind::Bug, "the call ended by a bug in this program")));
                drop(slot);
                *lock(&own.outcome) = Some((Instant::now(), outcome));
                own.ended.notify_all();
            })
            .map_err(|error| bug(format!("failed to start a thread: {error}")))?;
        calls.insert(digest.to_owned(), Arc::clone(&call));
        Ok(call)
    }
}

impl PendingCall {
    /// Its outcome. A failure if it has not ended at `end`, or the client of this waiting call `is_cancelled`.
    fn outcome_before(&self, end: Instant, is_cancelled: impl Fn() -> bool) -> Result<Outcome, Failure> {
        let mut outcome = lock(&self.outcome);
        loop {
            if let Some((_, outcome)) = outcome.as_ref() {
                return Ok(outcome.clone());
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() || is_cancelled() {
                return Err(in_progress());
            }
            outcome = self
                .ended
                .wait_timeout(outcome, left.min(LOOK))
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
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
        let pending = PendingCalls::new(2);
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
        let pending = PendingCalls::new(2);
        let outcome = pending.answer("a", Duration::from_secs(60), || false, || panic!("on purpose"));
        assert_eq!(outcome.unwrap_err().kind, "bug");
    }

    #[test]
    fn a_call_in_progress_keeps_its_slot() {
        let pending = PendingCalls::new(1);
        let (go, gate) = mpsc::channel::<()>();
        let (start, started) = mpsc::channel::<()>();
        let slow = move || {
            start.send(()).unwrap();
            gate.recv().unwrap();
            Ok(answer(1))
        };
        let first = pending.answer("a", Duration::ZERO, || false, slow);
        assert_eq!(first.unwrap_err().kind, "in_progress");
        started.recv_timeout(Duration::from_secs(60)).unwrap();
        let has_started = Arc::new(AtomicUsize::new(0));
        let own = Arc::clone(&has_started);
        let quick = move || {
            own.fetch_add(1, Ordering::Relaxed);
            Ok(answer(2))
        };
        let second = pending.answer("b", Duration::from_millis(300), || false, quick);
        assert_eq!(second.unwrap_err().kind, "in_progress");
        assert_eq!(has_started.load(Ordering::Relaxed), 0, "two calls had one slot");
        go.send(()).unwrap();
        let second = pending.answer("b", Duration::from_secs(60), || false, || Ok(answer(3)));
        assert_eq!(second.unwrap(), answer(2));
    }

    #[test]
    fn a_call_that_another_client_cancelled_is_made_anew() {
        let pending = PendingCalls::new(2);
        let cancelled = || Err(crate::call::interrupted());
        let first = pending.answer("a", Duration::ZERO, || false, cancelled);
        assert!(["in_progress", "interrupted"].contains(&first.unwrap_err().kind));
        let second = pending.answer("a", Duration::from_secs(60), || false, || Ok(answer(2)));
        assert_eq!(second.unwrap(), answer(2));
    }

    #[test]
    fn calls_of_many_clients_do_not_block_each_other() {
        let pending = Arc::new(PendingCalls::new(4));
        let (done, all) = mpsc::channel();
        for client in 0..4_u32 {
            let (pending, done) = (Arc::clone(&pending), done.clone());
            std::thread::spawn(move || {
                for call in 0..500_u32 {
                    // Half of the calls are those of another client too.
                    let digest = if call % 2 == 0 {
                        format!("{call}")
                    } else {
                        format!("{client} {call}")
                    };
                    let work = move || Ok(answer(call));
                    let outcome = pending.answer(&digest, Duration::from_secs(300), || false, work);
                    assert_eq!(outcome.unwrap(), answer(call));
                }
                done.send(()).unwrap();
            });
        }
        for _ in 0..4 {
            all.recv_timeout(Duration::from_secs(120))
                .expect("the clients block each other");
        }
        assert!(lock(&pending.calls).is_empty());
    }
}
