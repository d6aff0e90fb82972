use tokio::runtime::{Builder, Runtime};

use crate::ExitCode;
use crate::exit::Failure;

/// What runs the asynchronous part of a command: two threads.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    started(Builder::new_multi_thread().worker_threads(2))
}

/// The same on the thread that asks, for a command that does one thing after another.
pub(crate) fn runtime_here() -> Result<Runtime, Failure> {
    started(&mut Builder::new_current_thread())
}

fn started(builder: &mut Builder) -> Result<Runtime, Failure> {
    builder
        .enable_all()
        .build()
        .map_err(|error| Failure::said(ExitCode::Bug, format!("failed to start: {error}")))
}
