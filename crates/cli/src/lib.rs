//! The command-line interface.
//!
//! Parses arguments, prints data to stdout and messages to stderr, and returns an [`ExitCode`].
//! It contains no analysis: it calls `app` and prints.

mod args;
mod choices;
mod colour;
mod commands;
mod console;
mod exit;
mod help;
mod interrupt;
mod logging;
mod parse;
mod printer;
mod progress;
pub mod reference;
mod refining;
mod short_help;

pub use args::Arguments;
pub use commands::run;
pub use exit::ExitCode;
pub use short_help::command;
