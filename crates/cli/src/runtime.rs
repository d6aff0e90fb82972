use tokio::runtime::{Builder, Runtime};

use crate::ExitCode;
use crate::exit::Failure;

/// Runtime for the asynchronous part of a command, with two threads.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    started(Builder::new_multi_thread().worker_threads(2))
}

/// Runtime on the calling thread, for commands that do one thing at a time.
pub(crate) fn runtime_here() -> Result<Runtime, Failure> {
    started(&mut Builder::new_current_thread())
}

fn started(builder: &mut Builder) -> Result<Runtime, Failure> {
    builder
        .enable_all()
        .build()
        .map_err(|error| Failure::said(ExitCode::Bug, format!("failed to start: {error}")))
}
