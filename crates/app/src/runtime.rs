use std::sync::LazyLock;

use precedent_engine::llm::HostLimits;
use tokio::runtime::{Builder, Runtime};

use crate::shared::shared_folder;
use crate::{AppError, ErrorKind};

/// Runtime for the asynchronous part of a command, with two threads.
pub fn runtime() -> Result<Runtime, AppError> {
    started(Builder::new_multi_thread().worker_threads(2))
}

/// Threads of a server. Chosen by hand: more than most machines have processors, because a request may wait for the disk or for a lock.
const SERVER_THREADS: usize = 8;

/// Runtime for a server.
pub fn server_runtime() -> Result<Runtime, AppError> {
    started(Builder::new_multi_thread().worker_threads(SERVER_THREADS))
}

/// Runtime on the calling thread, for commands that do one thing at a time.
pub fn runtime_here() -> Result<Runtime, AppError> {
    started(&mut Builder::new_current_thread())
}

/// Runs `work`, which may start a runtime. Inside of one, that needs a thread of its own.
pub(crate) fn outside_runtime<T: Send>(work: impl FnOnce() -> Result<T, AppError> + Send) -> Result<T, AppError> {
    if tokio::runtime::Handle::try_current().is_err() {
        return work();
    }
    let done = std::thread::scope(|scope| scope.spawn(work).join());
    done.unwrap_or_else(|_| {
        Err(AppError::with_message(
            ErrorKind::Bug,
            "failed to finish: a thread panicked",
        ))
    })
}

fn started(builder: &mut Builder) -> Result<Runtime, AppError> {
    builder
        .enable_all()
        .build()
        .map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to start: {error}")))
}

/// The pace of each host, for all runs of this machine.
pub(crate) fn host_limits() -> HostLimits {
    static LIMITS: LazyLock<HostLimits> =
        LazyLock::new(|| shared_folder().map_or_else(HostLimits::default, HostLimits::in_folder));
    LIMITS.clone()
}
