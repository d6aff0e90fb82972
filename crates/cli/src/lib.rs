//! The command line.
//!
//! In: what a person typed. Out: data on stdout, talk on stderr, an exit code from one table ([`ExitCode`]).
//! Deliberately not here: anything that judges a paper; this room only asks `engine` and prints what `report` renders.

mod args;
mod commands;
mod exit;
mod help;
mod interrupt;
mod printer;
mod progress;
pub mod reference;
mod refining;
mod runtime;
mod settings;

pub use args::Arguments;
pub use commands::run;
pub use exit::ExitCode;
