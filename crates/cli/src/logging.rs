//! Structured logs on stderr: off by default, enabled by `-v`, `-vv` or `RUST_LOG`.

use tracing_subscriber::filter::{Targets, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::printer::Printer;

/// Prefix of the targets of this program's events.
const OWN: &str = "precedent";

/// Whether the command line or the environment asks for logs.
pub(crate) fn is_on(verbose: u8) -> bool {
    verbose > 0 || directives(verbose).is_some()
}

/// Starts logging if the user asked for it. `-v` and `-vv` override `RUST_LOG`.
pub(crate) fn start(verbose: u8, printer: Printer) {
    let Some(directives) = directives(verbose) else { return };
    let filter: Targets = match directives.parse() {
        Ok(filter) => filter,
        Err(error) => {
            printer.warning(&format!("RUST_LOG is not valid, so nothing is logged: {error}"));
            return;
        }
    };
    // Libraries can log headers and addresses with keys, so their events are dropped whatever RUST_LOG says.
    let own = filter_fn(|metadata| metadata.target().starts_with(OWN));
    let lines = tracing_subscriber::fmt::layer()
        .compact()
        .with_ansi(printer.has_stderr_colour())
        .with_writer(std::io::stderr)
        .with_filter(own);
    // Fails only if a subscriber is already installed, which then receives the events.
    let _ = tracing_subscriber::registry().with(filter).with(lines).try_init();
}

/// The filter directives.
fn directives(verbose: u8) -> Option<String> {
    match verbose {
        0 => std::env::var("RUST_LOG").ok().filter(|value| !value.trim().is_empty()),
        1 => Some(format!("{OWN}=info")),
        _ => Some(format!("{OWN}=debug")),
    }
}
