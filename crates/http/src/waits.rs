use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Counts the requests that wait: their host is down, asks to slow down, or failed them and is asked again.
#[derive(Clone, Default)]
pub(crate) struct Waits(Option<Arc<WaitCount>>);

struct WaitCount {
    waiting: Mutex<usize>,
    receive: Box<Receive>,
}

type Receive = dyn Fn(usize) + Send + Sync;

/// A request that waits, until this is dropped.
pub(crate) struct Waiting(Option<Arc<WaitCount>>);

impl Waits {
    /// Reports the number to `receive` whenever it changes.
    pub(crate) fn to(receive: impl Fn(usize) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(WaitCount {
            waiting: Mutex::default(),
            receive: Box::new(receive),
        })))
    }

    /// Counts one more request.
    pub(crate) fn begin(&self) -> Waiting {
        if let Some(count) = &self.0 {
            count.change(|waiting| waiting.saturating_add(1));
        }
        Waiting(self.0.clone())
    }
}

impl WaitCount {
    fn change(&self, to: impl FnOnce(usize) -> usize) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting = to(*waiting);
        // Under the lock, so that the last number received is the current one.
        (self.receive)(*waiting);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(count) = &self.0 {
            count.change(|waiting| waiting.saturating_sub(1));
        }
    }
}

impl fmt::Debug for Waits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Waits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_is_reported() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let receive = Arc::clone(&seen);
        let waits = Waits::to(move |waiting| receive.lock().unwrap().push(waiting));
        let first = waits.begin();
        let second = waits.begin();
        drop(first);
        drop(second);
        assert_eq!(*seen.lock().unwrap(), [1, 2, 1, 0]);
        drop(Waits::default().begin());
    }
}
