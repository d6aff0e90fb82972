use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use precedent_app::{AppError, CancelToken, ErrorKind, Observer, RunEvent};
use pyo3::prelude::*;

use crate::errors::raised;

/// How often Python looks for signals. Ctrl-C has to feel immediate.
const POLL: Duration = Duration::from_millis(50);

/// How long a cancelled job may take to end. An offline stage takes less; a job that is still at work after it ends by itself later.
const GRACE: Duration = Duration::from_secs(5);

enum Message<T> {
    Event(RunEvent),
    Done(Result<T, AppError>),
}

/// Sends events to Python's thread.
struct Events<T>(Mutex<Sender<Message<T>>>);

impl<T: Send> Observer for Events<T> {
    fn event(&self, event: &RunEvent) {
        let sender = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Nobody listens after Ctrl-C.
        let _ = sender.send(Message::Event(event.clone()));
    }
}

/// Refuses to work in a process that was forked after the first call. The threads that share the work of a call exist only in the process that started
/// them, so the call would wait for them without end.
fn check_process() -> Result<(), AppError> {
    static FIRST: OnceLock<u32> = OnceLock::new();
    let own = std::process::id();
    match *FIRST.get_or_init(|| own) == own {
        true => Ok(()),
        false => {
            let message = "this process was forked from one that had already used precedent";
            Err(AppError::with_message(ErrorKind::Usage, message).hint(
                "start processes with multiprocessing.get_context(\"spawn\"), or make the first call after the fork",
            ))
        }
    }
}

/// Runs `work` on a thread of its own and passes its events to `on_event`. A signal or an exception of `on_event` cancels it.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    on_event: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(Arc<dyn Observer>, &CancelToken) -> Result<T, AppError> + Send + 'static,
) -> PyResult<T> {
    check_process().map_err(|error| raised(py, &error))?;
    let (sender, receiver) = channel();
    let receiver = Mutex::new(receiver);
    let cancel = CancelToken::new();
    let (token, events) = (cancel.clone(), Arc::new(Events(Mutex::new(sender.clone()))));
    std::thread::spawn(move || {
        let done = work(events, &token);
        let _ = sender.send(Message::Done(done));
    });
    loop {
        let message = py.detach(|| next(&receiver, POLL));
        let stopped = match message {
            Ok(Message::Done(done)) => return done.map_err(|error| raised(py, &error)),
            Ok(Message::Event(event)) => on_event.as_ref().map_or(Ok(()), |call| passed_on(py, call, &event)),
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Err(RecvTimeoutError::Disconnected) => {
                let error = AppError::with_message(ErrorKind::Bug, "the job ended without a result");
                return Err(raised(py, &error));
            }
        };
        if let Err(exception) = stopped.and_then(|()| py.check_signals()) {
            cancel.cancel();
            py.detach(|| wait_for_the_end(&receiver));
            return Err(exception);
        }
    }
}

fn next<T>(receiver: &Mutex<Receiver<T>>, within: Duration) -> Result<T, RecvTimeoutError> {
    receiver
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .recv_timeout(within)
}

/// So that the same call can be repeated at once.
fn wait_for_the_end<T>(receiver: &Mutex<Receiver<Message<T>>>) {
    let end = Instant::now() + GRACE;
    loop {
        match next(receiver, end.saturating_duration_since(Instant::now())) {
            Ok(Message::Event(_)) => {}
            Ok(Message::Done(_)) | Err(_) => return,
        }
    }
}

fn passed_on(py: Python<'_>, call: &Bound<'_, PyAny>, event: &RunEvent) -> PyResult<()> {
    let text = json(py, event)?;
    let parsed = py.import("json")?.getattr("loads")?.call1((text,))?;
    call.call1((parsed,)).map(drop)
}

/// A value as JSON.
pub(crate) fn json(py: Python<'_>, value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| {
        let message = format!("failed to write JSON: {error}");
        raised(py, &AppError::with_message(ErrorKind::Bug, message))
    })
}
